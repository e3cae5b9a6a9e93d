"""Permutation importance of models of Orange: that of scikit-learn for the same folds, and what it refuses."""

import numpy as np
import pytest
from Orange.base import Learner, Model
from Orange.classification import LogisticRegressionLearner, NaiveBayesLearner
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from orangecontrib.reliefe import PermutationImportance


class FirstFeature(Learner):
    """Predicts the first feature as it is."""

    name = "first"

    class Predictor(Model):
        def predict(self, X):
            return X[:, 0]

    def fit(self, X, Y, W=None):
        return self.Predictor()


def numbers(n=60, p=4, seed=0):
    X = np.random.default_rng(seed).normal(size=(n, p))
    features = [ContinuousVariable(f"x{j}") for j in range(p)]
    return Table.from_numpy(Domain(features, ContinuousVariable("y")), X, X[:, 0])


def classes(n_classes=2):
    data = Table("iris")
    chosen = data[np.isin(data.Y, range(n_classes))]
    domain = Domain(data.domain.attributes, DiscreteVariable("y", data.domain.class_var.values[:n_classes]))
    noise = np.random.default_rng(0).normal(size=chosen.X.shape)
    return Table.from_numpy(domain, chosen.X + 2 * noise, chosen.Y)


def test_a_model_of_one_feature():
    """R^2 of permuted predictions is -1 in the mean, so that it falls by 2; other features change nothing."""
    scores = PermutationImportance(FirstFeature(), n_repeats=100)(numbers())
    assert scores[0] == pytest.approx(2, abs=0.1)
    assert scores[1:].tolist() == [0, 0, 0]


@pytest.mark.parametrize("n_classes, measure", [(2, "roc_auc"), (3, "roc_auc_ovr_weighted")])
def test_scores_are_those_of_scikit_learn(n_classes, measure):
    data = classes(n_classes)
    scores = PermutationImportance(LogisticRegressionLearner(preprocessors=[]), n_repeats=3, random_state=7)(data)
    y = data.Y.astype(int)
    expected = np.zeros(4)
    for train, test in StratifiedKFold(5, shuffle=True, random_state=7).split(data.X, y):
        fitted = LogisticRegression(max_iter=10000, C=1).fit(data.X[train], y[train])
        expected += permutation_importance(
            fitted, data.X[test], y[test], scoring=measure, n_repeats=3, random_state=7
        ).importances_mean
    np.testing.assert_allclose(scores, expected / 5, atol=1e-4)
    assert scores.max() > 0.02


def test_rows_without_a_target_take_no_part():
    data = classes()
    with data.unlocked(data.Y):
        data.Y[::7] = np.nan
    scorer = PermutationImportance(NaiveBayesLearner(), n_repeats=2)
    np.testing.assert_array_equal(scorer(data), scorer(data[~np.isnan(data.Y)]))
    assert scorer(data, "petal width") == scorer(data)[3]
    assert scorer.score_data(data).shape == (1, 4)
    assert scorer.name == "naive bayes, permuted"


def test_progress_stops():
    shares = []

    def progress(share):
        shares.append(share)
        if share > 0.3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        PermutationImportance(FirstFeature()).importances(numbers(), progress)
    assert shares == sorted(shares)
    assert len(shares) < 40


def test_bad_input():
    data = numbers()
    features = data.domain.attributes
    with pytest.raises(ValueError, match="needs one target"):
        PermutationImportance(FirstFeature())(data.transform(Domain(features)))
    with pytest.raises(ValueError, match="not sparse"):
        PermutationImportance(FirstFeature())(data.to_sparse())
    with pytest.raises(ValueError, match="two rows for each of 5 folds, not 7"):
        PermutationImportance(FirstFeature())(data[:7])
    with pytest.raises(ValueError, match="no features to rank"):
        PermutationImportance(FirstFeature())(data.transform(Domain([], data.domain.class_var)))
    with pytest.raises(ValueError, match="'y' is no feature"):
        PermutationImportance(FirstFeature())(data, "y")
    of_classes = classes()
    with pytest.raises(ValueError, match="two classes, and two rows of each"):
        PermutationImportance(NaiveBayesLearner())(of_classes[of_classes.Y == 0])
    with pytest.raises(ValueError, match="n_folds"):
        PermutationImportance(FirstFeature(), n_folds=1)
    few = of_classes[np.r_[0:20, -3:0]]  # three rows of a class: three folds
    assert PermutationImportance(NaiveBayesLearner())(few).shape == (4,)
