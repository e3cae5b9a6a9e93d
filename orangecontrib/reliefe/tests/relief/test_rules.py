"""Rules of the room that a machine can check."""

import ast
from pathlib import Path

from orangecontrib.reliefe.core.relief.formats import dense as distances
from orangecontrib.reliefe.core.relief.formats.distance import Distance
from orangecontrib.reliefe.core.relief.neighbourhoods.base import Neighbourhood
from orangecontrib.reliefe.core.relief.updates.base import Update
from orangecontrib.reliefe.core.targets import reader  # noqa: F401  so that all kinds of targets are known
from orangecontrib.reliefe.core.targets.targets import Target

CORE = Path(distances.__file__).parents[1]
ROOMS = "forms", "neighbourhoods", "outputs", "relief"
FILES = sorted(path for room in ROOMS for path in (CORE / room).glob("*.py"))
CALLERS = sorted(path for room in ("relief", "learned", "methods") for path in (CORE / room).glob("*.py"))
MOST_PARAMETERS = 9  # of a kernel


def names(part):
    """Names of a class and of all that are derived from it."""
    return {part.__name__}.union(*map(names, part.__subclasses__()))


def test_parts_are_told_apart_by_what_they_declare():
    parts, wrong = names(Neighbourhood) | names(Update) | names(Distance) | names(Target), []
    for path in CALLERS:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        own = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
                asked = {name.id for name in ast.walk(node.args[1]) if isinstance(name, ast.Name)}
                if asked & (parts - own):
                    wrong.append(f"{path.parent.name}/{path.name}:{node.lineno}")
    assert not wrong


def test_kernels_have_few_parameters():
    functions = [(path, node) for path in FILES for node in ast.parse(path.read_text(encoding="utf-8")).body
                 if isinstance(node, ast.FunctionDef) and node.decorator_list]  # fmt: skip
    assert functions
    assert not [(path.name, node.name) for path, node in functions if len(node.args.args) > MOST_PARAMETERS]


def test_neighbourhoods_know_neither_runs_nor_updates():
    for path in (CORE / "neighbourhoods").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        rooms = {node.module.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not {"relief", "updates", "outputs"} & rooms, path.name
