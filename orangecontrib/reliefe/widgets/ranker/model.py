"""The ranking as a Qt model: NumPy arrays below, no object for each cell."""

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from AnyQt.QtCore import QAbstractTableModel, QModelIndex, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QIcon
from AnyQt.QtWidgets import QApplication

from ..utils.colors import swatch
from ..utils.markup import plain
from .measures import Attribute, header_tip, natural_order, state, tooltip
from .namefilter import NameFilter
from .scores import Scores

RANK, NAME, VALUES, FIRST_SCORE = range(4)
TITLES = ("#\u2002", "Feature", "Values")  # the space keeps the right-aligned # off its neighbour
TIPS = (
    "Rank by the leading score",
    "Name of the feature; the icon tells its type",
    "Number of values of a categorical feature",
)


class RankingModel(QAbstractTableModel):
    """Features x scores.

    `columns` are the scores of methods, one of which leads; `scores` are all: behind them those for each target.
    `rows` (shown,) is the feature of every visible row; `selected` (p,) belongs to features, not to rows, and so
    survives sorting and filtering.  `shares` are for each score the probabilities (p,) of being among the `top` best
    ones, or None.  Sorting and filtering happen here: a proxy would call Python for each comparison.
    """

    selection_changed = Signal()
    rows_changed = Signal()
    extra = tests = ()  # further columns behind the scores, and those among them that are of p-values

    def __init__(self, parent=None):
        super().__init__(parent)
        self.shown, self._sort, self.top = NameFilter(), (FIRST_SCORE, Qt.DescendingOrder), 1
        self._shortened = frozenset()
        self._set_features([], [], [], [])

    def set_features(self, names: Sequence[str], kinds=(), n_values=(), icons: Sequence[QIcon] = ()) -> None:
        """Begin anew: kinds (p,) index of an icon; n_values (p,) 0 = not categorical."""
        self.beginResetModel()
        self._set_features(names, kinds, n_values, icons)
        self.endResetModel()
        self.rows_changed.emit()

    def _set_features(self, names, kinds, n_values, icons) -> None:
        self.names, self.icons, self.columns, self.scores, self.leading = list(names), list(icons), [], [], 0
        self.kinds, self.n_values, self.shares = np.asarray(kinds, int), np.asarray(n_values, int), []
        self.selected = np.zeros(len(self.names), bool)
        self.__dict__.pop("_natural", None)
        self.shown.set_names(self.names)
        self._arrange()

    def set_columns(self, columns: Sequence[Scores], leading: int = 0) -> None:
        """Show these scores; a table that is sorted by a method's is then sorted by the leading one.

        The same methods again (a partial result) is no reset, so that the view does not jump.
        """
        scores = [*columns, *(detail for each in columns for detail in each.details)]
        before, names = [s.name for s in self.scores], [s.name for s in scores]
        if self._sort[0] >= FIRST_SCORE:
            place = self._sort[0] - FIRST_SCORE
            detail = before[place] if len(self.columns) <= place < len(before) else None
            self._sort = FIRST_SCORE + (names.index(detail) if detail in names else leading), self._sort[1]
        reset = names != before
        if reset:
            self.beginResetModel()
        self.columns, self.scores, self.leading = list(columns), scores, leading
        self._count_shares()
        if reset:
            self._arrange()
            self.endResetModel()
        else:
            self.sort(*self._sort)
            self.headerDataChanged.emit(Qt.Horizontal, 0, self.columnCount() - 1)

    def set_filter(self, pattern: str) -> None:
        """Show only features that `pattern` stands for: words that names contain, or a list of names."""
        self._show_others(self.shown.set_pattern, pattern)

    def hide(self, mask: np.ndarray) -> None:
        """Show none of the features of `mask` (p,)."""
        if not np.array_equal(mask, self.shown.hidden):
            self._show_others(self.shown.set_hidden, mask)

    def _show_others(self, change, to) -> None:
        self.beginResetModel()
        change(to)
        self._arrange()
        self.endResetModel()
        self.rows_changed.emit()

    def select(self, mask: np.ndarray) -> None:
        """Select the features of `mask` (p,) and no others."""
        if not np.array_equal(mask, self.selected):
            self.selected = np.array(mask, bool)
            self._repaint()
            self.selection_changed.emit()

    def set_top(self, n: int) -> None:
        """Show the probabilities of being among the best `n`."""
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
        """The title of a column in full."""
        return self.scores[column - FIRST_SCORE].title if column >= FIRST_SCORE else TITLES[column]

    def mean_share(self) -> float | None:
        """Mean share of the best `top` features by the leading score."""
        shares = self.shares[self.leading] if self.columns else None
        return None if shares is None else float(shares[self.columns[self.leading].order[: self.top]].mean())

    def dull(self, feature: int) -> bool:
        """True if a feature does not stand out from shuffled targets by the leading score, as far as is known."""
        return bool(self.columns) and self.columns[self.leading].dull(feature)

    def last_real(self) -> int | None:
        """Row of the last feature that does, where the table is sorted by what tells it; None elsewhere."""
        lead = self.columns[self.leading] if self.columns else None
        if lead is None or lead.real is None or not self._by_significance():
            return None
        rows = np.flatnonzero(lead.real[self.rows])
        return int(rows[-1]) if len(rows) else None

    def _by_significance(self) -> bool:
        """True if the table begins with the best features by the leading score."""
        column, order = self._sort
        return (column == FIRST_SCORE + self.leading) == (order == Qt.DescendingOrder) and (
            column in (RANK, FIRST_SCORE + self.leading)
        )

    def _repaint(self) -> None:
        if len(self.rows):
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, self.columnCount() - 1))

    def _count_shares(self) -> None:
        self.shares = [None if scores.chances is None else scores.chances(self.top) for scores in self.scores]

    @property
    def sorted_by(self) -> tuple:
        """(column, direction)."""
        return self._sort

    def sort(self, column: int, order=Qt.AscendingOrder) -> None:
        """Sort by a column; equal scores keep the order of the data in both directions."""
        self._sort = column, order
        self.layoutAboutToBeChanged.emit()
        self._arrange()
        self.layoutChanged.emit()

    def _arrange(self) -> None:
        """Sort all, then filter: O(p log p) in NumPy."""
        column, direction = self._sort
        if column >= FIRST_SCORE + len(self.scores):
            column = FIRST_SCORE if self.columns else RANK
        key = self._key(column)
        down = direction == Qt.DescendingOrder and (self.columns or column != RANK)
        order = np.argsort(-key if down else key, kind="stable")  # NaN is last in both directions
        self.rows = order[self.shown.mask[order]]

    def _key(self, column: int) -> np.ndarray:
        if column >= FIRST_SCORE:
            return self.scores[column - FIRST_SCORE].values
        if column == NAME:
            return self._natural
        if column == VALUES:
            return self.n_values
        return self.columns[self.leading].ranks if self.columns else np.arange(len(self.names))

    @cached_property
    def _natural(self) -> np.ndarray:
        """(p,) place of each name where x2 comes before x10; computed once for each data set."""
        return natural_order(self.names)

    # What Qt asks ----------------------------------------------------------------------------------------------------

    def rowCount(self, parent=QModelIndex()):  # noqa: B008 (Qt's own signature)
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent=QModelIndex()):  # noqa: B008
        return 0 if parent.isValid() else FIRST_SCORE + len(self.scores)

    def data(self, index, role=Qt.DisplayRole):
        feature, column = self.rows[index.row()], index.column()
        if role == Qt.DisplayRole:
            return self._text(feature, column)
        if role == Qt.DecorationRole and column == NAME and self.icons:
            return self.icons[self.kinds[feature]]
        if role == Qt.TextAlignmentRole and column in (RANK, VALUES):
            return Qt.AlignRight | Qt.AlignVCenter
        if role == Qt.ToolTipRole:
            return tooltip(self, feature)
        if role == Qt.AccessibleDescriptionRole:
            return state(self, feature)
        return None

    def headerData(self, section, orientation, role=Qt.DisplayRole):
        if orientation != Qt.Horizontal or section >= self.columnCount():
            return None
        scores = self.scores[section - FIRST_SCORE] if section >= FIRST_SCORE else None
        if role == Qt.DisplayRole:
            if scores is None:
                return TITLES[section]
            title = scores.short if scores.short and scores.name in self._shortened else scores.title
            return title + " …" * scores.partial
        if role == Qt.ToolTipRole:
            return header_tip(scores) if scores else TIPS[section]
        if role == Qt.DecorationRole and scores:
            return QIcon(swatch(scores.number, QApplication.palette(), section >= FIRST_SCORE + len(self.columns)))
        if role == Qt.TextAlignmentRole:
            return (Qt.AlignRight if section in (RANK, VALUES) else Qt.AlignLeft) | Qt.AlignVCenter
        if role == Qt.InitialSortOrderRole and scores:
            return Qt.DescendingOrder.value  # an int: the enum itself is ignored
        return None

    def _text(self, feature: int, column: int) -> str:
        if column >= FIRST_SCORE:
            return self.scores[column - FIRST_SCORE].text(feature)
        if column == NAME:
            return self.names[feature]
        if column == VALUES:
            return str(self.n_values[feature] or "")
        return str(self.columns[self.leading].ranks[feature]) if self.columns else ""


