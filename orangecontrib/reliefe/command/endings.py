"""Names of files that options give, and the error where the name of the target is missing.

Nothing heavy is imported for them, so that --help answers at once.
"""

import os

from ..formats import CELLS, GENOTYPES, endings_of, is_of

OF_GENOTYPES = f"genotypes ({', '.join(endings_of(GENOTYPES))})"  # in messages on options that they alone have
STDIN, STDIN_FILE = "-", "/dev/stdin"  # DATA that is the standard input, and the file that it is
REPORTS = (".html", ".htm")


# Endings with which names of columns hardly end
SURE_ENDINGS = {ending for ending in endings_of(CELLS) if ending not in (".data", ".dat")}


class NoTarget(ValueError):
    """A table has no target, and none is named."""


def is_genotypes(path: str) -> bool:
    """True for names of files that `read_genotypes` reads."""
    return is_of(path, GENOTYPES)


def is_table_of_cells(path: str) -> bool:
    """True for names of text tables and workbooks, of targets, phenotypes and covariates.

    A name as x.dat, which may be one of a column, must be that of a file that is there.
    """
    return is_of(path, CELLS) and (os.path.splitext(path)[1].lower() in SURE_ENDINGS or os.path.isfile(path))


def file_and_column(name: str) -> tuple[str | None, str | None]:
    """Return the file and the column of "FILE:COLUMN" or "FILE"; None for the part that is not there.

    A FILE ends like a table in text, or is there and has a column behind it; all other names are columns.
    """
    path, colon, column = name.rpartition(":")
    if is_table_of_cells(name):
        return name, None
    if colon and (is_table_of_cells(path) or os.path.isfile(path)):
        return path, column
    return None, name
