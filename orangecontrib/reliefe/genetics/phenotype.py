"""Phenotypes, covariates and groups of people, as numbers or classes.

`ranking` calls `read_phenotype` with what the user gave, a table of people, a mapping, an array, or nothing for the
phenotype in the file beside the genotypes, and `read_column` for covariates and groups. `people_join` matches people by
their names.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ..command.endings import file_and_column
from ..core.checks import one_of
from ..core.data.arrays import cells as cells_of
from ..core.data.facts import infinite_values, words_in_column
from ..core.data.missing_codes import CODES, far_codes
from ..core.targets.events import read_events, times_with_events
from ..core.targets.facts import no_target, refuse_one_value
from ..core.targets.tasks import CLASSIFICATION, REGRESSION
from ..core.words import MISSING_WORDS, counted, cut, shown, words_among_numbers
from .genotypes import Genotypes
from .people_join import COLUMN_OPTION, joined, values_of_people

UNKNOWN = {
    "-9", "-9.0", "NA", "nan", "NaN", "None", "NONE", "<NA>", "", ".", "?", "NULL", "null", "N/A", "n/a", "#N/A",
    "-nan", "NaT",
}  # fmt: skip
THE_PHENOTYPE = "the phenotype"
PLINK_NONE = "NONE"  # missing category of PLINK 2
NUMBER = re.compile(r"[+-]?(\d+([.,]\d+)?|[.,]\d+)(e[+-]?\d+)?", re.IGNORECASE)  # also with a decimal comma
TIME_ROLES = ("time", "event")  # roles of the two columns of times
TASKS = (CLASSIFICATION, REGRESSION)
PLINK_UNKNOWN = -9


def read_phenotype(
    data: Genotypes,
    source: object = None,
    column: str | tuple[str, str] | None = None,
    task: str | None = None,
    notes: list[str] | None = None,
    event_value: object = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Read the phenotype of the people.

    Parameters
    ----------
    data : Genotypes
        Those of the people.
    source : path, mapping of names to values, array-like (n,) or None
        None: the phenotype in the file of the genotypes.
    column : str or (str, str), optional
        Of a table; two of them are times and events, whose values are a structured array.
    task : {"classification", "regression"}, optional
        Kind of the values; None: classes if they are words, or none but 0, 1 and 2.
    notes : list of str, optional
        Facts about the reading that should be known are added to it.
    event_value : object, optional
        The value that says that there was an event; None: known words decide.

    Returns
    -------
    is_known : (n,) bool array
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
        time, event = (
            read_column(data, source, name, role, notes) for name, role in zip(column, TIME_ROLES, strict=True)
        )
        if time.dtype.kind != "f":
            raise ValueError(f"the time {shown(column[0])} must be numbers")
        return times_with_events(time, read_events(event, event_value, f"the event {shown(column[1])}"))
    if task is not None:
        one_of("task", task, TASKS)
    if source is None:
        if data.phenotype is None:
            raise ValueError(
                f"{no_target('the file has')}: give a table with the names of the people and a phenotype (--phenotype)"
            )
        texts = data.phenotype.tolist()
    elif isinstance(source, str | os.PathLike):
        texts = values_of_people(Path(source), column, data, COLUMN_OPTION, notes)
    elif isinstance(source, Mapping):
        texts = joined(data, {str(name): str(value) for name, value in source.items()}, "the phenotype")
    else:
        values = cells_of(source, "the phenotype")
        lists = (isinstance(value, list | tuple | np.ndarray) for value in values.flat)
        if values.shape != (len(data.people),) or any(lists):
            raise ValueError(f"the phenotype must have one value for each of {len(data.people):,} people")
        texts = values.astype(str).tolist()
    notes += _note_on_none(texts, "phenotype")
    by_plink = source is None or isinstance(source, str | os.PathLike)
    is_known, values = _parsed([text.strip() for text in texts], by_plink, task, notes)
    unknown = f" (-9{', 0 beside 2' if by_plink else ''}, NA and empty cells are unknown)"
    if source is None:
        advice = f"{unknown}. Give a table with the phenotype (--phenotype)"
        refuse_one_value(values[is_known], f"{THE_PHENOTYPE} in the file beside the genotypes", advice)
    refuse_one_value(values[is_known], THE_PHENOTYPE, unknown)
    return is_known, values


def read_column(data: Genotypes, source: object, name: str, role: str, notes: list[str] | None = None) -> np.ndarray:
    """Read a column of a table for the n people.

    Parameters
    ----------
    data : Genotypes
        Those of the people.
    source : path
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
    if file is None and not isinstance(source, str | os.PathLike):
        raise ValueError(
            f"the {role} {shown(name)} is a column of the table of phenotypes: give that (--phenotype FILE), or name "
            f"the column FILE:{cut(name)}"
        )
    if file is not None and not os.path.isfile(file):
        raise ValueError(f"there is no file {shown(file)} with a {role}")
    path = Path(str(source) if file is None else file)
    title = shown(name if file is None else ":".join(filter(None, [path.name, column])))
    notes = [] if notes is None else notes
    values_of_rows = values_of_people(path, column, data, f"--{role}", notes)
    notes += _note_on_none(values_of_rows, f"{role} {title}")
    texts = [None if text in UNKNOWN else text for text in values_of_rows]
    if words := words_among_numbers(text for text in texts if text is not None):
        raise ValueError(words_in_column(f"the {role} {title}", words))
    try:
        numbers = np.array([np.nan if text is None else float(text) for text in texts])
    except ValueError:
        return np.array([*texts, None], object)[:-1]
    return _without_far_codes(numbers, f"{role} {title}", notes)


