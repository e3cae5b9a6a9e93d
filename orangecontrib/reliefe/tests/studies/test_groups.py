"""Rows that belong together, and orders of targets that keep what groups and covariates say."""

import numpy as np
import pytest

from orangecontrib.reliefe.core import SignificanceTest, null_level, rank, significance
from orangecontrib.reliefe.core.checked_call import check_call
from orangecontrib.reliefe.core.studies.logistic import shares
from orangecontrib.reliefe.core.studies.random_orders import swapped, within
from orangecontrib.reliefe.tests.naive import studies as naive
from orangecontrib.reliefe.tests.naive import unlabelled
from orangecontrib.reliefe.tests.studies.test_adjusted import CLOSE, people


def repeated(seed, constant=True, n_people=40, times=5, p=30):
    """People seen several times, features that they keep in part; classes of people, or of visits, by chance."""
    rng = np.random.default_rng(seed)
    g = np.repeat(np.arange(n_people), times)
    X = np.sqrt(0.6) * rng.normal(size=(n_people, p))[g] + np.sqrt(0.4) * rng.normal(size=(len(g), p))
    h = rng.logistic(size=n_people)[g] if constant else 1.5 * rng.normal(size=n_people)[g] + rng.logistic(size=len(g))
    return X, (h > np.median(h)).astype(int), g


def test_golden_values():
    """Made by a prototype that shares no code, with NumPy alone, printed by its golden.py."""
    X, y, g = people()
    D = naive.distances(naive.diffs(X, [False] * 5), g)
    assert (naive.zones(D) > 0).sum() == 262
    alone = [0.004474, 0.13236, -0.06243, -0.033745, 0.044883]
    np.testing.assert_allclose(rank(X, y, "multisurf").scores, alone, **CLOSE)
    apart = [0.044872, 0.104971, -0.055449, -0.070494, 0.031877]
    np.testing.assert_allclose(rank(X, y, "multisurf", groups=g).scores, apart, **CLOSE)


def hits_and_misses(D, d, y, k, radius):
    """Mean diff to the nearest misses less that to the nearest hits, of two classes."""
    total = np.zeros(len(d))
    for i in range(len(y)):
        for own, sign in ((True, -1), (False, 1)):
            rows = np.flatnonzero(((y == y[i]) == own) & np.isfinite(D[i]))
            rows = rows[D[i, rows] < radius[i]] if k is None else rows[np.argsort(D[i, rows], kind="stable")[:k]]
            total += sign * d[:, i, rows].mean(axis=1) if len(rows) else 0
    return total / len(y)


def test_nobody_is_a_neighbour_of_their_own_group():
    X, y, g = repeated(1, constant=False, n_people=12, times=4, p=6)
    order = np.random.default_rng(0).permutation(48)
    X, y, g = X[order].round(2), y[order], g[order]
    d = naive.diffs(X, [False] * 6)
    D = np.round(naive.distances(d, g), 9)
    whole = np.full(48, D[np.isfinite(D)].mean())
    own = np.array([row[np.isfinite(row)].mean() - row[np.isfinite(row)].std() / 2 for row in D])
    for method, k, radius, options in (
        ("relieff", 5, None, {"n_neighbors": 5}),
        ("relieff", 30, None, {"n_neighbors": 30}),  # more than there are
        ("surf", None, whole, {}),
        ("multisurf", None, own, {}),
    ):
        given = check_call(X, y, method, **options)
        expected = hits_and_misses(D, d, y, k, radius)
        with_groups = SignificanceTest.of(X, y, method, groups=g, **options).request
        assert with_groups.study.varies
        plain = given.input(given.work(1))
        found = list(given.method.run(type(plain)(**{**vars(plain), "groups": with_groups.study.groups})))[-1]
        np.testing.assert_allclose(found.scores, expected, atol=1e-9, err_msg=f"{method} {k}")
    np.testing.assert_array_equal(
        rank(X, y, "multisurf", groups=g).scores, rank(X, y, "multisurf", groups=g, n_jobs=1).scores
    )


