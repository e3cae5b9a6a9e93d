"""Feature Interactions: inputs, messages, what is found and sent, stop, settings, report."""

import sys
import types
import unittest
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from AnyQt.QtCore import Qt
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.widgets.widget import AttributeList
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe import partners, rank, tutorials
from orangecontrib.reliefe.core import Interrupted
from orangecontrib.reliefe.orange import api
from orangecontrib.reliefe.orange import partners as table_partners
from orangecontrib.reliefe.orange.scores_table import scores_table
from orangecontrib.reliefe.widgets.interactions.rankingbox import OFFERED, usable
from orangecontrib.reliefe.widgets.owinteractions import OWFeatureInteractions
from orangecontrib.reliefe.widgets.tests import base, computing
from orangecontrib.reliefe.widgets.tests.run_workflow import run
from orangecontrib.reliefe.widgets.tests.test_interaction_parts import xor_table
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT


class InteractionsTest(computing.ComputingTest):
    kind, usual = OWFeatureInteractions, {"method": "multisurf"}  # a quick method

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.xor = xor_table(150, 12)

    def send(self, data=None, scores=None, features=None, widget=None):
        """Send everything, and wait for the result."""
        widget = widget or self.widget
        inputs, features = widget.Inputs, None if features is None else AttributeList(features)
        self.send_signals([(inputs.data, data), (inputs.scores, scores), (inputs.features, features)], widget=widget)
        return self.settle(widget)

    def pick(self, thing, widget=None):
        """Choose a node or an edge of the network by the keyboard; None: nothing is chosen any more."""
        network = (widget or self.widget).area.network
        if thing is not None:
            network.set_current(thing)
        QTest.keyClick(network, Qt.Key_Escape if thing is None else Qt.Key_Return)

    @property
    def names(self):
        """Names of the features that are looked at."""
        return self.widget.result.shortlist.names


class TestFound(InteractionsTest):
    def test_the_pair_and_its_detail(self):
        self.send(self.xor)
        self.assertEqual(self.widget.headline.large.text(), "1")
        self.assertEqual(self.widget.headline.beside.text(), "pair acts together, of 12 features")
        self.assertEqual({v.name for v in self.out("reduced").domain.attributes}, {"x1", "x3"})
        self.assertEqual({v.name for v in self.out("features")}, {"x1", "x3"})
        self.assertEqual(self.out("reduced").domain.class_vars, self.xor.domain.class_vars)
        area = self.widget.area
        area.list.table.setCurrentIndex(area.list.model.index(0, 0))
        self.assertEqual(set(self.widget.chosen), {"x1", "x3"})
        self.assertEqual(area.network.chosen, area.list.model.pair(0))
        np.testing.assert_array_equal(area.detail.chart.shown.drawing.shares[:, :, 1], [[0, 1], [1, 0]])
        self.assertIn("matters more among rows alike in", area.detail.sentences.text())

    def test_equals_the_function(self):
        self.send(self.xor)
        ranking = rank(self.xor, "multisurf")
        expected = partners(self.xor, ranking)
        self.assertEqual(self.names, tuple(v.name for v in ranking.best(60)))
        np.testing.assert_array_equal(self.widget.result.network.z, expected.z)
        np.testing.assert_array_equal(self.out("pairs").X, expected.to_table().X)
        self.assertEqual(len(self.out("pairs")), 66)

    @pytest.mark.filterwarnings("ignore:partners leave weights of rows aside")
    def test_weights_of_rows_are_left_aside_with_a_note(self):
        self.send(self.xor)
        z = self.widget.result.network.z
        self.assertFalse(self.widget.Information.without_weights.is_shown())
        self.send(base.with_weights(self.xor), features=self.xor.domain.attributes)
        self.assertTrue(self.widget.Information.without_weights.is_shown())
        self.assertEqual(self.widget.result.network.z.shape, z.shape)
        self.send(self.xor)
        self.assertFalse(self.widget.Information.without_weights.is_shown())

    def test_settings_reach_the_function(self):
        self.send(self.xor)
        with patch.object(table_partners, "partners", wraps=partners) as found:
            self.widget.shuffles.setValue(4)
            self.widget.count.setValue(10)
            self.widget.zones.click()
            self.widget.seeds.setValue(5)
            self.settle()
        asked = found.call_args.kwargs
        self.assertEqual((asked["n_shuffles"], asked["thorough"], asked["random_state"]), (4, True, 5))
        self.assertEqual(len(asked["features"]), 10)
        self.assertEqual(self.widget.result.network.n_shuffles, 4)
        self.assertIn("1 of 5 networks", self.widget.strip.label.text())

    def test_the_ranking_is_kept_when_only_pairs_change(self):
        self.send(self.xor)
        with patch.object(api, "rank") as ranks:
            self.widget.count.setValue(11)
            self.settle()
            ranks.assert_not_called()
        self.assertEqual(len(self.names), 11)

    def test_choosing_decides_what_is_sent(self):
        self.send(self.xor)
        network = self.widget.result.network
        other = next(node for node in range(12) if network.variables[node].name not in ("x1", "x3"))
        self.pick(other)
        self.assertEqual([v.name for v in self.out("features")], [network.variables[other].name])
        self.pick(network.linked[0][0])
        self.assertEqual({v.name for v in self.out("features")}, {"x1", "x3"})
        self.pick(None)
        self.assertEqual((self.widget.chosen, len(self.out("features"))), ([], 2))

    def test_nothing_acts_together(self):
        rng = np.random.default_rng(1)
        X = rng.normal(size=(60, 11))
        domain = Domain([ContinuousVariable(f"n{i}") for i in range(11)], DiscreteVariable("c", ("a", "b")))
        self.send(Table.from_numpy(domain, X, (X[:, 0] > 0).astype(float)))
        self.assertEqual(self.widget.headline.large.text(), "0")
        self.assertIn("no pair is more informative together than alone", self.widget.headline.beside.text())
        self.assertIsNone(self.out("reduced"))
        self.assertIsNone(self.out("features"))
        self.assertEqual(len(self.out("pairs")), 55)
        self.assertEqual(len(self.widget.area.network.shown_nodes), 11)

    def test_numbers_and_label_sets(self):
        rng = np.random.default_rng(4)
        X = rng.normal(size=(200, 11))
        y, features = X[:, 0] * X[:, 1], [ContinuousVariable(f"n{i}") for i in range(11)]
        self.send(Table.from_numpy(Domain(features, ContinuousVariable("y")), X, y))
        self.assertEqual({v.name for v in self.out("features")} & {"n0", "n1"}, {"n0", "n1"})
        labels = [DiscreteVariable(name, ("0", "1")) for name in ("one", "two")]
        self.widget.thorough = True
        self.send(Table.from_numpy(Domain(features, labels), X, np.c_[y > 0, X[:, 2] > 0].astype(float)))
        self.assertIn("n0", {v.name for v in self.out("features")})
        self.assertTrue(self.widget.Information.unfit.is_shown())  # MultiSURF does not rank for label sets
        self.assertTrue(self.widget.Information.not_thorough.is_shown())


