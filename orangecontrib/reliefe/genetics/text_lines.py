"""Lines of text files of genetics, plain, compressed by gzip, or in binary form (BCF).

The readers of VCF and of PLINK's .bim, .fam and .psam call `lines`.
"""

import gzip
import struct
import zlib
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .bcf import BCF, lines_of_bcf

GZIP = b"\x1f\x8b"  # first bytes of a file that is compressed by gzip


def lines(path: Path, dosages: bool = False) -> Iterator[tuple[int, str]]:
    """Yield the numbers and the texts of the lines of a file, without empty ones and comments (##).

    The file may be compressed by gzip, or in binary form (BCF).

    Parameters
    ----------
    path : Path
        Path of the file.
    dosages : bool
        Whether lines of a BCF have dosages (DS) beside genotypes.

    Raises
    ------
    ValueError
        If it is damaged, empty, not in UTF-8, or has carriage returns within lines.
    """
    with path.open("rb") as file:
        opened: Any = gzip.open if file.read(2) == GZIP else open
    number = 0
    empty = True
    broken = False
    try:
        with opened(path, "rb") as file:
            binary = file.peek(len(BCF))[: len(BCF)] == BCF
            for number, line in enumerate(lines_of_bcf(file, dosages) if binary else file, start=1):
                line = line.removeprefix(BOM_UTF8) if number == 1 else line
                if line.strip() and not line.startswith(b"##"):
                    empty = False
                    line = line.rstrip(b"\r\n")
                    broken = b"\r" in line
                    if broken:
                        break
                    yield number, line.decode()
    except UnicodeDecodeError:
        raise ValueError(f"line {number} of {path.name} is not in UTF-8: save the file in this encoding") from None
    except (EOFError, gzip.BadGzipFile, zlib.error, struct.error, ValueError, LookupError) as error:
        raise ValueError(f"{path.name} is damaged behind line {number}: {error}") from None
    if broken:
        raise ValueError(f"line {number} of {path.name} has a carriage return inside: end all lines by line feeds")
    if empty:
        raise ValueError(f"{path.name} is empty")
