"""Reader of genotypes in VCF, plain or compressed.

`reading.read_genotypes` calls `read_vcf` with the path of a file. A variant of several alternative alleles becomes one
for each of them::

    #CHROM  POS  ID   REF  ALT  QUAL  FILTER  INFO  FORMAT  person1  person2
    1       7    rs0  G    A,T  .     .       .     GT      0/1      1|2
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from sys import intern
from typing import NamedTuple

import numpy as np

from ..core.data.limits import max_names
from ..core.words import counted, shown
from .dosages import ASKED_BY, MAX_DOSAGE, UNKNOWN, emptied
from .genotype_blocks import GenotypeBlocks, packed_genotypes, variants_at_once
from .genotypes import Genotypes, refuse_twice
from .people_files import People
from .text_lines import lines
from .variant_facts import UNNAMED, VariantFact, position_of, several_note

TITLES = ["#CHROM", "POS", "ID", "REF", "ALT", "QUAL", "FILTER", "INFO", "FORMAT"]  # before the people
MISSING_CALLS = (".", "./.", ".|.")
CALL = re.compile(r"(\d{1,4})(?:[/|](\d{1,4}))?", re.ASCII)  # numbers of one allele (haploid) or of two
# Of one variant, each of which becomes a variant. Chosen by eye: long repeats have some dozens.
MAX_ALTERNATIVES = 1000
GENOTYPE = "GT"  # field of genotypes
DOSAGE = "DS"  # field of dosages
IMPUTED = {DOSAGE, "HDS", "GP"}  # fields from which genotypes can be made


@dataclass
class CallReport:
    """Counts of what a VCF has beside calls of two alleles; filled while its lines are read.

    unusable : int
        Calls that are taken as missing: half-called, of three or more alleles, or of alleles that the line lacks.
    haploid : int
        Calls of one allele.
    several, several_as : int
        Variants of several alternative alleles, and variants that were made of them.
    not_read : int
        Variants with dosages or probabilities, but without a field that is read.
    unread_dosages : int
        Variants whose genotypes are read, and whose dosages are not.
    needed : str
        Names of the fields that are read, for messages.
    has_dosages : bool
        Whether any variant has dosages.
    """

    unusable: int = 0
    haploid: int = 0
    several: int = 0
    several_as: int = 0
    not_read: int = 0
    unread_dosages: int = 0
    needed: str = GENOTYPE
    has_dosages: bool = False

    def notes(self, name: str) -> tuple[str, ...]:
        """Sentences on what was counted in the file of this name."""
        texts = []
        if self.several:
            texts.append(several_note(self.several, self.several_as))
        if self.haploid:
            texts.append(f"{counted(self.haploid, 'haploid call')} read as two equal alleles, as PLINK does")
        if self.unusable:
            texts.append(f"{counted(self.unusable, 'call')} taken as missing: not two alleles of REF and ALT")
        if self.unread_dosages:
            texts.append(
                f"genotypes ({GENOTYPE}) of {counted(self.unread_dosages, 'variant')} read, and not their dosages "
                f"({DOSAGE}); dosages are ranked by {ASKED_BY}"
            )
        if self.not_read:
            texts.append(f"{counted(self.not_read, 'variant')} left out: {self.problem}. {self.advice(name)}")
        return tuple(texts)

    @property
    def problem(self) -> str:
        """Reason for which variants are not read."""
        if self.needed == GENOTYPE:
            return f"dosages and no genotypes ({GENOTYPE})"
        return f"probabilities, but neither genotypes nor dosages ({self.needed})"

    def advice(self, name: str) -> str:
        """Advice on such variants in the file of this name."""
        if self.needed == GENOTYPE:
            return f"Read dosages ({ASKED_BY}), or make genotypes, as by plink2 --vcf {name} dosage=DS --make-bed"
        return f"Make dosages, as by plink2 --vcf {name} dosage=GP --export vcf vcf-dosage=DS"


class VcfLine(NamedTuple):
    """A line of a VCF.

    Attributes
    ----------
    number : int
        Its number.
    chromosome, name, reference : str
        Chromosome, name, and reference allele.
    position : int
        Position in base pairs.
    alternatives : list of str
        Alternative alleles.
    fields : list of str
        Names of the fields of people.
    people : list of str
        Fields (n,) of the people, between colons.
    """

    number: int
    chromosome: str
    position: int
    name: str
    reference: str
    alternatives: list[str]
    fields: list[str]
    people: list[str]

    def texts(self, field: str) -> list[str]:
        """Texts (n,) of a field; "." where it is left out."""
        column = self.fields.index(field)
        if len(self.fields) == 1:
            return self.people
        if column == 0:
            return [cell.split(":", 1)[0] for cell in self.people]
        rows = (cell.split(":") for cell in self.people)
        return [row[column] if column < len(row) else "." for row in rows]


def read_vcf(path: Path, additive: bool, progress: Callable[[float], object], dosages: bool = False) -> Genotypes:
    """Read a VCF, with dosages (DS) or without."""
    opened = open_vcf(path, dosages)
    blocks = []
    for block in opened.blocks:
        progress(0.0)  # the number of variants is not known before the end
        blocks.append(block)
    return packed_genotypes(opened, emptied(blocks), additive, dosages)


def open_vcf(path: Path, dosages: bool) -> GenotypeBlocks:
    """Open a VCF.

    Parameters
    ----------
    path : Path
        The file.
    dosages : bool
        Whether blocks are dosages (DS).

    Raises
    ------
    ValueError
        If the line of titles is wrong, or a person is there twice; other lines are checked when they are read.
    """
    rows = lines(path)
    number, head = next(rows)
    max_columns = max_names(path)
    if head.count("\t") > max_columns:
        raise ValueError(f"{path.name} has more than {max_columns:,} columns, which a file of its size seldom has")
    titles = head.split("\t")
    people = titles[len(TITLES) :]
    if titles[: len(TITLES)] != TITLES or not people or not all(people):
        raise ValueError(
            f"line {number} of {path.name} must have the titles {' '.join(TITLES)} and the names of people, "
            f"separated by tabs, but has {shown(head)}"
        )
    refuse_twice(people, "person", path.name)
    facts: list[VariantFact] = []
    report = CallReport(needed=f"{DOSAGE} or {GENOTYPE}" if dosages else GENOTYPE)
    columns = _columns((_line(number, text, path, len(people)) for number, text in rows), path, facts, report, dosages)
    return GenotypeBlocks(
        people=People(np.array(people, object), None, None, ()),
        blocks=_blocks(columns, path, report, len(people)),
        facts=facts,
        notes=lambda: report.notes(path.name),
        has_dosages=lambda: report.has_dosages,
    )


def _blocks(columns: Iterator[np.ndarray], path: Path, report: CallReport, n: int) -> Iterator[np.ndarray]:
    """Yield the columns (n,) of variants in blocks (n, b); raises ValueError at the end if there are none."""
    is_empty = True
    while block := list(islice(columns, variants_at_once(n))):
        is_empty = False
        yield np.array(block).T
    if is_empty and report.not_read:
        raise ValueError(f"{path.name} has {report.problem}. {report.advice(path.name)}")
    if is_empty:
        raise ValueError(f"{path.name} has no variants")


def has_field(text: str, field: str) -> bool:
    """True if the FORMAT of a line of a VCF has a field, for example "DS"."""
    cells = text.split("\t", len(TITLES))
    return len(cells) > len(TITLES) and field in cells[len(TITLES) - 1].split(":")


def _line(number: int, text: str, path: Path, n: int) -> VcfLine:
    """Parse a line for n people; raises ValueError if columns, position or alternative alleles are wrong."""
    n_columns = text.count("\t") + 1
    if n_columns != len(TITLES) + n:
        raise ValueError(
            f"line {number} of {path.name} has {counted(n_columns, 'column')} instead of {len(TITLES) + n}"
        )
    cells = text.split("\t")
    chromosome, position_text, name, reference, alternative, *_, field_names = cells[: len(TITLES)]
    position = position_of(position_text, number, path)
    if position < 0:
        raise ValueError(f"line {number} of {path.name} has the position {shown(position_text)}, which is below 0")
    alternatives = [] if alternative == "." else alternative.split(",")
    if len(alternatives) > MAX_ALTERNATIVES:
        raise ValueError(
            f"line {number} of {path.name} has {len(alternatives):,} alternative alleles, more than "
            f"{MAX_ALTERNATIVES:,}: leave this variant out"
        )
    fields = field_names.split(":")
    return VcfLine(number, chromosome, position, name, reference, alternatives, fields, cells[len(TITLES) :])


def _columns(
    rows: Iterator[VcfLine], path: Path, facts: list[VariantFact], report: CallReport, dosages: bool
) -> Iterator[np.ndarray]:
    """Yield codes (n,) int8, or dosages (n,) float32, of the variants of a VCF, one for each alternative allele.

    Facts about the variants are added to a list, and counts of odd calls to a report.
    """
    most_variants = max_names(path)
    for line in rows:
        report.has_dosages |= DOSAGE in line.fields
        has_dosages = dosages and DOSAGE in line.fields
        if line.fields[0] != GENOTYPE and not has_dosages:
            if IMPUTED.isdisjoint(line.fields):
                names = shown(":".join(line.fields))
                raise ValueError(
                    f"line {line.number} of {path.name} has no genotypes: its FORMAT {names} is without {report.needed}"
                )
            report.not_read += 1
            continue
        several = len(line.alternatives) > 1
        if several:
            report.several += 1
            report.several_as += len(line.alternatives)
        if len(facts) > most_variants:
            raise ValueError(f"{path.name} has more than {most_variants:,} variants, which its size seldom holds")
        for letters in line.alternatives or [""]:
            name = f"{line.name}:{letters}" if several and line.name not in UNNAMED else line.name
            facts.append(
                VariantFact(name, intern(line.chromosome), line.position, intern(letters), intern(line.reference))
            )
        if has_dosages:
            yield from _dosages(line, path, report)
        elif dosages:
            for codes in _codes(line.texts(GENOTYPE), len(line.alternatives), report):
                yield np.where(codes == UNKNOWN, np.nan, codes).astype(np.float32)
        else:
            report.unread_dosages += DOSAGE in line.fields
            yield from _codes(line.texts(GENOTYPE), len(line.alternatives), report)


def _codes(texts: list[str], n_alternatives: int, report: CallReport) -> Iterator[np.ndarray]:
    """Codes (n,) int8 of calls, for each alternative allele."""
    alleles = _alleles_of_calls(texts, n_alternatives, report)
    for allele in range(1, max(n_alternatives, 1) + 1):
        counts = {text: UNKNOWN if pair is None else pair.count(allele) for text, pair in alleles.items()}
        yield np.array([counts[text] for text in texts], np.int8)


def _dosages(line: VcfLine, path: Path, report: CallReport) -> np.ndarray:
    """Dosages (alternatives, n) float32 of a line that has them; the genotype where a person has none.

    The dosage of a haploid call is from 0 to 1, and is doubled, as its allele is counted twice.
    """
    n_alternatives = max(len(line.alternatives), 1)
    texts = line.texts(DOSAGE)
    calls = line.texts(GENOTYPE) if line.fields[0] == GENOTYPE else ["."] * len(texts)
    values = {text: _dosages_of_cell(text, n_alternatives, line.number, path) for text in set(texts)}
    table = np.array([values[text] for text in texts], np.float32)

    # Calls of one allele
    is_haploid = np.array([call.isdecimal() for call in calls])
    is_known = ~np.isnan(table).any(axis=1)
    doubled = is_haploid & is_known
    table[doubled] *= 2
    is_too_large = (table > MAX_DOSAGE).any(axis=1)
    table[is_too_large] = np.nan
    report.unusable += int(is_too_large.sum())
    report.haploid += int((doubled & ~is_too_large).sum())

    # Genotypes of people without a dosage
    without = np.flatnonzero(~is_known)
    if len(without):
        codes = np.array([*_codes([calls[i] for i in without], len(line.alternatives), report)]).T
        table[without] = np.where(codes == UNKNOWN, np.nan, codes)
    return np.asarray(table.T)


def _dosages_of_cell(text: str, n_alternatives: int, number: int, path: Path) -> list[float]:
    """Dosages of the alternative alleles in a cell, NaN where it has none; raises ValueError for other texts."""
    cells = text.split(",")
    if "." in cells or text == "":
        return [np.nan] * n_alternatives
    if len(cells) != n_alternatives:
        raise ValueError(
            f"line {number} of {path.name} has {counted(len(cells), 'dosage')} ({shown(text)}) for "
            f"{counted(n_alternatives, 'alternative allele')}"
        )
    try:
        values = [float(cell) for cell in cells]
    except ValueError:
        values = [np.nan]
    if not all(0 <= value <= MAX_DOSAGE for value in values):
        raise ValueError(f"line {number} of {path.name} has the dosage {shown(text)}, which is not within 0 and 2")
    return values


def _alleles_of_calls(texts: list[str], n_alternatives: int, report: CallReport) -> dict[str, tuple[int, int] | None]:
    """The two alleles of each different call of a line, by number; None for a missing genotype.

    A haploid call has its allele twice.  Odd calls are counted in the report.
    """
    alleles: dict[str, tuple[int, int] | None] = {}
    for text, n_people in Counter(texts).items():
        alleles[text] = None
        if text in MISSING_CALLS:
            continue
        call = CALL.fullmatch(text)
        if call is None:
            report.unusable += n_people
            continue
        first = int(call[1])
        second = first if call[2] is None else int(call[2])
        if max(first, second) > n_alternatives:
            report.unusable += n_people
            continue
        alleles[text] = first, second
        if call[2] is None:
            report.haploid += n_people
    return alleles
