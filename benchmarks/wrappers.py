"""Times wrappers against the cores that they rank by: ``python benchmarks/wrappers.py --help``."""

import argparse
from statistics import median

from common import load, make, shapes, table, timed

from orangecontrib.reliefe.core import METHODS, rank

SHAPES = ((1000, 5000), (2000, 2000), (500, 20000))
CORES = ("relieff", "multisurf")
REMOVAL = 2.2  # times the core that TuRF may take with half of the features removed in each pass
MARGIN = 1.2  # times the share of the work that the subsets are
PARAMETERS = {"turf": {}, "vlsrelief": {"n_subsets": 20}}


def measured(n: int, p: int, core: str, method: str, repeats: int) -> list[str]:
    """CPU times of one thread, of the core and of the wrapper in turn, and what the wrapper may take."""
    X, y = make(n, p)
    asked = {"core": core, **PARAMETERS[method]}
    calls = [lambda: rank(X, y, core, n_jobs=1), lambda: rank(X, y, method, n_jobs=1, **asked)]
    for call in calls:
        call()
    alone, wrapped = (median(times) for times in timed(calls, repeats))
    wrapper, inner = METHODS[method], METHODS[core]
    work = wrapper.cost((n, p), wrapper.check(asked)) / inner.cost((n, p), inner.check({}))
    allowed = REMOVAL if method == "turf" else MARGIN * work
    verdict = "reached" if wrapped <= allowed * alone else "MISSED"
    times = f"{alone * 1000:.0f}", f"{wrapped * 1000:.0f}", f"{wrapped / alone:.2f}"
    return [f"{n}x{p}", wrapper.title, inner.title, *times, f"{work:.2f}", f"{allowed:.2f}", verdict]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--shapes", type=shapes, default=SHAPES, help="such as 500x2000,1000x5000 (rows x features)")
    parser.add_argument(
        "--methods", type=lambda text: text.split(","), default=tuple(PARAMETERS), help=",".join(PARAMETERS)
    )
    parser.add_argument("--cores", type=lambda text: text.split(","), default=CORES, help=",".join(CORES))
    parser.add_argument("--repeats", type=int, default=5, help="calls of each, in turn (5)")
    parser.add_argument("--markdown", action="store_true", help="a table for a document")
    options = parser.parse_args()
    print(f"CPU time of one thread, medians; {load()}\n", flush=True)
    rows = [
        measured(n, p, core, method, options.repeats)
        for n, p in options.shapes
        for core in options.cores
        for method in options.methods
    ]
    header = ("data", "wrapper", "core", "core ms", "wrapper ms", "ratio", "work", "allowed", "")
    print(table(header, rows, options.markdown))


if __name__ == "__main__":
    main()
