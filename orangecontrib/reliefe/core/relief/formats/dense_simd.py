"""Distances and the dense update in vector registers, where plain numba reaches half to four fifths of the machine.

LLVM keeps the sums of a loop in registers only if they are no array.  `_generate` says so in LLVM's own terms: FEATURES
features of LANES / 2 rows are summed over up to LANES rows without touching memory; `_generate_distances` does the same
for ROWS rows over features.  `tile_sums` and `tile_distances` have plain twins, which take over without numba's
compiler, in double precision, and for diffs other than the plain one.

Importing this file imports numba.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from ...kernels.jit import compiled
from .bits import LANES

FEATURES, ROWS = 4, 8  # that are worked on at once, by sums and by distances
FEATURES_AT_ONCE = 128  # features summed in single precision before the sum is added to the tile
HALF = LANES // 2
# Numbers of a register; kernels built for a class of processors (numba's CPU_NAME) use what all of the class have.
WIDTH = (
    16
    if llvmlite.binding.get_host_cpu_features().get("avx512f") and not config.CPU_NAME  # type: ignore[attr-defined]  # set when numba is imported
    else 8
    if "x86" in llvmlite.binding.get_process_triple()
    else 4
)
REGISTERS = HALF // WIDTH
INDEX, VECTOR = ir.IntType(64), ir.VectorType(ir.FloatType(), WIDTH)


def _adder(nominal: bool) -> Callable[..., Any]:
    @intrinsic
    def add(typingctx, lanes, a0, b0, V, v0, v_step, rows, out):
        """Add sum over r < rows of V[v0 + r v_step + q] diff(lanes[a0 + f LANES + r], lanes[b0 + f LANES + q]).

        The place is out[f HALF + q], f < FEATURES, q < HALF; arrays are float32 and flat, a0, b0, v0 places in them.
        """
        signature = types.void(lanes, a0, b0, V, v0, v_step, rows, out)
        return signature, partial(_generate, nominal)

    return add


def _generate(nominal: bool, context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> ir.Value:
    x, v, total = (_pointer(context, builder, signature, args, k) for k in (0, 3, 7))
    a0, b0, v0, v_step, rows = (args[k] for k in (1, 2, 4, 5, 6))
    places = [(f, k) for f in range(FEATURES) for k in range(REGISTERS)]

    def at(base, offset):
        return builder.bitcast(builder.gep(base, [offset]), VECTOR.as_pointer())

    def plus(start, number):
        return builder.add(start, ir.Constant(INDEX, number))

    other = {(f, k): builder.load(at(x, plus(b0, f * LANES + k * WIDTH)), align=4) for f, k in places}
    ends = {(f, k): at(total, ir.Constant(INDEX, f * HALF + k * WIDTH)) for f, k in places}
    sums = {place: cgutils.alloca_once(builder, VECTOR) for place in places}
    for place in places:
        builder.store(builder.load(ends[place], align=4), sums[place])
    with cgutils.for_range(builder, rows, intp=INDEX) as loop:
        here = builder.add(v0, builder.mul(loop.index, v_step))
        weights = [builder.load(at(v, plus(here, k * WIDTH)), align=4) for k in range(REGISTERS)]
        row = builder.add(a0, loop.index)
        for f in range(FEATURES):
            value = _broadcast(builder, builder.load(builder.gep(x, [plus(row, f * LANES)])))
            for k in range(REGISTERS):
                term = _weigh(builder, nominal, value, other[f, k], weights[k], builder.load(sums[f, k]))
                builder.store(term, sums[f, k])
    for place in places:
        builder.store(builder.load(sums[place]), ends[place], align=4)
    return context.get_dummy_value()


def _weigh(
    builder: ir.IRBuilder, nominal: bool, x: ir.Value, y: ir.Value, weight: ir.Value, total: ir.Value
) -> ir.Value:
    """total + weight * diff(x, y)."""
    if nominal:
        differs = builder.fcmp_unordered("!=", x, y)
        return builder.fadd(total, builder.select(differs, weight, ir.Constant(VECTOR, [0.0] * WIDTH)))
    diff = builder.call(_library(builder, "fabs", 1), [builder.fsub(x, y)])
    return builder.call(_library(builder, "fma", 3), [weight, diff, total])


def _library(builder: ir.IRBuilder, name: str, n_arguments: int) -> ir.Function:
    kind = ir.FunctionType(VECTOR, [VECTOR] * n_arguments)
    return cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{WIDTH}f32")


def _pointer(context: Any, builder: ir.IRBuilder, signature: Any, args: Any, k: int) -> ir.Value:
    """Pointer to the data of an array argument."""
    return cgutils.create_struct_proxy(signature.args[k])(context, builder, value=args[k]).data


def _broadcast(builder: ir.IRBuilder, value: ir.Value) -> ir.Value:
    empty = ir.Constant(VECTOR, ir.Undefined)
    first = builder.insert_element(empty, value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, empty, ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH))


def _measurer(nominal: bool) -> Callable[..., Any]:
    @intrinsic
    def measure(typingctx, lanes, a0, b0, features, out):
        """Set out[r HALF + q] to sum over f < features of diff(lanes[a0 + f LANES + r], lanes[b0 + f LANES + q]).

        r < ROWS, q < HALF; arrays are float32 and flat, a0 and b0 places in them.
        """
        signature = types.void(lanes, a0, b0, features, out)
        return signature, partial(_generate_distances, nominal)

    return measure


def _generate_distances(nominal: bool, context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> ir.Value:
    x, total = (_pointer(context, builder, signature, args, k) for k in (0, 4))
    a0, b0, features = args[1:4]
    places = [(r, k) for r in range(ROWS) for k in range(REGISTERS)]

    def at(base, start, number):
        place = builder.gep(base, [builder.add(start, ir.Constant(INDEX, number))])
        return builder.bitcast(place, VECTOR.as_pointer())

    sums = {place: cgutils.alloca_once(builder, VECTOR) for place in places}
    for place in places:
        builder.store(ir.Constant(VECTOR, [0.0] * WIDTH), sums[place])
    one = ir.Constant(VECTOR, [1.0] * WIDTH)
    with cgutils.for_range(builder, features, intp=INDEX) as loop:
        step = builder.mul(loop.index, ir.Constant(INDEX, LANES))
        mine, theirs = builder.add(a0, step), builder.add(b0, step)
        other = [builder.load(at(x, theirs, k * WIDTH), align=4) for k in range(REGISTERS)]
        for r in range(ROWS):
            value = _broadcast(builder, builder.load(builder.gep(x, [builder.add(mine, ir.Constant(INDEX, r))])))
            for k in range(REGISTERS):
                total_ = builder.load(sums[r, k])
                if nominal:
                    term = _weigh(builder, True, value, other[k], one, total_)
                else:
                    diff = builder.call(_library(builder, "fabs", 1), [builder.fsub(value, other[k])])
                    term = builder.fadd(total_, diff)
                builder.store(term, sums[r, k])
    zero = ir.Constant(INDEX, 0)
    for r, k in places:
        builder.store(builder.load(sums[r, k]), at(total, zero, r * HALF + k * WIDTH), align=4)
    return context.get_dummy_value()


_add_numeric, _add_nominal = _adder(nominal=False), _adder(nominal=True)
_measure_numeric, _measure_nominal = _measurer(nominal=False), _measurer(nominal=True)


@compiled
def tile_distances(lanes, width, features, nominal, where, upper, out):
    """Sums of diffs over features[0] to features[1] for a tile of pairs: out is set, or added to if the first is not 0.

    lanes is flat, width the number of features in it.
    """
    (i0, i1, j0, j1), (first, last) = where, features
    acc = np.empty(ROWS * HALF, np.float32)
    for f0 in range(first, last, FEATURES_AT_ONCE):
        depth = min(FEATURES_AT_ONCE, last - f0)
        for l0 in range(j0, j1, HALF):
            other = (l0 // LANES * width + f0) * LANES + l0 % LANES
            stop = min(HALF, j1 - l0)
            for r0 in range(i0, min(i1, l0 + HALF) if upper else i1, ROWS):
                own = (r0 // LANES * width + f0) * LANES + r0 % LANES
                if nominal:
                    _measure_nominal(lanes, own, other, depth, acc)
                else:
                    _measure_numeric(lanes, own, other, depth, acc)
                for r in range(min(ROWS, i1 - r0)):
                    row, found = out[r0 - i0 + r, l0 - j0 : l0 - j0 + stop], acc[r * HALF : r * HALF + stop]
                    if f0 == 0:
                        for q in range(stop):
                            row[q] = found[q]
                    else:
                        for q in range(stop):
                            row[q] += found[q]


@compiled
def tile_sums(lanes, width, features, nominal, V, v_step, where, out):
    """Sums over a tile of V_ij diff_f(i, j), added to out[f] for f from features[0] to features[1].

    These lie a multiple of FEATURES apart; lanes and V are flat, width is the number of features in lanes.
    """
    i0, i1, j0, j1 = where
    acc = np.empty(FEATURES * HALF, np.float32)
    for l0 in range(j0, j1, LANES):
        stop = min(i1, l0 + LANES)
        for f in range(features[0], features[1], FEATURES):
            other = (l0 // LANES * width + f) * LANES
            acc[:] = 0
            for k0 in range(i0, stop, LANES):
                own, place = (k0 // LANES * width + f) * LANES, (k0 - i0) * v_step + l0 - j0
                for half in range(0, min(LANES, j1 - l0), HALF):
                    rows = min(min(stop, l0 + half + HALF) - k0, LANES)  # further down the triangle is empty
                    if nominal:
                        _add_nominal(lanes, own, other + half, V, place + half, v_step, rows, acc)
                    else:
                        _add_numeric(lanes, own, other + half, V, place + half, v_step, rows, acc)
            for a in range(FEATURES):
                total = acc[0] * 0
                for q in range(HALF):
                    total += acc[a * HALF + q]
                out[f + a] += total
