"""The scorers work wherever Orange can use one."""

import inspect
import pickle
from copy import deepcopy

import numpy as np
import pytest
from Orange.classification import NaiveBayesLearner
from Orange.data import Domain, Table
from Orange.evaluation import CA, CrossValidation
from Orange.preprocess import SelectBestFeatures
from Orange.preprocess.preprocess import PreprocessorList
from Orange.preprocess.score import Scorer
from Orange.widgets.data.owrank import OWRank
from Orange.widgets.tests import base

import orangecontrib.reliefe
from orangecontrib.reliefe import MultiSURF, ReliefF, RReliefF, rank, scorer
from orangecontrib.reliefe.core import METHODS
from orangecontrib.reliefe.core.words import class_name
from orangecontrib.reliefe.orange import scorers
from orangecontrib.reliefe.tests.samples import REPRESENTATIVES

ALL = [getattr(scorers, class_name(method.title)) for method in METHODS.values()]
FEW = [cls for cls in ALL if cls.method.name in REPRESENTATIVES]


@pytest.fixture(scope="module")
def heart() -> Table:
    return Table("heart_disease")[::3]


def data_for(cls: type[Scorer]) -> Table:
    return Table("heart_disease")[::3] if "classification" in cls.method.tasks else Table("housing")[::5]


@pytest.mark.parametrize("cls", FEW)
def test_scores_are_those_of_rank_and_sparse_data_have_some(cls):
    data = data_for(cls)
    scores = cls()(data)
    assert scores.shape == (len(data.domain.attributes),)
    np.testing.assert_array_equal(scores, rank(data, cls.method.name).scores)
    assert cls.supports_sparse_data
    assert np.isfinite(cls()(data[::3].to_sparse())).all()


def test_each_method_has_a_class_with_its_own_signature():
    for cls in ALL:
        assert issubclass(cls, Scorer)
        assert getattr(orangecontrib.reliefe, cls.__name__) is cls
        known = [parameter.name for parameter in cls.method.parameters]
        assert list(inspect.signature(cls).parameters) == [
            *known,
            "random_state",
            "n_jobs",
            "covariates",
            "groups",
            "keep",
            "feature_groups",
        ]
        assert cls.name == cls.friendly_name == cls.method.title
        assert cls.method.citation in cls.__doc__
        assert cls.preprocessors == []


def test_every_method_has_a_scorer():
    assert {cls.method.name for cls in ALL} == set(METHODS)
    assert {cls.__name__ for cls in ALL} <= set(orangecontrib.reliefe.__all__)


def test_repr_pickle_and_copy():
    numbers = ("n_trees", "n_instances", "n_neighbors", "n_eigenvectors", "max_iter", "n_keep", "n_subsets")
    for cls in ALL:
        names = [p.name for p in cls.method.parameters]
        amount = next((name for name in numbers if name in names), None)
        made = cls(**({amount: 10} if amount else {}), random_state=3)
        for again in (eval(repr(made), vars(scorers)), pickle.loads(pickle.dumps(made)), deepcopy(made)):
            assert type(again) is cls
            assert vars(again) == vars(made)
        assert repr(cls()) == f"{cls.__name__}()"


def test_by_name():
    assert repr(scorer("relieff", n_neighbors=5)) == "ReliefF(n_neighbors=5)"
    with pytest.raises(ValueError, match="unknown method 'x'; choose from relief"):
        scorer("x")


def test_parameters_are_checked_at_construction():
    with pytest.raises(TypeError, match="relieff has no parameter 'k'; choose from"):
        ReliefF(k=3)
    with pytest.raises(TypeError, match=r"^ReliefF takes arguments by name, for example ReliefF\(n_neighbors=5\)"):
        ReliefF(5)
    with pytest.raises(ValueError, match="n_neighbors"):
        ReliefF(n_neighbors=0)
    with pytest.raises(TypeError, match="n_neighbors"):
        ReliefF(n_neighbors="many")


def test_parameters_reach_the_method(heart):
    few, many = ReliefF(n_neighbors=1)(heart), ReliefF(n_neighbors=20)(heart)
    assert not np.array_equal(few, many)
    np.testing.assert_array_equal(few, rank(heart, "relieff", n_neighbors=1).scores)


