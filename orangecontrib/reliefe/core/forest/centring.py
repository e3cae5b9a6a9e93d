"""Rows of a node, centred on their mean, and the impurity of the node: kernels.

`growth` calls `centre` for each node, and again for the rows that have a value of a feature that others lack.
"""

from ..kernels.jit import kernel
from .gains import TRACE_WEIGHT, is_single
from .kernel_options import INNER


@kernel(**INNER)
def centre(space, rows, m, bag, inherited, node):
    """Fill `node` with rows[:m], and return their weight n and n * impurity.

    Of each group, mean = sum_i w_i z_i / W, impurity = sum_i w_i |z_i - mean|^2 / W, and W is the weight of the rows
    that know it.  The impurity of the node is the sum over the groups.

    space: `ClusteringSpace`.
    bag: weights of all rows of the data.
    inherited (G,): impurity of the groups that no row knows.
    """
    n = 0.0
    for i in range(m):
        node.weights[i] = bag[rows[i]]
        n += node.weights[i]
    if is_single(space):
        return n, _centre_single(space.z, rows, m, n, node)
    total = 0.0
    for g in range(len(space.complete)):
        first = space.starts[g]
        stop = space.starts[g + 1]
        is_complete = space.complete[g]
        # Mean.
        mean = node.mean[first:stop]
        known_weight = 0.0
        mean[:] = 0
        for i in range(m):
            weight = node.weights[i]
            point = space.z[rows[i], first:stop]
            if not is_complete:
                weight *= space.known[rows[i], g]
                node.known_weights[i, g] = weight
            known_weight += weight
            for c in range(stop - first):
                mean[c] += weight * point[c]
        for c in range(stop - first):
            mean[c] /= known_weight if known_weight > TRACE_WEIGHT else 1.0
        # Deviations.
        squares = 0.0
        for i in range(m):
            weight = node.weights[i] if is_complete else node.known_weights[i, g]
            square = _deviate(space.z[rows[i], first:stop], mean, weight, node.deviations[i, first:stop])
            if not is_complete:
                node.row_squares[i, g] = square
            squares += square
        node.group_weights[g] = known_weight
        node.group_squares[g] = squares
        node.impurity[g] = squares / known_weight if known_weight > TRACE_WEIGHT else inherited[g]
        total += n * node.impurity[g]
    return n, total


@kernel(**INNER)
def _centre_single(z, rows, m, n, node):
    """Centre rows with one coordinate z (rows of the data, 1), without loops over columns; returns n * impurity."""
    mean = 0.0
    total = 0.0
    for i in range(m):
        mean += node.weights[i] * z[rows[i], 0]
    mean /= n
    for i in range(m):
        deviation = z[rows[i], 0] - mean
        node.deviations[i, 0] = node.weights[i] * deviation
        total += node.weights[i] * deviation * deviation
    node.group_weights[0] = n
    node.group_squares[0] = total
    node.impurity[0] = total / n
    return total


@kernel(**INNER)
def _deviate(point, mean, weight, out):
    """Fill out (lanes,) with weight * (point - mean), and return weight * |point - mean|^2.

    The square is added up in a loop of its own: in a loop that writes, too, the order of its sum would depend on where
    the arrays lie in memory.
    """
    square = 0.0
    for c in range(len(out)):
        out[c] = point[c] - mean[c]
    for c in range(len(out)):
        square += weight * out[c] * out[c]
    for c in range(len(out)):
        out[c] *= weight
    return square
