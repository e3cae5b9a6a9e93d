"""The recipes of the Relief family: distance x neighbourhood x update, one line each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar, cast

import numpy as np

from ..data.diff import Diff
from ..data.label_weights import with_label_weights
from ..data.missing import CLUS, CONDITIONAL, IGNORE
from ..data.targets import CLASSIFICATION, REGRESSION, SEVERAL, UNSUPERVISED
from ..relief.composition import check_fit
from ..relief.neighbourhood import Neighbourhood
from ..relief.neighbours import KNearest
from ..relief.run import Run
from ..relief.sigmoid import Sigmoid
from ..relief.thresholds import Radius
from ..relief.update import Update
from ..relief.updates import Covariance, HitMiss, Probability
from ..result import Info
from .base import Found, MethodInput, RowMethod
from .parameter_table import COMMON, OF_SEVERAL, PARAMETERS_OF_SETS
from .parameters import Parameter, with_default

STRATEGY = {CLASSIFICATION: CONDITIONAL, UNSUPERVISED: CLUS}  # for missing values; of all other tasks: IGNORE


Part = TypeVar("Part")


@dataclass(frozen=True)
class Recipe(RowMethod[Any]):
    """One member of the family: everything that tells it from the others.

    Parameters
    ----------
    name, title, about, idea, citation : str
        See `Method`.
    neighbourhood : Neighbourhood
        Which pairs count, with default parameters.
    update : Update
        What they mean for the scores, with default parameters.
    tasks : tuple of str
        Kinds of target.
    own : tuple of str
        Names of its parameters besides those of all methods; fields of the parts that have such a name follow them.
    """

    name: str
    title: str
    about: str
    idea: str
    citation: str
    neighbourhood: Neighbourhood
    update: Update
    tasks: tuple[str, ...] = (CLASSIFICATION,)
    own: tuple[str, ...] = ()  # names of its parameters besides those of all methods

    family = "relief"

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its parameters with their defaults."""
        parts = {**vars(self.update), **vars(self.neighbourhood)}
        table = PARAMETERS_OF_SETS
        own = [with_default(table[name], parts.get(name, table[name].default)) for name in self.own]
        return (*own, *(table[name] for name in COMMON))

    def check(self, given: Mapping[str, Any], known: np.ndarray | None = None) -> dict[str, Any]:
        """All parameters, those given checked, and the parts, which they may change.

        Raises
        ------
        ValueError, TypeError
            For what is unknown, or not possible; for a neighbourhood and an update that do not fit, with both names.
        """
        parameters = super().check(given, known)
        if parameters.get("power", 1) != 1 and parameters["ramp"]:
            raise ValueError("power = 2 and a ramp exclude each other")
        for task in self.tasks:
            check_fit(*self._parts(parameters), task)
        return parameters

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        """The number of neighbours, if there is one."""
        return [f"k = {parameters['n_neighbors']}"] if "n_neighbors" in parameters else []

    def grid(self, data: MethodInput[Any], counts: Sequence[int], chosen: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Scores (p,) for all numbers of neighbours and all target rows, from one search."""
        if not (self.neighbourhood.has_grid and self.update.has_grid):
            return super().grid(data, counts, chosen)
        run, _ = self._start(data, np.any(chosen, axis=0))
        data.work.plan(run.sweep.pairs)
        near = run.find(replace(cast("Any", self.neighbourhood), n_neighbors=max(counts)), ordered=True)
        return list(run.grid(near, counts, chosen, data.parameters.get("sigma")))

    def scores(self, data: MethodInput[Any]) -> Found:
        """The result of the chosen rows."""
        run, neighbourhood = self._start(data, cast("np.ndarray", data.chosen))
        return Found(*cast("Any", run.with_each(neighbourhood, data.parameters.get("per_target", False))))

    def _parts(self, parameters: Mapping[str, Any]) -> tuple[Neighbourhood, Update]:
        """The neighbourhood and the update with their parameters."""
        return _with(self.neighbourhood, parameters), _with(self.update, parameters)

    def _start(self, data: MethodInput[Any], chosen: np.ndarray) -> tuple[Run, Neighbourhood]:
        """The run, and the neighbourhood with its parameters."""
        parameters, target = data.parameters, data.target
        neighbourhood, update = self._parts(parameters)
        strategy = parameters["missing"] or STRATEGY.get(target.task, IGNORE)
        if target.task in SEVERAL:
            target = with_label_weights(target, parameters)
        diff = Diff.make(parameters["ramp"], parameters.get("power", 1))
        return Run.start(data.table, target, update, chosen, data.work, strategy, diff), neighbourhood


def _with(part: Part, parameters: Mapping[str, Any]) -> Part:
    names = {f.name for f in fields(cast("Any", part))}
    made = replace(cast("Any", part), **{name: value for name, value in parameters.items() if name in names})
    return cast("Part", made)


RECIPES = tuple(
    Recipe(*columns)
    for columns in (
        ("relief", "Relief", "one hit, one miss",
         "Compares each row with the nearest one of its class and the nearest one of any other",
         "Kira and Rendell 1992, Proc. AAAI-92:129-134",
         KNearest(1), HitMiss("E"), (CLASSIFICATION,), ("ties", "power")),
        ("relieff", "ReliefF", "k nearest of each class",
         "Compares each row with the k nearest of its class and of every other, weighted by how frequent they are",
         "Kononenko 1994, Proc. ECML-94:171-182",
         KNearest(10), HitMiss("F"), (CLASSIFICATION,), ("n_neighbors", "sigma", "scheme")),
        ("rrelieff", "RReliefF", "k nearest, numeric target",
         "How much more a feature differs between neighbours with different target values than between those "
         "with similar ones",
         "Robnik-Sikonja and Kononenko 1997, Proc. ICML-97:296-304",
         KNearest(70, 20.0), Probability(), (REGRESSION, *SEVERAL), ("n_neighbors", "sigma", *OF_SEVERAL)),
        ("surf", "SURF", "one radius for all rows",
         "Hits and misses are all rows nearer than the mean distance of all pairs",
         "Greene et al. 2009, BioData Mining 2:5",
         Radius(0.0, whole=True), HitMiss(drop_empty=False), (CLASSIFICATION, REGRESSION)),
        ("surfstar", "SURF*", "near and far rows",
         "As SURF, and rows farther than the mean distance count with the opposite sign",
         "Greene et al. 2010, Proc. EvoBIO 2010:182-193",
         Radius(0.0, far=True, whole=True), HitMiss(drop_empty=False), (CLASSIFICATION, REGRESSION), ("unit",)),
        ("multisurf", "MultiSURF", "radius of each row",
         "Hits and misses are all rows within a radius that every row finds from its own distances; nothing to set",
         "Urbanowicz et al. 2018, J. Biomedical Informatics 85:168-188",
         Radius(), HitMiss(drop_empty=False), (CLASSIFICATION, REGRESSION)),
        ("multisurfstar", "MultiSURF*", "near and far, each row",
         "As MultiSURF, and rows beyond a second radius count with the opposite sign",
         "Granizo-Mackenzie and Moore 2013, Proc. EvoBIO 2013:1-10",
         Radius(far=True), HitMiss(drop_empty=False), (CLASSIFICATION, REGRESSION), ("unit",)),
        ("swrfstar", "SWRF*", "all rows, by distance",
         "Every row counts, with an influence that falls smoothly from +1 for near rows to -1 for far ones",
         "Stokes and Visweswaran 2012, BioData Mining 5:20",
         Sigmoid(), HitMiss("E", drop_empty=False), (CLASSIFICATION,), ("scale",)),
        ("urelief", "URelief", "no target at all",
         "A feature counts if it differs where whole rows differ, among near rows",
         "Petkovic, Kocev, Skrlj and Dzeroski 2020, arXiv:2011.11679",
         KNearest(30), Covariance(), (UNSUPERVISED,), ("n_neighbors",)),
    )
)  # fmt: skip
