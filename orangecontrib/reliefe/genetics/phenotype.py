"""Phenotypes of people: from the .fam, a table that is joined by name, or an array."""

import csv
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from ..core.data.arrays import cells as cells_of
from ..core.targets.times import read_events
from ..core.words import MISSING_WORDS, choices, counted, cut, shown, words_among_numbers
from .genotypes import Genotypes, refuse_twice
from .reading import lines

NAMES = ("iid", "id", "person", "sample", "name")  # of the column that people are joined by, in this order
FAMILY = ("fid", "family", "#fid")
UNKNOWN = {
    "-9", "-9.0", "NA", "nan", "NaN", "None", "<NA>", "", ".", "?", "NULL", "null", "N/A", "n/a", "#N/A", "-nan", "NaT"
}  # fmt: skip
NUMBER = re.compile(r"[+-]?\d*[.,]?\d+(e[+-]?\d+)?", re.IGNORECASE)  # also with a decimal comma
TIMES = "time", "event"  # roles of two columns
SHOWN, LONGEST = 5, 200  # names, and characters of them, that a message repeats


def read_phenotype(
    data: Genotypes, given: object = None, column: str | tuple[str, str] | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Phenotype of the people.

    column: of a table; two of them are times and events, whose values are a structured array.

    Returns shape known (n,), values (n,).
    """
    if isinstance(column, tuple):
        time, event = (read_column(data, given, name, role) for name, role in zip(column, TIMES, strict=True))
        if time.dtype.kind != "f":
            raise ValueError(f"the time {shown(column[0])} must be numbers")
        event = read_events(event, f"the event {shown(column[1])}")
        known = ~(np.isnan(time) | np.isnan(event))
        values = np.zeros(len(known), [("event", bool), ("time", float)])
        values["event"][known], values["time"][known] = event[known], time[known]
        return known, values
    if given is None:
        if data.phenotype is None:
            raise ValueError(
                "there is no phenotype in the file: give a table with the names of the people (--phenotype)"
            )
        texts = data.phenotype.tolist()
    elif isinstance(given, str | os.PathLike):
        texts = _of_table(Path(given), column, data.people)
    elif isinstance(given, Mapping):
        texts = _joined(data.people, {str(name): str(value) for name, value in given.items()}, "the phenotype")
    else:
        values = cells_of(given, "the phenotype")
        lists = (isinstance(value, list | tuple | np.ndarray) for value in values.flat)
        if values.shape != (len(data.people),) or any(lists):
            raise ValueError(f"the phenotype must have one value for each of {len(data.people):,} people")
        texts = values.astype(str).tolist()
    return _parsed([text.strip() for text in texts], of_fam=given is None)


def read_column(data: Genotypes, given: object, name: str, role: str) -> np.ndarray:
    """Column of the table of phenotypes for the n people: numbers with NaN, or texts with None, where unknown."""
    if not isinstance(given, str | os.PathLike):
        raise ValueError(
            f"the {role} {shown(name)} is a column of the table of phenotypes: give that (--phenotype FILE)"
        )
    found = _of_table(Path(given), name, data.people, f"--{role}")
    texts = [None if text in UNKNOWN else text for text in found]
    if words := words_among_numbers(text for text in texts if text is not None):
        listed = " and ".join(map(shown, words))
        raise ValueError(f"the {role} {shown(name)} has {listed} among numbers: empty these cells if they are missing")
    try:
        return np.array([np.nan if text is None else float(text) for text in texts])
    except ValueError:
        return np.array([*texts, None], object)[:-1]


def columns(path: str | Path, families: bool = False) -> list[str]:
    """Names of the columns of a table that may be the phenotype: all but the names of people, and of families unless
    these are wanted, as groups."""
    return _others(next(_rows(Path(path))), families)


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


def _key(titles: list[str]) -> str:
    """Title of the column with the names of people."""
    lower = {title.lower(): title for title in titles}
    return next((lower[name] for name in NAMES if name in lower), titles[0])


def _others(titles: list[str], families: bool = False) -> list[str]:
    """Titles of the columns without those of people, and of families unless these are wanted."""
    key = _key(titles)
    return [title for title in titles if title != key and (families or title.lower() not in FAMILY)]


def _of_table(path: Path, column: str | None, people: np.ndarray, option: str = "--phenotype-column") -> list[str]:
    """Values of the n people, "" of those who have none."""
    rows = _rows(path)
    titles = next(rows)
    if first := next((title for title in titles[:2] if title in people), ""):
        raise ValueError(f"{path.name} has the person {shown(first)} in its first line: put titles above, as iid")
    key, others = _key(titles), _others(titles)
    if column is None:
        if len(others) != 1:
            listed = cut(", ".join(others[:SHOWN]), LONGEST) or "of names only"
            raise ValueError(
                f"{path.name} has the columns {listed}: name the phenotype ({option}), and covariates (--covariate)"
            )
        column = others[0]
    if column == key or column not in titles:  # a family may be a group
        known = choices(column, others, shown)
        raise ValueError(f"{path.name} has no column {shown(column)} ({option}); {known}")
    refuse_twice([title for title in titles if title in (key, column)], "column", path.name)
    person, value = titles.index(key), titles.index(column)
    found = [(cells[person], cells[value]) for cells in rows]
    refuse_twice((name for name, _ in found), "person", path.name)
    return _joined(people, dict(found), path.name)


def _joined(people: np.ndarray, values: Mapping[str, str], source: str) -> list[str]:
    """Values of the n people, "" of those who have none."""
    if not any(str(person) in values for person in people):
        theirs, ours = (cut(", ".join(map(str, names[:SHOWN])), LONGEST) for names in ([*values], people))
        raise ValueError(f"none of the people is in {source}: it has {theirs} ..., the genotypes have {ours} ...")
    return [values.get(str(person), "") for person in people]


def _parsed(texts: list[str], of_fam: bool) -> tuple[np.ndarray, np.ndarray]:
    """Known people, and their values as numbers or classes."""
    unknown = UNKNOWN
    if words := words_among_numbers(text for text in texts if text not in UNKNOWN):
        if not all(word.casefold() in MISSING_WORDS for word in words):
            raise ValueError(
                f"the phenotype has {' and '.join(map(shown, words))} among numbers: empty these cells if they are "
                "missing, or give all classes names that are no numbers"
            )
        unknown = UNKNOWN.union(words)
    known = np.array([text not in unknown for text in texts])
    try:
        values = np.array([float(text) if ok else np.nan for text, ok in zip(texts, known, strict=True)])
    except ValueError:
        if all(NUMBER.fullmatch(text) for text, ok in zip(texts, known, strict=True) if ok):
            first = next(text for text in texts if "," in text)
            raise ValueError(f"the phenotype has decimal commas, as {shown(first)}: write decimal points") from None
        values = np.where(known, np.array(texts, object), "")
    else:
        known &= ~np.isnan(values) & (values != -9)
        if set(values[known].tolist()) <= {0.0, 1.0, 2.0}:
            if of_fam and (values == 2).any():  # of PLINK: 1 controls, 2 cases, 0 unknown
                known &= values != 0
            values = np.array([f"{value:g}" if ok else "" for value, ok in zip(values, known, strict=True)], object)
    if len(np.unique(values[known])) < 2:
        some = f"only the value {cut(values[known][0])}" if known.any() else "no value at all"
        raise ValueError(f"the phenotype has {some}: two are needed (-9, NA and empty cells are unknown)")
    return known, values
