"""Ranking of genotypes, from a file to a `GenotypeRanking` (variant_ranking.py).

Scripts and the command (`command.genotypes`) call `rank_genotypes`. *Rank Genotypes* calls its steps, `study_of`,
`prepare` and `adjusting`, so that it can repeat the later ones alone.
"""

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..command.endings import file_and_column
from ..core import METHODS, NullLevel, Ranking, components, find_method, rank, rank_resumably
from ..core.checks import whole
from ..core.data.expected import IGNORE
from ..core.growing.resuming import check_resumable
from ..core.methods.grouped import check_takes_groups
from ..core.methods.studied_rows import STUDY_ARGUMENTS
from ..core.targets.tasks import CLASSIFICATION, REGRESSION, SURVIVAL
from ..core.words import counted
from .chance_level import null_level_of
from .filters import Filters, rarer_frequency
from .genotypes import Genotypes
from .people_join import only_value_title
from .phenotype import read_column, read_phenotype
from .phenotype_names import task_of_phenotype, titles_of_classes
from .reading import read_genotypes
from .single_variants import single_variant_tests
from .variant_groups import lost_groups, read_groups
from .variant_ranking import GenotypeRanking

READING_SHARE = 0.3  # of the work; chosen by eye
AUTO = "auto"
USUAL_METHODS = {CLASSIFICATION: "relieff", REGRESSION: "rrelieff", SURVIVAL: "multisurf"}  # by the task of a phenotype
OF_STUDY = ("task", "random_state", "keep", "sample_weight", *STUDY_ARGUMENTS)  # for reasons
TESTS = ("significance", "conditional")  # options of `core.rank` that a null level does not take
EVERYTHING = Filters(missing=1.0, missing_people=1.0, maf=0.0)  # leave out nothing that was ranked before


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
    dosages: bool = False,
    n_components: int = 0,
    covariates: object = None,
    groups: object = None,
    feature_groups: object = None,
    progress: Callable[[float], object] | None = None,
    resume: str | Path | None = None,
    with_null_level: bool = False,
    **options: Any,
) -> GenotypeRanking:
    """Rank variants by how informative they are of a phenotype, alone or together.

    Parameters
    ----------
    source : str, Path or Genotypes
        A file, see `read_genotypes`, or its result.
    phenotype : path, mapping, array-like or None
        See `read_phenotype`; None: that of the .fam, .psam or .sample beside the genotypes.
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
    dosages : bool
        Whether dosages of a file are ranked instead of genotypes, see `read_genotypes`.
    n_components : int
        Number of principal components of the ranked people and variants that scores are adjusted for, from 0.
    covariates : str, list of str, or as of `core.rank`, optional
        Columns of the table of phenotypes, or FILE:COLUMN of other tables, or values for the people of the source.
    groups : str, or as of `core.rank`, optional
        The same for groups of people, for example families.
    feature_groups : mapping of str to sequence, or (p,) sequence of str, optional
        Variants that are ranked as one, for example those of a gene: their names for each group, or the name of the
        group of each variant of the source (None or "": it is alone). The difference of two people in a group is the
        mean of their differences in its variants that pass the filters, see `core.rank`. Genotypes stay packed; where
        unknown ones are not ignored, and for dosages, they are numbers of 8 bytes.
    progress : callable, optional
        Called with the share done, in [0, 1]; raises `core.Interrupted` to stop.
    resume : str or Path, optional
        File that keeps finished parts of the ranking; see `core.rank_resumably`.
    with_null_level : bool
        Whether to rank for 19 permuted phenotypes, too, which says how far scores are chance. Only without p-values and
        `resume`, and where it takes some seconds (people squared times variants up to 2e10).
    **options
        As of `core.rank`, parameters of the method among them.
    """
    has_study = bool(n_components or covariates is not None or groups is not None)
    _check_method(method, feature_groups is not None)
    if resume is not None:
        _check_resumable(method, options, has_study, feature_groups is not None)
    n_components = whole("n_components", n_components, 0)

    # Read genotypes, phenotype, covariates and groups.
    data = _genotypes(source, additive, dosages, feature_groups, progress)
    notes: list[str] = []
    is_known, values = read_phenotype(data, phenotype, column, task, notes, event_value)
    study = study_of(data, phenotype, covariates, groups, notes)
    groups_of_source = data.groups

    # Leave out people and variants.
    filters = filters or Filters()
    data, values, left_out = prepare(data, is_known, values, filters)

    # Options of the method, covariates and groups of the people that are left.
    method = usual_method(values) if method == AUTO else method
    of_task = {} if task is None else {"task": task}
    study = {name: table.loc[data.people] for name, table in study.items()}
    adjusted = adjusting(data, n_components, options.get("random_state", 0), covariates=study.pop("covariates", None))
    options = {**packed_options(method, values), **options, **of_task, **adjusted}
    options |= {name: table.to_numpy() for name, table in study.items()}
    is_tested = bool(options.get("significance") or options.get("conditional"))
    if filters.score_test and is_tested:
        raise ValueError("p-values after a filter by the phenotype are too small: leave out the score test, or them")
    data, reasons = _filtered_by_test(data, values, filters, adjusted)
    left_out = (*dict.fromkeys(notes), *left_out, *reasons, *lost_groups(groups_of_source, data.groups))

    # Rank.
    options |= _options_of_groups(data)
    has_null_level = with_null_level and not (is_tested or resume)
    null = _null_level(data, values, method, options) if has_null_level else None
    options["progress"] = None if progress is None else _after_reading(progress)
    ranks = rank if resume is None else partial(rank_resumably, file=resume)
    ranking = _with_names(ranks(data.ranked, values, method, **options), data)
    is_tested = ranking.significance is not None
    single = single_variant_tests(data.ranked, values, **adjusted, **of_task) if is_tested else None
    ranking = ranking.with_target(_names_of_phenotype(phenotype, column, data), titles_of_classes(values))
    return _with_genotypes(ranking, data, values, options, left_out=left_out, single_variants=single, null=null)


