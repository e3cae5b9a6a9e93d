"""Features that are always selected in the rankers: the box, selections, outputs, settings and boosting."""

import numpy as np
from Orange.data import Table

from orangecontrib.reliefe import rank
from orangecontrib.reliefe.orange.jobs.job import Job
from orangecontrib.reliefe.orange.ranker.scores import MethodScores
from orangecontrib.reliefe.orange.ranker.selection import reaching
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.widgettest import WidgetTest

KEPT = ["age", "gender"]


def names_of(table) -> set:
    return {variable.name for variable in table.domain.attributes}


class TestKeep(base.RankerTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.data = Table("heart_disease")

    def make(self, method="relieff", **settings):
        settings = {"methods": [method], "preset": "", "n_best": 4, "keep": KEPT} | settings
        return self.create_widget(OWReliefE, stored_settings=settings)

    def ready(self, widget, data=None):
        self.send_signal(widget.Inputs.data, self.data if data is None else data, widget=widget)
        self.settle(widget)
        return widget

    def test_they_are_among_the_best_n(self):
        widget = self.ready(self.make())
        expected = rank(self.data, "relieff", keep=KEPT)
        self.assertEqual(names_of(self.out("reduced", widget)), {v.name for v in expected.best(4)})
        self.assertEqual(widget.keep_box.summary.text(), "age, gender")

    def test_every_mode_has_them_but_none(self):
        widget = self.ready(self.make())
        for mode in ("all", "manual", "best", "from", "share"):
            widget.selection.choose(mode)
            self.settle(widget)
            self.assertLessEqual(set(KEPT), names_of(self.out("reduced", widget)), mode)
        widget.selection.choose("none")
        self.settle(widget)
        self.assertIsNone(self.out("reduced", widget) and (names_of(self.out("reduced", widget)) or None))

    def test_ticks_select_and_are_remembered_as_names(self):
        widget = self.ready(self.make(keep=[], keep_open=True))
        items = [widget.keep_box.columns.list.item(row) for row in range(13)]
        next(item for item in items if item.text() == "age").setCheckState(base.Qt.Checked)
        self.settle(widget)
        self.assertIn("age", names_of(self.out("reduced", widget)))
        stored = widget.settingsHandler.pack_data(widget)
        self.assertEqual(stored["keep_box"]["names"], ["age"])
        again = self.ready(self.create_widget(OWReliefE, stored_settings=stored))
        self.assertEqual(again.keep_box.known, ("age",))

    def test_settings_that_are_no_names_give_way(self):
        for keep in (None, "age", [1], {"age": 1}):
            self.assertEqual(self.make(keep=keep).keep_box.names, [])

    def test_names_that_the_data_lack_are_said_and_stay(self):
        widget = self.ready(self.make(keep=["age", "no such"]))
        self.assertTrue(widget.Warning.not_in_data.is_shown())
        self.assertEqual(widget.keep_box.names, ["age", "no such"])
        self.assertEqual(widget.keep_box.known, ("age",))

    def test_boosting_takes_them_first(self):
        widget = self.ready(self.make("boostedrelief"))
        expected = rank(self.data, "boostedrelief", keep=KEPT)
        np.testing.assert_allclose(self.out("scores", widget).X[:, 0], expected.scores)
        self.assertIn(f"keep={KEPT!r}", widget.area.menu.script())
        self.assertEqual(widget.panel.own_job("relieff").keep, ())
        widget.keep_box._ticked("gender", False)
        self.settle(widget)
        self.assertEqual(widget.panel.own_job("boostedrelief").keep, ("age",))
        np.testing.assert_allclose(
            self.out("scores", widget).X[:, 0], rank(self.data, "boostedrelief", keep=["age"]).scores
        )

    def test_the_preprocessor_keeps_them(self):
        for mode in ("best", "share", "from"):
            widget = self.ready(self.make(mode=mode, share=30.0, threshold=0.05))
            reduced = self.out("preprocessor", widget)(self.data)
            self.assertEqual(names_of(reduced), names_of(self.out("reduced", widget)), mode)

    def test_jobs_are_known_by_the_names_of_earlier_versions(self):
        plain = Job.of("relieff", {"n_neighbors": 5}, ("age",), "person")
        self.assertEqual(plain.key, plain._replace(keep=()).key)
        self.assertEqual(Job.of("relieff", {}).key, Job("relieff", ()).key)
        self.assertNotEqual(plain.key, plain._replace(keep=("age",)).key)


class TestReaching(WidgetTest):
    def test_kept_features_count_among_the_best(self):
        scores = MethodScores("", np.array([0.5, -0.1, 0.3, 0.2, -0.2]))
        keep = np.array([False, True, False, False, True])
        for n, expected in ((1, [1, 4]), (2, [1, 4]), (3, [0, 1, 4]), (5, [0, 1, 2, 3, 4])):
            self.assertEqual(np.flatnonzero(reaching(scores, n, 0.0, keep=keep)).tolist(), expected)
        self.assertEqual(np.flatnonzero(reaching(scores, None, 0.4, keep=keep)).tolist(), [0, 1, 4])
