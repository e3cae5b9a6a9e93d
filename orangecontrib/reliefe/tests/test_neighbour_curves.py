"""Scores for every number of neighbours: against `rank`, against twins, and their bands against all orders."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orangecontrib.reliefe.core import METHODS, Interrupted, neighbour_curves, rank, request
from orangecontrib.reliefe.core.warmup import steps
from orangecontrib.reliefe.tests import naive
from orangecontrib.reliefe.tests.limits import lower, lower_channels
from orangecontrib.reliefe.tests.naive.curves import relieff_weights, rrelieff_weights
from orangecontrib.reliefe.tests.naive.significance import spread
from orangecontrib.reliefe.tests.samples import SMALL, examples, make

METHOD = pytest.mark.parametrize("method", ["relieff", "rrelieff"])
SIGMAS = pytest.mark.parametrize("sigma", [None, 8.0])
N = 26 if SMALL else 60


def uneven(sizes, p=9, seed=0):
    """Features, two of them nominal, and classes of these sizes, in any order."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    X = rng.normal(size=(len(y), p)) + 0.5 * y[:, None] * rng.random(p)
    X[:, :2] = rng.integers(0, 3, (len(y), 2))
    return X, y, np.arange(p) < 2


def compare(X, y, method, nominal=None, sigma=None, numbers=(1, 2, 10), atol=1e-6, **parameters):
    """Curves, after a comparison of their scores with rankings one by one."""
    found = neighbour_curves(X, y, method, nominal=nominal, sigma=sigma, **parameters)
    ends = [k for k in (*numbers, found.max_neighbors) if k <= found.max_neighbors]
    curve = found.curve(range(found.scores(1).size))
    for k in ends:
        alone = rank(X, y, method, nominal=nominal, n_neighbors=k, sigma=sigma, **parameters).scores
        np.testing.assert_allclose(found.scores(k), alone, rtol=0, atol=atol)
        np.testing.assert_allclose(curve[k - 1], alone, rtol=0, atol=atol)
    assert found.scores(1).any()
    return found


@SIGMAS
@pytest.mark.parametrize("sizes", [(1, 2, 18), (1, 19, 19), (2, 2, 9), (12, 30)])
def test_classes_of_any_size(sizes, sigma):
    """A row of another class has as many neighbours as the largest class has rows: more change no score."""
    X, y, nominal = uneven(sizes)
    found = compare(X, y, "relieff", nominal, sigma)
    assert found.max_neighbors == max(sizes)
    assert found.at_once()
    more = rank(X, y, "relieff", nominal=nominal, n_neighbors=200, sigma=sigma)
    np.testing.assert_allclose(found.scores(max(sizes)), more.scores, rtol=0, atol=1e-6)
    assert more.info["k_most"] == max(sizes)
    assert more.info["summary"].startswith(f"k = {max(sizes)} instead of 200 (all rows of a class), ")


@pytest.mark.parametrize("method", ["reliefa", "rrelieff", "boostedrelief", "laplacian"])
def test_more_neighbours_than_there_are_change_no_score(method):
    """The nearest rows of all other classes are in one list of ReliefA; all others search among all rows."""
    X, y, nominal = uneven((3, 4, 6))
    expected = {"reliefa": "k = 10 instead of 50 (all rows of a class)"}
    expected["boostedrelief"] = "k = 6 instead of 50 (all rows of a class)"
    summary = expected.get(method, "k = 12 instead of 50 (all rows)")
    most = int(summary.split()[2])
    found = [rank(X, y, method, nominal=nominal, n_neighbors=k) for k in (most, most + 1, 50)]
    assert found[0].info["summary"].startswith(f"k = {most}, ")
    assert found[1].info["summary"].startswith(f"{summary.replace('50', str(most + 1))}, ")
    assert found[2].info["summary"].startswith(f"{summary}, ")
    assert np.array_equal(found[0].scores, found[2].scores)


@SIGMAS
@METHOD
@pytest.mark.parametrize("many", [False, True])
def test_both_precisions(method, sigma, many, monkeypatch):
    if many:
        lower(monkeypatch, MAX_EXACT_COMPLETE=0)
    data = make(3, "classification" if method == "relieff" else "regression", n=N, p=12, n_classes=3)
    compare(data.X, data.y, method, data.nominal, sigma)
    compare(data.csr.X, data.y, method, data.nominal, sigma)


@pytest.mark.parametrize("options", [
    {"scheme": "E"}, {"n_instances": 17}, {"ramp": (0.1, 0.4)}, {"diff": "rank"}, {"missing": "separate"},
    {"distance": "cosine"},
])  # fmt: skip
def test_other_parameters(options):
    X, y, nominal = uneven((9, 14, 16), seed=1)
    compare(np.maximum(X, 0), y, "relieff", nominal, **options)


