"""Lists of the k nearest rows of each class, cut from longer lists of the nearest rows of any class.

`shared_lists.py` searches the long lists once for many targets, and calls `uncut_length` before the search,
`nearest_of_classes` for one target, and `weighed_lists_of_targets` for many targets at a time.

Example with k = 1: the list of a row has rows 4, 7 and 9, the nearest first, of classes 0, 0 and 1.  It is cut to row 4
of class 0 and row 9 of class 1.  For a target by which they have classes 1, 0 and 0 it is cut to rows 4 and 7.
"""

from typing import NamedTuple

import numpy as np

from ..kernels.jit import kernel
from .formats.lists import Neighbours
from .formats.pair_sums import PairList

MIN_WIDENING = 8  # times as many rows of any class as are wanted of each class, at least
# Standard deviations of the number of rows of the rarest class in a list that are left as a margin: with 5 about one
# list in 3 million is too short, by the normal approximation
MARGIN_DEVIATIONS = 5.0
MAX_LIST_SHARE = 0.5  # of the rows in a list, above which one search for each target is as good


def uncut_length(class_sizes: np.ndarray, k: int) -> int | None:
    """Return the number of nearest rows of any class among which almost always k rows of each class are.

    With q the share of the rarest class it is the least length l with

        q l - MARGIN_DEVIATIONS * sqrt(l q (1 - q)) >= k,    l = MIN_WIDENING k, (MIN_WIDENING + 1) k, ...

    Parameters
    ----------
    class_sizes : (G,) int array
        Numbers of the rows of each class.
    k : int
        Number of neighbours of each class.

    Returns
    -------
    int or None
        None if a class has too few rows, or if lists would be longer than MAX_LIST_SHARE of all rows.
    """
    if class_sizes.min() <= k:
        return None
    n = class_sizes.sum()
    rarest = class_sizes.min() / n
    length = MIN_WIDENING * k
    while rarest * length - MARGIN_DEVIATIONS * np.sqrt(length * rarest * (1 - rarest)) < k and length <= n:
        length += k
    return length if length <= MAX_LIST_SHARE * n else None


def nearest_of_classes(neighbours: Neighbours, classes: np.ndarray, k: int) -> Neighbours | None:
    """Return the k nearest rows of every class, from lists without classes.

    Parameters
    ----------
    neighbours : Neighbours
        Lists (m, 1, length) of rows of any class, the nearest first.
    classes : (n,) int array
    k : int

    Returns
    -------
    Neighbours or None
        Lists (m, G, k); None where a list ends before it has k rows of each class.
    """
    cols = neighbours.cols[:, 0]
    distances = neighbours.distances[:, 0]
    shape = len(cols), int(classes.max()) + 1, k
    nearest_cols = np.full(shape, -1, cols.dtype)
    nearest_distances = np.full(shape, np.inf)
    class_of_col = np.where(cols >= 0, classes[cols], -1)
    for g in range(shape[1]):
        is_member = class_of_col == g
        n_members = np.cumsum(is_member, axis=1)
        if len(n_members) and n_members[:, -1].min() < k:
            return None
        rows, slots = np.nonzero(is_member & (n_members <= k))
        nearest_cols[:, g] = cols[rows, slots].reshape(-1, k)
        nearest_distances[:, g] = distances[rows, slots].reshape(-1, k)
    return Neighbours(neighbours.rows, nearest_cols, nearest_distances)


class ListsOfTargets(NamedTuple):
    """Pairs of cut lists, with weights for several targets.

    Attributes
    ----------
    pairs : PairList
        Pairs that weigh something for any target, with weights (q, T) for T targets.
    is_short : (T,) bool array
        Targets for which a list ended before it had k rows of each group.
    """

    pairs: PairList
    is_short: np.ndarray


