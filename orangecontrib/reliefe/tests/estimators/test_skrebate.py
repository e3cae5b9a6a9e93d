"""The classes of scikit-rebate: the same script runs by its module and by ours, with only the import changed."""

import inspect
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFE
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.estimators import skrebate as ours

theirs = pytest.importorskip("skrebate")
MODULES = pytest.mark.parametrize("module", [ours, theirs], ids=["ours", "theirs"])
CORES = tuple(name for name in ours.__all__ if name not in ("TURF", "VLS"))
N = 90


@pytest.fixture
def genetic_data(tmp_path, monkeypatch):
    """The table of scikit-rebate's examples in small: genotypes, two of which determine the class together."""
    rng = np.random.default_rng(3)
    X = rng.integers(0, 3, (N, 8))
    frame = pd.DataFrame(X, columns=[*(f"N{number}" for number in range(6)), "P1", "P2"])
    frame["class"] = (X[:, 6] + X[:, 7]) % 2
    frame.loc[::15, "class"] = 1 - frame["class"]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    frame.to_csv("data/genetic.csv", index=False)


def read(path="data/genetic.csv"):
    genetic_data = pd.read_csv(path)
    frame = genetic_data.drop("class", axis=1)
    return frame.values, genetic_data["class"].values, frame.columns


@MODULES
@pytest.mark.parametrize("name", CORES)
def test_basic_usage(module, name, genetic_data, capsys):
    features, labels, names = read()
    fs = getattr(module, name)(**({"n_neighbors": 10} if name == "ReliefF" else {}))
    fs.fit(features, labels)
    fs.summary(feature_name=names)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["Feature", "name", "Feature", "importances", "Feature", "rank"]
    assert len(lines) == 1 + features.shape[1]
    assert lines[1].split()[2] == "1"
    if name != "MuRelief":  # which does not see interactions
        assert {line.split()[0] for line in lines[1:3]} == {"P1", "P2"}
    assert lines[1].split()[1] == f"{fs.feature_importances_.max():.8f}"
    assert sorted(fs.top_features_) == list(range(8))


@MODULES
def test_pipelines(module, genetic_data):
    features, labels, _ = read()
    X_train, X_test, y_train, y_test = train_test_split(features, labels, test_size=0.3, random_state=42)
    forest = RandomForestClassifier(n_estimators=10, random_state=0)
    clf = make_pipeline(module.ReliefF(n_features_to_select=2, n_neighbors=10), forest)
    assert clf.fit(X_train, y_train).score(X_test, y_test) > 0.7
    assert np.mean(cross_val_score(clf, features, labels, cv=3)) > 0.7
    eliminated = make_pipeline(RFE(module.ReliefF(n_neighbors=10), n_features_to_select=2, step=0.5), forest)
    assert eliminated.fit(X_train, y_train).score(X_test, y_test) > 0.7


@MODULES
@pytest.mark.parametrize("arguments", [{"categorical_threshold": 10}, {"categorical_features": [0, 1, 2, 3]}])
def test_types_of_features(module, arguments, genetic_data, capsys):
    features, labels, names = read()
    features = features + np.where(np.arange(8) >= 4, np.random.default_rng(0).random((N, 8)), 0)
    fs = module.ReliefF(n_neighbors=10, **arguments)
    fs.fit(features, labels)
    fs.summary(sort=False, feature_name=names, show_feature_type=True)
    lines = capsys.readouterr().out.splitlines()[1:]
    assert [line.split()[0] for line in lines] == list(names)
    assert [line.split()[-1] for line in lines] == ["categorical"] * 4 + ["continuous"] * 4


@MODULES
def test_wrappers(module, genetic_data):
    features, labels, _ = read()
    for fs in (
        module.TURF(module.ReliefF(n_features_to_select=2, n_neighbors=10), pct=0.5, num_scores_to_return=2),
        module.TURF(module.MultiSURF(2), 0.5, 4),
        module.VLS(module.MultiSURF(2), num_feature_subset=30, size_feature_subset=5, random_state=1),
    ):
        assert {*fs.fit(features, labels).top_features_[:2]} == {6, 7}
        assert fs.transform(features).shape == (N, 2)
        np.testing.assert_array_equal(fs.transform(features), features[:, fs.top_features_[:2]])


