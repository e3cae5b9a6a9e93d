"""Scores of a run by the pairs of rows that a neighbourhood selects.

Methods call `score` when their run has started.  Those that have lists of neighbours already call `score_found`, or
`score_lists` if the lists are weighed; re-weighting, which weighs all pairs itself, calls `score_folded_pairs`.

    function               pairs of rows that it scores by, and the function that it goes on with
    score                  those of any neighbourhood: score_found or score_without_lists, by what it produces
    score_found            lists of all target rows, not weighed: weighs them, then score_lists
    score_without_lists    anything but lists of all target rows: balances two parts of an update, then score_blocks
                           or score_folded_pairs; score_lists for an update of two parts and rows with weights
    score_lists            weighed lists of all target rows: adds up all of their pairs; score_blocks if means are
                           taken row by row
    score_blocks           weighed lists of one block of rows after another: sums over the lists first, then the
                           factors of the update
    score_folded_pairs     pairs within thresholds, or all pairs: one weight for each pair i < j, for both of its rows

Neighbourhoods state what they produce as `Produces`.  Each of them lists the pairs of one block of rows after another
if means are taken row by row (`Run.means`), or if rows have weights.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ..targets.tasks import SEVERAL
from ..work.threads import PARTS
from .balance import balanced_by_lists, balanced_by_tiles
from .channel_sums import channel_sums, in_blocks, weighed_pairs
from .formats.lists import Neighbours, joined
from .formats.pair_sums import PairList
from .neighbourhoods.base import FoldedPairs, ListBlocks, Neighbourhood, Produces
from .outputs import Listed, Output, Scores, add_up, add_up_lists
from .run import Run
from .standard_errors import standard_errors, tells_errors
from .weight_sums import PairQuantity

# Pairs of rows up to which, and features for each row from which, thresholds of packed genotypes list their pairs: then
# these are counted, which is faster than weights of tiles, but lists take time of their own.  By measurements.
MAX_LISTED_PAIRS = 2**24
MIN_FEATURES_PER_ROW = 5
MIN_ROWS_OF_PART = 64  # target rows whose lists are summed together: fewer take less time than the call


@dataclass(frozen=True, eq=False)
class Scoring:
    """Scores for a target, and facts about the neighbours that they are made of.

    Attributes
    ----------
    scores : (p,) array
        Scores in the order in which the run has the features.
    quantities : sequence
        Values of the outputs that were asked for; empty where scores are not sums over pairs.
    is_rough : bool
        True: float32 distances decide whether a pair lies within a threshold.
    n_neighbors : (m, G) array, optional
        Numbers of neighbours, where each row has its own.
    skipped : (m,) bool array, optional
        Rows that add nothing, where the update skips rows.
    errors : callable, optional
        Computes the standard errors (p,) of the scores.
    """

    scores: np.ndarray
    quantities: Sequence[Any] = ()
    is_rough: bool = False
    n_neighbors: np.ndarray | None = None
    skipped: np.ndarray | None = None
    errors: Callable[[], np.ndarray] | None = None


class ScoredTarget(NamedTuple):
    """Scores for one of many targets, and the sums of the weights that they are made of.

    Attributes
    ----------
    scores : (p,) array
        Scores in the caller's order of features.
    quantity : PairQuantity, optional
        Sums of the weights of pairs; None: scores are means of several runs.
    """

    scores: np.ndarray
    quantity: PairQuantity | None


def score(
    run: Run, neighbourhood: Neighbourhood, per_target: bool = False, outputs: Sequence[Output] = ()
) -> list[Scoring]:
    """Return the scores for the target of a run, and after them those for each of several targets.

    Parameters
    ----------
    run : Run
    neighbourhood : Neighbourhood
        Which pairs of rows count.
    per_target : bool
        Whether each of several targets has scores of its own, too, from the same lists.
    outputs : sequence of Output
        Further quantities of the pairs.  `Scoring.quantities` has one for each, or is empty on the routes without
        weights of single pairs: lists in blocks (`score_blocks`), lists of which means are taken row by row (which
        `score_lists` hands to it), and lists whose diffs count above a limit of their pair.
    """
    runs = [run]
    if per_target and run.target.task in SEVERAL:
        runs += [replace(run, target=run.target.part(number)) for number in range(len(run.target.names))]
    scorings: list[Scoring] = []
    neighbours = None
    for number in run.work.split(len(runs)):
        if neighbourhood.produces != Produces.LISTS:
            scorings.append(score_without_lists(runs[number], neighbourhood, outputs))
            continue
        if neighbours is None:
            run.work.plan(neighbourhood.plan(run, run.means is not None))
            neighbours = run.find(neighbourhood)
        scorings.append(score_found(runs[number], neighbourhood, neighbours, outputs))
    return scorings


def score_found(
    run: Run, neighbourhood: Neighbourhood, neighbours: Neighbours, outputs: Sequence[Output] = ()
) -> Scoring:
    """Return the scores from lists that a neighbourhood found, which are weighed first."""
    of_update = run.update.regroup(neighbours, run.target, run.ids, neighbourhood.n_neighbors)
    weighed = neighbourhood.weigh(of_update)
    return score_lists(balanced_by_lists(run, weighed), weighed, outputs)


def score_without_lists(run: Run, neighbourhood: Neighbourhood, outputs: Sequence[Output] = ()) -> Scoring:
    """Return the scores by a neighbourhood that does not produce the lists of all target rows at once."""
    takes_lists = neighbourhood.produces == Produces.LIST_BLOCKS or _takes_lists(run, neighbourhood, outputs)
    if run.update.parts() is not None:
        if run.row_weights is not None:
            return _score_parts_of_weighted_rows(run, neighbourhood, outputs)
        run, neighbourhood = _balanced_by_all_pairs(run, neighbourhood, takes_lists)
    relation = run.update.relation(run.target)
    if takes_lists:
        run.work.plan(neighbourhood.plan(run, True))
        return score_blocks(run, neighbourhood.list_blocks(run, relation), neighbourhood.adapts)
    run = run.remembering(neighbourhood.produces == Produces.ZONES)
    run.work.plan(neighbourhood.plan(run, False))
    return score_folded_pairs(run, neighbourhood.folded_pairs(run, relation), outputs)


def score_lists(run: Run, neighbours: Neighbours, outputs: Sequence[Output] = ()) -> Scoring:
    """Return the scores from weighed lists of the m target rows, or of fewer of them."""
    run.distance.forget()
    if run.means is not None:
        return score_blocks(run, in_blocks(neighbours))

    # Weights of the pairs in the scores
    neighbours = run.sorted_by_id(neighbours)
    m = len(neighbours.rows)
    weights = run.update.pair_weights(neighbours, run.target, m)
    pairs = weighed_pairs(run, neighbours, weights)

    # Sums over the lists of some target rows after another
    n_parts = min(PARTS, -(-m // MIN_ROWS_OF_PART))
    cuts = np.linspace(0, m, n_parts + 1).astype(int)
    lists = [pairs.of_rows(first, last) for first, last in pairwise(cuts)]
    scores: np.ndarray = add_up_lists(run, lists, [Scores(run.sums)])[0]

    skipped = run.update.skipped(neighbours, run.target)
    if not isinstance(pairs, PairList):  # a diff counts above a limit of its pair: neither errors nor outputs apply
        return Scoring(scores, skipped=skipped)
    errors = None
    if run.m < run.n and tells_errors(run.features, run.update):
        errors = partial(standard_errors, run.features, run.work, run.n, neighbours, weights, scores)
    quantities = [output.of_lists(pairs, run) for output in outputs]
    return Scoring(scores, quantities, skipped=skipped, errors=errors)


def score_blocks(run: Run, blocks: ListBlocks, counts_neighbours: bool = False) -> Scoring:
    """Return the scores from lists of one block of rows after another.

    Parameters
    ----------
    run : Run
    blocks : function
        Lists of a part of the target rows, as `Neighbourhood.list_blocks` returns it.
    counts_neighbours : bool
        Whether each row has its own number of neighbours, which is reported.
    """
    update, target = run.update, run.target
    notes = [Listed(lambda block: update.skipped(block.neighbours, target))]
    if counts_neighbours:
        notes.append(Listed(lambda block: block.neighbours.counts))
    added = channel_sums(run, blocks, notes)
    skipped_of_blocks = [rows for rows in added.notes[0] if rows is not None]  # None if the update skips no rows
    return Scoring(
        update.scores(added.sums, added.totals, run.m),
        n_neighbors=np.concatenate(added.notes[1]) if counts_neighbours else None,
        skipped=np.concatenate(skipped_of_blocks) if skipped_of_blocks else None,
    )


def score_folded_pairs(run: Run, folded_pairs: FoldedPairs, outputs: Sequence[Output] = ()) -> Scoring:
    """Return the scores from one weight for each pair i < j, in lists or in tiles."""
    scores, *quantities = add_up(run, folded_pairs, [Scores(run.sums), *outputs])
    return Scoring(scores, quantities, is_rough=not run.has_few_pairs)


def _takes_lists(run: Run, neighbourhood: Neighbourhood, outputs: Sequence[Output]) -> bool:
    """True if a neighbourhood that weighs tiles of pairs has to list them.

    That is so where means are taken row by row, where rows have weights, and for few rows of packed genotypes, whose
    pairs are counted.
    """
    if run.means is not None or run.row_weights is not None:
        return True
    is_wide = run.p >= MIN_FEATURES_PER_ROW * run.n and run.n * run.m <= MAX_LISTED_PAIRS
    return run.sums.at_once and neighbourhood.produces == Produces.ZONES and not outputs and is_wide


def _balanced_by_all_pairs(run: Run, neighbourhood: Neighbourhood, takes_lists: bool) -> tuple[Run, Neighbourhood]:
    """Return a run whose update of two parts is balanced by the weights of all pairs, and the neighbourhood for it.

    takes_lists: True if lists are searched next, for which remembered tiles and settled thresholds are of no use.
    """
    remembering = run.remembering(neighbourhood.produces == Produces.ZONES)
    settled = neighbourhood.settled(remembering, run.update.relation(run.target))
    balanced = balanced_by_tiles(remembering, settled)
    if takes_lists:
        return replace(run, update=balanced.update), neighbourhood
    return balanced, settled


def _score_parts_of_weighted_rows(run: Run, neighbourhood: Neighbourhood, outputs: Sequence[Output]) -> Scoring:
    """Return the scores by an update of two parts for rows with weights.

    The blocks of lists are joined, since the parts are balanced by all lists.
    """
    run.work.plan(neighbourhood.plan(run, True))
    blocks = neighbourhood.list_blocks(run, run.update.relation(run.target))
    neighbours = joined(add_up(run, blocks, [Listed(lambda block: block.neighbours)])[0])
    return score_lists(balanced_by_lists(run, neighbours), neighbours, outputs)
