"""A table from the standard input, saved in a file.

Used by the readers of tables with Orange (loading) and without it (frames).
"""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..tabular import ReadingOptions
from .text_format import text_ending


@contextmanager
def saved_input(options: ReadingOptions) -> Iterator[Path]:
    """Context in which the standard input is in a file: readers go over their text more than once.

    A ValueError in it names the standard input instead of the file.
    """
    if sys.stdin is None:
        raise ValueError("there is no standard input to read from")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "stdin")
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        path = path.rename(path.with_suffix(text_ending(path, "the standard input", options)))
        try:
            yield path
        except ValueError as error:
            raise ValueError(str(error).replace(str(path), path.stem)) from error
