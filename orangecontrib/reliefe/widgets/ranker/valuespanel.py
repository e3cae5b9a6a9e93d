"""Values of the current feature beside a table of features."""

from collections.abc import Sequence

from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.words import counted, sentence, shown, some
from ...orange.problem import TableProblem
from ...orange.values.of_table import ValuesOfTable
from ...orange.values.pictures import Values
from ..charts.values import ValuesChart
from ..utils.controls import ElidedLabel, placed
from ..utils.markup import plain
from .view import RankingView

BESIDE = 620  # pixels from which on there is room for the panel beside the table; else it is below
SHARES = 3, 2  # of table and panel
CHART_SHARE, WHY_SHARE = 3, 2  # of the height of the panel, where the reasons are scrolled
OPEN = "Values"
ADJUSTED = "Show what covariates leave of the feature, and of a target of numbers or times: {}"
WHY_TIP = (
    "Why this rank? Differences to near rows with another target and with the same one. Rows that count most, ranks by "
    "the other methods, and chance"
)
ABOUT_DIRECTION = (
    "Of this feature alone, without adjustment. A feature that matters together with other features may show nothing "
    "here. d: difference of two means in standard deviations"
)
TIP = "Values of the current feature by class or target, or press Enter on it"


class ValuesPanel(QWidget):
    """Follows the current row of a table of features; closed, or in a window that is closed, it computes nothing.

    Without a current row it shows the best feature.
    """

    opened = Signal(bool)  # by the user; False: closed
    followed = Signal()  # another feature is shown, or none; while it is closed, perhaps another one is current

    def __init__(self, table: RankingView, parent=None):
        super().__init__(parent)
        self._view = table
        self._data = None
        self._groups = None
        self._values = None
        self._wanted = None
        self._drawn = None
        self._shown_values: Values | None = None  # of the current feature
        self._shares: Values | None = None  # of the rows in its score, which are drawn instead
        self.open, self.chart = False, ValuesChart("Values of the feature")
        self.title = ElidedLabel()
        self.direction = QLabel(textFormat=Qt.PlainText, wordWrap=True, visible=False)
        self.caption = ElidedLabel()
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        for label in (self.title, self.caption):
            label.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
        self.closer = QToolButton(text="×", autoRaise=True, toolTip="Close", accessibleName="Close the values")
        self.closer.clicked.connect(self._close)
        self.box = QToolButton(text=OPEN, checkable=True, toolTip=TIP, accessibleName="Values of the current feature")
        self.box.clicked.connect(self._set_by_user)
        self._covariates, self.adjusted = (), QCheckBox("&Adjusted", visible=False)
        self.adjusted.toggled.connect(self._redraw)
        self.why_box = QToolButton(
            text="&Why?", checkable=True, autoRaise=True, toolTip=WHY_TIP, accessibleName="Why this rank?"
        )
        self.why = QLabel(textFormat=Qt.PlainText, wordWrap=True, alignment=Qt.AlignTop)
        self.why.setTextInteractionFlags(Qt.TextSelectableByMouse | Qt.TextSelectableByKeyboard)
        top = placed(QHBoxLayout(), (self.title, 1), self.adjusted, self.why_box, self.closer)
        self.why_area = QScrollArea(widgetResizable=True, visible=False, accessibleName="Why this rank")
        self.why_area.setFrameShape(QScrollArea.NoFrame)
        self.why_area.setWidget(self.why)
        self.why.hide()  # which the area has shown
        below = (self.direction, self.caption, (self.why_area, WHY_SHARE))
        placed(QVBoxLayout(self), top, (self.chart, CHART_SHARE), *below, spacing=2).setContentsMargins(4, 0, 0, 0)
        self.hide()
        table.activated.connect(self._activated)
        table.selectionModel().currentChanged.connect(self._current_changed)
        for signal in (table.model().modelReset, table.model().layoutChanged):
            signal.connect(self._follow)

    def set_problem(self, problem: TableProblem | None, covariates: Sequence[str] = ()) -> None:
        """Features of this problem are shown from now on; the same feature as before, if there is one.

        covariates: names of columns that values can be adjusted for.
        """
        self._data = None if problem is None else problem.table
        self._groups = None if problem is None else problem.feature_groups
        self._values = None
        self._drawn = None
        self._covariates = covariates
        self.adjusted.setVisible(bool(covariates))
        self.adjusted.setToolTip(ADJUSTED.format(some(covariates)))

    def _redraw(self):
        self._drawn = None
        self._follow()

    def set_open(self, wanted: bool) -> None:
        self.open = wanted
        self.box.setChecked(wanted)
        self.setVisible(wanted)
        self._follow()

    def _set_by_user(self, wanted):
        if wanted != self.open:
            self.set_open(wanted)
            self.opened.emit(wanted)

    def _close(self):
        self._view.setFocus()
        self._set_by_user(False)

    def _activated(self, index):
        self._current_changed(index)
        self._set_by_user(True)

    def _current_changed(self, index, _=None):
        model = self._view.model()
        if 0 <= index.row() < len(model.rows):
            self._wanted = model.names[model.rows[index.row()]]
            self._follow()

    def _feature(self):
        model = self._view.model()
        if self._wanted in model.names:
            return model.names.index(self._wanted)
        if not model.names:
            return None
        return int(model.columns[model.leading].order[0]) if model.columns else 0

    def _follow(self, *_):
        if not self.isVisible():
            self.followed.emit()
            return
        feature = self._feature() if self._data is not None else None
        if feature == self._drawn and feature is not None:
            return
        self._drawn, shown = feature, None
        if feature is not None:
            self._values = self._values or ValuesOfTable(self._data)
            shown = self._shown(feature)
        self._shown_values, self._shares = shown, None
        self._draw()
        self.followed.emit()

    def _draw(self):
        """Draw the shares of the rows, if there are any, else the values."""
        drawn = self._shares or self._shown_values
        texts = (drawn.title, drawn.direction, drawn.caption) if drawn else ("", "", "")
        for label, text in zip((self.title, self.direction, self.caption), texts, strict=True):
            label.setText(text)
            label.setToolTip(plain(text))
        self.direction.setToolTip(plain(f"{drawn.direction}. {ABOUT_DIRECTION}") if drawn else "")
        self.direction.setVisible(bool(self.direction.text()))
        self.chart.show_values(drawn)

    @property
    def feature(self) -> str:
        """Name of the current feature, or of the best one if the panel is open; empty: none."""
        names, place = self._view.model().names, None if self._data is None else self._feature()
        return names[place] if place is not None and (self.open or self._wanted == names[place]) else ""

    def show_why(self, text: str, shares: Values | None = None) -> None:
        """Show reasons, below the shares of the rows in the score instead of the values, if there are any."""
        for part in (self.why_area, self.why):
            part.setVisible(bool(text))
        self.why.setText(text)
        if shares is not self._shares:
            self._shares = shares
            self._draw()

    def _shown(self, ranked):
        """Values of what is ranked, by its index: a feature, or a group, whose features are named."""
        feature = ranked
        if self._groups is not None:
            members = self._groups.members[ranked]
            feature = members[0]
            if len(members) > 1:
                names = some([shown(self._data.domain.attributes[member].name) for member in members])
                return Values(self._view.model().names[ranked], f"{counted(len(members), 'feature')}: {names}", None)
        if not (self._covariates and self.adjusted.isChecked()):
            return self._values.of(feature)
        try:
            return self._values.adjusted(feature, self._covariates)
        except ValueError as error:
            return Values(self._view.model().names[ranked], sentence(str(error)), None)

    def showEvent(self, event):
        super().showEvent(event)
        self._follow()


class TableAndValues(QSplitter):
    """Table and panel: side by side, or one above the other where it is narrow."""

    def __init__(self, table: QWidget, panel: ValuesPanel):
        super().__init__(Qt.Horizontal, childrenCollapsible=False)
        for part, share in zip((table, panel), SHARES, strict=True):
            self.addWidget(part)
            self.setStretchFactor(self.indexOf(part), share)
        self.setSizes([100 * share for share in SHARES])

    def resizeEvent(self, event):
        wanted = Qt.Horizontal if self.width() >= BESIDE else Qt.Vertical
        if wanted != self.orientation():
            self.setOrientation(wanted)
            self.setSizes([100 * share for share in SHARES])
        super().resizeEvent(event)
