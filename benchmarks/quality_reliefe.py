"""Compares the quality of ReliefE's rankings with what is known: ``python benchmarks/quality_reliefe.py --help``."""

import argparse
import sys
from collections.abc import Callable, Iterable
from types import ModuleType

import numpy as np
from evaluation import (
    LABELS,
    ROWS,
    ROWS_LABELS,
    ROWS_RECALL,
    SEEDS,
    TOLERANCE,
    arguments,
    capped,
    chosen,
    filled,
    folds,
    parsed,
    places,
    show,
)
from expected import EMBEDDED, EMBEDDED_AREAS, EMBEDDED_RECALL, LABELLED, LABELLED_AREAS
from scipy import sparse
from threadpoolctl import threadpool_limits

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.methods import reliefe_preparation as embedded

# As measured for the tables: cosine distance (not for PCA), no sparsification; no embedding, no say of either.
COMMON = {"n_neighbors": 15, "distance": "cosine", "sparsify": "no"}
VARIANTS = {
    "ReliefF15": {"embedding": None},
    "ReliefF15-abs": {"embedding": None, "average": True},
    "E": {},
    "E-abs": {"average": True},
    "E-adapt": {"n_neighbors": "adaptive"},
    "E-adapt-abs": {"n_neighbors": "adaptive", "preset": "paper"},
    "E-eucl": {"distance": "euclidean"},
    "PCA": {"embedding": "pca", "distance": "euclidean"},
    "default": {"distance": "euclidean", "sparsify": "auto"},
}
RECALLED = ("E", "PCA")  # variants in the order of EMBEDDED_RECALL
FORCED = {"mux11_r01": {"dimension": 13}}  # where the table has an embedding although d is not below p
EMBEDDINGS = {"X": {"embedding": None}, "E": {}, "PCA": VARIANTS["PCA"]}  # of the columns of LABELLED
# Mean difference of AUrF1 on 25 sets.
DIFFERENCES = {
    ("E", "ReliefF15"): -0.009,
    ("ReliefF15-abs", "ReliefF15"): 0.0004,
    ("E-abs", "E"): 0.004,
    ("E-adapt", "E"): 0.002,
    ("E-eucl", "E"): 0.0,
    ("PCA", "E"): 0.011,
}
FEW, NOISE = (
    200,
    (0.04, 0.02),
)  # rows up to which it is noisy; what a mean of ReliefE may differ by, there and elsewhere
QUICK = ("credit-g", "phishing", "emotions", "xor2_r01", "xor3_r01", "mux20_r01")
SETS = (*EMBEDDED_AREAS, *EMBEDDED_RECALL, *LABELLED_AREAS)


class Remembered:
    """A function of arrays that remembers what it found, so that an embedding is made once for all variants."""

    def __init__(self, function: Callable):
        self.function, self.known = function, {}

    def __call__(self, *given: object, progress: object = None, **options: object) -> object:
        key = tuple(self._mark(value) for value in (*given, *(options[name] for name in sorted(options))))
        if key not in self.known:
            self.known[key] = self.function(*given, **options)
        return self.known[key]

    def _mark(self, value: object) -> object:
        if sparse.issparse(value):
            return self._mark(value.data), self._mark(value.indices)
        return hash(value.tobytes()) if isinstance(value, np.ndarray) else value


def main() -> int:
    """Print three tables, each when it is there; 1 where there are no data."""
    parser = arguments(__doc__, SETS, PARTS)
    parser.add_argument("--variants", nargs="*", help=f"some of {', '.join((*VARIANTS, *LABELLED))}")
    parser.add_argument("--seeds", type=int, default=None, help="of an embedding, averaged (areas 1, recall 3)")
    parser.add_argument("--quick", action="store_true", help=f"only {', '.join(QUICK)}")
    options = parsed(parser, SETS)
    if options is None:
        return 1
    unknown = set(options.variants or ()) - {*VARIANTS, *LABELLED}
    if unknown:
        parser.error(f"there are no variants {', '.join(sorted(unknown))}")
    options.sets = options.sets or (QUICK if options.quick else None)
    with threadpool_limits(1):
        for name, part in PARTS.items():
            if options.only in (None, name):
                part(options)
    return 0


