"""Distances in steps, lists of the nearest rows, and bits of thresholds, in vector registers.

`step_kernels.py` chooses between these kernels and those of `codes_plain.py`, which are the same in plain loops.  The
callers are `DenseManhattan` (`measure`), `neighbourhoods/search.py` (`offer`), `moments.py` (`add_moments`) and
`zones.py` (`zone_bits`).

Distances: for codes c of two rows i and j, `measure` sums the larger code of each feature, because

    d_ij = sum_f |c_if - c_jf| = 2 sum_f max(c_if, c_jf) - totals[i] - totals[j],    totals[i] = sum_f c_if

Layout: `Codes.lanes` has words of two 16-bit codes; of each word those of PANEL = 32 rows lie side by side, one word
after another, for the rows 0 to 31, then for the rows 32 to 63.  With `words` words the codes of the features 2 w and
2 w + 1 of row i are in

    lanes[(i // 32 * words + w) * 32 + i % 32]
    lanes = [codes 0 and 1 of row 0, of row 1, ..., of row 31, codes 2 and 3 of row 0, of row 1, ...]

Sums and distances of a tile are flat: those of row i and column j at [(i - i0) * row_stride + j - j0].

Registers: kernels take the form of the processor that they are compiled for, which may not be this one, see
`register_width`: a register has 16, 8 or 4 numbers of 32 bits.

Importing this file imports numba.
"""

from functools import partial

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ...kernels.jit import compiled
from ...kernels.registers import I32, I64, address, call, lowest_bit, plus, pointer, register_width, splat
from .steps import HEAD, KEYS, PANEL

ROWS = 8  # that are measured against a panel at once
WORDS_AT_ONCE = 128  # of features: so much of a panel stays in the first cache
REGISTERS_OF_ROW = 2  # of sums of one row that are worked on at a time
I16 = ir.IntType(16)
# Sum of the products of neighbouring 16-bit numbers, by the 32-bit numbers of a register; None: no such instruction.
# With the sum that follows LLVM makes one instruction of the first where there is VNNI.
PAIR_SUMS = {16: "llvm.x86.avx512.pmaddw.d.512", 8: "llvm.x86.avx2.pmadd.wd", 4: None}


def _add_codes(builder: ir.IRBuilder, total: ir.Value, codes: ir.Value, name: str | None) -> ir.Value:
    """Return `total` plus both codes of each word, as 32-bit numbers; name: intrinsic function that adds such pairs."""
    if name:
        ones = ir.Constant(codes.type, [1] * codes.type.count)
        return builder.add(total, call(builder, name, total.type, codes, ones))
    for first in range(2):
        slots = list(range(first, codes.type.count, 2))
        mask = ir.Constant(ir.VectorType(I32, total.type.count), slots)
        half = builder.shuffle_vector(codes, ir.Constant(codes.type, ir.Undefined), mask)
        total = builder.add(total, builder.sext(half, total.type))
    return total


