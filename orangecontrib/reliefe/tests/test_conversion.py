"""Tables become arrays and rankings become tables; nothing is lost, nothing is written to."""

import numpy as np
import pytest
import scipy.sparse as sp
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table, TimeVariable, Variable

from orangecontrib.reliefe import TableRanking, core, rank, refine
from orangecontrib.reliefe.orange.conversion import arrays
from orangecontrib.reliefe.orange.scores_table import scores_table


@pytest.fixture(scope="module")
def heart() -> Table:
    return Table("heart_disease")


@pytest.fixture(scope="module")
def housing() -> Table:
    return Table("housing")


@pytest.fixture
def mixed() -> Table:
    """A number, a category with a value that never occurs, a time; classes, numbers and a text to rank for."""
    rng = np.random.default_rng(1)
    number, category = rng.normal(size=40), rng.integers(0, 2, 40)
    category = category.astype(float)
    category[3] = np.nan
    attributes = [ContinuousVariable("number"), DiscreteVariable("category", ("a", "b", "never")), TimeVariable("time")]
    classes = [DiscreteVariable("grade", ("1", "2", "30")), ContinuousVariable("amount")]
    domain = Domain(attributes, classes, [StringVariable("text"), ContinuousVariable("meta")])
    grade = np.where(number > 0, 2.0, 0.0)
    grade[0] = np.nan
    text = np.where(number > 0, "yes", "no").astype(object)
    text[1] = ""
    return Table.from_numpy(
        domain,
        np.column_stack([number, category, np.arange(40) * 1e6]),
        np.column_stack([grade, 2 * number]),
        np.column_stack([text, number]).astype(object),
    )


def test_arrays_are_the_table(heart):
    data = arrays(heart)
    assert np.shares_memory(data.X, heart.X)
    assert data.X.dtype == float
    assert data.X.flags.c_contiguous
    assert data.features == heart.domain.attributes
    assert data.targets == heart.domain.class_vars
    assert data.task == "classification"
    np.testing.assert_array_equal(data.nominal, [a.is_discrete for a in heart.domain.attributes])
    np.testing.assert_array_equal(data.y, heart.Y)


def test_a_numeric_class_is_numbers(housing):
    assert arrays(housing).task == "regression"


def test_time_is_a_number(mixed):
    np.testing.assert_array_equal(arrays(mixed, "grade").nominal, [False, True, False])


@pytest.mark.parametrize("layout", ["csc", "csr"])
def test_sparse_stays_sparse(heart, layout):
    sparse = Table.from_numpy(heart.domain, sp.csr_matrix(heart.X).asformat(layout), heart.Y)
    data = arrays(sparse)
    assert sp.issparse(data.X)
    assert data.X.format == "csr"
    np.testing.assert_array_equal(data.X.toarray(), sparse.X.toarray())


@pytest.mark.parametrize("layout", ["csc", "csr"])
def test_sparse_and_dense_rank_alike(layout):
    rng = np.random.default_rng(3)
    X = rng.random((60, 8)) * (rng.random((60, 8)) < 0.4)
    domain = Domain([ContinuousVariable(f"x{j}") for j in range(8)], DiscreteVariable("y", ("no", "yes")))
    dense = Table.from_numpy(domain, X, X[:, 2] > 0)
    sparse = Table.from_numpy(domain, sp.csr_matrix(X).asformat(layout), X[:, 2] > 0)
    np.testing.assert_allclose(rank(sparse, "relieff").scores, rank(dense, "relieff").scores, atol=1e-6)


def test_sparse_data_in_disorder_are_left_so():
    X = sp.csr_matrix((np.arange(1.0, 7), [2, 0, 1, 0, 2, 1], [0, 2, 4, 6]), shape=(3, 3))
    domain = Domain([ContinuousVariable(name) for name in "abc"], DiscreteVariable("y", ("no", "yes")))
    table = Table.from_numpy(domain, X, np.array([0.0, 1, 0]))
    rank(table, "relieff", n_neighbors=1)
    np.testing.assert_array_equal(table.X.indices, [2, 0, 1, 0, 2, 1])
    np.testing.assert_array_equal(table.X.data, np.arange(1.0, 7))


def test_columns_in_another_layout_are_copied(mixed):
    domain = Domain(mixed.domain.attributes, mixed.domain.class_vars[0])
    table = Table.from_numpy(domain, np.asfortranarray(mixed.X), mixed.Y[:, 0])
    assert arrays(table).X.flags.c_contiguous


