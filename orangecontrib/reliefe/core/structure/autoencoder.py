"""Autoencoder whose inputs have weights that a penalty draws towards 0: redundant features lose their weight.

Features that the others explain are redundant.  With the input a_j x_j of column j and the hidden layer
h = tanh(A (a x) + b), the output is C h + d.  The loss is the squared error, its mean over rows summed over columns,
plus a penalty times the sum of |a_j|.  `methods/agnos.py` calls `train` with the points of a table.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..points.points import Points, spans
from ..work.threads import Work

# Adam, with the defaults of Kingma and Ba (2015) but for a larger rate
RATE = 0.01  # first learning rate, which a cosine takes to 0; chosen by eye
MEAN_DECAY = 0.9  # share of the running mean of the gradient that stays
SQUARE_DECAY = 0.999  # share of the running mean of its square that stays
ADAM_EPSILON = 1e-8  # added to the root of that mean

MIN_ROWS_PER_PART = 256  # rows that are worth a part; chosen by eye
MAX_PARTS = 8  # parts of the rows at most
INPUT_BITS = 26  # binary digits of inputs after the point: training magnifies differences of dense and sparse rows
STEPS_PER_CHECK = 50  # steps between two checks whether the loss still falls; chosen by eye
MIN_FALL = 1e-3  # share of the loss by which these steps have to reduce it; chosen by eye


@dataclass(frozen=True)
class Weights:
    """Parameters of a network with q columns and h hidden units, or gradients of them.

    a (q,): weights of the inputs.
    inner (q, h): weights of the hidden layer, A transposed.
    b (h,): shifts of the hidden layer.
    outer (h, q): weights of the output, C transposed.
    d (q,): shifts of the output.
    """

    a: np.ndarray
    inner: np.ndarray
    b: np.ndarray
    outer: np.ndarray
    d: np.ndarray

    @classmethod
    def draw(cls, q: int, h: int, random_state: int) -> "Weights":
        """Draw weights between -r and r, r = sqrt(6 / (q + h)); those of the inputs are 1, all shifts 0.

        Glorot and Bengio (2010), Understanding the difficulty of training deep feedforward neural networks.
        """
        rng = np.random.default_rng(random_state)
        bound = np.sqrt(6 / (q + h))
        inner = rng.uniform(-bound, bound, (q, h))
        outer = rng.uniform(-bound, bound, (h, q))
        return cls(np.ones(q), inner, np.zeros(h), outer, np.zeros(q))

    @classmethod
    def zeros_like(cls, weights: "Weights") -> "Weights":
        """Make parameters of the same shapes, all 0."""
        return cls(*(np.zeros_like(array) for array in weights.parts))

    @property
    def parts(self) -> tuple[np.ndarray, ...]:
        """All arrays, in the order of the fields."""
        return self.a, self.inner, self.b, self.outer, self.d


class LossTerms(NamedTuple):
    """Squared error without the penalty, over the number of all rows, and its gradient.

    error: the squared error.
    gradient: its gradient.
    """

    error: float
    gradient: Weights


def train(
    points: Points, h: int, penalty: float, n_epochs: int, random_state: int, work: Work
) -> tuple[np.ndarray, int, bool]:
    """Train the network by Adam.

    Doquet and Sebag (2019), Agnostic feature selection.  Kingma and Ba (2015), Adam.

    Parameters
    ----------
    points : Points
        Rows, centred.
    h : int
        Number of hidden units.
    penalty : float
        Weight of the sum of |a_j| in the loss.
    n_epochs : int
        Steps at most; each sees all rows.
    random_state : int
        Seed of the first weights.
    work : Work
        Threads and progress.

    Returns
    -------
    importances : (q,) array
        Weights |a| of the columns.
    n_steps : int
        Steps that were taken.
    converged : bool
        True if the loss fell by less than `MIN_FALL` in `STEPS_PER_CHECK` steps.
    """
    weights = Weights.draw(points.shape[1], h, random_state)
    means = Weights.zeros_like(weights)
    squares = Weights.zeros_like(weights)
    checked_loss = np.inf
    work.plan(n_epochs)
    for step in range(1, n_epochs + 1):
        work.tick(1)
        error, gradient = loss(points, weights, work)
        rate = RATE * (1 + math.cos(math.pi * (step - 1) / n_epochs)) / 2  # so that weights come to rest
        total_loss = error + penalty * float(np.abs(weights.a).sum())
        slopes = (gradient.a + penalty * np.sign(weights.a), *gradient.parts[1:])
        for array, slope, mean, square in zip(weights.parts, slopes, means.parts, squares.parts, strict=True):
            mean += (1 - MEAN_DECAY) * (slope - mean)
            square += (1 - SQUARE_DECAY) * (slope * slope - square)
            root = np.sqrt(square / (1 - SQUARE_DECAY**step)) + ADAM_EPSILON
            array -= rate * mean / (1 - MEAN_DECAY**step) / root
        if step % STEPS_PER_CHECK == 0:
            if checked_loss - total_loss < MIN_FALL * abs(checked_loss):
                return np.abs(weights.a), step, True
            checked_loss = total_loss
    return np.abs(weights.a), n_epochs, False


def loss(points: Points, weights: Weights, work: Work) -> LossTerms:
    """Compute the squared error and its gradient, added up over parts of the rows in a fixed order."""
    n = points.shape[0]
    n_parts = min(max(math.ceil(n / MIN_ROWS_PER_PART), 1), MAX_PARTS)
    bounds = np.linspace(0, n, n_parts + 1).astype(int)

    def loss_of_part(number: int) -> LossTerms:
        """Add up over a part of the rows."""
        return _loss_of_rows(points, weights, slice(bounds[number], bounds[number + 1]), work)

    first, *other_terms = work.map(loss_of_part, range(n_parts))
    error = first.error
    arrays = first.gradient.parts
    for terms in other_terms:
        error = error + terms.error
        arrays = tuple(total + array for total, array in zip(arrays, terms.gradient.parts, strict=True))
    return LossTerms(float(error), Weights(*arrays))


def _loss_of_rows(points: Points, weights: Weights, rows: slice, work: Work) -> LossTerms:
    """Add up the squared error and its gradient over rows, block by block, by backpropagation."""
    n = points.shape[0]
    scaled_inner = weights.a[:, None] * weights.inner
    error = 0.0
    gradient = Weights.zeros_like(weights)
    for block in spans(rows.stop - rows.start, points.shape[1]):
        work.tick()
        # Inputs, without the binary digits in which dense and sparse rows differ.
        x = np.ldexp(points.block(slice(rows.start + block.start, rows.start + block.stop)), INPUT_BITS)
        np.rint(x, out=x)
        np.ldexp(x, -INPUT_BITS, out=x)
        # Forward.
        hidden = np.tanh(x @ scaled_inner + weights.b)
        residuals = hidden @ weights.outer
        residuals += weights.d
        residuals -= x
        error += float(np.einsum("ij,ij->", residuals, residuals)) / n
        # Backward: derivatives of the loss by the output, and by the input of the hidden layer.
        by_output = residuals
        by_output *= 2 / n
        by_hidden = (by_output @ weights.outer.T) * (1 - hidden * hidden)
        by_scaled_inner = x.T @ by_hidden
        gradient.a[:] += np.einsum("ij,ij->i", by_scaled_inner, weights.inner)
        gradient.inner[:] += weights.a[:, None] * by_scaled_inner
        gradient.b[:] += by_hidden.sum(axis=0)
        gradient.outer[:] += hidden.T @ by_output
        gradient.d[:] += by_output.sum(axis=0)
    return LossTerms(error, gradient)
