"""Numbers that usually stand for missing values, as -9 or -999, found where they are far from all other values.

`core/notes.py` calls it with the features and the target of a ranking, and `genetics/phenotype.py` with
phenotypes.
"""

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np

from ..words import shown_item, some
from .scratch import in_file
from .table import DataTable

# PLINK writes -9, SPSS and surveys -9, -99 and -999, weather stations and maps -999, -9999 and -99999.
CODES = (-99999.0, -9999.0, -999.0, -99.0, -9.0)
THE_TARGET = "the target"


def far_codes(values: np.ndarray) -> list[float]:
    """Return the CODES that occur in a column and are far below all of its other values.

    A code c is far if m - c > M - m, where m and M are the least and the largest value that is no code.  The other
    values then share less than half of the range max - min by which diffs of Relief are divided (Kira and Rendell 1992,
    the function diff), so that they hardly differ any more.

    Parameters
    ----------
    values : (n,) array
        Numbers, NaN where unknown.

    Returns
    -------
    list of float
        The codes, ascending.
    """
    is_code = np.isin(values, CODES)
    other_values = values[~is_code & ~np.isnan(values)].astype(float)
    if not is_code.any() or not len(other_values):
        return []
    least = other_values.min()
    with np.errstate(over="ignore", invalid="ignore"):
        span = other_values.max() - least
    return [code for code in np.unique(values[is_code]).tolist() if least - code > span]


def coded_features(table: DataTable) -> dict[int, list[float]]:
    """Return the numeric features of a table that have `far_codes`, and these codes.

    A far code is the least value of its feature, so that one pass over the minima excludes most features.  Sparse,
    packed and mapped tables are not searched.
    """
    if table.is_sparse or table.packed or in_file(table.values):
        return {}
    X = cast("np.ndarray", table.values)
    candidates = np.flatnonzero(np.isin(np.fmin.reduce(X, axis=0), CODES) & ~table.nominal)
    return {f: codes for f in candidates.tolist() if (codes := far_codes(X[:, f]))}


class CodedColumn(NamedTuple):
    """Column with far codes.

    Attributes
    ----------
    title : str
        Its name as a message writes it.
    codes : list of float
        Its `far_codes`.
    feature : int or None
        Index of the feature; None: a column of the target.
    """

    title: str
    codes: list[float]
    feature: int | None = None


class FarCode(NamedTuple):
    """Number that seems to stand for missing values.

    Attributes
    ----------
    code : float
        The number.
    columns : tuple of CodedColumn
        The columns in which it is far from all other values.
    """

    code: float
    columns: tuple[CodedColumn, ...]

    @property
    def clause(self) -> str:
        """A clause on the code, for findings and notes."""
        titles = [column.title for column in self.columns]
        return f"{self.code:g} in {some(titles)} often means missing, and is far below all other values"

    @property
    def features(self) -> list[int]:
        """Indices of the features that have the code."""
        return [column.feature for column in self.columns if column.feature is not None]

    @property
    def is_in_target(self) -> bool:
        """True if the target has the code."""
        return any(column.feature is None for column in self.columns)


def by_code(columns: Sequence[CodedColumn]) -> list[FarCode]:
    """Return the codes of columns, ascending, each with the columns that have it."""
    codes = sorted({code for column in columns for code in column.codes})
    return [FarCode(code, tuple(column for column in columns if code in column.codes)) for code in codes]


def note_on_far_codes(far: Sequence[FarCode]) -> str:
    """Return a sentence on columns with far codes, with advice. The command line and windows write their own way."""
    codes = " and ".join(f"{number.code:g}" for number in far)
    return f"{'; '.join(number.clause for number in far)}. If so, read {codes} as missing (NaN in arrays)"


def feature_name(table: DataTable, f: int) -> str:
    """Return the name of a feature as a message writes it."""
    return shown_item(f, table.names)
