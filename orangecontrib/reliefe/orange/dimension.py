"""Job of *Intrinsic Dimension*: estimates from growing numbers of rows, and their table.

The widget runs `run` in a thread with a `DimensionRequest` and the estimates so far, and sends `summary_table` of the
result.
"""

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from Orange.data import ContinuousVariable, Domain, StringVariable, Table

from .jobs.progress import reporter, tell_loading

if TYPE_CHECKING:
    from ..core.embedding.dimension import Dimension

TWO_NN = "twonn"
MLE = "mle"
ESTIMATORS = {TWO_NN: "Two nearest neighbours", MLE: "Maximum likelihood"}
DIVISORS = (8, 4, 2, 1)  # of the number of rows, for the points of the curve: n/8, n/4, n/2, n
MIN_ROWS_OF_ESTIMATE = 20  # of a point of the curve; chosen by eye
RESAMPLES = 200  # subsamples for the interval, which need no new distances; chosen by eye
CONFIDENCE = 0.95
UNSUPERVISED_METHOD = "urelief"  # a method that needs no target, for the reading of the table
COLUMNS = ("Dimension", "Low", "High", "Rows", "Equal rows", "R2")


class DimensionRequest(NamedTuple):
    """Request of the user.

    Attributes
    ----------
    discard : float
        Share of the largest ratios of distances that are left out.
    dedupe : bool
        Whether equal rows count once.
    max_rows : int
        Number of rows above which a random sample is taken.
    seed : int
        Seed of the sample.
    """

    discard: float = 0.0
    dedupe: bool = True
    max_rows: int = 5000
    seed: int = 0


class Key(NamedTuple):
    """Key of an estimate.

    Attributes
    ----------
    method : str
        Name of the estimator.
    rows : int
        Number of rows.
    """

    method: str
    rows: int


@dataclass(frozen=True, eq=False)
class Estimates:
    """Estimates so far. They are replaced and never changed, so that threads can share them.

    Attributes
    ----------
    rows : int
        Number of rows of the data.
    sample : int
        Number of rows that are used.
    columns : int
        Number of columns of the matrix that distances are computed from.
    equal : int
        Number of rows of the sample that equal one before them, if equal rows count.
    missing : float
        Share of missing values.
    found : dict of Key to Dimension
        The estimates.
    """

    rows: int = 0
    sample: int = 0
    columns: int = 0
    equal: int = 0
    missing: float = 0.0
    found: dict[Key, "Dimension"] = field(default_factory=dict)

    def curve(self, method: str) -> list[tuple[int, "Dimension"]]:
        """Estimates of a method with their numbers of rows, in ascending order."""
        keys = sorted((key for key in self.found if key.method == method), key=lambda key: key.rows)
        return [(key.rows, self.found[key]) for key in keys]

    def last(self, method: str) -> "Dimension | None":
        """Estimate of a method from most rows, if there is any."""
        curve = self.curve(method)
        return curve[-1][1] if curve else None

    @property
    def final(self) -> bool:
        """True if no better estimates follow."""
        return all(Key(method, self.sample) in self.found for method in ESTIMATORS)


def levels(n: int) -> list[int]:
    """Return the numbers of rows of the points of the curve: fractions of n that are large enough, and n."""
    return sorted({n // divisor for divisor in DIVISORS if n // divisor >= MIN_ROWS_OF_ESTIMATE} | {n})


def run(table: Table, request: DimensionRequest, known: Estimates, state: Any) -> Estimates:
    """Estimate the dimension of a table by all estimators, from few rows to many; each step is a partial result.

    Parameters
    ----------
    table : Table
        The data.
    request : DimensionRequest
        What the user asks for.
    known : Estimates
        Estimates so far for the same table and request, which are reused.
    state : TaskState
        Task of the widget.

    Returns
    -------
    Estimates
        All estimates.

    Raises
    ------
    ValueError
        If the data have no features, or infinite values.
    """
    tell_loading(state)
    # Imported here, so that Orange starts without numba and SciPy.
    from ..core.data.table import DataTable
    from ..core.embedding import intrinsic_dimension, matrix
    from ..core.points.distinct_rows import distinct
    from .conversion import arrays

    checked = arrays(table, method=UNSUPERVISED_METHOD)
    data = DataTable.read(checked.X, checked.nominal)
    order = np.random.default_rng(request.seed).permutation(len(table))[: request.max_rows]
    X = matrix(data, rows=np.sort(order) if len(order) < len(table) else None)
    n = len(order)
    row_of_X = np.argsort(np.argsort(order))  # for the rows in random order; the first of them are the samples
    result = replace(
        known,
        rows=len(table),
        sample=n,
        columns=X.shape[1],
        equal=0 if request.dedupe else n - len(distinct(X)),
        missing=data.missing_share,
    )
    steps = [Key(method, rows) for rows in levels(n) for method in ESTIMATORS]
    steps = [key for key in steps if key not in result.found]
    costs = np.cumsum([(key.rows / n) ** 2 for key in steps])  # proportional to the pairs of rows
    shares = pairwise(np.r_[0, costs] / costs[-1:])
    for key, (begin, end) in zip(steps, shares, strict=True):
        state.set_status(f"{ESTIMATORS[key.method]}: {key.rows:,} of {n:,} rows")
        progress = reporter(state, begin, end)
        progress(0.0)
        has_all_rows = key.rows == n
        estimate = intrinsic_dimension(
            X if has_all_rows else X[np.sort(row_of_X[: key.rows])],
            method=key.method,
            discard=request.discard,
            dedupe=request.dedupe,
            n_resamples=RESAMPLES if has_all_rows else 0,
            confidence=CONFIDENCE,
            random_state=request.seed,
            progress=progress,
        )
        result = replace(result, found={**result.found, key: estimate})
        state.set_partial_result(result)
    return result


def fit_of(dimension: "Dimension") -> float:
    """Share of the variance that the line of an estimate explains, from 0 to 1; NaN without a line.

    A slope that is not fitted may explain less than no line; then the share is 0.
    """
    return max(dimension.r_squared, 0.0) if np.isfinite(dimension.r_squared) else float("nan")


def summary_table(estimates: Estimates) -> Table | None:
    """Make a table with a row for each estimator.

    Parameters
    ----------
    estimates : Estimates
        Estimates so far.

    Returns
    -------
    Table or None
        Estimates from most rows. None without any.
    """
    titles = []
    values = []
    for method, title in ESTIMATORS.items():
        dimension = estimates.last(method)
        if dimension is not None:
            low, high = dimension.interval or (np.nan, np.nan)
            titles.append(title)
            values.append((dimension.estimate, low, high, dimension.rows, dimension.duplicates, fit_of(dimension)))
    if not titles:
        return None
    variables = [
        ContinuousVariable(name, number_of_decimals=0 if name in ("Rows", "Equal rows") else 3) for name in COLUMNS
    ]
    domain = Domain(variables, metas=[StringVariable("Estimator")])
    metas = np.array(titles, dtype=object).reshape(-1, 1)
    table = Table.from_numpy(domain, np.array(values, dtype=float), metas=metas)
    table.name = "Intrinsic dimension"
    return table
