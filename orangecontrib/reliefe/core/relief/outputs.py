"""Outputs: what is added up while blocks of pairs go by."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .formats.pair_sums import PairList
from .formats.sums import Sums, WeighedPairs, by_spans, in_spans
from .neighbourhoods.row_pairs import RowPairs


class Output:
    """A quantity of all pairs: a state for each part of them; states of two parts are joined by +."""

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
            return self._sums.every([pairs for part in state for pairs in part], rows.work)
        return by_spans(self._sums, state, rows.work) if self.collects else self._sums.finish(state)


@dataclass(frozen=True, eq=False)
class States:
    """States of several outputs; the sum of two is that of each."""

    each: list[Any]

    def __add__(self, other: "States") -> "States":
        return States([a + b for a, b in zip(self.each, other.each, strict=True)])

    def __radd__(self, start: float) -> "States":
        return self  # sums begin with 0


class ChannelSums(Output):
    """Sums (C, p) of weighted diffs in each channel; weigh: from a block to its weighted pairs, channel by channel."""

    def __init__(self, sums: Sums, n_channels: int, weigh: Callable[[Any], Sequence[WeighedPairs]]):
        self._of_channel = [Scores(sums) for _ in range(n_channels)]
        self._weigh = weigh
        self.collects = self._of_channel[0].collects

    def zeros(self) -> Any:
        return States([scores.zeros() for scores in self._of_channel])

    def add(self, state: Any, block: Any) -> Any:
        pairs = self._weigh(block)
        added = zip(self._of_channel, state.each, pairs, strict=True)
        return States([scores.add(own, of_channel) for scores, own, of_channel in added])

    def finish(self, state: Any, rows: RowPairs) -> Any:
        return np.array([scores.finish(own, rows) for scores, own in zip(self._of_channel, state.each, strict=True)])
