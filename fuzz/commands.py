"""The command line with mutated files and arguments."""

import contextlib
import io
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .files import joined, mutated_files, written
from .kinds import Action, Case
from .mutations import mutated, pick
from .outcome import Refused, Wrong
from .refusals import PRODUCT
from .samples import COMMANDS

RAN = "ran"  # folder that a file makes if what it holds is executed
LONGEST = 2000  # characters of errors: the list of files that can be read is long
MAX_REPEATS = 5000  # of a piece: the time of a ranking grows as the square of the rows, and with the classes
MOST = 10**5  # characters of an argument: the operating system has a limit, too


def make(rng: np.random.Generator) -> Case:
    """A case: {"files": as in `files`, "arguments": texts or pieces}."""
    sample = pick(COMMANDS, rng)
    changed = rng.random() < 0.6
    files = {name: {"pieces": [[text, 1]]} for name, text in sample["files"].items()}
    arguments = [*sample["arguments"]]
    if changed:
        files = mutated_files([sample], rng)["files"]
    if not changed or rng.random() < 0.2:
        place = int(rng.integers(len(arguments)))
        arguments[place] = mutated(arguments[place], [text for other in COMMANDS for text in other["arguments"]], rng)
    for file in files.values():
        file["pieces"] = [[text, min(times, MAX_REPEATS), *rest] for text, times, *rest in file["pieces"]]
    return {"files": files, "arguments": arguments}


def prepare(case: Case) -> Action:
    """Write the files; the action ranks the first one."""
    folder, path = written(case["files"])
    arguments = [joined(one)[:MOST] if isinstance(one, list) else one for one in case["arguments"]]

    def action() -> None:
        with folder:
            _rank(path, arguments)

    return action


def _rank(path: Path, arguments: Sequence[str]) -> None:
    from orangecontrib.reliefe.command.cli import main

    before = Path.cwd()
    out, errors = io.StringIO(), io.StringIO()
    os.chdir(path.parent)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            code = main(["rank", path.name, *arguments])
    except SystemExit as ending:
        code = ending.code
    finally:
        os.chdir(before)
    if (path.parent / RAN).exists():
        raise Wrong("code that the file holds was executed", "execution")
    text = errors.getvalue()
    if code not in (0, 2):
        raise Wrong(f"the exit status is {code}", "status")
    if "Traceback" in text or PRODUCT in text or len(text) > 2000:
        raise Wrong(f"{len(text):,} characters of errors: {text[:200]}", "errors of the command line")
    if code:
        raise Refused(text[:200])
