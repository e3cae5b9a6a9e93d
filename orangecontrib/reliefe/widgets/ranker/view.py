"""The table of a ranking: bars in cells of scores, and a tint in selected rows."""

from collections.abc import Sequence

import numpy as np
from AnyQt.QtCore import QEvent, QItemSelectionModel, QPointF, QRect, QRectF, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QGuiApplication, QKeySequence, QPainter, QPalette, QPen
from AnyQt.QtWidgets import QHeaderView, QStyledItemDelegate, QTableView

from ...orange.ranker.column_widths import HIDDEN, ExtraColumn, Priority, ScoreTitle, TextWidths, column_widths
from ..table.view import TableView
from ..utils.colors import hue, link, muted, selection_tint
from .dragselection import DragSelection
from .model import FIRST_SCORE, NAME, RANK, VALUES, RankingModel

# Numbers below were chosen by eye; those of widths and heights are pixels unless they say something else.

# Between a cell's edge and what it shows.
MARGIN = 8
# The strip at the left of a selected row.
STRIP_WIDTH = 3
# Diameter of the disk that shows how stable a rank is.
DISK_SIZE = 11
# A cell with less room for its bar shows the number alone.
MIN_BAR_WIDTH = 16
# Height of a bar as a share of its row's.
BAR_HEIGHT_SHARE = 0.42
# A header cannot be made narrower by hand.
MIN_SECTION_WIDTH = 36

# Texts and bars of features that matter less fade into the background by these shares.
DULL_TEXT = 0.4
DULL_NUMBER = 0.45
DULL_BAR = 0.6
# So do lines: at zero, at the null level, around a disk, and below the last significant feature.
DULL_ZERO_LINE = 0.75
DULL_NULL_LINE = 0.2
DULL_DISK_LINE = 0.5
DULL_LAST_LINE = 0.25
# So does the text in an empty table.
DULL_PLACEHOLDER = 0.45

