"""All follow-ups of a ranker together: `OWRanker` calls this for each step of its work."""

from collections.abc import Iterator, Sequence

from ...orange.jobs.job import Job
from ...orange.jobs.result import Result
from .followup import NO_RANKING, FollowUp, ShownRanking


class FollowUps:
    """Follow-ups in the order in which they are computed.

    A follow-up sleeps, and is not called, until the ranking concerns it. Then it is awake until other data come.
    """

    def __init__(self, members: Sequence[FollowUp]):
        self._members = tuple(members)
        self._to_be_cleared: set[FollowUp] = set()  # sleep again, and still show what was of other data
        self._offered: bool | None = None  # True if those that sleep are possible; None: they do not know yet

    def __iter__(self) -> Iterator[FollowUp]:
        return iter(self._members)

    def _listening(self) -> list[FollowUp]:
        """Members that are awake, or do something that they were asked for."""
        return [member for member in self if member.awake or not member.is_blank]

    def _hand_over(self, ranking: ShownRanking) -> None:
        """Give a ranking to all members: signals of the window also ask those that sleep about it."""
        for member in self:
            member.ranking = ranking

    def reset(self) -> None:
        """Forget the ranking and all results, as other data have come."""
        self._hand_over(NO_RANKING)
        for member in self._listening():
            member.reset()
        self._to_be_cleared |= {member for member in self if member.awake}
        for member in self:
            member.awake = False
        self._offered = None

    def refresh(self, ranking: ShownRanking) -> None:
        """Hand the ranking over to all members, compute what there is time for, and show it."""
        self._hand_over(ranking)
        is_possible = ranking.lead_job is not None
        for member in self:
            if member.concerns(ranking):
                member.awake = True
            if member.awake or member in self._to_be_cleared:
                member.refresh()
            elif is_possible != self._offered:
                member.offer(is_possible)
        self._to_be_cleared = set()
        self._offered = is_possible

    def ranking_failed(self) -> None:
        """Forget the ranking that was to come."""
        for member in self._listening():
            member.ranking_failed()

    def shutdown(self) -> None:
        """End all work."""
        for member in self:
            member.shutdown()

    def drop_previews(self) -> bool:
        """Show the ranking itself from the next time on; True if it was not shown."""
        dropped = [member.drop_preview() for member in self._listening()]
        return any(dropped)

    def shown(self, result: Result) -> Result:
        """Return rankings with the scores that follow-ups show for a moment in their place."""
        for member in self._listening():
            result = member.shown(result)
        return result

    def facts(self, job: Job) -> dict[str, object]:
        """Return what is known about a job, as arguments of its `MethodScores`."""
        facts: dict[str, object] = {}
        for member in self._listening():
            facts |= member.facts(job, member.found(job))
        return facts
