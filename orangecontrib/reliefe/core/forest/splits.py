"""Growth of one tree: a file of kernels only.

    sorting -> gain of a test -> reading of features (dense, sparse) -> test of one feature
                                                                     -> test of a node -> parts of its rows -> tree

With the rows of a node E centred on their mean, a test that sends rows with the sum S to one side has the gain
|E| impurity(E) - sum of |E_c| impurity(E_c) = |S|^2 n_E / (n_L n_R): nothing cancels.  Columns that are known in the
same rows form a group; impurities are those of the known rows (semi-supervised paper, equation 1).

Kernels take `data`, `criterion` and `work`, the tuples of `trees`.  An array that may be None is passed by
itself as well to the kernel that asks for it: of an argument that is None numba leaves the branch out of what it
compiles, of a field of a tuple it does not.
"""

import numpy as np

from ..kernels.jit import kernel
from ..kernels.random import uniform

TIE_FACTOR = 1 + 1e-9  # by which a test must be better: ties go to the first candidate, whatever the rounding
PURE_SHARE = 1 - 1e-9  # share of the impurity from which on a test that takes it away ends the search
TRACE_WEIGHT = 1e-9  # weight of rows that is no more than rounding, where rows go both ways in parts
LEAST_GAIN = 1e-12  # gain for each row of the data below which it is rounding
MAX_COUNTED = 64  # rows that are sorted by counting smaller ones, without a branch
NO_PLACE = np.uint32(2**32 - 1)  # of rows that are not in the node
MAX_STORED = 8  # stored values for each row of the node above which they are searched instead of read
MIN_COLUMNWISE = 200  # rows from which on values are nearer to each other along the features than along the rows
WIDE, MANY = 16, 8  # lanes, and rows, from which on whole rows are added up
# Structs of arrays cost little where calls are inlined (trees of 200 to 4,000 rows: 0.97 to 1.07 of the time with
# single arrays), and counting references costs more than arithmetic: kernels allocate nothing.
# Compiling takes long: so what Python does not call has no wrapper, and what is called once is merged with its caller.
PLAIN = {"_nrt": False}
INNER = {**PLAIN, "no_cpython_wrapper": True}
INLINED, MERGED = {**INNER, "forceinline": True}, {**INNER, "inline": "always"}


@kernel(**INLINED)
def _single(space):
    """True if there is one column, and all rows know it: a number, a label, or a class of two values."""
    return space.z.shape[1] == 1 and space.complete[0]


@kernel(**INLINED)
def _sort(reading, m, low, high):
    """Sort the codes reading.keys[:m], in [low, high]: leaves code - low there, their positions in reading.order."""
    keys, other, digits = reading.keys, reading.other, reading.digits
    for i in range(m):
        keys[i] = (keys[i] - low) << 32 | i
    if m <= MAX_COUNTED:
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
        reading.order[i] = keys[i] & 0xFFFFFFFF
        reading.keys[i] = keys[i] >> 32


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
def _whole_rows(z, order, first, last, c0, c1, room):
    """The same sum of wide rows, four of them a sweep over the lanes, in room (at least c1,), which is overwritten."""
    s, whole, total = room[c0:c1], last - (last - first) % 4, 0.0
    s[:] = 0
    for k in range(first, whole, 4):
        a, b, c, d = z[order[k], c0:c1], z[order[k + 1], c0:c1], z[order[k + 2], c0:c1], z[order[k + 3], c0:c1]
        for f in range(len(s)):
            s[f] += (a[f] + b[f]) + (c[f] + d[f])
    for k in range(whole, last):
        a = z[order[k], c0:c1]
        for f in range(len(s)):
            s[f] += a[f]
    for f in range(len(s)):
        total += s[f] * s[f]
    return total


