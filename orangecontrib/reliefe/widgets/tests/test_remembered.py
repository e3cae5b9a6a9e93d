"""A workflow that is opened again shows and sends what it had."""

import ast
import json
import unittest
from dataclasses import replace
from unittest.mock import patch

import numpy as np
import scipy.sparse as sp
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.reliefe import rank
from orangecontrib.reliefe.orange.jobs import stored_results, table_facts
from orangecontrib.reliefe.orange.jobs.stored_results import restored
from orangecontrib.reliefe.orange.jobs.table_facts import fingerprint, uninformative
from orangecontrib.reliefe.widgets.owpctranker import OWPCTRanker
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.owsslrelief import OWSSLRelief
from orangecontrib.reliefe.widgets.owurelief import OWURelief
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.test_reliefe import label_table
from orangecontrib.reliefe.widgets.tests.test_running import REFINE

GROWING = "orangecontrib.reliefe.core.Ensemble.grow"


def nothing():
    pass


class TestFingerprint(unittest.TestCase):
    def test_it_tells_what_changes_a_ranking(self):
        data = base.random_table(30, 4)
        X, Y, domain = data.X.copy(), data.Y.copy(), data.domain
        known = [fingerprint(Table.from_numpy(domain, X.copy(), Y.copy()))]
        self.assertEqual(known, [fingerprint(data)])
        X = X + 1e-12 * (np.arange(120).reshape(30, 4) == 77)
        known.append(fingerprint(Table.from_numpy(domain, X, Y)))
        Y = np.r_[1 - Y[0], Y[1:]]
        known.append(fingerprint(Table.from_numpy(domain, X, Y)))
        other = Domain([ContinuousVariable(f"y{i}") for i in range(4)], domain.class_var)
        known.append(fingerprint(Table.from_numpy(other, X, Y)))
        values = Domain(domain.attributes, DiscreteVariable("class", ("yes", "no")))
        known.append(fingerprint(Table.from_numpy(values, X, Y)))
        known.append(fingerprint(Table.from_numpy(domain, sp.csr_matrix(X), Y)))
        weighted = Table.from_numpy(domain, X, Y, W=np.arange(1.0, 31.0))
        known += [fingerprint(weighted), fingerprint(Table.from_numpy(domain, X, Y, W=np.arange(2.0, 32.0)))]
        with patch.object(table_facts, "__version__", "0.0"):
            known.append(fingerprint(data))
        self.assertEqual(len(set(known)), len(known))

    def test_columns_in_any_layout_and_in_parts(self):
        data = base.random_table(30, 4)
        turned = Table.from_numpy(data.domain, np.asfortranarray(data.X), data.Y)
        self.assertEqual(fingerprint(turned), fingerprint(data))
        with patch.object(table_facts, "VALUES_PER_LOOK", 8):
            self.assertEqual(fingerprint(turned), fingerprint(data))

    def test_constant_and_empty_features(self):
        nan = np.nan
        X = np.array([[1, nan, 0, 2, nan], [1, nan, 0, 2, 5], [1, nan, 0, 3, nan]])
        domain = Domain([ContinuousVariable(name) for name in "abcde"])
        for kind in (np.asarray, sp.csr_matrix, sp.csc_matrix):
            for block in (1 << 20, 5):
                with patch.object(table_facts, "VALUES_PER_LOOK", block):
                    found = uninformative(Table.from_numpy(domain, kind(X)), nothing)
                self.assertEqual(found, (("a", "c", "e"), ("b",)), kind)


