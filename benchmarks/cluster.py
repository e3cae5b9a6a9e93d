"""Two workers of one thread against one process of one thread: wall, CPU of all processes, traffic, and the same bits.

    python benchmarks/cluster.py [--rows 50000] [--features 100] [--workers 2] [--repeat 1] [methods ...]

It starts its own cluster of processes on this machine; kernels are compiled, and the workers warm, before the clock
runs.  On a machine with other work only the ratios of CPU seconds mean something.
"""

import argparse
import os
import time

import joblib
import numpy as np
from common import table
from distributed import Client, LocalCluster

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.request import Request
from orangecontrib.reliefe.core.work import cluster as dask_cluster
from orangecontrib.reliefe.core.work import sharing as work

METHODS = ("multisurf", "surf", "rrelieff", "pct", "relieff")
WANTED = {"relieff": 1.6}  # times faster with two workers; others: 1.7
OPTIONS = {"pct": {"n_trees": 800}}
WARM_ROWS = 1500


def data(n: int, p: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Normal features, and a target for each kind of method: an interaction and a main effect."""
    X = np.random.default_rng(0).normal(size=(n, p))
    numbers = X[:, 0] * X[:, 1] + X[:, 2]
    return X, {"rrelieff": numbers} | {m: numbers > 0 for m in METHODS if m != "rrelieff"}


def cpu(client: Client | None = None) -> float:
    """CPU seconds of this process, the scheduler's included, and of the workers."""
    own = sum(os.times()[:2])
    return own if client is None else own + sum(client.run(lambda: sum(os.times()[:2])).values())


def timed(run, client: Client | None = None) -> tuple[np.ndarray, float, float]:
    """Scores, wall and CPU seconds."""
    before, start = cpu(client), time.perf_counter()
    scores = run()
    wall = time.perf_counter() - start
    return scores, wall, cpu(client) - before


def on_cluster(client: Client, X: np.ndarray, y: np.ndarray, method: str, **options) -> tuple[np.ndarray, int]:
    """Scores, and bytes that were sent."""
    sent = work.Cluster(client)
    return Request.check(X, y, method, **options).rank(sent).scores, sent.sent


def warm(client: Client, X: np.ndarray, y: np.ndarray, method: str) -> None:
    """Compile, and load, the kernels of both precisions here and on every worker."""
    options = {"n_trees": 20} if method == "pct" else {}
    for rows in (200, WARM_ROWS):
        rank(X[:rows], y[:rows], method, n_jobs=1, **options)
        for _ in range(2):
            on_cluster(client, X[:rows], y[:rows], method, **options)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("methods", nargs="*", metavar="method", help=", ".join(METHODS))
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--features", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=1)
    asked = parser.parse_args()
    if unknown := set(asked.methods) - set(METHODS):
        parser.error(f"unknown methods: {', '.join(sorted(unknown))}")
    dask_cluster.WORTH_SENDING = 0
    X, targets = data(asked.rows, asked.features)
    rows = []
    options = {"threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(asked.workers, **options) as local, Client(local) as client, joblib.parallel_config("dask"):
        for method in asked.methods or METHODS:
            y, own = targets[method], OPTIONS.get(method, {})
            warm(client, X, y, method)
            for _ in range(asked.repeat):
                one, wall, seconds = timed(lambda y=y, m=method, o=own: rank(X, y, m, n_jobs=1, **o).scores)
                (many, sent), walls, total = timed(
                    lambda y=y, m=method, o=own: on_cluster(client, X, y, m, **o), client
                )
                same = "same bits" if np.array_equal(one, many) else "OTHER BITS"
                wanted = WANTED.get(method, 1.7) if asked.workers == 2 else None
                rows.append((
                    method, f"{wall:.2f}", f"{walls:.2f}", f"{wall / walls:.2f}", wanted or "", f"{seconds:.2f}",
                    f"{total:.2f}", f"{total / seconds:.2f}", f"{sent / 1e6:.0f}", same,
                ))  # fmt: skip
                print(*rows[-1], flush=True)
    names = "method", "1: s", f"{asked.workers}: s", "faster", "goal", "1: CPU s", "all: CPU s", "ratio", "MB sent", ""
    print(table(names, rows))


if __name__ == "__main__":
    main()
