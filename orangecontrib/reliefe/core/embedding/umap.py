"""UMAP, so that it can be watched and stopped, gives the same for the same seed, and keeps quiet.

Nearest rows come from here: UMAP's own search is compiled for a minute where there are many rows, cannot be stopped,
and is inexact.
"""

import io
import math
import threading
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..kernels.jit import cached
from ..points.nearest import smallest
from ..work.threads import Interrupted, Work

CLOSE_SHARE = 1e-3  # squared distances below this share of the squared lengths are computed again, without cancellation
CELLS_PER_BLOCK = 1 << 22  # numbers in memory at once when they are
STRIP = 512  # rows, at most, whose distances are computed between two looks at whether to stop
EPOCHS = {"fit_transform": 500, "transform": 100}  # UMAP's choice up to 10,000 rows; only progress relies on them

_turn = threading.Lock()  # numba's simplest threading layer ends the process when two threads use it at a time


class Umap:
    """UMAP of its paper's defaults with a random start, for `rows` rows to learn from.

    It runs on a thread of its own: its import and its compilation, once after installation some ten seconds, cannot be
    interrupted, but they can be left alone.  Raises ValueError when there are too few rows.
    """

    def __init__(
        self,
        rows: int,
        dimension: int,
        n_neighbors: int,
        metric: str,
        output_metric: str,
        random_state: int,
        work: Work,
    ):
        if rows < 4:
            raise ValueError(f"UMAP needs at least 4 rows to learn from, not {rows}; embedding='pca' needs fewer")
        if dimension >= rows - 1:
            raise ValueError(
                f"UMAP with {dimension} dimensions needs more than {dimension + 1} rows to learn from, not {rows}"
            )
        if n_neighbors < 2:
            raise ValueError(f"n_neighbors of UMAP must be at least 2, not {n_neighbors}")
        self._near = metric == "euclidean"
        self._options: dict[str, Any] = {
            "n_neighbors": min(n_neighbors, rows - 1),
            "n_components": dimension,
            "metric": "precomputed" if self._near else metric,
            "output_metric": output_metric,
            "min_dist": 0.1,
            "init": "random",
            "low_memory": True,
            "random_state": random_state % 2**32,
            "transform_seed": random_state % 2**32,
            "n_jobs": 1,
        }
        self._work, self._watch = work, Watch()

    def fit_transform(self, F: np.ndarray | sparse.csr_matrix) -> np.ndarray:
        """(rows, d) from (rows, q)."""
        self._learned = F
        return self._run("fit_transform", F)

    def transform(self, X: np.ndarray | sparse.csr_matrix) -> np.ndarray:
        """(n, d) from (n, q)."""
        return self._run("transform", X)

    def _run(self, step: str, X: np.ndarray | sparse.csr_matrix) -> np.ndarray:
        """Count epochs while the other thread works; end at once when the work is to end, and that thread soon."""
        watch, total, done = self._watch, EPOCHS[step], 0

        def count(end: bool = False) -> None:
            nonlocal done
            epoch = total if end else min(watch.epoch, total)
            self._work.tick((epoch - done) * X.shape[0] / total)
            done = epoch

        watch.epoch, watch.stopped = 0, False
        try:
            found = self._work.aside(self._compute, step, X, tick=count)
            count(end=True)
            return found
        finally:
            watch.stopped = True

    def _compute(self, step: str, X: np.ndarray | sparse.csr_matrix) -> np.ndarray:
        look, options = self._watch.look, self._options
        if self._near:
            near, distances = neighbours(X, self._learned, options["n_neighbors"], look)
            shape = (X.shape[0], self._learned.shape[0])
            if step == "fit_transform":  # the option says who is near
                options = {**options, "precomputed_knn": (near, distances)}
                X = sparse.csr_matrix(shape, dtype=np.float32)
            else:
                ends = np.arange(0, near.size + 1, near.shape[1])
                X = sparse.csr_matrix((distances.ravel(), near.ravel(), ends), shape)
        while not _turn.acquire(timeout=0.05):
            look()
        try:
            if step == "fit_transform":
                self._umap = umap_library().UMAP(**options, tqdm_kwds=Epochs.bar(look))
            look()
            return cast("np.ndarray", getattr(self._umap, step)(X))
        finally:
            _turn.release()


class Watch:
    """Between the thread that computes and the one that waits.  It knows neither, so that both can be forgotten."""

    def __init__(self) -> None:
        self.stopped, self.epoch = False, 0

    def look(self, epoch: int = 0) -> None:
        """Tell how far it is; raises Interrupted when nobody waits any more."""
        if self.stopped:
            raise Interrupted
        self.epoch = epoch


