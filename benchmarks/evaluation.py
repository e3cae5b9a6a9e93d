"""Evaluation of rankings: known data, folds, accuracy with the best features, what is printed."""

import argparse
import os
import warnings
from collections.abc import Iterable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import numpy as np
from common import ROOT, table
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import KFold, StratifiedKFold, train_test_split

ROWS, ROWS_RECALL, ROWS_LABELS = 1000, 1600, 800  # at most so many rows
SEEDS, FOLDS = (100, 101), 5
COUNTS = (1, 2, 4, 8, 16, 32, 64, 128)  # features in the model; all of them where there are fewer
TOLERANCE = 0.003
ITERATIONS, STOP = 1000, 1e-3  # where the solver stops moves the accuracy with all of many features by 0.06
LABELS = 12  # the most frequent ones, that are predicted
SIMULATED = (
    "epi2_h0.4_e1_n200_r01", "epi2_h0.4_e1_r01", "epi2_h0.4_e1_r02", "epi2_h0.4_e1_r03", "epi2_h0.4_e1_r04",
    "epi2_h0.4_e2_r01", "epi2_h0.1_e2_r01", "epi2_100atts_r01", "epi2_100atts_r02", "epi2_1000atts_r01",
    "epi2_1000atts_r02", "epi2_10000atts_r01", "epi2_3class_r01", "epi2_additive50_r01", "epi2_contatts_r01",
    "epi2_het50_r01", "epi2_het50_r02", "epi2_het75_r01", "epi2_imbalance0.6_r01", "epi2_missing0.1_r01",
    "epi2_missing0.5_r01", "epi2_mixed_r01", "epi3_h0.2_r01", "epi3_h0.2_r02", "main_additive4_r01", "main_h0.1_r01",
    "main_h0.1_r02", "xor2_r01", "xor2_r02", "xor3_r01", "mux6_r01", "mux11_r01", "mux20_r01", "mux70_r01",
    "epi2_contend_sd0.2_r01", "epi2_contend_sd0.2_r02", "epi2_contend_sd0.5_r01", "epi2_threshold_end_r01",
    "pwlinear",
)  # fmt: skip


def arguments(doc: str, sets: Iterable[str], parts: Iterable[str]) -> argparse.ArgumentParser:
    """The command line that is common to all tables of quality."""
    parser = argparse.ArgumentParser(description=doc.split(":")[0])
    default = os.environ.get("RELIEFE_DATA", ROOT.parent / "data")
    parser.add_argument("--data", type=Path, default=Path(default), help="folder of load.py and index.tsv")
    parser.add_argument("--sets", nargs="*", help=f"some of {', '.join(sorted(set(sets)))}")
    parser.add_argument("--only", choices=tuple(parts), help="one of the tables")
    return parser


def parsed(parser: argparse.ArgumentParser, sets: Iterable[str]) -> argparse.Namespace | None:
    """Options that were given, with the loader of the data as `data`; None, and a message, where there are no data."""
    options = parser.parse_args()
    missing = [name for name in ("load.py", "index.tsv") if not (options.data / name).is_file()]
    if missing:
        print(f"No data: {options.data} has no {' and no '.join(missing)}; name the folder by --data or RELIEFE_DATA.")
        return None
    unknown = set(options.sets or ()) - set(sets)
    if unknown:
        parser.error(f"nothing is known of {', '.join(sorted(unknown))}")
    options.data = loader(options.data)
    warnings.simplefilter("ignore", ConvergenceWarning)
    return options


