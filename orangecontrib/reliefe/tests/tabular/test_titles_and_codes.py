"""Tests of titles that are numbers, of codes with leading zeros, and of words among grades."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from orangecontrib.reliefe import has_orange
from orangecontrib.reliefe.command import cli
from orangecontrib.reliefe.tabular import ReadingOptions, read_text_table

N = 40
NOTE = "The first line was read as names"


def numbers(p, seed=0, scale=1.0):
    return np.random.default_rng(seed).normal(size=(N, p)).round(3) * scale


def read(tmp_path, text, **options):
    path = tmp_path / "t.csv"
    path.write_text(text)
    return read_text_table(path, ReadingOptions(**options))


def written(frame, **options):
    text = io.StringIO()
    frame.to_csv(text, **options)
    return text.getvalue()


TITLES = {
    "numbered": [0, 1, 2, 3],
    "numbered from 1": [1, 2, 3],
    "wavenumbers": [1000.5, 1005.5, 1011.5],
    "descending": [4000.5, 3990.1, 3980.2, 3970.7],
    "years": [2001, 2002, 2005],
    "even steps in the range": [-2, -1, 0, 1, 2],
}


@pytest.mark.parametrize("has_index", [False, True])
@pytest.mark.parametrize("kind", TITLES)
def test_titles_that_are_numbers(tmp_path, kind, has_index):
    titles = TITLES[kind]
    frame = pd.DataFrame(numbers(len(titles)), columns=titles)
    table = read(tmp_path, written(frame, index=has_index))
    assert table.names == ["Feature 1"] * has_index + [*map(str, titles)]
    assert len(table.cells) == N
    assert any(NOTE in note and "--no-header" in note for note in table.notes)
    # A target behind them
    table = read(tmp_path, written(frame.assign(tissue=["ab"[i % 2] for i in range(N)]), index=has_index))
    assert table.names[-2:] == [str(titles[-1]), "tissue"]
    assert len(table.cells) == N


VALUES = {
    "measurements": numbers(4),
    "grades": np.random.default_rng(3).integers(1, 6, (N, 3)),
    "pixels": np.random.default_rng(3).integers(0, 256, (N, 8)),
    "ascending rows": np.sort(numbers(4), axis=1),
    "counters": np.arange(4) + np.arange(N)[:, None] * 2,
    "a single column": np.random.default_rng(3).integers(0, 2, (N, 1)),
    "two columns": np.add(numbers(2), [[100, 200]]),
}


@pytest.mark.parametrize("kind", VALUES)
def test_rows_of_numbers_are_no_titles(tmp_path, kind):
    text = written(pd.DataFrame(VALUES[kind]), index=False, header=False)
    table = read(tmp_path, text)
    assert table.cells.shape == VALUES[kind].shape
    assert not table.header


def run(capsys, *arguments):
    status = cli.main([*map(str, arguments)])
    output = capsys.readouterr()
    assert not status, output.err
    return output.out


def test_a_target_among_numbered_titles(tmp_path, capsys):
    X = numbers(3)
    frame = pd.DataFrame(np.column_stack([X, X[:, 0] > 0]).astype(object))
    path = tmp_path / "numbered.csv"
    frame.to_csv(path, index=False)
    document = json.loads(run(capsys, "rank", path, "--target", "3", "--method", "relieff", "--json"))
    assert document["features"][0]["feature"] == "0"
    assert document["info"]["rows"] == N


@pytest.fixture(params=[True, False])
def hidden(request, monkeypatch):
    """The command with Orange and without."""
    if not has_orange() and not request.param:
        pytest.skip("Orange is missing in any case")
    if request.param:
        monkeypatch.setattr("orangecontrib.reliefe.command.reading.has_orange", lambda: False)
    return request.param


def postal(codes):
    rng = np.random.default_rng(1)
    return pd.DataFrame({"a": rng.normal(size=N), "zip": rng.choice(codes, N), "y": rng.choice(["u", "v"], N)})


def test_digits_behind_a_leading_zero_may_be_codes(tmp_path, capsys, hidden):
    path = tmp_path / "postal.csv"
    postal(["01010", "02020", "10115", "99999"]).to_csv(path, index=False)
    (finding,) = json.loads(run(capsys, "describe", path, "--target", "y", "--json"))["findings"]
    assert finding["finding"] == "digits follow a leading 0, as in codes, which are categories: 'zip'"
    assert finding["option"] == "--categories zip"
    note = "Digits follow a leading 0, as in codes, which are categories: 'zip'; if so, add --categories zip"
    assert note in run(capsys, "rank", path, "--target", "y", "--method", "relieff")
    told = run(capsys, "describe", path, "--target", "y", "--categories", "zip")
    assert "Nothing looks suspect" in told
    assert "2 features (1 number, 1 category)" in told
    for codes in (["1010", "2020", "0", "7"], ["0.5", "0.7", "12", "0.0"], ["A01", "B02"]):
        postal(codes).to_csv(path, index=False)
        assert "Nothing looks suspect" in run(capsys, "describe", path, "--target", "y")


@pytest.mark.parametrize("word", ["Don't know", "refused", ""])
def test_a_word_among_grades_counts_in_any_order_of_rows(tmp_path, capsys, hidden, word):
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({
        "q": rng.integers(1, 6, N).astype(str), "x": rng.normal(size=N), "y": rng.choice(["no", "yes"], N),
    })  # fmt: skip
    frame.loc[0, "q"] = word
    scores = []
    for order in (np.arange(N), np.roll(np.arange(N), 7), rng.permutation(N)):
        path = tmp_path / "grades.csv"
        frame.iloc[order].to_csv(path, index=False)
        document = json.loads(run(capsys, "rank", path, "--target", "y", "--method", "relieff", "--json"))
        scores.append({feature["feature"]: round(feature["score"], 9) for feature in document["features"]})
    assert scores[0].keys() == scores[1].keys() == scores[2].keys() == {"q", "x"}


def test_texts_behind_missing_cells_are_categories(tmp_path, capsys, hidden):
    frame = pd.DataFrame({"q": [*[""] * 3, *list("abcde") * 8], "x": range(43), "y": ["u", "v", "w"] * 14 + ["u"]})
    path = tmp_path / "late.csv"
    frame.to_csv(path, index=False)
    assert "2 features (1 number, 1 category)" in run(capsys, "describe", path, "--target", "y")
