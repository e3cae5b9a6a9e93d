"""p-values of the best of several jobs, from the same permuted targets for all of them."""

from collections.abc import Sequence

from Orange.data import Table

from .job import Job
from .progress import reporter


def find_best(table: Table, jobs: Sequence[Job], state) -> object:
    """Test features by the best of several jobs (core's `BestOfMethods`), for a thread.

    Parameters
    ----------
    table : Table
        Data.
    jobs : sequence of Job
        At least two jobs of methods of the core, with the same covariates and group.
    state : TaskState
        Gets the progress.
    """
    from ...core import best_of_methods
    from ..conversion import arrays, asked

    data = arrays(table, method=jobs[0].method, **jobs[0].study)
    about = asked(data)
    for job in jobs:
        about |= job.kept
    methods = [(job.method, job.values) for job in jobs]
    return best_of_methods(data.X, data.y, methods, progress=reporter(state), **about)
