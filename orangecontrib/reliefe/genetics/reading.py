"""Readers of genotypes: PLINK's .bed, VCF, and arrays of NumPy."""

import os
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ..core import Packed
from ..core.data.bed_bits import pack_bed
from ..core.data.files import read_array
from ..genetics_endings import BED, ENDINGS, NUMPY, VCF
from .genotypes import Genotypes, Variants, refuse_twice

MAGIC, SNP_MAJOR = b"\x6c\x1b", 1  # of .bed: the first two bytes, and the third one of files variant by variant
VARIANTS_AT_ONCE = 2**12  # a multiple of 64
UNKNOWN_IN_BED = 3  # of cyvcf2 as well


def read_genotypes(
    path: str | Path, additive: bool = False, progress: Callable[[float], object] | None = None
) -> Genotypes:
    """Read a file of genotypes into two bits each, some variants at a time.

    Parameters
    ----------
    path : str or Path
        .bed of PLINK with .bim and .fam beside it; .vcf, .vcf.gz or .bcf; .npy of codes (people, variants).
    additive : bool
        Whether diffs are differences of codes over 2, instead of equal or not.
    progress : callable, optional
        Called with the share done, in [0, 1]; stops the reading by raising an exception.

    Returns
    -------
    Genotypes
        Of all people and variants.

    Raises
    ------
    ValueError
        For files that are cut off, individual-major, or that do not fit each other; names that are there twice;
        variants with several alternative alleles.
    ImportError
        Where the reader of the format is not installed, with the command that does.
    """
    name = os.fspath(path)
    if not os.path.exists(name):
        raise ValueError(f"there is no file {name!r}")
    for endings, read in ((BED, _bed), (NUMPY, _numpy), (VCF, _vcf)):
        if name.lower().endswith(endings):
            return read(Path(name), additive, progress or bool)
    raise ValueError(f"{name!r} is no file of genotypes that can be read; endings are {', '.join(ENDINGS)}")


def reader(module: str, package: str) -> Any:
    """A module of the extra [genetics]; raises ImportError with the command that installs it."""
    try:
        return import_module(module)
    except ImportError:
        raise ImportError(f'this format needs {package}: pip install "Orange3-ReliefE[genetics]"') from None


def _bed(path: Path, additive: bool, progress: Callable[[float], object]) -> Genotypes:
    for beside in (".bim", ".fam"):
        if not path.with_suffix(beside).exists():
            raise ValueError(f"{path.name} needs {path.with_suffix(beside).name} beside it, which is not there")
    n, p = (_lines(path.with_suffix(ending)) for ending in (".fam", ".bim"))
    _check_bed(path, n, p)
    if not (n and p):
        raise ValueError(f"{path.name} has {n} people and {p} variants")
    bed = reader("bed_reader", "bed-reader").open_bed(path)
    refuse_twice(bed.iid, "person", path.with_suffix(".fam").name)

    codes = pack_bed(os.fspath(path), n, p, additive, progress)
    variants = Variants(bed.sid, bed.chromosome, bed.bp_position.astype(np.int64), bed.allele_1, bed.allele_2)
    return Genotypes(codes, bed.iid, variants, _phenotypes(path.with_suffix(".fam")))


def _check_bed(path: Path, n: int, p: int) -> None:
    """Raise ValueError where a .bed has another kind or length than n people and p variants ask for."""
    with path.open("rb") as file:
        head = file.read(3)
    if head[:2] != MAGIC or len(head) < 3:
        raise ValueError(f"{path.name} is no .bed of PLINK 1: it does not begin with 6c 1b")
    if head[2] != SNP_MAJOR:
        raise ValueError(f"{path.name} is individual-major; write it anew with plink --make-bed")
    size, expected = path.stat().st_size, 3 + -(-n // 4) * p
    if size != expected:
        raise ValueError(
            f"{path.name} has {size:,} bytes, but {n:,} people in the .fam and {p:,} variants in the .bim make "
            f"{expected:,}: it is {'cut off' if size < expected else 'too long'}, or they belong to other data"
        )


def _lines(path: Path) -> int:
    """Number of the lines that are not empty."""
    with path.open("rb") as file:
        return sum(1 for line in file if line.strip())


def _phenotypes(path: Path) -> np.ndarray:
    """The sixth column of a .fam (n,)."""
    found = []
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            cells = line.split()
            if cells and len(cells) < 6:
                raise ValueError(f"line {number} of {path.name} has {len(cells)} columns instead of 6")
            found += cells[5:6]
    return np.array(found)


def _numpy(path: Path, additive: bool, progress: Callable[[float], object]) -> Genotypes:
    packed = Packed.of(read_array(path), additive)
    n, p = packed.shape
    names, none = np.array([f"SNP {f + 1}" for f in range(p)]), np.full(p, "")
    people = np.arange(1, n + 1).astype(str)
    return Genotypes(packed, people, Variants(names, none, np.zeros(p, np.int64), none, none))


def _vcf(path: Path, additive: bool, progress: Callable[[float], object]) -> Genotypes:
    file = reader("cyvcf2", "cyvcf2").VCF(os.fspath(path), gts012=True)
    people = np.array(file.samples)
    if not len(people):
        raise ValueError(f"{path.name} has no people")
    refuse_twice(people, "person", path.name)
    facts: list[tuple[str, str, int, str, str]] = []
    blocks, records = [], iter(file)
    while block := list(islice(_codes(records, path, facts), VARIANTS_AT_ONCE)):
        progress(0.0)  # the number of variants is not known before the end
        blocks.append(np.array(block, np.int8).T)
    if not facts:
        raise ValueError(f"{path.name} has no variants")
    name, chromosome, position, counted, other = (np.array(column) for column in zip(*facts, strict=True))
    codes = Packed.of_blocks(len(people), len(facts), blocks, additive)
    return Genotypes(codes, people, Variants(name, chromosome, position.astype(np.int64), counted, other))


def _codes(records: Iterator[Any], path: Path, facts: list[tuple[str, str, int, str, str]]) -> Iterator[np.ndarray]:
    """Codes (n,) of the variants of a VCF, whose facts are added to a list."""
    for record in records:
        place = f"{record.CHROM}:{record.POS}"
        if len(record.ALT) > 1:
            raise ValueError(
                f"the variant at {place} of {path.name} has {len(record.ALT)} alternative alleles; split them before, "
                "as by bcftools norm -m -any"
            )
        facts.append((record.ID or place, record.CHROM, record.POS, (record.ALT or [""])[0], record.REF))
        found = record.gt_types.astype(np.int8)
        yield np.where(found == UNKNOWN_IN_BED, -1, found)
