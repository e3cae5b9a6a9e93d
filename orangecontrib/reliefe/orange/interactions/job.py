"""Search for interactions among the best features of a ranking."""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from Orange.data import Table

from ..jobs.loading import tell_loading
from ..jobs.progress import reporter
from .layout import layout
from .shortlist import Shortlist

OF_RANKING = 0.4  # share of the work


class Request(NamedTuple):
    """Request of the user; method: name of the one to rank by, unless a shortlist is given.

    n_features: best ones that are looked at; n_shuffles: targets that are drawn for the level; thorough: pairs from
    zones.
    """

    method: str = "auto"
    shortlist: Shortlist | None = None
    n_features: int = 60
    n_shuffles: int = 20
    thorough: bool = False
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Found:
    """Results so far; replaced, never changed, so that it may cross threads.

    rankings: shortlists of all features by (method, seed); shortlist: features that are looked at; network: the
    partners among them; places (m, 2): of its nodes.
    """

    rankings: dict = field(default_factory=dict)
    shortlist: Shortlist | None = None
    network: object = None
    places: np.ndarray | None = None

    def cleared(self) -> "Found":
        return Found(self.rankings)


def run(table: Table, request: Request, known: Found, state) -> Found:
    """Find partners among the features of a table.

    The features are a partial result; `known` may have a ranking of the same table.  ValueError for what is refused.
    """
    tell_loading(state)
    # Here, and not above: no kernel is to be loaded when Orange starts.
    from ...core import METHODS
    from ..conversion import rank
    from ..partners import partners

    found = known.cleared()
    begin = 0.0
    key = (request.method, request.seed)
    shortlist = request.shortlist or known.rankings.get(key)
    if shortlist is None:
        title = METHODS[request.method].title if request.method in METHODS else "an automatic choice"
        state.set_status(f"Ranking by {title}")
        begin = OF_RANKING
        ranking = rank(table, request.method, random_state=request.seed, progress=reporter(state, 0, begin))
        shortlist = Shortlist.of_ranking(ranking)
        found = replace(found, rankings={**found.rankings, key: shortlist})
    shortlist = shortlist.best(request.n_features)
    found = replace(found, shortlist=shortlist, places=layout(shortlist.names, (), ()))
    state.set_partial_result(found)
    state.set_status(f"Pairs of {len(found.shortlist):,} features: {request.n_shuffles:,} shuffles")
    network = partners(
        table, features=found.shortlist.names, n_shuffles=request.n_shuffles, thorough=request.thorough,
        random_state=request.seed, progress=reporter(state, begin, 1),
    )  # fmt: skip
    edges = network.linked
    places = layout([variable.name for variable in network.variables], edges, [network.z[a, b] for a, b in edges])
    return replace(found, network=network, places=places)
