"""The network of Feature Interactions, painted by QPainter: nodes and edges that mouse and keys point at and move."""

from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import QPointF, QRectF, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QColor, QFont, QFontMetricsF, QPen

from ...core.words import counted
from ...orange.interactions.drawn_network import Q_LEVEL, NetworkModel
from ..charts.drawing import Drawing
from ..utils.colors import faint, mix, muted
from .camera import ASIDE, FITTED, GRID, Camera
from .labels import label_order, placed_labels

NAME_ROOM = 130  # pixels of a name where names are many, but in the grid of features without edges
NAME_SHARE = 0.45  # of the width of the picture that a name takes at most where there is room; chosen by eye
LETTERS = 0.75  # size of letters at least in that grid, where names have little room
NAME = "Network of features"
ABOUT = (
    "Arrow keys go from feature to feature, Space chooses, Shift and arrow keys move a feature, Ctrl and arrow keys "
    "the picture; + and - zoom, 0 shows all, Escape chooses nothing"
)
REACH = 6.0  # pixels around a node or an edge within which it is meant
DRAG = 4  # pixels from which on a press is no click
STEP = 0.15  # of an edge, by which a key moves a node
PAN = 40  # pixels by which a key moves the picture
ZOOM = 1.25
FIRST = 1  # hue of what was chosen
FADED = 0.72  # share of the ground in the colour of what has no link to the chosen node
LABEL_OPACITY = 170  # of 255, of the ground behind a label
ARROWS = {Qt.Key_Left: (-1, 0), Qt.Key_Right: (1, 0), Qt.Key_Up: (0, -1), Qt.Key_Down: (0, 1)}


class LabelTexts(NamedTuple):
    """Labels of m nodes."""

    texts: list[str]
    fonts: list[QFont]
    sizes: np.ndarray  # (m, 2) width and height in pixels


