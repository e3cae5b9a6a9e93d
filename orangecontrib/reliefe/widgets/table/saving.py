"""Files that the user names in a dialog (Qt): tables, scripts and web pages."""

import os
from collections.abc import Callable

from AnyQt.QtWidgets import QFileDialog, QWidget

from ...core.files import replacing


def save_chosen_file(
    parent: QWidget, write: Callable[[str], object], title: str, name: str, pattern: str
) -> str | None:
    """Write a file that the user names.

    Parameters
    ----------
    parent, title, name, pattern
        As in `choose_file`.
    write : callable
        Writes the file of a path; raises OSError, or ValueError for an ending that does not fit.

    Returns
    -------
    str or None
        Why the file was not written, empty if it was; None if the user named no file.
    """
    path = choose_file(parent, title, name, pattern)
    return write_file(path, write) if path else None


def choose_file(parent: QWidget, title: str, name: str, pattern: str) -> str:
    """Let the user name a file.

    Parameters
    ----------
    parent : QWidget
        Window of the dialog.
    title : str
        Title of the dialog.
    name : str
        Name of the file at first, whose ending a name without one gets.
    pattern : str
        Kind of file, for example "CSV (*.csv)".

    Returns
    -------
    str
        Path of the file; empty if the user named none.
    """
    path: str = QFileDialog.getSaveFileName(parent, title, name, pattern)[0]
    if path and not os.path.splitext(path)[1]:
        path += os.path.splitext(name)[1]
    return path


def write_file(path: str, write: Callable[[str], object]) -> str:
    """Write a file by `write` as in `save_chosen_file`; returns why it was not written, empty if it was."""
    try:
        with replacing(path) as replacement:
            write(replacement)
    except OSError as error:
        return f"The file was not saved: {error.strerror or error}"
    except ValueError as error:  # another ending, which no program would take for this kind of file
        return f"The file was not saved: {error}"
    return ""
