"""Tests of each feature alone, beside which a Relief score shows which features matter only in combination.

`significance.py` calls `alone` with all features of a request, and `disagreement.py` with one.
"""

from typing import Any, cast

import numpy as np
from scipy import sparse

from ..data.table import DataTable
from ..studies.smooth_tests import smooth_p_values
from ..targets.targets import Target
from ..targets.tasks import CLASSIFICATION, REGRESSION, SURVIVAL
from ..work.threads import Work
from .covariate_tests import test_beside
from .rank_tests import p_values_of_columns

BLOCK_VALUES = 2**21  # of the features that are ranked at a time


def alone(table: DataTable, target: Target, work: Work, Z: np.ndarray | None = None) -> np.ndarray | None:
    """Test the relation of each feature with a target.

    A number has two tests: one for monotone effects, and the smooth test of `studies/smooth_tests.py` for effects of
    any form. Its p-value is twice the smaller one (Bonferroni), at most 1. A category, and a number of two values, have
    the first test only, which finds any effect of theirs; and so has a number that fewer than twenty rows have.

    Monotone tests.  Numbers and classes: Kruskal and Wallis (1952, J. Am. Stat. Assoc. 47:583); two numbers: Spearman
    (1904, Am. J. Psychol. 15:72); two categories: the chi-square test (Pearson 1900, Phil. Mag. 50:157);
    times: the score test of Cox's model (1972, J. R. Stat. Soc. B 34:187).  Beside covariates all are score tests, of
    logistic or Cox's regression, or of normal scores.  Rows in which the feature is missing are left out.

    Parameters
    ----------
    table : DataTable
        n rows, p features.
    target : Target
        Target of the n rows; those without a known one are left out.
    work : Work
        Stops the tests when the caller wants.
    Z : (n, q) array, optional
        Columns of the covariates.

    Returns
    -------
    (p,) array or None
        p-values; None for targets other than classes, numbers or times.
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
    p_values = np.ones(p)
    for begin in range(0, p, step):
        work.tick()
        block = slice(begin, min(begin + step, p))
        if table.packed:
            X = table.packed.columns(np.arange(block.start, block.stop)).numbers()
        else:
            X = values[:, block].toarray() if table.is_sparse else values[:, block]
        X = X[rows].astype(float, copy=False)
        nominal = table.nominal[block]
        monotone = test(X, nominal) if test else p_values_of_columns(X, nominal, y, is_class)
        has_smooth_test = ~nominal & ~_has_two_values(X)
        smooth = smooth_p_values(X[:, has_smooth_test], labelled, Z)
        of_both = np.minimum(2 * np.minimum(monotone[has_smooth_test], smooth), 1)
        monotone[has_smooth_test] = np.where(np.isnan(smooth), monotone[has_smooth_test], of_both)
        p_values[block] = monotone
    return p_values


def _has_two_values(X: np.ndarray) -> np.ndarray:
    """Mask (b,) of the columns of X (n, b) with at most two different values, beside unknown ones."""
    lowest = np.fmin.reduce(X, axis=0)
    highest = np.fmax.reduce(X, axis=0)
    return np.asarray(((lowest == X) | (highest == X) | np.isnan(X)).all(axis=0))
