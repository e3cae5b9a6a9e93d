"""Numbers that usually stand for missing values are named where they are far from all others, and only there."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import describe, rank

N = 40
RNG = np.random.default_rng(0)
AGES = RNG.integers(20, 80, N).astype(float)
SMALL = RNG.normal(size=N)
CLASSES = RNG.integers(1, 3, N)


def with_codes(values, *codes):
    """A copy whose first values are codes."""
    values = np.array(values, float)
    values[: len(codes)] = codes
    return values


def warnings_of(X, y=CLASSES, method="relieff", **options):
    texts = rank(X, y, method, **options).info["warnings"]
    return [text for text in texts if "missing, and is far below" in text]


@pytest.mark.parametrize("values, codes", [
    (with_codes(AGES, -999), [-999]),
    (with_codes(AGES, -99), [-99]),
    (with_codes(AGES, -9), []),  # nearer than the ages are to each other
    (with_codes(RNG.integers(1, 6, N), -9), [-9]),
    (with_codes(RNG.integers(1, 6, N), -9, -99, np.nan), [-99, -9]),
    (with_codes(SMALL, -9999, -99999), [-99999, -9999]),
    (with_codes(SMALL, -998, 999, 99), []),
    (with_codes(100 * SMALL, -99, -9), []),
    (with_codes(1000 * AGES, -999), []),
    (np.full(N, -999.0), []),
    (np.full(N, np.nan), []),
])  # fmt: skip
def test_codes_far_below_all_other_values(values, codes):
    said = [
        finding.text for finding in describe(np.column_stack([values, SMALL])).findings if finding.action == "missing"
    ]
    assert [int(text.split()[0]) for text in said if "feature 0" in text] == codes


def test_a_warning_names_the_columns():
    table = pd.DataFrame({"age": with_codes(AGES, -999), "size": SMALL, "grade": with_codes(CLASSES, -9, -999)})
    found = warnings_of(table)
    assert len(found) == 1
    clause = "often means missing, and is far below all other values"
    advice = "If so, read -999 and -9 as missing (NaN in arrays)"
    assert found[0] == f"-999 in 'age', 'grade' {clause}; -9 in 'grade' {clause}. {advice}"
    assert [finding.text for finding in describe(table).findings if finding.action == "missing"] == [
        f"-999 in 'age', 'grade' {clause}",
        f"-9 in 'grade' {clause}",
    ]
    assert "-999 in feature 0" in warnings_of(table.to_numpy())[0]
    assert not warnings_of(table[["size"]])
    assert not warnings_of(np.column_stack([CLASSES % 2, with_codes(CLASSES, -9)]), nominal=[0, 1])
    assert not warnings_of(sparse.csr_array(table.to_numpy()))


@pytest.mark.parametrize("y, method, options, expected", [
    (with_codes(SMALL, -999), "rrelieff", {}, "-999 in the target often means"),
    (with_codes(CLASSES, -9).astype(int), "relieff", {}, "-9 in the target often means"),
    (with_codes(CLASSES, -9).astype(int).astype(str), "relieff", {}, "-9 in the target often means"),
    (with_codes(CLASSES, -9, np.nan), "sslrelief", {"task": "classification"}, "-9 in the target often means"),
    (pd.DataFrame({"b": with_codes(SMALL / 3, -999), "c": 7 * SMALL}), "auto", {}, "-999 in the target 'b' often"),
])  # fmt: skip
def test_targets(y, method, options, expected):
    assert expected in warnings_of(np.column_stack([SMALL, AGES]), y, method, **options)[0]