@kernel(**INLINED)
def _incomplete_gain(node, g, n, n_left, known, squares, q):
    """Gain in a group that some rows lack; known, squares: weight and squares of the left rows that have it."""
    above, rest = node.impurity[g], node.n_known[g] - known
    left = max(squares - q / known, 0.0) / known if known > TRACE_WEIGHT else above
    right = max(node.squares[g] - squares - q / rest, 0.0) / rest if rest > TRACE_WEIGHT else above
    return n * above - n_left * left - (n - n_left) * right


@kernel(**INLINED)
def _prefix_gains(space, gaps, node, reading, m, n):
    """Fill reading.left[k], weight of order[: k + 1], and reading.gains[k], gain of sending these to the left."""
    order, left, q, h, total = reading.order, reading.left, reading.squares, reading.gains, 0.0
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
        c0, c1 = space.starts[g], space.starts[g + 1]
        args, whole = (node.z, order, first, last, c0, c1), c1 - c0 >= WIDE and last - first >= MANY
        q = _whole_rows(*args, node.mean) if whole else _squared_sum(*args, False, node.w)  # the mean is used no more
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


# Reading of features.  Of sparse ones only what is stored is read, and the rows of a node where one is 0 count as one,
# the last one of `node`: `reading.places` are those of the values in the node, dense values have their number there.


@kernel(**INLINED)
def _entry(columns, starts, f, row):
    """Place where the value of a sparse feature is stored, -1 where it is 0."""
    a, size = starts[f], starts[f + 1] - starts[f]
    while size > 1:  # without a branch that depends on the data
        half = size // 2
        a, size = a + half * (columns.rows[a + half] <= row), size - half
    return a if size and columns.rows[a] == row else -1


@kernel(**INLINED)
def value_of(columns, starts, f, row):
    """Value of a feature in a row; starts: those of the columns, None if dense."""
    if starts is not None:
        e = _entry(columns, starts, f, row)
        return columns.values[0, e] if e >= 0 else 0.0
    return columns.values[f, row]


@kernel(**INLINED)
def _value_at(columns, starts, f, rows, last, place):
    """Value of f in a place of a node, where the rows are rows[:m] and perhaps one for all zeros, in the last place."""
    if starts is not None and place == last:
        return 0.0
    return value_of(columns, starts, f, rows[place])


@kernel(**INLINED)
def _is_nominal(nominal, f):
    """True if f is nominal, without a look where no feature is."""
    if nominal is not None:
        return nominal[f]
    return False


@kernel(**INLINED)
def _note_places(starts, rows, where, there):
    """Note where the rows of a node are in it, or that they are not there any more."""
    if starts is not None:
        for i in range(len(rows)):
            where[rows[i]] = np.uint32(i) if there else NO_PLACE


@kernel(**INLINED)
def _place(starts, places, i):
    """Place in the node of the i-th value that was read."""
    if starts is not None:
        return places[i]
    return i


@kernel(**INLINED)
def _to_places(starts, places, order, m):
    """Turn order[:m] from numbers of values that were read into places in the node."""
    if starts is not None:
        for i in range(m):
            order[i] = places[order[i]]


@kernel(**INLINED)
def _collect(columns, starts, source, zero, missing, f, rows, reading, target):
    """Read what is stored of a sparse feature: (number of known values, number of known rows, lowest, highest).

    Known values go to target, their places among the known rows to reading.places, the known rows, if not all are, to
    reading.some.  zero, missing: the value 0 and a missing one as `source` has them.
    """
    a, m, found, places, entries = starts[f], len(rows), 0, reading.places, reading.entries
    size = starts[f + 1] - a
    if MAX_STORED * m < size:
        for i in range(m):
            e = _entry(columns, starts, f, rows[i])
            places[found], entries[found] = i, e
            found += e >= 0
    else:
        for e in range(a, a + size):
            place = reading.where[columns.rows[e]]
            places[found], entries[found] = place, e
            found += place != NO_PLACE
    k, low, high = 0, zero, zero
    for i in range(found):
        value = source[entries[i]]
        if value == value and value != missing:
            low, high = (min(low, value), max(high, value)) if k else (value, value)
            target[k], places[k] = value, places[i] - (i - k)
            k += 1
        else:
            reading.spare[i - k] = places[i]
    if found < m:
        low, high = min(low, zero), max(high, zero)
    gone, known, next_gone = found - k, 0, 0
    if gone:
        for i in range(m):
            if next_gone < gone and reading.spare[next_gone] == i:
                next_gone += 1
            else:
                reading.some[known] = rows[i]
                known += 1
    return k, m - gone, low, high


