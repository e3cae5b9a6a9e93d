"""The command line: what it prints, where, and with which exit status."""

import csv
import io
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

import numpy as np
import openpyxl
import pytest
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, FileFormat, Table
from Orange.data.io import CSVReader, TabReader

from orangecontrib.reliefe import __version__, rank, read_table
from orangecontrib.reliefe.command import cli, terminal
from orangecontrib.reliefe.core import METHODS, TASKS, words
from orangecontrib.reliefe.core.bar_chart import bar_chart
from orangecontrib.reliefe.io import read_fimp
from orangecontrib.reliefe.orange.comparison.named_scores import columns_of

COMMAND = [sys.executable, "-m", "orangecontrib.reliefe"]


def run(capsys, *arguments):
    """Exit status, standard output, standard error."""
    try:
        status = cli.main([str(a) for a in arguments])
    except SystemExit as stop:
        status = stop.code
    return status, *capsys.readouterr()


def start(*arguments, **options):
    return subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


COMMANDS = ("rank", "describe", "replicate", "best-of", "power", "methods", "warm")


@pytest.mark.parametrize("encoding", ["ascii", "cp1250", "cp1252", "cp437"])
def test_help_is_printed_in_any_encoding(monkeypatch, encoding):
    for arguments in ([], *([command] for command in COMMANDS)):
        out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        monkeypatch.setattr(sys, "stdout", out)
        with pytest.raises(SystemExit) as stop:
            cli.main([*arguments, "--help"])
        out.flush()
        assert stop.value.code == 0
        text = out.buffer.getvalue().decode(encoding)
        assert text.startswith("usage: orange-reliefe")
        assert "\\" not in text, text  # nothing had to be escaped


def test_usage_with_letters_that_the_terminal_lacks(monkeypatch):
    errors = io.TextIOWrapper(io.BytesIO(), encoding="cp1250")
    monkeypatch.setattr(sys, "stderr", errors)
    with pytest.raises(SystemExit):
        cli.main(["rank", "iris", "--task", "r\u00b2"])
    errors.flush()
    assert b"invalid choice: 'r\\xb2'" in errors.buffer.getvalue()


def test_rank_prints_a_table(capsys):
    status, out, err = run(capsys, "rank", "heart_disease", "--method", "relieff", "--top", 3)
    best = rank(Table("heart_disease"), "relieff").best(3)
    lines = out.splitlines()
    assert (status, err) == (0, "")
    assert lines[0] == (
        "13 features ranked for 0 and 1 of diameter narrowing: no chance level was computed (for p-values add "
        "--significance)."
    )
    assert lines[1] == "heart_disease: 303 rows, 13 features, target diameter narrowing (2 classes: 0, 1)"
    assert lines[2].startswith("ReliefF: ")
    for position, (line, feature) in enumerate(zip(lines[-4:-1], best), start=1):
        assert line.startswith(f"{position}  {feature.name} ")
        assert line.endswith(tuple("▏▎▍▌▋▊▉█"))
    assert lines[-1].strip() == "... and 10 more"


def test_auto_says_why(capsys):
    _, out, _ = run(capsys, "rank", "iris")
    assert "Chosen: Boosted Relief, since" in out


def test_json(capsys):
    status, out, _ = run(capsys, "rank", "heart_disease", "--method", "relieff", "--set", "n_neighbors=5", "--json")
    document = json.loads(out)
    ranking = rank(Table("heart_disease"), "relieff", n_neighbors=5)
    assert status == 0
    assert document["parameters"]["n_neighbors"] == 5
    assert [f["rank"] for f in document["features"]] == list(range(1, 14))
    assert [f["feature"] for f in document["features"]] == [v.name for v in ranking.best(13)]
    assert document["features"][0]["score"] == ranking.scores.max()


SAMPLES = "gene\ts1\ts2\ts3\ts4\na\t1,5\t2\t1.200,5\t4\nb\t1,5\t2,5\t3\t1\nclass\tx\ty\tx\ty\n"
TEXT = ("--decimal", ",", "--transpose", "--set", "n_neighbors=1")


@pytest.mark.parametrize("options", [("heart_disease", "--significance", "20"), ("samples.txt", *TEXT)])
def test_script_gives_the_same_list(capsys, tmp_path, monkeypatch, options):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "samples.txt").write_text(SAMPLES)
    status, document, _ = run(capsys, "rank", *options, "--method", "relieff", "--top", 3, "--json")
    status, lines, _ = run(capsys, "rank", *options, "--method", "relieff", "--top", 3, "--script")
    exec(lines, {})
    found = capsys.readouterr().out.splitlines()
    assert (status, found) == (0, [feature["feature"] for feature in json.loads(document)["features"]])
    assert found
    assert len(lines.splitlines()) <= 6


def test_files_are_turned_and_decimal_marks_chosen(tmp_path):
    (tmp_path / "samples.txt").write_text(SAMPLES)
    table = read_table(str(tmp_path / "samples.txt"), decimal=",", transpose=True)
    assert table.X.tolist() == [[1.5, 1.5], [2, 2.5], [1200.5, 3], [4, 1]]
    assert table.domain.class_var.values == ("x", "y")
    (tmp_path / "points.csv").write_text('a,b,y\n"1,234.5",1.5,u\n"12,000",2.5,v\n')
    assert read_table(str(tmp_path / "points.csv"), decimal=".").X.tolist() == [[1234.5, 1.5], [12000, 2.5]]
    (tmp_path / "commas.csv").write_text("a;b;y\n1,234;1.000;u\n12,1;2.000;v\n")
    assert read_table(str(tmp_path / "commas.csv"), decimal=",").X.tolist() == [[1.234, 1000], [12.1, 2000]]
    (tmp_path / "x.arff").write_text("@relation r\n@attribute x numeric\n@data\n1\n")
    with pytest.raises(ValueError, match="--transpose is for text tables"):
        read_table(str(tmp_path / "x.arff"), transpose=True)


