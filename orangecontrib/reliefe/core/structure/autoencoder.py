"""Autoencoder whose inputs have weights that a penalty draws towards 0: features that the rest explains lose theirs.

Input a_j x_j, hidden layer h = tanh(A (a x) + b), output C h + d.  The loss is the squared error, its mean over rows
summed over columns, plus a penalty times the sum of |a_j|.
"""

import math
from dataclasses import dataclass

import numpy as np

from ..points.points import Points, spans
from ..work.threads import Work

RATE, FIRST, SECOND, SMALL = 0.01, 0.9, 0.999, 1e-8  # of Adam
ROWS = 256  # that are worth a part
PARTS = 8  # of the rows
BITS = 26  # after the point, of inputs: training magnifies the rounding errors in which dense and sparse rows differ
STILL = 50  # steps between two looks at the loss


@dataclass(frozen=True)
class Weights:
    """Parameters of the network, and gradients of them."""

    a: np.ndarray  # (q,)
    inner: np.ndarray  # (q, h)
    b: np.ndarray  # (h,)
    outer: np.ndarray  # (h, q)
    d: np.ndarray

    @classmethod
    def draw(cls, q: int, h: int, random_state: int) -> "Weights":
        """Weights between -r and r, r = sqrt(6 / (q + h)); those of the inputs 1, all shifts 0.

        Glorot and Bengio (2010), Understanding the difficulty of training deep feedforward neural networks.
        """
        rng, bound = np.random.default_rng(random_state), np.sqrt(6 / (q + h))
        inner, outer = rng.uniform(-bound, bound, (q, h)), rng.uniform(-bound, bound, (h, q))
        return cls(np.ones(q), inner, np.zeros(h), outer, np.zeros(q))

    @property
    def parts(self) -> tuple[np.ndarray, ...]:
        return self.a, self.inner, self.b, self.outer, self.d


def train(
    points: Points, h: int, penalty: float, n_epochs: int, tol: float, random_state: int, work: Work
) -> tuple[np.ndarray, int, bool]:
    """Weights |a| (q,) of the columns, steps taken, and whether the loss came to rest.

    Doquet and Sebag (2019), Agnostic feature selection.  Kingma and Ba (2015), Adam.
    """
    weights = Weights.draw(points.shape[1], h, random_state)
    means, squares = [[np.zeros_like(part) for part in weights.parts] for _ in range(2)]
    before = np.inf
    work.plan(n_epochs)
    for step in range(1, n_epochs + 1):
        work.tick(1)
        error, gradient = loss(points, weights, work)
        rate = RATE * (1 + math.cos(math.pi * (step - 1) / n_epochs)) / 2  # so that weights come to rest
        value = error + penalty * float(np.abs(weights.a).sum())
        slopes = (gradient.a + penalty * np.sign(weights.a), *gradient.parts[1:])
        for part, slope, mean, square in zip(weights.parts, slopes, means, squares, strict=True):
            mean += (1 - FIRST) * (slope - mean)
            square += (1 - SECOND) * (slope * slope - square)
            part -= rate * mean / (1 - FIRST**step) / (np.sqrt(square / (1 - SECOND**step)) + SMALL)
        if step % STILL == 0:
            if before - value < tol * abs(before):
                return np.abs(weights.a), step, True
            before = value
    return np.abs(weights.a), n_epochs, False


def loss(points: Points, weights: Weights, work: Work) -> tuple[float, Weights]:
    """Squared error and its gradient, added up over parts of the rows in a fixed order."""
    n = points.shape[0]
    bounds = np.linspace(0, n, min(max(-(-n // ROWS), 1), PARTS) + 1).astype(int)
    parts = work.map(
        lambda number: _share(points, weights, slice(bounds[number], bounds[number + 1]), work), range(len(bounds) - 1)
    )
    total, *sums = (sum(values[1:], values[0]) for values in zip(*parts, strict=True))
    return float(total), Weights(*sums)


def _share(points: Points, weights: Weights, rows: slice, work: Work) -> tuple[float | np.ndarray, ...]:
    """Error and gradients of some rows."""
    n, (a, inner, b, outer, d) = points.shape[0], weights.parts
    error, sums = 0.0, [np.zeros_like(part) for part in weights.parts]
    for block in spans(rows.stop - rows.start, points.shape[1]):
        work.tick()
        x = np.ldexp(points.block(slice(rows.start + block.start, rows.start + block.stop)), BITS)
        np.rint(x, out=x)
        np.ldexp(x, -BITS, out=x)
        hidden = np.tanh(x @ (a[:, None] * inner) + b)
        rest = hidden @ outer
        rest += d
        rest -= x
        error += float(np.einsum("ij,ij->", rest, rest)) / n
        rest *= 2 / n
        back = (rest @ outer.T) * (1 - hidden * hidden)
        inputs = x.T @ back
        sums[0] += np.einsum("ij,ij->i", inputs, inner)
        sums[1] += a[:, None] * inputs
        sums[2] += back.sum(axis=0)
        sums[3] += hidden.T @ rest
        sums[4] += rest.sum(axis=0)
    return error, *sums
