"""Base of the tests of rankers."""

import time

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QColor, QPalette
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table
from Orange.widgets.widget import AttributeList

from orangecontrib.reliefe.core import METHODS
from orangecontrib.reliefe.orange.jobs.job import Job
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.tests.widgettest import WidgetTest
from orangecontrib.reliefe.widgets.utils.task import RUNNING

LIMIT = 60_000  # ms: the first ranking may have to compile
QUICK = ("multisurf", "rrelieff")  # methods that are ticked at first here: an embedding would take its time


def random_table(n, p, seed=0):
    """Numeric features, the first of which tells the class."""
    X = np.random.default_rng(seed).normal(size=(n, p))
    domain = Domain([ContinuousVariable(f"x{i}") for i in range(p)], DiscreteVariable("class", ("no", "yes")))
    return Table.from_numpy(domain, X, (X[:, 0] > 0).astype(float))


def with_weights(data):
    """Return a copy of a table with weights of rows."""
    weighted = data.copy()
    with weighted.unlocked():
        weighted.W = np.random.default_rng(0).uniform(0.3, 3, len(data))
    return weighted


def with_metas(data, n_metas=2):
    """The same table with string and numeric metas."""
    metas = [StringVariable(f"note {i}") for i in range(n_metas)] + [ContinuousVariable("extra")]
    values = np.full((len(data), n_metas + 1), "text", dtype=object)
    values[:, -1] = np.arange(len(data))
    domain = Domain(data.domain.attributes, data.domain.class_vars, metas)
    return Table.from_numpy(domain, data.X, data.Y, values)


def dark_palette():
    """Light on dark, with the links that styles forget to define."""
    palette = QPalette()
    for role, color in (
        (QPalette.Window, "#2d2d2d"), (QPalette.WindowText, "#dddddd"), (QPalette.Base, "#1f1f1f"),
        (QPalette.Text, "#dddddd"), (QPalette.Button, "#333333"), (QPalette.ButtonText, "#dddddd"),
        (QPalette.Highlight, "#2a82da"), (QPalette.HighlightedText, "#ffffff"), (QPalette.Link, "#0000ff"),
    ):  # fmt: skip
        palette.setColor(role, QColor(color))
    return palette


def core_job(name):
    """A method with its defaults."""
    return Job.of(name, {parameter.name: parameter.default for parameter in METHODS[name].parameters})


class RankerTest(WidgetTest):
    """A fresh OWReliefE for each test."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.heart = Table("heart_disease")
        cls.housing = Table("housing")

    def setUp(self):
        self.widget = self.make()

    def make(self, **settings):
        """A widget with these settings."""
        return self.create_widget(OWReliefE, stored_settings={"methods": list(QUICK), **settings})

    def ready(self, data, widget=None, features=None):
        """Send data, and wait for the ranking."""
        widget = widget or self.widget
        features = features and AttributeList(features)
        signals = [(widget.Inputs.data, data), (widget.Inputs.features, features)]
        self.send_signals(signals, widget=widget)
        self.settle(widget)
        return widget

    def settle(self, widget=None):
        """Wait for everything that is under way or about to be."""
        widget = widget or self.widget
        self.process_events(lambda: not widget._later.isActive(), timeout=LIMIT)
        self.process_events(lambda: widget.run_state != RUNNING, timeout=LIMIT)
        self.wait_until_finished(widget, timeout=LIMIT)
        self.process_events(lambda: not widget.later.isActive(), timeout=LIMIT)

    def out(self, name, widget=None):
        """The value of an output."""
        widget = widget or self.widget
        return self.get_output(getattr(widget.Outputs, name), widget=widget)

    def tick(self, *names):
        """Tick these methods and no others, as a user would: one click after the other."""
        methods = self.widget.panel.list
        for method in methods.methods:
            methods.by_name[method.name].setCheckState(Qt.Checked if method.name in names else Qt.Unchecked)

    def highlight(self, name):
        """Show the parameters of a method."""
        methods = self.widget.panel.list
        methods.highlight(name)

    @staticmethod
    def wait_for_future(future, seconds=5):
        """Seconds that a task takes to end, without running the event loop."""
        start = time.perf_counter()
        while not future.done() and time.perf_counter() - start < seconds:
            time.sleep(0.002)
        return time.perf_counter() - start
