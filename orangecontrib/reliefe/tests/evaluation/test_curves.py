"""Curves of quality: ranked in the training fold only, every task, any estimator, areas, references, clusters."""

import importlib

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import Interrupted, Survival
from orangecontrib.reliefe.core.evaluation import (
    MEASURES,
    Trial,
    blocks,
    clustering_hypothesis,
    convergence,
    curve_area,
    enough,
    folds,
    quality_curve,
    references,
    rmse_1nn,
    rrmse,
)
from orangecontrib.reliefe.core.evaluation.cluster_agreement import explained
from orangecontrib.reliefe.core.evaluation.predictors import Predictor

TASKS = ("classification", "regression", "multi-target", "multi-label", "hierarchical", "unsupervised")


@pytest.fixture(autouse=True)
def _small_forests(monkeypatch):
    """Few trees in the forests that predict by default, and in those of the reference."""
    for name in ("predictors", "references"):
        monkeypatch.setattr(importlib.import_module(f"orangecontrib.reliefe.core.evaluation.{name}"), "N_TREES", 10)


def data(task="classification", seed=0, n=60, p=6):
    """Features 3 and 1 tell the target, the others nothing."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, p))
    signal = X[:, 3] + 0.5 * X[:, 1]
    if task == "classification":
        return X, np.where(signal > np.median(signal), "yes", "no")
    if task == "regression":
        return X, signal
    if task == "multi-target":
        return X, np.column_stack([signal, X[:, 3]])
    if task in ("multi-label", "hierarchical"):
        return X, np.column_stack([signal > 0.5, signal > 0.9, X[:, 3] > 0.4]).astype(float)
    return np.column_stack([X, X[:, 3] * 2, X[:, 3] + 1]), None


def oracle(X, y):
    scores = np.zeros(X.shape[1])
    scores[[3, 1]] = 2, 1
    return scores


def blind(X, y):
    return -oracle(X, y)


def test_concordance_of_times():
    rng = np.random.default_rng(0)
    X, parts = rng.random((90, 4)), folds(90, 2)
    time, event = rng.exponential(size=90) * np.exp(-6 * X[:, 2]), rng.random(90) < 0.7
    y = Survival(np.where(np.arange(90) == 5, np.nan, time), event)
    good, bad = (
        quality_curve(lambda X, y, j=j: np.eye(4)[j], X, y, "survival", sizes=[1], parts=parts) for j in (2, 0)
    )
    assert (good.measure, good.higher_is_better, good.n_rows.sum()) == ("concordance", True, 89)
    assert good.mean[0] > 0.7 > 0.6 > bad.mean[0]
    assert references("survival")["f-score"](X, np.column_stack([time, event])).argmax() == 2
    with pytest.raises(ValueError, match="measures of survival are concordance"):
        quality_curve(oracle, X, y, "survival", measure="rrmse")


def nearest(kind="Classifier", k=1):
    from sklearn import neighbors

    return getattr(neighbors, f"KNeighbors{kind}")(k, algorithm="brute")


# ---- areas


@pytest.mark.parametrize(
    "sizes, values, area",
    [
        ([1, 2, 3, 4], [0.5, 0.8, 1, 1], 2.583333333333333 / 3),
        ([1, 2, 4, 8], [0.5, 0.8, 1, 1], 2.583333333333333 / 3),  # on logarithms
        ([5], [0.7], 0.7),
        ([1, 2], [0.2, 0.4], 0.3),
        ([1, 2, 4, 5], [1, 1, 1, 1], 1),
        ([1, 3, 4, 9], [2, 2, 2, 2], 2),
    ],
)
def test_areas(sizes, values, area):
    assert curve_area(sizes, values) == pytest.approx(area, abs=1e-12)


def test_a_size_after_the_last_power_of_two_does_not_upset_the_area():
    sizes = [2**j for j in range(11)]
    values = np.linspace(0.5, 1, 11)
    assert curve_area([*sizes, 1025], [*values, 0.99]) == pytest.approx(curve_area(sizes, values), abs=1e-3)


@pytest.mark.parametrize("sizes, values", [([1, 2], [1]), ([], []), ([2, 1], [1, 1]), ([0, 1], [1, 1])])
def test_bad_areas(sizes, values):
    with pytest.raises(ValueError, match="sizes"):
        curve_area(sizes, values)


# ---- curves


@pytest.mark.parametrize("task", TASKS)
def test_good_features_first_are_better(task):
    X, y = data(task)
    parts = folds(60, 3)
    estimator = None if task == "unsupervised" else nearest("Classifier" if y.dtype.kind == "U" else "Regressor", 3)
    good, bad = (quality_curve(rank, X, y, task, estimator=estimator, parts=parts) for rank in (oracle, blind))
    assert good.sizes.tolist() == ([1, 2, 4, 8] if task == "unsupervised" else [1, 2, 4, 6])
    assert good.values.shape == (3, 4)
    sign = 1 if good.higher_is_better else -1
    assert sign * good.mean[0] > sign * bad.mean[0]
    assert sign * good.area > sign * bad.area
    assert good.values[:, -1] == pytest.approx(good.whole)
    assert good.relative[-1] == pytest.approx(1)
    assert good.relative_area == pytest.approx(curve_area(good.sizes, good.mean / good.whole.mean()))
    assert good.n_rows.tolist() == [20, 20, 20]


@pytest.mark.parametrize("task", TASKS)
def test_ranker_sees_training_rows_only(task):
    X, y = data(task)
    parts, seen = folds(60, 3), []

    def ranker(rows, target):
        seen.append((rows, target))
        return np.zeros(rows.shape[1])

    quality_curve(
        ranker,
        X,
        y,
        task,
        estimator=nearest("Regressor") if task != "classification" else nearest(),
        sizes=[1],
        parts=parts,
    )
    for (rows, target), (train, _) in zip(seen, parts):
        assert np.array_equal(rows, X[train])
        assert target is None if y is None else np.array_equal(target, y[train])


def test_test_rows_do_not_change_what_is_learned():
    """Features are scaled by the training rows; a ranker of noise that sees its test rows would look good."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(60, 400)), np.arange(60) % 2

    def best(rows, target):
        return np.abs(rows[target == 1].mean(axis=0) - rows[target == 0].mean(axis=0))

    leaking = best(X, y)
    parts = folds(60, 5)
    honest = quality_curve(best, X, y, sizes=[8], parts=parts)
    cheating = quality_curve(lambda rows, target: leaking, X, y, sizes=[8], parts=parts)
    assert honest.mean[0] < 0.65
    assert cheating.mean[0] > honest.mean[0] + 0.1


