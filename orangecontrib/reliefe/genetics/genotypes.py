"""Genotypes with the names of people and variants."""

from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np

from ..core import Packed
from ..core.files import replacing
from ..core.words import shown

MAGIC, SNP_MAJOR = b"\x6c\x1b", b"\1"  # of .bed: the first two bytes, and the third one of files variant by variant
PAIRS = np.array([0b11, 0b10, 0b00, 0b01], np.uint8)  # of bits in a .bed, by code; the last one of what is unknown
VARIANTS_AT_ONCE = 2**12  # a multiple of 64


@dataclass(frozen=True, eq=False)
class Variants:
    """Facts about p variants, one array each; texts are objects, so that one long allele does not make all as wide.

    name: as "rs123".
    chromosome, position: in base pairs; "" and 0 where they are not known.
    counted, other: the allele that codes count, and the other one; "" where they are not known.
    """

    name: np.ndarray
    chromosome: np.ndarray
    position: np.ndarray
    counted: np.ndarray
    other: np.ndarray

    def take(self, chosen: np.ndarray) -> "Variants":
        """The chosen variants (a mask or indices)."""
        return Variants(*(getattr(self, field.name)[chosen] for field in fields(self)))

    def __len__(self) -> int:
        return len(self.name)


@dataclass(frozen=True, eq=False)
class Genotypes:
    """Genotypes of n people and p variants.

    codes: counts of an allele, 0 to 2, or unknown.
    people (n,): their names, all different.
    variants: facts about them.
    phenotype (n,): as in the file; None where it has none.
    notes: facts about the reading that should be known.
    pedigree (n, 2): family (FID) and name within it (IID), as in a .fam; None where the file has no families.
    """

    codes: Packed
    people: np.ndarray
    variants: Variants
    phenotype: np.ndarray | None = None
    notes: tuple[str, ...] = ()
    pedigree: np.ndarray | None = None

    @property
    def shape(self) -> tuple[int, int]:
        return self.codes.shape

    def take(self, people: np.ndarray) -> "Genotypes":
        """The chosen people (a mask or indices)."""
        phenotype = None if self.phenotype is None else self.phenotype[people]
        pedigree = None if self.pedigree is None else self.pedigree[people]
        names = self.people[people]
        return replace(self, codes=self.codes.take(people), people=names, phenotype=phenotype, pedigree=pedigree)

    def columns(self, chosen: np.ndarray) -> "Genotypes":
        """The chosen variants (a mask or indices)."""
        return replace(self, codes=self.codes.columns(chosen), variants=self.variants.take(chosen))


def refuse_twice(names: Iterable[str], noun: str, source: str) -> None:
    """Raise ValueError where a name is there twice, with the first of them."""
    name, times = next(iter(Counter(names).most_common(1)), ("", 0))
    if times > 1:
        raise ValueError(f"{source} has the {noun} {shown(name)} {times} times; names must differ")


def write_bed(path: str | Path, data: Genotypes, phenotype: np.ndarray) -> None:
    """Write a .bed of PLINK, with .bim and .fam beside it; phenotype (n,): of the people.

    Existing files are replaced when all three are complete.
    """
    path, (n, p), v = Path(path), data.shape, data.variants
    bim = zip(v.chromosome, v.name, [0] * p, v.position, v.counted, v.other, strict=True)
    pedigree = [("0", person) for person in data.people] if data.pedigree is None else data.pedigree
    fam = ((*person, "0", "0", "0", value) for person, value in zip(pedigree, phenotype, strict=True))
    with ExitStack() as stack:
        for ending, rows in ((".bim", bim), (".fam", fam)):
            text = "".join("\t".join(str(cell) or "0" for cell in row) + "\n" for row in rows)
            new = stack.enter_context(replacing(path.with_suffix(ending)))
            Path(new).write_bytes(text.encode())
        file = stack.enter_context(open(stack.enter_context(replacing(path)), "wb"))
        file.write(MAGIC + SNP_MAJOR)
        for first in range(0, p, VARIANTS_AT_ONCE):
            codes = data.codes.codes(first, min(first + VARIANTS_AT_ONCE, p))
            pairs = np.zeros((-(-n // 4), 4, codes.shape[1]), np.uint8)
            pairs.reshape(-1, codes.shape[1])[:n] = PAIRS[codes]
            pairs <<= np.array([[0], [2], [4], [6]], np.uint8)
            file.write(np.bitwise_or.reduce(pairs, axis=1).T.tobytes())
