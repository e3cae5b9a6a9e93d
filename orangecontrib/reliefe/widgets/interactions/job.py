"""Places of the nodes of a network: features that hang together side by side, the others in rows below.

Knows nothing of widgets.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from Orange.data import ContinuousVariable, Domain, StringVariable, Table

from ..utils.jobs import tell_loading
from ..utils.task import reporter
from .panel import Shortlist

ACROSS, DOWN = (0.8, 1.5), 0.6  # between two nodes without edges, in lengths of an edge: by their names, and down
LETTER = 0.085  # of a name, in the same lengths
GAP = 0.9  # between two parts of the network
WIDE = 0.7  # width of all, by height
MOST_SPRINGS = 40  # nodes up to which all distances are fitted
SEED = 0


def layout(names: Sequence[str], edges: Sequence[tuple[int, int]], weights: Sequence[float]) -> np.ndarray:
    """Places (n, 2) of n nodes, always the same."""
    import networkx as nx  # not loaded when Orange starts

    graph, n = nx.Graph(), len(names)
    graph.add_nodes_from(range(n))
    graph.add_weighted_edges_from((a, b, float(w)) for (a, b), w in zip(edges, weights, strict=True))
    parts = [sorted(part) for part in nx.connected_components(graph) if len(part) > 1]
    parts.sort(key=lambda part: (-len(part), part))
    found, blocks = np.zeros((n, 2)), []
    for part in parts:
        blocks.append((part, _part(graph.subgraph(part), part)))
    alone = [node for node in range(n) if graph.degree(node) == 0]
    area = sum(float(np.prod(np.ptp(places, axis=0) + GAP)) for _, places in blocks)
    across = float(np.clip(LETTER * max((len(names[node]) for node in alone), default=0), *ACROSS))
    area += len(alone) * across * DOWN
    width = max([np.sqrt(area * WIDE), *(np.ptp(places[:, 0]) for _, places in blocks)], default=1.0)
    bottom = _shelves(found, blocks, width)
    columns = max(round(width / across) + 1, 1)
    for place, node in enumerate(alone):
        row, column = divmod(place, columns)
        found[node] = column * across, bottom + row * DOWN
    return found


def _part(graph, part) -> np.ndarray:
    """Places of one connected part, in the order of its nodes."""
    import networkx as nx

    if len(part) == 2:
        return np.array([[0.0, 0.0], [1.0, 0.0]])
    strongest = max(weight for *_, weight in graph.edges(data="weight"))
    ordered = nx.Graph()
    ordered.add_nodes_from(part)
    for a, b, weight in sorted(graph.edges(data="weight")):
        ordered.add_edge(a, b, weight=weight / strongest, far=1.35 - 0.35 * weight / strongest)
    if len(part) <= MOST_SPRINGS:
        places = nx.kamada_kawai_layout(ordered, weight="far")
    else:
        places = nx.spring_layout(ordered, seed=SEED, weight="weight")
    xy = np.array([places[node] for node in part])
    lengths = [np.hypot(*(xy[part.index(a)] - xy[part.index(b)])) for a, b in ordered.edges]
    xy = (xy - xy.min(axis=0)) / max(float(np.median(lengths)), 1e-9)
    return xy if np.ptp(xy[:, 0]) >= np.ptp(xy[:, 1]) else xy[:, ::-1]  # lying, as screens do


def _shelves(found: np.ndarray, blocks, width: float) -> float:
    """Put parts side by side on shelves, from the top; returns where the next shelf begins."""
    x = y = high = 0.0
    for part, places in blocks:
        size = np.ptp(places, axis=0)
        if x > 0 and x + size[0] > width:
            x, y, high = 0.0, y + high + GAP, 0.0
        found[part] = places + np.array([x, y])
        x, high = x + size[0] + GAP, max(high, float(size[1]))
    return y + high + GAP if blocks else 0.0


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
    from ...orange.conversion import rank
    from ...orange.partners import partners

    found, begin, key = known.cleared(), 0.0, (request.method, request.seed)
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


NETWORK = "orangecontrib.network.network.base.Network"  # type of the signal


def network_of(found) -> object:
    """The network of a result for the add-on: items are features, weights of edges z; None without it, or of nothing.

    found: a `job.Found`.
    """
    try:
        from orangecontrib.network import Network
    except ImportError:
        return None
    if found.network is None:
        return None
    network, m = found.network, len(found.network.variables)
    pairs = np.array(network.linked, int).reshape(-1, 2)
    weights = np.array([network.z[a, b] for a, b in pairs])
    edges = sp.csr_matrix((weights, (pairs[:, 0], pairs[:, 1])), (m, m))
    return Network(items(found), edges, "Feature interactions", np.array(found.places, float))


def items(found) -> Table:
    """A row for each feature of a network: scores, number of partners, q if known, and its name."""
    network, shortlist = found.network, found.shortlist
    degree = np.bincount(np.array(network.linked, int).ravel(), minlength=len(network.variables))
    columns = {"Score": shortlist.scores, "Score over pairs": network.alone, "Partners": degree}
    if shortlist.q is not None:
        columns["q"] = shortlist.q
    domain = Domain([ContinuousVariable(title) for title in columns], metas=[StringVariable("Feature")])
    names = np.array([[variable.name] for variable in network.variables], object)
    table = Table.from_numpy(domain, np.column_stack(list(columns.values())).astype(float), metas=names)
    table.name = "Features"
    return table
