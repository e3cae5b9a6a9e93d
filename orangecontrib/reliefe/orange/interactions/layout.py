"""Positions of the nodes of a network: connected components side by side, and nodes without edges in rows below.

`job` computes the layout when pairs are found, and *Feature Interactions* draws it. Lengths are relative to the median
length of an edge.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

# Distances between nodes without edges; chosen by eye
COLUMN_WIDTH = (0.8, 1.5)  # least and largest, by the longest name
ROW_HEIGHT = 0.6
LETTER = 0.085  # width of a letter of a name
GAP = 0.9  # between two components; chosen by eye
ASPECT = 0.7  # width of the whole, over its height; chosen by eye
MAX_SPRING_NODES = 40  # nodes of a component up to which all distances are fitted, which takes their square
# Desired length of the weakest edge, and how much shorter the strongest one is; chosen by eye
LONGEST_EDGE = 1.35
SHORTENING = 0.35
MIN_LENGTH = 1e-9  # of an edge, by which positions are divided
SEED = 0


class Component(NamedTuple):
    """A connected component of c nodes.

    Attributes
    ----------
    nodes : list of int
        Its nodes.
    xy : (c, 2) float64 array
        Their positions, from 0.
    """

    nodes: list[int]
    xy: np.ndarray

    @property
    def size(self) -> np.ndarray:
        """Width and height (2,)."""
        extent: np.ndarray = np.ptp(self.xy, axis=0)
        return extent


def layout(names: Sequence[str], edges: Sequence[tuple[int, int]], weights: Sequence[float]) -> np.ndarray:
    """Compute the positions of nodes, always the same for the same network.

    Parameters
    ----------
    names : sequence of str
        Names of the n nodes.
    edges : sequence of (int, int)
        Pairs of connected nodes.
    weights : sequence of float
        Weights of the edges; heavier ones are shorter.

    Returns
    -------
    (n, 2) float64 array
        Positions, to the right and down.
    """
    import networkx as nx  # takes time, so that it is not imported when Orange starts

    n = len(names)
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_weighted_edges_from((a, b, float(weight)) for (a, b), weight in zip(edges, weights, strict=True))

    # Connected components, the largest first.
    connected = [sorted(nodes) for nodes in nx.connected_components(graph) if len(nodes) > 1]
    connected.sort(key=lambda nodes: (-len(nodes), nodes))
    components = [Component(nodes, _positions(graph.subgraph(nodes), nodes)) for nodes in connected]

    # Width of the whole, by the area that components and nodes without edges take.
    isolated = [node for node in range(n) if graph.degree(node) == 0]
    longest_name = max((len(names[node]) for node in isolated), default=0)
    column_width = float(np.clip(LETTER * longest_name, *COLUMN_WIDTH))
    area = sum(float(np.prod(component.size + GAP)) for component in components)
    area += len(isolated) * column_width * ROW_HEIGHT
    width = max([np.sqrt(area * ASPECT), *(component.size[0] for component in components)], default=1.0)

    # Positions of all nodes.
    xy = np.zeros((n, 2))
    top = _place_on_shelves(xy, components, width)
    n_columns = max(round(width / column_width) + 1, 1)
    for k, node in enumerate(isolated):
        row, column = divmod(k, n_columns)
        xy[node] = column * column_width, top + row * ROW_HEIGHT
    return xy


def _positions(graph: Any, nodes: list[int]) -> np.ndarray:
    """Positions (c, 2) of the nodes of a connected component, wider than high."""
    import networkx as nx

    if len(nodes) == 2:
        return np.array([[0.0, 0.0], [1.0, 0.0]])
    # The layout depends on the order of nodes and edges.
    strongest = max(weight for *_, weight in graph.edges(data="weight"))
    ordered = nx.Graph()
    ordered.add_nodes_from(nodes)
    for a, b, weight in sorted(graph.edges(data="weight")):
        length = LONGEST_EDGE - SHORTENING * weight / strongest
        ordered.add_edge(a, b, weight=weight / strongest, length=length)
    if len(nodes) <= MAX_SPRING_NODES:
        position_of = nx.kamada_kawai_layout(ordered, weight="length")
    else:
        position_of = nx.spring_layout(ordered, seed=SEED, weight="weight")
    xy = np.array([position_of[node] for node in nodes])
    lengths = [np.hypot(*(xy[nodes.index(a)] - xy[nodes.index(b)])) for a, b in ordered.edges]
    xy = (xy - xy.min(axis=0)) / max(float(np.median(lengths)), MIN_LENGTH)
    width, height = np.ptp(xy, axis=0)
    return np.asarray(xy if width >= height else xy[:, ::-1])


def _place_on_shelves(xy: np.ndarray, components: Sequence[Component], width: float) -> float:
    """Place components side by side in rows of a width, from the top; return where the next row begins.

    Parameters
    ----------
    xy : (n, 2) float64 array
        Positions of all nodes, of which those of the components are set.
    components : sequence of Component
        Components, in this order.
    width : float
        Width of a row.
    """
    if not components:
        return 0.0
    x = 0.0
    y = 0.0
    row_height = 0.0
    for component in components:
        component_width, component_height = component.size.tolist()
        if x > 0 and x + component_width > width:
            x = 0.0
            y = y + row_height + GAP
            row_height = 0.0
        xy[component.nodes] = component.xy + np.array([x, y])
        x = x + component_width + GAP
        row_height = max(row_height, component_height)
    return y + row_height + GAP
