"""Small data for the tests, and the table of what is tested."""

import os
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import settings
from scipy import sparse

from orangecontrib.reliefe.core import METHODS, Survival
from orangecontrib.reliefe.core.methods.relief_family import RECIPES

SMALL = bool(os.environ.get("NUMBA_DISABLE_JIT"))  # kernels run as Python: keep the data tiny
MORE = int(os.environ.get("ORANGE_RELIEFE_EXAMPLES", "1"))  # times the usual number of examples of hypothesis
STRATEGIES = "class-conditional", "ignore", "uniform", "separate", "clus"
TASKS = "classification", "regression"  # for one target; `target_samples` has the others
RELATIVES = "reliefa", "erelieff", "relievedf", "reliefmss"  # of ReliefF; in `relief.test_relatives`
PAIRS = [(r.name, task) for r in RECIPES if r.name not in RELATIVES for task in r.tasks if task in TASKS]
VARIANTS = {
    "relief": [{}, {"power": 2}],
    "relieff": [{"n_neighbors": 3}, {"n_neighbors": 4, "scheme": "E"}, {"n_neighbors": 6, "sigma": 2.0}],
    "rrelieff": [{"n_neighbors": 5, "sigma": None}, {"n_neighbors": 8, "sigma": 3.0}, {}],
    "murelief": [{"n_neighbors": 3}],
}
RUNS = [(name, task, variant) for name, task in PAIRS for variant in VARIANTS.get(name, [{}])]


def path(method):
    """Key of the code that a method runs: methods of one path differ in their parameters only."""
    parts = [getattr(method, part, None) for part in ("neighbourhood", "update")]
    return method.family, type(method) if method.family == "relief" else method.traits.refines, type(parts[0]), parts[1]


def representatives():
    """Names of methods, the first one of each path: for what all methods share, as the checks of arguments are.

    Tests that compare a method with its twin, dense with sparse data, or numbers of threads, take all methods, but no
    product of methods with anything that has code of its own (missing values, ramps, widths): that takes these.
    """
    first = {}
    for method in METHODS.values():
        first.setdefault(path(method), method.name)
    return tuple(first.values())


REPRESENTATIVES = representatives()
FEW_PAIRS = [(name, task) for name, task in PAIRS if name in REPRESENTATIVES]


def times(y):
    """Times (n,) of numbers or codes, and events of two thirds of the rows."""
    return Survival(np.asarray(y, float) - np.min(y), np.arange(len(y)) % 3 > 0)


def examples(count, small=2):
    """Settings of hypothesis; small: number without compilation.  With more than the usual number, seeds are new."""
    number = MORE * (small if SMALL else count)
    return settings(deadline=None, derandomize=MORE == 1, database=None, max_examples=number)


def few(name):
    """Parameters that make a method use only some of a few rows as neighbours."""
    return {
        "relieff": {"n_neighbors": 3},
        "murelief": {"n_neighbors": 3},
        "rrelieff": {"n_neighbors": 6, "sigma": 4.0},
    }.get(name, {})


def all_rows(name):
    """Parameters that make a method use all rows as neighbours: for data in which distances are tied."""
    return {"relieff": {"n_neighbors": 1000}, "rrelieff": {"n_neighbors": 1000, "sigma": None}}.get(name, {})


@dataclass(frozen=True)
class Data:
    """X (n, p), y (n,), nominal (p,), task: what `rank` and its twin need."""

    X: np.ndarray
    y: np.ndarray
    nominal: np.ndarray
    task: str

    @property
    def csr(self):
        return replace(self, X=sparse.csr_array(self.X))

    def doubled(self):
        return replace(self, X=np.vstack([self.X, self.X]), y=np.concatenate([self.y, self.y]))

    def rows(self, rows):
        return replace(self, X=self.X[rows], y=self.y[rows])

    def columns(self, columns):
        return replace(self, X=self.X[:, columns], nominal=self.nominal[columns])


def make(seed, task="classification", n=24, p=8, *, nominal=(1, 4), missing=0.0, n_classes=2, zeros=0.0):
    """Numeric columns without ties (but for a share of zeros), nominal ones of 2-4 values; all carry some signal."""
    rng = np.random.default_rng(seed)
    signal = rng.random(n)
    y = np.minimum((signal * n_classes).astype(int), n_classes - 1)
    y[: 2 * n_classes] = np.arange(2 * n_classes) % n_classes  # every class has at least two rows
    X = rng.random((n, p)) * 3 + np.outer(signal, rng.normal(size=p))
    X[rng.random((n, p)) < zeros] = 0
    mask = np.zeros(p, bool)
    for a in nominal:
        if a < p:
            X[:, a], mask[a] = (rng.integers(0, 2 + a % 3, n) + (signal > 0.5)) % (2 + a % 3), True
    X[rng.random((n, p)) < missing] = np.nan
    return Data(X, y if task == "classification" else signal + rng.normal(0, 0.1, n), mask, task)
