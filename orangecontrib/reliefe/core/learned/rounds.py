"""Rounds of Learned-Space Relief: scores weigh the features in the distance, whose neighbours give the next scores.

`methods/learned.py` calls `learn_space` with the neighbours by the unweighted distance.
"""

from dataclasses import replace

import numpy as np

from ..evaluation.agreement import overlap
from ..relief.formats.lists import Neighbours
from ..relief.formats.weighted import Weighted
from ..relief.run import Run
from ..relief.scoring import score_lists
from .grouped_rows import GroupedRows
from .heavy_features import heavy_features
from .leave_feature_out import own_means
from .row_distances import RowDistances
from .space import NeighbourSpace

# Defaults of the method since it was written; no paper or peer has them.
MIXING = 0.5  # share of learned weights in the distance; the rest is 1 for all features
DAMPING = 0.5  # share of the last round's weights that stays, so that rounds converge
MAX_HEAVY = 8  # heavy features at most, which are scored without their own part of the distance
HEAVY_FROM = 0.1  # mean part of the distance above which a feature is heavy, in standard deviations of the distance
N_COMPARED = 20  # best features of two rounds that are compared, as many as in the convergence of ensembles
MAX_SHARE_COMPARED = 0.5  # of all features, since any two rankings have all features in common; chosen by eye


def learn_space(run: Run, k: int, neighbours: Neighbours, rounds: int, score_last_round: bool = True) -> NeighbourSpace:
    """Weigh the distance by the scores, search for neighbours, and score again, round by round.

    Parameters
    ----------
    run : Run
        Data and target.
    k : int
        Number of neighbours.
    neighbours : Neighbours
        Nearest rows by the unweighted distance.
    rounds : int
        Number of rounds, 0 or more.
    score_last_round : bool
        False: the scores of the last round are not needed. The space has those of the round before, and the
        diagnostics of the last round have no overlap, which the caller adds.

    Returns
    -------
    NeighbourSpace
        The space of the last round.
    """
    scores = score_lists(run, neighbours).scores
    space = NeighbourSpace(neighbours, scores=scores)
    members = GroupedRows.of(run)
    previous = np.ones(run.p)
    weights: np.ndarray | None = None
    stored: np.ndarray | None = None
    mean_diffs: dict[int, float] = {}
    diagnostics: list[dict[str, float]] = []
    for number in run.work.split(rounds):
        # Weights of the features: damped scores, mixed with 1.
        positive = np.maximum(scores, 0)
        new_weights = positive / positive.mean() if positive.mean() > 0 else np.ones(run.p)
        weights = new_weights if weights is None else DAMPING * weights + (1 - DAMPING) * new_weights
        mixed = 1 - MIXING + MIXING * weights
        # Neighbours by the weighted distance; the last space is released before the next one is made.
        run.work.plan(run.n_pairs)
        space = replace(space, distances=None, means=None)
        distances: RowDistances | None = None
        distances = RowDistances(run, Weighted(run.distance, run.features, mixed), stored)
        neighbours, deviation = distances.nearest(k, members)
        # Scores, of heavy features without their own part of the distance.
        needs_scores = score_last_round or number < rounds - 1
        new_scores = score_lists(run, neighbours).scores if needs_scores else None
        heavy = heavy_features(run.features, mixed, deviation * HEAVY_FROM, MAX_HEAVY, mean_diffs)
        space = NeighbourSpace(neighbours, distances, new_scores, mixed)
        if len(heavy):
            means = own_means(run, distances, neighbours, mixed, heavy)
            space = replace(space, heavy=heavy, means=means)
            if new_scores is not None:
                new_scores[heavy] = run.update.scores(*run.update.from_means(neighbours, means, run.target), run.m)
        stored = distances.stored
        # Changes since the last round.
        previous_scores = scores
        diagnostics.append({"change": float(np.abs(mixed - previous).mean()), "heavy": len(space.heavy)})
        if new_scores is not None:
            scores = new_scores
            diagnostics[-1] |= overlap_of_best(previous_scores, scores)
        previous = mixed
    return replace(space, scores=scores, diagnostics=tuple(diagnostics))


def overlap_of_best(scores: np.ndarray, other_scores: np.ndarray) -> dict[str, float]:
    """Compute the share of the best features that the scores (p,) of two rounds have in common.

    Returns
    -------
    dict
        "compared", the number of best features, and "overlap", the share.
    """
    n_compared = max(min(N_COMPARED, int(MAX_SHARE_COMPARED * len(other_scores))), 1)
    return {"compared": n_compared, "overlap": overlap(scores, other_scores, n_compared)}
