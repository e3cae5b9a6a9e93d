"""Readers of genotypes: PLINK's .bed, VCF, and arrays of NumPy."""

import gzip
import os
import re
import struct
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from sys import intern
from typing import Any

import numpy as np

from ..command.endings import BED, ENDINGS, NUMPY, VCF
from ..core import Packed
from ..core.data.bed_bits import pack_bed
from ..core.data.sources import check_file, open_table
from ..core.words import counted, cut, shown
from .genotypes import MAGIC, SNP_MAJOR, VARIANTS_AT_ONCE, Genotypes, Variants, refuse_twice

GZIP, BCF = b"\x1f\x8b", b"BCF\2"  # first bytes of a packed file, and of a VCF in binary form
BCF_TYPES = {0: "S1", 1: "<i1", 2: "<i2", 3: "<i4", 5: "<f4", 7: "S1"}
MAX_RECORD = 2**30  # bytes of a variant in a BCF
TITLES = ["#CHROM", "POS", "ID", "REF", "ALT", "QUAL", "FILTER", "INFO", "FORMAT"]  # of a VCF, before the people
UNKNOWN, NO_GENOTYPE = -1, -2  # codes of calls: missing, and not two known alleles
CALLS = {f"{a}{phase}{b}": a + b for a in (0, 1) for b in (0, 1) for phase in "/|"}
CALLS |= dict.fromkeys((".", "./.", ".|."), UNKNOWN)
OF_REFERENCE = {call: code for call, code in CALLS.items() if code <= 0}  # where there is no alternative allele
Fact = tuple[str, str, int, str, str]  # fields of `Variants` of one variant


