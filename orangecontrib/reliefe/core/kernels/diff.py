"""The difference of two values, and rows whose values are compared."""

from .jit import kernel

INLINED = {"no_cpython_wrapper": True, "forceinline": True}  # so that loops over features become vectors


@kernel(**INLINED)
def shaped(q, shape):
    """Diff of a scaled difference q: the same, or of a shape (low, slope, squared) what `Diff` makes of it."""
    if shape is None:  # decided when a kernel is compiled, not when it runs
        return q
    low, slope, squared = shape
    q = min(max((q - low) * slope, 0.0), 1.0)
    return q * q if squared else q


@kernel(**INLINED)
def diff(x, y, numeric, shape):
    """Diff of two values in double precision."""
    if numeric:
        return shaped(float(abs(x - y)), shape)
    return 1.0 if x != y else 0.0


@kernel
def put_diffs(x, y, cut, shape, out):
    """Diffs of two rows, the first `cut` of numbers."""
    for f in range(cut):
        out[f] = shaped(abs(x[f] - y[f]), shape)
    for f in range(cut, len(out)):
        out[f] = x[f] != y[f]


@kernel
def add_diffs(x, y, w, cut, shape, total):
    """The same times a weight, added to `total`."""
    for f in range(cut):
        total[f] += w * shaped(abs(x[f] - y[f]), shape)
    for f in range(cut, len(total)):
        total[f] += w * (x[f] != y[f])


@kernel
def unpack(entries, i, first, clear, out):
    """Put stored values of CSR row i, of the features from `first` on that `out` has room for, or zeros, into `out`."""
    indptr, indices, data = entries
    for s in range(indptr[i], indptr[i + 1]):
        f = indices[s] - first
        if 0 <= f < len(out):
            out[f] = 0 if clear else data[s]
