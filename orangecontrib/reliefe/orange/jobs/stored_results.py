"""Results that a workflow stores, with the data and parameters that they belong to: rankings, and their p-values.

A ranker has two settings of this kind. Both are literals, from the fingerprint of the data and, for each job, its facts
and arrays.
"""

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import UnionType
from typing import Any, get_args, get_origin

import numpy as np
from Orange.data import Table

from ..feature_groups import groups_by_rule
from .job import Job
from .result import Result

COLUMNS = ("z", "p", "q", "family_wise", "own_p", "alone")  # the last one not for all targets
FACTS = ("n_shuffles", "smallest", "closed_form", "notes")
MAX_SCORES = 100_000  # scores that are kept: 20,000 features by 5 methods
MAX_BYTES = 1 << 25  # of the description of a ranking
ENCODED = ("told", "scores")


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
    literals_of_jobs = _literals_of(stored, result.about.fingerprint)
    for job in jobs:
        literals = literals_of_jobs.get(job.key)
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


def packed_tests(data: str, tests: Mapping[Job, tuple[object, int]]) -> dict:
    """Significance and wanted numbers of shuffles of jobs as literals, as far as there is room; data: fingerprint."""
    significances = (
        (
            job,
            {name: getattr(significance, name) for name in FACTS} | {"wanted": wanted},
            np.vstack([values for name in COLUMNS if (values := getattr(significance, name)) is not None]),
        )
        for job, (significance, wanted) in tests.items()
    )
    return as_literals(data, significances)


def restored_test(stored: dict, data: str, job: Job, p: int) -> tuple[object, int] | None:
    """Significance and wanted number of shuffles of a job; None if nothing fits these data, or can be read."""
    literals = _literals_of(stored, data).get(job.key)
    if literals is None:
        return None
    try:
        return _significance(literals, p)
    except (ValueError, KeyError, TypeError):  # from another hand
        return None


def _significance(literals: dict, p: int) -> tuple[object, int]:
    from ...core.chance import Significance

    facts, values = from_literals(literals, p)
    if len(values) not in (len(COLUMNS) - 1, len(COLUMNS)):
        raise ValueError("other columns than p-values have")
    shuffles, wanted = facts["n_shuffles"], facts["wanted"]
    positive, shares = values[1 : len(COLUMNS) - 1], values[1:]  # p of a feature alone may be as small as 0
    if np.isnan(values[0]).any() or not (positive > 0).all() or not ((shares >= 0) & (shares <= 1)).all():
        raise ValueError("p-values beyond 0 and 1")
    if not (type(shuffles) is int and type(wanted) is int and shuffles > 0 and 0 < facts["smallest"] <= 1):
        raise ValueError("numbers of shuffles that are none")
    notes = tuple(map(str, facts["notes"]))
    rest = {"n_shuffles": shuffles, "smallest": float(facts["smallest"]), "closed_form": bool(facts["closed_form"])}
    columns = dict(zip(COLUMNS[: len(values)], values, strict=True))
    return Significance(**columns, **rest, notes=notes), wanted


def fits(stored: object) -> bool:
    """True if a setting may be what `packed` returns."""
    return isinstance(stored, dict) and (
        not stored
        or (
            isinstance(stored.get("data"), str)
            and isinstance(stored.get("rankings"), dict)
            and all(isinstance(entry, dict) and all(isinstance(entry.get(name), str) for name in ENCODED)
                    for entry in stored["rankings"].values())
        )
    )  # fmt: skip


def as_literals(data: str, results: Iterable[tuple]) -> dict:
    """Write jobs with their facts and arrays (., p) as literals, as far as there is room; data: fingerprint."""
    literals = {}
    size = 0
    for job, facts, values in results:
        size += values.size if job.key else 0
        if job.key and size <= MAX_SCORES:
            text = json.dumps(facts, default=lambda value: value.tolist())  # of NumPy
            literals[job.key] = {"told": encoded(text.encode()), "scores": encoded(values.astype("<f8").tobytes())}
    return {"data": data, "rankings": literals} if literals else {}


def _literals_of(stored: object, data: str) -> dict:
    """Literals of a setting by the keys of their jobs; none if they are of other data than those of a fingerprint."""
    return stored["rankings"] if fits(stored) and stored.get("data") == data else {}


def from_literals(literals: dict, p: int) -> tuple[dict, np.ndarray]:
    """Return the facts, and an array (., p)."""
    values = np.frombuffer(decoded(literals["scores"], 8 * MAX_SCORES), "<f8").astype(float)
    return json.loads(decoded(literals["told"], MAX_BYTES)), values.reshape(-1, p)


def encoded(content: bytes) -> str:
    """Bytes as short text."""
    return base64.b64encode(zlib.compress(content)).decode("ascii")


def decoded(text: str, longest: int) -> bytes:
    """The bytes; ValueError for what is none, or longer than it may be."""
    try:
        unpacker = zlib.decompressobj()
        content = unpacker.decompress(base64.b64decode(text, validate=True), longest)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    if not unpacker.eof:
        raise ValueError("text is cut off, or too long")
    return content
