"""Outside of Ranking Comparison: signals, messages and settings."""

from Orange.base import Learner
from Orange.data import Table
from Orange.preprocess.score import Scorer
from Orange.widgets.settings import Setting
from Orange.widgets.widget import AttributeList, Input, Msg, MultiInput, Output, OWWidget

from ..ranker.selection import BEST, MIN_SHARE, WITHOUT_TARGET
from ..utils.markup import PlainReports
from ..utils.settings import CheckedSettings, between, one_of, within


class OWComparisonFace(PlainReports, OWWidget, openclass=True):
    """Declarations, and what came in; settings are plain literals, so that saved workflows can be read and compared."""

    graph_name = "figure"

    class Inputs:
        scores = MultiInput("Scores", Table, default=True, filter_none=True)
        scorers = MultiInput("Scorers", Scorer, filter_none=True)
        data = Input("Data", Table)
        learner = Input("Learner", Learner)
        evaluations = MultiInput("Evaluations", Table, filter_none=True)

    class Outputs:
        reduced = Output("Reduced Data", Table, default=True)
        features = Output("Features", AttributeList, dynamic=False)
        aggregated = Output("Aggregated Scores", Table, dynamic=False)
        evaluation = Output("Evaluation", Table, dynamic=False)

    class Error(OWWidget.Error):
        failed = Msg("{}")
        unexpected = Msg("Comparison failed: {}")

    class Warning(OWWidget.Warning):
        no_rankings = Msg("Scores need a column of text with the names of features, and numeric columns: {}")
        scorer_failed = Msg("{}")
        not_compared = Msg("{}")

    class Information(OWWidget.Information):
        one_ranking = Msg("Only one ranking: connect another one to compare it with")
        scorers_need_data = Msg("Scorers rank only with data: connect Data, too")
        stability_needs = Msg("Stability needs scorers and data: the mean rank is used")

    settingsHandler = CheckedSettings()
    settings_version = 1
    tab = Setting("")  # title of the view that is shown
    view_settings = Setting({})  # {title of a view: its settings}
    aggregation = Setting("mean-rank")
    n_stable = Setting(16)  # best features of each half of the data
    left_out = Setting([], schema_only=True)  # titles of rankings
    added = Setting([], schema_only=True)  # titles of p-values and positions, which take part only if they are ticked
    mode = Setting(BEST, fits=one_of(*WITHOUT_TARGET))
    n_best = Setting(10, fits=between(1))
    threshold = Setting(0.0)
    share = Setting(10.0, fits=within(MIN_SHARE, 100))  # per cent of the features
    manual = Setting([], schema_only=True)  # names of features
    auto_apply = Setting(True)

    def __init__(self):
        super().__init__()
        self.tables, self.scorers, self.evaluations = [], [], []
        self.data = self.learner = None

    @Inputs.scores
    def set_scores(self, index, table):
        self.tables[index] = table

    @Inputs.scores.insert
    def insert_scores(self, index, table):
        self.tables.insert(index, table)

    @Inputs.scores.remove
    def remove_scores(self, index):
        self.tables.pop(index)

    @Inputs.scorers
    def set_scorer(self, index, scorer):
        self.scorers[index] = scorer

    @Inputs.scorers.insert
    def insert_scorer(self, index, scorer):
        self.scorers.insert(index, scorer)

    @Inputs.scorers.remove
    def remove_scorer(self, index):
        self.scorers.pop(index)

    @Inputs.evaluations
    def set_evaluation(self, index, table):
        self.evaluations[index] = table

    @Inputs.evaluations.insert
    def insert_evaluation(self, index, table):
        self.evaluations.insert(index, table)

    @Inputs.evaluations.remove
    def remove_evaluation(self, index):
        self.evaluations.pop(index)

    @Inputs.data
    def set_data(self, data):
        self.data = data

    @Inputs.learner
    def set_learner(self, learner):
        self.learner = learner
