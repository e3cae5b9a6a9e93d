"""Stumps of features that were permuted among the rows, which follow boosting step by step."""

from dataclasses import replace

import numpy as np

from ..relief.formats.lists import Neighbours
from .gains import gains_of
from .margins import Margins, named
from .space import Space
from .stumps import Stumps


class Shuffle:
    """Shuffle of the targets: stumps (P, R) of some features, and the sum of margins that boosting takes, h (R,).

    A global part is its own, too, whose gates are nearly always shut.
    """

    def __init__(self, made: Stumps, near: list[Neighbours], moved: np.ndarray, some: np.ndarray, held: np.ndarray):
        run, self.made, self.some, self.held = made.kinds[0].run, made, some, held
        self._kinds = [Margins.of(run, Space(one), moved) for one in near]
        self._kept = [Margins.of(run, Space(named(one, moved))) for one in near] if len(held) else []
        self._part = replace(made.part, moved=moved) if made.part else None
        self.stumps = made.by_chance(made.mixed(self._kinds, self._part, some))
        self.h = np.zeros(self.stumps.shape[1])
        self._columns: dict[int, np.ndarray] = {}

    def take(self, f: int, alpha: float, ahead: np.ndarray) -> None:
        """Follow boosting by one feature; ahead: those that may be next."""
        if f not in self._columns:
            block, self._columns = np.sort(np.append(ahead, f)), {}
            kept = np.isin(block, self.held)
            for kinds, part, own in ((self._kinds, self._part, ~kept), (self._kept, self.made.part, kept)):
                if own.any():
                    found = self.made.mixed(kinds, part, block[own])
                    self._columns |= dict(zip(block[own].tolist(), found, strict=True))
        self.h += alpha / self.made.divisors[f] * self._columns[f]

    def gains(self, u: np.ndarray, left: np.ndarray) -> np.ndarray:
        """Gains of those of them that are left (p,) bool, under weights (R,)."""
        places = np.flatnonzero(left[self.some])
        out = np.empty(len(places))
        gains_of(self.stumps, u.astype(self.stumps.dtype), places, out)
        return out
