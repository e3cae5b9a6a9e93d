"""Tables with a row for each person, joined to the people of genotypes.

Called for phenotypes, covariates, groups, times and events, and by the widget for the columns that it offers. People
are joined by the columns FID and IID, as PLINK names them, by another column with their names, or by names of rows.
"""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ..core.words import choices, counted, cut, shown
from ..tabular import ReadingOptions, read_text_table
from .genotypes import Genotypes, refuse_twice

# Titles of the column that people are joined by, the likeliest first; without regard to case, blanks and signs.
PERSON = (
    "iid", "id", "person", "personid", "sample", "sampleid", "subject", "subjectid", "individual", "individualid",
    "participant", "participantid", "patientid", "eid", "name",
)  # fmt: skip
FID = "fid"
FAMILY = (FID, "family", "familyid")
ROW_NAMES = "row names"  # title of names that stand before the rows of a table by R
TABLES_KEPT = 8  # that are not read again for each of their columns
COLUMN_OPTION = "--phenotype-column"
SHOWN, LONGEST = 5, 200  # names, and characters of them, that a message repeats


@dataclass(frozen=True)
class PeopleTable:
    """A table with a row for each person.

    Attributes
    ----------
    name : str
        Of the file.
    titles : list of str
        Those of the p columns.
    rows : list of list of str
        p cells of each row.
    notes : tuple of str
        Sentences on how the file was read.
    """

    name: str
    titles: list[str]
    rows: list[list[str]]
    notes: tuple[str, ...]


def read_people_table(path: Path) -> PeopleTable:
    """Read a text table or workbook whose first line has titles.

    Raises
    ------
    ValueError
        If there is no such file, or it cannot be read.
    """
    if not os.path.isfile(path):
        raise ValueError(f"there is no file {shown(os.fspath(path))} with a phenotype")
    status = os.stat(path)
    return _read_once(path, status.st_mtime_ns, status.st_size)


@lru_cache(TABLES_KEPT)
def _read_once(path: Path, *_: int) -> PeopleTable:
    """Read a table; the times and sizes of files tell whether one has changed."""
    try:
        table = read_text_table(path, ReadingOptions(header=True))
    except ValueError as error:
        raise ValueError(f"{path.name} cannot be read: {error}") from error
    titles, rows = table.names, table.cells.tolist()
    if table.row_names:
        titles = [ROW_NAMES, *titles]
        rows = [[name, *row] for name, row in zip(table.row_names, rows, strict=True)]
    return PeopleTable(path.name, titles, rows, tuple(table.notes))


def columns(path: str | Path, families: bool = False) -> list[str]:
    """Names of the columns of a table that may be the phenotype: all but the names of people, and of families unless
    these are wanted, as groups."""
    titles = read_people_table(Path(path)).titles
    return _others(titles, next(iter(person_titles(titles)), titles[0]), families)


def person_titles(titles: Iterable[str]) -> list[str]:
    """Return those titles that columns with names of people usually have, the likeliest first."""
    rank = {name: k for k, name in enumerate(PERSON)}
    usual = [title for title in titles if _plain(title) in rank]
    return sorted(usual, key=lambda title: rank[_plain(title)])


def _plain(title: str) -> str:
    """A title without regard to case, blanks and signs: "iid" for "#IID", "subjectid" for "Subject ID"."""
    return re.sub(r"[\W_]", "", title.casefold())


def _others(titles: list[str], key: str, families: bool = False) -> list[str]:
    """Titles of the columns without that of people, and of families unless these are wanted."""
    return [title for title in titles if title != key and (families or _plain(title) not in FAMILY)]


