"""Connection of the canvas to a cluster: one for all widgets, whose tasks run in its context."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec

from AnyQt.QtCore import QCoreApplication, QObject, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
)

from ...core.words import counted
from ...core.work.cluster import using
from ...core.work.threads import available_cpus

NONE, CONNECTING, CONNECTED, LOST = "none", "connecting", "connected", "lost"
PATIENCE = 10  # seconds for a scheduler to answer
GET_DASK = 'Dask is not installed. To install it: pip install "Orange3-ReliefE[cluster]"'


class Connection(QObject):
    """A client of Dask, or none."""

    changed = Signal()
    _made = Signal(object, object, str)  # client, cluster of our own, message
    _counted = Signal(object, int)  # client, threads

    def __init__(self):
        super().__init__()
        self.state, self.message, self.threads, self._client, self._own = NONE, "", 0, None, None
        self._pool = ThreadPoolExecutor(1)
        self._made.connect(self._keep)
        self._counted.connect(self._keep_count)
        if QCoreApplication.instance() is not None:
            QCoreApplication.instance().aboutToQuit.connect(self.disconnect_from_cluster)

    @property
    def possible(self) -> bool:
        return find_spec("distributed") is not None

    @property
    def dashboard(self) -> str:
        return (self._client and self._client.dashboard_link) or ""

    def connect_to(self, address: str) -> None:
        """Look for a scheduler, in a thread; `changed` is emitted when it is found, or not."""
        self._begin(lambda: (_client(address), None))

    def start_processes(self, n: int) -> None:
        """Start n processes of one thread on this machine, likewise."""
        self._begin(lambda: _local(n))

    def disconnect_from_cluster(self) -> None:
        """Compute by the threads of this process again; processes that were started here end."""
        client, own = self._client, self._own
        self._client = self._own = None
        self._set(NONE)
        if client is not None:
            self._pool.submit(_close, client, own)

    def count(self) -> None:
        """Count the workers' threads again; `changed` is emitted afterwards."""
        client = self._client
        if client is not None:
            self._pool.submit(lambda: self._counted.emit(client, sum(client.nthreads().values())))

    def lose(self) -> None:
        """Note, in any thread, that a task found nobody there."""
        self._made.emit(None, self._own, "The connection to the cluster is lost, so tasks run on this machine")

    @contextmanager
    def context(self) -> Iterator[None]:
        """Context in which tasks go to the cluster, if there is one."""
        with using(self._client if self.state == CONNECTED else None):
            yield

    def _begin(self, make: Callable) -> None:
        self.disconnect_from_cluster()
        self._set(CONNECTING)

        def connect() -> None:
            try:
                self._made.emit(*make(), "")
            except (OSError, ValueError, TypeError, RuntimeError, TimeoutError) as error:
                self._made.emit(None, None, f"No cluster was found: {error}")

        self._pool.submit(connect)

    def _keep(self, client: object, own: object, message: str) -> None:
        if client is None:
            self._client = None
            self._set(LOST if message and self.state == CONNECTED else NONE, message)
        else:
            self._client, self._own = client, own
            self._set(CONNECTED)
            self.count()

    def _keep_count(self, client: object, threads: int) -> None:
        if client is self._client:
            self.threads = threads
            self.changed.emit()

    def _set(self, state: str, message: str = "") -> None:
        self.state, self.message, self.threads = state, message, 0
        self.changed.emit()


@cache
def connection() -> Connection:
    """The connection of this process."""
    return Connection()


def _client(address: object) -> object:
    from distributed import Client

    return Client(address, timeout=PATIENCE, set_as_default=False, name="orange-reliefe")