@pytest.mark.parametrize("feature", [0, "age"])
def test_one_feature_is_scored_in_the_context_of_all(heart, feature):
    one = ReliefF()(heart, feature)
    assert np.ndim(one) == 0
    assert one == ReliefF()(heart)[0]


def test_a_variable_as_feature(heart):
    assert ReliefF()(heart, heart.domain.attributes[2]) == ReliefF()(heart)[2]
    with pytest.raises(ValueError, match="not a feature"):
        ReliefF()(heart, heart.domain.class_var)


def test_score_data_is_what_rank_asks_for(heart):
    assert ReliefF().score_data(heart).shape == (1, len(heart.domain.attributes))
    assert ReliefF().score_data(heart, heart.domain.attributes[0]).shape == (1, 1)


def test_what_cannot_be_scored_is_a_value_error(heart):
    with pytest.raises(ValueError, match="for classification"):
        ReliefF()(Table("housing"))
    with pytest.raises(ValueError, match="for regression"):
        RReliefF()(heart)
    with pytest.raises(ValueError, match="target"):
        ReliefF()(heart.transform(Domain(heart.domain.attributes)))


def test_lack_of_memory_is_a_value_error(heart, monkeypatch):
    def fail(*_, **__):
        raise MemoryError

    monkeypatch.setattr(scorers, "rank", fail)
    with pytest.raises(ValueError, match="memory"):
        ReliefF()(heart)


def test_select_best_features(heart):
    selected = SelectBestFeatures(method=ReliefF(), k=3)(heart)
    assert set(selected.domain.attributes) == set(rank(heart, "relieff").best(3))


def test_covariates_of_the_rows_that_are_scored(heart):
    adjusted = MultiSURF(covariates=["age"], groups="chest pain")
    expected = rank(heart, "multisurf", covariates=["age"], groups="chest pain")
    names = [v.name for v in heart.domain.attributes]
    scores = dict(zip(names, adjusted(heart), strict=True))
    assert {name for name in names if scores[name] == -np.inf} == {"age", "chest pain"}
    assert [scores[v.name] for v in expected.features] == expected.scores.tolist()
    selected = SelectBestFeatures(method=adjusted, k=3)(heart)
    assert set(selected.domain.attributes) == set(expected.best(3))
    with pytest.raises(ValueError, match="takes no covariates"):
        scorer("learnedrelief", covariates=["age"])(heart)
    with pytest.raises(ValueError, match="unknown"):
        MultiSURF(covariates=["weight"])(heart)


def test_selection_inside_cross_validation(heart):
    selection = PreprocessorList([SelectBestFeatures(method=ReliefF(n_neighbors=5), k=3)])
    results = CrossValidation(k=3, random_state=0)(heart, [NaiveBayesLearner()], preprocessor=selection)
    assert CA(results)[0] > 0.6


def test_selection_in_a_learner(heart):
    learner = NaiveBayesLearner(
        preprocessors=[SelectBestFeatures(method=ReliefF(), k=2), *NaiveBayesLearner.preprocessors]
    )
    assert len(learner(heart).domain.attributes) == 2


def test_sparse_data():
    iris = Table("iris")
    np.testing.assert_allclose(ReliefF()(iris.to_sparse()), ReliefF()(iris), atol=0.01)


class TestInRank(base.WidgetTest):
    def setUp(self):
        self.widget = self.create_widget(OWRank)

    def scores(self, data, made):
        self.send_signal(self.widget.Inputs.data, data)
        self.send_signal(self.widget.Inputs.scorer, made, 1)
        return self.get_output(self.widget.Outputs.scores)

    def test_column_in_the_table_of_scores(self):
        heart = Table("heart_disease")[::3]
        scores = self.scores(heart, ReliefF(n_neighbors=5))
        self.assertEqual(scores.domain.variables[-1].name, "ReliefF")
        np.testing.assert_allclose(scores.X[:, -1], ReliefF(n_neighbors=5)(heart))

    def test_numbers(self):
        housing = Table("housing")[::5]
        np.testing.assert_allclose(self.scores(housing, RReliefF()).X[:, -1], RReliefF()(housing))

    def test_rank_survives_a_scorer_of_the_wrong_task(self):
        heart = Table("heart_disease")[::3]
        self.scores(heart, RReliefF())
        self.send_signal(self.widget.Inputs.scorer, ReliefF(), 1)
        np.testing.assert_allclose(self.get_output(self.widget.Outputs.scores).X[:, -1], ReliefF()(heart))
