"""Time of 20 shuffles beyond one ranking of the same method, in rankings, one thread: median of alternating runs.

python benchmarks/significance.py [--repeats N] [--only rrelieff]
"""

import argparse
import statistics
import time
from functools import partial

import numpy as np

from orangecontrib.reliefe.core import SignificanceTest, rank

SHAPES = ((500, 1000), (2000, 200), (5000, 100), (200, 5000))
SHUFFLES = 20
GOALS = {"relieff": 4, "multisurf": 6, "surf": 6, "rrelieff": 2, "reliefe": 2, "label sets": 3}  # rankings


def seconds(call) -> float:
    """Processor time of a call."""
    start = time.process_time()
    call()
    return time.process_time() - start


def shuffles(X: np.ndarray, y: np.ndarray, method: str, options: dict) -> None:
    """A ranking with its shuffles."""
    for _ in SignificanceTest.of(X, y, method, **options).shuffle(SHUFFLES, n_jobs=1):
        pass


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only")
    arguments = parser.parse_args()
    rng = np.random.default_rng(0)
    print("rows x features  " + "".join(f"{name:>12}" for name in GOALS))
    for n, p in SHAPES:
        X = rng.normal(size=(n, p))
        classes, sets = rng.random(n) < 0.5, rng.random((n, 5)) < 0.3
        targets = {"rrelieff": rng.normal(size=n), "label sets": sets.astype(int)}
        line = f"{n:>6} x {p:<8}"
        for name in GOALS:
            if arguments.only not in (None, name):
                continue
            y = targets.get(name, classes)
            method = "reliefe" if name == "label sets" else name
            options = {"embedding": None} if name == "label sets" else {"embedding": "pca"} if name == "reliefe" else {}
            once, tested = partial(rank, X, y, method, n_jobs=1, **options), partial(shuffles, X, y, method, options)
            ratios = [1 / seconds(once) * seconds(tested) - 1 for _ in range(arguments.repeats + 1)]
            line += f"{statistics.median(ratios[1:]):>12.1f}"
        print(line, flush=True)
    print(f"{'goal':>17}" + "".join(f"{goal:>12}" for goal in GOALS.values()))


if __name__ == "__main__":
    main()
