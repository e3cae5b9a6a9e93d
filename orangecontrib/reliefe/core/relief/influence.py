"""Influence of rows without labels: the less, the farther they are from those that have them."""

from dataclasses import replace

import numpy as np

from ..targets.unlabelled import Unlabelled
from ..work.threads import Work
from .comparison import Comparison
from .neighbourhoods.k_nearest import KNearest
from .neighbourhoods.search import KeyLists, offer_pairs
from .run import Run
from .updates.target_change import Covariance


def influence(labelled: np.ndarray, nearest: np.ndarray, w0: float, w1: float) -> np.ndarray:
    """Influence (n,) of rows on the scores: 1 for labelled ones, from w1 linearly down to w0 for the others.

    Petkovic, Dzeroski and Kocev (2020), section 5.2 and Algorithm 3.  CLUS takes the least distance over all rows, so
    that none of them reaches w1.
    """
    out = np.ones(len(labelled))
    if labelled.all() or not labelled.any():
        return out
    far = nearest[~labelled]
    low = far.min()
    high = far.max()
    share = (far - low) / (high - low) if high > low else np.full(len(far), 0.5)
    out[~labelled] = w1 + (w0 - w1) * share
    return out


def nearest_labelled(comparison: Comparison, labelled: np.ndarray, work: Work) -> np.ndarray:
    """Distances (n,) of the rows of a comparison to the nearest labelled one, labelled (n,)."""
    out = np.zeros(len(labelled))
    if labelled.all() or not labelled.any():
        return out
    nothing = Unlabelled(len(labelled), comparison.table.shape[1])
    run = Run.start(comparison, nothing, Covariance(), labelled, work)
    work.plan(run.n_pairs)
    # Pairs of a labelled row, which come first, and any other one are offered to the lists of all rows
    pairs = replace(run, groups=(np.arange(run.n) >= run.m).astype(np.int32))
    search = KNearest(1)
    lists = KeyLists.empty(2, run.n, search.list_length(pairs))
    offer_pairs(pairs, 0, lists, search.n_neighbors)
    neighbours = search.read_lists(replace(pairs, m=run.n), lists.of_rows(0, run.n), ordered=True)
    out[run.ids[run.m :]] = neighbours.distances[run.m :, 0, 0]
    return out
