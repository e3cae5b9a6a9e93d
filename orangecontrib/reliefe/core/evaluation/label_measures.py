"""Measures of predicted labels."""

import numpy as np

from ..checks import switch
from .number_measures import checked_numbers


def auprc(truth: object, predicted: object, interpolated: bool = False) -> float:
    """Area under the one curve of precision and recall of all pairs of a row and a label; NaN without a true label.

    Petkovic et al. (2023), Feature ranking for semi-supervised learning, section 6.

    Parameters
    ----------
    truth : (n,) or (n, L) array or sparse matrix
        0, 1, or NaN.
    predicted : of the same shape
        The surer the larger, equal ones enter together.
    interpolated : bool
        True: interpolate between the points of the curve as Davis and Goadrich (2006). False: take the precision of the
        next point (average precision).
    """
    truth, predicted = checked_numbers(truth, predicted)
    interpolated = switch("interpolated", interpolated)
    known = ~np.isnan(truth)
    tp, fp = _points(truth[known] > 0, predicted[known])
    if not len(tp) or tp[-1] == 0:
        return float("nan")
    return _interpolated(tp, fp) if interpolated else float((np.diff(tp, prepend=0) * tp / (tp + fp)).sum() / tp[-1])


def _points(true: np.ndarray, predicted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """True and false positives (floats) when ever more predictions are believed: all of one value at once."""
    if not len(true):
        return np.zeros(0), np.zeros(0)
    least = predicted.min()
    sure = predicted > least  # most labels of most rows are not expected at all: no need to sort these
    order = np.argsort(-predicted[sure])
    values, hits = predicted[sure][order], np.cumsum(true[sure][order])
    ends = np.flatnonzero(np.r_[values[1:] != values[:-1], np.ones(min(len(values), 1), bool)])
    tp, size = np.r_[hits[ends], np.count_nonzero(true)], np.r_[ends + 1, len(true)]
    return tp.astype(float), (size - tp).astype(float)


def _interpolated(tp: np.ndarray, fp: np.ndarray) -> float:
    """Trapezoids over each single true positive."""
    steps = np.diff(tp, prepend=0).astype(int)
    slope = np.diff(fp, prepend=0) / np.maximum(steps, 1)
    begin = np.repeat(np.r_[0, tp[:-1]], steps), np.repeat(np.r_[0, fp[:-1]], steps)
    slope = np.repeat(slope, steps)
    x = np.arange(int(tp[-1])) - begin[0]  # true positives since the last point
    left, right = (_precision(begin[0] + x + d, begin[1] + slope * (x + d), slope) for d in (0, 1))
    return float(((left + right) / 2).mean())


def _precision(tp: np.ndarray, fp: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """tp / (tp + fp); at the beginning, where both are 0, its limit."""
    return np.where(tp + fp > 0, tp / np.maximum(tp + fp, 1e-300), 1 / (1 + slope))
