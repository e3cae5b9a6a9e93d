"""Tables of counts, for example words in texts: how they are recognised, and which differences suit them.

Decided for the whole table: features of diff 0 or 1 beside such with small diffs would take over distances and scores.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..words import percent
from .diff import BY_DATA, PRESENCE, RANGE
from .table import DataTable

MIN_ZEROS = 0.75  # share of zeros from which numbers at least 0 are counts
MIN_WIDE = 1000  # features above which neighbours of counts are better looked up by cosine
CELLS = 2**20  # that are looked at together


@dataclass(frozen=True)
class Counts:
    """Facts about the numbers of a table."""

    features: int  # numbers of features, and of those that are numeric
    numeric: int
    known: int  # numbers of their values that are known, zero, and below zero
    zeros: int
    negative: int
    larger: bool  # whether any of them is neither 0 nor 1

    @classmethod
    def of(cls, table: DataTable) -> "Counts":
        (n, p), numeric = table.shape, int((~table.nominal).sum())
        if table.packed:
            found = table.packed.counts()[:, ~table.nominal].sum(axis=1)
            return cls(p, numeric, int(found[:3].sum()), int(found[0]), 0, bool(found[2]))
        total = np.zeros(4, np.int64)
        if table.is_sparse:
            stored = cast("sparse.csr_array", table.values)
            data = stored.data if numeric == p else stored.data[~table.nominal[stored.indices]]
            total += _tally(data)
            total[:2] += n * numeric - len(data)
        else:
            values, step = cast("np.ndarray", table.values), max(CELLS // p, 1)
            for start in range(0, n, step):
                block = values[start : start + step]
                total += _tally(block if numeric == p else block[:, ~table.nominal])
        known, zeros, negative, others = total.tolist()
        return cls(p, numeric, known, zeros, negative, others > 0)

    @property
    def share(self) -> float:
        """Share of the known numbers that are 0."""
        return self.zeros / max(self.known, 1)

    @property
    def expected(self) -> bool:
        """True if the numbers are counts by the rule: most features, none below 0, at least three quarters zeros."""
        return 2 * self.numeric > self.features and self.negative == 0 and self.share >= MIN_ZEROS

    @property
    def wide(self) -> bool:
        """True if there are so many features that the cosine finds near rows better."""
        return self.features > MIN_WIDE


def settled(parameters: Mapping[str, Any], table: DataTable) -> dict[str, Any]:
    """Parameters of a method, and of a method within, after the data have decided those left to them."""
    if not any(map(_left_open, parameters.items())):
        return dict(parameters)
    kind = PRESENCE if Counts.of(table).expected else RANGE
    return {name: _with_kind(name, value, kind) for name, value in parameters.items()}


def notes(diff: str, cosine: bool, table: DataTable) -> tuple[list[str], list[str]]:
    """Warnings and information for users of differences of counts."""
    if diff not in (PRESENCE, BY_DATA) and not cosine:
        return [], []
    found = Counts.of(table)
    warnings, information = [], []
    if diff == BY_DATA:
        taken, reason = PRESENCE if found.expected else RANGE, f"{percent(found.share)} of the numbers are 0"
        if 2 * found.numeric <= found.features:
            reason = "most features are nominal"
        elif found.negative:
            reason = "there are values below 0"
        information.append(f"differences: {taken}, since {reason}")
    if (diff == PRESENCE or cosine) and found.numeric:
        if found.negative:
            warnings.append(
                f"{found.negative:,} values are below 0, and counts never are: presence only separates zero from "
                "all other values"
            )
        elif not found.zeros:
            warnings.append("no value is 0: by presence all rows are alike")
    return warnings, information


def _left_open(item: tuple[str, Any]) -> bool:
    name, value = item
    return (name == "diff" and value == BY_DATA) or (_is_nested(value) and any(map(_left_open, value[1])))


def _with_kind(name: str, value: Any, kind: str) -> Any:
    """The value of a parameter; within a method, of a tuple (name, pairs), those of its parameters."""
    if _is_nested(value):
        return value[0], tuple((inner, _with_kind(inner, own, kind)) for inner, own in value[1])
    return kind if name == "diff" and value == BY_DATA else value


def _is_nested(value: Any) -> bool:
    if not (isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], tuple)):
        return False
    return all(isinstance(pair, tuple) and len(pair) == 2 for pair in value[1])


def _tally(values: np.ndarray) -> np.ndarray:
    """Numbers (4,) of values that are known, 0, below 0, neither 0 nor 1."""
    known = values.size - np.count_nonzero(np.isnan(values))
    zeros = np.count_nonzero(values == 0)
    return np.array([known, zeros, np.count_nonzero(values < 0), known - zeros - np.count_nonzero(values == 1)])
