"""Base of charts of named points, such as features or variants: volcano, QQ and Manhattan plot (pyqtgraph, Qt)."""

from collections.abc import Iterator, Sequence

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QPointF, QRectF, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QFontMetrics

from ...orange.plane import Plane
from .callout import Callout
from .chart import Chart
from .chart_view import ChartView
from .keys import BACK, CHOOSE, NEXT
from .point_names import NamedPoint, PointNames

MIN_SIZE = 200, 110  # pixels
CROWD = 300  # of the best points, which no name may cover
CLEARANCE = 5  # pixels around such a point
REACH = 12  # pixels around a point within which the mouse means it
MARKER = 14  # pixels of the ring around the current point
MARKER_Z = 8  # in front of points and names
CHOSEN_HUE = 1  # of the ring around the chosen point


class PointView(ChartView):
    """Points that the mouse and keys go to, the best of which have their names beside them.

    A subclass makes its chart in `make_chart()`, calls `set_points`, draws the points in `draw_points()`, and describes
    one in `about(item)`. Items are numbers of points from 0.

    Parameters
    ----------
    name, note : str
        Name and description for screen readers.
    parent : QWidget, optional
    least : (int, int)
        Least width and height in pixels.
    """

    item_chosen = Signal(int)  # the user clicked near a point, or chose the current one with a key
    most_named = 0  # points that have their names beside them, at most
    letters_of_name: int | None = None  # to which these names are cut, about; None: they are written in full

    def __init__(self, name: str, note: str, parent=None, least: tuple[int, int] = MIN_SIZE):
        self.note = note
        self.x = self.y = np.zeros(0)  # (p,) in units of the axes, NaN where a point has no place
        self.names: Sequence[str] = ()  # (p,)
        self.order = np.zeros(0, int)  # (p,) items, the best first
        self.chosen: int | None = None  # the item whose text is beside it
        super().__init__(name, parent, least)
        self.setFocusPolicy(Qt.StrongFocus)
        self.scene().sigMouseClicked.connect(self._clicked)

    def make_chart(self) -> Chart:
        """Make the chart, and what is drawn on it again and again."""
        raise NotImplementedError

    def make_charts(self):
        chart = self.make_chart()
        self.callout = Callout()
        self.point_names = PointNames(chart)
        self._marker = pg.ScatterPlotItem(size=MARKER, brush=None)
        chart.vb.sigResized.connect(self._resized)
        return (chart,)

    @property
    def has_content(self) -> bool:
        """True if there are points."""
        return len(self.x) > 0

    def set_points(self, x: np.ndarray, y: np.ndarray, names: Sequence[str], order: np.ndarray) -> None:
        """Replace the points; nothing is chosen, and they are drawn when somebody looks.

        Parameters
        ----------
        x, y : ndarray, shape (p,)
            Places in units of the axes.
        names : sequence of str, length p
        order : ndarray of int, shape (p,)
            Items, the best first.
        """
        self.x, self.y = x, y
        self.names = names
        self.order = order
        self.chosen = None
        if self.current is not None and self.current >= len(x):
            self.current = None
        self.describe()
        self.draw_if_seen()

    # Drawing ---------------------------------------------------------------------------------------------------------

    def draw_points(self) -> None:
        """Draw axes and points on an empty chart; called only if there are points."""
        raise NotImplementedError

    def draw_nothing(self) -> None:
        """Draw on an empty chart without points."""

    def draw(self):
        if not self.has_content:
            self.clear()
            self.draw_nothing()
            return
        self.draw_points()
        self._marker.setPen(pg.mkPen(self.marked, width=2))
        self.chart.put(self._marker, z=MARKER_Z)
        self.chart.put(*self.callout.items)
        self.mark()
        self.name_best()

    def mark(self):
        if not self.has_content or self._stale or not self.has_charts:
            return
        at = [] if self.current is None else [self.current]
        self._marker.setData(self.x[at], self.y[at])
        if self.chosen is None:
            self.callout.hide()
            return
        x, y = self.x[self.chosen], self.y[self.chosen]
        color = self.hue(CHOSEN_HUE)
        self.callout.show(self.chart.vb, x, y, self.label(self.chosen), color, self.palette())

    def label(self, item: int) -> str:
        """Text beside the chosen point."""
        return self.about(item)

    def choose(self, item: int | None) -> None:
        """Show the text of a point beside it; None: of none.  Emits nothing."""
        self.chosen = item
        self.mark()

    # Names -----------------------------------------------------------------------------------------------------------

    def candidates(self) -> np.ndarray:
        """Items that get a name if there is room, the best first."""
        return self.order[: self.most_named]

    def covered(self) -> list:
        """Areas in pixels (`QRectF`) that no name may cover: the best points."""
        width = 2 * CLEARANCE
        pixels = self.pixels(self.order[:CROWD])
        return [QRectF(x - CLEARANCE, y - CLEARANCE, width, width) for x, y in pixels if np.isfinite(x + y)]

    def name_best(self) -> None:
        """Write names beside the best points."""
        self.point_names.show(self._named_points(), self.most_named, self.font(), self.text_color, self.covered())

    def _named_points(self) -> Iterator[NamedPoint]:
        items = self.candidates()
        for item, pixel in zip(items.tolist(), self.pixels(items), strict=True):
            if np.isfinite(pixel).all():
                yield NamedPoint(self._elided(str(self.names[item])), self.x[item], self.y[item], QPointF(*pixel))

    def _elided(self, name: str) -> str:
        """Cut a name at its end to the width of so many letters."""
        if self.letters_of_name is None:
            return name
        metrics = QFontMetrics(self.font())
        return metrics.elidedText(name, Qt.ElideRight, self.letters_of_name * metrics.averageCharWidth())

    def pixels(self, items: object = slice(None)) -> np.ndarray:
        """(k, 2) places of points in the scene, in pixels."""
        frame = self.chart.vb.sceneBoundingRect()
        right, up = Plane.of(self.chart.vb).pixels(self.x[items], self.y[items])
        return np.column_stack([frame.left() + right, frame.bottom() - up])

    def _resized(self, *_):
        if self.has_content and not self._stale:
            self.name_best()

    # Mouse and keys --------------------------------------------------------------------------------------------------

    def nearest(self, x: float, y: float) -> int | None:
        """The item whose point is nearest to a place in units of the axes; None if none is near."""
        return Plane.of(self.chart.vb).nearest(self.x, self.y, (x, y), REACH)

    def element_at(self, position):
        if not self.has_content or not self.chart.vb.sceneBoundingRect().contains(position):
            return None
        at = self.chart.vb.mapSceneToView(position)
        return self.nearest(at.x(), at.y())

    def pick_point(self, item: int, add: bool = False) -> None:
        """Choose a point as the user does.

        Parameters
        ----------
        item : int
        add : bool
            True with Ctrl, or the Space key: the point is added to the selection, in charts that have one.
        """
        self.choose(item)
        self.item_chosen.emit(item)

    def reveal(self, item: int) -> None:
        """Move the axes so that a point is seen, in charts whose axes can be moved."""

    def clicked_ground(self, position: QPointF) -> None:
        """The user clicked at a place of the scene where no point is near."""

    def double_clicked(self) -> None:
        """The user clicked twice."""

    def _clicked(self, event):
        if event.button() != Qt.LeftButton or not self.has_content:
            return
        item = self.element_at(event.scenePos())
        if event.double():
            self.double_clicked()
        elif item is None:
            self.clicked_ground(event.scenePos())
        else:
            self.pick_point(item, bool(event.modifiers() & Qt.ControlModifier))

    def keyPressEvent(self, event):
        """Go from one point to the next, or choose it. Overrides QGraphicsView.keyPressEvent."""
        key = event.key()
        step = (key in NEXT) - (key in BACK)
        if self.has_content and step:
            self._step(step)
        elif self.current is not None and key in CHOOSE:
            self.pick_point(self.current, key == Qt.Key_Space)
        else:
            super().keyPressEvent(event)

    def _step(self, step: int):
        """Go to a better point (-1) or a worse one (1); the first step goes to the best."""
        rank = -1 if self.current is None else int(np.flatnonzero(self.order == self.current)[0])
        item = int(self.order[min(max(rank + step, 0), len(self.order) - 1)])
        self.reveal(item)
        self.set_current(item)