def loader(folder: Path) -> ModuleType:
    """The module load.py of the data."""
    spec = spec_from_file_location("load", folder / "load.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def chosen(known: Iterable[str], names: list[str] | None) -> list[str]:
    """Those that are known and asked for."""
    return [name for name in known if names is None or name in names]


def capped(data: ModuleType, name: str, rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, dict]:
    """X, y, mask of nominal columns, and all that was loaded.

    A stratified choice in the order of the file where there are more rows; most frequent values for unknown ones.
    """
    loaded = data.load(name)
    y = np.asarray(loaded["y"])
    kept = np.arange(len(y))
    if len(y) > rows:
        kept = np.sort(train_test_split(kept, train_size=rows, stratify=y, random_state=0)[0])
    return filled(loaded["X"], kept), y[kept], loaded["feature_is_nominal"], loaded


def filled(X: object, kept: np.ndarray) -> np.ndarray:
    """Some rows of X, dense; unknown values are the most frequent ones."""
    X = (X.toarray() if hasattr(X, "toarray") else X)[kept]
    for f in np.flatnonzero(np.isnan(X).any(axis=0)):
        known = X[~np.isnan(X[:, f]), f]
        values, counts = np.unique(known, return_counts=True)
        X[np.isnan(X[:, f]), f] = values[counts.argmax()] if len(values) else 0.0
    return X


def indicators(X: np.ndarray, nominal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """X with a column for each value of a nominal feature, and the feature that each column belongs to."""
    columns, owners = [], []
    for f in range(X.shape[1]):
        new = X[:, [f]] == np.unique(X[:, f]) if nominal[f] else X[:, [f]]
        columns.append(new.astype(float))
        owners += [f] * new.shape[1]
    return np.hstack(columns), np.array(owners)


class Fold:
    """One split of indicators Z (n, q) of `owners` (q,): columns standardised by the training rows.

    y: classes (n,), or labels (n, L) of 0 and 1.
    """

    def __init__(self, Z: np.ndarray, owners: np.ndarray, y: np.ndarray, train: np.ndarray, test: np.ndarray):
        mean, deviation = Z[train].mean(axis=0), Z[train].std(axis=0)
        Z = (Z - mean) / np.where(deviation > 0, deviation, 1)
        self.train, self.test, self.y, self.y_test, self.owners = Z[train], Z[test], y[train], y[test], owners
        self.rows = train

    def quality(self, features: np.ndarray) -> float:
        """Micro-F1 of logistic regression, C = 1, one for each label; for classes it is the accuracy."""
        columns = np.isin(self.owners, features)
        A, B = self.train[:, columns], self.test[:, columns]
        if self.y.ndim == 1:
            return float((_predicted(A, self.y, B) == self.y_test).mean())
        found = np.column_stack([_predicted(A, y, B) for y in self.y.T])
        return float(f1_score(self.y_test, found, average="micro", zero_division=0))

    def area(self, ranked: np.ndarray) -> float:
        """Mean quality over log2 of the number of best features."""
        p = len(ranked)
        counts = np.array([*(f for f in COUNTS if f < p), min(p, COUNTS[-1])])
        x = np.log2(np.unique(counts))
        return float(np.trapezoid([self.quality(ranked[:f]) for f in np.unique(counts)], x) / (x[-1] - x[0]))


def _predicted(A: np.ndarray, y: np.ndarray, B: np.ndarray) -> np.ndarray:
    if (y == y[0]).all():
        return np.full(len(B), y[0])
    return LogisticRegression(C=1, tol=STOP, max_iter=ITERATIONS).fit(A, y).predict(B)


def folds(X: np.ndarray, y: np.ndarray, nominal: np.ndarray, seeds: Iterable[int] = SEEDS) -> Iterator[Fold]:
    """Splits into five for every seed; stratified for classes (n,), not for labels (n, L)."""
    Z, owners = indicators(X, nominal)
    for seed in seeds:
        kind = StratifiedKFold if y.ndim == 1 else KFold
        for train, test in kind(FOLDS, shuffle=True, random_state=seed).split(X, y):
            yield Fold(Z, owners, y, train, test)


def places(ranking: np.ndarray, relevant: np.ndarray) -> tuple[float, int]:
    """Share of the relevant features among as many best ones, and the worst rank of one."""
    found = np.argsort(ranking)[relevant] + 1
    return float((found <= len(relevant)).mean()), int(found.max())


def noise(values: np.ndarray) -> float:
    """Twice the standard error of the difference of two runs over different folds."""
    return float(2 * values.std(ddof=1) * np.sqrt(2 / len(values)))


def show(title: str, header: tuple[str, ...], rows: list) -> None:
    """A table, if there is anything in it."""
    if rows:
        print(f"\n{title}\n\n{table(header, rows)}", flush=True)
