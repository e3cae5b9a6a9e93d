"""Command line: ``orange-reliefe rank DATA``, and the commands describe, replicate, best-of, power, methods and warm.

The entry point of the package calls `main`, which has the options of all commands. `data` ranks.
"""

# Heavy modules are imported in functions, so that --help and errors of usage answer at once.
import argparse
import ast
import gc
import json
import os
import re
import sys
import textwrap
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from .. import __version__
from .data import rank_data
from .describing import add_describe
from .genotypes import add_genetics
from .reading import data_of
from .reading_options import add_reading_options
from .study_options import add_study
from .terminal import (
    N_SHOWN,
    encodable,
    indented,
    with_options,
    write,
)

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


PROGRAM = "orange-reliefe"
COMPLETES = "_ARGCOMPLETE"  # variable of the environment by which a shell asks for completions
# Exit statuses
BAD_INPUT = 2
STOPPED = 130
N_IMPORTED_OBJECTS = 100_000  # about; nearly all of them stay, so that garbage need not be collected before
MAX_CHARACTERS = 1000  # characters of a value, and of a message
METHODS_FILE = Path(__file__).parents[1] / "_methods.json"  # of an installed package: setup.py writes it
REGISTRY = "orangecontrib.reliefe.core.methods.registry"
# Those of core.TASKS, which are not imported for --help; a test compares them.
TASKS = ("classification", "regression", "multi-label", "multi-target", "hierarchical", "unsupervised")
# Those of core.replicate; a test compares them
DESIGNS = ("symmetric", "follow-up")
PROCEDURES = ("r-value", "adafilter")


class WholeWords(argparse.HelpFormatter):
    """Formatter of help whose lines do not end within names of commands and kinds, at a hyphen."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        """Override HelpFormatter._split_lines: lines of the help of an option."""
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Override HelpFormatter._fill_text: the description of a group."""
        lines = textwrap.wrap(" ".join(text.split()), width - len(indent), break_on_hyphens=False)
        return "\n".join(f"{indent}{line}" for line in lines)


class Parser(argparse.ArgumentParser):
    """Parser that reports an error in one line."""

    help_on_options: Callable[[], str] = str

    def _print_message(self, message: str, file: "SupportsWrite[str] | None" = None) -> None:
        """Overrides argparse: a pipe may have an encoding without all characters of the help, for example cp1250."""
        stream = sys.stderr if file is None else file
        super()._print_message(encodable(message, stream), stream)

    def error(self, message: str) -> NoReturn:
        """Report an error of usage, with the nearest option for an unknown one, and exit."""
        from ..core.words import choices, cut

        unknown = re.findall(r"(?<=unrecognized arguments: )--[\w-]+", message)
        if unknown:
            options = re.findall(r"(?<![\w-])--[a-z][\w-]+", self.help_on_options())
            message += f"; {choices(unknown[0], [*dict.fromkeys(options)])}"
        message = re.sub(r"\S{81,}", lambda match: cut(match[0]), message)  # long values
        self.exit(BAD_INPUT, f"{self.prog}: {cut(message, MAX_CHARACTERS)}\n")


