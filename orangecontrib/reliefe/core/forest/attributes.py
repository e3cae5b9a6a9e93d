"""Attributes that rows are clustered by."""

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from ..targets.targets import Target

ATTRIBUTES_PER_BLOCK = 256  # that are copied at once


@dataclass(frozen=True)
class Attributes:
    """Attributes that rows are clustered by."""

    # Values, NaN = unknown; several arrays are not copied only to stand side by side
    given: np.ndarray | tuple[np.ndarray, ...]
    nominal: np.ndarray
    weights: np.ndarray  # 0 or more

    @classmethod
    def of(cls, target: Target, alpha: np.ndarray | None = None) -> "Attributes":
        """Attributes of a target; alpha: weights of its labels, None for 1."""
        values, nominal = target.columns
        return cls(values, nominal, np.ones(values.shape[1]) if alpha is None else alpha)

    @property
    def parts(self) -> tuple[np.ndarray, ...]:
        """Arrays (n, C_k) with all columns, in order."""
        return self.given if isinstance(self.given, tuple) else (self.given,)

    @property
    def values(self) -> np.ndarray:
        """All columns in one array (n, C), a copy where they are in several."""
        return np.hstack(self.given) if isinstance(self.given, tuple) else self.given

    @property
    def varying(self) -> np.ndarray:
        """Mask (C,) of those with two known values that differ."""
        return np.concatenate([np.fmin.reduce(part, axis=0) < np.fmax.reduce(part, axis=0) for part in self.parts])

    @property
    def complete(self) -> np.ndarray:
        """Mask (C,) of those that are known in all rows."""
        sums = (
            np.isnan(part[:, f : f + ATTRIBUTES_PER_BLOCK]).any(axis=0)
            for part in self.parts
            for f in range(0, part.shape[1], ATTRIBUTES_PER_BLOCK)
        )
        return cast("np.ndarray", ~np.concatenate([np.zeros(0, bool), *sums]))

    def columns(self, f: np.ndarray) -> np.ndarray:
        """Copy (n, c) of the columns f, ascending, each of which lies in one piece."""
        first = 0
        out: np.ndarray = np.empty((len(f), len(self.parts[0]))).T
        for part in self.parts:
            start, stop = np.searchsorted(f, [first, first + part.shape[1]])
            for c in range(start, stop, ATTRIBUTES_PER_BLOCK):
                block = slice(c, min(c + ATTRIBUTES_PER_BLOCK, stop))
                out[:, block] = part[:, f[block] - first]
            first += part.shape[1]
        return out

    def shared(self, total: float) -> "Attributes":
        """Attributes with weights times `total` over the number of those that vary, and 0 for the others."""
        varying = self.varying
        return replace(self, weights=varying * self.weights * total / max(varying.sum(), 1))

    def beside(self, other: "Attributes") -> "Attributes":
        """Attributes, these and others of the same rows."""
        pairs = (self.nominal, other.nominal), (self.weights, other.weights)
        return Attributes((*self.parts, *other.parts), *map(np.concatenate, pairs))
