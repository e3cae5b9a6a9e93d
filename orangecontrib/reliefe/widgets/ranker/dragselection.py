"""Select features by clicks, drags and keys in the table of a ranking; called by `RankingView`."""

import numpy as np

from .model import RankingModel


class DragSelection:
    """Say which features are selected by a click, and by the drag that may follow it.

    A click selects its row alone.  With Shift it selects the rows from the last click without Shift to its own.  With
    Ctrl it adds its row to the selected ones, or removes it.  A drag does the same with all rows it has crossed.

    Attributes
    ----------
    model : RankingModel
        Its rows and its selection are read, but not changed.
    anchor_row : int
        Row of the last click without Shift, from which a drag extends.
    is_active : bool
        True from the click on a row to the next press of a button: a drag extends the selection.
    base_mask : (p,) bool array
        Features that were selected before the click and stay so, outside of the rows of the drag.
    is_adding : bool
        True if rows of the drag become selected; False if they are deselected.
    """

    def __init__(self, model: RankingModel):
        self.model = model
        self.anchor_row = 0
        self.is_active = False
        self.base_mask = np.zeros_like(model.selected)
        self.is_adding = True

    def stop(self) -> None:
        """Ignore drags until a row is clicked."""
        self.is_active = False

    def start(self, row: int, has_shift: bool, has_ctrl: bool) -> np.ndarray:
        """Return the selection (p,) after a click on a row, with Shift or Ctrl held down; Shift prevails."""
        selected = self.model.selected
        self.is_active = True
        self.base_mask = np.zeros_like(selected)
        self.is_adding = True
        if not has_shift:
            self.anchor_row = row
            if has_ctrl:
                self.base_mask = selected.copy()
                self.is_adding = not selected[self.model.rows[row]]
        return self.extend(row)

    def extend(self, row: int) -> np.ndarray:
        """Return the selection (p,) after a drag to a row."""
        rows = self.model.rows
        # Fewer rows may be shown than at the click.
        anchor_row = min(self.anchor_row, len(rows) - 1)
        first, last = sorted((anchor_row, row))
        mask = self.base_mask.copy()
        mask[rows[first : last + 1]] = self.is_adding
        return mask
