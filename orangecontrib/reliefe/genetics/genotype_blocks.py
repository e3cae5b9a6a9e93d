"""Genotypes of a file some variants at a time, before anything is packed.

The readers of .bed, VCF, .pgen and .bgen open a file as `GenotypeBlocks`. `reading` packs the blocks, and `description`
counts them.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from .people_files import People
from .variant_facts import Fact

WORD = 64  # variants: blocks are multiples of it, but for the last one
MAX_VARIANTS = 2**12  # of a block
BLOCK_BYTES = 2**26  # codes of a block, unless 64 variants have more


class GenotypeBlocks(NamedTuple):
    """Genotypes of n people in blocks of b variants.

    Attributes
    ----------
    people : People
        The people.
    blocks : iterator of (n, b) int8 or float32 arrays
        Codes 0, 1, 2 and -1 (unknown), or dosages with NaN. It raises ValueError where the file is damaged.
    facts : list of Fact
        Facts about the variants of the blocks that were read, or of more; readers append to it.
    notes : callable
        Returns sentences on how the file was read; called behind the last block.
    has_dosages : callable
        Returns True if the file has dosages; called behind the last block.
    """

    people: People
    blocks: Iterator[np.ndarray]
    facts: list[Fact]
    notes: Callable[[], tuple[str, ...]]
    has_dosages: Callable[[], bool]


def variants_at_once(n: int) -> int:
    """Number of variants of a block for n people."""
    return max(WORD, min(MAX_VARIANTS, BLOCK_BYTES // max(n, 1) // WORD * WORD))
