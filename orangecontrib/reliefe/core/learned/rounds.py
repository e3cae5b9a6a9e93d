"""Rounds around a ranking: its scores weigh the features in the distance, whose neighbours give the next scores."""

from dataclasses import dataclass, field, replace

import numpy as np

from ..data.features import Features
from ..data.missing import MISSING
from ..relief.lists import Neighbours
from ..relief.run import Run
from .leave_feature_out import OwnMeans, own_means
from .rows import Members, Rows
from .space import Weighted

TOP = 20  # best features whose share in common tells how still the rounds stand
CHUNK = 64  # features whose mean diffs are looked at together


@dataclass(frozen=True)
class Rule:
    """rounds: how many; mixing: share of learned weights in the distance, the rest is 1; damping: share of the last
    round's weights; heavy: features at most that are looked at without their own part of the distance; threshold: mean
    part of the distance above which they are, in standard deviations of it."""

    rounds: int = 4
    mixing: float = 0.5
    damping: float = 0.5
    heavy: int = 8
    threshold: float = 0.1


@dataclass(frozen=True)
class Space:
    """What rounds end with: lists of neighbours, the distances that they are by, scores (p,) as the run orders
    features, and the heavy ones (H,) with their own means; told: of each round, as plain literals.

    rows: None where nobody looks up neighbours anew.
    """

    near: Neighbours
    rows: Rows | None = None
    scores: np.ndarray | None = None
    heavy: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    means: OwnMeans | None = None
    told: tuple = ()


def learned(run: Run, k: int, near: Neighbours, rule: Rule) -> Space:
    """near: of the k nearest rows in the space of all features, which the rounds start from."""
    space, room = Space(near, scores=run.by_lists(near)), None
    members, spreads, weights, before = Members.of(run), {}, None, np.ones(run.p)
    told = []
    for _ in run.work.split(rule.rounds):
        found = _positive(space.scores)
        weights = found if weights is None else rule.damping * weights + (1 - rule.damping) * found
        mixed = 1 - rule.mixing + rule.mixing * weights
        run.work.plan(run.sweep.pairs)
        space, rows = replace(space, rows=None, means=None), None  # no two spaces at a time
        rows = Rows(run, Weighted(run.distance, run.features, mixed), room)
        last, space, room = space, _round(run, k, mixed, rows, members, spreads, rule), rows.kept
        told.append(
            {
                "overlap": _overlap(last.scores, space.scores),
                "change": float(np.abs(mixed - before).mean()),
                "heavy": len(space.heavy),
            }
        )
        before = mixed
    return replace(space, told=tuple(told))


def _round(
    run: Run, k: int, weights: np.ndarray, rows: Rows, members: Members, spreads: dict[int, float], rule: Rule
) -> Space:
    near, deviation = rows.nearest(k, members)
    scores = run.by_lists(near)
    heavy = _heavy(run.features, weights, deviation * rule.threshold, rule.heavy, spreads)
    if not len(heavy):
        return Space(near, rows, scores)
    means = own_means(run, rows, near, weights, heavy)
    scores[heavy] = run.update.scores(run.update.from_means(near, means, run.target), run.m)
    return Space(near, rows, scores, heavy, means)


def _positive(scores: np.ndarray) -> np.ndarray:
    """Positive parts over their mean; 1 where there are none."""
    positive = np.maximum(scores, 0)
    mean = positive.mean()
    return positive / mean if mean > 0 else np.ones(len(scores))


def _heavy(features: Features, weights: np.ndarray, limit: float, most: int, spreads: dict[int, float]) -> np.ndarray:
    """The up to `most` features with the largest mean part of a distance, above `limit`; spreads: those looked at."""
    found: list[tuple[float, int, int]] = []
    order = np.lexsort((features.columns, -weights))
    for start in range(0, len(order) if most else 0, CHUNK):
        chunk = order[start : start + CHUNK]
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
    columns = np.sort((found.toarray() if features.is_sparse else found).T, axis=1).astype(np.float64)
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


def _overlap(a: np.ndarray, b: np.ndarray) -> float:
    """Share of the best features that two lists have in common."""
    top = min(TOP, len(a))
    best = [np.argsort(-scores, kind="stable")[:top] for scores in (a, b)]
    return len(np.intersect1d(*best)) / top
