"""Computation of Rank Genotypes, in a thread, from files to rankings and tables of them.  Knows nothing of widgets."""

import os
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table
from Orange.data.util import get_unique_names, get_unique_names_duplicates

from ...orange.problem import CLASSIFICATION, REGRESSION
from ...orange.ranking import FACT, FEATURE, numeric
from ..ranker.outputs import reduced_table
from ..utils.jobs import tell_loading
from ..utils.task import reporter
from .source import CHROMOSOME, CODES, COUNTED, OTHER, POSITION, genotypes_of, people_of, phenotype_of

READ, FILTERED, RANKED = 0.3, 0.35, 0.5  # shares of the work that end there; the last one if p-values follow
SMALLEST = 1e-300  # p that is drawn
P, Q, SCORE = HEIGHTS = ("p", "q", "score")  # of points
LEVEL = 0.1  # false discovery rate of the line
UNADJUSTED = (
    "{} does not adjust its scores for covariates or components. Choose ReliefF, RReliefF, SURF, MultiSURF or Residual "
    "Relief, or tick p-values"
)
PHENOTYPE = "phenotype"
NO_PHENOTYPE = "Choose the table that has the phenotype of these people: the file of genotypes has none"
BY_CLASSES, BY_NUMBERS = "relieff", "rrelieff"  # where the chosen method does not take the phenotype


class Request(NamedTuple):
    """Request of the user; source: path or table; phenotype: path of a table, "" = that of the source; column: of that
    table, or a target; filters: a `genetics.Filters`, or None for the usual ones; n_neighbors: 0 = as many as usual;
    additive: whether genotypes are compared as numbers; n_components: of the people, that are adjusted for; height: of
    points, one of HEIGHTS; covariates, group: names of columns of the table with the phenotype, or of the source."""

    source: object
    phenotype: str = ""
    column: str = ""
    filters: object = None
    method: str = BY_CLASSES
    n_neighbors: int = 0
    tested: bool = False
    additive: bool = False
    n_components: int = 0
    height: str = P
    covariates: tuple[str, ...] = ()
    group: str = ""


@dataclass(frozen=True, eq=False)
class Kept:
    """People and variants that stay: genotypes, phenotype (n,), numbers and reasons of those that went, places, and
    the name of the phenotype."""

    key: tuple
    data: object
    phenotype: np.ndarray
    told: tuple[str, ...]
    before: tuple[int, int]
    places: object
    frequency: np.ndarray
    name: str = PHENOTYPE

    @property
    def left_out(self) -> tuple[int, int]:
        return self.before[0] - self.data.shape[0], self.before[1] - self.data.shape[1]


@dataclass(frozen=True, eq=False)
class Scored:
    """A ranking, with what views need of it: order (p,), best first, rank (p,) from 1; height: of points, if there are
    p-values."""

    ranking: object
    order: np.ndarray
    rank: np.ndarray
    height: str

    @classmethod
    def of(cls, ranking, height: str = P) -> "Scored":
        order = ranking.ranking
        rank = np.empty(len(order), int)
        rank[order] = np.arange(1, len(order) + 1)
        return cls(ranking, order, rank, SCORE if ranking.significance is None else height)

    @cached_property
    def heights(self) -> np.ndarray:
        """Heights (p,) of the points."""
        if self.height == SCORE:
            return self.ranking.scores
        return -np.log10(np.maximum(getattr(self.ranking.significance, self.height), SMALLEST))

    @property
    def label(self) -> str:
        return "Score" if self.height == SCORE else f"\u2212log10 {self.height}"

    @property
    def level(self) -> float | None:
        """Height of the last variant within the false discovery rate of the line; None: there is none."""
        if self.height == SCORE or not (known := self.ranking.significance.q <= LEVEL).any():
            return None
        return float(-np.log10(LEVEL) if self.height == Q else self.heights[known].min())


@dataclass(frozen=True, eq=False)
class Found:
    """Results so far; replaced, never changed, so that it may cross threads.

    read: genotypes of the source, read_key: of which; instead: name of the method that took the place of the chosen
    one; components: of which genotypes and how many, and the arguments that adjust for them; single_variants: p-values
    (p,) of tests of single variants, if there are p-values.
    """

    read_key: tuple = ()
    read: object = None
    kept: Kept | None = None
    scored: Scored | None = None
    instead: str = ""
    components: tuple[tuple, dict] = (), {}
    single_variants: np.ndarray | None = None

    def cleared(self) -> "Found":
        return replace(self, scored=None, instead="", single_variants=None)


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


