"""All methods on many sets, resumable: ``python benchmarks/which.py --help``.

    python benchmarks/which.py --data FOLDER --minutes 60     goes on where it ended: small sets first
    python benchmarks/which.py --data FOLDER --sets colon xor2_r01 --methods relieff multisurf
    python benchmarks/which.py --table                        writes the table and the pictures of doc/which.md

A line of JSON for each method and set goes to doc/which/results.jsonl; what is there is not run again. Methods rank
the training rows of each of three folds of at most 1,000 rows (1,600 of simulated sets), in one thread. Real sets:
*area* is that under the relative accuracy curve (AUrF1) of logistic regression, *knn* the accuracy of the 20 nearest
rows by weighted features. Simulated sets: *recall* is the share of the relevant features among as many best ones.
*seconds* are CPU seconds of the quickest fold, *stability* is that of Nogueira for the ten best features (half of
them if fewer). Methods without a target rank without one. A run that is longer than --limit ends, and is
not done.
"""

import json
import sys
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
from common import ROOT
from evaluation import REAL, ROWS, ROWS_RECALL, SEEDS, SIMULATED, Fold, arguments, capped, indicators, parsed, places
from sklearn.model_selection import KFold, StratifiedKFold
from threadpoolctl import threadpool_limits

from orangecontrib.reliefe.core import METHODS, rank
from orangecontrib.reliefe.core.evaluation import nogueira, weighted_knn

CLASSES, NUMBERS, NOTHING = "classification", "regression", "unsupervised"
LAST = ("ireliefonline", "lhrelief", "evaporativecooling", "ndfs", "agnoss", "pct", "reliefe")  # the slow ones
SPLITS, VOTERS, TOP = 3, 20, 10
RESULTS = ROOT / "doc" / "which" / "results.jsonl"


class LateError(Exception):
    """The time of a run is over."""


def main() -> int:
    """Run what is not there yet, or write the table."""
    parser = arguments(__doc__, (*REAL, *SIMULATED), ())
    parser.add_argument("--methods", nargs="*", choices=[*METHODS], metavar="METHOD", help="some of the registry")
    parser.add_argument("--limit", type=float, default=60.0, help="CPU seconds of the ranking of a fold (60)")
    parser.add_argument("--minutes", type=float, default=np.inf, help="after which no other set and method begins")
    parser.add_argument("--results", type=Path, default=RESULTS, help="file of the lines")
    parser.add_argument("--table", action="store_true", help="write the table and the pictures, and run nothing")
    if "--table" in sys.argv[1:]:
        from which_table import write

        print(write(read(parser.parse_args().results)))
        return 0
    options = parsed(parser, (*REAL, *SIMULATED))
    if options is None:
        return 1
    with threadpool_limits(1):
        run(options)
    return 0


def read(results: Path) -> list[dict]:
    """Lines of a file of results; none where there is no file."""
    return list(map(json.loads, results.read_text(encoding="utf-8").splitlines())) if results.exists() else []


def run(options: Namespace) -> None:
    """Append a line for each method and set that is not there yet, the small sets first."""
    end = time.monotonic() + 60 * options.minutes
    there = {(line["set"], line["method"]) for line in read(options.results)}
    options.results.parent.mkdir(parents=True, exist_ok=True)
    for name in by_size(options.data, options.sets or (*REAL, *SIMULATED)):
        task = options.data.index()[name]["task"]
        asked = [m for m in in_order(options.methods or [*METHODS]) if (name, m) not in there and task_of(m, task)]
        problem = Problem(options.data, name, task) if asked and time.monotonic() < end else None
        for method in asked:
            if problem is None or time.monotonic() > end:
                return
            line = problem.line(method, options.limit)
            with options.results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            print(name, method, line["status"], line.get("seconds", ""), file=sys.stderr, flush=True)


def by_size(data: ModuleType, names: Sequence[str]) -> list[str]:
    """Names of sets, the small ones first."""
    index = data.index()
    return sorted(names, key=lambda name: int(index[name]["n"]) * int(index[name]["p"]))


def in_order(methods: Sequence[str]) -> list[str]:
    """Names of methods, the slow ones last."""
    return sorted(methods, key=lambda method: LAST.index(method) if method in LAST else -1)


