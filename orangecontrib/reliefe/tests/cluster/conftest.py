"""Clusters for tests: workers as threads of this process, or processes."""

import joblib
import pytest

pytest.importorskip("distributed", reason="the extra [cluster] is not installed")

from distributed import Client, LocalCluster

import orangecontrib.reliefe.core.work.cluster
from orangecontrib.reliefe.core.work import sharing as work


@pytest.fixture(autouse=True)
def _send_everything(monkeypatch):
    """Small data travel, too."""
    monkeypatch.setattr(orangecontrib.reliefe.core.work.cluster, "WORTH_SENDING", 0)
    monkeypatch.setattr(work, "WORTH_A_TRIP", 0)


@pytest.fixture(scope="session")
def two_workers():
    """Client of a cluster whose two workers are threads of this process."""
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as c,
    ):
        yield c


@pytest.fixture
def processes():
    """Client of a cluster of its own with two processes, which a test may kill."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        yield client


@pytest.fixture
def on(two_workers):
    """Context in which work goes to the two workers."""
    return lambda: joblib.parallel_config(backend="dask", client=two_workers)
