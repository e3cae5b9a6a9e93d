"""All numbers of neighbours at once: sliders that answer at once and send what is ranked, and curves."""

import time
from unittest.mock import patch

import numpy as np
import pytest
from AnyQt.QtCore import Qt
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication

from orangecontrib.reliefe import rank
from orangecontrib.reliefe.core import Interrupted
from orangecontrib.reliefe.orange.ranker.selection import NONE
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.ranker import everyk
from orangecontrib.reliefe.widgets.ranker.everyk import SHOWN, base_job
from orangecontrib.reliefe.widgets.ranker.neighbourchart import CurveRequest, CurveResult, NeighbourChart, read, ticks
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT

QUIET = {"null_level": False}  # nothing else is computed behind the ranking


def wait_for_interruption(_table, _job, state):
    """Work that goes on until it is stopped."""
    while not state.is_interruption_requested():
        time.sleep(0.005)


class SliderTest(base.RankerTest):
    """A widget that is shown, with ReliefF of the heart data."""

    def setUp(self):
        self.widget = self.shown(methods=["relieff"])
        self.rank_all(self.heart)

    def shown(self, **settings):
        widget = self.make(**(QUIET | settings))
        widget.show()
        return widget

    def rank_all(self, data, widget=None):
        """Send data, and wait for the ranking and all that comes behind it."""
        self.ready(data, widget)
        self.behind(widget)

    def behind(self, widget=None):
        """Wait for what is computed behind the ranking."""
        widget = widget or self.widget
        self.process_events(lambda: not widget.every_k.bar.busy, timeout=LIMIT)
        self.settle(widget)
        self.process_events(lambda: not widget.every_k.busy and widget.every_k.reader.task is None, timeout=LIMIT)

    @property
    def bar(self):
        return self.widget.every_k.bar

    def move(self, k):
        """Drag the slider to a number of neighbours; it is still held."""
        self.bar.slider.setSliderDown(True)
        self.bar.slider.setValue(k)
        self.process_events(lambda: not self.widget.every_k._later_peek.isActive())

    def drop(self):
        """Release the slider, and wait."""
        self.bar.slider.setSliderDown(False)  # as when the button goes up: this says that it was released
        self.behind()

    def scores_shown(self):
        return self.leading.values

    def sent(self):
        return self.out("scores").X[:, 0]


