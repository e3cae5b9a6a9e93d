"""Rows ordered group by group, as kernels that select the nearest rows of every group need them.

`row_distances` and `leave_feature_out` pass them to the kernels, with the rows of a run.
"""

from dataclasses import dataclass

import numpy as np

from ..relief.run import Run


@dataclass(frozen=True)
class GroupedRows:
    """All n rows, group by group; in each group by their number in the data.

    rows (n,): those of group g are ``rows[starts[g]:starts[g + 1]]``.
    starts (G + 1,): where each group begins.
    positions (n + 1,): where each row is in `rows`; the last one, -1, stands for no row.
    """

    rows: np.ndarray
    starts: np.ndarray
    positions: np.ndarray

    @classmethod
    def of(cls, run: Run) -> "GroupedRows":
        """Order the rows of a run."""
        order = np.lexsort((run.ids, run.groups))
        counts = np.bincount(run.groups, minlength=run.n_groups)
        positions = np.full(run.n + 1, -1)
        positions[order] = np.arange(run.n)
        return cls(order, np.concatenate([[0], np.cumsum(counts)]), positions)
