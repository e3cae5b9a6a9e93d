"""Distances in steps of codes, and bits of thresholds, in vector registers.

`step_kernels.py` chooses between these kernels and those of `codes_plain.py`, which are the same in plain loops.  The
callers are `Codes` (`measure`), `moments.py` (`add_moments`) and `zones.py` (`zone_bits`).

Distances: for codes c of two rows i and j, which are numbers, `measure` sums the larger code of each feature, because

    sum_f |c_if - c_jf| = 2 sum_f max(c_if, c_jf) - totals[i] - totals[j],    totals[i] = sum_f c_if

and two categories differ where min(c_if xor c_jf, 1) = 1.  So one register of codes takes two or three instructions.

Layout: `Codes.lanes` has words of two 16-bit codes; of each word those of PANEL = 32 rows lie side by side, one word
after another, for the rows 0 to 31, then for the rows 32 to 63.  With `words` words the codes of the features 2 w and
2 w + 1 of row i are in

    lanes[(i // 32 * words + w) * 32 + i % 32]
    lanes = [codes 0 and 1 of row 0, of row 1, ..., of row 31, codes 2 and 3 of row 0, of row 1, ...]

Distances of a tile are flat: those of row i and column j at [(i - i0) * row_stride + j - j0].

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
from .steps import PANEL

ROWS = 8  # that are measured against a panel at once
WORDS_AT_ONCE = 1024  # of features: so much of two panels stays in the second cache
REGISTERS_OF_ROW = 2  # of sums of one row that are worked on at a time
I16 = ir.IntType(16)
# Sum of the products of neighbouring 16-bit numbers, by the 32-bit numbers of a register; None: no such instruction.
# With the sum that follows LLVM makes one instruction of the first where there is VNNI.
PAIR_SUMS = {16: "llvm.x86.avx512.pmaddw.d.512", 8: "llvm.x86.avx2.pmadd.wd", 4: None}


def _add_products(builder: ir.IRBuilder, total: ir.Value, codes: ir.Value, factors: ir.Value) -> ir.Value:
    """Return `total` plus the products of both codes of each word and their factors, as 32-bit numbers."""
    width = total.type.count
    name = PAIR_SUMS[width]
    if name:
        return builder.add(total, call(builder, name, total.type, codes, factors))
    for first in range(2):
        slots = list(range(first, codes.type.count, 2))
        mask = ir.Constant(ir.VectorType(I32, width), slots)
        halves = []
        for numbers in (codes, factors):
            half = builder.shuffle_vector(numbers, ir.Constant(codes.type, ir.Undefined), mask)
            halves.append(builder.sext(half, total.type))
        total = builder.add(total, builder.mul(*halves))
    return total


def _add_larger(builder: ir.IRBuilder, total: ir.Value, x: ir.Value, y: ir.Value) -> ir.Value:
    """Return `total` plus the larger one of two codes, for both codes of each word."""
    larger = call(builder, f"llvm.smax.v{x.type.count}i16", x.type, x, y)
    return _add_products(builder, total, larger, ir.Constant(x.type, [1] * x.type.count))


def _add_different(builder: ir.IRBuilder, total: ir.Value, x: ir.Value, y: ir.Value, factors: ir.Value) -> ir.Value:
    """Return `total` plus the factor of each code that differs."""
    ones = ir.Constant(x.type, [1] * x.type.count)
    differs = call(builder, f"llvm.umin.v{x.type.count}i16", x.type, builder.xor(x, y), ones)
    return _add_products(builder, total, differs, factors)


@intrinsic
def _measure(typingctx, lanes, rows_at, cols_at, words, half, totals, row, col, out, out_at, row_stride):
    """Set the distances of ROWS rows r and the PANEL rows q of a panel, or add those of further words to them:

        out[out_at + r * row_stride + q] = 2 * (sum over words of numbers of the larger of both codes
            + half * number of categories that differ) - totals[row + r] - totals[col + q]

    lanes : flat int32; the words w of the rows are lanes[rows_at + w * PANEL + r] and lanes[cols_at + w * PANEL + q].
    words : (first, first of categories, last + 1) int64, the words that are taken; distances of further words are added
        to `out`, without the totals.
    half : half of the steps of a feature, int32.
    totals : int32, as in `Codes`.
    out : flat int32.

    Registers hold the sums of as many rows as there is room for, 8 (AVX-512) or 4, in two registers each.
    """
    signature = types.void(lanes, rows_at, cols_at, words, half, totals, row, col, out, out_at, row_stride)

    def generate(context, builder, signature, args):
        width = register_width(context)
        numbers = ir.VectorType(I32, width)
        codes = ir.VectorType(I16, 2 * width)
        n_rows = ROWS if width == 16 else ROWS // 2
        values, totals_of_rows, distances = (pointer(context, builder, signature, args, k) for k in (0, 5, 8))
        rows_at, cols_at, words, half = args[1:5]
        row, col, out_at, row_stride = args[6], args[7], args[9], args[10]
        first_word, first_category, end = (builder.extract_value(words, k) for k in range(3))
        is_first = builder.icmp_signed("==", first_word, ir.Constant(I64, 0))
        one = ir.Constant(I64, 1)
        zeros = ir.Constant(numbers, [0] * width)
        halves = builder.bitcast(splat(builder, builder.trunc(half, I16), codes), codes)
        registers = [(r, k) for r in range(n_rows) for k in range(REGISTERS_OF_ROW)]

        def add_words(first, last, first_row, first_col, sums, add):
            """Add what `add` makes of the codes of two rows to the sums, for the words from first to last - 1."""
            with cgutils.for_range_slice(builder, first, last, one) as (word, _):
                offset = builder.mul(word, ir.Constant(I64, PANEL))
                rows_of_word = builder.add(rows_at, offset)
                cols_of_word = builder.add(cols_at, offset)
                codes_of_cols = []
                for k in range(REGISTERS_OF_ROW):
                    start = plus(builder, cols_of_word, first_col + k * width)
                    codes_of_cols.append(builder.load(address(builder, values, start, codes), align=4))
                for r in range(n_rows):
                    word_of_row = builder.load(builder.gep(values, [plus(builder, rows_of_word, first_row + r)]))
                    codes_of_row = builder.bitcast(splat(builder, word_of_row, numbers), codes)
                    for k in range(REGISTERS_OF_ROW):
                        total = add(builder, builder.load(sums[r, k]), codes_of_row, codes_of_cols[k])
                        builder.store(total, sums[r, k])

        for first_row in range(0, ROWS, n_rows):
            for first_col in range(0, PANEL, REGISTERS_OF_ROW * width):
                sums = {register: cgutils.alloca_once(builder, numbers) for register in registers}
                for register in registers:
                    builder.store(zeros, sums[register])
                add_words(first_word, first_category, first_row, first_col, sums, _add_larger)
                add_words(first_category, end, first_row, first_col, sums, partial(_add_different, factors=halves))

                # Distances, less the totals if these are the first words
                for r, k in registers:
                    line = builder.add(out_at, builder.mul(row_stride, ir.Constant(I64, first_row + r)))
                    place = address(builder, distances, plus(builder, line, first_col + k * width), numbers)
                    total_of_row = builder.load(builder.gep(totals_of_rows, [plus(builder, row, first_row + r)]))
                    start = plus(builder, col, first_col + k * width)
                    totals_of_cols = builder.load(address(builder, totals_of_rows, start, numbers), align=4)
                    no_words = builder.sub(builder.neg(splat(builder, total_of_row, numbers)), totals_of_cols)
                    so_far = builder.select(is_first, no_words, builder.load(place, align=4))
                    twice = builder.shl(builder.load(sums[r, k]), ir.Constant(numbers, [1] * width))
                    builder.store(builder.add(twice, so_far), place, align=4)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def _hits(typingctx, distances, distances_at, limits, limits_at, limit_of_row):
    """Return bits of the pairs of a row and the PANEL rows of a panel whose distance is at most a limit:

        bit q       if distances[distances_at + q] <= limit_of_row
        bit 32 + q  if distances[distances_at + q] <= limits[limits_at + q]

    All numbers are int32.
    """
    signature = types.uint64(distances, distances_at, limits, limits_at, limit_of_row)

    def generate(context, builder, signature, args):
        width = register_width(context)
        numbers = ir.VectorType(I32, width)
        arrays = [pointer(context, builder, signature, args, k) for k in (0, 2)]
        places = [args[k] for k in (1, 3)]
        limit_of_row = splat(builder, args[4], numbers)
        hits = ir.Constant(I64, 0)
        for q in range(0, PANEL, width):
            of_pairs, limits = (
                builder.load(address(builder, array, plus(builder, place, q), numbers), align=4)
                for array, place in zip(arrays, places, strict=True)
            )
            for shift, limit in ((0, limit_of_row), (PANEL, limits)):
                is_hit = builder.icmp_signed("<=", of_pairs, limit)
                bits = builder.zext(builder.bitcast(is_hit, ir.IntType(width)), I64)
                hits = builder.or_(hits, builder.shl(bits, ir.Constant(I64, shift + q)))
        return hits

    return signature, generate


@compiled
def measure(lanes, words, half, totals, where, upper, row_stride, out):
    """Set out[(i - i0) * row_stride + j - j0] to the distance of rows i and j in steps.

    lanes : flat int32 array, laid out as above.
    words : (number of words of numbers, number of words of a row).
    half : half of the steps of a feature.
    totals : (rows in panels,) int32, as in `Codes`.
    where : i0, i1, j0, j1; i0 is a multiple of ROWS and j0 of PANEL.
    upper : True if only pairs i < j are needed.
    out : flat int32 array, `row_stride` numbers in a row.
    """
    i0, i1, j0, j1 = where
    n_number_words, n_words = words
    half_steps = np.int32(half)
    for first in range(0, max(n_words, 1), WORDS_AT_ONCE):
        last = min(first + WORDS_AT_ONCE, n_words)
        part = (first, min(max(n_number_words, first), last), last)
        for col in range(j0, j1, PANEL):
            cols_at = col * n_words
            for row in range(i0, min(i1, col + PANEL) if upper else i1, ROWS):
                rows_at = row // PANEL * n_words * PANEL + row % PANEL
                out_at = (row - i0) * row_stride + col - j0
                _measure(lanes, rows_at, cols_at, part, half_steps, totals, row, col, out, out_at, row_stride)


@compiled
def add_moments(distances, where, row_stride, centre, out):
    """Add the distances of a tile, less `centre`, and their squares to those of both rows.

    distances : flat int32 array of the tile, `row_stride` numbers in a row.
    where : i0, i1, j0, j1; only pairs i < j count.
    centre : int, distance in steps that is taken from all of them, so that few digits cancel.
    out : (2, n) float64, sums and sums of squares; sums over the rows of a tile are in single precision.
    """
    i0, i1, j0, j1 = where
    sums_of_cols = np.zeros(j1 - j0, np.float32)
    squares_of_cols = np.zeros(j1 - j0, np.float32)
    of_rows = out[0]
    squares_of_rows = out[1]
    centre = np.int32(centre)
    for i in range(i0, i1):
        start = max(j0, i + 1) - j0
        if start >= j1 - j0:
            continue
        row_at = (i - i0) * row_stride
        distances_of_row = distances[row_at + start : row_at + j1 - j0]
        col_sums = sums_of_cols[start:]
        col_squares = squares_of_cols[start:]
        total = np.float32(0)
        square = np.float32(0)
        for q in range(len(distances_of_row)):
            difference = np.float32(np.int32(distances_of_row[q] - centre))
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
def zone_bits(distances, where, row_stride, cuts, far, origin, bits, close):
    """Set the bits of the pairs of a tile that are within the zones of their rows, and list the pairs in doubt.

    distances : flat int32 array of the tile, `row_stride` numbers in a row.
    where : i0, i1, j0, j1; only pairs i < j count.
    cuts : (2, rows in panels) int32, distances up to which a pair is surely below the limit of a row, and above which
        it surely is not, as `Zones` makes them.
    far : True if the zone has the distances above the limit.
    origin : row and word of bits[:, 0, 0].
    bits : (2, h, words) uint64; bit j of row i: whether j is in the zone of i, and whether i is in that of j.
    close : (>= pairs of the tile, 2) int32, filled with the pairs that are between the cuts of one of their rows.

    Returns the number of these pairs.
    """
    i0, i1, j0, j1 = where
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
        for word in range(max(j0, i + 1) // 64, (j1 + 63) // 64):
            # Bits of the two panels of a word
            of_i = none
            of_j = none
            doubt = none
            for panel in range(2):
                j = word * 64 + panel * PANEL
                if j >= j1:
                    break
                panel_at = (i - i0) * row_stride + j - j0
                surely_below = _hits(distances, panel_at, low, j, low[i])
                maybe_below = _hits(distances, panel_at, high, j, high[i])
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
