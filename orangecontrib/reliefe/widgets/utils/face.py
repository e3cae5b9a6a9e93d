"""What a ranker shows to the outside: signals, messages and settings."""

from Orange.data import Table
from Orange.preprocess.preprocess import Preprocess
from Orange.preprocess.score import Scorer
from Orange.widgets.settings import Setting
from Orange.widgets.widget import AttributeList, Input, Msg, Output, OWWidget

from .selection import BEST


class OWRankerFace(OWWidget, openclass=True):
    """Declarations; settings are plain literals, so that saved workflows can be read and compared."""

    graph_name = "area.plot.plotItem"

    class Inputs:
        data = Input("Data", Table)
        features = Input("Features", AttributeList)

    class Outputs:
        reduced = Output("Reduced Data", Table, default=True)
        scores = Output("Scores", Table, dynamic=False)
        features = Output("Features", AttributeList, dynamic=False)
        scorer = Output("Scorer", Scorer, dynamic=False)
        preprocessor = Output("Preprocessor", Preprocess, dynamic=False)

    class Error(OWWidget.Error):
        no_features = Msg("The data have no features to rank")
        no_candidates = Msg("None of the features on the input is a feature of the data")
        no_target = Msg("The data have no target: choose one with Select Columns")
        not_ranked = Msg("No method here ranks for {}: choose one target with Select Columns")
        one_class = Msg("All rows have the same class, {}: connect data with at least two classes")
        failed = Msg("{}")
        unexpected = Msg("Ranking failed: {}")

    class Warning(OWWidget.Warning):
        unknown_features = Msg("{:,} of the features on the input are not among those of the data")
        method_failed = Msg("{}")

    class Information(OWWidget.Information):
        unlabelled = Msg("{:,} rows without a target value are not used")
        no_method = Msg("No method for {} is ticked")

    settings_version = 1
    methods = Setting(None)  # names of the ticked ones; None: the usual
    current = Setting("")  # name of the highlighted one
    parameters = Setting({})  # {method: {parameter: value}}, only what differs from the defaults
    leading = Setting("")  # name of a method
    mode = Setting(BEST)
    n_best = Setting(10)
    threshold = Setting(0.0)
    manual = Setting([], schema_only=True)  # names of features
    more_open = Setting(False)
    log_ranks = Setting(None)  # None: for many features
    splitter = Setting([])
    auto_apply = Setting(True)

    data = candidates = None

    @Inputs.data
    def set_data(self, data):
        self.data = data

    @Inputs.features
    def set_candidates(self, features):
        self.candidates = features

    @classmethod
    def migrate_settings(cls, settings, version):
        """Version 1 is the first; values of a wrong type, from wherever they come, give way to the defaults."""
        kinds = {"methods": (list, type(None)), "parameters": dict, "manual": list, "splitter": list}
        kinds |= dict.fromkeys(("current", "leading", "mode"), str)
        kinds |= {"n_best": int, "threshold": (int, float), "log_ranks": (bool, type(None))}
        for name, kind in kinds.items():
            if name in settings and not isinstance(settings[name], kind):
                del settings[name]
