"""Rules of the house that a machine can check."""

import ast
import os
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = "orangecontrib.reliefe"
FILES = sorted(path for path in ROOT.rglob("*.py") if "tests" not in path.relative_to(ROOT).parts)
CORE = [path for path in FILES if path.is_relative_to(ROOT / "core")]
MAX_ENGINE_TESTS = 2  # files of tests that import parts of the engine: lower it, and never raise it
KERNELS = [path for path in CORE if "kernel" in path.read_text(encoding="utf-8") and path.name != "jit.py"]
# From the bottom up: a file imports nothing of a higher layer, and the rooms of one layer do not import each other.
LAYERS = [
    ["core.words", "core.info", "core.files", "core.targets.tasks", "formats", "extras"],
    ["command.endings", "core.svg"],
    ["core.kernels.compilation", "core.bar_chart", "core.score_files"],
    ["core.kernels.cache"],
    ["core.kernels", "core.checks"],
    ["core.reasons"],
    ["core.figures", "core.pages", "core.given_others"],
    ["core.chance"],
    ["core.conclusion"],
    ["core.work.threads"],
    ["core.data"],
    ["core.targets", "core.points"],
    ["core.relief.formats", "core.ranked_data"],
    ["core.work"],
    ["core.relief.neighbourhoods"],
    ["core.relief.updates"],
    ["core.relief", "core.forest", "core.embedding", "core.structure"],
    ["core.studies"],
    ["core.evaluation"],
    ["core.learned", "core.reweighting"],
    ["core.methods"],
    ["core.result"],
    ["core.notes", "core.request"],
    ["core.checked_call"],
    ["core.inference"],
    ["core.api"],
    ["core.growing"],
    ["core.report"],
    ["core"],
    ["core.estimators", "tabular"],
    ["genetics"],
    ["orange.report_values"],
    ["orange.targets", "orange.feature_groups", "orange.scores_table", "orange.table_checks"],
    ["orange.conversion", "io"],
    ["orange.ranking"],
    ["orange.api"],
    ["orange"],
    [""],
    ["command"],
    ["orange.jobs"],
    ["orange.ranker", "orange.dimension", "orange.sparsify_job"],
    ["orange.comparison", "orange.genotypes"],
    ["orange.interactions", "orange.forest"],
    ["widgets.utils"],
    ["widgets.table", "widgets.charts"],
    ["widgets.ranker", "widgets.single", "widgets.opendata"],
    ["widgets.comparison", "widgets.ssl"],
    ["widgets.interactions", "widgets.genotypes"],
    ["widgets.pct"],
    ["widgets"],
    ["__main__"],
]
LEVELS = {name: (level, name) for level, names in enumerate(LAYERS) for name in names}


@cache
def text_of(path):
    return path.read_text(encoding="utf-8")


@cache
def tree_of(path):
    return ast.parse(text_of(path))


def where(path):
    """Path below the package, for messages."""
    return str(path.relative_to(ROOT))


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
    """Absolute names of all modules that a file imports, inside functions, too, and of what it takes from them."""
    return imported(tree_of(path), path)


def imported(tree, path):
    """Yield the names of `imports` from a tree of syntax that stands in a file of this path."""
    parent = [PACKAGE, *filter(None, module(path).split("."))]
    parent = parent if path.name == "__init__.py" else parent[:-1]
    for node in ast.walk(tree):
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


QT = {"AnyQt", "PyQt5", "PyQt6", "PySide6", "pyqtgraph", "orangewidget", "orangecanvas"}
FOREIGN = {"Orange"} | QT
WITHOUT_ORANGE = (
    "core",
    "genetics",
    "tabular",
    "command.arrays",
    "command.frames",
    "command.genotypes",
    "command.listing",
)


def needed(names):
    """Modules of ours that modules of these names import on their way, with themselves."""
    modules = {module(path): path for path in FILES}
    found = {name for name in modules if any(name == room or name.startswith(f"{room}.") for room in names)}
    left = [*found]
    while left:
        for name in filter(None, map(of_ours, imports(modules[left.pop()]))):
            if name in modules and name not in found:
                found.add(name)
                left.append(name)
    return {name: modules[name] for name in found}


def test_core_knows_no_orange_and_no_qt():
    """Nor do genotypes, text tables and their commands, nor anything that these import, first or later."""
    paths = needed(WITHOUT_ORANGE)
    assert len(paths) > len(CORE) + 10
    assert not [
        (name, other) for name, path in paths.items() for other in imports(path) if other.split(".")[0] in FOREIGN
    ]