def _with_genotypes(
    ranking: Ranking, data: Genotypes, phenotype: np.ndarray, options: dict[str, Any], **content: Any
) -> GenotypeRanking:
    """Add genotypes to a ranking, and those of its options that say how people were compared."""
    study = {name: value for name, value in options.items() if name in OF_STUDY}
    frequency = rarer_frequency(data)
    return GenotypeRanking.of(ranking, data=data, phenotype=phenotype, frequency=frequency, study=study, **content)


def _null_level(data: Genotypes, values: np.ndarray, method: str, options: dict[str, Any]) -> NullLevel | None:
    """Null level by the options of a ranking without p-values."""
    without_tests = {name: value for name, value in options.items() if name not in TESTS}
    return null_level_of(data, values, method, **without_tests)


def _names_of_phenotype(phenotype: object, column: str | tuple[str, str] | None, data: Genotypes) -> list[str]:
    """Names of the phenotype, or of the time and the event; none if it has no name."""
    if column is not None:
        columns = [column] if isinstance(column, str) else [*column]
        return [file_and_column(name)[1] or os.path.basename(name) for name in columns]
    if isinstance(phenotype, str | os.PathLike):
        return [only_value_title(Path(phenotype), data)]
    return [data.phenotype_name] if phenotype is None and data.phenotype_name else []


def _with_names(ranking: Ranking, data: Genotypes) -> Ranking:
    """Return a ranking with the names of the variants, unless it has those of their groups."""
    return ranking if ranking.names else replace(ranking, names=tuple(data.variants.name.tolist()))


def rank_again(ranking: GenotypeRanking, phenotype: object, **options: Any) -> GenotypeRanking:
    """Rank the people and variants of a ranking in another way, for example without covariates.

    Parameters
    ----------
    ranking : GenotypeRanking
        The ranking.
    phenotype : object
        As of `rank_genotypes`.
    **options
        As of `rank_genotypes`, but for the method, filters and groups of variants, which stay.
    """
    return rank_genotypes(ranking.data, phenotype, ranking.method, filters=EVERYTHING, **options)


