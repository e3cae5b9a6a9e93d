"""Standard errors in the plot of scores: a whisker on each point, or a band where there are too many."""

import numpy as np
import pyqtgraph as pg
from AnyQt.QtGui import QColor, QPen

from ..utils.colors import faint
from .scores import Scores

BAND = 60  # opacity of the band


def reach(scores: Scores) -> float:
    """Largest value that the whiskers reach."""
    return scores.limits[1] if scores.errors is None else float(np.nanmax(scores.values + scores.errors, initial=0))


def whiskers(scores: Scores, shown: np.ndarray, x: np.ndarray, points: bool, color: QColor) -> pg.GraphicsObject:
    """One standard error to both sides of the scores at the ranks `shown` (m,), counted from 0, at x (m,).

    points: whether each score has a point of its own.
    """
    features = scores.order[shown]
    y, error = scores.values[features], scores.errors[features]
    if points:
        pen = QPen(color, 1.2)
        pen.setCosmetic(True)
        return pg.ErrorBarItem(x=x, y=y, height=2 * error, pen=pen)
    edges = [pg.PlotDataItem(x, y + side * error, pen=None) for side in (-1, 1)]
    return pg.FillBetweenItem(*edges, brush=faint(color, BAND))
