"""Options of the command line for columns that are neither features nor a plain target: covariates, groups, times.

`cli.py` and `describing.py` add them to their parsers.
"""

# Nothing heavy is imported up here: --help should answer at once.
import argparse


def add_study(parser: argparse.ArgumentParser) -> None:
    """Add options for columns that are neither features nor the target."""
    columns_help = "columns that are no features: of DATA, of --phenotype beside genotypes, of --target beside arrays"
    example = "Example: orange-reliefe rank people.csv --target outcome --covariate age --group person"
    add = parser.add_argument_group("study", f"{columns_help}, or FILE:COLUMN. {example}").add_argument
    covariate = "adjust the scores for this column, for example age or site. Repeat for several columns"
    add("--covariate", metavar="NAME", action="append", default=[], help=covariate)
    group = "rows with the same value belong together, for example visits of a person"
    add("--group", metavar="NAME", help=group)
    time = "column of times until an event, with --event, instead of --target: times with censoring"
    add("--time", metavar="NAME", help=time)
    event = "column that says whether there was one, by 1, or by a word such as died; =WORD: by this word"
    add("--event", metavar="NAME[=WORD]", help=event)


def read_event(arguments: argparse.Namespace) -> None:
    """Split --event into a column and its word, `event_value`; the task of times is survival."""
    if arguments.time:
        arguments.task = "survival"
    arguments.event, arguments.event_value = event_and_value(arguments.event)


def event_and_value(text: str | None) -> tuple[str | None, str | None]:
    """Column and word of --event, for example "OS_STATUS=DECEASED".

    The word is None if nothing follows the last =, so that columns with = in their name can be given.
    """
    name, equals, value = (text or "").rpartition("=")
    return (name, value or None) if equals else (text, None)


def check_times(arguments: argparse.Namespace, has_arrays: bool) -> None:
    """Raise ValueError for a time without an event, or beside a target; has_arrays: the target has their file."""
    if arguments.event is None and arguments.time is not None:
        raise ValueError(f"--time {arguments.time} needs the column that says who had the event: add --event NAME")
    if arguments.time is None and arguments.event is not None:
        raise ValueError(f"--event {arguments.event} needs the column with the times until it: add --time NAME")
    if arguments.time and arguments.target and not has_arrays:
        raise ValueError("--time and --event are the target: leave --target out")
