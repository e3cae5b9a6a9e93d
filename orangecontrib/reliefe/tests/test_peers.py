"""Agreement with scikit-rebate 0.8 and Orange where their definitions are ours, and the differences as facts."""

import numpy as np
import pytest
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.preprocess import score

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.tests import naive
from orangecontrib.reliefe.tests.naive.nearest import nearest, others, quotients
from orangecontrib.reliefe.tests.naive.thresholds import by_influence, by_radius, hit_or_miss, target_pairs

N = 40
STARS = "surfstar", "multisurfstar", "multiswrfstar", "multiswrfdbstar"  # whose scores are in [-2, 2] there
ROW_WISE = [(name, name.lower()) for name in ("MultiSWRF", "MultiSWRFstar", "MultiSWRFDB", "MultiSWRFDBstar")]
THRESHOLDS = [(name, name.lower()) for name in ("SURF", "SURFstar", "MultiSURF", "MultiSURFstar")]


def two_classes(seed=1):
    X = np.random.default_rng(seed).random((N, 5))
    return X, (X[:, 0] + X[:, 1] > 1).astype(int)


def numbers(seed=1):
    X = np.random.default_rng(seed).random((N, 5))
    return X, X[:, 0] + 0.1 * np.random.default_rng(seed).random(N)


def rebate(name, X, y, **parameters):
    skrebate = pytest.importorskip("skrebate")
    return getattr(skrebate, name)(n_features_to_select=1, **parameters).fit(X, y).feature_importances_


def published(method, X, y, **parameters):
    """Scores as published, in [-2, 2] for methods with a star."""
    return (2 if method in STARS else 1) * rank(X, y, method, **parameters).scores


def close(a, b):
    np.testing.assert_allclose(a, b, rtol=0, atol=1e-9)


@pytest.mark.parametrize("k", [1, 5, 10])
def test_rebate_relieff(k):
    X, y = two_classes()
    close(rank(X, y, "relieff", n_neighbors=k).scores, rebate("ReliefF", X, y, n_neighbors=k))


@pytest.mark.parametrize("peer, method", THRESHOLDS[2:])
def test_rebate_multisurf(peer, method):
    X, y = two_classes()
    close(published(method, X, y), rebate(peer, X, y))


@pytest.mark.parametrize("peer, method", [THRESHOLDS[1], THRESHOLDS[3]])
def test_rebate_on_nominal_data(peer, method):
    """Data in which every row has far hits and far misses: an empty half is 0 in ours, a constant in theirs."""
    X, y = np.round(two_classes(0)[0]), np.random.default_rng(100).integers(0, 2, N)
    close(published(method, X, y, nominal=np.ones(5, bool)), rebate(peer, X, y))


def test_rebate_takes_a_row_as_its_own_hit():
    """k beyond the class size: theirs adds the row itself with diff 0, ours takes the hits that there are."""
    X, y = two_classes()
    D = naive.differences(X, np.zeros(5, bool))
    miss = np.mean([D[i, y != y[i]].mean(axis=0) for i in range(N)], axis=0)
    hits = [D[i, y == y[i]].sum(axis=0) for i in range(N)]
    sizes = np.bincount(y)[y]
    close(rebate("ReliefF", X, y, n_neighbors=100), miss - np.mean([h / s for h, s in zip(hits, sizes)], axis=0))
    close(
        rank(X, y, "relieff", n_neighbors=100).scores,
        miss - np.mean([h / (s - 1) for h, s in zip(hits, sizes)], axis=0),
    )


@pytest.mark.parametrize("peer, method", THRESHOLDS[:2])
def test_rebate_counts_zero_distances_to_itself_in_the_threshold(peer, method):
    X, y = two_classes()
    D = naive.differences(X, np.zeros(5, bool))
    d = naive.distances(D)
    T = target_pairs(d, range(N)).mean()
    scale = 2 if method in STARS else 1
    for radius, found in ((T * (N - 1) / N, rebate(peer, X, y)), (T, published(method, X, y))):
        twin = by_radius(D, d, y, range(N), lambda i: (radius, radius, 0.0), "star" in method, False)
        close(found, scale * twin)


