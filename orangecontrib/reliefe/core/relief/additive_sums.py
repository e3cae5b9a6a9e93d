"""Sums over some target rows that those over further target rows may be added to.

`Recipe.sums` calls `additive_sums` for each batch of target rows, and `Recipe.from_sums` makes scores of the total.
"""

import numpy as np

from .channel_sums import channel_sums, in_blocks
from .neighbourhoods.base import Neighbourhood, Produces
from .run import Run
from .scoring import score


def additive_sums(run: Run, neighbourhood: Neighbourhood) -> np.ndarray:
    """Return the sums over the target rows of a run, in the caller's order of features.

    Returns
    -------
    (C + s, p) array
        Sums of the channels and totals of the update.  Thresholds without means row by row have no channels: then
        the result is (1, p), m times the scores, which are means over the m rows.
    """
    if run.means is None and neighbourhood.produces == Produces.ZONES:
        return run.m * run.unsort(score(run, neighbourhood)[0].scores)[None]

    # Weighed lists, one block of rows after another
    run.work.plan(neighbourhood.plan(run, True))
    if neighbourhood.produces == Produces.LISTS:
        neighbours = run.update.regroup(run.find(neighbourhood), run.target, run.ids, neighbourhood.n_neighbors)
        blocks = in_blocks(neighbourhood.weigh(neighbours))
    else:
        blocks = neighbourhood.list_blocks(run, run.update.relation(run.target))
    run.distance.forget()

    # Sums over them, as one row for each channel and total
    added = channel_sums(run, blocks)
    of_features = [np.broadcast_to(row, run.p) for row in (*added.sums, *added.totals)]
    out: np.ndarray = run.features.unsort(np.array(of_features))
    out[:, run.without_score] = 0
    return out
