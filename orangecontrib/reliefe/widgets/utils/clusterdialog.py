"""Choice of where tasks run: threads of this process, processes of this machine, or the workers of a cluster."""

from AnyQt.QtCore import Qt
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

from ...core.parallel import available_cpus
from ...core.words import counted
from .connection import CONNECTED, CONNECTING, GET_DASK, LOST, connection

MOST = 1024  # processes
ADDRESS = "tcp://127.0.0.1:8786"
TITLE = "Where to Compute"
HERE = "Computed by the threads of this process. Click to use the workers of a cluster"
SMALL = "Short computations stay in this process, whatever is chosen; scores are the same everywhere, to the last bit."


class ClusterButton(QToolButton):
    """The door to the dialog; it shows where tasks run."""

    def __init__(self, parent=None):
        super().__init__(parent, autoRaise=True, accessibleName="Cluster", focusPolicy=Qt.TabFocus)
        self.clicked.connect(lambda: ClusterDialog(self.window()).exec())
        connection().changed.connect(self._show)
        self._show()

    def _show(self):
        now = connection()
        threads = now.threads
        words = {CONNECTED: counted(threads, "worker thread") if threads else "Cluster", CONNECTING: "Connecting …"}
        self.setText({**words, LOST: "Cluster lost"}.get(now.state, "Cluster …"))
        on = f"Computed by a cluster with {counted(threads, 'thread')}; its page: {now.dashboard or 'none'}"
        self.setToolTip(on if now.state == CONNECTED else now.message or HERE)


class ClusterDialog(QDialog):
    """Connects all widgets at once."""

    def __init__(self, parent=None):
        super().__init__(parent, windowTitle=TITLE)
        self.here = QRadioButton("&Threads of this process", toolTip="As without a cluster")
        self.processes = QRadioButton("&Processes on this machine:", toolTip="They are started, and end with Orange")
        self.remote = QRadioButton("Dask &cluster at:", toolTip="A scheduler that somebody has started")
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
        self.state.setText(_told(now))


def _told(now) -> str:
    """State in words."""
    if not now.possible:
        return GET_DASK
    if now.state == CONNECTED:
        page = f'<a href="{now.dashboard}">{now.dashboard}</a>' if now.dashboard else "none"
        return f"Connected: {counted(now.threads, 'thread')}. What the workers do: {page}"
    return "Connecting …" if now.state == CONNECTING else now.message or "Computed by the threads of this process"
