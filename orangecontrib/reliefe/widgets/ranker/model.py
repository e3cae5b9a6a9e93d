"""The ranking as a table: features x scores, NumPy arrays below, no object for each cell."""

from collections.abc import Collection, Iterable, Sequence
from functools import partial

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QIcon
from AnyQt.QtWidgets import QApplication

from ...orange.name_filter import NameFilter
from ...orange.ranker.scores import MethodScores
from ..table.model import Column, TableModel
from ..utils.colors import swatch
from .measures import header_tip, state, tooltip

RANK, NAME, VALUES, FIRST_SCORE = range(4)
BY_RANK, BY_NAME, BY_VALUES, BY_LEAD = "#", "#feature", "#values", ""  # keys; the last one: of the leading score
TIPS = (
    "Rank by the leading score",
    "Name of the feature; the icon shows its type",
    "Number of values of a categorical feature",
)


def _score_column(scores: MethodScores) -> Column:
    """Column of scores; it is sorted by z where groups are ordered by it."""
    order = -scores.ranks.astype(float) if scores.goes_by_z else None
    return Column(
        scores.name, scores.title, scores.values, scores.text, header_tip(scores), descending=True, order=order
    )


class RankingModel(TableModel):
    """Items are features.

    `columns` are the scores of methods, one of which leads; `scores` are all: behind them those for each target.
    `extra` are columns behind the scores: `attributes` of features, as far as they are `wanted`, `beside`, of other
    rankings, and `tests`, of p-values.  `selected` (p,) belongs to features, not to rows, and so survives sorting and
    filtering.  `shares` are for each score the probabilities (p,) of being among the `top` best ones, or None.
    `groups` (p,) are the features that represent alike ones, which are folded under them unless these are `opened`;
    None: nothing is folded.
    """

    selection_changed = Signal()
    rows_changed = Signal()

    def __init__(self, parent=None):
        super().__init__(parent, BY_LEAD, Qt.DescendingOrder)
        self.shown = NameFilter()
        self.top = 1
        self._shortened = frozenset()
        self.attributes = self.wanted = self.beside = self.tests = self.extra = ()
        self._set_features([], [], [], [])

    def set_features(
        self, names: Sequence[str], kinds=(), n_values=(), icons: Sequence[QIcon] = (), attributes=()
    ) -> None:
        """Take other features: kinds (p,) index of an icon; n_values (p,) 0 = not categorical; attributes: columns."""
        self.beginResetModel()
        self.attributes = tuple(attributes)
        self.beside = ()
        self.tests = ()
        if self.by in {column.key for column in self.extra}:
            self.by = BY_LEAD
        self._set_features(names, kinds, n_values, icons)
        self.endResetModel()
        self.rows_changed.emit()

    def _set_features(self, names, kinds, n_values, icons) -> None:
        self.names = list(names)
        self.icons = list(icons)
        self.columns = []
        self.scores = []
        self.leading = 0
        self.kinds = np.asarray(kinds, int)
        self.n_values = np.asarray(n_values, int)
        self.shares = []
        self.selected = np.zeros(len(self.names), bool)
        self.groups, self.opened = None, set()
        n_values = self.n_values
        self._name = Column(BY_NAME, "Feature", self.names, self._indented, TIPS[NAME])
        self._values = Column(
            BY_VALUES, "Values", n_values, lambda f: str(n_values[f] or ""), TIPS[VALUES], Qt.AlignRight
        )
        self.shown.set_names(self.names)
        self._collect()
        self.arrange()

    def _collect(self):
        ranks = self.columns[self.leading].ranks if self.columns else np.arange(len(self.names))
        text = (lambda f: str(ranks[f])) if self.columns else (lambda f: "")
        # The space keeps the right-aligned # off its neighbour.
        rank = Column(BY_RANK, "#\u2002", ranks, text, TIPS[RANK], Qt.AlignRight)
        scores = map(_score_column, self.scores)
        self.extra = *(each for each in self.attributes if each.title in self.wanted), *self.beside, *self.tests
        self.fields = rank, self._name, self._values, *scores, *self.extra

    def _change(self, reset: bool):
        """Show other columns, or other values in the same ones, so that the view does not jump."""
        if reset:
            self.beginResetModel()
        self._collect()
        if self.columns and self.column(self.by) is None:
            self.by = BY_LEAD
        if reset:
            self.arrange()
            self.endResetModel()
        else:
            self.rearrange()
            self.headerDataChanged.emit(Qt.Horizontal, 0, self.columnCount() - 1)

    def set_columns(self, columns: Sequence[MethodScores], leading: int = 0) -> None:
        """Show these scores; the same methods again (a partial result) are no reset."""
        if self.by in {s.name for s in self.columns}:
            self.by = BY_LEAD
        before = [s.name for s in self.scores]
        self.scores = [*columns, *(detail for each in columns for detail in each.details)]
        self.columns, self.leading = list(columns), leading
        self._count_shares()
        self._change([s.name for s in self.scores] != before)

    def mask_of(self, names: Collection[str]) -> np.ndarray:
        """(p,) bool: True for the features with these names."""
        wanted = set(names)
        return np.array([name in wanted for name in self.names], bool)

    def show_attributes(self, names: Sequence[str]) -> None:
        """Show these and no others; names that the features do not have wait for them."""
        self.wanted = tuple(names)
        self._change(True)

    def set_tests(self, tests: Sequence[Column]) -> None:
        """Show these, too; others by the same keys take the place of those that are shown, as shuffles arrive."""
        if tests or self.tests:
            before = [test.key for test in self.tests]
            self.tests = tuple(tests)
            self._change([test.key for test in tests] != before)

    def set_beside(self, columns: Sequence[Column]) -> None:
        """Show these columns of other rankings, and no others."""
        if columns or self.beside:
            self.beside = tuple(columns)
            self._change(True)

    def column(self, key):
        """The column with this key, or of the leading score; None without one."""
        return super().column(self.columns[self.leading].name if key == BY_LEAD and self.columns else key)

    def sort(self, column, order=Qt.AscendingOrder):
        """Sort by a column; without scores, their first column is that of the first one to come."""
        super().sort(column if self.scores or column < FIRST_SCORE else -1, order)

    def arrange(self):
        """Sort and filter; the features of a group are below the one that represents it, if they are shown."""
        self.mask, groups = self.shown.mask, self.groups
        if groups is not None:
            opened = np.isin(groups, [*self.opened]) | ~self.mask[groups]  # or else the filter would find nothing
            folded = self.mask & opened
            folded[groups[self.mask]] = True
            self.mask = folded
        if not self.columns and self.by == BY_RANK:  # there are no ranks yet
            self.rows = np.flatnonzero(self.mask)
        else:
            super().arrange()
        if groups is not None:
            places = np.empty(len(groups), int)
            places[self.rows] = np.arange(len(self.rows))
            first = groups[self.rows]
            self.rows = self.rows[np.lexsort((self.rows != first, places[first]))]

    def fold(self, names: Sequence[str]) -> None:
        """Fold features under the best ones of their groups; names (p,) of these, empty where a feature is alone."""
        places, groups = {name: f for f, name in enumerate(self.names)}, None
        if any(names):
            groups = np.array([places[name] if name else f for f, name in enumerate(names)])
        if not np.array_equal(groups, self.groups):
            self.opened = set()
            self._show_others(partial(setattr, self, "groups"), groups)

    def open_group(self, feature: int, wanted: bool) -> int | None:
        """Show the group of a feature, or fold it: the feature that represents it; None if nothing changes."""
        first = None if self.groups is None else int(self.groups[feature])
        if first is None or not self.marker(first) or (first in self.opened) == wanted:
            return None
        self._show_others(partial(setattr, self, "opened"), self.opened ^ {first})
        return first

    def marker(self, feature: int) -> str:
        """Sign and number of the features that are folded under a feature, or could be; empty: none."""
        others = 0 if self.groups is None else int((self.groups == feature).sum()) - 1
        return f"{'−' if feature in self.opened else '+'}{others:,}" if others > 0 else ""

    def _indented(self, feature):
        folded = self.groups is not None and self.groups[feature] != feature
        return ("\u2003" if folded else "") + self.names[feature]

    def set_filter(self, pattern: str) -> None:
        """Show only features that `pattern` stands for: words that names contain, or a list of names."""
        self._show_others(self.shown.set_pattern, pattern)

    def hide(self, mask: np.ndarray) -> None:
        if not np.array_equal(mask, self.shown.hidden):
            self._show_others(self.shown.set_hidden, mask)

    def _show_others(self, change, to) -> None:
        self.beginResetModel()
        change(to)
        self.arrange()
        self.endResetModel()
        self.rows_changed.emit()

    def select(self, mask: np.ndarray) -> None:
        if not np.array_equal(mask, self.selected):
            self.selected = np.array(mask, bool)
            self._repaint()
            self.selection_changed.emit()

    def set_top(self, n: int) -> None:
        if n != self.top:
            self.top = n
            self._count_shares()
            self._repaint()

    def shorten(self, names: Iterable[str]) -> None:
        """Show the short titles of these scores, and the long ones of the others."""
        if frozenset(names) != self._shortened:
            self._shortened = frozenset(names)
            self.headerDataChanged.emit(Qt.Horizontal, 0, self.columnCount() - 1)

    def title(self, column: int) -> str:
        return self.fields[column].title

    def mean_share(self) -> float | None:
        """Mean share of the best `top` features by the leading score."""
        shares = self.shares[self.leading] if self.columns else None
        return None if shares is None else float(shares[self.columns[self.leading].order[: self.top]].mean())

    def dull(self, feature: int) -> bool:
        """True if a feature does not stand out from shuffled targets by the leading score, as far as is known."""
        return bool(self.columns) and self.columns[self.leading].dull(feature)

    def last_real(self) -> int | None:
        """Row of the last feature that does, if the table is sorted by q, p or z; else None."""
        lead = self.columns[self.leading] if self.columns else None
        if lead is None or lead.real is None or not self._by_significance():
            return None
        rows = np.flatnonzero(lead.real[self.rows])
        return int(rows[-1]) if len(rows) else None

    def _by_significance(self) -> bool:
        """True if the table begins with the best features by the leading score."""
        column = self.column(self.by)
        ranked = (column in self.tests and column.order is not None) or self.place(self.by) in (
            RANK,
            FIRST_SCORE + self.leading,
        )
        return ranked and (self.direction == Qt.DescendingOrder) == column.descending

    def _repaint(self) -> None:
        if len(self.rows):
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, self.columnCount() - 1))

    def _count_shares(self) -> None:
        self.shares = [None if scores.chances is None else scores.chances(self.top) for scores in self.scores]

    # What Qt asks ----------------------------------------------------------------------------------------------------

    def tip(self, item, column):
        return tooltip(self, item)

    def about(self, item):
        return state(self, item)

    def data(self, index, role=Qt.DisplayRole):
        if role == Qt.DecorationRole and index.column() == NAME and self.icons:
            return self.icons[self.kinds[self.rows[index.row()]]]
        return super().data(index, role)

    def headerData(self, section, orientation, role=Qt.DisplayRole):
        place = section - FIRST_SCORE
        if orientation == Qt.Horizontal and 0 <= place < len(self.scores):
            scores = self.scores[place]
            if role == Qt.DisplayRole:
                title = scores.short if scores.short and scores.name in self._shortened else scores.title
                return title + " …" * scores.partial
            if role == Qt.DecorationRole:
                return QIcon(swatch(scores.number, QApplication.palette(), place >= len(self.columns)))
        return super().headerData(section, orientation, role)

    # For elsewhere ---------------------------------------------------------------------------------------------------

    def chosen(self) -> np.ndarray:
        """Selected features that are shown, or else all that are shown, in the order of the table."""
        rows = self.rows[self.selected[self.rows]]
        return rows if len(rows) else self.rows

    @property
    def saved(self):
        scores = self.fields[FIRST_SCORE : FIRST_SCORE + len(self.scores)]
        return self._name, *self.extra, *scores

    def lines_to_save(self):
        """All features in the order of the leading score, whatever the table is sorted by or shows."""
        order = self.columns[self.leading].order if self.columns else np.arange(len(self.names))
        titles, *lines = self.as_table(order)
        return [["Rank", *titles], *([str(rank), *line] for rank, line in enumerate(lines, 1))]
