"""Reading of targets, one step after the other: infer, parse, mask."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import TASKS
from orangecontrib.reliefe.core.targets.accepts import Accepts
from orangecontrib.reliefe.core.targets.classes import Classes
from orangecontrib.reliefe.core.targets.columns import Matrix, TargetColumn, read_column, read_matrix, read_numbers
from orangecontrib.reliefe.core.targets.labels import Labels
from orangecontrib.reliefe.core.targets.multi import MultiTarget
from orangecontrib.reliefe.core.targets.numbers import Numbers
from orangecontrib.reliefe.core.targets.partly_labelled import PartlyLabelled
from orangecontrib.reliefe.core.targets.reader import infer_task, mask, parse, read_target
from orangecontrib.reliefe.core.targets.tasks import (
    CLASSES,
    CLASSIFICATION,
    HIERARCHICAL,
    LABELS,
    MULTILABEL,
    MULTITARGET,
    NUMBERS,
    REGRESSION,
    UNSUPERVISED,
    natural_task,
)
from orangecontrib.reliefe.core.targets.unlabelled import Unlabelled

NAN = np.nan
SETS = [[0, 1], [1, 0], [1, 1], [0, 0]]
GAPS = [[0, 1], [1, NAN], [NAN, NAN], [0, 0]]
BOTH = Accepts((CLASSIFICATION, REGRESSION))


def objects(*values):
    out = np.empty(len(values), object)
    out[:] = values
    return out


@pytest.mark.parametrize("kinds, hierarchical, task", [
    ([], False, UNSUPERVISED), ([NUMBERS], False, REGRESSION), ([CLASSES], False, CLASSIFICATION),
    ([LABELS], False, CLASSIFICATION), ([LABELS, LABELS], False, MULTILABEL), ([LABELS, LABELS], True, HIERARCHICAL),
    ([LABELS, CLASSES], True, MULTITARGET), ([NUMBERS, NUMBERS], False, MULTITARGET)])  # fmt: skip
def test_natural_task(kinds, hierarchical, task):
    assert natural_task(kinds, hierarchical) == task


@pytest.mark.parametrize("y, values, known", [
    ([1, 0, 1], [1, 0, 1], [1, 1, 1]), ([1.5, NAN, 2.0], [1.5, NAN, 2.0], [1, 0, 1]),
    (objects("a", None, ""), ["a", "", ""], [1, 0, 0]), (objects(1, 2, None), [1, 2, 0], [1, 1, 0]),
    (objects(True, None, False), [True, False, False], [1, 0, 1]), (objects(1, 2.5, None), [1, 2.5, NAN], [1, 1, 0]),
    (objects(1, "a", 2), ["1", "a", "2"], [1, 1, 1]), (np.array([[1.0], [2.0], [3.0]]), [1.0, 2.0, 3.0], [1, 1, 1]),
    (pd.Categorical(["x", None, "y"]), ["x", "", "y"], [1, 0, 1])])  # fmt: skip
def test_columns(y, values, known):
    column = read_column(y, 3)
    np.testing.assert_array_equal(column.values, np.array(values))
    assert column.values.dtype.kind == np.array(values).dtype.kind
    np.testing.assert_array_equal(column.known, np.array(known, bool))


@pytest.mark.parametrize("y, message", [
    ([1, 2], "X has 3 rows but y has 2 values"), (np.ones((3, 2)), "one value, or one 0 or 1"),
    ("ill", r"not the name 'ill': give y=data\['ill'\]"),
    ([1, 2, np.inf], "infinite"), (np.ones(3) * 1j, "classes or numbers"), (objects([1], [2], [3]), "of type list"),
    (objects(10**400, 1, 2), "too large"), (sparse.csr_array(np.ones((3, 1))), "not as a sparse matrix")])  # fmt: skip
def test_columns_that_are_none(y, message):
    with pytest.raises(ValueError, match=message):
        read_column(y, 3)


def test_codes():
    names, codes = read_column(objects("b", None, "a", "b"), 4).coded()
    assert names.tolist() == ["a", "b"]
    assert codes.tolist() == [1, -1, 0, 1]


def test_matrices():
    frame = pd.DataFrame({"number": [1.0, NAN, 3.0, 4.0], "text": ["x", "y", None, "x"]})
    found = read_matrix(frame, 4)
    np.testing.assert_array_equal(found.values, [[1, 0], [NAN, 1], [3, NAN], [4, 0]])
    assert found.nominal.tolist() == [False, True]
    assert found.names == ("number", "text")
    assert found.known.all()
    assert not found.has_labels
    gaps = read_matrix(np.array(GAPS), 4)
    assert gaps.known.tolist() == [True, True, False, True]
    assert gaps.has_labels
    stored = read_matrix(sparse.csr_array(SETS), 4)
    assert sparse.issparse(stored.values)
    assert stored.known.all()
    assert stored.has_labels
    np.testing.assert_array_equal(read_matrix(sparse.csr_array(GAPS), 4).values, GAPS)


@pytest.mark.parametrize("y, message", [
    (np.ones((3, 2)), "X has 4 rows but y has 3"), (sparse.csr_array(np.ones((3, 2))), "X has 4 rows but y has 3"),
    (np.ones((4, 0)), "no columns"), (np.ones((4, 2, 2)), "one row of values")])  # fmt: skip
def test_matrices_that_are_none(y, message):
    with pytest.raises(ValueError, match=message):
        read_matrix(y, 4)


@pytest.mark.parametrize("y", [[1.0, np.inf], [NAN, NAN], [[1.0, -np.inf]]])
def test_numbers_that_are_none(y):
    with pytest.raises(ValueError, match="finite numbers, some of them known"):
        read_numbers(y)


def column(*values):
    return read_column(np.array(values), len(values))


@pytest.mark.parametrize("values, tasks, task, expected", [
    (column(0, 1), BOTH.tasks, None, CLASSIFICATION), (column(0.0, 1.0), BOTH.tasks, None, REGRESSION),
    (column("a", "b"), BOTH.tasks, None, CLASSIFICATION), (column(0, 1), (REGRESSION,), None, REGRESSION),
    (column(0.0, 1.0), (CLASSIFICATION,), None, CLASSIFICATION),
    (column(0.0, 1.5), BOTH.tasks, CLASSIFICATION, CLASSIFICATION),
    (read_matrix(np.array(GAPS), 4), TASKS, None, MULTILABEL),
    (read_matrix(np.array(SETS), 4), (MULTITARGET,), None, MULTITARGET),
    (read_matrix(np.array(SETS) * 0.5, 4), TASKS, None, MULTITARGET),
    (read_matrix(np.array(SETS), 4), TASKS, MULTITARGET, MULTITARGET)])  # fmt: skip
def test_infer(values, tasks, task, expected):
    assert infer_task(values, Accepts(tasks), task, False) == expected


def test_infer_hierarchies():
    assert infer_task(read_matrix(np.array(SETS), 4), Accepts(), None, True) == HIERARCHICAL


@pytest.mark.parametrize("values, tasks, task, hierarchical, message", [
    (column("a", "b"), (REGRESSION,), None, False, "y holds texts; M needs numbers"),
    (column(0.5, 1), (CLASSIFICATION,), None, False, "not for regression: y holds numbers with fractions"),
    (column(0, 1), (CLASSIFICATION,), REGRESSION, False, "M is for classification, not for regression"),
    (read_matrix(np.array(SETS), 4), BOTH.tasks, None, False, "for classification and regression, not for multi-label"),
    (read_matrix(np.array(SETS) * 2, 4), (MULTILABEL,), None, False, "multi-target; label sets are columns of 0 and 1"),
    (read_matrix(np.array(SETS), 4), TASKS, REGRESSION, False, "several columns, 2; regression takes one"),
    (read_matrix(np.array(SETS) * 2, 4), TASKS, MULTILABEL, False, "0, 1 and unknown values only for the task"),
    (read_matrix(np.array(SETS), 4), TASKS, MULTILABEL, True, "belong together"),
    (read_matrix(np.array(SETS), 4), TASKS, HIERARCHICAL, False, "belong together")])  # fmt: skip
def test_infer_refuses(values, tasks, task, hierarchical, message):
    with pytest.raises(ValueError, match=message):
        infer_task(values, Accepts(tasks, "M"), task, hierarchical)


def test_parse_classes():
    target, known = parse(read_column(objects("b", None, "a", "b"), 4), CLASSIFICATION)
    assert isinstance(target, Classes)
    assert target.names == ("a", "b")
    assert target.codes.dtype == np.int32
    assert target.codes.tolist() == [1, 0, 0, 1]
    assert known.tolist() == [True, False, True, True]


def test_parse_numbers():
    target, _ = parse(column(3, 1, 2), REGRESSION)
    assert isinstance(target, Numbers)
    assert target.span == 2
    assert target.width == 1
    np.testing.assert_array_equal(target.values, [3.0, 1.0, 2.0])


def test_parse_several():
    target, known = parse(
        Matrix(np.array([[1.0, 0], [NAN, 1], [5, NAN], [NAN, NAN]]), np.array([False, True])), MULTITARGET
    )
    np.testing.assert_array_equal(target.values, [[0, 0], [NAN, 1], [1, NAN], [NAN, NAN]])
    assert target.names == ("0", "1")
    assert known.tolist() == [True, True, True, False]


@pytest.mark.parametrize(
    "tasks, kind, rows", [(TASKS, MultiTarget, [1, 1, 0, 1]), ((MULTILABEL,), Labels, [1, 0, 0, 1])]
)
def test_parse_labels_with_gaps(tasks, kind, rows):
    """Rows that lack one label lack all where gaps cannot be used."""
    target, known = parse(read_matrix(np.array(GAPS), 4), MULTILABEL, None, Accepts(tasks))
    assert type(target) is kind
    assert known.tolist() == [bool(row) for row in rows]


def test_parse_hierarchies():
    target, _ = parse(read_matrix(np.array([[0, 1], [0, 0]]), 2), HIERARCHICAL, [(), (0,)])
    assert target.values.tolist() == [[1, 1], [0, 0]]


ONE = Accepts(TASKS, "M", unlabelled=True)


@pytest.mark.parametrize("values, task, message", [
    (column("a", "a"), CLASSIFICATION, "only one class, 'a';"),
    (read_matrix(np.zeros((3, 2)), 3), MULTILABEL, "no row has any label"),
    (read_matrix(np.ones((3, 2)), 3), MULTITARGET, "all targets have only one value"),
    (Matrix(np.array([[1.0, NAN], [2.0, NAN]]), np.zeros(2, bool)), MULTITARGET, "target '1' is unknown in all rows"),
    (Matrix(np.array([[1.0, np.inf], [2.0, 1.0]]), np.zeros(2, bool)), MULTITARGET, "infinite")])  # fmt: skip
@pytest.mark.parametrize("accepts", [Accepts(), ONE])
def test_parse_refuses(values, task, message, accepts):
    with pytest.raises(ValueError, match=message):
        parse(values, task, None, accepts)


def test_one_class_and_rows_without_any_differ():
    values = read_column(objects("a", None, "a"), 3)
    assert parse(values, CLASSIFICATION, None, ONE)[0].names == ("a",)
    with pytest.raises(ValueError, match="only one class"):
        parse(values, CLASSIFICATION, None, Accepts())


@pytest.mark.parametrize("known", [[1, 1, 1], [1, 0, 1]])
@pytest.mark.parametrize("unlabelled", [False, True])
def test_mask(known, unlabelled):
    known = np.array(known, bool)
    read = mask(Classes(np.array([0, 0, 1], np.int32), ("a", "b")), known, 5, unlabelled)
    assert isinstance(read.target, PartlyLabelled) == (unlabelled and not known.all())
    assert read.target.n == (3 if unlabelled else known.sum())
    np.testing.assert_array_equal(read.known, np.ones(3, bool) if unlabelled else known)
    np.testing.assert_array_equal(read.target.inner.codes[read.target.labelled], np.array([0, 0, 1])[known])


@pytest.mark.parametrize("unlabelled", [False, True])
def test_values_that_only_some_targets_lack(unlabelled):
    """Pairs that lack all are as far apart as their features are, whether or not rows without any value count."""
    target, known = parse(read_matrix(np.array(GAPS), 4), MULTILABEL)
    read = mask(target, known, 7, unlabelled)
    assert isinstance(read.target, PartlyLabelled)
    assert read.target.p == 7
    assert read.target.labelled.sum() == 3
    assert read.target.n == (4 if unlabelled else 3)


def test_nothing_is_known():
    y = np.full(3, NAN)
    with pytest.raises(ValueError, match="unknown in all rows"):
        read_target(y, (3, 2))
    read = read_target(y, (3, 2), ONE)
    assert isinstance(read.target, Unlabelled)
    assert read.target.p == 2
    assert read.known.all()


@pytest.mark.parametrize("y, tasks, task, hierarchy, message", [
    (None, BOTH.tasks, None, None, "no target, which M needs"),
    (None, TASKS, REGRESSION, None, "no target, which the task regression needs"),
    ([0, 1], (UNSUPERVISED,), REGRESSION, None, "M is for unsupervised, not for regression"),
    ([0, 1], BOTH.tasks, UNSUPERVISED, None, "not for unsupervised"), (None, TASKS, None, [()], "no labels for the"),
    ([0, 1], TASKS, "rubbish", None, "unknown task 'rubbish'")])  # fmt: skip
def test_refused_before_anything_is_read(y, tasks, task, hierarchy, message):
    with pytest.raises(ValueError, match=message):
        read_target(y, (2, 2), Accepts(tasks, "M"), task, hierarchy)


def test_the_caller_keeps_y():
    y = np.array(GAPS)
    given = y.copy()
    read_target(y, (4, 2), task=HIERARCHICAL, hierarchy=[(), (0,)])
    np.testing.assert_array_equal(y, given)


def test_steps_take_what_the_one_before_gives():
    y = objects("b", None, "a", "b")
    read, column_ = read_target(y, (4, 2)), read_column(y, 4)
    assert isinstance(column_, TargetColumn)
    target, known = parse(column_, infer_task(column_, Accepts(), None, False))
    np.testing.assert_array_equal(read.target.codes, mask(target, known, 2, False).target.codes)
