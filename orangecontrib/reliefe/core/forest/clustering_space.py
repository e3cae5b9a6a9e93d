"""Clustering space: rows become points, so that |E| impurity(E) is the sum of squared distances to their mean.

A numeric attribute is sqrt(weight / variance) * value, a nominal one its indicators times sqrt(weight / Gini); variance
and Gini are those of all rows (semi-supervised paper, equation 1).  Two values take one column, for 0/1 has half the
variance that its indicators have Gini, and more values one column less than there are, for indicators add up to 1.
Attributes that are known in the same rows form a group; one with more columns than rows becomes the factor of its Gram
matrix, which keeps all distances.
"""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.linalg import helmert
from threadpoolctl import ThreadpoolController

from ..data.components import Components
from ..data.targets import Classes, PartlyLabelled, Target, Unlabelled

RANK = 1e-13  # smallest eigenvalue, over the largest, that is more than rounding
FOUR = 4  # columns that a kernel takes at once, if not eight; it takes single ones, too


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
    n, known = len(attributes.values), ~np.isnan(attributes.values)
    used, complete = attributes.varying & (attributes.weights > 0), known.all(axis=0)
    together = [np.flatnonzero(used & complete)] if (used & complete).any() else []
    groups: dict[bytes, list[int]] = {}
    for f in np.flatnonzero(used & ~complete):
        groups.setdefault(known[:, f].tobytes(), []).append(f)
    together += [np.array(f) for f in groups.values()]
    blocks, masks = [np.zeros((n, 0))], np.array([known[:, f[0]] for f in together], bool).reshape(-1, n)
    for mask, f in zip(masks, together, strict=True):
        values = attributes.values if mask.all() else attributes.values[mask]
        points = _factor(_columns(values, f, attributes.nominal[f], attributes.weights[f]))
        block = np.zeros((n, _padded(points.shape[1])))
        block[mask, : points.shape[1]] = points
        blocks.append(block)
    starts = np.cumsum([block.shape[1] for block in blocks])
    return Space(np.hstack(blocks), starts, masks.T.astype(np.float64, order="C"), masks.all(axis=1))


def _columns(values: np.ndarray, f: np.ndarray, nominal: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The attributes f (c,) of values (m, C), which vary, as their columns: one for numbers and two values, else one
    less than values; nominal and weights (c,)."""
    several = np.array([kind and len(np.unique(values[:, j])) > 2 for kind, j in zip(nominal, f, strict=True)])
    plain = values[:, f[~several]]  # then in place: making new arrays would take most of the time
    low = plain.min(axis=0)
    plain -= low
    plain /= plain.max(axis=0)
    plain -= plain.mean(axis=0)
    plain *= np.sqrt(weights[~several] * len(plain) / np.einsum("ij,ij->j", plain, plain))
    parts = [plain]
    for column, weight in zip(values[:, f[several]].T, weights[several], strict=True):
        indicators = (column[:, None] == np.unique(column)).astype(np.float64)
        corners = helmert(indicators.shape[1]).T  # of a simplex: they are as far from each other in one dimension less
        parts.append(indicators @ corners * np.sqrt(weight / indicators.var(axis=0).sum()))
    return np.hstack(parts) if parts[1:] else plain


def _factor(z: np.ndarray) -> np.ndarray:
    """(m, c) -> (m, r), r < m, with the same distances of rows; z itself is centred."""
    z -= z.mean(axis=0)
    if z.shape[1] < len(z):
        return z
    with _libraries().limit(limits=1, user_api="blas"):  # for some milliseconds threads only wait for each other
        sizes, axes = np.linalg.eigh(z @ z.T)
    kept = sizes > RANK * sizes[-1]
    return axes[:, kept] * np.sqrt(sizes[kept])


@cache
def _libraries() -> ThreadpoolController:
    """Those of linear algebra, which it takes a while to find."""
    return ThreadpoolController()


def _padded(width: int) -> int:
    """Lanes for columns: fours and at most one more."""
    return width if width % FOUR <= 1 else width + -width % FOUR
