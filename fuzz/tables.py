"""Mutated files of tables that are larger than memory, cut while they are read, with room on disk or without."""

import os
import resource
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from .files import mutated_files, written
from .kinds import Action, Case
from .mutations import pick
from .outcome import Wrong
from .refusals import refusing

N, P = 12, 3
BOUND, FOLDER = "ORANGE_RELIEFE_SCRATCH_FROM", "ORANGE_RELIEFE_SCRATCH"
ROWS, WIDTH = 3000, 40  # of the table that is cut
HEAD = 128  # bytes before the values of .npy


def make(rng: np.random.Generator) -> Case:
    """A case: {"files", "table", "target", "scratch", "cut"}.

    scratch: bytes "above" which arrays are in files, their "folder", variables of the "environment", and the largest
    file ("most"). cut: share of the work after which the file is cut, and share of it that stays.
    """
    how = rng.random()
    case = mutated_files(samples(), rng) if how < 0.6 else {**pick(samples(), rng), "megabytes": 500}
    if how >= 0.6:
        case["files"] = {name: {"pieces": [[text, 1]]} for name, text in case["files"].items()}
    if how > 0.85:
        case |= {"files": {"x.npy": _tall(rng)}, "table": "x.npy", "target": None}
        case["cut"] = [float(rng.random() * pick((0, 1), rng)), float(rng.random())]
    scratch = {"above": pick((0, 0, 100, None, -1, 0.5, 10**30), rng), "folder": pick((None, None, ".", "none"), rng)}
    if rng.random() < 0.5:
        scratch["environment"] = {pick((BOUND, FOLDER), rng): pick(("", "0", "-1", "x", "1e9", "9" * 400, "."), rng)}
    if rng.random() < 0.2:
        scratch["most"] = int(10 ** rng.uniform(0, 5))
    return {**case, "scratch": scratch if how >= 0.6 or rng.random() < 0.3 else {}}


def _tall(rng: np.random.Generator) -> Case:
    """The bytes of an .npy with many rows, few of which differ."""
    head = f"{{'descr': '{pick(('|u1', '<f4', '<f8'), rng)}', 'fortran_order': False, 'shape': ({ROWS}, {WIDTH}), }}"
    size = {"1": 1, "4": 4, "8": 8}[head[13]] * WIDTH * 60
    values = rng.integers(0, 3, size).astype(np.uint8).tobytes().decode("latin-1")
    return {"pieces": [["\x93NUMPY\x01\x00v\x00" + head.ljust(HEAD - 11) + "\n", 1], [values, ROWS // 60]]}


@cache
def samples() -> tuple[dict, ...]:
    """Small valid tables: of every form its files, the name that is opened, and the target or None."""
    import h5py
    import pyarrow as pa
    import zarr
    from pyarrow import feather, parquet
    from scipy import sparse

    X = np.random.default_rng(0).integers(0, 3, (N, P))
    y = (X[:, 0] > X[:, 1]).astype(int)
    table = pa.table({**{f"x{j}": X[:, j] for j in range(P)}, "t": list("aabbaabbaacc"), "y": y})
    values = X.astype(np.uint8)

    def hdf5(path: Path, **how: object) -> None:
        with h5py.File(path, "w") as file:
            file.create_dataset("X", data=values, **how)
            file.create_dataset("y", data=y)

    def zarrs(path: Path) -> None:
        group = zarr.open_group(path, mode="w")
        for name, array in (("X", values), ("y", y)):
            group.create_array(name, shape=array.shape, chunks=(5, P)[: array.ndim], dtype=array.dtype)[:] = array

    def csr(path: Path) -> None:
        path.mkdir()
        for name in ("data", "indices", "indptr"):
            np.save(path / f"{name}.npy", getattr(sparse.csr_array(X), name))

    makers: dict[str, tuple[Callable[[Path], object], str | None]] = {
        "x.npy": (lambda path: np.save(path, values), None),
        "x.npz": (lambda path: sparse.save_npz(path, sparse.csr_array(X)), None),
        "folder": (csr, None),
        "x.h5": (hdf5, "y"),
        "packed.h5": (lambda path: hdf5(path, chunks=(5, 2), compression="gzip"), "y"),
        "x.zarr": (zarrs, "y"),
        "x.parquet": (lambda path: parquet.write_table(table, path, row_group_size=5), "y"),
        "x.feather": (lambda path: feather.write_feather(table, path), "y"),
    }
    out = []
    for name, (write, target) in makers.items():
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder) / name)
            paths = sorted(path for path in Path(folder).rglob("*") if path.is_file())
            files = {str(path.relative_to(folder)): path.read_bytes().decode("latin-1") for path in paths}
        out.append({"files": files, "table": name, "target": target})
    return tuple(out)


def prepare(case: Case) -> Action:
    """Write the files; the action ranks the table, once more in memory if it is ranked, and compares."""
    from orangecontrib.reliefe.core import rank
    from orangecontrib.reliefe.core.data.scratch import scratch_files
    from orangecontrib.reliefe.core.data.table_files import open_table

    folder, first = written(case["files"])
    path, scratch = Path(folder.name) / case["table"], case["scratch"]
    cut_at, left = case.get("cut") or (2, 1)

    def progress(share: float) -> None:
        if share >= cut_at and first.stat().st_size > left * size:
            os.truncate(first, int(left * size))

    size = first.stat().st_size

    def ranked(X: object, y: object, **options: object) -> np.ndarray:
        given = [i % 2 for i in range(X.shape[0] if hasattr(X, "shape") else N)] if y is None else y
        return rank(X, given, "relieff", n_neighbors=3, **options).scores

    def action() -> None:
        folders = {".": folder.name, "none": str(first / "none"), None: None}
        with folder, _limits(scratch, folders):
            with refusing(files=[case["table"]]):
                X, y, *_ = open_table(str(path), case["target"])
            with refusing(), scratch_files(scratch.get("above"), folders[scratch.get("folder")]):
                found = ranked(X, y, progress=progress, n_jobs=2)
            if not np.isfinite(found).all():
                raise Wrong(f"scores {found}", "not finite")
            compared = isinstance(X, np.ndarray) and not case.get("cut")
            if compared and ranked(np.array(X), y).tobytes() != found.tobytes():
                raise Wrong("scores by files of scratch are different", "scratch")

    return action


class _limits:
    """Context with the variables of the environment and the largest file that a case asks for."""

    def __init__(self, scratch: Case, folders: dict[str | None, str | None]) -> None:
        wanted = scratch.get("environment", {})
        self.environment = {name: folders.get(value, value) for name, value in wanted.items()}
        self.most = scratch.get("most")

    def __enter__(self) -> None:
        os.environ |= self.environment
        self.limit = resource.getrlimit(resource.RLIMIT_FSIZE)
        if self.most is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.most, self.limit[1]))

    def __exit__(self, *_: object) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, self.limit)
        for name in self.environment:
            del os.environ[name]
