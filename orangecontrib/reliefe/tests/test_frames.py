"""Text tables on the command line without Orange: equal to those with Orange, where it is there to be compared."""

import io
import json
import os
import random
import re
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orangecontrib.reliefe import has_orange
from orangecontrib.reliefe.command import cli
from orangecontrib.reliefe.core.words import MISSING_CELLS
from orangecontrib.reliefe.tabular import TextTable
from orangecontrib.reliefe.tabular.columns import read_columns

with_orange = pytest.mark.skipif(not has_orange(), reason="is compared with Orange")
PIP = 'pip install ".[orange]"'
HEADER = ["", "id", "age", "sex", "code", "city", "day", "x", "x", "time", "class"]


def rows(n=70):
    """Rows of all kinds of columns, some with missing values; class follows age and sex."""
    rng = random.Random(1)
    for i in range(n):
        age, sex = round(rng.gauss(50, 10), 1), rng.choice("fm")
        city, day = rng.choice(["a2", "a10", "b", ""]), f"2020-0{1 + i % 9}-1{i % 9}"
        name = "ill" if age + 10 * (sex == "f") + rng.gauss(0, 5) > 55 else "well"
        values = round(rng.random(), 3), rng.choice(["1.5", "inf", "2"]) if i % 9 else "inf", 1 + rng.randrange(40)
        yield [i, f"p{i}", age if i % 7 else "NA", sex, rng.choice([1, 2]), city, day, *values, name]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with people.csv and the same as a workbook."""
    monkeypatch.chdir(tmp_path)
    table = [HEADER, *rows()]
    (tmp_path / "people.csv").write_text("".join(",".join(map(str, row)) + "\n" for row in table))
    (tmp_path / "people.txt").write_text("".join("\t".join(map(str, row)) + "\n" for row in table))
    from openpyxl import Workbook

    book = Workbook()
    for row in table:
        book.active.append(row)
    book.save("people.xlsx")
    return tmp_path


@pytest.fixture
def hidden(monkeypatch):
    """The command line believes that there is no Orange."""
    monkeypatch.setattr("orangecontrib.reliefe.command.reading.has_orange", lambda: False)


def run(capsys, *arguments):
    status = cli.main(["rank", *map(str, arguments)])
    found = capsys.readouterr()
    return status, found.out, found.err


ASKED = [
    ["people.csv"],
    ["people.csv", "--method", "relieff", "--significance", 3],
    ["people.txt", "--method", "multisurf"],
    ["people.xlsx", "--method", "multisurf", "--sheet", "Sheet"],
    ["people.csv", "--target", "age", "--covariate", "sex", "--covariate", "x (1)", "--group", "code"],
    ["people.csv", "--target", "code", "--task", "regression", "--method", "rrelieff"],
    ["people.csv", "--target", "time"],
    ["people.csv", "--target", "sex", "--target", "code", "--method", "rrelieff"],
    ["people.csv", "--target", "sex", "--target", "age", "--target", "city", "--method", "rrelieff"],
    ["people.csv", "--time", "time", "--event", "class=ill", "--method", "surf", "--covariate", "age"],
    ["people.csv", "--task", "unsupervised"],
    ["people.csv", "--keep", "time", "--method", "boostedrelief"],
    ["people.csv", "--keep", "day", "--method", "multisurf", "--top", 3],
    ["people.csv", "--method", "urelief", "--no-header"],
]


@with_orange
@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: " ".join(map(str, asked)))
def test_equal_to_rankings_with_orange(folder, capsys, monkeypatch, asked):
    found = []
    for is_there in True, False:
        monkeypatch.setattr("orangecontrib.reliefe.command.reading.has_orange", lambda is_there=is_there: is_there)
        status, out, err = run(capsys, *asked, "--json", "--quiet")
        assert not status, err
        found.append(json.loads(out))
        for key in ("summary", "seconds", "compile_seconds"):
            found[-1]["info"].pop(key, None)
        found[-1]["data"] = found[-1]["data"].removesuffix("-Sheet")
    assert found[0] == found[1]


@with_orange
@pytest.mark.parametrize("column", ["patient", "subject_id"])
def test_persons_are_noted_as_with_orange(tmp_path, monkeypatch, capsys, column):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{i % 20 + 40},{'p' * (column == 'patient')}{i % 9},{'uv'[i % 2]}\n" for i in range(40))
    (tmp_path / "visits.csv").write_text(f"age,{column},class\n{rows}")
    notes = []
    for is_there in True, False:
        monkeypatch.setattr("orangecontrib.reliefe.command.reading.has_orange", lambda is_there=is_there: is_there)
        notes.append(json.loads(run(capsys, "visits.csv", "--method", "relieff", "--json")[1])["info"]["input"])
    assert notes[0] == notes[1]
    assert notes[0][-1].startswith(f"'{column}' has 9 values in 40 rows")
    assert "make it the group (--group NAME)" in notes[0][-1]


CELLS = ["0", "1", "2", "1.0", "3", "-4e3", "inf", "a", "b2", "b10", "yes", *MISSING_CELLS, "1_0"]
TIMES = ["2020-01-31", "2020-02-30", "12:30", "2020-03-01 10:00:01+0100", "2020-12", "2020-123", "20200101T101010", ""]


@with_orange
@given(st.lists(st.sampled_from(CELLS), min_size=1, max_size=12) | st.lists(st.sampled_from(TIMES), min_size=1))
def test_columns_are_read_as_by_orange(cells):
    from orangecontrib.reliefe.command.loading import orange_table

    values = np.array([[cell, "z"] for cell in cells], object)
    text = TextTable([["c", "c"]], values)
    ours, _ = read_columns(text)
    table = orange_table(text)
    assert [column.name for column in ours] == ["c (1)", "c (2)"]
    theirs = table.domain["c (1)"]
    assert ours[0].is_text == (theirs.is_string)
    assert ours[0].categories == (theirs.values if theirs.is_discrete else None)
    if not theirs.is_string:
        expected = table.get_column(theirs).astype(float)
        expected[np.isinf(expected)] = np.nan
        np.testing.assert_array_equal(ours[0].values, expected)


def test_table_of_the_best_and_files(folder, capsys, hidden):
    status, out, _ = run(capsys, "people.csv", "--top", 2, "--output", "best.csv", "--plot", "best.svg")
    assert not status
    head = out.splitlines()[1:]
    assert head[0] == "people: 70 rows, 8 features, target class (2 classes: ill, well)"
    assert "1 text column left out: 'id'" in head
    assert "Row numbers left out: the first column, which has no name" in head
    assert (folder / "best.csv").read_text().startswith("rank,feature,score")
    assert (folder / "best.svg").read_text().startswith("<svg")


def test_the_standard_input(folder, capsys, hidden, monkeypatch):
    text = (folder / "people.csv").read_text()
    asked = ["--method", "relieff", "--json", "--quiet"]
    expected = json.loads(run(capsys, "people.csv", *asked)[1])["features"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    found = json.loads(run(capsys, "-", *asked)[1])
    assert found["features"] == expected
    assert found["data"] == "stdin"
    for content, message in (
        ("@relation r\n@attribute a numeric\n@data\n1\n", PIP),
        ("a,b\n1,2\n", "stdin has no target"),
    ):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
        status, _, err = run(capsys, "-")
        assert status == cli.BAD_INPUT
        assert message in err


def test_the_script_has_parameters_that_decide_on_the_target(folder, capsys, hidden):
    asked = ["people.csv", "--drop", "class", "--method", "turf", "--set", "core=urelief", "--top", 3]  # no target
    best = [feature["feature"] for feature in json.loads(run(capsys, *asked, "--json")[1])["features"]]
    exec(run(capsys, *asked, "--script")[1], {})
    assert capsys.readouterr().out.splitlines() == best


def test_the_script_gives_the_same_list(folder, capsys, hidden):
    asked = ["people.csv", "--target", "age", "--covariate", "sex", "--method", "rrelieff", "--top", 3]
    best = [feature["feature"] for feature in json.loads(run(capsys, *asked, "--json")[1])["features"]]
    exec(run(capsys, *asked, "--script")[1], {})
    assert capsys.readouterr().out.splitlines() == best


@pytest.mark.parametrize("name, message", [("time", None), ("tine", "choose from")])
def test_features_are_kept(folder, capsys, hidden, name, message):
    status, out, err = run(capsys, "people.csv", "--method", "multisurf", "--keep", name, "--top", 2, "--json")
    if message:
        assert (status, message in err) == (cli.BAD_INPUT, True)
    else:
        assert name in {feature["feature"] for feature in json.loads(out)["features"]}


@pytest.mark.parametrize(
    "asked, message",
    [
        (["iris"], "there is no file 'iris', and a data set by its name needs Orange"),
        (["data.arff"], "to read 'data.arff' needs Orange"),
        (["data.pkl", "--trust"], "to read 'data.pkl' needs Orange"),
        (["orange.tab"], "a header of three rows, names, types and roles, needs Orange"),
        (["prefix.csv"], "the prefix in 'D#a' needs Orange"),
        (["people.csv", "--output", "best.xlsx"], "to write 'best.xlsx' needs Orange"),
        (["people.csv", "--task", "hierarchical", "--target", "city"], "--task hierarchical needs Orange"),
    ],
)
def test_what_needs_orange_says_how_to_install_it(folder, capsys, hidden, asked, message):
    for name in ("data.arff", "data.pkl"):
        (folder / name).write_text("")
    (folder / "orange.tab").write_text("a\tb\nc\td\n\tclass\n1\tx\n2\ty\n")
    (folder / "prefix.csv").write_text("D#a,class\n1,x\n2,y\n")
    status, _, err = run(capsys, *asked)
    assert status == cli.BAD_INPUT
    assert message in err
    assert PIP in err


@pytest.mark.parametrize(
    "text, asked, message",
    [
        ("a,b\n1,2\n2,1\n", [], "has no target: say which column it is by --target NAME"),
        (
            "a,class\nu,1\nv,2\nw,1\nx,2\n",
            [],
            "has no features to rank: 'a' has texts with too many different values for categories",
        ),
        ("a,class\n1,x\n2,x\n", [], "the target 'class' has only one class, 'x'"),
        ("a,class\n1,x\n2,y\n", ["--target", "b"], "unknown --target 'b'"),
        ("a,b,class\n1,2,x\n2,1,y\n", ["--covariate", "class"], "is one thing only"),
        ("#a,b,class\n", [], "it has no rows"),
    ],
)
def test_bad_tables(tmp_path, monkeypatch, capsys, hidden, text, asked, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(text)
    status, _, err = run(capsys, "t.csv", *asked)
    assert status == cli.BAD_INPUT
    assert message in err


def test_names_of_orange_say_how_to_install_it(folder):
    """In a process of its own, where Orange is hidden: the package is imported, and plain files are ranked."""
    code = """
