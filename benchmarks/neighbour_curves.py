"""Time of scores for all numbers of neighbours: what a slider waits for, one thread, median of alternating runs.

python benchmarks/neighbour_curves.py [--repeats N]

Columns: rankings with 10 and with K neighbours; the search for K, with the order settled in every place; the sums by
place; one position, the mean over all; all curves of all features; the band of five features; megabytes of sums; the
largest difference from `rank` for 1, 2, 10 and K neighbours.
"""

import argparse
import statistics
import time
from functools import partial

import numpy as np

from orangecontrib.reliefe.core import NeighbourCurves, neighbour_curves, rank
from orangecontrib.reliefe.core.relief import every_k

# rows, features, K, classes (0: numbers), kind of values, sigma
CASES = (
    (500, 1000, 100, 2, "numbers", None), (2000, 200, 100, 2, "numbers", None), (200, 5000, 60, 2, "numbers", None),
    (1000, 256, 100, 10, "numbers", None), (200, 20_000, 100, 2, "numbers", None),
    (200, 20_000, 100, 2, "numbers", 8.0), (500, 1000, 100, 0, "numbers", 20.0), (200, 20_000, 100, 0, "numbers", 20.0),
    (500, 1000, 100, 2, "genotypes", None), (500, 1000, 100, 2, "genotypes", 8.0),
)  # fmt: skip
TITLES = ("k = 10", "k = K", "search", "sums", "position", "curves", "band", "MB", "differs")


def seconds(call) -> float:
    """Processor time of a call."""
    start = time.process_time()
    call()
    return time.process_time() - start


class Sums:
    """Sums by place as before, with the time that they take."""

    def __init__(self):
        self.made, self.seconds = every_k._sums, 0.0

    def __call__(self, *arguments):
        start = time.process_time()
        found = self.made(*arguments)
        self.seconds = time.process_time() - start
        return found


def problem(n: int, p: int, classes: int, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Features and a target that one of them tells a little of."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (n, p)).astype(float) if kind == "genotypes" else rng.normal(size=(n, p))
    signal = X[:, 0] + rng.normal(size=n)
    return X, np.argsort(np.argsort(signal)) * classes // n if classes else signal


def positions(curves: NeighbourCurves, sigma: float | None) -> float:
    """Mean time of a position of the slider for k."""
    ks = range(1, curves.max_neighbors + 1)
    return seconds(lambda: [curves.scores(k, sigma) for k in ks]) / len(ks)


def measured(case: tuple, repeats: int, sums: Sums) -> list[str]:
    """Cells of a row."""
    n, p, K, classes, kind, sigma = case
    X, y = problem(n, p, classes, kind)
    method = "relieff" if classes else "rrelieff"
    nominal = np.ones(p, bool) if kind == "genotypes" else None
    call = partial(rank, X, y, method, nominal=nominal, sigma=sigma, n_jobs=1)
    build = partial(neighbour_curves, X, y, method, nominal=nominal, sigma=sigma, max_neighbors=K, n_jobs=1)
    curves, runs = build(), []
    K = curves.max_neighbors
    curves.scores(1), curves.curve([0])
    for _ in range(repeats):
        few, many, whole = (seconds(f) for f in (call, partial(call, n_neighbors=K), build))
        of_sums = sums.seconds
        every = seconds(partial(curves.curve, range(p))) if curves.at_once(sigma) else float("nan")
        band = seconds(partial(curves.band, range(5)))
        runs.append([few, many, whole - of_sums, of_sums, positions(curves, sigma), every, band])
    times = [1e3 * statistics.median(column) for column in zip(*runs, strict=True)]
    made = curves._all.sums
    gaps = [np.abs(call(n_neighbors=k).scores - curves.scores(k)).max() for k in (1, 2, 10, K)]
    return [*(f"{t:.2f}" if t < 10 else f"{t:.0f}" for t in times), f"{made.nbytes / 1e6:.1f}", f"{max(gaps):.0e}"]


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    sums = every_k._sums = Sums()
    print(f"{'milliseconds':<44}" + "".join(f"{title:>10}" for title in TITLES))
    for case in CASES:
        n, p, K, classes, kind, sigma = case
        target = f"{classes} classes" if classes else "a number"
        title = f"{n} x {p}, {K}, {target}, {kind}" + (f", sigma {sigma:g}" if sigma else "")
        print(f"{title:<44}" + "".join(f"{cell:>10}" for cell in measured(case, arguments.repeats, sums)), flush=True)


if __name__ == "__main__":
    main()
