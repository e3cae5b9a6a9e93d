"""Partners of features: pairs that are more informative of the target than both features alone.

`partners` is exported by `core`; `orange/partners.py` calls it for tables.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..checks import one_of, several, switch, whole
from ..data.expected import UNIFORM
from ..data.table import refuse_infinite
from ..methods.registry import METHODS
from ..request import Request
from ..structure.additive import additive_basis
from ..structure.additive_model import AdditiveModel
from ..targets.targets import CLASSIFICATION, REGRESSION, SURVIVAL, UNSUPERVISED
from ..work.threads import SERIAL_ALGEBRA, Work
from .empirical_null import standardised
from .pair_strengths import PairSums
from .residual_sums import sums_of_residuals

N_NEIGHBORS = 30  # lists of RReliefF that the pairs are taken from
MAX_FEATURES, MAX_ROWS = 200, 1000
# Options of the pairs, too
OF_DATA = ("nominal", "task", "hierarchy", "random_state", "diff", "covariates", "linear_covariates")
ZONES = (CLASSIFICATION, REGRESSION)  # tasks of MultiSURF
UNPENALISED = 30.0  # length of columns of covariates, whose effects penalties hardly shrink then
SYNERGY, GAIN = STRENGTHS = ("synergy", "gain")


@dataclass(frozen=True, eq=False)
class Partners:
    """Network of features that are more informative together than alone.

    features (m,): indices of the features that were looked at.
    alone (m,): score of each feature over the pairs of rows that gains are taken from. It is its mean diff over pairs
    that differ in the residuals of the target, less that over the remaining pairs.
    gain (m, m): how much the score of a feature (row) rises among pairs of rows that are alike in another one (column).
    synergy (m, m): strength of each pair, symmetric, without unit; 0 where the effects of two features add up.
    z (m, m): strength less its mean over targets that an additive model draws, in standard deviations.
    level: z that the strongest of all pairs reaches with probability 1 / (n_shuffles + 1) if nothing acts together.
    edges: pairs above the level, as indices of two features, a < b, and z, the strongest first.
    n_shuffles: number of targets that were drawn.
    """

    features: np.ndarray
    alone: np.ndarray
    gain: np.ndarray
    synergy: np.ndarray
    z: np.ndarray
    level: float
    edges: list[tuple[int, int, float]]
    n_shuffles: int


def partners(
    X: object,
    y: object,
    method: str = "auto",
    *,
    features: object = None,
    n_features: int = 60,
    n_shuffles: int = 20,
    strength: str = SYNERGY,
    thorough: bool = False,
    n_jobs: int | None = None,
    progress: Callable[[float], object] | None = None,
    **options: Any,
) -> Partners:
    """Find pairs of features that act together: each is more informative where the other is held still.

    An additive model of the target removes the effect of each feature alone: a natural spline for each number, an
    indicator for each category. It is a ridge regression for numbers and a logistic regression for classes and labels.
    Unknown values count there as the mean, or as the most frequent one. Strengths are those of its residuals, in pairs
    of rows of RReliefF with 30 neighbours, of up to 1,000 rows. Pairs count above the largest strength for targets
    drawn from the model, in which nothing acts together.

    The model has covariates, too, so that features that follow one do not act together for that reason.

    More than two classes, several targets and label sets have several residuals, and pairs of rows differ by their mean
    difference.

    Parameters
    ----------
    X, y, method, n_jobs, progress, **options
        As in `rank`, with a target; the method chooses the features, unless they are given.
    features : array-like of int, optional
        Indices of the features to look at, 2 to 200; None: the best by `method`.
    n_features : int
        Number of the best, 2 to 200.
    n_shuffles : int
        Number of targets that are drawn, each with the noise of the rows shuffled, at least 2.
    strength : {"synergy", "gain"}
        Measure by which edges are kept; of gains the larger one of both directions.
    thorough : bool
        Take all pairs within the zones of MultiSURF, of a random sample if there are more than 1,000 rows, instead of
        lists: slower, and it finds more effects of three features together.  For classes and numbers only; of more
        than two classes, strengths are the mean of those of their residuals, each with pairs of its own.
    """
    n_features = whole("n_features", n_features, 2, MAX_FEATURES)
    n_shuffles = whole("n_shuffles", n_shuffles, 2)
    strength, thorough = one_of("strength", strength, STRENGTHS), switch("thorough", thorough)
    if options.get("groups") is not None:
        raise ValueError("partners take no groups: targets that a model draws would not stay alike within groups")
    request = Request.check(X, y, method, unadjusted=features is not None, needed_by="pairs of features", **options)
    request.without_weights("partners")
    if request.target.task == UNSUPERVISED:
        raise ValueError("partners need a target: y is missing")
    of_pairs, Z = _pairs_request(X, y, request, thorough, options)
    chosen = None if features is None else _indices(features, request.table.shape[1])
    work = request.work(n_jobs, progress)
    with work.part(0, 0.4):
        best = request.rank(work).ranking[:n_features] if chosen is None else chosen
    with work.part(0.4, 1), SERIAL_ALGEBRA:
        found = _network(of_pairs, Z, best, n_shuffles, strength, work)
    work.finish()
    return found


def _pairs_request(
    X: object, y: object, request: Request, thorough: bool, options: dict[str, Any]
) -> tuple[Request, np.ndarray]:
    """Request for scores of residuals whose pairs are taken, still with the target itself, and covariates Z (n, q)."""
    task, of_data = request.target.task, {name: options[name] for name in OF_DATA if name in options}
    if thorough and task not in ZONES:
        raise ValueError("thorough partners are found for classes and for numbers only; leave it out")
    if task == SURVIVAL:
        raise ValueError("partners are not found for times with censoring: give numbers or classes")
    read = Request.check(X, y, "multisurf" if task in ZONES else "rrelieff", **of_data)
    Z = read.study.Z if read.study else np.empty((read.target.n, 0))
    target = read.study.target if read.study else read.target
    given: dict[str, Any] = {} if thorough else {"n_neighbors": N_NEIGHBORS, "n_instances": MAX_ROWS}
    if read.table.missing_share:
        given["missing"] = UNIFORM  # a sum over pairs
    if "diff" in options:
        given["diff"] = options["diff"]
    method = METHODS["multisurf" if thorough else "rrelieff"]
    read, n = replace(read, method=method, parameters=method.check(given), target=target, study=None), len(Z)
    if not thorough or n <= MAX_ROWS:
        return read, Z
    rows = np.sort(np.random.default_rng(read.random_state).choice(n, MAX_ROWS, replace=False))  # of n^2 pairs
    return replace(read, table=read.table.take(rows), target=target.take(rows)), Z[rows]


def _indices(given: object, p: int) -> np.ndarray:
    """Indices of features as callers give them."""
    found = np.array([whole("features", value, 0, p - 1) for value in several("features", given)], int)
    if not 2 <= len(found) <= MAX_FEATURES or len(np.unique(found)) < len(found):
        raise ValueError(f"features must be 2 to {MAX_FEATURES} different indices, not {len(found)}")
    return found


def _network(request: Request, Z: np.ndarray, best: np.ndarray, n_shuffles: int, strength: str, work: Work) -> Partners:
    with work.part(0, 0.2):
        work.report(0)
        table = request.table.columns(best).unpacked().wide()
        some: Any = table.values
        values: np.ndarray = some.toarray() if table.is_sparse else some
        with np.errstate(over="ignore", invalid="ignore"):
            spans = np.fmax.reduce(values) - np.fmin.reduce(values)
        refuse_infinite(best[np.isinf(spans) | np.isinf(values).any(axis=0)])
        basis = np.hstack([additive_basis(values, table.nominal), UNPENALISED * Z])
        model = AdditiveModel(basis, request.target, request.random_state, work.tick)

    def residuals() -> Iterator[list[np.ndarray]]:
        with work.part(0.2, 0.6):
            yield model.residuals()
        with work.part(0.6, 1):
            for number in work.split(n_shuffles):
                work.report(0)
                yield model.drawn(number)

    def strengths(sums: PairSums) -> np.ndarray:
        gain = sums.gain()
        return sums.synergy() if strength == SYNERGY else np.maximum(gain, gain.T)

    each = sums_of_residuals(request, best, residuals(), work)
    sums = next(each)
    repeated = sums.repeated()
    z, level = standardised(strengths(sums), np.array([strengths(drawn) for drawn in each]), repeated)
    a, b = np.nonzero(np.triu((z > level) & ~repeated, 1))
    pairs = zip(np.minimum(best[a], best[b]).tolist(), np.maximum(best[a], best[b]).tolist(), strict=True)
    edges = [(*pair, strength) for pair, strength in zip(pairs, z[a, b].tolist(), strict=True)]
    edges.sort(key=lambda edge: (-edge[2], edge[:2]))
    return Partners(best, sums.alone(), sums.gain(), sums.synergy(), z, level, edges, n_shuffles)
