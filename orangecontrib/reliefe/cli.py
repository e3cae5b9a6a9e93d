"""The command line: ``orange-reliefe rank DATA``, ``orange-reliefe methods`` and ``orange-reliefe warm``."""

# Nothing heavy is imported up here: --help and wrong usage should answer at once.
import argparse
import ast
import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, NoReturn

from . import __version__
from .core.compilation import COMPILATION
from .core.compilation import TOLD as COMPILING
from .core.words import cut, shown
from .terminal import ProgressBar, bar, encodable, indented, shortened, write

if TYPE_CHECKING:
    from .conversion import TableRanking
    from .core.methods.parameters import Parameter
    from .core.methods.relief_family import Recipe

PROGRAM = "orange-reliefe"
BAD_INPUT, STOPPED = 2, 130
SHOWN = 20
BAR_WIDTH = 40
TARGETS_SHOWN = 3
LONGEST = 1000  # characters of a value
DIGEST = "{table}: {rows} rows, {features} features, {targets}"
# Those of core.TASKS, which are not imported for --help; a test compares them.
TASKS = ("classification", "regression", "multi-label", "multi-target", "hierarchical", "unsupervised")


class Parser(argparse.ArgumentParser):
    """Tells what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        message = re.sub(r"\S{81,}", lambda found: cut(found[0]), message)  # what was given
        self.exit(BAD_INPUT, f"{self.prog}: {message}\n")


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit status: 0, 2 for bad input, 130 when stopped by Ctrl-C."""
    arguments = _parser().parse_args(argv)
    try:
        arguments.command(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough; without this, Python complains when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (ValueError, TypeError, OSError, MemoryError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        sys.stderr.write(encodable(f"{PROGRAM}: {reason}\n", sys.stderr))
        return BAD_INPUT
    except KeyboardInterrupt:
        sys.stderr.write(f"{PROGRAM}: stopped\n")
        return STOPPED
    return 0


def _parser() -> Parser:
    parser = Parser(prog=PROGRAM, description="Rank features by the Relief family.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    rank = commands.add_parser("rank", help="rank the features of a data set", allow_abbrev=False)
    rank.set_defaults(command=_rank)
    add = rank.add_argument
    add("data", metavar="DATA", help="a file that Orange reads, or the name of a data set of Orange: heart_disease")
    add("--trust", action="store_true", help="DATA may run code that is stored in it: needed for pickles")
    add("--method", metavar="NAME", default="auto", help=f"see `{PROGRAM} methods` (default: chosen by the data)")
    again = "give it again for several (default: the classes of the data)"
    settings = "a parameter of the method; NAME.INNER=VALUE: of a method that it ranks by"
    add("--target", metavar="NAME", action="append", help=f"the variable to rank for; {again}")
    add("--task", choices=TASKS, help="read the target in this way; unsupervised: leave it aside")
    add("--set", metavar="NAME=VALUE", action="append", default=[], type=_setting, help=settings)
    add("--n-instances", metavar="N", type=_literal, help="rows to score from: a number or a share (default: all)")
    add("--jobs", metavar="N", type=_whole, help="threads (default: one for each processor)")
    add("--seed", metavar="N", type=_whole, default=0, help="of the random choice of rows (default: 0)")
    add("--top", metavar="N", type=_count, help=f"show the N best (default: {SHOWN}; with --json: all)")
    add("--output", metavar="FILE", help="write all scores to FILE: .tab, .csv, .xlsx, .json ...")
    add("--json", action="store_true", help="print JSON instead of a table")
    methods = commands.add_parser("methods", help="what can be chosen, with sources", allow_abbrev=False)
    methods.set_defaults(command=_methods)
    methods.add_argument("--json", action="store_true", help="print JSON instead of text")
    warm = commands.add_parser("warm", help="compile the methods now, once after installation", allow_abbrev=False)
    warm.set_defaults(command=_warm)
    warm.add_argument("--all", action="store_true", help="also what only unusual parameters need: some minutes")
    native = "for this very processor, though kernels for its class came with the package: large data gain a fourth"
    warm.add_argument("--native", action="store_true", help=native)
    warm.add_argument("--once", metavar="FILE", type=Path, help=argparse.SUPPRESS)  # for the widgets' own process
    return parser


def _literal(text: str) -> object:
    """ "20" -> 20, "0.5" -> 0.5, "none" -> None, "0.05,0.1" -> (0.05, 0.1); other text stays text."""
    if len(text) > LONGEST:  # Python's parser may need more memory, or more calls in each other, than there are
        return text
    try:
        return ast.literal_eval(text.capitalize() if text.lower() in ("none", "true", "false") else text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return text


def _nested(settings: list[tuple[str, object]]) -> dict[str, object]:
    """Parameters by name; ``core=surf`` and ``core.scale=2`` together are a method and a parameter of it."""
    plain = {name: value for name, value in settings if "." not in name}
    for name, value in settings:
        outer, dot, inner = name.partition(".")
        if dot:
            method, parameters = plain[outer] if isinstance(plain.get(outer), tuple) else (plain.get(outer), {})
            plain[outer] = method, {**parameters, inner: value}
    return plain


def _setting(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"NAME=VALUE is needed, such as n_neighbors=20, not {shown(text)}")
    return name.strip(), _literal(value.strip())


def _count(text: str) -> int:
    count = _whole(text)
    if count < 1:
        raise argparse.ArgumentTypeError(f"a number from 1 is needed, not {shown(text)}")
    return count


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a whole number is needed, not {shown(text)}") from None


# --- rank -------------------------------------------------------------------------------------------------------------


def _rank(arguments: argparse.Namespace) -> None:
    parameters = _nested(arguments.set)
    if arguments.n_instances is not None:
        parameters["n_instances"] = arguments.n_instances
    from . import rank
    from .loading import read_table

    if arguments.output:
        _check_output(arguments.output)
    table = read_table(arguments.data, arguments.trust)
    progress = ProgressBar(sys.stderr)
    COMPILATION.listener = lambda: progress.note(COMPILING)
    try:
        ranking = rank(
            table,
            arguments.method,
            target=arguments.target,
            task=arguments.task,
            random_state=arguments.seed,
            n_jobs=arguments.jobs,
            progress=progress if progress.visible else None,
            **parameters,
        )
    finally:
        COMPILATION.listener = None
        progress.clear()
    if arguments.output:
        _save(ranking, arguments.output)
    if arguments.json:
        write(_json(_document(ranking, arguments.top)))
    else:
        write(_text(ranking, arguments.top or SHOWN, sys.stdout))


def _check_output(path: str) -> None:
    """Ranking may take long: a file that cannot be written is better known before."""
    from Orange.data.io import FileFormat

    known = sorted({".json", *(ending for ending in FileFormat.writers if ending.count(".") == 1)})
    if os.path.splitext(path)[1] not in known:
        raise ValueError(f"cannot write {path!r}; the name must end in {', '.join(known)}")
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise ValueError(f"cannot write {path!r}: there is no folder {folder!r}")


def _save(ranking: "TableRanking", path: str) -> None:
    if path.endswith(".json"):
        with open(path, "w", encoding="utf-8") as file:
            file.write(_json(_document(ranking)))
    else:
        ranking.to_table().save(path)


def _document(ranking: "TableRanking", top: int | None = None) -> dict:
    best = ranking.ranking[:top]
    return {
        "data": ranking.table.name,
        "targets": [target.name for target in ranking.targets],
        "method": ranking.method,
        "parameters": ranking.parameters,
        "info": ranking.info,
        "features": [
            {"rank": position, "feature": ranking.features[j].name, "score": float(ranking.scores[j])}
            | _each(ranking, j)
            for position, j in enumerate(best, start=1)
        ],
    }


def _each(ranking: "TableRanking", feature: int) -> dict:
    """The scores of `feature` for each of several targets, if there are any."""
    if ranking.per_target is None:
        return {}
    return {"targets": dict(zip(ranking.labels, ranking.per_target[:, feature].tolist(), strict=True))}


def _targets(ranking: "TableRanking") -> str:
    names = [shortened(target.name) for target in ranking.targets]
    if len(names) < 2:
        return f"target {names[0]}" if names else "no target"
    more = f" and {len(names) - TARGETS_SHOWN} more" if len(names) > TARGETS_SHOWN else ""
    return f"targets {', '.join(names[:TARGETS_SHOWN])}{more}"


def _text(ranking: "TableRanking", top: int, stream: IO[str]) -> str:
    from .core import METHODS

    table, info = ranking.table, ranking.info
    head = [
        DIGEST.format(table=table.name, rows=len(table), features=len(ranking.features), targets=_targets(ranking)),
        f"{METHODS[ranking.method].title}: {info['summary']}",
        *([f"Chosen: {info['auto']}"] if "auto" in info else []),
        *info.get("warnings", ()),
        "",
    ]
    best = [int(j) for j in ranking.ranking[:top]]
    names = [shortened(ranking.features[j].name) for j in best]
    width = max(map(len, names))
    digits = len(str(len(best)))
    space = max(min(shutil.get_terminal_size().columns - width - digits - 16, BAR_WIDTH), 8)
    largest = max(float(ranking.scores[best[0]]), 0.0)
    rows = [
        f"{position:>{digits}}  {name:<{width}}  {ranking.scores[j]:>9.5f}  "
        + bar(ranking.scores[j] / largest if largest else 0.0, space, stream)
        for position, (j, name) in enumerate(zip(best, names, strict=True), start=1)
    ]
    rest = len(ranking.features) - len(best)
    tail = [f"{'':>{digits}}  ... and {rest} more"] if rest else []
    return "\n".join(line.rstrip() for line in head + rows + tail) + "\n"


# --- methods ----------------------------------------------------------------------------------------------------------


def _methods(arguments: argparse.Namespace) -> None:
    from .core import methods

    if arguments.json:
        write(_json([_method_document(method) for method in methods()]))
        return
    parameters = {parameter.name: parameter for method in methods() for parameter in method.parameters}
    blocks = [_method_text(method) for method in methods()]
    blocks.append("Parameters (--set NAME=VALUE)\n" + "\n".join(_parameter_text(p) for p in parameters.values()))
    write("\n\n".join(blocks) + "\n")


def _method_document(method: "Recipe") -> dict:
    content = {name: getattr(method, name) for name in ("name", "title", "tasks", "idea", "citation")}
    return content | {
        "parameters": [
            {
                name: getattr(p, name)
                for name in ("name", "label", "kind", "default", "low", "high", "choices", "none", "tooltip")
            }
            for p in method.parameters
        ]
    }


def _method_text(method: "Recipe") -> str:
    defaults = ", ".join(f"{p.name}={_shown(p.default)}" for p in method.parameters)
    lines = [f"{method.idea}.", f"Parameters: {defaults}", f"Source: {method.citation}"]
    return "\n".join([f"{method.name}  ({method.title}; {', '.join(method.tasks)})", *map(indented, lines)])


def _parameter_text(parameter: "Parameter") -> str:
    choices = f" One of: {', '.join(parameter.choices)}." if parameter.choices else ""
    none = f" Without a value (none): {parameter.none}." if parameter.none else ""
    return indented(f"{parameter.name}: {parameter.tooltip}.{choices}{none}")


def _shown(value: object) -> str:
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def _json(document: object) -> str:
    return json.dumps(document, indent=2) + "\n"


# --- warm -------------------------------------------------------------------------------------------------------------


def _warm(arguments: argparse.Namespace) -> None:
    from .warming import claimed, compile_kernels

    if arguments.once is None:
        compile_kernels(arguments.all, arguments.native)
        return
    with claimed(arguments.once) as free:
        if free:
            compile_kernels(arguments.all, arguments.native)
