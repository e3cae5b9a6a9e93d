"""Rankings of tables, arrays and genotypes in one form: lines of text or Python, documents, rows of files, bars."""

# Nothing of Orange is imported: arrays and genotypes do without it.
import argparse
import csv
import json
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

from ..core import METHODS, Ranking
from ..core.files import replacing
from ..core.report.page import ReportData, ReportValues, write_page
from ..core.result import bar_chart
from ..core.targets.columns import read_column
from ..core.targets.tasks import CLASSIFICATION
from ..core.words import cell, shortened
from .terminal import N_SHOWN, bar, with_options, write

BAR_WIDTH = 40
LEVEL = 0.1  # false discovery rate
REMOVED = "removed after pass"
TESTED = "{real} of {p} features at a false discovery rate of {level:.0%} ({n} shuffled targets, least p {least:.2g})"


def as_json(document: object) -> str:
    """A document as indented text."""
    return json.dumps(document, indent=2) + "\n"


def names_of_classes(y: Any, task: str) -> list[str]:
    """Names of the classes of a target (n,), in their order; none for other tasks."""
    return [*map(str, read_column(y, len(y)).coded()[0].tolist())] if task == CLASSIFICATION else []


@dataclass(frozen=True)
class Listing:
    """A ranking, and in words what it is of.

    data: name of the data.  digest: data and targets in a line.  targets: names of the targets.  notes: on how the data
    were read.  facts: columns of values of the features, by their titles.  target: the targets and their kind, in words
    for a report.  values: makes the values of the best features for a report, if there are any.
    """

    ranking: Ranking
    data: str
    digest: str
    targets: Sequence[str] = ()
    notes: Sequence[str] = ()
    facts: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    target: str = ""
    values: Callable[[], ReportValues] = ReportValues

    @property
    def names(self) -> Sequence[str]:
        """Names of the features, or else their numbers."""
        return self.ranking.names or [str(f) for f in range(len(self.ranking.scores))]

    def deliver(self, arguments: argparse.Namespace, script: Callable[[], str]) -> None:
        """Write the files that are asked for, and print the best features; script: makes the lines of Python."""
        if arguments.output:
            self.save(arguments.output)
        if arguments.plot:
            self.plot(arguments.plot, arguments.top or N_SHOWN)
        self.show(arguments, script)

    def report(self, path: str, script: str) -> None:
        """Write the report, a web page; script: lines of Python that rank again."""
        report = ReportData(self.names, self.data, self.target, self.notes, script, self.values())
        write_page(self.ranking, report, path)

    def show(self, arguments: argparse.Namespace, script: Callable[[], str]) -> None:
        """Print the best features in the form that is asked for: lines of Python, a document or a table.

        Write the report before, if it is asked for.
        """
        if arguments.report:
            self.report(arguments.report, script())
        top = arguments.top or N_SHOWN
        if arguments.script:
            write(script())
        elif arguments.json:
            write(as_json(self.document(arguments.top)))
        else:
            rows, rest = self._rows(top, sys.stdout)
            lines = rows if arguments.quiet else [*self._head(), *rows, *rest]
            write("\n".join(line.rstrip() for line in lines) + "\n")

    def document(self, top: int | None = None) -> dict[str, object]:
        """Return the ranking as plain literals, cut after the `top` best features; notes are "input" of "info"."""
        ranking, columns = self.ranking, {**self.facts, **self._columns()}
        passes = ranking.info.get("removed_in") or [0] * len(self.names)
        labels, each = self._labels(), None if ranking.per_target is None else ranking.per_target.T.tolist()
        info = {k: v for k, v in ranking.info.items() if k not in ("removed_in", "standard_errors")}
        return {
            "data": self.data,
            "targets": [*self.targets],
            "method": ranking.method,
            "parameters": ranking.parameters,
            "info": info | {"input": [*self.notes]},
            "features": [
                {"rank": position, "feature": self.names[j], **{name: values[j] for name, values in columns.items()}}
                | ({"targets": dict(zip(labels, each[j], strict=True))} if each else {})
                | ({REMOVED: passes[j]} if passes[j] else {})
                for position, j in self._best(top)
            ],
        }

    def save(self, path: str) -> None:
        """Write all features as a document (.json) or as rows, from the best on (.csv, .tsv)."""
        with replacing(path) as new, open(new, "w", encoding="utf-8", newline="") as file:
            if path.lower().endswith(".json"):
                file.write(as_json(self.document()))
                return
            columns = {**self.facts, **self._columns()}
            if self.ranking.per_target is not None:
                each = self.ranking.per_target.tolist()
                columns |= {f"score ({label})": row for label, row in zip(self._labels(), each, strict=True)}
            if "removed_in" in self.ranking.info:
                columns[REMOVED] = [n or "" for n in self.ranking.info["removed_in"]]
            writer = csv.writer(file, delimiter="\t" if path.lower().endswith(".tsv") else ",", lineterminator="\n")
            writer.writerow(["rank", "feature", *columns])
            for position, j in enumerate(self.ranking.ranking.tolist(), start=1):
                values = (cell(v) if isinstance(v, str) else v for v in (row[j] for row in columns.values()))
                writer.writerow([position, cell(self.names[j]), *values])

    def plot(self, path: str, top: int) -> None:
        """Write a bar chart of the `top` best features."""
        best = Ranking.select(self.ranking, top)
        lines = [self.digest, *([f"the {len(best)} best are shown"] if len(best) < len(self.names) else [])]
        with replacing(path) as new, open(new, "w", encoding="utf-8") as file:
            title, scores = METHODS[self.ranking.method].title, self.ranking.scores[best]
            file.write(bar_chart(title, lines, [self.names[j] for j in best], scores))

    def _best(self, top: int | None) -> list[tuple[int, int]]:
        """Position from 1, and index, of the `top` features that are selected; None: all."""
        selected = self.ranking.ranking if top is None else Ranking.select(self.ranking, top)
        positions = {j: position for position, j in enumerate(self.ranking.ranking.tolist(), start=1)}
        return [(positions[j], j) for j in selected.tolist()]

    def _labels(self) -> Sequence[str]:
        return getattr(self.ranking, "labels", None) or self.ranking.targets or [*map(str, range(len(self.targets)))]

    def _columns(self) -> dict[str, list[Any]]:
        """Scores of all features, their standard errors, and tests, None where there is none.

        p of tests of each feature alone are among them, and own_p where a note names it.
        """
        found, columns = self.ranking.significance, {"score": self.ranking.scores.tolist()}
        if "standard_errors" in self.ranking.info:
            columns["error"] = self.ranking.info["standard_errors"]
        if found is not None:
            tests = dict(found.columns)
            if found.alone is not None:
                tests["alone"] = found.alone
            if any("own_p" in note for note in found.notes):
                tests["own_p"] = found.own_p
            columns |= {name: [v if v == v else None for v in values.tolist()] for name, values in tests.items()}
            if found.kind is not None:
                columns["kind"] = [*map(str, found.kind)]
        return columns

    def _head(self) -> list[str]:
        """Lines above the features: data, notes on how they were read, choices, warnings, and a word on p-values."""
        ranking, found = self.ranking, self.ranking.significance
        lines = [self.digest, *self.notes, f"{METHODS[ranking.method].title}: {ranking.info['summary']}"]
        lines += [with_options(f"Chosen: {ranking.info['auto']}")] if "auto" in ranking.info else []
        lines += ranking.info.get("warnings", ())
        if found is not None:
            real, p = len(found.discoveries(LEVEL)), len(found.q)
            lines.append(TESTED.format(real=real, p=p, level=LEVEL, n=found.n_shuffles, least=found.smallest))
            lines += map(with_options, found.notes)
        return [*lines, ""]

    def _rows(self, top: int, stream: IO[str]) -> tuple[list[str], list[str]]:
        """Lines of the best features, and one that counts the rest if there are any."""
        ranking, selected = self.ranking, self._best(top)
        best = [j for _, j in selected]
        names, digits = [shortened(self.names[j]) for j in best], len(str(selected[-1][0]))
        width = max(map(len, names))
        columns = self._columns()
        scores, kinds = columns.pop("score"), columns.pop("kind", None)
        facts = ["".join(f"{title} {_short(values[j]):<8}" for title, values in self.facts.items()) for j in best]
        tests = {name: values for name, values in columns.items() if name != "z"}
        tested = [
            "".join(f"{name} {_p_value(values[j]):<8}" for name, values in tests.items())
            + ("" if kinds is None else f"{kinds[j]:<15}")
            for j in best
        ]
        left = shutil.get_terminal_size().columns - width - digits - 16 - len(tested[0]) - len(facts[0])
        space, largest = max(min(left, BAR_WIDTH), 8), max(scores[best[0]], 0.0)
        gone = ranking.info.get("removed_in") or [0] * len(scores)
        lines = []
        for (position, j), name, fact, test in zip(selected, names, facts, tested, strict=True):
            share = scores[j] / largest if largest else 0.0
            last = f"removed after pass {gone[j]}" if gone[j] else bar(share, space, stream)
            lines.append(f"{position:>{digits}}  {name:<{width}}  {fact}{scores[j]:>9.5f}  {test}{last}")
        rest = len(scores) - len(best)
        return lines, [f"{'':>{digits}}  ... and {rest} more"] if rest else []


