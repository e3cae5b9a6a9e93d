"""Ranking of the variants of a file or a table: reading, filters, components, scores, p-values."""

import os
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from Orange.data import Table

from ..jobs.loading import tell_loading
from ..jobs.progress import reporter
from ..problem import CLASSIFICATION, REGRESSION
from .from_table import genotypes_of, phenotype_of
from .result import PHENOTYPE, Found, Kept, P, Scored

READ, FILTERED, RANKED = 0.3, 0.35, 0.5  # shares of the work that end there; the last one if p-values follow
UNADJUSTED = (
    "{} does not adjust its scores for covariates or components. Choose ReliefF, RReliefF, SURF, MultiSURF or Residual "
    "Relief, or tick p-values"
)
NO_PHENOTYPE = "Choose the table that has the phenotype of these people: the file of genotypes has none"
BY_CLASSES, BY_NUMBERS = "relieff", "rrelieff"  # where the chosen method does not take the phenotype


class Request(NamedTuple):
    """Request of the user."""

    source: object  # path of a file, or a table
    phenotype: str = ""  # path of a table with the phenotype; empty: the source has it
    column: str = ""  # of the phenotype: a column of that table, or a target of the source
    filters: object = None  # a `genetics.Filters`; None: the default
    method: str = BY_CLASSES  # of ranking
    n_neighbors: int = 0  # 0: the default of the method
    tested: bool = False  # True: with p-values
    additive: bool = False  # True: genotypes are compared as numbers, not as categories
    n_components: int = 0  # principal components of the people that are adjusted for
    height: str = P  # of the points of the plot: one of HEIGHTS
    covariates: tuple[str, ...] = ()  # columns of the table with the phenotype, or of the source
    group: str = ""  # column of the same, whose equal values are a group


def run(request: Request, known: Found, state) -> Found:
    """Rank the variants of a source; partial results when it is read, when it is filtered, and from few rows.

    What `known` has of the same source and filters is not done again.  ValueError, ImportError or OSError for what is
    refused.
    """
    tell_loading(state)
    # Here, and not above: no kernel is to be loaded when Orange starts.
    from ...core import METHODS, rank, refine
    from ...genetics.ranking import adjusting
    from ...genetics.single_variants import single_variant_tests

    found = _read(request, known.cleared(), reporter(state, 0, READ), state)
    reporter(state, READ, READ)(0)
    found = _filtered(request, found, state)
    reporter(state, FILTERED, FILTERED)(0)
    kept = found.kept
    method = fitting(request.method, kept.phenotype)
    options = options_of(method, kept.phenotype, request.n_neighbors)
    found = replace(found, instead=method if method != request.method else "")
    by_scores = METHODS[method].traits.adjusts
    if (request.n_components or request.covariates) and not (by_scores or request.tested):
        raise ValueError(UNADJUSTED.format(METHODS[method].title))
    if request.n_components:
        state.set_status("Principal components of the people")
    key, study = (kept.key, request.n_components), _study(request, found.read, kept.data.people)
    if found.components[0] != key:
        made = adjusting(kept.data, request.n_components, progress=reporter(state, FILTERED, FILTERED))
        found = replace(found, components=(key, made))
        state.set_partial_result(found)
    covariates, beside = found.components[1], study.pop("covariates", None)
    if beside is not None:
        covariates = covariates | {"covariates": beside.join(covariates.get("covariates", beside[[]]))}
    options |= {name: part.to_numpy() for name, part in study.items()}
    first = options | covariates if by_scores else options
    state.set_status(f"Ranking {kept.data.shape[1]:,} variants by {METHODS[method].title}")
    end = RANKED if request.tested else 1
    for ranking in refine(kept.data.codes, kept.phenotype, method, progress=reporter(state, FILTERED, end), **first):
        found = replace(found, scored=Scored.of(ranking, request.height))
        state.set_partial_result(found)
    if request.tested:
        state.set_status("p-values: ranking for shuffled phenotypes")
        options |= {"significance": True, "progress": reporter(state, RANKED, 1)}
        ranking = rank(kept.data.codes, kept.phenotype, method, **options, **covariates)
        single = single_variant_tests(kept.data.codes, kept.phenotype, **covariates)
        found = replace(found, scored=Scored.of(ranking, request.height), single_variants=single)
    return found


