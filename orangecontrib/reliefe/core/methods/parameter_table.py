"""The parameters of all methods of the Relief family, as data."""

from collections.abc import Mapping
from dataclasses import replace
from numbers import Integral, Real
from typing import Any

import numpy as np

from ..data.diff import BY_DATA, KINDS, RANGE
from ..data.expected import STRATEGIES
from ..forest.ensembles import ENSEMBLES, SCORES
from ..info import Info
from ..relief.formats.distance import DISTANCES, MANHATTAN
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
                  tooltip="Number of nearest rows that each row is compared with: from every class, or from all rows "
                          "for a numeric target. Integer, at least 1. More neighbours make scores more stable; fewer "
                          "find local interactions"),
        Parameter("k_min", "Fewest neighbours", INTEGER, 1, low=1, high=100_000,
                  tooltip="Smallest number of neighbours that is tried for each feature. Integer, at least 1"),
        Parameter("k_max", "Most neighbours", INTEGER, 50, low=1, high=100_000, none="smallest class",
                  tooltip="Largest number of neighbours that is tried. Integer, less than the number of rows of the "
                          "smallest class"),
        Parameter("sigma", "Rank decay", NUMBER, low=0, none="equal weights", more=True,
                  tooltip="Decay of the weight of the r-th neighbour: exp(-(r / sigma)\u00b2). Number above 0. "
                          "Without it all neighbours have equal weight"),
        Parameter("scheme", "Misses", CHOICE, "F", choices=("F", "E"), more=True,
                  tooltip="Choice of misses. F: k misses from each other class, weighted by its prior. E: k misses "
                          "from all other classes together"),
        Parameter("power", "Power", INTEGER, 1, low=1, high=2, more=True,
                  tooltip="Power of the differences: 1 (absolute) or 2 (squared, as first published)"),
        Parameter("embedding", "Embedding", OBJECT, "umap", choices=("umap", "pca"), none="none",
                  tooltip="Space in which neighbours are found: a manifold (umap, slow), principal components (pca, "
                          "fast), or the features (none). Use none for label sets and texts"),
        Parameter("dimension", "Dimension", INTEGER, "auto", low=1, high=1000, choices=("auto",),
                  tooltip="Number of dimensions of the embedding. Integer, at least 1. auto: estimated from the two "
                          "nearest neighbours of each row"),
        Parameter("distance", "Distance", CHOICE, "euclidean", choices=("euclidean", "cosine"), more=True,
                  tooltip="Distance of embedded rows: euclidean, or cosine, by the angle between them. Do not use "
                          "cosine in one dimension"),
        Parameter("average", "Average neighbour", SWITCH, False, more=True,
                  tooltip="Compare each row with the mean of its neighbours, as published, instead of with each "
                          "neighbour"),
        Parameter("sparsify", "Sparsify", CHOICE, "auto", choices=("auto", "yes", "no"), more=True,
                  tooltip="Set small values to 0 at random before embedding. auto: if more than 15 % of the values "
                          "are not 0"),
        Parameter("n_representatives", "Rows embedded", INTEGER, 2048, low=4, high=100_000, more=True,
                  tooltip="Maximum number of rows that determine the embedding, from all classes in turn. Integer, "
                          "at least 4. More rows take more time"),
        Parameter("n_repeats", "Embeddings", INTEGER, 1, low=1, high=100, more=True,
                  tooltip="Number of embeddings with different seeds whose scores are averaged. Integer, at least 1. "
                          "Three make UMAP's scores more stable"),
        Parameter("target_distance", "Label distance", OBJECT, "f1", more=True,
                  choices=("f1", "hamming", "accuracy", "subset", "cosine", "hyperbolic"),
                  tooltip="Difference of two label sets: 1 minus F1 or overlap (accuracy), share of different labels "
                          "(hamming), or whether they differ (subset). cosine, hyperbolic: distance in an embedding"),
        Parameter("pooled", "Pool rows", SWITCH, False, more=True,
                  tooltip="Label sets: compute one quotient over all rows, instead of the mean over rows"),
        Parameter("per_target", "Each target", SWITCH, False, more=True,
                  tooltip="Several targets or label sets: also compute scores for each target"),
        Parameter("label_weights", "Label weights", CHOICE, "mean", choices=RULES, more=True,
                  tooltip="Hierarchies: weight of a label, the decay times the mean (sum, max) of its parents' "
                          "weights. Roots weigh 1. none: all labels weigh 1"),
        Parameter("label_decay", "Decay", SHARE, 0.75, more=True,
                  tooltip="Hierarchies: factor of a label's weight relative to its parents. From 0 to 1"),
        Parameter("gamma", "Label scale", CHOICE, "sum", choices=("sum", "max"), more=True,
                  tooltip="Hierarchies: divisor of Hamming distances, the weight of all labels (sum) or the largest "
                          "distance of two rows (max)"),
        Parameter("w0", "Influence, far", SHARE, "auto", choices=("auto",),
                  tooltip="Influence of the unlabelled row farthest from all labelled rows, which have influence 1. "
                          "From 0 to 1. auto: by cross-validation"),
        Parameter("w1", "Influence, near", SHARE, "auto", choices=("auto",),
                  tooltip="Influence of the unlabelled row nearest to a labelled row. From w0 to 1. auto: by "
                          "cross-validation"),
        Parameter("labelled_only", "Labelled rows only", SWITCH, False, more=True,
                  tooltip="Leave out unlabelled rows, to compare with the supervised ranking"),
        Parameter("preset", "Preset", CHOICE, choices=("paper",), none="none", more=True,
                  tooltip="Values of several parameters. paper: cosine distance, adaptive number of neighbours and "
                          "average neighbour, unless you set these"),
        Parameter("n_instances", "Rows used", ROWS, choices=("converge",), none="all", more=True,
                  tooltip="Rows to find neighbours of: all, a number, or a share between 0 and 1. Fewer rows are "
                          "faster and less precise, in particular for interactions. converge: ever more rows until "
                          "standard errors are below a tenth of the spread of the scores"),
        Parameter("missing", "Missing values", CHOICE, choices=STRATEGIES, none="by target", more=True,
                  tooltip="Difference to a missing value. class-conditional: expected in the row's class (default "
                          "for classes). ignore: left out (default for numbers). uniform: expected if all values are "
                          "equally likely. separate: missing is a value. clus: the largest possible (default for few "
                          "labels or none)"),
        Parameter("ramp", "Ramp", RAMP, False, more=True,
                  tooltip="Count numeric differences below 5 % of the range as 0, and above 10 % as 1. Use it to mix "
                          "numeric and categorical features"),
        Parameter("diff", "Differences", CHOICE, RANGE, choices=(*KINDS, BY_DATA), more=True,
                  tooltip="Difference of two numbers: relative to the range, of ranks, or of presence (whether "
                          "exactly one is 0). Use presence for counts, for example words in texts. auto: presence if "
                          "no value is negative and at least 75 % are 0, otherwise range"),
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
        tooltip="Difference of two label sets: share of different labels (hamming), 1 minus F1 or overlap (accuracy), "
        "or whether they differ (subset)",
    ),
    "distance": replace(
        PARAMETERS["distance"],
        default=MANHATTAN,
        choices=DISTANCES,
        tooltip="Distance of two rows: sum of all differences (manhattan), or share of common features that are not "
        "0 (cosine). Use cosine for texts and other counts with many features",
    ),
}


