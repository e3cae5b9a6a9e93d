"""Compilation of all kernels in advance, by rankings of small tables with all methods.

`orange-reliefe warm` calls `warm`, as does the process that prepares methods beside Orange. Compiled kernels are cached
on disk, so that the first ranking of a user need not wait for them.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, cast

import numpy as np
from scipy import sparse

from .api import rank
from .data.bed_bits import warm_bed
from .data.packed import Packed
from .embedding import intrinsic_dimension
from .embedding.umap import umap_library
from .evaluation import weighted_knn
from .growing.ensemble import grow
from .growing.neighbour_curves import neighbour_curves
from .methods.base import ITERATIONS, ROWS, Method
from .methods.parameters import RAMP, SWITCH
from .methods.registry import METHODS
from .methods.wrapper import innermost
from .targets.tasks import CLASSIFICATION, HIERARCHICAL, MULTILABEL, REGRESSION, SURVIVAL, UNSUPERVISED

N_ROWS = 48  # of small tables
LARGE = (1001, 100)  # rows and features of tables whose distances are in single precision
N_NUMERIC = 11  # features of small tables
N_NOMINAL = 4
N_TARGET_ROWS = 64  # enough to run all kernels
# Parameters by which methods do little, by the unit of their partial rankings
FEW: dict[str, dict[str, Any]] = {ROWS: {"n_instances": N_TARGET_ROWS}, ITERATIONS: {"max_iter": 1}}
FEW_STEPS = {"max_iter": 2, "n_trees": 2}  # of filters
EXPENSIVE = ("umap",)  # values of parameters that are run on one table only, as they depend on nothing else
SEVERAL_TARGETS = "multi-target"


class WarmupStep(NamedTuple):
    """A step of the compilation.

    Attributes
    ----------
    title : str
        Title for the progress.
    run : callable
        Runs kernels, which compiles them.
    """

    title: str
    run: Callable[[], object]


class WarmupProblem(NamedTuple):
    """Small table with a target. All fields but the title are arguments of `rank`.

    Attributes
    ----------
    title : str
        Kinds of features and of the target.
    task : str
        Kind of target.
    X : array or sparse array (n, p)
        Features.
    y : array or None
        Target.
    nominal : int array or None
        Indices of nominal features.
    hierarchy : tuple or None
        Parents of labels.
    """

    title: str
    task: str
    X: object
    y: object
    nominal: object
    hierarchy: object

    @property
    def options(self) -> dict[str, Any]:
        """Arguments of `rank` besides X and y."""
        return {"task": self.task, "nominal": self.nominal, "hierarchy": self.hierarchy}


def problems() -> Iterator[WarmupProblem]:
    """Yield a table for each kind of features (numeric, mixed, nominal, incomplete, sparse) and of target."""
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(N_ROWS, N_NUMERIC))
    codes = rng.integers(0, 3, size=(N_ROWS, N_NOMINAL)).astype(float)
    mixed = np.c_[numbers, codes]
    incomplete = np.where(rng.random(mixed.shape) < 0.05, np.nan, mixed)
    stored = sparse.csr_array(np.where(rng.random(mixed.shape) < 0.3, rng.random(mixed.shape), 0))
    nominal_of_mixed = np.arange(N_NUMERIC, N_NUMERIC + N_NOMINAL)
    features = {
        "numeric": (numbers, None),
        "mixed": (mixed, nominal_of_mixed),
        "nominal": (codes, np.arange(N_NOMINAL)),
        "incomplete": (incomplete, nominal_of_mixed),
        "sparse": (stored, None),
    }
    value = numbers[:, 0] + rng.normal(size=N_ROWS)
    classes = np.arange(N_ROWS) % 3
    labels = (rng.random((N_ROWS, 4)) < 0.4).astype(int)
    labels_of_hierarchy = np.c_[labels[:, :3].max(axis=1), labels[:, 1:]]
    targets: list[tuple[str, object, object]] = [
        (CLASSIFICATION, classes, None),
        (CLASSIFICATION, np.where(np.arange(N_ROWS) % 4, np.nan, classes % 2), None),
        (REGRESSION, value, None),
        (SEVERAL_TARGETS, np.c_[value, value**2, numbers[:, 1]], None),
        (MULTILABEL, labels, None),
        (HIERARCHICAL, labels_of_hierarchy, ((), (0,), (0,), ())),
        (UNSUPERVISED, None, None),
        (SURVIVAL, np.c_[np.exp(value), np.arange(N_ROWS) % 2], None),
    ]
    for kind, (X, nominal) in features.items():
        for task, y, hierarchy in targets:
            yield WarmupProblem(f"{kind} features, {task}", task, X, y, nominal, hierarchy)


def warm(everything: bool = False, progress: Callable[[float, str], object] | None = None) -> int:
    """Compile kernels that are not cached yet.

    Parameters
    ----------
    everything : bool
        Whether all values of all parameters are run, instead of the defaults.
    progress : callable, optional
        Called with the share done, in [0, 1], and the title of the next step.

    Returns
    -------
    int
        Number of kernels that were compiled.
    """
    from .kernels.cache import KernelCache

    n_before = len(KernelCache.missing)
    todo = steps(everything)
    for number, step in enumerate(todo):
        if progress:
            progress(number / len(todo), step.title)
        step.run()
    if progress:
        progress(1.0, "")
    return len(KernelCache.missing) - n_before


def steps(everything: bool = False) -> list[WarmupStep]:
    """Return the steps of the compilation; `everything` as of `warm`."""
    return [WarmupStep("UMAP", _umap), *_rankings(everything), *_large(), *_other_steps()]


def _umap() -> None:
    """Import UMAP, which compiles kernels of its own."""
    with suppress(ValueError):
        umap_library()


def variants(method: Method[Any]) -> Iterator[dict[str, Any]]:
    """Yield parameters of a method: the defaults, then the other choices of each parameter, one at a time."""
    yield {}
    for parameter in method.parameters:
        values: list[object] = [*parameter.choices]
        if parameter.kind in (SWITCH, RAMP):
            values.append(not parameter.default)
        if parameter.none:
            values.append(None)
        yield from ({parameter.name: value} for value in values if value != parameter.default)


def _rankings(everything: bool) -> Iterator[WarmupStep]:
    """Rankings of small tables by all methods but wrappers, which use the kernels of their cores."""
    for problem in problems():
        is_first_table = problem.title.startswith("numeric")
        methods = (method for method in innermost() if problem.task in method.tasks)
        for method in methods:
            chosen = variants(method) if everything else islice(variants(method), 1)
            for parameters in chosen:
                values_of_parameters = {
                    parameter.name: parameter.default for parameter in method.parameters
                } | parameters
                is_expensive = any(
                    isinstance(value, str) and value in EXPENSIVE for value in values_of_parameters.values()
                )
                if is_first_table or not is_expensive:
                    few_steps = {}
                    if method.family == "filter":
                        few_steps = {name: n for name, n in FEW_STEPS.items() if name in values_of_parameters}
                    run = _ranking(problem, method.name, {**few_steps, **parameters})
                    yield WarmupStep(f"{method.title}, {problem.title}", run)


def _ranking(problem: WarmupProblem, method: str, parameters: dict[str, Any]) -> Callable[[], object]:
    """Function that ranks a table by a method."""

    def step() -> None:
        with suppress(ValueError):  # the method does not take these data, or not with this parameter
            rank(problem.X, problem.y, method, n_jobs=1, **problem.options, **parameters)

    return step


def _large() -> Iterator[WarmupStep]:
    """Rankings in single precision, which has kernels of its own."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=LARGE)
    classes = np.arange(LARGE[0]) % 3
    labels = (rng.random((LARGE[0], 3)) < 0.4).astype(int)
    mixed = np.c_[X[:, :-4], rng.integers(0, 3, size=(LARGE[0], 4))]
    targets = {CLASSIFICATION: classes, REGRESSION: X[:, 0] + X[:, 1], MULTILABEL: labels, UNSUPERVISED: None}
    for kind, table, nominal in (("numeric", X, None), ("mixed", mixed, np.arange(LARGE[1] - 4, LARGE[1]))):
        for task, y in targets.items():
            problem = WarmupProblem(f"many {kind} features, {task}", task, table, y, nominal, None)
            for method in METHODS.values():
                few_options = FEW.get(method.traits.refines or "")
                if task in method.tasks and few_options and method.name != "reliefe":
                    yield WarmupStep(f"{method.title}, {problem.title}", _ranking(problem, method.name, few_options))


