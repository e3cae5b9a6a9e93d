"""Check of a call of `rank`: arguments in, one checked `Request` out.

The functions of `api`, `inference` and `growing` call `check_call`, whose steps stand in their order. A rule on one
kind of data is a function beside it: `data/weights.py`, `data/feature_groups.py`, `targets/reader.py`,
`methods/studied_rows.py` ... Each of them gets what it needs, and adds its notes to the `Info` of the call.
"""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np

from .checks import whole
from .data.feature_groups import FeatureGroups, read_feature_groups
from .data.frame_notes import OTHER_INDEX, names_with_other_index, note_features_in_rows, note_texts
from .data.frames import is_frame
from .data.kept_features import read_keep
from .data.table import DataTable
from .data.weights import OfferedWeights, given_weights
from .info import Info, merge_info
from .methods.base import ROWS, Method
from .methods.choice import Facts, automatic, target_rows, why_usual
from .methods.grouped import with_groups
from .methods.registry import METHODS, find_method
from .methods.studied_rows import RankedTarget, StudyArguments, study_rows
from .methods.weighted_rows import WeightedRows, use_weights
from .notes import notes_on_data
from .request import Request
from .targets.accepts import Accepts
from .targets.facts import nothing_known
from .targets.named_target import take_target
from .targets.reader import ReadTarget, read_target, values_of_rows
from .targets.targets import Target
from .targets.tasks import SURVIVAL, TASKS, UNSUPERVISED
from .targets.times import Times
from .targets.times_reader import read_times
from .words import counted, some

ANY_TARGET = Accepts((*TASKS, SURVIVAL), "ranking", unlabelled=True)  # before the method "auto" is chosen


@dataclass(frozen=True, kw_only=True, eq=False)
class Arguments:
    """Arguments of `rank`, which explains those that are not listed here, apart from threads and progress.

    Parameters
    ----------
    sample_weight : array-like or OfferedWeights
        Weights of rows. Offered ones may be left aside.
    parts : str or None
        Parts of pairs that count for a target of numbers, of `PARTS_OF_PAIRS`. None: by the features.
    linear_covariates : bool or sequence of str
        Which covariates of numbers have a linear effect.
    unadjusted : bool
        Whether scores may leave covariates aside, as where p-values take them into account.
    needed_by : str
        What, beside p-values and studies, needs the method "auto" to rank features that repeat others as high as
        these, in the plural.
    parameters : dict
        Parameters of the method.
    """

    X: Any
    y: Any
    method: str
    nominal: object = None
    task: str | None = None
    hierarchy: object = None
    random_state: int = 0
    covariates: object = None
    groups: object = None
    feature_groups: object = None
    sample_weight: object = None
    keep: object = None
    names: Sequence[str] | None = None
    parts: str | None = None
    linear_covariates: object = False
    unadjusted: bool = False
    needed_by: str = ""
    parameters: Mapping[str, Any]

    @classmethod
    def of(cls, X: object, y: object, method: str, keywords: Mapping[str, Any]) -> "Arguments":
        """Arguments among those given by keyword; all others are parameters of the method."""
        arguments: dict[str, Any] = {}
        parameters: dict[str, Any] = {}
        for name, value in keywords.items():
            (arguments if name in NAMES else parameters)[name] = value
        return cls(X=X, y=y, method=method, **arguments, parameters=parameters)

    @property
    def has_study(self) -> bool:
        """True if the caller says anything on covariates, groups, or parts of pairs."""
        return self.covariates is not None or self.groups is not None or self.parts is not None

    def of_study(self, seed: int) -> StudyArguments:
        """Arguments on the rows of a study."""
        return StudyArguments(
            covariates=self.covariates,
            groups=self.groups,
            parts=self.parts,
            linear=self.linear_covariates,
            unadjusted=self.unadjusted,
            seed=seed,
        )


NAMES = {field.name for field in fields(Arguments)} - {"parameters"}


class CallerRows(NamedTuple):
    """Rows whose weight is above 0, before it is known which of them have a target.

    Attributes
    ----------
    table : DataTable
        Their features.
    y : object
        Their target values, as the caller has them.
    present : (n,) bool array
        Which of the caller's n rows they are.
    weights : (n,) float array or None
        Weights of the caller's rows. None: 1 in all rows that are present.
    keep : (k,) int array or None
        Indices of the features that are always selected, or of their groups, sorted.
    feature_groups : FeatureGroups or None
        Groups of the features that are ranked as one.
    """

    table: DataTable
    y: Any
    present: np.ndarray
    weights: np.ndarray | None
    keep: np.ndarray | None
    feature_groups: FeatureGroups | None


