"""Writes the sections of algorithms.md on methods: ``python doc/write_methods.py``, after a change of their texts."""

import re
import textwrap
from pathlib import Path

from orangecontrib.reliefe.core import methods
from orangecontrib.reliefe.core.methods.base import COLUMNS, LETTERS, capabilities

PAGE = Path(__file__).parent / "algorithms.md"
BEGIN, END = "<!-- methods: written by write_methods.py -->", "<!-- end of methods -->"
LEGEND = """Targets: {}.
*nominal* and *missing* say how nominal features and unknown values are taken, and which strategies there are; *diff*
and *distance*, which differences of values and distances of rows can be chosen; *sparse*, whether sparse features stay
sparse (trees take them for a known target only); *interactions*, whether features are found that tell something only
together; *redundancy*, whether a feature scores less for what others tell already. A wrapper can what its core can.
Time: n rows, p features, k neighbours, C classes, d coordinates, I iterations, s steps, S subsets of a features, T
trees that try f features for t targets."""
WIDTH = 120


def plain(text: str) -> str:
    """`text` without what Markdown would read as emphasis or a tag."""
    return re.sub(r"([*<])", r"\\\1", text)


def method_text(method) -> str:
    """The section on a method."""
    *most, last = method.tasks
    tasks = ", ".join(most) + " and " * bool(most) + last
    about = textwrap.fill(plain(f"{method.idea}. Ranks for {tasks}."), WIDTH)
    source = textwrap.fill(plain(f"Source: {method.citation}."), WIDTH) + f"\\\nTime: `{method.complexity}`."
    parameters = "\n".join(map(parameter_text, method.parameters))
    return "\n\n".join([f"## {plain(method.title)} (`{method.name}`)", about, source, parameters])


def parameter_text(parameter) -> str:
    """An item of a list: name and default, and its tooltip on a line of its own."""
    wrapped = textwrap.fill(plain(f"{parameter.tooltip}."), WIDTH, initial_indent="  ", subsequent_indent="  ")
    return f"- `{parameter.name}` = {plain(repr(parameter.default))}\\\n{wrapped}"


def table_text() -> str:
    """The table of capabilities."""
    legend = textwrap.fill(LEGEND.format(", ".join(f"{letter} {task}" for task, letter in LETTERS.items())), WIDTH)
    rows = [list(COLUMNS), ["---"] * len(COLUMNS), *(row(method) for method in methods())]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
    return f"## Capabilities\n\n{legend}\n\n{table}"


def row(method) -> list[str]:
    """Cells of a method."""
    cells = {name: plain(text) for name, text in capabilities(method).items()}
    return [*[*cells.values()][:-1], f"`{method.complexity}`"]


def page_text(page: str) -> str:
    """The text of the page with the sections on all methods between its marks."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return "\n\n".join([before + BEGIN, table_text(), *map(method_text, methods()), END + after])


if __name__ == "__main__":
    PAGE.write_text(page_text(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