# A column is wider than its texts by its margins.
RANK_EXTRA_WIDTH = 24
VALUES_EXTRA_WIDTH = 20
TEXT_EXTRA_WIDTH = 16
# Beside a name there is also an icon, and an indent in groups.
NAME_EXTRA_WIDTH = 44
# Beside a title there are also a swatch and the arrow of the column that sorts.
TITLE_EXTRA_WIDTH = 44
# What the swatch takes of TITLE_EXTRA_WIDTH; titles of attributes and tests have none.
SWATCH_WIDTH = 14
# The column of ranks has room for this one, also in a table of few features.
MIN_WIDEST_RANK = 100
# The longest name is sought among so many first ones.
MAX_MEASURED_NAMES = 2000


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
            painter.fillRect(rect.x(), rect.y(), STRIP_WIDTH, rect.height(), palette.color(QPalette.Highlight))
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
        score_index = index.column() - FIRST_SCORE
        scores = model.scores[score_index]
        shares = model.shares[score_index]
        value = np.nan if scores.removed_after(feature) else scores.values[feature]
        if model.selected[feature]:
            painter.fillRect(rect, selection_tint(palette))
        if shares is not None:
            self._disk(painter, palette, hue(scores.number, palette), shares[feature], rect)
            rect.adjust(0, 0, -DISK_SIZE - MARGIN, 0)
        bar_width = rect.width() - self.text_width(option.fontMetrics, scores) - 3 * MARGIN
        if bar_width > MIN_BAR_WIDTH and scores.span[0] < scores.span[1]:
            bar_area = QRectF(rect.left() + MARGIN, rect.top(), bar_width, rect.height())
            self._bar(painter, palette, scores, value, bar_area, scores.dull(feature))
        is_relevant = value > 0 and not scores.dull(feature)
        painter.setPen(palette.color(QPalette.Text) if is_relevant else muted(palette, DULL_NUMBER))
        painter.drawText(rect.adjusted(0, 0, -MARGIN, 0), int(Qt.AlignRight | Qt.AlignVCenter), scores.text(feature))

    @staticmethod
    def _bar(painter, palette, scores, value, area, is_dull):
        """Draw a bar from zero to the value in an area that holds the span of the scores, and their null level."""
        low, high = scores.span
        scale = area.width() / (high - low)
        zero_x = area.left() - low * scale
        if low < 0:
            painter.fillRect(QRectF(round(zero_x), area.top(), 1, area.height()), muted(palette, DULL_ZERO_LINE))
        if np.isfinite(value):
            height = round(area.height() * BAR_HEIGHT_SHARE)
            bar = QRectF(zero_x, round(area.center().y() - height / 2), value * scale, height).normalized()
            is_relevant = value > 0 and not is_dull
            painter.fillRect(bar, hue(scores.number, palette) if is_relevant else muted(palette, DULL_BAR))
        if scores.null is not None:
            painter.setPen(QPen(muted(palette, DULL_NULL_LINE), 1, Qt.DotLine))
            null_x = round(zero_x + scores.null * scale)
            painter.drawLine(null_x, round(area.top()), null_x, round(area.bottom()))

    @staticmethod
    def _disk(painter, palette, color, share, cell):
        """Draw a disk filled clockwise by a share; only a dot for none, so that disks are found among many rows."""
        disk = QRectF(0, 0, DISK_SIZE, DISK_SIZE)
        disk.moveCenter(QPointF(cell.right() - MARGIN - DISK_SIZE / 2, cell.center().y()))
        painter.save()
        painter.setRenderHint(QPainter.Antialiasing)
        painter.setPen(QPen(muted(palette, DULL_DISK_LINE), 1))
        if share > 0:
            painter.drawEllipse(disk)
            painter.setPen(Qt.NoPen)
            painter.setBrush(color)
            # Qt counts sixteenths of a degree, anticlockwise from three o'clock.
            painter.drawPie(disk, 90 * 16, round(-360 * 16 * share))
        else:
            painter.drawPoint(disk.center())
        painter.restore()

    @staticmethod
    def text_width(metrics, scores) -> int:
        """Pixels of the longest number of the column."""
        texts = [f"{v:.{scores.decimals}f}" for v in scores.limits]
        texts += [] if scores.removed is None else [f"pass {scores.removed.max():,}"]
        return max(map(metrics.horizontalAdvance, texts)) + 2


