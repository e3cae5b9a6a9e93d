"""Reader of genotypes and dosages of PLINK 2: .pgen with .pvar and .psam, or .bim and .fam, beside it.

`reading.read_genotypes` calls `read_pgen`. The package pgenlib, by the authors of PLINK, reads the .pgen and the .pvar.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from sys import intern
from typing import Any, NamedTuple

import numpy as np

from ..core.words import counted
from .dosages import ASKED_BY
from .genotype_blocks import GenotypeBlocks, packed_genotypes, variants_at_once
from .genotypes import Genotypes
from .optional_readers import reader_package
from .people_files import read_psam
from .variant_facts import UNNAMED, VariantFact

MAGIC = b"\x6c\x1b"  # first two bytes
PEOPLE = (".psam", ".fam")
VARIANTS = (".pvar", ".pvar.zst", ".bim")
SAMPLE = 100  # variants that are searched for dosages where these are not asked for; chosen by eye


class Alternative(NamedTuple):
    """An alternative allele of a variant.

    Attributes
    ----------
    variant : int
        Index of the variant in the file.
    allele : int
        Number of the allele, from 1.
    """

    variant: int
    allele: int


def read_pgen(path: Path, additive: bool, progress: Callable[[float], object], dosages: bool) -> Genotypes:
    """Read a .pgen; arguments as of `read_genotypes`. Raises what `open_pgen` raises."""
    opened = open_pgen(path, progress, dosages)
    return packed_genotypes(opened, opened.blocks, additive, dosages)


def open_pgen(path: Path, progress: Callable[[float], object], dosages: bool) -> GenotypeBlocks:
    """Open a .pgen; arguments as of `read_genotypes`.

    Raises
    ------
    ValueError
        If a file beside it is not there, or files are damaged or do not belong together.
    ImportError
        If pgenlib is not installed.
    """
    pgenlib = reader_package("pgenlib", ".pgen")
    people_path = _companion(path, PEOPLE)
    variants_path = _companion(path, VARIANTS)
    with path.open("rb") as file:
        if file.read(2) != MAGIC:
            raise ValueError(f"{path.name} is no .pgen of PLINK 2: it does not begin with 6c 1b")
    people = read_psam(people_path)
    n = len(people.names)
    try:
        variants = pgenlib.PvarReader(os.fsencode(variants_path))
    except RuntimeError as error:
        raise ValueError(f"{variants_path.name} cannot be read: {_text(error)}") from error
    n_variants = variants.get_variant_ct()
    if not n_variants:
        raise ValueError(f"{variants_path.name} has no variants")
    try:
        reader = pgenlib.PgenReader(os.fsencode(path), raw_sample_ct=n, pvar=variants)
    except RuntimeError as error:
        raise ValueError(
            f"{path.name} cannot be read with {people_path.name} ({counted(n, 'person', 'people')}) and "
            f"{variants_path.name} ({counted(n_variants, 'variant')}): {_text(error)}"
        ) from error

    alternatives = [
        Alternative(variant, allele)
        for variant in range(n_variants)
        for allele in range(1, variants.get_allele_ct(variant))
    ]
    facts = [_fact(variants, alternative) for alternative in alternatives]
    notes = (*people.notes, *_note_of_several(variants, n_variants))
    if not dosages and _has_dosages(reader, alternatives[:SAMPLE], n, path):
        notes = (*notes, f"genotypes of {path.name} read, and not its dosages, which are ranked by {ASKED_BY}")
    return GenotypeBlocks(
        people=people,
        blocks=_blocks(reader, alternatives, n, dosages, path, progress),
        facts=facts,
        notes=lambda: notes,
        has_dosages=lambda: _has_dosages(reader, alternatives, n, path),
    )


def _blocks(
    reader: Any,
    alternatives: list[Alternative],
    n: int,
    dosages: bool,
    path: Path,
    progress: Callable[[float], object],
) -> Iterator[np.ndarray]:
    """Yield codes (n, b) int8, or dosages (n, b) float32, of some alternative alleles at a time."""
    step = variants_at_once(n)
    for first in range(0, len(alternatives), step):
        progress(first / len(alternatives))
        block = alternatives[first : first + step]
        rows = np.empty((len(block), n), np.float32 if dosages else np.int8)
        read = reader.read_dosages if dosages else reader.read
        for row, (variant, allele) in zip(rows, block, strict=True):
            try:
                read(variant, row, allele)
            except RuntimeError as error:
                raise ValueError(f"{path.name} is damaged at variant {variant + 1:,}: {_text(error)}") from error
        rows[rows < 0] = np.nan if dosages else -1  # pgenlib writes -9 where a genotype is unknown
        yield rows.T


def _has_dosages(reader: Any, alternatives: list[Alternative], n: int, path: Path) -> bool:
    """True if a dosage of n people and these alternative alleles is no whole number."""
    blocks = _blocks(reader, alternatives, n, True, path, bool)
    return any((np.nan_to_num(dosages) % 1 > 0).any() for dosages in blocks)


def _fact(variants: Any, alternative: Alternative) -> VariantFact:
    """Facts about an alternative allele, from a reader of the .pvar."""
    variant, allele = alternative
    name = _decoded(variants.get_variant_id(variant))
    letters = _decoded(variants.get_allele_code(variant, allele))
    return VariantFact(
        name if name in UNNAMED or variants.get_allele_ct(variant) == 2 else f"{name}:{letters}",
        intern(_decoded(variants.get_variant_chrom(variant))),
        int(variants.get_variant_pos(variant)),
        "" if letters == "." else intern(letters),
        intern(_decoded(variants.get_allele_code(variant, 0))),
    )


def _note_of_several(variants: Any, n_variants: int) -> tuple[str, ...]:
    """Sentence on variants of several alternative alleles; none without them."""
    n_alternatives = [variants.get_allele_ct(variant) - 1 for variant in range(n_variants)]
    several = [number for number in n_alternatives if number > 1]
    if not several:
        return ()
    text = counted(len(several), "variant")
    return (f"{text} with several alternative alleles read as {sum(several):,}, one for each alternative",)


def _companion(path: Path, endings: tuple[str, ...]) -> Path:
    """File beside a .pgen with one of the endings; raises ValueError if there is none."""
    candidates = [path.with_suffix(ending) for ending in endings]
    for candidate in candidates:
        if candidate.exists():
            return candidate
    names = " or ".join(candidate.name for candidate in candidates)
    raise ValueError(f"{path.name} needs {names} beside it, which is not there")


def _decoded(text: bytes) -> str:
    """Text of bytes; what is not in UTF-8 is replaced."""
    return text.decode("utf-8", "replace")


def _text(error: RuntimeError) -> str:
    """Message of pgenlib, which may be bytes with an end of the line."""
    message = error.args[0] if error.args else ""
    return (_decoded(message) if isinstance(message, bytes) else str(message)).strip()
