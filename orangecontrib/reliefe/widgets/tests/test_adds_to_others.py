"""The control *Adds to the others* of rankers: conditional p-values of all, or discoveries and selected features."""

import contextlib
import io
from unittest.mock import patch

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.reliefe import rank
from orangecontrib.reliefe.core.inference import conditional
from orangecontrib.reliefe.orange.scores_table import lower_is_better
from orangecontrib.reliefe.widgets.ranker import followup
from orangecontrib.reliefe.widgets.tests.base import NAME
from orangecontrib.reliefe.widgets.tests.test_pvalues import LIMIT, PValuesTest

ADDS = "Adds to the others"


def copies(n=120, p=6, seed=0):
    """Features of which `cause` acts on the class, `copy` repeats it with noise, and the rest are useless."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    X[:, 1] = 0.8 * X[:, 0] + 0.6 * X[:, 1]
    names = ["cause", "copy", *(f"useless {j}" for j in range(2, p))]
    domain = Domain([ContinuousVariable(name) for name in names], DiscreteVariable("class", ("no", "yes")))
    return Table.from_numpy(domain, X, (2 * X[:, 0] + rng.logistic(size=n) > 0).astype(float))


CONDITIONAL = "adds to the others"
VALIDITY = "adds: valid"


class TestAddsToOthers(PValuesTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = copies()

    def make(self, **settings):
        return super().make(**{"p_values": True, "mode": "best", "n_best": 3} | settings)

    def wait(self, widget=None):
        widget = widget or self.widget
        super().wait(widget)
        self.process_events(lambda: not widget.adds.busy, timeout=LIMIT)
        super().wait(widget)

    def p(self, widget=None):
        """Conditional p-values by feature, as they are sent."""
        found = self.out("scores", widget)
        names = found.get_column("Feature").tolist()
        return dict(zip(names, found.get_column(CONDITIONAL).astype(float).tolist(), strict=True))

    def test_off_at_first(self):
        widget = self.complete(self.table)
        self.assertFalse(self.control(ADDS).isChecked())
        self.assertNotIn(CONDITIONAL, self.metas())
        self.assertNotIn(CONDITIONAL, [test.title for test in widget.area.model.tests])

    def test_all_of_few_features_have_those_of_the_core(self):
        widget = self.complete(self.table)
        self.choose(ADDS)
        self.wait()
        p = self.p()
        expected = rank(self.table, "relieff", conditional=True).significance
        np.testing.assert_array_equal([*p.values()], expected.conditional)
        scores = self.out("scores")
        for title, values in expected.conditional_columns.items():
            np.testing.assert_array_equal(scores.get_column(title).astype(float), values)
            self.assertTrue(lower_is_better(scores.domain[title]))
        self.assertEqual(scores.get_column(VALIDITY).tolist(), ["yes"] * 6)
        self.assertLessEqual(p["cause"], 0.05)
        self.assertGreater(p["copy"], 0.05)
        column = next(test for test in widget.area.model.tests if test.title == CONDITIONAL)
        self.assertEqual(column.text_of(0), f"{p['cause']:.2g}")
        self.assertIn(f"{ADDS}: 1 of 6", self.seen().replace("&", ""))

    def test_of_many_features_discoveries_and_selected_ones_are_tested(self):
        with patch.object(conditional, "MAX_ALL_TESTED", 5):
            widget = self.complete(self.table)
            self.choose(ADDS)
            self.wait()
        selected = [variable.name for variable in self.out("features")]
        found = rank(self.table, "relieff", significance=True)
        discoveries = [found.features[f].name for f in found.significance.discoveries(0.1)]
        tested = {*selected, *discoveries}
        p = self.p()
        self.assertEqual({name for name, value in p.items() if not np.isnan(value)}, tested)
        expected = rank(self.table, "relieff", conditional=sorted(tested)).significance.conditional
        np.testing.assert_array_equal([*p.values()], expected)
        tests = widget.adds.record(widget.adds.job()).result
        self.assertEqual(tests.n_hypotheses, 6)
        column = next(test for test in widget.area.model.tests if test.title == CONDITIONAL)
        self.assertIn("\u2013", [column.text_of(f) for f in range(6)])

    def test_p_that_does_not_hold_is_shown_as_invalid(self):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(200, 10))
        X[:, 5] = np.sign(X[:, 0] * X[:, 1]) + 0.4 * X[:, 5]
        y = (2 * np.sign(X[:, 0] * X[:, 1]) + rng.logistic(size=200) > 0).astype(float)
        data = Table.from_numpy(Domain([ContinuousVariable(f"x{j}") for j in range(10)],
                                       DiscreteVariable("class", ("no", "yes"))), X, y)  # fmt: skip
        widget = self.complete(data, self.make(methods=["multisurf"], adds_to_others=True))
        self.wait(widget)
        tests = widget.adds.record(widget.adds.job()).result
        invalid = tests.features[~tests.valid].tolist()
        self.assertIn(5, invalid)
        model = widget.area.model
        column = next(test for test in model.tests if test.title == CONDITIONAL)
        self.assertEqual(column.text_of(5), "invalid")
        self.assertLess(column.places[5], column.places[[f for f in range(10) if f not in invalid]].min())
        row = model.rows.tolist().index(5)
        self.assertIn(f"{CONDITIONAL}: not valid here (p = ", model.index(row, NAME).data(3))
        self.assertTrue(np.isnan(self.p(widget)["x5"]))
        self.assertIn("no (p ", dict(zip(self.p(widget), self.out("scores", widget).get_column(VALIDITY)))["x5"])
        widget.send_report()
        self.assertIn("x5: conditional p not valid here, as it depends", widget.report_html)

    @patch.object(conditional, "MAX_ALL_TESTED", 5)
    def test_features_that_are_selected_later_are_tested_later(self):
        widget = self.complete(self.table, self.make(adds_to_others=True))
        self.wait(widget)
        before = self.p(widget)
        self.choose("All", True, widget)
        self.wait(widget)
        after = self.p(widget)
        self.assertFalse(any(np.isnan(value) for value in after.values()))
        self.assertEqual({name: after[name] for name, value in before.items() if not np.isnan(value)},
                         {name: value for name, value in before.items() if not np.isnan(value)})  # fmt: skip

    def test_unticking_ends_it_and_takes_the_column_away(self):
        data = copies(400, 12)
        widget = self.complete(data, self.make(n_best=12))
        self.choose(ADDS, widget=widget)
        self.process_events(lambda: widget.adds.busy and widget.adds.found(widget.adds.job()), timeout=LIMIT)
        self.assertIn("%", self.control(ADDS, widget).text())
        future = widget.adds.task.future
        self.choose(ADDS, widget=widget)
        self.assert_stopped(future)
        self.wait(widget)
        self.assertFalse(widget.adds.ticked)
        self.assertNotIn(CONDITIONAL, self.metas(widget))
        self.assertFalse(widget.isInvalidated())
        n_tested = len(widget.adds.record(widget.adds.job()).result.features)
        self.assertTrue(1 <= n_tested < 12)  # they are kept

    def test_what_takes_long_waits_for_a_click(self):
        widget = self.make(adds_to_others=True)
        with patch.object(followup, "TRIAL", 0.0), patch.object(followup, "QUICK", 0.0):
            self.complete(self.table, widget)
            self.wait(widget)
            self.assertIn("(about", self.control(ADDS, widget).text())
            self.assertFalse(self.control(ADDS, widget).isChecked())
            self.choose(ADDS, widget=widget)
            self.wait(widget)
        self.assertFalse(np.isnan(self.p(widget)["cause"]))

    def test_methods_without_pairs_say_why(self):
        widget = self.complete(self.table, self.make(methods=["orange.infogain"], adds_to_others=True))
        self.assertFalse(self.control(ADDS, widget).isEnabled())
        self.assertIn("Relief family", self.control(ADDS, widget).toolTip())
        self.assertNotIn(CONDITIONAL, self.metas(widget))

    def test_one_feature_has_no_others(self):
        widget = self.make(adds_to_others=True, mode="fdr")
        self.complete(self.table[:, [0, 6]], widget)
        self.wait(widget)
        self.assertIn("not here", self.control(ADDS, widget).text())
        self.assertIn("two features", self.control(ADDS, widget).toolTip())
        self.assertFalse(widget.isInvalidated())

    def test_settings_report_and_script(self):
        widget = self.complete(self.table, self.make(adds_to_others=True))
        self.wait(widget)
        self.assertTrue(self.packed(widget)["adds"]["ticked"])
        widget.send_report()
        self.assertIn("with a conditional p up to 0.05: cause", widget.report_html)
        with contextlib.redirect_stdout(io.StringIO()) as printed, patch("Orange.data.Table", lambda _: self.table):
            scope = {}
            exec(compile(widget.area.menu.writings().script, "script", "exec"), scope)
        self.assertIn(CONDITIONAL, printed.getvalue())
        np.testing.assert_array_equal(scope["ranking"].significance.conditional, [*self.p(widget).values()])

    def test_text_of_a_feature(self):
        widget = self.complete(self.table, self.make(adds_to_others=True))
        self.wait(widget)
        model = widget.area.model
        row = model.rows.tolist().index(0)
        text = model.index(row, NAME).data(3)
        self.assertIn(f"{CONDITIONAL}: p = 0.005 (by neighbours 0.005, by line 0.005), q = ", text)
