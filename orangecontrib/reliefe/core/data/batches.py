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
RANK_TOLERANCE = 1e-9  # of the largest eigenvalue, below which one is 0
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
    """Return the share of the numbers X (n, p) whose F test between the codes (n,) has a p of at most max_p.

    With indicators D of the codes and columns T of the target, both beside 1, the column explains

        S_0 - S_1 = diag(X'MD (D'MD)^+ D'MX),  M = 1 - T (T'T)^+ T'.

    Sums of rows with the same code make all products small, so that no library of linear algebra starts threads.
    """
    from scipy.special import fdtrc

    is_known = ~np.isnan(codes)
    order = np.flatnonzero(is_known)[np.argsort(codes[is_known], kind="stable")]
    starts = np.unique(codes[order], return_index=True)[1]
    X = X[order]
    T = np.hstack([np.ones((len(order), 1)), target[order]])
    # Products with the indicators: sums of rows, and numbers of rows
    DX = np.add.reduceat(X, starts, axis=0)
    DT = np.add.reduceat(T, starts, axis=0)
    n_rows = np.diff([*starts, len(order)])
    # The part beside the target
    TX = np.einsum("nt,np->tp", T, X)
    inverse, n_target = _inverse(np.einsum("nt,nu->tu", T, T))
    explained, n_added = _inverse(np.diag(n_rows) - DT @ inverse @ DT.T)
    DMX = DX - DT @ inverse @ TX
    squares = np.einsum("np,np->p", X, X)
    rest_without = squares - np.einsum("tp,tu,up->p", TX, inverse, TX, optimize=True)
    drop = np.einsum("kp,kl,lp->p", DMX, explained, DMX, optimize=True)
    n_left = len(order) - n_target - n_added
    if n_added < 1 or n_left < 1:
        return 0.0
    rest_with = np.maximum(rest_without - drop, squares * np.finfo(float).eps)
    F = np.maximum(drop, 0) / n_added / np.maximum(rest_with / n_left, np.finfo(float).tiny)
    return float((fdtrc(n_added, n_left, F) <= max_p).mean())


def _inverse(products: np.ndarray) -> tuple[np.ndarray, int]:
    """Return the pseudoinverse of a symmetric matrix (c, c) of products, and its rank."""
    values, vectors = np.linalg.eigh(products)
    is_positive = values > values.max(initial=0.0) * RANK_TOLERANCE
    basis = vectors[:, is_positive]
    return basis / values[is_positive] @ basis.T, int(is_positive.sum())
