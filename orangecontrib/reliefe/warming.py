"""A process of its own that compiles kernels, once after installation: so that nobody waits for them.

It is started by whoever opens a widget, never at import: a library must not start processes.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path

from . import __version__
from .core.words import counted
from .terminal import ProgressBar, write

OFF = "ORANGE_RELIEFE_NO_WARMING"  # an environment variable that switches it off
MIN_OWN_STEPS = 10**10  # steps of work for which kernels for this very processor are worth their compilation
MAX_AGE = 1800  # seconds after which a process that has not finished is taken for dead
NICE = 10
PACKAGE = Path(__file__).parent
SHIPPED = PACKAGE / "_compiled"

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
    if not native and SHIPPED.is_dir() and not _misses():
        return
    done = stamp(native)
    if done.exists():
        _children[native] = None  # need not be asked again
    if done.exists() or _held(_lock(done)):
        return
    command = [sys.executable, "-m", __package__, "warm", *["--native"] * native, "--once", str(done)]
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
    none = subprocess.DEVNULL
    # A session of its own: it goes on when Orange ends.
    _children[native] = subprocess.Popen(
        command, stdin=none, stdout=none, stderr=none, start_new_session=True, creationflags=flags
    )


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
    from .core.compilation import COMPILATION
    from .core.kernel_cache import KernelCache
    from .core.warmup import warm

    if native:
        KernelCache.shipped = False
    progress = ProgressBar(sys.stderr)
    try:
        compiled = warm(everything, lambda share, title: progress(share))
    finally:
        progress.clear()
    told = f"{counted(compiled, 'function')} compiled in {COMPILATION.seconds:.0f} s"
    write(f"{told}\n" if compiled else "nothing to compile\n")


@contextmanager
def claimed(done: Path) -> Iterator[bool]:
    """Lock of the one process that compiles: True if it is this one; a stamp is left if nothing fails."""
    lock = _lock(done)
    done.parent.mkdir(parents=True, exist_ok=True)
    if lock.exists() and not _held(lock):
        lock.unlink(missing_ok=True)
    try:
        os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        yield False
        return
    try:
        if hasattr(os, "nice"):
            os.nice(NICE)
        yield True
        done.touch()
    finally:
        lock.unlink(missing_ok=True)


def _lock(done: Path) -> Path:
    """One for all: one process at a time."""
    return done.parent / "warming.lock"


def _held(lock: Path) -> bool:
    try:
        return time.time() - lock.stat().st_mtime < MAX_AGE
    except FileNotFoundError:
        return False


def _cache() -> type | None:
    """The cache of kernels, if any has been declared: it is not imported for this, since numba comes with it."""
    module = sys.modules.get(f"{__package__}.core.kernel_cache")
    return module and module.KernelCache


def _misses() -> bool:
    cache = _cache()
    return cache is not None and bool(cache.missing)
