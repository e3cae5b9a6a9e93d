"""p-values of the best of several methods, from the same permuted targets for all of them.

`core.best_of_methods` is called where several methods were tried and the best result is reported.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from ..checks import inside, several, whole
from ..methods.base import TargetResult
from ..result import Ranking
from ..words import counted
from ..work.threads import Progress, reporter
from .null_pool import EQUAL, own_spread
from .null_scores import NullScores, standardised
from .significance import MAX_SHUFFLES, SignificanceTest

MIN_DEFAULT = 99  # permuted targets by default: family-wise p are whole percents, 5 % among them


@dataclass(frozen=True, eq=False, repr=False)
class BestOfMethods:
    """Tests of p features by the best of m methods.

    Attributes
    ----------
    rankings : tuple of Ranking
        Ranking by each method, with its own `significance`, which knows nothing of the other methods.
    best : (p,) int array
        Index of the method by which each feature is the most significant.
    p : (p,) array
        Probability in (0, 1] that by chance a feature is so significant by any of the methods.
    q : (p,) array
        False discovery rate in (0, 1] of taking all features down to this one (Benjamini and Hochberg).
    family_wise : (p,) array
        Probability in (0, 1] that by chance any feature is so significant by any of the methods.
    n_shuffles : int
        Number of permuted targets.
    """

    rankings: tuple[Ranking, ...]
    best: np.ndarray
    p: np.ndarray
    q: np.ndarray
    family_wise: np.ndarray
    n_shuffles: int

    def __repr__(self) -> str:
        methods = ", ".join(ranking.method for ranking in self.rankings)
        return f"BestOfMethods({methods}; {counted(len(self.p), 'feature')})"

    def discoveries(self, level: float = 0.1) -> np.ndarray:
        """Indices of the features with q up to a level in (0, 1), the smallest p first."""
        level = inside("level", level)
        order = np.argsort(self.p, kind="stable")
        return cast("np.ndarray", order[self.q[order] <= level])


@dataclass
class RecordedScores(NullScores):
    """Scores for permuted targets that are also stored standardised, where their spread has a closed form."""

    z: list[np.ndarray] = field(default_factory=list)  # (p,) each

    def add(self, scored: TargetResult) -> None:
        super().add(scored)
        z = standardised(scored)
        if z is not None:
            self.z.append(z)

    def standardised_scores(self) -> tuple[np.ndarray, np.ndarray]:
        """Return z (p,) of the true target and z (B, p) of the permuted ones, -inf where there is no spread."""
        if self.pool is not None:
            return self.pool.z, np.array(self.z)
        return own_spread(self.true.result.scores, np.array(self.permuted))


def best_of_methods(
    X: object,
    y: object,
    methods: Sequence[str | tuple[str, Mapping[str, Any]]],
    *,
    n_shuffles: int | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
    **options: Any,
) -> BestOfMethods:
    """Test features by the best of several methods that were tried.

    If several methods are run and the one with the best result is reported, its p-values are too small. All methods
    rank the same B permuted targets here, and the minimum over methods is compared with minima (Westfall and Young
    1993, section 2.6). With z of method m for feature f, z_b for permuted target b, and N_m the number of all z_b,

        p_m(f) = (1 + #{(b, g): z_mb(g) >= z_m(f)}) / (1 + N_m)        of the true target

        p_mb(f) = #{(a, g): z_ma(g) >= z_mb(f)} / (1 + N_m)        of a permuted one, which is among those counted

        s(f) = min over m of p_m(f),        s_b(f) = min over m of p_mb(f)

        p(f) = (1 + #{(b, g): s_b(g) <= s(f)}) / (1 + B p)

    p-values are minimised rather than z maximised, since tails of z differ between methods. The largest null z of each
    method ties with a feature beyond all of them, so that p is at least about (1 + m) / (1 + B p) for m methods.

    Minima of p-values would tie the family-wise p-values, too, and then none could be below (1 + m) / (1 + B). They
    are of maxima of z, so that targets hardly ever tie. Let M_m0 and M_mb be the largest z of method m for the true
    target and for permuted ones. With the median a_m and the interquartile range s_m of these 1 + B numbers,

        t(f) = max over m of (z_m(f) - a_m) / s_m,        t_b = max over m of (M_mb - a_m) / s_m

        family_wise(f) = (1 + #{b: t_b >= t(f)}) / (1 + B)

    This is exact where z is, since a_m and s_m treat all targets alike. It departs from the book by the
    standardisation, which gives methods with heavy and light tails an equal say.

    Parameters
    ----------
    X, y
        As in `rank`, with a target.
    methods : sequence of str or tuple
        At least two methods: names in `METHODS`, or pairs of a name and the parameters that differ from the defaults.
    n_shuffles : int, optional
        Number of permuted targets, from 3; None: 99, and up to 199 for few features.
    n_jobs, progress, **options
        As in `rank`.

    Returns
    -------
    BestOfMethods

    Raises
    ------
    ValueError
        For fewer than two methods, a method that is given twice, and where `significance` raises it.
    """
    pairs = [(method, {}) if isinstance(method, str) else method for method in several("methods", methods)]
    if len(pairs) < 2:
        raise ValueError(f"methods must name at least two methods, not {len(pairs)}")
    if any(pair in pairs[:number] for number, pair in enumerate(pairs)):
        raise ValueError("methods must differ: one of them is named twice")
    if n_shuffles is not None:
        n_shuffles = whole("n_shuffles", n_shuffles, 3, MAX_SHUFFLES)
    tests = [SignificanceTest.of(X, y, name, **options, **parameters) for name, parameters in pairs]
    count = n_shuffles or max(MIN_DEFAULT, tests[0].default_shuffles)
    rankings: list[Ranking] = []
    of_true: list[np.ndarray] = []
    of_permuted: list[np.ndarray] = []
    report = None if progress is None else reporter(progress)
    for number, test in enumerate(tests):
        test.null_scores = RecordedScores

        def share(share_of_test: float, number: int = number) -> None:
            """Report the share of all methods."""
            if report is not None:
                report((number + share_of_test) / len(tests))

        for _ in test.shuffle(count, n_jobs=n_jobs, progress=None if report is None else share):
            pass
        rankings.append(replace(cast("Ranking", test.ranking), significance=test.result()))
        z, z_permuted = cast("RecordedScores", test.recorded).standardised_scores()
        of_true.append(z)
        of_permuted.append(z_permuted)
    return _tested(tuple(rankings), np.array(of_true), np.array(of_permuted))


def _tested(rankings: tuple[Ranking, ...], z: np.ndarray, z_permuted: np.ndarray) -> BestOfMethods:
    """Compute the p-values of `best_of_methods` from z (m, p) and z of permuted targets (m, B, p)."""
    from scipy.stats import false_discovery_control

    n_permuted, n_features = z_permuted.shape[1:]
    p_of_methods = np.ones(z.shape)
    p_permuted = np.ones(z_permuted.shape)
    for method in range(len(z)):
        null = np.sort(z_permuted[method][np.isfinite(z_permuted[method])])
        p_of_methods[method] = (1 + _n_reaching(null, z[method])) / (1 + len(null))
        p_permuted[method] = np.minimum(_n_reaching(null, z_permuted[method]) / (1 + len(null)), 1)
    # Features without any spread have no test
    p_of_methods[~np.isfinite(z)] = 1
    p_permuted[~np.isfinite(z_permuted)] = 1
    smallest = p_of_methods.min(axis=0)
    smallest_permuted = p_permuted.min(axis=0)
    pool = np.sort(smallest_permuted, axis=None)
    n_below = np.searchsorted(pool, smallest, side="right")
    has_test = np.isfinite(z).any(axis=0)
    p = np.where(has_test, (1 + n_below) / (1 + n_permuted * n_features), 1.0)
    t, t_permuted = _largest_of_methods(z, z_permuted)
    family_wise = np.where(has_test, (1 + _n_reaching(np.sort(t_permuted), t)) / (1 + n_permuted), 1.0)
    return BestOfMethods(
        rankings, p_of_methods.argmin(axis=0), p, false_discovery_control(p), family_wise, n_shuffles=n_permuted
    )


def _largest_of_methods(z: np.ndarray, z_permuted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Maximise z (m, p) and z of permuted targets (m, B, p) over methods, standardised by each method's maxima.

    Returns t (p,) of the features, and t (B,) of the permuted targets, the largest of all features.
    """
    t = np.full(z.shape[1], -np.inf)
    t_permuted = np.full(z_permuted.shape[1], -np.inf)
    maxima = z_permuted.max(axis=2)
    for method in range(len(z)):
        of_targets = np.append(maxima[method], z[method].max())
        of_targets = of_targets[np.isfinite(of_targets)]
        if not len(of_targets):
            continue
        low, median, high = np.quantile(of_targets, (0.25, 0.5, 0.75))
        scale = (high - low) or 1.0
        t = np.maximum(t, (z[method] - median) / scale)
        t_permuted = np.maximum(t_permuted, (maxima[method] - median) / scale)
    return t, t_permuted


def _n_reaching(null: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Count the sorted numbers `null` that reach each z, up to rounding; -inf is reached by all."""
    least = np.where(np.isfinite(z), z - EQUAL * np.abs(z), -np.inf)
    return len(null) - np.searchsorted(null, least)
