"""Faults that are planted are found, by every way in which a case can end; what is allowed is none."""

import base64
import importlib.util
import json
import linecache
import zlib

import numpy as np
import pytest

from fuzz import corpus
from fuzz.__main__ import Run
from fuzz.kinds import KINDS, Kind
from fuzz.outcome import DONE, REFUSED, SLOW, Outcome, Refused, Wrong
from fuzz.pool import PROGRAM, Worker, place_in
from fuzz.refusals import refusing
from fuzz.report import Report
from fuzz.values import ODD, decoded
from orangecontrib.reliefe.core.targets.events import read_events

PLANTED = Kind("planted", seconds=1, megabytes=100, share=0, compiles=False)
PLANT = """
import ctypes, sys, types
from fuzz.kinds import KINDS, Kind
from fuzz.outcome import Late, Refused, Wrong
KINDS["planted"] = Kind("planted", seconds=1, megabytes=100, share=0, compiles=False)
def endless():
    while True: pass
def refused(): raise Refused("no")
def wrong(): raise Wrong("no", "somewhere")
actions = {"nothing": dict, "refused": refused, "wrong": wrong, "error": lambda: [][0], "hang": endless,
           "crash": lambda: ctypes.string_at(0), "memory": lambda: bytearray(10**9) and None,
           "growth": lambda: bytearray(b"x" * 2 * 10**8) and None}
module = types.ModuleType("fuzz.planted")
def late(case):
    with open(case["file"], "a+") as file:
        file.write("x")
        if file.tell() <= case["times"]: raise Late("no", "somewhere")
module.prepare = lambda case: (lambda: late(case)) if case["do"] == "late" else actions[case["do"]]
module.make = lambda rng: {"do": "error" if rng.random() < 0.5 else "nothing"}
sys.modules["fuzz.planted"] = module
"""


@pytest.fixture(scope="module")
def worker():
    KINDS["planted"] = PLANTED
    with Worker(PLANT + PROGRAM) as worker:
        yield worker
    del KINDS["planted"]


@pytest.mark.parametrize(
    "do, status",
    [("nothing", DONE), ("refused", REFUSED)]
    + [(name, name) for name in ("wrong", "error", "hang", "crash", "memory")]
    + [("growth", "memory"), ("nothing", DONE)],
)
def test_every_end_of_a_case(worker, do, status):
    """Also after a case of which the process died."""
    assert worker.ask({"kind": "planted", "case": {"do": do}}).status == status


def test_a_seed_and_a_number_make_the_same_case_again(worker):
    request = {"kind": "planted", "seed": 5}
    found = [worker.ask({**request, "number": number}).status for number in range(20)]
    assert found == [worker.ask({**request, "number": number}).status for number in range(20)]
    assert set(found) == {"error", DONE}


@pytest.mark.parametrize("name", sorted(KINDS))
def test_cases_are_plain_and_repeat(name):
    for number in range(200):
        case = json.dumps(KINDS[name].make(3, number))
        assert case == json.dumps(KINDS[name].make(3, number))


