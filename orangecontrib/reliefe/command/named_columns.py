"""Columns of text tables that their names tell: targets, row numbers, persons, and those with a prefix of Orange.

Shared by the readers of tables with Orange (target_column) and without it (frames).
"""

import re
from collections.abc import Sequence

import numpy as np

from ..core.words import shown

TARGETS = ("class", "target", "label", "y", "outcome")  # in small letters
INDEX = "Unnamed: 0"  # name that pandas gives to the numbers of rows of a file that it had saved
NO_NAME = "Feature 1"  # name that Orange gives to a first column without one
PREFIX = re.compile(r"(?:([cimw])?[CDNST]?|[CDNST]([cimw]))#")  # role and type, as in D#sex or mS#name

# Names of columns that tell persons or animals apart, alone or before or after another word: subject_id, Patient.No.
PERSON = re.compile(
    r"(.*[\W_])?(subject|patient|participant|person|individual|animal|mouse|rat|case|donor|pid)s?"
    r"([\W_]*(id|no|nr|number|code|name))?",
    re.IGNORECASE,
)
MIN_PERSONS = 5  # fewer are rather a treatment or a site


def is_target(name: str) -> bool:
    """True for a name that a last column has if it is the target."""
    return name.strip().lower() in TARGETS


def is_index(name: str, values: np.ndarray) -> bool:
    """True for row numbers of a column that has no name, or that pandas has named: different whole numbers.

    Rows keep their numbers when others are left out (`dropna`), or when they are permuted (`sample`), so that numbers
    may have gaps and any order.  Those without a name are at least 0.
    """
    if not name.startswith(INDEX) and not (values >= 0).all():
        return False
    return len(values) > 1 and bool((values == np.floor(values)).all()) and len(np.unique(values)) == len(values)


def is_person(name: str) -> bool:
    """True for a name of a column that tells persons or animals apart."""
    return PERSON.fullmatch(name) is not None


def repeated_person(name: str, known: Sequence[str | float]) -> str:
    """Return advice on a column of persons who occur in several rows; empty if they do not.

    Parameters
    ----------
    name : str
        Its name.
    known : sequence of str or float
        Its values that are not missing: texts, numbers, or codes.
    """
    persons = len({*known})
    is_whole = all(isinstance(value, str) or float(value).is_integer() for value in known)
    if not is_whole or not MIN_PERSONS <= persons <= len(known) / 2:
        return ""
    return (
        f"{shown(name)} has {persons:,} values in {len(known):,} rows: if rows of one value belong "
        f"together, as visits of a person, add --group {shown(name)}"
    )
