"""Measures of predicted labels: micro-averaged F1, and the area under the precision-recall curve."""

import numpy as np

from ..checks import inside, switch
from .number_measures import checked_numbers

MIN_COUNT = 1e-300  # divisor where the count is 0 and the quotient is not used


def micro_f1(truth: object, predicted: object, threshold: float = 0.5) -> float:
    """Compute the F1 of all pairs of a row and a label together, 2 tp / (2 tp + fp + fn); 0 without any label.

    ReliefE, section 4.3, where classes have accuracy, which is equal to their micro-averaged F1.

    Parameters
    ----------
    truth : (n,) or (n, L) array or sparse matrix
        0, 1, or NaN.
    predicted : of the same shape
        Certainties. Labels with more than the threshold are predicted.
    threshold : float
        In (0, 1).
    """
    truth, predicted = checked_numbers(truth, predicted)
    threshold = inside("threshold", threshold)
    is_known = ~np.isnan(truth)
    is_true = truth[is_known] > 0
    is_predicted = predicted[is_known] > threshold
    n_labels = np.count_nonzero(is_true) + np.count_nonzero(is_predicted)  # 2 tp + fp + fn
    return float(2 * np.count_nonzero(is_true & is_predicted) / n_labels) if n_labels else 0.0


def auprc(truth: object, predicted: object, interpolated: bool = False) -> float:
    """Compute the area under the precision-recall curve of all pairs of a row and a label; NaN without a true label.

    Petkovic et al. (2023), Feature ranking for semi-supervised learning, section 6.

    Parameters
    ----------
    truth : (n,) or (n, L) array or sparse matrix
        0, 1, or NaN.
    predicted : of the same shape
        Certainties, larger ones first; equal ones enter the curve together.
    interpolated : bool
        True: interpolate between the points of the curve as Davis and Goadrich (2006). False: take the precision of the
        next point (average precision).
    """
    truth, predicted = checked_numbers(truth, predicted)
    interpolated = switch("interpolated", interpolated)
    is_known = ~np.isnan(truth)
    tp, fp = _points(truth[is_known] > 0, predicted[is_known])
    if not len(tp) or tp[-1] == 0:
        return float("nan")
    if interpolated:
        return _interpolated_area(tp, fp)
    return float((np.diff(tp, prepend=0) * tp / (tp + fp)).sum() / tp[-1])


def _points(true: np.ndarray, predicted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Count true and false positives, as floats, while the threshold falls from one predicted value to the next."""
    if not len(true):
        return np.zeros(0), np.zeros(0)
    # Most labels of most rows have the lowest value: no need to sort these.
    is_above = predicted > predicted.min()
    order = np.argsort(-predicted[is_above])
    values = predicted[is_above][order]
    n_true = np.cumsum(true[is_above][order])
    is_last_of_value = np.r_[values[1:] != values[:-1], np.ones(min(len(values), 1), bool)]
    ends = np.flatnonzero(is_last_of_value)
    tp = np.r_[n_true[ends], np.count_nonzero(true)]
    n_positive = np.r_[ends + 1, len(true)]
    return tp.astype(float), (n_positive - tp).astype(float)


def _interpolated_area(tp: np.ndarray, fp: np.ndarray) -> float:
    """Sum trapezoids over each single true positive; false positives grow linearly between two points of the curve."""
    steps = np.diff(tp, prepend=0).astype(int)
    slope = np.repeat(np.diff(fp, prepend=0) / np.maximum(steps, 1), steps)
    tp_before = np.repeat(np.r_[0, tp[:-1]], steps)
    fp_before = np.repeat(np.r_[0, fp[:-1]], steps)
    x = np.arange(int(tp[-1])) - tp_before  # true positives since the last point
    left = _precision(tp_before + x, fp_before + slope * x, slope)
    right = _precision(tp_before + x + 1, fp_before + slope * (x + 1), slope)
    return float(((left + right) / 2).mean())


def _precision(tp: np.ndarray, fp: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """Compute tp / (tp + fp), and its limit 1 / (1 + slope) at the beginning, where both are 0."""
    return np.where(tp + fp > 0, tp / np.maximum(tp + fp, MIN_COUNT), 1 / (1 + slope))
