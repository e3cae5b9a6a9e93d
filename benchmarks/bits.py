"""Compares all scores with those of an earlier commit, bit for bit: ``python benchmarks/bits.py REVISION``."""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from common import ROOT, table
from ourselves import default_revision, unpack

DUMP = "--dump"
NEW_NAMES = {"reliefb": "boostedrelief", "reliefl": "learnedrelief", "relieflb": "boostedlearnedrelief"}


def kinds_of_data() -> Iterator[tuple[str, object, object, dict[str, object]]]:
    """Name, X, y and options of small tables of every kind, and of one above the border of single precision."""
    from scipy import sparse

    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 12))
    signal = X[:, 0] + X[:, 1] * X[:, 2]
    mixed, gaps = X.copy(), X.copy()
    mixed[:, ::3] = rng.integers(0, 4, (90, 4))
    nominal = np.arange(12) % 3 == 0
    gaps[rng.random(X.shape) < 0.1] = np.nan
    grid = rng.integers(0, 5, (90, 12)).astype(float)
    thin = sparse.random_array((90, 40), density=0.1, format="csr", rng=rng)
    large = rng.normal(size=(1100, 100))
    classes = (signal > 0).astype(int) + (X[:, 3] > 1)
    few = np.where(rng.random(90) < 0.4, classes, np.nan)
    numbers = np.c_[signal, X[:, 4] ** 2, np.where(rng.random(90) < 0.1, np.nan, X[:, 5])]
    labels = (np.c_[signal, X[:, 4], X[:, 5] - 0.5, signal + X[:, 6]] > 0).astype(int)
    labels[:, 0] |= labels[:, 1]
    yield "classes", X, classes, {}
    yield "classes, mixed", mixed, classes, {"nominal": nominal}
    yield "classes, missing", gaps, classes, {}
    yield "classes, mixed and missing", np.where(np.isnan(gaps), np.nan, mixed), classes, {"nominal": nominal}
    yield "classes, grid", grid, classes, {}
    yield "classes, CSR", thin, classes, {}
    yield "classes, large", large, (large[:, 0] * large[:, 1] > 0).astype(int), {}
    yield "few classes", X, few, {"task": "classification"}
    yield "few classes, CSR", thin, few, {"task": "classification"}
    yield "numbers", X, signal, {}
    yield "numbers, missing", gaps, signal, {}
    yield "numbers, CSR", thin, signal, {}
    times = np.rec.fromarrays([np.abs(signal), X[:, 7] > 0], dtype=[("time", float), ("event", bool)])
    yield "times", X, times, {}
    yield "several numbers", X, numbers, {}
    yield "label sets", X, labels, {}
    yield "label sets, CSR", thin, sparse.csr_array(labels), {}
    yield "hierarchy", X, labels, {"hierarchy": ((), (0,), (), (2,))}
    yield "no target", X, None, {}
    yield "no target, missing", gaps, None, {}
    yield "no target, CSR", thin, None, {}


def variants(method: object) -> Iterator[dict[str, object]]:
    """Parameters: the defaults, then every parameter of the method by itself, set to something else."""
    small = {"n_trees": 12} if method.name == "pct" else {}
    small |= {"embedding": "pca"} if method.name == "reliefe" else {}
    yield small
    other = {
        "n_neighbors": [3, "adaptive"], "sigma": [None, 3.0], "scheme": ["E"], "power": [2], "ramp": [True],
        "missing": ["ignore", "uniform", "separate", "clus", "class-conditional", "fractional"],
        "n_instances": [0.5, 40, "converge"], "embedding": [None], "average": [True], "dimension": [2],
        "sparsify": ["yes", True], "n_representatives": [50], "distance": ["cosine"], "pooled": [True, False],
        "target_distance": ["accuracy", "subset", "hamming", "f1"], "per_target": [True], "gamma": ["max"],
        "label_weights": ["none"], "label_decay": [0.5], "w0": [0.2], "labelled_only": [True], "rounds": [0, 2],
        "eta": [1.0], "candidates": [5],
        "ensemble": ["extra-trees", "bagging"], "score": ["symbolic", "rforest"], "max_features": [3, None],
        "min_leaf": [3], "max_depth": [2], "supervision": [0.3, "tuned"], "depth_decay": [0.5], "f_test": [0.1],
    }  # fmt: skip
    for parameter in method.parameters:
        for value in other.get(parameter.name, ()):
            yield small | {parameter.name: value} | ({"w1": 0.7} if parameter.name == "w0" else {})


