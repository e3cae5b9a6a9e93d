"""Explanations of ranks: parts of scores, rows, other methods and chance; groups of alike features."""

import html
import re

import numpy as np
import pandas as pd
import pytest
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from scipy import stats

from orangecontrib.reliefe import TableRanking, refine
from orangecontrib.reliefe import explain as explain_table
from orangecontrib.reliefe import rank as rank_table
from orangecontrib.reliefe.core import METHODS, Ranking, alike_features, explain, rank
from orangecontrib.reliefe.core.inference import difference_intervals, score_parts
from orangecontrib.reliefe.tests.naive.explanation import difference, half_width, relieff_pairs, relieff_parts
from orangecontrib.reliefe.tests.samples import make


def test_parts_are_those_of_the_twin():
    X, y = np.random.default_rng(0).normal(size=(30, 4)), np.arange(30) % 3
    X[:, 1] += y
    found = explain(rank(X, y, "relieff", n_neighbors=4), 1, X, y)
    apart, alike, rows = relieff_parts(X, y, 1, 4)
    assert (found.apart, found.alike) == pytest.approx((apart, alike))
    np.testing.assert_allclose(found.rows, rows, atol=1e-12)
    assert found.score == pytest.approx(apart - alike)


def test_differences_are_written_so_that_they_differ():
    X, y = np.random.default_rng(0).random((300, 6)), np.arange(300) % 2
    ranking = rank(X, y, "relieff")
    for f in range(6):
        found = explain(ranking, f, X, y)
        apart, alike = re.search(r"differ in it by (\S+), and .* by (\S+)\.$", found.sentences[0]).groups()
        assert (float(apart) > float(alike)) == (found.score > 0)  # with two digits, some are equal
        assert float(apart) == pytest.approx(found.apart, rel=0.05)


def test_interval_is_that_of_the_twin():
    X, y = np.random.default_rng(0).normal(size=(41, 4)), np.arange(41) % 3
    X[:, 1] += y
    found = explain(rank(X, y, "relieff", n_neighbors=4, random_state=3), 1, X, y, random_state=3)
    margin = half_width(X, y, 1, 4, 3, stats.t.ppf(0.975, 39))
    assert found.difference == pytest.approx(difference(relieff_pairs(X, y, 1, 4)))
    assert found.interval == pytest.approx((found.difference - margin, found.difference + margin))
    low, high = found.interval
    numbers = f"The difference is {found.difference:.2g}, with a 95 % interval of {low:.2g} to {high:.2g}"
    assert found.sentences[1] == f"{numbers} by 40 samples of 30 of the 41 rows."


