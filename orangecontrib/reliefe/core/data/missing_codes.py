"""Numbers that usually stand for missing values, as -9 or -999, found where they are far from all other values.

`core/notes.py` calls it with the features and the target of a ranking, and `genetics/phenotype.py` with
phenotypes.
"""

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from ..words import shown, some
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
    others = values[~is_code & ~np.isnan(values)].astype(float)
    if not is_code.any() or not len(others):
        return []
    least = others.min()
    with np.errstate(over="ignore", invalid="ignore"):
        span = others.max() - least
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


def clauses(codes_of: Mapping[str, Sequence[float]]) -> dict[float, str]:
    """Return a clause on each far code, for findings and notes; codes_of: codes by columns as a message writes them."""
    columns: dict[float, list[str]] = {}
    for name, codes in codes_of.items():
        for code in codes:
            columns.setdefault(code, []).append(name)
    return {
        code: f"{code:g} in {some(names)} often means missing, and is far below all other values"
        for code, names in sorted(columns.items())
    }


def note(codes_of: Mapping[str, Sequence[float]]) -> str:
    """Return a sentence on columns with far codes, with advice. The command line and windows write their own way."""
    texts = clauses(codes_of)
    codes = " and ".join(f"{code:g}" for code in texts)
    return f"{'; '.join(texts.values())}. If so, read {codes} as missing (NaN in arrays)"


def feature_name(table: DataTable, f: int) -> str:
    """Return the name of a feature as a message writes it."""
    return shown(table.names[f]) if table.names else f"feature number {f + 1}"
