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
    """Stumps (P, R) of P features after one permutation, and the sum of margins that boosting would have.

    boosted: the stumps of boosting, which define how these are computed.
    features (P,): the features, ascending.
    fixed (H,): features that were not permuted.
    stumps (P, R): their stumps.
    h (R,): sum of the permuted margins of the features that boosting took.

    The global part is permuted, too; its gates are nearly always closed.
    """

    def __init__(
        self, boosted: Stumps, lists: list[Neighbours], donors: np.ndarray, features: np.ndarray, fixed: np.ndarray
    ):
        """Compute the stumps.

        lists: neighbours in each space after the permutation; donors (n,): the row whose values each row has.
        """
        run = boosted.kinds[0].run
        self.boosted = boosted
        self.features = features
        self.fixed = fixed
        self._permuted_kinds = [Margins.of(run, NeighbourSpace(neighbours), donors) for neighbours in lists]
        self._fixed_kinds: list[Margins] = []
        if len(fixed):
            lists_of_rows = [recipients_of(neighbours, donors) for neighbours in lists]
            self._fixed_kinds = [Margins.of(run, NeighbourSpace(neighbours)) for neighbours in lists_of_rows]
        self._global_part = replace(boosted.global_part, donors=donors) if boosted.global_part else None
        self.stumps = boosted.by_chance(boosted.mixed(self._permuted_kinds, self._global_part, features))
        self.h = np.zeros(self.stumps.shape[1])
        self._margins: dict[int, np.ndarray] = {}  # by feature

    def take(self, f: int, alpha: float, likely_next: np.ndarray) -> None:
        """Follow boosting by a step alpha along feature f; likely_next: features that may be taken soon."""
        if f not in self._margins:
            self._margins = {}
            block = np.sort(np.append(likely_next, f))
            is_fixed = np.isin(block, self.fixed)
            for kinds, global_part, mask in (
                (self._permuted_kinds, self._global_part, ~is_fixed),
                (self._fixed_kinds, self.boosted.global_part, is_fixed),
            ):
                if mask.any():
                    margins = self.boosted.mixed(kinds, global_part, block[mask])
                    self._margins |= dict(zip(block[mask].tolist(), margins, strict=True))
        self.h += alpha / self.boosted.divisors[f] * self._margins[f]

    def gains(self, weights: np.ndarray, is_left: np.ndarray) -> np.ndarray:
        """Compute the gains, under weights (R,), of those of the features that are left (p,) bool."""
        positions = np.flatnonzero(is_left[self.features])
        gains = np.empty(len(positions))
        gains_of(self.stumps, weights.astype(self.stumps.dtype), positions, gains)
        return gains
