"""Sparse matrices whose index arrays lie are refused, in a process of their own: SciPy would follow them anywhere."""

import os
import subprocess
import sys

import numpy as np
import pytest

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.tests import hostile

KIND = pytest.mark.parametrize("kind", hostile.FORMATS)


def test_everything_that_takes_a_matrix():
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "orangecontrib.reliefe.tests.hostile", *hostile.FORMATS],
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    last = "".join(run.stdout.splitlines()[-1:])
    assert run.returncode == 0, f"{last}\n{run.stderr[-2000:]}"
    cases = sum(len(hostile.CASES[kind]) for kind in hostile.FORMATS)
    assert run.stdout.count("\n") == cases * len(hostile.faces())


@KIND
def test_what_does_not_lie_is_the_same_in_every_format(kind):
    X = hostile.X
    expected = rank(hostile.made("csr"), hostile.Y, "relieff").scores
    assert np.array_equal(rank(hostile.made(kind), hostile.Y, "relieff").scores, expected)
    assert np.array_equal(
        rank(X, hostile.made(kind), "rrelieff", task="multi-label").scores,
        rank(X, X, "rrelieff", task="multi-label").scores,
    )


def test_room_for_more():
    """Arrays may be longer than what is stored; what is there says nothing."""
    A = hostile.made("csr")
    expected = rank(A, hostile.Y, "relieff").scores
    A.indices, A.data = np.append(A.indices, [10**9]).astype(np.int32), np.append(A.data, [np.inf])
    assert np.array_equal(rank(A, hostile.Y, "relieff").scores, expected)


def test_flags_that_lie():
    """Order of indices is looked at, not believed."""
    A = hostile.made("csr")
    expected = rank(A, hostile.Y, "relieff").scores
    for row in range(hostile.N):
        own = slice(A.indptr[row], A.indptr[row + 1])
        A.indices[own], A.data[own] = A.indices[own][::-1].copy(), A.data[own][::-1].copy()
    A.has_canonical_format = A.has_sorted_indices = True
    assert np.array_equal(rank(A, hostile.Y, "relieff").scores, expected)


@KIND
def test_complex_numbers(kind):
    with pytest.raises(ValueError, match="complex"):
        rank(hostile.made(kind, hostile.X * 1j), hostile.Y, "relieff")
