"""Tooltips of the list of methods."""

from orangecontrib.reliefe.core import METHODS
from orangecontrib.reliefe.orange.ranker.listed_methods import method_tooltip


def test_tooltips_tell_what_a_method_can():
    assert "Finds interactions, differences of counts; time n^2 p" in method_tooltip(METHODS["multisurf"])
    assert "No interactions; time p n log n" in method_tooltip(METHODS["mutualinfo"])
    assert "Interactions as its core" in method_tooltip(METHODS["turf"])
