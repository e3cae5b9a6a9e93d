"""A table from the standard input, saved in a file, and the format of a text whose name does not tell it.

Used by the readers of tables with Orange (loading) and without it (frames).
"""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..tabular import ReadingOptions
from ..tabular.encoding import decode_beginning
from ..tabular.limits import opened

BYTES_SAMPLED = 1 << 16  # of a text whose name does not tell its format
ARFF_BEGINS = ("@relation", "@attribute", "@data")


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


def text_ending(path: str | Path, source: str, options: ReadingOptions) -> str:
    """Return the ending that suits the text in a file: of ARFF or of text tables.

    source: what messages call the file.
    """
    file, _ = opened(path)
    with file:
        data = file.read(BYTES_SAMPLED)
    if not data.strip():
        raise ValueError(f"{source} must be CSV, tab-separated values or ARFF as text, and it is empty")
    try:
        text = decode_beginning(data, options.encoding)
    except ValueError as error:
        raise ValueError(f"{source} must be CSV, tab-separated values or ARFF as text: {error}") from error
    lines = (line.strip().lower() for line in text.splitlines())
    first = next((line for line in lines if line and not line.startswith("%")), "")
    if first.startswith(ARFF_BEGINS):
        return ".arff"
    return ".tab" if "\t" in first else ".csv"
