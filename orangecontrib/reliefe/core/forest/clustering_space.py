"""Clustering space: rows become points, so that |E| impurity(E) is the sum of squared distances to their mean.

A numeric attribute is sqrt(weight / variance) * value, a nominal one its indicators times sqrt(weight / Gini); variance
and Gini are those of all rows (semi-supervised paper, equation 1).  Two values take one column, for 0/1 has half the
variance that its indicators have Gini.  Attributes that are known in the same rows form a group; one with more columns
than rows becomes the factor of its Gram matrix, which keeps all distances.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..data.components import Components
from ..data.targets import Classes, PartlyLabelled, Target, Unlabelled

RANK = 1e-13  # smallest eigenvalue, over the largest, that is more than rounding
EIGHT = 8  # columns that a kernel takes at once; it takes single ones, too


class Space(NamedTuple):
    """z (n, lanes): 0 where unknown; starts (G + 1,): first lanes of the groups; known (n, G): 1.0 or 0.0; complete
    (G,) bool: whether all rows are known."""

    z: np.ndarray
    starts: np.ndarray
    known: np.ndarray
    complete: np.ndarray


@dataclass(frozen=True)
class Attributes:
    """What rows are clustered by: values (n, C), NaN = unknown; nominal (C,) bool; weights (C,)."""

    values: np.ndarray
    nominal: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, target: Target, alpha: np.ndarray | None = None) -> "Attributes":
        """The target's; alpha: weights of its labels, None for 1."""
        inner, known = getattr(target, "target", target), target.labelled
        if isinstance(inner, Unlabelled):
            return cls(np.empty((inner.n, 0)), np.empty(0, bool), np.empty(0))
        values = np.array(inner.codes if isinstance(inner, Classes) else inner.values, np.float64)
        values = values.reshape(len(values), -1)
        if isinstance(target, PartlyLabelled):
            values[~known] = np.nan
        nominal = np.full(values.shape[1], isinstance(inner, Classes))
        if isinstance(inner, Components):
            nominal = inner.nominal
        return cls(values, nominal, np.ones(values.shape[1]) if alpha is None else alpha)

    @property
    def varying(self) -> np.ndarray:
        """(C,) bool: which have two known values that differ."""
        low, high = np.fmin.reduce(self.values, axis=0), np.fmax.reduce(self.values, axis=0)
        return low < high

    def shared(self, total: float) -> "Attributes":
        """With weights times `total` over the number of attributes that vary, and 0 for the others."""
        varying = self.varying
        return Attributes(self.values, self.nominal, varying * self.weights * total / max(varying.sum(), 1))

    def beside(self, other: "Attributes") -> "Attributes":
        """These and others of the same rows."""
        parts = (self.values, other.values), (self.nominal, other.nominal), (self.weights, other.weights)
        return Attributes(*(np.concatenate(pair, axis=-1) for pair in parts))


def clustering_space(attributes: Attributes) -> Space:
    """The space in which distances are impurities.

    Raises ValueError where values are too large.
    """
    n = len(attributes.values)
    groups: dict[bytes, tuple[np.ndarray, list[np.ndarray]]] = {}
    for values, nominal, weight in zip(attributes.values.T, attributes.nominal, attributes.weights, strict=True):
        known = ~np.isnan(values)
        if weight > 0 and known.any():
            columns = _columns(values[known], nominal, weight)
            groups.setdefault(known.tobytes(), (known, []))[1].append(columns)
    blocks = [np.zeros((n, 0))]
    for known, columns in groups.values():
        points = _factor(np.hstack(columns))
        block = np.zeros((n, _padded(points.shape[1])))
        block[known, : points.shape[1]] = points
        blocks.append(block)
    masks = np.array([known for known, _ in groups.values()], bool).reshape(len(groups), n)
    starts = np.cumsum([block.shape[1] for block in blocks])
    return Space(np.hstack(blocks), starts, masks.T.astype(np.float64, order="C"), masks.all(axis=1))


def _columns(values: np.ndarray, nominal: bool, weight: float) -> np.ndarray:
    """One attribute as its columns (m, c), m known rows; none where it is constant."""
    levels = np.unique(values)
    if len(levels) < 2:
        return np.empty((len(values), 0))
    if nominal and len(levels) > 2:
        indicators = (values[:, None] == levels).astype(np.float64)
        return indicators * np.sqrt(weight / indicators.var(axis=0).sum())
    unit = (values - levels[0]) / (levels[-1] - levels[0])
    return ((unit - unit.mean()) * np.sqrt(weight / unit.var()))[:, None]


def _factor(z: np.ndarray) -> np.ndarray:
    """(m, c) -> (m, r), r < m, with the same distances of rows."""
    z = z - z.mean(axis=0)
    if z.shape[1] < len(z):
        return z
    sizes, axes = np.linalg.eigh(z @ z.T)
    kept = sizes > RANK * sizes[-1]
    return axes[:, kept] * np.sqrt(sizes[kept])


def _padded(width: int) -> int:
    """Lanes for columns: eights and at most one more."""
    return width if width % EIGHT <= 1 else width + -width % EIGHT
