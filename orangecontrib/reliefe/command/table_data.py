"""A table as arrays for commands that do not list a ranking: by Orange's readers, or by our own where it is missing.

`powering` and `best_methods` call `read_data` with the arguments of the command.
"""

import argparse
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import has_orange
from ..core.targets.description import describe_target
from ..core.targets.tasks import CLASSIFICATION, UNSUPERVISED
from ..core.words import counted
from .endings import STDIN, STDIN_FILE
from .reading_options import given_reading, take_columns_beside
from .terminal import with_options

OUTPUTS = (".csv", ".tsv", ".json")  # files that these commands write


class TableData(NamedTuple):
    """A table as arguments of functions of the core.

    Attributes
    ----------
    X : (n, p) array
        Features; NaN is missing.
    y : array, DataFrame, Survival or None
        Targets.
    options : dict
        Arguments of `core.rank` besides X and y, for example names and nominal.
    digest : str
        Data and targets in a line.
    notes : list of str
        Sentences on how the table was read.
    """

    X: Any
    y: Any
    options: dict[str, Any]
    digest: str
    notes: list[str]


def read_data(arguments: argparse.Namespace, method: str, parameters: Mapping[str, Any]) -> TableData:
    """Read a text table, a workbook, or with Orange any file that it reads.

    Parameters
    ----------
    arguments : Namespace
        Options of the command: data, trust, target, task, covariate, group, and those of `reading_options`.
    method : str
        Name of the method, which may decide whether a target is needed.
    parameters : mapping
        Parameters of the method.

    Raises
    ------
    ValueError
        If the file cannot be read, or has no such columns or no target.
    """
    take_columns_beside(arguments)
    read = _read_by_orange if has_orange() else _read_by_itself
    data = read(arguments, method, parameters)
    notes = [*map(with_options, data.notes), *_notes_on_persons(data)]
    return data._replace(notes=notes)


def file_that_is_read(arguments: argparse.Namespace) -> str:
    """Name of the file of the data, which no output may replace."""
    if has_orange():
        from .loading import file_of

        return file_of(arguments.data)
    return STDIN_FILE if arguments.data == STDIN else str(arguments.data)


def _read_by_orange(arguments: argparse.Namespace, method: str, parameters: Mapping[str, Any]) -> TableData:
    from ..orange.conversion import arrays, asked
    from ..tabular import ReadingOptions
    from .loading import read_source
    from .target_column import problem

    source = read_source(arguments.data, arguments.trust, ReadingOptions(**given_reading(arguments)))
    named = [*arguments.covariate, *([arguments.group] if arguments.group else [])]
    data = problem(source, arguments.target, arguments.task, method, parameters, named)
    study = {"covariates": arguments.covariate or None, "groups": arguments.group}
    read = arrays(data.table, data.target, arguments.task, method, **study, **parameters)
    classes: list[str] = []
    if len(read.targets) == 1 and read.targets[0].is_discrete and read.task == CLASSIFICATION:
        codes = np.unique(np.asarray(read.y, float))
        classes = [read.targets[0].str_val(code) for code in codes[~np.isnan(codes)]]
    names = [variable.name for variable in read.targets]
    digest = _digest(data.table.name, read.X, names, read.task, classes)
    return TableData(read.X, read.y, asked(read), digest, [*data.notes, *read.notes])


def _read_by_itself(arguments: argparse.Namespace, method: str, parameters: Mapping[str, Any]) -> TableData:
    from .frames import read_frame

    notes: list[str] = []
    frame = read_frame(
        arguments.data,
        arguments.target or (),
        arguments.covariate,
        arguments.group,
        task=arguments.task,
        method=method,
        parameters=parameters,
        notes=notes,
        **given_reading(arguments),
    )
    name = os.path.splitext(os.path.basename(file_that_is_read(arguments)))[0]
    digest = _digest(name, frame.X, frame.targets, frame.options["task"], frame.classes)
    return TableData(frame.X, frame.y, frame.options, digest, notes)


def _notes_on_persons(data: TableData) -> list[str]:
    """Return a sentence on a feature in which a person occurs in several rows, unless rows have groups."""
    from ..core import describe
    from ..core.description import GROUP

    if data.options.get("groups") is not None:
        return []
    findings = describe(data.X, data.y, **data.options).findings
    return [f"{finding.sentence}, add --group {finding.columns[0]}" for finding in findings if finding.action == GROUP]


def _digest(name: str, X: Any, targets: Sequence[str], task: str | None, classes: Sequence[str]) -> str:
    """Data and targets in a line."""
    target = describe_target(targets, task or UNSUPERVISED, classes)
    return f"{name}: {counted(X.shape[0], 'row')}, {counted(X.shape[1], 'feature')}, {target}"