@pytest.mark.parametrize("peer, method", [THRESHOLDS[0], THRESHOLDS[2]])
def test_rebate_exceeds_1_with_three_classes(peer, method):
    """Classes a and b differ in the first feature only; c is far from both and has no near miss."""
    y = np.repeat([0, 1, 2], 4)
    X = np.column_stack([y, *[y == 2] * 5]).astype(float)
    close(rebate(peer, X, y), [4 / 3, 0, 0, 0, 0, 0])
    close(rank(X, y, method, nominal=np.ones(6, bool)).scores, [2 / 3, 0, 0, 0, 0, 0])


def test_rebate_weighs_classes_equally():
    """Ours weighs the misses by the priors."""
    x = np.array([0, 1, 4, 5, 10, 30, 31, 32.0])
    y = np.array([0, 0, 1, 1, 1, 2, 2, 2])
    X = np.column_stack([x, x])
    theirs = rebate("ReliefF", X, y, n_neighbors=1, categorical_threshold=3)
    D = naive.differences(X, np.zeros(2, bool))[:, :, 0]
    near = np.array([[min(D[i, j] for j in others(i, 8) if y[j] == c) for c in range(3)] for i in range(8)])
    miss = np.where(np.arange(3) == y[:, None], 0, near)
    hit = near[np.arange(8), y]
    prior = np.array([2, 3, 3]) / 8
    close(theirs[0], np.mean(miss.sum(axis=1) / 2 - hit))
    close(rank(X, y, "relieff", n_neighbors=1).scores[0], np.mean(miss @ prior / (1 - prior[y]) - hit))


def test_rebate_relieff_of_numbers_has_two_classes():
    """Rows with a target within one standard deviation are hits, all others misses; ours is RReliefF."""
    X, y = numbers()
    D = naive.differences(X, np.zeros(5, bool))
    d = naive.distances(D)
    scores = []
    for i in range(N):
        kinds = hit_or_miss(y, i)
        hits, misses = ([j for j in others(i, N) if kinds[j] == kind] for kind in (0, 1))
        scores.append(D[i, nearest(d[i], misses, 5)].mean(axis=0) - D[i, nearest(d[i], hits, 5)].mean(axis=0))
    close(rebate("ReliefF", X, y, n_neighbors=5), np.mean(scores, axis=0))


def test_rebate_shrinks_features_with_missing_values():
    """A row with a missing value counts as 0 there; ours does not count it."""
    X, y = two_classes()
    X[::2, 0] = np.nan
    theirs = rebate("ReliefF", X, y, n_neighbors=10)
    ours = rank(X, y, "relieff", n_neighbors=10, missing="ignore").scores
    close(theirs, ours * [0.5, 1, 1, 1, 1])


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("peer, method", ROW_WISE)
def test_rebate_divides_influence_by_the_number_of_rows(peer, method, task):
    """Ours divides by the sum of the influence: a mean, whatever the influence is.  A row without far hits, or misses,
    adds a constant to all features there, which is left out here."""
    X, y = two_classes() if task == "classification" else numbers()
    scale = 2 if method in STARS else 1
    theirs, known = rebate(peer, X, y), scale * naive.rank(X, y, method, by_number=True, task=task)
    constant = np.mean(theirs - known) if method in STARS else 0
    close(theirs - constant, known)
    close(rank(X, y, method, task=task).scores, naive.rank(X, y, method, task=task))


@pytest.mark.parametrize("peer, method", ROW_WISE)
def test_rebate_scores_of_features_that_do_not_matter_are_below_zero(peer, method):
    """Five features determine the class, five do not.  Hits are nearer, so they have more influence there: the mean of
    ten tables is below zero by two standard errors, and below ours."""
    theirs, ours = [], []
    for seed in range(10):
        X = np.random.default_rng(seed).random((60, 10))
        y = (X[:, :5].sum(axis=1) > 2.5).astype(int)
        theirs.append(rebate(peer, X, y)[5:].mean())
        ours.append(published(method, X, y)[5:].mean())
    error = np.std(theirs, ddof=1) / np.sqrt(10)
    assert np.mean(theirs) < -2 * error
    assert np.mean(theirs) < np.mean(ours) - error


@pytest.mark.parametrize("peer, method", [ROW_WISE[1], ROW_WISE[3]])
def test_rebate_shifts_nominal_features_by_far_rows(peer, method):
    """There a nominal feature that is the same in two far rows counts, a numeric one that differs: scores differ by one
    number, the same for all features, and a feature of one value has that for its score."""
    X, y = np.random.default_rng(0).integers(0, 3, (N, 6)).astype(float), np.random.default_rng(1).integers(0, 2, N)
    X[:, 5] = 1
    theirs = rebate(peer, X, y)
    opposite = 2 * naive.rank(X, y, method, np.ones(6, bool), by_number=True)
    close(theirs - opposite, np.full(6, theirs[5]))
    assert abs(theirs[5]) > 1e-3
    assert rank(X, y, method, nominal=np.ones(6, bool)).scores[5] == 0


