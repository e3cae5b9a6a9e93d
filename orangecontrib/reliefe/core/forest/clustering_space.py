"""Clustering space: rows become points, so that |E| impurity(E) is the sum of squared distances to their mean.

A numeric attribute is sqrt(weight / variance) * value, a nominal one its indicators times sqrt(weight / Gini); variance
and Gini are those of all rows (semi-supervised paper, equation 1).  Two values take one column, for 0/1 has half the
variance that its indicators have Gini, and more values one column less than there are, for indicators add up to 1.
Attributes that are known in the same rows form a group; one with more columns than rows becomes the factor of its Gram
matrix, which keeps all distances.  `methods/pct.py` makes a space of the attributes that rows are clustered by.
"""

from contextlib import suppress
from typing import NamedTuple, cast

import numpy as np
from scipy.linalg import helmert

from ..work.threads import SERIAL_ALGEBRA
from .attributes import ATTRIBUTES_PER_BLOCK, Attributes

RIDGE = 1e-13  # ridge, as a share of the trace, that makes centred rows independent, and changes only rounding
MIN_PIVOT = 1e3  # square of a pivot, as a multiple of the ridge, below which a row depends on those before it
MIN_EIGENVALUE = 1e-13  # share of the largest eigenvalue below which there is only rounding
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


class _Group(NamedTuple):
    """Attributes that are known in the same rows.

    is_known (n,) bool: these rows.
    attributes (c,): the attributes, ascending.
    """

    is_known: np.ndarray
    attributes: np.ndarray


def clustering_space(attributes: Attributes) -> ClusteringSpace:
    """Make the space in which distances are impurities.

    Attributes that do not vary, or have no weight, are left out.  Raises ValueError where values are too large.
    """
    n = len(attributes.blocks[0])
    groups = _groups(attributes)
    blocks = [np.zeros((n, 0))]
    for group in groups:
        points = _reduced(_coordinates(attributes, group))
        width = points.shape[1]
        n_padding = -width % LANES  # lanes without a column
        block = np.zeros((n, width if width % LANES <= 1 else width + n_padding))
        block[group.is_known, :width] = points
        blocks.append(block)
    masks = np.array([group.is_known for group in groups], bool).reshape(-1, n)
    return ClusteringSpace(
        z=np.hstack(blocks),
        starts=np.cumsum([block.shape[1] for block in blocks]),
        known=masks.T.astype(np.float64, order="C"),
        complete=np.logical_and.reduce(masks, axis=1),
    )


def _groups(attributes: Attributes) -> list[_Group]:
    """Group the attributes that vary and have a weight: those that all rows know first, if there are any."""
    is_used = attributes.varying & (attributes.weights > 0)
    is_complete = attributes.complete
    groups = []
    if (is_used & is_complete).any():
        groups.append(_Group(np.ones(len(attributes.blocks[0]), bool), np.flatnonzero(is_used & is_complete)))
    by_rows: dict[bytes, list[int]] = {}  # incomplete attributes by the bytes of their masks
    incomplete = np.flatnonzero(is_used & ~is_complete)
    for start in range(0, len(incomplete), ATTRIBUTES_PER_BLOCK):
        block = incomplete[start : start + ATTRIBUTES_PER_BLOCK]
        masks = ~np.isnan(attributes.columns(block)).T
        for f, is_known in zip(block.tolist(), masks, strict=True):
            by_rows.setdefault(is_known.tobytes(), []).append(f)
    groups += [_Group(np.frombuffer(mask, bool), np.array(members)) for mask, members in by_rows.items()]
    return groups


def _coordinates(attributes: Attributes, group: _Group) -> np.ndarray:
    """Compute the coordinates of the attributes of a group in the m rows that know them: (m, columns).

    A number has one column, and so have two values; a nominal attribute has one less than it has values.
    """
    f = group.attributes
    is_known = group.is_known
    is_nominal = attributes.nominal[f]
    weights = attributes.weights[f]
    codes = attributes.columns(f[is_nominal])[is_known]
    has_many_values = np.zeros(len(f), bool)
    has_many_values[is_nominal] = [len(np.unique(column)) > 2 for column in codes.T]
    # Numbers and attributes of two values, in place: making new arrays would take most of the time.
    values = attributes.columns(f[~has_many_values])
    values = values if is_known.all() else np.asfortranarray(values[is_known])
    values -= values.min(axis=0)
    values /= values.max(axis=0)
    values -= values.mean(axis=0)
    values *= np.sqrt(weights[~has_many_values] * len(values) / np.einsum("ij,ij->j", values, values))
    # Attributes of more values.
    blocks = [values]
    for column, weight in zip(codes.T[has_many_values[is_nominal]], weights[has_many_values], strict=True):
        indicators = (column[:, None] == np.unique(column)).astype(np.float64)
        corners = helmert(indicators.shape[1]).T  # of a simplex: as far from each other, in one dimension less
        blocks.append(indicators @ corners * np.sqrt(weight / indicators.var(axis=0).sum()))
    return np.hstack(blocks) if blocks[1:] else values


def _reduced(z: np.ndarray) -> np.ndarray:
    """Reduce coordinates z (m, c) to (m, r), r < m, with the same distances of rows; z is centred in place.

    Where c >= m, the coordinates are a factor of the Gram matrix z z'.
    """
    z -= z.mean(axis=0)
    if z.shape[1] < len(z):
        return z
    with SERIAL_ALGEBRA:  # in some milliseconds, threads would only wait for each other
        gram = z @ z.T
        ridge = RIDGE * np.trace(gram)
        # Cholesky is ten times as fast as eigenvalues, but fails where rows depend on each other more than by centring.
        with suppress(np.linalg.LinAlgError):
            factor = np.linalg.cholesky(gram + ridge * np.eye(len(gram)))
            if (np.diag(factor)[:-1] ** 2 > MIN_PIVOT * ridge).all():
                return factor[:, :-1]
        eigenvalues, eigenvectors = np.linalg.eigh(gram)
    is_positive = eigenvalues > MIN_EIGENVALUE * eigenvalues[-1]
    return cast("np.ndarray", eigenvectors[:, is_positive] * np.sqrt(eigenvalues[is_positive]))
