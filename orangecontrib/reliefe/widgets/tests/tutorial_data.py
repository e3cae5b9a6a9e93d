"""Data of the example workflows that are made, not measured."""

import numpy as np

ROWS, SNPS, SEED = 400, 1000, 0
RISK = 0.85, 0.15  # of being a case: where exactly one of the two has one rare allele, and elsewhere


def pair_of_snps() -> tuple[np.ndarray, np.ndarray, tuple[int, int]]:
    """Genotypes (400, 1000): numbers of rare alleles; cases (400,) bool; the two columns that they hang on.

    Alleles of the two are as frequent as the others of their loci, so that neither tells anything without the other.
    """
    rng = np.random.default_rng(SEED)
    frequencies = rng.uniform(0.1, 0.5, SNPS)
    first, second = sorted(rng.choice(SNPS, 2, replace=False).tolist())
    frequencies[[first, second]] = 0.5
    X = rng.binomial(2, frequencies, (ROWS, SNPS))
    risky = (X[:, first] == 1) ^ (X[:, second] == 1)
    return X, rng.random(ROWS) < np.where(risky, *RISK), (first, second)


def as_tab(X: np.ndarray, cases: np.ndarray) -> str:
    """The table as Orange's tab-separated text, with the class first."""
    names = ["group", *(f"snp {number}" for number in range(1, X.shape[1] + 1))]
    rows = [names, ["control case", *["0 1 2"] * X.shape[1]], ["class", *[""] * X.shape[1]]]
    rows += [["case" if case else "control", *map(str, genotypes)] for genotypes, case in zip(X, cases)]
    return "".join("\t".join(row) + "\n" for row in rows)
