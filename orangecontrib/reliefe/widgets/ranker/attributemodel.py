"""The ranking as a Qt model, with attributes of the features as its last columns."""

from collections.abc import Sequence

from AnyQt.QtCore import QModelIndex, Qt

from .attributes import Attribute
from .model import FIRST_SCORE, RankingModel


class AttributeModel(RankingModel):
    """`attributes` are all that the features have, `wanted` names of those to be shown, `extra` those that are."""

    def __init__(self, parent=None):
        self.attributes, self.wanted, self._by = (), (), None
        super().__init__(parent)

    @property
    def first_extra(self) -> int:
        """The column of the first attribute."""
        return FIRST_SCORE + len(self.scores)

    def set_attributes(self, attributes: Sequence[Attribute]) -> None:
        """Those of new features; comes before these."""
        self.attributes, self._by = tuple(attributes), None
        self._choose()

    def show_attributes(self, names: Sequence[str]) -> None:
        """Show these and no others; names that the features do not have wait for them."""
        self.beginResetModel()
        self.wanted = tuple(names)
        self._choose()
        self._follow(self._by)
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

    def _follow(self, attribute) -> None:
        """Stay sorted by an attribute while it is shown, and then by the leading score."""
        if attribute is not None:
            shown = attribute in self.extra
            self._by = attribute if shown else None
            column = self.first_extra + self.extra.index(attribute) if shown else FIRST_SCORE + self.leading
            self._sort = column, self._sort[1]

    def _choose(self):
        self.extra = tuple(attribute for attribute in self.attributes if attribute.name in self.wanted)

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
            Qt.ToolTipRole: f"{attribute.name}: an attribute of the features",
            Qt.TextAlignmentRole: Qt.AlignLeft | Qt.AlignVCenter,
        }
        return told.get(role)

    def _key(self, column):
        return super()._key(column) if self._by is None else self._by.places

    def _text(self, feature, column):
        attribute = self._extra(column)
        return attribute.texts[feature] if attribute else super()._text(feature, column)
