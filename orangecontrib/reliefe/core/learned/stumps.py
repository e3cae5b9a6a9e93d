"""Standardised margins, the weak learners of boosting, of as many features as there is room for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from ..data.features import aligned
from ..jit import kernel
from .boosting import MAX_ORDERED
from .margins import Margins, all_columns

AUTO = "auto"
MAX_CELLS = 2**23  # margins that are boosted by default: 32 MiB in single precision
SPREAD_QUANTILE = 0.25  # of the spreads, which is added to all of them
MIN_SPREAD = 1e-9  # share of the largest spread below which one is none


@dataclass(frozen=True)
class Stumps:
    """Standardised margins (weak learners); with two neighbour spaces their weighted sum.

    Attributes
    ----------
    kinds : sequence of Margins
        Of one or two spaces.
    factors : (len(kinds),) array
        Weights of the kinds in the sum.
    t : (p,) array
        Means over the rows.
    divisors : (p,) array
        Spreads and `least`.
    least : float
        Quantile of the spreads, which is added to all of them.
    """

    kinds: Sequence[Margins]
    factors: np.ndarray
    t: np.ndarray
    divisors: np.ndarray
    least: float

    def best(self, room: int) -> np.ndarray:
        """Features (c,) that are boosted where there is room for so many, ascending."""
        return np.sort(np.lexsort((self.kinds[0].run.features.columns, -self.t))[:room])

    def values(self, chosen: np.ndarray, kept: dict[int, list[np.ndarray]]) -> np.ndarray:
        """Stumps (c, R) of features; kept: margins by the block that they are of, which are used up."""
        shares = self.kinds[0].shares
        out = aligned((len(chosen), len(shares)), self.kinds[0].run.features.values.dtype)
        for place in all_columns(len(chosen), self.kinds[0].run.n):
            found = kept.pop(int(place[0]), None) or [kind.columns(chosen[place]) for kind in self.kinds]
            scales = (self.factors[:, None] / self.divisors[chosen[place]]).astype(out.dtype)
            _mix(found[0], found[-1], scales[0], scales[1:].sum(axis=0), out[place[0] : place[-1] + 1])
        return out

    def by_chance(self, found: list[np.ndarray]) -> np.ndarray:
        """Stumps (P, R) of margins (P, R) of every kind that are due to chance, over their own spreads."""
        mixed = self.mixed(found).astype(np.float64)
        spreads = np.sqrt(np.einsum("fr,fr,r->f", mixed, mixed, self.kinds[0].shares))
        return cast("np.ndarray", (mixed / (spreads + self.least)[:, None]).astype(found[0].dtype))

    def mixed(self, found: list[np.ndarray]) -> np.ndarray:
        """Weighted sum (c, R) of margins (c, R) of every kind."""
        terms = (factor * margins for factor, margins in zip(self.factors.tolist(), found, strict=True))
        return cast("np.ndarray", sum(terms))


def stumps(kinds: Sequence[Margins], candidates: int | str | None) -> tuple[Stumps, np.ndarray, np.ndarray]:
    """Compute the stumps of the best features.

    Parameters
    ----------
    kinds : sequence of Margins
        Of one or two spaces.
    candidates : int, None or "auto"
        Number of features that are boosted, the best by t; None: all; "auto": as many as there is room for.

    Returns
    -------
    Stumps, (c,) int array, (c, R) array
        Of all features; features that are boosted, ascending; their stumps.
    """
    shares, p = kinds[0].shares, kinds[0].run.p
    room = max(MAX_CELLS // max(len(shares), 1), MAX_ORDERED) if isinstance(candidates, str) else candidates or p
    sums = np.zeros((p, 7))
    kept: dict[int, list[np.ndarray]] = {}
    for block in all_columns(p, kinds[0].run.n):
        found = [kind.columns(block) for kind in kinds]
        _moments(found[0], found[-1], shares, sums[block[0] : block[-1] + 1])
        if p <= room:
            kept[int(block[0])] = found
        del found  # before the next ones are made
    factors = np.ones(1)
    if len(kinds) > 1:
        size = np.sqrt(sums[:, 5:].sum(axis=0) / max(len(shares) * p, 1))
        factors = np.where(size > 0, 0.5 / np.where(size > 0, size, 1), 0.0)
    a, b = factors[0], factors[1:].sum()
    spreads = np.sqrt(np.maximum(sums[:, 2:5] @ [a * a, 2 * a * b, b * b], 0.0))
    spreads[spreads < MIN_SPREAD * spreads.max(initial=0.0)] = 0.0
    least = float(np.quantile(spreads[spreads > 0], SPREAD_QUANTILE)) if spreads.any() else 1.0
    made = Stumps(kinds, factors, sums[:, :2] @ [a, b] / (spreads + least), spreads + least, least)
    chosen = made.best(room)
    return made, chosen, made.values(chosen, kept)


@kernel
def _moments(first, second, shares, out):
    """Add sums over the margins to out (c, 7): weighted ones of first, of second, of their squares and product; of
    squares not weighted."""
    for f in range(len(first)):
        x, y = first[f], second[f]
        a, b, aa, ab, bb, size, other = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for r in range(len(shares)):
            u, v, w = np.float64(x[r]), np.float64(y[r]), shares[r]
            a += w * u
            b += w * v
            aa += w * u * u
            ab += w * u * v
            bb += w * v * v
            size += u * u
            other += v * v
        out[f, 0] += a
        out[f, 1] += b
        out[f, 2] += aa
        out[f, 3] += ab
        out[f, 4] += bb
        out[f, 5] += size
        out[f, 6] += other


@kernel
def _mix(first, second, a, b, out):
    """Write a (c,) * first + b (c,) * second to out (c, R)."""
    for f in range(len(out)):
        x, y, z = first[f], second[f], out[f]
        for r in range(len(z)):
            z[r] = a[f] * x[r] + b[f] * y[r]
