"""Designs of the benchmark of conditional p-values: data whose relevant features are known.

`conditional.py` takes `LEVELS`, for levels of features that add nothing, and `POWERS`, for shares that are found.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from orangecontrib.reliefe.core import Survival

RHO_OF_LINKAGE = 0.93  # correlation of neighbouring loci on a haplotype


class Design(NamedTuple):
    """A data set."""

    X: np.ndarray  # (n, p)
    y: Any
    adds: list[int]  # features that add to the remaining ones
    adds_nothing: list[int]  # features that add nothing
    options: dict[str, Any]  # of `conditional_significance`; a method, if it is not MultiSURF


def classes(rng: np.random.Generator, effect: np.ndarray, share: float = 0.5) -> np.ndarray:
    """Two classes with logistic noise, of which the second one has a share."""
    noisy = effect + rng.logistic(size=len(effect))
    return (noisy > np.quantile(noisy, 1 - share)).astype(int)


def parity(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """1 where both have the same sign, else -1."""
    return np.sign(a * b)


def copy(X: np.ndarray, feature: int, source: int, r: float = 0.8) -> None:
    """Give a feature the correlation r with its source."""
    X[:, feature] = r * X[:, source] + np.sqrt(1 - r * r) * X[:, feature]


def chain(rng: np.random.Generator, n: int, p: int, r: float) -> np.ndarray:
    """Numbers of which each has the correlation r with the one before."""
    X = rng.normal(size=(n, p))
    for j in range(1, p):
        copy(X, j, j - 1, r)
    return X


# Designs in which the regression of each feature holds, or nearly


def independent(rng: np.random.Generator) -> Design:
    """12 independent numbers; a line and a pair act on classes."""
    X = rng.normal(size=(150, 12))
    return Design(X, classes(rng, 2 * X[:, 0] + 2 * parity(X[:, 1], X[:, 2])), [0], [3, 4, 5], {})


def independent_number(rng: np.random.Generator) -> Design:
    """12 independent numbers; a line and a product act on a number."""
    X = rng.normal(size=(150, 12))
    return Design(X, 1.5 * X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=150), [0], [3, 4, 5], {})


def correlated(rng: np.random.Generator) -> Design:
    """A chain of 12 numbers with r = .9; two lines act on classes."""
    X = chain(rng, 200, 12, 0.9)
    return Design(X, classes(rng, 2 * X[:, 2] + 2 * X[:, 8]), [2], [1, 3, 7, 9], {})


def correlated_number(rng: np.random.Generator) -> Design:
    """The same chain; two lines act on a number."""
    X = chain(rng, 200, 12, 0.9)
    return Design(X, 2 * X[:, 2] + 2 * X[:, 8] + rng.normal(size=200), [2], [1, 3, 7, 9], {})


def copies(rng: np.random.Generator) -> Design:
    """Copies (r = .95) of a line and of both features of a pair, which act on classes."""
    X = rng.normal(size=(200, 12))
    for feature, source in ((3, 2), (4, 0), (5, 1)):
        copy(X, feature, source, 0.95)
    return Design(X, classes(rng, 2.5 * parity(X[:, 0], X[:, 1]) + 1.5 * X[:, 2]), [2], [3, 4, 5], {})


def missing(rng: np.random.Generator) -> Design:
    """Copies, with 20 % unknown values in all but the relevant features."""
    X = rng.normal(size=(200, 12))
    copy(X, 3, 2)
    copy(X, 4, 0)
    y = classes(rng, 2 * X[:, 2] + 2 * parity(X[:, 0], X[:, 1]))
    is_unknown = rng.random(X.shape) < 0.2
    is_unknown[:, :3] = False
    X[is_unknown] = np.nan
    return Design(X, y, [2], [3, 4, 5], {})


def rare_class(rng: np.random.Generator) -> Design:
    """Copies, with classes of 10:90, by Residual Relief."""
    X = rng.normal(size=(200, 12))
    copy(X, 3, 2)
    copy(X, 4, 0)
    y = classes(rng, 2 * X[:, 2] + 2 * parity(X[:, 0], X[:, 1]), 0.1)
    return Design(X, y, [2], [3, 4, 5], {"method": "residualrelief"})


def with_covariates(rng: np.random.Generator) -> Design:
    """Two covariates act on a number, and on features by lines and by their product."""
    Z = rng.normal(size=(200, 2))
    X = rng.normal(size=(200, 12))
    X[:, 3] += Z[:, 0]
    X[:, 4] += Z[:, 0] * Z[:, 1]
    copy(X, 5, 0)
    X[:, 5] += Z[:, 1]
    y = 1.5 * X[:, 0] + Z[:, 0] + Z[:, 0] * Z[:, 1] + rng.normal(size=200)
    return Design(X, y, [0], [3, 4, 5], {"covariates": Z})


def three_classes(rng: np.random.Generator) -> Design:
    """Copies, with three classes that follow a line and a product."""
    X = rng.normal(size=(210, 12))
    copy(X, 3, 2)
    copy(X, 4, 0, 0.9)
    y = np.digitize(1.5 * X[:, 2] + 1.5 * X[:, 0] * X[:, 1] + rng.normal(size=210), [-1, 1])
    return Design(X, y, [2], [3, 4, 5], {})


def label_sets(rng: np.random.Generator) -> Design:
    """Copies, with four labels, by Residual Relief."""
    X = rng.normal(size=(150, 12))
    copy(X, 3, 2)
    copy(X, 4, 0)
    labels = [classes(rng, 2 * X[:, 2]), classes(rng, 2 * X[:, 0]), classes(rng, X[:, 1] + X[:, 2])]
    y = np.column_stack([*labels, rng.integers(0, 2, 150)])
    return Design(X, y, [2], [3, 4, 5], {"task": "multi-label", "method": "residualrelief"})


def times(rng: np.random.Generator) -> Design:
    """Copies, with times that follow two lines, half of them censored."""
    X = rng.normal(size=(200, 12))
    copy(X, 3, 2)
    copy(X, 4, 0, 0.9)
    time = rng.exponential(size=200) * np.exp(-1.2 * X[:, 2] - X[:, 0])
    censored = rng.exponential(size=200)
    return Design(X, Survival(np.minimum(time, censored), time <= censored), [2], [3, 4, 5], {})


def few_rows(rng: np.random.Generator) -> Design:
    """60 rows of 20 numbers with copies; two lines act on a number."""
    X = rng.normal(size=(60, 20))
    copy(X, 3, 2)
    copy(X, 4, 0)
    return Design(X, 2 * X[:, 2] + 2 * X[:, 0] + rng.normal(size=60), [2], [3, 4, 5], {})


def linkage(rng: np.random.Generator) -> Design:
    """15 SNPs in linkage with a causal one."""
    n = 200
    X = np.zeros((n, 15))
    for _ in range(2):
        X += chain(rng, n, 15, RHO_OF_LINKAGE) > 0.3
    return Design(X, classes(rng, 1.5 * X[:, 7]), [7], [5, 6, 8, 9], {})


def factors(rng: np.random.Generator) -> Design:
    """100 rows of 250 numbers with three dense factors; two lines act on a number."""
    loadings = np.random.default_rng(1).normal(size=(3, 250))
    X = rng.normal(size=(100, 3)) @ loadings + rng.normal(size=(100, 250))
    return Design(X, X[:, 0] + X[:, 1] + rng.normal(size=100), [0], [2, 3, 4, 5], {})


def chains_in_many(rng: np.random.Generator) -> Design:
    """150 rows of 300 numbers in chains of five with r = .7; two lines act on classes."""
    X = rng.normal(size=(150, 300))
    for j in range(300):
        if j % 5:
            copy(X, j, j - 1, 0.7)
    return Design(X, classes(rng, 2 * X[:, 2] + 2 * X[:, 7]), [2], [1, 3, 6, 8], {})


def few_parents(rng: np.random.Generator) -> Design:
    """Two features are means of 12 relevant ones, with noise of .3 and .6; 150 rows of 20 numbers."""
    X = rng.normal(size=(150, 20))
    mean = X[:, :12].sum(axis=1) / np.sqrt(12)
    X[:, 15] = mean + 0.3 * X[:, 15]
    X[:, 16] = mean + 0.6 * X[:, 16]
    return Design(X, 2 * mean + 0.7 * rng.normal(size=150), [0], [15, 16, 18], {})


def curves(rng: np.random.Generator) -> Design:
    """Features follow relevant ones by a square, a sine, an exponential, an absolute value, and a product."""
    X = rng.normal(size=(200, 15))
    X[:, 3] = X[:, 2] ** 2 + 0.5 * X[:, 3]
    X[:, 5] = np.sin(2 * X[:, 0]) + 0.4 * X[:, 5]
    X[:, 6] = np.exp(X[:, 2] + 0.5 * X[:, 6])
    X[:, 7] = np.abs(X[:, 1]) + 0.4 * X[:, 7]
    X[:, 8] = X[:, 0] * X[:, 1] + 0.5 * X[:, 8]
    effect = 2.2 * parity(X[:, 0], X[:, 1]) + 1.5 * X[:, 2] + X[:, 2] ** 2
    return Design(X, effect + rng.normal(size=200), [2], [3, 5, 6, 7, 8], {})


# Designs in which the regression of a feature is hard


def categories(rng: np.random.Generator) -> Design:
    """Categories that follow a category or a number; one is all but determined."""
    n = 200
    a = rng.integers(0, 3, n)
    b = np.where(rng.random(n) < 0.7, a, rng.integers(0, 3, n))
    x = rng.normal(size=n)
    steps = np.digitize(x + 0.3 * rng.normal(size=n), [-0.5, 0.5])
    determined = x + 0.2 * rng.normal(size=n) > 0
    X = np.column_stack([a, b, x, steps, determined, rng.integers(0, 3, (n, 2)), rng.normal(size=(n, 3))])
    y = classes(rng, 2.0 * (a == 1) + 2 * x)
    return Design(X, y, [0, 2], [1, 3, 4, 5], {"nominal": [0, 1, 3, 4, 5, 6]})


def nearly_determined(rng: np.random.Generator) -> Design:
    """80 rows; two categories of two values follow a relevant number closely."""
    X = rng.normal(size=(80, 8))
    X[:, 3] = X[:, 0] + 0.15 * X[:, 3] > 0
    X[:, 4] = X[:, 0] + 0.5 * X[:, 4] > 0.3
    return Design(X, 2 * X[:, 0] + 0.5 * rng.normal(size=80), [0], [3, 4], {"nominal": [3, 4]})


def log_normal(rng: np.random.Generator) -> Design:
    """Log-normal features with multiplicative and with additive noise."""
    X = np.exp(1.2 * rng.normal(size=(200, 12)))
    X[:, 3] = X[:, 2] * np.exp(0.3 * rng.normal(size=200))
    X[:, 4] = X[:, 2] + X[:, 4]
    return Design(X, np.log(X[:, 2]) + 0.5 * rng.normal(size=200), [2], [3, 4, 5], {})


def heavy_tails(rng: np.random.Generator) -> Design:
    """Features of t(1.5) that add noise of t(1.5) to relevant ones."""
    X = rng.standard_t(1.5, size=(200, 12))
    X[:, 3] = X[:, 2] + 0.5 * X[:, 3]
    X[:, 4] = X[:, 0] + rng.standard_t(1.5, size=200)
    effect = 1.5 * np.arcsinh(X[:, 2]) + 1.5 * parity(X[:, 0], X[:, 1])
    return Design(X, classes(rng, effect), [2], [3, 4, 5], {})


def spread(rng: np.random.Generator) -> Design:
    """The spread of a feature depends on a relevant one."""
    X = rng.normal(size=(200, 12))
    X[:, 3] *= np.exp(0.7 * X[:, 2])
    return Design(X, 2 * X[:, 2] + rng.normal(size=200), [2], [3, 4, 5], {})


def waves(rng: np.random.Generator) -> Design:
    """A feature follows a relevant one by waves, another by a line."""
    X = rng.normal(size=(200, 12))
    X[:, 3] = np.sin(3 * X[:, 2]) + 0.3 * X[:, 3]
    copy(X, 4, 0)
    return Design(X, 1.5 * np.sin(3 * X[:, 2]) + X[:, 0] + 0.5 * rng.normal(size=200), [2], [3, 4, 5], {})


def product_of_three(rng: np.random.Generator) -> Design:
    """Features follow the product of three relevant ones, and the parity of two."""
    X = rng.normal(size=(200, 10))
    product = X[:, 0] * X[:, 1] * X[:, 2]
    X[:, 4] = np.sign(product) * np.sqrt(np.abs(product)) + 0.4 * X[:, 4]
    X[:, 5] = parity(X[:, 0], X[:, 1]) + 0.4 * X[:, 5]
    effect = 2 * np.sign(product) + 1.5 * parity(X[:, 0], X[:, 1])
    return Design(X, classes(rng, effect), [0], [4, 5, 6], {})


def many_parents(rng: np.random.Generator) -> Design:
    """Two features are means of 12 relevant ones; 100 rows of 200 numbers."""
    X = rng.normal(size=(100, 200))
    mean = X[:, :12].sum(axis=1) / np.sqrt(12)
    X[:, 50] = mean + 0.3 * X[:, 50]
    X[:, 51] = mean + 0.6 * X[:, 51]
    return Design(X, 2 * mean + 0.7 * rng.normal(size=100), [0], [50, 51, 60], {})


GOOD: dict[str, Callable[[np.random.Generator], Design]] = {
    "independent, classes": independent,
    "independent, number": independent_number,
    "chain r .9, classes": correlated,
    "chain r .9, number": correlated_number,
    "copies r .95, pair and line": copies,
    "20 % missing, copies": missing,
    "classes 10:90, Residual Relief": rare_class,
    "covariates with a product": with_covariates,
    "three classes": three_classes,
    "label sets, Residual Relief": label_sets,
    "times, half censored": times,
    "60 rows x 20": few_rows,
    "SNPs in linkage": linkage,
    "100 rows x 250, three factors": factors,
    "150 rows x 300, chains of five": chains_in_many,
    "mean of 12 relevant, 150 rows x 20": few_parents,
}
HARD: dict[str, Callable[[np.random.Generator], Design]] = {
    "categories, one nearly determined": categories,
    "two values nearly determined, 80 rows": nearly_determined,
    "curves and a product": curves,
    "log-normal": log_normal,
    "tails of t(1.5)": heavy_tails,
    "spread by a relevant feature": spread,
    "waves of a relevant feature": waves,
    "product of three, parity of two": product_of_three,
    "mean of 12 relevant, 100 rows x 200": many_parents,
}
LEVELS = GOOD | HARD


# Designs of 200 rows and 20 features, all of which are tested


def _all_tested(X: np.ndarray, y: np.ndarray, adds: list[int]) -> Design:
    return Design(X, y, adds, [j for j in range(X.shape[1]) if j not in adds], {})


def lines_of_classes(rng: np.random.Generator) -> Design:
    """A chain with r = .5; five lines act on classes."""
    X = chain(rng, 200, 20, 0.5)
    adds = [0, 4, 8, 12, 16]
    return _all_tested(X, classes(rng, 1.1 * X[:, adds].sum(axis=1)), adds)


def lines_of_number(rng: np.random.Generator) -> Design:
    """A chain with r = .5; five lines act on a number."""
    X = chain(rng, 200, 20, 0.5)
    adds = [0, 4, 8, 12, 16]
    return _all_tested(X, 0.5 * X[:, adds].sum(axis=1) + rng.normal(size=200), adds)


def pair_of_classes(rng: np.random.Generator) -> Design:
    """Copies (r = .8) of a parity pair and two lines, which act on classes."""
    X = _with_three_copies(rng)
    effect = 2.5 * parity(X[:, 0], X[:, 1]) + 1.5 * X[:, 2] + 1.5 * X[:, 3]
    return _all_tested(X, classes(rng, effect), [0, 1, 2, 3])


def curves_of_number(rng: np.random.Generator) -> Design:
    """Copies (r = .8) of a square, a product and a line, which act on a number."""
    X = _with_three_copies(rng)
    y = X[:, 0] ** 2 + X[:, 1] * X[:, 2] + 0.7 * X[:, 3] + rng.normal(size=200)
    return _all_tested(X, y, [0, 1, 2, 3])


def _with_three_copies(rng: np.random.Generator) -> np.ndarray:
    X = rng.normal(size=(200, 20))
    for feature, source in ((4, 0), (5, 2), (6, 3)):
        copy(X, feature, source)
    return X


POWERS: dict[str, Callable[[np.random.Generator], Design]] = {
    "five lines, classes": lines_of_classes,
    "five lines, number": lines_of_number,
    "parity pair and two lines, classes": pair_of_classes,
    "square, product and line, number": curves_of_number,
}
