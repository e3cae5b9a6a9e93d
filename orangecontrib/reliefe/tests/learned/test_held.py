"""Shuffles of targets in which some features stay with them."""

import numpy as np
import pytest

from orangecontrib.reliefe.core.checked_call import check_call
from orangecontrib.reliefe.core.data.diff import Diff
from orangecontrib.reliefe.core.learned import row_distances
from orangecontrib.reliefe.core.learned.held_distances import HeldDistances
from orangecontrib.reliefe.core.learned.permuted_neighbours import NeighbourLists
from orangecontrib.reliefe.core.learned.space import NeighbourSpace
from orangecontrib.reliefe.core.relief.comparison import Comparison
from orangecontrib.reliefe.core.relief.run import Run
from orangecontrib.reliefe.core.relief.updates.hit_miss import HitMiss
from orangecontrib.reliefe.core.work.threads import Work
from orangecontrib.reliefe.tests.naive.diffs import differences
from orangecontrib.reliefe.tests.samples import make

from .test_global_part import ranked


@pytest.mark.parametrize("ramp", [False, True])
@pytest.mark.parametrize("kept", [True, False])
def test_features_that_are_held_stay_where_they_are(ramp, kept, monkeypatch):
    """Distances of shuffled rows in which two features are those of the row itself."""
    monkeypatch.setattr(row_distances, "MAX_BYTES", 2**26 if kept else 0)
    data = make(13, n=20, p=6, nominal=(1, 4))
    made = check_call(data.X, data.y, "relieff", nominal=data.nominal, ramp=ramp)
    diff = Diff.of({"ramp": ramp, "diff": "range"})
    run = Run.start(Comparison(made.table, diff=diff), made.target, HitMiss(), np.ones(20, bool), Work())
    moved, held = np.random.default_rng(0).permutation(20), np.array([1, 5])
    found = np.empty((20, 20))
    known = row_distances.RowDistances(run, run.distance)
    for part in range(32):
        for block, where in HeldDistances(known, np.ones(6), held, moved).blocks(part):
            found[where] = block
    own = differences(data.X, data.nominal, ramp=ramp)[np.ix_(run.ids, run.ids, run.features.columns)]
    mixed_ = own[np.ix_(moved, moved)]
    mixed_[:, :, held] = own[:, :, held]
    expected = mixed_.sum(axis=2)
    np.fill_diagonal(expected, np.inf)
    np.testing.assert_allclose(found[np.ix_(moved, moved)], expected, rtol=0, atol=1e-9)


def test_what_is_held():
    """The heavy features, unless hardly any other is left to be shuffled, or values are missing."""
    data = make(14, n=30, p=20, nominal=())
    for X, heavy, expected in (
        (data.X, [1, 2], [1, 2]),
        (data.X, list(range(13)), []),
        (np.where(np.eye(30, 20) > 0, np.nan, data.X), [1], []),
    ):
        _, run = ranked(X, data.y)
        space = NeighbourSpace(None, heavy=np.array(heavy))
        assert NeighbourLists(run, [space], 4).held.tolist() == expected
