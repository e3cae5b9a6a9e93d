"""Whether rows without labels help SSL-Relief: quality of a vote by its ranking, less that by labelled rows alone.

    python benchmarks/semisupervised.py --data FOLDER              several minutes
    python benchmarks/semisupervised.py --sets digits

In each of ten folds some training rows keep their targets.  All training rows are ranked with influence from 0 to 1
(far), with pairs of labelled rows only (zero), and with neighbours and influence chosen by inner cross-validation
(auto); beside them the labelled rows alone, with 15 neighbours (alone).  Then the features weigh in a vote of the 40
nearest labelled rows on the test rows: macro F1 for classes, the negative relative root mean squared error for numbers,
the area under the pooled precision-recall curve for labels.  Petkovic et al. (2020), Feature ranking for
semi-supervised learning, section 6.
"""

import sys
from types import ModuleType

import numpy as np
from common import load
from evaluation import arguments, chosen, parsed, show

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.evaluation import auprc, folds, labelled, macro_f1, rrmse, weighted_knn

SETS = ("digits", "kr-vs-kp", "mortgage", "genbase", "emotions")
COUNTS = (50, 100, 200, 500)
N_FOLDS, VOTERS = 10, 40
ALONE = {"labelled_only": True, "n_neighbors": 15}
OTHERS = {
    "far": {"w0": 0, "w1": 1, "n_neighbors": 15},
    "zero": {"w0": 0, "w1": 0, "n_neighbors": 15},
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
    found = data.load(name)
    task = {"mlc": "multi-label"}.get(found["task"], found["task"])
    y = found["Y"] if task == "multi-label" else found["y"]
    y = np.asarray(y.toarray() if hasattr(y, "toarray") else y, dtype=float)
    parts = folds(len(y), N_FOLDS)
    lines = []
    for count in COUNTS:
        mask, each = labelled(parts, count), []
        for train, test in parts:
            nominal, few = found["feature_is_nominal"], y[train].copy()
            few[~mask[train]] = np.nan
            shown = train[mask[train]]
            known = y[shown].astype(int) if task == "classification" else y[shown]
            line = []
            for values in (ALONE, *OTHERS.values()):
                scores = rank(found["X"][train], few, "sslrelief", nominal=nominal, task=task, **values).scores
                votes = weighted_knn(found["X"][shown], known, found["X"][test], scores, VOTERS, nominal)
                line.append(quality(task, y[test], votes))
            each.append(line)
        alone, *others = np.array(each).T
        cells = [
            cell for other in others for cell in (f"{np.mean(other - alone):+.3f}", f"{np.std(other - alone):.3f}")
        ]
        lines.append([name, count, f"{alone.mean():.3f}", *cells])
    return lines


def quality(task: str, truth: np.ndarray, votes: np.ndarray) -> float:
    """Higher is better."""
    if task == "classification":
        return macro_f1(truth.astype(int), votes)
    return -rrmse(truth, votes) if task == "regression" else auprc(truth, votes)


if __name__ == "__main__":
    sys.exit(main())
