"""Random numbers of kernels."""

import numpy as np

from .jit import kernel

INLINED = {"_nrt": False, "no_cpython_wrapper": True, "forceinline": True}


@kernel(**INLINED)
def xorshift(x):
    """State after x, 64 bits, not 0: xorshift (Marsaglia 2003, section 3.1)."""
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    return x


@kernel(**INLINED)
def uniform(state):
    """Next number in [0, 1): the upper 53 bits of the state (1,), which moves on."""
    x = state[0] = xorshift(state[0])
    return np.float64(x >> np.uint64(11)) * 2.0**-53
