"""Data with marks, remaining features, and how links are made beside them."""

import unittest
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import scipy.sparse as sp
from AnyQt.QtCore import Qt
from AnyQt.QtTest import QTest
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.widgets.utils.signals import AttributeList, LazyValue

from orangecontrib.reliefe.orange.ranker.tables import marked_table
from orangecontrib.reliefe.widgets.owpctranker import OWPCTRanker
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.owsslrelief import OWSSLRelief
from orangecontrib.reliefe.widgets.owurelief import OWURelief
from orangecontrib.reliefe.widgets.tests import base

RANKERS = OWReliefE, OWURelief, OWSSLRelief, OWPCTRanker
CHEAP = {"parameters": {"reliefe": {"embedding": None}, "pct": {"n_trees": 5}}}


def value(output):
    """Value that a widget gets that is connected to an output."""
    return output.get_value() if LazyValue.is_lazy(output) else output


class TestMarked(base.RankerTest):
    def test_selection_and_scores_are_in_the_attributes(self):
        self.ready(base.with_metas(self.heart))
        data, marked, names = self.widget.data, value(self.out("marked")), {v.name for v in self.out("features")}
        scores = self.out("scores")
        self.assertTrue(0 < len(names) < 13)
        for place, (old, new) in enumerate(zip(data.domain.attributes, marked.domain.attributes, strict=True)):
            self.assertEqual(new, old)
            self.assertEqual(new.attributes.get("selected", False), new.name in names)
            self.assertIs(type(new.attributes["MultiSURF"]), float)
            self.assertEqual(new.attributes["MultiSURF"], scores.X[place, 0])
            self.assertEqual(old.attributes, {})
        np.testing.assert_array_equal(marked.X, data.X)
        np.testing.assert_array_equal(marked.Y, data.Y)
        np.testing.assert_array_equal(marked.metas, data.metas)
        np.testing.assert_array_equal(marked.ids, data.ids)
        self.assertEqual(marked.domain.metas, data.domain.metas)

    def test_it_is_made_when_it_is_asked_for(self):
        with patch("orangecontrib.reliefe.widgets.ranker.outputs.marked_table") as made:
            self.ready(self.heart)
            made.assert_not_called()
            self.out("marked").get_value()
            made.assert_called_once()

    def test_features_that_were_not_ranked_have_no_scores_and_old_marks_go(self):
        self.ready(self.heart)
        before = value(self.out("marked"))
        self.choose("None")
        self.ready(before, features=self.heart.domain.attributes[:3])
        marked = value(self.out("marked")).domain.attributes
        self.assertFalse(any("selected" in v.attributes for v in marked))
        old = before.domain.attributes
        self.assertTrue(any("selected" in v.attributes for v in old))
        self.assertNotEqual(marked[0].attributes["MultiSURF"], old[0].attributes["MultiSURF"])
        self.assertEqual(marked[9].attributes["MultiSURF"], old[9].attributes["MultiSURF"])  # as they came

    def test_what_is_not_known_is_left_out_and_sparse_data_stay_sparse(self):
        domain = Domain([ContinuousVariable("a"), ContinuousVariable("b")], DiscreteVariable("c", ("x", "y")))
        data = Table.from_numpy(domain, sp.csr_matrix([[1.0, 0], [0, 2]]), np.array([0.0, 1]))
        columns = [SimpleNamespace(title="S", values=np.array([np.nan, 0.5]))]
        marked = marked_table(data, {"a": 0, "b": 1}, {"b"}, columns)
        self.assertEqual([v.attributes for v in marked.domain.attributes], [{}, {"S": 0.5, "selected": True}])
        self.assertTrue(sp.issparse(marked.X))
        self.assertIs(data.domain, domain)


class TestRemaining(base.RankerTest):
    def test_it_is_what_is_left_with_all_targets_and_metas(self):
        data = base.with_metas(self.heart)
        for kind in RANKERS:
            widget = self.ready(data, self.create_widget(kind, stored_settings=CHEAP))
            chosen, left = self.out("features", widget), value(self.out("remaining", widget))
            self.assertEqual({*chosen} | {*left.domain.attributes}, {*data.domain.attributes}, kind)
            self.assertEqual(len(chosen) + len(left.domain.attributes), 13, kind)
            self.assertEqual((left.domain.class_vars, left.domain.metas), (data.domain.class_vars, data.domain.metas))
            self.assertIsNotNone(value(self.out("marked", widget)), kind)
            np.testing.assert_array_equal(left.ids, data.ids)
            self.ready(None, widget)
            self.assertIsNone(self.out("remaining", widget))
            self.assertIsNone(self.out("marked", widget))

    def test_all_and_none(self):
        self.ready(self.heart)
        self.choose("None")
        self.settle()
        self.assertEqual(value(self.out("remaining")).domain.attributes, self.heart.domain.attributes)
        self.choose("All")
        self.settle()
        self.assertEqual(value(self.out("remaining")).domain.attributes, ())
        self.tick()
        self.settle()
        self.assertIsNone(self.out("remaining"))

    def test_groups_of_alike_features_are_a_column_of_scores(self):
        self.ready(self.housing)
        scores = self.out("scores")
        groups = dict(zip(scores.get_column("Feature"), scores.get_column("Group"), strict=True))
        self.assertIn(groups["RAD"], ("RAD", "TAX"))
        self.assertEqual({name for name, group in groups.items() if group == groups["RAD"]}, {"RAD", "TAX"})
        self.ready(self.heart)
        self.assertNotIn("Group", self.out("scores").domain)

    def test_after_a_failure_nothing_is_left_over(self):
        self.ready(self.heart)
        self.choose("None")
        self.settle()
        with patch("orangecontrib.reliefe.core.refine", side_effect=RuntimeError("no way")):
            self.widget.result = self.widget.result_type()
            self.widget.restart()
            self.settle()
        self.assertIsNone(self.out("remaining"))


