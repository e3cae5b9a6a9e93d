"""Recipes: methods of the Relief family that are a neighbourhood and an update of `core/relief`.

`relief_family.py` lists them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from ..data.diff import Diff
from ..data.expected import CLUS, CONDITIONAL, IGNORE
from ..relief.comparison import Comparison
from ..relief.every_k import EveryK
from ..relief.many_targets import SharedPairs
from ..relief.neighbourhoods.base import Neighbourhood, Produces, check_fit
from ..relief.neighbourhoods.k_nearest import KNearest
from ..relief.neighbourhoods.radius import Radius
from ..relief.run import Growth, Run, Scoring, additive_sums
from ..relief.updates.base import Update
from ..relief.updates.residual_products import ResidualProducts
from ..result import Detail, Info
from ..studies.residuals import of_columns, of_weighted_rows
from ..studies.study import Study
from ..targets.label_weights import with_label_weights
from ..targets.residuals import BOTH, PLACE, Residuals
from ..targets.targets import Target
from ..targets.tasks import CLASSIFICATION, REGRESSION, SEVERAL, SURVIVAL, UNSUPERVISED
from ..work.threads import Work
from .base import ROWS, Found, MethodInput, Scored
from .details import OF_LISTS, OF_PAIRS, OF_TARGET_ROWS
from .parameter_table import COMMON, PARAMETERS_OF_SETS, unusual
from .parameters import Parameter
from .row_method import RowMethod, Spread
from .traits import EQUAL_OR_NOT, Traits

STRATEGY = {CLASSIFICATION: CONDITIONAL, UNSUPERVISED: CLUS}  # for missing values; of all other tasks: IGNORE
Part = TypeVar("Part")


class Preset(NamedTuple):
    """Another method of the literature, which a recipe is with some of its parameters.

    Attributes
    ----------
    name : str
        Name of the other method.
    values : tuple of (str, object)
        Names of the parameters that it sets, and their values.
    """

    name: str
    values: tuple[tuple[str, object], ...]

    @property
    def meaning(self) -> str:
        """Its parameters for people, for example "Relief-E: scheme = E"."""
        return f"{self.name}: {', '.join(f'{name} = {value}' for name, value in self.values)}"


def preset(name: str, **values: object) -> Preset:
    """Preset with a name that sets these parameters."""
    return Preset(name, tuple(values.items()))


@dataclass(frozen=True, kw_only=True)
class Recipe(RowMethod[Any]):
    """One member of the family: everything that is not common to all members.

    Parameters
    ----------
    name, title, about, idea, citation, tasks
        As of `Method`.
    neighbourhood : Neighbourhood
        Which pairs of rows count, with default parameters.
    update : Update
        What these pairs mean for the scores, with default parameters.
    parameter_names : tuple of str
        Names of its parameters besides those of all members.
    shared_names : tuple of str
        Names of its parameters of those that all members share.
    missing : str or None
        Strategy for missing values. None: the usual one for the target.
    presets : tuple of Preset
        Other methods that this one is with some parameters.
    adjusts : bool
        Whether it also ranks for residuals, so that scores are adjusted for covariates.
    weighted : bool
        Whether rows may have weights. The neighbourhoods of the other members have no form for these.
    """

    name: str
    title: str
    about: str
    idea: str
    citation: str
    tasks: tuple[str, ...]
    neighbourhood: Neighbourhood
    update: Update
    parameter_names: tuple[str, ...] = ()
    shared_names: tuple[str, ...] = COMMON
    missing: str | None = None
    presets: tuple[Preset, ...] = ()
    adjusts: bool = False
    weighted: bool = False

    family = "relief"

    @property
    def details(self) -> tuple[Detail, ...]:
        return (*OF_TARGET_ROWS, *OF_PAIRS, *OF_LISTS)

    @cached_property
    def traits(self) -> Traits:
        return Traits(
            # Interactions show among near rows only, and they need a target
            interactions=self.neighbourhood.local and self.tasks != (UNSUPERVISED,),
            redundancy=False,
            sparse=True,
            nominal=EQUAL_OR_NOT,
            missing=IGNORE,
            complexity=self._complexity(),
            packed=True,
            narrow=True,
            refines=ROWS,
            shares_pairs=True,
            adjustment="pairs weigh products of residuals" if self.adjusts else "",
            separates_groups=True,
            # Unless the update takes differences of times
            times_as_residuals=SURVIVAL in self.tasks and not self.update.offers(SURVIVAL),
        )

    def _complexity(self) -> str:
        """Distances of all pairs, and the update for the neighbours, who are all rows without a number of them."""
        if "n_neighbors" not in vars(self.neighbourhood):
            return "n^2 p"
        by_class = vars(self.update).get("scheme") == "F"
        return "n^2 p + C k n p" if by_class else "n^2 p + k n p"

    @property
    def weighted_tasks(self) -> tuple[str, ...]:
        """All kinds of target but those that become residuals of several columns, or of times, for some methods."""
        if not self.weighted:
            return ()
        without = (*SEVERAL, SURVIVAL) if self.update.only_residuals else (SURVIVAL,)
        return tuple(task for task in self.tasks if task not in without)

    @cached_property  # widgets ask for those of all methods whenever they show anything
    def parameters(self) -> tuple[Parameter, ...]:
        defaults = {**vars(self.update), **vars(self.neighbourhood), "missing": self.missing}
        table = PARAMETERS_OF_SETS
        own = [_with_default(table[name], defaults) for name in self.parameter_names]
        shared = [_with_default(table[name], defaults) for name in (*self.shared_names, "distance")]
        return (*own, *self._preset_parameter(), *shared)

    def _preset_parameter(self) -> tuple[Parameter, ...]:
        """The parameter that chooses a preset, if there are any."""
        if not self.presets:
            return ()
        names = tuple(other.name for other in self.presets)
        tooltip = ". ".join(other.meaning for other in self.presets)
        return (replace(PARAMETERS_OF_SETS["preset"], choices=names, tooltip=tooltip),)

    def check(self, given: Mapping[str, Any], known: np.ndarray | None = None) -> dict[str, Any]:
        chosen = given.get("preset")
        if isinstance(chosen, str):
            given = {**dict(dict(self.presets).get(chosen, ())), **given}
        parameters = super().check(given, known)
        if parameters.get("power", 1) != 1 and parameters["ramp"]:
            raise ValueError("power = 2 and a ramp exclude each other")
        for task in self.tasks:
            if task != SURVIVAL or not self.traits.times_as_residuals:  # residuals have an update of their own
                check_fit(*self._parts(parameters), task)
        return parameters

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        return [*super().summary(parameters, info), *unusual(parameters, info)]

    def has_every_k(self, parameters: Mapping[str, Any]) -> bool:
        """True if its scores are sums over places of lists, which can be cut anywhere."""
        neighbourhood, update = self._parts(parameters)
        cuts_anywhere = neighbourhood.produces == Produces.ALL_LISTS and update.is_linear_in_shares
        return "n_neighbors" in self.parameter_names and cuts_anywhere

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
        run, neighbourhood = self._start(self._weighed(data), data.target_rows)
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
            return self._found(of_rows, [of_rows.score_found(neighbourhood, near)])

        return grow

    def for_targets(self, data: MethodInput[Any], targets: Iterable[Target]) -> Iterator[Scored]:
        if data.weights is not None:  # whose pairs come in blocks, which targets do not share
            yield from super().for_targets(data, targets)
            return
        spread = Spread.of(self, data)
        data, each = spread.data, data.parameters.get("per_target", False)

        def start(target: Target) -> Run:
            return self._start(replace(data, target=target), data.target_rows)[0]

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
        run, neighbourhood = self._start(self._weighed(data), data.target_rows)
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
        return Found(scores, each, info, quantities=scorings[0].quantities)

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
        """Weigh labels as the parameters say, or replace the target by residuals if the update takes these only."""
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
        strategy = parameters.get("missing") or self.missing or usual
        how = strategy, Diff.of(parameters), parameters["distance"]
        comparison = Comparison(data.table, None, *how, subjects=data.groups, weights=data.weights)
        run = Run.start(comparison, target, update, chosen, data.work, levels)
        return run, neighbourhood if data.weights is None else neighbourhood.weighted()


def _with_default(parameter: Parameter, defaults: Mapping[str, Any]) -> Parameter:
    """A parameter with the default that a recipe gives it, if it does."""
    return replace(parameter, default=defaults.get(parameter.name, parameter.default))


def _with(part: Part, parameters: Mapping[str, Any]) -> Part:
    names = {f.name for f in fields(cast("Any", part))}
    made = replace(cast("Any", part), **{name: value for name, value in parameters.items() if name in names})
    return cast("Part", made)
