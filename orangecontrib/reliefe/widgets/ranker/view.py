"""The table of a ranking: bars in cells of scores, a tint in selected rows, and the context menu."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from AnyQt.QtCore import QEvent, QItemSelectionModel, QObject, QPointF, QRect, QRectF, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QAction, QGuiApplication, QKeySequence, QPainter, QPalette, QPen
from AnyQt.QtWidgets import QHeaderView, QMenu, QStyledItemDelegate, QTableView

from ...orange.ranker.writings import Writings
from ..table.view import TableView
from ..utils.colors import hue, link, muted, selection_tint
from .model import FIRST_SCORE, NAME, RANK, VALUES, RankingModel

MARGIN = 8
DISK = 11  # pixels of the disk that shows how stable a place is
DULL_TEXT, DULL_BAR = 0.4, 0.6  # shares by which what matters less steps back


class RowDelegate(QStyledItemDelegate):
    """Tints selected rows; a strip at the left says the same without colour."""

    def initStyleOption(self, option, index):
        super().initStyleOption(option, index)
        model = index.model()
        if model.selected[model.rows[index.row()]]:
            option.backgroundBrush = selection_tint(option.palette)
        if index.column() in (RANK, VALUES) or model.dull(model.rows[index.row()]):
            option.palette.setColor(QPalette.Text, muted(option.palette, DULL_TEXT))

    def paint(self, painter, option, index):
        model = index.model()
        rect = QRect(option.rect)
        palette = option.palette
        feature = model.rows[index.row()]
        marker = model.marker(feature) if index.column() == NAME else ""
        if marker:
            if model.selected[feature]:
                painter.fillRect(rect, selection_tint(palette))
            option.rect.setRight(rect.right() - marker_width(option.fontMetrics, marker))
        super().paint(painter, option, index)
        if index.column() == RANK and model.selected[feature]:
            painter.fillRect(rect.x(), rect.y(), 3, rect.height(), palette.color(QPalette.Highlight))
        if marker:
            painter.setPen(link(palette))
            painter.drawText(rect.adjusted(0, 0, -MARGIN, 0), int(Qt.AlignRight | Qt.AlignVCenter), marker)


def marker_width(metrics, marker: str) -> int:
    """Pixels at the right of a name that unfold its group."""
    return metrics.horizontalAdvance(marker) + 2 * MARGIN


class BarDelegate(QStyledItemDelegate):
    """A bar from zero, the number at the right."""

    def paint(self, painter, option, index):
        model = index.model()
        rect = QRectF(option.rect)
        palette = option.palette
        feature = model.rows[index.row()]
        scores = model.scores[index.column() - FIRST_SCORE]
        shares, value = model.shares[index.column() - FIRST_SCORE], scores.values[feature]
        value = np.nan if scores.removed_after(feature) else value
        if model.selected[feature]:
            painter.fillRect(rect, selection_tint(palette))
        if shares is not None:
            self._disk(painter, palette, hue(scores.number, palette), shares[feature], rect)
            rect.adjust(0, 0, -DISK - MARGIN, 0)
        space = rect.width() - self.text_width(option.fontMetrics, scores) - 3 * MARGIN
        if space > 16 and scores.span[0] < scores.span[1]:
            place = QRectF(rect.left() + MARGIN, rect.top(), space, rect.height())
            self._bar(painter, palette, scores, value, place, scores.dull(feature))
        plain = value > 0 and not scores.dull(feature)
        painter.setPen(palette.color(QPalette.Text) if plain else muted(palette, DULL_TEXT + 0.05))
        painter.drawText(rect.adjusted(0, 0, -MARGIN, 0), int(Qt.AlignRight | Qt.AlignVCenter), scores.text(feature))

    @staticmethod
    def _bar(painter, palette, scores, value, space, dull):
        low, high = scores.span
        scale = space.width() / (high - low)
        zero = space.left() - low * scale
        if low < 0:
            painter.fillRect(QRectF(round(zero), space.top(), 1, space.height()), muted(palette, 0.75))
        if np.isfinite(value):
            height = round(space.height() * 0.42)
            bar = QRectF(zero, round(space.center().y() - height / 2), value * scale, height).normalized()
            strong = value > 0 and not dull
            painter.fillRect(bar, hue(scores.number, palette) if strong else muted(palette, DULL_BAR))
        if scores.null is not None:
            painter.setPen(QPen(muted(palette, 0.2), 1, Qt.DotLine))
            place = round(zero + scores.null * scale)
            painter.drawLine(place, round(space.top()), place, round(space.bottom()))

    @staticmethod
    def _disk(painter, palette, color, share, cell):
        """Filled clockwise by a share; without any there is only a dot, so that disks can be found among many rows."""
        place = QRectF(0, 0, DISK, DISK)
        place.moveCenter(QPointF(cell.right() - MARGIN - DISK / 2, cell.center().y()))
        painter.save()
        painter.setRenderHint(QPainter.Antialiasing)
        painter.setPen(QPen(muted(palette, 0.5), 1))
        if share > 0:
            painter.drawEllipse(place)
            painter.setPen(Qt.NoPen)
            painter.setBrush(color)
            painter.drawPie(place, 90 * 16, round(-360 * 16 * share))
        else:
            painter.drawPoint(place.center())
        painter.restore()

    @staticmethod
    def text_width(metrics, scores) -> int:
        """Pixels of the longest number of the column."""
        texts = [f"{v:.{scores.decimals}f}" for v in scores.limits]
        texts += [] if scores.removed is None else [f"pass {scores.removed.max():,}"]
        return max(map(metrics.horizontalAdvance, texts)) + 2


MIN_SCORE_WIDTH = 92  # pixels of a score's column: a short bar and its number
TITLE = 44  # pixels beside a title: the swatch and the arrow
MIN_DETAIL_WIDTH, MAX_DETAIL_WIDTH = 104, 150  # of the column of a target's scores
NARROW = 420  # pixels of the table below which it shows q, and no other column of tests
MIN_NAME_WIDTH = 110  # pixels of the names where scores have little room
IF_THERE_IS_ROOM = "p", "z"  # columns of tests that are there only if the scores have room beside them; q says as much
SWATCH = 14  # of these, that of the swatch


def shared_widths(space: int, least: list[int], wanted: list[int]) -> list[int]:
    """Widths of columns that share a space: at least so many pixels each, then what they want, and the rest evenly."""
    extra = [max(full - few, 0) for full, few in zip(wanted, least, strict=True)]
    spare = max(space - sum(least), 0)
    if spare < sum(extra):
        return [few + more * spare // sum(extra) for few, more in zip(least, extra, strict=True)]
    full = [few + more for few, more in zip(least, extra, strict=True)]
    large = sorted(full, reverse=True)
    levels = ((space - sum(large[:k])) // (len(large) - k) for k in range(len(large)))
    level = next((level for level, width in zip(levels, large, strict=True) if level >= width), 0)
    return [max(level, width) for width in full]


class RankingView(TableView):
    """Shows a RankingModel; rows are selected in the model's mask, by mouse and keys as in any list.

    Qt's own selection model takes 100 ms for 5,000 scattered rows and forgets them when the table is sorted.
    """

    selected_by_hand = Signal()
    file_name = "ranking"

    def __init__(self, model: RankingModel, parent=None):
        super().__init__(model, parent, selectionMode=QTableView.NoSelection, accessibleName="Ranking")
        self.placeholder, self.hidden = "", ()
        # a drag extends what the last click began
        self._anchor = 0
        self._base = None
        self._adds = True
        self.setItemDelegate(RowDelegate(self))
        self._bars = BarDelegate(self)  # the view does not own delegates of columns
        self.setHorizontalScrollMode(QTableView.ScrollPerPixel)
        self._set_header()
        model.modelReset.connect(self.fit_columns)

    def _set_header(self):
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.Interactive)
        header.setHighlightSections(False)
        header.setTextElideMode(Qt.ElideMiddle)  # beginnings are often the same
        header.setMinimumSectionSize(36)
        header.setMinimumHeight(self.fontMetrics().height() + 10)
        header.sectionResized.connect(self._shorten_titles)

    def column_name(self, column: int) -> str:
        """The name under which a column can be hidden; empty: names of features stay."""
        model = self.model()
        field = model.fields[column]
        return "" if column == NAME or field in model.attributes else field.key

    def hide_columns(self, names: Sequence[str]) -> None:
        """Hide these columns and no others; names of methods that are not shown wait for them."""
        self.hidden = tuple(dict.fromkeys(names))
        self.fit_columns()

    def put_first(self, column: int) -> None:
        """Show a score before the others, whose order stays."""
        header, n = self.horizontalHeader(), FIRST_SCORE + len(self.model().scores)
        wanted = [column, *(c for c in range(FIRST_SCORE, n) if c != column)]
        for place, logical in enumerate(wanted, FIRST_SCORE + len(self.model().extra)):
            header.moveSection(header.visualIndex(logical), place)

    def _shorten_titles(self, *_):
        """Shorten titles that have no room to short forms that differ."""
        model = self.model()
        widths = [self.columnWidth(FIRST_SCORE + place) for place in range(len(model.scores))]
        model.shorten({scores.name for scores, width in zip(model.scores, widths, strict=True)
                       if width < self._title_width(scores.title)})  # fmt: skip

    def fit_columns(self) -> None:
        model = self.model()
        metrics = self.fontMetrics()
        space = self.viewport().width()
        for column in range(model.columnCount()):
            bars = FIRST_SCORE <= column < FIRST_SCORE + len(model.scores)
            self.setItemDelegateForColumn(column, self._bars if bars else None)
            self.setColumnHidden(column, self.column_name(column) in self.hidden)
        p = len(model.names)
        columns = [scores for scores in model.columns if scores.name not in self.hidden]
        details = [scores for scores in model.scores[len(model.columns) :] if scores.name not in self.hidden]
        rank = 0 if self.isColumnHidden(RANK) else metrics.horizontalAdvance(f"{max(p, 100)}") + 24
        longest = max(model.names[:2000], key=len, default="Feature")
        values = metrics.horizontalAdvance("Values") + 20 if columns and (model.n_values > 0).any() else 0
        name = min(max(metrics.horizontalAdvance(longest) + 44, MIN_NAME_WIDTH), max(space // 3, MIN_NAME_WIDTH))
        of_extra = self._fit_extra(space, space - rank - name - len(columns) * MIN_SCORE_WIDTH)
        titles = [self._title_width(scores.title) for scores in columns]
        space -= of_extra
        beside_scores = space - rank - len(columns) * MIN_SCORE_WIDTH
        if not columns:
            name = space - rank
        elif MIN_NAME_WIDTH <= beside_scores < name:  # then nothing needs to be scrolled
            name = beside_scores
        room = max(len(columns) * 1.2 * MIN_SCORE_WIDTH, sum(titles))
        if self.isColumnHidden(VALUES) or space - rank - name - values < room:  # scores matter more
            values = 0
        self.setColumnHidden(VALUES, not values)
        for column, width in ((RANK, rank), (NAME, name), (VALUES, values)):
            self.setColumnWidth(column, width)
        of_details = [min(max(self._title_width(s.title), MIN_DETAIL_WIDTH), MAX_DETAIL_WIDTH) for s in details]
        left = space - rank - name - values - sum(of_details)
        whole = details and space - rank - name > 2 * MIN_DETAIL_WIDTH  # titles, too
        least = [min(max(title, MIN_DETAIL_WIDTH), MAX_DETAIL_WIDTH) if whole else
                 max(MIN_SCORE_WIDTH, min(self._title_width(scores.short or scores.title), MIN_DETAIL_WIDTH))
                 for scores, title in zip(columns, titles, strict=True)]  # fmt: skip
        widths = shared_widths(left, least, titles) + of_details
        for scores, width in zip([*columns, *details], widths, strict=True):
            self.setColumnWidth(FIRST_SCORE + model.scores.index(scores), width)
        self._shorten_titles()

    def _fit_extra(self, space, room) -> int:
        """Place attributes and tests before the scores, as wide as their texts; return the width of all.

        space: pixels of the table; room: pixels that names and scores leave for these columns.
        """
        model = self.model()
        header = self.horizontalHeader()
        metrics = self.fontMetrics()
        widths = []
        for place, attribute in enumerate(model.extra):
            column = FIRST_SCORE + len(model.scores) + place
            needed = max(metrics.horizontalAdvance(attribute.widest) + 16, self._title_width(attribute.title) - SWATCH)
            widths.append(min(needed, max(space // 4, MIN_SCORE_WIDTH)))
            self.setColumnWidth(column, widths[-1])
            if attribute in model.tests and attribute.title != "q" and space < NARROW:  # scores matter more
                self.setColumnHidden(column, True)
            if self.isColumnHidden(column):
                widths[-1] = 0
            header.moveSection(header.visualIndex(column), FIRST_SCORE + place)
        for place, attribute in enumerate(model.extra):
            if attribute in model.tests and attribute.title in IF_THERE_IS_ROOM and sum(widths) > room:
                self.setColumnHidden(FIRST_SCORE + len(model.scores) + place, True)
                widths[place] = 0
        return sum(widths)

    def _title_width(self, title) -> int:
        return self.fontMetrics().horizontalAdvance(title) + TITLE

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self.fit_columns()

    def paintEvent(self, event):
        super().paintEvent(event)
        last = self.model().last_real()
        if last is not None:
            y = self.rowViewportPosition(last) + self.rowHeight(last) - 1
            QPainter(self.viewport()).fillRect(0, y, self.viewport().width(), 2, muted(self.palette(), 0.25))
        if not self.model().rowCount() and self.placeholder:
            painter = QPainter(self.viewport())
            painter.setPen(muted(self.palette(), 0.45))
            area = self.viewport().rect().adjusted(24, 0, -24, 0)
            painter.drawText(area, int(Qt.AlignCenter | Qt.TextWordWrap), self.placeholder)

    # Mouse and keys --------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event):
        index = self.indexAt(event.pos())
        row, self._base = index.row(), None
        if event.button() == Qt.LeftButton and index.column() == NAME and self._on_marker(index, event.pos().x()):
            return
        super().mousePressEvent(event)
        if event.button() == Qt.LeftButton and row >= 0:
            self._choose(row, event.modifiers())

    def mouseMoveEvent(self, event):
        super().mouseMoveEvent(event)
        row = self.rowAt(event.pos().y())
        if event.buttons() & Qt.LeftButton and row >= 0 and self._base is not None:
            self._extend(row)

    def event(self, event):
        # Keys of the table come before the window's shortcuts: Copy would copy a picture of the plot.
        if event.type() == QEvent.ShortcutOverride and (
            event.matches(QKeySequence.Copy) or event.matches(QKeySequence.SelectAll)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event):
        model = self.model()
        if event.matches(QKeySequence.SelectAll):
            self._put(model.rows, np.zeros_like(model.selected))
        elif event.matches(QKeySequence.Copy):
            self.copy()
        elif event.key() in (Qt.Key_Return, Qt.Key_Enter) and self.currentIndex().isValid():
            self.activated.emit(self.currentIndex())  # not left to the window, whose buttons listen to it
        elif event.key() in (Qt.Key_Left, Qt.Key_Right) and self._open(event.key() == Qt.Key_Right):
            return
        elif event.key() == Qt.Key_Space and self.currentIndex().isValid():
            self._choose(self.currentIndex().row(), Qt.ControlModifier)
        else:
            before = self.currentIndex().row()
            super().keyPressEvent(event)
            row = self.currentIndex().row()
            if row not in (before, -1) and not event.modifiers() & Qt.ControlModifier:
                self._choose(row, event.modifiers())

    def _on_marker(self, index, x) -> bool:
        """Fold or unfold a group if its marker was clicked."""
        model, feature = self.model(), int(self.model().rows[index.row()])
        marker = model.marker(feature)
        if not marker or x < self.visualRect(index).right() - marker_width(self.fontMetrics(), marker):
            return False
        return self._open(feature not in model.opened, feature)

    def _open(self, wanted, feature=None) -> bool:
        """Unfold or fold the group of a feature, or of the current one; the best of the group becomes current."""
        row = self.currentIndex().row()
        if feature is None and row < 0:
            return False
        model = self.model()
        first = model.open_group(int(model.rows[row]) if feature is None else feature, wanted)
        if first is not None:
            self.show_feature(first)
        return first is not None

    def _choose(self, row, modifiers):
        model = self.model()
        self._base, self._adds = np.zeros_like(model.selected), True
        if not modifiers & Qt.ShiftModifier:
            self._anchor = row
            if modifiers & Qt.ControlModifier:
                self._base, self._adds = model.selected.copy(), not model.selected[model.rows[row]]
        self._extend(row)

    def _extend(self, row):
        model = self.model()
        first, last = sorted((min(self._anchor, len(model.rows) - 1), row))
        self._put(model.rows[first : last + 1], self._base.copy(), self._adds)

    def _put(self, features, mask, value=True):
        mask[features] = value
        self.model().select(mask)
        self.selected_by_hand.emit()

    def copy(self) -> None:
        """Put the selected rows on the clipboard; all if none is selected."""
        QGuiApplication.clipboard().setText(self.model().as_text(self.model().chosen()))

    def show_feature(self, feature: int) -> None:
        """Go to the row of a feature, whose group is unfolded if need be."""
        row = np.flatnonzero(self.model().rows == feature)
        if not len(row) and self.model().open_group(feature, True) is not None:
            row = np.flatnonzero(self.model().rows == feature)
        if len(row):
            index = self.model().index(int(row[0]), NAME)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.NoUpdate)
            self.scrollTo(index)


class TableMenu(QObject):
    """Menu of the right mouse button, and of the key for menus.

    Signals of Qt's own parts are connected to methods, never to lambdas: PyQt may clear these while they are in use.
    So one method carries out all actions.
    """

    lead_wanted = Signal(str)  # name of a method
    hidden_changed = Signal(list)  # names of columns
    attributes_changed = Signal(list)  # names of those that are shown
    hide_constant_changed = Signal(bool)
    page_wanted = Signal()  # a web page of the ranking; or its end, by the same entry

    writings: Callable[[], Writings] = Writings  # of the leading ranking; empty without a finished one

    def __init__(self, view: RankingView):
        super().__init__(view)
        self.view = view
        self.menu = QMenu(view)
        self._column = -1
        self._acts = {}
        self.menu.triggered.connect(self._act)
        self._values = self._add("Show Val&ues", self._show_values)
        self._values.setShortcut(QKeySequence(Qt.Key_Return))  # as below
        self._values.setShortcutContext(Qt.WidgetShortcut)
        self.menu.addSeparator()
        copy = self._add("&Copy Rows", view.copy)
        copy.setShortcut(QKeySequence(QKeySequence.Copy))  # shown; the table itself acts on it
        copy.setShortcutContext(Qt.WidgetShortcut)
        self._add("Copy &Names", self._copy_names, "\n".join)
        self._add("Copy as &Python List", self._copy_names, repr)
        self._scripts = [self._add("Cop&y Script for Python", self._copy_script)]
        self.menu.addSeparator()
        self._add("&Save Table as CSV…", view.save)
        self._scripts.append(self._add("Save Sc&ript for Python…", self._save_script))
        self._page = self._add("", self.page_wanted.emit)
        self._scripts.append(self._page)
        self.menu.addSeparator()
        self._lead = self._add("&Lead by This Score", self._lead_by)
        self._hide = self._add("&Hide Column", self._hide_column)
        self._unhide = self._add("Show &All Columns", self._put, [])
        self.columns = self.menu.addMenu("C&olumns")
        self.columns.triggered.connect(self._column_toggled)
        self._attributes = self.menu.addMenu("Feature A&ttributes")
        self._attributes.triggered.connect(self._attribute_toggled)
        self._constant = self._add("Hide Cons&tant Features", self._hide_constant)
        self._constant.setCheckable(True)
        for part, show in ((view, self._show_of_table), (view.horizontalHeader(), self._show_of_header)):
            part.setContextMenuPolicy(Qt.CustomContextMenu)
            part.customContextMenuRequested.connect(show)

    def set_hide_constant(self, wanted: bool) -> None:
        self._constant.setChecked(wanted)

    def _add(self, title, act, *arguments):
        action = QAction(title, self)
        self._acts[action] = act, arguments
        self.menu.addAction(action)
        return action

    def _act(self, action):
        if action in self._acts:  # and not in the menu of attributes
            act, arguments = self._acts[action]
            act(*arguments)

    def _hide_constant(self):
        self.hide_constant_changed.emit(self._constant.isChecked())

    def _show_of_table(self, at):
        self._show(self.view.viewport().mapToGlobal(at), self.view.columnAt(at.x()))

    def _show_of_header(self, at):
        header = self.view.horizontalHeader()
        self._show(header.viewport().mapToGlobal(at), header.logicalIndexAt(at))

    def _show(self, at, column):
        model, self._column = self.view.model(), column
        if not model.names:
            return
        place = column - FIRST_SCORE
        title = model.title(column).replace("&", "&&").strip() if column >= 0 else ""
        self._values.setVisible(self.view.currentIndex().isValid())
        for action in self._scripts:
            action.setVisible(bool(self.script()))
        self._lead.setVisible(0 <= place < len(model.columns))
        self._lead.setEnabled(place != model.leading)
        self._lead.setText(f"&Lead by {title}")
        self._hide.setVisible(column >= 0 and bool(self.view.column_name(column)))
        self._hide.setText(f"&Hide Column {title}")
        names = self._list_columns(model)
        self._unhide.setVisible(not names.isdisjoint(self.view.hidden))
        self._list_attributes(model)
        self.menu.popup(at)

    def _show_values(self):
        self.view.activated.emit(self.view.currentIndex())

    def _copy_names(self, as_text):
        model = self.view.model()
        QGuiApplication.clipboard().setText(as_text([model.names[feature] for feature in model.chosen()]))

    def _copy_script(self):
        QGuiApplication.clipboard().setText(self.script())

    def script(self) -> str:
        """Lines of Python that give the list; empty without a finished ranking."""
        return self.writings().script

    def name_page(self, title: str) -> None:
        """Name the entry that begins a web page, or ends the work for it."""
        self._page.setText(title)

    def _save_script(self):
        def write(path):
            Path(path).write_text(self.script(), encoding="utf-8")

        self.view.save_by(write, "Save Script", "ranking.py", "Python (*.py)")

    def _lead_by(self):
        self.lead_wanted.emit(self.view.model().columns[self._column - FIRST_SCORE].name)

    def _hide_column(self):
        self._put([*self.view.hidden, self.view.column_name(self._column)])

    def _list_columns(self, model) -> set[str]:
        """List the columns that can be hidden, so that one of them can be shown again, and return their names."""
        self.columns.clear()
        names = [self.view.column_name(column) for column in range(len(model.fields))]
        for name, field in zip(names, model.fields, strict=True):
            if name:
                self._add_choice(self.columns, field.title, name, name not in self.view.hidden)
        return set(names)

    def _column_toggled(self, action):
        others = [name for name in self.view.hidden if name != action.data()]
        self._put(others if action.isChecked() else [*others, action.data()])

    @staticmethod
    def _add_choice(menu, title, data, is_chosen):
        action = menu.addAction(title.replace("&", "&&").strip())
        action.setData(data)
        action.setCheckable(True)
        action.setChecked(is_chosen)

    def _list_attributes(self, model):
        self._attributes.clear()
        shown = model.wanted
        for attribute in model.attributes:
            self._add_choice(self._attributes, attribute.title, attribute.title, attribute.title in shown)
        self._attributes.menuAction().setVisible(bool(model.attributes))

    def _attribute_toggled(self, action):
        names = [name for name in self.view.model().wanted if name != action.data()]
        self.attributes_changed.emit(names + [action.data()] * action.isChecked())

    def _put(self, hidden):
        self.view.hide_columns(hidden)
        self.hidden_changed.emit(list(self.view.hidden))
