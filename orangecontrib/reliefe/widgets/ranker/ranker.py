"""The anatomy of every ranker: methods, parameters and selection at the left, the ranking at the right."""

import numpy as np
from AnyQt.QtCore import QEvent, QSize, QTimer
from Orange.widgets import gui

from ...command import warming
from ...core.words import counted, sentence
from ..utils.beside import beside
from ..utils.colors import hue, lift_indicators
from ..utils.jobs import Result, run
from ..utils.problem import WORDS, problem
from ..utils.remembered import packed, rank_new
from ..utils.settings import auto_send
from ..utils.strip import BUTTON
from ..utils.task import RUNNING, STOPPED, TaskRunner
from .area import RankingArea
from .columns import columns, curve, failures, told, unfinished
from .extras import FollowUps, show_numbering
from .methodpanel import MethodPanel
from .outputs import Sending
from .selection import BEST, MANUAL, FeaturesInput, SelectionBox
from .signals import OWRankerFace, not_among, only_above_zero, say, show_unfit
from .signals import show as show_notes
from .testing import Testing

START = QSize(1080, 640)  # pixels; Qt's own choice is two thirds of the screen
START_SHARE = 0.92  # of the screen, at most
COLLECT = 100  # ms in which quick changes of the selection are collected before they are sent
NO_DATA = "Connect data to rank its features"
NO_MATCH = "No feature matches the filter"


