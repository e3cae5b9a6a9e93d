"""Editors of parameters, and forms made of them."""

import unittest

from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe.core import METHODS, methods
from orangecontrib.reliefe.core.methods.parameters import (
    CHOICE,
    INTEGER,
    METHOD,
    NUMBER,
    OBJECT,
    RAMP,
    ROWS,
    SHARE,
    SWITCH,
    Parameter,
)
from orangecontrib.reliefe.orange.ranker.parameter_values import (
    SEVERAL_ONLY,
    changed_parameters,
    defaults,
    valid_parameters,
)
from orangecontrib.reliefe.orange.ranker.scores import MethodScores
from orangecontrib.reliefe.widgets.ranker.form import EDITORS, ParameterForm, editor
from orangecontrib.reliefe.widgets.tests import base


class TestEditors(GuiTest):
    def test_every_kind_of_parameter_has_an_editor(self):
        kinds = {parameter.kind for method in methods() for parameter in method.parameters}
        self.assertLessEqual(kinds, {*EDITORS, METHOD})

    def test_every_parameter_shows_what_it_is_given(self):
        for method in methods():
            for parameter in method.parameters:
                with self.subTest(method=method.name, parameter=parameter.name):
                    field = editor(parameter, parameter.default)
                    self.assertEqual(field.value(), parameter.default)
                    self.assertTrue(field.toolTip())
                    self.assertTrue(field.accessibleName())
                    parameter.check(field.value())

    def test_values_go_round(self):
        cases = (
            (Parameter("a", "A", INTEGER, 3, low=1, high=10, none="adaptive"), (1, 10, None)),
            (Parameter("a", "A", NUMBER, 1.0, low=0, none="equal"), (0.001, 20.0, None)),
            (Parameter("a", "A", CHOICE, None, choices=("x", "y"), none="auto"), ("x", "y", None)),
            (Parameter("a", "A", SWITCH, False), (True, False)),
            (Parameter("a", "A", RAMP, False), (True, False, (0.1, 0.3))),
            (Parameter("a", "A", ROWS, None, none="all"), (500, 0.25, None)),
            (Parameter("a", "A", SHARE, "auto", choices=("auto",)), (0.0, 0.25, 1.0, "auto")),
        )
        for parameter, values in cases:
            field = editor(parameter, parameter.default)
            for value in values:
                with self.subTest(kind=parameter.kind, value=value):
                    field.set_value(value)
                    self.assertEqual(field.value(), value)
                    self.assertIs(type(field.value()), type(value))

    def test_words_beside_numbers(self):
        cases = (
            (Parameter("a", "A", INTEGER, 15, low=1, high=500, choices=("adaptive",)), (7, "adaptive", 1)),
            (Parameter("a", "A", INTEGER, "auto", low=1, choices=("auto",)), (3, "auto")),
            (Parameter("a", "A", ROWS, None, choices=("converge",), none="all"), ("converge", None, 128, 0.5)),
            (Parameter("a", "A", OBJECT, "umap", choices=("umap", "pca"), none="none"), ("pca", None, "umap")),
        )
        for parameter, values in cases:
            field = editor(parameter, parameter.default)
            for value in values:
                field.set_value(value)
                self.assertEqual(field.value(), value)
                self.assertEqual(field.currentText(), str(value) if value is not None and value != 0.5 else
                                 parameter.none if value is None else "50 %")  # fmt: skip

    def test_words_and_numbers_are_read_as_people_write_them(self):
        field = editor(Parameter("a", "A", INTEGER, 15, low=1, high=500, choices=("adaptive",)), 15)
        changes = []
        field.changed.connect(lambda: changes.append(field.value()))
        for text in (" Adaptive", "nonsense", "0", "501", "2.5", "", "20"):
            field.setEditText(text)
            field.lineEdit().editingFinished.emit()
        self.assertEqual(changes, ["adaptive", 20])
        self.assertEqual(field.currentText(), "20")

    def test_what_a_script_brought_is_shown_and_kept(self):
        field = editor(Parameter("a", "A", OBJECT, "umap", choices=("umap", "pca"), none="none"), "umap")
        changes = []
        field.changed.connect(lambda: changes.append(field.value()))
        for value, text in ((((1.0, 2.0),), "own coordinates"), (("cosine", ((1.0,),)), "cosine, own coordinates"),
                            (MethodScores, "type")):  # fmt: skip
            field.set_value(value)
            self.assertEqual((field.value(), field.currentText(), field.count()), (value, text, 4))
        field.setCurrentIndex(2)
        field.activated.emit(2)
        self.assertEqual((field.value(), field.count(), changes[-1]), ("pca", 3, "pca"))

    def test_what_is_not_allowed_cannot_be_set(self):
        field = editor(Parameter("a", "A", NUMBER, 1.0, low=0), 1.0)
        field.setValue(0)
        self.assertGreater(field.value(), 0)

    def test_rows_are_read_as_people_write_them(self):
        field = editor(Parameter("a", "A", ROWS, None, none="all"), None)
        changes = []
        field.changed.connect(lambda: changes.append(field.value()))
        for text in ("500", "25 %", "1,024", "0.1", "ALL", "100%", "nonsense", "-3", "0", "1024"):
            field.setEditText(text)
            field.lineEdit().editingFinished.emit()
        self.assertEqual(changes, [500, 0.25, 1024, 0.1, None, 1024])
        self.assertEqual(field.currentText(), "1,024")

    def test_a_switched_ramp_forgets_its_own_bounds(self):
        field = editor(Parameter("a", "A", RAMP, False), (0.1, 0.3))
        field.click()
        self.assertIs(field.value(), False)
        field.click()
        self.assertIs(field.value(), True)

    def test_shares_are_read(self):
        field, changes = editor(Parameter("a", "A", SHARE, "auto", choices=("auto",)), "auto"), []
        field.changed.connect(lambda: changes.append(field.value()))
        for text in ("0.3", "2", "-1", "1", "0,25", "auto", "x"):
            field.setEditText(text)
            field.lineEdit().editingFinished.emit()
        self.assertEqual(changes, [0.3, 1.0, 0.25, "auto"])
        self.assertEqual(field.currentText(), "auto")


