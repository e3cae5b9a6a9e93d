"""Conditional p-values: level for features that add nothing, and power, beside the tests of regressions and forests.

python benchmarks/conditional.py [--sets N] [--designs NAME ...] [--results FILE]

For each design and each kind of target: the share of p <= .05 among features that add nothing to the remaining ones,
with its standard error over data sets, and among those that do. The tests are

conditional   `conditional_significance` by MultiSURF, or the method that is named, 199 draws
p             the p-value of `significance`, which is not conditional: it finds copies, too
regression    likelihood-ratio test of logistic regression, or F test of linear regression, on all features
forest        conditional predictive impact of a random forest (Watson and Wright 2021, Machine Learning 110:2107):
              t test of the loss that redrawn values add, in rows that the forest has not seen

*tested* is the level of conditional p among those features that add nothing and have q <= .10 in `significance`, as
these are tested by default. A line of JSON for each set goes to the file of results. What is there is not run again.
40 sets of all designs take some half an hour.
"""

import argparse
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from common import ROOT, table
from scipy import stats

from orangecontrib.reliefe.core import conditional_significance, rank
from orangecontrib.reliefe.core.inference.redraws import redraw_numbers

RESULTS = ROOT / "build" / "conditional.jsonl"
NOMINAL = 0.05
LEVEL = 0.1  # false discovery rate
SHUFFLES = 20
SETS_OF_RIVALS = 10  # whose regressions and forests take most of the time
TESTS = "conditional", "p", "regression", "forest"
TARGETS = "classes", "number"


class Design(NamedTuple):
    """A data set without its target."""

    X: np.ndarray  # (n, p)
    effect: np.ndarray  # (n,) of the features on the target
    adds: list[int]  # features that add to the remaining ones
    adds_nothing: list[int]  # features that add nothing
    covariates: np.ndarray | None = None  # (n,)
    rare: bool = False  # whether one of two classes has a share of .2
    method: str = "multisurf"


