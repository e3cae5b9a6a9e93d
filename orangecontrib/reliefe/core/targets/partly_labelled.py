"""Target that some rows or cells lack, for semi-supervised rankings."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .targets import Target, TargetColumns


@dataclass(frozen=True)
class PartlyLabelled(Target):
    """Target that is unknown in some rows.

    Where the difference of two rows is unknown, it is the mean of the diffs of their features.  A row is labelled if at
    least one of its values is known (semi-supervised paper, section 5; its code `isUnlabeled`).

    Attributes
    ----------
    target : Target
        The target, with any value where it is unknown.
    known : (n,) bool array
        True for rows that have one.
    p : int
        Number of features.
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
    def columns(self) -> TargetColumns:
        values, nominal = self.target.columns
        values = values.copy(order="K")
        values[~self.known] = np.nan
        return TargetColumns(values, nominal)

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
        differences = self.target.difference(rows, cols, distances)
        is_known = self.known[rows] & self.known[cols] & ~np.isnan(differences)
        return np.where(is_known, differences, distances / self.p)

    def part(self, number: int) -> "PartlyLabelled":
        return replace(self, target=self.target.part(number))
