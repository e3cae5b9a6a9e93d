"""Pages from the templates of this folder: style, script, the table of features and facts, which all pages have.

page.py renders the report of a ranking, comparison.py that of several rankings. jinja2 fills the templates.
"""

import os
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from ..files import replacing
from .wording import versions

TEMPLATES = Path(__file__).parent / "templates"
ENDINGS = (".html", ".htm")
N_STATIC = 50  # rows of the table that need no script, for print and for readers without one

TableColumn = dict[str, Any]  # title, kind, values and hint as plain literals, for JSON


def check_ending(path: str | os.PathLike[str]) -> None:
    """Raise ValueError for a file that no browser would take for a web page."""
    ending = os.path.splitext(os.fspath(path))[1].lower()
    if ending not in ENDINGS:
        raise ValueError(f"a report is a web page: name a file that ends in .html, not {os.fspath(path)!r}")


def table_column(title: str, kind: str, values: list[Any], hint: str) -> TableColumn:
    """Make a column of the table of features.

    Parameters
    ----------
    title : str
        Title. The column of names has the title "feature".
    kind : str
        "text", "number" or "score", which has bars.
    values : list
        Plain literals, None where there is no value.
    hint : str
        Tooltip.
    """
    return {"title": title, "kind": kind, "values": values, "hint": hint}


def rounded(values: np.ndarray, digits: int) -> list[float]:
    """Round numbers to some significant digits."""
    return [float(f"{value:.{digits}g}") for value in values.tolist()]


def render(template: str, title: str, facts: Mapping[str, str], table: Sequence[TableColumn], **content: Any) -> str:
    """Fill a template.

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
    **content
        Variables of the template.

    Returns
    -------
    str
        The page.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    n_features = len(table[0]["values"])
    scores = [abs(value) for column in table if column["kind"] == "score" for value in column["values"]]
    return environment.get_template(template).render(
        css=_asset("report.css"),
        js=_asset("report.js"),
        title=title,
        facts=facts,
        table=table,
        static_rows=[[column["values"][row] for column in table] for row in range(min(n_features, N_STATIC))],
        n_features=n_features,
        largest=max(scores, default=0.0) or 1.0,
        versions=versions(),
        day=date.today().isoformat(),
        **content,
    )


def write_text(text: str, path: str | os.PathLike[str]) -> None:
    """Write a page, replacing an existing file; raises OSError of the writing."""
    with replacing(path) as new:
        Path(new).write_text(text, encoding="utf-8")


def _asset(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")
