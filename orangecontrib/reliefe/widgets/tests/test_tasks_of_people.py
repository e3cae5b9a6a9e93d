"""Main tasks of people in shown windows, with mouse and keyboard (pytest-qt): open, rank, test, adjust, compare.

Each test waits for what a person would see, however long it takes, and never for a time.
"""

from unittest.mock import patch

import numpy as np
import pytest
from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QCheckBox, QFileDialog, QRadioButton, QStyle, QStyleOptionButton
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.reliefe.widgets.owopendata import OWOpenData
from orangecontrib.reliefe.widgets.owrankingcomparison import OWRankingComparison
from orangecontrib.reliefe.widgets.tests import base

WAIT = 120_000  # ms: kernels may have to be compiled, and other work may have the processor


def with_cause(n=80, p=5, seed=0):
    """Features of which the first decides on the class, and a covariate `age`."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    names = ["cause", *(f"useless {j}" for j in range(1, p)), "age"]
    domain = Domain([ContinuousVariable(name) for name in names], DiscreteVariable("ill", ("no", "yes")))
    return Table.from_numpy(domain, np.column_stack([X, rng.integers(20, 80, n)]), (X[:, 0] > 0).astype(float))


def with_times(n=80, p=5, seed=0):
    """Features of which the first shortens the time until death; the time is among the features, unmarked."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    days = np.round(np.exp(3 - X[:, 0] + 0.3 * rng.normal(size=n)), 1)
    names = ["cause", *(f"useless {j}" for j in range(1, p)), "days"]
    domain = Domain([ContinuousVariable(name) for name in names], DiscreteVariable("status", ("alive", "dead")))
    return Table.from_numpy(domain, np.column_stack([X, days]), rng.integers(0, 2, n).astype(float))


