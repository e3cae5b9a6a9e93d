"""A Dask cluster that is connected in this process: widgets use it, name it, and survive its loss."""

import sys
import time
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from AnyQt.QtWidgets import QApplication
from Orange.data import Table
from Orange.preprocess.score import ANOVA

from orangecontrib.reliefe.core.work import health
from orangecontrib.reliefe.core.work.cluster import active_client
from orangecontrib.reliefe.core.work.health import ClusterError
from orangecontrib.reliefe.orange.comparison.stability_selection import stable
from orangecontrib.reliefe.orange.jobs.cluster import cluster_context, running_client
from orangecontrib.reliefe.widgets.owurelief import OWURelief
from orangecontrib.reliefe.widgets.tests.widgettest import WidgetTest
from orangecontrib.reliefe.widgets.utils.strip import Strip


class FakeClient:
    """A client of a cluster that does not exist."""

    dashboard_link = "http://127.0.0.1:8787/status"
    scheduler = SimpleNamespace(address="tcp://somewhere:8786")
    status = "running"


def wait(until, seconds=30):
    """Process events until something is so."""
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, "it takes too long"
        QApplication.processEvents()
        time.sleep(0.002)


class TestCluster(WidgetTest):
    def setUp(self):
        super().setUp()
        self.clients = []
        self.monkeypatch = pytest.MonkeyPatch()
        self.addCleanup(self.monkeypatch.undo)
        self.monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(default_client=self.newest))

    def newest(self):
        if not self.clients:
            raise ValueError("No clients found")
        return self.clients[-1]

    def connect(self):
        self.clients.append(FakeClient())
        return self.clients[-1]

    def test_stability_selection_needs_no_cluster(self):
        """Its ranker holds the task of the widget, which cannot be sent to a worker."""
        self.connect()
        table = Table("iris")
        with cluster_context():
            result = stable(table, [ANOVA()], 2, "", Mock(is_interruption_requested=lambda: False))
        assert result.done
        assert result.scores.argmax() == 2

    def test_the_newest_client_is_used(self):
        assert running_client() is None
        client = self.connect()
        with cluster_context():
            assert active_client() is client
        assert active_client() is None
        client.status = "closed"
        assert running_client() is None
        other = self.connect()
        with cluster_context():
            assert active_client() is other

    def test_nobody_has_imported_dask(self):
        self.connect()
        self.monkeypatch.delitem(sys.modules, "distributed")
        assert running_client() is None

    def test_the_strip_names_it(self):
        strip = Strip()
        strip.show()
        assert strip.cluster.isHidden()
        client = self.connect()
        strip.cluster.look()
        assert strip.cluster.isVisible()
        assert strip.cluster.text() == "Cluster tcp://somewhere:8786"
        assert "http://127.0.0.1:8787/status" in strip.cluster.toolTip()
        client.status = "closed"
        strip.cluster.look()
        assert strip.cluster.isHidden()
        strip.hide()

    def test_a_lost_cluster(self):
        """A message in words; the next task runs here."""
        client = self.connect()
        seen = []

        def lost(*arguments):
            seen.append(active_client())
            raise ClusterError("the cluster tcp://somewhere:8786 has no workers any more")

        widget = self.create_widget(OWURelief)
        widget.ranks = lost
        self.send_signal(widget.Inputs.data, Table("iris"), widget=widget)
        wait(lambda: widget.run_state != "running")
        assert seen == [client]
        assert running_client() is None
        assert str(widget.Error.failed) == "The cluster tcp://somewhere:8786 has no workers any more"
        assert self.get_output(widget.Outputs.reduced, widget=widget) is None
        del widget.ranks
        widget.area.strip.button.click()
        wait(lambda: widget.result.rankings and widget.run_state != "running")
        assert not widget.Error.active
        assert running_client() is None
        self.connect()
        assert running_client() is not None


def test_a_cluster_is_lost_after_a_while(monkeypatch):
    """Without an answer, and without workers."""
    monkeypatch.setattr(health, "LOST_SECONDS", 0.2)
    for nthreads in ({}.copy, lambda: time.sleep(1)):
        client = SimpleNamespace(status="running", nthreads=nthreads, scheduler=SimpleNamespace(address="tcp://x:1"))
        with pytest.raises(ClusterError, match=r"the cluster tcp://x:1 .* any more"):
            health.Health(client).threads()
