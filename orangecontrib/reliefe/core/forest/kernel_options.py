"""Options of the kernels of this room: how numba compiles and inlines them.

Structs of arrays cost little where calls are inlined (trees of 200 to 4,000 rows: 0.97 to 1.07 of the time with single
arrays), and counting references costs more than arithmetic: kernels allocate nothing.  Compiling takes long: so what
Python does not call has no wrapper, and what is called once is merged with its caller.
"""

PLAIN = {"_nrt": False}  # called by Python
INNER = {**PLAIN, "no_cpython_wrapper": True}  # called by kernels
INLINED = {**INNER, "forceinline": True}  # inlined by LLVM
MERGED = {**INNER, "inline": "always"}  # inlined by numba, before types are inferred
