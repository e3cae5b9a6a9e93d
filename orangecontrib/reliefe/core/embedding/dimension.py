"""Intrinsic dimension: the number of coordinates that distinguish rows."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ..checks import inside, number, one_of, switch, whole
from ..data.arrays import matrix
from ..points.distinct_rows import distinct
from ..points.nearest import nearest
from ..words import percent, shown
from ..work.threads import Work
from .sparsify import stored

METHODS = ("twonn", "mle")
ECDF = ("i/n", "strict")
NEIGHBOURS = {"twonn": 2, "mle": 10}
SPARE_NEIGHBOURS = 30  # neighbours more than needed: so that every row has enough of them in its half
MAX_RESAMPLES = 10**6
MAX_DIMENSION = 128  # the dimension when there is nothing to estimate it from


@dataclass(frozen=True)
class Dimension:
    """estimate: the dimension, NaN if unknown.  dimension: the integer to use, from 1 to p.

    interval: (low, high) or None.  x, y: the points ln mu and -ln(1 - F(mu)) of the fit, ascending.  slope: the
    estimate. r_squared: share of the sum of y^2 that the line through the origin explains, at most 1.
    rows: number used.  duplicates: number of rows left out, equal to earlier ones.  dropped: number of rows without
    enough neighbours at a positive distance.  note: a sentence for the user, or "".
    """

    estimate: float
    dimension: int
    interval: tuple[float, float] | None
    x: np.ndarray
    y: np.ndarray
    slope: float
    r_squared: float
    rows: int
    duplicates: int
    dropped: int
    note: str
    method: str


def intrinsic_dimension(
    X: object,
    *,
    method: str = "twonn",
    discard: float = 0.0,
    ecdf: str = "i/n",
    dedupe: bool = True,
    n_resamples: int = 0,
    confidence: float = 0.95,
    random_state: int = 0,
    progress: Callable[[float], object] | None = None,
) -> Dimension:
    """Estimate the dimension of the manifold that the rows of X (n, p), dense or sparse, lie on, from nearest rows.

    method "twonn": slope of -ln(1 - F(mu)) over ln mu through the origin, mu = r2 / r1 the ratio of the distances to
    the two nearest rows, F its distribution: i / n without the largest mu, or (i - 1) / n with `ecdf` "strict".
    discard: share of the largest mu left out, in [0, 1).  method "mle": maximum likelihood from 10 neighbours.
    dedupe: use equal rows once; distances of 0 are passed over in any case.
    n_resamples: halves of the rows drawn for the interval at the given confidence; 0: no interval.
    progress is called with the share done; it may raise Interrupted.  Raises ValueError for bad input.

    Facco et al. (2017), Scientific Reports 7:12140; Skrlj et al. (2022), ReliefE, Algorithm 2.  Maximum likelihood:
    Levina and Bickel (2004), NIPS 17, equation 8, with the inverses averaged as MacKay and Ghahramani (2005) advise.
    """
    one_of("method", method, METHODS)
    one_of("ecdf", ecdf, ECDF)
    if not 0 <= number("discard", discard) < 1:
        raise ValueError(f"discard must be at least 0 and below 1, not {shown(discard)}")
    inside("confidence", confidence)
    whole("n_resamples", n_resamples, 0, MAX_RESAMPLES)
    whole("random_state", random_state, 0)
    dedupe = switch("dedupe", dedupe)
    work = Work(1, progress)
    X = matrix(X, "X")
    X = stored(X) if sparse.issparse(X) else np.ascontiguousarray(X, dtype=np.float64)
    if not sparse.issparse(X) and not np.isfinite(X).all():
        raise ValueError("X has missing or infinite values")
    kept = distinct(X) if dedupe else np.arange(X.shape[0])
    duplicates = X.shape[0] - len(kept)
    k = NEIGHBOURS[method]
    distances, who = nearest(X[kept] if duplicates else X, 2 * k + SPARE_NEIGHBOURS if n_resamples else k, work)
    estimator = Estimator(method, k, discard, ecdf)
    rows = distances[:, :k]
    estimate, x, y = estimator.fit(rows)
    usable, total = len(estimator.usable(rows)), float(y @ y)
    found = Dimension(
        estimate=estimate,
        dimension=_whole(estimate, X.shape[1]),
        interval=_interval(estimator, estimate, distances, who, n_resamples, confidence, random_state, work),
        x=x,
        y=y,
        slope=estimate,
        r_squared=1 - float(np.sum((y - estimate * x) ** 2)) / total if total > 0 else float("nan"),
        rows=usable,
        duplicates=duplicates,
        dropped=len(kept) - usable,
        note=_note(estimator, estimate, rows, X.shape[1]),
        method=method,
    )
    work.finish()
    return found


@dataclass(frozen=True)
class Estimator:
    """Estimator of a dimension from distances (n, k) to the nearest rows, ascending, infinite where none is left."""

    method: str
    k: int
    discard: float = 0.0
    ecdf: str = "i/n"

    def usable(self, distances: np.ndarray) -> np.ndarray:
        """Rows with as many neighbours as are needed; two are needed at least."""
        need = min(self.k, max(2, int(np.isfinite(distances).sum(axis=1).max(initial=0))))
        return distances[np.isfinite(distances[:, need - 1]), :need]

    def fit(self, distances: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        """(estimate or NaN, x, y)."""
        distances = self.usable(distances)
        x, y = self.points(distances)
        if len(distances) < 3:
            return float("nan"), x, y
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.method == "twonn":
                estimate = np.float64(x @ y) / (x @ x)
            else:
                estimate = 1 / np.mean(np.log(distances[:, -1:] / distances[:, :-1]))
        return (float(estimate) if np.isfinite(estimate) else float("nan")), x, y

    def points(self, distances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The points of the line: ln mu, ascending, and -ln(1 - F(mu))."""
        n = len(distances)
        x = np.sort(np.log(distances[:, 1] / distances[:, 0]))
        i = np.arange(n) + (self.ecdf == "i/n")
        n_points = min(int(np.floor(n * (1 - self.discard) + 1e-9)), n - (self.ecdf == "i/n"))
        kept = slice(0, max(n_points, 0))
        return x[kept], -np.log1p(-i[kept] / max(n, 1))


