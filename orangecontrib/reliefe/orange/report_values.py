"""Values of the best features of a table for a report: with the names of its categories and classes.

`TableRanking.report_values` calls `table_values`.
"""

from collections.abc import Sequence

import numpy as np
from Orange.data import Table, Variable

from ..core.report.columns import MAX_CLASSES, RowGroups, ValueColumn, quarters
from ..core.targets.tasks import CLASSIFICATION, REGRESSION


def value_columns(table: Table, features: Sequence[Variable]) -> list[ValueColumn]:
    """Values of features of a table, with the names of their categories."""
    columns = []
    for feature in features:
        categories = tuple(feature.values) if feature.is_discrete else None
        columns.append(ValueColumn(feature.name, np.asarray(table.get_column(feature), float), categories))
    return columns


def row_groups(table: Table, targets: Sequence[Variable], task: str) -> RowGroups | None:
    """Group rows by the classes, or the quarters, of a single target; None for other targets and for many classes."""
    if len(targets) != 1 or task not in (CLASSIFICATION, REGRESSION) or targets[0].is_string:
        return None
    (target,) = targets
    values = np.asarray(table.get_column(target), float)
    if task == REGRESSION:
        return None if target.is_discrete else quarters(values)
    if target.is_discrete:
        codes = np.where(np.isnan(values), -1, values).astype(int)
        names = tuple(target.values)
    else:
        numbers, known_codes = np.unique(values[~np.isnan(values)], return_inverse=True)
        codes = np.full(len(values), -1)
        codes[~np.isnan(values)] = known_codes
        names = tuple(target.str_val(number) for number in numbers)
    return RowGroups(names, codes) if len(names) <= MAX_CLASSES else None
