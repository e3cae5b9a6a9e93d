"""Sums of the diffs of listed pairs of dense rows, for one target or many: what `sums` and many targets are made of."""

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import NamedTuple

import numpy as np

from ...kernels.diff import add_diffs
from ...kernels.jit import compiles, kernel
from .features import Features
from .missing import Corrections


class PairList(NamedTuple):
    """Pairs of rows, those of one row after another, with a weight for each of T targets.

    The pairs (4, 7), (4, 9) and (5, 9) are rows [4, 5], starts [0, 2, 3] and cols [7, 9, 9].

    Attributes
    ----------
    rows : (b,) int32 array
        First row of some pairs; a row may occur again.
    starts : (b + 1,) int64 array
        Start of the pairs of each of these rows; the last number is q.
    cols : (q,) int32 array
        Second row of each pair.
    weights : (q, T) array
        Weights of each pair, in C order.
    """

    rows: np.ndarray
    starts: np.ndarray
    cols: np.ndarray
    weights: np.ndarray

    @classmethod
    def of_lists(
        cls, rows: np.ndarray, cols: np.ndarray, weights: Sequence[np.ndarray], dtype: "np.dtype[np.floating]"
    ) -> "PairList":
        """Pairs of rows (b,) with those of their lists, cols (b, ...), that weigh something.

        Parameters
        ----------
        rows : (b,) int array
        cols : (b, ...) int array
            Negative where there is nobody.
        weights : T arrays of the shape of `cols`
            Weights for each target.
        dtype : float32 or float64
            Type of the weights in the list: that of the values whose diffs they weigh.
        """
        flat = cols.reshape(len(rows), -1)
        of_targets = [of_target.reshape(flat.shape) for of_target in weights]
        weighs = of_targets[0] != 0
        for of_target in of_targets[1:]:
            weighs |= of_target != 0
        weighs &= flat >= 0
        starts = np.zeros(len(rows) + 1, np.int64)
        np.cumsum(np.count_nonzero(weighs, axis=1), out=starts[1:])
        listed = np.empty((starts[-1], len(of_targets)), dtype)
        for t, of_target in enumerate(of_targets):
            listed[:, t] = of_target[weighs]
        return cls(rows.astype(np.int32), starts, flat[weighs].astype(np.int32), listed)

    @property
    def first_rows(self) -> np.ndarray:
        """First row (q,) of each pair."""
        return np.repeat(self.rows, np.diff(self.starts))

    def of_rows(self, first: int, last: int) -> "PairList":
        """The pairs of rows[first] to rows[last - 1]."""
        start = self.starts[first]
        stop = self.starts[last]
        starts = self.starts[first : last + 1] - start
        return PairList(self.rows[first:last], starts, self.cols[start:stop], self.weights[start:stop])

    def of_target(self, t: int) -> "PairList":
        """The pairs that weigh something for target t, with its weights."""
        weighs = self.weights[:, t] != 0
        starts = np.append(0, np.cumsum(weighs))[self.starts]
        return PairList(self.rows, starts, self.cols[weighs], np.ascontiguousarray(self.weights[weighs, t : t + 1]))

    def turned(self) -> "PairList":
        """Return the same pairs, of which there is at least one, in the order of their second rows, as first ones."""
        n_cols = int(self.cols.max()) + 1
        turned = PairList(
            np.arange(n_cols, dtype=np.int32),
            np.append(0, np.cumsum(np.bincount(self.cols, minlength=n_cols))),
            np.empty_like(self.cols),
            np.empty_like(self.weights),
        )
        _turn(*self, turned.starts[:-1].copy(), turned.cols, turned.weights)
        return turned

    def copied(self) -> "PairList":
        """Return the same list in memory of its own."""
        return PairList(*(array.copy() for array in self))


class LimitedPairs(NamedTuple):
    """Pairs, with a limit (q,) for each, above which its diffs count."""

    pairs: PairList
    limits: np.ndarray

    def of_rows(self, first: int, last: int) -> "LimitedPairs":
        """The pairs of rows[first] to rows[last - 1]."""
        start = self.pairs.starts[first]
        stop = self.pairs.starts[last]
        return LimitedPairs(self.pairs.of_rows(first, last), self.limits[start:stop])

    def copied(self) -> "LimitedPairs":
        """Return the same pairs in memory of their own."""
        return LimitedPairs(self.pairs.copied(), self.limits.copy())


def sums_many_targets(features: Features) -> bool:
    """True if the sums for many targets are taken in one pass over the pairs: of complete dense rows."""
    return not (features.is_sparse or features.packed or features.missing)


