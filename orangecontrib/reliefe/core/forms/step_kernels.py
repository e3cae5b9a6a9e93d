"""The kernels of whole-number distances: in vector registers, or plain loops where numba does not compile."""

from types import ModuleType


def step_kernels() -> ModuleType:
    """Module with `measure`, `offer`, `zone_bits` and `add_moments`; importing it imports numba."""
    from numba import config

    if config.DISABLE_JIT:  # type: ignore[attr-defined]  # set when numba is imported
        from . import codes_plain

        return codes_plain
    from . import codes_simd

    return codes_simd
