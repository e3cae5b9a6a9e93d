"""Job of *Rank Genotypes*: ranking of the variants of a file or a table, step by step.

The widget runs `run` in a thread with a `VariantRequest` and the result so far. The steps are reading, filters,
principal components, scores and p-values. A step whose input did not change is not repeated.
"""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from Orange.data import Table

from ..jobs.progress import reporter, tell_loading
from ..problem import CLASSIFICATION, REGRESSION
from .from_table import genotypes_of, phenotype_of
from .result import PHENOTYPE, Kept, P, ScoredVariants, VariantResult

if TYPE_CHECKING:
    from ...genetics import Filters

# Shares of the progress at the end of steps, chosen by eye
READ = 0.3
FILTERED = 0.35
RANKED = 0.5  # if p-values follow
UNADJUSTED = (
    "{} does not adjust its scores for covariates or components. Choose ReliefF, RReliefF, SURF, MultiSURF or Residual "
    "Relief, or tick p-values"
)
NO_PHENOTYPE = "Choose the table that has the phenotype of these people: the file of genotypes has none"
# Methods that take the place of one that does not take the phenotype
BY_CLASSES = "relieff"
BY_NUMBERS = "rrelieff"


class VariantRequest(NamedTuple):
    """Request of the user.

    Attributes
    ----------
    source : str or Table
        Path of a file of genotypes, or a table of them.
    phenotype : str
        Path of a table of people; empty: the phenotype in the source.
    column : str
        Column of that table, or target of the source; empty: the only or first one.
    filters : Filters, optional
        Filters of people and variants. None: the defaults.
    method : str
        Name of the method.
    n_neighbors : int
        Number of neighbours; 0: the default.
    tested : bool
        Whether p-values are computed.
    additive : bool
        Whether genotypes are compared as numbers.
    dosages : bool
        Whether dosages of a file are ranked instead of genotypes.
    n_components : int
        Number of principal components of the people that scores are adjusted for.
    height : str
        Height of points in the plot, one of `HEIGHTS`.
    covariates : tuple of str
        Columns of covariates, in the table of people or the source.
    group : str
        Column of groups of people; empty: none.
    """

    source: str | Table
    phenotype: str = ""
    column: str = ""
    filters: "Filters | None" = None
    method: str = BY_CLASSES
    n_neighbors: int = 0
    tested: bool = False
    additive: bool = False
    dosages: bool = False
    n_components: int = 0
    height: str = P
    covariates: tuple[str, ...] = ()
    group: str = ""


def run(request: VariantRequest, known: VariantResult, state: Any) -> VariantResult:
    """Rank the variants of a source.

    Parameters
    ----------
    request : VariantRequest
        What the user asks for.
    known : VariantResult
        Result so far, whose genotypes, filters and components are reused if they are those of the request.
    state : TaskState
        Task of the widget, which gets the status and partial results: after reading, after filters, and from few rows.

    Returns
    -------
    VariantResult
        The result.

    Raises
    ------
    ValueError, ImportError, OSError
        If a file cannot be read, or the request is not possible.
    """
    tell_loading(state)
    from ...core import METHODS  # imported here, so that Orange starts without kernels

    result = _with_genotypes(request, known.cleared(), reporter(state, 0, READ), state)
    reporter(state, READ, READ)(0)
    result = _with_filters(request, result, state)
    reporter(state, FILTERED, FILTERED)(0)
    method = fitting(request.method, result.filtered.phenotype)
    result = replace(result, instead=method if method != request.method else "")
    adjusts_scores = METHODS[method].traits.adjusts
    if (request.n_components or request.covariates) and not (adjusts_scores or request.tested):
        raise ValueError(UNADJUSTED.format(METHODS[method].title))
    study = _study(request, result.read, result.filtered.data.people)
    result = _with_components(request, result, state)
    return _with_scores(request, result, method, study, state)


