"""The command ``orange-reliefe describe DATA --target NAME``: a first look at data, each finding with its option.

`cli` adds the command by `add_describe`. Data are read as `rank` reads them.
"""

# Nothing heavy is imported up here: --help should answer at once.
import argparse
import json
import shlex
from typing import TYPE_CHECKING, Any

from .. import has_orange
from ..formats import refuse_other_name
from .arrays import is_array, read_arrays
from .endings import OF_GENOTYPES, NoTarget, is_genotypes
from .frames import read_frame
from .reading_options import add_reading_options, given_reading, refuse_reading, take_columns_beside
from .study_options import add_study, check_times, read_event
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
ROLES = ("target", "covariate", "group", "event_value", "task")


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
    refuse_other_name(arguments.data)
    has_arrays = is_array(arguments)
    has_genotypes = is_genotypes(arguments.data) and not has_arrays
    read_event(arguments)
    check_times(arguments, has_arrays)
    if has_genotypes:
        _describe_genotypes(arguments)
        return
    for name in ("phenotype", "phenotype_column", "dosages"):
        if getattr(arguments, name):
            raise ValueError(f"--{name.replace('_', '-')} is for {OF_GENOTYPES}: leave it out")
    notes: list[str] = []
    if has_arrays:
        description = _of_arrays(arguments, notes)
    else:
        take_columns_beside(arguments)
        if arguments.time:
            arguments.target = [arguments.time, arguments.event]
        description = (_of_table if has_orange() else _of_frame)(arguments, notes)
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


def _describe_genotypes(arguments: argparse.Namespace) -> None:
    """Print the description of a file of genotypes."""
    from dataclasses import asdict

    from ..genetics import describe_genotypes
    from ..tabular import ReadingOptions

    refuse_reading(ReadingOptions(**given_reading(arguments)))
    if arguments.target:
        raise ValueError("the target of genotypes is --phenotype FILE with --phenotype-column NAME: leave --target out")
    if arguments.covariate or arguments.group:
        raise ValueError("--covariate and --group of genotypes are read by rank: leave them out")
    has_times = bool(arguments.time)
    description = describe_genotypes(
        arguments.data,
        arguments.phenotype,
        (arguments.time, arguments.event) if has_times else arguments.phenotype_column,
        task=None if has_times else arguments.task,
        event_value=arguments.event_value,
        dosages=arguments.dosages,
    )
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
    columns = finding.columns[:MAX_OPTIONS] if "{column}" in template else ("",)
    options = [template.format(column=shlex.quote(column), value=finding.value) for column in columns]
    return " ".join(options) + (" ..." if len(finding.columns) > MAX_OPTIONS else "")


def _of_arrays(arguments: argparse.Namespace, notes: list[str]) -> "Description":
    from ..core import describe
    from ..core.data.table_files import has_columns
    from ..core.targets.tasks import UNSUPERVISED

    roles = ("time", "event", *ROLES)
    reading = {name: value for name in roles if (value := getattr(arguments, name))} | given_reading(arguments)
    try:
        X, y, study = read_arrays(arguments.data, **reading, notes=notes)
    except NoTarget:
        if arguments.target:
            raise
        reading["task"] = UNSUPERVISED
        notes.append(NO_TARGET if has_columns(arguments.data) else NO_TARGET_OF_ARRAY)
        X, y, study = read_arrays(arguments.data, **reading, notes=notes)
    return describe(X, y, task=reading.get("task"), **study)


def _of_table(arguments: argparse.Namespace, notes: list[str]) -> "Description":
    from ..core.description import with_codes
    from ..core.targets.tasks import UNSUPERVISED
    from ..orange.description import describe
    from ..tabular import ReadingOptions
    from .loading import read_source
    from .target_column import problem

    source = read_source(arguments.data, arguments.trust, ReadingOptions(**given_reading(arguments)))
    groups = [arguments.group] if arguments.group else []
    named = [*arguments.covariate, *groups]
    task = arguments.task
    try:
        data = problem(source, arguments.target, task, "auto", {}, named)
    except NoTarget:
        task = UNSUPERVISED
        notes.append(NO_TARGET)
        data = problem(source, None, task, "auto", {}, named)
    description = describe(
        data.table,
        data.target,
        task=task,
        covariates=arguments.covariate or None,
        groups=arguments.group,
        event_value=arguments.event_value,
    )
    notes += data.notes[: len(data.notes) - bool(data.codes)]
    return with_codes(description, data.codes)


def _of_frame(arguments: argparse.Namespace, notes: list[str]) -> "Description":
    from pandas import Series

    from ..core import describe
    from ..core.description import with_codes
    from ..core.targets.tasks import CLASSIFICATION, UNSUPERVISED

    reading: dict[str, Any] = {name: value for name in ROLES if (value := getattr(arguments, name))}
    reading |= given_reading(arguments)
    of_file: list[str] = []
    try:
        data = read_frame(arguments.data, notes=of_file, **reading)
    except NoTarget:
        of_file = [NO_TARGET]
        data = read_frame(arguments.data, notes=of_file, **{**reading, "task": UNSUPERVISED})
    notes += of_file[: len(of_file) - bool(data.codes)]
    options, y = data.options, data.y
    if options["task"] == CLASSIFICATION and len(data.targets) == 1:
        distinct_values = {value for value in y if value is not None and value == value}
        names_of_codes = dict(zip(sorted(distinct_values), data.classes, strict=True))
        y = Series([names_of_codes.get(value) for value in y], name=data.targets[0])
    return with_codes(describe(data.X, y, **options), data.codes)


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
