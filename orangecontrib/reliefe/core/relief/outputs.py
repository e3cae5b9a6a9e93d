"""Outputs: quantities of pairs of rows, such as scores, that are added up while blocks of pairs go by.

`scoring.py` and its neighbours pass outputs and blocks to `add_up` or `add_up_lists`.  A block is whatever the output
reads: a `PairList`, a `WeightTile`, or a `ListBlock` with the neighbours of some rows.  Blocks belong to PARTS parts of
the work, which run in parallel.  Each part has a state of each output, and the states are joined in the order of the
parts, so that bits do not depend on the number of threads:

    state of a part = add(... add(add(zeros(), block 1), block 2) ..., last block)
    quantity        = finish(state of part 0 + state of part 1 + ...)
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from ..work.threads import Work
from .formats.pair_sums import PairList
from .formats.sums import Sums, WeighedPairs, by_spans, in_spans
from .neighbourhoods.row_pairs import RowPairs

# Features from which on the sum over a pair, p / 2 ns about, takes longer than to send its row, column and weight
MIN_FEATURES_TO_SEND = 1000


class Output:
    """A quantity of all pairs, with a state for each part of them; states of two parts are joined by +."""

    # True: states are the pairs themselves, which stay in this process and are summed at the end, feature by feature
    collects = False

    def zeros(self) -> Any:
        """Return the state of a part without pairs."""
        raise NotImplementedError

    def add(self, state: Any, block: Any) -> Any:
        """Return the state with one more block, which may be the same object."""
        raise NotImplementedError

    def finish(self, state: Any, rows: RowPairs) -> Any:
        """Return the quantity, from the joined states of all parts of the pairs of some rows."""
        return state

    def of_lists(self, pairs: PairList, rows: RowPairs) -> Any:
        """Return the quantity of lists of neighbours, in which a pair of rows may be twice."""
        raise NotImplementedError


class Total(Output):
    """Sum of the arrays that a function makes of blocks."""

    def __init__(self, function: Callable[[Any], Any]):
        self._function = function

    def zeros(self) -> Any:
        return np.zeros(())

    def add(self, state: Any, block: Any) -> Any:
        return state + self._function(block)


class Listed(Total):
    """List of what a function makes of blocks, whatever their order."""

    def zeros(self) -> Any:
        return []

    def add(self, state: Any, block: Any) -> Any:
        state.append(self._function(block))
        return state


class Scores(Output):
    """Sums (p,) of weighted diffs, of blocks of weighted pairs."""

    def __init__(self, sums: Sums):
        self._sums = sums
        self.collects = sums.at_once or in_spans(sums.features)

    def zeros(self) -> Any:
        return [[]] if self.collects else self._sums.zeros()

    def add(self, state: Any, block: WeighedPairs) -> Any:
        if self.collects:
            state[0].append(block.copied())
        else:
            self._sums.add(block, state)
        return state

    def finish(self, state: Any, rows: RowPairs) -> Any:
        if self._sums.at_once:
            return self._sums.all_at_once([pairs for part in state for pairs in part], rows.work)
        return by_spans(self._sums, state, rows.work) if self.collects else self._sums.finish(state)


@dataclass(frozen=True, eq=False)
class States:
    """States of several outputs; the sum of two `States` adds those of the same output."""

    of_outputs: list[Any]

    def __add__(self, other: "States") -> "States":
        return States([a + b for a, b in zip(self.of_outputs, other.of_outputs, strict=True)])

    def __radd__(self, start: float) -> "States":
        return self  # sums begin with 0


class ChannelSums(Output):
    """Sums (C, p) of weighted diffs in each of C channels."""

    def __init__(self, sums: Sums, n_channels: int, weigh: Callable[[Any], Sequence[WeighedPairs]]):
        self._of_channel = [Scores(sums) for _ in range(n_channels)]
        self._weigh = weigh  # from a block to its weighted pairs in each channel
        self.collects = self._of_channel[0].collects

    def zeros(self) -> Any:
        return States([scores.zeros() for scores in self._of_channel])

    def add(self, state: Any, block: Any) -> Any:
        pairs = self._weigh(block)
        channels = zip(self._of_channel, state.of_outputs, pairs, strict=True)
        return States([scores.add(sums, of_channel) for scores, sums, of_channel in channels])

    def finish(self, state: Any, rows: RowPairs) -> Any:
        channels = zip(self._of_channel, state.of_outputs, strict=True)
        return np.array([scores.finish(sums, rows) for scores, sums in channels])


def add_up(rows: RowPairs, blocks_of_part: Callable[[int], Iterable[Any]], outputs: Sequence[Output]) -> list[Any]:
    """Return one quantity for each output, over the blocks of all parts.

    Parameters
    ----------
    rows : RowPairs
        Rows whose pairs these are.
    blocks_of_part : function
        Makes the blocks of pairs of a part, from its number.
    outputs : sequence of Output
        Quantities to be added up.
    """
    work = rows.work
    if _collects(outputs):  # the pairs stay in this process
        rows = replace(rows, work=work.here)
    total = rows.total(lambda part: _add_blocks(work, blocks_of_part(part), outputs))
    return _finished(outputs, total, rows)


def add_up_lists(rows: RowPairs, lists: Sequence[WeighedPairs], outputs: Sequence[Output]) -> list[Any]:
    """Return one quantity for each output, over lists of pairs that there are already: one list is one part.

    Workers of a cluster add up lists of many features only, since these must be sent to them.
    """
    work = rows.work
    if work.remote and rows.p >= MIN_FEATURES_TO_SEND and not _collects(outputs):
        states = work.spread(lambda pairs: _add_blocks(work, [pairs], outputs), lists)
        total = cast("States", sum(states))
    else:
        total = work.here.total(lambda part: _add_blocks(work, [lists[part]], outputs), len(lists))
    return _finished(outputs, total, rows)


def _collects(outputs: Sequence[Output]) -> bool:
    """True if a state of any output is the pairs themselves."""
    return any(output.collects for output in outputs)


def _add_blocks(work: Work, blocks: Iterable[Any], outputs: Sequence[Output]) -> States:
    """Return the states of the outputs after all blocks of a part."""
    states = [output.zeros() for output in outputs]
    for block in blocks:
        work.tick()
        states = [output.add(state, block) for output, state in zip(outputs, states, strict=True)]
    return States(states)


def _finished(outputs: Sequence[Output], total: States, rows: RowPairs) -> list[Any]:
    """Return the quantities of the outputs from their states over all parts."""
    return [output.finish(state, rows) for output, state in zip(outputs, total.of_outputs, strict=True)]
