"""Reader of tables with a row for each person: phenotypes, covariates, groups, times and events.

`phenotype` calls `people_join` for the values of a column, which reads the table here. *Rank Genotypes* asks for the
`columns` that it offers. People are named by the columns FID and IID, as by PLINK, by another column, or by names
of rows::

    #FID  IID  height  sex
    f1    p1   171     1
    f1    p2   164     2
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ..core.data.row_names import plain_title
from ..core.words import shown
from ..tabular import ReadingOptions, read_text_table

# Titles of the column that names people, the likeliest first. Case, blanks and punctuation do not matter.
PERSON_TITLES = (
    "iid", "id", "person", "personid", "sample", "sampleid", "subject", "subjectid", "individual", "individualid",
    "participant", "participantid", "patientid", "eid", "name",
)  # fmt: skip
FID = "fid"
FAMILY_TITLES = (FID, "family", "familyid")
ROW_NAMES_TITLE = "row names"  # title for the names that R writes before the rows of a table
MAX_CACHED_TABLES = 8  # chosen by eye: tables that are not read again for each of their columns


@dataclass(frozen=True)
class PeopleTable:
    """A table with a row for each person.

    Attributes
    ----------
    name : str
        Name of the file.
    titles : list of str
        Titles of the p columns.
    rows : list of list of str
        Cells of each row, p each.
    notes : tuple of str
        Sentences on how the file was read.
    """

    name: str
    titles: list[str]
    rows: list[list[str]]
    notes: tuple[str, ...]

    def cells(self, title: str) -> list[str]:
        """Cells of the first column with a title."""
        column = self.titles.index(title)
        return [row[column] for row in self.rows]


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
    return _read_cached(path, status.st_mtime_ns, status.st_size)


@lru_cache(MAX_CACHED_TABLES)
def _read_cached(path: Path, modified_ns: int, size: int) -> PeopleTable:
    """Read a table. The time and the size of the file are keys of the cache: a changed file is read again."""
    try:
        table = read_text_table(path, ReadingOptions(header=True))
    except ValueError as error:
        raise ValueError(f"{path.name} cannot be read: {error}") from error
    titles = table.names
    rows = table.cells.tolist()
    if table.row_names:
        titles = [ROW_NAMES_TITLE, *titles]
        rows = [[name, *row] for name, row in zip(table.row_names, rows, strict=True)]
    return PeopleTable(path.name, titles, rows, tuple(table.notes))


def columns(path: str | Path, families: bool = False) -> list[str]:
    """List the columns of a table that may be the phenotype: all but the names of people and of families.

    Parameters
    ----------
    path : str or Path
        Path of the table.
    families : bool
        Whether families are listed, too, since these may be groups.

    Returns
    -------
    list of str
        Titles of the columns.
    """
    titles = read_people_table(Path(path)).titles
    likely = person_titles(titles)
    person_title = likely[0] if likely else titles[0]
    return value_titles(titles, person_title, families)


def person_titles(titles: Iterable[str]) -> list[str]:
    """Return those titles that columns with names of people usually have, the likeliest first."""
    rank = {title: k for k, title in enumerate(PERSON_TITLES)}
    usual = [title for title in titles if plain_title(title) in rank]
    return sorted(usual, key=lambda title: rank[plain_title(title)])


def value_titles(titles: Iterable[str], person_title: str, families: bool = False) -> list[str]:
    """Return the titles of columns that name neither people nor, unless `families`, families."""
    return [title for title in titles if title != person_title and (families or not is_family(title))]


def is_family(title: str) -> bool:
    """Return True for titles of columns with names of families."""
    return plain_title(title) in FAMILY_TITLES
