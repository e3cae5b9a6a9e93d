"""Tables of simulated sets that go on where they ended: a line of JSON for each set, and the table in a page.

`replication.py`, `best_method.py` and `sample_size.py` call `run_sets` with what is different: how a set is run, and
how the table is made of the lines.
"""

import argparse
import json
import time
from collections.abc import Callable, Collection
from pathlib import Path

import numpy as np

END = "<!-- end of table -->"


def read(results: Path) -> list[dict]:
    """Lines of the file of results; none where there is no file."""
    return list(map(json.loads, results.read_text(encoding="utf-8").splitlines())) if results.exists() else []


def put(page: Path, begin: str, text: str) -> None:
    """Replace the table of a page, between its first and its last line."""
    before, _, rest = page.read_text(encoding="utf-8").partition(begin)
    after = rest.partition(END)[2]
    page.write_text(f"{before}{begin}\n\n{text}\n\n{END}{after}", encoding="utf-8", newline="\n")


def run_sets(
    description: str,
    designs: Collection[str],
    n_sets: int,
    results: Path,
    page: Path,
    begin: str,
    line_of: Callable[[str, int], dict],
    text_of: Callable[[list[dict]], str],
) -> None:
    """Run the sets that are not there yet, and print the table.

    Parameters
    ----------
    description : str
        Help of the command.
    designs : collection of str
        Names of the designs.
    n_sets : int
        Sets of each design by default.
    results, page : Path
        File of the lines, and page with the table.
    begin : str
        Line of the page before the table.
    line_of : callable
        (design, number of the set) -> its result, with the keys "design" and "set".
    text_of : callable
        Lines -> table.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=n_sets)
    parser.add_argument("--designs", nargs="*", choices=designs, default=list(designs), metavar="NAME")
    parser.add_argument("--minutes", type=float, default=np.inf, help="after which no other set begins")
    parser.add_argument("--table", action="store_true", help="print the table, and run nothing")
    parser.add_argument("--write", action="store_true", help="put the table in the page, too")
    arguments = parser.parse_args()
    end = time.monotonic() + 60 * arguments.minutes
    is_there = {(line["design"], line["set"]) for line in read(results)}
    results.parent.mkdir(parents=True, exist_ok=True)
    for number in range(0 if arguments.table else arguments.sets):
        for design in arguments.designs:
            if (design, number) in is_there or time.monotonic() > end:
                continue
            with results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line_of(design, number), separators=(",", ":")) + "\n")
    text = text_of(read(results))
    print(text)
    if arguments.write:
        put(page, begin, text)
