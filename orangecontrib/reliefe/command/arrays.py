"""Files of arrays and columns on the command line: ``orange-reliefe rank genotypes.npy --target y.csv``.

`cli` calls `rank_array` for files that `is_array` recognises. Scripts that the command writes call `read_arrays`.
"""

# Heavy modules are imported in functions, so that --help answers at once.
import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..formats import LIBSVM, NUMPY, is_of
from .endings import REPORTS, NoTarget, file_and_column, is_table_of_cells
from .feature_groups import read_feature_groups
from .reading_options import given_reading, refuse_reading
from .terminal import N_SHOWN, check_outputs, check_path, shown_progress, tested_features, with_options

if TYPE_CHECKING:
    from ..tabular import ReadingOptions

OUTPUTS = (".csv", ".tsv", ".json")
PLOTS = (".svg",)
TARGET_OF_FILE = "label"  # name in messages of the target that the rows of libsvm bring along
# Options of the command that `read_arrays` takes
READING = ("target", "covariate", "group", "time", "event", "event_value", "task")


def is_array(arguments: argparse.Namespace) -> bool:
    """Return True if DATA is a file of arrays. An .npy without --target has genotypes of people."""
    from ..core.data.table_files import is_file_of_tables

    name = str(arguments.data)
    has_no_target = not (arguments.target or arguments.task)
    has_genotypes = is_of(name, (NUMPY,)) and (arguments.phenotype or has_no_target)
    return not has_genotypes and is_file_of_tables(name)


def rank_array(arguments: argparse.Namespace, parameters: dict[str, Any]) -> None:
    """Rank the columns of a file, write the files that the user asks for, and print the best features.

    Parameters
    ----------
    arguments : Namespace
        Arguments of the command.
    parameters : dict
        Parameters of the method.

    Raises
    ------
    ValueError, TypeError
        As of `core.rank`, and for files that cannot be read or written.
    """
    check_path(arguments.output, OUTPUTS)
    check_path(arguments.plot, PLOTS)
    check_path(arguments.report, REPORTS)
    check_outputs(arguments, arguments.data)
    from ..core import rank
    from ..core.report.page import ReportValues, report_values
    from ..core.targets.description import describe_target, names_of_classes
    from ..core.words import counted
    from .adjustment import unadjusted_ranks
    from .listing import Listing, script

    reading = {name: value for name in READING if (value := getattr(arguments, name))} | given_reading(arguments)
    notes: list[str] = []
    X, y, study = read_arrays(arguments.data, **reading, notes=notes)
    conditional = tested_features(arguments)
    options: dict[str, Any] = {
        "keep": _names_or_indices(arguments.keep) or None,
        "task": arguments.task,
        "random_state": arguments.seed,
        "significance": arguments.significance,
        "conditional": conditional if isinstance(conditional, bool) else _names_or_indices(conditional),
    }
    options |= {"feature_groups": _feature_groups(arguments.feature_groups, X, study.get("names"), notes)}
    with shown_progress(arguments.quiet) as progress:
        ranking = rank(
            X, y, arguments.method, n_jobs=arguments.jobs, progress=progress, **options, **study, **parameters
        )
        without = options | {"significance": False, "conditional": False} | study | {"covariates": None}
        facts = unadjusted_ranks(
            ranking,
            bool(arguments.covariate),
            lambda: rank(X, y, ranking.method, n_jobs=arguments.jobs, progress=progress, **without, **parameters),
            notes,
        )
    name = os.path.basename(arguments.data.rstrip("/"))
    of_file = names_of_target(y)
    names = (arguments.time, arguments.event) if arguments.time else tuple(arguments.target or of_file)
    ranking = ranking.with_target([file_and_column(name)[1] or os.path.basename(name) for name in names])
    task = ranking.info["task"]
    target = describe_target(names, task, names_of_classes(y, task))
    digest = f"{name}: {counted(ranking.info['rows'], 'row')}, {counted(ranking.n_features, 'feature')}, {target}"
    notes = [*dict.fromkeys(notes), *map(with_options, ranking.info["information"])]
    in_memory = hasattr(X, "shape") and hasattr(X, "__array__")
    values = (lambda: report_values(ranking, X, y, **study)) if in_memory else ReportValues
    listing = Listing(ranking, name, digest, arguments.target or (), notes, facts, target=target, values=values)
    imports = (
        "from orangecontrib.reliefe.command.arrays import read_arrays\nfrom orangecontrib.reliefe.core import rank"
    )
    arguments_of_reading = "".join(f", {key}={value!r}" for key, value in reading.items())
    line = f"X, y, study = read_arrays({arguments.data!r}{arguments_of_reading})"
    best = f"ranking.best({arguments.top or N_SHOWN})"
    more = ", **study" if study else ""

    def lines_of_python() -> str:
        return script(ranking, line, best, imports=imports, call="rank(X, y", more=more, **options)

    listing.deliver(arguments, lines_of_python)


