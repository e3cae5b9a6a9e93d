"""Facts about rows and columns that prevent or spoil a ranking: each one is stated here, and nowhere else.

Arrays, estimators, tables of Orange, files and genotypes raise or note these sentences. Windows begin with a sentence
of this file, and put their advice behind it. Facts about targets are in `core.targets.facts`.
"""

from collections.abc import Sequence

import numpy as np

from ..words import NAMES_SHOWN, choices, counted, shown, shown_item, some

THE_DATA = "the data have"  # source of a fact, with its verb
NO_ROWS = "{source} no rows"
ONE_ROW = "there is only one row{condition}; at least two are needed"
NO_FEATURES = "{source} no features to rank"
CONSTANT = "without two different values"
ALL_CONSTANT = "no feature has two different values: scores say nothing"
INFINITE = "infinite or far too large values in {place}: correct them, or leave the column out"
UNKNOWN_COLUMN = "unknown {role} {name}; {choices}"
NAMED_TWICE = "the {role} {name} is named twice: name each column once"
TWO_ROLES = "{name} is one thing only: a target, a covariate, or a group"
WORDS_AMONG_NUMBERS = "{column} has {words} among numbers: empty these cells if they are missing"


def no_rows(source: str = THE_DATA) -> str:
    """Say that there are no rows; source: what has none, with its verb."""
    return NO_ROWS.format(source=source)


def one_row(needs_target: bool = False) -> str:
    """Say that there is a single row; needs_target: True if only rows with a known target count."""
    return ONE_ROW.format(condition=" with a known target" if needs_target else "")


def no_features(source: str = THE_DATA) -> str:
    """Say that there is nothing to rank; source: what has no features, with its verb."""
    return NO_FEATURES.format(source=source)


def refuse_empty(shape: tuple[int, int], source: str = THE_DATA, detail: str = "") -> None:
    """Raise ValueError for data without features or rows.

    Parameters
    ----------
    shape : (int, int)
        Numbers of rows and of features.
    source : str
        What has no rows or features, with its verb.
    detail : str
        End of the message.
    """
    n, p = shape
    if p == 0:
        raise ValueError(no_features(source) + detail)
    if n == 0:
        raise ValueError(no_rows(source) + detail)


def constant_features(names: Sequence[str], max_names: int = NAMES_SHOWN) -> str:
    """Name features that are constant, or unknown in all rows: "features without two different values: 'a', 'b'".

    max_names: number of names that are written out.
    """
    return f"{'feature' if len(names) == 1 else 'features'} {CONSTANT}: {some([*map(shown, names)], max_names)}"


def texts_left_out(names: Sequence[str]) -> str:
    """Name the columns of texts that are not ranked, since nearly every row has another one."""
    return f"{counted(len(names), 'text column')} left out: {some([*map(shown, names)])}"


def row_numbers_left_out(columns: Sequence[str]) -> str:
    """Name the columns of row numbers that are not ranked; columns: how a note calls them, names in quotes."""
    return f"Row numbers left out: {some(columns)}"


def all_constant() -> str:
    """Say that no feature has two different values."""
    return ALL_CONSTANT


def infinite_values(columns: str) -> str:
    """Say that there are values that cannot be compared; columns: the columns with them, or what they are in."""
    return INFINITE.format(place=columns)


def refuse_infinite(features: np.ndarray, names: Sequence[str] | None = None) -> None:
    """Raise ValueError if there are features (indices) that cannot be scaled; names (p,): those of the features."""
    if len(features):
        listed = [shown_item(f, names) for f in features.tolist()]
        raise ValueError(infinite_values(some(listed)))


def unknown_column(role: str, name: str, names: Sequence[str]) -> str:
    """Say that there is no column of a name.

    Parameters
    ----------
    role : str
        What the column should be: "target", "covariate" or "group".
    name : str
        The name that none has.
    names : sequence of str
        Names of the columns that there are.
    """
    return UNKNOWN_COLUMN.format(role=role, name=shown(name), choices=choices(name, names, shown))


def refuse_unknown(names: Sequence[str], role: str, column_names: Sequence[str]) -> None:
    """Raise ValueError for a name that none of the columns has; role: what the named columns should be."""
    for name in names:
        if name not in column_names:
            raise ValueError(unknown_column(role, name, column_names))


def refuse_repeated(names: Sequence[str], role: str) -> None:
    """Raise ValueError for a name that is given twice; role: what the columns should be."""
    for number, name in enumerate(names):
        if name in names[:number]:
            raise ValueError(NAMED_TWICE.format(role=role, name=shown(name)))


def two_roles(name: str) -> str:
    """Say that a column was given two roles, for example as a covariate and as the group."""
    return TWO_ROLES.format(name=shown(name))


def words_in_column(column: str, words: Sequence[str]) -> str:
    """Say that a column of numbers has words in it; column: what the message calls it."""
    return WORDS_AMONG_NUMBERS.format(column=column, words=" and ".join(map(shown, words)))
