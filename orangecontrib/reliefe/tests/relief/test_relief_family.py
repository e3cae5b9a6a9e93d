"""Every method against its slow twin, on every kind of data."""

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.tests import naive
from orangecontrib.reliefe.tests.limits import lower
from orangecontrib.reliefe.tests.samples import FEW_PAIRS, PAIRS, RUNS, SMALL, STRATEGIES, all_rows, few, make

METHOD_TASK = pytest.mark.parametrize("method, task", PAIRS)
FEW_METHODS = pytest.mark.parametrize("method, task", FEW_PAIRS)
RUN = pytest.mark.parametrize("method, task, parameters", RUNS)


def check(data, method, atol=1e-9, like=None, **parameters):
    """The product on `data` = the twin on `like` (by default the same)."""
    like = like or data
    expected = naive.rank(like.X, like.y, method, like.nominal, like.task, **parameters)
    found = rank(data.X, data.y, method, nominal=data.nominal, task=data.task, **parameters)
    np.testing.assert_allclose(found.scores, expected, rtol=0, atol=atol)


@RUN
def test_complete(method, task, parameters):
    for n_classes in (2, 4) if task == "classification" else (2,):
        check(make(1, task, n_classes=n_classes), method, **parameters)


@FEW_METHODS
@pytest.mark.parametrize("missing", STRATEGIES)
def test_missing(method, task, missing):
    check(make(2, task, n_classes=3, missing=0.15), method, missing=missing, **few(method))


@RUN
def test_missing_by_default(method, task, parameters):
    check(make(3, task, n_classes=3, missing=0.15), method, **parameters)


@FEW_METHODS
@pytest.mark.parametrize("missing", STRATEGIES)
def test_mostly_missing(method, task, missing):
    """Pairs without a common feature, classes without a value, a feature without any."""
    data = make(4, task, n=20, p=16, n_classes=3, missing=0.6)
    data.X[:, 2] = np.nan
    data.X[data.y == 0, 0] = np.nan
    check(data, method, missing=missing, **all_rows(method))


@FEW_METHODS
@pytest.mark.parametrize("missing", STRATEGIES)
def test_ramp(method, task, missing):
    ramp = ((0.1, 0.4), (0.0, 0.3), (0.2, 1.0))[STRATEGIES.index(missing) % 3]
    check(make(5, task, n_classes=3, missing=0.1), method, missing=missing, ramp=ramp, **all_rows(method))


@FEW_METHODS
def test_ramps_in_the_distance(method, task):
    for ramp in ((0.1, 0.4), (0.0, 0.3), (0.2, 1.0)):
        check(make(5, task, n=18, p=16, n_classes=3), method, ramp=ramp, **few(method))


@FEW_METHODS
def test_usual_ramp(method, task):
    data = make(5, task, n=18, p=16, n_classes=3)
    usual, given = (rank(data.X, data.y, method, task=task, ramp=ramp).scores for ramp in (True, (0.05, 0.10)))
    assert np.array_equal(usual, given)


@METHOD_TASK
@pytest.mark.parametrize("share", [0, 0.2])
def test_some_targets(method, task, share):
    check(make(6, task, n_classes=3, missing=share), method, n_instances=7, random_state=3, **few(method))


@FEW_METHODS
@pytest.mark.parametrize("n_instances", [1, 0.3, 0.01, 24])
def test_numbers_of_targets(method, task, n_instances):
    for share in (0, 0.2):
        data = make(6, task, n_classes=3, missing=share)
        check(data, method, n_instances=n_instances, random_state=3, **few(method))


@FEW_METHODS
@pytest.mark.parametrize("missing", STRATEGIES)
def test_some_targets_with_every_strategy(method, task, missing):
    check(make(7, task, missing=0.2), method, n_instances=9, missing=missing, **few(method))


@METHOD_TASK
def test_csr(method, task):
    for share in (0, 0.3, 0.6):
        data = make(8, task, n=20, p=18, n_classes=3, zeros=share)
        check(data.csr, method, like=data, **few(method))


@FEW_METHODS
@pytest.mark.parametrize("missing", STRATEGIES)
@pytest.mark.parametrize("ramp", [False, (0.1, 0.4)])
def test_csr_with_missing_values(method, task, missing, ramp):
    data = make(9, task, n=20, p=14, missing=0.1, zeros=0.5)
    check(data.csr, method, like=data, missing=missing, ramp=ramp, **(all_rows(method) if ramp else few(method)))


@pytest.mark.parametrize("form", [sparse.csc_array, sparse.coo_array, sparse.lil_array, sparse.csr_matrix])
def test_sparse_formats(form):
    data = make(10, n=16, p=5, zeros=0.5)
    plain = rank(data.csr.X, data.y, "relieff", nominal=data.nominal)
    other = rank(form(data.X), data.y, "relieff", nominal=data.nominal)
    assert np.array_equal(plain.scores, other.scores)


@FEW_METHODS
def test_duplicate_rows(method, task):
    """Duplicates are neighbours like any other; ties among them go to the lowest row."""
    data = make(11, task, n=18, n_classes=3)
    data.X[[1, 7, 12]], data.X[[3, 16]] = data.X[0], data.X[2]
    check(data, method, **few(method))
    check(make(12, task, n=14).doubled(), method)


