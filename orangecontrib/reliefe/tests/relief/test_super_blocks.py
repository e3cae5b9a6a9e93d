"""Tiles of large data are visited block of rows by block of rows: each pair once, whatever the memory."""

import numpy as np
import pytest

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.tests.limits import lower
from orangecontrib.reliefe.tests.samples import SMALL

compiled = pytest.mark.skipif(SMALL, reason="hundreds of rows")


@compiled
@pytest.mark.parametrize("name", ["relieff", "surf", "multisurf", "rrelieff"])
def test_scores(name, monkeypatch):
    """Lists are the same to the bit, sums over tiles are added in another order; on any number of threads."""
    rng = np.random.default_rng(0)
    X = rng.random((2500, 9))
    y = X[:, 0] + X[:, 1] if name == "rrelieff" else X[:, 0] + X[:, 1] * X[:, 2] > 0.9
    lower(monkeypatch, MAX_EXACT_COMPLETE=0)
    usual = rank(X, y, name)
    lower(monkeypatch, SPLIT_FROM=0, SUPER_BLOCK_BYTES=1)
    one, two = (rank(X, y, name, n_jobs=jobs) for jobs in (1, 2))
    assert one.scores.tobytes() == two.scores.tobytes()
    np.testing.assert_allclose(one.scores, usual.scores, rtol=1e-5, atol=1e-9)
    if "surf" not in name:
        assert one.scores.tobytes() == usual.scores.tobytes()
    some = [rank(X, y, name, n_instances=300, n_jobs=jobs).scores.tobytes() for jobs in (1, 2)]
    assert some[0] == some[1]
