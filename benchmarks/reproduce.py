"""The proof: published numbers beside ours, mistakes of the literature as experiments, quality, times, memory.

    python -m benchmarks reproduce --data FOLDER                what is not done yet: doc/proof.md
    python -m benchmarks reproduce --data FOLDER --quick        within five minutes, in build/proof only
    python -m benchmarks reproduce --sections review fuji       some parts
    python -m benchmarks reproduce --again peers growth         some parts anew
    python -m benchmarks reproduce --write                      the page once more, from the results

Results are kept, experiment by experiment, in doc/proof/results.jsonl; what is there is not run again, so the command
can be stopped at any time.  The same report as one file of HTML is build/proof/report.html.
"""

import argparse
import os
import sys
import time
import warnings
from pathlib import Path

from common import ROOT
from evaluation import loader
from proof.contents import SECTIONS
from proof.drawing import draw
from proof.record import Results
from proof.report import counted, markdown, page
from sklearn.exceptions import ConvergenceWarning

BUILD = ROOT / "build" / "proof"
NAMES = tuple(section.name for section in SECTIONS)
QUICK_MINUTES = 4.2  # after these, no other experiment begins in the quick report


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = os.environ.get("RELIEFE_DATA", ROOT.parent / "data")
    parser.add_argument("--data", type=Path, default=Path(default), help="folder of load.py and index.tsv")
    parser.add_argument("--quick", action="store_true", help="a small part, within five minutes, in build/proof")
    parser.add_argument("--sections", nargs="*", choices=NAMES, default=NAMES, help="parts of the report")
    parser.add_argument("--again", nargs="*", choices=NAMES, default=(), help="parts that are run anew")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="after these, no other experiment begins")
    parser.add_argument("--write", action="store_true", help="run nothing, write the page from the results")
    return parser.parse_args()


def main() -> int:
    """Run what is missing, write the report; 1 if an experiment failed."""
    options = arguments()
    warnings.simplefilter("ignore", ConvergenceWarning)
    folder = BUILD if options.quick else ROOT / "doc"
    own = folder if options.quick else folder / "proof"
    if options.quick and not options.write:
        (own / "results.jsonl").unlink(missing_ok=True)
    results = Results(own / "results.jsonl")
    if options.again:
        results.forget(options.again)
    failed = False if options.write else run(options, results)
    draw(SECTIONS, results, own)
    BUILD.mkdir(parents=True, exist_ok=True)
    text = markdown(SECTIONS, results, "." if options.quick else "proof")
    pages = {folder / "proof.md": text, BUILD / "report.html": page(SECTIONS, results, own)}
    for file, content in pages.items():
        file.write_text(content, encoding="utf-8")
        print(f"written: {file.relative_to(ROOT)}")
    return int(failed)


def run(options: argparse.Namespace, results: Results) -> bool:
    """Run the experiments that are missing; True if one of them failed."""
    there = all((options.data / name).is_file() for name in ("load.py", "index.tsv"))
    if not there:
        print(f"No data in {options.data}: only what needs none; name the folder by --data or RELIEFE_DATA.")
    data = loader(options.data) if there else None
    sections = [section for section in SECTIONS if section.name in {*options.sections, *options.again}]
    minutes = min(options.minutes, QUICK_MINUTES if options.quick else float("inf"))
    end, failed = time.monotonic() + 60 * minutes, False
    for section, experiment in results.missing(sections, there, options.quick):
        if time.monotonic() > end:
            break
        try:
            result = results.run(section, experiment, data)
        except (RuntimeError, ImportError, OSError, KeyError, ValueError) as error:
            failed = True
            print(f"{section.name}: {experiment.name} failed: {error}", file=sys.stderr, flush=True)
            continue
        good, bad = counted(result["lines"])
        print(f"{section.name}: {experiment.name}, {good} agree, {bad} differ, {result['seconds']} s", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
