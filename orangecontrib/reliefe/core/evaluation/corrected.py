"""Tests of differences on one data set: t with a variance that is corrected for training sets that overlap."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from ..checks import generator, inside, number, switch, whole
from ..data.arrays import floats
from ..work.threads import Work

MAX_COUNT = 10**9  # folds
MAX_DIFFERENCE = 1e150  # whose square is still a number


@dataclass(frozen=True)
class Difference:
    """Difference of two methods on one data set.

    mean: of first - second.
    low, high: its interval of the level asked for.
    p_value: of no difference, two-sided.
    first, rope, second: probabilities that the first method is better, that they are practically equal, that the second
    is better.
    """

    mean: float
    low: float
    high: float
    p_value: float
    first: float
    rope: float
    second: float


def corrected_t(
    first: object, second: object, n_folds: int, rope: float = 0.0, higher_is_better: bool = True, level: float = 0.95
) -> Difference:
    """Two rankings on one data set: t-test whose variance is corrected for training sets that overlap.

    Nadeau and Bengio (2003), Inference for the generalization error, section 3.  Corani and Benavoli (2015), A Bayesian
    approach for comparing cross-validated algorithms, equation 8, for the probabilities.

    Parameters
    ----------
    first, second : (m,) arrays
        Results on the same m >= 2 test folds, of one or more cross-validations.
    n_folds : int
        Parts of each cross-validation, 2 or more.
    rope : float
        Differences up to it are none in practice; not negative.
    higher_is_better : bool
        False for errors.  The sign of the difference is that of first - second.
    level : float
        Of the interval, in (0, 1).
    """
    from scipy.special import stdtr, stdtrit

    x = _differences(first, second, higher_is_better, "(m,), m >= 2", (2,))
    m = len(x)
    n_folds, level = whole("n_folds", n_folds, 2, MAX_COUNT), inside("level", level)
    rope = _checked_rope(rope)
    mean = float(x.mean())
    sign = 1 if higher_is_better else -1
    error = float(resampled_error(x, n_folds))
    if error == 0:
        sides = float(mean > rope), float(abs(mean) <= rope), float(mean < -rope)
        return Difference(sign * mean, sign * mean, sign * mean, float(mean == 0), *sides)
    second_wins, first_wins = stdtr(m - 1, (-rope - mean) / error), stdtr(m - 1, (mean - rope) / error)
    ends = sorted(sign * (mean + side * stdtrit(m - 1, (1 + level) / 2) * error) for side in (-1, 1))
    p_value = 2 * stdtr(m - 1, -abs(mean) / error)
    middle = max(1 - first_wins - second_wins, 0.0)
    return Difference(sign * mean, *map(float, (*ends, p_value, first_wins, middle, second_wins)))


def resampled_error(values: object, n_folds: int) -> np.ndarray:
    """Standard errors of means over test folds, corrected as in `corrected_t`."""
    values = np.asarray(values, float)
    errors = np.sqrt((1 / len(values) + 1 / (n_folds - 1)) * values.var(axis=0, ddof=1))
    return np.where(np.ptp(values, axis=0) > 0, errors, 0.0)


def resampled_interval(values: object, n_folds: int, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Intervals of means over test folds: low (...) and high (...), NaN where a value is.

    Nadeau and Bengio (2003), section 3, as in `corrected_t`.

    Parameters
    ----------
    values : (m, ...) array
        On m >= 2 test folds of one or more cross-validations.
    n_folds : int
        Parts of each of them, 2 or more.
    level : float
        In (0, 1).
    """
    from scipy.special import stdtrit

    values, n_folds, level = floats(values, "values"), whole("n_folds", n_folds, 2, MAX_COUNT), inside("level", level)
    if values.ndim < 1 or len(values) < 2:
        raise ValueError(f"values must be (m, ...) of at least 2 folds, not {values.shape}")
    reach = stdtrit(len(values) - 1, (1 + level) / 2) * resampled_error(values, n_folds)
    means = values.mean(axis=0)
    return means - reach, means + reach


