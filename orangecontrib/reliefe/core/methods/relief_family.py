"""The recipes of the Relief family: distance x neighbourhood x update, one line each."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np

from ..data.diff import Diff
from ..data.expected import CLUS, CONDITIONAL, IGNORE, SEPARATE, UNIFORM
from ..relief.comparison import Comparison
from ..relief.every_k import EveryK, scores_of_every_k
from ..relief.many_targets import SharedPairs
from ..relief.neighbourhoods.base import Neighbourhood, Produces, check_fit
from ..relief.neighbourhoods.far_from_mean import FarFromMean
from ..relief.neighbourhoods.k_nearest import KNearest
from ..relief.neighbourhoods.radius import Radius
from ..relief.neighbourhoods.sigmoid import Sigmoid
from ..relief.neighbourhoods.smooth_radius import SmoothRadius
from ..relief.run import Growth, Run, Scoring, additive_sums
from ..relief.updates.base import Update
from ..relief.updates.hit_miss import AboveMean, HitMiss, SharedFeatures, SignedPairs
from ..relief.updates.residual_products import ResidualProducts
from ..relief.updates.target_change import Covariance, Probability
from ..result import Info
from ..studies.residuals import of_columns, of_weighted_rows
from ..studies.study import Study
from ..targets.multi import with_label_weights
from ..targets.residuals import BOTH, PLACE, Residuals
from ..targets.targets import (
    CLASSIFICATION,
    MULTILABEL,
    MULTITARGET,
    REGRESSION,
    SEVERAL,
    SURVIVAL,
    UNSUPERVISED,
    Target,
)
from ..work.threads import Work
from .base import Found, MethodInput, Scored
from .parameter_table import COMMON, OF_SEVERAL, PARAMETERS_OF_SETS, unusual
from .parameters import Parameter
from .row_method import RowMethod, Spread

ADJUSTED = ("multisurf", "surf", "relieff", "rrelieff", "residualrelief")  # methods that rank for residuals, too
# Methods whose rows may have weights: the neighbourhoods of the others have no form for these.
WEIGHTED = ("reliefa", "relieff", "rrelieff", "surf", "surfstar", "multisurf", "multisurfstar", "residualrelief")
STRATEGY = {CLASSIFICATION: CONDITIONAL, UNSUPERVISED: CLUS}  # for missing values; of all other tasks: IGNORE


Part = TypeVar("Part")
# Names of presets with the parameters that each of them sets.
Presets = tuple[tuple[str, tuple[tuple[str, object], ...]], ...]


@dataclass(frozen=True)
class Recipe(RowMethod[Any]):
    """One member of the family: everything that is not common to all members."""

    name: str  # see `Method`
    title: str
    about: str
    idea: str
    citation: str
    neighbourhood: Neighbourhood  # which pairs count, with default parameters
    update: Update  # what they mean for the scores, with default parameters
    tasks: tuple[str, ...] = (CLASSIFICATION,)  # kinds of target
    own: tuple[str, ...] = ()  # names of its parameters besides those of all methods
    strategy: str | None = None  # for missing values; None: as is usual for the target
    presets: Presets = ()  # names of other methods that this one is with some parameters, and these
    common: tuple[str, ...] = COMMON  # names of its parameters of those that all methods share

    family = "relief"
    unknown = IGNORE
    packed = True
    narrow = True
    parts_groups = True
    shares = True

    @property
    def adjusts(self) -> bool:  # type: ignore[override]  # of others it is a constant
        """True if it ranks for residuals, too."""
        return self.name in ADJUSTED

    @property
    def weighted_tasks(self) -> tuple[str, ...]:  # type: ignore[override]
        """All kinds of target but those that become residuals of several columns, or of times, for some methods."""
        if self.name not in WEIGHTED:
            return ()
        without = (*SEVERAL, SURVIVAL) if self.update.only_residuals else (SURVIVAL,)
        return tuple(task for task in self.tasks if task not in without)

    @property
    def times_as_residuals(self) -> bool:  # type: ignore[override]
        """True unless its update takes differences of times."""
        return SURVIVAL in self.tasks and not self.update.offers(SURVIVAL)

    @property
    def interactions(self) -> bool:  # type: ignore[override]  # of others it is a constant
        """False without a target, or where neighbours are not near."""
        return self.neighbourhood.local and self.tasks != (UNSUPERVISED,)

    @property
    def complexity(self) -> str:  # type: ignore[override]
        """Distances of all pairs, and the update for the neighbours, who are all rows without a number of them."""
        if "n_neighbors" not in vars(self.neighbourhood):
            return "n^2 p"
        several = vars(self.update).get("scheme") == "F"
        return f"n^2 p + {'C ' * several}k n p"

    @cached_property  # widgets ask for those of all methods whenever they show anything
    def parameters(self) -> tuple[Parameter, ...]:
        parts = {**vars(self.update), **vars(self.neighbourhood), "missing": self.strategy}
        table = PARAMETERS_OF_SETS
        wanted = *self.own, *self.common, "distance"
        own = [replace(table[name], default=parts.get(name, table[name].default)) for name in wanted]
        listed = {name: ", ".join(f"{key} = {value}" for key, value in values) for name, values in self.presets}
        names = " ".join(f"{name}: {values}." for name, values in listed.items())
        preset = replace(table["preset"], choices=tuple(name for name, _ in self.presets), tooltip=names[:-1])
        return (*own[: len(self.own)], *([preset] if self.presets else []), *own[len(self.own) :])

    def check(self, given: Mapping[str, Any], known: np.ndarray | None = None) -> dict[str, Any]:
        preset = given.get("preset")
        if isinstance(preset, str):
            given = {**dict(dict(self.presets).get(preset, ())), **given}
        parameters = super().check(given, known)
        if parameters.get("power", 1) != 1 and parameters["ramp"]:
            raise ValueError("power = 2 and a ramp exclude each other")
        for task in self.tasks:
            if task != SURVIVAL or not self.times_as_residuals:  # residuals have an update of their own
                check_fit(*self._parts(parameters), task)
        return parameters

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        return [*super().summary(parameters, info), *unusual(parameters, info)]

    def has_every_k(self, parameters: Mapping[str, Any]) -> bool:
        """True if its scores are sums over places of lists, which can be cut anywhere."""
        neighbourhood, update = self._parts(parameters)
        return "n_neighbors" in self.own and neighbourhood.produces == Produces.ALL_LISTS and update.is_linear_in_shares

    def every_k(self, data: MethodInput[Any], most: int) -> EveryK:
        if not self.has_every_k(data.parameters):
            return super().every_k(data, most)
        if data.weights is not None:
            raise ValueError(
                "scores for all numbers of neighbours at once take no weights of rows: rank for each number, or "
                "without weights (sample_weight)"
            )
        data, chosen = self._weighed(data), self.chosen(data)
        run, neighbourhood = self._start(data, chosen)
        if run.means is not None:
            raise ValueError(
                f"{self.title} ignores missing values: its scores are means row by row, not sums over neighbours. "
                "Use rank for each number of neighbours, or choose another parameter missing"
            )

        def few(features: np.ndarray) -> Run:
            return self._start(replace(data.columns(features), work=Work(1)), chosen)[0]

        width = cast("KNearest", neighbourhood).n_neighbors // data.parameters["n_neighbors"]
        return EveryK.of(run, most, few, width)

    def scores(self, data: MethodInput[Any]) -> Found:
        run, neighbourhood = self._start(self._weighed(data), cast("np.ndarray", data.chosen))
        return self._found(run, run.scored(neighbourhood, data.parameters.get("per_target", False), data.outputs))

    def growing(self, data: MethodInput[Any], levels: Sequence[int]) -> Callable[[int], Found] | None:
        neighbourhood, update = self._parts(data.parameters, data.target)
        if neighbourhood.produces != Produces.ALL_LISTS or update.above_mean or data.weights is not None:
            return None
        data, n = self._weighed(data), data.table.shape[0]
        levels_of_rows = np.empty(n, np.int64)
        levels_of_rows[data.order] = np.searchsorted(levels, np.arange(n), side="right")
        run, neighbourhood = self._start(data, np.ones(n, bool), levels_of_rows)
        if run.means or run.features.missing:  # then the last digits of sums depend on the order of rows
            return None
        growth = Growth(replace(run, m=levels[-1]), cast("KNearest", neighbourhood))

        def grow(m: int) -> Found:
            of_rows, near = growth.extend(m)
            return self._found(of_rows, [of_rows.by_neighbours(neighbourhood, near)])

        return grow

    def for_targets(self, data: MethodInput[Any], targets: Iterable[Target]) -> Iterator[Scored]:
        if data.weights is not None:  # whose pairs come in blocks, which targets do not share
            yield from super().for_targets(data, targets)
            return
        spread = Spread.of(self, data)
        data, each = spread.data, data.parameters.get("per_target", False)

        def start(target: Target) -> Run:
            return self._start(replace(data, target=target), cast("np.ndarray", data.chosen))[0]

        def weighed(target: Target) -> Target:
            return self._weighed(replace(data, target=target)).target

        def alone(target: Target) -> Found:
            return self._found(*shared.scored(weighed(target), each, data.outputs))

        shared = SharedPairs(start, self._parts(data.parameters, data.target)[0])
        together = lambda targets: shared.together(list(map(weighed, targets)))  # noqa: E731
        yield from spread.in_turn(targets, alone, lambda: shared.shares, together)

    def adds_up(self, parameters: Mapping[str, Any], target: Target | None = None) -> bool:
        if target is not None and target.is_residual:
            return False
        neighbourhood, update = self._parts(parameters)
        if update.only_residuals or parameters.get("per_target", False):
            return False
        if isinstance(neighbourhood, Radius):  # whose threshold may depend on all pairs
            return not neighbourhood.whole
        return neighbourhood.produces != Produces.TILES

    def sums(self, data: MethodInput[Any]) -> np.ndarray:
        """Sums (s, p) over the chosen rows; sums over further rows may be added."""
        run, neighbourhood = self._start(self._weighed(data), cast("np.ndarray", data.chosen))
        return additive_sums(run, neighbourhood)

    def from_sums(self, sums: np.ndarray, m: int, data: MethodInput[Any]) -> np.ndarray:
        """Scores (p,) from the sums (s, p) over all m of them."""
        if len(sums) == 1:
            return cast("np.ndarray", sums[0] / m)
        update = self._parts(data.parameters)[1]
        return update.scores(sums[: update.n_channels], sums[update.n_channels :], m)

    @staticmethod
    def _found(run: Run, scorings: Sequence[Scoring]) -> Found:
        scores, each, info = run.result(scorings)
        return Found(scores, each, cast("Info", info), quantities=scorings[0].quantities)

    def _parts(self, parameters: Mapping[str, Any], target: Target | None = None) -> tuple[Neighbourhood, Update]:
        """The neighbourhood and the update with their parameters; residuals have their own, and no classes."""
        neighbourhood = _with(self.neighbourhood, parameters)
        if target is None or not target.is_residual:
            return neighbourhood, _with(self.update, parameters)
        if neighbourhood.produces == Produces.ALL_LISTS:  # of all classes together
            k = neighbourhood.n_neighbors * max(len(target.names), 1)
            neighbourhood = replace(cast("KNearest", neighbourhood), n_neighbors=k)
        return neighbourhood, ResidualProducts.of(cast("Residuals", target))

    def _weighed(self, data: MethodInput[Any]) -> MethodInput[Any]:
        """The same with labels weighed as the parameters say, or with residuals if the update takes these only."""
        target = data.target
        if self.update.only_residuals and not target.is_residual:
            if target.task in (CLASSIFICATION, REGRESSION):
                parts = PLACE if data.table.nominal.all() else BOTH
                if data.weights is not None:
                    residuals = of_weighted_rows(target, data.weights)
                    return replace(data, target=Residuals(target, *residuals, parts))
                return replace(data, target=Study(target, parts=parts, by_residuals=True).ranked())
            return replace(data, target=Residuals(target, of_columns(*target.columns)))
        return replace(data, target=with_label_weights(target, data.parameters)) if target.task in SEVERAL else data

    def _start(
        self, data: MethodInput[Any], chosen: np.ndarray, levels: np.ndarray | None = None
    ) -> tuple[Run, Neighbourhood]:
        """The run, and the neighbourhood with its parameters."""
        parameters, target = data.parameters, data.target
        neighbourhood, update = self._parts(parameters, target)
        # frequencies of values, which differences within classes are expected by, have no form with weights
        usual = IGNORE if target.is_residual or data.weights is not None else STRATEGY.get(target.task, IGNORE)
        strategy = parameters.get("missing") or self.strategy or usual
        how = strategy, Diff.of(parameters), parameters["distance"]
        comparison = Comparison(data.table, None, *how, subjects=data.groups, weights=data.weights)
        run = Run.start(comparison, target, update, chosen, data.work, levels)
        return run, neighbourhood if data.weights is None else neighbourhood.weighted()


def _with(part: Part, parameters: Mapping[str, Any]) -> Part:
    names = {f.name for f in fields(cast("Any", part))}
    made = replace(cast("Any", part), **{name: value for name, value in parameters.items() if name in names})
    return cast("Part", made)


KAZEMI_NIA = "Kazemi-Nia, Bandhey, Freda and Urbanowicz 2026, arXiv:2608.28552"

RECIPES = tuple(
    Recipe(*columns)
    for columns in (
        ("relief", "Relief", "one hit, one miss",
         "Compares each row with the nearest row of its class and the nearest row of another class",
         "Kira and Rendell 1992, Proc. AAAI-92:129-134",
         KNearest(1), HitMiss("E"), (CLASSIFICATION,), ("ties", "power")),
        ("reliefa", "ReliefA", "k hits, k misses",
         "Compares each row with the k nearest rows of its class and the k nearest rows of other classes",
         "Kononenko 1994, Proc. ECML-94:171-182",
         KNearest(10), HitMiss("E"), (CLASSIFICATION,), ("n_neighbors",), None,
         (("Relief-B", (("missing", UNIFORM),)), ("Relief-C", (("missing", IGNORE),)),
          ("Relief-D", (("missing", CONDITIONAL),)))),
        ("relieff", "ReliefF", "k nearest of each class",
         "Compares each row with the k nearest rows of its class and of every other class, weighted by the "
         "frequency of the class",
         "Kononenko 1994, Proc. ECML-94:171-182",
         KNearest(10), HitMiss("F"), (CLASSIFICATION,), ("n_neighbors", "sigma", "scheme"), None,
         (("Relief-E", (("scheme", "E"),)),)),
        ("erelieff", "EReliefF", "for missing values",
         "As ReliefF, but neighbours with more features known in both rows have more weight. A reconstruction, "
         "since the paper was not available",
         "Park and Kwon 2007, Proc. ALPIT 2007:123-128",
         KNearest(10), SharedFeatures("F"), (CLASSIFICATION,), ("n_neighbors",), IGNORE, (), ("n_instances", "ramp")),
        ("relievedf", "Relieved-F", "all of tied rows",
         "As ReliefF, but all rows as near as the k-th share the last places, so the order of rows does not matter",
         "Kohavi and John 1997, Artificial Intelligence 97:273-324",
         KNearest(10, ties="average"), HitMiss("F"), (CLASSIFICATION,), ("n_neighbors",), SEPARATE),
        ("reliefmss", "ReliefMSS", "above the mean difference",
         "As ReliefF, but only the excess of a difference over the mean difference of the other features counts",
         "Chikhi and Benhammada 2009, Int. J. Business Intelligence and Data Mining 4:375-390",
         KNearest(10), AboveMean("F"), (CLASSIFICATION,), ("n_neighbors",)),
        ("rrelieff", "RReliefF", "k nearest, numeric target",
         "Scores how much more a feature differs between neighbours with different target values than between "
         "those with similar ones",
         "Robnik-Sikonja and Kononenko 1997, Proc. ICML-97:296-304",
         KNearest(70, 20.0), Probability(), (REGRESSION, *SEVERAL, SURVIVAL), ("n_neighbors", "sigma", *OF_SEVERAL)),
        ("surf", "SURF", "one radius for all rows",
         "Compares each row with all rows nearer than the mean distance of all pairs",
         "Greene et al. 2009, BioData Mining 2:5",
         Radius(0.0, whole=True), HitMiss(drop_empty=False), (CLASSIFICATION, REGRESSION, SURVIVAL)),
        ("surfstar", "SURF*", "near and far rows",
         "As SURF, but rows farther than the mean distance count with the opposite sign",
         "Greene et al. 2010, Proc. EvoBIO 2010:182-193",
         Radius(0.0, far=True, whole=True), HitMiss(drop_empty=False), (CLASSIFICATION, REGRESSION), ("unit",)),
        ("multisurf", "MultiSURF", "radius of each row",
         "Compares each row with all rows within a radius computed from its own distances. It has nothing to set",
         "Urbanowicz et al. 2018, J. Biomedical Informatics 85:168-188",
         Radius(), HitMiss(drop_empty=False), (CLASSIFICATION, REGRESSION, SURVIVAL)),
        ("multisurfstar", "MultiSURF*", "near and far, each row",
         "As MultiSURF, but rows beyond a second radius count with the opposite sign",
         "Granizo-Mackenzie and Moore 2013, Proc. EvoBIO 2013:1-10",
         Radius(far=True), HitMiss(drop_empty=False), (CLASSIFICATION, REGRESSION), ("unit",)),
        ("swrfstar", "SWRF*", "all rows, by distance",
         "Compares each row with all rows, with an influence from +1 for near rows to -1 for far rows",
         "Stokes and Visweswaran 2012, BioData Mining 5:20",
         Sigmoid(), SignedPairs(), (CLASSIFICATION, REGRESSION), ("scale",)),
        ("swrf", "SWRF", "near rows, by distance",
         "As SURF, but a row has more influence the nearer it is",
         KAZEMI_NIA,
         SmoothRadius(whole=True), HitMiss(drop_empty=False), (CLASSIFICATION, REGRESSION), ("scale",)),
        ("multiswrf", "MultiSWRF", "nearer than the row's mean",
         "As SWRF, but with the mean and the deviation of the distances of each row",
         KAZEMI_NIA,
         SmoothRadius(), HitMiss(drop_empty=False), (CLASSIFICATION, REGRESSION), ("scale",)),
        ("multiswrfstar", "MultiSWRF*", "near and far, by distance",
         "As MultiSWRF, but rows farther than the mean distance count with the opposite sign",
         KAZEMI_NIA,
         SmoothRadius(far=True), HitMiss(drop_empty=False), (CLASSIFICATION, REGRESSION), ("unit", "scale")),
        ("multiswrfdb", "MultiSWRFDB", "radius of each row, by distance",
         "As MultiSURF, but a row has more influence the farther it is inside the radius",
         KAZEMI_NIA,
         SmoothRadius(0.5), HitMiss(drop_empty=False), (CLASSIFICATION, REGRESSION), ("scale",)),
        ("multiswrfdbstar", "MultiSWRFDB*", "both radii, by distance",
         "As MultiSURF*, but a row has more influence the farther it is from the dead band",
         KAZEMI_NIA,
         SmoothRadius(0.5, far=True), HitMiss(drop_empty=False), (CLASSIFICATION, REGRESSION), ("unit", "scale")),
        ("murelief", "mu-Relief", "k rows far from the mean distance",
         "As ReliefF, but the neighbours of a row are the k rows of each class, near or far, that are farthest from "
         "the mean distance",
         "Aggarwal et al. 2023, Applied Intelligence 53:23004-23028",
         FarFromMean(10), HitMiss(drop_empty=False), (CLASSIFICATION, REGRESSION), ("n_neighbors",)),
        ("urelief", "URelief", "no target at all",
         "Scores features that differ where whole rows differ, among near rows",
         "Petkovic, Kocev, Skrlj and Dzeroski 2020, arXiv:2011.11679",
         KNearest(30), Covariance(), (UNSUPERVISED,), ("n_neighbors",)),
    )
)  # fmt: skip


EQUAL = 1e-12  # difference of two scores that is rounding


@dataclass(frozen=True)
class BestK(Recipe):
    """A recipe whose scores are the largest over several numbers of neighbours, feature by feature."""

    complexity = "n^2 p + C k_max n p"
    shares = False

    def check(self, given: Mapping[str, Any], known: np.ndarray | None = None) -> dict[str, Any]:
        parameters = super().check(given, known)
        k_min, k_max = parameters["k_min"], parameters["k_max"]
        if k_max is not None and k_min > k_max:
            raise ValueError(f"k_min must be at most k_max, not {k_min} and {k_max}")
        return parameters

    def scores(self, data: MethodInput[Any]) -> Found:
        """The result of the chosen rows, with the best number of neighbours of each feature, the least of equal
        ones."""
        k_min, asked = data.parameters["k_min"], data.parameters["k_max"]
        smallest = int(np.bincount(cast("np.ndarray", data.target.groups)).min())
        most = max(smallest - 1, 1)
        if k_min > most:
            raise ValueError(
                f"k_min = {k_min} needs classes of more than {k_min} rows; the smallest one has {smallest}"
            )
        k_max = min(asked or most, most)
        run, _ = self._start(data, cast("np.ndarray", data.chosen))
        data.work.plan(run.n_pairs)
        near = run.find(KNearest(k_max), ordered=True)
        best, best_k = np.full(run.p, -np.inf), np.zeros(run.p, np.int64)
        for k, scores in enumerate(scores_of_every_k(run, near), 1):
            if k >= k_min:
                best_k[scores > best + EQUAL] = k
                best = np.maximum(scores, best)
        info: dict[str, Any] = {**run.diagnostics(), "best_k": best_k.tolist(), "k_max": k_max, "information": []}
        if asked is not None and asked > k_max:
            text = f"at most {k_max} neighbours are tried, since the smallest class has {smallest} rows"
            info["information"] = [text]
        return Found(best, None, cast("Info", info))

    def growing(self, data: MethodInput[Any], levels: Sequence[int]) -> None:
        """Nothing is kept: scores of each number of neighbours are computed again."""

    for_targets = RowMethod.for_targets  # the best of many scores is no sum over pairs

    def adds_up(self, parameters: Mapping[str, Any], target: Target | None = None) -> bool:
        return False

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        return [f"k = {parameters['k_min']} to {info['k_max']}"]


RESIDUALRELIEF = Recipe(
    "residualrelief",
    "Residual Relief",
    "main effects, rare classes",
    "As MultiSURF, but pairs weigh products of residuals of the target. It has more power for rare classes and for "
    "features that matter one by one",
    "this project, 2026; products as in Liu, Ghosh and Lin 2008, BMC Bioinformatics 9:292",
    Radius(),
    ResidualProducts(),
    (CLASSIFICATION, REGRESSION, MULTITARGET, MULTILABEL),
)

RELIEFSEQ = BestK(
    "reliefseq",
    "ReliefSeq",
    "best k for each feature",
    "As ReliefF, but each feature has the number of neighbours with its best score: few for interactions, many for "
    "main effects. Use it for rankings only, since the largest of many scores is high by chance",
    "McKinney et al. 2013, PLoS ONE 8:e81527",
    KNearest(10),
    HitMiss("F"),
    (CLASSIFICATION,),
    ("k_min", "k_max"),
)
