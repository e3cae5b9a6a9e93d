"""Lists of methods, and of Orange's scores, that can be ticked."""

from collections.abc import Callable, Sequence

from AnyQt.QtCore import QRect, QSignalBlocker, QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QFont, QFontMetrics, QPalette
from AnyQt.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)
from Orange.preprocess.score import Scorer

from ...core.words import counted
from ...orange.jobs.scorer_job import CONNECTED, ScorerJob, connected, univariate
from ...orange.jobs.scorer_job import GROUP as ORANGE
from ...orange.ranker.listed_methods import FAMILIES, method_tooltip, reason_unfit
from ..utils.colors import hue, hues_of, muted
from ..utils.controls import BoxDelegate, FoldButton, QuietLabel, placed
from ..utils.markup import plain

NAME, ABOUT, GROUP = (Qt.UserRole + i for i in range(3))
UNFIT = ""  # group of the methods that are not for the data
MAX_ROWS = 12  # shown without scrolling
BOX, GAP, SWATCH = 34, 10, 20  # pixels: check box, between the columns, at the right edge
ROUNDED = 2  # pixels that a text may need beyond its width
MAX_WIDTH_IN_LINES = 26  # heights of a line, of the list
RECOMMENDED = "recommended for these data"


class MethodDelegate(BoxDelegate):
    """Check box and name as usual; then, quieter, what it is; the method's colour at the right edge."""

    def paint(self, painter, option, index):
        super().paint(painter, option, index)
        option = QStyleOptionViewItem(option)
        self.initStyleOption(option, index)
        rect, palette = option.rect, option.palette
        enabled, highlighted = (bool(option.state & s) for s in (QStyle.State_Enabled, QStyle.State_Selected))
        if option.checkState == Qt.Checked and enabled:
            swatch = QRect(rect.right() - 12, rect.center().y() - 5, 11, 11)  # framed, to differ from the highlight
            painter.fillRect(swatch, palette.color(QPalette.Base))
            painter.fillRect(swatch.adjusted(1, 1, -1, -1), hue(self.parent().hues().get(index.data(NAME), 0), palette))
        letters, about = self.parent().fontMetrics(), index.data(ABOUT)
        needed = letters.horizontalAdvance(about) + ROUNDED
        column = min(self.parent().column, rect.width() - BOX - GAP - SWATCH - needed)  # long texts begin before it
        left = BOX + max(column, option.fontMetrics.horizontalAdvance(option.text)) + GAP
        space = QRect(rect.left() + left, rect.top(), rect.width() - left - SWATCH, rect.height())
        quiet = muted(palette, 0.4 if enabled else 0.1)  # what is disabled is pale already
        painter.setPen(palette.color(QPalette.HighlightedText) if highlighted else quiet)
        painter.setFont(self.parent().font())
        text = letters.elidedText(about, Qt.ElideRight, space.width())
        painter.drawText(space, int(Qt.AlignLeft | Qt.AlignVCenter), text)

    def sizeHint(self, option, index):
        return QSize(120, option.fontMetrics.height() + 8)


