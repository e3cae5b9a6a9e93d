"""Quality by the best features as more rows are ranked, or more trees are grown."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..checks import function
from ..data.arrays import cells, floats
from ..data.table import DataTable
from ..targets.tasks import CLASSIFICATION
from ..words import shown
from ..work.threads import Work
from .agreement import fuji
from .curve import QualityCurve
from .folds import Fold
from .setting import Setting
from .sizes import doublings

N_FEATURES = 100  # largest number of best features by default; chosen by eye
FEW_FOLDS = 3  # folds of a learning curve by default: each amount is ranked in each fold


@dataclass(frozen=True)
class Convergence:
    """Quality of rankings that are made from more and more.

    Attributes
    ----------
    amounts : (a,) array
        Numbers of rows or trees.
    curves : tuple of QualityCurve
        A `QualityCurve` for each amount, the quality of the rankings made from as many, in the same folds.
    agreement : (a,) array
        Area under the fuzzy Jaccard index with the ranking from the most, mean of the folds; 1 is the same ranking.
    """

    amounts: np.ndarray
    curves: tuple[QualityCurve, ...]
    agreement: np.ndarray

    @property
    def areas(self) -> np.ndarray:
        """Areas (a,) under the relative curves, or under the curves themselves if lower is better."""
        return np.array([curve.relative_area if curve.higher_is_better else curve.area for curve in self.curves])


def convergence(
    ranker: Callable[[int, object, object], object],
    amounts: Sequence[int] | np.ndarray,
    X: object,
    y: object = None,
    task: str = CLASSIFICATION,
    *,
    estimator: object = None,
    measure: str | None = None,
    nominal: object = None,
    sizes: Sequence[int] | None = None,
    parts: Sequence[Fold] | None = None,
    random_state: int = 0,
    progress: Callable[[float], object] | None = None,
) -> Convergence:
    """Measure the quality of rankings that are made from more and more: a curve for each amount.

    Skrlj et al. (2022), ReliefE, section 5.

    Parameters
    ----------
    ranker : callable
        ``ranker(amount, X, y)`` -> scores (p,), higher is better, otherwise as in `quality_curve`.
    amounts : sequence of int
        Ascending, for example `doublings` of the rows.
    sizes : sequence of int, optional
        Numbers of best features; None: 1, 2, 4, ..., 100.
    parts : sequence of (training rows, test rows), optional
        Folds; None: three.
    X, y, task, estimator, measure, nominal, random_state, progress
        As in `quality_curve`.

    Returns
    -------
    Convergence
        A curve for each amount.
    """
    ranker = function("ranker", ranker)
    work = Work(1, progress)
    amounts = cells(amounts, "amounts")
    if amounts.ndim != 1 or not len(amounts) or amounts.dtype.kind not in "iu" or (np.diff(amounts) <= 0).any():
        raise ValueError(f"amounts must be ascending integers, not {shown(amounts.tolist())}")
    table = DataTable.read(X, nominal)
    p = table.shape[1]
    sizes = doublings(min(p, N_FEATURES)) if sizes is None else sizes
    setting = Setting.read(table, y, task, estimator, measure, None, sizes, parts, random_state, FEW_FOLDS)
    work.plan(len(setting.parts) * len(amounts))
    n_folds = len(setting.parts)
    values = np.empty((len(amounts), n_folds, len(setting.sizes)))
    whole = np.empty(n_folds)
    agreement = np.empty((len(amounts), n_folds))
    for f, fold in enumerate(setting.parts):
        trial = setting.trial(fold)
        scores = []
        for a, amount in enumerate(amounts):
            ranking = ranker(int(amount), *setting.training(fold))
            scores.append(floats(getattr(ranking, "scores", ranking), "scores"))
            values[a, f] = trial.values(scores[-1])
            work.tick(1)
        whole[f] = trial.whole
        agreement[:, f] = [fuji(scores_of_amount, scores[-1], doublings(p)) for scores_of_amount in scores]
    work.finish()
    curves = tuple(setting.curve(values_of_amount, whole) for values_of_amount in values)
    return Convergence(amounts, curves, agreement.mean(axis=1))
