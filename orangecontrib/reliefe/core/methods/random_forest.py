"""Importance of each feature in a random forest of scikit-learn.

`filters` lists the method for the registry. Trees take a matrix of numbers and indicators; the importance of a nominal
feature is the sum over its indicators.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from ..data.indices import csr
from ..data.table import DataTable
from ..info import Info
from ..points.encoding import matrix
from ..points.points import BLOCK_CELLS, spans
from ..points.sparse_encoding import sparse_points
from ..words import counted
from ..work.threads import Work
from .base import MethodInput
from .parameter_table import LEAVES, Tries
from .parameters import INTEGER, ROWS, SWITCH, Parameter
from .supervised_filters import COST, N_SEEDS, FilterTarget, SupervisedFilter
from .traits import FILLED, INDICATORS, Traits

TREES_AT_ONCE = 5  # of each thread, between two checks for interruption; chosen by eye


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
    own_parameters = (
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
        return float(COST * parameters["n_trees"] * n * math.log2(n + 1) * math.sqrt(p))

    def encoded(self, data: MethodInput[None]) -> "Indicators":
        return indicators(data.table, data.work)

    def scores(self, data: MethodInput[None], X: Any, target: FilterTarget) -> np.ndarray:
        from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

        parameters = data.parameters
        work = data.work
        n_columns = X.matrix.shape[1]
        max_features = parameters["max_features"]
        n_trees = parameters["n_trees"]
        forest = (RandomForestClassifier if target.is_nominal else RandomForestRegressor)(
            n_estimators=1,
            max_features=min(max_features, n_columns) if isinstance(max_features, int) else max_features,
            min_samples_leaf=parameters["min_leaf"],
            max_depth=parameters["max_depth"],
            bootstrap=parameters["bootstrap"],
            n_jobs=work.workers,
            random_state=data.random_state % N_SEEDS,
            warm_start=True,
        )
        has_all_rows = len(target.rows) == X.matrix.shape[0]
        rows = X.matrix if has_all_rows else X.matrix[target.rows]
        weights = None if data.weights is None else data.weights[target.rows]
        # Grow some trees at a time, since scikit-learn cannot be interrupted.
        step = TREES_AT_ONCE * work.workers
        work.plan(n_trees)
        for n_grown in range(0, n_trees, step):
            forest.n_estimators = min(n_grown + step, n_trees)
            work.aside(forest.fit, rows, target.values, weights)
            work.tick(step)
        return np.bincount(X.owners, forest.feature_importances_, data.table.shape[1])

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        return [counted(parameters["n_trees"], "tree")]


class Indicators(NamedTuple):
    """X as numbers and indicators.

    Attributes
    ----------
    matrix : (n, q) CSC array, float32
        Numbers, then a column of 0 and 1 for each value of the nominal features.
    owners : (q,) int array
        Feature that each column is of.
    """

    matrix: sparse.csc_array
    owners: np.ndarray


def indicators(table: DataTable, work: Work) -> Indicators:
    """Encode a table as numbers and indicators.

    The column of the value 0 has 1 where the value is another one: for a tree this is equivalent, and sparse data stay
    sparse. Dense data are encoded in the same way, so that both give the same trees, for a quarter more time.
    """
    numeric = np.flatnonzero(~table.nominal)
    nominal = np.flatnonzero(table.nominal)
    blocks = []
    owners = [numeric]
    if len(numeric):
        numbers = table.columns(numeric) if len(nominal) else table
        blocks.append(_by_column(matrix(numbers, work=work), work))
    if len(nominal):
        categories = table.columns(nominal)
        if not table.is_sparse:
            categories = DataTable(csr(sparse.csr_array(categories.values), "X"), categories.nominal)
        points, owners_of_points, _ = sparse_points(categories, np.arange(table.shape[0]))
        blocks.append(_by_column(points, work))
        owners.append(nominal[owners_of_points])
    joined = blocks[0] if len(blocks) == 1 else sparse.csc_array(sparse.hstack(blocks, format="csc"))
    joined.indices = joined.indices.astype(np.int32, copy=False)
    joined.indptr = joined.indptr.astype(np.int32, copy=False)
    return Indicators(joined, np.concatenate(owners))


def _by_column(X: np.ndarray | sparse.csr_array, work: Work) -> sparse.csc_array:
    """CSC in single precision, without stored zeros; dense X is converted in blocks of columns."""
    if sparse.issparse(X):
        converted = sparse.csc_array(X, dtype=np.float32)
        converted.eliminate_zeros()
        converted.sort_indices()
        return converted
    n, q = X.shape
    blocks = spans(q, n, BLOCK_CELLS // 8)  # an eighth of the usual size, for copies in single precision and indices
    counts = np.concatenate([np.count_nonzero(X[:, block].astype(np.float32), axis=0) for block in blocks])
    pointers = np.concatenate([[0], np.cumsum(counts)])
    values = np.empty(pointers[-1], np.float32)
    rows = np.empty(pointers[-1], np.int32)
    for block in blocks:
        work.tick()
        columns = X[:, block].T.astype(np.float32)
        stored = np.nonzero(columns)
        span = slice(pointers[block.start], pointers[block.stop])
        values[span] = columns[stored]
        rows[span] = stored[1]
    return sparse.csc_array((values, rows, pointers.astype(np.int32)), shape=X.shape)
