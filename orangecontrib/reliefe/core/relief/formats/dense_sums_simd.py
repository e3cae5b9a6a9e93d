"""Sums of weighted diffs over a tile of pairs of dense rows, in vector registers.

`DenseSums` (`sums.py`) calls `tile_sums` for plain diffs in single precision; `sums.py` has the plain form, which takes
over without numba's compiler, in double precision, and for other diffs.  For every feature f

    out[f] += sum over pairs i < j of a tile of V[i, j] * diff_f(i, j)

Layout: `Features.lanes` has the values of LANES = 64 rows side by side, one feature after another, for the rows 0 to
63, then for the rows 64 to 127, and so on.  With `width` features the value of feature f in row i is at

    lanes[(i // 64 * width + f) * 64 + i % 64],    lanes = [x[0, 0], x[1, 0], ..., x[63, 0], x[0, 1], x[1, 1], ...]

Registers: LLVM keeps the sums of a loop in registers only if they are no array, which numba cannot say.  So the
innermost loop is written in LLVM's own terms: the sums of FEATURES = 4 features over HALF = 32 rows j are 8 registers
of AVX-512, with 16 numbers each, and the rows i go by.

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
from ...kernels.registers import I64, address, call, plus, pointer, register_width, splat
from .bits import LANES

FEATURES = 4  # whose sums are in registers at a time
HALF = LANES // 2  # rows j whose sums are in registers at a time


def _adder(nominal: bool) -> Callable[..., Any]:
    """Make the innermost loop of `tile_sums`, for nominal or numeric features."""

    @intrinsic
    def add(typingctx, lanes, rows_at, cols_at, V, weights_at, row_stride, n_rows, sums):
        """Add weighted diffs of `n_rows` rows r to HALF rows q, for FEATURES features f, to sums (float32, flat):

            sums[f * HALF + q] += sum over r < n_rows of V[weights_at + r * row_stride + q] * diff(x, y)
            x = lanes[rows_at + f * LANES + r],    y = lanes[cols_at + f * LANES + q]

        lanes and V are float32 and flat; `rows_at`, `cols_at` and `weights_at` are places in them.
        """
        signature = types.void(lanes, rows_at, cols_at, V, weights_at, row_stride, n_rows, sums)
        return signature, partial(_generate, nominal)

    return add


def _generate(nominal: bool, context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> ir.Value:
    """Write the code of an intrinsic of `_adder`."""
    values, weights, sums = (pointer(context, builder, signature, args, k) for k in (0, 3, 7))
    rows_at, cols_at, weights_at, row_stride, n_rows = (args[k] for k in (1, 2, 4, 5, 6))
    width = register_width(context)
    kind = ir.VectorType(ir.FloatType(), width)
    n_registers = HALF // width
    registers = [(f, k) for f in range(FEATURES) for k in range(n_registers)]

    # Values of the rows q, and the sums so far, in registers
    values_of_cols = {}
    ends = {}
    totals = {}
    for f, k in registers:
        start = plus(builder, cols_at, f * LANES + k * width)
        values_of_cols[f, k] = builder.load(address(builder, values, start, kind), align=4)
        ends[f, k] = address(builder, sums, ir.Constant(I64, f * HALF + k * width), kind)
        totals[f, k] = cgutils.alloca_once(builder, kind)
    for f, k in registers:
        builder.store(builder.load(ends[f, k], align=4), totals[f, k])

    # One row r after another
    with cgutils.for_range(builder, n_rows, intp=I64) as loop:
        row_of_weights = builder.add(weights_at, builder.mul(loop.index, row_stride))
        weights_of_cols = []
        for k in range(n_registers):
            start = plus(builder, row_of_weights, k * width)
            weights_of_cols.append(builder.load(address(builder, weights, start, kind), align=4))
        row = builder.add(rows_at, loop.index)
        for f in range(FEATURES):
            value_at = builder.gep(values, [plus(builder, row, f * LANES)])
            value = splat(builder, builder.load(value_at), kind)
            for k in range(n_registers):
                total = builder.load(totals[f, k])
                added = _add_weighted(builder, nominal, value, values_of_cols[f, k], weights_of_cols[k], total)
                builder.store(added, totals[f, k])

    # Back to memory
    for f, k in registers:
        builder.store(builder.load(totals[f, k]), ends[f, k], align=4)
    return context.get_dummy_value()


def _add_weighted(
    builder: ir.IRBuilder, nominal: bool, x: ir.Value, y: ir.Value, weight: ir.Value, total: ir.Value
) -> ir.Value:
    """Return total + weight * diff(x, y), all of them registers."""
    kind = x.type
    if nominal:
        differs = builder.fcmp_unordered("!=", x, y)
        zero = ir.Constant(kind, [0.0] * kind.count)
        return builder.fadd(total, builder.select(differs, weight, zero))
    diff = call(builder, f"llvm.fabs.v{kind.count}f32", kind, builder.fsub(x, y))
    return call(builder, f"llvm.fma.v{kind.count}f32", kind, weight, diff, total)


_add_numeric = _adder(nominal=False)
_add_nominal = _adder(nominal=True)


@compiled
def tile_sums(lanes, width, features, nominal, V, row_stride, bounds, out):
    """Add sums over a tile of V[i, j] * diff_f(i, j) to out[f], for the features f of one kind.

    lanes : flat float32 array, laid out as above, with `width` features.
    features : first and last feature f; they lie a multiple of FEATURES apart.
    nominal : True if these are nominal, else numeric.
    V : flat float32 array of weights, V[(i - i0) * row_stride + j - j0]; 0 unless i < j.
    bounds : i0, i1, j0, j1, rows and columns of the tile, of which i0 and j0 are multiples of LANES.
    out : (>= features[1],) float64 array.
    """
    i0, i1, j0, j1 = bounds
    sums = np.empty(FEATURES * HALF, np.float32)
    for j_first in range(j0, j1, LANES):
        i_end = min(i1, j_first + LANES)  # further down the triangle is empty
        for f in range(features[0], features[1], FEATURES):
            cols_at = (j_first // LANES * width + f) * LANES
            sums[:] = 0
            for i_first in range(i0, i_end, LANES):
                rows_at = (i_first // LANES * width + f) * LANES
                weights_at = (i_first - i0) * row_stride + j_first - j0
                for half in range(0, min(LANES, j1 - j_first), HALF):
                    n_rows = min(min(i_end, j_first + half + HALF) - i_first, LANES)
                    if nominal:
                        _add_nominal(lanes, rows_at, cols_at + half, V, weights_at + half, row_stride, n_rows, sums)
                    else:
                        _add_numeric(lanes, rows_at, cols_at + half, V, weights_at + half, row_stride, n_rows, sums)
            for g in range(FEATURES):
                total = sums[0] * 0
                for q in range(HALF):
                    total += sums[g * HALF + q]
                out[f + g] += total
