"""Methods that are registered appear in the widgets that fit them, with forms for all their parameters."""

import unittest
from unittest.mock import patch

import numpy as np

from orangecontrib.reliefe import core
from orangecontrib.reliefe.core.methods.registry import register
from orangecontrib.reliefe.tests.toy_methods import TOYS
from orangecontrib.reliefe.widgets.owurelief import OWURelief
from orangecontrib.reliefe.widgets.tests import base


class TestToyMethods(base.RankerTest):
    usual = {"methods": ["half", "clock"]}

    def setUp(self):
        patcher = patch.dict(core.METHODS)
        patcher.start()
        self.addCleanup(patcher.stop)
        register(*(toy() for toy in TOYS))
        super().setUp()

    def scores(self):
        return dict(zip((v.name for v in self.out("scores").domain.attributes), self.out("scores").X.T))

    def test_offered_by_task_and_family(self):
        self.assertLess({"half", "clock"}, set(self.widget.panel.methods))
        self.assertNotIn("spread", self.widget.panel.methods)
        unsupervised = self.create_widget(OWURelief).panel.methods
        self.assertLess({"urelief", "spread"}, set(unsupervised))
        self.assertFalse({"half", "clock"} & set(unsupervised))

    def test_ranked(self):
        self.ready(self.heart)
        np.testing.assert_array_equal(self.scores()["Clock*"], 2.0 * np.arange(13))
        nominal = np.array([v.is_discrete for v in self.heart.domain.attributes])
        found = core.rank(self.heart.X, self.heart.Y.astype(int), "half", nominal=nominal)
        np.testing.assert_array_equal(self.scores()["Half"], found.scores)

    def test_method_within_a_method(self):
        self.ready(self.heart)
        self.highlight("half")
        editor = self.widget.panel.form.editors["core"]
        self.assertEqual(editor.value(), ("relieff", ()))
        before = self.scores()["Half"]
        form = editor.details.few.layout()
        field = form.itemAt(0, form.FieldRole).widget()
        field.set_value(3)
        self.settle()
        self.assertEqual(editor.value(), ("relieff", (("n_neighbors", 3),)))
        few = self.scores()["Half"]
        self.assertFalse(np.array_equal(before, few))
        editor.setCurrentIndex(editor.findData("surf"))
        self.settle()
        self.assertEqual(editor.value(), ("surf", ()))
        self.assertFalse(np.array_equal(self.scores()["Half"], few))
        editor.setCurrentIndex(editor.findData("relieff"))  # what was set there is still there
        self.settle()
        np.testing.assert_array_equal(self.scores()["Half"], few)

    def test_settings_survive(self):
        kept = {"half": {"core": ("relieff", (("n_neighbors", 3),))}}
        self.widget = self.make(parameters=kept)
        self.assertEqual(self.widget.panel.parameters, kept)
        settings = self.widget.settingsHandler.pack_data(self.widget)
        self.assertEqual(settings["panel"]["parameters"], kept)
        self.ready(self.heart)
        self.assertIn("Half", self.scores())


if __name__ == "__main__":
    unittest.main()
