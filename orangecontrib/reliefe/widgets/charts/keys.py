"""Keys with which charts and drawings are looked at (Qt)."""

from AnyQt.QtCore import Qt

NEXT = (Qt.Key_Right, Qt.Key_Down)
BACK = (Qt.Key_Left, Qt.Key_Up)
CHOOSE = (Qt.Key_Space, Qt.Key_Return, Qt.Key_Enter)
ARROWS = {Qt.Key_Up: (-1, 0), Qt.Key_Down: (1, 0), Qt.Key_Left: (0, -1), Qt.Key_Right: (0, 1)}  # rows, columns
