"""Cells of the table: bars in those of scores, a tint in those of selected rows."""

import numpy as np
from AnyQt.QtCore import QPointF, QRectF, Qt
from AnyQt.QtGui import QPainter, QPalette, QPen
from AnyQt.QtWidgets import QStyledItemDelegate

from ..utils.colors import hue, muted, selection_tint
from .model import FIRST_SCORE, RANK, VALUES

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
        super().paint(painter, option, index)
        model, rect = index.model(), option.rect
        if index.column() == RANK and model.selected[model.rows[index.row()]]:
            painter.fillRect(rect.x(), rect.y(), 3, rect.height(), option.palette.color(QPalette.Highlight))


class BarDelegate(QStyledItemDelegate):
    """A bar from zero, the number at the right."""

    def paint(self, painter, option, index):
        model, rect, palette = index.model(), QRectF(option.rect), option.palette
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
