"""Readers of genotypes: PLINK's .bed, and arrays of NumPy.

`ranking.rank_genotypes`, the command and *Rank Genotypes* call `read_genotypes` with the path of a file. Its other
formats are read by `vcf`, `pgen` and `bgen`.
"""

import os
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from sys import intern

import numpy as np

from ..core import Packed
from ..core.data.bed_bits import pack_bed
from ..core.data.table_files import check_file, open_table
from ..formats import BED, BGEN, GENOTYPES, NUMPY, PGEN, VCF, kind_of, not_read
from .bgen import read_bgen
from .genotype_blocks import GenotypeBlocks, variants_at_once
from .genotypes import BED_PAIRS, CODES_PER_BYTE, MAGIC, SNP_MAJOR, Genotypes, Variants
from .people_files import read_fam, six_columns
from .pgen import read_pgen
from .text_lines import lines
from .variant_facts import VariantFact, numbered, position_of, variants_of
from .vcf import DOSAGE, has_field, read_vcf

SEARCHED = 10  # variants of a VCF that are searched for dosages; chosen by eye

CODES_OF_PAIRS = np.zeros(4, np.int8)  # codes 0, 1, 2 and -1 by the two bits of a .bed
CODES_OF_PAIRS[BED_PAIRS] = [0, 1, 2, -1]


def read_genotypes(
    path: str | Path,
    additive: bool = False,
    progress: Callable[[float], object] | None = None,
    dosages: bool = False,
) -> Genotypes:
    """Read a file of genotypes into two bits each, some variants at a time.

    People must differ by their names, or by these and their families.  A variant with several alternative alleles
    becomes one for each of them.

    Parameters
    ----------
    path : str or Path
        .bed of PLINK with .bim and .fam beside it; .vcf or .vcf.gz; .pgen of PLINK 2 with .pvar and .psam; .bgen,
        with a .sample if it does not name people; .npy of codes (people, variants).
    additive : bool
        Whether diffs are differences of codes over 2, instead of equal or not.
    progress : callable, optional
        Called with the share done, in [0, 1]; stops the reading by raising an exception.
    dosages : bool
        Whether dosages are read beside genotypes: DS of a VCF, those of a .pgen, or expected counts of a .bgen. Where
        a call or variant has none, its genotype is its dosage. They are ranked as numbers: two people differ by
        ``|a - b| / 2``.

    Raises
    ------
    ValueError
        If the file cannot be read, or its format has no dosages and they are asked for.
    ImportError
        If a .pgen or .bgen needs a package of the extra [genetics] that is not installed.
    """
    name = os.fspath(path)
    check_file(name)
    report = progress or bool
    kind = kind_of(name)
    for kind_with_dosages, read_with_dosages in ((VCF, read_vcf), (PGEN, read_pgen), (BGEN, read_bgen)):
        if kind == kind_with_dosages:
            return read_with_dosages(Path(name), additive, report, dosages)
    for kind_without, read in ((BED, _bed), (NUMPY, _numpy)):
        if kind == kind_without:
            if dosages:
                raise ValueError(f"{os.path.basename(name)} has genotypes and no dosages: leave dosages out")
            return read(Path(name), additive, report)
    raise ValueError(not_read(name, GENOTYPES))


def has_dosages(path: str | Path) -> bool:
    """True if dosages can be read from a file: a .pgen or .bgen, or a VCF with DS in its first variants.

    False, too, if the file cannot be read; `read_genotypes` says why.
    """
    name = os.fspath(path)
    kind = kind_of(name)
    if kind != VCF:
        return kind in (PGEN, BGEN)
    try:
        head_and_variants = list(islice(lines(Path(name)), 1 + SEARCHED))
    except (ValueError, OSError):
        return False
    return any(has_field(text, DOSAGE) for _, text in head_and_variants[1:])


