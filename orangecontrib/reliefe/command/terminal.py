"""Text for a terminal: what its encoding can show, bars, and progress.

The library rich would replace some forty lines of it, and takes 14 MB with what it requires.
"""

import argparse
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

LINE_WIDTH = 120
N_SHOWN = 20  # best features, unless --top says otherwise
# Arguments of `rank`, which its messages name, as the command line takes them: anywhere, or as the first word.
SPELLED = {
    "target=...": "--target NAME",
    "n_instances=None": "--n-instances none",
    "event_value=...": "--event NAME=WORD",
    'task="survival"': "--time NAME --event NAME",
    **{f'task="{task}"': f"--task {task}" for task in ("classification", "regression", "unsupervised")},
    "hierarchy=...": "which ARFF files can hold",
    **{f"unknown {name} ": f"unknown --{name} " for name in ("target", "method", "covariate", "group")},
    " has no parameter ": " has no parameter (--set) ",
    "use groups=": "use --group",
    "transpose the table": "add --transpose",
    "the group (groups=...)": "the group (--group NAME)",
    "as missing (NaN in arrays)": "as missing (--missing VALUE)",
    "a covariate (covariates=...)": "a covariate (--covariate NAME)",
    "leave groups out": "leave --group out",
    "takes no feature_groups": "takes no --feature-groups",
    "leave out feature_groups": "leave out --feature-groups",
    "add significance=True": "add --significance",
}
OPTIONS = {
    "conditional": "--conditional",
    "feature_groups": "--feature-groups",
    "keep": "--keep",
    "level": "--level",
    "methods": "--methods",
    "n_instances": "--n-instances",
    "n_jobs": "--jobs",
    "n_sets": "--sets",
    "n_shuffles": "--shuffles",
    "random_state": "--seed",
    "select": "--select",
    "significance": "--significance",
}
BLOCKS = " ▏▎▍▌▋▊▉█"


def tested_features(arguments: argparse.Namespace) -> bool | list[str]:
    """Features of --conditional: True for the default ones, their names, or False without the option."""
    names = [name for name in arguments.conditional if name is not None]
    return names or bool(arguments.conditional)


def check_path(path: str | None, endings: Sequence[str]) -> None:
    """Raise ValueError where a file cannot be written: ranking may take long, so that this is better known before."""
    if not path:
        return
    if os.path.splitext(path)[1].lower() not in endings:
        raise ValueError(f"cannot write {path!r}; the name must end in {', '.join(endings)}")
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise ValueError(f"cannot write {path!r}: there is no folder {folder!r}")


def check_outputs(arguments: argparse.Namespace, data: str) -> None:
    """Raise ValueError where a file that a ranking writes is one that it reads; data: name of its file."""
    from ..core.files import refuse_inputs

    names = arguments.phenotype, arguments.group, arguments.time, arguments.event
    joined_files = [path for path, _ in arguments.beside]
    read = [data, *names, *(arguments.target or []), *arguments.covariate, *joined_files, arguments.feature_groups]
    refuse_inputs([arguments.output, arguments.plot, arguments.report, arguments.resume], read)


def write(text: str) -> None:
    """Write to the standard output what its encoding can show of `text`."""
    sys.stdout.write(encodable(text, sys.stdout))


def encodable(text: str, stream: object) -> str:
    """`text` with escapes for the characters that the encoding of `stream` does not have."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def with_options(message: str, settings: Iterable[str] = ()) -> str:
    """A message of `rank` with options for its arguments; settings: names that were given by --set."""
    for argument, option in SPELLED.items():
        message = message.replace(argument, option)
    option_of_argument = {name.rpartition(".")[2]: f"--set {name}" for name in settings} | OPTIONS
    for name, option in option_of_argument.items():
        message = message.replace(f"unknown {name} ", f"unknown {option} ")
    first, blank, rest = message.partition(" ")
    return option_of_argument.get(first, first) + blank + rest


def bar(share: float, width: int, stream: TextIO) -> str:
    """A bar for `share` in [0, 1] of `width` characters: blocks, to an eighth of a character, or else #."""
    share = min(max(share, 0.0), 1.0)
    if encodable(BLOCKS, stream) != BLOCKS:
        return "#" * round(share * width)
    full, eighths = divmod(round(share * width * 8), 8)
    return BLOCKS[-1] * full + BLOCKS[eighths].strip()


class ProgressBar:
    """Shows the share that is done on `stream`, if that is a terminal."""

    WIDTH = 30

    def __init__(self, stream: TextIO):
        self._shown: int | None
        self.stream, self.visible, self._shown = stream, stream.isatty(), None
        self._noted: set[str] = set()

    def __call__(self, share: float) -> None:
        percent = round(share * 100)
        if percent != self._shown and self.visible:
            self._shown = percent
            self.stream.write(f"\r{percent:>3} %  {bar(share, self.WIDTH, self.stream):<{self.WIDTH}}")
            self.stream.flush()

    def note(self, text: str) -> None:
        """Show a text for once, on a line of its own above the bar, if `stream` is a terminal."""
        if self.visible and text not in self._noted:
            self._noted.add(text)
            self.stream.write(f"\r{text:<{self.WIDTH + 7}}\n")
            self._shown = None
            self.stream.flush()

    def clear(self) -> None:
        """The line is empty again, and stays so: a thread that has not heard of Ctrl-C may still count."""
        self.visible = False
        if self._shown is not None:
            self.stream.write("\r" + " " * (self.WIDTH + 7) + "\r")
            self.stream.flush()


@contextmanager
def shown_progress(quiet: bool) -> Iterator[ProgressBar | None]:
    """Context of a ranking, with a bar on the standard error that also shows when methods are compiled.

    Gives the bar, or None where nobody would see it.
    """
    from ..core.kernels.compilation import COMPILATION, TOLD

    progress = ProgressBar(sys.stderr)
    progress.visible &= not quiet
    COMPILATION.listener = lambda: progress.note(TOLD)
    try:
        yield progress if progress.visible else None
    finally:
        COMPILATION.listener = None
        progress.clear()


def indented(text: str) -> str:
    """`text` wrapped to the terminal's width, in from the left."""
    width = min(shutil.get_terminal_size().columns, LINE_WIDTH)
    return textwrap.fill(text, width, initial_indent="    ", subsequent_indent="      ", break_on_hyphens=False)
