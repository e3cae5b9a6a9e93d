"""Clusters with workers that die while they rank: the same bits, or an error in words."""

import os
import signal
from functools import cache

import numpy as np

from .kinds import Action, Case
from .mutations import pick
from .outcome import Refused, Wrong

SHAPE = (400, 12)


def make(rng: np.random.Generator) -> Case:
    """A case: {"method", "seed", "deaths": [share of the work, signal]}."""
    method = pick(("relieff", "multisurf", "sslrelief", "pct"), rng)
    deaths = [[float(rng.random()), pick(("SIGKILL", "SIGTERM"), rng)] for _ in range(rng.integers(1, 3))]
    return {"method": method, "seed": int(rng.integers(1000)), "deaths": deaths}


def prepare(case: Case) -> Action:
    """A cluster of two processes; the action ranks on it, and here, and compares."""
    import joblib

    from orangecontrib.reliefe.core import rank
    from orangecontrib.reliefe.core.work import cluster
    from orangecontrib.reliefe.core.work import sharing as work
    from orangecontrib.reliefe.core.work.health import ClusterError

    client, rng = _client(), np.random.default_rng(case["seed"])
    client.wait_for_workers(2, timeout=60)
    X = rng.random(SHAPE)
    y, own = (X[:, 0] + X[:, 1] > 1).astype(int), {"n_trees": 8} if case["method"] == "pct" else {}
    wanted = rank(X, y, case["method"], n_jobs=1, **own).scores
    cluster.WORTH_SENDING = work.WORTH_A_TRIP = 0  # small data travel, too
    deaths = sorted(case["deaths"])

    def progress(share: float) -> None:
        while deaths and share >= deaths[0][0]:
            _, name = deaths.pop(0)
            pids = sorted(client.run(os.getpid, on_error="ignore").values())
            if pids:
                os.kill(pids[0], getattr(signal, name))

    def action() -> None:
        with joblib.parallel_config(backend="dask", client=client):
            try:
                found = rank(X, y, case["method"], progress=progress, **own).scores
            except ClusterError as error:
                raise Refused(str(error)) from error
        if found.tobytes() != wanted.tobytes():
            raise Wrong("scores by a cluster are different", case["method"])

    return action


@cache
def _client() -> object:
    from distributed import Client, LocalCluster

    return Client(LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None))
