"""Readers take time that grows as the size of a file, and no more memory than is stated."""

import bz2
import gzip
import lzma
import time
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest

from orangecontrib.reliefe.command.loading import read_source
from orangecontrib.reliefe.core.data import limits
from orangecontrib.reliefe.core.targets import hierarchy as hierarchy_module
from orangecontrib.reliefe.core.targets.hierarchy import Hierarchy
from orangecontrib.reliefe.io import read_arff, read_fimp, source
from orangecontrib.reliefe.io.arff import parse
from orangecontrib.reliefe.orange import targets as hierarchies
from orangecontrib.reliefe.orange.targets import MAX_NAME_CHARACTERS, close, closed, nodes_of_paths, tree
from orangecontrib.reliefe.tabular import reading
from orangecontrib.reliefe.tests.io.texts import FIMP, HEAD, MULAN, NUMBER, hierarchy


def wide(p: int, kind: str = "numeric") -> str:
    return "@relation r\n" + "".join(f"@attribute a{k} {kind}\n" for k in range(p)) + "@data\n"


def peak(work) -> int:
    """Bytes that were taken at most while `work` ran."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def read(path: Path) -> object:
    """Content of the file, or the refusal."""
    try:
        return read_fimp(path) if path.suffix == ".fimp" else read_arff(path)
    except ValueError as error:
        return error


# Time

# For each construct a size at which a reader that goes through it again and again takes seconds for four times as much.
CONSTRUCTS = {
    "blanks in a number": (2000, lambda n: {"x_arff": NUMBER + "1" + " " * n + "x\n"}),
    "blanks in a value": (2000, lambda n: {"x_arff": HEAD + "1,x" + " " * n + "y,t\n"}),
    "percent signs in a value": (2000, lambda n: {"x_arff": HEAD + "1,x," + " %" * n + "\n"}),
    "backslashes in a number": (8000, lambda n: {"x_arff": NUMBER + "1" + "\\" * n + "\n"}),
    "blanks behind quotes": (2000, lambda n: {"x_arff": HEAD + "1,x,'t'" + " " * n + "u\n"}),
    "quotes that stay open": (2000, lambda n: {"x_arff": HEAD + "1,x,'" + "\\'" * n + "\n"}),
    "blanks in a sparse value": (2000, lambda n: {"x_arff": HEAD + "{0 1" + " " * n + "x}\n"}),
    "blanks behind a sparse row": (2000, lambda n: {"x_arff": HEAD + "{0 1}" + " " * n + "x\n"}),
    "blanks before a weight": (2000, lambda n: {"x_arff": HEAD + "{0 1}" + " " * n + "{2" + " " * n + "x\n"}),
    "braces in a sparse row": (2000, lambda n: {"x_arff": HEAD + "{0 1" + "} " * n + "x\n"}),
    "entries between quotes": (
        2000,
        lambda n: {"x_arff": wide(4 * n) + "{" + ",".join(f"{k} '1'" for k in range(n)) + "}"},
    ),
    "-C of MEKA": (1000, lambda n: {"x_arff": NUMBER.replace("r\n", "r" + ":-C" * n + "\n") + "1\n"}),
    "colons": (1000, lambda n: {"x_arff": NUMBER.replace("r\n", "r" + ": -C x" * n + "\n") + "1\n"}),
    "values on lines": (40000, lambda n: {"x_arff": "@relation r\n@attribute a {" + "x,\n" * n}),
    "labels of Mulan": (
        4000,
        lambda n: {"x_arff": NUMBER, "x_xml": MULAN.format("".join(f'<label name="a{k}"/>' for k in range(n)))},
    ),
    "ranges of CLUS": (
        2000,
        lambda n: {
            "x_arff": wide(n),
            "x_s": "[Attributes]\nTarget = " + "".join(f"{k}-{n}," for k in range(1, n)) + "1\n",
        },
    ),
    "blanks of a setting": (5000, lambda n: {"x_arff": NUMBER, "x_s": "[Attributes]\nTarget = 1" + " " * n + "x\n"}),
    "unknown rows": (3000, lambda n: {"x_arff": hierarchy("a,b" + ",c" * n, "1,n\n" * n)}),
    "features named as nodes": (
        300,
        lambda n: {
            "x_arff": wide(n).replace(
                "@data", "@attribute c hierarchical " + ",".join(f"a{k}" for k in range(n)) + "\n@data"
            )
        },
    ),
    "names that occur twice": (300, lambda n: {"x_arff": wide(n).replace("@data\n", "") + wide(n)[12:]}),
    "scores of fimp": (2000, lambda n: {"x_fimp": FIMP + "1\ta\t[1]\t[1" + " " * n + "x]\n"}),
}


@pytest.mark.slow
@pytest.mark.parametrize("construct", CONSTRUCTS)
def test_time_grows_as_the_size(construct, write):
    size, contents = CONSTRUCTS[construct]
    seconds = []
    for n in (size, 4 * size):
        path = write(**contents(n))
        times = []
        for _ in range(2):
            begin = time.process_time()
            read(path)
            times.append(time.process_time() - begin)
        seconds.append(min(times))
    assert seconds[1] < 8 * seconds[0] + 0.2


# Memory


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_line_without_end_is_refused_while_it_is_read(pack, write, monkeypatch):
    monkeypatch.setenv("ORANGE_RELIEFE_MAX_TEXT", "1000000")
    path = write(x_arff=pack((NUMBER + "1" * 30_000_000).encode()))
    assert peak(lambda: read(path)) < 20_000_000
    with pytest.raises(ValueError, match=r"x.arff, line 4, column 1: .* limit of 1,000,000; .*ORANGE_RELIEFE_MAX_TEXT"):
        read_arff(path)


def test_values_that_go_on_over_lines_have_the_limit_of_a_line(write, monkeypatch):
    monkeypatch.setenv("ORANGE_RELIEFE_MAX_TEXT", "1000")
    text = "@relation r\n@attribute a {" + ",\n".join(f"v{k}" for k in range(500)) + "}\n@data\n"
    with pytest.raises(ValueError, match=r"x.arff, line 2, column 14: .* limit of 1,000; .*ORANGE_RELIEFE_MAX_TEXT"):
        read_arff(write(x_arff=text))
    monkeypatch.setenv("ORANGE_RELIEFE_MAX_TEXT", "5000")
    assert len(parse(write(x_arff=text)).attributes[0].values) == 500


def test_a_compressed_file_becomes_no_more_than_the_limit(write, monkeypatch):
    text = NUMBER + "1\n" * 1_000_000
    path = write(x_arff=gzip.compress(text.encode()))
    with pytest.raises(ValueError, match=r"x\.arff: it unpacks to more than 262,144 lines"):
        read_arff(path)
    monkeypatch.setenv("ORANGE_RELIEFE_MAX_UNPACKED", "10000000")
    assert len(read_arff(path)) == 1_000_000
    monkeypatch.setenv("ORANGE_RELIEFE_MAX_UNPACKED", "1000000")
    with pytest.raises(ValueError, match=r"x.arff: .* limit of 1,000,000; .*ORANGE_RELIEFE_MAX_UNPACKED"):
        read_arff(path)
    assert len(read_arff(write(x_arff=text))) == 1_000_000


@pytest.mark.parametrize("pack", [gzip, bz2, lzma])
@pytest.mark.parametrize("kind", ["arff", "csv"])
def test_a_small_file_does_not_become_a_thousand_times_as_large(pack, kind, tmp_path, monkeypatch):
    """Nothing of it is parsed."""
    monkeypatch.setattr(limits, "FREE_BYTES", 2**16)
    path = tmp_path / f"x.{kind}.{ {gzip: 'gz', bz2: 'bz2', lzma: 'xz'}[pack] }"
    rows = (NUMBER if kind == "arff" else "a\n") + "1\n" * 10_000
    path.write_bytes(pack.compress(rows.encode()))
    assert len(read_source(str(path)).table) == 10_000
    path.write_bytes(pack.compress(rows.encode() + b"1\n" * 300_000))
    monkeypatch.setattr(source.Lines, "rows", None)
    monkeypatch.setattr(reading, "split", None)
    with pytest.raises(
        ValueError, match=rf"{path.name}: the unpacked bytes are more than the limit of [\d,]+; .*_UNPACK"
    ):
        read_source(str(path))
    path.write_bytes(pack.compress(rows.encode())[:-20])
    monkeypatch.undo()
    with pytest.raises(ValueError, match="cannot read"):
        read_source(str(path))


def test_the_members_of_a_zip_have_the_limit_of_a_compressed_file(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "FREE_BYTES_OF_ZIP", 2**16)
    path = tmp_path / "x.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as members:
        members.writestr("xl/worksheets/sheet1.xml", b" " * 2**22)
    with pytest.raises(ValueError, match=r"x.xlsx: the unpacked bytes are more than the limit"):
        read_source(str(path))


def test_escapes_of_a_line(write):
    many = source.MAX_ESCAPES + 1
    for text in (HEAD + "1,x," + "\\" * many, HEAD + "{2 " + "\\a" * many + "}", f"@relation '{'%' * many}'\n"):
        with pytest.raises(ValueError, match="the line has more than 1,048,576 backslashes and percent signs"):
            read_arff(write(x_arff=text + "\n"))


def test_attributes_have_a_limit(write, monkeypatch):
    monkeypatch.setenv("ORANGE_RELIEFE_MAX_COLUMNS", "10")
    assert read_arff(write(x_arff=wide(10))).X.shape == (0, 10)
    with pytest.raises(ValueError, match=r"x.arff, line 12, column 1: .* limit of 10; .*ORANGE_RELIEFE_MAX_COLUMNS"):
        read_arff(write(x_arff=wide(11)))
    with pytest.raises(ValueError, match=r"x.arff, line 3, column 1: the nodes .* limit of 10; .*RELIEFE_MAX_COLUMNS"):
        read_arff(write(x_arff=hierarchy(",".join("abcdefghijk"))))


@pytest.mark.parametrize("given", ["0", "-1", "many", "1e9", "9" * 30])
def test_a_limit_that_is_none(given, write, monkeypatch):
    monkeypatch.setenv("ORANGE_RELIEFE_MAX_TEXT", given)
    with pytest.raises(ValueError, match="the environment variable ORANGE_RELIEFE_MAX_TEXT is a whole number above 0"):
        read_arff(write(x_arff=NUMBER + "1\n"))


@pytest.mark.parametrize("nested", [False, True])
def test_labels_are_made_dense_once(nested, write):
    n, p = 400, 2000
    names = [f"a{k}" for k in range(p)]
    labels = "".join(f'<label name="{name}">' + "</label>" * (not nested or name > "a1") for name in names)
    labels = MULAN.format(labels + "</label>" * (labels.count("<label ") - labels.count("</label>")))
    path = write(x_arff=wide(p + 1, "{0,1}") + "{3 1}\n" * n, x_xml=labels)
    taken = peak(lambda: read_arff(path))
    assert read_arff(path).Y.shape == (n, p)
    assert taken < 2 * 8 * n * p + 8_000_000


@pytest.mark.parametrize(
    "head, contents, what",
    [
        (
            wide(100, "{0,1}"),
            {"x_xml": MULAN.format("".join(f'<label name="a{k}"/>' for k in range(99)))},
            "99 targets",
        ),
        (wide(100, "string"), {}, "100 columns of texts"),
        (wide(100), {"x_s": "[Attributes]\nTarget = 1\nDisable = 2-99\n"}, "98 metas"),
        (hierarchy(",".join(f"n{k}" for k in range(100)), ""), {}, "100 labels"),
    ],
)
def test_what_sparse_rows_leave_out_has_a_limit(head, contents, what, write, monkeypatch):
    rows = "1,n1\n" * 50 if "hierarchical" in head else "{}\n" * 50
    path = write(x_arff=head + rows, **contents)
    assert len(read_arff(path)) == 50
    monkeypatch.setenv("ORANGE_RELIEFE_MAX_CELLS", "1000")
    with pytest.raises(ValueError, match=rf"x.arff, line \d+, .*{what}.* limit of 1,000; .*ORANGE_RELIEFE_MAX_CELLS"):
        read_arff(path)


def test_dense_values_are_in_memory_once(write):
    n, p = 20_000, 100
    path = write(x_arff=wide(p) + (",".join(["7"] * p) + "\n") * n)
    assert peak(lambda: parse(path)) < 1.5 * 8 * n * p + 20 * source.BYTES_PER_READ


def test_a_deep_path(write):
    deep = "/".join(["a"] * 20_000)
    assert peak(lambda: read(write(x_arff=hierarchy(deep)))) < 3 * MAX_NAME_CHARACTERS
    with pytest.raises(ValueError, match=r"x.arff, line 3, column 1: .* together more than 67,108,864 characters"):
        read_arff(write(x_arff=hierarchy(deep)))
    with pytest.raises(ValueError, match="together more than"):
        nodes_of_paths([deep])
    names, parents = tree(["a/b/c", "a/d", "e", "a/b"])
    assert names == ("a", "a/b", "a/b/c", "a/d", "e")
    assert parents == ((), (0,), (1,), (0,), ())


def test_labels_of_many_paths_have_a_limit(monkeypatch):
    monkeypatch.setattr(hierarchies, "MAX_LABELS", 10)
    assert nodes_of_paths(["a", "b"])[2].shape == (2, 2)
    with pytest.raises(ValueError, match="4 rows of 4 labels are more than 10"):
        nodes_of_paths(list("abcd"))


@pytest.mark.parametrize("block", [7, 100, 2**20])
@pytest.mark.parametrize("n", [0, 1, 8, 50])
@pytest.mark.parametrize("parents", [((), (0,), (1,)), ((2,), (0, 2), ()), ((), (), ())])
def test_labels_are_closed_in_place_block_by_block(parents, n, block, monkeypatch):
    monkeypatch.setattr(hierarchy_module, "VALUES_PER_BLOCK", block)
    labels = np.random.default_rng(0).choice([0, 1, np.nan], (n, 3))
    expected = labels.copy()
    for row in expected:
        for _ in parents:
            for label, above in enumerate(parents):
                row[list(above)] = np.where(row[label] == 1, 1, row[list(above)])
    np.testing.assert_array_equal(closed(labels, parents), expected)
    np.testing.assert_array_equal(Hierarchy.read(parents, 3).close_partly(labels), expected)
    close(labels, parents)
    np.testing.assert_array_equal(labels, expected)


def test_labels_are_closed_in_one_step_for_each_of_them(monkeypatch):
    """However many rows there are, and however few of these are looked at at once."""
    steps = []

    class Parents(tuple):
        def __getitem__(self, label):
            steps.append(label)
            return super().__getitem__(label)

    monkeypatch.setattr(hierarchy_module, "VALUES_PER_BLOCK", 7)
    labels = np.zeros((100, 3))
    labels[::3, 2] = 1
    Hierarchy(Parents([(), (0,), (1,)]), (0, 1, 2)).close_in_place(labels)
    assert labels.sum() == 3 * 34
    assert len(steps) == 3


def test_rows_without_paths():
    names, parents, labels = nodes_of_paths([None, "a/b@c", "", "c", None, "a@a/b"])
    assert names == ("a", "a/b", "c")
    assert parents == ((), (0,), ())
    assert labels.tolist() == [[0, 0, 0], [1, 1, 1], [0, 0, 0], [0, 0, 1], [0, 0, 0], [1, 1, 0]]
