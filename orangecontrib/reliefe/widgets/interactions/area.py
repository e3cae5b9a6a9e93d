"""The main area of Feature Interactions: network, list of pairs, and the close view of what was chosen."""

from AnyQt.QtCore import QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QSplitter, QVBoxLayout, QWidget

from ...orange.interactions.drawn_network import NetworkModel
from ..utils.controls import QuietLabel, placed
from .detail import Detail
from .networkview import NetworkView
from .pairslist import PairsList

HINT = "Click a pair in the list or in the network to see its values, a feature to see its partners"
SIDE_BY_SIDE = 560  # pixels from which on the list is beside the network, and not below


class InteractionsArea(QWidget):
    """`chosen`: nodes of what the user chose: a pair, a feature, or nothing."""

    chosen = Signal(tuple)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.network = NetworkView()
        self.list = PairsList()
        self.detail = Detail()
        self.outer, self.inner = QSplitter(), QSplitter(Qt.Vertical)
        for splitter in (self.outer, self.inner):
            splitter.setChildrenCollapsible(False)
        self.outer.addWidget(self.network)
        self.outer.addWidget(self.inner)
        self.inner.addWidget(self.list)
        self.inner.addWidget(self.detail)
        self._arranged = None
        self.hint = QuietLabel(HINT)
        placed(QVBoxLayout(self), (self.outer, 1), self.hint)
        signals = self.network.node_chosen, self.network.pair_chosen, self.network.nothing_chosen
        for signal in (*signals, self.list.pair_chosen, self.detail.pair_chosen):
            signal.connect(self._choose)

    def sizeHint(self):
        """Return the size that is best. Overrides QWidget.sizeHint."""
        return QSize(820, 560)

    def show_result(self, table, model: NetworkModel, network) -> None:
        """Show another network; nothing is chosen.  network: None as long as no pairs are known."""
        self.network.show_network(model)
        self.list.show_network(network)
        self.detail.set_network(table, network)
        self.choose()

    def choose(self, *nodes: int) -> None:
        self.network.choose(*nodes)
        self.list.choose(*nodes)
        if self.detail.network is None or not nodes:
            self.detail.show_nothing()
        elif len(nodes) == 1:
            self.detail.show_node(*nodes)
        else:
            self.detail.show_pair(*nodes)
        self.hint.setVisible(self.detail.network is not None and not nodes)

    def _choose(self, *nodes):
        nodes = tuple(sorted(nodes))
        self.choose(*nodes)
        self.chosen.emit(nodes)

    def resizeEvent(self, event):
        """Arrange the parts by the width. Overrides QWidget.resizeEvent."""
        super().resizeEvent(event)
        is_wide = self.width() >= SIDE_BY_SIDE
        if is_wide != self._arranged:
            self._arranged = is_wide
            self.outer.setOrientation(Qt.Horizontal if is_wide else Qt.Vertical)
            self.inner.setOrientation(Qt.Vertical if is_wide else Qt.Horizontal)
            self.outer.setSizes([self.width()] * 2 if is_wide else [self.height()] * 2)
            self.inner.setSizes([self.height()] * 2 if is_wide else [self.width()] * 2)
