"""Rankings of the features of an Orange Table.

`api.rank`, `api.refine` and the jobs of widgets make a `TableRanking` of a ranking of arrays by `on_table`.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from Orange.data import Domain, FileFormat, Table, Variable

from .. import core
from ..core.checks import whole
from ..core.evaluation.stability import StableSelection
from ..core.files import replacing
from ..core.inference.explanation import explain_features
from ..core.info import merge_info
from ..core.methods.studied_rows import STUDY_OPTIONS
from ..core.notes import info_on_study
from ..core.pages.rendering import check_ending, write_text
from ..core.report.columns import groups_by_target
from ..core.report.network import Edge
from ..core.report.page import N_GROUPED, N_VALUES, ReportData, ReportValues, page_text
from ..core.targets.description import describe_target
from ..core.targets.tasks import SURVIVAL
from ..core.words import shown
from ..core.work.threads import Progress
from .conversion import CLASSIFICATION, Arrays, Target, arrays, asked, indices_of, times_of
from .report_values import row_groups, value_columns
from .scores_table import scores_table

MAX_COMPARED = 10  # features that are compared, for each requested group


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class TableRanking(core.Ranking):
    """A ranking of the features of a table: the `Ranking` of the core, with the variables of the table.

    If `rank` had `feature_groups`, scores and names are those of groups, and numbers of features are numbers of groups.

    Attributes
    ----------
    table : Table
        The ranked table.
    features : tuple of Variable
        Its p features.
    targets : tuple of Variable
        Targets; empty without a target.
    labels : tuple of str
        Names of the targets that `per_target` has scores for.
    study : mapping of str to object
        Arguments covariates, groups, event_value, linear_covariates and parts of `rank`, as they were given; empty if
        they are not known.
    """

    table: Table
    features: tuple[Variable, ...]
    targets: tuple[Variable, ...]
    labels: tuple[str, ...]
    study: Mapping[str, Any] = field(default_factory=dict)

    def best(self, n: int, groups: bool = False) -> tuple[Variable, ...]:
        """Return the best features, the best first.

        Parameters
        ----------
        n : int
            Number of features, with those that are always selected; all if there are fewer.
        groups : bool
            Whether to return the best feature of each of the best n groups of correlated features instead. Features
            that the method `groups` does not compare are groups of one.

        Returns
        -------
        tuple of Variable
            The features.
        """
        if not groups:
            return tuple(self.features[j] for j in self.features_of(self.best_items(n)))
        n = whole("n", n, 0)
        names = self.groups(max(n, N_GROUPED))
        first_of_groups = [j for j in self.ranking if names[j] in ("", self.features[j].name)]
        selected = self.with_kept(np.array(first_of_groups, np.intp), n)
        return tuple(self.features[j] for j in selected)

    def select(self, n: int) -> Table:
        """Return the table with the features of `best(n)` only; class variables, metas and the target stay.

        Parameters
        ----------
        n : int
            Number of features.

        Returns
        -------
        Table
            The table.
        """
        domain = self.table.domain
        targets = set(self.targets)
        target_attributes = tuple(v for v in domain.attributes if v in targets)
        return self.table.transform(Domain(self.best(n) + target_attributes, domain.class_vars, domain.metas))

    @property
    def target_labels(self) -> Sequence[str]:
        """Overrides `Ranking.target_labels`: names of the columns or labels that `per_target` has scores for."""
        return self.labels

    def save(self, path: str | os.PathLike[str], n: int | None = None) -> None:
        """Write the best features to a file.

        Parameters
        ----------
        path : str or PathLike
            File to write. The ending is one of those of `Ranking.save`, or of a format of Orange, for example .tab or
            .xlsx, for the table of scores.
        n : int, optional
            Number of features, as in `select`. None: all.

        Raises
        ------
        ValueError
            If the path has another ending.
        """
        name = os.fspath(path)
        ending = os.path.splitext(name)[1].lower()
        if ending in self.endings or ending not in FileFormat.writers:
            super().save(name, n)
            return
        items = [*self._ranks_of_best(n)]
        with replacing(name) as new:
            self.to_table()[items].save(new)

    def groups(self, n: int = N_GROUPED) -> tuple[str, ...]:
        """Group correlated features.

        Features are compared from the best on by `core.alike_features`, n at a time, until there are n groups. At most
        10 n features are compared.

        Parameters
        ----------
        n : int
            Number of groups.

        Returns
        -------
        tuple of str
            Name of the best feature of the group of each feature; empty for features that are not in a group.

        Raises
        ------
        ValueError
            If the scores are those of groups of features already.
        """
        n = whole("n", n, 1)
        if self.ranks_groups:
            raise ValueError("groups of correlated features are of single features: rank without feature_groups")
        names = [""] * len(self.features)
        order = self.ranking[: MAX_COMPARED * n].tolist()
        first_of_groups: list[int] = []  # indices of features
        for start in range(0, len(order), n):
            compared = [*first_of_groups, *order[start : start + n]]
            features = [self.features[j] for j in compared]
            X = np.column_stack([self.table.get_column(feature).astype(float) for feature in features])
            first = core.alike_features(X, range(len(features)), [feature.is_discrete for feature in features])
            for k, first_of_group in enumerate(first):
                if k != first_of_group:
                    name = features[first_of_group].name
                    names[compared[k]] = name
                    names[compared[first_of_group]] = name
            first_of_groups = [compared[k] for k in np.unique(first)]
            if len(first_of_groups) >= n:
                break
        return tuple(names)

    def member_names(self, features: Sequence[str] = ()) -> list[list[str]]:
        """Name the features of each group as `core.Ranking` does; without names by those of the variables."""
        return super().member_names(features or [variable.name for variable in self.features])

    def explain(  # type: ignore[override]
        self,
        feature: Variable | str,
        *,
        others: Sequence[str | core.Ranking] = (),
        covariates: Target = None,
        groups: Variable | str | None = None,
        event_value: object = None,
        linear_covariates: object = None,
        parts: str | None = None,
        n_jobs: int | None = None,
        progress: Progress = None,
    ) -> core.Explanation:
        """Explain why a feature has its rank, as the function `explain` does.

        Parameters
        ----------
        feature : Variable or str
            One of the features.
        others, covariates, groups, event_value, linear_covariates, parts, n_jobs, progress
            As of the function `explain`.

        Returns
        -------
        Explanation
            Its `sentences` are a report.

        Raises
        ------
        ValueError, TypeError
            As of the function `explain`.
        """
        if not isinstance(feature, Variable | str):
            raise TypeError(f"feature must be a variable or its name, not {shown(feature)}")
        study = {
            "covariates": covariates,
            "groups": groups,
            "event_value": event_value,
            "linear_covariates": linear_covariates,
            "parts": parts,
        }
        (explanation,) = self._explain_features([feature], others, study, n_jobs, progress)
        return explanation

    def explain_best(self, n: int, *, progress: Progress = None, **study: Any) -> list[core.Explanation]:
        """Explain the ranks of the features that a report describes.

        Parameters
        ----------
        n : int
            Number of features.
        progress : callable, optional
            Gets the share of the work that is done, from 0 to 1.
        **study
            Arguments `covariates`, `groups`, `event_value`, `linear_covariates` and `parts` of `explain`.

        Returns
        -------
        list of Explanation
            Those of `noteworthy`. Empty for scores of groups of features and for weights of rows: these have no parts.
        """
        if self.ranks_groups or self.table.has_weights():
            return []
        best = [self.features[j] for j in self.noteworthy(n)]
        return self._explain_features(best, (), study, None, progress)

    def _explain_features(
        self,
        features: Sequence[Variable | str],
        others: Sequence[str | core.Ranking],
        study: Mapping[str, Any],
        n_jobs: int | None,
        progress: Progress,
    ) -> list[core.Explanation]:
        """Explain the ranks of features; entries of `study` that are not None go before those of this ranking."""
        targets = list(self.targets)
        task = self.info.get("task") if targets else None
        options = {**self.study, **{name: value for name, value in study.items() if value is not None}}
        data = arrays(self.table, targets or None, task, self.method, **options)
        indices = indices_of(data, features)
        asked_of_core = asked(data) | {name: options[name] for name in STUDY_OPTIONS if name in options}
        return explain_features(
            self, indices, data.X, data.y, others=others, n_jobs=n_jobs, progress=progress, **asked_of_core
        )

    def report(  # type: ignore[override]
        self,
        path: str,
        *,
        script: str = "",
        network: core.Partners | None = None,
        explanations: Sequence[core.Explanation] | None = None,
        stability: StableSelection | None = None,
        facts: Mapping[str, Sequence[Any]] | None = None,
    ) -> None:
        """Write a report: one web page, without network access, that can be sent to a colleague.

        Parameters
        ----------
        path : str
            File to write, .html or .htm; an existing file is replaced.
        script, network, stability, facts
            As in `report_page`.
        explanations : sequence of Explanation, optional
            Reasons for ranks (`explain`), which stand beside the values. None: those of the ten best features.

        Raises
        ------
        ValueError
            If the name has another ending.
        """
        check_ending(path)
        if explanations is None:
            explanations = self.explain_best(N_VALUES)
        page = self.report_page(
            script=script, network=network, explanations=explanations, stability=stability, facts=facts
        )
        write_text(page, path)

    def report_page(
        self,
        *,
        script: str = "",
        network: core.Partners | None = None,
        explanations: Sequence[core.Explanation] = (),
        stability: StableSelection | None = None,
        facts: Mapping[str, Sequence[Any]] | None = None,
        conclusion: str = "",
    ) -> str:
        """Return the report as the text of a web page.

        Parameters
        ----------
        script : str
            Lines of Python that rank again; empty: the page has none.
        network : Partners, optional
            Interacting features, whose indices are those of the features of this ranking.
        explanations : sequence of Explanation
            Reasons for the ranks of some features (`explain`), which stand beside their values.
        stability : StableSelection, optional
            How often halves of the rows select each feature (`core.evaluation.stability_selection`).
        facts : mapping of str to sequence (p,), optional
            Texts or numbers of the features by the title of their column, for example ranks without adjustment.
        conclusion : str
            Title of the page. Empty: that of this ranking.
        """
        features = [feature.name for feature in self.features]
        targets = [variable.name for variable in self.targets]
        report = ReportData(
            names=self.names or features,
            data=self.table.name if self.table.name != "untitled" else "",
            target=describe_target(targets, self.info["task"], self._class_names()),
            script=script,
            values=self.report_values(explanations),
            edges=None if network is None else [Edge(features[a], features[b], float(z)) for a, b, z in network.edges],
            stability=stability,
            features=features,
            facts=facts or {},
            conclusion=conclusion,
        )
        return page_text(self, report)

    def report_values(self, explanations: Sequence[core.Explanation] = ()) -> ReportValues:
        """Return values of the best features, groups of correlated ones, and these reasons, for a report."""
        columns = value_columns(
            self.table, [self.features[j] for j in self.features_of(self.noteworthy(N_VALUES))[:N_VALUES]]
        )
        if self.info["task"] == SURVIVAL:
            times = times_of(self.table, self.targets, self.study.get("event_value"))
            rows = groups_by_target(times, len(self.table), SURVIVAL)
        else:
            rows = row_groups(self.table, self.targets, self.info["task"])
        correlated = () if self.ranks_groups else self.groups(N_GROUPED)
        reasons = {explanation.name: explanation.sentences for explanation in explanations}
        return ReportValues(columns, rows, correlated, reasons)

    def _class_names(self) -> Sequence[str]:
        """Names of the classes of a single target; none for other targets."""
        is_classes = len(self.targets) == 1 and self.targets[0].is_discrete
        return tuple(self.targets[0].values) if is_classes else ()

    def to_table(self, facts: Mapping[str, Sequence[float]] | None = None) -> Table:
        """Return a table with a row for each feature: its name and scores, and z, p and q if the ranking has them.

        Parameters
        ----------
        facts : mapping of str to sequence (p,), optional
            Further numbers by title, for example ranks without adjustment, as metas.

        Returns
        -------
        Table
            The table.
        """
        title = self.title
        columns = {title: self.scores}
        if self.per_target is not None:
            for label, scores in zip(self.labels, self.per_target, strict=True):
                columns[f"{title} ({label})"] = scores
        tests = {} if self.significance is None else self.significance.columns
        texts = {} if self.significance is None else self.significance.text_columns
        numbers_of_facts = {title: np.asarray(numbers, float) for title, numbers in (facts or {}).items()}
        names = self.names or [feature.name for feature in self.features]
        return scores_table(names, columns, numbers_of_facts | tests, texts)


def _class_names(ranking: core.Ranking, data: Arrays) -> list[str]:
    """Names of the classes of a ranking by their codes; none for other targets, and for texts, which have them."""
    if ranking.info["task"] != CLASSIFICATION or not data.targets[0].is_discrete:
        return []
    return [data.targets[0].values[int(code)] for code in ranking.info["class_names"]]


def on_table(ranking: core.Ranking, table: Table, data: Arrays, study: Mapping[str, Any] | None = None) -> TableRanking:
    """Convert a ranking of arrays to one of the table that they are of; study: see `TableRanking`."""
    ranking = ranking.with_target([variable.name for variable in data.targets], _class_names(ranking, data))
    content = {field.name: getattr(ranking, field.name) for field in fields(ranking)}
    if "members" not in ranking.info:
        content["names"] = tuple(feature.name for feature in data.features)
    content["targets"] = data.targets
    of_table = merge_info({"information": [*data.notes]}, info_on_study(data.proposals))
    content["info"] = merge_info(of_table, ranking.info)
    labels = data.labels or tuple(target.name for target in data.targets)
    return TableRanking(**content, table=table, features=data.features, labels=labels, study=study or {})