def _note_on_none(texts: list[str], column: str) -> list[str]:
    """Sentence on people with PLINK's missing category, which may be meant as a word; none without them."""
    n = sum(text.strip() == PLINK_NONE for text in texts)
    if not n:
        return []
    return [f"{PLINK_NONE} read as unknown in {counted(n, 'person', 'people')}, as PLINK 2 does, in the {column}"]


def _parsed(texts: list[str], by_plink: bool, task: str | None, notes: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Parse a phenotype as numbers or classes.

    Parameters
    ----------
    texts : list of str
        Values of the n people as written.
    by_plink : bool
        Whether 0 is unknown where 2 occurs, as in PLINK, where 1 are controls and 2 cases.
    task : {"classification", "regression"}, optional
        Kind of the values, if the user says it.
    notes : list of str
        Sentences on what was taken as unknown are added to it.

    Returns
    -------
    is_known : (n,) bool array
        People whose phenotype is known.
    values : (n,) array
        Numbers, or names of classes.
    """
    unknown = UNKNOWN
    if words := words_among_numbers(text for text in texts if text not in UNKNOWN and _number(text) not in CODES):
        if not all(word.casefold() in MISSING_WORDS for word in words):
            advice = "or give all classes names that are no numbers"
            raise ValueError(f"{words_in_column(THE_PHENOTYPE, words)}, {advice}")
        unknown = UNKNOWN.union(words)
    is_known = np.array([text not in unknown for text in texts])
    try:
        numbers = np.array([float(text) if ok else np.nan for text, ok in zip(texts, is_known, strict=True)])
    except ValueError:
        return _words(texts, is_known, task, notes)
    numbers[numbers == PLINK_UNKNOWN] = np.nan
    numbers = _without_far_codes(numbers, "phenotype", notes)
    is_known = ~np.isnan(numbers)
    if np.isinf(numbers).any():
        raise ValueError(infinite_values(THE_PHENOTYPE))
    values = set(numbers[is_known].tolist())
    has_few = values <= {0.0, 1.0, 2.0}
    if task == REGRESSION or not (has_few or task == CLASSIFICATION):
        return is_known, numbers
    if by_plink and has_few and {0.0, 2.0} <= values:
        is_zero = numbers == 0
        people = counted(int(is_zero.sum()), "person", "people")
        notes.append(
            f"0 read as unknown, as PLINK does, in {people} (if 0 is a grade, add --task regression; if it is a class, "
            "name all classes by words)"
        )
        is_known &= ~is_zero
    return is_known, np.array(
        [_name_of(number) if ok else "" for number, ok in zip(numbers, is_known, strict=True)], object
    )


def _without_far_codes(numbers: np.ndarray, column: str, notes: list[str]) -> np.ndarray:
    """Numbers (n,) with NaN in the place of -99, -999 ... that are far below all others; a note counts them."""
    for code in far_codes(numbers):
        has_code = numbers == code
        people = counted(int(has_code.sum()), "person", "people")
        notes.append(f"{code:g} read as unknown in {people}, since it is far below all other values of the {column}")
        numbers = np.where(has_code, np.nan, numbers)
    return numbers


def _words(texts: list[str], is_known: np.ndarray, task: str | None, notes: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Parse a phenotype of classes, of which one at least is no number; as `_parsed`."""
    first = next(text for text, ok in zip(texts, is_known, strict=True) if ok and _number(text) is None)
    if all(NUMBER.fullmatch(text) for text, ok in zip(texts, is_known, strict=True) if ok):
        raise ValueError(f"the phenotype has decimal commas, as {shown(first)}: write decimal points")
    if task == REGRESSION:
        raise ValueError(f"the phenotype has the value {shown(first)}, which is no number: leave --task out")
    is_code = np.array([_number(text) in CODES for text in texts]) & is_known
    if is_code.any():
        codes = sorted({text for text, has_code in zip(texts, is_code, strict=True) if has_code})
        people = counted(int(is_code.sum()), "person", "people")
        notes.append(f"{', '.join(codes)} read as unknown in {people}, since all other classes are words")
    is_known = is_known & ~is_code
    return is_known, np.where(is_known, np.array(texts, object), "")


def _number(text: str) -> float | None:
    """The number that a text is; None if it is none."""
    try:
        return float(text)
    except ValueError:
        return None


def _name_of(number: float) -> str:
    """Name of a class that is a number: "1" for 1.0."""
    return str(int(number)) if number.is_integer() else str(number)