def _differences(
    first: object, second: object, higher_is_better: bool, form: str, least: tuple[int, ...]
) -> np.ndarray:
    """Differences of results of the same shape, positive where the first method is better; they must be finite.

    form: the shape in words; least: its smallest lengths.
    """
    first, second = floats(first, "results"), floats(second, "results")
    if first.ndim != len(least) or first.shape != second.shape or any(np.less(first.shape, least)):
        raise ValueError(f"results must be both {form}, not {first.shape} and {second.shape}")
    with np.errstate(over="ignore", invalid="ignore"):
        x = first - second
    if not (np.abs(x) < MAX_DIFFERENCE).all():
        raise ValueError(f"results must be finite, and differ by less than {MAX_DIFFERENCE:g}")
    return np.asarray(x if switch("higher_is_better", higher_is_better) else -x)


def _checked_rope(rope: object) -> float:
    found = number("rope", rope)
    if not 0 <= found < np.inf:
        raise ValueError(f"rope must be at least 0 and finite, not {rope}")
    return found


BURN_IN = 500  # first sweeps that are forgotten
MAX_SWEEPS = 10**7  # sweeps
MAX_DEVIATIONS = 1000  # bounds of the deviations, in units of those of the data
GRID = 1 + np.geomspace(1e-2, 2e3, 160)  # values of nu
ALPHAS, BETAS = np.linspace(1, 2, 21), np.linspace(0.01, 0.1, 21)
MIN_DEVIATION = 1e-3  # deviation of the means of the data sets that is thought possible, in units of that within them
MIN_SPREAD = 1e-12


@dataclass(frozen=True)
class Hierarchical:
    """Posterior of the comparison of two methods on several data sets.

    first, rope, second: probabilities that a new data set most probably has the first method better, both practically
    equal, or the second better.
    draws (sweeps, 3): the probabilities of these by each draw of the posterior.
    means (q,): expected differences first - second on the data sets, drawn towards each other.
    """

    first: float
    rope: float
    second: float
    draws: np.ndarray
    means: np.ndarray


def hierarchical_t(
    first: object,
    second: object,
    n_folds: int,
    rope: float = 0.01,
    higher_is_better: bool = True,
    n_sweeps: int = 5000,
    random_state: int = 0,
    progress: Callable[[float], object] | None = None,
) -> Hierarchical:
    """Compare two methods by their results on several data sets.

    Parameters
    ----------
    first, second : (q, N) arrays
        Results on q >= 2 data sets, N >= 3 test folds each, of one or more cross-validations.  Data sets where all
        differences are the same get some noise within the rope that cancels out.
    n_folds, rope, higher_is_better
        As in `corrected_t`.
    n_sweeps : int
        Draws of the posterior, 1 or more.
    """
    x = _differences(first, second, higher_is_better, "(q, N), q >= 2, N >= 3", (2, 3))
    n_folds, n_sweeps = whole("n_folds", n_folds, 2), whole("n_sweeps", n_sweeps, 1, MAX_SWEEPS)
    rope = _checked_rope(rope)
    rng, work = generator(random_state), Work(1, progress)
    x = _with_noise(x, rope, rng)
    unit = x.std(axis=1).mean()
    sampler = _Sampler(x / unit, 1 / n_folds, rng)
    work.plan(BURN_IN + n_sweeps)
    kept: Any = []
    for _ in range(BURN_IN + n_sweeps):
        kept.append(sampler.sweep())
        work.tick(1)
    work.finish()
    kept = np.array(kept[BURN_IN:])
    with np.errstate(over="ignore"):  # a rope may be beyond all numbers in these units
        draws = _sides(kept[:, 0], kept[:, 1], kept[:, 2], rope / unit)
    wins = np.bincount(draws.argmax(axis=1), minlength=3) / n_sweeps
    means = kept[:, 3:].mean(axis=0) * unit
    return Hierarchical(
        *cast("tuple[float, float, float]", wins.tolist()), draws, means if higher_is_better else -means
    )


