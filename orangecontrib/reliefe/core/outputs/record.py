"""Record of one scoring: what is found besides scores."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..forms.lists import Neighbours
from ..neighbourhoods.base import Neighbourhood, Relation
from ..targets.targets import Target
from ..updates.base import Update

Note = tuple[np.ndarray, np.ndarray | None, np.ndarray | None]  # rows, numbers of neighbours, rows that are skipped


@dataclass(frozen=True, eq=False)
class Noted:
    """Sum over a part, with what was noted meanwhile; sums of these are sums with all notes."""

    total: Any
    notes: list[Any]

    def __add__(self, other: "Noted") -> "Noted":
        return Noted(self.total + other.total, self.notes + other.notes)

    def __radd__(self, start: float) -> "Noted":
        return Noted(start + self.total, self.notes)


@dataclass(frozen=True)
class Notebook:
    """Kinds of facts that are noted: numbers of neighbours, and rows that are skipped."""

    counts: bool = False
    skips: bool = False

    def note(self, near: Neighbours, update: Update, target: Target) -> list[Note]:
        """Facts about some lists, if any are wanted."""
        if not (self.counts or self.skips):
            return []
        skipped = update.skipped(near, target) if self.skips else None
        return [(near.rows, near.counts if self.counts else None, skipped)]


@dataclass(frozen=True, eq=False)
class Record:
    """Facts about the neighbours of the targets, filled in row by row."""

    n_neighbors: np.ndarray | None = None  # (m, G): numbers of neighbours, where each row has its own
    skipped: np.ndarray | None = None  # (m,): rows that add nothing, where the update skips rows
    rough: bool = False  # whether distances in single precision decide on which side of a limit pairs are
    # (p,): standard errors of the scores, in the order of the features of the run, where they can be told
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

    @property
    def notebook(self) -> Notebook:
        """Kinds of facts that there is room for."""
        return Notebook(self.n_neighbors is not None, self.skipped is not None)

    def fill(self, notes: Iterable[Note]) -> None:
        """Fill in the rows that notes are about."""
        for rows, counts, skipped in notes:
            if self.n_neighbors is not None and counts is not None:
                self.n_neighbors[rows] = counts
            if self.skipped is not None and skipped is not None:
                self.skipped[rows] = skipped