@pytest.mark.parametrize("strategy", ["class-conditional", "uniform", "separate", "clus"])
@pytest.mark.parametrize("kept", [True, False])
def test_missing_values(strategy, kept, monkeypatch):
    if not kept:
        lower(monkeypatch, MAX_TABLE_BYTES=0)
    data = make(4, n=24, p=7, n_classes=3, missing=0.15)
    compare(data.X, data.y, "relieff", data.nominal, missing=strategy)
    if strategy != "class-conditional":
        numbers = make(5, "regression", n=24, p=7, missing=0.15)
        compare(numbers.X, numbers.y, "rrelieff", numbers.nominal, 8.0, missing=strategy)


@pytest.mark.parametrize("options", [{"task": "multi-label"}, {"task": "multi-target"}])
def test_several_targets(options):
    rng = np.random.default_rng(6)
    X, Y = rng.random((24, 6)), rng.integers(0, 2, (24, 3))
    compare(X, Y if options["task"] == "multi-label" else Y + rng.random((24, 3)), "rrelieff", None, 8.0, **options)


def test_sigmas_whose_square_no_number_holds():
    X, y, nominal = uneven((12, 30))
    for sigma, like in ((1e-200, {"n_neighbors": 1}), (1e200, {"n_neighbors": 10})):
        found = compare(X, y, "relieff", nominal, sigma)
        np.testing.assert_allclose(found.scores(10), rank(X, y, "relieff", nominal=nominal, **like).scores, atol=1e-6)


@METHOD
def test_ties_with_sigma_are_summed_anew(method):
    rng = np.random.default_rng(7)
    X, y = rng.integers(0, 3, (40, 6)).astype(float), rng.integers(0, 2, 40)
    target = y if method == "relieff" else X[:, 0] + rng.random(40)
    for sigma in (None, 2.0):
        found = compare(X, target, method, np.ones(6, bool), sigma, atol=1e-12 if sigma else 1e-6)
        assert found.at_once() == (sigma is None)
    assert found.at_once(None)


def test_many_lengths_are_summed_anew():
    X, y, nominal = uneven((2, 4, 6, 8, 10, 12), seed=2)
    found = compare(X, y, "relieff", nominal)
    assert not found.at_once()
    assert found._all.sums is None
    low, high = found.band([0, 3])
    assert (low < high).all()