def forget() -> None:
    """Remember nothing of the data before."""
    for name in ("embed", "intrinsic_dimension"):
        function = getattr(embedded, name)
        setattr(embedded, name, Remembered(getattr(function, "function", function)))


def areas(data: ModuleType, name: str, variants: list[str], seeds: int) -> tuple[dict[str, np.ndarray], int, object]:
    """AUrF1 (folds, seeds) of every variant, rows, and the dimension in the last fold."""
    X, y, nominal, _ = capped(data, name, ROWS)
    found, dimension = {variant: [] for variant in variants}, None
    for number, fold in enumerate(folds(X, y, nominal)):
        forget()
        everything = fold.quality(np.arange(X.shape[1]))
        for variant in variants:
            values = {**COMMON, **VARIANTS[variant]}
            repeats = 1 if values.get("embedding", "umap") != "umap" else seeds
            areas = []
            for repeat in range(repeats):
                seed = number + 1 + 1000 * repeat
                ranking = rank(
                    X[fold.rows], y[fold.rows], "reliefe", nominal=nominal, n_jobs=1, random_state=seed, **values
                )
                areas.append(fold.area(ranking.ranking) / everything)
                dimension = ranking.info["dimension"] or dimension
            found[variant].append(areas)
    return {variant: np.array(values) for variant, values in found.items()}, len(y), dimension


def print_areas(options: argparse.Namespace) -> None:
    """AUrF1 beside what is expected, and mean differences of variants."""
    variants = chosen(VARIANTS, options.variants)
    seeds, rows, means, verdicts = options.seeds or 1, [], {}, []
    for name in chosen(EMBEDDED_AREAS, options.sets) if variants else ():
        found, n, dimension = areas(options.data, name, variants, seeds)
        wanted_dimension, known = EMBEDDED_AREAS[name]
        expected = dict(zip(EMBEDDED, known, strict=True))
        for variant in variants:
            mean = found[variant].mean()
            means.setdefault(variant, []).append(mean)
            spread = f"{found[variant].mean(axis=0).std(ddof=1):.3f}" if found[variant].shape[1] > 1 else ""
            row = [name, variant, f"{dimension}", f"{wanted_dimension}", f"{mean:.3f}", *[""] * 4, spread]
            if variant in expected:
                tolerance = TOLERANCE if variant.startswith("ReliefF") else NOISE[n > FEW]
                row[5:9] = _against(mean, expected[variant], tolerance)
                verdicts.append(row[8])
            rows.append(row)
        print(f"{name} done", file=sys.stderr, flush=True)
    header = ("set", "variant", "d", "expected", "AUrF1", "expected", "difference", "noise", "", "seeds")
    show("AUrF1; seeds: standard deviation of the mean between seeds of the embedding", header, rows)
    _count(verdicts)
    pairs = [(pair, known) for pair, known in DIFFERENCES.items() if {*pair} <= {*means}]
    rows = [
        [*pair, f"{np.mean(means[pair[0]]) - np.mean(means[pair[1]]):+.3f}", f"{known:+.3f}"] for pair, known in pairs
    ]
    show("Mean difference of AUrF1, expected on 25 sets", ("variant", "minus", "ours", "expected"), rows)


def _against(mean: float, wanted: float, tolerance: float) -> list[str]:
    verdict = "within" if round(abs(mean - wanted), 3) <= tolerance else "BEYOND"
    return [f"{wanted:.3f}", f"{mean - wanted:.3f}", f"{tolerance:.3f}", verdict]


def _count(verdicts: Iterable[str]) -> None:
    verdicts = list(verdicts)
    if verdicts:
        print(f"\n{verdicts.count('within')} of {len(verdicts)} within the noise.", flush=True)


