"""Times ReliefE against the authors' package: ``python benchmarks/authors.py --help``.

That package, reliefe 0.18, asks for versions that no longer install, but runs with current ones:

    python -m venv FOLDER
    FOLDER/bin/pip install numpy scipy scikit-learn numba umap-learn tqdm setuptools
    FOLDER/bin/pip install --no-deps reliefe==0.18
    python benchmarks/authors.py --python FOLDER/bin/python
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np
from common import answer, in_single_precision, interleaved, load, make, repeat, shapes, table

SHAPES = ((500, 1000), (2000, 200))
TOY = 60, 40  # rows and features of what is compiled on
NEIGHBOURS = 15
DIMENSION = 128  # the authors' package never embeds in fewer dimensions
FASTER, SHARE = 1000, 0.2  # goals
SPACES = {"features": "all features", "coordinates": f"{DIMENSION} coordinates"}
SAMPLES, ITERATIONS, COLUMNS = 0, 1, 12  # arguments of the authors' loop


def points(n: int) -> np.ndarray:
    """Coordinates (n, DIMENSION) that both are given."""
    return np.random.default_rng(2).normal(size=(n, DIMENSION))


class Given:
    """An embedding that is known beforehand."""

    def fit(self, X: object) -> "Given":
        return self

    def transform(self, X: object) -> np.ndarray:
        return points(X.shape[0])


def ours(request: dict) -> dict:
    """CPU time of whole calls without making an embedding: checks, distances, scores."""
    from orangecontrib.reliefe.core import rank

    def scores(X: np.ndarray, y: np.ndarray) -> np.ndarray:
        embedding = None
        if request["space"] == "coordinates":  # as many features as the authors' loop scores
            X, embedding = X[:, :DIMENSION], points(len(y))
        return rank(X, y, "reliefe", embedding=embedding, distance="cosine", n_neighbors=NEIGHBOURS, n_jobs=1).scores

    np.save(request["save"], scores(*make(*TOY, seed=1)))
    in_single_precision(lambda: scores(*make(*TOY, seed=1)))
    cpu, _ = repeat(scores, *make(request["n"], request["p"]))
    return {"cpu": cpu}


def authors(request: dict) -> dict:
    """CPU time of the loop that updates the scores, of as many target rows as there is patience for, as if of all."""
    from reliefe import reliefe_classes

    loop, took = reliefe_classes._compiled_classification_update_weights, []

    def timed(m: int) -> Callable:
        def update(*arguments: object) -> object:
            changed = list(arguments)
            changed[SAMPLES], changed[ITERATIONS] = changed[SAMPLES][:m], np.array([m])
            # The loop as released scores as many coordinates as there are features: it reads beyond their end.
            if request["space"] == "coordinates":
                changed[COLUMNS] = min(changed[COLUMNS], DIMENSION)
            begin = process_time()
            found = loop(*changed)
            took.append(process_time() - begin)
            return found

        return update

    def run(X: np.ndarray, y: np.ndarray, m: int) -> np.ndarray:
        reliefe_classes._compiled_classification_update_weights = timed(m)
        embedded = request["space"] == "coordinates"
        method = reliefe_classes.ReliefE(k=NEIGHBOURS, embedding_based_distances=embedded, LD_friendly=False)
        return method.fit(X, y, embedding_method=Given()).feature_importances_

    np.save(request["save"], run(*make(*TOY, seed=1), TOY[0]))
    X, y = make(request["n"], request["p"])
    run(X, y, 2)
    m = min(max(int(request["patience"] / took[-1] * 2), 2), len(y))
    run(X, y, m)
    return {"cpu": [took[-1] * len(y) / m], "targets": m}


def with_umap(request: dict) -> dict:
    """CPU time of whole calls, and of UMAP's fit and transform in them."""
    from orangecontrib.reliefe.core import rank

    def run(X: np.ndarray, y: np.ndarray, fitted: int) -> dict:
        return rank(X, y, "reliefe", n_neighbors=NEIGHBOURS, n_jobs=1, n_representatives=fitted).info

    with clocked_umap() as steps:
        for compiled in (lambda call: call(), in_single_precision):
            compiled(
                lambda: run(*make(*TOY, seed=1), TOY[0] // 2)
            )  # half of the rows are placed, so that all is compiled
        steps.clear()
        X, y = make(request["n"], request["p"])
        begin = process_time()
        info = run(X, y, request["fitted"])
        total = process_time() - begin
    return {"total": [total], "umap": [sum(steps)], "dimension": info["dimension"]}


@contextmanager
def clocked_umap() -> Iterator[list[float]]:
    """CPU seconds of every call of UMAP."""
    from umap import UMAP

    seconds, originals = [], {name: getattr(UMAP, name) for name in ("fit_transform", "transform")}

    def clocked(original: Callable) -> Callable:
        def step(*arguments: object) -> np.ndarray:
            begin = process_time()
            try:
                return original(*arguments)
            finally:
                seconds.append(process_time() - begin)

        return step

    for name, original in originals.items():
        setattr(UMAP, name, clocked(original))
    try:
        yield seconds
    finally:
        for name, original in originals.items():
            setattr(UMAP, name, original)


KINDS = {"ours": ours, "authors": authors, "umap": with_umap}


def measure(request: dict) -> dict:
    """Results of one process."""
    return KINDS[request["kind"]](request)


def rankings(options: argparse.Namespace, room: Path) -> list[str]:
    """The loops over rows alone."""
    rows, places = [], {"cache": lambda kind: room / kind}
    places["python"] = lambda kind: options.python if kind == "authors" else sys.executable
    for n, p in options.shapes:
        for space, title in SPACES.items():
            base = {"n": n, "p": p, "space": space, "jobs": 1, "patience": options.patience}
            kinds = {kind: base | {"kind": kind, "save": str(room / f"{kind}.npy")} for kind in ("ours", "authors")}
            found = interleaved(__file__, kinds, options.repeats, timeout=lambda kind: 3600, **places)
            rows.append([f"{n}x{p}", title, *_compared(found, space, n, room)])
            print(f"{n}x{p} {title} done", file=sys.stderr, flush=True)
    header = ("data", "neighbours by", "ours ms", "authors s", "authors/ours", "goal", "", "their rows", "difference")
    title = "Ranking alone, CPU time of one thread: our whole call, the authors' update loop"
    return [title, table(header, rows, options.markdown)]


def _compared(found: dict, space: str, n: int, room: Path) -> list[str]:
    wrong = [f"{kind}: {result['error']}" for kind, result in found.items() if "error" in result]
    if wrong:
        return ["; ".join(wrong), *[""] * 6]
    a, b = (median(found[kind]["cpu"]) for kind in ("ours", "authors"))
    same = np.abs(np.load(room / "ours.npy") - np.load(room / "authors.npy")).max()
    verdict = "reached" if b / a >= FASTER else "MISSED"
    times = f"{a * 1000:.2f}", f"{b:.1f}", f"{b / a:,.0f}", f"{FASTER:,}", verdict
    return [*times, f"{found['authors']['targets']} of {n}", f"{same:.0e}" if space == "features" else "-"]


def embeddings(options: argparse.Namespace, room: Path) -> list[str]:
    """Rows of a table: what we add to UMAP."""
    rows = []
    for n, p in options.shapes:
        request = {"kind": "umap", "n": n, "p": p, "fitted": options.fitted, "jobs": 1}
        found = interleaved(__file__, {"umap": request}, options.repeats, cache=lambda kind: room / kind)["umap"]
        if "error" in found:
            rows.append([f"{n}x{p}", "", found["error"], *[""] * 5])
            continue
        umap = median(found["umap"])
        rest = median(total - part for total, part in zip(found["total"], found["umap"], strict=True))
        verdict = "reached" if rest <= SHARE * umap else "MISSED"
        numbers = f"{umap:.2f}", f"{rest:.3f}", f"{rest / umap:.2f}", f"{SHARE}", verdict
        rows.append([f"{n}x{p}", str(found["dimension"]), *numbers])
        print(f"{n}x{p} with UMAP done", file=sys.stderr, flush=True)
    header = ("data", "dimension", "UMAP s", "the rest s", "rest/UMAP", "goal", "")
    title = "Our ReliefE with UMAP, CPU time: UMAP's own fit and transform, and all the rest of the call"
    return [title, table(header, rows, options.markdown)]


def arguments() -> argparse.Namespace:
    """Options of the command line."""
    kind = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=kind)
    parser.add_argument("--python", default=sys.executable, help="interpreter that has reliefe 0.18 (this one)")
    parser.add_argument("--shapes", type=shapes, default=SHAPES, help="such as 500x1000,2000x200 (rows x features)")
    parser.add_argument("--repeats", type=int, default=3, help="processes for each cell (3)")
    parser.add_argument(
        "--patience", type=float, default=15, help="seconds for the authors' loop; then its time is that of some rows"
    )
    parser.add_argument("--fitted", type=int, default=2048, help="rows that UMAP learns from (2048)")
    parser.add_argument("--only", choices=("ranking", "embedding"), help="one of the two tables")
    parser.add_argument("--markdown", action="store_true", help="tables for a document")
    return parser.parse_args()


def main() -> None:
    """Print a table as soon as it is there."""
    options = arguments()
    print(f"{load()}; Python {sys.version.split()[0]}; NumPy {np.__version__}\n")
    parts = {"ranking": rankings, "embedding": embeddings}
    with tempfile.TemporaryDirectory() as room:
        for name, part in parts.items():
            if options.only in (None, name):
                title, text = part(options, Path(room))
                print(f"{title}\n\n{text}\n", flush=True)


if __name__ == "__main__" and not answer(measure):
    main()
