"""Attributes that rows are clustered by: targets, features, or both, with weights.

`methods/pct.py` makes them; `clustering_space` turns them into points.
"""

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from ..targets.targets import Target

ATTRIBUTES_PER_BLOCK = 256  # attributes that are copied at once; chosen by eye


@dataclass(frozen=True)
class Attributes:
    """Attributes that rows are clustered by, C of them.

    arrays (n, C): values, NaN = unknown; or several arrays (n, C_k), which are not copied only to stand side by side.
    nominal (C,) bool: nominal attributes.
    weights (C,): weights, 0 or more.
    """

    arrays: np.ndarray | tuple[np.ndarray, ...]
    nominal: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, target: Target, alpha: np.ndarray | None = None) -> "Attributes":
        """Read the attributes of a target; alpha: weights of its labels, None for 1."""
        values, nominal = target.columns
        return cls(values, nominal, np.ones(values.shape[1]) if alpha is None else alpha)

    @property
    def blocks(self) -> tuple[np.ndarray, ...]:
        """Arrays (n, C_k) with all columns, in order."""
        return self.arrays if isinstance(self.arrays, tuple) else (self.arrays,)

    @property
    def values(self) -> np.ndarray:
        """All columns in one array (n, C), a copy where they are in several."""
        return np.hstack(self.arrays) if isinstance(self.arrays, tuple) else self.arrays

    @property
    def varying(self) -> np.ndarray:
        """Mask (C,) of the attributes with two known values that differ."""
        masks = [np.fmin.reduce(block, axis=0) < np.fmax.reduce(block, axis=0) for block in self.blocks]
        return np.concatenate(masks)

    @property
    def complete(self) -> np.ndarray:
        """Mask (C,) of the attributes that are known in all rows."""
        masks = (
            np.isnan(block[:, start : start + ATTRIBUTES_PER_BLOCK]).any(axis=0)
            for block in self.blocks
            for start in range(0, block.shape[1], ATTRIBUTES_PER_BLOCK)
        )
        return cast("np.ndarray", ~np.concatenate([np.zeros(0, bool), *masks]))

    def columns(self, f: np.ndarray) -> np.ndarray:
        """Copy the columns f (c,), ascending: (n, c), each contiguous."""
        first = 0  # number of the first attribute of a block
        copies: np.ndarray = np.empty((len(f), len(self.blocks[0]))).T
        for block in self.blocks:
            start, stop = np.searchsorted(f, [first, first + block.shape[1]])
            for position in range(start, stop, ATTRIBUTES_PER_BLOCK):
                copied = slice(position, min(position + ATTRIBUTES_PER_BLOCK, stop))
                copies[:, copied] = block[:, f[copied] - first]
            first += block.shape[1]
        return copies

    def shared(self, total: float) -> "Attributes":
        """Scale the weights by `total` over the number of attributes that vary; the others get weight 0."""
        varying = self.varying
        return replace(self, weights=varying * self.weights * total / max(varying.sum(), 1))

    def joined(self, attributes: "Attributes") -> "Attributes":
        """Join these attributes and others of the same rows."""
        nominal = np.concatenate([self.nominal, attributes.nominal])
        weights = np.concatenate([self.weights, attributes.weights])
        return Attributes((*self.blocks, *attributes.blocks), nominal, weights)
