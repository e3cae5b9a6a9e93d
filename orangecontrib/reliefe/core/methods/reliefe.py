"""ReliefE: Relief in an embedding of the rows, for classes and label sets.

`registry` has its one instance, which `rank` runs. `prepare` embeds the rows (`reliefe_preparation`), and `scores` sums
over pairs of target rows and neighbours in the embedding, once for each repeat.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from ..data.arrays import floats
from ..data.diff import Diff
from ..data.expected import IGNORE
from ..info import Info, InfoEntry
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
from ..targets.label_distances import COORDINATES, DISTANCES
from ..targets.targets import Target
from ..targets.tasks import CLASSIFICATION, MULTILABEL
from ..words import percent, shown
from .base import ROWS, MethodInput, MethodResult, TargetResult, neighbours_text
from .details import DIMENSION, OF_LISTS, OF_PAIRS, OF_TARGET_ROWS
from .parameter_table import COMMON, PARAMETERS
from .parameters import Parameter
from .reliefe_preparation import PreparedEmbeddings, prepare
from .row_method import RowMethod, Spread
from .traits import EQUAL_OR_NOT, Traits

ADAPTIVE = "adaptive"
PAPER_VALUES = {"embedding": "umap", "distance": COSINE, "n_neighbors": ADAPTIVE, "average": True}  # preset "paper"
DEFAULT_K = 15
# Label sets measured best in the space of the features, with more neighbours (benchmarks/quality_reliefe.py).
LABEL_SET_DEFAULTS = {"embedding": None, "n_neighbors": 30}
PARAMETER_NAMES = (
    "n_neighbors", "embedding", "dimension", "distance", "average", "sparsify", "n_representatives", "n_repeats",
    "target_distance", "pooled", "per_target", "preset",
)  # fmt: skip
# Shares of the work that `prepare` is; chosen by eye
UMAP_SHARE = 0.9
OTHER_SHARE = 0.3
MAX_SHARE = 0.5  # of a class as neighbours, and of skipped rows, above which users are warned; chosen by eye


@dataclass(frozen=True)
class ReliefE(RowMethod[PreparedEmbeddings]):
    """ReliefE: an embedding, a neighbourhood and an update, each chosen by parameters.

    The preset "paper" sets the choices of the paper.
    """

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
        InfoEntry("embedding", str, "kind of the embedding"),
        DIMENSION,
        InfoEntry("dimension_estimate", float | None, "estimate of the dimension of the data"),
        InfoEntry("representatives", int, "number of rows that determine the embedding"),
        InfoEntry("density_before", float | None, "share of non-zeros before sparsification"),
        InfoEntry("density_after", float | None, "share of non-zeros after sparsification"),
    )

    @cached_property  # widgets ask for those of all methods whenever they show anything
    def parameters(self) -> tuple[Parameter, ...]:
        table = {
            **PARAMETERS,
            "n_neighbors": replace(PARAMETERS["n_neighbors"], default=DEFAULT_K, choices=(ADAPTIVE,)),
        }
        return tuple(table[name] for name in (*PARAMETER_NAMES, *COMMON))

    def check(self, options: Mapping[str, Any], known: np.ndarray | None = None) -> dict[str, Any]:
        options = dict(options)
        if isinstance(options.get("sparsify"), bool | np.bool_):
            options["sparsify"] = "yes" if options["sparsify"] else "no"
        preset = options.get("preset")
        if isinstance(preset, str) and preset == "paper":
            options = {**PAPER_VALUES, **options}
        parameters = super().check(options, known)
        if parameters["average"] and parameters["missing"] not in (None, IGNORE):
            raise ValueError(
                'with average neighbours missing values are ignored: leave out missing, or set it to "ignore"'
            )
        embedding = parameters["embedding"]
        is_method = embedding is None or isinstance(embedding, str) or _is_transformer(embedding)
        if not is_method:
            parameters["embedding"] = _points(embedding, known, "embedding")
        distance = parameters["target_distance"]
        if not isinstance(distance, str):
            is_pair = isinstance(distance, tuple) and len(distance) == 2 and isinstance(distance[0], str)
            if not (is_pair and distance[0] in COORDINATES):
                accepted_values = f"one of {', '.join(DISTANCES)}, or (name, coordinates)"
                raise ValueError(f"target_distance must be {accepted_values}, not {shown(distance)}")
            parameters["target_distance"] = distance[0], _points(distance[1], known, "target_distance")
        return parameters

    def defaults(self, task: str) -> dict[str, Any]:
        return dict(LABEL_SET_DEFAULTS) if task == MULTILABEL else {}

    def preparation(self, parameters: Mapping[str, Any]) -> float:
        embedding = parameters["embedding"]
        has_umap = isinstance(embedding, str) and embedding == "umap"
        embeds_labels = parameters["target_distance"] in tuple(COORDINATES)
        return UMAP_SHARE if has_umap or embeds_labels else OTHER_SHARE

    def prepare(self, data: MethodInput[PreparedEmbeddings]) -> PreparedEmbeddings:
        return prepare(data)

    def scores(self, data: MethodInput[PreparedEmbeddings]) -> MethodResult:
        starts, neighbourhood = self._starts(data)
        per_target = data.parameters["per_target"]

        def scored(start: Callable[[Target], Run]) -> tuple[Run, list[Scoring]]:
            run = start(data.target)
            return run, score(run, neighbourhood, per_target, data.outputs)

        return self._mean_result(data, [partial(scored, start) for start in starts])

    def for_targets(self, data: MethodInput[PreparedEmbeddings], targets: Iterable[Target]) -> Iterator[TargetResult]:
        """Scores for several targets of the same rows, from one embedding and one search for neighbours.

        Scores have their spread if there is one embedding.
        """
        spread = Spread.of(self, data)
        data = spread.data
        starts, neighbourhood = self._starts(data)
        searches = [SharedPairs(start, neighbourhood) for start in starts]  # one for each embedding
        per_target = data.parameters["per_target"]

        def score_one(target: Target) -> MethodResult:
            outputs = data.outputs if len(searches) == 1 else ()
            measured = self._with_distance(data, target)
            return self._mean_result(
                data, [partial(search.scored, measured, per_target, outputs) for search in searches]
            )

        def score_many(targets: list[Target]) -> Iterator[ScoredTarget | None]:
            measured = [self._with_distance(data, target) for target in targets]
            of_embeddings = [search.together(measured) for search in searches]
            for scored in zip(*of_embeddings, strict=True):
                yield _mean_of_embeddings(scored)

        def share_pairs() -> bool:
            return all(search.shares for search in searches)

        yield from spread.in_turn(targets, score_one, share_pairs, score_many)

    def _starts(self, data: MethodInput[PreparedEmbeddings]) -> tuple[list[Callable[[Target], Run]], Neighbourhood]:
        """Functions that start a run for a target, one for each embedding, and the neighbourhood."""
        parameters = data.parameters
        k = parameters["n_neighbors"]
        neighbourhood: Neighbourhood = Adaptive() if k == ADAPTIVE else KNearest(k)
        update: Update = HitMiss(drop_empty=False)
        if data.target.has_label_sets:
            update = Probability(strict=True) if parameters["pooled"] else QuotientPerRow()

        def start(target: Target, comparison: Comparison) -> Run:
            return Run.start(comparison, self._with_distance(data, target), update, data.target_rows, data.work)

        # Rows are compared by their coordinates, or by the features themselves.
        distances: Sequence[Any] = [MANHATTAN]
        if data.preparation.spaces:
            distances = [
                lambda rows, space=space: Coordinates(space[rows], parameters["distance"])  # a default binds the space
                for space in data.preparation.spaces
            ]
        missing = parameters["missing"] or IGNORE
        diff = Diff.of(parameters)
        comparisons = [
            Comparison(data.table, None, missing, diff, distance, parameters["average"]) for distance in distances
        ]
        return [partial(start, comparison=comparison) for comparison in comparisons], neighbourhood

    @staticmethod
    def _with_distance(data: MethodInput[PreparedEmbeddings], target: Target) -> Target:
        """Target with the distance of label sets that the parameters say."""
        distance = data.parameters["target_distance"]
        name, points = distance if isinstance(distance, tuple) else (distance, data.preparation.labels)
        return target.measured(name, points if name in COORDINATES else None)

    @staticmethod
    def _mean_result(
        data: MethodInput[PreparedEmbeddings], scored_by_repeat: Sequence[Callable[[], tuple[Run, list[Scoring]]]]
    ) -> MethodResult:
        """Mean of the scores over the repeats; each callable runs one of them."""
        results = []
        for repeat in data.work.split(len(scored_by_repeat)):
            run, scorings = scored_by_repeat[repeat]()
            results.append(run_result(run, scorings))
            quantities = scorings[0].quantities
        scores, per_target, diagnostics = zip(*results, strict=True)
        first: Any = diagnostics[0]
        prepared = data.preparation
        warnings = [*prepared.warnings, *_warnings(first)]
        messages = {"warnings": warnings, "information": [*prepared.information]}
        mean_per_target = None if per_target[0] is None else np.mean(per_target, axis=0)
        info = {**prepared.info, **first, **messages}
        return MethodResult(np.mean(scores, axis=0), mean_per_target, info, quantities=quantities)

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        """Choices in words: "d = 7, k adaptive, median 11, 2,048 of 11,162 rows embedded, density 0.62 -> 0.14"."""
        texts = [f"d = {info['dimension']}"] if info["embedding"] != "none" else ["no embedding"]
        k = parameters["n_neighbors"]
        texts.append(f"k adaptive, median {info['k_median']:.0f}" if k == ADAPTIVE else neighbours_text(k, info))
        if info["embedding"] in ("umap", "pca"):
            texts.append(f"{info['representatives']:,} of {info['rows']:,} rows embedded")
        if info["density_after"] is not None:
            texts.append(f"density {info['density_before']:.2f} \u2192 {info['density_after']:.2f}")
        return texts


def _is_transformer(embedding: object) -> bool:
    """True for an object of scikit-learn that embeds rows, but not for its class."""
    return hasattr(embedding, "fit") and hasattr(embedding, "transform") and not isinstance(embedding, type)


def _points(coordinates: object, is_used: np.ndarray | None, name: str) -> np.ndarray:
    """Check coordinates, and take those of the rows that are used.

    Parameters
    ----------
    coordinates : array-like (rows, d)
        Coordinates of the caller's rows.
    is_used : (rows,) bool array, optional
        Rows that are ranked. None: all.
    name : str
        Name of the parameter, for messages.
    """
    try:
        points = floats(coordinates, name)
    except ValueError:
        raise TypeError(f"{name} must be a name, coordinates (n, d), or have fit and transform") from None
    if points.ndim != 2 or points.shape[1] == 0 or (is_used is not None and len(points) != len(is_used)):
        rows = "" if is_used is None else f" with {len(is_used)} rows"
        raise ValueError(f"{name} must be coordinates (n, d){rows}, not of shape {points.shape}")
    if not np.isfinite(points).all():
        raise ValueError(f"{name} has coordinates that are missing or infinite")
    return points if is_used is None else points[is_used]


def _warnings(diagnostics: Info) -> list[str]:
    """Sentences on neighbourhoods that are too large, or on many rows that add nothing to the scores."""
    warnings = []
    largest_share = max(diagnostics.get("k_share", [0]))
    if largest_share > MAX_SHARE:
        warnings.append(
            f"the adaptive number of neighbours takes up to {percent(largest_share)} of a class: hardly near"
        )
    skipped = diagnostics.get("skipped", 0)
    if skipped > MAX_SHARE:
        warnings.append(
            f"{percent(skipped)} of the rows are skipped, since the labels of their neighbours are all equal "
            "to theirs or all different: try more neighbours"
        )
    return warnings


def _mean_of_embeddings(scored: Sequence[ScoredTarget | None]) -> ScoredTarget | None:
    """Mean of the scores for a target in all embeddings; None if one of them must score it by itself."""
    complete = [of_embedding for of_embedding in scored if of_embedding]
    if len(complete) < len(scored):
        return None
    quantity = complete[0].quantity if len(complete) == 1 else None
    return ScoredTarget(np.mean([of_embedding.scores for of_embedding in complete], axis=0), quantity)
