"""Every estimator keeps scikit-learn's contract: its checks, names, tags, copies and pipelines."""

import inspect
import pickle
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils import all_estimators, get_tags
from sklearn.utils.estimator_checks import check_estimator

from orangecontrib.reliefe.core import METHODS, estimators, methods, rank
from orangecontrib.reliefe.core.estimators import (
    PCT,
    ForestClassifier,
    ForestRanker,
    ForestRegressor,
    LaplacianScore,
    MultiSURF,
    ReliefF,
    ReliefRanker,
    expected_failed_checks,
)
from orangecontrib.reliefe.core.methods.registry import make_class
from orangecontrib.reliefe.core.words import class_name
from orangecontrib.reliefe.tests.samples import REPRESENTATIVES, SMALL

X, Y = load_iris(return_X_y=True)
CLASSES = [name for name in dir(estimators) if isinstance(getattr(estimators, name), type)]
SETTINGS = (  # arguments of every ranker, beside those of its method
    "n_features_to_select",
    "alpha",
    "keep",
    "feature_groups",
    "nominal",
    "task",
    "random_state",
    "n_jobs",
)
OF_METHODS = [class_name(method.title) for method in methods()]
FEW = {"n_trees": 2, "max_iter": 2, "n_neighbors": 3, "n_subsets": 2}  # steps and rows with which checks are quick
QUICK = [
    *(class_name(METHODS[name].title) for name in REPRESENTATIVES),
    "ForestClassifier",
    "ForestRanker",
    "ReliefRanker",
]
SLOW_EVEN_SO = "MutualInformation", "EvaporativeCooling", "ForestClassifier"  # more than a second


def checked(name, **arguments):
    """Outcomes of scikit-learn's checks of an estimator."""
    estimator = getattr(estimators, name)(**arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return check_estimator(estimator, on_skip=None, expected_failed_checks=expected_failed_checks(estimator))


@pytest.mark.skipif(SMALL, reason="many rankings")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in SLOW_EVEN_SO else name for name in QUICK]
)
def test_checks_of_scikit_learn_in_few_steps(name):
    possible = inspect.signature(getattr(estimators, name)).parameters
    outcomes = checked(name, **{argument: value for argument, value in FEW.items() if argument in possible})
    assert sum(outcome["status"] == "passed" for outcome in outcomes) > 15


@pytest.mark.slow
@pytest.mark.skipif(SMALL, reason="many rankings")
@pytest.mark.parametrize("name", CLASSES)
def test_checks_of_scikit_learn(name):
    checked(name)


def test_only_times_and_weights_of_rows_have_checks_that_fail():
    excused = {name: set(expected_failed_checks(getattr(estimators, name)())) for name in CLASSES}
    of_times = excused.pop("CoxScoreTest")
    weighted = {class_name(method.title) for method in methods() if method.weighted_tasks} - {"CoxScoreTest"}
    assert {name for name, checks in excused.items() if checks} == weighted | {"ReliefRanker"}
    (of_weights,) = {frozenset(excused[name]) for name in weighted}
    assert of_weights < of_times


def test_every_class_is_listed():
    assert len(CLASSES) == len(METHODS) + 4
    assert set(dir(estimators)) == set(estimators.__all__) == {*CLASSES, "expected_failed_checks"}


@pytest.mark.parametrize("name", OF_METHODS)
def test_parameters_are_arguments(name):
    """None is hidden by a setting of all rankers."""
    ranker = getattr(estimators, name)()
    assert len(ranker.get_params()) == len(ranker.method.parameters) + len(SETTINGS)
    assert repr(pickle.loads(pickle.dumps(clone(ranker)))) == f"{name}()"
    for argument in ranker.get_params():
        assert f"{argument} : " in ranker.__doc__ or argument in SETTINGS


def test_no_argument_reads_as_a_method_of_scikit_learn():
    known = {
        attribute
        for _, estimator in all_estimators()
        for attribute in dir(estimator)
        if not attribute.startswith("_") and callable(getattr(estimator, attribute, None))
    }
    assert {"score", "sparsify"} <= known
    for name in CLASSES:
        assert known.isdisjoint(getattr(estimators, name)().get_params()), name


