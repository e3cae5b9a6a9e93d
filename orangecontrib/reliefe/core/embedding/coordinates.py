"""Embedding: coordinates of rows in a few dimensions, by UMAP, principal components, or an object of the caller.

`methods/reliefe.py` calls `embed` with the rows of a table and a sample of them to learn from.
"""

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

UMAP = "umap"
PCA = "pca"
ROWS_PER_BLOCK = 2048  # rows that are transformed at once; chosen by eye
MAX_DIMENSIONS = 10**6  # dimensions, or neighbours, at most
# Warnings that are meant for programmers
FORMAL = (DeprecationWarning, FutureWarning, ImportWarning, PendingDeprecationWarning, ResourceWarning)
EXPECTED_WARNING = "(?s).*precomputed"  # by UMAP, since it is given the nearest rows

_warnings_lock = threading.RLock()

Matrix: TypeAlias = np.ndarray | sparse.csr_matrix


@dataclass(frozen=True)
class Embedding:
    """Coordinates of rows.

    coordinates (n, d): finite float64, in C order.
    how: "umap", "pca" or the name of a class.
    notes: warnings of libraries, in sentences.
    seconds: time it took.
    """

    coordinates: np.ndarray
    how: str
    notes: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class _UmapOptions:
    """Options of UMAP; see `Umap`."""

    n_neighbors: int
    metric: str
    output_metric: str
    random_state: int


def embed(
    X: np.ndarray | sparse.sparray | sparse.spmatrix,
    fit_rows: np.ndarray,
    dimension: int,
    how: object = UMAP,
    *,
    n_neighbors: int = 15,
    metric: str = "euclidean",
    output_metric: str = "euclidean",
    random_state: int = 0,
    progress: Callable[[float], object] | None = None,
    fit_matrix: np.ndarray | sparse.sparray | sparse.spmatrix | None = None,
) -> Embedding:
    """Learn an embedding from chosen rows, and compute the coordinates of all rows.

    McInnes, Healy and Melville (2018), UMAP, arXiv:1802.03426; Skrlj et al. (2022), ReliefE, section 3.5.

    Parameters
    ----------
    X : (n, q) array or sparse matrix
        Rows.
    fit_rows : int array or (n,) bool array
        Rows to learn from; they keep the coordinates they got when the embedding was learned.
    dimension : int
        Number of coordinates, at least 1; an object decides itself.
    how : str or object
        "umap", "pca" or an object with `fit` and `transform`, which is cloned.
    n_neighbors : int
        Number of nearest rows of UMAP.
    metric, output_metric : str
        Metrics of UMAP.
    random_state : int
        Seed.
    progress : callable, optional
        Called with the share done; raises `Interrupted` to stop.
    fit_matrix : (rows, q) array or sparse matrix, optional
        Data to learn from instead of X[fit_rows].

    Returns
    -------
    Embedding

    Raises
    ------
    ValueError
        If an argument is wrong, or the embedding does not return n finite points.
    """
    started = time.perf_counter()
    X = _finite_matrix(X, "X")
    n = X.shape[0]
    fit_rows = rows_of(fit_rows, n, "fit_rows")
    if not len(fit_rows) or len(np.unique(fit_rows)) < len(fit_rows):
        raise ValueError(f"fit_rows must be different indices from 0 to {n - 1}, or a mask of length {n}")
    F = X[fit_rows] if fit_matrix is None else _finite_matrix(fit_matrix, "fit_matrix")
    # Embeddings that learned from sparse rows transform sparse rows.
    if sparse.issparse(X):
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
    random_state = whole("random_state", random_state, 0)
    work = Work(1, progress)
    work.plan(n)
    options = _UmapOptions(n_neighbors, metric, output_metric, random_state)
    caught: list[warnings.WarningMessage] = []
    with collected(caught, work):
        embedder = _embedder(how, F.shape, dimension, options, work)
        coordinates = _coordinates(embedder, X, F, fit_rows, work)
    work.finish()
    texts = (" ".join(str(warning.message).split()) for warning in caught if not issubclass(warning.category, FORMAL))
    return Embedding(
        coordinates=coordinates,
        how=how if isinstance(how, str) else type(how).__name__,
        notes=tuple(f"The embedding warns: {text}" for text in dict.fromkeys(texts) if text),
        seconds=time.perf_counter() - started,
    )


