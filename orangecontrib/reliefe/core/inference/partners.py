"""Partners of features: pairs that are more informative of the target than both features alone.

`partners` is exported by `core`; `orange/partners.py` calls it for tables.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..checked_call import check_call
from ..checks import one_of, several, switch, whole
from ..data.expected import UNIFORM
from ..data.facts import refuse_infinite
from ..figures import draw_network
from ..methods.registry import METHODS
from ..request import Request
from ..structure.additive import additive_basis
from ..structure.additive_model import AdditiveModel
from ..targets.facts import no_target
from ..targets.tasks import CLASSIFICATION, REGRESSION, SURVIVAL, UNSUPERVISED
from ..words import counted, item_name
from ..work.threads import SERIAL_ALGEBRA, Progress, Work
from .empirical_null import standardised
from .pair_strengths import PairSums
from .residual_sums import sums_of_residuals

if TYPE_CHECKING:
    from matplotlib.axes import Axes

N_NEIGHBORS = 30  # lists of RReliefF that the pairs are taken from
MAX_FEATURES = 200
MAX_ROWS = 1000
# Options that the scores of residuals have, too, beside those of the method that chooses features
SHARED_OPTIONS = ("nominal", "task", "hierarchy", "random_state", "diff", "covariates", "linear_covariates")
TASKS_WITH_ZONES = (CLASSIFICATION, REGRESSION)  # those of MultiSURF
UNPENALISED = 30.0  # length of columns of covariates, whose effects penalties hardly shrink then
SYNERGY = "synergy"
GAIN = "gain"
STRENGTHS = (SYNERGY, GAIN)


@dataclass(frozen=True, eq=False, repr=False)
class Partners:
    """Network of features that are more informative together than alone.

    features (m,): indices of the features that were looked at.
    alone (m,): score of each feature over the pairs of rows that gains are taken from. It is its mean diff over pairs
    that differ in the residuals of the target, less that over the remaining pairs.
    gain (m, m): how much the score of a feature (row) rises among pairs of rows with similar values of another one
    (column).
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

    def __repr__(self) -> str:
        pairs = f"{counted(len(self.edges), 'pair')} with z above {self.level:.3g}"
        return f"{type(self).__name__}({counted(len(self.features), 'feature')}, {pairs})"

    def plot(self, names: Sequence[str] | None = None, *, ax: "Axes | None" = None) -> "Axes":
        """Draw the pairs above the level as a network, by matplotlib; lines of stronger pairs are wider.

        Parameters
        ----------
        names : sequence of str, optional
            Names of all features of the data. None: they are numbered.
        ax : Axes, optional
            Axes of matplotlib to draw on. None: in a new figure.

        Returns
        -------
        Axes

        Raises
        ------
        ValueError
            If there are fewer names than features.
        ImportError
            Without matplotlib.
        """
        n_needed = max((max(a, b) + 1 for a, b, _ in self.edges), default=0)
        if names is None:
            names = [item_name(j) for j in range(n_needed)]
        if len(names) < n_needed:
            raise ValueError(f"names must be those of all features of the data, at least {n_needed}, not {len(names)}")
        return draw_network([str(name) for name in names], self.edges, ax)


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
    progress: Progress = None,
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
        Number of targets that are drawn, each with the noise of the rows permuted, at least 2.
    strength : {"synergy", "gain"}
        Measure by which edges are kept; of gains the larger one of both directions.
    thorough : bool
        Take all pairs within the zones of MultiSURF, of a random sample if there are more than 1,000 rows, instead of
        lists: slower, and it finds more effects of three features together.  For classes and numbers only; of more
        than two classes, strengths are the mean of those of their residuals, each with pairs of its own.

    Returns
    -------
    Partners

    Raises
    ------
    ValueError
        If there is no target, or one of times; for groups, weights of rows, and a thorough search for label sets or
        several targets.
    """
    n_features = whole("n_features", n_features, 2, MAX_FEATURES)
    n_shuffles = whole("n_shuffles", n_shuffles, 2)
    strength = one_of("strength", strength, STRENGTHS)
    thorough = switch("thorough", thorough)
    if options.get("groups") is not None:
        raise ValueError("partners take no groups: targets that a model draws would not stay alike within groups")
    request = check_call(X, y, method, unadjusted=features is not None, needed_by="pairs of features", **options)
    request.refuse_weights("partners")
    request.refuse_groups("partners")
    if request.target.task == UNSUPERVISED:
        raise ValueError(f"{no_target()}, which partners need: y is missing")
    residual_request, Z = _residual_request(X, y, request, thorough, options)
    chosen = None if features is None else _indices(features, request.table.shape[1])
    work = request.work(n_jobs, progress)
    with work.part(0, 0.4):
        if chosen is None:
            chosen = request.rank(work).ranking[:n_features]
    with work.part(0.4, 1), SERIAL_ALGEBRA:
        network = _network(residual_request, Z, chosen, n_shuffles, strength, work)
    work.finish()
    return network


def _residual_request(
    X: object, y: object, request: Request, thorough: bool, options: dict[str, Any]
) -> tuple[Request, np.ndarray]:
    """Prepare the scoring of residuals whose pairs are taken, still with the target itself.

    Returns the request, of a sample of rows if all pairs are taken, and the covariates Z (n, q) of its rows.
    """
    task = request.target.task
    if thorough and task not in TASKS_WITH_ZONES:
        raise ValueError("thorough partners are found for classes and for numbers only; leave it out")
    if task == SURVIVAL:
        raise ValueError("partners are not found for times with censoring: give numbers or classes")

    # The data, as a method that takes the target reads them
    shared = {name: options[name] for name in SHARED_OPTIONS if name in options}
    read = check_call(X, y, "multisurf" if task in TASKS_WITH_ZONES else "rrelieff", **shared)
    Z = read.study.Z if read.study else np.empty((read.target.n, 0))
    target = read.study.target if read.study else read.target

    # The method that takes residuals
    parameters: dict[str, Any] = {} if thorough else {"n_neighbors": N_NEIGHBORS, "n_instances": MAX_ROWS}
    if read.table.missing_share:
        parameters["missing"] = UNIFORM  # a sum over pairs
    if "diff" in options:
        parameters["diff"] = options["diff"]
    method = METHODS["multisurf" if thorough else "rrelieff"]
    scoring = replace(read, method=method, parameters=method.check(parameters), target=target, study=None)
    n = len(Z)
    if not thorough or n <= MAX_ROWS:
        return scoring, Z
    rows = np.sort(np.random.default_rng(scoring.random_state).choice(n, MAX_ROWS, replace=False))  # of n^2 pairs
    return replace(scoring, table=scoring.table.take(rows), target=target.take(rows)), Z[rows]


def _indices(features: object, p: int) -> np.ndarray:
    """Check indices of features as callers give them."""
    indices = np.array([whole("features", value, 0, p - 1) for value in several("features", features)], int)
    if not 2 <= len(indices) <= MAX_FEATURES or len(np.unique(indices)) < len(indices):
        raise ValueError(f"features must be 2 to {MAX_FEATURES} different indices, not {len(indices)}")
    return indices


def _network(
    request: Request, Z: np.ndarray, chosen: np.ndarray, n_shuffles: int, strength: str, work: Work
) -> Partners:
    """Compare the strengths of all pairs of the chosen features (m,) with those for targets that a model draws."""
    with work.part(0, 0.2):
        work.report(0)
        model = _additive_model(request, Z, chosen, work)

    def residuals_by_target() -> Iterator[list[np.ndarray]]:
        """Residuals of the true target, then those of the drawn ones."""
        with work.part(0.2, 0.6):
            yield model.residuals()
        with work.part(0.6, 1):
            for number in work.split(n_shuffles):
                work.report(0)
                yield model.drawn(number)

    def strengths(sums: PairSums) -> np.ndarray:
        """Strengths (m, m) of all pairs, symmetric."""
        gain = sums.gain()
        return sums.synergy() if strength == SYNERGY else np.maximum(gain, gain.T)

    sums_by_target = sums_of_residuals(request, chosen, residuals_by_target(), work)
    sums = next(sums_by_target)
    drawn = np.array([strengths(drawn_sums) for drawn_sums in sums_by_target])
    repeated = sums.repeated()
    z, level = standardised(strengths(sums), drawn, repeated)
    edges = _edges(chosen, z, (z > level) & ~repeated)
    return Partners(chosen, sums.alone(), sums.gain(), sums.synergy(), z, level, edges, n_shuffles)


def _additive_model(request: Request, Z: np.ndarray, chosen: np.ndarray, work: Work) -> AdditiveModel:
    """Fit the target by effects of the chosen features (m,) and covariates Z (n, q)."""
    table = request.table.columns(chosen).unpacked().wide()
    stored: Any = table.values
    values: np.ndarray = stored.toarray() if table.is_sparse else stored
    with np.errstate(over="ignore", invalid="ignore"):
        spans = np.fmax.reduce(values) - np.fmin.reduce(values)
    refuse_infinite(chosen[np.isinf(spans) | np.isinf(values).any(axis=0)])
    basis = np.hstack([additive_basis(values, table.nominal), UNPENALISED * Z])
    return AdditiveModel(basis, request.target, request.random_state, work.tick)


def _edges(chosen: np.ndarray, z: np.ndarray, is_edge: np.ndarray) -> list[tuple[int, int, float]]:
    """List the edges of a mask (m, m) as indices of two features, a < b, and z, the strongest first."""
    edges: list[tuple[int, int, float]] = []
    for row, column in zip(*np.nonzero(np.triu(is_edge, 1)), strict=True):
        a = int(min(chosen[row], chosen[column]))
        b = int(max(chosen[row], chosen[column]))
        edges.append((a, b, float(z[row, column])))
    edges.sort(key=lambda edge: (-edge[2], edge[:2]))
    return edges
