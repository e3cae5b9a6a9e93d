"""Number of different orders of a target, below whose inverse no p-value of a permutation test can be.

`significance.py` calls `orders` with the columns of a target.
"""

from typing import Any

import numpy as np
from scipy import sparse

ENOUGH, MAX_LOG = 40.0, 700.0  # logarithms of more orders than all shuffles can count, and than a number can hold


def orders(columns: Any, blocks: np.ndarray | None = None) -> float:
    """Number of different orders of the targets of n rows, or many where there are more than can be counted.

    columns: (n, t), dense or CSC, equal where rows are.  blocks: (n,) codes, within which rows are shuffled.
    """
    from scipy.special import gammaln

    together = np.zeros(columns.shape[0], np.int64) if blocks is None else np.unique(blocks, return_inverse=True)[1]
    equal, logarithm = together, 0.0
    for j in range(columns.shape[1]):
        column = columns[:, [j]]
        codes = np.unique(column.toarray() if sparse.issparse(column) else column, return_inverse=True)[1].ravel()
        equal = np.unique(equal * len(codes) + codes, return_inverse=True)[1]
        logarithm = gammaln(np.bincount(together) + 1).sum() - gammaln(np.bincount(equal) + 1).sum()
        if logarithm > ENOUGH:
            break
    return float(np.rint(np.exp(min(logarithm, MAX_LOG))))
