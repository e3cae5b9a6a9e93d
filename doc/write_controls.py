"""Writes the tables of controls of the widgets' pages: ``python doc/write_controls.py``, after a change of a tooltip.

Names and words are those of the running widgets; controls.json has words for what has no tooltip.
"""

import json
import os
import re
from pathlib import Path

HERE = Path(__file__).parent
BEGIN, END = "<!-- controls: written by write_controls.py -->", "<!-- end of controls -->"
PAGES = {"PCT Ranker": "pctranker", "Ranking Comparison": "rankingcomparison"}
HEAD = """## Every control

<details>
<summary>All controls with their tooltips. Screen readers read the same names.</summary>"""


def page_of(widget: str) -> Path:
    """The page of a widget."""
    name = PAGES.get(widget, widget.lower().replace(" ", "-"))
    return HERE / "widgets" / f"{name}.md"


def page_text(page: str, controls: dict[str, str]) -> str:
    """The page with its table, between its marks or at its end."""
    words = json.loads((HERE / "widgets" / "controls.json").read_text(encoding="utf-8"))
    rows = [f"| *{plain(name)}* | {plain(tip or words[name])} |" for name, tip in controls.items()]
    table = "\n".join(["| control | what it does |", "| --- | --- |", *rows])
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before.rstrip()}\n\n{BEGIN}\n\n{HEAD}\n\n{table}\n\n</details>\n\n{END}{after.rstrip()}\n"


def plain(text: str) -> str:
    """Text that Markdown leaves as it is, in a cell."""
    return re.sub(r"([*|<])", r"\\\1", text)


def main() -> None:
    """All pages."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from orangecontrib.reliefe.widgets.tests.described import described

    for widget, controls in described().items():
        path = page_of(widget)
        text = page_text(path.read_text(encoding="utf-8"), controls)
        path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
