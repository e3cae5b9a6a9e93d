"""Differences of counts and long tails, and neighbours by cosine: accuracy with the best features, and time.

    python benchmarks/longtail.py --data FOLDER               a quarter of an hour
    python benchmarks/longtail.py --only areas --sets spambase colon
    python benchmarks/longtail.py --only speed                needs no data

Areas under the relative accuracy curve (AUrF1) of logistic regression as quality.py has them, with at most 1,000 rows,
mean of three folds; *auto* is what the rule takes for the table.  *expected* is what an independent implementation
reached for the same columns; its rows and folds are others, three or five by set, and the noise is about .02.  Times
are CPU seconds of one thread, of ReliefF on made texts: words drawn with probability 1 / rank, 220 of each text.
"""

import sys
from statistics import median
from types import ModuleType

import numpy as np
from common import load, timed
from evaluation import ROWS, SEEDS, Fold, arguments, capped, chosen, indicators, parsed, show
from scipy import sparse
from sklearn.model_selection import StratifiedKFold
from threadpoolctl import threadpool_limits

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.data.counts import Counts
from orangecontrib.reliefe.core.data.table import DataTable

PARTS = ("areas", "speed")
HOW = {
    "range": {},
    "rank": {"diff": "rank"},
    "presence": {"diff": "presence"},
    "presence, cosine": {"diff": "presence", "distance": "cosine"},
}
METHODS = {"relieff": "ReliefF", "multisurf": "MultiSURF"}
EXPECTED = {  # ReliefF and MultiSURF by HOW; None: not known
    "BASEHOCK": (0.674, 0.799, 0.806, 0.888, 0.792, 0.876, 0.875, 0.892),
    "fbis.wc": (0.607, 0.706, 0.715, 0.717, 0.598, 0.719, 0.724, 0.734),
    "spambase": (0.856, 0.886, 0.899, 0.893, 0.908, 0.923, 0.933, 0.915),
    "semeion": (None,) * 8,
    "colon": (0.956, 0.953, 0.862, None, 0.944, 0.928, 0.884, None),
    "optdigits": (0.677, 0.669, 0.637, None, 0.678, 0.678, 0.650, None),
    "arcene": (0.804, 0.785, 0.795, None, 0.790, 0.767, 0.799, None),
    "qsar-biodeg": (0.889, 0.866, 0.865, None, 0.896, 0.909, 0.890, None),
}
SPLITS = 3
TEXTS = ((2000, 62000), (4000, 62000), (16000, 62000))
WORDS, CALLS = 220, 3


def main() -> int:
    """Print both tables; 1 where there are no data."""
    parser = arguments(__doc__, EXPECTED, PARTS)
    parser.add_argument("--texts", type=int, default=4000, help="rows of the largest table that is timed (4000)")
    options = parser.parse_args()
    print(load())
    with threadpool_limits(1):
        if options.only != "areas":
            print_speed([shape for shape in TEXTS if shape[0] <= options.texts])
        if options.only == "speed":
            return 0
        options = parsed(parser, EXPECTED)
        if options is None:
            return 1
        print_areas(options.data, chosen(EXPECTED, options.sets))
    return 0


def print_areas(data: ModuleType, names: list[str]) -> None:
    """AUrF1 of every method and kind of difference, beside what is expected."""
    rows = []
    for name in names:
        X, y, nominal, _ = capped(data, name, ROWS)
        X = X.toarray() if sparse.issparse(X) else np.asarray(X)
        found, counts = areas(X, y, nominal), Counts.of(DataTable.read(X, nominal))
        facts = name, f"{counts.share:.2f}", "presence" if counts.expected else "range"
        for start, title in zip((0, len(HOW)), METHODS.values(), strict=True):
            own, wanted = slice(start, start + len(HOW)), ("" if v is None else f"{v:.3f}" for v in EXPECTED[name])
            rows.append([*facts, title, *(f"{v:.3f}" for v in found[own]), " ".join([*wanted][own])])
        print(f"{name} done", file=sys.stderr, flush=True)
    show("AUrF1", ("set", "zeros", "auto", "method", *HOW, "expected"), rows)


def areas(X: np.ndarray, y: np.ndarray, nominal: np.ndarray) -> list[float]:
    """Mean AUrF1 over the folds by METHODS and HOW."""
    (Z, owners), found = indicators(X, nominal), []
    splits = StratifiedKFold(SPLITS, shuffle=True, random_state=SEEDS[0]).split(X, y)
    for train, test in splits:
        fold = Fold(Z, owners, y, train, test)
        whole = fold.quality(np.arange(X.shape[1]))
        calls = [(method, how) for method in METHODS for how in HOW.values()]
        ranked = (rank(X[train], y[train], method, nominal=nominal, n_jobs=1, **how) for method, how in calls)
        found.append([fold.area(one.ranking) / whole for one in ranked])
    return list(np.mean(found, axis=0))


def print_speed(shapes: list[tuple[int, int]]) -> None:
    """CPU seconds of ReliefF by HOW, and ratios to the range."""
    rows = []
    for n, p in shapes:
        X, y = texts(n, p)
        calls = [lambda how=how, X=X, y=y: rank(X, y, "relieff", n_jobs=1, **how) for how in HOW.values()]
        timed(calls, 1)
        times = list(map(median, timed(calls, CALLS)))
        rows.append([f"{n} x {p}", f"{times[0]:.2f}", *(f"{time / times[0]:.2f}" for time in times[1:])])
    show(
        f"CPU seconds of ReliefF on sparse texts by range, and how many times as much others take; median of {CALLS}",
        ("texts", *HOW),
        rows,
    )


def texts(n: int, p: int) -> tuple[sparse.csr_array, np.ndarray]:
    """Counts (n, p) of words of n texts, CSR, and their classes."""
    rng, chances = np.random.default_rng(0), 1 / np.arange(1, p + 1)
    words = np.searchsorted(np.cumsum(chances) / chances.sum(), rng.random((n, WORDS)))
    rows = np.repeat(np.arange(n), WORDS)
    X = sparse.coo_array((np.ones(rows.size), (rows, np.minimum(words, p - 1).ravel())), (n, p)).tocsr()
    return X, (X[:, [50, 60, 70]].sum(axis=1) + rng.random(n) > 0.8).astype(int)


if __name__ == "__main__":
    sys.exit(main())
