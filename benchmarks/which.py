"""Methods on all public sets, resumable: ``python benchmarks/which.py --help``.

    python benchmarks/which.py --data FOLDER --minutes 60     goes on where it ended: small sets first
    python benchmarks/which.py --data FOLDER --sets colon xor2_r01 --methods relieff multisurf
    python benchmarks/which.py --table                        writes the tables and the pictures of doc/which.md

A line of JSON for each set, and for each method on it, goes to doc/which/results.jsonl; what is there is not run again.
All sets are run by the methods of `main_methods` first, then by the other ones.  Public sets: methods rank the training
rows of three folds of at most 2,000 rows, in one thread.  *Areas* are those under the quality of 50 extra trees with
the best 1, 2, 4 .. 64 features: accuracy for classes, mean R2 for numbers and the 12 most frequent labels.
Simulated sets: *recall* is the share of the relevant features among as many best ones, by at most 1,600 rows.
*seconds* are CPU seconds of the quickest fold, *stability* is that of Nogueira for the ten best features (half of them
if fewer).  A fold that takes longer than --limit ends the run of that method on that set: it is late.
"""

import json
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from zlib import crc32

import numpy as np
from common import ROOT
from evaluation import COUNTS, ROWS_RECALL, SEEDS, SIMULATED, arguments, filled, parsed, places
from rivals import CLASSES, LABELS, NUMBERS, rivals
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor
from sklearn.metrics import accuracy_score, r2_score
from sklearn.model_selection import KFold, StratifiedKFold
from threadpoolctl import threadpool_limits
from which_table import MAIN, OWN_TASKS, RIVALS, fits, main_methods, write

from orangecontrib.reliefe.core import METHODS, rank
from orangecontrib.reliefe.core.evaluation import nogueira

TASKS = {"classification": CLASSES, "regression": NUMBERS, "mtr": "targets", "mlc": LABELS}
LAST = ("ireliefonline", "lhrelief", "evaporativecooling", "ndfs", "agnoss")  # the slow ones
OUT = (
    "abalone-ssl",
    "iris-semisup",
    "genbase-ssl",
    "dream4_net1",
    "dream4_net2",
    "dream4_net3",
    "multitarget-synthetic",
)
ROWS, SPLITS, TREES, LEAF, TOP, MOST_LABELS, MOST_FEATURES = 2000, 3, 50, 5, 10, 12, 64
RESULTS = ROOT / "doc" / "which" / "results.jsonl"
Ranker = Callable[[object, np.ndarray, np.ndarray, Callable], np.ndarray]


class LateError(Exception):
    """The time of a run is over."""


def main() -> int:
    """Run what is not there yet, or write the tables."""
    parser = arguments(__doc__, SIMULATED, ())
    parser.add_argument(
        "--methods", nargs="*", choices=sorted({*METHODS, *MAIN}), metavar="METHOD", help="some of them"
    )
    parser.add_argument("--limit", type=float, default=15.0, help="CPU seconds of the ranking of a fold (15)")
    parser.add_argument("--minutes", type=float, default=np.inf, help="after which no other set and method begins")
    parser.add_argument("--results", type=Path, default=RESULTS, help="file of the lines")
    parser.add_argument("--table", action="store_true", help="write the tables and the pictures, and run nothing")
    if "--table" in sys.argv[1:]:
        print(write(read(parser.parse_args().results)))
        return 0
    options = parsed(parser, parser.parse_args().sets or ())
    if options is None:
        return 1
    unknown = set(options.sets or ()) - set(by_size(options.data))
    if unknown:
        parser.error(f"nothing is known of {', '.join(sorted(unknown))}")
    with threadpool_limits(1):
        run(options)
    return 0


def read(results: Path) -> list[dict]:
    """Lines of a file of results; none where there is no file."""
    return list(map(json.loads, results.read_text(encoding="utf-8").splitlines())) if results.exists() else []


