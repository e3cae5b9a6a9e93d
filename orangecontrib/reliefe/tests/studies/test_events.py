"""Values of a status that are the event: words, numbers, and what callers name, on every way in."""

import json

import numpy as np
import pytest
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table

from orangecontrib.reliefe import core, rank
from orangecontrib.reliefe.command.cli import main
from orangecontrib.reliefe.core import Survival
from orangecontrib.reliefe.genetics import Filters, rank_genotypes
from orangecontrib.reliefe.tests.studies.test_times import times

PAIRS = [  # event, censored
    ("DECEASED", "LIVING"), ("died", "survived"), ("Dead", "alive"), ("+", "-"), ("Relapse", "none"),
    ("progression", "stable"), ("Event", "censored"), ("yes", "no"), ("True", "False"), ("TRUE", "FALSE"),
    ("1", "0"), ("2", "1"), ("1:DECEASED", "0:LIVING"), ("1:Recurred/Progressed", "0:DiseaseFree"),
    ("Recurred", "DiseaseFree"), ("failure", "ongoing"), ("relapse", "relapse-free"), ("recurred", "not recurred"),
    ("not censored", "censored"), ("Died of disease", "Lost to follow-up"), ("Y", "N"), ("metastasis", "none"),
    ("DEAD WITH TUMOR", "ALIVE OR DEAD TUMOR FREE"),
]  # fmt: skip
UNCLEAR = [
    ("a", "b"), ("dead", "relapse"), ("alive", "stable"), ("alive", "alive with disease"), ("1", "3"), ("0", "2"),
]  # fmt: skip


def status(pair):
    return np.where(times()[2], *pair)


def expected():
    X, time, event = times()
    return rank_times(X, Survival(time, event))


def rank_times(X, y, **options):
    return core.rank(X, y, "rrelieff", **options)


@pytest.mark.parametrize("pair", PAIRS)
def test_known_words_decide(pair):
    X, time, _ = times()
    found = rank_times(X, Survival(time, status(pair)))
    np.testing.assert_array_equal(found.scores, expected().scores)
    assert found.info["event"] == pair[0]
    assert f"14 events ({pair[0]!r}), 16 censored ({pair[1]!r})" in found.info["summary"]


@pytest.mark.parametrize("pair", UNCLEAR)
def test_unknown_words_need_a_name(pair):
    X, time, _ = times()
    y = Survival(time, status(pair))
    with pytest.raises(ValueError, match=f"{pair[0]}.*name the event by event_value="):
        rank_times(X, y)
    found = rank_times(X, Survival(time, y.event, pair[0].upper()))
    np.testing.assert_array_equal(found.scores, expected().scores)
    with pytest.raises(ValueError, match="must have the value 'nobody' in some row, not only"):
        rank_times(X, Survival(time, y.event, "nobody"))


def test_numbers():
    X, time, event = times()
    for given in (event.astype(int), event.astype(float), event + 1, np.where(event, 2.0, 1.0)):
        np.testing.assert_array_equal(rank_times(X, Survival(time, given)).scores, expected().scores)
    causes = np.where(event, 2, np.arange(30) % 2)  # of death: one of them counts
    with pytest.raises(ValueError, match="name the event"):
        rank_times(X, Survival(time, causes))
    found = rank_times(X, Survival(time, causes, 2))
    np.testing.assert_array_equal(found.scores, expected().scores)
    assert "14 events ('2'), 16 censored ('0', '1')" in found.info["summary"]


def test_one_value():
    X, time, _ = times()
    all_died = rank_times(X, Survival(time, np.ones(30, bool))).scores
    for given in (np.ones(30), np.full(30, 2), np.full(30, "died"), np.full(30, "1:DECEASED", object)):
        np.testing.assert_array_equal(rank_times(X, Survival(time, given)).scores, all_died)
    for given in (np.zeros(30), np.full(30, "alive")):
        with pytest.raises(ValueError, match="all rows are censored"):
            rank_times(X, Survival(time, given))
    with pytest.raises(ValueError, match="name the event"):
        rank_times(X, Survival(time, np.full(30, "status")))


