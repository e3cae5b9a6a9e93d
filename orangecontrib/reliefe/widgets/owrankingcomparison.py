"""Ranking Comparison: how rankings agree, how well their best features predict, and which features go on."""

from dataclasses import replace

import numpy as np
from AnyQt.QtCore import QTimer
from Orange.base import Learner
from Orange.data import Table
from Orange.preprocess.preprocess import Preprocess
from Orange.preprocess.score import ANOVA, InfoGain, Scorer
from Orange.widgets import gui
from Orange.widgets.settings import Setting, SettingProvider
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import AttributeList, Input, Msg, MultiInput, Output, OWWidget

from ..core.words import some
from ..orange.comparison.aggregation import METHODS, STABILITY, AggregatedScorer, KeepAggregated, aggregated, summary
from ..orange.comparison.cohorts import cohort_tests
from ..orange.comparison.comparison import ComparedRankings
from ..orange.comparison.gather import gather, pair, with_titles
from ..orange.comparison.named_scores import read
from ..orange.comparison.scoring import ScoredRankings, rank_by
from ..orange.comparison.stability_selection import stable
from ..orange.problem import problem
from ..orange.ranker.selection import BEST, FROM, MANUAL, SHARE
from ..orange.ranker.tables import reduced_table
from .comparison.aggregation_form import AggregationForm
from .comparison.area import ComparisonArea
from .comparison.ranking_list import RankingList
from .comparison.view import View
from .ranker.messages import STUDY_GONE, WARNINGS, not_among, say, show_notes
from .ranker.selection import SelectionBox
from .ranker.studybox import StudyBox
from .table.saving import save_chosen_file
from .utils.colors import lift_indicators
from .utils.controls import name_tab_stops, open_large
from .utils.inputs import list_handlers
from .utils.markup import plain_reports
from .utils.settings import CheckedSettings, auto_send
from .utils.task import RUNNING, TaskRunner
from .utils.visual_settings import OWWithCharts

RANK, STABLE = "rank", "stable"  # what is computed before the views
MAX_REPORTED_ROWS = 50  # rows of a table in a report; chosen by eye


