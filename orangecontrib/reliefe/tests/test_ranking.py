"""Results of `rank` and `refine`, the table of methods, progress and interruption."""

import sys
import threading
import time
from io import StringIO

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from tqdm import tqdm as progress_bar

from orangecontrib.reliefe.core import (
    METHODS,
    TASKS,
    Interrupted,
    Packed,
    Ranking,
    methods,
    rank,
    refine,
    request,
    tau_max,
)
from orangecontrib.reliefe.core.methods import choice, convergence
from orangecontrib.reliefe.tests.samples import FEW_PAIRS, PAIRS, SMALL, make

METHOD_TASK = pytest.mark.parametrize("method, task", PAIRS)
FEW_METHODS = pytest.mark.parametrize("method, task", FEW_PAIRS)
MANY = 60 if SMALL else 300


def is_literal(value):
    if isinstance(value, dict):
        return all(type(name) is str and is_literal(item) for name, item in value.items())
    if isinstance(value, (list, tuple)):
        return all(is_literal(item) for item in value)
    return value is None or type(value) in (bool, int, float, str)


@METHOD_TASK
def test_ranking(method, task):
    data = make(1, task, n=20, n_classes=3, missing=0.1)
    found = rank(data.X, data.y, method, nominal=data.nominal, task=task)
    assert isinstance(found, Ranking)
    assert found.scores.shape == (8,)
    assert found.scores.dtype == np.float64
    assert np.array_equal(found.ranking, np.argsort(-found.scores, kind="stable"))
    assert found.method == method
    assert found.names is None
    assert set(found.parameters) == {p.name for p in METHODS[method].parameters}
    assert is_literal(found.parameters)
    assert is_literal(found.info)


@FEW_METHODS
def test_info(method, task):
    data = make(2, task, n=20, n_classes=3, missing=0.1)
    info = rank(data.X, data.y, method, nominal=data.nominal, task=task, n_instances=5).info
    assert (info["task"], info["rows"], info["instances"], info["final"]) == (task, 20, 5, True)
    assert info["missing"] == pytest.approx(np.isnan(data.X).mean())
    assert info["seconds"] >= 0
    assert isinstance(info["summary"], str)
    assert info["summary"]
    assert isinstance(info["warnings"], (list, tuple))


def test_ties_go_to_the_lower_index():
    X = make(3, n=20, p=2, nominal=()).X[:, [0, 1, 0, 1, 0]]
    found = rank(X, np.arange(20) % 2, "surf")
    assert found.ranking.tolist() in ([0, 2, 4, 1, 3], [1, 3, 0, 2, 4])


def test_selection():
    found = rank(make(4).X, make(4).y, "relieff")
    best = found.ranking
    assert found.select(2).tolist() == best[:2].tolist()
    assert found.select(99).tolist() == best.tolist()
    threshold = found.scores[best[2]]
    assert found.above(threshold).tolist() == best[:3].tolist()
    assert found.above(2).tolist() == []


def test_ranking_shows_itself():
    X, y = pd.DataFrame(make(4).X).add_prefix("<x>"), make(4).y
    found = rank(X, y, "relieff", significance=5)
    assert found.best(2) == tuple(X.columns[found.ranking[:2]])
    assert repr(found) == f"Ranking(ReliefF for 0 and 1, {len(X)} rows, 8 features: {', '.join(found.best(3))}, ...)"
    frame = found.to_frame()
    assert frame.index.tolist() == list(range(1, 9))
    assert tuple(frame["feature"]) == found.best(8)
    assert frame["score"].is_monotonic_decreasing
    assert frame.columns.tolist() == ["feature", "score", "z", "p", "q", "kind"]
    nameless = rank(X.to_numpy(), y, "relieff")
    assert nameless.best(3) == tuple(found.ranking[:3])


def test_scores_by_target_in_a_frame():
    data = make(4)
    found = rank(data.X, np.column_stack([data.y > 0, data.y < 1]).astype(int), "rrelieff", per_target=True)
    np.testing.assert_array_equal(found.to_frame()["score (0)"], found.per_target[0][found.ranking])


def test_plot(monkeypatch):
    found = rank(make(4).X, make(4).y, "relieff")
    axes = pytest.importorskip("matplotlib.axes")
    drawn = found.plot(3)
    assert isinstance(drawn, axes.Axes)
    assert [label.get_text() for label in drawn.get_yticklabels()] == [f"feature {j}" for j in found.best(3)]
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert found.plot(3)._repr_svg_().count("<rect") == 4


