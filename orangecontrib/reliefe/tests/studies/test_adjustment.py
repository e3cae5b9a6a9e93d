"""Ranks before and after an adjustment: against plain loops, and on the command line."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from Orange.data import Table

from orangecontrib.reliefe import core
from orangecontrib.reliefe.command import cli
from orangecontrib.reliefe.core.studies.adjustment import count_best, describe_fallen, find_fallen, ranks_of
from orangecontrib.reliefe.orange.scores_table import lower_is_better


@given(st.integers(1, 60).flatmap(lambda p: st.tuples(st.permutations(range(p)), st.permutations(range(p)))))
def test_fallen_features(orders):
    before, after = (ranks_of(np.array(order)) for order in orders)
    p, expected = len(before), []
    n_best = min(max(2, min(10, p // 4)), p - 1)
    for place, feature in enumerate(orders[0][:n_best], 1):
        now = orders[1].index(feature) + 1
        if now > n_best:
            expected.append((place - now, place, feature, now))
    found = find_fallen(before, after)
    assert [(fall.feature, fall.before, fall.after) for fall in found] == [
        (feature, place, now) for _, place, feature, now in sorted(expected)
    ]
    assert not find_fallen(before, before)


@pytest.mark.parametrize("p, best", [(1, 0), (2, 1), (3, 2), (8, 2), (12, 3), (40, 10), (20_000, 10)])
def test_count_of_the_best(p, best):
    assert count_best(p) == best


def test_sentences():
    names = [f"g{i}" for i in range(12)]
    before, after = np.arange(1, 13), np.array([12, *range(1, 12)])
    fallen = "moves out of the best 3 (a quarter of all): 'g0' (rank 1, now 12). Ranks are compared, and not tested"
    assert describe_fallen(before, after, names).endswith(fallen)
    assert describe_fallen(after, after, names).endswith("moves no feature out of the best 3 (a quarter of all)")
    # Both of two features are always among the best 2
    fallen = "moves out of the first rank: 'g0' (rank 1, now 2). Ranks are compared, and not tested"
    assert describe_fallen(np.array([1, 2]), np.array([2, 1]), names).endswith(fallen)
    assert describe_fallen(np.array([1, 2]), np.array([1, 2]), names).endswith("moves no feature out of the first rank")
    assert describe_fallen(np.array([1]), np.array([1]), names) == ""


@pytest.fixture
def study(tmp_path):
    """Data of 8 features as a table, as an array, and beside it a table of the batch and the class."""
    rng = np.random.default_rng(0)
    batch, X = rng.integers(0, 2, 60), rng.normal(size=(60, 8))
    X[:, 3] += 2 * batch
    ill = (2 * batch + rng.logistic(size=60) > 1).astype(int)
    beside = pd.DataFrame({"batch": np.array(["a", "b"])[batch], "ill": np.array(["no", "yes"])[ill]})
    pd.DataFrame(X, columns=[f"x{j}" for j in range(8)]).join(beside).to_csv(tmp_path / "table.csv", index=False)
    beside.to_csv(tmp_path / "beside.csv", index=False)
    np.save(tmp_path / "X.npy", X)
    return tmp_path, X, ill


@pytest.mark.parametrize("way", ["table", "frame", "array"])
def test_the_command_line_shows_unadjusted_ranks(study, way, capsys, monkeypatch):
    folder, X, ill = study
    if way == "frame":
        monkeypatch.setattr("orangecontrib.reliefe.command.reading.has_orange", lambda: False)
    beside = f"{folder / 'beside.csv'}:" if way == "array" else ""
    data = folder / ("X.npy" if way == "array" else "table.csv")
    call = ["rank", str(data), "--target", f"{beside}ill", "--method", "multisurf"]
    adjusted = [*call, "--covariate", f"{beside}batch"]
    assert cli.main([*adjusted, "--json"]) == 0
    features = json.loads(capsys.readouterr().out)["features"]
    unadjusted = sorted(features, key=lambda feature: feature["unadjusted rank"])
    order = core.rank(X, ill, "multisurf").ranking
    assert [feature["feature"].removeprefix("x") for feature in unadjusted] == [str(j) for j in order]
    assert cli.main(adjusted) == 0
    printed = capsys.readouterr().out
    assert "moves out of the best 2: " in printed
    table = printed.split("\n\n")[1].splitlines()
    assert table[0].split() == ["unadjusted", "score"]
    assert {line.split()[1]: int(line.split()[2]) for line in table[1:]} == {
        feature["feature"]: feature["unadjusted rank"] for feature in features
    }
    monkeypatch.undo()
    if way == "table":
        assert cli.main([*call[:-1], "mutualinfo", "--covariate", "batch", "--significance", "3"]) == 0
        assert "unadjusted rank" not in capsys.readouterr().out  # p-values alone are adjusted


@pytest.mark.parametrize("ending", [".csv", ".json", ".tab", ".xlsx"])
def test_files_of_the_command_have_unadjusted_ranks(study, ending, capsys):
    folder, X, ill = study
    path = folder / f"scores{ending}"
    call = ["rank", str(folder / "table.csv"), "--target", "ill", "--method", "multisurf", "--covariate", "batch"]
    assert cli.main([*call, "--output", str(path)]) == 0
    if ending == ".json":
        entries = json.loads(path.read_text())["features"]
        found = {entry["feature"]: entry["unadjusted rank"] for entry in entries}
    elif ending == ".csv":
        found = pd.read_csv(path).set_index("feature")["unadjusted rank"].to_dict()
    else:
        scores = Table(str(path))
        found = dict(zip(scores.get_column("Feature"), scores.get_column("unadjusted rank"), strict=True))
        assert lower_is_better(scores.domain["unadjusted rank"])
    expected = ranks_of(core.rank(X, ill, "multisurf").ranking)
    assert found == {f"x{j}": rank for j, rank in enumerate(expected)}
