"""One ranking under way: it drives the parts of a method."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any, cast

import numpy as np

from ..data.expected import CLUS, CONDITIONAL, IGNORE, SEPARATE
from ..targets.targets import Target
from ..targets.tasks import SEVERAL
from ..work.threads import PARTS, Work
from .comparison import Comparison, sums_for
from .diff_moments import DiffMoments
from .formats.distance import COSINE, Distance
from .formats.excess import ExcessMeans, ExcessSums, limits
from .formats.lists import Neighbours, RowMeans, joined
from .formats.pair_sums import LimitedPairs, PairList
from .formats.sums import Sums
from .neighbourhoods.base import Blocks, Neighbourhood, Produces, Weigh
from .neighbourhoods.k_nearest import KNearest
from .neighbourhoods.row_pairs import RowPairs
from .neighbourhoods.search import KeyLists, offer_pairs
from .outputs import ChannelSums, Listed, Output, Scores, States, Total
from .standard_errors import standard_errors, tells_errors
from .updates.base import Update
from .weight_sums import PairWeights, sums_of_lists

# Pairs of rows up to which, and features for each row from which, zones of packed genotypes are lists: then their pairs
# are counted, which is faster than weights of tiles, but lists take time of their own.
MAX_LISTED, FEATURES_PER_ROW = 2**24, 5
ROWS_AT_ONCE = 32  # whose means are taken together
ROWS_OF_PART = 64  # target rows, at least, whose lists are summed together: fewer take less time than the call
# Features from which on the sum over a pair, some p / 2 ns, takes longer than to send its row, column and weight.
FEATURES_WORTH_SENDING = 1000
FEATURES_TO_BALANCE = 64  # by whose diffs two parts of an update are balanced


@dataclass(frozen=True, eq=False)
class Scoring:
    """Scores for a target, and facts about the neighbours that they are made of."""

    scores: np.ndarray  # (p,): as the run orders features
    quantities: Sequence[Any] = ()  # by the outputs that were asked for; none where scores are not sums over pairs
    # Whether distances in single precision decide on which side of a limit pairs are
    rough: bool = False
    n_neighbors: np.ndarray | None = None  # (m, G): numbers of neighbours, where each row has its own
    skipped: np.ndarray | None = None  # (m,): rows that add nothing, where the update skips rows
    errors: Callable[[], np.ndarray] | None = None  # makes standard errors (p,) of the scores


@dataclass(frozen=True)
class Run(RowPairs):
    """One ranking under way.

    A run asks a neighbourhood, which sees it as `RowPairs`, for pairs of rows, and the update for their weights, and
    adds up weighted diffs.  How it does so depends on what the neighbourhood produces:

    - lists of all target rows (k nearest): `score_found` weighs them, `score_lists` adds up all pairs;
    - pairs within thresholds, or weights of tiles: `score_folded_pairs`, with one weight for each pair i < j;
    - lists of some rows after another: `score_blocks`.  So are all lists where missing values are ignored, since means
      are then taken row by row.

    An update of two parts is first replaced by one whose parts are balanced (`balanced`).
    """

    target: Target  # of the rows, in run order
    update: Update  # what neighbours mean for the scores
    sums: Sums  # the data as sums over pairs, and means over rows, read them
    means: RowMeans | None  # None: scores are sums over pairs
    strategy: str = IGNORE  # for missing values

    @classmethod
    def start(
        cls,
        comparison: Comparison,
        target: Target,
        update: Update,
        targets: np.ndarray,
        work: Work,
        levels: np.ndarray | None = None,
    ) -> "Run":
        """Prepare a ranking: rows are put in order, values are scaled.

        Parameters
        ----------
        comparison : Comparison
            Rows, and how they are compared.
        target : Target
            Target of these rows.
        update : Update
            Weights of pairs of neighbours in the scores.
        targets : (n,) bool array
            Rows whose neighbours are searched.
        work : Work
            Threads, progress, and the wish to stop.
        levels : (n,) int array, optional
            Step at which a row becomes a target row, where there are more and more of them.
        """
        comparison = comparison.of_compared_rows()
        work.plan(1)  # of which nothing is done: what was before may have ended

        # Order of the rows: targets first, then by class
        classes = update.search_groups(target)
        groups = np.zeros(len(targets), np.int32) if classes is None else classes
        order = np.lexsort((groups, ~targets if levels is None else levels))

        # Features in this order, scaled, and distances
        prepared = comparison.prepared(order, groups[order], update.above_mean, work)
        if comparison.distance == COSINE:
            target = target.for_features(1)  # rows without a target differ by the distance, which is in [0, 1]

        # Sums over pairs, or means row by row
        features = prepared.features
        means = None
        if comparison.average or (features.missing is not None and features.missing.ignore):
            means = ExcessMeans(features) if update.above_mean else RowMeans(features, comparison.average)
        weights = None if comparison.weights is None else comparison.weights[order]
        return cls(
            features=features,
            groups=groups[order],
            ids=order,
            m=int(targets.sum()),
            distance=prepared.distance,
            work=work,
            double=prepared.double,
            subjects=None if comparison.subjects is None else comparison.subjects[order],
            weights=weights,
            target=target.take(order),
            update=update if weights is None else update.weighted(weights),
            sums=ExcessSums(features) if update.above_mean else sums_for(features, prepared.distance),
            means=means,
            strategy=comparison.strategy,
        )

    def with_target(self, target: Target) -> "Run":
        """Return this run for another target of the rows as the caller numbers them.

        The order of the rows, and the groups that neighbours are searched in, stay those of the first target: no search
        by classes may follow.
        """
        target = target.for_features(1) if self.distance.is_share else target
        return replace(self, target=target.take(self.ids))

    def scored(self, neighbourhood: Neighbourhood, each: bool = False, outputs: Sequence[Output] = ()) -> list[Scoring]:
        """Scores by a neighbourhood, and after them, if wanted, those for each of several targets from the same lists;
        outputs: for the first ones, where scores are sums over pairs."""
        count = len(self.target.names) if each and self.target.task in SEVERAL else 0
        found, near = [], None
        for number in self.work.split(1 + count):
            run = replace(self, target=self.target.part(number - 1)) if number else self
            if neighbourhood.produces != Produces.ALL_LISTS:
                found.append(run.score_pairs(neighbourhood, outputs))
                continue
            if near is None:
                self.work.plan(neighbourhood.plan(self, self.means is not None))
                near = self.find(neighbourhood)
            found.append(run.score_found(neighbourhood, near, outputs))
        return found

    def score_found(self, neighbourhood: Neighbourhood, near: Neighbours, outputs: Sequence[Output] = ()) -> Scoring:
        """Scores from the lists that a neighbourhood found, which are weighed first."""
        near = neighbourhood.weigh(self.update.regroup(near, self.target, self.ids, neighbourhood.n_neighbors))
        return self.balanced(neighbourhood, near).score_lists(near, outputs)

    def score_pairs(self, neighbourhood: Neighbourhood, outputs: Sequence[Output] = ()) -> Scoring:
        """Scores by a neighbourhood whose pairs come in blocks, as lists or as tiles of weights."""
        if self.update.parts() is not None:
            return self._score_balanced_pairs(neighbourhood, outputs)
        relation = self.update.relation(self.target)
        if neighbourhood.produces == Produces.BLOCKS or self._takes_lists(neighbourhood, outputs):
            self.work.plan(neighbourhood.plan(self, True))
            return self.score_blocks(neighbourhood.blocks(self, relation), neighbourhood.adapts)
        run = self.remembering(neighbourhood.produces == Produces.ZONES)
        run.work.plan(neighbourhood.plan(run, False))
        return run.score_folded_pairs(neighbourhood.tiles(run, relation), outputs)

    def _takes_lists(self, neighbourhood: Neighbourhood, outputs: Sequence[Output]) -> bool:
        """True if a neighbourhood that weighs tiles has to list its pairs.

        That is so where means are taken row by row, where rows have weights, and for few rows of packed genotypes,
        whose pairs are counted.
        """
        if self.means is not None or self.weights is not None:
            return True
        is_wide = self.p >= FEATURES_PER_ROW * self.n and self.n * self.m <= MAX_LISTED
        return self.sums.at_once and neighbourhood.produces == Produces.ZONES and not outputs and is_wide

    def _score_balanced_pairs(self, neighbourhood: Neighbourhood, outputs: Sequence[Output]) -> Scoring:
        """Scores by an update of two parts, which are balanced by the weights of all pairs first.

        The balanced update has one part: `score_pairs` does not come back here.
        """
        relation = self.update.relation(self.target)
        if self.weights is not None:
            self.work.plan(neighbourhood.plan(self, True))
            blocks = neighbourhood.blocks(self, relation)
            near = joined(self.reduce(blocks, [Listed(lambda block: block[1])])[0])
            return self.balanced(neighbourhood, near).score_lists(near, outputs)
        run = self.remembering(neighbourhood.produces == Produces.ZONES)
        settled = neighbourhood.settled(run, relation)
        balanced = run.balanced(settled)
        if self._takes_lists(neighbourhood, outputs):
            return replace(self, update=balanced.update).score_pairs(neighbourhood)
        return balanced.score_pairs(settled, outputs)

    def balanced(self, neighbourhood: Neighbourhood, near: Neighbours | None = None) -> "Run":
        """The run with an update whose two parts have the same deviation, by weighed lists, or by tiles; the same run
        where the update has one part."""
        parts = self.update.parts()
        if parts is None:
            return self
        if near is not None:
            weights = [part.pair_weights(near, self.target, len(near.rows)) for part in parts]
            pairs = PairList.of_lists(near.rows, near.cols, weights, np.dtype(np.float64))
            sums = sums_of_lists(self.n, pairs)
        else:
            sums = []
            for part in parts:
                run = replace(self, update=part)
                tiles = neighbourhood.tiles(run, part.relation(self.target))
                sums.append(self.reduce(tiles, [PairWeights()])[0][2])
        some = np.unique(np.linspace(0, self.p - 1, FEATURES_TO_BALANCE).astype(int))
        return replace(self, update=self.update.balanced(DiffMoments.typical(self.features, some), sums))

    def reduce(
        self, blocks: Callable[[int], Iterable[Any]] | Sequence[Sequence[Any]], outputs: Sequence[Output]
    ) -> list[Any]:
        """Add up blocks of pairs, part by part.

        Parameters
        ----------
        blocks : function or sequence
            Makes the blocks of a part, from its number; or the blocks of each part, at most PARTS.
        outputs : sequence of Output
            Quantities to be added up.

        Returns
        -------
        list
            One quantity by each output.
        """
        work = self.work

        def states(found: Iterable[Any]) -> States:
            out = [output.zeros() for output in outputs]
            for block in found:
                work.tick()
                out = [output.add(state, block) for output, state in zip(outputs, out, strict=True)]
            return States(out)

        collects = any(output.collects for output in outputs)
        if callable(blocks):  # where outputs keep pairs, these stay in this process
            run = replace(self, work=work.here) if collects else self
            total = run.total(lambda part: states(blocks(part)))
        elif work.remote and self.p >= FEATURES_WORTH_SENDING and not collects:  # to the workers of a cluster
            total = cast("States", sum(work.spread(states, blocks)))
        else:
            total = work.here.total(lambda part: states(blocks[part]), len(blocks))
        return [output.finish(state, self) for output, state in zip(outputs, total.each, strict=True)]

    def score_lists(self, near: Neighbours, outputs: Sequence[Output] = ()) -> Scoring:
        """Scores from the lists of the m target rows, or of fewer of them.

        Rows are added up in the caller's order, so that the bits do not depend on the classes that they are sorted by.
        """
        self.distance.forget()
        if self.means is not None:
            return self.score_blocks(in_blocks(near))
        near = self.in_order_of_ids(near)
        m = len(near.rows)
        weights = self.update.pair_weights(near, self.target, m)
        pairs = self._pairs(near, weights)
        n_parts = min(PARTS, -(-m // ROWS_OF_PART))
        cuts = np.linspace(0, m, n_parts + 1).astype(int)
        parts = [[pairs.of_rows(first, last)] for first, last in pairwise(cuts)]
        scores: np.ndarray = self.reduce(parts, [Scores(self.sums)])[0]
        skipped = self.update.skipped(near, self.target)
        if self.update.above_mean:  # whose diffs are others
            return Scoring(scores, skipped=skipped)
        errors = None
        if self.m < self.n and tells_errors(self.features, self.update):
            errors = partial(standard_errors, self, near, weights, scores)
        quantities = [output.of_lists(cast("PairList", pairs), self) for output in outputs]
        return Scoring(scores, quantities, skipped=skipped, errors=errors)

    def in_order_of_ids(self, near: Neighbours) -> Neighbours:
        """Lists in the caller's order of rows."""
        ids = self.ids[near.rows]
        return near[np.argsort(ids)] if (np.diff(ids) < 0).any() else near

    def score_blocks(self, blocks: Blocks, counts: bool = False) -> Scoring:
        """Scores from lists that come in blocks of rows; counts: whether each row has its own number of neighbours."""
        update, target = self.update, self.target
        n_neighbors = Listed(lambda block: block[1].counts)
        skipped = Listed(lambda block: update.skipped(block[1], target))
        sums, totals, noted = self.channel_sums(blocks, [skipped, n_neighbors] if counts else [skipped])
        # Rows of each block, or None of each, as the update skips rows or not
        of_blocks = [rows for rows in noted[0] if rows is not None]
        return Scoring(
            update.scores(sums, totals, self.m),
            n_neighbors=np.concatenate(noted[1]) if counts else None,
            skipped=np.concatenate(of_blocks) if of_blocks else None,
        )

    def channel_sums(self, blocks: Blocks, notes: Sequence[Output] = ()) -> tuple[np.ndarray, np.ndarray, list[Any]]:
        """Sums (C, p) of the channels of the update and its totals, (s,) or (s, p), over all lists of blocks; and the
        quantities of further outputs."""
        update = self.update
        target = self.target
        n_channels = update.n_channels
        if self.means is not None:
            added, *noted = self.reduce(blocks, [Total(self.of_means), *notes])
            return added[:n_channels], added[n_channels:], noted
        totals = Total(lambda block: update.totals(block[1], target))
        sums, added, *noted = self.reduce(blocks, [ChannelSums(self.sums, n_channels, self.weigh), totals, *notes])
        return sums, added, noted

    def of_means(self, block: tuple[float, Neighbours]) -> np.ndarray:
        """Sums of the channels and totals, (C + s, p), of some target rows, from means that are taken row by row."""
        factor, near = block
        spans = [np.concatenate(self.update.from_means(near, means, self.target)) for means in self.mean_spans()]
        added: np.ndarray = np.concatenate(spans, axis=1)
        added[: self.update.n_channels] *= factor
        return added

    def score_folded_pairs(self, weigh: Weigh, outputs: Sequence[Output] = ()) -> Scoring:
        """Scores from one weight for each pair i < j, in lists or in tiles."""
        scores, *quantities = self.reduce(weigh, [Scores(self.sums), *outputs])
        return Scoring(scores, quantities, rough=not self.has_few_pairs)

    def mean_spans(self) -> Iterator[RowMeans]:
        """Means over lists, of some features each."""
        return (RowMeans(self.features) if self.means is None else self.means).spans()

    def _pairs(self, near: Neighbours, weights: np.ndarray) -> PairList | LimitedPairs:
        """Pairs of lists with their weights (b, G, k), and where only diffs above the mean count their limits."""
        pairs = PairList.of_lists(near.rows, near.cols, [weights], self.sums.dtype)
        if not self.update.above_mean:
            return pairs
        weighs = (weights != 0) & (near.cols >= 0)
        return LimitedPairs(pairs, limits(near, self.p)[weighs])

    def weigh(self, block: tuple[float, Neighbours]) -> Sequence[PairList | LimitedPairs]:
        """Pairs of the lists of a block with their weights in each channel."""
        factor, near = block
        return [self._pairs(near, factor * channel) for channel in self.update.channels(near, self.target)]

    def find(self, neighbourhood: Neighbourhood, ordered: bool = False) -> Neighbours:
        """Lists of all targets, not weighed; ordered: whether they will be cut, or looked into."""
        return neighbourhood.find(self, ordered or self.in_order)

    @property
    def in_order(self) -> bool:
        """True if the order of lists matters, or their distances do."""
        merged = self.n_groups > 2 and not self.update.by_class(self.target)
        return self.target.by_distance or self.update.above_mean or merged

    def unsort(self, scores: np.ndarray) -> np.ndarray:
        """Scores (p,) in the order of the features of the run -> in the caller's, 0 for constant ones."""
        scores = self.features.unsort(scores)
        scores[self.without_score] = 0
        return scores

    @property
    def without_score(self) -> np.ndarray:
        """Mask (p,) of the features whose score is 0, in the caller's order: constant ones."""
        of_one_value = self.strategy not in (SEPARATE, CLUS)  # there a missing value differs from the only known one
        return self.features.constant & of_one_value

    def result(self, scorings: Sequence[Scoring]) -> tuple[np.ndarray, np.ndarray | None, dict[str, object]]:
        """Scores (p,) and those for each of several targets (t, p), in the caller's order, and facts."""
        first, *each = [self.unsort(scoring.scores) for scoring in scorings]
        return first, np.array(each) if each else None, self.diagnostics(scorings[0])

    def diagnostics(self, scoring: Scoring | None = None, settled: bool = True) -> dict[str, object]:
        """Facts about the run and a scoring, as plain literals."""
        f, approximate = self.features, []  # differences from double precision throughout, with their size, in words
        if f.values.dtype == np.float32:
            approximate.append("scores: sums in single precision, errors below 1e-7 (with missing values 1e-6)")
        if scoring is not None and scoring.rough:
            approximate.append("pairs whose distance is within 4e-6 of a limit may be on either side of it")
        if self.double and (not settled or (f.missing and self.strategy == CONDITIONAL)):
            approximate.append("rows whose distances agree in six digits may change places among the neighbours")
        out: dict[str, object] = {"strategy": self.strategy if f.missing else None, "diff": f.diff.kind}
        out |= {"precision": f.values.dtype.name, "approximate": approximate}
        if scoring is None:
            return out
        if scoring.n_neighbors is not None:
            k, sizes = scoring.n_neighbors, np.array([self.n - 1])
            if k.shape[1] > 1 and self.update.by_class(self.target):
                sizes = np.maximum(np.bincount(self.target.classes, minlength=k.shape[1]), 1)
            out |= {"k_median": float(np.median(k)), "k_share": [float(v) for v in k.mean(axis=0) / sizes]}
        if scoring.errors is not None:
            out["standard_errors"] = self.unsort(scoring.errors()).tolist()
        if scoring.skipped is not None:
            out["skipped"] = float(scoring.skipped.mean())
        return out