@kernel(**INLINED)
def _gather_zeros(space, gaps, node, reading, k, n):
    """Make the rows where a sparse feature is 0 one: after those that are centred, the last one of the node."""
    last = len(node.w) - 1
    z, w = node.z[last], n
    z[:] = 0
    for i in range(k):
        place = reading.places[i]
        w -= node.w[place]
        for c in range(len(z)):
            z[c] -= node.z[place, c]
    node.w[last] = w
    if gaps is not None:
        for g in range(len(space.complete)):
            node.known[last, g], node.square[last, g] = node.n_known[g], node.squares[g]
            for i in range(k):
                node.known[last, g] -= node.known[reading.places[i], g]
                node.square[last, g] -= node.square[reading.places[i], g]
    reading.places[k] = last


@kernel(**INLINED)
def _with_zeros(columns, starts, space, gaps, node, reading, f, found, n):
    """Number of values that were read (found: see `_read`), and one more for all zeros of a sparse feature."""
    read, m = found[0], found[1]
    if starts is not None and read < m:
        _gather_zeros(space, gaps, node, reading, read, n)
        reading.keys[read], reading.values[read] = columns.zeros[f], 0.0
        return read + 1
    return read


@kernel(**INLINED)
def _gather(source, rows, missing, known_rows, target):
    """Copy source[rows] without missing values to target, the rows of the others to known_rows if some are missing:
    (number of known ones, lowest, highest)."""
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
def _read(columns, starts, codes, table, f, rows, reading):
    """Read what is known of f in `rows`, of sparse features only what is stored: (number of values, number of known
    rows, lowest, highest).

    Codes go to reading.keys, or values to reading.values where there are no codes; known rows to reading.some if not
    all are.
    """
    if codes is not None:
        if starts is not None:
            zero = columns.zeros[f]
            return _collect(columns, starts, codes[0], zero, columns.missing, f, rows, reading, reading.keys)
        known, low, high = _gather(codes[f], rows, columns.missing, reading.some, reading.keys)
        return known, known, low, high
    if table is not None:
        if starts is not None:
            return _collect(columns, starts, columns.values[0], 0.0, np.inf, f, rows, reading, reading.values)
        if len(rows) < MIN_COLUMNWISE and len(table):
            known, low, high = _gather(table[:, f], rows, np.inf, reading.some, reading.values)
        else:
            known, low, high = _gather(columns.values[f], rows, np.inf, reading.some, reading.values)
        return known, known, low, high
    return 0, 0, 0, 0


# Tests of one feature: (gain, threshold, weight to the left).  rows: those that know the feature, n: their weight.


@kernel(**INLINED)
def _random_test(data, criterion, work, f, rows, read, found, n):
    """Try a random test "x <= threshold" or "x = value", x = reading.values[:read]; found: see `_read`."""
    known, low, high, node = found[1], found[2], found[3], work.node
    values, order, places, n_left = work.reading.values, work.reading.order, work.reading.places, 0.0
    equal, threshold = _is_nominal(data.nominal, f), np.float64(high)
    if equal:
        threshold = value_of(data.columns, data.starts, f, rows[np.int64(uniform(work.state) * known)])
    while not equal and not low <= threshold < high:
        threshold = low + uniform(work.state) * (high - low)
    for i in range(read):
        w = node.w[_place(data.starts, places, i)]
        n_left += w if (values[i] == threshold if equal else values[i] <= threshold) else 0.0
    if min(n_left, n - n_left) < criterion.rule.min_leaf:
        return -1.0, threshold, n_left
    small, k = 2 * n_left <= n, np.int64(0)  # the sums of the smaller side will do
    for i in range(read):
        order[k] = _place(data.starts, places, i)
        k += (values[i] == threshold if equal else values[i] <= threshold) == small
    part = n_left if small else n - n_left
    gain = _subset_gain(criterion.space, criterion.gaps, node, order, np.int64(0), k, n, part)
    return gain, threshold, n_left


