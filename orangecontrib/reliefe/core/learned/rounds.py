"""Rounds around a ranking: its scores weigh the features in the distance, whose neighbours give the next scores."""

from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..data.expected import MISSING
from ..evaluation.agreement import overlap
from ..relief.formats.features import Features
from ..relief.formats.lists import Neighbours, OwnMeans
from ..relief.formats.weighted import Weighted
from ..relief.run import Run
from .leave_feature_out import own_means
from .rows import Members, Rows

N_COMPARED = 20  # best features of two rounds
FEATURES_PER_LOOK = 64  # features whose mean diffs are computed together


@dataclass(frozen=True)
class Rule:
    """Rule of the rounds."""

    rounds: int = 4  # number of rounds, 0 or more
    mixing: float = 0.5  # share of learned weights in the distance, from 0 to 1; the rest is 1
    damping: float = 0.5  # share of the last round's weights that stays, from 0 to 1
    heavy: int = 8  # features at most that are scored without their own part of the distance
    threshold: float = 0.1  # mean part of the distance above which they are, in standard deviations of it, above 0


@dataclass(frozen=True)
class Space:
    """Neighbours by some distance, and the scores that they give."""

    near: Neighbours  # lists of the nearest rows
    rows: Rows | None = None  # distances that the lists are by; None where nobody looks up neighbours anew
    scores: np.ndarray | None = None  # as the run orders features
    weights: np.ndarray | None = None  # of the features in the distance; None: all weigh 1
    # Features that have neighbours of their own
    heavy: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    means: OwnMeans | None = None  # theirs
    diagnostics: tuple[dict[str, Any], ...] = ()  # of each round, plain literals


def learned(run: Run, k: int, near: Neighbours, rule: Rule, scored: bool = True) -> Space:
    """Weigh the distance by the scores, look up neighbours, and score again, round by round."""
    scores = run.by_lists(near).scores
    space, members, before = Space(near, scores=scores), Members.of(run), np.ones(run.p)
    room: np.ndarray | None = None
    weights: np.ndarray | None = None
    spreads: dict[int, float] = {}
    diagnostics = []
    for number in run.work.split(rule.rounds):
        found = np.maximum(scores, 0)
        found = found / found.mean() if found.mean() > 0 else np.ones(run.p)
        weights = found if weights is None else rule.damping * weights + (1 - rule.damping) * found
        mixed = 1 - rule.mixing + rule.mixing * weights
        run.work.plan(run.n_pairs)
        space, rows = replace(space, rows=None, means=None), None  # no two spaces at a time
        rows = Rows(run, Weighted(run.distance, run.features, mixed), room)
        near, deviation = rows.nearest(k, members)
        new = run.by_lists(near).scores if scored or number < rule.rounds - 1 else None
        heavy = _heavy(run.features, mixed, deviation * rule.threshold, rule.heavy, spreads)
        space = Space(near, rows, new, mixed)
        if len(heavy):
            means = own_means(run, rows, near, mixed, heavy)
            space = replace(space, heavy=heavy, means=means)
            if new is not None:
                new[heavy] = run.update.scores(*run.update.from_means(near, means, run.target), run.m)
        room, last = rows.kept, scores
        scores = last if new is None else new
        changes = {"change": float(np.abs(mixed - before).mean()), "heavy": len(space.heavy)}
        diagnostics.append({"overlap": agreement(last, scores), **changes})
        before = mixed
    return replace(space, scores=scores, diagnostics=tuple(diagnostics))


def agreement(last: np.ndarray, scores: np.ndarray) -> float:
    """Share of the best features of two rounds that they have in common; scores (p,) of both."""
    return overlap(last, scores, min(N_COMPARED, len(scores)))


def _heavy(features: Features, weights: np.ndarray, limit: float, most: int, spreads: dict[int, float]) -> np.ndarray:
    """Up to `most` features with the largest mean part of a distance, above `limit`; spreads: those known so far."""
    found: list[tuple[float, int, int]] = []
    order = np.lexsort((features.columns, -weights))
    for start in range(0, len(order) if most else 0, FEATURES_PER_LOOK):
        chunk = order[start : start + FEATURES_PER_LOOK]
        least = limit if len(found) < most else max(limit, -found[-1][0])
        chunk = chunk[weights[chunk] > least]  # no mean diff is above 1
        if not len(chunk):
            break
        new = np.array([f for f in chunk if f not in spreads], np.int64)
        spreads.update(zip(new.tolist(), _spreads(features, new), strict=True))
        found += [(-weights[f] * spreads[f], features.columns[f], f) for f in chunk if weights[f] * spreads[f] > limit]
        found = sorted(found)[:most]
    return np.array(sorted(f for *_, f in found), np.int64)


def _spreads(features: Features, chosen: np.ndarray) -> list[float]:
    """Mean diff of all pairs of rows that have a feature, before any ramp."""
    if not len(chosen):
        return []
    found = features.values[:, chosen]
    dense: np.ndarray = cast("sparse.csr_array", found).toarray() if features.is_sparse else found
    columns = np.sort(dense.T, axis=1).astype(np.float64)
    out = []
    for f, column in zip(chosen, columns, strict=True):
        x = column[np.searchsorted(column, MISSING, side="right") :]
        n = len(x)
        if f < features.n_numeric:
            total = 2 * float(x @ (2.0 * np.arange(1, n + 1) - n - 1))
        else:
            counts = np.diff(np.flatnonzero(np.concatenate([[True], x[1:] != x[:-1], [True]]))) if n else np.zeros(0)
            total = n * (n - 1.0) - float((counts * (counts - 1.0)).sum())
        out.append(total / (n * (n - 1.0)) if n > 1 else 0.0)
    return out
