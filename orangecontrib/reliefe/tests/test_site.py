"""The site: its commands and recipes run, and nothing public is left out of it."""

import dataclasses
import doctest
import importlib
import json
import re
import runpy
import shlex
from pathlib import Path

import pytest
from Orange.data import Table

import orangecontrib.reliefe
from orangecontrib.reliefe import core, genetics, io
from orangecontrib.reliefe.command import cli
from orangecontrib.reliefe.core import METHODS, estimators, evaluation
from orangecontrib.reliefe.core.methods.traits import Traits
from orangecontrib.reliefe.orange import models

PUBLIC = {
    "tables": orangecontrib.reliefe,
    "arrays": core,
    "sklearn": estimators,
    "evaluation": evaluation,
    "genotypes": genetics,
    "files": io,
}
SLOW = "Genes: many features, few rows", "Spectra: many correlated channels"


@pytest.fixture(scope="module")
def folder(checkout) -> Path:
    """The folder of the pages."""
    return checkout / "doc"


def recipes(folder: Path) -> dict[str, list[str]]:
    """Blocks of code by the titles of their recipes."""
    text = (folder / "cookbook.md").read_text(encoding="utf-8")
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    return {part.splitlines()[0]: re.findall(r"```python\n(.*?)```", part, re.DOTALL) for part in sections}


def run_recipes(folder, tmp_path, monkeypatch, slow):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Table, "LOCKING", True)
    for title, blocks in recipes(folder).items():
        if (title in SLOW) is slow:
            for block in blocks:
                exec(compile(block, title, "exec"), {})


def test_recipes_run(folder, tmp_path, monkeypatch):
    assert len(recipes(folder)) >= 20
    assert all(len(blocks) == 1 and "assert " in blocks[0] for blocks in recipes(folder).values())
    run_recipes(folder, tmp_path, monkeypatch, slow=False)


@pytest.mark.slow
def test_slow_recipes_run(folder, tmp_path, monkeypatch):
    assert set(SLOW) <= set(recipes(folder))
    run_recipes(folder, tmp_path, monkeypatch, slow=True)


@pytest.mark.parametrize("page", ["python", "sklearn"])
def test_first_steps_in_python(folder, page):
    options = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    result = doctest.testfile(str(folder / "start" / f"{page}.md"), module_relative=False, optionflags=options)
    assert result.attempted > 8
    assert result.failed == 0


