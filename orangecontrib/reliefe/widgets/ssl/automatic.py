"""Base of editors whose parameter can be chosen by cross-validation, and the table of settings that were tried."""

from collections.abc import Sequence

from AnyQt.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget


class AutomaticEditor(QWidget):
    """Parameters that can be chosen automatically: a check box, editors in a row, and a line about the choice."""

    def __init__(self, title: str, tip: str, *row: QWidget, checked: bool = True, stretched: int = 0):
        """stretched: place in the row of the widget that takes the room that is left."""
        super().__init__()
        self.automatic, self.choice = QCheckBox(title, checked=checked, toolTip=tip), QLabel(wordWrap=True)
        line, layout = QHBoxLayout(), QVBoxLayout(self)
        for number, widget in enumerate(row or (self.automatic,)):
            line.addWidget(widget, number == stretched)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        if row:
            layout.addWidget(self.automatic)
        layout.addLayout(line)
        layout.addWidget(self.choice)
        self.row = line

    def show_choice(self, text: str, tuning: str = "") -> None:
        """Show a choice in words; tuning: settings that were tried, as a table."""
        self.choice.setText(text)
        self.choice.setToolTip(tuning)
        self.choice.setVisible(bool(text))


def tuning_table(heads: Sequence[str], rows: Sequence[Sequence[str]], more: str = "") -> str:
    """Settings that were tried, each with its quality, for a tooltip."""
    lines = ("".join(f"<td align=right>&nbsp; {cell}</td>" for cell in row) for row in rows)
    head = "".join(f"<th align=right>&nbsp; {title}</th>" for title in heads)
    about = "Quality of predictions for held-out labelled rows; higher is better"
    return f"{about}<table><tr>{head}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>{more}"
