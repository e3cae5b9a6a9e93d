"""Looks at a built site: ``python doc/check_site.py FOLDER``.

Every link of a page leads to a file and to a place in it, every picture is there, and every public name of the package
has an entry in the reference.
"""

import re
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sphinx.util.inventory import InventoryFile

MODULES = ("", ".core", ".core.estimators", ".core.estimators.skrebate", ".core.evaluation", ".genetics", ".io")


class Page(HTMLParser):
    """Places in a page, and where its links and pictures lead."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.places, self.targets = {"", "top"}, set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Takes down what an element is called, and where it leads."""
        found = {name: value for name, value in attributes if value is not None}
        self.places |= {found[name] for name in ("id", "name") if name in found}
        self.targets |= {found[name] for name in ("href", "src") if name in found and tag in ("a", "img")}


@cache
def page(path: Path) -> Page:
    """A page, read once."""
    return Page(path)


def dead_links(folder: Path) -> list[str]:
    """Links within the site that lead nowhere."""
    dead = []
    for path in sorted(folder.rglob("*.html")):
        for target in sorted(page(path).targets):
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            other = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            other = other / "index.html" if other.is_dir() else other
            place = unquote(parts.fragment)
            if not other.exists() or (place and other.suffix == ".html" and place not in page(other).places):
                dead.append(f"{path.relative_to(folder)}: {target}")
    return dead


def missing_names(folder: Path) -> list[str]:
    """Public names without an entry; a name counts wherever it is documented."""
    import importlib

    sys.path.insert(0, str(Path(__file__).parents[1]))
    inventory = InventoryFile.loads((folder / "objects.inv").read_bytes(), uri="")
    entries = [name for kind, group in inventory.data.items() if kind.startswith("py:") for name in group]
    known = {re.sub(r".*\.", "", name) for name in entries if name.startswith("orangecontrib.reliefe")}
    modules = [importlib.import_module(f"orangecontrib.reliefe{name}") for name in MODULES]
    return [f"{module.__name__}.{name}" for module in modules for name in module.__all__ if name not in known]


def main() -> None:
    """Tells what is wrong, and ends with 1 if anything is."""
    folder = Path(sys.argv[1]).resolve()
    pages = list(folder.rglob("*.html"))
    wrong = [f"dead link: {each}" for each in dead_links(folder)] + [
        f"undocumented: {n}" for n in missing_names(folder)
    ]
    sys.stdout.write("\n".join([*wrong, f"{len(pages)} pages, {len(wrong)} faults"]) + "\n")
    sys.exit(bool(wrong) or not pages)


if __name__ == "__main__":
    main()
