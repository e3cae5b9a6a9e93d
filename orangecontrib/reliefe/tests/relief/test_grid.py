"""Several numbers of neighbours and of target rows from one search."""

import numpy as np
import pytest

from orangecontrib.reliefe.core import rank, rank_grid
from orangecontrib.reliefe.tests.target_samples import sample

COUNTS, ROWS = (2, 5, 3), (None, 7, 0.5)


@pytest.mark.parametrize("method, task, parameters", [
    ("rrelieff", "regression", {"sigma": 3.0}), ("rrelieff", "multi-label", {}), ("urelief", "regression", {}),
    ("sslrelief", "classification", {"w0": 0.2, "w1": 0.7}), ("sslrelief", "hierarchical", {"w0": 0, "w1": 1}),
])  # fmt: skip
@pytest.mark.parametrize("missing", [0, 0.1])
@pytest.mark.parametrize("strategy", ["ignore", "clus"])
def test_each_is_that_of_rank(method, task, parameters, missing, strategy):
    data = sample(1, task, labelled=0.7 if method == "sslrelief" else 1, missing=missing)
    y = None if method == "urelief" else data.y
    options = {"nominal": data.nominal, "missing": strategy, "random_state": 4, **parameters}
    if task == "hierarchical":
        options["hierarchy"] = data.hierarchy
    found = rank_grid(data.X, y, method, n_neighbors=COUNTS, n_instances=ROWS, **options)
    assert len(found) == 9
    for ranking, (k, m) in zip(found, [(k, m) for k in COUNTS for m in ROWS], strict=True):
        alone = rank(data.X, y, method, n_neighbors=k, n_instances=m, **options)
        np.testing.assert_allclose(ranking.scores, alone.scores, rtol=0, atol=1e-12)
        assert ranking.parameters["n_neighbors"] == k
        assert ranking.info["instances"] == alone.info["instances"]


@pytest.mark.parametrize("method", ["relieff", "multisurf", "reliefe"])
def test_methods_without_a_grid(method):
    data = sample(2, "classification")
    with pytest.raises(ValueError, match=r"no (grid|parameter)"):
        rank_grid(data.X, data.y, method, n_neighbors=(3,), nominal=data.nominal)


@pytest.mark.parametrize("counts, rows", [((), (None,)), ((3,), ()), ((3, 0), (None,)), ((3,), (0,)),
                                          (("auto",), (None,)), ((3,), ("converge",))])  # fmt: skip
def test_bad_settings(counts, rows):
    data = sample(3, "regression")
    with pytest.raises(ValueError, match=r"n_neighbors|n_instances"):
        rank_grid(data.X, data.y, "sslrelief", n_neighbors=counts, n_instances=rows, nominal=data.nominal)