class TestSliders(SliderTest):
    def test_it_is_there_for_methods_with_neighbours(self):
        self.assertTrue(self.bar.isVisible())
        self.assertTrue(self.bar.slider.isEnabled())
        self.assertEqual((self.bar.slider.minimum(), self.bar.slider.maximum()), (1, 100))
        self.assertEqual(self.bar.k, 10)
        self.assertIn("1 to 100", self.bar.slider.toolTip())
        self.tick("multisurf")
        self.behind()
        self.assertFalse(self.bar.isVisible())
        self.assertFalse(self.widget.every_k.busy)
        self.tick("reliefa")
        self.behind()
        self.assertTrue(self.bar.isVisible())
        self.send_signal(self.widget.Inputs.data, None)
        self.assertFalse(self.bar.isVisible())

    def test_weights_of_rows_have_no_scores_for_all_k(self):
        self.rank_all(base.with_weights(self.heart))
        _, caption, _, reason = self.widget.every_k.state(self.widget.every_k.job())
        self.assertEqual(caption, "All k: not here")
        self.assertIn("take no weights of rows", reason)
        self.assertFalse(self.bar.slider.isEnabled())
        self.widget.panel.form.change({"n_neighbors": 25})
        self.behind()
        expected = rank(base.with_weights(self.heart), "relieff", n_neighbors=25).scores
        self.assertEqual(self.scores_shown().tolist(), expected.tolist())
        self.rank_all(self.heart)
        self.assertTrue(self.bar.slider.isEnabled())

    def test_moving_shows_the_scores_and_sends_nothing(self):
        before, job = self.sent().copy(), self.widget.every_k.lead_job()
        for k in (40, 3, 100):
            self.move(k)
            expected = rank(self.heart, "relieff", n_neighbors=k).scores
            np.testing.assert_allclose(self.scores_shown(), expected, rtol=0, atol=1e-6)
            order = [self.widget.area.model.names[f] for f in self.widget.area.model.rows[:3]]
            self.assertEqual(order, [self.heart.domain.attributes[f].name for f in np.argsort(-expected)[:3]])
            self.assertEqual(self.bar.number.text(), f"k = {k}")
        self.assertEqual(self.widget.every_k.lead_job(), job)
        self.process_events()
        self.assertEqual(self.sent().tolist(), before.tolist())
        self.assertIsNone(self.leading.null)
        self.assertTrue(self.leading.partial)

    def test_what_stays_is_ranked_as_if_it_had_been_typed(self):
        self.move(25)
        self.drop()
        self.assertEqual(self.widget.panel.parameters, {"relieff": {"n_neighbors": 25}})
        self.assertEqual(self.widget.panel.form.editors["n_neighbors"].value(), 25)
        expected = rank(self.heart, "relieff", n_neighbors=25).scores
        self.assertEqual(self.scores_shown().tolist(), expected.tolist())
        by_name = dict(zip(self.out("scores").metas[:, 0], self.sent(), strict=True))
        np.testing.assert_array_equal([by_name[v.name] for v in self.heart.domain.attributes], expected)
        self.assertIsNone(self.widget.every_k.preview)
        self.assertFalse(self.leading.partial)
        best = [self.heart.domain.attributes[f].name for f in np.argsort(-expected)[:10]]
        self.assertEqual({v.name for v in self.out("reduced").domain.attributes}, set(best))

    def test_the_column_stays_while_it_is_ranked_anew(self):
        resets = []
        self.widget.area.model.modelReset.connect(lambda: resets.append(1))
        self.move(30)
        self.bar.slider.setSliderDown(False)
        self.process_events(lambda: self.widget.run_state == "running", timeout=LIMIT)
        self.assertEqual(len(self.widget.area.model.columns), 1)
        self.behind()
        self.assertEqual(resets, [])

    def test_the_same_place_again_is_nothing_new(self):
        ranking = self.widget.result.rankings[self.widget.every_k.lead_job()]
        self.move(60)
        self.bar.slider.setValue(10)
        self.drop()
        self.assertIs(self.widget.result.rankings[self.widget.every_k.lead_job()], ranking)
        self.assertEqual(self.widget.panel.parameters, {})
        self.assertEqual(self.scores_shown().tolist(), ranking.scores.tolist())
        self.assertFalse(self.leading.partial)

    def test_what_is_sent_meanwhile_is_what_was_ranked(self):
        expected = self.widget.result.rankings[self.widget.every_k.lead_job()].scores
        self.move(77)
        self.widget.commit.now()
        self.assertEqual(sorted(self.sent()), sorted(expected))
        self.assertIsNone(self.widget.every_k.preview)
        self.select_best(3)
        self.move(90)
        self.process_events(lambda: not self.widget.later.isActive())
        names = {v.name for v in self.out("reduced").domain.attributes}
        self.assertEqual(names, {self.heart.domain.attributes[f].name for f in np.argsort(-expected)[:3]})

    def test_keys(self):
        self.widget.activateWindow()
        QTest.qWaitForWindowActive(self.widget)
        self.bar.slider.setFocus()
        for _ in range(3):
            QTest.keyClick(self.bar.slider, Qt.Key_Right)
        self.process_events(lambda: not self.widget.every_k._later_peek.isActive())
        self.assertTrue(self.bar.busy)
        expected = rank(self.heart, "relieff", n_neighbors=13).scores
        np.testing.assert_allclose(self.scores_shown(), expected, rtol=0, atol=1e-6)
        self.behind()
        self.assertEqual(self.widget.panel.parameters, {"relieff": {"n_neighbors": 13}})
        self.assertEqual(self.scores_shown().tolist(), expected.tolist())

    def test_scores_on_the_way_have_the_sigma_of_the_method(self):
        self.widget.panel.form.change({"n_neighbors": 33, "sigma": 7.77})
        self.behind()
        self.assertEqual(self.bar.k, 33)
        self.move(34)
        expected = rank(self.heart, "relieff", n_neighbors=34, sigma=7.77).scores
        np.testing.assert_allclose(self.scores_shown(), expected, rtol=0, atol=1e-6)
        self.drop()
        self.assertEqual(self.widget.panel.parameters, {"relieff": {"n_neighbors": 34, "sigma": 7.77}})

    def test_typed_numbers_move_the_slider(self):
        self.widget.panel.form.change({"n_neighbors": 1000})
        self.behind()
        self.assertEqual((self.bar.k, self.widget.panel.job("relieff").values["n_neighbors"]), (100, 1000))

    def test_another_method_can_be_highlighted(self):
        self.tick("relieff", "multisurf")
        self.choose("Leading score", "relieff")
        self.behind()
        self.highlight("multisurf")
        self.move(21)
        self.drop()
        self.assertEqual(self.widget.panel.job("relieff").values["n_neighbors"], 21)
        self.assertEqual(self.widget.panel.current, "relieff")

    def test_other_data_while_it_is_held(self):
        self.move(50)
        self.rank_all(self.heart[:120])
        self.assertIsNone(self.widget.every_k.preview)
        expected = rank(self.heart[:120], "relieff").scores
        self.assertEqual(self.scores_shown().tolist(), expected.tolist())
        self.assertEqual((self.bar.k, self.widget.panel.parameters), (10, {}))

    def test_a_failure_or_a_stop_leaves_nothing_behind(self):
        self.move(50)
        self.widget.show_failure(ValueError("no"))
        self.assertIsNone(self.widget.every_k.preview)
        self.assertEqual(self.widget.area.model.columns, [])
        self.assertFalse(self.bar.busy)


