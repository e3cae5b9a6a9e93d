"""Entries of `Ranking.info` that several methods have; those of one method are declared beside it."""

from ..info import InfoEntry

CONVERGENCE = InfoEntry(
    "convergence", list[list[float]], "pairs: target rows or trees, and overlap with the ranking before"
)
STANDARD_ERRORS = InfoEntry("standard_errors", list[float], "standard error of each score")
HAS_CONVERGED = InfoEntry("has_converged", bool, "whether iterations, or the best features, have settled")
N_ITER = InfoEntry("n_iter", int, "number of iterations")
LABELLED = InfoEntry("labelled", int, "number of rows with a known target")
TRIED_SETTINGS = InfoEntry("tuning", list[list[float]] | None, "settings that were tried, each with its quality")
DIMENSION = InfoEntry("dimension", int | None, "number of dimensions of the embedding, or of the hidden layer")

# Of methods that compare pairs of rows, by `describe_run`
OF_PAIRS = (
    InfoEntry("k_most", int, "number of rows that a list of neighbours can have, of all rows or of a class"),
    InfoEntry("strategy", str | None, "strategy for missing values, if there are any"),
    InfoEntry("diff", str, "kind of differences"),
    InfoEntry("precision", str, "type of distances and sums"),
    InfoEntry("approximate", list[str], "parts that are not in double precision, with their errors"),
)
# Of methods whose scores are sums over lists of neighbours, by `describe_scoring`
OF_LISTS = (
    STANDARD_ERRORS,
    InfoEntry("k_median", float, "median of the adaptive number of neighbours"),
    InfoEntry(
        "k_counts", list[list[int]], "pairs: adaptive number of neighbours, and how often rows have it in a class"
    ),
    InfoEntry("k_share", list[float], "mean number of neighbours, as a share of each class"),
    InfoEntry("skipped", float, "share of rows that are skipped, as their neighbours tell nothing"),
)
# Of methods whose target rows may grow, see `row_method.py`
OF_TARGET_ROWS = (
    CONVERGENCE,
    InfoEntry("error_shares", list[list[float]], "pairs: target rows, and errors over the spread of the scores"),
)
BANDWIDTH = InfoEntry("bandwidth", float | None, "bandwidth of the similarity of rows")
OF_GRAPH = (
    BANDWIDTH,
    InfoEntry("components", int, "number of connected components of the graph"),
)