def _genotypes(
    source: str | Path | Genotypes,
    additive: bool,
    dosages: bool,
    feature_groups: object,
    progress: Callable[[float], object] | None,
) -> Genotypes:
    """Genotypes of a file, or those that the caller has read, with groups of variants if there are any."""
    data = source
    if not isinstance(data, Genotypes):
        report = progress or bool
        data = read_genotypes(data, additive, lambda share: report(READING_SHARE * share), dosages=dosages)
    return data if feature_groups is None else replace(data, groups=read_groups(feature_groups, data))


def _options_of_groups(data: Genotypes) -> dict[str, Any]:
    """Arguments of `rank` for groups of variants; empty without any."""
    if data.groups is None:
        return {}
    return {"feature_groups": data.groups, "names": data.variants.name.tolist()}


def _filtered_by_test(
    data: Genotypes, values: np.ndarray, filters: Filters, adjusted: dict[str, Any]
) -> tuple[Genotypes, list[str]]:
    """Leave out variants by the score test; the second value says how many."""
    is_kept, reasons = filters.by_test(data, values, **adjusted)
    return (data if is_kept.all() else data.columns(is_kept)), reasons


def _check_method(method: str, has_groups: bool) -> None:
    """Raise ValueError for an unknown method, and for one that cannot rank the groups that there are."""
    named_method = find_method(method, AUTO)
    if has_groups and named_method is not None:
        check_takes_groups(named_method)


def _check_resumable(method: str, options: dict[str, Any], has_study: bool, has_groups: bool) -> None:
    """Raise ValueError for a request that cannot be resumed from a file; take the tests out of its options."""
    has_p_values = bool(options.pop("significance", False) or options.pop("conditional", False))
    if method != AUTO:  # all methods that "auto" chooses can be resumed
        check_resumable(method)
    if has_p_values:
        raise ValueError("p-values cannot go on from a file: rank without them, or without resume")
    if has_study:
        raise ValueError("adjusted rankings cannot go on from a file: rank without covariates, or without resume")
    if has_groups:
        raise ValueError("groups of variants cannot go on from a file: rank without feature_groups, or without resume")


def _after_reading(progress: Callable[[float], object]) -> Callable[[float], object]:
    """Callback for the progress of `rank`, whose work follows the reading."""
    return lambda share: progress(READING_SHARE + (1 - READING_SHARE) * share)


def prepare(
    data: Genotypes, known: np.ndarray, values: np.ndarray, filters: Filters
) -> tuple[Genotypes, np.ndarray, tuple[str, ...]]:
    """Leave out people without a phenotype, and people and variants by filters.

    Parameters
    ----------
    data : Genotypes
        Genotypes of n people.
    known : (n,) bool array
        People whose phenotype is known.
    values : (n,) array
        Phenotypes.
    filters : Filters
        Limits.

    Returns
    -------
    data : Genotypes
        Genotypes of the m people and the variants that are left.
    values : (m,) array
        Phenotypes of these people.
    left_out : tuple of str
        Notes of the file, and sentences on how many were left out and why.

    Raises
    ------
    ValueError
        If no people or no variants are left.
    """
    left_out = [*data.notes]
    if not known.all():
        left_out.append(f"{counted(int((~known).sum()), 'person', 'people')} left out: without a phenotype")
        data = data.take(known)
        values = values[known]
    keep, reasons = filters.people(data)
    left_out += reasons
    if not keep.all():
        data = data.take(keep)
        values = values[keep]
    if not len(values):
        raise ValueError(f"nobody is left: {'; '.join(left_out)}")
    keep, reasons = filters.variants(data, _largest_class(values))
    left_out += reasons
    if not keep.all():
        data = data.columns(keep)
    return data, values, tuple(left_out)


