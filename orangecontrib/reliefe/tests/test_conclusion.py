"""The first sentence on a ranking, the same for scripts, notebooks, reports and the command."""

import html
import re

import numpy as np
import pandas as pd
import pytest
from Orange.data import Table

from orangecontrib.reliefe import rank as rank_table
from orangecontrib.reliefe.command.cli import main
from orangecontrib.reliefe.core import Significance, rank
from orangecontrib.reliefe.core.conclusion import AboveNull, Aim, conclude

N = 100


def frame(n_features=20, n_informative=2, seed=0):
    """Numbers, of which the first ones tell two classes apart, each alone."""
    rng = np.random.default_rng(seed)
    ill = rng.random(N) < 0.5
    values = rng.normal(size=(N, n_features))
    values[:, :n_informative] += 2 * ill[:, None]
    X = pd.DataFrame(values, columns=[f"g{j}" for j in range(n_features)])
    return X, pd.Series(np.where(ill, "ill", "well"), name="state")


def sentence_of(X, y, **options):
    return rank(X, y, "multisurf", significance=True, **options).conclusion


def test_classes_that_features_tell_apart_alone():
    ranking = rank(*frame(), "multisurf", significance=True)
    n = int((ranking.significance.q <= 0.1).sum())
    assert set(ranking.significance.kind) <= {"both", ""}
    assert ranking.conclusion == (
        f"{n} of 20 features differ between ill and well; on average less than 1 of these {n} by chance (FDR 10 %)."
    )


def test_features_that_matter_only_together():
    X, _ = frame(n_informative=0)
    y = np.where(X["g0"] * X["g1"] > 0, "ill", "well")
    assert sentence_of(X, y).startswith("2 of 20 features help to tell ill from well, but only together with others; ")


def test_covariates_and_numbers():
    X, _ = frame(n_informative=0)
    age = pd.Series(3 * X["g0"] + 3 * X["g1"] + X["g2"], name="age")
    study = pd.DataFrame({"batch": np.arange(N) % 2, "centre": np.arange(N) % 3})
    assert " are related to age, adjusted for batch and centre; " in sentence_of(X, age, covariates=study)


def test_many_discoveries_have_a_number_by_chance():
    text = sentence_of(*frame(30, 15))
    n = int(text.split()[0])
    assert n >= 13
    assert f"about {0.1 * n:.0f} of these {n} by chance (FDR 10 %)." in text


def test_few_features_are_no_comparison_for_each_other():
    """The sentence names the p-values of the features alone, since p compares too few."""
    p = np.ones(3)
    notes = ("p compares 3 features with each other, which are few: own_p counts each alone",)
    tested = Significance(np.zeros(3), p, p, p, np.array([0.01, 0.05, 0.5]), 99, 0.01, notes=notes)
    text = conclude(Aim("regression", ["age"]), 3, significance=tested)
    assert text == (
        "None of 3 features stands out from chance for age (FDR 10 %), but 2 by own_p up to 0.05, which counts each "
        "alone."
    )


def test_nothing_stands_out():
    X, y = frame(n_informative=0)
    assert sentence_of(X, y) == "None of 20 features stands out from chance for ill and well (FDR 10 %)."


@pytest.mark.parametrize("y, aim", [
    (np.arange(N) % 3, "the 3 classes"),
    (np.arange(N) % 2, "0 and 1"),
    (pd.Series(np.arange(N) % 2, name="ill"), "0 and 1 of ill"),
    (pd.Series(np.where(np.arange(N) % 2, "yes", None), name="ill").fillna("no"), "no and yes of ill"),
    (np.linspace(0, 1, N) ** 2, "the target"),
    (np.column_stack([np.arange(N) % 2, np.arange(N) % 3 == 0]).astype(int), "the 2 labels"),
])  # fmt: skip
def test_what_features_are_ranked_for(y, aim):
    ranking = rank(frame()[0], y)
    assert ranking.conclusion == (
        f"20 features ranked for {aim}: no chance level was computed (for p-values add significance=True)."
    )


def test_without_a_target():
    assert rank(frame()[0], None, "urelief").conclusion == (
        "20 features ranked without a target: no chance level was computed, since p-values need a target."
    )


@pytest.mark.parametrize("n_above, end", [
    (0, "scores are near chance, since none is above the largest score for 19 permuted targets (0.5)."),
    (1, "1 is above the largest score for 19 permuted targets (0.5), which chance exceeds in 1 of 20 data sets."),
    (3, "3 are above the largest score for 19 permuted targets (0.5), which chance exceeds in 1 of 20 data sets."),
])  # fmt: skip
def test_a_null_level(n_above, end):
    text = conclude(Aim("regression", ["age"]), 9, "variant", null=AboveNull(0.5, n_above, 19))
    assert text == f"9 variants ranked for age: {end}"


def test_one_sentence_everywhere(tmp_path, capsys, monkeypatch):
    """In a script, a notebook, a report and the command, with and without Orange."""
    X, y = frame()
    ranking = rank(X, y, "multisurf", significance=True)
    text = ranking.conclusion
    assert html.unescape(re.findall(r'ranking-title"><strong>(.*?)</strong>', ranking._repr_html_())[0]) == text
    ranking.report(tmp_path / "a.html", X, y)
    assert html.unescape(re.findall(r"<h1>(.*?)</h1>", (tmp_path / "a.html").read_text(encoding="utf-8"))[0]) == text
    monkeypatch.chdir(tmp_path)
    X.assign(state=y).to_csv("a.csv", index=False)
    asked = ["rank", "a.csv", "--target", "state", "--method", "multisurf", "--significance"]
    assert main([*asked, "--report", "b.html"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == text
    assert f"<h1>{html.escape(text)}</h1>" in (tmp_path / "b.html").read_text(encoding="utf-8")
    monkeypatch.setattr("orangecontrib.reliefe.command.reading.has_orange", lambda: False)
    assert main(asked) == 0
    assert capsys.readouterr().out.splitlines()[0] == text


def test_names_of_a_table():
    ranking = rank_table(Table("heart_disease"), "relieff")
    assert ranking.info["target"] == ["diameter narrowing"]
    assert ranking.info["class_names"] == ["0", "1"]
    assert ranking.conclusion.startswith("13 features ranked for 0 and 1 of diameter narrowing: ")
    assert repr(ranking).startswith("TableRanking(ReliefF for 0 and 1 of diameter narrowing, 303 rows, 13 features: ")
    assert rank_table(Table("housing"), "rrelieff").conclusion.startswith("13 features ranked for MEDV: ")
