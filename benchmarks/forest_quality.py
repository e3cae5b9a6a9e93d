"""Findings of predictive clustering forests: published errors, relevant features, networks, steadiness, labels.

    python benchmarks/forest_quality.py --data FOLDER                     five minutes, without labels
    python benchmarks/forest_quality.py --only labels --sets digits
    python benchmarks/forest_quality.py --only published --sets Isolet COIL20 BASEHOCK    slow: many rows and features

published: errors of the nearest row by 16 features that extra trees rank without a target (Petkovic et al. 2021,
Ensemble- and distance-based feature ranking for unsupervised learning, tables 2 and 3).  relevant: whether features
known to matter come first.  networks: which genes regulate which (DREAM4), one forest for each gene.  steady: agreement
of rankings with different seeds.  labels: what rows without a target add (Petkovic et al. 2020, section 6).
"""

import sys
import time
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from itertools import combinations
from types import ModuleType

import numpy as np
from common import load
from evaluation import arguments, chosen, parsed, places, show
from semisupervised import SETS as LABELLED
from semisupervised import beside_first, voted
from sklearn.metrics import average_precision_score
from unsupervised import DRAWS, PRINTED, once, shuffled, values

from orangecontrib.reliefe.core import Ensemble, grow
from orangecontrib.reliefe.core.evaluation import rmse_1nn, spearman

PARTS = ("published", "relevant", "networks", "steady", "labels")
SCORES = ("genie3", "symbolic", "rforest")
EXTRA, FOREST = "extra-trees", "random-forest"
UNSUPERVISED = {"ensemble": EXTRA, "max_features": "log2", "n_trees": 100}
CLOSE = 0.08  # relative difference that chance makes
# set: published errors by Genie3 and by the random forest score
PUBLISHED = {
    "Yale": (46.77, 51.80),
    "ALLAML": (1.15, 1.14),
    "GLIOMA": (0.23, 0.24),
    "Prostate-GE": (0.22, 0.21),
    "colon": (1.43, 1.42),
    "nci9": (1.62, 1.66),
    "pixraw10P": (6.65, 6.19),
    "arcene": (40.90, 40.79),
    "Isolet": (0.37, 0.36),
    "COIL20": (0.12, 0.10),
    "madelon": (31.79, 33.61),
    "BASEHOCK": (0.17, 0.18),
}
SLOW = ("Isolet", "COIL20", "BASEHOCK")  # only where they are asked for
FEW = 500  # rows, above which one forest does
RELEVANT = ("madelon", "waveform5000", "fried", "pwlinear")
ROWS = 5000  # at most so many
NETWORKS, NETWORK_TREES, PEER_TREES = ("dream4_net1", "dream4_net2", "dream4_net3"), 300, 100
STEADY = (("colon", False), ("Yale", False), ("GLIOMA", False), ("colon", True), ("madelon", True))
SEEDS, TOP, STEPS = 3, 20, (100, 500, 1000)
WEIGHTS = {"w = 1": 1.0, "w = 0.5": 0.5, "w = 0": 0.0}
SETS = (*PUBLISHED, *RELEVANT, *NETWORKS, *LABELLED)


def main() -> int:
    """Print the tables."""
    parser = arguments(__doc__, SETS, PARTS)
    parser.add_argument("--seeds", type=int, default=3, help="published: forests averaged where there are few rows")
    parser.add_argument("--tuned", action="store_true", help="labels: also with supervision by inner cross-validation")
    options = parsed(parser, SETS)
    if options is None:
        return 2
    print(load())
    parts = PARTS[:-1] if options.only is None else [options.only]
    good = [TABLES[part](options) for part in parts]
    return 0 if all(good) else 1


def orders(X: np.ndarray, seed: int) -> dict[str, np.ndarray]:
    """Rankings by the scores of one ensemble without a target."""
    found = grow(X, None, random_state=seed, **UNSUPERVISED).rankings()
    return {score: found[score].ranking for score in ("genie3", "rforest")}


