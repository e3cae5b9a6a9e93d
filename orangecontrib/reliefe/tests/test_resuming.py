"""Rankings that go on from a file: the result of an uninterrupted run."""

import os
import sys

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import METHODS, Interrupted, Packed, rank, rank_resumably
from orangecontrib.reliefe.core.growing import resuming
from orangecontrib.reliefe.core.work import threads as parallel
from orangecontrib.reliefe.genetics import rank_genotypes
from orangecontrib.reliefe.tests.target_samples import sample

N, P = 60, 70


def study(unknown=0.0):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (N, P))
    codes[:, 5] = 1
    return np.where(rng.random((N, P)) < unknown, -1, codes), rng.integers(0, 3, N)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(resuming, "ROWS_AT_ONCE", 8)
    monkeypatch.setattr(parallel, "PAUSE", 0)  # every tick is told


def stop_after(n):
    """A progress that stops the ranking when n blocks of the seven are done."""

    def progress(share):
        if share >= n / 7:
            raise Interrupted

    return progress


@pytest.mark.parametrize("method", ["relieff", "multisurf"])
@pytest.mark.parametrize("unknown", [0.0, 0.1])
@pytest.mark.parametrize("packed", [True, False])
def test_goes_on_to_the_same_scores(method, unknown, packed, tmp_path):
    codes, y = study(unknown)
    X = Packed.of(codes) if packed else np.where(codes < 0, np.nan, codes)
    options = {} if packed else {"nominal": np.arange(P)}
    expected = rank(X, y, method, missing="ignore", **options)
    path = tmp_path / "run.npz"
    with pytest.raises(Interrupted):
        rank_resumably(X, y, method, path, missing="ignore", progress=stop_after(3), **options)
    with np.load(path) as stored:
        done = int(stored["done"])
    assert 0 < done < 7
    shares = []
    found = rank_resumably(X, y, method, path, missing="ignore", progress=shares.append, **options)
    np.testing.assert_allclose(found.scores, expected.scores, atol=1e-12)
    assert found.info["instances"] == N
    assert shares[0] >= done / 7
    np.testing.assert_array_equal(rank_resumably(X, y, method, path, missing="ignore", **options).scores, found.scores)


def test_some_target_rows(tmp_path):
    codes, y = study()
    expected = rank(codes, y, "relieff", n_instances=20).scores
    found = rank_resumably(codes, y, "relieff", tmp_path / "run.npz", n_instances=20)
    np.testing.assert_allclose(found.scores, expected, atol=1e-12)


def test_files_of_something_else_are_refused(tmp_path):
    codes, y = study()
    path = tmp_path / "run.npz"
    rank_resumably(codes, y, "relieff", path)
    for other in ((codes, y, "multisurf"), (codes[:, ::-1], y, "relieff"), (codes, (y + 1) % 3, "relieff")):
        with pytest.raises(ValueError, match="other data"):
            rank_resumably(*other, path)
    with pytest.raises(ValueError, match="no folder"):
        rank_resumably(codes, y, "relieff", tmp_path / "nowhere" / "run.npz")


def stopped(path):
    with pytest.raises(Interrupted):
        rank_resumably(*study(), "relieff", path, progress=stop_after(3))


CHANGES = {
    "NaN": lambda stored: {**stored, "sums": stored["sums"] * np.nan},
    "another shape": lambda stored: {**stored, "sums": stored["sums"][:, :3]},
    "done before the first": lambda stored: {**stored, "done": -1},
    "done after the last": lambda stored: {**stored, "done": 1000},
    "several done": lambda stored: {**stored, "done": [1, 2]},
    "nothing else": lambda stored: {"key": stored["key"]},
}


def never(share):
    raise AssertionError("the ranking has begun")


@pytest.mark.parametrize("change", CHANGES)
def test_files_that_say_something_else_are_refused(change, tmp_path):
    path = tmp_path / "run.npz"
    stopped(path)
    with np.load(path) as stored:
        np.savez(path, **CHANGES[change](dict(stored)))
    with pytest.raises(ValueError, match=r"run.npz' is damaged, .* delete it to begin again"):
        rank_resumably(*study(), "relieff", path, progress=never)


