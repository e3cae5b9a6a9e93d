"""Compares the quality of rankings with what is known to be reached: ``python benchmarks/quality.py --help``."""

import sys
from types import ModuleType

import numpy as np
from common import TITLES
from evaluation import ROWS, ROWS_RECALL, TOLERANCE, arguments, capped, chosen, folds, noise, parsed, places, show
from expected import AREAS, COLUMNS, RECALL
from threadpoolctl import threadpool_limits

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.evaluation import references

OURS = tuple(TITLES)
SETS = (*AREAS, *RECALL)


def main() -> int:
    """Print both tables, one row as soon as it is there; 1 where recall is not as expected or there are no data."""
    options = parsed(arguments(__doc__, SETS, ("areas", "recall")), SETS)
    if options is None:
        return 1
    with threadpool_limits(1):
        good = options.only == "areas" or print_recall(options.data, chosen(RECALL, options.sets))
        if options.only != "recall":
            print_areas(options.data, chosen(AREAS, options.sets))
    return 0 if good else 1


def order(method: str, X: np.ndarray, y: np.ndarray, nominal: np.ndarray, seed: int) -> np.ndarray:
    """Features, best first; F of a nominal feature is that of its best value."""
    if method == "random":
        return np.random.default_rng(seed).permutation(X.shape[1])
    if method == "F":
        return np.argsort(-references(nominal=nominal)["f-score"](X, y), kind="stable")
    return rank(X, y, method, nominal=nominal, n_jobs=1).ranking


def areas(data: ModuleType, name: str) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Accuracy with all features (folds,), and AUrF1 (folds,) of every ranking."""
    X, y, nominal, _ = capped(data, name, ROWS)
    everything, found = [], {method: [] for method in COLUMNS}
    for fold in folds(X, y, nominal):
        everything.append(fold.quality(np.arange(X.shape[1])))
        for method in COLUMNS:
            ranked = order(method, X[fold.rows], y[fold.rows], nominal, len(everything))
            found[method].append(fold.area(ranked) / everything[-1])
    return np.array(everything), {method: np.array(values) for method, values in found.items()}


def print_areas(data: ModuleType, names: list[str]) -> None:
    """AUrF1 beside what is expected."""
    total = equal = within = 0
    rows = []
    for name in names:
        everything, found = areas(data, name)
        known, expected = AREAS[name]
        rows.append([name, "all features", f"{everything.mean():.3f}", f"{known:.3f}", "", ""])
        for method, wanted in zip(COLUMNS, expected, strict=True):
            mean, spread = found[method].mean(), noise(found[method])
            numbers = mean, wanted, mean - wanted, spread
            rows.append([name, TITLES.get(method, method), *(f"{number:.3f}" for number in numbers)])
            if method in OURS:
                total += 1
                equal += abs(mean - wanted) <= TOLERANCE
                within += abs(mean - wanted) <= max(spread, TOLERANCE)
        print(f"{name} done", file=sys.stderr, flush=True)
    title = "AUrF1; noise: twice the standard error of the difference of two runs over different folds"
    show(title, ("set", "ranking", "ours", "expected", "difference", "noise"), rows)
    print(f"\nOf {total} areas of Relief methods {equal} are equal within {TOLERANCE}, {within} within the noise.")


def print_recall(data: ModuleType, names: list[str]) -> bool:
    """Recall of the relevant features, and the worst rank of one, beside what is expected; whether all agree."""
    rows = []
    for name in names:
        X, y, nominal, loaded = capped(data, name, ROWS_RECALL)
        for method, (recall, worst) in zip(OURS, RECALL[name], strict=True):
            found = places(order(method, X, y, nominal, 0), np.asarray(loaded["relevant"]))
            same = "equal" if (round(found[0], 2), found[1]) == (recall, worst) else "DIFFERS"
            rows.append([name, TITLES[method], f"{found[0]:.2f} ({found[1]})", f"{recall:.2f} ({worst})", same])
    title = "Recall among as many best features as are relevant (worst rank of a relevant one)"
    show(title, ("set", "method", "ours", "expected", ""), rows)
    return all(row[-1] == "equal" for row in rows)


if __name__ == "__main__":
    sys.exit(main())
