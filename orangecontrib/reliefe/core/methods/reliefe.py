"""Preparation of ReliefE: representatives, their density and dimension, embeddings of rows and labels."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..data.arrays import floats
from ..data.diff import Diff
from ..data.expected import IGNORE
from ..embedding import density, embed, intrinsic_dimension, matrix, representatives, sparsify
from ..relief.comparison import Comparison
from ..relief.diagnostics import run_result
from ..relief.formats.coordinates import COSINE, Coordinates
from ..relief.formats.distance import MANHATTAN
from ..relief.many_targets import SharedPairs
from ..relief.neighbourhoods.adaptive import Adaptive
from ..relief.neighbourhoods.base import Neighbourhood
from ..relief.neighbourhoods.k_nearest import KNearest
from ..relief.run import Run
from ..relief.scoring import ScoredTarget, Scoring, score
from ..relief.updates.base import Update
from ..relief.updates.hit_miss import HitMiss
from ..relief.updates.target_change import Probability, QuotientPerRow
from ..result import Detail, Info
from ..targets.label_distances import COORDINATES, DISTANCES
from ..targets.targets import Target
from ..targets.tasks import CLASSIFICATION, MULTILABEL
from ..words import percent, shown
from .base import ROWS, Found, MethodInput, Scored
from .details import DIMENSION, OF_LISTS, OF_PAIRS, OF_TARGET_ROWS
from .parameter_table import COMMON, PARAMETERS
from .parameters import Parameter
from .row_method import RowMethod, Spread
from .traits import EQUAL_OR_NOT, Traits

SPARSIFY_ABOVE = 0.15  # share of non-zeros above which the paper sparsifies
MIN_ROWS, MIN_DENSITY = 100, 0.05  # rows, and share of non-zeros of sparse data, below which users are warned


@dataclass
class Prepared:
    """Embeddings, and facts about them."""

    # (n, d): coordinates of the rows, one for each repeat; empty: the features themselves
    spaces: list[np.ndarray] = field(default_factory=list)
    labels: np.ndarray | None = None  # (n, d): coordinates of the label sets
    info: dict[str, Any] = field(default_factory=dict)  # facts, as plain literals
    warnings: list[str] = field(default_factory=list)  # sentences for users: what is doubtful, and what is harmless
    information: list[str] = field(default_factory=list)


def prepare(data: MethodInput[Prepared]) -> Prepared:
    """Prepare all that does not depend on which rows are targets: coordinates of the rows, and of label sets."""
    target = data.target
    values = data.parameters
    made = Prepared()
    how = values["embedding"]
    distance = values["target_distance"]
    sets = target.sets
    n = data.table.shape[0]
    groups = target.classes if sets is None else sets
    rows = representatives(groups, values["n_representatives"], data.random_state)
    if sets is not None and distance in tuple(COORDINATES):  # as many as the sets that differ have
        seed, Y = data.random_state, target.columns[0]
        found = intrinsic_dimension(np.unique(Y[rows], axis=0), random_state=seed)
        d = max(min(found.dimension, Y.shape[1], len(rows) - 2), 1)
        metric = "hyperboloid" if distance == "hyperbolic" else "euclidean"
        embedded = embed(Y, rows, d, "umap", output_metric=metric, random_state=seed, progress=data.work.report)
        made.labels = embedded.coordinates
    made.info |= {
        "embedding": "none",
        "dimension": None,
        "dimension_estimate": None,
        "representatives": len(rows),
        "density_before": None,
        "density_after": None,
    }
    if n < MIN_ROWS:
        made.warnings.append(f"only {n} rows: with so few, rankings vary from sample to sample")
    if isinstance(how, np.ndarray):
        made.info |= {"embedding": "coordinates", "dimension": how.shape[1]}
        made.spaces.append(how)
    elif how is not None:
        _embed(data, groups, rows, made)
    return made


def _embed(data: MethodInput[Prepared], groups: np.ndarray, rows: np.ndarray, made: Prepared) -> None:
    """Add embeddings of all rows, which `rows` determine, and facts about them."""
    values = data.parameters
    work = data.work
    random_state = data.random_state
    info = made.info
    warnings = made.warnings
    M, how = matrix(data.table, work=work), values["embedding"]
    if len(np.unique(groups)) > len(rows):
        warnings.append(f"there are more classes or label sets than the {len(rows):,} rows that are embedded")
    sample = M if len(rows) == M.shape[0] else M[rows]
    info["density_before"] = density(sample)
    if sparse.issparse(M) and info["density_before"] < MIN_DENSITY:
        warnings.append("on sparse data, for example texts, an embedding hides much. Compare with other methods")
    d = _dimension(data, sample, made)
    if d is None:
        return
    fitted = None
    if values["sparsify"] == "yes" or (values["sparsify"] == "auto" and info["density_before"] > SPARSIFY_ABOVE):
        # dense as M, which it stands for
        thin = work.aside(partial(sparsify, sample, random_state=random_state, dense=not sparse.issparse(M)))
        info["density_after"], fitted = thin.after, thin.X
        del thin
    del sample
    info |= {"embedding": how if isinstance(how, str) else type(how).__name__, "dimension": d}
    repeats = values["n_repeats"] if how != "pca" else 1
    for repeat in range(repeats):

        def share(part: float, repeat: int = repeat) -> None:
            work.report((repeat + part) / repeats)

        found = embed(M, rows, d, how, fit_matrix=fitted, random_state=random_state + repeat, progress=share)
        made.spaces.append(found.coordinates)
        warnings.extend(note for note in found.notes if note not in warnings)


def _dimension(data: MethodInput[Prepared], sample: np.ndarray | sparse.csr_array, made: Prepared) -> int | None:
    """Dimension of the embedding, or None if it would not reduce the number of features."""
    wanted, p = data.parameters["dimension"], data.table.shape[1]
    if wanted != "auto":
        d = min(wanted, sample.shape[1] - 1, sample.shape[0] - 2)
        if d < wanted:
            made.information.append(f"the data allow {max(d, 0)} dimensions, not {wanted}")
        return d if d >= 1 else None
    report: Callable[[float], None] = lambda share: data.work.report(0.1 * share)  # noqa: E731
    found = intrinsic_dimension(sample, random_state=data.random_state, progress=report)
    made.info["dimension_estimate"] = float(found.estimate)
    if found.note:
        made.warnings.append(found.note)
    d = min(found.dimension, sample.shape[0] - 2)
    if d >= p or p <= 3 or d < 1:
        made.info["dimension"] = int(found.dimension)
        made.information.append(
            f"the dimension, {found.dimension}, is not below the number of features, {p}: nothing is embedded"
        )
        return None
    if d == 1:
        made.warnings.append("the dimension is 1: rows are near duplicates of each other, or lie on a line")
    return cast("int", min(d, sample.shape[1] - 1))


ADAPTIVE = "adaptive"
PAPER = {"embedding": "umap", "distance": COSINE, "n_neighbors": ADAPTIVE, "average": True}
OWN = (
    "n_neighbors", "embedding", "dimension", "distance", "average", "sparsify", "n_representatives", "n_repeats",
    "target_distance", "pooled", "per_target", "preset",
)  # fmt: skip


@dataclass(frozen=True)
class ReliefE(RowMethod[Prepared]):
    """The method: embedding x neighbourhood x update, with the paper's choices as parameters."""

    name = "reliefe"
    title = "ReliefE"
    about = "embedded rows"
    idea = "Compares each row with its neighbours in an embedding of the data, whose dimension is estimated"
    citation = "Skrlj et al. 2022, Machine Learning 111:4273-4317"
    tasks = (CLASSIFICATION, MULTILABEL)
    family = "relief"
    traits = Traits(
        interactions=True,
        redundancy=False,
        sparse=True,
        nominal=EQUAL_OR_NOT,
        missing=IGNORE,
        complexity="embedding + n^2 d + C k n p",
        refines=ROWS,
        shares_pairs=True,
    )
    details = (
        *OF_TARGET_ROWS,
        *OF_PAIRS,
        *OF_LISTS,
        Detail("embedding", str, "kind of the embedding"),
        DIMENSION,
        Detail("dimension_estimate", float | None, "estimate of the dimension of the data"),
        Detail("representatives", int, "number of rows that determine the embedding"),
        Detail("density_before", float | None, "share of non-zeros before sparsification"),
        Detail("density_after", float | None, "share of non-zeros after sparsification"),
    )

    @cached_property  # widgets ask for those of all methods whenever they show anything
    def parameters(self) -> tuple[Parameter, ...]:
        k = replace(PARAMETERS["n_neighbors"], default=15, choices=(ADAPTIVE,))
        return (k, *(PARAMETERS[name] for name in (*OWN[1:], *COMMON)))

    def check(self, given: Mapping[str, Any], known: np.ndarray | None = None) -> dict[str, Any]:
        given = dict(given)
        if isinstance(given.get("sparsify"), bool | np.bool_):
            given["sparsify"] = "yes" if given["sparsify"] else "no"
        preset = given.get("preset")
        if isinstance(preset, str) and preset == "paper":
            given = {**PAPER, **given}
        values = super().check(given, known)
        if values["average"] and values["missing"] not in (None, IGNORE):
            raise ValueError(
                'with average neighbours missing values are ignored: leave out missing, or set it to "ignore"'
            )
        how, distance = values["embedding"], values["target_distance"]
        fits = hasattr(how, "fit") and hasattr(how, "transform") and not isinstance(how, type)
        if not (how is None or isinstance(how, str) or fits):
            values["embedding"] = _points(how, known, "embedding")
        if not isinstance(distance, str):
            pair = isinstance(distance, tuple) and len(distance) == 2 and isinstance(distance[0], str)
            if not (pair and distance[0] in COORDINATES):
                possible = f"one of {', '.join(DISTANCES)}, or (name, coordinates)"
                raise ValueError(f"target_distance must be {possible}, not {shown(distance)}")
            values["target_distance"] = distance[0], _points(distance[1], known, "target_distance")
        return values

    def defaults(self, task: str) -> dict[str, Any]:
        """Label sets: the space of the features and more neighbours, which measures best."""
        return {"embedding": None, "n_neighbors": 30} if task == MULTILABEL else {}

    def preparation(self, parameters: Mapping[str, Any]) -> float:
        embedding = parameters["embedding"]
        embedded = parameters["target_distance"] in tuple(COORDINATES)
        return 0.9 if (isinstance(embedding, str) and embedding == "umap") or embedded else 0.3

    def prepare(self, data: MethodInput[Prepared]) -> Prepared:
        return prepare(data)

    def scores(self, data: MethodInput[Prepared]) -> Found:
        starts, neighbourhood = self._starts(data)
        each = data.parameters["per_target"]

        def scored(start: Callable[[Target], Run]) -> tuple[Run, list[Scoring]]:
            run = start(data.target)
            return run, score(run, neighbourhood, each, data.outputs)

        return self._found(data, [partial(scored, start) for start in starts])

    def for_targets(self, data: MethodInput[Prepared], targets: Iterable[Target]) -> Iterator[Scored]:
        """The result of the chosen rows for one target after another, from one embedding and one search for
        neighbours; their spread where there is one embedding."""
        spread = Spread.of(self, data)
        data = spread.data
        starts, neighbourhood = self._starts(data)
        searches, each = [SharedPairs(start, neighbourhood) for start in starts], data.parameters["per_target"]

        def alone(target: Target) -> Found:
            outputs = data.outputs if len(searches) == 1 else ()
            own = [partial(search.scored, self._measured(data, target), each, outputs) for search in searches]
            return self._found(data, own)

        def together(targets: list[Target]) -> Iterator[ScoredTarget | None]:
            measured = [self._measured(data, target) for target in targets]
            of_embeddings = [search.together(measured) for search in searches]
            for scored in zip(*of_embeddings, strict=True):
                yield _mean_of_embeddings(scored)

        yield from spread.in_turn(targets, alone, lambda: all(search.shares for search in searches), together)

    def _starts(self, data: MethodInput[Prepared]) -> tuple[list[Callable[[Target], Run]], Neighbourhood]:
        """The start of a run for a target, in each embedding, and the neighbourhood."""
        values = data.parameters
        prepared = data.preparation
        chosen = data.target_rows
        k = values["n_neighbors"]
        neighbourhood: Neighbourhood = Adaptive() if k == ADAPTIVE else KNearest(k)
        update: Update = HitMiss(drop_empty=False)
        if data.target.has_label_sets:
            update = Probability(strict=True) if values["pooled"] else QuotientPerRow()

        def start(target: Target, comparison: Comparison) -> Run:
            return Run.start(comparison, self._measured(data, target), update, chosen, data.work)

        distances: Sequence[Any] = [
            lambda rows, E=E: Coordinates(E[rows], values["distance"])  # a default binds E
            for E in prepared.spaces
        ] or [MANHATTAN]
        how = values["missing"] or IGNORE, Diff.of(values)
        forms = [Comparison(data.table, None, *how, distance, values["average"]) for distance in distances]
        return [partial(start, comparison=comparison) for comparison in forms], neighbourhood

    @staticmethod
    def _measured(data: MethodInput[Prepared], target: Target) -> Target:
        """A target with the distance of label sets that was asked for."""
        given, labels = data.parameters["target_distance"], data.preparation.labels
        name, points = given if isinstance(given, tuple) else (given, labels)
        return target.measured(name, points if name in COORDINATES else None)

    @staticmethod
    def _found(data: MethodInput[Prepared], each: Sequence[Callable[[], tuple[Run, list[Scoring]]]]) -> Found:
        """Result from what makes a run and its scores, for each embedding."""
        prepared, found = data.preparation, []
        for repeat in data.work.split(len(each)):
            run, scorings = each[repeat]()
            found.append(run_result(run, scorings))
            quantities = scorings[0].quantities
        scores, per_target, diagnostics = zip(*found, strict=True)
        done: Any = diagnostics[0]
        warnings = [*prepared.warnings]
        most = max(done.get("k_share", [0]))
        skipped = done.get("skipped", 0)
        if most > 0.5:
            warnings.append(f"the adaptive number of neighbours takes up to {percent(most)} of a class: hardly near")
        if skipped > 0.5:
            warnings.append(
                f"{percent(skipped)} of the rows are skipped, since the labels of their neighbours are all equal "
                "to theirs or all different: try more neighbours"
            )
        messages = {"warnings": warnings, "information": [*prepared.information]}
        info = {**prepared.info, **done, **messages}
        mean = None if per_target[0] is None else np.mean(per_target, axis=0)
        return Found(np.mean(scores, axis=0), mean, info, quantities=quantities)

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        """Choices in words: "d = 7, k adaptive, median 11, 2,048 of 11,162 rows embedded, density 0.62 -> 0.14"."""
        out = [f"d = {info['dimension']}"] if info["embedding"] != "none" else ["no embedding"]
        k = parameters["n_neighbors"]
        out.append(f"k adaptive, median {info['k_median']:.0f}" if k == ADAPTIVE else f"k = {k}")
        if info["embedding"] in ("umap", "pca"):
            out.append(f"{info['representatives']:,} of {info['rows']:,} rows embedded")
        if info["density_after"] is not None:
            out.append(f"density {info['density_before']:.2f} \u2192 {info['density_after']:.2f}")
        return out


def _points(given: object, known: np.ndarray | None, name: str) -> np.ndarray:
    """Coordinates that are checked, and cut to the rows that are used."""
    try:
        points = floats(given, name)
    except ValueError:
        raise TypeError(f"{name} must be a name, coordinates (n, d), or have fit and transform") from None
    if points.ndim != 2 or points.shape[1] == 0 or (known is not None and len(points) != len(known)):
        rows = "" if known is None else f" with {len(known)} rows"
        raise ValueError(f"{name} must be coordinates (n, d){rows}, not of shape {points.shape}")
    if not np.isfinite(points).all():
        raise ValueError(f"{name} has coordinates that are missing or infinite")
    return points if known is None else points[known]


def _mean_of_embeddings(scored: Sequence[ScoredTarget | None]) -> ScoredTarget | None:
    """Return the mean of the scores for a target in all embeddings; None where one of them must score it alone."""
    complete = [of_embedding for of_embedding in scored if of_embedding]
    if len(complete) < len(scored):
        return None
    quantity = complete[0].quantity if len(complete) == 1 else None
    return ScoredTarget(np.mean([of_embedding.scores for of_embedding in complete], axis=0), quantity)
