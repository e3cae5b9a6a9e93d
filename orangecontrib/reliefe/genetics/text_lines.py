"""Lines of text files of genetics, plain or compressed by gzip.

The readers of VCF and of PLINK's .bim, .fam and .psam call `lines`.
"""

from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path

from ..core.data.limits import DAMAGED, MAX_TEXT, limit, limit_sentence, max_names, open_unpacked
from ..formats import CONVERSIONS

BCF = b"BCF"  # first bytes of the binary form of VCF, which is not read


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the numbers and the texts of the lines of a file, without empty ones and comments (##).

    Parameters
    ----------
    path : Path
        Path of the file, which may be compressed.

    Raises
    ------
    ValueError
        If it is damaged, empty, not in UTF-8, or has carriage returns within lines, or more than the limits allow.
    """
    file, _ = open_unpacked(path)
    most_lines = max_names(path)
    number = 0
    is_empty = True
    with file:
        while True:
            try:
                line = file.readline(limit(MAX_TEXT) + 1)
            except DAMAGED as error:
                raise ValueError(f"{path.name} is damaged behind line {number}: {error}") from None
            if not line:
                break
            number += 1
            if number == 1:
                _refuse_bcf(path, line)
                line = line.removeprefix(BOM_UTF8)
            if len(line) > limit(MAX_TEXT):
                raise ValueError(f"line {number} of {path.name} has bytes that are {limit_sentence(MAX_TEXT)}")
            if not line.strip() or line.startswith(b"##"):
                continue
            if number > most_lines:
                raise ValueError(f"{path.name} has more than {most_lines:,} lines, which a file of its size seldom has")
            is_empty = False
            line = line.rstrip(b"\r\n")
            if b"\r" in line:
                raise ValueError(
                    f"line {number} of {path.name} has a carriage return inside: end all lines by line feeds"
                )
            yield number, _decoded(line, number, path)
    if is_empty:
        raise ValueError(f"{path.name} is empty")


def _refuse_bcf(path: Path, line: bytes) -> None:
    """Raise ValueError if the first line is that of a BCF, which may have the name of a VCF."""
    if line.startswith(BCF):
        stem = path.name.partition(".")[0]
        raise ValueError(f"{path.name} {CONVERSIONS['.bcf'].format(path=path.name, stem=stem)}")


def _decoded(line: bytes, number: int, path: Path) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise ValueError(f"line {number} of {path.name} is not in UTF-8: save the file in this encoding") from None
