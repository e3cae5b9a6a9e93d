"""Choices by a person's question, and all methods: ticks, the highlight, and that all fits small screens."""

import unittest

import numpy as np
from AnyQt.QtCore import QPoint, Qt
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QScrollArea
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table

from orangecontrib.reliefe import rank
from orangecontrib.reliefe.core import METHODS
from orangecontrib.reliefe.core.methods.choice import ADVICE, Facts, why_usual
from orangecontrib.reliefe.orange.ranker.method_choice import PRESETS, QUESTIONS, methods_of
from orangecontrib.reliefe.widgets.owgenotypes import OWRankGenotypes
from orangecontrib.reliefe.widgets.owinteractions import OWFeatureInteractions
from orangecontrib.reliefe.widgets.owintrinsicdimension import OWIntrinsicDimension
from orangecontrib.reliefe.widgets.owrankingcomparison import OWRankingComparison
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.owsparsify import OWSparsify
from orangecontrib.reliefe.widgets.ranker.view import TITLE_EXTRA_WIDTH
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.base import FIRST_SCORE
from orangecontrib.reliefe.widgets.utils.controls import START, START_SHARE

PCA = {"reliefe": {"embedding": "pca"}}
NEW = {"preset": "quick", "parameters": PCA}


class TestRule(unittest.TestCase):
    def test_every_preset_has_methods_that_fit(self):
        offered = {m.name: m for m in METHODS.values() if m.name not in ("sslrelief", "pct", "urelief")}
        for task in ("classification", "regression", "multi-target", "multi-label", "hierarchical"):
            for rows in (100, 20_000):
                for preset in PRESETS:
                    names = methods_of(preset, offered, Facts(task, rows))
                    self.assertTrue(names, (task, rows, preset))
                    self.assertTrue(all(task in METHODS[name].tasks for name in names))
                    self.assertFalse(rows == 20_000 and "multisurf" in names)

    def test_quick_is_the_automatic_method_and_reliefe(self):
        needs = why_usual(p_values=True)
        self.assertEqual(methods_of("quick", METHODS, Facts()), ["boostedrelief", "reliefe"])
        self.assertEqual(methods_of("quick", METHODS, Facts(), needs), ["multisurf", "reliefe"])
        self.assertEqual(methods_of("quick", METHODS, Facts(has_missing=True), needs), ["relieff", "reliefe"])
        self.assertEqual(methods_of("quick", METHODS, Facts("regression")), ["boostedlearnedrelief"])
        self.assertEqual(methods_of("quick", METHODS, Facts("regression"), needs), ["rrelieff"])
        self.assertEqual(methods_of("quick", METHODS, Facts("multi-label")), ["residualrelief", "reliefe"])
        self.assertEqual(methods_of("quick", METHODS, Facts("multi-label", has_partial_labels=True))[0], "rrelieff")

    def test_the_answer_of_the_table_comes_first(self):
        for preset, question in QUESTIONS.items():
            for task, kind in (("classification", "classes"), ("regression", "a number")):
                answer = ADVICE[question][kind][0]
                self.assertEqual(methods_of(preset, METHODS, Facts(task, 100))[0], answer)


