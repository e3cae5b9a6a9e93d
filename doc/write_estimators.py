"""The writer of the types, and of a page, of the rankers by one method; doc/write.py calls it.

Editors and type checkers read the types (core/estimators/__init__.pyi), since the classes are made while Python runs.
The types are checked in: where a wheel is built, the package cannot be imported, since its requirements are missing.
"""

from pathlib import Path

from orangecontrib.reliefe.core import estimators, methods
from orangecontrib.reliefe.core.estimators.named import ARGUMENTS, SETTINGS, MethodRanker, WeightedMethodRanker
from orangecontrib.reliefe.core.methods.base import FAMILIES
from orangecontrib.reliefe.core.words import class_name

DOC = Path(__file__).parent
STUB = DOC.parent.joinpath(*estimators.__name__.split("."), "__init__.pyi")
PAGE = DOC / "api" / "rankers.md"
HEAD = '''"""The methods behind scikit-learn's interface; written by python -m doc.write."""

from typing import Literal

from .forests import ForestClassifier as ForestClassifier
from .forests import ForestRegressor as ForestRegressor
from .named import MethodRanker, WeightedMethodRanker
from .named import expected_failed_checks as expected_failed_checks
from .rankers import ForestRanker as ForestRanker
from .rankers import ReliefRanker as ReliefRanker
'''
SETTING_TYPES = {
    "n_features_to_select": "int | float | str | None",
    "alpha": "float",
    "keep": "object",
    "feature_groups": "object",
    "nominal": "object",
    "task": "str | None",
    "random_state": "object",
    "n_jobs": "int | None",
}
TITLES = {
    "relief": "Relief family",
    "learned": "Boosting and learned space",
    "trees": "Trees",
    "reweighting": "Re-weighting",
    "wrapper": "Wrappers",
    "filter": "Filters",
}
INTRODUCTION = """# Rankers by one method

Each method has a class in `orangecontrib.reliefe.core.estimators`. Its arguments are the
[parameters of the method](../algorithms.md) and those of [`ReliefRanker`](sklearn.md) except `method` and `parameters`.
It has the methods and attributes of `ReliefRanker`, too.

A parameter that would hide an attribute has another name here: {}."""


def stub_text() -> str:
    """The types of all classes."""
    settings = [f"        {name}: {SETTING_TYPES[name]} = {value!r}," for name, value in SETTINGS.items()]
    names = "".join(f"    {name!r},\n" for name in estimators.__all__)
    parts = [HEAD, f"__all__ = [\n{names}]\n"]
    for method in methods():
        base = WeightedMethodRanker if method.weighted_tasks else MethodRanker
        lines = [
            f"class {class_name(method.title)}({base.__name__}):",
            "    def __init__(",
            "        self,",
            "        *,",
        ]
        for parameter in method.parameters:
            name = ARGUMENTS.get(parameter.name, parameter.name)
            lines.append(f"        {name}: {parameter.annotation} = {parameter.default!r},")
        parts.append("\n".join([*lines, *settings, "    ) -> None: ...", ""]))
    return "\n".join(parts)


def page_text() -> str:
    """The page of the reference with all classes, by family."""
    others = ", ".join(f"`{argument}` for `{parameter}`" for parameter, argument in ARGUMENTS.items())
    parts = [INTRODUCTION.format(others)]
    for family in FAMILIES:
        members = [class_name(method.title) for method in methods() if method.family == family]
        rows = "\n".join(f"   ~{estimators.__name__}.{name}" for name in members)
        table = f".. autosummary::\n   :toctree: generated\n   :nosignatures:\n\n{rows}"
        parts.append(f"## {TITLES[family]}\n\n```{{eval-rst}}\n{table}\n```")
    return "\n\n".join(parts) + "\n"


def texts() -> dict[Path, str]:
    """Return the files that this writer writes, with their texts."""
    return {STUB: stub_text(), PAGE: page_text()}
