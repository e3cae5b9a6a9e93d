"""Replication in two cohorts: false discoveries and relevant features, by r-values and by what people do instead.

python benchmarks/replication.py [--sets N] [--designs NAME ...] [--minutes N]     goes on where it ended
python benchmarks/replication.py --table [--write]     prints the table, or puts it in doc/replication.md; runs nothing

A set is two cohorts, each of 300 rows and 60 features unless the design says otherwise. Two classes depend on some
features, with logistic noise. Both cohorts are ranked by MultiSURF with 20 permuted targets. A discovery is false if
the feature is irrelevant in one of the cohorts. A line of JSON for each set goes to doc/replication/results.jsonl.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from common import ROOT, table
from resumed import run_sets
from scipy.stats import false_discovery_control

from orangecontrib.reliefe.core import replicate, significance

RESULTS = ROOT / "doc" / "replication" / "results.jsonl"
PAGE = ROOT / "doc" / "replication.md"
BEGIN = "<!-- table: written by benchmarks/replication.py --write -->"
ROWS, FEATURES = 300, 60
LEVEL = 0.1  # false discovery rate
SIZE = 0.9  # of an effect on the logit, for a feature of variance 1: MultiSURF finds about half of eight effects
N_BEST = 10  # features of a cohort that are looked for in the best ones of the other
COPIES, CORRELATION = 3, 0.9  # correlated features beside an original
PAIR_SIZE = 2.5
TAILS = 2.5  # degrees of freedom
SHARE_ILL = 0.2
SHARE_MISSING = 0.2
SIZE_OF_ALLELE = 1.3  # on the logit: counts of an allele have a variance of about 1/2


class Cohort(NamedTuple):
    """Data of one cohort."""

    X: np.ndarray  # (n, p)
    y: np.ndarray  # (n,): classes 0 and 1
    relevant: np.ndarray  # (p,) bool


def cohort(rng: np.random.Generator, sizes: dict[int, float], n: int = ROWS) -> Cohort:
    """Normal features with effects of some sizes by their indices."""
    X = rng.normal(size=(n, FEATURES))
    effect = X[:, list(sizes)] @ np.array(list(sizes.values())) if sizes else np.zeros(n)
    return Cohort(X, classes(rng, effect), np.isin(np.arange(FEATURES), list(sizes)))


def classes(rng: np.random.Generator, effect: np.ndarray) -> np.ndarray:
    """Two classes of equal size by an effect (n,) with logistic noise."""
    noisy = effect + rng.logistic(size=len(effect))
    return (noisy > np.median(noisy)).astype(int)


def equal(features: range | list[int]) -> dict[int, float]:
    """Effects of the usual size."""
    return dict.fromkeys(features, SIZE)


def nothing(rng: np.random.Generator) -> tuple[Cohort, Cohort]:
    """No feature is relevant."""
    return cohort(rng, {}), cohort(rng, {})


def one_only(rng: np.random.Generator) -> tuple[Cohort, Cohort]:
    """Eight features are relevant in A, none in B."""
    return cohort(rng, equal(range(8))), cohort(rng, {})


def same(rng: np.random.Generator) -> tuple[Cohort, Cohort]:
    """Eight features that are relevant in both cohorts."""
    return cohort(rng, equal(range(8))), cohort(rng, equal(range(8)))


def shared_and_own(rng: np.random.Generator) -> tuple[Cohort, Cohort]:
    """Four features are relevant in both, and four more in each alone."""
    return cohort(rng, equal(range(8))), cohort(rng, equal([0, 1, 2, 3, 8, 9, 10, 11]))


def heterogeneous(rng: np.random.Generator) -> tuple[Cohort, Cohort]:
    """Eight features are relevant in both, with independent sizes from .3 to 1.5; four more in each alone."""
    first = dict(zip([*range(8), 8, 9, 10, 11], rng.uniform(0.3, 1.5, 12), strict=True))
    second = dict(zip([*range(8), 12, 13, 14, 15], rng.uniform(0.3, 1.5, 12), strict=True))
    return cohort(rng, first), cohort(rng, second)


def different_n(rng: np.random.Generator) -> tuple[Cohort, Cohort]:
    """Features relevant in both and in one cohort, with 600 rows in A and 150 in B."""
    return cohort(rng, equal(range(8)), 600), cohort(rng, equal([0, 1, 2, 3, 8, 9, 10, 11]), 150)


def copies(rng: np.random.Generator) -> tuple[Cohort, Cohort]:
    """Two features are relevant in both, two more in each alone, each with three correlated features beside it."""

    def with_copies(originals: list[int]) -> Cohort:
        made = cohort(rng, equal(originals))
        # Originals 0 to 5 of both cohorts have their copies in the last 18 columns
        for original in range(6):
            columns = FEATURES - COPIES * (original + 1) + np.arange(COPIES)
            noise = rng.normal(size=(ROWS, COPIES))
            made.X[:, columns] = CORRELATION * made.X[:, [original]] + np.sqrt(1 - CORRELATION**2) * noise
            made.relevant[columns] = made.relevant[original]
        return made

    return with_copies([0, 1, 2, 3]), with_copies([0, 1, 4, 5])


def pairs(rng: np.random.Generator) -> tuple[Cohort, Cohort]:
    """A pair that acts by the sign of its product is relevant in both, and four other features in each alone."""

    def with_pair(own: range) -> Cohort:
        X = rng.normal(size=(ROWS, FEATURES))
        effect = PAIR_SIZE * np.sign(X[:, 0] * X[:, 1]) + SIZE * X[:, list(own)].sum(axis=1)
        return Cohort(X, classes(rng, effect), np.isin(np.arange(FEATURES), [0, 1, *own]))

    return with_pair(range(2, 6)), with_pair(range(6, 10))


def heavy_tails(rng: np.random.Generator) -> tuple[Cohort, Cohort]:
    """Four features are relevant in both, and four in each alone, all with Student's distribution (2.5)."""

    def with_tails(relevant: list[int]) -> Cohort:
        X = rng.standard_t(TAILS, size=(ROWS, FEATURES))
        return Cohort(X, classes(rng, SIZE * X[:, relevant].sum(axis=1)), np.isin(np.arange(FEATURES), relevant))

    return with_tails(list(range(8))), with_tails([0, 1, 2, 3, 8, 9, 10, 11])


