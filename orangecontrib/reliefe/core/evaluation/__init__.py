"""How good a ranking is: neighbours weighted by it, measures of predictions, folds, reconstruction of all features."""

from .folds import blocks, folds, labelled
from .measures import MEASURES, Measure, accuracy, auprc, f1, macro_f1, rrmse
from .neighbours import Space, feature_weights, mean, vote, weighted_knn
from .reconstruction import doublings, reconstruction, rmse_1nn

__all__ = [
    "MEASURES",
    "Measure",
    "Space",
    "accuracy",
    "auprc",
    "blocks",
    "doublings",
    "f1",
    "feature_weights",
    "folds",
    "labelled",
    "macro_f1",
    "mean",
    "reconstruction",
    "rmse_1nn",
    "rrmse",
    "vote",
    "weighted_knn",
]
