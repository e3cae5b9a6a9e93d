"""Files of arrays and of columns as tables of Orange: .mtx, libsvm, Parquet and Arrow.

`opening.py` calls `read_array_table` for the files that `is_array_file` recognises. They are read as on the command
line.
"""

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

import scipy.sparse as sp
from Orange.data import Domain, Table

from ...command.arrays import TARGET_OF_FILE, read_arrays
from ...command.endings import NoTarget
from ...core.data.table_files import has_columns
from ...core.targets.facts import no_target
from ...core.targets.tasks import SURVIVAL, UNSUPERVISED
from ...core.words import counted, rough_percent, sentence
from ...formats import COLUMNS, LIBSVM, MATRIX_MARKET, is_of
from ..column_table import table_of

NO_TARGET = "If a column is the target, choose it as Target"
NOT_OF_ARRAYS = (
    "drop",
    "missing",
    "categories",
    "beside",
    "join",
)  # fields of `ReadingOptions` that are kept back


class ArrayTable(NamedTuple):
    """A table as it was read.

    Attributes
    ----------
    table : Table
        The table; its class variable is the target, if there is one.
    notes : list of str
        Sentences on how the file was read.
    """

    table: Table
    notes: list[str]


def is_array_file(path: str) -> bool:
    """True for a name of a file that `read_array_table` reads."""
    return is_of(path, (*COLUMNS, MATRIX_MARKET, LIBSVM))


def read_array_table(path: str, target: str, reading: Mapping[str, Any], are_times: bool = False) -> ArrayTable:
    """Read a file of arrays or columns.

    Parameters
    ----------
    path : str
        The file.
    target : str
        Name of the target: a column of the file, or of the other table in `reading`. Empty: that of libsvm, or the
        last column if it is named as a target.
    reading : mapping
        Fields of `tabular.ReadingOptions`: `transpose` and `beside`; all others are those of the other table.
    are_times : bool
        Whether times until an event are chosen later among all columns.

    Raises
    ------
    ValueError
        If the file cannot be read, or has no such column.
    """
    notes: list[str] = []
    options = {name: value for name, value in reading.items() if name not in NOT_OF_ARRAYS}
    beside = dict(reversed(pair) for pair in reading.get("beside", ()))
    file = beside.get(target) or (next(iter(beside.values())) if beside and not target else None)
    column = target or next(iter(beside), "")
    is_of_array = target not in ("", TARGET_OF_FILE) and file is None and not has_columns(path)
    given: dict[str, Any] = {}
    if are_times:
        given["task"] = SURVIVAL
    elif is_of_array:
        given["task"] = UNSUPERVISED
    elif file is not None:
        given["target"] = [f"{file}:{column}"]
    elif target and target != TARGET_OF_FILE:
        given["target"] = [target]
    try:
        X, y, study = read_arrays(path, **given, **options, notes=notes)
    except NoTarget:
        X, y, study = read_arrays(path, task=UNSUPERVISED, **options, notes=notes)
        has_none = f"{sentence(no_target('the file has'))}: choose Target in another table"
        notes.append(NO_TARGET if has_columns(path) else has_none)
    name = os.path.basename(path)
    table = table_of(X, y, column or str(getattr(y, "name", None) or TARGET_OF_FILE), study.get("names"))
    table.name = name.partition(".")[0]
    if y is not None and file is None and not has_columns(path):
        begins = "number that begins" if len(table.domain.class_vars) == 1 else "labels that begin"
        notes.append(f"Target: the {begins} each line")
    if file is not None:
        rows = counted(len(table), "row")
        notes.append(f"The {rows} of {os.path.basename(file)} are those of {name}, in this order")
    if sp.issparse(table.X):
        n_cells = max(table.X.shape[0] * table.X.shape[1], 1)
        notes.append(f"Sparse: values that are not listed are 0, and {rough_percent(table.X.nnz / n_cells)} are listed")
    return ArrayTable(with_class(table, target) if is_of_array else table, notes)


def with_class(table: Table, target: str) -> Table:
    """Return a table whose class variable is the target; raises ValueError for a text, which is none."""
    domain = table.domain
    if not target or target in (v.name for v in domain.class_vars):
        return table
    variable = domain[target]
    if variable.is_string:
        raise ValueError(f"{target} is a text with too many different values for a target")
    attributes = [v for v in domain.attributes if v is not variable]
    metas = [v for v in domain.metas if v is not variable]
    opened = table.transform(Domain(attributes, [variable], metas))
    opened.name = table.name
    return opened