def unbalanced(rng: np.random.Generator) -> tuple[Cohort, Cohort]:
    """Four features are relevant in both, and four in each alone; a fifth of the rows have one of the classes."""

    def with_few_ill(relevant: list[int]) -> Cohort:
        X = rng.normal(size=(ROWS, FEATURES))
        noisy = SIZE * X[:, relevant].sum(axis=1) + rng.logistic(size=ROWS)
        y = (noisy > np.quantile(noisy, 1 - SHARE_ILL)).astype(int)
        return Cohort(X, y, np.isin(np.arange(FEATURES), relevant))

    return with_few_ill(list(range(8))), with_few_ill([0, 1, 2, 3, 8, 9, 10, 11])


def with_missing(rng: np.random.Generator) -> tuple[Cohort, Cohort]:
    """Features relevant in both and in one cohort, and a fifth of all values missing."""
    cohorts = shared_and_own(rng)
    for one in cohorts:
        one.X[rng.random(one.X.shape) < SHARE_MISSING] = np.nan
    return cohorts


def genotypes(rng: np.random.Generator) -> tuple[Cohort, Cohort]:
    """Four genotypes are relevant in both, and four in each alone; effects are those of counts of an allele."""
    frequencies = rng.uniform(0.2, 0.5, FEATURES)

    def with_counts(relevant: list[int]) -> Cohort:
        X = rng.binomial(2, frequencies, size=(ROWS, FEATURES)).astype(float)
        effect = SIZE_OF_ALLELE * X[:, relevant].sum(axis=1)
        return Cohort(X, classes(rng, effect), np.isin(np.arange(FEATURES), relevant))

    return with_counts(list(range(8))), with_counts([0, 1, 2, 3, 8, 9, 10, 11])