def test_first_steps_on_the_command_line(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page = (folder / "start" / "command-line.md").read_text(encoding="utf-8")
    commands = [line for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) for line in block.splitlines()]
    assert len(commands) > 4
    for number, command in enumerate(commands):
        program, *arguments = shlex.split(command)
        assert program == "orange-reliefe"
        assert cli.main(arguments) == 0, command
        told = capsys.readouterr().out
        if number == 0:
            (shown,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
            assert [line.split()[:-1] for line in told.splitlines()[4:]] == [
                line.split()[:-1] for line in shown.splitlines()[4:]
            ]
    assert (tmp_path / "scores.csv").exists()
    assert (tmp_path / "best.svg").exists()


def test_tables_of_other_programs_are_read_as_their_page_says(folder, tmp_path, monkeypatch, capsys):
    """Files of the page are written, its commands run, and each line below a command is a line that they print."""
    monkeypatch.chdir(tmp_path)
    page = (folder / "tables.md").read_text(encoding="utf-8")
    parts = re.findall(r"(?:^`(\S+)`:\n\n)?^```(text|sh)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    printed: list[str] = []
    compared = 0
    for name, kind, block in parts:
        if name:
            (tmp_path / name).write_text(block, encoding="utf-8")
        elif kind == "sh":
            program, *arguments = shlex.split(block)
            assert program == "orange-reliefe"
            assert cli.main(arguments) == 0, block
            printed = "".join(capsys.readouterr()).splitlines()
        else:
            assert set(block.splitlines()) <= set(printed), block
            compared += 1
    assert compared == sum(kind == "sh" for _, kind, _ in parts) == 9


def test_gallery_has_every_workflow(folder):
    names = {path.stem for path in (Path(orangecontrib.reliefe.__file__).parent / "tutorials").glob("*.ows")}
    for suffix in ("", "-dark"):
        assert {path.name for path in (folder / "gallery").glob("*.png")} >= {f"{name}{suffix}.png" for name in names}


def test_reference_lists_every_public_name(folder):
    """Each name that a module exports is on the list of this module, or as the same thing on that of another one."""
    pages = [page.read_text(encoding="utf-8") for page in (folder / "api").glob("*.md")]
    listed = re.findall(r"^(?:   ~|\.\. py:data:: )(orangecontrib\S+)$", "\n".join(pages), re.MULTILINE)
    things = []
    for full in listed:
        module, _, name = full.rpartition(".")
        things.append((name, getattr(importlib.import_module(module), name)))
    for module in PUBLIC.values():
        for name in module.__all__:
            assert any(name == other and getattr(module, name) is thing for other, thing in things), name
    assert listed.index("orangecontrib.reliefe.rank") < listed.index("orangecontrib.reliefe.describe")


def test_every_public_name_has_words():
    modules = (*PUBLIC.values(), models)
    found = [(module, name) for module in modules for name in getattr(module, "__all__", ["PCTLearner", "PCTModel"])]
    assert len(found) > 130
    bare = {"METHODS", "TASKS", "AGREEMENTS", "AGGREGATIONS", "MEASURES"}
    for module, name in found:
        assert name in bare or (getattr(module, name).__doc__ or "").strip(), (module.__name__, name)


def test_every_parameter_of_every_method_is_explained(folder):
    page = (folder / "algorithms.md").read_text(encoding="utf-8")
    shared = page.split("## Shared parameters\n")[1].split("\n## ")[0]
    for method in METHODS.values():
        section = page.split(f"(`{method.name}`)\n")[1].split("\n## ")[0]
        for parameter in method.parameters:
            explained = re.compile(rf"^- `{parameter.name}` = .+\\\n  \S", re.MULTILINE)
            own = explained.search(section)
            assert own or (f"`{parameter.name}`" in section and explained.search(shared)), (method.name, parameter.name)


def test_the_map_of_folders_is_whole(folder):
    """All folders of the package, and of its tests, are on the page, and no other ones."""
    page = (folder / "developers" / "house.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| `([a-z_/]+)` \|", page, re.MULTILINE)
    package = Path(orangecontrib.reliefe.__file__).parent
    folders = [path.relative_to(package) for path in package.rglob("*") if path.is_dir()]
    rooms = [path for path in folders if not {"tests", "__pycache__", "_help"} & {*path.parts}]
    tests = [path for path in folders if path.parts[0] == "tests" and len(path.parts) == 2 and path.name[0] != "_"]
    assert sorted(named) == sorted(path.as_posix() for path in (*rooms, *tests, Path("widgets", "tests")))


def test_the_traits_of_the_guide_are_those_of_a_method(folder):
    page = (folder / "developers" / "method.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?`) \|", page.split("### Traits")[1].split("## ")[0], re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert named == {field.name for field in dataclasses.fields(Traits)}


def test_the_steps_of_a_ranking_are_those_of_the_code(folder):
    """Files and functions that the page names are there."""
    page = (folder / "developers" / "ranking.md").read_text(encoding="utf-8")
    room = Path(core.__file__).parent
    named = re.findall(r"`([a-z_0-9/]+\.py)`(?:: `([A-Za-z_.]+)`)?", page)
    assert len(named) > 15
    for file, name in named:
        assert (room / file).is_file(), file
        found: object = importlib.import_module("orangecontrib.reliefe.core." + file[:-3].replace("/", "."))
        for part in filter(None, name.split(".")):
            found = getattr(found, part)


def test_the_catalogue_for_the_site_of_orange_is_whole(folder):
    ((_, entries),) = json.loads((folder / "widgets.json").read_text(encoding="utf-8"))
    assert len(entries) == len(list((Path(orangecontrib.reliefe.__file__).parent / "widgets").glob("ow*.py")))
    for entry in entries:
        assert (folder / entry["doc"]).is_file(), entry
        assert (folder / entry["icon"]).is_file(), entry
        assert entry["keywords"], entry


def test_pictures_of_windows_are_those_that_one_command_takes(folder):
    """And each one is on a page; pictures of other names are of benchmarks, which draw them."""
    names = runpy.run_path(str(folder / "pictures.py"))
    taken = {shot.name for shots in names["WIDGETS"].values() for shot in shots} | {
        shot.name for shot in names["SCENES"]
    }
    drawn = {
        path.stem for path in (folder / "images").glob("*.png") if not path.stem.startswith(("comparison-", "scale"))
    }
    assert drawn == taken | {f"{name}-dark" for name in taken}
    pages = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.md"))
    assert [name for name in sorted(taken) if f"images/{name}.png)" not in pages] == []


def test_every_widget_has_a_page_with_pictures_of_both_kinds(folder):
    for path in (Path(orangecontrib.reliefe.__file__).parent / "widgets").glob("ow*.py"):
        (name,) = re.findall(r'^    name = "(.*)"', path.read_text(encoding="utf-8"), re.MULTILINE)
        page = runpy.run_path(str(folder / "write_controls.py"))["page_of"](name)
        (picture, *_) = re.findall(r"\(\.\./images/(.*)\.png\)", page.read_text(encoding="utf-8")) or [""]
        for suffix in ("", "-dark"):
            assert (folder / "images" / f"{picture}{suffix}.png").is_file(), (name, picture)
