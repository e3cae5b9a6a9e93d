"""Evaluation of rankings, for use without Orange: ``from orangecontrib.reliefe.core import evaluation``.

* Agreement of rankings, and aggregation of several to one.
* Quality of predictions by the best features, on folds of the rows.
* Statistics: tests of differences on one data set or over several, stability selection, bootstrap.
* Parts of these: measures of predictions, weighted neighbours, reconstruction of all features.

Functions raise ValueError or TypeError for arrays that do not fit each other, for missing values where all must be
known, and for numbers outside the ranges that their docstrings give.

Wherever they occur, `random_state` is a seed, an integer from 0, and `progress` is called with the share that is done.
`n_jobs` is a number of threads; in the context of a cluster (see `rank`) parts of the work go to its workers.
"""

from .aggregation import AGGREGATIONS, Aggregate, aggregate
from .agreement import fuji, jaccard, kendall, kuncheva, overlap, rbo, spearman, weighted_kendall
from .bootstrap import distinct_rows
from .clus_folds import blocks
from .cluster_agreement import clustering_hypothesis
from .compared_curves import compare_curves
from .compared_rankings import AGREEMENTS, Agreement, compare, compare_sizes
from .corrected import Difference, corrected_t, resampled_interval
from .curve import QualityCurve
from .curve_area import curve_area
from .curves import quality_curve
from .enough_features import enough
from .folds import folds
from .hierarchical import Hierarchical, hierarchical_t
from .labelled_rows import labelled
from .learning_curves import Convergence, convergence
from .list_changes import Changes, Move, changes
from .mean_rank_diagram import RankDiagram, rank_diagram
from .measures import MEASURES, Measure
from .method_ranks import Friedman, average_ranks, cliques, critical_difference, friedman, nemenyi
from .neighbour_votes import mean, vote
from .number_measures import rrmse
from .reconstruction import reconstruction, rmse_1nn
from .references import references
from .score_ranks import rank_intervals, ranks
from .selection_stability import Stability, mean_kuncheva, nogueira
from .sizes import doublings
from .space import RowSpace, feature_weights
from .stability import StableSelection, stability_selection
from .survival_measures import concordance
from .top_chances import TopChances
from .trial import Trial, in_fold
from .triangle import in_triangle
from .weighted_neighbours import weighted_knn

__all__ = [
    "AGGREGATIONS",
    "AGREEMENTS",
    "MEASURES",
    "Aggregate",
    "Agreement",
    "Changes",
    "Convergence",
    "Difference",
    "Friedman",
    "Hierarchical",
    "Measure",
    "Move",
    "QualityCurve",
    "RankDiagram",
    "RowSpace",
    "Stability",
    "StableSelection",
    "TopChances",
    "Trial",
    "aggregate",
    "average_ranks",
    "blocks",
    "changes",
    "cliques",
    "clustering_hypothesis",
    "compare",
    "compare_curves",
    "compare_sizes",
    "concordance",
    "convergence",
    "corrected_t",
    "critical_difference",
    "curve_area",
    "distinct_rows",
    "doublings",
    "enough",
    "feature_weights",
    "folds",
    "friedman",
    "fuji",
    "hierarchical_t",
    "in_fold",
    "in_triangle",
    "jaccard",
    "kendall",
    "kuncheva",
    "labelled",
    "mean",
    "mean_kuncheva",
    "nemenyi",
    "nogueira",
    "overlap",
    "quality_curve",
    "rank_diagram",
    "rank_intervals",
    "ranks",
    "rbo",
    "reconstruction",
    "references",
    "resampled_interval",
    "rmse_1nn",
    "rrmse",
    "spearman",
    "stability_selection",
    "vote",
    "weighted_kendall",
    "weighted_knn",
]  # fmt: skip
