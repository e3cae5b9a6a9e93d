"""Values of a feature by groups of rows: what a picture of boxes or of bars shows.

page.py calls `by_groups` for each of the best features.
"""

from typing import NamedTuple

import numpy as np

from .columns import RowGroups, ValueColumn

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)  # ends of the line, ends of the box, and the median
MAX_CATEGORIES = 8  # that get a bar each; the remaining ones are one bar, "other"
OTHER = "other"
FEW_VALUES = 4  # different numbers, such as 0 and 1, or counts of alleles, that are shown as categories; chosen by eye


class GroupBoxes(NamedTuple):
    """Quantiles of a number in each group.

    Attributes
    ----------
    groups : tuple of str
        Names of the g groups.
    counts : tuple of int
        Rows with a value in each group.
    quantiles : (g, 5) float array
        `QUANTILES` of the values; NaN for groups without a value.
    """

    groups: tuple[str, ...]
    counts: tuple[int, ...]
    quantiles: np.ndarray


class GroupShares(NamedTuple):
    """Shares of categories in each group.

    Attributes
    ----------
    groups : tuple of str
        Names of the g groups.
    counts : tuple of int
        Rows with a value in each group.
    categories : tuple of str
        Names of the c categories.
    shares : (g, c) float array
        Share of each category among the rows with a value of each group, in [0, 1].
    """

    groups: tuple[str, ...]
    counts: tuple[int, ...]
    categories: tuple[str, ...]
    shares: np.ndarray


def by_groups(column: ValueColumn, groups: RowGroups) -> GroupBoxes | GroupShares:
    """Summarise the values of a feature in each group of rows: quantiles, or shares of categories and of few numbers.

    Parameters
    ----------
    column : ValueColumn
        Values of n rows.
    groups : RowGroups
        Groups of the same rows.
    """
    column = _few_as_categories(column)
    is_known = ~np.isnan(column.values)
    members = [is_known & (groups.codes == group) for group in range(len(groups.names))]
    counts = tuple(int(rows.sum()) for rows in members)
    if column.categories is None:
        none = np.full(len(QUANTILES), np.nan)
        quantiles = [np.quantile(column.values[rows], QUANTILES) if rows.any() else none for rows in members]
        return GroupBoxes(groups.names, counts, np.array(quantiles))
    categories, codes = _frequent(column.categories, column.values, is_known)
    occurrences = [np.bincount(codes[rows], minlength=len(categories)) for rows in members]
    shares = np.array(occurrences) / np.maximum(np.array(counts), 1)[:, None]
    return GroupShares(groups.names, counts, categories, shares)


def _few_as_categories(column: ValueColumn) -> ValueColumn:
    """Column whose numbers are categories if there are few different ones."""
    if column.categories is not None:
        return column
    is_known = ~np.isnan(column.values)
    different, codes_of_known = np.unique(column.values[is_known], return_inverse=True)
    if len(different) > FEW_VALUES:
        return column
    codes = np.full(len(column.values), np.nan)
    codes[is_known] = codes_of_known
    return ValueColumn(column.name, codes, tuple(f"{value:g}" for value in different))


def _frequent(
    categories: tuple[str, ...], values: np.ndarray, is_known: np.ndarray
) -> tuple[tuple[str, ...], np.ndarray]:
    """Names of the most frequent categories, in their order, and the index of one of them for each row.

    The remaining categories are one, `OTHER`.
    """
    codes = np.where(is_known, values, 0).astype(int)
    if len(categories) <= MAX_CATEGORIES:
        return categories, codes
    counts = np.bincount(codes[is_known], minlength=len(categories))
    frequent = np.sort(np.argsort(-counts, kind="stable")[: MAX_CATEGORIES - 1])
    index_of = np.full(len(categories), len(frequent))
    index_of[frequent] = np.arange(len(frequent))
    return (*(categories[code] for code in frequent), OTHER), index_of[codes]
