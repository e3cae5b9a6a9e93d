"""Methods of the learned family: boosted margins, neighbours in a learned space, and both.

`LEARNED` lists them for the registry. `core/learned` has the steps: margins of pairs, boosting, and the learned space.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from ..data.diff import Diff
from ..data.expected import IGNORE
from ..info import Info, InfoEntry
from ..learned.boosting import Boosted, Candidates, boost
from ..learned.global_part import GlobalPart
from ..learned.margins import Margins
from ..learned.null_gain import NullGain
from ..learned.permuted_neighbours import NeighbourLists, nearest
from ..learned.rounds import learn_space, overlap_of_best
from ..learned.row_distances import RowDistances, fits, nearest_rows
from ..learned.space import NeighbourSpace
from ..learned.stump_weights import steps
from ..learned.stumps import AUTO, Stumps, stumps
from ..relief.comparison import Comparison
from ..relief.diagnostics import describe_run
from ..relief.run import Run
from ..relief.updates.hit_miss import HitMiss
from ..relief.updates.target_change import Probability
from ..targets.label_weights import with_label_weights
from ..targets.tasks import CLASSIFICATION, REGRESSION, SEVERAL
from ..words import counted
from .base import ROWS, MethodInput, MethodResult, neighbours_text
from .details import OF_PAIRS, OF_TARGET_ROWS
from .parameter_table import COMMON, PARAMETERS_OF_SETS
from .parameters import INTEGER, SHARE, SWITCH, Parameter
from .recipe_run import STRATEGY
from .row_method import RowMethod
from .traits import EQUAL_OR_NOT, Traits

N_NEIGHBORS = 30  # neighbours by default
OF_SETS = ("target_distance", "label_weights", "label_decay", "gamma")
PREDICTION_FIRST = "prediction-first"  # value of the parameter eta
ETA_OF_PREDICTION = 0.5  # step that it stands for
NEXT_SHARE = 1 - 1e-9  # factor of the score of the feature before, so that later features score less
OF_SPACE = (
    Parameter("rounds", "Rounds", INTEGER, 4, low=0, high=50,
              tooltip="Number of searches for neighbours by distances that the last scores weight. Integer, at least "
                      "0, which is ReliefF"),
)  # fmt: skip
OF_BOOSTING = (
    Parameter("eta", "Step", SHARE, 0.25, choices=(PREDICTION_FIRST,),
              tooltip="Share of a feature's information that counts as known in later steps. From 0, which ignores "
                      "redundancy, to 1. prediction-first (0.5): slightly better predictions, in particular of many "
                      "classes, from far fewer of the relevant features"),
    Parameter("global_part", "Global part", SWITCH, True,
              tooltip="Also score features by class means or rank correlation over all rows, if they are "
                      "significant. Not for label sets. Off: by neighbours only"),
    Parameter("candidates", "Candidates", INTEGER, AUTO, low=1, high=10_000_000, choices=(AUTO,), none="all", more=True,
              tooltip="Number of features that are boosted: the best by their own margins, or all. auto: as many as "
                      "fit into 32 MB in single precision"),
)  # fmt: skip

ROUNDS = InfoEntry("rounds", list[dict[str, float]], "change of the weights and overlap of the ranking, for each round")
DETAILS_OF_BOOSTING = (
    InfoEntry("selected", list[int], "features in the order of selection"),
    InfoEntry("stopped", int, "number of features after which boosting stops"),
    InfoEntry("gain", list[float], "gain of each selected feature"),
    InfoEntry("null_gain", list[float], "gain that chance reaches at each step"),
    InfoEntry("weights", list[float], "weight of each selected feature in distances"),
    InfoEntry("candidates", int, "number of features that were boosted"),
    InfoEntry("gates", list[float], "share of the global part in each selected feature"),
)


@dataclass(frozen=True, kw_only=True)
class Learned(RowMethod[Any]):
    """Method of the learned family.

    Parameters
    ----------
    name, title, about, idea, citation, tasks
        As of `Method`.
    in_space : bool
        Whether distances are weighted by the scores, repeatedly.
    boosted : bool
        Whether features are ranked in the order in which boosting selects them.
    """

    name: str
    title: str
    about: str
    idea: str
    in_space: bool
    boosted: bool
    citation: str = "this project, 2026; margins as in Gilad-Bachrach, Navot and Tishby 2004, Proc. ICML-04:43"
    tasks: tuple[str, ...] = (CLASSIFICATION, REGRESSION, *SEVERAL)

    family = "learned"

    @property
    def details(self) -> tuple[InfoEntry, ...]:
        of_boosting = DETAILS_OF_BOOSTING if self.boosted else ()
        return (*OF_TARGET_ROWS, *OF_PAIRS, ROUNDS, *of_boosting)

    @cached_property
    def traits(self) -> Traits:
        # Distances for each look at the rows, and scores of the candidates in each step
        looks = "I (n^2 p + k n p)" if self.in_space else "n^2 p"
        return Traits(
            interactions=True,
            redundancy=self.boosted,
            sparse=True,
            nominal=EQUAL_OR_NOT,
            missing=IGNORE,
            complexity=f"{looks} + s k n p" if self.boosted else looks,
            refines=ROWS,
            stays_local="margins of all rows and features, as many numbers as the data have, are computed in every "
            "round",
            takes_kept_first=self.boosted,
        )

    @cached_property  # widgets ask for those of all methods whenever they show anything
    def parameters(self) -> tuple[Parameter, ...]:
        table = PARAMETERS_OF_SETS
        boosting = OF_BOOSTING if self.boosted else ()
        space = OF_SPACE if self.in_space else ()
        k = replace(table["n_neighbors"], default=N_NEIGHBORS)
        shared = (table[name] for name in (*OF_SETS, *COMMON))
        return (k, *boosting[:2], *space, *boosting[2:], *shared)  # the rare ones last

    def scores(self, data: MethodInput[Any]) -> MethodResult:
        target = data.target
        values = data.parameters
        work = data.work
        if target.task in SEVERAL:
            target = with_label_weights(target, values)
        update = HitMiss() if target.task == CLASSIFICATION else Probability()
        strategy = values["missing"] or STRATEGY.get(target.task, IGNORE)
        comparison = Comparison(data.table, strategy=strategy, diff=Diff.of(values))
        run = Run.start(comparison, target, update, data.target_rows, work)
        k = values["n_neighbors"]
        ends = (0.3 if self.in_space else 0.8, 0.8 if self.boosted else 1.0)
        with work.part(0, ends[0]):
            work.plan(run.n_pairs)
            rows = RowDistances(run, run.distance) if self.boosted and run.n_groups > 1 else None
            exact = not (self.boosted or values["rounds"])
            near = nearest(rows, k) if rows and fits(run) else nearest_rows(run, k, exact)
            run.distance.forget()
        with work.part(ends[0], ends[1]):
            first = space = NeighbourSpace(near, rows)
            if self.in_space:
                by_margins = self.boosted and run.update.by_class(run.target) and run.means is None
                space = learn_space(run, k, near, values["rounds"], score_last_round=not by_margins)
        diagnostics: dict[str, Any] = {"rounds": list(space.diagnostics)}
        scores = space.scores
        if self.boosted:
            with work.part(ends[1], 1):
                spaces = [first] if space.neighbours is near else [first, space]
                keep = np.flatnonzero(np.isin(run.features.columns, [] if data.keep is None else data.keep))
                scores, boosting_info, means = _boosted(NeighbourLists(run, spaces, k), values, data.random_state, keep)
            if len(spaces) > 1 and by_margins:
                diagnostics["rounds"][-1] |= overlap_of_best(cast("np.ndarray", space.scores), means)
            diagnostics |= boosting_info
        info = {**describe_run(run, settles_lists=False), **diagnostics}
        return MethodResult(run.unsort(cast("np.ndarray", scores)), None, info)

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        texts = [neighbours_text(parameters["n_neighbors"], info)]
        if self.in_space:
            texts.append(f"{parameters['rounds']} rounds")
        if self.boosted:
            texts.append(f"boosting stops after {counted(info['stopped'], 'feature')}")
        return texts


def _boosted(
    lists: NeighbourLists, values: dict[str, Any], random_state: int, keep: np.ndarray
) -> tuple[np.ndarray, dict[str, Any], np.ndarray]:
    """Scores (p,) as the run orders features, what boosting found, for `info`, and scores (p,) in the last space.

    keep: indices, as the run orders features, of those that are taken first.
    """
    run, kinds = lists.run, [Margins.of(lists.run, space) for space in lists.spaces]
    global_part = GlobalPart.of(run) if values["global_part"] else None
    eta = ETA_OF_PREDICTION if values["eta"] == PREDICTION_FIRST else values["eta"]
    best_stumps, chosen, margins = stumps(kinds, values["candidates"], global_part, keep)
    null = NullGain(best_stumps, lists, random_state)
    run.work.plan(1)
    candidates = Candidates(
        chosen, run.features.columns[chosen], best_stumps.divisors[chosen], kinds[0].shares, np.isin(chosen, keep)
    )
    boosted = boost(margins, candidates, eta, null, run.work.tick)
    del margins
    order = chosen[boosted.order]
    diagnostics = {
        "selected": run.features.columns[order].tolist(),
        "stopped": boosted.stopped,
        "gain": boosted.gains.tolist(),
        "null_gain": boosted.null.tolist(),
        "weights": (boosted.weights if global_part is None else _weights(best_stumps, order, eta)).tolist(),
        "candidates": len(chosen),
    }
    if global_part is not None:
        diagnostics["gates"] = best_stumps.gates[order].tolist()
    return _listed(best_stumps, order, boosted), diagnostics, best_stumps.scores


def _weights(best_stumps: Stumps, order: np.ndarray, eta: float) -> np.ndarray:
    """Weights (S,) in distances of features in their order: by what their neighbours tell, without the global part,
    since a distance is of neighbours."""
    ascending = np.sort(order)
    margins, divisors = best_stumps.mixed(best_stumps.kinds, None, ascending), best_stumps.of_neighbours[order]
    stumps_ = margins[np.searchsorted(ascending, order)] / divisors[:, None]
    return cast("np.ndarray", steps(stumps_, best_stumps.kinds[0].shares, eta) / divisors)


def _listed(best_stumps: Stumps, order: np.ndarray, boosted: Boosted) -> np.ndarray:
    """Scores (p,): the gains of selected features, in their order, and t of the others, scaled below them.

    Parameters
    ----------
    best_stumps : Stumps
        Stumps of all features, with their t.
    order : (S,) int array
        Features in the order of selection, those that are always selected first.
    boosted : Boosted
        Gains of the selected features. Features that are always selected do not limit the others.
    """
    scores: np.ndarray = best_stumps.t.copy()
    is_other = np.ones(len(scores), bool)
    is_other[order] = False
    n_always = boosted.n_always
    # Gains may increase, but a feature that was selected later scores less.
    descending = boosted.gains[n_always:].copy()
    for k in range(1, len(descending)):
        descending[k] = min(descending[k], descending[k - 1] * NEXT_SHARE)
    if len(descending):
        largest = scores[is_other].max(initial=0.0)
        factor = min(1.0, descending[-1] * NEXT_SHARE / largest) if largest > 0 else 1.0
        scores[is_other & (scores > 0)] *= factor
    scores[order[n_always:]] = descending
    scores[order[:n_always]] = boosted.gains[:n_always]
    return scores


LEARNED = (
    Learned(
        name="boostedrelief",
        title="Boosted Relief",
        about="a small predictive set",
        idea=(
            "Selects next the feature most informative for rows that the earlier ones leave wrong. Use it for a "
            "small subset without redundant features"
        ),
        in_space=False,
        boosted=True,
    ),
    Learned(
        name="learnedrelief",
        title="Learned-Space Relief",
        about="interactions in noise",
        idea=(
            "Finds neighbours repeatedly by distances weighted by its own scores. Use it for all relevant "
            "features, and for interactions among many useless ones"
        ),
        in_space=True,
        boosted=False,
    ),
    Learned(
        name="boostedlearnedrelief",
        title="Boosted Learned-Space Relief",
        about="both",
        idea=(
            "Combines boosting with neighbours in the space of all features and in the learned space. Use it for a "
            "small predictive subset if features interact"
        ),
        in_space=True,
        boosted=True,
    ),
)
