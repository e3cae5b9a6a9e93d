"""Statistics of rankings: which data sets are compared, what is computed, what the view shows and says."""

import unittest
from dataclasses import replace

import numpy as np
from AnyQt.QtCore import QPointF, Qt
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication
from Orange.data import Table
from Orange.widgets.tests.base import GuiTest

from orangecontrib.reliefe.core import Interrupted
from orangecontrib.reliefe.core.evaluation import corrected_t, critical_difference, friedman, hierarchical_t
from orangecontrib.reliefe.orange.comparison.data_sets import DataSets, gather, parsed
from orangecontrib.reliefe.orange.comparison.quality import AREA, Quality, QualityLine
from orangecontrib.reliefe.orange.comparison.quality_table import to_table
from orangecontrib.reliefe.orange.comparison.statistical_tests import mean_ranks, pairs_of, posterior, too_few
from orangecontrib.reliefe.widgets.comparison.statistics import DEPENDENT, StatisticsView
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.comparing import State, comparison

GAINS = {"Good": 0.1, "Fair": 0.05, "Poor": 0.0, "Random ranking": -0.1}


def quality(name="made", seed=0, m=6, measure="accuracy", gains=GAINS, n_folds=3, sizes=(1, 2, 4)):
    """As if it had been measured: the gains are the differences, with some noise."""
    rng = np.random.default_rng(seed)
    sign = -1 if measure == "rrmse" else 1
    lines = tuple(
        QualityLine(
            title,
            "reference" if "Random" in title else "ranked in training folds",
            0.7 + sign * gain + rng.normal(0, 0.01, (m, len(sizes))),
        )
        for title, gain in gains.items()
    )
    return Quality(np.array(sizes), lines, np.full(m, 0.8), np.full(m, 10.0), n_folds, measure, "tree", name)


def several(q=4, **parts):
    """On as many data sets."""
    return gather(quality("own", 0, **parts), [quality(f"data {seed}", seed, **parts) for seed in range(1, q)])


class TestDataSets(unittest.TestCase):
    def test_common_rankings_references_last(self):
        sets = gather(quality(), [quality("other", 1, gains={"Random ranking": 0, "Fair": 0, "Good": 1, "New": 0})])
        self.assertEqual(sets.titles, ("Good", "Fair", "Random ranking"))
        self.assertEqual(sets.names, ("other", "made"))
        self.assertEqual(len(sets.notes), 1)
        self.assertIn("not all data sets have it: Poor, New", sets.notes[0])
        self.assertEqual(gather(quality(), [], references=False).titles, ("Good", "Fair", "Poor"))

    def test_one_measure_one_of_each_name(self):
        others = [quality("numbers", measure="rrmse"), quality("made", 1), quality("b", 2)]
        sets = gather(quality(), others)
        self.assertEqual(sets.names, ("b", "made"))
        self.assertEqual(len(sets.notes), 2)
        self.assertIn("measure is not classification accuracy: numbers", sets.notes[0])
        self.assertIn("made is connected twice", sets.notes[1])

    def test_what_comes_often_is_told_once(self):
        sets = gather(quality(), [quality("made", seed) for seed in range(4)])
        self.assertEqual([note for note in sets.notes if "connected twice" in note], [sets.notes[0]])

    def test_tables(self):
        found, notes = parsed([to_table(quality("a")), Table("iris")])
        self.assertEqual([one.name for one in found], ["a"])
        self.assertIn("iris: an evaluation has columns", notes[0])

    def test_folds_and_rankings_that_failed(self):
        broken = quality()
        broken.lines[0].values[1, 2] = np.nan
        broken.lines[2].values[:] = np.nan
        sets = gather(broken, [quality("other", m=4, n_folds=2)])
        self.assertEqual(sets.titles, ("Good", "Fair", "Random ranking"))
        self.assertEqual(sets.folds().shape, (5, 3))
        self.assertEqual(sets.means(4).shape, (2, 3))
        first, second, n_folds = sets.pairs("Good", "Fair")
        self.assertEqual((first.shape, second.shape, n_folds), ((2, 4), (2, 4), 2))

    def test_nothing(self):
        self.assertEqual(gather(None, []).qualities, ())
        empty = replace(quality(m=0), whole=np.empty(0))
        self.assertEqual(gather(empty, []).qualities, ())


