"""Networks by several rankings: how often the pair that acts together is an edge, and how often another one is.

python benchmarks/interactions.py [--sets N] [--only turf]
"""

import argparse
import time
from collections.abc import Callable

import numpy as np

from orangecontrib.reliefe.core import partners, rank

METHODS = "boostedlearnedrelief", "turf", "learnedrelief", "multisurf"
PAIR = 0, 1
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


DESIGNS: dict[str, tuple[Callable[[np.random.Generator], Data], bool]] = {
    "nothing": (nothing, True), "SNPs": (snps, True), "product": (product, False), "number": (number, False),
}  # fmt: skip


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=10)
    parser.add_argument("--only", choices=METHODS)
    arguments = parser.parse_args()
    print(f"{'design':<10}{'ranking':<24}{'pair found':>12}{'false edges in':>16}{'s a set':>10}")
    for name, (make, nominal) in DESIGNS.items():
        for method in METHODS if arguments.only is None else (arguments.only,):
            found, false, start = 0, 0, time.perf_counter()
            for seed in range(arguments.sets):
                X, y = make(np.random.default_rng(seed))
                kinds = np.full(X.shape[1], nominal)
                best = rank(X, y, method, nominal=kinds).ranking[:60].tolist()
                edges = {edge[:2] for edge in partners(X, y, features=best, nominal=kinds).edges}
                found += PAIR in edges
                false += bool(edges - {PAIR})
            seconds = (time.perf_counter() - start) / arguments.sets
            print(f"{name:<10}{method:<24}{found:>12}{false:>16}{seconds:>10.1f}", flush=True)


if __name__ == "__main__":
    main()
