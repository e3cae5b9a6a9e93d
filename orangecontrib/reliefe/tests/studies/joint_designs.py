"""Simulated studies in which covariates act together on features and on the target, for tests and benchmarks.

Each design makes the covariates of n rows and their effect. `study_of` adds features, of which the first `N_FOLLOWERS`
follow the effect, one is relevant, and the others are useless.
"""

from typing import NamedTuple

import numpy as np

from orangecontrib.reliefe.core import Survival

N_FEATURES = 30
N_FOLLOWERS = 8
RELEVANT = 20
NUMBER, CLASSES, TIMES = "number", "classes", "times"
FOLLOWED = 1.2  # standard deviations of the effect in a feature that follows it


class Study(NamedTuple):
    """X (n, 30), a target of n rows, and their covariates, texts where they are classes."""

    X: np.ndarray
    y: object
    covariates: np.ndarray


def numbers(form, n_covariates=2):
    """Design of normal covariates, whose effect is a form of them."""

    def design(rng, n):
        C = rng.normal(size=(n, n_covariates))
        return C, form(C)

    return design


def cells(*n_classes):
    """Design of categorical covariates, whose effect is 1 where the sum of their codes is odd, and else -1."""

    def design(rng, n):
        codes = np.column_stack([rng.integers(0, n_levels, n) for n_levels in n_classes])
        return codes.astype(str), np.where(codes.sum(axis=1) % 2, 1.0, -1.0)

    return design


def category_and_number(rng, n):
    """A number acts in another direction in each class."""
    group, c = rng.integers(0, 3, n), rng.normal(size=n)
    return np.column_stack([group, c]), np.array([1.5, 0, -1.5])[group] * c


DESIGNS = {
    "none": numbers(lambda C: np.zeros(len(C))),
    "line": numbers(lambda C: C[:, 0] + C[:, 1]),
    "U": numbers(lambda C: C[:, 0] ** 2 - 1),
    "wave": numbers(lambda C: 1.4 * np.sin(4 * C[:, 0])),
    "product": numbers(lambda C: C[:, 0] * C[:, 1]),
    "step": numbers(lambda C: 1.2 * np.sign(C[:, 0] - 0.5) + 1.2 * np.sign(C[:, 1])),
    "XOR": numbers(lambda C: np.sign(C[:, 0] * C[:, 1])),
    "three-way product": numbers(lambda C: C.prod(axis=1), 3),
    "sign of three": numbers(lambda C: np.sign(C.prod(axis=1)), 3),
    "sign of four": numbers(lambda C: np.sign(C.prod(axis=1)), 4),
    "category x number": category_and_number,
    "2 x 2 cells": cells(2, 2),
    "3 x 4 cells": cells(3, 4),
    "2 x 2 x 3 cells": cells(2, 2, 3),
    "6 x 8 cells": cells(6, 8),
    "ten, none": numbers(lambda C: np.zeros(len(C)), 10),
    "ten, product": numbers(lambda C: C[:, 0] * C[:, 1], 10),
}
OF_TIMES = ("none", "line", "product", "sign of three", "2 x 2 cells")


def study_of(name, task, seed, n=120):
    """Make a study by the name of its design and the task of its target."""
    rng = np.random.default_rng([28, seed, [*DESIGNS].index(name), (NUMBER, CLASSES, TIMES).index(task)])
    covariates, effect = DESIGNS[name](rng, n)
    effect = (effect - effect.mean()) / (effect.std() or 1)
    X = rng.normal(size=(n, N_FEATURES))
    X[:, :N_FOLLOWERS] += FOLLOWED * effect[:, None]
    relevant = X[:, RELEVANT]
    if task == TIMES:
        death = rng.exponential(size=n) * np.exp(-1.3 * effect - 0.8 * relevant)
        last_seen = np.median(death) * 2 * rng.exponential(size=n)
        return Study(X, Survival(np.minimum(death, last_seen), death <= last_seen), covariates)
    if task == NUMBER:
        return Study(X, 1.5 * effect + 0.8 * relevant + rng.normal(size=n), covariates)
    liability = 2.2 * effect + 1.6 * relevant + rng.logistic(size=n)
    return Study(X, (liability > np.median(liability)).astype(int), covariates)
