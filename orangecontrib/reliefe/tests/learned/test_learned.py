"""Relief in a learned space and boosted margins: as their twins have them, on any data, for any threads."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orangecontrib.reliefe.core import Interrupted, rank, request
from orangecontrib.reliefe.core.learned import row_distances
from orangecontrib.reliefe.tests.limits import lower
from orangecontrib.reliefe.tests.naive import boosted as naive
from orangecontrib.reliefe.tests.samples import SMALL, STRATEGIES, examples, make

METHODS = "boostedrelief", "learnedrelief", "boostedlearnedrelief"
METHOD = pytest.mark.parametrize("method", METHODS)
TASK = pytest.mark.parametrize("task", ["classification", "regression"])
SEEDS = st.integers(0, 2**32 - 1)
EXAMPLES = examples(6)


def close(a, b, atol=1e-9):
    np.testing.assert_allclose(a, b, rtol=0, atol=atol)


def ranking(data, method, **parameters):
    return rank(data.X, data.y, method, nominal=data.nominal, task=data.task, **({"n_neighbors": 3} | parameters))


def twin(data, method, like=None, **parameters):
    like = like or data
    t = np.abs(like.y[:, None] - like.y) / np.ptp(like.y) if like.task == "regression" else None
    parameters = {"n_neighbors": 3, "numbers": () if t is None else [like.y]} | parameters
    return naive.rank(like.X, like.y, like.nominal, method, t=t, **parameters)


def check(data, method, like=None, **parameters):
    close(ranking(data, method, **parameters).scores, twin(data, method, like, **parameters))


@METHOD
@TASK
@pytest.mark.parametrize("seed", range(3))
def test_complete_data(method, task, seed):
    check(make(seed, task, n=26, p=7, n_classes=2 + seed), method)


@METHOD
@TASK
@pytest.mark.parametrize("missing", STRATEGIES)
def test_missing_values(method, task, missing):
    check(make(4, task, n=22, p=6, missing=0.1), method, missing=missing)


@METHOD
@TASK
@pytest.mark.parametrize("missing", [None, "ignore", "uniform"])
def test_csr(method, task, missing):
    data = make(5, task, n=22, p=9, zeros=0.5, missing=0.1 if missing else 0)
    check(data.csr, method, like=data, missing=missing)


@METHOD
@TASK
def test_ramp(method, task):
    check(make(6, task, n=22, p=6, nominal=[2]), method, ramp=(0.0, 0.9))


@pytest.mark.parametrize("parameters", [
    {"rounds": 0}, {"rounds": 1}, {"rounds": 7}, {"n_neighbors": 8}, {"n_neighbors": 100},
], ids=str)  # fmt: skip
def test_parameters(parameters):
    for method in ("learnedrelief", "boostedlearnedrelief"):
        check(make(7, n=22, p=6, n_classes=3), method, **parameters)


@pytest.mark.parametrize("eta", [0.0, 0.01, 0.5, 1.0])
@TASK
def test_steps(eta, task):
    check(make(8, task, n=24, p=8), "boostedrelief", eta=eta)


@METHOD
def test_unequal_classes(method):
    """A class of one row, one of two, and a big one."""
    data = make(15, n=20)
    data.y[:] = [0] + [1] * 2 + [2] * 5 + [3] * 12
    check(data, method)


@METHOD
@TASK
@pytest.mark.parametrize("missing", [None, "ignore", "uniform"])
def test_distances_that_are_not_kept(method, task, missing, monkeypatch):
    monkeypatch.setattr(row_distances, "MAX_BYTES", 0)
    check(make(9, task, n=22, p=6, missing=0.1 if missing else 0), method, missing=missing)


@METHOD
@TASK
@pytest.mark.parametrize("n, p", [(70, 30), (50, 300)])
def test_single_precision(method, task, n, p, monkeypatch):
    n, p = (24, 10) if SMALL else (n, p)
    data = make(10, task, n=n, p=p, nominal=() if p == 300 else range(0, p, 3), n_classes=3)
    double = ranking(data, method, n_neighbors=10)
    lower(monkeypatch, MAX_EXACT_COMPLETE=0)
    single = ranking(data, method, n_neighbors=10)
    assert single.info["precision"] == "float32"
    # what is a tie depends on the digits that there are, and the order of boosting on such things
    close(single.scores, double.scores, 1e-3 if method == "learnedrelief" else 0.02)


@METHOD
@TASK
@EXAMPLES
@given(SEEDS, st.randoms(use_true_random=False))
def test_order_of_rows_and_columns_and_scales_do_not_matter(method, task, seed, random):
    data = make(seed, task, n=24, n_classes=3)
    expected, columns = ranking(data, method).scores, random.sample(range(8), 8)
    close(ranking(data.rows(random.sample(range(24), 24)), method).scores, expected)
    close(ranking(data.columns(columns), method).scores, expected[columns])
    moved = replace(data, X=np.where(data.nominal, data.X, data.X * -250.0 + 7))
    close(ranking(moved, method).scores, expected)


@METHOD
@EXAMPLES
@given(SEEDS, st.permutations(["b", "a", "ten"]))
def test_names_of_classes_do_not_matter(method, seed, names):
    data = make(seed, n=24, n_classes=3)
    close(ranking(replace(data, y=np.array(names)[data.y]), method).scores, ranking(data, method).scores)


@METHOD
@TASK
@pytest.mark.parametrize("missing", [None, "ignore", "class-conditional"])
@pytest.mark.parametrize("form", ["dense", "csr"])
def test_same_bits_for_any_number_of_threads(method, task, missing, form, monkeypatch):
    monkeypatch.setattr(request, "WORTH_THREADS", 0)
    data = make(1, task, n=40 if SMALL else 200, p=11, n_classes=3, missing=0.05 if missing else 0, zeros=0.3)
    data = data.csr if form == "csr" else data
    one, *others = (ranking(data, method, n_jobs=n_jobs, missing=missing) for n_jobs in (1, 2, 3))
    for other in others:
        assert np.array_equal(other.scores, one.scores)
        assert other.info.get("null_gain") == one.info.get("null_gain")


@METHOD
@TASK
def test_some_target_rows(method, task, monkeypatch):
    monkeypatch.setattr(request, "WORTH_THREADS", 0)
    data = make(2, task, n=26, p=5, n_classes=3)
    given = {"n_instances": 0.4, "random_state": 3}
    one, two = (ranking(data, method, n_jobs=n_jobs, **given).scores for n_jobs in (1, 2))
    close(one, twin(data, method, **given))
    assert np.array_equal(one, two)
    monkeypatch.setattr(row_distances, "MAX_BYTES", 0)
    close(ranking(data, method, **given).scores, one)


@TASK
@pytest.mark.parametrize("missing", [None, *STRATEGIES])
def test_without_rounds_the_learned_space_is_relief(task, missing):
    data = make(3, task, n=30, n_classes=3, missing=0.1 if missing else 0)
    data.y[:4] = data.y[4:8]
    plain, more = ("relieff", {}) if task == "classification" else ("rrelieff", {"sigma": None})
    found = ranking(data, "learnedrelief", rounds=0, missing=missing)
    close(found.scores, ranking(data, plain, missing=missing, **more).scores, 1e-12)
    assert found.info["rounds"] == []


@pytest.mark.parametrize("method", ["learnedrelief", "boostedlearnedrelief"])
def test_rounds_with_few_features_compare_the_best_half(method):
    """All rankings of 8 features have the 8 best in common, which says nothing about the rounds."""
    data = make(5, n=40, p=8, nominal=())
    rounds = ranking(data, method, rounds=4).info["rounds"]
    assert [facts["compared"] for facts in rounds] == [4] * 4
    assert {facts["overlap"] for facts in rounds} <= {0, 0.25, 0.5, 0.75, 1}
    scores = [ranking(data, "learnedrelief", rounds=number).scores for number in range(5)]
    best = [set(np.argsort(-of_round, kind="stable")[:4]) for of_round in scores]
    overlaps = [len(before & after) / 4 for before, after in pairwise(best)]
    assert min(overlaps) < 1
    if method == "learnedrelief":
        assert [facts["overlap"] for facts in rounds] == overlaps


@METHOD
@TASK
def test_some_of_many_heavy_features(method, task):
    """Twelve features carry most of the distance, of which eight are scored without their own part of it."""
    data = make(16, task, n=30, p=14, n_classes=3)
    rounds = ranking(data, "learnedrelief").info["rounds"]
    assert 8 in [facts["heavy"] for facts in rounds]
    check(data, method)


def test_rounds_settle():
    data = make(11, n=100, p=20, nominal=())
    changes = [told["change"] for told in ranking(data, "learnedrelief", n_neighbors=10, rounds=12).info["rounds"]]
    assert len(changes) == 12
    assert changes[-1] < 0.1 * changes[0]


@METHOD
def test_interaction_is_found(method):
    X = np.random.default_rng(0).integers(0, 2, (60 if SMALL else 200, 10)).astype(float)
    found = rank(X, X[:, 2] != X[:, 7], method, nominal=np.ones(10, bool), n_neighbors=5 if SMALL else 30)
    assert set(found.ranking[:2]) == {2, 7}


@pytest.mark.skipif(SMALL, reason="needs many rows")
def test_interaction_in_noise_is_found_in_the_learned_space_only():
    """A heavy feature is looked at without its own part of the distance, or it would hide what it tells."""
    rng = np.random.default_rng(1)
    X = rng.integers(0, 3, (300, 200)).astype(float)
    noisy = rng.random(len(X)) < 0.1
    y = ((X[:, 4] == 1) != (X[:, 9] == 1)) != noisy
    nominal = np.ones(X.shape[1], bool)
    learned = rank(X, y, "learnedrelief", nominal=nominal)
    plain = rank(X, y, "relieff", nominal=nominal)
    assert set(learned.ranking[:2]) == {4, 9}
    assert np.argsort(np.argsort(-learned.scores))[[4, 9]].sum() <= np.argsort(np.argsort(-plain.scores))[[4, 9]].sum()


@METHOD
@TASK
def test_stop(method, task):
    data = make(12, task, n=60, p=9)
    shares = []

    def progress(share):
        shares.append(share)
        if len(shares) > 3:
            raise Interrupted

    def again_and_again():
        while True:  # however coarse the reports of so little work are
            ranking(data, method, progress=progress)

    with pytest.raises(Interrupted):
        again_and_again()
    assert all(0 <= share <= 1 for share in shares)


@METHOD
@pytest.mark.parametrize("kind", ["numbers", "labels", "hierarchy", "mixed"])
def test_several_targets(method, kind):
    """Features that tell something are found, whatever the kind of the targets."""
    rng = np.random.default_rng(3)
    X = rng.random((40 if SMALL else 150, 8))
    y = np.column_stack([X[:, 1], X[:, 1] + X[:, 5]])
    more = {"task": "multi-target"}
    if kind != "numbers":
        y = (y > np.median(y, axis=0)).astype(int)
        more = {"task": "multi-label"}
    if kind == "hierarchy":
        y, more = np.column_stack([y[:, 0], y[:, 0] * y[:, 1]]), {"hierarchy": [(), (0,)]}
    if kind == "mixed":
        y, more = np.column_stack([X[:, 1], X[:, 5]]), {"task": "multi-target"}
        y[::7, 1] = np.nan
    found = rank(X, y, method, **more)
    assert found.ranking[0] in (1, 5)
    if not SMALL:
        assert set(found.ranking[:2]) == {1, 5} or kind == "hierarchy"


@METHOD
def test_labels_and_numbers_are_one_rule(method):
    """Two targets that are the same are the one."""
    data = make(13, "regression", n=24)
    several = replace(data, y=np.column_stack([data.y, data.y]), task="multi-target")
    close(ranking(several, method).scores, ranking(data, method).scores)