class TestForm(GuiTest):
    def test_few_more_and_defaults(self):
        form, method = ParameterForm(), METHODS["rrelieff"]
        form.set_method(method, valid_parameters(method, {"n_neighbors": 5}))
        changes = []
        form.changed.connect(changes.append)
        self.assertFalse(form.links.isHidden())
        self.assertTrue(form.rest.isHidden())
        form.more.click()
        self.assertFalse(form.rest.isHidden())
        form.links.linkActivated.emit("defaults")
        self.assertEqual(changes, [valid_parameters(method, None)])
        self.assertTrue(form.links.isHidden())
        form.editors["n_neighbors"].setValue(9)
        self.assertEqual(changed_parameters(method, changes[-1]), {"n_neighbors": 9})

    def test_every_method_can_be_shown(self):
        form = ParameterForm(opened=True)
        for method in methods():
            form.set_method(method, valid_parameters(method, {}))
            self.assertEqual(form.values(), valid_parameters(method, {}))

    def test_the_papers_choices_are_a_link(self):
        form, method = ParameterForm(), METHODS["reliefe"]
        form.set_method(method, valid_parameters(method, {"embedding": "pca", "n_instances": 50}))
        changes = []
        form.changed.connect(changes.append)
        self.assertNotIn("preset", form.editors)
        self.assertIn("paper", form.links.text())
        form.links.linkActivated.emit("paper")
        (values,) = changes
        self.assertEqual(values, method.check({"preset": "paper"}) | {"preset": None})
        self.assertEqual((values["n_neighbors"], values["embedding"], values["average"]), ("adaptive", "umap", True))
        self.assertNotIn("paper", form.links.text())
        self.assertEqual(valid_parameters(method, {"preset": "paper"}), values)
        self.assertEqual(valid_parameters(method, {"preset": "paper", "average": False}), values | {"average": False})
        for unknown in ("of the future", 3, ["paper"]):
            self.assertEqual(valid_parameters(method, {"preset": unknown}), valid_parameters(method, {}))

    def test_what_has_no_effect_is_grey_or_hidden(self):
        form, method = ParameterForm(), METHODS["reliefe"]
        form.set_method(method, valid_parameters(method, {}), "classification")
        self.assertNotIn("pooled", form.editors)
        self.assertEqual(form.values(), valid_parameters(method, {}))  # hidden ones keep their values
        form.editors["embedding"].set_value(None)
        self.assertFalse(form.editors["dimension"].isEnabled())
        form.editors["embedding"].set_value("pca")
        self.assertTrue(form.editors["dimension"].isEnabled())
        self.assertFalse(form.editors["n_repeats"].isEnabled())

    def test_values_that_need_each_other_are_kept(self):
        method = METHODS["reliefe"]
        for stored in ({"average": True, "missing": "uniform"}, {"missing": "uniform"}):
            values = valid_parameters(method, stored)
            self.assertEqual({name: values[name] for name in stored}, stored)

    def test_parameters_of_several_targets(self):
        form, method = ParameterForm(), METHODS["reliefe"]
        for task, shown in (("classification", False), ("multi-label", True), (None, True)):
            form.set_method(method, valid_parameters(method, {}, task), task)
            self.assertEqual(SEVERAL_ONLY[0] in form.editors, shown)

    def test_valid_parameters_ignore_what_they_do_not_know(self):
        method = METHODS["relieff"]
        for stored in (None, [], {"unheard": 1}, {"n_neighbors": 0}, {"n_neighbors": "x"}, {"sigma": [1]}):
            self.assertEqual(valid_parameters(method, stored), valid_parameters(method, {}))


