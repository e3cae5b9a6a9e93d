"""Rankings as files: tables, documents and charts."""

import csv
import json
import os
from collections.abc import Sequence

from Orange.data import Table
from Orange.data.io import ExcelReader, FileFormat, TabReader
from Orange.data.util import get_unique_names

from ..core import METHODS
from ..core.result import bar_chart
from ..core.words import cell
from ..io import write_fimp
from ..orange.conversion import TableRanking

OWN_ENDINGS = (".fimp", ".json")  # beside those that Orange writes
PLOT_ENDINGS = (".svg",)
REMOVED = "removed after pass"
NO_TEXT_OF_FIMP = str.maketrans("\t\n\r,[]", "   ;()")


def output_endings() -> list[str]:
    """Endings of files of scores."""
    return sorted({*OWN_ENDINGS, *(ending for ending in FileFormat.writers if ending.count(".") == 1)})


def save(ranking: TableRanking, path: str, notes: Sequence[str] = ()) -> None:
    """Write all scores: plain rows from the best on (.csv), CLUS's (.fimp), all that is known (.json), or Orange's.

    No name becomes a formula of a spreadsheet.
    """
    ending = os.path.splitext(path)[1].lower()
    if ending == ".json":
        with open(path, "w", encoding="utf-8") as file:
            file.write(as_json(document(ranking, notes=notes)))
    elif ending == ".csv":
        _save_csv(ranking, path)
    elif ending == ".fimp":
        _save_fimp(ranking, path)
    elif ending == ".xlsx":
        _save_xlsx(ranking.to_table(), path)
    elif ending in (".tab", ".tsv"):
        _save_tab(ranking.to_table(), path)
    else:
        FileFormat.writers[ending].write_file(path, ranking.to_table())


def _save_tab(table: Table, path: str) -> None:
    """Write a table as Orange does, with names in quotes: its reader takes apostrophes for quotes otherwise."""
    with table.unlocked(table.metas):
        table.metas[:] = [[cell(v) if isinstance(v, str) else v for v in row] for row in table.metas]
    with open(path, "w", encoding="utf-8", newline="") as file:
        TabReader.write_headers(csv.writer(file, delimiter="\t").writerow, table)
        TabReader.write_data(csv.writer(file, delimiter="\t", quoting=csv.QUOTE_ALL).writerow, table)
    TabReader.write_table_metadata(path, table)


def _save_csv(ranking: TableRanking, path: str) -> None:
    tested = tests(ranking)
    each = [] if ranking.per_target is None else ranking.per_target.tolist()
    titles = [f"score ({label})" for label in ranking.labels] if each else []
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        removed = ranking.info.get("removed_in")
        writer.writerow(["rank", "feature", "score", *tested, *titles, *([REMOVED] if removed else [])])
        for position, j in enumerate(ranking.ranking.tolist(), start=1):
            scores = [float(ranking.scores[j]), *(values[j] for values in tested.values()), *(row[j] for row in each)]
            last = [removed[j] or ""] if removed else []
            writer.writerow([position, cell(ranking.features[j].name), *scores, *last])


def _save_xlsx(table: Table, path: str) -> None:
    """As Orange does, where texts stay texts, and numbers numbers."""
    import xlsxwriter

    variables = (*table.domain.metas, *table.domain.attributes)
    columns = [["" if value != value else value for value in table.get_column(v)] for v in variables]
    plain = {"strings_to_formulas": False, "strings_to_urls": False, "nan_inf_to_errors": True}
    with xlsxwriter.Workbook(path, plain) as book:
        sheet = book.add_worksheet()
        for place, row in enumerate((ExcelReader.header_names(table), *zip(*columns, strict=True))):
            sheet.write_row(place, 0, row)


def _save_fimp(ranking: TableRanking, path: str) -> None:
    """The format has no way to escape what separates: that becomes something else."""
    title = METHODS[ranking.method].title
    scores = {title: ranking.scores}
    if ranking.per_target is not None:
        for label, row in zip(ranking.labels, ranking.per_target, strict=True):
            name = f"{title} ({label})".translate(NO_TEXT_OF_FIMP).strip()
            scores[get_unique_names([*scores], name)] = row
    names = [feature.name.translate(NO_TEXT_OF_FIMP) or "?" for feature in ranking.features]
    indices = [ranking.table.domain.index(feature) for feature in ranking.features]
    write_fimp(path, names, scores, description=(f"Ranking method: {title}",), indices=indices)


def plot(ranking: TableRanking, path: str, top: int, digest: str) -> None:
    """Write a bar chart of the `top` best features; digest: what was ranked, below its title."""
    best = ranking.ranking[:top]
    names = [ranking.features[j].name for j in best]
    lines = [digest, *([f"the {len(best)} best are shown"] if len(best) < len(ranking.features) else [])]
    with open(path, "w", encoding="utf-8") as file:
        file.write(bar_chart(METHODS[ranking.method].title, lines, names, ranking.scores[best]))


def document(ranking: TableRanking, top: int | None = None, notes: Sequence[str] = ()) -> dict:
    """A ranking as plain literals, cut after the `top` best features.

    notes: on what was decided when the data were read; "input" of "info".
    """
    tested, kinds = tests(ranking), ranking.significance.kind if ranking.significance else None
    passes = ranking.info.get("removed_in") or [0] * len(ranking.features)
    each = None if ranking.per_target is None else ranking.per_target.T.tolist()
    return {
        "data": ranking.table.name,
        "targets": [target.name for target in ranking.targets],
        "method": ranking.method,
        "parameters": ranking.parameters,
        "info": {k: v for k, v in ranking.info.items() if k != "removed_in"} | {"input": list(notes)},
        "features": [
            {"rank": position, "feature": ranking.features[j].name, "score": float(ranking.scores[j])}
            | {name: values[j] for name, values in tested.items()}
            | ({} if kinds is None else {"kind": str(kinds[j])})
            | ({"targets": dict(zip(ranking.labels, each[j], strict=True))} if each else {})
            | ({REMOVED: passes[j]} if passes[j] else {})
            for position, j in enumerate(ranking.ranking[:top], start=1)
        ],
    }


def tests(ranking: TableRanking) -> dict[str, list[float | None]]:
    """z, p and q of all features, None where there is none, if they were asked for, p of tests of each feature alone,
    and own_p where a note names it."""
    found = ranking.significance
    columns = {} if found is None else found.columns
    if found is not None and found.alone is not None:
        columns["alone"] = found.alone
    if found is not None and any("own_p" in note for note in found.notes):
        columns["own_p"] = found.own_p
    return {name: [v if v == v else None for v in values.tolist()] for name, values in columns.items()}


def as_json(document: object) -> str:
    """A document as indented text."""
    return json.dumps(document, indent=2) + "\n"
