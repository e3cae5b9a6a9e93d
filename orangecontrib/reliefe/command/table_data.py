"""A table as arrays for commands that do not list a ranking: `best-of` and `power`.

`powering` and `best_methods` call `read_data` with the arguments of the command.
"""

import argparse
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..core.files import refuse_inputs
from ..core.targets.description import describe_target
from ..core.targets.tasks import UNSUPERVISED
from ..core.words import counted
from .data import TableArrays
from .reading import table_of
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
    source = table_of(arguments, method, parameters)
    refuse_inputs([arguments.output], [source.file])
    source.read()
    table = source.arrays()
    target = describe_target(table.targets, table.options["task"] or UNSUPERVISED, table.classes)
    n, p = table.X.shape
    digest = f"{table.name}: {counted(n, 'row')}, {counted(p, 'feature')}, {target}"
    notes = [*map(with_options, source.notes), *_notes_on_persons(table)]
    return TableData(table.X, table.y, table.options, digest, notes)


def _notes_on_persons(data: TableArrays) -> list[str]:
    """Return a sentence on a feature in which a person occurs in several rows, unless rows have groups."""
    from ..core import describe
    from ..core.description import GROUP

    if data.options.get("groups") is not None:
        return []
    findings = describe(data.X, data.y, **data.options).findings
    return [f"{finding.sentence}, add --group {finding.columns[0]}" for finding in findings if finding.action == GROUP]
