"""Wrappers: golden vectors, removal, subsets, what they share with their cores, bad input."""

import json
from pathlib import Path

import numpy as np
import pytest

from orangecontrib.reliefe import core
from orangecontrib.reliefe.command import cli
from orangecontrib.reliefe.core import METHODS, Interrupted, rank, refine
from orangecontrib.reliefe.core.methods import random_subsets, turf
from orangecontrib.reliefe.core.methods.elimination import Elimination, sizes
from orangecontrib.reliefe.core.methods.wrapper import innermost
from orangecontrib.reliefe.core.work import threads as parallel
from orangecontrib.reliefe.tests.naive import wrappers as twins
from orangecontrib.reliefe.tests.samples import REPRESENTATIVES, make
from orangecontrib.reliefe.tests.samples import SMALL as SAMPLES_ARE_SMALL

FILES = Path(__file__).parents[1] / "golden"
GOLDEN = json.loads((FILES / "wrappers.json").read_text())
SETS = json.loads((FILES / "relief_family.json").read_text())["sets"]
NAMES = "turf", "vlsrelief", "ivlsrelief", "evaporativecooling"
CORE = ("relieff", {"n_neighbors": 3})
SMALL = {  # parameters with which a few features are enough
    "turf": {"n_keep": 3},
    "vlsrelief": {"subset_size": 3, "n_subsets": 5},
    "ivlsrelief": {"n_keep": 3, "subset_size": 3, "n_subsets": 5},
    "evaporativecooling": {"n_keep": 3},
}
COMPILED = pytest.mark.skipif(SAMPLES_ARE_SMALL, reason="slow without numba")
METHOD = pytest.mark.parametrize("method", NAMES)


def golden(kind):
    return [pytest.param(name, case, id=name) for name, case in GOLDEN[kind].items()]


def arrays(name):
    values = SETS[name]
    return np.array(values["X"], float), np.array(values["y"]), np.array(values["nominal"])


