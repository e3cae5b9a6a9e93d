"""Filters that measure how well a feature predicts each target, by estimators of scikit-learn."""

import math
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..data.compared import refuse_infinite_values
from ..data.indices import csr
from ..data.table import DataTable
from ..points.column_scales import mode
from ..points.encoding import matrix
from ..points.points import BLOCK_CELLS, spans
from ..points.sparse_encoding import sparse_points
from ..result import Info
from ..targets.scaling import scaled
from ..targets.tasks import CLASSIFICATION, REGRESSION, SEVERAL
from ..words import counted
from ..work.threads import Work
from .base import Found, Method, MethodInput
from .parameter_table import LEAVES, PARAMETERS, Tries
from .parameters import INTEGER, ROWS, SWITCH, Parameter
from .traits import FILLED, INDICATORS, Traits

SEEDS = 2**32  # of scikit-learn
NOISE = 1e-10  # of numbers, relative to their mean size: that of scikit-learn
TREES_AT_ONCE = 5  # for each thread, between two looks at whether to stop
STEP = 200.0  # what a comparison of values in a tree or a search costs, against one of Relief


class SupervisedFilter(Method[None]):
    """A method that scores the features for one target after the other; the scores are the means over the targets."""

    family = "filter"
    tasks: tuple[str, ...] = (CLASSIFICATION, REGRESSION, *SEVERAL)
    own: tuple[Parameter, ...] = ()

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return (*self.own, PARAMETERS["per_target"])

    def run(self, data: MethodInput[None]) -> Iterator[Found]:
        refuse_infinite_values(data.table)
        columns, nominal = data.target.columns
        categorical = nominal | (data.target.label_matrix is not None)
        X, each = self.encoded(data), np.empty((len(nominal), data.table.shape[1]))
        for number, (column, coded) in enumerate(zip(columns.T, categorical, strict=True)):
            with data.work.part(number / len(nominal), (number + 1) / len(nominal)):
                known = np.flatnonzero(~np.isnan(column))
                values = np.unique(column[known], return_inverse=True)[1].ravel() if coded else column[known]
                several = len(known) > 1 and np.ptp(values) > 0
                each[number] = self.scores(data, X, known, values, bool(coded)) if several else 0.0
        own = each if data.parameters["per_target"] and data.target.task in SEVERAL else None
        yield Found(each.mean(axis=0), own)

    def encoded(self, data: MethodInput[None]) -> Any:
        """X as `scores` takes it."""
        raise NotImplementedError

    def scores(self, data: MethodInput[None], X: Any, known: np.ndarray, values: np.ndarray, coded: bool) -> np.ndarray:
        """Scores (p,) for one target, not constant, with values (m,) in the rows `known`: codes, or numbers."""
        raise NotImplementedError


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
    own = (
        Parameter("n_neighbors", "Neighbours", INTEGER, 3, low=1, high=100_000,
                  tooltip="Number of nearest values for estimating densities of numbers. Integer, at least 1. More "
                          "are more stable and less precise"),
    )  # fmt: skip

    def cost(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> float:
        n, p = shape
        return STEP * n * math.log2(n + 1) * p

    def encoded(self, data: MethodInput[None]) -> np.ndarray | sparse.csc_array:
        """The values, by column: both forms of data give the same bits."""
        table = data.table
        return cast("sparse.csr_array", table.values).tocsc() if table.is_sparse else table.values

    def scores(self, data: MethodInput[None], X: Any, known: np.ndarray, values: np.ndarray, coded: bool) -> np.ndarray:
        work, nominal = data.work, data.table.nominal
        work.plan(len(nominal))

        def score(feature: int) -> float:
            work.tick(1)
            column = _filled(X[:, [feature]], bool(nominal[feature]))[known]
            return _information(column, bool(nominal[feature]), values, coded, data) if np.ptp(column) > 0 else 0.0

        return np.array(work.map(score, range(len(nominal))))


def _information(column: np.ndarray, nominal: bool, values: np.ndarray, coded: bool, data: MethodInput[None]) -> float:
    """Mutual information of a feature and a target, in nats, from 0."""
    from sklearn.feature_selection import mutual_info_regression
    from sklearn.metrics import mutual_info_score

    k, seed = min(data.parameters["n_neighbors"], len(column) - 1), data.random_state % SEEDS
    if nominal and coded:
        return max(float(mutual_info_score(column, values)), 0.0)
    if nominal:
        return of_number_and_classes(values, np.unique(column, return_inverse=True)[1], k, seed)
    if coded:
        return of_number_and_classes(column, values, k, seed)
    return float(mutual_info_regression(column[:, None], values, n_neighbors=k, random_state=seed)[0])


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
    several = class_sizes > 1
    if not several.any():
        return 0.0
    numbers = numbers[several]
    codes = codes[several]
    class_sizes = class_sizes[several]
    neighbours = np.minimum(n_neighbors, class_sizes - 1)
    nearer = _nearer(numbers, np.nextafter(_nearest_in_class(numbers, codes, neighbours), 0))
    estimate = digamma(len(numbers)) + digamma(neighbours).mean() - digamma(class_sizes).mean() - digamma(nearer).mean()
    return max(float(estimate), 0.0)


def _nearest_in_class(numbers: np.ndarray, codes: np.ndarray, neighbours: np.ndarray) -> np.ndarray:
    """Distance (n,) of each number to the k-th nearest other one of its class, k = neighbours (n,).

    In sorted values the k nearest ones and the value itself are k + 1 in a row: of all such windows it is the one whose
    farther end is the nearest.
    """
    order = np.lexsort((numbers, codes))
    values, k = numbers[order], neighbours[order]
    _, starts, sizes = np.unique(codes[order], return_index=True, return_counts=True)
    first, end = np.repeat(starts, sizes), np.repeat(starts + sizes, sizes)
    position = np.arange(len(values))
    nearest = np.full(len(values), np.inf)
    for before in range(int(k.max()) + 1):  # values of the window that are smaller
        low, high = position - before, position - before + k
        inside = np.flatnonzero((before <= k) & (low >= first) & (high < end))
        value = values[inside]
        farther = np.maximum(value - values[low[inside]], values[high[inside]] - value)
        nearest[inside] = np.minimum(nearest[inside], farther)
    out = np.empty_like(nearest)
    out[order] = nearest
    return out


def _nearer(numbers: np.ndarray, radius: np.ndarray) -> np.ndarray:
    """Number (n,) of values whose distance is at most the radius (n,) of each number, itself among them."""
    values = np.sort(numbers)
    n = len(values)
    padded = np.concatenate([[-np.inf], values, [np.inf]])  # value i has place i + 1
    low = np.searchsorted(values, numbers - radius)
    high = np.searchsorted(values, numbers + radius, "right")
    # A sum or difference is rounded: distances decide at the ends
    while (outside := (low < n) & (numbers - padded[low + 1] > radius)).any():
        low += outside
    while (inside := numbers - padded[low] <= radius).any():
        low -= inside
    while (outside := padded[high] - numbers > radius).any():
        high -= outside
    while (inside := padded[high + 1] - numbers <= radius).any():
        high += inside
    return np.asarray(high - low)


def _filled(column: np.ndarray | sparse.csc_array, nominal: bool) -> np.ndarray:
    """(n,) values of a feature: missing ones are the mean or the most frequent one, and none is beyond 1 if they are
    numbers."""
    whole = (cast("sparse.csc_array", column).toarray() if sparse.issparse(column) else column).ravel()
    if nominal:
        return np.where(np.isnan(whole), mode(whole), whole)
    if np.isinf(whole).any():
        raise ValueError("X has infinite or far too large values")
    whole = scaled(whole)[0]
    known = whole[~np.isnan(whole)]
    return np.where(np.isnan(whole), known.mean() if len(known) else 0.0, whole)


class RandomForest(SupervisedFilter):
    """Importance in a random forest."""

    name = "randomforest"
    title = "Random Forest"
    about = "impurity in trees"
    idea = "Scores how much the tests of a feature reduce the impurity in the trees of a random forest"
    citation = "Breiman 2001, Machine Learning 45:5-32"
    traits = Traits(
        interactions=False,
        redundancy=False,
        sparse=True,
        nominal=INDICATORS,
        missing=FILLED,
        complexity="T f n log^2 n",
        stays_local="scikit-learn does its work",
    )
    weighted_tasks = SupervisedFilter.tasks
    own = (
        Parameter("n_trees", "Trees", INTEGER, 100, low=1, high=100_000,
                  tooltip="Number of trees. Integer, at least 1. More trees make the ranking more stable"),
        Tries("max_features", "Features tried", ROWS, "sqrt", choices=("sqrt", "log2"), none="all",
              tooltip="Features tried in every node: the square root or logarithm of their number, a number, a share "
                      "from 0 to 1, or all. A nominal feature counts once for each of its values"),
        *LEAVES,
        Parameter("bootstrap", "Bootstrap", SWITCH, True, more=True,
                  tooltip="Grow each tree on rows drawn with replacement. Off: on all rows"),
    )  # fmt: skip

    def cost(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> float:
        n, p = shape
        return float(STEP * parameters["n_trees"] * n * math.log2(n + 1) * math.sqrt(p))

    def encoded(self, data: MethodInput[None]) -> tuple[sparse.csc_array, np.ndarray]:
        """Matrix of numbers and indicators (n, q), and owners (q,) of its columns."""
        return indicators(data.table, data.work)

    def scores(self, data: MethodInput[None], X: Any, known: np.ndarray, values: np.ndarray, coded: bool) -> np.ndarray:
        from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

        (matrix, owners) = X
        given = data.parameters
        work = data.work
        tried, n_trees = given["max_features"], given["n_trees"]
        forest = (RandomForestClassifier if coded else RandomForestRegressor)(
            n_estimators=1,
            max_features=min(tried, matrix.shape[1]) if isinstance(tried, int) else tried,
            min_samples_leaf=given["min_leaf"],
            max_depth=given["max_depth"],
            bootstrap=given["bootstrap"],
            n_jobs=work.workers,
            random_state=data.random_state % SEEDS,
            warm_start=True,
        )
        rows = matrix if len(known) == matrix.shape[0] else matrix[known]
        weights = None if data.weights is None else data.weights[known]
        step = TREES_AT_ONCE * work.workers
        work.plan(n_trees)
        for done in range(0, n_trees, step):
            forest.n_estimators = min(done + step, n_trees)
            work.aside(forest.fit, rows, values, weights)
            work.tick(step)
        return np.bincount(owners, forest.feature_importances_, data.table.shape[1])

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        return [counted(parameters["n_trees"], "tree")]


def indicators(table: DataTable, work: Work) -> tuple[sparse.csc_array, np.ndarray]:
    """CSC (n, q) in single precision, and owners (q,) of its columns: numbers as they are encoded everywhere, then
    columns of 0 and 1 for the values of nominal features.

    The column of the value 0 says where it is not 0: for a tree that is the same, and leaves sparse data sparse.  Dense
    data go the same way, so that both give the same trees, for a quarter more time.
    """
    numeric, nominal = np.flatnonzero(~table.nominal), np.flatnonzero(table.nominal)
    parts, owners = [], [numeric]
    if len(numeric):
        parts.append(_by_column(matrix(table.columns(numeric) if len(nominal) else table, work=work), work))
    if len(nominal):
        coded = table.columns(nominal)
        if not table.is_sparse:
            coded = DataTable(csr(sparse.csr_array(coded.values), "X"), coded.nominal)
        points, own, _ = sparse_points(coded, np.arange(table.shape[0]))
        parts.append(_by_column(points, work))
        owners.append(nominal[own])
    joined = parts[0] if len(parts) == 1 else sparse.csc_array(sparse.hstack(parts, format="csc"))
    joined.indices = joined.indices.astype(np.int32, copy=False)
    joined.indptr = joined.indptr.astype(np.int32, copy=False)
    return joined, np.concatenate(owners)


def _by_column(X: np.ndarray | sparse.csr_array, work: Work) -> sparse.csc_array:
    """CSC in single precision, without stored zeros."""
    if sparse.issparse(X):
        out = sparse.csc_array(X, dtype=np.float32)
        out.eliminate_zeros()
        out.sort_indices()
        return out
    blocks = spans(X.shape[1], X.shape[0], BLOCK_CELLS // 8)
    counts = np.concatenate([np.count_nonzero(X[:, block].astype(np.float32), axis=0) for block in blocks])
    starts = np.concatenate([[0], np.cumsum(counts)])
    data, rows = np.empty(starts[-1], np.float32), np.empty(starts[-1], np.int32)
    for block in blocks:
        work.tick()
        some = X[:, block].T.astype(np.float32)
        stored = np.nonzero(some)
        here = slice(starts[block.start], starts[block.stop])
        data[here], rows[here] = some[stored], stored[1]
    return sparse.csc_array((data, rows, starts.astype(np.int32)), shape=X.shape)


SUPERVISED_FILTERS: tuple[Method[Any], ...] = (MutualInformation(), RandomForest())
