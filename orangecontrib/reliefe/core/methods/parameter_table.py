"""The parameters of all methods of the Relief family, as data."""

from collections.abc import Mapping
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, cast

import numpy as np

from ..data.diff import BY_DATA, KINDS, RANGE
from ..forest.ensembles import ENSEMBLES, SCORES
from ..forms.cosine import DISTANCES, MANHATTAN
from ..forms.missing import STRATEGIES
from ..result import Info
from ..targets.hierarchy import RULES
from ..words import shown
from .parameters import CHOICE, INTEGER, NUMBER, OBJECT, RAMP, ROWS, SHARE, SWITCH, Parameter

COMMON = ("n_instances", "missing", "ramp", "diff")
# Of label sets, several targets.
OF_SEVERAL = ("target_distance", "label_weights", "label_decay", "gamma", "per_target")
PARAMETERS = {
    p.name: p
    for p in (
        Parameter("n_neighbors", "Neighbours", INTEGER, 10, low=1, high=100_000,
                  tooltip="Nearest rows that are compared with each row: of every class, or of all rows for a "
                          "numeric target; 1 or more"),
        Parameter("k_min", "Fewest neighbours", INTEGER, 1, low=1, high=100_000,
                  tooltip="Smallest number of neighbours that is tried for each feature; 1 or more"),
        Parameter("k_max", "Most neighbours", INTEGER, 50, low=1, high=100_000, none="smallest class",
                  tooltip="Largest number of neighbours that is tried; at most one less than the smallest class has "
                          "rows, so that every row has as many"),
        Parameter("sigma", "Rank decay", NUMBER, low=0, none="equal weights", more=True,
                  tooltip="Influence of the r-th neighbour falls as exp(-(r / sigma)\u00b2), in ranks; without "
                          "it all neighbours count alike"),
        Parameter("scheme", "Misses", CHOICE, "F", choices=("F", "E"), more=True,
                  tooltip="F: k misses from each other class, weighted by its prior; E: k misses from all other "
                          "classes together"),
        Parameter("ties", "Ties", CHOICE, "index", choices=("index", "average"), more=True,
                  tooltip="Rows at the same distance: take the first (index) or all of them with equal shares "
                          "(average)"),
        Parameter("power", "Power", INTEGER, 1, low=1, high=2, more=True,
                  tooltip="2: squared differences as in the first paper; 1: absolute ones"),
        Parameter("unit", "Halve", SWITCH, True, more=True,
                  tooltip="Halve the scores so that they lie in [-1, 1]; off: the published scale, [-2, 2]"),
        Parameter("scale", "Steepness", NUMBER, 4.0, low=0, more=True,
                  tooltip="How fast influence changes with distance, per half standard deviation; above 0"),
        Parameter("embedding", "Embedding", OBJECT, "umap", choices=("umap", "pca"), none="none",
                  tooltip="Space in which neighbours are looked up: a manifold (umap, slow), principal components "
                          "(pca, fast), or the features themselves (none)"),
        Parameter("dimension", "Dimension", INTEGER, "auto", low=1, high=1000, choices=("auto",),
                  tooltip="Of the embedding: from 1 up; auto: as many as the data have, estimated from the two "
                          "nearest neighbours of each row"),
        Parameter("distance", "Distance", CHOICE, "euclidean", choices=("euclidean", "cosine"), more=True,
                  tooltip="Between embedded rows; cosine means little in one dimension"),
        Parameter("average", "Average neighbour", SWITCH, False, more=True,
                  tooltip="Compare each row with the mean of its neighbours instead of with each of them"),
        Parameter("sparsify", "Sparsify", CHOICE, "auto", choices=("auto", "yes", "no"), more=True,
                  tooltip="Drop small values at random before embedding; auto: if more than 15 % of the values are "
                          "not zero"),
        Parameter("n_representatives", "Rows embedded", INTEGER, 2048, low=4, high=100_000, more=True,
                  tooltip="Rows that the embedding is fitted to, from all classes in turn; the others are placed "
                          "in it"),
        Parameter("n_repeats", "Embeddings", INTEGER, 1, low=1, high=100, more=True,
                  tooltip="Embeddings with different seeds whose scores are averaged"),
        Parameter("target_distance", "Label distance", OBJECT, "f1", more=True,
                  choices=("f1", "hamming", "accuracy", "subset", "cosine", "hyperbolic"),
                  tooltip="Difference of two label sets; cosine and hyperbolic embed the label sets"),
        Parameter("pooled", "Pool rows", SWITCH, False, more=True,
                  tooltip="Label sets: one quotient over all rows, instead of the mean of each row's"),
        Parameter("per_target", "Each target", SWITCH, False, more=True,
                  tooltip="Several targets or label sets: scores for each of them, too"),
        Parameter("label_weights", "Label weights", CHOICE, "mean", choices=RULES, more=True,
                  tooltip="Hierarchies: a label weighs the decay times the mean (sum, max) of its parents' weights, "
                          "roots weigh 1; none: all labels weigh 1"),
        Parameter("label_decay", "Decay", SHARE, 0.75, more=True,
                  tooltip="Hierarchies: how much less a label weighs than its parents, from 0 to 1"),
        Parameter("gamma", "Label scale", CHOICE, "sum", choices=("sum", "max"), more=True,
                  tooltip="Hierarchies: Hamming distances are divided by the weight of all labels (sum), or by the "
                          "largest distance of two rows (max)"),
        Parameter("w0", "Influence, far", SHARE, "auto", choices=("auto",),
                  tooltip="How much the unlabelled row counts that is farthest from any labelled one, from 0 to 1; "
                          "labelled rows count 1; auto: by cross-validation"),
        Parameter("w1", "Influence, near", SHARE, "auto", choices=("auto",),
                  tooltip="How much the unlabelled row counts that is nearest to a labelled one, from w0 to 1; "
                          "auto: by cross-validation"),
        Parameter("labelled_only", "Labelled rows only", SWITCH, False, more=True,
                  tooltip="Leave out unlabelled rows: the supervised counterpart, to compare with"),
        Parameter("preset", "Preset", CHOICE, choices=("paper",), none="none", more=True,
                  tooltip="paper: cosine distance, adaptive number of neighbours and average neighbour, where these "
                          "are not set"),
        Parameter("n_instances", "Rows used", ROWS, choices=("converge",), none="all", more=True,
                  tooltip="Rows whose neighbours are looked up: all, a number, a share between 0 and 1, or twice as "
                          "many again and again until the standard errors of the scores are below a tenth of their "
                          "spread (converge); fewer is faster and less precise, and interactions suffer first"),
        Parameter("missing", "Missing values", CHOICE, choices=STRATEGIES, none="by target", more=True,
                  tooltip="Difference to an unknown value: expected in the row's class (default for classes), "
                          "ignored (default for numbers), "
                          "expected if all values were equally likely, a value of its own, or the largest possible "
                          "(clus, default without labels and with few)"),
        Parameter("ramp", "Ramp", RAMP, False, more=True,
                  tooltip="Numeric differences below 5 % of the range count 0, above 10 % count 1; for mixtures "
                          "of numeric and categorical features"),
        Parameter("diff", "Differences", CHOICE, RANGE, choices=(*KINDS, BY_DATA), more=True,
                  tooltip="Of numbers: over their range, of their ranks, or of presence alone, whether one of two is 0 "
                          "and the other not (for counts, such as words in texts); auto: presence if the table is "
                          "counts, nothing below 0 and at least 75 % zeros, else the range"),
    )
}  # fmt: skip