def values_of_people(path: Path, column: str | None, data: Genotypes, option: str, notes: list[str]) -> list[str]:
    """Values of the n people in a column of a table, "" of those who have none.

    column: None stands for the only one beside names.  option: what the user names the column by.
    """
    table = read_people_table(path)
    titles = table.titles
    notes.extend(note for note in (f"{table.name}: {said}" for said in table.notes) if note not in notes)
    people = _names_of(data)
    if first := next((title for title in titles[:2] if title in people), ""):
        raise ValueError(f"{path.name} has the person {shown(first)} in its first line: put titles above, as iid")
    key = _column_of_people(table, people, notes)
    others = _others(titles, key)
    if column is None:
        if len(others) != 1:
            listed = cut(", ".join(others[:SHOWN]), LONGEST) or "of names only"
            advice = f"name one behind a colon, as {option} {path.name}:NAME"
            if option == COLUMN_OPTION:
                advice = f"name the phenotype ({option}), and covariates (--covariate)"
            raise ValueError(f"{path.name} has the columns {listed}: {advice}")
        column = others[0]
    if column == key or column not in titles:  # a family may be a group
        known_columns = choices(column, others, shown)
        raise ValueError(f"{path.name} has no column {shown(column)} ({option}); {known_columns}")
    refuse_twice([title for title in titles if title in (key, column)], "column", path.name)
    of_key, of_column = titles.index(key), titles.index(column)
    family = next((title for title in titles if _plain(title) in FAMILY and title != key), key)
    of_family = titles.index(family)
    rows = [(cells[of_family], cells[of_key], cells[of_column]) for cells in table.rows]
    if family != key and data.pedigree is not None:
        # A column that is not called FID may be a household; it is needed only where IIDs are there several times.
        names = [name for _, name, _ in rows]
        is_needed = len(set(names)) < len(names) or (data.pedigree[:, 1] != data.people).any()
        if (is_needed or _plain(family) == FID) and (values := _joined_by_family(data, rows, path.name, notes)):
            return values
    by_name = [(name, value) for _, name, value in rows]
    if family != key and data.pedigree is None and people.isdisjoint(name for name, _ in by_name):
        # PLINK writes people into a VCF in this way.
        by_both = [(f"{fid}_{iid}", value) for fid, iid, value in rows]
        by_name = by_name if people.isdisjoint(name for name, _ in by_both) else by_both
    values = joined(data, dict(by_name), path.name)
    refuse_twice((name for name, _ in by_name), "person", path.name)
    return values


def _names_of(data: Genotypes) -> set[str]:
    """Names by which tables may know the people: with their family, or without."""
    names = set(map(str, data.people))
    if data.pedigree is not None:
        names.update(map(str, data.pedigree[:, 1]))
    return names


def _column_of_people(table: PeopleTable, people: set[str], notes: list[str]) -> str:
    """Title of the column that names the people: one with a usual title and their names, else that with most of them.

    Of several columns with equally many of the people the first is taken, and said.
    """
    titles = table.titles
    usual = person_titles(titles)
    for candidates in (usual, titles):
        places = {title: titles.index(title) for title in candidates}
        people_in_column: dict[str, set[str]] = {title: set() for title in places}
        for cells in table.rows:
            for title, place in places.items():
                if cells[place] in people:
                    people_in_column[title].add(cells[place])
            if len(places) == 1 and any(people_in_column.values()):
                break
        most = max(map(len, people_in_column.values()), default=0)
        if most == 0:
            continue
        key, *equal = [title for title in people_in_column if len(people_in_column[title]) == most]
        if candidates is titles and (equal or key != titles[0]):
            also = f", as {', '.join(map(shown, equal))} does" if equal else ""
            notes.append(f"people are joined by the column {shown(key)} of {table.name}, which has their names{also}")
        return key
    return usual[0] if usual else titles[0]


def _joined_by_family(
    data: Genotypes, rows: list[tuple[str, str, str]], source: str, notes: list[str]
) -> list[str] | None:
    """Values of the n people by FID and IID, "" of those who have none; None where no person has one.

    rows: FID, IID and value.
    """
    values = {(family, name): value for family, name, value in rows}
    pairs = [(str(family), str(name)) for family, name in data.pedigree] if data.pedigree is not None else []
    if values.keys().isdisjoint(pairs):
        notes.append(f"people of {source} are joined by IID alone: none has the FID of the .fam")
        return None
    refuse_twice((f"{family} {name}" for family, name, _ in rows), "person", source)
    names = {name for _, name in values}
    if n_others := sum(pair not in values and pair[1] in names for pair in pairs):
        people = counted(n_others, "person", "people")
        notes.append(f"{people} without a value in {source}, where their IID has another FID")
    return [values.get(pair, "") for pair in pairs]


def joined(data: Genotypes, values: Mapping[str, str], source: str) -> list[str]:
    """Values of the n people by their names, "" of those who have none."""
    if not any(str(person) in values for person in data.people):
        theirs, ours = (cut(", ".join(map(str, names[:SHOWN])), LONGEST) for names in ([*values], data.people))
        message = f"none of the people is in {source}: it has {theirs} ..., the genotypes have {ours} ..."
        if data.pedigree is not None and (data.pedigree[:, 1] != data.people).any():
            message += ". Give it columns FID and IID: an IID is in several families"
        raise ValueError(message)
    return [values.get(str(person), "") for person in data.people]
