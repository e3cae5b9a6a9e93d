"""Columns of text tables that their names tell: targets, row numbers, and those with a prefix of Orange.

Shared by the readers of tables with Orange (target_column) and without it (frames).
"""

import re

import numpy as np

TARGETS = ("class", "target", "label", "y", "outcome")  # in small letters
INDEX = "Unnamed: 0"  # name that pandas gives to the numbers of rows of a file that it had saved
NO_NAME = "Feature 1"  # name that Orange gives to a first column without one
PREFIX = re.compile(r"(?:([cimw])?[CDNST]?|[CDNST]([cimw]))#")  # role and type, as in D#sex or mS#name


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
