"""The proof: its page says what its results say, its quick experiments give them again, and its commands start."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

SURE = {"review": None, "fuji": None, "baselines": ("ranks",), "errata": ("far pairs", "constant feature")}


@pytest.fixture(scope="module")
def home(checkout) -> Path:
    pytest.importorskip("matplotlib")
    return checkout


@pytest.fixture
def proof(home, monkeypatch):
    """Import a module of the proof by its name."""
    monkeypatch.syspath_prepend(str(home / "benchmarks"))
    return lambda name: importlib.import_module(f"proof.{name}")


@pytest.fixture
def results(home, proof):
    return proof("record").Results(home / "doc" / "proof" / "results.jsonl")


def test_the_page_is_that_of_the_results(home, proof, results):
    page = (home / "doc" / "proof.md").read_text(encoding="utf-8")
    assert proof("report").markdown(proof("contents").SECTIONS, results) == page, (
        "python -m benchmarks reproduce --write"
    )


def test_all_parts_have_results_and_a_text(proof, results):
    for section in proof("contents").SECTIONS:
        lines = results.lines(section)
        assert lines, section.name
        assert section.text
        assert all(len(line) == len(section.header) for line in lines), section.name


@pytest.mark.slow
def test_what_is_sure_comes_out_again(proof, results):
    """Experiments without data, in the same digits."""
    for section in proof("contents").SECTIONS:
        names = SURE.get(section.name, ())
        for experiment in section.experiments:
            if names is None or experiment.name in names:
                found = [[str(cell) for cell in line] for line in experiment.run(None)]
                assert found == results.done[section.name, experiment.name]["lines"], experiment.name


def test_a_changed_result_changes_the_page(proof, results):
    """So the comparison above can fail."""
    sections = proof("contents").SECTIONS
    before = proof("report").markdown(sections, results)
    results.done["review", "table 4"]["lines"][0][3] = "3.9"
    assert proof("report").markdown(sections, results) != before


def test_results_go_on_where_they_ended(proof, tmp_path):
    """Results are not made again, also after a new start, unless they are forgotten."""
    record = proof("record")
    calls = []
    experiments = [record.Experiment(name, lambda data, n=name: calls.append(n) or [[n, "1"]]) for name in "ab"]
    section = record.Section("review", "Title", ("what", "number"), experiments)
    record.Results(tmp_path / "r.jsonl").run(section, experiments[0], None)
    again = record.Results(tmp_path / "r.jsonl")
    assert [e.name for _, e in again.missing([section], False, False)] == ["b"]
    assert again.left(section) == ["b"]
    assert again.lines(section) == [["a", "1"]]
    assert set(json.loads((tmp_path / "r.jsonl").read_text(encoding="utf-8"))["machine"]) >= {"Python", "numpy"}
    again.forget(["review"])
    assert len(record.Results(tmp_path / "r.jsonl").missing([section], False, False)) == 2
    assert calls == ["a"]


def test_the_file_of_html_holds_all_parts(proof, results, tmp_path):
    sections = proof("contents").SECTIONS
    text = proof("report").page(sections, results, tmp_path)
    assert all(f'id="{section.name}"' in text for section in sections)
    assert text.count("<table>") == len(sections) + 1
    assert "<script" not in text


def test_commands_are_listed(home):
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks"], cwd=home, capture_output=True, text=True, timeout=120, check=True
    )
    for name in ("reproduce", "peers", "which", "quality_reliefe"):
        assert f"\n{name} " in done.stdout
    wrong = subprocess.run(
        [sys.executable, "-m", "benchmarks", "nothing"],
        cwd=home,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert wrong.returncode == 2
    assert "there is no benchmark nothing" in wrong.stderr
