"""Lists of nearest neighbours that many targets of the same rows share, such as permuted ones.

`many_targets.py` makes `SharedLists` for a neighbourhood of k nearest rows, and asks it

1. for the lists of the first target (`of_target`), which searches the nearest rows of any class once, so many that
   almost always k rows of each class are among them;
2. for the scores of several further targets at a time (`scores`), by lists that are cut from those (`cut_lists.py`).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple, cast

import numpy as np

from ..data.expected import CONDITIONAL
from ..targets.targets import Target
from ..targets.unlabelled import Unlabelled
from ..work.threads import PARTS
from .balance import balanced_by_lists
from .cut_lists import nearest_of_classes, uncut_length, weighed_lists_of_targets
from .formats.lists import Neighbours
from .formats.pair_sums import PairList, add_pair_sums, sums_many_targets
from .neighbourhoods.k_nearest import KNearest, sort_by_id
from .outputs import Scores, add_up_lists
from .places import place_weights
from .run import Run
from .scoring import ScoredTarget
from .weight_sums import PairQuantity, sums_of_lists

ANY_SIGMA = 1.0  # a search with a `sigma` returns lists in the order of distances, which cutting them by class needs


class TargetLists(NamedTuple):
    """Lists of neighbours for one target."""

    run: Run  # of the target
    neighbours: Neighbours


@dataclass
class SharedLists:
    """Lists of the nearest rows of any class, searched when the first target asks for them.

    Attributes
    ----------
    start : callable
        Starts a run for a target.
    neighbourhood : KNearest
        Neighbourhood with k, and the weights of places in lists.
    run : Run, optional
        Run of the first target, without classes.
    neighbours : Neighbours, optional
        Nearest rows (m, 1, length) of any class; None: they are not searched yet.
    """

    start: Callable[[Target], Run]
    neighbourhood: KNearest
    run: Run | None = None
    neighbours: Neighbours | None = None

    @property
    def are_searched(self) -> bool:
        """True if the lists were searched, and scores are sums over their pairs."""
        run = self.run
        if run is None or run.means or run.features.missing or run.update.above_mean:
            return False
        return self.neighbours is not None

    def of_target(self, target: Target) -> TargetLists | None:
        """Return run and lists of a target; None: its lists must be searched for it alone."""
        if self.run is None:
            self.run = self.start(target if target.is_residual else Unlabelled(target.n, 1))
        run = self.run.with_target(target)
        classes = run.update.search_groups(run.target)
        if run.features.missing and (classes is not None or run.strategy == CONDITIONAL):
            return None  # distances, or the order of sums, depend on the classes
        k = self.neighbourhood.n_neighbors
        length = k if classes is None else uncut_length(np.bincount(classes), k)
        if length is None:
            return None
        if self.neighbours is None:
            self.neighbours = self._search(run, length, cuts_classes=classes is not None)
        if classes is None:
            return TargetLists(run, self.neighbours)
        neighbours = nearest_of_classes(self.neighbours, classes, k)
        if neighbours is None:
            return None

        # The order of lists that a search for this target alone has
        merges_classes = classes.max() > 1 and not run.update.by_class(run.target)
        needs_order = run.target.by_distance or merges_classes or self.neighbourhood.sigma is not None
        return TargetLists(run, neighbours if needs_order else sort_by_id(neighbours, run.ids))

    def scores(self, runs: Sequence[Run]) -> list[ScoredTarget | None]:
        """Return the scores for the targets of some runs of the same rows; None for those whose lists are too short."""
        if runs[0].update.parts() is not None:
            neighbours = self.neighbourhood.weigh(cast("Neighbours", self.neighbours))
            runs = [balanced_by_lists(run, neighbours) for run in runs]
        if runs[0].update.search_groups(runs[0].target) is None:
            neighbours = self.neighbourhood.weigh(cast("Neighbours", self.neighbours))
            return [*scores_of_lists(runs[0], weighed_lists(runs, neighbours))]

        # Weights of the k nearest rows of each group
        neighbours = cast("Neighbours", self.neighbours)
        k = self.neighbourhood.n_neighbors
        first = runs[0]
        by_class = first.update.by_class(first.target)
        classes = np.stack([run.target.classes for run in runs], axis=1).astype(np.int32)
        signs = _signs(runs, neighbours.rows, int(classes.max()) + 1 if by_class else 2)
        rank_weights = place_weights(k, self.neighbourhood.sigma)
        lists = weighed_lists_of_targets(
            neighbours, classes, signs, rank_weights, by_class, first.features.values.dtype
        )

        # Targets whose lists are long enough
        has_length = np.array([uncut_length(np.bincount(run.target.classes), k) is not None for run in runs])
        is_scored = has_length & ~lists.is_short
        if not is_scored.any():
            return [None] * len(runs)

        # Scores for them
        weights = lists.pairs.weights
        pairs = lists.pairs._replace(weights=weights if is_scored.all() else weights[:, is_scored])
        scored = scores_of_lists(first, pairs)
        return [next(scored) if has_scores else None for has_scores in is_scored]

    def _search(self, run: Run, length: int, cuts_classes: bool) -> Neighbours:
        """Return lists of the nearest rows of any class, `length` rows long if they are cut by class."""
        run.work.plan(self.neighbourhood.plan(run, run.means is not None))
        if not cuts_classes:
            return run.find(self.neighbourhood)
        sigma = self.neighbourhood.sigma or ANY_SIGMA
        return run.find(replace(self.neighbourhood, n_neighbors=length, sigma=sigma))


def weighed_lists(runs: Sequence[Run], neighbours: Neighbours) -> PairList:
    """Return the pairs of weighed lists, with weights for the targets of T runs of the same rows."""
    weights = [run.update.pair_weights(neighbours, run.target, len(neighbours.rows)) for run in runs]
    return PairList.of_lists(neighbours.rows, neighbours.cols, weights, runs[0].sums.dtype)


def _signs(runs: Sequence[Run], rows: np.ndarray, n_groups: int) -> np.ndarray:
    """Return the factors (m, G, T) of the mean diffs of groups, all of which have neighbours, in T scores."""
    m = len(rows)
    present = np.ones((m, n_groups), bool)
    of_targets = [cast("Any", run.update).signs(present, rows, run.target) for run in runs]
    return np.asarray(np.stack(of_targets, axis=2) / m)


def scores_of_lists(run: Run, pairs: PairList) -> Iterator[ScoredTarget]:
    """Yield the scores for each of T targets from the pairs of all rows, in the order of the rows.

    The rows are divided into PARTS parts, whose sums are added in their order.
    """
    n_targets = pairs.weights.shape[1]
    cuts = np.linspace(0, len(pairs.rows), PARTS + 1).astype(int)
    lists = [pairs.of_rows(first, last) for first, last in pairwise(cuts)]
    if sums_many_targets(run.features):

        def sums_of_part(part: int) -> np.ndarray:
            out = np.zeros((n_targets, run.features.n_padded_columns))
            run.work.tick()
            add_pair_sums(run.features, lists[part], out)
            return out

        scores = run.work.here.total(sums_of_part)[:, : run.p]
    else:
        scores_of_targets = []
        for t in range(n_targets):
            of_target = [pairs_of_part.of_target(t) for pairs_of_part in lists]
            scores_of_targets.append(add_up_lists(run, of_target, [Scores(run.sums)])[0])
        scores = np.array(scores_of_targets)
    for scores_of_target, sums in zip(scores, sums_of_lists(run.n, pairs), strict=True):
        yield ScoredTarget(run.unsort(scores_of_target), PairQuantity(run.features, run.ids, sums))
