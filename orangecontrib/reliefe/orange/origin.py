"""Origin of a table that was read from a text file, for scripts that read it again.

*Open Data* notes it (`jobs/open_data.py`), and scripts of the rankers write it (`ranker/script.py`). The note is an
attribute of the object, as `__file__` of Orange's tables is: a table of other rows or columns has none.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from Orange.data import Table

ATTRIBUTE = "_reliefe_origin"  # of a table


class Origin(NamedTuple):
    """Arguments of `read_table`.

    Attributes
    ----------
    path : str
        The file.
    target : str or list of str
        Name of the target, or of a time and its event; empty if the name of the last column tells.
    reading : mapping
        Fields of `tabular.ReadingOptions`.
    """

    path: str
    target: str | list[str]
    reading: Mapping[str, Any]

    @property
    def python(self) -> str:
        """The call in a script."""
        options = {name: value for name, value in {"target": self.target, **self.reading}.items() if value}
        return f"read_table({self.path!r}{''.join(f', {name}={value!r}' for name, value in options.items())})"


def note_origin(table: Table, origin: Origin) -> None:
    """Note on a table how it was read."""
    setattr(table, ATTRIBUTE, origin)


def origin_of(table: Table) -> Origin | None:
    """Return how a table was read; None if this is not known."""
    return getattr(table, ATTRIBUTE, None)
