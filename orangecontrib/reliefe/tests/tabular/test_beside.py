"""Columns of other tables that are joined by the names of rows, compared with loops over their lines."""

import json
import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orangecontrib.reliefe import has_orange
from orangecontrib.reliefe.command import cli
from orangecontrib.reliefe.core.words import MISSING_CELLS
from orangecontrib.reliefe.tabular import ReadingOptions, TextTable, read_text_table
from orangecontrib.reliefe.tabular.beside import JoinedTable, joined
from orangecontrib.reliefe.tabular.r_names import make_names
from orangecontrib.reliefe.tests.samples import examples

SAMPLES = [f"s{i}" for i in range(12)]
GENES = {"tp53": [i % 5 + (i % 2) * 9 for i in range(12)], "brca1": [(i * 7) % 11 for i in range(12)]}
TISSUES = {f"s{i}": "tumour" if i % 2 else "normal" for i in range(3, 15)}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with genes by samples, and the tissues of other samples, in another order and without a usual title."""
    monkeypatch.chdir(tmp_path)
    rows = [["gene", *SAMPLES], *([name, *map(str, values)] for name, values in GENES.items())]
    (tmp_path / "genes.csv").write_text("".join(",".join(row) + "\n" for row in rows))
    rows = [
        ["batch", "tissue", "code"],
        *([str(i % 2), TISSUES[name], name] for i, name in enumerate(reversed(TISSUES))),
    ]
    (tmp_path / "samples.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))
    return tmp_path


def rank(capsys, *arguments):
    status = cli.main(["rank", *map(str, arguments)])
    output = capsys.readouterr()
    return status, output.out, output.err


def by_loops(ours, theirs):
    """Pairs (row of ours, value of theirs) of the rows with the same name."""
    pairs = []
    for i, name in enumerate(ours):
        for other, value in theirs:
            if name and name == other:
                pairs.append((i, value))
    return pairs


def without_padding(name):
    """The name in small letters, with numbers as a person counts: s01 is S1, and 3.0 is 3."""
    name = re.sub(r"([0-9])[.]0+$", r"\1", name.lower())
    parts = re.split(r"([0-9.,]*[0-9])", name)
    return "".join(part.lstrip("0") or "0" if re.fullmatch("[0-9]+", part) else part for part in parts)


def are_measurements(names):
    """True if all names are numbers and some are not whole, or below zero; those of padded digits are codes."""
    try:
        values = [float(name) for name in names]
    except ValueError:
        return False
    if any(re.fullmatch("0[0-9]+", name) for name in names):
        return False
    return any(value != int(value) or re.search(r"[-+e]|[.]$", name) for name, value in zip(names, values, strict=True))


def by_plain_names(ours, theirs):
    """Pairs (row of ours, value of theirs) without padding and case, if no two names of a table are equal then."""
    for names in ({*ours} - {""}, {name for name, _ in theirs}):
        if len({*map(without_padding, names)}) < len(names):
            return []
    return by_loops([*map(without_padding, ours)], [(without_padding(name), value) for name, value in theirs])


NAMES = st.sampled_from(["", "a", "b", "c", "d", "E", "e", "01", "1", "s07", "s7", "3.0"])


@examples(100)
@given(st.lists(NAMES, min_size=1, max_size=9), st.lists(NAMES.filter(bool), min_size=1, max_size=6, unique=True))
def test_rows_are_joined_by_their_names(ours, theirs):
    table = TextTable([["name", "x"]], _cells([[name, f"x{i}"] for i, name in enumerate(ours)]))
    other = TextTable([["y", "key"]], _cells([[f"y{i}", name] for i, name in enumerate(theirs)]))
    named = [(name, f"y{i}") for i, name in enumerate(theirs)]
    expected, plain = by_loops(ours, named), by_plain_names(ours, named)
    is_plain = len({value for _, value in plain}) > len({value for _, value in expected})
    expected = plain if is_plain else expected
    if not expected:
        with pytest.raises(ValueError, match="has none of the names of the rows"):
            joined(JoinedTable(table, "ours"), JoinedTable(other, "theirs"), "y")
        return
    result = joined(JoinedTable(table, "ours"), JoinedTable(other, "theirs"), "y")
    assert result.cells[:, -2:].tolist() == [[f"x{i}", value] for i, value in expected]
    known = [name for name in ours if name]
    has_unique_names = len({*known}) == len(known)
    assert result.names == (["x", "y"] if has_unique_names else ["name", "x", "y"])
    assert result.row_names == ([ours[i] for i, _ in expected] if has_unique_names else [])
    n_ours, n_theirs = len(ours) - len(expected), len(theirs) - len({value for _, value in expected})
    assert (f"{n_ours} row{'s' * (n_ours > 1)} of ours" in result.notes[0]) == (n_ours > 0)
    assert (f"{n_theirs} row{'s' * (n_theirs > 1)} of theirs" in result.notes[0]) == (n_theirs > 0)
    assert any("without padding and case" in note for note in result.notes) == is_plain


def by_r(name):
    """The name as R's manual describes make.names, in other words than ours."""
    prefixed = name if re.match(r"[^\W\d_]|\.(?!\d)", name) else "X" + name
    valid = re.sub(r"[^\w.]", ".", prefixed)
    return valid + "." * (valid in ("if", "TRUE", "NA", "in"))