def test_bar_of_progress(monkeypatch):
    tqdm = pytest.importorskip("tqdm.auto")
    bars = []
    monkeypatch.setattr(
        tqdm, "tqdm", lambda **settings: bars.append(progress_bar(file=StringIO(), **settings)) or bars[-1]
    )
    assert np.array_equal(rank(make(4).X, make(4).y, progress=True).scores, rank(make(4).X, make(4).y).scores)
    assert [bar.n for bar in bars] == [100]
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ValueError, match="tqdm, which is not installed"):
        rank(make(4).X, make(4).y, progress=True)


def test_other_index():
    X, y = pd.DataFrame(make(4).X), pd.Series(make(4).y)
    assert not rank(X, y).info["warnings"]
    with pytest.warns(UserWarning, match=r"index of y is not that of X.*y\.loc"):
        found = rank(X, y[::-1])
    assert "index of y" in found.info["warnings"][0]


def test_ranking_is_frozen():
    found = rank(make(4).X, make(4).y)
    with pytest.raises(AttributeError):
        found.scores = None


@pytest.mark.parametrize("alpha, m, value", [(0.05, 100, 0.4472135954999579), (1, 4, 0.5)])
def test_tau_max(alpha, m, value):
    assert tau_max(alpha, m) == pytest.approx(value)


def test_auto_takes_no_minutes(monkeypatch):
    assert choice.MAX_BOOSTED_VALUES == 10**8
    monkeypatch.setattr(choice, "MAX_BOOSTED_VALUES", 10**4)
    X = sparse.random(40, 260, 0.1, format="csr", random_state=0)
    y = np.arange(40) % 2
    found = rank(X, y)
    assert found.method == "multisurf"
    assert found.info["auto"].endswith("boosting would take minutes, since n p is above 10\u2078")
    assert rank(X[:, :250], y).method == "boostedlearnedrelief"


def test_auto_has_room_for_the_margins_of_classes():
    """600 classes in 1,200 rows left room for 11 of 20 candidates, and took 1 GB."""
    rng = np.random.default_rng(0)
    codes = np.arange(1_200) % 600
    found = rank(rng.normal(size=(1_200, 20)), np.array([f"class {code}" for code in codes]))
    assert found.method == "multisurf"
    assert found.info["auto"].endswith("boosting has no room for the margins of 600 classes")
    assert rank(rng.normal(size=(120, 20)), np.arange(120) % 10).method == "boostedrelief"


def test_auto():
    classes, numbers = make(5), make(5, "regression")
    wide, several = np.tile(classes.X, 30), np.column_stack([numbers.y, numbers.y**2])
    for X, y, method, why in (
        (classes.X, classes.y, "boostedrelief", "Boosted Relief, since the target has classes"),
        (wide, classes.y, "boostedlearnedrelief", "more features than rows"),
        (numbers.X, several, "boostedrelief", "several targets"),
        (numbers.X, numbers.y, "boostedlearnedrelief", "Boosted Learned-Space Relief, since the target is a number"),
    ):
        found = rank(X, y)
        assert found.method == method
        assert why in found.info["auto"]
        assert np.array_equal(found.scores, rank(X, y, method).scores)
    given: dict[str, dict] = {
        "rrelieff": {"y": several, "per_target": True},
        "multisurf": {"groups": np.arange(len(wide))},
    }
    given["multisurf"] |= {"y": classes.y}
    for method, options in given.items():
        assert rank(classes.X, **options).method == method
    assert rank(classes.X, classes.y, significance=2).method == "multisurf"
    study: dict[str, dict] = {
        "covariates": {"covariates": np.arange(len(wide)) % 7},
        "groups": {"groups": np.arange(len(wide))},
        "p-values": {"significance": 2},
        "covariates and p-values": {"covariates": np.arange(len(wide)) % 7, "significance": 2},
    }
    for reason, options in study.items():
        expected = f"MultiSURF, since the target has classes, and {reason} need scores"
        assert rank(classes.X, classes.y, **options).info["auto"].startswith(expected)
        expected = f"RReliefF, since the target is a number, and {reason} need scores"
        assert rank(numbers.X, numbers.y, **options).info["auto"].startswith(expected)
    gaps = np.where(np.arange(classes.X.size).reshape(classes.X.shape) == 3, np.nan, classes.X)
    assert rank(gaps, classes.y, significance=2).info["auto"].startswith("ReliefF, since values are missing, and p-v")
    found = rank(classes.X, classes.y, distance="cosine")
    assert (found.method, found.info["auto"]) == (
        "multisurf",
        "MultiSURF, since the target has classes, and Boosted Relief has no parameter distance",
    )
    codes = rank(Packed.of(np.random.default_rng(0).integers(0, 3, (60, 9))), np.arange(60) % 2)
    assert codes.info["auto"].endswith("and Boosted Relief was not measured on genotypes")
    assert "auto" not in rank(classes.X, classes.y, "multisurf").info


