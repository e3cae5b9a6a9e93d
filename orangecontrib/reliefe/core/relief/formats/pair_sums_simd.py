"""Sums of weighted diffs of listed pairs of dense rows, in vector registers.

`pair_sums.py` calls `add_pairs` for the sums over parts of a list, or its plain form where numba does not compile, and
`add_pairs_of_targets` for many targets.  For every feature f, and part s of the pairs or target t

    out[s, f] += sum over pairs q of part s of weights[q] * diff_f(rows_q, cols_q)
    out[t, f] += sum over pairs q of weights[q, t] * diff_f(rows_q, cols_q)

Layout: pairs are as in `PairList`.  The values of a row are contiguous, so that a register has neighbouring features of
one row, 16 in single precision with AVX-512; `lanes` is the number of values in a register.

    16 lanes, features 0 to 31:                     register 0 has the features 0 to 15, register 1 the others
    16 lanes, features 0 to 7 of a row of 16:       register 0 has the features 0 to 15; the sums of 8 to 15 are dropped

Registers: the sums of up to 6 registers of features for one target, or of 2 registers for each of 4 targets, stay in
registers while the pairs go by.  LLVM does so only if they are no array, which numba cannot say.  So the loop over the
pairs is written in LLVM's own terms, once for each number of registers (`_adder`).

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
from ...kernels.registers import (
    I64,
    address,
    inlined,
    lanes_of,
    nominal_diff,
    numeric_diff,
    plus,
    pointer,
    register_width,
    splat,
)

MAX_REGISTERS = 6  # of features for one target: with six sums and six values of the row they fill AVX2's sixteen
TARGETS = 4  # that share the diffs of a pair
SHARED_REGISTERS = 2  # of features for TARGETS targets: eight sums
# Pairs that are summed in the precision of the values before the sum is added to one in double precision: errors of
# scores in single precision reach 2e-7 with 128, and 6e-8 with 32, which take as long
PAIRS_AT_ONCE = 32


def _adder(registers: int, targets: int) -> Callable[..., Any]:
    """Make the loop over pairs for a number of registers of features and a number of targets."""

    @intrinsic
    def add(
        typingctx,
        X,
        stride,
        f,
        nominal,
        shape,
        rows,
        starts,
        cols,
        W,
        n_targets,
        t,
        ends,
        totals,
        at,
        row_stride,
    ):
        """Add weighted diffs of some pairs q to the sums for targets t + s and features g:

            totals[at + s * row_stride + k * lanes + a] += sum over q of W[q * n_targets + t + s] * diff(x, y)
            x = X[rows_q * stride + g],    y = X[cols_q * stride + g],    g = f + k * lanes + a

        for s < targets, k < registers, a < lanes.

        X, W : flat arrays of one type, values and weights.
        totals : flat float64 array.
        shape : of the diffs of numbers, as in `Diff`; None: plain diffs.
        ends : first row and end of the rows in `rows`, first pair and end of the pairs.
        """
        signature = types.void(
            X, stride, f, nominal, shape, rows, starts, cols, W, n_targets, t, ends, totals, at, row_stride
        )

        def generate(context, builder, signature, args):
            return _generate(registers, targets, context, builder, signature, args)

        return signature, generate

    return add


def _generate(
    n_registers: int, targets: int, context: Any, builder: ir.IRBuilder, signature: Any, args: Any
) -> ir.Value:
    """Write the code of an intrinsic of `_adder`."""
    values, weights, totals = (pointer(context, builder, signature, args, k) for k in (0, 8, 12))
    rows, starts, cols = (_Integers(context, builder, signature, args, k) for k in (5, 6, 7))
    stride, feature, n_targets, target, at, row_stride = (args[k] for k in (1, 2, 9, 10, 13, 14))
    first_row, end_row, first_pair, end_pair = cgutils.unpack_tuple(builder, args[11], 4)
    element = signature.args[0].dtype
    lanes = 32 * register_width(context) // element.bitwidth
    kind = ir.VectorType(context.get_value_type(element), lanes)
    shape = None if signature.args[4] is types.none else cgutils.unpack_tuple(builder, args[4], 3)

    # Sums in registers, 0 at first
    sums = {(s, k): cgutils.alloca_once(builder, kind) for s in range(targets) for k in range(n_registers)}
    for total in sums.values():
        builder.store(ir.Constant(kind, [0.0] * lanes), total)

    def load_row(row: ir.Value) -> list[ir.Value]:
        """Load the registers of a row."""
        start = builder.add(builder.mul(row, stride), feature)
        ends = [address(builder, values, plus(builder, start, k * lanes), kind) for k in range(n_registers)]
        return [builder.load(end, align=4) for end in ends]

    def add_pairs(diff: Callable[..., ir.Value]) -> None:
        """Write the loop over first rows, and over the pairs of each, as far as these are in the stretch."""
        one = ir.Constant(I64, 1)
        with cgutils.for_range_slice(builder, first_row, end_row, one, intp=I64) as (b, _):
            values_of_row = load_row(rows.at(b))
            first = starts.at(b)
            end = starts.at(plus(builder, b, 1))
            first = builder.select(builder.icmp_signed("<", first, first_pair), first_pair, first)
            end = builder.select(builder.icmp_signed(">", end, end_pair), end_pair, end)
            with cgutils.for_range_slice(builder, first, end, one, intp=I64) as (q, _):
                values_of_col = load_row(cols.at(q))
                diffs = [diff(x, y) for x, y in zip(values_of_row, values_of_col, strict=True)]
                weights_at = builder.add(builder.mul(q, n_targets), target)
                for s in range(targets):
                    weight = builder.load(builder.gep(weights, [plus(builder, weights_at, s)]))
                    weights_in_register = splat(builder, weight, kind)
                    for k in range(n_registers):
                        product = builder.fmul(weights_in_register, diffs[k], flags=["contract"])
                        total = builder.fadd(builder.load(sums[s, k]), product, flags=["contract"])
                        builder.store(total, sums[s, k])

    is_nominal = builder.trunc(args[3], ir.IntType(1))
    with builder.if_else(is_nominal) as (of_codes, of_numbers):
        with of_codes:
            add_pairs(lambda x, y: nominal_diff(builder, x, y))
        with of_numbers:
            add_pairs(lambda x, y: numeric_diff(builder, shape, x, y))

    # Sums in double precision, to those in memory
    wide = ir.VectorType(ir.DoubleType(), lanes)
    for s, k in sums:
        row = builder.add(at, builder.mul(row_stride, ir.Constant(I64, s)))
        end = address(builder, totals, plus(builder, row, k * lanes), wide)
        added = builder.load(sums[s, k])
        if element != types.float64:
            added = builder.fpext(added, wide)
        builder.store(builder.fadd(builder.load(end, align=8), added), end, align=8)
    return context.get_dummy_value()


class _Integers:
    """Integers of the k-th argument, an array."""

    def __init__(self, context: Any, builder: ir.IRBuilder, signature: Any, args: Any, k: int):
        self._builder = builder
        self._data = pointer(context, builder, signature, args, k)

    def at(self, index: ir.Value) -> ir.Value:
        """Load the integer at an index, in 64 bits."""
        number = self._builder.load(self._builder.gep(self._data, [index]))
        return number if number.type == I64 else self._builder.sext(number, I64)


_add_1, _add_2, _add_3, _add_4, _add_5, _add_6 = (_adder(k, 1) for k in range(1, MAX_REGISTERS + 1))
_share_1, _share_2 = (_adder(k, TARGETS) for k in range(1, SHARED_REGISTERS + 1))


@compiled
def add_pairs(X, features, nominal, shape, rows, starts, cols, weights, t, starts_of_parts, out):
    """Add the weighted diffs of each part of the listed pairs, by the weights for target t, to a row of `out`.

    Up to MAX_REGISTERS registers of features are summed at a time.  Registers are divided evenly: one that is left
    alone would wait for its own sum at every pair.

    X : (n, width) array in C order, whose rows are whole registers.
    features : first and last feature f, all of one kind.
    nominal : True if they are nominal, else numeric.
    shape : of the diffs of numbers, as in `Diff`; None: plain diffs.
    rows, starts, cols, weights : as in `PairList`.
    starts_of_parts : (S + 1,) int64 array, first place in `rows` of each part, and the end of the last one.
    out : (S, >= features[1]) float64 array in C order.
    """
    first, last = features
    lanes = lanes_of(X)
    values = X.reshape(-1)
    stride = X.shape[1]
    W = weights.reshape(-1)
    n_targets = weights.shape[1]
    flat = out.reshape(-1)
    width = out.shape[1]
    n_registers = (last - first + lanes - 1) // lanes
    f = min(first, stride - n_registers * lanes)  # the last register ends in the row
    n_chunks = (n_registers + MAX_REGISTERS - 1) // MAX_REGISTERS
    scratch = np.zeros(MAX_REGISTERS * lanes)
    for c in range(n_chunks):
        k = n_registers * (c + 1) // n_chunks - n_registers * c // n_chunks
        # Registers of other features, too, are added to sums of their own, of which those of the features are added
        is_whole = first <= f and f + k * lanes <= last
        sums = flat if is_whole else scratch
        for s in range(len(starts_of_parts) - 1):
            at = s * width + f if is_whole else 0
            b = starts_of_parts[s]
            start = starts[b]
            end = starts[starts_of_parts[s + 1]]
            while start < end:
                stop = min(start + PAIRS_AT_ONCE, end)
                b, e = _rows_of_pairs(starts, b, start, stop)
                ends = b, e, start, stop
                if k == 6:
                    _add_6(values, stride, f, nominal, shape, rows, starts, cols, W, n_targets, t, ends, sums, at, 0)
                elif k == 5:
                    _add_5(values, stride, f, nominal, shape, rows, starts, cols, W, n_targets, t, ends, sums, at, 0)
                elif k == 4:
                    _add_4(values, stride, f, nominal, shape, rows, starts, cols, W, n_targets, t, ends, sums, at, 0)
                elif k == 3:
                    _add_3(values, stride, f, nominal, shape, rows, starts, cols, W, n_targets, t, ends, sums, at, 0)
                elif k == 2:
                    _add_2(values, stride, f, nominal, shape, rows, starts, cols, W, n_targets, t, ends, sums, at, 0)
                else:
                    _add_1(values, stride, f, nominal, shape, rows, starts, cols, W, n_targets, t, ends, sums, at, 0)
                start = stop
            if not is_whole:
                for g in range(max(first, f), min(last, f + k * lanes)):
                    flat[s * width + g] += scratch[g - f]
                scratch[:] = 0
        f += k * lanes


@compiled
def add_pairs_of_targets(X, features, nominal, shape, rows, starts, cols, weights, out):
    """Add the weighted diffs of listed pairs to the sums for T targets, T a multiple of TARGETS.

    PAIRS_AT_ONCE pairs after others, for TARGETS targets and SHARED_REGISTERS registers of features at a time.

    X, features, nominal, shape, rows, starts, cols, weights : as of `add_pairs`.
    out : (T, >= features[1]) float64 array in C order.
    """
    first, last = features
    lanes = lanes_of(X)
    values = X.reshape(-1)
    stride = X.shape[1]
    W = weights.reshape(-1)
    n_weights = weights.shape[1]
    n_targets = len(out)
    n_registers = (last - first + lanes - 1) // lanes

    # Whole registers are added to `out`, others to sums of their own, of which those of the features are added then
    is_whole = n_registers * lanes == last - first
    begin = first if is_whole else min(first, stride - n_registers * lanes)
    totals = out if is_whole else np.zeros((n_targets, n_registers * lanes))
    flat = totals.reshape(-1)
    width = totals.shape[1]
    b = np.int64(0)
    start = starts[0]
    while start < starts[-1]:
        stop = min(start + PAIRS_AT_ONCE, starts[-1])
        b, e = _rows_of_pairs(starts, b, start, stop)
        ends = b, e, start, stop
        for t in range(0, n_targets, TARGETS):
            f = begin
            at = t * width + (begin if is_whole else 0)
            for _ in range(n_registers // SHARED_REGISTERS):
                _share_2(values, stride, f, nominal, shape, rows, starts, cols, W, n_weights, t, ends, flat, at, width)
                f += SHARED_REGISTERS * lanes
                at += SHARED_REGISTERS * lanes
            if n_registers % SHARED_REGISTERS:
                _share_1(values, stride, f, nominal, shape, rows, starts, cols, W, n_weights, t, ends, flat, at, width)
        start = stop
    if not is_whole:
        for t in range(n_targets):
            for f in range(first, last):
                out[t, f] += totals[t, f - begin]


@inlined
def _rows_of_pairs(starts, b, start, stop):
    """Return the first and the end of the rows that have the pairs from start to stop, places in `PairList.rows`.

    b : a row that begins at `start` or before.
    """
    while starts[b + 1] <= start:
        b += 1
    end = b
    while starts[end] < stop:
        end += 1
    return b, end
