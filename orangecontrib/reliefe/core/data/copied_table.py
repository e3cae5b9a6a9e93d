"""Copy of a table that comes in pieces."""

import struct
import tokenize
import zipfile
import zlib
from dataclasses import dataclass

import numpy as np

UNREADABLE = (  # of whatever opens, computes or unpacks a piece
    ArithmeticError, AssertionError, AttributeError, EOFError, ImportError, LookupError, MemoryError, OSError,
    RuntimeError, SyntaxError, TypeError, ValueError, struct.error, tokenize.TokenError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


@dataclass(frozen=True)
class Copy:
    """Values (n, p) of a table that came in pieces, the mask of its nominal columns, and their names, if they have
    any."""

    values: np.ndarray
    nominal: np.ndarray | None = None
    names: tuple[str, ...] | None = None