class TestReopened(base.RankerTest):
    def stored(self, widget):
        """The settings as a workflow keeps them: plain literals."""
        stored = widget.settingsHandler.pack_data(widget)
        stored.pop("savedWidgetGeometry", None)
        self.assertEqual(ast.literal_eval(repr(stored)), stored)
        return stored

    def reopened(self, widget, data, **changes):
        again = self.create_widget(type(widget), stored_settings={**self.stored(widget), **changes})
        return self.ready(data, again)

    def same(self, widget, again):
        for name in ("scores", "reduced"):
            before, after = self.out(name, widget), self.out(name, again)
            self.assertEqual(before.domain, after.domain)
            np.testing.assert_array_equal(before.X, after.X)
        self.assertEqual(widget.area.strip.label.text(), again.area.strip.label.text())
        self.assertEqual(self.stored(widget), self.stored(again))

    def test_nothing_is_computed_again(self):
        self.tick("multisurf", "relieff", "boostedrelief")
        self.ready(self.heart)
        with patch(REFINE, side_effect=AssertionError("computed")) as refine:
            again = self.reopened(self.widget, self.heart)
            refine.assert_not_called()
        self.same(self.widget, again)
        self.assertFalse(again.Error.active)

    def test_other_data_are_ranked(self):
        self.ready(self.heart)
        fewer = self.heart[:200]
        again = self.reopened(self.widget, fewer)
        np.testing.assert_array_equal(self.out("scores", again).X[:, 0], rank(fewer, "multisurf").scores)
        self.assertNotEqual(self.stored(again)["ranked"]["data"], self.stored(self.widget)["ranked"]["data"])

    def test_other_parameters_are_ranked(self):
        self.tick("multisurf", "relieff")
        self.ready(self.heart)
        panel = self.stored(self.widget)["panel"] | {"parameters": {"relieff": {"n_neighbors": 3}}}
        again = self.reopened(self.widget, self.heart, panel=panel)
        expected = [rank(self.heart, "relieff", n_neighbors=3).scores, rank(self.heart, "multisurf").scores]
        np.testing.assert_array_equal(self.out("scores", again).X.T, expected)

    def test_scores_of_each_label(self):
        data = label_table()
        parameters = {"reliefe": {"per_target": True, "embedding": "pca"}}
        for kind in (OWReliefE, OWSSLRelief):
            widget = self.create_widget(kind, stored_settings={"parameters": parameters, "methods": ["reliefe"]})
            self.ready(data, widget)
            self.assertGreater(len(self.out("scores", widget).domain.attributes), 3)
            with patch(REFINE, side_effect=AssertionError("computed")):
                self.same(widget, self.reopened(widget, data))

    def test_without_a_target(self):
        widget = self.ready(self.heart, self.create_widget(OWURelief))
        with patch(REFINE, side_effect=AssertionError("computed")):
            self.same(widget, self.reopened(widget, self.heart))

    def test_trees(self):
        widget = self.create_widget(OWPCTRanker, stored_settings={"parameters": {"pct": {"n_trees": 20}}})
        self.ready(self.heart, widget)
        with patch(GROWING, side_effect=AssertionError("grown")):
            again = self.reopened(widget, self.heart)
            self.same(widget, again)
        np.testing.assert_array_equal(self.out("model", again)(self.heart), self.out("model", widget)(self.heart))
        again.area.strip.button.click()
        self.settle(again)
        self.assertEqual(again.found["trees"], 40)

    def test_saved_before_the_data_arrive(self):
        self.ready(self.heart)
        stored = self.stored(self.widget)
        self.assertTrue(stored["ranked"])
        waiting = self.create_widget(OWReliefE, stored_settings=dict(stored))
        self.assertEqual(self.stored(waiting)["ranked"], stored["ranked"])

    def test_many_scores_are_not_kept(self):
        self.tick("multisurf", "relieff")
        with patch.object(stored_results, "MAX_SCORES", 20):
            self.ready(self.heart)
            self.assertEqual(len(self.stored(self.widget)["ranked"]["rankings"]), 1)

    def restored(self, ranked):
        """Rankings of the widget that are read from this setting."""
        shown = self.widget.result
        known = replace(shown, rankings={})
        return restored(known, ranked, self.heart, [*shown.rankings]).rankings

    def test_rankings_are_restored(self):
        self.ready(self.heart)
        found = self.restored(self.stored(self.widget)["ranked"])
        self.assertEqual(found.keys(), self.widget.result.rankings.keys())
        self.assertTrue(found)

    def test_scores_and_curves_that_no_ranking_has_are_computed(self):
        self.ready(self.heart)
        stored, expected = self.stored(self.widget), self.out("scores").X
        ((key, kept),) = stored["ranked"]["rankings"].items()
        told = json.loads(stored_results.decoded(kept["told"], 1 << 20))
        changes = [{"scores": stored_results.encoded(np.full(13, np.nan).tobytes())}]
        curves = ([[1, 2, 3]], [[1], [2, 3]], [[1, float("nan")]], [1, 2], [[10**400, 1]])
        others = [{"curve": curve} for curve in curves]
        others += [{"info": told["info"] | fact} for fact in ({"warnings": [{}]}, {"rows": "x"}, {"k_share": [[]]})]
        others += [{"parameters": [1]}]
        changes += [{"told": stored_results.encoded(json.dumps({**told, **other}).encode())} for other in others]
        for change in changes:
            self.assertEqual(self.restored({**stored["ranked"], "rankings": {key: {**kept, **change}}}), {})
        again = self.create_widget(OWReliefE, stored_settings={**stored, "ranked": {**stored["ranked"], "rankings": {
            key: {**kept, **changes[0]}}}})  # fmt: skip
        self.ready(self.heart, again)
        np.testing.assert_array_equal(self.out("scores", again).X, expected)

    def test_what_another_hand_wrote_is_computed(self):
        self.ready(self.heart)
        stored = self.stored(self.widget)
        (key, kept), *_ = stored["ranked"]["rankings"].items()
        for part, wrong in (("scores", "no text"), ("scores", kept["told"]), ("told", kept["scores"]), ("scores", ""),
                            ("told", stored_results.encoded(b"[]")), ("told", stored_results.encoded(b"[" * 10**5)),
                            ("told", stored_results.encoded(b'{"info": {}}')),
                            ("scores", kept["scores"][:-8])):  # fmt: skip
            self.assertEqual(self.restored({**stored["ranked"], "rankings": {key: {**kept, part: wrong}}}), {})
        for wrong in (3, [], {"data": 3}, {"data": "x", "rankings": {"a": 3}}):
            self.assertEqual(self.restored(wrong), {})
        again = self.reopened(self.widget, self.heart, ranked=wrong)
        np.testing.assert_array_equal(self.out("scores", again).X, self.out("scores").X)


if __name__ == "__main__":
    unittest.main()
