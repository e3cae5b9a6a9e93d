"""Mutual information of categories with others, from the table of the rows in which they occur together.

`core/methods/greedy_information.py` calls `mutual_information` with blocks of features.
"""

from typing import cast

import numpy as np
from scipy import sparse

from ..kernels.jit import kernel
from .categories import MISSING, Categories


def mutual_information(
    categories: Categories, features: np.ndarray, others: np.ndarray, targets: np.ndarray
) -> np.ndarray:
    """Mutual information (k,), in nats, of features and another one together with a target: I(f, other; target).

    A row in which a value is missing tells nothing: with N of n rows in which all are known,

        I = N / n * sum over pairs a of values of the feature and the other one, and values t of the target, of
            N_at / N * log(N_at N / (N_a N_t)).

    Parameters
    ----------
    categories : Categories
        All features.
    features : (k,) int array
        Indices of the features.
    others : (n,) int array
        Codes of the other feature, from 0; MISSING is missing. All 0: there is none.
    targets : (n,) int array
        Codes of the target, from 0; MISSING is missing.
    """
    n_others = int(others.max(initial=0)) + 1
    n_targets = int(targets.max(initial=0)) + 1
    is_known = (others != MISSING) & (targets != MISSING)
    cells = np.where(is_known, others.astype(np.int64) * n_targets + targets, MISSING)
    m = np.arange(len(cells) + 1.0)
    m_log_m = m * np.log(np.maximum(m, 1))
    information = np.empty(len(features))
    shape = (n_others, n_targets)
    if sparse.issparse(categories.codes):
        stored = cast("sparse.csc_array", categories.codes)
        columns = (stored.data, stored.indices, stored.indptr, categories.zero_codes)
        _of_sparse(*columns, categories.n_codes, features, cells, *shape, m_log_m, information)
    else:
        _of_dense(categories.codes, categories.n_codes, features, cells, *shape, m_log_m, information)
    return information


@kernel
def _of_dense(codes, n_codes, features, cells, n_others, n_targets, m_log_m, out):
    """Fill out (k,) with the information of features whose codes (p, n) are dense.

    cells (n,): other * n_targets + target of each row, -1 where one of them is missing.
    m_log_m (n + 1,): m log m for m = 0 ... n.
    """
    n_cells = n_others * n_targets
    for s in range(len(features)):
        f = features[s]
        counts = np.zeros((n_codes[f], n_cells), np.int64)
        for i in range(len(cells)):
            if codes[f, i] >= 0 and cells[i] >= 0:
                counts[codes[f, i], cells[i]] += 1
        out[s] = _information(counts.reshape(n_codes[f] * n_others, n_targets), m_log_m)


@kernel
def _of_sparse(data, rows, starts, zero_codes, n_codes, features, cells, n_others, n_targets, m_log_m, out):
    """Fill out (k,) with the information of features whose codes are CSC (data, rows, starts).

    zero_codes (p,): code of the rows that a feature does not store. The rest as of `_of_dense`.
    """
    n_cells = n_others * n_targets
    rows_of_cells = np.zeros(n_cells, np.int64)
    for i in range(len(cells)):
        if cells[i] >= 0:
            rows_of_cells[cells[i]] += 1
    for s in range(len(features)):
        f = features[s]
        counts = np.zeros((n_codes[f], n_cells), np.int64)
        if n_codes[f] == 0:
            out[s] = 0.0
            continue
        counts[zero_codes[f]] = rows_of_cells
        for e in range(starts[f], starts[f + 1]):
            cell = cells[rows[e]]
            if cell >= 0:
                counts[zero_codes[f], cell] -= 1
                if data[e] >= 0:
                    counts[data[e], cell] += 1
        out[s] = _information(counts.reshape(n_codes[f] * n_others, n_targets), m_log_m)


@kernel
def _information(counts, m_log_m):
    """Mutual information of rows and columns of a table of counts (a, t), over all n rows of the data, at least 0.

    (sum_at N_at log N_at - sum_a N_a log N_a - sum_t N_t log N_t + N log N) / n
    """
    n_a, n_t = counts.shape
    total = 0.0
    n_known = 0
    for a in range(n_a):
        of_row = 0
        for t in range(n_t):
            of_row += counts[a, t]
            total += m_log_m[counts[a, t]]
        total -= m_log_m[of_row]
        n_known += of_row
    for t in range(n_t):
        of_column = 0
        for a in range(n_a):
            of_column += counts[a, t]
        total -= m_log_m[of_column]
    total += m_log_m[n_known]
    return max(total / (len(m_log_m) - 1), 0.0)
