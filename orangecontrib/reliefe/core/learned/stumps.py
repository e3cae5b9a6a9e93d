"""Stumps, the weak learners of boosting: standardised margins, of as many features as there is room for.

`methods/learned.py` calls `stumps` with the margins of one or two spaces of neighbours, and with the global part.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np

from ..relief.formats.aligned_arrays import aligned
from .boosting import MAX_ORDERED
from .feature_blocks import feature_indices
from .global_part import GlobalPart
from .margin_sums import (
    GLOBAL_COLUMNS,
    GLOBAL_MEAN,
    GLOBAL_PRODUCTS,
    MEANS,
    MOMENT_COLUMNS,
    PLAIN_SQUARES,
    SQUARES,
    global_sums,
    weighted_moments,
)
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
    global_part: global part of the margins; None without one.
    global_factor: weight of the global part in the sum.
    gates (p,): share of the global part that counts.
    of_neighbours (p,): divisors of the margins without the global part.
    """

    kinds: Sequence[Margins]
    factors: np.ndarray
    scores: np.ndarray
    t: np.ndarray
    divisors: np.ndarray
    least: float
    global_part: GlobalPart | None
    global_factor: float
    gates: np.ndarray
    of_neighbours: np.ndarray

    def values(self, chosen: np.ndarray, stored: dict[int, list[np.ndarray]]) -> np.ndarray:
        """Compute the stumps (c, R) of features (c,).

        stored: margins of each kind, by the first feature of their block; they are removed when they are used.
        """
        run = self.kinds[0].run
        values = aligned((len(chosen), len(self.kinds[0].shares)), run.features.values.dtype)
        for positions in feature_indices(len(chosen), run.n):
            features = chosen[positions]
            margins = stored.pop(int(positions[0]), None) or [kind.columns(features) for kind in self.kinds]
            scales = (self.factors[:, None] / self.divisors[features]).astype(values.dtype)
            block = values[positions[0] : positions[-1] + 1]
            np.multiply(margins[0], scales[0][:, None], out=block)
            if len(margins) > 1:
                block += margins[1] * scales[1][:, None]
            self._add_global(self.global_part, features, self.global_factor / self.divisors[features], block)
        return values

    def by_chance(self, mixed: np.ndarray) -> np.ndarray:
        """Standardise margins (P, R) that are due to chance by their own spreads."""
        exact = mixed.astype(np.float64)
        spreads = np.sqrt(np.einsum("fr,fr,r->f", exact, exact, self.kinds[0].shares))
        return cast("np.ndarray", (exact / (spreads + self.least)[:, None]).astype(mixed.dtype))

    def mixed(self, kinds: Sequence[Margins], global_part: GlobalPart | None, chosen: np.ndarray) -> np.ndarray:
        """Compute weighted sums of margins, with the weights of these stumps.

        Parameters
        ----------
        kinds : sequence of Margins
            Margins by neighbours, as many kinds as the stumps have.
        global_part : GlobalPart, optional
            Global part.
        chosen : (c,) int array
            Features, ascending.

        Returns
        -------
        (c, R) array
        """
        terms = (factor * kind.columns(chosen) for factor, kind in zip(self.factors.tolist(), kinds, strict=True))
        mixture = cast("np.ndarray", sum(terms))
        self._add_global(global_part, chosen, np.full(len(chosen), self.global_factor), mixture)
        return mixture

    def _add_global(
        self, global_part: GlobalPart | None, chosen: np.ndarray, scales: np.ndarray, out: np.ndarray
    ) -> None:
        """Add the margins of a global part of features (c,), times scales (c,), to margins out (c, R).

        If the global part is that of these stumps, features with closed gates are skipped.
        """
        if global_part is None or not self.global_factor > 0:
            return
        has_gates = global_part is self.global_part
        positions = np.flatnonzero(self.gates[chosen] > 0) if has_gates else np.arange(len(chosen))
        if len(positions):
            ranked = global_part.ranked(chosen[positions])
            is_open = np.flatnonzero(ranked.gates > 0)
            positions = positions[is_open]
            out[positions] += ranked.margins(is_open) * scales[positions, None].astype(out.dtype)


class _Totals(NamedTuple):
    """Sums over the margins of each of p features, from one pass over all features.

    of_neighbours (p, MOMENT_COLUMNS): columns of `weighted_moments`.
    of_global (p, GLOBAL_COLUMNS): columns of `global_sums`.
    gates (p,): share of the global part that counts.
    global_squares: sum of the squares of all margins of the global part, before the gates.
    """

    of_neighbours: np.ndarray
    of_global: np.ndarray
    gates: np.ndarray
    global_squares: float


class _Weights(NamedTuple):
    """Weights of the terms of a stump.

    factors (kinds,): weights of the kinds of margins.
    global_factor: weight of the global part.
    """

    factors: np.ndarray
    global_factor: float


