"""Rankers with data of all kinds, and with none."""

import pickle
import unittest
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import Qt
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table

from orangecontrib.reliefe import rank
from orangecontrib.reliefe.core import METHODS
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.ranker.methodlist import ABOUT
from orangecontrib.reliefe.widgets.tests import base


class TestData(base.RankerTest):
    def assert_nothing_sent(self):
        for name in ("reduced", "scores", "features"):
            self.assertIsNone(self.out(name), name)
        self.assertFalse(self.widget.isInvalidated())
        self.widget.grab()
        self.widget.send_report()

    def assert_recovers(self):
        self.ready(self.heart)
        self.assertEqual(len(self.out("scores")), 13)
        self.assertFalse(self.widget.Error.active)

    def test_no_data(self):
        self.ready(self.heart)
        self.ready(None)
        self.assert_nothing_sent()
        self.assertFalse(self.widget.Error.active)
        self.assert_recovers()

    def test_what_cannot_be_ranked_says_so(self):
        target = self.heart.domain.class_var
        cases = {
            "no_features": self.heart.transform(Domain([], target)),
            "no_rows": self.heart[:0],
            "one_class": self.heart[self.heart.Y == 1],
        }
        for message, data in cases.items():
            with self.subTest(message):
                self.ready(data)
                self.assertEqual([str(m) for m in self.widget.Error.active], [str(getattr(self.widget.Error, message))])
                self.assert_nothing_sent()
                if not self.widget.area.table.model().rowCount():
                    self.assertNotIn("filter", self.widget.area.table.placeholder)
                self.assert_recovers()

    def test_targets_that_no_method_ranks_for(self):
        attributes, target = self.heart.domain.attributes, self.heart.domain.class_var
        several = self.heart.transform(Domain(attributes[:-1], [target, attributes[-1]]))
        with patch.object(OWReliefE, "offered", lambda _: (METHODS["relieff"],)):
            widget = self.make()
        for data in (self.heart.transform(Domain(attributes)), several):
            self.ready(data, widget)
            self.assertFalse(widget.Error.active)
            self.assertIn("Choose one", str(widget.Information.choose_target))
            self.assertTrue(widget.Information.choose_target.is_shown())
            self.assertIsNone(self.out("scores", widget))
        self.ready(self.heart, widget)
        self.assertFalse(widget.Information.choose_target.is_shown())
        self.ready(several)  # some method does
        self.assertFalse(self.widget.columns.names)
        self.assertIsNotNone(self.out("scores"))

    def choose_target(self, name):
        """Choose a target as a user does."""
        box = self.widget.columns.targets
        self.assertFalse(box.parentWidget().isHidden())
        box.setCurrentIndex(box.findData(name))
        box.activated.emit(box.currentIndex())
        self.settle()

    def test_a_target_is_chosen(self):
        self.widget.show()
        self.assertTrue(self.widget.columns.isHidden())
        domain = self.heart.domain
        data = self.heart.transform(Domain(domain.attributes[1:], metas=[domain.class_var, domain.attributes[0]]))
        self.ready(data)
        self.assertEqual(self.widget.columns.names[:2], ["diameter narrowing", "age"])
        self.assertIsNone(self.out("scores"))
        self.choose_target("diameter narrowing")
        expected = self.heart.transform(Domain(domain.attributes[1:], domain.class_var))
        np.testing.assert_array_equal(self.out("scores").X[:, 0], rank(expected, "multisurf").scores)
        self.assertEqual(self.out("reduced").domain.class_var.name, "diameter narrowing")
        self.assertEqual([v.name for v in self.out("reduced").domain.metas], ["age"])
        self.choose_target("age")  # a number
        self.assertEqual(self.out("marked").domain.class_var.name, "age")
        self.ready(self.heart)  # has its own
        self.assertTrue(self.widget.columns.isHidden())
        self.assertEqual(self.out("reduced").domain.class_var.name, "diameter narrowing")
        settings = self.widget.settingsHandler.pack_data(self.widget)
        self.assertEqual(settings["columns"]["target"], "age")
        other = self.make(target="age")
        self.ready(data, other)
        self.assertEqual(self.out("reduced", other).domain.class_var.name, "age")

    def test_a_text_is_chosen(self):
        answers, names = ["n", "y", "", "y"] * 75 + ["n"] * 3, [f"patient {i}" for i in range(303)]
        domain = Domain(self.heart.domain.attributes, metas=[StringVariable("name"), StringVariable("answer")])
        self.ready(Table.from_numpy(domain, self.heart.X, metas=np.array([names, answers], object).T))
        self.assertEqual(self.widget.columns.names[:2], ["answer", "age"])
        self.choose_target("answer")
        sent = self.out("reduced")
        self.assertEqual(sent.domain.class_var.values, ("n", "y"))
        self.assertEqual(np.isnan(sent.Y).sum(), 75)
        np.testing.assert_array_equal(sent.Y[:2], [0, 1])
        pickle.loads(pickle.dumps(sent.domain))

    def test_suspects_are_left_out_by_a_click(self):
        names = DiscreteVariable("name", [str(i) for i in range(303)])
        domain = Domain([names, *self.heart.domain.attributes], self.heart.domain.class_vars)
        data = Table.from_numpy(domain, np.column_stack([np.arange(303), self.heart.X]), self.heart.Y)
        self.widget.show()
        self.ready(data)
        links = self.widget.columns.links
        self.assertIn("Leave out 'name'", links.text())
        self.assertIn("value of its own", str(self.widget.Warning.note_0))
        links.linkActivated.emit("out")
        self.settle()
        self.assertEqual(self.widget.columns.left_out, ["name"])
        self.assertEqual(len(self.out("scores")), 13)
        self.assertFalse(self.widget.Warning.note_0.is_shown())
        self.assertIn(names, self.out("reduced").domain.metas)
        self.assertNotIn(names, self.out("preprocessor")(data).domain.attributes)
        self.assertIn("Take back 'name'", links.text())
        links.linkActivated.emit("back")
        self.settle()
        self.assertEqual(len(self.out("scores")), 14)
        self.ready(self.heart)
        self.assertTrue(links.isHidden())

    def test_rows_that_look_like_features(self):
        samples = Domain([ContinuousVariable(f"sample_{i}") for i in range(4)], metas=[StringVariable("gene")])
        genes = [[name] for name in ("BRCA1", "TP53", "EGFR")]
        self.ready(Table.from_numpy(samples, np.arange(12.0).reshape(3, 4), metas=np.array(genes, object)))
        self.assertIn("'BRCA1', 'TP53', 'EGFR'", str(self.widget.Error.like_features))
        self.assertIsNone(self.out("scores"))

    def test_errors_of_the_core_are_shown_as_they_are(self):
        unknown = self.heart.copy()
        with unknown.unlocked():
            unknown.Y[:] = np.nan
        self.ready(unknown)
        self.assertTrue(self.widget.Error.failed.is_shown())
        self.assert_nothing_sent()
        self.assert_recovers()

    def test_numbers_are_ranked_without_any_click(self):
        self.ready(self.housing)
        self.assertEqual([s.name for s in self.widget.area.model.columns], ["rrelieff", "multisurf"])
        np.testing.assert_array_equal(self.out("scores").X[:, 0], rank(self.housing, "rrelieff").scores)
        self.assertIsNotNone(self.out("reduced"))

    def test_a_method_that_fits_is_ticked_if_none_is(self):
        self.tick("relieff")
        self.ready(self.housing)
        self.assertIn("multisurf", self.widget.panel.chosen)
        self.assertEqual(len(self.out("scores").domain.attributes), 1)
        self.tick("relieff")
        self.settle()
        self.assertTrue(self.widget.Information.no_method.is_shown())
        self.assert_nothing_sent()

    def test_what_does_not_fit_is_grey_and_says_so(self):
        self.ready(self.heart)
        items = self.widget.panel.list
        item = items.by_name["rrelieff"]
        self.assertFalse(item.flags() & Qt.ItemIsEnabled)
        self.assertEqual(item.data(ABOUT), "not for classes")

    def test_rows_without_a_target_are_not_used(self):
        data = self.heart.copy()
        with data.unlocked():
            data.Y[:40] = np.nan
        self.widget = self.make(n_best=3)
        self.ready(data)
        self.assertIn("40 rows without a target", " ".join(map(str, self.widget.Information.active)))
        np.testing.assert_allclose(self.out("scores").X[:, 0], rank(self.heart[40:], "multisurf").scores, atol=1e-12)
        self.assertEqual(len(self.out("reduced")), len(self.heart))
        self.ready(self.heart)
        self.assertFalse(self.widget.Information.active)

    def test_missing_values(self):
        data = self.heart.copy()
        with data.unlocked():
            data.X[::3, 2] = np.nan
        self.ready(data)
        np.testing.assert_array_equal(self.out("scores").X[:, 0], rank(data, "multisurf").scores)

    def test_sparse_data(self):
        data = Table.from_numpy(self.heart.domain, np.nan_to_num(self.heart.X), self.heart.Y)
        self.ready(data)
        dense = self.out("scores").X
        self.ready(data.to_sparse())
        np.testing.assert_allclose(self.out("scores").X, dense, atol=1e-9)
        self.assertIsNotNone(self.out("reduced"))

    def test_features_input_gives_the_candidates(self):
        candidates = list(self.heart.domain.attributes[3:9])
        self.ready(self.heart, features=candidates)
        scores = self.out("scores")
        self.assertEqual(list(scores.metas[:, 0]), [v.name for v in candidates])
        only = self.heart.transform(Domain(candidates, self.heart.domain.class_vars))
        np.testing.assert_array_equal(scores.X[:, 0], rank(only, "multisurf").scores)
        self.assertLessEqual(set(self.out("features")), set(candidates))
        self.select_best(2)
        self.settle()
        found = self.out("preprocessor")(self.heart).domain
        self.assertEqual({v.name for v in found.attributes}, {v.name for v in self.out("features")})
        self.assertEqual(found.class_vars, self.heart.domain.class_vars)

    def test_unknown_candidates(self):
        stranger = ContinuousVariable("stranger")
        self.ready(self.heart, features=[stranger, *self.heart.domain.attributes[:5]])
        self.assertTrue(self.widget.Warning.unknown_features.is_shown())
        self.assertEqual(len(self.out("scores")), 5)
        self.ready(self.heart, features=[stranger])
        self.assertTrue(self.widget.Error.no_candidates.is_shown())
        self.assert_nothing_sent()
        self.assert_recovers()

    def test_picked_features_that_are_gone_are_named(self):
        self.widget = self.make(mode="manual", manual=["age", "gone"])
        self.ready(self.heart)
        self.assertEqual([v.name for v in self.out("features")], ["age"])
        message = self.widget.Warning.not_in_data
        self.assertEqual(str(message), "Feature 'gone' of your selection is not in the data")
        self.ready(self.heart.transform(Domain(self.heart.domain.attributes[1:], self.heart.domain.class_vars)))
        self.assertEqual(str(message), "Features 'age', 'gone' of your selection are not in the data")
        self.select_best(3)
        self.assertFalse(message.is_shown())

    def test_few_labels_name_the_widget_for_them(self):
        for labelled, told in ((50, True), (200, False)):
            data = self.heart.copy()
            with data.unlocked():
                data.Y[labelled:] = np.nan
            self.ready(data)
            self.assertEqual(self.widget.Information.few_labels.is_shown(), told)
            self.assertEqual(len(self.out("scores")), 13)
            if told:
                self.assertIn("Only 50 of 303 rows have a target value. SSL-Relief",
                              str(self.widget.Information.few_labels))  # fmt: skip

    def test_a_method_that_refuses_leaves_the_others(self):
        stored = {"methods": ["relief", "multisurf"], "parameters": {"relief": {"power": 2, "ramp": True}}}
        widget = self.create_widget(OWReliefE, stored_settings=stored)
        self.ready(self.heart, widget)
        self.assertIn("Relief: ", str(widget.Warning.method_failed))
        self.assertTrue(widget.Warning.method_failed.is_shown())
        self.assertEqual([v.name for v in self.out("scores", widget).domain.attributes], ["MultiSURF"])

    def test_one_feature_and_two_rows(self):
        self.ready(base.random_table(50, 1))
        self.assertIsNone(self.out("reduced"))
        self.assertIn("No feature is selected", str(self.widget.Information.left_out))  # alone it scores below zero
        self.choose("All")
        self.settle()
        self.assertEqual(len(self.out("reduced").domain.attributes), 1)
        pair = self.heart[[int(np.argmin(self.heart.Y)), int(np.argmax(self.heart.Y))]]
        self.ready(pair)
        self.widget.grab()


if __name__ == "__main__":
    unittest.main()
