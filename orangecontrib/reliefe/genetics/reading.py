"""Readers of genotypes: PLINK's .bed, VCF, and arrays of NumPy.

`ranking.rank_genotypes`, the command and *Rank Genotypes* call `read_genotypes` with the path of a file. `bcf` turns
the binary form of VCF into lines.
"""

import gzip
import os
import re
import struct
import zlib
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from sys import intern
from typing import Any, NamedTuple

import numpy as np

from ..command.endings import BED, ENDINGS, NUMPY, VCF
from ..core import Packed
from ..core.data.bed_bits import pack_bed
from ..core.data.table_files import check_file, open_table
from ..core.words import counted, shown
from .bcf import BCF, lines_of_bcf
from .genotypes import CODES_PER_BYTE, MAGIC, SNP_MAJOR, VARIANTS_AT_ONCE, Genotypes, Variants, refuse_twice

GZIP = b"\x1f\x8b"  # first bytes of a file that is compressed by gzip
TITLES = ["#CHROM", "POS", "ID", "REF", "ALT", "QUAL", "FILTER", "INFO", "FORMAT"]  # of a VCF, before the people
UNKNOWN = -1  # code of a missing genotype
MISSING_CALLS = (".", "./.", ".|.")
CALL = re.compile(r"(\d{1,4})(?:[/|](\d{1,4}))?", re.ASCII)  # numbers of one allele (haploid) or of two
# Of one variant, each of which becomes a variant. Chosen by eye: long repeats have some dozens.
MAX_ALTERNATIVES = 1000
DOSAGES = {"DS", "HDS", "GP"}  # fields of a VCF from which genotypes can be made
POSITION = re.compile(r"-?\d+(?:\.\d+)?(?:[eE]\+?\d{1,2})?", re.ASCII)  # R writes 100000 as 1e+05
MAX_DIGITS = 18  # of a position that an int64 holds
UNNAMED = ("", ".", "0")  # instead of the name of a variant


class Fact(NamedTuple):
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


def read_genotypes(
    path: str | Path, additive: bool = False, progress: Callable[[float], object] | None = None
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
    """
    name = os.fspath(path)
    check_file(name)
    for endings, read in ((BED, _bed), (NUMPY, _numpy), (VCF, _vcf)):
        if name.lower().endswith(endings):
            return read(Path(name), additive, progress or bool)
    raise ValueError(f"{name!r} is no file of genotypes that can be read; endings are {', '.join(ENDINGS)}")


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the numbers and the texts of the lines of a file, without empty ones and comments (##).

    The file may be compressed by gzip, or in binary form (BCF).

    Raises
    ------
    ValueError
        If it is damaged, empty, not in UTF-8, or has carriage returns within lines.
    """
    with path.open("rb") as file:
        opened: Any = gzip.open if file.read(2) == GZIP else open
    number = 0
    empty = True
    broken = False
    try:
        with opened(path, "rb") as file:
            binary = file.peek(len(BCF))[: len(BCF)] == BCF
            for number, line in enumerate(lines_of_bcf(file) if binary else file, start=1):
                line = line.removeprefix(BOM_UTF8) if number == 1 else line
                if line.strip() and not line.startswith(b"##"):
                    empty = False
                    line = line.rstrip(b"\r\n")
                    broken = b"\r" in line
                    if broken:
                        break
                    yield number, line.decode()
    except UnicodeDecodeError:
        raise ValueError(f"line {number} of {path.name} is not in UTF-8: save the file in this encoding") from None
    except (EOFError, gzip.BadGzipFile, zlib.error, struct.error, ValueError, LookupError) as error:
        raise ValueError(f"{path.name} is damaged behind line {number}: {error}") from None
    if broken:
        raise ValueError(f"line {number} of {path.name} has a carriage return inside: end all lines by line feeds")
    if empty:
        raise ValueError(f"{path.name} is empty")


def _bed(path: Path, additive: bool, progress: Callable[[float], object]) -> Genotypes:
    """Read a .bed of PLINK with its .bim and .fam."""
    bim = path.with_suffix(".bim")
    fam = path.with_suffix(".fam")
    for file in (bim, fam):
        if not file.exists():
            raise ValueError(f"{path.name} needs {file.name} beside it, which is not there")
    facts = [
        Fact(name, intern(chromosome), _position(position, number, bim), intern(counted), intern(other))
        for number, (chromosome, name, _, position, counted, other) in _six_columns(bim)
    ]
    families, names, phenotype = zip(*((cells[0], cells[1], cells[5]) for _, cells in _six_columns(fam)), strict=True)
    n = len(names)
    p = len(facts)
    _check_bed(path, n, p)
    people, notes = _distinct_people(families, names, fam.name)
    pedigree = np.array([families, names], object).T
    codes = pack_bed(os.fspath(path), n, p, additive, progress)
    return Genotypes(codes, people, _variants(facts), np.array(phenotype, object), notes, pedigree)


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


def _position(text: str, number: int, path: Path) -> int:
    """Base pairs; PLINK has negative ones of variants that are not to be used."""
    with suppress(ValueError, OverflowError):
        if len(text) <= MAX_DIGITS and POSITION.fullmatch(text):
            value = int(text) if text.removeprefix("-").isdecimal() else float(text)
            if value == int(value) and abs(value) < 10**MAX_DIGITS:
                return int(value)
    raise ValueError(f"line {number} of {path.name} has the position {shown(text)}, which is no number of base pairs")


def _variants(facts: list[Fact]) -> Variants:
    """Facts about all variants, a column each; variants without a name get one."""
    _, chromosome, position, counted, other = zip(*facts, strict=True)
    return Variants(
        name=np.array(_names(facts), object),
        chromosome=np.array(chromosome, object),
        position=np.array(position, np.int64),
        counted=np.array(counted, object),
        other=np.array(other, object),
    )


def _names(facts: list[Fact]) -> list[str]:
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
            names[k] = ":".join(name_parts) if fact.position else _numbered(k)
        times = Counter(names) if unnamed else Counter()
        unnamed = [k for k in unnamed if times[names[k]] > 1]
    return names


def _numbered(k: int) -> str:
    """Name of the variant with this index, of which nothing is known."""
    return f"SNP {k + 1}"


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
    names = np.array([*map(_numbered, range(p))], object)
    unknown = np.full(p, "", object)
    variants = Variants(names, unknown, np.zeros(p, np.int64), counted=unknown, other=unknown)
    people = np.arange(1, n + 1).astype(str).astype(object)
    return Genotypes(packed, people, variants)


def _vcf(path: Path, additive: bool, progress: Callable[[float], object]) -> Genotypes:
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
    return Genotypes(codes, np.array(people, object), _variants(facts), notes=report.notes(path.name))


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
        position = _position(position_text, number, path)
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
