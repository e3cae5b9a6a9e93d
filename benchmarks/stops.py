"""Stops of boosting: in data that tell nothing, and how many of the features before the stop are relevant.

    python benchmarks/stops.py --data FOLDER             two minutes
    python benchmarks/stops.py --only noise              needs no data

noise: samples of features that tell nothing of a class (one of half or of a fifth of the rows) or a number; ideally 0
features are counted.  sets: the range of three states of chance.  Recall is the share of the relevant features among as
many best ones; where relevant ones are unknown, copies of all features whose rows are shuffled stand among them, and
the place of the first one tells from where on nothing can be relied on.
"""

import sys
from types import ModuleType

import numpy as np
from common import load
from evaluation import ROWS_RECALL, arguments, capped, parsed, places, show

from orangecontrib.reliefe.core import methods, rank

METHODS = tuple(method.name for method in methods() if getattr(method, "boosted", False))
STATES, SAMPLES = 3, 8
KINDS = "even", "two values", "heavy tails", "few dimensions"
SHARES = (0.5, 0.2, None)  # of the class; None: a number
SHAPES = ((200, 30), (400, 20))
DESIGNS = (
    "epi2_100atts_r01", "epi2_h0.4_e1_r01", "epi2_het50_r01", "epi2_het75_r01", "epi3_h0.2_r01", "xor2_r01", "xor3_r01",
    "main_h0.1_r01", "main_additive4_r01",
)  # fmt: skip
REAL = ("madelon", "waveform5000", "spambase", "chess", "phishing", "colon")
FEW = {"madelon": 400}  # rows, once more
SETS = (*DESIGNS, *REAL)


def main() -> int:
    """Print the tables."""
    parser = arguments(__doc__, SETS, ("noise", "sets"))
    options = parser.parse_args()
    print(load())
    if options.only != "sets":
        print_noise()
    if options.only == "noise":
        return 0
    options = parsed(parser, SETS)
    if options is None:
        return 1
    print_sets(options.data, [name for name in SETS if options.sets is None or name in options.sets])
    return 0


def useless(kind: str, n: int, p: int, rng: np.random.Generator) -> np.ndarray:
    """Features (n, p) that tell nothing; by heavy tails and few dimensions some rows are everybody's neighbours."""
    if kind == "two values":
        return rng.integers(0, 2, (n, p)).astype(float)
    if kind == "few dimensions":
        return np.exp(rng.normal(size=(n, 3)) @ rng.normal(size=(3, p)))
    return np.exp(2 * rng.normal(size=(n, p))) if kind == "heavy tails" else rng.random((n, p))


def print_noise() -> None:
    """Print numbers of features that are counted in samples without any."""
    rows, counts = [], []
    for kind in KINDS:
        for share in SHARES:
            found = np.array([counted(kind, share, n, p, seed) for n, p in SHAPES for seed in range(SAMPLES)])
            title = "a number" if share is None else f"a class of {share:.0%}"
            rows.append([kind, title, *cells(found)])
            counts.append(found)
    classes = [found for found, row in zip(counts, rows, strict=True) if row[1] != "a number"]
    rows.append(["all", "classes", *cells(np.concatenate(classes))])
    header = ("features", "target", *(cell for method in METHODS for cell in (method, "at most 1", "most")))
    show(f"Features above chance where there are none, mean of {len(SHAPES) * SAMPLES} samples", header, rows)


def counted(kind: str, share: float | None, n: int, p: int, seed: int) -> list[int]:
    """By each method."""
    rng = np.random.default_rng(seed)
    X, y = useless(kind, n, p, rng), rng.random(n)
    y = y if share is None else (y < share).astype(int)
    return [rank(X, y, method, random_state=seed).info["stopped"] for method in METHODS]


def cells(found: np.ndarray) -> list[str]:
    """Cells of counts (samples, methods): mean, share of at most 1, largest."""
    return [cell for one in found.T for cell in (f"{one.mean():.2f}", f"{(one <= 1).mean():.0%}", str(one.max()))]


def print_sets(data: ModuleType, names: list[str]) -> None:
    """Print the stops of boosting in known data."""
    rows = []
    for name, size in (*((name, ROWS_RECALL) for name in names), *((n, FEW[n]) for n in names if n in FEW)):
        X, y, nominal, loaded = capped(data, name, size)
        relevant = loaded["relevant"]
        row = [name, len(y), X.shape[1] if relevant is None else f"{len(relevant)} of {X.shape[1]}"]
        for method in METHODS:
            found = [rank(X, y, method, nominal=nominal, random_state=state) for state in range(STATES)]
            stops = [one.info["stopped"] for one in found]
            if relevant is None:
                last = [first_copy(X, y, nominal, method, state) for state in range(STATES)]
                row += [between(stops), "", "", between(last)]
            else:
                hits = [
                    len(np.intersect1d(one.info["selected"][:stop], relevant))
                    for one, stop in zip(found, stops, strict=True)
                ]
                row += [between(stops), between(hits), f"{places(found[0].ranking, np.asarray(relevant))[0]:.2f}", ""]
        rows.append(row)
        print(f"{name} done", file=sys.stderr, flush=True)
    columns = (cell for method in METHODS for cell in (method, "relevant", "recall", "first copy"))
    show(f"Where boosting stops, by {STATES} states of chance", ("set", "rows", "relevant", *columns), rows)


def first_copy(X: np.ndarray, y: np.ndarray, nominal: np.ndarray, method: str, state: int) -> int:
    """Place of the best one of copies of all features whose rows are shuffled."""
    copies = X[np.random.default_rng(state).permutation(len(X))]
    ranking = rank(np.hstack([X, copies]), y, method, nominal=np.tile(nominal, 2)).ranking
    return int((ranking >= X.shape[1]).argmax()) + 1


def between(counts: list[int]) -> str:
    """ "3", or "3 to 5"."""
    low, high = min(counts), max(counts)
    return f"{low} to {high}" if high > low else str(low)


if __name__ == "__main__":
    sys.exit(main())
