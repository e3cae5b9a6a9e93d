"""Targets that look like times with censoring, but are not given as such: advice, and no false alarms."""

import numpy as np
import pytest
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.reliefe import core, rank
from orangecontrib.reliefe.command.cli import main

N = 30
RNG = np.random.default_rng(0)
DAYS, STATUS = np.ceil(RNG.exponential(size=N) * 100), RNG.integers(0, 2, N)
X = RNG.normal(size=(N, 2))


def table(number, status, levels, values=DAYS, is_feature=False):
    """Two features, and a number and a status, both class variables; or the number is the third feature."""
    features, numeric = [ContinuousVariable("f0"), ContinuousVariable("f1")], ContinuousVariable(number)
    event = DiscreteVariable(status, levels)
    if is_feature:
        return Table.from_numpy(Domain([*features, numeric], event), np.column_stack([X, values]), STATUS)
    return Table.from_numpy(Domain(features, [numeric, event]), X, np.column_stack([values, STATUS]))


def advice(found):
    return [note for note in found.info["information"] if "times with censoring" in note]


@pytest.mark.parametrize("number, status, levels", [
    ("OS_DAYS", "OS_STATUS", ("0:LIVING", "1:DECEASED")), ("OS_MONTHS", "OS_STATUS", ("DECEASED", "LIVING")),
    ("time", "DEATH_EVENT", ("0", "1")), ("survival time", "vital status", ("a", "b")),
    ("followUp", "died", ("n", "y")), ("follow-up", "relapse", ("no", "yes"))])  # fmt: skip
def test_advice(number, status, levels):
    found = advice(rank(table(number, status, levels), "rrelieff"))
    assert len(found) == 1
    assert found[0].startswith(f"{number!r} and {status!r} look like a time and its event, but are two targets")
    found = advice(rank(table(number, status, levels, is_feature=True), "relieff"))
    assert len(found) == 1
    assert found[0].startswith(f"{status!r} looks like an event, and {number!r}, which is ranked as a feature")


def test_words_say_it_whatever_the_number_is_called():
    assert advice(rank(table("T", "state", ("alive", "dead")), "rrelieff"))


@pytest.mark.parametrize("number, status, levels, values", [
    ("days", "sex", ("f", "m"), DAYS), ("days", "smokes", ("no", "yes"), DAYS), ("height", "ill", ("0", "1"), DAYS),
    ("weight", "died", ("no", "yes"), DAYS), ("timed", "class", ("a", "b"), DAYS),
    ("time", "event", ("0", "1"), X[:, 0]),
    ("days", "eventful", ("0", "1"), DAYS), ("day", "weekend", ("no", "yes"), DAYS)])  # fmt: skip
def test_no_false_alarms(number, status, levels, values):
    assert not advice(rank(table(number, status, levels, values), "rrelieff"))
    assert not advice(rank(table(number, status, levels, values, is_feature=True), "relieff"))


@pytest.mark.parametrize("number", ["age in years", "AgeYears", "weight", "marker"])
def test_a_status_beside_other_numbers(number):
    assert not advice(rank(table(number, "status", ("alive", "dead"), is_feature=True), "relieff"))


def test_marked_times_need_no_advice():
    marked = table("days", "died", ("no", "yes"))
    for variable, role in zip(marked.domain.class_vars, ("time", "event"), strict=True):
        variable.attributes["_time_to_event_var"] = role
    assert not advice(rank(marked, "rrelieff"))
    assert not advice(rank(table("days", "died", ("no", "yes")), "rrelieff", task="survival"))


def test_frames():
    pd = pytest.importorskip("pandas")
    status = pd.Series(np.where(STATUS, "dead", "alive"), name="status")
    both = pd.DataFrame({"status": status, "days": DAYS})
    assert advice(core.rank(X, both, "rrelieff"))
    assert not advice(core.rank(X, both, "rrelieff", task="survival"))
    features = pd.DataFrame({"f0": X[:, 0], "days": DAYS})
    assert advice(core.rank(features, status, "relieff"))
    assert advice(core.rank(features, status.to_numpy(), "relieff"))
    assert not advice(core.rank(features[["f0"]], status, "relieff"))


def test_command_line(tmp_path, capsys):
    lines = [
        f"{a:.3f},{day:.0f},{'dead' if died else 'alive'}" for a, day, died in zip(X[:, 0], DAYS, STATUS, strict=True)
    ]
    (tmp_path / "a.csv").write_text("\n".join(["a,days,status", *lines]) + "\n")
    assert main(["rank", str(tmp_path / "a.csv"), "--target", "status", "--method", "relieff"]) == 0
    out = capsys.readouterr().out
    assert "'status' looks like an event" in out
    assert "by --time NAME --event NAME" in out