def task_of(method: str, task: str) -> str | None:
    """Kind of target that a method gets for a set: that of the set, or none; None where it needs another one."""
    return next((one for one in (task, NOTHING) if one in METHODS[method].tasks), None)


@cache
def warm(method: str, task: str) -> None:
    """Rank a small table before the clock starts: the first call of a process may compile, or import."""
    X = np.random.default_rng(0).integers(0, 3, (60, 6)).astype(float)
    y = None if task_of(method, task) == NOTHING else X[:, 0] + X[:, 3]
    rank(X, y, method, task=task_of(method, task), nominal=np.arange(6) < 3, n_jobs=1)


class Problem:
    """A set, its folds, and the quality with all features in each, which all methods share."""

    def __init__(self, data: ModuleType, name: str, task: str):
        self.name, self.real, self.task = name, name in REAL, task
        if task == NUMBERS:
            loaded = data.load(name)
            self.X, self.y, self.nominal = np.asarray(loaded["X"]), loaded["y"], loaded["feature_is_nominal"]
        else:
            self.X, self.y, self.nominal, loaded = capped(data, name, ROWS if self.real else ROWS_RECALL)
        self.relevant = None if self.real else np.asarray(loaded["relevant"])
        kind = KFold if task == NUMBERS else StratifiedKFold
        splits = kind(SPLITS, shuffle=True, random_state=SEEDS[0]).split(self.X, self.y)
        self.parts = [(train, test) for train, test in splits]
        self.folds, self.whole = [], []
        if self.real:
            Z, owners = indicators(self.X, self.nominal)
            self.folds = [Fold(Z, owners, self.y, *part) for part in self.parts]
            self.whole = [fold.quality(np.arange(self.X.shape[1])) for fold in self.folds]

    def line(self, method: str, limit: float) -> dict:
        """Measures of a method, or why there are none."""
        head = {"set": self.name, "method": method, "kind": "real" if self.real else "simulated"}
        head |= {"rows": len(self.X), "features": self.X.shape[1]}
        warm(method, self.task)
        try:
            found = list(self._rankings(method, limit))
        except LateError:
            return {**head, "status": "late"}
        except (ValueError, ArithmeticError, MemoryError) as error:
            return {**head, "status": f"failed: {error}"[:120]}
        return {**head, "status": "done", **self._measures([one for one, _ in found], min(t for _, t in found))}

    def _rankings(self, method: str, limit: float) -> Iterator[tuple]:
        """Ranking and CPU seconds of each fold."""
        supervised = task_of(method, self.task) == self.task
        for train, _ in self.parts:
            begin = time.process_time()

            def stop(_: float, begin: float = begin) -> None:
                if time.process_time() > begin + limit:
                    raise LateError

            y = self.y[train] if supervised else None
            found = rank(self.X[train], y, method, nominal=self.nominal, n_jobs=1, progress=stop)
            seconds = time.process_time() - begin
            if seconds > limit:  # of what cannot be stopped
                raise LateError
            yield found, seconds

    def _measures(self, found: list, seconds: float) -> dict:
        """Measures from the rankings of the folds."""
        top, p = min(TOP, max(self.X.shape[1] // 2, 1)), self.X.shape[1]
        chosen = np.array([np.isin(np.arange(p), one.ranking[:top]) for one in found])
        out = {"seconds": round(seconds, 3), "stability": nogueira(chosen).value}
        if not self.real:
            return {**out, "recall": float(np.mean([places(one.ranking, self.relevant)[0] for one in found]))}
        areas = [fold.area(one.ranking) / whole for fold, one, whole in zip(self.folds, found, self.whole, strict=True)]
        return {**out, "area": float(np.mean(areas)), "knn": float(np.mean(list(map(self._knn, found, self.parts))))}

    def _knn(self, found: object, part: tuple) -> float:
        """Accuracy of the nearest training rows by the features with positive scores."""
        train, test = part
        X, y = self.X, self.y.astype(int)
        votes = weighted_knn(X[train], y[train], X[test], np.maximum(found.scores, 0), VOTERS, self.nominal)
        return float((votes == y[test]).mean())


if __name__ == "__main__":
    sys.exit(main())
