"""Readers of genotypes: PLINK's .bed, and arrays of NumPy.

`ranking.rank_genotypes`, the command and *Rank Genotypes* call `read_genotypes` with the path of a file. `vcf` reads
VCF.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from sys import intern

import numpy as np

from ..command.endings import BED, ENDINGS, NUMPY, VCF
from ..core import Packed
from ..core.data.bed_bits import pack_bed
from ..core.data.table_files import check_file, open_table
from .genotypes import CODES_PER_BYTE, MAGIC, SNP_MAJOR, Genotypes, Variants, refuse_twice
from .text_lines import lines
from .variant_facts import Fact, numbered, position_of, variants_of
from .vcf import read_vcf


def read_genotypes(
    path: str | Path,
    additive: bool = False,
    progress: Callable[[float], object] | None = None,
    dosages: bool = False,
) -> Genotypes:
    """Read a file of genotypes into two bits each, some variants at a time.

    People must differ by their names, or by these and their families.  A variant of a VCF with several alternative
    alleles becomes one for each of them.

    Parameters
    ----------
    path : str or Path
        .bed of PLINK with .bim and .fam beside it; .vcf, .vcf.gz or .bcf; .npy of codes (people, variants).
    additive : bool
        Whether diffs are differences of codes over 2, instead of equal or not.
    progress : callable, optional
        Called with the share done, in [0, 1]; stops the reading by raising an exception.
    dosages : bool
        Whether dosages are read beside genotypes: DS of a VCF. Where a call or variant has none, its genotype is its
        dosage. They are ranked as numbers: two people differ by ``|a - b|`` over the range of the variant, which is
        half of it where both homozygotes occur.

    Raises
    ------
    ValueError
        If the file cannot be read, or its format has no dosages and they are asked for.
    """
    name = os.fspath(path)
    check_file(name)
    report = progress or bool
    ending = name.lower()
    if ending.endswith(VCF):
        return read_vcf(Path(name), additive, report, dosages)
    for endings, read in ((BED, _bed), (NUMPY, _numpy)):
        if ending.endswith(endings):
            if dosages:
                raise ValueError(f"{os.path.basename(name)} has genotypes and no dosages: leave dosages out")
            return read(Path(name), additive, report)
    raise ValueError(f"{name!r} is no file of genotypes that can be read; endings are {', '.join(ENDINGS)}")


def _bed(path: Path, additive: bool, progress: Callable[[float], object]) -> Genotypes:
    """Read a .bed of PLINK with its .bim and .fam."""
    bim = path.with_suffix(".bim")
    fam = path.with_suffix(".fam")
    for file in (bim, fam):
        if not file.exists():
            raise ValueError(f"{path.name} needs {file.name} beside it, which is not there")
    facts = [
        Fact(name, intern(chromosome), position_of(position, number, bim), intern(counted), intern(other))
        for number, (chromosome, name, _, position, counted, other) in _six_columns(bim)
    ]
    families, names, phenotype = zip(*((cells[0], cells[1], cells[5]) for _, cells in _six_columns(fam)), strict=True)
    n = len(names)
    p = len(facts)
    _check_bed(path, n, p)
    people, notes = _distinct_people(families, names, fam.name)
    pedigree = np.array([families, names], object).T
    codes = pack_bed(os.fspath(path), n, p, additive, progress)
    return Genotypes(codes, people, variants_of(facts), np.array(phenotype, object), notes, pedigree)


def _distinct_people(families: Sequence[str], names: Sequence[str], source: str) -> tuple[np.ndarray, tuple[str, ...]]:
    """Names (n,) of people that all differ, and what was done for it.

    They are IIDs, or FID_IID where an IID is there in several families; PLINK writes the latter into a VCF.
    """
    if len(set(names)) == len(names):
        return np.array(names, object), ()
    refuse_twice((f"{family} {name}" for family, name in zip(families, names, strict=True)), "person", source)
    joined = [f"{family}_{name}" for family, name in zip(families, names, strict=True)]
    refuse_twice(joined, "person", source)
    return np.array(joined, object), (f"people of {source} are told apart by FID and IID, written FID_IID",)


def _six_columns(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Numbers of the lines of a .bim or .fam, and their six columns: between blanks, or tabs if names have blanks."""
    width = 0
    for number, line in lines(path):
        cells = line.split("\t")
        if len(cells) < 6:
            cells = line.split()
        width = width or max(len(cells), 6)
        if len(cells) != width or "" in cells[:5]:  # more of them where a name has a blank
            raise ValueError(f"line {number} of {path.name} has {len(line.split())} columns instead of {width}")
        yield number, cells[:6]


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
