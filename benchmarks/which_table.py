"""Table and pictures of doc/which.md, from the lines of results: see which.py."""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from common import ROOT, table
from evaluation import REAL as REAL_SETS
from evaluation import SIMULATED

from orangecontrib.reliefe.core import METHODS
from orangecontrib.reliefe.core.evaluation import cliques, critical_difference, friedman

PAGE = ROOT / "doc" / "which.md"
BEGIN, END = "<!-- table: written by benchmarks/which.py --table -->", "<!-- end of table -->"
NUMERIC = re.compile("epi2_cont?end|epi2_threshold|pwlinear")  # simulated sets whose target is a number
MOST = 0.9  # of the methods that any set was run for: sets with fewer were not finished, and do not count
REAL, PAIRS, NUMBERS = "real", "simulated", "numbers"
HEADER = ("method", "AUrF1", "rank", "knn", "recall", "recall, numbers", "stability", "seconds", "not done")


class Group:
    """Sets of one kind, those that are finished, and one measure of the methods that did them all."""

    def __init__(self, lines: Sequence[dict], kind: str, measure: str):
        self.lines = {(line["method"], line["set"]): line for line in lines if kind_of(line) == kind}
        run = {}
        for _, name in self.lines:
            run[name] = run.get(name, 0) + 1
        self.sets = [name for name, count in run.items() if count >= MOST * max(run.values())]
        self.sets.sort(key=lambda name: self._size(name))
        self.methods = [m for m in METHODS if self.sets and all(self._done(m, name) for name in self.sets)]
        self.late = {m: sum(self._late(m, name) for name in self.sets) for m in METHODS}
        self.values = self.matrix(measure)

    def matrix(self, measure: str) -> np.ndarray:
        """A measure (methods, sets)."""
        out = [[self.lines[m, name][measure] for name in self.sets] for m in self.methods]
        return np.array(out, float).reshape(len(self.methods), len(self.sets))

    def mean(self, method: str, measure: str) -> str:
        """The mean over the sets; - where some of them are not done."""
        found = self.matrix(measure)
        return f"{found[self.methods.index(method)].mean():.3f}" if method in self.methods else "-"

    def _done(self, method: str, name: str) -> bool:
        return self.lines.get((method, name), {}).get("status") == "done"

    def _late(self, method: str, name: str) -> bool:
        return (method, name) in self.lines and not self._done(method, name)

    def _size(self, name: str) -> tuple[int, str]:
        line = next(line for (_, own), line in self.lines.items() if own == name)
        return line["rows"] * line["features"], name


def kind_of(line: dict) -> str:
    """Group that a line belongs to."""
    return NUMBERS if NUMERIC.match(line["set"]) else line["kind"]


def text(lines: Sequence[dict]) -> str:
    """List of the sets that were run, and the table in Markdown, the best mean rank first."""
    real, pairs, numbers = groups(lines)
    ranks = {}
    if len(real.methods) > 2 and len(real.sets) > 1:
        ranks = dict(zip(real.methods, friedman(real.values.T).ranks, strict=True))
    rows = []
    for method in sorted({line["method"] for line in lines}, key=lambda m: (ranks.get(m, np.inf), [*METHODS].index(m))):
        done = [group for group in (real, pairs, numbers) if method in group.methods]
        every = [line for group in done for (own, name), line in group.lines.items() if own == method]
        shown = f"{np.mean([line['stability'] for line in every if line['status'] == 'done']):.2f}" if done else "-"
        seconds = f"{np.median([line['seconds'] for line in every if line['status'] == 'done']):.3f}" if done else "-"
        rank = f"{ranks[method]:.1f}" if method in ranks else "-"
        recall = [group.mean(method, "recall") for group in (pairs, numbers)]
        late = sum(group.late[method] for group in (real, pairs, numbers))
        title = METHODS[method].title.replace("*", r"\*")
        areas = real.mean(method, "area"), rank, real.mean(method, "knn")
        rows.append([title, *areas, *recall, shown, seconds, late])
    return f"{extent(real, pairs, numbers)}\n\n{table(HEADER, rows, markdown=True)}"


def groups(lines: Sequence[dict]) -> tuple[Group, Group, Group]:
    """Real sets, simulated ones with classes, and simulated ones with numbers."""
    return Group(lines, REAL, "area"), Group(lines, PAIRS, "recall"), Group(lines, NUMBERS, "recall")


def extent(*parts: Group) -> str:
    """Sets that count, with the number of their rows and features."""
    out = []
    for group, words in zip(
        parts, ("real sets", "simulated sets with classes", "simulated sets with numbers"), strict=True
    ):
        sizes = {name: line for (_, name), line in group.lines.items()}
        named = [f"{name} ({sizes[name]['rows']} x {sizes[name]['features']})" for name in group.sets]
        out.append(f"- {len(group.sets)} {words}: {', '.join(named) or 'none'}.")
    for names, words in ((REAL_SETS, "real"), (SIMULATED, "simulated")):
        left = [name for name in names if not any(name in group.sets for group in parts)]
        out.append(f"- Not run: {len(left)} of {len(names)} {words} sets: {', '.join(left) or 'none'}.")
    return "\n".join(out)


def write(lines: Sequence[dict], page: Path = PAGE) -> str:
    """Write the table into the page and the pictures beside it; returns the table."""
    from pictures import heat, rank_diagram

    found, whole = text(lines), page.read_text(encoding="utf-8")
    before, _, rest = whole.partition(BEGIN)
    page.write_text(f"{before}{BEGIN}\n\n{found}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8", newline="\n")
    for group, name in zip(groups(lines), ("real", "simulated"), strict=False):
        k, n = group.values.shape
        if k < 3 or n < 2:
            continue
        titles, ranks = [METHODS[m].title for m in group.methods], friedman(group.values.T).ranks
        difference, order = critical_difference(k, n), np.argsort(ranks, kind="stable")
        joined = cliques(ranks, difference)
        rank_diagram(titles, ranks, difference, joined, page.parent / "which" / f"{name}_ranks.png")
        heat([titles[m] for m in order], group.sets, group.values[order], page.parent / "which" / f"{name}.png")
    return found
