"""Job of *Sparsify*: epsilons to choose from, the sparse table, and the measured error.

The widget runs `run` in a thread with a `SparsifyRequest` and the result so far, and sends `preprocessor_of` the
result.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from Orange.data import Table, Variable

from .jobs.progress import raise_if_stopped
from .sparsification import Matrix, Numeric, Sparsify, rebuilt

if TYPE_CHECKING:
    from ..core.embedding.sparsify import Sparsified

# Grid of epsilons, chosen by eye
SPREAD = 100  # factor from the epsilon of the mean absolute value to the largest one, and from the smallest one
STEPS = 320  # epsilons, before they are rounded
VALUES_PER_CHECK = 1_000_000  # values between two checks for interruption: about 0.1 s


def epsilon_grid(numeric: Numeric, check: Callable[[], object] = lambda: None) -> np.ndarray:
    """Compute epsilons that make a difference, in equal ratios, rounded to three digits.

    Thresholds are from `SPREAD` times below the mean absolute value to as many times above.

    Parameters
    ----------
    numeric : Numeric
        Values of the numeric columns.
    check : callable
        Called from time to time; may raise to stop.

    Returns
    -------
    (s,) float64 array
        Epsilons; empty if all values are 0.
    """
    values = numeric.values.data if sp.issparse(numeric.values) else numeric.values.ravel()
    total = 0.0
    count = 0
    for start in range(0, len(values), VALUES_PER_CHECK):
        check()
        chunk = np.abs(values[start : start + VALUES_PER_CHECK])
        total += chunk.sum()
        count += np.count_nonzero(chunk)
    if not count or not np.isfinite(total):
        return np.zeros(0)
    middle = total / count * np.sqrt(numeric.size)
    steps = np.geomspace(middle / SPREAD, middle * SPREAD, STEPS)
    return np.unique([float(f"{step:.3g}") for step in steps])


class SparsifyRequest(NamedTuple):
    """Request of the user.

    Attributes
    ----------
    epsilon : float, optional
        Bound of the error. None: that of the paper.
    scaled : bool
        Whether columns are divided by their ranges.
    seed : int
        Seed of the random choices.
    """

    epsilon: float | None = None
    scaled: bool = True
    seed: int = 0


@dataclass(frozen=True, eq=False)
class SparsifiedResult:
    """Result so far. It is replaced and never changed, so that threads can share it.

    Attributes
    ----------
    numeric : Numeric, optional
        Values of the numeric columns.
    epsilons : (s,) float64 array, optional
        Epsilons to choose from.
    automatic : float
        Epsilon of the paper.
    norm : float
        Spectral norm of the values.
    sparsified : Sparsified, optional
        Sparse values for the request.
    table : Table, optional
        Table with these values.
    error : float
        Spectral norm of the change.
    """

    numeric: Numeric | None = None
    epsilons: np.ndarray | None = None
    automatic: float = 0.0
    norm: float = np.nan
    sparsified: "Sparsified | None" = None
    table: Table | None = None
    error: float = np.nan

    def cleared(self) -> "SparsifiedResult":
        """Outcome without what depends on epsilon and the seed."""
        return replace(self, sparsified=None, table=None, error=np.nan)


def run(table: Table, request: SparsifyRequest, known: SparsifiedResult, state: Any) -> SparsifiedResult:
    """Sparsify a table, and measure the error; each step is a partial result.

    Parameters
    ----------
    table : Table
        The data.
    request : SparsifyRequest
        What the user asks for.
    known : SparsifiedResult
        Result so far for the same data, which is reused.
    state : TaskState
        Task of the widget.

    Returns
    -------
    SparsifiedResult
        The result.

    Raises
    ------
    ValueError
        If the data have infinite values.
    """
    from ..core.embedding import sparsify

    check = partial(raise_if_stopped, state)

    def announce(percent: int, result: SparsifiedResult, next_step: str) -> None:
        check()
        state.set_progress_value(percent)
        state.set_partial_result(result)
        state.set_status(next_step)

    result = known
    numeric = result.numeric
    if result.epsilons is None or numeric is None:
        state.set_status("Reading the data")
        numeric = Numeric.of(table, scaled=request.scaled)
        result = SparsifiedResult(numeric, epsilon_grid(numeric, check), sparsify(numeric.values).epsilon)
        announce(30, result, "Sparsifying")
    if result.sparsified is None:
        sparsified = sparsify(numeric.values, epsilon=request.epsilon or None, random_state=request.seed)
        result = replace(result, sparsified=sparsified, table=rebuilt(table, numeric, sparsified.X))
        announce(60, result, "Measuring the error")
    return _measured(result, request.seed, check)


def _measured(result: SparsifiedResult, seed: int, check: Callable[[], object]) -> SparsifiedResult:
    """Outcome with the spectral norms of the values and of their change."""
    if result.numeric is None or result.sparsified is None:
        return result
    values = result.numeric.values
    sparse_values = result.sparsified.X
    if not np.isfinite(result.norm):
        zeros = sp.csr_array(values.shape)
        result = replace(result, norm=_spectral_error(values, zeros, seed))
        check()
    return replace(result, error=_spectral_error(values, sparse_values, seed))


def _spectral_error(values: Matrix, approximation: Matrix, seed: int) -> float:
    """Spectral norm of the difference of two matrices."""
    from ..core.embedding.sparsify import spectral_error

    return float(spectral_error(values, approximation, random_state=seed))


def preprocessor_of(outcome: SparsifiedResult, attributes: Sequence[Variable], seed: int) -> Sparsify | None:
    """Make a preprocessor that sparsifies other data in the same way.

    Parameters
    ----------
    outcome : SparsifiedResult
        Result of the job.
    attributes : sequence of Variable
        Attributes of the data.
    seed : int
        Seed of the random choices.

    Returns
    -------
    Sparsify or None
        The preprocessor. None before data are sparsified.
    """
    numeric = outcome.numeric
    if outcome.sparsified is None or numeric is None:
        return None
    names = (attributes[j].name for j in numeric.columns)
    ranges = dict(zip(names, numeric.ranges.tolist(), strict=True))
    return Sparsify(float(outcome.sparsified.epsilon), numeric.size, ranges, seed)
