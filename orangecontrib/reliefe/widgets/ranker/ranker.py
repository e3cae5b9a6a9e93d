"""The anatomy of every ranker: methods, parameters and selection at the left, the ranking at the right."""

from functools import partial

import numpy as np
from AnyQt.QtCore import QTimer
from Orange.data import Table
from Orange.preprocess.preprocess import Preprocess
from Orange.preprocess.score import Scorer
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.widget import AttributeList, Input, Msg, MultiInput, Output, OWWidget

from ...command import warming
from ...core.words import counted
from ...orange.jobs.job import Job
from ...orange.jobs.literals import fits
from ...orange.jobs.remembered_rankings import packed, rank_new
from ...orange.jobs.result import Result
from ...orange.jobs.run import run
from ...orange.jobs.with_scorers import run_with_scorers
from ...orange.problem import WORDS, problem
from ...orange.ranker.decision import Decision, PValuesState, RankingState, Request, decide
from ...orange.ranker.refresh import Refresh
from ...orange.ranker.renamed_methods import NAMING, renamed
from ...orange.ranker.selection import BEST, FDR, FROM, MANUAL, MODES
from ...orange.stored_settings import anything, between, maybe, one_of, strings, switch, wholes, within
from ..utils.colors import hue, lift_indicators
from ..utils.controls import open_large
from ..utils.markup import plain_reports
from ..utils.settings import CheckedSettings, auto_send
from ..utils.strip import BUTTON
from ..utils.task import FAILED, RUNNING, STOPPED, TaskRunner
from ..utils.visual_settings import OWWithCharts
from .area import CONVERGENCE, PLOT, VIEWS, RankingArea
from .columns import columns, curve, failures, lines_and_infos, unfinished
from .columnsbox import Columns
from .extras import Extra, NullLevels, Stabilities, Stops, Why
from .keepbox import Keeping
from .messages import ONE_CLASS, only_above_zero, say, show_notes, show_unfit, show_useless
from .methodpanel import OWN, PRESETS, QUICK, MethodPanel
from .outbox import Outbox
from .outputs import Sender, groups_of, rule_of, script_of
from .pvalues import PValues
from .report import write_report
from .selection import LEVEL, LEVELS, MIN_SHARE, RESTRICT, USES, Enough, FeaturesBox, SelectionBox

NO_DATA = "Connect data to rank their features"
NO_MATCH = "No feature matches the filter"


