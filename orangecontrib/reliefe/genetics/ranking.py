"""Rankings of genotypes, from a file to scores with chromosome, position and alleles."""

import csv
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..core import METHODS, Ranking, components, find_method, rank, rank_resumably
from ..core.checks import whole
from ..core.data.expected import IGNORE
from ..core.files import replacing
from ..core.growing.resuming import check_resumable
from ..core.words import cell, counted
from .filters import Filters, frequency
from .genotypes import Genotypes, Variants, write_bed
from .manhattan import manhattan
from .phenotype import read_column, read_phenotype
from .reading import read_genotypes
from .single_variants import single_variant_tests

COLUMNS = ("rank", "variant", "chromosome", "position", "counted allele", "other allele", "frequency", "score")
READING = 0.3  # share of the work
AUTO = "auto"


@dataclass(frozen=True, eq=False)
class GenotypeRanking:
    """Scores of variants, with their names and places.

    ranking: scores (p,) of the variants that were ranked.
    data: genotypes of the people and variants that were ranked.
    phenotype (n,): of the people.
    frequency (p,): of the rarer allele.
    left_out: assumptions in reading, and numbers of people and variants that went, each with the reason.
    single_variants (p,): p-values of `single_variant_tests`, if the ranking has p-values.
    """

    ranking: Ranking
    data: Genotypes
    phenotype: np.ndarray
    frequency: np.ndarray
    left_out: tuple[str, ...]
    single_variants: np.ndarray | None = None

    @property
    def variants(self) -> Variants:
        """Facts about the variants."""
        return self.data.variants

    def best(self, n: int) -> list[str]:
        """Names of the n best variants, the best first."""
        return [str(name) for name in self.variants.name[self.ranking.ranking[:n]]]

    def save(self, path: str | Path, n: int | None = None) -> None:
        """Write the n best variants, or all, by the ending of the name.

        Facts and scores go to .csv or .tsv, a Manhattan plot to .svg, genotypes to .bed with .bim and .fam.
        """
        name = os.fspath(path)
        ending = os.path.splitext(name)[1].lower()
        if ending in (".csv", ".tsv"):
            self._save_table(name, "," if ending == ".csv" else "\t", n)
        elif ending == ".svg":
            with replacing(name) as new:
                Path(new).write_text(self.plot(), encoding="utf-8")
        elif ending == ".bed":
            of_times = self.phenotype.dtype.names is not None  # for which a .fam has no room
            phenotype = np.full(len(self.phenotype), "-9") if of_times else self.phenotype
            write_bed(name, self.data.columns(np.sort(self.ranking.ranking[:n])), phenotype)
        else:
            raise ValueError(f"cannot write {name!r}: the name must end in .csv, .tsv, .svg or .bed")

    def plot(self) -> str:
        """A Manhattan plot of all scores as SVG; with p-values, of -log10 p."""
        test, title = self.ranking.significance, METHODS[self.ranking.method].title
        values = self.ranking.scores if test is None else -np.log10(np.maximum(test.p, 1e-300))
        label = "score" if test is None else "-log10 p"
        return manhattan(f"{title}, {counted(len(self.variants), 'variant')}", label, self.variants, values)

    def _save_table(self, path: str, separator: str, n: int | None) -> None:
        tests = self.ranking.significance.columns if self.ranking.significance else {}
        with replacing(path) as new, open(new, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter=separator, lineterminator="\n")
            writer.writerow([*COLUMNS, *tests])
            for place, f in enumerate(self.ranking.ranking[:n].tolist(), start=1):
                v = self.variants
                facts = [cell(str(part[f])) for part in (v.name, v.chromosome, v.position, v.counted, v.other)]
                numbers = [values[f] for values in (self.frequency, self.ranking.scores, *tests.values())]
                writer.writerow([place, *facts, *(f"{value:.6g}" for value in numbers)])


