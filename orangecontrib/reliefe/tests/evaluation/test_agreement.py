"""Agreement of rankings: golden values, slow twins, bounds and symmetries, ties, the matrix of every two."""

import json
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orangecontrib.reliefe.core import Ranking, evaluation
from orangecontrib.reliefe.core.evaluation import (
    AGREEMENTS,
    QualityCurve,
    changes,
    compare,
    compare_curves,
    compare_sizes,
    fuji,
    mean_kuncheva,
    nogueira,
)
from orangecontrib.reliefe.tests.naive import agreement as naive
from orangecontrib.reliefe.tests.samples import examples

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "agreement.json").read_text())
EXAMPLES = examples(40, 40)
SEEDS = st.integers(0, 2**32 - 1)
OF_SETS = [name for name, known in AGREEMENTS.items() if known.curve is not None]
CORRELATIONS = [name for name, known in AGREEMENTS.items() if known.curve is None]


def two(seed, p=None):
    """Scores with ties, negative ones, and ones of very different sizes."""
    rng = np.random.default_rng(seed)
    p = int(rng.integers(2, 30)) if p is None else p
    out = rng.integers(-3, 12, (2, p)).astype(float)
    out[:, rng.random(p) < 0.3] *= 10.0 ** -rng.integers(0, 9)
    return out


# ---- golden values


def test_fuji_golden():
    known = GOLDEN["fuji"]
    a, b = known["a"], known["b"]
    assert compare_sizes([a, b])[:, 0, 1] == pytest.approx(known["curve"], abs=1e-12)
    assert fuji(a, b) == pytest.approx(known["area"], abs=1e-12)
    assert compare_sizes([a, b], "jaccard")[:, 0, 1] == pytest.approx(known["jaccard"], abs=1e-12)
    assert [naive.fuji(a, b, size) for size in range(1, 6)] == pytest.approx(known["curve"], abs=1e-12)


def test_other_golden_values():
    known = GOLDEN["kuncheva"]
    assert evaluation.kuncheva(known["a"], known["b"], known["size"]) == pytest.approx(known["expect"], abs=1e-12)
    known = GOLDEN["weighted_kendall"]
    assert evaluation.weighted_kendall(known["a"], known["b"]) == pytest.approx(known["expect"], abs=1e-6)
    known = GOLDEN["rbo"]
    assert evaluation.rbo(known["a"], known["b"]) == pytest.approx(known["expect"], abs=1e-12)
    assert evaluation.rbo(known["a"], known["a"][::-1]) == pytest.approx(known["reversed"], abs=1e-6)


# ---- twins


@EXAMPLES
@given(SEEDS)
@pytest.mark.parametrize("measure", OF_SETS)
def test_curves_are_those_of_the_twin(measure, seed):
    a, b = two(seed)
    expected = [getattr(naive, measure)(a, b, size) for size in range(1, len(a) + 1)]
    np.testing.assert_allclose(compare_sizes([a, b], measure)[:, 0, 1], expected, rtol=1e-9, atol=1e-12)


@EXAMPLES
@given(SEEDS)
@pytest.mark.parametrize("measure", CORRELATIONS)
def test_correlations_are_those_of_the_twin(measure, seed):
    a, b = two(seed)
    expected = getattr(naive, measure)(a, b)
    assert AGREEMENTS[measure].function(a, b) == pytest.approx(expected, abs=1e-9, nan_ok=True)


@EXAMPLES
@given(SEEDS)
def test_small_scores_after_large_ones_keep_their_digits(seed):
    a, b = 10.0 ** -np.random.default_rng(seed).uniform(0, 7, (2, 25))
    expected = [naive.fuji(a, b, size) for size in range(1, 26)]
    np.testing.assert_allclose(compare_sizes([a, b])[:, 0, 1], expected, rtol=1e-12)


# ---- properties


