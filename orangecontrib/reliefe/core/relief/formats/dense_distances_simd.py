"""Distances of a tile of pairs of dense rows, in vector registers.

`DenseManhattan` (`dense.py`) calls `tile_distances`, in either precision and for all diffs.  For every pair of a tile

    out[i - i0, j - j0] = sum over features f of weight_f * diff_f(i, j)

Layout: `Features.lanes`, in which 64 rows lie side by side; see `dense_sums_simd.py`.

Registers: the distances of ROWS = 8 rows to two registers of rows are 16 registers of AVX-512, and to one register of
rows they are 8 of AVX2's 16, and the features go by.  The innermost loop is written in LLVM's own terms, since numba
would keep these sums in memory.

Importing this file imports numba.
"""

from collections.abc import Callable
from functools import partial
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
    numeric_diff,
    plus,
    pointer,
    register_width,
    splat,
)
from .bits import LANES

ROWS = 8  # whose distances are in registers at a time
HALF = LANES // 2  # rows that these are compared with by one call of the innermost loop
FEATURES_AT_ONCE = 128  # features summed in the precision of the data before the sum is added to the tile
WIDE = 16  # numbers of 32 bits in a register of AVX-512, of which there are 32 instead of 16


def _measurer(nominal: bool) -> Callable[..., Any]:
    """Make the innermost loop of `tile_distances`, for nominal or numeric features."""

    @intrinsic
    def measure(typingctx, lanes, rows_at, cols_at, n_features, weights, weights_at, shape, distances):
        """Set the distances (flat) of ROWS rows r to HALF rows q, by `n_features` features:

            distances[r * HALF + q] = sum over f < n_features of weights[weights_at + f] * diff(x, y)
            x = lanes[rows_at + f * LANES + r],    y = lanes[cols_at + f * LANES + q]

        lanes, weights and distances are flat arrays of one type; the `_at` are places in them.  Plain diffs of numbers
        are not weighed: values are multiplied by the weights before.

        shape : of the diffs of numbers, as in `Diff`; None: plain diffs.
        """
        signature = types.void(lanes, rows_at, cols_at, n_features, weights, weights_at, shape, distances)
        return signature, partial(_generate, nominal)

    return measure


def _generate(nominal: bool, context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> ir.Value:
    """Write the code of an intrinsic of `_measurer`."""
    values, weights, distances = (pointer(context, builder, signature, args, k) for k in (0, 4, 7))
    rows_at, cols_at, n_features, _, weights_at = args[1:6]
    element = signature.args[0].dtype
    width = 32 * register_width(context) // element.bitwidth
    kind = ir.VectorType(context.get_value_type(element), width)
    shape = None if signature.args[6] is types.none else cgutils.unpack_tuple(builder, args[6], 3)
    n_registers = 2 if register_width(context) == WIDE else 1  # of rows q at a time
    n_cols = n_registers * width
    registers = [(r, k) for r in range(ROWS) for k in range(n_registers)]
    totals = {register: cgutils.alloca_once(builder, kind) for register in registers}

    # Some rows q after others
    with cgutils.for_range(builder, ir.Constant(I64, HALF // n_cols), intp=I64) as sweep:
        first_col = builder.mul(sweep.index, ir.Constant(I64, n_cols))
        for register in registers:
            builder.store(ir.Constant(kind, [0.0] * width), totals[register])

        # One feature after another
        with cgutils.for_range(builder, n_features, intp=I64) as loop:
            offset = builder.mul(loop.index, ir.Constant(I64, LANES))
            rows_of_feature = builder.add(rows_at, offset)
            cols_of_feature = builder.add(builder.add(cols_at, offset), first_col)
            weight = builder.load(builder.gep(weights, [builder.add(weights_at, loop.index)]))
            weight = splat(builder, weight, kind)
            values_of_cols = []
            for k in range(n_registers):
                start = plus(builder, cols_of_feature, k * width)
                values_of_cols.append(builder.load(address(builder, values, start, kind), align=4))
            for r in range(ROWS):
                value_at = builder.gep(values, [plus(builder, rows_of_feature, r)])
                value = splat(builder, builder.load(value_at), kind)
                for k in range(n_registers):
                    diff = _weighted_diff(builder, nominal, shape, value, values_of_cols[k], weight)
                    builder.store(builder.fadd(builder.load(totals[r, k]), diff), totals[r, k])

        # Back to memory
        for r, k in registers:
            end = address(builder, distances, plus(builder, first_col, r * HALF + k * width), kind)
            builder.store(builder.load(totals[r, k]), end, align=4)
    return context.get_dummy_value()


def _weighted_diff(
    builder: ir.IRBuilder, nominal: bool, shape: list[ir.Value] | None, x: ir.Value, y: ir.Value, weight: ir.Value
) -> ir.Value:
    """Return weight * diff(x, y), all of them registers; plain diffs of numbers are not weighed."""
    if nominal:
        zero = ir.Constant(x.type, [0.0] * x.type.count)
        return builder.select(builder.fcmp_unordered("!=", x, y), weight, zero)
    diff = numeric_diff(builder, shape, x, y)
    return diff if shape is None else builder.fmul(diff, weight)


_measure_numeric = _measurer(nominal=False)
_measure_nominal = _measurer(nominal=True)


@compiled
def tile_distances(lanes, weights, features, nominal, shape, bounds, upper, out):
    """Sums of diffs over features[0] to features[1] for a tile of pairs: out is set, or added to if the first is not 0.

    lanes : flat array, laid out as above.
    weights : (width,) array of the same type, weights of all features but of plain numbers.
    features : first and last of the features, all of one kind.
    nominal : True if these are nominal, else numeric.
    shape : of the diffs of numbers, as in `Diff`; None: plain diffs.
    bounds : i0, i1, j0, j1, rows and columns of the tile, of which j0 is a multiple of HALF.
    upper : True if only pairs i < j are needed; others may be set, too.
    out : (>= i1 - i0, >= j1 - j0) array of distances.
    """
    i0, i1, j0, j1 = bounds
    first, last = features
    width = len(weights)
    distances = np.empty(ROWS * HALF, lanes.dtype)
    for f0 in range(first, last, FEATURES_AT_ONCE):
        n_features = min(FEATURES_AT_ONCE, last - f0)
        for j_first in range(j0, j1, HALF):
            cols_at = (j_first // LANES * width + f0) * LANES + j_first % LANES
            n_cols = min(HALF, j1 - j_first)
            i_end = min(i1, j_first + HALF) if upper else i1
            for i_first in range(i0 // ROWS * ROWS, i_end, ROWS):
                rows_at = (i_first // LANES * width + f0) * LANES + i_first % LANES
                if nominal:
                    _measure_nominal(lanes, rows_at, cols_at, n_features, weights, f0, shape, distances)
                else:
                    _measure_numeric(lanes, rows_at, cols_at, n_features, weights, f0, shape, distances)
                for r in range(max(i0 - i_first, 0), min(ROWS, i1 - i_first)):
                    row = out[i_first - i0 + r, j_first - j0 : j_first - j0 + n_cols]
                    measured = distances[r * HALF : r * HALF + n_cols]
                    if f0 == 0:
                        for q in range(n_cols):
                            row[q] = measured[q]
                    else:
                        for q in range(n_cols):
                            row[q] += measured[q]
