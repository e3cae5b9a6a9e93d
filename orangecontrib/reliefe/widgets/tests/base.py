"""Base of the tests of rankers."""

from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QColor, QPalette
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table
from Orange.widgets.widget import AttributeList

from orangecontrib.reliefe.core import METHODS, methods
from orangecontrib.reliefe.core.inference import significance
from orangecontrib.reliefe.orange.jobs import p_values
from orangecontrib.reliefe.orange.jobs.job import Job
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.ranker.methodpanel import MethodPanel
from orangecontrib.reliefe.widgets.tests.widgettest import WidgetTest, owner_of

# Columns of the table of features: the rank, the name, the chart of values, and the scores of the methods
RANK = 0
NAME = 1
VALUES = 2
FIRST_SCORE = 3
QUICK = ("multisurf", "rrelieff")  # methods that are ticked at first here: an embedding would take its time
FEW_SCORES = 260  # of shuffled targets, pooled for p-values: 20 shuffles of 13 features, where people wait for 154
NO_PARTS = 60.0  # seconds between partial p-values, each of which draws the ranking anew


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


def table_of_scores(names, scores):
    """Scores of features as Rank and other programs have them: a column for each title, and the names as metas."""
    domain = Domain([ContinuousVariable(title) for title in scores], metas=[StringVariable("Feature")])
    metas = np.array(names, object)[:, None]
    return Table.from_numpy(domain, np.column_stack(list(scores.values())), metas=metas)


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


def method_panel(**stored):
    """The panel of all methods of the core with these settings, without presets."""
    return MethodPanel(owner_of(MethodPanel, preset="", **stored), methods())


def core_job(name):
    """A method with its defaults."""
    return Job.of(name, {parameter.name: parameter.default for parameter in METHODS[name].parameters})


class RankerTest(WidgetTest):
    """Tests of a ranker, by default of Rank via ReliefE with two quick methods."""

    kind = OWReliefE
    usual = {"methods": list(QUICK)}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.heart = Table("heart_disease")
        cls.housing = Table("housing")
        for module, name, value in ((significance, "POOL_SIZE", FEW_SCORES), (p_values, "EVERY", NO_PARTS)):
            patched = patch.object(module, name, value)
            patched.start()
            cls.addClassCleanup(patched.stop)

    def ready(self, data, widget=None, features=None):
        """Send data, and wait for the ranking."""
        widget = widget or self.widget
        features = features and AttributeList(features)
        signals = [(widget.Inputs.data, data), (widget.Inputs.features, features)]
        self.send_signals(signals, widget=widget)
        return self.settle(widget)

    @property
    def leading(self):
        """The scores that lead; None before there are any."""
        return self.widget.area.lead

    def tick(self, *names):
        """Tick these methods and no others, as a user would: one click after the other."""
        methods = self.widget.panel.list
        for method in methods.methods:
            methods.by_name[method.name].setCheckState(Qt.Checked if method.name in names else Qt.Unchecked)

    def highlight(self, name):
        """Show the parameters of a method."""
        methods = self.widget.panel.list
        methods.highlight(name)
