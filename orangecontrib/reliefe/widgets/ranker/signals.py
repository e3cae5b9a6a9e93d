"""Messages of what methods noted about the data: each sentence once."""

from collections.abc import Callable, Mapping, Sequence

from Orange.data import Table
from Orange.preprocess.preprocess import Preprocess
from Orange.preprocess.score import Scorer
from Orange.widgets.settings import Setting
from Orange.widgets.widget import AttributeList, Input, Msg, MultiInput, Output, OWWidget

from ...core.words import shown, some
from ..utils.markup import PlainReports
from ..utils.problem import UNSUPERVISED, WORDS, Problem, texts_like_classes
from ..utils.remembered import fits
from ..utils.settings import (
    CheckedSettings,
    anything,
    between,
    maybe,
    one_of,
    strings,
    switch,
    wholes,
    within,
)
from .measures import told_of_lead
from .methodpanel import OWN, PRESETS, QUICK
from .pvalues import LEVEL, LEVELS
from .selection import BEST, MIN_SHARE, MODES, RESTRICT, USES
from .views import PLOT, VIEWS

WARNINGS, INFORMATION = "warnings", "information"  # keys of a ranking's info


def only_above_zero(taken: int, best: int) -> str:
    """Sentence about why fewer features than wanted are selected."""
    if not taken:
        return "No feature is taken, since no score is above zero"
    verb = "is" if taken == 1 else "are"
    return f"Only {taken:,} of the best {best:,} features {verb} taken, those with a score above zero"


def show_unfit(error, problem: Problem) -> None:
    """Show, as one of the errors of a widget, why none of its methods ranks for the target."""
    texts = texts_like_classes(problem.table)
    if problem.task != UNSUPERVISED:
        error.not_ranked(WORDS[problem.task])
    elif texts:
        listed = some([shown(name) for name in texts])
        error.text_target(f"Column {listed} was" if len(texts) == 1 else f"Columns {listed} were")
    else:
        error.no_target()


def not_among(chosen: Sequence[str], known: Sequence[str], place: str) -> str:
    """Sentence about chosen features that are not among the known ones, those in a place; empty if all are."""
    known = set(known)
    names = [shown(name) for name in dict.fromkeys(chosen) if name not in known]
    if len(names) == 1:
        return f"Feature {names[0]} of your selection is not {place}"
    return f"Features {some(names)} of your selection are not {place}" if names else ""


def sentences(notes: Mapping[str, Sequence[str]]) -> list[str]:
    """One sentence for each different note; notes: those of each method, by its title.

    What all methods note is said once and for all; other notes say whose they are.
    """
    whose: dict[str, list[str]] = {}
    for title, texts in notes.items():
        for text in texts:
            whose.setdefault(text.strip().rstrip("."), []).append(title)
    out = []
    for text, titles in whose.items():
        about = "" if len(set(titles)) == len(notes) else f"{', '.join(dict.fromkeys(titles))}: "
        out.append(about + (text if about else text[:1].upper() + text[1:]))
    return out


def say(message: Callable[..., object], text: str) -> None:
    """Show a text as a message of a widget; nothing without a text."""
    message(text, shown=bool(text))