def published(options: Namespace) -> bool:
    """Errors with 16 features; whether all by Genie3 agree with the paper."""
    rows = []
    for name in chosen(PUBLISHED, options.sets):
        if name in SLOW and options.sets is None:
            continue
        X, begin = values(options.data, name), time.process_time()
        grown = [once(partial(orders, seed=seed)) for seed in range(options.seeds if len(X) <= FEW else 1)]
        errors = {score: _errors(X, grown, score) for score in ("genie3", "rforest")}
        took = (time.process_time() - begin) / len(grown)
        random = np.mean([rmse_1nn(X, partial(shuffled, seed=seed))[0].mean() for seed in range(DRAWS)])
        cells = [
            cell for score, paper in zip(errors, PUBLISHED[name], strict=True) for cell in _beside(errors[score], paper)
        ]
        rows.append([name, f"{X.shape[0]} x {X.shape[1]}", *cells, f"{random:.5g}", f"{took:.0f} s"])
        print(f"{name} done", file=sys.stderr, flush=True)
    header = (
        "set",
        "size",
        "Genie3",
        "paper",
        "difference",
        "",
        "random forest",
        "paper",
        "difference",
        "",
        "random",
        "CPU",
    )
    show("Errors of the nearest row by 16 features, extra trees without a target", header, rows)
    return all(row[5] == "ok" for row in rows)


def _errors(X: np.ndarray, grown: list[Callable], score: str) -> float:
    """Mean over folds and seeds."""
    return float(np.mean([rmse_1nn(X, lambda train, of=of: of(train)[score])[0].mean() for of in grown]))


def _beside(error: float, paper: float) -> tuple[str, str, str, str]:
    close = abs(error - paper) <= max(CLOSE * paper, PRINTED)
    return f"{error:.5g}", f"{paper:.5g}", f"{100 * (error / paper - 1):+.1f} %", "ok" if close else "DIFFERS"


def relevant(options: Namespace) -> bool:
    """Share of the relevant features among as many best ones, and the worst rank of one."""
    rows = []
    for name in chosen(RELEVANT, options.sets):
        data = options.data.load(name)
        X, y, known = data["X"][:ROWS], data["y"][:ROWS], np.asarray(data["relevant"])
        y = y.astype(int) if data["task"] == "classification" else y
        for ensemble in (FOREST, EXTRA, "bagging"):
            found = grow(X, y, ensemble=ensemble, nominal=data["feature_is_nominal"], n_trees=100).rankings()
            cells = []
            for score in SCORES:
                recall, worst = places(found[score].ranking, known)
                cells.append(f"{recall:.2f} ({worst})")
            last, errors = found["rforest"].scores, np.asarray(found["rforest"].info["standard_errors"])
            others = np.setdiff1d(np.arange(len(last)), known)
            within = np.abs(last[others]) <= 2 * errors[others]
            title = f"{name}, {len(known)} of {X.shape[1]}"
            rows.append([title, ensemble, *cells, f"{last[others].mean():+.4f}", f"{within.mean():.2f}"])
    header = ("set, relevant features", "ensemble", *SCORES, "mean of others", "within 2 errors")
    show("Relevant features among as many best ones (worst rank); random forest score of the others", header, rows)
    return True


def networks(options: Namespace) -> bool:
    """Areas under the pooled precision-recall curve of all links between genes."""
    rows = []
    for name in chosen(NETWORKS, options.sets):
        data = options.data.load(name)
        X, truth = data["X"], np.asarray(data["network"]) != 0
        links = ~np.eye(len(truth), dtype=bool)
        found = {score: np.zeros(truth.shape) for score in (*SCORES, "peer")}
        for gene in range(len(truth)):
            others = np.delete(np.arange(len(truth)), gene)
            for score, given in _regulators(X[:, others], X[:, gene], gene).items():
                found[score][others, gene] = given
        areas = [average_precision_score(truth[links], scores[links]) for scores in found.values()]
        share = truth[links].mean()
        rows.append([name, f"{truth[links].sum()} of {links.sum()}", *(f"{area:.3f}" for area in (*areas, share))])
        print(f"{name} done", file=sys.stderr, flush=True)
    header = ("network", "links", *SCORES, f"scikit-learn, {PEER_TREES} trees", "random")
    show(f"Links found, area under precision and recall, {NETWORK_TREES} trees for each gene", header, rows)
    return True


