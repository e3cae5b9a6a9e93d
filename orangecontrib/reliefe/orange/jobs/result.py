"""Result of a ranker: the rankings by all jobs so far, and why some have none."""

from dataclasses import dataclass, field, replace

from Orange.data import Table

from .job import Job


@dataclass(frozen=True, eq=False)
class Result:
    """Rankings and failures (messages) so far; replaced, never changed, so that it may cross threads.

    curves: of each job [rows, agreement of the best with the ranking before].  about: what was found in the table, or
    None as long as nobody looked.  groups: of each job the group of each feature.
    """

    rankings: dict = field(default_factory=dict)
    failures: dict = field(default_factory=dict)
    curves: dict = field(default_factory=dict)
    about: object = None
    groups: dict = field(default_factory=dict)

    def with_ranking(self, job: Job, ranking) -> "Result":
        """Add a ranking, unless the one that is there was made from more rows."""
        before = self.rankings.get(job)
        if before is not None and before.info["instances"] > ranking.info["instances"]:
            return self
        curve = self._curve(job, before, ranking)
        return replace(self, rankings={**self.rankings, job: ranking}, curves={**self.curves, job: curve})

    def is_of(self, table: Table) -> bool:
        """Return True if all rankings are of this table, and so have its features."""
        return all(ranking.table is table for ranking in self.rankings.values())

    def with_failure(self, job: Job, message: str) -> "Result":
        """Return a result with a message why a job has no ranking."""
        return replace(self, failures={**self.failures, job: message})

    def is_final(self, job: Job) -> bool:
        return job in self.rankings and self.rankings[job].info["final"]

    def settled(self, job: Job) -> Job:
        """The job with the numbers of neighbours and the influences that were chosen, as far as it has a ranking."""
        if job not in self.rankings or not job.is_of_core:
            return job
        info = self.rankings[job].info
        chosen = {name: info[name] for name in ("n_neighbors", "w0", "w1") if name in info}
        return Job.of(job.method, job.values | chosen, *job[2:])

    def grouped(self) -> "Result":
        """Add groups of correlated features of all finished rankings, unless these are of groups already."""
        final = {
            job: ranking for job, ranking in self.rankings.items() if self.is_final(job) and not ranking.ranks_groups
        }
        return replace(self, groups={job: self.groups.get(job) or r.groups() for job, r in final.items()})

    def _curve(self, job, before, ranking) -> list:
        """Curve of convergence as the core reports it, or else from the partial rankings."""
        from ...core.methods.convergence import average_overlap

        points = ranking.info.get("convergence")
        if points is not None or before is None:
            return points or []
        if before.info["instances"] == ranking.info["instances"]:
            return self.curves[job]
        return [*self.curves[job], [ranking.info["instances"], average_overlap(before.ranking, ranking.ranking)]]
