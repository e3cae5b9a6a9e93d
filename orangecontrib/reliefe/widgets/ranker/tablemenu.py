"""Offer the context menu of a ranking's table: copy, save, hide columns; the area of results acts on its signals."""

from collections.abc import Callable
from pathlib import Path

from AnyQt.QtCore import QObject, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QAction, QGuiApplication, QKeySequence
from AnyQt.QtWidgets import QMenu

from ...orange.ranker.writings import Writings
from .model import FIRST_SCORE
from .view import RankingView


class TableMenu(QObject):
    """Menu of the right mouse button, and of the key for menus.

    Signals of Qt's own parts are connected to methods, never to lambdas: PyQt may clear these while they are in use.
    So one method carries out all actions.
    """

    lead_wanted = Signal(str)  # name of a method
    hidden_changed = Signal(list)  # names of columns
    attributes_changed = Signal(list)  # names of those that are shown
    hide_constant_changed = Signal(bool)
    page_wanted = Signal()  # a web page of the ranking; or its end, by the same entry

    writings: Callable[[], Writings] = Writings  # of the leading ranking; empty without a finished one

    def __init__(self, view: RankingView):
        super().__init__(view)
        self.view = view
        self.menu = QMenu(view)
        self._column = -1
        self._acts = {}
        self.menu.triggered.connect(self._act)
        self._values = self._add("Show Val&ues", self._show_values)
        self._values.setShortcut(QKeySequence(Qt.Key_Return))  # as below
        self._values.setShortcutContext(Qt.WidgetShortcut)
        self.menu.addSeparator()
        copy = self._add("&Copy Rows", view.copy)
        copy.setShortcut(QKeySequence(QKeySequence.Copy))  # shown; the table itself acts on it
        copy.setShortcutContext(Qt.WidgetShortcut)
        self._add("Copy &Names", self._copy_names, "\n".join)
        self._add("Copy as &Python List", self._copy_names, repr)
        self._scripts = [self._add("Cop&y Script for Python", self._copy_script)]
        self.menu.addSeparator()
        self._add("&Save Table as CSV…", view.save)
        self._scripts.append(self._add("Save Sc&ript for Python…", self._save_script))
        self._page = self._add("", self.page_wanted.emit)
        self._scripts.append(self._page)
        self.menu.addSeparator()
        self._lead = self._add("&Lead by This Score", self._lead_by)
        self._hide = self._add("&Hide Column", self._hide_column)
        self._unhide = self._add("Show &All Columns", self._set_hidden, [])
        self.columns = self.menu.addMenu("C&olumns")
        self.columns.triggered.connect(self._column_toggled)
        self._attributes = self.menu.addMenu("Feature A&ttributes")
        self._attributes.triggered.connect(self._attribute_toggled)
        self._constant = self._add("Hide Cons&tant Features", self._hide_constant)
        self._constant.setCheckable(True)
        for part, show in ((view, self._show_of_table), (view.horizontalHeader(), self._show_of_header)):
            part.setContextMenuPolicy(Qt.CustomContextMenu)
            part.customContextMenuRequested.connect(show)

    def set_hide_constant(self, wanted: bool) -> None:
        self._constant.setChecked(wanted)

    def _add(self, title, act, *arguments):
        action = QAction(title, self)
        self._acts[action] = act, arguments
        self.menu.addAction(action)
        return action

    def _act(self, action):
        if action in self._acts:  # and not in the menu of attributes
            act, arguments = self._acts[action]
            act(*arguments)

    def _hide_constant(self):
        self.hide_constant_changed.emit(self._constant.isChecked())

    def _show_of_table(self, point):
        self._show(self.view.viewport().mapToGlobal(point), self.view.columnAt(point.x()))

    def _show_of_header(self, point):
        header = self.view.horizontalHeader()
        self._show(header.viewport().mapToGlobal(point), header.logicalIndexAt(point))

    def _show(self, point, column):
        """Open the menu at a point of the screen, with the entries that fit a column (-1: none)."""
        model = self.view.model()
        self._column = column
        if not model.names:
            return
        score_index = column - FIRST_SCORE
        title = model.title(column).replace("&", "&&").strip() if column >= 0 else ""
        self._values.setVisible(self.view.currentIndex().isValid())
        for action in self._scripts:
            action.setVisible(bool(self.script()))
        self._lead.setVisible(0 <= score_index < len(model.columns))
        self._lead.setEnabled(score_index != model.leading)
        self._lead.setText(f"&Lead by {title}")
        self._hide.setVisible(column >= 0 and bool(self.view.column_name(column)))
        self._hide.setText(f"&Hide Column {title}")
        names = self._list_columns(model)
        self._unhide.setVisible(not names.isdisjoint(self.view.hidden))
        self._list_attributes(model)
        self.menu.popup(point)

    def _show_values(self):
        self.view.activated.emit(self.view.currentIndex())

    def _copy_names(self, as_text):
        model = self.view.model()
        QGuiApplication.clipboard().setText(as_text([model.names[feature] for feature in model.chosen()]))

    def _copy_script(self):
        QGuiApplication.clipboard().setText(self.script())

    def script(self) -> str:
        """Lines of Python that give the list; empty without a finished ranking."""
        return self.writings().script

    def name_page(self, title: str) -> None:
        """Name the entry that begins a web page, or ends the work for it."""
        self._page.setText(title)

    def _save_script(self):
        def write(path):
            Path(path).write_text(self.script(), encoding="utf-8")

        self.view.save_by(write, "Save Script", "ranking.py", "Python (*.py)")

    def _lead_by(self):
        self.lead_wanted.emit(self.view.model().columns[self._column - FIRST_SCORE].name)

    def _hide_column(self):
        self._set_hidden([*self.view.hidden, self.view.column_name(self._column)])

    def _list_columns(self, model) -> set[str]:
        """List the columns that can be hidden, so that one of them can be shown again, and return their names."""
        self.columns.clear()
        names = [self.view.column_name(column) for column in range(len(model.fields))]
        for name, field in zip(names, model.fields, strict=True):
            if name:
                self._add_choice(self.columns, field.title, name, name not in self.view.hidden)
        return set(names)

    def _column_toggled(self, action):
        others = [name for name in self.view.hidden if name != action.data()]
        self._set_hidden(others if action.isChecked() else [*others, action.data()])

    @staticmethod
    def _add_choice(menu, title, data, is_chosen):
        action = menu.addAction(title.replace("&", "&&").strip())
        action.setData(data)
        action.setCheckable(True)
        action.setChecked(is_chosen)

    def _list_attributes(self, model):
        self._attributes.clear()
        shown = model.wanted
        for attribute in model.attributes:
            self._add_choice(self._attributes, attribute.title, attribute.title, attribute.title in shown)
        self._attributes.menuAction().setVisible(bool(model.attributes))

    def _attribute_toggled(self, action):
        names = [name for name in self.view.model().wanted if name != action.data()]
        self.attributes_changed.emit(names + [action.data()] * action.isChecked())

    def _set_hidden(self, hidden):
        self.view.hide_columns(hidden)
        self.hidden_changed.emit(list(self.view.hidden))
