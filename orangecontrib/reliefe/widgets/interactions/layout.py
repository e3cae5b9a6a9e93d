"""Places of the nodes of a network: features that hang together side by side, the others in rows below.

Knows nothing of widgets.
"""

from collections.abc import Sequence

import numpy as np

ACROSS, DOWN = 0.8, 0.5  # between two nodes without edges, in lengths of an edge
CLOSEST = 0.75  # share of these where there are many
GAP = 0.9  # between two parts of the network
MOST_SPRINGS = 40  # nodes up to which all distances are fitted
SEED = 0


def layout(n: int, edges: Sequence[tuple[int, int]], weights: Sequence[float], wide: float = 0.7) -> np.ndarray:
    """Place n nodes, always in the same way.

    Parameters
    ----------
    n : int
        Number of nodes.
    edges : sequence of (int, int)
        Pairs of nodes.
    weights : sequence of float
        Of the edges, above 0: the ends of a strong edge are nearer to each other.
    wide : float
        Width over height that is aimed at.

    Returns
    -------
    ndarray, shape (n, 2)
        x from left to right, y from top to bottom; an edge is about 1 long.
    """
    import networkx as nx  # not loaded when Orange starts

    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_weighted_edges_from((a, b, float(w)) for (a, b), w in zip(edges, weights, strict=True))
    parts = [sorted(part) for part in nx.connected_components(graph) if len(part) > 1]
    parts.sort(key=lambda part: (-len(part), part))
    found, blocks = np.zeros((n, 2)), []
    for part in parts:
        blocks.append((part, _part(graph.subgraph(part), part)))
    alone = [node for node in range(n) if graph.degree(node) == 0]
    area, of_alone = (
        sum(float(np.prod(np.ptp(places, axis=0) + GAP)) for _, places in blocks),
        len(alone) * ACROSS * DOWN,
    )
    closer = (
        float(np.clip(np.sqrt(area / max(of_alone, 1e-9)), CLOSEST, 1)) if blocks else 1.0
    )  # the network comes first
    across, down = closer * ACROSS, closer * DOWN
    area += len(alone) * across * down
    width = max([np.sqrt(area * wide), *(np.ptp(places[:, 0]) for _, places in blocks)], default=1.0)
    bottom = _shelves(found, blocks, width)
    columns = max(round(width / across) + 1, 1)
    for place, node in enumerate(alone):
        row, column = divmod(place, columns)
        found[node] = column * across, bottom + row * down
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
