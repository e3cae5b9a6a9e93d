"""The command that estimates the sample size: what it prints and writes, and what it refuses."""

import csv
import json

import numpy as np
import pytest

from orangecontrib.reliefe.command import cli
from orangecontrib.reliefe.core import power

FEATURES = [f"x{j}" for j in range(5)]


def run(capsys, *arguments):
    """Exit status, standard output, standard error."""
    try:
        status = cli.main(["power", *map(str, arguments)])
    except SystemExit as stop:
        status = stop.code
    return status, *capsys.readouterr()


def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 5)).round(3)
    return X, np.where(3 * X[:, 0] + rng.logistic(size=60) > 0, "ill", "well")


@pytest.fixture
def table(tmp_path):
    """A text table, whose first feature acts on the state."""
    path = tmp_path / "pilot.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow([*FEATURES, "state"])
        rows.writerows([*x, state] for x, state in zip(*data(), strict=True))
    return path


def expected():
    X, state = data()
    return power(X, state, "relieff", n=[60, 90], n_sets=4, n_shuffles=20, n_neighbors=5, names=FEATURES)


OPTIONS = "--target", "state", "--method", "relieff", "--set", "n_neighbors=5", "--sets", 4, "--shuffles", 20


@pytest.mark.parametrize("has_orange", [True, False])
def test_json_is_that_of_python_with_and_without_orange(capsys, monkeypatch, table, has_orange):
    monkeypatch.setattr("orangecontrib.reliefe.command.reading.has_orange", lambda: has_orange)
    status, out, error = run(capsys, table, "-n", 60, 90, *OPTIONS, "--json")
    document = json.loads(out)
    result = expected()
    assert (status, error) == (0, "")
    assert document["data"] == "pilot: 60 rows, 5 features, target state (2 classes: ill, well)"
    assert document["n"] == [60, 90]
    assert document["expected"] == result.expected.tolist()
    assert [feature["feature"] for feature in document["features"]] == [*result.names]
    assert [feature["found_again"] for feature in document["features"]] == result.shares.T.tolist()


def test_text_and_files(capsys, table, tmp_path):
    result = expected()
    output = tmp_path / "shares.csv"
    _, out, _ = run(capsys, table, "-n", 60, 90, *OPTIONS, "--output", output)
    lines = out.splitlines()
    assert f"{len(result.names)} discover" in lines[1]
    assert lines[3].split() == ["found", "again", "n", "=", "60", "n", "=", "90"]
    assert lines[4].split()[0] == result.names[0]
    assert [line.split()[2:] for line in lines if line.startswith("expected number")] == [
        [f"{number:.1f}" for number in result.expected]
    ]
    rows = [*csv.reader(output.open(encoding="utf-8"))]
    assert rows[0] == ["feature", "n = 60", "n = 90"]
    assert [[float(share) for share in row[1:]] for row in rows[1:]] == result.shares.T.tolist()


def test_without_discoveries(capsys, table):
    _, out, _ = run(capsys, table, "-n", 60, *OPTIONS, "--level", 0.001)
    assert out.splitlines()[1:] == [
        "0 discoveries at a false discovery rate of 0 % by ReliefF",
        "Without discoveries there is nothing to find again",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-n", 5], "each n must be at least 60, not 5: forecasts hold for"),
        (["-n", 60, "--method", "multisrf"], "unknown --method 'multisrf'"),
        (["-n", 60, "--level", 2], "--level must be between 0 and 1"),
        (["-n", 60, "--output", "x.png"], "the name must end in .csv, .tsv, .json"),
        (["-n", "many"], "a whole number is needed"),
        ([], "the following arguments are required: -n"),
    ],
)
def test_refusals(capsys, table, arguments, message):
    status, out, error = run(capsys, table, "--target", "state", *arguments)
    assert (status, out) == (2, "")
    assert message in error


def test_the_pilot_study_is_not_overwritten(capsys, table):
    before = table.read_bytes()
    status, _, error = run(capsys, table, "-n", 60, *OPTIONS, "--output", table)
    assert status == 2
    assert error
    assert table.read_bytes() == before
