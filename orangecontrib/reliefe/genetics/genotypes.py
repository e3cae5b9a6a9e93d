"""Genotypes with the names of people and variants, and the writer of PLINK's .bed.

`reading` makes them from files. `filters`, `ranking` and the command take subsets of them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import cast

import numpy as np

from ..core import Packed
from ..core.data.dosages import Dosages
from ..core.files import replacing
from ..core.words import counted, shown
from .dosages import subset

# Format of .bed: https://www.cog-genomics.org/plink/1.9/formats#bed
MAGIC = b"\x6c\x1b"  # first two bytes
SNP_MAJOR = b"\1"  # third byte, if genotypes are stored variant by variant
BED_PAIRS = np.array([0b11, 0b10, 0b00, 0b01], np.uint8)  # pairs of bits of the codes 0, 1, 2, and -1 (unknown)
CODES_PER_BYTE = 4
VARIANTS_AT_ONCE = 2**12  # a multiple of 64, the codes of a word; 4 MB at 1,000 people


@dataclass(frozen=True, eq=False)
class Variants:
    """Facts about p variants. Texts are in object arrays, so that one long allele does not make all of them as wide.

    Attributes
    ----------
    name : (p,) object array of str
        Names, for example "rs123".
    chromosome : (p,) object array of str
        Names of their chromosomes, "" if unknown.
    position : (p,) int64 array
        Positions in base pairs, 0 if unknown.
    counted : (p,) object array of str
        Alleles that codes count, "" if unknown.
    other : (p,) object array of str
        The other alleles, "" if unknown.
    """

    name: np.ndarray
    chromosome: np.ndarray
    position: np.ndarray
    counted: np.ndarray
    other: np.ndarray

    def take(self, chosen: np.ndarray) -> "Variants":
        """Return the chosen variants; `chosen` is a mask or indices."""
        return Variants(*(getattr(self, field.name)[chosen] for field in fields(self)))

    def __len__(self) -> int:
        return len(self.name)


@dataclass(frozen=True, eq=False)
class Genotypes:
    """Genotypes of n people and p variants.

    Attributes
    ----------
    codes : Packed (n, p)
        Counts of the counted allele, 0 to 2, or unknown.
    people : (n,) object array of str
        Names of the people, all different.
    variants : Variants
        Facts about the variants.
    phenotype : (n,) object array of str, optional
        Phenotypes as the file writes them. None if it has none.
    notes : tuple of str
        Sentences on how the file was read.
    pedigree : (n, 2) object array of str, optional
        Family (FID) and name within the family (IID) of each person, as in a .fam. None if the file has no families.
    dosages : (n, p) float32 array, optional
        Expected counts of the counted allele, 0 to 2, NaN where unknown; `codes` has the nearest genotypes then. None
        if dosages were not asked for.
    phenotype_name : str
        Title of the phenotype in the file; empty if it has none.
    groups : (p,) object array, optional
        Name of the group that each variant is ranked with, None if it is alone. None: all are alone.
    """

    codes: Packed
    people: np.ndarray
    variants: Variants
    phenotype: np.ndarray | None = None
    notes: tuple[str, ...] = ()
    pedigree: np.ndarray | None = None
    dosages: np.ndarray | None = None
    phenotype_name: str = ""
    groups: np.ndarray | None = None

    def __repr__(self) -> str:
        n, p = self.shape
        dosages = "" if self.dosages is None else ", dosages"
        return f"{type(self).__name__}({counted(n, 'person', 'people')}, {counted(p, 'variant')}{dosages})"

    @property
    def ranked(self) -> Packed | Dosages:
        """Table that methods rank: dosages, or codes without them."""
        return self.codes if self.dosages is None else Dosages(self.dosages)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of people and of variants."""
        return self.codes.shape

    def take(self, people: np.ndarray) -> "Genotypes":
        """Return the chosen people; `people` is a mask or indices."""
        phenotype = None if self.phenotype is None else self.phenotype[people]
        pedigree = None if self.pedigree is None else self.pedigree[people]
        dosages = None if self.dosages is None else subset(self.dosages, people=people)
        return replace(
            self,
            codes=self.codes.take(people),
            people=self.people[people],
            phenotype=phenotype,
            pedigree=pedigree,
            dosages=dosages,
        )

    def columns(self, chosen: np.ndarray) -> "Genotypes":
        """Return the chosen variants; `chosen` is a mask or indices."""
        dosages = None if self.dosages is None else subset(self.dosages, variants=chosen)
        groups = None if self.groups is None else self.groups[chosen]
        return replace(
            self,
            codes=self.codes.columns(chosen),
            variants=self.variants.take(chosen),
            dosages=dosages,
            groups=groups,
        )