def read_genotypes(
    path: str | Path, additive: bool = False, progress: Callable[[float], object] | None = None
) -> Genotypes:
    """Read a file of genotypes into two bits each, some variants at a time.

    Names of people must differ, and variants have one alternative allele.

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
    """Numbers and texts of the lines of a file, packed by gzip, in binary form (BCF) or neither, without empty ones and
    comments (##)."""
    with path.open("rb") as file:
        opened: Any = gzip.open if file.read(2) == GZIP else open
    number, empty, broken = 0, True, False
    try:
        with opened(path, "rb") as file:
            binary = file.peek(len(BCF))[: len(BCF)] == BCF
            for number, line in enumerate(_lines_of_bcf(file) if binary else file, start=1):
                line = line.removeprefix(BOM_UTF8) if number == 1 else line
                if line.strip() and not line.startswith(b"##"):
                    empty, line = False, line.rstrip(b"\r\n")
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


def _lines_of_bcf(file: Any) -> Iterator[bytes]:
    """Lines of a VCF from its binary form; of what a variant has for each person only the genotype."""
    _, size = struct.unpack("<5sI", file.read(9))
    head = file.read(min(size, MAX_RECORD)).rstrip(b"\0\n").split(b"\n")
    yield from head
    contigs: dict[int, bytes] = {}
    strings = {b"PASS": 0}
    for line in head:
        if found := re.match(rb"##(contig|FILTER|INFO|FORMAT)=<ID=([^,>]+)(?:.*,IDX=(\d+)>)?", line):
            kind, key, place = found.groups()
            if kind == b"contig":
                contigs[int(place or len(contigs))] = key
            else:
                strings.setdefault(key, int(place or len(strings)))
    while sizes := file.read(8):
        shared, own = struct.unpack("<2I", sizes)
        data = file.read(min(shared + own, MAX_RECORD))
        if len(data) < shared + own:
            raise EOFError("it is cut off")
        contig, position, _, _, n_alleles, n_fields = struct.unpack_from("<3if2I", data)
        at, texts = struct.calcsize("<3if2I"), []
        for _ in range(1 + (n_alleles >> 16)):
            letters, at = _bcf_values(data, at, 1)
            texts.append(letters.tobytes())
        form, calls, at = b".", [], shared
        for _ in range(n_fields >> 24):
            field, at = _bcf_values(data, at, 1)
            values, at = _bcf_values(data, at, n_fields & 0xFFFFFF)
            if field[0, 0] == strings.get(b"GT"):
                ends = np.iinfo(values.dtype).min + 1  # of calls with fewer alleles than there are columns
                rows, which = np.unique(values, axis=0, return_inverse=True)
                named = [b"/".join(b"%d" % (v // 2 - 1) if v > 1 else b"." for v in row if v > ends) for row in rows]
                form, calls = b"GT", [named[q] for q in which.ravel().tolist()]
        name, reference, *others = texts
        where = b"%d" % (position + 1)
        facts = [contigs[contig], where, name or b".", reference, b",".join(others) or b"."]
        yield b"\t".join([*facts, b".", b".", b".", form, *calls])


def _bcf_values(data: bytes, at: int, n: int) -> tuple[np.ndarray, int]:
    """Values (n, length) at a place of a BCF, where their type and length stand before them, and the place behind."""
    kind, length, at = data[at] & 15, data[at] >> 4, at + 1
    if length == 15:
        longer, at = _bcf_values(data, at, 1)
        length = int(longer[0, 0])
    values = np.frombuffer(data, BCF_TYPES[kind], max(n * length, 0), at)
    return values.reshape(n, length), at + values.nbytes


def _bed(path: Path, additive: bool, progress: Callable[[float], object]) -> Genotypes:
    for beside in (".bim", ".fam"):
        if not path.with_suffix(beside).exists():
            raise ValueError(f"{path.name} needs {path.with_suffix(beside).name} beside it, which is not there")
    bim, fam = path.with_suffix(".bim"), path.with_suffix(".fam")
    facts = [
        (name, intern(chromosome), _position(place, number, bim), intern(counted), intern(other))
        for number, (chromosome, name, _, place, counted, other) in _six(bim)
    ]
    people, phenotype = zip(*((cells[1], cells[5]) for _, cells in _six(fam)), strict=True)
    n, p = len(people), len(facts)
    _check_bed(path, n, p)
    refuse_twice(people, "person", fam.name)
    variants = _variants(facts)
    codes = pack_bed(os.fspath(path), n, p, additive, progress)
    return Genotypes(codes, np.array(people, object), variants, np.array(phenotype, object))


def _six(path: Path) -> Iterator[tuple[int, list[str]]]:
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
    if not text.removeprefix("-").isdecimal() or len(text) > 18:
        raise ValueError(
            f"line {number} of {path.name} has the position {shown(text)}, which is no number of base pairs"
        )
    return int(text)


def _variants(facts: list[Fact]) -> Variants:
    name, chromosome, position, counted, other = zip(*facts, strict=True)
    texts = (np.array(column, object) for column in (name, chromosome, counted, other))
    return Variants(next(texts), next(texts), np.array(position, np.int64), *texts)


def _check_bed(path: Path, n: int, p: int) -> None:
    """Raise ValueError where a .bed has another kind or length than n people and p variants ask for."""
    with path.open("rb") as file:
        head = file.read(3)
    if head[:2] != MAGIC or len(head) < 3:
        raise ValueError(f"{path.name} is no .bed of PLINK 1: it does not begin with 6c 1b")
    if head[2:] != SNP_MAJOR:
        raise ValueError(f"{path.name} is individual-major; write it again by plink --make-bed")
    size, expected = path.stat().st_size, 3 + -(-n // 4) * p
    if size != expected:
        raise ValueError(
            f"{path.name} has {size:,} bytes, but {n:,} people in the .fam and {p:,} variants in the .bim make "
            f"{expected:,}. It is {'cut off' if size < expected else 'too long'}, or they belong to other data"
        )


def _numpy(path: Path, additive: bool, progress: Callable[[float], object]) -> Genotypes:
    codes, _ = open_table(os.fspath(path))
    try:
        packed = Packed.of(codes, additive)
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None
    n, p = packed.shape
    names, none = np.array([f"SNP {f + 1}" for f in range(p)], object), np.full(p, "", object)
    people = np.arange(1, n + 1).astype(str).astype(object)
    return Genotypes(packed, people, Variants(names, none, np.zeros(p, np.int64), none, none))


def _vcf(path: Path, additive: bool, progress: Callable[[float], object]) -> Genotypes:
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
    blocks, n_bad, calls = [], 0, _calls(rows, path, len(people), facts)
    while block := list(islice(calls, VARIANTS_AT_ONCE)):
        progress(0.0)  # the number of variants is not known before the end
        codes = np.array(block).T
        n_bad += np.count_nonzero(codes == NO_GENOTYPE)
        blocks.append(np.maximum(codes, UNKNOWN))
    if not facts:
        raise ValueError(f"{path.name} has no variants")
    notes = (f"{counted(n_bad, 'call')} taken as missing: not two alleles of REF and ALT",) if n_bad else ()
    codes = Packed.of_blocks(len(people), len(facts), blocks, additive)
    return Genotypes(codes, np.array(people, object), _variants(facts), notes=notes)


def _calls(rows: Iterator[tuple[int, str]], path: Path, n: int, facts: list[Fact]) -> Iterator[np.ndarray]:
    """Codes (n,) int8 of the variants of a VCF, whose facts are added to a list."""
    for number, line in rows:
        cells = line.split("\t")
        if len(cells) != len(TITLES) + n:
            raise ValueError(
                f"line {number} of {path.name} has {counted(len(cells), 'column')} instead of {len(TITLES) + n}"
            )
        chromosome, place, name, other, alternative, *_, form = cells[: len(TITLES)]
        position = _position(place, number, path)
        if "," in alternative:
            raise ValueError(
                f"the variant at {cut(chromosome)}:{place} of {path.name} has {alternative.count(',') + 1} alternative "
                "alleles; split them before, as by bcftools norm -m -any"
            )
        if form.split(":", 1)[0] != "GT":
            raise ValueError(f"line {number} of {path.name} has no genotypes: its FORMAT {shown(form)} is without GT")
        texts = cells[len(TITLES) :]
        if form != "GT":
            texts = [text.split(":", 1)[0] for text in texts]
        alternative = "" if alternative == "." else alternative
        name = f"{chromosome}:{place}" if name in ("", ".") else name
        facts.append((name, intern(chromosome), position, intern(alternative), intern(other)))
        known = CALLS if alternative else OF_REFERENCE
        yield np.array([known.get(text, NO_GENOTYPE) for text in texts], np.int8)
