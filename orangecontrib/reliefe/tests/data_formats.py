"""One table in every format that rankings take, and representative values of the options of a method.

`test_agreement_of_formats` ranks with each value of each option, the fuzz kind `formats` with any of them together,
and ``python -m benchmarks formats`` with each pair of values. In each format the scores must be those of a dense
array.
"""

from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
import pandas as pd
import polars as pl
from scipy import sparse

from orangecontrib.reliefe import core
from orangecontrib.reliefe.core import METHODS, Packed
from orangecontrib.reliefe.core.data.dosages import Dosages
from orangecontrib.reliefe.core.methods.parameters import INTEGER, METHOD, NUMBER, RAMP, ROWS, SHARE, SWITCH

CLOSE = 1e-9  # difference of scores, relative to the largest score, that rounding can cause
PARENTS = ((), (0,), (0,), (1, 2))  # of the labels of hierarchical targets
KINDS = ("numbers", "grades", "categories", "missing", "genotypes", "dosages")  # of data
FORMATS = ("csr", "csc", "masked", "pandas", "polars", "table", "sparse table")  # of all kinds of data
PACKED = "packed"  # format of genotypes and dosages
MAX_ROWS = 40
# Values that take little time, in place of those of the kind of the parameter.  UMAP moves rows by random steps that
# enlarge rounding errors without end, so that no two formats agree about them.
SHORT = {
    "n_trees": (2, 3),
    "max_iter": (1, 2),
    "n_repeats": (1, 2),
    "n_subsets": (2, 3),
    "subset_size": (None, 2),
    "n_representatives": (4, 8),
    "embedding": ("pca", None),
    "n_keep": (1, 3),
    "step": (None, 1),
}
NEEDS_DENSE = "need dense features"  # declared by trees that make features alike, and part of their message
# Rounding decides for these: MCFS chooses among columns that depend on each other, as all indicators of a category do
# (24 of 60 tables of categories differ between a dense array and CSR, 2 of 120 of numbers), and NDFS enlarges the
# difference of last bits in each iteration (5 of 360 tables).
DEGENERATE = ("mcfs", "ndfs")
CORES = ("relieff", "rrelieff", "urelief", "multisurf", "mutualinfo", "pct")  # methods that a wrapper ranks by


def option_values(parameter, task):
    """Representative values of a parameter for a task: its default, all its words, switches, and small numbers."""
    low = parameter.low or 0
    values = {
        INTEGER: [low, low + 1, low + 4],
        NUMBER: [0.5, 2.0, 10.0],
        SHARE: [0.0, 0.25, 1.0],
        SWITCH: [False, True],
        ROWS: [3, 0.5],
        RAMP: [False, True, (0.1, 0.3), (0.0, 0.5)],
        METHOD: [(name, ()) for name in CORES if task in METHODS[name].tasks],
    }.get(parameter.kind, [])
    if parameter.high is not None:
        values = [value for value in values if not isinstance(value, int) or value <= parameter.high]
    if parameter.none is not None:
        values.append(None)
    values += [*parameter.choices, parameter.default]
    if parameter.name in SHORT:
        values = SHORT[parameter.name]
    return list(dict.fromkeys(values))


def all_options(method, task):
    """Values of each parameter of a method by its name."""
    return {parameter.name: option_values(parameter, task) for parameter in METHODS[method].parameters}


def single_options(method, task):
    """Yield the options of a method one by one: {name: value}."""
    for name, values in all_options(method, task).items():
        for value in values:
            yield {name: value}


def pairs_of_options(method, task):
    """Yield the options of a method in pairs, the other ones at their defaults."""
    for (first, values), (second, others) in combinations(all_options(method, task).items(), 2):
        for value, other in product(values, others):
            yield {first: value, second: other}


def quickened(method, options):
    """Return options with short values of those that are absent and take long."""
    short = {name: SHORT[name][-1] for name in ("n_trees", "max_iter", "embedding", "n_subsets")}
    own = {parameter.name for parameter in METHODS[method].parameters}
    return {name: value for name, value in short.items() if name in own} | options


