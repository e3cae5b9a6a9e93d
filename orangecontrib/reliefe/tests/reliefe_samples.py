"""For the tests of ReliefE: given coordinates, label sets, the vectors, and what is compared with them."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.tests.naive import reliefe as naive
from orangecontrib.reliefe.tests.samples import make

GOLDEN = json.loads((Path(__file__).parent / "golden" / "reliefe.json").read_text())["sets"]["reliefe_tiny"]
EXPECT = GOLDEN["expect"]
CLASS_VARIANTS = [
    {},
    {"n_neighbors": 3},
    {"n_neighbors": "adaptive"},
    {"n_neighbors": 4, "average": True},
    {"n_neighbors": "adaptive", "average": True},
]
LABEL_VARIANTS = [
    {"n_neighbors": 5},
    {"n_neighbors": 5, "pooled": True},
    {"n_neighbors": "adaptive"},
    {"n_neighbors": "adaptive", "pooled": True},
    {"n_neighbors": 5, "average": True},
    {"n_neighbors": "adaptive", "average": True, "pooled": True},
]


def coordinates(seed, n, d=3):
    """An embedding: points around 0, so that angles differ, too."""
    return np.random.default_rng([seed, 7]).normal(size=(n, d))


def labels(seed, n, L=5, share=0.4):
    """(n, L) of 0 and 1; some rows have the same ones, some have none."""
    rng = np.random.default_rng([seed, 3])
    out = (rng.random((n, L)) < share).astype(int)
    out[rng.integers(0, n, n // 4)] = out[0]
    out[rng.integers(1, n, n // 6)] = 0
    out[0, 0] = 1
    return out


def sample(seed, n=24, p=8, L=5, **arguments):
    """Data of which the labels know a little, and coordinates."""
    data, T = make(seed, "regression", n=n, p=p, **arguments), labels(seed, n, L)
    T[:, 0] = data.y > np.median(data.y)
    return replace(data, y=T, task="multi-label"), coordinates(seed, n)


def scores(data, E, **parameters):
    """Scores of ReliefE; E (n, d) or None."""
    task = parameters.pop("task", data.task)
    return rank(data.X, data.y, "reliefe", nominal=data.nominal, task=task, embedding=E, **parameters).scores


def close(a, b, atol=1e-9):
    """Equal but for rounding."""
    np.testing.assert_allclose(a, b, rtol=0, atol=atol)


def check(data, E, like=None, **parameters):
    """The product on `data` = the twin on `like` (by default the same)."""
    like = like or data
    close(scores(data, E, **parameters), naive.rank(like.X, like.y, E, like.nominal, **parameters))
