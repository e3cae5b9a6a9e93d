"""The part of a target that covariates, censoring and groups leave: rows are alike where their residuals are."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .targets import Target

BOTH, PLACE, SPREAD = PARTS_OF_PAIRS = ("both", "place", "spread")


@dataclass(frozen=True, eq=False)
class Residuals(Target):
    """Residuals of a target, with mean 0 given the covariates."""

    own: Target  # the target itself
    r: np.ndarray  # (n, G): residuals; rows are alike as far as the products of theirs are positive
    a: np.ndarray | None = None  # (n,): how much larger they are than expected; None for classes
    parts: str = PLACE  # of products of residuals, of their sizes, or of both
    risk: np.ndarray | None = None  # (n,): of times, by the covariates
    Z: np.ndarray | None = None  # (n, q): the columns of the covariates, which stay where targets are permuted
    is_residual = True

    @property
    def task(self) -> str:  # type: ignore[override]  # others are given it, this one follows from the rest
        return self.own.task

    @property
    def n(self) -> int:  # type: ignore[override]
        return len(self.r)

    @property
    def names(self) -> tuple[Any, ...]:  # type: ignore[override]
        return self.own.names

    @property
    def inner(self) -> Target:
        return self.own

    @property
    def columns(self) -> tuple[np.ndarray, np.ndarray]:
        return self.own.columns

    @property
    def size(self) -> float:
        """Mean square of the residuals of a row."""
        return float((self.r * self.r).sum() / max(len(self.r), 1))

    def take(self, rows: np.ndarray) -> "Residuals":
        parts = {name: getattr(self, name) for name in ("r", "a", "risk", "Z")}
        taken: dict[str, Any] = {name: None if part is None else part[rows] for name, part in parts.items()}
        return replace(self, own=self.own.take(rows), **taken)
