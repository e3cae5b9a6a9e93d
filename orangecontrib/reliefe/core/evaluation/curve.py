"""A curve of quality against the number of best features, as `quality_curve` returns it."""

from dataclasses import dataclass

import numpy as np

from .curve_area import curve_area


@dataclass(frozen=True)
class QualityCurve:
    """Quality of the best features of a ranking, for several numbers of them.

    Attributes
    ----------
    sizes : (s,) array
        Numbers of best features.
    values : (folds, s) array
        Quality with these; NaN where no target of a fold is known.
    whole : (folds,) array
        Quality with all features.
    n_rows : (folds,) array
        Number of test rows.
    measure : str
        Name of the measure.
    higher_is_better : bool
        False for errors.
    """

    sizes: np.ndarray
    values: np.ndarray
    whole: np.ndarray
    n_rows: np.ndarray
    measure: str
    higher_is_better: bool

    @property
    def mean(self) -> np.ndarray:
        """Means (s,) over the folds, weighted by their test rows."""
        return _fold_mean(self.values, self.n_rows)

    @property
    def relative(self) -> np.ndarray:
        """Means (s,) divided by that of all features (rF1); NaN if that is 0.  Skrlj et al. (2022), section 5."""
        whole = float(_fold_mean(self.whole[:, None], self.n_rows)[0])
        return self.mean / whole if whole else np.full(len(self.sizes), np.nan)

    @property
    def area(self) -> float:
        """Area under the mean curve, see `curve_area`."""
        return curve_area(self.sizes, self.mean)

    @property
    def relative_area(self) -> float:
        """Area under the relative curve (AUrF1): 1 if any number of features is as good as all of them."""
        return curve_area(self.sizes, self.relative)


def _fold_mean(values: np.ndarray, n_rows: np.ndarray) -> np.ndarray:
    """Average values (folds, s) with the weights n_rows (folds,); unknown ones (NaN) do not count."""
    weights = np.where(np.isnan(values), 0.0, n_rows[:, None])
    total = weights.sum(axis=0)
    return np.where(total > 0, (weights * np.nan_to_num(values)).sum(axis=0) / np.maximum(total, 1), np.nan)
