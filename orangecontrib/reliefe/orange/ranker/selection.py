"""Selection of features by a column of scores: the best n, a share, those from a threshold up."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .scores import MethodScores

NONE, ALL, MANUAL, BEST, FROM, SHARE, FDR = MODES = ("none", "all", "manual", "best", "from", "share", "fdr")
MIN_KNEE_FEATURES = 5  # features that a knee can be seen among
KNEE_SHARE, KNEE_RATIO = 0.2, 2.0


class SelectionRule(NamedTuple):
    """Rule by which a column of scores selects features.

    mode: one of MODES, which says which of the next four fields count.
    n: number of best features.
    threshold: least score.
    share: per cent of the features.
    level: of the false discovery rate.
    folded: True if the best feature of each group of correlated ones counts, and no other of the group.
    keep: names of the features that are always selected.
    """

    mode: str
    n: int
    threshold: float
    share: float
    level: float
    folded: bool
    keep: Sequence[str]


def share_count(share: float, p: int) -> int:
    """Number of features that a share, in per cent, of `p` is, as Orange's preprocessors round it; at least one."""
    return int(np.round(share / 100 * p)) or min(p, 1)


def stability_count(mode: str, n_selected: int, n_asked: int | None, n_best: int) -> int:
    """Number n of features for stability, which is the chance of a feature to be among the best n.

    Parameters
    ----------
    mode : str
        One of MODES, by which features are selected.
    n_selected : int
        Number of features that are selected.
    n_asked : int or None
        Number of the best features that the user asks for; None where a number does not decide.
    n_best : int
        Number in the box of the best, also if it does not decide.
    """
    if mode == FROM:
        return n_selected
    if n_asked:
        return n_asked
    if mode == FDR and n_selected:
        return n_selected
    return n_best


def knee(values: np.ndarray) -> int | None:
    """Number of features before the largest drop; None unless it is pronounced.

    values: (p,) scores in descending order; those below 0 count as 0.  Pronounced: not the first drop, at least a
    fifth of the best score, and twice the next largest drop.  Noise alone hardly ever looks like that.
    """
    values = np.clip(values[np.isfinite(values)], 0, None)
    if len(values) < MIN_KNEE_FEATURES or values[0] == 0:
        return None
    drops = -np.diff(values)
    place = int(np.argmax(drops))
    enough = max(KNEE_SHARE * values[0], KNEE_RATIO * np.delete(drops, place).max())
    return place + 1 if place > 0 and drops[place] >= enough else None


def reaching(
    scores: MethodScores,
    n: int | None,
    threshold: float,
    first: np.ndarray | None = None,
    keep: np.ndarray | None = None,
) -> np.ndarray:
    """(p,) bool: the n best features as far as their scores are above zero; without n, those from the threshold up.

    first (p,): only these count.  keep (p,): these are always selected, and are among the n.
    """
    first = np.ones(len(scores.values), bool) if first is None else first
    keep = np.zeros(len(scores.values), bool) if keep is None else keep
    if n is None:
        return ((scores.values >= threshold) & first) | keep
    mask, rest = np.zeros(len(scores.values), bool), first & ~keep
    mask[scores.order[rest[scores.order]][: max(n - int(keep.sum()), 0)]] = True
    return (mask & (scores.values > 0)) | keep
