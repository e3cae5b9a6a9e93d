"""The command that tests features by the best of several methods: what it prints and writes, and what it refuses."""

import csv
import json

import pytest

from orangecontrib.reliefe.command import cli
from orangecontrib.reliefe.core import best_of_methods
from orangecontrib.reliefe.tests.test_power_command import FEATURES, data, table

__all__ = ["table"]  # a fixture

OPTIONS = "--target", "state", "--methods", "relieff, surf", "--shuffles", 30


def run(capsys, *arguments):
    """Exit status, standard output, standard error."""
    try:
        status = cli.main(["best-of", *map(str, arguments)])
    except SystemExit as stop:
        status = stop.code
    return status, *capsys.readouterr()


@pytest.mark.parametrize("has_orange", [True, False])
def test_json_is_that_of_python_with_and_without_orange(capsys, monkeypatch, table, has_orange):
    monkeypatch.setattr("orangecontrib.reliefe.command.reading.has_orange", lambda: has_orange)
    status, out, error = run(capsys, table, *OPTIONS, "--json")
    document = json.loads(out)
    result = best_of_methods(*data(), ["relieff", "surf"], n_shuffles=30)
    assert (status, error) == (0, "")
    assert document["methods"] == ["relieff", "surf"]
    assert document["shuffles"] == 30
    assert document["discoveries"] == [FEATURES[j] for j in result.discoveries()]
    for entry in document["features"]:
        j = FEATURES.index(entry["feature"])
        assert entry["method"] == ["relieff", "surf"][result.best[j]]
        assert [entry["p"], entry["q"], entry["family_wise"]] == [result.p[j], result.q[j], result.family_wise[j]]
        assert entry["p by method"]["surf"] == result.rankings[1].significance.p[j]
    assert [entry["p"] for entry in document["features"]] == sorted(result.p)


def test_text_and_files(capsys, table, tmp_path):
    output = tmp_path / "p.tsv"
    _, out, _ = run(capsys, table, *OPTIONS, "--top", 2, "--output", output)
    lines = out.splitlines()
    assert lines[1].startswith("Best of ReliefF, SURF: 1 of 5 features at a false discovery rate of 10 %")
    assert lines[2].startswith("At least one feature is relevant: family-wise p = 0.")
    assert lines[4].split()[0] == "x0"
    assert lines[-1] == "... and 3 more"
    rows = [*csv.reader(output.open(encoding="utf-8"), delimiter="\t")]
    assert rows[0] == ["feature", "method", "p", "q", "family_wise", "p by relieff", "p by surf"]
    assert len(rows) == 6


def test_covariates_and_groups_are_those_of_the_table(capsys, table):
    status, out, _ = run(capsys, table, *OPTIONS, "--covariate", "x4", "--json")
    assert status == 0
    assert {feature["feature"] for feature in json.loads(out)["features"]} == {*FEATURES[:4]}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--methods", "relieff"], "--methods must name at least two methods, not 1"),
        (["--methods", "relieff,relieff"], "--methods must differ"),
        (["--methods", "relieff,srf"], "unknown --method 'srf'"),
        (["--methods", "relieff,surf", "--covariate", "age"], "unknown --covariate 'age'"),
        ([], "the following arguments are required: --methods"),
    ],
)
def test_refusals(capsys, table, arguments, message):
    status, out, error = run(capsys, table, "--target", "state", *arguments)
    assert (status, out) == (2, "")
    assert message in error
