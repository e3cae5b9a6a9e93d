"""Files of arrays on the command line: ``orange-reliefe rank genotypes.npy --target y.csv``."""

# Nothing heavy is imported up here: --help should answer at once.
import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .endings import REPORTS, TEXTS
from .terminal import N_SHOWN, check_outputs, check_path, shown_progress, tested_features, with_options

if TYPE_CHECKING:
    from ..tabular import ReadingOptions

OUTPUTS, PLOTS = (".csv", ".tsv", ".json"), (".svg",)
READING = (  # options of the command that `read_arrays` takes
    "target",
    "covariate",
    "group",
    "time",
    "event",
    "event_value",
    "decimal",
    "encoding",
    "transpose",
    "task",
)


def is_array(arguments: argparse.Namespace) -> bool:
    """True where DATA is a file of arrays; without --target .npy holds genotypes of people."""
    from ..core.data.table_files import is_file_of_tables

    name = str(arguments.data)
    genotypes = name.lower().endswith(".npy") and (arguments.phenotype or not (arguments.target or arguments.task))
    return not genotypes and is_file_of_tables(name)


def rank_array(arguments: argparse.Namespace, parameters: dict[str, object]) -> None:
    """Rank the columns of a file, write what is asked for, and print the best; raises what `core.rank` does."""
    check_path(arguments.output, OUTPUTS)
    check_path(arguments.plot, PLOTS)
    check_path(arguments.report, REPORTS)
    check_outputs(arguments, arguments.data)
    from ..core import rank
    from ..core.report.page import ReportValues, report_values
    from ..core.targets.description import describe_target
    from ..core.words import counted
    from .listing import Listing, names_of_classes, script

    reading = {name: value for name in READING if (value := getattr(arguments, name))}
    notes: list[str] = []
    X, y, study = read_arrays(arguments.data, **reading, notes=notes)
    conditional = tested_features(arguments)
    options = {
        "keep": _places(arguments.keep) or None,
        "task": arguments.task,
        "random_state": arguments.seed,
        "significance": arguments.significance,
        "conditional": conditional if isinstance(conditional, bool) else _places(conditional),
    }
    with shown_progress(arguments.quiet) as progress:
        found = rank(X, y, arguments.method, n_jobs=arguments.jobs, progress=progress, **options, **study, **parameters)
    name = os.path.basename(arguments.data.rstrip("/"))
    names = (arguments.time, arguments.event) if arguments.time else tuple(arguments.target or ())
    task = found.info["task"]
    target = describe_target(names, task, names_of_classes(y, task))
    digest = f"{name}: {counted(found.info['rows'], 'row')}, {counted(len(found.scores), 'feature')}, {target}"
    notes = [*dict.fromkeys(notes), *map(with_options, found.info["information"])]
    in_memory = hasattr(X, "shape") and hasattr(X, "__array__")
    values = (lambda: report_values(found, X, y)) if in_memory else ReportValues
    listing = Listing(found, name, digest, arguments.target or (), notes, target=target, values=values)
    imports = (
        "from orangecontrib.reliefe.command.arrays import read_arrays\nfrom orangecontrib.reliefe.core import rank"
    )
    reads = "".join(f", {key}={value!r}" for key, value in reading.items())
    line, best = f"X, y, study = read_arrays({arguments.data!r}{reads})", f"ranking.best({arguments.top or N_SHOWN})"
    call, more = "rank(X, y", ", **study" * bool(study)
    listing.deliver(arguments, lambda: script(found, line, best, imports=imports, call=call, more=more, **options))


def _places(names: Sequence[str]) -> list[str | int]:
    """Names of features, or their numbers from 0 in files without names."""
    return [int(name) if name.isdecimal() else name for name in names]


def read_arrays(
    data: str,
    target: Sequence[str] = (),
    covariate: Sequence[str] = (),
    group: str | None = None,
    time: str | None = None,
    event: str | None = None,
    event_value: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    transpose: bool = False,
    task: str | None = None,
    notes: list[str] | None = None,
) -> tuple[Any, Any, dict[str, Any]]:
    """X and y of files as `core.rank` takes them, and its arguments `covariates` and `groups`.

    Parameters
    ----------
    data, target, covariate, group, time, event, decimal, encoding, transpose, task
        The options of the command of these names.
    event_value : str, optional
        The word in --event NAME=WORD.
    notes : list of str, optional
        Gets sentences on how texts were read.
    """
    from pandas import DataFrame

    from ..core.data.table_files import open_table
    from ..tabular import ReadingOptions

    options = ReadingOptions(decimal=decimal, encoding=encoding)
    notes = [] if notes is None else notes
    if data.lower().endswith(".npz") and os.path.isfile(data):
        from ..tabular.limits import check_unpacked

        check_unpacked(data)
    if len(target) != 1 and task not in ("unsupervised", "survival"):
        raise ValueError("one target is needed: --target FILE (.csv, .npy) or a column of DATA; or --task unsupervised")
    column = target[0] if target and not (_is_file(target[0]) or task in ("unsupervised", "survival")) else None
    X, y = open_table(data, column)
    if transpose:
        if not hasattr(X, "T"):
            raise ValueError(f"--transpose takes arrays in memory (.npy, .npz), not {data!r}: leave it out")
        X = X.T

    def values(name: str, role: str) -> Any:
        return _values_of_rows(name, role, target, X, options, notes)

    if time and event:
        from ..core import Survival

        y = Survival(values(time, "time"), values(event, "event"), event_value)
    elif target and task != "unsupervised" and column is None:
        y = _of_file(target[0], X, "target", options, notes)
    study = {"covariates": DataFrame({name: values(name, "covariate") for name in covariate})} if covariate else {}
    return X, y, study | ({"groups": values(group, "group")} if group else {})


def _values_of_rows(
    name: str, role: str, target: Sequence[str], X: Any, options: "ReadingOptions", notes: list[str]
) -> Any:
    """Values (n,) of a FILE, of FILE:COLUMN, or of a column of the target's file."""
    import numpy as np

    if not _is_file(name):
        files = [path for path in map(_path, target) if path.lower().endswith(TEXTS)]
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
    return _path(name).lower().endswith((*TEXTS, ".npy"))


def _path(name: str) -> str:
    """The file of FILE or FILE:COLUMN."""
    return name.rpartition(":")[0] if ":" in name and not os.path.exists(name) else name


def _of_file(name: str, X: Any, role: str, options: "ReadingOptions", notes: list[str]) -> Any:
    """Values that FILE or FILE:COLUMN holds for the rows of X; adds to the notes how a text was read."""
    from ..core.data.table_files import open_table

    path = _path(name)
    if not os.path.isfile(path):
        raise ValueError(f"there is no file {path!r} with a {role}")
    if path.lower().endswith(".npy"):
        return open_table(path)[0]
    n = X.shape[0] if hasattr(X, "shape") else None
    return _column(path, name[len(path) + 1 :] or None, n, role, options, notes)


def _column(
    path: str, column: str | None, n: int | None, role: str, options: "ReadingOptions", notes: list[str]
) -> Any:
    """A column of a text table or workbook, with or without a line of names above."""
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
        given = " and ".join(map(shown, words))
        raise ValueError(f"the {role} in {path!r} has {given} among numbers: empty these cells if they are missing")
    notes.extend(f"{os.path.basename(path)}: {note}" for note in table.notes)
    return values
