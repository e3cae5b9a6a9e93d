"""Accuracy with the best features, by our own methods and others, fold by fold: a file of results that goes on."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
from common import ROOT
from evaluation import ROWS, ROWS_LABELS, SEEDS, Fold, capped, filled, indicators
from rivals import CLASSES, LABELS, NUMBERS, rivals
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold, StratifiedKFold

from orangecontrib.reliefe.core import METHODS, rank
from orangecontrib.reliefe.core.evaluation import rrmse, weighted_knn

RESULTS = ROOT / "doc" / "learned" / "results.jsonl"
SPLITS, VOTERS, TOP = 3, 20, 10
MOST_LABELS = 12  # the most frequent ones
BOOSTED = "boostedrelief", "boostedlearnedrelief"
VARIANTS = {
    "boostedrelief, eta .5": ("boostedrelief", {"eta": "prediction-first"}),
    "boostedrelief, old": ("boostedrelief", {"global_part": False}),
    "boostedlearnedrelief, eta .5": ("boostedlearnedrelief", {"eta": "prediction-first"}),
    "boostedlearnedrelief, old": ("boostedlearnedrelief", {"global_part": False}),
}
SETS = {
    CLASSES: (
        "lung_small", "colon", "soybean", "promoters", "khan_srbct", "GLIOMA", "ALLAML", "Prostate-GE", "tumors_C",
        "credit-g", "anneal", "qsar-biodeg", "phishing", "chess", "waveform5000", "spambase", "optdigits", "semeion",
        "arcene", "madelon", "USPS", "Isolet", "BASEHOCK", "fbis.wc",
    ),
    NUMBERS: (
        "pollution", "bodyfat", "triazines", "wisconsin", "pwlinear", "sensory", "qsar_fish_toxicity", "mortgage",
        "cpu.act", "kin8nm", "andro", "slump", "edm", "jura", "enb", "atp1d", "water-quality-MTR",
    ),
    LABELS: ("flags", "foodtruck", "emotions", "water-quality-MLC", "birds", "cal500", "genbase"),
}  # fmt: skip
BASE = {CLASSES: ("relieff", "multisurf"), NUMBERS: ("rrelieff", "multisurf"), LABELS: ("rrelieff",)}
ONE_TARGET = ("multisurf",)  # not for several numbers


class NumberFold(Fold):
    """One split of numbers, one target or several."""

    def quality(self, features: np.ndarray) -> float:
        """RRMSE of ridge regression, the mean over the targets."""
        columns = np.isin(self.owners, features)
        found = Ridge(1.0).fit(self.train[:, columns], self.y).predict(self.test[:, columns])
        return float(np.mean(rrmse(self.y_test, found)))


class Problem:
    """A set, its folds, and the quality with all features in each, which all methods share."""

    def __init__(self, data: ModuleType, name: str, kind: str):
        self.name, self.kind = name, kind
        if kind == CLASSES:
            self.X, self.y, self.nominal, _ = capped(data, name, ROWS)
        else:
            self.X, self.y, self.nominal = _several(data, name, kind)
        Z, owners = indicators(self.X, self.nominal)
        split = StratifiedKFold if kind == CLASSES else KFold
        fold = NumberFold if kind == NUMBERS else Fold
        parts = split(SPLITS, shuffle=True, random_state=SEEDS[0]).split(self.X, self.y)
        self.folds = [(train, test, fold(Z, owners, self.y, train, test)) for train, test in parts]
        self.whole = [fold.quality(np.arange(self.X.shape[1])) for _, _, fold in self.folds]

    def line(self, method: str, ranker: Callable) -> dict:
        """Results of a method, fold by fold."""
        out: dict = {"kind": self.kind, "set": self.name, "method": method, "rows": len(self.y)}
        out |= {"features": self.X.shape[1], "areas": [], "knn": [], "best": [], "seconds": []}
        warm(self.kind, method)
        for (train, test, fold), whole in zip(self.folds, self.whole, strict=True):
            begin = time.process_time()
            ranking, weights = ranker(self.X[train], self.y[train], self.nominal)
            out["seconds"].append(round(time.process_time() - begin, 4))
            out["areas"].append(round(fold.area(ranking) / whole, 5))
            out["best"].append(ranking[: min(TOP, max(len(ranking) // 2, 1))].tolist())
            if self.kind == CLASSES:
                y = self.y.astype(int)
                votes = weighted_knn(self.X[train], y[train], self.X[test], weights, VOTERS, self.nominal)
                out["knn"].append(round(float((votes == y[test]).mean()), 5))
        return out


def _several(data: ModuleType, name: str, kind: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """X, y and nominal of numbers or label sets: rows with all targets, at most `ROWS_LABELS` in a random choice."""
    loaded = data.load(name)
    y = loaded["y"] if "y" in loaded else loaded["Y"]
    y = np.asarray(y.toarray() if hasattr(y, "toarray") else y)
    y = y.astype(np.int64 if kind == LABELS else float)
    known = np.flatnonzero(~np.isnan(y.reshape(len(y), -1)).any(axis=1))
    kept = np.sort(np.random.default_rng(0).permutation(known)[:ROWS_LABELS])
    if kind == LABELS:
        often = np.minimum(y[kept].sum(axis=0), (1 - y[kept]).sum(axis=0))
        y = y[:, np.sort(np.argsort(-often, kind="stable")[:MOST_LABELS])]
    return filled(loaded["X"], kept), y[kept], np.asarray(loaded["feature_is_nominal"])


@cache
def warm(kind: str, method: str) -> None:
    """Rank a small table before the clock starts: the first call may compile."""
    X = np.random.default_rng(0).random((60, 6))
    y = {CLASSES: (X[:, 0] > 0.5).astype(int), NUMBERS: X[:, 0], LABELS: (X[:, :2] > 0.5).astype(int)}[kind]
    rankers(kind)[method](X, y, np.zeros(6, bool))


def rankers(kind: str) -> dict[str, Callable]:
    """Rankers by name: (X, y, nominal) -> ranking (p,), best first, and weights (p,) in distances."""
    ours = [method.name for method in METHODS.values() if method.family == "learned"]
    found: dict[str, Callable] = {name: _ours(name, {}) for name in (*BASE[kind], *ours)}
    found |= {title: _ours(*variant) for title, variant in VARIANTS.items()}
    return found | {name: _other(rival) for name, rival in rivals(kind).items()}


def _ours(name: str, parameters: dict) -> Callable:
    def ranker(X: np.ndarray, y: np.ndarray, nominal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = rank(X, y, name, nominal=nominal, n_jobs=1, **parameters)
        weights = np.maximum(found.scores, 0)
        if "selected" in found.info:
            weights = np.zeros(len(weights))
            weights[found.info["selected"]] = found.info["weights"]
        return found.ranking, weights

    return ranker


def _other(rival: Callable) -> Callable:
    def ranker(X: np.ndarray, y: np.ndarray, nominal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        scores = rival(X, y, nominal)
        return np.argsort(-scores, kind="stable"), scores

    return ranker


def read(results: Path = RESULTS) -> list[dict]:
    """Lines of a file of results; none where there is no file."""
    return list(map(json.loads, results.read_text(encoding="utf-8").splitlines())) if results.exists() else []


def run(data: ModuleType, names: list[str] | None, minutes: float, results: Path = RESULTS) -> None:
    """Append a line for each set and method that is not there yet, the small sets first; no other begins when the time
    is over."""
    end, there = time.monotonic() + 60 * minutes, {(line["set"], line["method"]) for line in read(results)}
    results.parent.mkdir(parents=True, exist_ok=True)
    for name, kind in _sets(data, names):
        several = kind == NUMBERS and int(data.index()[name]["targets"]) > 1
        asked = [m for m in rankers(kind) if (name, m) not in there and not (several and m in ONE_TARGET)]
        problem = Problem(data, name, kind) if asked and time.monotonic() < end else None
        for method in asked:
            if problem is None or time.monotonic() > end:
                return
            line = problem.line(method, rankers(kind)[method])
            with results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            print(name, method, f"{np.mean(line['areas']):.3f}", file=sys.stderr, flush=True)


def _sets(data: ModuleType, names: list[str] | None) -> Iterator[tuple[str, str]]:
    """Names of sets, and kinds of their targets, the small ones first."""
    index = data.index()
    found = [(name, kind) for kind, sets in SETS.items() for name in sets if names is None or name in names]
    yield from sorted(found, key=lambda one: min(int(index[one[0]]["n"]), ROWS) * int(index[one[0]]["p"]))
