"""Judgement of exceptions: refusals in the product's own words are allowed, everything else is a fault."""

import linecache
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from .outcome import Refused, Wrong

PRODUCT = "orangecontrib/reliefe/"
OURS, LIBRARY, CHANCE = "ours", "library", "chance"  # raised by the product, by a library with good words, or neither
WORDED = ("/sklearn/", "/Orange/", "/narwhals/")  # libraries whose refusals are as good as ours
PHRASES = ("Exceeds the limit", "is ambiguous")  # of Python and NumPy, while a message was made
LONGEST = 1000  # characters of a message: what was given is not repeated in full
SHOWN = 200


def place_of(error: BaseException) -> str:
    """File and function of the innermost frame in the product, or of the innermost frame; no folder of a machine."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if PRODUCT in frame.filename]
    if not frames:
        return ""
    if ours:
        file = ours[-1].filename.rpartition(PRODUCT)[2]
        return f"{file}:{ours[-1].name}"
    file = "/".join(Path(frames[-1].filename).parts[-2:])
    return f"{file}:{frames[-1].name}"


@contextmanager
def refusing(
    *, files: Sequence[str] = (), begun: Callable[[], bool] = lambda: False, worded: bool = True
) -> Iterator[None]:
    """Turn an allowed refusal into `Refused`, and one that says too little or too much into `Wrong`.

    files: names of files, one of which the message must hold; with them OSError is allowed, too.  begun: whether the
    work had begun, after which nothing may be refused.  worded: whether the words must be those of the product.
    """
    try:
        yield
    except (ValueError, TypeError, OSError) as error:
        kind, text = _kind(error, bool(files)), str(error)
        if kind is None:
            raise
        if kind == OURS and len(text) > LONGEST:
            raise Wrong(f"a message of {len(text):,} characters: {_shown(error)}", f"long {place_of(error)}") from error
        if files and not any(name in text for name in files):
            raise Wrong(f"the message names no file: {_shown(error)}", f"nameless {place_of(error)}") from error
        if kind == CHANCE and worded:
            raise Wrong(f"words for programmers: {_shown(error)}", f"words {place_of(error)}") from error
        if begun():
            raise Wrong(f"refused after the work had begun: {_shown(error)}", f"late {place_of(error)}") from error
        raise Refused(_shown(error)) from error


def _kind(error: Exception, reading: bool) -> str | None:
    """By whom an error was raised; None for errors of a type that is not allowed."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    if isinstance(error, ValueError | TypeError) and any(part in frame.filename for part in WORDED):
        return LIBRARY
    if not _is_allowed(error) and not (reading and isinstance(error, OSError)):
        return None
    if PRODUCT in frame.filename and "raise" in linecache.getline(frame.filename, frame.lineno):
        return CHANCE if any(phrase in str(error) for phrase in PHRASES) else OURS
    return CHANCE


def _is_allowed(error: Exception) -> bool:
    """True for ValueError and TypeError themselves, and for kinds of them that the product defines."""
    is_ours = isinstance(error, ValueError | TypeError) and type(error).__module__.startswith("orangecontrib.reliefe")
    return is_ours or type(error) in (ValueError, TypeError)


def _shown(error: BaseException) -> str:
    text = f"{type(error).__name__}: {error}"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
