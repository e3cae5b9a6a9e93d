"""Twins of the filters: rows as points, graphs as full matrices, sums as loops.

impute, one-hot, scale (n, q) -> squared distances (n, n) -> weights (n, n) -> scores of columns (q,), of features (p,)
"""

import itertools
import math

import numpy as np


def points(X, nominal=None, scaling="z-score"):
    """Columns (n, q) that vary, and for each its feature: numbers first, then the values of nominal features."""
    X = np.array(X, float)
    nominal = np.zeros(X.shape[1], bool) if nominal is None else np.asarray(nominal, bool)
    columns, owners = [], []
    for a in [*np.flatnonzero(~nominal), *np.flatnonzero(nominal)]:
        column = X[:, a].copy()
        known = column[~np.isnan(column)]
        if nominal[a]:
            values = sorted(set(known))
            column[np.isnan(column)] = max(values, key=lambda v: (sum(known == v), -v))
            made = [np.array([float(v == value) for v in column]) for value in values]
        else:
            column[np.isnan(column)] = known.mean()
            made = [column]
        for one in made:
            if max(one) > min(one):
                span = max(one) - min(one)
                scaled = {"z-score": (one - one.mean()) / one.std(), "range": (one - min(one)) / span, "none": one}
                columns.append(scaled[scaling])
                owners.append(a)
    return np.array(columns).T, owners


def features(columns, owners, p, pooling="mean", small_is_good=False):
    """Scores of features: constant ones get the least."""
    groups = [[columns[c] for c in range(len(owners)) if owners[c] == a] for a in range(p)]
    pooled = [sum(group) / (len(group) if pooling == "mean" else 1) for group in groups if group]
    best, worst = max(pooled), min(pooled)
    out = [sum(group) / (len(group) if pooling == "mean" else 1) if group else None for group in groups]
    flipped = [None if s is None else best + worst - s if small_is_good else s for s in out]
    return np.array([worst if s is None else s for s in flipped])


def squares(Z):
    n = len(Z)
    return np.array([[sum((Z[i] - Z[j]) ** 2) for j in range(n)] for i in range(n)])


def joined(key, k):
    """(n, n) bool: one row is among the k with the least key of the other; ties go to the lower row."""
    n = len(key)
    near = np.zeros((n, n), bool)
    for i in range(n):
        for j in sorted((j for j in range(n) if j != i), key=lambda j: (round(key[i][j], 11), j))[:k]:
            near[i, j] = near[j, i] = True
    return near


def graph(Z, n_neighbors=5, bandwidth="median"):
    """Weights (n, n)."""
    D = squares(Z)
    n = len(D)
    scale = np.median([D[i, j] for i in range(n) for j in range(i)]) if bandwidth == "median" else 2 * bandwidth**2
    near = joined(D, n_neighbors)
    W = np.where(near, np.exp(-D / scale), 0.0)
    for i in range(n):
        W[i, i] = 1
    return W


def smooth(Z, W):
    """(q,) Laplacian scores."""
    d = W.sum(axis=1)
    out = []
    for f in Z.T:
        f = f - sum(f * d) / sum(d)
        rough = sum(W[i, j] * (f[i] - f[j]) ** 2 for i in range(len(f)) for j in range(len(f))) / 2
        out.append(rough / sum(f * f * d))
    return np.array(out)


def laplacian(X, nominal=None, scaling="z-score", nominal_score="mean", **of_graph):
    Z, owners = points(X, nominal, scaling)
    return features(smooth(Z, graph(Z, **of_graph)), owners, np.shape(X)[1], nominal_score, small_is_good=True)


def spec(X, nominal=None, scaling="z-score", gamma="median"):
    Z, owners = points(X, nominal, scaling)
    D = squares(Z)
    n = len(D)
    gamma = 1 / np.median([D[i, j] for i in range(n) for j in range(i)]) if gamma == "median" else gamma
    S = np.exp(-gamma * D)
    q = np.sqrt(S.sum(axis=1))
    L = np.eye(n) - S / q[:, None] / q
    values, vectors = np.linalg.eigh(L)
    out = []
    for f in Z.T:
        f = q * f / np.linalg.norm(q * f)
        shares = [(f @ vectors[:, j]) ** 2 for j in range(n)]
        out.append(sum(shares[j] * values[j] for j in range(1, n)) / (1 - (f @ q / np.linalg.norm(q)) ** 2))
    return features(out, owners, np.shape(X)[1], small_is_good=True)


