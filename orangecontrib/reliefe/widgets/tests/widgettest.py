"""Tests of widgets that wait no longer than they must."""

import time

from AnyQt.QtWidgets import QApplication
from Orange.widgets.tests.base import DEFAULT_TIMEOUT
from Orange.widgets.tests.base import WidgetTest as OrangeWidgetTest

PAUSE = 0.002  # seconds


class WidgetTest(OrangeWidgetTest):
    """Orange's test of a widget, which looks every 2 ms whether what it waits for has come, not every 50."""

    # What Orange adds to each class of tests is tried once for each widget: `test_access.TestOrange`.
    test_minimum_size = test_image_export = test_msg_base_class = test_zero_size_data = None

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
