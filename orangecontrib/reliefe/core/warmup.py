"""Rankings of small tables by every method: so that all kernels are compiled before somebody waits for them."""

from collections.abc import Callable, Iterator
from contextlib import suppress
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
from .methods.registry import METHODS
from .methods.wrapper import innermost
from .targets.tasks import CLASSIFICATION, HIERARCHICAL, MULTILABEL, REGRESSION, SURVIVAL, UNSUPERVISED

N_ROWS = 48
LARGE = 1001, 100
FEW: dict[str, dict[str, Any]] = {ROWS: {"n_instances": 64}, ITERATIONS: {"max_iter": 1}}
EXPENSIVE = ("umap",)  # tried on one table only: nothing else depends on the features
FEW_STEPS = {"max_iter": 2, "n_trees": 2}  # iterations of filters: the kernels are those of the first one
SEVERAL_TARGETS = "multi-target"

Step = tuple[str, Callable[[], object]]


class Problem(NamedTuple):
    """Small table with a target; the fields are arguments of `rank`."""

    title: str
    task: str
    X: object
    y: object
    nominal: object
    hierarchy: object

    @property
    def options(self) -> dict[str, Any]:
        return {"task": self.task, "nominal": self.nominal, "hierarchy": self.hierarchy}


def problems() -> Iterator[Problem]:
    """Every kind of target on every kind of features: numeric, mixed, nominal, incomplete, sparse."""
    rng = np.random.default_rng(0)
    numbers, codes = rng.normal(size=(N_ROWS, 11)), rng.integers(0, 3, size=(N_ROWS, 4)).astype(float)
    mixed = np.c_[numbers, codes]
    incomplete = np.where(rng.random(mixed.shape) < 0.05, np.nan, mixed)
    stored = sparse.csr_array(np.where(rng.random(mixed.shape) < 0.3, rng.random(mixed.shape), 0))
    features = {
        "numeric": (numbers, None),
        "mixed": (mixed, np.arange(11, 15)),
        "nominal": (codes, np.arange(4)),
        "incomplete": (incomplete, np.arange(11, 15)),
        "sparse": (stored, None),
    }
    value, classes = numbers[:, 0] + rng.normal(size=N_ROWS), np.arange(N_ROWS) % 3
    labels = (rng.random((N_ROWS, 4)) < 0.4).astype(int)
    closed = np.c_[labels[:, :3].max(axis=1), labels[:, 1:]]
    targets: list[tuple[str, object, object]] = [
        (CLASSIFICATION, classes, None),
        (CLASSIFICATION, np.where(np.arange(N_ROWS) % 4, np.nan, classes % 2), None),
        (REGRESSION, value, None),
        (SEVERAL_TARGETS, np.c_[value, value**2, numbers[:, 1]], None),
        (MULTILABEL, labels, None),
        (HIERARCHICAL, closed, ((), (0,), (0,), ())),
        (UNSUPERVISED, None, None),
        (SURVIVAL, np.c_[np.exp(value), np.arange(N_ROWS) % 2], None),
    ]
    for kind, (X, nominal) in features.items():
        for task, y, hierarchy in targets:
            yield Problem(f"{kind} features, {task}", task, X, y, nominal, hierarchy)


def warm(everything: bool = False, progress: Callable[[float, str], object] | None = None) -> int:
    """Compile kernels that are not compiled yet, and keep them on disk."""
    from .kernels.cache import KernelCache

    before, todo = len(KernelCache.missing), steps(everything)
    for done, (title, step) in enumerate(todo):
        if progress:
            progress(done / len(todo), title)
        step()
    if progress:
        progress(1.0, "")
    return len(KernelCache.missing) - before


def steps(everything: bool = False) -> list[Step]:
    """Titles and functions of whatever is to be compiled; everything: as in `warm`."""
    return [("UMAP", _umap), *_rankings(everything), *_large(), *_others()]


def _umap() -> None:
    """Compile what the import of UMAP compiles: the first ranking by it takes enough memory without that."""
    with suppress(ValueError):
        umap_library()


def variants(method: Method[Any]) -> Iterator[dict[str, Any]]:
    """Parameters of a method: the defaults, then every other choice of every parameter, one at a time."""
    yield {}
    for parameter in method.parameters:
        values: list[object] = [*parameter.choices]
        values += [not parameter.default] if parameter.kind in ("switch", "ramp") else []
        values += [None] if parameter.none else []
        yield from ({parameter.name: value} for value in values if value != parameter.default)


def _rankings(everything: bool) -> Iterator[Step]:
    for problem in problems():
        first = problem.title.startswith("numeric")
        for method in innermost():  # a wrapper compiles what its cores do
            chosen = variants(method) if problem.task in method.tasks else iter(())
            for parameters in chosen if everything else islice(chosen, 1):
                used = {p.name: p.default for p in method.parameters} | parameters
                few = {name: n for name, n in FEW_STEPS.items() if name in used and method.family == "filter"}
                if first or not any(value in EXPENSIVE for value in used.values() if isinstance(value, str)):
                    yield f"{method.title}, {problem.title}", _ranking(problem, method.name, {**few, **parameters})


