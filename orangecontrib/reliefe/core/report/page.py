"""The report of a ranking as one web page, without other files and without network access.

`write_report` takes arrays. `orange/ranking.py` and the command line know more of their data, and call `write_page`.
`core/pages` has the template report.html, and report.js, which sorts, filters and copies the table of features.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..checks import whole
from ..data import frames
from ..data.frames import is_frame
from ..data.table import DataTable
from ..evaluation.stability import StableSelection
from ..inference.correlated_features import alike_features
from ..inference.explanation import explain_features
from ..inference.partners import Partners
from ..pages.feature_table import TableColumn, feature_table
from ..pages.rendering import check_ending, render_page, write_text
from ..result import Ranking
from ..targets.description import describe_target, names_of_classes
from ..targets.tasks import UNSUPERVISED
from ..words import counted, item_name, some
from .charts import group_chart, quantile_plot, scores_by_rank, volcano
from .columns import RowGroups, ValueColumn, feature_columns, groups_by_target
from .direction import THE_TARGET, direction
from .network import Edge, network_chart
from .values import GroupShares, by_groups
from .wording import LEVEL, methods_paragraph, sources, stability_sentence, versions

N_VALUES = 10  # best features whose values are drawn
N_GROUPED = 100  # best features that are compared with each other for groups of correlated ones


@dataclass(frozen=True)
class ReportValues:
    """Values of the best features, for a report.

    Attributes
    ----------
    columns : sequence of ValueColumn
        Values of the features that are drawn, the best first.
    row_groups : RowGroups or None
        Groups of the rows by the target; None: no values are drawn.
    correlated : sequence of str
        For each of the p features the name of the best feature of its group of correlated ones; empty for features that
        are alone. An empty sequence: groups are not known.
    reasons : mapping of str to sequence of str
        Sentences on why features have their rank, by the names of the features.
    """

    columns: Sequence[ValueColumn] = ()
    row_groups: RowGroups | None = None
    correlated: Sequence[str] = ()
    reasons: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class ReportData:
    """Content of a report beside the ranking.

    Attributes
    ----------
    names : sequence of str
        Names of the p features, or of the groups of features that have scores.
    data : str
        Name of the data, for example of their file.
    target : str
        The target, for example "target tissue (2 classes: tumour, normal)"; empty without one.
    notes : sequence of str
        Sentences on how the data were read.
    script : str
        Lines of Python that rank again; empty: not shown.
    values : ReportValues
        Values of the best features.
    edges : sequence of Edge or None
        Interacting features, the strongest first. None: they are not known.
    stability : StableSelection or None
        How often halves of the rows select each feature; None: not shown.
    features : sequence of str
        Names of the single features, if groups of features have scores. Empty: they are numbered.
    facts : mapping of str to sequence (p,)
        Further texts or numbers of the features by the title of their column, for example ranks without adjustment.
    conclusion : str
        First sentence, the title of the page. Empty: `Ranking.conclusion`.
    pictures : sequence of (str, str)
        Titles and SVG of further charts, for example a Manhattan plot, which are as wide as the page.
    noun : str
        Word for what has scores, for example variant. Empty: feature or group.
    """

    names: Sequence[str]
    data: str = ""
    target: str = ""
    notes: Sequence[str] = ()
    script: str = ""
    values: ReportValues = ReportValues()
    edges: Sequence[Edge] | None = None
    stability: StableSelection | None = None
    features: Sequence[str] = ()
    facts: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    conclusion: str = ""
    pictures: Sequence[tuple[str, str]] = ()
    noun: str = ""


def write_report(
    ranking: Ranking,
    path: str | os.PathLike[str],
    X: object = None,
    y: object = None,
    *,
    nominal: object = None,
    data: str = "",
    n_values: int = N_VALUES,
    network: Partners | None = None,
    stability: StableSelection | None = None,
    **options: Any,
) -> None:
    """Write a report of a ranking: one web page that can be sent to a colleague.

    It opens without network access. The table of all features can be sorted, filtered and copied. Charts show scores by
    rank, p-values if the ranking has them, and values of the best features by classes or by quarters of a number. The
    reasons for their ranks stand beside them. Warnings, parameters, versions and a paragraph for the Methods section
    follow.

    Parameters
    ----------
    ranking : Ranking
        The ranking.
    path : str or PathLike
        File to write, .html or .htm; an existing file is replaced.
    X, y, nominal
        Data of the ranking as in `rank`. Without X no values and no groups of correlated features are shown.
    data : str
        Name of the data in the report.
    n_values : int
        Number of the best features whose values are drawn, from 0.
    network : Partners, optional
        Interacting features (`core.partners`).
    stability : StableSelection, optional
        How often halves of the rows select each feature (`core.evaluation.stability_selection`).
    **options
        Further arguments of `rank` for this ranking, for example covariates, for the reasons.

    Raises
    ------
    ValueError
        If the name has another ending, or X or `stability` has another number of features than the ranking.
    TypeError
        If the first argument is no ranking.
    """
    if not isinstance(ranking, Ranking):
        raise TypeError(f"ranking must be a Ranking, not {type(ranking).__name__}: call write_report(ranking, path)")
    check_ending(path)
    n_values = whole("n_values", n_values, 0)
    names = feature_names(ranking)
    if stability is not None and len(stability.frequencies) != len(names):
        raise ValueError(
            f"stability is of {counted(len(stability.frequencies), 'feature')}, but the ranking has {len(names):,}"
        )
    values = ReportValues() if X is None else report_values(ranking, X, y, nominal, n_values, **options)
    edges = None if network is None else [Edge(names[a], names[b], float(z)) for a, b, z in network.edges]
    target = _target_of(ranking, y)
    features = column_names(X) if is_frame(X) else ()
    report = ReportData(names, data, target, values=values, edges=edges, stability=stability, features=features)
    write_page(ranking, report, path)


def _target_of(ranking: Ranking, y: Any) -> str:
    """Name the target and its kind, as `describe_target` does; without y by the facts of the ranking."""
    task = ranking.info.get("task", UNSUPERVISED)
    if y is None and task != UNSUPERVISED:
        n_classes = ranking.info.get("classes")
        return f"target ({counted(n_classes, 'class', 'classes') if n_classes else task})"
    names = column_names(y) if is_frame(y) else [str(getattr(y, "name", None) or "y")]
    return describe_target(names, task, names_of_classes(y, task))


def feature_names(ranking: Ranking) -> list[str]:
    """Names of the features of a ranking, or else their numbers."""
    return [str(name) for name in ranking.names or range(len(ranking.scores))]


def report_values(
    ranking: Ranking,
    X: Any,
    y: object = None,
    nominal: object = None,
    n_values: int = N_VALUES,
    **options: Any,
) -> ReportValues:
    """Take the values of the best features, rows grouped by the target, groups of correlated features, and reasons.

    Parameters
    ----------
    ranking, X, y, nominal, n_values, **options
        As in `write_report`.

    Raises
    ------
    ValueError
        If X has another number of features than the ranking.
    """
    n, n_features = np.shape(X)
    p = ranking.n_features
    if n_features != p:
        raise ValueError(f"X has {counted(n_features, 'feature')}, but the ranking has {p:,}")
    if not ranking.ranks_groups:
        names = feature_names(ranking)
    else:
        by_number = [item_name(j) for j in range(p)]
        names = options.get("names") or (column_names(X) if is_frame(X) else by_number)
    best = ranking.features_of(ranking.noteworthy(n_values))[:n_values].tolist()
    table = DataTable.read(X, nominal, narrow=True)  # once, for a frame of many columns takes a second
    columns = feature_columns(X, table, best, names)
    task = ranking.info.get("task")
    row_groups = None if task is None else groups_by_target(y, n, task)
    if ranking.ranks_groups:  # correlation and reasons are those of single features
        return ReportValues(columns, row_groups)
    reasons: dict[str, Sequence[str]] = {}
    if options.get("sample_weight") is None:  # else scores have no parts
        values = table.values if table.packed is None else table.packed
        of_table = {"names": table.names, **options, "nominal": table.nominal}
        explanations = explain_features(ranking, best, values, y, **of_table)
        reasons = {names[explanation.feature]: explanation.sentences for explanation in explanations}
    return ReportValues(columns, row_groups, correlated_names(table, ranking, names), reasons)


def column_names(X: Any) -> list[str]:
    """Names of the columns of a frame."""
    return [*map(str, frames.names(X))]


def correlated_names(table: DataTable, ranking: Ranking, names: Sequence[str]) -> list[str]:
    """For each feature the name of the best feature of its group of correlated ones, empty for those alone.

    The best `N_GROUPED` features are compared.
    """
    compared = ranking.ranking[:N_GROUPED]
    representatives = alike_features(table, compared.tolist())
    in_group = [""] * len(names)
    for feature, representative in zip(compared.tolist(), representatives.tolist(), strict=True):
        if feature != representative:
            in_group[feature] = in_group[representative] = names[representative]
    return in_group


def write_page(ranking: Ranking, report: ReportData, path: str | os.PathLike[str]) -> None:
    """Fill the template and write the page; raises OSError of the writing."""
    write_text(page_text(ranking, report), path)


def page_text(ranking: Ranking, report: ReportData) -> str:
    """The page as text."""
    values = _value_charts(ranking, report)
    return render_page(
        "report.html",
        report.conclusion or ranking.conclusion,
        _facts(ranking, report),
        table_columns(ranking, report),
        report.noun or ranking.noun,
        [] if ranking.significance is None else _discovered(ranking)[ranking.ranking].tolist(),
        pictures=report.pictures,
        stability=stability_sentence(report.stability) if report.stability else "",
        notes=[*report.notes, *ranking.info.get("information", ())],
        warnings=[*ranking.info.get("warnings", ())],
        scores_chart=_scores_chart(ranking, report),
        test_charts=_test_charts(ranking, report),
        test_notes=() if ranking.significance is None else ranking.significance.notes,
        network=network_chart(report.edges) if report.edges else "",
        edges=report.edges,
        values=values,
        values_of=_which_values([chart["discovered"] for chart in values], ranking, report),
        adjusted_for=some([*ranking.info.get("adjusted_for", ())]),
        paragraph=methods_paragraph(ranking, report.target),
        sources=sources(ranking),
        settings={**ranking.parameters},
        script=report.script,
        versions=versions(),
    )


def _facts(ranking: Ranking, report: ReportData) -> dict[str, str]:
    """Lines at the top of the report, by their titles."""
    info = ranking.info
    facts = {"Data": report.data, "Target": report.target.removeprefix("target ") or "no target"}
    if "rows" in info:
        facts["Rows"] = f"{info['rows']:,}"
    if ranking.ranks_groups:
        facts["Features"] = f"{ranking.n_features:,}, ranked as {len(ranking.scores):,} groups"
    if info.get("missing"):
        facts["Missing values"] = f"{info['missing']:.1%}"
    facts["Method"] = ranking.title + (f" ({info['auto']})" if "auto" in info else "")
    if ranking.significance is not None:
        facts["p-values"] = f"from {counted(ranking.significance.n_shuffles, 'permuted target')}"
    return {title: text for title, text in facts.items() if text}


def table_columns(ranking: Ranking, report: ReportData) -> list[TableColumn]:
    """Columns of the table of features, the best first: those of a notebook, and what only a report knows."""
    further: dict[str, Sequence[Any] | np.ndarray] = {**report.facts, **ranking.test_columns}
    if ranking.ranks_groups:
        further = {"features": [some(names) for names in ranking.member_names(report.features)], **further}
    if report.stability is not None:
        further["selected"] = report.stability.frequencies
    if any(report.values.correlated):
        further["correlated with"] = report.values.correlated
    return feature_table(report.names, ranking.scores, ranking.ranking, further, report.noun or ranking.noun)


def _discovered(ranking: Ranking) -> np.ndarray:
    """Mask (p,) of the features that are discovered at `LEVEL`; none without p-values."""
    if ranking.significance is None:
        return np.zeros(len(ranking.scores), bool)
    return ranking.significance.q <= LEVEL


def _scores_chart(ranking: Ranking, report: ReportData) -> str:
    order = ranking.ranking
    return scores_by_rank(ranking.scores[order], _discovered(ranking)[order], [report.names[j] for j in order])


def _test_charts(ranking: Ranking, report: ReportData) -> list[tuple[str, str]]:
    """Title and picture of the charts of p-values; none without p-values."""
    tested = ranking.significance
    if tested is None:
        return []
    order = ranking.ranking
    p_values = tested.p[order]
    discovered = _discovered(ranking)[order]
    names = [report.names[j] for j in order]
    return [
        ("Scores and p-values", volcano(ranking.scores[order], p_values, discovered, names)),
        ("p-values against chance", quantile_plot(p_values, discovered, names)),
    ]


def _which_values(discovered: Sequence[bool], ranking: Ranking, report: ReportData) -> str:
    """Title of the charts of values, by which of them are of discoveries: "discoveries", "best variants" ..."""
    best = f"best {report.noun or 'feature'}s"
    if ranking.significance is None or not any(discovered):
        return best
    return "discoveries" if all(discovered) else f"discoveries, and of the next {best}"


def _value_charts(ranking: Ranking, report: ReportData) -> list[dict[str, Any]]:
    """Rank, name, picture, legend and direction of the values of noteworthy features; none without groups of rows."""
    if report.values.row_groups is None:
        return []
    rank_of = {report.names[j]: position for position, j in enumerate(ranking.ranking.tolist(), start=1)}
    discovered_names = {report.names[j] for j in np.flatnonzero(_discovered(ranking)).tolist()}
    (target, *_) = ranking.info.get("target") or [THE_TARGET]
    charts = []
    for column in report.values.columns:
        summary = by_groups(column, report.values.row_groups)
        legend = summary.categories if isinstance(summary, GroupShares) else ()
        reasons = report.values.reasons.get(column.name, ())
        charts.append(
            {
                "name": column.name,
                "rank": rank_of.get(column.name),  # None for a feature in a group, which has the rank
                "discovered": column.name in discovered_names,
                "picture": group_chart(summary),
                "legend": legend,
                "direction": direction(column, report.values.row_groups, target),
                "reasons": reasons,
            }
        )
    return charts
