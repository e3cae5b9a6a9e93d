"""SSL-Relief: the golden vectors, the slow twin on every kind of target, and what was tuned."""

from dataclasses import replace

import numpy as np
import pytest

from orangecontrib.reliefe.core import rank, request
from orangecontrib.reliefe.tests.limits import lower
from orangecontrib.reliefe.tests.naive import targets as twins
from orangecontrib.reliefe.tests.naive import unlabelled as naive
from orangecontrib.reliefe.tests.samples import SMALL
from orangecontrib.reliefe.tests.target_samples import (
    GOLDEN,
    MANY,
    MISSING,
    TASKS,
    check,
    close,
    fixed,
    run,
    sample,
    scores,
)

TASK = pytest.mark.parametrize("task", TASKS)
STRATEGY = pytest.mark.parametrize("missing", MISSING)
CASES = pytest.mark.parametrize("case", GOLDEN["ssl"], ids=lambda case: case["task"])
INFLUENCES = pytest.mark.parametrize("w0, w1", [(0, 0), (0.0, 1.0), (0.25, 0.75), (1, 1), (0.3, 0.31)])
GIVEN = {"n_neighbors": 3, "w0": 0.25, "w1": 0.75}
TUNED = {"w0": 0.25, "w1": 0.75}  # the number of neighbours is
GRID = [(a, b) for b in (0, 0.25, 0.5, 0.75, 1) for a in (0, 0.25, 0.5, 0.75, 1) if a <= b]


def golden(case):
    """X, y, nominal, and the differences of the twin."""
    y = np.array(case["y"], float)
    make = {"classification": twins.classes, "regression": twins.numbers, "multi-target": twins.several,
            "multi-label": twins.labels, "hierarchical": lambda y: twins.hierarchy(y, case["hierarchy"])}  # fmt: skip
    values = GOLDEN["sets"]["B"]
    return np.array(values["X"], float), y, np.array(values["nominal"]), make[case["task"]](y)


@CASES
def test_golden_twin(case):
    X, _, nominal, t = golden(case)
    close(naive.sslrelief(X, t, nominal, **GIVEN), case["scores"])


@CASES
def test_golden(case):
    X, y, nominal, _ = golden(case)
    found = rank(X, y, "sslrelief", nominal=nominal, task=case["task"], hierarchy=case.get("hierarchy"), **GIVEN)
    close(found.scores, case["scores"])
    assert found.info["task"] == case["task"]
    assert (found.info["w0"], found.info["w1"], found.info["n_neighbors"]) == (0.25, 0.75, 3)


def test_golden_influences():
    X, _, nominal, t = golden(GOLDEN["ssl"][0])
    d = naive.compared(X, nominal, "clus")[1]
    close(naive.influences(d, ~np.isnan(np.diag(t)), 0.25, 0.75), GOLDEN["influence"])


def test_golden_without_labels_and_without_unlabelled_rows():
    X, y, nominal, t = golden(GOLDEN["ssl"][0])
    known = ~np.isnan(y)
    close(naive.sslrelief(X, t * np.nan, nominal, **GIVEN), GOLDEN["unlabelled"])
    close(rank(X, None, "sslrelief", nominal=nominal, **GIVEN).scores, GOLDEN["unlabelled"])
    close(naive.sslrelief(X[known], t[known][:, known], nominal, **GIVEN), GOLDEN["labelled_only"])
    found = rank(X, y, "sslrelief", nominal=nominal, task="classification", labelled_only=True, **GIVEN)
    close(found.scores, GOLDEN["labelled_only"])


@TASK
@pytest.mark.parametrize("labelled", [0.1, 0.5, 1.0])
@INFLUENCES
def test_complete(task, labelled, w0, w1):
    check(sample(1, task, labelled=labelled), "sslrelief", n_neighbors=5, w0=w0, w1=w1)


@pytest.mark.parametrize("task", MANY)
@pytest.mark.parametrize("partly", [0.2, 0.7])
@INFLUENCES
def test_partly_known_targets(task, partly, w0, w1):
    """Pairs without a component that both rows know differ as much as the rows do."""
    check(sample(2, task, partly=partly, labelled=0.7), "sslrelief", n_neighbors=6, w0=w0, w1=w1)


@TASK
@STRATEGY
@pytest.mark.parametrize("share", [0.15, 0.5])
def test_missing(task, missing, share):
    for labelled in (0.5, 1.0):
        data = sample(3, task, labelled=labelled, missing=share)
        data.X[:, 2] = np.nan
        check(data, "sslrelief", missing=missing, **fixed())