class RankingView(TableView):
    """Shows a RankingModel; rows are selected in the model's mask, by mouse and keys as in any list.

    Qt's own selection model takes 100 ms for 5,000 scattered rows and forgets them when the table is sorted.
    """

    selected_by_hand = Signal()
    file_name = "ranking"

    def __init__(self, model: RankingModel, parent=None):
        super().__init__(model, parent, selectionMode=QTableView.NoSelection, accessibleName="Ranking")
        self.placeholder = ""
        self.hidden = ()
        self._drag = DragSelection(model)
        self.setItemDelegate(RowDelegate(self))
        # The view does not own delegates of columns.
        self._bar_delegate = BarDelegate(self)
        self.setHorizontalScrollMode(QTableView.ScrollPerPixel)
        self._set_header()
        model.modelReset.connect(self.fit_columns)

    def _set_header(self):
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.Interactive)
        header.setHighlightSections(False)
        header.setTextElideMode(Qt.ElideMiddle)  # beginnings are often the same
        header.setMinimumSectionSize(MIN_SECTION_WIDTH)
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
        model = self.model()
        header = self.horizontalHeader()
        score_columns = range(FIRST_SCORE, FIRST_SCORE + len(model.scores))
        ordered_columns = [column, *(other for other in score_columns if other != column)]
        for visual_index, logical_index in enumerate(ordered_columns, FIRST_SCORE + len(model.extra)):
            header.moveSection(header.visualIndex(logical_index), visual_index)

    def _shorten_titles(self, *_):
        """Shorten titles that have no room to short forms that differ."""
        model = self.model()
        too_narrow = {
            scores.name
            for column, scores in enumerate(model.scores, FIRST_SCORE)
            if self.columnWidth(column) < self._title_width(scores.title)
        }
        model.shorten(too_narrow)

    def fit_columns(self) -> None:
        """Fit columns to the width of the table, hide those with no room, and place extra ones before scores.

        Called for each size of the table, for other columns of the model, and for others that the user hides.
        """
        model = self.model()
        header = self.horizontalHeader()
        first_extra = FIRST_SCORE + len(model.scores)
        for column, width in enumerate(self._widths()):
            has_bars = FIRST_SCORE <= column < first_extra
            self.setItemDelegateForColumn(column, self._bar_delegate if has_bars else None)
            self.setColumnHidden(column, width == HIDDEN)
            # Qt would report another width of a hidden column as resized whenever rows are arranged.
            self.setColumnWidth(column, width)
        for extra_index in range(len(model.extra)):
            header.moveSection(header.visualIndex(first_extra + extra_index), FIRST_SCORE + extra_index)
        self._shorten_titles()

    def _widths(self) -> list[int]:
        """Return the width of each column of the model, in its order."""
        model = self.model()
        methods = [scores for scores in model.columns if scores.name not in self.hidden]
        details = [scores for scores in model.scores[len(model.columns) :] if scores.name not in self.hidden]
        widths = column_widths(self.viewport().width(), self._text_widths(methods, details))
        names = [scores.name for scores in [*methods, *details]]
        width_of_name = dict(zip(names, [*widths.scores, *widths.details], strict=True))
        score_widths = [width_of_name.get(scores.name, HIDDEN) for scores in model.scores]
        return [widths.rank, widths.name, widths.values, *score_widths, *widths.extra]

    def _text_widths(self, methods, details) -> TextWidths:
        """Measure the texts of columns, where `methods` and `details` are the scores that the user does not hide."""
        model = self.model()
        measure = self.fontMetrics().horizontalAdvance
        largest_rank = max(len(model.names), MIN_WIDEST_RANK)
        longest_name = max(model.names[:MAX_MEASURED_NAMES], key=len, default="Feature")
        has_values = bool(methods) and (model.n_values > 0).any()
        shows_values = has_values and not self._is_hidden_by_user(VALUES)
        return TextWidths(
            rank=HIDDEN if self._is_hidden_by_user(RANK) else measure(str(largest_rank)) + RANK_EXTRA_WIDTH,
            name=measure(longest_name) + NAME_EXTRA_WIDTH,
            values=measure("Values") + VALUES_EXTRA_WIDTH if shows_values else HIDDEN,
            scores=[
                ScoreTitle(self._title_width(scores.title), self._title_width(scores.short or scores.title))
                for scores in methods
            ],
            details=[self._title_width(scores.title) for scores in details],
            extra=[
                ExtraColumn(self._extra_width(column, attribute), self._priority(attribute))
                for column, attribute in enumerate(model.extra, FIRST_SCORE + len(model.scores))
            ],
        )

    def _is_hidden_by_user(self, column) -> bool:
        return self.column_name(column) in self.hidden

    def _extra_width(self, column, attribute) -> int:
        """Return the width of the texts and the title of an attribute or a test; HIDDEN if the user hides it."""
        if self._is_hidden_by_user(column):
            return HIDDEN
        text_width = self.fontMetrics().horizontalAdvance(attribute.widest) + TEXT_EXTRA_WIDTH
        return max(text_width, self._title_width(attribute.title) - SWATCH_WIDTH)

    def _priority(self, attribute) -> Priority:
        """Return when to show an attribute or a test; p and z say little that q does not."""
        if attribute not in self.model().tests or attribute.title == "q":
            return Priority.ALWAYS
        if attribute.title in ("p", "z"):
            return Priority.IF_ROOM_BESIDE_SCORES
        return Priority.IF_WIDE

    def _title_width(self, title) -> int:
        return self.fontMetrics().horizontalAdvance(title) + TITLE_EXTRA_WIDTH

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self.fit_columns()

    def paintEvent(self, event):
        super().paintEvent(event)
        last = self.model().last_real()
        if last is not None:
            y = self.rowViewportPosition(last) + self.rowHeight(last) - 1
            QPainter(self.viewport()).fillRect(0, y, self.viewport().width(), 2, muted(self.palette(), DULL_LAST_LINE))
        if not self.model().rowCount() and self.placeholder:
            painter = QPainter(self.viewport())
            painter.setPen(muted(self.palette(), DULL_PLACEHOLDER))
            area = self.viewport().rect().adjusted(24, 0, -24, 0)
            painter.drawText(area, int(Qt.AlignCenter | Qt.TextWordWrap), self.placeholder)

    # Mouse and keys --------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event):
        """Fold a group, or begin to select. Overrides QTableView.mousePressEvent."""
        index = self.indexAt(event.pos())
        is_left = event.button() == Qt.LeftButton
        self._drag.stop()
        if is_left and index.column() == NAME and self._toggle_if_on_marker(index, event.pos().x()):
            return
        super().mousePressEvent(event)
        if is_left and index.row() >= 0:
            self._select_row(index.row(), event.modifiers())

    def mouseMoveEvent(self, event):
        """Select the rows of a drag. Overrides QTableView.mouseMoveEvent."""
        super().mouseMoveEvent(event)
        row = self.rowAt(event.pos().y())
        if event.buttons() & Qt.LeftButton and row >= 0 and self._drag.is_active:
            self._set_selection(self._drag.extend(row))

    def event(self, event):
        """Take keys of the table before the window's shortcuts do: its Copy would copy a picture of the plot.

        Overrides QTableView.event.
        """
        if event.type() == QEvent.ShortcutOverride and (
            event.matches(QKeySequence.Copy) or event.matches(QKeySequence.SelectAll)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event):
        """Select, copy, activate, fold and move. Overrides QTableView.keyPressEvent."""
        model = self.model()
        row = self.currentIndex().row()
        has_current = row >= 0
        if event.matches(QKeySequence.SelectAll):
            mask = np.zeros_like(model.selected)
            mask[model.rows] = True
            self._set_selection(mask)
        elif event.matches(QKeySequence.Copy):
            self.copy()
        elif event.key() in (Qt.Key_Return, Qt.Key_Enter) and has_current:
            # The window must not get it, since its buttons listen to it.
            self.activated.emit(self.currentIndex())
        elif (
            event.key() in (Qt.Key_Left, Qt.Key_Right)
            and has_current
            and self._set_opened(int(model.rows[row]), event.key() == Qt.Key_Right)
        ):
            return
        elif event.key() == Qt.Key_Space and has_current:
            self._select_row(row, Qt.ControlModifier)
        else:
            super().keyPressEvent(event)
            new_row = self.currentIndex().row()
            if new_row not in (row, -1) and not event.modifiers() & Qt.ControlModifier:
                self._select_row(new_row, event.modifiers())

    def _toggle_if_on_marker(self, index, x) -> bool:
        """Fold or unfold a group if x is on the marker of its cell; return False if nothing changes."""
        model = self.model()
        feature = int(model.rows[index.row()])
        marker = model.marker(feature)
        if not marker or x < self.visualRect(index).right() - marker_width(self.fontMetrics(), marker):
            return False
        return self._set_opened(feature, feature not in model.opened)

    def _set_opened(self, feature, is_opened) -> bool:
        """Unfold or fold the group of a feature, whose best feature becomes current; False if nothing changes."""
        best_feature = self.model().open_group(feature, is_opened)
        if best_feature is None:
            return False
        self.show_feature(best_feature)
        return True

    def _select_row(self, row, modifiers):
        """Select as a click on the row does, with these modifier keys."""
        has_shift = bool(modifiers & Qt.ShiftModifier)
        has_ctrl = bool(modifiers & Qt.ControlModifier)
        self._set_selection(self._drag.start(row, has_shift, has_ctrl))

    def _set_selection(self, mask):
        """Select the features of a mask (p,) by hand."""
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
