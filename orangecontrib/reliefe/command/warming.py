"""Compilation of kernels once after installation, so that nobody waits for them: by a command, or beside Orange.

`core.warmup` lists the steps.  Whoever opens a widget starts the process beside Orange, never an import: a library must
not start processes.  It ends with Orange.
"""

import os
import subprocess
import sys
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from threading import Thread
from typing import IO

from .. import __version__
from .terminal import ProgressBar, write

OFF = "ORANGE_RELIEFE_NO_WARMING"  # an environment variable that switches it off
MIN_OWN_STEPS = 10**10  # steps of work for which kernels for this very processor are worth their compilation
MAX_COMPILED = 40  # functions after which a process makes way for another: none takes 500 MB
NICE = 10
PACKAGE = Path(__file__).parents[1]
SHIPPED = PACKAGE / "_compiled"
COMPLETE = "complete"  # file in there if kernels of all methods came along

_children: dict[bool, object] = {}  # what was started here; kept, or Python complains when it is still running


def folder() -> Path:
    """The user's folder for what can be made again."""
    from Orange.misc.environ import cache_dir

    return Path(cache_dir()) / "reliefe"


def stamp(native: bool = False) -> Path:
    """The file that says that kernels are compiled: of this package, with this numba, by this Python.

    native: those for this very processor, though kernels for its class came with the package.
    """
    newest = max(path.stat().st_mtime_ns for path in (PACKAGE / "core").rglob("*.py"))
    python = "".join(map(str, sys.version_info[:2]))
    where = blake2b(f"{PACKAGE} {newest}".encode(), digest_size=6).hexdigest()
    return folder() / f"{'native' if native else 'warm'}-{__version__}-numba{version('numba')}-py{python}-{where}"


def begin(native: bool = False) -> None:
    """Start the process, unless it was started, or has done its work, before; nothing where kernels came along."""
    if native in _children or os.environ.get(OFF) or os.environ.get("NUMBA_DISABLE_JIT"):
        return
    if not native and (SHIPPED / COMPLETE).exists() and not _misses():
        return
    done = stamp(native)
    _children[native] = None if done.exists() else _start(f"compile_once({str(done)!r}, {native})")


def follow(cost: float) -> None:
    """Start what a ranking of that many steps has shown to be worth it: kernels that are missing, or faster ones."""
    begin()
    cache = _cache()
    if cost > MIN_OWN_STEPS and cache is not None and cache.shipped:
        begin(native=True)


def compile_kernels(everything: bool = False, native: bool = False) -> None:
    """Compile what is not compiled yet, with a bar on standard error, and say how much it was.

    everything: also for unusual parameters; native: also what came with the package.
    """
    from ..core.kernels.cache import KernelCache
    from ..core.kernels.compilation import COMPILATION
    from ..core.warmup import warm
    from ..core.words import counted

    if native:
        KernelCache.shipped = False
    progress = ProgressBar(sys.stderr)
    try:
        compiled = warm(everything, lambda share, title: progress(share))
    finally:
        progress.clear()
    summary = f"{counted(compiled, 'function')} compiled in {COMPILATION.seconds:.0f} s"
    write(f"{summary}\n" if compiled else "nothing to compile\n")


def compile_once(done: str, native: bool) -> None:
    """Compile in one process after another and leave the file `done`; nothing if another one does so now."""
    _end_with_parent()
    if hasattr(os, "nice"):
        os.nice(NICE)
    Path(done).parent.mkdir(parents=True, exist_ok=True)
    with Path(done).with_name("warming.lock").open("w") as lock:
        if not _locked(lock):
            return
        following = "0"
        while following:
            with _start(f"compile_some({following}, {native})") as process:
                following = process.stdout.read()  # type: ignore[union-attr]  # it is a pipe
            if process.returncode:
                return
        Path(done).touch()


def compile_some(first: int, native: bool) -> None:
    """Take steps of `warmup` until enough is compiled for one process; write the number of the next step."""
    _end_with_parent()
    from ..core.kernels.cache import KernelCache
    from ..core.kernels.compilation import COMPILATION
    from ..core.warmup import steps

    if native:
        KernelCache.shipped = False
    for number, (_, step) in enumerate(steps()[first:], first + 1):
        step()
        if COMPILATION.count >= MAX_COMPILED:
            write(str(number))
            return


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


def _cache() -> type | None:
    """The cache of kernels, if any has been declared: it is not imported for this, since numba comes with it."""
    module = sys.modules.get("orangecontrib.reliefe.core.kernels.cache")
    return module and module.KernelCache


def _misses() -> bool:
    cache = _cache()
    return cache is not None and bool(cache.missing)
