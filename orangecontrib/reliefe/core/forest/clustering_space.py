"""Clustering space: rows become points, so that |E| impurity(E) is the sum of squared distances to their mean.

A numeric attribute is sqrt(weight / variance) * value, a nominal one its indicators times sqrt(weight / Gini); variance
and Gini are those of all rows (semi-supervised paper, equation 1).  Two values take one column, for 0/1 has half the
variance that its indicators have Gini, and more values one column less than there are, for indicators add up to 1.
Attributes that are known in the same rows form a group; one with more columns than rows becomes the factor of its Gram
matrix, which keeps all distances.
"""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple, cast

import numpy as np
from scipy.linalg import helmert

from ..targets.targets import Target
from ..work.threads import SERIAL_ALGEBRA

RIDGE = 1e-13  # over the trace, that centred rows need to be independent, and makes no difference beyond rounding
MIN_PIVOT = 1e3  # square of a pivot over the ridge, below which a row depends on those before it
MIN_EIGENVALUE = 1e-13  # over the largest one, that is more than rounding
ATTRIBUTES_PER_BLOCK = 256  # that are copied at once
LANES = 4  # columns that a kernel takes at once, if not eight; it takes single ones, too


class Space(NamedTuple):
    """Rows as points."""

    z: np.ndarray  # coordinates, 0 where unknown
    starts: np.ndarray  # first lanes of the groups of attributes that are known in the same rows
    known: np.ndarray  # 1.0 or 0.0
    complete: np.ndarray  # True where all rows are known


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


def clustering_space(attributes: Attributes) -> Space:
    """Space in which distances are impurities.

    Raises ValueError where values are too large.
    """
    n, used, complete = len(attributes.parts[0]), attributes.varying & (attributes.weights > 0), attributes.complete
    together = [(np.ones(n, bool), np.flatnonzero(used & complete))] if (used & complete).any() else []
    groups: dict[bytes, list[int]] = {}
    partly = np.flatnonzero(used & ~complete)
    for c in range(0, len(partly), ATTRIBUTES_PER_BLOCK):
        some = partly[c : c + ATTRIBUTES_PER_BLOCK]
        for f, known in zip(some.tolist(), ~np.isnan(attributes.columns(some)).T, strict=True):
            groups.setdefault(known.tobytes(), []).append(f)
    together += [(np.frombuffer(known, bool), np.array(f)) for known, f in groups.items()]
    blocks, masks = [np.zeros((n, 0))], np.array([mask for mask, _ in together], bool).reshape(-1, n)
    for mask, f in together:
        points = _factor(_columns(attributes, f, mask))
        width = points.shape[1]
        block = np.zeros((n, width if width % LANES <= 1 else width + -width % LANES))
        block[mask, :width] = points
        blocks.append(block)
    starts = np.cumsum([block.shape[1] for block in blocks])
    return Space(np.hstack(blocks), starts, masks.T.astype(np.float64, order="C"), np.logical_and.reduce(masks, axis=1))


def _columns(attributes: Attributes, f: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Columns of the attributes f (c,), which vary, in the rows of a mask (n,): one for numbers and two values,
    else one less than values."""
    nominal, weights = attributes.nominal[f], attributes.weights[f]
    several = np.zeros(len(f), bool)
    coded = attributes.columns(f[nominal])[mask]
    several[nominal] = [len(np.unique(column)) > 2 for column in coded.T]
    plain = attributes.columns(f[~several])  # then in place: making new arrays would take most of the time
    plain = plain if mask.all() else np.asfortranarray(plain[mask])
    low = plain.min(axis=0)
    plain -= low
    plain /= plain.max(axis=0)
    plain -= plain.mean(axis=0)
    plain *= np.sqrt(weights[~several] * len(plain) / np.einsum("ij,ij->j", plain, plain))
    parts = [plain]
    for column, weight in zip(coded.T[several[nominal]], weights[several], strict=True):
        indicators = (column[:, None] == np.unique(column)).astype(np.float64)
        corners = helmert(indicators.shape[1]).T  # of a simplex: they are as far from each other in one dimension less
        parts.append(indicators @ corners * np.sqrt(weight / indicators.var(axis=0).sum()))
    return np.hstack(parts) if parts[1:] else plain


def _factor(z: np.ndarray) -> np.ndarray:
    """Coordinates (m, c) -> (m, r), r < m, with the same distances of rows; z itself is centred."""
    z -= z.mean(axis=0)
    if z.shape[1] < len(z):
        return z
    with SERIAL_ALGEBRA:  # for some milliseconds threads only wait for each other
        gram = z @ z.T
        ridge = RIDGE * np.trace(gram)
        with suppress(
            np.linalg.LinAlgError
        ):  # ten times as fast, unless rows depend on each other more than by centring
            found = np.linalg.cholesky(gram + ridge * np.eye(len(gram)))
            if (np.diag(found)[:-1] ** 2 > MIN_PIVOT * ridge).all():
                return found[:, :-1]
        sizes, axes = np.linalg.eigh(gram)
    kept = sizes > MIN_EIGENVALUE * sizes[-1]
    return cast("np.ndarray", axes[:, kept] * np.sqrt(sizes[kept]))
