"""Writing of results: beside an existing file, which is replaced at the end, and never over the input.

All writers of the package use `replacing`; the command line calls `refuse_inputs` before any work.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from uuid import uuid4


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[str]:
    """Context that gives the name of a new file, which takes the place of `path` at its end.

    An existing file stays as it is until the new one is complete, which then has its permissions. A symbolic link stays
    a link. Devices, pipes, and what the standard output or error goes to are written directly, and so are files in
    folders that take no new ones.

    Parameters
    ----------
    path : str or PathLike
        File that is written.

    Yields
    ------
    str
        Name to write to, with the ending of `path`.

    Raises
    ------
    OSError
        Of the writing, with the name `path`; what was there before is kept.
    """
    given_path = os.fspath(path)
    target = os.path.realpath(given_path)
    folder, ending = os.path.dirname(target), os.path.splitext(target)[1]
    name = target
    try:
        if _is_replaceable(target, given_path):
            name = os.path.join(folder, f".{uuid4().hex}{ending}")
            # Not by tempfile, whose files nobody else may read
            os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
            if os.path.exists(target):
                os.chmod(name, stat.S_IMODE(os.stat(target).st_mode))
        yield given_path if name == target else name
        if name != target:
            os.replace(name, target)
    except OSError as error:
        if error.errno is None or error.filename not in (None, name, target):
            raise
        raise type(error)(error.errno, error.strerror, given_path) from error
    finally:
        if name != target:
            with suppress(OSError):
                os.unlink(name)


def _is_replaceable(target: str, given_path: str) -> bool:
    """True for a file, or none, in a folder that takes new files; raises OSError for a file that is write-protected."""
    if os.path.exists(given_path):
        status = os.stat(given_path)
        if not stat.S_ISREG(status.st_mode) or any(os.path.samestat(status, stream) for stream in _standard_streams()):
            return False
        if not os.access(given_path, os.W_OK):
            with open(given_path, "ab"):  # raises the error of the system
                return False
    return os.access(os.path.dirname(target), os.W_OK)


def _standard_streams() -> Iterator[os.stat_result]:
    """Files that the standard output and error go to."""
    for descriptor in (1, 2):
        with suppress(OSError):
            yield os.fstat(descriptor)


def refuse_inputs(outputs: Iterable[str | None], inputs: Iterable[str | None]) -> None:
    """Raise ValueError where a file that is to be written is one of the input, or is to be written twice.

    Names may differ: links, relative names and other cases lead to the same file. A .bed, as output or input, has a
    .bim and a .fam beside it.

    Parameters
    ----------
    outputs, inputs : iterable of str or None
        Names of files; FILE:COLUMN is FILE among the inputs.
    """
    read = [*filter(None, inputs)]
    read += [name.rpartition(":")[0] for name in read if ":" in name]
    read = [file for name in read for file in _with_companions(name) if os.path.exists(file)]
    written: list[tuple[str, str]] = []
    for output in filter(None, outputs):
        for file in _with_companions(output):
            for source in read:
                if _is_in(file, source):
                    raise ValueError(f"{output!r} would overwrite {source!r}, which is read: choose another name")
            for earlier_output, other_file in written:
                if _is_same(file, other_file):
                    raise ValueError(
                        f"{output!r} would overwrite {earlier_output!r}, which is written, too: choose another name"
                    )
        written += [(output, file) for file in _with_companions(output)]


def _with_companions(name: str) -> list[str]:
    """Names of a file, and of those that belong to it."""
    stem, ending = os.path.splitext(name)
    return [name, f"{stem}.bim", f"{stem}.fam"] if ending.lower() == ".bed" else [name]


def _is_same(first: str, second: str) -> bool:
    if os.path.exists(first) and os.path.exists(second):
        return os.path.samefile(first, second)
    return os.path.normcase(os.path.realpath(first)) == os.path.normcase(os.path.realpath(second))


def _is_in(file: str, source: str) -> bool:
    """True if a file is the source, or lies in it."""
    if not os.path.isdir(source):
        return os.path.exists(file) and os.path.samefile(file, source)
    folder = os.path.dirname(os.path.realpath(file))
    while not os.path.samefile(folder, source):
        above = os.path.dirname(folder)
        if above == folder:
            return False
        folder = above
    return True
