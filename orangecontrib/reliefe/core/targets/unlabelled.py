"""Target of unsupervised rankings, which no row has."""

from dataclasses import dataclass, replace

import numpy as np

from .targets import Target
from .tasks import UNSUPERVISED


@dataclass(frozen=True)
class Unlabelled(Target):
    """No target: rows differ in it as much as they do in the mean of their p features (URelief)."""

    n: int
    p: int
    task = UNSUPERVISED
    by_distance = True

    @property
    def labelled(self) -> np.ndarray:
        return np.zeros(self.n, bool)

    @property
    def columns(self) -> tuple[np.ndarray, np.ndarray]:
        return np.empty((self.n, 0)), np.zeros(0, bool)

    def take(self, rows: np.ndarray) -> "Unlabelled":
        return Unlabelled(len(np.arange(self.n)[rows]), self.p)

    def for_features(self, p: int) -> "Unlabelled":
        return replace(self, p=p)

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        return distances / self.p