@EXAMPLES
@given(SEEDS)
def test_bounds(seed):
    curves = {measure: compare_sizes(two(seed), measure)[:, 0, 1] for measure in OF_SETS}
    assert np.all(curves["fuji"] >= curves["jaccard"] - 1e-12)
    assert np.all(curves["overlap"] >= curves["jaccard"] - 1e-12)
    for measure in ("fuji", "jaccard", "overlap", "rbo"):
        assert curves[measure].min() >= 0
        assert curves[measure].max() <= 1
    for measure in ("fuji", "jaccard", "overlap", "kuncheva"):
        assert curves[measure][-1] == 1


@EXAMPLES
@given(SEEDS)
@pytest.mark.parametrize("measure", AGREEMENTS)
def test_symmetry_and_scale(measure, seed):
    a, b = two(seed)
    function = AGREEMENTS[measure].function
    assert function(a, b) == pytest.approx(function(b, a), abs=1e-12, nan_ok=True)
    assert function(a * 7, b / 3) == pytest.approx(function(a, b), abs=1e-9, nan_ok=True)


@EXAMPLES
@given(SEEDS)
@pytest.mark.parametrize("measure", AGREEMENTS)
def test_order_of_features_does_not_matter(measure, seed):
    rng = np.random.default_rng(seed)
    a, b = rng.permutation(np.arange(20.0)), rng.permutation(np.arange(20.0))
    order = rng.permutation(20)
    function = AGREEMENTS[measure].function
    assert function(a[order], b[order]) == pytest.approx(function(a, b), abs=1e-12)
    assert function(a, a) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("measure", CORRELATIONS)
def test_correlation_with_equal_scores_only(measure):
    assert np.isnan(AGREEMENTS[measure].function([1, 1, 1], [1, 2, 3]))


@pytest.mark.parametrize("measure", ["jaccard", "overlap", "kuncheva"])
def test_areas_and_sizes(measure):
    a, b = two(3, 16)
    function, curve = AGREEMENTS[measure].function, compare_sizes([a, b], measure)[:, 0, 1]
    assert function(a, b) == pytest.approx(np.mean((curve[1:] + curve[:-1]) / 2))
    assert function(a, b, 4) == curve[3]
    assert function(a, b, [1, 4, 16]) == pytest.approx((curve[0] / 2 + curve[3] + curve[15] / 2) / 2)


def test_few_sizes_are_part_of_all():
    a, b = two(8, 29)
    sizes = [1, 2, 4, 8, 16, 29]
    assert np.array_equal(
        compare_sizes([a, b], "fuji", sizes)[:, 0, 1].round(12),
        compare_sizes([a, b])[np.array(sizes) - 1, 0, 1].round(12),
    )


def test_scores_equal_but_for_rounding_come_by_index():
    a = [0.1 + 0.2, 0.3, 0.1]
    assert fuji(a, [0.3, 0.1 + 0.2, 0.1]) == 1
    assert evaluation.jaccard([0.3, 0.1 + 0.2, 0.1], [1, 0, 0], 1) == 1


def test_lists_without_a_positive_score():
    assert fuji([0, 0, 0], [0, 0, 0]) == 1
    assert fuji([-3, -1, -2], [-1, -2, -3]) == 1
    assert fuji([1.0], [-1.0]) == 1


def test_random_sets_agree_by_chance_only():
    rng = np.random.default_rng(0)
    found = [evaluation.kuncheva(rng.random(50), rng.random(50), 10) for _ in range(300)]
    assert abs(np.mean(found)) < 0.03


# ---- every two


@pytest.mark.parametrize("measure", AGREEMENTS)
def test_matrix(measure):
    lists = np.random.default_rng(1).normal(size=(4, 12))
    matrix = compare(lists, measure)
    assert np.array_equal(matrix, matrix.T)
    assert np.array_equal(np.diag(matrix), np.ones(4))
    assert matrix[0, 3] == pytest.approx(AGREEMENTS[measure].function(lists[0], lists[3]), abs=1e-12)


@pytest.mark.parametrize("measure", OF_SETS)
def test_matrix_at_a_size(measure):
    lists = np.random.default_rng(1).normal(size=(3, 12))
    known = AGREEMENTS[measure].function(lists[0], lists[1], 5)
    assert compare(lists, measure, 5)[0, 1] == pytest.approx(known, abs=1e-12)
    assert compare_sizes(lists, measure, [2, 5])[1] == pytest.approx(compare(lists, measure, 5), abs=1e-12)


