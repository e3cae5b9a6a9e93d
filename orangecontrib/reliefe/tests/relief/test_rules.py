"""Rules of the room that a machine can check."""

import ast
from pathlib import Path

import pytest

CORE = Path(__file__).parents[2] / "core"
RELIEF = CORE / "relief"
FILES = sorted(RELIEF.rglob("*.py"))
CALLERS = sorted(path for room in (RELIEF, CORE / "learned", CORE / "methods") for path in room.glob("*.py"))
BASES = {"Neighbourhood", "Update", "Distance", "Target"}  # of parts that recipes join
MAX_PARAMETERS = 11  # of a kernel
MAX_ASKED = 3  # questions for the class of a part in core/methods: lower it, and never raise it


def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def parts():
    """Names of the bases, and of all classes that are derived from them."""
    bases = {
        node.name: {ast.unparse(base).split("[")[0] for base in node.bases}
        for path in CORE.rglob("*.py")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef)
    }
    found = set(BASES)
    while more := {name for name, others in bases.items() if others & found} - found:
        found |= more
    return found


def test_parts_are_told_apart_by_what_they_declare():
    known, wrong = parts(), []
    assert len(known) > 25
    for path in CALLERS:
        tree = tree_of(path)
        own = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
                asked = {name.id for name in ast.walk(node.args[1]) if isinstance(name, ast.Name)}
                if asked & (known - own):
                    wrong.append(f"{path.parent.name}/{path.name}:{node.lineno}")
    assert len(wrong) <= MAX_ASKED, wrong
    assert all(place.startswith("methods/") for place in wrong), wrong


def test_kernels_have_few_parameters():
    functions = [(path, node) for path in FILES for node in tree_of(path).body
                 if isinstance(node, ast.FunctionDef) and node.decorator_list]  # fmt: skip
    assert len(functions) > 50
    assert not [(path.name, node.name) for path, node in functions if len(node.args.args) > MAX_PARAMETERS]


@pytest.mark.parametrize("room", ["neighbourhoods", "formats"])
def test_neighbourhoods_and_formats_know_neither_runs_nor_updates(room):
    files = sorted((RELIEF / room).glob("*.py"))
    assert len(files) > 5
    for path in files:
        modules = {node.module or "" for node in ast.walk(tree_of(path)) if isinstance(node, ast.ImportFrom)}
        assert not {"run", "updates", "outputs"} & {name.split(".")[0] for name in modules}, path.name