def weighed_lists_of_targets(
    neighbours: Neighbours,
    classes: np.ndarray,
    signs: np.ndarray,
    rank_weights: np.ndarray,
    by_class: bool,
    dtype: "np.dtype[np.floating]",
) -> ListsOfTargets:
    """Weigh the k nearest rows of each group for T targets at a time.

    Parameters
    ----------
    neighbours : Neighbours
        Lists (m, 1, length) of rows of any class, the nearest first.
    classes : (n, T) int32 array
        Class of each row by each target.
    signs : (m, G, T) array
        Factors of the mean diffs of the groups in the scores.
    rank_weights : (k,) array
        Weights of the nearest, second, ... neighbour of a group.
    by_class : bool
        True: the group of a neighbour is its class.  False: group 0 are hits, group 1 misses.
    dtype : float32 or float64
        Type of the weights.
    """
    m = len(neighbours.rows)
    n_targets = classes.shape[1]
    starts = np.zeros(m + 1, np.int64)
    cols = np.empty(neighbours.cols.size, neighbours.cols.dtype)
    weights = np.empty((neighbours.cols.size, n_targets), dtype)
    is_short = np.zeros(n_targets, bool)
    lists = neighbours.rows, neighbours.cols[:, 0], neighbours.distances[:, 0]
    _weigh_nearest(lists, classes, by_class, rank_weights, signs, starts, cols, weights, is_short)
    n_pairs = starts[-1]
    return ListsOfTargets(PairList(neighbours.rows, starts, cols[:n_pairs], weights[:n_pairs]), is_short)


@kernel
def _weigh_nearest(lists, classes, by_class, rank_weights, signs, starts, cols, weights, is_short):
    """Weigh the nearest k rows of each class, or the k hits and k misses, for T targets, from lists without classes.

    With w = rank_weights, a neighbour j of row i, which is the r-th of group g for target t, weighs

        signs[i, g, t] * w[r] / (sum of w over the k rows of the group)

    Rows at equal distances share the rank of the first one.  Pairs that weigh something for any target are listed.

    lists : rows (m,), cols (m, length) and distances (m, length), the nearest first.
    signs : (m, G, T), factors of the mean diffs of the groups.
    starts (m + 1,), cols and weights (pairs, T) : the list of pairs, as in `PairList`; written.
    is_short (T,) : set where a list ends before there are k rows of each group.
    """
    rows, neighbours, distances = lists
    m, n_groups, n_targets = signs.shape
    k = len(rank_weights)
    n_taken = np.empty((n_groups, n_targets), np.int64)
    rank = np.empty((n_groups, n_targets), np.int64)
    last_distance = np.empty((n_groups, n_targets))
    total = np.empty((n_groups, n_targets))
    q = 0
    for b in range(m):
        # Rows of the list, until each group has k of them for each target
        n_taken[:] = 0
        total[:] = 0
        n_unfilled = n_groups * n_targets
        classes_of_row = classes[rows[b]]
        start = q
        for s in range(neighbours.shape[1]):
            j = neighbours[b, s]
            if n_unfilled == 0 or j < 0:
                break
            distance = distances[b, s]
            classes_of_neighbour = classes[j]
            weights_of_pair = weights[q]
            is_listed = False
            for t in range(n_targets):
                is_miss = classes_of_neighbour[t] != classes_of_row[t]
                g = classes_of_neighbour[t] if by_class else (1 if is_miss else 0)
                count = n_taken[g, t]
                weights_of_pair[t] = 0
                if count < k:
                    if count == 0 or distance > last_distance[g, t]:  # else it shares the rank of an equally near row
                        rank[g, t] = count
                        last_distance[g, t] = distance
                    weights_of_pair[t] = rank_weights[rank[g, t]]
                    total[g, t] += rank_weights[rank[g, t]]
                    n_taken[g, t] = count + 1
                    if count + 1 == k:
                        n_unfilled -= 1
                    is_listed = True
            if is_listed:
                cols[q] = j
                q += 1
        starts[b + 1] = q

        # Shares of the group, with its sign
        for r in range(start, q):
            classes_of_neighbour = classes[cols[r]]
            weights_of_pair = weights[r]
            for t in range(n_targets):
                is_miss = classes_of_neighbour[t] != classes_of_row[t]
                g = classes_of_neighbour[t] if by_class else (1 if is_miss else 0)
                if weights_of_pair[t] != 0:
                    weights_of_pair[t] *= signs[b, g, t] / total[g, t]
        if n_unfilled:
            for g in range(n_groups):
                for t in range(n_targets):
                    is_short[t] |= n_taken[g, t] < k
