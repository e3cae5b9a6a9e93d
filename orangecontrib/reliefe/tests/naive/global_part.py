"""Twin of the global part of margins: plain loops over rows, classes and values."""

import math

import numpy as np

from .nearest import others


def size(M):
    """Root of the mean square."""
    return np.sqrt(np.mean(np.square(M)))


def global_margins(X, y, nominal, targets):
    """(R, p): distances to the means, or shares, of the other classes less that to the own one, times the gate.

    Also their size before the gates.
    """
    p = X.shape[1]
    M = np.array([(of_shares if nominal[f] else of_means)(X[:, f], y, targets) for f in range(p)]).T
    return M * [gate(X[:, f], y, nominal[f], p) for f in range(p)], size(M)


def chi_square(probability, freedom):
    """Value that chi-square exceeds with a probability, by bisection."""
    low, high = 0.0, 1e4
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if beyond(middle / 2, freedom) > probability else (low, middle)
    return (low + high) / 2


def beyond(x, freedom):
    """Probability that half of chi-square exceeds x: sums of the gamma distribution's terms."""
    a = 1.0 if freedom % 2 == 0 else 0.5
    total = math.exp(-x) if freedom % 2 == 0 else math.erfc(math.sqrt(x))
    while a < freedom / 2:
        total += math.exp(a * math.log(x) - x - math.lgamma(a + 1)) if x > 0 else 0
        a += 1
    return total


def number_margins(X, numbers, nominal, targets):
    """(n, p): means over the targets of distances to what a random row expects less that to what the own one does.

    Times the gates; also their size before these.
    """
    p = X.shape[1]
    M = np.array([[of_number(X[:, f], u, nominal[f])[targets] for u in numbers] for f in range(p)])
    gates = np.array([[number_gate(X[:, f], u, nominal[f], p) for u in numbers] for f in range(p)])
    return (M * gates[:, :, None]).mean(axis=1).T, size(M)


def midranks(x):
    """Standardised midranks of known numbers."""
    ranks = np.array([sum(w < v for w in x) + (sum(w == v for w in x) + 1) / 2 for v in x])
    return (ranks - ranks.mean()) / ranks.std()


def known_ranks(x):
    """As `midranks`, NaN for unknown ones."""
    out, known = np.full(len(x), np.nan), ~np.isnan(x)
    if len(set(x[known])) > 1:
        out[known] = midranks(x[known])
    return out


def of_number(x, u, nominal):
    """Margins (n,) of one feature for one target."""
    rows = [i for i in range(len(x)) if not np.isnan(x[i]) and not np.isnan(u[i])]
    out, n = np.zeros(len(x)), len(rows)
    if len(set(x[rows])) < 2 or len(set(u[rows])) < 2:
        return out
    z, b = (again(known_ranks(v)[rows]) for v in (x, u))
    for place, i in enumerate(rows):
        rest = [s for s in range(n) if s != place]
        if nominal:
            own = [b[s] for s in rest if x[rows[s]] == x[i]]
            if own:
                means = [np.mean([b[s] for s in range(n) if x[rows[s]] == x[rows[j]]]) for j in range(n)]
                out[i] = np.mean([(b[place] - mean) ** 2 for mean in means]) - (b[place] - np.mean(own)) ** 2
        else:
            r = sum(z[s] * b[s] for s in rest) / (n - 1)
            out[i] = np.mean([(z[place] - r * b[s]) ** 2 for s in range(n)]) - (z[place] - r * b[place]) ** 2
    return out


def again(values):
    return (values - values.mean()) / values.std()


def number_gate(x, u, nominal, p):
    """By Kruskal and Wallis of the ranks of the target, or by rank correlation."""
    rows = [i for i in range(len(x)) if not np.isnan(x[i]) and not np.isnan(u[i])]
    if len(set(x[rows])) < 2 or len(set(u[rows])) < 2:
        return 0.0
    z, b = (again(known_ranks(v)[rows]) for v in (x, u))
    n, values = len(rows), sorted(set(x[rows]))
    if nominal:
        H = (n - 1) / n * sum(np.sum(b[x[rows] == v]) ** 2 / np.sum(x[rows] == v) for v in values)
    else:
        H = (n - 1) * np.mean(z * b) ** 2
    freedom = len(values) - 1 if nominal else 1
    return max(0.0, 1 - chi_square(min(1 / p, 0.5), freedom) / H) if H > 1e-12 else 0.0


def of_means(x, y, targets):
    """Margins (R,) of a numeric feature."""
    known = [v for v in x if not np.isnan(v)]
    rank = {v: sum(w < v for w in known) + (sum(w == v for w in known) + 1) / 2 for v in known}
    ranks = [rank[v] for v in known]
    if len(set(known)) < 2:
        return [0.0 for i in targets for c in set(y) - {y[i]}]
    z = [(rank[v] - np.mean(ranks)) / np.std(ranks) if v in rank else np.nan for v in x]
    out = []
    for i in targets:
        for c in sorted(set(y) - {y[i]}):
            own = [z[j] for j in others(i, len(x)) if y[j] == y[i] and not np.isnan(z[j])]
            other = [z[j] for j in range(len(x)) if y[j] == c and not np.isnan(z[j])]
            fine = own and other and not np.isnan(z[i])
            out.append((z[i] - np.mean(other)) ** 2 - (z[i] - np.mean(own)) ** 2 if fine else 0.0)
    return out


def of_shares(x, y, targets):
    """Margins (R,) of a nominal feature."""
    known = [v for v in x if not np.isnan(v)]
    values = sorted(set(known))
    gini = 1 - sum((known.count(v) / len(known)) ** 2 for v in values)
    out = []
    for i in targets:
        for c in sorted(set(y) - {y[i]}):
            own = [x[j] for j in others(i, len(x)) if y[j] == y[i] and not np.isnan(x[j])]
            other = [x[j] for j in range(len(x)) if y[j] == c and not np.isnan(x[j])]
            if not own or not other or np.isnan(x[i]) or len(values) < 2:
                out.append(0.0)
                continue
            far, near = (sum(((x[i] == v) - rows.count(v) / len(rows)) ** 2 for v in values) for rows in (other, own))
            out.append((far - near) / gini)
    return out


def gate(x, y, nominal, p):
    """Share of the global part that counts, by Kruskal and Wallis, or by chi-square."""
    rows = [i for i in range(len(x)) if not np.isnan(x[i])]
    x, y, n = [x[i] for i in rows], [y[i] for i in rows], len(rows)
    values, classes = sorted(set(x)), sorted(set(y))
    if len(values) < 2 or len(classes) < 2:
        return 0.0
    if nominal:
        H = 0
        for v in values:
            for c in classes:
                expected = x.count(v) * y.count(c) / n
                H += (sum(a == v and b == c for a, b in zip(x, y)) - expected) ** 2 / expected
        freedom = (len(values) - 1) * (len(classes) - 1)
    else:
        ranks = [sum(w < v for w in x) + (x.count(v) + 1) / 2 for v in x]
        sums = [sum(r for r, b in zip(ranks, y) if b == c) for c in classes]
        H = 12 / (n * (n + 1)) * sum(s * s / y.count(c) for s, c in zip(sums, classes)) - 3 * (n + 1)
        H /= 1 - sum(x.count(v) ** 3 - x.count(v) for v in values) / (n**3 - n)
        freedom = len(classes) - 1
    return max(0.0, 1 - chi_square(min(1 / p, 0.5), freedom) / H) if H > 1e-12 else 0.0
