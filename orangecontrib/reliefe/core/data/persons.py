"""Columns in which persons or animals occur in several rows, which then belong together.

The command line looks for them in the table that it reads, and `core.description` in features.
"""

import re
from collections.abc import Sequence

from ..words import shown

# Names of columns that tell persons or animals apart, alone or before or after another word: subject_id, Patient.No.
PERSON = re.compile(
    r"(.*[\W_])?(subject|patient|participant|person|individual|animal|mouse|rat|case|donor|pid)s?"
    r"([\W_]*(id|no|nr|number|code|name))?",
    re.IGNORECASE,
)
MIN_PERSONS = 5  # fewer are rather a treatment or a site


def is_person(name: str) -> bool:
    """True for a name of a column that tells persons or animals apart."""
    return PERSON.fullmatch(name) is not None


def repeated_person(name: str, known: Sequence[str | float]) -> str:
    """Return a clause on a column of persons who occur in several rows; empty if they do not.

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
    values = f"{shown(name)} has {persons:,} values in {len(known):,} rows"
    return f"{values}: if rows of one value belong together, as visits of a person"