# Where rows and label sets are compared as they are, not by coordinates.
PARAMETERS_OF_SETS = {
    **PARAMETERS,
    "target_distance": replace(
        PARAMETERS["target_distance"],
        kind=CHOICE,
        default="hamming",
        choices=("hamming", "f1", "accuracy", "subset"),
        tooltip="Difference of two label sets: share of the labels in which they differ (hamming), or 1 less their F1, "
        "the overlap (accuracy), or equality (subset)",
    ),
    "distance": replace(
        PARAMETERS["distance"],
        default=MANHATTAN,
        choices=DISTANCES,
        tooltip="Which rows are near: by the sum of all differences (manhattan), or by how many features that are not "
        "0 they share (cosine: for texts and other counts with many features)",
    ),
}


def unusual(parameters: Mapping[str, Any], info: Info) -> list[str]:
    """Differences and distance in words, where they are others than usual."""
    kind, distance = info.get("diff", RANGE), parameters["distance"]
    return [*([kind] if kind != RANGE else []), *([distance] if distance != MANHATTAN else [])]


AUTO = "auto"
TUNED = "tuned"
MAJORITY, FRACTIONAL = "majority", "fractional"


class Tries(Parameter):
    """Number of features in a node: a number, a share, None = all, or a word."""

    def _check_rows(self, value: object) -> int | float:
        possible = f"one of {', '.join(self.choices)}, a number of features, a share of them, or None for all"
        if isinstance(value, bool) or not isinstance(value, Real):
            raise TypeError(f"{self.name} must be {possible}, not {shown(value)}")
        if isinstance(value, float | np.floating) and 0 < value <= 1:
            return float(value)
        if isinstance(value, Integral) and cast("int", value) >= 1:
            return int(value)
        wanted = "a whole number from 1 or a share above 0 and at most 1"
        raise ValueError(f"{self.name} must be {wanted}, not {shown(value)}")