def least_angle(Z, y, steps):
    """Coefficients after so many steps, as in the publication: G = X_A'X_A, w = G^-1 s / sqrt(s'G^-1 s).

    A column that depends on those that have entered is passed over."""
    q = Z.shape[1]
    beta, left, passed = np.zeros(q), Z.T @ y, []
    entered = [int(np.argmax(np.abs(left)))]
    while True:
        signs = np.sign(left[entered])
        w = np.linalg.solve(Z[:, entered].T @ Z[:, entered], signs)
        unit = 1 / np.sqrt(signs @ w)
        a, C = Z.T @ (Z[:, entered] @ (unit * w)), max(abs(left[entered]))
        free = [j for j in range(q) if j not in entered + passed]
        ways = [((C - s * left[j]) / (unit - s * a[j]), j) for j in free for s in (1, -1)]
        way, new = min([pair for pair in ways if pair[0] > 0], default=(np.inf, None))
        way, new = (way, new) if way < C / unit else (C / unit, None)
        beta[entered] += way * unit * w
        left = Z.T @ (y - Z @ beta)
        if new is None or len(entered) == steps:
            return beta
        explained = Z[:, entered] @ np.linalg.lstsq(Z[:, entered], Z[:, new], rcond=None)[0]
        dependent = np.linalg.norm(Z[:, new] - explained) < 1e-7 * np.linalg.norm(Z[:, new])
        (passed if dependent else entered).append(new)


def parts(W):
    """Connected parts of a graph: number of each row."""
    n, part = len(W), [None] * len(W)
    for i in range(n):
        if part[i] is None:
            found = [i]
            for j in found:
                part[j] = i
                found += [k for k in range(n) if W[j, k] > 0 and k not in found]
    return part


def mcfs(X, nominal=None, n_eigenvectors=5, n_selected=None, **of_graph):
    Z, owners = points(X, nominal)
    W = graph(Z, **of_graph)
    d, n = W.sum(axis=1), len(W)
    _, vectors = np.linalg.eigh(np.eye(n) - W / np.sqrt(d)[:, None] / np.sqrt(d))
    skipped = len(set(parts(W)))
    steps = min(Z.shape[1], n - 1, n_selected or n)
    found = [
        np.abs(least_angle(Z, vectors[:, skipped + k] / np.sqrt(d), steps))
        for k in range(min(n_eigenvectors, n - skipped))
    ]
    return features(np.max(found, axis=0), owners, np.shape(X)[1])


def clusters(Z, k, starts=60):
    """The best of many runs of k-means."""
    rng, best = np.random.default_rng(1), (np.inf, None)
    for _ in range(starts):
        centres = Z[rng.permutation(len(Z))[:k]]
        for _ in range(100):
            labels = np.array([min(range(k), key=lambda c: sum((z - centres[c]) ** 2)) for z in Z])
            centres = np.array([Z[labels == c].mean(axis=0) if (labels == c).any() else centres[c] for c in range(k)])
        best = min(best, (sum(sum((z - centres[c]) ** 2) for z, c in zip(Z, labels)), labels.tolist()))
    return np.array(best[1])


def ndfs(X, nominal=None, n_clusters=5, alpha=1, beta=1, gamma=1e8, tol=1e-3, max_iter=1000, **of_graph):
    Z, owners = points(X, nominal)
    W = graph(Z, **of_graph)
    d, n = W.sum(axis=1), len(W)
    L = np.eye(n) - W / np.sqrt(d)[:, None] / np.sqrt(d)
    F = np.array([[1.02 if c == label else 0.02 for c in range(n_clusters)] for label in clusters(Z, n_clusters)])
    F = F / np.sqrt((F**2).sum(axis=0))
    D, before = np.eye(Z.shape[1]), np.inf
    for _ in range(max_iter):
        T = np.linalg.inv(Z.T @ Z + beta * D)
        coefficients = T @ Z.T @ F
        lengths = np.sqrt((coefficients**2).sum(axis=1))
        M = L + alpha * (np.eye(n) - Z @ T @ Z.T)
        plus, minus = (abs(M) + M) / 2, (abs(M) - M) / 2
        F = F * (gamma * F + minus @ F) / (plus @ F + gamma * F @ F.T @ F)
        F = F / np.sqrt((F**2).sum(axis=0))
        D = np.diag(0.5 / np.maximum(lengths, 1e-16))
        value = np.trace(F.T @ L @ F) + gamma / 4 * ((F.T @ F - np.eye(n_clusters)) ** 2).sum()
        value += alpha * (((Z @ coefficients - F) ** 2).sum() + beta * lengths.sum())
        if abs(before - value) < tol:
            break
        before = value
    return features(lengths, owners, np.shape(X)[1])


