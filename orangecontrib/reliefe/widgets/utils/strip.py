"""The result in one look: a large number, and below each other what it consists of."""

import re
from collections.abc import Callable
from html import escape
from typing import NamedTuple

from AnyQt.QtCore import QEvent, Qt, QTimer
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QPalette
from AnyQt.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)  # fmt: skip

from ...command import warming
from ...core.kernels.compilation import COMPILATION, TOLD
from ...orange.jobs.cluster import running_client
from ...orange.jobs.remaining import RemainingTime
from .colors import hue, muted
from .controls import ElidedLabel, placed
from .markup import plain
from .task import FAILED, RUNNING, STOPPED

TEXT_SCALE = 2.6  # times the usual size of text
REMARK = 2  # its column
TAG = re.compile("</?b>")


class Line(NamedTuple):
    """A row below the headline: value may have markup; hue is the number of a colour, or None."""

    title: str
    value: str
    remark: str = ""
    hue: int | None = None
    tooltip: str = ""


class Headline(QWidget):
    """``show_result("7", "dimensions", [Line("Two nearest neighbours", "6.83")])``."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.large, self.beside = QLabel(textFormat=Qt.PlainText), QLabel(textFormat=Qt.PlainText)
        self._lines, self._labels = (), []
        font = self.large.font()
        font.setPointSizeF(TEXT_SCALE * font.pointSizeF())
        self.large.setFont(font)
        self.beside.setWordWrap(True)
        self.beside.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        self.grid = QGridLayout()
        self.grid.setHorizontalSpacing(12)
        self.grid.setVerticalSpacing(3)
        self.grid.setColumnStretch(2, 1)
        top, layout = QHBoxLayout(), QVBoxLayout(self)
        top.setSpacing(10)
        top.addWidget(self.large)
        top.addWidget(self.beside, 1)
        layout.setContentsMargins(8, 2, 4, 4)
        layout.setSpacing(4)
        layout.addLayout(top)
        layout.addLayout(self.grid)

    def show_result(self, large: str, beside: str, lines: list[Line]) -> None:
        """Write the number, what it is, and the lines below."""
        self.large.setText(large)
        self.large.setAccessibleName(f"{large} {beside}")
        self.beside.setText(beside)
        self.beside.setToolTip(plain(beside))
        self._lines = tuple(lines)
        self._fill()
        self.setVisible(bool(large or beside or lines))

    def _fill(self):
        for label in self._labels:
            self.grid.removeWidget(label)
            label.deleteLater()
        self._labels = []
        own = QPalette(self.palette())
        own.setColor(QPalette.WindowText, muted(self.palette(), 0.45))
        for row, line in enumerate(self._lines):
            color = None if line.hue is None else hue(line.hue, self.palette()).name()
            swatch = f'<span style="color:{color}">■</span> &nbsp;' if color else ""
            for column, text in enumerate((swatch + escape(line.title), line.value, line.remark)):
                label = ElidedLabel(text) if column == REMARK else QLabel(text, textFormat=Qt.RichText)
                label.setToolTip(plain("\n".join(dict.fromkeys(filter(None, (line.remark, line.tooltip))))))
                if column == 1:
                    label.setAlignment(Qt.AlignRight | Qt.AlignVCenter)
                if column == REMARK:
                    label.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
                    label.setPalette(own)
                self.grid.addWidget(label, row, column)
                self._labels.append(label)

    def texts(self) -> list[tuple[str, str]]:
        return [(line.title, f"{TAG.sub('', line.value)} {line.remark}".strip()) for line in self._lines]

    def changeEvent(self, event):
        super().changeEvent(event)
        # Colours within texts are those of the moment when the text was set.
        if event.type() == QEvent.PaletteChange and hasattr(self, "grid"):
            self._fill()


BUTTON = {
    RUNNING: ("S&top", "Stop, and keep the ranking so far"),
    STOPPED: ("&Resume", "Continue with all rows"),
    FAILED: ("&Rank again", "Try once more"),
}
LOOK = 1000  # ms between two looks at the process that prepares methods, and at the cluster
POLL = 200  # ms between two looks at the compiler
BEFOREHAND = f"{TOLD}. To compile all methods in advance, run orange-reliefe warm"
PREPARES = (
    "All methods are compiled once after installation, beside your work, with at most 500 MB."
    " The environment variable ORANGE_RELIEFE_NO_WARMING=1 switches it off"
)
ON_CLUSTER = "Long computations use this cluster, since a Dask client was made in this process"


class PreparationLabel(QLabel):
    """Says how far the process is that compiles methods beside Orange; hidden without one."""

    def __init__(self):
        super().__init__(visible=False, toolTip=PREPARES)

    def look(self) -> None:
        """Show the state of the process."""
        preparation = warming.preparation()
        if preparation is not None:
            self.setText(f"Preparing methods: {100 * preparation.step // preparation.steps} %")
        self.setVisible(preparation is not None)


class ClusterLabel(QLabel):
    """Names the cluster that tasks run on; hidden without one."""

    def __init__(self):
        super().__init__(visible=False)

    def look(self) -> None:
        """Show the cluster that is there now."""
        client = running_client()
        if client is not None:
            self.setText(f"Cluster {client.scheduler.address}")
            self.setToolTip(plain(f"{ON_CLUSTER}. Dashboard: {client.dashboard_link or 'none'}"))
        self.setVisible(client is not None)


class Strip(QWidget):
    """One line of text and a button; `buttons`: its text and tooltip in each state.

    While a task runs, the line says what it does, that kernels compile, and how long it still takes.
    """

    text_shown = Signal(str)  # text of the line

    def __init__(self, parent=None, buttons=BUTTON):
        super().__init__(parent)
        self._buttons = buttons
        self._said = ("", "")
        self._compiled = COMPILATION.count
        self._remaining = RemainingTime()
        self._timer = QTimer(self, interval=POLL)
        self._timer.timeout.connect(self._look)
        self.label = ElidedLabel(sizePolicy=QSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred))
        self.button = QPushButton(buttons[RUNNING][0], autoDefault=False)
        self.preparation, self.cluster = PreparationLabel(), ClusterLabel()
        layout = placed(QHBoxLayout(self), (self.label, 1), self.button, self.preparation, self.cluster)
        layout.setContentsMargins(2, 2, 2, 0)
        self._looks = QTimer(self, interval=LOOK)
        self._looks.timeout.connect(self._look_beside)
        self.setMinimumHeight(self.button.sizeHint().height() + 6)

    def serve(self, widget, again: Callable[[], None]) -> None:
        """Follow the task of a widget: a click stops it, or starts it again."""
        self.button.clicked.connect(lambda: widget.stop() if widget.run_state == RUNNING else again())
        widget.statusMessageChanged.connect(self.set_status)
        widget.progressBarValueChanged.connect(self._remaining.note)
        self.set_state(widget.run_state)

    def showEvent(self, event):
        super().showEvent(event)
        self._look_beside()
        self._looks.start()

    def hideEvent(self, event):
        super().hideEvent(event)
        self._looks.stop()

    def set_status(self, text: str) -> None:
        """From a task; the empty text that its end sends must not wipe the summary."""
        if text:
            self.set_text(text)

    def set_text(self, text: str, tooltip: str = "") -> None:
        self._said = text, tooltip or text
        self._say(*self._said)

    def set_state(self, state: str) -> None:
        """The button stops, resumes or tries again, or there is none."""
        if state == RUNNING:
            self._compiled = COMPILATION.count
            self._remaining.begin()
            self._timer.start()
        elif self._timer.isActive():
            self._timer.stop()
            self._say(*self._said)
        self.button.setVisible(state in self._buttons)
        if state in self._buttons:
            text, tip = self._buttons[state]
            self.button.setText(text)
            self.button.setToolTip(tip)

    def _look_beside(self):
        self.preparation.look()
        self.cluster.look()

    def _look(self):
        """Between two of many compilations there are moments without one: their number counts, too."""
        compiling = COMPILATION.active or COMPILATION.count != self._compiled
        self._compiled = COMPILATION.count
        if compiling:
            self._say(TOLD, BEFOREHAND)
        else:
            text, tooltip = self._said
            self._say(" · ".join(filter(None, [text, self._remaining.text])), tooltip)

    def _say(self, text, tooltip):
        self.label.setText(text)
        self.label.setToolTip(plain(tooltip))
        self.text_shown.emit(text)