def _other_steps() -> Iterator[WarmupStep]:
    """Trees, p-values, scores by numbers of neighbours, packed and narrow data, and other kernels."""
    yield from _on_small_tables()
    numeric = next(problems())
    X = np.asarray(numeric.X)
    rng = np.random.default_rng(0)
    for title, table in (("few", X), ("many", rng.normal(size=LARGE))):
        for y in (np.arange(len(table)) % 3, table[:, 0] + table[:, 1]):
            yield WarmupStep(f"p-values, {title} features", partial(_tested, table, y))
            yield WarmupStep(f"all numbers of neighbours, {title} features", partial(_all_k, table, y))
    for shape in ((N_ROWS, 70), LARGE):
        yield WarmupStep(f"genotypes of {shape[0]} rows", partial(_genotypes, shape))
    for shape in ((300, 40), LARGE):
        yield WarmupStep(f"few values in {shape[0]} rows", partial(_few_values, shape))

    # Values with heavy tails, which are searched in single precision
    tails = rng.normal(size=LARGE) ** 15
    classes = np.arange(len(tails)) % 2
    yield WarmupStep("heavy tails", partial(rank, tails, classes, "relieff", n_instances=N_TARGET_ROWS, n_jobs=1))
    yield WarmupStep("dimension", partial(intrinsic_dimension, X))
    yield WarmupStep("neighbours", partial(weighted_knn, X, X[:, 0], X, np.ones(X.shape[1]), 3))
    # Features with large weights, around which other features are permuted
    wide = np.random.default_rng(1).normal(size=(N_ROWS, 3 * X.shape[1]))
    wide[:, :3] += np.asarray(numeric.y)[:, None]
    yield WarmupStep("heavy features", partial(rank, wide, numeric.y, "boostedlearnedrelief", n_jobs=1))
    yield WarmupStep("embedding of many rows", partial(rank, X, numeric.y, "reliefe", n_representatives=30, n_jobs=1))


