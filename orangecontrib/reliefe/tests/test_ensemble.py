"""One ensemble, and everything that it tells: scores, more trees, parts, convergence, stop, model."""

import copy
import pickle

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import Ensemble, Interrupted, grow, null_level, rank, refine, request
from orangecontrib.reliefe.core.forest.ensembles import SCORES, Forest
from orangecontrib.reliefe.core.methods.convergence import average_overlap, has_converged
from orangecontrib.reliefe.core.methods.tree_growth import MAX_TREES, MIN_NODES, MIN_TREES
from orangecontrib.reliefe.core.work.threads import Work
from orangecontrib.reliefe.tests.samples import SMALL
from orangecontrib.reliefe.tests.target_samples import TASKS, sample

TASK = pytest.mark.parametrize("task", [*TASKS, "unsupervised"])
slow_without_jit = pytest.mark.skipif(SMALL, reason="hundreds of trees")


def arguments(task="multi-target", n=30, **more):
    """Positional and keyword arguments of `grow`."""
    kind = "regression" if task == "unsupervised" else task
    data = sample(1, kind, n=n, labelled=0.7, missing=0.1)
    options = {"nominal": data.nominal, "n_trees": 6, "n_jobs": 1}
    if task == "unsupervised":
        return (data.X, None), options | more
    return (data.X, data.y), options | {"task": task, "hierarchy": data.hierarchy} | more


def made(task="multi-target", **more):
    args, options = arguments(task, **more)
    return grow(*args, **options)


def start(task="multi-target", **more):
    """Before its first tree."""
    args, options = arguments(task, **more)
    del options["n_jobs"]
    return Ensemble.of(*args, **options)


def same(a, b):
    assert a.trees == b.trees
    for score in SCORES:
        np.testing.assert_array_equal(a.ranking(score).scores, b.ranking(score).scores)
        np.testing.assert_array_equal(a.errors(score), b.errors(score))


@TASK
def test_scores_are_those_of_rank(task):
    args, options = arguments(task)
    found = grow(*args, **options).rankings()
    assert list(found) == list(SCORES)
    for score, ranking in found.items():
        alone = rank(*args, "pct", score=score, **options)
        np.testing.assert_array_equal(ranking.scores, alone.scores)
        assert np.isfinite(ranking.scores).all()
        assert ranking.parameters == alone.parameters
        assert ranking.info["score"] == score
        differs = {"seconds", "compile_seconds", "summary", "permuted", "error"}
        assert all(ranking.info[key] == alone.info[key] for key in alone.info.keys() - differs)


def test_more_trees():
    whole = made(n_trees=9)
    parts = start().grow(4).grow(2, n_jobs=2).grow(3)
    same(whole, parts)
    assert parts.trees == 9


def test_as_many_as_asked_for():
    found = start(n_trees=5)
    assert found.grow(2).trees == 2
    assert found.grow().trees == 5
    assert found.grow().trees == 5


def test_first_trees():
    whole = made(n_trees=9)
    same(whole.first(4), made(n_trees=4))
    assert whole.trees == 9
    for n in (0, 10):
        with pytest.raises(ValueError, match=r"at least 1|at most 9"):
            whole.first(n)


@pytest.mark.parametrize("other", [{"first": 5}, {"random_state": 7}])
def test_merging(other):
    a, b = made(n_trees=5), made(n_trees=4, **other)
    merged = a.merge(b)
    same(merged, b.merge(a))
    assert merged.trees == 9
    assert (a.trees, b.trees) == (5, 4)
    if "first" in other:
        same(merged, made(n_trees=9))


def test_merging_of_sparse_data():
    args, options = arguments(n_trees=3, supervision=1)
    X = sparse.csr_array(np.nan_to_num(args[0]))
    parts = [grow(x, args[1], **options, first=first) for first, x in ((0, X), (3, X), (3, X.toarray()), (3, 2 * X))]
    assert parts[0].merge(parts[1]).trees == 6
    for other in parts[2:]:
        with pytest.raises(ValueError, match="same data"):
            parts[0].merge(other)


def test_what_cannot_be_merged():
    found = made()
    with pytest.raises(ValueError, match="6 trees in common"):
        found.merge(made())
    with pytest.raises(ValueError, match="same parameters"):
        found.merge(made(min_leaf=2, random_state=1))
    args, options = arguments(random_state=1)
    with pytest.raises(ValueError, match="same data"):
        found.merge(grow(args[0] + 1, args[1], **options))


def test_what_has_no_trees():
    empty = start()
    assert empty.trees == 0
    for act in (empty.ranking, empty.errors, empty.convergence, empty.model, lambda: empty.first(1)):
        with pytest.raises(ValueError, match="there is no tree yet"):
            act()


