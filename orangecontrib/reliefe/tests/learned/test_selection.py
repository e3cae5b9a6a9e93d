"""The k-th smallest number by counting, and the features whose gains are computed, beside plain loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orangecontrib.reliefe.core.learned import gains, selection
from orangecontrib.reliefe.tests.samples import SMALL, examples

DTYPE = pytest.mark.parametrize("dtype", [np.float32, np.float64])
EXAMPLES = examples(80, 10)
BITS = {np.float32: np.int32, np.float64: np.int64}
KINDS = "even", "few values", "wide", "equal", "tiny"


def numbers(kind, n, seed, dtype):
    """(n,) from 0 up, some of them infinite."""
    rng = np.random.default_rng(seed)
    x = {
        "even": rng.random(n),
        "few values": rng.integers(0, 4, n) * 1.0,
        "wide": 10.0 ** rng.uniform(-30, 30, n),
        "equal": np.full(n, 2.5),
        "tiny": rng.integers(0, 9, n) * np.finfo(dtype).smallest_subnormal,
    }[kind].astype(dtype)
    x[rng.random(n) < 0.1] = np.inf
    return x


@DTYPE
@EXAMPLES
@given(
    seed=st.integers(0, 10**6), kind=st.sampled_from(KINDS), n=st.sampled_from([2, 3, 17, 100]), share=st.floats(0, 1),
    guess=st.sampled_from([0.0, 1e-9, 0.3, 2.5, 1e20]), slope=st.sampled_from([0.0, 1e-6, 0.2, 1e9]),
)  # fmt: skip
def test_kth_smallest(dtype, seed, kind, n, share, guess, slope):
    """Whatever the numbers are, and the first guess and slope."""
    x = numbers(kind, n, seed, dtype)
    finite = np.sort(x[x < np.inf])
    if len(finite) == 0:
        return
    k = min(max(int(share * len(finite)), 1), n - 1)
    bits, cell = x.view(BITS[dtype]), np.empty(1, dtype)
    found, after = selection.kth_smallest(bits, cell, k, guess, slope)
    assert found == finite[min(k, len(finite)) - 1]
    assert after >= 0
    assert selection._by_bisection(bits, cell, k) == finite[min(k, len(finite)) - 1]


@DTYPE
def test_few_looks(dtype, monkeypatch):
    """A guess from a like row takes a handful of counts, not one for every bit."""
    if not SMALL:
        pytest.skip("counts are counted where kernels run as Python")
    looks, count = [], selection._count
    monkeypatch.setattr(selection, "_count", lambda x, t: (looks.append(t), count(x, t))[1])
    for seed in range(20):
        x = numbers("even", 100, seed, dtype)
        selection.kth_smallest(x.view(BITS[dtype]), np.empty(1, dtype), 20, 0.2, 0.2)
    assert len(looks) / 20 <= selection.LOOKS + 2


@given(
    low=st.floats(0, 100), width=st.floats(1e-3, 100), at_low=st.floats(-2, -1e-3), at_high=st.floats(1e-3, 2),
    outside=st.floats(-1e3, 1e3), excess=st.integers(-50, 50).filter(lambda n: n not in (0, -1)),
    open_ends=st.sampled_from(["", "low", "high"]),
)  # fmt: skip
@EXAMPLES
def test_next_threshold_stays_within_the_bracket(low, width, at_low, at_high, outside, excess, open_ends):
    a, b = -1.0 if open_ends == "low" else low, np.inf if open_ends == "high" else low + width
    t, past = selection._next_threshold(a, b, at_low, at_high, outside, excess)
    assert a <= t <= b
    assert t < np.inf
    assert not past or t == a  # below the number after `low`
    if not open_ends and not past and abs(excess) > selection.MAX_PASSED and t < b:
        assert t == pytest.approx(low - width * at_low / (at_high - at_low))


@DTYPE
def test_counts(dtype):
    x = np.array([3, 1, np.inf, 1, 0, 7], dtype)
    for t, expected in ((0, (0, None, 0)), (1, (1, 0, 1)), (2, (3, 1, 3)), (8, (5, 7, np.inf))):
        count, below, above = selection._count(x.view(BITS[dtype]), np.array([t], dtype).view(BITS[dtype])[0])
        assert count == expected[0]
        if expected[1] is not None:
            assert np.array([below], BITS[dtype]).view(dtype)[0] == expected[1]
        assert np.array([above], BITS[dtype]).view(dtype)[0] == expected[2]


@DTYPE
@pytest.mark.parametrize("k", [1, 2, 4, 5, 9])
def test_sums_in_fours(dtype, k):
    rng = np.random.default_rng(k)
    margins, u, places = rng.standard_normal((12, 30)).astype(dtype), rng.random(30).astype(dtype), rng.permutation(12)
    out = np.empty(k)
    gains.gains_of(margins, u, places[:k], out)
    np.testing.assert_allclose(out, margins[places[:k]] @ u, rtol=1e-4 if dtype == np.float32 else 1e-12, atol=1e-5)


@EXAMPLES
@given(seed=st.integers(0, 10**6), slack=st.floats(0, 3))
def test_best_by_bounds(seed, slack):
    """The first one is known, then fours of those whose bounds reach the best: those left out are worse."""
    rng = np.random.default_rng(seed)
    margins, u = rng.standard_normal((25, 10)), rng.random(10)
    exact, found = margins @ u, np.full(25, np.nan)
    bounds = exact + slack * rng.random(25)
    places = np.append(0, rng.permutation(np.arange(1, 25)))
    given, found[0] = places.copy(), exact[0]
    done = 1 + gains.evaluate(margins, u, places[1:], bounds, 1e-9, found)
    assert found[:done].max() == pytest.approx(exact.max(), rel=1e-12)
    np.testing.assert_allclose(found[:done], exact[places[:done]], rtol=1e-9, atol=1e-12)
    assert np.isnan(found[done:]).all()
    expected, best = [0], exact[0]  # one after the other, the best is looked at again after each four
    for f in given[1:]:
        if bounds[f] + 1e-9 >= best:
            expected.append(f)
        best = exact[expected[: 1 + (len(expected) - 1) // 4 * 4]].max()
    assert places[:done].tolist() == expected