@pytest.mark.parametrize(
    "y, method, task",
    [
        ([0, 1] * 6, "multisurf", "classification"),
        ([True, False] * 6, "surf", "classification"),
        (["a", "b", "c"] * 4, "surfstar", "classification"),
        (pd.Categorical(["a", "b"] * 6), "surf", "classification"),
        (pd.Series(["x", "y"] * 6), "surf", "classification"),
        (np.arange(12) / 7, "surf", "regression"),
        (np.arange(12), "rrelieff", "regression"),
        (np.arange(12) % 2 * 1.0, "relieff", "classification"),
    ],
)
def test_task_is_inferred(y, method, task):
    assert rank(make(6, n=12).X, y, method).info["task"] == task


def test_task_may_be_given():
    data = make(6, n=12)
    assert np.array_equal(
        rank(data.X, data.y, "surf", task="regression").scores, rank(data.X, data.y.astype(float), "surf").scores
    )


def test_data_frame():
    data = make(7, n=20, missing=0.1)
    frame = pd.DataFrame(data.X, columns=list("abcdefgh"))
    for a in np.flatnonzero(data.nominal):
        frame[frame.columns[a]] = frame.iloc[:, a].map({0.0: "x", 1.0: "y", 2.0: "z"}).astype("category")
    found = rank(frame, pd.Series(data.y), "relieff")
    assert np.array_equal(found.scores, rank(data.X, data.y, "relieff", nominal=data.nominal).scores)
    assert found.names == tuple("abcdefgh")


@pytest.mark.parametrize("kind", ["category", "object", "string"])
def test_data_frame_of_texts(kind):
    """Columns of texts and truth values are nominal; None is missing."""
    data = make(7, n=20, nominal=range(8), missing=0.1)
    frame = pd.DataFrame(
        {f"x{a}": pd.Series([None if v != v else f"value {v}" for v in data.X[:, a]], dtype=kind) for a in range(8)}
    )
    frame["flag"] = data.X[:, 0] == 1
    expected = rank(np.column_stack([data.X, data.X[:, 0] == 1]), data.y, "multisurf", nominal=np.ones(9, bool))
    assert np.array_equal(rank(frame, data.y, "multisurf").scores, expected.scores)


def test_data_frame_with_nullable_integers():
    data = make(7, n=20, missing=0.1)
    X = np.round(data.X * 10)
    frame = pd.DataFrame(X).astype("Int64")
    assert np.array_equal(rank(frame, data.y, "surf").scores, rank(X, data.y, "surf").scores)


@pytest.mark.parametrize(
    "make_target",
    [
        lambda names: pd.Series(names, dtype="string"),
        lambda names: pd.Categorical(names),
        np.array,
        lambda names: pd.Series(names, dtype="category"),
        lambda names: pd.Series(names).to_frame(),
    ],
    ids=["string", "Categorical", "array", "category", "frame"],
)
def test_forms_of_the_target(make_target):
    """The first row is unknown."""
    data = make(8, n=20)
    names = [None, *(f"class {c}" for c in data.y[1:])]
    found = rank(data.X, make_target(names), "relieff", nominal=data.nominal)
    assert found.info["rows"] == 19
    assert np.array_equal(found.scores, rank(data.X[1:], data.y[1:], "relieff", nominal=data.nominal).scores)


@pytest.mark.parametrize("kind", ["Int64", "boolean", "Float64"])
def test_nullable_targets(kind):
    data = make(8, n=20)
    y = pd.Series([None, *data.y[1:]], dtype=kind)
    found = rank(data.X, y, "relieff", nominal=data.nominal)
    assert np.array_equal(found.scores, rank(data.X[1:], data.y[1:], "relieff", nominal=data.nominal).scores)


def test_table_of_methods():
    assert methods() == tuple(METHODS.values())
    for name, method in METHODS.items():
        assert method.name == name
        assert method.title
        assert method.about
        assert method.idea
        assert any(c.isdigit() for c in method.citation)
        assert set(method.tasks) <= {*TASKS, "survival"}


def test_parameters_accept_their_defaults():
    for parameter in (p for m in METHODS.values() for p in m.parameters):
        assert parameter.check(parameter.default) == parameter.default, parameter
        assert parameter.label, parameter
        assert parameter.tooltip, parameter
        assert len(parameter.choices) + (parameter.none is not None) > 1 or parameter.kind != "choice", parameter


def test_the_word_for_no_value_means_none():
    """As documentation and widgets name it: "equal weights" is no bandwidth."""
    for parameter in (p for m in METHODS.values() for p in m.parameters if p.none):
        assert parameter.none not in parameter.choices, parameter
        assert parameter.check(parameter.none) is None, parameter
    data = make(8)
    scores = [rank(data.X, None, "laplacian", bandwidth=word).scores for word in ("equal weights", None, "median")]
    assert np.array_equal(scores[0], scores[1])
    assert not np.allclose(scores[0], scores[2])


