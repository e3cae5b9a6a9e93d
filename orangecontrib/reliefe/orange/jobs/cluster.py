"""Dask cluster that widgets compute on: that of a client which was made in this process, for example by a script."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakSet

from ...core.work.cluster import using

_lost: WeakSet[Any] = WeakSet()  # clients whose workers did not answer


def running_client() -> Any:
    """Return the newest client of Dask in this process; None without one that is connected, and after a loss."""
    distributed = sys.modules.get("distributed")  # whoever made a client has imported it
    if distributed is None:
        return None
    try:
        client = distributed.default_client()
    except ValueError:
        return None
    return None if client in _lost or client.status != "running" else client


@contextmanager
def cluster_context() -> Iterator[None]:
    """Context in which tasks go to the cluster, if there is one."""
    with using(running_client()):
        yield


def lose_cluster() -> None:
    """Note that nobody answered: tasks run in this process until another client is made."""
    client = running_client()
    if client is not None:
        _lost.add(client)
