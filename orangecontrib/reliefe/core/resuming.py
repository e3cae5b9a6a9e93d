"""Rankings that are kept in a file while they are made, so that one that was stopped goes on."""

import os
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import numpy as np

from .data.table import DataTable
from .methods.base import Found
from .methods.parameters import count_rows
from .parallel import Work
from .request import Request, clock, plain
from .result import Ranking

ROWS_AT_ONCE, MOST_BLOCKS = 256, 64  # target rows whose sums are added to the file together, at least; blocks, at most


def rank_resumably(
    X: object,
    y: object,
    method: str,
    file: str | Path,
    *,
    nominal: object = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    progress: Callable[[float], object] | None = None,
    **parameters: Any,
) -> Ranking:
    """Rank as `rank`, some target rows after another; each time the sums so far are written.

    The result is that of an uninterrupted run.  A block of target rows is compared with all rows, so that the distances
    take up to twice as long as at once.

    Parameters
    ----------
    X, y, method, nominal, random_state, n_jobs, progress, **parameters
        As of `rank`.
    file : str or Path
        Sums so far, in NumPy's .npz; it is made if it is not there.

    Returns
    -------
    Ranking
        As of `rank`.

    Raises
    ------
    ValueError, TypeError
        For bad input; for a file of another ranking, and methods whose scores are no sums over rows.
    Interrupted
        When `progress` asks for it; the file has what is done.
    """
    request = Request.check(X, y, method, nominal=nominal, random_state=random_state, **parameters)
    work, start = Work(request.workers(n_jobs), progress), clock()
    data, m = request.input(work), request.parameters.get("n_instances")
    if isinstance(m, str) or not request.method.adds_up(data):
        raise ValueError(
            f"{request.method.title} cannot go on from a file with this target and these parameters: its scores are "
            "no sums over rows; relieff and multisurf can, for classes with at least two rows each"
        )
    path, key, ranker = Path(file), key_of(request, y), cast("Any", request.method)
    rows = np.flatnonzero(data.sample(count_rows(m, data.table.shape[0])))
    cuts = np.array_split(rows, min(max(len(rows) // ROWS_AT_ONCE, 1), MOST_BLOCKS))
    done, sums = _read(path, key)
    for number in range(done, len(cuts)):
        chosen = np.zeros(data.table.shape[0], bool)
        chosen[cuts[number]] = True
        with work.part(number / len(cuts), (number + 1) / len(cuts)):
            sums = sums + ranker.sums(replace(data, chosen=chosen))
        _write(path, key, number + 1, sums)
    work.finish()
    found = Found(ranker.from_sums(sums, len(rows), data), info={"instances": len(rows)})
    return request.ranking(found, clock() - start)


def key_of(request: Request, y: object) -> str:
    """Mark of data, target, method and parameters."""
    mark = sha256(repr((request.method.name, request.random_state, request.table.shape)).encode())
    mark.update(repr(sorted((name, plain(value)) for name, value in request.parameters.items())).encode())
    mark.update(repr(np.asarray(y).tolist()).encode())
    for part in (*_parts(request.table), request.table.nominal):
        mark.update(np.ascontiguousarray(part).view(np.uint8).data)
    return mark.hexdigest()


def _parts(table: DataTable) -> tuple[Any, ...]:
    if table.packed:
        return table.packed.low, table.packed.high, np.array([table.packed.additive])
    if table.is_sparse:
        values: Any = table.values
        return values.indptr, values.indices, values.data
    return (table.values,)


def _read(path: Path, key: str) -> tuple[int, Any]:
    """Number of the blocks that are done, and their sums."""
    if not path.exists():
        if not path.parent.is_dir():
            raise ValueError(f"cannot write {str(path)!r}: there is no folder {str(path.parent)!r}")
        return 0, 0.0
    try:
        with np.load(path, allow_pickle=False) as stored:
            known, done, sums = str(stored["key"]), int(stored["done"]), stored["sums"]
    except (ValueError, OSError, KeyError, EOFError):
        raise ValueError(f"{str(path)!r} is no file of a ranking under way; choose another name") from None
    if known != key:
        raise ValueError(f"{str(path)!r} is of other data, or of another method; choose another name, or remove it")
    return done, sums


def _write(path: Path, key: str, done: int, sums: np.ndarray) -> None:
    """Write in the place of the file at once: who stops meanwhile leaves the one before."""
    beside = path.with_name(path.name + ".new")
    with beside.open("wb") as file:
        np.savez(file, key=key, done=done, sums=sums)
    os.replace(beside, path)
