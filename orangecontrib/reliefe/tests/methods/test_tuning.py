"""The choice of influence by inner cross-validation, against a slow twin on the same folds."""

import numpy as np
import pytest

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.evaluation import folds
from orangecontrib.reliefe.tests.naive import evaluation as votes
from orangecontrib.reliefe.tests.naive import targets
from orangecontrib.reliefe.tests.naive import unlabelled as naive
from orangecontrib.reliefe.tests.target_samples import TASKS, run, sample

K, VOTERS, SEED = 5, 20, 3
PAIRS = (0, 0), (0.25, 0.75), (1, 1)


def quality(data, near, test):
    """Quality of the votes of rows `near` for rows `test`; higher is better."""
    values = targets.closed(data.values, data.hierarchy) if data.hierarchy else data.values
    if data.task == "classification":
        codes = np.where(np.isnan(values[:, 0]), -1, values[:, 0]).astype(int)
        return votes.macro_f1(codes[test], votes.vote(codes, near))
    if data.task in ("multi-label", "hierarchical"):
        found = np.column_stack([votes.mean(column, near) for column in values.T])
        return votes.auprc(values[test], found)
    each = [-votes.rrmse(column[test][:, None], votes.mean(column, near)[:, None]) for column in values[:, :2].T]
    if data.task == "multi-target":  # the third one has classes
        codes = np.where(np.isnan(values[:, 2]), -1, values[:, 2]).astype(int)
        each.append(votes.macro_f1(codes[test], votes.vote(codes, near)))
    return np.mean(each)


def twin(data, w0, w1, alone=False):
    """Qualities in four folds of the labelled rows; rankings see neither the targets nor the rows of the fold.

    alone: they see no unlabelled rows."""
    labelled, t = ~np.isnan(data.values).all(axis=1), data.differences()
    rows, found = np.flatnonzero(labelled), []
    classes = data.values[rows, 0] if data.task == "classification" else None
    for train, test in folds(len(rows), 4, SEED, classes):
        train, test = rows[train], rows[test]
        kept = np.array([i for i in range(len(labelled)) if i not in test])
        ranked = train if alone else kept
        scores = naive.sslrelief(data.X[ranked], t[np.ix_(ranked, ranked)], data.nominal, n_neighbors=K, w0=w0, w1=w1,
                                 labelled=labelled[ranked])  # fmt: skip
        near = votes.neighbours(data.X, train, test, scores, VOTERS, data.nominal, fitted=kept)
        found.append(quality(data, near, test))
    return np.array(found)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("missing", [0, 0.1])
def test_twin(task, missing):
    data = sample(23, task, n=48, labelled=0.6, missing=missing)
    found = {tuple(row[1:3]): row[3] for row in run(data, "sslrelief", n_neighbors=K, random_state=SEED).info["tuning"]}
    assert len(found) == 15
    for pair in PAIRS:
        assert found[pair] == pytest.approx(twin(data, *pair).mean(), abs=1e-9)


def test_a_setting_without_a_ranking_is_not_chosen():
    """No labelled row has a labelled one among its three neighbours here, and equal scores predict best."""
    rng = np.random.default_rng(2)
    y = np.arange(200.0) % 2
    X = rng.normal(size=(200, 6))
    X[:, 0] += y
    y[20:] = np.nan
    arguments = {"task": "classification", "n_neighbors": 3}
    found = rank(X, y, "sslrelief", **arguments)
    assert not rank(X, y, "sslrelief", w0=0, w1=0, **arguments).scores.any()
    assert [0, 0] not in [row[1:3] for row in found.info["tuning"]]
    assert found.scores.any()
    assert not found.info["warnings"]
    assert len(rank(X[:, :1] * 0, y, "sslrelief", **arguments).info["tuning"]) == 15  # none of them ranks


def test_labelled_rows_alone_predict_as_well():
    """Within one standard error of the folds; then a note says so."""
    told = []
    for seed, task in ((32, "classification"), (33, "multi-label")):
        data = sample(seed, task, n=48, labelled=0.6)
        info = run(data, "sslrelief", n_neighbors=K, random_state=SEED).info
        alone = twin(data, 1, 1, alone=True)
        gain = twin(data, info["w0"], info["w1"]) - alone
        told.append(gain.mean() <= gain.std(ddof=1) / 2)
        assert info["alone"] == (pytest.approx(alone.mean(), abs=1e-9) if told[-1] else None)
        assert any("labelled rows alone predict" in text for text in info["information"]) == told[-1]
    assert {*told} == {False, True}
