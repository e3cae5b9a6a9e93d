"""Reader of genotypes in VCF, as text or in its binary form (BCF).

`reading.read_genotypes` calls `read_vcf` with the path of a file. A variant of several alternative alleles becomes one
for each of them::

    #CHROM  POS  ID   REF  ALT  QUAL  FILTER  INFO  FORMAT  person1  person2
    1       7    rs0  G    A,T  .     .       .     GT      0/1      1|2
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from sys import intern

import numpy as np

from ..core import Packed
from ..core.words import counted, shown
from .genotypes import VARIANTS_AT_ONCE, Genotypes, refuse_twice
from .text_lines import lines
from .variant_facts import UNNAMED, Fact, position_of, variants_of

TITLES = ["#CHROM", "POS", "ID", "REF", "ALT", "QUAL", "FILTER", "INFO", "FORMAT"]  # before the people
UNKNOWN = -1  # code of a missing genotype
MISSING_CALLS = (".", "./.", ".|.")
CALL = re.compile(r"(\d{1,4})(?:[/|](\d{1,4}))?", re.ASCII)  # numbers of one allele (haploid) or of two
# Of one variant, each of which becomes a variant. Chosen by eye: long repeats have some dozens.
MAX_ALTERNATIVES = 1000
DOSAGES = {"DS", "HDS", "GP"}  # fields from which genotypes can be made


@dataclass
class CallReport:
    """Counts of what a VCF has beside calls of two alleles; filled while its lines are read.

    unusable : int
        Calls that are taken as missing: half-called, of three or more alleles, or of alleles that the line lacks.
    haploid : int
        Calls of one allele.
    several, several_as : int
        Variants of several alternative alleles, and variants that were made of them.
    dosages : int
        Variants without genotypes (GT), but with dosages.
    """

    unusable: int = 0
    haploid: int = 0
    several: int = 0
    several_as: int = 0
    dosages: int = 0

    def notes(self, name: str) -> tuple[str, ...]:
        """Sentences on what was counted in the file of this name."""
        texts = []
        if self.several:
            variants = counted(self.several, "variant")
            texts.append(
                f"{variants} with several alternative alleles read as {self.several_as:,}, one for each alternative"
            )
        if self.haploid:
            texts.append(f"{counted(self.haploid, 'haploid call')} read as two equal alleles, as PLINK does")
        if self.unusable:
            texts.append(f"{counted(self.unusable, 'call')} taken as missing: not two alleles of REF and ALT")
        if self.dosages:
            texts.append(
                f"{counted(self.dosages, 'variant')} left out: dosages without genotypes (GT). {_advice(name)}"
            )
        return tuple(texts)


def _advice(name: str) -> str:
    """Advice on dosages in the file of this name."""
    return f"Make genotypes of them, as by plink2 --vcf {name} dosage=DS --make-bed"


def read_vcf(path: Path, additive: bool, progress: Callable[[float], object]) -> Genotypes:
    """Read a VCF or BCF."""
    rows = lines(path)
    number, head = next(rows)
    titles = head.split("\t")
    people = titles[len(TITLES) :]
    if titles[: len(TITLES)] != TITLES or not people or not all(people):
        raise ValueError(
            f"line {number} of {path.name} must have the titles {' '.join(TITLES)} and the names of people, "
            f"separated by tabs, but has {shown(head)}"
        )
    refuse_twice(people, "person", path.name)
    facts: list[Fact] = []
    report = CallReport()
    calls = _calls(rows, path, len(people), facts, report)
    blocks = []
    while block := list(islice(calls, VARIANTS_AT_ONCE)):
        progress(0.0)  # the number of variants is not known before the end
        blocks.append(np.array(block).T)
    if report.dosages and not facts:
        raise ValueError(f"{path.name} has dosages and no genotypes (GT). {_advice(path.name)}")
    if not facts:
        raise ValueError(f"{path.name} has no variants")
    codes = Packed.of_blocks(len(people), len(facts), blocks, additive)
    return Genotypes(codes, np.array(people, object), variants_of(facts), notes=report.notes(path.name))


def _calls(
    rows: Iterator[tuple[int, str]], path: Path, n: int, facts: list[Fact], report: CallReport
) -> Iterator[np.ndarray]:
    """Codes (n,) int8 of the variants of a VCF, one for each alternative allele.

    Facts about the variants are added to a list, and counts of odd calls to a report.
    """
    for number, line in rows:
        cells = line.split("\t")
        if len(cells) != len(TITLES) + n:
            raise ValueError(
                f"line {number} of {path.name} has {counted(len(cells), 'column')} instead of {len(TITLES) + n}"
            )
        chromosome, position_text, name, other, alternative, *_, field_names = cells[: len(TITLES)]
        position = position_of(position_text, number, path)
        if position < 0:
            raise ValueError(f"line {number} of {path.name} has the position {shown(position_text)}, which is below 0")
        fields = field_names.split(":")
        if fields[0] != "GT":
            if DOSAGES.isdisjoint(fields):
                raise ValueError(
                    f"line {number} of {path.name} has no genotypes: its FORMAT {shown(field_names)} is without GT"
                )
            report.dosages += 1
            continue
        texts = cells[len(TITLES) :]
        if field_names != "GT":
            texts = [text.split(":", 1)[0] for text in texts]
        alternatives = [] if alternative == "." else alternative.split(",")
        if len(alternatives) > MAX_ALTERNATIVES:
            raise ValueError(
                f"line {number} of {path.name} has {len(alternatives):,} alternative alleles, more than "
                f"{MAX_ALTERNATIVES:,}: leave this variant out"
            )
        alleles = _alleles_of_calls(texts, len(alternatives), report)
        if len(alternatives) > 1:
            report.several += 1
            report.several_as += len(alternatives)
        for allele, letters in enumerate(alternatives or [""], start=1):
            counts = {text: UNKNOWN if pair is None else pair.count(allele) for text, pair in alleles.items()}
            name_of_allele = name if name in UNNAMED or len(alternatives) < 2 else f"{name}:{letters}"
            facts.append(Fact(name_of_allele, intern(chromosome), position, intern(letters), intern(other)))
            yield np.array([counts[text] for text in texts], np.int8)


def _alleles_of_calls(texts: list[str], n_alternatives: int, report: CallReport) -> dict[str, tuple[int, int] | None]:
    """The two alleles of each different call of a line, by number; None for a missing genotype.

    A haploid call has its allele twice.  Odd calls are counted in the report.
    """
    alleles: dict[str, tuple[int, int] | None] = {}
    for text in set(texts):
        alleles[text] = None
        if text in MISSING_CALLS:
            continue
        call = CALL.fullmatch(text)
        if call is None:
            report.unusable += texts.count(text)
            continue
        first = int(call[1])
        second = first if call[2] is None else int(call[2])
        if max(first, second) > n_alternatives:
            report.unusable += texts.count(text)
            continue
        alleles[text] = first, second
        if call[2] is None:
            report.haploid += texts.count(text)
    return alleles
