"""Long work of widgets in threads, upon Orange's `ConcurrentMixin` and `TaskState` (Qt).

`TaskThread` is the thread of all of them. Windows are `TaskRunner`, whose task is the work of the window: it has a
state, a progress bar, and holds back the widgets behind. Parts of a window, which work beside it, are `FollowUp` of
the rankers and `CurveReader`: they do neither.
"""

from concurrent.futures import wait

from AnyQt.QtCore import QEvent, QTimer
from Orange.widgets.utils.concurrent import ConcurrentMixin, ConcurrentWidgetMixin

from ...core.words import sentence
from ...core.work.health import ClusterError
from ...core.work.threads import Interrupted
from ...orange.jobs.cluster import cluster_context, lose_cluster
from ...orange.jobs.reasons import reason
from .colors import lift_indicators
from .controls import order_tabs

IDLE, RUNNING, STOPPED, FAILED = "idle", "running", "stopped", "failed"
PATIENCE = 0.3  # seconds that a widget waits for its thread when it is deleted


class TaskThread(ConcurrentMixin):
    """Runs one task at a time in a thread, and never waits for one that was cancelled.

    Orange's own class waits for the last task before it begins the next one, and when the widget is deleted; but
    compilation, for example, cannot be ended at once. No state, result or exception outlives its task.
    """

    def start(self, task, *args, **kwargs):
        self.cancel()
        super().start(_unless_stopped, task, *args, **kwargs)

    def cancel(self):
        """End the task; overrides that of Orange, which keeps the next task waiting for a thread that still works."""
        state = self.task
        super().cancel()
        if state is not None and not state.future.done():
            state.setParent(None)  # the thread still speaks to it, perhaps when the widget is gone
            ConcurrentMixin.__init__(self)  # a thread of its own for whatever comes next
        elif state is not None:
            state.deleteLater()

    def _on_task_done(self, future):
        """Forget the state of the task, too; overrides the handler of Orange."""
        state = self.task
        try:
            super()._on_task_done(future)
        finally:
            state.deleteLater()

    def shutdown(self):
        """Wait a moment for the thread, and not until it ends, as Orange does."""
        state = self.task
        self.cancel()
        if state is not None:
            wait([state.future], PATIENCE)


def _unless_stopped(task, *args, **kwargs):
    """Return the result; None after a stop, as an exception and its frames would be kept as long as the widget."""
    try:
        with cluster_context():
            return task(*args, **kwargs)
    except ClusterError:
        lose_cluster()
        raise
    except Interrupted:
        if not args[-1].is_interruption_requested():
            raise
        return None


class TaskRunner(TaskThread, ConcurrentWidgetMixin):
    """Window with one task, which is running, stopped by the user, failed, or idle.

    A subclass gives

    next_task(): the function of the task, with its arguments; None: there is nothing to compute. The function is of a
    module, and gets the TaskState as its last argument;
    show_result(result, final): shows a partial result, or the last one (final); None: that on the screen is the last;
    show_failure(exception): shows an error, and sends None;
    show_state(state): shows one of IDLE, RUNNING, STOPPED and FAILED.
    """

    DELAY = 150  # ms in which quick changes of a parameter are collected
    waits = False  # True while outputs are still to come though no task runs

    def __init__(self):
        ConcurrentWidgetMixin.__init__(self)
        self.run_state = IDLE
        self._later = QTimer(self, singleShot=True, interval=self.DELAY)
        self._later.timeout.connect(self.restart)

    def restart_soon(self) -> None:
        """Begin again after further quick changes."""
        self._later.start()

    def restart(self) -> None:
        """Drop what runs and begin again; without a task, the result stays."""
        self._later.stop()
        task = self.next_task()
        if task is None:
            self.cancel()
            self._set_state(IDLE)
            self.show_result(None, final=True)
        else:
            self._set_state(RUNNING)
            self.start(*task)

    def stop(self) -> None:
        """The user had enough: what is on screen is the result."""
        if self.run_state == RUNNING:
            self.cancel()  # disconnects: neither on_done nor on_exception will come
            self._set_state(STOPPED)
            self.show_result(None, final=True)

    def show_error(self, exception) -> None:
        """Show an exception as `Error.failed` or `Error.unexpected`."""
        if isinstance(exception, ValueError):
            self.Error.failed(sentence(reason(exception)))
        else:
            self.Error.unexpected(str(exception) or type(exception).__name__, exc_info=exception)

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange:
            lift_indicators(self)

    def focusNextPrevChild(self, forward):
        order_tabs(*filter(None, (self.controlArea, self.buttonsArea, self.mainArea)))  # parts come and go
        return super().focusNextPrevChild(forward)

    def on_partial_result(self, result):
        self.show_result(result, final=False)

    def on_done(self, result):
        self._set_state(IDLE)
        self.show_result(result, final=True)

    def on_exception(self, ex):
        self._set_state(FAILED)
        self.show_failure(ValueError(str(ex)) if isinstance(ex, ClusterError) else ex)  # nobody's mistake

    def _on_task_done(self, future):
        # Without this an error in a handler would leave the widget busy, and all widgets after it waiting, for ever.
        try:
            super()._on_task_done(future)
        finally:
            self.cancel()
            self.setInvalidated(self.waits)

    def onDeleteWidget(self):
        self._later.stop()
        self.shutdown()
        super().onDeleteWidget()

    def _set_state(self, state):
        self.run_state = state
        self.show_state(state)
