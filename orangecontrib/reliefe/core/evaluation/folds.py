"""Which rows test, and which of the others show their target."""

import random
from collections.abc import Sequence

import numpy as np

Fold = tuple[np.ndarray, np.ndarray]  # indices of training rows, of test rows


def folds(n: int, n_folds: int, random_state: int = 0, classes: np.ndarray | None = None) -> list[Fold]:
    """n rows in random parts whose sizes differ by at most 1: for each, the other rows and its own, both ascending.

    classes (n,): of each class, too, the parts have equally many rows or 1 more or less.
    Raises ValueError unless 2 <= n_folds <= n.
    """
    _check(n, n_folds)
    order = np.random.default_rng(random_state).permutation(n)
    if classes is not None:
        order = order[np.argsort(np.unique(classes, return_inverse=True)[1].ravel()[order], kind="stable")]
    part = np.empty(n, np.intp)
    part[order] = np.arange(n) % n_folds
    return [(np.flatnonzero(part != f), np.flatnonzero(part == f)) for f in range(n_folds)]


def blocks(n: int, n_folds: int = 10, random_state: int = 123) -> list[Fold]:
    """The folds of the authors: rows shuffled by the generator of Python, cut into consecutive parts, of which the
    first n mod n_folds have one row more; rows stay in that order.  Raises ValueError unless 2 <= n_folds <= n.

    Petkovic et al. (2021), Ensemble- and distance-based feature ranking for unsupervised learning, section 5.2.
    """
    _check(n, n_folds)
    order = list(range(n))
    random.Random(random_state).shuffle(order)
    parts = np.array_split(np.array(order), n_folds)
    return [(np.concatenate(parts[:f] + parts[f + 1 :]), parts[f]) for f in range(n_folds)]


def labelled(
    parts: Sequence[Fold], n_labelled: int, random_state: int = 0, classes: np.ndarray | None = None
) -> np.ndarray:
    """(n,) bool: the rows that keep their targets, such that about n_labelled of the training rows of each fold do.

    parts: folds of n rows.  With x of them part j keeps n_labelled // (x - 1) random rows, and one more if
    j < n_labelled mod (x - 1); what exceeds its size goes to the first parts that have room.  So every fold trains with
    n_labelled rows, or one less.  Rows chosen for a smaller number are among those for a larger one.
    classes (n,): rows of a part are taken such that its classes have their share as soon as possible; None: at random.
    Raises ValueError for a negative number.

    Petkovic et al. (2023), Feature ranking for semi-supervised learning, section 6.
    """
    if n_labelled < 0:
        raise ValueError(f"n_labelled must not be negative, but is {n_labelled}")
    sizes = np.array([len(test) for _, test in parts])
    quotas = np.full(len(sizes), n_labelled // (len(sizes) - 1))
    quotas[: n_labelled % (len(sizes) - 1)] += 1
    excess = int(np.maximum(quotas - sizes, 0).sum())
    quotas = np.minimum(quotas, sizes)
    for j in range(len(sizes)):
        more = min(excess, sizes[j] - quotas[j])
        quotas[j] += more
        excess -= more
    mask = np.zeros(sizes.sum(), bool)
    generator = np.random.default_rng(random_state)
    for (_, test), quota in zip(parts, quotas, strict=True):
        order = generator.permutation(np.sort(test))
        if classes is not None:
            order = order[np.argsort(_turns(np.asarray(classes)[order]), kind="stable")]
        mask[order[:quota]] = True
    return mask


def _check(n: int, n_folds: int) -> None:
    if not 2 <= n_folds <= n:
        raise ValueError(f"n_folds must be at least 2 and at most the {n} rows, not {n_folds}")


def _turns(classes: np.ndarray) -> np.ndarray:
    """(n,) when each row has its turn, in (0, 1): the rows of a class are spread evenly."""
    turns = np.empty(len(classes))
    for value in np.unique(classes):
        own = np.flatnonzero(classes == value)
        turns[own] = (np.arange(len(own)) + 0.5) / len(own)
    return turns
