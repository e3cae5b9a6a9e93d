"""Bar chart of scores as a file of SVG.

`Ranking.save` calls `bar_chart`, and the command for --plot.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .svg import FAINT, INK, NEGATIVE, POSITIVE, picture_file
from .words import shortened, xml_text

# Sizes in pixels
MARGIN = 24
GAP = 10
TITLE_HEIGHT = 30
LINE_HEIGHT = 18
ROW_HEIGHT = 22
BAR_HEIGHT = 14
BARS_WIDTH = 420
SCORE_WIDTH = 64
MIN_WIDTH = 480
# Widths of characters, large enough for most fonts
NARROW = 8
WIDE = 13
TITLE_CHARACTER = 10
AXIS = "#9aa5b1"  # colour


@dataclass(frozen=True)
class _Scale:
    """Horizontal positions in pixels.

    Attributes
    ----------
    names_end : float
        Right end of the names.
    zero : float
        Position of the axis, at score 0.
    per_unit : float
        Pixels of a score of 1.
    """

    names_end: float
    zero: float
    per_unit: float


def bar_chart(title: str, lines: Sequence[str], names: Sequence[str], scores: np.ndarray) -> str:
    """Draw a bar for each score, from top to bottom, with names on the left, and scores at the ends of the bars.

    Parameters
    ----------
    title : str
        Title of the chart.
    lines : sequence of str
        Lines below the title.
    names : sequence of str
        Names of the p features.
    scores : (p,) array
        Their scores.

    Returns
    -------
    str
        The SVG.
    """
    low = min(scores.min(initial=0.0), 0.0)
    high = max(scores.max(initial=0.0), 0.0)
    per_unit = BARS_WIDTH / (high - low) if high > low else 0.0
    labels = [shortened(name) for name in names]

    # Positions, from the left to the right and from the top down.
    bars_begin = MARGIN + max(map(_width, labels), default=0) + GAP
    width_of_negative_scores = SCORE_WIDTH + GAP if low < 0 else 0
    zero = bars_begin + width_of_negative_scores - low * per_unit
    scale = _Scale(bars_begin - GAP, zero, per_unit)
    right = zero + high * per_unit + SCORE_WIDTH + MARGIN
    text_width = max([len(title) * TITLE_CHARACTER, *map(_width, lines)]) + 2 * MARGIN
    top = MARGIN + TITLE_HEIGHT + LINE_HEIGHT * len(lines) + GAP
    bottom = top + ROW_HEIGHT * len(labels)
    width = max(round(right), text_width, MIN_WIDTH)
    height = bottom + MARGIN

    elements = []
    for k, line in enumerate(lines):
        y = MARGIN + TITLE_HEIGHT + LINE_HEIGHT * k + 8
        elements.append(f'<text x="{MARGIN}" y="{y}" fill="{FAINT}">{xml_text(line)}</text>')
    for k, (name, label, score) in enumerate(zip(names, labels, scores.tolist(), strict=True)):
        elements.append(_row(name, label, score, scale, top + ROW_HEIGHT * k))
    elements.append(f'<path d="M{zero:.1f} {top}V{bottom}" stroke="{AXIS}"/>')
    return picture_file((width, height), title, (MARGIN, MARGIN + 14), elements) + "\n"


def _row(name: str, label: str, score: float, scale: _Scale, top: int) -> str:
    """Name, bar and score of a feature; `top` is the upper end of the row."""
    length = abs(score) * scale.per_unit
    if score < 0:
        colour = NEGATIVE
        bar_begin = scale.zero - length
        score_x = bar_begin - 6
        anchor = "end"
    else:
        colour = POSITIVE
        bar_begin = scale.zero
        score_x = scale.zero + length + 6
        anchor = "start"
    baseline = top + ROW_HEIGHT / 2 + 4.5
    bar_top = top + (ROW_HEIGHT - BAR_HEIGHT) / 2
    return (
        f"<g><title>{xml_text(name)}: {score:.5f}</title>"
        f'<text x="{scale.names_end}" y="{baseline}" text-anchor="end" font-size="13" fill="{INK}">'
        f"{xml_text(label)}</text>"
        f'<rect x="{bar_begin:.1f}" y="{bar_top:g}" width="{length:.1f}" height="{BAR_HEIGHT}" '
        f'rx="2" fill="{colour}"/>'
        f'<text x="{score_x:.1f}" y="{baseline}" text-anchor="{anchor}" fill="{FAINT}">{score:.5f}'
        "</text></g>"
    )


def _width(text: str) -> int:
    """Width of a text in pixels, at most."""
    return sum(WIDE if unicodedata.east_asian_width(c) in "WF" or c in "MWmw%@" else NARROW for c in text)