class TestBehind(SliderTest):
    def setUp(self):
        pass

    def test_nothing_is_computed_unless_it_is_seen_and_wanted(self):
        with patch.object(everyk.CurvesByK, "find", side_effect=AssertionError) as found:
            self.ready(self.heart, self.make(methods=["relieff"], **QUIET))
            self.widget = self.shown(methods=["relieff"], all_k=False)
            self.rank_all(self.heart)
            self.assertTrue(self.widget.every_k.bar.isVisible())
            self.assertFalse(self.widget.every_k.bar.slider.isEnabled())
            found.assert_not_called()
        QTest.mouseClick(self.bar.box, Qt.LeftButton, pos=self.spot())
        self.behind()
        self.assertTrue(self.widget.every_k.ticked)
        self.assertTrue(self.bar.slider.isEnabled())
        self.assertEqual(self.packed_all_k(), True)
        self.bar.box.click()
        self.assertFalse(self.widget.every_k.ticked)
        self.assertFalse(self.bar.slider.isEnabled())
        every_k = self.widget.every_k
        self.assertIsNone(every_k.record(every_k.job()).result)
        self.assertFalse(self.widget.every_k.chart.has_content)

    def spot(self):
        """A place on the box of a check box."""
        point = self.bar.box.rect().center()
        point.setX(8)
        return point

    def packed_all_k(self):
        return self.widget.settingsHandler.pack_data(self.widget)["every_k"]["ticked"]

    def test_it_waits_for_the_ranking_and_ends_with_the_data(self):
        seen = []

        def find(table, job, state):
            seen.append(self.widget.run_state)
            wait_for_interruption(table, job, state)

        with patch.object(everyk.CurvesByK, "find", staticmethod(find)):
            self.widget = self.shown(methods=["relieff"])
            self.ready(self.heart)
            self.process_events(lambda: seen, timeout=LIMIT)
            self.assertNotIn("running", seen)
            self.assertTrue(self.widget.every_k.busy)
            self.assertIn("%", self.bar.box.text())
            future = self.widget.every_k.task.future
            self.send_signal(self.widget.Inputs.data, None)
            self.assert_stopped(future)
            self.assertFalse(self.widget.every_k.busy)

    def test_a_click_ends_it(self):
        with patch.object(everyk.CurvesByK, "find", staticmethod(wait_for_interruption)):
            self.widget = self.shown(methods=["relieff"])
            self.ready(self.heart)
            future = self.widget.every_k.task.future
            self.bar.box.click()
            self.assert_stopped(future)
            self.assertEqual(self.bar.box.text(), "All &k")

    def test_missing_values_that_are_ignored(self):
        housing = self.housing.copy()
        with housing.unlocked():
            housing.X[3, 4] = np.nan
        self.widget = self.shown(methods=["rrelieff"])
        self.rank_all(housing)
        self.assertFalse(self.bar.slider.isEnabled())
        self.assertEqual(self.bar.box.text(), "All &k: not here")
        self.assertIn("ignores missing values", self.bar.box.toolTip())
        self.assertFalse(self.widget.Error.active)
        self.widget.panel.form.change({"missing": "uniform"})
        self.behind()
        self.assertTrue(self.bar.slider.isEnabled())
        self.move(20)
        expected = rank(housing, "rrelieff", n_neighbors=20, missing="uniform").scores
        np.testing.assert_allclose(self.scores_shown(), expected, rtol=0, atol=1e-6)
        self.drop()

    def test_numbers_with_equal_distances(self):
        housing = self.housing[:80].copy()
        with housing.unlocked():
            housing.X = np.round(housing.X / np.ptp(self.housing.X, axis=0) * 2)
        self.widget = self.shown(methods=["rrelieff"])
        self.rank_all(housing)
        curves = self.widget.every_k.found(base_job(self.widget.every_k.lead_job()))
        self.assertFalse(curves.at_once(20.0))
        self.move(9)
        np.testing.assert_allclose(self.scores_shown(), rank(housing, "rrelieff", n_neighbors=9).scores, atol=1e-12)
        self.drop()
        self.widget.every_k._cost = 1.0  # a position that takes long is not shown on the way
        before = self.scores_shown()
        self.move(30)
        self.assertIs(self.scores_shown(), before)
        self.assertIsNone(self.widget.every_k.preview)
        self.drop()
        expected = rank(housing, "rrelieff", n_neighbors=30).scores
        self.assertEqual(self.scores_shown().tolist(), expected.tolist())

    def test_an_answer_that_nobody_waits_for(self):
        class State:
            def is_interruption_requested(self):
                return True

        with self.assertRaises(Interrupted):
            read(None, CurveRequest((0,), 1, None), State())

    def test_scores_of_orange_have_none(self):
        self.widget = self.shown(methods=["relieff"])
        self.rank_all(self.heart)
        self.assertIsNone(base_job(None))
        self.assertIsNotNone(base_job(self.widget.panel.job("relieff")))
        self.assertIsNone(base_job(self.widget.panel.job("multisurf")))
        job = self.widget.panel.job("relieff")
        other = job.of("relieff", job.values | {"n_neighbors": 3, "sigma": 2.0})
        self.assertEqual(base_job(job), base_job(other))
        scorer = self.widget.panel.scorers.methods
        self.assertTrue(scorer)
        self.assertIsNone(base_job(self.widget.panel.job(next(iter(scorer)))))


