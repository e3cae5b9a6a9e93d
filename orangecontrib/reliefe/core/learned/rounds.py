"""Rounds around a ranking: its scores weigh the features in the distance, whose neighbours give the next scores."""

from dataclasses import dataclass, replace

import numpy as np

from ..evaluation.agreement import overlap
from ..relief.formats.lists import Neighbours
from ..relief.formats.weighted import Weighted
from ..relief.run import Run
from .heavy import heavy_features
from .leave_feature_out import own_means
from .members import Members
from .rows import Rows
from .space import Space

N_COMPARED = 20  # best features of two rounds


@dataclass(frozen=True)
class Rule:
    """Rule of the rounds."""

    rounds: int = 4  # number of rounds, 0 or more
    mixing: float = 0.5  # share of learned weights in the distance, from 0 to 1; the rest is 1
    damping: float = 0.5  # share of the last round's weights that stays, from 0 to 1
    heavy: int = 8  # features at most that are scored without their own part of the distance
    threshold: float = 0.1  # mean part of the distance above which they are, in standard deviations of it, above 0


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
        heavy = heavy_features(run.features, mixed, deviation * rule.threshold, rule.heavy, spreads)
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
