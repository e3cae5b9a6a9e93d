"""Twin of ReliefE: neighbours by given coordinates, diffs by the features, targets of classes or of labels.

coordinates (n, d) -> distances (n, n) -> neighbours of each row -> scores (p,)
"""

import itertools

import numpy as np

from . import target_rows
from .diffs import differences, distances, instead, shaper
from .nearest import mean, nearest, others, weighted

GRID = 2.0**43  # digits of coordinate distances beyond this do not count: what is equal but for rounding is a tie
NEVER = 1e-12  # a probability this near to 0 or 1 has no complement to condition on


def rank(
    X,
    y,
    E=None,
    nominal=None,
    *,
    n_neighbors=15,
    distance="euclidean",
    average=False,
    target_distance="f1",
    pooled=False,
    missing="ignore",
    ramp=False,
    diff="range",
    n_instances=None,
    random_state=0,
):
    """Scores (p,) of the columns of X (n, p); y (n,) classes or (n, L) labels; E (n, d), None: the features."""
    X, y = np.asarray(X, float), np.asarray(y)
    nominal = np.zeros(X.shape[1], bool) if nominal is None else np.asarray(nominal, bool)
    X = instead(X, nominal, diff)
    D = differences(X, nominal, y if y.ndim == 1 else None, missing, ramp)
    d = distances(D) if E is None else coordinate_distances(E, distance)
    compare = Compare(X, nominal, D, average, shaper(ramp, 1))
    targets = target_rows(len(X), n_instances, random_state)
    if y.ndim == 1:
        return multiclass(compare, d, y, targets, n_neighbors)
    return multilabel(compare, d, label_distances(y, target_distance), targets, n_neighbors, pooled)


def coordinate_distances(E, metric="euclidean"):
    """(n, d) -> (n, n); a vector of zeros is at cosine distance 1 of everything."""
    E = np.asarray(E, float)
    if metric == "euclidean":
        d = np.sqrt(((E[:, None] - E) ** 2).sum(axis=2))
    else:
        size = np.sqrt((E**2).sum(axis=1))
        unit = E / np.where(size > 0, size, 1)[:, None]
        d = 1 - unit @ unit.T
    return np.round(np.abs(d) * GRID) / GRID


def adaptive_k(sorted_distances):
    """Number of points before the first largest gap; all of them where there is no gap.

    Gaps that differ by no more than a billionth of the largest distance are equal.
    """
    alike = 1e-9 * sorted_distances[-1]
    gaps = [after - before for before, after in itertools.pairwise(sorted_distances)]
    largest = max(gaps, default=0)
    if largest <= alike:
        return len(sorted_distances)
    return next(k for k, gap in enumerate(gaps, 1) if largest - gap <= alike)


def neighbours(d, rows, k):
    """The k nearest of the rows, or as many as the distances suggest."""
    by_distance = nearest(d, rows, len(rows))
    return by_distance[: adaptive_k(d[by_distance]) if k == "adaptive" else k]


class Compare:
    """A row with its neighbours: X (n, p), D (n, n, p) diffs, NaN = ignored."""

    def __init__(self, X, nominal, D, average, shape):
        self.X, self.nominal, self.D, self.average, self.shape = X, nominal, D, average, shape
        self.spread = np.array([spread(x) for x in X.T])

    def each(self, i, rows):
        """(r, p): the diffs themselves."""
        return self.D[i, rows]

    def mean(self, i, rows):
        """(p,): mean of the diffs, or diff to the mean; for nominal features the same."""
        plain = mean(self.D[i, rows])
        if not self.average:
            return plain
        centre = mean(self.X[rows])
        return np.where(self.nominal, plain, self.shape(np.abs(self.X[i] - centre) / self.spread))


def spread(x):
    """Range of the known values, 1 where it is 0."""
    seen = x[~np.isnan(x)]
    return (np.ptp(seen) if len(seen) else 0) or 1.0


