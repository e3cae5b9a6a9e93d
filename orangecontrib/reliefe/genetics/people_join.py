"""Values of the people of genotypes, joined from a table or a mapping by their names.

`phenotype` calls `values_of_people` for a column of a file, and `joined` for a mapping. Rows are joined by FID and IID
if the table and the genotypes have both, else by the column that has the names of the people.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..core.data.row_names import plain_title
from ..core.words import choices, counted, cut, shown
from ..tabular.keys import KeyColumn, key_pair, may_be_key
from .genotypes import Genotypes, refuse_twice
from .people_table import FID, PeopleTable, is_family, person_titles, read_people_table, value_titles

COLUMN_OPTION = "--phenotype-column"
# Of lists of names in messages, chosen by eye
MAX_NAMES = 5  # names
MAX_LIST_LENGTH = 200  # characters


class PersonValue(NamedTuple):
    """A row of a table of people.

    Attributes
    ----------
    family : str
        Name of the family (FID), or of the person if the table has no families.
    person : str
        Name of the person (IID).
    value : str
        Cell in the column of values.
    """

    family: str
    person: str
    value: str


class TitleWithMost(NamedTuple):
    """Title of the column with most names of people.

    Attributes
    ----------
    best : str
        The first title.
    ties : list of str
        Titles of further columns with as many names.
    """

    best: str
    ties: list[str]


def values_of_people(path: Path, column: str | None, data: Genotypes, option: str, notes: list[str]) -> list[str]:
    """Read the values of the people from a column of a table.

    Parameters
    ----------
    path : Path
        Path of the table.
    column : str or None
        Title of the column. None: the only one that does not name people or families.
    data : Genotypes
        Genotypes of the n people.
    option : str
        Option of the command by which the user names the column, for messages.
    notes : list of str
        Sentences on how the table was read and joined are added to it.

    Returns
    -------
    list of str
        Values of the n people, "" of people without one.

    Raises
    ------
    ValueError
        If the table cannot be read, does not have the column, or has none of the people, or one of them twice.
    """
    table = read_people_table(path)
    notes_of_table = (f"{table.name}: {note}" for note in table.notes)
    notes.extend(note for note in notes_of_table if note not in notes)
    names_of_people = _names_of_people(data)
    if first := next((title for title in table.titles[:2] if title in names_of_people), ""):
        raise ValueError(f"{path.name} has the person {shown(first)} in its first line: put titles above, as iid")
    person_title = _person_title(table, names_of_people, notes)
    spelling = _spelling(table, person_title, names_of_people, notes)
    value_title = _value_title(table, column, person_title, option)
    refuse_twice([title for title in table.titles if title in (person_title, value_title)], "column", path.name)

    family_title = next((title for title in table.titles if is_family(title) and title != person_title), None)
    cells = (table.cells(title) for title in (family_title or person_title, person_title, value_title))
    rows = [
        PersonValue(family, spelling.get(person, person), value) for family, person, value in zip(*cells, strict=True)
    ]
    if family_title is None:
        return _joined_by_name(data, [(row.person, row.value) for row in rows], path.name)

    if data.pedigree is not None:
        # A column that is not called FID may be a household. It is needed only where several people have an IID.
        repeats_names = len({row.person for row in rows}) < len(rows) or (data.pedigree[:, 1] != data.people).any()
        if repeats_names or plain_title(family_title) == FID:
            values = _joined_by_family(data, rows, path.name, notes)
            if values is not None:
                return values
    elif names_of_people.isdisjoint(row.person for row in rows):
        # PLINK names people by FID_IID in a VCF, which has no families.
        by_both = [(f"{row.family}_{row.person}", row.value) for row in rows]
        if not names_of_people.isdisjoint(name for name, _ in by_both):
            return _joined_by_name(data, by_both, path.name)
    return _joined_by_name(data, [(row.person, row.value) for row in rows], path.name)


def only_value_title(path: Path, data: Genotypes) -> str:
    """Title of the only column of a table that names neither people nor families; raises as `values_of_people`."""
    table = read_people_table(path)
    return _value_title(table, None, _person_title(table, _names_of_people(data), []), COLUMN_OPTION)


def joined(data: Genotypes, values: Mapping[str, str], source: str) -> list[str]:
    """Join values to the people by their names.

    Parameters
    ----------
    data : Genotypes
        Genotypes of the n people.
    values : mapping of str to str
        Values by names of people.
    source : str
        What has the values, for messages: a file, or "the phenotype".

    Returns
    -------
    list of str
        Values of the n people, "" of people without one.

    Raises
    ------
    ValueError
        If no person has a value.
    """
    if not any(str(person) in values for person in data.people):
        message = (
            f"none of the people is in {source}: it has {_listed([*values])} ..., "
            f"the genotypes have {_listed(data.people.tolist())} ..."
        )
        if data.pedigree is not None and (data.pedigree[:, 1] != data.people).any():
            message += ". Give it columns FID and IID: an IID is in several families"
        raise ValueError(message)
    return [values.get(str(person), "") for person in data.people]


def _listed(names: Sequence[str]) -> str:
    """First of some names, for a message."""
    return cut(", ".join(map(str, names[:MAX_NAMES])), MAX_LIST_LENGTH)


def _names_of_people(data: Genotypes) -> set[str]:
    """Names that tables may have for the people: FID_IID where an IID is in several families, or IID."""
    names = set(map(str, data.people))
    if data.pedigree is not None:
        names.update(map(str, data.pedigree[:, 1]))
    return names


def _value_title(table: PeopleTable, column: str | None, person_title: str, option: str) -> str:
    """Title of the column with the values; raises ValueError if the table does not have it, or None is ambiguous."""
    titles = value_titles(table.titles, person_title)
    if column is None:
        if len(titles) == 1:
            return titles[0]
        listed = _listed(titles) or "of names only"
        advice = f"name one behind a colon, as {option} {table.name}:NAME"
        if option == COLUMN_OPTION:
            advice = f"name the phenotype ({option}), and covariates (--covariate)"
        raise ValueError(f"{table.name} has the columns {listed}: {advice}")
    if column == person_title or column not in table.titles:  # but a column of families may be groups
        advice_on_names = choices(column, titles, shown)
        raise ValueError(f"{table.name} has no column {shown(column)} ({option}); {advice_on_names}")
    return column


def _person_title(table: PeopleTable, names_of_people: set[str], notes: list[str]) -> str:
    """Title of the column that names the people.

    It is the column with most of the names among those with a usual title, where padding and case do not matter, or
    else among all columns that are no measurements. Of several with equally many names the first is taken. A note says
    so if its title is not usual.
    """
    usual = person_titles(table.titles)
    among_usual = _title_with_most(table, usual, names_of_people)
    if among_usual is not None:
        return among_usual.best
    people = KeyColumn("people", None, [*names_of_people])
    padded = [title for title in usual if key_pair(people, _key_column(table, title)).n_common]
    if padded:
        return padded[0]
    may_name = [title for title in table.titles if may_be_key(people, _key_column(table, title))]
    among_all = _title_with_most(table, may_name, names_of_people)
    if among_all is None:
        return usual[0] if usual else table.titles[0]
    best, ties = among_all
    if ties or best != table.titles[0]:
        also = f", as {', '.join(map(shown, ties))} does" if ties else ""
        notes.append(f"people are joined by the column {shown(best)} of {table.name}, which has their names{also}")
    return best


def _key_column(table: PeopleTable, title: str) -> KeyColumn:
    """Return a column that may have the names of people."""
    return KeyColumn(title, table.titles.index(title), table.cells(title))


def _spelling(table: PeopleTable, title: str, names_of_people: set[str], notes: list[str]) -> dict[str, str]:
    """Return the names of people by those in a column of the table, if none is equal but for padding and case.

    A note gives an example.
    """
    if not names_of_people.isdisjoint(table.cells(title)):
        return {}
    spelling = key_pair(KeyColumn("people", None, [*names_of_people]), _key_column(table, title)).spelling
    if spelling:
        name, of_person = next(iter(spelling.items()))
        notes.append(f"names of people differ by their spelling: {shown(name)} of {table.name} is {shown(of_person)}")
    return spelling


def _title_with_most(table: PeopleTable, titles: Sequence[str], names_of_people: set[str]) -> TitleWithMost | None:
    """Title of the column, among those with these titles, that has most names of people; None if none has any."""
    column_of: dict[str, int] = {}
    for column, title in enumerate(table.titles):
        column_of.setdefault(title, column)
    counts: dict[str, int] = {}
    for title in titles:
        cells = (row[column_of[title]] for row in table.rows)
        counts[title] = len(names_of_people.intersection(cells))
    max_count = max(counts.values(), default=0)
    if max_count == 0:
        return None
    best, *ties = [title for title in counts if counts[title] == max_count]
    return TitleWithMost(best, ties)


def _joined_by_name(data: Genotypes, values: Sequence[tuple[str, str]], source: str) -> list[str]:
    """Values of the n people from (name, value); raises ValueError if a name is there twice, or none is a person."""
    joined_values = joined(data, dict(values), source)
    refuse_twice((name for name, _ in values), "person", source)
    return joined_values


def _joined_by_family(data: Genotypes, rows: Sequence[PersonValue], source: str, notes: list[str]) -> list[str] | None:
    """Values of the n people by FID and IID, "" of people without one; None, with a note, if none has one."""
    values = {(row.family, row.person): row.value for row in rows}
    pairs = [(str(family), str(name)) for family, name in data.pedigree] if data.pedigree is not None else []
    if values.keys().isdisjoint(pairs):
        notes.append(f"people of {source} are joined by IID alone: none has the FID of the genotypes")
        return None
    refuse_twice((f"{row.family} {row.person}" for row in rows), "person", source)
    names = {row.person for row in rows}
    in_another_family = sum(pair not in values and pair[1] in names for pair in pairs)
    if in_another_family:
        people = counted(in_another_family, "person", "people")
        notes.append(f"{people} without a value in {source}, where their IID has another FID")
    return [values.get(pair, "") for pair in pairs]