def _ranking(problem: Problem, method: str, parameters: dict[str, Any]) -> Callable[[], object]:
    def step() -> None:
        with suppress(ValueError):  # the method does not take these data, or not with this parameter
            rank(problem.X, problem.y, method, n_jobs=1, **problem.options, **parameters)

    return step


def _large() -> Iterator[Step]:
    """Rankings in single precision, whose kernels are others."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=LARGE)
    classes = np.arange(LARGE[0]) % 3
    labels = (rng.random((LARGE[0], 3)) < 0.4).astype(int)
    mixed = np.c_[X[:, :-4], rng.integers(0, 3, size=(LARGE[0], 4))]
    targets = {CLASSIFICATION: classes, REGRESSION: X[:, 0] + X[:, 1], MULTILABEL: labels, UNSUPERVISED: None}
    for kind, table, nominal in (("numeric", X, None), ("mixed", mixed, np.arange(LARGE[1] - 4, LARGE[1]))):
        for task, y in targets.items():
            problem = Problem(f"many {kind} features, {task}", task, table, y, nominal, None)
            for method in METHODS.values():
                few = FEW.get(method.traits.refines or "")
                if task in method.tasks and few and method.name != "reliefe":
                    yield f"{method.title}, {problem.title}", _ranking(problem, method.name, few)


def _others() -> Iterator[Step]:
    for problem in problems():
        if problem.title.startswith(("numeric", "incomplete")) and problem.task in (CLASSIFICATION, REGRESSION):
            method = "relieff" if problem.task == CLASSIFICATION else "rrelieff"
            yield f"some of the rows, {problem.title}", _ranking(problem, method, {"n_instances": N_ROWS // 2})
        if problem.title.startswith(("numeric", "incomplete", "sparse")):
            yield f"trees, {problem.title}", lambda p=problem: _trees(p)  # type: ignore[misc]  # a default binds it now
    numeric = next(problems())
    rng = np.random.default_rng(0)
    for title, X in (("few", np.asarray(numeric.X)), ("many", rng.normal(size=LARGE))):
        for y in (np.arange(len(X)) % 3, X[:, 0] + X[:, 1]):
            yield f"p-values, {title} features", lambda X=X, y=y: _tested(X, y)  # type: ignore[misc]
            yield f"all numbers of neighbours, {title} features", lambda X=X, y=y: _all_k(X, y)  # type: ignore[misc]
    for n, p in ((N_ROWS, 70), LARGE):
        yield f"genotypes of {n} rows", lambda shape=(n, p): _genotypes(shape)  # type: ignore[misc]
    for n, p in ((300, 40), LARGE):
        yield f"few values in {n} rows", lambda shape=(n, p): _few_values(shape)  # type: ignore[misc]
    X = np.asarray(numeric.X)
    tails = rng.normal(size=LARGE) ** 15  # which are searched in single precision
    yield "heavy tails", lambda: rank(tails, np.arange(len(tails)) % 2, "relieff", n_instances=64, n_jobs=1)
    yield "dimension", lambda: intrinsic_dimension(X)
    yield "neighbours", lambda: weighted_knn(X, X[:, 0], X, np.ones(X.shape[1]), 3)
    wide = np.random.default_rng(1).normal(size=(N_ROWS, 3 * X.shape[1]))
    wide[:, :3] += np.asarray(numeric.y)[:, None]  # which weigh much: others are shuffled around them
    yield "heavy features", lambda: rank(wide, numeric.y, "boostedlearnedrelief", n_jobs=1)
    yield "embedding of many rows", lambda: rank(X, numeric.y, "reliefe", n_representatives=30, n_jobs=1)


def _tested(X: np.ndarray, y: np.ndarray) -> None:
    rank(X, y, "multisurf", significance=1, n_instances=min(64, len(X)), n_jobs=1)


def _genotypes(shape: tuple[int, int]) -> None:
    rng, n = np.random.default_rng(0), shape[0]
    codes = rng.integers(0, 3, size=shape)
    classes = np.arange(n) % 2
    value = rng.normal(size=n)
    for given, strategy in ((codes, None), (np.where(rng.random(shape) < 0.02, -1, codes), "ignore")):
        for additive in (False, True):
            table = Packed.of(given, additive)
            for method, y in (("relieff", classes), ("multisurf", classes), ("rrelieff", value)):
                rank(table, y, method, missing=strategy, n_instances=min(64, n), n_jobs=1)
            table.columns(np.arange(5))
            warm_bed(n, additive)


def _few_values(shape: tuple[int, int]) -> None:
    values, classes = np.random.default_rng(0).integers(0, 3, size=shape), np.arange(shape[0]) % 2
    for method in ("relieff", "multisurf"):
        rank(values, classes, method, nominal=np.arange(shape[1] // 2), n_instances=64, n_jobs=1)


def _all_k(X: np.ndarray, y: np.ndarray) -> None:
    method = "relieff" if y.dtype.kind == "i" else "rrelieff"
    neighbour_curves(X, y, method, max_neighbors=3, n_instances=min(64, len(X)), n_jobs=1).scores(2)


def _trees(problem: Problem) -> None:
    with suppress(ValueError):  # trees do not take these data
        grow(problem.X, problem.y, n_trees=2, **problem.options).model().predict(cast("np.ndarray", problem.X))
