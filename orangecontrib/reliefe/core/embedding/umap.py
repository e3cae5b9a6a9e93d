"""UMAP (the package umap-learn) on a thread of its own, so that it can be watched and stopped.

`coordinates` fits a `Umap` on the rows of a sample and transforms all rows.  The same seed gives the same coordinates,
and nothing is printed.
"""

import io
import math
import threading
from collections.abc import Callable
from typing import Any, TypeAlias, cast

import numpy as np
from scipy import sparse

from ..kernels.jit import cached
from ..work.threads import Interrupted, Work
from .umap_neighbours import neighbours

# Steps, named as UMAP's methods, and UMAP's number of epochs up to 10,000 rows; only progress relies on them
FIT_TRANSFORM = "fit_transform"
TRANSFORM = "transform"
EPOCHS = {FIT_TRANSFORM: 500, TRANSFORM: 100}
MIN_ROWS = 4  # rows that UMAP can learn from
MIN_DIST = 0.1  # UMAP's default
PAUSE_SECONDS = 0.05  # between two looks whether another thread has left UMAP
Matrix: TypeAlias = np.ndarray | sparse.csr_matrix

_umap_lock = threading.Lock()  # numba's simplest threading layer ends the process when two threads use it at a time


class Umap:
    """UMAP with the defaults of its paper and a random start.

    It runs on a thread of its own: its import and its compilation, once after installation some ten seconds, cannot be
    interrupted, but the caller can stop waiting for them.
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
        """Check the options.

        Parameters
        ----------
        rows : int
            Number of rows to learn from.
        dimension : int
            Number of coordinates.
        n_neighbors : int
            Number of nearest rows.
        metric, output_metric : str
            UMAP's metrics of the rows, and of the coordinates.
        random_state : int
            Seed.
        work : Work
            Progress and stops.

        Raises
        ------
        ValueError
            If there are too few rows or neighbours.
        """
        if rows < MIN_ROWS:
            raise ValueError(f"UMAP needs at least 4 rows to learn from, not {rows}; embedding='pca' needs fewer")
        if dimension >= rows - 1:
            raise ValueError(
                f"UMAP with {dimension} dimensions needs more than {dimension + 1} rows to learn from, not {rows}"
            )
        if n_neighbors < 2:
            raise ValueError(f"n_neighbors of UMAP must be at least 2, not {n_neighbors}")
        self._searches = metric == "euclidean"  # nearest rows by `neighbours`; UMAP finds those by other metrics
        self._options: dict[str, Any] = {
            "n_neighbors": min(n_neighbors, rows - 1),
            "n_components": dimension,
            "metric": "precomputed" if self._searches else metric,
            "output_metric": output_metric,
            "min_dist": MIN_DIST,
            "init": "random",
            "low_memory": True,
            "random_state": random_state % 2**32,
            "transform_seed": random_state % 2**32,
            "n_jobs": 1,
        }
        self._work = work
        self._watch = Watch()

    def fit_transform(self, F: Matrix) -> np.ndarray:
        """Learn from F (rows, q) and return its coordinates (rows, d)."""
        self._training_rows = F
        return self._run(FIT_TRANSFORM, F)

    def transform(self, X: Matrix) -> np.ndarray:
        """Compute the coordinates (n, d) of X (n, q)."""
        return self._run(TRANSFORM, X)

    def _run(self, step: str, X: Matrix) -> np.ndarray:
        """Run a step on another thread and report its epochs.

        An exception of `work` ends the wait at once, and the other thread at its next look.
        """
        watch = self._watch
        n_epochs = EPOCHS[step]
        n_reported = 0

        def report(ended: bool = False) -> None:
            """Report the epochs since the last report as rows."""
            nonlocal n_reported
            epoch = n_epochs if ended else min(watch.epoch, n_epochs)
            self._work.tick((epoch - n_reported) * X.shape[0] / n_epochs)
            n_reported = epoch

        watch.epoch = 0
        watch.stopped = False
        try:
            coordinates = self._work.aside(self._compute, step, X, tick=report)
            report(ended=True)
            return coordinates
        finally:
            watch.stopped = True

    def _compute(self, step: str, X: Matrix) -> np.ndarray:
        """Call UMAP, one thread at a time."""
        look = self._watch.look
        options = self._options
        if self._searches:
            nearest = neighbours(X, self._training_rows, options["n_neighbors"], look)
            shape = (X.shape[0], self._training_rows.shape[0])
            if step == FIT_TRANSFORM:  # nearest rows are an option, and the rows themselves are not read
                options = {**options, "precomputed_knn": tuple(nearest)}
                X = sparse.csr_matrix(shape, dtype=np.float32)
            else:
                n, k = nearest.rows.shape
                row_ends = np.arange(0, n * k + 1, k)
                X = sparse.csr_matrix((nearest.distances.ravel(), nearest.rows.ravel(), row_ends), shape)
        while not _umap_lock.acquire(timeout=PAUSE_SECONDS):
            look()
        try:
            if step == FIT_TRANSFORM:
                self._umap = umap_library().UMAP(**options, tqdm_kwds=Epochs.bar(look))
            look()
            return cast("np.ndarray", getattr(self._umap, step)(X))
        finally:
            _umap_lock.release()


class Watch:
    """State that the thread which computes and the one which waits share.

    It refers to neither of them, so that both can be forgotten.

    stopped: set by the thread that waits, to end the other one.
    epoch: number of epochs that are done.
    """

    def __init__(self) -> None:
        """Begin at epoch 0."""
        self.stopped = False
        self.epoch = 0

    def look(self, epoch: int = 0) -> None:
        """Note how many epochs are done; raises Interrupted when no thread waits any more."""
        if self.stopped:
            raise Interrupted
        self.epoch = epoch


class Epochs(int):
    """The option `miniters` of a progress bar of tqdm, which UMAP compares with the number of epochs after each one.

    It answers that nothing is to be drawn, and calls `watch`.  Raising there ends the work cleanly.  Raising in the
    `write` of the bar's file instead would leave tqdm's lock taken for good, and the next bar in another thread would
    wait forever.
    """

    watch: Callable[[int], None]

    def __new__(cls, watch: Callable[[int], None]) -> "Epochs":
        """Make the option; watch: called with the number of epochs."""
        self = super().__new__(cls, 1)
        self.watch = watch
        return self

    def __le__(self, n_epochs: object) -> bool:
        """Call `watch`, and return False: the bar is not to be drawn."""
        self.watch(int(cast("int", n_epochs)))
        return False

    @classmethod
    def bar(cls, watch: Callable[[int], None]) -> dict[str, Any]:
        """Return the arguments of a progress bar that is never drawn."""
        return {"miniters": cls(watch), "delay": math.inf, "file": io.StringIO(), "disable": False}


def umap_library() -> Any:
    """Import UMAP, whose compiled functions are cached as the package's own are.

    Raises ValueError where it cannot be imported.
    """
    from ..kernels.cache import kept_like_kernels
    from ..kernels.compilation import STARTUP

    try:
        with STARTUP.measured(), kept_like_kernels():
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
