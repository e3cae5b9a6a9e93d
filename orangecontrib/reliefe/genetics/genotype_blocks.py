"""Genotypes of a file some variants at a time, before anything is packed.

The readers of .bed, VCF, .pgen and .bgen open a file as `GenotypeBlocks`. `reading` packs the blocks, and `description`
counts them.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from ..core import Packed
from .dosages import packed_with_dosages
from .genotypes import Genotypes
from .people_files import People
from .variant_facts import VariantFact, variants_of

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
    facts : list of VariantFact
        Facts about the variants of the blocks that were read, or of more; readers append to it.
    notes : callable
        Returns sentences on how the file was read; called behind the last block.
    has_dosages : callable
        Returns True if the file has dosages; called behind the last block.
    """

    people: People
    blocks: Iterator[np.ndarray]
    facts: list[VariantFact]
    notes: Callable[[], tuple[str, ...]]
    has_dosages: Callable[[], bool]


def variants_at_once(n: int) -> int:
    """Number of variants of a block for n people."""
    return max(WORD, min(MAX_VARIANTS, BLOCK_BYTES // max(n, 1) // WORD * WORD))


def packed_genotypes(opened: GenotypeBlocks, blocks: Iterable[np.ndarray], additive: bool, dosages: bool) -> Genotypes:
    """Pack the genotypes of an opened file, whose facts have all variants.

    Parameters
    ----------
    opened : GenotypeBlocks
        The file.
    blocks : iterable of (n, b) arrays
        Its blocks, perhaps read already.
    additive, dosages
        As of `read_genotypes`.

    Raises
    ------
    ValueError
        If the file is damaged.
    """
    people = opened.people
    n = len(people.names)
    p = len(opened.facts)
    table = None
    if dosages:
        codes, table = packed_with_dosages(n, p, blocks, additive)
    else:
        codes = Packed.of_blocks(n, p, blocks, additive)
    return Genotypes(
        codes,
        people.names,
        variants_of(opened.facts),
        people.phenotype,
        opened.notes(),
        people.pedigree,
        dosages=table,
        phenotype_name=people.phenotype_name,
    )
