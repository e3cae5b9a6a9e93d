"""Parameters of filters, as data."""

from dataclasses import replace

from ..graph.distances import DISTANCES
from ..graph.neighbours import MEDIAN
from .parameters import CHOICE, INTEGER, NUMBER, SWITCH, Parameter

AUTO = "auto"
MEAN, SUM = POOLINGS = "mean", "sum"

POOLED = Parameter(
    "nominal_score",
    "Nominal features",
    CHOICE,
    MEAN,
    choices=POOLINGS,
    more=True,
    tooltip="A nominal feature has a column for each of its values: mean or sum of their scores; the sum grows "
    "with the number of values",
)
ROWS_AS_POINTS = (
    Parameter(
        "scaling",
        "Scaling",
        CHOICE,
        "z-score",
        choices=("z-score", "none"),
        more=True,
        tooltip="Values of each feature are divided by their standard deviation (z-score), or kept as they are",
    ),
    POOLED,
)
GRAPH = (
    Parameter(
        "n_neighbors",
        "Neighbours",
        INTEGER,
        5,
        low=1,
        high=100_000,
        tooltip="Nearest rows that each row is joined with; 1 or more",
    ),
    Parameter(
        "bandwidth",
        "Bandwidth",
        NUMBER,
        MEDIAN,
        low=0,
        choices=(MEDIAN,),
        none="equal weights",
        tooltip="t of the weights exp(-d\u00b2 / 2t\u00b2) of joined rows at distance d; median: 2t\u00b2 is the "
        "median of all d\u00b2; equal weights: all joined rows count alike",
    ),
    Parameter(
        "self_loops",
        "Self-loops",
        SWITCH,
        True,
        more=True,
        tooltip="Each row is joined with itself, too, with weight 1",
    ),
    Parameter(
        "distance",
        "Distance",
        CHOICE,
        DISTANCES[0],
        choices=DISTANCES,
        more=True,
        tooltip="Between rows; cosine compares directions from zero, as is usual for texts",
    ),
)
STYLES = (
    Parameter(
        "style",
        "Style",
        INTEGER,
        2,
        low=1,
        high=3,
        tooltip="1: smoothness; 2: the same without the part that is alike in all rows; 3: agreement with the "
        "smoothest eigenvectors",
    ),
    Parameter(
        "gamma",
        "Scale",
        NUMBER,
        MEDIAN,
        low=0,
        choices=(MEDIAN,),
        tooltip="Similarity of rows at distance d is exp(-gamma d\u00b2); median: 1 over the median of all d\u00b2",
    ),
    Parameter(
        "n_eigenvectors",
        "Eigenvectors",
        INTEGER,
        5,
        low=1,
        high=1000,
        more=True,
        tooltip="Style 3: smoothest eigenvectors that features are compared with; 1 or more",
    ),
)
MIXED_GRAPH = (
    GRAPH[0],
    replace(
        GRAPH[1],
        tooltip="t of the weights exp(-d / t) of joined rows, whose targets, or else features, differ by the mean "
        "square d; median: of all d above 0; equal weights: all joined rows count alike",
    ),
    Parameter(
        "labelled_weight",
        "Labelled pairs",
        NUMBER,
        5.0,
        low=0,
        tooltip="How many times as much two joined rows count if both are labelled; above 0",
    ),
    replace(GRAPH[2], default=False),
)
CLUSTERS = (
    replace(
        STYLES[2],
        more=False,
        tooltip="Smoothest eigenvectors of the graph, each of which the features have to explain: about as many as "
        "there are clusters; 1 or more",
    ),
    Parameter(
        "n_selected",
        "Features entered",
        INTEGER,
        None,
        low=1,
        high=100_000,
        none="as many as possible",
        more=True,
        tooltip="Features with a coefficient in each regression; the others score 0; 1 or more",
    ),
)
DISCRIMINATIVE = (
    Parameter(
        "n_clusters", "Clusters", INTEGER, 5, low=1, high=1000, tooltip="Clusters of rows that are learned; 1 or more"
    ),
    Parameter(
        "alpha",
        "Regression",
        NUMBER,
        1.0,
        low=0,
        more=True,
        tooltip="Weight of the regression of the clusters on the features, against smoothness; above 0",
    ),
    Parameter(
        "beta",
        "Sparseness",
        NUMBER,
        1.0,
        low=0,
        more=True,
        tooltip="Weight of the penalty that leaves features without coefficients; above 0",
    ),
    Parameter(
        "gamma",
        "Orthogonality",
        NUMBER,
        1e8,
        low=0,
        more=True,
        tooltip="Weight of the condition that clusters do not overlap; above 0",
    ),
    Parameter(
        "tol",
        "Tolerance",
        NUMBER,
        1e-3,
        low=0,
        more=True,
        tooltip="Change of the objective below which the iterations end; above 0",
    ),
    Parameter("max_iter", "Iterations", INTEGER, 1000, low=1, high=1_000_000, more=True, tooltip="At most; 1 or more"),
)
RECONSTRUCTION = (
    Parameter(
        "dimension",
        "Hidden units",
        INTEGER,
        AUTO,
        low=1,
        high=1000,
        choices=(AUTO,),
        tooltip="Width of the hidden layer, from 1 up; auto: as many as the data have dimensions, estimated from the "
        "two nearest neighbours of each row",
    ),
    Parameter(
        "penalty",
        "Penalty",
        NUMBER,
        1.0,
        low=0,
        tooltip="Price of the inputs' weights against the error, which is the sum over features of the mean over "
        "rows; above 0",
    ),
    Parameter(
        "max_iter",
        "Steps",
        INTEGER,
        1000,
        low=1,
        high=1_000_000,
        more=True,
        tooltip="Steps of the optimiser, each with all rows, at most; 1 or more",
    ),
    Parameter(
        "tol",
        "Tolerance",
        NUMBER,
        1e-3,
        low=0,
        more=True,
        tooltip="The steps end when 50 of them reduce the loss by less than this share of it; above 0",
    ),
)
