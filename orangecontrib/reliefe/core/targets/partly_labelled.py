"""Target that some rows lack, for semi-supervised rankings."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .targets import Target


@dataclass(frozen=True)
class PartlyLabelled(Target):
    """A target that some rows lack, known (n,) bool, or some pairs: these differ by the mean of their p features.

    A row is labelled if one value of it is known at least (semi-supervised paper, section 5; its code `isUnlabeled`).
    """

    target: Target
    known: np.ndarray
    p: int
    by_distance = True

    @property
    def n(self) -> int:  # type: ignore[override]  # others are given it, this one follows from the rest
        return len(self.known)

    @property
    def inner(self) -> Target:
        return self.target

    @property
    def columns(self) -> tuple[np.ndarray, np.ndarray]:
        values, nominal = self.target.columns
        values = values.copy(order="K")
        values[~self.known] = np.nan
        return values, nominal

    @property
    def labelled(self) -> np.ndarray:
        return self.known

    @property
    def task(self) -> str:  # type: ignore[override]  # others are given it, this one follows from the rest
        return self.target.task

    @property
    def names(self) -> tuple[Any, ...]:  # type: ignore[override]  # others are given it, this one follows from the rest
        return self.target.names

    @property
    def counts(self) -> list[int]:
        return self.target.take(np.flatnonzero(self.known)).counts

    def take(self, rows: np.ndarray) -> "PartlyLabelled":
        return replace(self, target=self.target.take(rows), known=self.known[rows])

    def for_features(self, p: int) -> "PartlyLabelled":
        return replace(self, p=p)

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        known = self.target.difference(rows, cols, distances)
        both = self.known[rows] & self.known[cols] & ~np.isnan(known)
        return np.where(both, known, distances / self.p)

    def part(self, number: int) -> "PartlyLabelled":
        return replace(self, target=self.target.part(number))
