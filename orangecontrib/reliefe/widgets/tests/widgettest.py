"""Base of the tests of widgets: the widget is made when a test first uses it, and nothing waits longer than it must.

Test classes derive from `WidgetTest` and set `kind`. They drive the widget by `tick` (rankers only), `choose`,
`settle`, `out` and `seen`, and so do not depend on the names of the widget's parts.
"""

import ast
import gc
import time
from concurrent.futures import wait
from functools import cached_property
from itertools import count
from unittest.mock import patch

from AnyQt.QtCore import QObject
from AnyQt.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollBar,
    QTabBar,
    QWidget,
)
from Orange.widgets.settings import SettingProvider
from Orange.widgets.tests.base import DEFAULT_TIMEOUT
from Orange.widgets.tests.base import WidgetTest as OrangeWidgetTest

from orangecontrib.reliefe.widgets.ranker import ranker
from orangecontrib.reliefe.widgets.utils.settings import CheckedSettings
from orangecontrib.reliefe.widgets.utils.task import TaskRunner

PAUSE = 0.002  # seconds between two looks at what a test waits for
LIMIT = 60_000  # ms: the first ranking may have to compile
TESTS_PER_COLLECTION = 10  # tests between two collections of garbage
TIMERS = "_later", "_next", "later"  # attributes of widgets: timers of changes that are still to be computed or sent

# Words of the tests for settings of parts, whose own names are short or occur in several parts
PLACES = {
    "p_values": "tests.ticked",
    "show_z": "tests.show_z",
    "tested": "tests.stored",
    "adds_to_others": "adds.ticked",
    "null_level": "nulls.ticked",
    "stability": "stabilities.ticked",
    "why_open": "why.ticked",
    "all_k": "every_k.ticked",
    "methods": "panel.chosen",
    "fdr": "selection.level",
    "splitter": "area.sizes",
    "covariates": "study.covariates",
    "group": "study.group",
    "study_open": "study.opened",
    "keep": "keep_box.names",
    "keep_open": "keep_box.opened",
    "features_use": "features_box.use",
    "features_taken": "features_box.taken",
    "target": "columns.target",
    "phenotype_path": "sources.table",
}

# People click several times in a row, so widgets collect changes for 100 or 150 ms. Tests do not wait for more clicks.
patch.object(TaskRunner, "DELAY", 1).start()
patch.object(ranker, "COLLECT", 1).start()

CONTROLS = QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit, QAbstractSlider, QAbstractItemView, QTabBar


def controls(widget):
    """Yield the controls that a person can use; parts of a combo box or a table are theirs."""
    for area in filter(None, (widget.controlArea, widget.mainArea, widget.buttonsArea)):
        for part in area.findChildren(QWidget):
            inner = isinstance(part.parent(), QAbstractSpinBox | QComboBox | QAbstractItemView | QLineEdit | QTabBar)
            popup = part.window() is not widget
            if isinstance(part, CONTROLS) and not (inner or popup or isinstance(part, QScrollBar)):
                yield part


def owner_of(kind, **stored):
    """Return what stands for a widget whose only part is of a class: the part begins with these settings."""
    handler = CheckedSettings()
    handler.provider = SettingProvider(type("Owner", (), {"part": SettingProvider(kind)}))
    handler.provider.providers["part"].store_initialization_data(stored)
    owner = QObject()
    owner.settingsHandler = handler
    return owner


def stored_in_parts(kind, settings):
    """Return settings as workflows store them: those of a part in a dictionary under its name.

    A setting is given by its name, by a word of `PLACES`, or in the dictionary of its part. Methods that are given are
    the user's own choice, unless there is a preset.
    """
    providers = kind.settingsHandler.provider.providers
    part_of = {name: part for part, provider in providers.items() for name in provider.settings}
    top = kind.settingsHandler.provider.settings
    stored = {}
    if "methods" in settings and "panel" in providers:
        settings = {"preset": ""} | settings
    for name, value in settings.items():
        part, _, inner = PLACES.get(name, "").partition(".")
        if name in top or name in providers:
            stored[name] = value
        elif part in providers:
            stored.setdefault(part, {})[inner] = value
        elif name in part_of:
            stored.setdefault(part_of[name], {})[name] = value
        else:
            stored[name] = value
    return stored


