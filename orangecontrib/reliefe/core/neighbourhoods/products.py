"""Weights of pairs that are products: numbers of one row times numbers of the other, within zones."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..kernels.jit import kernel
from .pairs import Pairs


@dataclass(frozen=True)
class Products:
    """A row j in the zone of row i weighs ``left[:, i] @ right[:, j]`` for i."""

    right: np.ndarray  # (q, n), the last line 1
    left: Callable[[np.ndarray], np.ndarray]  # from the sums (q, n) of `right` over zones to `left` (q, n)


# Of a tile: distances, (i0, i1, j0, j1), and what is filled: masks (2, h, w), or weights.
OfTile = Callable[[np.ndarray, Any, np.ndarray], None]


def weights_of_products(pairs: Pairs, products: Products, masked: OfTile) -> OfTile:
    """Weights of tiles, after a pass for the sums over zones."""
    right, shape = products.right, (2, *pairs.distance.shape)

    def part(number: int) -> np.ndarray:
        masks, out = np.zeros(shape, bool), np.zeros_like(right)
        for tiles, wheres in pairs.blocks(number):
            for d, where in zip(tiles, wheres, strict=True):
                masked(d, where, masks)
                _add_sums(masks, where, right, out)
        return out

    left = products.left(pairs.total(part))

    def weigh(d: np.ndarray, where: Any, V: np.ndarray) -> None:
        masks = np.zeros(shape, bool)
        masked(d, np.array(where), masks)
        _weigh_products(masks, np.array(where), left, right, V)

    return weigh


@kernel
def zone_masks(D, where, sign, limit, masks):
    """Masks (2, h, w) of a tile above the diagonal: columns in the zone of rows, and rows in the zone of columns."""
    mine, theirs = masks[0], masks[1]
    i0, i1, j0, j1 = where
    for i in range(i0, i1):
        d, own, others, bound = D[i - i0], mine[i - i0], theirs[i - i0], limit[i]
        limits, first = limit[j0:j1], i + 1 - j0
        for q in range(len(limits)):
            own[q] = (sign * d[q] < bound) & (q >= first)
        for q in range(len(limits)):
            others[q] = (sign * d[q] < limits[q]) & (q >= first)


@kernel
def _add_sums(masks, where, right, out):
    """Sums of `right` (q, n) over the rows of zones, added to out (q, n)."""
    mine, theirs = masks[0], masks[1]
    i0, i1, j0, j1 = where
    for i in range(i0, i1):
        own, others = mine[i - i0, : j1 - j0], theirs[i - i0, : j1 - j0]
        for k in range(len(right)):
            values, sums, value, total = right[k, j0:j1], out[k, j0:j1], right[k, i], 0.0
            for q in range(len(values)):
                total += values[q] if own[q] else 0.0
            for q in range(len(values)):
                sums[q] += value if others[q] else 0.0
            out[k, i] += total


@kernel
def _weigh_products(masks, where, left, right, V):
    """Weights V[i - i0, j - j0] of j for i plus of i for j; left, right (q, n)."""
    mine, theirs = masks[0], masks[1]
    i0, i1, j0, j1 = where
    one, two = np.empty(j1 - j0), np.empty(j1 - j0)
    V[:] = 0
    for i in range(i0, i1):
        one[:] = 0
        two[:] = 0
        for k in range(len(left)):
            a, b, x, y = left[k, i], right[k, i], right[k, j0:j1], left[k, j0:j1]
            for q in range(len(one)):
                one[q] += a * x[q]
            for q in range(len(one)):
                two[q] += b * y[q]
        own, others, out = mine[i - i0], theirs[i - i0], V[i - i0]
        for q in range(len(one)):
            out[q] = (one[q] if own[q] else 0.0) + (two[q] if others[q] else 0.0)
