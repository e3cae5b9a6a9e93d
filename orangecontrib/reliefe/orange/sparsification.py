"""Sparsification of tables, and what the widget shows of it: computed in a thread, and knows nothing of widgets."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from Orange.data import Table, Variable
from Orange.preprocess.preprocess import Preprocess

from .jobs.progress import raise_if_stopped

SPREAD = 100  # the smallest and the largest epsilon, as a multiple of that of the mean absolute value
STEPS = 320  # epsilons of the grid, before they are rounded
VALUES_PER_LOOK = 1_000_000  # values that are looked at before asking whether to go on: about 0.1 s


@dataclass(frozen=True, eq=False)
class Numeric:
    """The known values of a table's numeric columns, in units of `ranges`.

    values (n, q): dense or CSR, 0 where unknown.  unknown: (rows, columns) of those.  columns (q,): their places among
    the attributes.  ranges (q,): what the values were divided by.
    """

    values: np.ndarray | sp.csr_array
    unknown: tuple[np.ndarray, np.ndarray]
    columns: np.ndarray
    ranges: np.ndarray

    @classmethod
    def of(cls, table: Table, ranges: dict[str, float] | None = None, scaled: bool = True) -> "Numeric":
        """ranges: by name, and only those columns are taken; None: those of the table if `scaled`, else 1."""
        attributes = table.domain.attributes
        wanted = [v.is_continuous and (ranges is None or v.name in ranges) for v in attributes]
        columns = np.flatnonzero(wanted)
        values, unknown = _known(table.X[:, columns])
        if ranges is not None:
            units = np.array([ranges[attributes[j].name] for j in columns], float)
        else:
            units = _ranges(table.X[:, columns], values) if scaled else np.ones(len(columns))
        if sp.issparse(values):
            values.data /= units[values.indices]
        else:
            values /= units
        return cls(values, unknown, columns, units)

    @property
    def size(self) -> int:
        """Rows and columns together: epsilon / sqrt(size) is the threshold."""
        return sum(self.values.shape)

    @property
    def cells(self) -> int:
        return self.values.shape[0] * self.values.shape[1]


def _known(X) -> tuple[np.ndarray | sp.csr_array, tuple[np.ndarray, np.ndarray]]:
    """A copy with 0 in place of NaN (in CSR: not stored), and where NaN was; ValueError for infinite values."""
    if np.isinf(X.data if sp.issparse(X) else X).any():
        raise ValueError("The data have infinite values")
    if not sp.issparse(X):
        gaps = np.isnan(X)
        return np.where(gaps, 0.0, X), np.nonzero(gaps)
    X = sp.csr_array(X, dtype=float, copy=True)
    X.sum_duplicates()
    gaps = np.isnan(X.data)
    unknown = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))[gaps], X.indices[gaps]
    X.data[gaps] = 0
    X.eliminate_zeros()
    return X, unknown


def _ranges(X, known) -> np.ndarray:
    """Largest minus smallest known value of each column; 1 for constant ones."""
    if not X.shape[0] or not X.shape[1]:
        return np.ones(X.shape[1])
    if sp.issparse(X):
        ranges = (known.max(axis=0) - known.min(axis=0)).toarray().ravel()
    else:
        ranges = np.fmax.reduce(X, axis=0) - np.fmin.reduce(X, axis=0)
    return np.where(ranges > 0, ranges, 1.0)  # false for NaN, too: columns without any known value


def epsilon_grid(numeric: Numeric, check: Callable[[], object] = lambda: None) -> np.ndarray:
    """Epsilons (s,) that make a difference, in equal ratios, as short numbers; empty without any value but 0.

    They reach from thresholds SPREAD times below the mean absolute value to as many times above.  `check` is called
    now and then, and may raise.
    """
    values = numeric.values.data if sp.issparse(numeric.values) else numeric.values.ravel()
    total, count = 0.0, 0
    for start in range(0, len(values), VALUES_PER_LOOK):
        check()
        chunk = np.abs(values[start : start + VALUES_PER_LOOK])
        total += chunk.sum()
        count += np.count_nonzero(chunk)
    if not count or not np.isfinite(total):
        return np.zeros(0)
    middle = total / count * np.sqrt(numeric.size)
    steps = np.geomspace(middle / SPREAD, middle * SPREAD, STEPS)
    return np.unique([float(f"{step:.3g}") for step in steps])


def rebuilt(table: Table, numeric: Numeric, sparse_values: sp.csr_array) -> Table:
    """`table` with these values (in units of the ranges) in its numeric columns, as CSR.

    Everything else stays: other columns, targets, metas, weights, name, ids; unknown values stay unknown.
    """
    kept = np.setdiff1d(np.arange(table.X.shape[1]), numeric.columns)
    new, other = sparse_values.tocoo(), sp.coo_array(table.X[:, kept])
    parts = [
        (new.row, numeric.columns[new.col], new.data * numeric.ranges[new.col]),
        (numeric.unknown[0], numeric.columns[numeric.unknown[1]], np.full(len(numeric.unknown[0]), np.nan)),
        (other.row, kept[other.col], other.data),
    ]
    rows, columns, values = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    X = sp.coo_matrix((values, (rows, columns)), shape=table.X.shape).tocsr()
    X.sort_indices()
    domain = table.domain.copy()
    for variable in domain.attributes:
        variable.sparse = True  # else the next transformation would make the table dense again
    weights = table.W if table.has_weights() else None
    out = Table.from_numpy(domain, X, table.Y, table.metas, W=weights, attributes=dict(table.attributes), ids=table.ids)
    out.name = table.name
    return out


class Sparsify(Preprocess):
    """Sets values below a threshold to 0 or to the threshold, at random, so that their expected values stay.

    epsilon, size: the threshold is epsilon / sqrt(size), in units of each column's range, whatever the data's number
    of rows.  ranges: {name of column: range}; other columns are left as they are.
    """

    def __init__(self, epsilon: float, size: int, ranges: dict[str, float], random_state: int = 0):
        self.epsilon, self.size, self.ranges, self.random_state = epsilon, size, dict(ranges), random_state

    def __call__(self, data: Table) -> Table:
        from ..core.embedding import sparsify

        numeric = Numeric.of(data, self.ranges)
        if not numeric.cells or not self.epsilon:
            return data
        epsilon = self.epsilon * np.sqrt(numeric.size / self.size)
        return rebuilt(data, numeric, sparsify(numeric.values, epsilon=epsilon, random_state=self.random_state).X)


class Request(NamedTuple):
    """epsilon: None for the paper's; scaled: whether columns are taken in units of their ranges."""

    epsilon: float | None = None
    scaled: bool = True
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Outcome:
    """Results so far; replaced, never changed, so that it may cross threads.

    numeric, epsilons (from which one can choose), automatic (the paper's epsilon) and norm (spectral, of the values)
    belong to the data; sparsified, table and error to the request.
    """

    numeric: Numeric | None = None
    epsilons: np.ndarray | None = None
    automatic: float = 0.0
    norm: float = np.nan
    sparsified: object = None
    table: Table | None = None
    error: float = np.nan

    def cleared(self) -> "Outcome":
        """Outcome with what stays true for other requests of the same scale."""
        return replace(self, sparsified=None, table=None, error=np.nan)


