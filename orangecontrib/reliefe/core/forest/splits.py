"""The growth of one tree: a file of kernels only, since a cached kernel calls those of its own file only.

With the rows of a node E centred on their mean, a test that sends rows with the sum S to one side has the gain
|E| impurity(E) - sum of |E_c| impurity(E_c) = |S|^2 n_E / (n_L n_R): nothing cancels.  Columns that are known in the
same rows form a group; impurities are those of the known rows (semi-supervised paper, equation 1).
"""

import numpy as np

from ..jit import kernel

TIE = 1 + 1e-9  # a better test is better by this factor: ties go to the first candidate, whatever the rounding
PURE = 1 - 1e-9  # a test that leaves less than this share of the impurity ends the search
TRACE = 1e-9  # weight of rows that is no more than rounding, where rows go both ways in parts
FEW = 64  # rows whose places among each other are counted
AWAY = np.uint32(2**32 - 1)
SEARCH = 8  # stored values for each row above which they are searched instead of read
ROWWISE = 200  # rows below which values are nearer to each other along the rows than along the features
# Calls would copy the structs of arrays, and counting references costs more than arithmetic: kernels allocate nothing.
# Compiling takes long: so what Python does not call has no wrapper, and what is called once is merged with its caller.
PLAIN = {"_nrt": False}
INNER = {**PLAIN, "no_cpython_wrapper": True}
INLINED, MERGED = {**INNER, "forceinline": True}, {**INNER, "inline": "always"}


@kernel(**INLINED)
def _uniform(state):
    """Next number in [0, 1): xorshift (Marsaglia 2003)."""
    x = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    return np.float64(x >> np.uint64(11)) * 2.0**-53


@kernel(**INLINED)
def _single(space):
    """Whether there is one column, and all rows know it: a number, a label, or a class of two values."""
    return space.z.shape[1] == 1 and space.complete[0]


@kernel(**INLINED)
def _sort(work, m, low, high):
    """Sort the codes work.keys[:m], in [low, high]: leaves code - low there, and their positions in work.order."""
    keys, other, digits = work.keys, work.other, work.digits
    for i in range(m):
        keys[i] = (keys[i] - low) << 32 | i
    if m <= FEW:  # their places are counted, without a branch
        for i in range(m):
            key, place = keys[i], 0
            for j in range(m):
                place += keys[j] < key
            other[place] = key
        keys, other = other, keys
    else:
        span, shift = high - low, 32
        while span > 0:
            digits[:] = 0
            for i in range(m):
                digits[(keys[i] >> shift) & 255] += 1
            total = 0
            for d in range(256):
                digits[d], total = total, total + digits[d]
            for i in range(m):
                d = (keys[i] >> shift) & 255
                other[digits[d]] = keys[i]
                digits[d] += 1
            keys, other = other, keys
            shift, span = shift + 8, span >> 8
    for i in range(m):
        work.order[i] = keys[i] & 0xFFFFFFFF
        work.keys[i] = keys[i] >> 32


@kernel(**INLINED)
def _squared_sum(z, order, first, last, c0, c1, every, q):
    """|sum of rows order[first:last]|^2 over the lanes c0 .. c1; every: adds those of order[first : k + 1] to q[k]."""
    total, c = 0.0, c0
    while c < c1:
        s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = 0.0
        width = 8 if c1 - c >= 8 else 4 if c1 - c >= 4 else 1
        if width == 8:
            for k in range(first, last):
                r = z[order[k], c : c + 8]
                s0, s1, s2, s3 = s0 + r[0], s1 + r[1], s2 + r[2], s3 + r[3]
                s4, s5, s6, s7 = s4 + r[4], s5 + r[5], s6 + r[6], s7 + r[7]
                if every:
                    q[k] += ((s0 * s0 + s1 * s1) + (s2 * s2 + s3 * s3)) + ((s4 * s4 + s5 * s5) + (s6 * s6 + s7 * s7))
            total += ((s0 * s0 + s1 * s1) + (s2 * s2 + s3 * s3)) + ((s4 * s4 + s5 * s5) + (s6 * s6 + s7 * s7))
        elif width == 4:
            for k in range(first, last):
                r = z[order[k], c : c + 4]
                s0, s1, s2, s3 = s0 + r[0], s1 + r[1], s2 + r[2], s3 + r[3]
                if every:
                    q[k] += (s0 * s0 + s1 * s1) + (s2 * s2 + s3 * s3)
            total += (s0 * s0 + s1 * s1) + (s2 * s2 + s3 * s3)
        else:
            for k in range(first, last):
                s0 += z[order[k], c]
                if every:
                    q[k] += s0 * s0
            total += s0 * s0
        c += width
    return total