def run(options: Namespace) -> None:
    """Append a line for each method and set that is not there yet, the small sets first."""
    end = time.monotonic() + 60 * options.minutes
    there = {(line["set"], line.get("method")) for line in read(options.results)}
    options.results.parent.mkdir(parents=True, exist_ok=True)
    names = [name for name in by_size(options.data) if name in (options.sets or [name])]
    for first, name in ((first, name) for first in (True, False) for name in names):
        kind = TASKS[options.data.index()[name]["task"]]
        main, slow = main_methods(kind), {method: place for place, method in enumerate(LAST, 1)}
        rest = [m for m in sorted(METHODS, key=lambda m: slow.get(m, 0)) if m not in main and fits(m, kind)]
        fit = [m for m in (main if first else rest) if m in (options.methods or [m])]
        asked = [m for m in fit if (name, m) not in there]
        problem = Problem(options.data, name, kind) if asked and time.monotonic() < end else None
        if problem is not None and (name, None) not in there:
            append(options.results, problem.facts)
            there.add((name, None))
        for method in asked:
            if problem is None or time.monotonic() > end:
                return
            line = problem.line(method, options.limit)
            append(options.results, line)
            print(*line.values(), file=sys.stderr, flush=True)


def append(results: Path, line: dict) -> None:
    """Add a line to the file of results."""
    with results.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line, separators=(",", ":")) + "\n")


def by_size(data: ModuleType) -> list[str]:
    """Names of the sets of all kinds of target that are run, the small ones first."""
    index = data.index()
    names = [name for name, line in index.items() if line["task"] in TASKS and name not in OUT]
    return sorted(names, key=lambda name: min(int(index[name]["n"]), ROWS) * int(index[name]["p"]))


def ranker(method: str, kind: str) -> Ranker:
    """(X, y, nominal, progress) -> ranking (p,), best first."""
    if method == "random":
        return lambda X, y, nominal, progress: np.random.default_rng(crc32(y.tobytes())).permutation(X.shape[1])
    if method in RIVALS[kind]:
        rival = rivals(NUMBERS if kind == "targets" else kind)[method]
        return lambda X, y, nominal, progress: np.argsort(
            -rival(filled(X, np.arange(len(y))), y, nominal), kind="stable"
        )
    task = OWN_TASKS[kind]
    return lambda X, y, nominal, progress: (
        rank(X, y, method, task=task, nominal=nominal, n_jobs=1, progress=progress).ranking
    )


@cache
def warm(method: str, kind: str) -> None:
    """Rank a small table before the clock starts: the first call of a process may compile, or import."""
    X = np.random.default_rng(0).integers(0, 3, (60, 6)).astype(float)
    y = {CLASSES: X[:, 0].astype(int), NUMBERS: X[:, 0] + X[:, 3], LABELS: (X[:, :2] > 1).astype(int)}
    ranker(method, kind)(X, y.get(kind, X[:, :2]), np.arange(6) < 3, lambda _: None)


