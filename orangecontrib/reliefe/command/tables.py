"""Tables of Orange on the command line: ``orange-reliefe rank heart_disease``.

`data_of` chooses `OrangeData` for all tables if Orange is installed.
"""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..core import Description
from ..core.description import with_codes
from ..core.targets.tasks import CLASSIFICATION
from ..orange.api import rank
from ..orange.conversion import arrays, asked
from ..orange.description import describe
from ..orange.ranking import TableRanking
from ..tabular import ReadingOptions
from . import results
from .data import CommandData, TableArrays
from .feature_groups import ATTRIBUTE_RULE, IMPORT, read_feature_groups
from .listing import TABLE, Listing, script
from .loading import Source, file_of, read_source
from .named_columns import note_on_codes
from .reading_options import given_reading
from .target_column import Problem, problem
from .terminal import with_options

TESTS = ("significance", "conditional")  # options of `rank` that test features


class OrangeData(CommandData):
    """A file that Orange reads, or one of its data sets.

    Attributes
    ----------
    source : Source
        From `read_source`.
    named : list of str
        Names of covariates and groups, from `assign_roles`.
    problem : Problem
        The table and its target, from `assign_roles`.
    rank_options : dict
        Arguments of `rank` but for tests, from `rank`.
    """

    source: Source
    named: list[str]
    problem: Problem
    rank_options: dict[str, Any]

    @property
    def file(self) -> str:
        """Override CommandData.file."""
        return file_of(self.arguments.data)

    def output_endings(self) -> Sequence[str]:
        """Override CommandData.output_endings: those of Orange, too."""
        return results.output_endings()

    def read_source(self) -> None:
        """Override CommandData.read_source."""
        arguments = self.arguments
        self.source = read_source(arguments.data, arguments.trust, ReadingOptions(**given_reading(arguments)))

    def assign_roles(self) -> None:
        """Override CommandData.assign_roles."""
        arguments = self.arguments
        self.named = [*arguments.covariate, *([arguments.group] if arguments.group else [])]
        self.problem = problem(self.source, arguments.target, arguments.task, self.method, self.parameters, self.named)
        self.notes = self.problem.notes

    @property
    def study(self) -> dict[str, Any]:
        """Arguments of `rank` on rows and times."""
        return {
            "covariates": self.arguments.covariate or None,
            "groups": self.arguments.group,
            "event_value": getattr(self.arguments, "event_value", None),
        }

    def _rank_options(self, run_options: Mapping[str, Any]) -> dict[str, Any]:
        """Return all arguments of `rank` but for tests and covariates."""
        groups = self._feature_groups() if self.arguments.feature_groups else None
        options = self.options()
        options = {name: value for name, value in options.items() if name not in TESTS}
        return {"target": self.problem.target, **options, "feature_groups": groups, **self.study, **run_options}

    def rank(self, run_options: Mapping[str, Any]) -> TableRanking:
        """Override CommandData.rank."""
        self.rank_options = self._rank_options(run_options)
        tests = {name: value for name, value in self.options().items() if name in TESTS}
        return rank(self.problem.table, self.method, **self.rank_options, **tests, **self.parameters)

    def rank_unadjusted(self, ranking: Any, run_options: Mapping[str, Any]) -> TableRanking:
        """Override CommandData.rank_unadjusted: columns of the study are still no features."""
        table = results.with_metas(self.problem.table, self.named)
        return rank(table, ranking.method, **{**self.rank_options, "covariates": None}, **self.parameters)

    def listing(self, ranking: Any, further_columns: dict[str, list[int]]) -> Listing:
        """Override CommandData.listing."""
        self.notes.extend(map(with_options, ranking.info["information"]))
        return results.listing(ranking, self.notes, further_columns, **self.study)

    def save(self, listing: Listing, path: str) -> None:
        """Override CommandData.save: formats of Orange, too."""
        ranking: Any = listing.ranking
        results.save(ranking, path, self.notes, listing.facts)

    def _feature_groups(self) -> str | dict[str, list[str]]:
        """Return the groups of features of --feature-groups, or the attribute that names them."""
        output = self.arguments.output
        if output and output.lower().endswith(".fimp"):
            raise ValueError(results.NO_GROUPS)
        option: str = self.arguments.feature_groups
        if option.startswith(ATTRIBUTE_RULE):
            return option.removeprefix(ATTRIBUTE_RULE)
        columns = [variable.name for variable in self.problem.table.domain.attributes]
        return read_feature_groups(option, columns, [*(self.problem.target or ()), *self.named], self.notes)

    def script(self, ranking: Any) -> str:
        """Override CommandData.script: `read_table` reads texts as this command does."""
        arguments = self.arguments
        imports = TABLE
        data = f"table = Table({arguments.data!r})"
        if os.path.exists(arguments.data):
            chosen = {key: value for key in ("target", "trust") if (value := getattr(arguments, key))}
            reading = "".join(f", {key}={value!r}" for key, value in (chosen | given_reading(arguments)).items())
            imports = "from orangecontrib.reliefe import rank, read_table"
            data = f"table = read_table({arguments.data!r}{reading})"
        options = {"target": self.problem.target, **self.study, **self.options(), "keep": arguments.keep}
        more = ""
        feature_groups = arguments.feature_groups or ""
        if feature_groups.startswith(ATTRIBUTE_RULE):
            options["feature_groups"] = feature_groups.removeprefix(ATTRIBUTE_RULE)
        elif feature_groups:
            imports += f"\n{IMPORT}"
            names = f"[v.name for v in table.domain.attributes], {[*(self.problem.target or ()), *self.named]!r}"
            more = f", feature_groups=read_feature_groups({feature_groups!r}, {names})"
        return script(ranking, data, self.best_expression, imports=imports, more=more, **options)

    def arrays(self) -> TableArrays:
        """Return the table as arguments of the core, and add notes on its targets."""
        study = {name: value for name, value in self.study.items() if name != "event_value"}
        table = self.problem.table
        read = arrays(table, self.problem.target, self.arguments.task, self.method, **study, **self.parameters)
        self.notes.extend(read.notes)
        classes: list[str] = []
        if len(read.targets) == 1 and read.targets[0].is_discrete and read.task == CLASSIFICATION:
            codes = np.unique(np.asarray(read.y, float))
            classes = [read.targets[0].str_val(code) for code in codes[~np.isnan(codes)]]
        targets = [variable.name for variable in read.targets]
        return TableArrays(table.name, read.X, read.y, asked(read), targets, classes)

    def describe(self) -> Description:
        """Override CommandData.describe: take a first look at the table."""
        codes = self.problem.codes
        description = describe(self.problem.table, self.problem.target, task=self.arguments.task, **self.study)
        if codes:
            self.notes.remove(note_on_codes(codes))  # which is a finding
        return with_codes(description, codes)
