"""Every widget by keyboard, for screen readers, and with large letters."""

import importlib
import inspect
import pkgutil
import unittest
from itertools import pairwise

import pytest
from AnyQt.QtCore import QPoint, QRect, Qt
from AnyQt.QtGui import QFont
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QWidget,
)
from Orange.data import Domain
from Orange.widgets.tests import base as orange_tests
from Orange.widgets.widget import OWWidget

from orangecontrib.reliefe import widgets
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.base import NAME
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT, controls
from orangecontrib.reliefe.widgets.utils.controls import ElidedLabel

LARGER = 1.6

MAX_LINKS = 5  # in one label


def classes():
    """All widgets of the package."""
    for found in pkgutil.iter_modules(widgets.__path__):
        if found.name.startswith("ow"):
            module = importlib.import_module(f"{widgets.__name__}.{found.name}")
            for value in vars(module).values():
                if inspect.isclass(value) and issubclass(value, OWWidget) and value.__module__ == module.__name__:
                    yield value


class OrangeTests(orange_tests.WidgetTest):
    """Holds the tests that Orange adds to a class."""

    __test__ = False


class TestOrange(base.RankerTest):
    def test_widgets_pass_the_tests_that_orange_has_for_all(self):
        for make in classes():
            self.widget = self.create_widget(make)
            for name in ("minimum_size", "image_export", "msg_base_class", "zero_size_data"):
                with self.subTest(widget=make.__name__, test=name):
                    getattr(OrangeTests, f"test_{name}")(self)


class AccessTest(base.RankerTest):
    def setUp(self):
        self.few = self.heart[::8]
        domain = self.few.domain
        features = [feature.copy() for feature in domain.attributes]
        for feature in features[:2]:  # so that features can be ranked as one
            feature.attributes["about"] = "person"
        self.few.domain = Domain(features, domain.class_vars, domain.metas)

    def opened(self, make, **settings):
        """A widget with data and with everything unfolded."""
        unfolded = {
            "more_open": True,
            "all_methods": True,
            "values_open": True,
            "p_values": True,
            "methods": ["relieff"],
        }
        widget = self.create_widget(make, stored_settings=unfolded | settings)
        widget.resize(1280, 720)
        widget.show()
        if hasattr(make, "Inputs") and hasattr(make.Inputs, "data"):
            self.send_signal(widget.Inputs.data, self.few, widget=widget)
        self.process_events()
        return widget


class TestNames(AccessTest):
    def test_there_are_all_widgets(self):
        self.assertEqual(len(list(classes())), 10)

    def test_all_that_takes_focus_has_a_name_and_tab_reads_on(self):
        for make in classes():
            widget = self.opened(make)
            found, areas = list(controls(widget)), (widget.controlArea, widget.buttonsArea, widget.mainArea)
            self.assertTrue(found)
            buddies = {label.buddy() for label in widget.findChildren(QLabel)}
            inside = [part for area in filter(None, areas) for part in area.findChildren(QWidget)]
            focused = [part for part in inside if part.focusPolicy() & Qt.TabFocus and part.window() is widget]
            for part in focused:  # links have their texts
                if not (part in found or part.focusProxy() or isinstance(part, QLabel)):
                    found.append(part)
            for part in found:
                text = part.text() if isinstance(part, QAbstractButton) else ""
                self.assertTrue(part.accessibleName() or text or part in buddies, (make.__name__, part, part.toolTip()))
            for part in (widget.controlArea.parent().parent(), *widget.statusBar().findChildren(QAbstractButton)):
                if part.focusPolicy() & Qt.TabFocus:  # of Orange's own
                    self.assertTrue(part.accessibleName(), (make.__name__, part))
            widget.activateWindow()
            QTest.qWaitForWindowActive(widget)
            wanted = [part for part in found if part.isVisible() and part.isEnabled()]
            wanted[0].setFocus()
            seen = [widget.focusWidget()]
            while True:
                for _ in range(MAX_LINKS):  # Tab goes through the links of a label first
                    QTest.keyClick(seen[-1], Qt.Key_Tab)
                    if widget.focusWidget() is not seen[-1]:
                        break
                if widget.focusWidget() in seen:
                    break
                seen.append(widget.focusWidget())
            for part in wanted:
                # of radio buttons the chosen one stands for all: arrow keys go on from there
                group = part.parent().findChildren(QRadioButton) if isinstance(part, QRadioButton) else [part]
                self.assertTrue(set(group) & set(seen), (make.__name__, part, part.accessibleName()))
            for area in filter(None, areas):
                places = [QRect(part.mapTo(widget, QPoint()), part.size()) for part in seen if area.isAncestorOf(part)]
                for before, after in pairwise(places):
                    above = after.bottom() < before.top() and after.left() < before.right()
                    self.assertFalse(above, (make.__name__, before, after))
            widget.hide()


