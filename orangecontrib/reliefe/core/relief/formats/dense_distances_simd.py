"""Distances of a tile of pairs of dense rows, in vector registers.

`DenseManhattan` (`dense.py`) calls `tile_distances` for plain diffs in single precision; `dense.py` has the plain form,
which takes over without numba's compiler, in double precision, and for other diffs.  For every pair of a tile

    out[i - i0, j - j0] = sum over features f of diff_f(i, j)

Layout: `Features.lanes`, in which 64 rows lie side by side; see `dense_sums_simd.py`.

Registers: the distances of ROWS = 8 rows to HALF = 32 rows are 16 registers of AVX-512, with 16 numbers each, and the
features go by.  The innermost loop is written in LLVM's own terms, since numba would keep these sums in memory.

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

ROWS = 8  # whose distances are in registers at a time
HALF = LANES // 2  # rows that these are compared with at a time
FEATURES_AT_ONCE = 128  # features summed in single precision before the sum is added to the tile


def _measurer(nominal: bool) -> Callable[..., Any]:
    """Make the innermost loop of `tile_distances`, for nominal or numeric features."""

    @intrinsic
    def measure(typingctx, lanes, rows_at, cols_at, n_features, distances):
        """Set the distances (float32, flat) of ROWS rows r to HALF rows q, by `n_features` features:

            distances[r * HALF + q] = sum over f < n_features of diff(x, y)
            x = lanes[rows_at + f * LANES + r],    y = lanes[cols_at + f * LANES + q]

        lanes is float32 and flat; `rows_at` and `cols_at` are places in it.
        """
        signature = types.void(lanes, rows_at, cols_at, n_features, distances)
        return signature, partial(_generate, nominal)

    return measure


def _generate(nominal: bool, context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> ir.Value:
    """Write the code of an intrinsic of `_measurer`."""
    values, distances = (pointer(context, builder, signature, args, k) for k in (0, 4))
    rows_at, cols_at, n_features = args[1:4]
    width = register_width(context)
    kind = ir.VectorType(ir.FloatType(), width)
    n_registers = HALF // width
    registers = [(r, k) for r in range(ROWS) for k in range(n_registers)]

    # Sums in registers, 0 at first
    totals = {register: cgutils.alloca_once(builder, kind) for register in registers}
    for register in registers:
        builder.store(ir.Constant(kind, [0.0] * width), totals[register])

    # One feature after another
    with cgutils.for_range(builder, n_features, intp=I64) as loop:
        offset = builder.mul(loop.index, ir.Constant(I64, LANES))
        rows_of_feature = builder.add(rows_at, offset)
        cols_of_feature = builder.add(cols_at, offset)
        values_of_cols = []
        for k in range(n_registers):
            start = plus(builder, cols_of_feature, k * width)
            values_of_cols.append(builder.load(address(builder, values, start, kind), align=4))
        for r in range(ROWS):
            value_at = builder.gep(values, [plus(builder, rows_of_feature, r)])
            value = splat(builder, builder.load(value_at), kind)
            for k in range(n_registers):
                diff = _diff(builder, nominal, value, values_of_cols[k])
                builder.store(builder.fadd(builder.load(totals[r, k]), diff), totals[r, k])

    # Back to memory
    for r, k in registers:
        end = address(builder, distances, ir.Constant(I64, r * HALF + k * width), kind)
        builder.store(builder.load(totals[r, k]), end, align=4)
    return context.get_dummy_value()


def _diff(builder: ir.IRBuilder, nominal: bool, x: ir.Value, y: ir.Value) -> ir.Value:
    """Return the diffs of two registers of values."""
    kind = x.type
    if nominal:
        one, zero = (ir.Constant(kind, [number] * kind.count) for number in (1.0, 0.0))
        return builder.select(builder.fcmp_unordered("!=", x, y), one, zero)
    return call(builder, f"llvm.fabs.v{kind.count}f32", kind, builder.fsub(x, y))


_measure_numeric = _measurer(nominal=False)
_measure_nominal = _measurer(nominal=True)


@compiled
def tile_distances(lanes, width, features, nominal, where, upper, out):
    """Sums of diffs over features[0] to features[1] for a tile of pairs: out is set, or added to if the first is not 0.

    lanes : flat float32 array, laid out as above, with `width` features.
    features : first and last of the features, all of one kind.
    nominal : True if these are nominal, else numeric.
    where : i0, i1, j0, j1, rows and columns of the tile, of which i0 and j0 are multiples of LANES.
    upper : True if only pairs i < j are needed; others may be set, too.
    out : (>= i1 - i0, >= j1 - j0) array of distances.
    """
    i0, i1, j0, j1 = where
    first, last = features
    distances = np.empty(ROWS * HALF, np.float32)
    for f0 in range(first, last, FEATURES_AT_ONCE):
        n_features = min(FEATURES_AT_ONCE, last - f0)
        for j_first in range(j0, j1, HALF):
            cols_at = (j_first // LANES * width + f0) * LANES + j_first % LANES
            n_cols = min(HALF, j1 - j_first)
            i_end = min(i1, j_first + HALF) if upper else i1
            for i_first in range(i0, i_end, ROWS):
                rows_at = (i_first // LANES * width + f0) * LANES + i_first % LANES
                if nominal:
                    _measure_nominal(lanes, rows_at, cols_at, n_features, distances)
                else:
                    _measure_numeric(lanes, rows_at, cols_at, n_features, distances)
                for r in range(min(ROWS, i1 - i_first)):
                    row = out[i_first - i0 + r, j_first - j0 : j_first - j0 + n_cols]
                    measured = distances[r * HALF : r * HALF + n_cols]
                    if f0 == 0:
                        for q in range(n_cols):
                            row[q] = measured[q]
                    else:
                        for q in range(n_cols):
                            row[q] += measured[q]
