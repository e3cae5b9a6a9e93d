"""Facts about single variants as the lines of files have them, and the columns that are made of them.

All readers of genotypes collect `VariantFact`s and turn them into `Variants` by `variants_of`.
"""

import re
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..core.words import counted, shown
from .genotypes import Variants

POSITION = re.compile(r"-?\d+(?:\.\d+)?(?:[eE]\+?\d{1,2})?", re.ASCII)  # R writes 100000 as 1e+05
MAX_DIGITS = 18  # of a position that an int64 holds
UNNAMED = ("", ".", "0")  # instead of the name of a variant


def several_note(n_variants: int, n_made: int) -> str:
    """Say how many variants of several alternative alleles were read as how many variants of one."""
    variants = counted(n_variants, "variant")
    return f"{variants} with several alternative alleles read as {n_made:,}, one for each alternative"


class VariantFact(NamedTuple):
    """Facts about one variant, as in `Variants`.

    Attributes
    ----------
    name : str
        Name, or one of UNNAMED.
    chromosome : str
        Name of its chromosome.
    position : int
        Position in base pairs, 0 if unknown.
    counted : str
        Allele that codes count.
    other : str
        The other allele.
    """

    name: str
    chromosome: str
    position: int
    counted: str
    other: str


def position_of(text: str, number: int, path: Path) -> int:
    """Base pairs; PLINK has negative ones of variants that are not to be used."""
    with suppress(ValueError, OverflowError):
        if len(text) <= MAX_DIGITS and POSITION.fullmatch(text):
            value = int(text) if text.removeprefix("-").isdecimal() else float(text)
            if value == int(value) and abs(value) < 10**MAX_DIGITS:
                return int(value)
    raise ValueError(f"line {number} of {path.name} has the position {shown(text)}, which is no number of base pairs")


def variants_of(facts: list[VariantFact]) -> Variants:
    """Facts about all variants, a column each; variants without a name get one."""
    _, chromosome, position, counted_alleles, other_alleles = zip(*facts, strict=True)
    return Variants(
        name=np.array(_names(facts), object),
        chromosome=np.array(chromosome, object),
        position=np.array(position, np.int64),
        counted=np.array(counted_alleles, object),
        other=np.array(other_alleles, object),
    )


def _names(facts: list[VariantFact]) -> list[str]:
    """Names of the variants. Those without a name are named by their position.

    These names are CHROM:POS, with the counted allele behind it if another variant has the same name, and with both
    alleles if that does not suffice. Variants without a position are numbered, as those of arrays.
    """
    names = [fact.name for fact in facts]
    unnamed = [k for k, name in enumerate(names) if name in UNNAMED]
    for n_alleles in range(3):
        for k in unnamed:
            fact = facts[k]
            alleles = [allele for allele in (fact.other, fact.counted)[2 - n_alleles :] if allele not in UNNAMED]
            name_parts = [fact.chromosome, str(fact.position), *alleles]
            names[k] = ":".join(name_parts) if fact.position else numbered(k)
        times = Counter(names) if unnamed else Counter()
        unnamed = [k for k in unnamed if times[names[k]] > 1]
    return names


def numbered(k: int) -> str:
    """Name of the variant with this index, of which nothing is known."""
    return f"SNP {k + 1}"
