"""Listings: rankings of tables, arrays and genotypes as text, JSON, files, charts, or lines of Python.

`CommandData.listing` makes a `Listing`; `rank_data` writes and shows it.
Nothing of Orange is imported, since arrays and genotypes do not need it.
"""

import argparse
import csv
import json
import math
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TextIO

from ..core import METHODS, Ranking
from ..core.bar_chart import bar_chart
from ..core.files import replacing
from ..core.pages.feature_table import BY_LINE, BY_NEIGHBOURS, CONDITIONAL, CONDITIONAL_Q, VALIDITY
from ..core.report.page import ReportData, ReportValues, write_page
from ..core.words import cell, shortened
from .terminal import N_SHOWN, bar, with_options, write

MAX_BAR_WIDTH = 40  # characters
MIN_BAR_WIDTH = 8
FIXED_WIDTH = 16  # characters of a row of features for the score and blanks
TABLE = "from Orange.data import Table\nfrom orangecontrib.reliefe import rank"
# Columns of tests that are not printed, since lines are short
ONLY_IN_FILES = ("z", "alone", "kind", CONDITIONAL_Q, BY_NEIGHBOURS, BY_LINE, VALIDITY)
NOT_VALID = "invalid"  # in the place of a conditional p-value
FURTHER = "z and the kind of discoveries are among the columns of --output, and in --json"
SHORT_TITLES = {"chromosome": "chr", "frequency": "freq", "unadjusted rank": "unadjusted"}  # of columns of facts
REMOVED = "removed after pass"
TESTED = "p-values from {n} shuffled targets; the smallest possible one is {least:.2g}"


def as_json(document: object) -> str:
    """Return a document as indented text."""
    return json.dumps(document, indent=2) + "\n"


def delimiter_of(path: str) -> str:
    """Return the character between cells of a file."""
    return "\t" if path.lower().endswith(".tsv") else ","


def write_features(
    document: Mapping[str, Any],
    path: str,
    title_row: Sequence[str],
    row_of: Callable[[dict[str, Any]], list[Any]],
) -> None:
    """Write all of a document (.json), or its features as rows (.tsv and .csv).

    Parameters
    ----------
    document : mapping
        Plain literals, with a list of features.
    path : str
        File to write.
    title_row : sequence of str
        Titles of the columns.
    row_of : callable
        Cells of a feature.
    """
    with replacing(path) as new_path, open(new_path, "w", encoding="utf-8", newline="") as file:
        if path.lower().endswith(".json"):
            file.write(as_json(document))
            return
        rows = csv.writer(file, delimiter=delimiter_of(path), lineterminator="\n")
        rows.writerow(title_row)
        rows.writerows(map(row_of, document["features"]))