def save_best(found: Found, path: str, n: int) -> None:
    """Write the n best variants, or a plot of all, by the ending of a path; raises what `GenotypeRanking.save` does."""
    from ...genetics import GenotypeRanking

    kept = found.kept
    facts = kept.frequency, kept.told, found.single_variants
    ranking = GenotypeRanking(found.scored.ranking, kept.data, kept.phenotype, *facts)
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
    from ...orange.conversion import values_of

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
    from .manhattanview import Places

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


MOST_SCORES = 100_000  # rows of a table of scores: the best variants
PERSON = "person"


def names_of(variants, chosen: np.ndarray) -> list[str]:
    """Names of the chosen variants, all different: by place where they have none."""
    names, chromosome, position = (
        each[chosen].tolist() for each in (variants.name, variants.chromosome, variants.position)
    )
    places = zip(names, chromosome, position, strict=True)
    return get_unique_names_duplicates([f"{c}:{p}" if name in (".", "") else name for name, c, p in places])


def best_table(found: Found, n: int, table: Table | None) -> Table | None:
    """The n best variants, the best first, of the people that were ranked; of a table its own features.

    Else features are nominal, 0, 1, 2, with chromosome, position and alleles as attributes; the phenotype is the
    target, and names of people are a meta.
    """
    if found.scored is None:
        return None
    chosen, data = found.scored.order[:n], found.kept.data
    if table is not None:
        rows = {name: row for row, name in enumerate(people_of(table).tolist())}
        some = table[[rows[name] for name in data.people.tolist()]]
        features = {feature.name: feature for feature in table.domain.attributes}
        return reduced_table(some, [features[name] for name in data.variants.name[chosen].tolist()])
    v, some = data.variants, data.columns(chosen)
    features = []
    for name, f in zip(names_of(v, chosen), chosen.tolist(), strict=True):
        feature = DiscreteVariable(name, CODES)
        facts = {CHROMOSOME: str(v.chromosome[f]), POSITION: str(v.position[f])}
        facts |= {COUNTED: str(v.counted[f]), OTHER: str(v.other[f])}
        feature.attributes = {key: fact for key, fact in facts.items() if fact not in ("", "0")}
        features.append(feature)
    taken = [feature.name for feature in features]
    name, y = get_unique_names(taken, found.kept.name), found.kept.phenotype
    target = ContinuousVariable(name)
    if y.dtype.kind != "f":
        classes, y = np.unique(y, return_inverse=True)
        target = DiscreteVariable(name, tuple(classes.tolist()))
    person = StringVariable(get_unique_names([*taken, target.name], PERSON))
    codes = some.codes.codes(0, len(chosen))
    X = np.where(codes < 0, np.nan, codes)
    people = data.people.astype(object)[:, None]
    best = Table.from_numpy(Domain(features, target, [person]), X, y, people)
    best.name = "Best variants"
    return best


def scores_of(found: Found, most: int = MOST_SCORES) -> Table | None:
    """A row for each of the best variants, the best first: its score, facts about it, and z, p and q."""
    from ...core import METHODS

    if found.scored is None:
        return None
    ranking, v = found.scored.ranking, found.kept.data.variants
    best = found.scored.order[:most]
    facts = [ContinuousVariable("Position", number_of_decimals=0), ContinuousVariable("Frequency")]
    for variable in facts:
        variable.attributes[FACT] = "yes"
    tests = ranking.significance.columns if ranking.significance else {}
    texts = [StringVariable(title) for title in (FEATURE, "Chromosome", "Counted allele", "Other allele")]
    score = ContinuousVariable(METHODS[ranking.method].title)
    domain = Domain([score], metas=[*texts, *facts, *map(numeric, tests)])
    columns = [names_of(v, best), v.chromosome[best], v.counted[best], v.other[best], v.position[best]]
    columns += [found.kept.frequency[best], *(test[best] for test in tests.values())]
    metas = np.empty((len(best), len(columns)), object)
    for place, column in enumerate(columns):
        metas[:, place] = column
    table = Table.from_numpy(domain, ranking.scores[best][:, None], metas=metas)
    table.name = "Variant scores"
    return table
