"""Relatives of ReliefF and re-weighting: time beside ReliefF, and of one iteration beside MultiSURF.

    python benchmarks/reweighting.py [--calls 3]

CPU seconds of one thread, the least of several calls in one process.  An iteration is the difference of seven
iterations and two, over five.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from orangecontrib.reliefe.core import rank  # of this tree

SHAPES = ((1000, 20), (1000, 100), (2000, 500), (4000, 200))
RELATIVES = ("reliefa", "erelieff", "relievedf", "reliefmss", "reliefseq")
ITERATED = ("iterativerelief", "irelief")
GOAL, GOAL_OF_ITERATION = 1.2, 2.0
ENDS = 2, 7  # iterations


def seconds(X: np.ndarray, y: np.ndarray, method: str, calls: int, **parameters: object) -> float:
    """CPU seconds of a ranking, the least of several; one call more compiles."""
    rank(X[:60], y[:60], method, n_jobs=1, **parameters)
    least = np.inf
    for _ in range(calls + 1):
        start = time.process_time()
        rank(X, y, method, n_jobs=1, **parameters)
        least = min(least, time.process_time() - start)
    return least


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=3)
    calls = parser.parse_args().calls
    print(f"| rows x features | ReliefF, s | {' | '.join(RELATIVES)} (goal {GOAL}) |")
    print("| --- " * (len(RELATIVES) + 2) + "|")
    data = {}
    for n, p in SHAPES:
        X = np.random.default_rng(0).normal(size=(n, p))
        data[n, p] = X, ((X[:, 0] > 0) != (X[:, 1] > 0)).astype(int)
        base = seconds(*data[n, p], "relieff", calls)
        ratios = [seconds(*data[n, p], method, calls) / base for method in RELATIVES]
        print(f"| {n} x {p} | {base:.3f} | {' | '.join(f'{ratio:.2f}' for ratio in ratios)} |", flush=True)
    print(f"\n| rows x features | MultiSURF, s | {' | '.join(ITERATED)}: one iteration (goal {GOAL_OF_ITERATION}) |")
    print("| --- " * (len(ITERATED) + 2) + "|")
    for (n, p), known in data.items():
        base, ratios = seconds(*known, "multisurf", calls), []
        for method in ITERATED:
            few, many = (seconds(*known, method, calls, max_iter=count, tol=0.0) for count in ENDS)
            ratios.append((many - few) / (ENDS[1] - ENDS[0]) / base)
        print(f"| {n} x {p} | {base:.3f} | {' | '.join(f'{ratio:.2f}' for ratio in ratios)} |", flush=True)


if __name__ == "__main__":
    main()
