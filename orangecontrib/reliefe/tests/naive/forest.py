"""Twin of one tree, by recursion: one impurity for each attribute, straight from its definition, on raw values.

Which features are drawn, and which random thresholds, is the caller's: any object with `uniform()` will do.  With all
features tried and no two tests as good the tree must not depend on it; else `Xorshift` draws what the product draws.
"""

import math
from itertools import pairwise

import numpy as np


class Xorshift:
    """Marsaglia's generator of 64 bits, shifts 13, 7, 17: bit by bit, as its definition has it."""

    def __init__(self, seed):
        self.bits = [seed >> i & 1 for i in range(64)]  # the lowest one first

    def shifted(self, by):
        """Exclusive or with the bits moved up by so many places, or down."""
        moved = [self.bits[i - by] if 0 <= i - by < 64 else 0 for i in range(64)]
        self.bits = [(a + b) % 2 for a, b in zip(self.bits, moved)]

    def next(self):
        for by in (13, -7, 17):
            self.shifted(by)
        return sum(bit * 2**i for i, bit in enumerate(self.bits))

    def uniform(self):
        """Number in [0, 1) with 53 digits."""
        return self.next() // 2**11 / 2**53


def shuffled(items, random):
    """Items in a random order: from the last place on, each changes places with one up to it (Fisher and Yates)."""
    items = list(items)
    for last in range(len(items), 0, -1):
        j = int(random.uniform() * last)
        items[last - 1], items[j] = items[j], items[last - 1]
    return items


def clustering(parts):
    """Values (n, C), kinds (C,) and shares (C,) of attributes in parts: (values, nominal, weights, total).

    The total of a part is divided by the number of its columns that vary, and each gets its weight times that.
    """
    columns, kinds, shares = [], [], []
    for values, nominal, weights, total in parts:
        varying = [len({v for v in column if v == v}) > 1 for column in values.T]
        for column, kind, weight, varies in zip(values.T, nominal, weights, varying):
            columns.append(column)
            kinds.append(bool(kind))
            shares.append(weight * total / sum(varying) if varies else 0.0)
    return np.array(columns).T, kinds, shares


def spread(values, weights, nominal):
    """Gini or variance of the known values, None where there are none."""
    pairs = [(v, w) for v, w in zip(values, weights) if v == v and w]
    n = sum(w for _, w in pairs)
    if n <= 1e-9:
        return None
    if nominal:
        return 1 - sum((sum(w for v, w in pairs if v == c) / n) ** 2 for c in {v for v, _ in pairs})
    mean = sum(v * w for v, w in pairs) / n
    return sum(w * (v - mean) ** 2 for v, w in pairs) / n


def two_sided(t, degrees):
    """Probability that Student's t is farther from 0 (Abramowitz and Stegun, 26.7.3 and 26.7.4)."""
    angle = math.atan(t / degrees**0.5)
    total, term = 0.0, math.cos(angle) if degrees % 2 else 1.0
    for k in range(degrees % 2, degrees - 1, 2):
        total += term
        term *= math.cos(angle) ** 2 * (k + 1) / (k + 2)
    total *= math.sin(angle)
    return 1 - (2 / math.pi * (angle + total) if degrees % 2 else total)