def parity(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """1 where both are above or below their medians, else -1."""
    return np.sign((a - np.median(a)) * (b - np.median(b)))


def three_effects(X: np.ndarray) -> np.ndarray:
    """Parity of the features 0 and 1, and a line of feature 2."""
    return np.asarray(2.2 * parity(X[:, 0], X[:, 1]) + 1.5 * X[:, 2])


def independent(rng: np.random.Generator) -> Design:
    """15 independent numbers."""
    X = rng.normal(size=(200, 15))
    return Design(X, three_effects(X), [0, 1, 2], [3, 4, 5])


def copies(rng: np.random.Generator) -> Design:
    """Copies (r = .8) of the line, of one of a pair, and of a useless feature."""
    X = rng.normal(size=(200, 15))
    for copy, source in ((3, 2), (5, 0), (7, 8)):
        X[:, copy] = 0.8 * X[:, source] + 0.6 * X[:, copy]
    return Design(X, three_effects(X), [0, 1, 2], [3, 5, 7])


def rare_class(rng: np.random.Generator) -> Design:
    """Design `normal` with classes of 20:80."""
    return copies(rng)._replace(rare=True)


def rare_class_by_residuals(rng: np.random.Generator) -> Design:
    """Design with classes of 20:80, by Residual Relief, which is better than MultiSURF where a class is rare."""
    return rare_class(rng)._replace(method="residualrelief")


def blocks(rng: np.random.Generator) -> Design:
    """Five blocks of eight features with r = .6, in four of which one feature acts."""
    X = np.sqrt(0.6) * np.repeat(rng.normal(size=(200, 5)), 8, axis=1) + np.sqrt(0.4) * rng.normal(size=(200, 40))
    effect = 2 * X[:, 0] + 2 * X[:, 8] + 2 * parity(X[:, 16], X[:, 24])
    return Design(X, effect, [0, 8, 16, 24], [1, 9, 17, 25, 32])


def linkage(rng: np.random.Generator) -> Design:
    """60 SNPs in blocks of ten, r = .85 from one haplotype's locus to the next; two act alone, two together."""
    n, p = 300, 60
    frequencies = np.random.default_rng(5).permutation(np.linspace(0.15, 0.5, p))
    X = np.zeros((n, p))
    for _ in range(2):
        haplotype = rng.normal(size=(n, p))
        for j in range(p):
            r = 0.85 if j % 10 else 0.0
            haplotype[:, j] = r * haplotype[:, j - 1] + np.sqrt(1 - r * r) * haplotype[:, j]
        X += haplotype < stats.norm.ppf(frequencies)
    together = np.where((X[:, 25] > 0) != (X[:, 35] > 0), 1.0, -1.0)
    return Design(X, 1.5 * X[:, 5] + 1.5 * X[:, 15] + 2 * together, [5, 15, 25, 35], [4, 6, 14, 24, 36, 45])


def wide(rng: np.random.Generator) -> Design:
    """150 rows of 300 features in chains of five with r = .7; two act."""
    X = rng.normal(size=(150, 300))
    for j in range(300):
        if j % 5:
            X[:, j] = 0.7 * X[:, j - 1] + np.sqrt(0.51) * X[:, j]
    return Design(X, 2 * X[:, 2] + 2 * X[:, 7], [2, 7], [1, 3, 6, 8, 50])


def curved(rng: np.random.Generator) -> Design:
    """Features that depend on relevant ones by a square, a sine, an exponential, an absolute value, and a product."""
    X = rng.normal(size=(200, 15))
    X[:, 3] = X[:, 2] ** 2 + 0.5 * X[:, 3]
    X[:, 5] = np.sin(2 * X[:, 0]) + 0.4 * X[:, 5]
    X[:, 6] = np.exp(X[:, 2] + 0.5 * X[:, 6])
    X[:, 7] = np.abs(X[:, 1]) + 0.4 * X[:, 7]
    X[:, 8] = X[:, 0] * X[:, 1] + 0.5 * X[:, 8]
    return Design(X, three_effects(X) + X[:, 2] ** 2, [0, 1, 2], [3, 5, 6, 7, 8])


def adjusted(rng: np.random.Generator) -> Design:
    """Age acts on the target, and on features that add nothing; a copy of a relevant feature follows it, too."""
    X = rng.normal(size=(200, 15))
    age = rng.normal(size=200)
    X[:, 3] = 0.8 * X[:, 2] + 0.6 * X[:, 3] + age
    X[:, 4] += age
    X[:, 5] += age**2
    return Design(X, three_effects(X) + 1.5 * age, [0, 1, 2], [3, 4, 5], covariates=age)


def spread(rng: np.random.Generator) -> Design:
    """Features whose spread depends on relevant ones, which the regression does not have."""
    X = rng.normal(size=(200, 15))
    X[:, 3] *= np.exp(0.7 * X[:, 2])
    X[:, 5] *= np.exp(0.7 * X[:, 0])
    return Design(X, three_effects(X) + X[:, 2] ** 2, [0, 1, 2], [3, 5])


def waves(rng: np.random.Generator) -> Design:
    """Features that follow relevant ones by waves of more than one period, which splines of four knots do not have."""
    X = rng.normal(size=(200, 15))
    X[:, 3] = np.sin(6 * X[:, 2]) + 0.4 * X[:, 3]
    X[:, 5] = np.sin(6 * X[:, 0]) + 0.4 * X[:, 5]
    return Design(X, three_effects(X) + 2 * np.sin(6 * X[:, 2]), [0, 1, 2], [3, 5])


def factors(rng: np.random.Generator) -> Design:
    """150 rows of 300 features, which all follow five common factors; two act."""
    X = rng.normal(size=(150, 5)) @ rng.normal(size=(5, 300)) / np.sqrt(5) + rng.normal(size=(150, 300))
    return Design(X, 2 * X[:, 1] + 2 * X[:, 2], [1, 2], [3, 4, 50, 51, 60])


DESIGNS: dict[str, Callable[[np.random.Generator], Design]] = {
    "independent": independent,
    "copies": copies,
    "blocks": blocks,
    "SNPs in linkage": linkage,
    "more features than rows": wide,
    "common factors": factors,
    "curves and a product": curved,
    "classes 20:80": rare_class,
    "classes 20:80, by Residual Relief": rare_class_by_residuals,
    "covariate": adjusted,
    "spread depends on relevant features": spread,
    "waves of relevant features": waves,
}


def target_of(kind: str, design: Design, rng: np.random.Generator) -> np.ndarray:
    """Two classes with logistic noise, or a number with normal noise."""
    if kind == "number":
        return design.effect + rng.normal(size=len(design.effect))
    noisy = design.effect + rng.logistic(size=len(design.effect))
    return (noisy > np.quantile(noisy, 0.8 if design.rare else 0.5)).astype(int)


def regression_p(X: np.ndarray, y: np.ndarray, features: list[int]) -> list[float]:
    """p of features in a regression on all; 1 where there are too many for one."""
    from sklearn.linear_model import LogisticRegression

    n, p = X.shape
    if 3 * p > n:
        return [np.nan] * len(features)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)

    def loss(columns: np.ndarray) -> float:
        if y.dtype.kind == "i":
            model = LogisticRegression(C=1e6, max_iter=1000).fit(columns, y)
            return float(-2 * np.log(model.predict_proba(columns)[np.arange(n), y]).sum())
        A = np.column_stack([np.ones(n), columns])
        return float(((y - A @ np.linalg.lstsq(A, y, rcond=None)[0]) ** 2).sum())

    full = loss(Z)
    without = [loss(np.delete(Z, f, axis=1)) for f in features]
    if y.dtype.kind == "i":
        return [float(stats.chi2.sf(value - full, 1)) for value in without]
    return [float(stats.f.sf((value - full) / full * (n - p - 1), 1, n - p - 1)) for value in without]


