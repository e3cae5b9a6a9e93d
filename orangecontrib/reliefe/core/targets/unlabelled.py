"""Target of unsupervised rankings: no row has one."""

from dataclasses import dataclass, replace

import numpy as np

from .targets import Target, TargetColumns
from .tasks import UNSUPERVISED


@dataclass(frozen=True)
class Unlabelled(Target):
    """Absence of a target: two rows differ by the mean of the diffs of their features (URelief).

    Attributes
    ----------
    n : int
        Number of rows.
    p : int
        Number of features.
    """

    n: int
    p: int
    task = UNSUPERVISED
    by_distance = True

    @property
    def labelled(self) -> np.ndarray:
        return np.zeros(self.n, bool)

    @property
    def columns(self) -> TargetColumns:
        return TargetColumns(np.empty((self.n, 0)), np.zeros(0, bool))

    def take(self, rows: np.ndarray) -> "Unlabelled":
        return Unlabelled(len(np.arange(self.n)[rows]), self.p)

    def for_features(self, p: int) -> "Unlabelled":
        return replace(self, p=p)

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        return distances / self.p
