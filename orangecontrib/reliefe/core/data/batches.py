"""Columns between whose values many features differ, as between batches, plates or sites.

`core/notes.py` asks for one among the features of a ranking, `core.description` for its findings, and
`orange/conversion.py` among metas. Scores for the target mix with differences between batches unless they are adjusted
for the batch.
"""

import re
from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

import numpy as np

from ..words import percent, shown
from .persons import RowNames

# Names of columns that tell batches apart; categories need no such name
BATCH = re.compile(
    r"(.*[\W_])?(batch|plate|run|lane|chip|slide|array|scanner|instrument|machine|operator|site|cent(er|re)|lab|hospital"
    r"|cohort)(es|s)?([\W_]*(id|no|nr|number|code|name))?",
    re.IGNORECASE,
)
MIN_NUMBERS = 20  # other features that are numbers; fewer show nothing; chosen by eye
MIN_SHARE = 0.25  # of them that must differ between the values; chosen by eye
MAX_VALUES = 20  # of a column; more are rather rows of persons; chosen by eye
MIN_ROWS_PER_VALUE = 3  # on average; chosen by eye
MAX_P = 0.001  # of the F test of a number, divided by the number of columns that are tried
# At most so many columns, numbers and rows are tried, so that a first look takes no time
MAX_COLUMNS = 20
MAX_NUMBERS = 200
MAX_ROWS = 2000


class Batch(NamedTuple):
    """Column that may tell batches apart.

    Attributes
    ----------
    name : str
        Its name.
    n_values : int
        Number of its values.
    share : float
        Share of the numbers that differ between them, beyond the target.
    """

    name: str
    n_values: int
    share: float

    @property
    def role(self) -> str:
        """The role in the study that the column may have."""
        return "covariate"

    @property
    def clause(self) -> str:
        """A clause on the column, for findings and notes."""
        return (
            f"{percent(self.share)} of the numbers differ between the {self.n_values} values of {shown(self.name)}, "
            "whatever the target is: if it is a batch or a site"
        )

    @property
    def advice(self) -> str:
        """A sentence on the column, and what to do."""
        return f"{self.clause}, make it a covariate, so that it is not taken for the target"

    @property
    def note(self) -> str:
        """The advice with the argument of `rank`, for which the command line writes its option."""
        return self.advice.replace("a covariate,", "a covariate (covariates=...),")


def find_batch(columns: Iterable[RowNames], X: np.ndarray, nominal: np.ndarray, beside: np.ndarray) -> Batch | None:
    """Return the column between whose values most numbers differ, if those are many; None without one.

    A number differs if the F test of the values of the column, in a regression beside the target, has a small p:

        F = ((S_0 - S_1) / q) / (S_1 / (n - r)),

    S_0 and S_1 the sums of squared residuals without and with the column, q the columns that it adds, and r those of
    the whole regression. Missing numbers become the mean.

    Parameters
    ----------
    columns : iterable of RowNames
        Columns that may be batches; those of many values, or of values in few rows, are passed over.
    X : (n, p) array
        Features; NaN is missing.
    nominal : (p,) bool array
        Features that are no numbers.
    beside : (n, t) array
        Columns of the target: of 0 and 1 for each class, or numbers; none without a target.
    """
    numbers = np.flatnonzero(~nominal)
    if len(numbers) < MIN_NUMBERS:
        return None
    tried = [*islice((column for column in columns if _has_few_values(column.codes)), MAX_COLUMNS)]
    if not tried:
        return None
    # A sample of the numbers, and of the rows
    rng = np.random.default_rng(0)
    rows = np.sort(rng.permutation(len(X))[:MAX_ROWS])
    values = _standardised(X[np.ix_(rows, rng.permutation(numbers)[:MAX_NUMBERS])])
    values = values[:, values.any(axis=0)]
    target = _standardised(beside[rows])
    if values.shape[1] < MIN_NUMBERS:
        return None
    batches = []
    for column in tried:
        share = _share_that_differs(column.codes[rows], values, target, MAX_P / len(tried))
        if share >= MIN_SHARE:
            batches.append(Batch(column.name, _n_values(column.codes), share))
    return max(batches, key=lambda batch: batch.share, default=None)


def _n_values(codes: np.ndarray) -> int:
    """Return the number of different values (n,) that are known."""
    return len(np.unique(codes[~np.isnan(codes)]))


def _has_few_values(codes: np.ndarray) -> bool:
    """True for whole numbers (n,) of few values, each in several rows; NaN is missing."""
    known = codes[~np.isnan(codes)]
    is_whole = bool((known == np.floor(known)).all())
    return is_whole and 2 <= _n_values(codes) <= min(MAX_VALUES, len(known) / MIN_ROWS_PER_VALUE)


def is_called_batch(name: str) -> bool:
    """True for a name of a column that tells batches apart, which may then be a number."""
    return BATCH.fullmatch(name) is not None


def _standardised(columns: np.ndarray) -> np.ndarray:
    """Return columns (n, c) of mean 0 and deviation 1; missing values and constant columns become 0."""
    is_known = ~np.isnan(columns)
    n_known = np.maximum(is_known.sum(axis=0), 1)
    largest = np.abs(np.where(is_known, columns, 0.0)).max(axis=0, initial=0.0)
    scaled = np.where(is_known, columns, 0.0) / np.where(largest > 0, largest, 1.0)  # no square overflows
    centred = np.where(is_known, scaled - scaled.sum(axis=0) / n_known, 0.0)
    deviation = np.sqrt((centred**2).mean(axis=0))
    is_varying = deviation > np.finfo(float).eps
    standardised: np.ndarray = np.where(is_varying, centred / np.where(is_varying, deviation, 1.0), 0.0)
    return standardised


def _share_that_differs(codes: np.ndarray, X: np.ndarray, target: np.ndarray, max_p: float) -> float:
    """Return the share of the numbers X (n, p) whose F test between the codes (n,) has a p of at most max_p."""
    from scipy.special import fdtrc

    is_known = ~np.isnan(codes)
    X = X[is_known]
    values, codes = np.unique(codes[is_known], return_inverse=True)
    of_codes = (codes.ravel()[:, None] == np.arange(len(values))).astype(float)
    ones = np.ones((len(X), 1))
    without = _basis(np.hstack([ones, target[is_known]]))
    with_codes = _basis(np.hstack([ones, target[is_known], of_codes]))
    n_added = with_codes.shape[1] - without.shape[1]
    n_left = len(X) - with_codes.shape[1]
    if n_added < 1 or n_left < 1 or X.shape[1] == 0:
        return 0.0
    squares = (X**2).sum(axis=0)
    rest_without = squares - ((without.T @ X) ** 2).sum(axis=0)
    rest_with = squares - ((with_codes.T @ X) ** 2).sum(axis=0)
    rest_with = np.maximum(rest_with, squares * np.finfo(float).eps)
    F = np.maximum(rest_without - rest_with, 0) / n_added / (rest_with / n_left)
    return float((fdtrc(n_added, n_left, F) <= max_p).mean())


def _basis(columns: np.ndarray) -> np.ndarray:
    """Return an orthonormal basis (n, rank) of columns (n, c)."""
    u, lengths, _ = np.linalg.svd(columns, full_matrices=False)
    basis: np.ndarray = u[:, lengths > lengths.max(initial=0.0) * 1e-9]
    return basis
