"""Record of one scoring: what is found besides scores."""

from dataclasses import dataclass

import numpy as np

from ..data.targets import Target
from .lists import Neighbours
from .neighbourhood import Neighbourhood
from .relation import Relation
from .update import Update


@dataclass(frozen=True, eq=False)
class Record:
    """Facts about the neighbours of the targets, filled in row by row, by several threads.

    Parameters
    ----------
    n_neighbors : ndarray of int, shape (m, G), optional
        Numbers of neighbours, where each row has its own.
    skipped : ndarray of bool, shape (m,), optional
        Rows that add nothing, where the update skips rows.
    rough : bool
        Whether distances in single precision decide on which side of a limit pairs are.
    errors : ndarray, shape (p,), optional
        Standard errors of the scores, in the order of the features of the run, where they can be told.
    """

    n_neighbors: np.ndarray | None = None
    skipped: np.ndarray | None = None
    rough: bool = False
    errors: np.ndarray | None = None

    @classmethod
    def of(
        cls,
        neighbourhood: Neighbourhood,
        update: Update,
        relation: Relation,
        m: int,
        rough: bool,
        errors: np.ndarray | None = None,
    ) -> "Record":
        """An empty record for what there is to find."""
        n_neighbors = np.zeros((m, relation.n_groups), np.int64) if neighbourhood.adapts else None
        return cls(n_neighbors, np.zeros(m, bool) if update.skips_rows else None, rough, errors)

    def add(self, near: Neighbours, update: Update, target: Target) -> None:
        """Fill in the rows of some lists."""
        if self.n_neighbors is not None:
            self.n_neighbors[near.rows] = near.counts
        if self.skipped is not None:
            self.skipped[near.rows] = update.skipped(near, target)
