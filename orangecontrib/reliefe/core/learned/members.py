"""Rows group by group."""

from dataclasses import dataclass

import numpy as np

from ..relief.run import Run


@dataclass(frozen=True)
class Members:
    """Rows group by group, in each by their number in the data: those of group g are ``rows[starts[g]:starts[g + 1]]``.

    places (n + 1,): of every row in `rows`, and -1 of nobody.
    """

    rows: np.ndarray
    starts: np.ndarray
    places: np.ndarray

    @classmethod
    def of(cls, run: Run) -> "Members":
        order = np.lexsort((run.ids, run.groups))
        counts = np.bincount(run.groups, minlength=run.n_groups)
        places = np.full(run.n + 1, -1)
        places[order] = np.arange(run.n)
        return cls(order, np.concatenate([[0], np.cumsum(counts)]), places)