def needs_qt(name):
    """True if an imported name is of Qt, or of Orange's widgets."""
    return name.split(".")[0] in QT or name.startswith("Orange.widgets")


def test_orange_knows_no_qt():
    """Nor does anything that it imports: jobs run in threads and scripts, without a window."""
    paths = needed(["orange"])
    assert len(paths) > 60
    assert not [(name, other) for name, path in paths.items() for other in imports(path) if needs_qt(other)]


def test_widgets_need_qt():
    """A file of widgets imports Qt, Orange's widgets, or another file of widgets; what does not belongs to orange."""
    paths = [path for path in FILES if module(path).startswith("widgets.") and path.name != "__init__.py"]
    assert len(paths) > 40
    names = {path: list(imports(path)) for path in paths}
    assert not [
        where(path)
        for path in paths
        if not any(needs_qt(name) or name.startswith(f"{PACKAGE}.widgets.") for name in names[path])
    ]


def test_twins_are_independent():
    twins, known = sorted((ROOT / "tests" / "naive").glob("*.py")), {"numpy", "itertools", "math", "orangecontrib"}
    assert len(twins) > 5
    assert not [(where(path), name) for path in twins for name in imports(path) if name.split(".")[0] not in known]
    ours = [(where(path), of_ours(name)) for path in twins for name in imports(path)]
    assert not [(path, name) for path, name in ours if name and not name.startswith("tests.naive")]


def test_imports_only_go_down():
    wrong = []
    for path in FILES:
        level, layer = room(module(path))
        for name in filter(None, map(of_ours, imports(path))):
            other, its_layer = room(name)
            if its_layer != layer and other >= level:
                wrong.append(f"{module(path)} imports {name}")
    assert not wrong


def in_circles(needs):
    """Modules in a circle, and those that need one of these; needs: for each module those that it imports."""
    left = {name: set(others) for name, others in needs.items()}
    while free := [name for name, others in left.items() if not others & left.keys()]:
        for name in free:
            del left[name]
    return sorted(left)


def test_files_import_each_other_in_one_direction():
    """Imports inside functions and those for type checkers count: who needs whom is the same for a reader."""
    modules = {module(path): path for path in FILES}
    needs = {
        name: {of_ours(other) for other in imports(path)} & modules.keys() - {name} for name, path in modules.items()
    }
    assert not in_circles(needs)


def test_circles_are_found():
    assert in_circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["a", "b", "c"]
    assert not in_circles({"a": {"b", "c"}, "b": {"c"}, "c": set()})


def test_imports_inside_functions_count():
    path = ROOT / "core" / "result.py"
    source = "def f():\n    from .inference import explanation\n    return explanation\n"
    assert [of_ours(name) for name in imported(ast.parse(source), path)] == ["core.inference.explanation"]


# Modules that tests may import: what the pages of the API list, and the entry points of setup.py. Every other module
# is an inner one.
DOCUMENTED_MODULES = {
    "",
    "core",
    "core.embedding",
    "core.estimators",
    "core.estimators.skrebate",
    "core.evaluation",
    "genetics",
    "io",
    "orange.models",
    "orange.scorers",
}
ENTRY_POINTS = {"command.cli", "tutorials", "widgets"}
PUBLIC_MODULES = DOCUMENTED_MODULES | ENTRY_POINTS | {"command", "orange"}
PUBLIC_WIDGET = re.compile(r"widgets\.ow\w+")
# Counted on 29 November: lower it, and never raise it.
MAX_INNER_MODULES = 257


def test_public_modules_are_those_that_pages_list(checkout):
    pages = "".join(page.read_text(encoding="utf-8") for page in (checkout / "doc" / "api").glob("*.md"))
    listed = re.findall(rf"^   ~{re.escape(PACKAGE)}([.\w]*)\.\w+$", pages, re.MULTILINE)
    assert {name.removeprefix(".") for name in listed} == DOCUMENTED_MODULES
    setup = (checkout / "setup.py").read_text(encoding="utf-8")
    entries = set(re.findall(rf'= {re.escape(PACKAGE)}\.([.\w]+)[:"]', setup))
    assert {name for name in entries if not PUBLIC_WIDGET.fullmatch(name)} == ENTRY_POINTS