def test_spellings_and_unknown_words():
    X, time, event = times()
    words = np.where(event, np.where(np.arange(30) % 2, "Dead", "dead "), "ALIVE").astype(object)
    np.testing.assert_array_equal(rank_times(X, Survival(time, words)).scores, expected().scores)
    words[:3] = "unknown"
    found, rest = rank_times(X, Survival(time, words)), slice(3, None)
    np.testing.assert_array_equal(found.scores, rank_times(X[rest], Survival(time[rest], event[rest])).scores)
    assert found.info["information"] == ["3 rows without a target value are left out"]


@pytest.mark.parametrize("kind", [bool, int, np.uint8, float, "U3"])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_structured_arrays(kind, order):
    X, time, event = times()
    given = np.where(event, "yes", "no") if kind == "U3" else event
    fields = [("died", kind), ("days", float)]
    y = np.empty(30, [fields[k] for k in order])
    y["died"], y["days"] = given, time
    found = rank_times(X, y)
    np.testing.assert_array_equal(found.scores, expected().scores)
    assert found.info["event"] == ("yes" if kind == "U3" else "died")


def test_structured_arrays_of_whole_days():
    X, time, event = times()
    of_r = np.array([*zip(time, event + 1, strict=True)], [("time", float), ("status", int)])
    assert rank_times(X, of_r).info["event"] == "2"
    days = np.ceil(10 * time).astype(int)
    y = np.array([*zip(event.astype(int), days, strict=True)], [("died", int), ("days", int)])
    np.testing.assert_array_equal(rank_times(X, y).scores, rank_times(X, Survival(days, event)).scores)
    y["days"] = 1
    with pytest.raises(ValueError, match="which column of y says whether there was an event"):
        rank_times(X, y)


def test_frames():
    pd = pytest.importorskip("pandas")
    X, time, _ = times()
    for column in (status(("died", "alive")), pd.Categorical(status(("died", "alive")))):
        frame = pd.DataFrame({"status": column, "days": time})
        np.testing.assert_array_equal(rank_times(X, frame, task="survival").scores, expected().scores)


def table(pair, is_text=False):
    """Four features, time and status among the metas; the event is the first value."""
    X, time, event = times()
    kind = StringVariable("status") if is_text else DiscreteVariable("status", tuple(sorted(pair)))
    domain = Domain([ContinuousVariable(f"f{k}") for k in range(4)], metas=[ContinuousVariable("days"), kind])
    given = status(pair) if is_text else np.where(event, *(sorted(pair).index(word) for word in pair))
    return Table.from_numpy(domain, X, metas=np.array([*zip(time, given, strict=True)], object))


@pytest.mark.parametrize("is_text", [False, True])
def test_tables(is_text):
    asked = {"target": ["days", "status"], "task": "survival"}
    for pair in PAIRS:
        found = rank(table(pair, is_text), "rrelieff", **asked)
        np.testing.assert_array_equal(found.scores, expected().scores)
        assert found.info["event"] == pair[0]
    with pytest.raises(ValueError, match="name the event by event_value="):
        rank(table(("b", "a"), is_text), "rrelieff", **asked)
    found = rank(table(("b", "a"), is_text), "rrelieff", **asked, event_value="b")
    np.testing.assert_array_equal(found.scores, expected().scores)
    with pytest.raises(ValueError, match="event_value is for times with censoring"):
        rank(table(("b", "a")), "relieff", target="status", event_value="b")


def write(path, pair):
    X, time, _ = times()
    lines = [
        f"{','.join(map(repr, map(float, row)))},{day!r},{word}"
        for row, day, word in zip(X, map(float, time), status(pair), strict=True)
    ]
    path.write_text("\n".join(["a,b,c,d,days,status", *lines]) + "\n")
    return str(path)