class AttributeModel(RankingModel):
    """`attributes` are all that the features have, `wanted` names of those to be shown, `tests` columns of p-values;
    `extra` are those of both that are shown."""

    def __init__(self, parent=None):
        self.attributes, self.wanted, self.tests, self._by = (), (), (), None
        super().__init__(parent)

    @property
    def first_extra(self) -> int:
        """The column of the first attribute."""
        return FIRST_SCORE + len(self.scores)

    def set_attributes(self, attributes: Sequence[Attribute]) -> None:
        """Those of new features; comes before these."""
        self.attributes, self.tests, self._by = tuple(attributes), (), None
        self._choose()

    def show_attributes(self, names: Sequence[str]) -> None:
        """Show these and no others; names that the features do not have wait for them."""
        self._reset(tuple(names), self.tests)

    def set_tests(self, tests: Sequence[Attribute]) -> None:
        """Show these, too; others by the same names take the place of those that are shown, as shuffles arrive."""
        before, by = [test.name for test in self.tests], self._by
        if [test.name for test in tests] != before:
            self._reset(self.wanted, tuple(tests))
        elif before:
            place = self.extra.index(by) if by in self.extra else None
            self.tests = tuple(tests)
            self._choose()
            self._by = None if place is None else self.extra[place]
            if place is None:
                self._repaint()
            else:
                self.sort(*self._sort)

    def _reset(self, wanted, tests):
        self.beginResetModel()
        by = self._by
        self.wanted, self.tests = wanted, tests
        self._choose()
        self._follow(by and next((each for each in self.extra if each.name == by.name), by))
        self._arrange()
        self.endResetModel()

    def set_columns(self, columns, leading=0):
        """As of any ranking; a table that is sorted by an attribute stays so."""
        kept, (_, order) = self._by, self._sort
        super().set_columns(columns, leading)
        if kept is not None:
            self.sort(self.first_extra + self.extra.index(kept), order)

    def sort(self, column, order=Qt.AscendingOrder):
        """Sort by a column, by an attribute only beside scores: before, its column is that of the first one to come."""
        self._by = self._extra(column) if self.scores else None
        super().sort(column, order)

    def _by_significance(self):
        if self._by is None:
            return super()._by_significance()
        down = self._sort[1] == Qt.DescendingOrder
        return self._by in self.tests and down == self._by.descending

    def _follow(self, attribute) -> None:
        """Stay sorted by an attribute while it is shown, and then by the leading score."""
        if attribute is not None:
            shown = attribute in self.extra
            self._by = attribute if shown else None
            column = self.first_extra + self.extra.index(attribute) if shown else FIRST_SCORE + self.leading
            self._sort = column, self._sort[1]

    def _choose(self):
        self.extra = *(attribute for attribute in self.attributes if attribute.name in self.wanted), *self.tests

    def _extra(self, column) -> Attribute | None:
        place = column - self.first_extra
        return self.extra[place] if 0 <= place < len(self.extra) else None

    def title(self, column):
        """The title of a column in full."""
        attribute = self._extra(column)
        return attribute.name if attribute else super().title(column)

    def columnCount(self, parent=QModelIndex()):  # noqa: B008 (Qt's own signature)
        return 0 if parent.isValid() else super().columnCount(parent) + len(self.extra)

    def headerData(self, section, orientation, role=Qt.DisplayRole):
        attribute = self._extra(section) if orientation == Qt.Horizontal else None
        if attribute is None:
            return super().headerData(section, orientation, role)
        told = {
            Qt.DisplayRole: attribute.name,
            Qt.InitialSortOrderRole: (Qt.DescendingOrder if attribute.descending else Qt.AscendingOrder).value,
            Qt.ToolTipRole: plain(attribute.tip),
            Qt.TextAlignmentRole: (Qt.AlignRight if attribute.right else Qt.AlignLeft) | Qt.AlignVCenter,
        }
        return told.get(role)

    def data(self, index, role=Qt.DisplayRole):
        """As of any column; numbers stand at the right."""
        if role == Qt.TextAlignmentRole:
            attribute = self._extra(index.column())
            if attribute is not None and attribute.right:
                return Qt.AlignRight | Qt.AlignVCenter
        return super().data(index, role)

    def _key(self, column):
        return super()._key(column) if self._by is None else self._by.places

    def _text(self, feature, column):
        attribute = self._extra(column)
        return attribute.texts[feature] if attribute else super()._text(feature, column)
