"""Coverage of the intervals of `explain`: how often the difference apart - alike of other samples lies in them.

python benchmarks/intervals.py [--sets N]

Ten features, the first of which acts alone, by the sign of its product with the second, or not at all. For each method,
design and number of rows: mean difference over all sets, its standard deviation between sets, mean standard error by
the jackknife, and share of intervals that have the mean difference. 60 sets take a minute.
"""

import argparse

import numpy as np
from common import table

from orangecontrib.reliefe.core import explain, rank

METHODS = "relieff", "multisurf", "rrelieff"
DESIGNS = {
    "alone": lambda X: 1.5 * X[:, 0],
    "pair": lambda X: 2 * np.sign(X[:, 0] * X[:, 1]),
    "none": lambda X: 0 * X[:, 0],
}
ROWS = 60, 200
LARGEST = 3.0  # absolute value of a feature: all sets have the same range


def line_of(method: str, design: str, n: int, sets: int) -> list[object]:
    """Line of the table."""
    differences, intervals = [], []
    for seed in range(sets):
        rng = np.random.default_rng([seed, 5])
        X = np.clip(rng.normal(size=(n, 10)), -LARGEST, LARGEST)
        X[:2] = np.array([-LARGEST, LARGEST])[:, None]
        effect = DESIGNS[design](X)
        is_number = method == "rrelieff"
        y = effect + rng.normal(size=n) if is_number else (effect + rng.logistic(size=n) > 0).astype(int)
        found = explain(rank(X, y, method), 0, X, y)
        differences.append(found.difference)
        intervals.append(found.interval)
    low, high = np.array(intervals).T
    mean = np.mean(differences)
    covered = (low <= mean) & (mean <= high)
    figures = [mean, np.std(differences), (high - low).mean() / 4]
    return [method, design, n, *(f"{figure:.4f}" for figure in figures), f"{covered.mean():.2f}"]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=60)
    sets = parser.parse_args().sets
    lines = [line_of(method, design, n, sets) for method in METHODS for design in DESIGNS for n in ROWS]
    print(table(["method", "design", "rows", "difference", "deviation", "jackknife", "covered"], lines))


if __name__ == "__main__":
    main()