def test_rows_of_a_group_are_sampled_together():
    """Each row five times, as a group: five rows say no more than one."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 4))
    y = (X[:, 1] + rng.logistic(size=60) > 0).astype(int)
    once = explain(rank(X, y, "multisurf"), 1, X, y)
    rows = np.repeat(np.arange(60), 5)
    repeated = X[rows] + 0.001 * rng.normal(size=(300, 4))
    copies = rank(repeated, y[rows], "multisurf", groups=rows)
    grouped = explain(copies, 1, repeated, y[rows], groups=rows)
    assert grouped.interval_by == "by 40 samples of 45 of the 60 groups of rows"
    widths = [np.ptp(found.interval) for found in (once, grouped)]
    assert 0.6 < widths[1] / widths[0] < 1.6
    alone = explain(rank(repeated, y[rows], "multisurf"), 1, repeated, y[rows])
    assert np.ptp(alone.interval) < 0.6 * widths[0]


def test_intervals_that_may_be_too_short_say_so():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    X[:, 1] = rng.standard_t(1.5, size=200)
    X[rng.random(200) < 0.2, 2] = np.nan
    y = (X[:, 0] + X[:, 1] + rng.logistic(size=200) > 0).astype(int)
    ranking = rank(X, y, "multisurf")
    plain, tails, missing, _ = (explain(ranking, feature, X, y) for feature in range(4))
    assert plain.interval_doubt == ""
    assert plain.sentences[1].endswith("of the 200 rows.")
    assert tails.sentences[1].endswith("rows. It may be too short, since a few rows decide on its range.")
    assert missing.sentences[1].endswith("rows. It may be too short, since many of its values are missing.")
    category = rank(X, y, "multisurf", nominal=[1])
    assert explain(category, 1, X, y, nominal=[1]).interval_doubt == ""


def test_many_rows_are_sampled(monkeypatch):
    monkeypatch.setattr(difference_intervals, "MAX_SAMPLED_ROWS", 50)
    rng = np.random.default_rng(2)
    X = rng.normal(size=(400, 3))
    y = (X[:, 0] + rng.logistic(size=400) > 0).astype(int)
    ranking = rank(X, y, "multisurf")
    found = explain(ranking, 0, X, y)
    assert found.interval_by == "by 40 samples of 50 of the 400 rows"
    assert found.sentences[1].endswith(f" {found.interval_by}.")
    monkeypatch.undo()
    every_row = explain(ranking, 0, X, y)
    assert 0.5 < np.ptp(found.interval) / np.ptp(every_row.interval) < 2


def test_explanations_of_a_report_are_those_of_each_feature(tmp_path):
    data = make(5, METHODS["relieff"].tasks[0])
    ranking = rank(data.X, data.y, "relieff", nominal=data.nominal)
    ranking.report(tmp_path / "report.html", data.X, data.y, nominal=data.nominal)
    text = html.unescape((tmp_path / "report.html").read_text(encoding="utf-8"))
    for feature in ranking.ranking[:2]:
        for sentence in explain(ranking, feature, data.X, data.y, nominal=data.nominal).sentences:
            assert sentence in text


def test_no_interval_where_one_row_has_all_unlike_pairs():
    X, y = np.arange(12.0).reshape(6, 2), np.array([0, 0, 0, 0, 0, 1])
    found = explain(rank(X, y, "relieff", n_neighbors=1), 0, X, y)
    assert found.difference is not None
    assert found.interval is None
    assert "not tested" in found.sentences[1]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["relieff", "multisurf"])
def test_intervals_have_the_mean_difference_of_other_samples(method):
    found = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X = rng.random((100, 8))
        y = (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5) ^ (rng.random(100) < 0.1)
        found.append(explain(rank(X, y, method), 0, X, y))
    mean = np.mean([each.difference for each in found])
    covered = [low <= mean <= high for low, high in (each.interval for each in found)]
    assert np.mean(covered) >= 0.9


@pytest.mark.parametrize(
    "method, parameters",
    [
        ("multisurf", {}), ("surfstar", {}), ("relief", {"power": 2}), ("relieff", {"ramp": True, "diff": "rank"}),
        ("rrelieff", {}), ("urelief", {}), ("relieff", {"n_instances": 9}),
    ],
)  # fmt: skip
def test_rows_add_up_to_the_score(method, parameters):
    task = METHODS[method].tasks[0]
    data = make(3, task)
    more = {"nominal": data.nominal, "task": task}
    ranking = rank(data.X, data.y, method, **more, **parameters)
    for feature in (0, len(ranking.scores) - 1):
        found = explain(ranking, feature, data.X, data.y, **more)
        assert found.rows.sum() == pytest.approx(ranking.scores[feature], abs=1e-6)
        up, down = found.most(2)
        assert found.rows[up].min() > 0
        assert found.rows[down].max() < 0
        assert found.rows[up[0]] == found.rows.max()


def test_rows_without_a_target_take_no_part(monkeypatch):
    data = make(4)
    y = np.where(np.arange(len(data.y)) < 5, np.nan, data.y)
    ranking = rank(data.X, y, "relieff")
    assert np.isnan(explain(ranking, 0, data.X, y).rows).tolist() == np.isnan(y).tolist()
    monkeypatch.setattr(score_parts, "MAX_PAIRS", 10 * len(y))
    assert explain(ranking, 0, data.X, y).apart > 0


def xor(n=200):
    X = np.random.default_rng(0).random((n, 12))
    return X, (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)


def test_reason_together():
    X, y = xor()
    ranking = rank(X, y, "multisurf", significance=10)
    f = int(ranking.ranking[0])
    worst = rank(X, y, "mutualinfo")
    f = next(f for f in (0, 1) if np.flatnonzero(worst.ranking == f)[0] > 6)
    found = explain(ranking, f, X, y, others=["mutualinfo", ranking])
    assert found.elsewhere["MultiSURF"] == found.rank <= 2
    assert len(found.reasons) == 1
    assert "not related to the target alone" in found.reasons[0]
    assert f"p = {found.p:.2g}" in found.sentences[1]


def test_reason_of_a_wrapper_is_that_of_its_core():
    X, y = xor()
    ranking = rank(X, y, "multisurf")
    removed = rank(X, y, "turf", core="mutualinfo", n_keep=1)
    f = next(f for f in (0, 1) if np.flatnonzero(removed.ranking == f)[0] > 6)
    found = explain(ranking, f, X, y, others=[removed])
    assert "not related to the target alone" in found.reasons[0]


def test_reasons_repetition_and_kinds():
    rng = np.random.default_rng(1)
    y = np.arange(90) % 2
    frame = pd.DataFrame(rng.normal(size=(90, 10))).add_prefix("n")
    frame["twin"] = frame["n0"] + rng.normal(size=90) * 0.01
    frame["kind"] = np.where(rng.random(90) < 0.3, "b", "a")
    first, last = np.arange(12.0), np.arange(12.0)[::-1]

    def reasons(feature, *rankings):
        above, *below = (Ranking(scores, method, names=tuple(frame)) for scores, method in rankings)
        return explain(above, feature, frame, y, others=below).reasons

    text = "Boosted Relief leaves out features like better ones, and twin is like n0"
    assert reasons("twin", (first, "relieff"), (last, "boostedrelief")) == (text,)
    text = "ReliefF counts two categories as a difference of 1, but two numbers as a part of their range"
    assert reasons("kind", (first, "relieff"), (last, "pct")) == reasons("n0", (last, "pct"), (first, "relieff"))
    assert reasons("kind", (first, "relieff"), (last, "pct")) == (text,)
    assert (
        reasons("kind", (first, "relieff"), (first, "pct")) == reasons("kind", (first, "pct"), (last, "relieff")) == ()
    )
    assert reasons("kind", (first, "relieff"), (last, "scorer of Orange")) == ()
    frame = frame.assign(n1=y, kind=first[np.arange(90) % 12])
    assert "n1 is related to the target alone" in reasons("n1", (last, "mutualinfo"), (first, "relieff"))[0]


def test_without_parts():
    X, y = xor(60)
    found = explain(rank(X, y, "mutualinfo"), 3, X, y)
    assert found.rows is None
    assert [rows.tolist() for rows in found.most()] == [[], []]
    assert "score" in found.sentences[0]
    assert "not tested" in found.sentences[1]


def test_explanation_of_a_table():
    table = Table("heart_disease")
    ranking = rank_table(table, "relieff")
    feature = ranking.best(1)[0]
    found, same = explain_table(ranking, feature, others=["relief"]), explain_table(ranking, feature.name)
    assert (found.name, found.rank) == (feature.name, 1)
    assert found.sentences == same.sentences
    assert list(found.elsewhere) == ["Relief"]
    assert len(found.rows) == len(table)
    with pytest.raises(ValueError, match="unknown feature 'x'"):
        explain_table(ranking, "x")


def test_a_ranking_explains_itself():
    X, y = xor(40)
    ranking = rank(X, y, "relieff")
    assert ranking.explain(3, X, y, others=["surf"]).sentences == explain(ranking, 3, X, y).sentences
    assert list(ranking.explain(3, X, y, others=["surf"]).elsewhere) == ["SURF"]
    shown = repr(ranking.explain(3, X, y, others=["surf"]))
    assert shown.splitlines()[:2] == [*explain(ranking, 3, X, y).sentences]
    assert "SURF" in shown.splitlines()[2]
    with pytest.raises(ValueError, match=r"of arrays does not keep them: call ranking\.explain\(feature, X, y\)"):
        ranking.explain(3)


def test_a_ranking_of_a_table_remembers_its_study():
    table = Table("iris")
    for study in {"covariates": ["petal width"]}, {"groups": "sepal width"}:
        ranking = rank_table(table, "multisurf", **study)
        found = ranking.explain("petal length")
        assert found.sentences == explain_table(ranking, "petal length", **study).sentences
        assert abs(rank_table(table, "multisurf").explain("petal length").difference - found.difference) > 1e-3
        *_, last = refine(table, "multisurf", **study)
        assert last.explain("petal length").sentences == found.sentences


def test_mixed_up_arguments_of_a_table_are_refused():
    table = Table("iris")
    ranking = rank_table(table, "relieff")
    for arguments in (("petal width", ranking), (table, "petal width")):
        with pytest.raises(TypeError, match=r"ranking of a table.*call explain\(ranking, feature\)"):
            explain_table(*arguments)
    with pytest.raises(TypeError, match="feature must be a variable or its name, not 3"):
        ranking.explain(3)


def test_groups_of_a_table():
    ranking = rank_table(Table("housing"), "rrelieff")
    names = dict(zip(ranking.names, ranking.groups(), strict=True))
    assert names["RAD"] == names["TAX"] in ("RAD", "TAX")
    assert {name for name, group in names.items() if group} == {"RAD", "TAX"}
    assert set(ranking.groups(1)) == {""}
    with pytest.raises(TypeError, match=r"integer, not 1\.5"):
        ranking.groups(1.5)
    best = [feature.name for feature in ranking.best(13)]
    second = max("RAD", "TAX", key=best.index)
    assert [feature.name for feature in ranking.best(13, groups=True)] == [name for name in best if name != second]
    assert ranking.best(2, groups=True) == ranking.best(2)


@pytest.mark.parametrize("names", [False, True])
def test_groups_are_sought_beyond_the_best_features(names):
    """40 features are copies of 4; they are compared 5 at a time, and the best of each group is its first one."""
    rng, copied = np.random.default_rng(2), np.arange(40) % 37 % 4
    X = rng.integers(0, 80, (400, 4))[:, copied].astype(float)
    codes = tuple(str(code) for code in range(80))
    made = [DiscreteVariable(f"x{j}", codes) if names else ContinuousVariable(f"x{j}") for j in range(40)]
    table = Table.from_numpy(Domain(made), X)
    features = table.domain.attributes
    ranking = TableRanking(np.arange(40.0)[::-1], "relieff", table=table, features=features, targets=(), labels=())
    assert ranking.groups(5) == tuple(f"x{copied[j]}" for j in range(40))
    assert ranking.best(10, groups=True) == features[:4]


def test_more_groups_than_are_compared_at_once():
    """120 features, each followed by its copy: the best of 110 groups are no copies."""
    X = np.repeat(np.random.default_rng(3).normal(size=(60, 120)), 2, axis=1)
    table = Table.from_numpy(Domain([ContinuousVariable(f"x{j}") for j in range(240)]), X)
    features = table.domain.attributes
    ranking = TableRanking(np.arange(240.0)[::-1], "relieff", table=table, features=features, targets=(), labels=())
    assert ranking.best(110, groups=True) == features[:220:2]


def test_table_of_scores_by_a_method_without_an_entry_in_the_registry():
    features = Table("iris").domain.attributes
    ranking = TableRanking(np.arange(4.0), "by hand", table=Table("iris"), features=features, targets=(), labels=())
    assert ranking.to_table().domain.attributes[0].name == "by hand"


def test_refusals():
    X, y = xor(40)
    ranking = rank(X, y, "relieff")
    for feature, text in ((12, "at most 11"), ("a", "no names, so 'a' must be an index from 0 to 11")):
        with pytest.raises(ValueError, match=text):
            explain(ranking, feature, X, y)
    with pytest.raises(ValueError, match="X has 3 features, but the ranking by ReliefF has 12"):
        explain(ranking, 0, X[:, :3], y)


def test_weights_of_rows_have_no_parts_of_scores():
    X, y = xor(80)
    w = np.random.default_rng(0).uniform(0.3, 3, 80)
    by_pairs, by_trees = (rank(X, y, method, sample_weight=w) for method in ("relieff", "randomforest"))
    with pytest.raises(ValueError, match=r"parts of a score take no weights of rows: rank without them"):
        explain(by_pairs, 0, X, y, sample_weight=w)
    found = explain(by_trees, 0, X, y, others=[by_pairs], sample_weight=w)
    assert found.sentences[0].startswith("feature 0 is number")
    assert not any("alone" in reason for reason in found.reasons)


def test_rankings_of_other_data_are_refused():
    X, y = xor(40)
    ranking = rank(X, y, "relieff")
    named = rank(pd.DataFrame(X, columns=list("abcdefghijkl")), y, "relieff")
    other_features, other_rows = rank(X[:, :3], y, "surf"), rank(X[:30], y[:30], "surf")
    for others, text in (
        ([other_features], "X has 12 features, but the ranking by SURF has 3"),
        ([other_rows], "X has 40 rows, but the ranking by SURF is of 30 rows"),
    ):
        with pytest.raises(ValueError, match=text):
            explain(ranking, 11, X, y, others=others)
    with pytest.raises(ValueError, match="X has 40 rows, but the ranking by SURF is of 30 rows"):
        explain(other_rows, 0, X, y)
    frame = pd.DataFrame(X, columns=list("xbcdefghijkl"))
    with pytest.raises(ValueError, match="of other features than X: feature 0 is 'a' there, and 'x' in X"):
        explain(named, "b", frame, y)


def test_rankings_with_and_without_unlabelled_rows_are_of_the_same_data():
    X, y = xor(40)
    partly = np.where(np.arange(40) < 5, np.nan, y)
    ranking, all_rows = rank(X, partly, "relieff"), rank(X, partly, "sslrelief")
    assert explain(ranking, 0, X, partly, others=[all_rows]).elsewhere.keys() == {"SSL-Relief"}


def test_arguments_in_another_order_are_refused():
    X, y = xor(40)
    ranking = rank(X, y, "relieff")
    for arguments in ((X, y, ranking, 0), ("relieff", 0, X, y), (0, ranking, X, y)):
        with pytest.raises(TypeError, match=r"ranking must be a Ranking.*explain\(ranking, feature, X, y\)"):
            explain(*arguments)
    for feature in (X, None, 1.5):
        with pytest.raises(TypeError, match=r"feature must be an index or a name.*explain\(ranking, feature, X, y\)"):
            explain(ranking, feature, y)
    with pytest.raises(TypeError, match="others must be names of methods, or rankings, not 3"):
        explain(ranking, 0, X, y, others=[3])


def test_alike_features():
    rng = np.random.default_rng(0)
    a, b, letters = rng.normal(size=80), rng.normal(size=80), rng.integers(0, 4, 80)
    X = np.column_stack([a, b, -a + 0.1 * b, letters, 3 - letters, rng.integers(0, 4, 80), letters == 2, letters == 2])
    nominal = np.array([0, 0, 0, 1, 1, 1, 1, 0], bool)
    X[3, 2] = np.nan
    assert alike_features(X, [2, 0, 1, 4, 3, 5, 7, 6], nominal).tolist() == [2, 2, 1, 4, 4, 5, 7, 7]
    assert alike_features(X, [0, 2], nominal, threshold=0.999).tolist() == [0, 2]
    constant, empty = np.ones(80), np.full(80, np.nan)
    assert alike_features(np.column_stack([X, constant, empty]), [8, 9, 0]).tolist() == [8, 9, 0]


UNITS = -1060, -700, 0, 700, 1000  # powers of two


def test_alike_features_in_any_units():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 9, (60, 5)).astype(float)
    X[:, 3], X[:, 4] = 9 - X[:, 0], X[:, 1]
    for power in UNITS:
        powers = np.array([power, 0, power, 0, power])
        assert alike_features(np.ldexp(X, powers), range(5)).tolist() == [0, 1, 2, 0, 1]
    assert alike_features(np.column_stack([np.full(60, 0.1), np.full(60, 0.7)]), [0, 1]).tolist() == [0, 1]


def test_alike_features_by_name():
    frame = pd.DataFrame({"a": [1.0, 2, 3, 5], "b": [4.0, 1, 7, 2], "c": [2.0, 4, 6, 10]})
    assert alike_features(frame, ["c", "b", "a"]).tolist() == [2, 1, 2]
    with pytest.raises(ValueError, match="unknown features 'd'"):
        alike_features(frame, ["a", "d"])


def test_alike_features_refuse_infinite_values():
    X = np.random.default_rng(0).normal(size=(9, 3))
    X[2, 1] = np.inf
    assert alike_features(X, [2, 0]).tolist() == [2, 0]
    with pytest.raises(ValueError, match=r"infinite or far too large values in feature 1"):
        alike_features(X, [2, 1])
