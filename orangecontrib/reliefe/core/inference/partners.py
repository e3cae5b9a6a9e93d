"""Partners of features: which pairs are more informative of the target than both features alone?

Gains and synergies of a few features are sums over weighed pairs of rows.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..checks import one_of, several, switch, whole
from ..data.expected import MISSING, UNIFORM
from ..data.table import refuse_infinite
from ..methods.registry import METHODS
from ..relief.diff_moments import mean_diffs
from ..relief.formats.features import Features
from ..relief.formats.pair_sums import PairList
from ..relief.formats.sums import WeightTile
from ..relief.neighbourhoods.row_pairs import RowPairs
from ..relief.weight_sums import PairWeights, folded
from ..request import Request
from ..structure.additive import additive_basis
from ..structure.additive_model import AdditiveModel
from ..targets.multi import MultiTarget
from ..targets.targets import CLASSIFICATION, REGRESSION, SURVIVAL, UNSUPERVISED, Numbers, Target
from ..work.threads import SERIAL_ALGEBRA, Work

PAIRS_AT_ONCE = 2**12  # whose diffs stay in the cache
TINY = 1e-12
MANY_PAIRS = 45  # those of ten features: the median of fewer says little, and perhaps most of them act together
NORMAL_MEDIAN = 0.6745  # of the absolute value of a standard normal number
MOST_SPREAD = 1.5  # of z by chance: choosing 60 of 500 makes up to 1.3


@dataclass(frozen=True, eq=False)
class PairSample:
    """Pairs of rows with their differences of the target."""

    i: np.ndarray  # (P,): rows of the pairs
    j: np.ndarray
    # (P,): weights of a pair as one that differs in the target and as one that does not; each adds up to 1, or to 0
    # where there is none
    miss: np.ndarray
    hit: np.ndarray

    @classmethod
    def of(cls, i: np.ndarray, j: np.ndarray, weights: np.ndarray) -> "PairSample":
        """Pairs with their folded weights (P,) in a score: positive ones are misses, negative ones hits."""
        some = weights != 0
        i, j, weights = i[some], j[some], weights[some]
        parts = [np.maximum(sign * weights, 0) for sign in (1, -1)]
        return cls(i, j, *(part / max(part.sum(), TINY) for part in parts))

    def sums(
        self,
        columns: np.ndarray,
        nominal: np.ndarray,
        unknown: np.ndarray,
        tick: Callable[[], object] = lambda: None,
    ) -> "PairSums":
        """Sums over the pairs for some features.

        Shapes: `columns` (m, n); `nominal` (m,); `unknown` (m,).
        """
        m, values, gaps = len(columns), np.ascontiguousarray(columns.T), bool(np.isnan(columns).any())
        out = PairSums(*(np.zeros(m) for _ in range(2)), *(np.zeros((m, m)) for _ in range(2)))
        for weights, sums, products in (
            (self.miss, out.miss, out.miss_products),
            (self.hit, out.hit, out.hit_products),
        ):
            some = np.flatnonzero(weights)  # a pair is one or the other
            for start in range(0, len(some), PAIRS_AT_ONCE):
                tick()
                pairs = some[start : start + PAIRS_AT_ONCE]
                d, weight = values[self.i[pairs]], weights[pairs]
                d -= values[self.j[pairs]]
                missing = np.isnan(d) if gaps else None
                d[:, nominal] = d[:, nominal] != 0
                np.abs(d, out=d)
                if missing is not None:
                    d = np.where(missing, unknown, d)
                sums += weight @ d
                d *= np.sqrt(weight)[:, None]
                products += d.T @ d  # half of the work, as BLAS knows that it is symmetric
        return out


@dataclass(eq=False)
class PairSums:
    """Weighed sums of the diffs of m features over misses and hits (m,), and of the products of two diffs (m, m)."""

    miss: np.ndarray
    hit: np.ndarray
    miss_products: np.ndarray
    hit_products: np.ndarray

    @classmethod
    def mean(cls, some: Sequence["PairSums"]) -> "PairSums":
        """Mean of the sums of several samples of pairs."""
        return cls(*(np.mean([getattr(one, name) for one in some], axis=0) for name in cls.__annotations__))

    def alone(self) -> np.ndarray:
        """Score (m,) of each feature over the pairs: its mean diff over misses less that over hits, S(A)."""
        return np.asarray(self.miss - self.hit)

    def repeated(self) -> np.ndarray:
        """Mask (m, m) of features with equal diffs in all pairs of rows: one repeats the other, or both are constant.

        sum (d_A - d_B)^2 = sum d_A^2 + sum d_B^2 - 2 sum d_A d_B, up to rounding.
        """
        products = self.miss_products + self.hit_products
        squares = np.diag(products)
        both: np.ndarray = squares[:, None] + squares
        return np.asarray(both - 2 * products <= TINY * np.maximum(both, TINY))

    def gain(self) -> np.ndarray:
        """Gain (m, m) of a feature (row) among pairs that are alike in another one (column): S(A | B) - S(A)."""
        held = _held(self.miss, self.miss_products) - _held(self.hit, self.hit_products)
        found: np.ndarray = held - self.alone()[:, None]
        np.fill_diagonal(found, 0)
        return found

    def synergy(self) -> np.ndarray:
        """Synergy (m, m), symmetric: covariance of both diffs over hits less that over misses, in standard deviations
        over both; 0 where the diffs add up, above 0 where each undoes the other."""
        mean = (self.miss + self.hit) / 2
        squares = np.diag(self.miss_products + self.hit_products) / 2
        deviation = np.sqrt(np.maximum(squares - mean**2, TINY))
        parts = [
            products - np.outer(sums, sums)
            for products, sums in ((self.hit_products, self.hit), (self.miss_products, self.miss))
        ]
        found: np.ndarray = (parts[0] - parts[1]) / np.outer(deviation, deviation)
        np.fill_diagonal(found, 0)
        return found


def _held(sums: np.ndarray, products: np.ndarray) -> np.ndarray:
    """Mean diff (m, m) of a feature over pairs weighed by how alike they are in another one; 0 where none is."""
    rest = 1 - sums
    return np.where(rest > TINY, (sums[:, None] - products) / np.where(rest > TINY, rest, 1), 0)


def standardised(scores: np.ndarray, drawn: np.ndarray, repeated: np.ndarray) -> tuple[np.ndarray, float]:
    """Return z (m, m) of symmetric scores (m, m) less their mean over B targets in which nothing acts together, and a
    level. The level is the largest z of these targets, each against the rest; drawn has the shape (B, m, m).

    repeated (m, m) bool: pairs of features that tell the same, which cannot act together. Their z is 0.

    The deviation is pooled over all pairs and targets; B is at least 2.  Features that were chosen by the same target
    act together by chance more often.  The median of z shows by how much, where there are many pairs, and z is
    divided by that (Efron 2004, J. Am. Stat. Assoc. 99:96: the empirical null).
    """
    B, upper = len(drawn), np.nonzero(np.triu(~repeated, 1))
    null = np.array([one[upper] for one in drawn])
    mean = null.mean(axis=0)
    deviation = np.sqrt(((null - mean) ** 2).sum() / max((B - 1) * null.shape[1], 1))
    if not deviation > 0:
        return np.zeros_like(scores), np.inf
    z, own = np.zeros_like(scores), (scores[upper] - mean) / (deviation * np.sqrt(1 + 1 / B))
    spread = np.median(np.abs(own)) / NORMAL_MEDIAN if len(own) >= MANY_PAIRS else 1
    z[upper] = own / np.clip(spread, 1, MOST_SPREAD)
    of_targets = (null - mean) * (B / (B - 1)) / (deviation * np.sqrt(1 + 1 / (B - 1)))
    return z + z.T, float(of_targets.max())


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


class KeptPairs(PairWeights):
    """Features, ids of the rows, and the two rows and the folded weight of each pair."""

    @staticmethod
    def of_unfolded(rows: RowPairs, pairs: PairList) -> tuple[np.ndarray, ...]:
        return folded(rows.n, pairs)

    @staticmethod
    def of_tile(tile: WeightTile) -> Any:
        """The pairs of a tile."""
        V, (i0, i1, j0, j1) = tile
        corner = V[: i1 - i0, : j1 - j0]
        i, j = np.nonzero(corner)
        return (i0, j0), i + i0, j + j0, corner[i, j].astype(float)

    @staticmethod
    def of_list(pairs: PairList) -> Any:
        """The pairs of a list."""
        weighs = pairs.weights[:, 0] != 0
        i = pairs.first_rows[weighs].astype(int)
        j = pairs.cols[weighs].astype(int)
        corner = int(pairs.rows.min()), int(pairs.cols.min())
        return corner, i, j, pairs.weights[weighs, 0].astype(float)

    @staticmethod
    def of_notes(rows: RowPairs, notes: list[Any]) -> tuple[np.ndarray, ...]:
        if not notes:
            nothing = np.zeros(0, int)
            return nothing, nothing, np.zeros(0)
        _, *found = zip(*notes, strict=True)
        return tuple(map(np.concatenate, found))


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

    each = _sums(request, best, residuals(), work)
    sums = next(each)
    repeated = sums.repeated()
    z, level = standardised(strengths(sums), np.array([strengths(drawn) for drawn in each]), repeated)
    a, b = np.nonzero(np.triu((z > level) & ~repeated, 1))
    pairs = zip(np.minimum(best[a], best[b]).tolist(), np.maximum(best[a], best[b]).tolist(), strict=True)
    edges = [(*pair, strength) for pair, strength in zip(pairs, z[a, b].tolist(), strict=True)]
    edges.sort(key=lambda edge: (-edge[2], edge[:2]))
    return Partners(best, sums.alone(), sums.gain(), sums.synergy(), z, level, edges, n_shuffles)


def _sums(request: Request, best: np.ndarray, each: Iterator[list[np.ndarray]], work: Work) -> Iterator[PairSums]:
    """Sums over the pairs of rows for one target's residuals after another, from one search for neighbours."""
    columns, targets = None, deque[Target]()

    def following() -> Iterator[Target]:
        for residuals in each:
            targets.extend(_as_targets(residuals, request.method.name == "multisurf"))
            while targets:
                yield targets.popleft()

    found: list[PairSums] = []
    for scored in request.method.for_targets(replace(request.input(work), outputs=(KeptPairs(),)), following()):
        features, _, pairs = scored.found.quantities[0]
        columns = columns or scaled_columns(features, best)
        found.append(PairSample.of(*pairs).sums(*columns, work.tick))
        if not targets:  # of these residuals
            yield PairSums.mean(found)
            found.clear()


def _as_targets(residuals: list[np.ndarray], alone: bool) -> list[Target]:
    """Residuals (n, c) of each target as targets: each column alone, or all as one."""
    columns = np.hstack(residuals)
    if alone or columns.shape[1] == 1:
        return [Numbers.measure(column) for column in columns.T]
    target = MultiTarget.measure(columns, np.zeros(columns.shape[1], bool))
    return [replace(target, weights=np.concatenate([np.full(own.shape[1], 1 / own.shape[1]) for own in residuals]))]


def scaled_columns(features: Features, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
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
