"""Controls of how a file is read, as options of the command line; those that do not apply to a file are hidden."""

from collections.abc import Mapping, Sequence
from typing import Any

from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QCheckBox, QFileDialog, QFormLayout, QLineEdit, QPushButton, QWidget

from ...formats import CELLS, PACKED, endings_of
from ...orange.jobs.open_data import ReadingFields, fields_of, names_of_columns
from ..utils.controls import choices, fill, form, spin

MAX_LINES = 10_000
LETTERS = 16
BY_NAME = "by its name"
TABLES = f"Tables ({' '.join(f'*{ending}' for ending in (*endings_of(CELLS), *PACKED))});;All files (*)"
NO_COLUMN = "none"
CHOSEN_TIMES = 0  # data of an entry; those of columns are their names
ACTIVE_SHEET = "the active one"
HEADERS = (("as it looks", None), ("names", True), ("values", False))
DECIMALS = (("as the columns look", ""), ("point", "."), ("comma", ","))
TIPS = {
    "target": "Column that becomes the target. By its name: a last column class, target, label, y or outcome",
    "beside": "Open a table whose rows have the same names, for example samples and their tissues",
    "column": "Column of that table which is joined by the names of rows, and becomes the target",
    "join": "Columns with the names of the rows in both tables, for example id=sample. Empty: found out",
    "sheet": "Sheet of the workbook",
    "skip_lines": "Lines above the table that are left out",
    "header": "Whether the first line has the names of the columns, or values",
    "decimal": "Mark before decimals",
    "encoding": "Encoding of the text, for example cp1250. Empty: found out, and said at the right",
    "transpose": "Rows of the file are features, for example genes, and its columns are samples",
}


