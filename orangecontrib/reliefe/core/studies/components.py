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
MORE_COLUMNS = 10  # of the iteration, beside those that are asked for
ROUNDS = 3  # of the iteration
MAX_VARIANTS = 200_000  # above which some tiles are enough


def components(
    genotypes: Packed, k: int = 10, *, random_state: int = 0, progress: Callable[[float], object] | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Compute principal components of people by their genotypes, for use as covariates.

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

    Raises
    ------
    TypeError
        If the genotypes are not packed.
    ValueError
        For a number of components, or a seed, that is none.
    """
    if not isinstance(genotypes, Packed):
        raise TypeError(f"components need packed genotypes (Packed.of), not {type(genotypes).__name__}")
    n = len(genotypes.low)
    k = whole("k", k, 1, max(n - 1, 1))
    random_state = whole("random_state", random_state, 0)
    H = np.random.default_rng(random_state).normal(size=(n, min(k + MORE_COLUMNS, n)))
    stride = max(genotypes.n_features // MAX_VARIANTS, 1)
    report = progress or bool

    def report_round(number: int, share: float) -> None:
        """Report the share of a round as that of all."""
        report((number + share) / (ROUNDS + 1))

    with SERIAL_ALGEBRA:
        # Krylov blocks H, A A' H, (A A')^2 H ..., orthonormal each
        H = np.linalg.qr(H - H.mean(axis=0))[0].astype(np.float32)
        blocks = [H]
        for number in range(ROUNDS):
            Y = np.zeros(H.shape)
            for A in tiles(genotypes, stride, partial(report_round, number)):
                Y += A @ (A.T @ H)
            H = np.linalg.qr(Y - Y.mean(axis=0))[0].astype(np.float32)
            blocks.append(H)

        # Eigenvectors of the relationship matrix within their span
        Q = np.linalg.qr(np.hstack(blocks).astype(np.float64))[0].astype(np.float32)
        T = np.zeros((Q.shape[1], Q.shape[1]))
        n_variants = 0
        for A in tiles(genotypes, stride, partial(report_round, ROUNDS)):
            B = (A.T @ Q).astype(np.float64)
            T += B.T @ B
            n_variants += A.shape[1]
        values, vectors = np.linalg.eigh(T / max(n_variants, 1))
        U = Q @ vectors[:, ::-1][:, :k]
    largest = U[np.abs(U).argmax(axis=0), np.arange(U.shape[1])]
    return U * np.where(largest < 0, -1.0, 1.0), values[::-1][:k]


def tiles(genotypes: Packed, stride: int = 1, report: Callable[[float], object] = bool) -> Iterator[np.ndarray]:
    """Standardise the genotypes, tile by tile: (code - 2 f) / sqrt(2 f (1 - f)), with the frequency f of the allele.

    Parameters
    ----------
    genotypes : Packed
        n people, p variants.
    stride : int
        Number of tiles of which one is taken.
    report : callable
        Called with the share done.

    Yields
    ------
    (n, c) float32 array
        Standardised genotypes; unknown ones and variants of one value are 0.
    """
    p = genotypes.n_features
    counts = genotypes.counts()
    n_known = np.maximum(counts[:3].sum(axis=0), 1)
    f = (counts[1] + 2 * counts[2]) / (2 * n_known)
    deviation = np.sqrt(2 * f * (1 - f))
    table = (np.arange(3)[:, None] - 2 * f) / np.where(deviation > 0, deviation, np.inf)
    table = np.append(table, np.zeros((1, p)), axis=0).astype(np.float32)
    for first in range(0, p, TILE * stride):
        report(first / p)
        codes = genotypes.codes(first, min(first + TILE, p))
        tile = np.empty(codes.shape, np.float32)
        _standardise(codes, np.ascontiguousarray(table[:, first : first + codes.shape[1]]), tile)
        yield tile


@kernel
def _standardise(codes, table, out):
    """Look up the values of codes (n, c) in a table (4, c): out_iq = table[code_iq, q].

    Unknown codes, -1, have those of the last line, table[3, q].
    """
    for i in range(len(codes)):
        row = codes[i]
        values = out[i]
        for q in range(len(row)):
            values[q] = table[row[q] if row[q] >= 0 else 3, q]
