"""Sample size from a ranking with p-values: how many of its discoveries would be found again."""

from collections.abc import Sequence

from .progress import reporter

N_SETS = 20  # simulated studies for each number of rows, as in core.power


def find_power(ranking, n: Sequence[int], level: float, state) -> object:
    """Simulate studies of n rows (core's `Power`), for a thread.

    Parameters
    ----------
    ranking : TableRanking
        The pilot study; if it has p-values, as many permuted targets are taken.
    n : sequence of int
        Numbers of rows.
    level : float
        False discovery rate.
    state : TaskState
        Gets the progress.
    """
    from ..sample_size import power

    return power(ranking, n=n, level=level, n_sets=N_SETS, progress=reporter(state))
