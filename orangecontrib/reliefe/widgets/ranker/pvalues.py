"""p-values of the leading score, which come before everything else that follows a ranking."""

from collections.abc import Collection

from AnyQt.QtCore import pyqtSignal as Signal
from Orange.widgets.settings import Setting

from ...core.targets.facts import no_p_values
from ...core.words import sentence
from ...orange.jobs.job import Job
from ...orange.jobs.p_values import Tested, find_p_values, with_more
from ...orange.jobs.stored_results import fits, packed_tests, restored_test
from ...orange.ranker.decision import PValuesState
from ...orange.ranker.proposals import Proposal, open_proposal
from ...orange.stored_settings import pairs
from .area import RankingArea
from .followup import BoxState, FollowUp
from .measures import measures
from .suggestedcount import SuggestedCount


class PValues(FollowUp):
    """Tests of scores; each goes on until it is complete, or stopped, and keeps its permutations."""

    title = "p-values"
    continues = True

    proposal_taken = Signal(str, str)  # the user gives a column, by its name, a role in the study

    ticked = Setting(False)
    show_z = Setting(False)  # beside p and q
    stored = Setting({}, schema_only=True, fits=fits)  # p-values of the workflow, and what they are of
    refused = Setting([], schema_only=True, fits=pairs)  # pairs of a role and a column that the user does not give it

    def __init__(
        self,
        widget,
        area: RankingArea,
        count: SuggestedCount,
        offered: bool,
        needed: bool,
        roles: Collection[str] = (),
    ):
        """area: has the check box, the panel above the table, and the columns.

        count: shows the number of discoveries.
        offered: False without targets.
        needed: True if features are selected by their p-values.
        roles: roles in the study that columns can have in this widget.
        """
        super().__init__(widget)
        self.ticked |= needed
        self._area = area
        self._panel = area.significance
        self._count = count
        self._offered = offered
        self._roles = roles
        self._shown = None  # what the columns are of
        area.p_box.setVisible(offered)
        area.p_box.setChecked(self.ticked)
        self._panel.z_box.setChecked(self.show_z)
        area.p_box.clicked.connect(self.want)
        self._panel.z_box.clicked.connect(self._z_clicked)
        self._panel.stopped.connect(lambda: self.stop(self.job()))
        self._panel.more_wanted.connect(self._more_wanted)
        self._panel.answered.connect(self._answered)

    def reset(self) -> None:
        super().reset()
        self._shown = None

    def ready(self) -> bool:
        """Return True before all other follow-ups, also if nobody looks: p-values are sent."""
        ranking = self.ranking
        is_possible = self._offered and self._is_possible(ranking.problem) and not ranking.running
        return is_possible and self._question(self.job()) is None

    def _question(self, job: Job | None) -> Proposal | None:
        """Return what the user is asked before p-values of a job are computed; None: nothing, or they are there."""
        if not self.is_due(job) or self.record(job).result is not None:
            return None
        return open_proposal(self.ranking.result, self._roles, self.refused)

    def work(self, job: Job) -> tuple:
        tested = self.record(job).result  # the user wants more, or stopped them, perhaps before the workflow was saved
        n_requested = None if tested is None else tested.n_requested
        return find_p_values, self.table, job, tested, n_requested

    def is_complete(self, result: Tested | None) -> bool:
        return result is not None and result.complete

    def n_ranked(self, result: Tested) -> int:
        return len(result.significance.q)

    def facts(self, job: Job, result: Tested | None) -> dict[str, object]:
        return {"significance": None if result is None else result.significance}

    def refresh(self) -> None:
        """Take p-values of the leading score from the workflow, or compute them."""
        ranking = self.ranking
        job, about = ranking.lead_job, ranking.result.about
        if self.wanted and job is not None and about is not None and self.stored and self.record(job).result is None:
            stored = restored_test(self.stored, about.fingerprint, job, len(ranking.problem.ranked))
            if stored is not None:
                self._kept_record(job).result = Tested(*stored)
                self.changed.emit()
        super().refresh()

    def complete(self, job: Job | None) -> object | None:
        """Significance of a job if all permutations that were asked for are there, else None."""
        tested = self.found(job)
        return tested.significance if self.is_complete(tested) else None

    def state_of(self, job: Job | None) -> PValuesState:
        """Return the state of the p-values of a job, for the decision on outputs.

        They are missing also as long as a question is open: outputs that select by them wait for its answer.
        """
        missing = self.is_due(job) and self.record(job).result is None
        return PValuesState(missing=missing and self._is_possible(self.ranking.problem), running=self.busy)

    def store(self) -> None:
        """Keep p-values, finished or stopped, in the workflow; earlier ones stay as long as there are none."""
        about = self.ranking.result.about
        tests = {job: record.result for job, record in self._records.items() if record.result is not None}
        if tests and about is not None:
            results = {job: (tested.significance, tested.n_requested) for job, tested in tests.items()}
            self.stored = packed_tests(about.fingerprint, results) or self.stored

    def progressed(self) -> None:
        """Show the progress of the first permutations; whoever wants p-values waits, however long it takes."""
        self._panel.set_progress(int(self._progress))

    def show(self, job: Job | None, result: Tested | None, box: BoxState) -> None:
        ranking = self.ranking
        lead = ranking.lead
        asked = self._offered and self.wanted and ranking.problem is not None
        possible = asked and self._is_possible(ranking.problem)
        self._show_columns(lead if possible else None)
        self._panel.setVisible(asked)
        self._count.show_significance(self.complete(job) if possible else None, ranking.level)
        if possible:
            running = job is not None and job == self._job
            title = lead.title if job is not None else ""
            has_study = job is not None and bool(job.covariates or job.group)
            question = None if running else self._question(job)
            if question is not None:
                self._panel.ask(question)
                return
            self._panel.set_state(
                result,
                ranking.level,
                running,
                title,
                box.failure,
                job is not None,
                has_study,
                is_counted=bool(self._area.conclusion.text()),
            )
        elif asked:
            self._panel.set_state(None, ranking.level, False, "", sentence(no_p_values()), False)

    def _show_columns(self, lead):
        level = self.ranking.level
        about = lead and (lead.significance, lead.title, self.show_z, level)
        if about != self._shown:
            self._shown = about
            columns = () if lead is None else measures(*about[:3], len(lead.values), level)
            self._area.model.set_tests(columns)

    def _is_possible(self, problem) -> bool:
        """True if there is a target to permute."""
        return problem is not None and problem.labelled > 0

    # What the user does ----------------------------------------------------------------------------------------------

    def want(self, wanted: bool) -> None:
        """Compute p-values, or no more."""
        self.ticked = wanted
        self._area.p_box.setChecked(wanted)
        self.ticked_changed.emit()

    def stop(self, job: Job | None) -> None:
        """Keep the permutations so far, until the user wants more."""
        if job is not None:
            self._kept_record(job).given_up = True
        if job == self._job:
            self.give_up()
        self.changed.emit()

    def _more_wanted(self):
        """Go on with permutations that were stopped, or else add more."""
        job = self.job()
        if job is None:
            return
        record = self._kept_record(job)
        if self.is_complete(record.result):
            record.result = with_more(record.result)
        record.given_up = False
        record.failure = ""
        self.changed.emit()

    def _answered(self, proposal: Proposal, is_taken: bool) -> None:
        """Give a column its role, after which all is ranked again, or never ask for it again."""
        if is_taken:
            self.proposal_taken.emit(proposal.name, proposal.role)
        else:
            self.refused = [*self.refused, [proposal.role, proposal.name]]
            self.changed.emit()

    def _z_clicked(self, wanted):
        self.show_z = wanted
        self.changed.emit()