def _with_genotypes(
    request: VariantRequest, result: VariantResult, progress: Callable[[float], object], state: Any
) -> VariantResult:
    """Result with the genotypes of the source."""
    from ...genetics import read_genotypes

    key: tuple[object, ...]
    if isinstance(request.source, Table):
        key = (id(request.source), request.additive)
        title = "the data"
    else:
        key = (*_file_key(request.source), request.additive, request.dosages)
        title = os.path.basename(request.source)
    if key == result.read_key and result.read is not None:
        return result
    state.set_status(f"Reading {title}")
    if isinstance(request.source, Table):
        data = genotypes_of(request.source, request.additive)
    else:
        data = read_genotypes(request.source, request.additive, progress, request.dosages)
    result = VariantResult(key, data)
    state.set_partial_result(result)
    return result


def _with_filters(request: VariantRequest, result: VariantResult, state: Any) -> VariantResult:
    """Result with the phenotype, and the people and variants that stay after the filters."""
    from ...genetics import Filters
    from ...genetics.filters import rarer_frequency
    from ...genetics.ranking import prepare
    from .places import Places

    filters = request.filters or Filters()
    key = (result.read_key, request.phenotype and _file_key(request.phenotype), request.column, filters)
    if result.kept is not None and result.kept.key == key:
        return result
    state.set_status("Reading the phenotype and filtering")
    notes: list[str] = []
    is_known, values = _phenotype(request, result.read, notes)
    data, values, left_out = prepare(result.read, is_known, values, filters)
    data.columns(np.arange(1)).codes.codes(0, 1)  # compiles a kernel that views and outputs need at once
    kept = Kept(
        key=key,
        data=data,
        phenotype=values,
        told=(*notes, *left_out),
        before=result.read.shape,
        places=Places.of(data.variants),
        frequency=rarer_frequency(data),
        name=request.column or result.read.phenotype_name or PHENOTYPE,
    )
    result = replace(result, kept=kept)
    state.set_partial_result(result)
    return result


