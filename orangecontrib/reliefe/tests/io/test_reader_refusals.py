"""Refusals of readers name the place in few words; many rows are read as they are one by one."""

import re
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.io import read_arff, read_fimp
from orangecontrib.reliefe.io.arff import parse
from orangecontrib.reliefe.tests.io.texts import FIMP, HEAD, MULAN, NUMBER, hierarchy


def read(path: Path) -> object:
    """Content of the file, or the refusal."""
    try:
        return read_fimp(path) if path.suffix == ".fimp" else read_arff(path)
    except ValueError as error:
        return error


# What is told

LONG = "z" * 5000


@pytest.mark.parametrize(
    "contents",
    [
        {"x_arff": LONG},
        {"x_arff": NUMBER + LONG + "\n"},
        {"x_arff": NUMBER + "'" + LONG + "\n"},
        {"x_arff": HEAD + f"1,{LONG},t\n"},
        {"x_arff": HEAD + "{" + LONG + "}\n"},
        {"x_arff": HEAD + "{" + "1" * 5000 + " 1}\n"},
        {"x_arff": HEAD + "{-" + "9" * 5000 + " 1}\n"},
        {"x_arff": HEAD + "{0 " + LONG + "}\n"},
        {"x_arff": HEAD + "{0 1},{" + "1" * 5000 + "}\n"},
        {"x_arff": f"@relation r\n@attribute {LONG} relational\n"},
        {"x_arff": f"@relation r\n@attribute a {LONG}\n"},
        {"x_arff": "@relation r\n@attribute a {" + f"{LONG},{LONG}" + "}\n@data\n"},
        {"x_arff": f"@relation r\n@attribute {LONG} {{{LONG},y}}\n@data\nx\n"},
        {"x_arff": NUMBER.replace("r\n", "r: -C " + "9" * 5000 + "\n")},
        {"x_arff": NUMBER.replace("@data", f"@outputs {LONG}\n@data")},
        {"x_arff": hierarchy("a,b", f"1,{LONG}\n")},
        {"x_arff": hierarchy(f"{LONG};,b")},
        {"x_arff": NUMBER, "x_xml": MULAN.format(f'<label name="{LONG}"/>')},
        {"x_arff": NUMBER, "x_xml": MULAN.format(f'<label name="{LONG}"/>' * 2)},
        {"x_arff": NUMBER, "x_xml": MULAN.format(f"<{LONG}/>")},
        {"x_arff": NUMBER, "x_xml": f"<!DOCTYPE labels [<!ENTITY {LONG} 'ha'>]><labels/>"},
        {"x_arff": NUMBER, "x_xml": f'<?xml version="1.0" encoding="{LONG}"?><labels/>'},
        {"x_arff": NUMBER, "x_s": f"[Attributes]\nTarget = {LONG}\n"},
        {"x_arff": NUMBER, "x_s": "[Attributes]\nTarget = " + "1" * 5000},
        {"x_arff": NUMBER, "x_s": f"[Hierarchical]\nType = {LONG}\n"},
        {"x_fimp": FIMP + f"{LONG}\ta\t[1]\t[1]\n"},
        {"x_fimp": FIMP + f"1\ta\t[1]\t[{LONG}]\n"},
        {"x_fimp": FIMP.replace("\t[s]", LONG)},
        {"x_fimp": LONG},
    ],
)
def test_refusals_say_where_and_repeat_no_more_than_80_characters(contents, write):
    error = read(write(**contents))
    assert isinstance(error, ValueError)
    assert re.match(r"x\.\w+(, line \d+, column \d+: | ends at line \d+ )", str(error))
    assert max(map(len, re.findall(r"z+|1+|9+", str(error)))) <= 80
    assert len(str(error)) < 500


@pytest.mark.parametrize("encoding", ["nothing", "idna", "utf-7", "punycode", "shift_jis", "hex", "utf-16", "\udcff"])
def test_encodings_that_no_xml_has(encoding, write):
    xml = f'<?xml version="1.0" encoding="{encoding}"?>\n<labels/>'.encode("utf-8", "surrogateescape")
    with pytest.raises(ValueError, match=r"x.xml, line 1, column \d+: "):
        read_arff(write(x_arff=NUMBER + "1\n", x_xml=xml))


def test_an_encoding_that_python_knows(write):
    xml = '<?xml version="1.0" encoding="cp1250"?><labels><label name="č"/></labels>'.encode("cp1250")
    table = read_arff(write(x_arff="@relation r\n@attribute č {0,1}\n@data\n1\n", x_xml=xml))
    assert table.domain.class_var.name == "č"


@pytest.mark.parametrize("index", ["0", "-1", str(10**30), "1" * 5000, "x", ""])
def test_numbers_of_attributes_in_fimp(index, write):
    with pytest.raises(
        ValueError, match=r"x.fimp, line 3, column 1: the number of an attribute, from 1, is expected, not '"
    ):
        read_fimp(write(x_fimp=FIMP + f"{index}\ta\t[1]\t[1]\n"))


# What else was found on the way


def test_counting_from_one_is_found_out_before_other_letters(write):
    text = HEAD + "{1 5, 2 y}\n{3 u}\n" + "{1 1}\n" * 300_000 + "{3 é}\n"
    arff = parse(write(x_arff=text.encode("latin-1")))
    assert arff.texts[2][[0, 1, -1]].tolist() == [None, "u", "é"]
    assert arff.values[0, 0] == 5


