"""Damaged caches of compiled kernels, and folders that cannot be written: a process finds the same number."""

import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from .files import damage
from .kinds import Action, Case
from .mutations import pick
from .outcome import Wrong

SECONDS = 300  # of the clock, on a busy machine
MODULE = """
from orangecontrib.reliefe.core.kernels.jit import kernel

@kernel
def total(X):
    found = 0.0
    for x in X:
        found += x * x
    return found
"""
SCRIPT = "import sys, numpy, small; numpy.save(sys.argv[1], small.total(numpy.arange(9.0)))"
FOUND = 204.0


def make(rng: np.random.Generator) -> Case:
    """A case: {"how", "damage": as `files.damage` takes it}."""
    how = pick(("byte", "byte", "cut", "empty", "folder", "other", "gone", "no folder", "locked"), rng)
    place = [float(rng.random()), int(rng.integers(256)) if how == "byte" else -1]
    return {"how": how, "damage": place}


def prepare(case: Case) -> Action:
    """Copy a cache and damage it; the action starts a process that uses it."""
    folder = tempfile.TemporaryDirectory(prefix="fuzz-kernels-")
    path, how = Path(folder.name) / "cache", case["how"]
    shutil.copytree(_compiled() / "cache", path)
    for file in path.rglob("*.nbc"):
        if how in ("byte", "cut"):
            damage(file, *case["damage"])
        elif how == "other":
            file.write_bytes(file.read_bytes()[16:])  # a pickle without its checksum, as numba itself keeps functions
        else:
            file.unlink()
        if how == "empty":
            file.touch()
        elif how == "folder":
            file.mkdir()
    if how == "no folder":
        shutil.rmtree(path)
        path.touch()
    elif how == "locked":
        next(path.iterdir()).chmod(0o500)

    def action() -> None:
        with folder:
            ended = _run(path)
        if ended is not None:
            raise Wrong(ended, how)

    return action


@cache
def _compiled() -> Path:
    """A folder with the module, and its cache in another one."""
    folder = _home()
    (folder / "small.py").write_text(MODULE)
    ended = _run(folder / "cache")
    if ended is not None:
        raise Wrong(f"without damage: {ended}", "kernels")
    return folder


@cache
def _home() -> Path:
    keeper = tempfile.TemporaryDirectory(prefix="fuzz-kernels-")
    _kept.append(keeper)
    return Path(keeper.name)


_kept: list[tempfile.TemporaryDirectory] = []  # until the process ends


def _run(path: Path) -> str | None:
    """Message of a process that failed with this cache; None where it found the number."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "found.npy"
        environment = {"NUMBA_CACHE_DIR": str(path), "PYTHONPATH": os.pathsep.join([str(_home()), *sys.path])}
        ended = subprocess.run(
            [sys.executable, "-c", SCRIPT, str(answer)],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        if ended.returncode:
            return f"it ended with {ended.returncode}: {ended.stderr[-1000:]}"
        found = float(np.load(answer))
    return None if found == FOUND else f"it found {found}"
