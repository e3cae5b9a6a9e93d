"""Pictures of tables as they are shown, with the bars of scores: SVG and PDF."""

from pathlib import Path

from AnyQt.QtCore import QBuffer, QMarginsF, QRect, QRectF, QSize, QSizeF, Qt
from AnyQt.QtGui import QColor, QPageSize, QPainter, QPalette, QPdfWriter, QPixmap
from AnyQt.QtSvg import QSvgGenerator
from AnyQt.QtWidgets import QStyle, QStyleOptionViewItem, QTableView

from ..utils.colors import muted

MAX_ROWS = 1000  # of a picture
PAGE_ROWS = 60  # of a page
PAD = 6  # pixels around the text of a title
SWATCH = 14  # pixels of a title's swatch, and the space behind it


def write_svg(view: QTableView, path: str) -> None:
    """Save the rows that the table shows as one picture."""
    device = QBuffer()
    size = QSize(_width(view), _title_height(view) + _rows(view) * _row_height(view))
    picture = QSvgGenerator()
    picture.setOutputDevice(device)
    picture.setResolution(view.logicalDpiX())  # pixels are those of the screen
    picture.setSize(size)
    picture.setViewBox(QRect(0, 0, size.width(), size.height()))
    painter = QPainter(picture)
    _draw(view, painter, 0, _rows(view))
    painter.end()
    _write(device, path)


def write_pdf(view: QTableView, path: str) -> None:
    """Save the rows that the table shows as pages, each with the titles."""
    rows, device = _rows(view), QBuffer()
    device.open(QBuffer.WriteOnly)
    writer = QPdfWriter(device)
    dpi = view.logicalDpiX()
    writer.setResolution(dpi)
    height = _title_height(view) + min(rows, PAGE_ROWS) * _row_height(view)
    size = QSizeF(_width(view), height) * (72 / dpi)
    writer.setPageSize(QPageSize(size, QPageSize.Point, "Ranking", QPageSize.ExactMatch))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    painter = QPainter(writer)
    for first in range(0, max(rows, 1), PAGE_ROWS):
        if first:
            writer.newPage()
        _draw(view, painter, first, min(first + PAGE_ROWS, rows))
    painter.end()
    _write(device, path)


def _write(device: QBuffer, path: str) -> None:
    """Write what was painted: Qt would tell of no error of the disk."""
    Path(path).write_bytes(device.data().data())


def _rows(view) -> int:
    return min(view.model().rowCount(), MAX_ROWS)


def _columns(view) -> list[int]:
    """Those that are shown, from left to right."""
    header = view.horizontalHeader()
    columns = (header.logicalIndex(place) for place in range(header.count()))
    return [column for column in columns if not header.isSectionHidden(column)]


def _width(view) -> int:
    return max(sum(view.columnWidth(column) for column in _columns(view)), 1)


def _row_height(view) -> int:
    return view.verticalHeader().defaultSectionSize()


def _title_height(view) -> int:
    return view.horizontalHeader().height()


def _draw(view, painter, first, last):
    """Titles and some rows as the table shows them, also those that are scrolled away."""
    palette, left, high, titles = view.palette(), 0, _row_height(view), _title_height(view)
    painter.setFont(view.font())
    painter.fillRect(QRect(0, 0, _width(view), titles + (last - first) * high), palette.color(QPalette.Base))
    for column in _columns(view):
        width = view.columnWidth(column)
        _draw_title(view, painter, column, QRect(left, 0, width, titles))
        delegate = view.itemDelegateForColumn(column) or view.itemDelegate()
        for row in range(first, last):
            option = QStyleOptionViewItem()
            option.initFrom(view)
            option.state = QStyle.State_Enabled | QStyle.State_Active
            option.rect = QRect(left, titles + (row - first) * high, width, high)
            option.showDecorationSelected = True
            option.decorationSize = QSize(16, 16)
            option.displayAlignment = Qt.AlignLeft | Qt.AlignVCenter
            option.textElideMode = view.textElideMode()
            painter.save()
            painter.setClipRect(option.rect)
            delegate.paint(painter, option, view.model().index(row, column))
            painter.restore()
        left += width
    painter.setPen(muted(palette, 0.6))
    painter.drawLine(0, titles - 1, left, titles - 1)


def _draw_title(view, painter, column, area):
    model, area = view.model(), QRectF(area).adjusted(PAD, 0, -PAD, 0)
    swatch = model.headerData(column, Qt.Horizontal, Qt.DecorationRole)
    if swatch is not None:
        painter.drawPixmap(int(area.left()), int(area.center().y()) - 5, QPixmap(swatch.pixmap(10, 10)))
        area.setLeft(area.left() + SWATCH)
    painter.setPen(QColor(view.palette().color(QPalette.Text)))
    text = model.headerData(column, Qt.Horizontal, Qt.DisplayRole)
    side = model.headerData(column, Qt.Horizontal, Qt.TextAlignmentRole)
    elided = view.fontMetrics().elidedText(text, Qt.ElideMiddle, int(area.width()))
    painter.drawText(area, int(side), elided)