class Problem:
    """A set, its folds, and the quality of features in each, which all methods share."""

    def __init__(self, data: ModuleType, name: str, kind: str):
        loaded = data.load(name)
        y = loaded["y"] if "y" in loaded else loaded["Y"]
        y = np.asarray(y.toarray() if hasattr(y, "toarray") else y)
        y = y.astype(np.int64 if kind in (CLASSES, LABELS) else float)
        known = np.flatnonzero(~np.isnan(y.astype(float).reshape(len(y), -1)).any(axis=1))
        simulated = name in SIMULATED and name != "pwlinear"
        kept = np.sort(np.random.default_rng(0).permutation(known)[: ROWS_RECALL if simulated else ROWS])
        X, self.y, self.nominal = loaded["X"][kept], y[kept], np.asarray(loaded["feature_is_nominal"])
        if kind == LABELS:
            often = np.minimum(self.y.sum(axis=0), (1 - self.y).sum(axis=0))
            self.y = self.y[:, np.sort(np.argsort(-often, kind="stable")[:MOST_LABELS])]
        self.X, self.kind, self.known = X, kind, {}
        dense = X.toarray() if hasattr(X, "toarray") else X
        self.relevant = np.asarray(loaded["relevant"]) if simulated else None
        self.facts = {"set": name, "kind": kind, "simulated": simulated, "rows": len(kept), "features": X.shape[1]}
        self.facts |= {"classes": len(np.unique(self.y)) if kind == CLASSES else self.y.reshape(len(kept), -1).shape[1]}
        self.facts |= {
            "nominal": round(float(self.nominal.mean()), 2),
            "missing": round(float(np.isnan(dense).mean()), 3),
        }
        self.facts |= {"zero": round(float((dense == 0).mean()), 2)}
        self.parts = [(np.arange(len(kept)), None)]
        if not simulated:
            split = StratifiedKFold if kind == CLASSES else KFold
            self.parts = list(split(SPLITS, shuffle=True, random_state=SEEDS[0]).split(dense, self.y))
        self.dense = np.asarray(dense, np.float32)

    def line(self, method: str, limit: float) -> dict:
        """Measures of a method, or why there are none."""
        head = {"set": self.facts["set"], "method": method}
        try:
            warm(method, self.kind)
            found = list(self._rankings(ranker(method, self.kind), limit))
        except LateError:
            return {**head, "status": "late"}
        except (ValueError, ArithmeticError, MemoryError) as error:
            return {**head, "status": f"failed: {error}"[:120]}
        return {**head, **self._measures([one for one, _ in found], min(t for _, t in found))}

    def _rankings(self, ranker: Ranker, limit: float) -> Iterator[tuple[np.ndarray, float]]:
        """Ranking and CPU seconds of each fold."""
        for train, _ in self.parts:
            begin = time.process_time()

            def stop(_: float, begin: float = begin) -> None:
                if time.process_time() > begin + limit:
                    raise LateError

            found = ranker(self.X[train], self.y[train], self.nominal, stop)
            seconds = time.process_time() - begin
            if seconds > limit:  # of what cannot be stopped
                raise LateError
            yield found, seconds

    def _measures(self, found: list[np.ndarray], seconds: float) -> dict:
        """Measures from the rankings of the folds."""
        out: dict = {"seconds": round(seconds, 4)}
        if self.relevant is not None:
            return {**out, "recall": round(places(found[0], self.relevant)[0], 4)}
        p = self.X.shape[1]
        top = min(TOP, max(p // 2, 1))
        out["stability"] = round(nogueira(np.array([np.isin(np.arange(p), one[:top]) for one in found])).value, 3)
        return {**out, "areas": [round(self._area(fold, one), 4) for fold, one in enumerate(found)]}

    def _area(self, fold: int, ranked: np.ndarray) -> float:
        """Mean quality over log2 of the number of best features."""
        p = min(len(ranked), MOST_FEATURES)
        counts = np.array([*(f for f in COUNTS if f < p), p])
        x = np.log2(counts)
        return float(np.trapezoid([self._quality(fold, ranked[:f]) for f in counts], x) / (x[-1] - x[0]))

    def _quality(self, fold: int, features: np.ndarray) -> float:
        """Quality of a forest with some features on the test rows of a fold, computed once for equal features."""
        chosen = np.sort(features)
        key = fold, chosen.tobytes()
        if key not in self.known:
            train, test = self.parts[fold]
            A, B, y = self.dense[np.ix_(train, chosen)], self.dense[np.ix_(test, chosen)], self.y
            if self.kind == CLASSES:
                forest, measure = ExtraTreesClassifier(TREES, random_state=0, n_jobs=1), accuracy_score
            else:
                forest, measure = ExtraTreesRegressor(TREES, random_state=0, n_jobs=1, min_samples_leaf=LEAF), r2_score
            self.known[key] = float(measure(y[test], forest.fit(A, y[train]).predict(B)))
        return self.known[key]


if __name__ == "__main__":
    sys.exit(main())