@plain_reports
class OWRanker(Columns, Keeping, TaskRunner, OWWithCharts, openclass=True):
    """Ranks features by the methods that a subclass offers: it gives `offered()` and `usual`.

    Ticked methods are computed, the highlighted one is edited, one score leads: best n, threshold, rank column and
    the plot's cut all mean it.  Extras are computed behind the ranking, for this score.
    """

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
        no_rows = Msg("The data have no rows. Connect data with at least two")
        one_row = Msg("The data have only one row. Connect data with at least two")
        no_features = Msg("The data have no features. Choose some with Select Columns")
        no_candidates = Msg("The data have none of the features on the input. Connect features of the same data")
        no_target = Msg("The data have no target. Choose one with Select Columns, or rank without a target in URelief")
        like_features = Msg("The data have no target, and rows look like features ({}). Swap both with Transpose")
        not_ranked = Msg("This widget has no method for {}. Choose one target with Select Columns")
        one_class = ONE_CLASS
        failed = Msg("{}")
        unexpected = Msg("Ranking failed: {}")

    class Warning(OWWidget.Warning):
        unknown_features = Msg("{} not in the data, and ignored")
        not_in_data = Msg("{}")
        method_failed = Msg("{}")
        not_saved = Msg("{}")
        stopped = Msg("The ranking was stopped early, so scores may still change: {}")
        no_information = Msg("Every feature has one value in all rows, so scores mean nothing. Connect other data")

    class Information(OWWidget.Information):
        choose_target = Msg("The data have no target. Choose one at the left, or rank without a target in URelief")
        no_method = Msg("No method is selected. Tick at least one method for {}")
        constant = Msg("Features with the same value in every row: {}")
        empty = Msg("Features without any known value: {}")
        hidden = Msg("The table hides {} with one value or none. They are still ranked")
        left_out = Msg("{}. To select more, choose All or Score ≥")
        unused_target = Msg("The ranking ignores the target, which stays in Reduced Data")

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
    # names on the input that were selected last
    features_taken = Setting(None, schema_only=True, fits=maybe(strings))
    more_open = Setting(False)
    hidden_columns = Setting([], fits=strings)
    attribute_columns = Setting([], fits=strings)  # names of attributes of features that are shown
    fold_alike = Setting(False)  # features under the best of their groups
    hide_constant = Setting(False)  # features that are constant or missing, in the table
    log_ranks = Setting(None, fits=maybe(switch))  # None: for many features
    splitter = Setting([], fits=wholes)
    view = Setting(PLOT, fits=one_of(*VIEWS))  # scores by rank, or the heat map where there is one
    null_level = Setting(True)  # shown if it is quick
    stability = Setting(False)  # shown if it is quick
    p_values = Setting(False)  # of the leading score
    fdr = Setting(LEVEL, fits=lambda value: isinstance(value, float) and value in LEVELS)  # false discovery rate
    show_z = Setting(False)  # beside p and q
    why_open = Setting(False)  # whether the rank of the current feature is explained below its values
    values_open = Setting(False)  # whether values of the current feature are shown beside the table
    auto_apply = Setting(True)
    ranked = Setting({}, schema_only=True, fits=fits)  # scores, and the data and parameters that they are of
    tested = Setting({}, schema_only=True, fits=fits)  # p-values, and what they are of

    data = given = candidates = None
    data_number = 0  # of the data that are ranked
    run_number = 0  # of the task that ranks them
    arrived = False  # data or features, since they were last looked at
    connected: tuple[Scorer, ...] = ()

    usual_before: tuple[str, ...] = ()  # methods that were ticked at first in version 1 of the settings
    usual: tuple[str, ...] = ()  # names of methods that are ticked at first; one for each task
    presets = False  # whether there are choices that stand for several methods
    extra_types: tuple[type[Extra], ...] = (PValues, NullLevels, Stabilities, Stops, Why)  # these first
    aside: tuple[str, ...] = ()  # names of columns that are not ranked
    supervised = True  # else targets take no part
    panel_type = MethodPanel
    ranks = staticmethod(run)  # (table, jobs, known, state) -> result
    result_type = Result
    buttons = BUTTON  # of the strip

    def __init__(self):
        self.refresh = Refresh(self._show, self._send_news)
        OWWithCharts.__init__(self)
        TaskRunner.__init__(self)
        self.problem, self.result, self.sender, self._packed = None, self.result_type(), Sender(self), None
        self.later = QTimer(self, singleShot=True)
        if self.mode == FDR and not self.supervised:
            self.mode = BEST
        self.p_values |= self.mode == FDR
        self._control_area()
        self._main_area()
        self.extras = [kind(self) for kind in self.extra_types]
        self.tests, self.nulls, self.stabilities, self.stops, self.why, *_ = self.extras
        self.show_state(self.run_state)
        lift_indicators(self)
        open_large(self)
        self.outbox = Outbox(self.commit, self.decide(), self.later)
        self._send_tools()
        self.settingsAboutToBePacked.connect(self._pack)

    def offered(self) -> tuple:
        raise NotImplementedError

    # Anatomy ---------------------------------------------------------------------------------------------------------

    def _control_area(self):
        ticked = list(self.usual) if self.methods is None else self.methods
        self.panel = self.panel_type(self.offered(), ticked, self.current, self.parameters, self.more_open)
        self.panel.set_p_values(self.p_values)
        self.panel.offer_presets(self.presets, self.preset, self.all_methods)
        self._follow(self.panel.presets.folded, "all_methods")
        self.panel.offer_scorers(self.supervised, ticked, self.scorers_open)
        self._follow(self.panel.scorers.folded, "scorers_open")
        self.panel.ticks_changed.connect(self._ticked)
        self.panel.parameters_changed.connect(self._parameters_changed)
        self.panel.current_changed.connect(self._current_changed)
        self._follow(self.panel.form.folded, "more_open")
        self.controlArea.layout().addWidget(self.panel)
        self.selection = SelectionBox(self.mode, self.n_best, self.threshold, self.share, self.fdr, self.fold_alike)
        self.selection.changed.connect(self.selection_changed)
        self.selection.leading_chosen.connect(self._lead_by)
        self.selection.offer_leading(len(self.panel.methods) > 1)
        self.add_columns(self.panel.layout(), 0)
        box = gui.vBox(None, "Selection")
        self.enough, self.features_box = Enough(), FeaturesBox(self.features_use)
        self.features_box.changed.connect(self._features_use_changed)
        for part in (self.selection, self.made_keep_box(), self.enough, self.features_box):
            box.layout().addWidget(part)
        self.panel.layout().insertWidget(3, box)  # above the parameters: it decides more
        gui.rubber(self.controlArea)
        auto_send(self)

    def _main_area(self):
        self.area = RankingArea(self.splitter, self.log_ranks, self.view, self.buttons)
        self.mainArea.layout().addWidget(self.area)
        self.area.sorted_by_score.connect(self._lead_by)
        self.area.menu.lead_wanted.connect(self._lead_by)
        self.area.menu.script = lambda: script_of(self)
        self.area.table.failed.connect(lambda text: say(self.Warning.not_saved, text))
        self.area.table.hide_columns(self.hidden_columns)
        self._follow(self.area.menu.hidden_changed, "hidden_columns")
        self.area.model.show_attributes(self.attribute_columns)
        self._follow(self.area.menu.attributes_changed, "attribute_columns")
        self.area.menu.attributes_changed.connect(self.area.model.show_attributes)
        self.area.selected_by_hand.connect(lambda: self.select_by_hand(self.area.selected_names()))
        self._follow(self.area.resized, "splitter")
        self._follow(self.selection.fold_box.clicked, "fold_alike")
        self.selection.fold_box.clicked.connect(lambda: self.refresh("scores", "summary"))
        self._follow(self.area.views.changed, "view")
        self.area.plot.cut_moved.connect(self.selection.set_last)
        self.area.plot.threshold_moved.connect(self.selection.set_threshold)
        self._follow(self.area.plot.log_changed, "log_ranks")
        self.area.strip.serve(self, lambda: self.resume())
        self._follow(self.area.values.opened, "values_open")
        self.area.values.set_open(self.values_open)
        self.area.menu.set_hide_constant(self.hide_constant)
        self._follow(self.area.menu.hide_constant_changed, "hide_constant")
        self.area.menu.hide_constant_changed.connect(lambda: show_useless(self))

    def _follow(self, signal, setting):
        signal.connect(lambda value: setattr(self, setting, value))

    # Data and tasks --------------------------------------------------------------------------------------------------

    @Inputs.data
    def set_data(self, data):
        self.given, self.arrived = data, True

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

    def handleNewSignals(self):
        with self.refresh.event("scores", "summary"):
            self.panel.connect_scorers(self.connected, self.unticked)
            if self.arrived:
                self.arrived, self.data = False, self.settled(self.given)
                self._data_changed()
            self.restart()

    def _data_changed(self):
        self.clear_messages()
        self.cancel()
        given = self.data, self.restriction, self.supervised, (*self.aside, *self.left_out)
        p = self.problem = None if self.data is None else problem(*given)
        self.result, self._packed = self.result_type(), None
        self.data_number += 1
        for extra in self.extras:
            extra.reset(p and p.table)
        self.area.values.set_data(p and p.table, self.panel.study[0])
        self.offer_kept(p.features if p else ())
        self.panel.set_problem(p, self.usual)
        self.area.set_features(p.features if p else ())
        self.selection.set_size(len(self.area.model.names))
        self._follow_features()
        if p is not None:
            warming.begin()
            known = {variable.name for variable in self.data.domain.attributes}
            unknown = len({variable.name for variable in self.candidates or ()} - known) if p.features else 0
            self.Warning.unknown_features(
                counted(unknown, "feature on the input is", "features on the input are"), shown=unknown > 0
            )
            self.Information.unused_target(shown=not self.supervised and bool(self.data.domain.class_vars))

    @property
    def restriction(self) -> list | None:
        """The features that may be ranked; None: all."""
        return self.candidates if self.features_use == RESTRICT else None

    def _follow_features(self):
        """Select what has come, if it is for that, unless it was selected before: the user may have changed it."""
        self.features_box.setVisible(self.candidates is not None)
        names = [variable.name for variable in self.candidates or ()]
        if self.candidates is None or self.features_use == RESTRICT or names == self.features_taken:
            return
        self.features_taken = self.manual = names
        self.mode = MANUAL
        self.selection.set_mode(MANUAL)

    def next_task(self):
        for message in (self.Error, self.Warning.method_failed, self.Warning.stopped, self.Information.no_method):
            message.clear()
        self.run_number += 1
        p = self.problem
        if p is None:
            return None
        if len(p.table) < 2:
            (self.Error.one_row if len(p.table) else self.Error.no_rows)()
        elif not p.features:
            restricted = self.restriction is not None and self.data.domain.attributes
            (self.Error.no_candidates if restricted else self.Error.no_features)()
        elif not self.panel.fitting():
            show_unfit(self, p)
        elif p.only_class:
            self.Error.one_class(p.only_class)
        elif not self.panel.active():
            self.Information.no_method(WORDS[p.task])
        else:
            return rank_new, partial(run_with_scorers, self.ranks), self.ranked, p.table, self.panel.jobs(), self.result
        return None

    def show_result(self, result, final):
        """From partial results, the end, a stop, and nothing to do (the last two: None, keep what there is)."""
        if result is not None:
            self.result = result
        for extra in self.extras if final else ():
            extra.drop_preview()
        self.refresh.now("scores", "summary")
        show_useless(self)
        self.show_suspects()
        if final:
            say(self.Warning.method_failed, failures(self.panel, self.result))

    def _lead_is_final(self):
        """True if the score that is to lead in the end is there, whatever else is still to come."""
        names = [name for name in self.panel.active() if self.panel.job(name) not in self.result.failures]
        wanted = self.leading if self.leading in names else self.panel.first(names)
        return wanted is not None and self.result.is_final(self.panel.job(wanted))

    def show_failure(self, exception):
        self.show_error(exception)
        self.result = self.result_type()
        for extra in self.extras:
            extra.ranking_failed()
        self.refresh("scores", "summary")

    def show_state(self, state):
        self.area.strip.set_state(state)
        possible = self.problem is not None and len(self.problem.table) and self.problem.features
        self.area.table.placeholder = NO_DATA if self.data is None else NO_MATCH if possible else ""

    # What the user does ----------------------------------------------------------------------------------------------

    resume = TaskRunner.restart

    def _ticked(self):
        self.preset = self.panel.preset
        before = self.usual if self.methods is None else self.methods  # of any types, if stored by another hand
        new = [name for name in self.panel.ticked if name not in before]
        self.hidden_columns = [name for name in self.hidden_columns if name not in new]
        self.area.table.hide_columns(self.hidden_columns)
        self.methods, self.unticked = self.panel.ticked, self.panel.scorers.unticked()
        self.refresh("scores", "summary")
        self.restart_soon()

    def _current_changed(self):
        self.current = self.panel.current
        if self.problem is None:  # then it is the scorer that is sent
            self.refresh()

    def _parameters_changed(self):
        self.parameters = self.panel.parameters
        self.restart_soon()

    def _lead_by(self, name):
        if name != self.leading:
            self.leading = name
            self.refresh("scores", "summary")

    def selection_changed(self) -> None:
        """The user chose a selection; one by p-values needs these."""
        s = self.selection
        if s.mode == FDR and not self.p_values:
            self.tests.want(True)
        self.mode, self.n_best, self.threshold, self.share = s.mode, s.n, s.threshold, s.share
        self.refresh("selection")

    def select_by_hand(self, names: list[str]) -> None:
        self.manual = names
        self.selection.set_mode(MANUAL)
        self.selection_changed()

    def _features_use_changed(self, use):
        if use != self.features_use:
            self.features_use, self.features_taken, self.arrived = use, None, True
            self.handleNewSignals()

    # Extras ----------------------------------------------------------------------------------------------------------

    def null_job(self, job: Job) -> Job:
        """Job with the neighbours and influence that the true target chose, for shuffled targets or other rows."""
        return self.result.settled(job)

    def has_null(self) -> bool:
        """True if shuffled targets give the leading score a scale: not where there is nothing to shuffle."""
        return self.problem is None or self.problem.labelled > 0

    def has_time(self) -> bool:
        """True if nothing that matters more is under way, and somebody looks: extras are for eyes."""
        return self.run_state != RUNNING and self.isVisible()

    def lead_job(self) -> Job | None:
        """Job of the score that leads, if it is finished."""
        lead = self.area.lead if self.problem else None
        return self.null_job(self.panel.job(lead.name)) if lead and not lead.partial else None

    def facts(self, job: Job) -> dict[str, object]:
        """Facts of all extras about a job: arguments of its `Scores`."""
        job = self.null_job(job)
        return {name: fact for extra in self.extras for name, fact in extra.facts(job).items()}

    def extra_changed(self) -> None:
        lead = self.area.lead
        facts = self.facts(self.panel.job(lead.name)) if lead else {}
        news = any(getattr(lead, name) is not value for name, value in facts.items() if name != "level")
        self.refresh(*["scores"] * news)

    def showEvent(self, event):
        super().showEvent(event)
        warming.begin()
        self.refresh()

    def customEvent(self, event):
        self.why.follow_link(event)
        super().customEvent(event)

    def onDeleteWidget(self):
        for extra in self.extras:
            extra.shutdown()
        super().onDeleteWidget()

    # Views -----------------------------------------------------------------------------------------------------------

    def _show(self, stale: set[str]) -> None:
        """Show the parts "scores", "selection" and "summary" if they are stale, and let extras follow."""
        if "scores" in stale:
            self.show_scores()
        elif "selection" in stale:
            self.apply_selection()
        if "summary" in stale:
            self._show_summary()
        for extra in self.extras:
            extra.refresh()

    @property
    def shown_result(self) -> Result:
        result = self.result
        for extra in self.extras:
            result = extra.shown(result)
        return result

    def show_scores(self) -> None:
        p = len(self.area.model.names)
        shown, later = columns(self.panel, self.shown_result, self.facts, self.run_state == STOPPED, p)
        names = [scores.name for scores in shown]
        leading = self.leading if self.leading in names else self.panel.first(names)
        place = names.index(leading) if names else 0
        self.area.set_scores([*shown, *later] if shown and self.run_state == RUNNING else shown, place)
        self.area.model.fold(groups_of(self) if self.fold_alike else ())
        self.selection.groups = self.area.model.groups
        self.selection.set_scores(shown, place)
        self.apply_selection()

    def apply_selection(self) -> None:
        by_hand, asked = np.zeros(0, bool), self.keep
        if self.mode == MANUAL and self.data is not None:
            by_hand, asked = self.mask_of(self.manual), [*self.keep, *self.manual]
        say(self.Warning.not_in_data, self.not_in_data(asked))
        self.selection.keep = self.mask_of(self.panel.keep)
        self.area.model.select(self.selection.mask(self.area.lead, by_hand))
        selected, wanted = self.area.model.selected, self.selection.best
        taken = int(selected.sum())
        top = taken if self.mode == FROM else wanted or (self.mode == FDR and taken) or self.n_best
        self.area.model.set_top(top)  # stability is the chance to be among so many
        best = wanted if self.area.lead else None
        last = int(self.area.lead.ranks[selected & ~self.selection.keep].max(initial=0)) if best else 0
        self.selection.show_groups(selected)
        self.area.plot.set_cut(BEST if best else self.mode, last or best or 0, self.threshold)
        best = best or taken
        self.Information.left_out(only_above_zero(taken, best), shown=best > taken)

    def _show_summary(self):
        """Show what was done; while something runs the strip says what, and only the curve grows."""
        area, shown, lead, result = self.area, self.area.model.columns, self.area.lead, self.shown_result
        if CONVERGENCE not in area.views.pages:  # else a chart shows it
            points, lines = curve(result, self.panel.job(lead.name)) if lead else ((), ())
            area.sparkline.set_points(points, lead and hue(lead.number, self.palette()), lines)
        if self.run_state != RUNNING:
            texts, infos = lines_and_infos(shown, self.panel, result, self.run_state == STOPPED)
            line = " · ".join(texts[name] for name in sorted(texts, key=lambda name: name != lead.name))
            area.strip.set_text(line or "No ranking" * bool(self.problem), "\n".join(texts.values()))
            show_notes(self, infos)
            say(self.Warning.stopped, unfinished(shown, self.panel, infos) if self.run_state == STOPPED else "")

    # Outputs ---------------------------------------------------------------------------------------------------------

    def decide(self) -> Decision:
        """Return what is to be sent, and what is still awaited."""
        model = self.area.model
        ranking = RankingState(
            data=self.data_number,
            run=self.run_number,
            running=self.run_state == RUNNING,
            failed=self.run_state == FAILED,
            lead_final=self._lead_is_final(),
            names=model.names,
            columns=model.columns if self.problem else (),
        )
        labelled = self.problem is not None and self.problem.labelled > 0
        p_values = self.tests.state_of(self.lead_job()) if labelled else PValuesState(missing=False, running=False)
        request = Request(
            rule=rule_of(self, self.fold_alike, self.keep),
            by_hand=tuple(self.manual) if self.mode == MANUAL else (),
            leading=self.leading,
            p_values=self.p_values,
            highlighted="" if self.problem else self.panel.current,
        )
        return decide(ranking, model.selected, p_values, request)

    def _send_news(self):
        decision = self.decide()
        self.outbox.follow(decision)
        self.waits = decision.pending
        self.setInvalidated(self.waits)  # what comes after this widget need not wait for the slower methods

    @gui.deferred
    def commit(self):
        if any(extra.preview is not None for extra in self.extras):  # what is sent is what was ranked
            for extra in self.extras:
                extra.drop_preview()
            self.show_scores()
        self.sender.send(self.decide())
        self._send_tools()

    def _send_tools(self):
        self.sender.send_tools()

    def _pack(self):
        """Keep finished rankings in the workflow; those of before, as long as there are no others."""
        now = self.result, self.panel.jobs()
        if self.result.rankings and now != self._packed:
            self.ranked, self._packed = packed(*now) or self.ranked, now

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

    send_report = write_report

    def report_items_of_data(self) -> tuple:
        """More items of a report: (title, text or None)."""
        return ()
