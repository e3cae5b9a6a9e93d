"""Manhattan plots as SVG: a value for each variant along the chromosomes; and the band of p-values in a QQ plot.

`GenotypeRanking.manhattan_plot` calls `manhattan`. *Rank Genotypes* draws its own plot from `along`, `band` and
`inflation`.
"""

from typing import NamedTuple

import numpy as np

from ..core import genomic_inflation
from ..core.svg import FAINT, INK, NEGATIVE, POSITIVE, picture_file
from ..core.words import xml_text
from .genotypes import Variants

# Size of the picture and its margins, in pixels
WIDTH = 1100
HEIGHT = 420
LEFT = 70
TOP = 50
RIGHT = 20
BOTTOM = 60
# Colours
GRID = "#e4e7eb"
CHROMOSOMES = (POSITIVE, "#8aa9bb")  # in turn
# Chosen by eye
NAMED = 5  # variants whose names are written
GRID_LINES = 5
GAP = 0.02  # between chromosomes, as a share of the one before
MAX_USUAL_INFLATION = 1.1  # genomic inflation above which possible causes are named
BAND_POINTS = 300  # ranks for which a band is computed


class ChromosomeAxis(NamedTuple):
    """Positions of p variants on an axis from 0 to 1, one chromosome after another.

    Attributes
    ----------
    x : (p,) float64 array
        Position of each variant.
    number : (p,) int array
        Number of its chromosome, in the order of the axis.
    labels : list of (str, float)
        Name of each chromosome, and the middle of it.
    """

    x: np.ndarray
    number: np.ndarray
    labels: list[tuple[str, float]]


def along(variants: Variants) -> ChromosomeAxis:
    """Compute the positions of variants on the axis of a Manhattan plot.

    Within a chromosome they are proportional to base pairs, or to the order of variants if base pairs are unknown.
    """
    names = sorted(set(variants.chromosome.tolist()), key=_natural)
    number_of = {name: c for c, name in enumerate(names)}
    number = np.array([number_of[name] for name in variants.chromosome.tolist()])
    x: np.ndarray = np.zeros(len(variants))
    labels = []
    start = 0.0
    for c, name in enumerate(names):
        of_chromosome = np.flatnonzero(number == c)
        position = variants.position[of_chromosome].astype(float)
        if np.ptp(position) == 0:
            position = np.arange(len(of_chromosome), dtype=float)
        span = max(float(np.ptp(position)), 1.0)
        x[of_chromosome] = start + position - position.min()
        labels.append((name, start + span / 2))
        start += span * (1 + GAP)
    return ChromosomeAxis(x / start, number, [(name, middle / start) for name, middle in labels])


def manhattan(title: str, label: str, variants: Variants, values: np.ndarray) -> str:
    """Draw a Manhattan plot. Of points that coincide one is drawn, so that a million variants make a small file.

    Parameters
    ----------
    title : str
        Title of the plot; empty: the page around it has one.
    label : str
        Label of the vertical axis.
    variants : Variants
        Names, chromosomes and positions of p variants.
    values : (p,) float array
        Heights of their points.

    Returns
    -------
    str
        The SVG.
    """
    axis = along(variants)
    low = float(values.min())
    high = float(values.max())
    scale = (HEIGHT - TOP - BOTTOM) / (high - low if high > low else 1.0)
    x = np.round(LEFT + axis.x * (WIDTH - LEFT - RIGHT), 1)
    y = np.round(HEIGHT - BOTTOM - (values - low) * scale, 1)
    elements = [
        f'<text x="18" y="{HEIGHT / 2}" transform="rotate(-90 18 {HEIGHT / 2})" text-anchor="middle" '
        f'fill="{FAINT}">{xml_text(label)}</text>',
    ]
    for value in np.linspace(low, high, GRID_LINES):
        height = HEIGHT - BOTTOM - (value - low) * scale
        elements.append(
            f'<text x="{LEFT - 8}" y="{height + 4:.1f}" text-anchor="end" fill="{FAINT}">{value:.3g}</text>'
        )
        elements.append(f'<path class="grid" d="M{LEFT} {height:.1f}H{WIDTH - RIGHT}" stroke="{GRID}"/>')
    elements += _dots(x, y, axis.number)
    best = np.argsort(-values, kind="stable")[:NAMED].tolist()
    for j in best:
        elements += _named_dot(float(x[j]), float(y[j]), str(variants.name[j]))
    elements += _chromosome_labels(axis.labels)
    return picture_file((WIDTH, HEIGHT), title, (LEFT, 28), elements)


