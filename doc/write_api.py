"""The writer of lists of public names on the pages of doc/api; doc/write.py calls it.

Sphinx makes a page for each of these names (autosummary, with the templates in doc/_templates). `rank` comes first,
then functions, then classes, each in the order of the alphabet.
"""

import inspect
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import orangecontrib.reliefe
from orangecontrib.reliefe import core, genetics, io
from orangecontrib.reliefe.core import embedding, estimators, evaluation, methods
from orangecontrib.reliefe.core.estimators import skrebate
from orangecontrib.reliefe.core.words import class_name
from orangecontrib.reliefe.orange import models, scorers

HERE = Path(__file__).parent / "api"
BEGIN, END = "<!-- names of {}: written by write_api.py -->", "<!-- end of names -->"
FIRST = "rank"
DATA = {"METHODS", "TASKS", "AGGREGATIONS", "AGREEMENTS", "MEASURES"}  # the pages themselves explain these
OF_METHODS = {class_name(method.title) for method in methods()}
BASES = {"scorer", "ReliefScorer"}  # of scorers, on their page


def names_of(module: ModuleType) -> list[str]:
    """Return the public names of a module that its page lists, `rank` first, then functions and classes."""
    names = getattr(module, "__all__", None) or ["PCTLearner", "PCTModel"]
    if module is orangecontrib.reliefe:
        shared = {name for other in (core, genetics, io) for name in other.__all__ if _is_same(module, other, name)}
        names = [name for name in names if name not in OF_METHODS | BASES | shared]
    elif module is estimators:
        names = [name for name in names if name not in OF_METHODS]  # write_estimators.py lists the rest
    listed = [name for name in names if name not in DATA]
    return sorted(listed, key=lambda name: (name != FIRST, inspect.isclass(getattr(module, name)), name.lower()))


def _is_same(module: ModuleType, other: ModuleType, name: str) -> bool:
    """True if two modules export the same thing by a name."""
    return getattr(module, name, None) is getattr(other, name)


def listed_text(module: ModuleType, names: Sequence[str]) -> str:
    """Return a table of names of a module with their first lines, each of which leads to a page."""
    rows = "\n".join(f"   ~{module.__name__}.{name}" for name in names)
    return f"```{{eval-rst}}\n.. autosummary::\n   :toctree: generated\n   :nosignatures:\n\n{rows}\n```"


PAGES = {
    "tables": [orangecontrib.reliefe],
    "scorers": [scorers, models],
    "arrays": [core],
    "sklearn": [estimators, skrebate],
    "evaluation": [evaluation],
    "embedding": [embedding],
    "genotypes": [genetics],
    "files": [io],
}


def page_text(page: str, modules: Sequence[ModuleType]) -> str:
    """Return a page with the names of its modules between their marks."""
    for module in modules:
        before, begin, rest = page.partition(BEGIN.format(module.__name__))
        if not begin:
            raise ValueError(f"the page has no place for the names: {BEGIN.format(module.__name__)}")
        page = f"{before}{begin}\n\n{listed_text(module, names_of(module))}\n\n{END}{rest.partition(END)[2]}"
    return page


def texts() -> dict[Path, str]:
    """Return the pages with these lists, with their texts."""
    paths = {HERE / f"{name}.md": modules for name, modules in PAGES.items()}
    return {path: page_text(path.read_text(encoding="utf-8"), modules) for path, modules in paths.items()}
