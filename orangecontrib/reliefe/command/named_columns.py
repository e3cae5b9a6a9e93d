"""Columns of tables that their names tell: targets, row numbers, and those with a prefix of Orange.

Shared by the readers of tables with Orange (target_column) and without it (frames), and of files of columns (arrays).
"""

import re
import shlex
from collections.abc import Sequence

import numpy as np

from ..core.data import facts
from ..core.targets import facts as target_facts
from ..core.words import shown, some

TARGETS = ("class", "target", "label", "y", "outcome")  # in small letters
INDEX = "Unnamed: 0"  # name that pandas gives to the numbers of rows of a file that it had saved
NO_NAME = "Feature 1"  # name that Orange gives to a first column without one
MAX_COLUMNS = 5  # in a message, of the first and of the last columns
PREFIX = re.compile(r"(?:([cimw])?[CDNST]?|[CDNST]([cimw]))#")  # role and type, as in D#sex or mS#name


def is_target(name: str) -> bool:
    """True for a name that a last column has if it is the target."""
    return name.strip().lower() in TARGETS


def note_on_last_column(name: str, is_left_aside: bool) -> str:
    """Return a sentence on the last column, whose name is that of a target."""
    if is_left_aside:
        return f"The last column, {shown(name)}, is left aside: its name is that of a target"
    return f"Target: the last column, {shown(name)}, by its name (--target NAME chooses another)"


def note_on_codes(names: Sequence[str]) -> str:
    """Return a sentence on numbers that may be codes, with the option that makes categories of them."""
    from ..core.description import code_finding

    options = " ".join(f"--categories {shlex.quote(name)}" for name in names[:MAX_COLUMNS])
    return f"{code_finding(names).sentence}; if so, add {options}"


def first_and_last(names: Sequence[str]) -> str:
    """List the first and the last names of columns for a message; the last one is often the target."""
    if len(names) <= 2 * MAX_COLUMNS:
        return ", ".join(map(shown, names))
    return f"{', '.join(map(shown, names[:MAX_COLUMNS]))} ... {', '.join(map(shown, names[-MAX_COLUMNS:]))}"


def no_target_in(name: str, columns: Sequence[str]) -> str:
    """Return the message on a table without a target, with the options that help; columns: those of the table."""
    return (
        f"{target_facts.no_target(f'{name} has')}: say which column it is by --target NAME, or rank without one by "
        f"--task unsupervised; its columns: {first_and_last(columns)}"
    )


def no_features(name: str, texts: Sequence[str], doubts: Sequence[str]) -> str:
    """Return the message on a table without features.

    Parameters
    ----------
    name : str
        What the message calls the table.
    texts : sequence of str
        Names of its columns of texts.
    doubts : sequence of str
        Sentences on those that stay texts, though most of their cells are numbers.
    """
    if not texts:
        return facts.no_features(f"{name} has")
    verb = "has" if len(texts) == 1 else "have"
    listed = f"{some([*map(shown, texts)])} {verb} texts with too many different values for categories"
    advice = "If they are numbers, write these without other signs, and leave cells empty where a value is missing"
    reason = ". ".join(doubts) or advice
    return f"{facts.no_features(f'{name} has')}: {listed}. If each row is a feature, add --transpose. {reason}"


def is_index(name: str, values: np.ndarray) -> bool:
    """True for row numbers of a column that has no name, or that pandas has named: different whole numbers.

    Rows keep their numbers when others are left out (`dropna`), or when they are permuted (`sample`), so that numbers
    may have gaps and any order.  Those without a name are at least 0.
    """
    if not name.startswith(INDEX) and not (values >= 0).all():
        return False
    return len(values) > 1 and bool((values == np.floor(values)).all()) and len(np.unique(values)) == len(values)
