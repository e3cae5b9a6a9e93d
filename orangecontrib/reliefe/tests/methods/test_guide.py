"""The steps of doc/developers/method.md, taken with a toy method; `check_method` says after each what is missing."""

import runpy
import shutil
from pathlib import Path

import pytest

from orangecontrib.reliefe.core import METHODS, methods
from orangecontrib.reliefe.core.methods.registry import register
from orangecontrib.reliefe.tests import check_method, test_twins
from orangecontrib.reliefe.tests.naive import filters, toy, twins
from orangecontrib.reliefe.tests.toy_methods import Spread

NOT_COPIED = shutil.ignore_patterns("*.png", "*.jsonl", "_build", "__pycache__", "*.tab", "*.csv")
PACKAGE = Path("orangecontrib") / "reliefe"


@pytest.fixture
def copied(checkout, tmp_path) -> Path:
    """A copy of what the writers of pages read and write, which a test may change."""
    shutil.copytree(checkout / "doc", tmp_path / "doc", ignore=NOT_COPIED)
    shutil.copytree(checkout / PACKAGE / "tutorials", tmp_path / PACKAGE / "tutorials")
    for pattern in ("README.md", "CHANGELOG.md", f"{PACKAGE}/widgets/ow*.py", f"{PACKAGE}/core/estimators/*.pyi"):
        for path in checkout.glob(pattern):
            target = tmp_path / path.relative_to(checkout)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    return tmp_path


def test_a_method_is_added_by_the_steps_of_the_guide(copied, monkeypatch):
    def lacks() -> list[str]:
        return check_method.lacks("spread", copied)

    assert lacks() == ["spread is not registered: import it in core/methods/__init__.py, and give it to `register`"]
    # Steps 1 and 2: write it, and register it.
    monkeypatch.setitem(METHODS, "spread", None)
    del METHODS["spread"]
    register(Spread())
    twin, files, changes = lacks()
    assert twin.startswith("spread has no twin")
    for name in ("doc/algorithms.md", "doc/api/rankers.md", "doc/index.md", "estimators/__init__.pyi"):
        assert name in files
    assert changes == "CHANGELOG.md does not name Spread: add a line to Unreleased"
    # Step 3: its twin, with which it agrees.
    monkeypatch.setitem(filters.TWINS, "spread", toy.spread)
    monkeypatch.setitem(twins.TWINS, "spread", toy.spread)
    test_twins.test_methods_agree_with_their_twins("spread")
    assert lacks() == [files, changes]
    # Step 4: the pages.
    written = runpy.run_path(str(copied / "doc" / "write.py"))
    written["main"]([writer for writer in written["WRITERS"] if writer != check_method.SLOW_WRITER])
    assert "\n## Spread (`spread`)\n" in (copied / "doc" / "algorithms.md").read_text(encoding="utf-8")
    assert "\nclass Spread(" in (copied / PACKAGE / "core/estimators/__init__.pyi").read_text(encoding="utf-8")
    assert f"There are {len(METHODS)} methods" in (copied / "doc" / "index.md").read_text(encoding="utf-8")
    assert lacks() == [changes]
    # Step 5: the line for users.
    log = copied / "CHANGELOG.md"
    text = log.read_text(encoding="utf-8")
    log.write_text(
        text.replace("## Unreleased\n", "## Unreleased\n\n- Spread ranks by the variance.\n"), encoding="utf-8"
    )
    assert lacks() == []


@pytest.mark.parametrize("method", ["relieff", "nothing"])
def test_a_name_of_a_method_marks_a_test(request, method):
    """`pytest -m method` takes it, if the name is that of a method."""
    assert (request.node.get_closest_marker("method") is not None) == (method in METHODS)
    assert "every_method" not in request.node.extra_keyword_matches


def test_a_loop_over_all_methods_marks_a_test(request):
    assert len(methods()) == len(METHODS)
    assert request.node.get_closest_marker("method")
    assert "every_method" in request.node.extra_keyword_matches


def test_the_tests_run_also_while_steps_are_missing(monkeypatch):
    ran = []
    monkeypatch.setattr(check_method.pytest, "main", lambda arguments: ran.append(arguments) or 0)
    for missing, status in (([], 0), (["relieff has no twin"], 1)):
        monkeypatch.setattr(check_method, "lacks", lambda *_, missing=missing: missing)
        assert check_method.main("relieff") == status
    assert len(ran) == 2
    monkeypatch.setattr(check_method.pytest, "main", lambda _: 1)
    monkeypatch.setattr(check_method, "lacks", lambda *_: [])
    assert check_method.main("relieff") == 1
