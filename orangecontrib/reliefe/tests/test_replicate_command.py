"""The command that compares two files of scores: what it prints and writes, and what it refuses."""

import csv
import json

import numpy as np
import pytest

from orangecontrib.reliefe.command import cli
from orangecontrib.reliefe.core import replicate
from orangecontrib.reliefe.tests.genetics.studies import codes, write_bed

A = "rank,feature,score,p,q\n1,x,0.3,0.001,0.004\n2,y,0.1,0.02,0.04\n3,only a,0.1,0.5,0.5\n4,'=z,0,0.04,0.06\n"
B = "feature\tp\n'=z\t0.03\nx\t0.002\ny\t0.6\n"
NEEDS = "needs a column feature, variant or group, and a column p"


def run(capsys, *arguments):
    """Exit status, standard output, standard error."""
    try:
        status = cli.main(["replicate", *map(str, arguments)])
    except SystemExit as stop:
        status = stop.code
    return status, *capsys.readouterr()


@pytest.fixture
def files(tmp_path):
    a, b = tmp_path / "a.csv", tmp_path / "b.tsv"
    a.write_text(A, encoding="utf-8")
    b.write_text(B, encoding="utf-8")
    return a, b


def test_table(capsys, files):
    assert run(capsys, *files) == (
        0,
        "3 features in both cohorts, 2 candidates, design symmetric\n"
        "Replicated at a false discovery rate of 10 %: 2\n"
        "In A only, and so not tested: only a\n"
        "\n"
        "x   r 0.012     p in A 0.001     p in B 0.002\n"
        "=z  r 0.09      p in A 0.04      p in B 0.03\n"
        "y   r 1         p in A 0.02      p in B 0.6\n",
        "",
    )
    _, out, _ = run(capsys, *files, "--top", 1)
    assert out.endswith("\n... and 2 more\n")


def test_adafilter(capsys, files):
    status, out, _ = run(capsys, *files, "--method", "adafilter")
    assert status == 0
    assert out.startswith("3 features in both cohorts, AdaFilter\nReplicated at a false discovery rate of 10 %: 2\n")
    # x: .002 times 1 filter for 1 discovery.  =z: .04 times 3 for 2
    assert "x   r 0.002 " in out
    assert "=z  r 0.06 " in out
    document = json.loads(run(capsys, *files, "--method", "adafilter", "--json")[1])
    assert document["method"] == "adafilter"
    status, _, err = run(capsys, *files, "--method", "adafilter", "--select", 0.1)
    assert status == 2
    assert "leave out select" in err


@pytest.mark.parametrize("ending", ["csv", "tsv", "json"])
def test_files_have_what_python_gives(capsys, files, tmp_path, ending):
    output = tmp_path / f"r.{ending}"
    status, out, _ = run(capsys, *files, "--design", "follow-up", "--select", 0.2, "--output", output, "--json")
    result = replicate(
        {"x": 0.001, "y": 0.02, "only a": 0.5, "=z": 0.04},
        {"x": 0.002, "y": 0.6, "=z": 0.03},
        design="follow-up",
        select=0.2,
    )
    document = json.loads(out)
    assert status == 0
    assert document["replicated"] == list(result.replicated())
    assert document["only_a"] == ["only a"]
    assert {f["feature"]: f["r"] for f in document["features"]} == dict(zip(result.features, result.r, strict=True))
    text = output.read_text(encoding="utf-8")
    if ending == "json":
        assert json.loads(text) == document
    else:
        rows = list(csv.DictReader(text.splitlines(), delimiter="\t" if ending == "tsv" else ","))
        assert [row["feature"] for row in rows] == ["x", "'=z", "y"]
        assert [float(row["r"]) for row in rows] == [f["r"] for f in document["features"]]


def test_files_of_two_rankings(capsys, tmp_path):
    for name, seed in (("a", 1), ("b", 2)):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(150, 8))
        y = np.where(X[:, 0] + 0.3 * rng.normal(size=150) > 0, "ill", "well")
        lines = [",".join([*(f"g{j}" for j in range(8)), "class"])]
        lines += [",".join([*map(str, row), label]) for row, label in zip(X.tolist(), y, strict=True)]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        scores = str(tmp_path / f"scores-{name}.csv")
        assert cli.main(["rank", str(tmp_path / f"{name}.csv"), "--significance", "--output", scores, "--quiet"]) == 0
    capsys.readouterr()
    status, out, _ = run(capsys, tmp_path / "scores-a.csv", tmp_path / "scores-b.csv", "--json")
    assert status == 0
    assert json.loads(out)["replicated"] == ["g0"]


@pytest.mark.parametrize("noun", ["variant", "group"])
def test_files_of_two_rankings_of_genotypes(capsys, tmp_path, monkeypatch, noun):
    monkeypatch.chdir(tmp_path)
    options = []
    if noun == "group":
        (tmp_path / "genes.csv").write_text("feature,group\nrs0,g0\nrs1,g0\nrs2,g1\nrs3,g1\n", encoding="utf-8")
        options = ["--feature-groups", "genes.csv"]
    for name, seed in (("a", 1), ("b", 2)):
        write_bed(tmp_path, codes(40, 6, 0.0, seed), name=name)
        arguments = ["--method", "relieff", "--significance", "--output", f"{name}.csv", "--quiet", *options]
        assert cli.main(["rank", f"{name}.bed", *arguments]) == 0
        assert (tmp_path / f"{name}.csv").read_text(encoding="utf-8").splitlines()[0].split(",")[1] == noun
    capsys.readouterr()
    status, out, err = run(capsys, "a.csv", "b.csv", "--json")
    assert (status, err) == (0, "")
    written = csv.DictReader((tmp_path / "a.csv").read_text(encoding="utf-8").splitlines())
    p_of_a = {row[noun]: float(row["p"]) for row in written}
    assert {feature["feature"]: feature["p_a"] for feature in json.loads(out)["features"]} == p_of_a


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (
            "feature,score\nx,1\n",
            [],
            "needs a column feature, variant or group, and a column p: write it by orange-reliefe rank DATA",
        ),
        ("feature,p\nx,0.1\nx,0.2\n", [], "has the feature 'x' twice"),
        ("feature,p\nx,\n", [], "has no number as p of 'x', but ''"),
        ("feature,p\nx,2\n", [], "p of 'x' in ranking_b must be from 0 to 1, not 2"),
        ("feature,p\nu,0.1\n", [], "the cohorts have no feature in common"),
        ("feature,p\n", [], "ranking_b has no features"),
        ("", [], NEEDS),
        ("feature,p\nx,0.1\n", ["--level", "1"], "--level must be between 0 and 1"),
        ("feature,p\nx,0.1\n", ["--select", "0"], "--select must be between 0 and 1"),
        ("feature,p\nx,0.1\n", ["--output", "r.txt"], "must end in .csv, .tsv, .json"),
    ],
)
def test_refusals(capsys, files, tmp_path, text, arguments, message):
    b = tmp_path / "b.csv"
    b.write_text(text, encoding="utf-8")
    status, out, err = run(capsys, files[0], b, *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_files_that_are_read_are_not_written(capsys, files):
    status, _, err = run(capsys, *files, "--output", files[0])
    assert status == 2
    assert "would overwrite" in err
    status, _, err = run(capsys, files[0], files[0].with_name("c.csv"))
    assert status == 2
    assert "there is no file" in err
