"""Features that tell nothing: told, and those that are constant or entirely missing hidden if the user likes."""

import numpy as np

from ...command import warming
from ...core.words import counted, cut, shown, some
from ..utils.jobs import Job
from ..utils.remembered import About
from ..utils.task import RUNNING
from .background import Afterwards
from .nulllevel import NullLevels
from .selection import FDR, FROM
from .stability import Stabilities

NAMED = 5  # features in a message


def show_numbering(widget) -> None:
    """Warn of features that are but the numbers of the rows, such as an index that came with the file."""
    from ...command.target_column import INDEX, NO_NAME, is_index

    features = [v for v in widget.problem.features if v.name.startswith(INDEX) or v.name.strip() in ("", NO_NAME)]
    columns = [(v.name, widget.problem.table.get_column(v)) for v in features if v.is_continuous]
    names = [shown(name) for name, column in columns if is_index(name, column)]
    widget.Warning.numbers_rows(some(names), shown=bool(names))


def show_useless(widget, about: About, p: int) -> None:
    """Show which of the p features can tell nothing, or hide them from the table: `widget.hide_constant`.

    What is ranked, selected and sent does not change.
    """
    useless = {*about.constant, *about.empty}
    all_of_them = len(useless) == p
    hidden = widget.hide_constant and not all_of_them and bool(useless)
    widget.Warning.no_information(shown=all_of_them)
    for message, names in (
        (widget.Information.constant, about.constant), (widget.Information.empty, about.empty)
    ):  # fmt: skip
        more = len(names) - NAMED
        text = ", ".join(map(cut, names[:NAMED])) + f" and {more:,} more" * (more > 0)
        message(text, shown=bool(names) and not all_of_them and not hidden)
    widget.Information.hidden(counted(len(useless), "feature"), shown=hidden)
    names = widget.area.model.names
    widget.area.model.hide(np.array([hidden and name in useless for name in names], bool))


class FollowUps:
    """For a ranker with `area`, `panel`, `problem`, `result`, and settings of the same names."""

    def make_follow_ups(self) -> None:
        """Comes before the areas."""
        self.nulls = NullLevels(self.null_level, self)
        self.stabilities = Stabilities(self.stability, self)
        for kind in (self.nulls, self.stabilities):
            kind.changed.connect(self._follow_up_changed)

    def connect_follow_ups(self) -> None:
        """Comes after the areas."""
        self.area.plot.null_clicked.connect(self._null_clicked)
        self.area.stability_box.clicked.connect(self._stability_clicked)
        self.area.values.opened.connect(self._values_opened)
        self.area.menu.set_hide_constant(self.hide_constant)
        self.area.menu.hide_constant_changed.connect(self._hide_constant)
        self.area.values.set_open(self.values_open)

    def reset_follow_ups(self) -> None:
        """There are new data."""
        for kind in (self.nulls, self.stabilities):
            kind.reset(self.problem and self.problem.table)
        self.area.values.set_data(self.problem and self.problem.table)

    def null_job(self, job: Job) -> Job:
        """Job that is ranked, by shuffled targets for the null level or by other rows, for a job."""
        return job

    def has_null(self) -> bool:
        """True if shuffled targets tell what the leading score means: not where there is nothing to shuffle."""
        return self.problem is None or self.problem.labelled > 0

    def has_time(self) -> bool:
        """True if nothing that matters more is under way, and somebody looks."""
        return self.run_state != RUNNING and self.isVisible()

    def followed(self, job: Job) -> dict[str, object]:
        """Facts about a job: arguments of its `Scores`."""
        job = self.null_job(job)
        return {"null": self.nulls.level(job), "chances": self.stabilities.found(job)}

    def follow_up(self) -> None:
        """Let null level and stability be those of the score that leads now, one after the other."""
        job, p = self._lead_job(), self.problem
        wanted = job if self.has_time() else None
        offered = self.has_null()
        shuffled = p is not None and offered
        self.nulls.follow(wanted if shuffled else None)
        self.stabilities.follow(wanted if self.stabilities.urgent(wanted) or not self.nulls.busy else None)
        self.area.plot.set_null_state(*self.nulls.state(job if shuffled else None), offered=offered)
        self.area.set_stability_state(*self.stabilities.state(job))

    def show_uninformative(self) -> None:
        """Tell which features are constant or missing, as soon as that is known, or hide them."""
        if self.problem is not None and self.result.about is not None:
            show_useless(self, self.result.about, len(self.problem.features))

    def top_size(self) -> int:
        """Number of best features that the chances are of: those of the selection, or the n of Best."""
        chosen = int(self.area.model.selected.sum())
        return chosen if self.mode == FROM else self.selection.best or (self.mode == FDR and chosen) or self.n_best

    def showEvent(self, event):
        super().showEvent(event)
        warming.begin()
        self.follow_up()  # it is for eyes: nobody waits for it where the widget is closed

    def onDeleteWidget(self):
        for kind in (self.nulls, self.stabilities):
            kind.shutdown()
        super().onDeleteWidget()

    def _lead_job(self):
        lead = self.area.lead if self.problem else None
        return self.null_job(self.panel.job(lead.name)) if lead and not lead.partial else None

    def _follow_up_changed(self):
        lead = self.area.lead
        if lead:
            found = self.followed(self.panel.job(lead.name))
            if any(getattr(lead, name) is not value for name, value in found.items() if name != "level"):
                self._show_scores()
        self.follow_up()

    def _null_clicked(self, wanted):
        self.null_level = wanted
        self._clicked(self.nulls, wanted)

    def _stability_clicked(self, wanted):
        self.stability = wanted
        self._clicked(self.stabilities, wanted)

    def _hide_constant(self, wanted):
        self.hide_constant = wanted
        self.show_uninformative()

    def _values_opened(self, wanted):
        self.values_open = wanted

    def _clicked(self, kind: Afterwards, wanted: bool):
        kind.ask(self._lead_job(), wanted)
        self._show_scores()
        self.follow_up()