class TestInputs(InteractionsTest):
    def test_scores(self):
        names = [v.name for v in self.xor.domain.attributes]
        scores = scores_table(names, {"One": np.arange(12.0), "Two": -np.arange(12.0)}, {"q": np.linspace(0, 1, 12)})
        with patch.object(api, "rank") as ranks:
            self.send(self.xor, scores)
            ranks.assert_not_called()
        self.assertEqual(self.names, tuple(reversed(names)))
        np.testing.assert_array_equal(self.widget.area.network.model.q, np.linspace(0, 1, 12)[::-1])
        box = self.widget.ranking
        self.assertEqual([box.itemText(i) for i in range(box.count())], ["One", "Two"])
        box.setCurrentIndex(1)
        box.activated.emit(1)
        self.settle()
        self.assertEqual(self.names, tuple(names))
        self.assertEqual(self.widget.column, "Two")
        self.send(self.xor)
        self.assertEqual(box.currentData(), "multisurf")

    def test_scores_of_our_rankers(self):
        ranking = rank(self.xor, "relieff", significance=True)
        self.send(self.xor, ranking.to_table())
        self.assertEqual(self.names, tuple(v.name for v in ranking.best(12)))
        self.assertIsNotNone(self.widget.area.network.model.q)

    def test_features(self):
        chosen = [self.xor.domain[name] for name in ("x3", "x0", "x1")]
        self.send(self.xor, features=[*chosen, ContinuousVariable("elsewhere")])
        self.assertEqual(self.names, ("x3", "x0", "x1"))
        self.assertFalse(self.widget.count.isEnabled())
        self.assertFalse(self.widget.ranking.isEnabled())
        self.assertIn("1 feature on the input", str(self.widget.Warning.unknown_features))
        np.testing.assert_array_equal(self.widget.area.network.model.scores, self.widget.result.network.alone)
        self.send(self.xor, scores_table(["x0", "x1", "x3"], {"One": [3.0, 2, 1]}), chosen)
        np.testing.assert_array_equal(self.widget.area.network.model.scores, [1, 3, 2])

    def test_too_many_features(self):
        data = base.random_table(30, 210)
        self.send(data, features=data.domain.attributes)
        self.assertEqual(len(self.names), 200)
        self.assertIn("first 200 of 210", str(self.widget.Warning.too_many))

    def test_methods_that_do_not_fit(self):
        self.assertEqual(usable("multisurf", "multi-label"), "boostedlearnedrelief")
        self.assertEqual(usable("nothing", None), "boostedlearnedrelief")
        self.send(Table("housing"))
        model, places = self.widget.ranking.model(), {name: i for i, name in enumerate(OFFERED)}
        self.assertFalse(model.item(places["relieff"]).isEnabled())
        self.assertTrue(model.item(places["multisurf"]).isEnabled())


