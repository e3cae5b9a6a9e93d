"""The pages of doc/: their examples do what they say, and nothing is left out of the tables of contents."""

import doctest
import json
import re
import runpy
import shutil
from collections import Counter
from pathlib import Path

import pytest
from Orange.data import Table

from orangecontrib.reliefe.core import METHODS
from orangecontrib.reliefe.core.methods.choice import ADVICE

# the last three take seconds
PAGES = (
    "targets", "files", "scale", "filters", "wrappers", "significance", "conditional", "studies", "genotypes",
    "teaching/relief-in-ten-minutes", "scripting", "teaching/lesson", "learned", "evaluation",
)  # fmt: skip
SCRIPTS = "forest", "reliefe"
MAX_WORDS = 3000  # of a page, so that it is read in a quarter of an hour
MAX_README_LINES = 120


@pytest.fixture(scope="module")
def folder(checkout) -> Path:
    """The folder of the pages."""
    return checkout / "doc"


@pytest.mark.parametrize("page", [*PAGES[:-3], *(pytest.param(page, marks=pytest.mark.slow) for page in PAGES[-3:])])
def test_examples(folder, page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Table, "LOCKING", True)
    result = doctest.testfile(str(folder / f"{page}.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 5
    assert result.failed == 0


@pytest.mark.slow
@pytest.mark.parametrize("page", SCRIPTS)
def test_scripts_run(folder, page):
    blocks = re.findall(r"```python\n(.*?)```", (folder / f"{page}.md").read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, f"{page}.md", "exec"), {})


def test_benchmarks_that_are_named_have_these_options(folder):
    """Options of commands in README.md, in all pages, and in the benchmarks themselves."""
    home = folder.parent
    files = [home / "README.md", *folder.rglob("*.md"), *(home / "benchmarks").glob("*.*")]
    texts = {file.stem: file.read_text(encoding="utf-8") for file in (home / "benchmarks").glob("*.py")}
    found = [
        match.groups()
        for file in files
        for match in re.finditer(r"python benchmarks/(\w+\.py)([^`\n]*)", file.read_text(encoding="utf-8"))
    ]
    assert len(found) > 20
    for name, arguments in found:
        text = texts[name.removesuffix(".py")]
        # Benchmarks share readers of options, which are modules beside them.
        imported = re.findall(r"^from (\w+) import", text, re.MULTILINE)
        text += "".join(texts[module] for module in imported if module in texts)
        for option in re.findall(r"--\w+", arguments.split("#")[0]):
            assert option == "--help" or f'"{option}"' in text, (name, option)
        for part in re.findall(r"--only (\w+)", arguments):
            assert f'"{part}"' in text, (name, part)


def test_every_page_is_in_a_table_of_contents(folder):
    for file in (*folder.glob("*.md"), *folder.glob("[!_]*/*.md")):
        homes = [file.parent / "index.md", folder / f"{file.parent.name}.md", folder / "index.md"]
        home = next(home for home in homes if home.exists() and (home != file or file.parent == folder))
        index, page = home.read_text(encoding="utf-8"), file.relative_to(home.parent).with_suffix("").as_posix()
        assert page == "index" or re.search(rf"^{page}$|<{page}>$", index, re.MULTILINE), page


def test_pages_are_short(folder):
    """A page answers one question in at most 3,000 words, but for tables and parts that are made from the code."""
    written = runpy.run_path(str(folder / "check_words.py"))["WRITTEN"]
    for file in folder.rglob("*.md"):
        text = re.sub(r"^\|.*$", "", written.sub("", file.read_text(encoding="utf-8")), flags=re.MULTILINE)
        assert len(text.split()) <= MAX_WORDS, file.name
    readme = (folder.parent / "README.md").read_text(encoding="utf-8")
    assert len(readme.splitlines()) <= MAX_README_LINES


def test_links_lead_somewhere(folder):
    for file in folder.rglob("*.md"):
        for target in re.findall(r"\]\((?!http)([^)#]+)\)", file.read_text(encoding="utf-8")):
            assert (file.parent / target).exists(), (file.name, target)


def test_every_key_of_info_is_explained(folder):
    from orangecontrib.reliefe.core.methods.registry import details_of

    page = (folder / "scripting.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?`) \|", page, re.MULTILINE)
    explained = {key for row in rows for key in re.findall(r"`(\w+)`", row)}
    for method in METHODS.values():
        assert {detail.name for detail in details_of(method)} <= explained, method.name


def test_algorithms_is_whole_without_sphinx(folder):
    """On the pages of a code host: the sections on methods stand in the file, and nothing is for Sphinx alone."""
    page = (folder / "algorithms.md").read_text(encoding="utf-8")
    for method in METHODS.values():
        assert f"(`{method.name}`)\n" in page
    assert not re.search(r"```\{|^:::|^: |^\(.*\)=$|\{\w+\}`|\$", page, re.MULTILINE)


def test_the_tables_of_which_are_those_of_its_results(folder, monkeypatch):
    """The chapter shows what the lines of results say, on at least one set of each kind."""
    monkeypatch.syspath_prepend(str(folder.parent / "benchmarks"))
    names = runpy.run_path(str(folder.parent / "benchmarks" / "which_table.py"))
    lines = list(map(json.loads, (folder / "which" / "results.jsonl").read_text(encoding="utf-8").splitlines()))
    page = (folder / "which.md").read_text(encoding="utf-8")
    assert names["text"](lines) in page, "run benchmarks/which.py --table"
    assert all(len(group.sets) for groups in names["groups"](lines) for group in groups.values())


def test_advice_follows_from_the_results(folder, monkeypatch):
    """The first method of each cell is what the rule of the chapter finds in its results."""
    monkeypatch.syspath_prepend(str(folder.parent / "benchmarks"))
    names = runpy.run_path(str(folder.parent / "benchmarks" / "which_table.py"))
    lines = list(map(json.loads, (folder / "which" / "results.jsonl").read_text(encoding="utf-8").splitlines()))
    public, simulated = names["groups"](lines)
    expected = {question: {kind: cell[0] for kind, cell in cells.items()} for question, cells in ADVICE.items()}
    assert names["advice"](public, simulated) == expected
    numbers = public["a number"]
    page = " ".join((folder / "which.md").read_text(encoding="utf-8").split())
    usual, best = (numbers.methods.index(name) for name in ("rrelieff", "boostedlearnedrelief"))
    ranks, areas = numbers.each.mean(axis=0), numbers.values.mean(axis=1)
    assert f"mean rank is {ranks[usual]:.1f}, that of Boosted Learned-Space Relief {ranks[best]:.1f}" in page
    assert f"mean area is .{1000 * areas[usual]:.0f} against .{1000 * areas[best]:.0f}" in page


def test_numbers_of_the_first_page_are_those_of_the_comparison(folder):
    table = (folder / "which.md").read_text(encoding="utf-8")
    classes = table[table.index("## Public sets with classes") : table.index("## Public sets with a number")]
    area = dict(re.findall(r"^\| ([\w ]+?) +\| 0(\.\d+) ", classes, re.MULTILINE))
    sets = re.search(r"^classes: (\d+) sets", table, re.MULTILINE)[1]
    page = " ".join((folder / "index.md").read_text(encoding="utf-8").split())
    assert f"On {sets} sets with classes" in page
    assert f"have a mean quality of {area['Boosted Relief']}." in page
    assert f"the features of JMI it is {area['JMI']}, of mRMR {area['mRMR']}, of random forests " in page
    assert f"of random forests {area['Random Forest']}, and of ReliefF {area['ReliefF']} (" in page


def test_sets_that_are_not_finished_do_not_count(folder, monkeypatch):
    """A mean is over the same sets for all methods; a method that is late on one of them has none."""
    monkeypatch.syspath_prepend(str(folder.parent / "benchmarks"))
    names = runpy.run_path(str(folder.parent / "benchmarks" / "which_table.py"))
    main = names["main_methods"]("classes")
    facts = {"kind": "classes", "simulated": False, "rows": 5, "features": 2, "missing": 0.0}
    lines = [{"set": name, **facts} for name in ("first", "second", "third")]
    lines += [
        {"set": name, "method": method, "areas": [number / 10], "seconds": -number}
        for name in ("first", "second")
        for number, method in enumerate(main)
    ]
    lines += [{**lines[3], "set": "third"}, {"set": "second", "method": "pct", "status": "late"}]
    group = names["Group"](lines, ("classes",), "areas")
    assert (group.sets, set(group.methods), group.left) == (["first", "second"], set(main) - {"pct"}, ["pct"])
    assert group.mean("pct") == 0
    assert group.mean(main[1]) == 0.1
    assert group.best(main[:3]) == "residualrelief"


def test_what_is_written_from_the_code_is_current(folder):
    """All but the tables of controls, for which all widgets rank."""
    names = runpy.run_path(str(folder / "write.py"))
    assert len(names["WRITERS"]) > 8
    differing = names["outdated"](writer for writer in names["WRITERS"] if writer != "controls")
    assert not differing, f"run python -m doc.write, which changes {', '.join(path.name for path in differing)}"


@pytest.mark.slow
def test_tables_of_controls_are_current(folder):
    """The table of each widget has all controls with a name for screen readers, and their tooltips."""
    differing = runpy.run_path(str(folder / "write.py"))["outdated"](["controls"])
    assert not differing, f"run python -m doc.write, which changes {', '.join(path.name for path in differing)}"


def test_a_page_that_differs_is_named_and_written(folder, tmp_path, capsys):
    """In a copy of the pages: `--check` names the page and writes nothing, and without it the page is written."""
    shutil.copytree(folder, tmp_path / "doc", ignore=shutil.ignore_patterns("*.png", "*.jsonl", "_build"))
    page = tmp_path / "doc" / "algorithms.md"
    whole = page.read_text(encoding="utf-8")
    page.write_text(whole.replace("(`relieff`)", "(`changed`)"), encoding="utf-8")
    main = runpy.run_path(str(tmp_path / "doc" / "write.py"))["main"]
    assert main(["methods", "--check"]) == 1
    assert "algorithms.md: differs: run python -m doc.write" in capsys.readouterr().out
    assert "(`relieff`)" not in page.read_text(encoding="utf-8")
    assert main(["methods"]) == 0
    assert page.read_text(encoding="utf-8") == whole
    assert main(["methods", "--check"]) == 0
    with pytest.raises(SystemExit):
        main(["nothing"])
    assert "there is no writer 'nothing'; choose from api, catalogue" in capsys.readouterr().err


def test_long_sentences_and_words_to_avoid_are_counted(folder):
    names = runpy.run_path(str(folder / "check_words.py"))
    page = """---
hide: 1
---
# A heading of such words as nobody counts
It is short, as all should be. What is this? {} `a b`.
A [link of five words](what/anew.md) and the $x + y$.

```sh
tell anew such others
```
| a cell that tells of more | b |
| --- | --- |
<!-- controls: written by x -->
tell
<!-- end of controls -->
""".format("Word " * 26)
    found = sum(map(names["counted"], names["page_blocks"](page)), Counter())
    assert found == {0: 4, 25: 1, "tells": 1}
    text = "First.\n\nParameters\n----------\nx : such\n    Second.\ny : int\n    Third."
    assert names["docstring_blocks"](text) == ["First.", "    Second.", "    Third."]