@intrinsic
def _measure(typingctx, lanes, rows_at, cols_at, words, adds, out, out_at, row_stride):
    """Set the sums of the larger codes of ROWS rows r and the PANEL rows q of a panel, or add to them:

        out[out_at + r * row_stride + q] = sum over w < words of the larger of both codes in the words x and y
        x = lanes[rows_at + w * PANEL + r],    y = lanes[cols_at + w * PANEL + q]

    lanes and out are int32 and flat; `rows_at`, `cols_at` and `out_at` are places in them; adds: not 0 to add to out.

    Registers hold the sums of as many rows as there is room for, 8 (AVX-512) or 4, in two registers each.
    """
    signature = types.void(lanes, rows_at, cols_at, words, adds, out, out_at, row_stride)

    def generate(context, builder, signature, args):
        width = register_width(context)
        pair_sum = PAIR_SUMS[width]
        numbers = ir.VectorType(I32, width)
        codes = ir.VectorType(I16, 2 * width)
        n_rows = ROWS if width == 16 else ROWS // 2
        values, sums = (pointer(context, builder, signature, args, k) for k in (0, 5))
        rows_at, cols_at, words, adds, out_at, row_stride = (args[k] for k in (1, 2, 3, 4, 6, 7))
        is_added = builder.icmp_signed("!=", adds, ir.Constant(adds.type, 0))
        registers = [(r, k) for r in range(n_rows) for k in range(REGISTERS_OF_ROW)]
        for first_row in range(0, ROWS, n_rows):
            for first_col in range(0, PANEL, REGISTERS_OF_ROW * width):
                # Sums in registers: 0, or those so far
                totals = {register: cgutils.alloca_once(builder, numbers) for register in registers}
                ends = {}
                for r, k in registers:
                    row = builder.add(out_at, builder.mul(row_stride, ir.Constant(I64, first_row + r)))
                    ends[r, k] = address(builder, sums, plus(builder, row, first_col + k * width), numbers)
                    builder.store(ir.Constant(numbers, [0] * width), totals[r, k])
                with builder.if_then(is_added):
                    for register in registers:
                        builder.store(builder.load(ends[register], align=4), totals[register])

                # One word after another
                with cgutils.for_range(builder, words, intp=I64) as loop:
                    offset = builder.mul(loop.index, ir.Constant(I64, PANEL))
                    rows_of_word = builder.add(rows_at, offset)
                    cols_of_word = builder.add(cols_at, offset)
                    codes_of_cols = []
                    for k in range(REGISTERS_OF_ROW):
                        start = plus(builder, cols_of_word, first_col + k * width)
                        codes_of_cols.append(builder.load(address(builder, values, start, codes), align=4))
                    for r in range(n_rows):
                        word = builder.load(builder.gep(values, [plus(builder, rows_of_word, first_row + r)]))
                        codes_of_row = builder.bitcast(splat(builder, word, numbers), codes)
                        for k in range(REGISTERS_OF_ROW):
                            larger = call(builder, f"llvm.smax.v{2 * width}i16", codes, codes_of_row, codes_of_cols[k])
                            total = _add_codes(builder, builder.load(totals[r, k]), larger, pair_sum)
                            builder.store(total, totals[r, k])

                # Back to memory
                for register in registers:
                    builder.store(builder.load(totals[register]), ends[register], align=4)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def _hits(typingctx, sums, sums_at, totals, totals_at, limits, limits_at, limit_of_row, total_of_row):
    """Return bits of the pairs of a row and the PANEL rows of a panel whose distance is at most a limit:

        bit q       if d_q <= limit_of_row
        bit 32 + q  if d_q <= limits[limits_at + q]
        d_q = 2 * sums[sums_at + q] - totals[totals_at + q] - total_of_row

    All numbers are int32.
    """
    signature = types.uint64(sums, sums_at, totals, totals_at, limits, limits_at, limit_of_row, total_of_row)

    def generate(context, builder, signature, args):
        width = register_width(context)
        numbers = ir.VectorType(I32, width)
        arrays = [pointer(context, builder, signature, args, k) for k in (0, 2, 4)]
        offsets = [args[k] for k in (1, 3, 5)]
        limit_of_row = splat(builder, args[6], numbers)
        total_of_row = splat(builder, args[7], numbers)
        hits = ir.Constant(I64, 0)
        for q in range(0, PANEL, width):
            sums, totals, limits = (
                builder.load(address(builder, array, plus(builder, offset, q), numbers), align=4)
                for array, offset in zip(arrays, offsets, strict=True)
            )
            distances = builder.sub(builder.sub(builder.add(sums, sums), totals), total_of_row)
            for shift, limit in ((0, limit_of_row), (PANEL, limits)):
                is_hit = builder.icmp_signed("<=", distances, limit)
                bits = builder.zext(builder.bitcast(is_hit, ir.IntType(width)), I64)
                hits = builder.or_(hits, builder.shl(bits, ir.Constant(I64, shift + q)))
        return hits

    return signature, generate


@intrinsic
def _insert(typingctx, keys, list_at, slots, key):
    """Put a key into the sorted list keys[list_at : list_at + slots], uint64; the largest key leaves it.

    Every slot takes the median of its key, the key before it and the new one.  keys[list_at - 1] is 0, so that the
    first slot takes the smaller one of its key and the new one.  From the last slots on, KEYS of them at a time.
    """
    signature = types.void(keys, list_at, slots, key)

    def generate(context, builder, signature, args):
        kind = ir.VectorType(I64, KEYS)
        values = pointer(context, builder, signature, args, 0)
        list_at, slots = args[1:3]
        new_key = splat(builder, args[3], kind)
        down = slots, ir.Constant(I64, 0), ir.Constant(I64, -KEYS)
        with cgutils.for_range_slice(builder, *down, intp=I64, inc=False) as (end, _):
            start = builder.add(list_at, plus(builder, end, -KEYS))
            current = builder.load(address(builder, values, start, kind), align=8)
            previous = builder.load(address(builder, values, plus(builder, start, -1), kind), align=8)
            larger = call(builder, f"llvm.umax.v{KEYS}i64", kind, previous, new_key)
            median = call(builder, f"llvm.umin.v{KEYS}i64", kind, current, larger)
            builder.store(median, address(builder, values, start, kind), align=8)
        return context.get_dummy_value()

    return signature, generate


