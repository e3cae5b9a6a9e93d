"""The option --feature-groups: files and rules, with Orange and without it, of tables and of arrays."""

import contextlib
import csv
import io
import json

import numpy as np
import pandas as pd
import pytest

from orangecontrib.reliefe.command import cli
from orangecontrib.reliefe.core import groups_by_prefix, rank

NAMES = ["age", "town_a", "town_b", "town_c", "resting_bp", "lab_x", "lab_y"]
SINGLE = pytest.mark.parametrize("has_orange", [True, False])


@pytest.fixture
def people(tmp_path):
    """A text table with two one-hot codes, and a class that the town decides; returns its path and the frame."""
    rng = np.random.default_rng(0)
    town = rng.integers(3, size=60)
    numbers = rng.normal(size=(60, 4)).round(3)
    columns = [numbers[:, :1], np.eye(3, dtype=int)[town], numbers[:, 1:]]
    frame = pd.DataFrame(np.column_stack(columns), columns=NAMES)
    frame["ill"] = np.where((town == 1) ^ (rng.random(60) < 0.1), "yes", "no")
    path = tmp_path / "people.csv"
    frame.to_csv(path, index=False)
    return path, frame


def run(*arguments):
    return cli.main(["rank", *map(str, arguments), "--method", "multisurf", "--n-instances", "none"])


def document(capsys, *arguments):
    assert run(*arguments, "--json") == 0
    return json.loads(capsys.readouterr().out)


@SINGLE
def test_a_rule_makes_groups_of_prefixes(has_orange, monkeypatch, capsys, people):
    path, frame = people
    monkeypatch.setattr("orangecontrib.reliefe.command.reading.has_orange", lambda: has_orange)
    found = document(capsys, path, "--target", "ill", "--feature-groups", "prefix:_")
    expected = rank(
        frame[NAMES], frame["ill"], "multisurf", feature_groups=groups_by_prefix(NAMES), nominal=[1, 2, 3]
    )  # Orange takes 0 and 1 for categories
    scores = {entry["feature"]: entry["score"] for entry in found["features"]}
    assert scores == pytest.approx(dict(zip(expected.names, expected.scores, strict=True)))
    assert found["features"][0]["feature"] == "town"
    assert found["features"][0]["features"] == ["town_a", "town_b", "town_c"]
    note = "5 features in 2 groups are ranked as one each: 4 scores for 7 features; largest groups: "
    assert note + "'town' (3), 'lab' (2)" in found["info"]["input"]


