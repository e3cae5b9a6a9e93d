"""Residuals of a target: the part that covariates, censoring and groups leave.

`core/studies` computes them.  Rows are similar as far as the products of their residuals are positive, which the
updates of Relief read.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .targets import Target, TargetColumns

# Parts of the products of residuals that scores sum up
BOTH = "both"
PLACE = "place"  # the residuals themselves
SPREAD = "spread"  # how much larger they are than expected
PARTS_OF_PAIRS = (BOTH, PLACE, SPREAD)


@dataclass(frozen=True, eq=False)
class Residuals(Target):
    """Residuals of a target, with mean 0 given the covariates.

    Attributes
    ----------
    target : Target
        The target itself.
    r : (n, G) array
        Residuals.
    a : (n,) array, optional
        Excess of their sizes over the expected ones; None for classes.
    parts : str
        One of PARTS_OF_PAIRS.
    risk : (n,) array, optional
        Risk of the rows by the covariates, for times; None for other targets.
    Z : (n, q) array, optional
        Columns of the covariates, which stay where targets are permuted; None: there are none.
    """

    target: Target
    r: np.ndarray
    a: np.ndarray | None = None
    parts: str = PLACE
    risk: np.ndarray | None = None
    Z: np.ndarray | None = None
    is_residual = True

    @property
    def task(self) -> str:  # type: ignore[override]
        return self.target.task

    @property
    def n(self) -> int:  # type: ignore[override]
        return len(self.r)

    @property
    def names(self) -> tuple[Any, ...]:  # type: ignore[override]
        return self.target.names

    @property
    def inner(self) -> Target:
        return self.target

    @property
    def columns(self) -> TargetColumns:
        return self.target.columns

    @property
    def size(self) -> float:
        """Mean square of the residuals of a row."""
        return float((self.r * self.r).sum() / max(len(self.r), 1))

    def take(self, rows: np.ndarray) -> "Residuals":
        arrays = {name: getattr(self, name) for name in ("r", "a", "risk", "Z")}
        arrays_of_rows: dict[str, Any] = {
            name: None if array is None else array[rows] for name, array in arrays.items()
        }
        return replace(self, target=self.target.take(rows), **arrays_of_rows)
