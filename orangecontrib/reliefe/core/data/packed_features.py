"""Packed genotypes as kernels read them: two bits a value, scaled as numbers are."""

import numpy as np

from .expected import IGNORE
from .missing import Corrections
from .packed import Packed


def pack_two_bits(
    table: Packed, rows: np.ndarray, strategy: str
) -> tuple[Packed, int, np.ndarray, np.ndarray, Corrections | None]:
    """Rows in the order of a run, and what `Features` knows of its columns.

    Parameters
    ----------
    table : Packed
        Genotypes.
    rows : ndarray of int, shape (n,)
        Rows of the run.
    strategy : str
        "ignore" or "separate", for unknown genotypes: they do not count, or are a value of their own.

    Returns
    -------
    values : Packed
        The rows; additive codes are scaled to the range that occurs.
    n_numeric : int
        p for additive codes, else 0.
    scale : ndarray, shape (p,)
        What numeric differences were multiplied with.
    constant : ndarray of bool, shape (p,)
        Features without two known values that differ.
    missing : Corrections or None
        For the strategy; without entries, as the kernels of packed values know of unknown ones.
    """
    counts = table.counts(np.sort(rows))
    occurs = counts[:3] > 0
    constant = occurs.sum(axis=0) < 2
    n, p = len(rows), table.n_features
    values = table.take(rows).scaled(counts)
    span = np.where(occurs[2], 2, 1) - np.where(occurs[0], 0, 1)
    scale = np.where(constant, 0.0, 1 / np.maximum(span, 1)) if table.additive else np.ones(p)
    missing = None
    if counts[3].any():
        none, unknown = np.zeros(0, np.int64), np.zeros((0, n))
        ignored = unknown if strategy == IGNORE else None
        missing = Corrections(np.zeros(n + 1, np.int64), none, none, unknown, p, ignored)
    return values, p if table.additive else 0, scale, constant, missing
