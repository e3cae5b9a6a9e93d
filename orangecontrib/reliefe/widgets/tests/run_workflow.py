"""Runs a saved workflow to its end without a screen: ``with run("x.ows") as result: result.output("Rank", "Scores")``.

The workflow runs as it does on Orange's canvas: widgets are made from the registry of installed ones, signals travel
through the signal manager, and tasks run in their threads.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from unittest.mock import patch

from AnyQt.QtCore import QCoreApplication, QEvent, Qt
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication
from Orange.canvas.config import Config
from orangecanvas import config
from orangecanvas.registry import WidgetRegistry
from orangecanvas.scheme.signalmanager import SignalManager
from orangewidget.settings import SettingsHandler

from orangecontrib.reliefe.widgets.tests.troubles import watched

QUIET = 0.4  # seconds without any work that count as the end: timers may begin new work


@dataclass
class Workflow:
    """Outcome of a workflow: troubles are exceptions, logged errors, and error messages of widgets."""

    titles: list[str] = field(default_factory=list)
    outputs: dict[tuple[str, str], object] = field(default_factory=dict)
    settings: dict[str, dict] = field(default_factory=dict)
    troubles: list[str] = field(default_factory=list)
    scheme: object = None  # it lives as long as `run`

    def output(self, title: str, name: str) -> object:
        """Object that the node `title` sent last through its output `name`; KeyError if it never sent anything."""
        return self.outputs[title, name]


def application() -> QApplication:
    """The application, made if there is none."""
    app = QApplication.instance()
    if app is None:
        QApplication.setAttribute(Qt.AA_ShareOpenGLContexts, True)
        app = QApplication(["workflow"])
    return app


@cache
def registry() -> WidgetRegistry:
    """All installed widgets."""
    config.set_default(Config())
    config.init()
    discovery = Config().widget_discovery(WidgetRegistry())
    discovery.run(Config.widgets_entry_points())
    return discovery.registry


@contextmanager
def run(path: str | os.PathLike, timeout: float = 300) -> Iterator[Workflow]:
    """Load the workflow and run it until nothing happens any more.

    Raises AssertionError where it had troubles, TimeoutError after `timeout` seconds.
    """
    application()
    result = Workflow()
    # Widgets that are closed would leave their settings to later ones, and to the user's own Orange.
    with watched(result.troubles), patch.object(SettingsHandler, "update_defaults"):
        result.scheme = scheme = Config().workflow_constructor()
        try:
            _load(scheme, path, result)
            _wait(scheme, timeout)
            _describe(scheme, result)
            if result.troubles or not result.titles:
                raise AssertionError("\n".join(result.troubles) or "no widget")
            yield result
        finally:
            scheme.clear()
            scheme.deleteLater()
            QCoreApplication.sendPostedEvents(None, QEvent.DeferredDelete)


def _load(scheme, path, result: Workflow) -> None:
    manager = scheme.findChild(SignalManager)
    manager.pause()  # until all widgets exist
    scheme.set_runtime_env("basedir", str(Path(path).resolve().parent))
    with open(path, "rb") as stream:
        failed = result.troubles.append
        scheme.load_from(stream, registry=registry(), error_handler=lambda error: failed(f"loading: {error}"))
    send = manager.send

    def recording_send(widget, channel, value, *args, **kwargs):
        node = scheme.widget_manager.node_for_widget(widget)
        if node is not None:
            result.outputs[node.title, channel] = value
        return send(widget, channel, value, *args, **kwargs)

    manager.send = recording_send
    for node in scheme.nodes:
        scheme.widget_for_node(node)
    manager.resume()


def _wait(scheme, timeout: float) -> None:
    manager, end, quiet_since = scheme.findChild(SignalManager), time.monotonic() + timeout, time.monotonic()
    while time.monotonic() - quiet_since < QUIET:
        begin = time.monotonic()
        QTest.qWait(10)
        slow = time.monotonic() - begin > QUIET / 4  # a slot worked in this turn, and may have begun more
        busy = {
            *manager.pending_nodes(),
            *manager.blocking_nodes(),
            *manager.invalidated_nodes(),
            *manager.active_nodes(),
            *(node for node in scheme.nodes if _has_busy_follow_up(scheme.widget_for_node(node))),
        }
        if slow or busy or manager.runtime_state() == manager.Processing:
            quiet_since = time.monotonic()
        if time.monotonic() > end:
            raise TimeoutError(f"still busy after {timeout} s: {', '.join(sorted(node.title for node in busy))}")


def _has_busy_follow_up(widget) -> bool:
    """True while a ranker computes what follows a ranking: Orange's signal manager knows of rankings only."""
    return any(follow_up.busy for follow_up in getattr(widget, "follow_ups", ()))


def _describe(scheme, result: Workflow) -> None:
    scheme.sync_node_properties()
    for node in scheme.nodes:
        result.titles.append(node.title)
        result.settings[node.title] = dict(node.properties or {})
        widget = scheme.widget_for_node(node)
        result.troubles += [f"{node.title}: {message}" for message in widget.Error.active]
