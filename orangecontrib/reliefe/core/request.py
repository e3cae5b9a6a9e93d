"""A checked request for a ranking, and how it is carried out."""

import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from .checks import one_of, whole
from .data import frames
from .data.arrays import cells, chosen_from, take, unknown
from .data.counts import notes, settled
from .data.diff import RANGE, RANK
from .data.expected import CONDITIONAL, IGNORE
from .data.missing_codes import THE_TARGET, coded_features, far_codes, feature_name
from .data.missing_codes import note as note_on_codes
from .data.suspects import note, suspects
from .data.table import DataTable
from .data.weights import OfferedWeights, read_weights
from .kernels.compilation import COMPILATION
from .methods.base import ROWS, Found, Method, MethodInput
from .methods.choice import Facts, automatic, target_rows, why_usual
from .methods.parameters import METHOD
from .methods.registry import METHODS, find_method
from .relief.formats.distance import MANHATTAN
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
    Numbers,
    Target,
)
from .targets.times import FEW_EVENTS, Survival, Times, read_times
from .targets.unmarked import note_on_pair, note_on_status
from .words import counted, shown, some
from .work.cluster import work_for
from .work.threads import Progress, Work

OTHER_INDEX = (
    "the index of {0} is not that of X: rows are paired by their order; give {0}.loc[X.index] to pair them by index"
)
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
    keep: indices of the features that are always selected.
    weights: (n,) of the rows that are ranked, how many rows each of them counts for, above 0; None: one.
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
    weights: np.ndarray | None = None
    keep: np.ndarray | None = None

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
        sample_weight: object = None,
        keep: object = None,
        names: Sequence[str] | None = None,
        parts: str | None = None,
        linear_covariates: object = False,
        unadjusted: bool = False,
        every: str = "",
        **parameters: Any,
    ) -> "Request":
        """The request as `rank` takes it; raises ValueError or TypeError where it cannot be carried out.

        sample_weight: weights of rows, or `OfferedWeights`.
        unadjusted: whether scores may leave covariates aside, as where p-values take them into account.
        every: what, beside p-values and studies, needs `auto` to rank features that repeat other ones as high as these.
        """
        chosen: Method[Any] | None = find_method(method, "auto")
        accepts = chosen.accepts(parameters) if chosen else Accepts((*TASKS, SURVIVAL), "ranking", unlabelled=True)
        random_state = whole("random_state", random_state, 0)
        table = DataTable.read(X, nominal, narrow=True).named(names)
        info: Info = {"warnings": [], "information": []}
        kept = _note_kept(keep, table, info)
        weights, present = _read_weights(sample_weight, table.shape[0], info)
        y_present = y
        if not present.all():
            table, y_present = table.take(present), _rows_of_target(y, present)
        read = _read(y_present, table.shape, accepts, task, hierarchy, is_automatic=chosen is None)
        info["information"] += read.notes
        _warn_of_other_rows(X, info, y=y, covariates=covariates, groups=groups, sample_weight=sample_weight)
        if chosen is None:
            needs = _needs(every, covariates, groups, weights, unadjusted)
            chosen, info["auto"], parameters = _automatic(table, read.target, parameters, needs)
            accepts = chosen.accepts(parameters)
            if not accepts.unlabelled:
                read = _read(y_present, table.shape, accepts, read.target.task, hierarchy)
        target, known = read.target, present.copy()
        known[present] = read.known
        if not read.known.all():
            table = table.take(read.known)
            rows = counted(int((~read.known).sum()), "row without a target value is", "rows without a target value are")
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
        _note_data(y, table, target, info)
        how = {"parts": _parts_of_pairs(parts, table), "linear": linear_covariates, "seed": random_state}
        request = cls(chosen, table, target, checked, random_state, info, known=known, keep=kept)
        request = request._with_study(covariates, groups, unadjusted, how)
        return request._with_weights(weights, isinstance(sample_weight, OfferedWeights))

    def _with_study(self, covariates: object, groups: object, unadjusted: bool, how: dict[str, Any]) -> "Request":
        """The same with covariates and groups, and for residuals where the method ranks for these."""
        method, target, info, known = self.method, self.target, self.info, self.known
        able = [name for name, other in METHODS.items() if other.traits.adjusts and target.task in other.tasks]
        if covariates is not None and not (method.traits.adjusts or unadjusted) and able:
            raise ValueError(
                f"{method.title} takes no covariates. Rank by one of {', '.join(able)}, or add significance=True: "
                "p-values of every method take covariates into account"
            )
        if isinstance(target, Times):
            events = target.n_events
            info |= {"events": events, "censored": 1 - events / target.n, "event": target.event_name}
            if events < FEW_EVENTS:
                info["warnings"].append(f"only {counted(events, 'event')}: scores say little")
        of_times = target.task == SURVIVAL and method.traits.times_as_residuals
        if covariates is None and groups is None and not of_times:
            return self
        study = Study.of(target, known, covariates, groups, info, **how)
        by_residuals = method.traits.adjusts and bool(study.covariates or study.varies or of_times)
        study = replace(study, by_residuals=by_residuals)
        values = None if self.table.packed else self.table.values
        study.note(self.table.names, values, info, method.traits.adjustment)
        if study.covariates and not study.by_residuals:
            info["information"].append(f"scores by {method.title} are not adjusted for covariates, p-values are")
        wraps = any(parameter.kind == METHOD for parameter in method.parameters)  # whose inner method may part groups
        if study.groups is not None and not (method.traits.separates_groups or wraps):
            info["information"].append(f"{method.title} leaves groups aside, p-values do not")
        return replace(self, target=study.ranked() if study.by_residuals else target, study=study)

    def _with_weights(self, weights: np.ndarray | None, offered: bool) -> "Request":
        """Return this request with weights of the caller's rows, unless they are 1 in all rows that are ranked.

        Offered weights are left aside where there is a reason against them; others raise a ValueError then.
        """
        if weights is None or (weights[self.known] == 1).all():
            return self
        weights = weights[self.known]
        info = self.info
        target = self.target
        reason = _against_weights(weights, self.method, self.parameters, target.task, self.table)
        if self.study and self.study.covariates:
            reason = reason or "weights of rows and covariates exclude each other: leave out one of them"
        elif target.is_residual:
            reason = reason or "weights of rows exclude groups in which the target varies: leave out one of them"
        if reason and not offered:
            raise ValueError(reason)
        if reason:
            info["information"].append(f"weights of rows are left aside: {reason}")
            return self
        info["information"].append(f"weights of rows are used: {len(weights):,} rows count as {weights.sum():,.6g}")
        if self.parameters.get("missing", "") is None and self.table.missing_share:
            info["information"].append("with weights of rows, differences to missing values are ignored")
        if not isinstance(target, Numbers):
            return replace(self, weights=weights)
        target = target.weighted(weights)
        study = self.study and replace(self.study, target=target)
        return replace(self, weights=weights, target=target, study=study)

    def without_weights(self, what: str) -> "Request":
        """This request. Raises ValueError where rows have weights, which `what`, in the plural, do not take."""
        if self.weights is not None:
            raise ValueError(f"{what} take no weights of rows: rank without them (sample_weight)")
        return self

    def input(self, work: Work, partial: bool = False) -> MethodInput[Any]:
        prepared = self.preparation and self.preparation.result
        parts = self.table, self.target, settled(self.parameters, self.table), self.random_state, work
        groups = self.study.apart if self.study else None
        return MethodInput(
            *parts, prepared=prepared, partial=partial, groups=groups, weights=self.weights, keep=self.keep
        )

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


