"""Texts and files from the templates of this folder, which jinja2 fills: web pages, and the table in a notebook.

`core/report` renders whole pages by `render_page`, notebook.py a table. Text of users is escaped, so that markup in a
name stays text. jinja2 is imported when a page is rendered.
"""

import os
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..files import replacing
from .feature_table import FEATURE, SCORE, TableColumn, column_notes

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"
ENDINGS = (".html", ".htm")
N_STATIC = 50  # rows of the table that need no script, for print and for readers without one


def check_ending(path: str | os.PathLike[str]) -> None:
    """Raise ValueError for a file that no browser would take for a web page."""
    ending = os.path.splitext(os.fspath(path))[1].lower()
    if ending not in ENDINGS:
        raise ValueError(f"a report is a web page: name a file that ends in .html, not {os.fspath(path)!r}")


def largest_score(table: Sequence[TableColumn]) -> float:
    """Largest absolute score of a table, whose bar fills its cell; 1 if all scores are 0."""
    scores = [abs(value) for column in table if column.kind == SCORE for value in column.values]
    return max(scores, default=0.0) or 1.0


def render_page(
    template: str,
    title: str,
    facts: Mapping[str, str],
    table: Sequence[TableColumn],
    noun: str = FEATURE,
    discovered: Sequence[bool] = (),
    **content: Any,
) -> str:
    """Write a page with a table of features.

    Parameters
    ----------
    template : str
        Name of a file in the folder of the templates, which extends base.html.
    title : str
        Title of the page.
    facts : mapping of str to str
        Lines at the top, by their titles.
    table : sequence of TableColumn
        Columns of the table of features, in the order of their first rows.
    noun : str
        Title of the column of names: feature or group.
    discovered : sequence of bool
        Which rows of the table are discoveries, and get a mark; empty without p-values.
    **content
        Variables of the template.

    Returns
    -------
    str
        The page.
    """
    return render(
        template,
        css=_asset("table.css") + _asset("report.css"),
        js=_asset("report.js"),
        title=title,
        facts=facts,
        table=table,
        n_static=N_STATIC,
        n_features=len(table[0].values),
        largest=largest_score(table),
        data={
            "columns": [column._asdict() for column in table],
            "largest": largest_score(table),
            "noun": noun,
            "discovered": [*discovered],
        },
        discovered=discovered,
        column_notes=column_notes(table),
        noun=noun,
        day=date.today().isoformat(),
        **content,
    )


def render(template: str, **content: Any) -> str:
    """Fill a template of this folder with the variables that it has."""
    return _environment().get_template(template).render(**content)


def write_text(text: str, path: str | os.PathLike[str]) -> None:
    """Write a page or picture, replacing an existing file; raises OSError of the writing.

    A file whose name is not in UTF-8 has bytes in its title that no text has; these become question marks.
    """
    with replacing(path) as new_path:
        Path(new_path).write_text(text, encoding="utf-8", errors="replace")


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True)


@cache
def _asset(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")