@compiled
def measure(lanes, words, bounds, upper, row_stride, out):
    """Set the sums of the larger codes of the rows of panels [a0, a1) and those of panels [b0, b1).

    lanes : flat int32 array, laid out as above, with `words` words of each row.
    bounds : a0, a1, b0, b1.
    upper : True if only pairs i < j are needed; sums of panels with b < a are not set.
    out : flat int32 array of sums, `row_stride` numbers in a row.
    """
    a0, a1, b0, b1 = bounds
    for first_word in range(0, words, WORDS_AT_ONCE):
        n_words = min(WORDS_AT_ONCE, words - first_word)
        for b in range(b0, b1):
            cols_at = (b * words + first_word) * PANEL
            for a in range(a0, min(a1, b + 1) if upper else a1):
                rows_at = (a * words + first_word) * PANEL
                for r in range(0, PANEL, ROWS):
                    out_at = ((a - a0) * PANEL + r) * row_stride + (b - b0) * PANEL
                    _measure(lanes, rows_at + r, cols_at, n_words, first_word, out, out_at, row_stride)


@partial(compiled, forceinline=True)
def _limit(keys, list_at, end):
    """Return the largest distance that may enter the list from `list_at` on, by the rule `ListEnd`."""
    half = np.uint64(32)
    at_last = np.float64(keys[list_at + end.last] >> half)
    beyond_kth = np.float64(keys[list_at + end.kth] >> half) * end.factor + end.term
    return np.int32(min(at_last, beyond_kth))


@compiled
def offer(sums, bounds, row_stride, first_and_last, rows, stretches, nearest):
    """Offer the pairs i < j of the rows of panels [a0, a1) and [b0, b1) to the lists of both rows.

    sums : flat int32 array, as `measure` sets it.
    bounds : a0, a1, b0, b1.
    first_and_last : the rows i are those from first_and_last[0] to first_and_last[1] - 1.
    rows : SearchedRows
    stretches : Stretches
    nearest : OfferedLists, whose limits and keys are written.
    """
    a0, a1, b0, b1 = bounds
    groups, ids, totals = rows
    limits, keys, end = nearest
    flat_limits = limits.reshape(-1)
    flat_keys = keys.reshape(-1)
    rows_in_panels = limits.shape[1]
    n_lists, list_stride = keys.shape[1:]
    slots = list_stride - HEAD
    low_half = np.uint64(0xFFFFFFFF)
    one = np.uint64(1)
    half = np.uint64(32)
    for b in range(b0, b1):
        j0 = b * PANEL
        first_row = max(a0 * PANEL, first_and_last[0])
        last_row = min(min(a1 * PANEL, j0 + PANEL), first_and_last[1])
        for i in range(first_row, last_row):
            sums_at = (i - a0 * PANEL) * row_stride + (b - b0) * PANEL
            total_of_row = totals[i]
            g = groups[i]
            behind = low_half  # rows j > i of the panel
            if i >= j0:
                behind = low_half << np.uint64(i - j0 + 1) & low_half
            for s in range(stretches.starts[b], stretches.starts[b + 1]):
                h = stretches.groups[s]
                hits = _hits(
                    sums, sums_at, totals, j0, flat_limits, g * rows_in_panels + j0, limits[h, i], total_of_row
                )
                in_stretch = stretches.bits[s] & behind

                # Rows j for the list of row i
                of_i = hits & in_stretch
                while of_i:
                    q = lowest_bit(of_i)
                    of_i &= of_i - one
                    distance = 2 * sums[sums_at + q] - totals[j0 + q] - total_of_row
                    list_at = (h * n_lists + i) * list_stride + HEAD
                    _insert(flat_keys, list_at, slots, np.uint64(distance) << half | np.uint64(ids[j0 + q]))
                    limits[h, i] = _limit(flat_keys, list_at, end)

                # Row i for the lists of rows j
                of_j = hits >> half & in_stretch
                while of_j:
                    q = lowest_bit(of_j)
                    of_j &= of_j - one
                    distance = 2 * sums[sums_at + q] - totals[j0 + q] - total_of_row
                    list_at = (g * n_lists + j0 + q) * list_stride + HEAD
                    _insert(flat_keys, list_at, slots, np.uint64(distance) << half | np.uint64(ids[i]))
                    limits[g, j0 + q] = _limit(flat_keys, list_at, end)


