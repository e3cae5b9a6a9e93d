"""A column of X as the target, explanations without X, and constant features."""

import pickle

import numpy as np
import pandas as pd
import pytest
from Orange.data import Table

from orangecontrib.reliefe import rank as rank_table
from orangecontrib.reliefe.core import null_level, rank, significance

N = 60


def frame():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(N, 5)), columns=list("abcde"))
    return X.assign(outcome=np.where(X["a"] + X["b"] > 0, "ill", "well"))


def test_a_column_of_a_frame_is_the_target():
    table = frame()
    expected = rank(table.drop(columns="outcome"), table["outcome"], "multisurf")
    found = rank(table, method="multisurf", target="outcome")
    np.testing.assert_array_equal(found.scores, expected.scores)
    assert found.names == expected.names
    assert found.conclusion == expected.conclusion
    assert "for ill and well" in repr(found)


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_of_other_libraries(library):
    pytest.importorskip(library)
    table = frame()
    other = pytest.importorskip("polars").from_pandas(table) if library == "polars" else None
    if other is None:
        other = pytest.importorskip("pyarrow").Table.from_pandas(table)
    found = rank(other, method="multisurf", target="outcome")
    np.testing.assert_allclose(found.scores, rank(table, method="multisurf", target="outcome").scores)


def test_several_columns_are_several_targets():
    table = frame().assign(weight=np.linspace(40, 90, N) ** 1.1)
    found = rank(table, target=["outcome", "weight"])
    assert found.info["task"] == "multi-target"
    assert found.names == tuple("abcde")


def test_a_column_of_an_array():
    table = frame()
    values = table[list("abcde")].to_numpy()
    names = ["a", "b", "c", "d", "age"]
    found = rank(values, method="rrelieff", target="age", names=names)
    np.testing.assert_array_equal(found.scores, rank(values[:, :4], values[:, 4], "rrelieff").scores)
    assert found.names == ("a", "b", "c", "d")
    fields = np.rec.fromarrays(list(values.T), names=names)
    np.testing.assert_array_equal(rank(fields, method="rrelieff", target="age").scores, found.scores)


@pytest.mark.parametrize("target", ["outcome", "visits"])
def test_fields_keep_their_types(target):
    """Classes among numbers leave these numbers, and whole numbers beside floats are classes as in a frame."""
    table = frame().assign(visits=np.arange(N) % 3)
    fields = table.to_records(index=False, column_dtypes={"outcome": "U4"})
    expected = rank(table, method="relieff", target=target)
    found = rank(fields, method="relieff", target=target)
    assert found.info["task"] == expected.info["task"] == "classification"
    assert found.names == expected.names
    np.testing.assert_array_equal(found.scores, expected.scores)


def test_fields_with_several_values_are_refused():
    fields = np.zeros(5, [("a", float, 3), ("b", float)])
    with pytest.raises(ValueError, match="an array with fields has one value for each row and field"):
        rank(fields, target="b")


@pytest.mark.parametrize("has_fields", [False, True])
def test_masked_values_are_missing(has_fields):
    values = frame()[list("abcde")].to_numpy()
    is_missing = np.random.default_rng(1).random(values.shape) < 0.1
    with_nan = np.where(is_missing, np.nan, values)
    masked = np.ma.masked_array(values, is_missing)
    if has_fields:
        masked = _with_fields(masked)
    found = rank(masked, method="rrelieff", target="e", names=None if has_fields else list("abcde"))
    np.testing.assert_array_equal(found.scores, rank(with_nan[:, :4], with_nan[:, 4], "rrelieff").scores)


def _with_fields(masked):
    """Return the columns of a masked array as the fields a, b, ... of another."""
    fields = np.ma.zeros(len(masked), [(name, float) for name in "abcde"])
    for name, column in zip("abcde", masked.T, strict=True):
        fields[name] = column
    return fields


@pytest.mark.parametrize("read", [lambda table: table, lambda table: table.to_records(index=False)])
def test_a_column_is_named_once(read):
    with pytest.raises(ValueError, match="the target 'a' is named twice: name each column once"):
        rank(read(frame()), target=["a", "b", "a"])


def test_a_variable_of_a_table_is_named_once():
    heart = Table("heart_disease")
    with pytest.raises(ValueError, match="the target 'age' is named twice: name each column once"):
        rank_table(heart, target=["age", heart.domain["age"]])
    with pytest.raises(ValueError, match="the covariate 'age' is named twice"):
        rank_table(heart, "multisurf", covariates=["age", "age"])


def test_other_functions_take_the_name():
    table = frame()
    X, y = table.drop(columns="outcome"), table["outcome"]
    np.testing.assert_array_equal(
        significance(table, None, "multisurf", target="outcome").p, significance(X, y, "multisurf").p
    )
    assert null_level(table, None, "multisurf", target="outcome").level == null_level(X, y, "multisurf").level


@pytest.mark.parametrize("arguments, error, message", [
    ({"target": "outcom"}, ValueError, "unknown target 'outcom'; choose from 'a', 'b'"),
    ({"target": "outcome", "y": np.arange(N)}, ValueError, "both say what features are ranked for"),
    ({"target": 3}, TypeError, r"target is the name of a column, or a list of names, not 3"),
    ({"target": []}, TypeError, "or a list of names"),
])  # fmt: skip
def test_wrong_names(arguments, error, message):
    with pytest.raises(error, match=message):
        rank(frame(), **arguments)


def test_arrays_without_names():
    with pytest.raises(ValueError, match="X has no names of columns, so that target='a' names none"):
        rank(np.zeros((4, 2)), target="a")


def test_frames_are_explained_without_giving_them_again():
    table = frame()
    X, y = table.drop(columns="outcome"), table["outcome"]
    age = pd.DataFrame({"age": np.arange(N) % 9})
    for ranking, options in (
        (rank(X, y, "multisurf"), {}),
        (rank(table, method="multisurf", target="outcome"), {}),
        (rank(X, y, "multisurf", covariates=age), {"covariates": age}),
    ):
        assert ranking.explain("a").sentences == ranking.explain("a", X, y, **options).sentences
        assert ranking.explain("a").sentences == ranking.explain("a", X, y).sentences


def test_arrays_of_a_study_are_explained_with_it():
    table = frame()
    X, y = table.drop(columns="outcome").to_numpy(), table["outcome"].to_numpy()
    age = np.arange(N) % 9
    ranking = rank(X, y, "multisurf", covariates=age)
    assert ranking.explain(0, X, y, covariates=age).difference is not None
    with pytest.raises(ValueError, match=r"was made with covariates, .* give covariates=\.\.\., as to rank"):
        ranking.explain(0, X, y)
    persons = rank(X, y, "multisurf", groups=np.arange(N) // 2)
    with pytest.raises(ValueError, match=r"was made with groups, .* give groups=\.\.\., as to rank"):
        persons.explain(0, X, y)


def test_copies_by_pickle_leave_the_frame_out():
    table = frame()
    ranking = pickle.loads(pickle.dumps(rank(table, method="multisurf", target="outcome")))
    assert ranking.source is None
    with pytest.raises(ValueError, match=r"does not keep them: call ranking\.explain"):
        ranking.explain("a")


def test_constant_features_are_warned_of():
    y = np.arange(N) % 2
    constant = "no feature has two different values: scores say nothing"
    assert constant in rank(np.ones((N, 3)), y).info["warnings"]
    one_differs = np.ones((N, 3))
    one_differs[-1, 2] = 0
    assert constant not in rank(one_differs, y).info["warnings"]