class Epochs(int):
    """The `miniters` of a bar of tqdm: it is asked after every epoch whether to draw, says no, and calls `watch`.

    Raising there ends the work cleanly.  Raising in the `write` of the bar's file instead would leave tqdm's lock taken
    for good, and the next bar in another thread would wait forever.
    """

    watch: Callable[[int], None]

    def __new__(cls, watch: Callable[[int], None]) -> "Epochs":
        self = super().__new__(cls, 1)
        self.watch = watch
        return self

    def __le__(self, done: object) -> bool:
        self.watch(int(cast("int", done)))
        return False

    @classmethod
    def bar(cls, watch: Callable[[int], None]) -> dict[str, Any]:
        """Arguments of a bar that is never drawn."""
        return {"miniters": cls(watch), "delay": math.inf, "file": io.StringIO(), "disable": False}


def neighbours(
    A: np.ndarray | sparse.csr_matrix,
    B: np.ndarray | sparse.csr_matrix,
    k: int,
    look: Callable[[], object],
    cells: int = CELLS_PER_BLOCK,
) -> tuple[np.ndarray, np.ndarray]:
    """Nearest rows of B to each row of A, the first ones of those at equal distances."""
    near, out = np.empty((A.shape[0], k), np.int32), np.empty((A.shape[0], k), np.float32)
    step = int(np.clip(cells // B.shape[0], 1, STRIP))
    for start in range(0, len(near), step):
        rows = slice(start, start + step)
        far = distances(A[rows], B, look)
        chosen = smallest(far, k)
        near[rows], out[rows] = chosen, np.take_along_axis(far, chosen, axis=1)
    return near, out


def distances(
    A: np.ndarray | sparse.csr_matrix, B: np.ndarray | sparse.csr_matrix, look: Callable[[], object]
) -> np.ndarray:
    """(a, b) float32 Euclidean distances of the rows of two matrices; equal rows are at 0 exactly.

    `look` is called now and then, and ends the work by raising.
    """
    out = np.empty((A.shape[0], B.shape[0]), np.float32)
    A, B = (M.astype(np.float64, copy=False) for M in (A, B))
    lengths, exact = _squares(B), _whole(A) and _whole(B)
    turned = sparse.csr_array(B.T) if sparse.issparse(B) else B.T
    for start in range(0, len(out), STRIP):
        look()
        a = A[start : start + STRIP]
        both = _squares(a)[:, None] + lengths
        product = a @ turned
        squared = both - 2 * (product.toarray() if sparse.issparse(product) else product)
        rows, columns = ((), ()) if exact else np.nonzero(squared <= CLOSE_SHARE * both)
        step = max(CELLS_PER_BLOCK // A.shape[1], 1)
        for first in range(0, len(rows), step):
            i, j = rows[first : first + step], columns[first : first + step]
            squared[i, j] = _squares(a[i] - B[j])
        out[start : start + STRIP] = np.sqrt(squared)
    return out


def _whole(X: np.ndarray | sparse.csr_matrix) -> bool:
    """True if products of rows are sums of small integers, and so without rounding."""
    values: np.ndarray = cast("sparse.csr_matrix", X).data[None] if sparse.issparse(X) else X
    small = values.max(initial=0) < 1 << 16 and -values.min(initial=0) < 1 << 16
    return bool(small and all((row == np.rint(row)).all() for row in values))


def _squares(X: np.ndarray | sparse.csr_matrix) -> np.ndarray:
    """(n,) squared lengths of the rows."""
    if sparse.issparse(X):
        stored = cast("sparse.csr_matrix", X)
        n = stored.shape[0]
        return np.bincount(np.repeat(np.arange(n), np.diff(stored.indptr)), stored.data.astype(float) ** 2, n)
    return cast("np.ndarray", np.einsum("ij,ij->i", X, X, dtype=np.float64))


def umap_library() -> Any:
    """UMAP, whose functions are kept as the package's own are; raises ValueError where it cannot be imported."""
    from ..kernels.cache import kept_like_kernels

    try:
        with kept_like_kernels():
            import umap
    except ImportError as error:
        raise ValueError(
            f"UMAP cannot be used ({error}): install it by `pip install umap-learn`, or choose embedding='pca'"
        ) from error
    for function in (
        umap.umap_.smooth_knn_dist,
        umap.umap_.compute_membership_strengths,
        umap.layouts._nb_optimize_layout_euclidean_single_epoch,
    ):
        cached(function)
    return umap