@kernel(**INLINED)
def _incomplete_gain(node, g, n, n_left, known, squares, q):
    """Of a group that some rows lack; known, squares: weight and squares of the left rows that have it."""
    above, rest = node.impurity[g], node.n_known[g] - known
    left = max(squares - q / known, 0.0) / known if known > TRACE else above
    right = max(node.squares[g] - squares - q / rest, 0.0) / rest if rest > TRACE else above
    return n * above - n_left * left - (n - n_left) * right


@kernel(**INLINED)
def _prefix_gains(space, gaps, node, work, m, n):
    """work.left[k] = weight of order[: k + 1], work.gains[k] = gain of sending these to the left."""
    order, left, q, h, total = work.order, work.left, work.squares, work.gains, 0.0
    if _single(space):  # sums and weights in one pass
        s = 0.0
        for k in range(m):
            total, s = total + node.w[order[k]], s + node.z[order[k], 0]
            left[k], h[k] = total, s * s
        for k in range(m - 1):
            h[k] *= n / (left[k] * (n - left[k]))
        return
    for k in range(m):
        total += node.w[order[k]]
        left[k], h[k] = total, 0.0
    for g in range(len(space.complete)):
        q[:m] = 0
        _squared_sum(node.z, order, np.int64(0), m, space.starts[g], space.starts[g + 1], True, q)
        if gaps is None or space.complete[g]:
            for k in range(m - 1):
                h[k] += q[k] * n / (left[k] * (n - left[k]))
        else:
            squares, known = 0.0, 0.0
            for k in range(m - 1):
                known += node.known[order[k], g]
                squares += node.square[order[k], g]
                h[k] += _incomplete_gain(node, g, n, left[k], known, squares, q[k])


@kernel(**INLINED)
def _subset_gain(space, gaps, node, order, first, last, n, n_left):
    """Gain of separating order[first:last], of weight n_left, from the rest of the node."""
    h = 0.0
    for g in range(len(space.complete)):
        q = _squared_sum(node.z, order, first, last, space.starts[g], space.starts[g + 1], False, node.w)
        if gaps is None or space.complete[g]:
            h += q * n / (n_left * (n - n_left))
        else:
            squares, known = 0.0, 0.0
            for k in range(first, last):
                known += node.known[order[k], g]
                squares += node.square[order[k], g]
            h += _incomplete_gain(node, g, n, n_left, known, squares, q)
    return h


@kernel(**INNER)
def _centre(space, rows, m, bag, inherited, node):
    """Fill `node` with rows[:m]; returns their weight and |E| impurity(E).  inherited (G,): where no row is known."""
    n, total = 0.0, 0.0
    for i in range(m):
        node.w[i] = bag[rows[i]]
        n += node.w[i]
    if _single(space):  # without loops over columns
        centre, total = 0.0, 0.0
        for i in range(m):
            centre += node.w[i] * space.z[rows[i], 0]
        centre /= n
        for i in range(m):
            d = space.z[rows[i], 0] - centre
            node.z[i, 0] = node.w[i] * d
            total += node.w[i] * d * d
        node.n_known[0], node.squares[0], node.impurity[0] = n, total, total / n
        return n, total
    for g in range(len(space.complete)):
        a, b = space.starts[g], space.starts[g + 1]
        mean, known, squares = node.mean[a:b], 0.0, 0.0
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
            mean[c] /= known if known > TRACE else 1.0
        for i in range(m):
            w, source, target, square = node.w[i], space.z[rows[i], a:b], node.z[i, a:b], 0.0
            if not space.complete[g]:
                w = node.known[i, g]
            for c in range(b - a):
                d = source[c] - mean[c]
                target[c] = w * d
                square += w * d * d
            if not space.complete[g]:
                node.square[i, g] = square
            squares += square
        node.n_known[g], node.squares[g] = known, squares
        node.impurity[g] = squares / known if known > TRACE else inherited[g]
        total += n * node.impurity[g]
    return n, total


