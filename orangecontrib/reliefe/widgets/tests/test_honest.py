"""Limits of a ranking are said: few features, no information, stopped early, rough dimensions."""

import unittest

import numpy as np
import pytest
from Orange.data import ContinuousVariable, Domain, Table

from orangecontrib.reliefe import rank
from orangecontrib.reliefe.widgets.owpctranker import OWPCTRanker
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.owsslrelief import OWSSLRelief
from orangecontrib.reliefe.widgets.owurelief import OWURelief
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT

RANKERS = OWReliefE, OWURelief, OWSSLRelief, OWPCTRanker


def with_useless(data):
    """The same with a constant and an empty feature."""
    more = [ContinuousVariable("site"), ContinuousVariable("remark")]
    domain = Domain((*data.domain.attributes, *more), data.domain.class_vars)
    X = np.c_[data.X, np.full(len(data), 3.0), np.full(len(data), np.nan)]
    return Table.from_numpy(domain, X, data.Y)


class TestBest(base.RankerTest):
    def test_what_is_not_above_zero_is_left_out_and_counted(self):
        self.ready(self.heart)
        scores = rank(self.heart, "multisurf").scores
        self.assertEqual(int((scores > 0).sum()), 7)
        self.assertEqual({v.name for v in self.out("features")}, {
            v.name for v, score in zip(self.heart.domain.attributes, scores) if score > 0})  # fmt: skip
        self.assertIn("Only 7 of the best 10", str(self.widget.Information.left_out))
        preprocessed = self.out("preprocessor")(self.heart)
        self.assertEqual({*preprocessed.domain.attributes}, {*self.out("features")})
        self.widget.selection.spin.setValue(7)
        self.settle()
        self.assertFalse(self.widget.Information.left_out.is_shown())
        self.widget.selection.spin.setValue(12)
        self.settle()
        self.assertTrue(self.widget.Information.left_out.is_shown())
        self.choose("All")
        self.settle()
        self.assertEqual(len(self.out("features")), 13)
        self.assertFalse(self.widget.Information.left_out.is_shown())

    def test_a_stored_number_stays(self):
        widget = self.ready(self.heart, self.make(n_best=12))
        self.assertEqual((widget.selection.n_best, widget.selection.spin.value()), (12, 12))
        self.assertEqual(len(self.out("features", widget)), 7)


class TestUseless(base.RankerTest):
    def test_constant_and_empty_features_are_named(self):
        data = with_useless(self.heart[:120])
        for kind in RANKERS:
            widget = self.ready(data, self.create_widget(kind, stored_settings={"parameters": {
                "reliefe": {"embedding": None}, "pct": {"n_trees": 10}}}))  # fmt: skip
            self.assertIn("site", str(widget.Information.constant), kind)
            self.assertIn("remark", str(widget.Information.empty), kind)
            self.assertTrue(widget.Information.constant.is_shown() and widget.Information.empty.is_shown(), kind)
            self.assertFalse(widget.Warning.no_information.is_shown())
            self.ready(self.heart[:100], widget)
            self.assertFalse(widget.Information.constant.is_shown() or widget.Information.empty.is_shown(), kind)

    def test_data_without_information(self):
        domain = Domain([ContinuousVariable(name) for name in "ab"], self.heart.domain.class_var)
        data = Table.from_numpy(domain, np.ones((60, 2)), np.arange(60) % 2)
        for kind in RANKERS:
            widget = self.ready(data, self.create_widget(kind, stored_settings={"parameters": {
                "reliefe": {"embedding": None}, "pct": {"n_trees": 10}}}))  # fmt: skip
            self.assertTrue(widget.Warning.no_information.is_shown(), kind)
            self.ready(None, widget)
            self.assertFalse(widget.Warning.no_information.is_shown(), kind)


class TestStopped(base.RankerTest):
    @pytest.mark.slow
    def test_it_is_marked_down_to_the_outputs(self):
        widget = self.widget
        self.send_signal(widget.Inputs.data, base.random_table(7000, 200))
        self.process_events(lambda: widget.area.lead or widget.run_state != "running", timeout=LIMIT)
        self.assertEqual(widget.run_state, "running")
        widget.area.strip.button.click()
        self.settle()
        rows = f"{widget.result.rankings[widget.panel.job('multisurf')].info['instances']:,} of 7,000 rows"
        self.assertEqual(
            str(widget.Warning.stopped),
            f"The ranking was stopped early, so scores may still change: MultiSURF by {rows}",
        )
        self.assertTrue(widget.Warning.stopped.is_shown())
        self.assertEqual([v.name for v in self.out("scores").domain.attributes], [f"MultiSURF ({rows})"])
        self.assertEqual(widget.area.lead.title, f"MultiSURF ({rows})")
        widget.area.strip.button.click()
        self.assertFalse(widget.Warning.stopped.is_shown())
        self.settle()
        self.assertFalse(widget.Warning.stopped.is_shown())
        self.assertEqual([v.name for v in self.out("scores").domain.attributes], ["MultiSURF"])

    def test_trees(self):
        widget = self.create_widget(OWPCTRanker, stored_settings={"parameters": {"pct": {"n_trees": 5000}}})
        self.send_signal(widget.Inputs.data, base.random_table(1000, 100), widget=widget)
        self.process_events(lambda: widget.area.lead or widget.run_state != "running", timeout=LIMIT)
        self.assertEqual(widget.run_state, "running")
        widget.stop()
        self.settle(widget)
        trees = f"{widget.found['trees']:,} of 5,000 trees"
        self.assertIn(f"Genie3 by {trees}", str(widget.Warning.stopped))
        self.assertEqual(self.out("scores", widget).domain.attributes[0].name, f"Genie3 ({trees})")


if __name__ == "__main__":
    unittest.main()
