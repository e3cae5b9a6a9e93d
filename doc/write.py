"""Write all files that are made from the code: ``python -m doc.write``, from the folder of setup.py.

Each file write_*.py beside this one is a writer. Its function `texts` returns what its files have to say, by their
paths. Continuous integration calls ``python -m doc.write --check``, and tests call `outdated`.
"""

import argparse
import runpy
import sys
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).parent
WRITERS = tuple(path.stem.removeprefix("write_") for path in sorted(HERE.glob("write_*.py")))


def outdated(writers: Iterable[str] = WRITERS) -> dict[Path, str]:
    """Return the files that differ from what their writers say now, with the text that each of them should have."""
    differing = {}
    for writer in writers:
        for path, text in runpy.run_path(str(HERE / f"write_{writer}.py"))["texts"]().items():
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                differing[path] = text
    return differing


def main(arguments: list[str] | None = None) -> int:
    """Write the files that differ, or only name them; return 1 if any still differs."""
    parser = argparse.ArgumentParser(prog="python -m doc.write", description="Write all files made from the code.")
    parser.add_argument("writers", metavar="WRITER", nargs="*", help=f"some of {', '.join(WRITERS)}; default: all")
    parser.add_argument("--check", action="store_true", help="write nothing, and end with 1 if a file would change")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.writers) - set(WRITERS))
    if unknown:
        parser.error(f"there is no writer {unknown[0]!r}; choose from {', '.join(WRITERS)}")
    n_differing = 0
    for writer in options.writers or WRITERS:  # one by one, since two of them may write parts of one page
        for path, text in outdated([writer]).items():
            n_differing += 1
            if not options.check:
                path.write_text(text, encoding="utf-8", newline="\n")
            state = "differs: run python -m doc.write" if options.check else "written"
            sys.stdout.write(f"{path.relative_to(HERE.parent)}: {state}\n")
    return int(options.check and n_differing > 0)


if __name__ == "__main__":
    sys.exit(main())
