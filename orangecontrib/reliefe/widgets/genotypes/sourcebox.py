"""Controls of where genotypes and phenotypes come from."""

import os
from collections.abc import Sequence
from functools import partial

from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QGridLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)
from Orange.widgets import gui
from Orange.widgets.settings import Setting

from ...formats import GENOTYPES, endings_of
from ...orange.stored_settings import strings
from ..utils.controls import ElidedLabel, choices, fill

ENDINGS = endings_of(GENOTYPES, with_packed=True)
FILES = f"Genotypes ({' '.join(f'*{ending}' for ending in ENDINGS)});;All files (*)"
TABLES = "Tables (*.csv *.tsv *.txt *.pheno *.phe);;All files (*)"
OPEN_TIP = (
    "Choose a file of genotypes, or drop it on the window. It is a .bed or .pgen of PLINK with its other two files "
    "beside it, a .vcf, .vcf.gz or .bgen, or an .npy of codes (people, variants)"
)
TABLE_TIP = "Choose a table with the names of people (iid, id, sample) and their phenotype: CSV, or tabs or blanks"
SOURCE_TIP = "Phenotype of the .fam or the target of the data, or one of a table, joined by the names of people"
COLUMN_TIP = "Column of the phenotype: the target of the data, or the column of the table"
DOSAGES_TIP = (
    "Rank dosages as numbers: expected copies of the counted allele, from 0 to 2 (off: genotypes). For a VCF "
    "with dosages (DS), a .pgen or a .bgen"
)
NO_FILE, OF_DATA = "no file yet", "Data on the input"
OWN, TABLE = "in the genotypes", "in a table"
MAX_RECENT = 8  # files in the menu
LETTERS = 14  # of a combo box


class SourceBox(QWidget, gui.OWComponent):
    """Files, or data, of the genotypes, and the column of the phenotype; `changed`: by the user."""

    changed = Signal()

    path = Setting("")  # of the genotypes
    recent = Setting([], fits=strings)  # paths of files that were opened, the last one first
    table = Setting("")  # path of a table of phenotypes
    from_table = Setting(False)  # True if the phenotype is in this table
    column = Setting("")  # of the phenotype
    dosages = Setting(False)  # True if dosages are ranked where a file has them

    def __init__(self, widget):
        """widget: whose settings these are."""
        super().__init__()
        gui.OWComponent.__init__(self, widget)
        self.from_table &= bool(self.table)
        self._targets = None
        ignored = QSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        self.file = ElidedLabel(sizePolicy=ignored)
        self.open = QToolButton(text="&Open\u2026", toolTip=OPEN_TIP, popupMode=QToolButton.MenuButtonPopup)
        self.open.setFocusPolicy(Qt.StrongFocus)
        self.open.setMenu(QMenu(self.open))
        self.open.setAccessibleName("Open a file of genotypes")
        self.source = choices("Source of the phenotype", tip=SOURCE_TIP, letters=LETTERS)
        self.tables = QPushButton("&Table\u2026", autoDefault=False, toolTip=TABLE_TIP)
        self.tables.setAccessibleName("Open a table of phenotypes")
        self.columns = choices("Column of the phenotype", tip=COLUMN_TIP, letters=LETTERS)
        self.dosage_box = QCheckBox(checked=self.dosages, toolTip=DOSAGES_TIP, accessibleName="Dosages", enabled=False)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setColumnStretch(1, 1)
        for row, widgets in enumerate(
            (
                ("File", self.file, self.open),
                ("&Dosages", self.dosage_box),
                ("&Phenotype", self.source, self.tables),
                ("Co&lumn", self.columns),
            )
        ):
            label = QLabel(widgets[0])
            if isinstance(widgets[1], QComboBox | QCheckBox):
                label.setBuddy(widgets[1])
            grid.addWidget(label, row, 0)
            grid.addWidget(widgets[1], row, 1, 1, 1 if len(widgets) > 2 else 2)
            if len(widgets) > 2:
                grid.addWidget(widgets[2], row, 2)
        self.open.clicked.connect(self._open)
        self.dosage_box.clicked.connect(self._dosages_chosen)
        self.tables.clicked.connect(self._open_table)
        self.source.activated.connect(self._source_chosen)
        self.columns.activated.connect(self._column_chosen)
        self.show_state()

    @property
    def phenotype(self) -> str:
        return self.table if self.from_table else ""

    @property
    def ranks_dosages(self) -> bool:
        """True if the user asks for dosages, and the file has them."""
        return self.dosages and self.dosage_box.isEnabled()

    def offer_dosages(self, path: str) -> None:
        """Enable the box of dosages if they can be read from this file; "": from none."""
        from ...genetics.reading import has_dosages

        self.dosage_box.setEnabled(bool(path) and has_dosages(path))

    def set_targets(self, targets: Sequence[str] | None) -> None:
        """Names of the targets of the data on the input; None: there are no data, and the file counts."""
        self._targets = targets
        self.show_state()

    def show_state(self) -> None:
        has_input = self._targets is not None
        name = OF_DATA if has_input else os.path.basename(self.path) or NO_FILE
        self.file.setText(name)
        self.file.setToolTip(OF_DATA if has_input else self.path or OPEN_TIP)
        self.open.setEnabled(not has_input)
        menu = self.open.menu()
        menu.clear()
        for path in self.recent:
            menu.addAction(os.path.basename(path).replace("&", "&&"), partial(self.open_file, path)).setToolTip(path)
        menu.setToolTipsVisible(True)
        table = [(os.path.basename(self.table), True, self.table)] if self.table else []
        fill(self.source, [(OWN, False), *table], self.from_table)
        self._fill_columns()

    def _fill_columns(self):
        fill(self.columns, [(name, name) for name in self.offered()], self.column)

    def offered(self, families: bool = False) -> Sequence[str]:
        """Names of the columns that may be the phenotype; families: and those of families."""
        from ...genetics.people_table import columns

        if not self.from_table:
            return list(self._targets or ())
        try:
            return columns(self.table, families)
        except (ValueError, OSError):  # the task says what is wrong with the table
            return []

    def column_asked(self) -> str:
        """Column that is chosen, or the only one; "" where there is none."""
        return self.columns.currentText()

    def open_file(self, path: str) -> None:
        self.path = path
        self.recent = [path, *(recent_path for recent_path in self.recent if recent_path != path)][:MAX_RECENT]
        self.show_state()
        self.changed.emit()

    def _open(self):
        path, _ = QFileDialog.getOpenFileName(self.window(), "Open Genotypes", os.path.dirname(self.path), FILES)
        if path:
            self.open_file(path)

    def _open_table(self):
        start = os.path.dirname(self.table or self.path)
        path, _ = QFileDialog.getOpenFileName(self.window(), "Open a Table of Phenotypes", start, TABLES)
        if path:
            self.table, self.from_table = path, True
            self.show_state()
            self._column_chosen()

    def _source_chosen(self, row):
        self.from_table = bool(self.source.itemData(row))
        self._fill_columns()
        self._column_chosen()

    def _dosages_chosen(self, checked):
        self.dosages = checked
        self.changed.emit()

    def _column_chosen(self, _=0):
        self.column = self.columns.currentText()
        self.changed.emit()