def test_without_permutations():
    found = made(rforest=False)
    assert list(found.rankings()) == ["genie3", "symbolic"]
    assert found.ranking().info["error"] is None
    with pytest.raises(ValueError, match="without the random forest score"):
        found.ranking("rforest")
    with pytest.raises(ValueError, match="choose from genie3"):
        found.ranking("gini")
    np.testing.assert_array_equal(found.ranking().scores, made().ranking().scores)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_is_grown_stays_after_a_stop(n_jobs):
    size = {"n": 30, "n_trees": 12} if SMALL else {"n": 100, "n_trees": 60}
    found = start(**size)

    def stop(share):
        if found.trees >= 5:
            raise Interrupted

    with pytest.raises(Interrupted):
        found.grow(n_jobs=n_jobs, progress=stop)
    assert 5 <= found.trees < size["n_trees"]
    assert found.ranking().info["trees"] == found.trees
    assert found.seconds > 0
    same(found.grow(), made(**size))


def with_gaps(found, numbers):
    """Its trees with these numbers: threads that were stopped did not finish the others."""
    found._prepare(Work()).extend(numbers, Work())
    return found


def test_gaps_are_filled_first():
    found = with_gaps(start(n_trees=5), [0, 1, 2, 3, 5])
    assert (found.trees, found.unbroken) == (5, 4)
    assert list(found.growing()) == [6]
    same(found.first(5), made(n_trees=5))
    same(found, made(n_trees=6))
    found = with_gaps(start(n_trees=12), [0, 2, 3, 6])
    shares = []
    assert list(found.growing(progress=shares.append)) == [10, 12]
    assert shares == sorted(shares)
    same(found, made(n_trees=12))


def test_gaps_count_among_more_trees():
    found = with_gaps(start(n_trees=5), [0, 2, 5]).grow(2)
    assert (found.trees, found.unbroken) == (5, 4)
    same(found.grow(1), made(n_trees=6))


def test_what_was_merged_has_no_gaps():
    merged = made(n_trees=5).merge(made(n_trees=4, first=100))
    assert merged.grow().trees == 9
    merged.request.parameters["n_trees"] = 11
    assert merged.grow().trees == 11


@pytest.mark.slow
@slow_without_jit
@pytest.mark.parametrize("numbers", [[*range(98), 99], [*range(0, 160, 2), *range(160, 190)]])
def test_gaps_do_not_matter_for_when_it_stands_still(numbers):
    X, y = five_features()
    whole = grow(X, y, n_trees="auto")
    same(with_gaps(Ensemble.of(X, y, n_trees="auto"), numbers).grow(n_jobs=1), whole)
    same(with_gaps(Ensemble.of(X, y, n_trees="auto"), [*range(198), 199, 200]).grow(), whole.grow(1))


@slow_without_jit
@pytest.mark.parametrize("after", [*(pytest.param(n, marks=pytest.mark.slow) for n in (0, 30, 150)), 97])
def test_stops_do_not_matter_for_when_it_stands_still(after, monkeypatch):
    monkeypatch.setattr(request, "WORTH_THREADS", 0)
    X, y = five_features()
    found = Ensemble.of(X, y, n_trees="auto")

    def stop(share):
        if found.trees > after:
            raise Interrupted

    with pytest.raises(Interrupted):
        found.grow(n_jobs=4, progress=stop)
    same(found.grow(n_jobs=4), grow(X, y, n_trees="auto"))


def test_waiting_trees_are_not_begun_after_a_stop(monkeypatch):
    monkeypatch.setattr(request, "WORTH_THREADS", 0)
    found, begun, row = start(n_trees=400), [], Forest._result
    monkeypatch.setattr(Forest, "_result", lambda *args: begun.append(0) or row(*args))

    def stop(share):
        if found.trees >= 5:
            raise Interrupted

    with pytest.raises(Interrupted):
        found.grow(n_jobs=2, progress=stop)
    assert len(begun) <= found.trees + 2


def test_steps():
    found = start(n_trees=25)
    assert list(found.growing()) == [10, 20, 25]
    assert list(found.growing(30)) == [50, 55]
    shares = []
    list(start(n_trees=25).growing(progress=shares.append))
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_convergence():
    found = made(n_trees=55)
    orders = {n: found.first(n).ranking().ranking for n in (10, 20, 50)}
    expected = [[20, average_overlap(orders[10], orders[20])], [50, average_overlap(orders[20], orders[50])]]
    assert found.convergence() == expected
    assert found.ranking().info["convergence"] == expected
    assert made(n_trees=9).convergence() == []


