"""The add-on's widgets: the category that Orange's toolbox shows."""

from pathlib import Path

from .. import io  # noqa: F401 (the canvas then opens ARFF; it does not import the widgets at its start)

NAME = "Feature Ranking"
DESCRIPTION = "Rank features by the Relief family"
ICON = "icons/category.svg"
BACKGROUND = "#a8d5c8"
PRIORITY = 90


def help_places(package: Path) -> tuple[tuple[str, None], ...]:
    """The index of the widgets' pages (packaging/pages.py), with doubled braces, since Orange fills in texts."""
    pages = str(package / "_help" / "widgets" / "index.html").replace("{", "{{").replace("}", "}}")
    return ((pages, None),)


WIDGET_HELP_PATH = help_places(Path(__file__).resolve().parents[1])