@kernel(**INLINED)
def _entry(columns, starts, f, row):
    """Where the value of a sparse feature is stored, -1 where it is 0."""
    a, size = starts[f], starts[f + 1] - starts[f]
    while size > 1:  # without a branch that depends on the data
        half = size // 2
        a, size = a + half * (columns.rows[a + half] <= row), size - half
    return a if size and columns.rows[a] == row else -1


@kernel(**INLINED)
def _value(columns, starts, f, row):
    if starts is not None:
        e = _entry(columns, starts, f, row)
        return columns.values[0, e] if e >= 0 else 0.0
    return columns.values[f, row]


@kernel(**INLINED)
def _collect(columns, starts, source, zero, missing, f, rows, work, target):
    """Of a sparse feature (stored, known, lowest, highest): what is known and stored to target, its places among the
    known rows to work.places, the known rows, if not all are, to work.some.  work.where: places of `rows`, else `AWAY`.
    """
    a, m, found, places, entries = starts[f], len(rows), 0, work.places, work.entries
    size = starts[f + 1] - a
    if SEARCH * m < size:
        for i in range(m):
            e = _entry(columns, starts, f, rows[i])
            places[found], entries[found] = i, e
            found += e >= 0
    else:
        for e in range(a, a + size):
            place = work.where[columns.rows[e]]
            places[found], entries[found] = place, e
            found += place != AWAY
    k, low, high = 0, zero, zero
    for i in range(found):
        value = source[entries[i]]
        if value == value and value != missing:
            low, high = (min(low, value), max(high, value)) if k else (value, value)
            target[k], places[k] = value, places[i] - (i - k)
            k += 1
        else:
            work.spare[i - k] = places[i]
    if found < m:
        low, high = min(low, zero), max(high, zero)
    gone, known, next_gone = found - k, 0, 0
    if gone:
        for i in range(m):
            if next_gone < gone and work.spare[next_gone] == i:
                next_gone += 1
            else:
                work.some[known] = rows[i]
                known += 1
    return k, m - gone, low, high


@kernel(**INLINED)
def _gather_zeros(space, gaps, node, work, k, n):
    """The rows where a sparse feature is 0 become one: after those that are centred, the last one of `node`."""
    last = len(node.w) - 1
    z, w = node.z[last], n
    z[:] = 0
    for i in range(k):
        place = work.places[i]
        w -= node.w[place]
        for c in range(len(z)):
            z[c] -= node.z[place, c]
    node.w[last] = w
    if gaps is not None:
        for g in range(len(space.complete)):
            node.known[last, g], node.square[last, g] = node.n_known[g], node.squares[g]
            for i in range(k):
                node.known[last, g] -= node.known[work.places[i], g]
                node.square[last, g] -= node.square[work.places[i], g]
    work.places[k] = last


@kernel(**INLINED)
def _place(starts, work, i):
    """In `node`, of the i-th value that was read."""
    if starts is not None:
        return work.places[i]
    return i


