"""Rankings in CLUS's .fimp files."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from Orange.data import Table

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.io import read_fimp, write_fimp

HEADING = "attributeDatasetIndex\tattributeName\t[oneRank, twoRank]\t[one, two]"
TEXT = "\n".join(
    [
        "Ranking method: made up",
        "Ensemble size: 10",
        HEADING,
        "-" * len(HEADING),
        "3\tc\t[1, 3]\t[0.5, -Infinity]",
        "1\ta b\t[2, 1]\t[2.5E-3, 7.0]",
        "2\tb\t[2, 2]\t[2.5E-3, NaN]",
        "",
    ]
)


@pytest.fixture
def fimp(tmp_path):
    """A function that writes a text and gives the path."""

    def write(text: str) -> Path:
        path = tmp_path / "x.fimp"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_reading(fimp):
    read = read_fimp(fimp(TEXT))
    assert read.names == ("c", "a b", "b")
    assert read.titles == ("one", "two")
    assert read.description == ("Ranking method: made up", "Ensemble size: 10")
    assert read.indices.tolist() == [2, 0, 1]
    np.testing.assert_array_equal(read.scores, [[0.5, 0.0025, 0.0025], [-np.inf, 7, np.nan]])


def test_reading_without_indices_and_ranks(fimp):
    read = read_fimp(fimp("any\nattributeName\t[one,two]\n----------------------\na\t[1.0, 2.0]\n7\t[3.0, 4]\n"))
    assert read.names == ("a", "7")
    assert read.indices.tolist() == [0, 1]
    np.testing.assert_array_equal(read.scores, [[1, 3], [2, 4]])


def test_writing(tmp_path):
    scores = {"one": [0.1, 0.3, 0.1 + 1e-13, np.nan], "two": np.array([4, 2, np.inf, 1])}
    write_fimp(tmp_path / "x.fimp", list("abcd"), scores, description=["Ranking method: made up"])
    lines = (tmp_path / "x.fimp").read_text().split("\n")
    assert lines[:3] == ["Ranking method: made up", HEADING, "-" * len(HEADING)]
    assert lines[3:] == [
        "2\tb\t[1, 3]\t[0.3, 2.0]",
        "1\ta\t[2, 2]\t[0.1, 4.0]",
        f"3\tc\t[2, 1]\t[{0.1 + 1e-13!r}, Infinity]",
        "4\td\t[4, 4]\t[NaN, 1.0]",
        "",
    ]


def test_the_order_and_indices_of_the_data(tmp_path):
    write_fimp(tmp_path / "x.fimp", ["a", "b"], {"s": [1, 2]}, indices=[4, 0], sort=False)
    read = read_fimp(tmp_path / "x.fimp")
    assert read.names == ("a", "b")
    assert read.indices.tolist() == [4, 0]


def test_a_ranking(tmp_path):
    table = Table("iris")
    ranking = rank(table.X, table.Y, "relieff")
    names = [variable.name for variable in table.domain.attributes]
    write_fimp(tmp_path / "x.fimp", names, {ranking.method: ranking.scores})
    read = read_fimp(tmp_path / "x.fimp")
    assert read.names == tuple(names[j] for j in ranking.ranking)
    np.testing.assert_array_equal(read.scores[0], ranking.scores[ranking.ranking])
    np.testing.assert_array_equal(read.indices, ranking.ranking)


NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1)
TITLES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"], exclude_characters=",[]"), min_size=1)


@given(st.lists(NAMES, max_size=5), st.dictionaries(TITLES, st.just(0), min_size=1, max_size=3), st.data())
@settings(max_examples=60, deadline=None)
def test_what_is_written_is_read_again(names, titles, data):
    column = st.lists(st.floats(), min_size=len(names), max_size=len(names))
    scores = {title: data.draw(column) for title in titles}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.fimp"
        write_fimp(path, names, scores, sort=False)
        read = read_fimp(path)
    assert read.names == tuple(names)
    assert read.titles == tuple(titles)
    np.testing.assert_array_equal(read.scores, np.array(list(scores.values()), dtype=float).reshape(len(titles), -1))


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "x.fimp ends at line 0 without a heading that is underlined by dashes"),
        ("a\nb\n", "it is no .fimp or is cut off"),
        ("one\n-------\n", "x.fimp, line 1, column 1: names and, in brackets, scores are expected"),
        (TEXT.replace("[0.5, -Infinity]", "[0.5]"), "x.fimp, line 5, column 1: the row has 1 scores, but there are 2"),
        (TEXT.replace("7.0]", "seven]"), "x.fimp, line 6, column 14: these scores are no numbers: 2.5E-3, seven"),
        (TEXT.replace("NaN]", "Na"), "x.fimp, line 7, column 1: names and, in brackets, scores"),
        (
            TEXT.replace("3\tc", "x\tc"),
            "x.fimp, line 5, column 1: the number of an attribute, from 1, is expected, not 'x'",
        ),
    ],
)
def test_bad_files(fimp, text, message):
    with pytest.raises(ValueError, match=message):
        read_fimp(fimp(text))


@pytest.mark.parametrize(
    "names, scores, indices, message",
    [
        (["a"], {}, None, "there are no scores to write"),
        (["a"], {"s": [1, 2]}, None, r"1 names need as many scores; 's' has the shape \(2,\)"),
        (["a"], {"s": [1]}, [1, 2], "1 names need as many indices, not 2"),
        (["a\tb"], {"s": [1]}, None, "the name 'a.*b' is empty or has a character that separates"),
        (["a"], {"s,t": [1]}, None, "the title 's,t'"),
        (["a"], {"": [1]}, None, "the title ''"),
    ],
)
def test_bad_rankings(tmp_path, names, scores, indices, message):
    with pytest.raises(ValueError, match=message):
        write_fimp(tmp_path / "x.fimp", names, scores, indices=indices)
    assert not list(tmp_path.iterdir())
