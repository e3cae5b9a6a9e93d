"""Target of one class a row: two rows differ by 1 if their classes do, else by 0."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from .targets import MissRule, Target, TargetColumns
from .tasks import CLASSIFICATION


@dataclass(frozen=True)
class Classes(Target):
    """Class of each row.

    Attributes
    ----------
    codes : (n,) int32 array
        Index of the class in `names`.
    names : tuple
        The values that occur, sorted.
    """

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
    def columns(self) -> TargetColumns:
        return TargetColumns(self.codes[:, None].astype(np.float64), np.ones(1, bool))

    def take(self, rows: np.ndarray) -> "Classes":
        return Classes(self.codes[rows], self.names)

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        return self.differs(rows, cols).astype(float)

    @property
    def miss_rule(self) -> MissRule:
        return MissRule(self.codes, 1.0)
