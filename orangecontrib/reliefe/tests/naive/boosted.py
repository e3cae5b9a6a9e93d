"""Twins of Relief in a learned space and of boosted margins: plain loops over rows, neighbours and features."""

import numpy as np

from . import target_rows
from .diffs import differences, distances, instead
from .global_part import global_margins, number_margins, size
from .nearest import nearest, others, probabilities, relieff

TIE = 1e-9


def rank(
    X,
    y,
    nominal,
    method,
    *,
    t=None,
    missing=None,
    ramp=False,
    diff="range",
    n_neighbors=30,
    rounds=4,
    eta=0.25,
    global_part=True,
    numbers=(),
    keep=(),
    n_instances=None,
    random_state=0,
):
    """Scores (p,); y (n,) classes, or t (n, n) differences of other targets; numbers: the latter, (n,) each."""
    rows = target_rows(len(X), n_instances, random_state)
    D, y, t, spaces, scores, whole = parts(
        X, nominal, method, y, t, missing, ramp, diff, n_neighbors, rounds, global_part, numbers, rows
    )
    if method == "learnedrelief":
        return scores
    M, _ = mixed(D, spaces, whole, y, t, n_neighbors, rows)
    return listed(*boosted(M, shares(y, rows, t), eta, keep=keep), keep)


def parts(X, nominal, method, y, t, missing, ramp, diff, k, rounds, global_part, numbers, rows):
    """Diffs D, targets, spaces (the distances of each feature, and the weights), scores, and the global part or None.

    The global part is a function of the values, to be called with those of permuted rows, too.
    """
    missing = missing or ("class-conditional" if t is None else "ignore")
    X = instead(np.asarray(X, float), nominal, diff)
    D = differences(X, nominal, y if t is None else None, missing, ramp)
    p = D.shape[2]
    spread = [mean_difference(X[:, f], nominal[f]) for f in range(p)]
    d = np.round(distances(D), 11)  # equal ones whatever the order of the sum
    spaces, scores = [([d] * p, np.ones(p))], None
    if method != "boostedrelief":
        scores, *space = learned(D, d, spread, y, t, k, rounds, rows)
        spaces += [space] if rounds else []

    def whole(donors):
        """Margins of the global part, and their size before the gates, if row i has the values of donors[i]."""
        if t is None:
            return global_margins(X[donors], y, nominal, rows)
        return number_margins(X[donors], numbers, nominal, rows)

    return D, y, t, spaces, scores, whole if global_part and (t is None or len(numbers)) else None


def mixed(D, spaces, whole, y, t, k, rows):
    """(R, p): the sum of the margins of the spaces, and of the global part, each over its size; and their factors."""
    kinds = [margins(D, own, y, t, k, rows) for own, _ in spaces]
    sizes = [size(M) for M in kinds]
    if whole:
        found, size_of_whole = whole(np.arange(len(D)))
        kinds.append(found)
        sizes.append(size_of_whole)
    if len(kinds) == 1:
        return kinds[0], [1.0]
    factors = [1 / (value * (len(spaces) if place < len(spaces) else 1)) if value > 0 else 0.0
               for place, value in enumerate(sizes)]  # fmt: skip
    return sum(factor * M for factor, M in zip(factors, kinds)), factors


def plain(D, d, y, t, k, rows):
    return relieff(D, d, y, rows, k) if t is None else probabilities(D, d, t, rows, k, None)