def test_rebate_counts_zero_distances_to_itself_in_the_moments_of_swrf():
    X, y = two_classes()
    D = naive.differences(X, np.zeros(5, bool))
    d = naive.distances(D)
    given = {"width": 0, "far": False, "numbers": False, "by_number": True}
    close(rebate("SWRF", X, y), by_influence(D, d, y, range(N), lambda _: (d.mean(), d.std()), **given))
    close(rank(X, y, "swrf").scores, naive.rank(X, y, "swrf"))


def test_rebate_swrfstar_divides_each_half_by_the_number_of_its_rows():
    """Ours divides hits and misses, near and far, by the influence of all rows, as its authors do."""
    X, y = two_classes()
    D = naive.differences(X, np.zeros(5, bool))
    d = naive.distances(D)
    given = {"width": 0, "far": True, "numbers": False, "by_number": True}
    close(rebate("SWRFstar", X, y), 2 * by_influence(D, d, y, range(N), lambda _: (d.mean(), d.std()), **given))


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("k", [1, 5])
def test_rebate_murelief(k, task):
    X, y = two_classes() if task == "classification" else numbers()
    close(rank(X, y, "murelief", n_neighbors=k, task=task).scores, rebate("MuRelief", X, y, n_neighbors=k))


def test_rebate_murelief_takes_a_row_as_its_own_hit():
    """k beyond the class size, as of ReliefF: its diff of 0 lowers the mean of the hits."""
    X, y = two_classes()
    sizes, hits, misses = np.bincount(y)[y], [], []
    D = naive.differences(X, np.zeros(5, bool))
    for i in range(N):
        hits.append(D[i, y == y[i]].sum(axis=0))
        misses.append(D[i, y != y[i]].mean(axis=0))
    theirs = np.mean(misses, axis=0) - np.mean([h / s for h, s in zip(hits, sizes)], axis=0)
    ours = np.mean(misses, axis=0) - np.mean([h / (s - 1) for h, s in zip(hits, sizes)], axis=0)
    close(rebate("MuRelief", X, y, n_neighbors=100), theirs)
    close(rank(X, y, "murelief", n_neighbors=100).scores, ours)


def test_murelief_does_not_see_interactions():
    """Far rows of the same class differ in features that matter together as near ones are alike in them."""
    X = np.random.default_rng(0).random((300, 8))
    y = ((X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)).astype(int)
    assert {*rank(X, y, "relieff").ranking[:2]} == {0, 1}
    assert {*rank(X, y, "murelief").ranking[-2:]} == {0, 1}


def orange(scorer, X, y, n_classes=0):
    target = DiscreteVariable("y", [str(c) for c in range(n_classes)]) if n_classes else ContinuousVariable("y")
    domain = Domain([ContinuousVariable(name) for name in "abcde"], target)
    return np.asarray(scorer(Table.from_numpy(domain, X, y.astype(float))))


def drawn(m, seed=0):
    """The rows that Orange draws as targets, with replacement."""
    return np.random.RandomState(seed).randint(0, N, m)


def of_one_target(i, X, y, method, **parameters):
    """Scores with row i as the only target."""
    seed = next(s for s in range(10**6) if np.random.default_rng(s).permutation(N)[0] == i)
    return rank(X, y, method, n_instances=1, random_state=seed, **parameters).scores


@pytest.mark.parametrize("n_classes", [2, 3])
def test_orange_relieff(n_classes):
    """Mean over the targets that it has drawn."""
    X, _ = two_classes()
    y = (X[:, 0] * n_classes).astype(int)
    found = [of_one_target(i, X, y, "relieff", n_neighbors=4) for i in drawn(20)]
    close(orange(score.ReliefF(20, 4, random_state=0), X, y, n_classes), np.mean(found, axis=0))