class TestMessages(InteractionsTest):
    def nothing(self):
        """True if nothing is sent."""
        return all(self.out(name) is None for name in ("reduced", "features", "pairs", "network"))

    def test_bad_data(self):
        iris, w = Table("iris")[::3], self.widget
        other = scores_table(["p", "q"], {"One": [1.0, 2.0]})
        self.send(iris)
        self.assertFalse(self.nothing())
        for signals, error in (
            ((iris[:3],), w.Error.too_few),
            ((iris[:0],), w.Error.too_few),
            ((iris[:, iris.domain.attributes],), w.Error.no_target),
            ((iris[:, [0, 4]],), w.Error.too_few_features),
            ((iris[:15],), w.Error.one_class),
            ((iris, other), w.Error.no_scores),
            ((iris, iris), w.Error.no_scores),
            ((iris, None, [ContinuousVariable("elsewhere")]), w.Error.no_candidates),
        ):
            self.send(*signals)
            self.assertTrue(error.is_shown(), error)
            self.assertTrue(self.nothing())
            self.assertEqual(w.headline.large.text(), "")
            w.grab()
        self.send(iris)
        self.assertFalse(w.Error.active)
        self.assertFalse(self.nothing())

    def test_no_data(self):
        self.send(self.xor)
        self.send(None)
        self.assertTrue(self.nothing())
        self.assertIn("Connect data", self.widget.stack.reason.text())
        self.assertEqual(self.widget.area.list.model.rowCount(), 0)
        self.widget.grab()

    def test_constant_target_and_few_rows(self):
        rng = np.random.default_rng(0)
        domain = Domain([ContinuousVariable(f"n{i}") for i in range(4)], ContinuousVariable("y"))
        for y in (np.ones(20), np.arange(20.0)):
            self.send(Table.from_numpy(domain, rng.normal(size=(20, 4)), y))
            self.assertFalse(self.widget.Error.active)
            self.assertIsNotNone(self.out("pairs"))
        self.send(Table("iris")[[0, 1, 60, 110]])
        self.assertFalse(self.widget.Error.active)

    def test_a_failure_leaves_it_usable(self):
        with patch.object(table_partners, "partners", side_effect=ValueError("it is so")):
            self.send(self.xor)
        self.assertEqual((self.widget.run_state, str(self.widget.Error.failed)), ("failed", "It is so"))
        self.assertTrue(self.nothing())
        self.send(self.xor)
        self.assertEqual((self.widget.run_state, list(self.widget.Error.active)), ("idle", []))


class TestStop(InteractionsTest):
    def test_the_features_come_first_and_stay_when_it_is_stopped(self):
        def forever(*_, progress, **__):
            while True:
                progress(0.5)

        with patch.object(table_partners, "partners", forever):
            self.send_signal(self.widget.Inputs.data, self.xor)
            self.process_events(lambda: self.widget.result.shortlist is not None, timeout=LIMIT)
            self.assertEqual(self.widget.run_state, "running")
            self.assertIn("not known yet", self.widget.headline.beside.text())
            future = self.widget.task.future
            self.widget.strip.button.click()
            self.assertEqual(self.widget.run_state, "stopped")
            self.assert_stopped(future)
        self.assertEqual(len(self.widget.area.network.model.names), 12)
        self.assertIn("stopped before their partners were known", self.widget.strip.label.text())
        self.assertIsNone(self.out("pairs"))
        self.widget.grab()
        with patch.object(api, "rank") as ranks:
            self.widget.strip.button.click()  # Resume
            self.settle()
            ranks.assert_not_called()
        self.assertEqual(self.widget.headline.large.text(), "1")

    def test_the_core_stops(self):
        def stop(_):
            raise Interrupted

        with self.assertRaises(Interrupted):
            partners(self.xor, "multisurf", progress=stop)

    def test_new_data_in_the_middle(self):
        self.send_signal(self.widget.Inputs.data, base.random_table(300, 60))
        self.send(self.xor)
        self.assertEqual(len(self.names), 12)