def test_what_has_scores_can_be_compared():
    a, b = two(5, 9)
    assert compare([SimpleNamespace(scores=a), SimpleNamespace(scores=b)])[0, 1] == fuji(a, b)


def test_no_or_one_ranking():
    assert compare([]).shape == (0, 0)
    assert compare([[1, 2]]).tolist() == [[1]]
    assert compare_sizes([[1, 2]]).shape == (2, 1, 1)


# ---- stability


@EXAMPLES
@given(SEEDS)
def test_nogueira_is_that_of_the_twin(seed):
    rng = np.random.default_rng(seed)
    chosen = rng.random((rng.integers(2, 8), rng.integers(2, 9))) < 0.5
    chosen[0, 0], chosen[-1, -1] = True, False
    found, (value, variance) = nogueira(chosen), naive.nogueira(chosen.astype(float))
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.variance == pytest.approx(variance, abs=1e-12)
    assert found.low + found.high == pytest.approx(2 * value, abs=1e-12)
    assert found.high - value == pytest.approx(1.959963984540054 * np.sqrt(variance), abs=1e-9)


def test_nogueira_of_sets_of_one_size_is_that_of_kuncheva():
    lists = np.random.default_rng(4).random((5, 12))
    chosen = np.array([np.isin(np.arange(12), np.argsort(-row)[:4]) for row in lists])
    assert nogueira(chosen).value == pytest.approx(mean_kuncheva(lists, 4), abs=1e-12)


@pytest.mark.parametrize("row, value", [([1, 0, 1], 1), ([0, 0, 0], 1), ([1, 1, 1], 1)])
def test_selections_that_never_change(row, value):
    found = nogueira([row] * 4)
    assert (found.value, found.low, found.high) == pytest.approx((value,) * 3)


def test_interval_holds_the_value_of_many_samples():
    rng, shares = np.random.default_rng(6), np.r_[np.full(5, 0.9), np.full(20, 0.1)]
    truth = nogueira(rng.random((20000, 25)) < shares).value
    found = [nogueira(rng.random((60, 25)) < shares) for _ in range(300)]
    assert 0.9 < np.mean([one.low <= truth <= one.high for one in found]) < 0.985


