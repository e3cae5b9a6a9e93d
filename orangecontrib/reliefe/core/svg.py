"""Frames and colours of pictures as SVG: whole files, and pictures in a page.

`bar_chart` and `genetics.manhattan` draw files, `report.charts` and `report.network` pictures in a page, whose style
sheet has their colours. matplotlib draws for `Ranking.plot` only: the package does without it (figures.py).
"""

from collections.abc import Iterable

from .words import xml_text

# Colours; the first two differ for colour-blind people
POSITIVE = "#2a6f97"
NEGATIVE = "#c8553d"
INK = "#1f2933"
FAINT = "#616e7c"
BACKGROUND = "#ffffff"
FONT = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', Helvetica, Arial, sans-serif"


def picture_file(size: tuple[int, int], title: str, title_position: tuple[int, int], elements: Iterable[str]) -> str:
    """Frame the elements of a file with its title and background.

    Parameters
    ----------
    size : (int, int)
        Width and height in pixels.
    title : str
        Title; empty: the page around the picture has one.
    title_position : (int, int)
        Left end and baseline of the title, in pixels.
    elements : iterable of str
        SVG of the picture; texts have 12 pixels unless they say otherwise.
    """
    width, height = size
    x, y = title_position
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="{FONT}" font-size="12" role="img">',
            f"<title>{xml_text(title)}</title>",
            f'<rect class="background" width="{width}" height="{height}" fill="{BACKGROUND}"/>',
            f'<text x="{x}" y="{y}" font-size="17" font-weight="600" fill="{INK}">{xml_text(title)}</text>',
            *elements,
            "</svg>",
        ]
    )


def picture_in_page(size: tuple[int, int], description: str, elements: Iterable[str]) -> str:
    """Frame the elements of a picture that is as wide as the page allows.

    Parameters
    ----------
    size : (int, int)
        Width and height of the view box.
    description : str
        Text for screen readers.
    elements : iterable of str
        SVG of the picture.
    """
    width, height = size
    head = f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{xml_text(description)}">'
    return "\n".join([head, *elements, "</svg>"])
