"""Base of the tests of widgets that compute something from one table."""

import numpy as np
from Orange.data import Table

from orangecontrib.reliefe.widgets.owsparsify import OWSparsify
from orangecontrib.reliefe.widgets.tests.widgettest import WidgetTest


def exponential(n=120, p=15, seed=0):
    """Mostly small values of both signs: much to leave out."""
    X = np.random.default_rng(seed).exponential(size=(n, p)) * np.random.default_rng(1).choice([-1, 1], (n, p))
    return Table.from_numpy(None, X, np.zeros(n))


class ComputingTest(WidgetTest):
    """Tests of a widget that computes something from one table."""

    def ready(self, data, widget=None):
        """Send data, and wait for the result."""
        widget = widget or self.widget
        self.send_signal(widget.Inputs.data, data, widget=widget)
        return self.settle(widget)


class SparsifyTest(ComputingTest):
    """Tests of Sparsify."""

    kind = OWSparsify

    def choose_epsilon(self, epsilon, widget=None):
        """Set epsilon by hand, and wait for the result."""
        (widget or self.widget).choice.set_epsilon(epsilon)
        self.settle(widget)
