"""Tests of tables whose rows are features: found by shape and names, with a target and without, and no other tables."""

import numpy as np
import pandas as pd
import pytest

from orangecontrib.reliefe import has_orange
from orangecontrib.reliefe.command import cli
from orangecontrib.reliefe.core import describe, rank

N, P = 60, 12
SAMPLES = [f"S{j:03}" for j in range(P)]
GENES = {
    "gene0": [f"gene{i}" for i in range(N)],
    "Ensembl": [f"ENSG{i:011}" for i in range(N)],
    "probes": [f"{1000 + i}_at" for i in range(N)],
    "symbols": [f"{a}{b}X{i}"[: 3 + i % 3] + chr(65 + i % 26) + str(i) * (i > 25) for i, (a, b) in enumerate(
        zip("ABCDEF" * 10, "GHIJKLMNOP" * 6, strict=True))],
}  # fmt: skip


def table(rows, columns, seed=0):
    return pd.DataFrame(np.random.default_rng(seed).normal(size=(len(rows), len(columns))), rows, columns)


def actions(description):
    return [finding.action for finding in description.findings]


@pytest.mark.parametrize("kind", ["gene0", "Ensembl", "probes"])
def test_rows_of_features_are_said_everywhere(kind, tmp_path, monkeypatch, capsys):
    frame = table(GENES[kind], SAMPLES)
    assert actions(describe(frame))[0] == "transpose"
    assert actions(describe(frame, "S000"))[0] == "transpose"
    note = f"each row looks like a feature ({GENES[kind][0]!r}, {GENES[kind][1]!r}, ...)"
    notes = rank(frame, None, "urelief").info["information"]
    assert f"{note}: transpose the table" in notes
    path = tmp_path / "genes.csv"
    frame.to_csv(path, index_label="gene")
    for _ in range(1 + has_orange()):
        for asked in ([], ["--target", "S000"]):
            assert cli.main(["describe", str(path), *asked]) == 0
            out = capsys.readouterr().out
            assert note[1:] in out
            assert "--transpose" in out
        assert cli.main(["rank", str(path), "--target", "S000", "--method", "rrelieff"]) == 0
        out = capsys.readouterr().out
        assert note[1:] in out
        assert "add --transpose" in out
        assert cli.main(["describe", str(path), "--transpose"]) == 0
        assert "looks like a feature" not in capsys.readouterr().out
        monkeypatch.setattr("orangecontrib.reliefe.command.reading.has_orange", lambda: False)


OTHERS = {
    "patients": ([f"patient{i}" for i in range(N)], [f"gene{j}" for j in range(P)]),
    "names and features": ([f"person {chr(65 + i % 26)}{i}" for i in range(N)], [f"x{j}" for j in range(P)]),
    "samples and genes": (SAMPLES * 5, GENES["gene0"][:P]),
    "words": (GENES["symbols"], ["age", "height", "weight"]),
    "numbers": (range(N), SAMPLES),
}


@pytest.mark.parametrize("kind", OTHERS)
def test_other_tables_are_not(kind):
    rows, columns = OTHERS[kind]
    frame = table(rows, columns)
    y = np.arange(len(frame)) % 2
    assert "transpose" not in actions(describe(frame, y))
    assert not any("transpose" in note for note in rank(frame, y, "relieff").info["information"])