def test_a_parameter_that_hides_an_attribute_is_refused():
    with pytest.raises(ValueError, match="the parameter score of pct would hide what KNeighborsClassifier calls so"):
        make_class(METHODS["pct"], KNeighborsClassifier, __name__, {})
    with pytest.raises(ValueError, match="the parameter alpha of ndfs would hide"):
        make_class(METHODS["ndfs"], object, __name__, {"alpha": 0.1})


def test_renamed_arguments_reach_the_method():
    ranker = PCT(importance="symbolic", n_trees=5).fit(X, Y)
    np.testing.assert_array_equal(ranker.scores_, rank(X, Y, "pct", score="symbolic", n_trees=5).scores)
    assert not hasattr(ranker, "score")
    assert estimators.NDFS(regression_weight=2.0, max_iter=1).fit(X).result_.parameters["alpha"] == 2
    with pytest.raises(TypeError, match=r"pct has no parameter 'score'; choose from importance"):
        PCT(score="symbolic")


@pytest.mark.parametrize("name", ["ReliefF", "MultiSURF", "PCT", "URelief"])
def test_positional_and_unknown_arguments_are_type_errors(name):
    with pytest.raises(TypeError, match=rf"^{name} takes arguments by name, for example {name}\(\w+=5\)"):
        getattr(estimators, name)(5)
    with pytest.raises(TypeError, match="has no parameter 'neighbours'"):
        getattr(estimators, name)(neighbours=5)


def test_types_are_those_of_python(checkout):
    compile((checkout / "orangecontrib/reliefe/core/estimators/__init__.pyi").read_text(), "stub", "exec")


def test_every_name_is_in_the_reference(checkout):
    pages = "".join(
        (checkout / "doc" / "api" / page).read_text(encoding="utf-8") for page in ("sklearn.md", "rankers.md")
    )
    names = set(re.findall(r"reliefe\.core\.estimators\.(\w+)\n", pages))
    assert names - {"skrebate"} == set(estimators.__all__)  # a module of its own


def test_tags():
    for name in OF_METHODS:
        ranker = getattr(estimators, name)()
        tags = get_tags(ranker).target_tags
        takes_several = {"multi-label", "multi-target", "hierarchical"} & set(ranker.method.tasks)
        assert tags.multi_output == bool(takes_several), name
    assert get_tags(ReliefRanker()).target_tags.multi_output
    assert get_tags(ReliefRanker("reliefe")).target_tags.multi_output
    assert not get_tags(ReliefRanker("surf")).target_tags.multi_output
    assert not get_tags(ReliefRanker("urelief")).target_tags.required
    both = np.column_stack([X[:, 0], X[:, 2]])
    assert estimators.RReliefF(n_features_to_select=1).fit(X[:, 1:], both).support_.sum() == 1


@pytest.mark.parametrize("name", ["agnoss", "irelief", "ireliefonline", "iterativerelief", "lhrelief", "logo", "ndfs"])
def test_iterations(name):
    ranker = getattr(estimators, class_name(METHODS[name].title))(max_iter=2).fit(X, Y)
    assert 1 <= ranker.n_iter_ <= 150
    assert ranker.n_iter_ == ranker.result_.info["n_iter"]


def test_tests_of_features():
    noisy = np.column_stack([X, np.random.default_rng(0).random((150, 8))])
    ranker = MultiSURF(n_features_to_select="fdr").fit(noisy, Y)
    np.testing.assert_array_equal(ranker.pvalues_, ranker.result_.significance.p)
    strict = ranker.set_params(alpha=1e-9).support_
    assert strict.sum() == len(ranker.result_.significance.discoveries(1e-9))
    assert ranker.set_params(alpha=0.999).support_.sum() > strict.sum()
    assert MultiSURF().fit(X, Y).pvalues_ is None
    with pytest.raises(ValueError, match="alpha must be between 0 and 1, not 2"):
        MultiSURF(n_features_to_select="fdr", alpha=2).fit(X, Y)


def test_support():
    ranker = ReliefF(n_features_to_select=1)
    with pytest.raises(NotFittedError):
        ranker.support_
    np.testing.assert_array_equal(ranker.fit(X, Y).support_, ranker.get_support())


