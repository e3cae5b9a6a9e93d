"""Advice on tables that are not as the command line needs them: what they look like, and the option that helps.

Called by `target_column`, before a table is ranked.
"""

from collections.abc import Collection

from ..core.data.transposed import sentence_on_rows
from ..core.words import sentence, shown
from ..orange.table_checks import rows_like_features
from ..tabular.workbooks import on_other_sheets
from .loading import Source
from .named_columns import no_features

SEPARATED = "Cells must be separated by commas, semicolons, tabs, vertical bars or blanks"


def transposing(source: Source) -> str:
    """Return advice for a table whose rows look like features and its columns like samples; else nothing."""
    rows = rows_like_features(source.table, source.row_names)
    corner = first_name(source)
    metas = source.table.domain.metas
    if not rows or (metas and corner not in ("", metas[0].name)):
        return ""
    return f". {sentence(sentence_on_rows(rows))}: add --transpose"


def first_name(source: Source) -> str | None:
    """Return the name of the first column, None of a table without names."""
    return "".join(source.header[0][:1]).strip() if source.header else None


def check_columns(source: Source, targets: Collection[str], study_columns: Collection[str]) -> None:
    """Raise ValueError for a text table without a feature: a single column, or texts only.

    study_columns: columns that are used otherwise, as covariates and groups.
    """
    if source.header is None:
        return
    domain = source.table.domain
    variables = [*domain.variables, *domain.metas]
    if len(variables) == 1:
        raise ValueError(
            f"{source.table.name} has only one column, {shown(variables[0].name)}. "
            + (on_other_sheets(source.notes).removeprefix(". ") or SEPARATED)
        )
    features = [v for v in domain.attributes if v.name not in (*targets, *study_columns)]
    texts = [v.name for v in domain.metas if v.is_string and v.name not in (*targets, *study_columns)]
    if not features and texts:
        raise ValueError(no_features(source.table.name, texts, source.doubts) + on_other_sheets(source.notes))