class TestShare(base.RankerTest):
    def test_a_share_of_the_features_goes_on_and_is_remembered(self):
        widget = self.ready(self.heart)
        part = widget.selection.part
        part.lineEdit().selectAll()
        QTest.keyClicks(part.lineEdit(), "30 %")
        QTest.keyClick(part.lineEdit(), Qt.Key_Return)
        self.settle()
        self.assertTrue(widget.selection.buttons["share"].isChecked())
        best = [self.heart.domain.attributes[f] for f in widget.area.lead.order[:4]]
        self.assertEqual({*self.out("features")}, {*best})
        self.assertEqual({*self.out("preprocessor")(self.heart).domain.attributes}, {*best})
        self.assertTrue(widget.area.plot.n_line.isVisible())
        self.assertEqual(widget.area.plot.n_line.value(), 4.5)
        self.assertEqual(widget.area.model.top, 4)
        again = self.ready(self.heart, self.make(mode=widget.selection.mode, share=widget.selection.share))
        self.assertEqual({*self.out("features", again)}, {*best})
        part.setValue(100)
        self.settle()
        self.assertIn("Only 7 of the best 13", str(widget.Information.left_out))
        widget.area.plot.cut_moved.emit(2)
        self.settle()
        self.assertEqual((widget.selection.mode, widget.selection.share, len(self.out("features"))), ("best", 100, 2))

    def test_workflows_of_before_keep_their_mode(self):
        widget = self.ready(self.heart, self.make(mode="from", threshold=0.05))
        self.assertEqual((widget.selection.mode, widget.selection.share), ("from", 10))


class TestFeaturesInput(base.RankerTest):
    def names(self, widget=None):
        return [v.name for v in self.out("features", widget)]

    def test_it_restricts_at_first(self):
        wanted = self.heart.domain.attributes[2:5]
        self.ready(self.heart)
        self.assertTrue(self.widget.features_box.isHidden())
        self.ready(self.heart, features=wanted)
        self.assertFalse(self.widget.features_box.isHidden())
        self.assertEqual(self.widget.features_box.combo.currentText(), "only these are ranked")
        self.assertEqual(len(self.out("scores")), 3)

    def test_it_can_select(self):
        wanted = [*self.heart.domain.attributes[2:5], ContinuousVariable("elsewhere")]
        self.ready(self.heart, features=wanted)
        self.choose("Features on the input", "these are selected")
        self.settle()
        widget, names = self.widget, [v.name for v in wanted[:3]]
        self.assertEqual((len(self.out("scores")), self.names()), (13, names))
        self.assertTrue(widget.selection.buttons["manual"].isChecked())
        self.assertIn("1 feature ", str(widget.Warning.unknown_features))
        self.assertTrue(widget.Warning.unknown_features.is_shown())
        self.ready(self.heart, features=self.heart.domain.attributes[7:9])
        self.assertEqual(self.names(), [v.name for v in self.heart.domain.attributes[7:9]])
        self.choose("Features on the input", "only these are ranked")
        self.settle()
        self.assertEqual(len(self.out("scores")), 2)

    def test_what_the_user_changed_stays(self):
        wanted = self.heart.domain.attributes[2:5]
        widget = self.ready(self.heart, self.make(features_use="select"), wanted)
        self.assertEqual(len(self.names(widget)), 3)
        table, model = widget.area.table, widget.area.model
        widget.show()
        QTest.mouseClick(table.viewport(), Qt.LeftButton, Qt.NoModifier, table.visualRect(model.index(0, 1)).center())
        self.settle(widget)
        name = model.names[model.rows[0]]
        stored = widget.settingsHandler.pack_data(widget)
        widget.hide()
        again = self.create_widget(OWReliefE, stored_settings=stored)
        self.ready(self.heart, again)
        self.ready(self.heart, again, wanted)
        self.assertEqual((self.names(widget), self.names(again)), ([name], [name]))
        self.ready(self.heart, again, wanted[:2])
        self.assertEqual(self.names(again), [v.name for v in wanted[:2]])

    def test_nothing_on_the_input(self):
        widget = self.ready(self.heart, self.make(features_use="select"))
        self.send_signal(widget.Inputs.features, AttributeList(), widget=widget)
        self.settle(widget)
        self.assertIsNone(self.out("features", widget))
        self.assertEqual(len(self.out("scores", widget)), 13)


class TestLinks(unittest.TestCase):
    def test_links_by_themselves_are_for_reduced_data(self):
        for kind in RANKERS:
            outputs = {output.name: output for output in kind.get_signals("outputs")}
            self.assertTrue(outputs["Reduced Data"].default)
            for name in ("Data", "Remaining"):
                self.assertTrue(outputs[name].explicit, name)
                self.assertFalse(outputs[name].default, name)


if __name__ == "__main__":
    unittest.main()
