"""The main area of a ranker: filter and table above, plot below, and the strip."""

from collections.abc import Sequence

import numpy as np
from AnyQt.QtCore import QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QKeySequence, QShortcut
from AnyQt.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QSplitter, QVBoxLayout, QWidget
from Orange.data import Variable
from Orange.widgets import gui

from ..table.namefilter import LONGEST, TIP, not_found
from ..utils.controls import ElidedLabel
from ..utils.markup import plain
from ..utils.sparkline import Sparkline
from ..utils.strip import BUTTON, Strip
from .measures import attributes_of, row_told
from .model import FIRST_SCORE, RankingModel
from .pvalues import TOOLTIP as P_VALUES
from .scores import Scores
from .significancepanel import SignificancePanel
from .stability import TITLE
from .stability import TOOLTIP as STABILITY
from .tablemenu import TableMenu
from .valuespanel import TableAndValues, ValuesPanel
from .view import RankingView
from .views import PLOT, Views

SIZES = [360, 220]  # pixels of table and plot at first


class RankingArea(QWidget):
    """Shows rankings and says what the user did with them; decides nothing."""

    sorted_by_score = Signal(str)  # name of the method
    selected_by_hand = Signal()
    resized = Signal(list)

    def __init__(
        self, sizes: Sequence[int] = (), log: bool | None = None, view: str = PLOT, buttons=BUTTON, parent=None
    ):
        super().__init__(parent)
        self.model = RankingModel(self)
        self.table, self.views = RankingView(self.model), Views(self.model, view, log)
        self.menu, self._kept_place = TableMenu(self.table), ""
        self.values = ValuesPanel(self.table)
        self.strip = Strip(buttons=buttons)
        self.plot, self.heatmap = self.views.plot, self.views.heatmap
        self.sparkline = Sparkline()
        self.strip.layout().insertWidget(1, self.sparkline)
        self.filter = QLineEdit(
            placeholderText="Filter features",
            clearButtonEnabled=True,
            accessibleName="Filter features",
            toolTip=TIP,
            maxLength=LONGEST,
        )
        self.filter.setMinimumWidth(48)
        self.stability_box = QCheckBox("Stability", toolTip=STABILITY, accessibleName="Stability")
        self.p_box = QCheckBox("&p-values", toolTip=P_VALUES, accessibleName="p-values")
        self.significance = SignificancePanel()
        self._stability = ""
        self.counts = ElidedLabel()
        self.counts.setMinimumWidth(48)
        self._arrange(sizes)
        self.filter.textChanged.connect(self.model.set_filter)
        self.find = QShortcut(QKeySequence.Find, self)
        self.find.activated.connect(self.filter.setFocus)
        self.model.rows_changed.connect(self._show_counts)
        self.model.selection_changed.connect(self._show_counts)
        self.table.selectionModel().currentChanged.connect(self._show_counts)
        self.table.selected_by_hand.connect(self.selected_by_hand)
        self.table.horizontalHeader().sortIndicatorChanged.connect(self._sorted)
        for view in (self.plot, self.heatmap):
            view.clicked.connect(self._clicked_in_view)
        self.views.volcano.chosen.connect(self._chosen_in_view)
        self.views.label_chosen.connect(self._label_chosen)

    def _arrange(self, sizes):
        top, upper, layout = QHBoxLayout(), QWidget(), QVBoxLayout(self)
        top.addWidget(self.filter, 1)
        top.addSpacing(8)
        top.addWidget(self.p_box)
        top.addWidget(self.stability_box)
        top.addWidget(self.values.box)
        top.addSpacing(8)
        top.addWidget(self.counts)
        upper.setLayout(QVBoxLayout())
        upper.layout().setContentsMargins(0, 0, 0, 0)
        upper.layout().addLayout(top)
        upper.layout().addWidget(self.significance)
        upper.layout().addWidget(TableAndValues(self.table, self.values), 1)
        self.splitter = QSplitter(Qt.Vertical, childrenCollapsible=True)
        self.splitter.addWidget(upper)
        self.splitter.addWidget(self.views)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 2)
        self.splitter.setSizes(list(sizes) if [type(size) for size in sizes] == [int, int] else SIZES)
        self.splitter.splitterMoved.connect(lambda *_: self.resized.emit(self.splitter.sizes()))
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.splitter)
        layout.addWidget(self.strip)

    def set_features(self, variables: Sequence[Variable]) -> None:
        """Begin anew with these features."""
        self.views.set_scores((), 0)
        icons, places, kinds = [], {}, []
        for variable in variables:
            if type(variable) not in places:
                places[type(variable)] = len(icons)
                icons.append(gui.attributeIconDict[variable])
            kinds.append(places[type(variable)])
        n_values = [len(v.values) if v.is_discrete else 0 for v in variables]
        self.model.set_features([v.name for v in variables], kinds, n_values, icons, attributes_of(variables))

    def set_scores(self, columns: Sequence[Scores], leading: int) -> None:
        """Show scores; the leading one is what the rank column and the plot mean."""
        before = [scores.name for scores in self.model.columns], self.lead and self.lead.name
        self.model.set_columns(columns, leading)
        names = [scores.name for scores in columns]
        if names and (names, names[leading]) != before and names[leading] != self._kept_place:
            self.table.put_first(FIRST_SCORE + leading)
        self._kept_place = ""
        header = self.table.horizontalHeader()
        with QSignalBlocker(header):  # or sorting and leading would chase each other
            header.setSortIndicator(*self.model.sorted_by)
        self.views.set_scores(columns, leading)
        self._show_counts()

    def set_stability_state(self, ticked: bool, text: str, possible: bool, failure: str = "") -> None:
        """Set what the box of the stability says."""
        self._stability = text
        self.stability_box.setToolTip(plain(failure) or STABILITY)
        self.stability_box.setChecked(ticked)
        self.stability_box.setEnabled(possible)
        self._show_stability()

    def set_p_possible(self, possible: bool, reason: str = "") -> None:
        """Offer p-values, or say why there are none."""
        self.p_box.setEnabled(possible)
        self.p_box.setToolTip(reason or P_VALUES)

    def set_top(self, n: int) -> None:
        """Stability is that of the best `n`."""
        self.model.set_top(n)
        self._show_stability()

    def _show_stability(self):
        mean = self.model.mean_share() if self.stability_box.isChecked() else None
        done = self._stability == TITLE and mean is not None
        self.stability_box.setText(f"{TITLE}: {100 * mean:.0f} %" if done else self._stability)

    @property
    def figure(self) -> object:
        """Item that is saved as a picture and reported."""
        return self.views.figure

    @property
    def lead(self) -> Scores | None:
        """The leading score."""
        return self.model.columns[self.model.leading] if self.model.columns else None

    def selected_names(self) -> list[str]:
        """Names of the selected features."""
        return [self.model.names[i] for i in np.flatnonzero(self.model.selected)]

    def report_rows(self, most: int) -> list[list[str]]:
        """Titles and the first rows of the table as they are shown, with every score."""
        model = self.model
        rows = [["#", "Feature", *(scores.title for scores in model.columns)]]
        for f in model.rows[:most]:
            rank = str(model.columns[model.leading].ranks[f]) if model.columns else ""
            rows.append([rank, model.names[f], *(scores.text(f) for scores in model.columns)])
        return rows

    def _sorted(self, column, _):
        if FIRST_SCORE <= column < FIRST_SCORE + len(self.model.columns):
            self._kept_place = self.model.columns[column - FIRST_SCORE].name  # no title moves away from a mouse
            self.sorted_by_score.emit(self._kept_place)
            self._kept_place = ""

    def _label_chosen(self, name):
        """Sort by the scores for a label, or again by the leading ones."""
        names = [scores.name for scores in self.model.scores]
        column = FIRST_SCORE + (names.index(name) if name in names else self.model.leading)
        self.table.sortByColumn(column, Qt.DescendingOrder)
        self.table.scrollTo(self.model.index(0, column))

    def _clicked_in_view(self, feature):
        self.table.show_feature(feature)
        self.model.select(np.arange(len(self.model.names)) == feature)
        self.selected_by_hand.emit()

    def _chosen_in_view(self, mask):
        self.model.select(mask)
        self.selected_by_hand.emit()

    def _show_counts(self, *_):
        p, shown, chosen = len(self.model.names), len(self.model.rows), int(self.model.selected.sum())
        missing, named = not_found(self.model.shown.missing)
        texts = [missing] * bool(missing) + [f"{shown:,} of {p:,} shown"] * (shown < p)
        text = ", ".join([*texts, f"{chosen:,} of {p:,} selected"]) if p else ""
        self.counts.setText(text)
        told = row_told(self.model, self.table.currentIndex().row())
        self.table.setAccessibleDescription("; ".join(filter(None, (told, text))))
        self.counts.setToolTip(plain(f"{text}\n{named}" if named else text))
