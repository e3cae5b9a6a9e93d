"""Opening a file in a thread: the table, how it was read, and a first look at it.

*Open Data* runs `open_file`. Files are read as on the command line.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import scipy.sparse as sp
from Orange.data import Domain, Table
from Orange.data.table import get_sample_datasets_dir

from ...command.arrays import TARGET_OF_FILE, read_arrays
from ...command.endings import NoTarget, is_genotypes
from ...command.loading import is_text_table, needs_trust, read_source
from ...command.named_columns import note_on_codes
from ...command.target_column import problem
from ...core.data.table_files import has_columns
from ...core.description import Description, with_codes
from ...core.targets.facts import no_target
from ...core.targets.tasks import SURVIVAL, UNSUPERVISED
from ...core.words import counted, rough_percent, sentence, shown
from ...formats import (
    ARFF,
    BASKET,
    CELLS,
    COLUMNS,
    LIBSVM,
    MATRIX_MARKET,
    NUMPY,
    PACKED,
    WORKBOOK,
    endings_of,
    is_of,
    not_read,
)
from ...tabular import ReadingOptions, names_beside, read_text_table
from ...tabular.workbooks import sheet_names
from ..changed_columns import with_changes
from ..chosen_target import ChosenTimes, with_times
from ..column_table import table_of
from ..description import describe
from ..origin import Origin, note_origin
from ..presence import with_presence
from ..study_roles import COVARIATE, GROUP, with_role

# Controls of the window by the options of the command line, in sentences on how a file was read. They are replaced in
# this order: a text comes before others that are part of it.
CONTROLS = {
    " (--target NAME chooses another)": "",
    "say which column it is by --target NAME, or rank without one by --task unsupervised": "choose the Target",
    " (--sheet NAME)": "",
    "add --transpose": "tick Rows are features",
    "add --no-header": "choose First line: values",
    "add --encoding NAME": "give the Encoding",
    ', or rank without one, task="unsupervised"': "",
    "--transpose": "Rows are features",
    "add --join": "write in Joined by:",
    "--join": "Joined by",
    "add --trust": "open it by File",
}
KINDS = (*CELLS, ARFF, BASKET, MATRIX_MARKET, LIBSVM, *COLUMNS)  # of files that are opened
ENDINGS = (*endings_of(KINDS), *PACKED)
NO_TARGET = "If a column is the target, choose it as Target"
# Fields of `ReadingOptions` that are kept back from files of arrays
NOT_OF_ARRAYS = ("drop", "missing", "categories", "beside", "join")
PRESENCE = "presence"  # field of how a file is read: numbers that are not 0 become 1
DECIMAL = re.compile(r"--decimal ([,.])")
ADD_MISSING = re.compile(r" or add --missing ('[^']*'|\S+)(?=\))")


class ReadingFields(NamedTuple):
    """Fields of `tabular.ReadingOptions` that apply to a file.

    Attributes
    ----------
    cells : bool
        Those that say how cells are found and read: sheet, skip_lines, header, decimal, encoding.
    beside : bool
        The target of another table.
    transpose : bool
        Whether rows are features.
    """

    cells: bool
    beside: bool
    transpose: bool


def fields_of(path: str) -> ReadingFields:
    """Return the fields that apply to a file, by its name; all without a name."""
    is_text = not path or is_text_table(path)
    is_array = is_array_file(path)
    return ReadingFields(is_text, is_text or is_array, is_text or (is_array and not has_columns(path)))


def can_open(path: str) -> bool:
    """True for a name of a file that is opened without running code."""
    return is_of(path, KINDS)


def is_array_file(path: str) -> bool:
    """True for a name of a file of arrays or columns: .mtx, libsvm, Parquet or Arrow."""
    return is_of(path, (*COLUMNS, MATRIX_MARKET, LIBSVM))


class Roles(NamedTuple):
    """Roles of columns of a file that are no features.

    Attributes
    ----------
    target : str
        Name of the target. Empty: by the name of the last column, or as the file says.
    times : tuple of str
        Names of a time and its event, which are the target instead; else empty.
    group : str
        Name of the column whose equal values belong together; empty without one.
    covariates : tuple of str
        Names of the columns that scores are adjusted for.
    """

    target: str = ""
    times: tuple[str, ...] = ()
    group: str = ""
    covariates: tuple[str, ...] = ()

    @property
    def of_study(self) -> list[str]:
        """Names of the columns that belong to a study."""
        return [*([self.group] if self.group else []), *self.covariates]


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


def open_file(path: str, roles: Roles, reading: Mapping[str, Any], _state: object = None) -> Opened:
    """Read a file.

    Parameters
    ----------
    path : str
        The file.
    roles : Roles
        The target, and the group of rows.
    reading : mapping
        Fields of `tabular.ReadingOptions`, and PRESENCE. Those that say how cells are read are for text tables and
        workbooks.
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
        _check_ending(path)
        return _opened(path, roles, reading)
    except ValueError as error:
        raise ValueError(in_window(str(error))) from error


def _check_ending(path: str) -> None:
    """Raise ValueError for genotypes, and for a name of a file that nothing reads."""
    if is_genotypes(path) and not is_of(path, (NUMPY,)):
        raise ValueError(f"{Path(path).name} has genotypes: open it in Rank Genotypes")
    if not (can_open(path) or needs_trust(path)):
        raise ValueError(not_read(path, KINDS))


