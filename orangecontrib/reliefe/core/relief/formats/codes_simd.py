"""Distances of codes, and lists of the nearest rows, in vector registers.

Kernels take the form of the processor that they are compiled for, which may not be this one: see `register_width`.

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
I16 = ir.IntType(16)
# Sum of the products of neighbouring 16-bit numbers, by the 32-bit numbers of a register; None: no such instruction.
# With the sum that follows LLVM makes one instruction of the first where there is VNNI.
PAIR_SUMS = {16: "llvm.x86.avx512.pmaddw.d.512", 8: "llvm.x86.avx2.pmadd.wd", 4: None}


def _add_codes(builder: ir.IRBuilder, total: ir.Value, codes: ir.Value, name: str | None) -> ir.Value:
    """Sum of `total` and of both codes of each word."""
    if name:
        return builder.add(
            total, call(builder, name, total.type, codes, ir.Constant(codes.type, [1] * codes.type.count))
        )
    for first in range(2):
        places = ir.Constant(ir.VectorType(I32, total.type.count), list(range(first, codes.type.count, 2)))
        half = builder.shuffle_vector(codes, ir.Constant(codes.type, ir.Undefined), places)
        total = builder.add(total, builder.sext(half, total.type))
    return total


@intrinsic
def _measure(typingctx, lanes, own, other, words, add, out, place, step):
    """Set out[place + r step + q], r < ROWS, q < PANEL, to sum over words of the larger codes of two rows, or add it.

    lanes and out are int32 and flat; own, other: places of the first words of both rows in lanes.
    """
    signature = types.void(lanes, own, other, words, add, out, place, step)

    def generate(context, builder, signature, args):
        wide = register_width(context)
        name = PAIR_SUMS[wide]
        numbers, codes = ir.VectorType(I32, wide), ir.VectorType(I16, 2 * wide)
        rows = ROWS if wide == 16 else ROWS // 2  # so many sums and two registers of codes are there
        x, total = (pointer(context, builder, signature, args, k) for k in (0, 5))
        own, other, words, add, place, step = (args[k] for k in (1, 2, 3, 4, 6, 7))
        old = builder.icmp_signed("!=", add, ir.Constant(add.type, 0))
        for first in range(0, ROWS, rows):
            for lane in range(0, PANEL, 2 * wide):
                places = [(r, k) for r in range(rows) for k in range(2)]
                sums = {at: cgutils.alloca_once(builder, numbers) for at in places}
                ends = {}
                for r, k in places:
                    row = builder.add(place, builder.mul(step, ir.Constant(I64, first + r)))
                    ends[r, k] = address(builder, total, plus(builder, row, lane + k * wide), numbers)
                    builder.store(ir.Constant(numbers, [0] * wide), sums[r, k])
                with builder.if_then(old):
                    for at in places:
                        builder.store(builder.load(ends[at], align=4), sums[at])
                with cgutils.for_range(builder, words, intp=I64) as loop:
                    shift = builder.mul(loop.index, ir.Constant(I64, PANEL))
                    mine, theirs = builder.add(own, shift), builder.add(other, shift)
                    values = [
                        builder.load(address(builder, x, plus(builder, theirs, lane + k * wide), codes), align=4)
                        for k in range(2)
                    ]
                    for r in range(rows):
                        word = builder.load(builder.gep(x, [plus(builder, mine, first + r)]))
                        value = builder.bitcast(splat(builder, word, numbers), codes)
                        for k in range(2):
                            larger = call(builder, f"llvm.smax.v{2 * wide}i16", codes, value, values[k])
                            builder.store(_add_codes(builder, builder.load(sums[r, k]), larger, name), sums[r, k])
                for at in places:
                    builder.store(builder.load(sums[at]), ends[at], align=4)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def _hits(typingctx, sums, place, totals, j, limits, at, limit, mine):
    """Pairs of a row and a panel that enter lists: bits q of the list of the row, 32 + q of that of the row j + q.

    sums[place + q]: sums of the larger codes; limits[at + q]: distances at the ends of the lists of the panel; limit,
    mine: int32, that of the row, and the sum of its codes.
    """
    signature = types.uint64(sums, place, totals, j, limits, at, limit, mine)

    def generate(context, builder, signature, args):
        wide = register_width(context)
        numbers = ir.VectorType(I32, wide)
        arrays = [pointer(context, builder, signature, args, k) for k in (0, 2, 4)]
        limit, mine = (splat(builder, value, numbers) for value in args[6:])
        found = ir.Constant(I64, 0)
        for k in range(0, PANEL, wide):
            value, theirs, ends = (
                builder.load(address(builder, array, plus(builder, start, k), numbers), align=4)
                for array, start in zip(arrays, args[1:6:2], strict=True)
            )
            distance = builder.sub(builder.sub(builder.add(value, value), theirs), mine)
            for shift, end in ((0, limit), (32, ends)):
                bits = builder.bitcast(builder.icmp_signed("<=", distance, end), ir.IntType(wide))
                found = builder.or_(found, builder.shl(builder.zext(bits, I64), ir.Constant(I64, shift + k)))
        return found

    return signature, generate


@intrinsic
def _insert(typingctx, keys, place, room, key):
    """Put a key into the sorted list keys[place : place + room], uint64, whose last one leaves it.

    Every place takes the middle one of its key, the one before it and the new one; keys[place - 1] is 0.
    """
    signature = types.void(keys, place, room, key)

    def generate(context, builder, signature, args):
        kind, x = ir.VectorType(I64, KEYS), pointer(context, builder, signature, args, 0)
        place, room, key = args[1], args[2], splat(builder, args[3], kind)
        ends = room, ir.Constant(I64, 0), ir.Constant(I64, -KEYS)
        with cgutils.for_range_slice(builder, *ends, intp=I64, inc=False) as (at, _):
            start = builder.add(place, plus(builder, at, -KEYS))
            here = builder.load(address(builder, x, start, kind), align=8)
            before = builder.load(address(builder, x, plus(builder, start, -1), kind), align=8)
            larger = call(builder, f"llvm.umax.v{KEYS}i64", kind, before, key)
            found = call(builder, f"llvm.umin.v{KEYS}i64", kind, here, larger)
            builder.store(found, address(builder, x, start, kind), align=8)
        return context.get_dummy_value()

    return signature, generate


@compiled
def measure(lanes, words, where, upper, step, out):
    """Sums of the larger codes of the rows of panels [a0, a1) and [b0, b1), of an upper tile as far as b >= a, in
    `out`, flat, `step` in a row."""
    a0, a1, b0, b1 = where
    for w in range(0, words, WORDS_AT_ONCE):
        depth = min(WORDS_AT_ONCE, words - w)
        for b in range(b0, b1):
            other = (b * words + w) * PANEL
            for a in range(a0, min(a1, b + 1) if upper else a1):
                own = (a * words + w) * PANEL
                for r in range(0, PANEL, ROWS):
                    place = ((a - a0) * PANEL + r) * step + (b - b0) * PANEL
                    _measure(lanes, own + r, other, depth, w, out, place, step)


@partial(compiled, forceinline=True)
def _limit(lists, start, of_list):
    """Largest distance that may enter the list from `start` on: that of its last place, or that of the k-th nearest row
    with the error of both distances, so that whatever may be nearer than that row is in the list.

    of_list: places of the last and the k-th row, and factor and term of the error: see `Steps.beyond`.
    """
    last, kth, factor, term = of_list
    half = np.uint64(32)
    at_end = np.float64(lists[start + last] >> half)
    beyond = np.float64(lists[start + kth] >> half) * factor + term
    return np.int32(min(at_end, beyond))


@compiled
def offer(sums, where, step, ends, rows, stretches, nearest):
    """Offer the pairs i < j of a tile, ends[0] <= i < ends[1], to the lists of both rows.

    rows: groups, ids and sums of codes; stretches: of each panel the first one, and of each the group and the bits of
    its rows; nearest: limits (G, rows in panels) int32 of the distances that enter the lists, keys (G, rows with lists,
    HEAD + room), and what makes limits: see `_limit`.
    """
    (a0, a1, b0, b1), (groups, ids, totals), (starts, group_of, bits_of) = where, rows, stretches
    limits, keys, of_list = nearest
    flat, lists, N, width = limits.reshape(-1), keys.reshape(-1), limits.shape[1], keys.shape[2]
    low, one, half = np.uint64(0xFFFFFFFF), np.uint64(1), np.uint64(32)
    for b in range(b0, b1):
        j0 = b * PANEL
        for i in range(max(a0 * PANEL, ends[0]), min(min(a1 * PANEL, j0 + PANEL), ends[1])):
            place, mine, g = (i - a0 * PANEL) * step + (b - b0) * PANEL, totals[i], groups[i]
            behind = low << np.uint64(i - j0 + 1) & low if i >= j0 else low
            for s in range(starts[b], starts[b + 1]):
                found = _hits(sums, place, totals, j0, flat, g * N + j0, limits[group_of[s], i], mine)
                there = bits_of[s] & behind
                own, theirs = found & there, found >> half & there
                while own:
                    q = lowest_bit(own)
                    own &= own - one
                    d, start = 2 * sums[place + q] - totals[j0 + q] - mine, (group_of[s] * keys.shape[1] + i) * width
                    _insert(lists, start + HEAD, width - HEAD, np.uint64(d) << half | np.uint64(ids[j0 + q]))
                    limits[group_of[s], i] = _limit(lists, start + HEAD, of_list)
                while theirs:
                    q = lowest_bit(theirs)
                    theirs &= theirs - one
                    d, start = 2 * sums[place + q] - totals[j0 + q] - mine, (g * keys.shape[1] + j0 + q) * width
                    _insert(lists, start + HEAD, width - HEAD, np.uint64(d) << half | np.uint64(ids[i]))
                    limits[g, j0 + q] = _limit(lists, start + HEAD, of_list)


@compiled
def add_moments(sums, where, step, totals, centre, out):
    """Sums of the distances of a tile in steps, less `centre`, and of their squares, added to those of both rows, out
    (2, n)."""
    i0, i1, j0, j1 = where
    first, second, one, two = np.zeros(j1 - j0, np.float32), np.zeros(j1 - j0, np.float32), out[0], out[1]
    for i in range(i0, i1):
        start = max(j0, i + 1) - j0
        if start >= j1 - j0:
            continue
        place, base = (i - i0) * step, np.int32(totals[i] + centre)
        x, theirs = sums[place + start : place + j1 - j0], totals[j0 + start : j1]
        a, b, total, square = first[start:], second[start:], np.float32(0), np.float32(0)
        for q in range(len(x)):
            e = np.float32(np.int32(2 * x[q] - theirs[q] - base))
            a[q] += e
            b[q] += e * e
            total += e
            square += e * e
        one[i] += total
        two[i] += square
    for q in range(j1 - j0):
        one[j0 + q] += first[q]
        two[j0 + q] += second[q]


@compiled
def zone_bits(sums, where, step, totals, cuts, far, origin, bits, close):
    """Set the words (2, h, words) of the pairs of a tile whose distance is below the limit of either row, far: above.

    cuts (2, rows in panels): see `Zones`; origin: first row and word of bits; close (q, 2): filled with the pairs that
    are between the cuts of one of their rows.  Returns how many these are.
    """
    (i0, i1, j0, j1), (top, left), low, high = where, origin, cuts[0], cuts[1]
    count, every, one, half = 0, np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(1), np.uint64(32)
    lower, none = np.uint64(0xFFFFFFFF), np.uint64(0)
    for i in range(i0, i1):
        mine = totals[i]
        for word in range(max(j0, i + 1) // 64, (j1 + 63) // 64):
            own, theirs, doubt = none, none, none
            for k in range(2):
                j = word * 64 + k * PANEL
                if j >= j1:
                    break
                place = (i - i0) * step + j - j0
                sure = _hits(sums, place, totals, j, low, j, low[i], mine)
                maybe = _hits(sums, place, totals, j, high, j, high[i], mine)
                unsure, inside = sure ^ maybe, ~maybe if far else sure
                unsure |= unsure >> half
                own |= (inside & lower) << np.uint64(k * PANEL)
                theirs |= (inside >> half) << np.uint64(k * PANEL)
                doubt |= (unsure & lower) << np.uint64(k * PANEL)
            there = every
            if i >= word * 64:
                there = every << np.uint64(i - word * 64) << one
            if j1 < word * 64 + 64:
                there &= every >> np.uint64(word * 64 + 64 - j1)
            bits[0, i - top, word - left], bits[1, i - top, word - left] = own & there, theirs & there
            doubt &= there
            while doubt:
                close[count, 0], close[count, 1] = i, word * 64 + lowest_bit(doubt)
                doubt &= doubt - one
                count += 1
    return count
