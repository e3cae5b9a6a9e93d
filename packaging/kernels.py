"""Put compiled kernels into the package, so that who installs its wheel compiles nothing.

    python packaging/kernels.py [--all] [FOLDER]

Run it with the Python, numba and SciPy that the wheel is for, in an environment where what the package needs is
installed; then build the wheel.  FOLDER: the checkout's orangecontrib/reliefe/_compiled.  On x86-64, kernels are built
for the class x86-64-v3 (processors since 2013), elsewhere for the machine's own processor.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "orangecontrib" / "reliefe" / "_compiled"


def main() -> None:
    """Compile in a process of its own, whose cache is empty and whose processor is the class; then copy the files."""
    parser = argparse.ArgumentParser(description="Put compiled kernels into the package.")
    parser.add_argument("folder", nargs="?", type=Path, default=TARGET)
    parser.add_argument("--all", action="store_true", help="also those that only unusual parameters need")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        compile_into(arguments.folder, arguments.all)
        return
    shutil.rmtree(arguments.folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache, "PYTHONPATH": str(ROOT)}
        if platform.machine().lower() in ("x86_64", "amd64"):
            environment |= {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": ""}
        subprocess.run([sys.executable, __file__, "--inside", *sys.argv[1:]], env=environment, check=True)


def compile_into(folder: Path, everything: bool) -> None:
    """Compile all that rankings of small tables need, and copy numba's files, a folder for each module."""
    from orangecontrib.reliefe.core.kernel_cache import KernelCache
    from orangecontrib.reliefe.core.warmup import warm

    functions = warm(everything)
    count = size = 0
    for cache in KernelCache.known:
        for file in cache.files():
            place = folder / cache.module
            place.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, place)
            count, size = count + 1, size + file.stat().st_size
    sys.stdout.write(f"{functions} functions compiled, {count} files of {size / 1e6:.1f} MB in {folder}\n")


if __name__ == "__main__":
    main()