def agnoss(X, nominal=None, dimension=2, penalty=1.0, max_iter=1000, random_state=0):
    """Without an early end."""
    Z, owners = points(X, nominal)
    Z = np.rint(Z * 2**26) / 2**26
    n, q = Z.shape
    rng, bound = np.random.default_rng(random_state), math.sqrt(6 / (q + dimension))
    inner, outer = rng.uniform(-bound, bound, (q, dimension)), rng.uniform(-bound, bound, (dimension, q))
    weights = [np.ones(q), inner, np.zeros(dimension), outer, np.zeros(q)]
    first, second = [w * 0 for w in weights], [w * 0 for w in weights]
    for t in range(1, max_iter + 1):
        a, inner, b, outer, d = weights
        slopes = [penalty * np.sign(a), inner * 0, b * 0, outer * 0, d * 0]
        for x in Z:
            h = np.tanh((a * x) @ inner + b)
            rest = 2 * (h @ outer + d - x) / n
            back = (outer @ rest) * (1 - h**2)
            slopes[0] += x * (inner @ back)
            slopes[1] += np.outer(a * x, back)
            slopes[2] += back
            slopes[3] += np.outer(h, rest)
            slopes[4] += rest
        rate = 0.01 * (1 + math.cos(math.pi * (t - 1) / max_iter)) / 2
        first = [0.9 * m + 0.1 * s for m, s in zip(first, slopes)]
        second = [0.999 * v + 0.001 * s**2 for v, s in zip(second, slopes)]
        weights = [
            w - rate * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
            for w, m, v in zip(weights, first, second)
        ]
    return features(np.abs(weights[0]), owners, np.shape(X)[1])


def ssllaplacian(X, y, nominal=None, classes=False, n_neighbors=5, bandwidth="median", labelled_weight=5.0):
    """y (n, t), NaN = unknown; classes: codes, else numbers."""
    Z, owners = points(X, nominal, "range")
    y, n = np.array(y, float).reshape(len(Z), -1), len(Z)
    by_features = squares(Z) / Z.shape[1]
    d, factor, key = by_features.copy(), np.ones((n, n)), np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            apart = []
            for column in y.T:
                if not np.isnan(column[i] + column[j]):
                    span = np.nanmax(column) - np.nanmin(column)
                    apart.append(float(column[i] != column[j]) if classes else ((column[i] - column[j]) / span) ** 2)
            if apart:
                d[i, j], factor[i, j] = sum(apart) / len(apart), labelled_weight
            key[i, j] = d[i, j] + (2.0**-32 * by_features[i, j] if apart else 0)
    near = np.zeros((n, n), bool)
    for i in range(n):
        for j in sorted((j for j in range(n) if j != i), key=lambda j: (key[i, j], j))[:n_neighbors]:
            near[i, j] = near[j, i] = True
    positive = [d[i, j] for i in range(n) for j in range(i) if near[i, j] and d[i, j] > 0]
    t = np.median(positive) if bandwidth == "median" else bandwidth
    W = np.where(near, factor * np.exp(-d / t), 0.0)
    np.fill_diagonal(W, 0)
    return features(smooth(Z, W), owners, np.shape(X)[1], small_is_good=True)


def digamma(m):
    """Digamma of a whole number."""
    return -0.5772156649015329 + sum(1 / i for i in range(1, m))


