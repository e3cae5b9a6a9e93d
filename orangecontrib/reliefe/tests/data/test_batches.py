"""Columns of batches are found, and asked about at all entrances; columns of other kinds are not."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from scipy.stats import f as f_distribution
from scipy.stats import f_oneway

from orangecontrib.reliefe.command import cli
from orangecontrib.reliefe.core import describe, rank

N, P = 120, 40


def study(n_shifted=20, seed=0):
    """Numbers of which some differ between four plates, some with the target, and a category of noise."""
    rng = np.random.default_rng(seed)
    plate = rng.integers(0, 4, N)
    y = rng.integers(0, 2, N)
    X = rng.normal(size=(N, P))
    X[:, :n_shifted] += 1.5 * rng.normal(size=(4, n_shifted))[plate]
    X[:, 30:] += 2 * y[:, None]
    frame = pd.DataFrame(X, columns=[f"g{f}" for f in range(P)])
    frame["plate"] = pd.Categorical([f"P{code}" for code in plate])
    frame["sex"] = pd.Categorical(np.where(rng.random(N) < 0.5, "f", "m"))
    return frame, np.where(y, "tumour", "normal")


def proposals(frame, y):
    return [(role, name) for role, name, _ in rank(frame, y, "relieff").info.get("proposals", ())]


def test_a_batch_is_proposed_as_a_covariate():
    frame, y = study()
    info = rank(frame, y, "relieff").info
    assert [proposal[:2] for proposal in info["proposals"]] == [["covariate", "plate"]]
    note = next(text for text in info["information"] if "'plate'" in text)
    assert "between the 4 values of 'plate'" in note
    assert "make it a covariate (covariates=...)" in note
    adjusted = frame.drop(columns="plate")
    assert "proposals" not in rank(adjusted, y, "relieff", covariates=frame[["plate"]]).info


def test_the_share_is_that_of_f_tests_of_each_number():
    """Without a target the test is an analysis of variance, here by SciPy, number by number."""
    frame, _ = study()
    groups = [frame[frame["plate"] == value] for value in frame["plate"].cat.categories]
    p = np.array([f_oneway(*(group[f"g{f}"] for group in groups)).pvalue for f in range(P)])
    share = np.mean(p <= 0.001 / 2)  # two columns are tried
    findings = [finding for finding in describe(frame).findings if finding.action == "covariate"]
    assert len(findings) == 1
    assert findings[0].text.startswith(f"{100 * share:.0f} % of the numbers differ")
    assert findings[0].python == "covariates=X[['plate']]"


def test_the_share_beside_a_target_is_that_of_two_regressions_each():
    frame, y = study()
    plates = (frame["plate"].to_numpy()[:, None] == frame["plate"].cat.categories.to_numpy()).astype(float)
    without = np.column_stack([np.ones(N), y == "tumour"])
    p = []
    for f in range(P):
        x = frame[f"g{f}"].to_numpy()
        squares = []
        for columns in (without, np.hstack([without, plates])):
            residuals = x - columns @ np.linalg.lstsq(columns, x, rcond=None)[0]
            squares.append(residuals @ residuals)
        statistic = (squares[0] - squares[1]) / 3 / (squares[1] / (N - 5))
        p.append(f_distribution.sf(statistic, 3, N - 5))
    share = np.mean(np.array(p) <= 0.001 / 2)
    (finding,) = [finding for finding in describe(frame, y).findings if finding.action == "covariate"]
    assert finding.text.startswith(f"{100 * share:.0f} % of the numbers differ")


def test_missing_values_and_huge_numbers_change_little():
    frame, y = study()
    holes = frame.copy()
    rng = np.random.default_rng(1)
    for f in range(P):
        holes.loc[rng.random(N) < 0.1, f"g{f}"] = np.nan
    holes["g0"] *= 1e200
    holes["g1"] = 7.0
    assert proposals(holes, y) == [("covariate", "plate")]


@pytest.mark.parametrize("seed", range(5))
def test_columns_without_differences_are_not_proposed(seed):
    frame, y = study(n_shifted=0, seed=seed)
    assert proposals(frame, y) == []


def test_what_the_target_explains_is_no_batch():
    """A category that goes with the target differs in all numbers of the target, but not beyond it."""
    frame, y = study(n_shifted=0)
    rng = np.random.default_rng(2)
    frame["ward"] = pd.Categorical(np.where(rng.random(N) < 0.9, y, "normal"))
    assert proposals(frame, y) == []
    assert ("covariate", "ward") in proposals(frame, rng.permutation(y))


def test_numbers_are_batches_by_their_names_only():
    frame, y = study()
    codes = frame["plate"].cat.codes.astype(float)
    numbers = frame.drop(columns="plate")
    assert proposals(numbers.assign(Plate_No=codes), y) == [("covariate", "Plate_No")]
    assert proposals(numbers.assign(stage=codes), y) == []


def test_few_numbers_show_nothing():
    frame, y = study()
    assert proposals(frame[[*(f"g{f}" for f in range(15)), "plate"]], y) == []


def test_the_command_has_the_option(tmp_path, capsys):
    frame, y = study()
    path = tmp_path / "study.csv"
    frame.assign(status=y).to_csv(path, index=False)
    assert cli.main(["describe", str(path), "--target", "status", "--json"]) == 0
    options = [finding["option"] for finding in json.loads(capsys.readouterr().out)["findings"]]
    assert "--covariate plate" in options
    call = ["rank", str(path), "--target", "status", "--method", "relieff", "--json"]
    assert cli.main(call) == 0
    text = capsys.readouterr().out
    assert "make it a covariate (--covariate NAME)" in text
    assert cli.main([*call, "--covariate", "plate"]) == 0
    assert "make it a covariate" not in capsys.readouterr().out


def test_metas_of_a_table_are_found():
    from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

    from orangecontrib.reliefe import describe as describe_table
    from orangecontrib.reliefe import rank as rank_table

    frame, y = study()
    attributes = [ContinuousVariable(f"g{f}") for f in range(P)]
    plate = DiscreteVariable("plate", [f"P{code}" for code in range(4)])
    domain = Domain(attributes, DiscreteVariable("status", ["normal", "tumour"]), [plate])
    codes = frame["plate"].cat.codes.to_numpy(float)[:, None]
    X = frame.iloc[:, :P].to_numpy()
    data = Table.from_numpy(domain, X, (y == "tumour").astype(float), codes)
    proposed = rank_table(data, "relieff").info["proposals"]
    assert [proposal[:2] for proposal in proposed] == [["covariate", "plate"]]
    assert [f.columns for f in describe_table(data).findings if f.action == "covariate"] == [("plate",)]
    assert "proposals" not in rank_table(data, "relieff", covariates="plate").info


def wards_of_classes(seed=3):
    """Return numbers that differ in the middle one of three classes, a category that nearly repeats these, and them."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 3, N)
    X = rng.normal(size=(N, P)) + 3 * (kind == 1)[:, None]
    frame = pd.DataFrame(X, columns=[f"g{f}" for f in range(P)])
    ward = np.where(rng.random(N) < 0.95, kind, rng.integers(0, 3, N))
    frame["ward"] = pd.Categorical([f"W{code}" for code in ward])
    return frame, kind


