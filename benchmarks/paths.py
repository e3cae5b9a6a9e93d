"""Product files, and pairs of files that call each other, from new data to the outputs of Rank via ReliefE.

python benchmarks/paths.py [--data NAME] [--pairs] [--files]

The second `set_data` of a window is measured, when compiled code is loaded. Calls are noted by a profile hook: in all
threads from Python 3.12 on, and before in those that begin meanwhile. Two files are a pair if functions of each call
functions of the other one; calls through Qt count where Python stands above Python on the stack.
"""

import os
import sys
import threading
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import orangecontrib.reliefe

PRODUCT = Path(orangecontrib.reliefe.__file__).resolve().parent
WAIT = 120_000  # ms until a window must have its outputs; chosen by eye

Call = tuple[str, str]  # path of the calling file, and of the file that is called


def path_of(frame: FrameType | None) -> str:
    """Path of the file of a frame, relative to the product; empty for other files."""
    name = "" if frame is None else frame.f_code.co_filename
    return name[len(str(PRODUCT)) + 1 :] if name.startswith(str(PRODUCT)) else ""


def calls_during(action: Callable[[], object]) -> Counter[Call]:
    """Number of calls of functions of the product while an action runs, by the files of caller and callee."""
    calls: Counter[Call] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            callee = path_of(frame)
            if callee:
                calls[path_of(frame.f_back), callee] += 1

    set_profile = getattr(threading, "setprofile_all_threads", threading.setprofile)
    set_profile(note)
    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
        set_profile(None)
    return calls


def pairs_of(calls: Counter[Call]) -> list[Call]:
    """Pairs of files, sorted, each of which calls the other one."""
    return sorted(pair for pair in calls if pair[0] and pair[0] < pair[1] and pair[::-1] in calls)


def calls_of_window(name: str) -> Counter[Call]:
    """Calls from the second `set_data` of Rank via ReliefE with a data set of Orange to its outputs."""
    from Orange.data import Table
    from Orange.widgets.tests.base import WidgetTest

    from orangecontrib.reliefe.widgets.owreliefe import OWReliefE

    test = WidgetTest()
    WidgetTest.setUpClass()
    test.setUp()
    widget = test.create_widget(OWReliefE)
    data = Table(name)

    def send() -> None:
        test.send_signal(widget.Inputs.data, data, widget=widget)
        test.wait_until_finished(widget, timeout=WAIT)
        test.get_output(widget.Outputs.scores, widget, wait=WAIT)

    send()
    test.send_signal(widget.Inputs.data, None, widget=widget)
    calls = calls_during(send)
    widget.onDeleteWidget()
    return calls


def main() -> None:
    """Print numbers of files, calls and pairs, and the names that are asked for."""
    parser = ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", default="heart_disease", help="data set of Orange")
    parser.add_argument("--pairs", action="store_true", help="list the pairs")
    parser.add_argument("--files", action="store_true", help="list the files and their calls")
    options = parser.parse_args()
    calls = calls_of_window(options.data)
    files: Counter[str] = Counter()
    for (_, callee), number in calls.items():
        files[callee] += number
    pairs = pairs_of(calls)
    print(f"{len(files)} files, {sum(files.values()):,} calls, {len(pairs)} pairs of files that call each other")
    if options.pairs:
        for one, other in pairs:
            print(f"{one:40}{calls[one, other]:6}  {other:40}{calls[other, one]:6}")
    if options.files:
        for file, number in sorted(files.items()):
            print(f"{file:50}{number:7}")


if __name__ == "__main__":
    main()
