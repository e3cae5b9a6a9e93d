"""Pairs of rows in the order of a run: what neighbourhoods look at."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from ..data.features import Features
from ..parallel import PARTS, Work
from .distances import STORED_BYTES, Distance, Stored
from .double_precision import DOUBLE_DIGITS, SINGLE_DIGITS, DoublePrecision
from .sweep import Sweep

AnyPairs = TypeVar("AnyPairs", bound="Pairs")
MOST_STORED = 4  # times the memory for tiles that are remembered: of several workers
MAX_SETTLED_PAIRS = 2**25  # above which pairs at a threshold are not looked at again


@dataclass(frozen=True)
class Pairs:
    """Rows in run order (targets first, then by group), and the distances of their pairs."""

    features: Features  # of the n rows
    groups: np.ndarray  # (n,): classes that neighbours are searched in, from 0
    ids: np.ndarray  # (n,): original rows, which break ties
    m: int  # number of targets, the first rows
    distance: Distance  # what makes tiles of distances
    work: Work  # threads, progress, and the wish to stop
    double: DoublePrecision | None  # what computes distances again; None: they are in double precision already

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.features.shape[0]

    @property
    def p(self) -> int:
        """Number of features."""
        return self.features.shape[1]

    @property
    def digits(self) -> int:
        """Digits of a distance that are not rounding."""
        return DOUBLE_DIGITS if self.double is None else SINGLE_DIGITS

    @property
    def settles(self) -> bool:
        """True if pairs at a threshold are worth a second look: among many rows each of them weighs next to nothing."""
        return self.double is not None and self.few

    @property
    def few(self) -> bool:
        """True if there are so few pairs that every single one counts."""
        return self.n * self.m <= MAX_SETTLED_PAIRS

    @property
    def sweep(self) -> Sweep:
        """The visit of all pairs."""
        return Sweep(self.work, self.n, self.m)

    @cached_property
    def n_groups(self) -> int:
        """Number of groups that neighbours are searched in."""
        return int(self.groups.max()) + 1

    @cached_property
    def ends(self) -> np.ndarray:
        """Ends (n,) of the stretches of rows of one group, for each of their rows."""
        cuts = np.append(np.flatnonzero(np.diff(self.groups)) + 1, self.n)
        return cuts[np.searchsorted(cuts, np.arange(self.n), side="right")]

    @cached_property
    def mean_distance(self) -> float | None:
        """Mean distance of all pairs, or None where a pass over the tiles gives it sooner than sorted columns."""
        f = self.features
        if not self.distance.of_features:
            return None
        if f.is_sparse or f.packed or f.missing or not f.diff.plain or not self.m == self.n > min(32 * self.p, 8192):
            return None
        return self.work.total(lambda part: f.column_distances(part, PARTS)) / (self.n * (self.n - 1) / 2)

    def remembering(self: AnyPairs) -> AnyPairs:
        """The same with tiles that are remembered.

        Of workers each remembers a share of them; but where what is done to a tile counts, it was done by one of them
        only, and none is.  Unless pairs are computed again, the data in double precision need not travel to them.
        """
        work, double = self.work, self.double
        dtype = np.float64 if double is None and self.few else np.float32
        budget = 0 if work.remote and self.settles else STORED_BYTES * min(work.processes, MOST_STORED)
        double = double.without_data() if double and work.remote and not self.settles else double
        return replace(self, distance=Stored(self.distance, self.n, self.m, dtype, budget), double=double)

    def tiles(self, part: int) -> Iterator[tuple[np.ndarray, tuple[int, int, int, int]]]:
        """Tiles of a part (0 <= part < PARTS): see `Sweep.tiles`."""
        return self.sweep.tiles(self.distance, part, PARTS)

    def blocks(self, part: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The same tiles, several at once where they are remembered: see `Sweep.blocks`."""
        return self.sweep.blocks(self.distance, part, PARTS)

    def strips(self, part: int, wanted: np.ndarray | None = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Distances of whole rows of a part: see `Sweep.strips`."""
        return self.sweep.strips(self.distance, part, PARTS, wanted)

    def candidates(self, part: int, wanted: np.ndarray | None = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The same with ties made equal, and every row infinitely far from itself."""
        return self.sweep.candidates(self.distance, part, PARTS, self.digits, wanted)

    def planned(self, passes: int, row_wise: bool) -> float:
        """Number of pairs that `passes` over the tiles visit; in whole rows the last two are one."""
        return (passes - 2) * self.sweep.pairs + self.m * self.n if row_wise else passes * self.sweep.pairs
