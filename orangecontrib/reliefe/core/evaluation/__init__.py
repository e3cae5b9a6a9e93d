"""How good a ranking is: agreement with others, what its best features predict, statistics over data sets, aggregation;
neighbours weighted by it, measures of predictions, folds, reconstruction of all features."""

from .aggregation import (
    AGGREGATIONS,
    Aggregate,
    StableSelection,
    aggregate,
    rank_intervals,
    ranks,
    stability_selection,
)
from .agreement import (
    AGREEMENTS,
    Agreement,
    compare,
    compare_sizes,
    fuji,
    jaccard,
    kendall,
    kuncheva,
    overlap,
    rbo,
    spearman,
    weighted_kendall,
)
from .bayes import Hierarchical, hierarchical_t
from .clusters import clustering_hypothesis
from .curves import Curve, curve_area, quality_curve
from .folds import blocks, folds, labelled
from .measures import MEASURES, Measure, accuracy, auprc, f1, macro_f1, rrmse
from .neighbours import Space, feature_weights, mean, vote, weighted_knn
from .reconstruction import doublings, reconstruction, rmse_1nn
from .references import references
from .stability import Stability, mean_kuncheva, nogueira
from .statistics import (
    Difference,
    Friedman,
    average_ranks,
    cliques,
    corrected_t,
    critical_difference,
    friedman,
    nemenyi,
)

__all__ = [
    "AGGREGATIONS",
    "AGREEMENTS",
    "MEASURES",
    "Aggregate",
    "Agreement",
    "Curve",
    "Difference",
    "Friedman",
    "Hierarchical",
    "Measure",
    "Space",
    "Stability",
    "StableSelection",
    "accuracy",
    "aggregate",
    "auprc",
    "average_ranks",
    "blocks",
    "cliques",
    "clustering_hypothesis",
    "compare",
    "compare_sizes",
    "corrected_t",
    "critical_difference",
    "curve_area",
    "doublings",
    "f1",
    "feature_weights",
    "folds",
    "friedman",
    "fuji",
    "hierarchical_t",
    "jaccard",
    "kendall",
    "kuncheva",
    "labelled",
    "macro_f1",
    "mean",
    "mean_kuncheva",
    "nemenyi",
    "nogueira",
    "overlap",
    "quality_curve",
    "rank_intervals",
    "ranks",
    "rbo",
    "reconstruction",
    "references",
    "rmse_1nn",
    "rrmse",
    "spearman",
    "stability_selection",
    "vote",
    "weighted_kendall",
    "weighted_knn",
]
