"""Places of the columns of `BumpChart`, room for names beside them, and ticks of ranks."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..charts.axes import OVERLAP

# Shares of the width that names have at either side: as much as they want up to the first one, and more, up to the
# second one, as long as columns keep their room.
ALWAYS_SHARE = 0.22
LARGEST_SHARE = 0.44
COLUMN = 80  # pixels that names leave to a column, if they want more than the first share
MIN_TITLE_WIDTH = 70  # pixels of a column in which no title has room
ASIDE = 8  # pixels from a column to its names
FRAME = 4  # pixels around a name
TICK = 8  # pixels of a tick of the axis, and beside it
STEPS = 1, 2, 5, 10, 20  # ranks from a tick to the next one


class Columns(NamedTuple):
    """Widths of the columns of a chart.

    width: pixels of the columns with the names at both sides.
    last: number of the last column, from 0.
    side: pixels for the names at either side.
    """

    width: float
    last: int
    side: float

    @property
    def step(self) -> float:
        return max(self.width - 2 * self.side, 1) / self.last if self.last else self.width

    @property
    def narrow(self) -> bool:
        return self.step < MIN_TITLE_WIDTH

    @property
    def name_room(self) -> int:
        return int(self.side - ASIDE - 2 * FRAME - TICK)

    def title_room(self, column: int, lines: int = 1) -> int:
        """Pixels of a title; lines: on which titles stand in turn."""
        room = lines * self.step
        return int(min(room, 2 * self.side + OVERLAP) if column in (0, self.last) else room)

    @property
    def ends(self) -> tuple[float, float]:
        side = self.side / self.step if self.last else 0.5
        return -side, self.last + side


def columns(width: float, names: Sequence[int], titles: Sequence[int]) -> Columns:
    """Columns with room for names, and for half of the first and of the last title; all widths in pixels.

    names may be empty; titles has at least one.
    """
    last = len(titles) - 1
    names_width = max(names, default=0) + ASIDE + 2 * FRAME + TICK + 1
    wanted = max(names_width, titles[0] / 2, titles[-1] / 2)
    left_by_columns = min(LARGEST_SHARE * width, (width - COLUMN * last) / 2)
    allowed = max(ALWAYS_SHARE * width, left_by_columns)
    return Columns(width, last, min(wanted, allowed))


def rank_ticks(top: float, log: bool, rows: float) -> list[tuple[int, float]]:
    """(rank, height) of ticks: of every rank, or every second, fifth, ...; on a logarithmic axis 1, 2, 5, 10.

    top: the largest height; rows: how many ticks have room.
    """
    if log:
        ranks = [digit * 10**power for power in range(7) for digit in (1, 2, 5)]
        return [(rank, np.log10(rank)) for rank in ranks if np.log10(rank) <= top]
    step = next((step for step in STEPS if top <= rows * step), STEPS[-1])
    return [(rank, rank) for rank in dict.fromkeys([1, *range(step, int(top) + 1, step)])]
