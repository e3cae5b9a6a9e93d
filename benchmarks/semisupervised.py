"""Use of rows without labels for SSL-Relief: quality of a vote by its ranking, less that by labelled rows alone.

    python benchmarks/semisupervised.py --data FOLDER              several minutes
    python benchmarks/semisupervised.py --sets digits

In each of ten folds some training rows keep their targets.  All training rows are ranked with influence from 0 to 1
(far), with pairs of labelled rows only (zero), and with neighbours and influence chosen by inner cross-validation, of
those of the paper (paper) and of more neighbours (auto); beside them the labelled rows alone, with 15 neighbours
(alone).  Then the features weigh in a vote of the 40 nearest labelled rows on the test rows: macro F1 for classes, the
negative relative root mean squared error for numbers, the area under the pooled precision-recall curve for labels.
Petkovic et al. (2020), Feature ranking for semi-supervised learning, section 6.
"""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from types import ModuleType

import numpy as np
from common import load
from evaluation import arguments, chosen, parsed, show

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.evaluation import MEASURES, folds, labelled, weighted_knn

SETS = ("digits", "kr-vs-kp", "mortgage", "genbase", "emotions")
COUNTS = (50, 100, 200, 500)
N_FOLDS, VOTERS = 10, 40
ALONE = {"labelled_only": True, "n_neighbors": 15}
OTHERS = {
    "far": {"w0": 0, "w1": 1, "n_neighbors": 15},
    "zero": {"w0": 0, "w1": 0, "n_neighbors": 15},
    "paper": {"n_neighbors": "paper"},
    "auto": {},
}


def main() -> int:
    options = parsed(arguments(__doc__, SETS, ("table",)), SETS)
    if options is None:
        return 2
    print(load())
    rows = []
    for name in chosen(SETS, options.sets):
        rows += compared(options.data, name)
        print(f"{name} done", file=sys.stderr, flush=True)
    header = ("set", "labelled", "alone", *(cell for name in OTHERS for cell in (name, "sd")))
    show("Quality of labelled rows alone, and what all rows add; sd: over the folds", header, rows)
    return 0


def compared(data: ModuleType, name: str) -> list[list[object]]:
    """A line for each number of labelled rows."""
    rankers = [partial(by_relief, **settings) for settings in (ALONE, *OTHERS.values())]
    return beside_first(name, voted(data, name, rankers))


def by_relief(X: np.ndarray, few: np.ndarray, nominal: np.ndarray, task: str, **settings: object) -> np.ndarray:
    """Scores (p,) by SSL-Relief."""
    return rank(X, few, "sslrelief", nominal=nominal, task=task, **settings).scores


def voted(
    data: ModuleType,
    name: str,
    rankers: Sequence[Callable],
    n_folds: int = N_FOLDS,
    counts: Sequence[int] = COUNTS,
) -> np.ndarray:
    """(counts, rankers, folds) quality of a vote of labelled rows, by rankers of training rows of which few are:
    (X, y, nominal, task) -> (p,)."""
    found = data.load(name)
    task = {"mlc": "multi-label", "mtr": "multi-target"}.get(found["task"], found["task"])
    y = found["y"] if found.get("y") is not None else found["Y"]
    y, nominal = np.asarray(y.toarray() if hasattr(y, "toarray") else y, dtype=float), found["feature_is_nominal"]
    parts = folds(len(y), n_folds)
    out = np.empty((len(counts), len(rankers), n_folds))
    for c, count in enumerate(counts):
        mask = labelled(parts, count)
        for f, (train, test) in enumerate(parts):
            few, shown = y[train].copy(), train[mask[train]]
            few[~mask[train]] = np.nan
            known = y[shown].astype(int) if task == "classification" else y[shown]
            for r, ranker in enumerate(rankers):
                scores = ranker(found["X"][train], few, nominal, task)
                votes = weighted_knn(found["X"][shown], known, found["X"][test], scores, VOTERS, nominal)
                out[c, r, f] = quality(task, y[test], votes)
    return out


def beside_first(name: str, found: np.ndarray) -> list[list[object]]:
    """A line for each number of labelled rows: the first ranker's quality, and what others add, found as `voted`."""
    lines = []
    for count, (first, *others) in zip(COUNTS, found, strict=True):
        gains = [other - first for other in others]
        cells = [cell for gain in gains for cell in (f"{gain.mean():+.3f}", f"{gain.std():.3f}")]
        lines.append([name, count, f"{first.mean():.3f}", *cells])
    return lines


def quality(task: str, truth: np.ndarray, votes: np.ndarray) -> float:
    """Higher is better."""
    if task == "classification":
        return MEASURES["macro_f1"].function(truth.astype(int), votes)
    if task == "multi-label":
        return MEASURES["auprc"].function(truth, votes)
    return -MEASURES["rrmse"].function(truth, votes)


if __name__ == "__main__":
    sys.exit(main())
