"""Charts of the report as SVG: scores by rank, p-values, and the values of a feature by groups of rows.

page.py puts them into its template. Colours are classes of report.css, so that they follow light, dark and print.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from ..svg import picture_in_page
from ..words import shortened, xml_text
from .values import GroupBoxes, GroupShares

WIDTH = 420  # of a chart, in units of its view box; the page scales it
HEIGHT = 250
LEFT = 58
RIGHT = 14
TOP = 12
BOTTOM = 44
N_TICKS = 5
HALF_SIDE = 4  # of the squares of discoveries, which differ from other points in shape, too
MARGIN = 0.03  # beyond the outermost values, as a share of their range, so that no point is cut
MAX_POINTS = 4000  # of a chart; more are thinned where they lie densest, at its left
ROW_HEIGHT = 24  # of a box or a bar
LABEL_WIDTH = 110
COUNT_WIDTH = 50
BAR_HEIGHT = 14


class Axis:
    """Linear axis.

    Attributes
    ----------
    low, high : float
        Smallest and largest value.
    start, end : float
        Their coordinates.
    """

    def __init__(self, values: np.ndarray, start: float, end: float):
        self.low = float(np.min(values)) if len(values) else 0.0
        self.high = float(np.max(values)) if len(values) else 0.0
        margin = MARGIN * (self.high - self.low) or 0.5  # the latter around a single value
        self.low -= margin
        self.high += margin
        self.start = start
        self.end = end

    def at(self, values: np.ndarray) -> np.ndarray:
        """Coordinates of values."""
        per_unit = (self.end - self.start) / (self.high - self.low)
        coordinates: np.ndarray = self.start + per_unit * (np.asarray(values, float) - self.low)
        return coordinates

    def ticks(self) -> np.ndarray:
        """About `N_TICKS` round values."""
        rough = (self.high - self.low) / N_TICKS
        power = 10.0 ** np.floor(np.log10(rough))
        step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
        values: np.ndarray = np.arange(np.ceil(self.low / step), np.floor(self.high / step) + 1) * step
        return values


def scores_by_rank(scores: np.ndarray, discovered: np.ndarray, names: Sequence[str]) -> str:
    """Draw the scores in their order, the best at the left.

    Parameters
    ----------
    scores : (p,) array
        The best first.
    discovered : (p,) bool array
        True for features at a false discovery rate of 10 %, which are filled squares.
    names : sequence of str
        Names of the p features, in the same order.
    """
    positions = np.arange(1, len(scores) + 1)
    return _points(positions, scores, discovered, names, ("rank", "score"))


def volcano(scores: np.ndarray, p_values: np.ndarray, discovered: np.ndarray, names: Sequence[str]) -> str:
    """Draw -log10 of the p-values (p,) over the scores (p,)."""
    return _points(scores, -np.log10(p_values), discovered, names, ("score", "-log10 p"))


def quantile_plot(p_values: np.ndarray, discovered: np.ndarray, names: Sequence[str]) -> str:
    """Draw -log10 of sorted p-values (p,) over their expectation without any relevant feature, i / (p + 1)."""
    order = np.argsort(p_values, kind="stable")
    expected = -np.log10(np.arange(1, len(order) + 1) / (len(order) + 1))
    titles = ("expected -log10 p", "-log10 p")
    return _points(expected, -np.log10(p_values[order]), discovered[order], [names[j] for j in order], titles, True)


def rank_chart(ranks: np.ndarray, other_ranks: np.ndarray, names: Sequence[str], titles: tuple[str, str]) -> str:
    """Draw ranks (p,) in one ranking over those in another one, with the line of equal ranks.

    Parameters
    ----------
    ranks, other_ranks : (p,) int arrays
        Ranks of the features, 1 is best.
    names : sequence of str
        Names of the p features.
    titles : (str, str)
        Titles of the two rankings.
    """
    order = np.argsort(ranks, kind="stable")  # the best ones stay where points are thinned
    none = np.zeros(len(order), bool)
    axes = f"rank by {xml_text(titles[0])}", f"rank by {xml_text(titles[1])}"
    return _points(ranks[order], other_ranks[order], none, [names[j] for j in order], axes, True)


def _points(
    x: np.ndarray,
    y: np.ndarray,
    discovered: np.ndarray,
    names: Sequence[str],
    titles: tuple[str, str],
    diagonal: bool = False,
) -> str:
    """Draw points, the discovered ones on top, with the name of each as its tooltip."""
    x_axis = Axis(x, LEFT, WIDTH - RIGHT)
    y_axis = Axis(y, HEIGHT - BOTTOM, TOP)
    elements = [*_axes(x_axis, y_axis, titles)]
    if diagonal:
        end = min(x_axis.high, y_axis.high)
        start = max(x_axis.low, y_axis.low)
        (x1, x2), (y1, y2) = x_axis.at(np.array([start, end])), y_axis.at(np.array([start, end]))
        elements.append(f'<path class="rule" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>')
    across = x_axis.at(x)
    down = y_axis.at(y)
    for j in _thinned(discovered):
        title = f"<title>{xml_text(shortened(names[j]))}: {x[j]:.4g}, {y[j]:.4g}</title>"
        if discovered[j]:
            corner = f'x="{across[j] - HALF_SIDE:.1f}" y="{down[j] - HALF_SIDE:.1f}"'
            square_side = 2 * HALF_SIDE
            elements.append(
                f'<rect class="point discovered" {corner} width="{square_side}" height="{square_side}">{title}</rect>'
            )
        else:
            elements.append(f'<circle class="point" cx="{across[j]:.1f}" cy="{down[j]:.1f}" r="3">{title}</circle>')
    return picture_in_page((WIDTH, HEIGHT), f"{titles[1]} by {titles[0]} of {len(x):,} features", elements)


def _thinned(discovered: np.ndarray) -> np.ndarray:
    """Indices of points that are drawn: an even choice of those that are not discovered, then the discovered ones."""
    rest = np.flatnonzero(~discovered)
    if len(rest) > MAX_POINTS:
        # Of points in the order of their scores, the first ones are the best: all of these stay.
        first = rest[: MAX_POINTS // 2]
        spread = rest[np.linspace(MAX_POINTS // 2, len(rest) - 1, MAX_POINTS // 2).astype(int)]
        rest = np.concatenate([first, spread])
    return np.concatenate([rest, np.flatnonzero(discovered)[:MAX_POINTS]])


def _axes(x_axis: Axis, y_axis: Axis, titles: tuple[str, str]) -> Iterable[str]:
    """Lines, ticks and titles of two axes."""
    bottom = HEIGHT - BOTTOM
    yield f'<path class="axis" d="M{LEFT} {TOP}V{bottom}H{WIDTH - RIGHT}"/>'
    for value, at in zip(x_axis.ticks(), x_axis.at(x_axis.ticks()), strict=True):
        yield f'<text class="tick" x="{at:.1f}" y="{bottom + 16}" text-anchor="middle">{_number(value)}</text>'
    for value, at in zip(y_axis.ticks(), y_axis.at(y_axis.ticks()), strict=True):
        yield f'<text class="tick" x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{_number(value)}</text>'
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield f'<text class="title" x="{middle:g}" y="{HEIGHT - 8}" text-anchor="middle">{titles[0]}</text>'
    yield (
        f'<text class="title" transform="translate(14 {(TOP + bottom) / 2:g}) rotate(-90)" text-anchor="middle">'
        f"{titles[1]}</text>"
    )


def group_chart(values: GroupBoxes | GroupShares) -> str:
    """Draw the values of a feature: a box for each group of rows, or a bar that is divided by categories."""
    if isinstance(values, GroupShares):
        return _share_bars(values)
    return _boxes(values)


def _boxes(values: GroupBoxes) -> str:
    """Draw quantiles: a line from 5 % to 95 % of the rows, a box from 25 % to 75 %, and the median."""
    height = ROW_HEIGHT * len(values.groups) + 24
    finite = values.quantiles[np.isfinite(values.quantiles)]
    axis = Axis(finite, LABEL_WIDTH + 10, WIDTH - COUNT_WIDTH)
    elements = []
    for row, quantiles in enumerate(values.quantiles):
        middle = ROW_HEIGHT * row + ROW_HEIGHT / 2
        elements += _row_texts(values.groups[row], values.counts[row], middle)
        if np.isfinite(quantiles).all():
            low, lower, median, upper, high = axis.at(quantiles)
            box_top = middle - BAR_HEIGHT / 2
            box_width = max(upper - lower, 1)
            elements.append(f'<path class="axis" d="M{low:.1f} {middle}H{high:.1f}"/>')
            elements.append(
                f'<rect class="box" x="{lower:.1f}" y="{box_top}" width="{box_width:.1f}" height="{BAR_HEIGHT}"/>'
            )
            elements.append(f'<path class="median" d="M{median:.1f} {box_top}v{BAR_HEIGHT}"/>')
    for value, at in zip(axis.ticks(), axis.at(axis.ticks()), strict=True):
        elements.append(
            f'<text class="tick" x="{at:.1f}" y="{height - 6}" text-anchor="middle">{_number(value)}</text>'
        )
    return picture_in_page((WIDTH, height), f"quantiles in {len(values.groups)} groups", elements)


def _share_bars(values: GroupShares) -> str:
    """Draw the shares of categories as parts of a bar for each group, with their names below."""
    height = ROW_HEIGHT * len(values.groups)
    bar_width = WIDTH - COUNT_WIDTH - LABEL_WIDTH - 10
    elements = []
    for row, shares in enumerate(values.shares):
        middle = ROW_HEIGHT * row + ROW_HEIGHT / 2
        elements += _row_texts(values.groups[row], values.counts[row], middle)
        starts = LABEL_WIDTH + 10 + bar_width * np.concatenate([[0.0], np.cumsum(shares)[:-1]])
        for category, (start, share) in enumerate(zip(starts, shares, strict=True)):
            title = f"<title>{xml_text(values.categories[category])}: {share:.0%}</title>"
            elements.append(
                f'<rect class="share{category}" x="{start:.1f}" y="{middle - BAR_HEIGHT / 2}" '
                f'width="{bar_width * share:.1f}" height="{BAR_HEIGHT}">{title}</rect>'
            )
    description = f"shares of {len(values.categories)} categories in {len(values.groups)} groups"
    return picture_in_page((WIDTH, height), description, elements)


def _row_texts(group: str, count: int, middle: float) -> list[str]:
    """Name of a group at the left, and its number of rows at the right."""
    label = xml_text(shortened(group))
    return [
        f'<text class="tick" x="{LABEL_WIDTH}" y="{middle + 4}" text-anchor="end">{label}</text>',
        f'<text class="tick" x="{WIDTH}" y="{middle + 4}" text-anchor="end">{count:,}</text>',
    ]


def _number(value: float) -> str:
    value = value + 0.0  # no negative zero
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
