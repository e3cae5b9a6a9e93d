"""The command line: what it prints, where, and with which exit status."""

import io
import json
import os
import pickle
import signal
import subprocess
import sys

import numpy as np
import pytest
from Orange.data import DiscreteVariable, Domain, FileFormat, Table
from Orange.data.io import CSVReader, TabReader

from orangecontrib.reliefe import __version__, cli, rank, terminal
from orangecontrib.reliefe.core import METHODS, TASKS

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


def test_rank_prints_a_table(capsys):
    status, out, err = run(capsys, "rank", "heart_disease", "--method", "relieff", "--top", 3)
    best = rank(Table("heart_disease"), "relieff").best(3)
    lines = out.splitlines()
    assert (status, err) == (0, "")
    assert lines[0] == "heart_disease: 303 rows, 13 features, target diameter narrowing"
    assert lines[1].startswith("ReliefF: ")
    for position, (line, feature) in enumerate(zip(lines[-4:-1], best), start=1):
        assert line.startswith(f"{position}  {feature.name} ")
        assert line.endswith(tuple(terminal.BLOCKS[1:]))
    assert lines[-1].strip() == "... and 10 more"


def test_auto_says_why(capsys):
    _, out, _ = run(capsys, "rank", "iris")
    assert "Chosen: MultiSURF, since" in out


def test_json(capsys):
    status, out, _ = run(capsys, "rank", "heart_disease", "--method", "relieff", "--set", "n_neighbors=5", "--json")
    document = json.loads(out)
    ranking = rank(Table("heart_disease"), "relieff", n_neighbors=5)
    assert status == 0
    assert document["parameters"]["n_neighbors"] == 5
    assert [f["rank"] for f in document["features"]] == list(range(1, 14))
    assert [f["feature"] for f in document["features"]] == [v.name for v in ranking.best(13)]
    assert document["features"][0]["score"] == ranking.scores.max()


def test_top_cuts_json(capsys):
    assert len(json.loads(run(capsys, "rank", "iris", "--json", "--top", 2)[1])["features"]) == 2


@pytest.mark.parametrize("ending", [".tab", ".csv", ".xlsx", ".pkl"])
def test_output_is_a_table_of_all_scores(capsys, tmp_path, ending):
    path = tmp_path / f"scores{ending}"
    status, _, err = run(capsys, "rank", "iris", "--method", "relieff", "--top", 1, "--output", path)
    assert (status, err) == (0, "")
    scores = Table(str(path))
    assert scores.get_column("ReliefF") == pytest.approx(rank(Table("iris"), "relieff").scores, abs=1e-6)
    assert list(scores.get_column("Feature")) == [a.name for a in Table("iris").domain.attributes]


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


def first_line(capsys, *arguments):
    status, out, err = run(capsys, "rank", *arguments)
    assert (status, err) == (0, "")
    return out.splitlines()[0]


def test_tasks_are_those_of_the_core():
    assert cli.TASKS == TASKS


def test_several_targets(capsys):
    targets = "--target", "age", "--target", "gender"
    arguments = "heart_disease", *targets, "--set", "per_target=true"
    assert first_line(capsys, *arguments) == "heart_disease: 303 rows, 11 features, targets age, gender"
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
    assert first_line(capsys, path) == "labels: 40 rows, 1 features, targets 2, 3, 4 and 2 more"


def test_paths_are_a_hierarchy(capsys):
    document = json.loads(run(capsys, "rank", "zoo", "--task", "hierarchical", "--json")[1])
    assert document["info"]["task"] == "hierarchical"
    assert "targets" not in document["features"][0]


@pytest.mark.parametrize("arguments", [(), ("--method", "urelief"), ("--method", "sslrelief")])
def test_no_target(capsys, tmp_path, arguments):
    path = tmp_path / "iris.tab"
    iris = Table("iris")
    iris.transform(Domain(iris.domain.attributes)).save(str(path))
    assert first_line(capsys, path, *arguments) == "iris: 150 rows, 4 features, no target"
    document = json.loads(run(capsys, "rank", path, "--json", *arguments)[1])
    assert document["targets"] == []
    assert document["info"]["task"] == "unsupervised"


@pytest.mark.parametrize("arguments", [("--task", "unsupervised"), ("--method", "urelief")])
def test_a_target_that_is_left_aside(capsys, arguments):
    assert first_line(capsys, "iris", *arguments) == "iris: 150 rows, 4 features, no target"