def _bed(path: Path, additive: bool, progress: Callable[[float], object]) -> Genotypes:
    """Read a .bed of PLINK with its .bim and .fam."""
    bim, fam = _beside_bed(path)
    facts = [*_facts(bim)]
    people = read_fam(fam)
    n = len(people.names)
    p = len(facts)
    _check_bed(path, n, p)
    codes = pack_bed(os.fspath(path), n, p, additive, progress)
    return Genotypes(codes, people.names, variants_of(facts), people.phenotype, people.notes, people.pedigree)


def open_bed(path: Path) -> GenotypeBlocks:
    """Open a .bed of PLINK with its .bim and .fam; raises ValueError if one is missing, or they do not fit."""
    bim, fam = _beside_bed(path)
    people = read_fam(fam)
    n = len(people.names)
    p = sum(1 for _ in six_columns(bim))
    _check_bed(path, n, p)
    facts: list[VariantFact] = []
    return GenotypeBlocks(people, _bed_blocks(path, bim, n, facts), facts, lambda: people.notes, lambda: False)


def _bed_blocks(path: Path, bim: Path, n: int, facts: list[VariantFact]) -> Iterator[np.ndarray]:
    """Yield codes (n, b) int8 of some variants at a time; facts about them are added to a list."""
    codes_of_byte = CODES_OF_PAIRS[np.arange(256)[:, None] >> np.arange(0, 8, 2) & 0b11]
    bytes_of_variant = -(-n // CODES_PER_BYTE)  # rounded up
    facts_of_bim = _facts(bim)
    with path.open("rb") as file:
        file.seek(len(MAGIC + SNP_MAJOR))
        while block := list(islice(facts_of_bim, variants_at_once(n))):
            facts += block
            packed = np.frombuffer(file.read(len(block) * bytes_of_variant), np.uint8)
            yield codes_of_byte[packed].reshape(len(block), -1)[:, :n].T


def _beside_bed(path: Path) -> tuple[Path, Path]:
    """Return the .bim and the .fam of a .bed; raises ValueError if one is not there."""
    for file in (path.with_suffix(".bim"), path.with_suffix(".fam")):
        if not file.exists():
            raise ValueError(f"{path.name} needs {file.name} beside it, which is not there")
    return path.with_suffix(".bim"), path.with_suffix(".fam")


def _facts(bim: Path) -> Iterator[VariantFact]:
    """Yield facts about the variants of a .bim."""
    for number, (chromosome, name, _, position, counted_allele, other_allele) in six_columns(bim):
        yield VariantFact(
            name, intern(chromosome), position_of(position, number, bim), intern(counted_allele), intern(other_allele)
        )


def _check_bed(path: Path, n: int, p: int) -> None:
    """Raise ValueError where a .bed has another kind or length than n people and p variants ask for."""
    with path.open("rb") as file:
        head = file.read(3)
    if head[:2] != MAGIC or len(head) < 3:
        raise ValueError(f"{path.name} is no .bed of PLINK 1: it does not begin with 6c 1b")
    if head[2:] != SNP_MAJOR:
        raise ValueError(f"{path.name} is individual-major; write it again by plink --make-bed")
    size = path.stat().st_size
    bytes_of_variant = -(-n // CODES_PER_BYTE)  # rounded up
    expected = len(MAGIC + SNP_MAJOR) + bytes_of_variant * p
    if size != expected:
        raise ValueError(
            f"{path.name} has {size:,} bytes, but {n:,} people in the .fam and {p:,} variants in the .bim make "
            f"{expected:,}. It is {'cut off' if size < expected else 'too long'}, or they belong to other data"
        )


def _numpy(path: Path, additive: bool, progress: Callable[[float], object]) -> Genotypes:
    """Read an .npy of codes (people, variants), which have no names."""
    codes = open_table(os.fspath(path)).X
    try:
        packed = Packed.of(codes, additive)
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None
    n, p = packed.shape
    names = np.array([*map(numbered, range(p))], object)
    unknown = np.full(p, "", object)
    variants = Variants(names, unknown, np.zeros(p, np.int64), counted=unknown, other=unknown)
    people = np.arange(1, n + 1).astype(str).astype(object)
    return Genotypes(packed, people, variants)