@kernel(**INLINED)
def _best_value(data, nominal, criterion, node, reading, f, rows, m, n):
    """Find the best of the tests "x = value"; reading.keys[:m] are sorted, reading.order[:m] has their places."""
    best, at, best_left, first = -1.0, np.int64(0), 0.0, np.int64(0)
    if nominal is not None:  # else not compiled
        keys, order, min_leaf = reading.keys, reading.order, criterion.rule.min_leaf
        while first < m:
            last, n_left = first, 0.0
            while last < m and keys[last] == keys[first]:
                n_left += node.w[order[last]]
                last += 1
            if n_left >= min_leaf and n - n_left >= min_leaf:
                gain = _subset_gain(criterion.space, criterion.gaps, node, order, first, last, n, n_left)
                if gain > best * TIE_FACTOR:
                    best, at, best_left = gain, first, n_left
            first = last
    return best, _value_at(data.columns, data.starts, f, rows, len(node.w) - 1, reading.order[at]), best_left


@kernel(**INLINED)
def _best_cut(data, criterion, node, reading, f, rows, m, n):
    """Find the best of the tests "x <= threshold"; reading.keys and reading.order as above."""
    _prefix_gains(criterion.space, criterion.gaps, node, reading, m, n)
    keys, order, left, gains, last = reading.keys, reading.order, reading.left, reading.gains, len(node.w) - 1
    best, at, min_leaf = -1.0, np.int64(0), criterion.rule.min_leaf
    for k in range(m - 1):
        if gains[k] > best * TIE_FACTOR and keys[k] != keys[k + 1] and left[k] >= min_leaf and n - left[k] >= min_leaf:
            best, at = gains[k], k
    a = _value_at(data.columns, data.starts, f, rows, last, order[at])
    b = _value_at(data.columns, data.starts, f, rows, last, order[at + 1])
    threshold = a + (b - a) / 2
    return best, threshold if threshold < b else a, left[at]


@kernel(**MERGED)
def _test(data, codes, table, criterion, work, f, rows, found, n):
    """Test f in a node whose rows that know f are centred, as the rule has it; found: see `_read`."""
    node, reading, starts = work.node, work.reading, data.starts
    read = _with_zeros(data.columns, starts, criterion.space, criterion.gaps, node, reading, f, found, n)
    if table is not None:
        return _random_test(data, criterion, work, f, rows, read, found, n)
    if codes is not None:
        _sort(reading, read, np.int64(found[2]), np.int64(found[3]))
        _to_places(starts, reading.places, reading.order, read)
        if _is_nominal(data.nominal, f):
            return _best_value(data, data.nominal, criterion, node, reading, f, rows, read, n)
        return _best_cut(data, criterion, node, reading, f, rows, read, n)
    return 0.0, 0.0, 0.0


# Nodes.


@kernel(**MERGED)
def _choose(data, codes, table, criterion, work, bag, rows, whole, constants):
    """Choose the test of a node: (feature or -1, gain, threshold, share of the known weight on the left, known
    constants).

    whole: weight of the rows and |E| impurity(E); work.own (G,): impurity of the groups.
    work.features: [0, constants) constant here and below | not drawn yet | [last, p) drawn
    """
    features, m, last, seen, hidden = work.features, len(rows), len(work.features), 0, constants
    n, total = whole
    best, chosen, threshold, share, centred, n_known = LEAST_GAIN * len(bag), -1, 0.0, 0.0, m, n
    while (seen < criterion.rule.n_candidates or chosen < 0) and last > constants and best < total * PURE_SHARE:
        seen += 1
        j = np.int64(uniform(work.state) * (hidden + last - constants))
        if j < hidden:  # one that is known to be constant
            hidden -= 1
            continue
        j += constants - hidden
        f = features[j]
        found = _read(data.columns, data.starts, codes, table, f, rows, work.reading)
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
            n_known, centred = _centre(criterion.space, here, known, bag, work.own, work.node)[0], known
        gain, at, n_left = _test(data, codes, table, criterion, work, f, here, found, n_known)
        gain *= n_known / n  # features with missing values are not favoured
        if gain > best * TIE_FACTOR:
            best, chosen, threshold, share = gain, f, at, n_left / n_known
    return chosen, best, threshold, share, constants


