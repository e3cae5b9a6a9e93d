"""The writer of the tables of controls on the pages of widgets; doc/write.py calls it.

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


def texts() -> dict[Path, str]:
    """Return the pages of all widgets, with their texts."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from orangecontrib.reliefe.widgets.tests.described import described

    pages = {page_of(widget): controls for widget, controls in described().items()}
    return {page: page_text(page.read_text(encoding="utf-8"), controls) for page, controls in pages.items()}
