"""The view of ranks: a table of where each feature stands in each ranking."""

import numpy as np
from AnyQt.QtCore import QItemSelection, QItemSelectionModel, QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QAbstractItemView, QLabel

from ...orange.comparison.comparison import ComparedRankings
from ...orange.stored_settings import between
from ..table.model import Column, TableModel
from ..table.view import TableView
from ..utils.controls import spin
from .view import NO_RANKINGS, View

USUAL_BEST = 20  # best features of each ranking at first
FEATURE = "feature"  # key of the column of names
NAME_WIDTH = 160  # pixels of the column of names


class RanksTable(TableView):
    """Features in rows and rankings in columns; the user selects rows."""

    chosen = Signal(list)  # features (indices) of the selected rows, after the user changed them
    file_name = "ranks"

    def __init__(self, model: TableModel):
        self._selected = np.zeros(0, bool)
        super().__init__(model, accessibleName="Ranks of the features", textElideMode=Qt.ElideMiddle)
        self.setSelectionBehavior(QAbstractItemView.SelectRows)
        self.setSelectionMode(QAbstractItemView.ExtendedSelection)
        self.offer_copies()
        self.add_action("&Save Table\u2026", self.save)
        self.selectionModel().selectionChanged.connect(self._selection_changed)
        for signal in (model.modelReset, model.layoutChanged):
            signal.connect(self._select_rows)

    def fit_columns(self) -> None:
        """Make columns as wide as their titles and ranks; those that have no room are scrolled to."""
        self.resizeColumnsToContents()
        self.setColumnWidth(0, max(self.columnWidth(0), NAME_WIDTH))

    def set_selected(self, mask: np.ndarray) -> None:
        """Select the rows of features, mask (p,) bool; emits nothing."""
        self._selected = np.array(mask, bool)
        self._select_rows()

    def _select_rows(self):
        model = self.model()
        selection = QItemSelection()
        for row in np.flatnonzero(self._selected[model.rows]) if len(self._selected) else ():
            index = model.index(int(row), 0)
            selection.select(index, index)
        with QSignalBlocker(self.selectionModel()):
            flags = QItemSelectionModel.ClearAndSelect | QItemSelectionModel.Rows
            self.selectionModel().select(selection, flags)
        self.viewport().update()

    def _selection_changed(self):
        rows = [index.row() for index in self.selectionModel().selectedRows()]
        self.chosen.emit(sorted(int(item) for item in self.model().rows[rows]))


class RanksView(View):
    """The ranks of the features that are among the best of any ranking; a click on a title sorts by this ranking."""

    title = "Ranks"
    tooltip = "Where each feature stands in each ranking"
    setting_rules = {"most": between(1)}

    def __init__(self, settings=None, parent=None):
        super().__init__(settings, parent)
        tip = "Show features that are among this many best of any ranking"
        self.spin = spin("Best features of each ranking", 1, 1, 1, tip)
        self.counts = QLabel()
        self.add_control("&Best features of each ranking", self.spin)
        self.controls.addStretch()
        self.controls.addWidget(self.counts)
        self.model = TableModel(self)
        self.table = RanksTable(self.model)
        self.set_body(self.table)
        self.spin.valueChanged.connect(self._max_rows_changed)
        self.table.chosen.connect(self.picked)
        self.set_comparison(None)

    @property
    def max_rows(self) -> int:
        return self.settings.get("most", USUAL_BEST)

    def set_comparison(self, comparison):
        super().set_comparison(comparison)
        self.table.set_selected(np.zeros(0, bool))  # what was selected before may be other features
        self._show()

    def set_selected(self, mask):
        self.table.set_selected(mask)

    def image_item(self):
        return None  # its table is reported

    def caption(self):
        return f"Ranks of the features among the best {self.max_rows:,} of any ranking"

    def _show(self):
        comparison = self.comparison
        has_rankings = comparison is not None and len(comparison.titles) > 0
        self.placeholder("" if has_rankings else NO_RANKINGS)
        self.spin.setEnabled(has_rankings)
        with QSignalBlocker(self.spin):
            self.spin.setMaximum(max(len(comparison.features), 1) if has_rankings else 1)
            self.spin.setValue(self.max_rows)
        self.model.beginResetModel()
        self.model.fields = ()
        self.model.mask = None
        if has_rankings:
            self.model.fields = rank_columns(comparison)
            self.model.mask = comparison.places.min(axis=0) < self.max_rows
        self.model.arrange()
        self.model.endResetModel()
        self.table.fit_columns()
        n_shown = len(self.model.rows)
        self.counts.setText(f"{n_shown:,} of {len(comparison.features):,} features" if has_rankings else "")

    def _max_rows_changed(self, max_rows):
        self.change(most=max_rows)
        self._show()


def rank_columns(comparison: ComparedRankings) -> tuple[Column, ...]:
    """Return the columns of the table: the names of the features, and their ranks (from 1) in each ranking."""
    columns = [
        Column(f"ranking {number}", title, (ranks + 1).tolist(), None, f"Rank in {title}", Qt.AlignRight)
        for number, (title, ranks) in enumerate(zip(comparison.titles, comparison.places, strict=True))
    ]
    return Column(FEATURE, "Feature", comparison.features), *columns