def _on_small_tables() -> Iterator[WarmupStep]:
    """Rankings by some target rows, and trees."""
    for problem in problems():
        if problem.title.startswith(("numeric", "incomplete")) and problem.task in (CLASSIFICATION, REGRESSION):
            method = "relieff" if problem.task == CLASSIFICATION else "rrelieff"
            run = _ranking(problem, method, {"n_instances": N_ROWS // 2})
            yield WarmupStep(f"some of the rows, {problem.title}", run)
        if problem.title.startswith(("numeric", "incomplete", "sparse")):
            yield WarmupStep(f"trees, {problem.title}", partial(_trees, problem))


def _tested(X: np.ndarray, y: np.ndarray) -> None:
    """Rank with p-values."""
    rank(X, y, "multisurf", significance=1, n_instances=min(N_TARGET_ROWS, len(X)), n_jobs=1)


def _genotypes(shape: tuple[int, int]) -> None:
    """Rank packed genotypes, with and without unknown ones."""
    rng = np.random.default_rng(0)
    n = shape[0]
    codes = rng.integers(0, 3, size=shape)
    classes = np.arange(n) % 2
    value = rng.normal(size=n)
    incomplete = np.where(rng.random(shape) < 0.02, -1, codes)
    for codes_to_rank, strategy in ((codes, None), (incomplete, "ignore")):
        for additive in (False, True):
            table = Packed.of(codes_to_rank, additive)
            for method, y in (("relieff", classes), ("multisurf", classes), ("rrelieff", value)):
                rank(table, y, method, missing=strategy, n_instances=min(N_TARGET_ROWS, n), n_jobs=1)
            table.columns(np.arange(5))
            warm_bed(n, additive)


def _few_values(shape: tuple[int, int]) -> None:
    """Rank a table of few different values, which are compared as small integers."""
    n, p = shape
    values = np.random.default_rng(0).integers(0, 3, size=shape)
    classes = np.arange(n) % 2
    for method in ("relieff", "multisurf"):
        rank(values, classes, method, nominal=np.arange(p // 2), n_instances=N_TARGET_ROWS, n_jobs=1)


def _all_k(X: np.ndarray, y: np.ndarray) -> None:
    """Score for all numbers of neighbours."""
    method = "relieff" if y.dtype.kind == "i" else "rrelieff"
    neighbour_curves(X, y, method, max_neighbors=3, n_instances=min(N_TARGET_ROWS, len(X)), n_jobs=1).scores(2)


def _trees(problem: WarmupProblem) -> None:
    """Grow trees, and predict by them."""
    with suppress(ValueError):  # trees do not take these data
        grow(problem.X, problem.y, n_trees=2, **problem.options).model().predict(cast("np.ndarray", problem.X))
