"""The kernels of whole-number distances: in vector registers, or plain loops where numba does not compile."""

from types import ModuleType

from ...kernels.jit import compiles


def step_kernels() -> ModuleType:
    """Module with `measure`, `offer`, `zone_bits` and `add_moments`; importing it imports numba."""
    if compiles():
        from . import codes_simd

        return codes_simd
    from . import codes_plain

    return codes_plain
