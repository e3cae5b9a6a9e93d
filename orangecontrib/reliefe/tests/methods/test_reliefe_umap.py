"""ReliefE with UMAP itself."""

import time

import numpy as np
import pytest

from orangecontrib.reliefe.core import Interrupted, rank
from orangecontrib.reliefe.tests.reliefe_samples import sample
from orangecontrib.reliefe.tests.samples import SMALL, make

pytestmark = pytest.mark.skipif(SMALL, reason="UMAP needs its kernels compiled")
TASK = pytest.mark.parametrize("task", ["classification", "multi-label"])


def run(data, **parameters):
    return rank(data.X, data.y, "reliefe", nominal=data.nominal, **parameters)


@TASK
def test_umap(task):
    """The same bits for the same seed; other places, but scores alike, for another."""
    data = make(1, n=80, p=10) if task == "classification" else sample(1, n=80, p=10)[0]
    one, again, other = (run(data, random_state=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.scores, again.scores)
    assert not np.array_equal(one.scores, other.scores)
    assert one.info["embedding"] == "umap"
    assert np.all(np.abs(one.scores) <= 1)


def test_umap_finds_what_tells_the_classes_apart():
    rng = np.random.default_rng(0)
    y = np.arange(150) % 3
    X = np.column_stack([rng.normal(size=(3, 4))[y] * 4 + rng.normal(size=(150, 4)), rng.random((150, 4))])
    for preset in (None, "paper"):
        found = rank(X, y, "reliefe", preset=preset)
        assert set(found.ranking[:4]) == {0, 1, 2, 3}


@pytest.mark.parametrize("when", [0, 0.3])
def test_umap_is_interrupted(when):
    data, raised = make(12, n=600, p=10), []

    def progress(share):
        if share >= when:
            raised.append(time.monotonic())
            raise Interrupted

    run(make(12, n=60, p=10))  # the kernels are compiled
    with pytest.raises(Interrupted):
        run(data, progress=progress)
    assert time.monotonic() - raised[0] < 1
    assert len(raised) == 1


def test_silence(capfd, recwarn):
    run(make(13, n=60, p=10))
    out, err = capfd.readouterr()
    assert (out, err) == ("", "")
    assert not [w for w in recwarn if "umap" in str(w.filename) or "sklearn" in str(w.filename)]