class OWRanker(Testing, FollowUps, FeaturesInput, Sending, TaskRunner, OWRankerFace, openclass=True):
    """Ranks features by the methods that a subclass offers: it gives `offered()` and `usual`.

    Ticked methods are computed, the highlighted one is edited, one score leads: best n, threshold, rank column and
    the plot's cut all mean it.
    """

    usual: tuple[str, ...] = ()  # names of methods that are ticked at first; one for each task
    presets = False  # whether there are choices that stand for several methods
    supervised = True  # else targets take no part
    panel_type = MethodPanel
    ranks = staticmethod(run)  # (table, jobs, known, state) -> result
    result_type = Result
    buttons = BUTTON  # of the strip

    def __init__(self):
        OWRankerFace.__init__(self)
        TaskRunner.__init__(self)
        self.problem, self.result, self._fresh, self._sent = None, self.result_type(), False, None
        self._sent_features, self._led, self._packed = None, False, None
        self._commit_later = QTimer(self, singleShot=True, interval=COLLECT)
        self._commit_later.timeout.connect(lambda: self.commit.deferred())
        self.make_follow_ups()
        self._control_area()
        self._main_area()
        self.show_state(self.run_state)
        lift_indicators(self)
        self.resize(START.boundedTo(self.screen().availableSize() * START_SHARE))
        self._send_tools()
        self.settingsAboutToBePacked.connect(self._pack)

    def offered(self) -> tuple:
        """The methods that the widget lists."""
        raise NotImplementedError

    # Anatomy ---------------------------------------------------------------------------------------------------------

    def _control_area(self):
        ticked = list(self.usual) if self.methods is None else self.methods
        self.panel = self.panel_type(self.offered(), ticked, self.current, self.parameters, self.more_open)
        self.panel.offer_presets(self.presets, self.preset, self.all_methods)
        self.panel.presets.folded.connect(lambda opened: setattr(self, "all_methods", opened))
        self.panel.offer_scorers(self.supervised, ticked, self.scorers_open)
        self.panel.scorers.folded.connect(lambda opened: setattr(self, "scorers_open", opened))
        self.panel.ticks_changed.connect(self._ticked)
        self.panel.parameters_changed.connect(self._parameters_changed)
        self.panel.current_changed.connect(self._current_changed)
        self.panel.form.folded.connect(lambda opened: setattr(self, "more_open", opened))
        self.controlArea.layout().addWidget(self.panel)
        self.selection = SelectionBox(self.mode, self.n_best, self.threshold, self.share, self.fdr)
        self.selection.changed.connect(self._selection_changed)
        self.selection.leading_chosen.connect(self._lead_by)
        self.selection.offer_leading(len(self.panel.methods) > 1)
        box = gui.vBox(None, "Selection")
        box.layout().addWidget(self.selection)
        box.layout().addWidget(self.make_enough())
        box.layout().addWidget(self.make_features_box())
        self.panel.layout().insertWidget(1, box)  # above the parameters: it decides more
        gui.rubber(self.controlArea)
        auto_send(self)

    def _main_area(self):
        self.area = RankingArea(self.splitter, self.log_ranks, self.view, self.buttons)
        self.mainArea.layout().addWidget(self.area)
        self.area.sorted_by_score.connect(self._lead_by)
        self.area.menu.lead_wanted.connect(self._lead_by)
        self.area.table.failed.connect(lambda text: say(self.Warning.not_saved, text))
        self.area.table.hide_columns(self.hidden_columns)
        self.area.menu.hidden_changed.connect(lambda names: setattr(self, "hidden_columns", names))
        self.area.model.show_attributes(self.attribute_columns)
        self.area.menu.attributes_changed.connect(self._attributes_changed)
        self.area.selected_by_hand.connect(self._selected_by_hand)
        self.area.resized.connect(lambda sizes: setattr(self, "splitter", sizes))
        self.area.views.changed.connect(lambda view: setattr(self, "view", view))
        self.area.plot.cut_moved.connect(self.selection.set_n)
        self.area.plot.threshold_moved.connect(self.selection.set_threshold)
        self.area.plot.log_changed.connect(lambda log: setattr(self, "log_ranks", log))
        self.area.strip.button.clicked.connect(lambda: self.stop() if self.run_state == RUNNING else self.resume())
        self.statusMessageChanged.connect(self.area.strip.set_status)
        self.connect_follow_ups()

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "area"):
            lift_indicators(self)

    # Data and tasks --------------------------------------------------------------------------------------------------

    def handleNewSignals(self):
        self.panel.connect_scorers(self.connected, self.unticked)
        if self.arrived:
            self.arrived = False
            self._begin_anew()
        else:
            self._show()
            self.restart()

    def _begin_anew(self):
        self.clear_messages()
        self.cancel()
        p = self.problem = None if self.data is None else problem(self.data, self.restriction, self.supervised)
        self.result, self._fresh, self._sent_features, self._packed = self.result_type(), True, None, None
        self.reset_follow_ups()
        self.panel.set_problem(p, self.usual)
        self.area.set_features(p.features if p else ())
        self.area.views.set_hierarchy([v.name for v in p.targets] if p else (), p and p.parents)
        self.selection.set_size(len(self.area.model.names))
        self.follow_features()
        if p is not None:
            warming.begin()
            unknown = self.unknown_features() if p.features else 0
            self.Warning.unknown_features(counted(unknown, "feature"), shown=unknown > 0)
            show_numbering(self)
            self.Information.unused_target(shown=not self.supervised and bool(self.data.domain.class_vars))
        self.restart()
        if self.run_state == RUNNING:
            self._show()

    def next_task(self):
        """Next task to run: None without data, or without anything to compute."""
        for message in (self.Error, self.Warning.method_failed, self.Warning.stopped, self.Information.no_method):
            message.clear()
        self._led = False
        p = self.problem
        if p is None:
            return None
        if not len(p.table):
            self.Error.no_rows()
        elif len(p.table) == 1:
            self.Error.one_row()
        elif not p.features:
            (self.Error.no_candidates if self.data.domain.attributes else self.Error.no_features)()
        elif not self.panel.fitting():
            show_unfit(self.Error, p)
        elif p.only_class:
            self.Error.one_class(p.only_class)
        elif not self.panel.active():
            self.Information.no_method(WORDS[p.task])
        else:
            return rank_new, beside(self.ranks), self.ranked, p.table, self.panel.jobs(), self.result
        return None

    def show_result(self, result, final):
        """From partial results, the end, a stop, and nothing to do (the last two: None, keep what there is)."""
        if result is not None:
            self.result = result
        self._show()
        self.show_uninformative()
        if final:
            warming.follow(max((job.effort(self.problem.table.X.shape)[1] for job in self.result.rankings), default=0))
            say(self.Warning.method_failed, failures(self.panel, self.result))
        elif self._led or not self._lead_is_final():
            return
        else:
            self._led = True
            self.setInvalidated(self.holds)  # what comes after this widget need not wait for the slower methods
        if self.holds:
            self.hold()
            return
        (self.commit.now if self._fresh else self.commit.deferred)()
        self._fresh &= not final  # in the end nothing that was sent before belongs to old data

    def _lead_is_final(self):
        """True if the score that is to lead in the end is there, whatever else is still to come."""
        names = [name for name in self.panel.active() if self.panel.job(name) not in self.result.failures]
        wanted = self.leading if self.leading in names else self.panel.first(names)
        return wanted is not None and self.result.is_final(self.panel.job(wanted))

    def show_failure(self, exception):
        if isinstance(exception, ValueError):
            self.Error.failed(sentence(str(exception)))
        else:
            self.Error.unexpected(str(exception) or type(exception).__name__, exc_info=exception)
        self.result = self.result_type()
        self._show()
        self.commit.now()

    def show_state(self, state):
        self.area.strip.set_state(state)
        possible = self.problem is not None and len(self.problem.table) and self.problem.features
        self.area.table.placeholder = NO_DATA if self.data is None else NO_MATCH if possible else ""

    # What the user does ----------------------------------------------------------------------------------------------

    def resume(self) -> None:
        """Rank again: the button of the strip, while nothing runs."""
        self.restart()

    def _ticked(self):
        self.preset = self.panel.preset
        before = self.usual if self.methods is None else self.methods  # of any types, if stored by another hand
        new = [name for name in self.panel.ticked if name not in before]
        self.hidden_columns = [name for name in self.hidden_columns if name not in new]
        self.area.table.hide_columns(self.hidden_columns)
        self.methods, self.unticked = self.panel.ticked, self.panel.scorers.unticked()
        self._show()
        self.restart_soon()

    def _current_changed(self):
        self.current = self.panel.current
        if self.problem is None:  # then it is the scorer that is sent
            self._commit_soon()

    def _parameters_changed(self):
        self.parameters = self.panel.parameters
        self.restart_soon()

    def _lead_by(self, name):
        if name != self.leading:
            self.leading = name
            self._show()
            self._commit_soon()

    def _selection_changed(self):
        self.choose_selection()
        s = self.selection
        self.mode, self.n_best, self.threshold, self.share = s.mode, s.n, s.threshold, s.share
        self._apply_selection()
        self._commit_soon()

    def _selected_by_hand(self):
        self.manual = self.area.selected_names()
        self.selection.set_mode(MANUAL)
        self._selection_changed()

    def _attributes_changed(self, names):
        self.attribute_columns = names
        self.area.model.show_attributes(names)

    # Views -----------------------------------------------------------------------------------------------------------

    def _show(self):
        self._show_scores()
        self._show_summary()
        self.follow_up()

    def _show_scores(self):
        p = len(self.area.model.names)
        shown, later = columns(self.panel, self.result, self.followed, self.run_state == STOPPED, p)
        names = [scores.name for scores in shown]
        leading = self.leading if self.leading in names else self.panel.first(names)
        place = names.index(leading) if names else 0
        self.area.set_scores([*shown, *later] if shown and self.run_state == RUNNING else shown, place)
        self.selection.set_scores(shown, place)
        self._apply_selection()

    def _apply_selection(self):
        by_hand, gone = np.zeros(0, bool), ""
        if self.mode == MANUAL and self.data is not None:
            names, chosen = self.area.model.names, set(self.manual)
            by_hand = np.fromiter((name in chosen for name in names), bool, len(names))
            gone = not_among(self.manual, [v.name for v in self.data.domain.attributes], "in the data")
        say(self.Warning.not_in_data, gone)
        self.area.model.select(self.selection.mask(self.area.lead, by_hand))
        self.area.set_top(self.top_size())
        taken, lead = int(self.area.model.selected.sum()), self.area.lead
        best = self.selection.best if lead else None
        self.area.plot.set_cut(BEST if best else self.mode, taken or best or 0, self.threshold)
        best = best or taken
        self.Information.left_out(only_above_zero(taken, best), shown=best > taken)

    def _show_summary(self):
        """Show what was done; while something runs the strip says what, and only the curve grows."""
        area, shown, lead = self.area, self.area.model.columns, self.area.lead
        points, lines = curve(self.result, self.panel.job(lead.name)) if lead else ((), ())
        area.sparkline.set_points(points, lead and hue(lead.number, self.palette()), lines)
        if self.run_state != RUNNING:
            texts, infos = told(shown, self.panel, self.result, self.run_state == STOPPED)
            line = " · ".join(texts[name] for name in sorted(texts, key=lambda name: name != lead.name))
            area.strip.set_text(line or "No ranking" * bool(self.problem), "\n".join(texts.values()))
            show_notes(self, infos)
            say(self.Warning.stopped, unfinished(shown, self.panel, infos) if self.run_state == STOPPED else "")

    # Outputs ---------------------------------------------------------------------------------------------------------

    def _commit_soon(self):
        self._release()
        if not self.holds and (self.run_state != RUNNING or self._lead_is_final()):  # or else the end of the run will
            self._commit_later.start()

    def _pack(self):
        """Keep finished rankings in the workflow; those of before, as long as there are no others."""
        now = self.result, self.panel.jobs()
        if self.result.rankings and now != self._packed:
            self.ranked, self._packed = packed(*now) or self.ranked, now