def by_names_of_r(ours, theirs):
    """Pairs (row of ours, row of theirs) of names that R changed in one table only; none if they are not one-to-one.

    Columns that begin with a measurement have no names.
    """
    if re.fullmatch(r"-?(\d+\.\d*|\.\d+)|-\d+", ours[0]) or are_measurements({*theirs}):
        return []
    forward = [(i, j) for i, a in enumerate(ours) for j, b in enumerate(theirs) if a == by_r(b)]
    backward = [(i, j) for i, a in enumerate(ours) for j, b in enumerate(theirs) if by_r(a) == b]
    for pairs, are_different in ((forward, True), (backward, len({by_r(a) for a in ours}) == len({*ours}))):
        rows_of_name = {(ours[i], j) for i, j in pairs}
        if pairs and are_different and len(rows_of_name) == len({name for name, _ in rows_of_name}):
            return pairs
    return []


CHANGED_BY_R = {
    "1-A": "X1.A", "a and b": "a.and.b", ".1a": "X.1a", ".a": ".a", "_a": "X_a", "if": "if.", "TRUE": "TRUE.",
    "-a": "X.a", "\u010d-1": "\u010d.1", "": "X", "a.b_c": "a.b_c", "2024-05": "X2024.05",
}  # fmt: skip


def test_names_as_r_changes_them():
    for name, changed in CHANGED_BY_R.items():
        assert make_names(name) == by_r(name) == changed
        assert make_names(changed) == changed


R_NAMES = st.text("1a-.X", min_size=1, max_size=3).filter(lambda name: name not in MISSING_CELLS)


@examples(100)
@example(ours=["1.", "X"], theirs=["X"], are_changed=False)  # only the first name is a number
@given(st.lists(R_NAMES, min_size=1, max_size=6), st.lists(R_NAMES, min_size=1, max_size=6, unique=True), st.booleans())
def test_rows_are_joined_by_names_that_r_changed(ours, theirs, are_changed):
    ours = [make_names(name) for name in ours] if are_changed else ours
    table = TextTable([["name", "x"]], _cells([[name, f"x{i}y"] for i, name in enumerate(ours)]))
    other = TextTable([["y", "key"]], _cells([[f"y{j}z", name] for j, name in enumerate(theirs)]))
    named = [(name, str(j)) for j, name in enumerate(theirs)]
    pairs, plain = by_loops(ours, named), by_plain_names(ours, named)
    if are_measurements({*ours}) or are_measurements({*theirs}):
        pairs = plain = []
    expected = plain if len({j for _, j in plain}) > len({j for _, j in pairs}) else pairs
    expected = [(i, int(j)) for i, j in expected]
    of_r = by_names_of_r(ours, theirs)
    is_by_r = len({j for _, j in of_r}) > len({j for _, j in expected})
    expected = of_r if is_by_r else expected
    if not expected:
        with pytest.raises(ValueError, match="has none of the names of the rows"):
            joined(JoinedTable(table, "ours"), JoinedTable(other, "theirs"), "y")
        return
    result = joined(JoinedTable(table, "ours"), JoinedTable(other, "theirs"), "y")
    assert result.cells[:, -2:].tolist() == [[f"x{i}y", f"y{j}z"] for i, j in expected]
    if len({*ours}) == len(ours):
        assert result.row_names == [ours[i] for i, _ in expected]
    assert any("Names are joined as R changes them" in note for note in result.notes) == is_by_r


