"""Record of one scoring: what is found besides scores."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..forms.lists import Neighbours
from ..targets.targets import Target
from ..updates.base import Update
from .scores import Listed

Note = tuple[np.ndarray, np.ndarray | None, np.ndarray | None]  # rows, numbers of neighbours, rows that are skipped


@dataclass(eq=False)
class Record:
    """Facts about the neighbours of the targets."""

    counts: bool = False  # whether each row has its own number of neighbours, which is noted
    # Whether distances in single precision decide on which side of a limit pairs are
    rough: bool = False
    n_neighbors: np.ndarray | None = None  # (m, G): numbers of neighbours
    skipped: np.ndarray | None = None  # (m,): rows that add nothing, where the update skips rows
    errors: np.ndarray | None = None  # (p,): standard errors of the scores, as the run orders features

    def output(self, update: Update, target: Target) -> Listed:
        """Output of the notes about lists."""
        return Listed(partial(_note, self.counts, update, target))

    def fill(self, notes: Iterable[Any]) -> None:
        """Fill in what the notes about all lists say."""
        rows, n_neighbors, skipped = zip(*notes, strict=True)
        order = np.argsort(np.concatenate(rows))
        self.n_neighbors, self.skipped = (
            None if a[0] is None else np.concatenate(a)[order] for a in (n_neighbors, skipped)
        )


def _note(counts: bool, update: Update, target: Target, block: tuple[float, Neighbours]) -> Note:
    """Facts about some lists."""
    near = block[1]
    return near.rows, near.counts if counts else None, update.skipped(near, target) if update.skips_rows else None