@pytest.mark.parametrize("curve, expected", [
    ([], False), ([(20, 1)], False), ([(20, 0.96), (50, 0.95)], True), ([(20, 1), (50, 0.94)], False),
    ([(20, 0.94), (50, 1)], False), ([(20, 0.1), (50, 1), (100, 1)], True)])  # fmt: skip
def test_when_it_stands_has_converged(curve, expected):
    assert has_converged(curve) == expected


def five_features():
    X = np.random.default_rng(0).standard_normal((100, 5))
    return X, X @ np.array([8.0, 4, 2, 1, 0.5])


@slow_without_jit
def test_until_the_list_stands_still():
    X, y = five_features()
    found = grow(X, y, n_trees="auto")
    assert found.trees == 200
    assert found.ranking().info["has_converged"]
    assert found.grow().trees == 200
    assert rank(X, y, "pct", n_trees="auto").info["trees"] == 200
    noise = grow(np.random.default_rng(0).standard_normal((20, 60)), None, n_trees="auto", rforest=False)
    assert noise.trees == MAX_TREES
    assert not noise.ranking().info["has_converged"]


@pytest.mark.slow
@slow_without_jit
def test_the_score_asked_for_is_to_stand_still():
    rng = np.random.default_rng(5)
    X = rng.standard_normal((40, 8))
    y = X @ 2.0 ** -np.arange(8) + 0.5 * rng.standard_normal(40)
    whole, found = grow(X, y, n_trees=MAX_TREES), {}
    for score in SCORES:
        curve = [point for point in whole.convergence(score) if point[0] >= MIN_TREES]
        wanted = next((curve[k - 1][0] for k in range(1, len(curve)) if has_converged(curve[:k])), MAX_TREES)
        found[score] = grow(X, y, n_trees="auto", score=score).trees
        assert found[score] == wanted
        assert rank(X, y, "pct", n_trees="auto", score=score).info["trees"] == wanted
        assert [*refine(X, y, "pct", n_trees="auto", score=score)][-1].info["trees"] == wanted
    assert len(set(found.values())) > 1


def test_partial_rankings():
    args, options = arguments(n_trees=25)
    found = list(refine(*args, "pct", **options))
    assert [ranking.info["trees"] for ranking in found] == [10, 20, 25]
    assert [ranking.info["final"] for ranking in found] == [False, False, True]
    np.testing.assert_array_equal(found[-1].scores, rank(*args, "pct", **options).scores)


@pytest.mark.parametrize("task", ["regression", "unsupervised"])
def test_shuffled_targets(task):
    """Every shuffle grows trees of its own."""
    args, options = arguments(task)
    level = null_level(*args, "pct", n_shuffles=3, **options)
    assert len(set(level.maxima)) == 3


def test_threads_are_started_for_much_work(monkeypatch):
    assert start(n_trees=2).request.workers(2) == 1
    monkeypatch.setattr(request, "WORTH_THREADS", 0)
    assert start(n_trees=2).request.workers(2) == 2


@TASK
def test_copies(task):
    found = made(task, n_trees=3)
    for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        same(again, found)
        same(again.grow(2), made(task, n_trees=5))
        assert found.trees == 3


def test_rarely_tested_features():
    """They get a warning, and the number of trees that would do."""
    rng = np.random.default_rng(0)
    X = rng.random((20, 40))
    (note,) = rank(X, None, "pct", n_trees=10, n_jobs=1).info["warnings"]
    wanted = int(note.split("some ")[1].split(" trees")[0].replace(",", ""))
    assert "too few for a steady list" in note
    info = rank(X, None, "pct", n_trees=wanted, n_jobs=1).info
    assert info["tested"] == pytest.approx(MIN_NODES, rel=0.2)
    assert rank(X[:, :2], None, "pct", n_trees=100, n_jobs=1).info["warnings"] == []


def test_memory_does_not_grow_with_features():
    """A tree leaves no more than it tests."""
    found = grow(np.random.default_rng(0).random((12, 3000)), None, n_trees=4, n_jobs=1)
    rows = found.forest.results.values()
    assert max(len(row.features) for row in rows) < 12
    assert max(sum(np.asarray(part).nbytes for part in row.errors) for row in rows) < 500


@pytest.mark.parametrize("n", [0, -1, 1.5, True, "10"])
def test_bad_numbers_of_trees(n):
    with pytest.raises((ValueError, TypeError), match=r"number of trees must be (at least 1|an integer)"):
        start().grow(n)


@pytest.mark.parametrize("first", [-1, 0.5, True, "0"])
def test_bad_numbers_of_the_first_tree(first):
    with pytest.raises((ValueError, TypeError), match="first must be"):
        start(first=first)
