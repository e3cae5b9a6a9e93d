"""The contract of sums over pairs: ``sum over pairs of V_ij * diff_f(i, j)`` for every feature f."""

from collections.abc import Sequence

import numpy as np

from ..data.missing import Corrections
from ..parallel import Work


class Sums:
    """The sums over pairs; all of them in the order of `Features.columns`."""

    at_once = False

    def every_pair(self, lists: tuple[np.ndarray, ...], work: Work) -> np.ndarray:
        """Sums (p,) over all pairs there are; lists: arguments of `pairs`."""
        raise NotImplementedError

    def every_tile(self, found: Sequence[tuple[np.ndarray, tuple[int, int, int, int]]], work: Work) -> np.ndarray:
        """Sums (p,) over all tiles of weights, with their rows and columns."""
        raise NotImplementedError

    def zeros(self) -> np.ndarray:
        """An array to add to."""
        raise NotImplementedError

    def pairs(self, rows: np.ndarray, cols: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Sums (p,) over pairs: rows (b,), cols (b, q), weights (b, q), 0 where there is no neighbour."""
        raise NotImplementedError

    def add_pairs(
        self,
        rows: np.ndarray,
        cols: np.ndarray,
        weights: np.ndarray,
        span: tuple[int, int],
        missing: Corrections | None,
        out: np.ndarray,
    ) -> None:
        """The same for the features of a span, added to `out`; missing: what their unknown values add.  Only where
        features are scored some at a time; see `spans`."""
        raise NotImplementedError

    def tile(self, V: np.ndarray, i0: int, i1: int, j0: int, j1: int, out: np.ndarray) -> None:
        """Sums over a tile of weights, added to `out`; weights outside the upper triangle are 0."""
        raise NotImplementedError

    def add_tile(
        self,
        V: np.ndarray,
        where: tuple[int, int, int, int],
        span: tuple[int, int],
        missing: Corrections | None,
        out: np.ndarray,
    ) -> None:
        """The same for the features of a span; only where features are scored some at a time."""
        raise NotImplementedError

    def finish(self, out: np.ndarray) -> np.ndarray:
        """Scores (p,) from the sum over all tiles."""
        raise NotImplementedError
