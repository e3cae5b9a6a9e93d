"""The command line: ``python -m fuzz --minutes 60``; exit status 1 where anything was found."""

import argparse
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, count
from pathlib import Path

from . import corpus
from .kinds import KINDS
from .outcome import Outcome
from .pool import Worker
from .report import Report

Requests = Iterator[tuple[str, dict[str, object]]]
COUNTER = 2**32  # seeds that are drawn by the clock are below


def main(argv: list[str] | None = None) -> int:
    """Run what is asked for; returns 1 where anything was found, else 0."""
    options = _parser().parse_args(argv)
    if options.replay or options.case:
        return _one(options)
    seed = time.time_ns() % COUNTER if options.seed is None else options.seed
    names = options.kind or list(KINDS)
    print(f"seed {seed}", flush=True)
    run = Run(Report(), seed, options.jobs, options.save)
    seconds = 60 * options.minutes + options.seconds
    total_share = sum(KINDS[name].share for name in names)
    kept_cases = () if options.new else run.corpus(names)
    new_cases = [run.random(name, seconds * KINDS[name].share / total_share, options.cases) for name in names]
    run.share(chain(kept_cases, *new_cases))
    print(run.report.text())
    return 1 if run.report.findings else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description="Look for faults with hostile input.")
    add = parser.add_argument
    add("--minutes", type=float, default=0.0, help="how long to go on, beside the corpus of known cases")
    add("--seconds", type=float, default=0.0)
    add("--cases", type=int, help="at most so many new cases of each kind (default: as many as the time allows)")
    add("--seed", type=int, help="of the cases (default: by the clock)")
    add("--kind", choices=KINDS, action="append", help="only this one; again for several")
    add("--new", action="store_true", help="without the corpus")
    add("--jobs", type=int, default=1, help="processes (default: 1)")
    add("--save", type=Path, default=corpus.FOLDER, metavar="FOLDER", help="where cases go that fail")
    add("--replay", nargs=3, metavar=("KIND", "SEED", "NUMBER"), help="repeat one case and print what happens")
    add("--case", type=Path, metavar="FILE", help="repeat one case of the corpus")
    return parser


def _one(options: argparse.Namespace) -> int:
    if options.case:
        kind, case = corpus.read(options.case)
    else:
        kind, seed, number = options.replay[0], *map(int, options.replay[1:])
        case = KINDS[kind].make(seed, number)
    with Worker() as worker:
        outcome = worker.ask({"kind": kind, "case": case})
    print(str(case)[:4000], outcome.text, f"{outcome.status} {outcome.where}", sep="\n")
    print(f"{outcome.seconds:.2f} s, {outcome.megabytes:,.0f} MB", outcome.measured)
    return 1 if outcome.is_finding else 0


class Run:
    """Cases that are asked of one or several workers.

    folder: where the first case of every fault is kept.
    """

    def __init__(self, report: Report, seed: int, jobs: int, folder: Path) -> None:
        self.report, self.seed, self.jobs, self.folder = report, seed, max(jobs, 1), folder
        self._lock = threading.Lock()

    def corpus(self, names: list[str]) -> Requests:
        """All kept cases of these kinds."""
        return (
            (f"--case {corpus.FOLDER.name}/{name}.json", {"kind": kind, "case": case})
            for name, kind, case in corpus.entries()
            if kind in names
        )

    def random(self, kind: str, seconds: float, most: int | None = None) -> Requests:
        """New cases of a kind for some time, at least one, and at most `most` (None: any number).

        With a limit, a fixed seed asks for the same cases on machines of any speed, or for the first of them.
        """
        end = time.monotonic() + seconds
        for number in count() if most is None else range(most):
            yield f"--replay {kind} {self.seed} {number}", {"kind": kind, "seed": self.seed, "number": number}
            if time.monotonic() >= end:
                return

    def share(self, requests: Requests) -> None:
        """Ask all workers until nothing is left to ask."""
        with ThreadPoolExecutor(self.jobs) as pool:
            for done in [pool.submit(self._drain, requests) for _ in range(self.jobs)]:
                done.result()

    def _drain(self, requests: Requests) -> None:
        with Worker() as worker:
            while True:
                with self._lock:
                    name, request = next(requests, (None, None))
                if request is None:
                    return
                self._note(name, request, worker.ask(request))

    def _note(self, name: str, request: dict[str, object], outcome: Outcome) -> None:
        kind = request["kind"]
        with self._lock:
            new = self.report.add(kind, name, outcome)
        if not new:
            return
        if "seed" in request:
            seed, number = request["seed"], request["number"]
            corpus.save(kind, seed, number, KINDS[kind].make(seed, number), outcome, self.folder)
        print(f"{outcome.status} {outcome.where}: {name}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
