"""The short list of choices, and the fold behind which all methods are."""

from collections.abc import Sequence

from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QPalette
from AnyQt.QtWidgets import QButtonGroup, QGridLayout, QHBoxLayout, QRadioButton, QSizePolicy, QToolButton, QWidget

from ..utils.colors import muted
from ..utils.elided import ElidedLabel
from ..utils.markup import plain
from .presets import OWN, TIPS, TITLES


class PresetBox(QWidget):
    """`preset`: the one that is checked, or OWN."""

    chosen = Signal(str)  # by the user
    folded = Signal(bool)

    def __init__(self, opened: bool = False, parent=None):
        super().__init__(parent)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        self.group, self.buttons, self.lines = QButtonGroup(self), {}, []
        for row, (name, (title, about)) in enumerate(TITLES.items()):
            button = QRadioButton(title, toolTip=TIPS[name], accessibleDescription=TIPS[name])
            button.setProperty("preset", name)
            self.group.addButton(button)
            self.buttons[name] = button
            grid.addWidget(button, row, 0)
            grid.addWidget(self._line(about, TIPS[name]), row, 1)
        self.group.buttonClicked.connect(self._clicked)
        self.fold = QToolButton(
            text="All met&hods",
            checkable=True,
            checked=opened,
            autoRaise=True,
            toolButtonStyle=Qt.ToolButtonTextBesideIcon,
            toolTip="Tick any methods; those that fit the data come first",
        )
        self.fold.toggled.connect(self._folded)
        self.ticked = self._line("", "")
        row = QHBoxLayout()
        row.addWidget(self.fold)
        row.addWidget(self.ticked, 1)
        grid.addLayout(row, len(TITLES), 0, 1, 2)
        self._folded(opened)
        self._mute()

    def _line(self, text, tip):
        line = ElidedLabel(text, toolTip=tip, sizePolicy=QSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred))
        self.lines.append(line)
        return line

    def show_state(self, preset: str, titles: Sequence[str]) -> None:
        """Check a preset, or none, and say which methods are computed."""
        self.group.setExclusive(False)
        for name, button in self.buttons.items():
            button.setChecked(name == preset)
        self.group.setExclusive(True)
        text = ", ".join(titles) or "none ticked"
        self.ticked.setText(f"your choice: {text}" if preset == OWN else text)
        self.ticked.setToolTip(plain(f"Computed: {text}"))

    def _clicked(self, button):
        self.chosen.emit(button.property("preset"))

    def _folded(self, opened):
        self.fold.setArrowType(Qt.DownArrow if opened else Qt.RightArrow)
        self.folded.emit(opened)

    def _mute(self):
        palette = QPalette(self.palette())
        palette.setColor(QPalette.WindowText, muted(self.palette(), 0.4))
        for line in self.lines:
            line.setPalette(palette)

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "ticked"):
            self._mute()