class TestLargeLetters(AccessTest):
    def setUp(self):
        super().setUp()
        self.before = QApplication.font()
        large = QFont(self.before)
        large.setPointSizeF(LARGER * large.pointSizeF())
        QApplication.setFont(large)

    def tearDown(self):
        super().tearDown()
        QApplication.setFont(self.before)

    def needed(self, part):
        """Width and height below which something is cut off."""
        hint = part.minimumSizeHint()
        if isinstance(part, QDoubleSpinBox):  # its hint has room for the largest number that there is
            return part.fontMetrics().horizontalAdvance(part.text()) + part.height(), hint.height()
        return hint.width(), hint.height()

    @pytest.mark.slow
    def test_all_controls_can_be_used_and_no_text_is_cut(self):
        for make in classes():
            widget = self.opened(make)
            self.assertEqual((widget.width(), widget.height()), (1280, 720))  # it did not have to grow
            for part in controls(widget):
                if part.isVisible() and not isinstance(part, QAbstractItemView):  # these scroll
                    width, height = self.needed(part)
                    self.assertGreaterEqual(part.width(), width, (make.__name__, part, part.accessibleName()))
                    self.assertGreaterEqual(part.height(), height, (make.__name__, part, part.accessibleName()))
                    self.assertTrue(self.within_reach(part, widget), (make.__name__, part, part.accessibleName()))
            self.wait_until_finished(widget, timeout=LIMIT)
            self.process_events()
            for area in filter(None, (widget.controlArea, widget.buttonsArea, widget.mainArea)):
                for part in area.findChildren((QLabel, QPushButton, QCheckBox, QComboBox)):
                    self.assertFalse(part.isVisible() and self.cut(part), (make.__name__, part, part.size()))
            widget.hide()

    @staticmethod
    def cut(part):
        """True if a text is not seen whole; what has one line for texts of any length says all in its tooltip."""
        if isinstance(part, QComboBox):
            frame = QStyleOptionComboBox()
            part.initStyleOption(frame)
            room = part.style().subControlRect(QStyle.CC_ComboBox, frame, QStyle.SC_ComboBoxEditField, part)
            return room.width() < part.fontMetrics().horizontalAdvance(part.currentText())
        if isinstance(part, ElidedLabel) and part.width() < part.sizeHint().width():
            return part.text() not in part.toolTip()
        if isinstance(part, QLabel) and part.wordWrap():
            return part.height() < part.heightForWidth(part.width())
        return part.width() < part.sizeHint().width() or part.height() < part.sizeHint().height()

    @staticmethod
    def within_reach(part, widget):
        """Inside the window, or inside something that scrolls."""
        parent = part.parent()
        while parent is not None and not isinstance(parent, QScrollArea):
            parent = parent.parent()
        place = part.mapTo(widget, part.rect().bottomRight())
        return parent is not None or (place.x() <= widget.width() and place.y() <= widget.height())


class TestSelectionIsTold(base.RankerTest):
    def test_rows_and_the_table_tell_it(self):
        self.tick("relieff")
        self.ready(self.heart)
        self.widget.show()
        table, model = self.widget.area.table, self.widget.area.model
        self.assertEqual(table.accessibleDescription(), self.widget.area.counts.text())
        table.setFocus()
        table.setCurrentIndex(model.index(0, NAME))
        name = model.names[model.rows[0]]
        self.assertTrue(table.accessibleDescription().startswith(f"{name}, selected; 10 of 13 selected"))
        QTest.keyClick(table, Qt.Key_Space)
        self.assertTrue(table.accessibleDescription().startswith(f"{name}, not selected; 9 of 13 selected"))
        self.assertEqual(model.data(model.index(0, NAME), Qt.AccessibleDescriptionRole), "not selected")
        QTest.keyClick(table, Qt.Key_Down)
        self.assertTrue(table.accessibleDescription().startswith(f"{model.names[model.rows[1]]}, selected; 1 of 13"))


if __name__ == "__main__":
    unittest.main()
