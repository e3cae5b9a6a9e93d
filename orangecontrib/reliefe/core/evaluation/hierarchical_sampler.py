"""Gibbs sampler of the hierarchical model that `hierarchical_t` draws from.

Result j of data set i is normal around delta_i with variance sigma_i^2; results of one data set correlate by rho, since
training sets overlap.  The deltas follow a Student distribution with location delta0, scale sigma0 and nu degrees of
freedom; it is drawn as a mixture of normals with precision lam_i / sigma0^2.

Corani, Benavoli, Demsar, Mangili and Zaffalon (2017), Statistical comparison of classifiers through Bayesian
hierarchical modelling.  The bounds and the prior of nu are the defaults of the authors' library, baycomp.
"""

from typing import cast

import numpy as np

MAX_DEVIATIONS = 1000  # bound of sigma_i and sigma0, in units of the deviations of the data
GRID = 1 + np.geomspace(1e-2, 2e3, 160)  # values of nu; chosen by eye: dense near 1, up to almost normal
ALPHAS = np.linspace(1, 2, 21)  # shapes of the gamma prior of nu, over which it is averaged
BETAS = np.linspace(0.01, 0.1, 21)  # its rates
MIN_DEVIATION = 1e-3  # smallest deviation between data sets, in units of that within them; chosen by eye
MIN_SPREAD = 1e-12  # smallest precision and sum of squares: the sampler divides by them
MIN_GAMMA = 1e-300  # smallest gamma variable: the sampler divides by it


class Sampler:
    """State of the Markov chain for data x (q, N) whose mean deviation is 1."""

    def __init__(self, x: np.ndarray, rho: float, rng: np.random.Generator):
        """Begin the chain at the means of the data; rho: correlation of the results of one data set."""
        from scipy.special import gammaln

        q, n_results = x.shape
        self.rng = rng
        self.n_results = n_results
        # The data enter by their means and sums of squares, each by its eigenvalue of the correlation matrix.
        self.centers = x.mean(axis=1)
        self.within = ((x - self.centers[:, None]) ** 2).sum(axis=1) / (1 - rho)
        self.share = n_results / (1 + (n_results - 1) * rho)
        # Bounds.
        between = max(self.centers.std(), MIN_DEVIATION)
        self.max_delta = np.abs(x).max()
        self.max_sigma = MAX_DEVIATIONS * x.std(axis=1).mean()
        self.max_sigma0 = MAX_DEVIATIONS * between
        # The state.
        self.deltas = self.centers.copy()
        self.delta0 = float(self.centers.mean())
        self.variance0 = between**2
        self.lam = np.ones(q)
        # Terms of the log density of nu that do not change.
        self.prior = _prior_of_nu()
        self.constant = q * (gammaln((GRID + 1) / 2) - gammaln(GRID / 2) - np.log(GRID) / 2)

    def sweep(self) -> np.ndarray:
        """Draw all variables once, each given the others: (delta0, sigma0, nu, the q deltas)."""
        rng = self.rng
        q = len(self.deltas)
        # Variances within the data sets.
        squares = self.within + self.share * (self.centers - self.deltas) ** 2
        variances = self._draw_variances((self.n_results - 1) / 2, squares / 2, self.max_sigma)
        # Means of the data sets.
        data_precision = self.share / variances
        prior_precision = self.lam / self.variance0
        precision = data_precision + prior_precision
        mean = (data_precision * self.centers + prior_precision * self.delta0) / precision
        self.deltas = mean + rng.standard_normal(q) / np.sqrt(precision)
        # Degrees of freedom, and the weights of the mixture.
        nu = self._draw_nu((self.deltas - self.delta0) ** 2 / self.variance0)
        rate = (nu + (self.deltas - self.delta0) ** 2 / self.variance0) / 2
        self.lam = np.maximum(rng.gamma((nu + 1) / 2, 1, q) / rate, MIN_SPREAD)
        # Location and scale of the Student distribution.
        self.delta0 = self._draw_delta0()
        spread = (self.lam * (self.deltas - self.delta0) ** 2).sum() / 2
        rates = np.array([max(spread, MIN_SPREAD**2)])
        self.variance0 = float(self._draw_variances((q - 1) / 2, rates, self.max_sigma0)[0])
        return cast("np.ndarray", np.r_[self.delta0, np.sqrt(self.variance0), nu, self.deltas])

    def _draw_variances(self, shape: float, rates: np.ndarray, max_sigma: float) -> np.ndarray:
        """Draw from inverse gamma distributions with these rates, cut at max_sigma^2."""
        from scipy.special import gammaincc, gammainccinv

        top = gammaincc(shape, rates / max_sigma**2)
        gamma = gammainccinv(shape, top * (1 - self.rng.random(len(rates))))
        return np.where(top > 0, np.minimum(rates / np.maximum(gamma, MIN_GAMMA), max_sigma**2), max_sigma**2)

    def _draw_nu(self, z2: np.ndarray) -> float:
        """Draw the degrees of freedom from the grid; z2 (q,): squared standardised deltas."""
        exponent = (GRID + 1) / 2 * np.log1p(z2[:, None] / GRID).sum(axis=0)
        log_density = self.prior + self.constant - exponent
        cumulative = np.cumsum(np.exp(log_density - log_density.max()))
        index = np.searchsorted(cumulative, self.rng.random() * cumulative[-1])
        return float(GRID[min(index, len(GRID) - 1)])

    def _draw_delta0(self) -> float:
        """Draw the location from a normal distribution, cut at the largest difference there is."""
        from scipy.special import ndtr, ndtri

        total = self.lam.sum()
        mean = self.lam @ self.deltas / total
        deviation = np.sqrt(self.variance0 / total)
        low = ndtr((-self.max_delta - mean) / deviation)
        high = ndtr((self.max_delta - mean) / deviation)
        delta0 = mean + deviation * ndtri(low + (high - low) * self.rng.random())
        return float(np.clip(delta0, -self.max_delta, self.max_delta))


def _prior_of_nu() -> np.ndarray:
    """Compute the log prior of each nu of the grid, times the width of its cell; alpha and beta are averaged out."""
    from scipy.special import gammaln

    a = ALPHAS[:, None, None]
    b = BETAS[:, None]
    log_density = a * np.log(b) - gammaln(a) + (a - 1) * np.log(GRID - 1) - b * (GRID - 1)
    return cast("np.ndarray", np.log(np.exp(log_density).mean(axis=(0, 1))) + np.log(GRID - 1))
