"""Data of the example workflows that are made, not measured."""

import numpy as np

ROWS, SNPS, SEED = 400, 1000, 0
COHORTS_SEED = 2
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
    group = "group", "control case", "class", np.where(cases, "case", "control")
    return tab([group, *((f"snp {number}", "0 1 2", "", column) for number, column in enumerate(X.T, 1))])


def tab(columns: list[tuple[str, str, str, np.ndarray]]) -> str:
    """Columns (name, kind, flag, values) as Orange's tab-separated text."""
    return "".join("\t".join(map(str, row)) + "\n" for row in zip(*((*head, *values) for *head, values in columns)))


def batches() -> str:
    """240 people in three batches, which act on genes 4 to 11 and on who is ill; genes 1 to 3 act on who is ill."""
    rng = np.random.default_rng(1)
    batch, X = rng.integers(0, 3, 240), rng.normal(size=(240, 40))
    X[:, 3:11] += 1.5 * batch[:, None]
    ill = 3 * (batch - 1) + 1.2 * (X[:, 0] - X[:, 1] + X[:, 2]) + rng.logistic(size=240) > 0
    names = np.array(["first", "second", "third"])
    own = ("ill", "no yes", "class", np.where(ill, "yes", "no")), ("batch", " ".join(names), "meta", names[batch])
    return tab([*own, *_numbers("gene", X)])


def times() -> str:
    """250 patients; genes 1 and 2 act on the time of death, and the product of genes 3 and 4."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(250, 40))
    died = rng.exponential(size=250) * np.exp(-0.7 * (X[:, 0] + X[:, 1]) - 1.2 * np.sign(X[:, 2] * X[:, 3]))
    left = 2 * rng.exponential(size=250)
    days = np.ceil(365 * np.minimum(died, left)).astype(int)
    own = "died", "no yes", "class _time_to_event_var=event", np.where(died <= left, "yes", "no")
    return tab([own, ("days", "c", "class _time_to_event_var=time", days), *_numbers("gene", X)])


def visits() -> str:
    """40 people, five visits each; measurements are mostly those of the person, and none has to do with the illness."""
    rng = np.random.default_rng(1)
    person, visit = np.divmod(np.arange(200), 5)
    X = np.sqrt(0.6) * rng.normal(size=(40, 40))[person] + np.sqrt(0.4) * rng.normal(size=(200, 40))
    ill = (rng.permutation(40) < 20)[person]
    names = np.array([f"person {number + 1}" for number in person])
    own = ("person", "s", "meta", names), ("visit", "c", "meta", visit + 1)
    return tab([*own, ("ill", "no yes", "class", np.where(ill, "yes", "no")), *_numbers("measurement", X)])


def cohort(number: int) -> str:
    """People of the first (300) or second (250) cohort; genes 1 to 3 act on who is ill in both.

    Genes 4 to 6 act in the first cohort only, and genes 7 and 8 in the second one.
    """
    n_people, own_genes = (300, slice(3, 6)) if number == 1 else (250, slice(6, 8))
    rng = np.random.default_rng([COHORTS_SEED, number])
    X = rng.normal(size=(n_people, 40))
    effect = X[:, :3].sum(axis=1) + X[:, own_genes].sum(axis=1)
    ill = 1.3 * effect + rng.logistic(size=n_people) > 0
    return tab([("ill", "no yes", "class", np.where(ill, "yes", "no")), *_numbers("gene", X)])


def _numbers(name: str, X: np.ndarray) -> list[tuple[str, str, str, np.ndarray]]:
    return [(f"{name} {j}", "c", "", np.char.mod("%.2f", column)) for j, column in enumerate(X.T, 1)]
