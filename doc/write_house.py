"""The writer of developers/house.svg, from the layers of the architecture test; doc/write.py calls it."""

from html import escape
from pathlib import Path

from orangecontrib.reliefe.tests.test_architecture import LAYERS

PICTURE = Path(__file__).parent / "developers" / "house.svg"
WIDTH, ROW, GAP, LETTER = 860, 34, 8, 7.4
FLOORS = ("widgets", "#e8c7a0"), ("core", "#a8d5c8"), ("", "#b9cbe8")  # by the beginning of a name


def picture() -> str:
    """The house as SVG: a row for each layer, the first one at the bottom."""
    height = len(LAYERS) * (ROW + GAP) + GAP
    frame = f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="13"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {frame}>',
        f'<rect width="{WIDTH}" height="{height}" rx="8" fill="#f7f7f5"/>',
    ]
    for level, names in enumerate(reversed(LAYERS)):
        y, widths = GAP + level * (ROW + GAP), [max(70, LETTER * len(title(name)) + 20) for name in names]
        x = (WIDTH - sum(widths) - GAP * (len(names) - 1)) / 2
        for name, width in zip(names, widths, strict=True):
            color = next(color for start, color in FLOORS if name.startswith(start))
            parts.append(f'<rect x="{x:.0f}" y="{y}" width="{width:.0f}" height="{ROW}" rx="5" fill="{color}"/>')
            middle = f'x="{x + width / 2:.0f}" y="{y + ROW / 2 + 5:.0f}" text-anchor="middle" fill="#222222"'
            parts.append(f"<text {middle}>{escape(title(name))}</text>")
            x += width + GAP
    return "\n".join([*parts, "</svg>"]) + "\n"


def title(name: str) -> str:
    """A room as people call it; the package itself has no name in the test."""
    return name or "orangecontrib.reliefe"


def texts() -> dict[Path, str]:
    """Return the picture that this writer draws."""
    return {PICTURE: picture()}
