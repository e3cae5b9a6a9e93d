"""Methods that rank by another one: the form of both, passes, and what was removed."""

from ast import literal_eval

from Orange.data import Domain, Table
from Orange.widgets.tests.base import GuiTest

from orangecontrib.reliefe.core import METHODS
from orangecontrib.reliefe.orange.jobs.job import Job
from orangecontrib.reliefe.orange.jobs.result import Result
from orangecontrib.reliefe.orange.ranker.parameter_values import defaults, kept_parameters
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.owurelief import OWURelief
from orangecontrib.reliefe.widgets.ranker.form import ParameterForm
from orangecontrib.reliefe.widgets.ranker.measures import tooltip
from orangecontrib.reliefe.widgets.tests import base


def nested(form):
    """Names of the parameters of the core that have a field."""
    return [parameter.name for parameter in form.editors["core"]._editors]


class TestForm(GuiTest):
    def setUp(self):
        self.form, self.changes = ParameterForm(), []
        self.form.set_method(METHODS["turf"], defaults(METHODS["turf"]), "classification")
        self.form.changed.connect(lambda values: self.changes.append(values["core"]))
        self.core = self.form.editors["core"]

    def choose(self, name):
        self.core.setCurrentIndex(self.core.findData(name))

    def field(self, name):
        return next(field for parameter, field in self.core._editors.items() if parameter.name == name)

    def test_a_core_shows_its_own_parameters(self):
        self.assertEqual(self.core.value(), ("relieff", ()))
        self.assertIn("n_neighbors", nested(self.form))
        self.assertIs(self.core.details.parent(), self.form.few)
        self.choose("multisurf")
        self.assertEqual(self.changes[-1], ("multisurf", ()))
        self.assertNotIn("n_neighbors", nested(self.form))
        self.assertTrue(self.core.details.few.isHidden())
        self.assertFalse(self.core.details.more.isHidden())
        self.assertEqual(self.core.details.more.text(), "More of MultiSURF")
        self.assertTrue(self.core.details.rest.isHidden())
        self.core.details.more.setChecked(True)
        self.assertFalse(self.core.details.rest.isHidden())

    def test_what_was_set_of_a_core_is_kept_beside_others(self):
        self.field("n_neighbors").setValue(4)
        self.assertEqual(self.changes[-1], ("relieff", (("n_neighbors", 4),)))
        self.choose("surf")
        self.choose("relieff")
        self.assertEqual(self.changes[-1], ("relieff", (("n_neighbors", 4),)))
        self.assertEqual(self.field("n_neighbors").value(), 4)
        self.field("n_neighbors").setValue(10)
        self.assertEqual(self.changes[-1], ("relieff", ()))

    def test_settings_are_plain_literals(self):
        self.field("n_neighbors").setValue(4)
        values = literal_eval(repr({"core": self.changes[-1]}))
        self.assertEqual(kept_parameters(METHODS["turf"], values), {"core": ("relieff", (("n_neighbors", 4),))})
        for wrong in ("nothing", ("turf", ()), ("relieff", (("k", 3),)), 3):
            self.assertEqual(kept_parameters(METHODS["turf"], {"core": wrong}), {})

    def test_cores_that_do_not_fit_are_grey(self):
        def enabled(name):
            return self.core.model().item(self.core.findData(name)).isEnabled()

        self.assertEqual([enabled(name) for name in ("relieff", "rrelieff", "urelief")], [True, False, False])
        values = defaults(METHODS["turf"], "regression")
        self.assertEqual(values["core"], ("rrelieff", ()))
        self.form.set_method(METHODS["turf"], values, "regression")
        self.core = self.form.editors["core"]
        self.assertEqual([enabled(name) for name in ("relieff", "rrelieff", "urelief")], [False, True, False])
        self.assertNotIn("per_target", nested(self.form))
        self.assertEqual(self.core.findData("turf"), -1)

    def test_shares_are_neither_nothing_nor_all(self):
        share = self.form.editors["share"]
        for text, value in (("0", 0.5), ("1", 0.5), ("0.3", 0.3)):
            share.setEditText(text)
            share.lineEdit().editingFinished.emit()
            self.assertEqual(share.value(), value)


class TestWidget(base.RankerTest):
    def ranked(self, kind, data, **settings):
        settings = {"preset": "", "null_level": False, **settings}
        return self.ready(data, self.create_widget(kind, stored_settings=settings))

    def test_passes(self):
        parameters = {"turf": {"n_keep": 4, "core": ("surf", ())}}
        widget = self.ranked(OWReliefE, Table("heart_disease")[::3], methods=["turf"], parameters=parameters)
        (scores,) = widget.area.model.columns
        self.assertEqual((scores.removed == 0).sum(), 4)
        worst, best = scores.order[-1], scores.order[0]
        self.assertEqual(scores.text(worst), "pass 1")
        self.assertIn("removed after pass 1", tooltip(widget.area.model, worst))
        self.assertNotIn("removed", tooltip(widget.area.model, best))
        self.assertIn("SURF, 3 passes, 4 features left", self.seen(widget))
        widget.resize(900, 600)
        self.assertFalse(widget.grab().isNull())
        (name,) = widget.panel.active()
        self.assertEqual(widget.panel.job(name).values["core"], ("surf", ()))

    def test_numbers_take_another_core(self):
        widget = self.ranked(OWReliefE, Table("housing")[::5], methods=["turf"], parameters={"turf": {"n_keep": 4}})
        self.assertEqual(widget.panel.job("turf").values["core"], ("rrelieff", ()))
        self.assertEqual(len(widget.area.model.columns), 1)

    def test_without_a_target(self):
        widget = self.ranked(OWURelief, Table("zoo"), methods=["urelief", "turf"], parameters={"turf": {"n_keep": 4}})
        self.assertEqual([scores.name for scores in widget.area.model.columns], ["urelief", "turf"])
        self.assertEqual(widget.panel.job("turf").values["core"], ("urelief", ()))
        self.assertNotIn("evaporativecooling", widget.panel.methods)

    def test_each_widget_has_its_targets(self):
        offered = {method.name: method for method in self.widget.panel.methods.values()}
        self.assertNotIn("unsupervised", offered["turf"].tasks)
        self.assertIn("multi-label", offered["turf"].tasks)
        self.ready(self.heart.transform(Domain(self.heart.domain.attributes)))
        self.assertTrue(self.widget.Information.choose_target.is_shown())

    def test_partial_results_replace_each_other(self):
        """Passes use all rows: the later one counts."""
        from orangecontrib.reliefe import refine
        from orangecontrib.reliefe.orange.jobs.run import _status
        from orangecontrib.reliefe.widgets.ranker.columns import part_of

        job, result, parts = Job.of("turf", METHODS["turf"].check({"n_keep": 4})), Result(), []
        for ranking in refine(Table("heart_disease")[::3], "turf", n_keep=4):
            result = result.with_ranking(job, ranking)
            self.assertIs(result.rankings[job], ranking)
            parts.append(part_of(job, ranking.info))
        self.assertEqual(parts, ["1 of 3 passes", "2 of 3 passes", "3 of 3 passes"])
        self.assertEqual(_status(job, ranking), "TuRF: 3 of 3 done")
        first = next(refine(Table("heart_disease")[::3], "vlsrelief", subset_size=7, n_subsets=4))
        self.assertEqual(part_of(job, first.info), f"{first.info['passes']} of 4 subsets")
