"""Bad or odd targets, hierarchies and influences: a message that helps before any work, or the defined result."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import METHODS, rank, refine
from orangecontrib.reliefe.tests.naive import unlabelled as naive
from orangecontrib.reliefe.tests.target_samples import MANY, TASKS, close, fixed, run, sample, scores

N, LABELS = 24, 6
X = sample(1, "regression").X
Y = sample(1, "multi-label").y
CHAIN = ((), (0,), (1,), (2,), (3,), (4,))
METHOD = pytest.mark.parametrize("method", ["sslrelief", "rrelieff"])
NARROW = [name for name, method in METHODS.items() if not set(method.tasks) & {"multi-target", "hierarchical"}]


pytestmark = pytest.mark.usefixtures("no_warnings")


def fails(message, y=Y, method="sslrelief", error=ValueError, **arguments):
    """Before any work: progress is never called."""

    def progress(share):
        pytest.fail("work had begun")

    for function in (rank, lambda *args, **kwargs: list(refine(*args, **kwargs))):
        with pytest.raises(error, match=message):
            function(X, y, method, progress=progress, **arguments)


@METHOD
@pytest.mark.parametrize("parents, message", [
    ([(1,), (0,), (), (), (), ()], "cycle"), ([(0,), (), (), (), (), ()], "cycle"),
    ([(5,), (0,), (1,), (2,), (3,), (4,)], "cycle"), ([(), (0, 3), (1,), (2,), (), ()], "cycle"),
    ([(), (6,), (), (), (), ()], "6"), ([(), (-1,), (), (), (), ()], "-1"), ([(), (10**12,), (), (), (), ()], "10{12}"),
    ([()] * 5, "5.*6"), ([()] * 7, "7.*6"), ([], "0.*6"),
    ([("a",), (), (), (), (), ()], "a"), ([(0.5,), (), (), (), (), ()], "0.5"), ([(True,), (), (), (), (), ()], "True"),
    ("parents", "hierarchy"), (3, "hierarchy"), ({0: 1}, "hierarchy")],
    ids=str)  # fmt: skip
def test_hierarchies(method, parents, message):
    fails(f"(?s).*{message}", method=method, hierarchy=parents)
    fails(f"(?s).*{message}", method=method, hierarchy=parents, y=sparse.csr_array(Y))


def test_cycle_names_its_labels():
    fails("cycle.*v.*w", y=pd.DataFrame(Y, columns=list("uvwxyz")), hierarchy=[(), (2,), (1,), (), (), ()])


@METHOD
@pytest.mark.parametrize("rows", [N - 1, N + 1, 0])
@pytest.mark.parametrize("form", [np.array, sparse.csr_array, pd.DataFrame])
def test_number_of_rows(method, rows, form):
    fails(f"24.*{rows}|{rows}.*24", y=form(np.resize(Y, (rows, LABELS))), method=method)
    fails(f"24.*{rows}|{rows}.*24", y=form(np.resize(Y, (rows, LABELS))), method=method, hierarchy=CHAIN)
    fails(f"24.*{rows}|{rows}.*24", y=np.linspace(0, 1, rows), method=method)


@METHOD
@pytest.mark.parametrize(
    "y",
    [np.zeros((N, 2, 2)), np.zeros((N, 0)), np.array([["a", "b"]] * N)[:, None], np.zeros((N, 2), complex)],
    ids=range(4),
)
def test_shapes_and_types(method, y):
    fails("y", y=y, method=method)


@METHOD
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_targets(method, value):
    y = np.random.default_rng(0).random((N, 3))
    y[4, 1] = value
    for given in (y, pd.DataFrame(y), y.astype(object), y[:, 1]):
        fails("infinite", y=given, method=method)


@METHOD
@pytest.mark.parametrize("value", [2, 0.5, -1])
@pytest.mark.parametrize("form", [np.array, sparse.csr_array, pd.DataFrame])
def test_labels_that_are_not_0_or_1(method, value, form):
    y = Y.copy()
    y[5, 2] = value
    fails("0.*1", y=form(y), method=method, task="multi-label")
    fails("0.*1", y=form(y), method=method, hierarchy=CHAIN)


@METHOD
def test_task_and_hierarchy_belong_together(method):
    fails("hierarch", method=method, task="hierarchical")
    fails("hierarch", method=method, task="multi-label", hierarchy=CHAIN)
    fails("hierarch", y=np.arange(N) % 2, method=method, task="classification", hierarchy=CHAIN)
    fails("hierarch", y=np.linspace(0, 1, N), method=method, task="regression", hierarchy=CHAIN)


def test_hierarchy_without_labels():
    """Nothing to be said of nothing."""
    fails("hierarch", y=None, hierarchy=CHAIN)
    fails("hierarch", y=None, method="urelief", hierarchy=CHAIN)


@METHOD
def test_task_that_y_does_not_fit(method):
    fails("6 columns|one", method=method, task="regression")
    fails("text|number", y=np.array(["a", "b"] * 12), method=method, task="regression")
    fails("'clustering'.*classification.*regression.*multi-label.*multi-target.*hierarchical.*unsupervised",
          method=method, task="clustering")  # fmt: skip


def test_task_that_the_method_does_not_know():
    for method in NARROW:
        fails("not for", method=method, y=np.random.default_rng(0).random((N, 3)), task="multi-target")
        fails("not for", method=method, task="hierarchical", hierarchy=CHAIN)
    fails("not for", y=np.arange(N) % 3, method="rrelieff", task="classification")
    fails("target|unsupervised", y=None, method="rrelieff")
    fails("unsupervised", method="rrelieff", task="unsupervised")


def test_no_target_where_one_is_needed():
    for name, method in METHODS.items():
        if "unsupervised" not in method.tasks:
            fails("target", y=None, method=name)


@pytest.mark.parametrize("task", MANY)
@pytest.mark.parametrize("form", ["array", "object", "frame"])
def test_every_row_unlabelled(task, form):
    """Refusal where labels are needed; to SSL-Relief such data are data without a target."""
    hierarchy = CHAIN if task == "hierarchical" else None
    y = np.full((N, LABELS), np.nan)
    y = {"array": y, "object": np.full(y.shape, None), "frame": pd.DataFrame(y)}[form]
    fails("unknown|no row", y=y, method="rrelieff", task=task, hierarchy=hierarchy)
    assert rank(X, y, "sslrelief", task=task, hierarchy=hierarchy, **fixed()).info["task"] == "unsupervised"
    fails("unknown|no row", y=y, task=task, hierarchy=hierarchy, labelled_only=True)


def test_every_row_unlabelled_one_target():
    for y in (np.full(N, np.nan), np.full(N, None), np.full(N, "")):
        fails("unknown", y=y, method="rrelieff")
        fails("unknown", y=y, labelled_only=True)
        assert rank(X, y, "sslrelief", **fixed()).info["task"] == "unsupervised"


@METHOD
def test_target_that_is_entirely_missing(method):
    y = np.random.default_rng(0).random((N, 3))
    y[:, 1] = np.nan
    fails("unknown in all rows", y=y, method=method)
    fails("b.*unknown in all rows", y=pd.DataFrame(y, columns=list("abc")), method=method)


def test_constant_targets():
    """One of several adds nothing to the differences; all of them are an error; one number alone scores 0."""
    data = sample(2, "multi-target")
    for method, parameters in (("sslrelief", fixed()), ("rrelieff", {"n_neighbors": 6})):
        y = np.column_stack([data.values[:, 0], np.full(N, 7.0)])
        found = rank(data.X, y, method, nominal=data.nominal, **parameters).scores
        t = np.abs(np.subtract.outer(y[:, 0], y[:, 0])) / np.ptp(y[:, 0]) / 2
        close(found, getattr(naive, method)(data.X, t, data.nominal, **parameters))
        fails("only one value", y=np.tile([7.0, 3.0], (N, 1)), method=method)
        assert np.array_equal(rank(X, np.ones(N), method, **parameters).scores, np.zeros(8))


@METHOD
def test_no_labels_at_all(method):
    fails("no row has any label", y=np.zeros((N, 3)), method=method, task="multi-label")
    fails("no row has any label", y=sparse.csr_array((N, 6)), method=method, hierarchy=CHAIN)


def test_one_class():
    fails("one class", y=np.array(["a"] * N), labelled_only=True)
    fails("one class", y=np.array(["a"] * N))


def test_one_labelled_row():
    """Its pairs differ as much as the rows do."""
    for task in TASKS:
        data = sample(3, task)
        data.y[1:], data.values[1:] = (np.nan if data.y.dtype == float else None), np.nan
        t = np.full((N, N), np.nan)
        t[0, 0] = 0
        close(scores(data, "sslrelief", **fixed()), naive.sslrelief(data.X, t, data.nominal, **fixed()))
        with pytest.raises(ValueError, match="one"):
            scores(data, "sslrelief", labelled_only=True, **fixed())


@pytest.mark.parametrize("parameters, message", [
    ({"w0": 0.6, "w1": 0.5}, "0.6.*0.5"), ({"w0": 1, "w1": 0}, "1.*0"),
    ({"w0": "auto", "w1": 0.5}, "auto"), ({"w0": 0.5, "w1": "auto"}, "auto"),
    ({"w0": 0.5}, "auto"), ({"w1": 0.5}, "auto"),
    ({"w0": -0.1, "w1": 0.5}, "w0.*-0.1"), ({"w0": 0.5, "w1": 1.1}, "w1.*1.1"),
    ({"w0": np.nan, "w1": 0.5}, "w0"), ({"w0": 0, "w1": np.inf}, "w1"),
    ({"n_neighbors": 0}, "n_neighbors"), ({"label_weights": "min"}, "'min'.*mean.*sum.*max.*none"),
    ({"label_decay": -0.1}, "label_decay"), ({"label_decay": 1.5}, "label_decay"),
    ({"label_decay": np.nan}, "label_decay"),
    ({"gamma": "mean"}, "'mean'.*sum.*max"), ({"target_distance": "jaccard"}, "'jaccard'.*hamming"),
    ({"missing": "skip"}, "'skip'.*clus")], ids=str)  # fmt: skip
def test_values_of_parameters(parameters, message):
    fails(message, **parameters)


@pytest.mark.parametrize("parameters", [
    {"w0": "none", "w1": "none"}, {"w0": True, "w1": True}, {"w0": None, "w1": None}, {"n_neighbors": "adaptive"},
    {"n_neighbors": 2.5}, {"n_neighbors": None}, {"labelled_only": "yes"}, {"per_target": 3}, {"label_decay": "half"},
    {"gamma": 1}], ids=str)  # fmt: skip
def test_kinds_of_parameters(parameters):
    fails("|".join(parameters), error=(TypeError, ValueError), **parameters)


def test_reliefe_takes_complete_label_sets():
    """A row that lacks one label lacks its label set; a remark says how many do."""
    y = Y.copy()
    y[[3, 7], [0, 2]] = np.nan
    known = ~np.isnan(y).any(axis=1)
    found = rank(X, y, "reliefe", embedding=None)
    assert found.info["rows"] == known.sum()
    assert any("2 rows" in text for text in found.info["information"])
    close(found.scores, rank(X[known], y[known], "reliefe", embedding=None).scores, 0)


@pytest.mark.parametrize("task", TASKS)
def test_extreme_numbers_as_targets(task):
    if task not in ("regression", "multi-target"):
        return
    data = sample(4, "regression", labelled=0.7)
    for scale in (1e300, 1e-300):
        y = data.y * scale
        given = y if task == "regression" else np.stack([y, y], axis=1)
        close(rank(data.X, given, "sslrelief", nominal=data.nominal, **fixed()).scores,
              scores(data, "sslrelief", **fixed()), 1e-6)  # fmt: skip


@pytest.mark.parametrize("value", [-1.7e308, 5e-324, 0.0])
def test_a_constant_of_any_size_does_not_vary(value):
    assert not rank(X, np.full(N, value), "rrelieff").scores.any()


@METHOD
def test_denormal_and_overflowing_ranges_of_targets(method):
    y = np.linspace(0, 1, N) * 1e-320
    assert np.all(np.isfinite(rank(X, y, method).scores))
    y = np.where(np.arange(N) % 2, 1.5e308, -1.5e308)
    for given in (y, np.stack([y, y], axis=1)):
        fails("large", y=given, method=method)


@pytest.mark.parametrize("task", TASKS)
def test_notes_and_remarks_are_texts(task):
    data = sample(6, task, labelled=0.6)
    info = run(data, "sslrelief").info
    for key in ("warnings", "information"):
        assert all(isinstance(text, str) for text in info[key])


# What y is read as

SETS = np.array([[0, 1], [1, 0], [1, 1], [0, 0]] * 6)
GAPS = np.where(np.arange(2 * N).reshape(N, 2) % 7 == 3, np.nan, SETS)
FIRST = X[:, 0].round(3)
NAMED = np.where(FIRST > 0, "b", "a")


def objects(*values):
    out = np.empty(len(values), object)
    out[:] = values
    return out


@pytest.mark.parametrize("y, method, hierarchy, task", [
    (None, "pct", None, "unsupervised"), (FIRST, "pct", None, "regression"), (NAMED, "pct", None, "classification"),
    (FIRST > 0, "pct", None, "classification"), (SETS, "pct", None, "multi-label"),
    (SETS, "pct", [(), (0,)], "hierarchical"), (SETS * 0.5, "pct", None, "multi-target"),
    (GAPS, "sslrelief", None, "multi-label"), (pd.DataFrame({"a": FIRST, "b": NAMED}), "pct", None, "multi-target"),
    (sparse.csr_array(SETS), "pct", None, "multi-label"), ((FIRST > 0) * 1, "pct", None, "classification"),
    ((FIRST > 0) * 1.0, "pct", None, "regression"), ((FIRST > 0) * 1, "rrelieff", None, "regression"),
    ((FIRST > 0) * 1.0, "relieff", None, "classification")])  # fmt: skip
def test_natural_tasks(y, method, hierarchy, task):
    given = {"n_trees": 2} if method == "pct" else {}
    assert rank(X, y, method, hierarchy=hierarchy, **given).info["task"] == task


UNKNOWN = np.arange(N) == 5
CODES = (NAMED == "b") * 1.0


def lacking(values, unknown=None):
    """Objects of the values, but for one row."""
    return objects(*[unknown if lacks else value for value, lacks in zip(values, UNKNOWN, strict=True)])


@pytest.mark.parametrize("y", [
    np.where(UNKNOWN, np.nan, CODES), np.where(UNKNOWN, np.nan, CODES)[:, None], lacking(NAMED.tolist()),
    lacking(NAMED.tolist(), ""), lacking(CODES.astype(int).tolist()), lacking((CODES > 0).tolist()),
    lacking([{"a": 2, "b": "b"}[name] for name in NAMED]), pd.Categorical(lacking(NAMED.tolist()))],
    ids=["nan", "column", "none", "empty", "integers", "bools", "mixed", "categorical"])  # fmt: skip
def test_classes_in_any_form(y):
    """Rows without one are left out."""
    found = rank(X, y, "relieff", task="classification")
    expected = rank(X[~UNKNOWN], NAMED[~UNKNOWN], "relieff")
    np.testing.assert_array_equal(found.scores, expected.scores)


@pytest.mark.parametrize("y, options, message", [
    ("ill", {}, r"not the name 'ill': give y=data\['ill'\]"), (np.ones((N, 2)) * 1j, {}, "complex|numbers"),
    (np.ones(N) * 1j, {}, "classes or numbers"), (objects(*[[1]] * N), {}, "of type list"),
    (objects(10**400, *range(N - 1)), {}, "too large"), (np.ones((N, 0)), {}, "no columns"),
    (np.ones((N, 2, 2)), {}, "one value, or one 0 or 1"),
    (NAMED, {"method": "rrelieff"}, "y holds texts; RReliefF needs numbers"),
    (FIRST, {"method": "relieff"}, "not for regression: y holds numbers with fractions"),
    ((FIRST > 0) * 1, {"method": "relieff", "task": "regression"}, "ReliefF is for classification, not for regression"),
    (SETS * 2, {"method": "reliefe"}, "multi-target; label sets are columns of 0 and 1"),
    (SETS, {"task": "regression"}, "several columns, 2; regression takes one"),
    (SETS * 2, {"task": "multi-label"}, "0, 1 and unknown values only for the task"),
    (SETS, {"task": "multi-label", "hierarchy": [(), (0,)]}, "belong together"),
    (SETS, {"task": "hierarchical"}, "belong together"), (np.full(N, "a"), {}, "only one class, 'a'"),
    (None, {"method": "rrelieff"}, "no target, which RReliefF needs"),
    (None, {"task": "regression"}, "no target, which the task regression needs"),
    (FIRST, {"method": "urelief", "task": "regression"}, "URelief is for unsupervised, not for regression"),
    (FIRST, {"method": "rrelieff", "task": "unsupervised"}, "not for unsupervised"),
    (FIRST, {"task": "rubbish"}, "unknown task 'rubbish'")])  # fmt: skip
def test_targets_that_are_refused(y, options, message):
    fails(message, y=y, **options)


def test_rows_that_lack_one_label_lack_all_where_gaps_cannot_be_used():
    known = ~np.isnan(GAPS).any(axis=1)
    found = rank(X, GAPS, "reliefe", embedding=None)
    np.testing.assert_array_equal(found.scores, rank(X[known], GAPS[known], "reliefe", embedding=None).scores)


def test_the_caller_keeps_y():
    before = GAPS.copy()
    rank(X, GAPS, "sslrelief", task="hierarchical", hierarchy=[(), (0,)], **fixed())
    np.testing.assert_array_equal(GAPS, before)