@kernel(**INLINED)
def _random_test(columns, starts, f, rows, space, gaps, node, work, equal, m, known, n, low, high, min_leaf):
    """(gain, threshold, weight to the left) of a random test "x <= threshold" or "x = value", x = work.values[:m]."""
    values, order, threshold = work.values, work.order, np.float64(high)
    if equal:
        threshold = _value(columns, starts, f, rows[np.int64(_uniform(work.state) * known)])
    while not equal and not low <= threshold < high:
        threshold = low + _uniform(work.state) * (high - low)
    n_left = 0.0
    for i in range(m):
        w = node.w[_place(starts, work, i)]
        n_left += w if (values[i] == threshold if equal else values[i] <= threshold) else 0.0
    if min(n_left, n - n_left) < min_leaf:
        return -1.0, threshold, n_left
    small, k = 2 * n_left <= n, np.int64(0)  # the sums of the smaller side will do
    for i in range(m):
        order[k] = _place(starts, work, i)
        k += (values[i] == threshold if equal else values[i] <= threshold) == small
    gain = _subset_gain(space, gaps, node, order, np.int64(0), k, n, n_left if small else n - n_left)
    return gain, threshold, n_left


@kernel(**INLINED)
def _value_at(columns, starts, f, rows, node, place):
    """Of f in a place of `node`, where the rows are rows[:m] and perhaps one for all zeros."""
    if starts is not None and place == len(node.w) - 1:
        return 0.0
    return _value(columns, starts, f, rows[place])


@kernel(**INLINED)
def _best_value(columns, starts, f, rows, space, gaps, node, work, m, n, min_leaf):
    """The same for the best of the tests "x = value"; rows[:m] know the feature, and work.keys[:m] are sorted."""
    keys, order, best, at, best_left, first = work.keys, work.order, -1.0, np.int64(0), 0.0, np.int64(0)
    while first < m:
        last, n_left = first, 0.0
        while last < m and keys[last] == keys[first]:
            n_left += node.w[order[last]]
            last += 1
        if n_left >= min_leaf and n - n_left >= min_leaf:
            gain = _subset_gain(space, gaps, node, order, first, last, n, n_left)
            if gain > best * TIE:
                best, at, best_left = gain, first, n_left
        first = last
    return best, _value_at(columns, starts, f, rows, node, order[at]), best_left


@kernel(**INLINED)
def _best_cut(columns, starts, f, rows, space, gaps, node, work, m, n, min_leaf):
    """The same for the best of the tests "x <= threshold"."""
    _prefix_gains(space, gaps, node, work, m, n)
    keys, order, left, gains, best, at = work.keys, work.order, work.left, work.gains, -1.0, np.int64(0)
    for k in range(m - 1):
        if gains[k] > best * TIE and keys[k] != keys[k + 1] and left[k] >= min_leaf and n - left[k] >= min_leaf:
            best, at = gains[k], k
    a = _value_at(columns, starts, f, rows, node, order[at])
    b = _value_at(columns, starts, f, rows, node, order[at + 1])
    threshold = a + (b - a) / 2
    return best, threshold if threshold < b else a, left[at]


@kernel(**INLINED)
def _gather(source, rows, missing, known_rows, target):
    """target = source[rows] without missing values, known_rows theirs; returns (how many, lowest, highest)."""
    known, m, low, high = 0, len(rows), source[rows[0]], source[rows[0]]
    for i in range(m):  # without a branch, for nearly all are complete
        value = target[i] = source[rows[i]]
        known, low, high = known + (value == value and value != missing), min(low, value), max(high, value)
    if known < m:
        known = 0
        for i in range(m):
            value = source[rows[i]]
            if value == value and value != missing:
                low, high = (min(low, value), max(high, value)) if known else (value, value)
                target[known], known_rows[known] = value, rows[i]
                known += 1
    return known, low, high


@kernel(**INLINED)
def _read(columns, starts, codes, table, f, rows, work):
    """What is known of f in `rows` to work.keys as codes, or to work.values, each once for a row, of sparse features
    only what is stored: (number of these, known rows, lowest, highest); known rows to work.some if not all are."""
    if codes is not None:
        if starts is not None:
            zero = columns.zeros[f]
            return _collect(columns, starts, codes[0], zero, columns.missing, f, rows, work, work.keys)
        known, low, high = _gather(codes[f], rows, columns.missing, work.some, work.keys)
        return known, known, low, high
    if table is not None:
        if starts is not None:
            return _collect(columns, starts, columns.values[0], 0.0, np.inf, f, rows, work, work.values)
        if len(rows) < ROWWISE and len(table):
            known, low, high = _gather(table[:, f], rows, np.inf, work.some, work.values)
        else:
            known, low, high = _gather(columns.values[f], rows, np.inf, work.some, work.values)
        return known, known, low, high
    return 0, 0, 0, 0


