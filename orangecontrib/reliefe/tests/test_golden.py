"""The project's own vectors: the slow twins and the product against the same numbers."""

import json
from pathlib import Path

import numpy as np
import pytest

from orangecontrib.reliefe.core import rank, tau_max
from orangecontrib.reliefe.tests import naive
from orangecontrib.reliefe.tests.naive.diffs import shaper

GOLDEN = json.loads((Path(__file__).parent / "golden" / "relief_family.json").read_text())
SETS = GOLDEN["sets"]
CASES = [
    pytest.param(name, case, id=f"{name}-{case['method']}-{n}")
    for name, values in SETS.items()
    for n, case in enumerate(values["cases"])
]


def data(name):
    values = SETS[name]
    return np.array(values["X"], float), np.array(values["y"]), np.array(values["nominal"])


def parameters(case):
    return {name: tuple(value) if isinstance(value, list) else value for name, value in case["parameters"].items()}


@pytest.mark.parametrize("name, case", CASES)
def test_twin_and_product(name, case):
    X, y, nominal = data(name)
    twin = naive.rank(X, y, case["method"], nominal, SETS[name]["task"], **parameters(case))
    np.testing.assert_allclose(twin, case["scores"], rtol=0, atol=1e-9)
    found = rank(X, y, case["method"], nominal=nominal, task=SETS[name]["task"], **parameters(case))
    np.testing.assert_allclose(found.scores, case["scores"], rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    "name, known",
    [
        pytest.param(name, known, id=f"{name}-{known['missing']}")
        for name in SETS
        for known in SETS[name].get("distances", [])
    ],
)
def test_twin_distances(name, known):
    X, y, nominal = data(name)
    D = naive.differences(X, nominal, y, known["missing"] or "ignore")
    np.testing.assert_allclose(naive.distances(D)[known["row"]], known["values"], rtol=0, atol=1e-9)


@pytest.mark.parametrize("known", SETS["mixed3class_missing"]["diffs"], ids=lambda known: known["missing"])
def test_twin_missing_diffs(known):
    X, y, nominal = data("mixed3class_missing")
    i, j = known["rows"]
    D = naive.differences(X, nominal, y, known["missing"])
    np.testing.assert_allclose(D[i, j, known["features"]], np.array(known["values"], float), rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", [name for name in SETS if "all_pairs" in SETS[name]])
def test_twin_moments_of_all_pairs(name):
    X, y, nominal = data(name)
    pairs = naive.distances(naive.differences(X, nominal, y))[np.triu_indices(len(X), 1)]
    known = SETS[name]["all_pairs"]
    np.testing.assert_allclose([pairs.mean(), pairs.std()], [known["mean"], known["std"]], rtol=0, atol=1e-9)


@pytest.mark.parametrize("known", GOLDEN["scalars"]["ramp"])
def test_twin_ramp(known):
    assert shaper(tuple(known["ramp"]), 1)(known["diff"]) == pytest.approx(known["value"], abs=1e-12)


@pytest.mark.parametrize("known", GOLDEN["scalars"]["tau_max"])
def test_tau_max(known):
    assert tau_max(known["alpha"], known["m"]) == pytest.approx(known["value"], abs=1e-12)