@dataclass(frozen=True)
class Problem:
    """Arguments of `core.rank` that make a problem.

    Attributes
    ----------
    X : (n, p) array
        Values, NaN where missing.
    y : array or None
        Target.
    nominal : (p,) mask
        Nominal features.
    task : str
        One of TASKS, or SURVIVAL.
    kind : str
        One of KINDS.
    """

    X: np.ndarray
    y: np.ndarray | None
    nominal: np.ndarray
    task: str
    kind: str

    def formats(self):
        """Names of the formats that this data can have."""
        return (*FORMATS, PACKED) if self.kind in ("genotypes", "dosages") else FORMATS

    def scores(self, data_format, method, options):
        """Scores (p,) of the data in a format, or the message if there are none; format "dense": of the array."""
        try:
            if data_format in ("table", "sparse table"):
                from orangecontrib.reliefe import rank as rank_table

                task = self.task if self.task in ("survival", "hierarchical") else None
                return rank_table(self.table(data_format), method, task=task, n_jobs=1, **options).scores
            X, nominal = self.given(data_format)
            hierarchy = PARENTS if self.task == "hierarchical" else None
            ranking = core.rank(
                X, self.y, method, nominal=nominal, task=self.task, hierarchy=hierarchy, n_jobs=1, **options
            )
            return ranking.scores
        except (ValueError, TypeError) as error:
            return f"{type(error).__name__}: {error}"

    def given(self, data_format):
        """X and nominal as `core.rank` takes them in a format."""
        X, nominal = self.X, self.nominal
        is_missing = np.isnan(X)
        if data_format == "dense":
            return (Dosages(X) if self.kind == "dosages" else X), nominal
        if data_format == PACKED:
            return Packed.of(np.where(is_missing, -1, X).astype(int), additive=self.kind == "dosages"), None
        if self.kind == "dosages":  # only `Dosages` differ by half of their difference whatever values occur
            X = np.vstack([np.zeros(X.shape[1]), X])[1:]
        if data_format == "csr":
            return sparse.csr_array(X), nominal
        if data_format == "csc":
            return sparse.csc_matrix(X), nominal
        if data_format == "masked":
            return np.ma.MaskedArray(np.where(is_missing, -999.0, X), is_missing), nominal
        names = [f"x{feature}" for feature in range(X.shape[1])]
        texts = [[None if np.isnan(value) else f"{value:g}" for value in column] for column in X.T]
        if data_format == "pandas":
            columns = [
                pd.Categorical(texts[feature]) if nominal[feature] else pd.array(column, "Float64")
                for feature, column in enumerate(X.T)
            ]
            return pd.DataFrame(dict(zip(names, columns, strict=True))), None
        columns = [
            pl.Series(texts[feature], dtype=pl.Categorical) if nominal[feature] else pl.Series(column, nan_to_null=True)
            for feature, column in enumerate(X.T)
        ]
        return pl.DataFrame(dict(zip(names, columns, strict=True))), None

    def table(self, data_format):
        """Orange's table of the same values, dense or sparse."""
        from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

        attributes = []
        for feature, is_nominal in enumerate(self.nominal):
            name = f"x{feature}"
            values = [str(code) for code in range(int(np.nanmax([*self.X[:, feature], 0])) + 1)]
            attributes.append(DiscreteVariable(name, values) if is_nominal else ContinuousVariable(name))
        Y = np.empty((len(self.X), 0)) if self.y is None else np.reshape(self.y, (len(self.X), -1)).astype(float)
        targets = []
        for position, column in enumerate(Y.T):
            if self.task in ("regression", "multi-target", "survival"):
                targets.append(ContinuousVariable(f"y{position}"))
            else:
                values = [str(code) for code in range(int(np.nanmax(column)) + 1)]
                targets.append(DiscreteVariable(f"y{position}", values))
                if self.task == "hierarchical":
                    targets[-1].attributes["parents"] = ";".join(f"y{parent}" for parent in PARENTS[position])
        X = sparse.csr_matrix(self.X) if data_format == "sparse table" else self.X
        return Table.from_numpy(Domain(attributes, targets), X, Y)