def _phenotype(request: VariantRequest, genotypes: Any, notes: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Known people (n,) and their phenotypes (n,), from the source or a table of people."""
    from ...genetics.phenotype import UNKNOWN, read_phenotype

    if isinstance(request.source, Table) and not request.phenotype:
        return phenotype_of(request.source, request.column)
    if not request.phenotype:
        in_file = genotypes.phenotype
        if in_file is None or {*UNKNOWN, "0"}.issuperset(in_file):
            raise ValueError(NO_PHENOTYPE)
    return read_phenotype(genotypes, request.phenotype or None, request.column or None, notes=notes)


def _with_components(request: VariantRequest, result: VariantResult, state: Any) -> VariantResult:
    """Result with the principal components of the people that are ranked."""
    from ...genetics.ranking import adjusting

    kept = result.filtered
    if request.n_components:
        state.set_status("Principal components of the people")
    key = (kept.key, request.n_components)
    if result.components[0] != key:
        arguments = adjusting(kept.data, request.n_components, progress=reporter(state, FILTERED, FILTERED))
        result = replace(result, components=(key, arguments))
        state.set_partial_result(result)
    return result


def _with_scores(
    request: VariantRequest, result: VariantResult, method: str, study: dict[str, Any], state: Any
) -> VariantResult:
    """Result with scores, and with p-values if the user asks for them; `study` is what `_study` returned."""
    from ...core import METHODS, rank, refine
    from ...core.studies.adjustment import ranks_of
    from ...genetics.chance_level import null_level_of
    from ...genetics.single_variants import single_variant_tests

    kept = result.filtered
    ranked = kept.data.ranked
    study = dict(study)
    adjustment = _with_covariates(result.components[1], study.pop("covariates", None))
    options = options_of(method, kept.phenotype, request.n_neighbors)
    options |= {name: column.to_numpy() for name, column in study.items()}
    adjusts_scores = METHODS[method].traits.adjusts

    # Without p-values; scores are adjusted if the method does it.
    state.set_status(f"Ranking {kept.data.shape[1]:,} variants by {METHODS[method].title}")
    share_of_scores = RANKED if request.tested else 1
    progress = reporter(state, FILTERED, share_of_scores)
    options_of_scores = options | adjustment if adjusts_scores else options
    for ranking in refine(ranked, kept.phenotype, method, progress=progress, **options_of_scores):
        result = replace(result, scored=ScoredVariants.of(ranking, request.height))
        state.set_partial_result(result)
    if adjusts_scores and adjustment:
        state.set_status("Ranks without adjustment")
        progress = reporter(state, share_of_scores, share_of_scores)
        without = rank(ranked, kept.phenotype, method, progress=progress, **options)
        result = replace(result, unadjusted=ranks_of(without.score_order))
    if not request.tested:
        state.set_status("Null level: ranking for shuffled phenotypes")
        return replace(result, null=null_level_of(kept.data, kept.phenotype, method, **options_of_scores))

    state.set_status("p-values: ranking for shuffled phenotypes")
    progress = reporter(state, RANKED, 1)
    ranking = rank(ranked, kept.phenotype, method, significance=True, progress=progress, **options, **adjustment)
    single = single_variant_tests(ranked, kept.phenotype, **adjustment)
    return replace(result, scored=ScoredVariants.of(ranking, request.height), single_variants=single)


def _with_covariates(adjustment: dict[str, Any], covariates: Any) -> dict[str, Any]:
    """Arguments of `rank` by which scores are adjusted for components, and for a DataFrame of covariates or None."""
    if covariates is None:
        return adjustment
    no_components = covariates[[]]
    return adjustment | {"covariates": covariates.join(adjustment.get("covariates", no_components))}


def _study(request: VariantRequest, genotypes: Any, people: np.ndarray) -> dict[str, Any]:
    """Covariates and groups of the people that are ranked, as tables of pandas; without those that there are not."""
    from pandas import DataFrame

    from ...genetics.ranking import study_of
    from ..conversion import values_of

    covariates: Any = list(request.covariates) or None
    group: Any = request.group or None
    if covariates is None and group is None:
        return {}
    table = request.source
    if isinstance(table, Table) and not request.phenotype:
        names = [*request.covariates, *([group] if group else [])]
        columns = DataFrame({name: values_of(table, table.domain[name]) for name in names})
        covariates = None if covariates is None else columns[covariates]
        group = None if group is None else columns[group]
    study = study_of(genotypes, request.phenotype, covariates, group)
    return {name: rows.loc[people] for name, rows in study.items()}


def fitting(method: str, phenotype: np.ndarray) -> str:
    """Return the method if it takes a phenotype, numbers or texts (classes), else one that does."""
    from ...core import METHODS

    task = REGRESSION if phenotype.dtype.kind == "f" else CLASSIFICATION
    if task in METHODS[method].tasks:
        return method
    return BY_NUMBERS if task == REGRESSION else BY_CLASSES


def options_of(method: str, phenotype: np.ndarray, n_neighbors: int) -> dict[str, Any]:
    """Return parameters of a method, or of its core, by which unknown genotypes are left out of means.

    Parameters
    ----------
    method : str
        Name of the method.
    phenotype : (n,) array
        Phenotype, on which the core depends.
    n_neighbors : int
        Number of neighbours, if the method has neighbours; 0: the default.
    """
    from ...core import METHODS
    from ...genetics.ranking import packed_options

    options = packed_options(method, phenotype)
    if not n_neighbors:
        return options
    if "core" in options:
        core, core_parameters = options["core"]
        return {"core": (core, (*core_parameters, ("n_neighbors", n_neighbors)))}
    if any(parameter.name == "n_neighbors" for parameter in METHODS[method].parameters):
        options["n_neighbors"] = n_neighbors
    return options


def _file_key(path: str) -> tuple[object, ...]:
    """Key that changes if a file changes: its path, time and size."""
    if not Path(path).exists():
        return (path,)
    status = Path(path).stat()
    return path, status.st_mtime_ns, status.st_size
