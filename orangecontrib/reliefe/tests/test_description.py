"""A first look at data: facts and findings compared with loops, and the options that act on them."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from orangecontrib.reliefe import has_orange
from orangecontrib.reliefe.command import cli
from orangecontrib.reliefe.core import Survival, describe, rank

NEEDS_ORANGE = pytest.mark.skipif(not has_orange(), reason="reads with Orange")
N = 60
RNG = np.random.default_rng(1)


@pytest.fixture
def people():
    """People with one column for each kind of finding."""
    age = RNG.integers(20, 80, N)
    age[:4] = -99
    status = ["case" if i % 5 < 2 else "control" for i in range(N)]
    return pd.DataFrame(
        {
            "age": age,
            "grade": [1 + (i * 7) % 3 for i in range(N)],
            "bmi": RNG.normal(25, 3, N).round(2),
            "patient_id": [100 + i // 4 for i in range(N)],
            "row": np.sort(RNG.permutation(2 * N)[:N]),
            "code": [int(s == "case") for s in status],
            "site": "north",
            "status": status,
        }
    )


def actions(description):
    return {(f.action, f.value, f.columns) for f in description.findings}


EXPECTED = {
    ("drop", "", ("row",)),
    ("drop", "", ("code",)),
    ("drop", "", ("site",)),
    ("missing", "-99", ("age",)),
    ("group", "", ("patient_id",)),
    ("categories", "", ("grade",)),
}


def test_findings_of_a_frame(people):
    description = describe(people, "status")
    assert (description.rows, description.features, description.categories) == (N, 7, 1)
    sizes = {name: sum(s == name for s in people.status) for name in ("case", "control")}
    assert description.target == f"target 'status': 2 classes, {sizes['case']} 'case', {sizes['control']} 'control'"
    assert actions(description) == EXPECTED
    assert not describe(people[["bmi"]], people.status).findings
    assert "X.drop(columns=['row'])" in str(description)
    assert str(describe(people[["bmi"]], people.status)).endswith("Nothing looks suspect")


def test_each_change_of_a_script_removes_its_finding(people):
    y = people.status
    X = people.drop(columns="status")
    for finding in describe(X, y).findings:
        if finding.action == "group":
            continue
        changed = eval(finding.python, {"X": X})
        assert finding not in describe(changed, y).findings


def test_notes_of_rank_come_from_the_same_findings(people):
    warnings = rank(people.drop(columns="status"), people.status, "relieff").info["warnings"]
    for finding in describe(people, "status").findings:
        if finding.action == "drop" and finding.columns != ("site",):
            assert any(repr(finding.columns[0]) in warning for warning in warnings)
        if finding.action == "missing":
            assert any(f"{finding.value} in 'age'" in warning for warning in warnings)


def test_kinds_of_targets(people):
    X = people[["bmi", "grade"]]
    numbers = describe(X, people.bmi * 2)
    ordered = sorted(people.bmi * 2)
    assert numbers.target.startswith(f"target 'bmi': a number from {ordered[0]:.6g} to {ordered[-1]:.6g}")
    times = describe(X, Survival(np.arange(N) + 1.0, ["died" if i % 4 else "alive" for i in range(N)]))
    assert (times.task, times.target) == ("survival", "target: 45 events ('died'), 15 censored ('alive')")
    grades = describe(X[["bmi"]], people.grade.astype(float))
    assert actions(grades) == {("task", "classification", ())}
    assert not describe(X[["bmi"]], people.grade.astype(float), task="regression").findings
    assert describe(X).target == "no target"
    half = people.status.where(np.arange(N) > 2)
    assert describe(X, half).left_out == ("3 rows without a known target",)
    days = X.assign(days=np.arange(N) + 1.0)
    assert ("times", "", ("days", "code")) in actions(describe(days, people.code.map({0: "alive", 1: "dead"})))
    pair = pd.DataFrame({"days": days.days, "died": people.code.map({0: "alive", 1: "dead"})})
    assert ("times", "", ("days", "died")) in actions(describe(X, pair))
    state = people.code.map({0: "alive", 1: "dead"}).astype("category")
    without_target = X.assign(days=days.days, died=state)
    assert ("times", "", ("days", "died")) in actions(describe(without_target))
    for status in (state, state.astype(str), state.astype("string")):  # words tell, whatever the name of the column
        called_otherwise = describe(X.assign(days=days.days, Status=status))
        assert ("times", "", ("days", "Status")) in actions(called_otherwise)
    assert "y=Survival(X['days'], X['Status'])" in str(called_otherwise)
    assert ("times", "", ("days", "dead")) in actions(describe(X.assign(days=days.days, dead=people.code)))
    sexes = state.cat.rename_categories({"alive": "female", "dead": "male"})
    assert not any(action == "times" for action, *_ in actions(describe(X.assign(days=days.days, Status=sexes))))
    assert not any(
        action == "times" for action, *_ in actions(describe(without_target.rename(columns={"days": "age"})))
    )
    assert not any(action == "times" for action, *_ in actions(describe(without_target, people.bmi)))
    labels = describe(X, pd.DataFrame({"a": np.arange(N) % 2, "b": np.arange(N) // 30}))
    assert labels.target == "2 targets (multi-label): a, b"


def test_no_second_group_is_proposed(people):
    site = pd.Series([i // 6 for i in range(N)], name="house")
    assert describe(people, "status").groups == ["patient_id"]
    assert describe(people, "status", groups=site).groups == []
    assert describe(people.drop(columns="status"), has_groups=True).groups == []


@NEEDS_ORANGE
@pytest.mark.parametrize("target", ["status", None])
def test_a_table_with_a_group_gets_no_second_one(people, target):
    from Orange.data.pandas_compat import table_from_frame

    from orangecontrib.reliefe import describe as describe_table

    columns = people.assign(house=[i // 6 for i in range(N)], mouse_id=[i // 3 for i in range(N)])
    table = table_from_frame(columns.astype({"status": "category"}))
    assert describe_table(table, target).groups == ["patient_id"]
    assert describe_table(table, target, groups="house").groups == []


def test_names_may_hold_the_punctuation_of_sentences():
    rng = np.random.default_rng(2)
    targets = pd.DataFrame({"survival: days": rng.integers(1, 900, N), "death": rng.choice(["alive", "dead"], N)})
    findings = describe(rng.normal(size=(N, 3)), targets).findings
    text = "'survival: days' and 'death' look like a time and its event, but are two targets"
    assert [(f.text, f.columns) for f in findings] == [(text, ("survival: days", "death"))]
    assert findings[0].python == "y=Survival(y['survival: days'], y['death'])"
    visits = pd.DataFrame({"the group, patient_id": [100 + i // 4 for i in range(N)], "x": rng.normal(size=N)})
    notes = rank(visits, rng.choice(["u", "v"], N), "relieff").info["information"]
    (note,) = [text for text in notes if "visits" in text]
    assert note.startswith("'the group, patient_id' has")
    assert note.endswith("make it the group (groups=...), since p-values are too small otherwise")


def is_done(finding, X, y):
    """Return what a finding proposes, done by its code."""
    return eval(finding.python, {"np": np, "X": X, "y": y, "Survival": Survival})


def test_changes_of_arrays_are_code():
    """Persons, constant columns and codes of missing values in arrays, whose columns are numbered from 0."""
    rng = np.random.default_rng(3)
    n_visits = 4
    persons = rng.permutation(np.repeat(np.arange(N // n_visits), n_visits))
    traits = rng.integers(0, 6, N)
    X = np.column_stack([rng.normal(size=N), persons, traits[persons], np.full(N, 7.0), rng.normal(size=N)])
    X[:5, 4] = -999
    y = np.where(rng.random(N) < 0.5, "u", "v")[persons]
    findings = {finding.action: finding for finding in describe(X, y).findings}
    assert findings["group"].columns == ("1",)
    assert findings["group"].python == "groups=X[:, 1]"
    assert findings["drop"].columns == ("3",)
    np.testing.assert_array_equal(is_done(findings["drop"], X, y), X[:, [0, 1, 2, 4]])
    assert findings["missing"].columns == ("4",)
    changed = is_done(findings["missing"], X, y)
    assert np.isnan(changed[:5, 4]).all()
    assert "missing" not in {finding.action for finding in describe(changed, y).findings}
    grades = np.column_stack([rng.normal(size=N), np.arange(N) % 3])
    (finding,) = describe(grades, rng.normal(size=N)).findings
    assert (finding.action, finding.python) == ("categories", "nominal=[1]")
    assert not describe(grades, rng.normal(size=N), nominal=[1]).findings


@pytest.mark.parametrize("as_array", [True, False])
def test_a_code_of_the_target_is_read_as_missing_there(as_array):
    rng = np.random.default_rng(4)
    y = rng.normal(50, 5, N).round(2)
    y[:6] = -999
    X = pd.DataFrame({"a": rng.normal(size=N), "b": rng.normal(size=N)})
    y = y if as_array else pd.Series(y, name="weight")
    (finding,) = describe(X, y).findings
    assert (finding.action, finding.columns) == ("missing", ())
    changed = is_done(finding, X, y)
    assert np.isnan(changed[:6]).all()
    assert not describe(X, changed).findings
    # A column has the code, too
    X.loc[3, "b"] = -999
    (finding,) = describe(X, y).findings
    assert finding.columns == ("b",)
    assert not describe(*is_done(finding, X, y)).findings
    # The target is a column of the frame
    (finding,) = describe(X.assign(weight=y), "weight").findings
    assert finding.python == "X.replace(-999, float('nan'))"


def test_the_event_may_be_the_target():
    rng = np.random.default_rng(5)
    X = pd.DataFrame({"days": rng.integers(1, 900, N), "a": rng.normal(size=N)})
    status = rng.choice(["alive", "dead"], N)
    (finding,) = describe(X, status).findings
    assert finding.python == "y=Survival(X['days'], y)"
    (finding,) = describe(X.assign(status=status), "status").findings
    assert finding.python == "y=Survival(X['days'], X['status'])"


def test_counts():
    words = RNG.poisson(0.2, (N, 8))
    description = describe(words, np.arange(N) % 2)
    share = sum(value == 0 for row in words for value in row) / words.size
    (finding,) = description.findings
    assert (finding.action, finding.value) == ("diff", "presence")
    assert finding.text.startswith(f"{100 * share:.0f} % of the numbers are 0")


@pytest.mark.parametrize(
    "y, message", [("state", "unknown target 'state'; choose from"), (np.arange(3), "y has 3 values")]
)
def test_bad_input(people, y, message):
    with pytest.raises(ValueError, match=message):
        describe(people, y)
    with pytest.raises(ValueError, match="X has no names of columns"):
        describe(np.ones((4, 2)), "status")


def run(capsys, *arguments):
    status = cli.main(["describe", *map(str, arguments)])
    output = capsys.readouterr()
    return status, output.out, output.err


@pytest.mark.parametrize(
    "is_there", [pytest.param(True, marks=pytest.mark.skipif(not has_orange(), reason="x")), False]
)
def test_options_of_the_command_act_on_findings(people, tmp_path, capsys, monkeypatch, is_there):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("orangecontrib.reliefe.command.reading.has_orange", lambda: is_there)
    people.assign(name=[f"p {i}" for i in range(N)]).to_csv("people.csv", index=False)
    status, out, _ = run(capsys, "people.csv", "--target", "status", "--json")
    assert not status
    document = json.loads(out)
    options = {finding["option"] for finding in document["findings"]}
    assert options == {
        "--drop row", "--drop code", "--drop site", "--missing -99", "--group patient_id", "--categories grade",
    }  # fmt: skip
    assert "1 text column left out: 'name'" in document["input"]
    words = [word for option in options for word in option.split()]
    status, out, _ = run(capsys, "people.csv", "--target", "status", *words)
    assert not status
    assert out.endswith("Nothing looks suspect\n")
    assert cli.main(["rank", "people.csv", "--target", "status", "--method", "relieff", "--json", *words]) == 0
    features = {feature["feature"] for feature in json.loads(capsys.readouterr().out)["features"]}
    assert features <= {"age", "grade", "bmi", "site"}


def test_times_have_an_option(people, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status = ["LIVING" if i % 3 else "DECEASED" for i in range(N)]
    people[["bmi"]].assign(OS_DAYS=np.arange(N) * 7 % 50 + 1, OS_STATUS=status).to_csv("study.csv", index=False)
    _, out, _ = run(capsys, "study.csv", "--target", "OS_STATUS", "--json")
    (finding,) = json.loads(out)["findings"]
    assert finding["option"] == "--time OS_DAYS --event OS_STATUS"
    _, out, _ = run(capsys, "study.csv", *finding["option"].split())
    assert "Target: 20 events ('DECEASED'), 40 censored ('LIVING')" in out
    assert out.endswith("Nothing looks suspect\n")
    _, out, _ = run(capsys, "study.csv", "--json")  # and also before a target is chosen
    assert "--time OS_DAYS --event OS_STATUS" in [finding["option"] for finding in json.loads(out)["findings"]]


@pytest.mark.parametrize("is_there", [pytest.param(True, marks=NEEDS_ORANGE), False])
def test_a_pipe_without_a_target(people, capsys, monkeypatch, is_there):
    monkeypatch.setattr("orangecontrib.reliefe.command.reading.has_orange", lambda: is_there)
    text = people[["age", "bmi", "patient_id"]].to_csv(index=False)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))  # can be read once
    status, out, err = run(capsys, "-", "--json")
    assert (status, err) == (0, "")
    document = json.loads(out)
    assert (document["rows"], document["features"]) == (N, 3)
    assert document["input"].count("A column becomes the target by --target NAME") == 1
    assert len(document["input"]) == len({*document["input"]})  # no note of the first attempt is repeated
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    status, _, err = run(capsys, "-", "--target", "ag")
    assert status == cli.BAD_INPUT
    assert "'age'" in err


def test_without_a_target_and_bad_options(people, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    people.to_csv("people.csv", index=False)
    _, out, _ = run(capsys, "people.csv")
    assert "A column becomes the target by --target NAME" in out
    for option in ("--drop", "--categories"):
        assert "there is no column 'ag'; choose from 'age'" in run(capsys, "people.csv", option, "ag")[2]
    np.save("x.npy", people[["age", "bmi"]])
    np.save("y.npy", people.code)
    assert "Target: 2 classes" in run(capsys, "x.npy", "--target", "y.npy")[1]
    assert "--drop is for text tables" in run(capsys, "x.npy", "--target", "y.npy", "--drop", "age")[2]
    assert "there is no file 'x.bed'" in run(capsys, "x.bed")[2]
