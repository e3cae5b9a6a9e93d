"""The connection of the canvas to a cluster: one for all widgets, and a widget that survives its loss."""

import time
from types import SimpleNamespace

import pytest
from AnyQt.QtWidgets import QApplication, QDialog, QMenu
from Orange.data import Table

from orangecontrib.reliefe.core.work import health
from orangecontrib.reliefe.core.work.cluster import active_client
from orangecontrib.reliefe.core.work.health import ClusterError
from orangecontrib.reliefe.widgets.owsparsify import OWSparsify
from orangecontrib.reliefe.widgets.owurelief import OWURelief
from orangecontrib.reliefe.widgets.tests.widgettest import WidgetTest
from orangecontrib.reliefe.widgets.utils import connection as clusterdialog
from orangecontrib.reliefe.widgets.utils import connection as module
from orangecontrib.reliefe.widgets.utils import strip as strip_module
from orangecontrib.reliefe.widgets.utils.connection import (
    CONNECTED,
    LOST,
    NONE,
    WORTH,
    ClusterButton,
    ClusterDialog,
    Connection,
)
from orangecontrib.reliefe.widgets.utils.task import RUNNING


class FakeClient:
    """A client of a cluster that does not exist."""

    dashboard_link = "http://127.0.0.1:8787/status"
    closed = False

    def nthreads(self):
        return {"tcp://one": 2, "tcp://two": 3}

    def close(self, timeout=None):
        self.closed = True


def wait(until, seconds=30):
    """Process events until something is so."""
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, "it takes too long"
        QApplication.processEvents()
        time.sleep(0.002)


class TestConnection(WidgetTest):
    def setUp(self):
        super().setUp()
        self.monkeypatch = pytest.MonkeyPatch()
        self.addCleanup(self.monkeypatch.undo)
        self.connection = Connection()
        for place in (module, clusterdialog, __import__(RUNNER, fromlist=["connection"])):
            self.monkeypatch.setattr(place, "connection", lambda: self.connection)

    def connect(self):
        client = FakeClient()
        self.monkeypatch.setattr(module, "_client", lambda address: client)
        self.connection.connect_to("tcp://somewhere:8786")
        wait(lambda: self.connection.state == CONNECTED and self.connection.threads == 5)
        return client

    def test_one_connection_for_all(self):
        button = ClusterButton()
        assert button.isHidden()
        client = self.connect()
        assert not button.isHidden()
        assert button.text() == "5 worker threads"
        assert "http://127.0.0.1:8787/status" in button.toolTip()
        with self.connection.context():
            assert active_client() is client
        assert active_client() is None
        self.connection.disconnect_from_cluster()
        wait(lambda: client.closed)
        assert button.isHidden()
        with self.connection.context():
            assert active_client() is None

    def test_nobody_at_an_address(self):
        def nobody(address):
            raise OSError(f"Timed out trying to connect to {address}")

        self.monkeypatch.setattr(module, "_client", nobody)
        dialog = ClusterDialog()
        dialog.remote.setChecked(True)
        dialog.address.setText(" tcp://nowhere:1 ")
        dialog.apply.click()
        wait(lambda: self.connection.message)
        assert self.connection.state == NONE
        assert "Timed out trying to connect to tcp://nowhere:1" in dialog.state.text()
        assert dialog.apply.isEnabled()

    def test_processes_of_this_machine(self):
        asked = []
        self.monkeypatch.setattr(module, "_local", lambda n: (asked.append(n), (FakeClient(), FakeClient()))[1])
        dialog = ClusterDialog()
        dialog.processes.setChecked(True)
        dialog.count.setValue(3)
        dialog.apply.click()
        wait(lambda: self.connection.state == CONNECTED)
        assert asked == [3]
        wait(lambda: "5 threads" in dialog.state.text())
        assert 'href="http://127.0.0.1:8787/status"' in dialog.state.text()
        dialog.here.setChecked(True)
        assert dialog.apply.text() == "&Disconnect"
        dialog.apply.click()
        assert self.connection.state == NONE

    def test_without_dask(self):
        self.monkeypatch.setattr(module, "find_spec", lambda name: None)
        dialog = ClusterDialog()
        assert 'pip install "Orange3-ReliefE[cluster]"' in dialog.state.text()
        assert not dialog.remote.isEnabled()
        assert not dialog.processes.isEnabled()

    def test_a_menu_opens_the_dialog_and_long_tasks_show_the_button(self):
        opened = []
        self.monkeypatch.setattr(ClusterDialog, "exec", lambda dialog: opened.append(dialog) or QDialog.Rejected)
        widget = self.create_widget(OWSparsify)
        strip = widget.strip
        action = next(a for a in widget.menuBar().findChild(QMenu, "menu-edit").actions() if "Compute" in a.text())
        assert action.isVisible()
        action.trigger()
        assert len(opened) == 1
        for seconds, hidden in ((0, True), (WORTH - 1, True), (WORTH, False), (0, True)):
            self.monkeypatch.setattr(strip_module, "clock", lambda: 0)
            strip.set_state(RUNNING)
            self.monkeypatch.setattr(strip_module, "clock", lambda seconds=seconds: seconds)
            strip._look()
            assert strip.cluster.isHidden() is hidden
        assert strip.cluster.text() == "Cluster …"

    def test_a_lost_cluster(self):
        """A message in words; the next task runs here."""
        self.connect()
        seen = []

        def lost(*arguments):
            seen.append(active_client())
            raise ClusterError("the cluster tcp://somewhere:8786 has no workers any more")

        widget = self.create_widget(OWURelief)
        widget.ranks = lost
        self.send_signal(widget.Inputs.data, Table("iris"), widget=widget)
        wait(lambda: widget.run_state != RUNNING and self.connection.state == LOST)
        assert isinstance(seen[0], FakeClient)
        assert str(widget.Error.failed) == "The cluster tcp://somewhere:8786 has no workers any more"
        assert self.get_output(widget.Outputs.reduced, widget=widget) is None
        del widget.ranks
        widget.area.strip.button.click()
        wait(lambda: widget.result.rankings and widget.run_state != RUNNING)
        assert not widget.Error.active


def test_a_cluster_is_lost_after_a_while(monkeypatch):
    """Without an answer, and without workers."""
    monkeypatch.setattr(health, "LOST", 0.2)
    for nthreads in ({}.copy, lambda: time.sleep(1)):
        client = SimpleNamespace(status="running", nthreads=nthreads, scheduler=SimpleNamespace(address="tcp://x:1"))
        with pytest.raises(ClusterError, match=r"the cluster tcp://x:1 .* any more"):
            health.Health(client).threads()


RUNNER = "orangecontrib.reliefe.widgets.utils.task"
