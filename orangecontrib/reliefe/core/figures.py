"""Figures of rankings by matplotlib, with their captions: scores, p-values, two rankings, and networks.

`Ranking.plot` and `Partners.plot` draw here, and `save_figure` writes files for papers. matplotlib is imported when a
figure is drawn, for the package does without it.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from .checks import one_of
from .svg import NEGATIVE, POSITIVE
from .words import counted, shortened, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SCORES = "scores"
P_VALUES = "p-values"
QUANTILES = "quantiles"
COMPARISON = "comparison"
KINDS = (SCORES, P_VALUES, QUANTILES, COMPARISON)
LEVEL = 0.1  # false discovery rate of the features in colour
OTHER_POINTS = "#9aa5b1"
N_NAMED = 10  # best features with names in a chart of points; chosen by eye
NAME_SIZE = 0.3, 0.04  # width and height that a name may need, as shares of the axes
POINT_AREA = 16  # in square points
LINE_WIDTHS = 0.8, 3.5  # of the weakest and the strongest pair, in points
NEEDS_MATPLOTLIB = "figures need matplotlib: pip install matplotlib"


@dataclass(frozen=True, eq=False)
class Drawn:
    """A ranking as its figures show it.

    Attributes
    ----------
    method : str
        Title of the method.
    purpose : str
        What items are ranked for: "for ill and well", or "without a target"; empty where it is not known.
    noun : str
        Word for the items that are ranked: feature or group.
    rows : int
        Number of rows; 0: unknown.
    names : sequence of str
        Names of the p items.
    scores : (p,) array
        Their scores.
    order : (p,) int array
        Indices of the items, the best first.
    p_values, q_values : (p,) array or None
        p-values and false discovery rates, if there are any.
    n_shuffles : int
        Number of permuted targets of the p-values.
    """

    method: str
    purpose: str
    noun: str
    rows: int
    names: Sequence[str]
    scores: np.ndarray
    order: np.ndarray
    p_values: np.ndarray | None = None
    q_values: np.ndarray | None = None
    n_shuffles: int = 0

    @property
    def what(self) -> str:
        """Items, method and rows in words."""
        rows = f" in {counted(self.rows, 'row')}" if self.rows else ""
        return f"{counted(len(self.scores), self.noun)} by {self.title}{rows}"

    @property
    def title(self) -> str:
        """Method and purpose."""
        return f"{self.method} {self.purpose}".rstrip()


def new_axes(width: float = 5.0, height: float = 4.0) -> "Axes":
    """Make axes in a figure of their own; raises ImportError without matplotlib. Sizes are in inches."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError(NEEDS_MATPLOTLIB) from error
    axes: Axes = pyplot.figure(figsize=(width, height), layout="constrained").add_subplot()
    return axes


def draw(kind: str, drawn: Drawn, other: Drawn | None, best: np.ndarray, axes: "Axes | None") -> "Axes":
    """Draw a figure of a ranking.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    drawn, other : Drawn
        The ranking, and that to which a comparison compares it.
    best : int array
        Items that have bars in a figure of scores, the best first.
    axes : Axes or None
        Axes to draw on; None: in a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        For an unknown kind, without p-values that the kind needs, or without another ranking of the same items.
    ImportError
        Without matplotlib.
    """
    _check(kind, drawn, other)
    if kind == SCORES:
        return _draw_scores(drawn, best, axes or new_axes(7, 1 + len(best) / 4))
    axes = axes or new_axes()
    if kind == P_VALUES:
        return _draw_p_values(drawn, axes)
    if kind == QUANTILES:
        return _draw_quantiles(drawn, axes)
    return _draw_comparison(drawn, cast("Drawn", other), axes)


def caption(kind: str, drawn: Drawn, other: Drawn | None = None) -> str:
    """Write the caption of a figure; parameters and errors are those of `draw`."""
    _check(kind, drawn, other)
    if kind == SCORES:
        return f"Best scores of {drawn.what}."
    if kind == COMPARISON:
        return f"Ranks of {drawn.what}, and by {cast('Drawn', other).method}. Rank 1 is best."
    source = f"p-values are from {counted(drawn.n_shuffles, 'permuted target')}."
    colour = f"Colour: discovered at a false discovery rate of {LEVEL:.0%}."
    if kind == P_VALUES:
        return f"Scores and p-values of {drawn.what}. {source} {colour}"
    expected = f"p-values of {drawn.what}, over those expected if no {drawn.noun} is relevant (line)."
    return f"{expected} {source} {colour}"


def draw_network(names: Sequence[str], pairs: Sequence[tuple[int, int, float]], axes: "Axes | None") -> "Axes":
    """Draw pairs of features as lines between names on a circle.

    Parameters
    ----------
    names : sequence of str
        Names of the p features.
    pairs : sequence of (int, int, float)
        Indices of two features, and z of the pair.
    axes : Axes or None
        Axes to draw on; None: in a new figure.
    """
    axes = axes or new_axes()
    features = list(dict.fromkeys(feature for pair in pairs for feature in pair[:2]))
    angles = np.pi / 2 - 2 * np.pi * np.arange(len(features)) / max(len(features), 1)
    x = dict(zip(features, np.cos(angles), strict=True))
    y = dict(zip(features, np.sin(angles), strict=True))
    strongest = max((z for _, _, z in pairs), default=1.0)
    thin, thick = LINE_WIDTHS
    for a, b, z in pairs:
        axes.plot([x[a], x[b]], [y[a], y[b]], color=OTHER_POINTS, linewidth=thin + (thick - thin) * z / strongest)
    axes.scatter([*x.values()], [*y.values()], s=2 * POINT_AREA, color=POSITIVE, zorder=2)
    for feature in features:
        alignment = "left" if x[feature] >= 0 else "right"
        axes.annotate(
            shortened(names[feature]),
            (x[feature], y[feature]),
            xytext=(6 if alignment == "left" else -6, 0),
            textcoords="offset points",
            ha=alignment,
            va="center",
        )
    axes.set(xlim=(-2, 2), ylim=(-1.2, 1.2), aspect="equal")
    axes.set_axis_off()
    return axes


