"""Rankings of tables in words and as files that Orange or CLUS reads."""

import csv
import os
from collections.abc import Sequence

from Orange.data import Table
from Orange.data.io import ExcelReader, FileFormat, TabReader
from Orange.data.util import get_unique_names
from pandas import isna, unique

from ..core import METHODS
from ..core.files import replacing
from ..core.targets.description import describe_target
from ..core.words import cell
from ..io import write_fimp
from ..orange.conversion import CLASSIFICATION, TableRanking, column_of
from .listing import Listing

OWN_ENDINGS = (".fimp", ".json")  # beside those that Orange writes
PLOT_ENDINGS = (".svg",)
DIGEST = "{table}: {rows} rows, {features} features, {targets}"
NO_TEXT_OF_FIMP = str.maketrans("\t\n\r,[]", "   ;()")


def _targets(ranking: TableRanking) -> str:
    names, task = [target.name for target in ranking.targets], ranking.info["task"]
    return describe_target(names, task, _classes(ranking) if task == CLASSIFICATION else ())


def _classes(ranking: TableRanking) -> list[str]:
    target = ranking.targets[0]
    values = sorted(v for v in unique(column_of(ranking.table, target)) if not isna(v) and v != "")
    return [target.str_val(value) for value in values]


def listing(ranking: TableRanking, notes: Sequence[str] = ()) -> Listing:
    """The ranking of a table, with its data and targets in a line; notes: on how the table was read."""
    table, features = ranking.table, len(ranking.features)
    target = _targets(ranking)
    digest = DIGEST.format(table=table.name, rows=len(table), features=features, targets=target)
    names = [target.name for target in ranking.targets]
    return Listing(ranking, table.name, digest, names, notes, target=target, values=ranking.report_values)


def output_endings() -> list[str]:
    """Endings of files of scores."""
    return sorted({*OWN_ENDINGS, *(ending for ending in FileFormat.writers if ending.count(".") == 1)})


def save(ranking: TableRanking, path: str, notes: Sequence[str] = ()) -> None:
    """Write all scores: plain rows from the best on (.csv), CLUS's (.fimp), all that is known (.json), or Orange's.

    No name becomes a formula of a spreadsheet.
    """
    ending = os.path.splitext(path)[1].lower()
    if ending in (".csv", ".json"):
        listing(ranking, notes).save(path)
    elif ending == ".fimp":
        _save_fimp(ranking, path)
    elif ending == ".xlsx":
        _save_xlsx(ranking.to_table(), path)
    elif ending in (".tab", ".tsv"):
        _save_tab(ranking.to_table(), path)
    else:
        with replacing(path) as new:
            FileFormat.writers[ending].write_file(new, ranking.to_table())


def _save_tab(table: Table, path: str) -> None:
    """Write a table as Orange does, with names in quotes: its reader takes apostrophes for quotes otherwise."""
    with table.unlocked(table.metas):
        table.metas[:] = [[cell(v) if isinstance(v, str) else v for v in row] for row in table.metas]
    with replacing(path) as new, open(new, "w", encoding="utf-8", newline="") as file:
        TabReader.write_headers(csv.writer(file, delimiter="\t").writerow, table)
        TabReader.write_data(csv.writer(file, delimiter="\t", quoting=csv.QUOTE_ALL).writerow, table)
    TabReader.write_table_metadata(path, table)


def _save_xlsx(table: Table, path: str) -> None:
    """As Orange does, where texts stay texts, and numbers numbers."""
    import xlsxwriter

    variables = (*table.domain.metas, *table.domain.attributes)
    columns = [["" if value != value else value for value in table.get_column(v)] for v in variables]
    plain = {"strings_to_formulas": False, "strings_to_urls": False, "nan_inf_to_errors": True}
    with replacing(path) as new, xlsxwriter.Workbook(new, plain) as book:
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
