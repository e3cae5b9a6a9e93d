"""The mouse in the plot of scores: which feature is there, and a click on it."""

from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QPalette

from ..utils.colors import faint, hue, muted
from .scores import Scores


class Point(NamedTuple):
    """A feature on a curve: x, y in the units of the axes."""

    scores: Scores
    feature: int
    x: float
    y: float


class PlotMouse:
    """For a plot with `columns`, `names`, `log`, `marker`, `label`, and a signal `clicked`."""

    def feature_at(self, position) -> Point | None:
        """The curve that is nearest to a position in the scene, at the rank there."""
        box = self.plotItem.vb
        if not self.columns or not box.sceneBoundingRect().contains(position):
            return None
        at = box.mapSceneToView(position)
        rank = int(np.clip(round(10 ** at.x() if self.log else at.x()), 1, len(self.names)))
        curves = [(scores, self._curve(scores)) for scores in self.columns]
        points = [
            Point(scores, int(scores.order[rank - 1]), float(self._x(rank)), float(y[rank - 1]))
            for scores, y in curves
            if rank <= len(y)
        ]
        return min(points, key=lambda point: abs(point.y - at.y()), default=None)

    def _hover(self, position):
        point = self.feature_at(position)
        if point is None:
            self._forget_hover()
            return
        palette, scores = self.palette(), point.scores
        pen = pg.mkPen(hue(scores.number, palette), width=2)  # a plain QPen is scaled with the symbol: a ragged blot
        self.marker.setData([point.x], [point.y], brush=palette.color(QPalette.Base), pen=pen)
        self.label.setColor(palette.color(QPalette.Text))
        self.label.fill = pg.mkBrush(faint(palette.color(QPalette.Base), 225))
        self.label.border = pg.mkPen(muted(palette, 0.7))
        name, rank = self.names[point.feature], scores.ranks[point.feature]
        self.label.setText(f"{name}  {scores.text(point.feature)}{scores.error_text(point.feature)}  (rank {rank:,})")
        (x0, x1), (y0, y1) = self.plotItem.vb.viewRange()
        self.label.setAnchor((int(point.x > (x0 + x1) / 2), int(point.y < (y0 + 2 * y1) / 3)))
        self.label.setPos(point.x, point.y)
        self.label.setVisible(True)

    def _forget_hover(self):
        self.marker.setData([], [])
        self.label.setVisible(False)

    def _click(self, event):
        point = self.feature_at(event.scenePos()) if event.button() == Qt.LeftButton else None
        if point:
            self.clicked.emit(point.feature)

    def leaveEvent(self, event):
        super().leaveEvent(event)
        self._forget_hover()
