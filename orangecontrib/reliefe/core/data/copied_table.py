"""Copy of a table that comes in pieces, which `sources.py` and `arrow_pieces.py` make."""

import struct
import tokenize
import zipfile
import zlib
from dataclasses import dataclass

import numpy as np

# Errors of libraries that open, compute or unpack a piece
UNREADABLE = (
    ArithmeticError, AssertionError, AttributeError, EOFError, ImportError, LookupError, MemoryError, OSError,
    RuntimeError, SyntaxError, TypeError, ValueError, struct.error, tokenize.TokenError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


@dataclass(frozen=True)
class Copy:
    """Copy of a table that came in pieces.

    values (n, p): the cells.
    nominal (p,) bool: True for nominal columns; None: it does not say.
    names (p,): names of the columns; None: they have none.
    """

    values: np.ndarray
    nominal: np.ndarray | None = None
    names: tuple[str, ...] | None = None
