"""Base of the tests of widgets that compute something from one table."""

import ast
import time

import numpy as np
from Orange.data import Table

from orangecontrib.reliefe.widgets.owsparsify import OWSparsify
from orangecontrib.reliefe.widgets.tests.base import LIMIT
from orangecontrib.reliefe.widgets.tests.widgettest import WidgetTest


def exponential(n=120, p=15, seed=0):
    """Mostly small values of both signs: much to leave out."""
    X = np.random.default_rng(seed).exponential(size=(n, p)) * np.random.default_rng(1).choice([-1, 1], (n, p))
    return Table.from_numpy(None, X, np.zeros(n))


class ComputingTest(WidgetTest):
    """A fresh widget of `kind` for each test."""

    kind = None

    def setUp(self):
        self.widget = self.create_widget(self.kind)

    def ready(self, data, widget=None):
        """Send data, and wait for the result."""
        widget = widget or self.widget
        self.send_signal(widget.Inputs.data, data, widget=widget)
        return self.settle(widget)

    def settle(self, widget=None):
        """Wait for everything that is under way or about to be."""
        widget = widget or self.widget
        self.process_events(lambda: not widget._later.isActive(), timeout=LIMIT)
        self.wait_until_finished(widget, timeout=LIMIT)
        return widget

    def out(self, name, widget=None):
        """The value of an output."""
        widget = widget or self.widget
        return self.get_output(getattr(widget.Outputs, name), widget=widget)

    def packed(self, widget=None):
        """The settings as a workflow stores them; they are plain literals."""
        widget = widget or self.widget
        stored = widget.settingsHandler.pack_data(widget)
        stored.pop("savedWidgetGeometry", None)
        self.assertEqual(ast.literal_eval(repr(stored)), stored)
        return stored

    @staticmethod
    def ended(future, seconds=5):
        """Seconds that a task takes to end, without running the event loop."""
        start = time.perf_counter()
        while not future.done() and time.perf_counter() - start < seconds:
            time.sleep(0.002)
        return time.perf_counter() - start


class SparsifyTest(ComputingTest):
    """A fresh Sparsify for each test."""

    kind = OWSparsify

    def choose(self, epsilon, widget=None):
        """Set epsilon by hand, and wait for the result."""
        (widget or self.widget).choice.set_epsilon(epsilon)
        self.settle(widget)