@pytest.mark.parametrize("cell", ["-?", "+?", "1?", "?1", "?nan"])
def test_a_question_mark_is_missing_only_alone(cell, write):
    with pytest.raises(ValueError, match="line 5, column 1: 'a' is numeric"):
        parse(write(x_arff=NUMBER + "1\n" + cell + "\n"))


def test_comments_behind_values_between_blanks(write):
    text = "@relation r\n@attribute a numeric\n@attribute b {x,'y z'}\n@data\n1 x\n2 'y z' % no value, that\n"
    assert parse(write(x_arff=text)).values.tolist() == [[1, 0], [2, 1]]


def test_comments_between_values_of_a_declaration(write):
    arff = parse(write(x_arff="@relation r\n@attribute a {x,\n% y,\n\nz}\n@data\nz\n"))
    assert arff.attributes[0].values == ("x", "z")


def test_outputs_that_are_named_twice(write):
    table = read_arff(write(x_arff=NUMBER.replace("@data", "@attribute b numeric\n@outputs b, b\n@data") + "1,2\n"))
    assert [v.name for v in table.domain.class_vars] == ["b"]


@pytest.mark.parametrize("rows", ["{0 1} % {2}\n", "{0 1} ,{1} % {2}\n", "{2 'a} % b'}\n", "{ 0 1 , }\n", "{2 a} b}\n"])
def test_where_a_sparse_row_ends(rows, write):
    arff = parse(write(x_arff=HEAD + rows + "{0 '3'} % }\n"))
    texts = {"{2 'a} % b'}\n": "a} % b", "{2 a} b}\n": "a} b"}
    assert arff.values.toarray()[:, 0].tolist() == [0 if rows in texts else 1, 3]
    assert arff.texts[2].tolist() == [texts.get(rows), None]
    assert arff.weights is None


def test_escapes_are_those_of_the_expressions(write):
    letters = np.array(list("\\\\\\'\"%,nrtab "))
    rng = np.random.default_rng(0)
    newlines = {"n": "\n", "r": "\r", "t": "\t"}
    texts = ["".join(rng.choice(letters, rng.integers(9))) for _ in range(3000)]
    texts = [text for text in texts if re.fullmatch(r"(?:[^'\\]|\\.)*", text)]
    rows = "".join(f"'{text}',1\n" for text in texts)
    table = read_arff(write(x_arff=f"@relation r\n@attribute a string\n@attribute b numeric\n@data\n{rows}"))
    expected = [re.sub(r"\\(.)", lambda match: newlines.get(match[1], match[1]), text) for text in texts]
    assert len(texts) > 1000
    assert table.metas[:, 0].tolist() == expected


def outcome(path):
    """All that is read, or the refusal after the name of the file and the line."""
    try:
        arff = parse(path)
    except ValueError as error:
        return str(error).partition(", column")[2]
    values = arff.values.toarray() if sparse.issparse(arff.values) else arff.values
    weights = np.ones(len(values)) if arff.weights is None else arff.weights
    texts = {j: column.tolist() for j, column in arff.texts.items()}
    return [[values[i].tolist(), {j: texts[j][i] for j in texts}, weights[i]] for i in range(len(values))]


def random_rows(rng, parts, is_sparse):
    """One to three rows of one to three cells, most of which can be read."""
    p = int(rng.integers(1, 4))
    rows = []
    for _ in range(rng.integers(1, 4)):
        cells = [
            "".join(rng.choice(parts, rng.integers(1, 4))) if rng.random() < 0.3 else rng.choice(parts[:6])
            for _ in range(p)
        ]
        if is_sparse:
            cells = [f"{j} {cell}" for j, cell in enumerate(cells) if rng.random() < 0.8]
        row = rng.choice([",", ", "] if is_sparse else [",", ", ", " , ", " "]).join(cells)
        row += rng.choice(["", "", "", ",", " % c, d", ",{2}", " "])
        if is_sparse:
            row = "{" + row + "}" + rng.choice(["", "", ",{3}", " % }", "{1} % {"])
        rows.append(row.strip())
    return p, [row for row in rows if row and row[0] != "%"]


@pytest.mark.parametrize("is_sparse", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize("seed", range(2))
def test_many_rows_are_read_as_one_by_one(is_sparse, seed, write):
    """The rows of a file are those of files with one row each, or its refusal is that of the first wrong one."""
    kinds = ["a numeric", "b {x,1,'y z',0}", "c string"]
    rng = np.random.default_rng(seed)
    parts = ["1", "x", "'y z'", '"1"', "?", "'?'", " ", "%", "\\", ",", ",", "'", '"', "\\,", "{2}", "}", "-", "_"]
    agreed = 0
    for _ in range(150):
        p, rows = random_rows(rng, parts, is_sparse)
        if not rows:
            continue
        chosen = rng.permutation(3)[:p]
        head = "@relation r\n" + "".join(f"@attribute {kinds[j]}\n" for j in chosen) + "@data\n"
        together = outcome(write(x_arff=head + "\n".join(rows) + "\n"))
        single = [outcome(write(x_arff=head + row + "\n")) for row in rows]
        refusals = [each for each in single if isinstance(each, str)]
        if refusals:
            assert together == refusals[0] or "is not closed" in refusals[0]  # but goes on in the next line
        else:
            np.testing.assert_equal(together, [row for each in single for row in each])
            agreed += 1
    assert agreed > 20