def multiclass(compare, d, y, targets, k):
    """A row without hits, or without misses, counts 0 there."""
    total = np.zeros(len(compare.nominal))
    for i in targets:
        hits = [j for j in others(i, len(y)) if y[j] == y[i]]
        if hits:
            total -= np.nan_to_num(compare.mean(i, neighbours(d[i], hits, k)))
        classes = sorted(set(y) - {y[i]})
        near = [neighbours(d[i], [j for j in range(len(y)) if y[j] == c], k) for c in classes]
        means = np.array([compare.mean(i, rows) for rows in near])
        total += np.nan_to_num(weighted(means, np.array([np.mean(y == c) for c in classes])))
    return total / len(targets)


def multilabel(compare, d, t, targets, k, pooled):
    """t (n, n): differences of the targets, in [0, 1]."""
    terms = []
    for i in targets:
        rows = neighbours(d[i], others(i, len(d)), k)
        diffs, changed = compare.each(i, rows), t[i, rows][:, None]
        seen = np.where(np.isnan(diffs), np.nan, 1)
        terms.append([mean(seen * changed), compare.mean(i, rows), mean(changed * diffs)])
    T, D, TD = np.array(terms).transpose(1, 0, 2)
    if pooled:
        T, D, TD = (np.nan_to_num(mean(part)) for part in (T, D, TD))
        return quotients(T, D, TD)
    return np.nan_to_num(quotients(T, D, TD)).sum(axis=0) / len(targets)


def quotients(T, D, TD):
    """P(diff | target differs) - P(diff | target alike); 0 where the target always or never differs."""
    defined = (T > NEVER) & (T < 1 - NEVER)
    T = np.where(defined, T, 0.5)
    return np.where(defined, TD / T - (D - TD) / (1 - T), 0)


def label_distances(labels, name="f1"):
    """(n, L) of 0 and 1 -> (n, n) in [0, 1]; name: of a distance, or (name, coordinates of the targets)."""
    if isinstance(name, tuple):
        name, Z = name
        return {"cosine": cosine_halves, "hyperbolic": hyperbolic}[name](np.asarray(Z, float))
    rows = [frozenset(np.flatnonzero(row)) for row in np.asarray(labels)]
    rule = {"f1": f1, "accuracy": accuracy, "subset": subset}.get(name)
    if name == "hamming":
        L = np.shape(labels)[1]
        rule = lambda a, b: len(a ^ b) / L  # noqa: E731
    return np.array([[rule(a, b) for b in rows] for a in rows], float)


def f1(a, b):
    return 1 - 2 * len(a & b) / (len(a) + len(b)) if a or b else 0


def accuracy(a, b):
    return 1 - len(a & b) / len(a | b) if a or b else 0


def subset(a, b):
    return a != b


def cosine_halves(Z):
    """(n, d) -> (n, n): half the cosine distance; a vector of zeros is half way from everything."""
    return coordinate_distances(Z, "cosine") / 2


def lifted(Z):
    """(n, d) -> (n, 1 + d): the points of the hyperboloid above Z, time first."""
    return np.column_stack([np.sqrt(1 + (Z**2).sum(axis=1)), Z])


def hyperbolic_raw(Z):
    """(n, d) -> (n, n): arccosh of the Minkowski product of the lifted points."""
    P = lifted(np.asarray(Z, float))
    return np.arccosh(np.maximum(P[:, :1] @ P[:, :1].T - P[:, 1:] @ P[:, 1:].T, 1))


def hyperbolic_scale(Z):
    """No two points are farther: twice the way from the apex to the farthest one."""
    return 2 * np.arccosh(lifted(np.asarray(Z, float))[:, 0].max())


def hyperbolic(Z):
    """In [0, 1]."""
    scale = hyperbolic_scale(Z)
    return hyperbolic_raw(Z) / scale if scale > 0 else np.zeros((len(Z), len(Z)))


def poincare(Z):
    """(n, d) -> (n, n): the same distance measured in the ball that the hyperboloid projects to."""
    P = Z / (1 + np.sqrt(1 + (Z**2).sum(axis=1)))[:, None]
    inside = 1 - (P**2).sum(axis=1)
    apart = ((P[:, None] - P) ** 2).sum(axis=2)
    return np.arccosh(1 + 2 * apart / (inside[:, None] * inside))


def average_overlap(first, second, depth):
    """Mean over d = 1 .. depth of the share that the first d entries of two orders have in common."""
    return np.mean([len({*first[:d]} & {*second[:d]}) / d for d in range(1, depth + 1)])
