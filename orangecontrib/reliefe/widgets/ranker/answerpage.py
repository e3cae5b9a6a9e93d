"""Tab of a ranker that answers a question on demand: a check box, a table, and sentences below it (Qt)."""

from collections.abc import Sequence

from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from ..table.model import Column, TableModel
from ..table.view import ItemsView
from ..utils.controls import placed


class AnswerPage(QWidget):
    """Shows the answer to a question, which is computed while the box is ticked.

    possible: True if the question can be asked for the data and the ranking.
    """

    def __init__(self, title: str, tip: str, parent=None):
        """title: of the question; tip: tooltip of its box."""
        super().__init__(parent)
        self.possible = False
        self.answer = ""  # sentences
        self.box = QCheckBox(title, accessibleName=title, toolTip=tip)
        self.controls = placed(QHBoxLayout(), self.box)
        self.controls.addStretch(1)
        self.model = TableModel(self)
        self.table = ItemsView(self.model, (), 0, accessibleName=title)
        self.notes = QLabel(wordWrap=True, margin=4, textFormat=Qt.PlainText)
        self.notes.setTextInteractionFlags(Qt.TextSelectableByMouse)
        placed(QVBoxLayout(self), self.controls, (self.table, 1), self.notes, spacing=2)
        self.layout().setContentsMargins(4, 4, 4, 0)

    def add_control(self, text: str, control: QWidget) -> None:
        """Add a control, with its name, behind the box."""
        label = QLabel(text)
        label.setBuddy(control)
        for part in (label, control):
            self.controls.insertWidget(self.controls.count() - 1, part)

    def show_answer(self, answer: str, columns: Sequence[Column] = (), waiting: str = "") -> None:
        """Show sentences and the table that they are about; without columns, what is waited for."""
        self.answer = answer
        self.notes.setText(answer or waiting)
        self.table.setVisible(bool(columns))
        self.notes.setAlignment(Qt.AlignLeft | Qt.AlignVCenter if columns else Qt.AlignCenter)
        self.model.beginResetModel()
        self.model.fields = tuple(columns)
        self.model.arrange()
        self.model.endResetModel()

    def draw_if_stale(self) -> None:
        """Charts draw themselves before they are saved; a table is always drawn."""