class TestCurves(SliderTest):
    def setUp(self):
        super().setUp()
        self.chart = self.widget.every_k.chart

    def show_view(self):
        tabs = self.widget.area.views.tabs
        tabs.setCurrentIndex(list(self.widget.area.views.pages).index("neighbours"))
        return self.widget.area.views.stack.currentWidget()

    def test_the_view_is_offered_and_remembered(self):
        self.assertTrue(self.chart.has_content)
        self.assertIs(self.show_view(), self.chart)
        self.assertEqual(self.widget.area.view, "neighbours")
        self.assertIs(self.widget.area.figure, self.chart)
        self.tick("multisurf")
        self.behind()
        self.assertFalse(self.chart.has_content)
        self.assertIsNot(self.widget.area.views.stack.currentWidget(), self.chart)

    def test_curves_are_those_of_the_selected_features(self):
        reading, lead = self.widget.every_k.reader.reading, self.leading
        self.assertEqual(reading.request, CurveRequest(tuple(int(f) for f in lead.order[:SHOWN]), 10, None))
        np.testing.assert_allclose(reading.curve[9], lead.values[lead.order[:SHOWN]], rtol=0, atol=1e-6)
        low, high = reading.band
        self.assertTrue((low < high).all())
        self.assertIn("4 more selected", [entry.text for entry in self.chart.chart.above.entries])
        self.select_best(2)
        self.behind()
        best = [self.widget.area.model.names[f] for f in lead.order[:2]]
        self.assertEqual([entry.text for entry in self.chart.chart.above.entries][:2], best)
        self.assertIn(f"{best[0]}: ", self.chart.accessibleDescription())
        self.assertIn("at k = 100", self.chart.accessibleDescription())
        self.widget.selection.buttons[NONE].click()
        self.behind()
        self.assertEqual(len(self.widget.every_k.reader.reading.request.features), 5)

    def test_the_line_is_a_slider(self):
        self.show_view()
        self.assertEqual(self.chart.line.value(), 10)
        self.move(44)
        self.assertEqual(self.chart.line.value(), 44)
        self.bar.slider.setValue(10)
        self.drop()
        self.chart.line.setValue(17.2)
        self.chart.line.sigDragged.emit(self.chart.line)
        self.assertEqual(self.bar.k, 17)
        self.chart.line.sigPositionChangeFinished.emit(self.chart.line)
        self.behind()
        self.assertEqual(self.widget.panel.parameters, {"relieff": {"n_neighbors": 17}})

    def test_note_where_the_ranking_depends_on_k(self):
        curves = self.widget.every_k.found(base_job(self.widget.every_k.lead_job()))
        self.assertEqual(bool(self.bar.note.text()), curves.depends_on_k(10, None))
        self.assertTrue(self.bar.note.text())
        for words in ("With 5 and with 20 neighbours", f"{curves.agreement(10, None):.2f}"):
            self.assertIn(words, self.bar.note.toolTip())
        self.bar.set_note(0.95, 10, 100)
        self.assertEqual((self.bar.note.text(), self.bar.note.toolTip()), ("", ""))
        self.bar.set_note(float("nan"), 10, 100)
        self.assertEqual(self.bar.note.text(), "")

    @pytest.mark.slow  # kernels of ramps are compiled
    def test_no_band_with_a_ramp(self):
        self.widget.panel.form.change({"ramp": True})
        self.behind()
        self.assertIsNone(self.widget.every_k.reader.reading.band)
        self.assertTrue(self.chart.has_content)
        self.assertFalse([entry for entry in self.chart.chart.above.entries if "chance" in entry.text])

    def test_with_few_rows_the_line_and_the_slider_have_one_k(self):
        data = base.random_table(14, 5)
        with data.unlocked():
            data.Y = np.arange(14) % 2
        self.rank_all(data)
        self.assertEqual(self.bar.number.text(), "k = 7")
        self.assertIn(
            "ReliefF: k = 7 instead of 10 (all rows of a class), 14 rows", self.widget.area.strip.label.text()
        )
        ranked = self.scores_shown()
        self.move(6)
        self.assertFalse(np.allclose(self.scores_shown(), ranked))
        self.move(7)
        np.testing.assert_allclose(self.scores_shown(), ranked, rtol=0, atol=1e-6)

    def test_many_features(self):
        self.rank_all(base.random_table(40, 3000))
        classes = np.bincount(self.widget.problem.table.Y.astype(int))
        self.assertEqual(self.bar.slider.maximum(), classes.max())
        self.move(5)
        shown = self.scores_shown()
        self.assertEqual(len(shown), 3000)
        self.drop()
        np.testing.assert_allclose(shown, self.scores_shown(), rtol=0, atol=1e-6)


