"""Sphinx: ``sphinx-build -b html doc doc/_build/html``; needs the extra "doc"."""

from pathlib import Path

from orangecontrib.reliefe import __version__
from orangecontrib.reliefe.core import methods

project = "Orange3-ReliefE"
author = "The orangecontrib.reliefe developers"
copyright = author
release = version = __version__
extensions = ["myst_parser"]
exclude_patterns = ["_build", "_generated"]
html_theme = "furo"
html_title = f"ReliefE {release}"


def method_text(method) -> str:
    """A section of algorithms.md."""
    parameters = [f"`{p.name}` = {p.default!r}\n: {p.tooltip}." for p in method.parameters]
    *most, last = method.tasks
    about = f"{method.idea}. Ranks for {', '.join(most) + ' and ' * bool(most)}{last}.\n\nSource: {method.citation}."
    return "\n\n".join([f"## {method.title} (`{method.name}`)", about, *parameters])


def write_methods(_app) -> None:
    """The table of methods as text: the documentation says what the program says."""
    folder = Path(__file__).parent / "_generated"
    folder.mkdir(exist_ok=True)
    (folder / "methods.md").write_text("\n\n".join(map(method_text, methods())) + "\n", encoding="utf-8")


def setup(app) -> None:
    """Called by Sphinx."""
    app.connect("builder-inited", write_methods)


myst_enable_extensions = ["deflist", "dollarmath"]
