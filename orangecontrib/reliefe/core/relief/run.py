"""One ranking of the Relief family: rows in the order of the run, their features and distances, the target, the update.

Methods start a run (`Run.start`) and ask for its scores:

1. `Run.start` puts the rows in order, scales the features and prepares distances (`comparison.py`).
2. `Run.find`, or a neighbourhood itself, selects the pairs of rows that count.  It sees the run as `RowPairs`.
3. `scoring.py` weighs these pairs by the update, and adds up weighted diffs.
4. `Run.unsort` returns to the order in which the caller has the features; `diagnostics.py` describes the run.

Callers are `core/methods`, `core/learned`, `core/reweighting`, and the files of this folder for many targets
(`many_targets.py`) and many numbers of neighbours (`every_k.py`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..data.expected import CLUS, IGNORE, SEPARATE
from ..targets.targets import Target
from ..work.threads import Work
from .comparison import Comparison, sums_for
from .formats.distance import COSINE
from .formats.excess import ExcessMeans, ExcessSums
from .formats.features import Features
from .formats.lists import Neighbours
from .formats.row_means import RowMeans
from .formats.sums import Sums
from .neighbourhoods.base import Neighbourhood
from .neighbourhoods.row_pairs import RowPairs
from .updates.base import Update


@dataclass(frozen=True)
class Run(RowPairs):
    """One ranking under way: what `RowPairs` has, and the target, the update and the sums of these rows.

    Rows are in run order: target rows first, then by class.  `ids` (n,) has their numbers in the caller's order.

    Attributes
    ----------
    target : Target
        Target of the n rows, in run order.
    update : Update
        Weights of pairs of neighbours in the scores.
    sums : Sums
        Sums over pairs of weight times diff, for the format of the features.
    means : RowMeans, optional
        Means of the diffs of each row to its neighbours, where scores are made of these; None: scores are sums over
        pairs.
    strategy : str
        Name of the strategy for missing values, of `data.expected`.
    """

    target: Target
    update: Update
    sums: Sums
    means: RowMeans | None
    strategy: str = IGNORE

    @classmethod
    def start(
        cls,
        comparison: Comparison,
        target: Target,
        update: Update,
        is_target_row: np.ndarray,
        work: Work,
        levels: np.ndarray | None = None,
    ) -> "Run":
        """Put rows in order, scale their features, and prepare distances and sums.

        Parameters
        ----------
        comparison : Comparison
            Rows, and how they are compared.
        target : Target
            Target of these rows.
        update : Update
            Weights of pairs of neighbours in the scores.
        is_target_row : (n,) bool array
            Rows whose neighbours are searched.
        work : Work
            Threads, progress, and the wish to stop.
        levels : (n,) int array, optional
            Number of the partial ranking from which on a row is a target row, where there are more and more of them.
        """
        comparison = comparison.of_compared_rows()
        work.plan(1)  # no unit is done yet, whatever was counted before

        # Order of the rows: target rows first, then by class
        classes = update.search_groups(target)
        groups = np.zeros(len(is_target_row), np.int32) if classes is None else classes
        order = np.lexsort((groups, ~is_target_row if levels is None else levels))

        # Features in this order, scaled, and distances
        prepared = comparison.prepared(order, groups[order], update.above_mean, work)
        if comparison.distance == COSINE:
            target = target.for_features(1)  # rows without a target differ by the distance, which is in [0, 1]

        # Sums over pairs, or means row by row
        features = prepared.features
        row_weights = None if comparison.row_weights is None else comparison.row_weights[order]
        return cls(
            features=features,
            groups=groups[order],
            ids=order,
            m=int(is_target_row.sum()),
            distance=prepared.distance,
            work=work,
            double=prepared.double,
            subjects=None if comparison.subjects is None else comparison.subjects[order],
            row_weights=row_weights,
            target=target.take(order),
            update=update if row_weights is None else update.weighted(row_weights),
            sums=ExcessSums(features) if update.above_mean else sums_for(features, prepared.distance),
            means=_row_means(features, update, comparison.average),
            strategy=comparison.strategy,
        )

    def with_target(self, target: Target) -> "Run":
        """Return this run for another target of the same rows, which are in the caller's order.

        The order of the rows, and the groups that neighbours are searched in, stay those of the first target.  So no
        search by classes may follow.
        """
        target = target.for_features(1) if self.distance.is_share else target
        return replace(self, target=target.take(self.ids))

    def find(self, neighbourhood: Neighbourhood, ordered: bool = False) -> Neighbours:
        """Return lists of the neighbours of all target rows, not weighed.

        Parameters
        ----------
        neighbourhood : Neighbourhood
            One that produces lists of all target rows.
        ordered : bool
            True: the caller needs lists in the order of exact distances, even if the update does not.
        """
        return neighbourhood.find(self, ordered or self.needs_order)

    @property
    def needs_order(self) -> bool:
        """True if the target or the update reads the distances of neighbours, or their order."""
        merges_classes = self.n_groups > 2 and not self.update.by_class(self.target)
        return self.target.by_distance or self.update.above_mean or merges_classes

    @property
    def longest_list(self) -> int:
        """Number of rows beyond which no list of neighbours of a row can grow, however many neighbours are asked for.

        Lists are of all other rows, or of each class, or of the own class and of all others.
        """
        classes = self.update.search_groups(self.target)
        sizes = np.array([self.n]) if classes is None else np.unique(classes, return_counts=True)[1]
        if len(sizes) == 1:
            return self.n - 1
        return int(sizes.max() if self.update.by_class(self.target) else self.n - sizes.min())

    def sorted_by_id(self, neighbours: Neighbours) -> Neighbours:
        """Return lists of neighbours in the caller's order of rows.

        Sums over them are added in this order, so that the bits do not depend on the classes that rows are sorted by.
        """
        ids = self.ids[neighbours.rows]
        is_sorted = not (np.diff(ids) < 0).any()
        return neighbours if is_sorted else neighbours[np.argsort(ids)]

    def mean_spans(self) -> Iterator[RowMeans]:
        """Yield the means of the diffs of each row to its neighbours, for one span of features after another."""
        return (RowMeans(self.features) if self.means is None else self.means).spans()

    def unsort(self, scores: np.ndarray) -> np.ndarray:
        """Return scores (p,), which are in the order of the run, in the caller's order of features.

        Constant features have a score of 0.
        """
        scores = self.features.unsort(scores)
        scores[self.without_score] = 0
        return scores

    @property
    def without_score(self) -> np.ndarray:
        """Mask (p,) of the features whose score is 0, in the caller's order: constant ones."""
        # With these strategies a missing value differs from the only observed one
        of_one_value = self.strategy not in (SEPARATE, CLUS)
        return self.features.constant & of_one_value


def _row_means(features: Features, update: Update, to_average: bool) -> RowMeans | None:
    """Return the means row by row that scores are made of, or None if scores are sums over pairs.

    Means are taken row by row where missing values are ignored, and where a row is compared with the mean of its
    neighbours (`to_average`).
    """
    ignores_missing = features.missing is not None and features.missing.ignore
    if not (to_average or ignores_missing):
        return None
    return ExcessMeans(features) if update.above_mean else RowMeans(features, to_average)