class MethodList(QListWidget):
    """Methods with check boxes.  Long lists are in families, and a click or an arrow key folds these: what is ticked,
    highlighted or recommended stays in sight."""

    ticks_changed = Signal()
    highlight_changed = Signal()

    def __init__(self, methods: Sequence, ticked: Sequence[str], highlighted: str, parent=None):
        super().__init__(
            parent,
            accessibleName="Methods",
            frameShape=QListWidget.NoFrame,
            uniformItemSizes=True,
            horizontalScrollBarPolicy=Qt.ScrollBarAlwaysOff,
            toolTip="Tick the methods to compute; the Space key ticks",
        )
        self.numbers: Callable[[], dict[str, int]] = self._own_hues
        order = list(FAMILIES)
        many = len(methods) > MAX_ROWS and len({method.family for method in methods}) > 1
        self._offered = tuple(sorted(methods, key=lambda m: order.index(m.family)) if many else methods)
        self.methods, self._folded = self._offered, {*FAMILIES, UNFIT} if many else None
        self._recommended: Sequence[str] = ()
        self._task: str | None = None
        self._has_feature_groups = False
        self._touched: set[str] = set()  # methods that the user ticked or unticked since the last fold
        self._tips = {method.name: method_tooltip(method) for method in methods}
        self.setItemDelegate(MethodDelegate(self))
        self.viewport().setAutoFillBackground(False)
        self.by_name: dict[str, QListWidgetItem] = {}  # of the methods, without headers
        for method in self.methods:
            item = self.by_name[method.name] = QListWidgetItem(method.title, self)
            item.setData(NAME, method.name)
            item.setCheckState(Qt.Checked if method.name in ticked else Qt.Unchecked)
            if method.name == highlighted:
                self.setCurrentItem(item)
        if self.currentItem() is None:
            self.setCurrentRow(0)
        self.set_task(None)
        self.itemChanged.connect(self._changed)
        self.currentItemChanged.connect(self._highlighted)

    def recommend(self, names: Sequence[str]) -> None:
        """Mark these methods, and keep them in sight."""
        if list(names) != list(self._recommended):
            self._recommended = names
            self._describe()
            self._fold()

    def ticked(self) -> list[str]:
        """Names of the ticked methods, also of those that do not fit."""
        return [name for name, item in self.by_name.items() if item.checkState() == Qt.Checked]

    def tick(self, names: Sequence[str]) -> None:
        """Tick these methods and no others, quietly."""
        with QSignalBlocker(self):
            for name, item in self.by_name.items():
                item.setCheckState(Qt.Checked if name in names else Qt.Unchecked)
        self._fold()

    def hues(self) -> dict[str, int]:
        """Numbers of the hues of the methods that are ticked and fit, by their names: those of the panel, if there is
        one."""
        return self.numbers()

    def _own_hues(self) -> dict[str, int]:
        enabled = {name for name, item in self.by_name.items() if item.flags() & Qt.ItemIsEnabled}
        return hues_of([method.name for method in self._offered], enabled.intersection(self.ticked()))

    def highlighted(self) -> str:
        return self.currentItem().data(NAME)

    def highlight(self, name: str) -> None:
        self.setCurrentItem(self.by_name[name])

    def set_task(self, task: str | None, has_feature_groups: bool = False) -> None:
        """Grey out what does not rank the data, and put it behind what does.

        task: None: everything fits.
        has_feature_groups: True if groups of features are ranked as one.
        """
        with QSignalBlocker(self):
            self._task = task
            self._has_feature_groups = has_feature_groups
            current = self.currentItem()
            before = list(self.by_name)
            fitting = [method for method in self._offered if not self._reason_unfit(method)]
            self.methods = *fitting, *(method for method in self._offered if method not in fitting)
            self.by_name = {method.name: self.by_name[method.name] for method in self.methods}
            if self._folded is not None or [*self.by_name] != before:
                while self.count():
                    self.takeItem(0)
                before = None
                for method in self.methods:
                    group = method.family if method in fitting else UNFIT
                    if self._folded is not None and group != before:
                        header = QListWidgetItem(self)
                        header.setData(GROUP, group)
                        header.setFlags(Qt.NoItemFlags)  # not selected or ticked; clicks come by `mousePressEvent`
                    before = group
                    self.addItem(self.by_name[method.name])
                    self.by_name[method.name].setData(GROUP, group)
                self.setCurrentItem(current)
        self._describe()
        self._fold()

    def _describe(self):
        """Say of each method what it is, or that it does not fit, or that it is recommended."""
        # pixels: of the names, of a whole row
        letters = self.fontMetrics()
        self.column = 0
        widest = 0
        with QSignalBlocker(self):
            for item, method in zip(self.by_name.values(), self.methods, strict=True):
                reason = self._reason_unfit(method)
                fits = not reason
                marked = fits and method.name in self._recommended
                item.setFlags(
                    (Qt.ItemIsEnabled if fits else Qt.NoItemFlags) | Qt.ItemIsSelectable | Qt.ItemIsUserCheckable
                )
                description = reason or method.about
                note = RECOMMENDED if marked else reason
                item.setData(ABOUT, description)
                font = QFont(self.font())
                font.setBold(marked)
                item.setFont(font)
                name = QFontMetrics(font).horizontalAdvance(method.title)
                self.column = max(self.column, name)
                widest = max(widest, name + letters.horizontalAdvance(method.about) + ROUNDED)
                item.setToolTip(self._tips[method.name] + (f"<br>({note})" if note else ""))
                item.setData(Qt.AccessibleTextRole, f"{method.title}, {description}" + (f", {note}" if marked else ""))
        bar = self.verticalScrollBar().sizeHint().width() if self._folded is not None else 0
        self.setMinimumWidth(min(BOX + widest + GAP + SWATCH + bar, MAX_WIDTH_IN_LINES * letters.height()))

    def _reason_unfit(self, method):
        return reason_unfit(method, self._task, self._has_feature_groups)

    def mousePressEvent(self, event):
        item = self.itemAt(event.pos())
        if item is None or item.data(NAME) is not None:
            super().mousePressEvent(event)
        elif event.button() == Qt.LeftButton:
            self._folded ^= {item.data(GROUP)}
            self._touched.clear()
            self._fold()

    def keyPressEvent(self, event):
        if self._folded is None or event.key() not in (Qt.Key_Left, Qt.Key_Right):
            super().keyPressEvent(event)
        elif event.key() == Qt.Key_Right:
            self._folded.clear()
            self._fold()
        else:
            self._folded |= {*FAMILIES, UNFIT}
            self._touched.clear()
            self._fold()

    def _fold(self):
        """Hide the methods of folded groups but those that matter; headers show how many are hidden."""
        groups: dict[str, list[QListWidgetItem]] = {}
        for name, item in self.by_name.items() if self._folded is not None else ():
            group = item.data(GROUP)
            shown = item.checkState() == Qt.Checked or item is self.currentItem()
            shown = shown or name in self._recommended or name in self._touched
            item.setHidden(group in self._folded and not shown)
            groups.setdefault(group, []).append(item)
        with QSignalBlocker(self):
            for header in (item for item in map(self.item, range(self.count())) if item.data(NAME) is None):
                group = header.data(GROUP)
                hidden = sum(item.isHidden() for item in groups[group])
                kind = "relative" if group != UNFIT and hidden < len(groups[group]) else "method"
                title = FAMILIES.get(group, "Not for these data")
                header.setText(f"\u25b8 {title}: {counted(hidden, kind)}" if hidden else f"\u25be {title}")
                # Not grey as what is disabled.
                header.setForeground(self.palette().brush(QPalette.Active, QPalette.Text))
        shown = self.count() - sum(item.isHidden() for item in self.by_name.values())
        self.setFixedHeight(max(self.sizeHintForRow(0), 0) * min(shown, MAX_ROWS) + 2)
        self.viewport().update()

    def _highlighted(self, *_):
        self._fold()
        self.highlight_changed.emit()

    def _changed(self, item):
        self._touched.add(item.data(NAME))  # what was unticked by mistake must not vanish
        if item.checkState() == Qt.Checked:
            self.setCurrentItem(item)
        self._fold()
        self.ticks_changed.emit()


