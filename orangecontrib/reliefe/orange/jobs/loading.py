"""Message before compiled code is loaded."""

import sys

LOADING = "Loading compiled code (takes longer the first time)"


def tell_loading(state) -> None:
    """Say what takes long where nothing has been computed yet; comes before imports of the core's kernels."""
    if "numba" not in sys.modules:
        state.set_status(LOADING)