def mutualinfo(X, y, nominal=None, classes=True, n_neighbors=3):
    """Nearest values in loops; for data without ties."""
    X, y = np.array(X, float), np.asarray(y)
    out = []
    for a in range(X.shape[1]):
        x, coded = X[:, a], nominal is not None and bool(nominal[a])
        if coded and classes:
            out.append(between_codes(x, y))
        elif coded or classes:
            out.append(between_groups(y, x, n_neighbors) if coded else between_groups(x, y, n_neighbors))
        else:
            out.append(between_numbers(x, np.asarray(y, float), n_neighbors))
    return np.maximum(out, 0)


def between_codes(x, y):
    total = 0.0
    for u in set(x):
        for v in set(y):
            both = np.mean((x == u) & (y == v))
            total += both * math.log(both / np.mean(x == u) / np.mean(y == v)) if both else 0
    return total


def between_groups(x, y, k):
    """Ross 2014: distances to the k-th nearest row of the group, and how many rows of all are as near."""
    rows = [i for i in range(len(x)) if sum(y == y[i]) > 1]
    terms = []
    for i in rows:
        group = [j for j in rows if y[j] == y[i] and j != i]
        used = min(k, len(group))
        radius = sorted(abs(x[j] - x[i]) for j in group)[used - 1]
        m = sum(abs(x[j] - x[i]) < radius for j in rows)
        terms.append(digamma(used) - digamma(len(group) + 1) - digamma(m))
    return digamma(len(rows)) + sum(terms) / len(rows)


def between_numbers(x, y, k):
    """Kraskov et al. 2004, the first estimator, on numbers over their standard deviation."""
    x, y, n = x / x.std(), y / y.std(), len(x)
    total = 0.0
    for i in range(n):
        radius = sorted(max(abs(x[j] - x[i]), abs(y[j] - y[i])) for j in range(n) if j != i)[k - 1]
        total += sum(digamma(sum(abs(v[j] - v[i]) < radius for j in range(n))) for v in (x, y))
    return digamma(n) + digamma(k) - total / n


def categories(x, nominal, n_bins=5):
    """Codes of the known values of a feature by row: of numbers, bins of equal frequency; at most 100 categories."""
    known = [i for i in range(len(x)) if x[i] == x[i]]
    different = sorted({x[i] for i in known})
    counts = {v: sum(1 for i in known if x[i] == v) for v in different}
    if nominal and len(different) > 100:
        by_count = sorted(different, key=lambda v: -counts[v])
        return {i: min(by_count.index(x[i]), 99) for i in known}
    if nominal or len(different) <= n_bins:
        return {i: different.index(x[i]) for i in known}
    codes = {}
    for i in known:
        twice_rows_below = 2 * sum(1 for j in known if x[j] < x[i]) + counts[x[i]]
        bin_, rest = divmod(n_bins * twice_rows_below, 2 * len(known))
        codes[i] = bin_ - 1 if rest == 0 and 2 * bin_ > n_bins else bin_
    return codes


def information_of(a, b, n):
    """Mutual information of two mappings of rows to codes, over the n rows of which some have both."""
    rows = [i for i in a if i in b]
    total = 0.0
    for u in {a[i] for i in rows}:
        for v in {b[i] for i in rows}:
            both = sum(1 for i in rows if (a[i], b[i]) == (u, v))
            of_u, of_v = sum(1 for i in rows if a[i] == u), sum(1 for i in rows if b[i] == v)
            total += both * math.log(both * len(rows) / (of_u * of_v)) if both else 0
    return total / n


def greedy(X, y, nominal, classes, n_greedy, n_bins, criterion):
    """Scores by places; criterion: of a feature and the list of those selected, each as codes by row."""
    X, y = np.array(X, float), np.asarray(y, float)
    (n, p), t = X.shape, categories(y, classes, n_bins)
    coded = [categories(X[:, f], nominal is not None and bool(nominal[f]), n_bins) for f in range(p)]
    left = [f for f in range(p) if len(set(coded[f].values())) > 1]
    selected, scores, q = [], np.zeros(p), len(left)

    def value(f, among):
        if not among:
            return round(information_of(coded[f], t, n), 12)
        return round(criterion(coded[f], [coded[s] for s in among], t, n), 12)

    while left and len(selected) < n_greedy:
        best = max(left, key=lambda f: (value(f, selected), -f))
        selected.append(best)
        left.remove(best)
    order = [*selected, *sorted(left, key=lambda f: (-value(f, selected), f))]
    for place, f in enumerate(order):
        scores[f] = (q - place) / q
    return scores