class WidgetTest(OrangeWidgetTest):
    """Orange's test of a widget, which looks every 2 ms whether what it waits for has come, not every 50.

    Garbage is collected between tests only.  Python would do so in any thread, and widgets that a test has left would
    be destroyed in the thread of a ranking, while Qt still has events for them in its own: some runs crashed.
    """

    kind = None  # class of the widget
    usual = {}  # settings that are stored in each widget of the tests, unless a test stores others

    # What Orange adds to each class of tests is tried once for each widget: `test_access.TestOrange`.
    test_minimum_size = test_image_export = test_msg_base_class = test_zero_size_data = None

    _number_of_test = count(1)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        gc.disable()
        gc.freeze()  # modules and tests, a million objects that no collection need look at

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        gc.collect()
        gc.enable()

    def tearDown(self):
        super().tearDown()
        if next(self._number_of_test) % TESTS_PER_COLLECTION == 0:
            gc.collect()

    @cached_property
    def widget(self):
        """The widget of the test. It takes 0.1 s to make, so it is made only if the test uses it."""
        return self.make()

    def make(self, **settings):
        """Return a widget with these stored settings."""
        return self.create_widget(self.kind, stored_settings=self.usual | settings or None)

    def create_widget(self, cls, stored_settings=None, **kwargs):
        """Return a widget; its settings are given as for `stored_in_parts`."""
        if isinstance(stored_settings, dict):
            stored_settings = stored_in_parts(cls, stored_settings)
        return super().create_widget(cls, stored_settings, **kwargs)

    def process_events(self, until=None, timeout=DEFAULT_TIMEOUT):
        """Process events until `until` gives something true, and return that; TimeoutError after `timeout` ms."""
        end = time.perf_counter() + timeout / 1000
        while True:
            QApplication.processEvents()
            found = until() if until else True
            if found:
                return found
            if time.perf_counter() > end:
                raise TimeoutError
            time.sleep(PAUSE)

    def settle(self, widget=None):
        """Wait for everything that is computed or about to be, and return the widget."""
        widget = widget or self.widget
        timers = [getattr(widget, name) for name in TIMERS if hasattr(widget, name)]

        def settled():
            return getattr(widget, "run_state", "idle") != "running" and not any(timer.isActive() for timer in timers)

        self.process_events(settled, timeout=LIMIT)
        self.wait_until_finished(widget, timeout=LIMIT)
        self.process_events(settled, timeout=LIMIT)
        return widget

    def control(self, name, widget=None):
        """Return the control that a person knows by this text, or by this name for screen readers.

        Of a slider and a number that have the same name it is the number; what is not hidden comes first.
        """
        widget = widget or self.widget
        named = []
        for part in controls(widget):
            texts = {part.accessibleName(), part.text() if isinstance(part, QAbstractButton) else ""}
            if name in {text.replace("&", "") for text in texts}:
                named.append(part)
        if not named:
            raise LookupError(f"{widget.name} has no control {name!r}")
        return min(named, key=lambda part: (not part.isVisibleTo(widget), isinstance(part, QAbstractSlider)))

    def choose(self, name, value=None, widget=None):
        """Use a control as a person does: click a button, or set a value. Nothing is waited for.

        value: state of a box; text or data of an item of a list; number of a spin box; None to click.
        """
        part = self.control(name, widget)
        if isinstance(part, QAbstractButton):
            if value is None or part.isChecked() != value:
                part.click()
        elif isinstance(part, QComboBox):
            index = part.findText(str(value))
            if index < 0:
                index = part.findData(value)
            if index < 0:
                raise LookupError(f"{name} has no item {value!r}")
            part.setCurrentIndex(index)
            part.activated.emit(index)
        else:
            part.setValue(value)

    def select_best(self, n, widget=None):
        """Select the best n features."""
        self.choose("Number of best features", n, widget)
        self.choose("Best", True, widget)

    def seen(self, widget=None):
        """Return all texts of labels, buttons and messages that a person sees, one a line."""
        widget = widget or self.widget
        parts = [part.text() for part in widget.findChildren((QLabel, QAbstractButton)) if part.isVisibleTo(widget)]
        messages = [str(message) for group in widget.message_groups for message in group.active]
        return "\n".join(filter(None, parts + messages))

    def out(self, name, widget=None):
        """Return the value of an output."""
        widget = widget or self.widget
        return self.get_output(getattr(widget.Outputs, name), widget=widget)

    def packed(self, widget=None):
        """Return the settings as a workflow stores them; they are plain literals."""
        widget = widget or self.widget
        stored = widget.settingsHandler.pack_data(widget)
        stored.pop("savedWidgetGeometry", None)
        self.assertEqual(ast.literal_eval(repr(stored)), stored)
        return stored

    def wait_for_future(self, future):
        """Wait until a task ends, without running the event loop."""
        wait([future], LIMIT / 1000)
        self.assertTrue(future.done())

    def assert_stopped(self, future):
        """Fail if a task that was stopped goes on to its end, which has a result; without running the event loop."""
        self.wait_for_future(future)
        self.assertTrue(future.cancelled() or future.result() is None, "it went on to its end")
