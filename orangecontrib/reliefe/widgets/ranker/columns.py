"""Columns of scores of a ranker, and the texts about them: what is ranked, and what was ranked."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...core.words import counted, percent, some
from ...orange.jobs.job import Job, embeds
from ...orange.jobs.result import Result
from ...orange.problem import TableProblem
from ...orange.ranker.agreement import describe_agreement
from ...orange.ranker.listed_methods import SHORT, method_tooltip
from ...orange.ranker.scores import MethodScores
from ..utils.colors import hues_of
from .methodpanel import MethodPanel

UNADJUSTED = "scores are not adjusted for covariates, p-values are"
OUTSIDE = "scores and p-values ignore covariates and groups"


class ShownColumns(NamedTuple):
    """Columns of scores, in the order of the list of methods.

    ranked: of the methods that are ticked, fit, and have a ranking.
    waiting: empty ones, of methods that embed the rows first, and have nothing to show before.
    """

    ranked: list[MethodScores]
    waiting: list[MethodScores]


def columns(
    panel: MethodPanel, result: Result, facts: Mapping[Job, dict], stopped: bool, n_features: int
) -> ShownColumns:
    """Return the columns of a table of rankings.

    facts: further arguments of the `MethodScores` of each job that has a ranking.
    stopped: True if titles of unfinished rankings show how far they came.
    """
    shown = ShownColumns([], [])
    active = panel.active()
    hues = hues_of(list(panel.offered), active)
    for method in panel.offered.values():
        if method.name not in active:
            continue
        job = panel.job(method.name)
        ranking = result.rankings.get(job)
        if ranking is not None:
            shown.ranked.append(_column(method, job, ranking, hues[method.name], stopped, facts[job]))
        elif embeds(job) and job not in result.failures:
            shown.waiting.append(_waiting_column(method, hues[method.name], n_features))
    return shown


def _column(method, job: Job, ranking, number: int, stopped: bool, facts: dict) -> MethodScores:
    """Column of a ranking; number: of the hue."""
    info = ranking.info
    partial = not info["final"]
    errors = info.get("standard_errors")
    removed = info.get("removed_in")
    return MethodScores(
        method.name,
        ranking.scores,
        f"{method.title} ({part_of(job, info)})" if stopped and partial else method.title,
        number,
        method_tooltip(method, brief=True),
        partial,
        each=() if ranking.per_target is None else tuple(zip(ranking.labels, ranking.per_target, strict=True)),
        errors=None if errors is None else np.array(errors),
        stop=info.get("stopped"),
        short=SHORT.get(method.name, "") if job.is_of_core else method.short,
        removed=None if removed is None else np.array(removed),
        best_k=info.get("best_k"),
        has_groups=ranking.ranks_groups,
        **facts,
    )


def _waiting_column(method, number: int, n_features: int) -> MethodScores:
    """Empty column; number: of the hue."""
    tip = f"{method_tooltip(method, brief=True)}<br>Other scores do not wait for it"
    title = f"{method.title}: embedding"
    empty = np.full(n_features, np.nan)
    return MethodScores(method.name, empty, title, number, tip, partial=True, waiting=True)


def with_preview(columns: Sequence[MethodScores], leading: int, values: np.ndarray) -> list[MethodScores]:
    """Columns with other values (p,) of the leading score, of which nothing else is known."""
    lead = columns[leading]
    about = {"each": lead.each, "short": lead.short}
    preview = MethodScores(lead.name, values, lead.title, lead.number, lead.tooltip, partial=True, **about)
    return [*columns[:leading], preview, *columns[leading + 1 :]]


def part_of(job: Job, info: Mapping[str, object]) -> str:
    """Part of the work that an unfinished ranking is of: "1,024 of 6,697 rows"."""
    if "trees" in info:
        trees, asked = info["trees"], job.values["n_trees"]
        return f"{trees:,} of {counted(asked, 'tree')}" if isinstance(asked, int) else counted(trees, "tree")
    if "planned" in info:
        done, planned = info["passes"], info["planned"]
        return f"{done:,} of {counted(planned, *(('subset',) if 'subset_size' in info else ('pass', 'passes')))}"
    if "n_iter" in info:
        return counted(info["n_iter"], "iteration")
    return f"{info['instances']:,} of {counted(info['rows'], 'row')}"


def curve(result: Result, job: Job) -> tuple[Sequence[Sequence[float]], list[str]]:
    """Points and texts of a sparkline: convergence, or how steady the weights of a learned space are."""
    rounds = result.rankings[job].info.get("rounds")
    if not rounds:
        return result.curves[job], []
    points = [[number, 1 - facts["change"] / 2] for number, facts in enumerate(rounds, 1)]
    lines = [
        f"Round {number}: {percent(share)} of the weight stays, "
        f"{percent(facts['overlap'])} of the {facts['compared']} best"
        for (number, share), facts in zip(points, rounds, strict=True)
    ]
    return points, ["How steady the learned weights are", *lines]


def announce(problem: TableProblem, panel: MethodPanel) -> str:
    """Say what is ranked, the leading method first: "Ranking 20,000 features of 2,000 rows by MultiSURF, ReliefF"."""
    names = panel.active()
    first = panel.first(names)
    titles = ", ".join(panel.offered[name].title for name in sorted(names, key=lambda name: name != first))
    return f"Ranking {counted(len(problem.ranked), 'feature')} of {counted(len(problem.table), 'row')} by {titles}"


class Summary(NamedTuple):
    """Rankings in words, for the line below the table.

    line: where methods agree, and a part about each method, the leading one first; empty without a ranking.
    tooltip: the same in lines, in the order of the list of methods.
    infos: facts of each ranking by the method's title, with what the study adds to its warnings.
    """

    line: str
    tooltip: str
    infos: dict[str, Mapping[str, object]]


def summarize(
    shown: Sequence[MethodScores], lead: MethodScores | None, panel: MethodPanel, result: Result, stopped: bool
) -> Summary:
    """Summarize the rankings whose scores are shown; stopped: True if those that are not finished stay as they are."""
    lines: dict[str, str] = {}
    infos = {}
    for scores in shown:
        info = result.rankings[panel.job(scores.name)].info
        early = "stopped early; " if stopped and scores.partial else ""
        job = panel.job(scores.name)
        adjusted = f", adjusted for {some(job.covariates)}" if job.adjusted else ""
        lines[scores.name] = f"{scores.title}: {early}{info['summary']}{compile_text(info)}{adjusted}"
        unfit = [UNADJUSTED] * (bool(job.covariates) and not job.adjusted)
        unfit += [OUTSIDE] * (not job.is_of_core and any(panel.study))
        infos[scores.title] = info | {"warnings": [*info.get("warnings", ()), *unfit]}
    agreement = describe_agreement(shown)
    leading_first = [lines[name] for name in sorted(lines, key=lambda name: name != lead.name)]
    return Summary(
        line=" · ".join(filter(None, [agreement, *leading_first])),
        tooltip="\n".join(filter(None, [agreement, *lines.values()])),
        infos=infos,
    )


def compile_text(info: Mapping[str, object]) -> str:
    """Time of compilation behind the time of a ranking: " (first time: + 7 s)"; empty where nothing was compiled."""
    seconds = info.get("compile_seconds")
    return "" if seconds is None else f" (first time: + {seconds:.0f} s)"


def unfinished(shown: Sequence[MethodScores], panel: MethodPanel, infos: Mapping[str, Mapping[str, object]]) -> str:
    """Titles of the rankings that are not finished, and the part of the work that they are of; infos: by title."""
    partial = [scores for scores in shown if scores.partial]
    parts = [(panel.offered[s.name].title, part_of(panel.job(s.name), infos[s.title])) for s in partial]
    return ", ".join(f"{title} by {part}" for title, part in parts)


def failures(panel: MethodPanel, result: Result) -> str:
    """Reasons why methods that are ticked gave no ranking, a line each."""
    failed = [(panel.offered[job.method].title, result.failures[job]) for job in panel.jobs() if job in result.failures]
    return "\n".join(f"{title}: {text}" for title, text in failed)
