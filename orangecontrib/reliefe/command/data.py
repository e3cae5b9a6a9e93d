"""Steps of the command `rank` for data of any form: read them, rank their features, and list these.

`cli` calls `rank_data` with data that `data_of` chose. `describe`, `best-of` and `power` read the same data. Each form
is a subclass: in `genotypes`, `arrays`, `tables` (with Orange) and `frames` (without it).
"""

# Nothing heavy is imported up here: --help should answer at once.
import argparse
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from .endings import REPORTS, STDIN, STDIN_FILE
from .terminal import N_SHOWN, check_outputs, check_path, shown_progress, tested_features

if TYPE_CHECKING:
    from ..core import Ranking
    from .listing import Listing

OUTPUTS = (".csv", ".tsv", ".json")  # files of scores that need nothing else
PLOTS = (".svg",)


class TableArrays(NamedTuple):
    """A table whose columns have roles, for ``rank(table.X, table.y, method, **table.options)``.

    Attributes
    ----------
    name : str
        Name of the table.
    X : (n, p) float array
        Features: numbers, or codes of categories; NaN is missing.
    y : array, DataFrame, Survival or None
        Targets.
    options : dict
        Arguments of `core.rank`: names, nominal and task, and covariates and groups if there are any.
    targets : list of str
        Names of the targets.
    classes : list of str
        Names of the classes that occur in a single target of classes.
    codes : tuple of str
        Names of numbers that may be codes, as postal codes, on which the notes have `note_on_codes`.
    """

    name: str
    X: Any
    y: Any
    options: dict[str, Any]
    targets: list[str]
    classes: list[str]
    codes: tuple[str, ...] = ()


class CommandData(ABC):
    """Data of a command, in one form.

    Hooks, in the order of `rank_data`: check, read_source, assign_roles, rank, rank_unadjusted, listing, write, script.
    `describe` is for the command describe, which calls `assign_roles` again if there is no target.

    Attributes
    ----------
    arguments : Namespace
        Arguments of the command.
    method : str
        Name of the method, on which it may depend whether a target is needed.
    parameters : mapping
        Parameters of the method.
    notes : list of str
        Sentences on how the data were read.
    """

    plots: ClassVar[Sequence[str]] = PLOTS  # endings of files of charts

    def __init__(
        self, arguments: argparse.Namespace, method: str = "auto", parameters: Mapping[str, Any] | None = None
    ):
        self.arguments = arguments
        self.method = method
        self.parameters = dict(parameters or {})
        self.notes: list[str] = []

    @property
    def file(self) -> str:
        """Name of the file of the data, which no output may replace."""
        return STDIN_FILE if self.arguments.data == STDIN else str(self.arguments.data)

    @property
    def is_adjusted(self) -> bool:
        """True if scores are adjusted, so that ranks without adjustment are shown, too."""
        return bool(self.arguments.covariate)

    @property
    def best_expression(self) -> str:
        """Expression of a script for the features that are printed."""
        return f"ranking.best({self.arguments.top or N_SHOWN})"

    def output_endings(self) -> Sequence[str]:
        """Return the endings of files of scores."""
        return OUTPUTS

    def check(self) -> None:  # noqa: B027  # most forms have nothing to check
        """Raise ValueError for options of the command that do not apply to this form."""

    def read(self) -> None:
        """Read the data and assign their columns roles; raises ValueError where they cannot be read."""
        self.read_source()
        self.assign_roles()

    @abstractmethod
    def read_source(self) -> None:
        """Read the file, or the standard input, which can be read only once."""

    @abstractmethod
    def assign_roles(self) -> None:
        """Find the target and the columns of the study in what was read; the task may be changed before a second call.

        Raises
        ------
        NoTarget
            If there is no target, and the task needs one.
        ValueError
            If there are no such columns.
        """

    @abstractmethod
    def describe(self) -> Any:
        """Take a first look at the data: a `Description`, or of genotypes a `GenotypeDescription`."""

    @abstractmethod
    def rank(self, run_options: Mapping[str, Any]) -> "Ranking":
        """Rank the data as the command asks; run_options: its arguments n_jobs and progress."""

    @abstractmethod
    def rank_unadjusted(self, ranking: "Ranking", run_options: Mapping[str, Any]) -> "Ranking":
        """Rank again by the same method, without covariates and p-values."""

    @abstractmethod
    def listing(self, ranking: "Ranking", further_columns: dict[str, list[int]]) -> "Listing":
        """Make the listing; further_columns: columns (p,) beside the scores, by their titles."""

    @abstractmethod
    def script(self, ranking: "Ranking") -> str:
        """Write lines of Python that compute the ranking."""

    def write(self, listing: "Listing") -> None:
        """Write the scores and the chart that the user asks for."""
        if self.arguments.output:
            self.save(listing, self.arguments.output)
        if self.arguments.plot:
            listing.plot(self.arguments.plot, self.arguments.top or N_SHOWN)

    def save(self, listing: "Listing", path: str) -> None:
        """Write all scores to a file."""
        listing.save(path)

    def options(self) -> dict[str, Any]:
        """Return the arguments of `rank` that all forms have."""
        return {
            "keep": self.arguments.keep or None,
            "task": self.arguments.task,
            "random_state": self.arguments.seed,
            "significance": self.arguments.significance,
            "conditional": tested_features(self.arguments),
        }


def rank_data(data: CommandData) -> None:
    """Read and rank data, write the files that the user asks for, and print the best features.

    Raises
    ------
    ValueError, TypeError
        As of `rank`, for options that do not apply, and for files that cannot be read or written.
    """
    arguments = data.arguments
    # Files that cannot be written are known before the work
    check_path(arguments.output, data.output_endings())
    check_path(arguments.plot, data.plots)
    check_path(arguments.report, REPORTS)
    check_outputs(arguments, data.file)
    if arguments.script and arguments.data == STDIN:
        raise ValueError("--script names the file of the data: save the standard input in a file first")
    data.check()
    from .adjustment import unadjusted_ranks

    data.read()
    with shown_progress(arguments.quiet) as progress:
        run_options = {"n_jobs": arguments.jobs, "progress": progress}
        ranking = data.rank(run_options)
        further_columns = unadjusted_ranks(
            ranking, data.is_adjusted, lambda: data.rank_unadjusted(ranking, run_options), data.notes
        )
    listing = data.listing(ranking, further_columns)
    data.write(listing)
    listing.show(arguments, lambda: data.script(listing.ranking))
