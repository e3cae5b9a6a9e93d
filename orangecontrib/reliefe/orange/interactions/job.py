"""Job of *Feature Interactions*: pairs that interact among the best features of a ranking.

The widget runs `run` in a thread with a `PairRequest` and the result so far.
"""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from Orange.data import Table

from ..jobs.progress import reporter, tell_loading
from .layout import layout
from .shortlist import Shortlist

if TYPE_CHECKING:
    from ..partners import TablePartners

RANKING_SHARE = 0.4  # of the progress; chosen by eye


class PairRequest(NamedTuple):
    """Request of the user.

    Attributes
    ----------
    method : str
        Name of the method to rank by, if there is no shortlist.
    shortlist : Shortlist, optional
        Features on the input.
    n_features : int
        Number of best features that are paired.
    n_shuffles : int
        Number of permuted targets, by which the level of edges is estimated.
    thorough : bool
        Whether pairs of rows within thresholds are compared, instead of the nearest ones.
    seed : int
        Seed of the ranking and of the permutations.
    """

    method: str = "auto"
    shortlist: Shortlist | None = None
    n_features: int = 60
    n_shuffles: int = 20
    thorough: bool = False
    seed: int = 0


@dataclass(frozen=True, eq=False)
class PairResult:
    """Result so far. It is replaced and never changed, so that threads can share it.

    Attributes
    ----------
    rankings : dict
        Shortlists of all features by (method, seed).
    shortlist : Shortlist, optional
        The m features that are paired.
    network : TablePartners, optional
        Pairs of these features.
    places : (m, 2) float64 array, optional
        Positions of the features in the drawing.
    """

    rankings: dict[tuple[str, int], Shortlist] = field(default_factory=dict)
    shortlist: Shortlist | None = None
    network: "TablePartners | None" = None
    places: np.ndarray | None = None

    def cleared(self) -> "PairResult":
        """Result with the rankings only."""
        return PairResult(self.rankings)


def run(table: Table, request: PairRequest, known: PairResult, state: Any) -> PairResult:
    """Find pairs that interact among the features of a table.

    Parameters
    ----------
    table : Table
        The data.
    request : PairRequest
        What the user asks for.
    known : PairResult
        Result so far for the same table, whose rankings are reused.
    state : TaskState
        Task of the widget, which gets the status and, as a partial result, the features.

    Returns
    -------
    PairResult
        The result.

    Raises
    ------
    ValueError
        If the data cannot be ranked, or features not be paired.
    """
    tell_loading(state)
    from ...core import METHODS  # imported here, so that Orange starts without kernels
    from ..api import rank
    from ..partners import partners

    result = known.cleared()
    begin = 0.0
    key = (request.method, request.seed)
    shortlist = request.shortlist or known.rankings.get(key)
    if shortlist is None:
        title = METHODS[request.method].title if request.method in METHODS else "an automatic choice"
        state.set_status(f"Ranking by {title}")
        begin = RANKING_SHARE
        ranking = rank(table, request.method, random_state=request.seed, progress=reporter(state, 0, begin))
        shortlist = Shortlist.of_ranking(ranking)
        result = replace(result, rankings={**result.rankings, key: shortlist})
    shortlist = shortlist.best(request.n_features)
    result = replace(result, shortlist=shortlist, places=layout(shortlist.names, (), ()))
    state.set_partial_result(result)
    state.set_status(f"Pairs of {len(shortlist):,} features: {request.n_shuffles:,} shuffles")
    network = partners(
        table,
        features=shortlist.names,
        n_shuffles=request.n_shuffles,
        thorough=request.thorough,
        random_state=request.seed,
        progress=reporter(state, begin, 1),
    )
    names = [variable.name for variable in network.variables]
    edges = network.linked
    weights = [network.z[a, b] for a, b in edges]
    return replace(result, network=network, places=layout(names, edges, weights))
