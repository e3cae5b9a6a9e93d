"""A checked request for a ranking, and how it is carried out."""

import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from .checks import one_of, whole
from .data import frames
from .data.arrays import cells, unknown
from .data.counts import notes, settled
from .data.diff import RANGE
from .data.missing_codes import THE_TARGET, coded_features, far_codes, feature_name
from .data.missing_codes import note as note_on_codes
from .data.suspects import note, suspects
from .data.table import DataTable
from .forms.cosine import MANHATTAN
from .kernels.compilation import COMPILATION
from .methods.base import ROWS, Found, Method, MethodInput
from .methods.parameters import METHOD
from .methods.registry import METHODS, automatic, find_method, rows_for
from .result import Info, Ranking
from .studies.study import Study
from .targets.reader import Accepts, ReadTarget, read_target
from .targets.residuals import BOTH, PARTS_OF_PAIRS, PLACE
from .targets.targets import (
    CLASSIFICATION,
    HIERARCHICAL,
    MULTILABEL,
    MULTITARGET,
    REGRESSION,
    SEVERAL,
    SURVIVAL,
    TASKS,
    UNSUPERVISED,
    Target,
)
from .targets.times import FEW_EVENTS, Times, read_times
from .targets.unmarked import note_on_pair, note_on_status
from .words import counted, shown, some
from .work.cluster import work_for
from .work.threads import Progress, Work

OTHER_INDEX = (
    "the index of {0} is not that of X: rows are paired by their order; give {0}.loc[X.index] to pair them by index"
)
NEED_USUAL = "need scores that are as high for features that repeat others"  # which boosting does not give
NOTHING_KNOWN = "the target is unknown in all rows"
WORTH_THREADS = 10**9  # n * n * p below which one thread is faster than several: some 20 ms of work


@dataclass(frozen=True)
class Preparation:
    """The result of a method's `prepare` for the true target."""

    result: object


