"""Numbers in words."""

import csv
import io
from functools import reduce

import numpy as np
import pytest

from orangecontrib.reliefe.core.words import (
    cell,
    choices,
    counted,
    cut,
    of_cell,
    percent,
    sentence,
    shown,
    some,
    xml_text,
)


@pytest.mark.parametrize("n, text", [(0, "0 rows"), (1, "1 row"), (2000, "2,000 rows")])
def test_counted(n, text):
    assert counted(n, "row") == text


def test_counted_with_an_own_plural():
    assert [counted(n, "value stays", "values stay") for n in (1, 2)] == ["1 value stays", "2 values stay"]


@pytest.mark.parametrize("share, digits, text", [(0.95, 0, "95 %"), (1, 0, "100 %"), (0.0123, 1, "1.2 %")])
def test_percent(share, digits, text):
    assert percent(share, digits) == text


def test_sentence():
    assert [sentence(text) for text in ("", "at least two rows", "URelief")] == ["", "At least two rows", "URelief"]
    assert sentence("genes.mtx has 8 rows") == "genes.mtx has 8 rows"
    assert sentence("none. Empty these") == "None. Empty these"


@pytest.mark.parametrize("value, text", [(3, "3"), ("a", "'a'"), ([1, 2], "[1, 2]"), ({"a": 1.5}, "{'a': 1.5}")])
def test_shown(value, text):
    assert shown(value) == text


@pytest.mark.parametrize("value", [
    "x" * 10**6, list(range(10**5)), dict.fromkeys(range(10**5)), np.zeros((100, 100)), 10**10**5, {"a" * 1000},
    reduce(lambda inner, _: [inner], range(10**5), [])], ids=type)  # fmt: skip
def test_what_is_shown_is_short(value):
    assert 0 < len(shown(value)) <= 80
    assert "\n" not in shown(value)


def test_shown_of_what_has_no_text():
    class Silent:
        def __repr__(self):
            raise RecursionError

    assert "Silent" in shown(Silent())


def test_some():
    assert [some("abcd"[:n]) for n in range(5)] == ["", "a", "a, b", "a, b, c", "a, b, c and 1 more"]


def test_few_choices_are_all_listed():
    names = [f"name{i}" for i in range(12)]
    assert choices("x", names) == "choose from " + ", ".join(names)
    assert choices(3, ["a b", "c"], shown) == "choose from 'a b', 'c'"
    assert choices("x", []) == "choose from nothing"


def test_of_many_choices_the_nearest_are_listed():
    names = [f"gene{i}" for i in range(20_000)] + ["BRCA1", "BRCA2", "TP53"]
    assert choices("brca1", names) == "choose from BRCA1, BRCA2 (the nearest of 20,003)"
    assert choices("tp53", names, shown).startswith("choose from 'TP53'")
    for given in ("?", 3, None, "x" * 10**6):
        assert choices(given, names) == "choose from gene0, gene1, gene2 (the first of 20,003)"


@pytest.mark.parametrize("n", [12, 13])
def test_choices_are_short(n):
    assert len(choices("x", ["x" * 10**5 + str(i) for i in range(n)], shown)) < 800


def test_cut():
    assert cut("a" * 80) == "a" * 80
    assert cut("a" * 81) == "a" * 77 + "..."
    assert cut("a" * 100, 10) == "aaaaaaa..."


def test_text_of_xml():
    assert xml_text("a<b&\x00\ud800é") == "a&lt;b&amp;??é"


@pytest.mark.parametrize("text", ["=1+1", "+x", "-x", "@SUM(A1)", "\t=1", "'=1", "''+x", "\uff1d1+1"])
def test_no_cell_is_a_formula(text):
    assert cell(text) == f"'{text}"
    assert of_cell(cell(text)) == text


def test_no_cell_ends_a_row():
    file = io.StringIO(newline="")
    csv.writer(file, lineterminator="\n").writerow([cell("a\rb"), cell("c\r\nd"), "e"])
    assert [*csv.reader(io.StringIO(file.getvalue(), newline=""))] == [["a\nb", "c\nd", "e"]]


@pytest.mark.parametrize("text", ["", "a=1", "-0.5", "+1e3", "'quoted'", "\u22122"])
def test_other_cells_stay(text):
    assert cell(text) == of_cell(text) == text
