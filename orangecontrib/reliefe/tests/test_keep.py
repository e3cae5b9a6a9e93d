"""Features that are always selected: beside any ranking, and first in boosting."""

import re

import numpy as np
import pytest
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from pandas import DataFrame

from orangecontrib.reliefe import core, rank, refine
from orangecontrib.reliefe.command import cli
from orangecontrib.reliefe.core import METHODS
from orangecontrib.reliefe.core.estimators import BoostedRelief, ForestRanker, ReliefF, ReliefRanker
from orangecontrib.reliefe.tests.naive import boosted as naive

BOOSTED = pytest.mark.parametrize("method", ["boostedrelief", "boostedlearnedrelief"])


def sample(n=80, p=8, seed=0):
    """Classes by features 0 and 1; 2 repeats 0, and 7 is constant."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    X[:, 2], X[:, 7] = X[:, 0] + 0.1 * rng.normal(size=n), 1.0
    return X, (X[:, 0] + X[:, 1] + 0.4 * rng.normal(size=n) > 0).astype(int)


@pytest.mark.parametrize("method", ["relieff", "multisurf", "urelief", "turf", "randomforest"])
def test_scores_are_those_without_and_the_selection_has_what_is_kept(method):
    X, y = sample()
    y = None if method == "urelief" else y
    plain, kept = core.rank(X, y, method), core.rank(X, y, method, keep=[7, 5])
    np.testing.assert_array_equal(kept.scores, plain.scores)
    assert kept.info["kept"] == [5, 7]
    for n in range(9):
        chosen = kept.select(n).tolist()
        assert {5, 7} <= {*chosen}
        assert len(chosen) == min(max(n, 2), 8)
        assert chosen == [j for j in plain.ranking if j in chosen]
        best = [j for j in plain.ranking if j not in (5, 7)][: max(n - 2, 0)]
        assert {*best} <= {*chosen}
    assert {5, 7} <= {*kept.above(np.inf)}
    assert kept.above(0.0).tolist() == [j for j in plain.ranking if plain.scores[j] >= 0 or j in (5, 7)]


def test_names_and_indices():
    X, y = sample()
    frame = DataFrame(X, columns=list("abcdefgh"))
    for keep in (["h", "f"], [7, 5], ("f", 7), np.array([5, 7]), ["f", "h", "f"]):
        assert core.rank(frame, y, "relieff", keep=keep).info["kept"] == [5, 7]
    assert core.rank(frame, y, "relieff", keep=["h"]).best(1) == ("h",)
    assert core.rank(X, y, "relieff", keep=[]).select(3).tolist() == core.rank(X, y, "relieff").select(3).tolist()


@pytest.mark.parametrize(
    ("keep", "error", "words"),
    [
        (["ae"], ValueError, r"unknown feature, 'ae'.*age"),
        ([8], ValueError, "keep must be at most 7"),
        ([-1], ValueError, "keep must be at least 0"),
        ([0.5], TypeError, "keep"),
        ("age", TypeError, "sequence"),
        (3, TypeError, "sequence"),
    ],
)
def test_unknown_features_are_refused(keep, error, words):
    X, y = sample()
    frame = DataFrame(X, columns=["age", *"bcdefgh"])
    with pytest.raises(error, match=words):
        core.rank(frame, y, "relieff", keep=keep)
    with pytest.raises(ValueError, match="no names"):
        core.rank(X, y, "relieff", keep=["age"])
    with pytest.raises(ValueError, match="several features"):
        core.rank(X, y, "relieff", keep=["a"], names=list("aacdefgh"))


@BOOSTED
@pytest.mark.parametrize("keep", [(5,), (2, 6), (7,), (0, 1, 2, 3, 4, 5, 6, 7)], ids=str)
@pytest.mark.parametrize("global_part", [False, True])
def test_boosting_takes_them_first_as_the_twin_does(method, keep, global_part):
    X, y = sample(50)
    given = {"n_neighbors": 5, "global_part": global_part}
    found = core.rank(X, y, method, keep=keep, **given)
    expected = naive.rank(X, y, np.zeros(8, bool), method, keep=keep, **given)
    np.testing.assert_allclose(found.scores, expected, atol=1e-9)
    assert {*found.info["selected"][: len(keep)]} == {*keep}
    assert len(keep) <= found.info["stopped"] <= len(found.info["selected"])


@BOOSTED
def test_what_repeats_a_kept_feature_adds_nothing_to_it(method):
    X, y = sample(200)
    plain, kept = core.rank(X, y, method), core.rank(X, y, method, keep=[2])
    first = plain.ranking[:2].tolist()
    assert 0 in first or 2 in first
    assert kept.scores[0] < kept.scores[1]
    assert {*kept.select(2)} == {1, 2}


@BOOSTED
def test_candidates_have_what_is_kept(method):
    X, y = sample()
    found = core.rank(X, y, method, keep=[5, 7], candidates=2)
    assert {*found.info["selected"][:2]} == {5, 7}


def test_wrappers_hand_them_on_to_boosting():
    X, y = sample(120)
    for name, method in METHODS.items():
        if method.family == "wrapper" and name in ("turf", "vlsrelief"):
            found = core.rank(X, y, name, core="boostedrelief", keep=[2])
            assert 2 in found.select(1)


@pytest.mark.parametrize("is_table", [False, True])
def test_pictures_name_the_features_whose_scores_they_have(is_table, tmp_path, monkeypatch):
    X, y = sample()
    frame = DataFrame(X, columns=list("abcdefgh"))
    worst = "abcdefgh"[core.rank(X, y, "relieff").ranking[-1]]
    if is_table:
        domain = Domain(map(ContinuousVariable, "abcdefgh"), DiscreteVariable("y", ("0", "1")))
        found = rank(Table.from_numpy(domain, X, y), "relieff", keep=[worst])
    else:
        found = core.rank(frame, y, "relieff", keep=[worst])
    best = [str(feature) for feature in found.best(3)]
    assert best[-1] == worst
    path = tmp_path / "scores.svg"
    found.save(path, 3)
    monkeypatch.setattr("orangecontrib.reliefe.core.result.find_spec", lambda name: None)
    for picture in (path.read_text("utf-8"), found.plot(3)):
        assert [name for name in re.findall(r">([^<>]+)<", picture) if name in [*"abcdefgh"]] == best


def test_p_values_and_refine_know_them():
    X, y = sample()
    found = core.rank(X, y, "relieff", keep=[5], significance=20)
    assert 5 in found.select(1)
    *_, last = core.refine(X, y, "relieff", keep=[5])
    assert last.info["kept"] == [5]


def test_tables():
    heart = Table("heart_disease")
    age, sex = heart.domain["age"], heart.domain["gender"]
    for keep in (["age", "gender"], [age, sex]):
        found = rank(heart, "multisurf", keep=keep)
        assert {age, sex} <= {*found.best(4)}
        assert {age, sex} <= {*found.best(4, groups=True)}
        assert {age, sex} <= {*found.select(4).domain.attributes}
        assert len(found.best(4)) == 4
    for keep in (["age"], [age], (age,)):
        *_, last = refine(heart, "multisurf", keep=keep)
        assert age in last.best(1)
    with pytest.raises(TypeError, match="sequence"):
        refine(heart, "multisurf", keep="age")
    with pytest.raises(ValueError, match=r"unknown feature, 'ages'"):
        rank(heart, "multisurf", keep=["ages"])
    with pytest.raises(ValueError, match=r"unknown feature, 'age'"):
        rank(heart, "multisurf", keep=["age"], covariates=["age"])


def test_estimators():
    X, y = sample()
    for ranker in (
        ReliefRanker("multisurf", n_features_to_select=3, keep=[7]),
        ReliefF(n_features_to_select=3, keep=[7]),
        BoostedRelief(n_features_to_select=3, keep=[7]),
        ForestRanker(n_trees=3, n_features_to_select=3, keep=[7]),
        ReliefF(n_features_to_select="fdr", keep=[7]),
    ):
        support = ranker.fit(X, y).get_support()
        assert support[7]
        assert ranker.n_features_to_select == "fdr" or support.sum() == 3
        assert ranker.transform(X).shape[1] == support.sum()


def test_command_line(capsys, tmp_path):
    assert (
        cli.main(["rank", "heart_disease", "--method", "multisurf", "--keep", "age", "--keep", "gender", "--top", "3"])
        == 0
    )
    out = capsys.readouterr().out
    assert "always selected: age, gender" in out
    listed = [line for line in out.split("\n\n")[1].splitlines() if line.strip()[:1].isdigit()]
    assert len(listed) == 3
    assert any("age" in line for line in listed)
    assert cli.main(["rank", "heart_disease", "--method", "multisurf", "--keep", "ages"]) == 2
    assert "--keep has an unknown feature, 'ages'" in capsys.readouterr().err
    X, y = sample()
    np.save(tmp_path / "X.npy", X)
    np.savetxt(tmp_path / "y.csv", y, header="y", comments="", fmt="%d")
    assert (
        cli.main(["rank", str(tmp_path / "X.npy"), "--target", str(tmp_path / "y.csv"), "--keep", "7", "--top", "1"])
        == 0
    )
    assert "always selected: feature 7" in capsys.readouterr().out


def test_notes_number_features_as_the_ranking_does():
    X, y = sample()
    found = core.rank(X, y, "relieff", keep=[2])
    assert "always selected: feature 2" in found.info["information"]
    assert "feature 2" in repr(core.rank(X[:, :3], y, "relieff"))