def test_the_target_of_a_table_that_is_read(tmp_path):
    path = tmp_path / "visits.csv"
    path.write_text("ill,a,b\n" + "".join(f"{'yes' if i % 2 else 'no'},{i % 5},{i}.5\n" for i in range(9)))
    assert not read_table(str(path)).domain.class_vars
    for target in ("ill", ["ill"]):
        table = read_table(str(path), target)
        assert (table.name, table.domain.class_var.name) == ("visits", "ill")
        assert [variable.name for variable in table.domain.attributes] == ["a", "b"]
    assert not read_table(str(path), ["ill", "a"]).domain.class_vars  # rank takes both by name
    with pytest.raises(ValueError, match="visits has no column 'il'; choose from 'ill', 'a', 'b'"):
        read_table(str(path), "il")


def test_top_cuts_json(capsys):
    assert len(json.loads(run(capsys, "rank", "iris", "--json", "--top", 2)[1])["features"]) == 2


@pytest.mark.parametrize("ending", [".tab", ".xlsx", ".pkl"])
def test_output_is_a_table_of_all_scores(capsys, tmp_path, ending):
    path = tmp_path / f"scores{ending}"
    status, _, err = run(capsys, "rank", "iris", "--method", "relieff", "--top", 1, "--output", path)
    assert (status, err) == (0, "")
    scores = Table(str(path))
    assert scores.get_column("ReliefF") == pytest.approx(rank(Table("iris"), "relieff").scores, abs=1e-6)
    assert list(scores.get_column("Feature")) == [a.name for a in Table("iris").domain.attributes]


def test_no_name_becomes_a_formula(capsys, tmp_path):
    names = ["=1+1", "@x", "-a", "{=2}", "plain"]
    X = np.random.default_rng(0).normal(size=(30, 5))
    target = DiscreteVariable("y", ("a", "b"))
    data = Table.from_numpy(Domain([ContinuousVariable(n) for n in names], target), X, (X[:, 0] > 0).astype(float))
    data.save(str(tmp_path / "data.tab"))
    for ending in (".csv", ".tab", ".tsv", ".xlsx"):
        output = tmp_path / f"scores{ending}"
        assert run(capsys, "rank", tmp_path / "data.tab", "--method", "relieff", "--output", output)[0] == 0
    with open(tmp_path / "scores.csv", encoding="utf-8", newline="") as file:
        assert {row["feature"] for row in csv.DictReader(file)} == {"'=1+1", "'@x", "'-a", "{=2}", "plain"}
    for ending in (".csv", ".tab", ".tsv"):
        table = Table(str(tmp_path / f"scores{ending}"))
        assert {name for c in columns_of(table) for name in c.names} == {*names}
    assert {*table.metas[:, 0]} == {"'=1+1", "'@x", "'-a", "{=2}", "plain"}
    cells = [cell for row in openpyxl.load_workbook(tmp_path / "scores.xlsx").active for cell in row]
    assert {*names} < {cell.value for cell in cells}
    assert {cell.data_type for cell in cells} == {"s", "n"}


def test_output_as_tab_has_three_rows_above_the_scores(capsys, tmp_path):
    path = tmp_path / "scores.tab"
    run(capsys, "rank", "iris", "--output", path)
    assert path.read_text(encoding="utf-8").splitlines()[1:3] == ["string\tcontinuous", "meta\t"]


def test_output_as_csv_is_plain_and_in_order_of_rank(capsys, tmp_path):
    path = tmp_path / "scores.csv"
    status, _, err = run(capsys, "rank", "iris", "--method", "relieff", "--top", 1, "--output", path)
    assert (status, err) == (0, "")
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    ranking = rank(Table("iris"), "relieff")
    assert header == ["rank", "feature", "score"]
    assert [row[0] for row in rows] == ["1", "2", "3", "4"]
    assert [row[1] for row in rows] == [feature.name for feature in ranking.best(4)]
    assert [float(row[2]) for row in rows] == ranking.scores[ranking.ranking].tolist()  # to the last digit
    assert b"\r" not in path.read_bytes()


TWO_TARGETS = "--target", "age", "--target", "gender", "--set", "per_target=true"


