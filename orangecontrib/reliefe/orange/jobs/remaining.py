"""Estimate of the time that a task of a widget still takes, for the line that says what it does."""

import math

from ...core.kernels.compilation import clock
from ...core.words import duration

MIN_SPENT = 1.5  # seconds of work before which progress predicts nothing; chosen by eye
MIN_PERCENT = 3.0  # of the progress, likewise
MIN_LEFT = 5.0  # seconds below which nobody needs to know; chosen by eye
STEP = 10  # seconds that short estimates are rounded up to: they are rough


class RemainingTime:
    """Estimates from the progress of one task after another. Compilation counts neither as spent nor as left."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """A task begins."""
        self._start = clock()
        self._noted = self._start  # when there was progress
        self._left: float | None = None  # seconds that were left then; None: not known yet

    def note(self, percent: float) -> None:
        """The task has done a part of its work."""
        self._noted = clock()
        spent = self._noted - self._start
        if spent >= MIN_SPENT and percent >= MIN_PERCENT:
            self._left = spent * (100 - percent) / percent

    @property
    def text(self) -> str:
        """The estimate in words: "about 40 s left"; empty while it is not known, and at the end."""
        if self._left is None:
            return ""
        seconds = max(self._left - (clock() - self._noted), self._left / 2)  # without progress, the end comes no nearer
        return f"about {duration(STEP * math.ceil(seconds / STEP))} left" if seconds >= MIN_LEFT else ""