class SelectedStumps(NamedTuple):
    """Stumps of the candidates.

    stumps: how the stumps are computed.
    chosen (c,): the candidates, ascending.
    values (c, R): their stumps.
    """

    stumps: Stumps
    chosen: np.ndarray
    values: np.ndarray


def stumps(
    kinds: Sequence[Margins], candidates: int | str | None, global_part: GlobalPart | None, keep: np.ndarray
) -> SelectedStumps:
    """Compute the stumps of the best features.

    Parameters
    ----------
    kinds : sequence of Margins
        Margins by the neighbours of one or two spaces.
    candidates : int, "auto" or None
        Number of features; None: all.
    global_part : GlobalPart, optional
        Global part of the margins.
    keep : (k,) int array
        Features that are among the candidates in any case.

    Returns
    -------
    SelectedStumps
    """
    run = kinds[0].run
    n_margins = len(kinds[0].shares)
    p = run.p
    n_candidates = candidates or p
    if isinstance(candidates, str):
        n_candidates = max(MAX_CELLS // max(n_margins, 1), MAX_ORDERED)
    stored: dict[int, list[np.ndarray]] | None = {} if p <= cast("int", n_candidates) else None
    totals = _totals(kinds, global_part, stored)
    factors, c = _weights(totals, len(kinds), global_part is not None, max(n_margins * p, 1))
    # Mean squares and means of the sums a x + b y + c g of both kinds and of the global part.
    a = factors[0]
    b = factors[1:].sum()
    squares = totals.of_neighbours[:, SQUARES] @ [a * a, 2 * a * b, b * b]
    squares_with_global = squares + totals.of_global[:, GLOBAL_PRODUCTS] @ [c * c, 2 * c * a, 2 * c * b]
    divisors, least = _divisors(squares_with_global)
    t = (totals.of_neighbours[:, MEANS] @ [a, b] + c * totals.of_global[:, GLOBAL_MEAN]) / divisors
    best_stumps = Stumps(
        kinds=kinds,
        factors=factors,
        scores=totals.of_neighbours[:, len(kinds) - 1],
        t=t,
        divisors=divisors,
        least=least,
        global_part=global_part,
        global_factor=c,
        gates=totals.gates,
        of_neighbours=_divisors(squares)[0],
    )
    best = np.lexsort((run.features.columns, -t))[:n_candidates]
    chosen = np.union1d(best, keep)
    return SelectedStumps(best_stumps, chosen, best_stumps.values(chosen, {} if stored is None else stored))


def _totals(
    kinds: Sequence[Margins], global_part: GlobalPart | None, stored: dict[int, list[np.ndarray]] | None
) -> _Totals:
    """Sum over the margins of all features; stored: receives the margins by their block, unless it is None."""
    run = kinds[0].run
    shares = kinds[0].shares
    of_neighbours = np.empty((run.p, MOMENT_COLUMNS))
    of_global = np.zeros((run.p, GLOBAL_COLUMNS))
    gates = np.zeros(run.p)
    global_squares = 0.0
    for block in feature_indices(run.p, run.n):
        margins = [kind.columns(block) for kind in kinds]
        of_neighbours[block] = weighted_moments(margins[0], margins[-1], shares)
        if global_part is not None:
            ranked = global_part.ranked(block)
            gates[block] = ranked.gates
            global_squares += float(ranked.sizes.sum())
            is_open = np.flatnonzero(ranked.gates > 0)
            sums = global_sums(ranked.margins(is_open), is_open, margins[0], margins[-1], shares)
            of_global[block[is_open]] = sums
        if stored is not None:
            stored[int(block[0])] = margins
        del margins  # before the next ones are made
    return _Totals(of_neighbours, of_global, gates, global_squares)


def _weights(totals: _Totals, n_kinds: int, has_global: bool, n_cells: int) -> _Weights:
    """Weigh the terms so that each has a mean square of 1; the kinds share one weight equally.

    A single term has the weight 1.  n_cells: number R p of margins.
    """
    if n_kinds == 1 and not has_global:
        return _Weights(np.ones(1), 0.0)
    plain_squares = totals.of_neighbours[:, PLAIN_SQUARES : PLAIN_SQUARES + n_kinds].sum(axis=0)
    size = np.sqrt(plain_squares / n_cells)
    factors = np.where(size > 0, 1 / n_kinds / np.where(size > 0, size, 1), 0.0)
    global_factor = 1 / np.sqrt(totals.global_squares / n_cells) if totals.global_squares > 0 else 0.0
    return _Weights(factors, global_factor)


def _divisors(squares: np.ndarray) -> tuple[np.ndarray, float]:
    """Compute divisors (p,) of margins from their mean squares (p,): spreads plus a quantile of all spreads.

    Returns the divisors and the quantile.
    """
    spreads = np.sqrt(np.maximum(squares, 0.0))
    spreads[spreads < MIN_SPREAD * spreads.max(initial=0.0)] = 0.0
    least = float(np.quantile(spreads[spreads > 0], SPREAD_QUANTILE)) if spreads.any() else 1.0
    return spreads + least, least