def learned(D, d, spread, y, t, k, rounds, rows):
    """Scores (p,) of the last round, the distances (n, n) that each feature's neighbours are found by, and weights."""
    n, _, p = D.shape
    scores, weights, own = plain(D, d, y, t, k, rows), None, [d] * p
    for _ in range(rounds):
        positive = np.maximum(scores, 0)
        found = positive / positive.mean() if positive.mean() > 0 else np.ones(p)
        weights = found if weights is None else 0.5 * weights + 0.5 * found
        v = 0.5 + 0.5 * weights
        dv = weighted_distances(D, v)
        part = [v[f] * spread[f] for f in range(p)]
        limit = 0.1 * np.std([dv[i, j] for i in rows for j in others(i, n)])
        chosen = [f for f in sorted(range(p), key=lambda f: (-part[f], f))[:8] if part[f] > limit]
        scores, own = plain(D, dv, y, t, k, rows).copy(), [dv] * p
        for f in chosen:
            less = np.delete(v, f)
            if p == 1:
                without = np.zeros_like(dv)  # without features all rows are equally near
            elif np.isnan(D).any():
                without = weighted_distances(np.delete(D, f, axis=2), less) / less.sum() * v.sum()
            else:
                without = dv - v[f] * D[:, :, f]
            own[f] = Tied(without)
            scores[f] = with_ties(D[:, :, [f]], without, y, t, k, rows)
    return scores, own, v if rounds else np.ones(p)


class Tied:
    """Distances by which all rows at the k-th distance are neighbours."""

    def __init__(self, d):
        self.d = d


def weighted_distances(D, v):
    seen = ~np.isnan(D)
    total, known = (np.where(seen, D, 0) * v).sum(axis=2), (seen * v).sum(axis=2)
    d = np.where(seen.all(axis=2), total, np.where(known > 0, total / np.where(known > 0, known, 1), 1) * v.sum())
    return np.where(np.eye(len(D), dtype=bool), 0, np.round(d, 11))  # equal ones whatever the order of the sum


def tied(d, rows, k):
    """The k nearest and all that are as near as the k-th."""
    last = max(d[j] for j in nearest(d, rows, k))
    return [j for j in rows if d[j] <= last + TIE]


def groups(i, y, t, n):
    """Rows of the own class, rows of each other class; without classes: all rows."""
    if t is not None:
        return [others(i, n)]
    rest = sorted(set(y) - {y[i]})
    return [[j for j in others(i, n) if y[j] == y[i]], *([j for j in range(n) if y[j] == c] for c in rest)]


def with_ties(D, d, y, t, k, targets):
    """Score of the one feature of D (n, n, 1): the methods with as many neighbours as are tied."""
    n, hits, misses, sums = len(D), [], [], np.zeros(4)
    for i in targets:
        near = [tied(d[i], rows, k) if rows else [] for rows in groups(i, y, t, n)]
        means = [observed_mean(D[i, rows, 0]) for rows in near]
        if t is None:
            hits.append(means[0])
            prior = [np.mean(y == c) for c in sorted(set(y) - {y[i]})]
            pairs = [(m, q) for m, q in zip(means[1:], prior) if not np.isnan(m)]
            misses.append(sum(m * q for m, q in pairs) / sum(q for _, q in pairs) if pairs else np.nan)
            continue
        rows = [j for j in near[0] if not np.isnan(D[i, j, 0])]
        if rows:
            w = 1 / len(rows)
            for j in rows:
                sums += [w * t[i, j] * D[i, j, 0], w * D[i, j, 0], w * t[i, j], w]
    if t is None:
        return np.nan_to_num(observed_mean(np.array(misses))) - np.nan_to_num(observed_mean(np.array(hits)))
    both, diff, changed, m = sums
    if changed < 1e-12:
        return 0.0
    return both / changed - ((diff - both) / (m - changed) if m - changed > 1e-12 else 0)


def observed_mean(values):
    values = [v for v in values if not np.isnan(v)]
    return sum(values) / len(values) if values else np.nan


def shares(y, targets, t):
    """(R,) of the margins, row by row and for classes class by class."""
    n = len(targets)
    if t is not None:
        return np.full(n, 1 / n)
    out = []
    for i in targets:
        for c in sorted(set(y) - {y[i]}):
            out.append(np.mean(y == c) / (1 - np.mean(y == y[i])) / n if np.sum(y == y[i]) > 1 else 0.0)
    return np.array(out)


