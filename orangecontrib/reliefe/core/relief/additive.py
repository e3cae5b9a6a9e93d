"""Sums over target rows that may be added to those of other ones."""

import numpy as np

from .neighbourhood import ALL_LISTS, Blocks, Neighbourhood
from .run import Run
from .scoring import in_blocks


def additive_sums(run: Run, neighbourhood: Neighbourhood) -> np.ndarray:
    """Sums (s, p) over the targets of a run, features in the caller's order; s = 1 where scores are means of them."""
    if not run.row_wise:
        return run.m * run.scores(neighbourhood)[0][None]
    run.work.plan(neighbourhood.plan(run, True))
    blocks: Blocks | None
    if neighbourhood.form == ALL_LISTS:
        near = run.update.regroup(run.find(neighbourhood), run.target, run.ids, neighbourhood.n_neighbors)
        blocks = in_blocks(neighbourhood.weigh(near))
    else:
        blocks = neighbourhood.blocks(run, run.update.relation(run.target))
    return run.features.unsort(run.sums_of_means(blocks)) if blocks else np.zeros((4, run.p))
