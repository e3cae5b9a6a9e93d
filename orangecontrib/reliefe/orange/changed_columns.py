"""Columns of a table of Orange that are left out, read as missing, or read as categories.

*Open Data* calls `with_changes` for files that are no text tables; those are read again by `tabular.columns_as_told`,
with the same choices.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from Orange.data import DiscreteVariable, Domain, Table, Variable
from Orange.preprocess.transformation import MappingTransform

from ..core.words import choices, counted, shown, some


class ChangedTable(NamedTuple):
    """A table, and what was changed.

    Attributes
    ----------
    table : Table
        The table.
    notes : list of str
        Sentences on columns that were left out, and values that were read as missing.
    """

    table: Table
    notes: list[str]


def with_changes(
    table: Table, drop: Sequence[str] = (), missing: Sequence[str] = (), categories: Collection[str] = ()
) -> ChangedTable:
    """Return a table whose columns are read as the user says.

    Parameters
    ----------
    table : Table
        Dense or sparse data, which are not changed.
    drop : sequence of str
        Names of columns that are left out.
    missing : sequence of str
        Values that mean missing in all columns, for example "-99".
    categories : collection of str
        Names of numbers that become categories.

    Raises
    ------
    ValueError
        If there is no such column.
    """
    domain = table.domain
    names = [variable.name for variable in (*domain.variables, *domain.metas)]
    for name in (*drop, *categories):
        if name not in names:
            raise ValueError(f"there is no column {shown(name)}; {choices(name, names, shown)}")
    notes = []
    if drop:
        notes.append(f"{counted(len(drop), 'column')} left out: {some([*map(shown, drop)])}")
    if missing:
        table, n_missing = _with_missing(table, missing)
        listed = some([*map(shown, missing)])
        notes.append(f"{counted(n_missing, 'cell')} with {listed} read as missing")
    if not drop and not categories:
        return ChangedTable(table, notes)

    def changed(variables: Sequence[Variable]) -> list[Variable]:
        remaining = [variable for variable in variables if variable.name not in drop]
        return [_as_category(table, v) if v.name in categories and v.is_continuous else v for v in remaining]

    changed_table = table.transform(Domain(*map(changed, (domain.attributes, domain.class_vars, domain.metas))))
    changed_table.name = table.name
    return ChangedTable(changed_table, notes)


def _with_missing(table: Table, missing: Sequence[str]) -> tuple[Table, int]:
    """Return a copy with values as missing, and the number of these cells; metas stay.

    A value that is not stored in a sparse table is 0, and stays.
    """
    numbers = [float(value) for value in missing if _is_number(value)]
    copy = table.copy()
    n_missing = 0
    with copy.unlocked():
        for values, variables in ((copy.X, copy.domain.attributes), (copy.Y, copy.domain.class_vars)):
            if sp.issparse(values):
                is_missing = np.isin(values.data, numbers)
                values.data[is_missing] = np.nan
                n_missing += int(is_missing.sum())
                continue
            columns = values.reshape(len(copy), -1)  # a view: Y has one dimension if there is one target
            for j, variable in enumerate(variables):
                codes_of_missing = numbers
                if variable.is_discrete:
                    codes_of_missing = [code for code, value in enumerate(variable.values) if value in missing]
                is_missing = np.isin(columns[:, j], codes_of_missing)
                columns[is_missing, j] = np.nan
                n_missing += int(is_missing.sum())
    return copy, n_missing


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _as_category(table: Table, variable: Variable) -> DiscreteVariable:
    """Return a category that is made of a number."""
    column = np.asarray(table.get_column(variable), float)
    numbers = np.unique(column[~np.isnan(column)]).tolist()
    codes = {number: float(code) for code, number in enumerate(numbers)}
    category = DiscreteVariable(
        variable.name,
        tuple(f"{number:g}" for number in numbers),
        compute_value=MappingTransform(variable, codes),
    )
    category.attributes = dict(variable.attributes)
    return category