class TestTasks(base.RankerTest):
    usual = {"methods": ["multisurf"]}

    @pytest.fixture(autouse=True)
    def _take(self, qtbot, tmp_path):
        self.bot = qtbot
        self.folder = tmp_path

    def opened(self, widget):
        """Show a window as a person opens it."""
        widget.show()
        self.bot.waitExposed(widget)
        return widget

    def until(self, condition):
        self.bot.waitUntil(condition, timeout=WAIT)

    def click(self, name, widget):
        """Click a control where a person does: in the box itself if it is one."""
        part = self.control(name, widget)
        place = part.rect().center()
        if isinstance(part, QCheckBox | QRadioButton):
            option = QStyleOptionButton()
            part.initStyleOption(option)
            box = QStyle.SE_CheckBoxIndicator if isinstance(part, QCheckBox) else QStyle.SE_RadioButtonIndicator
            place = part.style().subElementRect(box, option, part).center()
        self.bot.mouseClick(part, Qt.LeftButton, pos=place)

    def sent(self, name, widget):
        """Return an output as it is now; None while another one is to come."""
        return None if widget.isInvalidated() else self.out(name, widget)

    def ranked(self, widget):
        """True once scores have been sent of a ranking that is finished."""
        return self.sent("scores", widget) is not None

    def of_scores(self, widget):
        """Columns of the output Scores by name, of the features by name."""
        scores = self.sent("scores", widget)
        names = [str(name) for name in scores.get_column("Feature")]
        columns = (*scores.domain.attributes, *scores.domain.metas)
        return {v.name: dict(zip(names, scores.get_column(v), strict=True)) for v in columns}

    def test_open_a_file_and_rank_it(self):
        rows = "".join(f"{i % 7};{i};{'yes' if i > 30 else 'no'}\n" for i in range(60))
        path = self.folder / "ours.csv"
        path.write_text("noise;signal;ill\n" + rows, encoding="utf-8")
        data_window = self.opened(self.create_widget(OWOpenData))
        with patch.object(QFileDialog, "getOpenFileName", return_value=(str(path), "")):
            self.click("Open\u2026", data_window)
        target = self.control("Target", data_window)
        self.until(lambda: target.findText("ill") >= 0)
        target.setFocus()
        self.bot.keyClicks(target, "i")

        def has_target():
            table = self.sent("data", data_window)
            return table is not None and table.domain.class_var is not None and table.domain.class_var.name == "ill"

        self.until(has_target)
        ranker = self.opened(self.make())
        self.send_signal(ranker.Inputs.data, self.sent("data", data_window), widget=ranker)
        self.until(lambda: self.ranked(ranker))
        scores = self.of_scores(ranker)["MultiSURF"]
        self.assertGreater(scores["signal"], scores["noise"])

    def test_tick_p_values_and_select_the_discoveries(self):
        window = self.opened(self.make())
        self.send_signal(window.Inputs.data, with_cause(), widget=window)
        self.until(lambda: self.ranked(window))
        with self.bot.waitSignal(window.tests.changed, timeout=WAIT):
            self.click("p-values", window)
        self.until(lambda: self.ranked(window) and "q" in self.of_scores(window) and not window.tests.busy)
        self.click("All at FDR", window)
        q = self.of_scores(window)["q"]
        discoveries = [name for name, value in q.items() if value <= 0.1]
        self.assertIn("cause", discoveries)

        def selected():
            return [variable.name for variable in self.sent("features", window) or ()]

        self.until(lambda: selected() == discoveries)

    def test_adjust_for_a_covariate(self):
        window = self.opened(self.make())
        self.send_signal(window.Inputs.data, with_cause(), widget=window)
        self.until(lambda: self.ranked(window))
        self.click("Study", window)
        names = window.study.columns
        self.bot.keyClicks(names.filter, "age")
        (item,) = [each for each in map(names.list.item, range(names.list.count())) if not each.isHidden()]
        self.assertEqual(item.text(), "age")
        names.list.scrollToItem(item)
        self.bot.mouseClick(names.list.viewport(), Qt.LeftButton, pos=names.list.visualItemRect(item).center())
        self.bot.keyClick(names.list, Qt.Key_Space)
        self.until(lambda: self.ranked(window) and "age" not in self.of_scores(window)["MultiSURF"])
        self.assertEqual(window.lead_job().covariates, ("age",))
        self.until(lambda: "adjusted for age" in self.seen(window))

    def test_rank_for_times_until_an_event(self):
        window = self.opened(self.make())
        self.send_signal(window.Inputs.data, with_times(), widget=window)
        self.until(lambda: self.ranked(window))
        self.until(lambda: window.columns.hint.isVisible())
        self.assertIn("look like a time and its event", window.columns.hint.text())
        link = window.columns.hint
        link.setFocus()
        self.bot.keyClick(link, Qt.Key_Tab)  # to the link within the sentence
        self.bot.keyClick(link, Qt.Key_Return)
        self.until(lambda: (window.columns.time_column, window.columns.event_column) == ("days", "status"))
        self.until(lambda: self.ranked(window) and window.problem.task == "survival")
        scores = self.of_scores(window)
        (lead,) = [name for name in scores if name == window.area.lead.title]
        self.assertEqual(max(scores[lead], key=scores[lead].get), "cause")

    def test_compare_two_rankings(self):
        ranker = self.opened(self.make())
        self.send_signal(ranker.Inputs.data, with_cause(), widget=ranker)
        self.until(lambda: self.ranked(ranker))
        self.click("All that matter", ranker)
        self.until(lambda: self.ranked(ranker) and len(self.sent("scores", ranker).domain.attributes) > 1)
        titles = [variable.name for variable in self.sent("scores", ranker).domain.attributes]
        window = self.opened(self.create_widget(OWRankingComparison))
        window.insert_scores(0, self.sent("scores", ranker))
        window.handleNewSignals()

        def compared():
            return [] if window.comparison is None else [*window.comparison.titles]

        self.until(lambda: compared() == titles and self.sent("aggregated", window) is not None)
        self.assertEqual(len(self.sent("aggregated", window)), 6)
        rankings = window.list
        rankings.setFocus()
        rankings.setCurrentRow(0)
        self.bot.keyClick(rankings, Qt.Key_Space)
        self.until(lambda: compared() == titles[1:])
        tabs = window.area.tabs
        number = next(number for number in range(tabs.count()) if tabs.tabText(number).endswith("Ranks"))
        self.bot.mouseClick(tabs, Qt.LeftButton, pos=tabs.tabRect(number).center())
        self.assertTrue(window.area.views[number].isVisible())