def make_problem(rng, task, kind):
    """Make a problem of few rows and features: ties, zeros, values near zero, categories and missing ones by kind."""
    n = int(rng.integers(8, MAX_ROWS))
    p = int(rng.integers(2, 9))
    nominal = np.zeros(p, bool)
    if kind in ("genotypes", "dosages"):
        p = int(rng.integers(60, 70)) if rng.random() < 0.2 else p  # more than a word of bits
        X = rng.integers(0, 3, (n, p)).astype(float)
        X[0], X[1] = 0, 2  # so that the range of numbers is that of dosages
        nominal = np.full(p, kind == "genotypes")
    elif kind in ("grades", "categories"):
        X = rng.integers(0, rng.integers(2, 12, p), (n, p)).astype(float)
        if kind == "categories":
            nominal = rng.random(p) < 0.6
        else:
            X *= rng.choice([1.0, 0.1, 1 / 3])
    else:
        X = rng.normal(size=(n, p))
        X[rng.random((n, p)) < 0.3] *= 0.05  # so near zero that a ramp does not see it
    if kind not in ("genotypes", "dosages"):
        X[rng.random((n, p)) < rng.choice([0.0, 0.3, 0.7])] = 0
    if rng.random() < 0.3:
        X = X[rng.integers(0, max(n // 2, 4), n)]
        if kind == "dosages":
            X[0], X[1] = 0, 2
    for feature in np.flatnonzero(nominal):
        X[:, feature] = numbered_as_met(X[:, feature])
    if kind == "missing":
        X[rng.random((n, p)) < 0.15] = np.nan
    return Problem(X, make_target(rng, task, X), nominal, task, kind)


def numbered_as_met(column):
    """Number codes in the order in which they occur, as frames do: trees and eigenvectors depend on it."""
    codes, first, inverse = np.unique(column, return_index=True, return_inverse=True)
    number = np.empty(len(codes))
    number[np.argsort(first)] = np.arange(len(codes))
    return number[inverse]


def make_target(rng, task, X):
    """Make a target that depends on the first feature."""
    n = len(X)
    signal = np.nan_to_num(X[:, 0]) + rng.normal(size=n)
    if task == "unsupervised":
        return None
    if task == "regression":
        return signal
    if task == "classification":
        n_classes = int(rng.integers(2, 4))
        codes = np.argsort(np.argsort(signal)) * n_classes // n
        return rng.permutation(codes) if rng.random() < 0.2 else codes
    if task == "survival":
        return np.column_stack([signal - signal.min() + 0.5, rng.random(n) < 0.7])
    Y = (rng.random((n, len(PARENTS))) < 0.5).astype(float)
    Y[:, 0] = signal > np.median(signal)
    Y[0], Y[1] = 0, 1
    return Y + rng.normal(size=Y.shape) if task == "multi-target" else Y


def disagreement(problem, data_format, method, options, dense=None):
    """Compare scores in a format with those of the dense array.

    Returns
    -------
    str or None
        What differs; "" if nothing does, None if both ways refuse, the method states that it needs dense data, or the
        method is one of DEGENERATE and only the scores differ.
    """
    expected = problem.scores("dense", method, options) if dense is None else dense
    scores = problem.scores(data_format, method, options)
    if isinstance(scores, str) and (isinstance(expected, str) or NEEDS_DENSE in scores):
        return None
    if isinstance(expected, str) or isinstance(scores, str):
        return f"refused in one format only: {expected} {scores}"
    if method in DEGENERATE:
        return None
    largest = np.abs(expected).max(initial=0)
    if np.allclose(scores, expected, rtol=0, atol=CLOSE * max(largest, 1.0)):
        return ""
    return f"scores differ by {np.abs(scores - expected).max():.2g} of {largest:.2g}: {expected} {scores}"
