"""Networks of features: sets in which pairs that act together are edges, and sets in which other pairs are.

python benchmarks/interactions.py [--sets N] [--table designs] [--only turf]

designs: the best 20 of 100 features by MultiSURF or RReliefF, in data where effects add up and where they do not.
rankings: the best 60 of many features by several rankings.
"""

import argparse
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from threadpoolctl import threadpool_limits

from orangecontrib.reliefe.core import partners, rank

METHODS = "boostedlearnedrelief", "turf", "learnedrelief", "multisurf"
PAIR = (0, 1)
Data = tuple[np.ndarray, np.ndarray]


def nothing(rng: np.random.Generator) -> Data:
    """400 rows of 1,000 SNPs, and classes that nothing decides."""
    X = rng.binomial(2, rng.uniform(0.1, 0.5, 1000), (400, 1000)).astype(float)
    return X, rng.integers(0, 2, 400)


def snps(rng: np.random.Generator) -> Data:
    """The same, and the first two decide: exactly one of them has one rare allele, or not."""
    frequencies = rng.uniform(0.1, 0.5, 1000)
    frequencies[:2] = 0.5
    X = rng.binomial(2, frequencies, (400, 1000)).astype(float)
    risky = (X[:, 0] == 1) ^ (X[:, 1] == 1)
    return X, (rng.random(400) < np.where(risky, 0.85, 0.15)).astype(int)


def product(rng: np.random.Generator) -> Data:
    """500 rows of 500 numbers; the first two decide on the class by the sign of their product, with noise."""
    X = rng.normal(size=(500, 500))
    return X, (X[:, 0] * X[:, 1] + 0.5 * rng.normal(size=500) > 0).astype(int)


def number(rng: np.random.Generator) -> Data:
    """The same, and the target is the product with noise."""
    X = rng.normal(size=(500, 500))
    return X, X[:, 0] * X[:, 1] + 0.5 * rng.normal(size=500)


WIDE: dict[str, tuple[Callable[[np.random.Generator], Data], bool]] = {
    "nothing": (nothing, True), "SNPs": (snps, True), "product": (product, False), "number": (number, False),
}  # fmt: skip


def numbers(
    rng: np.random.Generator, effect: Callable[[np.ndarray], np.ndarray], noise: float = 1.0, share: float = 0.0
) -> Data:
    """500 rows of 100 numbers, and an effect on a number, or on the log odds of a class that has a share of rows."""
    X = rng.normal(size=(500, 100))
    if not share:
        return X, effect(X) + noise * rng.normal(size=500)
    odds = effect(X) + noise * rng.logistic(size=500)
    return X, (odds > np.quantile(odds, 1 - share)).astype(int)


def three_classes(rng: np.random.Generator) -> Data:
    """Two main effects on each of two classes."""
    X = rng.normal(size=(500, 100))
    odds = np.column_stack([np.zeros(500), 2 * (X[:, 0] + X[:, 1]), 2 * (X[:, 2] + X[:, 3])])
    return X, (odds + rng.gumbel(size=odds.shape)).argmax(axis=1)


def copies(rng: np.random.Generator) -> Data:
    """Four main effects on a class; each of the four has two copies, one of them inexact."""
    X, y = numbers(rng, lambda X: 3 * X[:, :4].sum(axis=1), share=0.5)
    X[:, 4:8], X[:, 8:12] = X[:, :4], X[:, :4] + 0.1 * rng.normal(size=(500, 4))
    return X, y


def linked(rng: np.random.Generator) -> Data:
    """Four SNPs of 100 with main effects on a class; five neighbours each are linked."""
    X = rng.binomial(2, np.repeat(rng.uniform(0.1, 0.5, 20), 5), (500, 100)).astype(float)
    same = rng.random(X.shape) < 0.8
    X = np.where(same, np.repeat(X[:, ::5], 5, axis=1), X)
    odds = 1.5 * X[:, :20:5].sum(axis=1) + rng.logistic(size=500)
    return X, (odds > np.median(odds)).astype(int)


def unrelated(rng: np.random.Generator, genotypes: bool) -> Data:
    """Nothing is relevant."""
    X, y = numbers(rng, lambda X: np.zeros(len(X)), share=0.5)
    return (rng.binomial(2, rng.uniform(0.1, 0.5, 100), X.shape).astype(float) if genotypes else X), y


def parity(rng: np.random.Generator, of: int, p: int) -> Data:
    """Bits, of which some decide by their sum being odd, with a tenth of noise."""
    X = rng.integers(0, 2, (500, p)).astype(float)
    return X, ((X[:, :of].sum(axis=1) % 2 == 1) ^ (rng.random(500) < 0.1)).astype(int)


