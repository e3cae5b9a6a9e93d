"""Covariates and groups of a ranking: the study of its rows, and the target that features are ranked for.

The sixth step of `Request.check`.
"""

from dataclasses import dataclass, replace

from ..checks import one_of
from ..data.table import DataTable
from ..info import Info
from ..methods.parameters import METHOD
from ..methods.registry import METHODS
from ..studies.study import Study
from ..targets.residuals import BOTH, PARTS_OF_PAIRS, PLACE
from ..targets.targets import Target
from ..targets.tasks import SURVIVAL
from ..targets.times import FEW_EVENTS, Times
from ..words import counted
from .arguments import Arguments
from .problem import Problem


@dataclass(frozen=True, eq=False)
class Studied:
    """Target that features are ranked for.

    Parameters
    ----------
    target : Target
        Residuals, if the method ranks for these, or the target itself.
    study : Study or None
        Rows with their covariates and groups, or with times. None: there are none of these.
    info : Info
        Notes.
    """

    target: Target
    study: Study | None
    info: Info


def study_rows(problem: Problem, arguments: Arguments, random_state: int) -> Studied:
    """Read covariates and groups. Raises ValueError for covariates that the method cannot use."""
    method = problem.method
    target = problem.target
    parts = _parts_of_pairs(arguments.parts, problem.table)
    _refuse_covariates(problem, arguments)
    info = _notes_on_times(target)
    ranks_times = target.task == SURVIVAL and method.traits.times_as_residuals
    if arguments.covariates is None and arguments.groups is None and not ranks_times:
        return Studied(target, None, info)
    study = Study.of(
        target,
        problem.known,
        arguments.covariates,
        arguments.groups,
        info,
        linear=arguments.linear_covariates,
        parts=parts,
        seed=random_state,
    )
    by_residuals = method.traits.adjusts and bool(study.covariates or study.varies or ranks_times)
    study = replace(study, by_residuals=by_residuals)
    values = None if problem.table.packed else problem.table.values
    study.note(problem.table.names, values, info, method.traits.adjustment)
    if study.covariates and not by_residuals:
        info["information"].append(f"scores by {method.title} are not adjusted for covariates, p-values are")
    has_core = any(parameter.kind == METHOD for parameter in method.parameters)  # which may separate groups
    if study.groups is not None and not (method.traits.separates_groups or has_core):
        info["information"].append(f"{method.title} leaves groups aside, p-values do not")
    return Studied(study.ranked() if by_residuals else target, study, info)


def _refuse_covariates(problem: Problem, arguments: Arguments) -> None:
    """Raise ValueError for covariates if scores are to be adjusted for them, and only other methods do so."""
    if arguments.covariates is None or arguments.unadjusted or problem.method.traits.adjusts:
        return
    task = problem.target.task
    able = [name for name, other in METHODS.items() if other.traits.adjusts and task in other.tasks]
    if able:
        raise ValueError(
            f"{problem.method.title} takes no covariates. Rank by one of {', '.join(able)}, or add "
            "significance=True: p-values of every method take covariates into account"
        )


def _parts_of_pairs(parts: str | None, table: DataTable) -> str:
    """The parts that are asked for, or place and spread where any feature is a number."""
    if parts is not None:
        return one_of("parts", parts, PARTS_OF_PAIRS)
    has_numbers = table.packed.additive if table.packed else not table.nominal.all()
    return BOTH if has_numbers else PLACE


def _notes_on_times(target: Target) -> Info:
    """Notes on the events of times with censoring; empty for other targets."""
    info: Info = {"warnings": [], "information": []}
    if isinstance(target, Times):
        n_events = target.n_events
        info |= {"events": n_events, "censored": 1 - n_events / target.n, "event": target.event_name}
        if n_events < FEW_EVENTS:
            info["warnings"].append(f"only {counted(n_events, 'event')}: scores say little")
    return info
