"""Outputs: what is added up while blocks of pairs go by."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..forms.sums import Pairs, Sums, Tile, by_spans, in_spans
from ..neighbourhoods.pairs import Pairs as RowPairs


class Output:
    """A quantity of all pairs: a state for each part of them; states of two parts are joined by +."""

    collects = False  # whether states are the pairs themselves, which stay in this process

    def zeros(self) -> Any:
        """Return the state of a part without pairs."""
        raise NotImplementedError

    def add(self, state: Any, block: Any) -> Any:
        """Return the state with one more block, which may be the same object."""
        raise NotImplementedError

    def finish(self, state: Any, rows: RowPairs) -> Any:
        """Return the quantity, from the joined states of all parts of the pairs of some rows."""
        return state


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
    """Sums (p,) of weighted diffs; weigh: from a block to its weighted pairs, if blocks are none."""

    def __init__(self, sums: Sums, weigh: Callable[[Any], Pairs] | None = None):
        self._sums, self._weigh = sums, weigh
        self.collects = sums.at_once or in_spans(sums.features)

    def zeros(self) -> Any:
        return [[]] if self.collects else self._sums.zeros()

    def add(self, state: Any, block: Any) -> Any:
        pairs: Pairs = self._weigh(block) if self._weigh else block
        if self.collects:
            state[0].append(Tile(pairs.weights.copy(), pairs.where) if isinstance(pairs, Tile) else pairs)
        else:
            self._sums.add_block(pairs, state)
        return state

    def finish(self, state: Any, rows: RowPairs) -> Any:
        if self._sums.at_once:
            return self._sums.every([pairs for part in state for pairs in part], rows.work)
        return by_spans(self._sums, state, rows.work) if self.collects else self._sums.finish(state)