@cache
def exported(name):
    """Return the names that the __init__ of a public package takes from its files, which may be called as they are."""
    path = ROOT.joinpath(*name.split("."), "__init__.py")
    imports_from = (node for node in tree_of(path).body if isinstance(node, ast.ImportFrom)) if path.is_file() else ()
    return {alias.asname or alias.name for node in imports_from for alias in node.names}


def is_door(name):
    """Return True if an imported name is a public module, or what a public package exports."""
    module_name = of_ours(name)
    if module_name in PUBLIC_MODULES or PUBLIC_WIDGET.fullmatch(module_name):
        return True
    package, _, last = name.removeprefix(f"{PACKAGE}.").rpartition(".")
    return package in PUBLIC_MODULES and last in exported(package)


def inner_imports(tree, path):
    """Return the inner modules that a file of tests imports, or patches by their name as a text."""
    names = list(imported(tree, path))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "setattr":
            names += [text.value for text in node.args[:1] if isinstance(text, ast.Constant)]
    ours = {name: of_ours(name) for name in names if isinstance(name, str)}
    return {
        module_name
        for name, module_name in ours.items()
        if module_name is not None and "tests" not in module_name.split(".") and not is_door(name)
    }


def test_tests_import_few_inner_modules():
    """Inner modules that tests import cannot be moved or joined without a change of these tests."""
    tests = [path for path in sorted(ROOT.rglob("*.py")) if "tests" in path.relative_to(ROOT).parts]
    assert len(tests) > 100
    modules = set().union(*(inner_imports(tree_of(path), path) for path in tests))
    assert len(modules) <= MAX_INNER_MODULES, sorted(modules)


def test_inner_imports_are_found():
    path = ROOT / "tests" / "test_architecture.py"
    source = (
        f"from {PACKAGE}.core import methods, rank\n"
        f"from {PACKAGE}.widgets.owgenotypes import OWGenotypes\n"
        f"from {PACKAGE}.tests.samples import PAIRS\n"
        f"def test(monkeypatch):\n"
        f"    from {PACKAGE}.core.relief.run import Run\n"
        f"    monkeypatch.setattr('{PACKAGE}.core.relief.formats.sparse.TILE_ENTRIES', 1)\n"
    )
    assert inner_imports(ast.parse(source), path) == {"core.relief.run", "core.relief.formats.sparse"}


# Names that several classes may have: Orange looks for them in each widget.
REPEATED_NAMES = {"Error", "Information", "Inputs", "Outputs", "Warning"}


def repeated(names):
    """Names that occur more than once."""
    return {name for name, count in Counter(names).items() if count > 1}


def test_a_class_has_a_name_of_its_own():
    names = [node.name for path in FILES for node in ast.walk(tree_of(path)) if isinstance(node, ast.ClassDef)]
    assert len(names) > 300
    assert repeated(names) <= REPEATED_NAMES


def test_repeated_names_are_found():
    assert repeated(["Table", "Row", "Table"]) == {"Table"}


# Short common words that do not say what a variable, parameter, attribute, function or class holds.
VAGUE_NAMES = re.findall(
    r"\w+",
    """
    asked bad beside came cut done each few found free given gone good held here kept known left made many
    most named new now of old other others out own part parts place places possible put real seen side some
    take taken then there thing things told tried used wanted way ways where whole
    """,
)
# Counted on 29 November: lower it, and never raise it.
MAX_VAGUE_NAMES = 1010


def vague_names(tree):
    """Return the names in a tree of syntax, each as often as it is defined or set, that are vague words."""
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.arg):
            names.append(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.append(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.append(node.attr)
    return [name for name in names if name.strip("_") in VAGUE_NAMES]


def test_names_say_what_they_hold():
    counts = Counter(name.strip("_") for path in FILES for name in vague_names(tree_of(path)))
    assert counts.total() <= MAX_VAGUE_NAMES, counts.most_common()


def test_vague_names_are_found():
    source = "def found(own, scores):\n    self._left = [known for known in scores]\n    return known.most\n"
    assert sorted(vague_names(ast.parse(source))) == ["_left", "found", "known", "own"]


def test_no_asserts_prints_or_broad_excepts():
    wrong = []
    for path in FILES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Assert) or (isinstance(node, ast.ExceptHandler) and is_broad(node)):
                wrong.append(f"{where(path)}:{node.lineno}")
        if path.name != "command/cli.py" and "print" in calls(tree_of(path)):
            wrong.append(f"{where(path)}: print")
    assert not wrong


def is_broad(handler):
    """True if it catches what nobody thought of."""
    caught = {n.id for n in ast.walk(handler.type) if isinstance(n, ast.Name)} if handler.type else {"BaseException"}
    return bool({"Exception", "BaseException"} & caught)


def test_files_and_functions_are_short():
    wrong = []
    for path in FILES:
        if len(text_of(path).splitlines()) > 600:
            wrong.append(where(path))
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef):
                doc = node.body[0].end_lineno - node.body[0].lineno + 1 if ast.get_docstring(node) else 0
                if node.end_lineno - node.lineno - doc > 60:
                    wrong.append(f"{where(path)}: {node.name}")
    assert not wrong


