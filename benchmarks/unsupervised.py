"""URelief where nothing is to be predicted: how well 16 features stand for all of them, beside what was published.

    python benchmarks/unsupervised.py                              two minutes
    python benchmarks/unsupervised.py --only curves --sets colon

Each of ten folds is ranked by its training rows; the training row nearest to a test row in the best features predicts
all of its features.  The error is the root mean squared one of a feature, mean over features, then over folds: Petkovic
et al. (2021), Ensemble- and distance-based feature ranking for unsupervised learning, Table 3.  Where many rows are
equally near, in integers or saturated pixels, the error depends on which of them is taken: the columns "first" and
"last" show how much.  Scaled: in standard deviations of each feature; random: mean of ten rankings.  USPS is
left out: its units here are not those of the published errors.
"""

import sys
import time
from collections.abc import Callable
from functools import partial
from types import ModuleType

import numpy as np
from common import load
from evaluation import arguments, chosen, parsed, show

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.evaluation import doublings, rmse_1nn

PARTS = ("table", "curves")
NEIGHBOURS, DRAWS = 30, 10
PRINTED = 0.005  # half of the last digit of the paper
CLOSE, TIED = 0.005, 0.025  # relative differences without ties and with them
WITH_TIES = ("colon", "nci9", "pixraw10P", "arcene", "BASEHOCK")
# set: error of URelief in the paper; of an earlier, independent implementation, and of its random rankings.
ERRORS = {
    "Yale": (51.29, 51.289, 44.0),
    "ALLAML": (1.11, 1.112, 1.150),
    "GLIOMA": (0.23, 0.2338, 0.2368),
    "Prostate-GE": (0.23, 0.2289, 0.2211),
    "colon": (1.49, 1.519, 1.461),
    "nci9": (1.64, 1.637, 1.636),
    "pixraw10P": (7.93, 7.83, 5.90),
    "arcene": (51.30, 51.56, 43.9),
    "Isolet": (0.48, 0.4847, 0.3581),
    "COIL20": (0.11, 0.1070, 0.0887),
    "madelon": (31.83, 31.825, 34.12),
    "BASEHOCK": (0.18, None, None),
}


def main() -> int:
    parser = arguments(__doc__, ERRORS, PARTS)
    options = parsed(parser, ERRORS)
    if options is None:
        return 2
    names = chosen(ERRORS, options.sets)
    print(load())
    if options.only == "curves":
        return print_curves(options.data, names)
    return 0 if print_table(options.data, names) else 1


def values(data: ModuleType, name: str) -> np.ndarray:
    """The features as the authors read them, in single precision."""
    X = data.load(name)["X"]
    return (X.toarray() if hasattr(X, "toarray") else np.asarray(X)).astype(np.float32).astype(float)


def urelief(X: np.ndarray) -> np.ndarray:
    return rank(X, None, "urelief", n_neighbors=NEIGHBOURS).ranking


def shuffled(X: np.ndarray, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).permutation(X.shape[1])


def once(order: Callable[[np.ndarray], np.ndarray]) -> Callable[[np.ndarray], np.ndarray]:
    """The same order again for equal training rows: `order` is asked once for each fold."""
    known = {}

    def remembered(X: np.ndarray) -> np.ndarray:
        key = hash(X.tobytes())
        if key not in known:
            known[key] = order(X)
        return known[key]

    return remembered


def print_table(data: ModuleType, names: list[str]) -> bool:
    """Errors with 16 features; whether all of URelief agree with the paper."""
    rows = []
    for name in names:
        X, begin = values(data, name), time.perf_counter()
        order = once(urelief)
        raw, scaled = rmse_1nn(X, order)
        took = time.perf_counter() - begin
        first, last = raw.mean(), rmse_1nn(X, order, last=True)[0].mean()
        random = np.mean([rmse_1nn(X, partial(shuffled, seed=seed))[0].mean() for seed in range(DRAWS)])
        everything = rmse_1nn(X, lambda X: np.arange(X.shape[1]), [X.shape[1]])[0].mean()
        paper, known, known_random = ERRORS[name]
        room = max((TIED if name in WITH_TIES else CLOSE) * paper, PRINTED)
        found = (first, last, paper, known, scaled.mean(), random, known_random, everything)
        numbers = ["-" if number is None else f"{number:.5g}" for number in found]
        share = f"{100 * (first - paper) / paper:+.2f} %"
        verdict = "ok" if min(abs(first - paper), abs(last - paper)) <= room else "DIFFERS"
        rows.append([name, f"{X.shape[0]} x {X.shape[1]}", *numbers, f"{took:.1f} s", share, verdict])
        print(f"{name} done", file=sys.stderr, flush=True)
    header = ("set", "size", "first", "last", "paper", "earlier", "scaled", "random", "earlier", "all features")
    show("Errors of the nearest row by 16 features", (*header, "time", "difference", ""), rows)
    return all(row[-1] == "ok" for row in rows)


def print_curves(data: ModuleType, names: list[str]) -> int:
    """Errors with 1, 2, 4, ... features."""
    for name in names:
        X = values(data, name)
        sizes = doublings(X.shape[1])
        ours, random = (rmse_1nn(X, order, sizes)[0].mean(axis=0) for order in (urelief, partial(shuffled, seed=0)))
        rows = [[size, f"{a:.4g}", f"{b:.4g}"] for size, a, b in zip(sizes, ours, random, strict=True)]
        show(f"{name}: errors by number of features", ("features", "URelief", "random"), rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
