"""Outside of Feature Interactions: signals, messages, settings, and the report."""

from Orange.data import Table
from Orange.widgets.settings import Setting
from Orange.widgets.widget import AttributeList, Input, Msg, Output

from ..utils.computing import OWComputing
from ..utils.problem import task_of
from ..utils.settings import between, strings, tables
from .area import InteractionsArea
from .job import NETWORK, Found
from .panel import DEFAULT, ScoresInput, Shortlist

FEATURES = 10, 200  # that can be looked at
SHUFFLES = 2, 1000
REPORTED = 30  # pairs in a report


class OWInteractionsFace(OWComputing, openclass=True):
    """Declarations, and what came in; settings are plain literals, so that saved workflows can be read and compared."""

    graph_name = "area.network"
    empty = Found
    chart_class = InteractionsArea

    class Inputs(OWComputing.Inputs):
        scores = Input("Scores", Table)
        features = Input("Features", AttributeList)

    class Outputs:
        reduced = Output("Reduced Data", Table, default=True)
        features = Output("Features", AttributeList, dynamic=False)
        pairs = Output("Pairs", Table, dynamic=False)
        network = Output("Network", NETWORK, dynamic=False, auto_summary=False)

    class Error(OWComputing.Error):
        too_few = Msg("At least four rows are needed")
        no_features = Msg("At least two features are needed: connect data with more")
        one_class = Msg("All rows are of one class, {}: there is nothing to tell apart; connect data with at least two")
        no_target = Msg("The data have no target, so there is nothing to tell together: choose one with Select Columns")
        no_candidates = Msg("Fewer than two of the features on the input are in the data: connect those of these data")
        no_scores = Msg("Scores name fewer than two features of the data: connect scores of these data, with a column "
                        "of names")  # fmt: skip

    class Warning(OWComputing.Warning):
        unknown_features = Msg("{} on the input, but not in the data")
        too_many = Msg("Only the first {:,} of {:,} features on the input are looked at")
        not_saved = Msg("{}")

    class Information(OWComputing.Information):
        unfit = Msg("The chosen method does not rank for {}; {} does")
        not_thorough = Msg("Thorough pairs are there for one target only: the nearest rows are taken instead")

    settings_version = 1
    method = Setting(DEFAULT)
    column = Setting("")  # of the scores on the input
    n_features = Setting(60, fits=between(*FEATURES))
    n_shuffles = Setting(20, fits=between(*SHUFFLES))
    thorough = Setting(False)
    seed = Setting(0, fits=between(0, 10**6))
    alone = Setting(True)  # features without partners are shown
    chosen = Setting([], schema_only=True, fits=strings)  # names of a pair, or of one feature
    moved = Setting({}, schema_only=True, fits=tables)  # places of nodes by name: {"x": ..., "y": ...}
    auto_apply = Setting(True)

    scores = features = None
    told_scores = ScoresInput({}, {})

    @Inputs.data
    def set_data(self, data):
        self.cancel()
        self.data, self.result = data, self.empty()

    @Inputs.scores
    def set_scores(self, scores):
        self.scores, self.told_scores = scores, ScoresInput.read(scores)

    @Inputs.features
    def set_features(self, features):
        self.features = features

    @property
    def kind(self) -> str | None:
        """Kind of the target; None without data."""
        return None if self.data is None else task_of(self.data.domain)

    def given(self) -> Shortlist | None:
        """Features on the input, or those that scores on the input name; None: rank."""
        known = self.data.domain.attributes
        if self.features is not None:
            there = {variable.name for variable in known}
            names = [name for name in dict.fromkeys(variable.name for variable in self.features) if name in there]
            return self.told_scores.about(names[: FEATURES[1]], self.column, known)
        return None if self.scores is None else self.told_scores.shortlist(self.column, known)

    def send_report(self):
        network = self.result.network
        if self.data is None:
            return
        self.report_domain("Data", self.data.domain)
        asked = [("Shuffles", self.n_shuffles), ("Pairs of rows", "zones" if self.thorough else "nearest rows")]
        self.report_items("Settings", [*asked, ("Random seed", self.seed), ("Features", self.strip.label.text())])
        if network is None:
            return
        self.report_items("Network", [("Edges", f"{len(network.linked):,}"), *self.headline.texts()])
        self.report_plot("Network", self.area.network)
        pairs = self.area.list.model
        self.report_table("Pairs", pairs.as_table(pairs.rows[:REPORTED]), header_rows=1)
        if len(self.chosen) == 2:
            self.report_plot(" and ".join(self.chosen), self.area.detail.chart)
