"""Scores of Orange as a group of the list of methods, folded, and those of widgets that are connected."""

from collections.abc import Callable, Sequence

from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QPalette
from AnyQt.QtWidgets import QHBoxLayout, QListWidget, QSizePolicy, QToolButton, QVBoxLayout, QWidget
from Orange.preprocess.score import Scorer

from ..utils.colors import muted
from ..utils.controls import ElidedLabel
from ..utils.markup import plain
from ..utils.scorers import CONNECTED, GROUP, ScorerJob, connected, univariate
from .methodlist import MethodList

TIP = "Scores of Orange as further columns, computed beside the methods; connected scorers are listed here, too"


class ScorerGroup(QWidget):
    """Scorers that are ticked are computed; one that is connected is ticked until the user unticks it."""

    ticks_changed = Signal()
    folded = Signal(bool)

    def __init__(self, numbers: Callable[[], dict[str, int]], parent=None):
        """numbers: of the hues of all that is ticked, by name."""
        super().__init__(parent)
        self._numbers = numbers
        self.methods: dict[str, object] = {}
        self._task, self._own, self._titles = None, (), ()
        self.list = MethodList((), (), "")
        self.fold = QToolButton(
            text=f"{GROUP.replace('U', '&U', 1)}", checkable=True, autoRaise=True, toolTip=TIP,
            toolButtonStyle=Qt.ToolButtonTextBesideIcon,
        )  # fmt: skip
        self.fold.toggled.connect(self._folded)
        self.fold.clicked.connect(self.folded)
        self.line = ElidedLabel("", sizePolicy=QSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred))
        row, layout = QHBoxLayout(), QVBoxLayout(self)
        row.addWidget(self.fold)
        row.addWidget(self.line, 1)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(row)
        layout.addWidget(self.list)
        self._folded(False)
        self._mute()
        self.hide()

    def offer(self, supervised: bool, ticked: Sequence[str], opened: bool, taken: Sequence[object]) -> None:
        """Begin with Orange's own; taken: the methods that are offered beside."""
        self._own = univariate() if supervised else ()
        self._titles = [method.title for method in taken]
        self.fold.setChecked(opened)
        self._list(self._own, ticked)

    def connect_scorers(self, scorers: Sequence[Scorer], unticked: Sequence[str]) -> None:
        """Offer these beside Orange's own, ticked but for the names of `unticked`."""
        before = {method.scorer: method for method in self.methods.values() if method.name.startswith(CONNECTED)}
        if list(before) == list(scorers):
            return
        titles = [*self._titles, *(method.title for method in self._own)]
        new = connected(scorers, titles)
        # What is connected still keeps its place among the rankings, if it keeps its name.
        new = [old if (old := before.get(m.scorer)) is not None and old.name == m.name else m for m in new]
        ticked = [method.name for method in new if method.name not in unticked]
        self._list([*self._own, *new], [*self.ticked(), *ticked])

    def _list(self, methods, ticked):
        old, self.methods = self.list, {method.name: method for method in methods}
        self.list = MethodList(methods, ticked, "")
        self.list.numbers = self._numbers
        self.list.setSelectionMode(QListWidget.NoSelection)  # there is nothing to set
        self.list.clearSelection()
        self.list.setAccessibleName(GROUP)
        self.list.setVisible(self.fold.isChecked())
        self.list.set_task(self._task)
        self.list.ticks_changed.connect(self._show_ticks)
        self.list.ticks_changed.connect(self.ticks_changed)
        self.layout().replaceWidget(old, self.list)
        old.deleteLater()
        self.setVisible(bool(self.methods))
        self._show_ticks()

    def set_task(self, task: str | None) -> None:
        """Grey out what does not fit the kind of target."""
        if task != self._task:
            self._task = task
            self.list.set_task(task)
            self._show_ticks()

    def ticked(self) -> list[str]:
        """Names of the ticked ones, whether they fit the data or not."""
        return self.list.ticked()

    def unticked(self) -> list[str]:
        """Names of those that are connected and not ticked."""
        ticked = self.ticked()
        return [name for name in self.methods if name.startswith(CONNECTED) and name not in ticked]

    def fitting(self) -> list[str]:
        """Names of those that fit the task; without one, all."""
        return [name for name, method in self.methods.items() if self._task is None or self._task in method.tasks]

    def active(self) -> list[str]:
        """Names of those that are ticked and fit."""
        fitting, ticked = self.fitting(), self.ticked()
        return [name for name in self.methods if name in fitting and name in ticked]

    def job(self, name: str) -> ScorerJob:
        """Job of one of them."""
        return ScorerJob(self.methods[name])

    def _show_ticks(self):
        titles = [self.methods[name].title for name in self.active()]
        self.line.setText(", ".join(titles))
        self.line.setToolTip(plain(f"Computed: {', '.join(titles) or 'none'}"))

    def _mute(self):
        palette = QPalette(self.palette())
        palette.setColor(QPalette.WindowText, muted(self.palette(), 0.4))
        self.line.setPalette(palette)

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "line"):
            self._mute()

    def _folded(self, opened):
        self.fold.setArrowType(Qt.DownArrow if opened else Qt.RightArrow)
        self.list.setVisible(opened)