@kernel(**MERGED)
def _partition(data, test, rows, a, spare):
    """Bring rows that go left to the front, in their order; test: (feature, threshold, share of the left side).

    Returns where the left rows begin and end, and the right ones; a: where these rows begin.
    """
    f, threshold, share = test
    equal, missing_left, k, r = _is_nominal(data.nominal, f), share >= 0.5, 0, 0
    for i in range(len(rows)):
        row, x = rows[i], value_of(data.columns, data.starts, f, rows[i])
        left = missing_left if x != x else x == threshold if equal else x <= threshold
        spare[r] = rows[k] = row
        k, r = k + left, r + (not left)
    for i in range(r):
        rows[k + i] = spare[i]
    return a, a + k, a + k, a + len(rows)


@kernel(**MERGED)
def _partition_both_ways(data, test, rows, a, reading, bag, parts, tree):
    """Do the same where a row goes both ways if it lacks the feature; the left ones are behind, for they are next, and
    may grow."""
    f, threshold, share = test
    equal, k, r = _is_nominal(data.nominal, f), 0, 0
    parts.used[0] = tree.start[parts.used[1]]  # the node is no leaf
    for i in range(len(rows)):
        row, x = rows[i], value_of(data.columns, data.starts, f, rows[i])
        w, left = bag[row], share if x != x else np.float64(x == threshold if equal else x <= threshold)
        if left < 1:
            rows[r], parts.weights[a + r] = row, w * (1 - left)
            r += 1
        if left > 0:
            reading.spare[k], reading.gains[k] = row, w * left
            k += 1
    for i in range(k):
        tree.rows[a + r + i], parts.weights[a + r + i] = reading.spare[i], reading.gains[i]
    return a + r, a + r + k, a, a + r


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
    tree.feature[v], tree.right[v], tree.start[v], tree.end[v] = -1, -1, first, first + m
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
    rule, node, size, stack = criterion.rule, work.node, work.size, work.stack
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
        n, total = _centre(criterion.space, rows, len(rows), bag, tree.impurity[max(up, 0)], node)
        for g in range(len(own)):
            own[g] = work.own[g] = node.impurity[g]
        tree.weight[v] = n
        if n < 2 * rule.min_leaf or total <= LEAST_GAIN * len(bag) or tree.depth[v] >= rule.max_depth:
            continue
        budget -= len(rows) * rule.n_candidates * criterion.space.z.shape[1]
        _note_places(data.starts, rows, work.reading.where, True)
        test = _choose(data, codes, table, criterion, work, bag, rows, (n, total), constants)
        f, gain, threshold, share, constants = test
        _note_places(data.starts, rows, work.reading.where, False)
        if f < 0 or gain < rule.shares[min(np.int64(n), len(rule.shares) - 1)] * total:
            continue
        tree.feature[v], tree.gain[v], tree.threshold[v] = f, gain, threshold
        if parts is not None:
            tree.share[v] = share
            c, d, e, g = _partition_both_ways(data, (f, threshold, share), rows, a, work.reading, bag, parts, tree)
        else:
            tree.share[v] = np.float64(share >= 0.5)
            c, d, e, g = _partition(data, (f, threshold, share), rows, a, work.reading.spare)
        stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3] = e, g, v, constants
        size[1] = top + 2  # the left child, on top, is the next node
        stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2], stack[top + 1, 3] = c, d, v, constants
