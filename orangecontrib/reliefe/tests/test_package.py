"""The package as a whole: what it exports, what is installed, and that what the README says is so."""

import ast
import doctest
import re
import runpy
import shlex
import subprocess
import sys
from importlib import metadata, resources
from pathlib import Path

import pytest

import orangecontrib.reliefe
from orangecontrib.reliefe.command import cli

HOME = Path(orangecontrib.reliefe.__file__).parents[2]


@pytest.fixture(scope="module")
def readme(checkout) -> str:
    return (checkout / "README.md").read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_every_exported_name_is_there():
    for name in orangecontrib.reliefe.__all__:
        assert getattr(orangecontrib.reliefe, name) is not None
    assert set(orangecontrib.reliefe.__all__) <= set(dir(orangecontrib.reliefe))
    with pytest.raises(AttributeError, match="no attribute 'x'"):
        orangecontrib.reliefe.x


def test_the_example_of_the_package():
    assert doctest.testmod(orangecontrib.reliefe).failed == 0


def test_the_namespace_is_shared():
    assert not (HOME / "orangecontrib" / "__init__.py").exists()


def test_version():
    assert metadata.version("Orange3-ReliefE") == orangecontrib.reliefe.__version__


@pytest.mark.parametrize("group", ["orange3.addon", "orange.widgets", "orange.widgets.tutorials", "orange.canvas.help"])
def test_entry_points_lead_somewhere(group):
    (point,) = (p for p in metadata.entry_points(group=group) if p.value.startswith("orangecontrib.reliefe"))
    assert point.load() is not None


def test_files_that_are_not_python_are_installed():
    package = resources.files("orangecontrib.reliefe")
    assert (package / "widgets" / "icons" / "category.svg").is_file()
    assert any(file.name.endswith(".json") for file in (package / "tests" / "golden").iterdir())
    assert any(file.name.endswith(".ows") for file in (package / "tutorials").iterdir())


def test_one_wheel_is_for_all_systems(checkout):
    """Nothing is compiled while installing, and so no installation from source brings numba a second time."""
    pytest.importorskip("setuptools")
    # In a process of its own: setuptools must be imported before anything imports distutils
    lines = (
        "import setuptools",
        "from distutils.core import run_setup",
        "print(run_setup('setup.py', stop_after='init').is_pure())",
    )
    command = [sys.executable, "-c", "\n".join(lines)]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True)
    assert done.stdout.endswith("True\n"), done.stderr
    build_system = (checkout / "pyproject.toml").read_text(encoding="utf-8").partition("[tool.")[0]
    assert "numba" not in build_system
    assert "scipy" not in build_system