def test_arff(capsys, tmp_path):
    path, scores = tmp_path / "data.arff", tmp_path / "scores.arff"
    rows = "\n".join(f"{i % 7},{i % 5},{i % 2},{i // 20 % 2}" for i in range(60))
    attributes = "@attribute x numeric\n@attribute y numeric\n@attribute a {0,1}\n@attribute b {0,1}"
    path.write_text(f"@relation 'data: -C -2'\n{attributes}\n@data\n{rows}\n", encoding="utf-8")
    assert first_line(capsys, path, "--output", scores) == "data: 60 rows, 2 features, targets a, b"
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
    assert out.startswith("iris: 150 rows, 4 features, target iris\n")


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
        ([], "COMMAND"),
        (["x"], "choose from"),
        (["rank"], "DATA"),
        (["rank", "no-such-data"], "no file and no data set of Orange named 'no-such-data'"),
        (["rank", "iris", "--method", "x"], "relieff"),
        (["rank", "iris", "--method", "rrelieff"], "regression"),
        (["rank", "iris", "--target", "x"], "choose from 'sepal length'"),
        (["rank", "iris", "--set", "x"], "NAME=VALUE"),
        (["rank", "iris", "--method", "relieff", "--set", "x=1"], "n_neighbors"),
        (["rank", "iris", "--method", "relieff", "--set", "n_neighbors=0"], "n_neighbors"),
        (["rank", "iris", "--method", "relieff", "--set", "n_neighbors=few"], "n_neighbors"),
        (["rank", "iris", "--n-instances", "none_of_them"], "n_instances"),
        (["rank", "iris", "--jobs", "0"], "n_jobs"),
        (["rank", "iris", "--top", "0"], "from 1"),
        (["rank", "iris", "--output", "scores.doc"], ".tab"),
        (["rank", "iris", "--output", "no-such-folder/scores.tab"], "no folder"),
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


def test_methods(capsys):
    status, out, _ = run(capsys, "methods")
    flat = " ".join(out.split())
    assert status == 0
    for method in METHODS.values():
        assert f"{method.name} ({method.title}" in flat
        assert method.citation in flat
        assert all(p.name in flat for p in method.parameters)


def test_methods_as_json(capsys):
    document = json.loads(run(capsys, "methods", "--json")[1])
    assert [m["name"] for m in document] == list(METHODS)
    assert [p["name"] for p in document[0]["parameters"]] == [p.name for p in METHODS["reliefe"].parameters]


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
    assert terminal.shortened("a\x1b[31m\nb") == "a?[31m?b"
    assert len(terminal.shortened("x" * 99)) == terminal.NAME_WIDTH


def test_bars():
    screen = Terminal()
    assert terminal.bar(1.0, 4, screen) == "████"
    assert terminal.bar(0.5, 4, screen) == "██"
    assert terminal.bar(0.28, 4, screen) == "█▏"
    assert terminal.bar(-0.5, 4, screen) == terminal.bar(0.0, 4, screen) == ""


def test_help_is_light():
    program = (
        "import sys; from orangecontrib.reliefe.cli import main\n"
        "try: main(['rank', '--help'])\n"
        "except SystemExit: pass\n"
        "sys.exit(any(m in sys.modules for m in ('numba', 'Orange', 'numpy', 'sklearn')))"
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
        [*COMMAND, "rank", path, "--trust", "--method", "multisurf"], stdout=subprocess.PIPE, stderr=terminal_of_process
    )
    os.close(terminal_of_process)
    shown = os.read(control, 1000)  # waits for the first progress
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=120)
    while part := _left(control):
        shown += part
    os.close(control)
    assert "%" in shown.decode()
    assert shown.decode().rstrip().endswith("orange-reliefe: stopped")
    assert (process.returncode, out) == (130, b"")


@pytest.mark.parametrize("text", [
    "[" * 150 + "]" * 150, "(" * 5000, "-" * 10**5 + "1", "[" * 10**5, "9" * 10**5, "{[]: 1}", "{{}}", "x" * 10**5,
    "1," * 400, "~" * 900 + "1"], ids=range(10))  # fmt: skip
def test_deep_and_long_values(capsys, text):
    """Python's parser ends on some of them; they are texts that no parameter takes."""
    status, out, error = run(capsys, "rank", "iris", "--method", "relieff", "--set", f"n_neighbors={text}")
    assert (status, out) == (2, "")
    assert "n_neighbors must be an integer" in error
    assert len(error) < 200


@pytest.mark.parametrize("arguments", [
    ["--jobs", "x" * 10**4], ["--seed", "9" * 10**4], ["--top", "9" * 10**4], ["--top", "x" * 10**4],
    ["--set", "x" * 10**4], ["--task", "x" * 10**4], ["--x" + "y" * 10**4], ["--method", "x" * 10**4]],
    ids=range(8))  # fmt: skip
def test_long_arguments_are_not_repeated(capsys, arguments):
    status, out, error = run(capsys, "rank", "iris", *arguments)
    assert (status, out) == (2, "")
    assert 0 < len(error) < 400
