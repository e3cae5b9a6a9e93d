"""Recipes: methods of the Relief family, each composed of a neighbourhood and an update of `core/relief`.

`relief_family.py` lists them, and `best_k.py` has a variant.  `Request` calls the methods of a `Recipe` as those of any
`Method`; each of them starts a run by `recipe_run.py` and scores it by `core/relief`:

    scores        one ranking by the chosen target rows (`scoring.score`)
    growing       partial rankings, whose lists of neighbours grow (`GrowingLists`)
    for_targets   many targets, such as permuted ones, by shared pairs (`SharedPairs`)
    sums          sums over some target rows, to which further ones are added (`additive_sums`)
    every_k       scores for every number of neighbours from one search (`EveryK`)
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from ..data.expected import IGNORE
from ..info import Info, InfoEntry
from ..relief.additive_sums import additive_sums
from ..relief.diagnostics import run_result
from ..relief.every_k import EveryK
from ..relief.growing_lists import GrowingLists
from ..relief.many_targets import SharedPairs
from ..relief.neighbourhoods.base import Neighbourhood, Produces, check_fit
from ..relief.neighbourhoods.k_nearest import KNearest
from ..relief.neighbourhoods.radius import Radius
from ..relief.run import Run
from ..relief.scoring import ScoredTarget, Scoring, score, score_found
from ..relief.updates.base import Update
from ..targets.targets import Target
from ..targets.tasks import SEVERAL, SURVIVAL, UNSUPERVISED
from ..work.threads import Work
from .base import ROWS, MethodInput, MethodResult, TargetResult
from .details import OF_LISTS, OF_PAIRS, OF_TARGET_ROWS
from .parameter_table import COMMON, PARAMETERS_OF_SETS, unusual
from .parameters import Parameter
from .preset import Preset
from .recipe_run import Composition, StartedRun, configured, start_run, with_ranked_target
from .row_method import RowMethod, Spread
from .traits import EQUAL_OR_NOT, Traits


@dataclass(frozen=True, kw_only=True)
class Recipe(RowMethod[Any]):
    """One method of the Relief family, by what differs from the other methods of the family.

    Parameters
    ----------
    name, title, about, idea, citation, tasks
        As of `Method`.
    neighbourhood : Neighbourhood
        Rule that selects the pairs of rows that count, with default parameters.
    update : Update
        Contribution of these pairs to the scores, with default parameters.
    parameter_names : tuple of str
        Names of the parameters that only some recipes have.
    shared_names : tuple of str
        Names of its parameters among those that most recipes share.
    missing : str or None
        Strategy for missing values. None: the default strategy of the task.
    presets : tuple of Preset
        Other methods that this one is with some parameters.
    adjusts : bool
        Whether it also ranks for residuals, so that scores are adjusted for covariates.
    weighted : bool
        Whether rows may have weights. Its neighbourhood must have a form for these.
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
    def details(self) -> tuple[InfoEntry, ...]:
        return (*OF_TARGET_ROWS, *OF_PAIRS, *OF_LISTS)

    @cached_property
    def traits(self) -> Traits:
        return Traits(
            # Features interact among near rows, and with regard to a target
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
        """Return the growth of the time: distances of all pairs, and the diffs of all pairs of neighbours."""
        if "n_neighbors" not in vars(self.neighbourhood):
            return "n^2 p"
        by_class = vars(self.update).get("scheme") == "F"
        return "n^2 p + C k n p" if by_class else "n^2 p + k n p"

    @property
    def weighted_tasks(self) -> tuple[str, ...]:
        """All tasks but those whose targets become residuals that have no form for rows with weights."""
        if not self.weighted:
            return ()
        unweighted = (*SEVERAL, SURVIVAL) if self.update.only_residuals else (SURVIVAL,)
        return tuple(task for task in self.tasks if task not in unweighted)

    @cached_property  # widgets ask for those of all methods whenever they show anything
    def parameters(self) -> tuple[Parameter, ...]:
        special = [self._parameter(name) for name in self.parameter_names]
        if self.presets:
            special.append(self._preset_parameter())
        return (*special, *(self._parameter(name) for name in (*self.shared_names, "distance")))

    def _parameter(self, name: str) -> Parameter:
        """Return a parameter with the default of the neighbourhood or update, if it is a field of these."""
        defaults = {**vars(self.update), **vars(self.neighbourhood), "missing": self.missing}
        parameter = PARAMETERS_OF_SETS[name]
        return replace(parameter, default=defaults.get(name, parameter.default))

    def _preset_parameter(self) -> Parameter:
        """Return the parameter that chooses a preset."""
        names = tuple(preset.name for preset in self.presets)
        tooltip = ". ".join(preset.meaning for preset in self.presets)
        return replace(PARAMETERS_OF_SETS["preset"], choices=names, tooltip=tooltip)

    def check(self, options: Mapping[str, Any], known: np.ndarray | None = None) -> dict[str, Any]:
        preset_name = options.get("preset")
        if isinstance(preset_name, str):
            values = dict(self.presets).get(preset_name, ())
            options = {**dict(values), **options}
        parameters = super().check(options, known)
        if parameters.get("power", 1) != 1 and parameters["ramp"]:
            raise ValueError("power = 2 and a ramp exclude each other")
        composition = self._configured(parameters)
        for task in self.tasks:
            if task != SURVIVAL or not self.traits.times_as_residuals:  # residuals have an update of their own
                check_fit(*composition, task)
        return parameters

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        return [*super().summary(parameters, info), *unusual(parameters, info)]

    def scores(self, data: MethodInput[Any]) -> MethodResult:
        run, neighbourhood = self._start(self._with_ranked_target(data), data.target_rows)
        per_target = data.parameters.get("per_target", False)
        return _found(run, score(run, neighbourhood, per_target, data.outputs))

    def growing(self, data: MethodInput[Any], levels: Sequence[int]) -> Callable[[int], MethodResult] | None:
        neighbourhood, update = self._configured(data.parameters, data.target)
        if neighbourhood.produces != Produces.LISTS or update.above_mean or data.weights is not None:
            return None

        # All rows as target rows, in the order in which they become target rows
        data = self._with_ranked_target(data)
        n = data.table.shape[0]
        level_of_row = np.empty(n, np.int64)
        level_of_row[data.order] = np.searchsorted(levels, np.arange(n), side="right")
        run, neighbourhood = self._start(data, np.ones(n, bool), level_of_row)
        if run.means or run.features.missing:  # then the last digits of sums depend on the order of rows
            return None
        growing_lists = GrowingLists(replace(run, m=levels[-1]), cast("KNearest", neighbourhood))

        def grow(m: int) -> MethodResult:
            of_rows, neighbours = growing_lists.extend(m)
            return _found(of_rows, [score_found(of_rows, neighbourhood, neighbours)])

        return grow

    def for_targets(self, data: MethodInput[Any], targets: Iterable[Target]) -> Iterator[TargetResult]:
        if data.weights is not None:  # whose pairs come in blocks, which targets do not share
            yield from super().for_targets(data, targets)
            return
        spread = Spread.of(self, data)
        data = spread.data
        per_target = data.parameters.get("per_target", False)

        def start(target: Target) -> Run:
            return self._start(replace(data, target=target), data.target_rows).run

        def ranked(target: Target) -> Target:
            return self._with_ranked_target(replace(data, target=target)).target

        def score_alone(target: Target) -> MethodResult:
            return _found(*shared.scored(ranked(target), per_target, data.outputs))

        def score_together(targets: list[Target]) -> list[ScoredTarget | None]:
            return shared.together([ranked(target) for target in targets])

        shared = SharedPairs(start, self._configured(data.parameters, data.target).neighbourhood)
        yield from spread.in_turn(targets, score_alone, lambda: shared.shares, score_together)

    def adds_up(self, parameters: Mapping[str, Any], target: Target | None = None) -> bool:
        if target is not None and target.is_residual:
            return False
        neighbourhood, update = self._configured(parameters)
        if update.only_residuals or parameters.get("per_target", False):
            return False
        if isinstance(neighbourhood, Radius):  # whose threshold may depend on all pairs
            return not neighbourhood.over_all_pairs
        return neighbourhood.produces != Produces.TILES

    def sums(self, data: MethodInput[Any]) -> np.ndarray:
        """Return the sums (s, p) over the chosen target rows; sums over further rows may be added."""
        return additive_sums(*self._start(self._with_ranked_target(data), data.target_rows))

    def from_sums(self, sums: np.ndarray, m: int, data: MethodInput[Any]) -> np.ndarray:
        """Return the scores (p,) from the sums (s, p) over all m target rows."""
        if len(sums) == 1:
            return cast("np.ndarray", sums[0] / m)
        update = self._configured(data.parameters).update
        return update.scores(sums[: update.n_channels], sums[update.n_channels :], m)

    def has_every_k(self, parameters: Mapping[str, Any]) -> bool:
        """True if its scores are sums over places of lists, which can be cut anywhere."""
        neighbourhood, update = self._configured(parameters)
        cuts_anywhere = neighbourhood.produces == Produces.LISTS and update.is_linear_in_shares
        return "n_neighbors" in self.parameter_names and cuts_anywhere

    def every_k(self, data: MethodInput[Any], max_k: int) -> EveryK:
        if not self.has_every_k(data.parameters):
            return super().every_k(data, max_k)
        if data.weights is not None:
            raise ValueError(
                "scores for all numbers of neighbours at once take no weights of rows: rank for each number, or "
                "without weights (sample_weight)"
            )
        data = self._with_ranked_target(data)
        is_target_row = self.chosen(data)
        run, neighbourhood = self._start(data, is_target_row)
        if run.means is not None:
            raise ValueError(
                f"{self.title} ignores missing values: its scores are means row by row, not sums over neighbours. "
                "Use rank for each number of neighbours, or choose another parameter missing"
            )

        def run_of_features(mask: np.ndarray) -> Run:
            return self._start(replace(data.columns(mask), work=Work(1)), is_target_row).run

        rows_per_neighbor = neighbourhood.n_neighbors // data.parameters["n_neighbors"]
        return EveryK.of(run, max_k, run_of_features, rows_per_neighbor)

    def _configured(self, parameters: Mapping[str, Any], target: Target | None = None) -> Composition:
        """Return the neighbourhood and the update with their parameters, for a target if it is known already."""
        return configured(Composition(self.neighbourhood, self.update), parameters, target)

    def _with_ranked_target(self, data: MethodInput[Any]) -> MethodInput[Any]:
        """Return the input with label weights, or with residuals if the update compares these only."""
        return with_ranked_target(data, self.update)

    def _start(self, data: MethodInput[Any], is_target_row: np.ndarray, levels: np.ndarray | None = None) -> StartedRun:
        """Start a run for an input with its ranked target."""
        return start_run(Composition(self.neighbourhood, self.update), data, self.missing, is_target_row, levels)


def _found(run: Run, scorings: Sequence[Scoring]) -> MethodResult:
    """Return the result of a run and its scores."""
    scores, per_target, info = run_result(run, scorings)
    return MethodResult(scores, per_target, info, quantities=scorings[0].quantities)