def _opened(path: str, roles: Roles, reading: Mapping[str, Any]) -> Opened:
    """Read a file; errors name options of the command line."""
    is_presence = bool(reading.get(PRESENCE))
    reading = {name: value for name, value in reading.items() if name != PRESENCE}
    sheets = tuple(sheet_names(path)) if is_of(path, (WORKBOOK,)) else ()
    table, notes, codes = (_read_array if is_array_file(path) else _read_table)(path, roles, reading)
    table = _with_roles(table, roles, notes)
    if is_presence:
        table = with_presence(table)
        notes.append("Values of features that are not 0 are read as 1: rows are compared by presence")
    is_of_orange = Path(path).parent == Path(get_sample_datasets_dir())  # which scripts read by its name
    if is_text_table(path) and not (is_of_orange or is_presence):
        note_origin(table, Origin(path, [*roles.times] or roles.target, reading))
    notes = [*map(in_window, notes)]
    description = None
    try:
        task = None if table.domain.class_vars else UNSUPERVISED
        description = with_codes(
            describe(table, None, task=task, covariates=[*roles.covariates] or None, groups=roles.group or None), codes
        )
    except ValueError as error:
        notes.append(in_window(str(error)))
    else:
        if codes:  # a finding says what their note does
            notes.remove(in_window(note_on_codes(codes)))
    domain = table.domain
    columns = tuple(v.name for v in (*domain.variables, *domain.metas))
    classes = [v.name for v in domain.class_vars]
    return Opened(table, columns, classes[0] if classes else "", sheets, tuple(notes), description)


def _with_roles(table: Table, roles: Roles, notes: list[str]) -> Table:
    """Return a table with the times that are the target, the group and covariates; adds a note on each of them."""
    if roles.times:
        time, event = roles.times
        table = with_times(table, ChosenTimes(time, event))
        notes.append(f"The time is {shown(time)}, and the event {shown(event)}")
    if roles.group:
        table = with_role(table, roles.group, GROUP)
        notes.append(
            f"Rows with the same {shown(roles.group)} belong together: it is the Group in Study of the rankers"
        )
    for name in roles.covariates:
        table = with_role(table, name, COVARIATE)
        notes.append(f"Scores are adjusted for {shown(name)}: it is a covariate in Study of the rankers")
    return table


class ReadTable(NamedTuple):
    """Table with its target.

    Attributes
    ----------
    table : Table
        The table.
    notes : list of str
        Sentences on how it was read.
    codes : tuple of str
        Names of numbers that may be codes, on which the notes have `note_on_codes`.
    """

    table: Table
    notes: list[str]
    codes: tuple[str, ...] = ()


def _read_array(path: str, roles: Roles, reading: Mapping[str, Any]) -> ReadTable:
    """Read a file of arrays or columns with its target, as on the command line."""
    source = _array_table(path, roles.target, reading, are_times=bool(roles.times))
    changed = with_changes(source.table, **_changes(reading))
    return ReadTable(changed.table, [*source.notes, *changed.notes])


def _read_table(path: str, roles: Roles, reading: Mapping[str, Any]) -> ReadTable:
    """Read a table with its target."""
    changes = {} if is_text_table(path) else _changes(reading)
    source = read_source(path, False, ReadingOptions(**{k: v for k, v in reading.items() if k not in changes}))
    changed = with_changes(source.table, **changes)
    source = replace(source, table=changed.table, notes=(*source.notes, *changed.notes))
    named = roles.of_study
    if roles.times:
        data = problem(source, [*roles.times], SURVIVAL, "auto", {}, named)
        return ReadTable(data.table, data.notes, data.codes)
    try:
        data = problem(source, [roles.target] if roles.target else None, None, "auto", {}, named)
    except NoTarget:
        data = problem(source, None, UNSUPERVISED, "auto", {}, named)
        data.notes.insert(0, NO_TARGET)
    return ReadTable(_with_class(data.table, roles.target), data.notes, data.codes)


def _array_table(path: str, target: str, reading: Mapping[str, Any], are_times: bool) -> ReadTable:
    """Read a file of arrays or columns, whose class variable is the target if there is one.

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
    target_options: dict[str, Any] = {}
    if are_times:
        target_options["task"] = SURVIVAL
    elif is_of_array:
        target_options["task"] = UNSUPERVISED
    elif file is not None:
        target_options["target"] = [f"{file}:{column}"]
    elif target and target != TARGET_OF_FILE:
        target_options["target"] = [target]
    try:
        X, y, study = read_arrays(path, **target_options, **options, notes=notes)
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
    return ReadTable(_with_class(table, target) if is_of_array else table, notes)


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


def _changes(reading: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `with_changes`, which files that are no text tables take behind their reading."""
    return {name: reading[name] for name in ("drop", "missing", "categories") if name in reading}


def in_window(sentence: str) -> str:
    """Return a sentence of the command line with the names of controls in place of options."""
    for option, control in CONTROLS.items():
        sentence = sentence.replace(option, control)
    return DECIMAL.sub(r"Decimal mark \1", ADD_MISSING.sub("", sentence))


def names_of_columns(path: str) -> list[str]:
    """Return the names under which columns of a text table or workbook are joined; none if it cannot be read."""
    try:
        return names_beside(read_text_table(path), path)
    except (ValueError, OSError):
        return []


def path_beside(path: str, folder: str | None) -> str:
    """Return the path of a file that is stored in a workflow: itself, or its name in the folder of the workflow."""
    if not path or Path(path).exists() or not folder:
        return path
    beside = Path(folder, Path(path).name)
    return str(beside) if beside.exists() else path
