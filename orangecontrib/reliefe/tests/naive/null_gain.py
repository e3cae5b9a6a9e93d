"""Twin of the null gain of boosting: margins of permuted rows that follow boosting, in plain loops.

Rows must be sorted by class, and numeric features come before nominal ones: so the engine has them, and draws from
the same random numbers.
"""

import math

import numpy as np

from .boosted import Tied, boosted, margins, mixed, parts, shares, standardised, step, weighted_distances

MIN_OTHERS = 8  # features that are permuted while heavy ones are held, at least


def rank(X, y, nominal, method, random_state, *, t=None, missing=None, ramp=False, n_neighbors=30, rounds=4, eta=0.25,
         global_part=True, numbers=(), n_permutations=2):  # fmt: skip
    """Null gains (S,) of the selected features, those that are held (H,), and the number where boosting stops."""
    k = n_neighbors
    D, y, t, spaces, _, whole = parts(
        X, nominal, method, y, t, missing, ramp, "range", k, rounds, global_part, numbers, range(len(X))
    )
    n, _, p = D.shape
    rho, rng = shares(y, range(n), t), np.random.default_rng(random_state)
    M, factors = mixed(D, spaces, whole, y, t, k, range(n))
    B, divisors, least = standardised(M, rho)
    varied = [f for f in range(p) if rho @ B[:, f] != 0]
    last = spaces[-1][0]
    held = [f for f in range(p) if isinstance(last[f], Tied)]
    if t is not None or np.isnan(D).any() or np.isnan(X).any() or p - len(held) < MIN_OTHERS:
        held = []

    def permuted_margins(donors, fixed):
        """(R, p): row i has the values of donors[i], but in the fixed features its own."""
        moved = D[np.ix_(donors, donors)]
        partly = moved.copy()
        partly[:, :, fixed] = D[:, :, fixed]
        kinds = []
        for place, (own, weights) in enumerate(spaces):
            full = next((d for d in own if not isinstance(d, Tied)), None)
            d = weighted_distances(moved, weights) if full is None else full[np.ix_(donors, donors)]
            if len(fixed) and place == len(spaces) - 1:
                d = weighted_distances(partly, weights)
            kinds.append(margins(partly, [d] * p, y, t, k, range(n)))
        if whole:
            found = whole(donors)[0]
            found[:, fixed] = whole(np.arange(n))[0][:, fixed]
            kinds.append(found)
        return sum(factor * kind for factor, kind in zip(factors, kinds))

    draws = [np.append(rng.permutation(n), n + rng.permutation(0)) for _ in range(n_permutations)]
    all_permuted, some_fixed = [], []
    for donors in draws:
        chosen = sorted(rng.permutation(varied)[: 64 // n_permutations])
        all_permuted.append((permuted_margins(donors, []), chosen))
        if held and not some_fixed:
            chosen = sorted(rng.permutation(np.setdiff1d(varied, held))[:64])
            some_fixed.append((permuted_margins(donors, held), chosen))

    quantile = normal_quantile(0.95 ** (1 / p))
    pairs = np.zeros(n, int) if t is not None else pairs_of(y)
    order, gains, _ = boosted(M, rho, eta)
    h, out, exceeds = np.zeros(len(M)), [], True
    followers = {id(P): np.zeros(len(M)) for P, _ in (*all_permuted, *some_fixed)}
    for place, f in enumerate(order):
        if exceeds:
            left = [a for a in range(p) if a not in order[:place]]
            limits = [0.0]
            for group in filter(None, (all_permuted, some_fixed)):
                for follows in (False, True):
                    found = []
                    for P, chosen in group:
                        stumps = P / (np.sqrt(rho @ P**2) + least)
                        wrong = rho / (1 + np.exp(scaled(followers[id(P)], h, pairs) if follows else h))
                        found += [wrong @ stumps[:, a] / wrong.sum() for a in chosen if a in left]
                    limits.append(np.mean(found) + quantile * np.std(found) if found else 0.0)
            limit = max(limits)
        out.append(limit)
        exceeds = exceeds and gains[place] > limit
        alpha = step(B[:, f], rho, h, eta)
        h = np.clip(h + alpha * B[:, f], -30, 30)
        for P, _ in (*all_permuted, *some_fixed):
            followers[id(P)] = followers[id(P)] + alpha / divisors[f] * P[:, f]
    stopped = next((place for place, (gain, limit) in enumerate(zip(gains, out)) if gain <= limit), len(out))
    return np.array(out), held, stopped


def pairs_of(y):
    """Number of the pair (own class, other class) of every margin."""
    pairs = [(own, other) for own in y for other in sorted(set(y) - {own})]
    return np.array([sorted(set(pairs)).index(pair) for pair in pairs])


def scaled(permuted, h, pairs):
    """A permuted sum of margins with the mean and the spread of h in each pair of classes."""
    out = np.zeros(len(h))
    for pair in set(pairs):
        rows = pairs == pair
        spread = np.std(permuted[rows])
        scale = np.std(h[rows]) / spread if spread > 0 else 0
        out[rows] = h[rows].mean() + scale * (permuted[rows] - permuted[rows].mean())
    return out


def normal_quantile(probability):
    """Quantile of the normal distribution, by bisection."""
    low, high = -10.0, 10.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if (1 + math.erf(middle / math.sqrt(2))) / 2 < probability else (low, middle)
    return (low + high) / 2