class NetworkView(Drawing):
    """Nodes and edges; the things of the drawing are the nodes, and then the edges.

    A chosen node, or pair of nodes, is strong; nodes and edges without a link to it are faint.
    """

    note = ABOUT
    node_chosen = Signal(int)
    pair_chosen = Signal(int, int)
    nothing_chosen = Signal()
    node_moved = Signal(int)

    def __init__(self, parent=None):
        super().__init__(NAME, parent)
        self.model = NetworkModel()
        self.camera = Camera()
        self.places = self.model.places  # (m, 2), which the user may change
        self.alone_shown = True  # False: nodes without edges are hidden
        self.chosen: tuple[int, ...] = ()  # a node, or both nodes of a pair
        self._pressed: QPointF | None = None  # where the mouse was pressed, or moved to
        self._dragged: int | None = None  # node that is dragged
        self._moved = False  # True once a press is no click
        self._labels: dict[int, QRectF] = {}  # areas by nodes

    # State -----------------------------------------------------------------------------------------------------------

    def show_network(self, model: NetworkModel) -> None:
        """Draw another network; nothing is chosen."""
        self.model, self.places = model, np.array(model.places, float)
        self.chosen, self._pressed, self.current = (), None, None
        self.fit()

    def show_alone(self, shown: bool) -> None:
        self.alone_shown = shown
        self.fit()

    def choose(self, *nodes: int) -> None:
        """Mark a node, or a pair of nodes, or nothing; emits nothing."""
        self.chosen = tuple(nodes)
        self.draw()

    def move_node(self, node: int, point) -> None:
        self.places[node] = point
        self.draw()

    def fit(self) -> None:
        self._fit()
        self.draw()

    def _fit(self):
        self.camera.fit(self.places[self.shown_nodes], self._room, FITTED if len(self.model.pairs) else GRID)

    @property
    def shown_nodes(self) -> np.ndarray:
        """Nodes that are drawn; without any edge all are."""
        degrees = self.model.degrees
        return np.flatnonzero((degrees > 0) | self.alone_shown | (degrees.sum() == 0))

    @property
    def _room(self) -> QRectF:
        size = self.canvas.size()
        line = self.metrics.height()
        return QRectF(0, 0, max(size.width(), 1), max(size.height() - 1.6 * line, 1))

    # Things ----------------------------------------------------------------------------------------------------------

    @property
    def n_elements(self):
        return len(self.model.names) + len(self.model.pairs)

    def element_at(self, position: QPointF) -> int | None:
        radii, best = self.model.radii, None
        for node in self.shown_nodes:
            away = position - self.camera.to_pixels(self.places[node])
            far = float(np.hypot(away.x(), away.y())) - radii[node]
            if far < REACH and (best is None or far < best[0]):
                best = far, int(node)
        if best is not None:
            return best[1]
        for node, area in self._labels.items():
            if area.contains(position):
                return node
        distances = [(self._far(position, pair), i) for i, pair in enumerate(self.model.pairs)]
        far, edge = min(distances, default=(np.inf, 0))
        return len(self.model.names) + edge if far < REACH else None

    def _far(self, position, pair) -> float:
        a, b = (self.camera.to_pixels(self.places[node]) for node in pair)
        x, y, u, v = position.x() - a.x(), position.y() - a.y(), b.x() - a.x(), b.y() - a.y()
        along = np.clip((x * u + y * v) / max(u * u + v * v, 1e-9), 0, 1)
        return float(np.hypot(x - along * u, y - along * v))

    def about(self, element: int) -> str:
        m, names = len(self.model.names), self.model.names
        if element >= m:
            (a, b), z = self.model.pairs[element - m], self.model.z[element - m]
            return f"{names[a]} and {names[b]}: z = {z:.1f}"
        score, q = self.model.scores[element], self.model.q
        facts = [names[element], f"number {element + 1}"]
        facts += [f"{self.model.about} {score:.3g}"] if np.isfinite(score) else []
        facts += [f"q = {q[element]:.3g}"] if q is not None and np.isfinite(q[element]) else []
        return ", ".join([*facts, counted(int(self.model.degrees[element]), "partner")])

    # Mouse and keys --------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event):
        """Note the node, if any, that may be dragged. Overrides QGraphicsView.mousePressEvent."""
        if event.button() == Qt.LeftButton:
            self.setFocus(Qt.MouseFocusReason)
            position = self.canvas_place(event)
            element = self.element_at(position)
            is_node = element is not None and element < len(self.model.names)
            self._pressed = position
            self._dragged = element if is_node else None
            self._moved = False
        event.accept()

    def mouseMoveEvent(self, event):
        """Drag a node, or move the picture. Overrides Picture.mouseMoveEvent."""
        if self._pressed is None:
            super().mouseMoveEvent(event)
            return
        position = self.canvas_place(event)
        away = position - self._pressed
        if self._moved or abs(away.x()) + abs(away.y()) > DRAG:
            self._moved = True
            if self._dragged is not None:
                self.move_node(self._dragged, self.camera.to_point(position))
            else:
                self.camera.move(away)
                self._pressed = position
                self.draw()

    def mouseReleaseEvent(self, event):
        if self._pressed is None or event.button() != Qt.LeftButton:
            return
        moved, node, self._pressed, self._dragged = self._moved, self._dragged, None, None
        if not moved:
            self._choose(self.element_at(self.canvas_place(event)))
        elif node is not None:
            self.node_moved.emit(node)

    def mouseDoubleClickEvent(self, event):
        if self.element_at(self.canvas_place(event)) is None:
            self.fit()

    def wheelEvent(self, event):
        """Zoom. Overrides Picture.wheelEvent."""
        at = self.canvas.mapFromScene(self.mapToScene(event.position().toPoint()))
        self.camera.zoom(ZOOM ** (event.angleDelta().y() / 120), at)
        self.draw()
        event.accept()

    def _choose(self, element):
        m = len(self.model.names)
        if element is None:
            self.choose()
            self.nothing_chosen.emit()
        elif element < m:
            self.choose(element)
            self.node_chosen.emit(element)
        else:
            pair = [int(node) for node in self.model.pairs[element - m]]
            self.choose(*pair)
            self.pair_chosen.emit(*pair)

    def keyPressEvent(self, event):
        """Move, zoom, or go to another node. Overrides Drawing.keyPressEvent."""
        key, arrow, modifiers = event.key(), ARROWS.get(event.key()), event.modifiers()
        if arrow and modifiers & Qt.ControlModifier:
            self.camera.move(QPointF(*arrow) * -PAN)
            self.draw()
        elif arrow and modifiers & Qt.ShiftModifier and self._current_node is not None:
            self.move_node(self._current_node, self.places[self._current_node] + STEP * np.array(arrow))
            self.node_moved.emit(self._current_node)
        elif arrow and len(self.model.names):
            self.set_current(self._next(np.array(arrow, float)))
        elif key in (Qt.Key_Plus, Qt.Key_Equal, Qt.Key_Minus):
            self.camera.zoom(1 / ZOOM if key == Qt.Key_Minus else ZOOM, self._room.center())
            self.draw()
        elif key == Qt.Key_0:
            self.fit()
        elif key == Qt.Key_Escape and self.chosen:
            self._choose(None)
        elif key in (Qt.Key_Space, Qt.Key_Return, Qt.Key_Enter) and self.current is not None:
            self._choose(self.current)
        else:
            super().keyPressEvent(event)

    @property
    def _current_node(self) -> int | None:
        return self.current if self.current is not None and self.current < len(self.model.names) else None

    def _next(self, arrow) -> int:
        """The nearest node in a direction; the same if there is none."""
        nodes, at = self.shown_nodes, self._current_node
        if at is None or at not in nodes:
            return int(nodes[0])
        away = self.places[nodes] - self.places[at]
        along, aside = away @ arrow, np.abs(away @ arrow[::-1])
        cost = np.where((along > 1e-9) & (along >= 0.5 * aside), along + 2 * aside, np.inf)
        return int(nodes[cost.argmin()]) if np.isfinite(cost.min()) else at

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if hasattr(self, "camera") and not self.camera.is_moved:
            self.fit()

    # Drawing ---------------------------------------------------------------------------------------------------------

    def paint_on(self, painter, room: QRectF):
        if not len(self.model.names):
            return
        if not self.camera.is_moved:
            self._fit()
        strong = {*self.chosen, *(self.model.partners(self.chosen[0]) if len(self.chosen) == 1 else ())}
        centers = [self.camera.to_pixels(point) for point in self.places]
        self._paint_edges(painter, centers)
        for node in reversed(self.shown_nodes.tolist()):
            self._paint_node(painter, centers[node], node, bool(strong) and node not in strong)
        self._paint_labels(painter, centers, strong)
        self._paint_key(painter, room)

    def _paint_edges(self, painter, centers):
        m = len(self.model.names)
        widths = self.model.widths
        for edge in reversed(range(len(self.model.pairs))):
            a, b = self.model.pairs[edge]
            is_chosen = {a, b} == set(self.chosen) or (len(self.chosen) == 1 and self.chosen[0] in (a, b))
            color = self.hue(FIRST) if is_chosen else muted(self.palette(), FADED if self.chosen else 0.45)
            if self.current == m + edge and not is_chosen:
                color = self.text_color
            painter.setPen(QPen(color, widths[edge], Qt.SolidLine, Qt.RoundCap))
            painter.drawLine(centers[a], centers[b])

    def color_of(self, node: int) -> tuple[QColor, bool]:
        """Colour of a node, and whether it is filled: rings are features that do not stand out from chance."""
        base, node_hue = self.ground, self.hue(0)
        q = self.model.q
        if q is not None and np.isfinite(q[node]):
            return (node_hue, True) if q[node] <= Q_LEVEL else (muted(self.palette(), 0.45), False)
        return mix(mix(base, self.text_color, 0.35), node_hue, 0.25 + 0.75 * float(self.model.shares[node])), True

    def _paint_node(self, painter, center, node, faded):
        radius, (color, filled) = self.model.radii[node], self.color_of(node)
        color = mix(color, self.ground, FADED) if faded else color
        painter.setPen(QPen(self.ground if filled else color, 1.2 if filled else 2))
        if node in self.chosen:
            painter.setPen(QPen(self.hue(FIRST), 3))
        elif node == self.current:
            painter.setPen(QPen(self.text_color, 2))
        painter.setBrush(color if filled else self.ground)
        painter.drawEllipse(center, radius, radius)

    def _label_texts(self, room_of_name: float) -> LabelTexts:
        """Names of the nodes as far as they have room; those in the grid of nodes without edges in smaller letters.

        room_of_name: pixels of the name of a node with edges at most.
        """
        metrics, names = self.metrics, self.model.names
        in_grid = self.model.degrees == 0
        columns = np.unique(self.places[in_grid, 0].round(3))
        apart = float(np.median(np.diff(columns))) * self.camera.scale - 4 if len(columns) > 1 else NAME_ROOM
        rooms = np.where(in_grid, np.clip(apart, 24, 2 * ASIDE), room_of_name)
        widest = max((metrics.horizontalAdvance(names[node]) for node in np.flatnonzero(in_grid)), default=1.0)
        small = QFont(self.font())  # rather than names that are cut
        narrowest = rooms[in_grid].min(initial=NAME_ROOM)
        small.setPointSizeF(small.pointSizeF() * float(np.clip(narrowest / widest, LETTERS, 1)))
        fonts = [small if grid else self.font() for grid in in_grid]
        for node in self.chosen:
            fonts[node] = self.strong_font()
        texts, widths = [], []
        for name, font, room in zip(names, fonts, rooms, strict=True):
            measure = QFontMetricsF(font)
            texts.append(measure.elidedText(name, Qt.ElideMiddle, float(room)))
            widths.append(measure.horizontalAdvance(texts[-1]))
        sizes = np.column_stack([widths, np.full(len(widths), metrics.height())])
        return LabelTexts(texts, fonts, sizes)

    def _pointed_nodes(self) -> list[int]:
        """The node, or both nodes of the edge, under the mouse."""
        if self.current is None:
            return []
        m = len(self.model.names)
        return [self.current] if self.current < m else self.model.pairs[self.current - m].tolist()

    def _paint_labels(self, painter, centers, strong):
        model = self.model
        pointed = self._pointed_nodes()
        drawn = set(self.shown_nodes.tolist())
        order = label_order(model.degrees, [*self.chosen, *pointed, *sorted(strong)])
        points = np.array([(center.x(), center.y()) for center in centers])
        radii = np.where(np.isin(np.arange(len(points)), self.shown_nodes), model.radii, 0)
        lines = points[model.pairs].reshape(-1, 4)
        shown_order = [node for node in order if node in drawn]
        n_forced = len({*self.chosen, *pointed})

        def place(labels: LabelTexts) -> dict[int, QRectF]:
            below = model.degrees == 0
            return placed_labels(shown_order, points, radii, labels.sizes, lines, below, self._room, n_forced)

        # Names as they are, unless shorter ones leave room for more of them.
        labels = self._label_texts(max(NAME_ROOM, NAME_SHARE * self._room.width()))
        self._labels = place(labels)
        if len(self._labels) < len(shown_order):
            shorter = self._label_texts(NAME_ROOM)
            more_labels = place(shorter)
            if len(more_labels) > len(self._labels):
                labels, self._labels = shorter, more_labels
        for node, area in self._labels.items():
            painter.setFont(labels.fonts[node])
            painter.fillRect(area, faint(self.ground, LABEL_OPACITY))
            self._paint_leader(painter, centers[node], area, radii[node])
            dim = strong and node not in strong
            alone = model.degrees[node] == 0 and len(model.pairs) > 0
            painter.setPen(muted(self.palette(), 0.55) if dim or (alone and node not in strong) else self.text_color)
            painter.drawText(area, int(Qt.AlignCenter | Qt.TextDontClip), labels.texts[node])
        painter.setFont(self.font())

    def _paint_leader(self, painter, center, area, radius):
        """Paint a dotted line from a node to its label, if that stands away from it."""
        left, top, right, bottom = area.getCoords()
        end = QPointF(np.clip(center.x(), left, right), np.clip(center.y(), top, bottom))
        if np.hypot(center.x() - end.x(), center.y() - end.y()) > radius + self.metrics.height():
            painter.setPen(QPen(muted(self.palette(), 0.45), 1, Qt.DotLine))
            painter.drawLine(center, end)

    def key(self) -> str:
        facts = [f"size: {self.model.about}"] if np.isfinite(self.model.scores).any() else []
        if self.model.q is not None:
            facts.append(f"filled: q \u2264 {Q_LEVEL:.0%}, ring: may be chance".replace("%", " %"))
        if len(self.model.pairs):
            facts.append("width: z")
        return "; ".join(facts)

    def _paint_key(self, painter, room):
        line, key = self.metrics.height(), self.key()
        painter.setPen(muted(self.palette(), 0.4))
        area = QRectF(8, room.height() - 1.35 * line, room.width() - 16, line)
        self.write(painter, area, key[:1].upper() + key[1:], Qt.AlignLeft | Qt.AlignVCenter, Qt.ElideRight)
