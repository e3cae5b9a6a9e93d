"""Names that look like markup, as texts everywhere."""

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QComboBox, QLabel, QWidget
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.reliefe.orange.scores_table import scores_table
from orangecontrib.reliefe.widgets.owrankingcomparison import OWRankingComparison
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT
from orangecontrib.reliefe.widgets.utils.controls import ElidedLabel
from orangecontrib.reliefe.widgets.utils.markup import plain

IMAGE = '<b>gene</b><img src="http://example.org/x.png">'
NAMES = (IMAGE, "a & b", "<i>y</i>")


def table():
    X = np.random.default_rng(0).normal(size=(40, 3))
    features = [ContinuousVariable(name) for name in NAMES]
    for feature in features:
        feature.attributes = {"<b>note</b>": "<i>text</i>"}
    target = DiscreteVariable("<b>t</b>", ("<i>no</i>", "yes"))
    return Table.from_numpy(Domain(features, target), X, (X[:, 0] * X[:, 1] > 0).astype(float))


def live(text):
    """True if a text from the data stands in it as markup."""
    return any(mark in text for mark in ("<b>gene", '<img src="http', "<i>y", "<i>no<", "<i>te", "<b>t<", "<b>note"))


class TestMarkup(base.RankerTest):
    def check(self, widget):
        """All tooltips, labels and the report of a widget; its status bar is Orange's."""
        for part in (*widget.controlArea.findChildren(QWidget), *widget.mainArea.findChildren(QWidget)):
            self.assertFalse(live(part.toolTip()), part.toolTip())
            if isinstance(part, QLabel) and part.textFormat() != Qt.PlainText:
                self.assertFalse(live(part.text()), part.text())
        widget.create_report_html()
        self.assertIn("&lt;b&gt;gene", widget.report_html)
        self.assertFalse(live(widget.report_html), widget.report_html)

    def ran(self, kind, **settings):
        widget = self.create_widget(kind, stored_settings=settings)
        widget.show()
        self.send_signal(widget.Inputs.data, table(), widget=widget)
        self.wait_until_finished(widget, timeout=LIMIT)
        return widget

    def test_ranker(self):
        widget = self.ran(OWReliefE, methods=["relieff"], attribute_columns=["<b>note</b>"], values_open=True)
        model = widget.area.model
        for column in range(model.columnCount()):
            self.assertFalse(live(str(model.headerData(column, Qt.Horizontal, Qt.ToolTipRole))))
            self.assertFalse(live(str(model.data(model.index(0, column), Qt.ToolTipRole))))
        self.check(widget)
        widget.hide()

    def test_comparison(self):
        widget = self.create_widget(OWRankingComparison)
        self.send_signal(widget.Inputs.scores, scores_table(NAMES, {IMAGE: np.arange(3.0)}), 0, widget=widget)
        self.assertFalse(live(widget.list.item(0).toolTip()))
        for box in widget.mainArea.findChildren(QComboBox):
            for place in range(box.count()):
                self.assertFalse(live(box.itemData(place, Qt.ToolTipRole) or ""))
        self.check(widget)

    def test_plain_texts_stay(self):
        self.assertEqual(plain("a & b"), "a & b")
        self.assertEqual(ElidedLabel(IMAGE).text(), IMAGE)