def print_recall(options: argparse.Namespace) -> None:
    """Recall of the relevant features, mean of the seeds, and the worst rank of one."""
    variants = [v for v in chosen(VARIANTS, options.variants) if options.variants or v in (*RECALLED, "E-eucl")]
    rows, verdicts = [], []
    for name in chosen(EMBEDDED_RECALL, options.sets) if variants else ():
        X, y, nominal, loaded = capped(options.data, name, ROWS_RECALL)
        dimension, *known = EMBEDDED_RECALL[name]
        expected = dict(zip(RECALLED, known, strict=True))
        forget()
        for variant in variants:
            values = {**COMMON, **VARIANTS[variant], **FORCED.get(name, {}), "nominal": nominal}
            seeds = options.seeds or 3 if values.get("embedding", "umap") == "umap" else 1
            found = [rank(X, y, "reliefe", n_jobs=1, random_state=seed, **values) for seed in range(seeds)]
            placed = [places(ranking.ranking, np.asarray(loaded["relevant"])) for ranking in found]
            recall = np.array([one[0] for one in placed])
            row = [name, variant, f"{found[0].info['dimension']}", f"{dimension}"]
            row += [f"{recall.mean():.2f} ({max(one[1] for one in placed)})", "", ""]
            if variant in expected:
                wanted, worst = expected[variant]
                row[5] = f"{wanted:.2f} ({worst})"
                row[6] = "within" if recall.min() - 0.01 <= wanted <= recall.max() + 0.01 else "BEYOND"
                verdicts.append(row[6])
            rows.append(row)
        print(f"{name} done", file=sys.stderr, flush=True)
    title = "Recall of relevant features, mean of the seeds (worst rank); noise: from the worst to the best seed"
    show(title, ("set", "variant", "d", "expected", "recall", "expected", ""), rows)
    _count(verdicts)


def labelled(column: str) -> dict[str, object]:
    """Parameters of a column of LABELLED, such as X15-f1-inst."""
    space, distance, quotient = column.split("-")
    name = space.rstrip("0123456789").removesuffix("ad")
    k = "adaptive" if space.endswith("ad") else int(space[len(name) :])
    return {**COMMON, **EMBEDDINGS[name], "n_neighbors": k, "target_distance": distance, "pooled": quotient == "pool"}


def label_areas(data: ModuleType, name: str, columns: list[str]) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Micro-F1 with all features, and AUrF1 of every column, (folds,) each; the most frequent labels are predicted."""
    loaded = data.load(name)
    Y = loaded["Y"]
    Y = np.asarray(Y.toarray() if hasattr(Y, "toarray") else Y).astype(int)
    kept = np.sort(np.random.default_rng(0).permutation(len(Y))[:ROWS_LABELS])
    X, Y, nominal = filled(loaded["X"], kept), Y[kept], loaded["feature_is_nominal"]
    judged = np.argsort(-Y.sum(axis=0), kind="stable")[:LABELS]
    everything, found = [], {column: [] for column in columns}
    for number, fold in enumerate(folds(X, Y[:, judged], nominal, SEEDS[:1])):
        forget()
        everything.append(fold.quality(np.arange(X.shape[1])))
        for column in columns:
            seed = {"random_state": number + 1}
            ranking = rank(X[fold.rows], Y[fold.rows], "reliefe", nominal=nominal, n_jobs=1, **seed, **labelled(column))
            found[column].append(fold.area(ranking.ranking) / everything[-1])
    return np.array(everything), {column: np.array(values) for column, values in found.items()}


def print_labels(options: argparse.Namespace) -> None:
    """AUrF1 of rankings for label sets."""
    columns = chosen(LABELLED, options.variants)
    rows, verdicts = [], []
    for name in chosen(LABELLED_AREAS, options.sets) if columns else ():
        everything, found = label_areas(options.data, name, columns)
        known, *expected = LABELLED_AREAS[name]
        rows.append(
            [name, "all features", f"{everything.mean():.3f}", f"{known:.3f}", f"{everything.mean() - known:.3f}"]
        )
        rows[-1] += ["", ""]
        for column, wanted, deviation in zip(LABELLED, *expected, strict=True):
            if column in columns:
                spread = 2 * np.sqrt((found[column].var(ddof=1) + deviation**2) / len(everything))
                against = _against(found[column].mean(), wanted, spread)
                rows.append([name, column, f"{found[column].mean():.3f}", *against])
                verdicts.append(against[-1])
        print(f"{name} done", file=sys.stderr, flush=True)
    title = "Label sets: AUrF1 of micro-F1; noise: twice the standard error of the difference, for other rows and folds"
    show(title, ("set", "ranking", "ours", "expected", "difference", "noise", ""), rows)
    _count(verdicts)


PARTS = {"recall": print_recall, "areas": print_areas, "labels": print_labels}


if __name__ == "__main__":
    sys.exit(main())
