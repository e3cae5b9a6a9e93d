"""A first look at a file of genotypes: people, variants, missing calls, dosages and the phenotype.

The command ``orange-reliefe describe study.bed`` calls `describe_genotypes`. Variants are read some at a time and only
counted, so that the memory does not grow with their number.
"""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..core import Packed
from ..core.data.table_files import check_file
from ..core.description import range_and_median
from ..core.targets.tasks import REGRESSION, SURVIVAL
from ..core.words import counted as number_of
from ..core.words import cut, percent, rough_percent, shown, some
from ..formats import BED, BGEN, PGEN, VCF, kind_of
from .bgen import open_bgen
from .dosages import nearest_genotypes
from .filters import Filters
from .genotype_blocks import GenotypeBlocks, variants_at_once
from .genotypes import Genotypes, Variants
from .people_files import People
from .people_join import COLUMN_OPTION, values_of_people
from .pgen import open_pgen
from .phenotype import read_phenotype
from .phenotype_names import PLINK_NOUNS, task_of_phenotype
from .reading import open_bed, read_genotypes
from .vcf import open_vcf

MAX_MISSING = Filters().missing  # share of unknown calls, above which a ranking leaves a variant out
MAX_CHROMOSOMES = 30  # that are listed: those of people, and some more
MAX_CLASSES = 6  # that are listed
NO_PHENOTYPE = "No phenotype: name a table of it (--phenotype FILE)"


@dataclass(frozen=True)
class GenotypeDescription:
    """A first look at genotypes of n people and p variants.

    Attributes
    ----------
    people : int
        n.
    variants : int
        p; a variant of several alternative alleles counts once for each of them.
    chromosomes : dict of str to int
        Numbers of variants by the names of chromosomes, in the order of the file; "" if unknown.
    missing_share : float
        Share of the n * p calls that are unknown.
    often_missing : int
        Number of variants that are unknown in more than the share of people that `Filters` allow.
    constant : int
        Number of variants with at most one known value.
    has_dosages : bool
        Whether the file has dosages.
    phenotype : str
        Sentence on the phenotype.
    unknown_phenotypes : dict of str to int
        Numbers of people without a known phenotype, by the text in the place of it.
    notes : tuple of str
        Sentences on how the files were read.
    """

    people: int
    variants: int
    chromosomes: dict[str, int]
    missing_share: float
    often_missing: int
    constant: int
    has_dosages: bool
    phenotype: str
    unknown_phenotypes: dict[str, int]
    notes: tuple[str, ...]

    def lines(self) -> list[str]:
        """Sentences on the file."""
        lines = [f"{number_of(self.people, 'person', 'people')}, {number_of(self.variants, 'variant')}"]
        chromosome_names = [name for name in self.chromosomes if name]
        if chromosome_names:
            listed = [f"{name or 'unknown'}: {number:,}" for name, number in self.chromosomes.items()]
            lines.append(f"{number_of(len(chromosome_names), 'chromosome')} ({some(listed, MAX_CHROMOSOMES)})")
        unknown = [f"{number:,} {shown(text)}" for text, number in self.unknown_phenotypes.items()]
        lines.append(f"{self.phenotype}; unknown: {some(unknown, MAX_CLASSES)}" if unknown else self.phenotype)
        share = rough_percent(self.missing_share)
        lines.append(f"{share} of the calls are missing" if self.missing_share else "No call is missing")
        if self.often_missing:
            missing = percent(MAX_MISSING)
            lines.append(f"{number_of(self.often_missing, 'variant')} unknown in more than {missing} of the people")
        if self.constant:
            lines.append(f"{number_of(self.constant, 'variant')} with one value, which rank leaves out")
        lines.append("With dosages: rank them by --dosages" if self.has_dosages else "No dosages")
        return [*lines, *self.notes]


