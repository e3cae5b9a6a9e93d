"""Tests of numbers in columns of objects or texts, and of names that only look the same."""

import numpy as np
import pandas as pd
import pytest

from orangecontrib.reliefe.core import rank

RNG = np.random.default_rng(5)
X = pd.DataFrame(RNG.normal(size=(60, 3)), columns=["a", "b", "c"])
Y = (X["a"] + RNG.normal(0, 0.2, 60) > 0).astype(int).to_numpy()
TEXTS = "numbers are given as texts in"


def scores(frame, **options):
    return rank(frame, Y, "relieff", **options).scores


def with_none(frame):
    changed = frame.astype(object)
    changed.iloc[3, 1] = None
    return changed


OBJECTS = {
    "objects": (lambda: X.astype(object), X),
    "turned": (lambda: X.assign(word="x").T.iloc[:3].T, X),
    "mixed": (lambda: X.round(0).map(lambda v: int(v) if v % 2 else np.float32(v)).astype(object), X.round(0)),
    "missing": (lambda: with_none(X), with_none(X).astype(float)),
    "pandas' own": (lambda: X.convert_dtypes(), X),
}


@pytest.mark.parametrize("kind", OBJECTS)
def test_numbers_in_objects_are_numbers(kind):
    make, numbers = OBJECTS[kind]
    np.testing.assert_array_equal(scores(make()), scores(numbers))


def test_covariates_and_targets_of_objects_are_numbers():
    covariates = X[["b"]]
    assert (scores(X, covariates=covariates.astype(object)) == scores(X, covariates=covariates)).all()
    number = rank(X, X["a"] * 2, "rrelieff").scores
    assert (rank(X, (X["a"] * 2).astype(object), "rrelieff").scores == number).all()


def test_bools_and_words_in_objects_are_categories():
    flags = pd.DataFrame({"flag": [bool(v) for v in Y], "word": np.where(Y, "x", "y")}).astype(object)
    np.testing.assert_array_equal(scores(flags), 1)


@pytest.mark.parametrize("kind", [object, "string", "str"])
def test_numbers_as_texts_are_said(kind):
    texts = X.round(2).astype(str).astype(kind).assign(d=X["a"])
    warnings = rank(texts, Y, "relieff").info["warnings"]
    assert [text.split(" 'c'")[0] for text in warnings] == [f"{TEXTS} 3 columns 'a', 'b',"]
    assert "X.astype(float)" in warnings[0]
    assert not rank(texts, Y, "relieff", nominal=[0, 1, 2]).info["warnings"]


def test_grades_and_codes_as_texts_are_categories():
    texts = pd.DataFrame({
        "grade": RNG.integers(1, 5, 60).astype(str),
        "zip": [f"0{i % 7}010" for i in range(60)],
        "word": [f"w{i % 9}" for i in range(60)],
    })  # fmt: skip
    assert not any(TEXTS in text for text in rank(texts, Y, "relieff").info["warnings"])


def test_groups_of_features_are_paired_by_their_labels():
    def names(groups):
        return rank(X, Y, "relieff", feature_groups=groups).names

    assert names(pd.Series(["g", "g", "h"], index=["c", "b", "a"])) == ("h", "g")
    assert names(pd.Series(["g", "g", "h"])) == names(["g", "g", "h"]) == ("g", "h")
    for index, message in (
        (["a", "b", "C"], "the index of feature_groups has 'C', which is no feature"),
        (["a", "b", "a"], "the index of feature_groups has 'a', several times"),
    ):
        with pytest.raises(ValueError, match=message):
            names(pd.Series(["g", "g", "h"], index=index))


@pytest.mark.parametrize("groups", [{1: ["a"], "1": ["b"]}, {1.0: ["a"], "1": ["b"]}, [1, "1", 2]])
def test_names_of_groups_that_are_written_alike_are_refused(groups):
    with pytest.raises(ValueError, match="which have one name: give one another name"):
        rank(X, Y, "relieff", feature_groups=groups)
