"""Files of arrays and columns on the command line: ``orange-reliefe rank genotypes.npy --target y.csv``.

`data_of` chooses `ArrayData` for files that `is_array` recognises. Scripts that the command writes call `read_arrays`.
"""

# Heavy modules are imported in functions, so that --help answers at once.
import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..formats import LIBSVM, NUMPY, is_of
from .data import CommandData
from .endings import NoTarget, file_and_column, is_table_of_cells
from .feature_groups import read_feature_groups
from .reading_options import given_reading, refuse_reading
from .terminal import with_options

if TYPE_CHECKING:
    from ..core import Description, Ranking
    from ..tabular import ReadingOptions
    from .listing import Listing

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


class ArrayData(CommandData):
    """Arrays in a file, whose target is in another one or a column of it.

    Attributes
    ----------
    reading : dict
        Options of `read_arrays` that repeat the reading in a script, from `assign_roles`.
    X, y, study
        Features, target, and covariates and groups of rows, from `assign_roles`.
    rank_options : dict
        Arguments of `core.rank` besides, from `rank`.
    targets : tuple of str
        Names of the targets, from `rank`.
    """

    reading: dict[str, Any]
    X: Any
    y: Any
    study: dict[str, Any]
    rank_options: dict[str, Any]
    targets: tuple[str, ...]

    def read_source(self) -> None:
        """Override CommandData.read_source: files are read with their roles, which say what columns are wanted."""

    def assign_roles(self) -> None:
        """Override CommandData.assign_roles: the header alone tells that there is no target."""
        self.notes = []
        roles = {name: value for name in READING if (value := getattr(self.arguments, name))}
        self.reading = roles | given_reading(self.arguments)
        self.X, self.y, self.study = read_arrays(self.arguments.data, **self.reading, notes=self.notes)

    def options(self) -> dict[str, Any]:
        """Override CommandData.options: features may be given by their indices."""
        options = super().options()
        conditional = options["conditional"]
        names = _names_of_features(self.X, self.study)
        options["keep"] = _names_or_indices(self.arguments.keep, names) or None
        if not isinstance(conditional, bool):
            options["conditional"] = _names_or_indices(conditional, names)
        groups = self.arguments.feature_groups
        options["feature_groups"] = _feature_groups(groups, self.X, names, self.notes)
        return options

    def rank(self, run_options: Mapping[str, Any]) -> "Ranking":
        """Override CommandData.rank: targets are named by their columns or files."""
        from ..core import rank

        self.rank_options = self.options()
        ranking = rank(self.X, self.y, self.method, **run_options, **self.rank_options, **self.study, **self.parameters)
        arguments = self.arguments
        if arguments.time:
            self.targets = (arguments.time, arguments.event)
        else:
            self.targets = tuple(arguments.target or names_of_target(self.y))
        return ranking.with_target([file_and_column(name)[1] or os.path.basename(name) for name in self.targets])

    def rank_unadjusted(self, ranking: "Ranking", run_options: Mapping[str, Any]) -> "Ranking":
        """Override CommandData.rank_unadjusted."""
        from ..core import rank

        without = self.rank_options | {"significance": False, "conditional": False} | self.study | {"covariates": None}
        return rank(self.X, self.y, ranking.method, **run_options, **without, **self.parameters)

    def listing(self, ranking: "Ranking", further_columns: dict[str, list[int]]) -> "Listing":
        """Override CommandData.listing."""
        from ..core.report.page import ReportValues, report_values
        from ..core.targets.description import describe_target, names_of_classes
        from ..core.words import counted
        from .listing import Listing

        name = os.path.basename(self.arguments.data.rstrip("/"))
        task = ranking.info["task"]
        target = describe_target(self.targets, task, names_of_classes(self.y, task))
        size = f"{counted(ranking.info['rows'], 'row')}, {counted(ranking.n_features, 'feature')}"
        notes = [*dict.fromkeys(self.notes), *map(with_options, ranking.info["information"])]
        in_memory = hasattr(self.X, "shape") and hasattr(self.X, "__array__")
        values = (lambda: report_values(ranking, self.X, self.y, **self.study)) if in_memory else ReportValues
        digest = f"{name}: {size}, {target}"
        return Listing(ranking, name, digest, self.targets, notes, further_columns, target=target, values=values)

    def describe(self) -> "Description":
        """Override CommandData.describe: take a first look at the arrays."""
        from ..core import describe

        return describe(self.X, self.y, task=self.arguments.task, **self.study)

    def script(self, ranking: "Ranking") -> str:
        """Override CommandData.script."""
        from .listing import script

        imports = (
            "from orangecontrib.reliefe.command.arrays import read_arrays\nfrom orangecontrib.reliefe.core import rank"
        )
        reading = "".join(f", {key}={value!r}" for key, value in self.reading.items())
        line = f"X, y, study = read_arrays({self.arguments.data!r}{reading})"
        more = ", **study" if self.study else ""
        return script(
            ranking, line, self.best_expression, imports=imports, call="rank(X, y", more=more, **self.rank_options
        )


def names_of_target(y: Any) -> tuple[str, ...]:
    """Return the names of the columns of a target that a file of arrays has; empty without one."""
    if y is None:
        return ()
    return tuple(y.columns) if hasattr(y, "columns") else (getattr(y, "name", None) or TARGET_OF_FILE,)


def _names_of_features(X: Any, study: Mapping[str, Any]) -> Sequence[str] | None:
    """Return the names of the features of a file; None if it has none, so that options name features by indices.

    X and study are those of `read_arrays`.
    """
    from ..core.data import frames

    if "names" in study:
        names: Sequence[str] = study["names"]
        return names
    if frames.is_frame(X):
        return frames.names(X)
    return X.schema.names if hasattr(X, "schema") else None


def _feature_groups(
    option: str | None, X: Any, names: Sequence[str] | None, notes: list[str]
) -> dict[str, list[str | int]] | None:
    """Features of each group, by names or by indices in files without names; None without the option."""
    if option is None:
        return None
    groups = read_feature_groups(option, names or [*map(str, range(X.shape[1]))], notes=notes)
    return {group: _names_or_indices(features, names) for group, features in groups.items()}


def _names_or_indices(features: Sequence[str], names: Sequence[str] | None) -> list[str | int]:
    """Features as an option has them, for `rank`: by names if the file has names, and else by indices.

    A text that is no index stays as it is, and `rank` says that there is no such feature.
    """
    if names is not None:
        return [*features]
    return [int(feature) if feature.isdecimal() else feature for feature in features]


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
    column_options = [*target, *covariate, *filter(None, (group, time, event))]
    if not any(is_table_of_cells(_path(name)) for name in column_options):
        refuse_reading(options, ("transpose",))
    needs_target = task not in ("unsupervised", "survival")
    column = target[0] if needs_target and len(target) == 1 and not _is_file(target[0]) else None
    if not target and task != "survival" and has_columns(data):
        column = _last_target(data, needs_target, notes)
    elif needs_target and len(target) != 1 and (target or not is_of(data, (LIBSVM,))):
        from ..core.targets.facts import no_target

        problem = "one target is needed" if target else no_target(f"{os.path.basename(data)} has")
        raise NoTarget(f"{problem}: --target FILE (.csv, .npy) or a column of DATA; or --task unsupervised")
    X, y, names, reading_notes = open_table(data, column)
    notes.extend(reading_notes)
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
                f"--{role} {name!r} is no file, for example people.csv:age, and no column: --target is no text table"
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