class TestDefaultsByTask(GuiTest):
    """Label sets have other defaults; what the user sets is kept through all changes of the data."""

    TASKS = ("classification", "multi-label")

    def setUp(self):
        self.panel = base.method_panel(chosen=["reliefe"], current="reliefe")

    def seen(self, task, name="n_neighbors"):
        self.panel.set_task(task)
        self.assertEqual(self.panel.job("reliefe").values[name], self.panel.form.values()[name])
        return self.panel.job("reliefe").values[name]

    def set(self, name, value):
        self.panel.form.editors[name].set_value(value)

    def test_what_is_not_touched_follows_the_data(self):
        for task in (*self.TASKS, *self.TASKS, None):
            own = METHODS["reliefe"].defaults(task) if task else {}
            self.assertEqual(self.seen(task), own.get("n_neighbors", 15))
            self.assertEqual(self.seen(task, "embedding"), own.get("embedding", "umap"))
            self.assertEqual(self.panel.parameters, {})

    def test_what_is_set_stays(self):
        self.seen("multi-label")
        self.set("embedding", "umap")  # the default of the other task
        for task in (*self.TASKS, *self.TASKS):
            self.assertEqual(self.seen(task, "embedding"), "umap")
            self.set("n_neighbors", 9)  # an edit of something else
            self.set("n_neighbors", defaults(METHODS["reliefe"], task)["n_neighbors"])
            self.assertEqual(self.panel.parameters, {"reliefe": {"embedding": "umap"}})
        again = base.method_panel(chosen=["reliefe"], current="reliefe", parameters=self.panel.parameters)
        again.set_task("multi-label")
        self.assertEqual(again.job("reliefe"), self.panel.job("reliefe"))

    def test_defaults_forget_all(self):
        self.seen("multi-label")
        self.set("embedding", "umap")
        self.panel.form.links.linkActivated.emit("defaults")
        self.assertEqual(self.panel.parameters, {})
        self.assertIsNone(self.seen("multi-label", "embedding"))

    def test_a_preset_is_kept_for_all_tasks(self):
        for task in self.TASKS:
            self.seen(task)
            self.panel.form.links.linkActivated.emit("paper")
            for other in self.TASKS:
                self.assertEqual(self.seen(other, "embedding"), "umap")
                self.assertEqual(self.seen(other), "adaptive")
            self.panel.form.links.linkActivated.emit("defaults")


if __name__ == "__main__":
    unittest.main()