def _regulators(X: np.ndarray, y: np.ndarray, gene: int) -> dict[str, np.ndarray]:
    """Scores of the other genes (n, p) for one, in units of its own."""
    from sklearn.ensemble import RandomForestRegressor

    grown = grow(X, y, n_trees=NETWORK_TREES, random_state=gene).rankings()
    peer = RandomForestRegressor(PEER_TREES, max_features=10, random_state=gene).fit(X.astype(np.float32), y)
    return {score: grown[score].scores for score in SCORES} | {"peer": peer.feature_importances_}


def steady(options: Namespace) -> bool:
    """Agreement of forests with different seeds, by their number of trees."""
    rows = []
    for name, supervised in STEADY:
        if options.sets is not None and name not in options.sets:
            continue
        data = options.data.load(name)
        y = np.asarray(data["y"]).astype(int) if supervised else None
        settings = {"rforest": False, "n_trees": STEPS[-1]}
        grown = [grow(data["X"], y, random_state=seed, **settings) for seed in range(SEEDS)]
        cells = [_agreement([one.first(k).ranking("genie3") for one in grown]) for k in STEPS]
        until = Ensemble.of(data["X"], y, rforest=False, n_trees="auto").grow()
        state = f"{until.trees}{'' if until.ranking('genie3').info['has_converged'] else ', not still'}"
        rows.append([name, "class" if supervised else "no target", *cells, state])
    header = ("set", "target", *(f"{k} trees" for k in STEPS), "auto")
    show(f"Genie3 by {SEEDS} seeds: rank correlation (share of the top {TOP} in common)", header, rows)
    return True


def _agreement(rankings: list) -> str:
    pairs = list(combinations(rankings, 2))
    correlation = np.mean([spearman(a.scores, b.scores) for a, b in pairs])
    common = np.mean([len(np.intersect1d(a.select(TOP), b.select(TOP))) / TOP for a, b in pairs])
    return f"{correlation:.2f} ({common:.2f})"


def labels(options: Namespace) -> bool:
    """Quality of a vote by rankings with the weight of the target 1, one half and 0, in folds."""
    weights = WEIGHTS | ({"tuned": "tuned"} if options.tuned else {})
    rows = []
    for name in chosen(LABELLED, options.sets):
        rows += _compared(options.data, name, weights)
        print(f"{name} done", file=sys.stderr, flush=True)
    first, *others = weights
    header = ("set", "labelled", first, *(cell for title in (*others, "no weights") for cell in (title, "sd")))
    show("Quality of a vote by Genie3 of labelled rows, and what all rows add; sd: over the folds", header, rows)
    return True


def _compared(data: ModuleType, name: str, weights: dict[str, object]) -> list[list[object]]:
    """A line for each number of labelled rows."""
    rankers = [partial(by_forest, supervision=weight) for weight in weights.values()]
    return beside_first(name, voted(data, name, [*rankers, lambda X, few, nominal, task: np.ones(X.shape[1])]))


def by_forest(X: np.ndarray, few: np.ndarray, nominal: np.ndarray, task: str, supervision: object) -> np.ndarray:
    """Genie3 (p,) of a forest."""
    settings = {"nominal": nominal, "task": task, "rforest": False, "n_jobs": 1}
    return grow(X, few, supervision=supervision, **settings).ranking("genie3").scores


TABLES = {"published": published, "relevant": relevant, "networks": networks, "steady": steady, "labels": labels}

if __name__ == "__main__":
    sys.exit(main())