@RUN
def test_nominal_data(method, task, parameters):
    """Distances are whole numbers: ties everywhere, resolved exactly."""
    for n_classes in (2, 3) if task == "classification" else (2,):
        check(make(13, task, n=30, p=7, nominal=range(7), n_classes=n_classes), method, **parameters)


@FEW_METHODS
def test_codes_of_nominal_values_are_names(method, task):
    """Any number may be a code: fractions, negative and huge ones."""
    data = make(14, task, missing=0.1)
    names = np.array([-3.5, 2.0**31 + 1, 0.1, 7.0])
    data.X[:, 4] = np.where(np.isnan(data.X[:, 4]), np.nan, names[np.nan_to_num(data.X[:, 4]).astype(int)])
    check(data, method, **few(method))


@pytest.mark.parametrize("method, task", [pair for pair in PAIRS if pair[1] == "classification"])
@pytest.mark.parametrize("missing", [0, 0.2])
def test_unequal_classes(method, task, missing):
    """A class of one row, one of two, and a big one."""
    data = make(15, n=20, missing=missing)
    data.y[:] = [0] + [1] * 2 + [2] * 5 + [3] * 12
    check(data, method, **few(method))


@FEW_METHODS
@pytest.mark.parametrize("n, p", [(90, 140), (70, 300)])
def test_wide(method, task, n, p):
    """More features than a kernel takes at once, more rows than a lane block."""
    n, p = (n // 4, p // 8) if SMALL else (n, p)
    check(make(16, task, n=n, p=p, nominal=range(0, p, 5), n_classes=3), method)


@FEW_METHODS
@pytest.mark.parametrize("missing", ["class-conditional", "ignore"])
def test_wide_with_missing_values(method, task, missing):
    n, p = (20, 18) if SMALL else (66, 40)
    check(make(17, task, n=n, p=p, nominal=range(0, p, 5), n_classes=3, missing=0.05), method, missing=missing)


@FEW_METHODS
def test_many_rows(method, task):
    """Tiles of more than one block of lanes."""
    n = 150 if SMALL else 1100
    check(make(21, task, n=n, p=3, nominal=[1], n_classes=3), method, n_instances=20 if SMALL else 70)


@METHOD_TASK
def test_single_precision(method, task, monkeypatch):
    check_single_precision(method, task, None, monkeypatch)


@FEW_METHODS
@pytest.mark.parametrize("missing", STRATEGIES)
def test_single_precision_with_missing_values(method, task, missing, monkeypatch):
    check_single_precision(method, task, missing, monkeypatch)


def check_single_precision(method, task, missing, monkeypatch):
    """Big dense data are held in single precision; without ties that changes the seventh digit."""
    n, p = (20, 10) if SMALL else (120, 30)
    data = make(22, task, n=n, p=p, n_classes=3, missing=0.1 if missing else 0)
    double, single = [], []
    for limit, scores in ((np.inf, double), (0, single)):
        lower(monkeypatch, MAX_EXACT_COMPLETE=limit, MAX_EXACT_MISSING=limit)
        scores.append(rank(data.X, data.y, method, nominal=data.nominal, task=task, missing=missing).scores)
    assert not np.array_equal(single, double)
    np.testing.assert_allclose(single, double, rtol=0, atol=1e-6)


@FEW_METHODS
def test_single_precision_finds_the_same_neighbours(method, task, monkeypatch):
    """Ties: of so many rows in so few dimensions some are equally far to the seventh digit."""
    data = make(24, task, n=60 if SMALL else 2500, p=3, nominal=(), n_classes=3)
    double = rank(data.X, data.y, method, task=task, **few(method)).scores
    lower(monkeypatch, MAX_EXACT_COMPLETE=0)
    single = rank(data.X, data.y, method, task=task, **few(method)).scores
    np.testing.assert_allclose(single, double, rtol=0, atol=5e-8)


@pytest.mark.parametrize("missing", [0, 0.1])
def test_more_neighbours_than_a_class_has(missing):
    """Scheme E takes its misses from all other classes together."""
    data = make(23, n=20, n_classes=4, missing=missing)
    for k in (5, 8, 19, 100):
        for scheme in "EF":
            check(data, "relieff", n_neighbors=k, scheme=scheme)


@FEW_METHODS
def test_wide_csr(method, task):
    n, p = (20, 40) if SMALL else (80, 200)
    data = make(18, task, n=n, p=p, nominal=range(0, p, 7), n_classes=3, zeros=0.85)
    check(data.csr, method, like=data)


@METHOD_TASK
def test_very_few_rows(method, task):
    for n in (2, 3, 4):
        check(make(19, task, n=4).rows(slice(n)), method)


@FEW_METHODS
@pytest.mark.parametrize("p", [1, 2, 8, 15, 16, 17])
def test_few_features(method, task, p):
    """Around the widths of the kernels' blocks."""
    check(make(20, task, p=p), method, **few(method))
