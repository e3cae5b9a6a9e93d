"""Weights of rows that depend on the target or on a feature: p-values where nothing is relevant, and power.

python benchmarks/weights.py [--sets N]

Prints, for each design and method: the share of features with p <= .05, with its standard error over the sets, and the
share of sets with any q <= .10, once if targets are permuted alone and weights stay with their rows, and once if
targets are permuted together with their weights, as in `rank`. In the design "power" the first two of the features are
relevant, and their share with p <= .05 is printed. 20 sets take ten minutes.
"""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
from common import table

from orangecontrib.reliefe.core import significance
from orangecontrib.reliefe.core.request import Request

N_ROWS = 120
N_FEATURES = 30
N_PERMUTED = 30
LEVEL = 0.1  # of the false discovery rate
NOMINAL = 0.05
RELEVANT = slice(0, 2)  # features of the design "power"
LISTS = {False: "relieff", True: "rrelieff"}  # the method of k nearest rows, by whether the target is a number


class Sample(NamedTuple):
    """Rows of one data set.

    X : (n, p) features
    y : (n,) classes or numbers
    weights : (n,) with mean 1
    """

    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray


def of_classes(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw features, and two classes."""
    return rng.normal(size=(N_ROWS, N_FEATURES)), rng.integers(0, 2, N_ROWS)


def of_numbers(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw features, and a number."""
    return rng.normal(size=(N_ROWS, N_FEATURES)), rng.normal(size=N_ROWS)


def scaled(X: np.ndarray, y: np.ndarray, weights: np.ndarray) -> Sample:
    """Scale weights to the mean 1."""
    return Sample(X, y, weights / weights.mean())


def by_class(rng: np.random.Generator) -> Sample:
    """Cases weigh eight times as much as controls."""
    X, y = of_classes(rng)
    return scaled(X, y, np.where(y == 1, 4.0, 0.5))


def rare_class(rng: np.random.Generator) -> Sample:
    """A fifth of the rows are cases, which weigh a sixth of a control."""
    X = rng.normal(size=(N_ROWS, N_FEATURES))
    y = (rng.random(N_ROWS) < 0.2).astype(int)
    return scaled(X, y, np.where(y == 1, 0.2, 1.2))


def by_size(rng: np.random.Generator) -> Sample:
    """Extreme numbers were sampled more often, and so weigh less."""
    X, y = of_numbers(rng)
    return scaled(X, y, np.where(np.abs(y) > 1, 0.3, 2.0))


def by_value(rng: np.random.Generator) -> Sample:
    """Large numbers were sampled more often."""
    X, y = of_numbers(rng)
    return scaled(X, y, np.exp(-0.8 * y))


def inverse_probability(rng: np.random.Generator) -> Sample:
    """The weight is the inverse of the probability of selection, which depends on the first feature."""
    X, y = of_classes(rng)
    return scaled(X, y, 1 + np.exp(-1.2 * X[:, 0]))


def by_feature_and_class(rng: np.random.Generator) -> Sample:
    """The weight depends on the first feature and on the class."""
    X, y = of_classes(rng)
    return scaled(X, y, np.exp(0.8 * X[:, 0]) * np.where(y == 1, 3.0, 0.6))


def power(rng: np.random.Generator) -> Sample:
    """As `by_class`, and the first two features differ between the classes by .9 standard deviations."""
    sample = by_class(rng)
    sample.X[:, RELEVANT] += 0.9 * (sample.y - 0.5)[:, None]
    return sample


Design = Callable[[np.random.Generator], Sample]
NULL_DESIGNS: dict[str, Design] = {
    "by class, 4 : .5": by_class,
    "by class, 20:80": rare_class,
    "number, by size": by_size,
    "number, by value": by_value,
    "inverse probability, by a feature": inverse_probability,
    "by a feature and the class": by_feature_and_class,
}


@contextmanager
def weights_stay() -> Iterator[None]:
    """Permute targets alone, so that weights stay with their rows."""
    permute_both = Request.shuffled

    def permute_targets(request: Request, *arguments: object) -> Request:
        return replace(permute_both(request, *arguments), weights=request.weights)

    with patch.object(Request, "shuffled", permute_targets):
        yield


def tested(sample: Sample, method: str, seed: int) -> tuple[np.ndarray, bool]:
    """p-values (p,) of the features, and whether any is a discovery."""
    found = significance(
        sample.X, sample.y, method, sample_weight=sample.weights, n_shuffles=N_PERMUTED, random_state=seed, n_jobs=1
    )
    return found.p, bool((found.q <= LEVEL).any())


def share_text(shares: list[float]) -> str:
    """Write a mean over sets with its standard error."""
    return f"{np.mean(shares):.3f} ({np.std(shares, ddof=1) / np.sqrt(len(shares)):.3f})"


def of_design(title: str, design: Design, n_sets: int, features: slice) -> list[list[object]]:
    """Lines of the table for one design, one for each method."""
    lines: list[list[object]] = []
    is_number = design in (by_size, by_value)
    for method in (LISTS[is_number], "multisurf", "surf"):
        cells: list[object] = [title, method]
        for way in ("alone", "together"):
            shares = []
            discoveries = []
            for seed in range(n_sets):
                sample = design(np.random.default_rng([seed, 2811]))
                if way == "alone":
                    with weights_stay():
                        p, is_discovered = tested(sample, method, seed)
                else:
                    p, is_discovered = tested(sample, method, seed)
                shares.append(float((p[features] <= NOMINAL).mean()))
                discoveries.append(is_discovered)
            cells += [share_text(shares), f"{np.mean(discoveries):.2f}"]
        lines.append(cells)
    return lines


def main() -> None:
    """Print both tables, design by design."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=20)
    arguments = parser.parse_args()
    titles = ["nothing is relevant", "method", "targets alone: p <= .05 (se)", "any q <= .10"]
    titles += ["with weights: p <= .05 (se)", "any q <= .10"]
    for title, design in NULL_DESIGNS.items():
        print(table(titles, of_design(title, design, arguments.sets, slice(None))), flush=True)
    titles[0] = "two features are relevant"
    print(table(titles, of_design("by class, 4 : .5", power, arguments.sets, RELEVANT)), flush=True)


if __name__ == "__main__":
    main()
