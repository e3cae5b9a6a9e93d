"""Functions of core.embedding and core.evaluation with arguments that they take."""

from collections.abc import Callable
from importlib import import_module

import numpy as np

from .faces import Face
from .kinds import Case
from .mutations import pick

Generator = np.random.Generator


def _named(values: np.ndarray) -> Case:
    return {"!": "array", "values": values.tolist()}


def _scores(rng: Generator, p: int = 6) -> Case:
    return _named(np.round(rng.random(p), pick((1, 6), rng)))


def _matrix(rng: Generator, n: int = 4, p: int = 6) -> Case:
    return _named(np.round(rng.random((n, p)), pick((1, 6), rng)))


def _codes(rng: Generator, n: int = 8) -> Case:
    return _named(rng.permutation(np.arange(n) % 3))


def _two(maker: Callable) -> Callable:
    return lambda rng: [maker(rng), maker(rng)]


def _one(maker: Callable) -> Callable:
    return lambda rng: [maker(rng)]


SIZES = (None, [1, 3], [2], {"!": "array", "values": [1, 2, 6]})
NUMBERS = (1, 2, 3, 5)
DATA = {"task": ("classification", "regression"), "nominal": (None, [0]), "random_state": (0, 1)}
EVALUATION: dict[str, tuple[Callable, dict]] = {
    **dict.fromkeys(("fuji", "jaccard", "kuncheva", "overlap"), (_two(_scores), {"sizes": SIZES})),
    **dict.fromkeys(("kendall", "spearman", "weighted_kendall"), (_two(_scores), {})),
    "rbo": (_two(_scores), {"sizes": (None, 3), "persistence": (0.5, 0.9)}),
    "compare": (_one(_matrix), {"measure": ("fuji", "kendall"), "sizes": SIZES}),
    "compare_sizes": (_one(_matrix), {"measure": ("fuji", "rbo"), "sizes": SIZES}),
    "aggregate": (_one(_matrix), {"method": ("mean-rank", "robust", "median-rank"), "weights": (None, [1, 2, 1, 1])}),
    "ranks": (_one(_matrix), {}),
    "rank_intervals": (_one(_matrix), {"level": (0.9, 0.5)}),
    "average_ranks": (_one(_matrix), {"higher_is_better": (True, False)}),
    "friedman": (_one(_matrix), {"higher_is_better": (True, False)}),
    "nemenyi": (lambda rng: [_scores(rng), pick(NUMBERS, rng)], {}),
    "cliques": (lambda rng: [_scores(rng), 0.5], {}),
    "rank_diagram": (lambda rng: [_scores(rng), 0.5], {}),
    "corrected_t": (lambda rng: [_scores(rng), _scores(rng), 3], {"rope": (0.0, 0.1), "level": (0.95,)}),
    "hierarchical_t": (lambda rng: [_matrix(rng), _matrix(rng), 3], {"n_sweeps": (20,), "rope": (0.01, 0.1)}),
    "resampled_interval": (lambda rng: [_matrix(rng), 3], {"level": (0.95, 0.5)}),
    "curve_area": (lambda rng: [[1, 2, 4, 8, 16, 32], _scores(rng)], {}),
    "enough": (lambda rng: [[1, 2, 4, 8, 16, 32], _matrix(rng), 3], {"higher_is_better": (True, False)}),
    "rrmse": (_two(_scores), {}),
    "feature_weights": (_one(_scores), {}),
    "in_triangle": (lambda rng: [_named(rng.dirichlet([1, 1, 1], 4))], {}),
    "nogueira": (lambda rng: [_named(rng.integers(0, 2, (4, 6)))], {"level": (0.95, 0.5)}),
    "mean_kuncheva": (lambda rng: [_matrix(rng), 2], {}),
    "weighted_knn": (
        lambda rng: [_matrix(rng, 8), _codes(rng), _matrix(rng, 3), _scores(rng), pick(NUMBERS, rng)],
        {"nominal": (None, [0]), "ranges": (None,)},
    ),
    "clustering_hypothesis": (lambda rng: [_matrix(rng, 8), _codes(rng)], {**DATA, "n_runs": (1, 2)}),
    "quality_curve": (
        lambda rng: [{"!": "ranker"}, _matrix(rng, 24), _codes(rng, 24)],
        {**DATA, "sizes": (None, [1, 3]), "measure": (None,), "n_jobs": (1, 2)},
    ),
    "stability_selection": (
        lambda rng: [{"!": "ranker"}, _matrix(rng, 24), _codes(rng, 24)],
        {"n_best": (1, 3), "threshold": (0.6, 0.9), "n_pairs": (1, 3), "random_state": (0, 1)},
    ),
    "rmse_1nn": (lambda rng: [_matrix(rng, 12), {"!": "order"}], {"sizes": ([1, 2],), "last": (True, False)}),
}
EMBEDDING: dict[str, tuple[Callable, dict]] = {
    "intrinsic_dimension": (
        lambda rng: [_matrix(rng, 12)],
        {
            "method": ("twonn", "mle"),
            "discard": (0.0, 0.1),
            "dedupe": (True, False),
            "n_resamples": (0, 3),
            "confidence": (0.95, 0.5),
            "random_state": (0, 1),
        },
    ),
    "density": (lambda rng: [_matrix(rng)], {}),
    "density_curve": (lambda rng: [_matrix(rng)], {"epsilons": (None, [0.1, 1.0], [2])}),
    "sparsify": (
        lambda rng: [_matrix(rng)],
        {"epsilon": (None, 0.1, 1.0), "row_normalize": (True, False), "random_state": (0, 1)},
    ),
    "spectral_error": (_two(_matrix), {"random_state": (0, 1)}),
}


def _function(module: str, name: str) -> Callable:
    def function(given: list, options: dict, work: Callable) -> list:
        getattr(import_module(module), name)(*given, **options)
        return []

    return function


MEASURING = {
    name: Face(_function(module, name), module, False, valid, options, worded=False)
    for module, functions in (
        ("orangecontrib.reliefe.core.evaluation", EVALUATION),
        ("orangecontrib.reliefe.core.embedding", EMBEDDING),
    )
    for name, (valid, options) in functions.items()
}