@compiled
def add_moments(sums, bounds, row_stride, totals, centre, out):
    """Add the distances of a tile, less `centre`, and their squares to those of both rows.

    sums : flat int32 array of the tile, `row_stride` numbers in a row.
    bounds : i0, i1, j0, j1; only pairs i < j count.
    totals : (rows in panels,) int32, as in `Steps`.
    centre : int, distance in steps that is taken from all of them, so that few digits cancel.
    out : (2, n) float64, sums and sums of squares; sums over the rows of a tile are in single precision.
    """
    i0, i1, j0, j1 = bounds
    sums_of_cols = np.zeros(j1 - j0, np.float32)
    squares_of_cols = np.zeros(j1 - j0, np.float32)
    of_rows = out[0]
    squares_of_rows = out[1]
    for i in range(i0, i1):
        start = max(j0, i + 1) - j0
        if start >= j1 - j0:
            continue
        sums_at = (i - i0) * row_stride
        base = np.int32(totals[i] + centre)
        sums_of_row = sums[sums_at + start : sums_at + j1 - j0]
        totals_of_cols = totals[j0 + start : j1]
        col_sums = sums_of_cols[start:]
        col_squares = squares_of_cols[start:]
        total = np.float32(0)
        square = np.float32(0)
        for q in range(len(sums_of_row)):
            difference = np.float32(np.int32(2 * sums_of_row[q] - totals_of_cols[q] - base))
            col_sums[q] += difference
            col_squares[q] += difference * difference
            total += difference
            square += difference * difference
        of_rows[i] += total
        squares_of_rows[i] += square
    for q in range(j1 - j0):
        of_rows[j0 + q] += sums_of_cols[q]
        squares_of_rows[j0 + q] += squares_of_cols[q]


@compiled
def zone_bits(sums, bounds, row_stride, totals, cuts, far, origin, bits, close):
    """Set the bits of the pairs of a tile that are within the zones of their rows, and list the pairs in doubt.

    sums : flat int32 array of the tile, `row_stride` numbers in a row.
    bounds : i0, i1, j0, j1; only pairs i < j count.
    totals : (rows in panels,) int32, as in `Steps`.
    cuts : (2, rows in panels) int32, distances up to which a pair is surely below the limit of a row, and above which
        it surely is not, as `Zones` makes them.
    far : True if the zone has the distances above the limit.
    origin : row and word of bits[:, 0, 0].
    bits : (2, h, words) uint64; bit j of row i: whether j is in the zone of i, and whether i is in that of j.
    close : (>= pairs of the tile, 2) int32, filled with the pairs that are between the cuts of one of their rows.

    Returns the number of these pairs.
    """
    i0, i1, j0, j1 = bounds
    top, left = origin
    low = cuts[0]
    high = cuts[1]
    n_close = 0
    all_set = np.uint64(0xFFFFFFFFFFFFFFFF)
    low_half = np.uint64(0xFFFFFFFF)
    one = np.uint64(1)
    half = np.uint64(32)
    none = np.uint64(0)
    for i in range(i0, i1):
        total_of_row = totals[i]
        for word in range(max(j0, i + 1) // 64, (j1 + 63) // 64):
            # Bits of the two panels of a word
            of_i = none
            of_j = none
            doubt = none
            for panel in range(2):
                j = word * 64 + panel * PANEL
                if j >= j1:
                    break
                sums_at = (i - i0) * row_stride + j - j0
                surely_below = _hits(sums, sums_at, totals, j, low, j, low[i], total_of_row)
                maybe_below = _hits(sums, sums_at, totals, j, high, j, high[i], total_of_row)
                inside = ~maybe_below if far else surely_below
                in_doubt = surely_below ^ maybe_below
                in_doubt |= in_doubt >> half
                shift = np.uint64(panel * PANEL)
                of_i |= (inside & low_half) << shift
                of_j |= (inside >> half) << shift
                doubt |= (in_doubt & low_half) << shift

            # Only pairs i < j < j1
            valid = all_set
            if i >= word * 64:
                valid = all_set << np.uint64(i - word * 64) << one
            if j1 < word * 64 + 64:
                valid &= all_set >> np.uint64(word * 64 + 64 - j1)
            bits[0, i - top, word - left] = of_i & valid
            bits[1, i - top, word - left] = of_j & valid

            # Pairs in doubt
            doubt &= valid
            while doubt:
                close[n_close, 0] = i
                close[n_close, 1] = word * 64 + lowest_bit(doubt)
                doubt &= doubt - one
                n_close += 1
    return n_close
