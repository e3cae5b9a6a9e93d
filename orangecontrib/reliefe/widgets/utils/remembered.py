"""Rankings as a workflow keeps them: scores as text, with the data and parameters that they belong to."""

import base64
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from types import UnionType
from typing import Any, NamedTuple, get_args, get_origin

import numpy as np
import scipy.sparse as sp
from Orange.data import Table

from ... import __version__
from .jobs import Job, Result
from .task import Part, raise_if_stopped

MAX_SCORES = 100_000  # scores that are kept: 20,000 features by 5 methods
MAX_BYTES = 1 << 25  # of the description of a ranking
VALUES_PER_LOOK = 1 << 20  # values that are looked at between two looks at whether to stop
ENCODED = ("told", "scores")


class About(NamedTuple):
    """Facts of a table: a fingerprint, and the names of features that have one value, or none."""

    fingerprint: str
    constant: tuple[str, ...]
    empty: tuple[str, ...]

    @classmethod
    def of(cls, table: Table, look: Callable[[], object], study: Iterable[str] = ()) -> "About":
        """Fingerprint and facts of a table; `look` is called now and then, and ends the work by raising."""
        constant, empty = uninformative(table, look)
        return cls(fingerprint(table, look, study), constant, empty)


def fingerprint(table: Table, look: Callable[[], object] = lambda: None, study: Iterable[str] = ()) -> str:
    """Hash of the version, the domain, features, targets, and metas of a study; others do not matter."""
    domain, digest = table.domain, blake2b(digest_size=16)
    described = [
        [(v.name, type(v).__name__, getattr(v, "values", ()), str(v.attributes.get("parents", ""))) for v in variables]
        for variables in (domain.attributes, domain.class_vars)
    ]
    digest.update(repr((__version__, len(table), described)).encode())
    for variable in (domain[name] for name in study):
        column = table.get_column(variable).tolist()
        digest.update(repr((variable.name, getattr(variable, "values", ()), column)).encode())
    for part in (table.X, table.Y, *([table.W] if table.has_weights() else [])):
        for values in (part.data, part.indices, part.indptr) if sp.issparse(part) else (part,):
            digest.update(f"{values.shape} {values.dtype}".encode())
            step = max(VALUES_PER_LOOK // max(values[:1].size, 1), 1)
            for start in range(0, len(values), step):
                look()
                block = values[start : start + step]
                digest.update((block.astype(float) if block.dtype == object else block).tobytes())
    return digest.hexdigest()


def uninformative(table: Table, look: Callable[[], object]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the features with but one known value, and of those with none."""
    n, p = table.X.shape
    low, high = np.full(p, np.nan), np.full(p, np.nan)
    step = max(VALUES_PER_LOOK // max(p, 1), 1)
    stored = table.X.tocsr() if sp.issparse(table.X) else None
    counts = np.zeros(p, np.int64)
    for start in range(0, n, step):
        look()
        if stored is None:
            block = np.asarray(table.X[start : start + step], float)
            low, high = np.fmin(low, np.fmin.reduce(block)), np.fmax(high, np.fmax.reduce(block))
        else:
            own = slice(stored.indptr[start], stored.indptr[min(start + step, n)])
            columns, values = stored.indices[own], stored.data[own]
            np.fmin.at(low, columns, values)
            np.fmax.at(high, columns, values)
            counts += np.bincount(columns, minlength=p)
    if stored is not None:
        gaps = counts < n  # what is not stored is 0
        low[gaps], high[gaps] = np.fmin(low[gaps], 0), np.fmax(high[gaps], 0)
    names = [variable.name for variable in table.domain.attributes]
    return tuple(names[j] for j in np.flatnonzero(low == high)), tuple(names[j] for j in np.flatnonzero(np.isnan(low)))


# As text -------------------------------------------------------------------------------------------------------------


def fits(stored: object) -> bool:
    """True if a setting may be what `packed` returns."""
    return isinstance(stored, dict) and (
        not stored
        or (
            isinstance(stored.get("data"), str)
            and isinstance(stored.get("rankings"), dict)
            and all(isinstance(kept, dict) and all(isinstance(kept.get(name), str) for name in ENCODED)
                    for kept in stored["rankings"].values())
        )
    )  # fmt: skip


def packed(result: Result, jobs: Sequence[Job]) -> dict:
    """The finished rankings of jobs as literals, as long as there are not too many scores."""

    def finished() -> Iterator[tuple]:
        for job in jobs:
            if result.is_final(job):
                ranking, each = result.rankings[job], result.rankings[job].per_target
                about = {"info": ranking.info, "parameters": ranking.parameters}
                about["curve"] = list(result.curves.get(job, ()))
                yield job, about, np.vstack([ranking.scores[None], *([] if each is None else [each])])

    return _as_literals(result.about.fingerprint, finished()) if result.about is not None else {}


def _as_literals(data: str, found: Iterable[tuple]) -> dict:
    """Facts and arrays (., p) about jobs, as far as there is room; data: fingerprint."""
    kept, size = {}, 0
    for job, about, values in found:
        size += values.size if job.key else 0
        if job.key and size <= MAX_SCORES:
            text = json.dumps(about, default=lambda value: value.tolist())  # of NumPy
            kept[job.key] = {"told": encoded(text.encode()), "scores": encoded(values.astype("<f8").tobytes())}
    return {"data": data, "rankings": kept} if kept else {}


def _from_literals(kept: dict, p: int) -> tuple[dict, np.ndarray]:
    """Facts, and an array (., p)."""
    values = np.frombuffer(decoded(kept["scores"], 8 * MAX_SCORES), "<f8").astype(float)
    return json.loads(decoded(kept["told"], MAX_BYTES)), values.reshape(-1, p)


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


def restored(known: Result, stored: dict, table: Table, jobs: Sequence[Job]) -> Result:
    """`known` and those stored rankings of jobs that are of the same data; what cannot be read is left out."""
    if not fits(stored) or stored.get("data") != known.about.fingerprint:
        return known
    for job in jobs:
        kept = stored["rankings"].get(job.key)
        if kept is not None and not known.is_final(job):
            try:
                ranking, curve = _ranking(job, kept, table)
            except (ValueError, KeyError, TypeError, OverflowError, RecursionError):  # from another hand
                continue
            rankings, curves = {**known.rankings, job: ranking}, {**known.curves, job: curve}
            known = replace(known, rankings=rankings, curves=curves)
    return known


def _ranking(job: Job, kept: dict, table: Table) -> tuple:
    from ...core.methods.registry import types_of_info
    from ...orange.conversion import TableRanking

    domain = table.domain
    facts, scores = _from_literals(kept, len(domain.attributes))
    info, labels = facts["info"], tuple(target.name for target in domain.class_vars)
    if len(scores) not in (1, 1 + len(labels)) or not (info["final"] and info["instances"] and info["summary"]):
        raise ValueError("scores of other data")
    if not isinstance(facts["parameters"], dict) or not _has_types(info, types_of_info()):
        raise ValueError("facts of other types")
    curve = np.array(facts["curve"] or np.empty((0, 2)), float)
    if not np.isfinite(scores).all() or curve.shape != (len(curve), 2) or not np.isfinite(curve).all():
        raise ValueError("scores or a curve that no ranking has")
    each = scores[1:] if len(scores) > 1 else None
    names = tuple(variable.name for variable in domain.attributes)
    return TableRanking(
        scores=scores[0], method=job.method, parameters=facts["parameters"], info=info, per_target=each, names=names,
        targets=domain.class_vars, table=table, features=domain.attributes, labels=labels,
    ), [list(point) for point in facts["curve"]]  # fmt: skip


def _has_types(info: object, types: dict[str, Any]) -> bool:
    """True for entries, as JSON gives them, of these types; those without a type are not checked."""
    return isinstance(info, dict) and all(_is(value, types.get(name, object)) for name, value in info.items())


def _is(value: object, hint: Any) -> bool:
    """True for a value that JSON gives for one of a type."""
    origin, inner = get_origin(hint) or hint, get_args(hint)
    if origin is dict:
        return isinstance(value, dict) and all(_is(each, inner[1]) for each in value.values())
    if origin is list:
        return isinstance(value, list) and all(_is(each, inner[0]) for each in value)
    if origin is UnionType:
        return any(_is(value, one) for one in inner)
    return isinstance(value, (int, float) if hint is float else hint)


# In the thread -------------------------------------------------------------------------------------------------------


def rank_new(ranks: Callable, stored: dict, table: Table, jobs: Sequence[Job], known: Result, state) -> Result:
    """Rankings of a table by jobs: from the workflow, or else by `ranks`; also finds constant and empty features."""
    study = sorted({name for job in jobs for name in (*job.covariates, job.group) if name})
    about = known.about or About.of(table, lambda: raise_if_stopped(state), study)
    news = known.about is None and bool(about.constant or about.empty)
    before = replace(known, about=about, failures={})
    known = restored(before, stored, table, jobs)
    if news or known is not before:
        state.set_partial_result(known)  # at once: the rest may take long, or fail
    if all(map(known.is_final, jobs)):
        return known.grouped()
    return replace(ranks(table, jobs, known, Part(state, partial(replace, about=about))), about=about).grouped()


COLUMNS = ("z", "p", "q", "family_wise", "own_p", "alone")  # the last one not for all targets
FACTS = ("n_shuffles", "smallest", "closed_form", "notes")


def packed_tests(data: str, tests: Mapping[Job, tuple[object, int]]) -> dict:
    """Significance and wanted numbers of shuffles of jobs as literals, as far as there is room; data: fingerprint."""
    significances = (
        (
            job,
            {name: getattr(found, name) for name in FACTS} | {"wanted": wanted},
            np.vstack([values for name in COLUMNS if (values := getattr(found, name)) is not None]),
        )
        for job, (found, wanted) in tests.items()
    )
    return _as_literals(data, significances)


def restored_test(stored: dict, data: str, job: Job, p: int) -> tuple[object, int] | None:
    """Significance and wanted number of shuffles of a job; None if nothing fits these data, or can be read."""
    kept = stored["rankings"].get(job.key) if fits(stored) and stored.get("data") == data else None
    if kept is None:
        return None
    try:
        return _significance(kept, p)
    except (ValueError, KeyError, TypeError):  # from another hand
        return None


def _significance(kept: dict, p: int) -> tuple[object, int]:
    from ...core.result import Significance

    facts, values = _from_literals(kept, p)
    shuffles, wanted = facts["n_shuffles"], facts["wanted"]
    positive, shares = values[1 : len(COLUMNS) - 1], values[1:]  # p of a feature alone may be as small as 0
    if np.isnan(values[0]).any() or not (positive > 0).all() or not ((shares >= 0) & (shares <= 1)).all():
        raise ValueError("p-values beyond 0 and 1")
    if not (type(shuffles) is int and type(wanted) is int and shuffles > 0 and 0 < facts["smallest"] <= 1):
        raise ValueError("numbers of shuffles that are none")
    notes = tuple(map(str, facts["notes"]))
    rest = {"n_shuffles": shuffles, "smallest": float(facts["smallest"]), "closed_form": bool(facts["closed_form"])}
    found = dict(zip(COLUMNS[: len(values)], values, strict=True))
    return Significance(**found, **rest, notes=notes), wanted