class TestParts(base.RankerTest):
    def setUp(self):
        pass

    def test_ticks(self):
        self.assertEqual(ticks(5), [1, 2, 3, 4, 5])
        self.assertEqual(ticks(100), [1, *range(10, 101, 10)])
        self.assertEqual(ticks(23), [1, 5, 10, 15, 20])

    def test_chart_on_light_and_dark(self):
        rng = np.random.default_rng(0)
        curve = rng.random((20, 3))
        chart = NeighbourChart()
        for palette in (chart.palette(), base.dark_palette()):
            chart.setPalette(palette)
            for band in (None, (curve - 0.1, curve + 0.1)):
                chart.show_reading(
                    CurveResult(CurveRequest((0, 1, 2), 3, None), curve, band, 1.0), ("a", "b", "c"), "ReliefF"
                )
                kinds = [type(item).__name__ for item in chart.chart.items]
                self.assertEqual(kinds.count("FillBetweenItem"), 0 if band is None else 3)
                self.assertEqual(kinds.count("PlotDataItem"), 3)
        chart.show_reading(None, (), "")
        self.assertFalse(chart.has_content)
        self.assertEqual(chart.accessibleDescription(), "")
        self.assertEqual(len(chart.chart.items), 0)

    def test_keys_go_along_the_curves(self):
        curve = np.random.default_rng(0).random((20, 3))
        chart, chosen = NeighbourChart(), []
        chart.k_chosen.connect(chosen.append)
        chart.show_reading(CurveResult(CurveRequest((0, 1, 2), 3, None), curve, None, 1.0), ("a", "b", "c"), "ReliefF")
        for key in (Qt.Key_Right, Qt.Key_Right, Qt.Key_Down):
            QTest.keyClick(chart, key)
        self.assertEqual(chart.accessibleDescription(), f"b: {curve[1, 1]:.3g} at k = 2")
        self.assertEqual(chart.callout.label.toPlainText(), chart.accessibleDescription())
        QTest.keyClick(chart, Qt.Key_Space)
        self.assertEqual(chosen, [2])

    def test_chart_with_a_long_legend_gets_narrow(self):
        chart, names = NeighbourChart(), tuple(f"a feature with a long name {i}" for i in range(5))
        chart.resize(1000, 300)
        chart.show()
        QApplication.processEvents()
        chart.show_reading(
            CurveResult(CurveRequest(tuple(range(5)), 3, None), np.ones((20, 5)), None, 1.0), names, "ReliefF"
        )
        for width in (1000, 400, 900, 350):
            chart.resize(width, 300)
            QApplication.processEvents()
            self.assertLessEqual(chart.chart.size().width(), width)
        chart.hide()

    def test_other_rankers_have_no_sliders(self):
        from orangecontrib.reliefe.widgets.owurelief import OWURelief

        self.assertFalse(hasattr(OWURelief, "every_k"))
        self.assertTrue(hasattr(OWReliefE, "every_k"))
