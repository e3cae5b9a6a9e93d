"""Partners of features: with which other ones does a feature tell more of the target than both do alone?"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from .checks import one_of, several, whole
from .data.expected import MISSING, UNIFORM
from .data.features import Features
from .data.targets import CLASSIFICATION, UNSUPERVISED, Target
from .interactions import PairSample, standardised
from .parallel import SERIAL_ALGEBRA, Work
from .relief.pair_weights import PairWeights
from .relief.random_order import mean_diffs
from .request import Request

N_NEIGHBORS = 30  # lists of ReliefF that the pairs are taken from
MAX_FEATURES, MAX_ROWS = 200, 1000
BINS = 5  # groups of equal size that a number is shuffled within
OF_DATA = ("nominal", "task", "hierarchy", "random_state", "diff")  # options of the pairs, too
SYNERGY, GAIN = STRENGTHS = ("synergy", "gain")


@dataclass(frozen=True, eq=False)
class Partners:
    """Network of features that tell more together than alone.

    Parameters
    ----------
    features : ndarray of int, shape (m,)
        Indices of the features that were looked at.
    gain : ndarray, shape (m, m)
        How much the score of a feature (row) rises among pairs of rows that are alike in another one (column).
    synergy : ndarray, shape (m, m)
        Strength of each pair, symmetric, without unit: 0 where what two features tell adds up.
    z : ndarray, shape (m, m)
        Strength less what it is when features are shuffled within classes, in standard deviations.
    level : float
        z that the strongest of all pairs reaches with probability 1 / (n_shuffles + 1) if nothing acts together.
    edges : list of (int, int, float)
        Pairs above the level: indices of two features, a < b, and z, the strongest first.
    n_shuffles : int
        Times that the features were shuffled.
    """

    features: np.ndarray
    gain: np.ndarray
    synergy: np.ndarray
    z: np.ndarray
    level: float
    edges: list[tuple[int, int, float]]
    n_shuffles: int


@dataclass
class KeptPairs(PairWeights):
    """Watch that keeps the pairs of the first scoring with their folded weights, and the data that are scored."""

    ids: np.ndarray = field(default_factory=lambda: np.zeros(0, int))
    sample: PairSample | None = None

    def lists(
        self, features: Features, ids: np.ndarray, rows: np.ndarray, cols: np.ndarray, weights: np.ndarray
    ) -> None:
        """Keep pairs in lists; parameters as in `PairWeights.lists`."""
        if self.sample is None:
            i, j, u = self.folding.fold(features.shape[0], rows, cols, weights)
            self.features, self.ids, self.sample = features, ids, PairSample.of(i, j, u)


def partners(
    X: object,
    y: object,
    method: str = "auto",
    *,
    features: object = None,
    n_features: int = 60,
    n_shuffles: int = 10,
    strength: str = SYNERGY,
    n_jobs: int | None = None,
    progress: Callable[[float], object] | None = None,
    **options: Any,
) -> Partners:
    """Find pairs of features that act together: each tells more where the other is held still.

    Pairs of rows come from ReliefF with 30 neighbours (RReliefF for numbers and label sets) by the distance over all
    features, of up to 1,000 rows.  What main effects alone bring about is taken out: features are shuffled within the
    classes, which keeps what each tells alone, and pairs count above the largest strength that is left.

    Parameters
    ----------
    X, y, method, n_jobs, progress, **options
        As in `rank`; the method chooses the features, unless they are given.
    features : array-like of int, optional
        Indices of the features to look at, 2 to 200; None: the best by `method`.
    n_features : int
        Number of the best, 2 to 200.
    n_shuffles : int
        Times that features are shuffled, at least 2.
    strength : {"synergy", "gain"}
        What edges are judged by; of gains that of either direction.

    Returns
    -------
    Partners
        The network.

    Raises
    ------
    ValueError, TypeError
        As `rank` does; for data without a target, and for features that are none.
    Interrupted
        Where `progress` does.

    References
    ----------
    Greene, Himmelstein, Nelson et al. (2010), Pacific Symposium on Biocomputing 15:327, for shuffles within classes.
    """
    n_features = whole("n_features", n_features, 2, MAX_FEATURES)
    n_shuffles = whole("n_shuffles", n_shuffles, 2)
    strength = one_of("strength", strength, STRENGTHS)
    request = Request.check(X, y, method, **options)
    if request.target.task == UNSUPERVISED:
        raise ValueError("partners need a target: without one there is nothing to tell together")
    of_pairs = _pairs_request(X, y, request, options)
    chosen = None if features is None else _indices(features, request.table.shape[1])
    work = Work(request.workers(n_jobs), progress)
    with work.part(0, 0.4):
        best = request.rank(work).ranking[:n_features] if chosen is None else chosen
    with work.part(0.4, 0.6):
        watch = KeptPairs()
        for _ in of_pairs.method.run(replace(of_pairs.input(work), watch=watch)):
            pass
    with work.part(0.6, 1), SERIAL_ALGEBRA:
        found = _network(watch, of_pairs, best, n_shuffles, strength, work)
    work.finish()
    return found


def _pairs_request(X: object, y: object, request: Request, options: dict[str, Any]) -> Request:
    """Request for the scores whose pairs are taken."""
    classes = request.target.task == CLASSIFICATION
    parameters: dict[str, Any] = {"n_neighbors": N_NEIGHBORS, "n_instances": MAX_ROWS}
    if not classes and request.table.missing_share:
        parameters["missing"] = UNIFORM  # a sum over pairs
    of_data = {name: options[name] for name in OF_DATA if name in options}
    return Request.check(X, y, "relieff" if classes else "rrelieff", **of_data, **parameters)


def _indices(given: object, p: int) -> np.ndarray:
    """Indices of features as callers give them."""
    found = np.array([whole("features", value, 0, p - 1) for value in several("features", given)], int)
    if not 2 <= len(found) <= MAX_FEATURES or len(np.unique(found)) < len(found):
        raise ValueError(f"features must be 2 to {MAX_FEATURES} different indices, not {len(found)}")
    return found


def _network(
    watch: KeptPairs, request: Request, best: np.ndarray, n_shuffles: int, strength: str, work: Work
) -> Partners:
    features, sample = cast("Features", watch.features), cast("PairSample", watch.sample)
    columns, nominal, unknown = _columns(features, best)
    groups = _groups(request.target.take(watch.ids), request.random_state)

    def strengths(columns: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        sums = sample.sums(columns, nominal, unknown)
        gain, synergy = sums.gain(), sums.synergy()
        return gain, synergy, synergy if strength == SYNERGY else np.maximum(gain, gain.T)

    gain, synergy, wanted = strengths(columns)
    shuffled = []
    for number in work.split(n_shuffles):
        work.report(0)
        rng = np.random.default_rng([request.random_state, number])
        shuffled.append(strengths(_within(columns, groups, rng))[2])
    z, level = standardised(wanted, np.array(shuffled))
    a, b = np.nonzero(np.triu(z > level, 1))
    pairs = zip(np.minimum(best[a], best[b]).tolist(), np.maximum(best[a], best[b]).tolist(), strict=True)
    edges = [(*pair, strength) for pair, strength in zip(pairs, z[a, b].tolist(), strict=True)]
    edges.sort(key=lambda edge: (-edge[2], edge[:2]))
    return Partners(best, gain, synergy, z, level, edges, n_shuffles)


def _columns(features: Features, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values (m, n) of some features, scaled or codes, NaN where unknown; which are nominal; their mean diffs (m,)."""
    place = np.argsort(features.columns)[chosen]
    if features.packed:
        n, m = features.shape[0], len(place)
        values = features.packed.columns(place).span(0, m, np.arange(n), MISSING, np.empty((n, m)))
    else:
        some: Any = features.values[:, place]
        values = some.toarray() if features.is_sparse else some
    nominal, means = place >= features.n_numeric, np.zeros(len(chosen))
    for kind in (False, True):
        if (nominal == kind).any():
            means[nominal == kind] = mean_diffs(values[:, nominal == kind], kind)
    columns = np.ascontiguousarray(values.T, dtype=np.float64)
    columns[columns == MISSING] = np.nan
    return columns, nominal, means


def _groups(target: Target, random_state: int) -> np.ndarray:
    """Groups (n,) of rows with like targets, that features are shuffled within."""
    if target.groups is not None:
        return np.asarray(target.groups)
    values = np.nan_to_num(target.columns[0])
    if values.shape[1] == 1:
        edges = np.quantile(values[:, 0], np.linspace(0, 1, BINS + 1)[1:-1])
        return np.asarray(np.searchsorted(edges, values[:, 0], side="right"))
    from sklearn.cluster import KMeans

    spread = values.std(axis=0)
    scaled = values / np.where(spread > 0, spread, 1)
    groups = min(BINS, len(np.unique(scaled, axis=0)))
    return np.asarray(KMeans(groups, n_init=3, random_state=random_state % 2**32).fit(scaled).labels_)


def _within(columns: np.ndarray, groups: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Columns (m, n), each shuffled by itself within groups (n,): what a feature tells alone stays."""
    out: np.ndarray = columns.copy()
    for group in np.unique(groups):
        rows = np.flatnonzero(groups == group)
        out[:, rows] = rng.permuted(columns[:, rows], axis=1)
    return out
