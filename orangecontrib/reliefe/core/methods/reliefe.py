"""ReliefE: Relief whose neighbours are looked up in an embedding of the rows (Skrlj et al. 2022).

Distances are taken in the embedding, differences in the features: the one reading of the paper under which every
feature gets a score (the authors' code scores the coordinates of the embedding).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, cast

import numpy as np

from ..data.arrays import floats
from ..data.diff import Diff
from ..forms.coordinates import COSINE, Coordinates
from ..forms.dense import Distance
from ..forms.lists import Neighbours
from ..forms.missing import IGNORE
from ..neighbourhoods.adaptive import Adaptive
from ..neighbourhoods.base import Neighbourhood
from ..neighbourhoods.k_nearest import KNearest
from ..relief.run import Run
from ..relief.shared_search import SharedSearch
from ..result import Info
from ..targets.labels import COORDINATES, DISTANCES
from ..targets.targets import CLASSIFICATION, MULTILABEL, Target
from ..updates.base import Update
from ..updates.rules import HitMiss, Probability, QuotientPerRow
from ..words import percent, shown
from .base import Found, MethodInput, Scored
from .parameter_table import COMMON, PARAMETERS
from .parameters import Parameter, with_default
from .reliefe_embedding import Prepared, prepare
from .row_method import RowMethod, Spread

ADAPTIVE = "adaptive"
Coordinate = Callable[[np.ndarray], Distance] | None
Watched = tuple[Run, Neighbourhood, Neighbours | None]
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
    idea = "Compares each row with rows that are near it in an embedding of the data whose dimension is estimated"
    citation = "Skrlj et al. 2022, Machine Learning 111:4273-4317"
    tasks = (CLASSIFICATION, MULTILABEL)
    family = "relief"
    complexity = "embedding + n^2 d + C k n p"

    @cached_property  # widgets ask for those of all methods whenever they show anything
    def parameters(self) -> tuple[Parameter, ...]:
        """Its parameters with their defaults."""
        k = replace(with_default(PARAMETERS["n_neighbors"], 15), choices=(ADAPTIVE,))
        return (k, *(PARAMETERS[name] for name in (*OWN[1:], *COMMON)))

    def check(self, given: Mapping[str, Any], known: np.ndarray | None = None) -> dict[str, Any]:
        """All parameters, those given checked; of given coordinates the rows in `known`."""
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
        values["embedding"] = _embedding(values["embedding"], known)
        values["target_distance"] = _target_distance(values["target_distance"], known)
        return values

    def defaults(self, task: str) -> dict[str, Any]:
        """Label sets: the space of the features and more neighbours, which measures best."""
        return {"embedding": None, "n_neighbors": 30} if task == MULTILABEL else {}

    def preparation(self, parameters: Mapping[str, Any]) -> float:
        """Share of the work that the embedding is."""
        embedding = parameters["embedding"]
        embedded = parameters["target_distance"] in tuple(COORDINATES)
        return 0.9 if (isinstance(embedding, str) and embedding == "umap") or embedded else 0.3

    def prepare(self, data: MethodInput[Prepared]) -> Prepared:
        """Representatives, their density and dimension, the embeddings."""
        return prepare(data.table, data.target, data.parameters, data.random_state, data.work)

    def scores(self, data: MethodInput[Prepared]) -> Found:
        """The result of the chosen rows, with that of each label if asked for; means over the embeddings."""
        distances = _distances(cast("Prepared", data.prepared), data.parameters["distance"])
        neighbourhood, start = self._parts(data)

        def watched(distance: Coordinate) -> Watched:
            return start(data.target, distance), neighbourhood, None

        return self._found(data, [partial(watched, distance) for distance in distances])

    def for_targets(self, data: MethodInput[Prepared], targets: Iterable[Target]) -> Iterator[Scored]:
        """The result of the chosen rows for one target after another, from one embedding and one search for
        neighbours; their spread where there is one embedding."""
        data, spread = replace(data, chosen=self.chosen(data)), Spread()
        distances = _distances(cast("Prepared", data.prepared), data.parameters["distance"])
        neighbourhood, start = self._parts(data)
        searches = [SharedSearch(partial(start, distance=distance), neighbourhood) for distance in distances]
        for target in targets:
            asked = replace(data, target=target, watch=spread.watch() if len(searches) == 1 else None)

            def watched(search: SharedSearch, asked: MethodInput[Prepared] = asked) -> Watched:
                run, neighbourhood, near = search.run(self._measured(asked, asked.target))
                return replace(run, watch=asked.watch), neighbourhood, near

            yield spread.scored(self._found(asked, [partial(watched, search) for search in searches]), asked)

    def _parts(self, data: MethodInput[Prepared]) -> tuple[Neighbourhood, Callable[..., Run]]:
        """The neighbourhood, and the start of a run for a target and a distance."""
        values, table, chosen = data.parameters, data.table, cast("np.ndarray", data.chosen)
        neighbourhood, update = _parts(data.target, values)
        strategy, diff, average = values["missing"] or IGNORE, Diff.of(values), values["average"]

        def start(target: Target, distance: Coordinate, by_class: bool = True, first: Run | None = None) -> Run:
            how = strategy, diff, distance, average
            own: dict[str, Any] = {"by_class": by_class, "first": first}
            return Run.start(table, self._measured(data, target), update, chosen, data.work, *how, **own)

        return neighbourhood, start

    @staticmethod
    def _measured(data: MethodInput[Prepared], target: Target) -> Target:
        """A target with the distance of label sets that was asked for."""
        return _measured(target, data.parameters["target_distance"], cast("Prepared", data.prepared).labels)

    @staticmethod
    def _found(data: MethodInput[Prepared], starts: Sequence[Callable[[], Watched]]) -> Found:
        values, prepared = data.parameters, cast("Prepared", data.prepared)
        done: dict[str, Any]
        found, each, done = [], [], {}
        for repeat in data.work.split(len(starts)):
            run, neighbourhood, near = starts[repeat]()
            scores, per_target, diagnostics = run.with_each(neighbourhood, values["per_target"], near)
            found.append(scores)
            each.append(per_target)
            done = done or diagnostics
        per_target = None if each[0] is None else np.mean(cast("list[np.ndarray]", each), axis=0)
        messages = {"warnings": [*prepared.warnings, *_warnings(done)], "information": list(prepared.information)}
        return Found(np.mean(found, axis=0), per_target, cast("Info", {**prepared.info, **done, **messages}))

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


def _embedding(given: object, known: np.ndarray | None) -> object:
    """Coordinates are checked and cut to the rows that are used; names and objects pass."""
    if given is None or isinstance(given, str):
        return given
    if hasattr(given, "fit") and hasattr(given, "transform") and not isinstance(given, type):
        return given
    return _points(given, known, "embedding")


def _target_distance(given: object, known: np.ndarray | None) -> object:
    """A name, or from scripts (name, coordinates of the label sets)."""
    if isinstance(given, str):
        return given
    pair = isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], str)
    if not (pair and cast("tuple[str, object]", given)[0] in COORDINATES):
        raise ValueError(
            f"target_distance must be one of {', '.join(DISTANCES)}, or (name, coordinates), not {shown(given)}"
        )
    return cast("tuple[str, object]", given)[0], _points(cast("tuple[str, object]", given)[1], known, "target_distance")


def _points(given: object, known: np.ndarray | None, name: str) -> np.ndarray:
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


def _measured(target: Target, distance: object, coordinates: np.ndarray | None) -> Target:
    name, points = distance if isinstance(distance, tuple) else (distance, coordinates)
    return target.measured(name, points if name in COORDINATES else None)


def _parts(target: Target, values: dict[str, Any]) -> tuple[Neighbourhood, Update]:
    k = values["n_neighbors"]
    neighbourhood = Adaptive() if k == ADAPTIVE else KNearest(k)
    if target.has_label_sets:
        return neighbourhood, Probability(strict=True) if values["pooled"] else QuotientPerRow()
    return neighbourhood, HitMiss(drop_empty=False)


def _distances(prepared: Prepared, metric: str) -> list[Callable[[np.ndarray], Distance] | None]:
    """From the order of the rows to their distance, for each embedding; None: that of the features."""
    return [
        lambda rows, E=E: Coordinates(E[rows], metric)  # type: ignore[misc]  # a default binds E
        for E in prepared.spaces
    ] or [None]


def _warnings(done: dict[str, Any]) -> list[str]:
    out = []
    if max(done.get("k_share", [0])) > 0.5:
        share = max(done["k_share"])
        out.append(f"the adaptive number of neighbours takes up to {percent(share)} of a class: hardly near")
    if done.get("skipped", 0) > 0.5:
        out.append(
            f"{percent(done['skipped'])} of the rows have neighbours whose labels tell nothing: try more neighbours"
        )
    return out
