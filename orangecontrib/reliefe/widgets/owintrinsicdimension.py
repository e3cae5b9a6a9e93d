"""Intrinsic Dimension: how many directions the data need, estimated from distances to the nearest neighbours."""

from functools import partial

import numpy as np
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Msg, Output

from ..core.data.facts import no_features
from ..core.words import counted, rough_percent, sentence
from ..orange.dimension import (
    ESTIMATORS,
    MIN_ROWS_OF_ESTIMATE,
    TWO_NN,
    DimensionRequest,
    Estimates,
    fit_of,
    run,
    summary_table,
)
from ..orange.stored_settings import one_of
from .single.dimension_chart import DimensionChart
from .utils.computing import OWComputing
from .utils.controls import choices, form
from .utils.strip import Line
from .utils.task import STOPPED

MIN_RELIABLE_ROWS = 100
TWOFOLD = 2.0  # estimates that differ by this factor contradict each other
GOOD_FIT = 0.9  # r² from which the points lie on a line
FULL_SHARE = 0.9  # of the columns: a dimension that is nearly their number
DISCARD_STEP = 0.1
MIN_ROWS = 3
NOTHING = "–"
MAX_ROWS = (100, 1_000_000)
TIPS = {
    TWO_NN: "From the ratio of the distances to the two nearest neighbours (Facco et al. 2017)",
    "mle": "From the distances to the 10 nearest neighbours (Levina and Bickel 2005)",
}