class ChosenMethod(NamedTuple):
    """A method with the parameters that are given, and the target as it takes it.

    Attributes
    ----------
    method : Method
        The method.
    parameters : mapping
        Parameters that were given, or that follow from the size of the data.
    read : ReadTarget
        The target.
    """

    method: Method[Any]
    parameters: Mapping[str, Any]
    read: ReadTarget


def check_call(X: object, y: object, method: str, **given: Any) -> Request:
    """Check a call of `rank`, step by step.

    Parameters
    ----------
    X, y, method
        As of `rank`.
    **given
        Those of `Arguments`, `target` of `rank`, and parameters of the method.

    Raises
    ------
    ValueError, TypeError
        If the call cannot be carried out.
    """
    target_columns = given.pop("target", None)
    if target_columns is not None:
        X, y, given["names"] = take_target(X, y, target_columns, given.get("names"))
    arguments = Arguments.of(X, y, method, given)
    named_method = find_method(method, "auto")
    accepts = named_method.accepts(arguments.parameters) if named_method else ANY_TARGET
    random_state = whole("random_state", arguments.random_state, 0)
    info: Info = {"warnings": [], "information": []}

    # Features, weights and target of the caller's rows
    rows = _read_rows(arguments, info)
    read = _read_target(rows, accepts, arguments, is_automatic=named_method is None)
    info["information"] += read.notes
    for text in _warnings_on_index(arguments):
        info["warnings"].append(text)
        warnings.warn(text, stacklevel=3)

    # The method, its parameters, and the rows with a target as it reads them
    if named_method is None:
        chosen = _choose_method(rows, read, arguments, info)
    else:
        chosen = ChosenMethod(named_method, arguments.parameters, read)
    target = chosen.read.target
    ranks_by = chosen.method
    if rows.feature_groups is not None:
        ranks_by = with_groups(ranks_by, rows.feature_groups, target.task)
    is_ranked = rows.present.copy()
    is_ranked[rows.present] = chosen.read.known
    table = _rows_with_target(rows.table, chosen, info)
    parameters = ranks_by.check(ranks_by.for_task(chosen.parameters, target.task), is_ranked)
    table = _as_read_by(ranks_by, parameters, table, info)

    # Columns that seem to be something else than the caller thinks
    has_groups = arguments.groups is not None
    info = merge_info(info, notes_on_data(arguments.y, table, target, ranks_by, parameters, has_groups))

    # Covariates, groups and weights, with the target that features are ranked for
    studied = RankedTarget(target, None)
    if arguments.has_study or isinstance(target, Times):
        studied = study_rows(arguments.of_study(random_state), ranks_by, table, target, is_ranked, info)
    weighted = WeightedRows(None, studied.target, studied.study)
    if rows.weights is not None and not (rows.weights[is_ranked] == 1).all():
        are_offered = isinstance(arguments.sample_weight, OfferedWeights)
        weighted = use_weights(
            rows.weights[is_ranked], ranks_by, parameters, table, studied, info, are_offered=are_offered
        )
    return Request(
        method=ranks_by,
        table=table,
        target=weighted.target,
        parameters=parameters,
        random_state=random_state,
        info=info,
        is_ranked=is_ranked,
        study=weighted.study,
        weights=weighted.weights,
        keep=rows.keep,
        feature_groups=rows.feature_groups,
    )


def _read_rows(arguments: Arguments, info: Info) -> CallerRows:
    """Read features and weights, and take the target values of the rows that are present; these are read later."""
    X = arguments.X
    y = arguments.y
    table = DataTable.read(X, arguments.nominal, narrow=True).named(arguments.names)
    n = table.shape[0]
    if is_frame(X):
        if arguments.nominal is None:
            note_texts(X, info)
        note_features_in_rows(X, y is not None, info)
    feature_groups = None
    if arguments.feature_groups is not None:
        feature_groups = read_feature_groups(arguments.feature_groups, table, info)
    keep = None
    if arguments.keep is not None:
        keep = read_keep(arguments.keep, table, feature_groups, info)
    weights = None
    if arguments.sample_weight is not None:
        weights = given_weights(arguments.sample_weight, n, info)
    if weights is None:
        return CallerRows(table, y, np.ones(n, bool), None, keep, feature_groups)
    present = weights > 0
    if not present.all():
        info["information"].append(f"{counted(int((~present).sum()), 'row')} of weight 0 left out")
        table = table.take(present)
        y = values_of_rows(y, present)
    are_equal = bool((weights[present] == 1).all())
    return CallerRows(table, y, present, None if are_equal else weights, keep, feature_groups)


