"""Agreement of the shapes of curves of quality, by FUJI.

A study of several rankings on one data set calls `compare_curves` with a `quality_curve` of each.
"""

from collections.abc import Sequence

import numpy as np

from ..checks import several
from .compared_rankings import compare
from .curve import QualityCurve


def compare_curves(curves: Sequence[QualityCurve]) -> np.ndarray:
    """Compare every two of m curves of quality by the area under their FUJI curve.

    The s numbers of features are the items of two lists, and the quality that each curve has there is their score. Two
    curves agree if the same numbers of features are the best ones. FUJI does not change where a list is divided by a
    constant, so that relative qualities (rF1) give the same matrix.

    Skrlj et al. (2022), ReliefE, section 5.4 and figures 11 and 12.

    Parameters
    ----------
    curves : sequence of QualityCurve
        Curves of one measure, for which higher is better, at the same numbers of features.

    Returns
    -------
    (m, m) array
        Symmetric, in [0, 1], and 1 on the diagonal.

    Raises
    ------
    ValueError
        For curves of errors, of different measures or numbers of features, and with unknown quality.
    """
    checked = several("curves", curves)
    for curve in checked:
        if not isinstance(curve, QualityCurve):
            raise TypeError(f"curves must be results of quality_curve, not {type(curve).__name__}")
        if not curve.higher_is_better:
            raise ValueError(f"FUJI compares qualities, and {curve.measure} is an error: measure the curves otherwise")
        if curve.measure != checked[0].measure:
            raise ValueError(f"curves must have one measure, not {checked[0].measure} and {curve.measure}")
        if not np.array_equal(curve.sizes, checked[0].sizes):
            raise ValueError("curves must have the same numbers of features: pass the same sizes to quality_curve")
        if not np.isfinite(curve.mean).all():
            raise ValueError("the quality of a curve is unknown: no target of its test rows is known")
    return compare([curve.mean for curve in checked], "fuji")