@plain_reports
class OWRankingComparison(TaskRunner, OWWithCharts):
    """The views show and compute; what the user picks in any of them is selected in all.

    One thing is computed at a time: rankings by scorers, then stability, then what the shown view needs.
    """

    name = "Ranking Comparison"
    description = "Compare rankings: their agreement, the quality of their best features, and one ranking from all"
    icon = "icons/rankingcomparison.svg"
    priority = 55
    keywords = (
        "agreement, stability, fuji, jaccard, kendall, aggregate, borda, curve, nemenyi, bayesian, replication, reliefe"
    )

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
        scorer = Output("Scorer", Scorer, dynamic=False)
        preprocessor = Output("Preprocessor", Preprocess, dynamic=False)

    class Error(OWWidget.Error):
        failed = Msg("{}")
        unexpected = Msg("Comparison failed: {}")

    class Warning(OWWidget.Warning):
        no_rankings = Msg("No rankings in {}. Scores need a text column with names of features, and numeric columns")
        scorer_failed = Msg("{}")
        not_compared = Msg("{}")
        study_gone = STUDY_GONE
        unadjusted = Msg("Not adjusted for covariates: {}. Connect the scorer of a method that adjusts, as MultiSURF")
        not_saved = Msg("{}")

    class Information(OWWidget.Information):
        one_ranking = Msg("There is only one ranking. Connect another one to compare it with")
        scorers_need_data = Msg("Scorers need data to rank. Connect Data, too")
        stability_needs = Msg("Stability needs scorers and data, so the mean rank is shown. Connect both to see it")
        fixed = Msg("Scorer and Preprocessor are not sent: {} came without a scorer. Connect scorers, or untick these")

    settingsHandler = CheckedSettings()
    settings_version = 1
    selection = SettingProvider(SelectionBox)
    study = SettingProvider(StudyBox)
    tab = Setting("")  # title of the view that is shown
    view_settings = Setting({})  # {title of a view: its settings}
    aggregation = Setting("mean-rank")
    n_stable = Setting(16)  # best features of each half of the data
    left_out = Setting([], schema_only=True)  # titles of rankings
    added = Setting([], schema_only=True)  # titles of p-values and positions, which take part only if they are ticked
    auto_apply = Setting(True)

    def __init__(self):
        OWWithCharts.__init__(self)
        self.tables = []
        self.scorers = []
        self.evaluations = []
        self.data = self.learner = None
        TaskRunner.__init__(self)
        self.comparison: ComparedRankings | None = None
        self.scored = ScoredRankings()
        self.stable = None
        self.aggregate = None
        # those that rank, the data, the group: as the study says
        self._scorers = []
        self._data = None
        self._group = ""
        self._columns, self._alone = [], []  # rankings of the tables; numbers of the scorers that have none
        self._aside = set()  # titles of z, p-values and positions
        self._study_names, self._tools = (), None  # columns of all studies; what scorer and preprocessor were made of
        self._step = None  # what runs: RANK, STABLE, or a view
        self._fresh, self._dirty = False, False
        self._next = QTimer(self, singleShot=True, interval=0)
        self._next.timeout.connect(self.restart)
        self._make_controls()
        self._make_views()
        self.settingsAboutToBePacked.connect(self._keep_view_settings)
        self._gather()
        lift_indicators(self)
        open_large(self)
        name_tab_stops(self)

    # Anatomy ---------------------------------------------------------------------------------------------------------

    def _make_controls(self):
        self.list, self.form = RankingList(), AggregationForm(self.aggregation, self.n_stable)
        self.selection = SelectionBox(self, has_p_values=False, has_groups=False)
        self.selection.offer_leading(False)
        for title, part in (("Rankings", self.list), ("Aggregate", self.form), ("Selection", self.selection)):
            gui.vBox(self.controlArea, title).layout().addWidget(part)
        self.study = StudyBox(self)
        self.controlArea.layout().insertWidget(1, self.study)
        gui.rubber(self.controlArea)
        auto_send(self)
        self.list.changed.connect(self._ticked)
        self.form.changed.connect(self._aggregation_changed)
        self.selection.changed.connect(self._selection_changed)
        self.study.changed.connect(self.handleNewSignals)

    def _make_views(self):
        self.area = ComparisonArea(self.view_settings, self.tab)
        self.mainArea.layout().addWidget(self.area)
        self.area.picked.connect(self._picked)
        self.area.changed.connect(self._view_changed)
        self.area.shown.connect(self._view_chosen)
        self.area.page_wanted.connect(self._save_page)
        self.area.strip.serve(self, self._again)

    def _save_page(self):
        """Save the comparison as a web page, in a file that the user names."""
        compared = self.comparison
        name = "" if compared.data is None else compared.data.name

        def write(path):
            from ..core.pages.rendering import check_ending
            from ..core.report.comparison import ComparedScores, write_comparison_page

            check_ending(path)
            write_comparison_page(ComparedScores(compared.features, compared.titles, compared.scores, name), path)

        failure = save_chosen_file(self, write, "Save Report", "comparison.html", "Web page (*.html)")
        if failure is not None:
            say(self.Warning.not_saved, failure)

    @property
    def figure(self) -> object:
        """Item that is saved as a picture and reported: the view that is shown."""
        return self.area.view.image_item()

    # Data ------------------------------------------------------------------------------------------------------------

    set_scores, insert_scores, remove_scores = list_handlers(Inputs.scores, "scores", "tables")
    set_scorer, insert_scorer, remove_scorer = list_handlers(Inputs.scorers, "scorer", "scorers")
    set_evaluation, insert_evaluation, remove_evaluation = list_handlers(
        Inputs.evaluations, "evaluation", "evaluations"
    )

    @Inputs.data
    def set_data(self, data):
        self.data = data

    @Inputs.learner
    def set_learner(self, learner):
        self.learner = learner

    def handleNewSignals(self):
        self.cancel()
        self.clear_messages()
        self.scored = ScoredRankings()
        self.stable = None
        self._fresh = True
        columns, empty = read(self.tables)
        self.Warning.no_rankings(", ".join(empty), shown=bool(empty))
        self._take_study()
        columns, alone = pair(columns, self._scorers)
        again = [
            n for n, scorer in enumerate(self._scorers) if scorer is not self.scorers[n]
        ]  # their scores are others
        self._columns = [column for column in columns if column.scorer not in [self._scorers[n] for n in again]]
        self._alone = sorted({*alone, *again})
        self.study.warn_of_gone(self.Warning.study_gone)
        self.Information.scorers_need_data(shown=bool(self._alone) and self.data is None)
        self._gather()
        self.restart()

    def _take_study(self):
        """Scorers for the study that is chosen, or with their own one, and data in which it is no feature."""
        self.study.set_data(self.data)
        covariates, group = self.study.known()
        chosen = bool(covariates or group)
        self._scorers = [
            s.for_study(covariates, group) if chosen and hasattr(s, "for_study") else s for s in self.scorers
        ]
        aside = {*covariates, group}.union(*(getattr(scorer, "study", ()) for scorer in self._scorers))
        self._study_names = tuple(sorted({*aside} - {"", None}))
        self._data = None if self.data is None else problem(self.data, not_ranked=self._study_names).table
        groups = (getattr(scorer, "groups", None) for scorer in self._scorers)
        self._group = group or (next(filter(None, groups), "") if self.data is not None else "")

    def _gather(self):
        columns = [*self._columns, *(self.scored.columns[i] for i in self._alone if i in self.scored.columns)]
        self.comparison, titled = None, with_titles(columns)
        self._aside = {column.title for column in titled if column.aside}
        left_out = [*self.left_out, *self._aside.difference(self.added)]
        if columns or self.evaluations:
            comparison = gather(columns, self._data, self.learner, self.evaluations, left_out)
            group = self._group if comparison.data is not None else ""
            self.comparison = replace(comparison, group=group, cohorts=cohort_tests(self.tables))
        compared = self.comparison.titles if self.comparison else ()
        self.list.set_titles([column.title for column in titled], left_out, compared)
        self.stable = None
        self.area.set_comparison(self.comparison)
        self.selection.set_size(len(self.comparison.features) if self.comparison else 0)
        scorers = self.comparison.scorers if self.comparison and self.study.known()[0] else {}
        unadjusted = [title for title, scorer in scorers.items() if not getattr(scorer, "covariates", None)]
        self.Warning.unadjusted(some(unadjusted), shown=bool(unadjusted))
        show_notes(self, {"": {WARNINGS: self.comparison.notes if self.comparison else ()}})
        one = self.comparison and len(self.comparison.titles) == 1 and not self._waiting()
        self.Information.one_ranking(shown=bool(one))
        self._show_aggregated()

    def _waiting(self) -> list[int]:
        return [i for i in self._alone if i not in self.scored] if self.data is not None else []

    def _stable_scorers(self) -> list:
        return self.comparison.repeatable if self.comparison and self.form.method == STABILITY else []

    # Tasks -----------------------------------------------------------------------------------------------------------

    def next_task(self):
        """Next task to run; before the views begin, the ranking is sent."""
        self.Error.clear()
        waiting, scorers = self._waiting(), self._stable_scorers()
        if waiting:
            self._step = RANK
            return rank_by, self._data, tuple(self._scorers), waiting, self.scored
        if scorers and (self.stable is None or not self.stable.done):
            self._step = STABLE
            return stable, self.comparison.table, scorers, self.form.n_best, self.comparison.group
        self._commit_changes()
        job = self.area.next_job()
        self._step = job and job[0]
        return job and job[1:]

    def show_result(self, result, final):
        """From partial results, the end, a stop, and nothing to do (the last two: None, keep what there is)."""
        step = self._step
        if isinstance(step, View):
            if result is not None:
                self.area.show_result(step, result)
            if final:
                self._end(step)
        elif result is not None and step == RANK:
            self.scored = result
            self._gather()
            failures = "\n".join(result.failures.values())
            self.Warning.scorer_failed(failures, shown=bool(failures))
        elif result is not None and step == STABLE:
            self.stable = result
            self._show_aggregated()
        if final:
            self._commit_changes()
            if result is not None:
                self._next.start()
        self._show_summary()

    def _end(self, view):
        self.area.end(view)
        self._send_evaluation()

    def show_state(self, state):
        self.area.strip.set_state(state)

    def show_failure(self, exception):
        self.show_error(exception)
        self.area.strip.set_text("")
        if isinstance(self._step, View):
            self._step.placeholder(str(exception) or type(exception).__name__)
            self._end(self._step)
        else:
            self._commit_changes()

    def _again(self):
        self.area.again()
        self.restart()

    def onDeleteWidget(self):
        self._next.stop()
        super().onDeleteWidget()

    # What the user does ----------------------------------------------------------------------------------------------

    @property
    def _selection_is_known(self) -> bool:
        """True if nothing is under way that the selection depends on."""
        return self.run_state != RUNNING or isinstance(self._step, View)

    def _begin_soon(self):
        self.cancel()  # or what still comes would be taken for a result of what is wanted now
        self.restart_soon()

    def _view_chosen(self, title):
        self.tab = title
        if self._selection_is_known:
            self.restart()

    def _view_changed(self, works):
        self._keep_view_settings()
        if works and self._selection_is_known:
            self._begin_soon()

    def _keep_view_settings(self):
        self.view_settings = self.area.settings()

    def _ticked(self):
        self.left_out = self.list.left_out()
        self.added = sorted(self._aside.difference(self.left_out))
        self._begin_soon()
        self._gather()

    def _aggregation_changed(self):
        self.aggregation, self.n_stable, self.stable = self.form.method, self.form.n_best, None
        self._begin_soon()
        self._show_aggregated()

    def _picked(self, features):
        self.selection.choose_by_hand([self.comparison.features[feature] for feature in features])

    def _selection_changed(self):
        self._apply_selection()
        if self._selection_is_known:
            self._commit_changes()

    # Showing ---------------------------------------------------------------------------------------------------------

    def _show_aggregated(self):
        method = self.form.method
        can_aggregate = method != STABILITY or bool(self._stable_scorers()) or bool(self._waiting())
        self.Information.stability_needs(shown=not can_aggregate and self.comparison is not None)
        self._method = method if can_aggregate else "mean-rank"
        self.aggregate = aggregated(self.comparison, self._method, self.stable)
        self.selection.set_scores([self.aggregate] if self.aggregate else [], 0)
        self._apply_selection()
        self._show_summary()

    def _mask(self) -> np.ndarray:
        by_hand = self.comparison.mask(self.selection.manual) if self.comparison else np.zeros(0, bool)
        return self.selection.mask(self.aggregate, by_hand)

    def _apply_selection(self):
        self._dirty = True
        self.area.set_selected(self._mask())
        by_hand = self.selection.manual
        compared = self.comparison.features if self.comparison and self.selection.mode == MANUAL else by_hand
        say(self.Warning.not_compared, not_among(by_hand, compared or by_hand, "in all rankings"))

    def _show_summary(self):
        if self.run_state == RUNNING:
            return
        stable = self.stable if self.form.method == STABILITY else None
        self.area.strip.set_text(summary(self.comparison, stable, int(self._mask().sum())))

    # Outputs ---------------------------------------------------------------------------------------------------------

    def _commit_changes(self):
        """New inputs go on at once, whatever the user wants for changes: nothing after here may belong to old data."""
        if self._dirty:
            (self.commit.now if self._fresh else self.commit.deferred)()
        if self._fresh:
            self._send_evaluation()
        self._fresh = self._dirty = False

    @gui.deferred
    def commit(self):
        from ..orange.scores_table import scores_table

        c, mask = self.comparison, self._mask()
        data = c.data if c else None
        names = [name for name, is_chosen in zip(c.features, mask, strict=True) if is_chosen] if c else []
        chosen = [data.domain[name] for name in names] if data is not None else []
        self.Outputs.reduced.send(reduced_table(data, chosen) if chosen else None)
        self.Outputs.features.send(AttributeList(chosen) if chosen else None)
        scores = self.aggregate
        self.Outputs.aggregated.send(scores_table(c.features, {scores.title: scores.values}) if scores else None)
        self._send_tools()
        self._show_summary()

    def _send_tools(self):
        """Send scorer and preprocessor; again only if they change, since Test and Score starts anew with each."""
        c = self.comparison
        s = self.selection
        titles = ()
        fixed = []
        if c and c.features:
            # stability is of those with a scorer alone
            titles = [title for title in c.titles if self._method != STABILITY or c.scorer(title) is not None]
            fixed = [title for title in titles if c.scorer(title) is None]
        self.Information.fixed(some(fixed), shown=bool(fixed))
        tools = scorer = None
        if titles and not fixed:
            ranked = tuple(c.scorer(title) for title in titles), c.features, self._method, self.form.n_best, c.group
            tools = *ranked, self._study_names, s.mode, s.best, s.threshold if s.mode == FROM else 0.0
        if tools == self._tools:
            return
        self._tools = tools
        if tools is not None:
            *ranked, mode, n, threshold = tools
            scorer = AggregatedScorer(*ranked)
        self.Outputs.scorer.send(scorer)
        repeats = scorer and mode in (BEST, SHARE, FROM)
        self.Outputs.preprocessor.send(KeepAggregated(scorer, n, threshold) if repeats else None)

    def _send_evaluation(self):
        self.Outputs.evaluation.send(self.area.results())

    def send_report(self):
        c = self.comparison
        if c is None or not c.titles:
            return
        method = METHODS[self.aggregate.name][0] if self.aggregate else None
        chosen = f"{int(self._mask().sum()):,} features"
        self.report_items((*c.report_items(), ("Aggregated by", method), ("Selected", chosen)))
        view = self.area.view
        if self.figure is not None:
            self.report_plot(view.title, self.figure)
        if view.drawn and view.model is not None:
            rows = view.model.rows[:MAX_REPORTED_ROWS]
            self.report_table(view.title, view.model.as_table(rows), header_rows=1)
        if view.drawn:
            self.report_caption(view.caption())


if __name__ == "__main__":
    scorers = list(enumerate([ANOVA(), InfoGain()]))
    WidgetPreview(OWRankingComparison).run(set_data=Table("iris"), insert_scorer=scorers)