@pytest.mark.parametrize("name", ours.__all__)
def test_arguments_are_theirs(name):
    """Names, positions and defaults; the cores by influence have any keyword there, and lose all of them in a clone."""

    def arguments(module):
        given = inspect.signature(getattr(module, name)).parameters.values()
        return [(p.name, p.default) for p in given if p.kind != p.VAR_KEYWORD and p.name != "discrete_threshold"]

    if "SWRF" in name:
        assert arguments(theirs) == []
        assert clone(getattr(theirs, name)(n_features_to_select=2)).n_features_to_select == 10
        assert arguments(ours) == [*inspect_fields(theirs.SURF)]
    else:
        assert arguments(ours) == arguments(theirs)


def inspect_fields(kind):
    return [(p.name, p.default) for p in inspect.signature(kind).parameters.values()]


@pytest.mark.parametrize("name, arguments", [("ReliefF", {"n_neighbors": 10}), ("MultiSURF", {}), ("MultiSURFstar", {}),
                                             ("MuRelief", {"n_neighbors": 5})])  # fmt: skip
def test_scores_are_theirs_where_definitions_agree(name, arguments):
    X = np.random.default_rng(1).random((40, 5))
    y = (X[:, 0] + X[:, 1] > 1).astype(int)
    found = [getattr(module, name)(**arguments).fit(X, y).feature_importances_ for module in (ours, theirs)]
    np.testing.assert_allclose(*found, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", CORES)
def test_numbers_as_target(name):
    X = np.random.default_rng(1).random((60, 5))
    fs = getattr(ours, name)().fit(X, X[:, 0])
    assert fs.result_.info["task"] == "regression"
    assert fs.top_features_[0] == 0 or name.endswith("star")  # whose far rows hide what matters alone
    assert fs.result_.method == {"ReliefF": "rrelieff"}.get(name, name.lower())


@pytest.mark.parametrize(
    "values, arguments, task",
    [
        (2, {}, "classification"),
        (10, {}, "classification"),
        (11, {}, "regression"),
        (3, {"multiclass_threshold": 2}, "regression"),
        (11, {"label_type": "multiclass"}, "classification"),
        (5, {"label_type": "continuous"}, "regression"),
    ],
)
def test_kind_of_target(values, arguments, task):
    y = np.arange(66) % values
    X = y[:, None] + np.random.default_rng(0).random((66, 3))
    assert ours.MultiSURF(1, **arguments).fit(X, y).result_.info["task"] == task


def test_at_most_as_many_values_as_the_threshold_are_categories():
    X = np.column_stack(
        [np.arange(44) % 10, np.arange(44) % 11, np.where(np.arange(44) % 11, np.arange(44) % 11, np.nan)]
    )
    y = np.arange(44) % 2
    assert ours.SURF(1).fit(X, y).nominal_.tolist() == [True, False, True]
    assert ours.SURF(1, discrete_threshold=11).fit(X, y).nominal_.all()
    assert not ours.SURF(1, categorical_features=[]).fit(X, y).nominal_.any()
    np.testing.assert_array_equal(
        ours.ReliefF(1, 5).fit(X, y).feature_importances_,
        rank(X, y, "relieff", n_neighbors=5, nominal=[True, False, True], missing="ignore").scores,
    )


def test_a_share_of_the_rows_as_neighbours():
    X = np.random.default_rng(0).random((40, 3))
    fs = ours.ReliefF(1, 0.25).fit(X, np.arange(40) % 2)
    assert fs.result_.parameters["n_neighbors"] == 5
    assert fs.n_neighbors == 0.25


def test_absolute_scores():
    rng = np.random.default_rng(0)
    X, y = rng.random((60, 6)), rng.integers(0, 2, 60)
    fs = ours.ReliefF(3, 10, rank_absolute=True).fit(X, y)
    assert fs.top_features_.tolist() == np.argsort(-np.abs(fs.feature_importances_)).tolist()
    assert fs.top_features_.tolist() != np.argsort(-fs.feature_importances_).tolist()


def test_columns_and_their_names_come_best_first():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.random((60, 4)), columns=list("abcd"))
    y = (frame["d"] + 0.5 * frame["b"] > 0.75).to_numpy()
    fs = ours.MultiSURF(2).set_output(transform="pandas").fit(frame, y)
    assert list(fs.transform(frame).columns) == ["d", "b"]
    pd.testing.assert_frame_equal(fs.transform(frame), frame[["d", "b"]])


