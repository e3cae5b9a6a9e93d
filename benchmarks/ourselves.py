"""Times the working tree against an earlier commit: ``python benchmarks/ourselves.py --help``."""

import argparse
import io
import subprocess
import tarfile
import tempfile
from pathlib import Path
from statistics import median

import numpy as np
from common import CSR, METHODS, ROOT, SHAPES, TITLES, answer, interleaved, load, shapes, table


def git(*words: str) -> bytes:
    """Output of git for this checkout; CalledProcessError where it refuses."""
    return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, check=True).stdout


def default_revision() -> str:
    """HEAD where the package was changed since, else the commit before."""
    return "HEAD" if git("status", "--porcelain", "--", "orangecontrib").strip() else "HEAD~1"


def unpack(revision: str, folder: Path) -> Path:
    """The files of a commit in `folder`."""
    with tarfile.open(fileobj=io.BytesIO(git("archive", revision))) as archive:
        archive.extractall(folder, filter="data")
    return folder


def chosen(text: str) -> tuple[str, ...]:
    """Names with commas between them; "all": every method of the registry that takes classes."""
    from orangecontrib.reliefe.core import methods

    known = tuple(method.name for method in methods() if "classification" in method.tasks)
    return known if text == "all" else tuple(text.split(","))


def compare(cells: list[tuple], options: argparse.Namespace, trees: dict[str, Path], room: Path) -> list[list[str]]:
    """One row for each (n, p, density, method)."""
    rows = []
    for n, p, density, method in cells:
        request = {"library": "ours", "method": method, "n": n, "p": p, "density": density, "jobs": options.jobs}
        requests = {key: request | {"mode": "warm", "save": str(room / f"{key}.npy")} for key in trees}
        found = interleaved(
            __file__, requests, options.repeats, cache=lambda key: room / f"cache {key}", tree=trees.get
        )
        rows.append(
            [
                f"{n}x{p}",
                TITLES.get(method, method) + (" CSR" if density else ""),
                *_row(found, trees, room, options.clock),
            ]
        )
    return rows


def _row(found: dict, trees: dict[str, Path], room: Path, clock: str) -> list[str]:
    for key, result in found.items():
        if "error" not in result and not Path(result["file"]).is_relative_to(trees[key]):
            result["error"] = f"{key} was imported from {result['file']}"
    errors = [f"{key}: {result['error']}" for key, result in found.items() if "error" in result]
    if errors:
        return ["; ".join(errors), *[""] * 5]
    before, now = (median(found[key][clock]) * 1000 for key in ("before", "now"))
    difference = np.abs(np.load(room / "before.npy") - np.load(room / "now.npy")).max()
    memory = (f"{found[key]['megabytes']:.1f}" for key in ("before", "now"))
    return [f"{before:.1f}", f"{now:.1f}", f"{before / now:.2f}", *memory, f"{difference:.0e}"]


def main() -> None:
    """Print the table of ratios."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument(
        "revision", nargs="?", help="commit to compare with (HEAD if the package has changes, else HEAD~1)"
    )
    parser.add_argument("--shapes", type=shapes, default=SHAPES, help="such as 500x1000,2000x200 (rows x features)")
    parser.add_argument("--methods", type=chosen, default=METHODS, help=f"{','.join(METHODS)}; all: every one")
    parser.add_argument("--repeats", type=int, default=3, help="processes for each side and cell (3)")
    parser.add_argument("--jobs", type=int, default=1, help="threads; with more than one, wall time is compared (1)")
    parser.add_argument("--dense", action="store_true", help="leave out CSR")
    parser.add_argument("--markdown", action="store_true", help="a table for a document")
    options = parser.parse_args()
    options.clock = "cpu" if options.jobs == 1 else "wall"
    revision = options.revision or default_revision()
    commit = git("rev-parse", "--short", revision).decode().strip()
    cells = [(n, p, None, method) for n, p in options.shapes for method in options.methods]
    cells += [] if options.dense else [(*CSR, method) for method in options.methods]
    print(f"The working tree against {revision} ({commit}), {options.clock} time; {load()}\n", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder).resolve()
        trees = {"before": unpack(commit, room / "tree"), "now": ROOT}
        rows = compare(cells, options, trees, room)
    header = ("data", "method", "before ms", "now ms", "before/now", "before MB", "now MB", "difference")
    print(table(header, rows, options.markdown))


if __name__ == "__main__" and not answer():
    main()