def test_output_as_csv_has_a_column_for_each_target(capsys, tmp_path):
    path = tmp_path / "scores.csv"
    run(capsys, "rank", "heart_disease", *TWO_TARGETS, "--output", path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    ranking = rank(Table("heart_disease"), target=["age", "gender"], per_target=True)
    assert list(rows[0]) == ["rank", "feature", "score", "score (age)", "score (gender)"]
    for name, scores in zip(("age", "gender"), ranking.per_target):
        assert [float(row[f"score ({name})"]) for row in rows] == scores[ranking.ranking].tolist()


def test_output_as_fimp(capsys, tmp_path):
    path = tmp_path / "scores.fimp"
    assert run(capsys, "rank", "heart_disease", *TWO_TARGETS, "--output", path)[0] == 0
    ranking = rank(Table("heart_disease"), target=["age", "gender"], per_target=True)
    fimp = read_fimp(path)
    assert fimp.titles == ("RReliefF", "RReliefF (age)", "RReliefF (gender)")
    assert fimp.names == tuple(feature.name for feature in ranking.best(11))
    attributes = Table("heart_disease").domain.attributes
    assert [attributes[j].name for j in fimp.indices] == list(fimp.names)
    assert fimp.scores.tolist() == np.vstack([ranking.scores, ranking.per_target])[:, ranking.ranking].tolist()


def test_names_that_fimp_cannot_have(capsys, tmp_path):
    data, path = tmp_path / "data.pkl", tmp_path / "scores.fimp"
    values = np.random.default_rng(0).integers(0, 2, (40, 3)).astype(float)
    targets = [DiscreteVariable(name, ("0", "1")) for name in ("[a", "(a")]
    Table.from_numpy(Domain([ContinuousVariable("x\ty")], targets), values[:, :1], values[:, 1:]).save(str(data))
    assert run(capsys, "rank", data, "--trust", "--set", "per_target=true", "--output", path)[0] == 0
    assert read_fimp(path).names == ("x y",)
    assert len(read_fimp(path).titles) == 3


def svg_texts(path):
    """All texts of an SVG by their parent's tag; fails if it is no well-formed XML."""
    root = ElementTree.parse(path).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    return [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")], root


def test_plot(capsys, tmp_path):
    path = tmp_path / "best.svg"
    status, _, err = run(capsys, "rank", "heart_disease", "--method", "relieff", "--top", 3, "--plot", path)
    ranking = rank(Table("heart_disease"), "relieff")
    best = ranking.best(3)
    texts, root = svg_texts(path)
    assert (status, err) == (0, "")
    assert texts[:3] == [
        "ReliefF",
        "heart_disease: 303 rows, 13 features, target diameter narrowing (2 classes: 0, 1)",
        "the 3 best are shown",
    ]
    assert texts[3::2] == [feature.name for feature in best]
    assert texts[4::2] == [f"{score:.5f}" for score in np.sort(ranking.scores)[:-4:-1]]
    background, *bars = root.iter("{http://www.w3.org/2000/svg}rect")
    assert (background.get("fill"), background.get("width")) == ("#ffffff", root.get("width"))
    widths = [float(bar.get("width")) for bar in bars]
    assert np.array(widths) / widths[0] == pytest.approx(
        np.sort(ranking.scores)[:-4:-1] / ranking.scores.max(), abs=1e-3
    )


def test_plot_of_any_names_and_scores(tmp_path):
    path = tmp_path / "x.svg"
    names = ["<b>&\"'", "a\x1b\x00\ud800\nb", "x" * 99, "表情"]
    path.write_text(bar_chart("SURF* <", ["a & b"], names, np.array([2.0, 0.0, -1.0, -2.0])), encoding="utf-8")
    texts, root = svg_texts(path)
    assert texts[:4] == ["SURF* <", "a & b", names[0], "2.00000"]
    assert texts[4] == "a????b"
    assert len(texts[6]) == words.NAME_WIDTH
    _, *bars = root.iter("{http://www.w3.org/2000/svg}rect")
    left, width = (np.array([float(bar.get(name)) for bar in bars]) for name in ("x", "width"))
    assert width.tolist() == [210, 0, 105, 210]
    assert (left + width)[2:] == pytest.approx(left[:2])  # negative ones end where the others begin
    edges = [float(node.get("x")) for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert min(edges) >= 0
    assert (left + width).max() < float(root.get("width"))


def test_note_on_suspects(capsys):
    _, out, _ = run(capsys, "rank", "zoo", "--method", "multisurf")
    assert "features depending on the target alone: 'feathers', 'milk'. Leave out those" in out


@pytest.mark.parametrize("scores", [[0.0, 0.0], [-1.0, -2.0], []])
def test_plot_without_positive_scores(scores):
    root = ElementTree.fromstring(bar_chart("x", [], ["a", "b"][: len(scores)], np.array(scores)))
    assert float(root.get("width")) > 0


def test_quiet_is_nothing_but_the_ranking(capsys, monkeypatch):
    screen = Terminal()
    _, loud, _ = run(capsys, "rank", "heart_disease", "--method", "relieff", "--top", 3)
    monkeypatch.setattr(sys, "stderr", screen)
    assert cli.main(["rank", "heart_disease", "--method", "relieff", "--top", "3", "--quiet"]) == 0
    assert capsys.readouterr().out.splitlines() == loud.splitlines()[-4:-1]
    assert screen.getvalue() == ""
    assert cli.main(["rank", "no-such-data", "--quiet"]) == 2
    assert "no-such-data" in screen.getvalue()


def rows_of(names, separator=",", n=40, kinds="abc"):
    """Text of a table: numbers, but in the last column letters."""
    rng = np.random.default_rng(0)
    rows = [[f"{x:.3f}" for x in rng.normal(size=len(names) - 1)] + [kinds[i % len(kinds)]] for i in range(n)]
    return "\n".join(map(separator.join, [names, *rows])) + "\n"


def save_rows(path, text):
    """A CSV, or a spreadsheet with the same cells."""
    if path.suffix == ".xlsx":
        book = openpyxl.Workbook()
        for row in csv.reader(io.StringIO(text)):
            book.active.append(row)
        book.save(path)
    else:
        path.write_text(text.replace(",", "\t") if path.suffix == ".tab" else text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["class", "Target", "LABEL", "y", "outcome"])
@pytest.mark.parametrize("ending", [".csv", ".xlsx", ".tab"])
def test_last_column_with_the_name_of_a_target(capsys, tmp_path, name, ending):
    path = save_rows(tmp_path / f"data{ending}", rows_of(["a", "b", name]))
    status, out, err = run(capsys, "rank", path, "--method", "relieff")
    assert (status, err) == (0, "")
    lines = out.splitlines()[1:]
    assert lines[0] == f"data: 40 rows, 2 features, target {name} (3 classes: a, b, c)"
    assert lines[1] == f"Target: the last column, '{name}', by its name (--target NAME chooses another)"
    document = json.loads(run(capsys, "rank", path, "--json")[1])
    assert document["targets"] == [name]
    assert document["info"]["input"] == [lines[1]]
    assert {feature["feature"] for feature in document["features"]} == {"a", "b"}


def test_last_column_of_text_is_a_target(capsys, tmp_path):
    """With few rows Orange takes seven words for texts."""
    path = save_rows(tmp_path / "data.csv", rows_of(["a", "b", "class"], n=14, kinds="abcdefg"))
    assert Table(str(path)).domain.metas[0].is_string  # or else this tests nothing
    assert digest_line(capsys, path) == "data: 14 rows, 2 features, target class (7 classes: a, b, c and 4 more)"
    assert json.loads(run(capsys, "rank", path, "--json")[1])["info"]["classes"] == 7


def test_last_column_of_numbers_says_how_to_make_it_classes(capsys, tmp_path):
    path = save_rows(tmp_path / "data.csv", rows_of(["a", "b", "class"], kinds="1234"))
    _, out, _ = run(capsys, "rank", path)
    assert out.splitlines()[3].endswith("It is read as a number; --task classification reads them as classes")
    document = json.loads(run(capsys, "rank", path, "--task", "classification", "--json")[1])
    assert (document["info"]["task"], document["info"]["classes"]) == ("classification", 4)
    assert "read as" not in document["info"]["input"][0]


@pytest.mark.parametrize("arguments", [("--task", "unsupervised"), ("--method", "urelief")])
@pytest.mark.parametrize("n", [40, 14])  # of the fewer ones, Orange takes the last column for text
def test_last_column_is_no_feature_where_there_is_no_target(capsys, tmp_path, arguments, n):
    path = save_rows(tmp_path / "data.csv", rows_of(["a", "b", "class"], n=n, kinds="abcdefg"))
    document = json.loads(run(capsys, "rank", path, "--json", *arguments)[1])
    assert {feature["feature"] for feature in document["features"]} == {"a", "b"}
    assert document["targets"] == []
    assert document["info"]["input"] == ["The last column, 'class', is left aside: its name is that of a target"]


@pytest.mark.parametrize("ending", [".csv", ".xlsx", ".tab"])
@pytest.mark.parametrize("names, listed", [
    (["a", "class", "b", "c"], "'a', 'class', 'b', 'c'"),
    (["y", "class", "klass"], "'y', 'class', 'klass'"),
    (["m#y", "a", "D#outcome of it"], "'y', 'a', 'outcome of it'"),
    ([f"x{j}" for j in range(99)], "'x0', 'x1', 'x2', 'x3', 'x4' ... 'x94', 'x95', 'x96', 'x97', 'x98'")],
    ids=range(4))  # fmt: skip
def test_no_target_names_the_columns(capsys, tmp_path, ending, names, listed):
    path = save_rows(tmp_path / f"data{ending}", rows_of(names))
    status, out, err = run(capsys, "rank", path)
    assert (status, out) == (2, "")
    assert err == (
        "orange-reliefe: data has no target: say which column it is by --target NAME, or rank without one by "
        f"--task unsupervised; its columns: {listed}\n"
    )
    for arguments in (["--task", "unsupervised"], ["--method", "urelief"], ["--target", listed.split("'")[1]]):
        assert run(capsys, "rank", path, *arguments)[0] == 0


def test_european_numbers_are_numbers(capsys, monkeypatch, tmp_path):
    """Not categories, of which the target would be classes; as a file and on the standard input."""
    values = np.random.default_rng(0).normal(size=(60, 4))
    rows = [f"{a};{b};{c};{2 * a + d}" for a, b, c, d in values.round(3).tolist()]
    text = "\n".join(["a;b;c;y", *rows]).replace(".", ",") + "\n"
    (tmp_path / "data.csv").write_text(text, encoding="utf-8")
    for status, out, err in (
        run(capsys, "rank", tmp_path / "data.csv", "--method", "rrelieff"),
        piped(capsys, monkeypatch, text.encode(), "--method", "rrelieff"),
    ):
        assert (status, err) == (0, "")
        lines = out.splitlines()[1:]
        assert lines[0].endswith(": 60 rows, 3 features, target y (number)")
        assert lines[1] == "Read with ';' between columns and decimal commas"
        assert lines[-3].startswith("1  a ")


@pytest.mark.parametrize("arguments, said", [
    (("housing",), "target MEDV (number)"),
    (("housing", "--target", "RAD", "--task", "classification"), "target RAD (9 classes: 1, 2, 3 and 6 more)"),
    (("zoo", "--target", "legs"), "target legs (6 classes: 0, 2, 4 and 3 more)"),
    (("zoo", "--task", "hierarchical"), "target type (hierarchical)")], ids=range(4))  # fmt: skip
def test_the_head_says_what_the_target_is(capsys, arguments, said):
    assert digest_line(capsys, *arguments).endswith(f" features, {said}")


def test_a_file_without_a_header_has_no_target(capsys, tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("".join(f"{i},{i % 7},{i * i % 11}\n" for i in range(40)), encoding="utf-8")
    assert "columns: 'Feature 1', 'Feature 2', 'Feature 3'" in run(capsys, "rank", path)[2]


@pytest.mark.parametrize(
    "header, target",
    [
        ("a,b,D#class", "class"),
        ("a,b,cD#kind", "kind"),
        ("a,cC#b,class", "b"),
        ("a,b,C#y#1", None),
        ("a,b,m#class", None),
    ],
)
def test_prefixes_of_orange(capsys, tmp_path, header, target):
    path = save_rows(tmp_path / "data.csv", rows_of(header.split(","), kinds="1234"))
    status, out, err = run(capsys, "rank", path)
    assert (status, f"target {target}" in out, "--target NAME" in err) == (
        (0, True, False) if target else (2, False, True)
    )


def test_a_header_of_orange_that_names_no_target_is_believed(capsys, tmp_path):
    path = tmp_path / "data.tab"
    path.write_text(
        "a\tb\tc\nc\tc\td\n\t\t\n" + "".join(f"{i}\t{i % 7}\t{i % 3}\n" for i in range(40)), encoding="utf-8"
    )
    assert digest_line(capsys, path) == "data: 40 rows, 3 features, no target"
    path.write_text(path.read_text(encoding="utf-8").replace("\tc\n", "\tclass\n", 1), encoding="utf-8")
    assert digest_line(capsys, path) == "data: 40 rows, 2 features, target class (3 classes: 0, 1, 2)"


def test_a_target_that_is_given_is_the_only_one(capsys, tmp_path):
    path = save_rows(tmp_path / "data.csv", rows_of(["a", "b", "class"]))
    document = json.loads(run(capsys, "rank", path, "--target", "a", "--json")[1])
    assert (document["targets"], document["info"]["input"]) == (["a"], [])
    assert {feature["feature"] for feature in document["features"]} == {"b", "class"}


def test_text_columns_are_counted(capsys, tmp_path):
    path = tmp_path / "data.csv"
    rows = "".join(
        f"{i},{i % 7}," + ",".join(f"{c} {i // 2}" for c in "abcd") + f",{'no' if i % 3 else 'yes'}\n"
        for i in range(40)
    )
    path.write_text(f"x,y,A,B,C,D,class\n{rows}", encoding="utf-8")
    assert run(capsys, "rank", path)[1].splitlines()[3] == "4 text columns left out: 'A', 'B', 'C' and 1 more"
    assert run(capsys, "rank", path, "--target", "A")[1].splitlines()[2] == "3 text columns left out: 'B', 'C', 'D'"
    assert run(capsys, "rank", "zoo")[1].splitlines()[2] == "1 text column left out: 'name'"


def piped(capsys, monkeypatch, content, *arguments):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    return run(capsys, "rank", "-", *arguments)


ARFF = "% of a test\n@Relation x\n@attribute a numeric\n@attribute b {u,v}\n@data\n" + "1,u\n2,v\n3,u\n1,v\n" * 9


ABC = "stdin: 40 rows, 2 features, target class (3 classes: a, b, c)"


@pytest.mark.parametrize("content, line", [
    (rows_of(["a", "b", "class"]).encode(), ABC),
    (b"\xef\xbb\xbf" + rows_of(["a", "b", "class"]).encode(), ABC),
    (rows_of(["a", "b, c", "class"], "\t").encode(), ABC),
    (rows_of(["a", "b", "class"], ";").encode(), ABC),
    (ARFF.encode(), "stdin: 36 rows, 1 features, target b (2 classes: u, v)")],
    ids=["csv", "bom", "tab", "semicolon", "arff"])  # fmt: skip
def test_standard_input(capsys, monkeypatch, content, line):
    status, out, err = piped(capsys, monkeypatch, content, "--method", "relieff")
    assert (status, err, out.splitlines()[1]) == (0, "", line)


@pytest.mark.parametrize("content, said", [
    (b"", "empty"), (b" \n\n", "empty"), (b"PK\x03\x04\x00\x00", "binary"), (b"a,b\n1,2\n", "--target NAME"),
    (ARFF.encode() + b"x,u\n", "stdin.arff, line 42, column 1")])  # fmt: skip
def test_standard_input_that_cannot_be_read(capsys, monkeypatch, content, said):
    status, out, err = piped(capsys, monkeypatch, content)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert tempfile.gettempdir() not in err


def test_output_as_json(capsys, tmp_path):
    path = tmp_path / "scores.json"
    run(capsys, "rank", "iris", "--output", path)
    assert len(json.loads(path.read_text(encoding="utf-8"))["features"]) == 4


def test_a_file_with_target_and_task(capsys, tmp_path):
    path = tmp_path / "data.csv"
    rows = "\n".join(f"{i},{i % 7},{i % 5}" for i in range(60))
    path.write_text(f"number,C#other,C#count\n{rows}\n", encoding="utf-8")
    for task, arguments in (("regression", ()), ("classification", ("--task", "classification"))):
        _, out, _ = run(capsys, "rank", path, "--target", "count", "--json", *arguments)
        document = json.loads(out)
        assert document["targets"] == ["count"]
        assert document["info"]["task"] == task


def digest_line(capsys, *arguments):
    status, out, err = run(capsys, "rank", *arguments)
    assert (status, err) == (0, "")
    return out.splitlines()[1]  # behind the conclusion


def test_tasks_are_those_of_the_core():
    assert cli.TASKS == TASKS


def test_several_targets(capsys):
    targets = "--target", "age", "--target", "gender"
    arguments = "heart_disease", *targets, "--set", "per_target=true"
    assert digest_line(capsys, *arguments) == "heart_disease: 303 rows, 11 features, targets age, gender (multi-target)"
    document = json.loads(run(capsys, "rank", *arguments, "--json")[1])
    ranking = rank(Table("heart_disease"), target=["age", "gender"], per_target=True)
    best = ranking.ranking[0]
    assert document["targets"] == ["age", "gender"]
    assert document["info"]["task"] == "multi-target"
    assert document["features"][0]["targets"] == dict(zip(ranking.labels, ranking.per_target[:, best].tolist()))


def test_many_targets_are_cut_short(capsys, tmp_path):
    path = tmp_path / "labels.csv"
    rows = "\n".join(f"{i % 11}," + ",".join("no" if i % k else "yes" for k in range(2, 7)) for i in range(40))
    path.write_text("number," + ",".join(f"cD#{k}" for k in range(2, 7)) + f"\n{rows}\n", encoding="utf-8")
    assert digest_line(capsys, path) == "labels: 40 rows, 1 features, targets 2, 3, 4 and 2 more (multi-label)"


def test_paths_are_a_hierarchy(capsys):
    document = json.loads(run(capsys, "rank", "zoo", "--task", "hierarchical", "--json")[1])
    assert document["info"]["task"] == "hierarchical"
    assert "targets" not in document["features"][0]


@pytest.mark.parametrize("arguments", [(), ("--method", "urelief"), ("--method", "sslrelief")])
def test_no_target(capsys, tmp_path, arguments):
    path = tmp_path / "iris.tab"
    iris = Table("iris")
    iris.transform(Domain(iris.domain.attributes)).save(str(path))
    assert digest_line(capsys, path, *arguments) == "iris: 150 rows, 4 features, no target"
    document = json.loads(run(capsys, "rank", path, "--json", *arguments)[1])
    assert document["targets"] == []
    assert document["info"]["task"] == "unsupervised"


@pytest.mark.parametrize("arguments", [("--task", "unsupervised"), ("--method", "urelief")])
def test_a_target_that_is_left_aside(capsys, arguments):
    assert digest_line(capsys, "iris", *arguments) == "iris: 150 rows, 4 features, no target"


def test_arff(capsys, tmp_path):
    path, scores = tmp_path / "data.arff", tmp_path / "scores.arff"
    rows = "\n".join(f"{i % 7},{i % 5},{i % 2},{i // 20 % 2}" for i in range(60))
    attributes = "@attribute x numeric\n@attribute y numeric\n@attribute a {0,1}\n@attribute b {0,1}"
    path.write_text(f"@relation 'data: -C -2'\n{attributes}\n@data\n{rows}\n", encoding="utf-8")
    assert digest_line(capsys, path, "--output", scores) == "data: 60 rows, 2 features, targets a, b (multi-label)"
    assert len(Table(str(scores))) == 2


def test_arff_that_is_damaged_says_where(capsys, tmp_path):
    path = tmp_path / "data.arff"
    path.write_text("@relation data\n@attribute x numeric\n@data\n1\nx\n", encoding="utf-8")
    status, _, err = run(capsys, "rank", path)
    assert status == 2
    assert "data.arff, line 5, column 1" in err


def test_arff_is_known_in_a_fresh_process(tmp_path):
    path = tmp_path / "iris.arff"
    Table("iris").save(str(path))
    process = start("rank", str(path), "--method", "relieff")
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    assert out.partition("\n")[2].startswith(
        "iris: 150 rows, 4 features, target iris (3 classes: Iris-setosa, Iris-versicolor, Iris-virginica)\n"
    )


def test_settings_and_rows_and_seed(capsys):
    def scores(*arguments):
        return run(capsys, "rank", "iris", "--method", "relieff", "--json", *arguments)[1]

    first = json.loads(scores("--n-instances", "0.5", "--seed", "1", "--jobs", "1", "--set", "sigma=20"))
    assert first["parameters"]["n_instances"] == 0.5
    assert first["parameters"]["sigma"] == 20
    second = json.loads(scores("--n-instances", "0.5", "--seed", "2", "--set", "sigma=20"))
    assert first["features"] != second["features"]


@pytest.mark.parametrize(
    "text, value",
    [
        ("20", 20),
        ("0.5", 0.5),
        ("none", None),
        ("True", True),
        ("0.05,0.1", (0.05, 0.1)),
        ("ignore", "ignore"),
        ("1e", "1e"),
    ],
)
def test_values_of_settings(text, value):
    assert cli._setting(f"name={text}") == ("name", value)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["x"], "choose from"),
        (["rank", "iris", "--covariat", "age"], "unrecognized arguments: --covariat age; choose from --covariate"),
        (["rank", "heart_disaese"], "'heart_disease'"),
        (["rank", "heart_disease", "--target", "diametr"], ": unknown --target 'diametr'; choose from 'diameter narr"),
        (["rank", "iris", "--method", "relieff", "--set", "missing=clas"], ": unknown --set missing 'clas'; choose"),
        (["rank"], "DATA"),
        (["rank", "no-such-data"], "no file and no data set of Orange named 'no-such-data'"),
        (["rank", "iris", "--method", "relief-f"], "unknown --method 'relief-f'; choose from relieff, rrelieff, "),
        (["rank", "iris", "--method", "rrelieff"], "regression"),
        (["rank", "iris", "--target", "x"], "choose from 'sepal length'"),
        (["rank", "iris", "--set", "x"], "NAME=VALUE"),
        (["rank", "iris", "--method", "relieff", "--set", "x=1"], "no parameter (--set) 'x'; choose from n_nei"),
        (["rank", "iris", "--method", "relieff", "--set", "n_neighbors=0"], "n_neighbors"),
        (["rank", "iris", "--method", "relieff", "--set", "n_neighbors=few"], ": --set n_neighbors must"),
        (
            ["rank", "iris", "--method", "turf", "--set", "core=relieff", "--set", "core.n_neighbors=0"],
            ": --set core.n",
        ),
        (["rank", "iris", "--n-instances", "none_of_them"], ": --n-instances must"),
        (["rank", "iris", "--jobs", "0"], ": --jobs must"),
        (["rank", "iris", "--seed", "-1"], ": --seed must"),
        (["rank", "iris", "--significance", "9999999"], ": --significance must"),
        (["rank", "iris", "--top", "0"], "from 1"),
        (["rank", "iris", "--output", "scores.doc"], ".tab"),
        (["rank", "iris", "--output", "no-such-folder/scores.tab"], "no folder"),
        (["rank", "iris", "--output", "scores.svg"], ".fimp"),
        (["rank", "iris", "--plot", "best.png"], ".svg"),
        (["rank", "iris", "--plot", "no-such-folder/best.svg"], "no folder"),
        (["rank", "iris", "--task", "x"], "regression"),
        (["rank", "iris", "--task", "multi-label"], "0, 1"),
        (["rank", "iris", "--task", "unsupervised", "--method", "relieff"], "not for unsupervised"),
        (["rank", "heart_disease", "--target", "age", "--target", "gender", "--task", "regression"], "takes one"),
    ],
)
def test_bad_input_is_one_line_and_status_2(capsys, arguments, message):
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("orange-reliefe")
    assert message in err


@pytest.mark.parametrize(
    "name, content", [("a.xlsx", "no sheet"), ("a.pkl", "no pickle"), ("a.unknown", "x"), ("a.tab", "")]
)
def test_files_that_cannot_be_read(capsys, tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    status, out, err = run(capsys, "rank", path)
    assert (status, out, err.count("\n")) == (2, "", 1)


class Bomb:
    """Makes a folder when it is unpickled."""

    def __init__(self, path):
        self.path = str(path)

    def __reduce__(self):
        return os.mkdir, (self.path,)


@pytest.mark.parametrize("ending", [".pkl", ".pickle", ".pkl.gz", ".pickle.gz", ".pkl.bz2", ".pickle.xz"])
def test_pickles_are_not_opened_unless_trusted(capsys, tmp_path, ending):
    path, trace = tmp_path / f"data{ending}", tmp_path / "trace"
    with FileFormat.open(str(path), "wb") as file:
        pickle.dump(Bomb(trace), file)
    for name in (path, str(path).removesuffix(ending)):  # Orange looks for endings
        status, out, err = run(capsys, "rank", name)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert "--trust" in err
        assert not trace.exists()
    assert run(capsys, "rank", path, "--trust")[0] == 2  # nothing that could be ranked
    assert trace.exists()


def test_trusted_pickles_are_ranked(capsys, tmp_path):
    path = tmp_path / "data.pkl"
    Table("iris").save(str(path))
    status, out, _ = run(capsys, "rank", path, "--trust")
    assert (status, "petal length" in out) == (0, True)


@pytest.mark.parametrize("ending", [".tab", ".csv", ".tab.gz", ".csv.xz"])
@pytest.mark.parametrize("protocol", [0, 4])  # the first one is text
def test_metadata_are_not_unpickled_unless_trusted(capsys, tmp_path, ending, protocol):
    path, trace = tmp_path / f"data{ending}", tmp_path / "trace"
    writer = TabReader if ".tab" in ending else CSVReader
    writer.write_file(str(path), Table("iris"))
    (tmp_path / f"data{ending}.metadata").write_bytes(pickle.dumps(Bomb(trace), protocol))
    plain = run(capsys, "rank", path)
    assert (plain[0], plain[2]) == (0, "")
    assert not trace.exists()
    run(capsys, "rank", path, "--trust")
    assert trace.exists()


def test_readers_of_others_need_trust(capsys, tmp_path):
    class Reader(FileFormat):
        EXTENSIONS = (".strange",)
        DESCRIPTION = "strange"

        def read(self):
            return Table("iris")

    try:
        type(FileFormat)._ext_to_attr_if_attr2.cache_clear()
        path = tmp_path / "a.strange"
        path.write_text("x", encoding="utf-8")
        assert "--trust" in run(capsys, "rank", path)[2]
        assert run(capsys, "rank", path, "--trust")[0] == 0
    finally:
        del FileFormat.registry["Reader"]
        type(FileFormat)._ext_to_attr_if_attr2.cache_clear()


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/a.pkl", "file:///etc/a.pkl", "https://127.0.0.1:9/a.tab"])
@pytest.mark.parametrize("trust", [(), ("--trust",)])
def test_addresses_are_not_opened(capsys, address, trust):
    status, out, err = run(capsys, "rank", address, *trust)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "download" in err


def test_a_folder_is_no_data(capsys, tmp_path):
    assert run(capsys, "rank", tmp_path)[0] == 2


@pytest.mark.parametrize("installed", [False, True])
def test_methods(capsys, tmp_path, monkeypatch, installed):
    file = tmp_path / "methods.json"
    monkeypatch.setattr(cli, "METHODS_FILE", file)
    if installed:  # as setup.py does
        file.write_text(run(capsys, "methods", "--json")[1], encoding="utf-8")
        monkeypatch.setattr(cli, "_documents", None)
        monkeypatch.delitem(sys.modules, cli.REGISTRY)
    status, out, _ = run(capsys, "methods")
    flat = " ".join(out.split())
    assert status == 0
    for method in METHODS.values():
        assert f"{method.name} ({method.title}" in flat
        assert method.citation in flat
        assert all(p.name in flat for p in method.parameters)
    assert " core=relieff, " in flat


def test_methods_as_json(capsys):
    document = json.loads(run(capsys, "methods", "--json")[1])
    assert [m["name"] for m in document] == list(METHODS)
    assert [p["name"] for p in document[0]["parameters"]] == [p.name for p in METHODS["reliefe"].parameters]


def test_help_of_rank_is_in_groups_with_examples_that_parse(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        cli.main(["rank", "--help"])
    text = capsys.readouterr().out
    assert all(len(line) <= 80 for line in text.splitlines())
    titles = re.findall(r"^([a-z][a-z -]*):$", text, re.MULTILINE)
    expected = ["data", "target and features", "study", "method", "p-values", "output", "genotypes"]
    assert [title for title in titles if title in expected] == expected
    examples = re.findall(r"Example:\s+orange-reliefe\s+(.+?)\n\n", text, re.DOTALL)
    assert len(examples) == len(expected)
    for example in examples:
        arguments = cli._parser().parse_args(example.split())
        assert arguments.data in ("people.csv", "study.bed")


def test_shells_complete_words(tmp_path):
    pytest.importorskip("argcomplete")
    words = "orange-reliefe rank --signif"
    asked = {"_ARGCOMPLETE": "1", "COMP_LINE": words, "COMP_POINT": str(len(words)), "_ARGCOMPLETE_IFS": "|"}
    asked |= {"_ARGCOMPLETE_STDOUT_FILENAME": str(tmp_path / "words.txt"), "COMP_TYPE": "9"}
    subprocess.run(COMMAND, env={**os.environ, **asked}, stdout=subprocess.PIPE, timeout=120, check=False)
    assert (tmp_path / "words.txt").read_text().strip().split("|") == ["--significance"]


def test_without_arguments_there_is_help(capsys):
    status, out, err = run(capsys)
    assert (status, out) == (2, "")
    assert err.startswith("usage: orange-reliefe")
    assert "rank the features of a data set" in err


def test_arguments_of_scripts_are_not_named(capsys, tmp_path):
    assert terminal.with_options("why (with n_instances=None all are)") == "why (with --n-instances none all are)"
    path = tmp_path / "data.tab"
    path.write_text("a\tb\nc\tc\n\t\n" + "1\t2\n3\t4\n" * 9, encoding="utf-8")
    status, _, err = run(capsys, "rank", path, "--method", "relieff")
    assert status == 2
    assert "choose one (--target NAME): 'a', 'b'" in err


def test_version(capsys):
    assert run(capsys, "--version")[:2] == (0, f"orange-reliefe {__version__}\n")


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self):
        return True


def test_progress_is_shown_on_a_terminal_and_wiped(capsys, monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    assert cli.main(["rank", "heart_disease", "--method", "relieff"]) == 0
    shown = screen.getvalue()
    assert "100 %" in shown
    assert shown.endswith(" \r")


def test_no_progress_without_a_terminal(capsys):
    assert run(capsys, "rank", "iris")[2] == ""


def test_ascii_where_the_encoding_has_no_more(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("visokost č,cC#razred\n" + "\n".join(f"{i},{i // 20}" for i in range(60)) + "\n", encoding="utf-8")
    process = start("rank", str(path), "--method", "rrelieff", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    assert "visokost \\u010d" in out
    assert out.isascii()


def test_names_keep_to_their_column():
    assert words.shortened("a\x1b[31m\nb") == "a?[31m?b"
    assert len(words.shortened("x" * 99)) == words.NAME_WIDTH


def test_bars():
    screen = Terminal()
    assert terminal.bar(1.0, 4, screen) == "████"
    assert terminal.bar(0.5, 4, screen) == "██"
    assert terminal.bar(0.28, 4, screen) == "█▏"
    assert terminal.bar(-0.5, 4, screen) == terminal.bar(0.0, 4, screen) == ""


@pytest.mark.parametrize("arguments, heavy", [
    ("rank --help", "numba Orange numpy sklearn"), ("methods", "numba Orange pandas scipy.stats"),
    pytest.param("rank heart_disease", "Orange.preprocess", marks=pytest.mark.slow)])  # fmt: skip
def test_commands_import_what_they_need(arguments, heavy):
    program = (
        "import sys; from orangecontrib.reliefe.command.cli import main\n"
        f"try: status = main({arguments.split()})\n"
        "except SystemExit as stop: status = stop.code\n"
        f"sys.exit(status or any(name in sys.modules for name in {heavy.split()}))"
    )
    assert subprocess.run([sys.executable, "-c", program], stdout=subprocess.DEVNULL, check=False).returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="pipes and signals of POSIX")
def test_a_reader_that_leaves_early_is_no_error():
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*COMMAND, "methods"], stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def _left(terminal):
    """Bytes still to be read of a terminal whose process has ended."""
    try:
        return os.read(terminal, 1000)
    except OSError:  # of Linux, at the end
        return b""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="pipes and signals of POSIX")
def test_ctrl_c_stops_with_status_130(tmp_path):
    path = str(tmp_path / "large.pkl")
    values = np.random.default_rng(0).normal(size=(20_000, 300))
    domain = Domain.from_numpy(values)
    Table.from_numpy(Domain(domain.attributes, DiscreteVariable("class", ("a", "b"))), values, values[:, 0] > 0).save(
        path
    )
    control, terminal_of_process = os.openpty()
    process = subprocess.Popen(
        [*COMMAND, "rank", path, "--trust", "--method", "multisurf"],
        stdout=subprocess.PIPE,
        stderr=terminal_of_process,
        # Where these tests run in the background, the shell lets processes ignore the signal.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(terminal_of_process)
    shown = b""
    while b"%" not in shown:  # before it there may be a line on compiling
        shown += os.read(control, 1000)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=120)
    while part := _left(control):
        shown += part
    os.close(control)
    assert "%" in shown.decode()
    assert shown.decode().rstrip().endswith("orange-reliefe: stopped")
    assert (process.returncode, out) == (130, b"")


DEEP_OR_LONG = (
    "[" * 150 + "]" * 150, "(" * 5000, "-" * 10**5 + "1", "[" * 10**5, "9" * 10**5, "{[]: 1}", "{{}}", "x" * 10**5,
    "1," * 400, "~" * 900 + "1",
)  # fmt: skip


def test_deep_and_long_values(capsys):
    """Python's parser ends on some of them; they are texts that no parameter takes."""
    for text in DEEP_OR_LONG:
        status, out, error = run(capsys, "rank", "iris", "--method", "relieff", "--set", f"n_neighbors={text}")
        assert (status, out) == (2, "")
        assert "n_neighbors must be an integer" in error
        assert len(error) < 200


def test_long_arguments_are_not_repeated(capsys):
    long = "x" * 10**4
    for arguments in (
        ["--jobs", long], ["--seed", "9" * 10**4], ["--top", "9" * 10**4], ["--top", long], ["--set", long],
        ["--task", long], ["--x" + long], ["--method", long],
    ):  # fmt: skip
        status, out, error = run(capsys, "rank", "iris", *arguments)
        assert (status, out) == (2, "")
        assert 0 < len(error) < 700  # all methods are named


def test_many_arguments_are_not_repeated(capsys):
    status, out, error = run(capsys, "rank", "iris", *["--x y"] * 10**4)
    assert (status, out, error.count("\n")) == (2, "", 1)
    assert len(error) < 1100


def test_significance(capsys, tmp_path):
    path = tmp_path / "x.csv"
    status, out, _ = run(capsys, "rank", "iris", "--significance", 5, "--output", path)
    found = rank(Table("iris"), significance=5)
    assert status == 0
    assert out.startswith(
        "3 of 4 features differ among the 3 classes of iris; on average less than 1 of these 3 by chance (FDR 10 %).\n"
    )
    assert "p-values from 5 shuffled targets; the smallest possible one is 0.048" in out
    assert f"p {found.significance.p[found.ranking[0]]:<8.2g}q" in out
    assert "p compares 4 features with each other, which are few: own_p counts each alone" in out
    assert f"own_p {found.significance.own_p[found.ranking[0]]:<7.2g}" in out
    assert path.read_text().splitlines()[0] == "rank,feature,score,z,p,q,alone,own_p,kind"
    document = json.loads(run(capsys, "rank", "iris", "--significance", 5, "--json")[1])
    for name, values in (("q", found.significance.q), ("own_p", found.significance.own_p)):
        assert [f[name] for f in document["features"]] == values[found.ranking].tolist()
    status, _, err = run(capsys, "rank", "zoo", "--task", "unsupervised", "--significance")
    assert status == 2
    assert "no target" in err


def test_conditional_p_that_does_not_hold(capsys, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 10))
    X[:, 5] = np.sign(X[:, 0] * X[:, 1]) + 0.4 * X[:, 5]
    y = 2 * np.sign(X[:, 0] * X[:, 1]) + rng.logistic(size=200) > 0
    path = tmp_path / "parity.csv"
    rows = [",".join([*map(str, row), "ill" if ill else "well"]) for row, ill in zip(X.tolist(), y, strict=True)]
    path.write_text("\n".join([",".join([*(f"x{j}" for j in range(10)), "class"]), *rows]))
    options = ("rank", path, "--target", "class", "--method", "multisurf", "--significance", 5, "--conditional", "x5")
    status, out, _ = run(capsys, *options, "--output", tmp_path / "scores.csv")
    assert status == 0
    assert "adds to the others invalid" in out
    assert "x5: conditional p not valid here, as it depends on the remaining features" in out
    with open(tmp_path / "scores.csv", newline="") as file:
        cells = {row["feature"]: row for row in csv.DictReader(file)}
    assert cells["x5"]["adds to the others"] == ""
    assert cells["x5"]["adds: valid"].startswith("no (p 0.005): as it depends")


def test_conditional(capsys):
    found = rank(Table("iris"), "multisurf", significance=5, conditional=["sepal length"]).significance.conditional
    options = ("rank", "iris", "--method", "multisurf", "--significance", 5, "--conditional", "sepal length")
    status, out, _ = run(capsys, *options)
    assert status == 0
    assert f"adds to the others {found[0]:<8.2g}" in out
    assert out.count("adds to the others -") == 3
    features = json.loads(run(capsys, *options, "--json")[1])["features"]
    assert {row["feature"]: row["adds to the others"] for row in features} == {
        "sepal length": found[0],
        "petal length": None,
        "petal width": None,
        "sepal width": None,
    }
    by_name = {row["feature"]: row for row in features}
    assert by_name["sepal length"]["adds: valid"] == "yes"
    assert by_name["sepal width"]["adds: valid"] is None
    assert 0 < by_name["sepal length"]["adds: by line"] <= 1
    assert "conditional=['sepal length']" in run(capsys, *options, "--script")[1]
    status, _, err = run(capsys, "rank", "iris", "--method", "boostedrelief", "--conditional")
    assert status == 2
    assert "no conditional p-values" in err
