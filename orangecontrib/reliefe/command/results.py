"""Rankings of tables as listings, and as files that Orange or CLUS reads.

`cli` calls `listing` and `save` for the ranking of a table; widgets call `save` for the path that the user chose.
"""

import csv
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from Orange.data import Table
from Orange.data.io import ExcelReader, FileFormat, TabReader
from Orange.data.util import get_unique_names
from pandas import isna, unique

from ..core import METHODS
from ..core.files import replacing
from ..core.report.page import N_VALUES, ReportValues
from ..core.targets.description import describe_target
from ..core.words import cell
from ..io import write_fimp
from ..orange.conversion import CLASSIFICATION, column_of
from ..orange.problem import problem
from ..orange.ranking import TableRanking
from .listing import Listing

OWN_ENDINGS = (".fimp", ".json")  # besides those that Orange writes
PLOT_ENDINGS = (".svg",)
NO_GROUPS = ".fimp files have a score for each single feature: write another file, or leave out feature_groups"
DIGEST = "{table}: {rows} rows, {features} features, {targets}"
NO_TEXT_OF_FIMP = str.maketrans("\t\n\r,[]", "   ;()")


def _targets(ranking: TableRanking) -> str:
    """Targets and their kind in words."""
    names = [target.name for target in ranking.targets]
    task = ranking.info["task"]
    return describe_target(names, task, _classes(ranking) if task == CLASSIFICATION else ())


def _classes(ranking: TableRanking) -> list[str]:
    """Names of the classes that occur."""
    target = ranking.targets[0]
    occurring = sorted(value for value in unique(column_of(ranking.table, target)) if not isna(value) and value != "")
    return [target.str_val(value) for value in occurring]


def with_metas(table: Table, names: Sequence[str]) -> Table:
    """The table with some columns as metas, so that they are no features."""
    return problem(table, not_ranked=names).table


def listing(
    ranking: TableRanking, notes: Sequence[str] = (), facts: Mapping[str, Sequence[Any]] | None = None, **study: Any
) -> Listing:
    """Make a listing of the ranking of a table.

    Parameters
    ----------
    ranking : TableRanking
        The ranking.
    notes : sequence of str
        Sentences on how the table was read.
    facts : mapping of str to sequence (p,), optional
        Facts on the features by title.
    **study
        Covariates and groups of the ranking, for the reasons in a report.

    Returns
    -------
    Listing
        The listing.
    """

    def values() -> ReportValues:
        return ranking.report_values(ranking.explain_best(N_VALUES, **study))

    table = ranking.table
    target = _targets(ranking)
    digest = DIGEST.format(table=table.name, rows=len(table), features=len(ranking.features), targets=target)
    names = [variable.name for variable in ranking.targets]
    features = [variable.name for variable in ranking.features]
    return Listing(
        ranking, table.name, digest, names, notes, facts or {}, target=target, values=values, features=features
    )


def output_endings() -> list[str]:
    """Return the endings of files of scores."""
    return sorted({*OWN_ENDINGS, *(ending for ending in FileFormat.writers if ending.count(".") == 1)})


def save(
    ranking: TableRanking, path: str, notes: Sequence[str] = (), facts: Mapping[str, Sequence[Any]] | None = None
) -> None:
    """Write all scores. No name becomes a formula of a spreadsheet.

    Parameters
    ----------
    ranking : TableRanking
        The ranking.
    path : str
        Path of the file. Its ending is .csv for rows from the best on, .json for a document with all facts, .fimp for
        CLUS, or one of a format of Orange.
    notes : sequence of str
        Sentences on how the table was read, for a document.
    facts : mapping of str to sequence (p,), optional
        Numbers on the features by title, for all files but those of CLUS.
    """
    ending = os.path.splitext(path)[1].lower()
    if ending in (".csv", ".json"):
        listing(ranking, notes, facts).save(path)
    elif ending == ".fimp":
        _save_fimp(ranking, path)
    elif ending == ".xlsx":
        _save_xlsx(ranking.to_table(facts), path)
    elif ending in (".tab", ".tsv"):
        _save_tab(ranking.to_table(facts), path)
    else:
        with replacing(path) as new_path:
            FileFormat.writers[ending].write_file(new_path, ranking.to_table(facts))


def _save_tab(table: Table, path: str) -> None:
    """Write a table as Orange does, but with names in quotes: its reader takes apostrophes for quotes otherwise."""
    with table.unlocked(table.metas):
        table.metas[:] = [[cell(value) if isinstance(value, str) else value for value in row] for row in table.metas]
    with replacing(path) as new_path, open(new_path, "w", encoding="utf-8", newline="") as file:
        TabReader.write_headers(csv.writer(file, delimiter="\t").writerow, table)
        TabReader.write_data(csv.writer(file, delimiter="\t", quoting=csv.QUOTE_ALL).writerow, table)
    TabReader.write_table_metadata(path, table)


def _save_xlsx(table: Table, path: str) -> None:
    """Write a table as Orange does, but so that texts stay texts, and numbers stay numbers."""
    import xlsxwriter
    from xlsxwriter.exceptions import FileCreateError

    variables = (*table.domain.metas, *table.domain.attributes)
    columns = [["" if isna(value) else value for value in table.get_column(variable)] for variable in variables]
    options = {"strings_to_formulas": False, "strings_to_urls": False, "nan_inf_to_errors": True}
    rows = [ExcelReader.header_names(table), *zip(*columns, strict=True)]
    with replacing(path) as new_path:
        book = xlsxwriter.Workbook(new_path, options)
        sheet = book.add_worksheet()
        for k, row in enumerate(rows):
            sheet.write_row(k, 0, row)
        try:
            book.close()
        except FileCreateError as error:  # has the error of the system, for example of a full disk
            raise OSError(*error.args[0].args) from error


def _save_fimp(ranking: TableRanking, path: str) -> None:
    """Write a file of CLUS, whose separators cannot be escaped: in names, they are replaced."""
    title = METHODS[ranking.method].title
    scores: dict[str, Sequence[float] | np.ndarray] = {title: ranking.scores}
    if ranking.per_target is not None:
        for label, row in zip(ranking.labels, ranking.per_target, strict=True):
            name = f"{title} ({label})".translate(NO_TEXT_OF_FIMP).strip()
            scores[get_unique_names([*scores], name)] = row
    if ranking.ranks_groups:
        raise ValueError(NO_GROUPS)
    names = [feature.name.translate(NO_TEXT_OF_FIMP) or "?" for feature in ranking.features]
    indices = [ranking.table.domain.index(feature) for feature in ranking.features]
    write_fimp(path, names, scores, description=(f"Ranking method: {title}",), indices=indices)