def test_what_verbose_says(capsys):
    ours.MultiSURF(1, verbose=True).fit(np.random.default_rng(0).random((30, 3)), np.arange(30) % 3)
    said = capsys.readouterr().out
    assert "multiclass labels, 0 of 3 features are categorical" in said
    assert "ranked by multisurf in " in said


@pytest.mark.parametrize(
    "fs, error, message",
    [
        (ours.ReliefF(2, 10, 20), TypeError, "a number of different values is categorical_threshold"),
        (ours.ReliefF(categorical_features=[7]), ValueError, "categorical_features must be at most 2, not 7"),
        (ours.SURF(categorical_threshold=2.5), TypeError, "categorical_threshold must be an integer"),
        (ours.SURF(discrete_threshold="many"), TypeError, "discrete_threshold must be an integer"),
        (ours.SURF(label_type="numbers"), ValueError, "unknown label_type 'numbers'"),
        (ours.SURF(label_type="binary"), ValueError, "label_type is 'binary', but y has 3 different values"),
        (ours.ReliefF(n_neighbors=0), ValueError, "n_neighbors must be from 1 to"),
        (ours.ReliefF(n_neighbors=2.5), ValueError, "n_neighbors must be a number of rows, or a share above 0"),
        (ours.TURF(ours.ReliefF(), 0.5, 0), ValueError, "num_scores_to_return must be at least 1"),
        (ours.VLS(ours.ReliefF(), 0), ValueError, "num_feature_subset must be at least 1"),
        (ours.VLS(ours.ReliefF(), 3, 0), ValueError, "size_feature_subset must be at least 1"),
        (ours.TURF(ours.ReliefF(), 1.0), ValueError, "pct must be a share above 0 and below 1, or a whole number"),
        (ours.TURF(ours.ReliefF(), 0), ValueError, "pct must be at least 1"),
        (ours.TURF(ours.VLS(ours.ReliefF())), TypeError, "relief_object must be a core of this module"),
        (ours.VLS("relieff"), TypeError, "relief_object must be a core of this module"),
    ],
)
def test_messages(fs, error, message):
    with pytest.raises(error, match=message):
        fs.fit(np.random.default_rng(0).random((30, 3)), np.arange(30) % 3)


def test_more_messages():
    X, y = np.random.default_rng(0).random((30, 3)), np.arange(30) % 3
    with pytest.raises(ValueError, match="n_features_to_select is 10, but there are 3 features"):
        ours.SURF().fit(X, y).transform(X)
    with pytest.raises(ValueError, match="only one class"):
        ours.SURF().fit(X, np.zeros(30))
    with pytest.raises(
        ValueError, match="y has 30 classes, but multiclass_threshold is 10: give label_type='multiclass'"
    ):
        ours.SURF().fit(X, [f"class {number}" for number in range(30)])
    for missing in (np.where(y == 0, np.nan, y), np.where(y == 0, None, "a")):
        with pytest.raises(ValueError, match="y is missing in 10 rows: leave these rows out"):
            ours.SURF().fit(X, missing)
    with pytest.raises(ValueError, match="feature_name must have 3 names"):
        ours.SURF().fit(X, y).summary(feature_name=["a"])


def test_clone_and_pickle():
    X, y = np.random.default_rng(0).random((30, 3)), np.arange(30) % 3
    for fs in (ours.ReliefF(2, 5), ours.MultiSWRFstar(2), ours.TURF(ours.SURF(2), 1), ours.VLS(ours.SURF(2), 3, 2, 0)):
        again = pickle.loads(pickle.dumps(clone(fs).fit(X, y)))
        np.testing.assert_array_equal(again.transform(X), fs.fit(X, y).transform(X))


@pytest.mark.slow
@pytest.mark.parametrize("fs", [ours.ReliefF(1, 5), ours.SURF(1), ours.TURF(ours.ReliefF(1, 3)),
                                ours.VLS(ours.SURF(1), random_state=0)], ids=lambda fs: type(fs).__name__)  # fmt: skip
def test_scikit_learns_checks(fs):
    check_estimator(fs)
