"""Alternatives to `auto` that were tried and dropped: two stages, and a term for redundancy.

python benchmarks/stages.py --data FOLDER [--minutes N]     goes on where it ended: wide sets first, then small ones
python benchmarks/stages.py --table                         prints the table; runs nothing

Two stages: the best features by F-tests of each alone are ranked by a boosted method, and the others follow. They are
for *wide* sets, with more features than training rows of a fold. Redundancy: the next feature has the largest score by
MultiSURF, in shares of the largest one, less its mean absolute correlation with those before it.

Folds and areas are those of `which.py`, whose results have `auto`, mRMR and JMI. Lines go to doc/which/stages.jsonl.
"""

import json
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterable

import numpy as np
from common import ROOT, table
from evaluation import arguments, parsed
from rivals import CLASSES, f_score, standardised
from scipy.stats import wilcoxon
from threadpoolctl import threadpool_limits
from which import RESULTS, SPLITS, LateError, Problem, by_size, read

from orangecontrib.reliefe.core import Ranking, rank

STAGES = ROOT / "doc" / "which" / "stages.jsonl"
LIMIT = 60.0  # CPU seconds of the ranking of a fold
MOST_SELECTED = 64  # features by redundancy: as many as areas see
OWN = "boostedrelief", "boostedlearnedrelief", "mRMR", "JMI"  # methods of `which.py` in the table
Ranker = Callable[[np.ndarray, np.ndarray, np.ndarray, Callable], np.ndarray]


def ranked(X: np.ndarray, y: np.ndarray, method: str, nominal: np.ndarray, progress: Callable) -> Ranking:
    """Ranking by a method, in one thread."""
    return rank(X, y, method, task="classification", nominal=nominal, n_jobs=1, progress=progress)


def two_stages(method: str, n_best: int) -> Ranker:
    """Ranker by F-tests, whose best features are ranked by a method."""

    def ranker(X: np.ndarray, y: np.ndarray, nominal: np.ndarray, progress: Callable) -> np.ndarray:
        filled = np.nan_to_num(X)
        scores = np.nan_to_num(f_score(filled, y, np.zeros(len(nominal), bool), CLASSES))
        order = np.argsort(-scores, kind="stable")
        best = order[:n_best]
        return np.concatenate([best[ranked(X[:, best], y, method, nominal[best], progress).ranking], order[n_best:]])

    return ranker


def less_redundancy(X: np.ndarray, y: np.ndarray, nominal: np.ndarray, progress: Callable) -> np.ndarray:
    """Ranking by MultiSURF less redundancy."""
    ranking = ranked(X, y, "multisurf", nominal, progress)
    relevance = ranking.scores / ranking.scores.max()
    Z = standardised(np.nan_to_num(X))
    selected = [int(relevance.argmax())]
    correlations = np.zeros(len(relevance))
    while len(selected) < min(len(relevance), MOST_SELECTED):
        correlations += np.abs(Z.T @ Z[:, selected[-1]] / len(Z))
        value = relevance - correlations / len(selected)
        value[selected] = -np.inf
        selected.append(int(value.argmax()))
    return np.concatenate([selected, ranking.ranking[~np.isin(ranking.ranking, selected)]])


WIDE_ONLY: dict[str, Ranker] = {
    "200 by F, Boosted Relief": two_stages("boostedrelief", 200),
    "50 by F, Boosted Relief": two_stages("boostedrelief", 50),
    "200 by F, Boosted Learned-Space Relief": two_stages("boostedlearnedrelief", 200),
}
REDUNDANCY = "MultiSURF less redundancy"
RANKERS: dict[str, Ranker] = {**WIDE_ONLY, REDUNDANCY: less_redundancy}


def is_wide(facts: dict) -> bool:
    """True if a set has more features than training rows of a fold."""
    return facts["features"] > facts["rows"] * (SPLITS - 1) / SPLITS


def public_sets() -> dict[str, dict]:
    """Facts on the public sets with classes by their names."""
    return {
        line["set"]: line
        for line in read(RESULTS)
        if "kind" in line and line["kind"] == CLASSES and not line["simulated"]
    }


def run(options: Namespace) -> None:
    """Append a line for each ranker and set that is not there yet."""
    end = time.monotonic() + 60 * options.minutes
    facts = public_sets()
    is_there = {(line["set"], line["method"]) for line in read(STAGES)}
    names = sorted((name for name in by_size(options.data) if name in facts), key=lambda name: not is_wide(facts[name]))
    for name in names:
        missing = [m for m in RANKERS if (name, m) not in is_there and (is_wide(facts[name]) or m not in WIDE_ONLY)]
        if not missing or time.monotonic() > end:
            continue
        problem = Problem(options.data, name, CLASSES)
        problem.X = problem.dense
        for method in missing:
            line = {"set": name, "method": method}
            try:
                rankings = [ranking for ranking, _ in problem._rankings(RANKERS[method], LIMIT)]
                line["areas"] = problem._measures(rankings, 0)["areas"]
            except LateError:
                line["status"] = "late"
            with STAGES.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line, separators=(",", ":")) + "\n")


def compared(names: Iterable[str], methods: Iterable[str]) -> str:
    """Table of mean areas on sets, and of the differences to `auto`."""
    facts = public_sets()
    lines = [*read(RESULTS), *read(STAGES)]
    areas = {(line["set"], line["method"]): float(np.mean(line["areas"])) for line in lines if "areas" in line}
    has_all = [name for name in names if all((name, method) in areas for method in (*OWN, *methods))]
    if len(has_all) < 2:
        return "There are no results of two sets yet"
    of_auto = np.array(
        [areas[name, OWN[1] if facts[name]["features"] > facts[name]["rows"] else OWN[0]] for name in has_all]
    )
    rows: list[list[object]] = [["auto", f"{of_auto.mean():.4f}", "", "", ""]]
    for method in (*OWN, *methods):
        difference = np.array([areas[name, method] for name in has_all]) - of_auto
        error = difference.std(ddof=1) / np.sqrt(len(has_all))
        counts = f"{(difference > 0).sum()} : {(difference < 0).sum()}"
        mean = of_auto.mean() + difference.mean()
        p = wilcoxon(difference).pvalue
        rows.append([method, f"{mean:.4f}", f"{difference.mean():+.4f} ± {error:.4f}", counts, f"{p:.3f}"])
    return table([f"{len(has_all)} sets", "area", "less auto", "better : worse", "p"], rows)


def main() -> int:
    """Run what is not there yet, and print the tables."""
    parser = arguments(__doc__, (), ())
    parser.add_argument("--minutes", type=float, default=np.inf, help="after which no other set begins")
    parser.add_argument("--table", action="store_true", help="print the tables, and run nothing")
    if "--table" not in sys.argv[1:]:
        options = parsed(parser, ())
        if options is None:
            return 1
        with threadpool_limits(1):
            run(options)
    facts = public_sets()
    print(compared([name for name in facts if is_wide(facts[name])], RANKERS))
    print()
    print(compared(facts, [REDUNDANCY]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
