"""Base class of the widgets that rank features (Qt, Orange): from data to a ranking, its views, and the outputs.

1. Signals or boxes change the data (`_data_changed`); a task ranks them in a thread (`next_task`).
2. Each result of the task is shown (`show_result`), and so are scores, selection and summary if they are stale
   (`refresh`, `_show`).
3. Follow-ups, such as p-values, get the ranking (`shown_ranking`), and are computed behind it (`followup.py`).
4. At the end of each event, outputs are sent if there is news (`_send_news`, `commit`).

`window.py` makes and arranges the parts of the window.
"""

from functools import partial

import numpy as np
from AnyQt.QtCore import Qt, QTimer
from Orange.base import Learner
from Orange.data import Table
from Orange.preprocess.preprocess import Preprocess
from Orange.preprocess.score import Scorer
from Orange.widgets import gui
from Orange.widgets.settings import Setting, SettingProvider
from Orange.widgets.widget import AttributeList, Input, MultiInput, Output

from ...command import warming
from ...core.targets.facts import no_p_values
from ...core.words import sentence
from ...orange.jobs.job import Job
from ...orange.jobs.result import Result
from ...orange.jobs.run import rank_missing, run, run_with_scorers
from ...orange.jobs.scorer_job import importance_of
from ...orange.jobs.stored_results import fits, packed
from ...orange.problem import TableProblem, problem
from ...orange.ranker.conclusion import BY_TICK, FOLLOW, conclude_lead
from ...orange.ranker.decision import NO_P_VALUES, Decision, Dispatch, OutputRequest, RankingState, When, decide
from ...orange.ranker.refresh import Refresh
from ...orange.ranker.selection import BEST, FDR, MANUAL, stability_count
from ...orange.study_roles import COVARIATE, GROUP
from ..utils.colors import hue, lift_indicators
from ..utils.controls import name_tab_stops, open_large
from ..utils.inputs import list_handlers
from ..utils.markup import plain_reports
from ..utils.task import FAILED, RUNNING, STOPPED, TaskRunner
from ..utils.visual_settings import OWWithCharts
from . import messages
from .addstoothers import AddsToOthers
from .area import CONVERGENCE
from .columns import announce, columns, curve, failures, summarize, unfinished, with_preview
from .explanation import RankExplanations
from .featuresbox import RESTRICT
from .followup import FollowUp, ShownRanking
from .followups import FollowUps
from .nulllevel import NullLevels
from .outputs import Sender, Sources, facts_of, groups_of, writings_of
from .pvalues import PValues
from .report import write_report
from .stability import Stabilities
from .webreport import WebReport
from .window import RankerWindow

COLLECT = 100  # ms in which quick changes of the selection are collected before they are sent; chosen by eye


