"""The table of a ranking in a notebook: its cells are those of the frame, and it brings no script and no colours."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pandas as pd
import pytest
from Orange.data import Table

from orangecontrib.reliefe import rank
from orangecontrib.reliefe.core import rank as rank_arrays

MARKUP = "<b>x</b>&"


def features(n=60, p=30, seed=0):
    random = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = pd.DataFrame(random.normal(size=(n, p)), columns=[f"gene {j}" for j in range(p - 1)] + [MARKUP])
    X[MARKUP] += 3 * y
    return X, y


def table_of(ranking):
    """Titles, cells and bars of the output, which is well-formed."""
    root = ElementTree.fromstring(ranking._repr_html_())
    titles = [cell.text for cell in root.iter("th")]
    rows = ["".join(cell.itertext()) for cell in root.iter("td")]
    cells = [rows[start : start + len(titles)] for start in range(0, len(rows), len(titles))]
    bars = [cell for cell in root.iter("span") if "bar" in cell.get("class", "")]
    return root, titles, cells, bars


@pytest.fixture(scope="module")
def tested():
    X, y = features()
    return rank_arrays(X, y, "multisurf", significance=9)


def test_cells_are_those_of_the_frame(tested):
    _, titles, cells, _ = table_of(tested)
    frame = tested.to_frame().head(20)
    assert titles == ["rank", "feature", "score", "p", "q", "kind"]
    assert [row[1] for row in cells] == frame["feature"].tolist()
    assert [row[5] for row in cells] == frame["kind"].tolist()
    for place, title in (2, "score"), (3, "p"), (4, "q"):
        np.testing.assert_allclose([float(row[place]) for row in cells], frame[title], rtol=6e-3)


def test_bars_are_as_long_as_scores(tested):
    _, _, _, bars = table_of(tested)
    scores = tested.scores[tested.ranking[:20]]
    widths = [float(bar.get("style").removeprefix("width:").removesuffix("%")) for bar in bars]
    np.testing.assert_allclose(widths, 100 * np.abs(scores) / np.abs(scores).max(), atol=0.06)
    assert ["negative" in bar.get("class") for bar in bars] == (scores < 0).tolist()


def test_the_rest_is_counted():
    X, y = features()
    assert "10 further features" in rank_arrays(X, y, "relieff")._repr_html_()
    assert "1 further feature<" in rank_arrays(X.iloc[:, :21], y, "relieff")._repr_html_()
    few = rank_arrays(X.iloc[:, :20], y, "relieff")
    assert "further" not in few._repr_html_()
    assert len(table_of(few)[2]) == 20


def test_markup_stays_text(tested):
    root, _, cells, _ = table_of(tested)
    assert cells[0][1] == MARKUP
    assert not list(root.iter("b"))
    assert not list(root.iter("script"))
    assert not [element for element in root.iter() if element.get("id")]  # many outputs share a page


def test_colours_are_those_of_the_notebook(tested):
    root, *_ = table_of(tested)
    style = next(root.iter("style")).text
    assert "color-scheme" not in style
    assert "\nbody" not in style
    rules = [line for line in style.splitlines() if "{" in line]
    assert all(rule.startswith(".ranking") for rule in rules)


def test_warnings_and_groups():
    X, y = features(p=6)
    grouped = rank_arrays(X, y, "relieff", feature_groups=["a", "a", "b", "b", "b", None])
    _, titles, cells, _ = table_of(grouped)
    assert titles == ["rank", "group", "score", "features"]
    members = dict(row[1::2] for row in cells)
    assert members["a"] == "gene 0, gene 1"
    X["gene 0"] = 1.0
    constant = rank_arrays(X, y, "relieff")
    for warning in constant.info["warnings"]:
        assert warning in "".join(table_of(constant)[0].itertext())


def test_tables_of_orange_have_names_of_variables():
    ranking = rank(Table("iris"), "relieff")
    assert [row[1] for row in table_of(ranking)[2]] == [variable.name for variable in ranking.best(4)]


def test_without_names_and_scores():
    constant = rank_arrays(np.ones((20, 2)), np.arange(20) % 2, "relieff")
    _, _, cells, bars = table_of(constant)
    assert [row[1] for row in cells] == ["feature 0", "feature 1"]
    assert [bar.get("style") for bar in bars] == ["width:0.0%"] * 2