def test_parameters_of_a_method_by_name():
    ranker = ReliefRanker("relieff").set_params(n_neighbors=5, n_features_to_select=1)
    assert ranker.parameters == {"n_neighbors": 5}
    assert ranker.get_params()["n_neighbors"] == 5
    assert clone(ranker).parameters == {"n_neighbors": 5}
    assert ranker.fit(X, Y).result_.parameters["n_neighbors"] == 5
    assert ReliefRanker().set_params(method="surf", n_instances=9).parameters == {"n_instances": 9}
    assert ReliefRanker().set_params(ramp=True).parameters == {"ramp": True}
    given = {"n_neighbors": 2}
    assert ReliefRanker("relieff", parameters=given).set_params(sigma=2.0).parameters == {"n_neighbors": 2, "sigma": 2}
    assert given == {"n_neighbors": 2}
    for forest in (ForestRanker(), ForestClassifier(), ForestRegressor()):
        assert forest.set_params(n_trees=3, min_leaf=2).parameters == {"min_leaf": 2}
        assert forest.n_trees == 3
    for wrong in (ReliefRanker("relieff"), ReliefRanker(), ForestRanker(), ReliefF()):
        with pytest.raises(ValueError, match="Invalid parameter 'n_neighbours'"):
            wrong.set_params(n_neighbours=5)
    grid = GridSearchCV(make_pipeline(ReliefRanker("relieff"), KNeighborsClassifier()), {
        "reliefranker__n_neighbors": [2, 7],
    }, cv=2)  # fmt: skip
    assert grid.fit(X, Y).best_params_["reliefranker__n_neighbors"] in (2, 7)


def test_more_features_than_there_are():
    with pytest.warns(UserWarning, match=r"n_features_to_select=99 is more than the 4 features of X: all are selected"):
        assert ReliefF(n_features_to_select=99).fit(X, Y).support_.all()
    with pytest.warns(UserWarning, match="n_features_to_select=5"):
        ForestRanker(n_trees=2, n_features_to_select=5).fit(X, Y)


@pytest.mark.parametrize("form", ["dense", "sparse", "frame", "unknown"])
def test_constant_features(form):
    values = np.column_stack([X, np.zeros(150), np.ones(150)])
    names = "4, 5"
    if form == "sparse":
        values = sparse.csr_array(values)
    elif form == "frame":
        values, names = pd.DataFrame(values, columns=list("abcdef")).astype({"f": str}), "'e', 'f'"
    elif form == "unknown":
        values[3:, 5] = np.nan
    with pytest.warns(UserWarning, match=rf"features without two different values: {names}$"):
        ReliefF(n_neighbors=3).fit(values, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ReliefF(n_neighbors=3).fit(X, Y)


@pytest.mark.parametrize(
    "ranker", [ReliefF(n_neighbors=5), PCT(n_trees=3), LaplacianScore(), estimators.TuRF(), ForestRanker(n_trees=3)]
)
def test_in_pipelines(ranker):
    pipeline = make_pipeline(ranker.set_params(n_features_to_select=2), KNeighborsClassifier())
    assert cross_val_score(pipeline, X, Y, cv=2).mean() > 0.7
    name = pipeline.steps[0][0]
    grid = GridSearchCV(pipeline, {f"{name}__n_features_to_select": [1, 2]}, cv=2).fit(X, Y)
    again = pickle.loads(pickle.dumps(clone(pipeline).fit(X, Y)))
    np.testing.assert_array_equal(again[0].scores_, grid.best_estimator_[0].scores_)


def test_text_columns_stay_columns_of_a_frame():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({
        "letter": rng.choice(list("abc"), 60), "number": rng.random(60), "word": rng.choice(["x", "y"], 60),
    })  # fmt: skip
    y = frame["letter"] == "a"
    pipeline = make_pipeline(ReliefF(n_features_to_select=2)).set_output(transform="pandas")
    found = pipeline.fit_transform(frame, y)
    assert found.dtypes.equals(frame[found.columns].dtypes)
    assert "letter" in found
    codes = make_pipeline(ReliefF(n_features_to_select=1), OneHotEncoder()).fit_transform(frame, y)
    assert codes.shape == (60, 3)