def parity_of_signs(rng: np.random.Generator) -> Data:
    """The same of two numbers, by their signs."""
    X = rng.normal(size=(500, 100))
    return X, ((X[:, 0] * X[:, 1] > 0) ^ (rng.random(500) < 0.1)).astype(int)


def curved(X: np.ndarray) -> np.ndarray:
    """Four effects, three of which are curved."""
    out: np.ndarray = X[:, 0] ** 2 + np.exp(X[:, 1] / 1.5) + 2 * np.sin(2 * X[:, 2]) + X[:, 3]
    return out


# What makes a set, and the pairs that act together.
DESIGNS: dict[str, tuple[Callable[[np.random.Generator], Data], set[tuple[int, int]]]] = {
    "sum of four": (partial(numbers, effect=lambda X: X[:, :4].sum(axis=1)), set()),
    "curved effects": (partial(numbers, effect=curved), set()),
    "two strong, classes": (partial(numbers, effect=lambda X: 6 * X[:, 0] + 3 * X[:, 1], share=0.5), set()),
    "four strong, classes": (partial(numbers, effect=lambda X: 3 * X[:, :4].sum(axis=1), share=0.5), set()),
    "four, three classes": (three_classes, set()),
    "four, 10:90": (partial(numbers, effect=lambda X: 2 * X[:, :4].sum(axis=1), share=0.1), set()),
    "copies": (copies, set()),
    "linked SNPs": (linked, set()),
    "nothing, numbers": (partial(unrelated, genotypes=False), set()),
    "nothing, SNPs": (partial(unrelated, genotypes=True), set()),
    "XOR of numbers": (parity_of_signs, {PAIR}),
    "XOR of bits": (partial(parity, of=2, p=100), {PAIR}),
    "XOR of three of 30": (partial(parity, of=3, p=30), {PAIR, (0, 2), (1, 2)}),
    "product + three": (
        partial(numbers, effect=lambda X: 1.5 * X[:, 0] * X[:, 1] + X[:, 2:5].sum(axis=1)), {PAIR},
    ),
    "XOR + strong": (
        partial(numbers, effect=lambda X: 3 * np.sign(X[:, 0] * X[:, 1]) + 3 * X[:, 2], share=0.5), {PAIR},
    ),
}  # fmt: skip


def designs(sets: int) -> None:
    """Print how often edges are false and true, for each design."""
    print(f"{'design':<24}{'false edge in':>14}{'all true in':>13}{'s a set':>9}")
    for name, (make, true) in DESIGNS.items():
        found, false, start = 0, 0, time.perf_counter()
        for seed in range(sets):
            X, y = make(np.random.default_rng(seed))
            method = "multisurf" if y.dtype.kind == "i" else "rrelieff"
            best = rank(X, y, method, n_jobs=1).ranking[:20].tolist()
            edges = {edge[:2] for edge in partners(X, y, features=best, random_state=seed, n_jobs=1).edges}
            found += bool(true) and true <= edges
            false += bool(edges - true)
        seconds = (time.perf_counter() - start) / sets
        print(f"{name:<24}{false:>10} of {sets}{found if true else '-':>10}{seconds:>9.1f}", flush=True)


def rankings(sets: int, methods: tuple[str, ...]) -> None:
    """Print how often the pair is an edge, and how often another one is, for each ranking."""
    print(f"{'design':<10}{'ranking':<24}{'pair found':>12}{'false edges in':>16}{'s a set':>10}")
    for name, (make, nominal) in WIDE.items():
        for method in methods:
            found, false, start = 0, 0, time.perf_counter()
            for seed in range(sets):
                X, y = make(np.random.default_rng(seed))
                kinds = np.full(X.shape[1], nominal)
                best = rank(X, y, method, nominal=kinds, n_jobs=1).ranking[:60].tolist()
                edges = {edge[:2] for edge in partners(X, y, features=best, nominal=kinds, n_jobs=1).edges}
                found += PAIR in edges
                false += bool(edges - {PAIR})
            seconds = (time.perf_counter() - start) / sets
            print(f"{name:<10}{method:<24}{found:>12}{false:>16}{seconds:>10.1f}", flush=True)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=20)
    parser.add_argument("--table", choices=("designs", "rankings"))
    parser.add_argument("--only", choices=METHODS)
    arguments = parser.parse_args()
    with threadpool_limits(1):
        if arguments.table != "rankings":
            designs(arguments.sets)
        if arguments.table != "designs":
            rankings(arguments.sets, METHODS if arguments.only is None else (arguments.only,))


if __name__ == "__main__":
    main()
