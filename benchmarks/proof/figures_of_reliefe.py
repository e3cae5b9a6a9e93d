"""Figures 11, 12, 14 and 17 of the paper on ReliefE on public data: the paper prints no numbers of them."""

from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
from evaluation import capped, filled
from threadpoolctl import threadpool_limits

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.embedding import density_curve, matrix, sparsify
from orangecontrib.reliefe.core.evaluation import compare_curves, folds, quality_curve, references

from .record import AGREES, DIFFERS, Experiment, Lines, Section, number

ROWS = 1000  # at most
FEATURES = 100  # at most, in the curves: the paper's largest number
N_FOLDS = 3
PAPER = {"embedding": "umap", "distance": "cosine"}
VARIANTS: dict[str, dict[str, Any]] = {
    "ReliefE": {},
    "absMean": {"average": True},
    "adaptive": {"n_neighbors": "adaptive"},
    "absMean-adaptive": {"n_neighbors": "adaptive", "average": True},
}
CLASSES = ("tumors_C", "khan_srbct", "qsar-biodeg", "vote", "soybean", "semeion")
LABELS = ("emotions",)
DENSITIES = ("chess", "optdigits", "madelon", "tumors_C", "colon", "qsar-biodeg", "semeion", "digits", "spambase")
FACTORS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)  # of the paper's epsilon
NEIGHBOURHOODS = ("chess", "optdigits", "tumors_C", "colon", "qsar-biodeg", "semeion", "digits", "vote", "soybean")
TARGET_ROWS = 100  # iterations in the paper's figure 17
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
Ranker = Callable[[np.ndarray, np.ndarray], np.ndarray]


def _variants(task: str, nominal: np.ndarray) -> dict[str, Ranker]:
    """Rankers of ReliefE with an embedding."""

    def ranker(**parameters: Any) -> Ranker:
        options = {**PAPER, **parameters}
        return lambda X, y: rank(X, y, "reliefe", task=task, nominal=nominal, random_state=0, **options).scores

    return {name: ranker(**parameters) for name, parameters in VARIANTS.items()}


def _rivals(task: str, nominal: np.ndarray) -> dict[str, Ranker]:
    """Rankers without an embedding, and random rankings."""

    def ranker(method: str, **parameters: Any) -> Ranker:
        return lambda X, y: rank(X, y, method, task=task, nominal=nominal, random_state=0, **parameters).scores

    neighbours = (
        {"ReliefF": ranker("relieff"), "MultiSURF": ranker("multisurf")}
        if task == "classification"
        else {"ReliefF": ranker("reliefe", embedding=None), "RReliefF": ranker("rrelieff")}
    )
    return {**neighbours, **references(task, nominal, n_draws=1)}


def curves_by_fuji(name: str, task: str, data: ModuleType) -> Lines:
    """Mean AU-FUJI of curves of relative F1: of two variants of ReliefE, and of a variant and a rival."""
    if task == "classification":
        X, y, nominal, _ = capped(data, name, ROWS)
        measure = "accuracy"  # micro F1
        classes = y
    else:
        loaded = data.load(name)
        y = np.asarray(loaded["Y"].toarray() if hasattr(loaded["Y"], "toarray") else loaded["Y"], float)
        X, nominal = filled(loaded["X"], np.arange(len(y))), np.asarray(loaded["feature_is_nominal"])
        measure = "micro_f1"
        classes = None
    p = X.shape[1]
    sizes = np.unique(np.geomspace(1, min(p, FEATURES), 12).astype(int)).tolist()
    parts = folds(len(y), N_FOLDS, classes=classes)
    variants, rivals = _variants(task, nominal), _rivals(task, nominal)
    with threadpool_limits(1):
        curves = [
            quality_curve(ranker, X, y, task, measure=measure, nominal=nominal, sizes=sizes, parts=parts)
            for ranker in (*variants.values(), *rivals.values())
        ]
    agreement = compare_curves(curves)
    n = len(variants)
    among = agreement[:n, :n][np.triu_indices(n, 1)].mean()
    cells = [number(agreement[:n, n + r].mean(), 3) for r in range(len(rivals))]
    claim = AGREES if among > agreement[:n, n:].mean() else DIFFERS
    return [[name, f"{len(y)} x {p}", measure, number(among, 3), *cells, claim]]


