"""Words for kernels in LLVM's own terms: what the intrinsics of the files `*_simd.py` of the engine have in common.

Importing this file imports numba.
"""

from functools import cache, partial
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .jit import compiled

I64, I32 = ir.IntType(64), ir.IntType(32)
# Registers that LLVM names in its code for numbers of 16 bits, and how many numbers of 32 bits one of them has
REGISTER_WIDTHS = {"zmm": 16, "ymm": 8}
NARROW_WIDTH = 4  # numbers of 32 bits in a register of any other processor
WIDEST = 32  # numbers of 16 bits in the widest register that there is


def register_width(context: Any) -> int:
    """Number of 32-bit numbers in a register of the processor that is compiled for, which may not be this one."""
    return _register_width(*context.codegen().magic_tuple())


@cache
def _register_width(triple: str, name: str, features: str) -> int:
    """Read the width of a register off the code that LLVM makes of a maximum of 16-bit numbers for a processor.

    LLVM alone knows what the name of a processor means, and has no function that tells it.

    Parameters
    ----------
    triple : str
        Kind of processor and system, in LLVM's words.
    name : str
        Processor, such as "znver4", "haswell" or "x86-64-v3".
    features : str
        What it has beyond its name, such as "+avx2,-avx512bw".
    """
    numbers = ir.VectorType(ir.IntType(16), WIDEST)
    module = ir.Module()
    module.triple = triple
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [numbers.as_pointer()] * 2), "maximum")
    builder = ir.IRBuilder(function.append_basic_block())
    x, y = (builder.load(argument, align=2) for argument in function.args)
    builder.store(builder.select(builder.icmp_signed(">", x, y), x, y), function.args[0], align=2)
    builder.ret_void()
    # Some processors prefer narrower registers than the widest ones, which they have all the same
    wide = '"min-legal-vector-width"="512" "prefer-vector-width"="512"'
    text = str(module).replace(")\n{", f") {wide}\n{{")
    machine = binding.Target.from_triple(triple).create_target_machine(cpu=name, features=features)
    code = machine.emit_assembly(binding.parse_assembly(text))
    return next((width for register, width in REGISTER_WIDTHS.items() if register in code), NARROW_WIDTH)


def pointer(context: Any, builder: ir.IRBuilder, signature: Any, args: Any, k: int) -> ir.Value:
    """Pointer to the data of the k-th argument, an array."""
    return cgutils.create_struct_proxy(signature.args[k])(context, builder, value=args[k]).data


def splat(builder: ir.IRBuilder, value: ir.Value, kind: ir.VectorType) -> ir.Value:
    """Register with one number in all places."""
    empty = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(empty, value, ir.Constant(I32, 0))
    return builder.shuffle_vector(first, empty, ir.Constant(ir.VectorType(I32, kind.count), [0] * kind.count))


def call(builder: ir.IRBuilder, name: str, result: ir.Type, *args: ir.Value) -> ir.Value:
    """Result of one of LLVM's intrinsic functions."""
    kind = ir.FunctionType(result, [a.type for a in args])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)


def plus(builder: ir.IRBuilder, start: ir.Value, number: int) -> ir.Value:
    """A 64-bit number plus a constant."""
    return builder.add(start, ir.Constant(I64, number))


def address(builder: ir.IRBuilder, base: ir.Value, offset: ir.Value, kind: ir.VectorType) -> ir.Value:
    """Pointer to the register that begins at base[offset]."""
    return builder.bitcast(builder.gep(base, [offset]), kind.as_pointer())


def nominal_diff(builder: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
    """Return the diffs of registers of codes: 1 where they differ, else 0."""
    one, zero = (ir.Constant(x.type, [number] * x.type.count) for number in (1.0, 0.0))
    return builder.select(builder.fcmp_unordered("!=", x, y), one, zero)


def numeric_diff(builder: ir.IRBuilder, shape: list[ir.Value] | None, x: ir.Value, y: ir.Value) -> ir.Value:
    """Return the diffs of registers of numbers: |x - y|, or with a shape (low, slope, squared) the ramp

    r = min(max((|x - y| - low) * slope, 0), 1), or r^2 if squared; see `kernels.diff.shaped`.
    """
    element = x.type.element
    ending = f".v{x.type.count}f{64 if element == ir.DoubleType() else 32}"
    difference = call(builder, "llvm.fabs" + ending, x.type, builder.fsub(x, y))
    if shape is None:
        return difference
    low, slope, squared = shape
    low, slope = (splat(builder, _in_precision(builder, number, element), x.type) for number in (low, slope))
    one, zero = (ir.Constant(x.type, [number] * x.type.count) for number in (1.0, 0.0))
    ramp = builder.fmul(builder.fsub(difference, low), slope)
    ramp = call(builder, "llvm.maxnum" + ending, x.type, ramp, zero)
    ramp = call(builder, "llvm.minnum" + ending, x.type, ramp, one)
    return builder.select(builder.trunc(squared, ir.IntType(1)), builder.fmul(ramp, ramp), ramp)


def _in_precision(builder: ir.IRBuilder, number: ir.Value, kind: ir.Type) -> ir.Value:
    """Return a double in the precision of the values."""
    return number if number.type == kind else builder.fptrunc(number, kind)


@intrinsic
def _trailing_zeros(typingctx, bits):
    signature = types.int64(types.uint64)

    def generate(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return signature, generate


inlined = partial(compiled, forceinline=True)


# These two are compiled functions, not intrinsics: so kernels that use them are compiled again when this file changes.
@inlined
def lowest_bit(bits):
    """Place of the lowest bit that is set, of 64, at least one of which is."""
    return _trailing_zeros(bits)


@intrinsic
def _lanes(typingctx, values):
    signature = types.int64(values)

    def generate(context, builder, signature, args):
        return ir.Constant(I64, 32 * register_width(context) // signature.args[0].dtype.bitwidth)

    return signature, generate


@inlined
def lanes_of(values):
    """Number of values of an array that fit into a register."""
    return _lanes(values)
