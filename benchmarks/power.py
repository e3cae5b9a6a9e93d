"""Power of the tests: which relevant features they find at a false discovery rate of 10 %, and which kind these have.

python benchmarks/power.py [--sets N] [--designs NAME ...] [--methods NAME ...]

For each design (300 rows of 300 features, 400 of 100 where a pair acts) and each method: share of the features with an
effect of their own that are found, the same of the pair, share of false discoveries, share of data sets with any, and
kinds of discoveries: features with an own effect that are called "only together", and features of the pair that are.
The line "alone" is a test of each feature without the others.  30 sets take some two minutes.
"""

import argparse
from collections.abc import Callable

import numpy as np
from common import table
from scipy.stats import false_discovery_control

from orangecontrib.reliefe.core import METHODS, rank

LEVEL = 0.1  # false discovery rate
EFFECTS, PAIR = 10, 2  # numbers of features
Data = tuple[
    np.ndarray, np.ndarray, int, int
]  # X, y, features with an effect of their own, features that act as a pair


def effects(rng: np.random.Generator, finish: Callable, size: float) -> Data:
    """Ten additive effects."""
    X = rng.normal(size=(300, 300))
    return X, finish(rng, size * X[:, :EFFECTS].sum(axis=1)), EFFECTS, 0


def parity(rng: np.random.Generator, finish: Callable, size: float) -> Data:
    """A pair that acts by the sign of its product."""
    X = rng.normal(size=(400, 100))
    return X, finish(rng, size * np.sign(X[:, 0] * X[:, 1])), 0, PAIR


def carriers(rng: np.random.Generator, finish: Callable, size: float) -> Data:
    """A pair of SNPs that acts where exactly one of them is carried."""
    X = rng.binomial(2, np.r_[np.full(PAIR, 1 - np.sqrt(0.5)), rng.uniform(0.1, 0.5, 98)], (400, 100)).astype(float)
    return X, finish(rng, size * np.where((X[:, 0] > 0) != (X[:, 1] > 0), 1.0, -1.0)), 0, PAIR


def product(rng: np.random.Generator, finish: Callable, size: float) -> Data:
    """A pair that acts by its product."""
    X = rng.normal(size=(400, 100))
    return X, finish(rng, size * X[:, 0] * X[:, 1]), 0, PAIR


def classes(share: float) -> Callable:
    """Two classes with logistic noise, of which one has this share of the rows."""

    def finish(rng: np.random.Generator, effect: np.ndarray) -> np.ndarray:
        noisy = effect + rng.logistic(size=len(effect))
        return (noisy > np.quantile(noisy, 1 - share)).astype(int)

    return finish


def three_classes(rng: np.random.Generator, effect: np.ndarray) -> np.ndarray:
    """Classes in order, with shares of .5, .3 and .2."""
    noisy = effect + rng.logistic(size=len(effect))
    return np.digitize(noisy, np.quantile(noisy, [0.5, 0.8]))


def number(rng: np.random.Generator, effect: np.ndarray) -> np.ndarray:
    """A number with normal noise."""
    return effect + rng.normal(size=len(effect))


def exponential(rng: np.random.Generator, effect: np.ndarray) -> np.ndarray:
    """exp of it."""
    return np.exp(number(rng, effect))


def long_tails(rng: np.random.Generator, effect: np.ndarray) -> np.ndarray:
    """A number with noise of Student's t with two degrees of freedom."""
    return effect + rng.standard_t(2, size=len(effect))


DESIGNS: dict[str, tuple[Callable[..., Data], Callable, float]] = {
    "nothing, classes": (effects, classes(0.5), 0.0),
    "nothing, number": (effects, number, 0.0),
    "ten effects, number": (effects, number, 0.3),
    "ten effects, exp": (effects, exponential, 0.3),
    "ten effects, long tails": (effects, long_tails, 0.3),
    "ten effects, 50:50": (effects, classes(0.5), 0.9),
    "ten effects, 20:80": (effects, classes(0.2), 0.9),
    "ten effects, 10:90": (effects, classes(0.1), 0.9),
    "ten effects, 50:30:20": (effects, three_classes, 0.9),
    "parity, 50:50": (parity, classes(0.5), 2.2),
    "parity of SNPs, 50:50": (carriers, classes(0.5), 2.2),
    "parity of SNPs, 20:80": (carriers, classes(0.2), 2.2),
    "parity of SNPs, 10:90": (carriers, classes(0.1), 2.2),
    "parity, number": (parity, number, 1.1),
    "product, number": (product, number, 1.1),
}  # fmt: skip


def measured(found: np.ndarray, main: int, pair: int) -> list[float]:
    """Shares of effects, of pairs, and of false discoveries among what was found (p,), and whether any is false."""
    false = found[main + pair :].sum()
    of = [found[:main].mean() if main else np.nan, found[main : main + pair].mean() if pair else np.nan]
    return [*of, false / max(found.sum(), 1), float(false > 0)]


def results(name: str, sets: int, methods: list[str]) -> dict[str, list[list[float]]]:
    """Rows of all sets of a design, by method."""
    make, finish, size = DESIGNS[name]
    rows: dict[str, list[list[float]]] = {}
    for seed in range(sets):
        X, y, main, pair = make(np.random.default_rng([seed, 2026]), finish, size)
        task = "classification" if y.dtype.kind == "i" else "regression"
        own = None
        for method in methods:
            if task not in METHODS[method].tasks:
                continue
            found = rank(X, y, method, significance=True, random_state=seed).significance
            own, kinds = found.alone, found.kinds(LEVEL) == "only together"
            row = [*measured(found.q <= LEVEL, main, pair), *measured(kinds, main, pair)[:2]]
            rows.setdefault(METHODS[method].title, []).append(row)
        if own is not None:
            rows.setdefault("alone", []).append([*measured(false_discovery_control(own) <= LEVEL, main, pair), 0, 0])
    return rows


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=30)
    parser.add_argument("--designs", nargs="*", choices=DESIGNS, default=list(DESIGNS), metavar="NAME")
    parser.add_argument("--methods", nargs="*", default=["multisurf", "relieff", "rrelieff"], metavar="NAME")
    arguments = parser.parse_args()
    head = ["design", "test", "effects", "pair", "false", "any false", "effects only together", "pair only together"]
    lines = []
    for design in arguments.designs:
        for test, rows in results(design, arguments.sets, arguments.methods).items():
            means = [f"{value:.2f}" if value == value else "-" for value in np.mean(rows, axis=0)]
            lines.append([design, test, *means])
    print(table(head, lines))


if __name__ == "__main__":
    main()
