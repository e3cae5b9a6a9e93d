"""The family: distance x neighbourhood x update, one line each."""

from dataclasses import dataclass, fields, replace

import numpy as np

from ..data.diff import Diff
from ..data.features import Features
from ..data.missing import CONDITIONAL, IGNORE, SEPARATE, STRATEGIES
from ..data.table import DataTable
from ..data.targets import CLASSIFICATION, REGRESSION, TASKS, Target
from ..parallel import Work
from ..parameters import CHOICE, INTEGER, NUMBER, RAMP, ROWS, SWITCH, Parameter, with_default
from .distances import Stored
from .exact import Exact
from .neighbours import KNearest
from .run import Run, manhattan
from .updates import HitMiss, Probability
from .zones import Radius, Sigmoid


@dataclass(frozen=True)
class Recipe:
    """Everything that tells one member of the family from another; a method of `rank`."""

    name: str
    title: str
    about: str
    idea: str
    citation: str
    neighbourhood: KNearest | Radius | Sigmoid
    update: HitMiss | Probability
    tasks: tuple[str, ...] = (CLASSIFICATION,)
    own: tuple[str, ...] = ()  # names of its parameters besides those of all methods

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its parameters with their defaults."""
        parts = {**vars(self.update), **vars(self.neighbourhood)}
        own = [with_default(PARAMETERS[name], parts.get(name, PARAMETERS[name].default)) for name in self.own]
        return (*own, *(PARAMETERS[name] for name in COMMON))

    def scores(
        self, table: DataTable, target: Target, values: dict[str, object], chosen: np.ndarray, work: Work
    ) -> tuple[np.ndarray, dict[str, object]]:
        """Scores (p,), and what was done as plain literals.

        target: of the rows of `table`; values: all parameters; chosen (n,) bool: the target rows.
        """
        neighbourhood, update = (_with(part, values) for part in (self.neighbourhood, self.update))
        n = table.shape[0]
        groups = update.search_groups(target)
        groups = np.zeros(n, np.int32) if groups is None else groups
        rows = np.lexsort((groups, ~chosen))
        strategy = values["missing"] or default_strategy(target.task)
        classes = np.zeros(n, np.int32) if target.groups is None else target.groups
        diff = Diff.make(values["ramp"], values.get("power", 1))
        features = Features.build(table, rows, classes, strategy, diff)
        m = int(chosen.sum())
        doubtful = not (features.exact or features.missing)
        exact = Exact(table, rows, features.scale, diff) if doubtful else None
        run = Run(features, target.take(rows), groups[rows], rows, m, manhattan(features), update, work, exact)
        if neighbourhood.revisits and not run.row_wise:
            run.distance = Stored(run.distance, n, m)
        work.plan(neighbourhood.plan(run))
        scores = features.unsort(neighbourhood.scores(run, update))
        if strategy != SEPARATE:  # there a missing value differs from the only known one
            scores[features.constant] = 0
        return scores, {"strategy": strategy if features.missing else None, "precision": features.values.dtype.name}


def default_strategy(task: str) -> str:
    """What is done with missing values if the caller does not say."""
    return CONDITIONAL if task == CLASSIFICATION else IGNORE


def _with(part: object, values: dict[str, object]) -> object:
    names = {f.name for f in fields(part)}
    return replace(part, **{name: value for name, value in values.items() if name in names})


COMMON = ("n_instances", "missing", "ramp")
PARAMETERS = {
    p.name: p
    for p in (
        Parameter("n_neighbors", "Neighbours", INTEGER, 10, low=1, high=100_000,
                  tooltip="Nearest rows that are compared with each row: of every class, or of all rows for a "
                          "numeric target; 1 or more"),
        Parameter("sigma", "Rank decay", NUMBER, low=0, none="equal weights", more=True,
                  tooltip="Influence of the r-th neighbour falls as exp(-(r / sigma)\u00b2), in ranks; without "
                          "it all neighbours count alike"),
        Parameter("scheme", "Misses", CHOICE, "F", choices=("F", "E"), more=True,
                  tooltip="F: k misses from each other class, weighted by its prior; E: k misses from all other "
                          "classes together"),
        Parameter("ties", "Ties", CHOICE, "index", choices=("index", "average"), more=True,
                  tooltip="Rows at the same distance: take the first (index) or all of them with equal shares "
                          "(average)"),
        Parameter("power", "Power", INTEGER, 1, low=1, high=2, more=True,
                  tooltip="2: squared differences as in the first paper; 1: absolute ones"),
        Parameter("unit", "Halve", SWITCH, True, more=True,
                  tooltip="Halve the scores so that they lie in [-1, 1]; off: the published scale, [-2, 2]"),
        Parameter("scale", "Steepness", NUMBER, 4.0, low=0, more=True,
                  tooltip="How fast influence changes with distance, per half standard deviation; above 0"),
        Parameter("n_instances", "Rows used", ROWS, none="all", more=True,
                  tooltip="Rows whose neighbours are looked up: a number, a share between 0 and 1, or all; "
                          "fewer is faster and less precise"),
        Parameter("missing", "Missing values", CHOICE, choices=STRATEGIES, none="by target", more=True,
                  tooltip="Difference to an unknown value: expected in the row's class (default for classes), "
                          "ignored (default for numbers), "
                          "expected if all values were equally likely, or the value of its own"),
        Parameter("ramp", "Ramp", RAMP, False, more=True,
                  tooltip="Numeric differences below 5 % of the range count 0, above 10 % count 1; for mixtures "
                          "of numeric and categorical features"),
    )
}  # fmt: skip

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
         KNearest(70, 20.0), Probability(), (REGRESSION,), ("n_neighbors", "sigma")),
        ("surf", "SURF", "one radius for all rows",
         "Hits and misses are all rows nearer than the mean distance of all pairs",
         "Greene et al. 2009, BioData Mining 2:5",
         Radius(0.0, whole=True), HitMiss(drop_empty=False), TASKS),
        ("surfstar", "SURF*", "near and far rows",
         "As SURF, and rows farther than the mean distance count with the opposite sign",
         "Greene et al. 2010, Proc. EvoBIO 2010:182-193",
         Radius(0.0, far=True, whole=True), HitMiss(drop_empty=False), TASKS, ("unit",)),
        ("multisurf", "MultiSURF", "radius of each row",
         "Hits and misses are all rows within a radius that every row finds from its own distances; nothing to set",
         "Urbanowicz et al. 2018, J. Biomedical Informatics 85:168-188",
         Radius(), HitMiss(drop_empty=False), TASKS),
        ("multisurfstar", "MultiSURF*", "near and far, each row",
         "As MultiSURF, and rows beyond a second radius count with the opposite sign",
         "Granizo-Mackenzie and Moore 2013, Proc. EvoBIO 2013:1-10",
         Radius(far=True), HitMiss(drop_empty=False), TASKS, ("unit",)),
        ("swrfstar", "SWRF*", "all rows, by distance",
         "Every row counts, with an influence that falls smoothly from +1 for near rows to -1 for far ones",
         "Stokes and Visweswaran 2012, BioData Mining 5:20",
         Sigmoid(), HitMiss("E", drop_empty=False), (CLASSIFICATION,), ("scale",)),
    )
)  # fmt: skip