def test_samples_of_r_beside_its_genes(folder, capsys):
    names = ["1-A", "2-B", "3 C", "TCGA-4", "TCGA-5", "6-F"]
    rows = [["gene", *map(make_names, names)], ["tp53", *"519432"], ["brca1", *"202426"]]
    (folder / "of_r.csv").write_text("".join(",".join(row) + "\n" for row in rows))
    rows = [f"{name},{'ab'[i % 2]},{40 + i}" for i, name in enumerate(reversed(names))]
    (folder / "people.csv").write_text("\n".join(["sample,tissue,age", *rows, "7-G,a,50"]) + "\n")
    asked = "--target", "people.csv:tissue", "--method", "relieff"
    status, out, _ = rank(capsys, "of_r.csv", "--transpose", *asked)
    assert not status
    assert out.splitlines()[2:4] == [
        "6 rows joined with people.csv by 'gene' and 'sample'. Left out: 1 row of people.csv that of_r.csv does not "
        "name ('7-G')",
        "Names are joined as R changes them: '6-F' is 'X6.F'",
    ]
    assert "The columns of of_r.csv have these names: add --transpose" in rank(capsys, "of_r.csv", *asked)[2]
    asked = "--target", "people.csv:tissue", "--covariate", "people.csv:age", "--method", "relieff"
    status, out, err = rank(capsys, "of_r.csv", "--transpose", *asked)  # tissues are joined first, and repeat
    assert (status, err) == (0, "")
    assert "adjusted for age" in out
    (folder / "twice.csv").write_text("sample,tissue\n1-A,a\n1 A,b\n1.A,a\n")
    asked = "--target", "twice.csv:tissue", "--method", "relieff"
    assert "has none of the names of the rows" in rank(capsys, "of_r.csv", "--transpose", *asked)[2]


def _cells(rows):
    return np.array(rows, dtype=object)


def test_a_phenotype_beside_genes_by_samples(folder, capsys):
    status, out, _ = rank(capsys, "genes.csv", "--transpose", "--target", "samples.tsv:tissue", "--method", "relieff")
    assert not status
    head = out.splitlines()[1:]
    assert head[0] == "genes: 9 rows, 2 features, target tissue (2 classes: normal, tumour)"
    assert head[1] == (
        "9 rows joined with samples.tsv by 'gene' and 'code'. Left out: 3 rows of genes.csv that samples.tsv does not "
        "name ('s0', 's1', 's2'); 3 rows of samples.tsv that genes.csv does not name ('s14', 's13', 's12')"
    )
    turned = "name,tp53,brca1,tissue\n" + "".join(
        f"{name},{GENES['tp53'][i]},{GENES['brca1'][i]},{TISSUES[name]}\n"
        for i, name in enumerate(SAMPLES)
        if name in TISSUES
    )
    (folder / "turned.csv").write_text(turned)
    asked = "--method", "relieff", "--json", "--quiet"
    beside = rank(capsys, "genes.csv", "--transpose", "--target", "samples.tsv:tissue", *asked)[1]
    inside = rank(capsys, "turned.csv", "--target", "tissue", *asked)[1]
    assert json.loads(beside)["features"] == json.loads(inside)["features"]


