"""Agreement of clusters of the rows with the target.

Where similar rows do not have similar targets, unlabelled rows cannot help a semi-supervised ranking.
"""

from typing import cast

import numpy as np
from scipy import sparse

from ..checks import one_of, whole
from ..data.arrays import floats
from ..data.table import DataTable
from ..targets.tasks import CLASSIFICATION, TASKS, UNSUPERVISED
from ..words import shown
from .predictors import Predictor, encoded

MAX_RUNS = 10**6  # runs of k-means: more are a mistake
N_CLUSTERS = 8  # clusters if there are no classes (Petkovic et al. 2023)


def clustering_hypothesis(
    X: object,
    y: object,
    task: str = CLASSIFICATION,
    nominal: object = None,
    weights: object = None,
    n_runs: int = 5,
    random_state: int = 0,
) -> float:
    """Measure the agreement of clusters of the rows with the target: about 0 for none, 1 for complete agreement.

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
    n_runs = whole("n_runs", n_runs, 1, MAX_RUNS)
    random_state = whole("random_state", random_state, 0)
    table = DataTable.read(X, nominal)
    predictor = Predictor.read(y, task, table.shape[0], None)
    points, _ = encoded(table)
    rows = np.flatnonzero(predictor.complete)
    # Distances do not depend on the means; so sparse columns stay sparse.
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
    agreements = []
    for seed in np.random.SeedSequence(random_state).generate_state(n_runs):
        seed = int(seed) % 2**31
        clusters = KMeans(min(k, points.shape[0]), n_init=1, random_state=seed).fit_predict(points)[rows]
        if task == CLASSIFICATION:
            agreements.append(float(adjusted_rand_score(truth[:, 0], clusters)))
        else:
            agreements.append(explained(truth, clusters, weights))
    return max(agreements)


def explained(values: np.ndarray, clusters: np.ndarray, weights: np.ndarray) -> float:
    """Compute the share of the variance of values (n, t) that lies between clusters (n,).

    It is the mean over the columns that vary, with weights (t,); NaN if none varies.
    """
    is_varied = (np.ptp(values, axis=0) > 0) & (weights > 0)
    if not is_varied.any():
        return float("nan")
    values = values[:, is_varied]
    weights = weights[is_varied]
    within = np.zeros(len(weights))
    for cluster in np.unique(clusters):
        members = values[clusters == cluster]
        within += ((members - members.mean(axis=0)) ** 2).sum(axis=0)
    shares = 1 - within / ((values - values.mean(axis=0)) ** 2).sum(axis=0)
    return float(shares @ weights / weights.sum())