def test_public_names_are_documented():
    wrong = []
    for path in FILES:
        tree = tree_of(path)
        if tree.body and not ast.get_docstring(tree):
            wrong.append(where(path))
        for node in tree.body:
            is_public = isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")
            if is_public and not ast.get_docstring(node):
                wrong.append(f"{where(path)}: {node.name}")
    assert not wrong


def test_import_is_light():
    """A canvas starts without numba, Orange or Qt being loaded by us, and estimators need neither Orange nor Qt."""
    heavy = ["numba", "Orange", "AnyQt", "sklearn", "pandas", "umap", "joblib", "dask", "distributed"]
    code = "import sys\nfound = []\n"
    for statement, names in (
        ("import orangecontrib.reliefe", ["numpy", *heavy]),
        ("from orangecontrib.reliefe.core import methods; methods()", heavy),
        ("import orangecontrib.reliefe.core.estimators", ["Orange", "AnyQt", "PyQt6"]),
    ):
        code += f"{statement}\nfound += sys.modules.keys() & set({names})\n"
    code += "sys.exit(', '.join(found) or 0)"
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert run.returncode == 0, run.stderr


# Words that hide what is described until the end of the sentence.
HIDING = ("What", "How", "Whether", "Where", "Of", "Which", "Why", "When", "Who", "Whose")
HOME = ROOT.parents[1]


def docstrings(text):
    """(line, docstring) of all modules, classes and functions of a source."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found = ast.get_docstring(node)
            if found:
                yield node.body[0].lineno, found


def hides(docstring):
    return docstring.split(maxsplit=1)[0].rstrip(".,:;") in HIDING


def test_functions_that_pages_name_exist(checkout):
    """On the page "Where is ...?"; `test_where` runs them."""
    page = (checkout / "doc" / "developers" / "where.md").read_text(encoding="utf-8")
    places = re.findall(r"`([\w/]+\.py)`: `([\w.]+)`", page)
    assert len(places) > 15
    for file, name in places:
        body = ast.parse((ROOT / file).read_text(encoding="utf-8")).body
        for part in name.split("."):
            named = [node for node in body if getattr(node, "name", "") == part]
            assert named, f"doc/developers/where.md: {file} has no {name}"
            body = getattr(named[0], "body", [])


def test_docstrings_begin_with_a_noun_or_a_verb():
    folders = ("benchmarks", "fuzz", "packaging", "doc") if (HOME / "setup.py").is_file() else ()
    beside = [path for name in folders for path in (HOME / name).rglob("*.py")]
    found = [
        f"{path}:{line}: {text[:60]}"
        for path in (*sorted(ROOT.rglob("*.py")), *beside)
        for line, text in docstrings(path.read_text(encoding="utf-8"))
        if hides(text)
    ]
    assert not found, found


def test_docstrings_that_hide_are_found():
    source = '"""Rows."""\ndef f():\n    """Whether it is so."""\nclass A:\n    """Of rows."""\n'
    assert [line for line, text in docstrings(source) if hides(text)] == [3, 5]
    assert not hides("Whole rows.")
    assert not hides("Offer a row.")


def test_few_tests_know_parts_of_the_engine():
    """Tests go through `rank` and the like, so that the engine can change; limits are lowered in tests/limits.py."""
    imports = re.compile(r"^\s*(from|import) orangecontrib\.reliefe\.core\.relief\b", re.MULTILINE)
    tests = [path for path in ROOT.rglob("*.py") if "tests" in path.relative_to(ROOT).parts]
    with_parts = [where(path) for path in tests if imports.search(text_of(path))]
    assert len(with_parts) <= MAX_ENGINE_TESTS, with_parts
