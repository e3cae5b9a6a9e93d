"""Format of a text whose name does not tell it: ARFF, or a text table.

Called for the standard input (standard_input) and for files that end in .txt (loading).
"""

from pathlib import Path

from ..core.data.limits import DAMAGED, damaged, open_unpacked
from ..tabular import ReadingOptions
from ..tabular.encoding import decode_beginning

BYTES_SAMPLED = 1 << 16  # of a text whose name does not tell its format
ARFF_BEGINS = ("@relation", "@attribute", "@data")


def text_ending(path: str | Path, source: str, options: ReadingOptions) -> str:
    """Return the ending that suits the text in a file: of ARFF or of text tables.

    source: what messages call the file.
    """
    file, _ = open_unpacked(path)
    try:
        with file:
            data = file.read(BYTES_SAMPLED)
    except DAMAGED as error:
        raise ValueError(f"{source}: {damaged(error)}") from error
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
