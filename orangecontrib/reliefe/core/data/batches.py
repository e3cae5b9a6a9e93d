"""Columns between whose values many features differ, as between batches, plates or sites.

`core/notes.py` asks for one among the features of a ranking, `core.description` for its findings, and
`orange/conversion.py` among metas. Scores for the target mix with differences between batches unless they are adjusted
for the batch.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ..words import percent, shown
from .persons import RowNames, are_whole, count_known

# Names of columns that tell batches apart; categories need no such name
BATCH = re.compile(
    r"(.*[\W_])?(batch|plate|run|lane|chip|slide|array|scanner|instrument|machine|operator|site|cent(er|re)|lab|hospital"
    r"|cohort)(es|s)?([\W_]*(id|no|nr|number|code|name))?",
    re.IGNORECASE,
)
MIN_NUMBERS = 20  # other features that are numbers, and vary; fewer show nothing; chosen by eye
MIN_SHARE = 0.25  # of them that must differ between the values; chosen by eye
MAX_VALUES = 20  # of a column; more are rather rows of persons; chosen by eye
MIN_ROWS_PER_VALUE = 3  # on average; chosen by eye
MAX_P = 0.001  # of the F test of a number, divided by the number of columns that are candidates
RANK_TOLERANCE = 1e-9  # of the largest eigenvalue, below which one is 0
# At most so many columns, numbers, rows and columns of the target are used, so that a first look takes no time
MAX_COLUMNS = 20
MAX_NUMBERS = 200
MAX_ROWS = 2000
MAX_TARGETS = 100


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
        return self._advise("a covariate")

    @property
    def note(self) -> str:
        """The advice with the argument of `rank`, for which the command line writes its option."""
        return self._advise("a covariate (covariates=...)")

    def _advise(self, role: str) -> str:
        return f"{self.clause}, make it {role}, so that it is not taken for the target"


class PseudoInverse(NamedTuple):
    """Pseudoinverse of a symmetric matrix.

    Attributes
    ----------
    matrix : (c, c) array
        The pseudoinverse.
    rank : int
        Rank of the matrix.
    """

    matrix: np.ndarray
    rank: int


def find_batch(
    columns: Iterable[RowNames],
    X: np.ndarray,
    names: Sequence[str],
    nominal: np.ndarray,
    target_columns: np.ndarray | sparse.csr_array,
) -> Batch | None:
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
    names : sequence of str
        Names of the p features. A feature that may be a batch is not among the numbers that differ.
    nominal : (p,) bool array
        Features that are no numbers.
    target_columns : (n, t) array or CSR array
        `regression_columns` of the target, or sparse labels; t is 0 without a target.
    """
    if (~nominal).sum() < MIN_NUMBERS:
        return None
    candidates = [*islice((column for column in columns if _has_few_values(column.codes)), MAX_COLUMNS)]
    if not candidates:
        return None
    candidate_names = {column.name for column in candidates}
    numbers = np.array([f for f in np.flatnonzero(~nominal).tolist() if names[f] not in candidate_names], int)
    # A sample of the numbers, and of the rows
    rng = np.random.default_rng(0)
    rows = np.sort(rng.permutation(len(X))[:MAX_ROWS])
    values = _standardised(X[np.ix_(rows, rng.permutation(numbers)[:MAX_NUMBERS])])
    values = values[:, values.any(axis=0)]
    if values.shape[1] < MIN_NUMBERS:
        return None
    target = _standardised(_most_varying(target_columns[rows]))
    batches = []
    for column in candidates:
        share = _share_that_differs(column.codes[rows], values, target, MAX_P / len(candidates))
        if share >= MIN_SHARE:
            n_values, _ = count_known(column.codes)
            batches.append(Batch(column.name, n_values, share))
    return max(batches, key=lambda batch: batch.share, default=None)


def regression_columns(values: np.ndarray, nominal: np.ndarray) -> np.ndarray:
    """Return the columns of a target for a regression: numbers, and for each class but the first a column of 0 and 1.

    Parameters
    ----------
    values : (n, t) array
        Numbers, labels, or codes of classes; NaN is unknown, and stays so.
    nominal : (t,) bool array
        True for codes of classes.
    """
    columns = [np.zeros((len(values), 0))]
    for column, is_nominal in zip(values.T[:, :, None], nominal, strict=True):
        if is_nominal:
            is_known = ~np.isnan(column)
            classes = np.unique(column[is_known])
            column = np.where(is_known, column == classes[1:], np.nan)
        columns.append(column)
    return np.hstack(columns)


def _most_varying(target_columns: np.ndarray | sparse.csr_array) -> np.ndarray:
    """Return at most MAX_TARGETS columns (n, t), dense: those in which most rows differ from the usual value."""
    n, t = target_columns.shape
    if t > MAX_TARGETS:
        if isinstance(target_columns, np.ndarray):
            n_unusual = (target_columns != np.nanmedian(target_columns, axis=0)).sum(axis=0)
        else:
            n_stored = np.bincount(target_columns.indices, minlength=t)
            n_unusual = np.minimum(n_stored, n - n_stored)
        target_columns = target_columns[:, np.sort(np.argsort(-n_unusual, kind="stable")[:MAX_TARGETS])]
    return target_columns if isinstance(target_columns, np.ndarray) else target_columns.toarray()


def _has_few_values(codes: np.ndarray) -> bool:
    """True for whole numbers (n,) of few values, each in several rows; NaN is missing."""
    n_values, n_rows = count_known(codes)
    return are_whole(codes) and 2 <= n_values <= min(MAX_VALUES, n_rows / MIN_ROWS_PER_VALUE)


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
    of_target = _pseudo_inverse(np.einsum("nt,nu->tu", T, T))
    of_column = _pseudo_inverse(np.diag(n_rows) - DT @ of_target.matrix @ DT.T)
    n_left = len(order) - of_target.rank - of_column.rank
    if of_column.rank < 1 or n_left < 1:
        return 0.0
    DMX = DX - DT @ of_target.matrix @ TX
    # Sums of squares of each number
    squares = np.einsum("np,np->p", X, X)
    residuals_without = squares - np.einsum("tp,tu,up->p", TX, of_target.matrix, TX, optimize=True)
    explained_squares = np.einsum("kp,kl,lp->p", DMX, of_column.matrix, DMX, optimize=True)
    residuals_with = np.maximum(residuals_without - explained_squares, squares * np.finfo(float).eps)
    residual_variance = np.maximum(residuals_with / n_left, np.finfo(float).tiny)
    F = np.maximum(explained_squares, 0) / of_column.rank / residual_variance
    return float((fdtrc(of_column.rank, n_left, F) <= max_p).mean())


def _pseudo_inverse(products: np.ndarray) -> PseudoInverse:
    """Invert a symmetric matrix (c, c) of products as far as its rank allows."""
    values, vectors = np.linalg.eigh(products)
    is_positive = values > values.max(initial=0.0) * RANK_TOLERANCE
    basis = vectors[:, is_positive]
    return PseudoInverse(basis / values[is_positive] @ basis.T, int(is_positive.sum()))
