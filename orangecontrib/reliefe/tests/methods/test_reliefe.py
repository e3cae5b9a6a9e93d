"""ReliefE with given coordinates and classes: the golden vectors, the slow twin, ReliefF."""

import numpy as np
import pytest

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.tests.limits import lower
from orangecontrib.reliefe.tests.naive import reliefe as naive
from orangecontrib.reliefe.tests.reliefe_samples import CLASS_VARIANTS as VARIANTS
from orangecontrib.reliefe.tests.reliefe_samples import EXPECT, GOLDEN, check, close, coordinates, scores
from orangecontrib.reliefe.tests.samples import SMALL, STRATEGIES, make

MCC = [name for name in EXPECT if name.startswith("mcc")]
VARIANT = pytest.mark.parametrize("parameters", VARIANTS, ids=lambda v: "-".join(map(str, v.values())) or "default")
METRIC = pytest.mark.parametrize("distance", ["euclidean", "cosine"])


def golden(name):
    """A key of the vectors -> X, y, and the parameters that it stands for."""
    k, average, adaptive = (int(part[-1]) for part in name.split("_")[1:])
    return {"n_neighbors": "adaptive" if adaptive else k, "average": bool(average), "distance": "cosine"}


@pytest.mark.parametrize("name", MCC)
def test_golden_twin(name):
    found = naive.rank(GOLDEN["X"], GOLDEN["y"], GOLDEN["E"], **golden(name))
    close(found, EXPECT[name])


@pytest.mark.parametrize("name", MCC)
def test_golden(name):
    found = rank(np.array(GOLDEN["X"]), GOLDEN["y"], "reliefe", embedding=np.array(GOLDEN["E"]), **golden(name))
    close(found.scores, EXPECT[name])


def test_golden_twin_distances():
    close(naive.coordinate_distances(GOLDEN["E"], "cosine")[0], EXPECT["cosine_dist_E_row0"])


@pytest.mark.parametrize("distances, k", [([1, 2, 3, 9, 10], 3), ([1, 5, 6], 1), ([3], 1), ([1, 2, 3], 1),
                                          ([2, 2, 2], 3), ([0, 0, 0, 1, 1, 2], 3)])  # fmt: skip
def test_twin_adaptive_k(distances, k):
    """Before the first largest gap; where nothing tells the rows apart, all of them."""
    assert naive.adaptive_k(distances) == k


@VARIANT
@METRIC
@pytest.mark.parametrize("n_classes", [2, 4])
def test_complete(parameters, distance, n_classes):
    check(make(1, n_classes=n_classes), coordinates(1, 24), distance=distance, **parameters)


@VARIANT
@METRIC
@pytest.mark.parametrize("d", [1, 2, 7, 20])
def test_dimensions(parameters, distance, d):
    """Around the widths of blocks; on a line all cosines are 1 or -1, all but tied."""
    check(make(2, n_classes=3), coordinates(2, 24, d), distance=distance, **parameters)


@VARIANT
def test_missing_values_are_ignored(parameters):
    data = make(3, n_classes=3, missing=0.2)
    check(data, coordinates(3, 24), **parameters)
    assert np.array_equal(scores(data, coordinates(3, 24), missing="ignore", **parameters),
                          scores(data, coordinates(3, 24), **parameters))  # fmt: skip


@pytest.mark.parametrize("parameters", [{}, {"n_neighbors": 3}, {"n_neighbors": "adaptive"}], ids=str)
@pytest.mark.parametrize("missing", STRATEGIES)
def test_missing(parameters, missing):
    check(make(4, n_classes=3, missing=0.15), coordinates(4, 24), missing=missing, **parameters)


@VARIANT
def test_mostly_missing(parameters):
    """Neighbours of which nothing is known, a class without a value, a feature without any."""
    data = make(5, n=20, n_classes=3, missing=0.6)
    data.X[:, 2] = np.nan
    data.X[data.y == 0, 0] = np.nan
    check(data, coordinates(5, 20), **parameters)


@VARIANT
@pytest.mark.parametrize("missing", [0, 0.2])
def test_unequal_classes(parameters, missing):
    """A class of one row, which has no hits, one of two, and a big one."""
    data = make(6, n=20, missing=missing)
    data.y[:] = [0] + [1] * 2 + [2] * 5 + [3] * 12
    check(data, coordinates(6, 20), **parameters)


@VARIANT
@METRIC
def test_duplicates(parameters, distance):
    """Rows at the same place are neighbours like any other; ties among them go to the lowest row."""
    data, E = make(7, n=20, n_classes=3), coordinates(7, 20)
    E[[1, 7, 12]], E[[3, 16]] = E[0], E[2]
    check(data, E, distance=distance, **parameters)


