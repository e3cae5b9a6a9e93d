"""Clustering space: rows become points, so that |E| impurity(E) is the sum of squared distances to their mean.

A numeric attribute is sqrt(weight / variance) * value, a nominal one its indicators times sqrt(weight / Gini); variance
and Gini are those of all rows (semi-supervised paper, equation 1).  Two values take one column, for 0/1 has half the
variance that its indicators have Gini, and more values one column less than there are, for indicators add up to 1.
Attributes that are known in the same rows form a group; one with more columns than rows becomes the factor of its Gram
matrix, which keeps all distances.
"""

from contextlib import suppress
from typing import NamedTuple, cast

import numpy as np
from scipy.linalg import helmert

from ..work.threads import SERIAL_ALGEBRA
from .attributes import ATTRIBUTES_PER_BLOCK, Attributes

RIDGE = 1e-13  # over the trace, that centred rows need to be independent, and makes no difference beyond rounding
MIN_PIVOT = 1e3  # square of a pivot over the ridge, below which a row depends on those before it
MIN_EIGENVALUE = 1e-13  # over the largest one, that is more than rounding
LANES = 4  # columns that a kernel takes at once, if not eight; it takes single ones, too


class ClusteringSpace(NamedTuple):
    """Rows as points.

    z (n, lanes): coordinates, 0 where unknown.
    starts (G + 1,): first lanes of the G groups of attributes that are known in the same rows.
    known (n, G): 1.0 where a row knows a group, else 0.0.
    complete (G,) bool: True where all rows know a group.
    """

    z: np.ndarray
    starts: np.ndarray
    known: np.ndarray
    complete: np.ndarray


def clustering_space(attributes: Attributes) -> ClusteringSpace:
    """Make the space in which distances are impurities.

    Raises ValueError where values are too large.
    """
    n = len(attributes.parts[0])
    used = attributes.varying & (attributes.weights > 0)
    complete = attributes.complete
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
    return ClusteringSpace(
        np.hstack(blocks), starts, masks.T.astype(np.float64, order="C"), np.logical_and.reduce(masks, axis=1)
    )


def _columns(attributes: Attributes, f: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Compute the columns of the attributes f (c,), which vary, in the rows of a mask (n,).

    A number has one column, and so have two values; a nominal attribute has one less than it has values.
    """
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
    """Reduce coordinates z (m, c) to (m, r), r < m, with the same distances of rows; z is centred in place."""
    z -= z.mean(axis=0)
    if z.shape[1] < len(z):
        return z
    with SERIAL_ALGEBRA:  # for some milliseconds threads only wait for each other
        gram = z @ z.T
        ridge = RIDGE * np.trace(gram)
        with suppress(
            np.linalg.LinAlgError
        ):  # ten times as fast, unless rows depend on each other more than by centring
            factor = np.linalg.cholesky(gram + ridge * np.eye(len(gram)))
            if (np.diag(factor)[:-1] ** 2 > MIN_PIVOT * ridge).all():
                return factor[:, :-1]
        sizes, axes = np.linalg.eigh(gram)
    is_positive = sizes > MIN_EIGENVALUE * sizes[-1]
    return cast("np.ndarray", axes[:, is_positive] * np.sqrt(sizes[is_positive]))
