"""The choice of the rows that keep their targets, for learning curves of semi-supervised rankings."""

from collections.abc import Sequence

import numpy as np

from ..checks import generator, whole
from ..targets.times import strata_of
from .checked_folds import parts_of
from .folds import MAX_ROWS, Fold


def labelled(parts: Sequence[Fold], n_labelled: int, random_state: int = 0, classes: object = None) -> np.ndarray:
    """Mask (n,) of the rows that keep their targets, about n_labelled of the training rows of each fold.

    Of x parts, each keeps n_labelled // (x - 1) random rows; the first n_labelled mod (x - 1) parts keep one more. If a
    part is smaller, the first parts with room keep the rest.  Every fold trains with n_labelled rows, or one less. Rows
    chosen for a smaller number are among those for a larger one.
    Petkovic et al. (2023), Feature ranking for semi-supervised learning, section 6.

    Parameters
    ----------
    parts : sequence of (training rows, test rows)
        At least 2 folds of n rows.
    n_labelled : int
        0 or more.
    classes : (n,) array, optional
        Classes, in proportion even among the first rows chosen; None: rows are chosen at random.
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
    groups = None if classes is None else strata_of(classes, len(mask), "classes")
    for (_, test), quota in zip(parts, quotas, strict=True):
        order = rng.permutation(np.sort(test))
        if groups is not None:
            order = order[np.argsort(_turns(groups[order]), kind="stable")]
        mask[order[:quota]] = True
    return mask


def _turns(classes: np.ndarray) -> np.ndarray:
    """(n,) when each row has its turn, in (0, 1): the rows of a class are spread evenly."""
    turns = np.empty(len(classes))
    for value in np.unique(classes):
        own = np.flatnonzero(classes == value)
        turns[own] = (np.arange(len(own)) + 0.5) / len(own)
    return turns
