"""Sums of the diffs of listed pairs in vector registers, for one target or many; `pair_sums` calls them.

A register holds some features of a row.  The sums of several registers, or of several targets, stay in registers while
pairs go by: LLVM does so only where they are no arrays, which is why the loop over pairs is written in its own terms.

Kernels take the form of the processor that they are compiled for: see `register_width`.

Importing this file imports numba.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ...kernels.jit import compiled
from ...kernels.registers import I64, address, call, lanes_of, plus, pointer, register_width, splat

MOST_REGISTERS = 6  # of features for one target: with six sums and six values of the row they fill AVX2's sixteen
TARGETS = 4  # that share the diffs of a pair,
SHARED_REGISTERS = 2  # of so many registers of features: eight sums
# Pairs that are summed in the precision of the values before the sum is added to one in double precision: errors of
# scores in single precision reach 2e-7 with 128, and 6e-8 with 32, which take as long
PAIRS_AT_ONCE = 32


def _adder(registers: int, targets: int) -> Callable[..., Any]:
    """Make the sum over pairs for so many registers of features and so many targets."""

    @intrinsic
    def add(typingctx, X, stride, f, nominal, shape, rows, starts, cols, W, n_targets, t, ends, totals, place, step):
        """Add to totals[place + s * step + k * lanes + a] the sum over the pairs q of some rows of

            W[q * n_targets + t + s] * diff(X[rows_q * stride + g], X[cols_q * stride + g]), g = f + k * lanes + a

        for s < targets, k < registers, a < lanes.

        X and W are flat and of one type, totals is flat and in double precision.  shape: of the diffs of numbers, as in
        `Diff`.  ends: first and last of the rows, first and last of their pairs.
        """
        signature = types.void(
            X, stride, f, nominal, shape, rows, starts, cols, W, n_targets, t, ends, totals, place, step
        )

        def generate(context, builder, signature, args):
            return _generate(registers, targets, context, builder, signature, args)

        return signature, generate

    return add


def _generate(registers: int, targets: int, context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> ir.Value:
    values, weights, totals = (pointer(context, builder, signature, args, k) for k in (0, 8, 12))
    rows, starts, cols = (_Whole(context, builder, signature, args, k) for k in (5, 6, 7))
    stride, feature, n_targets, target, place_of_sums, step = (args[k] for k in (1, 2, 9, 10, 13, 14))
    first_row, last_row, first_pair, last_pair = cgutils.unpack_tuple(builder, args[11], 4)
    element = signature.args[0].dtype
    lanes = 32 * register_width(context) // element.bitwidth
    kind = ir.VectorType(context.get_value_type(element), lanes)
    shape = None if signature.args[4] is types.none else cgutils.unpack_tuple(builder, args[4], 3)
    sums = {(s, k): cgutils.alloca_once(builder, kind) for s in range(targets) for k in range(registers)}
    for total in sums.values():
        builder.store(ir.Constant(kind, [0.0] * lanes), total)

    def load(row: ir.Value) -> list[ir.Value]:
        start = builder.add(builder.mul(row, stride), feature)
        ends = [address(builder, values, plus(builder, start, k * lanes), kind) for k in range(registers)]
        return [builder.load(end, align=4) for end in ends]

    def add_pairs(diff: Callable[..., ir.Value]) -> None:
        with cgutils.for_range_slice(builder, first_row, last_row, ir.Constant(I64, 1), intp=I64) as (b, _):
            first_row_values = load(rows.at(b))
            first, last = starts.at(b), starts.at(plus(builder, b, 1))
            first = builder.select(builder.icmp_signed("<", first, first_pair), first_pair, first)
            last = builder.select(builder.icmp_signed(">", last, last_pair), last_pair, last)
            with cgutils.for_range_slice(builder, first, last, ir.Constant(I64, 1), intp=I64) as (q, _):
                diffs = [diff(x, y) for x, y in zip(first_row_values, load(cols.at(q)), strict=True)]
                weight_at = builder.add(builder.mul(q, n_targets), target)
                for s in range(targets):
                    weight = splat(builder, builder.load(builder.gep(weights, [plus(builder, weight_at, s)])), kind)
                    for k in range(registers):
                        product = builder.fmul(weight, diffs[k], flags=["contract"])
                        total = builder.fadd(builder.load(sums[s, k]), product, flags=["contract"])
                        builder.store(total, sums[s, k])

    with builder.if_else(builder.trunc(args[3], ir.IntType(1))) as (of_codes, of_numbers):
        with of_codes:
            add_pairs(lambda x, y: _differs(builder, x, y))
        with of_numbers:
            add_pairs(lambda x, y: _difference(builder, element, shape, x, y))
    wide = ir.VectorType(ir.DoubleType(), lanes)
    for s, k in sums:
        row = builder.add(place_of_sums, builder.mul(step, ir.Constant(I64, s)))
        end = address(builder, totals, plus(builder, row, k * lanes), wide)
        added = builder.load(sums[s, k])
        added = added if element == types.float64 else builder.fpext(added, wide)
        builder.store(builder.fadd(builder.load(end, align=8), added), end, align=8)
    return context.get_dummy_value()


class _Whole:
    """Whole numbers of an array argument."""

    def __init__(self, context: Any, builder: ir.IRBuilder, signature: Any, args: Any, k: int):
        self._builder, self._data = builder, pointer(context, builder, signature, args, k)

    def at(self, place: ir.Value) -> ir.Value:
        """The number at a place, in 64 bits."""
        number = self._builder.load(self._builder.gep(self._data, [place]))
        return number if number.type == I64 else self._builder.sext(number, I64)


def _differs(builder: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
    """Diff of nominal codes: 1 where they differ, else 0."""
    one, zero = (ir.Constant(x.type, [number] * x.type.count) for number in (1.0, 0.0))
    return builder.select(builder.fcmp_unordered("!=", x, y), one, zero)


def _difference(
    builder: ir.IRBuilder, element: Any, shape: list[ir.Value] | None, x: ir.Value, y: ir.Value
) -> ir.Value:
    """Diff of numbers: `shaped` of the absolute difference."""
    ending = f".v{x.type.count}f{element.bitwidth}"
    difference = call(builder, "llvm.fabs" + ending, x.type, builder.fsub(x, y))
    if shape is None:
        return difference
    low, slope, squared = shape
    low, slope = (splat(builder, _in_precision(builder, number, x.type.element), x.type) for number in (low, slope))
    one, zero = (ir.Constant(x.type, [number] * x.type.count) for number in (1.0, 0.0))
    ramp = builder.fmul(builder.fsub(difference, low), slope)
    ramp = call(builder, "llvm.maxnum" + ending, x.type, ramp, zero)
    ramp = call(builder, "llvm.minnum" + ending, x.type, ramp, one)
    return builder.select(builder.trunc(squared, ir.IntType(1)), builder.fmul(ramp, ramp), ramp)


def _in_precision(builder: ir.IRBuilder, number: ir.Value, kind: ir.Type) -> ir.Value:
    return number if number.type == kind else builder.fptrunc(number, kind)


_add_1, _add_2, _add_3, _add_4, _add_5, _add_6 = (_adder(k, 1) for k in range(1, MOST_REGISTERS + 1))
_share_1, _share_2 = (_adder(k, TARGETS) for k in range(1, SHARED_REGISTERS + 1))


@compiled
def add_pairs(X, features, nominal, shape, rows, starts, cols, weights, out):
    """Add, for the features f from features[0] to features[1], which are of one kind, and T targets,

        out[t, f] += sum over pairs q of weights[q, t] * diff_f(rows_q, cols_q)

    Pairs are as in `PairList`.  X (n, width) in C order, whose rows are whole registers; out (T, > f) in C order and
    double precision.
    """
    first, last = features
    lanes = lanes_of(X)
    n_targets, n_registers = len(out), (last - first + lanes - 1) // lanes
    whole = n_registers * lanes == last - first
    begin = first if whole else min(first, X.shape[1] - n_registers * lanes)  # the last register ends in the row
    totals = out if whole else np.zeros((n_targets, n_registers * lanes))
    numbers = begin, n_registers, begin if whole else 0
    values = X.reshape(-1), X.shape[1], nominal, shape
    pairs = rows, starts, cols, weights.reshape(-1)
    stretch_rows = _rows_of_stretches(starts)
    in_fours = n_targets // TARGETS * TARGETS
    if in_fours:
        _add_targets(values, numbers, pairs, stretch_rows, in_fours, totals)
    for t in range(in_fours, n_targets):
        _add_target(values, numbers, pairs, stretch_rows, t, totals)
    if not whole:
        for t in range(n_targets):
            for f in range(first, last):
                out[t, f] += totals[t, f - begin]


@compiled
def _rows_of_stretches(starts):
    """For each stretch of PAIRS_AT_ONCE pairs the row that its first pair is of, and at the end the last row."""
    n_pairs = starts[-1]
    n_stretches = (n_pairs + PAIRS_AT_ONCE - 1) // PAIRS_AT_ONCE
    first_rows = np.full(n_stretches + 1, len(starts) - 2)
    b = 0
    for s in range(n_stretches):
        while starts[b + 1] <= s * PAIRS_AT_ONCE:
            b += 1
        first_rows[s] = b
    return first_rows


@compiled
def _add_target(values, numbers, pairs, stretch_rows, t, totals):
    """Add the sums of one of the targets: those of up to MOST_REGISTERS registers over all pairs, then of the next.

    Registers are shared out evenly: one that is left alone would wait for its own sum at every pair.  numbers: the
    first feature, the number of registers, and the place of the first feature in the rows of totals.
    """
    (X, stride, nominal, shape), (rows, starts, cols, W) = values, pairs
    f, n_registers, column = numbers
    lanes, flat = lanes_of(X), totals.reshape(-1)
    n_targets, step = totals.shape
    place = t * step + column
    n_chunks = (n_registers + MOST_REGISTERS - 1) // MOST_REGISTERS
    for c in range(n_chunks):
        k = n_registers * (c + 1) // n_chunks - n_registers * c // n_chunks
        for s in range(len(stretch_rows) - 1):
            start = s * PAIRS_AT_ONCE
            stop = min(start + PAIRS_AT_ONCE, starts[-1])
            ends = stretch_rows[s], stretch_rows[s + 1] + 1, start, stop
            if k == 6:
                _add_6(X, stride, f, nominal, shape, rows, starts, cols, W, n_targets, t, ends, flat, place, step)
            elif k == 5:
                _add_5(X, stride, f, nominal, shape, rows, starts, cols, W, n_targets, t, ends, flat, place, step)
            elif k == 4:
                _add_4(X, stride, f, nominal, shape, rows, starts, cols, W, n_targets, t, ends, flat, place, step)
            elif k == 3:
                _add_3(X, stride, f, nominal, shape, rows, starts, cols, W, n_targets, t, ends, flat, place, step)
            elif k == 2:
                _add_2(X, stride, f, nominal, shape, rows, starts, cols, W, n_targets, t, ends, flat, place, step)
            else:
                _add_1(X, stride, f, nominal, shape, rows, starts, cols, W, n_targets, t, ends, flat, place, step)
        f += k * lanes
        place += k * lanes


@compiled
def _add_targets(values, numbers, pairs, stretch_rows, in_fours, totals):
    """Add the sums of the first targets, a multiple of TARGETS: a stretch of pairs, TARGETS targets and some features
    at a time."""
    (X, stride, nominal, shape), (rows, starts, cols, W) = values, pairs
    begin, n_registers, column = numbers
    lanes, flat = lanes_of(X), totals.reshape(-1)
    n_targets, step = totals.shape
    for s in range(len(stretch_rows) - 1):
        start = s * PAIRS_AT_ONCE
        stop = min(start + PAIRS_AT_ONCE, starts[-1])
        ends = stretch_rows[s], stretch_rows[s + 1] + 1, start, stop
        for t in range(0, in_fours, TARGETS):
            f, place = begin, t * step + column
            for _ in range(n_registers // SHARED_REGISTERS):
                _share_2(X, stride, f, nominal, shape, rows, starts, cols, W, n_targets, t, ends, flat, place, step)
                f += SHARED_REGISTERS * lanes
                place += SHARED_REGISTERS * lanes
            if n_registers % SHARED_REGISTERS:
                _share_1(X, stride, f, nominal, shape, rows, starts, cols, W, n_targets, t, ends, flat, place, step)