@kernel(**MERGED)
def _test(columns, starts, codes, table, nominal, space, gaps, rule, node, work, f, rows, n, found):
    """(gain, threshold, weight to the left) of the test of f; found: what `_read` tells, rows: those that know f, which
    are centred, n: their weight."""
    equal, least, (read, m, low, high) = False, rule.min_leaf, found
    if nominal is not None:
        equal = nominal[f]
    if starts is not None and read < m:
        _gather_zeros(space, gaps, node, work, read, n)
        work.keys[read], work.values[read] = columns.zeros[f], 0.0
        read += 1
    if table is not None:
        return _random_test(columns, starts, f, rows, space, gaps, node, work, equal, read, m, n, low, high, least)
    if codes is not None:
        _sort(work, read, np.int64(low), np.int64(high))
        if starts is not None:
            for i in range(read):
                work.order[i] = work.places[work.order[i]]
        if nominal is not None and equal:
            return _best_value(columns, starts, f, rows, space, gaps, node, work, read, n, least)
        return _best_cut(columns, starts, f, rows, space, gaps, node, work, read, n, least)
    return 0.0, 0.0, 0.0


@kernel(**MERGED)
def _choose(
    columns, starts, codes, table, nominal, space, gaps, bag, rule, node, work, rows, n, total, least, constants, own
):
    """(feature or -1, gain, threshold, share of the known weight on the left, known constants): the test of a node.

    None leaves its part out of what is compiled: starts where features are dense, codes where thresholds are random,
    table where all are tried, nominal where no feature is, gaps where all targets are known.
    work.features: [0, constants) constant here and below | not drawn yet | [last, p) drawn
    """
    features, m, last, seen, hidden = work.features, len(rows), len(work.features), 0, constants
    best, chosen, threshold, share, centred, n_known = least, -1, 0.0, 0.0, m, n
    while (seen < rule.n_candidates or chosen < 0) and last > constants and best < total * PURE:
        seen += 1
        j = np.int64(_uniform(work.state) * (hidden + last - constants))
        if j < hidden:  # one that is known to be constant
            hidden -= 1
            continue
        j += constants - hidden
        f = features[j]
        found = _read(columns, starts, codes, table, f, rows, work)
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
        here = work.some if known < m else rows
        if known < m or centred < m:
            n_known, centred = _centre(space, here, known, bag, own, node)[0], known
        gain, at, n_left = _test(
            columns, starts, codes, table, nominal, space, gaps, rule, node, work, f, here, n_known, found
        )
        gain *= n_known / n  # features with missing values are not favoured
        if gain > best * TIE:
            best, chosen, threshold, share = gain, f, at, n_left / n_known
    return chosen, best, threshold, share, constants


@kernel(**MERGED)
def _part(columns, starts, nominal, f, threshold, share, rows, a, work):
    """Rows that go left to the front, in their order; where the left ones begin and end, and the right ones."""
    equal, missing_left, k, r = False, share >= 0.5, 0, 0
    if nominal is not None:
        equal = nominal[f]
    for i in range(len(rows)):
        row, x = rows[i], _value(columns, starts, f, rows[i])
        left = missing_left if x != x else x == threshold if equal else x <= threshold
        work.spare[r] = rows[k] = row
        k, r = k + left, r + (not left)
    for i in range(r):
        rows[k + i] = work.spare[i]
    return a, a + k, a + k, a + len(rows)


