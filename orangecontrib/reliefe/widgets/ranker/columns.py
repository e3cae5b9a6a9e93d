"""Columns of a ranker: the columns of the table, and a line about each."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ...core.words import counted, percent, some
from ...orange.jobs.job import Job, embeds
from ...orange.jobs.result import Result
from ...orange.ranker.scores import Scores
from ..utils.colors import hues_of
from .methodlist import SHORT, method_tooltip
from .methodpanel import MethodPanel

UNADJUSTED = "scores are not adjusted for covariates, p-values are"
OUTSIDE = "scores and p-values ignore covariates and groups"


def columns(
    panel: MethodPanel, result: Result, about: Callable[[Job], dict], stopped: bool, p: int
) -> tuple[list[Scores], list[Scores]]:
    """The rankings of the methods that are ticked and fit, as far as there are any, in the order of the list, and
    empty columns of p features for methods that embed the rows first, and have nothing to show before.

    about: what else is known about a job: arguments of `Scores`.  stopped: titles of unfinished rankings show how
    far they came.
    """
    found = []
    waiting = []
    active = panel.active()
    offered = panel.offered
    hues = hues_of(list(offered), active)
    for method in [method for method in offered.values() if method.name in active]:
        job = panel.job(method.name)
        ranking = result.rankings.get(job)
        if ranking is None and embeds(job) and job not in result.failures:
            title, tip = f"{method.title}: embedding", f"{method_tooltip(method)}<br>Other scores do not wait for it"
            empty = np.full(p, np.nan)
            waiting.append(Scores(method.name, empty, title, hues[method.name], tip, partial=True, waiting=True))
        elif ranking is not None:
            partial = not ranking.info["final"]
            title = f"{method.title} ({part_of(job, ranking.info)})" if stopped and partial else method.title
            shown = title, hues[method.name], method_tooltip(method), partial
            each = () if ranking.per_target is None else tuple(zip(ranking.labels, ranking.per_target, strict=True))
            errors = ranking.info.get("standard_errors")
            errors = None if errors is None else np.array(errors)
            known = about(job) | {"each": each, "errors": errors, "stop": ranking.info.get("stopped")}
            known["short"] = SHORT.get(method.name, "") if job.own else method.short
            removed = ranking.info.get("removed_in")
            known["removed"] = None if removed is None else np.array(removed)
            known["best_k"] = ranking.info.get("best_k")
            found.append(Scores(method.name, ranking.scores, *shown, **known))
    return found, waiting


def with_preview(columns: Sequence[Scores], leading: int, values: np.ndarray) -> list[Scores]:
    """Columns with other values (p,) of the leading score, of which nothing else is known."""
    lead = columns[leading]
    about = {"each": lead.each, "short": lead.short}
    preview = Scores(lead.name, values, lead.title, lead.number, lead.tooltip, partial=True, **about)
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
    points = [[number, 1 - done["change"] / 2] for number, done in enumerate(rounds, 1)]
    lines = [
        f"Round {number}: {percent(share)} of the weight stays, {percent(done['overlap'])} of the 20 best"
        for (number, share), done in zip(points, rounds, strict=True)
    ]
    return points, ["How steady the learned weights are", *lines]


def lines_and_infos(shown: Sequence[Scores], panel: MethodPanel, result: Result, stopped: bool) -> tuple[dict, dict]:
    """A line about each ranking by the method's name, and its info by the method's title."""
    lines, infos = {}, {}
    for scores in shown:
        info = result.rankings[panel.job(scores.name)].info
        early = "stopped early; " if stopped and scores.partial else ""
        job = panel.job(scores.name)
        adjusted = f", adjusted for {some(job.covariates)}" if job.adjusted else ""
        lines[scores.name] = f"{scores.title}: {early}{info['summary']}{adjusted}"
        unfit = [UNADJUSTED] * (bool(job.covariates) and not job.adjusted)
        unfit += [OUTSIDE] * (not job.own and any(panel.study))
        infos[scores.title] = info | {"warnings": [*info.get("warnings", ()), *unfit]}
    return lines, infos


def unfinished(shown: Sequence[Scores], panel: MethodPanel, infos: Mapping[str, Mapping[str, object]]) -> str:
    """Titles of the rankings that are not finished, and the part of the work that they are of; infos: by title."""
    partial = [scores for scores in shown if scores.partial]
    parts = [(panel.offered[s.name].title, part_of(panel.job(s.name), infos[s.title])) for s in partial]
    return ", ".join(f"{title} by {part}" for title, part in parts)


def failures(panel: MethodPanel, result: Result) -> str:
    """Reasons why methods that are ticked gave no ranking, a line each."""
    failed = [(panel.offered[job.method].title, result.failures[job]) for job in panel.jobs() if job in result.failures]
    return "\n".join(f"{title}: {text}" for title, text in failed)