def describe_genotypes(
    path: str | Path,
    phenotype: object = None,
    column: str | tuple[str, str] | None = None,
    task: str | None = None,
    event_value: object = None,
    dosages: bool = False,
) -> GenotypeDescription:
    """Describe a file of genotypes.

    Parameters
    ----------
    path : str or Path
        A file that `read_genotypes` reads.
    phenotype, column, task, event_value
        As `source`, `column`, `task` and `event_value` of `phenotype.read_phenotype`.
    dosages : bool
        Whether dosages are counted in place of genotypes: a value is one of their nearest genotypes.

    Raises
    ------
    ValueError
        If the file cannot be read, or the phenotype that was asked for.
    ImportError
        If a .pgen or .bgen needs a package that is not installed.
    """
    opened = _opened(Path(path), dosages)
    people = opened.people
    n = len(people.names)
    notes: list[str] = []
    sentence, unknown_phenotypes = _describe_phenotype(people, phenotype, column, task, event_value, notes)
    chromosomes: Counter[str] = Counter()
    n_variants = n_missing = often_missing = constant = 0
    for block in opened.blocks:
        codes = nearest_genotypes(block) if block.dtype.kind == "f" else block
        missing = (codes < 0).sum(axis=0)
        n_values = sum((codes == code).any(axis=0).astype(int) for code in range(3))
        n_variants += codes.shape[1]
        n_missing += int(missing.sum())
        often_missing += int((missing > MAX_MISSING * n).sum())
        constant += int((n_values < 2).sum())
        chromosomes.update(fact.chromosome for fact in opened.facts)
        opened.facts.clear()
    return GenotypeDescription(
        people=n,
        variants=n_variants,
        chromosomes=dict(chromosomes) or {"": n_variants},
        missing_share=n_missing / max(n * n_variants, 1),
        often_missing=often_missing,
        constant=constant,
        has_dosages=opened.has_dosages(),
        phenotype=sentence,
        unknown_phenotypes=unknown_phenotypes,
        notes=(*opened.notes(), *notes),
    )


def _opened(path: Path, dosages: bool) -> GenotypeBlocks:
    """Open a file in blocks, by its ending."""
    check_file(os.fspath(path))
    kind = kind_of(os.fspath(path))
    if kind == VCF:
        return open_vcf(path, dosages)
    for kind_with_dosages, open_blocks in ((PGEN, open_pgen), (BGEN, open_bgen)):
        if kind == kind_with_dosages:
            return open_blocks(path, bool, dosages)
    if dosages or kind != BED:
        data = read_genotypes(path, dosages=dosages)
        people = People(data.people, data.pedigree, data.phenotype, data.notes)
        return GenotypeBlocks(people, _blocks_of(data.codes), [], lambda: data.notes, lambda: False)
    return open_bed(path)


def _blocks_of(codes: Packed) -> Iterator[np.ndarray]:
    """Yield packed genotypes some variants at a time."""
    n, p = codes.shape
    step = variants_at_once(n)
    for first in range(0, p, step):
        yield codes.codes(first, min(first + step, p))


def _describe_phenotype(
    people: People,
    source: object,
    column: str | tuple[str, str] | None,
    task: str | None,
    event_value: object,
    notes: list[str],
) -> tuple[str, dict[str, int]]:
    """Return a sentence on the phenotype, and the numbers of people without one by its text; adds to the notes.

    A phenotype beside the genotypes that cannot be used is described; one that was asked for raises ValueError.
    """
    if source is None and people.phenotype is None and not isinstance(column, tuple):
        return NO_PHENOTYPE, {}
    n = len(people.names)
    no_variants = Variants(*(np.empty(0, kind) for kind in (object, object, np.int64, object, object)))
    planes = np.zeros((n, 1), np.uint64)
    data = Genotypes(Packed(planes, planes, 0), people.names, no_variants, people.phenotype, (), people.pedigree)
    texts: list[str] = []
    if source is None and people.phenotype is not None:
        texts = people.phenotype.tolist()
    elif isinstance(source, str | os.PathLike) and not isinstance(column, tuple):
        texts = values_of_people(Path(source), column, data, COLUMN_OPTION, [])
    try:
        is_known, values = read_phenotype(data, source, column, task, notes, event_value)
    except ValueError as error:
        if source is not None:
            raise
        return f"No phenotype that can be ranked: {error}", dict(Counter(map(str.strip, texts)))
    unknown = Counter(text.strip() for text, ok in zip(texts, is_known, strict=False) if not ok)
    return _describe_values(values[is_known]), dict(unknown)


def _describe_values(values: np.ndarray) -> str:
    """Return a sentence on the known values of a phenotype: times, numbers, or classes."""
    task = task_of_phenotype(values)
    if task == SURVIVAL:
        event_field, _ = values.dtype.names or ()
        events = int(values[event_field].sum())
        return f"Phenotype: {number_of(events, 'event')}, {len(values) - events:,} censored"
    if task == REGRESSION:
        return f"Phenotype: a number {range_and_median(values)}"
    sizes = Counter(map(str, values))
    if sizes.keys() == PLINK_NOUNS.keys():
        people_of_classes = [f"{number_of(sizes[code], noun)} ({code})" for code, noun in PLINK_NOUNS.items()]
        return f"Phenotype: {', '.join(people_of_classes)}"
    listed = [f"{size:,} {shown(cut(name))}" for name, size in sorted(sizes.items())]
    return f"Phenotype: {number_of(len(sizes), 'class', 'classes')}, {some(listed, MAX_CLASSES)}"