class ReadingBox(QWidget):
    """State is plain: `target` (str), `times` (list of str) and `reading`.

    The latter are fields of `tabular.ReadingOptions` that differ from the usual. `times` are a time and its event,
    which are the target instead, or none; another target replaces them. `changed`: by the user.
    """

    changed = Signal()

    def __init__(self, target: str, times: Sequence[str], reading: Mapping[str, Any]):
        super().__init__()
        self.target = target
        self.times = [*times]
        self._sheet = str(reading.get("sheet") or "")
        self._has_sheets = False
        # File and column of another table, or nothing
        self._joined_columns = [[*pair] for pair in reading.get("beside", ())]
        self.targets = choices("Target", tip=TIPS["target"], letters=LETTERS)
        self.sheets = choices("Sheet", tip=TIPS["sheet"], letters=LETTERS)
        self.table = QPushButton("Target in another ta&ble\u2026", autoDefault=False, toolTip=TIPS["beside"])
        self.columns = choices("Column of the other table", tip=TIPS["column"], letters=LETTERS)
        self.join = QLineEdit(
            " ".join(reading.get("join", ())),
            placeholderText="found out",
            toolTip=TIPS["join"],
            accessibleName="Joined by",
        )
        self.lines = spin("Lines to skip", reading.get("skip_lines", 0), 0, MAX_LINES, TIPS["skip_lines"])
        self.header = choices("First line", HEADERS, reading.get("header"), TIPS["header"])
        self.decimal = choices("Decimal mark", DECIMALS, reading.get("decimal", ""), TIPS["decimal"])
        self.encoding = QLineEdit(
            reading.get("encoding", ""),
            placeholderText="found out",
            toolTip=TIPS["encoding"],
            accessibleName="Encoding",
        )
        self.transpose = QCheckBox("&Rows are features", toolTip=TIPS["transpose"])
        self.transpose.setChecked(reading.get("transpose", False))
        self._takes = fields_of("")
        self.rows: QFormLayout = form(self)
        for title, field in (
            ("&Target", self.targets),
            ("", self.table),
            ("Col&umn", self.columns),
            ("&Joined by", self.join),
            ("S&heet", self.sheets),
            ("Lines to s&kip", self.lines),
            ("First &line", self.header),
            ("&Decimal mark", self.decimal),
            ("E&ncoding", self.encoding),
        ):
            self.rows.addRow(title, field)
        self.rows.addRow(self.transpose)
        self.targets.activated.connect(self._target_chosen)
        self.table.clicked.connect(self._open_table)
        self.columns.activated.connect(self._column_chosen)
        self.sheets.activated.connect(self._sheet_chosen)
        self.lines.valueChanged.connect(self.changed)
        self.encoding.editingFinished.connect(self.changed)
        self.join.editingFinished.connect(self.changed)
        self.transpose.clicked.connect(self.changed)
        for combo in (self.header, self.decimal):
            combo.activated.connect(self.changed)
        self.show_file((), ())

    @property
    def reading(self) -> dict[str, Any]:
        """Fields of `tabular.ReadingOptions` that differ from the usual, as plain literals."""
        fields = {
            "sheet": self._sheet,
            "skip_lines": self.lines.value(),
            "decimal": self.decimal.currentData(),
            "encoding": self.encoding.text().strip(),
            "transpose": self.transpose.isChecked(),
            "beside": [pair for pair in self._joined_columns if all(pair)],
            "join": [key for key in (self.join.text().strip(),) if key],
        }
        reading = {name: value for name, value in fields.items() if value}
        header = self.header.currentData()
        return reading if header is None else {**reading, "header": header}

    def show_file(self, columns: Sequence[str], sheets: Sequence[str]) -> None:
        """Offer the columns of a file as targets, and the sheets of a workbook."""
        offered = [*columns, *([self.target] if self.target and self.target not in columns else [])]
        of_times = [(" until ".join(self.times), CHOSEN_TIMES)] if self.times else []
        chosen = CHOSEN_TIMES if self.times else self.target
        fill(self.targets, [(BY_NAME, ""), *of_times, *((name, name) for name in offered)], chosen)
        names = [*sheets, *([self._sheet] if self._sheet and self._sheet not in sheets else [])]
        fill(self.sheets, [(ACTIVE_SHEET, ""), *((name, name) for name in names)], self._sheet)
        self._has_sheets = len(names) > 1 or bool(self._sheet)
        self._show_beside()

    def _show_beside(self) -> None:
        """Offer the columns of the other table, if there is one, and show the fields that apply to the files."""
        takes = self._takes
        has_text = takes.cells or (takes.beside and bool(self._joined_columns))
        for field, is_shown in (
            (self.table, takes.beside),
            (self.columns, takes.beside and bool(self._joined_columns)),
            (self.join, takes.cells and bool(self._joined_columns)),
            (self.sheets, has_text and self._has_sheets),
            *((field, has_text) for field in (self.lines, self.header, self.decimal, self.encoding)),
            (self.transpose, takes.transpose),
        ):
            self.rows.setRowVisible(field, is_shown)
        if self._joined_columns:
            file, column = self._joined_columns[0]
            names = names_of_columns(file) or [column]
            fill(self.columns, [(NO_COLUMN, ""), *((name, name) for name in names if name)], column)

    def show_fields(self, takes: ReadingFields) -> None:
        """Show the fields that apply to a file."""
        self._takes = takes
        self._show_beside()

    def reset(self) -> None:
        """Set all back, for another file."""
        self.target = self._sheet = ""
        self.times = []
        self._joined_columns = []
        for combo in (self.header, self.decimal):
            combo.setCurrentIndex(0)
        self.lines.blockSignals(True)
        self.lines.setValue(0)
        self.lines.blockSignals(False)
        self.encoding.clear()
        self.join.clear()
        self.transpose.setChecked(False)
        self.show_file((), ())

    def _target_chosen(self):
        chosen = self.targets.currentData()
        if chosen != CHOSEN_TIMES:
            self.target, self.times = chosen, []
            self.changed.emit()

    def open_table(self, path: str) -> None:
        """Offer the columns of another table, whose rows have the same names."""
        self._joined_columns = [[path, ""]]
        self._show_beside()

    def _open_table(self):
        path, _ = QFileDialog.getOpenFileName(self.window(), "Open a Table with the Target", "", TABLES)
        if path:
            self.open_table(path)

    def _column_chosen(self):
        column = self.columns.currentData()
        if self.target == self._joined_columns[0][1]:
            self.target = ""
        self._joined_columns = [[self._joined_columns[0][0], column]] if column else []
        self.target, self.times = column or self.target, []
        self.changed.emit()

    def _sheet_chosen(self):
        self._sheet = self.sheets.currentData()
        self.changed.emit()