def refuse_twice(names: Iterable[str], noun: str, source: str) -> None:
    """Check that names differ.

    Parameters
    ----------
    names : iterable of str
        Names to check.
    noun : str
        What they name, for the message: "person", "column".
    source : str
        File that has them, for the message.

    Raises
    ------
    ValueError
        If a name occurs twice; the message has the most frequent name.
    """
    name, times = next(iter(Counter(names).most_common(1)), ("", 0))
    if times > 1:
        raise ValueError(f"{source} has the {noun} {shown(name)} {times} times; names must differ")


def write_bed(path: str | Path, data: Genotypes, phenotype: np.ndarray) -> None:
    """Write a .bed of PLINK, with .bim and .fam beside it. Existing files are replaced when all three are complete.

    Parameters
    ----------
    path : str or Path
        Path of the .bed.
    data : Genotypes
        Genotypes of n people.
    phenotype : (n,) array
        Phenotypes, which the .fam gets.
    """
    path = Path(path)
    with ExitStack() as stack:
        for ending, rows in ((".bim", _bim_rows(data.variants)), (".fam", _fam_rows(data, phenotype))):
            text = "".join("\t".join(str(cell) or "0" for cell in row) + "\n" for row in rows)
            new_path = stack.enter_context(replacing(path.with_suffix(ending)))
            Path(new_path).write_bytes(text.encode())
        file = stack.enter_context(open(stack.enter_context(replacing(path)), "wb"))
        file.write(MAGIC + SNP_MAJOR)
        n, p = data.shape
        for first in range(0, p, VARIANTS_AT_ONCE):
            file.write(_bed_bytes(data.codes.codes(first, min(first + VARIANTS_AT_ONCE, p)), n))


def _bim_rows(variants: Variants) -> Iterator[tuple[object, ...]]:
    """Rows of a .bim: chromosome, name, centimorgans (0: unknown), position, counted allele, other allele."""
    centimorgans = [0] * len(variants)
    v = variants
    return zip(v.chromosome, v.name, centimorgans, v.position, v.counted, v.other, strict=True)


def _fam_rows(data: Genotypes, phenotype: np.ndarray) -> Iterator[tuple[object, ...]]:
    """Rows of a .fam: family, name, father, mother, sex (0: unknown) and phenotype."""
    pedigree = [("0", person) for person in data.people] if data.pedigree is None else data.pedigree
    for (family, person), value in zip(pedigree, phenotype, strict=True):
        yield family, person, "0", "0", "0", value


def _bed_bytes(codes: np.ndarray, n: int) -> bytes:
    """Bytes of a .bed for codes (n, variants): four people a byte, the first one in the lowest bits."""
    n_bytes = -(-n // CODES_PER_BYTE)  # rounded up
    n_variants = codes.shape[1]
    pairs = np.zeros((n_bytes, CODES_PER_BYTE, n_variants), np.uint8)
    pairs.reshape(-1, n_variants)[:n] = BED_PAIRS[codes]
    pairs <<= np.array([[0], [2], [4], [6]], np.uint8)
    packed = np.bitwise_or.reduce(pairs, axis=1)
    return cast("bytes", packed.T.tobytes())
