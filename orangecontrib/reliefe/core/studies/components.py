"""Principal components of packed genotypes, tile by tile.

`components` is exported by `core`; `genetics/single_variants.py` takes the tiles.
"""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from ..checks import whole
from ..data.packed import Packed
from ..kernels.jit import kernel
from ..work.threads import SERIAL_ALGEBRA

TILE = 4096  # variants that are unpacked together
MORE, ROUNDS = 10, 3  # columns beside those that are wanted, and rounds of the iteration
MOST_VARIANTS = 200_000  # above which some tiles are enough


def components(
    genotypes: Packed, k: int = 10, *, random_state: int = 0, progress: Callable[[float], object] | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Principal components of people by their genotypes, for use as covariates.

    Linked regions make components of their own: thin the variants before (``--r2``).
    Price et al. (2006), Nat. Genet. 38:904.  Musco and Musco (2015), NeurIPS 28, block Krylov iteration.

    Parameters
    ----------
    genotypes : Packed
        n people, p variants; unknown genotypes count as the mean.
    k : int
        Number of components, from 1 to n - 1.
    random_state : int
        Seed.
    progress : callable, optional
        Called with the share done, in [0, 1]; raises `core.Interrupted` to stop.

    Returns
    -------
    coordinates : ndarray, shape (n, k)
        Of length 1 each, the largest value positive; the same bits for any number of threads.
    eigenvalues : ndarray, shape (k,)
        Of the relationship matrix of the people.
    """
    if not isinstance(genotypes, Packed):
        raise TypeError(f"components need packed genotypes (Packed.of), not {type(genotypes).__name__}")
    n = len(genotypes.low)
    k, random_state = whole("k", k, 1, max(n - 1, 1)), whole("random_state", random_state, 0)
    H = np.random.default_rng(random_state).normal(size=(n, min(k + MORE, n)))
    every, report = max(genotypes.n_features // MOST_VARIANTS, 1), progress or bool

    def part(number: int, share: float) -> None:
        report((number + share) / (ROUNDS + 1))

    with SERIAL_ALGEBRA:
        H = np.linalg.qr(H - H.mean(axis=0))[0].astype(np.float32)
        found = [H]
        for number in range(ROUNDS):
            Y = np.zeros(H.shape)
            for A in tiles(genotypes, every, partial(part, number)):
                Y += A @ (A.T @ H)
            H = np.linalg.qr(Y - Y.mean(axis=0))[0].astype(np.float32)
            found.append(H)
        Q = np.linalg.qr(np.hstack(found).astype(np.float64))[0].astype(np.float32)
        T, used = np.zeros((Q.shape[1],) * 2), 0
        for A in tiles(genotypes, every, partial(part, ROUNDS)):
            B = (A.T @ Q).astype(np.float64)
            T += B.T @ B
            used += A.shape[1]
        values, vectors = np.linalg.eigh(T / max(used, 1))
        U = Q @ vectors[:, ::-1][:, :k]
    largest = U[np.abs(U).argmax(axis=0), np.arange(U.shape[1])]
    return U * np.where(largest < 0, -1.0, 1.0), values[::-1][:k]


def tiles(genotypes: Packed, every: int = 1, report: Callable[[float], object] = bool) -> Iterator[np.ndarray]:
    """Standardised genotypes (n, c) of each tile, or of some; unknown ones and variants of one value are 0."""
    p, counts = genotypes.n_features, genotypes.counts()
    known = np.maximum(counts[:3].sum(axis=0), 1)
    f = (counts[1] + 2 * counts[2]) / (2 * known)
    deviation = np.sqrt(2 * f * (1 - f))
    table = (np.arange(3)[:, None] - 2 * f) / np.where(deviation > 0, deviation, np.inf)
    table = np.append(table, np.zeros((1, p)), axis=0).astype(np.float32)
    for first in range(0, p, TILE * every):
        report(first / p)
        codes = genotypes.codes(first, min(first + TILE, p))
        out = np.empty(codes.shape, np.float32)
        _standardise(codes, np.ascontiguousarray(table[:, first : first + codes.shape[1]]), out)
        yield out


@kernel
def _standardise(codes, table, out):
    """Values of codes (n, c) by a table (4, c), the last line of which is of unknown ones, -1."""
    for i in range(len(codes)):
        row, x = codes[i], out[i]
        for q in range(len(row)):
            x[q] = table[row[q] if row[q] >= 0 else 3, q]
