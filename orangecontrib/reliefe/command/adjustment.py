"""Ranks without adjustment for covariates, beside those of `orange-reliefe rank --covariate`."""

from collections.abc import Callable

from ..core import METHODS, Ranking
from ..core.studies.adjustment import describe_fallen, ranks_of

TITLE = "unadjusted rank"


def unadjusted_ranks(
    ranking: Ranking, has_covariates: bool, rank_again: Callable[[], Ranking], notes: list[str]
) -> dict[str, list[int]]:
    """Rank again without covariates, and note which features fell by the adjustment.

    Parameters
    ----------
    ranking : Ranking
        The adjusted ranking of p features.
    has_covariates : bool
        True if the user gave covariates.
    rank_again : callable
        Returns the ranking of the same features by the same method without covariates.
    notes : list of str
        A sentence on the features that fell is appended, if there are two features at least.

    Returns
    -------
    dict
        The ranks (p,) by their title; empty if the method does not adjust scores, so that they are the same.
    """
    if not has_covariates or not METHODS[ranking.method].traits.adjusts:
        return {}
    ranks_before = ranks_of(rank_again().score_order)
    names = ranking.names or [str(feature) for feature in range(len(ranks_before))]
    notes.extend(filter(None, [describe_fallen(ranks_before, ranks_of(ranking.score_order), names)]))
    return {TITLE: ranks_before.tolist()}