def densities(name: str, data: ModuleType) -> Lines:
    """Density before, and expected density at multiples of the paper's epsilon, of features in units of their range."""
    loaded = data.load(name)
    X = loaded["X"].toarray() if hasattr(loaded["X"], "toarray") else loaded["X"]
    encoded = matrix(DataTable.read(filled(X, np.arange(len(X))), loaded["feature_is_nominal"]))
    chosen = sparsify(encoded).epsilon
    curve = density_curve(encoded, np.multiply(FACTORS, chosen))
    size = f"{encoded.shape[0]} x {encoded.shape[1]}"
    return [[name, size, number(chosen, 3), number(curve.before, 3), *(number(d, 3) for d in curve.densities)]]


def neighbourhoods(name: str, data: ModuleType) -> Lines:
    """Quantiles of the adaptive k over 100 rows and all classes, in the embedding, and the size of the classes."""
    X, y, nominal, _ = capped(data, name, ROWS)
    with threadpool_limits(1):
        ranking = rank(
            X, y, "reliefe", preset="paper", nominal=nominal, n_instances=min(TARGET_ROWS, len(y)), random_state=0
        )
    k, counts = np.array(ranking.info["k_counts"]).T
    all_k = np.repeat(k, counts)
    cells = [f"{quantile:.0f}" for quantile in np.quantile(all_k, QUANTILES)]
    mean_class = len(y) / len(np.unique(y))
    return [[name, f"{len(y)} x {X.shape[1]}", f"{mean_class:.0f}", *cells, number(np.median(all_k) / mean_class, 2)]]


def _similar(lines: Lines) -> str:
    """Sentence about the claim of figures 11 and 12."""
    if not lines:
        return ""
    n_agree = sum(line[-1] == AGREES for line in lines)
    least = min(float(cell) for line in lines for cell in line[3:-1])
    return (
        f"Variants agree more with each other than with other rankings in {n_agree} of {len(lines)} sets. But all "
        f"agreements are at least {least}, those with random rankings, too. Curves rise with the number of features, "
        "so that their items have nearly the same order. FUJI hardly distinguishes rankings by their curves."
    )


def _sparse_late(lines: Lines) -> str:
    """Sentence about the claim of figure 14."""
    if not lines:
        return ""
    at_chosen = 4 + FACTORS.index(1.0)
    late = sum(float(line[at_chosen]) > float(line[3]) / 2 for line in lines)
    return (
        f"The paper says that most sets are made sparse only by a rather large epsilon. With its own estimate, {late} "
        f"of {len(lines)} sets keep more than half of their entries that are not zero."
    )


FUJI_SECTION = Section(
    "reliefe-fuji",
    "ReliefE, figures 11 and 12: curves of variants are similar",
    ("set", "size", "measure", "among variants", "ReliefF", "MultiSURF or RReliefF", "random", "F", "RF", "claim"),
    (
        *(Experiment(name, partial(curves_by_fuji, name, "classification"), True, name == "vote") for name in CLASSES),
        *(Experiment(name, partial(curves_by_fuji, name, "multi-label"), True, False) for name in LABELS),
    ),
    "python -m benchmarks reproduce --sections reliefe-fuji",
    _similar,
)
DENSITY_SECTION = Section(
    "reliefe-density",
    "ReliefE, figure 14: density against epsilon",
    ("set", "size", "epsilon", "density before", *(f"{factor:g} epsilon" for factor in FACTORS)),
    tuple(Experiment(name, partial(densities, name), True) for name in DENSITIES),
    "python -m benchmarks reproduce --sections reliefe-density",
    _sparse_late,
)
NEIGHBOURS_SECTION = Section(
    "reliefe-k",
    "ReliefE, figure 17: the adaptive number of neighbours",
    ("set", "size", "rows of a class", *(f"{quantile:.0%}" for quantile in QUANTILES), "median / rows of a class"),
    tuple(Experiment(name, partial(neighbourhoods, name), True, name == "vote") for name in NEIGHBOURHOODS),
    "python -m benchmarks reproduce --sections reliefe-k",
)