def forest_p(X: np.ndarray, y: np.ndarray, features: list[int], rng: np.random.Generator) -> list[float]:
    """p of the conditional predictive impact; values are redrawn from a linear regression on up to n / 3 features."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    n = len(X)
    is_class = y.dtype.kind == "i"
    folds = rng.permutation(n) % 2
    added = np.zeros((n, len(features)))
    redrawn = []
    for f in features:
        rest = np.delete(X, f, axis=1)
        correlations = np.abs(np.corrcoef(rest.T, X[:, f])[-1, :-1])
        rest = rest[:, np.argsort(-correlations, kind="stable")[: n // 3]]
        redrawn.append(redraw_numbers(X[:, f], (rest - rest.mean(axis=0)) / rest.std(axis=0), 1, rng)[:, 0])
    for fold in (0, 1):
        test = folds == fold
        forest = (RandomForestClassifier if is_class else RandomForestRegressor)(
            200, min_samples_leaf=3, random_state=0
        )
        forest.fit(X[~test], y[~test])

        def losses(values: np.ndarray, forest: object = forest, truth: np.ndarray = y[test]) -> np.ndarray:
            if is_class:
                return -np.log(np.clip(forest.predict_proba(values)[np.arange(len(truth)), truth], 0.01, 1))
            return (forest.predict(values) - truth) ** 2

        before = losses(X[test])
        for k, f in enumerate(features):
            values = X[test].copy()
            values[:, f] = redrawn[k][test]
            added[test, k] = losses(values) - before
    return [float(stats.ttest_1samp(column, 0, alternative="greater").pvalue) for column in added.T]


def of_set(name: str, kind: str, seed: int) -> dict:
    """Line of results of a set: p of each test, of the features that add nothing, then of those that add."""
    rng = np.random.default_rng([seed, 2027])
    design = DESIGNS[name](rng)
    y = target_of(kind, design, rng)
    features = sorted([*design.adds_nothing, *design.adds])
    study = {} if design.covariates is None else {"covariates": design.covariates}
    found = rank(design.X, y, design.method, significance=SHUFFLES, random_state=seed, **study).significance
    conditional = conditional_significance(design.X, y, design.method, features=features, random_state=seed, **study)
    tests = {"conditional": conditional.p.tolist(), "p": found.p[features].tolist()}
    if seed < SETS_OF_RIVALS:
        X = design.X if design.covariates is None else np.column_stack([design.X, design.covariates])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tests |= {"regression": regression_p(X, y, features), "forest": forest_p(X, y, features, rng)}
    adds = [f in design.adds for f in features]
    discovered = (found.q[features] <= LEVEL).tolist()
    return {"design": name, "target": kind, "seed": seed, "adds": adds, "discovered": discovered, "tests": tests}


def level_with_error(p_by_set: list[np.ndarray]) -> str:
    """Share of p <= .05, and its standard error over sets, which differ in how many features they have."""
    counts = np.array([len(p) for p in p_by_set], float)
    if not counts.sum():
        return "-"
    reached = np.array([(p <= NOMINAL).sum() for p in p_by_set], float)
    share = reached.sum() / counts.sum()
    error = np.sqrt(((reached - share * counts) ** 2).sum()) / counts.sum()
    return f"{share:.3f} ({error:.3f})"


def line_of(name: str, kind: str, results: list[dict]) -> list[object]:
    """Line of the table."""
    cells: list[object] = [name, kind]
    for test in TESTS:
        with_test = [result for result in results if test in result["tests"]]
        adds = [np.array(result["adds"]) for result in with_test]
        p = [np.array(result["tests"][test], float) for result in with_test]
        if np.isnan(p[0]).any():
            cells += ["-", "-"]
            continue
        cells.append(level_with_error([values[~mask] for values, mask in zip(p, adds, strict=True)]))
        cells.append(f"{np.mean([(values[mask] <= NOMINAL).mean() for values, mask in zip(p, adds, strict=True)]):.2f}")
        if test == "conditional":
            tested = [~np.array(result["adds"]) & result["discovered"] for result in results]
            cells.append(level_with_error([values[mask] for values, mask in zip(p, tested, strict=True)]))
    return cells


def main() -> None:
    """Run what is not there, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=40)
    parser.add_argument("--designs", nargs="*", choices=DESIGNS, default=[*DESIGNS], metavar="NAME")
    parser.add_argument("--results", type=Path, default=RESULTS, help="file of the lines")
    options = parser.parse_args()
    options.results.parent.mkdir(parents=True, exist_ok=True)
    options.results.touch()
    results = [json.loads(line) for line in options.results.read_text(encoding="utf-8").splitlines()]
    there = {(result["design"], result["target"], result["seed"]) for result in results}
    for seed in range(options.sets):
        for name in options.designs:
            for kind in TARGETS[: 1 if name.startswith("classes") else 2]:
                if (name, kind, seed) not in there:
                    results.append(of_set(name, kind, seed))
                    with options.results.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(results[-1], separators=(",", ":")) + "\n")
    head = ["design", "target", "level", "power", "level, tested"]
    head += [f"{test}: {part}" for test in TESTS[1:] for part in ("level", "power")]
    lines = []
    for name in options.designs:
        for kind in TARGETS:
            of_line = [
                result
                for result in results
                if (result["design"], result["target"]) == (name, kind) and result["seed"] < options.sets
            ]
            if of_line:
                lines.append(line_of(name, kind, of_line))
    print(table(head, lines))


if __name__ == "__main__":
    main()
