"""Questions that a ranker asks before p-values: is a column the group of rows, or a batch?"""

from unittest.mock import patch

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table

from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT


def visits_and_plates(n=48, p=24):
    """Two visits of each person, as the metas say, and two plates, between which all numbers differ."""
    rng = np.random.default_rng(0)
    plate = np.arange(n) % 2
    ill = np.arange(n) // 2 % 3 == 0
    X = rng.normal(size=(n, p)) + 3 * plate[:, None]
    X[:, 0] += 2 * ill
    domain = Domain(
        [*(ContinuousVariable(f"x{i}") for i in range(p)), DiscreteVariable("plate", ("A", "B"))],
        DiscreteVariable("ill", ("no", "yes")),
        [StringVariable("person")],
    )
    metas = np.array([[f"p{i // 2}"] for i in range(n)], dtype=object)
    return Table.from_numpy(domain, np.column_stack([X, plate]), ill.astype(float), metas)


class TestQuestions(base.RankerTest):
    usual = {"methods": ["relieff"]}

    def ticked(self, **settings):
        """Return a ranker in which p-values are ticked, when nothing goes on any more."""
        widget = self.ready(visits_and_plates(), self.make(**settings))
        widget.area.p_box.click()
        return self.settle(widget)

    def answer(self, widget, link):
        widget.area.significance.label.linkActivated.emit(link)
        return self.settle(widget)

    def p_values(self, widget):
        """Return the p-values of a ranker, when they are there."""
        self.process_events(lambda: widget.tests.complete(widget.tests.job()) is not None, timeout=LIMIT)
        return widget.tests.complete(widget.tests.job())

    def test_each_proposal_is_a_question_and_p_values_wait(self):
        widget = self.ticked()
        panel = widget.area.significance
        self.assertIn("Before p-values: 'person' has 24 values in 48 rows", panel.label.text())
        self.assertIn("Make it the group", panel.label.text())
        self.assertTrue(panel.button.isHidden())
        self.assertIsNone(widget.tests.found(widget.tests.job()))
        self.assertIsNotNone(self.out("scores", widget))  # outputs do not wait for an answer
        self.answer(widget, "take")
        self.assertEqual(widget.study.known(), ((), "person"))
        self.assertIn(
            "Before p-values: 100 % of the numbers differ between the 2 values of 'plate'", panel.label.text()
        )
        self.answer(widget, "take")
        self.assertEqual(widget.study.known(), (("plate",), "person"))
        self.assertNotIn("Before p-values", panel.label.text())
        self.assertEqual(len(self.p_values(widget).p), 24)

    def test_a_selection_by_p_values_waits_for_the_answer(self):
        widget = self.ticked()
        best = [variable.name for variable in self.out("features", widget)]
        panel = widget.area.significance
        with patch.object(widget.Outputs.features, "send") as send:
            self.control("All at FDR", widget).click()
            self.process_events(widget.isInvalidated, timeout=LIMIT)
            for column in ("person", "plate"):
                self.assertIn(f"'{column}'", panel.label.text())
                self.assertFalse(panel.isHidden())
                self.assertTrue(widget.isInvalidated())
                panel.label.linkActivated.emit("refuse")
            send.assert_not_called()
        self.assertEqual(len(self.p_values(widget).p), 25)
        self.settle(widget)
        self.assertFalse(widget.isInvalidated())
        selected = [variable.name for variable in self.out("features", widget)]
        self.assertEqual(selected, widget.area.selected_names())
        self.assertNotEqual(selected, best)

    def test_methods_that_are_not_adjusted_ask_once(self):
        for methods in (["erelieff"], ["multisurf", "erelieff"]):
            with self.subTest(methods=methods):
                widget = self.ticked(methods=methods)
                self.answer(widget, "take")
                self.answer(widget, "take")
                self.assertEqual(widget.study.known(), (("plate",), "person"))
                self.assertNotIn("Before p-values", widget.area.significance.label.text())
                self.assertEqual(len(self.p_values(widget).p), 24)

    def test_a_refused_proposal_is_not_asked_again(self):
        widget = self.ticked()
        self.answer(widget, "refuse")
        self.answer(widget, "refuse")
        self.assertEqual(widget.study.known(), ((), ""))
        self.assertEqual(len(self.p_values(widget).p), 25)
        stored = self.packed(widget)
        self.assertEqual(stored["tests"]["refused"], [["group", "person"], ["covariate", "plate"]])
        again = self.ready(visits_and_plates(), self.create_widget(self.kind, stored_settings=stored))
        self.assertNotIn("Before p-values", again.area.significance.label.text())

    def test_nothing_is_asked_without_a_proposal(self):
        widget = self.ready(self.heart, self.make())
        widget.area.p_box.click()
        self.settle(widget)
        self.assertNotIn("Before p-values", widget.area.significance.label.text())
