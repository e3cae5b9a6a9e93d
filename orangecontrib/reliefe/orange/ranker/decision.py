"""Decision on the outputs of a ranker: what is to be sent, whether it is pending, partial or final, and when.

The base of all rankers, `widgets/ranker/ranker.py`, asks `decide` and its `Dispatch` at the end of each event.
"""

from collections.abc import Sequence
from enum import Enum, IntEnum
from itertools import compress
from typing import NamedTuple

from .scores import MethodScores
from .selection import FDR, SelectionRule


class Awaited(IntEnum):
    """Stage of the outputs: what is still to come before they are final; the largest comes first.

    SELECTION: outputs are pending, since the leading score, or the p-values that select features, are not there.
    OTHER_METHODS: outputs are partial; the leading score is final, and other methods still rank.
    P_VALUES: outputs are partial; the ranking is at its end, and p-values follow.
    NOTHING: outputs are final.
    """

    NOTHING = 0
    P_VALUES = 1
    OTHER_METHODS = 2
    SELECTION = 3


class RankingState(NamedTuple):
    """A ranking as it is shown.

    data: serial number of the data.
    run: serial number of the ranking task; other data begin another one, and so do other parameters.
    running: True while a task ranks.
    failed: True if the task ended by an error.
    lead_final: True if the score that is to lead is final, whatever else is still to come.
    names: (p,) names of the ranked features.
    columns: scores in the order of the table; empty without a ranking.
    """

    data: int
    run: int
    running: bool
    failed: bool
    lead_final: bool
    names: Sequence[str]
    columns: Sequence[MethodScores]


class PValuesState(NamedTuple):
    """p-values of the leading score.

    missing: True if they are wanted, and none are finished or stopped.
    running: True while the target is permuted.
    """

    missing: bool
    running: bool


NO_P_VALUES = PValuesState(missing=False, running=False)  # nobody wants them


class OutputRequest(NamedTuple):
    """Wishes of the user; after a change, outputs are sent again.

    rule: rule of the selection.
    by_hand: names of the features that were selected by hand; empty for other rules.
    leading: name of the method that is to lead; empty: the method that leads by default.
    p_values: True if p-values are wanted.
    adds_to_others: True if conditional p-values are wanted beside them.
    highlighted: name of the method whose scorer is sent without data; empty with data.
    """

    rule: SelectionRule
    by_hand: tuple[str, ...]
    leading: str
    p_values: bool
    adds_to_others: bool
    highlighted: str


class Decision(NamedTuple):
    """Outputs to be sent.

    data: serial number of the data.
    run: serial number of the ranking task.
    failed: True if there is no ranking because of an error.
    awaited: what is still to come.
    request: what the user asked for.
    selected: names of the selected features; None without a ranking.
    columns: scores for the output *Scores*, without those that still change.
    """

    data: int
    run: int
    failed: bool
    awaited: Awaited
    request: OutputRequest
    selected: tuple[str, ...] | None
    columns: tuple[MethodScores, ...]

    @property
    def pending(self) -> bool:
        """True if nothing can be sent yet."""
        return self.awaited is Awaited.SELECTION

    @property
    def partial(self) -> bool:
        """True if more is sent later without being asked for."""
        return self.awaited in (Awaited.OTHER_METHODS, Awaited.P_VALUES)

    def advances(self, before: "Decision") -> bool:
        """True if there is something to send of another ranking, or of a later stage of the work than before."""
        return not self.pending and (self.run != before.run or self.awaited < before.awaited)

    def differs(self, before: "Decision") -> bool:
        """True if there is something to send since the user asked for something else."""
        return not self.pending and self.request != before.request


class When(Enum):
    """Times at which outputs are sent.

    NOT_YET: there are no news, or these are still awaited.
    SOON: a moment later, together with further changes by the user.
    AS_THE_USER_WANTS: at once if *Send Automatically* is on, else when the user presses the button.
    AT_ONCE: whatever the user wants, as nothing of other data may stay on the outputs.
    """

    NOT_YET = 0
    SOON = 1
    AS_THE_USER_WANTS = 2
    AT_ONCE = 3


class Dispatch:
    """Compares each decision with the one before, and says when its news are sent; `OWRanker` sends them."""

    def __init__(self, decision: Decision):
        """decision: before the first data."""
        self._decision = decision
        self._settled = decision.data  # number of the data of which a finished ranking was sent

    @property
    def is_pending(self) -> bool:
        """True if nothing can be sent yet."""
        return self._decision.pending

    def follow(self, decision: Decision) -> When:
        """Return when this decision is sent.

        Until the first ranking of the data is at its end, each stage of the work is sent at once.
        """
        before = self._decision
        self._decision = decision
        if not decision.advances(before):
            return When.SOON if decision.differs(before) else When.NOT_YET
        is_first = decision.failed or decision.data != self._settled
        if not decision.failed and decision.awaited < Awaited.OTHER_METHODS:
            self._settled = decision.data
        return When.AT_ONCE if is_first else When.AS_THE_USER_WANTS


def decide(ranking: RankingState, selected: Sequence[bool], p_values: PValuesState, request: OutputRequest) -> Decision:
    """Return what is to be sent; selected: (p,) True for the features that the request selects."""
    complete = tuple(scores for scores in ranking.columns if not (ranking.running and scores.partial))
    return Decision(
        data=ranking.data,
        run=ranking.run,
        failed=ranking.failed,
        awaited=_awaited(ranking, p_values, request),
        request=request,
        selected=tuple(compress(ranking.names, selected)) if ranking.columns else None,
        columns=complete,
    )


def _awaited(ranking: RankingState, p_values: PValuesState, request: OutputRequest) -> Awaited:
    if ranking.running and not ranking.lead_final:
        return Awaited.SELECTION
    if request.rule.mode == FDR and p_values.missing:
        return Awaited.SELECTION
    if ranking.running:
        return Awaited.OTHER_METHODS
    return Awaited.P_VALUES if p_values.running else Awaited.NOTHING