def test_classes_by_hand():
    X, y = data()
    parts = folds(60, 4)
    curve = quality_curve(oracle, X, y, estimator=nearest(), sizes=[2], parts=parts)
    for fold, (train, test) in enumerate(parts):
        low, span = X[train].min(axis=0), np.ptp(X[train], axis=0)
        scaled = ((X - low) / span)[:, [1, 3]]
        found = nearest().fit(scaled[train], y[train]).predict(scaled[test])
        assert curve.values[fold, 0] == np.mean(y[test] == found)


@pytest.mark.parametrize("task, measure", [("multi-target", rrmse), ("multi-label", MEASURES["auprc"].function)])
def test_several_targets_by_hand(task, measure):
    X, y = data(task)
    curve = quality_curve(oracle, X, y, task, estimator=nearest("Regressor", 5), sizes=[1], parts=folds(60, 3))
    for fold, (train, test) in enumerate(folds(60, 3)):
        found = nearest("Regressor", 5).fit(X[train][:, [3]], y[train]).predict(X[test][:, [3]])
        assert curve.values[fold, 0] == pytest.approx(measure(y[test], found), abs=1e-9)


def test_f1_of_label_sets_by_hand():
    X, y = data("multi-label")
    options = {"estimator": nearest("Regressor", 5), "sizes": [1], "parts": folds(60, 3), "measure": "micro_f1"}
    curve = quality_curve(oracle, X, y, "multi-label", **options)
    for fold, (train, test) in enumerate(folds(60, 3)):
        found = nearest("Regressor", 5).fit(X[train][:, [3]], y[train]).predict(X[test][:, [3]]) > 0.5
        true = y[test] > 0
        expected = 2 * (found & true).sum() / (found.sum() + true.sum())
        assert curve.values[fold, 0] == pytest.approx(expected, abs=1e-9)
    with pytest.raises(ValueError, match="measures of multi-label are auprc, micro_f1, not 'f1'"):
        quality_curve(oracle, X, y, "multi-label", **{**options, "measure": "f1"})


