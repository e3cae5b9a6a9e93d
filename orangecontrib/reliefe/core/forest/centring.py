"""Rows of a node, centred on their mean, and its impurity: kernels."""

from ..kernels.jit import kernel
from .gains import TRACE_WEIGHT, is_single
from .kernel_options import INNER


@kernel(**INNER)
def centre(space, rows, m, bag, inherited, node):
    """Fill `node` with rows[:m]; returns their weight and |E| impurity(E).  inherited (G,): where no row is known."""
    n, total = 0.0, 0.0
    for i in range(m):
        node.w[i] = bag[rows[i]]
        n += node.w[i]
    if is_single(space):  # without loops over columns
        centre, total = 0.0, 0.0
        for i in range(m):
            centre += node.w[i] * space.z[rows[i], 0]
        centre /= n
        for i in range(m):
            d = space.z[rows[i], 0] - centre
            node.z[i, 0] = node.w[i] * d
            total += node.w[i] * d * d
        node.n_known[0] = n
        node.squares[0] = total
        node.impurity[0] = total / n
        return n, total
    for g in range(len(space.complete)):
        a, b = space.starts[g], space.starts[g + 1]
        mean = node.mean[a:b]
        known = 0.0
        squares = 0.0
        mean[:] = 0
        for i in range(m):
            w, source = node.w[i], space.z[rows[i], a:b]
            if not space.complete[g]:
                w *= space.known[rows[i], g]
                node.known[i, g] = w
            known += w
            for c in range(b - a):
                mean[c] += w * source[c]
        for c in range(b - a):
            mean[c] /= known if known > TRACE_WEIGHT else 1.0
        for i in range(m):
            w = node.w[i] if space.complete[g] else node.known[i, g]
            square = _deviate(space.z[rows[i], a:b], mean, w, node.z[i, a:b])
            if not space.complete[g]:
                node.square[i, g] = square
            squares += square
        node.n_known[g], node.squares[g] = known, squares
        node.impurity[g] = squares / known if known > TRACE_WEIGHT else inherited[g]
        total += n * node.impurity[g]
    return n, total


@kernel(**INNER)
def _deviate(source, mean, w, out):
    """Weighted deviations of a row from the mean, in `out`; returns their squares over the weight, added up apart from
    writing: else their order would depend on where the arrays lie."""
    square = 0.0
    for c in range(len(out)):
        out[c] = source[c] - mean[c]
    for c in range(len(out)):
        square += w * out[c] * out[c]
    for c in range(len(out)):
        out[c] *= w
    return square