def _p_value(value: float | None) -> str:
    return "-" if value is None else f"{value:.2g}"


def _short(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


TABLE = "from Orange.data import Table\nfrom orangecontrib.reliefe import rank"


def script(
    ranking: Ranking,
    data: str,
    best: str = "ranking.best(10)",
    *,
    imports: str = TABLE,
    call: str = "rank(table",
    more: str = "",
    **options: object,
) -> str:
    """Write the lines of Python that give a ranking again and print its selection.

    Of the method's parameters those that are not the defaults are written.
    data: lines that read the data, such as ``table = Table('iris')``; imports: lines of imports.
    best: expression for the selection, features or their names.
    call: function that ranks and its first arguments, without a closing parenthesis; more: its last, behind a comma.
    options: other arguments of this function; those that are None, False or empty are left out.
    """
    defaults = {parameter.name: parameter.default for parameter in METHODS[ranking.method].parameters}
    changed = {name: value for name, value in ranking.parameters.items() if defaults.get(name, value) != value}
    given = {name: value for name, value in options.items() if value not in (None, [], ()) and value is not False}
    settings = "".join(f", {name}={value!r}" for name, value in (given | changed).items())
    return f"{imports}\n\n{data}\nranking = {call}, {ranking.method!r}{settings}{more})\nprint(*{best}, sep='\\n')\n"
