"""Put compiled kernels into the package, so that who installs its wheel compiles nothing.

    python packaging/kernels.py [--all | --first] [FOLDER]

Run it with the Python, numba and SciPy that the wheel is for, in an environment where what the package needs is
installed; then build the wheel.  FOLDER: the checkout's orangecontrib/reliefe/_compiled.  On x86-64, kernels are built
for the class x86-64-v3 (processors since 2013), elsewhere for the machine's own processor.
"""

import argparse
import ast
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "orangecontrib" / "reliefe"
TARGET = PACKAGE / "_compiled"
# Rankings of Orange's own data sets by `auto` need no kernel beyond these; setup.py compiles them in seconds.
FIRST = (
    "Boosted Relief, incomplete features, classification",
    "Boosted Relief, mixed features, classification",
    "RReliefF, mixed features, regression",
)


def main() -> None:
    """Compile in a process of its own, whose cache is empty and whose processor is the class; then copy the files."""
    parser = argparse.ArgumentParser(description="Put compiled kernels into the package.")
    parser.add_argument("folder", nargs="?", type=Path, default=TARGET)
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--all", action="store_true", help="also those that only unusual parameters need")
    chosen.add_argument("--first", action="store_true", help="only those of rankings without a choice of a method")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        compile_into(arguments.folder, arguments.all, arguments.first)
        return
    shutil.rmtree(arguments.folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as cache:
        places = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))  # pip's, while it builds
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache, "PYTHONPATH": places}
        if platform.machine().lower() in ("x86_64", "amd64"):
            environment |= {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": ""}
        subprocess.run([sys.executable, __file__, "--inside", *sys.argv[1:]], env=environment, check=True)


def compile_into(folder: Path, everything: bool, first: bool) -> None:
    """Compile all that rankings of small tables need, and copy the files, a folder for each module."""
    from orangecontrib.reliefe.command.warming import COMPLETE
    from orangecontrib.reliefe.core.kernels.cache import KernelCache, read, write
    from orangecontrib.reliefe.core.warmup import steps, warm

    if first:
        for _, step in (step for step in steps() if step[0] in FIRST):
            step()
        made = len(KernelCache.missing)
    else:
        made = warm(everything)
    count = size = 0
    functions = {cache._py_func for cache in KernelCache.known}
    shipped = functions if first else called_by_python(functions)  # which takes seconds
    called = called_by_kernels(functions)
    for cache in (cache for cache in KernelCache.known if cache._py_func in shipped):
        for file in cache.files():
            place = folder / cache.module / file.name
            write(place, lean(read(file), cache._py_func in called))
            count, size = count + 1, size + place.stat().st_size
    if not first:
        (folder / COMPLETE).touch()
    sys.stdout.write(f"{made} functions compiled, {count} files of {size / 1e6:.1f} MB in {folder}\n")


def called_by_kernels(functions: set[Callable]) -> set[Callable]:
    """Those that others of them call: who compiles one of these again needs their code."""
    found = set()
    for function in functions:
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        names = [function.__globals__.get(name) for name in function.__code__.co_names]
        found |= {value.py_func for value in (*cells, *names) if hasattr(value, "py_func")}
    return found


def called_by_python(functions: set[Callable]) -> set[Callable]:
    """Those whose names occur outside of all of them; the others are in the machine code of those that call them."""
    compiled, names = {(function.__module__, function.__name__) for function in functions}, set()
    for path in PACKAGE.rglob("*.py"):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        waiting = [ast.parse(path.read_text(encoding="utf-8"))]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Name | ast.Attribute | ast.alias):
                names.add(getattr(node, {ast.Name: "id", ast.Attribute: "attr", ast.alias: "name"}[type(node)]))
            if not (isinstance(node, ast.FunctionDef) and (module, node.name) in compiled):
                waiting += ast.iter_child_nodes(node)
    ours = "orangecontrib.reliefe"
    return {f for f in functions if f.__name__ in names or not f.__module__.startswith(ours)}


def lean(kept: tuple, called: bool) -> tuple:
    """Parts of a compiled function without its types as text, which is for looking at.

    called: with its code for the compiler; of a function that no other calls only the names stay, and the machine code.
    That is a quarter of the bytes.
    """
    (name, kind, (machine, bitcode)), *rest = kept
    if kind != "object" or not isinstance(rest[5], str):
        raise ValueError("numba keeps functions in another way; packaging/kernels.py has to learn it")
    rest[5] = ""
    return (name, kind, (machine, bitcode if called else names_of(bitcode))), *rest


def names_of(bitcode: bytes) -> bytes:
    """A module that defines what this one does, and does nothing: numba asks it for names only."""
    import llvmlite.binding as llvm

    module = llvm.parse_bitcode(bitcode)
    functions = [value.name for value in module.functions if not value.is_declaration]
    variables = [value.name for value in module.global_variables if not value.is_declaration]
    lines = [f'define void @"{name}"() {{ unreachable }}' for name in functions]
    lines += [f'@"{name}" = global i8 0' for name in variables]
    return llvm.parse_assembly("\n".join(lines)).as_bitcode()


if __name__ == "__main__":
    main()
