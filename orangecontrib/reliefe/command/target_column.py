"""The target of a text file or spreadsheet whose header does not name one: the last column, if it is called so."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from Orange.data import Domain, Table, Variable

from ..core import tasks_with
from ..core.words import counted, shown, some
from ..orange.conversion import UNSUPERVISED
from ..tabular import ReadingOptions
from ..tabular.layout import ORANGE_ROWS
from .advice import check_columns, first_name, repeated_persons, target_in_file, transposing
from .loading import Source, read_source
from .named_columns import INDEX, NO_NAME, PREFIX, is_index, is_target

COLUMNS_SHOWN = 5  # at either end


@dataclass(frozen=True)
class Problem:
    """A table to rank, and what for.

    target: names of the variables, None: the class variables of the table.  notes: sentences on what was decided.
    """

    table: Table
    target: list[str] | None
    notes: list[str]


def read_table(name: str, target: Sequence[str] = (), *, trust: bool = False, **reading: Any) -> Table:
    """Read a table as the command line does, which mends text files on the way.

    Parameters
    ----------
    name : str
        File, or data set of Orange.
    target : sequence of str
        Names of targets. Without them the last column becomes the class if its name is that of a target.
    trust : bool
        Whether the file may run code that is stored in it.
    **reading
        How a text table or workbook is to be read, as `tabular.ReadingOptions` says: decimal, transpose, encoding,
        header, skip_lines, sheet.

    Raises
    ------
    ValueError
        If the file cannot be read, or a table without a target has none that its name tells.
    """
    source = read_source(name, trust, ReadingOptions(**reading))
    return problem(source, [*target] or None, UNSUPERVISED, "auto", {}).table


def problem(
    source: Source,
    target: list[str] | None,
    task: str | None,
    method: str,
    parameters: Mapping[str, Any],
    named: Sequence[str] = (),
) -> Problem:
    """A table with its target, and in words what was decided and left out; named: other columns that are used."""
    table, notes, found = source.table, [*source.notes], None
    named = (*named, *(target or ()))
    check_columns(source, target or (), named)
    index, hint = _row_numbers(source, named), transposing(source)
    if index:
        attributes = [v for v in table.domain.attributes if v.name not in index]
        table = table.transform(Domain(attributes, table.domain.class_vars, table.domain.metas))
        notes.append(f"Row numbers left out: {some([*index.values()])}")
    aside = task == UNSUPERVISED or tasks_with(method, parameters) == (UNSUPERVISED,)
    if target is None and source.header is not None and not table.domain.class_vars:
        found = _named(table, source.header)
        if found is not None:
            notes.append(_said(found, aside))
            if found.is_string:
                target = None if aside else [found.name]
            else:
                attributes = [v for v in table.domain.attributes if v is not found]
                table = table.transform(Domain(attributes, [found], table.domain.metas))
        elif not (aside or len(source.header) == ORANGE_ROWS):
            raise ValueError(
                f"{table.name} has no target: say which column it is by --target NAME, or rank without one by "
                f"--task {UNSUPERVISED}; its columns: {_columns(table, source.header)}{hint}"
            )
    absent = [name for name in target or () if name not in table.domain]
    if absent and (advice := hint or target_in_file(absent[0])):
        raise ValueError(f"{table.name} has no column {shown(absent[0])}{advice}")
    texts = [v.name for v in table.domain.metas if v.is_string and v is not found and v.name not in named]
    if texts:
        notes.append(f"{counted(len(texts), 'text column')} left out: {some([*map(shown, texts)])}")
    features = [v for v in table.domain.attributes if v is not found and v.name not in named]
    if persons := repeated_persons(table, features):
        notes.append(persons)
    return Problem(table, target, notes)


def _row_numbers(source: Source, target: Collection[str]) -> dict[str, str]:
    """Columns of row numbers that were saved with the table, other than targets: by name, what messages call them."""
    names = {v.name: shown(v.name) for v in source.table.domain.attributes if v.name.startswith(INDEX)}
    if first_name(source) == "":
        names[NO_NAME] = "the first column, which has no name"
    found = [v for v in source.table.domain.attributes if v.name in names and v.is_continuous and v.name not in target]
    return {v.name: names[v.name] for v in found if is_index(v.name, source.table.get_column(v))}


def _names(header: list[list[str]]) -> list[tuple[str, bool]]:
    """Names of the columns in the order of the file, and whether they carry a role."""
    names = []
    for cell in header[0] if header else ():
        prefix = PREFIX.match(cell) if len(header) < ORANGE_ROWS else None
        names.append((cell[prefix.end() :], any(prefix.groups())) if prefix else (cell, False))
    return [(name, role) for name, role in names if name.strip()]


def _named(table: Table, header: list[list[str]]) -> Variable | None:
    """The variable of the last column, if it is called like a target and has no role."""
    name, role = (_names(header) or [("", False)])[-1]
    if role or not is_target(name):
        return None
    # Orange's files mark each text as a meta: a text there is one on purpose.
    texts = [v for v in table.domain.metas if v.is_string and len(header) < ORANGE_ROWS]
    return next((v for v in (*table.domain.attributes, *texts) if v.name == name), None)


def _said(target: Variable, aside: bool) -> str:
    if aside:
        return f"The last column, {shown(target.name)}, is left aside: its name is that of a target"
    return f"Target: the last column, {shown(target.name)}, by its name (--target NAME chooses another)"


def _columns(table: Table, header: list[list[str]]) -> str:
    variables = {v.name: v for v in (*table.domain.attributes, *table.domain.metas)}
    in_order = [name for name, _ in _names(header) if name in variables]
    names = in_order if len(in_order) == len(variables) else [*variables]
    if len(names) <= 2 * COLUMNS_SHOWN:
        return _listed(names)
    return f"{_listed(names[:COLUMNS_SHOWN])} ... {_listed(names[-COLUMNS_SHOWN:])}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(shown, names))