def close(a, b):
    np.testing.assert_allclose(a, b, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name, case", golden("turf"))
def test_golden_turf(name, case):
    X, y, nominal = arrays(name)
    k, removal = case["n_neighbors"], {"n_keep": case["n_keep"], "share": case["share"]}
    found = rank(X, y, "turf", nominal=nominal, core=("relieff", {"n_neighbors": k}), **removal)
    close(found.scores, case["scores"])
    assert np.flatnonzero(np.array(found.info["removed_in"]) == 0).tolist() == case["left"]
    close(twins.turf(X.shape[1], twins.core(X, y, nominal, n_neighbors=k), **removal)[0], case["scores"])


@pytest.mark.parametrize("name, case", golden("vlsrelief"))
def test_golden_vlsrelief(name, case, monkeypatch):
    X, y, nominal = arrays(name)
    p, drawn = X.shape[1], case["subsets"]
    monkeypatch.setattr(random_subsets, "deal", lambda *_: (np.isin(np.arange(p), columns) for columns in drawn))
    given = {"core": ("relieff", {"n_neighbors": case["n_neighbors"]}), "subset_size": 2, "n_subsets": len(drawn)}
    close(rank(X, y, "vlsrelief", nominal=nominal, **given).scores, case["scores"])
    close(twins.vls(p, twins.core(X, y, nominal, n_neighbors=case["n_neighbors"]), drawn), case["scores"])


@pytest.mark.parametrize("name, case", golden("evaporativecooling"))
def test_golden_evaporation(name, case, monkeypatch):
    X, y, nominal = arrays(name)
    monkeypatch.setattr(turf, "main_effects", lambda *_: np.array(case["main"]))
    k, given = case["n_neighbors"], {"n_keep": case["n_keep"], "temperature": case["temperature"], "step": 1}
    found = rank(X, y, "evaporativecooling", nominal=nominal, core=("relieff", {"n_neighbors": k}), **given)
    assert found.order.tolist() == case["removed"] + case["left"]
    score = twins.core(X, y, nominal, n_neighbors=k)
    assert twins.cooling(X.shape[1], score, case["main"], **given)[1] == case["removed"] + case["left"]


@pytest.mark.parametrize("p, size, order, expected", GOLDEN["subsets"])
def test_golden_number_of_subsets(p, size, order, expected):
    assert random_subsets.subsets_needed(p, size, order) == expected


def test_sizes_of_passes():
    assert sizes(10, 3, 0.5, None) == [10, 5, 3]
    assert sizes(10, 3, 0.01, None) == [10, 9, 8, 7, 6, 5, 4, 3]  # at least one goes
    assert sizes(10, 3, 0.5, 4) == [10, 6, 3]
    assert sizes(3, 3, 0.5, None) == sizes(3, 100, 0.5, None) == [3]
    assert sizes(1, 1, 0.5, None) == [1]


def test_tiers_keep_the_order():
    """Also within a pass, by less than can be seen; equal scores stay equal, and the lower index survives."""
    state = Elimination(6)
    state.add(np.array([0.5, 0.1, 0.1, 0.3, 0.2, 0.4]), np.ones((2, 6)))
    state.remove(3)
    state.add(np.array([0.7, 0.6, 0.6]), np.zeros((2, 3)))
    state.remove(2)
    state.add(np.array([0.9, 0.8]), np.full((2, 2), 0.5))
    assert state.removed_in.tolist() == [0, 1, 1, 0, 1, 2]
    scores = state.scores()
    close(scores, [0.9, 0.798, 0.798, 0.8, 0.798, 0.799])
    assert scores[4] > scores[1] == scores[2]
    assert state.order().tolist() == [2, 1, 4, 5, 3, 0]
    assert state.per_target().shape == (2, 6)
    assert (state.per_target()[:, [1, 5]] < state.per_target()[:, [0]]).all()


@METHOD
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_same_bits_for_any_number_of_threads_and_any_layout(method, task):
    data = make(41, task, n=40, p=8, zeros=0.3)
    options = {"nominal": data.nominal, "task": task, **SMALL[method]}
    found = rank(data.X, data.y, method, **options)
    for n_jobs in (1, 4):
        other = rank(data.X, data.y, method, n_jobs=n_jobs, **options)
        np.testing.assert_array_equal(found.scores, other.scores)
    sparse = rank(data.csr.X, data.y, method, **options)
    np.testing.assert_allclose(found.scores, sparse.scores, rtol=0, atol=1e-14)
    assert found.parameters["core"][0] == ("relieff" if task == "classification" else "rrelieff")
    if method != "vlsrelief":
        assert found.order[::-1].tolist() == found.ranking.tolist()


def test_subsets_on_threads(monkeypatch):
    """Several subsets at once, each with a core on one thread."""
    from orangecontrib.reliefe.core import request

    data = make(42, n=30, p=12)
    options = {"core": CORE, "subset_size": 4, "n_subsets": 9}
    alone = [ranking.scores for ranking in refine(data.X, data.y, "vlsrelief", n_jobs=1, **options)]
    monkeypatch.setattr(request, "WORTH_THREADS", 0)
    several = [ranking.scores for ranking in refine(data.X, data.y, "vlsrelief", n_jobs=3, **options)]
    np.testing.assert_array_equal(several[-1], alone[-1])
    assert len(alone) == 3  # 3 subsets are a deck... as many as 4 of them for each thread
    seen = []

    def stop(share):
        seen.append(share)
        if len(seen) > 1:
            raise Interrupted

    with pytest.raises(Interrupted):
        rank(data.X, data.y, "vlsrelief", n_jobs=3, progress=stop, **options)


@METHOD
def test_permuted_and_relabelled(method):
    """Columns of what draws none; rows, classes and units of all."""
    data = make(43, n=30, p=8)
    options = {"core": CORE, **SMALL[method]}
    found = rank(data.X, data.y, method, nominal=data.nominal, **options).scores
    assert found.any()
    rows = np.random.default_rng(0).permutation(30)
    X = np.where(data.nominal, data.X, 5 - 3 * data.X)[rows]
    names = np.array(["b", "a"])[data.y[rows]]
    close(rank(X, names, method, nominal=data.nominal, **options).scores, found)
    if "subset_size" not in options:
        columns = np.random.default_rng(1).permutation(8)
        few = data.columns(columns)
        close(rank(few.X, few.y, method, nominal=few.nominal, **options).scores, found[columns])


@METHOD
def test_reductions_to_the_core(method):
    """Nothing to remove, and one subset of all."""
    data = make(44, n=30, p=6)
    plain = rank(data.X, data.y, "relieff", nominal=data.nominal, n_neighbors=3)
    options = {} if method == "evaporativecooling" else {"core": CORE}
    found = rank(data.X, data.y, method, nominal=data.nominal, **options)
    if method != "evaporativecooling":
        np.testing.assert_array_equal(found.scores, plain.scores)
    if method != "vlsrelief":
        assert found.info["information"] == ["no feature is removed, as 100 are to be left"]
        assert found.info["removed_in"] == [0] * 6
    assert (found.info["passes"], found.info["final"]) == (1, True)


def test_unconstant_scale_of_evaporation():
    """Free energy is scaled in each pass; the survivors are scored once more among themselves."""
    data = make(45, n=40, p=6)
    given = {"core": CORE, "n_keep": 3, "temperature": 2.0, "step": 3}
    found = rank(data.X, data.y, "evaporativecooling", **given)
    left = np.flatnonzero(np.array(found.info["removed_in"]) == 0)
    inner = rank(data.X[:, left], data.y, "relieff", n_neighbors=3).scores
    unit = (inner - inner.min()) / np.ptp(inner)
    rest = (found.scores[left] - unit) / 2
    close([rest.min(), rest.max()], [0, 1])
    assert rank(data.X[:, :1], data.y, "evaporativecooling").scores.tolist() == [0]
    flat = rank(np.ones((20, 3)), data.y[:20], "evaporativecooling")
    assert flat.scores.tolist() == [0, 0, 0]


def test_forests_tell_main_effects():
    data = make(46, n=40, p=6, nominal=())
    y = (data.X[:, 2] > np.median(data.X[:, 2])).astype(int)
    found = rank(data.X, y, "evaporativecooling", core=CORE, main="randomforest", temperature=5, n_keep=5)
    assert found.ranking[0] == 2


@COMPILED
def test_interactions_stand_out():
    """Two features that tell nothing alone, among 40: removal and subsets rank them above the core's rank."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(120, 40))
    y = ((X[:, 0] > 0) ^ (X[:, 1] > 0)).astype(int)
    for method in ("turf", "vlsrelief", "ivlsrelief"):
        options = {} if method == "vlsrelief" else {"n_keep": 4}
        assert set(rank(X, y, method, **options).select(2)) == {0, 1}


def test_decks():
    """Every feature is drawn once before any is drawn again, but for what fills the last subset; none twice in one."""
    drawn = np.array([*random_subsets.deal(10, 4, 7, np.random.default_rng(0))])
    assert (drawn.sum(axis=1) == 4).all()
    assert (drawn[:3].sum(axis=0) >= 1).all()
    assert (drawn[3:6].sum(axis=0) >= 1).all()
    assert drawn[:3].sum() == 12
    expected = twins.subsets(10, 4, 7, np.random.default_rng(0))
    assert [np.flatnonzero(mask).tolist() for mask in drawn] == expected
    assert not (drawn[0] == drawn[3]).all()


def test_enough_subsets_for_every_feature():
    data = make(47, n=20, p=9)
    found = rank(data.X, data.y, "vlsrelief", core=CORE, n_subsets=1, subset_size=2)
    assert np.isfinite(found.scores).all()
    assert found.info["passes"] == 5
    assert found.info["information"] == ["5 subsets of 2 features, so that every feature is in one"]
    whole = rank(data.X, data.y, "vlsrelief", core=CORE, subset_size=10)
    assert whole.info["information"] == ["subsets hold all 9 features"]
    assert (random_subsets.count(9, 9, "auto", 3), random_subsets.count(9, 3, "auto", 1)) == (1, 8)
    assert random_subsets.subset_size(1234, None) == 124
    assert random_subsets.subset_size(4, None) == 4
    negative = rank(data.X, np.arange(20) % 2, "vlsrelief", core=CORE, n_subsets=3, subset_size=3).scores
    assert (negative < 0).any()  # the largest of each, not of 0 and each


def test_passes_are_told():
    data = make(48, n=30, p=8)
    found = list(refine(data.X, data.y, "turf", core=CORE, n_keep=2))
    assert [ranking.info["passes"] for ranking in found] == [1, 2, 3]
    assert [ranking.info["left"] for ranking in found] == [8, 4, 2]
    assert [ranking.info["final"] for ranking in found] == [False, False, True]
    plain = rank(data.X, data.y, "relieff", n_neighbors=3)
    np.testing.assert_array_equal(found[0].scores, plain.scores)
    assert "ReliefF, 3 passes, 2 features left" in found[-1].info["summary"]
    assert (found[-1].scores != rank(data.X, data.y, "turf", core=CORE, n_keep=2, share=0.1).scores).any()
    np.testing.assert_array_equal(found[-1].scores, rank(data.X, data.y, "turf", core=CORE, n_keep=2).scores)


@METHOD
def test_stops_between_passes(method, monkeypatch):
    """Results of the passes before stay; the share that is done grows."""
    monkeypatch.setattr(parallel, "PAUSE", 0)
    data, seen, found = make(49, n=60, p=12), [], []
    options = {**SMALL[method], "core": CORE}

    def progress(share):
        seen.append(share)
        if len(found) == 1:
            raise Interrupted

    with pytest.raises(Interrupted):
        found.extend(refine(data.X, data.y, method, progress=progress, **options))
    assert len(found) == 1
    assert not found[0].info["final"]
    assert np.isfinite(found[0].scores).all()
    seen.clear()
    rank(data.X, data.y, method, progress=seen.append, **options)
    assert seen == sorted(seen)
    assert seen[-1] == 1


CORES = {"reliefe": {"embedding": None}, "pct": {"n_trees": 3}}


@pytest.mark.parametrize("name", [method.name for method in innermost() if method.name in REPRESENTATIVES])
def test_cores(name):
    """With the first kind of target that it ranks for."""
    data = make(50, n=30, p=6, nominal=())
    task = METHODS[name].tasks[0]
    y = {"classification": data.y, "regression": data.X[:, 0] + data.y, "unsupervised": None}[task]
    chosen = name, CORES.get(name, {})
    for method in ("turf", "vlsrelief"):
        found = rank(data.X, y, method, core=chosen, task=task, **SMALL[method])
        assert np.isfinite(found.scores).all()
        assert found.parameters["core"][0] == name


def test_targets_of_all_kinds():
    """A core that fits is taken where none is given; scores for each of several targets follow."""
    data = make(51, n=30, p=6)
    labels = np.c_[data.y, 1 - data.y, np.arange(30) % 2]
    for method in NAMES[:3]:
        options = SMALL[method]
        assert rank(data.X, None, method, **options).parameters["core"] == ("urelief", ())
        assert rank(data.X, labels, method, **options).parameters["core"] == ("rrelieff", ())
        each = rank(data.X, labels, method, core=("rrelieff", {"per_target": True}), **options)
        assert each.per_target.shape == (3, 6)
        assert np.isfinite(each.per_target).all()
    some = np.where(np.arange(30) % 3, data.y, np.nan)
    assert rank(data.X, some, "turf", core=CORE, n_keep=2).info["rows"] == 20
    assert rank(data.X, some, "turf", core=("sslrelief", {"w0": 0.2, "w1": 0.5}), n_keep=2).info["rows"] == 30
    assert "regression" in METHODS["turf"].tasks
    assert METHODS["evaporativecooling"].tasks[:2] == ("classification", "regression")


@pytest.mark.parametrize(
    "method, given, error, message",
    [
        ("turf", {"core": "turf"}, ValueError, "core must not be 'turf', which ranks by another method itself"),
        ("turf", {"core": "nothing"}, ValueError, "unknown core 'nothing'; choose from"),
        ("turf", {"core": "rrelieff", "task": "classification"}, ValueError, "TuRF by RReliefF is for regression"),
        ("turf", {"core": "urelief"}, ValueError, "TuRF by URelief is for unsupervised, not for classification"),
        ("turf", {"share": 0}, ValueError, "share must be above 0 and below 1, not 0"),
        ("turf", {"share": 1.0}, ValueError, "share must be above 0 and below 1, not 1.0"),
        ("turf", {"share": 1.5}, ValueError, "share must be from 0 to 1"),
        ("turf", {"step": 0}, ValueError, "step must be from 1"),
        ("turf", {"n_keep": 0}, ValueError, "n_keep must be from 1"),
        ("vlsrelief", {"subset_size": 1}, ValueError, "subsets of 1 feature hold no interaction of 2"),
        ("ivlsrelief", {"subset_size": 2, "order": 3}, ValueError, "subsets of 2 features hold no interaction of 3"),
        ("vlsrelief", {"n_subsets": 0}, ValueError, "n_subsets must be from 1"),
        ("vlsrelief", {"order": 0}, ValueError, "order must be from 1"),
        ("evaporativecooling", {"main": "relieff"}, ValueError, "unknown main 'relieff'"),
        ("evaporativecooling", {"temperature": -1}, ValueError, "temperature must be a finite number above 0"),
        ("evaporativecooling", {"temperature": 1e308}, ValueError, "above 0, at most 1,000, not 1e.308"),
        ("evaporativecooling", {"core": "urelief"}, ValueError, "by URelief is not possible: (?i:mutual information)"),
    ],
)
def test_bad_input(method, given, error, message):
    data = make(52, n=20, p=5)
    with pytest.raises(error, match=message):
        rank(data.X, data.y, method, **{"task": "classification", **given})


def test_a_target_is_needed():
    data = make(53, n=20, p=5)
    with pytest.raises(ValueError, match="no target, which TuRF by ReliefF needs"):
        rank(data.X, None, "turf", core="relieff")
    with pytest.raises(ValueError, match="no target, which Evaporative Cooling needs"):
        rank(data.X, None, "evaporativecooling")


def test_too_many_subsets_are_refused():
    """Before any of them is ranked."""
    X = np.random.default_rng(0).random((4, 5000))
    for method in ("vlsrelief", "ivlsrelief"):
        with pytest.raises(ValueError, match="subsets of 3 features would be needed"):
            rank(X, [0, 1, 0, 1], method, subset_size=3, order=3)


def test_cost_counts_all_parts():
    shape, parameters = (100, 1000), METHODS["turf"].check({})
    whole = METHODS["relieff"].cost(shape, METHODS["relieff"].check({}))
    assert METHODS["turf"].cost(shape, parameters) == pytest.approx(whole * (1 + 0.5 + 0.25 + 0.125 + 0.1))
    parameters = METHODS["vlsrelief"].check({})
    assert METHODS["vlsrelief"].cost(shape, parameters) == pytest.approx(whole * 301 / 10)
    parameters = METHODS["turf"].check({"core": "reliefe"})
    assert METHODS["turf"].preparation(parameters) == pytest.approx(0.45)


def test_null_level_repeats_the_removal():
    data = make(54, n=30, p=8)
    assert 0 < core.null_level(data.X, data.y, "turf", core=CORE, n_keep=3, n_shuffles=2).level < 1


@COMPILED
def test_parts_have_the_precision_of_the_whole():
    """Small passes of large data are as fast as large ones for each feature."""
    X = np.random.default_rng(0).random((400, 700))
    y = (X[:, 0] > 0.5).astype(int)
    for method in ("turf", "vlsrelief"):
        options = {"subset_size": 40, "n_subsets": 18} if method == "vlsrelief" else {"n_keep": 50}
        assert rank(X, y, method, **options).info["precision"] == "float32"
        assert rank(X[:, :600], y, method, **options).info["precision"] == "float64"


def test_command_line(capsys, tmp_path):
    """The pass after which a feature was removed stands in place of its bar, and in files."""
    core_of = ["--set", "core=relieff", "--set", "core.n_neighbors=5"]
    asked = ["rank", "iris", "--method", "turf", "--set", "n_keep=1", *core_of]
    assert cli.main([*asked, "--quiet", "--output", str(tmp_path / "x.csv")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition("removed after pass ")[2] for line in lines] == ["", "2", "1", "1"]
    rows = (tmp_path / "x.csv").read_text().splitlines()
    assert [row.rpartition(",")[2] for row in rows] == ["removed after pass", "", "2", "1", "1"]
    assert cli.main([*asked, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["parameters"]["core"] == ["relieff", [["n_neighbors", 5]]]
    assert [feature.get("removed after pass") for feature in found["features"]] == [None, 2, 1, 1]
    assert cli.main(["rank", "housing", "--method", "turf", "--set", "core=relieff"]) == 2
    assert "TuRF by ReliefF is for classification, not for regression" in capsys.readouterr().err


def test_scorers_and_rankers():
    """Core of the task, where none is chosen; a core without a target leaves the class aside."""
    from Orange.data import Table

    import orangecontrib.reliefe as reliefe
    from orangecontrib.reliefe.core.estimators import ReliefRanker

    housing, iris = Table("housing")[::5], Table("iris")
    found = reliefe.TuRF(n_keep=5)(housing)
    np.testing.assert_array_equal(found, rank(housing.X, housing.Y, "turf", n_keep=5, core="rrelieff").scores)
    with pytest.raises(ValueError, match="TuRF by SURF\\* is for classification and regression, not for unsupervised"):
        reliefe.rank(iris, "turf", task="unsupervised", core="surfstar")
    aside = reliefe.rank(iris, "turf", core="urelief", n_keep=2)
    np.testing.assert_array_equal(aside.scores, rank(iris.X, None, "turf", n_keep=2).scores)
    assert aside.targets == ()
    ranker = ReliefRanker("ivlsrelief", parameters={"n_keep": 2, "subset_size": 2}, n_features_to_select=2)
    assert ranker.fit(iris.X, iris.Y.astype(int)).transform(iris.X).shape == (150, 2)
    assert ranker.result_.order.shape == (4,)
