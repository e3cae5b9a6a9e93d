"""Tests of each feature alone, beside which a Relief score shows which features matter only in combination."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..data.ranks import mean_ranks
from ..data.table import DataTable
from ..studies.residuals import Hazards
from ..studies.score_tests import score_tests
from ..studies.smooth_tests import smooth_p_values
from ..targets.targets import CLASSIFICATION, REGRESSION, SURVIVAL, Target
from ..work.threads import SERIAL_ALGEBRA, Work

BLOCK_VALUES = 2**21  # of the features that are ranked at a time


def alone(table: DataTable, target: Target, work: Work, Z: np.ndarray | None = None) -> np.ndarray | None:
    """p-values (p,) of the relation of each feature with a target of classes, numbers or times; None for other targets.

    A number has two tests: one for monotone effects, and the smooth test of `studies/smooth_tests.py` for effects of
    any form. Its p-value is twice the smaller one (Bonferroni), at most 1. A category, and a number of two values, have
    the first test only, which finds any effect of theirs; and so has a number that fewer than twenty rows have.

    Monotone tests.  Numbers and classes: Kruskal and Wallis (1952, J. Am. Stat. Assoc. 47:583); two numbers: Spearman
    (1904, Am. J. Psychol. 15:72); two categories: the chi-square test (Pearson 1900, Phil. Mag. 50:157);
    times: the score test of Cox's model (1972, J. R. Stat. Soc. B 34:187).  Beside covariates Z (n, q) all are score
    tests, of logistic or Cox's regression, or of normal scores.  Rows in which the feature is missing are left out.
    """
    if target.task not in (CLASSIFICATION, REGRESSION, SURVIVAL):
        return None
    rows = np.flatnonzero(target.labelled)
    labelled = target if len(rows) == target.n else target.inner.take(rows)
    y = labelled.columns[0][:, 0]
    test = test_beside(target, Z) if target.task == SURVIVAL or Z is not None else None
    is_class = target.task == CLASSIFICATION
    p = table.shape[1]
    step = max(BLOCK_VALUES // max(len(rows), 1), 1)
    values: Any = cast("sparse.csr_array", table.values).tocsc() if table.is_sparse else table.values
    out = np.ones(p)
    for begin in range(0, p, step):
        work.tick()
        block = slice(begin, min(begin + step, p))
        if table.packed:
            X = table.packed.columns(np.arange(block.start, block.stop)).numbers()
        else:
            X = values[:, block].toarray() if table.is_sparse else values[:, block]
        X = X[rows].astype(float, copy=False)
        nominal = table.nominal[block]
        monotone = test(X, nominal) if test else _of_columns(X, nominal, y, is_class)
        curved = ~nominal & ~_has_two_values(X)
        smooth = smooth_p_values(X[:, curved], labelled, Z)
        both = np.minimum(2 * np.minimum(monotone[curved], smooth), 1)
        monotone[curved] = np.where(np.isnan(smooth), monotone[curved], both)
        out[block] = monotone
    return out


def _has_two_values(X: np.ndarray) -> np.ndarray:
    """Mask (b,) of the columns of X (n, b) with at most two different values, beside unknown ones."""
    lowest = np.fmin.reduce(X, axis=0)
    highest = np.fmax.reduce(X, axis=0)
    return np.asarray(((lowest == X) | (highest == X) | np.isnan(X)).all(axis=0))


def test_beside(target: Target, Z: np.ndarray | None) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Function that gives p-values (b,) of columns X (n, b), some of them nominal (b,), beside covariates Z (n, q)."""
    from scipy.stats import chi2  # not above: the import takes longer than all others of the core together

    def p_values(X: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Those (b,) of sets of columns (n, b, m)."""
        if target.task != SURVIVAL:
            value, freedom = score_tests(target.inner.take(rows), np.asarray(Z)[rows]).tests(X)
        else:
            model, own = Hazards.of_target(target.take(rows))
            found = model.joint_test(X[:, 0], own) if X.shape[2] > 1 else (model.tests(X[:, :, 0], own), 1)
            value, freedom = np.atleast_1d(*found)
        return np.where(freedom > 0, chi2.sf(value, np.maximum(freedom, 1)), 1.0)

    @SERIAL_ALGEBRA
    def test(X: np.ndarray, nominal: np.ndarray) -> np.ndarray:
        out, unknown = np.ones(X.shape[1]), np.isnan(X)
        whole = ~unknown.any(axis=0) & ~nominal
        if whole.any():
            out[whole] = p_values(X[:, whole, None], np.arange(len(X)))
        for a in np.flatnonzero(~whole):
            known = np.flatnonzero(~unknown[:, a])
            column = X[known, a]
            columns = column[:, None] == np.unique(column)[1:] if nominal[a] else column[:, None]
            if columns.size:
                out[a] = p_values(columns[:, None].astype(float), known)[0]
        return out

    return test


def _of_columns(X: np.ndarray, nominal: np.ndarray, y: np.ndarray, is_class: bool) -> np.ndarray:
    """p-values (b,) of the columns of X (n, b) and the target y (n,)."""
    from scipy.stats import rankdata

    out = np.ones(X.shape[1])
    unknown = np.isnan(X)
    whole = ~unknown.any(axis=0) & ~nominal
    if whole.any():
        out[whole] = _numbers(mean_ranks(X[:, whole]), y, is_class)
    for a in np.flatnonzero(~whole):
        known = ~unknown[:, a]
        column, other = X[known, a], y[known]
        if nominal[a]:
            codes = np.unique(column, return_inverse=True)[1]
            out[a] = _table(codes, other) if is_class else _kruskal(rankdata(other)[:, None], codes)[0]
        elif known.any():
            out[a] = _numbers(rankdata(column)[:, None], other, is_class)[0]
    return out


def _numbers(ranks: np.ndarray, y: np.ndarray, is_class: bool) -> np.ndarray:
    """p-values (b,) of numbers with these ranks (n, b)."""
    from scipy.stats import rankdata, t

    if is_class:
        return _kruskal(ranks, np.unique(y, return_inverse=True)[1])
    n, own = len(y), rankdata(y)
    own, ranks = own - own.mean(), ranks - ranks.mean(axis=0)
    size = np.sqrt((own @ own) * np.einsum("ij,ij->j", ranks, ranks))
    r = np.clip(np.divide(own @ ranks, size, out=np.zeros(len(size)), where=size > 0), -1, 1)
    if n < 3:
        return np.ones(len(r))
    with np.errstate(divide="ignore"):
        return cast("np.ndarray", 2 * t.sf(np.abs(r) * np.sqrt((n - 2) / np.maximum(1 - r**2, 0)), n - 2))


def _kruskal(ranks: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """p-values (b,) of ranks (n, b) in groups (n,): between groups' sum of squares over that of all, which is right
    for ties."""
    from scipy.stats import chi2

    n, counts = len(codes), np.bincount(codes)
    ranks = ranks - ranks.mean(axis=0)
    members = sparse.csr_array((np.ones(n), (codes, np.arange(n))), shape=(len(counts), n))
    between = ((members @ ranks) ** 2 / counts[:, None]).sum(axis=0)
    total = np.einsum("ij,ij->j", ranks, ranks)
    share = np.divide(between, total, out=np.zeros(len(total)), where=total > 0)
    return cast("np.ndarray", chi2.sf((n - 1) * share, max(len(counts) - 1, 1)))


def _table(codes: np.ndarray, y: np.ndarray) -> float:
    """p-value of a table of two categories."""
    from scipy.stats import chi2_contingency

    other = np.unique(y, return_inverse=True)[1]
    shape = codes.max(initial=0) + 1, other.max(initial=0) + 1
    counts = np.bincount(codes * shape[1] + other, minlength=shape[0] * shape[1]).reshape(shape)
    return float(chi2_contingency(counts, correction=False).pvalue) if min(shape) > 1 else 1.0