def save_figure(axes: "Axes", path: str | os.PathLike[str], **options: Any) -> None:
    """Write the figure of some axes to a file for a paper.

    In SVG and PDF letters stay text, which can be searched, and edited in a drawing program.

    Parameters
    ----------
    axes : Axes of matplotlib
        Result of `Ranking.plot`.
    path : str or PathLike
        File to write: .svg, .pdf, .png or another format of matplotlib.
    **options
        Further arguments of ``Figure.savefig``, for example dpi.

    Raises
    ------
    TypeError
        If these are no axes.
    ValueError
        If the axes were removed from their figure.
    """
    import matplotlib

    if not hasattr(axes, "get_figure"):
        raise TypeError(f"axes must be those of a figure, not {shown(axes)}: call save_figure(ranking.plot(), path)")
    figure = axes.get_figure(root=True)
    if figure is None:
        raise ValueError("these axes have been removed from their figure: draw them again")
    with matplotlib.rc_context({"svg.fonttype": "none", "pdf.fonttype": 42}):
        figure.savefig(path, **options)


def _check(kind: str, drawn: Drawn, other: Drawn | None) -> None:
    """Raise ValueError if this figure cannot be drawn."""
    one_of("kind", kind, KINDS)
    if kind in (P_VALUES, QUANTILES) and drawn.p_values is None:
        raise ValueError(f"a figure of {kind} needs p-values: call rank(..., significance=True)")
    if kind == COMPARISON and other is None:
        raise ValueError('a comparison needs another ranking: call plot(kind="comparison", other=ranking)')
    if kind == COMPARISON and other is not None and [*other.names] != [*drawn.names]:
        raise ValueError("a comparison needs two rankings of the same features")


def _draw_scores(drawn: Drawn, best: np.ndarray, axes: "Axes") -> "Axes":
    """Bars of the best scores, the best at the top."""
    scores = drawn.scores[best]
    colors = [NEGATIVE if score < 0 else POSITIVE for score in scores]
    axes.barh(range(len(best)), scores, color=colors, tick_label=[shortened(drawn.names[j]) for j in best])
    axes.invert_yaxis()
    axes.set(title=drawn.title, xlabel="score")
    return axes


def _draw_p_values(drawn: Drawn, axes: "Axes") -> "Axes":
    """-log10 p over the score."""
    _draw_points(drawn, drawn.order, drawn.scores[drawn.order], _minus_log(drawn)[drawn.order], axes)
    axes.set(title=drawn.title, xlabel="score", ylabel="-log10 p")
    return axes


def _draw_quantiles(drawn: Drawn, axes: "Axes") -> "Axes":
    """-log10 of the sorted p-values over their expectation i / (p + 1) without relevant features."""
    heights = _minus_log(drawn)
    order = np.argsort(-heights, kind="stable")
    expected = -np.log10(np.arange(1, len(order) + 1) / (len(order) + 1))
    largest = float(expected.max(initial=0.0))
    axes.plot([0, largest], [0, largest], color=OTHER_POINTS, linewidth=1)
    _draw_points(drawn, order, expected, heights[order], axes)
    axes.set(title=drawn.title, xlabel="expected -log10 p", ylabel="-log10 p")
    return axes


def _draw_comparison(drawn: Drawn, other: Drawn, axes: "Axes") -> "Axes":
    """Ranks in the other ranking over those in this one, rank 1 at the upper left."""
    ranks = np.arange(1, len(drawn.order) + 1)
    other_ranks = np.empty(len(drawn.order), int)
    other_ranks[other.order] = ranks
    _draw_points(drawn, drawn.order, ranks, other_ranks[drawn.order], axes)
    axes.invert_yaxis()
    axes.set(xlabel=f"rank by {drawn.method}", ylabel=f"rank by {other.method}")
    return axes


def _minus_log(drawn: Drawn) -> np.ndarray:
    """-log10 of the p-values (p,)."""
    values: np.ndarray = -np.log10(cast("np.ndarray", drawn.p_values))
    return values


def _draw_points(drawn: Drawn, order: np.ndarray, x: np.ndarray, y: np.ndarray, axes: "Axes") -> None:
    """Draw items in an order at x and y (p,), discovered ones in colour, and name the first ones if there is room."""
    q_values = drawn.q_values
    is_discovered = np.zeros(len(order), bool) if q_values is None else q_values[order] <= LEVEL
    for mask, color in ((~is_discovered, OTHER_POINTS), (is_discovered, POSITIVE)):
        axes.scatter(x[mask], y[mask], s=POINT_AREA, color=color, linewidths=0)
    # Names that would lie upon an earlier one are left out: where p-values are smallest, many points have one height.
    positions = axes.transAxes.inverted().transform(axes.transData.transform(np.column_stack([x, y])[:N_NAMED]))
    name_positions: list[np.ndarray] = []
    for k, item in enumerate(order[:N_NAMED]):
        if any(np.all(np.abs(positions[k] - position) < NAME_SIZE) for position in name_positions):
            continue
        name_positions.append(positions[k])
        name = shortened(drawn.names[item])
        axes.annotate(name, (x[k], y[k]), xytext=(4, 2), textcoords="offset points", fontsize="small")
