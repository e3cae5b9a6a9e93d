"""The ranking as a Qt model, with attributes of the features, and what was tested of them, as its last columns."""

from collections.abc import Sequence

from AnyQt.QtCore import QModelIndex, Qt

from ..utils.markup import plain
from .attributes import Attribute
from .model import FIRST_SCORE, RankingModel


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
