"""Target of a table on the command line, with columns that are left out: the last column, if its name is a target's.

`frames` calls `problem` with a table that it read and the options of the user. Scripts call `read_table`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from Orange.data import Domain, Table, Variable

from ..core import tasks_with
from ..core.data.facts import row_numbers_left_out, texts_left_out
from ..core.targets.tasks import HIERARCHICAL
from ..core.words import choices, shown, some
from ..orange.chosen_target import with_target
from ..orange.conversion import UNSUPERVISED
from ..orange.levels import with_paths
from ..orange.targets import parents_of
from ..tabular import ReadingOptions
from ..tabular.layout import ORANGE_ROWS
from ..tabular.workbooks import on_other_sheets
from .advice import check_columns, first_name, transposing
from .endings import NoTarget
from .loading import Source, read_source
from .named_columns import (
    INDEX,
    NO_NAME,
    PREFIX,
    is_index,
    is_target,
    no_target_in,
    note_on_codes,
    note_on_last_column,
)


def has_hierarchy(table: Table) -> bool:
    """Return True if the class variables of a table are labels with parents, as in ARFF."""
    return parents_of(table.domain.class_vars) is not None


@dataclass(frozen=True)
class Problem:
    """A table to rank, and its target.

    Attributes
    ----------
    table : Table
        The table, without columns that are left out.
    target : list of str, optional
        Names of the targets. None: the class variables of the table.
    notes : list of str
        Sentences on the target, and on columns that are left out.
    codes : tuple of str
        Names of numbers that may be codes, as postal codes, on which the notes have `note_on_codes`.
    """

    table: Table
    target: list[str] | None
    notes: list[str]
    codes: tuple[str, ...] = ()


def read_table(name: str, target: str | Sequence[str] = (), *, trust: bool = False, **reading: Any) -> Table:
    """Read a table as the command line does, which mends text files on the way.

    Parameters
    ----------
    name : str
        File, or data set of Orange.
    target : str or sequence of str
        Name of the target, which becomes the class, or names of several for `rank(table, target=...)`. Without them the
        last column becomes the class if its name is that of a target.
    trust : bool
        Whether the file may run code that is stored in it.
    **reading
        How a text table or workbook is to be read, as `tabular.ReadingOptions` says: decimal, transpose, encoding,
        header, skip_lines, sheet, beside.

    Raises
    ------
    ValueError
        If the file cannot be read, or has no such column.
    """
    targets = [target] if isinstance(target, str) else [*target]
    source = read_source(name, trust, ReadingOptions(**reading))
    table = problem(source, targets or None, UNSUPERVISED, "auto", {}).table
    columns = [variable.name for variable in (*table.domain.variables, *table.domain.metas)]
    for column in targets:
        if column not in columns:
            raise ValueError(f"{table.name} has no column {shown(column)}; {choices(column, columns, shown)}")
    is_class = [variable.name for variable in table.domain.class_vars] == targets
    return table if len(targets) != 1 or is_class else with_target(table, targets[0])


def problem(
    source: Source,
    target: list[str] | None,
    task: str | None,
    method: str,
    parameters: Mapping[str, Any],
    study_columns: Sequence[str] = (),
) -> Problem:
    """Determine the target of a table, and leave out columns that are no features.

    Parameters
    ----------
    source : Source
        The table as it was read.
    target : list of str, optional
        Names of targets that the user gave. None: the class variables, or the last column by its name.
    task : str, optional
        Kind of target that the user gave.
    method : str
        Name of the method.
    parameters : mapping
        Parameters of the method, on which it may depend whether it needs a target.
    study_columns : sequence of str
        Names of other columns that the user gave, for example covariates.

    Raises
    ------
    ValueError
        If a column does not exist, or there is no target, but the method needs one.
    """
    table = source.table
    notes = [*source.notes]
    last_column = None
    study_columns = (*study_columns, *(target or ()))
    check_columns(source, target or (), study_columns)
    index = _row_numbers(source, study_columns)
    hint = transposing(source)
    if index:
        attributes = [v for v in table.domain.attributes if v.name not in index]
        table = table.transform(Domain(attributes, table.domain.class_vars, table.domain.metas))
        notes.append(row_numbers_left_out([*index.values()]))
    is_unsupervised = task == UNSUPERVISED or tasks_with(method, parameters) == (UNSUPERVISED,)
    if target is None and source.header is not None and not table.domain.class_vars:
        last_column = _last_column(table, source.header)
        if last_column is not None:
            notes.append(note_on_last_column(last_column.name, is_unsupervised))
            if last_column.is_string:
                target = None if is_unsupervised else [last_column.name]
            else:
                attributes = [v for v in table.domain.attributes if v is not last_column]
                table = table.transform(Domain(attributes, [last_column], table.domain.metas))
        elif not (is_unsupervised or len(source.header) == ORANGE_ROWS):
            message = no_target_in(table.name, _columns(table, source.header))
            raise NoTarget(f"{message}{hint}{on_other_sheets(notes)}")
    absent = [name for name in target or () if name not in table.domain]
    if absent and hint:
        raise ValueError(f"{table.name} has no column {shown(absent[0])}{hint}")
    if task == HIERARCHICAL and target and len(target) > 1 and not (absent or has_hierarchy(table)):
        paths = with_paths(table, target)
        notes.append(f"Levels {some([*map(shown, target)])} joined into paths, for example {shown(paths.example)}")
        table = paths.table
        target = [paths.name]
        study_columns = (*study_columns, paths.name)
    texts = [v.name for v in table.domain.metas if v.is_string and v is not last_column and v.name not in study_columns]
    if texts:
        notes.append(texts_left_out(texts))
    codes = [name for name in source.codes if name not in study_columns and name in table.domain]
    if codes:
        notes.append(note_on_codes(codes))
    return Problem(table, target, notes, tuple(codes))


def _row_numbers(source: Source, chosen_names: Collection[str]) -> dict[str, str]:
    """Columns of row numbers that were saved with the table: their names in messages by name.

    Columns that the user named are none.
    """
    names = {v.name: shown(v.name) for v in source.table.domain.attributes if v.name.startswith(INDEX)}
    if first_name(source) == "":
        names[NO_NAME] = "the first column, which has no name"
    candidates = [v for v in source.table.domain.attributes if v.name in names and v.name not in chosen_names]
    return {
        v.name: names[v.name] for v in candidates if v.is_continuous and is_index(v.name, source.table.get_column(v))
    }


def _names(header: list[list[str]]) -> list[tuple[str, bool]]:
    """Names of the columns in the order of the file, and whether they have a role of Orange."""
    names = []
    for cell in header[0] if header else ():
        prefix = PREFIX.match(cell) if len(header) < ORANGE_ROWS else None
        names.append((cell[prefix.end() :], any(prefix.groups())) if prefix else (cell, False))
    return [(name, role) for name, role in names if name.strip()]


def _last_column(table: Table, header: list[list[str]]) -> Variable | None:
    """Variable of the last column, if its name is that of a target and it has no role."""
    name, role = (_names(header) or [("", False)])[-1]
    if role or not is_target(name):
        return None
    # Orange's files mark each text as a meta: a text there is one on purpose.
    texts = [v for v in table.domain.metas if v.is_string and len(header) < ORANGE_ROWS]
    return next((v for v in (*table.domain.attributes, *texts) if v.name == name), None)


def _columns(table: Table, header: list[list[str]]) -> list[str]:
    """Names of the columns of a table, in the order of the file if that is known."""
    variables = {v.name: v for v in (*table.domain.attributes, *table.domain.metas)}
    in_order = [name for name, _ in _names(header) if name in variables]
    return in_order if len(in_order) == len(variables) else [*variables]