class OWIntrinsicDimension(OWComputing):
    """Two estimators side by side, the fit that one of them is made from, and the estimates from fewer rows."""

    name = "Intrinsic Dimension"
    description = "Estimate how many dimensions the data have, from distances to the nearest neighbours"
    icon = "icons/intrinsic-dimension.svg"
    priority = 60
    keywords = "dimension, dimensionality, twonn, two nearest neighbours, mle, embedding, manifold, reliefe, latent"

    empty = Estimates
    chart_class = DimensionChart
    graph_name = "chart"
    nothing = "Connect data to see how many dimensions they have, and whether more rows would show more"
    coming = "The fit, and the dimension by number of rows, will appear here"

    class Outputs:
        data = Output("Data", Table, default=True)
        summary = Output("Summary", Table, dynamic=False)

    class Error(OWComputing.Error):
        no_features = Msg("{}, so rows have no distances. Choose features with Select Columns")
        too_few = Msg("The data have fewer than three rows. Connect data with more")

    class Warning(OWComputing.Warning):
        duplicates = Msg("{} equal to another row, and counted once")
        kept_duplicates = Msg("{} equal to another row, so the estimate may be far too low. Tick Count equal rows once")
        few_rows = Msg("The data have only {:,} rows, so the estimate is rough, and too low if the dimension is high")
        doubtful = Msg("{}")
        differ = Msg(
            "The estimators disagree: {} by two nearest neighbours, {} by maximum likelihood. Rely on neither: use "
            "more rows, leave out noisy columns, or count equal rows once"
        )
        poor_fit = Msg(
            "The estimate does not fit the distances well (r² {:.2f}; 0.9 is good), so it is rough. Use more rows, "
            "discard the top 10 %, or try the other estimator"
        )
        full = Msg("The dimension is nearly the number of columns, {:,}, so an embedding would not simplify the data")

    class Information(OWComputing.Information):
        sample = Msg("A random sample of {:,} of {:,} rows is used")
        missing = Msg("Missing values ({} of all) are replaced by means or the most frequent values")

    settings_version = 1
    method = Setting(TWO_NN, fits=one_of(*ESTIMATORS))  # the estimator that leads
    discard_tenth = Setting(False)
    dedupe = Setting(True)
    max_rows = Setting(5000)
    seed = Setting(0)

    # Anatomy ---------------------------------------------------------------------------------------------------------

    def add_controls(self):
        offered = [(title, method, TIPS[method]) for method, title in ESTIMATORS.items()]
        self.methods = choices("Estimator", offered, self.method, "The estimator that gives the large number")
        self.methods.activated.connect(self._method_changed)
        once = "Count equal rows once. Otherwise they are each other's neighbours, and the dimension is too low"
        self.once = self.check_box("Count &equal rows once", "dedupe", once)
        tenth = "Leave out the 10 % of rows with the largest ratios of distances, which are the noisiest"
        self.tenth = self.check_box("&Discard the top 10 %", "discard_tenth", tenth)
        self.rows = self.spin("Rows at most", "max_rows", *MAX_ROWS, "larger data are sampled")
        self.seeds = self.spin("Random seed", "seed", 0, 10**6, "of the samples of rows")
        rows = form()
        gui.vBox(self.controlArea, "Estimate").layout().addLayout(rows)
        rows.addRow("&Estimator", self.methods)
        rows.addRow(self.tenth)
        rows.addRow(self.once)
        rows.addRow("&Rows at most", self.rows)
        rows.addRow("Random &seed", self.seeds)

    # Data and tasks --------------------------------------------------------------------------------------------------

    @OWComputing.Inputs.data
    def set_data(self, data):
        self.Outputs.data.send(data)
        super().set_data(data)

    def refuse(self):
        if not self.data.domain.attributes:
            return partial(self.Error.no_features, sentence(no_features()))
        return self.Error.too_few if len(self.data) < MIN_ROWS else None

    def work(self):
        request = DimensionRequest(DISCARD_STEP * self.discard_tenth, self.dedupe, self.max_rows, self.seed)
        return run, self.data, request, self.result

    def send_result(self, now):
        """Send the estimates at once; overrides OWComputing.send_result."""
        self.Outputs.summary.send(summary_table(self.result))

    # What the user does ----------------------------------------------------------------------------------------------

    def _method_changed(self):
        self.method = self.methods.currentData()
        self._show()

    # Views -----------------------------------------------------------------------------------------------------------

    @property
    def shown(self):
        return any(np.isfinite(result.estimate) for result in self.result.found.values())

    def show_views(self):
        result = self.result.last(self.method)
        self.chart.show_estimates(self.result, self.method)
        if result is None:
            large = text = ""
        elif not np.isfinite(result.estimate):
            large, text = NOTHING, "no estimate"
        elif result.rows < MIN_ROWS_OF_ESTIMATE:
            large, text = NOTHING, f"too few rows for an estimate: {result.rows} of at least {MIN_ROWS_OF_ESTIMATE}"
        else:
            columns = self.result.columns
            ends = sorted({min(max(round(estimate), 1), columns) for estimate in self._apart}) or [result.dimension]
            large, word = " to ".join(f"{end:,}" for end in ends), "dimension" if ends == [1] else "dimensions"
            text = f"{word} of {counted(columns, 'column')}" + "; the estimators disagree" * (len(ends) > 1)
            if not self.result.final:
                text += f", from {counted(result.rows, 'row')} so far"
        self.headline.show_result(large, text, list(self._lines()))
        self._show_messages(result)

    @property
    def _apart(self) -> list[float]:
        """Estimates that contradict each other; none if they do not."""
        last = [self.result.last(method) for method in ESTIMATORS]
        estimates = [result.estimate for result in last if result is not None]
        positive = [estimate for estimate in estimates if estimate > 0]  # not NaN
        if len(positive) < len(ESTIMATORS) or max(positive) < TWOFOLD * min(positive):
            return []
        return positive

    def _lines(self):
        for number, (method, title) in enumerate(ESTIMATORS.items()):
            result = self.result.last(method)
            if result is not None:
                interval = "" if result.interval is None else "{:.2f} to {:.2f} (95 %)".format(*result.interval)
                fit = f"r² {fit_of(result):.3f}" if np.isfinite(fit_of(result)) else ""
                remark = ", ".join(filter(None, [interval, fit, counted(result.rows, "row")]))
                value = f"{result.estimate:.2f}" if np.isfinite(result.estimate) else NOTHING
                yield Line(title, f"<b>{value}</b>", remark, number, TIPS[method])

    def summary(self):
        result = self.result.last(self.method)
        if result is None:
            return ""
        stopped = "stopped early; " if self.run_state == STOPPED and not self.result.final else ""
        usable = np.isfinite(result.estimate) and result.rows >= MIN_ROWS_OF_ESTIMATE
        what = f"d = {result.dimension:,}" if usable else "no estimate"
        return f"{ESTIMATORS[self.method]}: {stopped}{what} from {counted(result.rows, 'row')}"

    def _show_messages(self, result):
        self.Warning.clear()
        self.Information.clear()
        estimates = self.result
        if result is None:
            return
        self.Information.sample(estimates.sample, estimates.rows, shown=estimates.sample < estimates.rows)
        self.Information.missing(rough_percent(estimates.missing), shown=estimates.missing > 0)
        self.Warning.duplicates(counted(result.duplicates, "row is", "rows are"), shown=result.duplicates > 0)
        self.Warning.kept_duplicates(counted(estimates.equal, "row is", "rows are"), shown=estimates.equal > 0)
        self.Warning.doubtful(sentence(result.note), shown=bool(result.note))
        usable = np.isfinite(result.estimate)
        self.Warning.few_rows(result.rows, shown=bool(usable) and result.rows < MIN_RELIABLE_ROWS)
        self.Warning.poor_fit(fit_of(result), shown=bool(usable) and fit_of(result) < GOOD_FIT)
        apart = self._apart
        self.Warning.differ(*(f"{estimate:.3g}" for estimate in apart), shown=bool(apart))
        full = estimates.columns > MIN_ROWS and result.dimension >= FULL_SHARE * estimates.columns
        self.Warning.full(estimates.columns, shown=bool(usable) and full)

    def send_report(self):
        if self.data is None:
            return
        self.report_domain("Data", self.data.domain)
        discard = "the top 10 %" if self.discard_tenth else "nothing"
        settings = [("Rows at most", f"{self.max_rows:,}"), ("Discarded", discard)]
        settings += [("Equal rows", "counted once" if self.dedupe else "all counted"), ("Random seed", self.seed)]
        self.report_items("Settings", settings)
        if self.result.last(self.method) is not None:
            self.report_items("Dimension", [("Dimension", self.headline.large.text()), *self.headline.texts()])
            self.report_plot()


if __name__ == "__main__":
    WidgetPreview(OWIntrinsicDimension).run(Table("brown-selected"))
