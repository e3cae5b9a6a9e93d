"""Stumps, the weak learners of boosting: standardised margins, of as many features as there is room for.

`methods/learned.py` calls `stumps` with the margins of one or two spaces of neighbours, and with the global part.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np

from ..kernels.jit import kernel
from ..relief.formats.features import aligned
from .boosting import MAX_ORDERED
from .feature_blocks import feature_indices
from .global_part import GlobalPart
from .margins import Margins

AUTO = "auto"  # number of candidates: as many as there is room for
MAX_CELLS = 2**23  # margins that are boosted by default: 32 MiB in single precision
SPREAD_QUANTILE = 0.25  # quantile of the spreads that is added to all of them; chosen by eye
MIN_SPREAD = 1e-9  # share of the largest spread below which only rounding is left


@dataclass(frozen=True)
class Stumps:
    """Standardised margins (weak learners); with two spaces, or a global part, their weighted sum.

    kinds: margins by the neighbours of one or two spaces.
    factors (kinds,): weights of the kinds in the sum.
    scores (p,): mean margins of the last kind; of classes the scores that its neighbours give.
    t (p,): mean stumps.
    divisors (p,): spreads of the margins plus `least`.
    least: quantile of the spreads, which is added to all of them.
    part: global part of the margins; None without one.
    factor: weight of the global part in the sum.
    gates (p,): share of the global part that counts.
    of_neighbours (p,): divisors of the margins without the global part.
    """

    kinds: Sequence[Margins]
    factors: np.ndarray
    scores: np.ndarray
    t: np.ndarray
    divisors: np.ndarray
    least: float
    part: GlobalPart | None
    factor: float
    gates: np.ndarray
    of_neighbours: np.ndarray

    def values(self, chosen: np.ndarray, stored: dict[int, list[np.ndarray]]) -> np.ndarray:
        """Compute the stumps (c, R) of features (c,).

        stored: margins of each kind, by the first feature of their block; they are removed when they are used.
        """
        run = self.kinds[0].run
        out = aligned((len(chosen), len(self.kinds[0].shares)), run.features.values.dtype)
        for positions in feature_indices(len(chosen), run.n):
            features = chosen[positions]
            margins = stored.pop(int(positions[0]), None) or [kind.columns(features) for kind in self.kinds]
            scales = (self.factors[:, None] / self.divisors[features]).astype(out.dtype)
            block = out[positions[0] : positions[-1] + 1]
            _mix(margins[0], margins[-1], scales[0], scales[1:].sum(axis=0), block)
            self._add_part(self.part, features, self.factor / self.divisors[features], block)
        return out

    def by_chance(self, mixed: np.ndarray) -> np.ndarray:
        """Standardise margins (P, R) that are due to chance by their own spreads."""
        exact = mixed.astype(np.float64)
        spreads = np.sqrt(np.einsum("fr,fr,r->f", exact, exact, self.kinds[0].shares))
        return cast("np.ndarray", (exact / (spreads + self.least)[:, None]).astype(mixed.dtype))

    def mixed(self, kinds: Sequence[Margins], part: GlobalPart | None, chosen: np.ndarray) -> np.ndarray:
        """Compute weighted sums of margins, with the weights of these stumps.

        Parameters
        ----------
        kinds : sequence of Margins
            Margins by neighbours, as many kinds as the stumps have.
        part : GlobalPart, optional
            Global part.
        chosen : (c,) int array
            Features, ascending.

        Returns
        -------
        (c, R) array
        """
        terms = (factor * kind.columns(chosen) for factor, kind in zip(self.factors.tolist(), kinds, strict=True))
        out = cast("np.ndarray", sum(terms))
        self._add_part(part, chosen, np.full(len(chosen), self.factor), out)
        return out

    def _add_part(self, part: GlobalPart | None, chosen: np.ndarray, scales: np.ndarray, out: np.ndarray) -> None:
        """Add the margins of a global part, times scales (c,), to margins out (c, R).

        Features whose gates are known to be shut, since the part is that of the stumps, are skipped.
        """
        if part is None or not self.factor > 0:
            return
        is_own = part is self.part
        positions = np.flatnonzero(self.gates[chosen] > 0) if is_own else np.arange(len(chosen))
        if len(positions):
            ranked = part.ranked(chosen[positions])
            is_open = np.flatnonzero(ranked.gates > 0)
            positions = positions[is_open]
            out[positions] += ranked.margins(is_open) * scales[positions, None].astype(out.dtype)


class _Totals(NamedTuple):
    """Sums over the margins of each of p features, from one pass over all features.

    of_neighbours (p, 7): columns of `_add_moments`.
    of_part (p, 4): columns of `_products`.
    gates (p,): share of the global part that counts.
    squares_of_part: sum of the squares of all margins of the global part, before the gates.
    """

    of_neighbours: np.ndarray
    of_part: np.ndarray
    gates: np.ndarray
    squares_of_part: float


class _Weights(NamedTuple):
    """Weights of the terms of a stump: of each kind of margins, and of the global part."""

    factors: np.ndarray
    factor: float


def stumps(
    kinds: Sequence[Margins], candidates: int | str | None, part: GlobalPart | None, keep: np.ndarray
) -> tuple[Stumps, np.ndarray, np.ndarray]:
    """Compute the stumps of the best features.

    Parameters
    ----------
    kinds : sequence of Margins
        Margins by the neighbours of one or two spaces.
    candidates : int, "auto" or None
        Number of features; None: all.
    part : GlobalPart, optional
        Global part of the margins.
    keep : (k,) int array
        Features that are among the candidates in any case.

    Returns
    -------
    made : Stumps
        How stumps are computed.
    chosen : (c,) int array
        The candidates, ascending.
    values : (c, R) array
        Their stumps.
    """
    run = kinds[0].run
    n_margins = len(kinds[0].shares)
    p = run.p
    n_candidates = candidates or p
    if isinstance(candidates, str):
        n_candidates = max(MAX_CELLS // max(n_margins, 1), MAX_ORDERED)
    stored: dict[int, list[np.ndarray]] | None = {} if p <= cast("int", n_candidates) else None
    totals = _totals(kinds, part, stored)
    factors, factor = _weights(totals, len(kinds), part is not None, max(n_margins * p, 1))
    # Spreads and means of the weighted sums.
    a = factors[0]
    b = factors[1:].sum()
    squares = totals.of_neighbours[:, 2:5] @ [a * a, 2 * a * b, b * b]
    squares_with_part = squares + totals.of_part[:, 1:] @ [factor * factor, 2 * factor * a, 2 * factor * b]
    divisors, least = _divisors(squares_with_part)
    t = (totals.of_neighbours[:, :2] @ [a, b] + factor * totals.of_part[:, 0]) / divisors
    made = Stumps(
        kinds=kinds,
        factors=factors,
        scores=totals.of_neighbours[:, len(kinds) - 1],
        t=t,
        divisors=divisors,
        least=least,
        part=part,
        factor=factor,
        gates=totals.gates,
        of_neighbours=_divisors(squares)[0],
    )
    best = np.lexsort((run.features.columns, -t))[:n_candidates]
    chosen = np.union1d(best, keep)
    return made, chosen, made.values(chosen, {} if stored is None else stored)


def _totals(kinds: Sequence[Margins], part: GlobalPart | None, stored: dict[int, list[np.ndarray]] | None) -> _Totals:
    """Sum over the margins of all features; stored: receives the margins by their block, unless it is None."""
    run = kinds[0].run
    shares = kinds[0].shares
    of_neighbours = np.zeros((run.p, 7))
    of_part = np.zeros((run.p, 4))
    gates = np.zeros(run.p)
    squares_of_part = 0.0
    for block in feature_indices(run.p, run.n):
        margins = [kind.columns(block) for kind in kinds]
        _add_moments(margins[0], margins[-1], shares, of_neighbours[block[0] : block[-1] + 1])
        if part is not None:
            ranked = part.ranked(block)
            gates[block] = ranked.gates
            squares_of_part += float(ranked.sizes.sum())
            is_open = np.flatnonzero(ranked.gates > 0)
            products = _products(ranked.margins(is_open), is_open, margins[0], margins[-1], shares)
            of_part[block[is_open]] = products
        if stored is not None:
            stored[int(block[0])] = margins
        del margins  # before the next ones are made
    return _Totals(of_neighbours, of_part, gates, squares_of_part)


def _weights(totals: _Totals, n_kinds: int, has_part: bool, n_cells: int) -> _Weights:
    """Weigh the terms so that each has a mean square of 1; the kinds share one weight equally.

    A single term has the weight 1.  n_cells: number R p of margins.
    """
    if n_kinds == 1 and not has_part:
        return _Weights(np.ones(1), 0.0)
    size = np.sqrt(totals.of_neighbours[:, 5 : 5 + n_kinds].sum(axis=0) / n_cells)
    factors = np.where(size > 0, 1 / n_kinds / np.where(size > 0, size, 1), 0.0)
    factor = 1 / np.sqrt(totals.squares_of_part / n_cells) if totals.squares_of_part > 0 else 0.0
    return _Weights(factors, factor)


def _divisors(squares: np.ndarray) -> tuple[np.ndarray, float]:
    """Compute divisors (p,) of margins from their mean squares (p,): spreads plus a quantile of all spreads.

    Returns the divisors and the quantile.
    """
    spreads = np.sqrt(np.maximum(squares, 0.0))
    spreads[spreads < MIN_SPREAD * spreads.max(initial=0.0)] = 0.0
    least = float(np.quantile(spreads[spreads > 0], SPREAD_QUANTILE)) if spreads.any() else 1.0
    return spreads + least, least


@kernel
def _products(part, positions, first, second, shares):
    """Compute for each feature s weighted sums over the margins, out (c, 4).

    With g = part[s], x = first[positions[s]], y = second[positions[s]] and w = shares, they are sum w g, sum w g g,
    sum w g x and sum w g y.
    """
    out = np.zeros((len(positions), 4))
    for s in range(len(positions)):
        g = part[s]
        x = first[positions[s]]
        y = second[positions[s]]
        total = 0.0
        squares = 0.0
        with_first = 0.0
        with_second = 0.0
        for r in range(len(shares)):
            v = np.float64(g[r])
            w = shares[r]
            total += w * v
            squares += w * v * v
            with_first += w * v * np.float64(x[r])
            with_second += w * v * np.float64(y[r])
        out[s, 0] = total
        out[s, 1] = squares
        out[s, 2] = with_first
        out[s, 3] = with_second
    return out


@kernel
def _add_moments(first, second, shares, out):
    """Add for each feature sums over the margins to out (c, 7).

    With x = first[f], y = second[f] and w = shares, they are sum w x, sum w y, sum w x x, sum w x y, sum w y y, and
    without weights sum x x and sum y y.
    """
    for f in range(len(first)):
        x = first[f]
        y = second[f]
        a = 0.0
        b = 0.0
        aa = 0.0
        ab = 0.0
        bb = 0.0
        plain_aa = 0.0
        plain_bb = 0.0
        for r in range(len(shares)):
            u = np.float64(x[r])
            v = np.float64(y[r])
            w = shares[r]
            a += w * u
            b += w * v
            aa += w * u * u
            ab += w * u * v
            bb += w * v * v
            plain_aa += u * u
            plain_bb += v * v
        out[f, 0] += a
        out[f, 1] += b
        out[f, 2] += aa
        out[f, 3] += ab
        out[f, 4] += bb
        out[f, 5] += plain_aa
        out[f, 6] += plain_bb


@kernel
def _mix(first, second, a, b, out):
    """Fill out (c, R): out_fr = a_f * first_fr + b_f * second_fr."""
    for f in range(len(out)):
        x = first[f]
        y = second[f]
        z = out[f]
        for r in range(len(z)):
            z[r] = a[f] * x[r] + b[f] * y[r]