def _dots(x: np.ndarray, y: np.ndarray, number: np.ndarray) -> list[str]:
    """A path for each colour, with a dot at each different point (x, y) in pixels."""
    _, different = np.unique(np.stack([x, y], axis=1), axis=0, return_index=True)
    paths = []
    for parity, colour in enumerate(CHROMOSOMES):
        of_colour = different[number[different] % 2 == parity]
        points = zip(x[of_colour].tolist(), y[of_colour].tolist(), strict=True)
        dots = "".join(f"M{a:g} {b:g}h0" for a, b in points)
        paths.append(f'<path d="{dots}" stroke="{colour}" stroke-width="3" stroke-linecap="round" fill="none"/>')
    return paths


def _named_dot(x: float, y: float, name: str) -> list[str]:
    """A larger dot with a name beside it, on the side that has room."""
    is_right = x > WIDTH / 2
    anchor = "end" if is_right else "start"
    x_of_name = x - 6 if is_right else x + 6
    return [
        f'<circle cx="{x:g}" cy="{y:g}" r="3" fill="{NEGATIVE}"/>',
        f'<text x="{x_of_name:g}" y="{y + 4:g}" text-anchor="{anchor}" fill="{INK}">{xml_text(name)}</text>',
    ]


def _chromosome_labels(labels: list[tuple[str, float]]) -> list[str]:
    """Names of chromosomes below the axis, and the caption of the axis."""
    elements = []
    for name, middle in labels:
        x = LEFT + middle * (WIDTH - LEFT - RIGHT)
        elements.append(
            f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle" fill="{FAINT}">{xml_text(name)}</text>'
        )
    caption = "chromosome" if any(name for name, _ in labels) else "variants in their order"
    elements.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 12}" text-anchor="middle" fill="{FAINT}">{caption}</text>')
    return elements


def inflation(p: np.ndarray) -> str:
    """Sentence on the genomic inflation of p-values (m,), with possible causes if it is large."""
    factor = genomic_inflation(p)
    causes = ": a confounder that is no covariate, rows that belong together, or many small effects"
    return f"lambda {factor:.2f}{causes if factor > MAX_USUAL_INFLATION else ''}"


class Band(NamedTuple):
    """Band that holds 95 % of the i-th smallest p-value under the null hypothesis.

    Attributes
    ----------
    rank : (k,) int array
        Ranks i of the p-values, from 1, at equal distances on a logarithmic scale.
    low, high : (k,) float64 arrays
        Ends of the band.
    """

    rank: np.ndarray
    low: np.ndarray
    high: np.ndarray


def band(m: int) -> Band:
    """Band of m uniform p-values: the i-th smallest has the distribution Beta(i, m - i + 1)."""
    from scipy.special import betaincinv  # which takes time

    i = np.unique(np.geomspace(1, m, BAND_POINTS).round().astype(int))
    return Band(i, betaincinv(i, m - i + 1, 0.025), betaincinv(i, m - i + 1, 0.975))


def _natural(name: str) -> tuple[bool, int, str]:
    """Key that sorts chromosome 2 before 10, and both before X."""
    plain = name.removeprefix("chr")
    is_number = plain.isdecimal() and len(plain) < 19  # digits of an int64
    return not is_number, int(plain) if is_number else 0, name
