"""Small curve beside the summary of a ranking: agreement of its best features as rows are added, or rounds go on."""

from collections.abc import Sequence
from itertools import pairwise

from AnyQt.QtCore import QPointF, QSize, Qt
from AnyQt.QtGui import QPainter, QPalette, QPen
from AnyQt.QtWidgets import QSizePolicy, QWidget

from ...core.words import percent
from .colors import muted

MIN_AGREEMENT = 0.95  # agreement from which on a ranking counts as settled
PADDING = 3  # pixels around the curve


class Sparkline(QWidget):
    """A curve of [rows, agreement of the best with the ranking before]; hidden without points."""

    def __init__(self, parent=None):
        super().__init__(parent, accessibleName="Agreement of the best features as the ranking goes on")
        self.setSizePolicy(QSizePolicy.Fixed, QSizePolicy.Fixed)
        self.points, self.color = [], None
        self.setVisible(False)

    def set_points(self, points: Sequence[Sequence[float]], color=None, lines: Sequence[str] = ()) -> None:
        """Show these, in the colour of the method; lines: a title, and a text for each, if not as usual."""
        self.points, self.color = [tuple(point) for point in points], color
        usual = [f"{int(rows):,} rows: {percent(agreement)}" for rows, agreement in self.points]
        about = "Agreement of the 20 best with the ranking from fewer rows before"
        about, *lines = lines or (about, *usual)
        self.setToolTip("\n".join([f"{about}; dotted: 95 %", *lines]))
        self.setAccessibleDescription("; ".join(lines))
        self.setVisible(bool(self.points))
        self.update()

    def sizeHint(self):
        return QSize(64, 20)

    def paintEvent(self, _):
        painter = QPainter(self)
        painter.setRenderHint(QPainter.Antialiasing)
        width, height = self.width() - 2 * PADDING, self.height() - 2 * PADDING

        def place(i, agreement):
            along = i / (len(self.points) - 1) if len(self.points) > 1 else 1
            return QPointF(PADDING + along * width, PADDING + (1 - agreement) * height)

        painter.setPen(QPen(muted(self.palette(), 0.5), 1, Qt.DotLine))
        level = PADDING + (1 - MIN_AGREEMENT) * height
        painter.drawLine(QPointF(PADDING, level), QPointF(PADDING + width, level))
        color = self.color or self.palette().color(QPalette.Text)
        painter.setPen(QPen(color, 1.5))
        places = [place(i, agreement) for i, (_, agreement) in enumerate(self.points)]
        for a, b in pairwise(places):
            painter.drawLine(a, b)
        painter.setBrush(color)
        for point in places[-1:]:
            painter.drawEllipse(point, 2, 2)