def test_reconstruction_is_that_of_the_published_comparison():
    X, _ = data("unsupervised")
    X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    parts = blocks(60, 3)
    order = np.argsort(-oracle(X, None), kind="stable")
    expected = rmse_1nn(X, lambda train: order, [1, 4], parts)[1]
    own = quality_curve(oracle, X, task="unsupervised", sizes=[1, 4], parts=parts)
    assert own.values == pytest.approx(expected, rel=0.1)  # ranges are of the training rows here
    other = quality_curve(oracle, X, task="unsupervised", sizes=[1, 4], parts=parts, estimator=nearest("Regressor"))
    assert other.values == pytest.approx(own.values)


def test_several_rankings_are_averaged():
    X, y = data()
    few = {"parts": folds(60, 3), "estimator": nearest()}
    both = quality_curve(lambda *d: np.array([oracle(*d), blind(*d)]), X, y, **few)
    one, two = (quality_curve(ranker, X, y, **few) for ranker in (oracle, blind))
    assert both.values == pytest.approx((one.values + two.values) / 2)


def test_nominal_features_missing_values_and_sparse_tables():
    X, y = data()
    nominal = np.round(X * 3)
    few = {"sizes": [2], "parts": folds(60, 3)}
    good = quality_curve(oracle, nominal, y, nominal=np.ones(6, bool), **few)
    assert good.mean[0] > 0.7
    holes = X.copy()
    holes[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    assert quality_curve(oracle, holes, y, **few).mean[0] > 0.7
    zeros = np.where(X < 0.4, 0, X)
    dense, csr = (quality_curve(oracle, table, y, **few) for table in (zeros, sparse.csr_array(zeros)))
    assert csr.values == pytest.approx(dense.values)


@pytest.mark.parametrize("task", TASKS[:5])
def test_unknown_targets(task):
    X, y = data(task)
    y = y.astype(object) if task == "classification" else y.copy()
    y[40:] = None if task == "classification" else np.nan
    parts, seen = folds(60, 3), []

    def ranker(rows, target):
        seen.append(len(rows))
        return oracle(rows, target)

    estimator = nearest("Classifier" if task == "classification" else "Regressor", 3)
    curve = quality_curve(ranker, X, y, task, estimator=estimator, sizes=[2, 6], parts=parts)
    assert seen == [40, 40, 40]
    assert curve.n_rows.tolist() == [np.count_nonzero(test < 40) for _, test in parts]
    assert np.isfinite(curve.mean).all()


def test_folds_without_anything_known():
    X, y = data("regression")
    y[:20] = np.nan
    parts = [(np.arange(20, 60), np.arange(20)), (np.arange(40), np.arange(40, 60)), (np.arange(20), np.arange(20, 60))]
    curve = quality_curve(oracle, X, y, "regression", estimator=nearest("Regressor"), sizes=[1], parts=parts)
    assert np.isnan(curve.values.ravel()).tolist() == [True, False, True]
    assert curve.mean[0] == curve.values[1, 0]


def test_one_class_in_a_training_fold():
    X, y = data()
    y = np.array(["a"] * 40 + ["b"] * 20)
    curve = quality_curve(oracle, X, y, sizes=[1], parts=[(np.arange(40), np.arange(40, 60))])
    assert curve.values[0, 0] == 0


def test_measures_of_classes():
    X, y = data()
    rare = np.where(X[:, 3] + 0.5 * X[:, 1] > 1.1, "rare", "often")
    few = {"sizes": [1], "parts": folds(60, 3), "estimator": nearest()}
    found = {m: quality_curve(oracle, X, rare, measure=m, **few).mean[0] for m in ("f1", "macro_f1")}
    assert found["f1"] < found["macro_f1"]
    assert Predictor.read(rare, "classification", 60, "f1").quality(np.array([0, 1]), np.array([0, 1])) == 1
    assert Predictor.read(rare, "classification", 60, "f1").quality.keywords == {"positive": 1}
    assert quality_curve(oracle, X, y, measure="accuracy", **few).measure == "accuracy"


@pytest.mark.parametrize("labels", [1, 3])
@pytest.mark.parametrize("kind", ["forest", "neighbours", "one by one", "decision"])
def test_labels_by_all_kinds_of_estimators(kind, labels):
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression, RidgeClassifier
    from sklearn.multioutput import MultiOutputClassifier

    estimator = {
        "forest": RandomForestClassifier(5, random_state=0),
        "neighbours": nearest(k=5),
        "one by one": MultiOutputClassifier(LogisticRegression()) if labels > 1 else LogisticRegression(),
        "decision": RidgeClassifier(),
    }[kind]
    X, y = data("multi-label")
    y = y[:, -labels:]
    curve = quality_curve(oracle, X, sparse.csr_array(y), "multi-label", estimator=estimator, parts=folds(60, 3))
    assert curve.mean[1] > 0.8


def test_a_label_that_no_training_row_has():
    X, y = data("multi-label")
    y[:, 1] = 0
    y[50:, 1] = 1
    curve = quality_curve(
        oracle, X, y, "multi-label", sizes=[1], parts=[(np.arange(50), np.arange(50, 60))], estimator=nearest(k=3)
    )
    assert 0 < curve.values[0, 0] < 1


def test_seeds_threads_and_progress():
    X, y = data("regression", n=30)
    shares = []
    one, two = (
        quality_curve(oracle, X, y, "regression", sizes=[1, 2], parts=folds(30, 2), n_jobs=jobs, progress=shares.append)
        for jobs in (1, 2)
    )
    assert np.array_equal(one.values, two.values)
    assert shares[-1] == 1

    def stop(share):
        raise Interrupted

    with pytest.raises(Interrupted):
        quality_curve(oracle, X, y, "regression", progress=stop, estimator=nearest("Regressor"))


@pytest.mark.parametrize(
    "y, task, parameters, message",
    [
        (np.zeros(60), "ranking", {}, "unknown task 'ranking'; choose from classification"),
        (np.zeros(59), "regression", {}, r"does not fit 60 rows: its shape is \(59,\)"),
        (np.zeros((60, 2)), "regression", {}, "does not fit"),
        (np.zeros((60, 2)), "classification", {}, "must have one value"),
        (np.zeros(60), "multi-target", {}, "does not fit"),
        (np.full(60, np.nan), "classification", {}, "unknown in all rows"),
        (np.full(60, np.nan), "regression", {}, "some of them known"),
        (np.full(60, np.inf), "regression", {}, "finite"),
        (np.zeros(60), "classification", {"measure": "rrmse"}, "are accuracy, f1, macro_f1, not 'rrmse'"),
        (None, "unsupervised", {"measure": "f1"}, "is reconstruction, not 'f1'"),
        (np.arange(60) % 2, "classification", {"sizes": [0]}, "from 1 to the 6"),
        (np.arange(60) % 2, "classification", {"sizes": [2, 1]}, "ascending"),
        (np.arange(60) % 2, "classification", {"sizes": np.array([2, 1], np.uint8)}, "ascending"),
        (np.arange(60) % 2, "classification", {"sizes": [7]}, "from 1 to the 6"),
    ],
)
def test_bad_input(y, task, parameters, message):
    with pytest.raises(ValueError, match=message):
        quality_curve(oracle, data()[0], y, task, **parameters)


@pytest.mark.parametrize("scores", [[1, 2], [np.nan] * 6, np.zeros((1, 1, 6))])
def test_bad_scores(scores):
    with pytest.raises(ValueError, match="each of 6 features"):
        quality_curve(lambda X, y: scores, *data())


@pytest.mark.parametrize("share", [0.2, 0.8])
def test_reconstruction_of_sparse_tables(share):
    X, _ = data("unsupervised")
    X = np.where(np.random.default_rng(0).random(X.shape) < share, 0, X)
    X[:, 5] = 0
    dense, csr = (
        quality_curve(lambda rows, y: np.arange(8.0), table, task="unsupervised", parts=folds(60, 3))
        for table in (X, sparse.csr_array(X))
    )
    assert csr.values[:, 1:] == pytest.approx(dense.values[:, 1:])  # one feature alone has ties
    assert csr.whole == pytest.approx(dense.whole)
    with pytest.raises(ValueError, match="nearest row"):
        quality_curve(oracle, sparse.csr_array(np.eye(6)), task="unsupervised", estimator=nearest("Regressor"))


# ---- how many are enough, several rankings in one fold


def test_as_many_features_as_matter():
    values = np.array([[0.5, 0.78, 0.8, 0.7], [0.5, 0.8, 0.84, 0.7], [0.5, 0.74, 0.76, 0.7]])
    error = np.sqrt((1 / 3 + 1 / 2) * values[:, 2].var(ddof=1))
    assert 0.8 - error < 0.7733 < 0.8
    assert enough([1, 2, 4, 8], values, 3) == 2
    assert enough([1, 2, 4, 8], -values, 3, higher_is_better=False) == 2
    assert enough([1, 2, 4, 8], np.tile([0.5, 0.7, 0.8, 0.8], (3, 1)), 3) == 4
    values[0, 2] = np.nan
    assert enough([1, 2, 4, 8], values, 3) == 2
    assert enough([1, 2], [[0.1, 0.2]], 2) is None
    assert enough([1], [[np.nan], [0.1]], 2) is None


def test_each_set_of_features_is_tried_once():
    asked = []

    def quality(features):
        asked.append(features.tolist())
        return float(len(features))

    trial = Trial(quality, 4, np.array([1, 2, 4]))
    assert trial.values([4, 3, 2, 1]).tolist() == [1, 2, 4]
    assert trial.values([[3, 4, 2, 1], [4, 3, 1, 2]]).tolist() == [1, 2, 4]
    assert trial.whole == 4
    assert asked == [[0], [0, 1], [0, 1, 2, 3], [1]]
    with pytest.raises(ValueError, match="4 features"):
        trial.values([1, 2])


# ---- how much a ranking needs


def noisy(amount, X, y):
    """The oracle, among noise that fades."""
    return oracle(X, y) + np.random.default_rng(0).normal(0, 3 / amount, X.shape[1])


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_rankings_from_more_are_better(task):
    X, y = data(task)
    shares = []
    estimator = nearest("Classifier" if task == "classification" else "Regressor", 3)
    found = convergence(noisy, [1, 4, 64], X, y, task, estimator=estimator, progress=shares.append)
    assert found.amounts.tolist() == [1, 4, 64]
    assert found.agreement[0] < found.agreement[2] == pytest.approx(1)
    sign = 1 if task == "classification" else -1
    assert sign * found.areas[2] > sign * found.areas[0]
    assert shares[-1] == 1
    classes = y if task == "classification" else None
    own = quality_curve(lambda *rows: noisy(4, *rows), X, y, task, estimator=estimator, parts=folds(60, 3, 0, classes))
    assert found.curves[1].values == pytest.approx(own.values)
    assert found.areas[1] == pytest.approx(own.relative_area if task == "classification" else own.area)


def test_at_most_a_hundred_features():
    found = convergence(lambda amount, X, y: np.arange(130.0), [5], np.random.default_rng(0).random((12, 130)),
                        task="unsupervised")  # fmt: skip
    assert found.curves[0].sizes.tolist() == [1, 2, 4, 8, 16, 32, 64, 100]


@pytest.mark.parametrize("amounts", [[], [2, 1], [1.5], [[1, 2]], 3])
def test_bad_amounts(amounts):
    with pytest.raises(ValueError, match="amounts must be ascending"):
        convergence(noisy, amounts, *data())


def test_number_of_random_references():
    X, y = data()
    assert references(n_draws=3)["random"](X, y).shape == (3, 6)


# ---- references


@pytest.mark.parametrize("task", TASKS[:5])
def test_references_find_the_features(task):
    X, y = data(task, n=120)
    known = references(task)
    assert list(known) == ["random", "f-score", "random-forest"]
    for name in ("f-score", "random-forest"):
        assert known[name](X, y).argmax() == 3
        codes = np.round(X * 3)
        assert references(task, nominal=np.ones(6, bool))[name](codes, y).argmax() == 3
        assert np.array_equal(known[name](X, y), known[name](X, y))
    assert known["random"](X, y).shape == (10, 6)


def test_f_scores_are_those_of_scikit_learn():
    from sklearn.feature_selection import f_classif, f_regression

    X, y = data()
    assert references()["f-score"](X, y) == pytest.approx(f_classif(X, y)[0])
    X, y = data("regression")
    assert references("regression")["f-score"](X, y) == pytest.approx(f_regression(X, y)[0])
    X, y = data("multi-target")
    y[:, 1] += 0.1 * X[:, 0]
    expected = (f_regression(X, y[:, 0])[0] + f_regression(X, y[:, 1])[0]) / 2
    assert references("multi-target")["f-score"](X, y) == pytest.approx(expected)


def test_features_and_targets_without_variance():
    X, y = data()
    X[:, 0] = 1
    assert references()["f-score"](X, y)[0] == 0
    assert references()["f-score"](X, np.full(60, "a")).tolist() == [0] * 6
    assert np.isfinite(references()["f-score"](np.where(y == "yes", 1.0, 0)[:, None], y)).all()
    zeros = np.where(X < 0.4, 0, X)
    assert references()["f-score"](sparse.csr_array(zeros), y) == pytest.approx(references()["f-score"](zeros, y))


def test_only_random_rankings_without_a_target():
    assert list(references("unsupervised")) == ["random"]


# ---- clusters


def test_clusters_that_are_the_classes():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 4)) + 20 * np.eye(4)[y]
    assert clustering_hypothesis(X, y) == 1
    assert abs(clustering_hypothesis(rng.normal(size=(60, 4)), y)) < 0.2
    assert clustering_hypothesis(X, y.astype(float) ** 2, "regression") == pytest.approx(1)
    assert clustering_hypothesis(X, np.eye(3)[y], "multi-label") == pytest.approx(1)
    assert clustering_hypothesis(sparse.csr_array(np.where(X < 5, 0, X)), y) == 1


