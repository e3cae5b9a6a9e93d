"""The command ``orange-reliefe describe DATA --target NAME``: a first look at data, each finding with its option.

`cli` adds the command by `add_describe`. Data are read as `rank` reads them.
"""

# Nothing heavy is imported up here: --help should answer at once.
import argparse
import json
import shlex
from typing import TYPE_CHECKING, Any

from .arrays import ArrayData
from .data import CommandData
from .endings import NoTarget
from .genotypes import GenotypeData
from .reading import data_of
from .reading_options import add_reading_options
from .study_options import add_study
from .terminal import with_options, write

if TYPE_CHECKING:
    from ..core import Description, Finding

# Options by the action of a finding, as in `core.description`
OPTIONS = {
    "drop": "--drop {column}",
    "missing": "--missing {value}",
    "categories": "--categories {column}",
    "group": "--group {column}",
    "covariate": "--covariate {column}",
    "diff": "--set diff={value}",
    "task": "--task {value}",
    "times": "--time {column} --event {event}",
    "transpose": "--transpose",
}
NO_TARGET = "A column becomes the target by --target NAME"
NO_TARGET_OF_ARRAY = "A file of its values becomes the target by --target FILE"
OF_TEXT_TABLES = ("drop", "missing", "categories")  # actions whose options apply to text tables and workbooks only
MAX_OPTIONS = 5  # columns whose options are written out


def add_describe(parser: argparse.ArgumentParser, tasks: tuple[str, ...]) -> None:
    """Add the arguments of the command; tasks: kinds of target that the user may name."""
    parser.set_defaults(command=describe_data, beside=())
    add = parser.add_argument
    add("data", metavar="DATA", help="a file or data set, as for `rank`")
    add("--target", metavar="NAME", action="append", help="the target; FILE:NAME: of another table. Repeat for several")
    add("--task", choices=tasks, help="read the target in this way; unsupervised: leave it aside")
    add("--trust", action="store_true", help="DATA may run code that is stored in it: needed for pickles")
    add("--json", action="store_true", help="print JSON instead of text")
    add_reading_options(parser)
    add_study(parser)
    add = parser.add_argument_group("genotypes").add_argument
    add("--phenotype", metavar="FILE", help="table of the phenotype, as for `rank`")
    add("--phenotype-column", metavar="NAME", help="column of that table, where it has several")
    add("--dosages", action="store_true", help="count dosages by their nearest genotypes")


def describe_data(arguments: argparse.Namespace) -> None:
    """Read data, and print their description."""
    data = data_of(arguments)
    if isinstance(data, GenotypeData):
        _describe_genotypes(data)
        return
    has_arrays = isinstance(data, ArrayData)
    notes = _read(data)
    description: Description = data.describe()
    notes += data.notes
    if arguments.json:
        write(json.dumps(_document(description, notes, has_arrays), indent=2) + "\n")
        return
    lines = [*description.lines(), *map(with_options, notes)]
    for finding in description.findings:
        option = option_of(finding, has_arrays)
        lines += [f"- {finding.sentence}", *([f"    {option}"] if option else [])]
    if not description.findings:
        lines.append("Nothing looks suspect")
    write("\n".join(lines) + "\n")


def _read(data: CommandData) -> list[str]:
    """Read data, without a target if they have none; returns a note on that."""
    from ..core.data.table_files import has_columns
    from ..core.targets.tasks import UNSUPERVISED

    arguments = data.arguments
    data.read_source()
    try:
        data.assign_roles()
    except NoTarget:
        if arguments.target:
            raise
        arguments.task = UNSUPERVISED
        data.assign_roles()
        is_array_alone = isinstance(data, ArrayData) and not has_columns(arguments.data)
        return [NO_TARGET_OF_ARRAY if is_array_alone else NO_TARGET]
    return []


def _describe_genotypes(data: GenotypeData) -> None:
    """Print the description of a file of genotypes."""
    from dataclasses import asdict

    arguments = data.arguments
    data.check_reading()
    if arguments.covariate or arguments.group:
        raise ValueError("--covariate and --group of genotypes are read by rank: leave them out")
    description = data.describe()
    text = json.dumps(asdict(description), indent=2) if arguments.json else "\n".join(description.lines())
    write(text + "\n")


def option_of(finding: "Finding", is_of_arrays: bool = False) -> str:
    """Return the option of the command that acts on a finding, once for each of its columns; empty without one.

    is_of_arrays: True for a file of arrays or columns, which is ranked as it is.
    """
    if is_of_arrays and finding.action in OF_TEXT_TABLES:
        return ""
    template = OPTIONS[finding.action]
    if finding.action == "times":
        time, event = map(shlex.quote, finding.columns)
        return template.format(column=time, event=event)
    if "{column}" not in template:
        return template.format(value=finding.value)
    columns = finding.columns[:MAX_OPTIONS]
    options = [template.format(column=shlex.quote(column), value=finding.value) for column in columns]
    return " ".join(options) + (" ..." if len(finding.columns) > MAX_OPTIONS else "")


def _document(description: "Description", notes: list[str], is_of_arrays: bool) -> dict[str, Any]:
    """Return a description as plain literals."""
    facts = ("rows", "features", "categories", "missing_share", "task", "target")
    findings = [
        {"finding": finding.text, "columns": [*finding.columns], "option": option_of(finding, is_of_arrays)}
        for finding in description.findings
    ]
    return {
        **{name: getattr(description, name) for name in facts},
        "left_out": [*description.left_out],
        "input": notes,
        "findings": findings,
    }