@examples(15)
@given(
    st.integers(0, 10**6), st.lists(st.integers(1, 9), min_size=2, max_size=4), st.sampled_from([None, 0.3, 3.0]),
    st.booleans(),
)  # fmt: skip
def test_any_data(seed, sizes, sigma, few_values):
    """Ties or not, single rows, constant columns: what `rank` gives."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    X = rng.integers(0, 3 if few_values else 10**6, (len(y), 4)).astype(float)
    X[:, 3] = 1
    found = neighbour_curves(X, y, "relieff", sigma=sigma)
    for k in range(1, found.max_neighbors + 1):
        alone = rank(X, y, "relieff", n_neighbors=k, sigma=sigma).scores
        np.testing.assert_allclose(found.scores(k), alone, rtol=0, atol=1e-6)
        np.testing.assert_allclose(found.curve(range(4))[k - 1], alone, rtol=0, atol=1e-6)


@METHOD
@SIGMAS
def test_twins(method, sigma):
    data = make(8, "classification" if method == "relieff" else "regression", n=20, p=5, n_classes=3)
    found = neighbour_curves(data.X, data.y, method, nominal=data.nominal, sigma=sigma)
    for k in (1, 3, found.max_neighbors):
        expected = naive.rank(data.X, data.y, method, data.nominal, data.task, n_neighbors=k, sigma=sigma)
        np.testing.assert_allclose(found.scores(k), expected, rtol=0, atol=1e-6)


@SIGMAS
@pytest.mark.parametrize("method, tied", [("relieff", False), ("relieff", True), ("rrelieff", False)])
@pytest.mark.parametrize("channels", [8, 0])
def test_band_is_that_of_all_orders(method, tied, sigma, channels, monkeypatch):
    """Weights of pairs by loops, scores over all 720 orders of a column; sums over k at once, and one by one."""
    lower_channels(monkeypatch, channels)
    rng = np.random.default_rng(9)
    X = rng.integers(0, 3, (6, 3)) / 2 if tied else rng.random((6, 3))
    X = np.vstack([X[:4], X.min(axis=0), X.max(axis=0)])
    y = np.array([0, 1, 0, 1, 1, 0]) if method == "relieff" else rng.random(6)
    found = neighbour_curves(X, y, method, sigma=sigma, n_neighbors=2)
    D = naive.differences(X, np.zeros(3, bool), None, "uniform")
    d = np.round(naive.distances(D) / 3, 12)
    low, high = found.band([2, 0], z=1.5)
    weights = relieff_weights if method == "relieff" else rrelieff_weights
    scaled = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    for k in range(1, found.max_neighbors + 1):
        V = weights(d, y, k, sigma)
        for place, feature in enumerate((2, 0)):
            mean, deviation = spread(V, scaled[:, feature])
            np.testing.assert_allclose(low[k - 1, place], mean - 1.5 * deviation, atol=1e-9)
            np.testing.assert_allclose(high[k - 1, place], mean + 1.5 * deviation, atol=1e-9)


def test_band_needs_a_closed_form_and_rows():
    X, y, _ = uneven((5, 6))
    assert neighbour_curves(X, y, ramp=(0.1, 0.3)).band([0]) is None
    assert neighbour_curves(X[:3], [0, 1, 1]).band([0]) is None
    X[:, 4] = 3
    low, high = neighbour_curves(X, y).band([4, 4, 1])
    assert not low[:, :2].any()
    assert not high[:, :2].any()
    assert (low[:, 2] < high[:, 2]).all()


@METHOD
@pytest.mark.parametrize("kind", ["dense", "sparse", "missing"])
def test_threads_do_not_matter(method, kind, monkeypatch):
    monkeypatch.setattr(request, "WORTH_THREADS", 0)
    task = "classification" if method == "relieff" else "regression"
    data = make(10, task, n=24 if SMALL else 130, p=9, n_classes=3, missing=0.05 * (kind == "missing"))
    data = data.csr if kind == "sparse" else data
    one, three = (
        neighbour_curves(data.X, data.y, method, nominal=data.nominal, missing="uniform", n_jobs=n) for n in (1, 3)
    )
    assert one._all.sums.tobytes() == three._all.sums.tobytes()
    assert one.scores(7, 3.0).tobytes() == three.scores(7, 3.0).tobytes()
    assert np.array_equal(one.band([1, 2]), three.band([1, 2]))


def test_order_of_classes_and_rows_of_memory(monkeypatch):
    """Other names of classes change no bit; less room means fewer neighbours, and few features at a time the same."""
    X, y, nominal = uneven((12, 13), p=11)
    found = neighbour_curves(X, y, nominal=nominal)
    assert np.array_equal(neighbour_curves(X, 1 - y, nominal=nominal).scores(5), found.scores(5))
    lower(monkeypatch, MAX_SUM_BYTES=4 * 11 * 3 * 6)
    small = neighbour_curves(X, y, nominal=nominal)
    assert small.max_neighbors == 6
    np.testing.assert_allclose(small.scores(6), found.scores(6), rtol=0, atol=1e-7)
    lower(monkeypatch, MAX_LIST_BYTES=16 * 25 * 2 * 3)
    assert neighbour_curves(X, y, nominal=nominal).max_neighbors == 3
    assert neighbour_curves(X, y, nominal=nominal, max_neighbors=2).max_neighbors == 2
    lower(monkeypatch, PLACES_AT_ONCE=3, MAX_LIST_BYTES=2**28)
    assert np.array_equal(neighbour_curves(X, y, nominal=nominal).scores(6), small.scores(6))


def test_agreement_falls_where_the_ranking_depends_on_k():
    """An exclusive or is seen by near rows alone, a main effect by all."""
    rng = np.random.default_rng(11)
    X = rng.random((60 if SMALL else 160, 8))
    main, local = X[:, 0] > 0.5, (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)
    found = neighbour_curves(X, local, n_neighbors=10)
    few, many = (np.argsort(np.argsort(found.scores(k))) for k in (5, 20))
    assert found.agreement() == pytest.approx(np.corrcoef(few, many)[0, 1])
    assert found.agreement(1) == pytest.approx(neighbour_curves(X, local, n_neighbors=1).agreement())
    assert found.depends_on_k() == (found.agreement() < 0.9)
    curve = found.curve([0, 1])
    assert (curve[4] > 1.5 * curve[-1]).all()
    steady = neighbour_curves(X, main).curve([0])
    assert steady[-1] > 0.9 * steady[4]
    assert np.isnan(neighbour_curves(np.ones((6, 2)), [0, 1] * 3).agreement())


def test_names_and_what_was_asked():
    import pandas as pd

    X, y, _ = uneven((9, 14))
    found = neighbour_curves(pd.DataFrame(X, columns=[f"x{f}" for f in range(9)]), y, n_neighbors=200, sigma=4.0)
    assert (found.n_neighbors, found.max_neighbors, found.sigma, found.method) == (14, 14, 4.0, "relieff")
    assert np.array_equal(found.curve(["x3", "x1"]), found.curve([3, 1]))
    assert np.array_equal(found.scores(), found.scores(14, 4.0))
    assert not np.array_equal(found.scores(), found.scores(14, None))
    assert repr(found) == "NeighbourCurves(relieff, 23 rows, 9 features, 1 to 14 neighbours)"


def test_table():
    from Orange.data import Table

    from orangecontrib.reliefe import neighbour_curves as of_table
    from orangecontrib.reliefe import rank as rank_table

    table = Table("iris")
    found = of_table(table, max_neighbors=20)
    np.testing.assert_allclose(found.scores(7), rank_table(table, "relieff", n_neighbors=7).scores, rtol=0, atol=1e-6)
    assert found.names == tuple(v.name for v in table.domain.attributes)
    assert found.curve([table.domain.attributes[2].name]).shape == (20, 1)
    assert of_table(Table("housing"), "rrelieff", target="LSTAT").n_neighbors == 70


@pytest.mark.parametrize("method, y, words", [
    ("multisurf", [0, 1], "MultiSURF has no scores for all numbers of neighbours"),
    ("reliefmss", [0, 1], "has no scores for all"), ("relievedf", [0, 1], "has no scores for all"),
    ("reliefseq", [0, 1], "has no scores for all"), ("relief", [0, 1], "has no scores for all"),
    ("urelief", None, "has no scores for all"), ("reliefe", [0, 1], "has no scores for all"),
])  # fmt: skip
def test_methods_that_have_none(method, y, words):
    X = np.random.default_rng(0).random((12, 3))
    with pytest.raises(ValueError, match=words):
        neighbour_curves(X, y and y * 6, method)
    assert not METHODS[method].has_every_k(METHODS[method].check({}))


@pytest.mark.parametrize("method", ["relieff", "reliefa", "erelieff", "rrelieff"])
def test_methods_that_have_some(method):
    X, y, _ = uneven((9, 14))
    y = y + X[:, 0] if method == "rrelieff" else y
    found = neighbour_curves(X, y, method)
    np.testing.assert_allclose(found.scores(4), rank(X, y, method, n_neighbors=4).scores, rtol=0, atol=1e-6)
    assert METHODS[method].has_every_k(METHODS[method].check({}))


def test_refusals():
    data = make(12, n=20, p=4, missing=0.2)
    with pytest.raises(ValueError, match="ignores missing values"):
        neighbour_curves(data.X, data.y, missing="ignore", nominal=data.nominal)
    X, y, _ = uneven((9, 14))
    for options, words in (({"n_instances": "converge"}, "n_instances"), ({"max_neighbors": 0}, "max_neighbors")):
        with pytest.raises(ValueError, match=words):
            neighbour_curves(X, y, **options)
    found = neighbour_curves(X, y)
    for call, words in (
        (lambda: found.scores(15), "at most 14"), (lambda: found.scores(0), "at least 1"),
        (lambda: found.scores(3, 0.0), "sigma"), (lambda: found.scores(3, np.inf), "sigma"),
        (lambda: found.curve([9]), "at most 8"), (lambda: found.curve(["x"]), "unknown feature 'x'"),
        (lambda: found.band([0], z=-1), "z must be"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=words):
            call()
    for call in (lambda: found.scores(3.5), lambda: found.scores(3, "none"), lambda: found.curve(3)):
        with pytest.raises(TypeError):
            call()


def test_stop_and_progress():
    X, y, _ = uneven((30, 30) if SMALL else (90, 90))
    shares = []
    neighbour_curves(X, y, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1

    def stop(share):
        if share > 0.3:
            raise Interrupted

    with pytest.raises(Interrupted):
        neighbour_curves(X, y, progress=stop)
    data = make(13, n=20, p=4)
    for position in range(1, 4):  # after the search nothing speaks to whom has gone
        assert neighbour_curves(data.X, data.y, progress=shares.append).scores(position, 2.0).size == 4
    before = len(shares)
    ties = neighbour_curves(np.round(data.X), data.y, progress=shares.append)
    mid = len(shares)
    ties.curve([0, 1], 2.0)
    ties.scores(3, 2.0)
    assert len(shares) == mid > before


def test_kernels_are_warmed():
    assert sum("all numbers of neighbours" in title for title, _ in steps()) == 4


def test_data_stay_as_they_are():
    data = make(14, n=20, p=5)
    X, y, csr = data.X.copy(), data.y.copy(), data.csr.X
    for each in (data.X, csr):
        neighbour_curves(each, data.y).scores(3)
    assert np.array_equal(data.X, X)
    assert np.array_equal(csr.toarray(), X)
    assert np.array_equal(data.y, y)
