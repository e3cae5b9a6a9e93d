"""Sparsify: small values become zero, or a little larger, at random, so that their expected values stay."""

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QCheckBox, QFormLayout, QSpinBox
from Orange.data import Table
from Orange.preprocess.preprocess import Preprocess
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg, Output

from .utils.colors import lift_indicators
from .utils.computing import OWComputing
from .utils.densitychart import DensityChart
from .utils.epsilon import LARGEST, EpsilonBox
from .utils.headline import Headline, Line
from .utils.sparsejob import Curve, Outcome, Request, preprocessor_of, run
from .utils.task import RUNNING

MOST_SEED = 10**6
NO_DATA = "Connect data to make them sparse"
NO_CURVE = Curve(np.zeros(0), np.zeros(0))


class OWSparsify(OWComputing):
    """The curve shows what each epsilon would leave; the headline what the chosen one left, and what it cost."""

    name = "Sparsify"
    description = "Make data sparse at random, so that expected values stay and the error is bounded"
    icon = "icons/sparsify.svg"
    priority = 70
    keywords = "sparse, density, threshold, epsilon, matrix sparsification, prms, csr, reliefe"
    graph_name = "chart"

    class Inputs:
        data = Input("Data", Table)

    class Outputs:
        data = Output("Data", Table, default=True)
        preprocessor = Output("Preprocessor", Preprocess, dynamic=False)

    class Error(OWComputing.Error):
        no_numeric = Msg("The data have no numeric features: there is nothing to sparsify")
        no_rows = Msg("The data have no rows")

    class Warning(OWComputing.Warning):
        nothing = Msg("All values are zero: the data stay as they are")
        denser = Msg("Nothing became sparser: choose a larger epsilon")

    class Information(OWComputing.Information):
        categorical = Msg("{:,} categorical features stay as they are")
        missing = Msg("{:,} missing values stay missing; impute them first if that is not wanted")

    settings_version = 1
    automatic = Setting(True)
    epsilon = Setting(0.0)  # 0: none was ever chosen
    scaled = Setting(True)
    seed = Setting(0)
    auto_apply = Setting(True)

    def __init__(self):
        super().__init__()
        self.data, self.outcome, self._fresh = None, Outcome(), False
        if not 0 < self.epsilon <= LARGEST:
            self.automatic, self.epsilon = True, 0.0
        self._control_area()
        self.headline, self.chart = Headline(), DensityChart()
        self.mainArea.layout().addWidget(self.headline)
        self.mainArea.layout().addWidget(self.chart, 1)
        self.mainArea.layout().addWidget(self.strip)
        self.chart.epsilon_moved.connect(self.choice.set_epsilon)
        lift_indicators(self)
        self._show_data()

    # Anatomy ---------------------------------------------------------------------------------------------------------

    def _control_area(self):
        self.choice = EpsilonBox(self.automatic, self.epsilon)
        self.choice.changed.connect(self._changed)
        gui.vBox(self.controlArea, "Threshold").layout().addWidget(self.choice)
        units = "Columns in units of their &range"
        about = "Values are divided by the range of their column, made sparse, and multiplied again; as ReliefE does"
        self.units = QCheckBox(units, checked=self.scaled, toolTip=about)
        self.units.clicked.connect(self._units_changed)
        seeds = f"Random seed, from 0 to {MOST_SEED:,}: the same seed makes the same table"
        self.seeds = QSpinBox(
            maximum=MOST_SEED, alignment=Qt.AlignRight, keyboardTracking=False, accessibleName="Random seed",
            toolTip=seeds,
        )  # fmt: skip
        self.seeds.setValue(self.seed)
        self.seed = self.seeds.value()
        self.seeds.valueChanged.connect(self._changed)
        box = gui.vBox(self.controlArea, "Options")
        box.layout().addWidget(self.units)
        form = QFormLayout(labelAlignment=Qt.AlignLeft)
        box.layout().addLayout(form)
        form.addRow("Random &seed", self.seeds)
        gui.rubber(self.controlArea)
        gui.auto_send(self.buttonsArea, self, "auto_apply")

    # Data and tasks --------------------------------------------------------------------------------------------------

    @Inputs.data
    def set_data(self, data):
        self.cancel()
        self.data, self.outcome, self._fresh = data, Outcome(), True
        self.Information.clear()
        self._show_data()
        if data is not None:
            categorical = sum(v.is_discrete for v in data.domain.attributes)
            self.Information.categorical(categorical, shown=0 < categorical < len(data.domain.attributes))
        self.restart()

    def next_task(self):
        """What is to run now: None without anything to sparsify."""
        self.Error.clear()
        self.Warning.clear()
        if self.data is None:
            return None
        if not any(v.is_continuous for v in self.data.domain.attributes):
            self.Error.no_numeric()
        elif not len(self.data):
            self.Error.no_rows()
        else:
            return run, self.data, self._request(), self.outcome
        return None

    def _request(self):
        return Request(None if self.automatic else self.epsilon, self.scaled, self.seed)

    def show_result(self, result, final):
        """From partial results, the end, a stop, and nothing to do (the last two: None, keep what there is)."""
        if result is not None:
            fresh, self.outcome = self.outcome.curve is None, result
            if fresh:
                self._show_data()
        self._show()
        if final:
            # Nothing after here may belong to old data, whatever the user wants for changes.
            (self.commit.now if self._fresh else self.commit.deferred)()
            self._fresh = False

    def forget(self):
        self.outcome = Outcome()
        self._show_data()
        self.commit.now()

    # What the user does ----------------------------------------------------------------------------------------------

    def _changed(self):
        self.automatic, self.epsilon, self.seed = self.choice.automatic, self.choice.epsilon, self.seeds.value()
        self.outcome = self.outcome.cleared()
        self._show()
        self.restart_soon()

    def _units_changed(self):
        self.scaled = self.units.isChecked()
        self.outcome = Outcome()
        self.restart_soon()

    # Views -----------------------------------------------------------------------------------------------------------

    def _show_data(self):
        outcome = self.outcome
        curve = NO_CURVE if outcome.curve is None else outcome.curve
        self.choice.set_grid(curve.epsilon, outcome.automatic)
        self.chart.show_curve(curve, outcome.automatic)
        self._show()

    @property
    def _chosen(self):
        return self.outcome.automatic if self.automatic else self.epsilon

    def _show(self):
        outcome, found = self.outcome, self.outcome.sparsified
        self.chart.show_choice(self._chosen, np.nan if found is None else found.after)
        if outcome.curve is None:
            self.headline.show_result("", "" if self.data is not None else NO_DATA, [])
        elif found is None:
            expected = f"{outcome.curve.at(self._chosen):.3g}" if len(outcome.curve.epsilon) else "0"
            self.headline.show_result(expected, "expected density: share of entries that are not zero", [])
        else:
            about = f"density: share of entries that are not zero; before {found.before:.3g}"
            self.headline.show_result(f"{found.after:.3g}", about, list(self._lines()))
            self._show_messages(found)
        if self.run_state != RUNNING:  # then the strip shows what the task says
            self.strip.set_text(self._summary())

    def _lines(self):
        found, outcome = self.outcome.sparsified, self.outcome
        before = found.before * outcome.numeric.cells
        yield Line("Values that are not zero", f"<b>{found.X.nnz:,}</b>", f"before {before:,.0f}")
        unit = "of a column's range" if self.scaled else ""
        yield Line("Threshold", f"<b>{found.threshold:.3g}</b>", f"{unit}, epsilon {found.epsilon:.4g}".strip(", "))
        if np.isfinite(outcome.error):
            share = f"{100 * outcome.error / outcome.norm:.3g} % of the largest singular value" if outcome.norm else ""
            about = "Spectral norm of the difference between the data before and after"
            yield Line("Error", f"<b>{outcome.error:.3g}</b>", share, tooltip=about)
        else:
            yield Line("Error", "–", "not measured yet")
        bound = "in the order of epsilon, with high probability"
        yield Line(
            "Error bound", f"{found.epsilon:.3g}", bound, tooltip="A multiple of epsilon (ReliefE's Algorithm 1)"
        )

    def _summary(self):
        found = self.outcome.sparsified
        if found is None:
            return ""
        rows, columns = found.X.shape
        how = "automatic" if self.automatic else "by hand"
        return f"Epsilon {found.epsilon:.4g} ({how}), {rows:,} rows, {columns:,} numeric columns"

    def _show_messages(self, found):
        unknown = len(self.outcome.numeric.unknown[0])
        self.Information.missing(unknown, shown=unknown > 0)
        self.Warning.nothing(shown=found.before == 0)
        self.Warning.denser(shown=found.before > 0 and found.after >= found.before)

    # Outputs ---------------------------------------------------------------------------------------------------------

    @gui.deferred
    def commit(self):
        attributes = () if self.data is None else self.data.domain.attributes
        self.Outputs.data.send(self.outcome.table)
        self.Outputs.preprocessor.send(preprocessor_of(self.outcome, attributes, self.seed))

    def send_report(self):
        if self.data is None:
            return
        self.report_domain("Data", self.data.domain)
        how = "automatic" if self.automatic else "by hand"
        self.report_items("Settings", [("Epsilon", f"{self._chosen:.4g} ({how})"), ("Random seed", self.seed)])
        if self.outcome.sparsified is not None:
            self.report_items("Result", [("Density", self.headline.large.text()), *self.headline.texts()])
            self.report_plot()

    @classmethod
    def migrate_settings(cls, settings, version):
        """Version 1 is the first; values of a wrong type, from wherever they come, give way to the defaults."""
        kinds = {"automatic": bool, "epsilon": (int, float), "scaled": bool, "seed": int}
        for name, kind in kinds.items():
            if name in settings and not isinstance(settings[name], kind):
                del settings[name]


if __name__ == "__main__":
    WidgetPreview(OWSparsify).run(Table("brown-selected"))