@pytest.mark.parametrize("path", sorted(corpus.FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_kept_cases_can_be_prepared(path):
    kind, case = corpus.read(path)
    size = sum(len(piece[0]) * piece[1] for file in case.get("files", {}).values() for piece in file["pieces"])
    if size < 10**6 and kind not in ("settings", "stops", "kernels", "cluster"):
        assert callable(KINDS[kind].prepare(case))


def test_odd_values_can_be_made():
    for value in ODD:
        decoded(value)


def product(tmp_path, source):
    """A module of the product with this source."""
    folder = tmp_path / "orangecontrib" / "reliefe"
    folder.mkdir(parents=True)
    path = folder / "planted.py"
    path.write_text(source)
    linecache.clearcache()
    spec = importlib.util.spec_from_file_location("planted", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.function


@pytest.mark.parametrize(
    "statement, expected",
    [
        ("raise ValueError('X must have rows')", Refused),
        ("raise TypeError('X must be an array')", Refused),
        ("raise ValueError('x' * 5000)", Wrong),
        ("return float('x')", Wrong),
        ("return len(3)", Wrong),
        ("raise IndexError('3')", IndexError),
        ("raise UnicodeError('3')", UnicodeError),
    ],
)
def test_refusals(tmp_path, statement, expected):
    function = product(tmp_path, f"def function():\n    {statement}\n")
    with pytest.raises(expected), refusing():
        function()


def test_refusals_of_files_name_them(tmp_path):
    function = product(tmp_path, "def function(name):\n    raise OSError(f'{name} is damaged')\n")
    with pytest.raises(Refused), refusing(files=["x.arff"]):
        function("x.arff")
    with pytest.raises(Wrong), refusing(files=["x.arff"]):
        function("a file")
    with pytest.raises(OSError, match=r"x\.arff"), refusing():
        function("x.arff")


def test_kinds_of_valueerror_of_the_product_are_allowed():
    """Others' are not: a caller catches ValueError, and its message may be in other words."""
    with pytest.raises(Refused, match="event_value"), refusing():
        read_events(np.array(["here", "there"]), None, "status")
    with pytest.raises(UnicodeDecodeError), refusing():
        b"\xff".decode()


def test_what_is_refused_late(tmp_path):
    function = product(tmp_path, "def function():\n    raise ValueError('no')\n")
    with pytest.raises(Wrong, match="after the work had begun"), refusing(begun=lambda: True):
        function()


def test_planted_wrong_scores_are_found(monkeypatch):
    from fuzz import differential

    case = {"check": "columns", "X": np.eye(4).tolist(), "y": [0, 1, 0, 1], "nominal": [False] * 4, "parameters": {}}
    case |= {"method": "relief", "task": "classification", "change": {"order": [1, 0, 3, 2]}}
    differential.prepare(case)()
    monkeypatch.setattr(differential, "_scores", lambda case, X=None, **_: np.arange(4.0))
    monkeypatch.setitem(differential._WAYS, "columns", (differential._scores, differential._columns_moved))
    with pytest.raises(Wrong, match="scores that differ"):
        differential.prepare(case)()


def test_planted_wrong_names_are_found(monkeypatch):
    from fuzz import names
    from orangecontrib.reliefe.command import results

    case = {"names": ["a,b", "c", "d"], "values": ["x", "y"], "form": ".csv"}
    names.prepare(case)()
    monkeypatch.setattr(results.csv, "writer", lambda file, **_: FakeWriter(file))
    with pytest.raises(Wrong, match=r"\.csv"):
        names.prepare(case)()


KNOWN = {
    "names": ["a", "y"],
    "columns": [[0.5, 1.5, 2.5, 3.5, 4.5, None], ["no", "yes"] * 3],
    "styles": [{"places": 1}, {}],
}
KNOWN |= {"labels": [str(i + 1) for i in range(6)], "language": "ascii"}


@pytest.mark.parametrize("dialect, name, place", [
    ({"missing": "n/a", "decimal": ",", "separator": ";"}, "numbers.words_among_numbers", "text: values among numbers"),
    ({"row_names": "short", "separator": "\t"}, "reading.arrange", "text: number of columns"),
    ({"encoding": "utf-16"}, "reading.decode", "text: names")])  # fmt: skip
def test_planted_faults_of_a_reader_are_found(monkeypatch, dialect, name, place):
    from fuzz import dialects
    from orangecontrib.reliefe import tabular
    from orangecontrib.reliefe.tabular.encoding import Decoded
    from orangecontrib.reliefe.tabular.layout import Layout

    case = KNOWN | {"dialect": dialect}
    dialects.prepare(case)()
    planted = {
        "numbers.words_among_numbers": lambda *_: [],
        "reading.arrange": lambda rows, *_, **__: Layout([rows[0]], [row[: len(rows[0])] for row in rows[1:]]),
        "reading.decode": lambda data, _: Decoded(data.decode("utf-16-le"), ""),
    }
    monkeypatch.setattr(f"{tabular.__name__}.{name}", planted[name])
    with pytest.raises(Wrong) as caught:
        dialects.prepare(case)()
    assert caught.value.where == place


def test_planted_faults_of_statuses_and_people_are_found(monkeypatch):
    from fuzz import people, statuses
    from orangecontrib.reliefe.core.targets import events
    from orangecontrib.reliefe.genetics import phenotype

    case = {"event": "dead", "censored": "alive", "seen": [True, False] * 4, "unknown": "", "times": [1.0, 2.0] * 4}
    case |= {"way": "survival", "form": "list", "named": False}
    statuses.prepare(case)()
    monkeypatch.setattr(events, "_decide", lambda words: dict(zip(sorted(words), (True, False), strict=True)))
    with pytest.raises(Wrong, match="'dead', 'alive'"):
        statuses.prepare(case)()
    case = next(case for case in (people.make(np.random.default_rng(i)) for i in range(99)) if "0" in str(case["rows"])
                and case["kind"] == "plink" and None in case["known"])  # fmt: skip
    people.prepare(case)()
    monkeypatch.setattr(phenotype, "_parsed", lambda texts, *_: (np.ones(len(texts), bool), np.array(texts)))
    with pytest.raises(Wrong, match="not None"):
        people.prepare(case)()


class FakeWriter:
    """Writes cells without quotes."""

    def __init__(self, file):
        self.file = file

    def writerow(self, cells):
        self.file.write(",".join(map(str, cells)) + "\n")


@pytest.mark.parametrize("part, value", [("scores", "nan"), ("scores", "cut"), ("told", [1])])
def test_kept_rankings_are_changed_in_one_place(part, value):
    from fuzz.settings import _changed

    def kept():
        told, scores = json.dumps({"info": {"final": True}}).encode(), np.ones(4).tobytes()
        texts = [base64.b64encode(zlib.compress(content)).decode() for content in (told, scores)]
        return {"data": "x", "rankings": {"relieff": dict(zip(("told", "scores"), texts, strict=True))}}

    found = _changed(kept(), {"part": part, "place": 0.5, "value": value})
    different = [
        name for name, text in kept()["rankings"]["relieff"].items() if found["rankings"]["relieff"][name] != text
    ]
    assert different == [part]


def test_every_kind_has_a_case_in_a_short_run():
    run = Run(Report(), 5, 1, corpus.FOLDER)
    assert [name for name, _ in run.random("files", 0)] == ["--replay files 5 0"]


def test_report_counts_faults_once(tmp_path):
    report, bad = Report(), Outcome("error", "here", "text", 1.0, 2.0, {"resident": 3.0})
    assert report.add("files", "first", bad)
    assert not report.add("files", "second", bad)
    assert not report.add("files", "third", Outcome(DONE, seconds=4.0, measured={"answer": 0.5}))
    text = report.text()
    assert "2 x files, error here: text\n    first" in text
    assert "files, answer of 1 cases: 50% 0.500" in text
    assert report.findings == 2
    path = corpus.save("files", 1, 2, {"reader": "arff"}, bad, tmp_path)
    assert corpus.read(path) == ("files", {"reader": "arff"})


def test_places_in_dumps():
    dump = 'File "/lib/numpy/x.py", line 3 in f\n  File "/a/orangecontrib/reliefe/io/tokens.py", line 7 in split\n'
    assert place_in(dump) == "io/tokens.py:split"
    assert place_in("nothing") == ""


def test_what_is_slow_once_is_no_finding(worker, tmp_path):
    """On a busy machine; what is slow again is one."""
    for times, status in ((1, DONE), (2, SLOW)):
        case = {"do": "late", "file": str(tmp_path / str(times)), "times": times}
        assert worker.ask({"kind": "planted", "case": case}).status == status
        assert len((tmp_path / str(times)).read_text()) == 2
