"""Numbers in words."""

from functools import reduce

import numpy as np
import pytest

from orangecontrib.reliefe.core.words import cell, counted, cut, nearest, of_cell, percent, sentence, shown, xml_text


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


def test_cut():
    assert cut("a" * 80) == "a" * 80
    assert cut("a" * 81) == "a" * 77 + "..."
    assert cut("a" * 100, 10) == "aaaaaaa..."


def test_nearest_names_whatever_their_case():
    assert nearest("heigth", ["weight", "Height", "age"]) == ["Height", "weight"]
    assert nearest("zzz", ["weight", "Height"]) == []


def test_text_of_xml():
    assert xml_text("a<b&\x00\ud800é") == "a&lt;b&amp;??é"


@pytest.mark.parametrize("text", ["=1+1", "+x", "-x", "@SUM(A1)", "\t=1", "'=1", "''+x"])
def test_no_cell_is_a_formula(text):
    assert cell(text) == f"'{text}"
    assert of_cell(cell(text)) == text


@pytest.mark.parametrize("text", ["", "a=1", "-0.5", "+1e3", "'quoted'", "\u22122"])
def test_other_cells_stay(text):
    assert cell(text) == of_cell(text) == text