OWN = (
    Parameter("ensemble", "Ensemble", CHOICE, AUTO, choices=(AUTO, *ENSEMBLES),
              tooltip="Trees that take the best threshold of some features (random forest), a random one of each "
                      "(extra trees), or the best one of all features (bagging), all on bootstrap samples; auto: extra "
                      "trees without a target, else random forest"),
    Parameter("score", "Score", CHOICE, "genie3", choices=SCORES,
              tooltip="genie3: how much the tests of a feature reduce impurity; symbolic: how many rows they see; "
                      "rforest: how much the error out of the bag grows when the feature is permuted"),
    Parameter("n_trees", "Trees", INTEGER, 100, low=1, high=100_000, choices=(AUTO,),
              tooltip="More trees make the ranking steadier, in particular of many features; 1 or more; auto: until "
                      "the top of the list is steady, at most 1,000"),
    Tries("max_features", "Features tried", ROWS, AUTO, choices=(AUTO, "sqrt", "log2"), none="all",
          tooltip="In every node: the square root or logarithm of their number, a number, a share from 0 to 1, or all; "
                  "more are drawn while none gives a test; auto: logarithm without a target, else square root"),
    Parameter("supervision", "Supervision", SHARE, AUTO, choices=(AUTO, TUNED),
              tooltip="Weight of the target against the features in what makes rows alike, from 0 to 1; auto: 1 where "
                      "all rows have a target, else 0.5; tuned: by cross-validation, slow"),
    Parameter("min_leaf", "Rows in a leaf", INTEGER, 1, low=1, high=1_000_000, more=True,
              tooltip="At least; 1 or more"),
    Parameter("max_depth", "Depth", INTEGER, low=1, high=100_000, none="unlimited", more=True,
              tooltip="Largest number of tests on the way to a leaf; 1 or more"),
    Parameter("missing", "Missing values", CHOICE, MAJORITY, choices=(MAJORITY, FRACTIONAL), more=True,
              tooltip="Rows that lack the tested feature go with the larger part (majority), or both ways, in shares "
                      "of the other rows (fractional), which takes longer"),
    Parameter("f_test", "F-test", SHARE, none="off", more=True,
              tooltip="Level of significance, from 0 to 1, at which the best test of a node must reduce the impurity: "
                      "smaller trees of better founded tests; fully grown ones rank better as a rule"),
    Parameter("depth_decay", "Depth decay", SHARE, none="share of the rows", more=True,
              tooltip="symbolic: a test counts this number, from 0 to 1, to the power of its depth, instead of the "
                      "share of the rows that it sees"),
    Parameter("pooled", "Pool errors", SWITCH, True, more=True,
              tooltip="rforest: divide by the mean error of all trees; off: by each tree's own, as published, where "
                      "one good tree may decide"),
)  # fmt: skip
