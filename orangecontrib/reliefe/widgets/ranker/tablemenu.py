"""The context menu of the table and its header: show values, copy, save, hide, lead by a score."""

from AnyQt.QtCore import QObject, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QAction, QGuiApplication, QKeySequence
from AnyQt.QtWidgets import QMenu

from .model import FIRST_SCORE
from .view import RankingView


class TableMenu(QObject):
    """Menu of the right mouse button, and of the key for menus.

    Signals of Qt's own parts are connected to methods, never to lambdas: PyQt may clear these while they are in use.
    """

    lead_wanted = Signal(str)  # name of a method
    hidden_changed = Signal(list)  # names of columns
    attributes_changed = Signal(list)  # names of those that are shown
    hide_constant_changed = Signal(bool)

    def __init__(self, view: RankingView):
        super().__init__(view)
        self.view, self.menu, self._column = view, QMenu(view), -1
        self._values = self._add("Show Val&ues", self._show_values)
        self._values.setShortcut(QKeySequence(Qt.Key_Return))  # as below
        self._values.setShortcutContext(Qt.WidgetShortcut)
        self.menu.addSeparator()
        copy = self._add("&Copy Rows", view.copy)
        copy.setShortcut(QKeySequence(QKeySequence.Copy))  # shown; the table itself acts on it
        copy.setShortcutContext(Qt.WidgetShortcut)
        self._add("Copy &Names", self._copy_names)
        self._add("Copy as &Python List", self._copy_python)
        self.menu.addSeparator()
        self._add("&Save Table as CSV…", self._save_csv)
        self._add("Save Table as S&VG…", self._save_svg)
        self._add("Save Table as P&DF…", self._save_pdf)
        self.menu.addSeparator()
        self._lead = self._add("&Lead by This Score", self._lead_by)
        self._hide = self._add("&Hide Column", self._hide_column)
        self._unhide = self._add("Show &All Columns", self._show_all)
        self._attributes = self.menu.addMenu("Feature A&ttributes")
        self._attributes.triggered.connect(self._attribute_toggled)
        self._constant = self._add("Hide Cons&tant Features", self.hide_constant_changed.emit)
        self._constant.setCheckable(True)
        for part, show in ((view, self._show_of_table), (view.horizontalHeader(), self._show_of_header)):
            part.setContextMenuPolicy(Qt.CustomContextMenu)
            part.customContextMenuRequested.connect(show)

    def set_hide_constant(self, wanted: bool) -> None:
        """Show in the menu that features with one value or none are hidden."""
        self._constant.setChecked(wanted)

    def _add(self, title, act):
        action = QAction(title, self)
        action.triggered.connect(act)
        self.menu.addAction(action)
        return action

    def _show_of_table(self, at):
        self._show(self.view.viewport().mapToGlobal(at), self.view.columnAt(at.x()))

    def _show_of_header(self, at):
        header = self.view.horizontalHeader()
        self._show(header.viewport().mapToGlobal(at), header.logicalIndexAt(at))

    def _show(self, at, column):
        model, self._column = self.view.model(), column
        if not model.names:
            return
        place = column - FIRST_SCORE
        title = model.title(column).replace("&", "&&").strip() if column >= 0 else ""
        self._values.setVisible(self.view.currentIndex().isValid())
        self._lead.setVisible(0 <= place < len(model.columns))
        self._lead.setEnabled(place != model.leading)
        self._lead.setText(f"&Lead by {title}")
        self._hide.setVisible(column >= 0 and bool(self.view.column_name(column)))
        self._hide.setText(f"&Hide Column {title}")
        self._unhide.setVisible(bool(self.view.hidden))
        self._list_attributes(model)
        self.menu.popup(at)

    def _show_values(self):
        self.view.activated.emit(self.view.currentIndex())

    def _copy_names(self):
        QGuiApplication.clipboard().setText("\n".join(self._names()))

    def _copy_python(self):
        QGuiApplication.clipboard().setText(repr(self._names()))

    def _names(self) -> list[str]:
        model = self.view.model()
        return [model.names[feature] for feature in model.chosen()]

    def _save_csv(self):
        self.view.save("csv")

    def _save_svg(self):
        self.view.save("svg")

    def _save_pdf(self):
        self.view.save("pdf")

    def _lead_by(self):
        self.lead_wanted.emit(self.view.model().columns[self._column - FIRST_SCORE].name)

    def _hide_column(self):
        self._put([*self.view.hidden, self.view.column_name(self._column)])

    def _show_all(self):
        self._put([])

    def _list_attributes(self, model):
        """One entry for each attribute that a feature has."""
        self._attributes.clear()
        shown = model.wanted
        for attribute in model.attributes:
            action = self._attributes.addAction(attribute.title.replace("&", "&&"))
            action.setData(attribute.title)
            action.setCheckable(True)
            action.setChecked(attribute.title in shown)
        self._attributes.menuAction().setVisible(bool(model.attributes))

    def _attribute_toggled(self, action):
        names = [name for name in self.view.model().wanted if name != action.data()]
        self.attributes_changed.emit(names + [action.data()] * action.isChecked())

    def _put(self, hidden):
        self.view.hide_columns(hidden)
        self.hidden_changed.emit(list(self.view.hidden))