# ---- bad input


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: fuji([1, 2], [1, 2, 3]), "same features, not 2 and 3"),
        (lambda: evaluation.spearman([1, 2], [1, 2, 3]), "same features, not 2 and 3"),
        (lambda: fuji([1, np.nan], [1, 2]), "finite scores"),
        (lambda: fuji([], []), "p > 0"),
        (lambda: fuji([[1, 2]], [[1, 2]]), "not of shape"),
        (lambda: fuji([1, 2], [1, 2], [2, 1]), "ascending"),
        (lambda: fuji([1, 2], [1, 2], 1.5), "integers"),
        (lambda: compare([[1, 2]], sizes=3), "from 1 to the 2 features, not 3"),
        (lambda: compare([[1, 2]], "tau"), "unknown measure 'tau'; choose from fuji"),
        (lambda: compare([[1, 2], [1, 2]], "kendall", 1), "kendall compares all features"),
        (lambda: compare_sizes([[1, 2], [1, 2]], "kendall"), "measures that take sizes are fuji"),
        (lambda: compare_sizes([]), "no rankings"),
        (lambda: evaluation.rbo([1, 2], [1, 2], persistence=1), "between 0 and 1, not 1"),
        (lambda: nogueira([[1, 0]]), "samples, features"),
        (lambda: nogueira([[1, 0], [np.nan, 1]]), "unknown values"),
        (lambda: nogueira([[1, 0], [0, 1]], level=1), "level must be"),
        (lambda: mean_kuncheva([[1, 2]], 1), "at least 2 rankings"),
        (lambda: compare(sparse.bsr_array(np.eye(4)), "fuji"), "rankings must be a sequence"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


# ---- what came and went

LISTS = st.permutations(range(8)).flatmap(lambda names: st.integers(1, 8).map(lambda n: names[:n]))


@EXAMPLES
@given(LISTS, LISTS, st.integers(1, 9))
def test_changes_are_those_of_the_twin_in_their_order(before, now, n):
    found = changes(before, now, n)
    assert tuple(map(set, (found.new, found.gone, found.moved))) == naive.changes(before, now, n)
    assert [move.now for move in found.new] == sorted(move.now for move in found.new)
    assert [move.before for move in found.gone] == sorted(move.before for move in found.gone)
    sizes = [(-abs(move.before - move.now), move.now) for move in found.moved]
    assert sizes == sorted(sizes)
    back = changes(now, before, n)
    assert [(move.feature, move.now, move.before) for move in back.gone] == list(found.new)
    assert {(move.feature, move.now, move.before) for move in back.moved} == set(found.moved)
    other = changes([(3 * f) % 8 for f in before], [(3 * f) % 8 for f in now], n)
    assert [(3 * move.feature) % 8 for move in found.new + found.moved] == [m.feature for m in other.new + other.moved]


def test_changes_of_rankings_and_names():
    ranking = Ranking(np.array([1.0, 3, 2]), "relieff", names=("a", "b", "c"))
    found = changes(["a", "b", "d"], ranking)
    assert found.new == (("c", None, 2),)
    assert found.gone == (("d", 3, None),)
    assert found.moved == (("a", 1, 3), ("b", 2, 1))
    assert changes([0, 1], Ranking(np.array([1.0, 3]), "relieff")).moved == ((1, 2, 1), (0, 1, 2))


@pytest.mark.parametrize(
    ("before", "now", "n", "text"),
    [
        (["a"], [], None, "now must have at least one feature"),
        (["a", "b", "a"], ["a"], None, "before has 'a' twice"),
        (["a"], [0], None, "both have names"),
        (["a"], ["a"], 0, "n must be at least 1"),
        ("ab", ["a"], None, "before must be a sequence"),
        ([1.5], ["a"], None, "each feature of before must be an integer"),
    ],
)
def test_lists_that_cannot_be_compared(before, now, n, text):
    with pytest.raises((ValueError, TypeError), match=text):
        changes(before, now, n)


def a_curve(values, whole=0.5, sizes=(1, 2, 4, 8), measure="accuracy", higher_is_better=True):
    """Curve of two folds of unequal size with the same values."""
    return QualityCurve(
        np.array(sizes), np.array([values] * 2), np.full(2, whole), np.array([10, 20]), measure, higher_is_better
    )


def test_curves_of_quality_are_compared_by_fuji():
    """Items are the numbers of features, scores the relative quality there, in plain loops."""
    rng = np.random.default_rng(0)
    curves = [a_curve(rng.random(4), whole) for whole in (0.5, 0.9, 0.3)]
    found = compare_curves(curves)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        a, b = curves[i].relative.tolist(), curves[j].relative.tolist()
        at_sizes = [naive.fuji(a, b, size) for size in range(1, 5)]
        area = sum((left + right) / 2 for left, right in pairwise(at_sizes)) / 3
        assert found[i, j] == pytest.approx(area)
        assert found[j, i] == found[i, j]
    assert np.diag(found).tolist() == [1, 1, 1]
    same_shape = a_curve(curves[0].mean / 2, whole=0.0)
    assert compare_curves([curves[0], same_shape])[0, 1] == pytest.approx(1)
    assert compare_curves([]).shape == (0, 0)


@pytest.mark.parametrize(
    ("other", "text"),
    [
        (a_curve(np.ones(4), higher_is_better=False, measure="rrmse"), "rrmse is an error"),
        (a_curve(np.ones(4), measure="f1"), "not accuracy and f1"),
        (a_curve(np.ones(4), sizes=(1, 2, 3, 8)), "the same numbers of features"),
        (a_curve(np.full(4, np.nan)), "quality of a curve is unknown"),
    ],
)
def test_curves_that_cannot_be_compared(other, text):
    with pytest.raises(ValueError, match=text):
        compare_curves([a_curve(np.arange(4.0)), other])
    with pytest.raises(TypeError, match="results of quality_curve"):
        compare_curves([np.ones(4)])
