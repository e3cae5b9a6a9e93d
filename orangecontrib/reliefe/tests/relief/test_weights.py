"""Weights of rows: the definition by a slow twin, a row of weight 2 as one given twice, and what is refused."""

import numpy as np
import pytest
import scipy.sparse as sp
from pandas import DataFrame

from orangecontrib.reliefe.core import METHODS, Survival, null_level, rank, refine, significance
from orangecontrib.reliefe.core.data.weights import OfferedWeights
from orangecontrib.reliefe.tests.naive import weights as naive

CLASSES = ("reliefa", "relieff", "surf", "surfstar", "multisurf", "multisurfstar")
NUMBERS = ("rrelieff", "surf", "surfstar", "multisurf", "multisurfstar")
BOTH = [(method, "classification") for method in CLASSES] + [(method, "regression") for method in NUMBERS]
FEW = {"reliefa": 4, "relieff": 4, "rrelieff": 7}
NOMINAL = np.array([False, False, True, False])


def data(task, missing=0.0, n=40, seed=0):
    """Three numbers and a nominal feature, of which two matter; weights from .2 to 4."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    X[:, 2] = rng.integers(0, 3, n)
    y = X[:, 0] + (X[:, 2] == 1) + 0.3 * rng.normal(size=n)
    if task == "classification":
        y = np.digitize(y, [-0.5, 0.8])
    X[rng.random(X.shape) < missing] = np.nan
    return X, y, rng.uniform(0.2, 4, n)


def parameters_of(method):
    return {"n_neighbors": FEW[method]} if method in FEW else {}


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize(("method", "task"), BOTH)
def test_scores_are_those_of_the_twin(method, task, missing):
    X, y, w = data(task, missing)
    given = parameters_of(method)
    found = rank(X, y, method, nominal=NOMINAL, sample_weight=w, missing="ignore", **given)
    numbers = {"numbers": task == "regression"} if method not in FEW else {}
    np.testing.assert_allclose(found.scores, naive.rank(X, y, w, method, NOMINAL, **given, **numbers), atol=1e-12)


@pytest.mark.parametrize("scheme", ["E", "F"])
def test_sigma_and_scheme_are_those_of_the_twin(scheme):
    X, y, w = data("classification")
    given = {"n_neighbors": 6, "sigma": 3.0, "scheme": scheme}
    found = rank(X, y, "relieff", nominal=NOMINAL, sample_weight=w, **given)
    np.testing.assert_allclose(found.scores, naive.rank(X, y, w, "relieff", NOMINAL, **given), atol=1e-12)


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize(("method", "task"), BOTH)
def test_a_weight_is_a_number_of_copies_that_are_no_neighbours_of_each_other(method, task, missing):
    X, y, _ = data(task, missing)
    counts = np.random.default_rng(2).integers(0, 4, len(X))
    rows = np.repeat(np.arange(len(X)), counts)
    given = {"nominal": NOMINAL, "missing": "ignore", **parameters_of(method)}
    weighted = rank(X, y, method, sample_weight=counts, **given)
    copied = rank(X[rows], y[rows], method, groups=rows, **given)
    np.testing.assert_allclose(weighted.scores, copied.scores, atol=1e-12)


@pytest.mark.parametrize(("method", "task"), BOTH)
def test_a_row_of_weight_0_is_absent(method, task):
    X, y, w = data(task)
    w[::3] = 0
    given = {"nominal": NOMINAL, **parameters_of(method)}
    found = rank(X, y, method, sample_weight=w, **given)
    absent = rank(X[w > 0], y[w > 0], method, sample_weight=w[w > 0], **given)
    np.testing.assert_array_equal(found.scores, absent.scores)
    assert found.info["rows"] == (w > 0).sum()
    assert any("weight 0" in text for text in found.info["information"])


@pytest.mark.parametrize("method", [name for name, method in METHODS.items() if "classification" in method.tasks])
def test_weights_of_1_and_0_choose_rows_for_every_method(method):
    X, y, w = data("classification", n=24)
    w = (w > 1).astype(float)
    if METHODS[method].family in ("wrapper", "learned", "trees") or method == "reliefe":
        w[:] = 1  # which take long: whether they take such weights is all that is asked
    given = {"embedding": None} if method == "reliefe" else {}
    scores = [
        rank(X, y, method, sample_weight=w, **given).scores,
        rank(X[w > 0], y[w > 0], method, **given).scores,
    ]
    np.testing.assert_array_equal(*scores)


@pytest.mark.parametrize(("method", "task"), [("relieff", "classification"), ("multisurf", "regression")])
def test_scores_do_not_depend_on_how_rows_are_given(method, task):
    X, y, w = data(task, n=70)
    given = {"nominal": NOMINAL, **parameters_of(method)}
    expected = rank(X, y, method, sample_weight=w, n_jobs=1, **given).scores
    order = np.random.default_rng(3).permutation(len(X))
    np.testing.assert_array_equal(rank(X, y, method, sample_weight=w, n_jobs=2, **given).scores, expected)
    np.testing.assert_array_equal(rank(X, y, method, sample_weight=list(w), **given).scores, expected)
    np.testing.assert_allclose(rank(X[order], y[order], method, sample_weight=w[order], **given).scores, expected)
    np.testing.assert_allclose(rank(sp.csr_array(X), y, method, sample_weight=w, **given).scores, expected)
    *_, last = refine(X, y, method, sample_weight=w, **given)
    np.testing.assert_array_equal(last.scores, expected)


@pytest.mark.parametrize("method", ["surf", "multisurf"])
def test_thresholds_ignore_the_scale_of_weights(method):
    X, y, w = data("classification")
    given = {"nominal": NOMINAL}
    once, thrice = (rank(X, y, method, sample_weight=c * w, **given).scores for c in (1, 3))
    np.testing.assert_allclose(once, thrice)


def test_large_data_in_single_precision_have_the_same_scores():
    X, y, _ = data("classification", n=300)
    X = np.hstack([X, np.random.default_rng(1).normal(size=(300, 60))])
    rows = np.repeat(np.arange(300), 2)
    for method in ("multisurf", "relieff"):
        weighted = rank(X, y, method, sample_weight=np.full(300, 2.0))
        np.testing.assert_allclose(weighted.scores, rank(X[rows], y[rows], method, groups=rows).scores, atol=2e-6)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1.0, -1.0, *[1.0] * 38], "row 2 is -1"),
        ([np.nan, *[1.0] * 39], "row 1 is nan"),
        ([np.inf, *[1.0] * 39], "row 1 is inf"),
        ([0.0] * 40, "no row is left"),
        ([1.0] * 39, "40 rows"),
        (2.0, "40 rows"),
        (np.ones((40, 2)), "shape"),
        (["much"] * 40, "numbers"),
        ([1j] * 40, "numbers"),
        ([0.01] * 40, "sum to 0.4"),
    ],
)
def test_other_weights_are_refused(weights, words):
    X, y, _ = data("classification")
    with pytest.raises(ValueError, match=words):
        rank(X, y, "relieff", sample_weight=weights)


def test_methods_without_weights_name_those_that_take_them():
    X, y, w = data("classification")
    with pytest.raises(ValueError, match=r"SWRF\* takes no weights.*relieff, .*multisurf"):
        rank(X, y, "swrfstar", sample_weight=w)
    with pytest.raises(ValueError, match="URelief takes no weights"):
        rank(X, None, "urelief", sample_weight=w)


@pytest.mark.parametrize(
    "more", [{"diff": "rank"}, {"covariates": np.arange(40.0)}, {"missing": "class-conditional"}], ids=str
)
def test_what_has_no_form_with_weights_is_refused(more):
    X, y, w = data("classification", missing=0.1)
    with pytest.raises(ValueError, match="exclude each other"):
        rank(X, y, "multisurf", sample_weight=w, **more)


def test_offered_weights_are_used_or_left_aside_and_both_is_said():
    X, y, w = data("classification")
    offered = OfferedWeights(w)
    used, aside = (rank(X, y, method, sample_weight=offered) for method in ("relieff", "swrfstar"))
    np.testing.assert_array_equal(used.scores, rank(X, y, "relieff", sample_weight=w).scores)
    np.testing.assert_array_equal(aside.scores, rank(X, y, "swrfstar").scores)
    assert any("weights of rows are used" in text for text in used.info["information"])
    assert any("left aside" in text for text in aside.info["information"])
    wrong = rank(X, y, "relieff", sample_weight=OfferedWeights(-w))
    np.testing.assert_array_equal(wrong.scores, rank(X, y, "relieff").scores)
    assert any("left aside" in text for text in wrong.info["warnings"])


@pytest.mark.parametrize("power", [-600, 600])
@pytest.mark.parametrize("method", ["rrelieff", "multisurf"])
def test_a_weighted_target_may_have_any_units(method, power):
    X, y, w = data("regression")
    scores = [rank(X, values, method, sample_weight=w).scores for values in (y, np.ldexp(y, power))]
    np.testing.assert_allclose(*scores)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_auto_takes_a_method_with_weights_and_says_that_they_decided(task):
    X, y, w = data(task)
    found = rank(X, y, sample_weight=w)
    assert task in METHODS[found.method].weighted_tasks
    assert "weights of rows need scores" in found.info["auto"]
    for alike in (np.ones(40), np.arange(40) % 5 > 0):  # which count or leave out rows, as without weights
        assert "weights of rows" not in rank(X, y, sample_weight=alike).info["auto"]


def test_frames_of_any_library_and_events_by_name_without_rows_of_weight_0():
    polars = pytest.importorskip("polars")
    X, y, w = data("classification")
    w[::3] = 0
    expected = rank(X[w > 0], y[w > 0], "relieff", sample_weight=w[w > 0])
    frame = polars.DataFrame(dict(zip("abcd", X.T, strict=True)))
    found = rank(frame, polars.Series("y", y), "relieff", sample_weight=polars.Series("w", w))
    np.testing.assert_array_equal(found.scores, expected.scores)
    time, event = np.arange(40.0), np.where(y > 0, "relapse", "left")
    given = Survival(time, event, "relapse"), Survival(time[w > 0], event[w > 0], "relapse")
    scores = [
        rank(X, given[0], "coxscore", sample_weight=w).scores,
        rank(X[w > 0], given[1], "coxscore", sample_weight=w[w > 0]).scores,
    ]
    np.testing.assert_array_equal(*scores)


def test_p_values_find_a_relevant_feature_beside_weights():
    rng = np.random.default_rng(5)
    X, y, w = rng.normal(size=(60, 12)), np.repeat([0, 1], 30), rng.uniform(0.2, 3, 60)
    X[:, 0] += 2 * y
    found = significance(X, y, "multisurf", sample_weight=w, n_shuffles=50)
    assert np.argmin(found.p) == 0
    assert found.p[0] < 0.01
    assert any("together with their weights" in note for note in found.notes)
    assert not found.closed_form
    assert found.alone is None
    level = null_level(X, y, "multisurf", sample_weight=w)
    assert level.level < rank(X, y, "multisurf", sample_weight=w).scores[0]


@pytest.mark.parametrize("method", ["relieff", "multisurf", "surf", "randomforest"])
def test_targets_are_permuted_together_with_their_weights(method):
    """Permuted pairs of target and weight, ranked one by one."""
    X, y, w = data("classification")
    maxima = []
    for number in range(3):
        order = np.random.default_rng([7, number]).permutation(len(y))
        maxima.append(rank(X, y[order], method, sample_weight=w[order], random_state=7).scores.max())
    found = null_level(X, y, method, sample_weight=w, n_shuffles=3, random_state=7)
    np.testing.assert_array_equal(found.maxima, maxima)


def test_weights_of_groups_are_permuted_with_the_groups():
    """A row has the mean weight of the group whose target it gets, times its own share in its group."""
    rng = np.random.default_rng(0)
    groups, is_ill = np.repeat(np.arange(12), 3), np.arange(12) % 2
    X, y = rng.normal(size=(36, 5)), is_ill[groups]
    w = np.where(y == 1, 3.0, 0.5) * np.tile([0.5, 1.0, 1.5], 12)
    maxima = []
    for number in range(3):
        order = np.random.default_rng([7, number]).permutation(12)
        permuted_y = [is_ill[order[g]] for g in groups]
        permuted_w = [
            (3.0 if is_ill[order[g]] else 0.5) * share for g, share in zip(groups, np.tile([0.5, 1.0, 1.5], 12))
        ]
        ranking = rank(X, permuted_y, "relieff", sample_weight=permuted_w, groups=groups)
        maxima.append(ranking.scores.max())
    found = null_level(X, y, "relieff", sample_weight=w, groups=groups, n_shuffles=3, random_state=7)
    np.testing.assert_allclose(found.maxima, maxima, rtol=1e-12)


def test_pairs_of_target_and_weight_are_counted_as_orders():
    """The target alone has 15 orders, with two weights in each class it has 90."""
    X, y = np.random.default_rng(0).normal(size=(6, 30)), np.array([0, 0, 0, 0, 1, 1])
    plain = significance(X, y, "surf", n_shuffles=50)
    weighted = significance(X, y, "surf", n_shuffles=50, sample_weight=[1, 1, 2, 2, 3, 3])
    assert any("only 15 different orders" in note for note in plain.notes)
    assert any("only 90 different orders" in note for note in weighted.notes)


def weights_by_class(seed):
    rng = np.random.default_rng([6, 400, seed])
    X, y = rng.normal(size=(120, 30)), rng.integers(0, 2, 120)
    w = np.where(y == 1, 4.0, 0.5)
    return X, y, w / w.mean()


@pytest.mark.parametrize("method", ["relieff", "multisurf"])
def test_weights_by_class_make_no_discoveries(method):
    """Nominal: .05 of the features. With weights that stayed with their rows, ReliefF had .73, and all sets."""
    p = [
        significance(X, y, method, sample_weight=w, n_shuffles=20).p
        for X, y, w in (weights_by_class(seed) for seed in range(3))
    ]
    assert np.mean(np.array(p) <= 0.05) < 0.12


def test_frames_and_rows_without_a_target():
    X, y, w = data("classification")
    frame, target = DataFrame(X, index=np.arange(40) + 7), y.astype(object)
    target[[1, 5]], w[[2, 5]] = None, 0
    known = np.delete(np.arange(40), [1, 2, 5])
    found = rank(frame, target, "relieff", sample_weight=DataFrame({"w": w})["w"])
    np.testing.assert_array_equal(found.scores, rank(X[known], y[known], "relieff", sample_weight=w[known]).scores)


@pytest.mark.parametrize("covering", ["events", "some"])
def test_cox_scores_of_weights_are_those_of_copies(covering):
    rng = np.random.default_rng(4)
    X, time = rng.normal(size=(50, 3)), rng.integers(1, 12, 50)
    event = np.ones(50, bool) if covering == "events" else rng.random(50) < 0.6
    counts = rng.integers(0, 3, 50)
    rows = np.repeat(np.arange(50), counts)
    weighted = rank(X, Survival(time, event), "coxscore", sample_weight=counts)
    copied = rank(X[rows], Survival(time[rows], event[rows]), "coxscore")
    np.testing.assert_allclose(weighted.scores, copied.scores, rtol=1e-9)


def test_a_forest_of_weights_is_that_of_copies():
    X, y, _ = data("classification")
    counts = np.random.default_rng(6).integers(0, 3, 40)
    rows = np.repeat(np.arange(40), counts)
    given = {"bootstrap": False, "max_features": None, "n_trees": 1}
    weighted = rank(X, y, "randomforest", sample_weight=counts, **given)
    np.testing.assert_allclose(weighted.scores, rank(X[rows], y[rows], "randomforest", **given).scores, atol=1e-6)


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_residual_relief_is_a_balance_of_the_parts_of_the_twin(task, missing):
    X, y, w = data(task, missing)
    found = rank(X, y, "residualrelief", nominal=NOMINAL, sample_weight=w, missing="ignore").scores
    numbers = task == "regression"
    place = naive.residualrelief(X, y, w, NOMINAL, numbers)
    rest = found - place  # nothing for classes; else a multiple of the part of sizes
    if not numbers:
        np.testing.assert_allclose(rest, 0, atol=1e-12)
        return
    spread = naive.residualrelief(X, y, w, NOMINAL, numbers, "spread")
    factor = rest @ spread / (spread @ spread)
    assert factor > 0
    np.testing.assert_allclose(rest, factor * spread, atol=1e-12)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_residual_relief_of_categories_counts_copies(task):
    X, y, _ = data(task)
    X = np.round(X)
    counts = np.random.default_rng(2).integers(0, 4, 40)
    rows = np.repeat(np.arange(40), counts)
    given = {"nominal": np.ones(4, bool)}
    weighted = rank(X, y, "residualrelief", sample_weight=counts, **given)
    copied = rank(X[rows], y[rows], "residualrelief", groups=rows, **given)
    np.testing.assert_allclose(weighted.scores, copied.scores, atol=1e-12)


@pytest.mark.parametrize("method", ["relieff", "surf", "multisurf"])
def test_rows_of_one_group_are_no_neighbours_with_weights_either(method):
    X, y, _ = data("classification")
    counts, group = np.random.default_rng(2).integers(0, 4, 40), np.arange(40) // 2
    y, rows = y[2 * group], np.repeat(np.arange(40), counts)
    given = {"nominal": NOMINAL, **parameters_of(method)}
    weighted = rank(X, y, method, sample_weight=counts, groups=group, **given)
    copied = rank(X[rows], y[rows], method, groups=group[rows], **given)
    np.testing.assert_allclose(weighted.scores, copied.scores, atol=1e-12)
    with pytest.raises(ValueError, match="groups in which the target varies"):
        rank(X, np.arange(40) % 2, method, sample_weight=counts, groups=group)