@SINGLE
def test_a_file_names_the_group_of_each_feature(has_orange, monkeypatch, capsys, people, tmp_path):
    path, _ = people
    monkeypatch.setattr("orangecontrib.reliefe.command.reading.has_orange", lambda: has_orange)
    groups = tmp_path / "groups.csv"
    groups.write_text("Group,chromosome,Feature\ntown,1,town_a\ntown,1,town_b\n,2,age\ntown,1,town_c\ntown,1,ghost\n")
    assert run(path, "--target", "ill", "--feature-groups", groups, "--output", tmp_path / "scores.csv") == 0
    text = capsys.readouterr().out
    assert "groups.csv has 1 name that no feature has: ghost" in text
    assert "3 features in 1 group are ranked as one each" in text
    with open(tmp_path / "scores.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["feature"] == "town"
    assert rows[0]["features"] == "town_a; town_b; town_c"
    assert {row["feature"] for row in rows} == {"town", "age", "resting_bp", "lab_x", "lab_y"}


@SINGLE
def test_the_script_gives_the_same_list(has_orange, monkeypatch, capsys, people):
    path, _ = people
    monkeypatch.setattr("orangecontrib.reliefe.command.reading.has_orange", lambda: has_orange)
    arguments = (path, "--target", "ill", "--covariate", "lab_x", "--feature-groups", "prefix:_", "--top", "2")
    names = [entry["feature"] for entry in document(capsys, *arguments)["features"]]
    assert "lab_y" in [entry["feature"] for entry in document(capsys, *arguments[:-2])["features"]]  # x is no feature
    assert run(*arguments, "--script") == 0
    script = capsys.readouterr().out
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(script, {})
    expected = ["town_a", "town_b", "town_c", names[1]] if has_orange else names
    assert printed.getvalue().split() == expected


def test_arrays_have_indices_and_parquet_has_names(capsys, people, tmp_path):
    _, frame = people
    np.save(tmp_path / "X.npy", frame[NAMES].to_numpy(float))
    frame[["ill"]].to_csv(tmp_path / "y.csv", index=False)
    (tmp_path / "indices.csv").write_text("feature,group\n1,town\n2,town\n3,town\n")
    found = document(
        capsys, tmp_path / "X.npy", "--target", tmp_path / "y.csv", "--feature-groups", tmp_path / "indices.csv"
    )
    assert found["features"][0]["feature"] == "town"
    assert found["info"]["members"][1] == [1, 2, 3]
    pytest.importorskip("pyarrow")
    frame.to_parquet(tmp_path / "people.parquet")
    found = document(capsys, tmp_path / "people.parquet", "--target", "ill", "--feature-groups", "prefix:_")
    assert {entry["feature"] for entry in found["features"]} == {"age", "town", "resting_bp", "lab"}


def test_an_attribute_of_variables_names_the_group(capsys, monkeypatch, tmp_path):
    rng = np.random.default_rng(0)
    path = tmp_path / "panel.tab"
    head = ["a\tb\tc\td\ty", "c\tc\tc\tc\td", "panel=one\tpanel=two\tpanel=one\t\tclass"]
    rows = ["\t".join([*map(str, row), "yes" if row[0] + row[2] > 0 else "no"]) for row in rng.normal(size=(40, 4))]
    path.write_text("\n".join([*head, *rows]) + "\n")
    found = document(capsys, path, "--feature-groups", "attribute:panel")
    assert {entry["feature"] for entry in found["features"]} == {"one", "two", "d"}
    assert found["features"][0]["features"] == ["a", "c"]
    assert run(path, "--feature-groups", "attribute:panel", "--script") == 0
    assert "feature_groups='panel'" in capsys.readouterr().out
    assert run(path, "--feature-groups", "attribute:panels") == 2
    assert "no feature has the attribute 'panels'; choose from 'panel'" in capsys.readouterr().err
    monkeypatch.setattr("orangecontrib.reliefe.command.reading.has_orange", lambda: False)
    (tmp_path / "plain.csv").write_text("a,b,y\n1,2,yes\n2,1,no\n3,1,no\n")
    assert run(tmp_path / "plain.csv", "--feature-groups", "attribute:panel") == 2
    assert "needs Orange" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "content", "words"),
    [
        ("none.csv", None, "there is no file .* with groups of features; a rule is prefix:_"),
        ("groups.csv", "feature,gene\nage,a\n", "needs one column group .*'feature', 'gene'"),
        ("groups.csv", "feature,group\nAGE,a\n", "has no group for any feature of the data, for example 'age'"),
        ("prefix:", None, "has no separator"),
        ("prefix:.", None, "no two features have the same name before the last '.'"),
    ],
)
def test_wrong_files_and_rules(option, content, words, capsys, people, tmp_path):
    path, _ = people
    if content:
        (tmp_path / option).write_text(content)
    name = option if option.startswith("prefix") else tmp_path / option
    assert run(path, "--target", "ill", "--feature-groups", name) == 2
    error = " ".join(capsys.readouterr().err.split())
    assert pd.Series([error]).str.contains(words, regex=True).all(), error


def test_other_methods_and_files_are_refused_in_the_words_of_the_command(capsys, people, tmp_path):
    path, _ = people
    assert cli.main(["rank", str(path), "--method", "turf", "--target", "ill", "--feature-groups", "prefix:_"]) == 2
    assert "takes no --feature-groups: rank by one of relief" in capsys.readouterr().err
    assert run(path, "--target", "ill", "--feature-groups", "prefix:_", "--conditional") == 2
    assert "leave out --feature-groups" in capsys.readouterr().err
    assert run(path, "--target", "ill", "--feature-groups", path, "--output", path) == 2
    assert run(path, "--target", "ill", "--feature-groups", "prefix:_", "--output", tmp_path / "scores.fimp") == 2
    assert "score for each single feature" in capsys.readouterr().err


def test_groups_by_prefix():
    assert groups_by_prefix(["a_b_1", "a_b_2", "a_c", "_x", "_y", "z"]) == {"a_b": ["a_b_1", "a_b_2"]}
    assert groups_by_prefix(["t.1", "t.2", "u_1", "u_2"], ".") == {"t": ["t.1", "t.2"]}
    with pytest.raises(ValueError, match="separator is empty"):
        groups_by_prefix(["a"], "")