def test_readme_python(readme, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks(readme, "python"):
        exec(compile(block, "README.md", "exec"), names)
    assert len(names["reduced"].domain.attributes) == 5
    assert set(names["found"]) == {3, 7}


def test_readme_command_line(readme, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    commands = [
        line for block in blocks(readme, "sh") for line in block.splitlines() if line.startswith("orange-reliefe")
    ]
    assert len(commands) > 3
    for command in commands:
        assert cli.main(shlex.split(command)[1:]) == 0, command
        assert capsys.readouterr().out, command
    assert (tmp_path / "scores.csv").exists()


def test_readme_links_and_pictures_exist(readme, checkout):
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", readme):
        assert (checkout / target).exists(), target


def test_the_packages_of_the_readme_are_those_that_the_gate_looks_for(readme, checkout):
    gate = (checkout / ".ci" / "run").read_text(encoding="utf-8")
    packages = re.search(r"apt-get install (.*)", readme).group(1).split()
    libraries = re.search(r"for library in (.*); do", gate).group(1).split()
    assert len(packages) == len(libraries)


def test_versions_agree(checkout):
    """They stand in the package, and are read from there; only files without programs repeat them."""
    version = orangecontrib.reliefe.__version__
    assert f"version: {version}\n" in (checkout / "CITATION.cff").read_text(encoding="utf-8")
    assert f'version = "{version}"' in (checkout / "packaging" / "conda" / "meta.yaml").read_text(encoding="utf-8")


def test_a_citation_has_a_date_when_its_version_is_released(checkout):
    version = re.escape(orangecontrib.reliefe.__version__)
    changes = (checkout / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.search(rf"^## \[?{version}\]? - (\d{{4}}-\d\d-\d\d)$", changes, re.MULTILINE)
    citation = (checkout / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^date-released: (.*)$", citation, re.MULTILINE) == ([released[1]] if released else [])


def setup_names(checkout):
    """Functions and constants of setup.py, which installs nothing here."""
    source = (checkout / "setup.py").read_text(encoding="utf-8")
    tree = ast.parse(source.partition("\nsetup(")[0])
    names = {"__file__": str(checkout / "setup.py")}
    exec(compile(tree, "setup.py", "exec"), names)
    return names


def test_the_description_has_absolute_links(checkout, readme):
    """So that pages and pictures are found from the index; without an address they stay as they are."""
    pytest.importorskip("setuptools")
    names = setup_names(checkout)
    description, addresses = names["description"], names["addresses"]
    text = description(readme, "https://example.org/r", "1.2")
    assert not re.findall(r"\]\((?!https?:|#)[^)]+\)", text)
    assert "](https://example.org/r/blob/v1.2/doc/speed.md)" in text
    assert re.search(r"!\[[^]]+\]\(https://example.org/r/raw/v1.2/doc/images/[\w-]+.png\)", text)
    assert description(readme, "", "1.2") == readme
    assert set(addresses("https://example.org/r")) == {"Source", "Issues", "Changes", "Documentation"}
    assert not addresses("")


def test_no_release_without_an_address(checkout, monkeypatch, tmp_path):
    names = runpy.run_path(str(checkout / "packaging" / "release.py"))
    monkeypatch.setitem(names["main"].__globals__, "repository", str)
    monkeypatch.setattr(sys, "argv", ["release.py", str(tmp_path)])
    with pytest.raises(SystemExit, match="fill in REPOSITORY"):
        names["main"]()


def requirements(checkout):
    """Requirements in setup.py: of the core, and of its extra for Orange."""
    setup = (checkout / "setup.py").read_text(encoding="utf-8")
    core, orange = (
        re.findall(r'"([\w-]+>=[\d.]+)"', re.search(pattern, setup, re.DOTALL).group(1))
        for pattern in (r"install_requires=\[(.*?)\n    \]", r"ORANGE = \[(.*?)\n\]")
    )
    return core, orange


def test_the_conda_recipe_asks_for_the_same_versions(checkout):
    """There, extras do not exist: the package is that of the core and Orange."""
    core, orange = requirements(checkout)
    wanted = sorted(re.sub(r"(>=.*)", r" \1", name).lower() for name in (*core, *orange))
    recipe = (checkout / "packaging" / "conda" / "meta.yaml").read_text(encoding="utf-8")
    run = re.search(r"  run:\n(.*?)\n\n", recipe, re.DOTALL).group(1)
    assert sorted(re.findall(r"- (.*)", run)) == sorted([*wanted, "python >=3.10,<3.14"])


WIDGETS_AND_TABLES = ("widgets", "orange", "io", "tutorials")  # rooms that take Orange; so do files that import it
IN_OTHER_EXTRAS = {  # or for types
    "_typeshed", "argcomplete", "cloudpickle", "dask", "distributed", "h5py", "hypothesis", "matplotlib", "pytest",
    "typing_extensions",
}  # fmt: skip
DISTRIBUTIONS = {
    "AnyQt": "AnyQt",
    "Orange": "Orange3",
    "llvmlite": "numba",
    "orangecanvas": "orange-canvas-core",
    "orangewidget": "orange-widget-base",
    "sklearn": "scikit-learn",
    "umap": "umap-learn",
}


def imported(text):
    """Distributions that a source imports by a statement."""
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(node.module)
    tops = {name.partition(".")[0] for name in names} - {*sys.stdlib_module_names, "orangecontrib"}
    return {DISTRIBUTIONS.get(name, name) for name in tops}


def test_requirements_are_what_is_imported(checkout):
    """The core asks for what it imports, and no more; so does the extra of Orange for the rest."""
    package, found = Path(orangecontrib.reliefe.__file__).parent, {True: set(), False: set()}
    for path in package.rglob("*.py"):
        parts = path.relative_to(package).parts
        if "tests" not in parts:
            names = imported(path.read_text(encoding="utf-8"))
            found[parts[0] in WIDGETS_AND_TABLES or "Orange3" in names] |= names - IN_OTHER_EXTRAS
    core, orange = ({name.partition(">=")[0] for name in names} for names in requirements(checkout))
    assert found[False] | {"openpyxl"} == core  # which tabular/workbooks.py imports by its name
    assert found[True] - core == orange


def test_the_changelog_keeps_its_form(checkout):
    """That of Keep a Changelog: versions from the newest on, and kinds of changes that it knows."""
    text = (checkout / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## (.*)", text, re.MULTILINE)
    assert versions[0] == "Unreleased"
    assert all(re.fullmatch(r"\[?\d+\.\d+\.\d+\]? - \d{4}-\d\d-\d\d", version) for version in versions[1:])
    kinds = set(re.findall(r"^### (.*)", text, re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_other_systems_run_a_test_of_each_widget(checkout):
    named = re.findall(
        r"widgets\.tests\.test_(\w+)::(\w+)::(\w+)$", (checkout / ".ci" / "brief").read_text(), re.MULTILINE
    )
    folder = Path(orangecontrib.reliefe.__file__).parent / "widgets"
    assert sorted(name for name, _, _ in named) == sorted(path.stem for path in folder.glob("ow*.py"))
    for name, kind, test in named:
        tree = ast.parse((folder / "tests" / f"test_{name}.py").read_text(encoding="utf-8"))
        (found,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == kind)
        assert test in {node.name for node in found.body if isinstance(node, ast.FunctionDef)}


def test_actions_are_pinned_and_keep_no_credentials(checkout):
    files = [*(checkout / ".github" / "workflows").glob("*.yml")]
    assert len(files) >= 3
    for path in files:
        text = path.read_text(encoding="utf-8")
        for action, version in re.findall(r"uses: \S+@(\S+)(.*)", text):
            assert re.fullmatch(r"[0-9a-f]{40}", action), (path.name, action)
            assert re.fullmatch(r" # v[\d.]+", version), (path.name, action)
        assert text.count("actions/checkout@") == text.count("persist-credentials: false")
