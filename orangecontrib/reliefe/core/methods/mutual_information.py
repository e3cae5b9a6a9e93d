"""Mutual information of each feature with the target, by estimators for classes and for numbers.

`filters` lists the method for the registry. Two classes have the estimate from their frequencies, two numbers that of
Kraskov et al. (2004), and a number with classes that of Ross (2014).
"""

import math
from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..data.facts import infinite_values
from ..points.column_scales import mode
from ..targets.scaling import centred
from .base import MethodInput
from .parameters import INTEGER, Parameter
from .supervised_filters import COST, N_SEEDS, FilterTarget, SupervisedFilter
from .traits import FILLED, Traits

NOISE = 1e-10  # of numbers, relative to their mean absolute value: that of scikit-learn


class MutualInformation(SupervisedFilter):
    """Mutual information with the target."""

    name = "mutualinfo"
    title = "Mutual Information"
    about = "each alone"
    idea = "Scores how much each feature alone reduces the uncertainty of the target"
    citation = "Kraskov, Stogbauer and Grassberger 2004, Physical Review E 69:066138; Ross 2014, PLoS ONE 9:e87357"
    traits = Traits(
        interactions=False,
        redundancy=False,
        sparse=True,
        nominal="categories",
        missing=FILLED,
        complexity="p n log n",
        stays_local="scikit-learn does its work",
    )
    own_parameters = (
        Parameter("n_neighbors", "Neighbours", INTEGER, 3, low=1, high=100_000,
                  tooltip="Number of nearest values for estimating densities of numbers. Integer, at least 1. More "
                          "are more stable and less precise"),
    )  # fmt: skip

    def cost(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> float:
        n, p = shape
        return COST * n * math.log2(n + 1) * p

    def encoded(self, data: MethodInput[None]) -> np.ndarray | sparse.csc_array:
        """Values by column; dense and sparse data give the same bits."""
        table = data.table
        return cast("sparse.csr_array", table.values).tocsc() if table.is_sparse else table.values

    def scores(self, data: MethodInput[None], X: Any, target: FilterTarget) -> np.ndarray:
        work = data.work
        nominal = data.table.nominal
        n_neighbors = min(data.parameters["n_neighbors"], len(target.rows) - 1)
        seed = data.random_state % N_SEEDS
        work.plan(len(nominal))

        def score(feature: int) -> float:
            work.tick(1)
            is_nominal = bool(nominal[feature])
            values = _imputed(X[:, [feature]], is_nominal)[target.rows]
            return _information(values, is_nominal, target, n_neighbors, seed) if np.ptp(values) > 0 else 0.0

        return np.array(work.map(score, range(len(nominal))))


def _information(values: np.ndarray, is_nominal: bool, target: FilterTarget, n_neighbors: int, seed: int) -> float:
    """Mutual information of a feature and a target in nats, at least 0.

    Parameters
    ----------
    values : (m,) float64 array
        Values of the feature, not constant.
    is_nominal : bool
        Whether they are codes.
    target : FilterTarget
        Target of the same m rows.
    n_neighbors : int
        Number of nearest values, for numbers.
    seed : int
        Seed of the noise that is added to numbers.
    """
    from sklearn.feature_selection import mutual_info_regression
    from sklearn.metrics import mutual_info_score

    if is_nominal and target.is_nominal:
        return max(float(mutual_info_score(values, target.values)), 0.0)
    if is_nominal:
        codes = np.unique(values, return_inverse=True)[1]
        return of_number_and_classes(target.values, codes, n_neighbors, seed)
    if target.is_nominal:
        return of_number_and_classes(values, target.values, n_neighbors, seed)
    X = values[:, None]
    return float(mutual_info_regression(X, target.values, n_neighbors=n_neighbors, random_state=seed)[0])


def of_number_and_classes(numbers: np.ndarray, codes: np.ndarray, n_neighbors: int, seed: int) -> float:
    """Mutual information of a number and classes by nearest values of the same class.

    With N rows, m_i values of any class (itself included) nearer to that of row i than the k-th nearest one of its own
    class, it is

        digamma(N) + mean of digamma(k) - digamma(number of rows of the class) - digamma(m_i).

    Ross (2014), PLoS ONE 9:e87357. Values have the noise of `mutual_info_classif` of scikit-learn, which searches each
    class by a tree of its own: 7 to 28 ms for each class of a feature. Sorted values take one search for all classes.

    Parameters
    ----------
    numbers : np.ndarray, shape (n,)
        Values of the number.
    codes : np.ndarray, shape (n,)
        Class of each row, from 0. Rows that are alone in their class are left out.
    n_neighbors : int
        Number k of nearest values, fewer in classes that have fewer.
    seed : int
        Seed of the noise.

    Returns
    -------
    float
        Mutual information in nats, at least 0.
    """
    from scipy.special import digamma
    from sklearn.preprocessing import scale

    numbers = scale(numbers, with_mean=False)
    noise = np.random.RandomState(seed).standard_normal(len(numbers))
    numbers = numbers + NOISE * max(1.0, float(np.abs(numbers).mean())) * noise
    class_sizes = np.bincount(codes)[codes]
    has_others = class_sizes > 1
    if not has_others.any():
        return 0.0
    numbers = numbers[has_others]
    codes = codes[has_others]
    class_sizes = class_sizes[has_others]
    k = np.minimum(n_neighbors, class_sizes - 1)
    radius = np.nextafter(_kth_distance_in_class(numbers, codes, k), 0)
    n_within = _n_within(numbers, radius)
    estimate = digamma(len(numbers)) + digamma(k).mean() - digamma(class_sizes).mean() - digamma(n_within).mean()
    return max(float(estimate), 0.0)


def _kth_distance_in_class(numbers: np.ndarray, codes: np.ndarray, k: np.ndarray) -> np.ndarray:
    """Distance (n,) of each number to the k-th nearest other one of its class, k (n,).

    In sorted values the k nearest ones and the value itself are k + 1 in a row. Of all windows of k + 1 values with the
    value, it is the one whose farther end is nearest.
    """
    order = np.lexsort((numbers, codes))
    values = numbers[order]
    k = k[order]
    _, starts, sizes = np.unique(codes[order], return_index=True, return_counts=True)
    class_begin = np.repeat(starts, sizes)
    class_end = np.repeat(starts + sizes, sizes)
    position = np.arange(len(values))
    distance = np.full(len(values), np.inf)
    for n_smaller in range(int(k.max()) + 1):  # smaller values in the window
        low = position - n_smaller
        high = low + k
        has_window = np.flatnonzero((n_smaller <= k) & (low >= class_begin) & (high < class_end))
        value = values[has_window]
        farther_end = np.maximum(value - values[low[has_window]], values[high[has_window]] - value)
        distance[has_window] = np.minimum(distance[has_window], farther_end)
    in_order_of_rows = np.empty_like(distance)
    in_order_of_rows[order] = distance
    return in_order_of_rows


def _n_within(numbers: np.ndarray, radius: np.ndarray) -> np.ndarray:
    """Number (n,) of values within the radius (n,) of each number, itself among them."""
    values = np.sort(numbers)
    n = len(values)
    padded = np.concatenate([[-np.inf], values, [np.inf]])  # padded[i + 1] is values[i]
    low = np.searchsorted(values, numbers - radius)
    high = np.searchsorted(values, numbers + radius, "right")
    # numbers ± radius is rounded, so that the ends may be off by a few values: their distances decide.
    while (too_low := (low < n) & (numbers - padded[low + 1] > radius)).any():
        low += too_low
    while (too_high := numbers - padded[low] <= radius).any():
        low -= too_high
    while (too_high := padded[high] - numbers > radius).any():
        high -= too_high
    while (too_low := padded[high + 1] - numbers <= radius).any():
        high += too_low
    return np.asarray(high - low)


def _imputed(column: np.ndarray | sparse.csc_array, is_nominal: bool) -> np.ndarray:
    """Values (n,) of a feature, centred numbers or codes. Missing ones become the mean or the most frequent one.

    Raises
    ------
    ValueError
        If numbers are infinite.
    """
    values = (cast("sparse.csc_array", column).toarray() if sparse.issparse(column) else column).ravel()
    if is_nominal:
        return np.where(np.isnan(values), mode(values), values)
    if np.isinf(values).any():
        raise ValueError(infinite_values("X"))
    values = centred(values)
    is_known = ~np.isnan(values)
    mean = values[is_known].mean() if is_known.any() else 0.0
    return np.where(is_known, values, mean)
