"""Open Data: a file as other programs write it, or an example, and a first look at it."""

import os
from typing import Any

from AnyQt.QtCore import Qt, QUrl
from AnyQt.QtWidgets import QFileDialog, QLabel, QListWidget, QListWidgetItem, QPushButton, QSplitter
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.filedialogs import OWUrlDropBase
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Msg, Output, OWWidget
from orangewidget.workflow.drophandler import SingleFileDropHandler

from ..core.description import CATEGORIES, COVARIATE, DIFF, DROP, GROUP, MISSING, TASK, TIMES, TRANSPOSE
from ..core.words import sentence
from ..orange.examples import EXAMPLES, USUAL, path_of
from ..orange.jobs.open_data import ENDINGS, PRESENCE, Opened, Roles, can_open, fields_of, open_file, path_beside
from ..orange.stored_settings import one_of, pairs, string, strings
from .opendata.columnstable import ColumnsTable
from .opendata.firstlook import FirstLook
from .opendata.readingbox import ReadingBox
from .utils.controls import ElidedLabel, name_tab_stops, open_large
from .utils.markup import plain_reports
from .utils.settings import CheckedSettings
from .utils.task import TaskRunner

FILES = f"Tables ({' '.join(f'*{ending}' for ending in ENDINGS)});;All files (*)"
OPEN_TIP = "Open a table of R, Excel, SPSS, a logger or another program. A file can also be dropped on this window"
NO_FILE = "none: open one, or drop it here"
SIZES = [230, 390]  # pixels of the first look and of the columns at first
LISTS = ("drop", "missing", "categories")
# Fields of `reading` that buttons of the first look change, and that Undo changes takes back. "Turn" ticks Rows are
# features at the left, which is unticked there.
BY_BUTTONS = (*LISTS, PRESENCE)


def readable(reading: object) -> bool:
    """True for stored fields of `tabular.ReadingOptions` that this window can have stored."""
    kinds = {
        "sheet": str,
        "skip_lines": int,
        "decimal": str,
        "encoding": str,
        "transpose": bool,
        "header": bool,
        PRESENCE: bool,
    }
    kinds |= dict.fromkeys((*LISTS, "beside", "join"), list)
    if not isinstance(reading, dict):
        return False
    return (
        all(name in kinds and type(value) is kinds[name] for name, value in reading.items())
        and all(strings(reading.get(name, [])) for name in (*LISTS, "join"))
        and pairs(reading.get("beside", []))
    )


def time_and_event(names: object) -> bool:
    """True for stored names of a time and its event, or for none."""
    return strings(names) and len(names) in (0, 2)


