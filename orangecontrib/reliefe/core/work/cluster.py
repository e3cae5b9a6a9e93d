"""Parts of a computation on the workers of a Dask cluster, if the caller has chosen one by joblib.

``with joblib.parallel_config(backend="dask"): rank(X, y)`` sends parts, trees, folds and shuffles to the workers; the
scores are those of one process, to the last bit.  Dask is imported by the caller alone.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from .threads import Progress, Work

WORTH_SENDING = 10**11  # elementary steps below which parts stay at home: some ten seconds of one thread

_client: ContextVar[Any] = ContextVar("client", default=None)


def work_for(n_jobs: int | None, progress: Progress = None, cost: float = float("inf"), max_workers: int = 0) -> Work:
    """The work for a call: threads, or the workers of the cluster of the context."""
    client = active_client() if n_jobs != 1 and cost >= WORTH_SENDING else None
    return _work(client, max_workers or n_jobs, progress)


def evaluation_work(n_jobs: int | None, progress: Progress = None) -> Work:
    """The work for folds and the like, each of which is large: `n_jobs` threads, or the cluster of the context.

    There one thread is the default, which says nothing of a cluster.
    """
    return _work(active_client(), n_jobs, progress)


def _work(client: Any, n_jobs: int | None, progress: Progress) -> Work:
    if client is None:
        return Work(n_jobs, progress)
    from .sharing import Cluster

    return Cluster(client, n_jobs, progress)


def active_client() -> Any:
    """Dask's client of the context, or None; it costs nothing where nobody has imported joblib."""
    own_client = _client.get()
    if own_client is not None:
        return own_client
    joblib = sys.modules.get("joblib.parallel")
    if joblib is None or "joblib._dask" not in sys.modules:
        return None
    backend, _ = joblib.get_active_backend()
    return getattr(backend, "client", None)


@contextmanager
def using(client: Any) -> Iterator[None]:
    """Context in which work goes to a client, and nothing else does, as joblib's would; None: as without it."""
    token = _client.set(client)
    try:
        yield
    finally:
        _client.reset(token)