def _coordinates(embedder: Any, X: Matrix, F: Matrix, fit_rows: np.ndarray, work: Work) -> np.ndarray:
    """Compute coordinates (n, d): of the rows to learn from first, then of all others in blocks."""
    work.tick()
    n = X.shape[0]
    reports_rows = isinstance(embedder, Umap)
    fit_transform = getattr(embedder, "fit_transform", None)
    fitted = fit_transform(F) if fit_transform else embedder.fit(F).transform(F)
    first = _checked_points(fitted, len(fit_rows))
    d = first.shape[1]
    out = np.empty((n, d))
    out[fit_rows] = first
    if not reports_rows:
        work.tick(len(fit_rows))
    other_rows = np.setdiff1d(np.arange(n), fit_rows)
    for start in range(0, len(other_rows), ROWS_PER_BLOCK):
        rows = other_rows[start : start + ROWS_PER_BLOCK]
        points = _checked_points(embedder.transform(X[rows]), len(rows))
        if points.shape[1] != d:
            raise ValueError(f"the embedding returned {d} and then {points.shape[1]} coordinates for a row")
        out[rows] = points
        if not reports_rows:
            work.tick(len(rows))
    return out


def _embedder(how: object, shape: tuple[int, int], dimension: int, options: _UmapOptions, work: Work) -> Any:
    """Make the object that embeds; shape: that of the data to learn from."""
    if isinstance(how, str):
        if how == UMAP:
            return Umap(
                rows=shape[0],
                dimension=dimension,
                n_neighbors=options.n_neighbors,
                metric=options.metric,
                output_metric=options.output_metric,
                random_state=options.random_state,
                work=work,
            )
        if how == PCA:
            return Pca(dimension, work)
        raise ValueError(
            f"unknown embedding {shown(how)}; choose from umap, pca, or give an object with fit, transform"
        )
    if isinstance(how, type) or not (hasattr(how, "fit") and hasattr(how, "transform")):
        raise ValueError(f"an embedding must be an object with fit and transform, not {shown(how)}")
    return _clone(how, options.random_state)


def _clone(embedder: Any, random_state: int) -> Any:
    """Copy an embedder, so that the caller's object stays as it is; a seed that is not set is set."""
    if not hasattr(embedder, "get_params"):
        return copy.deepcopy(embedder)
    from sklearn.base import clone

    embedder = clone(embedder)
    if embedder.get_params(deep=False).get("random_state", 0) is None:
        embedder.set_params(random_state=random_state % 2**32)
    return embedder


@contextmanager
def collected(caught: list[warnings.WarningMessage], work: Work) -> Iterator[None]:
    """Collect warnings in `caught` instead of printing them; one thread at a time, as Python's filters are for all."""
    while not _warnings_lock.acquire(timeout=PAUSE):
        work.tick()
    try:
        with warnings.catch_warnings(record=True) as recorded:
            warnings.simplefilter("always")
            warnings.filterwarnings("ignore", message=EXPECTED_WARNING)
            try:
                yield
            finally:
                caught.extend(recorded)
    finally:
        _warnings_lock.release()


def _finite_matrix(X: object, name: str) -> Matrix:
    """Read numbers, all finite; sparse ones become the kind of CSR that libraries accept."""
    X = matrix(X, name)
    X = sparse.csr_matrix(X) if sparse.issparse(X) else X
    if not np.isfinite(X.data if sparse.issparse(X) else X).all():
        raise ValueError(f"{name} has missing or infinite values")
    return X


def _checked_points(points: object, n: int) -> np.ndarray:
    """Check that points are n rows of finite coordinates, and convert them to float64."""
    if sparse.issparse(points):
        raise ValueError("the embedding returned a sparse matrix; coordinates must be dense")
    points = np.asarray(points)
    if points.ndim != 2 or points.shape[0] != n or points.shape[1] == 0 or points.dtype.kind not in "fiub":
        raise ValueError(f"the embedding returned an array of shape {points.shape} for {n} rows")
    n_wrong = n - int(np.isfinite(points).all(axis=1).sum())
    if n_wrong:
        raise ValueError(f"the embedding returned coordinates that are no numbers for {n_wrong} of {n} rows")
    return points.astype(np.float64)