def show(widget, told: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
    """Show the warnings and the information of rankings as the widget's, and no others.

    told: the info of rankings, by title.
    """
    for group, kind in ((widget.Warning, WARNINGS), (widget.Information, INFORMATION)):
        number = 0
        while hasattr(group, f"note_{number}"):
            getattr(group, f"note_{number}").clear()
            number += 1
        for number, text in enumerate(sentences({title: info.get(kind, ()) for title, info in told.items()})):
            group.add_message(f"note_{number}")
            getattr(group, f"note_{number}")(text)


REPORTED = 100  # rows of the table in a report


def level(value: object) -> bool:
    """One of the offered false discovery rates."""
    return isinstance(value, float) and value in LEVELS


NAMING = ("methods", "current", "leading", "parameters")  # settings that name methods


def renamed(stored: object) -> object:
    """Stored settings with the present names of methods in the place of earlier ones."""
    from ...core.methods.registry import ALIASES

    if isinstance(stored, dict):
        return {renamed(key): renamed(value) if isinstance(key, str) and key in NAMING else value
                for key, value in stored.items()}  # fmt: skip
    if isinstance(stored, list):
        return [renamed(value) for value in stored]
    return ALIASES.get(stored, stored) if isinstance(stored, str) else stored


class OWRankerFace(PlainReports, OWWidget, openclass=True):
    """Declarations, and the report; settings are plain literals, so that saved workflows can be read and compared."""

    graph_name = "area.figure"

    class Inputs:
        data = Input("Data", Table)
        features = Input("Features", AttributeList)
        scorers = MultiInput("Scorers", Scorer, filter_none=True)

    class Outputs:
        reduced = Output("Reduced Data", Table, default=True)
        scores = Output("Scores", Table, dynamic=False)
        features = Output("Features", AttributeList, dynamic=False)
        scorer = Output("Scorer", Scorer, dynamic=False)
        preprocessor = Output("Preprocessor", Preprocess, dynamic=False)
        # explicit: Data is what most inputs are called, and links that are made by themselves are for Reduced Data
        marked = Output("Data", Table, explicit=True)
        remaining = Output("Remaining", Table, explicit=True)

    class Error(OWWidget.Error):
        no_rows = Msg("The data have no rows")
        one_row = Msg("There is only one row: connect data with at least two")
        no_features = Msg("The data have no features to rank")
        no_candidates = Msg("The features on the input are not in the data: connect those of these data")
        no_target = Msg("The data have no target: choose one with Select Columns, or rank with URelief")
        text_target = Msg(
            "The data have no target. {} read as text. Change its type to categorical in the File widget "
            "(or Edit Domain), then set it as target"
        )
        not_ranked = Msg("No method here ranks for {}: choose one target with Select Columns")
        one_class = Msg("All rows are of one class, {}: there is nothing to tell apart; connect data with at least two")
        failed = Msg("{}")
        unexpected = Msg("Ranking failed: {}")

    class Warning(OWWidget.Warning):
        unknown_features = Msg("{} on the input, but not in the data")
        not_in_data = Msg("{}")
        numbers_rows = Msg("Feature {} numbers the rows. Remove it with Select Columns")
        method_failed = Msg("{}")
        not_saved = Msg("{}")
        stopped = Msg("Stopped early, so the ranking may still change: {}")
        no_information = Msg("No feature has two different values, so no ranking of these data tells anything")

    class Information(OWWidget.Information):
        no_method = Msg("Nothing is ranked: tick a method for {}")
        constant = Msg("Every row has the same value of {}")
        empty = Msg("No value is known of {}")
        hidden = Msg("{} with one value or none hidden from the table; they are still ranked")
        left_out = Msg("{}: All and Score ≥ take others, too")
        unused_target = Msg("The target takes no part in the ranking; it stays in Reduced Data")

    settingsHandler = CheckedSettings()
    settings_version = 4
    methods = Setting(None, fits=maybe(anything))  # names of the ticked ones; None: the usual
    preset = Setting(QUICK, fits=one_of(*PRESETS, OWN))  # where there are any: what is ticked for any data
    all_methods = Setting(False)  # whether the list of all methods is open
    scorers_open = Setting(False)  # whether the group of Orange's scores is open
    unticked = Setting([], schema_only=True, fits=strings)  # names of connected scorers that are not computed
    current = Setting("")  # name of the highlighted one
    parameters = Setting({})  # {method: {parameter: value}}, only what the user set
    leading = Setting("")  # name of a method
    mode = Setting(BEST, fits=one_of(*MODES))
    n_best = Setting(10, fits=between(1))
    threshold = Setting(0.0)
    share = Setting(10.0, fits=within(MIN_SHARE, 100))  # per cent of the features
    manual = Setting([], schema_only=True)  # names of features
    features_use = Setting(RESTRICT, fits=one_of(*USES))  # what the features on the input are for
    features_taken = Setting(None, schema_only=True, fits=maybe(strings))  # names on the input that were selected last
    more_open = Setting(False)
    hidden_columns = Setting([], fits=strings)
    attribute_columns = Setting([], fits=strings)  # names of attributes of features that are shown
    hide_constant = Setting(False)  # features that are constant or missing, in the table
    log_ranks = Setting(None, fits=maybe(switch))  # None: for many features
    splitter = Setting([], fits=wholes)
    view = Setting(PLOT, fits=one_of(*VIEWS))  # scores by rank, or the heat map where there is one
    null_level = Setting(True)  # shown if it is quick
    stability = Setting(False)  # shown if it is quick
    p_values = Setting(False)  # of the leading score
    fdr = Setting(LEVEL, fits=level)  # false discovery rate
    show_z = Setting(False)  # beside p and q
    values_open = Setting(False)  # whether values of the current feature are shown beside the table
    auto_apply = Setting(True)
    ranked = Setting({}, schema_only=True, fits=fits)  # scores, and the data and parameters that they are of
    tested = Setting({}, schema_only=True, fits=fits)  # p-values, and what they are of

    data = candidates = None
    arrived = False  # data or features, since they were last looked at
    connected: tuple[Scorer, ...] = ()

    usual_before: tuple[str, ...] = ()  # methods that were ticked at first in version 1 of the settings

    @Inputs.data
    def set_data(self, data):
        self.data, self.arrived = data, True

    @Inputs.features
    def set_candidates(self, features):
        self.candidates, self.arrived = features, True

    @Inputs.scorers
    def set_scorer(self, index, scorer):
        self.connected = (*self.connected[:index], scorer, *self.connected[index + 1 :])

    @Inputs.scorers.insert
    def insert_scorer(self, index, scorer):
        self.connected = (*self.connected[:index], scorer, *self.connected[index:])

    @Inputs.scorers.remove
    def remove_scorer(self, index):
        self.connected = (*self.connected[:index], *self.connected[index + 1 :])

    @classmethod
    def migrate_settings(cls, settings, version):
        """Version 2 begins with ReliefE: what was left at the usual methods before keeps those of then.

        Version 3 calls three methods by other names.  What was stored before there were presets is the user's own.
        """
        if version is not None and version < 2 and settings.get("methods") is None:
            settings["methods"] = list(cls.usual_before)
        if version is not None and version < 3:
            settings.update(renamed({name: settings[name] for name in NAMING if name in settings}))
        if "methods" in settings:
            settings.setdefault("preset", OWN)

    def send_report(self):
        if self.problem is None:
            return
        self.report_domain("Data", self.problem.table.domain)
        model = self.area.model
        chosen = f"{int(model.selected.sum()):,} of {len(model.names):,} features"
        done = ("Ranking", self.area.strip.label.text()), ("Selected", chosen), *told_of_lead(model)
        self.report_items((*self.report_items_of_data(), *done))  # without what is None
        if model.columns:
            self.report_table("Ranking", self.area.report_rows(REPORTED), header_rows=1)
            self.report_plot()

    def report_items_of_data(self) -> tuple:
        """More items of a report: (title, text or None)."""
        return ()