def names_of_target(y: Any) -> tuple[str, ...]:
    """Return the names of the columns of a target that a file of arrays has; empty without one."""
    if y is None:
        return ()
    return tuple(y.columns) if hasattr(y, "columns") else (getattr(y, "name", None) or TARGET_OF_FILE,)


def _feature_groups(
    option: str | None, X: Any, names: Sequence[str] | None, notes: list[str]
) -> dict[str, list[str | int]] | None:
    """Features of each group, by names or by indices in files without names; None without the option."""
    if option is None:
        return None
    from ..core.data import frames

    if names is None and frames.is_frame(X):
        names = frames.names(X)
    elif names is None and hasattr(X, "schema"):
        names = X.schema.names
    groups = read_feature_groups(option, names or [*map(str, range(X.shape[1]))], notes=notes)
    return {group: [*map(int, features)] if names is None else [*features] for group, features in groups.items()}


def _names_or_indices(names: Sequence[str]) -> list[str | int]:
    """Names of features, or their indices in files without names."""
    return [int(name) if name.isdecimal() else name for name in names]


def read_arrays(
    data: str,
    target: Sequence[str] = (),
    covariate: Sequence[str] = (),
    group: str | None = None,
    time: str | None = None,
    event: str | None = None,
    event_value: str | None = None,
    task: str | None = None,
    notes: list[str] | None = None,
    **reading: Any,
) -> tuple[Any, Any, dict[str, Any]]:
    """Read X and y from files as `core.rank` takes them, and its arguments `covariates`, `groups` and `names`.

    Parameters
    ----------
    data, target, covariate, group, time, event, task
        The options of the command of these names.
    event_value : str, optional
        The word in --event NAME=WORD.
    notes : list of str, optional
        Sentences on how texts were read are added to it.
    **reading
        Fields of `tabular.ReadingOptions`. `transpose` turns X; the others say how a table of targets, covariates or
        groups is to be read.

    Returns
    -------
    X : array, sparse array or DataFrame (n, p)
        Features.
    y : array (n,), Survival or None
        Target.
    study : dict
        Arguments "covariates", "groups" and "names", if there are any.

    Raises
    ------
    ValueError
        If a file cannot be read, or has no such column, or there is not one target. Without `target` that is the
        last column of a file of columns, if it is named as a target, or what the rows of libsvm bring along.
    """
    from pandas import DataFrame

    from ..core.data.table_files import has_columns, open_table
    from ..tabular import ReadingOptions

    options = ReadingOptions(**reading)
    notes = [] if notes is None else notes
    named = [*target, *covariate, *filter(None, (group, time, event))]
    if not any(is_table_of_cells(_path(name)) for name in named):
        refuse_reading(options, ("transpose",))
    needs_target = task not in ("unsupervised", "survival")
    column = target[0] if needs_target and len(target) == 1 and not _is_file(target[0]) else None
    if not target and task != "survival" and has_columns(data):
        column = _last_target(data, needs_target, notes)
    elif needs_target and len(target) != 1 and (target or not is_of(data, (LIBSVM,))):
        from ..core.targets.facts import no_target

        problem = "one target is needed" if target else no_target(f"{os.path.basename(data)} has")
        raise NoTarget(f"{problem}: --target FILE (.csv, .npy) or a column of DATA; or --task unsupervised")
    X, y, names = open_table(data, column)
    if not needs_target:
        y = None
    study: dict[str, Any] = {}
    if options.transpose:
        if not hasattr(X, "T"):
            raise ValueError(f"--transpose takes arrays in memory (.npy, .npz, .mtx), not {data!r}: leave it out")
        X = X.T
        options = replace(options, transpose=False)
    elif names is not None:
        study["names"] = names

    def values(name: str, role: str) -> Any:
        return _values_of_rows(name, role, target, X, options, notes)

    if time and event:
        from ..core import Survival

        y = Survival(values(time, "time"), values(event, "event"), event_value)
    elif target and task != "unsupervised" and column is None:
        y = _of_file(target[0], X, "target", options, notes)
        _check_rows(data, X, target[0], y)
    if covariate:
        study["covariates"] = DataFrame({name: values(name, "covariate") for name in covariate})
    if group:
        study["groups"] = values(group, "group")
    return X, y, study


