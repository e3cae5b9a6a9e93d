"""The table of the best features in a notebook: the table of a report, without its script.

`Ranking._repr_html_` calls `notebook_table`.
"""

from collections.abc import Sequence

from ..words import counted
from .feature_table import TableColumn, column_notes
from .rendering import TEMPLATES, largest_score, render


def notebook_table(
    title: str,
    table: Sequence[TableColumn],
    discovered: Sequence[bool],
    n_others: int,
    noun: str,
    notes: Sequence[str],
) -> str:
    """Write a table for the output of a cell.

    It takes the colours of its notebook, light or dark.

    Parameters
    ----------
    title : str
        Line above the table.
    table : sequence of TableColumn
        Columns of the features that are shown.
    discovered : sequence of bool
        Which of these features are discovered, and get a mark; empty without p-values.
    n_others : int
        Number of further features.
    noun : str
        Word for what is ranked: feature or group.
    notes : sequence of str
        Sentences below the title.

    Returns
    -------
    str
        The HTML.
    """
    return render(
        "notebook.html",
        css=(TEMPLATES / "table.css").read_text(encoding="utf-8"),
        title=title,
        table=table,
        discovered=discovered,
        column_notes=column_notes(table),
        largest=largest_score(table),
        others=f"{counted(n_others, f'further {noun}')}" if n_others else "",
        notes=notes,
    )
