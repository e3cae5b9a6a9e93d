"""What a ranker shows of its rankings: the columns of the table, and a line about each."""

from collections.abc import Callable, Sequence

from .jobs import Job, Result
from .methodlist import method_tooltip
from .methodpanel import MethodPanel
from .model import Scores


def columns(panel: MethodPanel, result: Result, level: Callable[[Job], float | None]) -> list[Scores]:
    """The rankings of the methods that are ticked and fit, as far as there are any, in the order of the list.

    level: the null level of a job, or None.
    """
    found, active = [], panel.active()
    for number, method in enumerate(panel.methods.values()):
        job = panel.job(method.name) if method.name in active else None
        ranking = result.rankings.get(job)
        if ranking is not None:
            about = method.title, number, method_tooltip(method), not ranking.info["final"]
            each = () if ranking.per_target is None else tuple(zip(ranking.labels, ranking.per_target, strict=True))
            found.append(Scores(method.name, ranking.scores, *about, level(job), each))
    return found


def told(shown: Sequence[Scores], panel: MethodPanel, result: Result, stopped: bool) -> tuple[dict, dict]:
    """A line about each ranking by the method's name, and its info by the method's title."""
    lines, infos = {}, {}
    for scores in shown:
        info = result.rankings[panel.job(scores.name)].info
        early = "stopped early; " if stopped and scores.partial else ""
        lines[scores.name] = f"{scores.title}: {early}{info['summary']}"
        infos[scores.title] = info
    return lines, infos
