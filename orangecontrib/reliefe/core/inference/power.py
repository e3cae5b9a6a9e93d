"""Sample size from a pilot study: how many of its discoveries would be found again with other numbers of rows.

`core.power` is exported; it simulates studies from the rows of the pilot study.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..checks import inside, several, whole
from ..request import Request
from ..result import Ranking
from ..targets.tasks import CLASSIFICATION, REGRESSION
from ..words import counted
from ..work.threads import Progress, reporter
from .fitted_margins import FittedTarget, fitted_target
from .significance import SignificanceTest

MIN_ROWS = 20  # of the pilot study
MAX_ROWS = 100_000  # of a simulated study, if the pilot study has no more: minutes for each test of 20 permuted targets
MAX_VALUES = 2 * 10**8  # of a simulated study, if the pilot study has no more: 1.6 GB
MANY_VALUES = 10  # different numbers of a feature above which it is jittered; fewer are replaced, as categories are
REPLACED = 0.1  # share of the values of such a feature that are those of other rows, chosen by eye
BANDWIDTH = 0.9  # times N^(-1/5) standard deviations: Silverman (1986), Density Estimation, equation 3.31


@dataclass(frozen=True, eq=False, repr=False)
class Power:
    """Shares of simulated studies that find the discoveries of a pilot study again.

    Attributes
    ----------
    features : (d,) int array
        Indices of the discoveries of the pilot study, the smallest p first.
    names : tuple of str
        Names of these features, or their numbers from 1 if the data have no names.
    n : (s,) int array
        Numbers of rows.
    shares : (s, d) array
        Share of the simulated studies in which each of these features is a discovery.
    n_sets : int
        Number of simulated studies for each number of rows.
    """

    features: np.ndarray
    names: tuple[str, ...]
    n: np.ndarray
    shares: np.ndarray
    n_sets: int

    def __repr__(self) -> str:
        return f"Power({counted(len(self.features), 'feature')}, n = {', '.join(map(str, self.n.tolist()))})"

    @property
    def expected(self) -> np.ndarray:
        """Expected numbers (s,) of these features that are found again."""
        expected: np.ndarray = self.shares.sum(axis=1)
        return expected


def power(
    X: object,
    y: object,
    method: str | Ranking = "multisurf",
    *,
    n: Sequence[int],
    level: float = 0.1,
    n_sets: int = 20,
    n_shuffles: int | None = None,
    nominal: object = None,
    task: str | None = None,
    names: Sequence[str] | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    progress: Progress = None,
    **parameters: Any,
) -> Power:
    """Estimate how many discoveries of a pilot study would be found again, with other numbers of rows.

    Forecasts are for as many rows as the pilot study has, and more. With fewer rows they would be wrong in both
    directions: too low for strong features with correlated ones beside them, too high for pairs that act together only.

    A study of n rows takes rows of the pilot study with replacement. The target of each row is drawn from its
    distribution given the discoveries. These keep their values, and all other features are jittered. Numbers x of a
    feature with mean m and deviation s among the N rows of the pilot study become

        m + (x - m + h s e) / sqrt(1 + h^2),    h = .9 N^(-1/5),    e standard normal,

    and a tenth of the values of categories, and of numbers with few values, are those of other rows. The study is then
    tested.

    The discoveries were chosen by the same rows, so that their effects are overestimated if few of many are found.

    Parameters
    ----------
    X : (N, p) array or data frame
        Features of the pilot study, dense.
    y : (N,) array
        Classes or numbers, known for all rows.
    method : str or Ranking
        Name of the method, or a ranking of these data, whose method and parameters are taken. If it has p-values, as
        many permuted targets are taken, too.
    n : sequence of int
        Numbers of rows, from N. At most 100,000, or those of 2 * 10^8 values.
    level : float
        False discovery rate in (0, 1) of the pilot study and of the simulated ones.
    n_sets : int
        Simulated studies for each number of rows.
    n_shuffles, nominal, task, names, random_state, n_jobs, progress, **parameters
        As in `significance`, without covariates, groups, blocks and weights.

    Returns
    -------
    Power

    Raises
    ------
    ValueError
        For sparse data, other targets, covariates, fewer than 20 rows, a ranking of other features, and where
        `significance` raises it. For numbers of rows that are too small or too large.
    """
    level = inside("level", level)
    n_sets = whole("n_sets", n_sets, 1)
    pilot_data = {"nominal": nominal, "task": task, "names": names, "random_state": random_state}
    if isinstance(method, Ranking):
        pilot = _test_of_ranking(method, X, y, pilot_data | parameters)
        if n_shuffles is None and method.significance is not None:
            n_shuffles = method.significance.n_shuffles
    else:
        pilot = SignificanceTest.of(X, y, method, **pilot_data, **parameters)
    _check_pilot(pilot)
    sizes = _study_sizes(n, *pilot.request.table.shape)
    steps = 1 + len(sizes) * n_sets
    report = None if progress is None else reporter(progress)

    def discoveries(test: SignificanceTest, step: int) -> np.ndarray:
        """Run a test, and return its discoveries."""
        share = None if report is None else lambda done: report((step + done) / steps)
        for _ in test.shuffle(n_shuffles, n_jobs=n_jobs, progress=share):
            pass
        return test.result().discoveries(level)

    features = discoveries(pilot, 0)
    names_of_features = tuple(pilot.request.table.names_of(features))
    counts = np.zeros((len(sizes), len(features)))
    if not len(features):
        return Power(features, names_of_features, np.array(sizes), counts, n_sets)
    study = _Pilot.of(pilot.request, features)
    for index, size in enumerate(sizes):
        for number in range(n_sets):
            X_new, y_new = study.draw(size, np.random.default_rng([random_state, size, number]))
            if len(np.unique(y_new)) < 2:  # a study of one class has no discoveries
                continue
            again = discoveries(_same_test(pilot.request, X_new, y_new, number), 1 + index * n_sets + number)
            counts[index] += np.isin(features, again)
    if report is not None:
        report(1.0)
    return Power(features, names_of_features, np.array(sizes), counts / n_sets, n_sets)


@dataclass(frozen=True, eq=False)
class _Pilot:
    """Pilot study of N rows and p features, from which other studies are drawn."""

    values: np.ndarray  # (N, p)
    nominal: np.ndarray  # (p,) bool
    is_jittered: np.ndarray  # (p,) bool: all but the discoveries, given which the target is drawn
    target: FittedTarget

    @classmethod
    def of(cls, request: Request, features: np.ndarray) -> "_Pilot":
        """Fit the target of a pilot study given its discoveries (d,)."""
        values = np.asarray(request.table.values, float)
        nominal = request.table.nominal
        y = request.target.inner.columns[0][:, 0]
        n_classes = 0
        if request.target.task == CLASSIFICATION:
            y = np.unique(y, return_inverse=True)[1]
            n_classes = int(y.max()) + 1
        target = fitted_target(values[:, features], nominal[features], y, n_classes)
        return cls(values, nominal, ~np.isin(np.arange(values.shape[1]), features), target)

    def draw(self, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Draw the features (n, p) and the target (n,) of a study."""
        N = len(self.values)
        rows = rng.integers(0, N, n)
        X = self.values[rows]
        width = BANDWIDTH * N**-0.2
        for j in np.flatnonzero(self.is_jittered):
            column = self.values[:, j]
            known_values = column[~np.isnan(column)]
            if self.nominal[j] or len(np.unique(known_values)) <= MANY_VALUES:
                is_replaced = rng.random(n) < REPLACED
                X[is_replaced, j] = column[rng.integers(0, N, is_replaced.sum())]
            else:
                noise = width * known_values.std() * rng.normal(size=n)
                X[:, j] = known_values.mean() + (X[:, j] - known_values.mean() + noise) / np.sqrt(1 + width**2)
        return X, self.target.draw(rows, rng)


