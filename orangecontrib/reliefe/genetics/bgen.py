"""Reader of probabilities of genotypes in BGEN, as dosages or as genotypes.

`reading.read_genotypes` calls `read_bgen`. The package bgen reads the file. A .sample beside it, or the file itself,
has the names of the people. The first allele of a variant is taken for the reference. Alternative alleles are counted.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import combinations_with_replacement, islice
from pathlib import Path
from sys import intern
from typing import Any

import numpy as np

from ..core.words import counted
from .dosages import ASKED_BY, HARD_CALL_DISTANCE, MAX_DOSAGE, emptied, nearest_genotypes
from .genotype_blocks import GenotypeBlocks, packed_genotypes, variants_at_once
from .genotypes import Genotypes, refuse_twice
from .optional_readers import reader_package
from .people_files import People, read_sample
from .variant_facts import UNNAMED, VariantFact, several_note

DIPLOID, HAPLOID = 2, 1  # numbers of alleles of a person
# Errors of the package for damaged files and for a damaged index (.bgi) beside them
ERRORS = (ValueError, RuntimeError, LookupError, OverflowError, MemoryError, OSError, sqlite3.Error)


@dataclass
class ProbabilityReport:
    """Counts of what a BGEN has beside clear genotypes of two alleles; filled while it is read.

    haploid : int
        Genotypes of one allele.
    polyploid : int
        Genotypes of no allele, or of three or more.
    unclear : int
        Dosages that are too far from a genotype.
    several, several_as : int
        Variants of several alternative alleles, and variants that were made of them.
    """

    haploid: int = 0
    polyploid: int = 0
    unclear: int = 0
    several: int = 0
    several_as: int = 0

    def notes(self) -> tuple[str, ...]:
        """Sentences on what was counted."""
        texts = []
        if self.several:
            texts.append(several_note(self.several, self.several_as))
        if self.haploid:
            texts.append(f"{counted(self.haploid, 'haploid genotype')} read as two equal alleles, as PLINK does")
        if self.polyploid:
            texts.append(f"{counted(self.polyploid, 'genotype')} taken as missing: not of one or two alleles")
        if self.unclear:
            texts.append(
                f"{counted(self.unclear, 'genotype')} taken as missing: the dosage is farther than "
                f"{HARD_CALL_DISTANCE} from 0, 1 and 2 (rank dosages instead: {ASKED_BY})"
            )
        return tuple(texts)


def read_bgen(path: Path, additive: bool, progress: Callable[[float], object], dosages: bool) -> Genotypes:
    """Read a .bgen; arguments as of `read_genotypes`. Raises what `open_bgen` raises."""
    opened = open_bgen(path, progress, dosages)
    blocks = [*opened.blocks]  # only then is the number of variants known
    return packed_genotypes(opened, emptied(blocks), additive, dosages)


def open_bgen(path: Path, progress: Callable[[float], object], dosages: bool) -> GenotypeBlocks:
    """Open a .bgen; arguments as of `read_genotypes`.

    Raises
    ------
    ValueError
        If the file is damaged, or there are no names of people, or other numbers of them.
    ImportError
        If the package bgen is not installed.
    """
    package = reader_package("bgen", ".bgen")
    with ExitStack() as stack:
        file = stack.enter_context(_opened(package, path))
        header = file.header
        people = _people(path, file.samples if header.has_sample_ids else None, header.nsamples)
        stack.pop_all()  # the blocks close it
    facts: list[VariantFact] = []
    report = ProbabilityReport()
    return GenotypeBlocks(
        people=people,
        blocks=_blocks(file, path, facts, report, dosages, progress),
        facts=facts,
        notes=lambda: (*people.notes, *report.notes()),
        has_dosages=lambda: True,
    )


def _blocks(
    file: Any,
    path: Path,
    facts: list[VariantFact],
    report: ProbabilityReport,
    dosages: bool,
    progress: Callable[[float], object],
) -> Iterator[np.ndarray]:
    """Yield codes (n, b) int8, or dosages (n, b) float32, and close the file; raises ValueError if it is damaged."""
    n_read = 0
    with file:
        header = file.header
        columns = _columns(file, facts, report)
        while block := _next_block(columns, path, n_read, header.nsamples):
            n_read += len(block)
            progress(min(n_read / max(header.nvariants, 1), 1.0))
            table = np.array(block, np.float32).T
            yield table if dosages else _genotypes(table, report)
    if not n_read:
        raise ValueError(f"{path.name} has no variants")


def _opened(package: Any, path: Path) -> Any:
    """Reader of a .bgen; raises ValueError if it cannot be opened."""
    try:
        return package.BgenReader(os.fspath(path), delay_parsing=True)
    except ERRORS as error:
        raise ValueError(f"{path.name} cannot be read: {error}") from error


def _next_block(columns: Iterator[np.ndarray], path: Path, n_read: int, n: int) -> list[np.ndarray]:
    """Dosages of the next variants, empty behind the last one; raises ValueError if the file is damaged.

    n_read: number of variants that were read before; n: number of people.
    """
    try:
        return list(islice(columns, variants_at_once(n)))
    except ERRORS as error:
        raise ValueError(f"{path.name} is damaged behind variant {n_read:,}: {error}") from error


def _people(path: Path, own_names: list[str] | None, n: int) -> People:
    """People of the .sample beside a .bgen, or those that it names itself; raises ValueError if there are not n."""
    sample = path.with_suffix(".sample")
    if sample.exists():
        people = read_sample(sample)
        if len(people.names) != n:
            n_named = counted(len(people.names), "person", "people")
            raise ValueError(f"{sample.name} has {n_named}, and {path.name} has {n:,}: they belong to other data")
        return people
    if own_names is None:
        raise ValueError(f"{path.name} has no names of people: it needs {sample.name} beside it")
    refuse_twice(own_names, "person", path.name)
    return People(np.array(own_names, object), None, None, ())


def _columns(file: Any, facts: list[VariantFact], report: ProbabilityReport) -> Iterator[np.ndarray]:
    """Yield dosages (n,) of the alternative alleles of all variants; facts and counts are added to the arguments."""
    for variant in file:
        first, *alternatives = variant.alleles
        name = variant.varid if variant.rsid in UNNAMED else variant.rsid
        if len(alternatives) > 1:
            report.several += 1
            report.several_as += len(alternatives)
        for letters in alternatives:
            name_of_allele = f"{name}:{letters}" if len(alternatives) > 1 and name not in UNNAMED else name
            facts.append(
                VariantFact(name_of_allele, intern(variant.chrom), int(variant.pos), intern(letters), intern(first))
            )
        yield from _dosages(variant, 1 + len(alternatives), report)


def _dosages(variant: Any, n_alleles: int, report: ProbabilityReport) -> np.ndarray:
    """Expected counts (alleles - 1, n) of the alternative alleles, NaN where unknown; haploid ones are doubled."""
    probabilities = np.asarray(variant.probabilities, np.float64)
    ploidy = np.asarray(variant.ploidy)
    is_haploid = ploidy == HAPLOID
    is_other = ~is_haploid & (ploidy != DIPLOID)
    weights = np.nan_to_num(probabilities)  # 0 where there are no probabilities
    if variant.is_phased:
        counts = weights.reshape(len(ploidy), -1, n_alleles).sum(axis=1)
    else:
        counts = np.zeros((len(ploidy), n_alleles))
        for n_copies in (HAPLOID, DIPLOID):
            has_copies = ploidy == n_copies
            if has_copies.any():
                copies = _copies(n_copies, n_alleles)
                counts[has_copies] = weights[has_copies, : len(copies)] @ copies
    report.haploid += int(is_haploid.sum())
    report.polyploid += int(is_other.sum())
    is_unknown = is_other | (weights.sum(axis=1) <= 0)  # no probabilities, or none above 0
    counts[is_haploid] *= 2
    counts[is_unknown] = np.nan
    return np.asarray(np.clip(counts, 0, MAX_DOSAGE)[:, 1:].T)


def _copies(n_copies: int, n_alleles: int) -> np.ndarray:
    """Copies (genotypes, alleles) of each allele in the genotypes of a person, in the order of BGEN.

    They are in colexicographic order: 00, 01, 11, 02, 12, 22 for two copies of three alleles.
    """
    genotypes = sorted(combinations_with_replacement(range(n_alleles), n_copies), key=lambda alleles: alleles[::-1])
    return np.array([[alleles.count(allele) for allele in range(n_alleles)] for alleles in genotypes], float)


def _genotypes(dosages: np.ndarray, report: ProbabilityReport) -> np.ndarray:
    """Codes (n, b) of dosages that are close to a genotype; the unclear ones are counted in the report."""
    codes = nearest_genotypes(dosages, HARD_CALL_DISTANCE)
    report.unclear += int(((codes < 0) & ~np.isnan(dosages)).sum())
    return codes
