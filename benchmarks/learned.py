"""Boosted margins and the learned space beside their references: time, accuracy, interactions in noise.

    python benchmarks/learned.py --data FOLDER             some minutes
    python benchmarks/learned.py --data FOLDER --full      all sets, two seeds: an hour
    python benchmarks/learned.py --only speed              needs no data

Times are CPU seconds of one thread over those of ReliefF with ten neighbours, on data that are made.  Accuracy is that
of logistic regression by the area under the relative curve (AUrF1) and of 20 nearest rows in weighted features, in five
folds; mRMR and JMI are greedy on five bins of equal frequency.  Recall is the share of the relevant features among as
many best ones, with the rows that a design has and with few of them.
"""

import sys
from statistics import median
from types import ModuleType

import numpy as np
from common import load, make, timed
from evaluation import ROWS, ROWS_RECALL, SEEDS, arguments, capped, chosen, folds, noise, parsed, places, show
from sklearn.ensemble import RandomForestClassifier
from threadpoolctl import threadpool_limits

from orangecontrib.reliefe.core import methods, rank
from orangecontrib.reliefe.core.evaluation import references, weighted_knn

OURS = ("relieff", "multisurf", *(method.name for method in methods() if method.family == "learned"))
REFERENCES = ("F", "RF", "mRMR", "JMI")
TIMES = ((1000, 60, 2), (1000, 500, 2), (1000, 256, 10), (2000, 200, 2), (200, 10000, 2), (1000, 2000, 17))
SHORT = ("chess", "spambase", "waveform5000", "madelon", "colon")
LONG = (
    "chess", "credit-g", "phishing", "spambase", "waveform5000", "optdigits", "semeion", "soybean", "madelon", "colon",
    "ALLAML", "GLIOMA", "Prostate-GE", "arcene", "khan_srbct", "tumors_C", "fbis.wc",
)  # fmt: skip
DESIGNS = (
    "epi2_100atts_r01", "epi2_100atts_r02", "epi2_1000atts_r01", "epi2_1000atts_r02", "epi2_additive50_r01",
    "epi2_h0.1_e2_r01", "epi2_h0.4_e1_n200_r01", "epi2_h0.4_e1_r01", "epi2_het50_r01", "epi2_het75_r01",
    "epi2_imbalance0.6_r01", "epi3_h0.2_r01", "main_additive4_r01", "main_h0.1_r01",
    "mux6_r01", "mux11_r01", "mux20_r01", "xor2_r01", "xor3_r01", "epi2_contatts_r01", "epi2_mixed_r01",
)  # fmt: skip
FEW = {"epi2_1000atts_r01": 400, "epi2_1000atts_r02": 400, "epi2_100atts_r01": 200, "epi2_100atts_r02": 200}
BINS, GREEDY, VOTERS, TREES = 5, 128, 20, 500
CALLS = 9


def main() -> int:
    parser = arguments(__doc__, (*LONG, *DESIGNS), ("speed", "areas", "recall"))
    parser.add_argument("--full", action="store_true", help="all sets and two seeds")
    options = parser.parse_args()
    print(load())
    with threadpool_limits(1):
        if options.only in (None, "speed"):
            print_speed()
        if options.only == "speed":
            return 0
        options = parsed(parser, (*LONG, *DESIGNS))
        if options is None:
            return 1
        if options.only in (None, "recall"):
            print_recall(options.data, chosen(DESIGNS, options.sets))
        if options.only in (None, "areas"):
            sets = LONG if options.full or options.sets else SHORT
            print_areas(options.data, chosen(sets, options.sets), SEEDS if options.full else SEEDS[:1])
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