import orangecontrib.reliefe.tests.without_orange, sys
import orangecontrib.reliefe as package
from orangecontrib.reliefe.command import cli
import orangecontrib.reliefe.core.estimators, orangecontrib.reliefe.command.arrays
assert package.rank_genotypes and package.Interrupted and "rank" in package.__all__
for name in ("rank", "ReliefF", "read_table", "read_arff"):
    try:
        getattr(package, name)
    except ImportError as error:
        assert 'pip install ".[orange]"' in str(error), error
    else:
        raise AssertionError(name)
assert cli.main(["rank", "people.csv", "--method", "relieff", "--quiet"]) == 0
assert cli.main(["methods", "--json"]) == 0
from orangecontrib.reliefe.command import warming
import orangecontrib.reliefe.core.warmup
assert warming.stamp().parent.name == "orange-reliefe"
assert not {"Orange", "AnyQt", "PyQt6"} & sys.modules.keys()
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_classes_of_a_text_are_listed(tmp_path, monkeypatch, capsys, hidden):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "texts.csv").write_text("a,y\n" + "".join(f"{i}.5,t{i % 3}\n" for i in range(40)))
    assert "target y (3 classes: t0, t1, t2)" in run(capsys, "texts.csv", "--target", "y", "--method", "relieff")[1]


def test_classes_that_are_numbers_have_no_decimal_point(tmp_path, monkeypatch, capsys, hidden):
    monkeypatch.chdir(tmp_path)
    lines = [f"{i % 7},{i * 3 % 11},{1 + i % 5 if i else ''}" for i in range(60)]
    (tmp_path / "grades.csv").write_text("\n".join(["a,b,grade", *lines]) + "\n")
    asked = ["grades.csv", "--target", "grade", "--task", "classification", "--method", "relieff"]
    _, out, _ = run(capsys, *asked)
    assert "target grade (5 classes: 1, 2, 3 and 2 more)" in out
    if has_orange():
        monkeypatch.setattr("orangecontrib.reliefe.command.reading.has_orange", lambda: True)
        texts = [re.sub(r"(less than )?\S+ s$", "", text, flags=re.MULTILINE) for text in (run(capsys, *asked)[1], out)]
        assert texts[0] == texts[1]
