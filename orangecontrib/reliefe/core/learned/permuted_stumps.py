"""Stumps of features whose values were permuted among the rows, which follow boosting step by step.

`null_gain` compares the gains of boosting with theirs.
"""

from dataclasses import replace

import numpy as np

from ..relief.formats.lists import Neighbours
from .gains import gains_of
from .margins import Margins, recipients_of
from .space import NeighbourSpace
from .stumps import Stumps


class PermutedStumps:
    """Stumps (P, R) of some features after one permutation, and the sum of margins that boosting would have.

    made: the stumps of boosting, which say how these are computed.
    features (P,): the features, ascending.
    held (H,): features that were not permuted.
    stumps (P, R): their stumps.
    h (R,): sum of the permuted margins of the features that boosting took.

    The global part is permuted, too; its gates are nearly always shut.
    """

    def __init__(
        self, made: Stumps, lists: list[Neighbours], donors: np.ndarray, features: np.ndarray, held: np.ndarray
    ):
        """Compute the stumps.

        lists: neighbours in each space after the permutation; donors (n,): the row whose values each row has.
        """
        run = made.kinds[0].run
        self.made = made
        self.features = features
        self.held = held
        self._permuted_kinds = [Margins.of(run, NeighbourSpace(neighbours), donors) for neighbours in lists]
        self._held_kinds: list[Margins] = []
        if len(held):
            own_lists = [recipients_of(neighbours, donors) for neighbours in lists]
            self._held_kinds = [Margins.of(run, NeighbourSpace(neighbours)) for neighbours in own_lists]
        self._part = replace(made.part, donors=donors) if made.part else None
        self.stumps = made.by_chance(made.mixed(self._permuted_kinds, self._part, features))
        self.h = np.zeros(self.stumps.shape[1])
        self._margins: dict[int, np.ndarray] = {}  # by feature

    def take(self, f: int, alpha: float, likely_next: np.ndarray) -> None:
        """Follow boosting by a step alpha along feature f; likely_next: features that may be taken soon."""
        if f not in self._margins:
            self._margins = {}
            block = np.sort(np.append(likely_next, f))
            is_held = np.isin(block, self.held)
            for kinds, part, mask in (
                (self._permuted_kinds, self._part, ~is_held),
                (self._held_kinds, self.made.part, is_held),
            ):
                if mask.any():
                    margins = self.made.mixed(kinds, part, block[mask])
                    self._margins |= dict(zip(block[mask].tolist(), margins, strict=True))
        self.h += alpha / self.made.divisors[f] * self._margins[f]

    def gains(self, u: np.ndarray, is_left: np.ndarray) -> np.ndarray:
        """Compute the gains, under weights u (R,), of those of the features that are left (p,) bool."""
        positions = np.flatnonzero(is_left[self.features])
        out = np.empty(len(positions))
        gains_of(self.stumps, u.astype(self.stumps.dtype), positions, out)
        return out
