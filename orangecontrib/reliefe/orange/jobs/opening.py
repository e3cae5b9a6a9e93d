"""Opening a file in a thread: the table, how it was read, and a first look at it.

*Open Data* runs `open_file`. Files are read as on the command line.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from Orange.data import Domain, Table

from ...command.endings import GROUP_ADVICE, NoTarget
from ...command.loading import read_source
from ...command.target_column import problem
from ...core.description import Description
from ...core.targets.tasks import UNSUPERVISED
from ...tabular import ReadingOptions, read_text_table
from ...tabular.workbooks import ENDINGS as WORKBOOKS
from ...tabular.workbooks import sheet_names
from ..description import describe

# Controls of the window by the options of the command line, in sentences on how a file was read
CONTROLS = {
    " (--target NAME chooses another)": "",
    "say which column it is by --target NAME, or rank without one by --task unsupervised": "choose the Target",
    " (--sheet NAME)": "",
    "add --transpose": "tick Rows are features",
    "add --no-header": "choose First line: values",
    "add --encoding NAME": "give the Encoding",
    ', or rank without one, task="unsupervised"': "",
    "--encoding NAME": "Encoding",
    "--transpose": "Rows are features",
    "add --trust": "open it by File",
    "--skip-lines N": "Lines to skip",
}
DECIMAL = re.compile(r"--decimal ([,.])")


@dataclass(frozen=True)
class Opened:
    """A file as it was read.

    Attributes
    ----------
    table : Table, optional
        The table. None: no file was opened.
    columns : tuple of str
        Names of the columns that may be the target.
    target : str
        Name of the target; empty without one.
    sheets : tuple of str
        Names of the sheets of a workbook.
    notes : tuple of str
        Sentences on how the file was read.
    description : Description, optional
        A first look. None: the table cannot be ranked, and the last note says why.
    """

    table: Table | None = None
    columns: tuple[str, ...] = ()
    target: str = ""
    sheets: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    description: Description | None = field(default=None, compare=False)


def open_file(path: str, target: str, reading: Mapping[str, Any], _state: object = None) -> Opened:
    """Read a file.

    Parameters
    ----------
    path : str
        The file.
    target : str
        Name of the column that is the target. Empty: by the name of the last column, or as the file says.
    reading : mapping
        Fields of `tabular.ReadingOptions` for text tables and workbooks.
    _state : object
        Of the task of the widget; unused.

    Returns
    -------
    Opened
        The target is the class variable of the table, unless it is a text.

    Raises
    ------
    ValueError
        If the file cannot be read, or has no such column.
    """
    try:
        return _opened(path, target, reading)
    except ValueError as error:
        raise ValueError(in_window(str(error))) from error


def _opened(path: str, target: str, reading: Mapping[str, Any]) -> Opened:
    """Read a file; errors name options of the command line."""
    source = read_source(path, False, ReadingOptions(**reading))
    sheets = tuple(sheet_names(path)) if path.lower().endswith(WORKBOOKS) else ()
    try:
        data = problem(source, [target] if target else None, None, "auto", {})
    except NoTarget:
        data = problem(source, None, UNSUPERVISED, "auto", {})
    table = _with_class(data.table, target)
    notes = [in_window(note) for note in data.notes if GROUP_ADVICE not in note]
    description = None
    try:
        description = describe(table, None, task=None if table.domain.class_vars else UNSUPERVISED)
    except ValueError as error:
        notes.append(in_window(str(error)))
    domain = table.domain
    columns = tuple(v.name for v in (*domain.variables, *domain.metas))
    classes = [v.name for v in domain.class_vars]
    return Opened(table, columns, classes[0] if classes else "", sheets, tuple(notes), description)


def _with_class(table: Table, target: str) -> Table:
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


def in_window(sentence: str) -> str:
    """Return a sentence of the command line with the names of controls in place of options."""
    for option, control in CONTROLS.items():
        sentence = sentence.replace(option, control)
    return DECIMAL.sub(r"Decimal mark \1", sentence)


def names_of_columns(path: str) -> list[str]:
    """Return the names of the columns of a text table or workbook; none if it cannot be read."""
    try:
        return read_text_table(path).names
    except (ValueError, OSError):
        return []


def path_beside(path: str, folder: str | None) -> str:
    """Return the path of a file that is stored in a workflow: itself, or its name in the folder of the workflow."""
    if not path or Path(path).exists() or not folder:
        return path
    beside = Path(folder, Path(path).name)
    return str(beside) if beside.exists() else path