@dataclass(frozen=True)
class Request:
    """A checked call of `rank`.

    preparation: None as long as nothing is prepared; a request that is shuffled keeps it.
    known: (rows,) bool, which of the caller's rows are ranked.
    study: their covariates and groups, if there are any.
    """

    method: Method[Any]
    table: DataTable
    target: Target
    parameters: dict[str, Any]
    random_state: int
    info: Info = field(default_factory=Info)
    preparation: Preparation | None = None
    known: np.ndarray = field(default_factory=lambda: np.zeros(0, bool))
    study: Study | None = None

    @classmethod
    def check(
        cls,
        X: object,
        y: object,
        method: str,
        *,
        nominal: object = None,
        task: str | None = None,
        hierarchy: object = None,
        random_state: int = 0,
        covariates: object = None,
        groups: object = None,
        names: Sequence[str] | None = None,
        parts: str | None = None,
        linear_covariates: object = False,
        unadjusted: bool = False,
        every: str = "",
        **parameters: Any,
    ) -> "Request":
        """The request as `rank` takes it; raises ValueError or TypeError where it cannot be carried out.

        unadjusted: whether scores may leave covariates aside, as where p-values take them into account.
        every: what, beside p-values and studies, needs `auto` to rank features that repeat other ones as high as these.
        """
        chosen: Method[Any] | None = find_method(method, "auto")
        accepts = chosen.accepts(parameters) if chosen else Accepts((*TASKS, SURVIVAL), "ranking", unlabelled=True)
        random_state = whole("random_state", random_state, 0)
        table = DataTable.read(X, nominal, narrow=True).named(names)
        read = _read(y, table.shape, accepts, task, hierarchy, is_automatic=chosen is None)
        info: Info = {"warnings": [], "information": [*read.notes]}
        for name in _other_indices(X, {"y": y, "covariates": covariates, "groups": groups}):
            info["warnings"].append(OTHER_INDEX.format(name))
            warnings.warn(info["warnings"][-1], stacklevel=3)
        if chosen is None:
            needs = _needs(every, covariates, groups, unadjusted)
            chosen, info["auto"], parameters = _automatic(table, read.target, parameters, needs)
            accepts = chosen.accepts(parameters)
            if not accepts.unlabelled:
                read = _read(y, table.shape, accepts, read.target.task, hierarchy)
        target, known = read.target, read.known
        if not known.all():
            table = table.take(known)
            rows = counted(int((~known).sum()), "row without a target value is", "rows without a target value are")
            info["information"] += [f"{rows} left out"] * (not parameters.get("labelled_only"))
        checked = chosen.check(chosen.for_task(parameters, target.task), known)
        if table.packed and not chosen.takes_packed(checked):
            table = table.unpacked()
            info["information"].append(f"{chosen.title} takes genotypes as numbers: they are unpacked")
        table = _for_method(table, chosen, checked)
        asked, own = checked.get("diff", RANGE), {p.name: p for p in chosen.parameters}.get("distance")
        by_presence = own is not None and MANHATTAN in own.choices and checked["distance"] != MANHATTAN
        for texts, found in zip((info["warnings"], info["information"]), notes(asked, by_presence, table), strict=True):
            texts += found
        n = table.shape[0]
        if n < 2:
            which = "" if target.task == UNSUPERVISED else " with a known target"
            raise ValueError(f"there is only one row{which}; at least two are needed")
        info |= {"task": target.task, "rows": n, "missing": table.missing_share}
        if target.names:
            info[_count_of_names(target.task)] = len(target.names)
        _note_odd_columns(table, target, info)
        info["information"] += _note_times(y, target, table)
        how = {"parts": _parts_of_pairs(parts, table), "linear": linear_covariates, "seed": random_state}
        request = cls(chosen, table, target, checked, random_state, info, known=known)
        return request._with_study(covariates, groups, unadjusted, how)

    def _with_study(self, covariates: object, groups: object, unadjusted: bool, how: dict[str, Any]) -> "Request":
        """The same with covariates and groups, and for residuals where the method ranks for these."""
        method, target, info, known = self.method, self.target, self.info, self.known
        able = [name for name, other in METHODS.items() if other.adjusts and target.task in other.tasks]
        if covariates is not None and not (method.adjusts or unadjusted) and able:
            raise ValueError(
                f"{method.title} takes no covariates. Rank by one of {', '.join(able)}, or add significance=True: "
                "p-values of every method take covariates into account"
            )
        if isinstance(target, Times):
            events = target.n_events
            info |= {"events": events, "censored": 1 - events / target.n, "event": target.event_name}
            if events < FEW_EVENTS:
                info["warnings"].append(f"only {counted(events, 'event')}: scores say little")
        of_times = target.task == SURVIVAL and method.times_as_residuals
        if covariates is None and groups is None and not of_times:
            return self
        study = Study.of(target, known, covariates, groups, info, **how)
        study = replace(study, by_residuals=method.adjusts and bool(study.covariates or study.varies or of_times))
        values = None if self.table.packed else self.table.values
        study.note(self.table.names, values, info, method.adjusts_by)
        if study.covariates and not study.by_residuals:
            info["information"].append(f"scores by {method.title} are not adjusted for covariates, p-values are")
        wraps = any(parameter.kind == METHOD for parameter in method.parameters)  # whose inner method may part groups
        if study.groups is not None and not (method.parts_groups or wraps):
            info["information"].append(f"{method.title} leaves groups aside, p-values do not")
        return replace(self, target=study.ranked() if study.by_residuals else target, study=study)

    def input(self, work: Work, partial: bool = False) -> MethodInput[Any]:
        prepared = self.preparation and self.preparation.result
        parts = self.table, self.target, settled(self.parameters, self.table), self.random_state, work
        groups = self.study.apart if self.study else None
        return MethodInput(*parts, prepared=prepared, partial=partial, groups=groups)

    def workers(self, n_jobs: int | None) -> int:
        """Threads that are worth starting."""
        workers = Work(n_jobs).workers
        return 1 if self._cost < WORTH_THREADS else workers

    def work(self, n_jobs: int | None, progress: Progress = None) -> Work:
        """Threads, or the cluster of the context, for this request."""
        return work_for(n_jobs, progress, self._cost, self.workers(n_jobs))

    @property
    def _cost(self) -> float:
        return self.method.cost(self.table.shape, self.parameters)

    def prepare(self, work: Work) -> "Request":
        """The same with all that depends on the true target, or on the rows alone, chosen and made."""
        if self.preparation is not None:
            return self
        with work.part(0, self.method.preparation(self.parameters)):
            return replace(self, preparation=Preparation(self.method.prepare(self.input(work))))

    def rank(self, work: Work) -> Ranking:
        *_, last = self.refine(work, partial=False)
        return last

    def refine(self, work: Work, partial: bool = True) -> Iterator[Ranking]:
        """Rankings, better and better; the last one is that of `rank`."""
        spent, start = 0.0, clock()
        share = 0.0 if self.preparation else self.method.preparation(self.parameters)
        prepared = self.prepare(work)
        with work.part(share, 1):
            for found in self.method.run(prepared.input(work, partial)):
                if found.final:
                    work.finish()
                spent += clock() - start
                yield self.ranking(found, spent)
                start = clock()  # what the caller did meanwhile is no work of the method

    def shuffled(self, seed: int, blocks: np.ndarray | None = None) -> "Request":
        """The same with the target of every row that has one given to another one, of the same block if there are
        blocks (n,); without targets, with every feature shuffled alone."""
        if self.study and self.target.labelled.all():
            return replace(self, target=self.study.permuted(seed))
        rng = np.random.default_rng([self.random_state, seed])
        if self.target.task == UNSUPERVISED:
            return replace(self, table=self.table.scattered(rng))
        order, known = np.arange(self.table.shape[0]), np.flatnonzero(self.target.labelled)
        if self.study:
            order[known] = known[self.study.rows(seed)]
            return replace(self, target=self.target.take(order))
        each = [known] if blocks is None else [known[blocks[known] == b] for b in np.unique(blocks[known])]
        for block in each:
            order[block] = block[rng.permutation(len(block))]
        return replace(self, target=self.target.take(order))

    def ranking(self, found: Found, seconds: float) -> Ranking:
        """A result of the method as callers get it."""
        n = self.table.shape[0]
        notes: Info = {
            "warnings": [*self.info["warnings"], *found.info.get("warnings", ())],
            "information": [*self.info["information"], *found.info.get("information", ())],
        }
        info: Info = {"instances": n, **self.info, **found.info, **notes, "final": found.final, "seconds": seconds}
        m = info["instances"]
        times = self.target.inner
        events = [times.description] if isinstance(times, Times) else []
        rows = f"{m:,} of {n:,} rows" if m < n else f"{n:,} rows"
        shown = [*self.method.summary(self.parameters, info), *events, rows]
        info["summary"] = ", ".join([*shown, f"{seconds:.1f} s" if seconds >= 0.05 else "less than 0.1 s"])
        parameters = {name: plain(value) for name, value in self.parameters.items()}
        targets = tuple(map(str, self.target.names)) if self.target.task in SEVERAL else None
        about = self.method.name, parameters, info, found.per_target, self.table.names, targets, found.order
        return Ranking(found.scores, *about)


