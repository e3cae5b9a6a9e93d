"""The result in one look: a large number, and below each other what it consists of."""

import re
from html import escape
from typing import NamedTuple

from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtGui import QPalette
from AnyQt.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from .colors import hue, muted
from .elided import ElidedLabel
from .markup import plain

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
        """Title and value of all lines, for reports."""
        return [(line.title, f"{TAG.sub('', line.value)} {line.remark}".strip()) for line in self._lines]

    def changeEvent(self, event):
        super().changeEvent(event)
        # Colours within texts are those of the moment when the text was set.
        if event.type() == QEvent.PaletteChange and hasattr(self, "grid"):
            self._fill()
