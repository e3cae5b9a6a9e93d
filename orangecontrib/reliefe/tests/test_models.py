"""Orange's learner and model: wherever Orange can use one."""

import pickle
from copy import deepcopy

import numpy as np
import pytest
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.evaluation import AUC, CA, R2, CrossValidation
from Orange.widgets.evaluate.owpredictions import OWPredictions
from Orange.widgets.evaluate.owtestandscore import OWTestAndScore
from Orange.widgets.tests import base

from orangecontrib.reliefe.core import Ensemble, rank
from orangecontrib.reliefe.orange.models import PCTLearner, PCTModel


def several(n=80, seed=0):
    """A number, a category whose values are not in the order of the alphabet, and one that never occurs."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 3))
    Y = np.column_stack([10 * X[:, 0], np.digitize(X[:, 1], [0.3, 0.6])]).astype(float)
    Y[Y[:, 1] == 1, 1] = 3
    targets = ContinuousVariable("number"), DiscreteVariable("kind", ("z", "never", "m", "a"))
    return Table.from_numpy(Domain([ContinuousVariable(name) for name in "pqr"], targets), X, Y)


@pytest.fixture(scope="module")
def heart() -> Table:
    return Table("heart_disease")[::2]


def test_classes(heart):
    model = PCTLearner(n_trees=20)(heart)
    values, probabilities = model(heart, model.ValueProbs)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert (values == heart.Y).mean() > 0.95
    assert model(heart[0]) == values[0]


def test_numbers():
    housing = Table("housing")[::4]
    values = PCTLearner(n_trees=20)(housing)(housing)
    assert np.corrcoef(values, housing.Y)[0, 1] > 0.95


def test_cross_validation(heart):
    results = CrossValidation(k=3, random_state=0)(heart, [PCTLearner(n_trees=30)])
    assert CA(results)[0] > 0.7
    assert AUC(results)[0] > 0.8
    assert R2(CrossValidation(k=3, random_state=0)(Table("housing")[::3], [PCTLearner(n_trees=30)]))[0] > 0.6


def test_several_targets():
    data = several()
    found = PCTLearner(n_trees=40)(data)(data)
    assert found.shape == data.Y.shape
    assert np.corrcoef(found[:, 0], data.Y[:, 0])[0, 1] > 0.9
    assert (found[:, 1] == data.Y[:, 1]).mean() > 0.9


def test_labels():
    zoo = Table("zoo")
    labels = [v for v in zoo.domain.attributes if len(v.values) == 2][:3]
    rest = [v for v in zoo.domain.attributes if v not in labels]
    data = zoo.transform(Domain(rest, labels))
    model = PCTLearner(n_trees=30)(data)
    values, probabilities = model(data, model.ValueProbs)
    assert probabilities.shape == (len(data), 3, 2)
    assert (values == data.Y).mean() > 0.9
    np.testing.assert_array_equal(values, (probabilities[:, :, 1] > 0.5).astype(float))


@pytest.mark.filterwarnings("ignore:invalid value encountered in cast")  # by the base class of learners
def test_rows_without_a_class_take_part(heart):
    some = heart.copy()
    with some.unlocked(some.Y):
        some.Y[::2] = np.nan
    model = PCTLearner(n_trees=20)(some)
    assert model.ensemble.request.table.shape[0] == len(some)
    assert (model(heart) == heart.Y).mean() > 0.8


def test_missing_values(heart):
    model = PCTLearner(n_trees=5)(heart)
    empty = heart.copy()
    with empty.unlocked(empty.X):
        empty.X[:, 1:] = np.nan
    assert np.isfinite(model(empty, model.Probs)).all()


def test_other_columns(heart):
    """The model takes what it needs of other data."""
    domain = heart.domain
    turned = heart.transform(Domain(domain.attributes[::-1], domain.class_var))
    model = PCTLearner(n_trees=5)(heart)
    np.testing.assert_array_equal(model(heart, model.Probs), model(turned, model.Probs))


def test_pickle_and_copy(heart):
    model, learner = PCTLearner(n_trees=5)(heart), PCTLearner(n_trees=5, random_state=3)
    assert repr(model) == "PCTModel(diameter narrowing)"
    assert repr(model.ensemble) == "Ensemble(5 trees, 152 rows, 13 features)"
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again(heart, model.Probs), model(heart, model.Probs))
    for other in (pickle.loads(pickle.dumps(learner)), deepcopy(learner), eval(repr(learner), globals())):
        assert vars(other) == vars(learner)


def test_bad_input(heart):
    with pytest.raises(ValueError, match="pct has no parameter 'k'"):
        PCTLearner(k=3)
    with pytest.raises(ValueError, match="n_trees must be from 1"):
        PCTLearner(n_trees=0)
    with pytest.raises(ValueError, match="no target"):
        PCTLearner()(heart.transform(Domain(heart.domain.attributes)))
    with pytest.raises(ValueError, match="no features"):
        PCTLearner()(heart.transform(Domain([], heart.domain.class_var)))


def test_the_ensemble_is_that_of_rank(heart):
    model = PCTLearner(n_trees=10)(heart)
    nominal = [v.is_discrete for v in heart.domain.attributes]
    expected = rank(heart.X, heart.Y, "pct", n_trees=10, task="classification", nominal=np.array(nominal))
    np.testing.assert_array_equal(model.ensemble.ranking().scores, expected.scores)


class TestWidgets(base.WidgetTest):
    def test_predictions(self):
        iris = Table("iris")
        ensemble = Ensemble.of(iris.X, iris.Y, task="classification", n_trees=10).grow()
        widget = self.create_widget(OWPredictions)
        self.send_signal(widget.Inputs.data, iris, widget=widget)
        self.send_signal(widget.Inputs.predictors, PCTModel(iris, ensemble), 1, widget=widget)
        self.wait_until_finished(widget=widget)
        found = self.get_output(widget.Outputs.annotated, widget=widget)
        self.assertIn("PCT ensemble", [variable.name for variable in found.domain.metas])

    def test_test_and_score(self):
        widget = self.create_widget(OWTestAndScore)
        self.send_signal(widget.Inputs.train_data, Table("iris")[::3], widget=widget)
        self.send_signal(widget.Inputs.learner, PCTLearner(n_trees=10), 1, widget=widget)
        results = self.get_output(widget.Outputs.evaluations_results, wait=20000, widget=widget)
        self.assertGreater(CA(results)[0], 0.85)
