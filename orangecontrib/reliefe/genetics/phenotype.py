"""Phenotypes of people: from the .fam, a table that is joined by name, or an array."""

import csv
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

import numpy as np

from ..command.endings import file_and_column
from ..core.checks import one_of
from ..core.data.arrays import cells as cells_of
from ..core.data.missing_codes import CODES, far_codes
from ..core.targets.targets import CLASSIFICATION, REGRESSION
from ..core.targets.times import read_events
from ..core.words import MISSING_WORDS, choices, counted, cut, shown, words_among_numbers
from .genotypes import Genotypes, refuse_twice
from .reading import lines

# Titles of the column that people are joined by, the likeliest first; without regard to case, blanks and signs.
PERSON = (
    "iid", "id", "person", "personid", "sample", "sampleid", "subject", "subjectid", "individual", "individualid",
    "participant", "participantid", "patientid", "eid", "name",
)  # fmt: skip
FID = "fid"
FAMILY = (FID, "family", "familyid")
UNKNOWN = {
    "-9", "-9.0", "NA", "nan", "NaN", "None", "<NA>", "", ".", "?", "NULL", "null", "N/A", "n/a", "#N/A", "-nan", "NaT"
}  # fmt: skip
NUMBER = re.compile(r"[+-]?\d*[.,]?\d+(e[+-]?\d+)?", re.IGNORECASE)  # also with a decimal comma
TIMES = "time", "event"  # roles of two columns
TASKS = CLASSIFICATION, REGRESSION
COLUMN_OPTION = "--phenotype-column"
SHOWN, LONGEST = 5, 200  # names, and characters of them, that a message repeats


