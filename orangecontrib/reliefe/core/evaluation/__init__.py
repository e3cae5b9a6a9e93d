"""Evaluation of rankings: agreement with others, predictions by their best features, statistics over data sets,
aggregation; neighbours weighted by them, measures of predictions, folds, reconstruction of all features.

Functions raise ValueError or TypeError for arrays that do not fit each other, and for missing values where all must be
known.  They also raise these for numbers outside the ranges that their docstrings give.

Wherever they occur, `random_state` is a seed, an integer from 0, and `progress` is called with the share that is done.
`n_jobs` is a number of threads; in the context of a cluster (see `rank`) parts of the work go to its workers.
"""

from .agreement import (
    AGREEMENTS,
    Agreement,
    Changes,
    Move,
    Stability,
    changes,
    compare,
    compare_sizes,
    fuji,
    jaccard,
    kendall,
    kuncheva,
    mean_kuncheva,
    nogueira,
    overlap,
    rbo,
    spearman,
    weighted_kendall,
)
from .bootstrap import distinct_rows
from .corrected import Difference, Hierarchical, corrected_t, hierarchical_t, resampled_interval
from .curve_area import curve_area, enough
from .curves import Curve, quality_curve
from .folds import blocks, folds
from .labelled_rows import labelled
from .learning_curves import Convergence, convergence
from .measures import MEASURES, Measure, accuracy, auprc, concordance, f1, macro_f1, rrmse
from .neighbours import Space, feature_weights, mean, vote, weighted_knn
from .predictors import clustering_hypothesis, doublings, reconstruction, rmse_1nn
from .references import references
from .stability import StableSelection, stability_selection
from .statistics import (
    AGGREGATIONS,
    Aggregate,
    Friedman,
    RankDiagram,
    aggregate,
    average_ranks,
    cliques,
    critical_difference,
    friedman,
    in_triangle,
    nemenyi,
    rank_diagram,
    rank_intervals,
    ranks,
)
from .top_chances import TopChances
from .trial import Trial, in_fold

__all__ = [
    "AGGREGATIONS", "AGREEMENTS", "MEASURES", "Aggregate", "Agreement", "Changes", "Convergence", "Curve", "Difference",
    "Friedman", "Hierarchical", "Measure", "Move", "RankDiagram", "Space", "Stability", "StableSelection", "TopChances",
    "Trial", "accuracy", "aggregate", "auprc", "average_ranks", "blocks", "changes", "cliques", "clustering_hypothesis",
    "compare", "compare_sizes", "concordance", "convergence", "corrected_t", "critical_difference", "curve_area",
    "distinct_rows", "doublings", "enough", "f1", "feature_weights", "folds", "friedman", "fuji", "hierarchical_t",
    "in_fold", "in_triangle", "jaccard", "kendall", "kuncheva", "labelled", "macro_f1", "mean", "mean_kuncheva",
    "nemenyi", "nogueira", "overlap", "quality_curve", "rank_diagram", "rank_intervals", "ranks", "rbo",
    "reconstruction", "references", "resampled_interval", "rmse_1nn", "rrmse", "spearman", "stability_selection",
    "vote", "weighted_kendall", "weighted_knn",
]  # fmt: skip
