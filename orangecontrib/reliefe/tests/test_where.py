"""The page "Where is ...?" for developers: what each line asks is done, and the function that it names runs."""

import contextlib
import importlib
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType

import numpy as np
import pytest

from orangecontrib.reliefe.core import METHODS, rank
from orangecontrib.reliefe.tests.samples import SMALL

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 5))
Y = (X[:, 0] > 0).astype(int)
SMALL_KERNEL = """from orangecontrib.reliefe.core.kernels.jit import kernel


@kernel
def double(number):
    return 2 * number
"""


def with_missing() -> None:
    values = X.copy()
    values[::5, 2] = np.nan
    rank(values, Y, "relieff", nominal=[])


def registered() -> None:
    """Load the package of the methods again, as the first import does, and put the registry back."""
    before = dict(METHODS)
    METHODS.clear()
    try:
        importlib.reload(sys.modules["orangecontrib.reliefe.core.methods"])
        assert list(METHODS) == list(before)
    finally:
        METHODS.clear()
        METHODS.update(before)


def advised_by_a_preset() -> None:
    from orangecontrib.reliefe.core.methods.choice import Facts
    from orangecontrib.reliefe.orange.ranker.method_choice import methods_of

    assert methods_of("thorough", METHODS, Facts())


def misspelt() -> None:
    with pytest.raises(ValueError, match="choose from relief"):
        rank(X, Y, "relif")


def with_one_class() -> None:
    with pytest.raises(ValueError, match="only one class"):
        rank(X, np.full(len(X), "ill"))


def without_rows() -> None:
    with pytest.raises(ValueError, match="no rows"):
        rank(X[:0], Y[:0])


def of_a_table() -> None:
    from Orange.data import Table

    from orangecontrib.reliefe import rank as rank_table

    rank_table(Table("iris"), "relieff")


def run_command(*arguments: str) -> None:
    from orangecontrib.reliefe.command import cli

    assert cli.main([*arguments]) == 0


def reported() -> None:
    rank(X, Y, "relieff").report("report.html", X, Y)


def read_text() -> None:
    lines = ["a;b;class", *(f"{row},5;{row * row % 7};{'yes' if row % 2 else 'no'}" for row in range(20))]
    with open("semicolons.csv", "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    run_command("rank", "semicolons.csv", "--method", "relieff")


def in_a_window() -> None:
    """Rank iris in the window of URelief, which sends its outputs."""
    from Orange.data import Table

    from orangecontrib.reliefe.widgets.owurelief import OWURelief
    from orangecontrib.reliefe.widgets.tests.widgettest import WidgetTest

    class Case(WidgetTest):
        kind = OWURelief

        def runTest(self) -> None:
            self.widget = self.create_widget(OWURelief)
            self.send_signal(self.widget.Inputs.data, Table("iris"), widget=self.widget)
            self.wait_until_finished(self.widget, timeout=60_000)
            assert self.get_output(self.widget.Outputs.scores, widget=self.widget) is not None

    Case.setUpClass()
    try:
        result = Case().run()
        assert result.wasSuccessful(), result.failures + result.errors
    finally:
        Case.tearDownClass()


def compiled() -> None:
    """Compile a kernel of a file of its own, in the folder of the test."""
    if SMALL:
        pytest.skip("needs numba's compiler")
    Path("doubling.py").write_text(SMALL_KERNEL, encoding="utf-8")
    sys.path.insert(0, os.getcwd())
    try:
        assert importlib.import_module("doubling").double(4) == 8
    finally:
        sys.path.pop(0)
        sys.modules.pop("doubling", None)


DEEDS: dict[str, Callable[[], object]] = {
    "Which feature comes first": lambda: rank(X, Y, "relieff").best(2),
    "Which row is a neighbour": lambda: rank(np.round(X), Y, "relieff"),
    "Which method does `rank` take": lambda: rank(X, Y),
    "Which method answers a question": advised_by_a_preset,
    "Which methods are there": registered,
    "Is a parameter of a method possible": lambda: rank(X, Y, "relieff", n_neighbors=3),
    "Is y a target of classes": lambda: rank(X, Y, "relieff"),
    "Which message has a wrong name": misspelt,
    "Which columns of a table": of_a_table,
    "Which sentence says that the target": with_one_class,
    "Which sentence says that the data": without_rows,
    "How do missing values count": with_missing,
    "How often is the target permuted": lambda: rank(X, Y, "relieff", significance=True),
    "How do scores for permuted targets": lambda: rank(X, Y, "relieff", significance=5),
    "Which sentence says how many": lambda: repr(rank(X, Y, "relieff", significance=5)._repr_html_()),
    "What does a report contain": reported,
    "Which options does the command have": lambda: run_command("methods"),
    "How is a text table": read_text,
    "Which outputs does a window": in_a_window,
    "When does a window": in_a_window,
    "What is in the output *Scores*": in_a_window,
    "Which stored settings": in_a_window,
    "Where are compiled kernels": compiled,
}


@contextlib.contextmanager
def codes_that_run() -> Iterator[set[CodeType]]:
    """Codes of all functions that are called in this block, in this thread and in new ones."""
    import threading

    codes: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            codes.add(frame.f_code)

    before = sys.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield codes
    finally:
        sys.setprofile(before)
        threading.setprofile(None)


def code_of(file: str, name: str) -> CodeType:
    """Code of the function, method or property of a file; of a class, that of its `__init__`."""
    member: object = importlib.import_module("orangecontrib.reliefe." + file.removesuffix(".py").replace("/", "."))
    for part in name.split("."):
        member = vars(member)[part] if isinstance(member, type) else getattr(member, part)
    member = getattr(member, "func", getattr(member, "fget", getattr(member, "__func__", member)))
    return member.__code__


def lines_of(checkout) -> dict[str, tuple[str, str]]:
    """File and name of each question of the page."""
    page = (checkout / "doc" / "developers" / "where.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+\?) \| `([\w/]+\.py)`: `([\w.]+)`", page, re.MULTILINE)
    assert len(rows) == page.count("\n| ") - 1
    return {question: (file, name) for question, file, name in rows}


def test_every_line_has_a_deed(checkout):
    questions = lines_of(checkout)
    assert [deed for deed in DEEDS if sum(question.startswith(deed) for question in questions) != 1] == []
    assert len(questions) == len(DEEDS)


@pytest.mark.parametrize("deed", DEEDS)
def test_the_function_of_a_line_runs(checkout, deed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ((file, name),) = (place for question, place in lines_of(checkout).items() if question.startswith(deed))
    wanted = code_of(file, name)
    with codes_that_run() as codes:
        DEEDS[deed]()
    assert wanted in codes, f"{file}: {name} did not run"