def test_rows_of_a_group_are_not_far_either():
    """Methods with a star, whose far rows count, too: groups apart are as groups without pairs of their own."""
    X, y, g = repeated(6, n_people=12, times=3, p=4)
    d = naive.diffs(X, [False] * 4)
    D = naive.distances(d, g)
    near = [row[np.isfinite(row)] for row in D]
    for method, whole, width in (("surfstar", True, 0.0), ("multisurfstar", False, 0.5)):
        every = [np.concatenate(near) if whole else row for row in near]
        low, high = (np.array([own.mean() + side * width * own.std() for own in every]) for side in (-1, 1))
        far = np.where(np.isfinite(D), -D, np.inf)
        expected = (hits_and_misses(D, d, y, None, low) - hits_and_misses(far, d, y, None, -high)) / 2
        np.testing.assert_allclose(rank(X, y, method, groups=g).scores, expected, atol=1e-9, err_msg=method)
    # SWRF*: each pair weighs by the distance, in units of all pairs of two groups
    pairs = np.concatenate(near)
    f = np.where(np.isfinite(D), np.tanh(4 / 2 / pairs.std() * (pairs.mean() - np.where(np.isfinite(D), D, 0))), 0)
    W = f * np.where(y[:, None] == y, -1, 1) / np.abs(f).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(rank(X, y, "swrfstar", groups=g).scores, (W * d).sum(axis=(1, 2)) / 36, atol=1e-9)


def test_partly_labelled_rows():
    X, y, g = repeated(3, n_people=12, times=3, p=4)
    X, labelled = X.round(2), np.random.default_rng(0).random(36) < 0.5
    D, d = unlabelled.compared(X, None, "clus")
    t = np.where(labelled[:, None] & labelled, y[:, None] != y, np.nan)
    influence = unlabelled.influences(d, labelled, 0.25, 0.75)
    apart = np.where(g[:, None] == g, np.inf, d)
    expected = unlabelled.estimate(D, apart, np.where(np.isnan(t), d, t), influence, 5, range(36))
    given, how = np.where(labelled, y.astype(object), None), {"n_neighbors": 5, "w0": 0.25, "w1": 0.75}
    np.testing.assert_allclose(rank(X, given, "sslrelief", groups=g, **how).scores, expected, atol=1e-9)
    request = SignificanceTest.of(X, given, "sslrelief", groups=g, **how).request
    moved = request.permuted(1).target
    np.testing.assert_array_equal(moved.known, labelled)
    assert (moved.inner.codes[labelled] != y[labelled]).any()
    for group in range(12):
        assert len(np.unique(moved.inner.codes[labelled & (g == group)])) <= 1
    with pytest.raises(ValueError, match="covariates need a target that is known in all rows"):
        significance(X, given, "sslrelief", covariates=X[:, 0])


def test_groups_of_one_row_change_nothing():
    X, y, _ = repeated(2, n_people=20, times=2, p=5)
    for method in ("relieff", "multisurf", "surf", "swrfstar"):
        expected = rank(X, y, method).scores
        np.testing.assert_array_equal(rank(X, y, method, groups=np.arange(40)).scores, expected)


def test_large_tables_keep_groups_apart():
    """Single precision, several tiles, pairs that are looked at again."""
    X, y, g = repeated(3, n_people=90, times=4, p=12)
    X = X.astype(np.float32)
    d = naive.diffs(X, [False] * 12)
    D = naive.distances(d, g)
    for method, radius, options in (("relieff", None, {"n_neighbors": 5}), ("multisurf", True, {})):
        own = [row[np.isfinite(row)].mean() - row[np.isfinite(row)].std() / 2 for row in D] if radius else None
        expected = hits_and_misses(D, d, y, None if radius else 5, own)
        np.testing.assert_allclose(rank(X, y, method, groups=g, **options).scores, expected, atol=1e-6)


def test_people_are_permuted_as_wholes():
    X, y, g = people()
    study = check_call(X, y, "multisurf", groups=g).study
    for number in range(5):
        moved = study.permuted(number).classes
        assert all(len(set(moved[g == person])) == 1 for person in range(10))
        np.testing.assert_array_equal(np.bincount(moved), np.bincount(y))
    y = np.array([0, 1, 1] * 10)
    study = check_call(X, y, "multisurf", groups=g).study
    assert study.varies
    for number in range(5):
        moved = study.permuted(number)
        np.testing.assert_array_equal([moved.target.classes[g == person].sum() for person in range(10)], 2)
        np.testing.assert_allclose([moved.r[g == person].sum() for person in range(10)], 0, atol=1e-12)


def test_information_on_groups():
    X, y, g = repeated(4, constant=False, n_people=10)
    found = rank(X, y, "multisurf", groups=g, significance=5)
    assert any("the target varies within groups: " in text for text in found.info["information"])
    assert "targets change places within 10 groups" in found.significance.notes
    assert not found.significance.closed_form
    assert null_level(X, y, "multisurf", groups=g, n_shuffles=2).level


