"""Text files of sparse tables: MatrixMarket (.mtx), and the rows of libsvm (.svm, .libsvm, .svmlight).

`table_files.open_table` calls the readers by the ending of a file. A row of libsvm has its target and the features that
are not 0, numbered from 1 (or from 0)::

    +1 3:0.5 7:1
    -1 1:2
"""

from typing import Any, NamedTuple

import numpy as np
from scipy import io, sparse

MATRIX_MARKET = (".mtx", ".mtx.gz", ".mtx.bz2")
LIBSVM = tuple(f"{ending}{packed}" for ending in (".svm", ".libsvm", ".svmlight") for packed in ("", ".gz", ".bz2"))


class LabelledRows(NamedTuple):
    """Rows of libsvm.

    Attributes
    ----------
    X : (n, p) csr_array
        Features.
    y : (n,) array
        Target: int64 if all values are whole, so that they may be codes of classes; else float64.
    names : tuple of str
        Numbers of the p features in the file.
    """

    X: sparse.csr_array
    y: np.ndarray
    names: tuple[str, ...]


def read_matrix_market(path: str) -> Any:
    """Read a file of MatrixMarket.

    Returns
    -------
    (n, p) csr_array or array
        Dense if the file lists all values (format "array").

    Raises
    ------
    ValueError, OSError, OverflowError
        If it cannot be read, or has complex numbers.
    """
    matrix = io.mmread(path)
    if matrix.dtype.kind == "c":
        raise ValueError("it has complex numbers")
    return sparse.csr_array(matrix) if sparse.issparse(matrix) else matrix


def read_libsvm(path: str) -> LabelledRows:
    """Read the rows of libsvm. Features are numbered from 1 if none has the number 0.

    Raises
    ------
    ValueError, OSError
        If it cannot be read, has no rows or features, or rows with several labels.
    """
    from sklearn.datasets import load_svmlight_file

    try:
        matrix, y = load_svmlight_file(path, zero_based=True)
    except ValueError as error:
        raise ValueError(
            f"a line is a number, the target, and features as 3:0.5 in ascending order ({error})"
        ) from None
    X = sparse.csr_array(matrix)
    if 0 in X.shape:
        raise ValueError("it has no rows, or no features")
    first = 0 if (X.indices == 0).any() else 1
    names = tuple(map(str, range(first, X.shape[1])))
    if (y == np.floor(y)).all():
        y = y.astype(np.int64)
    return LabelledRows(X[:, first:], y, names)
