"""Rankings that are stored in a file while they are made, so that one that was stopped goes on.

`core` exports `rank_resumably`, with the arguments of `rank` and the name of a file.
"""

import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, cast
from zipfile import BadZipFile

import numpy as np

from ..checked_call import check_call
from ..data.table import DataTable
from ..files import replacing
from ..kernels.compilation import clock
from ..methods.base import MethodResult
from ..methods.parameters import count_rows
from ..methods.registry import METHODS, find_method
from ..request import Request, plain
from ..result import Ranking
from ..work.threads import Work

ROWS_AT_ONCE = 256  # target rows at least whose sums are added to the file together; chosen by eye
MAX_BLOCKS = 64  # blocks of target rows at most: each writes the file; chosen by eye
FORMAT = 3  # version of the file
# Errors of reading a damaged file
DAMAGED = (
    AttributeError, EOFError, LookupError, MemoryError, OSError, RuntimeError, TypeError, ValueError, BadZipFile,
    zlib.error,
)  # fmt: skip
OR_ANOTHER = ", or choose another name"


def rank_resumably(
    X: object,
    y: object,
    method: str,
    file: str | Path,
    *,
    n_jobs: int | None = None,
    progress: Callable[[float], object] | None = None,
    **options: Any,
) -> Ranking:
    """Rank as `rank` does, block by block of the target rows; the sums so far are written after each block.

    The result is that of an uninterrupted run.  A block of target rows is compared with all rows, so that the distances
    take up to twice as long as at once.  A file that is damaged, in use or of another ranking is refused, and so are
    methods whose scores are no sums over rows.

    Parameters
    ----------
    X, y, method, n_jobs, progress, **options
        As of `rank`; the file of a run that is interrupted has the finished blocks.
    file : str or Path
        Sums so far, in NumPy's .npz; it is made if it is not there.  An empty file next to it, with .lock, is its lock.

    Returns
    -------
    Ranking

    Raises
    ------
    ValueError
        If the method cannot go on from a file, or the file is damaged, in use, or of another ranking.
    """
    check_resumable(method)
    request = check_call(X, y, method, needed_by="rankings that go on from a file", **options)
    request.refuse_weights("rankings that go on from a file")
    request.refuse_groups("rankings that go on from a file")
    work = Work(request.workers(n_jobs), progress)
    start = clock()
    data = request.input(work)
    m = request.parameters.get("n_instances")
    if isinstance(m, str) or not request.method.adds_up(data.parameters, data.target):
        raise ValueError(
            f"{request.method.title} cannot go on from a file with this target and these parameters{_able()}"
        )
    path = Path(file)
    key = key_of(request)
    ranker = cast("Any", request.method)
    rows = np.flatnonzero(data.sample(count_rows(m, data.table.shape[0])))
    blocks = np.array_split(rows, min(max(len(rows) // ROWS_AT_ONCE, 1), MAX_BLOCKS))
    with _locked(path):
        n_done, sums = _read(path, key)
        for number in range(n_done, len(blocks)):
            chosen = np.zeros(data.table.shape[0], bool)
            chosen[blocks[number]] = True
            with work.part(number / len(blocks), (number + 1) / len(blocks)):
                sums = sums + ranker.sums(replace(data, chosen=chosen))
            _write(path, key, number + 1, sums)
    work.finish()
    scored = MethodResult(ranker.from_sums(sums, len(rows), data), info={"instances": len(rows)})
    return request.ranking(scored, clock() - start)


def check_resumable(method: str) -> None:
    """Raise ValueError for a method that cannot go on from a file, whatever the data are."""
    chosen = find_method(method, "auto")
    if chosen and not chosen.adds_up(chosen.defaults(chosen.tasks[0])):
        raise ValueError(f"{chosen.title} cannot go on from a file{_able()}")


def _able() -> str:
    """Return the end of an error message: the methods that can go on from a file."""
    names = [method.name for method in METHODS.values() if method.adds_up(method.defaults(method.tasks[0]))]
    return (
        ": its scores are no sums over rows. These methods can, for a number of target rows or all, and without "
        f"scores for each of several targets: {', '.join(names)}"
    )


def key_of(request: Request) -> str:
    """Compute a digest of data, target, method and parameters."""
    header = FORMAT, request.method.name, request.target.task, request.random_state, request.table.shape
    mark = sha256(repr(header).encode())
    mark.update(repr(sorted((name, plain(value)) for name, value in request.parameters.items())).encode())
    groups = request.study.groups_of_all if request.study else None
    mark.update(repr((request.target.hierarchy, None if groups is None else groups.tolist())).encode())
    table = request.table
    ranges = () if table.ranges is None else (table.ranges,)
    for array in (*_arrays_of(table), *ranges, table.nominal, *request.target.columns):
        mark.update(np.ascontiguousarray(array).view(np.uint8).data)
    return mark.hexdigest()


def _arrays_of(table: DataTable) -> tuple[Any, ...]:
    """List the arrays that make up the values of a table."""
    if table.packed:
        return table.packed.low, table.packed.high, np.array([table.packed.additive])
    if table.is_sparse:
        values: Any = table.values
        return values.indptr, values.indices, values.data
    return (table.values,)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Lock a file against other rankings; the system releases the lock when the process ends."""
    if not path.parent.is_dir():
        raise ValueError(f"cannot write {str(path)!r}: there is no folder {str(path.parent)!r}")
    lock_path = f"{path}.lock"
    try:
        lock = os.open(lock_path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except OSError as error:
        raise ValueError(f"cannot open {lock_path!r}: {error.strerror}") from None
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise ValueError(
            f"another ranking writes {str(path)!r}, or its folder allows no locks ({error.strerror}): "
            "wait for its end, or choose another name"
        ) from None
    try:
        yield
    finally:
        os.close(lock)


def _read(path: Path, key: str) -> tuple[int, Any]:
    """Read the number of the blocks that are done, and their sums; raises ValueError for a file that does not fit."""
    if not os.path.lexists(path):
        return 0, 0.0
    try:
        if not path.is_file():
            raise ValueError
        with np.load(path, allow_pickle=False) as stored:
            stored_key, n_done, sums, check = (stored[name] for name in ("key", "done", "sums", "check"))
        damaged = str(check) != _check_of(str(stored_key), n_done, sums)
    except DAMAGED:
        damaged = True
    if damaged:
        raise ValueError(f"{str(path)!r} is damaged, or no file of a ranking: delete it to begin again{OR_ANOTHER}")
    if str(stored_key) != key:
        raise ValueError(
            f"{str(path)!r} is of other data, another method or version: delete it to begin again{OR_ANOTHER}"
        )
    return int(n_done), sums


def _check_of(key: str, n_done: object, sums: np.ndarray) -> str:
    """Compute a digest of all that is written, so that a damaged file is noticed."""
    return sha256(f"{key} {n_done} {sums.dtype} {sums.shape} ".encode() + sums.tobytes()).hexdigest()


def _write(path: Path, key: str, n_done: int, sums: np.ndarray) -> None:
    """Replace the file in one step: after a stop meanwhile, the one before is still there."""
    with replacing(path) as new_path, open(new_path, "wb") as file:
        np.savez(file, key=key, done=n_done, sums=sums, check=_check_of(key, n_done, sums))