def fitting(method: str, phenotype: np.ndarray) -> str:
    """The method if it takes a phenotype (classes are texts), else one that does."""
    from ...core import METHODS

    task = REGRESSION if phenotype.dtype.kind == "f" else CLASSIFICATION
    if task in METHODS[method].tasks:
        return method
    return BY_NUMBERS if task == REGRESSION else BY_CLASSES


def options_of(method: str, phenotype: np.ndarray, n_neighbors: int) -> dict[str, object]:
    """Parameters of a method, or of its core: unknown genotypes do not count; n_neighbors: 0 = as many as usual."""
    from ...core import METHODS
    from ...genetics.ranking import packed_options

    options = packed_options(method, phenotype)
    if n_neighbors and "core" in options:
        core, inner = options["core"]
        return {"core": (core, (*inner, ("n_neighbors", n_neighbors)))}
    known = {parameter.name for parameter in METHODS[method].parameters}
    return options | ({"n_neighbors": n_neighbors} if n_neighbors and "n_neighbors" in known else {})


def _read(request: Request, found: Found, progress, state) -> Found:
    from ...genetics import read_genotypes

    if isinstance(request.source, Table):
        key, title = (id(request.source), request.additive), "the data"
    else:
        key, title = (*_stamp(request.source), request.additive), os.path.basename(request.source)
    if key == found.read_key and found.read is not None:
        return found
    state.set_status(f"Reading {title}")
    if isinstance(request.source, Table):
        data = genotypes_of(request.source, request.additive)
    else:
        data = read_genotypes(request.source, request.additive, progress)
    found = Found(key, data)
    state.set_partial_result(found)
    return found


def _study(request: Request, read, people: np.ndarray) -> dict:
    """Covariates and groups of the people that are ranked, as tables of pandas, where there are any."""
    from pandas import DataFrame

    from ...genetics.ranking import study_of
    from ..conversion import values_of

    table, covariates, group = request.source, list(request.covariates), request.group
    if not covariates and not group:
        return {}
    if isinstance(table, Table) and not request.phenotype:
        columns = DataFrame({name: values_of(table, table.domain[name]) for name in filter(None, [*covariates, group])})
        covariates, group = columns[covariates] if covariates else None, columns[group] if group else None
    study = study_of(
        read, request.phenotype, covariates if request.covariates else None, group if request.group else None
    )
    return {name: part.loc[people] for name, part in study.items()}


def _filtered(request: Request, found: Found, state) -> Found:
    from ...genetics import Filters
    from ...genetics.filters import frequency
    from ...genetics.phenotype import UNKNOWN, read_phenotype
    from ...genetics.ranking import prepare
    from .places import Places

    filters = request.filters or Filters()
    key = (found.read_key, request.phenotype and _stamp(request.phenotype), request.column, filters)
    if found.kept is not None and found.kept.key == key:
        return found
    state.set_status("Reading the phenotype and filtering")
    name, notes = request.column or PHENOTYPE, []
    if isinstance(request.source, Table) and not request.phenotype:
        known, values = phenotype_of(request.source, request.column)
    elif not request.phenotype and (found.read.phenotype is None or {*UNKNOWN, "0"}.issuperset(found.read.phenotype)):
        raise ValueError(NO_PHENOTYPE)
    else:
        known, values = read_phenotype(found.read, request.phenotype or None, request.column or None, notes=notes)
    data, values, told = prepare(found.read, known, values, filters)
    told = (*notes, *told)
    places = Places.of(data.variants)
    data.columns(np.arange(1)).codes.codes(0, 1)  # compiles here what views and outputs need at once
    kept = Kept(key, data, values, told, found.read.shape, places, frequency(data.codes.counts()), name)
    found = replace(found, kept=kept)
    state.set_partial_result(found)
    return found


def _stamp(path: str) -> tuple:
    """Mark of a file that changes with its content."""
    if not Path(path).exists():
        return (path,)
    facts = Path(path).stat()
    return path, facts.st_mtime_ns, facts.st_size
