"""ARFF becomes arrays and tables and is written again; what is wrong is told with its place."""

import bz2
import gzip
import lzma
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, FileFormat, StringVariable, Table, TimeVariable

from orangecontrib.reliefe.io import read_arff, source, write_arff
from orangecontrib.reliefe.io.arff import parse

Table.LOCKING = True

WEATHER = """% made up
@RELATION 'the weather'

@Attribute outlook {sunny, 'light rain', "o'cast"}
@attribute 'degrees C' REAL
@attribute hour\tinteger  % of the day
@attribute note string
@attribute day date "yyyy-MM-dd"
@attribute Class {no, yes}
@data
sunny, 21.5, 3, 'a, b', 2020-01-01, yes
% a comment
'light rain',?,4,?,'2020-01-02',no

"o'cast", -1e-3 , 5, "it\\'s \\"so\\"\\n", ?, ?
"""
NUMBERS = "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute c numeric\n@data\n"
SPARSE = (
    "@relation r\n@attribute a numeric\n@attribute b {x, y}\n@attribute c {0, 1}\n@attribute d {30, 4, 7}\n"
    "@attribute e numeric\n@data\n"
)


@pytest.fixture
def write(tmp_path):
    """A function that writes a text, or bytes, and gives the path."""

    def file(text: str | bytes, name: str = "data.arff") -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return file


@pytest.fixture(params=[1, 40, 2**20])
def chunk(request, monkeypatch):
    """Sizes of what is read at once."""
    monkeypatch.setattr(source, "BYTES_PER_READ", request.param)


@pytest.mark.usefixtures("chunk")
def test_dense_rows(write):
    arff = parse(write(WEATHER))
    assert arff.relation == "the weather"
    assert [a.name for a in arff.attributes] == ["outlook", "degrees C", "hour", "note", "day", "Class"]
    assert [a.kind for a in arff.attributes] == ["nominal", "numeric", "numeric", "text", "text", "nominal"]
    assert arff.attributes[0].values == ("sunny", "light rain", "o'cast")
    nan = np.nan
    expected = [[0, 21.5, 3, nan, nan, 1], [1, nan, 4, nan, nan, 0], [2, -0.001, 5, nan, nan, nan]]
    np.testing.assert_array_equal(arff.values, expected)
    assert arff.texts[3].tolist() == ["a, b", None, 'it\'s "so"\n']
    assert arff.texts[4].tolist() == ["2020-01-01", "2020-01-02", None]
    assert arff.lines.tolist() == [11, 13, 15]


def test_a_table(write):
    table = read_arff(write(WEATHER))
    assert [v.name for v in table.domain.attributes] == ["outlook", "degrees C", "hour"]
    assert table.domain.class_var.values == ("no", "yes")
    assert [v.name for v in table.domain.metas] == ["note", "day"]
    assert table.metas[:, 1].tolist() == ["2020-01-01", "2020-01-02", ""]
    assert table.name == "data"
    np.testing.assert_array_equal(table.Y, [1, 0, np.nan])


@pytest.mark.parametrize(
    "text", ["1,2,3\n4,?,6\n", " 1 , 2 ,3\n4, ? ,6", "1\t2  3\r\n4 ? 6\r\n", "'1',\"2\",3 % x\n4,?,6"]
)
@pytest.mark.usefixtures("chunk")
def test_numbers(write, text):
    np.testing.assert_array_equal(parse(write(NUMBERS + text)).values, [[1, 2, 3], [4, np.nan, 6]])


@pytest.mark.usefixtures("chunk")
def test_sparse_rows(write):
    rows = "{0 1.5, 1 y,2 1, 3 4}\n{}\n{ 4 -2,0 ? ,3 '7' }\n{0 0, 1 x, 2 0.0, 3 30}\n"
    values = parse(write(SPARSE + rows)).values
    assert sp.issparse(values)
    nan = np.nan
    expected = [[1.5, 1, 1, 1, 0], [0] * 5, [nan, 0, 0, 2, -2], [0] * 5]
    np.testing.assert_array_equal(values.toarray(), expected)
    assert values.nnz == 7
    assert values.has_sorted_indices


