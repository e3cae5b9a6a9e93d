"""Gibbs sampler of the hierarchical model."""

from typing import cast

import numpy as np

MAX_DEVIATIONS = 1000  # bounds of the deviations, in units of those of the data
GRID = 1 + np.geomspace(1e-2, 2e3, 160)  # values of nu
ALPHAS, BETAS = np.linspace(1, 2, 21), np.linspace(0.01, 0.1, 21)
MIN_DEVIATION = 1e-3  # deviation of the means of the data sets that is thought possible, in units of that within them
MIN_SPREAD = 1e-12


class Sampler:
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