def rank_genotypes(
    source: str | Path | Genotypes,
    phenotype: object = None,
    method: str = "relieff",
    *,
    column: str | tuple[str, str] | None = None,
    task: str | None = None,
    event_value: object = None,
    filters: Filters | None = None,
    additive: bool = False,
    n_components: int = 0,
    covariates: object = None,
    groups: object = None,
    progress: Callable[[float], object] | None = None,
    resume: str | Path | None = None,
    **options: Any,
) -> GenotypeRanking:
    """Rank variants by how informative they are of a phenotype, alone or together.

    Parameters
    ----------
    source : str, Path or Genotypes
        A file, see `read_genotypes`, or its result.
    phenotype : path, mapping, array-like or None
        See `read_phenotype`; None: that of the .fam.
    method : str
        A name in `core.METHODS`; unknown genotypes are ignored where it can.  "auto": ReliefF for classes, RReliefF for
        numbers, MultiSURF for times.
    column : str or (str, str), optional
        Of the table of phenotypes; two are the time until an event, and whether there was one.
    task : {"classification", "regression"}, optional
        Kind of the phenotype; None: classes if its values are words, or none but 0, 1 and 2.
    event_value : object, optional
        The value that says that there was an event. Every other value is censored. None: known words decide, as in
        `core.Survival`.
    filters : Filters, optional
        Limits of people and variants; None: the defaults.
    additive : bool
        Whether diffs of a file are differences of codes over 2, instead of equal or not.
    n_components : int
        Number of principal components of the ranked people and variants that scores are adjusted for, from 0.
    covariates : str, list of str, or as of `core.rank`, optional
        Columns of the table of phenotypes, or FILE:COLUMN of other tables, or values for the people of the source.
    groups : str, or as of `core.rank`, optional
        The same for groups of people, for example families.
    progress : callable, optional
        Called with the share done, in [0, 1]; raises `core.Interrupted` to stop.
    resume : str or Path, optional
        File that keeps finished parts of the ranking; see `core.rank_resumably`.
    **options
        As of `core.rank`, parameters of the method among them.
    """
    find_method(method, AUTO)
    if resume is not None:
        if method != AUTO:  # all that stand for it can be resumed
            check_resumable(method)
        if options.pop("significance", False) or options.pop("conditional", False):
            raise ValueError("p-values cannot go on from a file: rank without them, or without resume")
        if n_components or covariates is not None or groups is not None:
            raise ValueError("adjusted rankings cannot go on from a file: rank without covariates, or without resume")
    n_components = whole("n_components", n_components, 0)
    filters, report = filters or Filters(), progress or bool
    data = source
    if not isinstance(data, Genotypes):
        data = read_genotypes(data, additive, lambda share: report(READING * share))
    notes: list[str] = []
    known, values = read_phenotype(data, phenotype, column, task, notes, event_value)
    study = study_of(data, phenotype, covariates, groups, notes)
    data, values, left_out = prepare(data, known, values, filters)
    left_out = (*dict.fromkeys(notes), *left_out)
    method = usual_method(values) if method == AUTO else method
    options = {**packed_options(method, values), **options}
    of_task = {} if task is None else {"task": task}
    options |= of_task
    study = {name: part.loc[data.people] for name, part in study.items()}
    adjusted = adjusting(data, n_components, options.get("random_state", 0), beside=study.pop("covariates", None))
    options |= adjusted | {name: part.to_numpy() for name, part in study.items()}
    if filters.score_test:
        if options.get("significance") or options.get("conditional"):
            raise ValueError(
                "p-values after a filter by the phenotype are too small: leave out the score test, or them"
            )
        keep, why = filters.by_test(data, values, **adjusted)
        data, left_out = data.columns(keep), (*left_out, *why)
    share = None if progress is None else (lambda part: progress(READING + (1 - READING) * part))
    if resume is None:
        found = rank(data.codes, values, method, progress=share, **options)
    else:
        found = rank_resumably(data.codes, values, method, resume, progress=share, **options)
    single = None
    if found.significance is not None:
        single = single_variant_tests(data.codes, values, **adjusted, **of_task)
    return GenotypeRanking(found, data, values, frequency(data.codes.counts()), left_out, single)