def in_blocks(near: Neighbours) -> Blocks:
    """Lists, some rows at a time."""
    blocks = [near[s : s + ROWS_AT_ONCE] for s in range(0, len(near.rows), ROWS_AT_ONCE)]
    return lambda part: ((1.0, block) for block in blocks[part::PARTS])


def additive_sums(run: Run, neighbourhood: Neighbourhood) -> np.ndarray:
    """Sums of the channels and totals, (C + s, p), over the target rows of a run, to which those over other rows may be
    added; or (1, p), where scores are means of them.  Features are in the caller's order."""
    if run.means is None and neighbourhood.produces == Produces.ZONES:
        return run.m * run.unsort(run.scored(neighbourhood)[0].scores)[None]
    run.work.plan(neighbourhood.plan(run, True))
    if neighbourhood.produces == Produces.ALL_LISTS:
        near = run.update.regroup(run.find(neighbourhood), run.target, run.ids, neighbourhood.n_neighbors)
        blocks = in_blocks(neighbourhood.weigh(near))
    else:
        blocks = neighbourhood.blocks(run, run.update.relation(run.target))
    run.distance.forget()
    sums, totals, _ = run.channel_sums(blocks)
    of_features = [np.broadcast_to(row, run.p) for row in (*sums, *totals)]
    out: np.ndarray = run.features.unsort(np.array(of_features))
    out[:, run.without_score] = 0
    return out


class Growth:
    """Lists of the first rows of a run, more and more of them."""

    def __init__(self, run: Run, neighbourhood: KNearest):
        self._run, self._neighbourhood = run, neighbourhood
        self._lists = KeyLists.empty(run.n_groups, run.m, neighbourhood.list_length(run))
        self._near: list[Neighbours] = []
        self._done = 0

    def extend(self, m: int) -> tuple[Run, Neighbours]:
        """The run of the first m rows, a multiple of 64 unless these are all, and their lists."""
        run, first = replace(self._run, m=m), self._done
        run.work.plan((m - first) * (run.n - (m + first) / 2))
        offer_pairs(run, first, self._lists, self._neighbourhood.n_neighbors)
        self._near.append(self._neighbourhood.listed(run, self._lists.of_rows(first, m), run.in_order, first))
        self._done = m
        parts = [(near.rows, near.cols, near.distances) for near in self._near]
        near = Neighbours(*(np.concatenate(a) for a in zip(*parts, strict=True)))
        self._near = [near]
        if m < self._run.m:
            run = replace(run, distance=Distance())  # whose memory is still needed
        return run, self._neighbourhood.trimmed(near)