GROUP_TIP = "Scores of Orange in further columns; connected scorers are listed here, too"


class ScorerGroup(QWidget):
    """Scorers that are ticked are computed; one that is connected is ticked until the user unticks it."""

    ticks_changed = Signal()
    folded = Signal(bool)

    def __init__(self, numbers: Callable[[], dict[str, int]], parent=None):
        """numbers: of the hues of all that is ticked, by name."""
        super().__init__(parent)
        self._numbers = numbers
        self.methods: dict[str, object] = {}
        self._data_facts: tuple[str | None, bool] = None, False  # task, and whether groups of features are ranked
        self._own = ()
        self._titles = ()
        self.list = MethodList((), (), "")
        self.fold = FoldButton(ORANGE.replace("U", "&U", 1), tip=GROUP_TIP)
        self.fold.toggled.connect(lambda opened: self.list.setVisible(opened))
        self.fold.clicked.connect(self.folded)
        self.line = QuietLabel()
        placed(QVBoxLayout(self), placed(QHBoxLayout(), self.fold, (self.line, 1)), self.list, spacing=2)
        self.list.hide()
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
        self.list.setAccessibleName(ORANGE)
        self.list.setVisible(self.fold.isChecked())
        self.list.set_task(*self._data_facts)
        self.list.ticks_changed.connect(self._show_ticks)
        self.list.ticks_changed.connect(self.ticks_changed)
        self.layout().replaceWidget(old, self.list)
        old.deleteLater()
        self.setVisible(bool(self.methods))
        self._show_ticks()

    def set_task(self, task: str | None, has_feature_groups: bool = False) -> None:
        """Grey out what does not rank the data; arguments are those of `MethodList.set_task`."""
        if (task, has_feature_groups) != self._data_facts:
            self._data_facts = task, has_feature_groups
            self.list.set_task(task, has_feature_groups)
            self._show_ticks()

    def ticked(self) -> list[str]:
        return self.list.ticked()

    def unticked(self) -> list[str]:
        ticked = self.ticked()
        return [name for name in self.methods if name.startswith(CONNECTED) and name not in ticked]

    def fitting(self) -> list[str]:
        return [name for name in self.methods if self._fits(name)]

    def _fits(self, name: str) -> bool:
        """Return True if a scorer ranks the data."""
        return not reason_unfit(self.methods[name], *self._data_facts)

    def active(self) -> list[str]:
        ticked = self.ticked()
        return [name for name in self.methods if name in ticked and self._fits(name)]

    def job(self, name: str) -> ScorerJob:
        return ScorerJob(self.methods[name])

    def _show_ticks(self):
        titles = [self.methods[name].title for name in self.active()]
        self.line.setText(", ".join(titles))
        self.line.setToolTip(plain(f"Computed: {', '.join(titles) or 'none'}"))
