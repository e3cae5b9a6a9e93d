"""Other targets than one class or number: CPU seconds of one thread, beside those of CLUS 2.12 where they are known.

    python benchmarks/targets.py [--data FOLDER]

CLUS's times are of its `Relief` section with one thread on another machine of the same kind, its start (0.4 s) left
out; --data adds bibtex from a folder of data sets.  "differences" is the share of the call that differences of targets
take, and "distances" that of rows; the former should be the smaller one.
"""

import argparse
import cProfile
import pstats
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from common import timed

from orangecontrib.reliefe.core import rank

CALLS = 3


def cases(folder: Path | None) -> Iterator[tuple[str, float | None, float | None, Callable]]:
    """(what, CLUS's seconds, goal in seconds, call)."""
    random = np.random.default_rng(0)
    X, Y = random.random((5000, 200)), random.random((5000, 10))
    few = {"n_jobs": 1, "w0": 0, "w1": 1, "n_neighbors": 15}
    yield "10 numbers, 5000 x 200, SSL-Relief k = 15", 35.5, 0.355, lambda: rank(X, Y, "sslrelief", **few)
    yield "the same with scores for each", None, None, lambda: rank(X, Y, "sslrelief", per_target=True, **few)
    yield "10 numbers, 5000 x 200, RReliefF k = 70", 35.5, 0.355, lambda: rank(X, Y, "rrelieff", n_jobs=1)
    labels = (random.random((593, 6)) < 0.3).astype(int)
    small = random.random((593, 72))
    yield "6 labels, 593 x 72 (as emotions)", 0.6, 0.06, lambda: rank(small, labels, "sslrelief", **few)
    half = Y[:, 0].copy()
    half[500:] = np.nan
    yield "one number in 500 rows of 5000 x 200", None, None, lambda: rank(X, half, "sslrelief", **few)
    wide = random.random((2000, 5000))
    yield "no target, 2000 x 5000, URelief", None, 1.0, lambda: rank(wide, None, "urelief", n_jobs=1)
    many = (random.random((5000, 1000)) < 0.02).astype(np.uint8)
    yield "1000 labels, 5000 x 200, RReliefF k = 30", None, None, lambda: rank(X, many, "rrelieff", **thirty())
    tree = [()] * 10 + [((j - 10) // 5 if j < 60 else j - 50,) for j in range(10, 500)]
    sets = (random.random((5000, 500)) < 0.05).astype(np.uint8)
    yield (
        "hierarchy of 500 labels, 5000 x 200, k = 30",
        None,
        None,
        lambda: rank(X, sets, "rrelieff", hierarchy=tree, **thirty()),
    )
    if folder:
        from evaluation import loader

        bibtex = loader(folder).load("bibtex")
        yield (
            "bibtex, 7395 x 1836 sparse, 159 labels",
            None,
            3.0,
            lambda: rank(bibtex["X"], bibtex["Y"], "rrelieff", **thirty()),
        )


def thirty() -> dict[str, int]:
    return {"n_neighbors": 30, "n_jobs": 1}


def shares(call: Callable) -> tuple[float, float]:
    """Shares of the call that differences of targets and distances of rows take."""
    profile = cProfile.Profile()
    profile.runcall(call)
    stats = pstats.Stats(profile).stats
    whole = max(row[3] for row in stats.values())
    found = {name: sum(row[3] for key, row in stats.items() if key[2] == name) for name in ("difference", "tile")}
    return found["difference"] / whole, found["tile"] / whole


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder of data sets with load.py")
    folder = parser.parse_args().data
    out = sys.stdout
    columns = "target, data", "CPU s", "goal", "CLUS", "ratio", "differences", "distances"
    out.write("{:46s} {:>7s} {:>6s} {:>6s} {:>6s} {:>12s} {:>10s}\n".format(*columns))
    for what, clus, goal, call in cases(folder):
        call()
        seconds = float(np.median(timed([call], CALLS)[0]))
        targets, rows = shares(call)
        ratio = f"{clus / seconds:.0f} x" if clus else "-"
        out.write(
            f"{what:46s} {seconds:7.3f} {f'{goal:.2f}' if goal else '-':>6s} {clus or '-':>6} {ratio:>6s} "
            f"{targets:12.0%} {rows:10.0%}\n"
        )
        out.flush()


if __name__ == "__main__":
    main()
