"""Peak memory of every method on every kind of data that it takes, beyond the data, as a multiple of them.

    python benchmarks/memory.py                              200 x 20,000, and sparse data of 20,000 x 10,000
    python benchmarks/memory.py --full                       200 x 100,000, and sparse data of 100,000 x 50,000
    python benchmarks/memory.py --only pct,boostedrelief --data dense,sparse --shape 400x5000

Each row comes from a fresh process.  The peak is that of resident memory less what was resident after the imports, a
warm-up on tiny data of the same kind, in both precisions, and making the data.
"""

import argparse
import gc
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from common import answer, child, load, peak, reset_peak, shapes, table

DENSE, MISSING, SPARSE, HOLES = KINDS = ("dense", "missing", "sparse", "sparse missing")
SMALL, FULL = {DENSE: (200, 20_000), SPARSE: (20_000, 10_000)}, {DENSE: (200, 100_000), SPARSE: (100_000, 50_000)}
TOY = {DENSE: (60, 40), SPARSE: (60, 40)}
STORED = 34  # values of a sparse row, about
LACKING = 0.05  # share of the known values that are taken away
GOALS = {DENSE: 1.4, MISSING: 2.2, SPARSE: 3.0, HOLES: 4.0}  # times the bytes of the data
# megabytes beyond that: pieces of the code that are loaded late, buffers, results; of sparse data two tiles as well,
# which are 16 rows high, and lists of neighbours: distance, row and weight of each
ALLOWANCE, LISTED = 24, 24
TARGETS = 5
HIERARCHY = ((), (0,), (0,), (1,), (1,))  # parents of labels
FEW, LABELLED = "few labels", 0.5  # what a target is called of which few rows have one, and their share
NEIGHBOURS = {
    "rrelieff": 70,
    "boostedrelief": 60,
    "learnedrelief": 60,
    "boostedlearnedrelief": 120,
    "sslrelief": 40,
    "urelief": 40,
}
OPTIONS = {  # what would take minutes and is no part of the question
    "reliefe": {"embedding": None},
    "pct": {"n_trees": 3},
}
VARIANTS = {("reliefe", DENSE): ({"embedding": "pca"}, {"embedding": "umap"})}


def main() -> int:
    """Print the table."""
    if answer(measure):
        return 0
    from orangecontrib.reliefe.core.methods.registry import METHODS

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", type=names(METHODS), default=tuple(METHODS), help="methods, with commas between them")
    parser.add_argument("--data", type=names(KINDS), default=KINDS, help=f"of {', '.join(KINDS)}")
    parser.add_argument("--full", action="store_true", help="large data: a quarter of an hour, 2 GB")
    parser.add_argument("--shape", type=shapes, help="rows x features of dense data")
    parser.add_argument("--sparse-shape", type=shapes, help="of sparse data")
    parser.add_argument("--first", action="store_true", help="the first kind of target of a method only")
    parser.add_argument("--jobs", type=int, default=1, help="threads")
    parser.add_argument("--patience", type=float, default=120, help="seconds that a row may take")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    print(load())
    rows, worst = [], 0
    with tempfile.TemporaryDirectory() as room:
        for request in requests(METHODS, options):
            found = child(__file__, request, Path(room) / "cache", timeout=options.patience)
            rows.append(row(request, found))
            worst += rows[-1][-1] != ""
            print(" ".join(map(str, rows[-1])), file=sys.stderr, flush=True)
    header = ("method", "data", "target", "parameters", "data MB", "peak MB", "ratio", "goal", "CPU s", "")
    print(f"\nPeak memory beyond the data\n\n{table(header, rows, options.markdown)}")
    return int(worst > 0)


def names(known: object) -> object:
    """Reads names with commas between them."""

    def read(text: str) -> tuple[str, ...]:
        found = tuple(text.split(","))
        if not set(found) <= set(known):
            raise argparse.ArgumentTypeError(f"choose from {', '.join(known)}")
        return found

    return read


def requests(methods: dict, options: argparse.Namespace) -> Iterator[dict]:
    """Questions to each process: every kind of target on complete data, the first one on all others."""
    places = FULL if options.full else SMALL
    given = {DENSE: options.shape, SPARSE: options.sparse_shape}
    for name in options.only:
        for kind in options.data:
            tasks = methods[name].tasks[: 1 if options.first or kind != DENSE else None]
            if name in ("sslrelief", "pct") and kind == DENSE and not options.first:
                tasks = (tasks[0], FEW, *tasks[1:])
            dense = DENSE if kind in (DENSE, MISSING) else SPARSE
            n, p = (given[dense] or (places[dense],))[0]
            variants = ({}, *VARIANTS.get((name, kind), ())) if not options.first else ({},)
            for variant in variants:
                for task in tasks if not variant else tasks[:1]:
                    parameters = {**OPTIONS.get(name, {}), **variant}
                    yield {
                        "method": name, "kind": kind, "task": task, "n": n, "p": p, "jobs": options.jobs,
                        "parameters": parameters,
                    }  # fmt: skip


