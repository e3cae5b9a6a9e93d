"""SSL-Relief: one estimate for every kind of target, known for all rows, for some, or for none (Petkovic et al.)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from ..data.diff import Diff
from ..data.expected import CLUS
from ..data.table import DataTable
from ..relief.comparison import Comparison
from ..relief.diagnostics import describe_run
from ..relief.formats.lists import Neighbours
from ..relief.influence import influence, nearest_labelled
from ..relief.neighbourhoods.k_nearest import KNearest
from ..relief.run import Run
from ..relief.scoring import ScoredTarget, score_lists
from ..relief.shared_lists import scores_of_lists, weighed_lists
from ..relief.updates.target_change import Covariance
from ..result import Detail, Info
from ..targets.label_weights import with_label_weights
from ..targets.targets import Target
from ..targets.tasks import CLASSIFICATION, REGRESSION, SEVERAL, UNSUPERVISED
from ..work.threads import Work
from .base import ROWS, Found, MethodInput, Scored
from .details import LABELLED, OF_PAIRS, OF_TARGET_ROWS, TRIED_SETTINGS
from .inner_validation import N_NEIGHBORS, PAPER_NEIGHBORS, Setting, Tuned, too_few, tune_neighbours
from .parameter_table import AUTO, COMMON, OF_SEVERAL, PARAMETERS_OF_SETS, unusual
from .parameters import Parameter
from .row_method import RowMethod, Spread
from .traits import EQUAL_OR_NOT, Traits

HISTOGRAM_BINS = 20  # of the histogram of distances to labelled rows
PAPER = "paper"
TRIES = ". auto: by cross-validation. paper: the same, of 15, 20 and 30"
OWN = ("n_neighbors", "w0", "w1", "labelled_only", *OF_SEVERAL)


@dataclass(frozen=True)
class SSLRelief(RowMethod[Tuned]):
    """The method: neighbours of all rows, pairs weighed by how near their rows are to labelled ones."""

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
        Detail("labelled_per_target", list[int], "number of labelled rows, for each target"),
        Detail("n_neighbors", int, "number of neighbours"),
        Detail("w0", float, "influence of the unlabelled row farthest from labelled ones"),
        Detail("w1", float, "influence of the unlabelled row nearest to a labelled one"),
        Detail("nearest", list[object] | None, "distances to labelled rows: least, largest, and counts between them"),
        Detail("alone", float | None, "quality of the labelled rows alone, if they predict about as well"),
        TRIED_SETTINGS,
    )

    @cached_property  # widgets ask for those of all methods whenever they show anything
    def parameters(self) -> tuple[Parameter, ...]:
        k, *own = (PARAMETERS_OF_SETS[name] for name in (*OWN, *COMMON, "distance"))
        return (replace(k, default=AUTO, choices=(AUTO, PAPER), tooltip=k.tooltip + TRIES), *own)

    def check(self, given: Mapping[str, Any], known: np.ndarray | None = None) -> dict[str, Any]:
        values = super().check(given, known)
        w0, w1 = values["w0"], values["w1"]
        if (w0 == AUTO) != (w1 == AUTO):
            raise ValueError(f'w0 and w1 must both be numbers or both "auto", not {w0!r} and {w1!r}')
        if w0 != AUTO and w0 > w1:
            raise ValueError(f"w0 must be at most w1, not {w0} and {w1}")
        return values

    def uses_unlabelled(self, parameters: Mapping[str, Any]) -> bool:
        return not parameters["labelled_only"]

    def preparation(self, parameters: Mapping[str, Any]) -> float:
        return 0.85 if isinstance(parameters["n_neighbors"], str) or parameters["w0"] == AUTO else 0.3

    def prepare(self, data: MethodInput[Tuned]) -> Tuned:
        table = data.table
        values = data.parameters
        work = data.work
        target = with_label_weights(data.target, values)
        k, w0, w1 = (values[name] for name in ("n_neighbors", "w0", "w1"))
        partly = target.labelled.any() and not target.labelled.all()
        ks = (k,) if not isinstance(k, str) else N_NEIGHBORS if k == AUTO and partly else PAPER_NEIGHBORS
        grid = [Setting(k_, *pair) for k_ in ks for pair in _pairs(target, w0, w1)]

        def start(kept: np.ndarray, target: Target, chosen: np.ndarray, k: int) -> Callable[[Setting], np.ndarray]:
            near = nearest_labelled(_form(table, values, kept), target.labelled, work)
            return Ranker.start(_form(table, values, kept, data.groups), target, chosen, work, k, near).scores

        found: dict[Setting, np.ndarray] = {}
        if len(grid) > 1:
            of_labelled = () if not partly else PAPER_NEIGHBORS if isinstance(k, str) else ks
            settings = grid + [Setting(k_, 1, 1, alone=True) for k_ in of_labelled]
            about = table.unpacked(), target, settings, start, data.random_state, work, data.groups
            with work.part(0, 0.95):
                found = dict(tune_neighbours(*about))
        with work.part(0.95, 1):
            distances = nearest_labelled(_form(table, values), target.labelled, work)
        tried = tuple((setting, float(each.mean())) for setting, each in found.items() if not setting.alone)
        best = max(tried, key=lambda pair: pair[1])[0] if tried else grid[0]
        alone = None
        if known := [each for setting, each in found.items() if setting.alone]:
            simple = max(known, key=np.mean)
            gain = found[best] - simple
            if gain.mean() <= gain.std(ddof=1) / np.sqrt(len(gain)):  # within one standard error
                alone = float(simple.mean())
        return Tuned(best, tried, distances, len(grid) > 1 and not tried, alone)

    def scores(self, data: MethodInput[Tuned]) -> Found:
        return self._found(data, self._ranker(data))

    def for_targets(self, data: MethodInput[Tuned], targets: Iterable[Target]) -> Iterator[Scored]:
        spread = Spread.of(self, data)
        rankers: list[Ranker] = []

        def of(target: Target) -> Ranker:
            if not rankers:
                rankers.append(self._ranker(replace(spread.data, target=target)))
            run = rankers[0].run.with_target(with_label_weights(target, data.parameters))
            return replace(rankers[0], run=run, labelled=target.labelled)

        def alone(target: Target) -> Found:
            return self._found(replace(spread.data, target=target), of(target))

        def together(targets: list[Target]) -> Iterator[ScoredTarget]:
            setting = data.preparation.setting
            runs = [of(target).weighed(setting) for target in targets]
            return scores_of_lists(runs[0], weighed_lists(runs, rankers[0].near.cut(setting.k).weigh()))

        shares = lambda: rankers[0].run.means is None and not rankers[0].run.features.missing  # noqa: E731
        yield from spread.in_turn(targets, alone, shares, together)

    @staticmethod
    def _ranker(data: MethodInput[Tuned]) -> "Ranker":
        """Lists of neighbours of the chosen rows."""
        values, prepared = data.parameters, data.preparation
        target, chosen = with_label_weights(data.target, values), data.target_rows
        comparison = _form(data.table, values, None, data.groups)
        return Ranker.start(comparison, target, chosen, data.work, prepared.setting.k, prepared.nearest)

    @staticmethod
    def _found(data: MethodInput[Tuned], ranker: "Ranker") -> Found:
        values, prepared = data.parameters, data.preparation
        target, setting = data.target, prepared.setting
        run = ranker.weighed(setting)
        scoring = score_lists(run, ranker.near.cut(setting.k).weigh(), data.outputs)
        scores, each = run.unsort(scoring.scores), None
        if values["per_target"] and target.task in SEVERAL:
            each = np.array([ranker.scores(setting, part) for part in range(len(target.names))])
        labelled = target.labelled
        warnings = []
        information = []
        spread: list[object] | None = None  # least and largest distance to labelled rows, and counts between them
        if labelled.any() and not labelled.all():
            counts, edges = np.histogram(prepared.nearest[~labelled], HISTOGRAM_BINS)
            spread = [float(edges[0]), float(edges[-1]), counts.tolist()]
        if not scores.any() and setting.w1 == 0 and not ranker.labelled.all():
            warnings.append(
                "no labelled row has a labelled one among its neighbours, so that all scores are 0. "
                "Set w1 above 0, use more neighbours, or rank the labelled rows only"
            )
        if prepared.few and labelled.any():
            information.append(too_few("neighbours and influence"))
        if prepared.alone is not None:
            best = max(quality for _, quality in prepared.tried)
            text = f"labelled rows alone predict about as well: quality {prepared.alone:.2f}, with unlabelled rows "
            information.append(f"{text}{best:.2f}. Rank the labelled rows only")
        info = {
            **describe_run(ranker.run),
            "labelled": int(labelled.sum()),
            "labelled_per_target": target.counts,
            "n_neighbors": setting.k,
            "w0": setting.w0,
            "w1": setting.w1,
            "nearest": spread,
            "alone": prepared.alone,
            "tuning": [[s.k, s.w0, s.w1, score] for s, score in prepared.tried] or None,
            "warnings": warnings,
            "information": information,
        }
        return Found(scores, each, info, quantities=scoring.quantities)

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        """Choices in words: "k = 15, influence 0.25 to 1, 120 of 900 rows labelled"."""
        out = [f"k = {info['n_neighbors']}"]
        if 0 < info["labelled"] < info["rows"]:
            out.append(f"influence {info['w0']:g} to {info['w1']:g}")
            out.append(f"{info['labelled']:,} of {info['rows']:,} rows labelled")
        return [*out, *unusual(parameters, info)]


@dataclass
class Ranker:
    """Lists of neighbours, found once, and the scores that different settings make of them."""

    run: Run
    near: Neighbours
    labelled: np.ndarray  # as the caller numbers rows
    nearest: np.ndarray

    @classmethod
    def start(
        cls, comparison: Comparison, target: Target, chosen: np.ndarray, work: Work, k: int, distances: np.ndarray
    ) -> "Ranker":
        """Lists of neighbours of the chosen rows; distances (n,) of all to the nearest labelled row."""
        run = Run.start(comparison, target, Covariance(), chosen, work)
        work.plan(run.n_pairs)
        return cls(run, run.find(KNearest(k), ordered=True), target.labelled, distances)

    def scores(self, setting: Setting, part: int | None = None) -> np.ndarray:
        """Scores (p,) by a setting; part: number of one of several targets, None: all of them together."""
        run = self.weighed(setting)
        if part is not None:
            run = replace(run, target=run.target.part(part))
        return run.unsort(score_lists(run, self.near.cut(setting.k).weigh()).scores)

    def weighed(self, setting: Setting) -> Run:
        """The run with an update in which rows have the influence of a setting."""
        found = influence(self.labelled, self.nearest, setting.w0, setting.w1)
        return replace(self.run, update=Covariance(influence=found[self.run.ids]))


def _form(
    table: DataTable, values: Mapping[str, Any], kept: np.ndarray | None = None, groups: np.ndarray | None = None
) -> Comparison:
    return Comparison(table, kept, values["missing"] or CLUS, Diff.of(values), values["distance"], subjects=groups)


def _pairs(target: Target, w0: float | str, w1: float | str) -> list[tuple[float, float]]:
    """Influences to try: where all rows are labelled or none is, they do not matter."""
    if w0 != AUTO:
        return [(cast("float", w0), cast("float", w1))]
    labelled = target.labelled
    if labelled.all() or not labelled.any():
        return [(0.0, 1.0)]
    grid = (0.0, 0.25, 0.5, 0.75, 1.0)
    return [(low, high) for low in grid for high in grid if low <= high]
