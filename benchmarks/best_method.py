"""Several methods tried, the best reported: false discoveries of that, and of p-values that count all methods.

python benchmarks/best_method.py [--sets N] [--designs NAME ...] [--minutes N]     goes on where it ended
python benchmarks/best_method.py --table [--write]     prints the table, or puts it in doc/best-method.md; runs nothing

A set has 200 rows and 60 features, ranked by five methods with 99 permuted targets, the same for all methods, which is
the default number. "Best reported" takes the list of the method with the most discoveries at a false discovery rate of
10 %. A line of JSON for each set goes to doc/best-method/results.jsonl.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from common import ROOT, table
from resumed import run_sets

from orangecontrib.reliefe.core import best_of_methods

RESULTS = ROOT / "doc" / "best-method" / "results.jsonl"
PAGE = ROOT / "doc" / "best-method.md"
BEGIN = "<!-- table: written by benchmarks/best_method.py --write -->"
ROWS, FEATURES = 200, 60
LEVEL = 0.1  # false discovery rate
FAMILY_LEVEL = 0.05
METHODS = ("relieff", "multisurf", "residualrelief", "swrfstar", "surf")
SHUFFLES = 99
SIZE = 0.9  # of an effect on the logit, for a feature of variance 1
PAIR_SIZE = 2.5


class Data(NamedTuple):
    """One set."""

    X: np.ndarray  # (n, p)
    y: np.ndarray  # (n,): classes 0 and 1
    relevant: np.ndarray  # indices of the relevant features


def classes(rng: np.random.Generator, effect: np.ndarray, share: float = 0.5) -> np.ndarray:
    """Two classes by an effect (n,) with logistic noise, one of which has a share of the rows."""
    noisy = effect + rng.logistic(size=len(effect))
    return (noisy > np.quantile(noisy, 1 - share)).astype(int)


def normal(rng: np.random.Generator) -> Data:
    """Independent features, none relevant."""
    return Data(rng.normal(size=(ROWS, FEATURES)), classes(rng, np.zeros(ROWS)), np.arange(0))


def rare(rng: np.random.Generator) -> Data:
    """As `normal`, with a fifth of the rows in one class."""
    return Data(rng.normal(size=(ROWS, FEATURES)), classes(rng, np.zeros(ROWS), 0.2), np.arange(0))


def factors(rng: np.random.Generator) -> Data:
    """Features that share five factors, none relevant."""
    X = rng.normal(size=(ROWS, 5)) @ rng.normal(size=(5, FEATURES)) + rng.normal(size=(ROWS, FEATURES))
    return Data(X, classes(rng, np.zeros(ROWS)), np.arange(0))


def snps(rng: np.random.Generator) -> Data:
    """Genotypes with minor alleles of frequency .05 to .5, none relevant."""
    X = rng.binomial(2, rng.uniform(0.05, 0.5, FEATURES), size=(ROWS, FEATURES)).astype(float)
    return Data(X, classes(rng, np.zeros(ROWS)), np.arange(0))


def skewed(rng: np.random.Generator) -> Data:
    """Log-normal features, none relevant."""
    return Data(np.exp(rng.normal(size=(ROWS, FEATURES))), classes(rng, np.zeros(ROWS)), np.arange(0))


def effects(rng: np.random.Generator) -> Data:
    """Six additive effects."""
    X = rng.normal(size=(ROWS, FEATURES))
    return Data(X, classes(rng, SIZE * X[:, :6].sum(axis=1)), np.arange(6))


def rare_effects(rng: np.random.Generator) -> Data:
    """Six additive effects on classes 20:80."""
    X = rng.normal(size=(ROWS, FEATURES))
    return Data(X, classes(rng, SIZE * X[:, :6].sum(axis=1), 0.2), np.arange(6))


def pair(rng: np.random.Generator) -> Data:
    """A pair that acts by the sign of its product."""
    X = rng.normal(size=(ROWS, FEATURES))
    return Data(X, classes(rng, PAIR_SIZE * np.sign(X[:, 0] * X[:, 1])), np.arange(2))


DESIGNS: dict[str, Callable[[np.random.Generator], Data]] = {
    "nothing relevant, normal": normal,
    "nothing relevant, classes 20:80": rare,
    "nothing relevant, five factors": factors,
    "nothing relevant, SNPs": snps,
    "nothing relevant, log-normal": skewed,
    "six effects": effects,
    "six effects, classes 20:80": rare_effects,
    "pair": pair,
}
RULES = ("best reported", "best of methods, q", *METHODS)
FAMILY_WISE = ("best reported, family-wise", "best of methods, family-wise")


def line_of(design: str, number: int) -> dict[str, object]:
    """Result of one set: numbers of relevant and of false discoveries by each rule, and family-wise decisions."""
    rng = np.random.default_rng([list(DESIGNS).index(design), number])
    data = DESIGNS[design](rng)
    result = best_of_methods(data.X, data.y, METHODS, n_shuffles=SHUFFLES, random_state=number)
    tests = [ranking.significance for ranking in result.rankings]
    of_methods = {name: test.q <= LEVEL for name, test in zip(METHODS, tests, strict=True)}
    masks = {"best reported": max(of_methods.values(), key=np.sum), "best of methods, q": result.q <= LEVEL}
    masks |= of_methods
    is_relevant = np.isin(np.arange(FEATURES), data.relevant)
    counts = {rule: [int((mask & is_relevant).sum()), int((mask & ~is_relevant).sum())] for rule, mask in masks.items()}
    smallest = np.min([test.family_wise for test in tests], axis=0)
    for rule, family_wise in zip(FAMILY_WISE, (smallest, result.family_wise), strict=True):
        counts[rule] = int((family_wise[~is_relevant] <= FAMILY_LEVEL).any())
    return {"design": design, "set": number, "relevant": len(data.relevant), **counts}


def with_error(values: np.ndarray) -> str:
    """Mean and standard error."""
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return f"{values.mean():.3f} ± {error:.3f}"


def rates_table(lines: list[dict]) -> str:
    """False discovery rates, family-wise rates, and in brackets shares of relevant features that are found."""
    rows = []
    for design in DESIGNS:
        of_design = [line for line in lines if line["design"] == design]
        if not of_design:
            continue
        relevant = sum(line["relevant"] for line in of_design)
        cells = []
        for rule in RULES[:2]:
            true, false = np.array([line[rule] for line in of_design]).T
            share_found = f" ({true.sum() / relevant:.2f})" if relevant else ""
            cells.append(with_error(false / np.maximum(true + false, 1)) + share_found)
        cells += [with_error(np.array([line[rule] for line in of_design], float)) for rule in FAMILY_WISE]
        if relevant:
            found = {name: sum(line[name][0] for line in of_design) / relevant for name in METHODS}
            best = max(found, key=found.__getitem__)
            cells.append(f"{found[best]:.2f} ({best})")
        else:
            cells.append("")
        rows.append([design, len(of_design), *cells])
    header = ["design", "sets", *(f"{rule}, FDR" for rule in RULES[:2]), *FAMILY_WISE, "found by the best one"]
    return table(header, rows, markdown=True)


def main() -> None:
    """Run the sets that are not there yet, and print the table."""
    run_sets(__doc__, DESIGNS, 100, RESULTS, PAGE, BEGIN, line_of, rates_table)


if __name__ == "__main__":
    main()
