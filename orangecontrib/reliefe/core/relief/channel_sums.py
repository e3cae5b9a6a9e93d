"""Sums over lists of neighbours for each channel of an update.

`scoring.py` makes scores of them where lists come in blocks of rows, and `additive_sums.py` adds those over some target
rows to those over further ones.  With the channels c of an update, its totals and its
factors (`updates/base.py`), the score of feature f is

    score_f = sum over c of factor_c(totals) * sums[c, f]
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..work.threads import PARTS
from .formats.excess import limits
from .formats.lists import Neighbours
from .formats.pair_sums import LimitedPairs, PairList
from .neighbourhoods.base import ListBlock, ListBlocks
from .outputs import ChannelSums, Output, Total, add_up
from .run import Run

ROWS_AT_ONCE = 32  # whose means are taken together


class AddedLists(NamedTuple):
    """Sums over the lists of all blocks.

    Attributes
    ----------
    sums : (C, p) array
        Weighted diffs in each channel.
    totals : (s,) or (s, p) array
        Totals of the update; (s, p) where means are taken row by row.
    notes : list
        Quantities of the further outputs.
    """

    sums: np.ndarray
    totals: np.ndarray
    notes: list[Any]


def channel_sums(run: Run, blocks: ListBlocks, notes: Sequence[Output] = ()) -> AddedLists:
    """Return the sums of the channels of the update over all lists of blocks.

    Parameters
    ----------
    run : Run
    blocks : function
        Weighed lists of a part of the target rows.
    notes : sequence of Output
        Further quantities of the lists.
    """
    update, target = run.update, run.target
    n_channels = update.n_channels
    if run.means is not None:
        added, *noted = add_up(run, blocks, [Total(lambda block: _sums_of_means(run, block)), *notes])
        return AddedLists(added[:n_channels], added[n_channels:], noted)
    of_channels = ChannelSums(run.sums, n_channels, lambda block: _pairs_of_channels(run, block))
    totals_of_update = Total(lambda block: update.totals(block.neighbours, target))
    sums, totals, *noted = add_up(run, blocks, [of_channels, totals_of_update, *notes])
    return AddedLists(sums, totals, noted)


def in_blocks(neighbours: Neighbours) -> ListBlocks:
    """Return weighed lists as blocks of ROWS_AT_ONCE rows, of which each part has every PARTS-th."""
    blocks = [ListBlock(1.0, neighbours[s : s + ROWS_AT_ONCE]) for s in range(0, len(neighbours.rows), ROWS_AT_ONCE)]
    return lambda part: iter(blocks[part::PARTS])


def weighed_pairs(run: Run, neighbours: Neighbours, weights: np.ndarray) -> PairList | LimitedPairs:
    """Return the pairs of lists that weigh something.

    Parameters
    ----------
    run : Run
    neighbours : Neighbours
        Lists of b rows.
    weights : (b, G, k) array
        Weights of the pairs.

    Returns
    -------
    PairList or LimitedPairs
        Pairs with their weights, and with limits if the update counts diffs above the mean of their pair only.
    """
    pairs = PairList.of_lists(neighbours.rows, neighbours.cols, [weights], run.sums.dtype)
    if not run.update.above_mean:
        return pairs
    weighs = (weights != 0) & (neighbours.cols >= 0)
    return LimitedPairs(pairs, limits(neighbours, run.p)[weighs])


def _pairs_of_channels(run: Run, block: ListBlock) -> Sequence[PairList | LimitedPairs]:
    """Return the pairs of the lists of a block with their weights in each channel."""
    channels = run.update.channels(block.neighbours, run.target)
    return [weighed_pairs(run, block.neighbours, block.factor * weights) for weights in channels]


def _sums_of_means(run: Run, block: ListBlock) -> np.ndarray:
    """Return the sums of the channels and the totals, (C + s, p), from means that are taken row by row."""
    spans = []
    for means in run.mean_spans():
        sums, totals = run.update.from_means(block.neighbours, means, run.target)
        spans.append(np.concatenate([sums, totals]))
    added: np.ndarray = np.concatenate(spans, axis=1)
    added[: run.update.n_channels] *= block.factor
    return added