def test_orders_keep_what_covariates_say():
    rng = np.random.default_rng(0)
    n, site = 60, rng.integers(0, 3, 60)
    y = (rng.random(n) < 0.2 + 0.3 * site).astype(int)
    X, age = rng.normal(size=(n, 4)), rng.normal(size=n)
    of_site = SignificanceTest.of(X, y, "relieff", covariates=site).request.study
    for number in range(3):
        moved = of_site.permuted(number).target.classes
        np.testing.assert_array_equal(np.bincount(3 * moved + site), np.bincount(3 * y + site))
    y = (age + rng.logistic(size=n) > 0).astype(int)
    codes, Z = y, (age - age.mean())[:, None] / age.std()
    e, hub = shares(codes, Z, 2), np.arange(n)
    orders = [swapped(codes, e, hub, np.random.default_rng(k)) for k in range(200)]
    assert all((np.sort(order) == np.arange(n)).all() for order in orders)
    # Given the number of rows of a class, its mean age in the orders is that of the fit
    means = np.array([age[codes[order] == 1].mean() for order in orders])
    fit = (e[:, 1] * age).sum() / e[:, 1].sum()
    assert abs(means.mean() - fit) < 3 * means.std() / np.sqrt(200) + 0.02
    inside = np.arange(n) // 5
    for order in (swapped(codes, e, hub, rng, inside), within(inside, rng)):
        np.testing.assert_array_equal(inside[order], inside)


def test_significance_with_covariates_for_every_method():
    """A feature that only follows a covariate is not found, though scores are not adjusted."""
    rng = np.random.default_rng(1)
    n = 150
    X, c = rng.normal(size=(n, 6)), rng.normal(size=n)
    X[:, 0] = c + 0.3 * rng.normal(size=n)
    for y, method, own in (
        ((c + 0.5 * rng.logistic(size=n) > 0).astype(int), "mutualinfo", {}),
        (c + rng.normal(size=n), "randomforest", {"n_trees": 10}),
    ):
        found = significance(X, y, method, n_shuffles=30, **own)
        assert found.own_p[0] < 0.05
        found = significance(X, y, method, covariates=c, n_shuffles=30, **own)
        assert found.own_p[0] > 0.05
        assert "keep their relation with number 1" in found.notes[0]
    with pytest.raises(
        ValueError, match=r"takes no covariates. Rank by one of rrelieff, surf, multisurf, residualrelief,.*significa"
    ):
        rank(X, y, "randomforest", covariates=c)


BAD = [
    ({"covariates": np.zeros(29)}, "X has 30 rows but covariates have 29"),
    ({"covariates": np.zeros((30, 0))}, "covariates have no columns"),
    ({"covariates": np.zeros((30, 2, 2))}, "covariates must be one column or several"),
    ({"covariates": "age"}, r"not the name 'age': give the columns, as covariates=data\[\['age'\]\]"),
    ({"covariates": ["age"]}, "X has 30 rows but covariates have 1. If these are names: give the columns"),
    ({"covariates": np.r_[np.inf, np.arange(29.0)]}, "infinite or far too large values in the covariate number 1"),
    ({"covariates": np.arange(30).astype(str)}, r"class with 30 values in 30 rows.* groups="),
    ({"groups": np.zeros(29)}, "one value for each of 30 rows"),
    ({"groups": np.r_[np.nan, np.arange(29.0)]}, r"groups have 1 unknown value \(row 1\)"),
    ({"groups": np.zeros(30)}, "all rows are in one group"),
    ({"groups": np.arange(30), "blocks": np.arange(30)}, "exclude each other"),
    ({"covariates": np.arange(30.0), "parts": "all"}, "parts"),
    ({"covariates": np.arange(30.0), "task": "multi-target"}, "one target of classes, numbers or times"),
]


def test_bad_input_is_named():
    rng = np.random.default_rng(0)
    for given, message in BAD:
        y = rng.normal(size=(30, 2)) if "task" in given else rng.integers(0, 2, 30)
        method = "rrelieff" if "task" in given else "multisurf"
        with pytest.raises(ValueError, match=message):
            SignificanceTest.of(rng.normal(size=(30, 3)), y, method, **given)


def test_kinds_of_covariates():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 2, 40)
    frame = pd.DataFrame(
        {"age": rng.normal(size=40), "sex": [*"fm"] * 20, "site": [1, 2, 3, 1] * 10, "same": "x", "odd": [*"ab"] * 20}
    )
    frame.loc[3, "age"], frame.loc[4, "sex"], frame.loc[5, "odd"] = None, None, "c"
    request = check_call(X, y, "multisurf", covariates=frame)
    kinds = [(c.name, c.is_class, len(np.unique(c.values))) for c in request.study.covariates if c.is_class]
    assert kinds == [("sex", True, 2), ("site", True, 3), ("odd", True, 2)]
    assert request.study.Z.shape == (40, 6)  # age, and that it is unknown; one for sex, two for site, one for odd
    texts = " ".join(request.info["warnings"])
    assert "the covariate same is constant and left out" in texts
    assert "the covariate odd has 1 class of one row" in texts
    assert "taken as classes: site" in " ".join(request.info["information"])
