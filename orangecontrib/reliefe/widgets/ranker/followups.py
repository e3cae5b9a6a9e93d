"""All follow-ups of a ranker together: `OWRanker` calls this for each step of its work."""

from collections.abc import Iterator, Sequence

from Orange.data import Table

from ...orange.jobs.job import Job
from ...orange.jobs.result import Result
from .followup import FollowUp


class FollowUps:
    """Follow-ups in the order in which they are computed."""

    def __init__(self, members: Sequence[FollowUp]):
        self._members = tuple(members)

    def __iter__(self) -> Iterator[FollowUp]:
        return iter(self._members)

    def reset(self, table: Table | None) -> None:
        """Forget all results, and begin with another table."""
        for member in self:
            member.reset(table)

    def refresh(self) -> None:
        """Compute what there is time for, and show it."""
        for member in self:
            member.refresh()

    def ranking_failed(self) -> None:
        """Forget the ranking that was to come."""
        for member in self:
            member.ranking_failed()

    def shutdown(self) -> None:
        """End all work."""
        for member in self:
            member.shutdown()

    def drop_previews(self) -> bool:
        """Show the ranking itself from the next time on; True if it was not shown."""
        dropped = [member.drop_preview() for member in self]
        return any(dropped)

    def shown(self, result: Result) -> Result:
        """Return rankings with the scores that follow-ups show for a moment in their place."""
        for member in self:
            result = member.shown(result)
        return result

    def facts(self, job: Job) -> dict[str, object]:
        """Return what is known about a job, as arguments of its `Scores`."""
        facts: dict[str, object] = {}
        for member in self:
            facts |= member.facts(job)
        return facts