@VARIANT
@METRIC
@pytest.mark.parametrize("place", [0.0, -2.5])
def test_all_rows_at_one_place(parameters, distance, place):
    check(make(8, n=16, n_classes=3), np.full((16, 2), place), distance=distance, **parameters)


@VARIANT
def test_origin_has_no_direction(parameters):
    """A row of zeros is at cosine distance 1 of every row."""
    data, E = make(9, n=20, n_classes=3), coordinates(9, 20)
    E[[0, 5, 6, 19]] = 0
    check(data, E, distance="cosine", **parameters)


@VARIANT
@pytest.mark.parametrize("share", [0, 0.4, 0.8])
@pytest.mark.parametrize("missing", [0, 0.1])
def test_csr(parameters, share, missing):
    data = make(10, n=20, p=14, n_classes=3, zeros=share, missing=missing)
    check(data.csr, coordinates(10, 20), like=data, **parameters)


@VARIANT
@pytest.mark.parametrize("n_instances", [1, 7, 0.3, 24, 1000])
def test_some_targets(parameters, n_instances):
    check(make(11, n_classes=3), coordinates(11, 24), n_instances=n_instances, random_state=3, **parameters)


@VARIANT
def test_some_targets_with_missing_values(parameters):
    check(make(12, n_classes=3, missing=0.2), coordinates(12, 24), n_instances=9, **parameters)


@VARIANT
@METRIC
def test_without_an_embedding(parameters, distance):
    """Distances are those of the features; a metric of the embedding has no say."""
    check(make(13, n_classes=3), None, distance=distance, **parameters)


@pytest.mark.parametrize("ramp", [True, (0.1, 0.4)])
@pytest.mark.parametrize("missing", [0, 0.1])
def test_ramp(ramp, missing):
    check(make(14, n_classes=3, missing=missing), coordinates(14, 24), ramp=ramp, n_neighbors=4)


@VARIANT
def test_nominal_data(parameters):
    check(make(15, n=30, nominal=range(8), n_classes=3), coordinates(15, 30), **parameters)


@VARIANT
@METRIC
def test_many_rows(parameters, distance):
    """Tiles of more than one block of lanes."""
    n, m = (150, 15) if SMALL else (1100, 60)
    data = make(16, n=n, p=3, nominal=[1], n_classes=3)
    check(data, coordinates(16, n), distance=distance, n_instances=m, **parameters)


@VARIANT
@pytest.mark.parametrize("form", ["dense", "csr"])
def test_wide(parameters, form):
    n, p = (20, 40) if SMALL else (70, 300)
    data = make(17, n=n, p=p, nominal=range(0, p, 7), n_classes=3, zeros=0.7)
    check(data.csr if form == "csr" else data, coordinates(17, n), like=data, **parameters)


@VARIANT
@pytest.mark.parametrize("missing", [0, 0.1])
@pytest.mark.parametrize("given", [True, False], ids=["coordinates", "features"])
def test_single_precision(parameters, missing, given, monkeypatch):
    """Big dense data are held in single precision; without ties that changes the seventh digit."""
    n, p = (20, 10) if SMALL else (120, 30)
    data, E = make(22, n=n, p=p, n_classes=3, missing=missing), coordinates(22, n) if given else None
    double = scores(data, E, **parameters)
    lower(monkeypatch, MAX_EXACT_COMPLETE=0, MAX_EXACT_MISSING=0)
    single = scores(data, E, **parameters)
    assert not np.array_equal(single, double)
    close(single, double, 1e-6)


@pytest.mark.parametrize("n", [2, 3, 4])
@VARIANT
def test_very_few_rows(parameters, n):
    check(make(18, n=4).rows(slice(n)), coordinates(18, n), **parameters)


@pytest.mark.parametrize("form", ["dense", "csr"])
@pytest.mark.parametrize("missing", ["class-conditional", "uniform", "separate", "ignore"])
@pytest.mark.parametrize("share", [0, 0.1])
@pytest.mark.parametrize("k", [1, 4, 15, 100])
def test_without_an_embedding_it_is_relieff(form, missing, share, k):
    """Scores are those of ReliefF where every class has two members; there ReliefF leaves out rows of whose
    neighbours nothing is known."""
    data = make(19, n_classes=3, missing=share, zeros=0.2)
    X = data.csr.X if form == "csr" else data.X
    common = {"nominal": data.nominal, "n_neighbors": k, "missing": missing}
    found = rank(X, data.y, "reliefe", embedding=None, **common).scores
    if not (share and missing == "ignore"):
        close(found, rank(X, data.y, "relieff", **common).scores, 0 if share == 0 else 1e-15)
