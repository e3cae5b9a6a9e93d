"""Rankings by methods that are not of this family: F-score, random forest, mRMR, JMI, mutual information."""

from collections.abc import Callable

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.feature_selection import mutual_info_classif, mutual_info_regression

from orangecontrib.reliefe.core.evaluation import references

BINS, GREEDY, TREES = 5, 128, 500
CLASSES, NUMBERS, LABELS = "classes", "numbers", "labels"
TASKS = {CLASSES: "classification", NUMBERS: "regression", LABELS: "multi-label"}

Rival = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]  # X, y, mask of nominal features -> scores (p,)


def rivals(kind: str) -> dict[str, Rival]:
    """Rankers of a kind of target by name: (X, y, nominal) -> scores (p,)."""
    own: dict[str, Rival] = {"F": lambda X, y, nominal: f_score(X, y, nominal, kind), "RF": forest}
    if kind == CLASSES:
        return {**own, "mRMR": greedy_scores, "JMI": lambda X, y, nominal: greedy_scores(X, y, nominal, joint=True)}
    return {**own, "mRMR": correlation_scores, "MI": information_scores}


def f_score(X: np.ndarray, y: np.ndarray, nominal: np.ndarray, kind: str) -> np.ndarray:
    """F-scores (p,), means over several targets."""
    task = TASKS[CLASSES if kind == LABELS else kind]
    scorer = references(task, nominal=nominal)["f-score"]
    columns = y.reshape(len(y), -1).T
    return np.mean([np.ravel(scorer(X, column)) for column in columns if np.ptp(column) > 0], axis=0)


def forest(X: np.ndarray, y: np.ndarray, nominal: np.ndarray) -> np.ndarray:
    """Importances (p,) in a random forest, of all targets together."""
    kind = RandomForestClassifier if np.issubdtype(y.dtype, np.integer) else RandomForestRegressor
    tries = {} if kind is RandomForestClassifier else {"max_features": 1 / 3}
    return kind(TREES, random_state=0, n_jobs=1, **tries).fit(X, y).feature_importances_


def information_scores(X: np.ndarray, y: np.ndarray, nominal: np.ndarray) -> np.ndarray:
    """Mutual information (p,) by nearest neighbours (Kraskov; Ross), mean over the targets."""
    scorer = mutual_info_classif if np.issubdtype(y.dtype, np.integer) else mutual_info_regression
    columns = y.reshape(len(y), -1).T
    return np.mean([scorer(X, c, discrete_features=nominal, random_state=0) for c in columns if np.ptp(c) > 0], axis=0)


def correlation_scores(X: np.ndarray, y: np.ndarray, nominal: np.ndarray) -> np.ndarray:
    """mRMR for numbers: absolute correlation with the target (mean over several) less the mean one with those taken."""
    (n, p), (A, Y) = X.shape, (standardised(x.reshape(len(x), -1).astype(float)) for x in (X, y))
    relevance = np.abs(A.T @ Y / n).mean(axis=1)
    order, sums = [int(relevance.argmax())], np.zeros(p)
    while len(order) < min(p, GREEDY):
        sums += np.abs(A.T @ A[:, order[-1]] / n)
        value = relevance - sums / len(order)
        value[order] = -np.inf
        order.append(int(value.argmax()))
    return falling(order, p)


def standardised(columns: np.ndarray) -> np.ndarray:
    """Columns of mean 0 and deviation 1; constant ones are 0."""
    deviation = columns.std(axis=0)
    return (columns - columns.mean(axis=0)) / np.where(deviation > 0, deviation, np.inf)


def greedy_scores(X: np.ndarray, y: np.ndarray, nominal: np.ndarray, joint: bool = False) -> np.ndarray:
    """Scores (p,) of mRMR or, joint, JMI on bins of equal frequency."""
    return falling(greedy(binned(X, nominal), y, joint), X.shape[1])


def falling(order: list[int] | np.ndarray, p: int) -> np.ndarray:
    """Scores (p,) that fall from 1 to .5 in an order, 0 for the others."""
    scores = np.zeros(p)
    scores[np.asarray(order)] = np.linspace(1, 0.5, len(order))
    return scores


def binned(X: np.ndarray, nominal: np.ndarray) -> np.ndarray:
    """Codes (n, p) from 0 below BINS: bins of equal frequency, of nominal features the most frequent values."""
    out = np.empty(X.shape, np.int64)
    for f, x in enumerate(X.T):
        if nominal[f] or len(np.unique(x)) <= BINS:
            _, codes, counts = np.unique(x, return_inverse=True, return_counts=True)
            out[:, f] = np.minimum(np.argsort(np.argsort(-counts, kind="stable"))[codes], BINS - 1)
        else:
            out[:, f] = np.searchsorted(np.quantile(x, np.arange(1, BINS) / BINS), x)
    return out


def greedy(codes: np.ndarray, y: np.ndarray, joint: bool) -> np.ndarray:
    """mRMR (Peng et al. 2005): relevance less mean information on those taken; joint: JMI (Yang and Moody 1999), the
    sum of what a feature and each of those taken tell together of y."""
    n, p = codes.shape
    cells = (codes[:, :, None] == np.arange(BINS)).astype(np.float32).reshape(n, -1)
    classes = np.unique(y, return_inverse=True)[1]
    relevance = information(cells, classes)
    order, sums = [int(relevance.argmax())], np.zeros(p)
    while len(order) < min(p, GREEDY):
        last = codes[:, order[-1]]
        if joint:  # I(f, s; y) = I(f; s, y) - I(f; s) + I(s; y)
            sums += information(cells, last * (classes.max() + 1) + classes) - information(cells, last)
        else:
            sums -= information(cells, last)
        value = sums if joint else relevance + sums / len(order)
        value[order] = -np.inf
        order.append(int(value.argmax()))
        sums[order] = 0
    return np.array(order)


def information(cells: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """(p,) mutual information of each feature, its cells (n, p * BINS), and groups (n,)."""
    n = len(groups)
    rows = (groups == np.unique(groups)[:, None]).astype(np.float32)
    both = (rows @ cells / n).astype(float).reshape(len(rows), -1, BINS)
    alone = both.sum(axis=0) * rows.mean(axis=1, dtype=float)[:, None, None]
    return (both * np.log(np.where(both > 0, both, 1) / np.where(both > 0, alone, 1))).sum(axis=(0, 2))
