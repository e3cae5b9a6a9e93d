"""Choice of the rows that keep their targets, for learning curves of semi-supervised rankings."""

from collections.abc import Sequence

import numpy as np

from ..checks import generator, whole
from ..targets.strata import strata_of
from .checked_folds import parts_of
from .folds import MAX_ROWS, Fold


def labelled(parts: Sequence[Fold], n_labelled: int, random_state: int = 0, classes: object = None) -> np.ndarray:
    """Choose the rows that keep their targets, about n_labelled of the training rows of each fold.

    Of x folds, each keeps n_labelled // (x - 1) random rows; the first n_labelled mod (x - 1) folds keep one more. If a
    fold is smaller, the first folds with room keep the rest.  Every fold trains with n_labelled rows, or one less. Rows
    chosen for a smaller number are among those for a larger one.
    Petkovic et al. (2023), Feature ranking for semi-supervised learning, section 6.

    Parameters
    ----------
    parts : sequence of (training rows, test rows)
        At least 2 folds of n rows.
    n_labelled : int
        0 or more.
    random_state : int
        Seed.
    classes : (n,) array, optional
        Classes, in proportion even among the first rows chosen; None: rows are chosen at random.

    Returns
    -------
    (n,) bool array
        True where a row keeps its target.
    """
    n_labelled = whole("n_labelled", n_labelled, 0)
    rng = generator(random_state)
    parts = parts_of(parts)
    if len(parts) < 2:
        raise ValueError(f"parts must be at least 2 folds, not {len(parts)}")
    # Quotas of the folds, and what small folds leave to others.
    sizes = np.array([len(test) for _, test in parts])
    n_labelled = min(n_labelled, MAX_ROWS)
    quotas = np.full(len(sizes), n_labelled // (len(sizes) - 1))
    quotas[: n_labelled % (len(sizes) - 1)] += 1
    excess = int(np.maximum(quotas - sizes, 0).sum())
    quotas = np.minimum(quotas, sizes)
    for j in range(len(sizes)):
        n_added = min(excess, sizes[j] - quotas[j])
        quotas[j] += n_added
        excess -= n_added
    # The first rows of each fold in a random order, with the classes spread evenly.
    keeps_target = np.zeros(sizes.sum(), bool)
    strata = None if classes is None else strata_of(classes, len(keeps_target), "classes")
    for (_, test), quota in zip(parts, quotas, strict=True):
        order = rng.permutation(np.sort(test))
        if strata is not None:
            order = order[np.argsort(_turns(strata[order]), kind="stable")]
        keeps_target[order[:quota]] = True
    return keeps_target


def _turns(classes: np.ndarray) -> np.ndarray:
    """Assign each row a turn in (0, 1), so that the rows of each class are spread evenly: (i + 0.5) / their number."""
    turns = np.empty(len(classes))
    for value in np.unique(classes):
        rows = np.flatnonzero(classes == value)
        turns[rows] = (np.arange(len(rows)) + 0.5) / len(rows)
    return turns