def mrmr(X, y, nominal=None, classes=True, n_greedy=128, n_bins=5):
    """Peng, Long and Ding 2005: relevance less the mean redundancy with the selected features."""

    def criterion(f, selected, t, n):
        return information_of(f, t, n) - sum(information_of(f, s, n) for s in selected) / len(selected)

    return greedy(X, y, nominal, classes, n_greedy, n_bins, criterion)


def jmi(X, y, nominal=None, classes=True, n_greedy=128, n_bins=5):
    """Yang and Moody 1999: information of the pair with each selected feature; the mean orders as the sum."""

    def criterion(f, selected, t, n):
        pairs = [{i: (f[i], s[i]) for i in f if i in s} for s in selected]
        return sum(information_of(pair, t, n) for pair in pairs) / len(pairs)

    return greedy(X, y, nominal, classes, n_greedy, n_bins, criterion)


def randomforest(X, y, nominal=None, classes=True, min_leaf=1):
    """One tree on all rows and features: decrease of the impurity by the tests of each column, over their sum."""
    Z, owners = points(X, nominal, "none")
    y, total = np.asarray(y, float), np.zeros(Z.shape[1])

    def impurity(rows):
        values = y[rows]
        return 1 - sum(np.mean(values == v) ** 2 for v in set(values)) if classes else values.var()

    def grow(rows):
        best = (1e-12, None, None)
        for c in range(Z.shape[1]):
            values = sorted(set(Z[rows, c]))
            for low, high in itertools.pairwise(values):
                left = Z[rows, c] <= (low + high) / 2
                sizes = left.sum(), (~left).sum()
                if min(sizes) >= min_leaf:
                    inside = sum(m * impurity(rows[part]) for m, part in zip(sizes, (left, ~left)))
                    gain = len(rows) * impurity(rows) - inside
                    if gain > best[0] + 1e-12:
                        best = gain, c, left
        gain, column, left = best
        if column is not None:
            total[column] += gain
            grow(rows[left])
            grow(rows[~left])

    grow(np.arange(len(Z)))
    p = np.shape(X)[1]
    return np.array([sum(total[c] for c in range(len(owners)) if owners[c] == a) for a in range(p)]) / total.sum()


def coxscore(X, y, nominal=None, Z=None, b=()):
    """y: times and events; Z, b: covariates and their coefficients, beside which each column is tested."""
    time, event = np.asarray(y, float).T
    columns, owners = points(X, nominal, "none")
    n, q = len(time), len(b)

    def test(x):
        A = np.column_stack([*(Z.T if q else ()), x])
        risk = [math.exp(sum(A[i, j] * b[j] for j in range(q))) for i in range(n)]
        U, V = np.zeros(q + 1), np.zeros((q + 1, q + 1))
        for i in range(n):
            if event[i]:
                watched = [j for j in range(n) if time[j] >= time[i]]
                total = sum(risk[j] for j in watched)
                mean = sum(risk[j] * A[j] for j in watched) / total
                U += A[i] - mean
                V += sum(risk[j] * np.outer(A[j] - mean, A[j] - mean) for j in watched) / total
        beside = V[q, :q] @ np.linalg.inv(V[:q, :q]) if q else np.zeros(0)
        return (U[q] - beside @ U[:q]) ** 2 / (V[q, q] - beside @ V[:q, q])

    found = [test(x) for x in columns.T]
    return np.array([np.mean([s for s, a in zip(found, owners, strict=True) if a == f]) for f in range(np.shape(X)[1])])


TWINS = {
    "coxscore": coxscore,
    "laplacian": laplacian,
    "spec": spec,
    "mcfs": mcfs,
    "ndfs": ndfs,
    "agnoss": agnoss,
    "ssllaplacian": ssllaplacian,
    "mutualinfo": mutualinfo,
    "mrmr": mrmr,
    "jmi": jmi,
    "randomforest": randomforest,
}