def row(request: dict, found: dict) -> list[str]:
    """A line of the table; its last cell says whether a goal is missed."""
    shown = ", ".join(f"{name}={value}" for name, value in request["parameters"].items())
    begin = [request["method"], f"{request['kind']} {request['n']:,} x {request['p']:,}", request["task"], shown]
    if "error" in found:
        return [*begin, "-", "-", "-", "-", "-", found["error"]]
    data, most = found["data"], found["megabytes"]
    allowed = goal(request, data)
    cells = f"{data:.0f}", f"{most:.0f}", f"{most / data:.2f}", f"{allowed / data:.2f}", f"{found['cpu']:.2f}"
    return [*begin, *cells, "" if most <= allowed else "more"]


def goal(request: dict, data: float) -> float:
    """Megabytes that a ranking may take beyond its data."""
    allowed = GOALS[request["kind"]] * data + ALLOWANCE
    if request["kind"] in (SPARSE, HOLES):
        tile, k = 16 * request["n"] * 8, NEIGHBOURS.get(request["method"], 20)
        allowed += (2 * tile * request["jobs"] + LISTED * k * request["n"]) / 2**20
    return allowed


def measure(request: dict) -> dict:
    """Peak of one method on one kind of data, measured by a process of its own."""
    from orangecontrib.reliefe.core import rank

    warm_up(request)
    X, y = make(request, request["n"], request["p"])
    gc.collect()
    base, begin = reset_peak(), time.process_time()
    call(rank, request, X, y)
    cpu = time.process_time() - begin
    size = X.nbytes if request["kind"] in (DENSE, MISSING) else sum(a.nbytes for a in (X.data, X.indices, X.indptr))
    return {"megabytes": peak() - base, "data": size / 2**20, "cpu": cpu}


def call(rank: object, request: dict, X: object, y: object) -> object:
    """The ranking."""
    task = None if request["task"] == FEW else request["task"]
    more = {"hierarchy": HIERARCHY} if request["task"] == "hierarchical" else {}
    return rank(X, y, request["method"], task=task, n_jobs=request["jobs"], **more, **request["parameters"])


def warm_up(request: dict) -> None:
    """Compile and load everything: on tiny data of the same kind, in both precisions."""
    from orangecontrib.reliefe.core import rank
    from orangecontrib.reliefe.core.relief.formats import features

    X, y = make(request, *TOY[DENSE], density=0.3)
    for limit in (features.MAX_EXACT_MISSING, 0):
        small, large = features.MAX_EXACT_COMPLETE, features.MAX_EXACT_MISSING
        features.MAX_EXACT_COMPLETE, features.MAX_EXACT_MISSING = min(small, limit), limit
        call(rank, request, X, y)
        features.MAX_EXACT_COMPLETE, features.MAX_EXACT_MISSING = small, large


def make(request: dict, n: int, p: int, density: float | None = None, seed: int = 0) -> tuple[object, object]:
    """Data (n, p) of a kind with a target; whatever it takes to make them is given back."""
    random = np.random.default_rng(seed)
    if request["kind"] in (DENSE, MISSING):
        X = random.random((n, p))
        z = X[:, :TARGETS] + 0.3 * random.normal(size=(n, TARGETS))
        if request["kind"] == MISSING:
            for line in X:
                line[random.random(p) < LACKING] = np.nan
    else:
        from scipy import sparse

        counts = random.binomial(p, density or STORED / p, n)
        indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        indices = np.concatenate([np.sort(random.choice(p, c, replace=False)) for c in counts]).astype(np.int32)
        X = sparse.csr_array((random.uniform(0.1, 1, len(indices)), indices, indptr), shape=(n, p))
        z = np.column_stack([X[:, a :: 2 * TARGETS].sum(axis=1) for a in range(TARGETS)])
        if request["kind"] == HOLES:
            X.data[random.random(len(indices)) < LACKING] = np.nan
    return X, target(request["task"], z, random)


def target(task: str, z: np.ndarray, random: np.random.Generator) -> object:
    """Target of rows with hidden numbers z (n, TARGETS)."""
    above = z > np.median(z, axis=0)
    if task == "unsupervised":
        return None
    if task == "regression":
        return z[:, 0]
    if task == "multi-target":
        return z
    if task in ("multi-label", "hierarchical"):
        return above.astype(int)
    if task == FEW:
        return np.where(random.random(len(z)) < LABELLED, above[:, 0], np.nan)
    return above[:, 0].astype(int)


if __name__ == "__main__":
    sys.exit(main())
