"""Tests of rows that belong to persons: found by names and by structure, and not among usual categories."""

import json

import numpy as np
import pandas as pd
import pytest

from orangecontrib.reliefe import has_orange
from orangecontrib.reliefe.command import cli
from orangecontrib.reliefe.core import describe, rank

PERSONS, VISITS = 60, 5
N = PERSONS * VISITS


def visits(seed=0, n_persons=PERSONS, n_visits=VISITS, names=None):
    """A study of visits: a target and the age of each person, measurements of each visit, and the person."""
    rng = np.random.default_rng(seed)
    person = np.repeat(np.arange(n_persons), n_visits)
    order = rng.permutation(n_persons)
    return pd.DataFrame({
        "marker": rng.normal(size=len(person)),
        "count": rng.poisson(3, len(person)),
        "age": rng.integers(20, 80, n_persons)[person],
        "VP_Code": person if names is None else [names.format(order[i]) for i in person],
        "status": np.where(rng.random(n_persons) < 0.5, "case", "control")[person],
    }).iloc[rng.permutation(len(person))].reset_index(drop=True)  # fmt: skip


def by_loops(frame, column, target):
    """True if the target and another column are the same in all rows of each value, whatever chance says."""
    rows = {}
    for i, value in enumerate(frame[column]):
        rows.setdefault(value, []).append(i)
    if not 5 <= len(rows) <= len(frame) / 2:
        return False
    constant = [
        other for other in frame.columns
        if other != column and all(len({frame[other][i] for i in group}) == 1 for group in rows.values())
    ]  # fmt: skip
    return target in constant and len(constant) > 1


CLAUSE = "'VP_Code' has 60 values in 300 rows, and the target and 'age' are the same in all rows of a value"


@pytest.mark.parametrize("names", [None, "VP{:03}"])
def test_persons_are_found_by_structure_everywhere(names, tmp_path, monkeypatch, capsys):
    frame = visits(names=names)
    assert by_loops(frame, "VP_Code", "status")
    X = frame.drop(columns="status")
    findings = [finding for finding in describe(X, frame["status"]).findings if finding.action == "group"]
    assert [finding.columns for finding in findings] == [("VP_Code",)]
    assert findings[0].text.startswith(CLAUSE)
    notes = rank(X, frame["status"], "relieff").info["information"]
    assert any(note.startswith(CLAUSE) and "make it the group (groups=...)" in note for note in notes)
    grouped = rank(X.drop(columns="VP_Code"), frame["status"], "relieff", groups=frame["VP_Code"])
    assert not any("VP_Code" in note for note in grouped.info["information"])
    # The command line with Orange and without
    path = tmp_path / "visits.csv"
    frame.to_csv(path, index=False)
    for _ in range(1 + has_orange()):
        assert cli.main(["rank", str(path), "--target", "status", "--method", "relieff"]) == 0
        assert f"{CLAUSE}: if rows of one value belong together" in capsys.readouterr().out
        assert cli.main(["describe", str(path), "--target", "status"]) == 0
        assert CLAUSE in capsys.readouterr().out
        asked = ["rank", str(path), "--target", "status", "--group", "VP_Code", "--method", "relieff"]
        assert cli.main(asked) == 0
        assert "make it the group" not in capsys.readouterr().out
        monkeypatch.setattr("orangecontrib.reliefe.command.reading.has_orange", lambda: False)


def test_ids_of_redcap_and_texts_in_many_rows(tmp_path, capsys):
    frame = visits().rename(columns={"VP_Code": "record_id"}).drop(columns="age")
    path = tmp_path / "export.csv"
    frame.to_csv(path, index=False)
    assert cli.main(["describe", str(path), "--target", "status", "--json"]) == 0
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [finding["option"] for finding in findings] == ["--group record_id"]
    # So many different texts that they are no categories
    frame = visits(n_persons=150, n_visits=2, names="p{}x")
    frame.to_csv(path, index=False)
    assert cli.main(["rank", str(path), "--target", "status", "--method", "relieff"]) == 0
    out = capsys.readouterr().out
    assert "'VP_Code' has 150 values in 300 rows, and the target and 'age' are the same" in out
    assert "1 text column left out: 'VP_Code'" in out


@pytest.mark.parametrize("seed", range(5))
def test_categories_are_no_persons(seed):
    rng = np.random.default_rng(seed)
    diagnosis = rng.integers(0, 8, N)
    age = rng.integers(20, 80, N)
    frame = pd.DataFrame({
        "sex": rng.choice(["f", "m"], N),
        "batch": rng.integers(1, 13, N),
        "site": rng.choice(list("ABCDEFG"), N),
        "diagnosis": [f"F{code}" for code in diagnosis],
        "chapter": np.array(list("abcdabcd"))[diagnosis],  # follows from the diagnosis
        "age": age,
        "age_group": age // 10,
        "is_old": age >= 60,
        "x": rng.normal(size=N),
    })  # fmt: skip
    targets = {
        "random": rng.integers(0, 2, N),
        "of_diagnosis": diagnosis % 4,
        "of_age": age >= 50,
        "number": rng.normal(size=N),
        "batch": frame["batch"] % 2 + rng.integers(0, 2, N),
    }
    for target in targets.values():
        assert [finding.text for finding in describe(frame, target).findings if finding.action == "group"] == []


def test_a_person_of_few_rows_is_not_due_to_chance():
    """A column that agrees with the target in a few rows alone is none: 6 values with two rows each."""
    n_found = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        code = np.repeat(np.arange(6), 2)
        X = pd.DataFrame({"code": code, "a": rng.integers(0, 2, 12), "b": rng.normal(size=12)})
        y = np.concatenate([[0] * 10, [1] * 2])
        n_found += any(finding.action == "group" for finding in describe(X, y).findings)
    assert n_found == 0