def prepare(
    data: Genotypes, known: np.ndarray, values: np.ndarray, filters: Filters
) -> tuple[Genotypes, np.ndarray, tuple[str, ...]]:
    """Genotypes and phenotype (m,) of the people and variants that are ranked, and how many went and why, in words.

    Shapes: `known` (n,); `values` (n,).
    """
    left_out = [*data.notes]
    if not known.all():
        left_out.append(f"{counted(int((~known).sum()), 'person', 'people')} left out: without a phenotype")
        data, values = data.take(known), values[known]
    keep, why = filters.people(data)
    left_out += why
    if not keep.all():
        data, values = data.take(keep), values[keep]
    if not len(values):
        raise ValueError(f"nobody is left: {'; '.join(left_out)}")
    stay, why = filters.variants(data, _largest_class(values))
    left_out += why
    return data if stay.all() else data.columns(stay), values, tuple(left_out)


def adjusting(
    data: Genotypes,
    n_components: int,
    random_state: int = 0,
    progress: Callable[[float], object] | None = None,
    beside: Any = None,
) -> dict[str, Any]:
    """Parameters by which scores are adjusted for so many principal components of the people, from 0, beside a
    DataFrame of their covariates."""
    from pandas import DataFrame  # which takes time

    if not n_components:
        return {} if beside is None else {"covariates": beside}
    n = data.shape[0]
    if n_components >= n:
        raise ValueError(f"{n:,} people have no {counted(n_components, 'component')}: ask for at most {n - 1:,}")
    coordinates = components(data.codes, n_components, random_state=random_state, progress=progress)[0]
    names = [f"component {k + 1}" for k in range(n_components)]
    found = DataFrame(coordinates, data.people, names)
    return {"covariates": found if beside is None else beside.join(found), "linear_covariates": names}


def study_of(
    data: Genotypes, phenotype: object, covariates: object, groups: object, notes: list[str] | None = None
) -> dict[str, Any]:
    """Covariates and groups of the people, if there are any, as tables of pandas by their names.

    Facts about the reading of tables that should be known are added to the notes.
    """
    from pandas import DataFrame, Series

    found: dict[str, Any] = {}
    names = [covariates] if isinstance(covariates, str) else covariates
    if isinstance(names, list | tuple) and names and all(isinstance(name, str) for name in names):
        columns = {name: read_column(data, phenotype, name, "covariate", notes) for name in names}
        found["covariates"] = DataFrame(columns)
    elif covariates is not None:
        frame = DataFrame(covariates)
        known = hasattr(covariates, "columns")
        found["covariates"] = frame if known else frame.set_axis([f"number {k + 1}" for k in frame.columns], axis=1)
    if groups is not None:
        if isinstance(groups, str):
            groups = read_column(data, phenotype, groups, "group", notes)
        found["groups"] = Series(np.asarray(groups))
    for name, part in found.items():
        if len(part) != len(data.people):
            raise ValueError(f"{name} must have one value for each of {len(data.people):,} people, not {len(part):,}")
    return {name: part.set_axis(data.people) for name, part in found.items()}


def _largest_class(values: np.ndarray) -> np.ndarray:
    """Rows of the most frequent class; all rows for numbers and times."""
    if values.dtype.kind in "fV":
        return np.arange(len(values))
    names, counts = np.unique(values, return_counts=True)
    return np.flatnonzero(values == names[counts.argmax()])


def usual_method(phenotype: np.ndarray) -> str:
    """Name of the method for a phenotype: numbers, times, or classes."""
    return {"f": "rrelieff", "V": "multisurf"}.get(phenotype.dtype.kind, "relieff")


def packed_options(method: str, phenotype: np.ndarray) -> dict[str, Any]:
    """Parameters by which unknown genotypes stay packed: they are left out of means, by the method or its core."""
    known = {parameter.name for parameter in METHODS[method].parameters} if method in METHODS else set()
    if "core" in known:
        core = usual_method(phenotype)
        return {"core": (core, tuple(packed_options(core, phenotype).items()))}
    return {"missing": IGNORE} if "missing" in known else {}