def _study_sizes(n: object, n_rows: int, n_features: int) -> list[int]:
    """Check numbers of rows of simulated studies.

    Parameters
    ----------
    n : sequence of int
        Numbers of rows.
    n_rows, n_features : int
        Shape of the pilot study.

    Raises
    ------
    ValueError, TypeError
        For no numbers, fewer rows than the pilot study has, and too many of them.
    """
    sizes = [whole("each n", size, 1) for size in several("n", n)]
    if not sizes:
        raise ValueError("n must have at least one number of rows")
    max_size = max(n_rows, min(MAX_ROWS, MAX_VALUES // n_features))
    for size in sizes:
        if size < n_rows:
            raise ValueError(
                f"each n must be at least {n_rows:,}, not {size:,}: forecasts hold for as many rows as the pilot study "
                "has, and more"
            )
        if size > max_size:
            raise ValueError(
                f"each n must be at most {max_size:,} for {counted(n_features, 'feature')}, not {size:,}: a larger "
                "study takes too much memory or time"
            )
    return sizes


def _same_test(request: Request, X: np.ndarray, y: np.ndarray, random_state: int) -> SignificanceTest:
    """Make the test of a simulated study, by the method and parameters of the request of the pilot study."""
    options = {"nominal": request.table.nominal, "task": request.target.task, "random_state": random_state}
    return SignificanceTest.of(X, y, request.method.name, **options, **request.parameters)


def _test_of_ranking(ranking: Ranking, X: object, y: object, options: dict[str, Any]) -> SignificanceTest:
    """Make the test of a ranking of these data, by its method and parameters; ValueError if it is of others."""
    test = SignificanceTest.of(X, y, ranking.method, **{**ranking.parameters, **options})
    n_features = test.request.table.shape[1]
    if len(ranking.scores) != n_features:
        raise ValueError(
            f"the ranking has {counted(len(ranking.scores), 'feature')}, but X has {n_features:,}: give the data that "
            "were ranked"
        )
    return test


def _check_pilot(pilot: SignificanceTest) -> None:
    """Raise ValueError for a pilot study from which no others can be drawn."""
    request = pilot.request
    request.refuse_groups("estimates of power")
    if request.target.task not in (CLASSIFICATION, REGRESSION):
        raise ValueError(f"power needs a target of classes or numbers, not {request.target.task}")
    if request.study is not None or request.weights is not None or pilot.blocks is not None:
        raise ValueError("power takes no covariates, groups, blocks or weights of rows: leave them out")
    if request.table.is_sparse or request.table.packed:
        raise ValueError("power needs dense features: take the columns that matter, and make them dense")
    if not request.target.labelled.all():
        raise ValueError("power needs a target that is known for all rows: leave the others out")
    N = request.table.shape[0]
    if N < MIN_ROWS:
        raise ValueError(f"power needs a pilot study of at least {MIN_ROWS} rows, not {N}")
