"""Folds of rows, and the choice of those that show their target."""

import random
from collections.abc import Sequence
from typing import cast

import numpy as np

from ..checks import generator, several, whole
from ..data.arrays import groups_of, rows_of
from ..words import shown

MAX_ROWS = 2**31 - 1  # rows
Fold = tuple[np.ndarray, np.ndarray]  # indices of training rows, of test rows


def folds(n: int, n_folds: int, random_state: int = 0, classes: np.ndarray | None = None) -> list[Fold]:
    """Random parts of n rows, whose sizes differ by at most 1.

    Parameters
    ----------
    n, n_folds : int
        Rows and parts, 2 <= n_folds <= n.
    random_state : int
        Seed, 0 or more.
    classes : (n,) array, optional
        Of each class, too, the parts have equally many rows or 1 more or less.

    Returns
    -------
    list of (training rows, test rows)
        For each part the indices of the other rows, and its own, both ascending.
    """
    _check(n, n_folds)
    order = generator(random_state).permutation(n)
    if classes is not None:
        order = order[np.argsort(groups_of(classes, n, "classes")[order], kind="stable")]
    part = np.empty(n, np.intp)
    part[order] = np.arange(n) % n_folds
    return [(np.flatnonzero(part != f), np.flatnonzero(part == f)) for f in range(n_folds)]


def blocks(n: int, n_folds: int = 10, random_state: int = 123) -> list[Fold]:
    """The folds of the authors: rows shuffled by the generator of Python, cut into consecutive parts.

    Parameters
    ----------
    n, n_folds : int
        Rows and parts, 2 <= n_folds <= n; the first n mod n_folds parts have one row more.
    random_state : int
        Seed.

    Returns
    -------
    list of (training rows, test rows)
        Indices, in the order of the shuffle.

    References
    ----------
    Petkovic et al. (2021), Ensemble- and distance-based feature ranking for unsupervised learning, section 5.2.
    """
    _check(n, n_folds)
    order = list(range(n))
    random.Random(whole("random_state", random_state)).shuffle(order)
    parts = np.array_split(np.array(order), n_folds)
    return [(np.concatenate(parts[:f] + parts[f + 1 :]), parts[f]) for f in range(n_folds)]


def labelled(
    parts: Sequence[Fold], n_labelled: int, random_state: int = 0, classes: np.ndarray | None = None
) -> np.ndarray:
    """Choice of the rows that keep their targets, about n_labelled of the training rows of each fold.

    With x parts, part j keeps n_labelled // (x - 1) random rows, and one more if j < n_labelled mod (x - 1); what
    exceeds its size goes to the first parts that have room.  So every fold trains with n_labelled rows, or one less.
    Rows chosen for a smaller number are among those for a larger one.

    Parameters
    ----------
    parts : sequence of (training rows, test rows)
        At least 2 folds of n rows.
    n_labelled : int
        0 or more.
    random_state : int
        Seed, 0 or more.
    classes : (n,) array, optional
        Rows of a part are taken such that its classes have their share as soon as possible; None: at random.

    Returns
    -------
    (n,) bool array
        Rows that keep their targets.

    References
    ----------
    Petkovic et al. (2023), Feature ranking for semi-supervised learning, section 6.
    """
    n_labelled, rng, parts = whole("n_labelled", n_labelled, 0), generator(random_state), parts_of(parts)
    if len(parts) < 2:
        raise ValueError(f"parts must be at least 2 folds, not {len(parts)}")
    sizes, n_labelled = np.array([len(test) for _, test in parts]), min(n_labelled, MAX_ROWS)
    quotas = np.full(len(sizes), n_labelled // (len(sizes) - 1))
    quotas[: n_labelled % (len(sizes) - 1)] += 1
    excess = int(np.maximum(quotas - sizes, 0).sum())
    quotas = np.minimum(quotas, sizes)
    for j in range(len(sizes)):
        more = min(excess, sizes[j] - quotas[j])
        quotas[j] += more
        excess -= more
    mask = np.zeros(sizes.sum(), bool)
    groups = None if classes is None else groups_of(classes, len(mask), "classes")
    for (_, test), quota in zip(parts, quotas, strict=True):
        order = rng.permutation(np.sort(test))
        if groups is not None:
            order = order[np.argsort(_turns(groups[order]), kind="stable")]
        mask[order[:quota]] = True
    return mask


def _check(n: int, n_folds: int) -> None:
    whole("the number of rows", n, 0, MAX_ROWS)
    if not 2 <= whole("n_folds", n_folds) <= n:
        raise ValueError(f"n_folds must be at least 2 and at most the {n} rows, not {shown(n_folds)}")


def parts_of(parts: object, n: int | None = None) -> list[Fold]:
    """Folds as they are used, checked."""
    pairs = [several("a fold", fold) for fold in several("parts", parts)]
    if not pairs or any(len(pair) != 2 for pair in pairs):
        raise ValueError("parts must be at least 1 fold, each of them training rows and test rows")
    n = sum(np.size(test) for _, test in pairs) if n is None else n
    return [cast("Fold", tuple(rows_of(rows, n, "the rows of a fold") for rows in pair)) for pair in pairs]


def _turns(classes: np.ndarray) -> np.ndarray:
    """(n,) when each row has its turn, in (0, 1): the rows of a class are spread evenly."""
    turns = np.empty(len(classes))
    for value in np.unique(classes):
        own = np.flatnonzero(classes == value)
        turns[own] = (np.arange(len(own)) + 0.5) / len(own)
    return turns
