"""Estimates of the intrinsic dimension from more and more rows, for a thread, and their table."""

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from Orange.data import ContinuousVariable, Domain, StringVariable, Table

from .jobs.loading import tell_loading
from .jobs.progress import reporter

TWO_NN, MLE = "twonn", "mle"
ESTIMATORS = {TWO_NN: "Two nearest neighbours", MLE: "Maximum likelihood"}
PARTS = (8, 4, 2, 1)  # of the rows, for the curve: n/8, n/4, n/2, n
LEAST_ROWS = 20  # rows that a point of the curve is made from
RESAMPLES = 200  # subsamples that the interval is made from: they need no new distances
CONFIDENCE = 0.95
TARGETLESS = "urelief"  # a method that takes features alone
COLUMNS = ("Dimension", "Low", "High", "Rows", "Equal rows", "R2")


class Request(NamedTuple):
    """Request of the user; discard: a share; max_rows: a random sample of as many is taken from larger data."""

    discard: float = 0.0
    dedupe: bool = True
    max_rows: int = 5000
    seed: int = 0


class Key(NamedTuple):
    """Key that an estimate is kept under; rows: it was offered."""

    method: str
    rows: int


@dataclass(frozen=True, eq=False)
class Estimates:
    """Results so far; replaced, never changed, so that it may cross threads.

    rows: of the data; sample: those that are used; equal: rows of the sample that equal one before them, if they were
    to be kept.  columns: of the matrix that distances are taken in.  missing: share of the cells.
    """

    rows: int = 0
    sample: int = 0
    columns: int = 0
    equal: int = 0
    missing: float = 0.0
    found: dict = field(default_factory=dict)

    def curve(self, method: str) -> list:
        return [(key.rows, self.found[key]) for key in sorted(self.found, key=lambda k: k.rows) if key.method == method]

    def last(self, method: str):
        curve = self.curve(method)
        return curve[-1][1] if curve else None

    @property
    def final(self) -> bool:
        return all(Key(method, self.sample) in self.found for method in ESTIMATORS)


def levels(n: int) -> list[int]:
    """Rows of the points of the curve: fractions of n, as far as they make sense, and n."""
    return sorted({n // part for part in PARTS if n // part >= LEAST_ROWS} | {n})


def run(table: Table, request: Request, known: Estimates, state) -> Estimates:
    """Estimate the dimension of `table` by all estimators, from few rows to many; each step is a partial result.

    `known` holds estimates of the same table and request that need not be computed again.
    """
    tell_loading(state)
    # Here, and not above: neither numba nor SciPy's heavy parts are to be loaded when Orange starts.
    from ..core.data.table import DataTable
    from ..core.embedding import intrinsic_dimension, matrix
    from ..core.points.distinct_rows import distinct
    from .conversion import arrays

    checked = arrays(table, method=TARGETLESS)
    data = DataTable.read(checked.X, checked.nominal)
    order = np.random.default_rng(request.seed).permutation(len(table))[: request.max_rows]
    X = matrix(data, rows=np.sort(order) if len(order) < len(table) else None)
    places = np.argsort(np.argsort(order))  # of the rows of X in random order: the samples are nested
    sizes = {"rows": len(table), "sample": len(order), "columns": X.shape[1], "missing": data.missing_share}
    result = replace(known, equal=0 if request.dedupe else len(order) - len(distinct(X)), **sizes)
    n = len(order)
    steps = [Key(method, rows) for rows in levels(n) for method in ESTIMATORS]
    steps = [key for key in steps if key not in result.found]
    ends = np.cumsum([(key.rows / n) ** 2 for key in steps])  # the work grows with the pairs of rows
    for key, (start, end) in zip(steps, pairwise(np.r_[0, ends] / ends[-1:]), strict=True):
        state.set_status(f"{ESTIMATORS[key.method]}: {key.rows:,} of {n:,} rows")
        progress, last = reporter(state, start, end), key.rows == n
        progress(0.0)
        estimate = intrinsic_dimension(
            X if last else X[np.sort(places[: key.rows])],
            method=key.method,
            discard=request.discard,
            dedupe=request.dedupe,
            n_resamples=RESAMPLES if last else 0,
            confidence=CONFIDENCE,
            random_state=request.seed,
            progress=progress,
        )
        result = replace(result, found={**result.found, key: estimate})
        state.set_partial_result(result)
    return result


def fit_of(dimension) -> float:
    """Share of the spread that the line explains, from 0 to 1; NaN without a line.

    A slope that comes from elsewhere may fit worse than none, so that the share would be below 0.
    """
    return max(dimension.r_squared, 0.0) if np.isfinite(dimension.r_squared) else np.nan


def summary_table(estimates: Estimates) -> Table | None:
    """A row for each estimator, from the most rows that there are; None without any."""
    last = {title: estimates.last(method) for method, title in ESTIMATORS.items()}
    last = {title: found for title, found in last.items() if found is not None}
    if not last:
        return None
    values = [(d.estimate, *(d.interval or (np.nan, np.nan)), d.rows, d.duplicates, fit_of(d)) for d in last.values()]
    variables = [
        ContinuousVariable(name, number_of_decimals=0 if name in ("Rows", "Equal rows") else 3) for name in COLUMNS
    ]
    domain = Domain(variables, metas=[StringVariable("Estimator")])
    metas = np.array(list(last), dtype=object).reshape(-1, 1)
    table = Table.from_numpy(domain, np.array(values, dtype=float), metas=metas)
    table.name = "Intrinsic dimension"
    return table
