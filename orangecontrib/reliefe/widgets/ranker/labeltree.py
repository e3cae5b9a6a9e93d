"""A hierarchy of labels to choose one from."""

from collections.abc import Sequence

from AnyQt.QtCore import QSignalBlocker, QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from ..utils.markup import plain

ALL = "All labels"
LABEL = Qt.UserRole
OPEN = 60  # labels up to which all branches are open at first


class LabelTree(QWidget):
    """Every label is below each of its parents; what is below it is listed where it comes first."""

    chosen = Signal(object)  # index of a label, or None: all of them

    def __init__(self, parent=None):
        super().__init__(parent)
        self.names, self.parents, self._below = (), (), ()
        self.filter = QLineEdit(
            placeholderText="Filter labels",
            clearButtonEnabled=True,
            accessibleName="Filter labels",
            toolTip="Show only labels whose name contains this, and what is above them",
        )
        self.tree = QTreeWidget(
            headerHidden=True,
            uniformRowHeights=True,
            accessibleName="Labels",
            horizontalScrollBarPolicy=Qt.ScrollBarAlwaysOff,
            toolTip="The heat map shows the label that is chosen and all below it; the table is sorted by that label",
        )
        self.tree.setIndentation(14)
        for part in (self.filter, self.tree):
            part.setMinimumWidth(60)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.filter)
        layout.addWidget(self.tree)
        self.filter.textChanged.connect(self._filter)
        self.tree.currentItemChanged.connect(self._changed)

    def sizeHint(self):
        return QSize(150, 100)

    @property
    def current(self) -> int | None:
        """Index of the label that is chosen; None: all."""
        item = self.tree.currentItem()
        return None if item is None else item.data(0, LABEL)

    def set_labels(self, names: Sequence[str], parents: Sequence[Sequence[int]]) -> None:
        """Begin anew; parents: of each label the indices of its parents, without cycles."""
        self.names, self.parents = tuple(names), tuple(parents)
        children = [[] for _ in self.names]
        for label, above in enumerate(self.parents):
            for parent in above:
                children[parent].append(label)
        self._below = tuple(map(tuple, children))
        with QSignalBlocker(self.tree), QSignalBlocker(self.filter):
            self.filter.clear()
            self.tree.clear()
            self._fill()

    def branch(self, label: int | None) -> list[int]:
        """A label and all below it, in the order of the labels; None: all labels."""
        if label is None:
            return list(range(len(self.names)))
        found, waiting = set(), [label]
        while waiting:
            each = waiting.pop()
            if each not in found:
                found.add(each)
                waiting += self._below[each]
        return sorted(found)

    def _fill(self):
        root = QTreeWidgetItem(self.tree, [ALL])
        root.setExpanded(True)
        seen: set[int] = set()
        waiting = [(root, None, label) for label, above in reversed([*enumerate(self.parents)]) if not above]
        while waiting:
            place, parent, label = waiting.pop()
            full = self.names[label]
            short = full if parent is None else full.removeprefix(f"{self.names[parent]}/")
            item = QTreeWidgetItem(place, [short])
            item.setData(0, LABEL, label)
            item.setToolTip(0, plain(full))
            item.setExpanded(len(self.names) <= OPEN)
            if label in seen and self._below[label]:
                item.setToolTip(0, plain(f"{full}: the labels below it are listed above"))
                item.setText(0, f"{short} \u2191")
            elif label not in seen:
                seen.add(label)
                waiting += [(item, label, child) for child in reversed(self._below[label])]
        self.tree.setCurrentItem(root)

    def _changed(self, item, _):
        self.chosen.emit(None if item is None else item.data(0, LABEL))

    def _filter(self, text):
        pattern = text.casefold().strip()
        self._show_matches(self.tree.invisibleRootItem(), pattern)
        self.tree.topLevelItem(0).setHidden(False)

    def _show_matches(self, place, pattern) -> bool:
        """True if anything below a place matches; what does not is hidden."""
        some = False
        for number in range(place.childCount()):
            item = place.child(number)
            below = self._show_matches(item, pattern)
            shown = below or pattern in item.text(0).casefold()
            item.setHidden(not shown)
            if pattern and below:
                item.setExpanded(True)
            some |= shown
        return some