def weights(method: str, X: np.ndarray, y: np.ndarray, nominal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The ranking (p,), best first, and what features weigh (p,) for the nearest rows."""
    if method in OURS:
        found = rank(X, y, method, nominal=nominal, n_jobs=1)
        out = np.maximum(found.scores, 0)
        if "selected" in found.info:
            out = np.zeros(len(out))
            out[found.info["selected"]] = found.info["weights"]
        return found.ranking, out
    if method == "RF":
        scores = RandomForestClassifier(TREES, random_state=0, n_jobs=1).fit(X, y).feature_importances_
    elif method == "F":
        scores = references(nominal=nominal)["f-score"](X, y)
    else:
        order = greedy(binned(X, nominal), y, joint=method == "JMI")
        scores = np.zeros(X.shape[1])
        scores[order] = np.linspace(1, 0.5, len(order))
        scores[np.setdiff1d(np.arange(X.shape[1]), order)] = 0
    return np.argsort(-scores, kind="stable"), scores


def binned(X: np.ndarray, nominal: np.ndarray) -> np.ndarray:
    """Codes (n, p) from 0 below BINS: bins of equal frequency, of nominal features the most frequent values."""
    out = np.empty(X.shape, np.int64)
    for f, x in enumerate(X.T):
        if nominal[f] or len(np.unique(x)) <= BINS:
            _, codes, counts = np.unique(x, return_inverse=True, return_counts=True)
            out[:, f] = np.minimum(np.argsort(np.argsort(-counts, kind="stable"))[codes], BINS - 1)
        else:
            out[:, f] = np.searchsorted(np.quantile(x, np.arange(1, BINS) / BINS), x)
    return out


def greedy(codes: np.ndarray, y: np.ndarray, joint: bool) -> np.ndarray:
    """mRMR (Peng et al. 2005): relevance less mean information on those taken; joint: JMI (Yang and Moody 1999), the
    sum of what a feature and each of those taken tell together of y."""
    n, p = codes.shape
    cells = (codes[:, :, None] == np.arange(BINS)).astype(np.float32).reshape(n, -1)
    classes = np.unique(y, return_inverse=True)[1]
    relevance = information(cells, classes)
    order, sums = [int(relevance.argmax())], np.zeros(p)
    while len(order) < min(p, GREEDY):
        last = codes[:, order[-1]]
        if joint:  # I(f, s; y) = I(f; s, y) - I(f; s) + I(s; y)
            sums += information(cells, last * (classes.max() + 1) + classes) - information(cells, last)
        else:
            sums -= information(cells, last)
        value = sums if joint else relevance + sums / len(order)
        value[order] = -np.inf
        order.append(int(value.argmax()))
        sums[order] = 0
    return np.array(order)


def information(cells: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """(p,) mutual information of each feature, its cells (n, p * BINS), and groups (n,)."""
    n = len(groups)
    rows = (groups == np.unique(groups)[:, None]).astype(np.float32)
    both = (rows @ cells / n).astype(float).reshape(len(rows), -1, BINS)
    alone = both.sum(axis=0) * rows.mean(axis=1, dtype=float)[:, None, None]
    return (both * np.log(np.where(both > 0, both, 1) / np.where(both > 0, alone, 1))).sum(axis=(0, 2))


def print_areas(data: ModuleType, names: list[str], seeds: tuple[int, ...]) -> None:
    """AUrF1 and weighted neighbours of every ranking, and the mean differences to MultiSURF."""
    methods, rows, differences = (*OURS, *REFERENCES), [], []
    for name in names:
        X, y, nominal, _ = capped(data, name, ROWS)
        everything, found = [], {method: [] for method in methods}
        for fold in folds(X, y, nominal, seeds):
            everything.append(fold.quality(np.arange(X.shape[1])))
            train = fold.rows
            test = np.setdiff1d(np.arange(len(y)), train)
            for method in methods:
                ranked, scores = weights(method, X[train], y[train], nominal)
                votes = weighted_knn(X[train], y[train].astype(int), X[test], scores, VOTERS, nominal)
                found[method].append((fold.area(ranked) / everything[-1], float((votes == y[test]).mean())))
        means = {method: np.mean(values, axis=0) for method, values in found.items()}
        spread_ = noise(np.array([area for area, _ in found["multisurf"]]))
        for place, title in enumerate(("AUrF1", "kNN")):
            noisy = f"{spread_:.3f}" if place == 0 else ""
            rows.append([name, title, *(f"{means[method][place]:.3f}" for method in methods), noisy])
        differences.append([means[method] - means["multisurf"] for method in methods])
        print(f"{name} done", file=sys.stderr, flush=True)
    if rows:
        mean = np.mean(differences, axis=0)
        won = (np.array(differences) > 0).mean(axis=0)
        for place, title in enumerate(("AUrF1", "kNN")):
            rows.append(["- MultiSURF", title, *(f"{value:+.3f}" for value in mean[:, place]), ""])
            rows.append(["sets won", title, *(f"{value:.0%}" for value in won[:, place]), ""])
    show("Accuracy with the best features, and of weighted neighbours", ("set", "", *methods, "noise"), rows)


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
