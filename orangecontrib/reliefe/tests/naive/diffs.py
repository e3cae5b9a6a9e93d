"""diff(a, i, j) with its treatments of missing values, and the distance made of it."""

import itertools

import numpy as np

NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)  # exact for the polynomials between two corners of a ramp


def differences(X, nominal, classes=None, missing="class-conditional", ramp=False, power=1, bounds=None):
    """(n, p) -> (n, n, p) in [0, 1]; NaN where a pair is ignored.  classes None: one class (numbers as target).

    bounds: least and largest number that is possible; None: those that occur.
    """
    classes = np.zeros(len(X), int) if classes is None else np.asarray(classes)
    shape = shaper(ramp, power)
    columns = [Column(X[:, a], nominal[a], classes, shape, bounds).pairs(missing) for a in range(X.shape[1])]
    return np.stack(columns, axis=2)


def distances(D):
    """Sum of the diffs; ignored pairs are made up for in proportion, no common feature is the maximum."""
    p = D.shape[2]
    observed = (~np.isnan(D)).sum(axis=2)
    total = np.where(np.isnan(D), 0, D).sum(axis=2)
    d = np.where(observed == p, total, np.where(observed > 0, p * total / np.maximum(observed, 1), p))
    return np.where(np.eye(len(D), dtype=bool), 0, d)


def instead(X, nominal, diff="range"):
    """(n, p): what is compared instead of the numbers: themselves, their midranks, or which of them are not 0."""
    out = np.array(X, float)
    for a in np.flatnonzero(~np.asarray(nominal)):
        known = [x for x in X[:, a] if x == x]
        for i, x in enumerate(X[:, a]):
            if x == x and diff == "rank":
                out[i, a] = sum(y < x for y in known) + (sum(y == x for y in known) + 1) / 2
            elif x == x and diff == "presence":
                out[i, a] = x != 0
    return out


def cosines(X, nominal):
    """(n, p) -> (n, n): 1 - cos of which numbers are not 0 and which nominal values rows have, where both are known."""
    d = np.zeros((len(X), len(X)))
    for i, j in itertools.permutations(range(len(X)), 2):
        known = [a for a in range(X.shape[1]) if X[i, a] == X[i, a] and X[j, a] == X[j, a]]
        mine, theirs = ({(a, nominal[a] and X[r, a]) for a in known if nominal[a] or X[r, a]} for r in (i, j))
        if mine and theirs:
            d[i, j] = 1 - len(mine & theirs) / np.sqrt(len(mine) * len(theirs))
        else:
            d[i, j] = not known or bool(mine) != bool(theirs)
    return d


def shaper(ramp, power):
    """The function that takes |dx| / range in [0, 1] to diff in [0, 1]; its corners are kept for integrals over it."""
    low, high = (0.0, 1.0) if not ramp else (0.05, 0.10) if ramp is True else ramp

    def shape(q):
        return np.clip((np.asarray(q, float) - low) / (high - low), 0, 1) ** power

    shape.corners = (low, high)
    return shape


def integral(function, low, high, corners):
    """Integral of a function that is a polynomial between the corners."""

    def piece(a, b):
        return (b - a) / 2 * np.sum(WEIGHTS * function((a + b) / 2 + (b - a) / 2 * NODES))

    return sum(itertools.starmap(piece, itertools.pairwise([low, *(c for c in corners if low < c < high), high])))


class Column:
    """One feature: values x (n,), NaN = missing."""

    def __init__(self, x, nominal, classes, shape, bounds=None):
        self.x, self.nominal, self.classes, self.shape = x, nominal, classes, shape
        self.known = ~np.isnan(x)
        seen = x[self.known]
        self.low, self.range = (seen.min(), seen.max() - seen.min()) if len(seen) else (0, 0)
        if bounds is not None:
            self.low, self.range = bounds[0], bounds[1] - bounds[0]
        self.n_values = len(set(seen))
        self.expected = {}

    def diff(self, u, v):
        """Difference of known values, scalars or arrays."""
        if self.nominal:
            return np.where(u == v, 0.0, 1.0)
        return self.shape(np.abs(u - v) / self.range) if self.range > 0 else np.zeros(np.broadcast(u, v).shape)

    def pairs(self, missing):
        """(n, n) diffs of all pairs."""
        n = len(self.x)
        if not self.known.any():
            return np.full((n, n), np.nan if missing == "ignore" else 0.0)
        d = self.diff(self.x[:, None], self.x[None, :])
        unknown = {
            "uniform": self.uniform,
            "ignore": lambda i, j: np.nan,
            "class-conditional": self.conditional,
            "separate": lambda i, j: float(self.known[i] != self.known[j]),
            "clus": self.worst,
        }[missing]
        for i, j in np.argwhere(~(self.known[:, None] & self.known)):
            d[i, j] = unknown(i, j)
        return d

    def uniform(self, i, j):
        """A missing value is any value with equal probability."""
        if self.nominal:
            return 1 - 1 / self.n_values
        if self.range == 0:
            return 0.0
        if not (self.known[i] or self.known[j]):
            return integral(lambda q: 2 * (1 - q) * self.shape(q), 0, 1, self.shape.corners)
        u = (self.x[i if self.known[i] else j] - self.low) / self.range
        return integral(self.shape, 0, u, self.shape.corners) + integral(self.shape, 0, 1 - u, self.shape.corners)

    def worst(self, i, j):
        """A missing number is as far away as possible, a missing nominal value any one with equal probability."""
        if self.nominal:
            return 1 - 1 / self.n_values
        if not (self.known[i] or self.known[j]):
            return float(self.shape(1.0))
        t = (self.x[i if self.known[i] else j] - self.low) / self.range if self.range > 0 else 0
        return float(self.shape(max(t, 1 - t)))

    def conditional(self, i, j):
        """Mean diff over the values that a missing one may have: those observed in the class of its row."""
        key = tuple(self.x[r] if self.known[r] else ("class", self.classes[r]) for r in (i, j))
        if key not in self.expected:
            self.expected[key] = np.mean(self.diff(self.values(i)[:, None], self.values(j)[None, :]))
        return self.expected[key]

    def values(self, i):
        if self.known[i]:
            return self.x[[i]]
        own = self.x[self.known & (self.classes == self.classes[i])]
        return own if len(own) else self.x[self.known]