def _needs(every: str, covariates: object, groups: object, weights: object, has_p_values: bool) -> str:
    """Clause on what needs a method that ranks features that repeat other ones as high as these; empty if nothing."""
    return why_usual(
        every,
        covariates=covariates is not None,
        groups=groups is not None,
        weights=weights is not None,
        p_values=has_p_values,
    )


def _for_method(table: DataTable, method: Method[Any], parameters: dict[str, Any]) -> DataTable:
    """The table in the type, and in the units, that a method reads."""
    table = table if method.traits.narrow else table.wide()
    return table.lifted() if method.takes_lifted(parameters) else table


def _automatic(
    table: DataTable, target: Target, given: dict[str, Any], needs: str
) -> tuple[Method[Any], str, dict[str, Any]]:
    """The method for data, why, and its parameters: of many rows only some are target rows unless all are wanted."""
    facts = Facts.of(table, target)
    name, why = automatic(facts, needs)
    parameter_names = {parameter.name for parameter in METHODS[name].parameters}
    others = [parameter for parameter in given if parameter not in parameter_names]
    if others and not needs:
        name, why = automatic(facts, f"{METHODS[name].title} has no parameter {some(others)}")
    method = METHODS[name]
    parameters = {**method.defaults(target.task), **given}
    n_target_rows = target_rows(table.shape)
    if n_target_rows is not None and method.traits.refines == ROWS and "n_instances" not in given:
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


def _warn_of_other_rows(X: Any, info: Info, **beside: Any) -> None:
    """Warn of objects of pandas whose rows have other labels than X, or the same in another order."""
    for name, values in beside.items():
        if hasattr(X, "iloc") and hasattr(values, "iloc") and not X.index.equals(values.index):
            info["warnings"].append(OTHER_INDEX.format(name))
            warnings.warn(info["warnings"][-1], stacklevel=4)