def add_pair_sums(
    features: Features,
    pairs: PairList,
    out: np.ndarray,
    span: tuple[int, int] | None = None,
    missing: Corrections | None = None,
) -> None:
    """Add the weighted sums of the diffs of pairs to `out`.

    Parameters
    ----------
    features : Features
        Dense rows, which are padded to whole registers.
    pairs : PairList
    out : (T, features.n_padded_columns) float array
        For each target the sums of all features.
    span : (int, int)
        First and last of the features that are added; None: all of them.
    missing : Corrections
        Corrections, with a table, of the diffs of missing values; None: there are none.
    """
    n_targets = len(out)
    registers = _register_kernels()
    all_pairs = np.array([0, len(pairs.rows)])
    n_sharing = 0
    if registers and n_targets >= registers.TARGETS:
        n_sharing = n_targets // registers.TARGETS * registers.TARGETS
        _add_kinds(registers.add_pairs_of_targets, features, pairs, (), out[:n_sharing], span)
    for t in range(n_sharing, n_targets):
        _add_kinds(_kernel_of_parts(), features, pairs, (t, all_pairs), out[t : t + 1], span)
    add_corrections(missing, pairs, out)


def sums_of_parts(features: Features, pairs: PairList, starts_of_parts: np.ndarray) -> np.ndarray:
    """Compute the weighted sums of the diffs of parts of a list, for one target, without corrections.

    Parameters
    ----------
    features : Features
        Dense rows, which are padded to whole registers.
    pairs : PairList
    starts_of_parts : (S + 1,) int64 array
        First place in `pairs.rows` of each part, and the end of the last one.

    Returns
    -------
    (S, features.n_padded_columns) float64 array
    """
    out = np.zeros((len(starts_of_parts) - 1, features.n_padded_columns))
    _add_kinds(_kernel_of_parts(), features, pairs, (0, starts_of_parts), out, None)
    return out


def _add_kinds(
    add: Callable[..., None],
    features: Features,
    pairs: PairList,
    which: tuple[object, ...],
    out: np.ndarray,
    span: tuple[int, int] | None,
) -> None:
    """Call a kernel for the columns of each kind that lie in a span; which: its arguments before `out`."""
    if pairs.weights.dtype != features.values.dtype:  # as those of packed genotypes that are unpacked
        pairs = pairs._replace(weights=pairs.weights.astype(features.values.dtype))
    first, last = span or (0, features.n_padded_columns)
    for nominal, start, stop in features.kinds:
        of_kind = max(start, first), min(stop, last)
        if of_kind[0] < of_kind[1]:
            add(features.values, of_kind, nominal, features.diff.shape, *pairs, *which, out)


def _kernel_of_parts() -> Callable[..., None]:
    """Return the kernel in vector registers, or its plain form where numba does not compile."""
    registers = _register_kernels()
    return registers.add_pairs if registers else _add_pairs


def add_corrections(missing: Corrections | None, pairs: PairList, out: np.ndarray) -> None:
    """Add the weighted corrections of the diffs of missing values of both rows of pairs to out (T, >= p)."""
    if missing is None or not len(pairs.cols):
        return
    table = missing if missing.has_table else missing.span(0, missing.p)
    for pairs_of_side in (pairs, pairs.turned()):
        table.list_sums(*pairs_of_side, out)


def _register_kernels() -> ModuleType | None:
    """Return the kernels in vector registers, or None where numba does not compile."""
    if not compiles():
        return None
    from . import pair_sums_simd

    return pair_sums_simd


@kernel
def _turn(rows, starts, cols, weights, next_slots, turned_cols, turned_weights):
    """Put the first row of each pair, and its weights, into the next slot of its second row."""
    order = np.empty(len(cols), np.uint32)
    for b in range(len(rows)):
        i = rows[b]
        for q in range(np.uint64(starts[b]), np.uint64(starts[b + 1])):  # unsigned: no test for numbers below 0
            j = np.uint32(cols[q])
            slot = np.uint32(next_slots[j])
            next_slots[j] = slot + 1
            turned_cols[slot] = i
            order[slot] = q
    for t in range(weights.shape[1]):
        for slot in range(len(order)):
            turned_weights[slot, t] = weights[order[slot], t]


@kernel
def _add_pairs(X, features, nominal, shape, rows, starts, cols, weights, t, starts_of_parts, out):
    """Add to out[s, f] the sum over pairs of part s of weights[q, t] * diff_f, for features [first, last) of one kind.

    The plain form of the kernel of this name in `pair_sums_simd`.

    X : (n, n_padded_columns)
    features : first and last feature
    nominal : True for codes
    shape : `Diff.shape`
    rows, starts, cols, weights : fields of a `PairList`
    t : target
    starts_of_parts : (S + 1,), first place in `rows` of each part, and the end of the last one
    out : (S, n_padded_columns)
    """
    first, last = features
    n_numbers = 0 if nominal else last - first
    for s in range(len(starts_of_parts) - 1):
        total = out[s, first:last]
        for b in range(starts_of_parts[s], starts_of_parts[s + 1]):
            for q in range(starts[b], starts[b + 1]):
                add_diffs(X[rows[b], first:last], X[cols[q], first:last], weights[q, t], n_numbers, shape, total)
