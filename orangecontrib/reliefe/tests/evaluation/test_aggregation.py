"""Aggregation of rankings and stability selection: twins, unanimity, weights, ties, halves of the rows."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orangecontrib.reliefe.core import Interrupted
from orangecontrib.reliefe.core.evaluation import AGGREGATIONS, aggregate, rank_intervals, ranks, stability_selection
from orangecontrib.reliefe.tests.naive import agreement as naive
from orangecontrib.reliefe.tests.samples import examples

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "agreement.json").read_text())
EXAMPLES = examples(40, 40)
SEEDS = st.integers(0, 2**32 - 1)
ALL = pytest.mark.parametrize("method", AGGREGATIONS)


def some(seed, holes=0.2):
    """Scores of a few rankings, with ties and unknown ones."""
    rng = np.random.default_rng(seed)
    scores = rng.integers(-2, 6, (rng.integers(1, 7), rng.integers(2, 9))).astype(float)
    scores[rng.random(scores.shape) < holes] = np.nan
    scores[:, 0] = 1
    return scores


def test_golden():
    known = GOLDEN["ranks"]
    assert 4 - aggregate(known["scores"]).scores == pytest.approx(known["mean"], abs=1e-12)
    assert naive.mean_rank(np.array(known["scores"], float)) == pytest.approx(known["mean"], abs=1e-12)


@EXAMPLES
@given(SEEDS)
def test_ranks_are_those_of_the_twin(seed):
    scores = some(seed)
    assert ranks(scores).tolist() == [naive.ranks(row) for row in scores]


@EXAMPLES
@given(SEEDS)
def test_methods_are_those_of_the_twins(seed):
    scores = some(seed)
    places, p = np.array([naive.ranks(row) for row in scores]), scores.shape[1]
    scaled = [
        [(v - np.nanmin(row)) / max(np.nanmax(row) - np.nanmin(row), 1e-9) if v == v else 0 for v in row]
        for row in scores
    ]
    expected = {
        "mean-rank": p + 1 - np.array(naive.mean_rank(scores)),
        "median-rank": p + 1 - np.array(naive.median_rank(scores)),
        "best-rank": p + 1 - places.min(axis=0),
        "reciprocal-rank": np.mean(1 / (60 + places), axis=0),
        "scaled-scores": np.mean(scaled, axis=0),
        "robust": -np.log10(naive.robust(scores)),
    }
    assert expected.keys() == AGGREGATIONS.keys()
    for method, values in expected.items():
        np.testing.assert_allclose(aggregate(scores, method).scores, values, rtol=1e-9, atol=1e-11)


@ALL
@EXAMPLES
@given(SEEDS)
def test_unanimous_rankings_stay(method, seed):
    scores = np.random.default_rng(seed).permutation(np.arange(12.0))
    found = aggregate([scores, scores * 2, scores - 1], method)
    if method == "robust":  # which has the same p-value for all that are far behind
        assert np.all(np.diff(found.scores[np.argsort(-scores)]) <= 0)
    assert np.array_equal(found.ranking, np.argsort(-scores))


@ALL
@EXAMPLES
@given(SEEDS)
def test_order_of_rankings_and_features_does_not_matter(method, seed):
    rng, scores = np.random.default_rng(seed), some(seed)
    rows, columns = rng.permutation(scores.shape[0]), rng.permutation(scores.shape[1])
    found, other = aggregate(scores, method), aggregate(scores[rows][:, columns], method)
    np.testing.assert_allclose(other.scores, found.scores[columns], atol=2e-12)
    assert sorted(found.ranking) == list(range(scores.shape[1]))
    assert np.all(np.diff(found.scores[found.ranking]) <= 0)
    assert not np.isnan(found.scores).any()


@EXAMPLES
@given(SEEDS)
@pytest.mark.parametrize("method", [name for name, known in AGGREGATIONS.items() if known.weighted])
def test_weights_are_repetitions(method, seed):
    scores = some(seed)
    counts = np.random.default_rng(seed).integers(1, 4, len(scores))
    found = aggregate(scores, method, counts).scores
    np.testing.assert_allclose(found, aggregate(np.repeat(scores, counts, axis=0), method).scores, atol=1e-11)


def test_better_in_one_ranking_is_not_worse_in_all():
    scores = np.random.default_rng(2).normal(size=(5, 9))
    better = scores.copy()
    better[3, 4] += 2
    for method in AGGREGATIONS:
        assert aggregate(better, method).scores[4] >= aggregate(scores, method).scores[4]


def test_equal_ranks_go_by_the_scaled_scores_then_by_index():
    assert aggregate([[9, 1, 0, 8], [0, 10, 10, 8]]).ranking.tolist() == [1, 3, 0, 2]
    assert aggregate([[1, 2], [2, 1]]).ranking.tolist() == [0, 1]
    assert aggregate([[10, 0, 9], [0, 10, 1]], "best-rank").ranking.tolist() == [0, 1, 2]


def test_a_feature_that_most_put_first_is_no_chance():
    rng = np.random.default_rng(3)
    scores = rng.random((20, 100))
    scores[:14, 7] = 2
    found = aggregate(scores, "robust")
    assert found.ranking[0] == 7
    assert found.scores[7] > 10
    assert np.delete(found.scores, 7).max() < 3


def test_rank_intervals():
    scores = np.tile(np.arange(5.0), (40, 1))
    scores[:10, 0] = 9
    assert rank_intervals(scores, 0.9).tolist() == [[1, 4, 3, 2, 1], [5, 5, 4, 3, 2]]


# ---- stability selection


def by_difference(X, y):
    return np.abs(X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0))


def data(seed=0, n=60, p=30):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = rng.normal(size=(n, p))
    X[:, 4] += 3 * y
    X[:, 9] += 2 * y
    return X, y


def test_stability_selection_of_few_features():
    """By default halves select half of the features where these are few."""
    X = np.random.default_rng(0).normal(size=(20, 5))
    y = np.arange(20) % 2
    found = stability_selection(by_difference, X, y, n_pairs=3)
    same = stability_selection(by_difference, X, y, n_best=3, n_pairs=3)
    assert found.frequencies.tolist() == same.frequencies.tolist()
    assert "6 halves" in repr(found)


def test_relevant_features_are_stable():
    X, y = data()
    found = stability_selection(by_difference, X, y, n_best=3, n_pairs=20, strata=y)
    assert found.selected.tolist() == [4, 9]
    assert found.frequencies[[4, 9]].tolist() == [1, 1]
    assert found.frequencies.sum() == pytest.approx(3)
    assert found.bound == 9 / (0.5 * 30)
    assert found.scores.shape == (40, 30)


def test_halves_are_pairs_and_keep_the_strata():
    X, y = np.arange(46.0)[:, None], np.repeat([0, 1], [16, 30])
    seen = []

    def ranker(rows, target):
        seen.append(rows.ravel().astype(int))
        assert np.count_nonzero(target == 0) == 8
        return [1.0]

    stability_selection(ranker, X, y, n_best=1, n_pairs=5, strata=y)
    for one, other in zip(seen[::2], seen[1::2]):
        assert sorted([*one, *other]) == list(range(46))
    assert len({tuple(rows) for rows in seen}) == 10


@EXAMPLES
@given(SEEDS)
def test_frequencies_of_equal_scores(seed):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 4, 9).astype(float)
    size = int(rng.integers(1, 10))
    found = stability_selection(lambda X, y: scores, np.zeros((8, 9)), n_best=size, n_pairs=2)
    assert found.frequencies == pytest.approx(naive.chance_of_best(scores, size), abs=1e-12)


def test_seeds_and_threads():
    X, y = data(1)
    one, two, other = (
        stability_selection(by_difference, X, y, n_best=4, n_pairs=6, strata=y, random_state=seed, n_jobs=jobs)
        for seed, jobs in ((1, 1), (1, 2), (2, 1))
    )
    assert np.array_equal(one.scores, two.scores)
    assert not np.array_equal(one.scores, other.scores)


def test_progress_and_interruption():
    X, y = data()
    shares = []
    stability_selection(by_difference, X, y, n_pairs=3, strata=y, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1

    def stop(share):
        raise Interrupted

    with pytest.raises(Interrupted):
        stability_selection(by_difference, X, y, n_pairs=3, strata=y, progress=stop)


# ---- bad input


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: aggregate([1, 2]), "rankings, features"),
        (lambda: aggregate(np.zeros((0, 3))), "rankings, features"),
        (lambda: aggregate([[1, np.inf]]), "without infinite"),
        (lambda: aggregate([[1, 2]], "borda"), "unknown method 'borda'; choose from mean-rank"),
        (lambda: aggregate([[1, 2]], "robust", [1]), "robust takes no weights; those that do are mean-rank"),
        (lambda: aggregate([[1, 2]], weights=[1, 2]), "each of 1 rankings"),
        (lambda: aggregate([[1, 2]], weights=[0]), "not all 0"),
        (lambda: aggregate([[1, 2], [1, 2]], weights=[2, -1]), "from 0"),
        (lambda: rank_intervals([[1, 2]], 0), "level must be"),
        (lambda: stability_selection(by_difference, np.zeros((9, 3)), n_best=4), "n_best must be at most 3"),
        (lambda: stability_selection(by_difference, np.zeros((3, 3)), n_best=1), "rows must be at least 4"),
        (lambda: stability_selection(by_difference, np.zeros((9, 3)), n_best=1, threshold=0.5), "above 0.5"),
        (lambda: stability_selection(lambda X, y: [1, 2], np.zeros((9, 3)), n_best=1), "each of 3 features"),
        (lambda: stability_selection(lambda X, y: [np.nan] * 3, np.zeros((9, 3)), n_best=1), "known score"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()
