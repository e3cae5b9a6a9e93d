"""Rankings that go on from a file: the result of an uninterrupted run."""

import numpy as np
import pytest

from orangecontrib.reliefe.core import Interrupted, Packed, parallel, rank, resuming
from orangecontrib.reliefe.core.resuming import rank_resumably

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


@pytest.mark.parametrize("method", ["relieff", "multisurf", "multisurfstar"])
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
    path.write_text("nothing")
    with pytest.raises(ValueError, match="no file of a ranking"):
        rank_resumably(codes, y, "relieff", path)
    with pytest.raises(ValueError, match="no folder"):
        rank_resumably(codes, y, "relieff", tmp_path / "nowhere" / "run.npz")


@pytest.mark.parametrize("method", ["surf", "turf", "mutualinfo", "swrfstar"])
def test_other_methods_are_refused(method, tmp_path):
    with pytest.raises(ValueError, match="cannot go on from a file"):
        rank_resumably(*study(), method, tmp_path / "run.npz")
