"""Figures of rankings and of networks by matplotlib, their captions, and their files."""

import numpy as np
import pytest
from Orange.data import Table

from orangecontrib.reliefe import partners as table_partners
from orangecontrib.reliefe.core import partners, rank, save_figure

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")

NAMES = [f"gene {j}" for j in range(8)]


@pytest.fixture(scope="module")
def ranked():
    random = np.random.default_rng(0)
    X = random.normal(size=(80, 8))
    y = (X[:, 0] + X[:, 3] > 0).astype(int)
    return rank(X, y, "multisurf", names=NAMES, significance=30), rank(X, y, "relieff", names=NAMES)


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    from matplotlib import pyplot

    pyplot.close("all")


def points(axes):
    """Points of all colours (p, 2), sorted by x and y."""
    offsets = np.concatenate([np.asarray(collection.get_offsets()) for collection in axes.collections])
    return offsets[np.lexsort(offsets.T[::-1])]


def names_in(axes):
    return [text.get_text() for text in axes.texts]


def test_p_values(ranked):
    ranking, _ = ranked
    axes = ranking.plot(kind="p-values")
    expected = np.column_stack([ranking.scores, -np.log10(ranking.significance.p)])
    np.testing.assert_allclose(points(axes), expected[np.lexsort(expected.T[::-1])])
    assert names_in(axes)[0] == ranking.best(1)[0]
    assert set(names_in(axes)) <= set(NAMES)
    coloured = len(axes.collections[1].get_offsets())
    assert coloured == np.count_nonzero(ranking.significance.q <= 0.1) > 0
    assert "80 rows" in ranking.caption("p-values")
    assert "30 permuted targets" in ranking.caption("p-values")


def test_quantiles(ranked):
    ranking, _ = ranked
    axes = ranking.plot(kind="quantiles")
    expected = np.column_stack([-np.log10(np.arange(8, 0, -1) / 9), np.sort(-np.log10(ranking.significance.p))])
    np.testing.assert_allclose(points(axes), expected)


def test_names_do_not_lie_upon_each_other():
    """All points of these features have the smallest p."""
    random = np.random.default_rng(0)
    y = np.arange(80) % 2
    ranking = rank(y[:, None] + 0.1 * random.normal(size=(80, 6)), y, "relieff", significance=20)
    axes = ranking.plot(kind="p-values")
    axes.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in axes.texts]
    assert boxes
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])


def test_comparison(ranked):
    first, second = ranked
    axes = first.plot(kind="comparison", other=second)
    places = [(k + 1, second.ranking.tolist().index(item) + 1) for k, item in enumerate(first.ranking)]
    np.testing.assert_array_equal(points(axes), places)
    assert first.caption("comparison", other=second) == (
        "Ranks of 8 features by MultiSURF for 0 and 1 in 80 rows, and by ReliefF. Rank 1 is best."
    )


def test_axes_of_the_caller_are_drawn_on(ranked):
    from matplotlib import pyplot

    _, (left, right) = pyplot.subplots(1, 2)
    assert ranked[0].plot(3, ax=left) is left
    assert [label.get_text() for label in left.get_yticklabels()] == [*ranked[0].best(3)]
    assert ranked[0].plot(kind="quantiles", ax=right) is right


def test_letters_of_a_file_stay_text(ranked, tmp_path):
    save_figure(ranked[0].plot(3), tmp_path / "scores.svg")
    text = (tmp_path / "scores.svg").read_text(encoding="utf-8")
    assert f">{ranked[0].best(1)[0]}</text>" in text
    save_figure(ranked[0].plot(3), tmp_path / "scores.png", dpi=50)
    assert (tmp_path / "scores.png").stat().st_size > 1000


def test_network():
    random = np.random.default_rng(1)
    X = random.integers(0, 2, (150, 5)).astype(float)
    y = (X[:, 1] != X[:, 3]).astype(int)
    found = partners(X, y, features=range(5), n_shuffles=10)
    assert (1, 3) in [edge[:2] for edge in found.edges]
    axes = found.plot(["a", "b", "c", "d", "e"])
    assert {"b", "d"} <= set(names_in(axes))
    assert len(axes.lines) == len(found.edges)
    assert repr(found).startswith("Partners(5 features, ")
    assert f"with z above {found.level:.3g}" in repr(found)
    with pytest.raises(ValueError, match="at least 4, not 2"):
        found.plot(["a", "b"])
    of_table = table_partners(Table.from_numpy(None, X, y), features=["Feature 2", "Feature 4"], n_shuffles=5)
    assert set(names_in(of_table.plot())) <= {"Feature 2", "Feature 4"}


def test_bad_input(ranked):
    first, second = ranked
    with pytest.raises(ValueError, match="unknown kind 'score'; choose from scores"):
        first.plot(kind="score")
    with pytest.raises(ValueError, match=r"needs p-values: call rank\(..., significance=True\)"):
        second.plot(kind="p-values")
    with pytest.raises(TypeError, match=r"save_figure\(ranking\.plot\(\), path\)"):
        save_figure(first, "scores.svg")
    with pytest.raises(ValueError, match="needs another ranking"):
        first.caption("comparison")
    other = rank(np.random.default_rng(0).normal(size=(20, 3)), np.arange(20) % 2, "relieff")
    with pytest.raises(ValueError, match="of the same features"):
        first.plot(kind="comparison", other=other)