def test_orange_rrelieff_divides_influence_by_five():
    """So the second of the two probabilities comes out about five times too small, and noise scores high."""
    X, y = numbers()
    D = naive.differences(X, np.zeros(5, bool))
    d = naive.distances(D)
    channels = np.zeros((3, 5))
    for i in drawn(50):
        rows = nearest(d[i], others(i, N), 6)
        t = np.abs(y[rows] - y[i]) / np.ptp(y)
        channels += np.full(5, t.mean()), D[i, rows].mean(axis=0), (t[:, None] * D[i, rows]).mean(axis=0)
    theirs = orange(score.RReliefF(50, 6, random_state=0), X, y)
    close(theirs, [quotients(*channel / 5, 50) for channel in channels.T])
    assert theirs[1:].min() > 0.1
    assert np.abs(rank(X, y, "rrelieff", n_neighbors=6, sigma=None).scores[1:]).max() < 0.06


def test_orange_takes_similarity_for_diff_where_a_value_is_missing():
    """Class 0 has values 0, 0, 1, 2, class 1 has 1, 2, 0: a missing value of class 1 differs from 0 with P = 2 / 3."""
    X = np.array([0, 0, 1, 2, np.nan, 1, 2, 0, np.nan])[:, None]
    y = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1])
    D = naive.differences(X, np.ones(1, bool), y)[:, :, 0]
    close([D[4, 5], D[8, 0], D[4, 8]], [0.75, 2 / 3, 2 / 3])
    close(rank(X, y, "relieff", nominal=[True]).scores, naive.rank(X, y, "relieff", [True]))


def rebate_turf(X, y, share, n_keep):
    skrebate = pytest.importorskip("skrebate")
    inner = skrebate.ReliefF(n_features_to_select=1, n_neighbors=3)
    return skrebate.TURF(inner, pct=share, num_scores_to_return=n_keep).fit(X, y).feature_importances_


def many(p, seed=1):
    X = np.random.default_rng(seed).random((N, p))
    return X, (X[:, 0] + X[:, 1] > 1).astype(int)


def turf(X, y, **parameters):
    return rank(X, y, "turf", core=("relieff", {"n_neighbors": 3}), **parameters)


def test_rebate_turf():
    """Tiers of what was removed, too; ours are told apart by less than this."""
    for p, n_keep in ((8, 2), (12, 3)):
        X, y = many(p)
        close(turf(X, y, n_keep=n_keep).scores, rebate_turf(X, y, 0.5, n_keep))


def test_rebate_turf_keeps_fewer_than_asked():
    """Theirs goes on from 10 features to 5 and 3 where 4 are to be left, from 8 to 4 where all are."""
    X, y = many(8)
    close(rebate_turf(X, y, 0.5, 8), turf(X, y, n_keep=4).scores)
    X, y = many(10)
    found, theirs = turf(X, y, n_keep=4), rebate_turf(X, y, 0.5, 4)
    assert found.info["left"] == 4
    close(theirs, turf(X, y, n_keep=3).scores)


def test_rebate_turf_stops_after_some_passes():
    """Two, for half of the features: 8 of 32 are left where 2 are asked for."""
    X, y = many(32)
    assert turf(X, y, n_keep=2).info["left"] == 2
    close(rebate_turf(X, y, 0.5, 2), turf(X, y, n_keep=8).scores)


def test_rebate_turf_removes_no_number_of_features():
    X, y = many(8)
    close(rebate_turf(X, y, 2, 4), rebate("ReliefF", X, y, n_neighbors=3))
    assert sorted(turf(X, y, step=2, n_keep=4).info["removed_in"]) == [0, 0, 0, 0, 1, 1, 2, 2]


def test_rebate_vls(monkeypatch):
    """With the subsets that theirs draws."""
    import random

    from orangecontrib.reliefe.core.methods import random_subsets

    skrebate = pytest.importorskip("skrebate")
    X, y = many(7)
    inner = skrebate.ReliefF(n_features_to_select=1, n_neighbors=3)
    peer = skrebate.VLS(inner, num_feature_subset=9, size_feature_subset=3, random_state=5)
    random.seed(5)
    drawn = peer.make_subsets(list(range(7)), 9, 3)
    monkeypatch.setattr(random_subsets, "deal", lambda *_: (np.isin(np.arange(7), columns) for columns in drawn))
    given = {"core": ("relieff", {"n_neighbors": 3}), "subset_size": 3, "n_subsets": len(drawn)}
    close(rank(X, y, "vlsrelief", **given).scores, peer.fit(X, y).feature_importances_)