@kernel(**MERGED)
def _part_both_ways(columns, starts, nominal, f, threshold, share, rows, a, work, bag, parts, tree):
    """The same where a row goes both ways if it lacks f; the left ones are behind, for they are next, and may grow."""
    equal, k, r = False, 0, 0
    if nominal is not None:
        equal = nominal[f]
    parts.used[0] = tree.start[parts.used[1]]  # the node is no leaf
    for i in range(len(rows)):
        row, x = rows[i], _value(columns, starts, f, rows[i])
        w, left = bag[row], share if x != x else np.float64(x == threshold if equal else x <= threshold)
        if left < 1:
            rows[r], parts.weights[a + r] = row, w * (1 - left)
            r += 1
        if left > 0:
            work.spare[k], work.gains[k] = row, w * left
            k += 1
    for i in range(k):
        tree.rows[a + r + i], parts.weights[a + r + i] = work.spare[i], work.gains[i]
    return a + r, a + r + k, a, a + r


@kernel(**MERGED)
def _open(parts, bag, tree, v, a, b):
    """Whether there is room for node v; then its rows weigh what of them is in it, and it is a leaf."""
    first, m = parts.used[0], b - a
    if v == len(tree.feature) or a + 2 * m > len(parts.weights) or first + m > len(parts.rows):
        return False
    for i in range(m):
        row, w = tree.rows[a + i], parts.weights[a + i]
        bag[row] = w
        parts.rows[first + i], parts.shares[first + i] = row, w
    tree.feature[v], tree.right[v], tree.start[v], tree.end[v] = -1, -1, first, first + m
    parts.used[0], parts.used[1] = first + m, v
    return True


@kernel(**PLAIN)
def grow_nodes(columns, starts, codes, table, nominal, space, gaps, bag, parts, rule, node, work, tree, budget):
    """Grow on in `tree` until its stack is empty, room runs out, or about `budget` numbers are added up; what may be
    None: see `_choose`, and parts where all rows go one way.

    work.size holds the numbers of nodes and of entries of the stack: (start, end, parent, known constants).
    """
    size, stack = work.size, work.stack
    least = 1e-12 * len(bag)  # a gain below is rounding
    while size[1] and budget > 0:
        v, top = size[0], size[1] - 1
        a, b, up, constants = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3]
        if parts is not None:
            if not _open(parts, bag, tree, v, a, b):
                return
        else:
            tree.start[v], tree.end[v] = a, b
        size[0], size[1], tree.parent[v] = v + 1, top, up
        tree.depth[v] = tree.depth[up] + 1 if up >= 0 else 0
        if up >= 0 and v != up + 1:
            tree.right[up] = v
        rows, own = tree.rows[a:b], tree.impurity[v]
        n, total = _centre(space, rows, len(rows), bag, tree.impurity[max(up, 0)], node)
        for g in range(len(own)):
            own[g] = node.impurity[g]
        tree.weight[v] = n
        if n < 2 * rule.min_leaf or total <= least or tree.depth[v] >= rule.max_depth:
            continue
        if starts is not None:
            for i in range(len(rows)):
                work.where[rows[i]] = i
        budget -= len(rows) * rule.n_candidates * space.z.shape[1]
        f, gain, threshold, share, constants = _choose(
            columns, starts, codes, table, nominal, space, gaps, bag, rule, node, work, rows, n, total, least,
            constants, own,
        )  # fmt: skip
        if starts is not None:
            for i in range(len(rows)):
                work.where[rows[i]] = AWAY
        if f < 0 or gain < rule.shares[min(np.int64(n), len(rule.shares) - 1)] * total:
            continue
        tree.feature[v], tree.gain[v], tree.threshold[v] = f, gain, threshold
        if parts is not None:
            tree.share[v] = share
            c, d, e, g = _part_both_ways(columns, starts, nominal, f, threshold, share, rows, a, work, bag, parts, tree)
        else:
            tree.share[v] = np.float64(share >= 0.5)
            c, d, e, g = _part(columns, starts, nominal, f, threshold, share, rows, a, work)
        stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3] = e, g, v, constants
        size[1] = top + 2  # the left child, on top, is the next node
        stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2], stack[top + 1, 3] = c, d, v, constants
