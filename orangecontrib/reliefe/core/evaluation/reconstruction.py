"""How well a few features stand for all of them: the nearest row by these predicts every feature."""

from collections.abc import Callable, Sequence

import numpy as np

from .folds import Fold, blocks

N_FEATURES = 16  # of the published comparison


def rmse_1nn(
    X: object,
    order: Callable[[np.ndarray], np.ndarray],
    sizes: Sequence[int] = (N_FEATURES,),
    parts: Sequence[Fold] | None = None,
    last: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """(folds, len(sizes)) errors of reconstruction by the best features of a ranking: as they are, and scale-free.

    X (n, p): complete numbers.  order: training rows (m, p) -> indices of features, best first.  sizes: numbers of
    features, cut to p.  parts: folds; None: the ten of `blocks`.  last: of equally near rows the last one predicts
    instead of the first.  The published tables have the mean over the folds of the first array, and call it MSE.
    Raises ValueError for missing or infinite values and for sizes below 1.

    Petkovic et al. (2021), Ensemble- and distance-based feature ranking for unsupervised learning, section 5.2.
    """
    X = np.asarray(X, float)
    if X.ndim != 2 or not np.isfinite(X).all():
        raise ValueError(f"X must be (rows, features) of finite numbers without missing ones; its shape is {X.shape}")
    if not len(sizes) or min(sizes) < 1:
        raise ValueError(f"sizes must be at least 1, not {list(sizes)}")
    parts = blocks(len(X)) if parts is None else parts
    found = np.empty((2, len(parts), len(sizes)))
    for f, (train, test) in enumerate(parts):
        features = np.asarray(order(X[train]))
        for s, size in enumerate(sizes):
            found[:, f, s] = reconstruction(X[train], X[test], features[:size], last)
    return found[0], found[1]


def reconstruction(
    train: np.ndarray, test: np.ndarray, features: np.ndarray, last: bool = False
) -> tuple[float, float]:
    """Mean over all features of the root mean squared error, when each test row (l, p) is predicted by the training row
    (m, p) nearest to it, Euclidean, in the given features; and the same with every feature divided by its standard
    deviation among the training rows, without those that have none (NaN if all do)."""
    from scipy.spatial.distance import cdist

    d = cdist(test[:, features], train[:, features], "sqeuclidean")
    near = len(train) - 1 - d[:, ::-1].argmin(axis=1) if last else d.argmin(axis=1)
    return errors(train, test, train[near])


def errors(train: np.ndarray, test: np.ndarray, predicted: np.ndarray) -> tuple[float, float]:
    """The two errors of `reconstruction` for any predictions (l, p) of the test rows (l, p)."""
    roots = np.sqrt(((test - predicted) ** 2).mean(axis=0))
    deviations = train.std(axis=0)
    varied = np.ptp(train, axis=0) > 0
    scaled = (roots[varied] / deviations[varied]).mean() if varied.any() else np.nan
    return float(roots.mean()), float(scaled)


def doublings(p: int) -> list[int]:
    """1, 2, 4, ... up to p, and p: numbers of features at which curves of errors are drawn."""
    return sorted({*(2**j for j in range(p.bit_length())), p})
