"""Sparsification in steps, for a thread: the epsilons to choose from, the sparse table, and the measured error."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from Orange.data import Table, Variable

from .jobs.progress import raise_if_stopped
from .sparsification import Numeric, Sparsify, rebuilt

SPREAD = 100  # the smallest and the largest epsilon, as a multiple of that of the mean absolute value
STEPS = 320  # epsilons of the grid, before they are rounded
VALUES_PER_LOOK = 1_000_000  # values that are looked at before asking whether to go on: about 0.1 s


def epsilon_grid(numeric: Numeric, check: Callable[[], object] = lambda: None) -> np.ndarray:
    """Epsilons (s,) that make a difference, in equal ratios, as short numbers; empty without any value but 0.

    They reach from thresholds SPREAD times below the mean absolute value to as many times above.  `check` is called
    now and then, and may raise.
    """
    values = numeric.values.data if sp.issparse(numeric.values) else numeric.values.ravel()
    total, count = 0.0, 0
    for start in range(0, len(values), VALUES_PER_LOOK):
        check()
        chunk = np.abs(values[start : start + VALUES_PER_LOOK])
        total += chunk.sum()
        count += np.count_nonzero(chunk)
    if not count or not np.isfinite(total):
        return np.zeros(0)
    middle = total / count * np.sqrt(numeric.size)
    steps = np.geomspace(middle / SPREAD, middle * SPREAD, STEPS)
    return np.unique([float(f"{step:.3g}") for step in steps])


class Request(NamedTuple):
    """epsilon: None for the paper's; scaled: whether columns are taken in units of their ranges."""

    epsilon: float | None = None
    scaled: bool = True
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Outcome:
    """Results so far; replaced, never changed, so that it may cross threads.

    numeric, epsilons (from which one can choose), automatic (the paper's epsilon) and norm (spectral, of the values)
    belong to the data; sparsified, table and error to the request.
    """

    numeric: Numeric | None = None
    epsilons: np.ndarray | None = None
    automatic: float = 0.0
    norm: float = np.nan
    sparsified: object = None
    table: Table | None = None
    error: float = np.nan

    def cleared(self) -> "Outcome":
        """Outcome with what stays true for other requests of the same scale."""
        return replace(self, sparsified=None, table=None, error=np.nan)


def run(table: Table, request: Request, known: Outcome, state) -> Outcome:
    """Epsilons, sparsified table and measured error; each step is a partial result.  `known` is not computed again."""
    from ..core.embedding import sparsify

    check = partial(raise_if_stopped, state)

    def step(share, result, text=""):
        check()
        state.set_progress_value(share)
        state.set_partial_result(result)
        state.set_status(text)

    result = known
    if result.epsilons is None:
        state.set_status("Reading the data")
        numeric = Numeric.of(table, scaled=request.scaled)
        result = Outcome(numeric, epsilon_grid(numeric, check), sparsify(numeric.values).epsilon)
        step(30, result, "Sparsifying")
    if result.sparsified is None:
        found = sparsify(result.numeric.values, epsilon=request.epsilon or None, random_state=request.seed)
        result = replace(result, sparsified=found, table=rebuilt(table, result.numeric, found.X))
        step(60, result, "Measuring the error")
    return _measured(result, request.seed, check)


def _measured(result: Outcome, seed: int, check) -> Outcome:
    from ..core.embedding.sparsify import spectral_error

    values, after = result.numeric.values, result.sparsified.X
    if not np.isfinite(result.norm):
        nothing = sp.csr_array(values.shape)
        result = replace(result, norm=float(spectral_error(values, nothing, random_state=seed)))
        check()
    return replace(result, error=float(spectral_error(values, after, random_state=seed)))


def preprocessor_of(outcome: Outcome, attributes: Sequence[Variable], seed: int) -> Sparsify | None:
    """Preprocessor that does the same to other data; None before anything is known."""
    if outcome.sparsified is None:
        return None
    numeric = outcome.numeric
    names = (attributes[j].name for j in numeric.columns)
    ranges = dict(zip(names, numeric.ranges.tolist(), strict=True))
    return Sparsify(float(outcome.sparsified.epsilon), numeric.size, ranges, seed)
