"""Agreement of clusters of the rows with the target."""

from typing import cast

import numpy as np
from scipy import sparse

from ..checks import one_of, whole
from ..data.arrays import floats
from ..data.table import DataTable
from ..targets.targets import (
    CLASSIFICATION,
    TASKS,
    UNSUPERVISED,
)
from ..words import shown
from .predictors import Predictor, encoded

MAX_RUNS = 10**6  # runs
N_CLUSTERS = 8  # unless there are classes


def clustering_hypothesis(
    X: object,
    y: object,
    task: str = CLASSIFICATION,
    nominal: object = None,
    weights: object = None,
    n_runs: int = 5,
    random_state: int = 0,
) -> float:
    """Agreement of clusters of the rows with the target: about 0 not at all, 1 completely.

    For classes it is the adjusted Rand index of as many clusters as classes, which can be slightly negative. For
    numbers it is the share of variance that 8 clusters explain, the mean over several targets.  Features are
    standardized, values of nominal ones are columns.  It is NaN where no row has a target.
    Petkovic et al. (2023), Feature ranking for semi-supervised learning, section 7.

    Parameters
    ----------
    X, y, task, nominal
        As in `quality_curve`; rows with a gap in the target are clustered, but do not count.
    weights : (t,) array, optional
        Of several targets, 0 or more; None: equal.
    n_runs : int
        Number of runs of k-means, at least 1; the best run counts.
    """
    from sklearn.cluster import KMeans
    from sklearn.metrics import adjusted_rand_score
    from sklearn.preprocessing import StandardScaler

    if one_of("task", task, TASKS) == UNSUPERVISED:
        raise ValueError("there must be a target")
    n_runs, random_state = whole("n_runs", n_runs, 1, MAX_RUNS), whole("random_state", random_state, 0)
    table = DataTable.read(X, nominal)
    predictor = Predictor.read(y, task, table.shape[0], None)
    points, rows = encoded(table)[0], np.flatnonzero(predictor.complete)
    # k-means does not mind means, and sparse columns stay sparse.
    points = StandardScaler(with_mean=not sparse.issparse(points)).fit_transform(points)
    truth = cast("np.ndarray", predictor.truth)[rows].reshape(len(rows), -1)
    weights = np.ones(truth.shape[1]) if weights is None else floats(weights, "weights")
    if weights.shape != truth.shape[1:] or not np.isfinite(weights).all() or (weights < 0).any():
        raise ValueError(
            f"weights must be one number from 0 for each of {truth.shape[1]} targets, not {shown(weights)}"
        )
    if not len(rows):
        return float("nan")
    k = len(np.unique(truth)) if task == CLASSIFICATION else N_CLUSTERS
    found = []
    for seed in np.random.SeedSequence(random_state).generate_state(n_runs):
        seed = int(seed) % 2**31
        clusters = KMeans(min(k, points.shape[0]), n_init=1, random_state=seed).fit_predict(points)[rows]
        if task == CLASSIFICATION:
            found.append(float(adjusted_rand_score(truth[:, 0], clusters)))
        else:
            found.append(explained(truth, clusters, weights))
    return max(found)


def explained(values: np.ndarray, clusters: np.ndarray, weights: np.ndarray) -> float:
    """Share of the variance of the values (n, t) that lies between clusters (n,): mean by the weights (t,) over the
    columns that have any; NaN if none has."""
    varied = (np.ptp(values, axis=0) > 0) & (weights > 0)
    if not varied.any():
        return float("nan")
    values, weights = values[:, varied], weights[varied]
    rest = np.zeros(len(weights))
    for cluster in np.unique(clusters):
        own = values[clusters == cluster]
        rest += ((own - own.mean(axis=0)) ** 2).sum(axis=0)
    shares = 1 - rest / ((values - values.mean(axis=0)) ** 2).sum(axis=0)
    return float(shares @ weights / weights.sum())