def test_target_by_name_and_by_variable(mixed):
    assert arrays(mixed, "amount").targets == arrays(mixed, mixed.domain["amount"]).targets
    assert arrays(mixed, ["amount"]).task == "regression"


def test_an_attribute_as_target_is_no_feature(mixed):
    data = arrays(mixed, "category")
    assert [f.name for f in data.features] == ["number", "time"]
    np.testing.assert_array_equal(data.X, mixed.X[:, [0, 2]])
    np.testing.assert_array_equal(data.y, mixed.X[:, 1])


def test_a_meta_as_target(mixed):
    assert arrays(mixed, "meta").task == "regression"
    data = arrays(mixed, "text")
    assert data.task == "classification"
    assert data.y[1] is None
    assert set(data.y[2:]) == {"yes", "no"}
    assert rank(mixed, "relieff", target="text", n_neighbors=3).info["rows"] == len(mixed) - 1


def test_categories_that_are_numbers_may_be_read_so(mixed):
    data = arrays(mixed, "grade", task="regression")
    assert set(data.y[1:]) == {1.0, 30.0}
    assert np.isnan(data.y[0])
    with pytest.raises(ValueError, match="not numbers: a, b, never"):
        arrays(mixed, "category", task="regression")


def test_no_target_says_what_could_be_one(mixed):
    bare = mixed.transform(Domain(mixed.domain.attributes))
    with pytest.raises(ValueError, match=r"no target.*target=.*'number', 'category'"):
        rank(bare, "relieff")
    assert rank(bare).method == "urelief"


def test_several_targets_of_a_mixture(mixed):
    with pytest.raises(ValueError, match=r"classification.*multi-target"):
        rank(mixed, "relieff")
    ranking = rank(mixed, "rrelieff", per_target=True)
    assert ranking.info["task"] == "multi-target"
    assert ranking.targets == mixed.domain.class_vars
    assert [v.name for v in ranking.to_table().domain.attributes] == [
        "RReliefF",
        "RReliefF (grade)",
        "RReliefF (amount)",
    ]


def test_the_task_of_several_targets_may_be_said(heart):
    two = ["gender", "diameter narrowing"]
    assert rank(heart, target=two).info["task"] == "multi-label"
    assert rank(heart, target=two, task="multi-target").info["task"] == "multi-target"
    with pytest.raises(ValueError, match="regression takes one"):
        rank(heart, target=two, task="regression")
    with pytest.raises(ValueError, match="0, 1 and unknown"):
        rank(heart, target=["age", "gender"], task="multi-label")


def test_a_target_may_be_left_aside(heart):
    for target in (None, ["gender", "age"]):
        ranking = rank(heart, target=target, task="unsupervised")
        assert (ranking.method, ranking.targets) == ("urelief", ())
    with pytest.raises(ValueError, match="not for unsupervised"):
        rank(heart, "relieff", task="unsupervised")


def test_unknown_target_lists_the_known(mixed):
    with pytest.raises(ValueError, match="unknown target 'x'; choose from 'number'"):
        rank(mixed, target="x")
    with pytest.raises(TypeError, match="a variable or its name"):
        rank(mixed, target=1.5)


def test_of_many_names_the_nearest_are_listed(heart):
    with pytest.raises(ValueError, match=r"unknown target 'Rest-SBP'; choose from 'rest SBP' \(the nearest of 14\)"):
        rank(heart, target="Rest-SBP")


def test_no_features(heart):
    with pytest.raises(ValueError, match="no features"):
        rank(heart.transform(Domain([], heart.domain.class_vars)))


def test_not_a_table():
    with pytest.raises(TypeError, match=r"Orange Table.*core\.rank"):
        rank(np.zeros((3, 2)))


def test_wrong_task_for_the_method(heart, housing):
    with pytest.raises(ValueError, match="for regression"):
        rank(heart, "rrelieff")
    with pytest.raises(ValueError, match="for classification"):
        rank(housing, "relieff")


def test_rank_is_the_core_on_arrays(heart):
    data = arrays(heart)
    ranking = rank(heart, "relieff", n_neighbors=7)
    expected = core.rank(data.X, data.y, "relieff", nominal=data.nominal, task=data.task, n_neighbors=7)
    assert isinstance(ranking, TableRanking)
    np.testing.assert_array_equal(ranking.scores, expected.scores)
    np.testing.assert_array_equal(ranking.ranking, expected.ranking)
    assert ranking.parameters == expected.parameters
    assert ranking.names == tuple(a.name for a in heart.domain.attributes)
    assert ranking.table is heart


def test_values_that_never_occur_are_harmless(mixed):
    assert np.isfinite(rank(mixed, "relieff", target="grade", n_neighbors=3).scores).all()


