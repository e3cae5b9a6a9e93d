"""Masked values, and those missing for pandas, are missing, in features and targets, wherever they are taken."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import DataConversionWarning
from sklearn.neighbors import KNeighborsClassifier

from orangecontrib.reliefe.core import METHODS, rank
from orangecontrib.reliefe.core import embedding as space
from orangecontrib.reliefe.core import evaluation as judge
from orangecontrib.reliefe.core.estimators import ForestClassifier, ForestRanker, ForestRegressor, ReliefRanker
from orangecontrib.reliefe.tests.samples import REPRESENTATIVES

N, P = 24, 4
RNG = np.random.default_rng(7)
X = RNG.integers(0, 9, (N, P)).astype(float)
HOLES = RNG.random((N, P)) < 0.15
GAPS = np.arange(N) % 6 == 1
CLASSES, NUMBERS = np.arange(N) % 3, np.round(X[:, 0] + RNG.random(N), 3)
LABELS = (RNG.random((N, 3)) < 0.4).astype(int)
SEVERAL = RNG.random((N, 3))
CELLS = RNG.random((N, 3)) < 0.2
UNDER = -999  # what is under a mask


pytestmark = pytest.mark.usefixtures("no_warnings")


def masked(values, holes):
    return np.ma.array(np.where(holes, UNDER, values).astype(values.dtype), mask=holes)


def objects(values, holes, gap):
    out = values.astype(object)
    for place in zip(*np.nonzero(holes)):
        out[place] = gap if gap is not np.ma.masked else None
    if gap is np.ma.masked:  # NumPy stores the value under the mask, unless it makes the array
        out = np.array([gap if v is None else v for v in out.flat] + [None], object)[:-1].reshape(out.shape)
    return out


TABLES = {
    "floats": masked,
    "integers": lambda values, holes: masked(values.astype(int), holes),
    "bytes": lambda values, holes: np.ma.array(values.astype(np.uint8), mask=holes),
    "rows": lambda values, holes: list(masked(values, holes)),
    "objects": lambda values, holes: np.ma.array(objects(values, holes, "?"), mask=holes),
    "NA": lambda values, holes: objects(values, holes, pd.NA),
    "masked objects": lambda values, holes: objects(values, holes, np.ma.masked),
    "Int64": lambda values, holes: pd.DataFrame(values).astype("Int64").mask(holes),
    "Float64": lambda values, holes: pd.DataFrame(values).astype("Float64").mask(holes),
    "UInt8": lambda values, holes: pd.DataFrame(values).astype("UInt8").mask(holes),
}
COLUMNS = {
    "integers": masked,
    "texts": lambda y, gaps: np.ma.array(y.astype(str), mask=gaps),
    "objects": lambda y, gaps: np.ma.array(objects(y, gaps, "?"), mask=gaps),
    "column": lambda y, gaps: masked(y, gaps)[:, None],
    "list": lambda y, gaps: [np.ma.masked if gap else v for v, gap in zip(y.tolist(), gaps)],
    "NA": lambda y, gaps: objects(y, gaps, pd.NA),
    "Int64": lambda y, gaps: pd.Series(y).astype("Int64").mask(gaps),
    "array": lambda y, gaps: pd.array(objects(y, gaps, None), dtype="Int64"),
    "string": lambda y, gaps: pd.Series(y.astype(str), dtype="string").mask(gaps),
    "category": lambda y, gaps: pd.Series(y).astype("category").mask(gaps),
    "Categorical": lambda y, gaps: pd.Categorical(objects(y, gaps, None)),
    "frame": lambda y, gaps: pd.DataFrame({"y": pd.Series(y).astype("Int64").mask(gaps)}),
}


def target_of(tasks):
    """With gaps, for the first of these tasks."""
    return {
        "classification": objects(CLASSES, GAPS, None),
        "regression": np.where(GAPS, np.nan, NUMBERS),
        "unsupervised": None,
    }[tasks[0]]


@pytest.mark.parametrize("form", TABLES)
def test_features(form):
    expected = rank(np.where(HOLES, np.nan, X), CLASSES, "relieff")
    np.testing.assert_array_equal(rank(TABLES[form](X, HOLES), CLASSES, "relieff").scores, expected.scores)


@pytest.mark.parametrize("method", REPRESENTATIVES)
@pytest.mark.parametrize("form", ["integers", "Int64"])
def test_features_of_every_method(method, form):
    y = target_of(METHODS[method].tasks)
    more = {"embedding": None} if method == "reliefe" else {}
    expected = rank(np.where(HOLES, np.nan, X), y, method, **more)
    assert expected.info["missing"] > 0
    np.testing.assert_array_equal(rank(TABLES[form](X, HOLES), y, method, **more).scores, expected.scores)


@pytest.mark.parametrize("form", COLUMNS)
def test_classes(form):
    found = rank(X, COLUMNS[form](CLASSES, GAPS), "multisurf")
    np.testing.assert_array_equal(found.scores, rank(X[~GAPS], CLASSES[~GAPS], "multisurf").scores)


@pytest.mark.parametrize("method", [name for name in REPRESENTATIVES if "classification" in METHODS[name].tasks])
def test_classes_of_every_method(method):
    more = {"embedding": None} if method == "reliefe" else {}
    expected = rank(X, objects(CLASSES, GAPS, None), method, **more).scores
    np.testing.assert_array_equal(rank(X, masked(CLASSES, GAPS), method, **more).scores, expected)


@pytest.mark.parametrize("given", [
    masked(NUMBERS, GAPS), np.ma.array(NUMBERS.astype(np.float32), mask=GAPS),
    pd.Series(NUMBERS).astype("Float64").mask(GAPS), objects(NUMBERS, GAPS, np.ma.masked)],
    ids=["masked", "single", "Float64", "objects"])  # fmt: skip
def test_numbers(given):
    found = rank(X, given, "rrelieff")
    assert found.info["task"] == "regression"
    np.testing.assert_allclose(found.scores, rank(X[~GAPS], NUMBERS[~GAPS], "rrelieff").scores, atol=1e-6)


def test_bools():
    for given in (masked(CLASSES == 1, GAPS), pd.Series(CLASSES == 1).astype("boolean").mask(GAPS)):
        found = rank(X, given, "multisurf")
        np.testing.assert_array_equal(found.scores, rank(X[~GAPS], CLASSES[~GAPS] == 1, "multisurf").scores)


@pytest.mark.parametrize("form", TABLES)
def test_label_sets(form):
    """One row lacks a label only."""
    found = rank(X, TABLES[form](LABELS.astype(float), CELLS), "sslrelief", w0=0, w1=1, n_neighbors=3)
    expected = rank(X, np.where(CELLS, np.nan, LABELS), "sslrelief", w0=0, w1=1, n_neighbors=3)
    assert found.info["task"] == "multi-label"
    np.testing.assert_array_equal(found.scores, expected.scores)


@pytest.mark.parametrize("given", [
    masked(SEVERAL, CELLS), pd.DataFrame(SEVERAL).astype("Float64").mask(CELLS), objects(SEVERAL, CELLS, pd.NA)],
    ids=["masked", "Float64", "objects"])  # fmt: skip
def test_several_targets(given):
    expected = rank(X, np.where(CELLS, np.nan, SEVERAL), "rrelieff")
    found = rank(X, given, "rrelieff")
    assert found.info["task"] == "multi-target"
    np.testing.assert_array_equal(found.scores, expected.scores)


def test_a_mask_without_a_gap_changes_nothing():
    for values in (X, X.astype(int), X > 3):
        np.testing.assert_array_equal(
            rank(np.ma.array(values), np.ma.array(CLASSES), "relieff").scores, rank(values, CLASSES, "relieff").scores
        )


def test_all_masked():
    assert not rank(np.ma.masked_all((N, P)), CLASSES, "relieff").scores.any()
    with pytest.raises(ValueError, match="unknown in all rows"):
        rank(X, np.ma.masked_all(N), "relieff")


def test_what_is_under_the_mask_does_not_count():
    under = np.ma.array(np.where(HOLES, np.inf, X), mask=HOLES)
    expected = rank(np.where(HOLES, np.nan, X), CLASSES, "relieff")
    np.testing.assert_array_equal(rank(under, CLASSES, "relieff").scores, expected.scores)
    assert np.isinf(under.data[HOLES]).all()  # as it was


def test_nominal_columns_of_frames():
    letters = pd.Series(list("abc"))[CLASSES].reset_index(drop=True)
    for column in (letters.astype("string"), letters.astype("category"), pd.Series(CLASSES == 1).astype("boolean")):
        codes = np.where(GAPS, np.nan, column.astype("category").cat.codes)
        found = rank(pd.DataFrame({"a": column.mask(GAPS), "b": X[:, 0]}), NUMBERS, "rrelieff")
        expected = rank(np.column_stack([codes, X[:, 0]]), NUMBERS, "rrelieff", nominal=[0])
        np.testing.assert_array_equal(found.scores, expected.scores)


@pytest.mark.parametrize("estimator", [ReliefRanker("relieff"), ForestRanker(n_trees=10)], ids=["relief", "forest"])
@pytest.mark.parametrize("form", ["floats", "integers", "Int64"])
def test_rankers(estimator, form):
    expected = estimator.fit(np.where(HOLES, np.nan, X), objects(CLASSES, GAPS, None)).scores_
    found = estimator.fit(TABLES[form](X, HOLES), masked(CLASSES, GAPS))
    np.testing.assert_array_equal(found.scores_, expected)
    np.testing.assert_array_equal(
        found.fit(X, pd.Series(CLASSES).astype("Int64")).scores_, found.fit(X, CLASSES).scores_
    )


def test_transforming():
    chosen = ReliefRanker("relieff").fit(X, CLASSES)
    np.testing.assert_array_equal(
        chosen.transform(masked(X.astype(int), HOLES)), np.where(HOLES, np.nan, X)[:, chosen.get_support()]
    )


def test_columns_are_warned_of():
    with pytest.warns(DataConversionWarning):
        ReliefRanker("relieff").fit(X, masked(CLASSES, GAPS)[:, None])


@pytest.mark.parametrize("kind, y", [(ForestClassifier, CLASSES), (ForestRegressor, NUMBERS)])
def test_forests(kind, y):
    forest = kind(10)
    expected = forest.fit(np.where(HOLES, np.nan, X), y).predict(np.where(HOLES, np.nan, X))
    given = masked(X, HOLES)
    np.testing.assert_array_equal(forest.fit(given, y).predict(given), expected)
    for gaps in (masked(y, GAPS), pd.Series(y).convert_dtypes().mask(GAPS)):
        with pytest.raises(ValueError, match="NaN"):
            forest.fit(X, gaps)


HOLED, MASKED = np.where(HOLES, np.nan, X), masked(X, HOLES)
ONE = [(np.arange(N // 2), np.arange(N // 2, N))]


def differences(X, y):
    """A ranker that tells whether it was given what is missing as NaN and None."""
    assert not isinstance(X, np.ma.MaskedArray)
    assert not isinstance(y, np.ma.MaskedArray)
    return rank(X, y, "relieff" if np.ndim(y) == 1 else "rrelieff").scores


@pytest.mark.parametrize("task, y, holes", [
    ("classification", CLASSES, GAPS), ("multi-label", LABELS, CELLS)], ids=["classes", "labels"])  # fmt: skip
def test_quality(task, y, holes):
    known = objects(y, holes, None) if task == "classification" else np.where(holes, np.nan, y)
    options = {"task": task, "sizes": [1, 2], "parts": ONE, "estimator": KNeighborsClassifier(3)}
    found = judge.quality_curve(differences, MASKED, masked(y, holes), **options)
    np.testing.assert_array_equal(found.values, judge.quality_curve(differences, HOLED, known, **options).values)
    found = judge.clustering_hypothesis(MASKED, masked(y, holes), task)
    assert found == judge.clustering_hypothesis(HOLED, known, task)


def test_neighbours():
    near = judge.weighted_knn(HOLED, np.where(GAPS, np.nan, NUMBERS), HOLED, np.ones(P), 3)
    np.testing.assert_array_equal(judge.weighted_knn(MASKED, masked(NUMBERS, GAPS), MASKED, np.ones(P), 3), near)
    votes = judge.weighted_knn(X, masked(CLASSES, GAPS), X, np.ones(P), 1)
    assert [vote is None for vote in votes] == GAPS.tolist()
    np.testing.assert_array_equal(votes[~GAPS], CLASSES[~GAPS])


def test_measures_and_scores():
    assert judge.rrmse(masked(NUMBERS, GAPS), X[:, 0]) == judge.rrmse(np.where(GAPS, np.nan, NUMBERS), X[:, 0])
    scores = judge.aggregate(masked(SEVERAL, CELLS)).scores
    np.testing.assert_array_equal(scores, judge.aggregate(np.where(CELLS, np.nan, SEVERAL)).scores)


def test_folds():
    classes = np.where(GAPS, 9, CLASSES)
    for found, expected in zip(judge.folds(N, 3, 1, masked(CLASSES, GAPS)), judge.folds(N, 3, 1, classes), strict=True):
        np.testing.assert_array_equal(found[1], expected[1])


@pytest.mark.parametrize("form", ["floats", "integers", "Int64", "Float64"])
@pytest.mark.parametrize("function", [
    space.intrinsic_dimension, space.sparsify, lambda X: space.embed(X, np.arange(8), 2, "pca"),
    lambda X: space.spectral_error(X, X)], ids=["dimension", "sparsify", "embed", "spectral_error"])  # fmt: skip
def test_what_needs_complete_data_says_so(function, form):
    function(TABLES[form](X, np.zeros((N, P), bool)))
    with pytest.raises(ValueError, match="X has missing or infinite values"):
        function(TABLES[form](X, HOLES))