def clock() -> float:
    """Seconds that do not go on while kernels are compiled."""
    return time.perf_counter() - COMPILATION.seconds


def plain(value: object) -> object:
    """A literal for a parameter: coordinates and objects by what they are."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.ndarray):
        return "coordinates"
    if isinstance(value, tuple):
        return tuple(plain(v) for v in value)
    return type(value).__name__


def _needs(every: str, covariates: object, groups: object, has_p_values: bool) -> str:
    """Clause on what needs a method that ranks features that repeat other ones as high as these; empty if nothing."""
    given = [every, "covariates" if covariates is not None else "", "groups" if groups is not None else ""]
    names = [name for name in (*given, "p-values" if has_p_values else "") if name]
    return f"{' and '.join(names)} {NEED_USUAL}" if names else ""


def _for_method(table: DataTable, method: Method[Any], parameters: dict[str, Any]) -> DataTable:
    """The table in the type, and in the units, that a method reads."""
    table = table if method.narrow else table.wide()
    return table.lifted() if method.takes_lifted(parameters) else table


def _automatic(
    table: DataTable, target: Target, given: dict[str, Any], needs: str
) -> tuple[Method[Any], str, dict[str, Any]]:
    """The method for data, why, and its parameters: of many rows only some are target rows unless all are wanted."""
    method, why = automatic(table, target, needs)
    others = [name for name in given if name not in {parameter.name for parameter in method.parameters}]
    if others and not needs:
        method, why = automatic(table, target, f"{method.title} has no parameter {some(others)}")
    parameters = {**method.defaults(target.task), **given}
    n_target_rows = rows_for(table.shape)
    if n_target_rows is not None and method.refines == ROWS and "n_instances" not in given:
        parameters["n_instances"] = n_target_rows
        why += f"; {n_target_rows:,} of them are compared with all, since n\u00b2 p is above 10\u00b9\u00b2 "
        why += "(with n_instances=None all are)"
    return method, why, parameters


def _parts_of_pairs(parts: str | None, table: DataTable) -> str:
    """The parts that are asked for, or place and spread where any feature is a number."""
    if parts is not None:
        return one_of("parts", parts, PARTS_OF_PAIRS)
    numbers = table.packed.additive if table.packed else not table.nominal.all()
    return BOTH if numbers else PLACE


def _read(
    y: object,
    shape: tuple[int, int],
    accepts: Accepts,
    task: str | None,
    hierarchy: object,
    is_automatic: bool = False,
) -> ReadTarget:
    """The target, or times with censoring, of the rows in which it is known.

    is_automatic: whether no method was chosen, so that a target that no row has is a mistake.
    """
    times = read_times(y, shape[0], task)
    if times is None:
        read = read_target(y, shape, accepts, task, hierarchy)
        is_asked_for = y is not None and task != UNSUPERVISED and accepts.tasks != (UNSUPERVISED,)
        if not is_asked_for or read.target.task != UNSUPERVISED:
            return read
        if is_automatic:
            raise ValueError(f'{NOTHING_KNOWN}: correct it, or rank without one, task="unsupervised"')
        return replace(read, notes=(f"{NOTHING_KNOWN}: features are ranked without one",))
    able = (name for name, method in METHODS.items() if SURVIVAL in method.tasks)
    accepts.check(SURVIVAL, f": rank times with censoring by one of {', '.join(able)}")
    return ReadTarget(*times)


def _other_indices(X: Any, beside: Mapping[str, Any]) -> list[str]:
    """Names of the objects of pandas whose rows have other labels than X, or the same in another order."""
    given = [name for name, values in beside.items() if hasattr(values, "iloc")] if hasattr(X, "iloc") else []
    return [name for name in given if not X.index.equals(beside[name].index)]


def _count_of_names(task: str) -> Literal["classes", "labels", "targets"]:
    """Key of `info` that has the number of the names of a target."""
    if task not in SEVERAL:
        return "classes"
    return "labels" if task in (MULTILABEL, HIERARCHICAL) else "targets"


def _note_times(y: Any, target: Target, table: DataTable) -> list[str]:
    """Advice on targets that look like times with censoring, or on one that looks like their events."""
    found = ""
    if target.task == MULTITARGET and frames.is_frame(y):
        series = zip(map(str, frames.names(y)), frames.columns(y), strict=True) if y.shape[1] == 2 else ()
        columns = {name: cells(column, "y") for name, column in series}
        found = note_on_pair({name: column[~unknown(column)] for name, column in columns.items()})
    elif target.task == CLASSIFICATION and table.names and table.packed is None:
        name = str(getattr(y, "name", None) or "the target")
        found = note_on_status(name, target.names, table.names, table.values, table.nominal)
    return [found] if found else []


def _note_odd_columns(table: DataTable, target: Target, info: Info) -> None:
    """Warn of features and targets that seem to be something else than the caller thinks."""
    _note_suspects(table, target, info)
    _note_missing_codes(table, target, info)


def _note_suspects(table: DataTable, target: Target, info: Info) -> None:
    """Warn of features that identify rows or are functions of a target of classes or numbers."""
    y, rows = None, target.labelled
    if target.task in (CLASSIFICATION, REGRESSION):
        y, table = target.inner.columns[0][rows, 0], table if rows.all() else table.take(rows)
    found = suspects(table, y, target.task == CLASSIFICATION)
    if found:
        info["suspects"] = list(found)
        info["warnings"].append(note(found, table.names))


def _note_missing_codes(table: DataTable, target: Target, info: Info) -> None:
    """Warn of numbers, as -999, that seem to stand for missing values of features or of the target."""
    found = {feature_name(table, f): codes for f, codes in coded_features(table).items()}
    if target.task == CLASSIFICATION:
        try:
            columns = {THE_TARGET: np.array([float(name) for name in target.inner.names])}
        except (TypeError, ValueError):  # names of classes that are no numbers
            columns = {}
    elif target.task in (REGRESSION, MULTITARGET):
        values, nominal = target.inner.columns
        if target.inner.units is not None:
            values = values * target.inner.units
            whole_numbers = np.rint(values)  # what was divided and multiplied again may miss them by its last digit
            values = np.where(np.isclose(values, whole_numbers, rtol=1e-12, atol=0), whole_numbers, values)
        names = [f"the target {shown(name)}" for name in target.inner.names] or [THE_TARGET]
        numeric = zip(names, values.T, nominal, strict=True)
        columns = {name: column for name, column, is_nominal in numeric if not is_nominal}
    else:
        columns = {}
    found |= {name: codes for name, column in columns.items() if (codes := far_codes(column))}
    if found:
        info["warnings"].append(note_on_codes(found))