def _local(n: int) -> tuple:
    from distributed import LocalCluster

    cluster = LocalCluster(n, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0")
    return _client(cluster), cluster


def _close(client, own) -> None:
    for thing in (client, own):
        if thing is not None:
            thing.close(timeout=2)


MOST = 1024  # processes
ADDRESS = "tcp://127.0.0.1:8786"
TITLE = "Where to Compute"
HERE = "Computed by the threads of this process. Click to use the workers of a cluster"
WORTH = 10  # seconds that a task has run when a cluster is offered
SMALL = "Short computations stay in this process, whatever is chosen; scores are the same everywhere, to the last bit."


class ClusterButton(QToolButton):
    """Shows where tasks run, if there is a cluster, or offers one if the task is long; a click opens the dialog."""

    def __init__(self, parent=None):
        super().__init__(parent, autoRaise=True, accessibleName="Cluster", focusPolicy=Qt.TabFocus, visible=False)
        self._offered = False
        self.clicked.connect(lambda: ClusterDialog(self.window()).exec())
        connection().changed.connect(self._show)
        self._show()

    def offer(self, seconds: float) -> None:
        """Show the button for a task that has run so long."""
        if self._offered != (seconds >= WORTH):
            self._offered = not self._offered
            self._show()

    def _show(self):
        now = connection()
        threads = now.threads
        self.setVisible(self._offered or now.state != NONE)
        words = {CONNECTED: counted(threads, "worker thread") if threads else "Cluster", CONNECTING: "Connecting …"}
        self.setText({**words, LOST: "Cluster lost"}.get(now.state, "Cluster …"))
        on = f"Computed by a cluster with {counted(threads, 'thread')}; dashboard: {now.dashboard or 'none'}"
        self.setToolTip(on if now.state == CONNECTED else now.message or HERE)


class ClusterDialog(QDialog):
    """Connects all widgets at once."""

    def __init__(self, parent=None):
        super().__init__(parent, windowTitle=TITLE)
        self.here = QRadioButton("&Threads of this process", toolTip="As without a cluster")
        self.processes = QRadioButton("&Processes on this machine:", toolTip="They are started, and end with Orange")
        self.remote = QRadioButton("Dask &cluster at:", toolTip="A scheduler that is already running")
        self.count = QSpinBox(
            minimum=1, maximum=MOST, value=available_cpus(), accessibleName="Number of processes",
            toolTip="Processes of one thread each, from 1 to 1,024",
        )  # fmt: skip
        self.address = QLineEdit(
            ADDRESS, accessibleName="Address of the scheduler", maxLength=200,
            toolTip="Address of the scheduler, such as tcp://10.0.0.1:8786, which dask scheduler prints at its start",
        )  # fmt: skip
        self.address.setMinimumWidth(240)
        self.state = QLabel(wordWrap=True, openExternalLinks=True, textFormat=Qt.RichText)
        self.state.setMinimumHeight(3 * self.fontMetrics().height())
        self.apply = QPushButton("&Connect", default=True, toolTip="Compute there from the next task on")
        self.apply.clicked.connect(self._apply)
        buttons = QDialogButtonBox(QDialogButtonBox.Close)
        buttons.addButton(self.apply, QDialogButtonBox.ActionRole)
        buttons.rejected.connect(self.reject)
        self._arrange(buttons)
        for choice in (self.here, self.processes, self.remote):
            choice.toggled.connect(self._show)
        (self.remote if connection().state == CONNECTED else self.here).setChecked(True)
        connection().changed.connect(self._show)
        connection().count()
        self._show()

    def _arrange(self, buttons):
        grid, layout = QGridLayout(), QVBoxLayout(self)
        grid.addWidget(self.here, 0, 0, 1, 2)
        for row, (choice, field) in enumerate(((self.processes, self.count), (self.remote, self.address)), 1):
            grid.addWidget(choice, row, 0)
            grid.addWidget(field, row, 1)
        layout.addLayout(grid)
        layout.addWidget(QLabel(SMALL, wordWrap=True))
        layout.addWidget(self.state)
        layout.addWidget(buttons)

    def _apply(self):
        if self.here.isChecked():
            connection().disconnect_from_cluster()
        elif self.processes.isChecked():
            connection().start_processes(self.count.value())
        else:
            connection().connect_to(self.address.text().strip())

    def _show(self):
        now = connection()
        for choice, field in ((self.processes, self.count), (self.remote, self.address)):
            choice.setEnabled(now.possible)
            field.setEnabled(now.possible and choice.isChecked())
        self.apply.setEnabled(now.state != CONNECTING)
        self.apply.setText("&Disconnect" if self.here.isChecked() and now.state == CONNECTED else "&Connect")
        self.state.setText(_state_text(now))


def _state_text(now) -> str:
    if not now.possible:
        return GET_DASK
    if now.state == CONNECTED:
        page = f'<a href="{now.dashboard}">{now.dashboard}</a>' if now.dashboard else "none"
        return f"Connected: {counted(now.threads, 'thread')}. Dashboard: {page}"
    return "Connecting …" if now.state == CONNECTING else now.message or "Computed by the threads of this process"