class _Sampler:
    """State of the chain for data x (q, N) whose mean deviation is 1."""

    def __init__(self, x: np.ndarray, rho: float, rng: np.random.Generator):
        from scipy.special import gammaln

        q, size = x.shape
        self.rng, self.size = rng, size
        self.centers = x.mean(axis=1)
        self.within = ((x - self.centers[:, None]) ** 2).sum(axis=1) / (1 - rho)
        self.share = size / (1 + (size - 1) * rho)
        among = self.centers.std()
        self.bound = np.abs(x).max()
        self.widest, self.widest0 = MAX_DEVIATIONS * x.std(axis=1).mean(), MAX_DEVIATIONS * max(among, MIN_DEVIATION)
        self.deltas, self.delta0 = self.centers.copy(), float(self.centers.mean())
        self.variance0 = max(among, MIN_DEVIATION) ** 2
        self.lam = np.ones(q)
        self.prior = _prior_of_nu()
        self.constant = q * (gammaln((GRID + 1) / 2) - gammaln(GRID / 2) - np.log(GRID) / 2)

    def sweep(self) -> np.ndarray:
        """delta0, sigma0, nu and the deltas after all of them have been drawn once."""
        rng, q = self.rng, len(self.deltas)
        quads = self.within + self.share * (self.centers - self.deltas) ** 2
        variances = self._variances((self.size - 1) / 2, quads / 2, self.widest)
        own, common = self.share / variances, self.lam / self.variance0
        mean = (own * self.centers + common * self.delta0) / (own + common)
        self.deltas = mean + rng.standard_normal(q) / np.sqrt(own + common)
        nu = self._nu((self.deltas - self.delta0) ** 2 / self.variance0)
        rate = (nu + (self.deltas - self.delta0) ** 2 / self.variance0) / 2
        self.lam = np.maximum(rng.gamma((nu + 1) / 2, 1, q) / rate, MIN_SPREAD)
        self.delta0 = self._center()
        spread = (self.lam * (self.deltas - self.delta0) ** 2).sum() / 2
        self.variance0 = float(self._variances((q - 1) / 2, np.array([max(spread, MIN_SPREAD**2)]), self.widest0)[0])
        return cast("np.ndarray", np.r_[self.delta0, np.sqrt(self.variance0), nu, self.deltas])

    def _variances(self, shape: float, rates: np.ndarray, widest: float) -> np.ndarray:
        """Inverse gamma below widest^2."""
        from scipy.special import gammaincc, gammainccinv

        top = gammaincc(shape, rates / widest**2)
        drawn = gammainccinv(shape, top * (1 - self.rng.random(len(rates))))
        return np.where(top > 0, np.minimum(rates / np.maximum(drawn, 1e-300), widest**2), widest**2)

    def _nu(self, z2: np.ndarray) -> float:
        kernel = (GRID + 1) / 2 * np.log1p(z2[:, None] / GRID).sum(axis=0)
        logs = self.prior + self.constant - kernel
        steps = np.cumsum(np.exp(logs - logs.max()))
        return float(GRID[min(np.searchsorted(steps, self.rng.random() * steps[-1]), len(GRID) - 1)])

    def _center(self) -> float:
        """Normal, cut at the largest difference there is."""
        from scipy.special import ndtr, ndtri

        total = self.lam.sum()
        mean, deviation = self.lam @ self.deltas / total, np.sqrt(self.variance0 / total)
        low, high = ndtr((-self.bound - mean) / deviation), ndtr((self.bound - mean) / deviation)
        drawn = mean + deviation * ndtri(low + (high - low) * self.rng.random())
        return float(np.clip(drawn, -self.bound, self.bound))


def _prior_of_nu() -> np.ndarray:
    """Log of the prior of every nu of the grid, times the width of its cell; alpha and beta summed over."""
    from scipy.special import gammaln

    a, b = ALPHAS[:, None, None], BETAS[:, None]
    logs = a * np.log(b) - gammaln(a) + (a - 1) * np.log(GRID - 1) - b * (GRID - 1)
    return cast("np.ndarray", np.log(np.exp(logs).mean(axis=(0, 1))) + np.log(GRID - 1))


def _sides(delta0: np.ndarray, sigma0: np.ndarray, nu: np.ndarray, rope: float) -> np.ndarray:
    """(draws, 3) mass of Student(nu, delta0, sigma0) above the rope, inside it, below it."""
    from scipy.special import stdtr

    first, second = stdtr(nu, (delta0 - rope) / sigma0), stdtr(nu, (-rope - delta0) / sigma0)
    return np.column_stack([first, np.maximum(1 - first - second, 0), second])


def _with_noise(x: np.ndarray, rope: float, rng: np.random.Generator) -> np.ndarray:
    """Results without variance are spread by up to the rope, their mean stays."""
    x = x.copy()
    reach = rope if rope > 0 else 1e-9
    half = x.shape[1] // 2
    for i in np.flatnonzero(np.ptp(x, axis=1) == 0):
        noise = rng.uniform(-reach, reach, half)
        x[i, :half] += noise
        x[i, half : 2 * half] -= noise
    return x