def unusual(parameters: Mapping[str, Any], info: Info) -> list[str]:
    """Differences and distance in words, if they are not the usual ones."""
    kind, distance = info.get("diff", RANGE), parameters["distance"]
    words = []
    if kind != RANGE:
        words.append(kind)
    if distance != MANHATTAN:
        words.append(distance)
    return words


AUTO = "auto"
TUNED = "tuned"
MAJORITY, FRACTIONAL = "majority", "fractional"


class Tries(Parameter):
    """Number of features in a node: a number, a share, None = all, or a word."""

    def _check_rows(self, value: object) -> int | float:
        accepted_values = f"one of {', '.join(self.choices)}, a number of features, a share of them, or None for all"
        if isinstance(value, bool) or not isinstance(value, Real):
            raise TypeError(f"{self.name} must be {accepted_values}, not {shown(value)}")
        if isinstance(value, float | np.floating) and 0 < value <= 1:
            return float(value)
        if isinstance(value, Integral) and int(value) >= 1:
            return int(value)
        accepted_numbers = "a whole number from 1 or a share above 0 and at most 1"
        raise ValueError(f"{self.name} must be {accepted_numbers}, not {shown(value)}")


LEAVES = (
    Parameter("min_leaf", "Rows in a leaf", INTEGER, 1, low=1, high=1_000_000, more=True,
              tooltip="Minimum number of rows in a leaf. Integer, at least 1"),
    Parameter("max_depth", "Depth", INTEGER, low=1, high=100_000, none="unlimited", more=True,
              tooltip="Maximum number of tests on the path to a leaf. Integer, at least 1"),
)  # fmt: skip
OWN = (
    Parameter("ensemble", "Ensemble", CHOICE, AUTO, choices=(AUTO, *ENSEMBLES),
              tooltip="Kind of trees, all on bootstrap samples. random-forest: best threshold of some features. "
                      "extra-trees: random thresholds. bagging: best threshold of all features. auto: extra trees "
                      "without a target, otherwise random forest"),
    Parameter("score", "Score", CHOICE, "genie3", choices=SCORES,
              tooltip="genie3: reduction of the impurity by the tests of a feature. symbolic: number of rows that "
                      "meet its tests. rforest: increase of the out-of-bag error if its values are permuted"),
    Parameter("n_trees", "Trees", INTEGER, 100, low=1, high=100_000, choices=(AUTO,),
              tooltip="Number of trees. Integer, at least 1. More trees make the ranking more stable, in particular "
                      "of many features. auto: until the best features stay the same, at most 1,000"),
    Tries("max_features", "Features tried", ROWS, AUTO, choices=(AUTO, "sqrt", "log2"), none="all",
          tooltip="Features tried in every node: the square root or logarithm of their number, a number, a share "
                  "from 0 to 1, or all. More are drawn if none gives a test. auto: logarithm without a target, "
                  "otherwise square root"),
    Parameter("supervision", "Supervision", SHARE, AUTO, choices=(AUTO, TUNED),
              tooltip="Weight of the target against the features in the similarity of rows. From 0 to 1. auto: 1 if "
                      "all rows have a target, otherwise 0.5. tuned: by cross-validation, slow"),
    *LEAVES,
    Parameter("missing", "Missing values", CHOICE, MAJORITY, choices=(MAJORITY, FRACTIONAL), more=True,
              tooltip="Use of rows in which the tested feature is missing. majority: in the larger part. fractional: "
                      "in both, by the shares of the known rows (slower)"),
    Parameter("f_test", "F-test", SHARE, none="off", more=True,
              tooltip="Significance level that the best test of a node must reach. From 0 to 1. It makes trees "
                      "smaller; fully grown trees usually rank better"),
    Parameter("depth_decay", "Depth decay", SHARE, none="share of the rows", more=True,
              tooltip="symbolic: weight of a test, this number to the power of its depth, instead of its share of "
                      "the rows. From 0 to 1"),
    Parameter("pooled", "Pool errors", SWITCH, True, more=True,
              tooltip="rforest: divide by the mean error of all trees. Off: by the error of each tree, as published; "
                      "one good tree may then dominate"),
)  # fmt: skip
