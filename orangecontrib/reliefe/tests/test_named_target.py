"""A column of X as the target, explanations without X, and constant features."""

import pickle

import numpy as np
import pandas as pd
import pytest

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
