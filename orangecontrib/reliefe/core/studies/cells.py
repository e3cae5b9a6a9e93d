"""Cells of categorical covariates: the combinations of their classes, for example of a batch and a sex.

Two categorical covariates may act together on a target in a way that no sum of their effects has. `study.py` calls
`join_cells` to adjust for one covariate, the cell, instead. `covariate_regression.py` asks `cells_remain` whether
combinations that were not joined still predict residuals.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ..words import counted, some
from .covariates import Covariate
from .projection import Projection
from .random_orders import N_PERMUTED, permutation
from .residuals import TINY

MIN_CELL = 5  # rows of a cell that is not joined with another one, as of a class of a covariate on average
ROWS_PER_CELL = 10  # on average, at least: so many cells take a tenth of the degrees of freedom
MAX_RARE = 0.1  # share of the rows in cells below MIN_CELL; chosen by eye


class CovariateCells(NamedTuple):
    """Cells of n rows.

    covariate : their codes, as one covariate
    n_rare : number of rare cells, which are joined with similar ones
    rows_in_rare : number of rows in these
    """

    covariate: Covariate
    n_rare: int
    rows_in_rare: int


class Combinations(NamedTuple):
    """Distinct combinations of the classes of d covariates in n rows.

    classes : (c, d) int array, the class of each covariate in each combination
    of_row : (n,) int array, the combination of each row
    counts : (c,) int array, rows of each combination
    """

    classes: np.ndarray
    of_row: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, covariates: Sequence[Covariate]) -> "Combinations":
        """Find the combinations of categorical covariates."""
        codes = np.column_stack([covariate.values for covariate in covariates])
        classes, of_row, counts = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
        return cls(classes, of_row.ravel(), counts)


def join_cells(covariates: Sequence[Covariate]) -> CovariateCells | None:
    """Replace categorical covariates by their cells.

    A cell of fewer than `MIN_CELL` rows joins the frequent one that differs in the fewest covariates, the largest of
    these.

    Parameters
    ----------
    covariates : sequence of Covariate
        Covariates of the same rows.

    Returns
    -------
    CovariateCells or None
        None: there are fewer than two covariates, or numbers among them, or too many cells for the rows.
    """
    if len(covariates) < 2 or not all(covariate.is_class for covariate in covariates):
        return None
    classes, of_row, counts = Combinations.of(covariates)
    n = len(of_row)
    frequent = np.flatnonzero(counts >= MIN_CELL)
    rare = np.flatnonzero(counts < MIN_CELL)
    rows_in_rare = int(counts[rare].sum())
    if len(frequent) < 2 or len(frequent) * ROWS_PER_CELL > n or rows_in_rare > MAX_RARE * n:
        return None
    joined = np.arange(len(classes))
    for cell in rare:
        n_different = (classes[frequent] != classes[cell]).sum(axis=1)
        joined[cell] = frequent[np.lexsort((-counts[frequent], n_different))[0]]
    codes = np.unique(joined[of_row], return_inverse=True)[1]
    names = [covariate.name for covariate in covariates]
    listed = " and ".join(names) if len(names) == 2 else some(names)
    name = f"the {counted(len(frequent), 'combination')} of {listed}"
    return CovariateCells(Covariate(name, codes, is_class=True), len(rare), rows_in_rare)


def cells_remain(
    covariates: Sequence[Covariate],
    Z: np.ndarray,
    residuals: np.ndarray,
    blocks: np.ndarray | None,
    rng: np.random.Generator,
) -> bool:
    """Tell whether rows of one cell have similar residuals, more than in all of `N_PERMUTED` permutations.

    The statistic sums the products of the residuals of all pairs of rows of a cell. With s_c the sum of the residuals
    r of cell c, it is sum_c |s_c|^2 - sum_i |r_i|^2, the score test of a random effect of the cells.

    Parameters
    ----------
    covariates : sequence of Covariate
        Those of the n rows; numbers are left aside.
    Z : (n, q) array
        Columns of the regression, off which permuted residuals are projected.
    residuals : (n, G) array
        Residuals of the regression.
    blocks : (n,) int array or None
        Codes within which residuals are permuted; None: all rows are exchangeable.
    rng : np.random.Generator
        Source of the permutations.

    Returns
    -------
    bool
        False for fewer than two categorical covariates.
    """
    categorical = [covariate for covariate in covariates if covariate.is_class]
    if len(categorical) < 2:
        return False
    n = len(residuals)
    _, of_row, counts = Combinations.of(categorical)
    is_member = sparse.csr_array((np.ones(n), (of_row, np.arange(n))), shape=(len(counts), n))
    projection = Projection.on(Z)

    def statistic(r: np.ndarray) -> float:
        sums = is_member @ r
        return float(((sums**2).sum() - (r**2).sum()) / max((r**2).sum(), TINY))

    true_statistic = statistic(residuals)
    orders = (permutation(n, rng, blocks) for _ in range(N_PERMUTED))
    return all(statistic(projection.rest(residuals[order])) < true_statistic for order in orders)
