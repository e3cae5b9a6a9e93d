"""State of a ranker, without Qt: the stages of its outputs, and the parts of its window that are stale."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

WAITING, RANKING, REFINING, HELD, SENT, BEHIND = "waiting", "ranking", "refining", "held", "sent", "behind"


class State:
    """Stage of the outputs, and whether what was sent before is of earlier data (`urgent`).

    WAITING for a task; RANKING until the leading score is there; REFINING while slower methods go on.  Then HELD, where
    the selection waits for p-values; SENT; or BEHIND: p-values come after what was sent.
    """

    def __init__(self) -> None:
        self.stage, self.urgent = WAITING, False

    def data_arrived(self) -> None:
        """Nothing that was sent is of these data."""
        self.stage, self.urgent = WAITING, True

    def begin(self) -> None:
        """A ranking begins."""
        self.stage = RANKING

    def lead(self) -> bool:
        """The leading score is there; True for the first time in a ranking."""
        first = self.stage == RANKING
        self.stage = REFINING if first else self.stage
        return first

    def end(self, holds: bool, testing: bool) -> None:
        """The ranking is at its end, or stopped; holds: the selection waits for p-values; testing: these come."""
        self.stage = HELD if holds else BEHIND if testing else SENT

    def fail(self) -> None:
        """There is no ranking; the next one is sent at once, as this one would have been."""
        self.stage = SENT

    def release(self, holds: bool, testing: bool) -> bool:
        """True if something is to be sent now: what was held, or p-values that are complete."""
        before = self.stage
        if (before == HELD and not holds) or before in (SENT, BEHIND):
            self.stage = BEHIND if testing else SENT
        return before != self.stage and before in (HELD, BEHIND)

    def send(self) -> bool:
        """True if outputs are sent at once, whatever the user wants for changes: until the ranking is at its end."""
        urgent = self.urgent
        self.urgent &= self.stage in (RANKING, REFINING)
        return urgent


class Refresh:
    """Shows the stale parts of a window, once, at the end of the outermost event."""

    def __init__(self, show: Callable[[set[str]], None], after: Callable[[], None]):
        """show: called with the names of the stale parts, until none is left; after: called at the end."""
        self._show, self._after = show, after
        self._stale: set[str] = set()
        self._depth = 0

    def __call__(self, *stale: str) -> None:
        """Mark parts as stale, and show them now or at the end of the event."""
        with self.event(*stale):
            pass

    @contextmanager
    def event(self, *stale: str) -> Iterator[None]:
        """Mark parts as stale; a change within this context is shown at its end."""
        self._stale |= {"", *stale}  # other parts may depend on an event, too
        with self._deeper():
            yield
        if self._stale and not self._depth:
            self._flush()

    def now(self, *stale: str) -> None:
        """Show all parts that are stale, within an event, too."""
        self._stale |= {"", *stale}
        self._flush()

    def _flush(self):
        with self._deeper():
            while self._stale:
                stale, self._stale = self._stale, set()
                self._show(stale)
        self._after()

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
