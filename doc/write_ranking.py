"""The writer of developers/ranking.svg, from the table of developers/ranking.md; doc/write.py calls it."""

import re
from html import escape
from pathlib import Path

PAGE = Path(__file__).parent / "developers" / "ranking.md"
PICTURE = PAGE.with_suffix(".svg")
WIDTH, HEIGHT, GAP, MARGIN = 720, 46, 18, 14
FILLS = {"data": "#b9cbe8", "neighbours": "#a8d5c8", "scores": "#e8c7a0", "tests": "#d6c3e6"}
# Kinds of the steps, from the first one on
KINDS = ["data"] * 2 + ["neighbours"] * 3 + ["scores"] * 2 + ["data"] + ["tests"] * 4


def steps(page: str) -> list[tuple[str, str]]:
    """Title and functions of each step of the first table of the page."""
    found: list[tuple[str, str]] = []
    for line in page.split("|---|---|---|\n")[1].split("\n\n")[0].splitlines():
        title, functions, _ = (cell.strip() for cell in line.strip("|").split("|"))
        names = " ".join(re.findall(r"`([^`]+)`", functions)).replace(" ", ": ")
        if title:
            found.append((title, names))
        else:
            found[-1] = found[-1][0], f"{found[-1][1]}, {names}"
    return found


def picture() -> str:
    """The steps as SVG, one below the other, with arrows between them."""
    found = steps(PAGE.read_text(encoding="utf-8"))
    height = len(found) * (HEIGHT + GAP) + GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif">',
        f'<rect width="{WIDTH}" height="{height}" rx="8" fill="#f7f7f5"/>',
    ]
    for number, (title, functions) in enumerate(found):
        y = GAP + number * (HEIGHT + GAP)
        fill = FILLS[KINDS[number]]
        box = f'x="{MARGIN}" y="{y}" width="{WIDTH - 2 * MARGIN}" height="{HEIGHT}"'
        parts.append(f'<rect {box} rx="5" fill="{fill}"/>')
        middle = f'x="{WIDTH / 2:.0f}" text-anchor="middle" fill="#222222"'
        parts.append(f'<text {middle} y="{y + 19}" font-size="14" font-weight="bold">{escape(title)}</text>')
        parts.append(f'<text {middle} y="{y + 37}" font-size="11">{escape(functions)}</text>')
        if number + 1 < len(found):
            x, top = WIDTH // 2, y + HEIGHT
            parts.append(f'<path d="M{x} {top + 2} v{GAP - 8} m-4 -5 l4 5 l4 -5" stroke="#555555" fill="none"/>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def texts() -> dict[Path, str]:
    """Return the picture that this writer draws."""
    return {PICTURE: picture()}
