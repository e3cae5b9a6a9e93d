"""`orange-reliefe rank --report FILE`: tables, tables without Orange, arrays and genotypes."""

import json
import re

import numpy as np
import pytest

from orangecontrib.reliefe.command import cli

ROWS = [f"{i},{i % 7},{'ab'[i % 2]},{'ill' if i % 3 else 'well'}" for i in range(40)]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("\n".join(["age,visits,site,state", *ROWS]) + "\n", encoding="utf-8")
    return str(path)


def text_of(tmp_path):
    return (tmp_path / "result.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("has_orange", [True, False])
def test_of_a_table(table, tmp_path, monkeypatch, has_orange):
    monkeypatch.setattr("orangecontrib.reliefe.command.reading.has_orange", lambda: has_orange)
    report = str(tmp_path / "result.html")
    assert cli.main(["rank", table, "--target", "state", "--method", "relieff", "--quiet", "--report", report]) == 0
    text = text_of(tmp_path)
    for said in "people", "state (2 classes: ill, well)", "ReliefF", "ranking = rank(", ">visits</td>":
        assert said in text
    assert "by ReliefF: near rows of another class differ in it by" in text
    assert text.count("<figcaption>") == 4  # scores by rank, and the values of three features


def test_ranks_without_adjustment(tmp_path, table, capsys):
    """They are those of a ranking of the same features without the covariate."""
    report = str(tmp_path / "result.html")
    ranked = ["rank", table, "--target", "state", "--method", "multisurf", "--quiet", "--covariate", "age"]
    assert cli.main([*ranked, "--report", report, "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)["features"]
    data = re.findall(r'<script id="data" type="application/json">(.*?)</script>', text_of(tmp_path), re.DOTALL)
    columns = {column["title"]: column["values"] for column in json.loads(data[0])["columns"]}
    assert text_of(tmp_path).count("<li>adjusted for age: pairs weigh products of residuals</li>") == 1
    assert columns["feature"] == [entry["feature"] for entry in entries]
    assert columns["unadjusted rank"] == [entry["unadjusted rank"] for entry in entries]


def test_of_arrays(tmp_path):
    random = np.random.default_rng(0)
    np.save(tmp_path / "x.npy", random.normal(size=(40, 3)))
    np.save(tmp_path / "y.npy", np.arange(40) % 2)
    data, target, report = (str(tmp_path / name) for name in ("x.npy", "y.npy", "result.html"))
    assert cli.main(["rank", data, "--target", target, "--method", "surf", "--quiet", "--report", report]) == 0
    assert text_of(tmp_path).count("<figcaption>") == 4


def test_of_genotypes(tmp_path):
    np.save(tmp_path / "g.npy", np.random.default_rng(0).integers(0, 3, (60, 5)).astype(np.int8))
    people = "\n".join(["name,state", *(f"{i},{i % 2}" for i in range(60))])
    (tmp_path / "people.csv").write_text(people + "\n", encoding="utf-8")
    data, people, report = (str(tmp_path / name) for name in ("g.npy", "people.csv", "result.html"))
    assert cli.main(["rank", data, "--phenotype", people, "--method", "relieff", "--quiet", "--report", report]) == 0
    assert "rank_genotypes" in text_of(tmp_path)


def test_what_cannot_be_written_is_refused_before_any_work(table, tmp_path, capsys):
    for name, said in ("result.pdf", ".html, .htm"), (str(tmp_path / "none" / "result.html"), "no folder"):
        assert cli.main(["rank", table, "--target", "state", "--report", name]) == 2
        assert said in capsys.readouterr().err
    copy = tmp_path / "page.html"
    copy.symlink_to(table)
    assert cli.main(["rank", table, "--target", "state", "--report", str(copy)]) == 2
    assert "would overwrite" in capsys.readouterr().err