def margins(D, own, y, t, k, targets):
    """(R, p); own: for each feature the distances (n, n) that its neighbours are found by."""
    n, _, p = D.shape
    columns = []
    for f in range(p):
        column, varies = [], []
        for i in targets:
            ties = isinstance(own[f], Tied)
            d = own[f].d[i] if ties else own[f][i]
            near = [(tied if ties else nearest)(d, rows, k) if rows else [] for rows in groups(i, y, t, n)]
            if t is None:
                means = [observed_mean(D[i, rows, f]) for rows in near]
                column += [np.nan_to_num(mean - means[0]) for mean in means[1:]]
                continue
            rows = near[0]
            seen = [j for j in rows if not np.isnan(D[i, j, f])]
            if ties:
                rows = seen
            whole = len(rows)
            mean = sum(t[i, j] for j in rows) / whole if rows else 0
            varies.append(mean * (1 - mean))
            mean = sum(t[i, j] for j in seen) / len(seen) if seen else 0
            column.append(sum((t[i, j] - mean) * D[i, j, f] for j in seen) / whole if seen else 0)
        if t is not None:
            column = [value / np.mean(varies) if np.mean(varies) > 1e-12 else 0 for value in column]
        columns.append(column)
    return np.array(columns, float).T


def standardised(M, rho):
    """Margins over their spreads, to which a quantile of all spreads is added; and the divisors, and the quantile."""
    s = np.sqrt(rho @ M**2)
    positive = s[s > 1e-9 * s.max()]
    least = np.quantile(positive, 0.25) if len(positive) else 1
    divisors = np.where(s > 1e-9 * s.max(), s, 0) + least
    return M / divisors, divisors, least


def step(stump, rho, h, eta):
    """Step along a stump."""
    q = 1 / (1 + np.exp(h))
    return eta * min(2, (rho * q) @ stump / ((rho * q * (1 - q)) @ stump**2))


def boosted(M, rho, eta, most=128, keep=()):
    """The order in which features are taken, those to keep first, their gains, and the means t (p,)."""
    B, _, _ = standardised(M, rho)
    h, order, gains = np.zeros(len(M)), [], []
    while len(order) < min(M.shape[1], most):
        q = 1 / (1 + np.exp(h))
        if not (rho * q).sum() > 0:
            break
        g = (rho * q) @ B / (rho * q).sum()
        left = [f for f in range(M.shape[1]) if f not in order]
        left = [f for f in left if f in keep] or left
        best = max(g[f] for f in left)
        if best <= 0 and left[0] not in keep:
            break
        f = next(f for f in left if g[f] >= best - TIE * abs(best))
        if best > 0:
            h = np.clip(h + step(B[:, f], rho, h, eta) * B[:, f], -30, 30)
        order.append(f)
        gains.append(g[f])
    return order, gains, rho @ B


def listed(order, gains, t, keep=()):
    """Scores that have the features in the order in which they were taken, then the others by t.

    Those to keep have their gains, which do not limit the others.
    """
    scores, last = t.copy(), np.inf
    for f in keep:
        scores[f] = gains[order.index(f)]
    others_ = [(f, gain) for f, gain in zip(order, gains) if f not in keep]
    for f, gain in others_:
        last = min(gain, last * (1 - TIE))
        scores[f] = last
    rest = [f for f in range(len(t)) if f not in order]
    most = max([t[f] for f in rest], default=0)
    for f in rest:
        if others_ and t[f] > 0:
            scores[f] = t[f] * min(1, last * (1 - TIE) / most)
    return scores


def mean_difference(x, nominal):
    """Mean difference of all pairs of known values, numbers over their range."""
    x = [v for v in x if not np.isnan(v)]
    pairs = [(a, b) for s, a in enumerate(x) for b in x[:s]]
    if not pairs:
        return 0.0
    if nominal:
        return np.mean([a != b for a, b in pairs])
    return np.mean([abs(a - b) for a, b in pairs]) / (max(x) - min(x)) if max(x) > min(x) else 0.0
