"""Picture of interacting features: a circle of names, and a line for each edge.

page.py calls `network_chart` where the pairs were computed (`core.partners`).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..svg import picture_in_page
from ..words import cut, xml_text

WIDTH = 420
RADIUS = 85  # of the circle, in units of the view box
NAME_GAP = 10
NAME_CHARACTERS = 19  # which have room beside the circle
LINE_WIDTHS = 1.0, 4.0  # of the weakest and of the strongest edge
MAX_EDGES = 40  # chosen by eye: more lines cannot be followed


class Edge(NamedTuple):
    """Pair of interacting features.

    Attributes
    ----------
    first, second : str
        Names of the features.
    strength : float
        z of the pair.
    """

    first: str
    second: str
    strength: float


def network_chart(edges: Sequence[Edge]) -> str:
    """Draw the strongest edges; features are on a circle in the order of their first edge."""
    drawn = edges[:MAX_EDGES]
    names = list(dict.fromkeys(name for edge in drawn for name in (edge.first, edge.second)))
    height = 2 * RADIUS + 60
    angles = 2 * np.pi * np.arange(len(names)) / max(len(names), 1) - np.pi / 2
    x = WIDTH / 2 + RADIUS * np.cos(angles)
    y = height / 2 + RADIUS * np.sin(angles)
    index_of_name = {name: i for i, name in enumerate(names)}
    strongest = max((edge.strength for edge in drawn), default=1.0)
    thin, thick = LINE_WIDTHS
    elements = []
    for edge in drawn:
        a, b = index_of_name[edge.first], index_of_name[edge.second]
        width = thin + (thick - thin) * max(edge.strength, 0.0) / strongest
        title = f"<title>{xml_text(edge.first)} and {xml_text(edge.second)}: z {edge.strength:.3g}</title>"
        elements.append(
            f'<path class="edge" stroke-width="{width:.1f}" d="M{x[a]:.1f} {y[a]:.1f}L{x[b]:.1f} {y[b]:.1f}">'
            f"{title}</path>"
        )
    for name, i in index_of_name.items():
        is_right = x[i] >= WIDTH / 2
        anchor = "start" if is_right else "end"
        label_x = x[i] + (NAME_GAP if is_right else -NAME_GAP)
        elements.append(f'<circle class="point discovered" cx="{x[i]:.1f}" cy="{y[i]:.1f}" r="5"/>')
        elements.append(
            f'<text class="name" x="{label_x:.1f}" y="{y[i] + 4:.1f}" text-anchor="{anchor}">'
            f"<title>{xml_text(name)}</title>{xml_text(cut(name, NAME_CHARACTERS))}</text>"
        )
    label = f"network of {len(names)} features with {len(drawn)} pairs"
    return picture_in_page((WIDTH, height), label, elements)