def main(argv: list[str] | None = None) -> int:
    """Run the command line. Without arguments, help is written to the standard error, as for a usage error.

    Parameters
    ----------
    argv : list of str, optional
        Arguments. None: those of the process.

    Returns
    -------
    int
        Exit status: 0, 2 for bad input, 130 when stopped by Ctrl-C.
    """
    parser = _parser()
    if COMPLETES in os.environ:  # a shell asks for words
        complete(parser)
    if not (sys.argv[1:] if argv is None else argv):
        parser.print_help(sys.stderr)
        return BAD_INPUT
    arguments = parser.parse_args(argv)
    gc.set_threshold(N_IMPORTED_OBJECTS)  # a sixth of the time of a small ranking
    try:
        arguments.command(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed its end of the pipe. Without this, Python reports an error when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (ValueError, TypeError, OSError, MemoryError, ImportError) as error:
        reason = with_options(
            " ".join(str(error).split()) or type(error).__name__, [name for name, _ in getattr(arguments, "set", [])]
        )
        if getattr(arguments, "time", None):
            reason = reason.replace("unknown --target", "unknown --time or --event")
        sys.stderr.write(encodable(f"{PROGRAM}: {reason}\n", sys.stderr))
        return BAD_INPUT
    except KeyboardInterrupt:
        sys.stderr.write(f"{PROGRAM}: stopped\n")
        return STOPPED
    return 0


def complete(parser: argparse.ArgumentParser) -> None:
    """Answer a shell that completes a command by argcomplete, if that is installed, and exit."""
    with suppress(ImportError):
        import argcomplete

        argcomplete.autocomplete(parser)


def _parser() -> Parser:
    """Parser of all commands."""
    parser = Parser(prog=PROGRAM, description="Rank features by the Relief family.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    rank = commands.add_parser(
        "rank",
        help="rank the features of a data set",
        description="Rank the features of a data set by how well they predict a target.",
        usage=f"{PROGRAM} rank DATA [--target NAME] [OPTIONS]",
        formatter_class=WholeWords,
        allow_abbrev=False,
    )
    rank.set_defaults(command=_rank, beside=())
    _add_data(rank)
    _add_target(rank)
    add_study(rank)
    _add_method(rank)
    _add_p_values(rank)
    _add_output(rank)
    add_genetics(rank)
    parser.help_on_options = rank.format_help
    add_describe(commands.add_parser("describe", help="take a first look at data", allow_abbrev=False), TASKS)
    add_replicate(commands.add_parser("replicate", help="find features that hold in two cohorts", allow_abbrev=False))
    several = "p-values that hold where several methods were tried"
    add_best_of(commands.add_parser("best-of", help=several, allow_abbrev=False))
    add_power(commands.add_parser("power", help="sample size from a pilot study", allow_abbrev=False))
    methods = commands.add_parser("methods", help="list the methods, with sources", allow_abbrev=False)
    methods.set_defaults(command=_methods)
    methods.add_argument("--json", action="store_true", help="print JSON instead of text")
    warm = commands.add_parser("warm", help="compile the methods now, once after installation", allow_abbrev=False)
    warm.set_defaults(command=_warm)
    warm.add_argument("--all", action="store_true", help="compile for unusual parameters, too: some minutes")
    return parser


def _add_data(parser: argparse.ArgumentParser) -> None:
    """Add the data, and the options on how they are read."""
    stdin = "-: CSV, tab-separated values or ARFF from the standard input"
    large = "with --target: .npy, .npz, .mtx, .parquet, .feather, .zarr, .h5, some larger than memory; .svm"
    of_data = f"a file that Orange reads, a data set of Orange (iris); {large}; {stdin}"
    parser.add_argument("data", metavar="DATA", help=of_data)
    group = add_reading_options(parser, "data", f"Example: {PROGRAM} rank people.csv --decimal , --missing -99")
    group.add_argument(
        "--trust", action="store_true", help="DATA may run code that is stored in it: needed for pickles"
    )


def _add_target(parser: argparse.ArgumentParser) -> None:
    """Add options on the target and on the features."""
    add = parser.add_argument_group("target and features", f"Example: {PROGRAM} rank people.csv --target outcome")
    again = "give it again for several (default: as DATA says, or a last column class, target, label, y or outcome)"
    target = (
        f"the variable to rank for; FILE:NAME: of a table with the same names of rows; {again}. Beside arrays: their "
        "file (y.csv, y.csv:NAME, y.npy)"
    )
    add.add_argument("--target", metavar="NAME", action="append", help=target)
    kinds = f"kind of the target: {', '.join(TASKS)}; unsupervised: leave it aside"
    add.add_argument("--task", metavar="KIND", choices=TASKS, help=kinds)
    keep = "always select this feature: it counts among the N best. Boosted methods take it first. Repeat for several"
    add.add_argument("--keep", metavar="NAME", action="append", default=[], help=keep)
    grouped = (
        "rank features as one: a table with the columns feature and group; prefix:_ (names before the last _); "
        "attribute:KEY (an attribute of variables of Orange)"
    )
    add.add_argument("--feature-groups", metavar="FILE", help=grouped)


def _add_method(parser: argparse.ArgumentParser) -> None:
    """Add options on the method and its work."""
    example = f"Example: {PROGRAM} rank people.csv --method multisurf --set missing=ignore"
    add = parser.add_argument_group("method", example).add_argument
    add("--method", metavar="NAME", default="auto", help=f"see `{PROGRAM} methods` (default: chosen by the data)")
    settings = "a parameter of the method; NAME.INNER=VALUE: of a method that it ranks by"
    add("--set", metavar="NAME=VALUE", action="append", default=[], type=_setting, help=settings)
    add("--n-instances", metavar="N", type=_literal, help="rows to score from: a number or a share (default: all)")
    add("--jobs", metavar="N", type=_whole_number, help="threads (default: one for each processor)")
    add("--seed", metavar="N", type=_whole_number, default=0, help="of the random choice of rows (default: 0)")


def _add_p_values(parser: argparse.ArgumentParser) -> None:
    """Add options on tests."""
    example = f"Example: {PROGRAM} rank people.csv --target outcome --significance"
    add = parser.add_argument_group("p-values", example).add_argument
    test = "also z, p and the false discovery rate q, by N shuffled targets (default: 20 to 199 by the features)"
    add("--significance", metavar="N", type=_count, nargs="?", const=True, default=False, help=test)
    adds = (
        "also test whether features add to the remaining ones: all features up to 100, else the discoveries, or the "
        "features NAME. Repeat for several"
    )
    add("--conditional", metavar="NAME", action="append", nargs="?", default=[], help=adds)


def _add_output(parser: argparse.ArgumentParser) -> None:
    """Add options on what is printed and written."""
    example = f"Example: {PROGRAM} rank people.csv --top 10 --output scores.csv --report result.html"
    group = parser.add_argument_group("output", example)
    add = group.add_argument
    add("--top", metavar="N", type=_count, help=f"show the N best (default: {N_SHOWN}; with --json: all)")
    add("--output", metavar="FILE", help="write all scores to FILE: .csv (by rank), .tab, .xlsx, .fimp, .json ...")
    add("--plot", metavar="FILE", help=f"write a bar chart of the N best (--top; default: {N_SHOWN}) to FILE: .svg")
    page = "write a web page for a colleague to FILE: table, charts, values of the best, method and script: .html"
    add("--report", metavar="FILE", help=page)
    quiet = "print only the ranking, no head and no progress; errors are still printed"
    add("--quiet", action="store_true", help=quiet)
    form = group.add_mutually_exclusive_group().add_argument
    form("--json", action="store_true", help="print JSON instead of a table")
    form("--script", action="store_true", help="print the lines of Python that give the same list instead of a table")


def add_replicate(parser: argparse.ArgumentParser) -> None:
    """Add arguments of the command that compares two files of scores."""
    parser.set_defaults(command=_replicate)
    add = parser.add_argument
    written = f"write it by {PROGRAM} rank DATA --significance --output FILE.csv"
    add("a", metavar="A", help=f"scores of cohort A, a .csv or .tsv with the columns feature and p: {written}")
    add("b", metavar="B", help="scores of cohort B, by the same method or another one")
    design = "follow-up: A is the primary cohort, and B follows up its discoveries (default: symmetric)"
    add("--design", choices=DESIGNS, default=DESIGNS[0], help=design)
    procedure = "adafilter finds more, and is for the symmetric design only (default: r-value)"
    add("--method", choices=PROCEDURES, default=PROCEDURES[0], help=procedure)
    select = "largest p of a feature that a cohort selects, or largest q in A for a follow-up (default: 0.05)"
    add("--select", metavar="P", type=float, help=select)
    add("--level", metavar="Q", type=float, default=0.1, help="false discovery rate (default: 0.1)")
    add("--top", metavar="N", type=_count, default=N_SHOWN, help=f"show the N smallest r (default: {N_SHOWN})")
    add("--output", metavar="FILE", help="write r and p of all features to FILE: .csv, .tsv or .json")
    add("--json", action="store_true", help="print JSON instead of a table")


def add_best_of(parser: argparse.ArgumentParser) -> None:
    """Add arguments of the command that tests features by the best of several methods."""
    parser.set_defaults(command=_best_of)
    add = parser.add_argument
    _add_table(parser)
    methods_help = f"names of all methods that were tried, between commas, with their defaults; see `{PROGRAM} methods`"
    add("--methods", metavar="NAMES", required=True, help=methods_help)
    covariate_help = "adjust for this column, for example age or site. Repeat for several columns"
    add("--covariate", metavar="NAME", action="append", default=[], help=covariate_help)
    add("--group", metavar="NAME", help="rows with the same value belong together, for example visits of a person")
    shuffles_help = "number of shuffled targets (default: 20 for each method and 20 more, or more for few features)"
    add("--shuffles", metavar="N", type=_count, help=shuffles_help)
    add("--level", metavar="Q", type=float, default=0.1, help="false discovery rate (default: 0.1)")
    add("--top", metavar="N", type=_count, default=N_SHOWN, help=f"show the N smallest p (default: {N_SHOWN})")
    add("--output", metavar="FILE", help="write p, q and family-wise p of all features to FILE: .csv, .tsv or .json")


def add_power(parser: argparse.ArgumentParser) -> None:
    """Add arguments of the command that estimates the sample size."""
    parser.set_defaults(command=_power, covariate=[], group=None)
    add = parser.add_argument
    _add_table(parser)
    add("-n", metavar="N", type=_count, nargs="+", required=True, help="numbers of rows of studies, from 20")
    add("--method", metavar="NAME", default="multisurf", help=f"see `{PROGRAM} methods` (default: multisurf)")
    add("--set", metavar="NAME=VALUE", action="append", default=[], type=_setting, help="a parameter of the method")
    add("--sets", metavar="N", type=_count, default=20, help="simulated studies for each number of rows (default: 20)")
    shuffles = "number of shuffled targets in each study (default: 20 to 199 by the features)"
    add("--shuffles", metavar="N", type=_count, help=shuffles)
    add("--level", metavar="Q", type=float, default=0.1, help="false discovery rate of all studies (default: 0.1)")
    add("--output", metavar="FILE", help="write the shares of all features to FILE: .csv, .tsv or .json")


def _add_table(parser: argparse.ArgumentParser) -> None:
    """Add arguments of commands that read a table."""
    add = parser.add_argument
    add("data", metavar="DATA", help="a table as `rank` reads it: a file, a data set of Orange (iris), or - for a pipe")
    add("--trust", action="store_true", help="DATA may run code that is stored in it: needed for pickles")
    target = "the target (default: as DATA says, or a last column class, target, label, y or outcome)"
    add("--target", metavar="NAME", action="append", help=target)
    add("--task", choices=TASKS, help="read the target in this way")
    add("--jobs", metavar="N", type=_whole_number, help="threads (default: one for each processor)")
    add("--seed", metavar="N", type=_whole_number, default=0, help="of random numbers (default: 0)")
    add("--quiet", action="store_true", help="print only the list, no head and no progress; errors are still printed")
    add("--json", action="store_true", help="print JSON instead of a table")
    add_reading_options(parser)


def _literal(text: str) -> object:
    """ "20" -> 20, "0.5" -> 0.5, "none" -> None, "0.05,0.1" -> (0.05, 0.1); other text stays text."""
    if len(text) > MAX_CHARACTERS:  # Python's parser may need more memory, or more calls in each other, than there are
        return text
    try:
        return ast.literal_eval(text.capitalize() if text.lower() in ("none", "true", "false") else text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return text


def _nested(settings: list[tuple[str, object]]) -> dict[str, Any]:
    """Parameters by name. A method and its parameters are a pair: ``core=relieff`` and ``core.sigma=2`` are
    ``("relieff", {"sigma": 2})``."""
    parameters: dict[str, Any] = {name: value for name, value in settings if "." not in name}
    for name, value in settings:
        outer, dot, inner = name.partition(".")
        if dot:
            method = parameters.get(outer)
            inner_parameters: dict[str, Any] = {}
            if isinstance(method, tuple):
                method, inner_parameters = method
            parameters[outer] = method, {**inner_parameters, inner: value}
    return parameters


def _setting(text: str) -> tuple[str, object]:
    """Name and value of NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        from ..core.words import shown

        raise argparse.ArgumentTypeError(f"NAME=VALUE is needed, for example n_neighbors=20, not {shown(text)}")
    return name.strip(), _literal(value.strip())


def _count(text: str) -> int:
    """Whole number from 1."""
    return _whole_number(text, 1)


def _whole_number(text: str, least: int | None = None) -> int:
    """Whole number, at least as large as `least`."""
    value = None
    with suppress(ValueError):
        value = int(text)
    if value is None or (least is not None and value < least):
        from ..core.words import shown

        needed = "a whole number" if value is None else f"a number from {least}"
        raise argparse.ArgumentTypeError(f"{needed} is needed, not {shown(text)}")
    return value


def _rank(arguments: argparse.Namespace) -> None:
    """Run the command rank."""
    parameters = _nested(arguments.set)
    if arguments.n_instances is not None:
        parameters["n_instances"] = arguments.n_instances
    with warnings.catch_warnings():
        if arguments.quiet:
            warnings.simplefilter("ignore")
        rank_data(data_of(arguments, arguments.method, parameters))


def _replicate(arguments: argparse.Namespace) -> None:
    """Run the command replicate."""
    from .replicating import replicate_files

    replicate_files(arguments)


def _best_of(arguments: argparse.Namespace) -> None:
    """Run the command best-of."""
    from .best_methods import report_best_of

    report_best_of(arguments)


def _power(arguments: argparse.Namespace) -> None:
    """Run the command power."""
    from .powering import estimate_power

    estimate_power(arguments, _nested(arguments.set))


def _methods(arguments: argparse.Namespace) -> None:
    """Run the command methods: list the methods and their parameters."""
    if REGISTRY in sys.modules or not METHODS_FILE.exists():
        text = json.dumps(_documents(), indent=2) + "\n"  # with methods that the process registered
    else:
        text = METHODS_FILE.read_text(encoding="utf-8")  # fast, since no method is imported
    if arguments.json:
        write(text)
        return
    documents = json.loads(text)
    parameters = {parameter["name"]: parameter for method in documents for parameter in method["parameters"]}
    blocks = [_method_text(method) for method in documents]
    blocks.append("Parameters (--set NAME=VALUE)\n" + "\n".join(map(_parameter_text, parameters.values())))
    write("\n\n".join(blocks) + "\n")


def _documents() -> list[dict[str, Any]]:
    """Methods and their parameters as plain literals."""
    from ..core import methods

    fields = ("name", "title", "tasks", "idea", "citation")
    fields_of_parameters = ("name", "label", "kind", "default", "low", "high", "choices", "none", "tooltip")
    documents = []
    for method in methods():
        document = {field: getattr(method, field) for field in fields}
        document["parameters"] = [
            {field: getattr(parameter, field) for field in fields_of_parameters} for parameter in method.parameters
        ]
        documents.append(document)
    return documents


def _method_text(method: dict[str, Any]) -> str:
    """Lines on a method."""
    defaults = ", ".join(f"{p['name']}={_shown(p['default'])}" for p in method["parameters"])
    lines = [f"{method['idea']}.", f"Parameters: {defaults}", f"Source: {method['citation']}"]
    return "\n".join([f"{method['name']}  ({method['title']}; {', '.join(method['tasks'])})", *map(indented, lines)])


def _parameter_text(parameter: dict[str, Any]) -> str:
    """Line on a parameter."""
    choices = f" One of: {', '.join(parameter['choices'])}." if parameter["choices"] else ""
    none = f" Without a value (none): {parameter['none']}." if parameter["none"] else ""
    return indented(f"{parameter['name']}: {parameter['tooltip']}.{choices}{none}")


def _shown(value: object) -> str:
    """Value of a parameter as the command takes it."""
    if isinstance(value, list):  # a method, and its parameters
        return str(value[0])
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def _warm(arguments: argparse.Namespace) -> None:
    """Run the command warm: compile the methods."""
    from .warming import compile_kernels

    compile_kernels(arguments.all)
