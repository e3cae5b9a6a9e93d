"""Compilation of kernels once after installation, so that nobody waits for them: by a command, or beside Orange.

`core.warmup` lists the steps.  Whoever opens a widget starts the process beside Orange, never an import: a library must
not start processes.  It ends with Orange.
"""

import os
import subprocess
import sys
from collections.abc import Iterable
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from threading import Thread
from typing import IO

from .. import __version__
from .terminal import ProgressBar, write

OFF = "ORANGE_RELIEFE_NO_WARMING"  # an environment variable that switches it off
MAX_COMPILED = 40  # functions after which a process makes way for another: none takes 500 MB
NICE = 10
PACKAGE = Path(__file__).parents[1]


class Preparation:
    """A process that compiles beside this one, and how many of its steps are done."""

    def __init__(self, stamp_path: str) -> None:
        self.step = 0
        self.steps = 0
        self.process = _start(f"compile_once({stamp_path!r})")
        Thread(target=self._listen, args=(self.process.stdout,), daemon=True).start()

    def _listen(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.step, self.steps = map(int, line.split())


_children: list[Preparation | None] = []  # what was started here, or None where there was nothing to do


def preparation() -> Preparation | None:
    """Return the process that compiles beside this one."""
    children = filter(None, _children)
    return next((child for child in children if child.steps and child.process.poll() is None), None)


def folder() -> Path:
    """The user's folder for what can be made again."""
    from platformdirs import user_cache_path

    return user_cache_path("orange-reliefe", appauthor=False)


def stamp() -> Path:
    """The file that says that kernels are compiled: of this package, with this numba, by this Python."""
    newest = max(path.stat().st_mtime_ns for path in (PACKAGE / "core").rglob("*.py"))
    python = "".join(map(str, sys.version_info[:2]))
    source_digest = blake2b(f"{PACKAGE} {newest}".encode(), digest_size=6).hexdigest()
    return folder() / f"warm-{__version__}-numba{version('numba')}-py{python}-{source_digest}"


def begin() -> None:
    """Start the process, unless it was started, or has done its work, before."""
    if _children or os.environ.get(OFF) or os.environ.get("NUMBA_DISABLE_JIT"):
        return
    stamp_path = stamp()
    _children.append(None if stamp_path.exists() else Preparation(str(stamp_path)))


def compile_kernels(everything: bool = False) -> None:
    """Compile what is not compiled yet, with a bar on standard error, and say how much it was.

    everything: also for unusual parameters.
    """
    from ..core.kernels.compilation import COMPILATION
    from ..core.warmup import warm
    from ..core.words import counted

    progress = ProgressBar(sys.stderr)
    try:
        compiled = warm(everything, lambda share, title: progress(share))
    finally:
        progress.clear()
    summary = f"{counted(compiled, 'function')} compiled in {COMPILATION.seconds:.0f} s"
    write(f"{summary}\n" if compiled else "nothing to compile\n")


def compile_once(stamp_path: str) -> None:
    """Compile in one process after another and leave the file `stamp_path`; nothing if another one does so now.

    It writes how many steps are done, and how many there are.
    """
    _end_with_parent()
    if hasattr(os, "nice"):
        os.nice(NICE)
    Path(stamp_path).parent.mkdir(parents=True, exist_ok=True)
    with Path(stamp_path).with_name("warming.lock").open("w") as lock:
        if not _locked(lock):
            return
        first = 0
        count = 1  # until the first process says how many there are
        while first < count:
            before = first
            with _start(f"compile_some({first})") as process:
                for line in process.stdout:  # type: ignore[union-attr]  # it is a pipe
                    first, count = map(int, line.split())
                    _tell(line)
            if process.returncode or first == before:
                return
        Path(stamp_path).touch()


def compile_some(first: int) -> None:
    """Take steps of `warmup` until enough is compiled for one process; write the numbers of steps after each."""
    _end_with_parent()
    from ..core.kernels.compilation import COMPILATION
    from ..core.warmup import steps

    todo = steps()
    for number in range(first, len(todo)):
        todo[number][1]()
        _tell(f"{number + 1} {len(todo)}\n")
        if COMPILATION.count >= MAX_COMPILED:
            return


def _tell(line: str) -> None:
    sys.stdout.write(line)
    sys.stdout.flush()


def _start(call: str) -> "subprocess.Popen[str]":
    """Call a function of this file in a process of its own, which ends when this one does."""
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
    command, pipe = [sys.executable, "-c", f"from {__name__} import *; {call}"], subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, creationflags=flags)


def _end_with_parent() -> None:
    """End at once when the standard input is closed: whoever started this process is gone."""
    Thread(target=lambda: (os.read(0, 1), os._exit(1)), daemon=True).start()


def _locked(lock: IO[str]) -> bool:
    """Lock a file until this process ends, however it does; False if another one has locked it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