@dataclass(frozen=True)
class Listing:
    """A ranking of p features, and a description of its data.

    Attributes
    ----------
    ranking : Ranking
        The ranking.
    data : str
        Name of the data.
    digest : str
        Data and targets in a line.
    targets : sequence of str
        Names of the targets.
    notes : sequence of str
        Sentences on how the data were read.
    facts : mapping of str to sequence (p,)
        Facts on the features by title, for example positions of variants.
    target : str
        Targets and their kind in words, for a report.
    values : callable
        Makes the values of the best features for a report.
    features : sequence of str
        Names of the single features, if groups of features have scores. Empty: they are numbered.
    conclusion : str
        First sentence. Empty: that of the ranking.
    pictures : sequence of (str, str)
        Titles and SVG of further charts of a report.
    noun : str
        Word for what has scores. Empty: feature or group.
    """

    ranking: Ranking
    data: str
    digest: str
    targets: Sequence[str] = ()
    notes: Sequence[str] = ()
    facts: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    target: str = ""
    values: Callable[[], ReportValues] = ReportValues
    features: Sequence[str] = ()
    conclusion: str = ""
    pictures: Sequence[tuple[str, str]] = ()
    noun: str = ""

    @property
    def first_sentence(self) -> str:
        """Say what was ranked for what, how many items stand out, and how sure that is."""
        return with_options(self.conclusion or self.ranking.conclusion)

    @property
    def names(self) -> Sequence[str]:
        """Names of the features, or of their groups, or their numbers."""
        return self.ranking.names or [str(f) for f in range(len(self.ranking.scores))]

    def report(self, path: str, script: str) -> None:
        """Write the report, a web page; `script` is lines of Python that compute the ranking."""
        values = self.values()
        of_ranking = self.ranking.info.get("information", ())
        said_by_page = {*of_ranking, *map(with_options, of_ranking)}  # the page has them in any case
        report = ReportData(
            self.names,
            self.data,
            self.target,
            [note for note in self.notes if note not in said_by_page],
            script,
            values,
            features=self.features,
            facts=self.facts,
            conclusion=self.first_sentence,
            pictures=self.pictures,
            noun=self.noun,
        )
        write_page(self.ranking, report, path)

    def show(self, arguments: argparse.Namespace, script: Callable[[], str]) -> None:
        """Write the report if the user asks for it, and print the best features.

        Parameters
        ----------
        arguments : Namespace
            Arguments of the command.
        script : callable
            Makes the lines of Python for --script.
        """
        if arguments.report:
            self.report(arguments.report, script())
        top = arguments.top or N_SHOWN
        if arguments.script:
            write(script())
        elif arguments.json:
            write(as_json(self.document(arguments.top)))
        else:
            rows, rest = self._rows(top, sys.stdout, not arguments.quiet)
            lines = rows if arguments.quiet else [*self._head(), *rows, *rest]
            write("\n".join(line.rstrip() for line in lines) + "\n")

    def document(self, top: int | None = None) -> dict[str, object]:
        """Return the ranking as plain literals.

        Parameters
        ----------
        top : int, optional
            Number of best features. None: all.

        Returns
        -------
        dict
            The document; notes are "input" of "info".
        """
        ranking = self.ranking
        info = {name: value for name, value in ranking.info.items() if name not in ("removed_in", "standard_errors")}
        return {
            "data": self.data,
            "conclusion": self.first_sentence,
            "targets": [*self.targets],
            "method": ranking.method,
            "parameters": ranking.parameters,
            "info": info | {"input": [*self.notes]},
            "features": self._features(top),
        }

    def _features(self, top: int | None) -> list[dict[str, object]]:
        """Entries of the document for the best features."""
        ranking = self.ranking
        columns = {**self.facts, **self._columns()}
        members = self._members()
        removed_in = ranking.info.get("removed_in") or [0] * len(self.names)
        entries = []
        for position, j in self._best(top):
            entry = {"rank": position, "feature": self.names[j]}
            entry |= {name: values[j] for name, values in columns.items()}
            if members is not None and members[j]:
                entry["features"] = members[j]
            if ranking.per_target is not None:
                entry["targets"] = dict(zip(ranking.target_labels, ranking.per_target[:, j].tolist(), strict=True))
            if removed_in[j]:
                entry[REMOVED] = removed_in[j]
            entries.append(entry)
        return entries

    def save(self, path: str) -> None:
        """Write all features as a document (.json) or as rows, from the best on (.csv, .tsv)."""
        is_json = path.lower().endswith(".json")
        separator = "\t" if path.lower().endswith(".tsv") else ","
        with replacing(path) as new_path, open(new_path, "w", encoding="utf-8", newline="") as file:
            if is_json:
                file.write(as_json(self.document()))
            else:
                self._write_rows(csv.writer(file, delimiter=separator, lineterminator="\n"))

    def _write_rows(self, writer: Any) -> None:
        """Write a line of titles, and a row for each feature, the best first."""
        columns = {**self.facts, **self._columns()}
        if self.ranking.per_target is not None:
            by_target = zip(self.ranking.target_labels, self.ranking.per_target.tolist(), strict=True)
            columns |= {f"score ({label})": scores for label, scores in by_target}
        if "removed_in" in self.ranking.info:
            columns[REMOVED] = [number or "" for number in self.ranking.info["removed_in"]]
        members = self._members()
        if members is not None:
            columns["features"] = ["; ".join(of_group) for of_group in members]
        writer.writerow(["rank", "feature", *columns])
        for position, j in enumerate(self.ranking.ranking.tolist(), start=1):
            values = [column[j] for column in columns.values()]
            cells = [cell(value) if isinstance(value, str) else value for value in values]
            writer.writerow([position, cell(self.names[j]), *cells])

    def _members(self) -> list[list[str]] | None:
        """Names of the features of each group, none of a feature that is alone; None if features have scores."""
        return self.ranking.member_names(self.features) if self.ranking.ranks_groups else None

    def plot(self, path: str, top: int) -> None:
        """Write a bar chart of the `top` best features."""
        best = self.ranking.best_items(top)
        lines = [self.digest]
        if len(best) < len(self.names):
            lines.append(f"the {len(best)} best are shown")
        title = METHODS[self.ranking.method].title
        names = [self.names[j] for j in best]
        with replacing(path) as new_path, open(new_path, "w", encoding="utf-8", errors="replace") as file:
            file.write(bar_chart(title, lines, names, self.ranking.scores[best]))

    def _best(self, top: int | None) -> list[tuple[int, int]]:
        """Position, from 1, and index of each of the `top` selected features; None: all."""
        selected = self.ranking.ranking if top is None else self.ranking.best_items(top)
        positions = {j: position for position, j in enumerate(self.ranking.ranking.tolist(), start=1)}
        return [(positions[j], j) for j in selected.tolist()]

    def _columns(self) -> dict[str, list[Any]]:
        """Columns (p,) of all features by title: scores, standard errors, and tests, None where there is no value.

        p-values of each feature by itself are among them, and own_p if a note names it.
        """
        columns: dict[str, list[Any]] = {"score": self.ranking.scores.tolist()}
        if "standard_errors" in self.ranking.info:
            columns["error"] = self.ranking.info["standard_errors"]
        significance = self.ranking.significance
        if significance is None:
            return columns
        tests = dict(significance.columns)
        if significance.alone is not None:
            tests["alone"] = significance.alone
        if significance.counts_own_p:
            tests["own_p"] = significance.own_p
        for title, values in tests.items():
            columns[title] = [None if math.isnan(value) else value for value in values.tolist()]
        for title, texts in significance.text_columns.items():
            columns[title] = [text or None for text in texts]
        if significance.kind is not None:
            columns["kind"] = [*map(str, significance.kind)]
        return columns

    def _mark_invalid(self, columns: dict[str, list[Any]]) -> None:
        """Write a word in the place of conditional p-values that are not valid; notes have the reasons."""
        significance = self.ranking.significance
        tests = None if significance is None else significance.given_others
        if tests is not None:
            for feature in tests.features[~tests.valid].tolist():
                columns[CONDITIONAL][feature] = NOT_VALID

    def _head(self) -> list[str]:
        """Lines above the features: data, notes on how they were read, choices, warnings, and p-values."""
        ranking = self.ranking
        lines = [
            self.first_sentence,
            self.digest,
            *self.notes,
            f"{METHODS[ranking.method].title}: {ranking.info['summary']}",
        ]
        if "auto" in ranking.info:
            lines.append(with_options(f"Chosen: {ranking.info['auto']}"))
        lines += ranking.info.get("warnings", ())
        significance = ranking.significance
        if significance is not None:
            lines.append(TESTED.format(n=significance.n_shuffles, least=significance.smallest))
            if significance.kind is not None:
                lines.append(FURTHER)
            lines += map(with_options, significance.notes)
        return [*lines, ""]

    def _rows(self, top: int, stream: TextIO, with_titles: bool) -> tuple[list[str], list[str]]:
        """Lines of the best features, and one that counts the others if there are any.

        Parameters
        ----------
        top : int
            Number of best features.
        stream : TextIO
            Where they are printed, whose encoding has blocks for bars or has none.
        with_titles : bool
            Whether a line of titles comes first, if there are facts on the features.
        """
        selected = self._best(top)
        best = [j for _, j in selected]
        columns = self._columns()
        scores = columns.pop("score")
        self._mark_invalid(columns)
        for title in ONLY_IN_FILES:
            columns.pop(title, None)

        # Columns of text: facts have their titles in a line above, tests before each value.
        names = [shortened(self.names[j]) for j in best]
        facts = [_fact_column(title, [values[j] for j in best]) for title, values in self.facts.items()]
        facts_of_rows = ["".join(cells) for cells in zip(*facts, strict=True)] or [""] * (len(best) + 1)
        tests = ["".join(f"{title} {_p_value(values[j]):<8}" for title, values in columns.items()) for j in best]

        # Width of bars: what is left of the terminal.
        position_width = len(str(selected[-1][0]))
        name_width = max(map(len, names))
        other_width = position_width + name_width + FIXED_WIDTH + len(tests[0]) + len(facts_of_rows[0])
        bar_width = max(min(shutil.get_terminal_size().columns - other_width, MAX_BAR_WIDTH), MIN_BAR_WIDTH)

        largest = max(scores[best[0]], 0.0)
        removed_in = self.ranking.info.get("removed_in") or [0] * len(scores)
        titles, *facts_of_items = facts_of_rows
        lines = []
        if facts and with_titles:
            lines.append(f"{'':>{position_width}}  {'':<{name_width}}  {titles}{'score':>9}")
        for (position, j), name, fact, test in zip(selected, names, facts_of_items, tests, strict=True):
            share = scores[j] / largest if largest else 0.0
            end = f"removed after pass {removed_in[j]}" if removed_in[j] else bar(share, bar_width, stream)
            lines.append(f"{position:>{position_width}}  {name:<{name_width}}  {fact}{scores[j]:>9.5f}  {test}{end}")
        n_others = len(scores) - len(best)
        return lines, [f"{'':>{position_width}}  ... and {n_others} more"] if n_others else []


