"""The add-on's widgets: the category that Orange's toolbox shows."""

from pathlib import Path

from .. import io  # noqa: F401 (the canvas then opens ARFF; it does not import the widgets at its start)

NAME = "ReliefE"
DESCRIPTION = "Rank features by the Relief family"
ICON = "icons/category.svg"
BACKGROUND = "#a8d5c8"
PRIORITY = 90

ONLINE = "https://pypi.org/project/Orange3-ReliefE/"


def help_places(package: Path) -> tuple[tuple[str, None], ...]:
    """Indices of the widgets' pages, as Orange asks for them: it takes the first that exists.

    The package's own pages come first (packaging/pages.py); braces are doubled, since Orange fills in the texts.
    """
    pages = str(package / "_help" / "widgets" / "index.html").replace("{", "{{").replace("}", "}}")
    return (pages, None), (ONLINE, None)


WIDGET_HELP_PATH = help_places(Path(__file__).resolve().parents[1])
