"""Compares the quality of rankings with what is known to be reached: ``python benchmarks/quality.py --help``."""

import argparse
import os
import sys
import warnings
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import numpy as np
from common import ROOT, TITLES, table
from expected import AREAS, COLUMNS, RECALL
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, train_test_split
from threadpoolctl import threadpool_limits

from orangecontrib.reliefe.core import rank

ROWS, ROWS_RECALL = 1000, 1600  # at most so many rows
SEEDS, FOLDS = (100, 101), 5
COUNTS = (1, 2, 4, 8, 16, 32, 64, 128)  # features in the model; all of them where there are fewer
TOLERANCE = 0.003
ITERATIONS, STOP = 1000, 1e-3  # where the solver stops moves the accuracy with all of many features by 0.06
OURS = tuple(TITLES)


def main() -> int:
    """Print both tables, one row as soon as it is there; 1 where recall is not as expected or there are no data."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    default = os.environ.get("RELIEFE_DATA", ROOT.parent / "data")
    parser.add_argument("--data", type=Path, default=Path(default), help="folder of load.py and index.tsv")
    parser.add_argument("--sets", nargs="*", help=f"some of {', '.join(sorted({*AREAS, *RECALL}))}")
    parser.add_argument("--only", choices=("areas", "recall"), help="one of the two tables")
    options = parser.parse_args()
    missing = [name for name in ("load.py", "index.tsv") if not (options.data / name).is_file()]
    if missing:
        print(f"No data: {options.data} has no {' and no '.join(missing)}; name the folder by --data or RELIEFE_DATA.")
        return 1
    unknown = set(options.sets or ()) - {*AREAS, *RECALL}
    if unknown:
        parser.error(f"nothing is known of {', '.join(sorted(unknown))}")
    data = loader(options.data)
    warnings.simplefilter("ignore", ConvergenceWarning)
    with threadpool_limits(1):
        good = options.only == "areas" or print_recall(data, chosen(RECALL, options.sets))
        if options.only != "recall":
            print_areas(data, chosen(AREAS, options.sets))
    return 0 if good else 1


def loader(folder: Path) -> ModuleType:
    """The module load.py of the data."""
    spec = spec_from_file_location("load", folder / "load.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def chosen(known: dict, names: list[str] | None) -> list[str]:
    """The sets that are known and asked for."""
    return [name for name in known if names is None or name in names]


def capped(data: ModuleType, name: str, rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, dict]:
    """X, y, mask of nominal columns, and all that was loaded.

    A stratified choice in the order of the file where there are more rows; most frequent values for unknown ones.
    """
    loaded = data.load(name)
    X, y = loaded["X"], np.asarray(loaded["y"])
    X = X.toarray() if hasattr(X, "toarray") else X
    if len(y) > rows:
        kept, _ = train_test_split(np.arange(len(y)), train_size=rows, stratify=y, random_state=0)
        X, y = X[np.sort(kept)], y[np.sort(kept)]
    for f in np.flatnonzero(np.isnan(X).any(axis=0)):
        known = X[~np.isnan(X[:, f]), f]
        values, counts = np.unique(known, return_counts=True)
        X[np.isnan(X[:, f]), f] = values[counts.argmax()]
    return X, y, loaded["feature_is_nominal"], loaded


def order(method: str, X: np.ndarray, y: np.ndarray, nominal: np.ndarray, seed: int) -> np.ndarray:
    """Features, best first; F of a nominal feature is that of its best value."""
    if method == "random":
        return np.random.default_rng(seed).permutation(X.shape[1])
    if method == "F":
        with warnings.catch_warnings(), np.errstate(invalid="ignore", divide="ignore"):
            warnings.simplefilter("ignore")  # constant columns
            Z, owners = indicators(X, nominal)
            best = np.full(X.shape[1], -1.0)
            np.maximum.at(best, owners, np.nan_to_num(f_classif(Z, y)[0], nan=-1))
            return np.argsort(-best, kind="stable")
    return rank(X, y, method, nominal=nominal, n_jobs=1).ranking


def indicators(X: np.ndarray, nominal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """X with a column for each value of a nominal feature, and the feature that each column belongs to."""
    columns, owners = [], []
    for f in range(X.shape[1]):
        new = X[:, [f]] == np.unique(X[:, f]) if nominal[f] else X[:, [f]]
        columns.append(new.astype(float))
        owners += [f] * new.shape[1]
    return np.hstack(columns), np.array(owners)


class Fold:
    """One split of indicators Z (n, q) of `owners` (q,): columns standardised by the training rows."""

    def __init__(self, Z: np.ndarray, owners: np.ndarray, y: np.ndarray, train: np.ndarray, test: np.ndarray):
        mean, deviation = Z[train].mean(axis=0), Z[train].std(axis=0)
        Z = (Z - mean) / np.where(deviation > 0, deviation, 1)
        self.train, self.test, self.y, self.y_test, self.owners = Z[train], Z[test], y[train], y[test], owners

    def accuracy(self, features: np.ndarray) -> float:
        """Of logistic regression, C = 1; for one label a row it is micro-F1."""
        columns = np.isin(self.owners, features)
        A, B = self.train[:, columns], self.test[:, columns]
        model = LogisticRegression(C=1, tol=STOP, max_iter=ITERATIONS).fit(A, self.y)
        return float((model.predict(B) == self.y_test).mean())

    def area(self, ranked: np.ndarray) -> float:
        """Mean accuracy over log2 of the number of best features."""
        p = len(ranked)
        counts = np.array([*(f for f in COUNTS if f < p), min(p, COUNTS[-1])])
        x = np.log2(np.unique(counts))
        return float(np.trapezoid([self.accuracy(ranked[:f]) for f in np.unique(counts)], x) / (x[-1] - x[0]))


def areas(data: ModuleType, name: str) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Accuracy with all features (folds,), and AUrF1 (folds,) of every ranking."""
    X, y, nominal, _ = capped(data, name, ROWS)
    Z, owners = indicators(X, nominal)
    everything, found = [], {method: [] for method in COLUMNS}
    for seed in SEEDS:
        for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(X, y):
            fold = Fold(Z, owners, y, train, test)
            everything.append(fold.accuracy(np.arange(X.shape[1])))
            for method in COLUMNS:
                ranked = order(method, X[train], y[train], nominal, len(everything))
                found[method].append(fold.area(ranked) / everything[-1])
    return np.array(everything), {method: np.array(values) for method, values in found.items()}