class TestQuick(base.RankerTest):
    """*Quick* leads by the method that `rank` takes for the same table and the same wishes."""

    usual = NEW

    def lead(self, data, **settings):
        widget = self.ready(data, self.make(**settings))
        return widget.area.lead.name

    def test_it_is_the_method_of_scripts(self):
        rng = np.random.default_rng(0)
        wide = base.random_table(30, 40)
        few = self.heart[::3].copy()
        with few.unlocked():
            few.Y[rng.random(len(few)) < 0.7] = np.nan
        targets = self.housing[::4].transform(
            Domain(self.housing.domain.attributes[:-1], self.housing.domain.variables[-2:])
        )
        for data in (self.heart[::3], self.housing[::4], Table("iris")[::3], wide, few, targets):
            self.assertEqual(self.lead(data), rank(data).method)
        widget = self.ready(few, self.make())
        self.assertFalse(widget.Information.few_labels.is_shown())  # which offers SSL-Relief: it leads already

    def test_p_values_change_it(self):
        data = self.heart[::4]
        self.assertEqual(self.lead(data, p_values=True), rank(data, significance=2).method)
        widget = self.ready(data, self.make())
        scripts = rank(data).info["auto"]
        self.assertEqual(widget.panel.presets.ticked.text(), scripts)
        self.assertIn("ReliefE", widget.panel.presets.ticked.toolTip())  # computed beside it
        for expected in ("relieff", "boostedrelief"):  # a click, and another one
            self.choose("p-values", widget=widget)
            self.settle(widget)
            self.assertEqual((widget.area.lead.name, widget.panel.preset), (expected, "quick"))
            wishes = {"significance": 2} if widget.tests.ticked else {}
            self.assertIn(rank(data, **wishes).info["auto"], widget.panel.presets.ticked.text())

    def test_weights_of_rows_change_it(self):
        data = self.heart[::4].copy()
        with data.unlocked():
            data.set_weights(2)
        self.assertEqual(self.lead(data), rank(data).method)

    def test_groups_and_covariates_change_it(self):
        n = 40
        rng = np.random.default_rng(0)
        metas = [ContinuousVariable("age"), StringVariable("person")]
        domain = Domain([ContinuousVariable(f"x{i}") for i in range(4)], DiscreteVariable("ill", ("no", "yes")), metas)
        of_people = np.array([rng.integers(20, 70, n), [f"p{i // 2}" for i in range(n)]], dtype=object).T
        data = Table.from_numpy(domain, rng.normal(size=(n, 4)), np.arange(n) // 2 % 2, of_people)
        self.assertEqual(self.lead(data), rank(data).method)
        self.assertEqual(self.lead(data, group="person"), rank(data, groups="person").method)
        self.assertEqual(self.lead(data, covariates=["age"]), rank(data, covariates=["age"]).method)

    def test_visits_have_the_order_of_scripts(self):
        """Two features matter in a table of visits, and lead in both."""
        rng = np.random.default_rng(0)
        n, p = 80, 12
        X = rng.normal(size=(n // 4, p)).repeat(4, axis=0) + 0.5 * rng.normal(size=(n, p))
        domain = Domain(
            [ContinuousVariable(f"lab {j}") for j in range(p)],
            DiscreteVariable("ill", ("no", "yes")),
            [StringVariable("person")],
        )
        of_people = np.array([[f"p{i // 4}"] for i in range(n)], dtype=object)
        data = Table.from_numpy(domain, X, (X[:, 3] + X[:, 7] > 0).astype(float), of_people)
        widget = self.ready(data, self.make())
        shown = [widget.area.model.names[f] for f in np.argsort(widget.area.lead.ranks)]
        expected = rank(data)
        self.assertEqual(shown, [v.name for v in expected.best(p)])
        self.assertEqual({*shown[:2]}, {"lab 3", "lab 7"})
        self.assertIn(expected.info["auto"], widget.panel.presets.ticked.text())


class TestPresets(base.RankerTest):
    usual = NEW

    @property
    def panel(self):
        return self.widget.panel

    def click(self, preset):
        button = self.panel.presets.buttons[preset]
        QTest.mouseClick(button, Qt.LeftButton, Qt.NoModifier, QPoint(8, button.height() // 2))

    def checked(self, widget=None):
        buttons = (widget or self.widget).panel.presets.buttons
        return [name for name, button in buttons.items() if button.isChecked()]

    def test_clicks_rank_by_what_fits(self):
        self.ready(self.heart[::4])
        self.assertEqual(self.checked(), ["quick"])
        self.assertEqual([s.name for s in self.widget.area.model.columns], ["reliefe", "boostedrelief"])
        self.assertEqual(self.leading.name, "boostedrelief")
        self.click("interactions")
        self.settle()
        self.assertEqual([s.name for s in self.widget.area.model.columns], ["multisurf", "boostedlearnedrelief"])
        self.assertEqual(self.leading.name, "boostedlearnedrelief")
        self.assertEqual(self.widget.panel.preset, "interactions")
        self.click("thorough")
        self.settle()
        self.assertEqual(self.panel.active(), ["relieff", "multisurf", "learnedrelief"])
        self.ready(self.housing[::8])
        self.assertEqual(self.panel.active(), ["rrelieff", "multisurf", "residualrelief"])
        self.assertEqual(len(self.out("scores").domain.attributes), 3)

    def test_own_ticks_are_no_preset(self):
        self.ready(self.heart[::4])
        self.panel.presets.fold.click()
        self.assertTrue(self.panel.list.isVisibleTo(self.widget))
        self.tick("surf")
        self.settle()
        self.assertEqual((self.checked(), self.widget.panel.preset), ([], ""))
        self.assertEqual(self.panel.presets.ticked.text(), "your choice: SURF")
        self.click("quick")
        self.assertEqual((self.checked(), self.panel.active()), (["quick"], ["reliefe", "boostedrelief"]))

    def test_what_is_stored_comes_back(self):
        self.ready(self.heart[::4])
        self.click("interactions")
        stored = self.widget.settingsHandler.pack_data(self.widget)
        again = self.ready(self.housing[::8], self.create_widget(OWReliefE, stored_settings=stored))
        self.assertEqual(
            (self.checked(again), again.panel.active()), (["interactions"], ["rrelieff", "boostedlearnedrelief"])
        )

    def test_methods_that_fit_come_first(self):
        self.ready(self.housing[::8])
        tasks = ["regression" in method.tasks for method in self.panel.list.methods]
        self.assertEqual(tasks, sorted(tasks, reverse=True))
        shown = [item.text() for item in self.panel.list.by_name.values()]
        self.assertEqual(shown, [method.title for method in self.panel.list.methods])

    def test_families_are_folded(self):
        """A click on a header shows its methods; what is ticked, highlighted or recommended is always seen, whole."""
        self.ready(self.heart[::4])
        methods, items = self.panel.list, self.panel.list.by_name.values()

        def seen():
            return [item.text() for item in items if not item.isHidden()]

        header = next(item for item in map(methods.item, range(methods.count())) if "Re-weighting" in item.text())
        self.assertEqual(seen(), ["ReliefE", "ReliefF", "Boosted"])
        bold = {item.text(): item.toolTip() for item in items if item.font().bold()}
        self.assertEqual([*bold], ["ReliefF", "Boosted"])
        self.assertIn("(recommended for these data)", bold["Boosted"])
        titles = [methods.item(row).text() for row in range(methods.count())]
        self.assertIn("\u25b8 Relief family: 19 relatives", titles)
        self.assertEqual(header.text(), "\u25b8 Re-weighting: 5 methods")
        self.assertEqual(titles[-3:], ["\u25b8 Not for these data: 2 methods", "RReliefF", "Cox Score Test"])
        self.panel.list.setVisible(True)
        QTest.mouseClick(methods.viewport(), Qt.LeftButton, pos=methods.visualItemRect(header).center())
        self.assertIn("I-RELIEF", seen())
        self.assertEqual(header.text(), "\u25be Re-weighting")
        QTest.keyClick(methods, Qt.Key_Left)
        self.assertNotIn("I-RELIEF", seen())
        methods.tick(["irelief"])
        self.assertIn("I-RELIEF", seen())
        self.assertEqual(methods.ticked(), ["irelief"])
        methods.by_name["irelief"].setCheckState(Qt.Unchecked)  # perhaps by mistake
        self.highlight("relieff")
        self.assertIn("I-RELIEF", seen())
        self.ready(self.housing[::8])
        self.assertEqual({item.text() for item in items if item.font().bold()}, {"RReliefF", "Learned + boosted"})

    def test_the_highlighted_method_runs(self):
        widget = self.make(current="reliefe", all_methods=True)
        self.ready(self.heart[::4], widget)
        self.assertEqual(widget.panel.current, "reliefe")
        self.ready(self.housing[::8], widget)
        self.assertEqual(widget.panel.current, "boostedlearnedrelief")
        self.assertTrue(widget.panel.form.isEnabled())
        self.assertIn("Learned + boosted", widget.panel.box.title())

    def test_parameters_are_of_the_leading_method_while_the_list_is_folded(self):
        widget = self.make(current="reliefe")
        self.ready(self.heart[::4], widget)
        lead = widget.area.lead
        self.assertEqual(widget.panel.current, lead.name)
        self.assertIn(lead.title, widget.panel.box.title())

    def test_unticking_moves_the_highlight_to_what_runs(self):
        self.ready(self.heart[::4])
        self.tick("surf", "relieff")
        self.highlight("surf")
        self.tick("relieff")
        self.assertEqual(self.panel.current, "relieff")

    def test_parameters_of_what_does_not_run_are_disabled(self):
        self.ready(self.heart[::4])
        self.highlight("swrfstar")
        self.assertFalse(self.panel.form.isEnabled())
        self.assertIn("not ticked", self.panel.box.title())
        self.panel.list.currentItem().setCheckState(Qt.Checked)
        self.assertTrue(self.panel.form.isEnabled())
        self.assertNotIn("not ticked", self.panel.box.title())


class TestSizes(base.RankerTest):
    usual = NEW

    def test_start(self):
        room = self.widget.screen().availableSize() * START_SHARE
        for kind in (OWRankGenotypes, OWFeatureInteractions, OWRankingComparison, OWSparsify, OWIntrinsicDimension):
            self.assertEqual(self.create_widget(kind).size(), START.boundedTo(room), kind)
        self.assertEqual(self.widget.size(), START.boundedTo(room))

    def test_what_decides_is_in_sight(self):
        widget = self.ready(self.heart)
        widget.show()
        for width, height in ((680, 480), (853, 480), (1280, 720)):
            widget.resize(width, height)
            self.process_events()
            self.assertEqual((widget.width(), widget.height()), (width, height))
            scrolled = next(a for a in widget.findChildren(QScrollArea) if a.isAncestorOf(widget.panel))
            sight = scrolled.viewport().rect()
            for part in (*widget.panel.presets.buttons.values(), widget.panel.presets.fold,
                         *widget.selection.buttons.values(), widget.selection.leading):  # fmt: skip
                if part.isHidden():  # the selection by p-values, which are off
                    continue
                corner = part.mapTo(scrolled.viewport(), part.rect().bottomRight())
                self.assertTrue(sight.contains(corner), (width, part))
            table = widget.area.table
            column = FIRST_SCORE + widget.area.model.leading
            right = table.columnViewportPosition(column) + table.columnWidth(column)
            self.assertLessEqual(right, table.viewport().width())
            self.assertEqual(table.horizontalHeader().visualIndex(column), FIRST_SCORE)

    def test_selection_comes_before_parameters(self):
        panel, selection = self.widget.panel, self.widget.selection
        self.widget.resize(800, 600)
        self.widget.grab()
        top = selection.mapTo(self.widget, selection.rect().topLeft()).y()
        self.assertLess(top, panel.box.mapTo(self.widget, panel.box.rect().topLeft()).y())

    def test_narrow_titles_can_be_spread_out(self):
        self.tick("surf", "surfstar", "multisurf", "multisurfstar", "relieff", "learnedrelief", "boostedlearnedrelief")
        widget = self.ready(self.heart[::4])
        widget.show()
        for width in (680, 1000):
            widget.resize(width, 500)
            self.process_events()
            header, table, model = widget.area.table.horizontalHeader(), widget.area.table, widget.area.model
            titles = []
            for column in range(FIRST_SCORE, model.columnCount()):
                text = model.headerData(column, Qt.Horizontal)
                room = table.columnWidth(column) - TITLE_EXTRA_WIDTH
                titles.append(table.fontMetrics().elidedText(text, header.textElideMode(), room))
            self.assertEqual(len(set(titles)), 7, titles)
            self.assertFalse(any("…" in title for title in titles), titles)
        self.assertEqual(model.headerData(FIRST_SCORE + 4, Qt.Horizontal), "MSURF*")


if __name__ == "__main__":
    unittest.main()
