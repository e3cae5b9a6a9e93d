"""Outbox of a ranker: outputs are sent at once, or together with further changes by the user.

`OWRanker` hands over each `Decision` on its outputs, and a commit that Orange defers if *Send Automatically* is off.
"""

from AnyQt.QtCore import QObject, QTimer

from ...orange.ranker.decision import Awaited, Decision

COLLECT = 100  # ms in which quick changes of the selection are collected before they are sent; chosen by eye


class Outbox:
    """Compares each decision with the one before, and sends what is news."""

    def __init__(self, commit, decision: Decision, parent: QObject):
        """commit: of a widget, with `now` and `deferred`; decision: before the first data."""
        self._commit = commit
        self._decision = decision
        self._settled = decision.data  # number of the data of which a finished ranking was sent
        self.timer = QTimer(parent, singleShot=True, interval=COLLECT)
        self.timer.timeout.connect(self._send_collected)

    def follow(self, decision: Decision) -> None:
        """Send what is there at another stage of the work at once, and what the user asked for soon."""
        before, self._decision = self._decision, decision
        if decision.advances(before):
            self._send_stage()
        elif decision.differs(before):
            self.timer.start()

    def flush(self) -> None:
        """Send the collected changes, before something else is shown."""
        if self.timer.isActive():
            self.timer.stop()
            self._send_collected()

    def _send_stage(self):
        """Until the first ranking of the data is at its end, nothing of other data may stay on the outputs."""
        decision = self._decision
        now = decision.failed or decision.data != self._settled
        if not decision.failed and decision.awaited < Awaited.OTHER_METHODS:
            self._settled = decision.data
        if now:
            self._commit.now()
        else:
            self._commit.deferred()

    def _send_collected(self):
        """Send changes, unless they wait for another ranking, which is sent with them."""
        if not self._decision.pending:
            self._commit.deferred()