@pytest.mark.usefixtures("chunk")
def test_plain_sparse_rows_are_read_as_the_others(write):
    rows = ["{0 1.5,2 1,3 7}", "{2 0,4 2e3}", "{}", "{3 4}"]
    plain = parse(write(SPARSE + "\n".join(rows))).values
    quoted = parse(write(SPARSE + "\n".join(row.replace("3 7", "3 '7'") for row in rows))).values
    np.testing.assert_array_equal(plain.toarray(), quoted.toarray())
    np.testing.assert_array_equal(plain.toarray()[0], [1.5, 0, 1, 2, 0])


@pytest.mark.usefixtures("chunk")
def test_texts_in_sparse_rows(write):
    head = "@relation r\n@attribute a numeric\n@attribute t string\n@attribute b numeric\n@attribute u string\n@data\n"
    arff = parse(write(head + "{0 2, 3 last}\n{1 'x, y', 2 1}\n{3 ?}\n{}\n{0 3,1 12,3 a_b}\n"))
    assert arff.texts[1].tolist() == [None, "x, y", None, None, "12"]
    assert arff.texts[3].tolist() == ["last", None, None, None, "a_b"]
    np.testing.assert_array_equal(arff.values.toarray()[:, [0, 2]], [[2, 0], [0, 1], [0, 0], [0, 0], [3, 0]])


def test_columns_count_from_one_if_the_last_is_used_and_none_is_zero(write):
    rows = "{1 1, 2 y, 5 2}\n{3 1}\n"
    np.testing.assert_array_equal(parse(write(SPARSE + rows)).values.toarray(), [[1, 1, 0, 0, 2], [0, 0, 1, 0, 0]])
    path = write(SPARSE + "{1 y, 4 2}\n")
    np.testing.assert_array_equal(parse(path).values.toarray(), [[0, 1, 0, 0, 2]])
    path = write(SPARSE + "{1 5, 4 4}\n")
    np.testing.assert_array_equal(parse(path, base=1).values.toarray(), [[5, 0, 0, 1, 0]])
    with pytest.raises(ValueError, match="line 8, column 4: '5' is not among the values of 'b': 'x', 'y'"):
        parse(path)
    with pytest.raises(ValueError, match="base is 0, 1 or None, not 2"):
        parse(path, base=2)


def test_weights(write):
    table = read_arff(write(NUMBERS + "1,2,3,{0.5}\n4,5,6\n"))
    np.testing.assert_array_equal(table.W.ravel(), [0.5, 1])
    arff = parse(write(NUMBERS + "{0 1},{2}\n{1 1}\n"))
    np.testing.assert_array_equal(arff.weights, [2, 1])
    assert parse(write(NUMBERS + "1,2,3\n")).weights is None


@pytest.mark.parametrize("quote", ["'", '"'])
@pytest.mark.usefixtures("chunk")
def test_values_in_quotes(write, quote):
    rows = ["§a b§, §1§, don't", "?,?,?", "§c,d§ ,2,§don\\'t§", "§a b§,§3§,don't", "§?§,4,§ e§"]
    path = write(header("x {'a b','c,d','?'}", "y numeric", "z {don't,' e'}") + "\n".join(rows).replace("§", quote))
    nan = np.nan
    np.testing.assert_array_equal(parse(path).values, [[0, 1, 0], [nan] * 3, [1, 2, 0], [0, 3, 0], [2, 4, 1]])


@pytest.mark.parametrize("row", ["'a'b,1", "'a''b',1", "'a,1\nb',1", "'a' b,1", "'a,1"])
def test_quotes_that_are_not_closed(write, row):
    with pytest.raises(ValueError, match="line 5, column 1: this quote is not closed, or no comma follows it"):
        parse(write(header("x {a,b,ab,'a b'}", "y numeric") + row))