def print_areas(data: ModuleType, names: list[str]) -> None:
    """AUrF1 beside what is expected."""
    print("\nAUrF1; noise: twice the standard error of the difference of two runs over different folds\n")
    total = equal = within = 0
    rows = []
    for name in names:
        everything, found = areas(data, name)
        known, expected = AREAS[name]
        rows.append([name, "all features", f"{everything.mean():.3f}", f"{known:.3f}", "", ""])
        for method, wanted in zip(COLUMNS, expected, strict=True):
            values = found[method]
            mean, noise = values.mean(), 2 * values.std(ddof=1) * np.sqrt(2 / len(values))
            numbers = mean, wanted, mean - wanted, noise
            rows.append([name, TITLES.get(method, method), *(f"{number:.3f}" for number in numbers)])
            if method in OURS:
                total += 1
                equal += abs(mean - wanted) <= TOLERANCE
                within += abs(mean - wanted) <= max(noise, TOLERANCE)
        print(f"{name} done", file=sys.stderr, flush=True)
    print(table(("set", "ranking", "ours", "expected", "difference", "noise"), rows))
    print(f"\nOf {total} areas of Relief methods {equal} are equal within {TOLERANCE}, {within} within the noise.")


def print_recall(data: ModuleType, names: list[str]) -> bool:
    """Recall of the relevant features, and the worst rank of one, beside what is expected; whether all agree."""
    print("\nRecall among as many best features as are relevant (worst rank of a relevant one)\n")
    rows = []
    for name in names:
        X, y, nominal, loaded = capped(data, name, ROWS_RECALL)
        relevant = np.asarray(loaded["relevant"])
        for method, (recall, worst) in zip(OURS, RECALL[name], strict=True):
            ranks = np.argsort(rank(X, y, method, nominal=nominal, n_jobs=1).ranking)[relevant] + 1
            found = float((ranks <= len(relevant)).mean()), int(ranks.max())
            same = "equal" if (round(found[0], 2), found[1]) == (recall, worst) else "DIFFERS"
            rows.append([name, TITLES[method], f"{found[0]:.2f} ({found[1]})", f"{recall:.2f} ({worst})", same])
    if rows:
        print(table(("set", "method", "ours", "expected", ""), rows), flush=True)
    return all(row[-1] == "equal" for row in rows)


if __name__ == "__main__":
    sys.exit(main())