class TestJobs(unittest.TestCase):
    def test_reasons(self):
        one = gather(quality(m=1), [])
        for sets, what, part in (
            (DataSets(), "pairs", "has measured"), (gather(quality(gains={"A": 0}), []), "ranks", "only this"),
            (one, "pairs", "at least two folds"), (one, "ranks", "at least two folds"),
            (gather(quality(), []), "posterior", "at least two data sets"), (several(2), "posterior", ""),
            (gather(quality(), []), "pairs", ""),
        ):  # fmt: skip
            reason = too_few(sets, what)
            self.assertTrue(part in reason and bool(part) == bool(reason), reason)

    def test_pairs(self):
        for measure in ("accuracy", "rrmse"):
            sets = several(measure=measure)
            found = pairs_of(sets, 2, 0.01)
            self.assertEqual(found.titles, tuple(GAINS))
            scores = sets.qualities[-1].scores(2, ["Good", "Poor"])
            expected = corrected_t(scores[:, 0], scores[:, 1], 3, 0.01, measure == "accuracy")
            self.assertEqual(found.differences[0, 2], expected)
            self.assertGreater(found.differences[0, 2].first, 0.95)
            self.assertEqual(len(found.differences), 12)

    def test_mean_ranks(self):
        sets = several(5)
        found, test = mean_ranks(sets), friedman(sets.means())
        self.assertEqual(found.diagram.ranks.tolist(), [1, 2, 3, 4])
        self.assertEqual((found.n, found.independent, found.p_value), (5, True, test.p_value))
        self.assertEqual(found.diagram.difference, critical_difference(4, 5))
        one = mean_ranks(gather(quality(), []), 1)
        self.assertEqual((one.n, one.independent), (6, False))
        two = mean_ranks(gather(quality(gains={"A": 0, "B": 0.1}), []))
        self.assertTrue(np.isnan(two.p_value))
        self.assertEqual(mean_ranks(several(3, measure="rrmse")).diagram.ranks.tolist(), [1, 2, 3, 4])

    def test_posterior(self):
        sets, state = several(4), State()
        found = posterior(sets, "Good", "Poor", AREA, 0.01, state)
        a, b, n_folds = sets.pairs("Good", "Poor", AREA)
        self.assertEqual((found.q, found.m, n_folds), (4, 6, 3))
        self.assertEqual(found.found.first, hierarchical_t(a, b, 3, 0.01).first)
        self.assertGreater(found.found.first, 0.9)
        self.assertEqual(state.progress[-1], 100)
        with self.assertRaises(Interrupted):
            posterior(sets, "Good", "Poor", AREA, 0.01, State(stop_after=0))
        self.assertIsNone(posterior(several(2, m=2), "Good", "Poor", AREA, 0.01, state))