def _warnings_on_index(arguments: Arguments) -> list[str]:
    """Warn of objects of pandas whose rows have other labels than X, or the same in another order."""
    columns = {
        "y": arguments.y,
        "covariates": arguments.covariates,
        "groups": arguments.groups,
        "sample_weight": arguments.sample_weight,
    }
    return [OTHER_INDEX.format(name) for name in names_with_other_index(arguments.X, columns)]


def _read_target(
    rows: CallerRows, accepts: Accepts, arguments: Arguments, task: str | None = None, *, is_automatic: bool = False
) -> ReadTarget:
    """Read the target, or times with censoring.

    Parameters
    ----------
    rows : CallerRows
        Features and target values.
    accepts : Accepts
        Targets that the method takes.
    arguments : Arguments
        The kind of target and the hierarchy that are asked for.
    task : str, optional
        Kind of target. None: that of the arguments.
    is_automatic : bool
        Whether no method was named, so that a target that no row has is a mistake.
    """
    task = arguments.task if task is None else task
    shape = rows.table.shape
    times = read_times(rows.y, shape[0], task)
    if times is not None:
        able = (name for name, method in METHODS.items() if SURVIVAL in method.tasks)
        accepts.check(SURVIVAL, f": rank times with censoring by one of {', '.join(able)}")
        return ReadTarget(*times)
    read = read_target(rows.y, shape, accepts, task, arguments.hierarchy)
    is_asked_for = rows.y is not None and task != UNSUPERVISED and accepts.tasks != (UNSUPERVISED,)
    if not is_asked_for or read.target.task != UNSUPERVISED:
        return read
    if is_automatic:
        raise ValueError(f'{nothing_known()}: correct it, or rank without one, task="unsupervised"')
    return replace(read, notes=(f"{nothing_known()}: features are ranked without one",))


def _choose_method(rows: CallerRows, read: ReadTarget, arguments: Arguments, info: Info) -> ChosenMethod:
    """Choose the method for the data by the rules of "auto"; of many rows only some become target rows."""
    task = read.target.task
    name, reason = _automatic_method(rows, read.target, arguments)
    method = METHODS[name]
    parameters = {**method.defaults(task), **arguments.parameters}
    n_target_rows = target_rows(rows.table.shape)
    if n_target_rows is not None and method.traits.refines == ROWS and "n_instances" not in arguments.parameters:
        parameters["n_instances"] = n_target_rows
        reason += (
            f"; {n_target_rows:,} of them are compared with all, since n\u00b2 p is above 10\u00b9\u00b2 "
            "(with n_instances=None all are)"
        )
    info["auto"] = reason
    accepts = method.accepts(parameters)
    if not accepts.unlabelled:
        read = _read_target(rows, accepts, arguments, task)
    return ChosenMethod(method, parameters, read)


def _automatic_method(rows: CallerRows, target: Target, arguments: Arguments) -> tuple[str, str]:
    """Name of the method for the data, and the reason."""
    facts = Facts.of(rows.table, target)
    if rows.feature_groups is not None:  # which no method takes that uses rows without a target
        facts = replace(facts, labelled_share=1.0)
    needs = why_usual(
        arguments.needed_by,
        covariates=arguments.covariates is not None,
        groups=arguments.groups is not None,
        feature_groups=rows.feature_groups is not None,
        weights=rows.weights is not None,
        p_values=arguments.unadjusted,
    )
    name, reason = automatic(facts, needs)
    names_of_method = {parameter.name for parameter in METHODS[name].parameters}
    other_parameters = [parameter for parameter in arguments.parameters if parameter not in names_of_method]
    if other_parameters and not needs:
        return automatic(facts, f"{METHODS[name].title} has no parameter {some(other_parameters)}")
    return name, reason


def _rows_with_target(table: DataTable, chosen: ChosenMethod, info: Info) -> DataTable:
    """Leave out rows without a known target."""
    is_known = chosen.read.known
    if is_known.all():
        return table
    left_out = int((~is_known).sum())
    if not chosen.parameters.get("labelled_only"):
        info["information"].append(
            counted(left_out, "row without a target value is", "rows without a target value are") + " left out"
        )
    return table.take(is_known)


def _as_read_by(method: Method[Any], parameters: Mapping[str, Any], table: DataTable, info: Info) -> DataTable:
    """Convert features to the type and the units that the method reads."""
    if table.packed and not method.takes_packed(parameters):
        table = table.unpacked()
        info["information"].append(f"{method.title} takes genotypes as numbers: they are unpacked")
    if not method.traits.narrow:
        table = table.wide()
    return table.lifted() if method.takes_lifted(parameters) else table
