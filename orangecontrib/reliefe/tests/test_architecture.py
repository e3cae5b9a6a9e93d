"""Rules of the house that a machine can check."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = "orangecontrib.reliefe"
FILES = sorted(path for path in ROOT.rglob("*.py") if "tests" not in path.relative_to(ROOT).parts)
CORE = [path for path in FILES if path.is_relative_to(ROOT / "core")]
KERNELS = [path for path in CORE if "kernel" in path.read_text(encoding="utf-8") and path.name != "jit.py"]
# From the bottom up: a file imports nothing of a higher layer, and the rooms of one layer do not import each other.
LAYERS = [
    ["core.words"],
    ["core.compilation"],
    ["core.kernel_cache"],
    ["core.jit", "core.checks"],
    ["core.parallel", "core.result"],
    ["core.data"],
    ["core.relief", "core.forest", "core.embedding", "core.evaluation"],
    ["core.learned"],
    ["core.methods"],
    ["core.request"],
    ["core.api", "core.ensemble"],
    ["core"],
    ["core.estimators"],
    ["hierarchies", "tasks"],
    ["conversion", "io"],
    ["scorers", "models", "loading"],
    [""],
    ["cli", "widgets.utils"],
    ["widgets.ranker", "widgets.single"],
    ["widgets.comparison", "widgets.ssl"],
    ["widgets.pct"],
    ["widgets"],
    ["__main__"],
]
# Lines: a kernel calls kernels of its own file only, and these grow one tree.
LONGEST = {"splits.py": 630}
LEVELS = {name: (level, name) for level, names in enumerate(LAYERS) for name in names}


def of(path):
    return pytest.mark.parametrize("path", path, ids=lambda path: str(path.relative_to(ROOT)))


def module(path):
    """Dotted name below the package."""
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room(name):
    """(level, layer) of a module: that of the longest known prefix."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        if ".".join(parts[:length]) in LEVELS:
            return LEVELS[".".join(parts[:length])]
    return LEVELS[""]


def imports(path):
    """Absolute names of all modules that a file imports, and of what it takes from them."""
    parent = [PACKAGE, *filter(None, module(path).split("."))]
    parent = parent if path.name == "__init__.py" else parent[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(parent[: len(parent) - node.level + 1]) if node.level else ""
            base = ".".join(filter(None, [base, node.module]))
            yield from (f"{base}.{alias.name}" for alias in node.names)


def of_ours(name):
    """The module below the package that an imported name is in, or None."""
    if not name.startswith(PACKAGE):
        return None
    parts = name.split(".")[2:]
    while parts and not ((ROOT / Path(*parts)).is_dir() or (ROOT / Path(*parts)).with_suffix(".py").is_file()):
        parts.pop()
    return ".".join(parts)


def calls(*trees):
    nodes = (node for tree in trees for node in ast.walk(tree))
    return {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}


def test_there_is_something_to_check():
    assert len(CORE) > 5
    assert KERNELS


def test_namespace_package():
    assert not (ROOT.parent / "__init__.py").exists()


@of(CORE)
def test_core_knows_no_orange_and_no_qt(path):
    tops = {name.split(".")[0] for name in imports(path)}
    assert not tops & {"Orange", "orangewidget", "orangecanvas", "AnyQt", "PyQt5", "PyQt6", "PySide6", "pyqtgraph"}


@of(sorted((ROOT / "tests" / "naive").glob("*.py")))
def test_twins_are_independent(path):
    assert {name.split(".")[0] for name in imports(path)} <= {"numpy", "itertools", "math", "orangecontrib"}
    assert all(name.startswith("tests.naive") for name in filter(None, map(of_ours, imports(path))))


@of(FILES)
def test_imports_only_go_down(path):
    level, layer = room(module(path))
    for name in filter(None, map(of_ours, imports(path))):
        other, its_layer = room(name)
        assert its_layer == layer or other < level, f"{module(path)} imports {name}"


def test_files_of_a_room_import_each_other_in_one_direction():
    """Names that only type checkers see count, too: who holds whom is the same for a reader."""
    modules = {module(path): path for path in FILES}
    left = {
        name: {of_ours(other) for other in imports(path)} & modules.keys() - {name} for name, path in modules.items()
    }
    while free := [name for name, others in left.items() if not others & left.keys()]:
        for name in free:
            del left[name]
    assert not left


@of(FILES)
def test_no_asserts_prints_or_broad_excepts(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        assert not isinstance(node, ast.Assert), node.lineno
        if isinstance(node, ast.ExceptHandler):
            caught = [n.id for n in ast.walk(node.type) if isinstance(n, ast.Name)] if node.type else ["BaseException"]
            assert not {"Exception", "BaseException"} & set(caught), node.lineno
    if path.name != "cli.py":
        assert "print" not in calls(ast.parse(path.read_text(encoding="utf-8")))


@of(FILES)
def test_files_and_functions_are_short(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONGEST.get(path.name, 320)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            doc = node.body[0].end_lineno - node.body[0].lineno + 1 if ast.get_docstring(node) else 0
            assert node.end_lineno - node.lineno - doc <= 45, node.name


@of(FILES)
def test_public_names_are_documented(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree) or not tree.body
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            assert ast.get_docstring(node), node.name


@of(KERNELS)
def test_kernels_call_only_kernels_of_their_own_file(path):
    """The disk cache does not notice an edit of a function in another file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    kernels = [
        f
        for f in functions
        if "kernel" in {n.id for d in f.decorator_list for n in ast.walk(d) if isinstance(n, ast.Name)}
    ]
    ours = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").startswith(PACKAGE))
        for alias in node.names
    }
    plain = {f.name for f in functions} - {f.name for f in kernels}
    for function in kernels:
        assert not calls(*function.body) & (ours | plain), function.name


@pytest.mark.parametrize(
    "statement",
    [
        "import orangecontrib.reliefe",
        "import orangecontrib.reliefe.core",
        "from orangecontrib.reliefe.core import methods; methods()",
    ],
)
def test_import_is_light(statement):
    """A canvas starts without numba, Orange or Qt being loaded by us."""
    heavy = ["numba", "Orange", "AnyQt", "sklearn", "pandas", "umap"]
    code = f"import sys; {statement}; sys.exit(', '.join(sys.modules.keys() & set({heavy})) or 0)"
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert run.returncode == 0, run.stderr
