"""Choice of the neighbours and the influence of SSL-Relief, by inner cross-validation.

`SSLRelief.prepare` calls `tune_neighbours` with a grid of settings. The quality of a setting is that of predictions for
labelled rows that were left out: their nearest labelled rows vote, in a space whose features are weighed by the scores.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np

from ..data.table import DataTable
from ..evaluation import RowSpace
from ..targets.targets import Target
from ..work.threads import Work
from .inner_validation import Tried, cross_validated, predicted_by_neighbours, quality

N_VOTERS = 20  # neighbours that predict a row, as in the paper
MAX_ROWS = 2048  # target rows, training rows and test rows, above which a sample of them is taken; chosen by eye
# Shares of the progress of a fold, chosen by eye
ALL_ROWS_SHARE = 0.35
LABELLED_ROWS_SHARE = 0.05


@dataclass(frozen=True)
class NeighbourSetting:
    """Parameters of SSL-Relief.

    Attributes
    ----------
    k : int
        Number of neighbours.
    w0, w1 : float
        Influence of the unlabelled row farthest from labelled ones, and of the nearest.
    labelled_only : bool
        Whether the labelled rows are ranked without the others, for comparison.
    """

    k: int
    w0: float
    w1: float
    labelled_only: bool = False


@dataclass(frozen=True)
class Tuned:
    """Setting chosen for SSL-Relief.

    Attributes
    ----------
    setting : NeighbourSetting
        The setting.
    tuning : tuple of (NeighbourSetting, float)
        Settings of all rows that were tried, with their mean quality.
    distances : (n,) float64 array
        Distance of each row to the nearest labelled one.
    too_few : bool
        Whether there were too few labelled rows to choose a setting.
    labelled_only_quality : float or None
        Quality by the labelled rows without the others, if they predict about as well.
    """

    setting: NeighbourSetting
    tuning: Tried[NeighbourSetting]
    distances: np.ndarray
    too_few: bool
    labelled_only_quality: float | None


def tune_neighbours(
    table: DataTable,
    target: Target,
    settings: Sequence[NeighbourSetting],
    start: Callable[[np.ndarray, Target, np.ndarray, int], Callable[[NeighbourSetting], np.ndarray]],
    random_state: int,
    work: Work,
    groups: np.ndarray | None,
) -> tuple[tuple[NeighbourSetting, np.ndarray], ...]:
    """Measure how well settings predict.

    Parameters
    ----------
    table : DataTable
        Table of n rows.
    target : Target
        Target of the n rows.
    settings : sequence of NeighbourSetting
        Settings to try, those of the labelled rows only at the end.
    start : callable
        Called with indices of rows, their target, a mask of target rows among them and a number of neighbours, which it
        looks up. Returns a function from settings with at most so many neighbours to scores (p,).
    random_state : int
        Seed of folds and samples.
    work : Work
        Threads and progress.
    groups : (n,) array or None
        Codes of groups, whose rows are in one fold.

    Returns
    -------
    tuple of (Setting, (folds,) float64 array)
        Settings with their qualities, without those by which all features have the same score, unless this holds for
        all settings that use all rows.
    """
    rng = np.random.default_rng(random_state)
    n = table.shape[0]
    k = max(setting.k for setting in settings)
    separates_features = np.ones(len(settings), bool)

    def qualities(train: np.ndarray, test: np.ndarray) -> np.ndarray:
        # Search for neighbours among all rows but the test rows, and among the labelled ones of these.
        rows = np.setdiff1d(np.arange(n), test)
        is_target_row = np.zeros(len(rows), bool)
        is_target_row[rng.permutation(len(rows))[:MAX_ROWS]] = True
        with work.part(0, ALL_ROWS_SHARE):
            score_all = score_labelled = start(rows, target.take(rows), is_target_row, k)
        train = train[np.sort(rng.permutation(len(train))[:MAX_ROWS])]
        test = test[np.sort(rng.permutation(len(test))[:MAX_ROWS])]
        if settings[-1].labelled_only:
            with work.part(ALL_ROWS_SHARE, ALL_ROWS_SHARE + LABELLED_ROWS_SHARE):
                score_labelled = start(train, target.take(train), np.ones(len(train), bool), k)

        # Predict the test rows from the training rows in the space of each setting.
        space = work.aside(RowSpace.fit, table, None, rows)
        by_setting = np.empty(len(settings))
        with work.part(ALL_ROWS_SHARE + LABELLED_ROWS_SHARE, 1):
            for number in work.split(len(settings)):
                setting = settings[number]
                scores = score_labelled(setting) if setting.labelled_only else score_all(setting)
                separates_features[number] &= np.ptp(scores) > 0
                neighbours = work.aside(space.neighbours, train, test, scores, N_VOTERS)
                predicted = predicted_by_neighbours(target.inner, neighbours)
                by_setting[number] = quality(target.inner.take(test), predicted)
        return by_setting

    by_fold = cross_validated(target, qualities, random_state, work, groups)
    tuning = tuple(zip(settings, by_fold.T, strict=False))
    informative = tuple(compress(tuning, separates_features))
    return tuning if all(setting.labelled_only for setting, _ in informative) else informative