def _whole(estimate: float, p: int) -> int:
    return int(min(MAX_DIMENSION if np.isnan(estimate) else max(round(estimate), 1), max(p, 1)))


def _note(estimator: Estimator, estimate: float, distances: np.ndarray, p: int) -> str:
    usable = estimator.usable(distances)
    if np.isnan(estimate):
        few = len(usable) < 3
        why = "fewer than 3 rows have two different neighbours" if few else "all neighbours of a row are equally far"
        return f"{why}: the dimension is set to {_whole(estimate, p)}"
    ties = np.mean(usable[:, 0] == usable[:, 1])
    if ties > 0.1:
        return f"in {percent(ties)} of the rows the two nearest neighbours are equally far, so the estimate is too high"
    return ""


def _interval(
    estimator: Estimator,
    estimate: float,
    distances: np.ndarray,
    who: np.ndarray,
    n_resamples: int,
    confidence: float,
    random_state: int,
    work: Work,
) -> tuple[float, float] | None:
    """Quantiles of estimates from halves of the rows, moved so that their mean is the estimate from all rows.

    Drawn without replacement, since copies of a row have no dimension; at one half, what the halves have in common
    makes up for their size, and nothing is rescaled.  That is exact for averages over rows; for these estimators the
    interval is up to a third too wide, never too narrow, in simulations.  It does not know of their bias.
    Shao and Wu (1989), Annals of Statistics 17:1176-1197.
    """
    n = len(distances)
    size = n // 2
    if n_resamples < 2 or size < 3 or np.isnan(estimate):
        return None
    rng, found = np.random.default_rng(random_state), []
    for _ in range(n_resamples):
        work.tick()
        kept = np.zeros(n, bool)
        kept[rng.permutation(n)[:size]] = True
        near = np.where(kept[who[kept]] & (who[kept] >= 0), distances[kept], np.inf)
        found.append(estimator.fit(np.sort(near, axis=1)[:, : estimator.k])[0])
    found = np.array(found)[~np.isnan(found)]
    if len(found) < 2:
        return None
    low, high = np.quantile(found - found.mean(), [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(estimate + low), float(estimate + high)
