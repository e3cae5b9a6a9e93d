"""Sample size from a pilot study: discoveries that `power` expects to be found again, beside the true number.

python benchmarks/sample_size.py [--sets N] [--designs NAME ...] [--minutes N]     goes on where it ended
python benchmarks/sample_size.py --table [--write]     prints the table, or puts it in doc/sample-size.md; runs nothing

A pilot study has 150 rows and 40 features, ranked by MultiSURF with 20 permuted targets. `power` simulates 10 studies
of each number of rows. The true number is the sum of the shares of 40 new data sets of the same design in which each of
the discoveries is found. A line of JSON for each pilot study goes to doc/sample-size/results.jsonl.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
from common import ROOT, table
from resumed import run_sets

from orangecontrib.reliefe.core import power, significance

RESULTS = ROOT / "doc" / "sample-size" / "results.jsonl"
PAGE = ROOT / "doc" / "sample-size.md"
BEGIN = "<!-- table: written by benchmarks/sample_size.py --write -->"
ROWS, FEATURES = 150, 40
SIZES = (150, 300)
N_SIMULATED, N_TRUE = 10, 40  # studies
CORRELATION = 0.9  # of a copy with its original
TAILS = 2.5  # degrees of freedom
SHARE_ILL = 0.2
SHARE_MISSING = 0.2
OF_TRUE_SETS = 1000  # first seed of new data sets
Maker = Callable[[np.random.Generator, int], tuple[np.ndarray, np.ndarray]]


def classes(rng: np.random.Generator, effect: np.ndarray) -> np.ndarray:
    """Two classes of equal size by an effect (n,) with logistic noise."""
    noisy = effect + rng.logistic(size=len(effect))
    return (noisy > np.median(noisy)).astype(int)


def effects(size: float) -> Maker:
    """Four additive effects on classes."""

    def make(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        X = rng.normal(size=(n, FEATURES))
        return X, classes(rng, size * X[:, :4].sum(axis=1))

    return make


def correlated(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Four additive effects; features share three factors."""
    factors = np.random.default_rng(0).normal(size=(3, FEATURES)) / 2
    X = rng.normal(size=(n, 3)) @ factors + rng.normal(size=(n, FEATURES))
    return X, classes(rng, X[:, :4].sum(axis=1))


def snps(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Genotypes with four additive effects."""
    frequencies = np.random.default_rng(0).uniform(0.2, 0.5, FEATURES)
    X = rng.binomial(2, frequencies, size=(n, FEATURES)).astype(float)
    return X, classes(rng, 1.5 * X[:, :4].sum(axis=1))


def pair(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """A pair that acts by the sign of its product."""
    X = rng.normal(size=(n, FEATURES))
    return X, classes(rng, 3 * np.sign(X[:, 0] * X[:, 1]))


def numbers(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Four additive effects on a number."""
    X = rng.normal(size=(n, FEATURES))
    return X, X[:, :4].sum(axis=1) + rng.normal(size=n)


def copies(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Four strong effects, and two correlated features beside each of these."""
    X = rng.normal(size=(n, FEATURES))
    X[:, 4:12] *= np.sqrt(1 - CORRELATION**2)
    X[:, 4:12] += CORRELATION * np.repeat(X[:, :4], 2, axis=1)
    return X, classes(rng, 1.2 * X[:, :4].sum(axis=1))


def heavy_tails(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Four effects of features with Student's distribution."""
    X = rng.standard_t(TAILS, size=(n, FEATURES))
    return X, classes(rng, X[:, :4].sum(axis=1))


def unbalanced(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Four effects; a fifth of the rows have one of the classes."""
    X = rng.normal(size=(n, FEATURES))
    noisy = 1.5 * X[:, :4].sum(axis=1) + rng.logistic(size=n)
    return X, (noisy > np.quantile(noisy, 1 - SHARE_ILL)).astype(int)


def with_missing(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Four strong effects; a fifth of the values are missing."""
    X, y = effects(1.2)(rng, n)
    X[rng.random(X.shape) < SHARE_MISSING] = np.nan
    return X, y


def nothing(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """No feature is relevant."""
    return rng.normal(size=(n, FEATURES)), rng.permutation(n) % 2


DESIGNS: dict[str, Maker] = {
    "four strong effects": effects(1.2),
    "four weak effects": effects(0.6),
    "four effects, correlated features": correlated,
    "four effects, SNPs": snps,
    "pair": pair,
    "four effects on a number": numbers,
    "nothing relevant": nothing,
    "four strong effects, two copies of each": copies,
    "four effects, heavy tails": heavy_tails,
    "four effects, classes 20:80": unbalanced,
    "four strong effects, 20 % missing": with_missing,
}


def discoveries(design: str, seed: int, n: int) -> np.ndarray:
    """Mask (p,) of the discoveries of one data set."""
    X, y = DESIGNS[design](np.random.default_rng([list(DESIGNS).index(design), seed]), n)
    return significance(X, y, "multisurf", n_shuffles=20).q <= 0.1


@cache
def true_shares(design: str, n: int) -> np.ndarray:
    """Share (p,) of new data sets in which each feature is discovered."""
    return np.mean([discoveries(design, OF_TRUE_SETS + number, n) for number in range(N_TRUE)], axis=0)


def line_of(design: str, number: int) -> dict[str, object]:
    """Numbers of discoveries of one pilot study that are expected to be found again, and that are."""
    X, y = DESIGNS[design](np.random.default_rng([list(DESIGNS).index(design), number]), ROWS)
    result = power(X, y, "multisurf", n=SIZES, n_sets=N_SIMULATED, n_shuffles=20, random_state=number)
    true = (
        [float(true_shares(design, n)[result.features].sum()) for n in SIZES]
        if len(result.features)
        else [0.0] * len(SIZES)
    )
    return {
        "design": design,
        "set": number,
        "found": len(result.features),
        "expected": result.expected.tolist(),
        "true": true,
    }


def sizes_table(lines: list[dict]) -> str:
    """Mean expected and true numbers, with the standard error of their difference."""
    rows = []
    for design in DESIGNS:
        of_design = [line for line in lines if line["design"] == design]
        if not of_design:
            continue
        expected = np.array([line["expected"] for line in of_design])
        true = np.array([line["true"] for line in of_design])
        error = (
            (expected - true).std(axis=0, ddof=1) / np.sqrt(len(of_design))
            if len(of_design) > 1
            else [np.nan] * len(SIZES)
        )
        cells = [
            f"{a:.2f}, {b:.2f} ± {e:.2f}"
            for a, b, e in zip(expected.mean(axis=0), true.mean(axis=0), error, strict=True)
        ]
        rows.append([design, len(of_design), f"{np.mean([line['found'] for line in of_design]):.2f}", *cells])
    return table(["design", "pilots", "found", *(f"n = {n}: expected, true" for n in SIZES)], rows, markdown=True)


def main() -> None:
    """Run the sets that are not there yet, and print the table."""
    run_sets(__doc__, DESIGNS, 40, RESULTS, PAGE, BEGIN, line_of, sizes_table)


if __name__ == "__main__":
    main()