def _last_target(data: str, needs_target: bool, notes: list[str]) -> str | None:
    """Return the last column of a file of columns if its name is that of a target, and add a note.

    Raises NoTarget if a target is needed, and the name is none.
    """
    from ..core.data.table_files import names_of_columns
    from .named_columns import is_target, no_target_in, note_on_last_column

    names = names_of_columns(data)
    if names and is_target(names[-1]):
        notes.append(note_on_last_column(names[-1], is_left_aside=not needs_target))
        return names[-1]
    if needs_target:
        raise NoTarget(no_target_in(os.path.basename(data), names))
    return None


def _check_rows(data: str, X: Any, target: str, y: Any) -> None:
    """Raise ValueError for a target with a value for each column of an array, and not for each row."""
    if len(getattr(X, "shape", ())) != 2:
        return
    n, p = X.shape
    if n != p == len(y):
        raise ValueError(
            f"{os.path.basename(data)} has {n:,} rows, and {os.path.basename(target)} has a value for each of its "
            f"{p:,} columns: if the rows are features, add --transpose"
        )


def _values_of_rows(
    name: str, role: str, target: Sequence[str], X: Any, options: "ReadingOptions", notes: list[str]
) -> Any:
    """Values (n,) of a FILE, of FILE:COLUMN, or of a column of the target's file."""
    import numpy as np

    if not _is_file(name):
        files = [path for path in map(_path, target) if is_table_of_cells(path)]
        if not files:
            raise ValueError(
                f"--{role} {name!r} is no file, for example people.csv:age, and no column: --target is no text"
            )
        name = f"{files[0]}:{name}"
    values = np.asarray(_of_file(name, X, role, options, notes))
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1 or (hasattr(X, "shape") and len(values) != X.shape[0]):
        rows = f"{X.shape[0]:,} rows" if hasattr(X, "shape") else "rows"
        raise ValueError(f"--{role} {name!r} must hold one value for each of the {rows}, not the shape {values.shape}")
    return values


def _is_file(name: str) -> bool:
    """True for FILE and FILE:COLUMN."""
    path = _path(name)
    return is_table_of_cells(path) or is_of(path, (NUMPY,))


def _path(name: str) -> str:
    """File of FILE or FILE:COLUMN."""
    return name.rpartition(":")[0] if ":" in name and not os.path.exists(name) else name


def _of_file(name: str, X: Any, role: str, options: "ReadingOptions", notes: list[str]) -> Any:
    """Values of FILE or FILE:COLUMN for the rows of X; adds to the notes how a text was read."""
    from ..core.data.table_files import open_table

    path = _path(name)
    if not os.path.isfile(path):
        raise ValueError(f"there is no file {path!r} with a {role}")
    if is_of(path, (NUMPY,)):
        return open_table(path)[0]
    n = X.shape[0] if hasattr(X, "shape") else None
    return _column(path, name[len(path) + 1 :] or None, n, role, options, notes)


def _column(
    path: str, column: str | None, n: int | None, role: str, options: "ReadingOptions", notes: list[str]
) -> Any:
    """Column of a text table or workbook, with or without a line of names above."""
    from ..core.data.facts import words_in_column
    from ..core.words import choices, shown, words_among_numbers
    from ..tabular import read_text_table

    try:
        table = read_text_table(path, options)
        if column is None and n is not None and table.header and len(table.cells) == n - 1:
            table = read_text_table(path, replace(options, header=False))  # the first line is a value, too
    except ValueError as error:
        raise ValueError(f"cannot read {path!r}: {error}") from error
    if column is None and len(table.names) == 1:
        column = table.names[0]
    if column not in table.names:
        advice = choices(column, table.names, shown)
        if column is not None:
            raise ValueError(f"{path!r} has no column {shown(column)} (--{role}); {advice}")
        raise ValueError(f"{path!r} has {len(table.names)} columns; name one behind a colon, {path}:NAME; {advice}")
    values = table.values(column)
    if words := words_among_numbers(text for text in values if isinstance(text, str)):
        raise ValueError(words_in_column(f"the {role} in {path!r}", words))
    notes.extend(f"{os.path.basename(path)}: {note}" for note in table.notes)
    return values