def test_refine_ends_with_the_ranking(heart):
    *_, last = refine(heart, "relieff")
    assert isinstance(last, TableRanking)
    assert last.info["final"]
    np.testing.assert_array_equal(last.scores, rank(heart, "relieff").scores)


def test_refine_refuses_before_it_starts(heart):
    with pytest.raises(ValueError, match="unknown target"):
        refine(heart, target="x")


def test_select_keeps_all_but_the_other_features(mixed):
    ranking = rank(mixed, "relieff", target="grade", n_neighbors=3)
    selected = ranking.select(2)
    assert selected.domain.attributes == ranking.best(2)
    assert selected.domain.class_vars == mixed.domain.class_vars
    assert selected.domain.metas == mixed.domain.metas
    assert len(selected) == len(mixed)
    assert ranking.best(1)[0].name == "number"
    assert set(ranking.select(99).domain.attributes) == set(mixed.domain.attributes)


def test_select_keeps_a_target_among_the_attributes(mixed):
    selected = rank(mixed, "relieff", target="category", n_neighbors=3).select(1)
    assert "category" in selected.domain
    assert len(selected.domain.attributes) == 2


def test_to_table_has_a_row_for_each_feature(heart):
    ranking = rank(heart, "relieff")
    scores = ranking.to_table()
    assert scores.name == "Feature scores"
    assert [v.name for v in scores.domain.variables] == ["ReliefF"]
    assert [str(row["Feature"]) for row in scores] == [a.name for a in heart.domain.attributes]
    np.testing.assert_array_equal(scores.X[:, 0], ranking.scores)


def test_scores_table_makes_titles_unique():
    scores = scores_table(["a", "b"], {"Feature": np.array([1.0, 2]), "x": np.array([3.0, 4])})
    assert [v.name for v in scores.domain.variables] == ["Feature (1)", "x"]
    np.testing.assert_array_equal(scores.X, [[1, 3], [2, 4]])


def test_scores_table_of_nothing():
    assert len(scores_table([], {"x": np.empty(0)})) == 0
    assert scores_table(["a"], {}).X.shape == (1, 0)


def test_few_comparisons_of_variables(monkeypatch):
    """Their number grows as that of the variables, not as that of pairs of them."""
    count = 300
    domain = Domain(
        [ContinuousVariable(f"x{j}") for j in range(count)], [ContinuousVariable(f"y{j}") for j in range(count)]
    )
    table = Table.from_numpy(domain, *np.random.default_rng(0).random((2, 6, count)))
    ranking = rank(table, "pct", n_trees=1)
    calls, same = [], Variable.__eq__
    monkeypatch.setattr(Variable, "__eq__", lambda self, other: calls.append(1) or same(self, other))
    assert len(arrays(table).features) == count
    assert len(arrays(table, list(domain.class_vars)).targets) == count
    assert len(ranking.select(count).domain.attributes) == count
    assert len(calls) < 20 * count


def test_scores_table_with_tests():
    ranking = rank(Table("iris"), "relieff", significance=3)
    table = ranking.to_table()
    assert [v.name for v in table.domain.metas] == ["Feature", "z", "p", "q"]
    np.testing.assert_allclose(table.metas[:, 3].astype(float), ranking.significance.q)
    assert scores_table(["a"], {"z": [1.0]}, {"z": [2.0]}).domain.metas[1].name == "z (1)"


@pytest.fixture
def weighted_heart(heart) -> Table:
    weighted = heart.copy()
    with weighted.unlocked():
        weighted.W = np.repeat([1.0, 5.0], [100, len(heart) - 100])
    return weighted


@pytest.mark.parametrize(
    ("method", "word"), [("relieff", "used"), ("multisurf", "used"), ("auto", "used"), ("relief", "left aside")]
)
def test_a_ranking_says_whether_weights_of_rows_are_used(heart, weighted_heart, method, word):
    for ranking in (rank(weighted_heart, method), *refine(weighted_heart, method)):
        assert [word in text for text in ranking.info["information"] if "weights of rows are" in text] == [True]
    if method != "auto":
        plain = rank(heart, method)
        assert not any("weights" in text for text in plain.info["information"])
        assert np.array_equal(plain.scores, rank(weighted_heart, method).scores) == (word == "left aside")


def test_weights_of_rows_are_left_aside_beside_covariates(heart, weighted_heart):
    given = {"covariates": "age"}
    scores = [rank(table, "multisurf", **given).scores for table in (heart, weighted_heart)]
    np.testing.assert_array_equal(*scores)
