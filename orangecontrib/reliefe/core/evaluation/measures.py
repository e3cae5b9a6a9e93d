"""Measures of the agreement of predictions with the truth."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ..checks import switch
from ..data.arrays import cells, floats, groups_of, unknown
from ..data.indices import csr
from ..targets.targets import scaled
from ..words import shown


def accuracy(truth: object, predicted: object) -> float:
    """Share of the rows whose class is predicted.

    Parameters: those of `f1`.
    """
    truth, predicted = _classes(truth, predicted)
    return float((truth == predicted).mean())


def f1(truth: object, predicted: object, positive: object = None) -> float:
    """F1 of one class: 2 tp / (2 tp + fp + fn), 0 for 0 / 0; with more than two classes, and none given, `macro_f1`.

    Petkovic et al. (2023), Feature ranking for semi-supervised learning, section 6.

    Parameters
    ----------
    truth, predicted : (n,) arrays
        Classes, any values that can be sorted.
    positive : object, optional
        The class that counts; None: the one that is rarer in truth, the last of equally rare ones.  Folds should all be
        given the same one.
    """
    truth, predicted = _classes(truth, predicted)
    if np.ndim(cells(positive, "positive")):
        raise TypeError(f"positive must be one class, not {shown(positive)}")
    if positive is not None and unknown(np.array([positive], object)).any():
        raise ValueError("positive must be a known class")
    if positive is None:
        values, codes = np.unique(np.concatenate([truth, predicted]), return_inverse=True)
        if len(values) > 2:
            return macro_f1(truth, predicted)
        counts = np.bincount(codes.ravel()[: len(truth)], minlength=len(values))
        positive = values[len(values) - 1 - counts[::-1].argmin()]
    true, found = truth == positive, predicted == positive
    both, each = np.count_nonzero(true & found), np.count_nonzero(true) + np.count_nonzero(found)
    return 2 * both / each if each else 0.0


def macro_f1(truth: object, predicted: object) -> float:
    """Mean of F1 over the classes that occur in truth or among the predictions.

    Parameters: those of `f1`.
    """
    truth, predicted = _classes(truth, predicted)
    values, codes = np.unique(np.concatenate([truth, predicted]), return_inverse=True)
    a, b = codes.ravel()[: len(truth)], codes.ravel()[len(truth) :]
    both = np.bincount(a[a == b], minlength=len(values))
    return float((2 * both / np.bincount(codes.ravel())).mean())


def concordance(time: object, event: object, risk: object) -> float:
    """Share of pairs in which the row with the higher risk has its event first; equal risks count half.

    Pairs count if the order of their times is known.  0.5 is chance, or without a pair that counts.
    Harrell et al. (1982), J. Am. Med. Assoc. 247:2543.

    Parameters
    ----------
    time, event : (n,) arrays
        Times, and whether there was an event or the time is censored.
    risk : (n,) array
        Predicted risks, higher for earlier events.
    """
    given = floats(time, "time"), floats(event, "event"), floats(risk, "risk")
    if given[0].ndim != 1 or len({values.shape for values in given}) > 1 or any(np.isnan(v).any() for v in given):
        raise ValueError("time, event and risk must have one known value for each row")
    if not np.isin(given[1], (0, 1)).all():
        raise ValueError("event must be True or 1, or False or 0")
    T, D, R = given
    right, pairs = 0.0, 0
    for i in np.flatnonzero(D):
        later = (T[i] < T) | ((T[i] == T) & (D == 0))
        right += (R[later] < R[i]).sum() + (R[later] == R[i]).sum() / 2
        pairs += int(later.sum())
    return float(right / pairs) if pairs else 0.5


def rrmse(truth: object, predicted: object) -> float:
    """Mean over the targets of the root of (mean squared error / variance of the truth): 1 for predicting the mean.

    truth, predicted: (n,) or (n, t) numbers; where truth is NaN it does not count.
    Targets without variance are left out; NaN if none is left.
    Petkovic et al. (2023), Feature ranking for semi-supervised learning, section 6.
    """
    truth, predicted = _numbers(truth, predicted)
    roots = []
    for y, found in zip(_columns(truth), _columns(predicted), strict=True):
        known = ~np.isnan(y)
        power = -max(scaled(y)[1], 0)  # squares of large numbers would overflow
        y = np.ldexp(y, power)
        variance = y[known].var() if known.any() and np.ptp(y[known]) > 0 else 0.0
        if variance > 0:  # that of denormal numbers is 0
            with np.errstate(over="ignore"):  # infinite where predictions are too far off
                roots.append(np.sqrt(((np.ldexp(found, power) - y)[known] ** 2).mean() / variance))
    return float(np.mean(roots)) if roots else float("nan")


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
    truth, predicted = _numbers(truth, predicted)
    interpolated = switch("interpolated", interpolated)
    known = ~np.isnan(truth)
    tp, fp = _points(truth[known] > 0, predicted[known])
    if not len(tp) or tp[-1] == 0:
        return float("nan")
    return _interpolated(tp, fp) if interpolated else float((np.diff(tp, prepend=0) * tp / (tp + fp)).sum() / tp[-1])


@dataclass(frozen=True)
class Measure:
    """Measure of predictions: ``function(truth, predicted)`` -> float."""

    function: Callable[..., float]
    higher_is_better: bool


MEASURES = {
    "accuracy": Measure(accuracy, True),
    "f1": Measure(f1, True),
    "macro_f1": Measure(macro_f1, True),
    "rrmse": Measure(rrmse, False),
    "auprc": Measure(auprc, True),
    "concordance": Measure(lambda truth, risk: concordance(truth[:, 0], truth[:, 1], risk), True),
}


def _classes(truth: object, predicted: object) -> tuple[np.ndarray, np.ndarray]:
    truth, predicted = cells(truth, "truth"), cells(predicted, "predicted")
    if truth.ndim != 1 or truth.shape != predicted.shape or not len(truth):
        raise ValueError(f"truth and predicted must be (n,), n > 0, not {truth.shape} and {predicted.shape}")
    for name, values in (("truth", truth), ("predicted", predicted)):
        if values.dtype.kind in "fO" and unknown(values).any():
            raise ValueError(f"{name} has unknown values")
    kinds = {truth.dtype.kind, predicted.dtype.kind}
    if len(kinds) == 2 and kinds & set("mM"):
        raise ValueError(f"truth and predicted must be of one kind, not {truth.dtype} and {predicted.dtype}")
    groups_of(np.concatenate([truth, predicted]), 2 * len(truth), "classes")
    return truth, predicted


def _numbers(truth: object, predicted: object) -> tuple[np.ndarray, np.ndarray]:
    truth, predicted = _filled(truth, "truth"), _filled(predicted, "predicted")
    if truth.ndim not in (1, 2) or truth.shape != predicted.shape:
        raise ValueError(f"truth and predicted must be both (n,) or (n, t), not {truth.shape} and {predicted.shape}")
    if not np.isfinite(predicted).all():
        raise ValueError("predicted has values that are no finite numbers")
    return truth, predicted


def _filled(values: object, name: str) -> np.ndarray:
    return csr(values, name).toarray() if sparse.issparse(values) else floats(values, name)


def _columns(values: np.ndarray) -> np.ndarray:
    return values.T if values.ndim == 2 else values[None]


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
