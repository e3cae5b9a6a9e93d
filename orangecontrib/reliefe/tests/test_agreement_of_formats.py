"""Rankings of the same rows as a dense array, CSR, a frame, a table and packed, with each value of each option.

The other formats take turns for a third of the values. The fuzz kind `formats` sets several options together, and
``python -m benchmarks formats`` compares every value, or every pair of values, in every format.
"""

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import METHODS, rank
from orangecontrib.reliefe.tests.data_formats import (
    DEGENERATE,
    FORMATS,
    KINDS,
    PACKED,
    all_options,
    disagreement,
    make_problem,
    pairs_of_options,
    quickened,
    single_options,
)
from orangecontrib.reliefe.tests.samples import REPRESENTATIVES, SMALL

NAMES = [*METHODS]
# One method for each path of code is compared before a merge, the others before a release.
COMPARED = [
    pytest.param(name, marks=() if name in REPRESENTATIVES else pytest.mark.slow)
    for name in NAMES
    if name not in DEGENERATE
]
EVERY = 3  # number of comparisons with CSR for one with a further format
CSR = "csr"


@pytest.mark.skipif(SMALL, reason="hundreds of rankings without compilation take minutes")
@pytest.mark.parametrize("name", COMPARED)
def test_each_value_of_each_option(name):
    """CSR, and now and then one further format in turn; the tasks of the method in turn, too."""
    tasks = METHODS[name].tasks
    n_compared = 0
    options_of_tasks = {task: [*single_options(name, task)] for task in tasks}
    for number in range(max(map(len, options_of_tasks.values()))):
        task = tasks[number % len(tasks)]
        options = quickened(name, options_of_tasks[task][number % len(options_of_tasks[task])])
        rng = np.random.default_rng([NAMES.index(name), number])
        problem = make_problem(rng, task, KINDS[number % len(KINDS)])
        dense = problem.scores("dense", name, options)
        others = [data_format for data_format in problem.formats() if data_format != CSR]
        further = PACKED if PACKED in others else others[number % len(others)]
        for data_format in (CSR, further) if number % EVERY == 0 else (CSR,):
            difference = disagreement(problem, data_format, name, options, dense)
            assert not difference, (task, problem.kind, data_format, options, difference)
            n_compared += difference is not None
    assert n_compared > number / 2  # most combinations are possible


@pytest.mark.parametrize("method", ["relief", "relieff", "rrelieff", "urelief", "sslrelief"])
def test_ramps_see_values_near_zero_in_sparse_rows(method):
    """A value that a ramp does not tell from 0 may differ from that of another row."""
    rng = np.random.default_rng(4)
    for _ in range(10):
        n = int(rng.integers(20, 90))
        X = rng.normal(size=(n, 5)) * rng.choice([0, 0.03, 1], (n, 5), p=[0.3, 0.3, 0.4])
        y = None if method == "urelief" else X[:, 0] if method == "rrelieff" else (X[:, 0] > 0).astype(int)
        expected, found = (rank(values, y, method, ramp=True).scores for values in (X, sparse.csr_array(X)))
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


def test_options_cover_choices_switches_and_numbers():
    options = all_options("relieff", "classification")
    assert options["scheme"] == ["F", "E"]
    assert options["ramp"] == [False, True, (0.1, 0.3), (0.0, 0.5)]
    assert options["n_neighbors"] == [1, 2, 5, 10]
    assert "converge" in options["n_instances"]
    pairs = [*pairs_of_options("relieff", "classification")]
    assert {"ramp": True, "missing": "clus"} in pairs
    assert len(pairs) > 300


def test_a_format_that_ranks_otherwise_is_found(monkeypatch):
    """The comparison itself, with a format that loses a value, and one that is refused."""
    rng = np.random.default_rng(0)
    problem = make_problem(rng, "classification", "numbers")
    assert {disagreement(problem, data_format, "multisurf", {}) for data_format in FORMATS} == {""}
    given = type(problem).given

    def spoiled(self, data_format):
        X, nominal = given(self, data_format)
        if data_format == CSR:
            X = X.tolil()
            X[0, 0] += 1
        return (X[:5], nominal) if data_format == "csc" else (X, nominal)

    monkeypatch.setattr(type(problem), "given", spoiled)
    assert disagreement(problem, CSR, "multisurf", {}).startswith("scores differ by")
    assert disagreement(problem, "csc", "multisurf", {}).startswith("refused in one format only")