def run(table: Table, request: Request, known: Outcome, state) -> Outcome:
    """Epsilons, sparsified table and measured error; each step is a partial result.  `known` is not computed again."""
    from ..core.embedding import sparsify

    check = partial(raise_if_stopped, state)

    def step(share, result, text=""):
        check()
        state.set_progress_value(share)
        state.set_partial_result(result)
        state.set_status(text)

    result = known
    if result.epsilons is None:
        state.set_status("Reading the data")
        numeric = Numeric.of(table, scaled=request.scaled)
        result = Outcome(numeric, epsilon_grid(numeric, check), sparsify(numeric.values).epsilon)
        step(30, result, "Sparsifying")
    if result.sparsified is None:
        found = sparsify(result.numeric.values, epsilon=request.epsilon or None, random_state=request.seed)
        result = replace(result, sparsified=found, table=rebuilt(table, result.numeric, found.X))
        step(60, result, "Measuring the error")
    return _measured(result, request.seed, check)


def _measured(result: Outcome, seed: int, check) -> Outcome:
    from ..core.embedding.sparsify import spectral_error

    values, after = result.numeric.values, result.sparsified.X
    if not np.isfinite(result.norm):
        nothing = sp.csr_array(values.shape)
        result = replace(result, norm=float(spectral_error(values, nothing, random_state=seed)))
        check()
    return replace(result, error=float(spectral_error(values, after, random_state=seed)))


def preprocessor_of(outcome: Outcome, attributes: Sequence[Variable], seed: int) -> Sparsify | None:
    """Preprocessor that does the same to other data; None before anything is known."""
    if outcome.sparsified is None:
        return None
    numeric = outcome.numeric
    names = (attributes[j].name for j in numeric.columns)
    ranges = dict(zip(names, numeric.ranges.tolist(), strict=True))
    return Sparsify(float(outcome.sparsified.epsilon), numeric.size, ranges, seed)
