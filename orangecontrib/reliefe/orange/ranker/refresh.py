"""Refresh of the stale parts of a window, once for each event."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


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
        if self._depth:
            return
        with self._deeper():
            while self._stale:
                now_stale = self._stale
                self._stale = set()
                self._show(now_stale)
        self._after()

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