class Tree:
    """nodes: a dictionary each, in preorder.

    X (n, p), nominal (p,); A (n, C), kinds (C,) bool, shares (C,): the attributes of the clustering space; bag (n,);
    random: see above.
    """

    def __init__(
        self, X, nominal, A, kinds, shares, bag, random, *, tries, extra=False, min_leaf=1, max_depth=99, f_test=None,
        fractional=False,
    ):  # fmt: skip
        self.X, self.nominal, self.A, self.kinds, self.shares, self.bag = X, nominal, A, kinds, shares, bag
        self.tries, self.extra, self.min_leaf, self.max_depth = tries, extra, min_leaf, max_depth
        self.f_test, self.fractional = f_test, fractional
        if fractional:
            self.min_leaf *= 1 - 1e-9
        self.random, self.features, self.nodes = random, list(range(X.shape[1])), []
        self.whole = [spread(column, np.ones(len(A)), kind) for column, kind in zip(A.T, kinds)]
        self.least = 1e-12 * len(X)
        self._grow([i for i in range(len(X)) if bag[i]], 0, 0, [0.0] * A.shape[1])

    def impurities(self, rows, above):
        found = [spread(self.A[rows, j], self.bag[rows], kind) for j, kind in enumerate(self.kinds)]
        return [b if a is None else a for a, b in zip(found, above)]

    def impurity(self, each):
        return sum(share * a / whole for share, a, whole in zip(self.shares, each, self.whole) if share and whole)

    def size(self, rows):
        return sum(self.bag[i] for i in rows)

    def gain(self, rows, left, own):
        right = [i for i in rows if i not in left]
        if min(self.size(left), self.size(right)) < self.min_leaf:
            return -1.0
        parts = [self.size(part) * self.impurity(self.impurities(part, own)) for part in (left, right)]
        return self.size(rows) * self.impurity(own) - sum(parts)

    def significant(self, h, total, n):
        """By F-test with 1 and n - 2 degrees of freedom."""
        if n <= 2:
            return False
        return h >= total or two_sided((h / (total - h) * (n - 2)) ** 0.5, int(n) - 2) <= self.f_test

    def tests(self, f, rows):
        """(threshold, rows to the left) of every candidate."""
        x = self.X[:, f]
        values = sorted({x[i] for i in rows})
        if self.nominal[f]:
            chosen = [x[rows[int(self.random.uniform() * len(rows))]]] if self.extra else values
            return [(v, [i for i in rows if x[i] == v]) for v in chosen]
        cuts = [(a + b) / 2 for a, b in pairwise(values)]
        if self.extra:
            cuts = [values[-1]]
            while not values[0] <= cuts[0] < values[-1]:
                cuts = [values[0] + self.random.uniform() * (values[-1] - values[0])]
        return [(cut, [i for i in rows if x[i] <= cut]) for cut in cuts]

    def _draw(self, rows, total, constants):
        """Features that may be tested here, in a random order: the caller stops."""
        F, last, hidden, p = self.features, len(self.features), constants, len(self.features)
        self.constants, self.seen = constants, 0
        while last > self.constants:
            self.seen += 1
            j = int(self.random.uniform() * (hidden + last - self.constants))
            if j < hidden:
                hidden -= 1
                yield None
                continue
            j += self.constants - hidden
            f = F[j]
            known = [i for i in rows if self.X[i, f] == self.X[i, f]]
            varies = len({self.X[i, f] for i in known}) > 1
            if not varies and len(known) == len(rows):
                F[j], F[self.constants] = F[self.constants], f
                self.constants += 1
                yield None
                continue
            last -= 1
            F[j], F[last] = F[last], f
            yield (f, known) if varies else None
        self.seen = p

    def _choose(self, rows, own, total, constants):
        n, best, chosen = self.size(rows), self.least, None
        for drawn in self._draw(rows, total, constants):
            if drawn is not None:
                f, known = drawn
                own_known, top, test = self.impurities(known, own), -1.0, None
                for threshold, left in self.tests(f, known):
                    h = self.gain(known, left, own_known)
                    if h > top * (1 + 1e-9):
                        top, test = h, (f, threshold, left, known)
                h = top * self.size(known) / n
                if test and h > best * (1 + 1e-9):
                    best, chosen = h, test
            if (self.seen >= self.tries and chosen) or best >= total * (1 - 1e-9):
                break
        return best, chosen

    def _grow(self, rows, depth, constants, above):
        n, own, bag = self.size(rows), self.impurities(rows, above), self.bag
        total = n * self.impurity(own)
        node = {"feature": -1, "threshold": 0.0, "weight": n, "gain": 0.0, "rows": set(rows), "total": total,
                "weights": {i: bag[i] for i in rows}}  # fmt: skip
        self.nodes.append(node)
        if n < 2 * self.min_leaf or total <= self.least or depth >= self.max_depth:
            return
        best, chosen = self._choose(rows, own, total, constants)
        constants = self.constants
        if chosen is None or (self.f_test is not None and not self.significant(best, total, n)):
            return
        f, threshold, left, known = chosen
        share = self.size(left) / self.size(known)
        if not self.fractional:
            share = float(share >= 0.5)
        node.update(feature=f, threshold=threshold, gain=best, share=share)
        for side in (1, 0):
            here = {i: ((i in left) == side if i in known else share if side else 1 - share) for i in rows}
            self.bag = np.array([bag[i] * here.get(i, 0) for i in range(len(bag))])
            self._grow([i for i in rows if here[i]], depth + 1, constants, own)
