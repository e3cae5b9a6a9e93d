"""Methods that weigh the features of the distance by their scores, again and again."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..data.diff import Diff
from ..data.expected import CONDITIONAL
from ..info import Info, InfoEntry
from ..relief.diagnostics import describe_run
from ..reweighting.hyperplanes import lh_relief
from ..reweighting.imputation import complete
from ..reweighting.irelief import irelief
from ..reweighting.irelief_online import irelief_online
from ..reweighting.iterations import State
from ..reweighting.iterative_relief import iterative_relief
from ..reweighting.logo import logo
from ..reweighting.space import MEDIAN, Space
from ..targets.tasks import CLASSIFICATION
from ..words import counted
from .base import ITERATIONS, Method, MethodInput, MethodResult
from .convergence import WORTH_WAITING
from .details import HAS_CONVERGED, N_ITER, OF_PAIRS
from .parameter_table import PARAMETERS
from .parameters import INTEGER, NUMBER, SHARE, Parameter
from .traits import EQUAL_OR_NOT, FILLED, Traits

MAX_MARGINS = 2**28  # numbers of all rows and features that are kept
SINGLE = "influence of rows by distances in single precision, errors below 1e-5"
TABLE = {
    p.name: p
    for p in (
        Parameter("n_min", "Hits and misses", INTEGER, 3, low=2, high=1000,
                  tooltip="Number of hits and of misses in the ball of neighbours of a row, without the outermost. "
                          "Integer, at least 2"),
        Parameter("sigma", "Kernel width", NUMBER, MEDIAN, low=0, choices=(MEDIAN,),
                  tooltip="Width of the influence exp(-distance / width), where feature weights first sum to 1. "
                          "Number above 0. median: the median distance of all rows"),
        Parameter("penalty", "Penalty", NUMBER, 1.0, low=0,
                  tooltip="Penalty on the weights. Number above 0. A larger penalty sets the weights of more "
                          "features to 0"),
        Parameter("n_neighbors", "Neighbours", INTEGER, 3, low=1, high=1000,
                  tooltip="Number of rows of each class that define a hyperplane. Integer, at least 1"),
        Parameter("beta", "Damping", SHARE, 0.3, more=True,
                  tooltip="Step of an iteration towards the new weights. Above 0, at most 1. With 1, as published, "
                          "weights may oscillate forever"),
        Parameter("max_iter", "Iterations", INTEGER, 100, low=1, high=100_000, more=True,
                  tooltip="Maximum number of iterations. Integer, at least 1"),
        Parameter("tol", "Tolerance", SHARE, 1e-3, more=True,
                  tooltip="The weights have converged if they change by less. From 0 to 1"),
    )
}  # fmt: skip

Start = Callable[[Space, MethodInput[Any]], Iterator[State]]


@dataclass(frozen=True, kw_only=True)
class Reweighting(Method[Any]):
    """A method whose scores are those under a distance that they weigh.

    Parameters
    ----------
    name, title, about, idea, citation
        As of `Method`.
    complexity, stays_local
        As of `Traits`.
    parameter_names : tuple of str
        Names of its parameters in `TABLE`.
    own_defaults : tuple of (str, object)
        Names of those parameters whose default is another one, and this default.
    start : callable
        From the rows and the input to the states, iteration by iteration.
    is_completed : bool
        Whether means and most frequent values replace missing values. Otherwise there is a choice of strategies.
    keeps_margins : bool
        Whether it keeps a number for every row and feature, `MAX_MARGINS` of them at most.
    """

    name: str
    title: str
    about: str
    idea: str
    citation: str
    complexity: str
    parameter_names: tuple[str, ...]
    start: Start
    own_defaults: tuple[tuple[str, object], ...] = ()
    is_completed: bool = False
    keeps_margins: bool = False
    stays_local: str = ""

    family = "reweighting"
    tasks = (CLASSIFICATION,)
    details = (
        *OF_PAIRS,
        N_ITER,
        HAS_CONVERGED,
        InfoEntry("change", float | None, "change of the weights in the last iteration"),
    )

    @cached_property
    def traits(self) -> Traits:
        return Traits(
            interactions=True,
            redundancy=False,
            sparse=True,
            nominal=EQUAL_OR_NOT,
            missing=FILLED if self.is_completed else CONDITIONAL,
            complexity=self.complexity,
            refines=ITERATIONS,
            stays_local=self.stays_local,
        )

    @cached_property  # widgets ask for those of all methods whenever they show anything
    def parameters(self) -> tuple[Parameter, ...]:
        defaults = dict(self.own_defaults)
        own_parameters = [
            replace(TABLE[name], default=defaults.get(name, TABLE[name].default)) for name in self.parameter_names
        ]
        shared = () if self.is_completed else ("missing", "ramp")
        return (*own_parameters, *(PARAMETERS[name] for name in shared))

    def check(self, options: Mapping[str, Any], known: np.ndarray | None = None) -> dict[str, Any]:
        parameters = super().check(options, known)
        if parameters["beta"] == 0:
            raise ValueError("beta must be above 0: with 0 the weights stay as they are")
        return parameters

    def run(self, data: MethodInput[Any]) -> Iterator[MethodResult]:
        """Scores after every iteration; of small data after the first, second, fourth, eighth ..."""
        (n, p), values = data.table.shape, data.parameters
        if self.keeps_margins and n * p > MAX_MARGINS:
            raise ValueError(
                f"{self.title} keeps a number for every row and feature: {8 * n * p / 2**30:.1f} GB for {n:,} rows "
                f"with {p:,} features, above {8 * MAX_MARGINS / 2**30:.0f} GB. Rank fewer rows or features"
            )
        strategy, diff = values.get("missing") or CONDITIONAL, Diff.of(values)
        table = complete(data.table) if self.is_completed else data.table
        space = Space.start(table, data.target, data.work, strategy, diff)
        for state in self.start(space, data):
            steps = state.n_iter
            if not (state.final or (data.partial and (steps & (steps - 1) == 0 or n * n * p > WORTH_WAITING))):
                continue
            info: dict[str, Any] = {**describe_run(space.run), "n_iter": steps, "has_converged": state.has_converged}
            info |= {"change": state.change if np.isfinite(state.change) else None, "warnings": []}
            if info["precision"] == "float32":
                info["approximate"] = [*info["approximate"], SINGLE]
            if state.final and not state.has_converged and state.scores.any():
                text = f"no convergence in {counted(steps, 'iteration')}: the last one still changed the scores by "
                info["warnings"] = [f"{text}{state.change:.2g}; a smaller beta or more iterations may help"]
            elif state.final and not state.has_converged:
                narrower = "; try a smaller sigma" if "sigma" in values else ""
                text = "no feature differs more from misses than from hits, so that all scores are 0"
                info["warnings"] = [text + narrower]
            yield MethodResult(space.run.unsort(state.scores), None, info, final=state.final)

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        without = " without convergence" if info["final"] and not info["has_converged"] else ""
        return [counted(info["n_iter"], "iteration") + without]


def _values(data: MethodInput[Any], *names: str) -> list[Any]:
    return [data.parameters[name] for name in (*names, "beta", "max_iter", "tol")]


def _online(space: Space, data: MethodInput[Any]) -> Iterator[State]:
    rng = np.random.default_rng(data.random_state)
    return irelief_online(space, rng.permutation(data.table.shape[0]), *_values(data, "sigma"))


REWEIGHTING = (
    Reweighting(
        name="iterativerelief",
        title="Iterative Relief",
        about="ball of hits and misses",
        idea=(
            "Compares each row with those in a ball with enough hits and misses. The scores weight the features "
            "in the distance and determine the next balls"
        ),
        citation="Draper, Kaito and Bins 2003, Proc. CVPRW 2003, 6:62",
        complexity="I n^2 p",
        parameter_names=("n_min", "beta", "max_iter", "tol"),
        own_defaults=(("beta", 0.1),),
        start=lambda space, data: iterative_relief(space, *_values(data, "n_min")),
    ),
    Reweighting(
        name="irelief",
        title="I-RELIEF",
        about="all rows, learned weights",
        idea=(
            "Compares each row with all rows, where nearer rows have more weight. The scores weight the distance, "
            "and outliers have less weight"
        ),
        citation="Sun and Li 2006, Proc. ICML-06:913-920; Sun 2007, IEEE Trans. PAMI 29:1035-1051",
        complexity="I n^2 p",
        parameter_names=("sigma", "beta", "max_iter", "tol"),
        own_defaults=(("max_iter", 1000),),
        start=lambda space, data: irelief(space, *_values(data, "sigma")),
    ),
    Reweighting(
        name="ireliefonline",
        title="I-RELIEF online",
        about="one row at a time",
        idea="As I-RELIEF, but the weights are updated after each row, in random order",
        citation="Sun 2007, IEEE Trans. PAMI 29:1035-1051",
        complexity="I n^2 p",
        parameter_names=("sigma", "beta", "max_iter", "tol"),
        own_defaults=(
            ("beta", 1.0),
            ("max_iter", 1000),
            ("tol", 0.01),
        ),
        start=_online,
        stays_local="each row needs the weights that the row before has left",
    ),
    Reweighting(
        name="logo",
        title="LOGO",
        about="local learning, few weights",
        idea=(
            "Learns weights of a distance by which rows are nearer to their own class than to other classes. A "
            "penalty sets most weights to 0"
        ),
        citation="Sun, Todorovic and Goodison 2010, IEEE Trans. PAMI 32:1610-1626",
        complexity="I (n^2 p + s n p)",
        parameter_names=("sigma", "penalty", "beta", "max_iter", "tol"),
        own_defaults=(
            ("max_iter", 10),
            ("tol", 0.01),
        ),
        start=lambda space, data: logo(space, *_values(data, "sigma", "penalty")),
        keeps_margins=True,
    ),
    Reweighting(
        name="lhrelief",
        title="LH-RELIEF",
        about="local hyperplanes",
        idea=(
            "Compares each row with the hyperplanes through its nearest rows of each class. Partly a "
            "reconstruction, since the paper was not available"
        ),
        citation="Cai and Ng 2012, Proc. PAKDD 2012:335-346",
        complexity="I n (n p + C (k^2 p + k^3))",
        parameter_names=("n_neighbors", "beta", "max_iter", "tol"),
        own_defaults=(("max_iter", 10),),
        start=lambda space, data: lh_relief(space, *_values(data, "n_neighbors")),
        is_completed=True,
    ),
)
