"""Tables of counts, for example words in texts: how they are recognised, and which differences suit them.

Decided for the whole table: features of diff 0 or 1 beside such with small diffs would take over distances and scores.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..words import percent
from .diff import BY_DATA, PRESENCE, RANGE
from .table import DataTable

MIN_ZEROS = 0.75  # share of zeros from which numbers at least 0 are counts
MIN_WIDE = 1000  # features above which neighbours of counts are better looked up by cosine
CELLS_PER_BLOCK = 2**20  # cells that are counted at once


@dataclass(frozen=True)
class Counts:
    """Facts about the numbers of a table.

    features: number of features.
    numeric: number of numeric features; all that follows is about their values.
    known: number of known values.
    zeros: number of values that are 0.
    negative: number of values below 0.
    larger: True if any value is neither 0 nor 1.
    """

    features: int
    numeric: int
    known: int
    zeros: int
    negative: int
    larger: bool

    @classmethod
    def of(cls, table: DataTable) -> "Counts":
        """Count the numbers of a table."""
        n, p = table.shape
        numeric = int((~table.nominal).sum())
        if table.packed:
            of_codes = table.packed.counts()[:, ~table.nominal].sum(axis=1)
            return cls(p, numeric, int(of_codes[:3].sum()), int(of_codes[0]), 0, bool(of_codes[2]))
        total = np.zeros(4, np.int64)
        if table.is_sparse:
            stored = cast("sparse.csr_array", table.values)
            data = stored.data if numeric == p else stored.data[~table.nominal[stored.indices]]
            total += _tally(data)
            total[:2] += n * numeric - len(data)
        else:
            values = cast("np.ndarray", table.values)
            step = max(CELLS_PER_BLOCK // p, 1)
            for start in range(0, n, step):
                block = values[start : start + step]
                total += _tally(block if numeric == p else block[:, ~table.nominal])
        n_known, n_zeros, n_negative, n_others = total.tolist()
        return cls(p, numeric, n_known, n_zeros, n_negative, n_others > 0)

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
    """Replace parameters that are left to the data by what suits a table.

    Parameters
    ----------
    parameters : mapping
        Parameters of a method, and of a method within.
    table : DataTable
        Features.
    """
    if not _leave_open(parameters.items()):
        return dict(parameters)
    kind = PRESENCE if Counts.of(table).expected else RANGE
    return {name: _with_kind(name, value, kind) for name, value in parameters.items()}


def notes_on_counts(diff: str, cosine: bool, table: DataTable) -> tuple[list[str], list[str]]:
    """Return warnings and information for users of differences of counts.

    Parameters
    ----------
    diff : str
        Kind of the differences, or BY_DATA.
    cosine : bool
        True if neighbours are near by the cosine.
    table : DataTable
        Features.
    """
    if diff not in (PRESENCE, BY_DATA) and not cosine:
        return [], []
    counts = Counts.of(table)
    warnings, information = [], []
    if diff == BY_DATA:
        kind = PRESENCE if counts.expected else RANGE
        reason = f"{percent(counts.share)} of the numbers are 0"
        if 2 * counts.numeric <= counts.features:
            reason = "most features are nominal"
        elif counts.negative:
            reason = "there are values below 0"
        information.append(f"differences: {kind}, since {reason}")
    if (diff == PRESENCE or cosine) and counts.numeric:
        if counts.negative:
            warnings.append(
                f"{counts.negative:,} values are below 0, and counts never are: presence only separates zero from "
                "all other values"
            )
        elif not counts.zeros:
            warnings.append("no value is 0: by presence all rows are alike")
    return warnings, information


def _leave_open(parameters: Iterable[tuple[str, Any]]) -> bool:
    """True if one of these pairs of names and values, or one of a method within, is left to the data."""
    for name, value in parameters:
        if name == "diff" and value == BY_DATA:
            return True
        if isinstance(value, tuple) and _is_nested(value) and _leave_open(value[1]):
            return True
    return False


def _with_kind(name: str, value: Any, kind: str) -> Any:
    """Return the value of a parameter with a kind in the place of BY_DATA, also in a method within."""
    if _is_nested(value):
        return value[0], tuple((inner_name, _with_kind(inner_name, inner, kind)) for inner_name, inner in value[1])
    return kind if name == "diff" and value == BY_DATA else value


def _is_nested(value: Any) -> bool:
    """True for a method within: a tuple (name, pairs of names and values)."""
    if not (isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], tuple)):
        return False
    return all(isinstance(pair, tuple) and len(pair) == 2 for pair in value[1])


def _tally(values: np.ndarray) -> np.ndarray:
    """Count values (4,): those that are known, that are 0, below 0, and neither 0 nor 1."""
    n_known = values.size - np.count_nonzero(np.isnan(values))
    n_zeros = np.count_nonzero(values == 0)
    n_negative = np.count_nonzero(values < 0)
    return np.array([n_known, n_zeros, n_negative, n_known - n_zeros - np.count_nonzero(values == 1)])