def covariates(frame, y):
    return [finding.columns for finding in describe(frame, y).findings if finding.action == "covariate"]


def test_classes_among_several_targets_are_no_numbers():
    """The codes of the classes say little in a regression, so that the ward would seem to differ beyond them."""
    frame, kind = wards_of_classes()
    classes = pd.Categorical([("low", "middle", "high")[code] for code in kind], ["low", "middle", "high"])
    y = pd.DataFrame({"kind": classes, "size": np.random.default_rng(4).normal(size=N)})
    assert covariates(frame, y) == []
    assert covariates(frame, y.assign(kind=np.random.default_rng(5).permutation(y["kind"]))) == [("ward",)]


@pytest.mark.parametrize("n_others", [5, 300])
def test_labels_of_sparse_sets_are_columns_of_the_target(n_others):
    """One label explains what differs between the wards, whatever other labels there are."""
    frame, kind = wards_of_classes()
    others = np.random.default_rng(6).random((N, n_others)) < 0.01
    labels = np.column_stack([others, kind == 1, kind == 2]).astype(float)
    assert covariates(frame, csr_array(labels)) == []
    assert covariates(frame, csr_array(np.random.default_rng(7).permutation(labels))) == [("ward",)]


def test_a_number_of_a_batch_is_none_of_the_other_numbers():
    """It differs between its own values, and would be the twentieth number."""
    frame, y = study()
    numbers = frame[[f"g{f}" for f in range(19)]].assign(Plate_No=frame["plate"].cat.codes.astype(float))
    assert proposals(numbers, y) == []
    assert proposals(numbers.assign(g19=frame["g19"]), y) == [("covariate", "Plate_No")]


def test_the_share_is_that_of_the_other_numbers():
    frame, _ = study(n_shifted=5)
    numbers = frame[[f"g{f}" for f in range(20)]].assign(Plate_No=frame["plate"].cat.codes.astype(float))
    groups = [numbers[numbers["Plate_No"] == value] for value in range(4)]
    p = np.array([f_oneway(*(group[f"g{f}"] for group in groups)).pvalue for f in range(20)])
    share = np.mean(p <= 0.001)
    assert 0.25 <= share < 1
    (finding,) = [finding for finding in describe(numbers).findings if finding.action == "covariate"]
    assert finding.text.startswith(f"{100 * share:.0f} % of the numbers differ")


def test_texts_of_a_target_are_classes():
    from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table

    from orangecontrib.reliefe import rank as rank_table

    frame, kind = wards_of_classes()
    order = np.argsort(kind, kind="stable")  # texts are numbered as they come: the middle class second
    metas = [StringVariable("kind"), DiscreteVariable("ward", ["W0", "W1", "W2"])]
    domain = Domain([ContinuousVariable(f"g{f}") for f in range(P)], None, metas)
    texts = [("low", "middle", "high")[code] for code in kind]
    columns = np.array([texts, frame["ward"].cat.codes], dtype=object).T
    data = Table.from_numpy(domain, frame.iloc[:, :P].to_numpy(), None, columns)[order]
    assert "proposals" not in rank_table(data, "relieff", target="kind").info
