"""Stages of a ranker's outputs, from the first data to complete p-values."""

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
