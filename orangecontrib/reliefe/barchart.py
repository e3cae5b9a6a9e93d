"""Bar charts of rankings as SVG."""

import unicodedata
from collections.abc import Sequence

import numpy as np

from .core.words import xml_text as _text
from .terminal import shortened

MARGIN, GAP = 24, 10
TITLE_HEIGHT, LINE_HEIGHT, ROW_HEIGHT, BAR_HEIGHT = 30, 18, 22, 14
BARS_WIDTH, SCORE_WIDTH = 420, 64
NARROW, WIDE, TITLE_CHARACTER = 8, 13, 10  # pixels of a character, on the safe side for most fonts
MIN_WIDTH = 480
BACKGROUND, INK, FAINT, AXIS = "#ffffff", "#1f2933", "#616e7c", "#9aa5b1"
POSITIVE, NEGATIVE = "#2a6f97", "#c8553d"  # told apart by colour-blind people, and by their side of the axis, too
FONT = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', Helvetica, Arial, sans-serif"


def bar_chart(title: str, lines: Sequence[str], names: Sequence[str], scores: Sequence[float]) -> str:
    """A bar for each score, from top to bottom, with names on the left, and scores at the ends of the bars.

    Parameters
    ----------
    title : str
    lines : sequence of str
        Smaller text below the title.
    names : sequence of str, (p,)
        Long ones are shortened; the full one and the score are shown by a browser over the bar.
    scores : sequence of float, (p,)
        Finite; negative ones go to the left.

    Returns
    -------
    str
        A document of SVG, on a light background.
    """
    scores = np.asarray(scores, dtype=float)
    low, high = min(scores.min(initial=0.0), 0.0), max(scores.max(initial=0.0), 0.0)
    per_unit = BARS_WIDTH / (high - low) if high > low else 0.0
    labels = [shortened(name) for name in names]
    start = MARGIN + max(map(_width, labels), default=0) + GAP
    zero = start + (SCORE_WIDTH + GAP if low < 0 else 0) - low * per_unit
    top = MARGIN + TITLE_HEIGHT + LINE_HEIGHT * len(lines) + GAP
    bottom = top + ROW_HEIGHT * len(labels)
    right = zero + high * per_unit + SCORE_WIDTH + MARGIN
    written = max([len(title) * TITLE_CHARACTER, *map(_width, lines)]) + 2 * MARGIN
    width, height = max(round(right), written, MIN_WIDTH), bottom + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="{FONT}" font-size="13" role="img">',
        f"<title>{_text(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="{BACKGROUND}"/>',
        f'<text x="{MARGIN}" y="{MARGIN + 14}" font-size="17" font-weight="600" fill="{INK}">{_text(title)}</text>',
    ]
    for k, line in enumerate(lines):
        y = MARGIN + TITLE_HEIGHT + LINE_HEIGHT * k + 8
        parts.append(f'<text x="{MARGIN}" y="{y}" font-size="12" fill="{FAINT}">{_text(line)}</text>')
    for k, (name, label, score) in enumerate(zip(names, labels, scores.tolist(), strict=True)):
        parts.append(_row(name, label, score, start - GAP, zero, per_unit, top + ROW_HEIGHT * k))
    parts.append(f'<path d="M{zero:.1f} {top}V{bottom}" stroke="{AXIS}"/>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _row(name: str, label: str, score: float, edge: float, zero: float, per_unit: float, y: int) -> str:
    """edge: where names end; zero: of the axis; per_unit: pixels; y: top of the row."""
    length = abs(score) * per_unit
    left, end, anchor = (zero - length, zero - length - 6, "end") if score < 0 else (zero, zero + length + 6, "start")
    colour, base = NEGATIVE if score < 0 else POSITIVE, y + ROW_HEIGHT / 2 + 4.5
    return (
        f"<g><title>{_text(name)}: {score:.5f}</title>"
        f'<text x="{edge}" y="{base}" text-anchor="end" fill="{INK}">{_text(label)}</text>'
        f'<rect x="{left:.1f}" y="{y + (ROW_HEIGHT - BAR_HEIGHT) / 2:g}" width="{length:.1f}" height="{BAR_HEIGHT}" '
        f'rx="2" fill="{colour}"/>'
        f'<text x="{end:.1f}" y="{base}" text-anchor="{anchor}" font-size="12" fill="{FAINT}">{score:.5f}</text></g>'
    )


def _width(text: str) -> int:
    return sum(WIDE if unicodedata.east_asian_width(c) in "WF" or c in "MWmw%@" else NARROW for c in text)
