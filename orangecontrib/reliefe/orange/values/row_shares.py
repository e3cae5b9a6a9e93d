"""Beeswarm of the shares that rows have in the score of a feature, as `explain` gives them.

*Why?* of the rankers draws it as points: a lane for each class, and colours by the values of the feature.
"""

import numpy as np
from Orange.data import Table, Variable

from ...core.words import counted
from .categories import MAX_VALUES_OF_PAIR, CategoriesOfRows, frequent
from .pictures import ScatterPoints, Side, Values

MAX_DOTS = 2_000  # of more rows, as many are drawn, evenly spread over the sorted shares; chosen by eye
N_COLUMNS = 60  # of dots of a lane that are stacked; chosen by eye
MIN_STACK = 5  # dots on each side of the middle for which a lane has room, so that few dots stay near it; by eye
HALF_LANE = 0.42  # of the distance of two lanes, that the highest stack takes to each side
ALL_ROWS = "all rows"
MISSING = "missing"
MAX_LANES = 6  # classes, the rest is one lane; chosen by eye


def beeswarm(x: np.ndarray, n_columns: int = N_COLUMNS) -> np.ndarray:
    """Place dots (m,) beside each other: heights from -1 to 1.

    Dots whose x lie in the same of n_columns equal columns are stacked around the middle, in turn above and below it,
    in the order of their x. The fullest column reaches from -1 to 1 unless it has few dots, and all columns have the
    same distance of dots.
    """
    low = x.min(initial=np.inf)
    width = x.max(initial=-np.inf) - low
    column = np.zeros(len(x), np.int64)
    if width > 0:
        column = np.minimum(((x - low) / width * n_columns).astype(np.int64), n_columns - 1)
    order = np.lexsort((x, column))
    sizes = np.bincount(column, minlength=n_columns)
    starts = np.cumsum(sizes) - sizes
    rank_in_column = np.empty(len(x), np.int64)
    rank_in_column[order] = np.arange(len(x)) - starts[column[order]]
    steps = (rank_in_column + 1) // 2 * np.where(rank_in_column % 2 == 1, 1, -1)  # 0, 1, -1, 2, -2, ...
    highest = sizes.max(initial=1) // 2
    heights: np.ndarray = steps / max(highest, MIN_STACK)
    return heights


def picture_of_shares(table: Table, feature: str, shares: np.ndarray | None) -> Values | None:
    """Draw the shares of rows in the score of a feature; None without shares.

    Parameters
    ----------
    table : Table
        The data.
    feature : str
        Name of the feature.
    shares : (n,) array, optional
        Share of each row; NaN for rows that take no part.
    """
    if shares is None or len(shares) != len(table) or feature not in table.domain:
        return None
    rows = np.flatnonzero(np.isfinite(shares))
    if not len(rows):
        return None
    n_shares = len(rows)
    if n_shares > MAX_DOTS:
        by_share = rows[np.argsort(shares[rows], kind="stable")]
        rows = np.sort(by_share[np.linspace(0, n_shares - 1, MAX_DOTS).round().astype(int)])
    x = shares[rows]

    # A lane for each class
    lanes = np.zeros(len(rows), np.int64)
    names: tuple[str, ...] = (ALL_ROWS,)
    title = ""
    targets = table.domain.class_vars
    if len(targets) == 1 and targets[0].is_discrete:
        classes = _categories(table, targets[0], rows, MAX_LANES)
        lanes = classes.codes
        names = classes.names
        title = targets[0].name
    y = lanes.astype(float)
    for lane in range(len(names)):
        y[lanes == lane] += HALF_LANE * beeswarm(x[lanes == lane])

    # Colours by the values of the feature
    variable = table.domain[feature]
    bottom = Side(f"Share in the score, colours by {feature}")
    sides = bottom, Side(title, tuple(names))
    n_missing = 0  # numbers, which have no colour of their own
    if variable.is_discrete:
        categories = _categories(table, variable, rows, MAX_VALUES_OF_PAIR)
        drawing = ScatterPoints(sides, x, y, parts=categories.names, codes=categories.codes)
    else:
        values = _column(table, variable, rows)
        is_known = np.isfinite(values)
        middle = float(np.median(values[is_known])) if is_known.any() else 0.0
        drawing = ScatterPoints(sides, x, y, values=np.where(is_known, values, middle))
        n_missing = int((~is_known).sum())
    drawn = f"{len(rows):,} of {counted(n_shares, 'row')} drawn" if len(rows) < n_shares else counted(n_shares, "row")
    caption = f"{drawn}; rows right of 0 raise the score"
    if n_missing:
        caption += f"; {counted(n_missing, 'missing value')} coloured as the median"
    return Values(f"Share of each row in the score of {feature}", caption, drawing)


def _categories(table: Table, variable: Variable, rows: np.ndarray, most: int) -> CategoriesOfRows:
    """Return the categories of a variable in some rows, at most so many; a missing value is one of them."""
    codes = _column(table, variable, rows)
    n_values = len(variable.values)
    return frequent(np.where(np.isnan(codes), n_values, codes), (*variable.values, MISSING), most)


def _column(table: Table, variable: Variable, rows: np.ndarray) -> np.ndarray:
    """Return the values of a variable in some rows."""
    column: np.ndarray = table.get_column(variable).astype(float)[rows]
    return column
