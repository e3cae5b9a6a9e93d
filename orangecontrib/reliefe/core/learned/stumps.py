"""Standardised margins, the weak learners of boosting, of as many features as there is room for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from ..kernels.jit import kernel
from ..relief.formats.features import aligned
from .boosting import MAX_ORDERED
from .feature_blocks import all_columns
from .global_part import GlobalPart
from .margins import Margins

AUTO = "auto"
MAX_CELLS = 2**23  # margins that are boosted by default: 32 MiB in single precision
SPREAD_QUANTILE = 0.25  # of the spreads, which is added to all of them
MIN_SPREAD = 1e-9  # share of the largest spread below which one is none


@dataclass(frozen=True)
class Stumps:
    """Standardised margins (weak learners); with two neighbour spaces, or a global part, their weighted sum."""

    kinds: Sequence[Margins]  # of one or two spaces
    factors: np.ndarray  # weights of the kinds in the sum
    # Means of the margins of the last kind over the rows: of classes the scores that its neighbours give
    scores: np.ndarray
    t: np.ndarray  # means over the rows
    divisors: np.ndarray  # spreads and `least`
    least: float  # quantile of the spreads, which is added to all of them
    part: GlobalPart | None  # what is added to the margins of neighbours
    factor: float  # its weight in the sum
    gates: np.ndarray  # shares of it that count, by feature
    of_neighbours: np.ndarray  # divisors of the margins without it

    def values(self, chosen: np.ndarray, kept: dict[int, list[np.ndarray]]) -> np.ndarray:
        """Stumps (c, R) of features; kept: margins by the block that they are of, which are used up."""
        shares = self.kinds[0].shares
        out = aligned((len(chosen), len(shares)), self.kinds[0].run.features.values.dtype)
        for place in all_columns(len(chosen), self.kinds[0].run.n):
            found = kept.pop(int(place[0]), None) or [kind.columns(chosen[place]) for kind in self.kinds]
            scales = (self.factors[:, None] / self.divisors[chosen[place]]).astype(out.dtype)
            here = out[place[0] : place[-1] + 1]
            _mix(found[0], found[-1], scales[0], scales[1:].sum(axis=0), here)
            self._add_part(self.part, chosen[place], self.factor / self.divisors[chosen[place]], here)
        return out

    def by_chance(self, mixed: np.ndarray) -> np.ndarray:
        """Stumps (P, R) of sums of margins (P, R) that are due to chance, over their own spreads."""
        exact = mixed.astype(np.float64)
        spreads = np.sqrt(np.einsum("fr,fr,r->f", exact, exact, self.kinds[0].shares))
        return cast("np.ndarray", (exact / (spreads + self.least)[:, None]).astype(mixed.dtype))

    def mixed(self, kinds: Sequence[Margins], part: GlobalPart | None, chosen: np.ndarray) -> np.ndarray:
        """Weighted sums (c, R) of the margins of features (c,), ascending, by neighbours and a global part like those
        of the stumps."""
        terms = (factor * kind.columns(chosen) for factor, kind in zip(self.factors.tolist(), kinds, strict=True))
        out = cast("np.ndarray", sum(terms))
        self._add_part(part, chosen, np.full(len(chosen), self.factor), out)
        return out

    def _add_part(self, part: GlobalPart | None, chosen: np.ndarray, scales: np.ndarray, out: np.ndarray) -> None:
        """Add a global part, times scales (c,), to margins (c, R): by the gates that are known if it is that of the
        stumps."""
        if part is None or not self.factor > 0:
            return
        open_ = np.flatnonzero(self.gates[chosen] > 0) if part is self.part else np.arange(len(chosen))
        if len(open_):
            ranked = part.ranked(chosen[open_])
            found = np.flatnonzero(ranked.gates > 0)
            open_ = open_[found]
            out[open_] += ranked.margins(found) * scales[open_, None].astype(out.dtype)


def stumps(
    kinds: Sequence[Margins], candidates: int | str | None, part: GlobalPart | None, keep: np.ndarray
) -> tuple[Stumps, np.ndarray, np.ndarray]:
    """Compute the stumps of the best features, and of those that are always kept, whose indices are `keep`."""
    shares, p = kinds[0].shares, kinds[0].run.p
    room = max(MAX_CELLS // max(len(shares), 1), MAX_ORDERED) if isinstance(candidates, str) else candidates or p
    sums, of_part, gates, size_of_part = np.zeros((p, 7)), np.zeros((p, 4)), np.zeros(p), 0.0
    kept: dict[int, list[np.ndarray]] = {}
    for block in all_columns(p, kinds[0].run.n):
        found = [kind.columns(block) for kind in kinds]
        _moments(found[0], found[-1], shares, sums[block[0] : block[-1] + 1])
        if part is not None:
            ranked = part.ranked(block)
            gates[block], size_of_part = ranked.gates, size_of_part + float(ranked.sizes.sum())
            open_ = np.flatnonzero(ranked.gates > 0)
            of_part[block[open_]] = _products(ranked.margins(open_), open_, found[0], found[-1], shares)
        if p <= room:
            kept[int(block[0])] = found
        del found  # before the next ones are made
    factors, factor = np.ones(1), 0.0
    if len(kinds) > 1 or part is not None:
        cells = max(len(shares) * p, 1)
        size = np.sqrt(sums[:, 5 : 5 + len(kinds)].sum(axis=0) / cells)
        factors = np.where(size > 0, 1 / len(kinds) / np.where(size > 0, size, 1), 0.0)
        factor = 1 / np.sqrt(size_of_part / cells) if size_of_part > 0 else 0.0
    a, b = factors[0], factors[1:].sum()
    squares = sums[:, 2:5] @ [a * a, 2 * a * b, b * b]
    divisors, least = _divisors(squares + of_part[:, 1:] @ [factor * factor, 2 * factor * a, 2 * factor * b])
    t = (sums[:, :2] @ [a, b] + factor * of_part[:, 0]) / divisors
    made = Stumps(
        kinds, factors, sums[:, len(kinds) - 1], t, divisors, least, part, factor, gates, _divisors(squares)[0]
    )
    chosen = np.union1d(np.lexsort((kinds[0].run.features.columns, -t))[:room], keep)
    return made, chosen, made.values(chosen, kept)


def _divisors(squares: np.ndarray) -> tuple[np.ndarray, float]:
    """Spreads by their squares (p,), and what is added to all of them: (the sums (p,), the latter)."""
    spreads = np.sqrt(np.maximum(squares, 0.0))
    spreads[spreads < MIN_SPREAD * spreads.max(initial=0.0)] = 0.0
    least = float(np.quantile(spreads[spreads > 0], SPREAD_QUANTILE)) if spreads.any() else 1.0
    return spreads + least, least


@kernel
def _products(part, places, first, second, shares):
    """Weighted sums (c, 4) of margins `part` (c, R), their squares, and their products with those of features `places`
    of first and of second."""
    out = np.zeros((len(places), 4))
    for s in range(len(places)):
        g, x, y = part[s], first[places[s]], second[places[s]]
        a, aa, ax, ay = 0.0, 0.0, 0.0, 0.0
        for r in range(len(shares)):
            v, w = np.float64(g[r]), shares[r]
            a += w * v
            aa += w * v * v
            ax += w * v * np.float64(x[r])
            ay += w * v * np.float64(y[r])
        out[s, 0], out[s, 1], out[s, 2], out[s, 3] = a, aa, ax, ay
    return out


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
