"""Close view of what was chosen: the values of a pair by the target, or the partners of a feature."""

from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from ...orange.values.of_table import ValuesOfTable
from ..charts.values import ValuesChart
from ..utils.controls import ElidedLabel, choices, fill
from ..utils.markup import plain

MAX_PARTNERS = 12  # of a feature that are listed
STRONG = Qt.UserRole + 1


def sentence(network, a: int, b: int) -> str:
    """Sentence on how much more or less a feature matters among rows alike in another one, both nodes of a network."""
    first, second = network.variables[a].name, network.variables[b].name
    before, gain = float(network.alone[a]), float(network.gain[a, b])
    comparative = "more" if gain > 0 else "less"
    change = f"{_number(before)}\u00a0\u2192\u00a0{_number(before + gain)}"
    return f"{first} matters {comparative} among rows alike in {second}: {change}"


def _number(value: float) -> str:
    return f"{round(value, 3) + 0.0:.3f}".replace("-", "\u2212")


class Detail(QStackedWidget):
    """The values of a pair, or the partners of a feature; hidden as long as nothing is chosen."""

    pair_chosen = Signal(int, int)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.network = None
        self.values = None
        self._pair = None
        self._make_pair()
        self._make_node()

    def _make_pair(self):
        self.pair = QWidget()
        self.title, self.chart = ElidedLabel(), ValuesChart("Values of both features")
        self.sentences = QLabel(wordWrap=True, textFormat=Qt.PlainText)
        self.sentences.setTextInteractionFlags(Qt.TextSelectableByMouse)
        self.targets = choices("Target of the colours", tip="The target that colours show", letters=8)
        self.targets.activated.connect(self._target_chosen)
        top = QHBoxLayout()
        self.title.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        top.addWidget(self.title, 1)
        top.addWidget(self.targets)
        self._stack(self.pair, top, self.chart, self.sentences)

    def _make_node(self):
        self.node = QWidget()
        self.heading, self.partners = QLabel(wordWrap=True, textFormat=Qt.PlainText), QListWidget()
        self.partners.setAccessibleName("Partners of the feature")
        self.partners.setToolTip("Click one to see the values of both")
        self.partners.setWordWrap(True)
        self.partners.itemActivated.connect(self._partner_chosen)
        self.partners.itemClicked.connect(self._partner_chosen)
        self._stack(self.node, self.heading, self.partners)

    def _stack(self, page, *parts):
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 2, 0, 0)
        layout.setSpacing(2)
        for part in parts:
            layout.addLayout(part) if isinstance(part, QHBoxLayout) else layout.addWidget(
                part, isinstance(part, ValuesChart | QListWidget)
            )
        self.addWidget(page)

    # What is shown ---------------------------------------------------------------------------------------------------

    def set_network(self, table, network) -> None:
        """Show the network of a table; None: hide it."""
        self.network = network
        self.values = ValuesOfTable(table) if network is not None else None
        fill(self.targets, [(v.name, v.name) for v in self.values.targets] if self.values else (), None)
        self.targets.setVisible(self.targets.count() > 1)
        self.show_nothing()

    def show_nothing(self) -> None:
        self._pair = None
        self.hide()

    def show_pair(self, a: int, b: int, target: int | None = None) -> None:
        """Show the values of two nodes; target: None for the one associated with both most closely."""
        names = [self.network.variables[node].name for node in (a, b)]
        shown = self.values.of_pair(*names, target)
        self._pair = a, b
        self.title.setText(shown.title)
        self.title.setToolTip(plain(f"{shown.title}: {shown.caption}"))
        self.targets.setCurrentIndex(shown.target)
        self.chart.show_values(shown)
        self.sentences.setText("\n".join(sentence(self.network, *nodes) for nodes in ((a, b), (b, a))))
        self.setCurrentWidget(self.pair)
        self.show()

    def show_node(self, node: int) -> None:
        """List the partners of a node: those that it has edges with, or else the nearest to be some."""
        network, self._pair = self.network, None
        z, name = network.z[node], network.variables[node].name
        order = [int(b) for b in (-z).argsort(kind="stable") if b != node]
        strong = [b for b in order if z[b] > network.level]
        about = f"{name}: score {_number(float(network.alone[node]))} over the pairs of rows"
        self.heading.setText(about if strong else f"{about}. No partner is above the level; the next ones are")
        self.partners.clear()
        for partner in (strong or order)[:MAX_PARTNERS]:
            item = QListWidgetItem(f"{sentence(network, node, partner)} (z\u00a0=\u00a0{z[partner]:.1f})")
            item.setData(Qt.UserRole, (node, partner))
            self.partners.addItem(item)
        self.setCurrentWidget(self.node)
        self.show()

    def _target_chosen(self, place):
        if self._pair is not None:
            self.show_pair(*self._pair, place)

    def _partner_chosen(self, item):
        self.pair_chosen.emit(*item.data(Qt.UserRole))
