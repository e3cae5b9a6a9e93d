"""Rows as points of a space of few dimensions, by UMAP, principal components, or an object of the caller."""

import copy
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np
from scipy import sparse

from ..checks import whole
from ..data.arrays import matrix
from ..data.chosen_rows import rows_of
from ..words import shown
from ..work.threads import PAUSE, Work
from .principal import Pca
from .umap import Umap

ROWS_PER_BLOCK = 2048  # rows that are transformed at once
MAX_DIMENSIONS = 10**6  # dimensions, neighbours
FORMAL = (DeprecationWarning, FutureWarning, ImportWarning, PendingDeprecationWarning, ResourceWarning)
OWN_DOING = "(?s).*precomputed"  # UMAP is given who is near

_collecting = threading.RLock()

Matrix: TypeAlias = np.ndarray | sparse.csr_matrix


@dataclass(frozen=True)
class Embedding:
    """coordinates (n, d): float64, C order, finite.  how: "umap", "pca" or the name of a class.

    notes: warnings of libraries, in sentences.  seconds: time it took.
    """

    coordinates: np.ndarray
    how: str
    notes: tuple[str, ...]
    seconds: float


def embed(
    X: np.ndarray | sparse.sparray | sparse.spmatrix,
    fit_rows: np.ndarray,
    dimension: int,
    how: object = "umap",
    *,
    n_neighbors: int = 15,
    metric: str = "euclidean",
    output_metric: str = "euclidean",
    random_state: int = 0,
    progress: Callable[[float], object] | None = None,
    fit_matrix: np.ndarray | sparse.sparray | sparse.spmatrix | None = None,
) -> Embedding:
    """Learn an embedding from some rows of X (n, q), dense or sparse, and place all rows.

    fit_rows: indices or a mask (n,) of these rows; they keep the coordinates they got when it was learned.
    fit_matrix (rows, q): data to learn from instead of X[fit_rows].  dimension: of the result, at least 1; an object
    decides itself.  how: "umap", "pca" or an object with `fit` and `transform`, which is cloned.
    n_neighbors, metric, output_metric: of UMAP.  progress is called with the share done and may raise Interrupted.
    Raises ValueError for bad input, or if the embedding does not return n finite points.

    McInnes, Healy and Melville (2018), UMAP, arXiv:1802.03426; Skrlj et al. (2022), ReliefE, section 3.5.
    """
    started = time.perf_counter()
    X = _read(X, "X")
    n, fit_rows = X.shape[0], rows_of(fit_rows, X.shape[0], "fit_rows")
    if not len(fit_rows) or len(np.unique(fit_rows)) < len(fit_rows):
        raise ValueError(f"fit_rows must be different indices from 0 to {n - 1}, or a mask of length {n}")
    F = X[fit_rows] if fit_matrix is None else _read(fit_matrix, "fit_matrix")
    if sparse.issparse(X):  # embeddings learn from the one and place the other
        F = sparse.csr_matrix(F)
    elif sparse.issparse(F):
        F = cast("sparse.csr_matrix", F).toarray()
    if F.shape != (len(fit_rows), X.shape[1]):
        raise ValueError(f"fit_matrix must have shape {(len(fit_rows), X.shape[1])}, not {F.shape}")
    dimension = whole("dimension", dimension, 1, MAX_DIMENSIONS)
    n_neighbors = whole("n_neighbors", n_neighbors, 1, MAX_DIMENSIONS)
    for name, value in (("metric", metric), ("output_metric", output_metric)):
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a name, not {shown(value)}")
    caught: list[warnings.WarningMessage]
    random_state = whole("random_state", random_state, 0)
    work = Work(1, progress)
    caught = []
    work.plan(n)
    options = (n_neighbors, metric, output_metric, random_state, work)
    with collected(caught, work):
        embedder = _embedder(how, F.shape, dimension, options)
        coordinates = _place(embedder, X, F, fit_rows, work)
    work.finish()
    name = how if isinstance(how, str) else type(how).__name__
    texts = (" ".join(str(w.message).split()) for w in caught if not issubclass(w.category, FORMAL))
    notes = tuple(f"The embedding warns: {text}" for text in dict.fromkeys(texts) if text)
    return Embedding(coordinates, name, notes, time.perf_counter() - started)


