"""Dosages: expected numbers of copies of an allele, from 0 to 2, as imputation gives them.

Readers of VCF, PLINK 2 and BGEN make a table of dosages and the nearest genotypes beside it by `packed_with_dosages`.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from ..core import Packed
from ..core.data.scratch import blank, chunks

UNKNOWN = -1  # code of a missing genotype
MAX_DOSAGE = 2.0  # dosage: two copies
# Largest distance of a dosage from a genotype that it is taken for, where dosages are not asked for. It is the default
# of --hard-call-threshold: https://www.cog-genomics.org/plink/2.0/input
HARD_CALL_DISTANCE = 0.1
ANY_DISTANCE = 0.5  # by which each dosage has a nearest genotype
# How users ask for dosages, for messages
ASKED_BY = "dosages=True, --dosages, or Dosages in Rank Genotypes"
ROUNDING = 1e-4  # by which sums of probabilities in single precision may leave [0, 2]; chosen by eye


class PackedDosages(NamedTuple):
    """Dosages of n people and p variants.

    Attributes
    ----------
    codes : Packed (n, p)
        Nearest genotypes.
    dosages : (n, p) float32 array
        Dosages, NaN where unknown.
    """

    codes: Packed
    dosages: np.ndarray


def packed_with_dosages(n: int, p: int, blocks: Iterable[np.ndarray], additive: bool) -> PackedDosages:
    """Join blocks of dosages, and pack the nearest genotypes.

    Parameters
    ----------
    n, p : int
        Numbers of people and variants.
    blocks : iterable of (n, b) float32 arrays
        Dosages of the variants, one block after another: multiples of 64, but for the last one.
    additive : bool
        As of `Packed`.
    """
    dosages = blank((n, p), np.dtype(np.float32))

    def blocks_of_codes() -> Iterator[np.ndarray]:
        """Nearest genotypes of each block, whose dosages are written to the table."""
        first = 0
        for block in blocks:
            last = first + block.shape[1]
            dosages[:, first:last] = block
            yield nearest_genotypes(block)
            first = last

    codes = Packed.of_blocks(n, p, blocks_of_codes(), additive)
    return PackedDosages(codes, dosages)


def emptied(blocks: list[np.ndarray]) -> Iterator[np.ndarray]:
    """Yield the blocks of a list, which gives up each of them, so that its memory is free for the joined table."""
    blocks.reverse()
    while blocks:
        yield blocks.pop()


def nearest_genotypes(dosages: np.ndarray, max_distance: float = ANY_DISTANCE) -> np.ndarray:
    """Return the codes 0, 1 and 2 next to dosages.

    Parameters
    ----------
    dosages : (n, b) array
        Dosages in [0, 2], NaN where unknown.
    max_distance : float
        Distance from a whole number above which a code is unknown.

    Returns
    -------
    (n, b) int8 array
        Codes; -1 where unknown.
    """
    is_known = ~np.isnan(dosages)
    nearest = np.rint(np.where(is_known, dosages, 0))
    is_close = np.abs(dosages - nearest) <= np.float32(max_distance) + np.float32(ROUNDING)
    return np.where(is_known & is_close, nearest, UNKNOWN).astype(np.int8)


def subset(dosages: np.ndarray, people: np.ndarray | None = None, variants: np.ndarray | None = None) -> np.ndarray:
    """Return the dosages of the chosen people and variants (masks or indices; None: all), in a file if it is large."""
    rows = np.arange(dosages.shape[0]) if people is None else _indices(people)
    columns = np.arange(dosages.shape[1]) if variants is None else _indices(variants)
    copied = blank((len(rows), len(columns)), dosages.dtype)
    for step in chunks(len(rows), dosages.strides[0]):
        copied[step] = dosages[np.ix_(rows[step], columns)]
    return copied


def _indices(chosen: np.ndarray) -> np.ndarray:
    """Indices of what a mask, or indices, choose."""
    chosen = np.asarray(chosen)
    return np.flatnonzero(chosen) if chosen.dtype == bool else chosen
