"""Number of different orders of a target, below whose inverse no p-value of a permutation test can be.

`significance.py` calls `orders` with the columns of a target.
"""

from typing import Any

import numpy as np
from scipy import sparse

ENOUGH = 40.0  # logarithm of more orders than all permutations can count
MAX_LOG = 700.0  # logarithm of more than a number can hold


def orders(columns: Any, blocks: np.ndarray | None = None) -> float:
    """Count the different orders of the targets of n rows.

    In a block of n_b rows there are n_b! / prod_v n_bv! orders, where n_bv rows have the target v.

    Parameters
    ----------
    columns : (n, t) array, or CSC
        Targets, equal where rows are.
    blocks : (n,) array, optional
        Codes, within which rows are permuted; None: all rows are exchangeable.

    Returns
    -------
    float
        The number, or any large one where there are more than can be counted.
    """
    from scipy.special import gammaln

    n = columns.shape[0]
    block_of_row = np.zeros(n, np.int64) if blocks is None else np.unique(blocks, return_inverse=True)[1]
    equal_rows = block_of_row  # codes: rows of one block whose columns so far are equal
    log_orders = 0.0
    for j in range(columns.shape[1]):
        column = columns[:, [j]]
        codes = np.unique(column.toarray() if sparse.issparse(column) else column, return_inverse=True)[1].ravel()
        equal_rows = np.unique(equal_rows * len(codes) + codes, return_inverse=True)[1]
        log_orders = gammaln(np.bincount(block_of_row) + 1).sum() - gammaln(np.bincount(equal_rows) + 1).sum()
        if log_orders > ENOUGH:
            break
    return float(np.rint(np.exp(min(log_orders, MAX_LOG))))
