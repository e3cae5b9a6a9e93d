"""Base of widgets that compute something from one table: data in, a thread, a result, errors as messages."""

from functools import partial

from AnyQt.QtWidgets import QCheckBox, QSpinBox, QWidget
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.widget import Input, Msg, OWWidget

from .colors import lift_indicators
from .controls import Reasoned, name_tab_stops, open_large, spin
from .markup import plain_reports
from .settings import CheckedSettings
from .strip import Headline, Strip
from .task import FAILED, RUNNING, STOPPED, TaskRunner
from .visual_settings import OWWithCharts

BUTTONS = {
    RUNNING: ("S&top", "Stop, and keep the result so far"),
    STOPPED: ("&Resume", "Compute the rest"),
    FAILED: ("&Try again", "Try once more"),
}
NOTHING_YET = "The computation was stopped before there was a result. Press Resume to continue"


@plain_reports
class OWComputing(TaskRunner, OWWithCharts, openclass=True):
    """Controls at the left; a headline, perhaps a chart, and a strip at the right.

    `result` is what is known so far: replaced, never changed.  A subclass gives

    add_controls(): fills the control area;
    refuse(): the message why nothing can be computed from the data; None if it can;
    work(): a function for a thread, and its arguments;
    show_views(): shows headline, chart and messages of the result;
    shown: whether the result has anything to show.  Else there is `nothing`, which names the data to connect, `coming`
    during a run, or the message of an error;
    summary(): a line about the result, empty without one;
    commit(): a `gui.deferred` that sends the result, or None if it is empty; or else its own `send_result`.
    """

    empty: type  # makes a result that knows nothing
    chart_class: type[QWidget] = QWidget  # with a chart, `graph_name` is "chart"
    nothing: str
    coming: str

    settingsHandler = CheckedSettings()

    class Inputs:
        data = Input("Data", Table)

    class Error(OWWidget.Error):
        failed = Msg("{}")
        unexpected = Msg("Computation failed: {}")

    def __init__(self):
        OWWithCharts.__init__(self)
        TaskRunner.__init__(self)
        self.data, self.result, self._fresh = None, self.empty(), False
        self.headline, self.chart, self.strip = Headline(), self.chart_class(), Strip(buttons=BUTTONS)
        self.stack = Reasoned()
        self.stack.addWidget(self.chart)
        self.add_controls()
        gui.rubber(self.controlArea)
        self.mainArea.layout().addWidget(self.headline)
        self.mainArea.layout().addWidget(self.stack, 1)
        self.mainArea.layout().addWidget(self.strip)
        self.strip.serve(self, self.restart)
        lift_indicators(self)
        open_large(self)
        name_tab_stops(self)
        self._show()

    # Data and tasks --------------------------------------------------------------------------------------------------

    @Inputs.data
    def set_data(self, data):
        self.cancel()
        self.data, self.result, self._fresh = data, self.empty(), True
        self.Warning.clear()
        self.Information.clear()
        self._show()
        self.restart()

    def next_task(self):
        self.Error.clear()
        message = None if self.data is None else self.refuse()
        if message is not None:
            message()
        return None if self.data is None or message is not None else self.work()

    def show_result(self, result, final):
        """From partial results, the end, a stop, and nothing to do (the last two: None, keep what there is)."""
        if result is not None:
            self.result = result
        self._show()
        if final:
            self.send_result(self._fresh)  # at once after new data: nothing after here may belong to old data
            self._fresh = False

    def show_state(self, state):
        self.strip.set_state(state)
        self.stack.say(self._reason())

    def show_failure(self, exception):
        self.show_error(exception)
        self.strip.set_text("")
        self.result = self.empty()
        self._show()
        self.send_result(now=True)

    def send_result(self, now: bool) -> None:
        """Send the result; now: also if the user does not want changes to be sent."""
        if now:
            self.commit.now()
        else:
            self.commit.deferred()

    def changed(self, result: object = None) -> None:
        """The user changed something, of which `result` stays true (None: nothing): begin again soon."""
        self.result = self.empty() if result is None else result
        self.restart_soon()

    def _show(self):
        self.show_views()
        if self.run_state != RUNNING:  # then the strip shows what the task says
            self.strip.set_text(self.summary())
        self.stack.say(self._reason())

    def _reason(self) -> str:
        if self.shown:
            return ""
        if self.run_state in (RUNNING, STOPPED):
            return self.coming if self.run_state == RUNNING else NOTHING_YET
        return "\n".join(map(str, [*self.Error.active, *self.Warning.active])) or self.nothing

    # Controls of settings --------------------------------------------------------------------------------------------

    def spin(self, name: str, setting: str, low: int, high: int, about: str) -> QSpinBox:
        """Make an editor of a setting that is a whole number, which gets between the bounds."""
        box = spin(name, getattr(self, setting), low, high, f"{name}, from {low:,} to {high:,}: {about}")
        setattr(self, setting, box.value())
        box.valueChanged.connect(partial(self._set, setting))
        return box

    def check_box(self, text: str, setting: str, tip: str) -> QCheckBox:
        """Make a box of a setting that is on or off."""
        box = QCheckBox(text, checked=getattr(self, setting), toolTip=tip)
        box.clicked.connect(partial(self._set, setting))
        return box

    def _set(self, setting, value):
        setattr(self, setting, value)
        self.setting_changed(setting)

    def setting_changed(self, setting: str) -> None:
        """Compute again with what the user set."""
        self.changed()