class TestView(GuiTest):
    def make(self, own=None, others=(), **settings):
        view = StatisticsView(settings)
        self.addCleanup(view.deleteLater)
        view.set_comparison(replace(comparison(), evaluations=[to_table(one) for one in others]))
        view.hear("Quality", own)
        return view

    def settle(self, view):
        job = view.job(view.comparison, view.settings)
        if job is not None:
            view.show_result(job(State()))

    def test_reasons(self):
        view = StatisticsView()
        self.addCleanup(view.deleteLater)
        for reason in ("Connect rankings", "when the view Quality has measured"):
            self.assertFalse(view.drawn)
            self.assertIn(reason, view.reason.text())
            self.assertIsNone(view.image_item())
            view.set_comparison(comparison())
        self.assertIsNone(view.job(view.comparison, {}))
        self.assertEqual(view.caption(), "Statistics")
        view.set_comparison(replace(comparison(), data=None))
        self.assertIn("Connect data", view.reason.text())
        unread = self.make(None, [])
        unread.set_comparison(replace(comparison(), evaluations=[Table("iris")]))
        self.assertIn("iris: an evaluation has columns", unread.reason.text())

    def test_pairs(self):
        view = self.make(quality())
        self.assertIs(view.image_item(), view.pairs)
        self.assertIn("not corrected", view.notes.text())
        self.assertIn("Good: mean", view.pairs.about((0, 0)))
        self.assertRegex(view.pairs.about((0, 2)), r"Good − Poor: \+0\.09.*p = .*better 100 %")
        view.pairs.resize(600, 400)
        view.pairs.grab()
        frame = view.pairs.frame()
        self.assertEqual(view.pairs.element_at(QPointF(frame.left + 2.5 * frame.width, frame.top + 1)), (0, 2))
        self.assertIsNone(view.pairs.element_at(QPointF(1, 1)))
        QTest.keyClick(view.pairs, Qt.Key_Right)
        QTest.keyClick(view.pairs, Qt.Key_Right)
        QTest.keyClick(view.pairs, Qt.Key_Left)
        self.assertEqual((view.pairs.current, view.pairs.accessibleDescription()), ((0, 0), view.pairs.about((0, 0))))
        view.rope.setValue(0.2)
        self.assertIn("practically equal 100 %", view.pairs.about((0, 2)))
        self.assertEqual(view.settings["rope"], 0.2)

    def test_ranks(self):
        view = self.make(quality(), mode="ranks")
        self.assertIn(DEPENDENT, view.notes.text())
        view = self.make(quality(), [quality(f"d{seed}", seed) for seed in (1, 2, 3)], mode="ranks")
        self.assertNotIn(DEPENDENT, view.notes.text())
        self.assertIs(view.image_item(), view.ranks)
        self.assertEqual(view.ranks.about(0), "Good: mean rank 1.00; no significant difference to Fair, Poor")
        self.assertTrue(view.ranks.note.startswith("Good 1.00, Fair 2.00"))
        view.ranks.resize(600, 400)
        view.ranks.grab()
        end = view.ranks._leader(3)[2]
        self.assertEqual(view.ranks.element_at(QPointF(end.x() + 5, end.y())), 3)
        self.assertIsNone(view.ranks.element_at(QPointF(300, 399)))
        self.assertIn("d1, d2, d3, made", view.caption())

    def test_posterior(self):
        view = self.make(quality(), mode="posterior")
        self.assertIn("two data sets", view.reason.text())
        self.assertIsNone(view.job(view.comparison, {}))
        view = self.make(quality(), [quality("d1", 1)], mode="posterior", first="Poor", second="Good")
        self.assertIn("being sampled", view.reason.text())
        self.settle(view)
        self.assertIs(view.image_item(), view.triangle)
        self.assertIsNone(view.job(view.comparison, {}))
        self.assertIn("Good is better: probability", view.triangle.about(2))
        self.assertIn("Practically equal (±0.01)", view.triangle.about(1))
        view.triangle.resize(500, 400)
        view.triangle.grab()
        self.assertEqual([view.triangle.element_at(view.triangle._at(*at)) for at in ((0, 0), (0.5, 0.8), (1, 0))],
                         [0, 1, 2])  # fmt: skip
        self.assertIsNone(view.triangle.element_at(QPointF(-500, 0)))
        view.first.setCurrentIndex(view.first.findText("Fair"))
        view.first.activated.emit(0)
        self.assertFalse(view.drawn)
        self.assertIsNotNone(view.job(view.comparison, {}))
        self.settle(view)
        self.assertTrue(view.drawn)

    def test_new_folds_make_posteriors_anew(self):
        view = self.make(quality(m=3), [quality("d1", 1)], mode="posterior")
        self.settle(view)
        view.hear("Quality", quality())
        self.assertFalse(view.drawn)
        view.hear("Agreement", object())  # is not for this view
        self.assertIsNotNone(view.job(view.comparison, {}))

    def test_two_rankings_are_never_the_same(self):
        view = self.make(quality(), [quality("d1", 1)], mode="posterior", first="Good", second="Good")
        self.assertEqual((view.first.currentText(), view.second.currentText()), ("Good", "Fair"))

    def test_evaluations_alone(self):
        view = self.make(None, [quality("d1", 1), quality("d2", 2)], mode="ranks")
        self.assertTrue(view.drawn)
        view.references.click()
        self.assertEqual(view.sets.titles, ("Good", "Fair", "Poor"))

    def test_settings(self):
        changed = []
        view = self.make(quality(), at=2)
        view.changed.connect(lambda: changed.append(dict(view.settings)))
        self.assertEqual(view.at.currentText(), "Best 2")
        view.mode.setCurrentIndex(1)
        view.mode.activated.emit(1)
        self.assertEqual((changed[-1]["mode"], changed[-1]["at"]), ("ranks", 2))
        strange = self.make(quality(), mode=["x"], at="all", rope="wide", references=None, first=3)
        self.assertEqual((strange.mode.currentData(), strange.at.currentData()), ("pairs", AREA))
        self.assertTrue(strange.drawn)

    def test_looks(self):
        saved = QApplication.palette()
        views = [
            self.make(quality(), [quality("d1", 1)], mode=mode, first="Good")
            for mode in ("pairs", "ranks", "posterior")
        ]
        try:
            for palette in (saved, base.dark_palette()):
                QApplication.setPalette(palette)
                QApplication.processEvents()
                for view in views:
                    self.settle(view)
                    for size in ((900, 600), (230, 170)):
                        view.resize(*size)
                        self.assertFalse(view.grab().isNull())
        finally:
            QApplication.setPalette(saved)

    def test_twenty_rankings(self):
        view = self.make(quality(gains={f"Ranking {i}": i / 100 for i in range(20)}))
        view.resize(500, 400)
        view.grab()
        self.assertEqual(view.pairs.n_elements, 400)


if __name__ == "__main__":
    unittest.main()
