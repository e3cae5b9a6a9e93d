"""Bad or odd input: a message that helps before any work, or the defined result; the input is never changed."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import METHODS, grow, null_level, rank, refine
from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.embedding import intrinsic_dimension
from orangecontrib.reliefe.core.evaluation import quality_curve, stability_selection
from orangecontrib.reliefe.core.words import MAX_CHOICES
from orangecontrib.reliefe.tests import naive
from orangecontrib.reliefe.tests.samples import FEW_PAIRS, PAIRS, STRATEGIES, few, make, times

METHOD_TASK = pytest.mark.parametrize("method, task", PAIRS)
FEW_METHODS = pytest.mark.parametrize("method, task", FEW_PAIRS)
CLASSIFIERS = [name for name, task in PAIRS if task == "classification"]
DATA = make(1, n=12, p=4)


pytestmark = pytest.mark.usefixtures("no_warnings")


def fails(message, error=ValueError, X=DATA.X, y=DATA.y, method="relieff", **arguments):
    """Before any work: progress is never called."""

    def progress(share):
        pytest.fail("work had begun")

    for function in (rank, lambda *args, **kwargs: list(refine(*args, **kwargs))):
        with pytest.raises(error, match=message):
            function(X, y, method, progress=progress, **arguments)


@pytest.mark.parametrize(
    "X, y, message",
    [
        (np.zeros((0, 3)), np.zeros(0, int), "no rows"),
        (np.zeros((3, 0)), np.array([0, 1, 1]), "no features"),
        (np.zeros((1, 3)), np.array([0]), "class|row"),
        (np.zeros(4), np.array([0, 1, 0, 1]), "dimension"),
        (np.zeros((2, 2, 2)), np.array([0, 1]), "dimension"),
        (DATA.X, np.zeros(12, int), "one class"),
        (DATA.X, DATA.y[:-1], "12.*11"),
        (DATA.X, np.vstack([DATA.y, DATA.y]).T, "not for multi-label"),
        (DATA.X, np.full(12, np.nan), "unknown in all rows"),
        (DATA.X, np.array([None] * 12), "unknown in all rows"),
        (DATA.X, np.array([""] * 12), "unknown in all rows"),
        (DATA.X, None, "target"),
        (DATA.X, DATA.y + 0.5, "fractions"),
        (DATA.X.astype(complex), DATA.y, "number"),
        (DATA.X.astype(str), DATA.y, "nominal"),
        (np.where(DATA.X > 1, "a", "b").astype(object), DATA.y, "nominal"),
        (DATA.X, np.array(["a", "b" * 10**6, *"ab" * 5], object), "the target has a text of 1,000,000 characters"),
    ],
    ids=range(17),
)
def test_useless_data(X, y, message):
    fails(message, X=X, y=y)


@pytest.mark.parametrize("value", [np.inf, -np.inf])
@pytest.mark.parametrize("form", [np.array, sparse.csr_array, pd.DataFrame])
def test_infinite_values(value, form):
    X = DATA.X.copy()
    X[3, 2] = value
    fails("infinite", X=form(X))


def test_infinite_target():
    fails("infinite", y=np.where(np.arange(12) == 4, np.inf, DATA.X[:, 0]), method="rrelieff")


@pytest.mark.parametrize(
    "nominal, error",
    [([True] * 3, ValueError), ([True] * 5, ValueError), (np.ones((4, 1), bool), ValueError), (["a"] * 4, TypeError)],
)
def test_nominal_of_wrong_shape_or_kind(nominal, error):
    fails("nominal", error, nominal=nominal)


def test_unknown_method_names_the_nearest():
    fails(rf"unknown method 'relif'; choose from relief, .* \(the nearest of {len(METHODS) + 1}\)", method="relif")


def test_unknown_parameter_names_the_known():
    for name, method in METHODS.items():
        known = [parameter.name for parameter in method.parameters]
        known = known if len(known) <= MAX_CHOICES else [name for name in known if name == "n_neighbors"]
        each = "".join(rf"(?=.*\b{parameter}\b)" for parameter in known)
        y = DATA.X[:, 0] if method.tasks == ("regression",) else DATA.y
        y = times(y) if method.tasks == ("survival",) else y
        fails(f"has no parameter 'neighbours'; choose from{each}", method=name, neighbours=3, y=y)


def test_parameter_of_another_method():
    fails("n_neighbors", (TypeError, ValueError), method="surf", n_neighbors=3)


def test_unknown_task_lists_the_known():
    fails("'clustering'.*classification.*regression", task="clustering")


def test_task_that_the_method_does_not_know():
    fails("classification", task="regression")
    fails("regression", task="classification", method="rrelieff")


@pytest.mark.parametrize(
    "method, parameters, error",
    [
        ("relieff", {"n_neighbors": 0}, ValueError),
        ("relieff", {"n_neighbors": -1}, ValueError),
        ("relieff", {"n_neighbors": 2.5}, TypeError),
        ("relieff", {"n_neighbors": "10"}, TypeError),
        ("relieff", {"n_neighbors": None}, (TypeError, ValueError)),
        ("relieff", {"n_neighbors": True}, TypeError),
        ("relieff", {"sigma": 0}, ValueError),
        ("rrelieff", {"sigma": -1.0}, ValueError),
        ("rrelieff", {"sigma": np.nan}, ValueError),
        ("rrelieff", {"sigma": np.inf}, ValueError),
        ("relieff", {"scheme": "G"}, ValueError),
        ("relief", {"power": 3}, ValueError),
        ("relief", {"power": 0}, ValueError),
        ("surfstar", {"unit": False}, ValueError),  # no method has such a parameter
        ("surf", {"n_instances": 0}, ValueError),
        ("surf", {"n_instances": -3}, ValueError),
        ("surf", {"n_instances": 0.0}, ValueError),
        ("surf", {"n_instances": 1.0}, ValueError),
        ("surf", {"n_instances": 1.5}, ValueError),
        ("surf", {"n_instances": np.nan}, ValueError),
        ("surf", {"n_instances": "half"}, TypeError),
        ("surf", {"n_instances": True}, TypeError),
        ("surf", {"missing": "mean"}, ValueError),
        ("surf", {"missing": 1}, (TypeError, ValueError)),
        ("surf", {"ramp": (0.2, 0.1)}, ValueError),
        ("surf", {"ramp": (0.1, 0.1)}, ValueError),
        ("surf", {"ramp": (-0.1, 0.1)}, ValueError),
        ("surf", {"ramp": (0.1, 1.1)}, ValueError),
        ("surf", {"ramp": 0.1}, (TypeError, ValueError)),
        ("surf", {"ramp": (0.1, 0.2, 0.3)}, (TypeError, ValueError)),
        ("surf", {"ramp": (0.1, np.nan)}, ValueError),
        ("surf", {"ramp": "yes"}, (TypeError, ValueError)),
        ("surf", {"n_jobs": 0}, ValueError),
        ("surf", {"n_jobs": "all"}, TypeError),
        ("surf", {"random_state": "seed"}, (TypeError, ValueError)),
        ("surf", {"random_state": -1}, ValueError),
    ],
    ids=str,
)
def test_values_of_parameters(method, parameters, error):
    (name,) = parameters
    y = DATA.X[:, 0] if method == "rrelieff" else DATA.y
    fails(name, error, method=method, y=y, **parameters)


@pytest.mark.parametrize("choice", ["missing", "scheme"])
def test_unknown_choice_lists_the_known(choice):
    parameter = next(p for p in METHODS["relieff"].parameters if p.name == choice)
    fails("'nope'.*" + ".*".join(parameter.choices), **{choice: "nope"})


@METHOD_TASK
def test_all_missing_features_score_0_by_default(method, task):
    data = make(2, task, n=12, p=4)
    data.X[:, [1, 2]] = np.nan
    for X in (data.X, data.csr.X):
        found = rank(X, data.y, method, nominal=data.nominal, task=task).scores[[1, 2]]
        np.testing.assert_allclose(found, [0, 0], rtol=0, atol=1e-12)


@FEW_METHODS
def test_all_missing_feature_scores_0(method, task):
    data = make(2, task, n=12, p=4)
    data.X[:, [1, 2]] = np.nan
    for missing in STRATEGIES:
        for X in (data.X, data.csr.X):
            found = rank(X, data.y, method, nominal=data.nominal, task=task, missing=missing).scores[[1, 2]]
            np.testing.assert_allclose(found, [0, 0], rtol=0, atol=1e-12)


@FEW_METHODS
def test_nothing_but_missing_and_constant_features(method, task):
    for X in (np.full((6, 2), np.nan), np.ones((6, 2)), np.zeros((6, 2))):
        for missing in STRATEGIES:
            for form in (np.array, sparse.csr_array):
                found = rank(form(X), [0, 1, 0, 1, 0, 2], method, task=task, missing=missing)
                assert np.array_equal(found.scores, [0, 0])


def test_constant_number_as_target_scores_0():
    assert np.array_equal(rank(DATA.X, np.ones(12), "rrelieff").scores, np.zeros(4))


@pytest.mark.parametrize("method", CLASSIFIERS)
def test_rows_without_target_are_dropped(method):
    data = make(3, n=20, n_classes=3, missing=0.1)
    data.X[4] = 1e6  # must not count in the ranges
    known = ~np.isin(np.arange(20), [4, 11, 12])
    expected = rank(data.X[known], data.y[known], method, nominal=data.nominal, **few(method)).scores
    for y in (
        np.where(known, data.y.astype(float), np.nan),
        np.where(known, data.y.astype(object), None),
        np.where(known, data.y.astype(str), ""),
    ):
        found = rank(data.X, y, method, nominal=data.nominal, task="classification", **few(method))
        assert np.array_equal(found.scores, expected)
        assert found.info["rows"] == 17


@pytest.mark.parametrize("method, task", [pair for pair in PAIRS if pair[0] in ("relieff", "rrelieff")])
def test_more_neighbours_than_rows(method, task):
    data = make(4, task, n=12)
    np.testing.assert_allclose(
        rank(data.X, data.y, method, nominal=data.nominal, task=task, n_neighbors=10**5).scores,
        naive.rank(data.X, data.y, method, data.nominal, task, n_neighbors=10**5),
        atol=1e-9,
    )


@METHOD_TASK
def test_more_targets_than_rows_are_all_rows(method, task):
    data = make(5, task, n=12)
    assert np.array_equal(
        rank(data.X, data.y, method, task=task, n_instances=10**9).scores,
        rank(data.X, data.y, method, task=task).scores,
    )


@FEW_METHODS
@pytest.mark.parametrize("scale", [1e307, 1e150, 1e-150, 1e-300])
def test_extreme_numbers(method, task, scale):
    data = make(6, task, n=12, p=4, nominal=())
    X = (data.X - data.X.mean(axis=0)) / np.abs(data.X - data.X.mean(axis=0)).max()
    np.testing.assert_allclose(
        rank(X * scale, data.y, method, task=task).scores, rank(X, data.y, method, task=task).scores, rtol=0, atol=1e-6
    )


@METHOD_TASK
def test_denormal_numbers(method, task):
    """Their range has no reciprocal; the same values in other units have the same scores."""
    data = make(6, task, n=12, p=4, nominal=())
    X = data.X * 1e-312
    for form in (np.array, sparse.csr_array):
        found, expected = (rank(form(values), data.y, method, task=task).scores for values in (X, np.ldexp(X, 1000)))
        assert np.array_equal(found, expected)
        assert found.any()


@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
def test_range_beyond_the_largest_number(form):
    X = DATA.X.copy()
    X[:2, 3] = 1.5e308, -1.5e308
    fails("too large values in feature 3", X=form(X))


@FEW_METHODS
@pytest.mark.parametrize("offset", [1e6, -1e9])
def test_far_from_zero(method, task, offset):
    """Differences are taken before digits are lost."""
    data = make(7, task, n=12, p=4, nominal=())
    X = np.round(data.X, 4)
    np.testing.assert_allclose(
        rank(X + offset, data.y, method, task=task).scores, rank(X, data.y, method, task=task).scores, rtol=0, atol=1e-5
    )


def arrangements(X):
    locked = X.copy()
    locked.setflags(write=False)
    return {
        "read-only": locked,
        "Fortran": np.asfortranarray(X),
        "strided": np.repeat(np.repeat(X, 2, 0), 3, 1)[::2, ::3],
        "reversed": X[::-1].copy()[::-1],
        "list": X.tolist(),
        "object": X.astype(object),
        "int": X.astype(int),
        "uint8": X.astype(np.uint8),
        "float32": X.astype(np.float32),
        "big-endian": X.astype(">f8"),
        "frame": pd.DataFrame(X),
        "matrix": sparse.csr_matrix(X),
    }


@FEW_METHODS
@pytest.mark.parametrize("name", arrangements(np.zeros((1, 1))))
def test_any_arrangement_of_the_values(method, task, name):
    data = make(8, task, n=12, p=5)
    whole = np.round(data.X * 20) - np.round(data.X * 20).min()
    expected = rank(whole, data.y, method, nominal=data.nominal, task=task).scores
    found = rank(arrangements(whole)[name], data.y, method, nominal=data.nominal, task=task)
    np.testing.assert_allclose(found.scores, expected, rtol=0, atol=1e-12)


@METHOD_TASK
def test_input_is_not_changed(method, task):
    data = make(9, task, n=12, missing=0.2, zeros=0.3)
    csr = data.csr.X
    given = [data.X, data.y, data.nominal, csr.data, csr.indices, csr.indptr]
    before = [values.copy() for values in given]
    for values in given:
        values.setflags(write=False)
    for X in (data.X, csr):
        rank(X, data.y, method, nominal=data.nominal, task=task)
    for values, old in zip(given, before):
        np.testing.assert_array_equal(values, old)


@pytest.mark.parametrize("function", [
    lambda **more: rank(DATA.X, DATA.y, "relieff", **more),
    lambda **more: refine(DATA.X, DATA.y, "relieff", **more),  # when it is called, not when it is used
    lambda **more: null_level(DATA.X, DATA.y, "relieff", **more),
    lambda **more: grow(DATA.X, DATA.y, n_trees=2, **more),
    lambda **more: intrinsic_dimension(DATA.X, **more),
    lambda **more: quality_curve(lambda X, y: pytest.fail("work had begun"), DATA.X, DATA.y, **more),
    lambda **more: stability_selection(lambda X, y: pytest.fail("work had begun"), DATA.X, DATA.y, 2, **more),
], ids=["rank", "refine", "null_level", "grow", "dimension", "quality_curve", "stability"])  # fmt: skip
def test_progress_that_cannot_be_called(monkeypatch, function):
    monkeypatch.setattr(DataTable, "scattered", lambda *_: pytest.fail("work had begun"))
    for kind in {type(method) for method in METHODS.values()}:
        for step in ("prepare", "run"):
            monkeypatch.setattr(kind, step, lambda *_, **__: pytest.fail("work had begun"))
    for progress in (3, "bar", [print], {}, np.zeros(2)):
        with pytest.raises(TypeError, match="progress must be a function, not"):
            function(progress=progress)


@pytest.mark.parametrize(
    "value", [["relieff"], {"a": 1}, {"relieff"}, np.array(["relieff"]), 3, None, "x" * 10**5], ids=type
)
def test_names_of_wrong_kinds(value):
    for name, arguments in (("method", {"method": value}), ("task", {"task": value}), ("missing", {"missing": value})):
        if value is None and name != "method":
            continue  # the default
        with pytest.raises((TypeError, ValueError), match=f"unknown {name} .{{1,80}}; choose from"):
            rank(DATA.X, DATA.y, **{"method": "relieff", **arguments})


@pytest.mark.parametrize(
    "value", [np.array([1, 2]), [1, 2], {"a": 1}, np.array([]), np.zeros((2, 2)), pd.Series([1])], ids=range(6)
)
def test_parameters_that_are_arrays(value):
    for name, method in METHODS.items():
        y = {"regression": DATA.X[:, 0], "unsupervised": None, "survival": times(DATA.y)}.get(method.tasks[0], DATA.y)
        for parameter in method.parameters:
            if parameter.kind == "ramp":
                continue  # two numbers
            with pytest.raises((TypeError, ValueError), match=parameter.name):
                rank(DATA.X, y, name, **{parameter.name: value})


def test_numbers_beyond_all_floats():
    X, y = DATA.X.astype(object), DATA.X[:, 0].astype(object)
    X[1, 1] = y[1] = 10**400
    fails("X has numbers that are too large", X=X)
    fails("y has numbers that are too large", y=y, method="rrelieff")
    fails("sigma is too large", sigma=10**400)


@pytest.mark.parametrize("form", [
    pd.DataFrame, sparse.csc_array, np.array, lambda X: X.astype(object), lambda X: pd.DataFrame(X.astype(object)),
    lambda X: pd.DataFrame(X).astype(pd.SparseDtype(complex, 0))],
    ids=["frame", "sparse", "array", "objects", "frame of objects", "sparse frame"])  # fmt: skip
def test_complex_numbers(form):
    fails("complex", X=form(DATA.X + 1j))
    fails("complex|sparse", y=form((DATA.X + 1j)[:, :1]))
    fails("complex", y=form((DATA.X + 1j)[:, :2]), method="rrelieff")


def test_collections_in_cells():
    cells = np.empty(12, object)
    cells[:] = [[k % 2] for k in range(12)]
    fails("column a of X .* not collections", X=pd.DataFrame({"a": cells}))
    fails("values of type list", y=cells)
    fails("rows are no sequences of one length", X=[[1, 2], [3]])
