"""Kinds of discoveries: how often an effect that is not monotone is called "only together", and a pair is.

python benchmarks/kinds.py [--sets N] [--designs NAME ...]

Each additive design has 300 rows, and 100 features of which five act by a curve each. For waves, which scores hardly
see, it has 20 features of which one acts. Each design of a pair has 400 rows, and 100 features of which two act by
their product or its sign. Scores are those of MultiSURF, discoveries those at a false discovery rate of 10 %. For every
target the table has the share of relevant features that are discovered by their score, and the shares of discoveries
that are called "only together" by three tests of features alone:

monotone   Kruskal and Wallis's test, Spearman's correlation, or the score test of Cox's model
spline     twice the smaller p of this test and of a natural spline with four knots
waves      twice the smaller p of this test and of six waves of the ranks, as in `significance.alone`

20 sets take some four minutes.
"""

import argparse
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from common import table
from scipy import stats

from orangecontrib.reliefe.core import Survival, rank, significance
from orangecontrib.reliefe.core.structure.additive import KNOTS, natural
from orangecontrib.reliefe.core.studies.score_tests import LogisticTests
from orangecontrib.reliefe.core.studies.smooth_tests import RobustTests

LEVEL = 0.1  # false discovery rate
SHUFFLES = 20
TESTS = "monotone", "spline", "waves"
FEATURES = 100
BESIDE_A_WAVE = 20  # features
CURVES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "line": lambda x: x,
    "U": lambda x: x**2,
    "V": np.abs,
    "step": lambda x: np.where(x > 0.8, 1.0, 0.0),
    "box": lambda x: np.where(np.abs(x) < 0.67, 1.0, 0.0),
    "wave, sin 2x": lambda x: np.sin(2 * x),
    "wave, cos 3x": lambda x: np.cos(3 * x),
    "wave, sin 4x": lambda x: np.sin(4 * x),
    "wave, sin 6x": lambda x: np.sin(6 * x),
}
PAIRS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "pair, parity": lambda a, b: np.sign(a * b),
    "pair, product": lambda a, b: a * b,
}
ADDITIVE_SIZES = {"classes": 1.5, "number": 0.8, "times": 0.9}  # that MultiSURF finds half of the effects, or more
WAVE_SIZES = {"classes": 3.0, "number": 2.0, "times": 2.0}
PAIR_SIZES = {"classes": 2.2, "number": 1.6, "times": 1.6}


def target_of(kind: str, effect: np.ndarray, rng: np.random.Generator) -> np.ndarray | Survival:
    """Two classes of equal size with logistic noise, a number with normal noise, or times, half of them censored."""
    if kind == "classes":
        noisy = effect + rng.logistic(size=len(effect))
        return (noisy > np.median(noisy)).astype(int)
    if kind == "number":
        return effect + rng.normal(size=len(effect))
    death = rng.exponential(size=len(effect)) * np.exp(-effect)
    end = rng.exponential(size=len(effect)) * np.median(death) * 1.5
    return Survival(np.minimum(death, end), death <= end)


def data(design: str, kind: str, seed: int) -> tuple[np.ndarray, np.ndarray | Survival, np.ndarray]:
    """X, y and the indices of the relevant features."""
    rng = np.random.default_rng([seed, 43])
    if design in PAIRS:
        X = rng.normal(size=(400, FEATURES))
        return X, target_of(kind, PAIR_SIZES[kind] * PAIRS[design](X[:, 0], X[:, 1]), rng), np.arange(2)
    is_wave = design.startswith("wave")
    X = rng.normal(size=(300, BESIDE_A_WAVE if is_wave else FEATURES))
    relevant = np.arange(1 if is_wave else 5)
    curves = CURVES[design](X[:, relevant])
    curves = (curves - curves.mean(axis=0)) / curves.std(axis=0)
    size = (WAVE_SIZES if is_wave else ADDITIVE_SIZES)[kind]
    return X, target_of(kind, size * curves.sum(axis=1), rng), relevant


def monotone(x: np.ndarray, y: np.ndarray) -> float:
    """p of the test of Kruskal and Wallis, or of Spearman's correlation."""
    if y.dtype.kind == "i":
        return float(stats.kruskal(x[y == 0], x[y == 1]).pvalue)
    return float(stats.spearmanr(x, y).pvalue)


def spline(x: np.ndarray, y: np.ndarray) -> float:
    """p of the score test of a natural spline with knots at four quantiles."""
    columns = np.column_stack([x, *natural(x, np.quantile(x, KNOTS))])
    columns = (columns - columns.mean(axis=0)) / columns.std(axis=0)
    test = LogisticTests if y.dtype.kind == "i" else RobustTests
    value, freedom = test.of(y, np.zeros((len(y), 0))).tests(columns[:, None])
    return float(stats.chi2.sf(value[0], freedom[0]))


def alone(X: np.ndarray, y: np.ndarray | Survival) -> dict[str, np.ndarray]:
    """p-values of each feature by the rivals of `significance.alone`."""
    if isinstance(y, Survival):
        return {"monotone": stats.chi2.sf(rank(X, y, "coxscore").scores, 1)}
    by_order = np.array([monotone(x, y) for x in X.T])
    by_spline = np.array([spline(x, y) for x in X.T])
    return {"monotone": by_order, "spline": np.minimum(2 * np.minimum(by_order, by_spline), 1)}


def of_set(design: str, kind: str, seed: int) -> list[float]:
    """Numbers of relevant features and of those that their score discovers.

    Then, for each test, numbers of discoveries by the score, and of those called "only together".
    """
    X, y, relevant = data(design, kind, seed)
    found = significance(X, y, "multisurf", n_shuffles=SHUFFLES)
    tests = {**alone(X, y), "waves": found.alone}
    counts = [len(relevant), (found.q[relevant] <= LEVEL).sum()]
    for name in TESTS:
        kinds = replace(found, alone=tests[name]).kinds(LEVEL)[relevant] if name in tests else np.array([])
        counts += [np.isin(kinds, ["both", "only together"]).sum(), (kinds == "only together").sum()]
    return counts


def line_of(design: str, kind: str, sets: int) -> list[object]:
    """Line of the table."""
    sums = np.sum([of_set(design, kind, seed) for seed in range(sets)], axis=0)
    shares = [f"{part / whole:.2f}" if whole else "-" for whole, part in sums.reshape(-1, 2)]
    return [design, kind, *shares]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [*CURVES, *PAIRS]
    parser.add_argument("--sets", type=int, default=20)
    parser.add_argument("--designs", nargs="*", choices=names, default=names, metavar="NAME")
    arguments = parser.parse_args()
    lines = [
        line_of(design, kind, arguments.sets) for design in arguments.designs for kind in ("classes", "number", "times")
    ]
    print(table(["design", "target", "discovered", *(f"only together: {test}" for test in TESTS)], lines))


if __name__ == "__main__":
    main()