@plain_reports
class OWRanker(RankerWindow, openclass=True):
    """Ranks the features of a table by all ticked methods, and selects by the leading score.

    One of the ticked methods leads: the selection, the column of ranks and the follow-ups are about its score.
    """

    class Inputs:
        data = Input("Data", Table)
        features = Input("Features", AttributeList)
        scorers = MultiInput("Scorers", Scorer, filter_none=True)
        # explicit: of learners that score features, links that are made by themselves are for Scorers
        models = MultiInput("Models", Learner, filter_none=True, explicit=True)

    class Outputs:
        reduced = Output("Reduced Data", Table, default=True)
        scores = Output("Scores", Table, dynamic=False)
        features = Output("Features", AttributeList, dynamic=False)
        scorer = Output("Scorer", Scorer, dynamic=False)
        preprocessor = Output("Preprocessor", Preprocess, dynamic=False)
        # explicit: Data is what most inputs are called, and links that are made by themselves are for Reduced Data
        marked = Output("Data", Table, explicit=True)
        remaining = Output("Remaining", Table, explicit=True)

    Error = messages.RankerError
    Warning = messages.RankerWarning
    Information = messages.RankerInformation

    # Follow-ups, whose settings workflows store under these names
    tests = SettingProvider(PValues)  # p-values of the leading score
    adds = SettingProvider(AddsToOthers)  # conditional p-values: what features add to the others
    nulls = SettingProvider(NullLevels)  # score that irrelevant features reach
    stabilities = SettingProvider(Stabilities)  # ranks in samples of the rows
    why = SettingProvider(RankExplanations)  # reasons of the rank of the current feature
    web_report = SettingProvider(WebReport)  # the ranking as a web page

    leading = Setting("")  # name of a method; empty: the first one
    ranked = Setting({}, schema_only=True, fits=fits)  # scores, and the data and parameters that they are of

    # Work of a subclass
    ranks = staticmethod(run)  # (table, jobs, known, state) -> result
    result_type = Result

    given = None  # table on the input
    data = None  # the same, with the target that the user chose
    candidates = None  # features on the input
    inputs_changed = False  # True: data or features have come, or other columns were chosen
    data_number = 0  # of the data that are ranked
    run_number = 0  # of the task that ranks them

    def __init__(self):
        self.refresh = Refresh(self._show, self._send_news)
        self.connected_scorers: list[Scorer] = []
        self.importances: list[Scorer] = []  # permutation importance of each connected model
        OWWithCharts.__init__(self)
        TaskRunner.__init__(self)
        self.problem = None  # features and target of `data` that are ranked
        self.result = self.result_type()  # rankings so far
        self._packed: tuple | None = None  # rankings and jobs that `ranked` was packed from
        self.sender = Sender(self.Outputs)

        # Parts of the window
        self._make_results()
        self.follow_ups = FollowUps(self.made_follow_ups())
        self._make_controls(has_p_values=self.tests.wanted)
        self._arrange()
        self._connect_controls()
        self._connect_results()
        self._connect_follow_ups()
        self.follow_ups.reset()
        self.show_state(self.run_state)
        lift_indicators(self)
        open_large(self)
        name_tab_stops(self)

        # Outputs
        self.dispatch = Dispatch(self.decide())
        self.later = QTimer(self, singleShot=True, interval=COLLECT)
        self.later.timeout.connect(self._send_collected)
        self._send_tools()
        self.settingsAboutToBePacked.connect(self._pack)

    def _connect_controls(self):
        self.panel.ticks_changed.connect(self._ticked)
        self.panel.parameters_changed.connect(self.restart_soon)
        self.panel.current_changed.connect(self._current_changed)
        for box in (self.columns, self.features_box, self.study, self.groups_box):
            box.changed.connect(self.data_wanted)
        self.study.times_wanted.connect(self.columns.choose_times)
        self.suggested_method.linkActivated.connect(self._lead_by_suggested)
        self.keep_box.changed.connect(self._keep_changed)
        self.selection.changed.connect(self._selection_changed)
        self.selection.table_changed.connect(lambda: self.refresh("scores", "summary"))
        self.selection.leading_chosen.connect(self._lead_by)

    def _connect_results(self):
        area = self.area
        area.sorted_by_score.connect(self._lead_by)
        area.selected_by_hand.connect(lambda: self.selection.choose_by_hand(area.selected_names()))
        area.table.failed.connect(lambda text: messages.say(self.Warning.not_saved, text))
        area.menu.writings = self._writings
        area.menu.lead_wanted.connect(self._lead_by)
        area.menu.hide_constant_changed.connect(lambda: messages.show_useless(self))
        area.plot.cut_moved.connect(self.selection.set_last)
        area.plot.threshold_moved.connect(self.selection.set_threshold)
        area.strip.serve(self, lambda: self.resume())

    def _connect_follow_ups(self):
        for follow_up in self.follow_ups:
            follow_up.changed.connect(self._follow_up_changed)
            follow_up.ticked_changed.connect(self._follow_up_ticked)
        self.suggested_count.linkActivated.connect(lambda: self.selection.choose(FDR))
        self.tests.proposal_taken.connect(self.study.take)
        self.why.settled.connect(lambda: self._send_rows() if self.auto_apply else None)

    # Data and tasks --------------------------------------------------------------------------------------------------

    @Inputs.data
    def set_data(self, data):
        self.given = data
        self.inputs_changed = True

    @Inputs.features
    def set_candidates(self, features):
        self.candidates = features
        self.inputs_changed = True

    set_scorer, insert_scorer, remove_scorer = list_handlers(Inputs.scorers, "scorer", "connected_scorers")
    set_model, insert_model, remove_model = list_handlers(Inputs.models, "model", "importances", importance_of)

    def data_wanted(self) -> None:
        """Take the data again, with the columns that the user chose."""
        self.inputs_changed = True
        self.handleNewSignals()

    def handleNewSignals(self):
        with self.refresh.event("scores", "summary"):
            self.panel.connect_scorers([*self.connected_scorers, *self.importances])
            if self.inputs_changed:
                self.inputs_changed = False
                tasks = {task for method in self.panel.methods.values() for task in method.tasks}
                self.data = self.columns.with_chosen_target(self.given, tasks) if self.supervised else self.given
                self._data_changed()
            self.restart()

    def _data_changed(self):
        """Forget all that was known of other data, and show the features that can be ranked."""
        self.clear_messages()
        self.cancel()
        self.problem = p = self._find_problem()
        self.result = self.result_type()
        self._packed = None
        self.data_number += 1
        self.follow_ups.reset()
        self.area.offer_p_values("" if p is None or p.labelled > 0 else sentence(no_p_values()))
        self.area.values.set_problem(p, self.panel.study[0])
        self.keep_box.set_features([variable.name for variable in p.ranked] if p else [])
        self.panel.keep = self.keep_box.known
        self.panel.set_problem(p)
        self.area.set_features(p.ranked if p else ())
        self.selection.set_size(len(self.area.model.names))
        self._follow_features()
        if p is not None:
            warming.begin()
            messages.show_unknown(self, self.candidates or ())
            self.Information.unused_target(shown=not self.supervised and bool(self.data.domain.class_vars))

    def _find_problem(self) -> TableProblem | None:
        """Find what is ranked of the data, and show it in the boxes of the study and of groups; None without data."""
        if self.data is not None and self.takes_groups:
            self.study.set_data(self.data)
            self.study.warn_of_gone(self.Warning.study_gone)
            self.panel.study = self.study.known()
        covariates, group = self.panel.study
        not_ranked = (*covariates, group, *self.columns.left_out)
        if self.takes_feature_groups:
            attributes = [] if self.data is None else self.data.domain.attributes
            features = [variable for variable in attributes if variable.name not in not_ranked]
            self.groups_box.set_features(features, self.Warning.groups_gone)
            self.panel.feature_groups = self.groups_box.valid_rule()
        if self.data is None:
            return None
        return problem(self.data, self.restriction, self.supervised, not_ranked, self.panel.feature_groups)

    @property
    def restriction(self) -> list | None:
        """The features that may be ranked; None: all."""
        return self.candidates if self.features_box.use == RESTRICT else None

    def _follow_features(self):
        """Select the features on the input, if they are for that."""
        names = None if self.candidates is None else [variable.name for variable in self.candidates]
        if self.features_box.selects(names):
            self.selection.manual = names if self.problem is None else self.problem.ranked_names(names)
            self.selection.set_mode(MANUAL)

    def next_task(self):
        for message in (self.Error, self.Warning.method_failed, self.Warning.stopped, self.Information.no_method):
            message.clear()
        self.run_number += 1
        if self.problem is None or not messages.can_rank(self, self.problem):
            return None
        rank_jobs = partial(run_with_scorers, self.ranks)
        return rank_missing, rank_jobs, self.ranked, self.problem.table, self.panel.jobs(), self.result

    def show_result(self, result, final):
        """From partial results, the end, a stop, and nothing to do (the last two: None, keep what there is)."""
        if result is not None and self.problem is not None and result.is_of(self.problem.table):
            self.result = result
        if final:
            self.follow_ups.drop_previews()
        self.refresh("scores", "summary")
        messages.show_useless(self)
        self.columns.show_suspects(self.result, self.area.model.names, self.data)
        if final:
            messages.say(self.Warning.method_failed, failures(self.panel, self.result))

    def show_failure(self, exception):
        self.show_error(exception)
        self.result = self.result_type()
        self.follow_ups.ranking_failed()
        self.refresh("scores", "summary")

    def show_state(self, state):
        self.area.strip.set_state(state)
        self.area.table.placeholder = messages.placeholder(self.data, self.problem)

    # What the user does ----------------------------------------------------------------------------------------------

    resume = TaskRunner.restart

    def _ticked(self, new):
        self.area.show_columns(new)
        self.refresh("scores", "summary")
        self.restart_soon()

    def _current_changed(self):
        if self.problem is None:  # then it is the scorer that is sent
            self.refresh()

    def _lead_by_suggested(self, name):
        if name not in self.panel.active():
            self.panel.list.by_name[name].setCheckState(Qt.Checked)
        self._lead_by(name)

    def _keep_changed(self):
        self.panel.keep = self.keep_box.known
        self.restart_soon()  # for methods that take these first; all other scores stay
        self.refresh("selection")

    def _lead_by(self, name):
        if name != self.leading:
            self.leading = name
            self.refresh("scores", "summary")

    def _selection_changed(self):
        """The user chose a selection; one by p-values needs these."""
        if self.selection.mode == FDR and not self.tests.wanted:
            self.tests.want(True)
        self.refresh("selection")

    # What follows the ranking ----------------------------------------------------------------------------------------

    def made_follow_ups(self) -> list[FollowUp]:
        """Make all follow-ups; those that are computed first come first."""
        area = self.area
        roles = (*([GROUP] if self.takes_groups else []), *([COVARIATE] if self.takes_covariates else []))
        has_fdr = self.selection.mode == FDR
        self.tests = PValues(self, area, self.suggested_count, self.supervised, needed=has_fdr, roles=roles)
        self.nulls = NullLevels(self, self.tests, area.plot)
        self.adds = AddsToOthers(self, self.tests, area)
        self.stabilities = Stabilities(self, (self.tests, self.nulls), area)
        self.why = RankExplanations(self, self.tests, area.values)
        self.web_report = WebReport(self, area.menu, area.strip, self._writings)
        return [self.tests, self.adds, self.nulls, self.stabilities, self.why, self.web_report]

    def shown_ranking(self) -> ShownRanking:
        """Return the ranking as follow-ups see it."""
        return ShownRanking(
            problem=self.problem,
            result=self.result,
            lead=self._lead(),
            lead_job=self.lead_job(),
            job_of=self.panel.job_of,
            has_null=self.has_null(),
            level=self.selection.level,
            running=self.run_state == RUNNING,
            visible=self.isVisible(),
        )

    def null_job(self, job: Job) -> Job:
        """Job with the neighbours and influence that the true target chose, for permuted targets or other rows."""
        return self.result.settled(job)

    def has_null(self) -> bool:
        """True if permuted targets give the leading score a scale: not where there is nothing to permute."""
        return self.problem is None or self.problem.labelled > 0

    def lead_job(self) -> Job | None:
        """Job of the score that leads, if it is finished."""
        lead = self._lead()
        return self.null_job(self.panel.job(lead.name)) if lead and not lead.partial else None

    def _lead(self):
        """Leading scores as they are shown; None without data, and if their scorer is not connected any more."""
        lead = self.area.lead if self.problem else None
        return lead if lead is not None and lead.name in self.panel.offered else None

    def facts(self, job: Job) -> dict[str, object]:
        """Return the level, and what follow-ups know about a job, as arguments of its `MethodScores`."""
        return self.follow_ups.facts(self.null_job(job)) | {"level": self.selection.level}

    def _follow_up_changed(self):
        lead = self._lead()
        facts = self.facts(self.panel.job(lead.name)) if lead else {}
        if any(getattr(lead, name) is not value for name, value in facts.items() if name != "level"):
            self.refresh("scores")
        else:
            self.refresh()

    def _follow_up_ticked(self):
        """The user likes to see the results of a follow-up, or not; without p-values none select."""
        has_p_values = self.tests.wanted
        if not has_p_values and self.selection.mode == FDR:
            self.selection.set_mode(BEST)
        self.selection.offer_fdr(self.supervised and has_p_values)
        self.panel.set_p_values(has_p_values)
        self.refresh("scores")

    def show_preview(self, values: np.ndarray, first: bool) -> None:
        """Show values (p,) in the place of the leading scores; first: until now these were shown."""
        if first and self.later.isActive():  # the last choice is sent with the scores that it was for
            self._send_collected()
        model = self.area.model
        leading = model.leading
        shown = with_preview(model.columns, leading, values)
        self.area.set_scores(shown, leading)
        self.selection.set_scores([scores for scores in shown if not scores.waiting], leading)
        self.apply_selection()

    def showEvent(self, event):
        super().showEvent(event)
        warming.begin()
        self.refresh()

    def customEvent(self, event):
        """Let the reasons count the links of their output: Orange posts changes of links as events."""
        self.why.follow_link(event)
        super().customEvent(event)

    def onDeleteWidget(self):
        self.follow_ups.shutdown()
        super().onDeleteWidget()

    # Views -----------------------------------------------------------------------------------------------------------

    def _show(self, stale: set[str]) -> None:
        """Show the parts "scores", "selection" and "summary" if they are stale, and hand follow-ups the ranking."""
        if "scores" in stale:
            self.show_scores()
        elif "selection" in stale:
            self.apply_selection()
        if "summary" in stale:
            self._show_summary()
        self.follow_ups.refresh(self.shown_ranking())

    @property
    def shown_result(self) -> Result:
        """The rankings as they are shown, perhaps with a preview of other scores."""
        return self.follow_ups.shown(self.result)

    def show_scores(self) -> None:
        result = self.shown_result
        facts = {job: self.facts(job) for job in self.panel.jobs() if job in result.rankings}
        shown, waiting = columns(self.panel, result, facts, self.run_state == STOPPED, len(self.area.model.names))
        names = [scores.name for scores in shown]
        leading = self.leading if self.leading in names else self.panel.first(names)
        place = names.index(leading) if names else 0
        is_running = self.run_state == RUNNING
        self.area.set_scores([*shown, *waiting] if shown and is_running else shown, place)
        self.area.await_scores(announce(self.problem, self.panel) if is_running and not shown else "")
        self.area.model.fold(groups_of(self.shown_ranking()) if self.selection.fold_alike else ())
        self.selection.groups = self.area.model.groups
        self.selection.set_scores(shown, place)
        self.area.show_conclusion(self.conclusion())
        self.apply_selection()

    def apply_selection(self) -> None:
        """Select features by the rule of the box, and show where the list ends."""
        model = self.area.model
        selection = self.selection
        lead = self.area.lead

        # Features that are selected
        asked = self.keep_box.names
        by_hand = np.zeros(0, bool)
        if selection.mode == MANUAL and self.data is not None:
            by_hand = model.mask_of(selection.manual)
            asked = [*asked, *selection.manual]
        messages.show_not_in_data(self, asked)
        selection.keep = model.mask_of(self.panel.keep)
        model.select(selection.mask(lead, by_hand))
        selected = model.selected
        n_selected = int(selected.sum())
        selection.show_groups(selected)

        # Number of best features that stability is about, and end of the list in the plot
        n_asked = selection.best
        model.set_top(stability_count(selection.mode, n_selected, n_asked, selection.n_best))
        if lead is not None and n_asked:
            last_rank = int(lead.ranks[selected & ~selection.keep].max(initial=0))
            self.area.plot.set_cut(BEST, last_rank or n_asked, selection.threshold)
            n_expected = n_asked
        else:
            self.area.plot.set_cut(selection.mode, 0, selection.threshold)
            n_expected = n_selected
        text = messages.only_above_zero(n_selected, n_expected)
        self.Information.left_out(text, shown=n_expected > n_selected)

    def _show_summary(self):
        """Show what was done; while something runs the strip says what, and only the curve grows."""
        area = self.area
        shown = area.model.columns
        lead = area.lead
        result = self.shown_result
        if CONVERGENCE not in area.views.pages:  # else a chart shows it
            points, lines = curve(result, self.panel.job(lead.name)) if lead else ((), ())
            area.sparkline.set_points(points, lead and hue(lead.number, self.palette()), lines)
        if self.run_state != RUNNING:
            stopped = self.run_state == STOPPED
            summary = summarize(shown, lead, self.panel, result, stopped)
            without_ranking = "No ranking" if self.problem else ""
            area.strip.set_text(summary.line or without_ranking, summary.tooltip)
            messages.show_notes(self, summary.infos)
            parts = unfinished(shown, self.panel, summary.infos) if stopped else ""
            messages.say(self.Warning.stopped, parts)
        self.add_to_summary()

    def add_to_summary(self) -> None:
        """Show what else a subclass knows of the rankings, for example a better method."""

    def conclusion(self) -> str:
        """Return the first sentence on the leading ranking; empty without one, and while it changes."""
        lead = self._lead()
        ranking = None if lead is None else self.shown_result.rankings.get(self.panel.job(lead.name))
        how = FOLLOW if self.tests.wanted else BY_TICK
        return "" if ranking is None else conclude_lead(lead, ranking, self.panel.job(lead.name), how)

    # Outputs ---------------------------------------------------------------------------------------------------------

    def decide(self) -> Decision:
        """Return what is to be sent, and what is still awaited."""
        model = self.area.model
        ranking = RankingState(
            data=self.data_number,
            run=self.run_number,
            running=self.run_state == RUNNING,
            failed=self.run_state == FAILED,
            lead_final=self.panel.lead_is_final(self.leading, self.result),
            names=model.names,
            columns=model.columns if self.problem else (),
        )
        selection = self.selection
        request = OutputRequest(
            rule=selection.rule(self.keep_box.names, selection.fold_alike),
            by_hand=tuple(selection.manual) if selection.mode == MANUAL else (),
            leading=self.leading,
            p_values=self.tests.wanted,
            adds_to_others=self.adds.ticked,
            highlighted="" if self.problem else self.panel.current,
        )
        p_values = self.adds.state_of(self.lead_job()) if self.tests.wanted else NO_P_VALUES
        return decide(ranking, model.selected, p_values, request)

    def _send_news(self):
        decision = self.decide()
        when = self.dispatch.follow(decision)
        if when is When.AT_ONCE:
            self.commit.now()
        elif when is When.AS_THE_USER_WANTS:
            self.commit.deferred()
        elif when is When.SOON:
            self.later.start()
        self.waits = decision.pending
        self.setInvalidated(self.waits)  # what comes after this widget need not wait for the slower methods

    def _send_collected(self):
        """Send quick changes of the selection, unless they wait for another ranking, which is sent with them."""
        self.later.stop()
        if not self.dispatch.is_pending:
            self.commit.deferred()

    @gui.deferred
    def commit(self):
        if self.follow_ups.drop_previews():  # what is sent is what was ranked
            self.show_scores()
        facts = facts_of(groups_of(self.shown_ranking()), self.area.model.attributes)
        self.sender.send(self.decide(), Sources(self.data, self.problem, self.area.lead, facts))
        self._send_rows()
        self._send_tools()

    def _send_tools(self):
        """Send scorer and preprocessor; without data those of the highlighted method."""
        restricted = self.restriction is not None or any(self.panel.study) or self.columns.left_out
        candidates = [variable.name for variable in self.problem.features] if self.problem and restricted else None
        job = self.panel.scorer_job(self.leading, self.problem is None)
        rule = self.selection.rule(self.keep_box.names, self.selection.fold_alike)
        lead = self.area.lead
        self.sender.send_tools(job, rule, candidates, goes_by_z=lead is not None and lead.goes_by_z)

    def _send_rows(self):
        self.sender.send_rows(self.why.found(self.why.job()) if self.why.wanted else None, self.data)

    def _writings(self):
        rule = self.selection.rule(self.panel.keep, folded=self.area.model.groups is not None)
        selected = self.area.selected_names()
        return writings_of(self.shown_ranking(), self.given, rule, selected, self.adds.complete, self.page_facts())

    def page_facts(self) -> dict[str, np.ndarray]:
        """Return further columns (p,) of the table of a web page by their titles."""
        return {}

    def _pack(self):
        """Keep finished rankings in the workflow; those of before, as long as there are no others."""
        self.tests.store()
        result_and_jobs = (self.result, self.panel.jobs())
        if self.result.rankings and result_and_jobs != self._packed:
            self.ranked = packed(*result_and_jobs) or self.ranked
            self._packed = result_and_jobs

    send_report = write_report

    def report_items_of_data(self) -> tuple:
        """More items of a report: (title, text or None)."""
        return ()