def test_values_may_go_on_over_lines(write):
    arff = parse(write("@relation r\n@attribute a {x,\n  'y z',\n w}\n@attribute b binary\n@data\nw,1\n"))
    assert arff.attributes[0].values == ("x", "y z", "w")
    assert arff.attributes[1].values == ("1", "0")
    assert arff.values.tolist() == [[2, 0]]


def test_a_missing_value_that_is_declared(write):
    arff = parse(write("@relation r\n@attribute a {x,?}\n@attribute b {'?',y}\n@data\n?,'?'\n?,?\n"))
    assert [a.values for a in arff.attributes] == [("x",), ("?", "y")]
    np.testing.assert_array_equal(arff.values, [[np.nan, 0], [np.nan, np.nan]])


def test_nothing_but_a_header(write):
    table = read_arff(write(NUMBERS))
    assert table.X.shape == (0, 3)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_encodings(write, encoding):
    text = "@relation r\n@attribute 'größe' numeric\n@attribute b {é,à}\n@data\n1,à\n"
    table = read_arff(write(text.encode(encoding)))
    assert [v.name for v in table.domain.variables] == ["größe", "b"]
    assert table.domain.class_var.values == ("é", "à")


@pytest.mark.parametrize("suffix, pack", [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)])
def test_compressed(write, suffix, pack):
    path = write(pack((NUMBERS + "1,2,3\n").encode()), f"data.arff{suffix}")
    np.testing.assert_array_equal(Table(str(path)).X, [[1, 2, 3]])
    assert Table(str(path)).name == "data"
    whole = pack((NUMBERS + "1,2,3\n" * 1000).encode())
    with pytest.raises(ValueError, match="is damaged or cut off"):
        read_arff(write(whole[: len(whole) // 2], f"cut.arff{suffix}"))


def test_names_that_occur_twice(write):
    table = read_arff(
        write("@relation r\n@attribute a numeric\n@attribute a numeric\n@attribute '' numeric\n@data\n1,2,3")
    )
    assert [v.name for v in table.domain.attributes] == ["a (1)", "a (2)", "?"]


def header(*attributes: str, relation: str = "r") -> str:
    return f"@relation '{relation}'\n" + "\n".join(f"@attribute {a}" for a in attributes) + "\n@data\n"


@pytest.mark.parametrize(
    "relation, attributes, targets",
    [
        ("r", ["class numeric", "b {0,1}"], ["class"]),
        ("r", ["a numeric", "b {0,1}"], ["b"]),
        ("r", ["a numeric", "b numeric"], []),
        ("r", ["a numeric", "Target numeric"], ["Target"]),
        ("r", ["b {0,1}"], []),
        ("r: -C 2", ["l {0,1}", "m {0,1}", "a numeric"], ["l", "m"]),
        ("r: -C -2 -split-percentage 60", ["a numeric", "l {0,1}", "m {0,1}"], ["l", "m"]),
        ("r: -C 0", ["a numeric", "class {0,1}"], []),
        ("weka.filters.Add-C 2-Clast", ["a numeric", "b numeric", "c numeric"], []),
    ],
)
def test_targets(write, relation, attributes, targets):
    table = read_arff(write(header(*attributes, relation=relation)))
    assert [v.name for v in table.domain.class_vars] == targets
    assert len(table.domain.variables) == len(attributes)


def test_keel(write):
    text = "@relation r\n@attribute y real [0.5, 2]\n@attribute a integer[1,3]\n@inputs a\n@outputs y\n@data\n1.5, 2\n"
    table = read_arff(write(text))
    assert table.domain.class_var.name == "y"
    assert table.Y.tolist() == [1.5]
    with pytest.raises(ValueError, match="@outputs names 'z', which is no attribute"):
        read_arff(write(text.replace("@outputs y", "@outputs z")))


def test_labels_are_absent_and_present_in_this_order(write):
    table = read_arff(
        write(header("l {1,0}", "m {0,1}", "n {1}", "a numeric", relation="r: -C 3") + "1,1,1,5\n0,?,?,6\n")
    )
    assert [v.values for v in table.domain.class_vars] == [("0", "1")] * 3
    np.testing.assert_array_equal(table.Y, [[1, 1, 1], [0, np.nan, np.nan]])


def test_the_density_decides(write):
    few, many = SPARSE + "{0 1}\n{}\n{}\n", SPARSE + "{0 1, 1 y, 2 1, 3 4, 4 1}\n" * 3
    assert sp.issparse(read_arff(write(few)).X)
    assert not sp.issparse(read_arff(write(many)).X)


def test_numbers_keep_their_decimals_in_other_formats(write, tmp_path):
    table = read_arff(write(NUMBERS + "1.23456,1,0.1\n12345.678,2,1e-7\n"))
    table.save(str(tmp_path / "x.tab"))
    np.testing.assert_array_equal(Table(str(tmp_path / "x.tab")).X, table.X)


BAD = [
    ("", r"data.arff ends at line 0, before @data"),
    ("@relation r\n@attribute a numeric\n", "ends at line 2, before @data"),
    ("a,b\n1,2\n", "line 1, column 1: @relation, @attribute or @data is expected, not 'a,b'"),
    ("@relation r\n@data\n", "line 2, column 1: there is no @attribute"),
    (
        "@relation r\n@attribute a relational\n",
        "line 2, column 14: the type of 'a' is one of numeric, .*not 'relational'",
    ),
    ("@relation r\n@attribute 'a numeric\n", "line 2, column 12: the name of the attribute is missing or its quote"),
    ("@relation r\n@attribute\n", "line 2, column 11: the name"),
    ("@relation r\n@attribute a {x,y,x}\n", "line 2, column 19: the value 'x' is declared twice"),
    ("@relation r\n@attribute a {x,y\n@data\n", "line 2, column 14: this brace is not closed"),
    (NUMBERS + "1,2,3\n4,5\n", "line 7, column 3: the row has 2 values, but there are 3 attributes"),
    (NUMBERS + "1,2,3,4\n", "line 6, column 7: the row has 4 values"),
    (NUMBERS + "1,2,3\n\n4, x ,6\n", "line 8, column 4: 'b' is numeric, 'x' is not"),
    (NUMBERS + "1,1_0,3\n", "line 6, column 3: 'b' is numeric, '1_0' is not"),
    (NUMBERS + "1,,3\n", "line 6, column 3: 'b' is numeric, '' is not"),
    (NUMBERS + "1,'2,3\n", "line 6, column 3: this quote is not closed"),
    (header("a {x,y}", "b {1,2}") + "z,1\n", "line 5, column 1: 'z' is not among the values of 'a': 'x', 'y'"),
    (header("a {x,y}", "b {1,2}") + "x,2.0\nx,3\n", "line 6, column 3: '3' is not among the values of 'b'"),
    (SPARSE + "{0 1}\n{0 1, 2 1\n", "line 9, column 10: the row in braces is not closed"),
    (SPARSE + "{0 1}\n1,x,0,30,1\n", "line 9, column 1: a row in braces is expected"),
    (SPARSE + "{0 1, 5 1}\n", "line 8, column 7: the 5 attributes have numbers from 0 to 4; 5 is none"),
    (SPARSE + "{6 1}\n", "line 8, column 2: the 5 attributes have numbers from 0 to 4; 6 is none"),
    (SPARSE + "{-1 1}\n", "line 8, column 2: .*-1 is none"),
    (SPARSE + "{0 1}\n{4 2,0 1,4 3}\n", "line 9, column 10: the attribute with number 4 occurs twice"),
    (SPARSE + "{0 1 2, 3}\n", "line 8, column 9: a number of a column and its value are expected, not '3'"),
    (SPARSE + "{0 1,, 2 1}\n", "line 8, column 6: a number of a column and its value are expected"),
    (SPARSE + "{2 2}\n", "line 8, column 4: '2' is not among the values of 'c': '0', '1'"),
    (SPARSE + "{2 1e999}\n", "line 8, column 4: '1e999' is not among the values of 'c'"),
    (SPARSE + "{2 -inf}\n", "line 8, column 4: '-inf' is not among the values of 'c'"),
    (SPARSE + "{3 5}\n", "line 8, column 4: '5' is not among the values of 'd'"),
    (SPARSE + "{0 x}\n", "line 8, column 4: 'a' is numeric, 'x' is not"),
    (SPARSE + "{0 '1}\n", "line 8, column 4: a value is missing or its quote is not closed"),
    (header("a numeric", "b {0,1}", relation="r: -C 3"), "3 labels by its -C, but there are 2 attributes"),
]


@pytest.mark.parametrize("text, message", BAD)
@pytest.mark.usefixtures("chunk")
def test_what_is_wrong_is_told_with_its_place(write, text, message):
    with pytest.raises(ValueError, match=message):
        read_arff(write(text))


# Round trips

NAMES = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\t'\"\\%,{}? @"), min_size=1, max_size=6
)
NUMBER = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-9, 9).map(float) | st.just(np.nan)
SHARE = 0.2


@st.composite
def tables(draw) -> Table:
    names = draw(st.lists(NAMES, min_size=4, max_size=7, unique=True))
    kinds = [draw(st.sampled_from(["number", "category"])) for _ in names]
    n, sparse = draw(st.integers(0, 4)), draw(st.booleans())
    variables, columns = [], []
    for name, kind in zip(names, kinds):
        if kind == "number":
            variables.append(ContinuousVariable(name))
            columns.append(draw(st.lists(NUMBER, min_size=n, max_size=n)))
        else:
            values = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
            variables.append(DiscreteVariable(name, values))
            codes = st.integers(0, len(values) - 1).map(float) | st.just(np.nan)
            columns.append(draw(st.lists(codes, min_size=n, max_size=n)))
    values = np.array(columns, dtype=float).reshape(len(names), n).T
    q = draw(st.integers(0, 2))
    texts = np.array(draw(st.lists(NAMES | st.just(""), min_size=n, max_size=n)), dtype=object).reshape(n, 1)
    X = values[:, q:]
    domain = Domain(variables[q:], variables[:q], [StringVariable("the text of it")])
    weights = np.arange(1.0, n + 1) if draw(st.booleans()) else None
    return Table.from_numpy(domain, sp.csr_matrix(X) if sparse else X, values[:, :q], texts, weights)


def dense(X: np.ndarray | sp.spmatrix) -> np.ndarray:
    return X.toarray() if sp.issparse(X) else X


@given(tables())
@settings(max_examples=60, deadline=None)
def test_what_is_written_is_read_again(table):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.arff"
        write_arff(path, table)
        again = read_arff(path)
        assert [p.name for p in Path(folder).iterdir()] == ["x.arff"]
    for old, new in zip((*table.domain.variables, *table.domain.metas), (*again.domain.variables, *again.domain.metas)):
        assert old.name == new.name
        assert type(old) is type(new)
        if old.is_discrete and not set(old.values) <= {"0", "1"}:
            assert old.values == new.values
    assert len(table.domain.class_vars) == len(again.domain.class_vars)
    np.testing.assert_array_equal(dense(table.X), dense(again.X))
    np.testing.assert_array_equal(table.Y, again.Y)
    assert table.metas.tolist() == again.metas.tolist()
    np.testing.assert_array_equal(
        table.W.ravel() if table.has_weights() else 1, again.W.ravel() if again.has_weights() else 1
    )


@pytest.mark.parametrize("name", ["iris", "heart_disease", "housing", "zoo"])
def test_tables_of_orange(name, tmp_path):
    table = Table(name)
    table.save(str(tmp_path / "x.arff"))
    again = Table(str(tmp_path / "x.arff"))
    assert [v.name for v in again.domain.variables] == [v.name for v in table.domain.variables]
    np.testing.assert_array_equal(again.X, table.X)
    np.testing.assert_array_equal(again.Y, table.Y)


def test_times_and_metas_are_written(tmp_path):
    domain = Domain([TimeVariable("t", have_date=1)], None, [ContinuousVariable("m"), StringVariable("s")])
    table = Table.from_numpy(domain, [[0.0], [np.nan]], metas=np.array([[1.5, "x"], [2.0, ""]], dtype=object))
    write_arff(tmp_path / "x.arff", table)
    again = read_arff(tmp_path / "x.arff")
    assert [v.name for v in again.domain.attributes] == ["m"]
    assert again.metas.tolist() == [["1970-01-01", "x"], ["", ""]]


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz"])
def test_writing_compressed(tmp_path, suffix):
    path = tmp_path / f"x.arff{suffix}"
    write_arff(path, Table("iris"))
    assert len(read_arff(path)) == 150
    assert not path.read_bytes().startswith(b"@")


def test_a_file_stays_when_writing_fails(tmp_path):
    path = tmp_path / "x.arff"
    path.write_text("mine")
    table = Table.from_numpy(Domain([ContinuousVariable("\ud800")]), [[1.0]])
    with pytest.raises(UnicodeEncodeError):
        write_arff(path, table)
    assert path.read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == 1


def test_orange_knows_the_format():
    assert FileFormat.readers[".arff"] is FileFormat.writers[".arff.gz"]
    program = (
        "from Orange.data import Table, FileFormat; FileFormat.readers; import orangecontrib.reliefe; "
        "assert '.arff' in FileFormat.readers and '.arff' in FileFormat.writers"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize("name", ["tokens", "source", "header", "dense", "sparse", "arff", "clus", "roles"])
def test_arrays_and_roles_need_no_orange(name):
    text = Path(source.__file__).with_name(f"{name}.py").read_text(encoding="utf-8")
    assert "import Orange" not in text
    assert "from Orange" not in text


@pytest.mark.parametrize(
    "row", ["}{1}{1" * 9, "{0 1}}{2}", "{0 1}{2}{3}", "{0 1}{2},", "{", "}", "{0 1}, {2}", "{0 1},{2} }"]
)
@pytest.mark.parametrize("more", ["", " % }", " %{1}"])
def test_the_brace_that_closes_a_row(row, more):
    """The first one behind which there are a weight and a comment, or nothing: where no comment is, one of two."""
    from orangecontrib.reliefe.io import braces

    row = "{0 1" * (row[0] == "}") + row
    first = next((match for match in braces.CLOSING_BRACE.finditer(row + more, 1) if match["end"]), None)
    found = braces.open_row(row + more)
    assert (found is None) == (first is None)
    if found:
        assert found[0] == (row + more)[1 : first.start()]


def test_a_target_of_texts_has_classes(tmp_path):
    path = tmp_path / "w.arff"
    path.write_text("@relation w\n@attribute a numeric\n@attribute class string\n@data\n1,yes\n2,no\n3,?\n4,yes\n")
    table = read_arff(path)
    assert table.domain.class_var.values == ("no", "yes")
    np.testing.assert_array_equal(table.Y, [1, 0, np.nan, 1])


@pytest.mark.parametrize("encoding", ["cp1250", "cp1251", "utf-16"])
def test_encodings_of_names_and_values(tmp_path, encoding):
    name, values = ("рост", "мужской,женский") if encoding == "cp1251" else ("višina", "moški,ženska")
    path = tmp_path / "w.arff"
    text = f"@relation r\n@attribute {name} numeric\n@attribute class {{{values}}}\n@data\n1,{values.split(',')[0]}\n"
    path.write_bytes(text.encode(encoding))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        table = read_arff(path)
    assert table.domain.attributes[0].name == name
    assert table.domain.class_var.values == tuple(values.split(","))
    assert len([w for w in caught if w.category.__name__ == "AssumedEncoding"]) == (encoding != "utf-16")


@pytest.mark.parametrize("data, error", [
    (b"\xff\xfe\0\0@relation\n", "is not in the encoding utf-32, as it seems to be"),
    (b"@relation r\n\xff\0\n", "cannot be read: it holds binary data")], ids=["mark", "zeros"])  # fmt: skip
def test_bytes_in_no_encoding_are_refused_by_name(tmp_path, data, error):
    path = tmp_path / "data.arff"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=rf"data\.arff {error}"):
        read_arff(path)
