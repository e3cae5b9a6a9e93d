"""Sparsify: small values become zero, or a little larger, at random, so that their expected values stay."""

from functools import partial

import numpy as np
from Orange.data import Table
from Orange.preprocess.preprocess import Preprocess
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Msg, Output

from ..core.data.facts import no_rows
from ..core.words import counted, rough_percent, sentence
from ..orange.sparsify_job import SparsifiedResult, SparsifyRequest, preprocessor_of, run
from .single.epsilon import MAX_EPSILON, EpsilonBox
from .utils.computing import OWComputing
from .utils.controls import form
from .utils.settings import auto_send
from .utils.strip import Line

MAX_SEED = 10**6
NO_EPSILONS = np.zeros(0)


class OWSparsify(OWComputing):
    """The headline shows what the chosen epsilon left of the data, and what it cost."""

    name = "Sparsify"
    description = "Make data sparse at random, so that expected values stay and the error is bounded"
    icon = "icons/sparsify.svg"
    priority = 70
    keywords = "sparse, density, threshold, epsilon, matrix sparsification, prms, csr, reliefe"

    empty = SparsifiedResult
    nothing = "Connect data to make them sparse"
    coming = "The density of the sparse data will appear here"

    class Outputs:
        data = Output("Data", Table, default=True)
        preprocessor = Output("Preprocessor", Preprocess, dynamic=False)

    class Error(OWComputing.Error):
        no_numeric = Msg("The data have no numeric features to make sparse. Connect data with numbers")
        no_rows = Msg("{}. Connect data with some")

    class Warning(OWComputing.Warning):
        nothing = Msg("All values are zero, so the data stay as they are")
        denser = Msg("The data did not become sparser. Choose a larger epsilon")

    class Information(OWComputing.Information):
        categorical = Msg("{} unchanged, since only numbers become sparse")
        missing = Msg("{} missing. To fill them in, use Impute first")

    settings_version = 1
    automatic = Setting(True)
    epsilon = Setting(0.0)  # 0: none was ever chosen
    scaled = Setting(True)
    seed = Setting(0)
    auto_apply = Setting(True)

    # Anatomy ---------------------------------------------------------------------------------------------------------

    def add_controls(self):
        self._offered = None  # the epsilons that the slider goes through
        if not 0 < self.epsilon <= MAX_EPSILON:
            self.automatic, self.epsilon = True, 0.0
        self.choice = EpsilonBox(self.automatic, self.epsilon)
        self.choice.changed.connect(self._choice_changed)
        gui.vBox(self.controlArea, "Threshold").layout().addWidget(self.choice)
        units = "Columns in units of their &range"
        about = "Divide values by the range of their column before, as ReliefE does, and multiply by it afterwards"
        self.units = self.check_box(units, "scaled", about)
        self.seeds = self.spin("Random seed", "seed", 0, MAX_SEED, "the same seed makes the same table")
        box = gui.vBox(self.controlArea, "Options")
        box.layout().addWidget(self.units)
        rows = form()
        box.layout().addLayout(rows)
        rows.addRow("Random &seed", self.seeds)
        auto_send(self)

    # Data and tasks --------------------------------------------------------------------------------------------------

    def refuse(self):
        if not any(v.is_continuous for v in self.data.domain.attributes):
            return self.Error.no_numeric
        return None if len(self.data) else partial(self.Error.no_rows, sentence(no_rows()))

    def work(self):
        return (
            run,
            self.data,
            SparsifyRequest(None if self.automatic else self.epsilon, self.scaled, self.seed),
            self.result,
        )

    # What the user does ----------------------------------------------------------------------------------------------

    def _choice_changed(self):
        self.automatic, self.epsilon = self.choice.automatic, self.choice.epsilon
        self.setting_changed("epsilon")

    def setting_changed(self, setting):
        self.changed(None if setting == "scaled" else self.result.cleared())
        self._show()

    # Views -----------------------------------------------------------------------------------------------------------

    @property
    def _chosen(self):
        return self.result.automatic if self.automatic else self.epsilon

    @property
    def shown(self):
        return self.result.epsilons is not None and len(self.result.epsilons) > 0

    def show_views(self):
        outcome, sparsified = self.result, self.result.sparsified
        if outcome.epsilons is not self._offered or outcome.epsilons is None:
            self._offered = outcome.epsilons
            self.choice.set_grid(NO_EPSILONS if outcome.epsilons is None else outcome.epsilons, outcome.automatic)
        if sparsified is None:
            self.headline.show_result("", "", [])
        else:
            about = f"density: share of entries that are not zero; before {sparsified.before:.3g}"
            self.headline.show_result(f"{sparsified.after:.3g}", about, list(self._lines()))
        self._show_messages(sparsified)

    def _lines(self):
        sparsified, outcome = self.result.sparsified, self.result
        before = sparsified.before * outcome.numeric.cells
        yield Line("Values that are not zero", f"<b>{sparsified.X.nnz:,}</b>", f"before {before:,.0f}")
        unit = "of a column's range" if self.scaled else ""
        remark = f"{unit}, epsilon {sparsified.epsilon:.4g}".strip(", ")
        yield Line("Threshold", f"<b>{sparsified.threshold:.3g}</b>", remark)
        if np.isfinite(outcome.error):
            share = (
                f"{rough_percent(outcome.error / outcome.norm)} of the largest singular value" if outcome.norm else ""
            )
            about = "Spectral norm of the difference between the data before and after"
            yield Line("Error", f"<b>{outcome.error:.3g}</b>", share, tooltip=about)
        else:
            yield Line("Error", "–", "not measured yet")
        bound = "in the order of epsilon, with high probability"
        yield Line(
            "Error bound", f"{sparsified.epsilon:.3g}", bound, tooltip="A multiple of epsilon (ReliefE's Algorithm 1)"
        )

    def summary(self):
        sparsified = self.result.sparsified
        if sparsified is None:
            return ""
        rows, columns = sparsified.X.shape
        how = "automatic" if self.automatic else "by hand"
        return f"Epsilon {sparsified.epsilon:.4g} ({how}), {counted(rows, 'row')}, {counted(columns, 'numeric column')}"

    def _show_messages(self, sparsified):
        attributes = self.data.domain.attributes if self.data is not None else ()
        categorical = sum(v.is_discrete for v in attributes)
        unknown = len(self.result.numeric.unknown[0]) if sparsified else 0
        text = counted(categorical, "categorical feature stays", "categorical features stay")
        self.Information.categorical(text, shown=0 < categorical < len(attributes))
        text = counted(unknown, "missing value stays", "missing values stay")
        self.Information.missing(text, shown=unknown > 0)
        self.Warning.nothing(shown=sparsified is not None and sparsified.before == 0)
        self.Warning.denser(shown=sparsified is not None and 0 < sparsified.before <= sparsified.after)

    # Outputs ---------------------------------------------------------------------------------------------------------

    @gui.deferred
    def commit(self):
        attributes = () if self.data is None else self.data.domain.attributes
        self.Outputs.data.send(self.result.table)
        self.Outputs.preprocessor.send(preprocessor_of(self.result, attributes, self.seed))

    def send_report(self):
        if self.data is None:
            return
        self.report_domain("Data", self.data.domain)
        how = "automatic" if self.automatic else "by hand"
        self.report_items("Settings", [("Epsilon", f"{self._chosen:.4g} ({how})"), ("Random seed", self.seed)])
        if self.result.sparsified is not None:
            self.report_items("Result", [("Density", self.headline.large.text()), *self.headline.texts()])


if __name__ == "__main__":
    WidgetPreview(OWSparsify).run(Table("brown-selected"))