class TestSettings(InteractionsTest):
    def test_they_are_kept_as_literals(self):
        self.send(self.xor)
        self.widget.shuffles.setValue(5)
        self.widget.count.setValue(11)
        self.settle()
        self.widget.show_alone.click()
        self.widget.area.network._choose(len(self.names))  # the first edge
        self.widget.area.network.move_node(2, (7.0, 8.0))
        self.widget.area.network.node_moved.emit(2)
        stored = self.packed()
        self.assertEqual((stored["n_shuffles"], stored["n_features"], stored["alone"]), (5, 11, False))
        self.assertEqual(set(stored["chosen"]), {"x1", "x3"})
        again = self.create_widget(self.kind, stored_settings=stored)
        self.send(self.xor, widget=again)
        self.assertEqual(again.area.network.places[2].tolist(), [7, 8])
        self.assertEqual(again.chosen, stored["chosen"])
        self.assertIs(again.area.detail.currentWidget(), again.area.detail.pair)
        self.assertEqual(self.packed(again)["moved"], stored["moved"])

    def test_moved_features_are_forgotten_with_their_network(self):
        self.send(self.xor)
        self.widget.area.network.move_node(0, (7.0, 8.0))
        self.widget.area.network.node_moved.emit(0)
        self.widget.arrange.click()
        self.assertEqual(self.widget.moved, {})
        np.testing.assert_array_equal(self.widget.area.network.places, self.widget.result.places)
        self.widget.area.network.node_moved.emit(0)
        self.assertEqual(list(self.widget.moved), [self.names[0]])
        self.widget.count.setValue(10)
        self.settle()
        self.assertEqual(self.widget.moved, {})

    def test_odd_places_and_names(self):
        widget = self.make(moved={"x1": {"x": "left", "y": 1}, "x2": {}}, chosen=["x1", "nothing"])
        self.send(self.xor, widget=widget)
        np.testing.assert_array_equal(widget.area.network.places, widget.result.places)
        self.assertEqual(len(self.out("features", widget)), 2)

    def test_send_by_hand(self):
        widget = self.make(auto_apply=False)
        self.send(self.xor, widget=widget)
        self.assertEqual(len(self.out("features", widget)), 2)  # new data go on at once
        self.pick(0, widget)
        self.assertEqual(len(self.out("features", widget)), 2)


class TestNetworkOutput(InteractionsTest):
    def test_without_the_add_on(self):
        with patch.dict(sys.modules, {"orangecontrib.network": None}):
            self.send(self.xor)
            self.assertIsNone(self.out("network"))

    def test_with_the_add_on(self):
        """In its place: a class that takes the same."""

        class Network:
            def __init__(self, nodes, edges, name="", coordinates=None):
                self.nodes, self.edges, self.name, self.coordinates = nodes, edges, name, coordinates

        with patch.dict(sys.modules, {"orangecontrib.network": types.SimpleNamespace(Network=Network)}):
            self.send(self.xor)
            with patch.object(self.widget.Outputs.network, "send") as send:
                self.widget.commit.now()
        network = send.call_args.args[0]
        a, b = self.widget.result.network.linked[0]
        self.assertEqual(network.edges[a, b], self.widget.result.network.z[a, b])
        self.assertEqual((network.edges.nnz, network.coordinates.shape), (1, (12, 2)))
        self.assertEqual([str(row["Feature"]) for row in network.nodes], list(self.names))
        self.assertEqual(network.nodes.get_column("Partners").sum(), 2)


class TestLook(InteractionsTest):
    def test_sizes_and_palettes(self):
        self.send(self.xor)
        self.pick(len(self.names))
        for size in ((1100, 700), (680, 500)):
            self.widget.resize(*size)
            self.widget.show()
            self.process_events()
            self.assertEqual(self.widget.width(), size[0])
            self.widget.grab()
        QApplication.setPalette(base.dark_palette())
        self.widget.setPalette(base.dark_palette())
        self.widget.grab()
        QApplication.setPalette(QApplication.style().standardPalette())
        self.widget.hide()

    def test_report(self):
        self.widget.send_report()
        self.send(self.xor)
        self.pick(len(self.names))
        self.widget.send_report()
        report = self.widget.report_html
        for text in ("x1", "x3", "Shuffles", "Synergy", "12 features by MultiSURF"):
            self.assertIn(text, report)
        self.assertEqual(report.count("<img"), 2)


@pytest.mark.slow
class TestTutorial(GuiTest):
    def test_the_pair_is_an_edge(self):
        with run(Path(tutorials.__file__).parent / "15-interactions.ows") as result:
            pairs = result.output("Feature Interactions", "Pairs")
            reduced = result.output("Feature Interactions", "Reduced Data")
        self.assertEqual([str(name) for name in pairs.metas[0]], ["snp 14", "snp 742"])
        self.assertEqual(pairs.get_column("Edge").sum(), 1)
        self.assertGreater(pairs[0, "z"], 10)
        self.assertLess(pairs[1, "z"], 5)
        self.assertGreater(min(pairs[0, "Gain 1"], pairs[0, "Gain 2"]), 0.3)
        self.assertEqual(len(pairs), 1770)
        self.assertEqual({v.name for v in reduced.domain.attributes}, {"snp 14", "snp 742"})


if __name__ == "__main__":
    unittest.main()