def _place(embedder: Any, X: Matrix, F: Matrix, fit_rows: np.ndarray, work: Work) -> np.ndarray:
    """(n, d): the rows to learn from first, then all others in blocks."""
    work.tick()
    together = getattr(embedder, "fit_transform", None)
    first = _points(together(F) if together else embedder.fit(F).transform(F), len(fit_rows))
    out = np.empty((X.shape[0], first.shape[1]))
    out[fit_rows] = first
    rest = np.setdiff1d(np.arange(X.shape[0]), fit_rows)
    if not isinstance(embedder, Umap):
        work.tick(len(fit_rows))
    for start in range(0, len(rest), ROWS_PER_BLOCK):
        rows = rest[start : start + ROWS_PER_BLOCK]
        points = _points(embedder.transform(X[rows]), len(rows))
        if points.shape[1] != out.shape[1]:
            raise ValueError(f"the embedding returned {out.shape[1]} and then {points.shape[1]} coordinates for a row")
        out[rows] = points
        if not isinstance(embedder, Umap):
            work.tick(len(rows))
    return out


def _embedder(how: object, shape: tuple[int, int], dimension: int, options: tuple[Any, ...]) -> Any:
    if isinstance(how, str):
        if how not in ("umap", "pca"):
            raise ValueError(
                f"unknown embedding {shown(how)}; choose from umap, pca, or give an object with fit, transform"
            )
        return Umap(shape[0], dimension, *options) if how == "umap" else Pca(shape, dimension, options[-1])
    if isinstance(how, type) or not (hasattr(how, "fit") and hasattr(how, "transform")):
        raise ValueError(f"an embedding must be an object with fit and transform, not {shown(how)}")
    return _clone(how, options[3])


def _clone(embedder: Any, random_state: int) -> Any:
    """Copy, so that the caller's object stays as it is; a seed that is not set is set."""
    if not hasattr(embedder, "get_params"):
        return copy.deepcopy(embedder)
    from sklearn.base import clone

    embedder = clone(embedder)
    if embedder.get_params(deep=False).get("random_state", 0) is None:
        embedder.set_params(random_state=random_state % 2**32)
    return embedder


@contextmanager
def collected(caught: list[warnings.WarningMessage], work: Work) -> Iterator[None]:
    """Warnings end in `caught`, not on the user's screen; one thread at a time, as Python's filters are for all."""
    while not _collecting.acquire(timeout=PAUSE):
        work.tick()
    try:
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            warnings.filterwarnings("ignore", message=OWN_DOING)
            try:
                yield
            finally:
                caught.extend(found)
    finally:
        _collecting.release()


def _read(X: object, name: str) -> Matrix:
    """Numbers, all finite; as the kind of CSR that libraries know."""
    X = matrix(X, name)
    X = sparse.csr_matrix(X) if sparse.issparse(X) else X
    if not np.isfinite(X.data if sparse.issparse(X) else X).all():
        raise ValueError(f"{name} has missing or infinite values")
    return X


def _points(found: object, n: int) -> np.ndarray:
    """(n, d) float64, checked."""
    if sparse.issparse(found):
        raise ValueError("the embedding returned a sparse matrix; coordinates must be dense")
    found = np.asarray(found)
    if found.ndim != 2 or found.shape[0] != n or found.shape[1] == 0 or found.dtype.kind not in "fiub":
        raise ValueError(f"the embedding returned an array of shape {found.shape} for {n} rows")
    wrong = n - int(np.isfinite(found).all(axis=1).sum())
    if wrong:
        raise ValueError(f"the embedding returned coordinates that are no numbers for {wrong} of {n} rows")
    return found.astype(np.float64)