def _fact_column(title: str, values: Sequence[object]) -> list[str]:
    """Title and cells of facts on the features, all of one width; numbers are at the right."""
    cells = [SHORT_TITLES.get(title, title), *map(_short, values)]
    width = max(map(len, cells))
    are_texts = any(isinstance(value, str) and not value.isdecimal() for value in values)
    return [f"{cell:<{width}}  " if are_texts else f"{cell:>{width}}  " for cell in cells]


def _p_value(value: float | str | None) -> str:
    """p-value, or the word in its place, in few characters; a dash without one."""
    if isinstance(value, str):
        return value
    return "-" if value is None else f"{value:.2g}"


def _short(value: object) -> str:
    """Fact in few characters."""
    return f"{value:.3g}" if isinstance(value, float) else str(value)


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
    """Write lines of Python that compute a ranking and print its selection.

    Parameters
    ----------
    ranking : Ranking
        The ranking, whose parameters are written if they are not the defaults.
    data : str
        Lines that read the data, for example ``table = Table('iris')``.
    best : str
        Expression for the selection, features or their names.
    imports : str
        Lines of imports.
    call : str
        Function that ranks and its first arguments, without a closing parenthesis.
    more : str
        Last arguments of the function, behind a comma.
    **options
        Other arguments of the function; those that are None, False or empty are left out.
    """
    defaults = {parameter.name: parameter.default for parameter in METHODS[ranking.method].parameters}
    changed = {name: value for name, value in ranking.parameters.items() if defaults.get(name, value) != value}
    set_options = {name: value for name, value in options.items() if value not in (None, [], ()) and value is not False}
    arguments = "".join(f", {name}={value!r}" for name, value in (set_options | changed).items())
    ranks = f"ranking = {call}, {ranking.method!r}{arguments}{more})"
    return f"{imports}\n\n{data}\n{ranks}\nprint(*{best}, sep='\\n')\n"
