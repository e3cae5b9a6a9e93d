"""Say what a method still lacks, and run the tests that know it.

    python -m orangecontrib.reliefe.tests.check_method NAME

For contributors, in the folder of setup.py, after the steps of doc/developers/method.md. `methods/test_guide.py` takes
these steps with a method of `toy_methods` and calls `lacks` after each.
"""

import runpy
import sys
from pathlib import Path

import pytest

from orangecontrib.reliefe.core import METHODS
from orangecontrib.reliefe.tests.naive.twins import TWINS

SLOW_WRITER = "controls"  # of the tables of controls, for which all widgets rank


def lacks(name: str, checkout: Path) -> list[str]:
    """Return a sentence on each step that is still to be done for a method.

    Parameters
    ----------
    name : str
        Name of the method.
    checkout : Path
        Folder of setup.py, with the pages.
    """
    if name not in METHODS:
        return [f"{name} is not registered: import it in core/methods/__init__.py, and give it to `register`"]
    missing = []
    if name not in TWINS:
        missing.append(
            f"{name} has no twin: write it in tests/naive/, and add it to `TWINS`: of tests/naive/__init__.py for the "
            "Relief family, of its file, or of tests/naive/twins.py"
        )
    written = runpy.run_path(str(checkout / "doc" / "write.py"))
    writers = [writer for writer in written["WRITERS"] if writer != SLOW_WRITER]
    if differing := written["outdated"](writers):
        files = ", ".join(str(path.relative_to(checkout)) for path in differing)
        missing.append(f"{files} differ from the code: run python -m doc.write")
    if METHODS[name].title not in (checkout / "CHANGELOG.md").read_text(encoding="utf-8"):
        missing.append(f"CHANGELOG.md does not name {METHODS[name].title}: add a line to Unreleased")
    return missing


def main(name: str) -> int:
    """Print what the method lacks, then run its tests; return 0 if nothing is missing and they pass."""
    missing = lacks(name, Path.cwd())
    for sentence in missing:
        sys.stdout.write(f"{sentence}\n")
    if name not in METHODS:
        return 1
    failed = pytest.main(["-m", "method and not slow", "-k", f"{name} or every_method"])
    return int(bool(missing) or failed != 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