def dump(path: str) -> None:
    """Save every score, or the message of every refusal, in an .npz file."""
    from orangecontrib.reliefe import core

    found: dict[str, np.ndarray] = {}

    def note(key: tuple, compute: object) -> None:
        text = " | ".join(map(str, key))
        try:
            found[text] = np.asarray(compute())
        except (ValueError, TypeError):
            found[text] = np.array("refused")

    for kind, X, y, options in kinds_of_data():
        for method in core.methods():
            name, quick = NEW_NAMES.get(method.name, method.name), kind != "classes, large"
            for parameters in variants(method) if quick else ({},):
                if method.name == "pct" and not quick:
                    parameters = {"n_trees": 3}
                call = (X, y, method.name), options | parameters

                def one(call: tuple = call) -> np.ndarray:
                    ranking = core.rank(*call[0], **call[1], n_jobs=2)
                    parts = [ranking.scores] if ranking.per_target is None else [ranking.scores, *ranking.per_target]
                    return np.array(parts)

                note((kind, name, parameters), one)
            if not quick:
                continue
            small = next(variants(method))
            call = (X, y, method.name), options | small
            note((kind, name, "refine"), lambda c=call: np.array([r.scores for r in core.refine(*c[0], **c[1])]))
            if method.name != "pct" and small.get("embedding") is None and method.name != "sslrelief":
                note((kind, name, "null"), lambda c=call: core.null_level(*c[0], n_shuffles=2, **c[1]).maxima)
    np.savez(path, **found)


def compare(before: Path, now: Path) -> list[list[str]]:
    """A row for every method: cases, refused on both sides, changed, the largest change, the first change."""
    rows: dict[str, list] = {}
    with np.load(before) as old, np.load(now) as new:
        for key in sorted(set(old.files) | set(new.files)):
            row = rows.setdefault(key.split(" | ")[1], [0, 0, 0, 0.0, ""])
            a, b = (file[key] if key in file.files else np.array("absent") for file in (old, new))
            row[0] += 1
            row[1] += a.dtype.kind == b.dtype.kind == "U" and str(a) == str(b) == "refused"
            if a.shape != b.shape or a.dtype != b.dtype or a.tobytes() != b.tobytes():
                row[2] += 1
                alike = a.shape == b.shape and a.dtype.kind == b.dtype.kind == "f"
                row[3] = max(row[3], float(np.abs(a - b).max()) if alike else np.inf)
                row[4] = row[4] or key
    return [[name, *map(str, row[:3]), f"{row[3]:.0e}", row[4]] for name, row in rows.items()]


def main() -> None:
    """Print the table; exit code 1 where a bit has changed."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("revision", nargs="?", help="commit to compare with")
    parser.add_argument(DUMP, metavar="FILE", help="save the scores of the package that is imported, and end")
    options = parser.parse_args()
    if options.dump:
        dump(options.dump)
        return
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder).resolve()
        trees = {"before": unpack(options.revision or default_revision(), room / "tree"), "now": ROOT}
        for key, tree in trees.items():
            command = [sys.executable, __file__, DUMP, str(room / f"{key}.npz")]
            for _ in range(
                2
            ):  # code that was just compiled may differ from the same code out of the cache by a rounding
                subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": str(tree)})
        rows = compare(room / "before.npz", room / "now.npz")
    print(table(("method", "cases", "refused", "changed", "largest change", "first"), rows, False))
    sys.exit(any(row[3] != "0" for row in rows))


if __name__ == "__main__":
    main()