def _note_kept(keep: object, table: DataTable, info: Info) -> np.ndarray | None:
    """Indices of the features that are always selected, which are noted; None without any."""
    if keep is None:
        return None
    kept = table.places(keep, "keep")
    if len(kept):
        info["kept"] = kept.tolist()
        info["information"].append(f"always selected: {some(table.names_of(kept))}")
    return kept


def _read_weights(given: object, n: int, info: Info) -> tuple[np.ndarray | None, np.ndarray]:
    """Weights (n,) from 0, and the mask (n,) of rows with a weight above 0.

    Weights are None where they are 1 in all of these rows.  Offered ones that are wrong are left aside with a warning.
    """
    every = np.ones(n, bool)
    if given is None:
        return None, every
    try:
        weights = read_weights(given.values if isinstance(given, OfferedWeights) else given, n)
    except ValueError as error:
        if not isinstance(given, OfferedWeights):
            raise
        info["warnings"].append(f"the weights of the rows are left aside: {error}")
        return None, every
    present = weights > 0
    if not present.all():
        info["information"].append(f"{counted(int((~present).sum()), 'row')} of weight 0 left out")
    return None if (weights[present] == 1).all() else weights, present


def _against_weights(
    weights: np.ndarray, method: Method[Any], parameters: dict[str, Any], task: str, table: DataTable
) -> str:
    """Reason for which a method cannot use weights (n,) of rows, all above 0; "" if it can."""
    if task not in method.weighted_tasks:
        able = [name for name, other in METHODS.items() if task in other.weighted_tasks]
        by = f"; these do: {', '.join(able)}" if able else ""
        return f"{method.title} takes no weights of rows (sample_weight) for {task}{by}"
    if parameters.get("diff") == RANK:
        return 'weights of rows and diff="rank" exclude each other: leave out one of them'
    if parameters.get("missing") == CONDITIONAL and table.missing_share:
        return f'weights of rows and missing="{CONDITIONAL}" exclude each other: use missing="{IGNORE}"'
    total = float(weights.sum())
    if total <= 1:
        return f"weights count rows, and these sum to {total:g}: multiply them so that their mean is 1"
    return ""


def _rows_of_target(y: object, rows: np.ndarray) -> Any:
    """The target of some rows, of a mask, as callers have it."""
    if y is None:
        return None
    if isinstance(y, Survival):
        return Survival(cells(y.time, "time")[rows], cells(y.event, "event")[rows], y.event_value)
    return take(chosen_from(y, "y"), rows)


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


def _count_of_names(task: str) -> Literal["classes", "labels", "targets"]:
    """Key of `info` that has the number of the names of a target."""
    if task not in SEVERAL:
        return "classes"
    return "labels" if task in (MULTILABEL, HIERARCHICAL) else "targets"


def _note_times(y: Any, target: Target, table: DataTable) -> list[str]:
    """Advice on targets that look like times with censoring, or on one that looks like their events."""
    advice = ""
    if target.task == MULTITARGET and frames.is_frame(y):
        series = zip(map(str, frames.names(y)), frames.columns(y), strict=True) if y.shape[1] == 2 else ()
        columns = {name: cells(column, "y") for name, column in series}
        advice = note_on_pair({name: column[~unknown(column)] for name, column in columns.items()})
    elif target.task == CLASSIFICATION and table.names and table.packed is None:
        name = str(getattr(y, "name", None) or "the target")
        advice = note_on_status(name, target.names, table.names, table.values, table.nominal)
    return [advice] if advice else []


def _note_data(y: object, table: DataTable, target: Target, info: Info) -> None:
    """Note the rows, the target y, and columns that seem to be something else than the caller thinks.

    Raises ValueError for fewer than two rows.
    """
    n = table.shape[0]
    if n < 2:
        which = "" if target.task == UNSUPERVISED else " with a known target"
        raise ValueError(f"there is only one row{which}; at least two are needed")
    info |= {"task": target.task, "rows": n, "missing": table.missing_share}
    if target.names:
        info[_count_of_names(target.task)] = len(target.names)
    _note_suspects(table, target, info)
    _note_missing_codes(table, target, info)
    info["information"] += _note_times(y, target, table)


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
    codes_of = {feature_name(table, f): codes for f, codes in coded_features(table).items()}
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
    codes_of |= {name: codes for name, column in columns.items() if (codes := far_codes(column))}
    if codes_of:
        info["warnings"].append(note_on_codes(codes_of))
