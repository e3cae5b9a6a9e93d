"""Numbers in words."""

import pytest

from orangecontrib.reliefe.words import counted, percent, sentence


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