def adjusting(
    data: Genotypes,
    n_components: int,
    random_state: int = 0,
    progress: Callable[[float], object] | None = None,
    covariates: Any = None,
) -> dict[str, Any]:
    """Compute principal components of people, which scores are adjusted for.

    Parameters
    ----------
    data : Genotypes
        Genotypes of n people.
    n_components : int
        Number of components, from 0.
    random_state : int
        Seed of the components.
    progress : callable, optional
        Called with the share done, in [0, 1].
    covariates : DataFrame, optional
        Other covariates, with the names of the people as index.

    Returns
    -------
    dict
        Arguments of `core.rank`: "covariates", and "linear_covariates" if there are components.

    Raises
    ------
    ValueError
        If there are no fewer components than people.
    """
    from pandas import DataFrame  # which takes time

    if not n_components:
        return {} if covariates is None else {"covariates": covariates}
    n = data.shape[0]
    if n_components >= n:
        raise ValueError(f"{n:,} people have no {counted(n_components, 'component')}: ask for at most {n - 1:,}")
    coordinates = components(data.codes, n_components, random_state=random_state, progress=progress)[0]
    names = [f"component {k + 1}" for k in range(n_components)]
    columns = DataFrame(coordinates, data.people, names)
    if covariates is not None:
        columns = covariates.join(columns)
    return {"covariates": columns, "linear_covariates": names}


def study_of(
    data: Genotypes, phenotype: object, covariates: object, groups: object, notes: list[str] | None = None
) -> dict[str, Any]:
    """Read covariates and groups of the people.

    Parameters
    ----------
    data : Genotypes
        Genotypes of n people.
    phenotype : path or other
        Table of phenotypes, whose columns names refer to.
    covariates, groups : str, list of str, array-like or None
        Names of columns, or values for the n people; as of `rank_genotypes`.
    notes : list of str, optional
        Sentences on how tables were read are added to it.

    Returns
    -------
    dict
        "covariates", a DataFrame, and "groups", a Series, with the names of the people as index. Those that are None
        are left out.

    Raises
    ------
    ValueError
        If a column cannot be read, or values are not those of n people.
    """
    from pandas import DataFrame, Series

    tables: dict[str, Any] = {}
    names = [covariates] if isinstance(covariates, str) else covariates
    if isinstance(names, list | tuple) and names and all(isinstance(name, str) for name in names):
        columns = {name: read_column(data, phenotype, name, "covariate", notes) for name in names}
        tables["covariates"] = DataFrame(columns)
    elif covariates is not None:
        frame = DataFrame(covariates)
        if not hasattr(covariates, "columns"):
            frame = frame.set_axis([f"number {k + 1}" for k in frame.columns], axis=1)
        tables["covariates"] = frame
    if groups is not None:
        if isinstance(groups, str):
            groups = read_column(data, phenotype, groups, "group", notes)
        tables["groups"] = Series(np.asarray(groups))
    n = len(data.people)
    for name, table in tables.items():
        if len(table) != n:
            raise ValueError(f"{name} must have one value for each of {n:,} people, not {len(table):,}")
    return {name: table.set_axis(data.people) for name, table in tables.items()}


def _largest_class(values: np.ndarray) -> np.ndarray:
    """Rows of the most frequent class; all rows for numbers and times."""
    if task_of_phenotype(values) != CLASSIFICATION:
        return np.arange(len(values))
    names, counts = np.unique(values, return_counts=True)
    return np.flatnonzero(values == names[counts.argmax()])


def usual_method(phenotype: np.ndarray) -> str:
    """Name of the method for a phenotype: numbers, times, or classes."""
    return USUAL_METHODS[task_of_phenotype(phenotype)]


def packed_options(method: str, phenotype: np.ndarray) -> dict[str, Any]:
    """Return parameters by which unknown genotypes are left out of means, so that codes stay packed.

    They are those of the method, or of the core of a method that has one.
    """
    names = {parameter.name for parameter in METHODS[method].parameters} if method in METHODS else set()
    if "core" in names:
        core = usual_method(phenotype)
        return {"core": (core, tuple(packed_options(core, phenotype).items()))}
    return {"missing": IGNORE} if "missing" in names else {}
