"""Lines in the plot of scores that say how far features tell more than chance."""

from collections.abc import Callable

import pyqtgraph as pg
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QColor, QPen

from .nulllevel import LABEL
from .scores import Scores

STOP = "boosting stops"


def marks(lead: Scores, x_of: Callable, color: QColor, named: bool) -> list[pg.InfiniteLine]:
    """The null level and where boosting stops, as far as the leading scores have them.

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
    for line in out:
        line.label.setVisible(named)
    return out


def _line(value: float, angle: int, style: Qt.PenStyle, label: str, anchor: tuple[float, float], color: QColor):
    look = {"position": 0.98, "anchors": [anchor] * 2, "color": color}
    line = pg.InfiniteLine(value, angle=angle, pen=QPen(color, 0, style), label=label, labelOpts=look)
    line.setZValue(4)
    return line
