"""What widgets share that compute something from one table: data in, a thread, a strip, errors as messages."""

from AnyQt.QtCore import QEvent
from Orange.widgets.widget import Msg, OWWidget

from .colors import lift_indicators
from .strip import Strip
from .task import FAILED, RUNNING, STOPPED, TaskRunner

BUTTONS = {
    RUNNING: ("S&top", "Keep what there is now"),
    STOPPED: ("&Resume", "Compute the rest"),
    FAILED: ("&Try again", "Try once more"),
}


class OWComputing(TaskRunner, OWWidget, openclass=True):
    """Gives the strip and its button, and shows failures; a subclass gives `next_task`, `show_result`, `forget`."""

    class Error(OWWidget.Error):
        failed = Msg("{}")
        unexpected = Msg("Failed: {}")

    def __init__(self):
        OWWidget.__init__(self)
        TaskRunner.__init__(self)
        self.strip = Strip(buttons=BUTTONS)
        self.strip.button.clicked.connect(lambda: self.stop() if self.run_state == RUNNING else self.restart())
        self.statusMessageChanged.connect(self.strip.set_status)
        self.strip.set_state(self.run_state)

    def forget(self) -> None:
        """Throw away results, and send None instead of them."""
        raise NotImplementedError

    def show_state(self, state):
        self.strip.set_state(state)

    def show_failure(self, exception):
        if isinstance(exception, ValueError):
            self.Error.failed(exception)
        else:
            self.Error.unexpected(str(exception) or type(exception).__name__, exc_info=exception)
        self.strip.set_text("")
        self.forget()

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "strip"):
            lift_indicators(self)