def test_command_line(tmp_path, capsys):
    for pair in PAIRS[:5]:
        asked = ["rank", write(tmp_path / "a.csv", pair), "--method", "rrelieff", "--time", "days", "--event", "status"]
        assert main([*asked, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert [feature["score"] for feature in found["features"]] == sorted(expected().scores.tolist(), reverse=True)
        assert main(asked) == 0
        assert f"14 events ({pair[0]!r}), 16 censored ({pair[1]!r})" in capsys.readouterr().out
    asked = ["rank", write(tmp_path / "a.csv", ("away", "here")), "--method", "rrelieff", "--time", "days", "--event"]
    assert main([*asked, "status"]) == 2
    assert "name the event by --event NAME=WORD" in capsys.readouterr().err
    assert main([*asked, "status=away", "--script"]) == 0
    assert "event_value='away'" in capsys.readouterr().out
    assert main([*asked, "status=away"]) == 0
    assert "14 events ('away'), 16 censored ('here')" in capsys.readouterr().out


def test_nobody_censored_on_the_command_line(tmp_path, capsys):
    for word in "1", "died", "True":
        file = write(tmp_path / "a.csv", (word, word))
        assert main(["rank", file, "--method", "rrelieff", "--time", "days", "--event", "status"]) == 0
        assert f"30 events ({word!r}), 0 censored" in capsys.readouterr().out


def test_genotypes_and_arrays(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    _, time, event = times()
    codes = rng.integers(0, 3, (30, 12)).astype(np.int8)
    np.save("codes.npy", codes)
    people = [f"{k + 1},{time[k]:.6f},{'away' if event[k] else 'here'}" for k in range(30)]
    (tmp_path / "people.csv").write_text("\n".join(["iid,days,status", *people]) + "\n")
    options = {"column": ("days", "status"), "filters": Filters(1.0, maf=0.0)}
    found = rank_genotypes("codes.npy", "people.csv", "multisurf", event_value="away", **options)
    assert found.info["event"] == "away"
    assert found.info["events"] == 14
    with pytest.raises(ValueError, match="the event 'status' must be True or 1, or a known word"):
        rank_genotypes("codes.npy", "people.csv", "multisurf", **options)
    asked = ["rank", "codes.npy", "--time", "days"]
    of_genotypes = [*asked, "--phenotype", "people.csv", "--maf", "0"]
    of_arrays = [*asked, "--target", "people.csv", "--task", "unsupervised", "--method", "multisurf"]
    for each in of_genotypes, of_arrays:
        assert main([*each, "--event", "status=away"]) == 0
        assert "14 events ('away'), 16 censored" in capsys.readouterr().out
        assert main([*each, "--event", "status"]) == 2
        assert "name the event by --event NAME=WORD" in capsys.readouterr().err


@pytest.mark.parametrize("pair", [
    ("M", "F"), ("F", "X"), ("T", "R"), ("Y", "Z"), ("N", "P"), ("mort", "not yet dead"),
    ("rezidiv", "kein relapse"), ("PD", "relapse = 0")])  # fmt: skip
def test_words_that_may_mean_something_else_are_asked_for(pair):
    """F beside M is a sex, whose other letter was taken for the event; words may be reversed in another language."""
    X, time, _ = times()
    with pytest.raises(ValueError, match="name the event by"):
        rank_times(X, Survival(time, status(pair)))
    assert rank_times(X, Survival(time, status(pair), pair[0])).info["event"] == pair[0]


@pytest.mark.parametrize("pair", [
    ("mort", "never died"), ("observed", "neither relapsed"), ("Died of disease", "AWD"),
    ("event observed", "ongoing"), ("DOD", "lost to study")])  # fmt: skip
def test_known_phrases_beside_unknown_words_decide(pair):
    X, time, _ = times()
    assert rank_times(X, Survival(time, status(pair))).info["event"] == pair[0]


def test_na_is_unknown_beside_a_value_that_is_given():
    X, time, _ = times()
    words, known = status(("y", "no")), np.arange(30) != 2
    found = rank_times(X, Survival(time, np.where(known, words, "NA"), "y"))
    expected = rank_times(X[known], Survival(time[known], words[known], "y"))
    np.testing.assert_array_equal(found.scores, expected.scores)
