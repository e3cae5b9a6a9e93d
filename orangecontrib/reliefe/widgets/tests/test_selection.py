"""The selection box: slider, knee, modes."""

import unittest

import numpy as np
from Orange.preprocess import SelectBestFeatures
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe.orange.ranker.scores import MethodScores
from orangecontrib.reliefe.orange.ranker.selection import knee, share_count
from orangecontrib.reliefe.widgets.ranker.selection import SelectionBox, n_at, step_at
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.widgettest import owner_of


class TestSlider(unittest.TestCase):
    def test_reaches_both_ends(self):
        for p in (1, 2, 13, 20_000):
            self.assertEqual((n_at(0, p), n_at(1000, p)), (1, p))

    def test_step_and_number_agree(self):
        for p in (2, 13, 20_000):
            for n in (1, 2, p // 2, p):
                self.assertLessEqual(abs(n_at(step_at(n, p), p) - n), max(1, p // 100))

    def test_no_features(self):
        self.assertEqual((n_at(500, 0), step_at(3, 0), step_at(1, 1)), (0, 0, 0))


class TestKnee(unittest.TestCase):
    def test_a_pronounced_drop(self):
        self.assertEqual(knee(np.array([1, 0.9, 0.8, 0.05, 0.04, 0.03, 0.02, 0])), 3)

    def test_no_drop_stands_out(self):
        self.assertIsNone(knee(np.linspace(1, 0, 50)))
        self.assertIsNone(knee(1 / np.arange(1, 100)))
        self.assertIsNone(knee(np.array([1, 0.6, 0.5, 0.1, 0.0, 0.0])))

    def test_what_is_below_zero_does_not_count(self):
        self.assertIsNone(knee(np.array([0.1, 0.08, 0.06, 0.04, 0.02, -5])))
        self.assertIsNone(knee(-np.arange(1.0, 10)))

    def test_noise_has_none(self):
        rng = np.random.default_rng(0)
        noise = -np.sort(-rng.normal(size=(50, 1000)), axis=1)
        self.assertLessEqual(sum(knee(row) is not None for row in noise), 2)

    def test_too_few_equal_or_unknown(self):
        for values in ([], [1, 0.1], [1, 1, 1, 1, 1, 1], [np.nan] * 9, [0] * 9):
            self.assertIsNone(knee(np.array(values, float)))


class TestSelectionBox(GuiTest):
    def setUp(self):
        self.box = SelectionBox(owner_of(SelectionBox))
        self.scores = MethodScores("s", np.array([0.1, 0.4, 0.4, -0.2, np.nan]), "S")
        self.box.set_size(5)
        self.box.set_scores([self.scores], 0)

    def mask(self, manual=(1, 0, 0, 0, 1)):
        return [int(take) for take in self.box.mask(self.scores, np.array(manual, bool))]

    def test_modes(self):
        for mode, mask in (
            ("none", [0] * 5),
            ("all", [1] * 5),
            ("manual", [1, 0, 0, 0, 1]),
            ("best", [1, 1, 1, 0, 0]),  # of four, those above zero
            ("from", [1, 1, 1, 0, 0]),
        ):
            self.box.set_mode(mode)
            self.assertEqual((self.box.mode, self.mask()), (mode, mask))

    def test_a_share_is_rounded_as_by_the_preprocessor(self):
        data = base.random_table(40, 25)
        for share, n in ((0.01, 1), (2, 1), (10, 2), (14, 4), (50, 12), (100, 25)):
            self.assertEqual(share_count(share, 25), n)
            select = SelectBestFeatures(method=lambda table: np.arange(25.0), k=share / 100)
            self.assertEqual(len(select(data).domain.attributes), n, share)
        self.assertEqual(share_count(10, 0), 0)

    def test_share(self):
        self.box.set_share(40)
        self.assertEqual((self.box.mode, self.box.best, self.mask()), ("share", 2, [0, 1, 1, 0, 0]))
        self.box.set_share(100)
        self.assertEqual((self.box.best, self.mask()), (5, [1, 1, 1, 0, 0]))
        self.box.set_mode("from")
        self.assertIsNone(self.box.best)

    def test_ties_go_to_the_lower_index(self):
        self.box.set_n(1)
        self.assertEqual(self.mask(), [0, 1, 0, 0, 0])

    def test_a_threshold_is_reached_by_equal_scores(self):
        self.box.set_threshold(0.4)
        self.assertEqual(self.mask(), [0, 1, 1, 0, 0])

    def test_without_scores_nothing_is_best(self):
        self.assertEqual(list(self.box.mask(None, np.zeros(5, bool))), [False] * 5)

    def test_radio_follows_slider_spin_and_threshold(self):
        changes = []
        self.box.changed.connect(lambda: changes.append(self.box.mode))
        self.box.limit.setValue(0.3)
        self.box.spin.setValue(2)
        self.box.set_mode("manual")
        self.box.slider.setValue(1000)
        self.assertEqual((changes, self.box.n_best, self.box.spin.value()), (["from", "best", "best"], 5, 5))

    def test_small_data_in_between_do_not_lose_n(self):
        self.box.set_n(4)
        self.box.set_size(2)
        self.assertEqual((self.box.spin.value(), self.box.n_best), (2, 4))
        self.box.set_size(0)
        self.assertFalse(self.box.isEnabled())
        self.box.set_size(9)
        self.assertEqual(self.box.spin.value(), 4)

    def test_hint_only_when_pronounced(self):
        self.assertTrue(self.box.hint.isHidden())
        values = np.array([1, 0.9, 0.8, 0.05, 0.04, 0.03])
        self.box.set_size(6)
        self.box.set_scores([MethodScores("s", values, "S")], 0)
        self.assertFalse(self.box.hint.isHidden())
        self.box.hint.linkActivated.emit("3")
        self.assertEqual((self.box.mode, self.box.n_best), ("best", 3))
        self.box.set_scores([MethodScores("s", values, "S", partial=True)], 0)
        self.assertTrue(self.box.hint.isHidden())


if __name__ == "__main__":
    unittest.main()
