"""Size and shape of the product, each figure beside its limit: ``python benchmarks/house.py``.

Lines, statements, files, circles of imports, the path of one ranking, the work of one widget, and the number of tests.
Exit status 1 where a limit is passed.
"""

import ast
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "orangecontrib" / "reliefe"
# Files that callers import by name, or that start the package, stand beside its rooms.
PUBLIC = {"__init__.py", "__main__.py", "conftest.py"}
PUBLIC_CORE = {"__init__.py", "api.py", "request.py", "result.py", "checks.py", "words.py", "warmup.py"}


def sources(folder: Path) -> list[Path]:
    """Python files of the product below a folder, without tests."""
    return sorted(path for path in folder.rglob("*.py") if "tests" not in path.relative_to(folder).parts)


def lines(folder: Path) -> int:
    """Lines of all files of the product below a folder."""
    return sum(path.read_text(encoding="utf-8").count("\n") for path in sources(folder))


def statements() -> int:
    """Statements of the product; docstrings are none."""
    nodes = (node for path in sources(PACKAGE) for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return sum(
        isinstance(node, ast.stmt) and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node in nodes
    )


def loose(folder: Path, public: set[str]) -> int:
    """Files that lie beside the rooms of a folder and not in one."""
    return sum(path.name not in public for path in folder.glob("*.py"))


def imported(path: Path, top: Path) -> Iterator[Path]:
    """Files below `top` that a file imports, at any depth of it, also for type checkers."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [(top, alias.name.split("."), "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = path.parents[node.level - 1] if node.level else top
            names = [(base, (node.module or "").split("."), alias.name) for alias in node.names]
        else:
            continue
        for base, parts, name in names:
            place = base.joinpath(*filter(None, parts))
            for found in (
                place / f"{name}.py",
                place / name / "__init__.py",
                place.with_suffix(".py"),
                place / "__init__.py",
            ):
                if found.is_file():
                    yield found
                    break


def in_circles(files: list[Path], top: Path) -> int:
    """Number of files that import themselves through further files."""
    left = {path: set(imported(path, top)) & set(files) - {path} for path in files}
    while free := [path for path, others in left.items() if not others & left.keys()]:
        for path in free:
            del left[path]
    return len(left)


def traced(action: Callable[[], object]) -> tuple[int, int]:
    """Files of the product that an action passes through, and calls of its functions, in this thread."""
    calls: Counter[str] = Counter()

    def note(frame: object, event: str, _: object) -> None:
        name = frame.f_code.co_filename  # type: ignore[attr-defined]
        if event == "call" and name.startswith(str(PACKAGE)) and "/tests/" not in name:
            calls[name] += 1

    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
    return len(calls), calls.total()


def ranking() -> tuple[int, int]:
    """Files and calls of one MultiSURF ranking of 80 x 12, in one thread, when all is loaded."""
    import numpy as np

    from orangecontrib.reliefe.core import rank

    X = np.random.default_rng(0).normal(size=(80, 12))
    y = (X[:, 0] > 0).astype(int)
    rank(X, y, "multisurf", n_jobs=1)
    return traced(lambda: rank(X, y, "multisurf", n_jobs=1))


def widget() -> tuple[int, int]:
    """Calls in the main thread until Rank via ReliefE has ranked zoo by MultiSURF; bases of ours of its class."""
    from AnyQt.QtWidgets import QApplication
    from Orange.data import Table
    from orangewidget.tests.base import WidgetTest

    from orangecontrib.reliefe.widgets.owreliefe import OWReliefE

    class Driver(WidgetTest):
        """Orange's driver of widgets in tests, used alone."""

        def runTest(self) -> None:
            """Nothing: calls are counted outside of it."""

    QApplication.instance() or QApplication([])
    Driver.setUpClass()
    driver, zoo = Driver(), Table("zoo")
    driver.setUp()
    settings = {"methods": ["multisurf"], "shows_null_level": False, "shows_stability": False}
    counted = []
    for _ in range(2):  # the first one loads what is loaded once
        made = driver.create_widget(OWReliefE, stored_settings=settings)

        def arrive(made: OWReliefE = made) -> None:
            driver.send_signal(made.Inputs.data, zoo, widget=made)
            driver.get_output(made.Outputs.reduced, widget=made, wait=60000)

        counted.append(traced(arrive)[1])
    bases = [base for base in OWReliefE.__mro__[1:] if base.__module__.startswith("orangecontrib")]
    return counted[-1], len(bases)


def tests() -> int:
    """Tests that pytest collects without the slow ones."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-q",
        "-m",
        "not slow",
        "--pyargs",
        "orangecontrib.reliefe",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return sum("::" in line for line in done.stdout.splitlines())


def figures() -> Iterator[tuple[str, int, int]]:
    """Name, figure and limit."""
    yield "lines of the product", lines(PACKAGE), 50_000
    yield "lines of the widgets", lines(PACKAGE / "widgets"), 17_500
    yield "lines of the core", lines(PACKAGE / "core"), 27_500
    yield "statements", statements(), 31_500
    yield "files", len(sources(PACKAGE)), 310
    yield "loose files beside the rooms", loose(PACKAGE, PUBLIC), 0
    yield "loose files beside the core's rooms", loose(PACKAGE / "core", PUBLIC_CORE), 0
    yield "files of the product in circles", in_circles(sources(PACKAGE), ROOT), 0
    yield "files of benchmarks/ in circles", in_circles(sources(ROOT / "benchmarks"), ROOT / "benchmarks"), 0
    files, calls = ranking()
    yield "files that MultiSURF of 80 x 12 passes", files, 26
    yield "calls in it", calls, 700
    calls, bases = widget()
    yield "calls in the main thread for zoo in Rank via ReliefE", calls, 2_500
    yield "bases of ours of a ranker", bases, 3
    yield "tests", tests(), 7_500


def main() -> int:
    """Print all figures; 1 where one is above its limit."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["ORANGE_RELIEFE_NO_WARMING"] = "1"
    sys.path.insert(0, str(ROOT))
    passed = 0
    for name, figure, limit in figures():
        passed += figure > limit
        print(f"{name:55s} {figure:7,d}   at most {limit:6,d}{'' if figure <= limit else '   *'}", flush=True)
    sys.stdout.flush()
    os._exit(passed > 0)  # Qt objects of the widget need no order of destruction


if __name__ == "__main__":
    sys.exit(main())
