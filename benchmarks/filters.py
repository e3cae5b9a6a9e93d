"""Filters: seconds of each, and of its parts, on data that are made.

    python benchmarks/filters.py               a few minutes
    python benchmarks/filters.py --quick       small data only
    python benchmarks/filters.py --only mcfs agnoss

Seconds are of wall time and of all threads of the process; where the machine has other work, the latter tell more.
"Full matrices" computes each quotient by f @ L @ f with an L of n x n cells, as the formula stands and other programs
do: some features are timed, and the rest is assumed to take as long.
"""

import argparse
import os
import time
from collections.abc import Callable, Iterator

import numpy as np
from scipy import sparse

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.points.points import Points
from orangecontrib.reliefe.core.structure.neighbours import MEDIAN, Distances, median_square, nearest_graph
from orangecontrib.reliefe.core.structure.smoothness import forms_of_all_pairs, forms_on_graph
from orangecontrib.reliefe.core.work.threads import SERIAL_ALGEBRA, Work

FULL_FEATURES = 40  # that full matrices are timed with
SHAPES = {
    "mcfs": (2000, 5000),
    "ndfs": (2000, 500),
    "agnoss": (2000, 500),
    "ssllaplacian": (2000, 2000),
    "mutualinfo": (2000, 500),
    "randomforest": (2000, 500),
}
TEXT = 4000, 20_000, 0.004  # rows, features, share of non-zeros
SMALLER = 8  # times fewer cells of --quick, about


def timed(call: Callable[[], object]) -> tuple[object, float, float]:
    """Result of a call, its wall time, and the seconds of all threads."""
    wall, own = time.perf_counter(), time.process_time()
    found = call()
    return found, time.perf_counter() - wall, time.process_time() - own


def parts(n: int, p: int, threads: int) -> Iterator[tuple[str, float, float]]:
    """Laplacian score and SPEC step by step: names and seconds."""
    X, work = np.random.default_rng(0).normal(size=(n, p)), Work(threads)
    with SERIAL_ALGEBRA:
        points, *seconds = timed(lambda: Points.of(DataTable.read(X), work))
        yield "z-scores", *seconds
        distances = Distances(points)
        graph, *seconds = timed(lambda: nearest_graph(distances, 5, MEDIAN, True, 0, work))
        yield "graph of 5 neighbours, with the median of all distances", *seconds
        forms, *seconds = timed(lambda: forms_on_graph(points, graph, work))
        yield "Laplacian score beside the graph", *seconds
        W, d = graph.weights.toarray(), graph.degrees
        some = points.values[:, :FULL_FEATURES]
        full, *seconds = timed(lambda: [quotient(f, W, d) for f in some.T])
        yield f"  by full matrices, times {p / FULL_FEATURES:g}", *(p / FULL_FEATURES * s for s in seconds)
        np.testing.assert_allclose(forms.laplacian[:FULL_FEATURES], full, rtol=1e-9)
        median, *_ = timed(lambda: median_square(distances, 0, work))
        _, *seconds = timed(lambda: list(all_tiles(distances, n)))
        yield "distances of all pairs alone, one thread", *seconds
        _, *seconds = timed(lambda: forms_of_all_pairs(points, distances, 1 / median, work))
        yield "SPEC with the distances of all pairs", *seconds


def quotient(f: np.ndarray, W: np.ndarray, d: np.ndarray) -> float:
    """Laplacian score of one feature."""
    f = f - f @ d / d.sum()
    return f @ (np.diag(d) - W) @ f / (f @ np.diag(d) @ f)


def all_tiles(distances: Distances, n: int) -> Iterator[None]:
    """The tiles that SPEC makes."""
    for a in range(0, n, 256):
        for b in range(a, n, 256):
            distances.tile(slice(a, a + 256), slice(b, b + 256))
            yield


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    less = SMALLER if given.quick else 1
    print(f"{given.threads} threads, load {os.getloadavg()[0]:.1f}\n{'':58}{'wall s':>9}{'cpu s':>9}")

    def show(name: str, wall: float, cpu: float) -> None:
        print(f"{name:58}{wall:9.2f}{cpu:9.2f}", flush=True)

    if not given.only or "laplacian" in given.only:
        for name, *seconds in parts(2000 // less, 5000 // less, given.threads):
            show(f"{name}", *seconds)
    rng = np.random.default_rng(1)
    for method, (n, p) in SHAPES.items():
        if given.only and method not in given.only:
            continue
        n, p = n // less, p // less
        X = rng.normal(size=(n, p)) + 2 * (np.arange(n) % 5)[:, None] * (np.arange(p) < p // 10)
        y = X[:, 0] + X[:, 1] + rng.normal(size=n)
        target = {"mutualinfo": y > 0, "randomforest": y > 0, "ssllaplacian": np.where(rng.random(n) < 0.2, y, np.nan)}
        found, *seconds = timed(lambda: rank(X, target.get(method), method, n_jobs=given.threads))  # noqa: B023
        steps = found.info.get("n_iter")
        show(f"{method}, {n:,} x {p:,}" + (f", {steps:,} iterations" if steps else ""), *seconds)
    if not given.only or "text" in given.only:
        n, p, density = TEXT[0] // less, TEXT[1] // less, TEXT[2]
        X = sparse.random(n, p, density, "csr", random_state=0)
        for method in ("laplacian", "spec", "mcfs"):
            more = {"distance": "cosine"} if method != "spec" else {}
            more |= {"n_selected": 200} if method == "mcfs" else {}
            _, *seconds = timed(lambda: rank(X, None, method, n_jobs=given.threads, **more))  # noqa: B023
            show(f"{method}, CSR {n:,} x {p:,}, {', '.join(f'{k} {v}' for k, v in more.items())}", *seconds)


if __name__ == "__main__":
    main()
