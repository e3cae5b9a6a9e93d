"""Target of one class a row."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from .targets import Target
from .tasks import CLASSIFICATION


@dataclass(frozen=True)
class Classes(Target):
    """codes (n,) int32: 0, 1, ... in the order of `names`, the sorted values that occur."""

    codes: np.ndarray
    names: tuple[Any, ...] = ()
    task = CLASSIFICATION

    @property
    def n(self) -> int:  # type: ignore[override]  # others are given it, this one follows from the rest
        return len(self.codes)

    @property
    def groups(self) -> np.ndarray:  # type: ignore[override]  # others are given it, this one follows from the rest
        return self.codes

    @property
    def columns(self) -> tuple[np.ndarray, np.ndarray]:
        return self.codes[:, None].astype(np.float64), np.ones(1, bool)

    def take(self, rows: np.ndarray) -> "Classes":
        return Classes(self.codes[rows], self.names)

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        return self.differs(rows, cols).astype(float)

    @property
    def steps(self) -> tuple[np.ndarray, float]:
        return self.codes, 1.0