def test_files_that_are_cut_are_refused(tmp_path):
    path = tmp_path / "run.npz"
    stopped(path)
    whole = path.read_bytes()
    for size in (0, 10, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(ValueError, match="is damaged"):
            rank_resumably(*study(), "relieff", path, progress=never)
    for other in (lambda: path.write_text("nothing"), lambda: np.save(path.open("wb"), np.ones(3)), path.mkdir):
        path.unlink()
        other()
        with pytest.raises(ValueError, match="is damaged"):
            rank_resumably(*study(), "relieff", path, progress=never)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_are_not_followed(tmp_path):
    path, other = tmp_path / "run.npz", tmp_path / "other"
    other.write_text("mine")
    for name in ("run.npz.new", "run.npz.lock"):
        (tmp_path / name).symlink_to(other)
    with pytest.raises(ValueError, match=r"cannot open .*run.npz.lock"):
        rank_resumably(*study(), "relieff", path)
    (tmp_path / "run.npz.lock").unlink()
    rank_resumably(*study(), "relieff", path)
    assert other.read_text() == "mine"
    assert sorted(os.listdir(tmp_path)) == ["other", "run.npz", "run.npz.lock", "run.npz.new"]


def test_one_ranking_has_a_file(tmp_path):
    path, refused = tmp_path / "run.npz", []

    def second(share):
        if share < 1:
            with pytest.raises(ValueError, match=r"another ranking writes .*run.npz"):
                rank_resumably(*study(), "relieff", path)
            refused.append(share)

    found = rank_resumably(*study(), "relieff", path, progress=second)
    assert refused
    assert rank_resumably(*study(), "relieff", path).scores.tobytes() == found.scores.tobytes()


def test_targets_that_are_read_in_two_ways(tmp_path):
    rank_resumably(*study(), "multisurf", tmp_path / "run.npz", task="classification")
    with pytest.raises(ValueError, match="other data"):
        rank_resumably(*study(), "multisurf", tmp_path / "run.npz", task="regression")


@pytest.mark.parametrize("method", ["surf", "turf", "mutualinfo", "swrfstar", "reliefseq"])
def test_other_methods_are_refused(method, tmp_path):
    with pytest.raises(ValueError, match=r"cannot go on from a file.* can, .*relieff, .*multisurf, "):
        rank_resumably(*study(), method, tmp_path / "run.npz")
    with pytest.raises(ValueError, match="cannot go on from a file"):
        rank_genotypes("there is no such file.npy", method=method, resume=tmp_path / "run.npz")
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize("strategy", [None, "ignore"])
def test_every_method_whose_scores_add_up_goes_on(strategy, tmp_path):
    """For each of its tasks, with missing values, also where these are ignored, and rows that are alone in a class."""
    done = set()
    able = [method for method in METHODS.values() if method.adds_up(method.defaults(method.tasks[0]))]
    for method, task in [(made, task) for made in able for task in made.tasks if task != "survival"]:
        data = sample(1, task, n=30, p=6, missing=0.05)
        y = None if task == "unsupervised" else data.y
        if task == "classification":
            y = np.where(np.arange(30) == 4, "alone", y.astype(str))
        options = {"nominal": data.nominal, "task": task, "hierarchy": data.hierarchy}
        if any(parameter.name == "missing" for parameter in method.parameters):
            options["missing"] = strategy
        expected = rank(data.X, y, method.name, **options).scores
        path = tmp_path / f"{method.name} {task}"
        with pytest.raises(Interrupted):
            rank_resumably(data.X, y, method.name, path, progress=stop_after(3), **options)
        found = rank_resumably(data.X, y, method.name, path, **options).scores
        np.testing.assert_allclose(found, expected, atol=1e-12, err_msg=f"{method.name}, {task}")
        done.add(method.name)
    of_classes = {"relief", "reliefa", "relieff", "erelieff", "relievedf", "reliefmss", "murelief"}
    assert done == of_classes | {"multisurf", "multisurfstar", "rrelieff", "urelief"}


def test_other_label_sets_are_other_data(tmp_path):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(20, 4)), rng.integers(0, 2, (20, 3))
    rank_resumably(X, sparse.csr_array(Y), "rrelieff", tmp_path / "run.npz")
    with pytest.raises(ValueError, match="other data"):
        rank_resumably(X, sparse.csr_array(1 - Y), "rrelieff", tmp_path / "run.npz")