def test_explained_variance_by_hand():
    values = np.array([[0.0, 1, 7], [2, 1, 7], [4, 5, 7], [6, 9, 7]])
    clusters = np.array([0, 0, 1, 1])
    shares = 1 - (2 + 2) / 20, 1 - 8 / 44
    assert explained(values, clusters, np.ones(3)) == pytest.approx(np.mean(shares))
    assert explained(values, clusters, np.array([3.0, 1, 5])) == pytest.approx((3 * shares[0] + shares[1]) / 4)
    assert np.isnan(explained(values[:, 2:], clusters, np.ones(1)))


def test_rows_with_gaps_are_clustered_but_do_not_count():
    X, y = data("multi-target")
    y[:10, 0] = np.nan
    found = clustering_hypothesis(X, y, "multi-target")
    assert 0 < found < 1
    assert found == clustering_hypothesis(X, y, "multi-target")


@pytest.mark.parametrize(
    "task, parameters, message",
    [
        ("unsupervised", {}, "must be a target"),
        ("regression", {"n_runs": 0}, "n_runs must be at least 1"),
        ("regression", {"weights": [1, 2]}, "each of 1 targets"),
        ("regression", {"weights": [-1]}, "from 0"),
    ],
)
def test_bad_clusters(task, parameters, message):
    with pytest.raises(ValueError, match=message):
        clustering_hypothesis(*data("regression"), task, **parameters)
