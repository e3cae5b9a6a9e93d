"""Places of the nodes of a network: connected features side by side, the others in rows below."""

from collections.abc import Sequence

import numpy as np

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
            x = 0.0
            y = y + high + GAP
            high = 0.0
        found[part] = places + np.array([x, y])
        x, high = x + size[0] + GAP, max(high, float(size[1]))
    return y + high + GAP if blocks else 0.0
