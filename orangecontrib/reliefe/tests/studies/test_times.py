"""Times with censoring: residuals, places, and rankings for them."""

import numpy as np
import pytest
from scipy.stats import chi2

from orangecontrib.reliefe.core import METHODS, Survival, rank, significance
from orangecontrib.reliefe.core.checked_call import check_call
from orangecontrib.reliefe.core.studies.cox_model import Hazards, cox_risk, martingale
from orangecontrib.reliefe.core.targets.times import Times
from orangecontrib.reliefe.tests.naive import smooth_tests as smooth
from orangecontrib.reliefe.tests.naive import studies as naive
from orangecontrib.reliefe.tests.naive.filters import coxscore
from orangecontrib.reliefe.tests.studies.test_adjusted import CLOSE
from orangecontrib.reliefe.tests.test_alone import doubled


def times():
    """30 rows, 14 events; two features act by the product of their signs."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(30, 4))
    T, C = rng.exponential(size=30) * np.exp(-np.sign(X[:, 0] * X[:, 1])), rng.exponential(size=30)
    return X, np.minimum(T, C), T <= C


def test_golden_values():
    """Made by a prototype that shares no code, with NumPy alone, printed by its golden.py."""
    t, d = np.array([1.0, 2, 2, 3, 4, 4, 5, 6]), np.array([1, 1, 0, 1, 0, 1, 0, 1])
    expected = [0.875, 0.732143, -0.267857, 0.532143, -0.717857, 0.282143, -0.717857, -0.717857]
    np.testing.assert_allclose(martingale(t, d), expected, **CLOSE)
    X, time, event = times()
    y = Survival(time, event)
    r = check_call(X, y, "multisurf").study.residuals[0][:4, 0]
    np.testing.assert_allclose(r, [-1.060699, 0.932184, 0.139301, -0.067816], **CLOSE)
    place = [0.000391, 0.019506, -0.011296, 0.020867]
    np.testing.assert_allclose(rank(X, y, "multisurf", parts="place").scores, place, **CLOSE)
    both = [0.004403, 0.029783, -0.01181, 0.033359]
    np.testing.assert_allclose(rank(X, y).scores, both, **CLOSE)
    study = check_call(X, y, "multisurf", covariates=X[:, 2]).study
    np.testing.assert_allclose(study.residuals[0][:4, 0], [-1.031323, 0.933635, 0.118849, -0.068372], **CLOSE)
    adjusted = [-0.000413, 0.019625, -0.010685, 0.020042]
    np.testing.assert_allclose(rank(X, y, "multisurf", covariates=X[:, 2], parts="place").scores, adjusted, **CLOSE)


def test_order_and_units_of_time():
    X, time, event = times()
    seen = martingale(time, np.ones(30))
    np.testing.assert_array_equal(np.argsort(seen), np.argsort(-time))
    for method in ("multisurf", "surf", "rrelieff"):
        expected = rank(X, Survival(time, event), method).scores
        for other in (7 * time, time**2):
            np.testing.assert_allclose(rank(X, Survival(other, event), method).scores, expected, atol=1e-12)
        assert np.abs(rank(X, Survival(time, ~event), method).scores - expected).max() > 1e-3
        assert not rank(X, Survival(np.ones(30), event), method).scores.any()


def test_places_are_expected_differences():
    """By draws of the unknown places."""
    rng = np.random.default_rng(0)
    time, event = rng.integers(1, 9, 12).astype(float), rng.random(12) < 0.6
    target = Times.measure(time, event)
    U = np.where(target.is_exact[:, None], target.low[:, None], 0)
    U = U + np.where(
        target.is_exact[:, None], 0, target.low[:, None] + (1 - target.low[:, None]) * rng.random((12, 40_000))
    )
    i, j = np.triu_indices(12, 1)
    found = target.difference(i, j, None)
    np.testing.assert_allclose(found, np.abs(U[i] - U[j]).mean(axis=1), atol=0.01)
    np.testing.assert_allclose(target.difference(j, i, None), found, atol=1e-12)


def test_ways_to_give_times():
    pd = pytest.importorskip("pandas")
    X, time, event = times()
    expected = rank(X, Survival(time, event), "multisurf")
    assert (expected.info["task"], expected.info["events"], expected.info["censored"]) == ("survival", 14, 16 / 30)
    assert METHODS[rank(X, Survival(time, event)).method].name == "multisurf"
    structured = np.array([*zip(event, time, strict=True)], dtype=[("died", bool), ("days", float)])
    two = np.column_stack([event, time])
    frame = pd.DataFrame({"days": time, "died": event})
    for y, options in ((structured, {}), (two, {"task": "survival"}), (frame, {"task": "survival"})):
        np.testing.assert_array_equal(rank(X, y, "multisurf", **options).scores, expected.scores)
    gaps = time.copy()
    gaps[3] = np.nan
    rest = np.arange(30) != 3
    found = rank(X, Survival(gaps, event), "multisurf", covariates=X[:, 2])
    without = rank(X[rest], Survival(time[rest], event[rest]), "multisurf", covariates=X[rest, 2])
    np.testing.assert_array_equal(found.scores, without.scores)
    few = rank(X, Survival(time, np.arange(30) < 5), "rrelieff")
    assert few.info["warnings"] == ["only 5 events: scores say little"]


def test_significance_of_times():
    rng = np.random.default_rng(5)
    n = 400
    X, c = rng.normal(size=(n, 8)), rng.normal(size=n)
    X[:, 0] = c + 0.02 * rng.normal(size=n)
    T, C = rng.exponential(size=n) * np.exp(-1.5 * c), rng.exponential(size=n) * 2
    y = Survival(np.minimum(T, C), T <= C)
    assert significance(X, y, "multisurf", n_shuffles=3).z[0] > 6
    assert abs(significance(X, y, "multisurf", covariates=c, n_shuffles=3).z[0]) < 3
    assert significance(X, y, "rrelieff", n_shuffles=3).z[0] > 4


def test_times_are_permuted_within_strata_of_risk():
    rng = np.random.default_rng(3)
    X, c = rng.normal(size=(100, 3)), rng.normal(size=100)
    y = Survival(rng.exponential(size=100) * np.exp(-c), rng.random(100) < 0.5)
    study = check_call(X, y, "multisurf", covariates=c).study
    risk = cox_risk(y.time, y.event, study.Z)
    place = np.empty(100, int)
    place[np.argsort(risk)] = np.arange(100)
    of_time = {time: int((place[row] + 0.5) * 6 / 100) for row, time in enumerate(y.time)}
    for number in range(3):
        permuted = study.permuted(number).columns[0][:, 0]
        assert (permuted != y.time).any()
        assert [of_time[time] for time in permuted] == [of_time[time] for time in y.time]
    notes = significance(X, y, "multisurf", covariates=c, n_shuffles=3).notes
    assert notes[0].endswith("keep their relation with number 1, within 6 strata of like risk")
    two = significance(X, y, "multisurf", covariates=c > 0, n_shuffles=3).notes  # rows of equal risk stay together
    assert two[0].endswith("within 2 strata of like risk")


def censored_by_a_strong_covariate(seed, n=40):
    """Times of which most are censored, and a number, its square and its cube, which are correlated columns."""
    rng = np.random.default_rng(seed)
    c = rng.normal(size=n)
    death, end = rng.exponential(size=n) * np.exp(-2 * c), rng.exponential(size=n) * 0.3
    Z = np.column_stack([c, c**2, c**3])
    return np.minimum(death, end).round(2), death <= end, (Z - Z.mean(axis=0)) / Z.std(axis=0)


@pytest.mark.parametrize("seed", range(3))
def test_risk_by_covariates_equals_loops(seed):
    time, event, Z = censored_by_a_strong_covariate(seed)
    b = naive.cox_coefficients(time, event, Z, ridge=1.0)
    np.testing.assert_allclose(cox_risk(time, event, Z), np.exp(Z @ b), rtol=1e-7)


@pytest.mark.parametrize("seed", range(10))
def test_newtons_method_converges(seed):
    """At the largest likelihood with a ridge of 1, covariates have the products b with residuals."""
    time, event, Z = censored_by_a_strong_covariate(seed, n=200)
    level = np.random.default_rng(seed).random(200) < 0.1
    without_events = np.column_stack([Z, level - level.mean()])
    for columns, seen in (Z, event), (without_events, event & ~level):
        risk = cox_risk(time, seen, columns)
        b = np.linalg.lstsq(columns, np.log(risk), rcond=None)[0]
        np.testing.assert_allclose(np.exp(columns @ b), risk)
        np.testing.assert_allclose(columns.T @ martingale(time, seen, risk), b, atol=1e-6)


@pytest.mark.slow
def test_level_with_a_covariate_and_much_censoring():
    small = []
    for seed in range(40):
        rng = np.random.default_rng((seed, 5252))
        X, c = rng.normal(size=(200, 40)), rng.normal(size=200)
        X[:, :10] = 0.8 * c[:, None] + 0.6 * X[:, :10]
        death, end = rng.exponential(size=200) * np.exp(-c), rng.exponential(size=200) * 0.25
        y = Survival(np.minimum(death, end), death <= end)
        small.append(significance(X, y, "multisurf", covariates=c, n_shuffles=25).p <= 0.001)
    assert np.mean(small) <= 0.003


def test_score_test_beside_covariates():
    """With the twin of the filter; the coefficients are those of the model that the product fits."""
    X, time, event = times()
    X = np.c_[X, np.arange(30) % 3]
    nominal, y = np.arange(5) == 4, Survival(time, event)
    study = check_call(X, y, "multisurf", covariates=np.cos(np.arange(30))).study
    b = np.linalg.lstsq(study.Z, np.log(cox_risk(time, event, study.Z)), rcond=None)[0]
    found = rank(X, y, "coxscore", nominal=nominal, covariates=np.cos(np.arange(30)))
    expected = coxscore(X, np.column_stack([time, event]), nominal, study.Z, b)
    np.testing.assert_allclose(found.scores, expected, rtol=1e-9)
    assert found.info["information"][0] == "adjusted for number 1: the model of the test has them"
    assert np.abs(found.scores - rank(X, y, "coxscore", nominal=nominal).scores).max() > 0.01
    assert not rank(X, Survival(np.ones(30), event), "coxscore").scores.any()


def test_features_alone():
    """p-values are those of the score test and of the smooth test, whatever the method, beside covariates if there are
    any."""
    X, time, event = times()
    X[2, 1] = np.nan
    X = np.c_[X, np.arange(30) % 2]
    nominal, y, c = np.arange(5) == 4, Survival(time, event), np.cos(np.arange(30))
    for more in {}, {"covariates": c}:
        study = check_call(X, y, "multisurf", **more).study
        Z = study.Z if more else np.zeros((30, 0))
        risk = cox_risk(time, event, Z)
        tests = [significance(X, y, m, nominal=nominal, n_shuffles=2, **more).alone for m in ("multisurf", "rrelieff")]
        scores = rank(X, y, "coxscore", nominal=nominal, **more).scores
        monotone = chi2.sf(scores, 1)
        if not more:
            rest = np.arange(30) != 2
            monotone[1] = chi2.sf(rank(X[rest, 1:2], Survival(time[rest], event[rest]), "coxscore").scores[0], 1)
        for found in tests:
            for a in range(5) if not more else (0, 2, 3, 4):
                known = ~np.isnan(X[:, a])
                waves = smooth.of_times(X[known, a], time[known], event[known], risk[known], Z[known])
                expected = monotone[a] if nominal[a] else doubled(monotone[a], waves)
                assert found[a] == pytest.approx(expected, rel=1e-8)
    codes = np.arange(30) % 3
    two = (codes[:, None] == [1, 2]).astype(float)
    hazards = Hazards.of(time, event, np.ones(30))
    V, U = hazards.information(two, two), two.T @ hazards.residuals
    found = significance(codes[:, None], y, "coxscore", nominal=[True], n_shuffles=2).alone
    np.testing.assert_allclose(found, chi2.sf(U @ np.linalg.solve(V, U), 2))


def test_bad_times_are_named():
    X, time, event = times()
    first = np.where(np.arange(30) == 0, -1.0, time)
    two = np.column_stack([event, ~event])
    for y, options, message in (
        (Survival(first, event), {}, "times must be finite and at least 0: correct that of row 1"),
        (Survival(time, time), {}, "events must be True or 1"),
        (Survival(time, np.zeros(30)), {}, "all rows are censored"),
        (Survival(time[:29], event), {}, "X has 30 rows, but times have the shape"),
        (Survival(time, event), {"task": "regression"}, "the task is survival"),
        (Survival(time, event), {"method": "relieff"}, "not for survival: rank times with censoring by .* coxscore"),
        (two, {"task": "survival"}, "not clear: give Survival"),
        (time, {"task": "survival"}, "two columns"),
        (time[:2], {"task": "survival"}, "two columns"),
        (None, {"task": "survival"}, "two columns"),
        (event, {"method": "coxscore"}, r"is for survival, not for classification: give y as Survival\(time, event\)"),
    ):
        with pytest.raises(ValueError, match=message):
            rank(X, y, **{"method": "multisurf", **options})
