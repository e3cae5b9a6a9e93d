"""SSL-Relief: Relief for any kind of target, of which all rows, some of them or none are labelled.

`registry` has its one instance, which `rank` runs. `prepare` chooses numbers of neighbours and influence by
cross-validation (`tuned_neighbours`), and `scores` weighs each pair of rows by the influence of its rows, which is 1
for labelled rows and w0 to w1 for others, the higher the nearer a labelled row is.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from ..data.diff import Diff
from ..data.expected import CLUS
from ..data.table import DataTable
from ..info import Info, InfoEntry
from ..relief.comparison import Comparison
from ..relief.diagnostics import describe_run
from ..relief.formats.lists import Neighbours
from ..relief.influence import influence, nearest_labelled
from ..relief.neighbourhoods.k_nearest import KNearest
from ..relief.run import Run
from ..relief.scoring import ScoredTarget, score_lists
from ..relief.shared_lists import scores_of_lists, weighed_lists
from ..relief.updates.target_change import Covariance
from ..targets.label_weights import with_label_weights
from ..targets.targets import Target
from ..targets.tasks import CLASSIFICATION, REGRESSION, SEVERAL, UNSUPERVISED
from ..work.threads import Work
from .base import ROWS, MethodInput, MethodResult, TargetResult, neighbours_text
from .details import LABELLED, OF_PAIRS, OF_TARGET_ROWS, TRIED_SETTINGS
from .inner_validation import too_few
from .parameter_table import AUTO, COMMON, OF_SEVERAL, PARAMETERS_OF_SETS, unusual
from .parameters import Parameter
from .row_method import RowMethod, Spread
from .traits import EQUAL_OR_NOT, Traits
from .tuned_neighbours import NeighbourSetting, Tuned, tune_neighbours

PAPER = "paper"
PAPER_NEIGHBORS = (15, 20, 30)  # numbers of neighbours to choose from, of the paper
# Numbers to choose from if some rows are unlabelled, since few of the nearest rows are labelled then; chosen by eye.
N_NEIGHBORS = (20, 50, 100)
INFLUENCES = (0.0, 0.25, 0.5, 0.75, 1.0)  # w0 and w1 to choose from, of the paper
CHOICE_TOOLTIP = ". auto: by cross-validation. paper: the same, of 15, 20 and 30"
PARAMETER_NAMES = ("n_neighbors", "w0", "w1", "labelled_only", *OF_SEVERAL)
HISTOGRAM_BINS = 20  # of the histogram of distances to labelled rows; chosen by eye
# Shares of the work that `prepare` is, with and without a choice; chosen by eye
TUNING_SHARE = 0.85
SEARCH_SHARE = 0.3
TUNED = 0.95  # share of `prepare` that the choice is


@dataclass(frozen=True)
class SSLRelief(RowMethod[Tuned]):
    """SSL-Relief, whose pairs are weighed by how near their rows are to labelled ones."""

    name = "sslrelief"
    title = "SSL-Relief"
    about = "few labelled rows"
    idea = "Also uses unlabelled rows, with more weight near labelled rows"
    citation = "Petkovic, Dzeroski and Kocev 2020, arXiv:2008.03937"
    tasks = (CLASSIFICATION, REGRESSION, *SEVERAL, UNSUPERVISED)
    family = "relief"
    traits = Traits(
        interactions=True,
        redundancy=False,
        sparse=True,
        nominal=EQUAL_OR_NOT,
        missing=CLUS,
        complexity="n^2 p + k n p",
        packed=True,
        refines=ROWS,
        shares_pairs=True,
        separates_groups=True,
    )
    details = (
        *OF_TARGET_ROWS,
        *OF_PAIRS,
        LABELLED,
        InfoEntry("labelled_per_target", list[int], "number of labelled rows, for each target"),
        InfoEntry("n_neighbors", int, "number of neighbours"),
        InfoEntry("w0", float, "influence of the unlabelled row farthest from labelled ones"),
        InfoEntry("w1", float, "influence of the unlabelled row nearest to a labelled one"),
        InfoEntry(
            "nearest", list[object] | None, "distances to labelled rows: least, largest, and counts between them"
        ),
        InfoEntry("alone", float | None, "quality of the labelled rows alone, if they predict about as well"),
        TRIED_SETTINGS,
    )

    @cached_property  # widgets ask for those of all methods whenever they show anything
    def parameters(self) -> tuple[Parameter, ...]:
        k, *other_parameters = (PARAMETERS_OF_SETS[name] for name in (*PARAMETER_NAMES, *COMMON, "distance"))
        k = replace(k, default=AUTO, choices=(AUTO, PAPER), tooltip=k.tooltip + CHOICE_TOOLTIP)
        return (k, *other_parameters)

    def check(self, options: Mapping[str, Any], known: np.ndarray | None = None) -> dict[str, Any]:
        parameters = super().check(options, known)
        w0 = parameters["w0"]
        w1 = parameters["w1"]
        if (w0 == AUTO) != (w1 == AUTO):
            raise ValueError(f'w0 and w1 must both be numbers or both "auto", not {w0!r} and {w1!r}')
        if w0 != AUTO and w0 > w1:
            raise ValueError(f"w0 must be at most w1, not {w0} and {w1}")
        return parameters

    def uses_unlabelled(self, parameters: Mapping[str, Any]) -> bool:
        return not parameters["labelled_only"]

    def preparation(self, parameters: Mapping[str, Any]) -> float:
        is_tuned = isinstance(parameters["n_neighbors"], str) or parameters["w0"] == AUTO
        return TUNING_SHARE if is_tuned else SEARCH_SHARE

    def prepare(self, data: MethodInput[Tuned]) -> Tuned:
        table = data.table
        work = data.work
        target = with_label_weights(data.target, data.parameters)
        grid = _grid(target, data.parameters)
        qualities: dict[NeighbourSetting, np.ndarray] = {}
        if len(grid) > 1:
            settings = grid + _labelled_only_settings(target, data.parameters)
            start = _start_of_scores(table, data)
            with work.part(0, TUNED):
                tuned = tune_neighbours(table.unpacked(), target, settings, start, data.random_state, work, data.groups)
                qualities = dict(tuned)
        with work.part(TUNED, 1):
            distances = nearest_labelled(_comparison(table, data.parameters), target.labelled, work)
        tuning = tuple(
            (setting, float(by_fold.mean())) for setting, by_fold in qualities.items() if not setting.labelled_only
        )
        best = max(tuning, key=lambda pair: pair[1])[0] if tuning else grid[0]
        return Tuned(
            setting=best,
            tuning=tuning,
            distances=distances,
            too_few=len(grid) > 1 and not tuning,
            labelled_only_quality=_labelled_only_quality(qualities, best),
        )

    def scores(self, data: MethodInput[Tuned]) -> MethodResult:
        return self._result(data, self._ranker(data))

    def for_targets(self, data: MethodInput[Tuned], targets: Iterable[Target]) -> Iterator[TargetResult]:
        spread = Spread.of(self, data)
        setting = data.preparation.setting
        rankers: list[SharedNeighbours] = []  # that of the first target, whose neighbours the others share

        def ranker_of(target: Target) -> SharedNeighbours:
            if not rankers:
                rankers.append(self._ranker(replace(spread.data, target=target)))
            run = rankers[0].run.with_target(with_label_weights(target, data.parameters))
            return replace(rankers[0], run=run, labelled=target.labelled)

        def score_one(target: Target) -> MethodResult:
            return self._result(replace(spread.data, target=target), ranker_of(target))

        def score_many(targets: list[Target]) -> Iterator[ScoredTarget]:
            runs = [ranker_of(target).weighed(setting) for target in targets]
            neighbours = rankers[0].neighbours.nearest(setting.k).weigh()
            return scores_of_lists(runs[0], weighed_lists(runs, neighbours))

        def share_pairs() -> bool:
            return rankers[0].run.means is None and not rankers[0].run.features.missing

        yield from spread.in_turn(targets, score_one, share_pairs, score_many)

    @staticmethod
    def _ranker(data: MethodInput[Tuned]) -> "SharedNeighbours":
        """Neighbours of the chosen target rows."""
        prepared = data.preparation
        target = with_label_weights(data.target, data.parameters)
        comparison = _comparison(data.table, data.parameters, groups=data.groups)
        return SharedNeighbours.start(
            comparison, target, data.target_rows, data.work, prepared.setting.k, prepared.distances
        )

    @staticmethod
    def _result(data: MethodInput[Tuned], ranker: "SharedNeighbours") -> MethodResult:
        """Scores by the chosen setting, with facts and sentences for users."""
        prepared = data.preparation
        setting = prepared.setting
        target = data.target
        run = ranker.weighed(setting)
        scoring = score_lists(run, ranker.neighbours.nearest(setting.k).weigh(), data.outputs)
        scores = run.unsort(scoring.scores)
        per_target = None
        if data.parameters["per_target"] and target.task in SEVERAL:
            per_target = np.array([ranker.scores(setting, number) for number in range(len(target.names))])
        warnings = []
        if not scores.any() and setting.w1 == 0 and not ranker.labelled.all():
            warnings.append(
                "no labelled row has a labelled one among its neighbours, so that all scores are 0. "
                "Set w1 above 0, use more neighbours, or rank the labelled rows only"
            )
        info = {
            **describe_run(ranker.run),
            "labelled": int(target.labelled.sum()),
            "labelled_per_target": target.counts,
            "n_neighbors": setting.k,
            "w0": setting.w0,
            "w1": setting.w1,
            "nearest": _distance_histogram(prepared.distances, target.labelled),
            "alone": prepared.labelled_only_quality,
            "tuning": [[s.k, s.w0, s.w1, quality] for s, quality in prepared.tuning] or None,
            "warnings": warnings,
            "information": _information(prepared, target),
        }
        return MethodResult(scores, per_target, info, quantities=scoring.quantities)

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        """Choices in words: "k = 15, influence 0.25 to 1, 120 of 900 rows labelled"."""
        texts = [neighbours_text(info["n_neighbors"], info)]
        if 0 < info["labelled"] < info["rows"]:
            texts.append(f"influence {info['w0']:g} to {info['w1']:g}")
            texts.append(f"{info['labelled']:,} of {info['rows']:,} rows labelled")
        return [*texts, *unusual(parameters, info)]


@dataclass
class SharedNeighbours:
    """Neighbours of the target rows, searched once, and the scores that different settings make of them.

    Attributes
    ----------
    run : Run
        Run over the target rows.
    neighbours : Neighbours
        Lists of their nearest rows.
    labelled : (n,) bool array
        Labelled rows, in the order of the caller.
    distances : (n,) float64 array
        Distance of each row to the nearest labelled one.
    """

    run: Run
    neighbours: Neighbours
    labelled: np.ndarray
    distances: np.ndarray

    @classmethod
    def start(
        cls, comparison: Comparison, target: Target, chosen: np.ndarray, work: Work, k: int, distances: np.ndarray
    ) -> "SharedNeighbours":
        """Search for the k nearest rows of the chosen target rows; other parameters are those of the class."""
        run = Run.start(comparison, target, Covariance(), chosen, work)
        work.plan(run.n_pairs)
        return cls(run, run.find(KNearest(k), ordered=True), target.labelled, distances)

    def scores(self, setting: NeighbourSetting, target_number: int | None = None) -> np.ndarray:
        """Scores (p,) by a setting, for one of several targets; None: for all of them at once."""
        run = self.weighed(setting)
        if target_number is not None:
            run = replace(run, target=run.target.part(target_number))
        return run.unsort(score_lists(run, self.neighbours.nearest(setting.k).weigh()).scores)

    def weighed(self, setting: NeighbourSetting) -> Run:
        """Run whose pairs are weighed by the influence of rows in a setting."""
        of_rows = influence(self.labelled, self.distances, setting.w0, setting.w1)
        return replace(self.run, update=Covariance(influence=of_rows[self.run.ids]))


def _comparison(
    table: DataTable,
    parameters: Mapping[str, Any],
    rows: np.ndarray | None = None,
    groups: np.ndarray | None = None,
) -> Comparison:
    """Comparison of rows, or of those with some indices, by the parameters."""
    missing = parameters["missing"] or CLUS
    return Comparison(table, rows, missing, Diff.of(parameters), parameters["distance"], subjects=groups)


def _start_of_scores(
    table: DataTable, data: MethodInput[Tuned]
) -> Callable[[np.ndarray, Target, np.ndarray, int], Callable[[NeighbourSetting], np.ndarray]]:
    """Function that searches for neighbours among some rows; see `tune_neighbours`."""

    def start(rows: np.ndarray, target: Target, chosen: np.ndarray, k: int) -> Callable[[NeighbourSetting], np.ndarray]:
        distances = nearest_labelled(_comparison(table, data.parameters, rows), target.labelled, data.work)
        comparison = _comparison(table, data.parameters, rows, data.groups)
        return SharedNeighbours.start(comparison, target, chosen, data.work, k, distances).scores

    return start


def _is_partly_labelled(target: Target) -> bool:
    return bool(target.labelled.any() and not target.labelled.all())


def _numbers_of_neighbours(target: Target, n_neighbors: int | str) -> Sequence[int]:
    """Numbers of neighbours to choose from."""
    if not isinstance(n_neighbors, str):
        return (n_neighbors,)
    return N_NEIGHBORS if n_neighbors == AUTO and _is_partly_labelled(target) else PAPER_NEIGHBORS


def _grid(target: Target, parameters: Mapping[str, Any]) -> list[NeighbourSetting]:
    """Settings to choose from; influence does not matter if all rows are labelled, or none is."""
    if parameters["w0"] != AUTO:
        influences = [(cast("float", parameters["w0"]), cast("float", parameters["w1"]))]
    elif _is_partly_labelled(target):
        influences = [(w0, w1) for w0 in INFLUENCES for w1 in INFLUENCES if w0 <= w1]
    else:
        influences = [(0.0, 1.0)]
    ks = _numbers_of_neighbours(target, parameters["n_neighbors"])
    return [NeighbourSetting(k, w0, w1) for k in ks for w0, w1 in influences]


def _labelled_only_settings(target: Target, parameters: Mapping[str, Any]) -> list[NeighbourSetting]:
    """Settings of the labelled rows without the others, if there are others."""
    if not _is_partly_labelled(target):
        return []
    k = parameters["n_neighbors"]
    ks = PAPER_NEIGHBORS if isinstance(k, str) else (k,)
    return [NeighbourSetting(k, 1, 1, labelled_only=True) for k in ks]


def _labelled_only_quality(qualities: Mapping[NeighbourSetting, np.ndarray], best: NeighbourSetting) -> float | None:
    """Best quality by the labelled rows only, if that of all rows is within one standard error of it or below."""
    by_labelled = [by_fold for setting, by_fold in qualities.items() if setting.labelled_only]
    if not by_labelled:
        return None
    simple = max(by_labelled, key=np.mean)
    gain = qualities[best] - simple
    standard_error = gain.std(ddof=1) / np.sqrt(len(gain))
    return float(simple.mean()) if gain.mean() <= standard_error else None


def _distance_histogram(distances: np.ndarray, labelled: np.ndarray) -> list[object] | None:
    """Least and largest distance of unlabelled rows to labelled ones, and counts in bins between them."""
    if not labelled.any() or labelled.all():
        return None
    counts, edges = np.histogram(distances[~labelled], HISTOGRAM_BINS)
    return [float(edges[0]), float(edges[-1]), counts.tolist()]


def _information(prepared: Tuned, target: Target) -> list[str]:
    """Sentences for users on the choice of the setting."""
    sentences = []
    if prepared.too_few and target.labelled.any():
        sentences.append(too_few("neighbours and influence"))
    if prepared.labelled_only_quality is not None:
        best = max(quality for _, quality in prepared.tuning)
        sentences.append(
            f"labelled rows alone predict about as well: quality {prepared.labelled_only_quality:.2f}, "
            f"with unlabelled rows {best:.2f}. Rank the labelled rows only"
        )
    return sentences
