"""Lines in the plot of scores that say how far features tell more than chance."""

from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QColor, QPen

from ...core.words import percent
from .nulllevel import LABEL
from .scores import Scores

STOP = "boosting stops"
MAX_POINTS = 1000


def marks(lead: Scores, x_of: Callable, color: QColor, named: bool) -> list[pg.InfiniteLine]:
    """The null level, where boosting stops, and below which rank no feature stands out from shuffled targets, as far as
    the leading scores have them.

    x_of: place of a rank on the axis; named: there is room to say what the lines are.
    """
    out = []
    if lead.null is not None:
        place = 0.98, 0 if lead.null > 0.9 * lead.span[1] else 1  # below the line where there is no room above
        out.append(_line(lead.null, 0, Qt.DotLine, LABEL, place, color))
    if lead.stop:
        x = float(x_of(min(lead.stop, len(lead.values)) + 0.5))
        right = x > 0.7 * x_of(len(lead.values))
        out.append(_line(x, 90, Qt.DashDotLine, STOP, (int(right), 0), color))
    if lead.last_real:
        x = float(x_of(min(lead.last_real, len(lead.values)) + 0.5))
        right = x > 0.7 * x_of(len(lead.values))
        out.append(_line(x, 90, Qt.SolidLine, f"FDR {percent(lead.level)}", (int(right), 0), color, 0.86))
    for line in out:
        line.label.setVisible(named)
    return out


def real_points(real: np.ndarray, x_of: Callable, y: np.ndarray, color: QColor) -> pg.ScatterPlotItem:
    """Points for the features that stand out from shuffled targets: mask and scores (p,) by rank."""
    ranks = np.flatnonzero(real)
    if len(ranks) > MAX_POINTS:  # more than can be told apart
        ranks = ranks[np.unique(np.linspace(0, len(ranks) - 1, MAX_POINTS).astype(int))]
    points = pg.ScatterPlotItem(x_of(ranks + 1), y[ranks], size=6, pen=None, brush=color)
    points.setZValue(6)
    return points


def _line(value, angle: int, style: Qt.PenStyle, label: str, anchor: tuple[float, float], color: QColor, at=0.98):
    look = {"position": at, "anchors": [anchor] * 2, "color": color}
    line = pg.InfiniteLine(value, angle=angle, pen=QPen(color, 0, style), label=label, labelOpts=look)
    line.setZValue(4)
    return line
