"""Stop of boosting, and convergence of the rounds of a learned space: what is seen of a ranking's info."""

import unittest
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
from AnyQt.QtGui import QColor
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe import rank
from orangecontrib.reliefe.core import METHODS
from orangecontrib.reliefe.orange.jobs.job import Job
from orangecontrib.reliefe.orange.jobs.result import Result
from orangecontrib.reliefe.orange.ranker.listed_methods import NAMES
from orangecontrib.reliefe.orange.ranker.scores import MethodScores
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.ranker.columns import curve
from orangecontrib.reliefe.widgets.ranker.form import ParameterForm
from orangecontrib.reliefe.widgets.ranker.plot import ScorePlot, marks
from orangecontrib.reliefe.widgets.ranker.selection import SelectionBox
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.widgettest import owner_of
from orangecontrib.reliefe.widgets.utils.sparkline import Sparkline

SCORES = MethodScores("b", np.linspace(1, 0, 20), "Boosted", stop=6, null=0.3)


class TestNames(GuiTest):
    def test_ours_have_short_names_and_all_else_of_their_methods(self):
        listed = {method.name: method for method in OWReliefE.offered(None)}
        self.assertLessEqual({*NAMES}, {*listed})
        for name, (title, about) in NAMES.items():
            method = listed[name]
            self.assertEqual((method.title, method.about), (title, about))
            self.assertEqual((method.tasks, method.parameters), (METHODS[name].tasks, METHODS[name].parameters))
            self.assertEqual(method.idea, METHODS[name].idea)
        self.assertEqual(listed["relieff"].title, METHODS["relieff"].title)


class TestForm(GuiTest):
    def test_the_global_part_is_offered_where_there_is_one_and_steps_have_a_name(self):
        form, method = ParameterForm(), METHODS["boostedrelief"]
        for task, offered in (("classification", True), ("regression", True), ("multi-label", False), (None, True)):
            form.set_method(method, {p.name: p.default for p in method.parameters}, task)
            self.assertEqual("global_part" in form.editors, offered)
        step, values = form.editors["eta"], []
        form.changed.connect(values.append)
        step.setCurrentIndex(step.findText("prediction-first"))
        step.activated.emit(step.currentIndex())
        self.assertEqual(values[-1]["eta"], "prediction-first")


class TestSuggestion(GuiTest):
    def box(self, scores):
        box = SelectionBox(owner_of(SelectionBox))
        box.set_size(len(scores.values))
        box.set_scores([scores], 0)
        return box

    def test_a_click_takes_as_many(self):
        box = self.box(SCORES)
        self.assertIn("best 6</a> (where boosting stops)", box.hint.text())
        self.assertIn("14 above the null level", box.hint.text())
        self.assertIn("Stability", box.hint.toolTip())
        box.hint.linkActivated.emit("6")
        self.assertEqual((box.mode, box.n_best), ("best", 6))

    def test_nothing_above_chance(self):
        hint = self.box(replace(SCORES, stop=0, null=None)).hint
        self.assertEqual(hint.text(), "Boosting stops before the first feature")

    def test_it_takes_the_place_of_the_largest_drop(self):
        values = np.array([9.0, 8.8, 8.6, 1.0, 0.9, 0.8])
        self.assertIn("largest drop", self.box(MethodScores("s", values, "S")).hint.text())
        self.assertNotIn("largest drop", self.box(MethodScores("s", values, "S", stop=2)).hint.text())

    def test_partial_scores_suggest_nothing(self):
        self.assertTrue(self.box(replace(SCORES, partial=True)).hint.isHidden())


class TestPlot(GuiTest):
    def lines(self, scores, log=False):
        plot = ScorePlot(log)
        plot.resize(600, 300)
        plot.set_data([scores], 0, [f"x{i}" for i in range(len(scores.values))])
        plot.grab()
        found = [item for item in plot.chart.items if getattr(item, "label", None) is not None]
        return {line.label.format: line for line in found}

    def test_a_line_between_the_ranks(self):
        line = self.lines(SCORES)["boosting stops"]
        self.assertEqual((line.value(), line.angle), (6.5, 90))
        self.assertAlmostEqual(self.lines(SCORES, log=True)["boosting stops"].value(), np.log10(6.5))
        self.assertEqual(len(self.lines(SCORES)), 2)

    def test_none_without_a_stop(self):
        for stop in (None, 0):
            self.assertNotIn("boosting stops", self.lines(replace(SCORES, stop=stop)))

    def test_small_plots_do_not_name_lines(self):
        plot = ScorePlot()
        plot.resize(600, 300)
        plot.set_data([SCORES], 0, [f"x{i}" for i in range(len(SCORES.values))])
        for size, named in (((250, 150), False), ((600, 300), True)):
            plot.resize(*size)
            plot.grab()
            labels = [item.label for item in plot.chart.items if getattr(item, "label", None) is not None]
            self.assertEqual([label.isVisible() for label in labels], [named] * 2)

    def test_names_keep_inside(self):
        for stop, side in ((1, 0), (20, 1), (50, 1)):
            line = marks(replace(SCORES, null=None, stop=stop), float)[0]
            self.assertEqual(line.anchor[0], side)
            self.assertLessEqual(line.value, 20.5)


class TestRounds(base.RankerTest):
    def test_rounds_come_before_rows(self):
        job = Job.of("learnedrelief", {})
        rounds = [
            {"change": change, "heavy": 2, "compared": 20, "overlap": overlap}
            for change, overlap in ((0.5, 0.4), (0.02, 1))
        ]
        info = {"instances": 5, "final": True, "rounds": rounds}
        result = Result().with_ranking(job, SimpleNamespace(info=info))
        points, lines = curve(result, job)
        self.assertEqual(points, [[1, 0.75], [2, 0.99]])
        self.assertEqual(lines[2], "Round 2: 99 % of the weight stays, 100 % of the 20 best")
        result = Result().with_ranking(job, SimpleNamespace(info=info | {"rounds": [], "convergence": [[256, 0.9]]}))
        self.assertEqual(curve(result, job), ([[256, 0.9]], []))

    def test_the_sparkline_says_what_it_shows(self):
        line = Sparkline()
        line.set_points([[1, 0.75], [2, 0.99]], QColor("red"), ["Weights", "Round 1", "Round 2"])
        self.assertEqual(line.toolTip(), "Weights; dotted: 95 %\nRound 1\nRound 2")
        line.set_points([[256, 0.9]])
        self.assertIn("256 rows: 90 %", line.toolTip())
        line.grab()

    def test_a_learned_space_shows_its_rounds(self):
        widget = self.make(methods=["boostedlearnedrelief"])
        self.ready(self.heart, widget)
        self.assertFalse(widget.Error.active)
        self.assertEqual(len(widget.area.sparkline.points), 4)
        self.assertFalse(widget.area.sparkline.isHidden())
        stopped = rank(self.heart, "boostedlearnedrelief").info["stopped"]
        self.assertEqual(widget.area.lead.stop, stopped)
        widget.selection.hint.linkActivated.emit(str(stopped))
        self.settle(widget)
        self.assertEqual(len(self.out("features", widget)), stopped)
        self.assertGreater(stopped, 0)
        widget.send_report()
        self.assertIn(f"after {stopped} features", widget.report_html)


if __name__ == "__main__":
    unittest.main()
