"""Rankings that a workflow stores, with the data and parameters that they belong to."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from types import UnionType
from typing import Any, get_args, get_origin

import numpy as np
from Orange.data import Table

from ..feature_groups import groups_by_rule
from .job import Job
from .literals import as_literals, fits, from_literals
from .progress import Part, raise_if_stopped
from .result import Result
from .table_facts import About

READING = "Reading the data"


def packed(result: Result, jobs: Sequence[Job]) -> dict:
    """The finished rankings of jobs as literals, as long as there are not too many scores."""

    def finished() -> Iterator[tuple]:
        for job in jobs:
            if result.is_final(job):
                ranking = result.rankings[job]
                of_targets = [] if ranking.per_target is None else [ranking.per_target]
                info = {key: value for key, value in ranking.info.items() if key != "compile_seconds"}
                facts = {"info": info, "parameters": ranking.parameters}  # next time the code is there
                facts["curve"] = list(result.curves.get(job, ()))
                yield job, facts, np.vstack([ranking.scores[None], *of_targets])

    return as_literals(result.about.fingerprint, finished()) if result.about is not None else {}


def restored(result: Result, stored: dict, table: Table, jobs: Sequence[Job]) -> Result:
    """`result` and those stored rankings of jobs that are of the same data; what cannot be read is left out."""
    if not fits(stored) or stored.get("data") != result.about.fingerprint:
        return result
    for job in jobs:
        literals = stored["rankings"].get(job.key)
        if literals is not None and not result.is_final(job):
            try:
                ranking, curve = _ranking(job, literals, table)
            except (ValueError, KeyError, TypeError, OverflowError, RecursionError):  # from another hand
                continue
            rankings = {**result.rankings, job: ranking}
            curves = {**result.curves, job: curve}
            result = replace(result, rankings=rankings, curves=curves)
    return result


def _ranking(job: Job, literals: dict, table: Table) -> tuple:
    from ...core.methods.registry import types_of_info
    from ..ranking import TableRanking

    domain = table.domain
    groups = groups_by_rule(job.feature_groups, domain.attributes)
    names = tuple(variable.name for variable in domain.attributes) if groups is None else groups.names
    facts, scores = from_literals(literals, len(names))
    info, labels = facts["info"], tuple(target.name for target in domain.class_vars)
    if len(scores) not in (1, 1 + len(labels)) or not (info["final"] and info["instances"] and info["summary"]):
        raise ValueError("scores of other data")
    if not isinstance(facts["parameters"], dict) or not _has_types(info, types_of_info()):
        raise ValueError("facts of other types")
    curve = np.array(facts["curve"] or np.empty((0, 2)), float)
    if not np.isfinite(scores).all() or curve.shape != (len(curve), 2) or not np.isfinite(curve).all():
        raise ValueError("scores or a curve that no ranking has")
    per_target = scores[1:] if len(scores) > 1 else None
    return TableRanking(
        scores=scores[0], method=job.method, parameters=facts["parameters"], info=info, per_target=per_target,
        names=names, targets=domain.class_vars, table=table, features=domain.attributes, labels=labels,
    ), [list(point) for point in facts["curve"]]  # fmt: skip


def _has_types(info: object, types: dict[str, Any]) -> bool:
    """True for entries, as JSON gives them, of these types; those without a type are not checked."""
    return isinstance(info, dict) and all(_is(value, types.get(name, object)) for name, value in info.items())


def _is(value: object, hint: Any) -> bool:
    """True for a value that JSON gives for one of a type."""
    origin, inner = get_origin(hint) or hint, get_args(hint)
    if origin is dict:
        return isinstance(value, dict) and all(_is(entry, inner[1]) for entry in value.values())
    if origin is list:
        return isinstance(value, list) and all(_is(entry, inner[0]) for entry in value)
    if origin is UnionType:
        return any(_is(value, alternative) for alternative in inner)
    return isinstance(value, (int, float) if hint is float else hint)


def rank_new(ranks: Callable, stored: dict, table: Table, jobs: Sequence[Job], known: Result, state) -> Result:
    """Rankings of a table by jobs: from the workflow, or else by `ranks`; also finds constant and empty features."""
    study = sorted({name for job in jobs for name in (*job.covariates, job.group) if name})
    rule = next((job.feature_groups for job in jobs if job.own), "")
    if known.about is None:
        state.set_status(READING)
    about = known.about or About.of(table, partial(raise_if_stopped, state), study, rule)
    news = known.about is None and bool(about.constant or about.empty)
    before = replace(known, about=about, failures={})
    known = restored(before, stored, table, jobs)
    if news or known is not before:
        state.set_partial_result(known)  # at once: the rest may take long, or fail
    if all(map(known.is_final, jobs)):
        return known.grouped()
    return replace(ranks(table, jobs, known, Part(state, partial(replace, about=about))), about=about).grouped()