def common_rows(rng: np.random.Generator) -> tuple[Cohort, Cohort]:
    """Half of the rows are in both cohorts, and no feature is relevant."""
    whole = cohort(rng, {}, 3 * ROWS // 2)
    return (
        Cohort(whole.X[:ROWS], whole.y[:ROWS], whole.relevant),
        Cohort(whole.X[-ROWS:], whole.y[-ROWS:], whole.relevant),
    )


DESIGNS: dict[str, Callable[[np.random.Generator], tuple[Cohort, Cohort]]] = {
    "nothing is relevant": nothing,
    "eight in A only": one_only,
    "the same eight in both": same,
    "four in both, four in each alone": shared_and_own,
    "eight of different sizes, four in each alone": heterogeneous,
    "four in both, four in each alone; 600 and 150 rows": different_n,
    "two in both, two in each alone, with copies": copies,
    "a pair in both, four in each alone": pairs,
    "nothing is relevant; half of the rows in both": common_rows,
    "four in both, four in each alone; heavy tails": heavy_tails,
    "four in both, four in each alone; classes 20:80": unbalanced,
    "four in both, four in each alone; 20 % missing": with_missing,
    "four in both, four in each alone; genotypes": genotypes,
}
RULES = ("r, symmetric", "AdaFilter", "r, follow-up", "q in both", "p <= .05 in both", "ten best of both")


def discoveries(p_a: np.ndarray, p_b: np.ndarray) -> dict[str, np.ndarray]:
    """Masks (p,) of the features that each rule takes."""
    by_index_a = dict(enumerate(p_a.tolist()))
    by_index_b = dict(enumerate(p_b.tolist()))
    best_a = np.argsort(p_a, kind="stable")[:N_BEST]
    best_b = np.argsort(p_b, kind="stable")[:N_BEST]
    masks = [
        replicate(by_index_a, by_index_b).r <= LEVEL,
        replicate(by_index_a, by_index_b, method="adafilter").r <= LEVEL,
        replicate(by_index_a, by_index_b, design="follow-up").r <= LEVEL,
        (false_discovery_control(p_a) <= LEVEL) & (false_discovery_control(p_b) <= LEVEL),
        (p_a <= 0.05) & (p_b <= 0.05),
        np.isin(np.arange(len(p_a)), np.intersect1d(best_a, best_b)),
    ]
    return dict(zip(RULES, masks, strict=True))


def line_of(design: str, number: int) -> dict[str, object]:
    """Result of one set: for each rule the numbers of relevant and of false discoveries."""
    rng = np.random.default_rng([list(DESIGNS).index(design), number])
    a, b = DESIGNS[design](rng)
    p_a = significance(a.X, a.y, "multisurf", n_shuffles=20).p
    p_b = significance(b.X, b.y, "multisurf", n_shuffles=20).p
    is_relevant = a.relevant & b.relevant
    counts = {
        rule: [int((taken & is_relevant).sum()), int((taken & ~is_relevant).sum())]
        for rule, taken in discoveries(p_a, p_b).items()
    }
    return {"design": design, "set": number, "relevant": int(is_relevant.sum()), **counts}


def rates_table(lines: list[dict]) -> str:
    """Rates of false discoveries with standard errors, and shares of the relevant features in brackets."""
    rows = []
    for design in DESIGNS:
        of_design = [line for line in lines if line["design"] == design]
        if not of_design:
            continue
        cells = []
        for rule in RULES:
            true, false = np.array([line[rule] for line in of_design]).T
            share_false = false / np.maximum(true + false, 1)
            error = share_false.std(ddof=1) / np.sqrt(len(of_design)) if len(of_design) > 1 else np.nan
            relevant = sum(line["relevant"] for line in of_design)
            share_found = f" ({true.sum() / relevant:.2f})" if relevant else ""
            cells.append(f"{share_false.mean():.3f} ± {error:.3f}{share_found}")
        rows.append([design, len(of_design), *cells])
    return table(["design", "sets", *RULES], rows, markdown=True)


def main() -> None:
    """Run the sets that are not there yet, and print the table."""
    run_sets(__doc__, DESIGNS, 100, RESULTS, PAGE, BEGIN, line_of, rates_table)


if __name__ == "__main__":
    main()