@pytest.mark.skipif(not has_orange(), reason="is compared with Orange")
def test_without_orange_and_by_script(folder, capsys, monkeypatch):
    asked = ["genes.csv", "--transpose", "--target", "samples.tsv:tissue", "--covariate", "samples.tsv:batch"]
    with_orange = json.loads(rank(capsys, *asked, "--json")[1])
    exec(rank(capsys, *asked, "--script")[1], {})
    assert capsys.readouterr().out.splitlines() == [feature["feature"] for feature in with_orange["features"]]
    monkeypatch.setattr("orangecontrib.reliefe.command.reading.has_orange", lambda: False)
    without = json.loads(rank(capsys, *asked, "--json")[1])
    assert without["features"] == with_orange["features"]
    exec(rank(capsys, *asked, "--script")[1], {})
    assert capsys.readouterr().out.splitlines() == [feature["feature"] for feature in with_orange["features"]]


def test_other_commands_join_too(folder, capsys):
    asked = ["genes.csv", "--transpose", "--target", "samples.tsv:tissue"]
    status = cli.main(["best-of", *asked, "--methods", "relieff,surf", "--shuffles", "20"])
    output = capsys.readouterr()
    assert not status, output.err
    assert "target tissue (2 classes: normal, tumour)" in output.out


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["genes.csv", "--target", "samples.tsv:tissue"], "The columns of genes.csv have these names: add --transpose"),
        (["genes.csv", "--transpose", "--target", "samples.tsv:tissu"], "samples.tsv has no column 'tissu'; choose fr"),
        (["genes.csv", "--transpose", "--target", "samples.tsv"], "name a column of 'samples.tsv' behind a colon"),
        (["genes.csv", "--transpose", "--target", "none.tsv:a"], "there is no file 'none.tsv' with a column a"),
        (["genes.csv", "--transpose", "--target", "twice.csv:y"], "twice.csv has names in 'id' several times"),
        (["genes.csv", "--transpose", "--target", "same.csv:tp53"], "genes.csv and same.csv both have a column 'tp53'"),
        (
            ["genes.csv", "--transpose", "--target", "samples.tsv:tissue", "--output", "samples.tsv"],
            "'samples.tsv' would overwrite 'samples.tsv', which is read",
        ),
    ],
)
def test_what_cannot_be_joined_is_refused(folder, capsys, arguments, message):
    (folder / "twice.csv").write_text("id,y\ns1,0\ns1,1\ns2,0\n")
    (folder / "same.csv").write_text("id,tp53\ns1,0\ns2,1\ns3,0\n")
    status, out, error = rank(capsys, *arguments)
    assert status == 2
    assert not out
    assert message in error


def test_files_of_orange_are_not_joined(folder, capsys):
    pytest.importorskip("Orange")
    (folder / "data.arff").write_text("@relation r\n@attribute a numeric\n@attribute y {0,1}\n@data\n1,0\n2,1\n")
    status, out, error = rank(capsys, "data.arff", "--target", "samples.tsv:tissue")
    assert status == 2
    assert not out
    assert "FILE:COLUMN is for text tables and workbooks: leave it out" in error


def test_headers_of_orange_and_tables_without_names(tmp_path):
    other = tmp_path / "other.csv"
    other.write_text("id,y\n" + "".join(f"r{i},{'uv'[i % 2]}\n" for i in range(9)))
    for header in ("name\ta\nstring\tcontinuous\nmeta\t\n", ""):
        path = tmp_path / "table.tab"
        path.write_text(header + "".join(f"r{i}\t{i}.5\n" for i in range(9)))
        options = ReadingOptions(header=None if header else False, beside=((str(other), "y"),))
        table = read_text_table(path, options)
        assert table.header == ([["a", "y"], ["continuous", ""], ["", ""]] if header else [["Feature 2", "y"]])
        assert table.cells.tolist() == [[f"{i}.5", "uv"[i % 2]] for i in range(9)]