@plain_reports
class OWOpenData(TaskRunner, OWUrlDropBase):
    """A file or an example at the left, a first look at the right.

    Stored are a path, the name of an example, and how the file is read, as plain literals. A file is opened by the
    dialog, or dropped on the window.
    """

    name = "Open Data"
    description = "Open a table of R, Excel or another program, or an example, and take a first look at it"
    icon = "icons/exampledata.svg"
    priority = 5
    keywords = (
        "data set, example data, sample, file, csv, excel, load, read, decimal comma, transpose, heart disease, "
        "housing, iris, titanic, yeast, zoo"
    )

    class Outputs:
        data = Output("Data", Table)

    class Error(OWWidget.Error):
        failed = Msg("{}")
        unexpected = Msg("The file cannot be opened: {}")

    settingsHandler = CheckedSettings()
    settings_version = 1
    example = Setting(USUAL, fits=one_of(*EXAMPLES))
    path = Setting("", schema_only=True, fits=string)  # of the file; empty: the example is sent
    target = Setting("", schema_only=True, fits=string)
    times = Setting([], schema_only=True, fits=time_and_event)  # names of both if they are the target
    group = Setting("", schema_only=True, fits=string)  # name of the column whose equal values belong together
    covariates = Setting([], schema_only=True, fits=strings)  # names of columns that scores are adjusted for
    reading = Setting({}, schema_only=True, fits=readable)  # fields of `tabular.ReadingOptions`
    folder = Setting("", fits=string)  # where the last file was

    def __init__(self):
        OWUrlDropBase.__init__(self)
        TaskRunner.__init__(self)
        self.opened = Opened()
        self._add_controls()
        self.look = FirstLook()
        self.look.action_chosen.connect(self._act)
        self.look.undone.connect(self._undo)
        self.table = ColumnsTable()
        self.splitter = QSplitter(Qt.Vertical, childrenCollapsible=True)
        for title, part, share in (("First look", self.look, 1), ("Columns", self.table, 2)):
            box = gui.vBox(None, title)
            box.layout().addWidget(part)
            self.splitter.addWidget(box)
            self.splitter.setStretchFactor(self.splitter.indexOf(box), share)
        self.splitter.setSizes(SIZES)
        self.mainArea.layout().addWidget(self.splitter)
        name_tab_stops(self)
        open_large(self)
        self._show_source()
        self.restart_soon()

    def _add_controls(self):
        file_box = gui.vBox(self.controlArea, "&File")
        self.file = ElidedLabel()
        self.open = QPushButton("&Open\u2026", autoDefault=False, toolTip=OPEN_TIP)
        self.open.clicked.connect(self._open)
        file_box.layout().addWidget(self.file)
        file_box.layout().addWidget(self.open)
        self.reading_box = ReadingBox(self.target, self.times, self.reading)
        self.reading_box.changed.connect(self._reading_changed)
        file_box.layout().addWidget(self.reading_box)
        self.list = QListWidget(accessibleName="Data sets")
        self.about = QLabel(wordWrap=True)
        for example in EXAMPLES.values():
            QListWidgetItem(example.title, self.list).setToolTip(example.about)
        box = gui.vBox(self.controlArea, "&Examples")
        box.layout().addWidget(self.list)
        box.layout().addWidget(self.about)
        self.about.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self.list.itemClicked.connect(lambda item: self._example_chosen(self.list.row(item)))
        self.list.currentRowChanged.connect(self._example_chosen)

    # What the user does ----------------------------------------------------------------------------------------------

    def _open(self):
        path, _ = QFileDialog.getOpenFileName(self, "Open Data", self.folder, FILES)
        if path:
            self.open_file(path)

    def open_file(self, path: str) -> None:
        """Open another file, as it looks."""
        self.path, self.folder = path, os.path.dirname(path)
        self._forget()
        self.restart_soon()

    def canDropUrl(self, url: QUrl) -> bool:
        """Return True for a file of this computer; whether it can be read is said once it is dropped."""
        return url.isLocalFile() and os.path.isfile(url.toLocalFile())

    def handleDroppedUrl(self, url: QUrl) -> None:
        """Open a file that was dropped on the window."""
        self.open_file(url.toLocalFile())

    def _example_chosen(self, row):
        if row < 0:
            return
        name = list(EXAMPLES)[row]
        if name != self.example or self.path:
            self.example, self.path = name, ""
            self._forget()
            self.restart_soon()

    def _forget(self):
        """Forget how the file or example before was read."""
        self.target = ""
        self.times = []
        self.group = ""
        self.covariates = []
        self.reading = {}
        self.reading_box.reset()
        self._show_source()

    def _reading_changed(self):
        box = self.reading_box
        reading = box.reading | {name: self.reading[name] for name in BY_BUTTONS if name in self.reading}
        if (box.target, box.times, reading) != (self.target, self.times, self.reading):
            self.target = box.target
            self.times = [*box.times]
            self.reading = reading
            self.restart_soon()

    def _act(self, finding):
        if finding.action == GROUP:
            (self.group,) = finding.columns
        elif finding.action == COVARIATE:
            added_names = [name for name in finding.columns if name not in self.covariates]
            self.covariates = [*self.covariates, *added_names]
        elif finding.action == TIMES:
            self.times = self.reading_box.times = [*finding.columns]
        elif finding.action == TRANSPOSE:
            self.reading_box.transpose.click()
            return
        elif finding.action == DIFF:
            self.reading = {**self.reading, PRESENCE: True}
        elif finding.action == TASK:
            self._add_to(CATEGORIES, [self.opened.target])
        else:
            self._add_to(finding.action, [finding.value] if finding.action == MISSING else finding.columns)
        if finding.action == DROP and self.target in finding.columns:
            self.target = self.reading_box.target = ""
        self.restart_soon()

    def _add_to(self, name, values):
        """Add values to a list in `reading`."""
        listed = self.reading.get(name, [])
        self.reading = {**self.reading, name: [*listed, *(value for value in values if value not in listed)]}

    def _undo(self):
        self.reading = {name: value for name, value in self.reading.items() if name not in BY_BUTTONS}
        self.times = []
        self.reading_box.times = []
        self.group = ""
        self.covariates = []
        self.restart_soon()

    # Tasks -----------------------------------------------------------------------------------------------------------

    def next_task(self):
        self.Error.clear()
        roles = Roles(self.target, tuple(self.times), self.group, tuple(self.covariates))
        lists = {name: tuple(values) for name, values in self.reading.items() if name in (*LISTS, "join")}
        if not self.path:
            is_presence = bool(self.reading.get(PRESENCE))
            return open_file, str(path_of(EXAMPLES[self.example])), roles, {**lists, PRESENCE: is_presence}
        folder = self.workflowEnv().get("basedir")
        joined_columns = tuple((path_beside(file, folder), column) for file, column in self.reading.get("beside", ()))
        return open_file, path_beside(self.path, folder), roles, {**self.reading, **lists, "beside": joined_columns}

    def show_result(self, result, final):
        if result is None:
            return
        self.opened = result
        if self.path:
            self.reading_box.show_file(result.columns, result.sheets)
        self._show_look()
        self.Outputs.data.send(result.table)

    def show_failure(self, exception):
        self.show_error(exception)
        self.opened = Opened()
        self._show_look(error=str(exception))
        self.Outputs.data.send(None)

    def show_state(self, state):
        """Nothing but the progress of the window shows that a file is read."""

    # Views -----------------------------------------------------------------------------------------------------------

    def _show_source(self):
        """Show which file or example is open."""
        self.file.setText(os.path.basename(self.path) or NO_FILE)
        self.file.setToolTip(self.path)
        self.reading_box.setEnabled(bool(self.path))
        self.reading_box.show_fields(fields_of(self.path))
        self.list.blockSignals(True)
        self.list.setCurrentRow(-1 if self.path else list(EXAMPLES).index(self.example))
        self.list.blockSignals(False)
        self.about.setText("" if self.path else EXAMPLES[self.example].about)

    def _show_look(self, error: str = ""):
        description = self.opened.description
        lines = [*(description.lines() if description else ()), *self.opened.notes]
        if error:  # in full: the bar below has one line
            lines = ["The file cannot be used as it is read now", sentence(error)]
        changed = any(name in self.reading for name in BY_BUTTONS) or bool(self.times or self.group or self.covariates)
        findings = description.findings if description else None
        self.look.show_lines(lines, findings, changed)
        self.table.show_table(self.opened.table, {name for finding in findings or () for name in finding.columns})

    def send_report(self):
        example = EXAMPLES[self.example]
        source = (("File", self.path),) if self.path else (("Data set", example.title), ("About", example.about))
        self.report_items(source)
        if self.opened.table is not None:
            self.report_data("Data", self.opened.table)
        if self.opened.description is not None:
            self.report_items("First look", [("Data", str(self.opened.description))])

    def onDeleteWidget(self):
        self.shutdown()
        super().onDeleteWidget()


class OpenDataDropHandler(SingleFileDropHandler):
    """Makes the widget of a file that is dropped on the canvas; named as an entry point in setup.py."""

    WIDGET = OWOpenData

    def canDropFile(self, path: str) -> bool:
        """Return True for a file that is read, by its name; a workflow or a picture is none."""
        return os.path.isfile(path) and can_open(path)

    def parametersFromFile(self, path: str) -> dict[str, Any]:
        """Return the settings of a widget that opens a file."""
        path = os.path.abspath(path)
        return {"path": path, "folder": os.path.dirname(path)}


if __name__ == "__main__":
    WidgetPreview(OWOpenData).run()
