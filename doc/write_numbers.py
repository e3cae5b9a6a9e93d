"""The writer of numbers of methods, widgets and workflows in sentences of pages; doc/write.py calls it."""

import re
from pathlib import Path

from orangecontrib.reliefe.core import METHODS

HERE = Path(__file__).parent
PACKAGE = HERE.parent / "orangecontrib" / "reliefe"
PAGES = (HERE / "index.md",)


def numbers() -> dict[str, int]:
    """Return the number of each thing, by the words that follow it on a page."""
    return {
        "methods": len(METHODS),
        "widgets": len([*PACKAGE.glob("widgets/ow*.py")]),
        "example workflows": len([*PACKAGE.glob("tutorials/*.ows")]),
    }


def page_text(page: str) -> str:
    """Return a page with these numbers; raise ValueError if it does not name one of the things with a number."""
    for things, number in numbers().items():
        page, n_replaced = re.subn(rf"\b\d+ {things}\b", f"{number} {things}", page)
        if not n_replaced:
            raise ValueError(f"the page does not say how many {things} there are")
    return page


def texts() -> dict[Path, str]:
    """Return the pages with these numbers, with their texts."""
    return {page: page_text(page.read_text(encoding="utf-8")) for page in PAGES}
