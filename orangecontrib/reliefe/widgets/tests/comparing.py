"""Base of the tests of comparisons: small data, rankings of them, a task's state, small forests."""

import importlib
from unittest.mock import patch

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from threadpoolctl import threadpool_limits

from orangecontrib.reliefe.orange.comparison import quality_job
from orangecontrib.reliefe.orange.comparison.comparison import ComparedRankings
from orangecontrib.reliefe.orange.comparison.quality_job import QualityRequest, run

TARGETS = {
    "classification": [DiscreteVariable("y", ("a", "b"))],
    "regression": [ContinuousVariable("y")],
    "multi-target": [ContinuousVariable("y1"), ContinuousVariable("y2")],
    "multi-label": [DiscreteVariable("y1", ("0", "1")), DiscreteVariable("y2", ("0", "1"))],
    "unsupervised": [],
}


class Correlation:
    """A scorer that notes which rows it has seen."""

    name = "Correlation"

    def __init__(self):
        self.seen = []

    def __call__(self, data):
        self.seen.append(set(data.ids))
        y = data.Y if data.Y.ndim == 1 else data.Y[:, :1].ravel()
        return np.array([abs(np.corrcoef(column, y)[0, 1]) for column in data.X.T])


class State:
    """State that a task gets; keeps what it is told."""

    def __init__(self, stop_after=None):
        self.partial, self.progress, self.stop_after = [], [], stop_after

    def is_interruption_requested(self):
        return self.stop_after is not None and len(self.partial) >= self.stop_after

    def set_status(self, text):
        pass

    def set_progress_value(self, value):
        self.progress.append(value)

    def set_partial_result(self, result):
        self.partial.append(result)


def table(task="classification", n=40, p=5, seed=0):
    """Features 3 and 1 tell the target."""
    X = np.random.default_rng(seed).random((n, p))
    signal = X[:, 3] + 0.5 * X[:, 1]
    Y = np.column_stack([signal, X[:, 3]])[:, : len(TARGETS[task])]
    if task in ("classification", "multi-label"):
        Y = (np.median(Y, axis=0) < Y).astype(float)
    data = Table.from_numpy(Domain([ContinuousVariable(f"x{j}") for j in range(p)], TARGETS[task]), X, Y)
    data.name = "made"
    return data


def comparison(data=None, learner=None, scorer=None, **scorers):
    """A ranking by a scorer, and one that came as scores."""
    data = table() if data is None else data
    scorer = Correlation() if scorer is None else scorer
    names = tuple(v.name for v in data.domain.attributes)
    p = len(names)
    scorers = {"Inside": scorer, "Fixed": None, **scorers}
    scores = np.tile(np.arange(p, 0, -1.0), (len(scorers), 1))
    scores[0] = np.roll(scores[0], 3)
    return ComparedRankings(names, tuple(scorers), scores, scorers, data, learner)


def measured(c=None, request=None, known=None):
    return run(c or comparison(), request or QualityRequest(3, 1), known, State())


class ComparisonTest:
    """To be mixed in: forests are small and random rankings few in all of its tests."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name in ("references", "predictors"):
            module = importlib.import_module(f"orangecontrib.reliefe.core.evaluation.{name}")
            small = patch.object(module, "N_TREES", 5)
            small.start()
            cls.addClassCleanup(small.stop)
        few = patch.object(quality_job, "MIN_DRAWS", 1)
        few.start()
        cls.addClassCleanup(few.stop)
        one = threadpool_limits(1)  # of BLAS: on matrices this small, threads of it only wait for each other
        cls.addClassCleanup(one.restore_original_limits)
