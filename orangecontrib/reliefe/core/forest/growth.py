"""Growth of one tree, node by node: the kernel that `trees` calls, and how a node chooses its test.

    centre the rows -> draw features -> read and test each -> partition the rows -> push both children on the stack

`data`, `criterion` and `work` are the tuples of `scratch`.
"""

import numpy as np

from ..kernels.jit import kernel
from ..kernels.random import uniform
from .centring import centre
from .feature_tests import TIE_FACTOR, try_feature
from .kernel_options import MERGED, PLAIN
from .partition import partition, partition_both_ways
from .reading import note_places, read_feature

PURE_SHARE = 1 - 1e-9  # share of the impurity at which a test that removes it ends the search
LEAST_GAIN = 1e-12  # gain per row of the data below which it is only rounding


@kernel(**MERGED)
def _choose(data, codes, table, criterion, work, bag, rows, whole, constants):
    """Choose the test of a node: (feature or -1, gain, threshold, share of the known weight on the left, known
    constants).

    whole: weight of the rows and |E| impurity(E); work.own (G,): impurity of the groups.
    work.features: [0, constants) constant here and below | not drawn yet | [last, p) drawn
    """
    features = work.features
    m = len(rows)
    last = len(work.features)
    seen = 0
    hidden = constants
    n, total = whole
    best = LEAST_GAIN * len(bag)
    chosen = -1
    threshold = 0.0
    share = 0.0
    centred = m
    n_known = n
    while (seen < criterion.rule.n_candidates or chosen < 0) and last > constants and best < total * PURE_SHARE:
        seen += 1
        j = np.int64(uniform(work.state) * (hidden + last - constants))
        if j < hidden:  # one that is known to be constant
            hidden -= 1
            continue
        j += constants - hidden
        f = features[j]
        found = read_feature(data.columns, data.starts, codes, table, f, rows, work.reading)
        _, known, low, high = found
        varies = known > 0 and low < high
        if not varies and known == m:
            features[j], features[constants] = features[constants], f
            constants += 1
            continue
        last -= 1
        features[j], features[last] = features[last], f
        if not varies:
            continue
        here = work.reading.some if known < m else rows
        if known < m or centred < m:
            n_known, centred = centre(criterion.space, here, known, bag, work.own, work.node)[0], known
        gain, at, n_left = try_feature(data, codes, table, criterion, work, f, here, found, n_known)
        gain *= n_known / n  # features with missing values are not favoured
        if gain > best * TIE_FACTOR:
            best = gain
            chosen = f
            threshold = at
            share = n_left / n_known
    return chosen, best, threshold, share, constants


@kernel(**MERGED)
def _open(parts, bag, tree, v, a, b):
    """Open node v as a leaf and load the weights of its rows, or of parts of them; False if the buffers are full."""
    first, m = parts.used[0], b - a
    if v == len(tree.feature) or a + 2 * m > len(parts.weights) or first + m > len(parts.rows):
        return False
    for i in range(m):
        row, w = tree.rows[a + i], parts.weights[a + i]
        bag[row] = w
        parts.rows[first + i], parts.shares[first + i] = row, w
    tree.feature[v] = -1
    tree.right[v] = -1
    tree.start[v] = first
    tree.end[v] = first + m
    parts.used[0], parts.used[1] = first + m, v
    return True


@kernel(**PLAIN)
def grow_nodes(data, codes, table, criterion, work, bag, parts, tree, budget):
    """Grow on in `tree` until its stack is empty, room runs out, or about `budget` numbers are added up.

    data, criterion, work, parts: see `trees`; parts is None where all rows go one way.  codes, table: ranks
    of the values and the values row by row, as the columns have them; codes is None where thresholds are random, table
    where all are tried.  bag (n,): weights of the rows.  work.size: numbers of nodes and of entries of the stack, which
    are (start, end, parent, known constants).
    """
    rule = criterion.rule
    node = work.node
    size = work.size
    stack = work.stack
    while size[1] and budget > 0:
        v, top = size[0], size[1] - 1
        a = stack[top, 0]
        b = stack[top, 1]
        up = stack[top, 2]
        constants = stack[top, 3]
        if parts is not None:
            if not _open(parts, bag, tree, v, a, b):
                return
        else:
            tree.start[v], tree.end[v] = a, b
        size[0] = v + 1
        size[1] = top
        tree.parent[v] = up
        tree.depth[v] = tree.depth[up] + 1 if up >= 0 else 0
        if up >= 0 and v != up + 1:
            tree.right[up] = v
        rows, own = tree.rows[a:b], tree.impurity[v]
        n, total = centre(criterion.space, rows, len(rows), bag, tree.impurity[max(up, 0)], node)
        for g in range(len(own)):
            own[g] = work.own[g] = node.impurity[g]
        tree.weight[v] = n
        if n < 2 * rule.min_leaf or total <= LEAST_GAIN * len(bag) or tree.depth[v] >= rule.max_depth:
            continue
        budget -= len(rows) * rule.n_candidates * criterion.space.z.shape[1]
        note_places(data.starts, rows, work.reading.where, True)
        test = _choose(data, codes, table, criterion, work, bag, rows, (n, total), constants)
        f, gain, threshold, share, constants = test
        note_places(data.starts, rows, work.reading.where, False)
        if f < 0 or gain < rule.shares[min(np.int64(n), len(rule.shares) - 1)] * total:
            continue
        tree.feature[v] = f
        tree.gain[v] = gain
        tree.threshold[v] = threshold
        if parts is not None:
            tree.share[v] = share
            c, d, e, g = partition_both_ways(data, (f, threshold, share), rows, a, work.reading, bag, parts, tree)
        else:
            tree.share[v] = np.float64(share >= 0.5)
            c, d, e, g = partition(data, (f, threshold, share), rows, a, work.reading.spare)
        stack[top, 0] = e
        stack[top, 1] = g
        stack[top, 2] = v
        stack[top, 3] = constants
        size[1] = top + 2  # the left child, on top, is the next node
        stack[top + 1, 0] = c
        stack[top + 1, 1] = d
        stack[top + 1, 2] = v
        stack[top + 1, 3] = constants