def read_phenotype(
    data: Genotypes,
    given: object = None,
    column: str | tuple[str, str] | None = None,
    task: str | None = None,
    notes: list[str] | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Read the phenotype of the people.

    Parameters
    ----------
    data : Genotypes
        Those of the people.
    given : path, mapping of names to values, array-like (n,) or None
        None: the phenotype in the file of the genotypes.
    column : str or (str, str), optional
        Of a table; two of them are times and events, whose values are a structured array.
    task : {"classification", "regression"}, optional
        Kind of the values; None: classes if they are words, or none but 0, 1 and 2.
    notes : list of str, optional
        Facts about the reading that should be known are added to it.

    Returns
    -------
    known : (n,) bool array
        People whose phenotype is known.
    values : (n,) array
        Floats, or texts (classes).

    Raises
    ------
    ValueError
        Where it cannot be read, or has less than two values.
    """
    notes = [] if notes is None else notes
    if isinstance(column, tuple):
        time, event = (read_column(data, given, name, role, notes) for name, role in zip(column, TIMES, strict=True))
        if time.dtype.kind != "f":
            raise ValueError(f"the time {shown(column[0])} must be numbers")
        event = read_events(event, f"the event {shown(column[1])}")
        known = ~(np.isnan(time) | np.isnan(event))
        values = np.zeros(len(known), [("event", bool), ("time", float)])
        values["event"][known], values["time"][known] = event[known], time[known]
        return known, values
    if task is not None:
        one_of("task", task, TASKS)
    if given is None:
        if data.phenotype is None:
            raise ValueError(
                "there is no phenotype in the file: give a table with the names of the people (--phenotype)"
            )
        texts = data.phenotype.tolist()
    elif isinstance(given, str | os.PathLike):
        texts = _of_table(Path(given), column, data, COLUMN_OPTION, notes)
    elif isinstance(given, Mapping):
        texts = _joined(data, {str(name): str(value) for name, value in given.items()}, "the phenotype")
    else:
        values = cells_of(given, "the phenotype")
        lists = (isinstance(value, list | tuple | np.ndarray) for value in values.flat)
        if values.shape != (len(data.people),) or any(lists):
            raise ValueError(f"the phenotype must have one value for each of {len(data.people):,} people")
        texts = values.astype(str).tolist()
    by_plink = given is None or isinstance(given, str | os.PathLike)
    known, values = _parsed([text.strip() for text in texts], by_plink, task, notes)
    if len(np.unique(values[known])) < 2:
        found = f"only the value {cut(values[known][0])}" if known.any() else "no value at all"
        zero = ", 0 beside 2" if by_plink else ""
        message = f"has {found}: two are needed (-9{zero}, NA and empty cells are unknown)"
        if given is None:
            raise ValueError(f"the phenotype in the .fam {message}. Give a table with the phenotype (--phenotype)")
        raise ValueError(f"the phenotype {message}")
    return known, values


def read_column(data: Genotypes, given: object, name: str, role: str, notes: list[str] | None = None) -> np.ndarray:
    """Read a column of a table for the n people.

    Parameters
    ----------
    data : Genotypes
        Those of the people.
    given : path
        The table of phenotypes.
    name : str
        Of a column of that table, or FILE:COLUMN for another table.
    role : str
        What the column is, as a message writes it: "covariate", "group", "time" or "event".
    notes : list of str, optional
        Facts about the reading that should be known are added to it.

    Returns
    -------
    (n,) array
        Numbers with NaN, or texts with None, where unknown.

    Raises
    ------
    ValueError
        Where it cannot be read.
    """
    file, column = file_and_column(name)
    if file is None and not isinstance(given, str | os.PathLike):
        raise ValueError(
            f"the {role} {shown(name)} is a column of the table of phenotypes: give that (--phenotype FILE), or name "
            f"the column FILE:{cut(name)}"
        )
    if file is not None and not os.path.isfile(file):
        raise ValueError(f"there is no file {shown(file)} with a {role}")
    path = Path(str(given) if file is None else file)
    title = shown(name if file is None else ":".join(filter(None, [path.name, column])))
    notes = [] if notes is None else notes
    found = _of_table(path, column, data, f"--{role}", notes)
    texts = [None if text in UNKNOWN else text for text in found]
    if words := words_among_numbers(text for text in texts if text is not None):
        listed = " and ".join(map(shown, words))
        raise ValueError(f"the {role} {title} has {listed} among numbers: empty these cells if they are missing")
    try:
        numbers = np.array([np.nan if text is None else float(text) for text in texts])
    except ValueError:
        return np.array([*texts, None], object)[:-1]
    return _without_far_codes(numbers, f"{role} {title}", notes)


def columns(path: str | Path, families: bool = False) -> list[str]:
    """Names of the columns of a table that may be the phenotype: all but the names of people, and of families unless
    these are wanted, as groups."""
    titles = next(_rows(Path(path)))
    return _others(titles, next(iter(person_titles(titles)), titles[0]), families)


def person_titles(titles: Iterable[str]) -> list[str]:
    """Return those titles that columns with names of people usually have, the likeliest first."""
    place = {name: k for k, name in enumerate(PERSON)}
    usual = [title for title in titles if _plain(title) in place]
    return sorted(usual, key=lambda title: place[_plain(title)])


def _plain(title: str) -> str:
    """A title without regard to case, blanks and signs: "iid" for "#IID", "subjectid" for "Subject ID"."""
    return re.sub(r"[\W_]", "", title.casefold())


def _rows(path: Path) -> Iterator[list[str]]:
    """Cells of the lines of a table: between commas, semicolons or tabs in a .csv, else between tabs if its titles have
    any, else blanks."""
    if not os.path.isfile(path):
        raise ValueError(f"there is no file {shown(os.fspath(path))} with a phenotype")
    separator, width, in_csv = "", 0, path.suffix.lower() == ".csv"
    for number, line in lines(path):
        separator = separator or (max(",;\t", key=line.count) if in_csv else "\t" if "\t" in line else " ")
        try:
            cells = next(csv.reader([line if separator != " " else " ".join(line.split())], delimiter=separator))
        except csv.Error as error:
            raise ValueError(f"line {number} of {path.name} cannot be read: {error}") from None
        width = width or len(cells)
        if len(cells) != width:
            raise ValueError(
                f"line {number} of {path.name} has {counted(len(cells), 'cell')}, but there are {width} titles. "
                "Separate cells by tabs where some are empty, and give names of rows a title"
            )
        yield [cell.strip() for cell in cells]


def _others(titles: list[str], key: str, families: bool = False) -> list[str]:
    """Titles of the columns without that of people, and of families unless these are wanted."""
    return [title for title in titles if title != key and (families or _plain(title) not in FAMILY)]


def _of_table(path: Path, column: str | None, data: Genotypes, option: str, notes: list[str]) -> list[str]:
    """Values of the n people in a column of a table, "" of those who have none.

    column: None stands for the only one beside names.  option: what the user names the column by.
    """
    titles = next(_rows(path))
    people = _names_of(data)
    if first := next((title for title in titles[:2] if title in people), ""):
        raise ValueError(f"{path.name} has the person {shown(first)} in its first line: put titles above, as iid")
    key = _column_of_people(path, titles, people, notes)
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
        known = choices(column, others, shown)
        raise ValueError(f"{path.name} has no column {shown(column)} ({option}); {known}")
    refuse_twice([title for title in titles if title in (key, column)], "column", path.name)
    of_key, of_column = titles.index(key), titles.index(column)
    family = next((title for title in titles if _plain(title) in FAMILY and title != key), key)
    of_family = titles.index(family)
    rows = [(cells[of_family], cells[of_key], cells[of_column]) for cells in islice(_rows(path), 1, None)]
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
    values = _joined(data, dict(by_name), path.name)
    refuse_twice((name for name, _ in by_name), "person", path.name)
    return values


def _names_of(data: Genotypes) -> set[str]:
    """Names by which tables may know the people: with their family, or without."""
    names = set(map(str, data.people))
    if data.pedigree is not None:
        names.update(map(str, data.pedigree[:, 1]))
    return names


def _column_of_people(path: Path, titles: list[str], people: set[str], notes: list[str]) -> str:
    """Title of the column that names the people: one with a usual title and their names, else that with most of them.

    Of several columns with equally many of the people the first is taken, and said.
    """
    usual = person_titles(titles)
    for candidates in (usual, titles):
        places = {title: titles.index(title) for title in candidates}
        found: dict[str, set[str]] = {title: set() for title in places}
        for cells in islice(_rows(path), 1, None):
            for title, place in places.items():
                if cells[place] in people:
                    found[title].add(cells[place])
            if len(places) == 1 and any(found.values()):
                break
        most = max(map(len, found.values()), default=0)
        if most == 0:
            continue
        key, *equal = [title for title in found if len(found[title]) == most]
        if candidates is titles and (equal or key != titles[0]):
            also = f", as {', '.join(map(shown, equal))} does" if equal else ""
            notes.append(f"people are joined by the column {shown(key)} of {path.name}, which has their names{also}")
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


def _joined(data: Genotypes, values: Mapping[str, str], source: str) -> list[str]:
    """Values of the n people by their names, "" of those who have none."""
    if not any(str(person) in values for person in data.people):
        theirs, ours = (cut(", ".join(map(str, names[:SHOWN])), LONGEST) for names in ([*values], data.people))
        message = f"none of the people is in {source}: it has {theirs} ..., the genotypes have {ours} ..."
        if data.pedigree is not None and (data.pedigree[:, 1] != data.people).any():
            message += ". Give it columns FID and IID: an IID is in several families"
        raise ValueError(message)
    return [values.get(str(person), "") for person in data.people]


def _parsed(texts: list[str], by_plink: bool, task: str | None, notes: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Known people, and their values as numbers or classes.

    by_plink: whether 0 beside 2 is unknown, as in PLINK, where 1 are controls and 2 cases.
    """
    unknown = UNKNOWN
    if words := words_among_numbers(text for text in texts if text not in UNKNOWN and _number(text) not in CODES):
        if not all(word.casefold() in MISSING_WORDS for word in words):
            raise ValueError(
                f"the phenotype has {' and '.join(map(shown, words))} among numbers: empty these cells if they are "
                "missing, or give all classes names that are no numbers"
            )
        unknown = UNKNOWN.union(words)
    known = np.array([text not in unknown for text in texts])
    try:
        numbers = np.array([float(text) if ok else np.nan for text, ok in zip(texts, known, strict=True)])
    except ValueError:
        return _words(texts, known, task, notes)
    numbers[numbers == -9] = np.nan
    numbers = _without_far_codes(numbers, "phenotype", notes)
    known = ~np.isnan(numbers)
    values = set(numbers[known].tolist())
    has_few = values <= {0.0, 1.0, 2.0}
    if task == REGRESSION or not (has_few or task == CLASSIFICATION):
        return known, numbers
    if by_plink and has_few and {0.0, 2.0} <= values:
        is_zero = numbers == 0
        people = counted(int(is_zero.sum()), "person", "people")
        notes.append(
            f"0 read as unknown, as PLINK does, in {people} (if 0 is a grade, add --task regression; if it is a class, "
            "name all classes by words)"
        )
        known &= ~is_zero
    return known, np.array([_name_of(number) if ok else "" for number, ok in zip(numbers, known, strict=True)], object)


def _without_far_codes(numbers: np.ndarray, column: str, notes: list[str]) -> np.ndarray:
    """Numbers (n,) with NaN in the place of -99, -999 ... that are far below all others; a note counts them."""
    for code in far_codes(numbers):
        has_code = numbers == code
        people = counted(int(has_code.sum()), "person", "people")
        notes.append(f"{code:g} read as unknown in {people}, since it is far below all other values of the {column}")
        numbers = np.where(has_code, np.nan, numbers)
    return numbers


def _words(texts: list[str], known: np.ndarray, task: str | None, notes: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Known people, and their classes, of which one at least is no number."""
    first = next(text for text, ok in zip(texts, known, strict=True) if ok and _number(text) is None)
    if all(NUMBER.fullmatch(text) for text, ok in zip(texts, known, strict=True) if ok):
        raise ValueError(f"the phenotype has decimal commas, as {shown(first)}: write decimal points")
    if task == REGRESSION:
        raise ValueError(f"the phenotype has the value {shown(first)}, which is no number: leave --task out")
    coded = np.array([_number(text) in CODES for text in texts]) & known
    if coded.any():
        codes = sorted({text for text, has_code in zip(texts, coded, strict=True) if has_code})
        people = counted(int(coded.sum()), "person", "people")
        notes.append(f"{', '.join(codes)} read as unknown in {people}, since all other classes are words")
    known = known & ~coded
    return known, np.where(known, np.array(texts, object), "")


def _number(text: str) -> float | None:
    """The number that a text is; None if it is none."""
    try:
        return float(text)
    except ValueError:
        return None


def _name_of(number: float) -> str:
    """Name of a class that is a number: "1" for 1.0."""
    return str(int(number)) if number.is_integer() else str(number)
