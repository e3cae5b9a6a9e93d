"""Boosted margins and the learned space beside their references: time, accuracy, interactions in noise.

    python benchmarks/learned.py --data FOLDER                        some minutes: time, recall, the tables so far
    python benchmarks/learned.py --data FOLDER --only areas --minutes 60       goes on where it ended: small sets first
    python benchmarks/learned.py --only speed                         needs no data

Times are CPU seconds of one thread over those of ReliefF with ten neighbours, on data that are made.  Recall is the
share of the relevant features among as many best ones, with the rows that a design has and with few of them.  Areas are
under the relative curve of logistic regression (classes, label sets) or ridge regression (numbers), in three folds;
mRMR and JMI are greedy on five bins of equal frequency, mRMR of numbers by correlations.  Their results are kept, fold
by fold, in doc/learned/results.jsonl; what is there is not run again.
"""

import sys
from statistics import median
from types import ModuleType

import areas
import numpy as np
from areas_table import print_all
from common import load, make, timed
from evaluation import ROWS_RECALL, arguments, capped, chosen, parsed, places, show
from threadpoolctl import threadpool_limits

from orangecontrib.reliefe.core import methods, rank

OURS = ("relieff", "multisurf", *(method.name for method in methods() if method.family == "learned"))
TIMES = ((1000, 60, 2), (1000, 500, 2), (1000, 256, 10), (2000, 200, 2), (200, 10000, 2), (1000, 2000, 17))
DESIGNS = (
    "epi2_100atts_r01", "epi2_100atts_r02", "epi2_1000atts_r01", "epi2_1000atts_r02", "epi2_additive50_r01",
    "epi2_h0.1_e2_r01", "epi2_h0.4_e1_n200_r01", "epi2_h0.4_e1_r01", "epi2_het50_r01", "epi2_het75_r01",
    "epi2_imbalance0.6_r01", "epi3_h0.2_r01", "main_additive4_r01", "main_h0.1_r01",
    "mux6_r01", "mux11_r01", "mux20_r01", "xor2_r01", "xor3_r01", "epi2_contatts_r01", "epi2_mixed_r01",
)  # fmt: skip
FEW = {"epi2_1000atts_r01": 400, "epi2_1000atts_r02": 400, "epi2_100atts_r01": 200, "epi2_100atts_r02": 200}
CALLS = 9


def main() -> int:
    """Print the tables."""
    known = (*(name for sets in areas.SETS.values() for name in sets), *DESIGNS)
    parser = arguments(__doc__, known, ("speed", "areas", "recall"))
    parser.add_argument("--minutes", type=float, default=0.0, help="for areas that are not known yet (0)")
    options = parser.parse_args()
    print(load())
    with threadpool_limits(1):
        if options.only in (None, "speed"):
            print_speed()
        if options.only == "speed":
            return 0
        options = parsed(parser, known)
        if options is None:
            return 1
        if options.only in (None, "recall"):
            print_recall(options.data, chosen(DESIGNS, options.sets))
        if options.only in (None, "areas"):
            areas.run(options.data, options.sets, options.minutes)
            print_all()
    return 0


def print_speed() -> None:
    """Ratios to ReliefF."""
    rows = []
    for n, p, classes in TIMES:
        X, _ = make(n, p)
        y = np.argsort(np.argsort(X[:, :5].sum(axis=1))) * classes // n
        calls = [lambda method=method, X=X, y=y: rank(X, y, method, n_jobs=1) for method in OURS]
        timed(calls, 1)
        times = dict(zip(OURS, map(median, timed(calls, CALLS)), strict=True))
        base = times["relieff"]
        ratios = (f"{times[method] / base:.1f}" for method in OURS[2:])
        rows.append([f"{n} x {p}", f"{classes} classes", f"{base:.3f}", *ratios])
    show(
        f"CPU time of ReliefF in seconds, and how many times as much others take; median of {CALLS} calls in turns",
        ("data", "", *OURS[:1], *OURS[2:]),
        rows,
    )


def print_recall(data: ModuleType, names: list[str]) -> None:
    """Share of the relevant features that are found, and the worst rank of one."""
    rows, shares, few = [], [], []
    for name, size in (*((name, ROWS_RECALL) for name in names), *((n, FEW[n]) for n in FEW if n in names)):
        X, y, nominal, loaded = capped(data, name, size)
        line = [places(rank(X, y, method, nominal=nominal).ranking, np.asarray(loaded["relevant"])) for method in OURS]
        rows.append([name, len(y), *(f"{share:.2f} ({worst})" for share, worst in line)])
        (few if size < ROWS_RECALL else shares).append([share for share, _ in line])
    for title, part in (("mean of the designs", shares), ("mean with few rows", few)):
        if part:
            rows.append([title, "", *(f"{value:.2f}" for value in np.mean(part, axis=0))])
    show("Recall of relevant features (worst rank of one)", ("set", "rows", *OURS), rows)


if __name__ == "__main__":
    sys.exit(main())