@METHOD_TASK
def test_given_defaults_change_nothing(method, task):
    data = make(8, task)
    given = {p.name: p.default for p in METHODS[method].parameters}
    assert np.array_equal(
        rank(data.X, data.y, method, task=task, **given).scores, rank(data.X, data.y, method, task=task).scores
    )


@pytest.fixture
def stages(monkeypatch):
    """Partial rankings of 16 targets even where nobody would have to wait, and threads for few rows."""
    monkeypatch.setattr(convergence, "LEVELS", (16, 250))
    monkeypatch.setattr(convergence, "WORTH_WAITING", 0)
    monkeypatch.setattr(request, "WORTH_THREADS", 0)


@METHOD_TASK
def test_refine(method, task, stages):
    """From a few targets to all of them; the last ranking is that of `rank`."""
    data = make(9, task, n=MANY, p=3)
    arguments = {"nominal": data.nominal, "task": task, "random_state": 5}
    *partial, last = refine(data.X, data.y, method, **arguments)
    assert [r.info["instances"] for r in partial] == [16]
    assert [r.info["final"] for r in [*partial, last]] == [False, True]
    assert np.array_equal(last.scores, rank(data.X, data.y, method, **arguments).scores)
    first = rank(data.X, data.y, method, n_instances=16, **arguments)
    np.testing.assert_allclose(partial[0].scores, first.scores, rtol=0, atol=1e-9)


def test_refine_of_few_rows_is_one_ranking():
    data = make(10)
    (only,) = refine(data.X, data.y, "relieff")
    assert np.array_equal(only.scores, rank(data.X, data.y, "relieff").scores)
    assert only.info["final"]


def test_refine_stops_at_the_targets_asked_for(stages):
    data = make(11, n=MANY, p=3)
    found = list(refine(data.X, data.y, "relieff", n_instances=50))
    assert [r.info["instances"] for r in found] == [16, 50]
    assert np.array_equal(found[1].scores, rank(data.X, data.y, "relieff", n_instances=50).scores)


@FEW_METHODS
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress(method, task, n_jobs, stages):
    data, shares, busy = make(12, task, n=MANY, p=4), [], threading.Lock()

    def progress(share):
        assert busy.acquire(blocking=False), "called by two threads at once"
        shares.append(share)
        busy.release()

    rank(data.X, data.y, method, nominal=data.nominal, task=task, progress=progress, n_jobs=n_jobs)
    assert shares[-1] == 1
    assert shares == sorted(shares)
    assert shares[0] >= 0


@FEW_METHODS
@pytest.mark.parametrize("missing, form", [(0, "dense"), (0.1, "dense"), (0, "csr")])
@pytest.mark.parametrize("when", [0, 0.4])
def test_interruption(method, task, missing, form, when):
    """The work ends soon after `progress` has raised, and `progress` is not called again."""
    data = make(13, task, n=100 if SMALL else 1500, p=10, missing=missing)
    data, raised = data.csr if form == "csr" else data, []

    def progress(share):
        if share >= when:
            raised.append(time.monotonic())
            raise Interrupted

    with pytest.raises(Interrupted):
        rank(data.X, data.y, method, nominal=data.nominal, task=task, progress=progress, n_jobs=2)
    assert time.monotonic() - raised[0] < (20 if SMALL else 0.5)
    assert len(raised) == 1


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_other_failures_of_progress_are_passed_on(n_jobs):
    def progress(share):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        rank(make(14).X, make(14).y, "multisurf", progress=progress, n_jobs=n_jobs)


def test_interrupted_refinement_keeps_what_it_gave(stages):
    data, stop = make(15, n=MANY, p=3), []

    def progress(share):
        if stop:
            raise Interrupted

    found = refine(data.X, data.y, "multisurf", progress=progress)
    first = next(found)
    stop.append(True)
    with pytest.raises(Interrupted):
        list(found)
    assert not first.info["final"]
    assert np.isfinite(first.scores).all()


def test_auto_where_a_few_rows_have_no_target():
    """Those are left out, and the method is that of the others."""
    data, labels = make(3, n=24), (np.random.default_rng(0).random((24, 3)) < 0.5).astype(float)
    gaps = np.arange(24) % 8 == 0
    for y, task in ((data.y, "classification"), (data.X[:, 0], "regression"), (labels, "multi-label")):
        unknown = y.astype(object)
        unknown[gaps] = None
        found, expected = (rank(data.X[rows], given[rows]) for given, rows in ((unknown, slice(None)), (y, ~gaps)))
        assert (found.method, found.info["task"]) == (expected.method, task)
        np.testing.assert_array_equal(found.scores, expected.scores)