@TASK
def test_missing_by_default_as_in_clus(task):
    data = sample(4, task, labelled=0.5, missing=0.15)
    close(scores(data, "sslrelief", **fixed()), scores(data, "sslrelief", missing="clus", **fixed()), 0)


@TASK
@pytest.mark.parametrize("missing", MISSING[:2])
def test_ramp(task, missing):
    data = sample(5, task, labelled=0.5, missing=0.1)
    check(data, "sslrelief", ramp=(0.1, 0.4), missing=missing, **fixed(n_neighbors=100))


@TASK
@pytest.mark.parametrize("n_instances", [1, 0.3])
@pytest.mark.parametrize("share", [0, 0.2])
def test_some_rows(task, n_instances, share):
    data = sample(6, task, labelled=0.5, missing=share)
    check(data, "sslrelief", n_instances=n_instances, random_state=3, **fixed())


@TASK
@STRATEGY
def test_csr(task, missing):
    data = sample(8, task, n=20, p=14, zeros=0.5, missing=0.1, labelled=0.6)
    check(data.csr, "sslrelief", like=data, missing=missing, **fixed())


@TASK
@pytest.mark.parametrize("n, p", [(90, 140), (150, 3)])
def test_sizes(task, n, p):
    n, p = (22, max(p // 9, 3)) if SMALL else (n, p)
    data = sample(9, task, n=n, p=p, nominal=range(0, p, 5), labelled=0.4)
    check(data, "sslrelief", **fixed(n_neighbors=15))


@TASK
def test_ties_go_to_the_lower_row(task):
    data = sample(10, task, n=14, labelled=0.6)
    twice = data.rows(np.tile(np.arange(14), 2))
    nominal = sample(11, task, n=24, p=7, nominal=range(7), labelled=0.6)
    for k in (1, 3, 8):
        check(twice, "sslrelief", **fixed(n_neighbors=k))
        check(nominal, "sslrelief", **fixed(n_neighbors=k))


@TASK
def test_unlabelled_twin_of_a_labelled_row(task):
    """It is on the line like any other."""
    data = sample(12, task, n=12)
    data = replace(data.rows(np.tile(np.arange(12), 2)), y=np.array(data.y.tolist() * 2, data.y.dtype))
    unknown = np.nan if data.y.dtype == float else None
    data.y[12:], data.values[12:] = unknown, np.nan
    for w0, w1 in ((0.25, 0.75), (0, 1)):
        check(data, "sslrelief", **fixed(w0=w0, w1=w1))


@TASK
@pytest.mark.parametrize("n", [2, 3, 5])
@pytest.mark.parametrize("labelled", [1, 2])
def test_very_few_rows(task, n, labelled):
    data = sample(13, task, n=12)
    rows = np.argsort(data.y if task == "regression" else data.values[:, 0], kind="stable")[[0, -1, 4, 5, 6][:n]]
    data = data.rows(rows)
    data.y[labelled:], data.values[labelled:] = (np.nan if data.y.dtype == float else None), np.nan
    for missing in MISSING[:2]:
        check(data, "sslrelief", missing=missing, **fixed())


@TASK
def test_labelled_rows_only(task):
    """As if the others did not exist: ranges, too."""
    data = sample(14, task, labelled=0.6, partly=0.3, missing=0.1)
    known = ~np.isnan(data.values).all(axis=1)
    data.X[~known] *= 100
    found = run(data, "sslrelief", labelled_only=True, **fixed())
    assert np.array_equal(found.scores, scores(data.rows(known), "sslrelief", **fixed()))
    assert found.info["rows"] == known.sum()
    close(found.scores, scores(data.rows(known), "sslrelief", **fixed(w0=0.5, w1=0.5)), 0)


@TASK
def test_what_was_done_is_told(task):
    data = sample(15, task, labelled=0.5, partly=0.2)
    info = run(data, "sslrelief", **fixed()).info
    assert info["task"] == task
    assert info["rows"] == 24
    assert info["labelled"] == (~np.isnan(data.values).all(axis=1)).sum()
    values = twins.closed(data.values, data.hierarchy) if data.hierarchy else data.values
    assert info["labelled_per_target"] == (~np.isnan(values)).sum(axis=0).tolist()
    assert (info["w0"], info["w1"], info["n_neighbors"], info["tuning"]) == (0.25, 0.75, 5, None)


@pytest.mark.parametrize("task", MANY)
@pytest.mark.parametrize("method", ["sslrelief", "rrelieff"])
def test_scores_per_target(task, method):
    """Those of runs with one target alone."""
    data = sample(16, task, missing=0.1)
    parameters = fixed() if method == "sslrelief" else {"n_neighbors": 6}
    found = run(data, method, per_target=True, **parameters)
    assert found.per_target.shape == (data.values.shape[1], 8)
    assert len(found.targets) == data.values.shape[1]
    close(found.scores, scores(data, method, **parameters), 0)
    values = twins.closed(data.values, data.hierarchy) if data.hierarchy else data.values
    for number, (own, column) in enumerate(zip(found.per_target, values.T)):
        kind = ("regression" if number < 2 else "classification") if task == "multi-target" else "multi-label"
        alone = replace(data, values=column[:, None], task=kind, hierarchy=None)
        t = alone.differences()
        close(own, getattr(naive, method)(data.X, t, data.nominal, **parameters))
    assert run(data, method, **parameters).per_target is None


@TASK
def test_tuning(task):
    n = 30 if SMALL else 60
    data = sample(17, task, n=n, labelled=0.8)
    found = run(data, "sslrelief")
    tuning = found.info["tuning"]
    assert [(k, (a, b)) for k, a, b, _ in sorted(tuning)] == sorted((k, pair) for k in (20, 50, 100) for pair in GRID)
    best = [found.info[name] for name in ("n_neighbors", "w0", "w1")]
    assert best in [row[:3] for row in tuning]
    assert best == max(tuning, key=lambda row: row[3])[:3]  # the first of the best
    chosen = dict(zip(("n_neighbors", "w0", "w1"), best))
    assert np.array_equal(found.scores, scores(data, "sslrelief", **chosen))


@TASK
@pytest.mark.parametrize("given, expected", [
    ({"n_neighbors": 7}, {(7, *pair) for pair in GRID}),
    ({"w0": 0.1, "w1": 0.4}, {(k, 0.1, 0.4) for k in (20, 50, 100)}),
    ({"n_neighbors": "paper"}, {(k, *pair) for k in (15, 20, 30) for pair in GRID}),
], ids=["k", "w", "paper"])  # fmt: skip
def test_tuning_of_a_part(task, given, expected):
    data = sample(18, task, n=30 if SMALL else 50, labelled=0.9)
    info = run(data, "sslrelief", **given).info
    assert {tuple(row[:3]) for row in info["tuning"]} == expected
    assert (info["n_neighbors"], info["w0"], info["w1"]) in expected


@TASK
def test_too_few_labels_to_tune(task):
    data = sample(19, task, n=40, labelled=19 / 40)
    found = run(data, "sslrelief")
    assert (found.info["n_neighbors"], found.info["w0"], found.info["w1"]) == (20, 0, 0)
    assert found.info["tuning"] is None
    assert np.array_equal(found.scores, scores(data, "sslrelief", n_neighbors=20, w0=0, w1=0))


@TASK
@pytest.mark.parametrize("form", ["dense", "csr"])
@pytest.mark.parametrize("missing", [0, 0.05])
@pytest.mark.parametrize("parameters", [fixed(), fixed(n_instances=0.4), fixed(missing="ignore"), TUNED], ids=str)
def test_same_bits_for_any_number_of_threads(task, form, missing, parameters, monkeypatch):
    monkeypatch.setattr(request, "WORTH_THREADS", 0)
    n = 36 if SMALL else 60 if parameters is TUNED else 300
    data = sample(20, task, n=n, p=11, zeros=0.3, missing=missing, labelled=0.6)
    data = data.csr if form == "csr" else data
    one, *more = (run(data, "sslrelief", n_jobs=n_jobs, **parameters) for n_jobs in (1, 2, 3))
    for other in more:
        assert np.array_equal(other.scores, one.scores)
        assert other.info["tuning"] == one.info["tuning"]


@TASK
@pytest.mark.parametrize("missing", [None, *MISSING])
def test_single_precision(task, missing, monkeypatch):
    n, p = (20, 10) if SMALL else (120, 30)
    data = sample(22, task, n=n, p=p, labelled=0.5, missing=0.1 if missing else 0)
    double, single = [], []
    for limit, found in ((np.inf, double), (0, single)):
        lower(monkeypatch, MAX_EXACT_COMPLETE=limit, MAX_EXACT_MISSING=limit)
        found.append(scores(data, "sslrelief", missing=missing, **fixed()))
    assert not np.array_equal(single, double)
    close(single, double, 1e-6)


def test_how_far_unlabelled_rows_are_is_told():
    data = sample(15, "classification", labelled=0.5)
    info = run(data, "sslrelief", **fixed()).info
    low, high, counts = info["nearest"]
    assert 0 <= low < high
    assert sum(counts) == info["rows"] - info["labelled"]
    assert info["nearest"] == run(data, "sslrelief", **fixed() | {"w0": 0, "w1": 1}).info["nearest"]
    assert run(sample(15, "classification", labelled=1), "sslrelief", **fixed()).info["nearest"] is None
