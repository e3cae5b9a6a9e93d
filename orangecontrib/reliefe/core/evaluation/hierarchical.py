"""Comparison of two methods on several data sets at once, by a Bayesian hierarchical model.

The authors' library, baycomp 1.0.3, draws from it by pystan, which compiles C++ on the user's machine.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..checks import generator, whole
from ..work.threads import Work
from .hierarchical_sampler import Sampler
from .result_differences import checked_rope, differences_of

MAX_SWEEPS = 10**7  # sweeps: their states fit into memory
BURN_IN = 500  # first sweeps that are discarded; chosen by eye
NOISE = 1e-9  # noise of data sets without variance, if the rope is 0


@dataclass(frozen=True)
class Hierarchical:
    """Posterior of the comparison of two methods on several data sets.

    Attributes
    ----------
    first, rope, second : float
        Probabilities that a new data set most probably has the first method better, both practically equal, or the
        second better.
    draws : (sweeps, 3) array
        The probabilities of these by each draw of the posterior.
    means : (q,) array
        Expected differences first - second on the data sets, drawn towards each other.
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

    Returns
    -------
    Hierarchical
        Posterior of the comparison.
    """
    x = differences_of(first, second, higher_is_better, "(q, N), q >= 2, N >= 3", (2, 3))
    n_folds = whole("n_folds", n_folds, 2)
    n_sweeps = whole("n_sweeps", n_sweeps, 1, MAX_SWEEPS)
    rope = checked_rope(rope)
    rng = generator(random_state)
    work = Work(1, progress)
    # Draw from the posterior, in units of the mean deviation.
    x = _with_noise(x, rope, rng)
    unit = x.std(axis=1).mean()
    sampler = Sampler(x / unit, 1 / n_folds, rng)
    work.plan(BURN_IN + n_sweeps)
    sweeps = []
    for _ in range(BURN_IN + n_sweeps):
        sweeps.append(sampler.sweep())
        work.tick(1)
    work.finish()
    state = np.array(sweeps[BURN_IN:])
    delta0, sigma0, nu = state[:, :3].T
    deltas = state[:, 3:]
    # Probabilities of a new data set.
    with np.errstate(over="ignore"):  # a rope may be beyond all numbers in these units
        draws = _sides(delta0, sigma0, nu, rope / unit)
    wins, ties, losses = (np.bincount(draws.argmax(axis=1), minlength=3) / n_sweeps).tolist()
    means = deltas.mean(axis=0) * unit
    return Hierarchical(wins, ties, losses, draws, means if higher_is_better else -means)


def _sides(delta0: np.ndarray, sigma0: np.ndarray, nu: np.ndarray, rope: float) -> np.ndarray:
    """Compute the mass (draws, 3) of Student(nu, delta0, sigma0) above the rope, inside it, and below it."""
    from scipy.special import stdtr

    above = stdtr(nu, (delta0 - rope) / sigma0)
    below = stdtr(nu, (-rope - delta0) / sigma0)
    return np.column_stack([above, np.maximum(1 - above - below, 0), below])


def _with_noise(x: np.ndarray, rope: float, rng: np.random.Generator) -> np.ndarray:
    """Copy results x (q, N); data sets without variance get noise within the rope that does not change their mean."""
    x = x.copy()
    limit = rope if rope > 0 else NOISE
    half = x.shape[1] // 2
    for i in np.flatnonzero(np.ptp(x, axis=1) == 0):
        noise = rng.uniform(-limit, limit, half)
        x[i, :half] += noise
        x[i, half : 2 * half] -= noise
    return x
