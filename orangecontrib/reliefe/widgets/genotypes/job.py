"""Computation of Rank Genotypes, in a thread: reading, filtering, ranking, p-values.  Knows nothing of widgets."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from Orange.data import Table

from ..utils.jobs import tell_loading
from ..utils.problem import CLASSIFICATION, REGRESSION
from ..utils.task import reporter

READ, FILTERED, RANKED = 0.3, 0.35, 0.5  # shares of the work that end there; the last one if p-values follow
SMALLEST = 1e-300  # q that is drawn
BY_CLASSES, BY_NUMBERS = "relieff", "rrelieff"  # where the chosen method does not take the phenotype


class Request(NamedTuple):
    """Request of the user; source: path or table; phenotype: path of a table, "" = that of the source; column: of that
    table, or a target; filters: a `genetics.Filters`, or None for the usual ones; n_neighbors: 0 = as many as usual;
    additive: whether genotypes are compared as numbers."""

    source: object
    phenotype: str = ""
    column: str = ""
    filters: object = None
    method: str = BY_CLASSES
    n_neighbors: int = 0
    tested: bool = False
    additive: bool = False


@dataclass(frozen=True, eq=False)
class Kept:
    """People and variants that stay: genotypes, phenotype (n,), numbers and reasons of those that went, places."""

    key: tuple
    data: object
    phenotype: np.ndarray
    told: tuple[str, ...]
    before: tuple[int, int]
    places: object
    frequency: np.ndarray

    @property
    def left_out(self) -> tuple[int, int]:
        return self.before[0] - self.data.shape[0], self.before[1] - self.data.shape[1]


@dataclass(frozen=True, eq=False)
class Scored:
    """A ranking, with what views need of it: order (p,), best first, rank (p,) from 1, heights (p,) in the plot."""

    ranking: object
    order: np.ndarray
    rank: np.ndarray
    heights: np.ndarray
    label: str

    @classmethod
    def of(cls, ranking) -> "Scored":
        order, test = ranking.ranking, ranking.significance
        rank = np.empty(len(order), int)
        rank[order] = np.arange(1, len(order) + 1)
        heights = ranking.scores if test is None else -np.log10(np.maximum(test.q, SMALLEST))
        return cls(ranking, order, rank, heights, "Score" if test is None else "\u2212log10 q")


@dataclass(frozen=True, eq=False)
class Found:
    """Results so far; replaced, never changed, so that it may cross threads.

    read: genotypes of the source, read_key: of which; instead: name of the method that took the place of the chosen
    one.
    """

    read_key: tuple = ()
    read: object = None
    kept: Kept | None = None
    scored: Scored | None = None
    instead: str = ""

    def cleared(self) -> "Found":
        return replace(self, scored=None, instead="")


def run(request: Request, known: Found, state) -> Found:
    """Rank the variants of a source; partial results when it is read, when it is filtered, and from few rows.

    What `known` has of the same source and filters is not done again.  ValueError, ImportError or OSError for what is
    refused.
    """
    tell_loading(state)
    # Here, and not above: no kernel is to be loaded when Orange starts.
    from ...core import METHODS, rank, refine

    found = _read(request, known.cleared(), reporter(state, 0, READ), state)
    reporter(state, READ, READ)(0)
    found = _filtered(request, found, state)
    reporter(state, FILTERED, FILTERED)(0)
    kept = found.kept
    method = fitting(request.method, kept.phenotype)
    options = options_of(method, kept.phenotype, request.n_neighbors)
    found = replace(found, instead=method if method != request.method else "")
    state.set_status(f"Ranking {kept.data.shape[1]:,} variants by {METHODS[method].title}")
    end = RANKED if request.tested else 1
    for ranking in refine(kept.data.codes, kept.phenotype, method, progress=reporter(state, FILTERED, end), **options):
        found = replace(found, scored=Scored.of(ranking))
        state.set_partial_result(found)
    if request.tested:
        state.set_status("p-values: ranking for shuffled phenotypes")
        ranking = rank(
            kept.data.codes, kept.phenotype, method, significance=True, progress=reporter(state, RANKED, 1), **options
        )  # fmt: skip
        found = replace(found, scored=Scored.of(ranking))
    return found


def save_best(found: Found, path: str, n: int) -> None:
    """Write the n best variants, or a plot of all, by the ending of a path; raises what `GenotypeRanking.save` does."""
    from ...genetics import GenotypeRanking

    kept = found.kept
    ranking = GenotypeRanking(found.scored.ranking, kept.data, kept.phenotype, kept.frequency, kept.told)
    ranking.save(path, n)


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
    from .source import genotypes_of

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


def _filtered(request: Request, found: Found, state) -> Found:
    from ...genetics import Filters
    from ...genetics.filters import frequency
    from ...genetics.phenotype import read_phenotype
    from ...genetics.ranking import prepare
    from .places import Places
    from .source import phenotype_of

    filters = request.filters or Filters()
    key = (found.read_key, request.phenotype and _stamp(request.phenotype), request.column, filters)
    if found.kept is not None and found.kept.key == key:
        return found
    state.set_status("Reading the phenotype, and leaving out what is not ranked")
    if isinstance(request.source, Table) and not request.phenotype:
        known, values = phenotype_of(request.source, request.column)
    else:
        known, values = read_phenotype(found.read, request.phenotype or None, request.column or None)
    data, values, told = prepare(found.read, known, values, filters)
    places = Places.of(data.variants)
    data.columns(np.arange(1)).codes.codes(0, 1)  # compiles here what views and outputs need at once
    kept = Kept(key, data, values, told, found.read.shape, places, frequency(data.codes.counts()))
    found = replace(found, kept=kept)
    state.set_partial_result(found)
    return found


def _stamp(path: str) -> tuple:
    """Mark of a file that changes with its content."""
    if not Path(path).exists():
        return (path,)
    facts = Path(path).stat()
    return path, facts.st_mtime_ns, facts.st_size
